/* What touches on the way: see sweep.h. */
#include "decide/sweep.h"
#include "decide/impact_details.h"
#include "decide/thick.h"

static bool is_before(const void *impact, const void *than)
{
    return pli_impact_is_before(impact, than);
}

void pli_sweep_start_pair(PliSweep *sweep)
{
    sweep->first.time = INFINITY;
    sweep->late_time = 0;
    sweep->decided_count = 0;
    sweep->stamp++;
}

/* Of impacts of one time, is this one after the first one so far? */
static bool is_later(const PliSweepFirst *first, PliantFeatures kind, const int32_t features[2])
{
    return pli_feature_key(kind, features[0], features[1]) > first->key;
}

/* From the middle of one body to that of the other at the start, of few bits: then heights along it
 * are exact where coordinates have few bits. */
static double way_between(const PliFeatureSearch *search, int axis)
{
    const PliBox *a = &search->sides[0].pose.start->bounds.root,
                 *b = &search->sides[1].pose.start->bounds.root;
    const float way = (b->low[axis] - a->low[axis]) + (b->high[axis] - a->high[axis]);
    uint32_t bits;
    float few;
    memcpy(&bits, &way, sizeof bits);
    bits &= 0xffff0000;
    memcpy(&few, &bits, sizeof few);
    return fabsf(few) < INFINITY ? (double)few : 0;
}

/* An impact that is no later than any other so far. */
static void set_first(PliSweep *sweep, const PliImpactPairs *pair, const PliantImpact *impact)
{
    const bool are_edges = impact->kind == PLIANT_EDGE_EDGE;
    const float *p[4];
    double e[3], f[3];
    for (int i = 0; i < 4; i++)
        p[i] = pair->start + 3 * (size_t)pair->pairs[i];
    for (int k = 0; k < 3; k++) {
        e[k] = are_edges ? (double)p[1][k] - p[0][k] : (double)p[2][k] - p[1][k];
        f[k] = are_edges ? (double)p[3][k] - p[2][k] : (double)p[3][k] - p[1][k];
    }
    sweep->first.time = impact->time;
    sweep->first.key = pli_impact_key(impact);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        sweep->first.normals[0][k] = e[i] * f[j] - e[j] * f[i];
        sweep->first.normals[1][k] = way_between(&sweep->search, k);
    }
    sweep->search.until = impact->time;
    sweep->stamp++;
}

/* Adds an impact that has one pair: there is room. */
static void add_found(PliSweep *sweep, PliantFeatures kind, const PliImpactPairs *pair,
                      const PliSweepTable *table, const int32_t features[2], bool is_near,
                      float time)
{
    uint32_t vertices[4];
    table->name(table->of, kind, pair->pairs, vertices);
    PliantImpact *impact =
        (PliantImpact *)sweep->search.found.items.items + sweep->search.found.items.count++;
    *impact = pli_impact_details(pair, kind == PLIANT_TRIANGLE_VERTEX, is_near, time);
    impact->kind = kind;
    impact->feature_a = features[0];
    impact->feature_b = features[1];
    impact->pair_count = 1;
    pli_near_set_vertices(kind, vertices, impact->vertices);
    if (sweep->search.is_first_wanted)
        set_first(sweep, pair, impact);
}

/* A batch whose points are asked for in double. */
typedef struct Asked {
    const PliSweep *sweep;
    PliantFeatures kind;
    const PliSweepTable *table;
} Asked;

/* A vertex of a pose, less the origin if it has doubles, or a point of a table. */
static void find_point(const PliPose *pose, uint32_t vertex, const float *point, double to[3])
{
    const PliDoubles *doubles = pose->doubles;
    for (size_t k = 0; k < 3; k++) {
        to[k] = (double)point[k];
        if (doubles)
            memcpy(&to[k], doubles->data + doubles->stride * vertex + k * sizeof *to, sizeof *to);
        to[k] -= doubles ? doubles->origin[k] : 0;
    }
}

/* PliFindPoints64. */
static void find_points(const void *of, int64_t pair, PliPoints64 *points)
{
    const Asked *asked = of;
    const uint32_t *from = asked->sweep->batches[asked->kind].points + 4 * pair;
    const int first_count = asked->kind == PLIANT_EDGE_EDGE ? 2 : 1;
    uint32_t vertices[4];
    asked->table->name(asked->table->of, asked->kind, from, vertices);
    for (int k = 0; k < 4; k++) {
        const bool is_of_a = (k < first_count) != (asked->kind == PLIANT_TRIANGLE_VERTEX);
        const PliMovingPose *pose = &asked->sweep->search.sides[is_of_a ? 0 : 1].pose;
        const size_t at = 3 * (size_t)from[k];
        find_point(pose->start, vertices[k], asked->table->start + at, points->start[k]);
        find_point(pose->end, vertices[k], asked->table->end + at, points->end[k]);
    }
}

