/* Self-collision: see self.h.
 *
 * Most triangles that come near a triangle of their own mesh are its neighbors. What they have in
 * common with it is a vertex or an edge, as a rule, and that is no contact. Where the mesh has
 * fans, these pairs are excluded, and tested only around vertices whose fans are not known to be
 * clean (decide/fan_state.h); else they are taken out of the batch. Nearly all of those are apart
 * by the plane of one of them, which a filter finds; the others are decided one by one.
 */
#include "decide/self.h"

#include <string.h>

/* ---- What has not moved ---------------------------------------------------------------------- */

PliantResult pli_self_add_last(PliNarrow *narrow)
{
    const PliFanState *state = narrow->fans->state;
    const int32_t *triangle_leaves = state->topology.triangle_leaves;
    const uint64_t *last = state->last.items;
    PLI_TRY(pli_array_reserve(&narrow->contacts, narrow->worker->host,
                              narrow->contacts.count + state->last.count));
    for (int64_t i = 0; i < state->last.count; i++) {
        const int32_t a = triangle_leaves[last[i] >> 32];
        const int32_t b = triangle_leaves[(uint32_t)last[i]];
        ((uint64_t *)narrow->contacts.items)[narrow->contacts.count] = last[i];
        narrow->contacts.count += pli_fan_are_unmoved(narrow->fans, a, b);
    }
    return PLIANT_OK;
}

/* ---- Neighbors ------------------------------------------------------------------------------- */

/* Where there are no fans: of two leaves nothing, and of one each two triangles once. */
static const PliExclusionMask *mask_without_fans(bool is_one_leaf)
{
    static const PliExclusionMask kinds[2] = {{{0}, {0}},
                                              {{[PLI_LEAF_SIZE / 2 - 1] = 0xff00}, {0}}};
    return &kinds[is_one_leaf];
}

void pli_self_exclude(const PliNarrow *narrow, uint32_t *slots, int32_t count,
                      const PliExclusionMask **masks)
{
    for (int32_t p = 0; p < count; p++) {
        uint32_t *pair = slots + 2 * p;
        if (narrow->cache.slot_leaves[pair[0]] > narrow->cache.slot_leaves[pair[1]]) {
            const uint32_t slot = pair[0];
            pair[0] = pair[1];
            pair[1] = slot;
        }
        masks[p] = narrow->has_fans ? pli_fans_mask(narrow->fans->state->topology.fans,
                                                    narrow->cache.slot_leaves[pair[0]],
                                                    narrow->cache.slot_leaves[pair[1]])
                                    : mask_without_fans(pair[0] == pair[1]);
    }
}

static bool do_boxes_overlap(const PliLeafBoxes *a, int i, const PliLeafBoxes *b, int j)
{
    bool intersects = true;
    for (int k = 0; k < 3; k++)
        intersects &= (a->low[k][i] <= b->high[k][j]) & (b->low[k][j] <= a->high[k][i]);
    return intersects;
}

/* The rows of a fan's triangles, whose leaves are fetched. Returns how many. */
static PliantResult fetch_fan(PliNarrow *narrow, PliPose *pose, const PliFan *fan, uint32_t *rows,
                              int32_t *count)
{
    const PliFanPart *parts = narrow->fans->state->topology.fans->parts + fan->part_first;
    PliLeafPair pairs[PLI_MAX_FAN_TRIANGLES];
    for (int32_t i = 0; i < fan->part_count; i++)
        pairs[i] = (PliLeafPair){parts[i].leaf, parts[i].leaf};
    PliantResult result = pli_narrow_fetch(narrow, pose, pose, pairs, fan->part_count);
    *count = 0;
    for (int32_t i = 0; i < fan->part_count && result == PLIANT_OK; i++)
        for (uint32_t bits = parts[i].triangles; bits; bits &= bits - 1)
            rows[(*count)++] = PLI_LEAF_SIZE * (uint32_t)pairs[i].a + (uint32_t)__builtin_ctz(bits);
    return result;
}

