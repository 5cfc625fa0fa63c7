/* Pairs of triangles that meet: see narrow.h. */
#include "narrow/narrow.h"
#include "base/sort.h"

#include <string.h>

/* Leaf pairs that are looked for at a time; the last step of the walk may bring 63 more. Where one
 * pair of triangles is enough, so few are tested at a time. */
enum { PORTION = 256, FEW = 2 };
_Static_assert(2 * (PORTION + 63) + 1 <= PLI_MOST_SLOTS, "a portion has room");

void pli_narrow_init(PliNarrow *narrow, const PliantHost *host, const PliKernels *kernels)
{
    *narrow = (PliNarrow){.host = host,
                          .kernels = kernels,
                          .a_places = {.items = {.item_size = sizeof(PliLeafPlace)}},
                          .b_places = {.items = {.item_size = sizeof(PliLeafPlace)}},
                          .leaf_pairs = {.item_size = sizeof(PliLeafPair)},
                          .hits = {.item_size = sizeof(uint64_t)},
                          .sorted = {.item_size = sizeof(uint64_t)}};
    pli_walk_init(&narrow->walk);
}

static void free_slots(PliNarrow *narrow)
{
    size_t count = (size_t)narrow->slot_capacity;
    pli_release(narrow->host, narrow->rows, count, PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof(float));
    pli_release(narrow->host, narrow->leaf_boxes, count, sizeof *narrow->leaf_boxes);
    pli_release(narrow->host, narrow->first_positions, count, sizeof *narrow->first_positions);
    pli_release(narrow->host, narrow->slot_leaves, count, sizeof *narrow->slot_leaves);
}

void pli_narrow_free(PliNarrow *narrow)
{
    free_slots(narrow);
    pli_array_free(&narrow->a_places.items, narrow->host);
    pli_array_free(&narrow->b_places.items, narrow->host);
    pli_walk_free(&narrow->walk, narrow->host);
    pli_array_free(&narrow->leaf_pairs, narrow->host);
    pli_array_free(&narrow->hits, narrow->host);
    pli_array_free(&narrow->sorted, narrow->host);
}

/* ---- Places ------------------------------------------------------------------------------------
 */

/* Once in 2^32 times older stamps would look new again. */
static void renew_stamp(PliLeafPlaces *places)
{
    if (++places->stamp != 0)
        return;
    if (places->items.items)
        memset(places->items.items, 0, pli_array_bytes(&places->items));
    places->stamp = 1;
}

/* From now on they are those of a pose, of which no leaf is there. */
static PliantResult give_places(PliLeafPlaces *places, const PliPose *pose, const PliantHost *host)
{
    const int32_t count = pose->bounds.tree->leaf_count;
    if (count > places->items.capacity) {
        PliantResult result = pli_array_reserve(&places->items, host, count);
        if (result != PLIANT_OK)
            return result;
        memset(places->items.items, 0, pli_array_bytes(&places->items));
    }
    renew_stamp(places);
    places->pose = pose;
    return PLIANT_OK;
}

/* The places of two poses. What was of one of them already stays as it is. */
static PliantResult take_places(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    PliantResult result = PLIANT_OK;
    if (narrow->b_places.pose == a) {
        PliLeafPlaces places = narrow->a_places;
        narrow->a_places = narrow->b_places;
        narrow->b_places = places;
    }
    if (narrow->a_places.pose != a)
        result = give_places(&narrow->a_places, a, narrow->host);
    if (result == PLIANT_OK && narrow->b_places.pose != b && a != b)
        result = give_places(&narrow->b_places, b, narrow->host);
    return result;
}

/* No leaf is in a slot any more. */
static void forget_leaves(PliNarrow *narrow)
{
    narrow->slot_count = 0;
    renew_stamp(&narrow->a_places);
    renew_stamp(&narrow->b_places);
}

void pli_narrow_start(PliNarrow *narrow)
{
    narrow->a_places.pose = narrow->b_places.pose = NULL;
    narrow->slot_count = 0;
}

/* ---- Slots ------------------------------------------------------------------------------------
 */

