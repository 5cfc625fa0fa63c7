/* A pose with itself: see narrow.h.
 *
 * Most triangles that come near a triangle of their own mesh are its neighbours. What they have in
 * common with it is a vertex or an edge, as a rule, and that is no contact. Where the pose has
 * stars (pose/stars.h), these pairs are left out, and looked at only around vertices whose stars
 * say nothing; else they are taken out of the batch. Nearly all of those are apart by the plane of
 * one of them, which a filter finds; the others are decided one by one.
 */
#include "narrow/narrow.h"

#include <string.h>

/* ---- What has not moved ------------------------------------------------------------------------
 *
 * Triangles of leaves that are where they were in the last query meet as they did then. So no two
 * of them are looked at: neither where boxes are compared, nor by a star. What was found then is
 * taken over. A query that wants one pair only has not found all, and is none to go by. */

PliantResult pli_narrow_start_self(PliNarrow *narrow, PliPose *pose, bool is_one_enough)
{
    PliantResult result =
        pose->kind->start_self ? pose->kind->start_self(pose, narrow->host) : PLIANT_OK;
    if (result != PLIANT_OK || !pose->stars)
        return result;
    narrow->stars = pose->stars;
    narrow->may_share = !pose->stars->are_all;
    narrow->skips_still = pose->stars->has_last && !is_one_enough;
    pose->stars->has_last = false; /* until this one has been found */
    pli_stars_start(pose->stars, pose->bounds.tree);
    return PLIANT_OK;
}

static bool are_still(const PliNarrow *narrow, int32_t a, int32_t b)
{
    return narrow->skips_still && !narrow->stars->moved[a] && !narrow->stars->moved[b];
}

/* The hits of the last query between leaves that have not moved. */
static PliantResult take_last(PliNarrow *narrow)
{
    const PliStars *stars = narrow->stars;
    const uint64_t *last = stars->last.items;
    PliantResult result =
        pli_array_reserve(&narrow->hits, narrow->host, narrow->hits.count + stars->last.count);
    if (result != PLIANT_OK)
        return result;
    for (int64_t i = 0; i < stars->last.count; i++) {
        const int32_t a = stars->triangle_leaves[last[i] >> 32];
        const int32_t b = stars->triangle_leaves[(uint32_t)last[i]];
        ((uint64_t *)narrow->hits.items)[narrow->hits.count] = last[i];
        narrow->hits.count += are_still(narrow, a, b);
    }
    return PLIANT_OK;
}

PliantResult pli_narrow_keep_hits(PliNarrow *narrow)
{
    PliStars *stars = narrow->stars;
    PliantResult result = pli_array_reserve(&stars->last, narrow->host, narrow->hits.count);
    if (result != PLIANT_OK)
        return result;
    stars->last.count = narrow->hits.count;
    if (narrow->hits.count > 0)
        memcpy(stars->last.items, narrow->hits.items,
               (size_t)narrow->hits.count * sizeof(uint64_t));
    stars->has_last = true;
    return PLIANT_OK;
}

/* ---- Neighbours --------------------------------------------------------------------------------
 */

/* Where there are no stars: of two leaves nothing, and of one each two triangles once. */
static const PliLeftOut *left_out_without_stars(bool is_one_leaf)
{
    static const PliLeftOut kinds[2] = {{{0}, {0}}, {{[PLI_LEAF_SIZE / 2 - 1] = 0xff00}, {0}}};
    return &kinds[is_one_leaf];
}

void pli_narrow_leave_out(const PliNarrow *narrow, uint32_t *slots, int32_t count,
                          const PliLeftOut **left_out)
{
    for (int32_t p = 0; p < count; p++) {
        uint32_t *pair = slots + 2 * p;
        if (narrow->slot_leaves[pair[0]] > narrow->slot_leaves[pair[1]]) {
            const uint32_t slot = pair[0];
            pair[0] = pair[1];
            pair[1] = slot;
        }
        left_out[p] = narrow->stars
                          ? pli_stars_left_out(narrow->stars, narrow->slot_leaves[pair[0]],
                                               narrow->slot_leaves[pair[1]])
                          : left_out_without_stars(pair[0] == pair[1]);
    }
}

