/* What touches on the way: see sweep.h. */
#include "decide/sweep.h"
#include "decide/impact_details.h"

static bool is_before(const void *impact, const void *than)
{
    return pli_impact_is_before(impact, than);
}

/* Adds an impact that has one pair: there is room. Its vertices are the points of the pair. */
static void add_found(PliSweep *sweep, PliantFeatures kind, const PliImpactPairs *pair,
                      const int32_t features[2], float time)
{
    PliantImpact *impact =
        (PliantImpact *)sweep->search.found.items.items + sweep->search.found.items.count++;
    *impact = pli_impact_details(pair, kind == PLIANT_TRIANGLE_VERTEX, sweep->distance > 0, time);
    impact->kind = kind;
    impact->feature_a = features[0];
    impact->feature_b = features[1];
    impact->pair_count = 1;
    memcpy(impact->vertices, pair->pairs, sizeof impact->vertices);
    if (sweep->search.is_first_wanted)
        sweep->search.until = time;
}

PliantResult pli_sweep_decide(PliSweep *sweep, PliantFeatures kind, const float *start,
                              const float *end)
{
    PliSweepBatch *batch = &sweep->batches[kind];
    PliImpactPairs pairs = {.kind = kind == PLIANT_EDGE_EDGE ? PLI_EDGE_EDGE : PLI_VERTEX_TRIANGLE,
                            .start = start,
                            .end = end,
                            .pairs = batch->points,
                            .count = batch->count};
    PliArray *found = &sweep->search.found.items;
    PLI_TRY(pli_worker_check_cancelled(sweep->search.worker));
    PLI_TRY(pli_array_reserve(found, sweep->search.worker->host, found->count + batch->count));
    if (sweep->distance > 0)
        pli_pairs_approach(&pairs, sweep->distance, sweep->search.until, batch->times);
    else
        pli_pairs_impact(sweep->search.worker->kernels, &pairs, batch->times, &sweep->counts);
    pairs.count = 1;
    for (int32_t i = 0; i < batch->count; i++) {
        pairs.pairs = batch->points + 4 * i;
        if (batch->times[i] <= sweep->search.until)
            add_found(sweep, kind, &pairs, batch->features + 2 * i, batch->times[i]);
    }
    batch->count = 0;
    return PLIANT_OK;
}

/* A pair of a batch as a candidate. */
static void keep_pair(const PliFeatureSearch *search, PliantFeatures kind,
                      const PliSweepBatch *batch, int32_t i, PliSweepCandidate *candidate)
{
    const uint32_t *points = batch->points + 4 * (size_t)i;
    candidate->base = (PliCandidate){
        .kind = kind, .feature_a = batch->features[2 * i], .feature_b = batch->features[2 * i + 1]};
    pli_feature_vertices(search, kind, points, candidate->base.vertices);
    pli_feature_points(search->cache.rows, points, candidate->points[0]);
    pli_feature_points(search->end_rows.items, points, candidate->points[1]);
}

/* Decides all pairs of a batch, and names the vertices of those that touch. */
static PliantResult decide(PliSweep *sweep, PliantFeatures kind)
{
    PliFeatureSearch *search = &sweep->search;
    const PliArray *found = &search->found.items;
    const int64_t first = found->count;
    PLI_TRY(pli_sweep_decide(sweep, kind, search->cache.rows, search->end_rows.items));
    for (int64_t i = first; i < found->count; i++) {
        PliantImpact *impact = (PliantImpact *)found->items + i;
        uint32_t vertices[4];
        pli_feature_vertices(search, kind, impact->vertices, vertices);
        pli_near_set_vertices(kind, vertices, impact->vertices);
    }
    return pli_found_check(&search->found, search->worker->host);
}

/* ---- Pairs of groups ------------------------------------------------------------------------- */

/* A search that has failed may have left pairs in a batch. PliFeatureDecider.start. */
static void start(PliFeatureSearch *search)
{
    for (int kind = 0; kind < 3; kind++)
        ((PliSweep *)search)->batches[kind].count = 0;
}

/* Decides all pairs of a batch, or keeps them. It is then empty. PliFeatureDecider.finish. */
static PliantResult finish(PliFeatureSearch *search, PliantFeatures kind)
{
    PliSweep *sweep = (PliSweep *)search;
    PliSweepBatch *batch = &sweep->batches[kind];
    void *end = NULL;
    if (!search->keeps)
        return decide(sweep, kind);
    PLI_TRY(pli_array_push(&search->candidates, search->worker->host, batch->count, &end));
    for (int32_t i = 0; i < batch->count; i++)
        keep_pair(search, kind, batch, i, (PliSweepCandidate *)end + i);
    batch->count = 0;
    return PLIANT_OK;
}

/* Which boxes of two groups overlap on the way: a row of bits for each of a. */
static void overlap(const PliFeatureSearch *search, int32_t a, int32_t b,
                    uint16_t bits[PLI_LEAF_SIZE])
{
    search->worker->kernels->overlap_moving_leaves(
        (PliMovingLeaf){pli_feature_group(search, 0, a), pli_feature_group(search, 1, a)},
        (PliMovingLeaf){pli_feature_group(search, 0, b), pli_feature_group(search, 1, b)},
        search->until, bits);
}

/* PliFeatureDecider.test. */
static PliantResult test(PliFeatureSearch *search, PliantFeatures kind, int32_t a, int32_t b)
{
    PliSweepBatch *batch = &((PliSweep *)search)->batches[kind];
    uint16_t bits[PLI_LEAF_SIZE];
    overlap(search, a, b, bits);
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++)
        for (uint32_t row = bits[i]; row; row &= row - 1) {
            const uint32_t one = PLI_LEAF_SIZE * (uint32_t)a + i,
                           other = PLI_LEAF_SIZE * (uint32_t)b + (uint32_t)__builtin_ctz(row);
            PliFeaturePair pair;
            if (!pli_feature_pair(search, kind, one, other, &pair))
                continue;
            memcpy(batch->points + 4 * batch->count, pair.points, sizeof pair.points);
            memcpy(batch->features + 2 * batch->count++, pair.features, sizeof pair.features);
        }
    return batch->count >= PLI_SWEEP_BATCH ? finish(search, kind) : PLIANT_OK;
}

/* PliFeatureDecider.do_triangles_overlap. */
static bool do_triangles_overlap(PliFeatureSearch *search, int32_t a, int32_t b)
{
    uint16_t bits[PLI_LEAF_SIZE];
    uint32_t any = 0;
    overlap(search, a, b, bits);
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        any |= bits[i];
    return any != 0;
}

static const PliFeatureDecider SWEEP = {.is_before = is_before,
                                        .candidate_size = sizeof(PliSweepCandidate),
                                        .has_ends = true,
                                        .start = start,
                                        .do_triangles_overlap = do_triangles_overlap,
                                        .test = test,
                                        .finish = finish};

void pli_sweep_init(PliSweep *sweep, PliWorker *worker)
{
    memset(sweep, 0, sizeof *sweep);
    pli_feature_search_init(&sweep->search, &SWEEP, worker);
}

void pli_sweep_start(PliSweep *sweep, float distance, float reach, bool is_first_wanted)
{
    sweep->distance = distance;
    sweep->search.is_first_wanted = is_first_wanted;
    start(&sweep->search); /* a query that decides kept candidates alone runs no search */
    pli_feature_search_start(&sweep->search, reach);
}