/* Twice as many slots, with what is in them. */
static PliantResult grow_slots(PliNarrow *narrow)
{
    enum { ROWS_SIZE = PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof(float) };
    int32_t capacity = narrow->slot_capacity ? 2 * narrow->slot_capacity : 256;
    size_t count = (size_t)capacity, used = (size_t)narrow->slot_count;
    void *rows = NULL, *boxes = NULL, *positions = NULL, *leaves = NULL;
    PliantResult result = pli_allocate(narrow->host, count, ROWS_SIZE, &rows);
    if (result == PLIANT_OK)
        result = pli_allocate(narrow->host, count, sizeof(PliLeafBoxes), &boxes);
    if (result == PLIANT_OK)
        result = pli_allocate(narrow->host, count, sizeof(int32_t), &positions);
    if (result == PLIANT_OK)
        result = pli_allocate(narrow->host, count, sizeof(int32_t), &leaves);
    if (result != PLIANT_OK) {
        pli_release(narrow->host, rows, count, ROWS_SIZE);
        pli_release(narrow->host, boxes, count, sizeof(PliLeafBoxes));
        pli_release(narrow->host, positions, count, sizeof(int32_t));
        return result;
    }
    /* Touched here, so that no later frame meets pages that it has to wait for. */
    memset(rows, 0, count * ROWS_SIZE);
    memset(boxes, 0, count * sizeof(PliLeafBoxes));
    if (used > 0) {
        memcpy(rows, narrow->rows, used * ROWS_SIZE);
        memcpy(boxes, narrow->leaf_boxes, used * sizeof(PliLeafBoxes));
        memcpy(positions, narrow->first_positions, used * sizeof(int32_t));
        memcpy(leaves, narrow->slot_leaves, used * sizeof(int32_t));
    }
    free_slots(narrow);
    narrow->rows = rows;
    narrow->leaf_boxes = boxes;
    narrow->first_positions = positions;
    narrow->slot_leaves = leaves;
    narrow->slot_capacity = capacity;
    return PLIANT_OK;
}

/* The slot of a leaf: where it is, or the next one if it has not been reached before, for which
 * there is room; it is then to be fetched. Which of the two cannot be foreseen, and so is no
 * branch. */
static inline uint32_t slot_of(PliNarrow *narrow, const PliLeafPlaces *places, int32_t leaf)
{
    PliLeafPlace *place = (PliLeafPlace *)places->items.items + leaf;
    bool is_new = place->stamp != places->stamp;
    uint32_t slot = is_new ? (uint32_t)narrow->slot_count : place->slot;
    narrow->slot_leaves[narrow->slot_count] = leaf;
    narrow->slot_count += is_new;
    *place = (PliLeafPlace){places->stamp, slot};
    return slot;
}

/* Triangles that are passed over have no box. */
static void skip_rows(const PliPose *pose, int32_t leaf, PliLeafBoxes *boxes)
{
    PliRange range = pose->bounds.tree->leaves[leaf];
    for (int32_t i = 0; i < range.count; i++) {
        int32_t triangle = pli_pose_triangle(pose, range.first + i);
        if (pose->skips[triangle / 64] >> triangle % 64 & 1)
            for (int k = 0; k < 3; k++)
                boxes->low[k][i] = boxes->high[k][i] = NAN;
    }
}