static bool is_candidate(const PliNarrow *narrow, const PliPose *pose, const PliFan *fan,
                         uint32_t a, uint32_t b)
{
    return !pli_fan_are_unmoved(narrow->fans, narrow->cache.slot_leaves[a / PLI_LEAF_SIZE],
                                narrow->cache.slot_leaves[b / PLI_LEAF_SIZE]) &&
           do_boxes_overlap(&narrow->cache.leaf_boxes[a / PLI_LEAF_SIZE], (int)(a % PLI_LEAF_SIZE),
                            &narrow->cache.leaf_boxes[b / PLI_LEAF_SIZE],
                            (int)(b % PLI_LEAF_SIZE)) &&
           pli_fan_state_has_pair(
               narrow->fans->state, (uint32_t)fan->vertex,
               pli_pose_corners(pose, pli_leaf_cache_position(&narrow->cache, a)),
               pli_pose_corners(pose, pli_leaf_cache_position(&narrow->cache, b)));
}

/* Pairs of a fan that is not known to be clean. */
static PliantResult test_fan(PliNarrow *narrow, PliPose *pose, const PliFan *fan)
{
    uint32_t rows[PLI_MAX_FAN_TRIANGLES];
    int32_t count;
    PliantResult result = fetch_fan(narrow, pose, fan, rows, &count);
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++) {
        for (int32_t j = i + 1; j < count; j++) {
            uint32_t *pair = narrow->candidates + 2 * narrow->candidate_count;
            pair[0] = rows[i];
            pair[1] = rows[j];
            narrow->candidate_count += is_candidate(narrow, pose, fan, rows[i], rows[j]);
        }
        if (narrow->candidate_count >= PLI_CANDIDATES)
            result = pli_narrow_test(narrow, pose, pose);
    }
    return result;
}

static bool is_fan_unmoved(const PliNarrow *narrow, const PliFan *fan)
{
    const PliFanPart *parts = narrow->fans->state->topology.fans->parts + fan->part_first;
    bool is_unmoved = true;
    for (int32_t i = 0; i < fan->part_count; i++)
        is_unmoved &= pli_fan_are_unmoved(narrow->fans, parts[i].leaf, parts[i].leaf);
    return is_unmoved;
}

PliantResult pli_self_test_fans(PliNarrow *narrow, PliPose *pose, int32_t first, int32_t end,
                                bool is_one_enough)
{
    const PliFanState *state = narrow->fans->state;
    narrow->may_share = true;
    for (int32_t s = first; s < end; s++) {
        const PliFan *fan = &state->topology.fans->fans[s];
        if (is_one_enough && narrow->contacts.count > 0)
            return PLIANT_OK;
        if (state->verdicts[fan->vertex] == PLI_FAN_CLEAN || is_fan_unmoved(narrow, fan))
            continue;
        PLI_TRY(test_fan(narrow, pose, fan));
        PLI_TRY(pli_narrow_check_progress(narrow, 1));
    }
    return pli_narrow_test(narrow, pose, pose);
}

/* Bits 0 to 2 for the corners of a that b has, and 3 to 5 for those of b that a has: three
 * comparisons, of each corner of a with the one of b that stands so many places after it. */
static inline uint8_t shared_corners(const uint32_t *a, const uint32_t *b)
{
    typedef uint32_t Four __attribute__((vector_size(16)));
    const Four bits[3] = {
        {1 | 8, 2 | 16, 4 | 32, 0}, {1 | 16, 2 | 32, 4 | 8, 0}, {1 | 32, 2 | 8, 4 | 16, 0}};
    const Four from = {a[0], a[1], a[2], 0};
    const Four to[3] = {{b[0], b[1], b[2], 0}, {b[1], b[2], b[0], 0}, {b[2], b[0], b[1], 0}};
    Four all = ((Four)(from == to[0]) & bits[0]) | ((Four)(from == to[1]) & bits[1]) |
               ((Four)(from == to[2]) & bits[2]);
    return (uint8_t)(all[0] | all[1] | all[2]);
}

/* Corners of two triangles in groups that may be apart: gives each of the six a number, the same to
 * those of one group that are at one place. */
static void number_corners(const PliNarrow *narrow, const uint32_t *rows, const uint32_t *a,
                           const uint32_t *b, uint32_t numbers[6])
{
    const float *points[6];
    for (int i = 0; i < 6; i++) {
        const uint32_t group = i < 3 ? a[i] : b[i - 3];
        points[i] = pli_leaf_cache_row(&narrow->cache, rows[i / 3]) + 3 * (i % 3);
        numbers[i] = (uint32_t)i;
        for (int j = 0; j < i; j++)
            if (group == (j < 3 ? a[j] : b[j - 3]) && pli_is_same_point(points[i], points[j])) {
                numbers[i] = numbers[j];
                break;
            }
    }
}

