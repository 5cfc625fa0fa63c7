/* Pairs of triangles that intersect: see triangles.h. */
#include "decide/triangles.h"
#include "decide/approximate.h"
#include "decide/self.h"

#include <string.h>

/* Where one pair of triangles is enough, so few leaf pairs are tested at a time. */
enum { FEW = 2 };
_Static_assert((int)PLI_PORTION_SLOTS <= (int)PLI_MAX_SLOTS, "a portion has room");

void pli_narrow_init(PliNarrow *narrow, PliWorker *worker, PliFanScratch *fans)
{
    *narrow = (PliNarrow){.worker = worker,
                          .fans = fans,
                          .leaf_pairs = {.item_size = sizeof(PliLeafPair)},
                          .long_parts = {.item_size = sizeof(PliTreePartPair)},
                          .contacts = {.item_size = sizeof(uint64_t)},
                          .sorted = {.item_size = sizeof(uint64_t)}};
    pli_leaf_cache_init(&narrow->cache);
    pli_long_init(&narrow->long_leaf);
    pli_hubs_init(&narrow->hubs);
    pli_walk_init(&narrow->walk);
}

void pli_narrow_free(PliNarrow *narrow)
{
    const PliantHost *host = narrow->worker->host;
    pli_leaf_cache_free(&narrow->cache, host);
    pli_walk_free(&narrow->walk, host);
    pli_array_free(&narrow->leaf_pairs, host);
    pli_array_free(&narrow->long_parts, host);
    pli_long_free(&narrow->long_leaf, host);
    pli_hubs_free(&narrow->hubs, host);
    pli_array_free(&narrow->contacts, host);
    pli_array_free(&narrow->sorted, host);
}

void pli_narrow_start(PliNarrow *narrow)
{
    pli_leaf_cache_clear(&narrow->cache);
}

/* ---- Fetching -------------------------------------------------------------------------------- */