/* Fetches the leaves of the slots from `first` on. */
static void fetch(PliNarrow *narrow, PliPose *pose, int32_t first)
{
    for (int32_t slot = first; slot < narrow->slot_count; slot++) {
        int32_t leaf = narrow->slot_leaves[slot];
        if (slot + 3 < narrow->slot_count)
            pose->kind->ask(pose, narrow->slot_leaves[slot + 3], narrow->slot_leaves[slot + 1]);
        float *rows = narrow->rows + (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE * (size_t)slot;
        pli_pose_fetch(pose, leaf, narrow->kernels, rows, &narrow->leaf_boxes[slot]);
        if (narrow->stars)
            narrow->kernels->face_leaf(rows, pose->bounds.tree->leaves[leaf].count,
                                       pli_stars_tell(narrow->stars, leaf));
        if (pose->skips && (narrow->approximations & PLIANT_APPROXIMATE_EDGES))
            skip_rows(pose, leaf, &narrow->leaf_boxes[slot]);
        narrow->first_positions[slot] = pose->bounds.tree->leaves[leaf].first;
    }
}

/* ---- Candidates --------------------------------------------------------------------------------
 */

static uint64_t hit_of(const PliNarrow *narrow, const PliPose *a, const PliPose *b,
                       const uint32_t *rows)
{
    uint32_t number_a = (uint32_t)pli_pose_triangle(a, pli_narrow_position(narrow, rows[0]));
    uint32_t number_b = (uint32_t)pli_pose_triangle(b, pli_narrow_position(narrow, rows[1]));
    bool is_swapped = narrow->is_self && number_a > number_b;
    return is_swapped ? (uint64_t)number_b << 32 | number_a : (uint64_t)number_a << 32 | number_b;
}

static bool has_pieces(const PliPose *a, const PliPose *b)
{
    return a->pieces || b->pieces;
}

_Static_assert(PLI_SEEN == 1 << 10, "ten bits say where a pair is remembered");

/* Of candidates that are pieces, those of two triangles that have just been tested are dropped. */
static void drop_seen(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < narrow->candidate_count; i++) {
        const uint32_t *rows = narrow->candidates + 2 * i;
        uint64_t hit = hit_of(narrow, a, b, rows);
        uint64_t *seen = &narrow->seen[(hit * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
        bool is_new = *seen != hit;
        *seen = hit;
        memmove(narrow->candidates + 2 * kept, rows, 2 * sizeof *rows);
        kept += is_new;
    }
    narrow->candidate_count = kept;
}

/* Is this row a piece of a triangle that was divided? */
static bool is_piece(const PliNarrow *narrow, const PliPose *pose, uint32_t row)
{
    return pose->pieces && !pli_is_whole(&pose->pieces[pli_narrow_position(narrow, row)]);
}

/* Candidates of a triangle that was divided and one that was not, by plane and ball; there is room
 * for the hits. All others are left for the exact test. */
static void test_planes(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    int32_t kept = 0;
    uint64_t *end = (uint64_t *)narrow->hits.items + narrow->hits.count;
    for (int32_t i = 0; i < narrow->candidate_count; i++) {
        const uint32_t *rows = narrow->candidates + 2 * i;
        const float *row_a = narrow->rows + (size_t)PLI_ROW_SIZE * rows[0];
        const float *row_b = narrow->rows + (size_t)PLI_ROW_SIZE * rows[1];
        bool is_piece_a = is_piece(narrow, a, rows[0]), is_piece_b = is_piece(narrow, b, rows[1]);
        PliNearness nearness = is_piece_a == is_piece_b ? PLI_NEAR_UNKNOWN
                               : is_piece_a             ? pli_ball_meets_plane(row_b, row_a)
                                                        : pli_ball_meets_plane(row_a, row_b);
        if (nearness == PLI_NEAR)
            *end++ = hit_of(narrow, a, b, rows);
        narrow->plane_count += nearness != PLI_NEAR_UNKNOWN;
        memmove(narrow->candidates + 2 * kept, rows, 2 * sizeof *rows);
        kept += nearness == PLI_NEAR_UNKNOWN;
    }
    narrow->hits.count = end - (uint64_t *)narrow->hits.items;
    narrow->candidate_count = kept;
}

PliantResult pli_narrow_test(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    if (narrow->candidate_count == 0)
        return PLIANT_OK;
    PliantResult result = pli_array_reserve(&narrow->hits, narrow->host,
                                            narrow->hits.count + narrow->candidate_count);
    if (result != PLIANT_OK)
        return result;
    if (has_pieces(a, b)) {
        drop_seen(narrow, a, b);
        if (narrow->approximations & PLIANT_APPROXIMATE_PLANES)
            test_planes(narrow, a, b);
    }
    if (narrow->may_share)
        pli_narrow_test_shared(narrow, a);
    pli_pairs_meet(narrow->kernels, narrow->rows, narrow->rows, narrow->candidates,
                   narrow->candidate_count, narrow->verdicts, &narrow->counts);
    /* Written in any case, and kept if it meets: which is not to be foreseen by a branch. */
    uint64_t *first = (uint64_t *)narrow->hits.items + narrow->hits.count, *end = first;
    for (int32_t i = 0; i < narrow->candidate_count; i++) {
        memcpy(end, narrow->candidates + 2 * i, sizeof *end);
        end += narrow->verdicts[i];
    }
    for (uint64_t *hit = first; hit < end; hit++) {
        uint32_t rows[2];
        memcpy(rows, hit, sizeof rows);
        *hit = hit_of(narrow, a, b, rows);
    }
    narrow->hits.count = end - (uint64_t *)narrow->hits.items;
    narrow->candidate_count = 0;
    return PLIANT_OK;
}

/* Room for the leaves of a portion. Candidates name slots: they are tested before these are
 * forgotten.
 */
static PliantResult make_room(PliNarrow *narrow, const PliPose *a, const PliPose *b, int64_t count)
{
    int64_t more = 2 * count + 1;
    PliantResult result = PLIANT_OK;
    if (narrow->slot_count + more > PLI_MOST_SLOTS) {
        result = pli_narrow_test(narrow, a, b);
        forget_leaves(narrow);
    }
    while (result == PLIANT_OK && narrow->slot_count + more > narrow->slot_capacity)
        result = grow_slots(narrow);
    return result;
}

PliantResult pli_narrow_fetch(PliNarrow *narrow, PliPose *a, PliPose *b, PliLeafPair *pairs,
                              int64_t count)
{
    PliantResult result = make_room(narrow, a, b, count);
    if (result != PLIANT_OK)
        return result;
    int32_t first = narrow->slot_count;
    for (int64_t i = 0; i < count; i++)
        pairs[i].a = (int32_t)slot_of(narrow, &narrow->a_places, pairs[i].a);
    fetch(narrow, a, first);
    first = narrow->slot_count;
    const PliLeafPlaces *places = narrow->is_self ? &narrow->a_places : &narrow->b_places;
    for (int64_t i = 0; i < count; i++)
        pairs[i].b = (int32_t)slot_of(narrow, places, pairs[i].b);
    fetch(narrow, b, first);
    return PLIANT_OK;
}

/* The last `count` of the leaf pairs, which are then gone. */
static PliantResult test_leaf_pairs(PliNarrow *narrow, PliPose *a, PliPose *b, int64_t count)
{
    PliLeafPair *pairs = (PliLeafPair *)narrow->leaf_pairs.items + narrow->leaf_pairs.count - count;
    PliantResult result = pli_narrow_fetch(narrow, a, b, pairs, count);
    for (int64_t i = 0; i < count && result == PLIANT_OK; i += PLI_LEAF_PAIRS) {
        int32_t here = (int32_t)(count - i < PLI_LEAF_PAIRS ? count - i : PLI_LEAF_PAIRS);
        uint32_t slots[2 * PLI_LEAF_PAIRS];
        memcpy(slots, pairs + i, (size_t)here * sizeof *pairs);
        const PliLeftOut *left_out[PLI_LEAF_PAIRS];
        if (narrow->is_self)
            pli_narrow_leave_out(narrow, slots, here, left_out);
        narrow->candidate_count += narrow->kernels->meet_leaves(
            narrow->leaf_boxes, slots, here, narrow->is_self ? left_out : NULL,
            narrow->candidates + 2 * narrow->candidate_count);
        if (narrow->candidate_count >= PLI_CANDIDATES)
            result = pli_narrow_test(narrow, a, b);
    }
    narrow->leaf_pair_count += count;
    narrow->leaf_pairs.count -= count;
    return result;
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

/* Two triangles are there once for all of their pieces that meet. */
static void drop_equal(PliArray *hits)
{
    uint64_t *items = hits->items;
    int64_t kept = 0;
    for (int64_t i = 0; i < hits->count; i++)
        if (i == 0 || items[i] != items[i - 1])
            items[kept++] = items[i];
    hits->count = kept;
}

static PliantResult sort_hits(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    PliantResult result = pli_array_reserve(&narrow->sorted, narrow->host, narrow->hits.count);
    if (result == PLIANT_OK)
        pli_sort_pairs(narrow->hits.items, narrow->sorted.items, narrow->hits.count,
                       pli_bits_below(a->number_count), pli_bits_below(b->number_count));
    if (result == PLIANT_OK && has_pieces(a, b))
        drop_equal(&narrow->hits);
    return result;
}

PliantResult pli_narrow_check_progress(PliNarrow *narrow, int64_t work)
{
    enum { PERIOD = 4096 };
    narrow->work += work;
    if (narrow->work < PERIOD || !narrow->progress)
        return PLIANT_OK;
    narrow->work = 0;
    return narrow->progress(narrow->progress_user) ? PLIANT_OK : PLIANT_CANCELLED;
}

static PliantResult find_all(PliNarrow *narrow, PliPose *a, PliPose *b)
{
    PliantResult result = PLIANT_OK;
    while (result == PLIANT_OK && !pli_walk_is_done(&narrow->walk)) {
        result =
            pli_walk_on(&narrow->walk, narrow->kernels, narrow->host, PORTION, &narrow->leaf_pairs);
        const int64_t count = narrow->leaf_pairs.count;
        if (result == PLIANT_OK)
            result = test_leaf_pairs(narrow, a, b, count);
        if (result == PLIANT_OK)
            result = pli_narrow_check_progress(narrow, count);
    }
    return result == PLIANT_OK ? pli_narrow_test(narrow, a, b) : result;
}

/* Little is looked at before it is tested, the deepest first. */
static PliantResult find_one(PliNarrow *narrow, PliPose *a, PliPose *b)
{
    PliantResult result = PLIANT_OK;
    while (result == PLIANT_OK && narrow->hits.count == 0 &&
           (narrow->leaf_pairs.count > 0 || !pli_walk_is_done(&narrow->walk))) {
        if (narrow->leaf_pairs.count == 0)
            result =
                pli_walk_on(&narrow->walk, narrow->kernels, narrow->host, 1, &narrow->leaf_pairs);
        int64_t count = narrow->leaf_pairs.count;
        if (result == PLIANT_OK)
            result = test_leaf_pairs(narrow, a, b, count < FEW ? count : FEW);
        if (result == PLIANT_OK)
            result = pli_narrow_test(narrow, a, b);
        if (result == PLIANT_OK)
            result = pli_narrow_check_progress(narrow, count < FEW ? count : FEW);
    }
    return result;
}

PliantResult pli_narrow_find(PliNarrow *narrow, PliPose *a, PliPose *b, bool is_one_enough)
{
    narrow->hits.count = narrow->leaf_pairs.count = 0;
    narrow->candidate_count = 0;
    narrow->is_self = a == b;
    if (has_pieces(a, b))
        memset(narrow->seen, 0xff, sizeof narrow->seen);
    narrow->stars = NULL;
    narrow->may_share = narrow->is_self;
    narrow->skips_still = false;
    PliantResult result = take_places(narrow, a, b);
    if (result == PLIANT_OK && narrow->is_self)
        result = pli_narrow_start_self(narrow, a, is_one_enough);
    if (result == PLIANT_OK)
        result = pli_walk_start(&narrow->walk, &a->bounds, &b->bounds, is_one_enough, narrow->host);
    if (narrow->skips_still) {
        narrow->walk.new_leaves = narrow->stars->moved;
        narrow->walk.new_children = narrow->stars->moved_children;
    }
    if (result == PLIANT_OK)
        result = is_one_enough ? find_one(narrow, a, b) : find_all(narrow, a, b);
    if (result == PLIANT_OK && narrow->stars)
        result = pli_narrow_test_stars(narrow, a, is_one_enough);
    if (result == PLIANT_OK)
        result = sort_hits(narrow, a, b);
    if (result == PLIANT_OK && narrow->stars && !is_one_enough)
        result = pli_narrow_keep_hits(narrow);
    if (is_one_enough && narrow->hits.count > 1)
        narrow->hits.count = 1;
    return result;
}
