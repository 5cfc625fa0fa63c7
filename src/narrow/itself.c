/* A pose with itself: see narrow.h.
 *
 * Most triangles that come near a triangle of their own mesh are its neighbours. What they have in
 * common with it is a vertex or an edge, as a rule, and that is no contact: such pairs are taken
 * out of the batch. Nearly all of them are apart by the plane of one of them, which a filter finds;
 * the others are decided one by one.
 */
#include "narrow/narrow.h"

#include <string.h>

PliantResult pli_narrow_drop_apart(PliNarrow *narrow, PliPose *pose)
{
    PliLeafPair *pairs = narrow->leaf_pairs.items;
    int64_t kept = 0;
    narrow->calm_pairs.count = narrow->suspects.count = 0;
    PliantResult result =
        pli_array_reserve(&narrow->calm_pairs, narrow->host, narrow->leaf_pairs.count);
    if (result == PLIANT_OK)
        result = pli_array_reserve(&narrow->suspects, narrow->host, narrow->leaf_pairs.count);
    if (result != PLIANT_OK)
        return result;
    for (int64_t i = 0; i < narrow->leaf_pairs.count; i++) {
        PliLeafPair pair = pairs[i];
        PliSuspects suspects;
        if (!pose->kind->is_apart(pose, pair.a, pair.b, &suspects)) {
            pairs[kept++] = pair;
        } else if (suspects.count > 0) {
            ((PliLeafPair *)narrow->calm_pairs.items)[narrow->calm_pairs.count++] = pair;
            ((PliSuspects *)narrow->suspects.items)[narrow->suspects.count++] = suspects;
        }
    }
    narrow->leaf_pairs.count = kept;
    return PLIANT_OK;
}

static bool do_boxes_meet(const PliLeafBoxes *a, int i, const PliLeafBoxes *b, int j)
{
    bool meets = true;
    for (int k = 0; k < 3; k++)
        meets &= (a->low[k][i] <= b->high[k][j]) & (b->low[k][j] <= a->high[k][i]);
    return meets;
}

void pli_narrow_add_suspects(PliNarrow *narrow, const PliSuspects *suspects, PliLeafPair slots)
{
    const uint32_t a = (uint32_t)slots.a, b = (uint32_t)slots.b;
    for (int32_t s = 0; s < suspects->count; s++) {
        const uint8_t *places = suspects->places + 2 * s;
        const uint8_t i = places[suspects->is_swapped], j = places[!suspects->is_swapped];
        uint32_t *rows = narrow->candidates + 2 * narrow->candidate_count;
        rows[0] = PLI_LEAF_SIZE * a + i;
        rows[1] = PLI_LEAF_SIZE * b + j;
        narrow->candidate_count +=
            do_boxes_meet(&narrow->leaf_boxes[a], i, &narrow->leaf_boxes[b], j);
    }
}

void pli_narrow_keep_once(PliNarrow *narrow, int32_t first)
{
    int32_t kept = first;
    for (int32_t i = first; i < narrow->candidate_count; i++) {
        uint32_t rows[2];
        memcpy(rows, narrow->candidates + 2 * i, sizeof rows);
        memcpy(narrow->candidates + 2 * kept, rows, sizeof rows);
        kept += rows[0] / PLI_LEAF_SIZE != rows[1] / PLI_LEAF_SIZE || rows[0] < rows[1];
    }
    narrow->candidate_count = kept;
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

/* Candidates that are taken out of the batch: a portion of them. */
enum { PORTION = 256 };
typedef struct Neighbours {
    uint32_t rows[2 * PORTION];
    uint8_t shared[PORTION], verdicts[PORTION];
    int32_t count;
} Neighbours;

/* One that the filter left open. */
static bool meets(PliNarrow *narrow, const PliPose *pose, const uint32_t *rows, int32_t a,
                  int32_t b)
{
    narrow->counts.undecided++;
    return pli_triangles_meet_beyond_shared(
        narrow->rows + (size_t)PLI_ROW_SIZE * rows[0], pli_pose_corners(pose, a),
        narrow->rows + (size_t)PLI_ROW_SIZE * rows[1], pli_pose_corners(pose, b), &narrow->counts);
}

static uint64_t *test_neighbours(PliNarrow *narrow, const PliPose *pose, Neighbours *neighbours,
                                 uint64_t *end)
{
    narrow->counts.pairs += neighbours->count;
    narrow->kernels->filter_shared(narrow->rows, neighbours->rows, neighbours->shared,
                                   neighbours->count, neighbours->verdicts);
    for (int32_t i = 0; i < neighbours->count; i++) {
        if (neighbours->verdicts[i] == PLI_APART)
            continue;
        const uint32_t *rows = neighbours->rows + 2 * i;
        int32_t a = pli_narrow_position(narrow, rows[0]), b = pli_narrow_position(narrow, rows[1]);
        if (neighbours->verdicts[i] == PLI_UNDECIDED && !meets(narrow, pose, rows, a, b))
            continue;
        uint32_t first = (uint32_t)pli_pose_triangle(pose, a);
        uint32_t second = (uint32_t)pli_pose_triangle(pose, b);
        *end++ = first < second ? (uint64_t)first << 32 | second : (uint64_t)second << 32 | first;
    }
    neighbours->count = 0;
    return end;
}

void pli_narrow_test_shared(PliNarrow *narrow, const PliPose *pose)
{
    Neighbours neighbours;
    int32_t kept = 0;
    uint64_t *end = (uint64_t *)narrow->hits.items + narrow->hits.count;
    neighbours.count = 0;
    for (int32_t i = 0; i < narrow->candidate_count; i++) {
        uint32_t rows[2];
        memcpy(rows, narrow->candidates + 2 * i, sizeof rows);
        int32_t a = pli_narrow_position(narrow, rows[0]), b = pli_narrow_position(narrow, rows[1]);
        if (pose->pieces && pose->pieces[a].triangle == pose->pieces[b].triangle)
            continue;
        uint8_t shared = pose->corners
                             ? shared_corners(pli_pose_corners(pose, a), pli_pose_corners(pose, b))
                             : 0;
        /* Written in either place, and kept in one. */
        memcpy(narrow->candidates + 2 * kept, rows, sizeof rows);
        memcpy(neighbours.rows + 2 * neighbours.count, rows, sizeof rows);
        neighbours.shared[neighbours.count] = shared;
        kept += shared == 0;
        neighbours.count += shared != 0;
        if (neighbours.count == PORTION)
            end = test_neighbours(narrow, pose, &neighbours, end);
    }
    end = test_neighbours(narrow, pose, &neighbours, end);
    narrow->hits.count = end - (uint64_t *)narrow->hits.items;
    narrow->candidate_count = kept;
}