/* As shared_corners(), of two positions of a pose. */
static uint8_t shared_at(const PliNarrow *narrow, const PliPose *pose, const uint32_t *rows,
                         int32_t a, int32_t b)
{
    const uint32_t *first = pli_pose_corners(pose, a), *second = pli_pose_corners(pose, b);
    const uint8_t shared = shared_corners(first, second);
    if (!shared || !narrow->fans->has_apart)
        return shared;
    uint32_t numbers[6];
    number_corners(narrow, rows, first, second, numbers);
    return shared_corners(numbers, numbers + 3);
}

/* Candidates that are taken out of the batch: a portion of them. */
enum { PORTION = 256 };
typedef struct Neighbors {
    uint32_t rows[2 * PORTION];
    uint8_t shared[PORTION], verdicts[PORTION];
    int32_t count;
} Neighbors;

/* One that the filter left open. */
static bool intersects(PliNarrow *narrow, const PliPose *pose, const uint32_t *rows, int32_t a,
                       int32_t b)
{
    const uint32_t *first = pli_pose_corners(pose, a), *second = pli_pose_corners(pose, b);
    uint32_t numbers[6];
    narrow->counts.undecided++;
    if (narrow->fans->has_apart) {
        number_corners(narrow, rows, first, second, numbers);
        first = numbers;
        second = numbers + 3;
    }
    return pli_triangles_intersect_beyond_shared(pli_leaf_cache_row(&narrow->cache, rows[0]), first,
                                                 pli_leaf_cache_row(&narrow->cache, rows[1]),
                                                 second, &narrow->counts);
}

static uint64_t *test_neighbors(PliNarrow *narrow, const PliPose *pose, Neighbors *neighbors,
                                uint64_t *end)
{
    narrow->counts.pairs += neighbors->count;
    narrow->worker->kernels->filter_shared(narrow->cache.rows, neighbors->rows, neighbors->shared,
                                           neighbors->count, neighbors->verdicts);
    for (int32_t i = 0; i < neighbors->count; i++) {
        if (neighbors->verdicts[i] == PLI_APART)
            continue;
        const uint32_t *rows = neighbors->rows + 2 * i;
        int32_t a = pli_leaf_cache_position(&narrow->cache, rows[0]),
                b = pli_leaf_cache_position(&narrow->cache, rows[1]);
        if (neighbors->verdicts[i] == PLI_UNDECIDED && !intersects(narrow, pose, rows, a, b))
            continue;
        uint32_t first = (uint32_t)pli_pose_triangle(pose, a);
        uint32_t second = (uint32_t)pli_pose_triangle(pose, b);
        *end++ = first < second ? (uint64_t)first << 32 | second : (uint64_t)second << 32 | first;
    }
    neighbors->count = 0;
    return end;
}

/* Are two positions of one triangle, or points of one vertex? These have nothing in common beyond
 * what they share. */
static bool are_one(const PliPose *pose, int32_t a, int32_t b)
{
    const int32_t *order = pose->bounds.tree->order;
    return (pose->pieces && pose->pieces[a].triangle == pose->pieces[b].triangle) ||
           (pose->points && pose->points[order[a]] == pose->points[order[b]]);
}

void pli_self_test_shared(PliNarrow *narrow, const PliPose *pose)
{
    Neighbors neighbors;
    int32_t kept = 0;
    uint64_t *end = (uint64_t *)narrow->contacts.items + narrow->contacts.count;
    neighbors.count = 0;
    for (int32_t i = 0; i < narrow->candidate_count; i++) {
        uint32_t rows[2];
        memcpy(rows, narrow->candidates + 2 * i, sizeof rows);
        int32_t a = pli_leaf_cache_position(&narrow->cache, rows[0]),
                b = pli_leaf_cache_position(&narrow->cache, rows[1]);
        if (are_one(pose, a, b))
            continue;
        uint8_t shared = pose->corners ? shared_at(narrow, pose, rows, a, b) : 0;
        /* Written in either place, and kept in one. */
        memcpy(narrow->candidates + 2 * kept, rows, sizeof rows);
        memcpy(neighbors.rows + 2 * neighbors.count, rows, sizeof rows);
        neighbors.shared[neighbors.count] = shared;
        kept += shared == 0;
        neighbors.count += shared != 0;
        if (neighbors.count == PORTION)
            end = test_neighbors(narrow, pose, &neighbors, end);
    }
    end = test_neighbors(narrow, pose, &neighbors, end);
    narrow->contacts.count = end - (uint64_t *)narrow->contacts.items;
    narrow->candidate_count = kept;
}