/* Fetches the leaves of the slots from `first` on. */
static void fetch(PliNarrow *narrow, const PliPose *pose, PliSide side, int32_t first)
{
    PliLeafCache *cache = &narrow->cache;
    PliWorker *worker = narrow->worker;
    for (int32_t slot = first; slot < cache->slot_count; slot++) {
        int32_t leaf = cache->slot_leaves[slot];
        if (slot + 3 < cache->slot_count)
            pose->kind->prefetch(pose, cache->slot_leaves[slot + 3], cache->slot_leaves[slot + 1]);
        float *rows = cache->rows + (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE * (size_t)slot;
        if (slot + 2 < cache->slot_count)
            pli_leaf_cache_prefetch(cache, slot + 2);
        pli_pose_fetch(pose, leaf, worker, side, rows, &cache->leaf_boxes[slot]);
        const PliRange range = pose->bounds.tree->leaves[leaf];
        PliFacing *facing = narrow->has_fans ? pli_fan_claim(narrow->fans, leaf) : NULL;
        if (facing)
            worker->kernels->face_leaf(rows, range.count, facing);
        if (facing && narrow->fans->has_apart)
            pli_fan_turn_away(narrow->fans, pli_pose_corners(pose, range.first), range.count,
                              facing);
        if (pose->skips && (narrow->approximations & PLIANT_APPROXIMATE_EDGES))
            pli_skip_rows(pose, leaf, &cache->leaf_boxes[slot]);
        cache->first_positions[slot] = range.first;
    }
}

/* Room for the leaves of a portion. Candidates name slots: they are tested before these are
 * forgotten. */
static PliantResult make_room(PliNarrow *narrow, const PliPose *a, const PliPose *b, int64_t count)
{
    const int64_t extra = 2 * count + 1;
    if (narrow->cache.slot_count + extra > PLI_MAX_SLOTS) {
        PliantResult result = pli_narrow_test(narrow, a, b);
        pli_leaf_cache_forget(&narrow->cache);
        PLI_TRY(result);
    }
    return pli_leaf_cache_reserve(&narrow->cache, extra, narrow->worker->host);
}

PliantResult pli_narrow_fetch(PliNarrow *narrow, PliPose *a, PliPose *b, PliLeafPair *pairs,
                              int64_t count)
{
    PLI_TRY(make_room(narrow, a, b, count));
    PliLeafCache *cache = &narrow->cache;
    int32_t first = cache->slot_count;
    for (int64_t i = 0; i < count; i++)
        pairs[i].a = (int32_t)pli_leaf_cache_slot(cache, &cache->a_slots, pairs[i].a);
    fetch(narrow, a, PLI_SIDE_A, first);
    first = cache->slot_count;
    const PliLeafSlots *leaf_slots = narrow->is_self ? &cache->a_slots : &cache->b_slots;
    for (int64_t i = 0; i < count; i++)
        pairs[i].b = (int32_t)pli_leaf_cache_slot(cache, leaf_slots, pairs[i].b);
    fetch(narrow, b, narrow->is_self ? PLI_SIDE_A : PLI_SIDE_B, first);
    return PLIANT_OK;
}

/* ---- Pairs of leaves ---------------------------------------------------------------------------
 */

/* Adds candidates of leaves in slots, which are compared by these boxes. */
static void add_candidates(PliNarrow *narrow, const PliLeafBoxes *boxes, const uint32_t *slots,
                           int32_t count, const PliExclusionMask *const *masks)
{
    narrow->candidate_count += narrow->worker->kernels->overlap_leaves(
        boxes, slots, count, masks, narrow->candidates + 2 * narrow->candidate_count);
}

/* Within one pose. Leaves around one vertex are compared by directions. */
static PliantResult compare_own(PliNarrow *narrow, const PliPose *pose, uint32_t *slots,
                                int32_t count)
{
    const PliExclusionMask *masks[PLI_LEAF_PAIRS];
    pli_self_exclude(narrow, slots, count, masks);
    if (!narrow->has_hubs) {
        add_candidates(narrow, narrow->cache.leaf_boxes, slots, count, masks);
        return PLIANT_OK;
    }
    const PliExclusionMask *hub_masks[PLI_LEAF_PAIRS];
    uint32_t hub_slots[2 * PLI_LEAF_PAIRS];
    int32_t hub_count = 0, other_count = 0;
    for (int32_t i = 0; i < count; i++) {
        bool are_same;
        PLI_TRY(pli_hubs_are_same(&narrow->hubs, &narrow->cache, pose, slots + 2 * i,
                                  narrow->worker->host, &are_same));
        const int32_t to = are_same ? hub_count++ : other_count++;
        memmove((are_same ? hub_slots : slots) + 2 * to, slots + 2 * i, 2 * sizeof *slots);
        (are_same ? hub_masks : masks)[to] = masks[i];
    }
    add_candidates(narrow, narrow->cache.leaf_boxes, slots, other_count, masks);
    if (hub_count > 0)
        add_candidates(narrow, narrow->hubs.boxes.items, hub_slots, hub_count, hub_masks);
    return PLIANT_OK;
}

/* The last `count` of the leaf pairs, which are then gone. */
static PliantResult test_leaf_pairs(PliNarrow *narrow, PliPose *a, PliPose *b, int64_t count)
{
    if (count == 0)
        return PLIANT_OK;
    PliLeafPair *pairs = (PliLeafPair *)narrow->leaf_pairs.items + narrow->leaf_pairs.count - count;
    PliantResult result = pli_narrow_fetch(narrow, a, b, pairs, count);
    for (int64_t i = 0; i < count && result == PLIANT_OK; i += PLI_LEAF_PAIRS) {
        int32_t here = (int32_t)(count - i < PLI_LEAF_PAIRS ? count - i : PLI_LEAF_PAIRS);
        uint32_t slots[2 * PLI_LEAF_PAIRS];
        memcpy(slots, pairs + i, (size_t)here * sizeof *pairs);
        if (narrow->is_self)
            result = compare_own(narrow, a, slots, here);
        else
            add_candidates(narrow, narrow->cache.leaf_boxes, slots, here, NULL);
        if (result == PLIANT_OK && narrow->candidate_count >= PLI_CANDIDATES)
            result = pli_narrow_test(narrow, a, b);
    }
    narrow->leaf_pair_count += count;
    narrow->leaf_pairs.count -= count;
    return result;
}

/* The leaf pairs that a long leaf has come to. */
static PliantResult test_long_pairs(PliNarrow *narrow, PliPose *a, PliPose *b)
{
    PliLong *state = &narrow->long_leaf;
    PliLeafPair *pairs = state->pairs.items;
    const uint32_t *masks = state->masks.items;
    const int64_t count = state->pairs.count;
    for (int64_t i = 0; i < count; i += PLI_PORTION) {
        const int64_t end = count - i < PLI_PORTION ? count : i + PLI_PORTION;
        PLI_TRY(pli_narrow_fetch(narrow, a, b, pairs + i, end - i));
        for (int64_t k = i; k < end; k++) {
            const uint32_t slots[2] = {(uint32_t)pairs[k].a, (uint32_t)pairs[k].b};
            narrow->candidate_count +=
                pli_long_candidates(state, &narrow->cache, slots, masks[k], narrow->worker->kernels,
                                    narrow->candidates + 2 * narrow->candidate_count);
            if (narrow->candidate_count >= PLI_CANDIDATES)
                PLI_TRY(pli_narrow_test(narrow, a, b));
        }
    }
    narrow->leaf_pair_count += count;
    return pli_narrow_check_progress(narrow, count);
}

/* The leaf of a long part is far larger than the node: which of the two it is. */
static int32_t long_leaf(const PliTreePartPair *part)
{
    return part->a < 0 ? part->a : part->b;
}

/* Brings the parts with the leaf of the last one to the end, and returns how many these are: what
 * is known of the triangles of a leaf serves all of its parts. */
static int64_t gather_leaf(PliTreePartPair *parts, int64_t count)
{
    const PliTreePartPair last = parts[count - 1];
    int64_t first = count - 1;
    for (int64_t i = count - 2; i >= 0; i--) {
        const PliTreePartPair part = parts[i];
        if (long_leaf(&part) != long_leaf(&last) || (part.a < 0) != (last.a < 0))
            continue;
        parts[i] = parts[--first];
        parts[first] = part;
    }
    return count - first;
}

/* All long parts, which are then gone. */
static PliantResult test_long_parts(PliNarrow *narrow, PliPose *a, PliPose *b)
{
    PliPose *const poses[2] = {a, b};
    PliTreePartPair *parts = narrow->long_parts.items;
    while (narrow->long_parts.count > 0) {
        int64_t count = gather_leaf(parts, narrow->long_parts.count);
        for (; count > 0; count--) {
            const PliTreePartPair part = parts[--narrow->long_parts.count];
            const bool is_a = part.a < 0;
            PLI_TRY(pli_long_find(&narrow->long_leaf, poses, is_a ? PLI_SIDE_A : PLI_SIDE_B,
                                  is_a ? ~part.a : ~part.b, is_a ? part.b : part.a,
                                  narrow->worker));
            PLI_TRY(test_long_pairs(narrow, a, b));
        }
    }
    return PLIANT_OK;
}

/* From now on the walk sets long parts aside, where one pose is of no mesh: nothing divides its
 * triangles. Within one pose, triangles with common vertices are left out otherwise; and
 * approximate answers are those of all pairs whose boxes overlap. */
static void set_long_aside(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    const bool are_meshes = a->kind->topology && b->kind->topology;
    if (!narrow->is_self && !are_meshes && !pli_narrow_has_pieces(a, b) &&
        narrow->approximations == 0)
        narrow->walk.long_parts = &narrow->long_parts;
}

/* ---- All of it ------------------------------------------------------------------------------- */

PliantResult pli_narrow_check_progress(PliNarrow *narrow, int64_t work)
{
    enum { PERIOD = 4096 };
    narrow->work += work;
    if (narrow->work < PERIOD)
        return PLIANT_OK;
    narrow->work = 0;
    return pli_worker_check(narrow->worker);
}

static int64_t work_done(const PliNarrow *narrow)
{
    const PliPoseCounts *counts = narrow->worker->counts;
    return narrow->leaf_pair_count +
           PLI_FETCH_WORK * (counts[PLI_SIDE_A].fetched_leaves + counts[PLI_SIDE_B].fetched_leaves);
}

/* Ends early after so much work. */
static PliantResult find_all(PliNarrow *narrow, PliPose *a, PliPose *b, int64_t max_work)
{
    const int64_t end = work_done(narrow) + max_work;
    int64_t portion = max_work / PLI_FETCH_WORK;
    portion = portion < 1 ? 1 : portion < PLI_PORTION ? portion : PLI_PORTION;
    while (!pli_walk_is_done(&narrow->walk) && work_done(narrow) < end) {
        PLI_TRY(pli_walk_on(&narrow->walk, narrow->worker, portion, &narrow->leaf_pairs));
        const int64_t count = narrow->leaf_pairs.count;
        PLI_TRY(test_leaf_pairs(narrow, a, b, count));
        PLI_TRY(pli_narrow_check_progress(narrow, count));
        PLI_TRY(test_long_parts(narrow, a, b));
    }
    return pli_narrow_test(narrow, a, b);
}

/* Few candidates are gathered before they are tested, the deepest first. If there is no contact
 * after many leaf pairs, there may be none. */
static PliantResult find_one(PliNarrow *narrow, PliPose *a, PliPose *b)
{
    enum { MANY = 4096 };
    const int64_t many = narrow->leaf_pair_count + MANY;
    while (narrow->contacts.count == 0 &&
           (narrow->leaf_pairs.count > 0 || !pli_walk_is_done(&narrow->walk))) {
        if (narrow->leaf_pairs.count == 0)
            PLI_TRY(pli_walk_on(&narrow->walk, narrow->worker, 1, &narrow->leaf_pairs));
        const int64_t count = narrow->leaf_pairs.count < FEW ? narrow->leaf_pairs.count : FEW;
        if (narrow->leaf_pair_count >= many)
            set_long_aside(narrow, a, b);
        PLI_TRY(test_long_parts(narrow, a, b));
        PLI_TRY(test_leaf_pairs(narrow, a, b, count));
        PLI_TRY(pli_narrow_test(narrow, a, b));
        PLI_TRY(pli_narrow_check_progress(narrow, count));
    }
    return PLIANT_OK;
}

/* Nothing is left of the last pair of poses. */
static PliantResult start(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    narrow->contacts.count = narrow->leaf_pairs.count = narrow->long_parts.count = 0;
    narrow->long_leaf.leaf = -1;
    narrow->candidate_count = 0;
    narrow->is_self = narrow->may_share = a == b;
    narrow->has_fans = narrow->is_self && narrow->fans->state;
    if (narrow->has_fans)
        narrow->may_share = !narrow->fans->state->topology.fans->has_all;
    narrow->has_hubs =
        narrow->may_share && a->kind->topology && !a->pieces && !narrow->fans->has_apart;
    pli_hubs_forget(&narrow->hubs);
    if (pli_narrow_has_pieces(a, b))
        memset(narrow->seen, 0xff, sizeof narrow->seen);
    return pli_leaf_cache_start(&narrow->cache, a, b, narrow->worker->host);
}

static bool skips_unmoved(const PliNarrow *narrow)
{
    return narrow->has_fans && narrow->fans->skips_unmoved;
}

/* The walk has started: it leaves out what is known. */
static void skip_unmoved(PliNarrow *narrow)
{
    const bool skips = skips_unmoved(narrow);
    narrow->walk.new_leaves = skips ? pli_fan_moved_leaves(narrow->fans) : NULL;
    narrow->walk.new_children = skips ? pli_fan_moved_children(narrow->fans) : NULL;
}

static PliWalkDef walk_def(PliPose *a, PliPose *b, bool is_one_enough)
{
    return (PliWalkDef){.a = pli_still_bounds(&a->bounds),
                        .b = pli_still_bounds(&b->bounds),
                        .is_best_first = is_one_enough};
}

/* All of two poses, and what is known of them. */
static PliantResult start_whole(PliNarrow *narrow, PliPose *a, PliPose *b, bool is_one_enough)
{
    const PliWalkDef def = walk_def(a, b, is_one_enough);
    PLI_TRY(start(narrow, a, b));
    PLI_TRY(pli_walk_start(&narrow->walk, &def, narrow->worker->host));
    skip_unmoved(narrow);
    if (!is_one_enough)
        set_long_aside(narrow, a, b);
    return skips_unmoved(narrow) ? pli_self_add_last(narrow) : PLIANT_OK;
}

/* Once all leaves that can be reached have been. */
static PliantResult find_in_fans(PliNarrow *narrow, PliPose *pose, bool is_one_enough)
{
    const PliFans *fans = narrow->fans->state->topology.fans;
    if (is_one_enough && narrow->contacts.count > 0)
        return PLIANT_OK;
    pli_fan_state_clear(narrow->fans, 0, fans->leaf_count);
    pli_fan_state_decide(narrow->fans, 0, fans->fan_count);
    return pli_self_test_fans(narrow, pose, 0, fans->fan_count, is_one_enough);
}

PliantResult pli_narrow_find(PliNarrow *narrow, PliPose *a, PliPose *b, bool is_one_enough)
{
    PLI_TRY(start_whole(narrow, a, b, is_one_enough));
    PLI_TRY(is_one_enough ? find_one(narrow, a, b) : find_all(narrow, a, b, INT64_MAX / 2));
    if (narrow->has_fans)
        PLI_TRY(find_in_fans(narrow, a, is_one_enough));
    PLI_TRY(pli_narrow_sort(narrow, a, b));
    if (is_one_enough && narrow->contacts.count > 1)
        narrow->contacts.count = 1;
    return PLIANT_OK;
}

/* ---- Two poses that several workers share ---------------------------------------------------- */

PliantResult pli_narrow_find_some(PliNarrow *narrow, PliPose *a, PliPose *b, int64_t max_work)
{
    PLI_TRY(start_whole(narrow, a, b, false));
    PLI_TRY(find_all(narrow, a, b, max_work));
    return pli_narrow_sort(narrow, a, b);
}

PliantResult pli_narrow_find_part(PliNarrow *narrow, PliPose *a, PliPose *b,
                                  const PliNarrowPart *part, int64_t max_work)
{
    const PliantHost *host = narrow->worker->host;
    const PliWalkDef def = walk_def(a, b, false);
    PLI_TRY(start(narrow, a, b));
    pli_walk_start_part(&narrow->walk, &def);
    skip_unmoved(narrow);
    set_long_aside(narrow, a, b);
    PLI_TRY(pli_walk_add(&narrow->walk, part->walk.pairs, part->walk.pair_count, host));
    for (int64_t i = 0; i < part->walk.leaf_pair_count; i += PLI_PORTION) {
        const int64_t left = part->walk.leaf_pair_count - i,
                      count = left < PLI_PORTION ? left : PLI_PORTION;
        void *room;
        PLI_TRY(pli_array_push(&narrow->leaf_pairs, host, count, &room));
        memcpy(room, (const PliLeafPair *)part->walk.leaf_pairs + i,
               (size_t)count * sizeof(PliLeafPair));
        PLI_TRY(test_leaf_pairs(narrow, a, b, count));
    }
    PLI_TRY(find_all(narrow, a, b, max_work));
    if (part->fan_count > 0)
        PLI_TRY(pli_self_test_fans(narrow, a, part->first_fan, part->first_fan + part->fan_count,
                                   false));
    return pli_narrow_sort(narrow, a, b);
}