/* Sets the times of a batch. */
static void find_times(PliSweep *sweep, PliantFeatures kind, const PliImpactPairs *pairs,
                       const PliSweepTable *table)
{
    const PliFeatureSearch *search = &sweep->search;
    const PliKernels *kernels = search->worker->kernels;
    PliSweepBatch *batch = &sweep->batches[kind];
    const Asked asked = {sweep, kind, table};
    const PliApproaches approaches = {.distances = batch->distances,
                                      .distance = search->pair_distance,
                                      .until = search->until,
                                      .error = search->error,
                                      .find_points = find_points,
                                      .of = &asked};
    if (search->pair_distance > 0)
        pli_pairs_approach(kernels, pairs, &approaches, batch->times, &sweep->counts);
    else
        pli_pairs_impact(kernels, pairs, batch->times, &sweep->counts);
}

PliantResult pli_sweep_decide(PliSweep *sweep, PliantFeatures kind, const PliSweepTable *table)
{
    PliFeatureSearch *search = &sweep->search;
    PliSweepBatch *batch = &sweep->batches[kind];
    PliImpactPairs pairs = {.kind = kind == PLIANT_EDGE_EDGE ? PLI_EDGE_EDGE : PLI_VERTEX_TRIANGLE,
                            .start = table->start,
                            .end = table->end,
                            .pairs = batch->points,
                            .count = batch->count};
    PliArray *found = &search->found.items;
    PLI_TRY(pli_worker_check_cancelled(search->worker));
    PLI_TRY(pli_array_reserve(found, search->worker->host, found->count + batch->count));
    find_times(sweep, kind, &pairs, table);
    pairs.count = 1;
    for (int32_t i = 0; i < batch->count; i++) {
        pairs.pairs = batch->points + 4 * i;
        if (batch->times[i] <= search->until &&
            !(batch->times[i] == sweep->first.time &&
              is_later(&sweep->first, kind, batch->features + 2 * i)))
            add_found(sweep, kind, &pairs, table, batch->features + 2 * i,
                      search->pair_distance > 0 && batch->distances[i] > 0, batch->times[i]);
    }
    sweep->decided_count += batch->count;
    batch->count = 0;
    return PLIANT_OK;
}

/* PliSweepTable.name, of rows of the leaf cache. */
static void name_vertices(const void *of, PliantFeatures kind, const uint32_t points[4],
                          uint32_t vertices[4])
{
    pli_feature_vertices(of, kind, points, vertices);
}

/* Decides all pairs of a batch. */
static PliantResult decide(PliSweep *sweep, PliantFeatures kind)
{
    PliFeatureSearch *search = &sweep->search;
    const PliSweepTable table = {search->cache.rows, search->end_rows.items, name_vertices, search};
    PLI_TRY(pli_sweep_decide(sweep, kind, &table));
    return pli_found_check(&search->found, search->worker->host);
}

/* ---- Pairs of groups ------------------------------------------------------------------------- */

/* A search that has failed may have left pairs in a batch. PliFeatureDecider.start. */
static void start(PliFeatureSearch *search)
{
    for (int kind = 0; kind < 3; kind++)
        ((PliSweep *)search)->batches[kind].count = 0;
    pli_sweep_start_pair((PliSweep *)search);
}

/* Leaves out the pairs of a batch that are near at rest. */
static void drop_near_at_rest(PliSweep *sweep, PliantFeatures kind)
{
    PliSweepBatch *batch = &sweep->batches[kind];
    uint8_t is_left[PLI_SWEEP_MAX_BATCH];
    memset(is_left, PLI_NEAR, sizeof is_left);
    for (int32_t i = 0; i < batch->count; i += PLI_THICK_BATCH) {
        const int32_t rest = batch->count - i;
        pli_thick_drop(&sweep->search, kind, batch->points + 4 * i,
                       rest < PLI_THICK_BATCH ? rest : PLI_THICK_BATCH, is_left + i);
    }
    pli_sweep_leave(batch, is_left);
}

/* Decides all pairs of a batch, or keeps them. It is then empty. PliFeatureDecider.finish. */
static PliantResult finish(PliFeatureSearch *search, PliantFeatures kind)
{
    PliSweep *sweep = (PliSweep *)search;
    if (pli_feature_search_has_rest(search))
        drop_near_at_rest(sweep, kind);
    return search->keeps ? pli_sweep_keep(sweep, kind) : decide(sweep, kind);
}

