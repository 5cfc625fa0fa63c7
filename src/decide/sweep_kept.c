/* What touches on the way, from what is kept: see sweep.h. */
#include "decide/sweep.h"

/* A batch of candidates: which they are, and their points, four for each, at both ends. */
typedef struct Batch {
    const PliKept *kept;
    int64_t candidates[PLI_SWEEP_BATCH];
    float points[2][12 * PLI_SWEEP_BATCH];
} Batch;

static PliSweepCandidate *candidate_at(const PliKept *kept, int64_t i)
{
    return (PliSweepCandidate *)(void *)pli_kept_candidate(kept, i);
}

/* Adds a candidate to a batch that has room. */
static void add(PliSweep *sweep, PliSweepCandidate *candidate, int64_t number,
                const PliKeptSide sides[2], Batch *batch)
{
    const PliCandidate *base = &candidate->base;
    const int32_t i = sweep->batches[base->kind].count;
    const uint32_t first = 4 * (uint32_t)i;
    for (int k = 0; k < 2; k++)
        pli_candidate_points(base, candidate->points[k], k, &sides[0], &sides[1],
                             batch->points[k] + 12 * (size_t)i);
    candidate->base.distance = INFINITY;
    pli_sweep_add(sweep, base->kind, (const uint32_t[4]){first, first + 1, first + 2, first + 3},
                  base->vertices, (const int32_t[2]){base->feature_a, base->feature_b});
    batch->candidates[i] = number;
}

void pli_sweep_leave(PliSweepBatch *batch, const uint8_t *is_left)
{
    const int32_t count = batch->count;
    batch->count = 0;
    for (int32_t from = 0; from < count; from++) {
        const int32_t to = batch->count;
        memmove(batch->points + 4 * to, batch->points + 4 * from, 4 * sizeof *batch->points);
        memmove(batch->features + 2 * to, batch->features + 2 * from, 2 * sizeof *batch->features);
        batch->distances[to] = batch->distances[from];
        batch->count += is_left[from] != 0;
    }
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

PliantResult pli_sweep_keep(PliSweep *sweep, PliantFeatures kind)
{
    PliFeatureSearch *search = &sweep->search;
    PliSweepBatch *batch = &sweep->batches[kind];
    void *end = NULL;
    PLI_TRY(pli_array_push(&search->candidates, search->worker->host, batch->count, &end));
    for (int32_t i = 0; i < batch->count; i++)
        keep_pair(search, kind, batch, i, (PliSweepCandidate *)end + i);
    batch->count = 0;
    return PLIANT_OK;
}

/* Leaves only pairs of a batch that may come within the distance before the search ends. */
static void filter(PliSweep *sweep, PliantFeatures kind, const Batch *batch)
{
    PliSweepBatch *pairs = &sweep->batches[kind];
    const int32_t count = pairs->count;
    uint8_t is_open[PLI_SWEEP_BATCH];
    sweep->search.worker->kernels->filter_apart(
        batch->points[0], batch->points[1], kind == PLIANT_EDGE_EDGE, pairs->points, count,
        (PliApart){sweep->search.until, sweep->search.pair_distance}, is_open);
    pli_sweep_leave(pairs, is_open);
}

/* The candidate that has a point. */
static PliSweepCandidate *candidate_of(const Batch *batch, uint32_t point)
{
    return candidate_at(batch->kept, batch->candidates[point / 4]);
}

/* PliSweepTable.name. */
static void name_vertices(const void *of, PliantFeatures kind, const uint32_t points[4],
                          uint32_t vertices[4])
{
    (void)kind;
    memcpy(vertices, candidate_of(of, points[0])->base.vertices, 4 * sizeof *vertices);
}

/* Decides a batch, and remembers the times. */
static PliantResult finish(PliSweep *sweep, PliantFeatures kind, const Batch *batch)
{
    const PliSweepBatch *pairs = &sweep->batches[kind];
    const PliSweepTable table = {batch->points[0], batch->points[1], name_vertices, batch};
    filter(sweep, kind, batch);
    const int32_t count = pairs->count;
    PLI_TRY(pli_sweep_decide(sweep, kind, &table));
    for (int32_t i = 0; i < count; i++)
        candidate_of(batch, pairs->points[4 * i])->base.distance = pairs->times[i];
    return PLIANT_OK;
}

/* The candidate that touched first when they were last decided. */
static int64_t find_first(const PliKept *kept, const PliKeptPair *pair)
{
    int64_t first = pair->first;
    for (int64_t i = first + 1; i < pair->first + pair->count; i++)
        if (candidate_at(kept, i)->base.distance < candidate_at(kept, first)->base.distance)
            first = i;
    return first;
}

/* Decides all candidates of a pair, which are by kind. If the first impact alone is wanted, then
 * first of all the one that was the first before: others that are later are skipped. */
static PliantResult decide(PliSweep *sweep, const PliKept *kept, const PliKeptPair *pair,
                           const PliKeptSide sides[2])
{
    Batch batch;
    memset(batch.candidates, 0, sizeof batch.candidates);
    batch.kept = kept;
    const int64_t end = pair->first + pair->count;
    int64_t first = -1;
    pli_found_start(&sweep->search.found);
    pli_sweep_start_pair(sweep);
    if (sweep->search.is_first_wanted && pair->count > 0) {
        first = find_first(kept, pair);
        PliSweepCandidate *candidate = candidate_at(kept, first);
        add(sweep, candidate, first, sides, &batch);
        PLI_TRY(finish(sweep, candidate->base.kind, &batch));
    }
    for (int64_t i = pair->first; i < end;) {
        const PliantFeatures kind = candidate_at(kept, i)->base.kind;
        for (; i < end && candidate_at(kept, i)->base.kind == kind &&
               sweep->batches[kind].count < PLI_SWEEP_BATCH;
             i++)
            if (i != first)
                add(sweep, candidate_at(kept, i), i, sides, &batch);
        PLI_TRY(finish(sweep, kind, &batch));
        PLI_TRY(pli_worker_check(sweep->search.worker));
    }
    return PLIANT_OK;
}

PliantResult pli_sweep_find_kept(PliSweep *sweep, PliKept *kept, uint64_t *last_epoch,
                                 const PliFeatureSide *a, const PliFeatureSide *b,
                                 PliKeptSide sides[2], float limit, PliArray *impacts)
{
    PliKeptPair now = {.until = limit};
    const PliKeptPair *pair;
    PLI_TRY(pli_feature_search_kept(&sweep->search, kept, last_epoch, a, b, sides, &now, &pair));
    PLI_TRY(decide(sweep, kept, pair, sides));
    return pli_feature_search_append(&sweep->search, impacts);
}