static bool do_boxes_meet(const PliLeafBoxes *a, int i, const PliLeafBoxes *b, int j)
{
    bool meets = true;
    for (int k = 0; k < 3; k++)
        meets &= (a->low[k][i] <= b->high[k][j]) & (b->low[k][j] <= a->high[k][i]);
    return meets;
}

/* The rows of a star's triangles, whose leaves are fetched. Returns how many. */
static PliantResult take_star(PliNarrow *narrow, PliPose *pose, const PliStar *star, uint32_t *rows,
                              int32_t *count)
{
    const PliStarPart *parts = narrow->stars->parts + star->part_first;
    PliLeafPair pairs[PLI_MOST_CORNERS];
    for (int32_t i = 0; i < star->part_count; i++)
        pairs[i] = (PliLeafPair){parts[i].leaf, parts[i].leaf};
    PliantResult result = pli_narrow_fetch(narrow, pose, pose, pairs, star->part_count);
    *count = 0;
    for (int32_t i = 0; i < star->part_count && result == PLIANT_OK; i++)
        for (uint32_t bits = parts[i].triangles; bits; bits &= bits - 1)
            rows[(*count)++] = PLI_LEAF_SIZE * (uint32_t)pairs[i].a + (uint32_t)__builtin_ctz(bits);
    return result;
}

static bool is_candidate(const PliNarrow *narrow, const PliPose *pose, const PliStar *star,
                         uint32_t a, uint32_t b)
{
    return !are_still(narrow, narrow->slot_leaves[a / PLI_LEAF_SIZE],
                      narrow->slot_leaves[b / PLI_LEAF_SIZE]) &&
           do_boxes_meet(&narrow->leaf_boxes[a / PLI_LEAF_SIZE], (int)(a % PLI_LEAF_SIZE),
                         &narrow->leaf_boxes[b / PLI_LEAF_SIZE], (int)(b % PLI_LEAF_SIZE)) &&
           pli_stars_asks(narrow->stars, (uint32_t)star->vertex,
                          pli_pose_corners(pose, pli_narrow_position(narrow, a)),
                          pli_pose_corners(pose, pli_narrow_position(narrow, b)));
}

/* Pairs of a star that is not known to be clean. */
static PliantResult test_star(PliNarrow *narrow, PliPose *pose, const PliStar *star)
{
    uint32_t rows[PLI_MOST_CORNERS];
    int32_t count;
    PliantResult result = take_star(narrow, pose, star, rows, &count);
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++) {
        for (int32_t j = i + 1; j < count; j++) {
            uint32_t *pair = narrow->candidates + 2 * narrow->candidate_count;
            pair[0] = rows[i];
            pair[1] = rows[j];
            narrow->candidate_count += is_candidate(narrow, pose, star, rows[i], rows[j]);
        }
        if (narrow->candidate_count >= PLI_CANDIDATES)
            result = pli_narrow_test(narrow, pose, pose);
    }
    return result;
}

static bool is_star_still(const PliNarrow *narrow, const PliStar *star)
{
    const PliStarPart *parts = narrow->stars->parts + star->part_first;
    bool is_still = true;
    for (int32_t i = 0; i < star->part_count; i++)
        is_still &= are_still(narrow, parts[i].leaf, parts[i].leaf);
    return is_still;
}

PliantResult pli_narrow_test_stars(PliNarrow *narrow, PliPose *pose, bool is_one_enough)
{
    const PliStars *stars = narrow->stars;
    PliantResult result = narrow->skips_still ? take_last(narrow) : PLIANT_OK;
    if (is_one_enough && narrow->hits.count > 0)
        return result;
    pli_stars_judge(narrow->stars, narrow->skips_still);
    narrow->may_share = true;
    for (int32_t s = 0; s < stars->star_count && result == PLIANT_OK; s++) {
        const PliStar *star = &stars->stars[s];
        if (stars->states[star->vertex] == PLI_STAR_CLEAN || is_star_still(narrow, star))
            continue;
        result = test_star(narrow, pose, star);
        if (result == PLIANT_OK)
            result = pli_narrow_check_progress(narrow, 1);
        if (is_one_enough && narrow->hits.count > 0)
            return result;
    }
    return result == PLIANT_OK ? pli_narrow_test(narrow, pose, pose) : result;
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