/* ---- What is late ------------------------------------------------------------------------------
 *
 * All points of two leaves move along straight lines. If those of one are above those of the other,
 * along a normal of the first impact so far, at time 0, and not below at its time T, they are
 * above in between: nothing in them touches before T, and so no time of theirs is less as a float.
 *
 * Features that touch at T as well, in one plane, have no gap there, and T may be a float: then no
 * rounding error may be in the way. So what each step rounds is found as well (Dekker 1971), and
 * bounds are moved only if that is not 0.
 */

/* A sum and a product, rounded. What they are off by is added to an error. */
static double add_up(double a, double b, double *error)
{
    const double sum = a + b, b_part = sum - a, a_part = sum - b_part;
    *error += fabs((a - a_part) + (b - b_part));
    return sum;
}

static double multiply(double a, double b, double *error)
{
    const double product = a * b, a_split = a * 0x8000001p0, b_split = b * 0x8000001p0,
                 a_high = a_split - (a_split - a), a_low = a - a_high,
                 b_high = b_split - (b_split - b), b_low = b - b_high;
    *error += fabs(((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low);
    return product;
}

/* Moves a number by an error, if there is one, and by what that rounds. */
static double moved(double x, double error, double way)
{
    return error > 0 ? x + way * (2 * error + 0x1p-50 * fabs(x)) : x;
}

/* Bounds of the height of a point. */
static void add_height(const double normal[3], const float *point, double *low, double *high)
{
    double error = 0, height = multiply(normal[0], (double)point[0], &error);
    for (int k = 1; k < 3; k++)
        height = add_up(height, multiply(normal[k], (double)point[k], &error), &error);
    const double least = moved(height, error, -1), most = moved(height, error, 1);
    *low = least < *low ? least : *low;
    *high = most > *high ? most : *high;
}

/* At most a - b. */
static double gap_of(double a, double b)
{
    double error = 0;
    const double gap = add_up(a, -b, &error);
    return moved(gap, error, -1);
}

/* Is what has this gap at time 0, and that one at time 1, above up to a time T? With (1 - T) start
 * >= -T end. */
static bool stays_above(double start, double end, double time)
{
    double error = 0, rest_error = 0;
    const double rest = add_up(1, -time, &rest_error), above = multiply(rest, start, &error),
                 below = multiply(-end, time, &error);
    return start > 0 && (error + rest_error > 0 ? above * (1 - 0x1p-48) > below : above >= below);
}

/* What is known of the leaf in a slot. */
static const PliSweepLeaf *leaf_at(PliSweep *sweep, int32_t side, int32_t slot)
{
    const PliFeatureSearch *search = &sweep->search;
    PliSweepLeaf *leaf = (PliSweepLeaf *)search->firsts.items + slot;
    const int32_t number = search->cache.slot_leaves[slot];
    if (leaf->stamp == sweep->stamp && leaf->leaf == number && leaf->side == side)
        return leaf;
    *leaf = (PliSweepLeaf){.stamp = sweep->stamp,
                           .side = side,
                           .leaf = number,
                           .vertex = UINT32_MAX,
                           .triangle = INT32_MAX};
    for (int i = 0; i < 4; i++) {
        leaf->low[i / 2][i % 2] = INFINITY;
        leaf->high[i / 2][i % 2] = -INFINITY;
    }
    const int32_t first = PLI_LEAF_SIZE * slot,
                  count = ((const PliFeatureLeaf *)search->leaves.items)[slot].count;
    const float *rows[2] = {search->cache.rows, search->end_rows.items};
    for (int32_t row = first; row < first + count; row++) {
        const size_t at = PLI_ROW_SIZE * (size_t)row;
        const PliNearTriangle *triangle = (const PliNearTriangle *)search->triangles.items + row;
        if (!pli_is_finite(rows[0] + at, PLI_ROW_SIZE) ||
            !pli_is_finite(rows[1] + at, PLI_ROW_SIZE))
            continue;
        leaf->triangle = triangle->number < leaf->triangle ? triangle->number : leaf->triangle;
        for (size_t k = 0; k < 3; k++) {
            const uint32_t vertex = triangle->vertices[k];
            leaf->vertex = vertex < leaf->vertex ? vertex : leaf->vertex;
            for (int i = 0; i < 4 && sweep->first.time > 0; i++)
                add_height(sweep->first.normals[i / 2], rows[i % 2] + at + 3 * k,
                           &leaf->low[i / 2][i % 2], &leaf->high[i / 2][i % 2]);
        }
    }
    return leaf;
}

/* Can two leaves not touch before the first impact? Conservative times may be earlier than a
 * touch: of these only 0 has none before. */
static bool are_late(const PliSweep *sweep, const PliSweepLeaf *a, const PliSweepLeaf *b)
{
    const double time = (double)sweep->first.time;
    if (!(time > 0) || sweep->search.pair_distance > 0)
        return !(time > 0);
    for (int i = 0; i < 2; i++)
        if (stays_above(gap_of(a->low[i][0], b->high[i][0]), gap_of(a->low[i][1], b->high[i][1]),
                        time) ||
            stays_above(gap_of(b->low[i][0], a->high[i][0]), gap_of(b->low[i][1], a->high[i][1]),
                        time))
            return true;
    return false;
}

/* Can the features of two leaves not take the place of the first impact? If only some of them can,
 * sets late_time. Heights take a tenth of a search in which few pairs are decided: so they are
 * asked for once many pairs were. */
static bool are_leaves_later(PliSweep *sweep, int32_t a_slot, int32_t b_slot)
{
    enum { MANY_PAIRS = 4096 };
    const bool is_self = sweep->search.is_self;
    sweep->late_time = 0;
    if (sweep->first.time == INFINITY || sweep->search.keeps ||
        (sweep->first.time > 0 && sweep->decided_count < MANY_PAIRS))
        return false;
    const PliSweepLeaf a = *leaf_at(sweep, 0, a_slot), b = *leaf_at(sweep, is_self ? 0 : 1, b_slot);
    if (!are_late(sweep, &a, &b))
        return false;
    sweep->late_time = sweep->first.time;
    const uint32_t vertex = is_self && b.vertex < a.vertex ? b.vertex : a.vertex;
    const int32_t lowest[2] = {(int32_t)vertex,
                               is_self && a.triangle < b.triangle ? a.triangle : b.triangle};
    return is_later(&sweep->first, PLIANT_VERTEX_TRIANGLE, lowest);
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

/* In which slot is the leaf of a group? */
static int32_t slot_of(const PliFeatureSearch *search, int32_t group, bool are_triangles)
{
    const PliLeafFeature *features = search->features.items;
    return are_triangles
               ? ((const int32_t *)search->group_slots.items)[group]
               : (int32_t)(features[PLI_LEAF_SIZE * (size_t)group].points[0] / (3 * PLI_LEAF_SIZE));
}

/* Can two groups not touch before the first impact? A leaf that is compared with itself is not late
 * unless all are. */
static bool is_late(const PliFeatureSearch *search, PliantFeatures kind, int32_t a, int32_t b)
{
    const PliSweep *sweep = (const PliSweep *)search;
    return sweep->first.time == 0 ||
           (sweep->first.time <= sweep->late_time &&
            !(search->is_self &&
              slot_of(search, a, false) == slot_of(search, b, kind != PLIANT_EDGE_EDGE)));
}

/* PliFeatureDecider.test. */
static PliantResult test(PliFeatureSearch *search, PliantFeatures kind, int32_t a, int32_t b)
{
    PliSweep *sweep = (PliSweep *)search;
    PliSweepBatch *batch = &sweep->batches[kind];
    const bool late = is_late(search, kind, a, b);
    uint16_t bits[PLI_LEAF_SIZE];
    if (late && is_later(&sweep->first, kind, (const int32_t[2]){0, 0}))
        return PLIANT_OK;
    overlap(search, a, b, bits);
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++)
        for (uint32_t row = bits[i]; row; row &= row - 1) {
            const uint32_t one = PLI_LEAF_SIZE * (uint32_t)a + i,
                           other = PLI_LEAF_SIZE * (uint32_t)b + (uint32_t)__builtin_ctz(row);
            PliFeaturePair pair;
            if (!pli_feature_pair(search, kind, one, other, &pair) ||
                (late && is_later(&sweep->first, kind, pair.features)))
                continue;
            pli_sweep_add(sweep, kind, pair.points, pair.vertices, pair.features);
        }
    return batch->count >= (late ? 1 : PLI_SWEEP_BATCH) ? finish(search, kind) : PLIANT_OK;
}

/* PliFeatureDecider.do_triangles_overlap. */
static bool do_triangles_overlap(PliFeatureSearch *search, int32_t a, int32_t b)
{
    const int32_t *slots = search->group_slots.items;
    uint16_t bits[PLI_LEAF_SIZE];
    uint32_t any = 0;
    if (are_leaves_later((PliSweep *)search, slots[a], slots[b]))
        return false;
    overlap(search, a, b, bits);
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        any |= bits[i];
    return any != 0;
}

static const PliFeatureDecider SWEEP = {.is_before = is_before,
                                        .candidate_size = sizeof(PliSweepCandidate),
                                        .leaf_size = sizeof(PliSweepLeaf),
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

void pli_sweep_start(PliSweep *sweep, float distance, float margin, float rest_distance,
                     bool is_first_wanted)
{
    sweep->search.is_first_wanted = is_first_wanted;
    start(&sweep->search); /* a query that decides kept candidates alone runs no search */
    pli_feature_search_start(&sweep->search, distance, margin, rest_distance);
}
