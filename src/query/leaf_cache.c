/* The leaf cache: see leaf_cache.h. */
#include "query/leaf_cache.h"

#include <string.h>

enum { ROWS_SIZE = PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof(float), FIRST_CAPACITY = 256 };

void pli_leaf_cache_init(PliLeafCache *cache)
{
    *cache = (PliLeafCache){.a_slots = {.items = {.item_size = sizeof(PliLeafSlot)}},
                            .b_slots = {.items = {.item_size = sizeof(PliLeafSlot)}}};
}

static void free_slots(PliLeafCache *cache, const PliantHost *host)
{
    const size_t count = (size_t)cache->slot_capacity;
    pli_release(host, cache->rows, count, ROWS_SIZE);
    pli_release(host, cache->leaf_boxes, count, sizeof *cache->leaf_boxes);
    pli_release(host, cache->slot_leaves, count, sizeof *cache->slot_leaves);
    pli_release(host, cache->first_positions, count, sizeof *cache->first_positions);
}

void pli_leaf_cache_free(PliLeafCache *cache, const PliantHost *host)
{
    free_slots(cache, host);
    pli_array_free(&cache->a_slots.items, host);
    pli_array_free(&cache->b_slots.items, host);
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Once in 2^32 times older stamps would look new again. */
static void renew_stamp(PliLeafSlots *leaf_slots)
{
    if (++leaf_slots->stamp != 0)
        return;
    if (leaf_slots->items.items)
        memset(leaf_slots->items.items, 0, pli_array_bytes(&leaf_slots->items));
    leaf_slots->stamp = 1;
}

/* From now on they are those of a pose, of which no leaf is there. */
static PliantResult give_places(PliLeafSlots *leaf_slots, const PliPose *pose,
                                const PliantHost *host)
{
    const int32_t count = pose->bounds.tree->leaf_count;
    PLI_TRY(pli_array_reserve_zeroed(&leaf_slots->items, host, count));
    renew_stamp(leaf_slots);
    leaf_slots->pose = pose;
    return PLIANT_OK;
}

PliantResult pli_leaf_cache_start(PliLeafCache *cache, const PliPose *a, const PliPose *b,
                                  const PliantHost *host)
{
    if (cache->b_slots.pose == a) {
        PliLeafSlots leaf_slots = cache->a_slots;
        cache->a_slots = cache->b_slots;
        cache->b_slots = leaf_slots;
    }
    if (cache->a_slots.pose != a)
        PLI_TRY(give_places(&cache->a_slots, a, host));
    if (cache->b_slots.pose != b && a != b)
        PLI_TRY(give_places(&cache->b_slots, b, host));
    return PLIANT_OK;
}

void pli_leaf_cache_forget(PliLeafCache *cache)
{
    cache->slot_count = 0;
    renew_stamp(&cache->a_slots);
    renew_stamp(&cache->b_slots);
}

void pli_leaf_cache_clear(PliLeafCache *cache)
{
    cache->a_slots.pose = cache->b_slots.pose = NULL;
    cache->slot_count = 0;
}

/* ---- Slots ----------------------------------------------------------------------------------- */

/* More slots, with what is in the first of them. */
static PliantResult grow(PliLeafCache *cache, int32_t capacity, const PliantHost *host)
{
    const size_t count = (size_t)capacity, used = (size_t)cache->slot_count;
    void *rows, *boxes, *leaves, *positions;
    const PliRequest requests[] = {{&rows, count, ROWS_SIZE},
                                   {&boxes, count, sizeof(PliLeafBoxes)},
                                   {&leaves, count, sizeof(int32_t)},
                                   {&positions, count, sizeof(int32_t)}};
    PLI_TRY(pli_allocate_all(host, requests, 4));
    /* Touched here, so that no later frame waits for a page fault. */
    memset(rows, 0, count * ROWS_SIZE);
    memset(boxes, 0, count * sizeof(PliLeafBoxes));
    if (used > 0) {
        memcpy(rows, cache->rows, used * ROWS_SIZE);
        memcpy(boxes, cache->leaf_boxes, used * sizeof(PliLeafBoxes));
        memcpy(leaves, cache->slot_leaves, used * sizeof(int32_t));
        memcpy(positions, cache->first_positions, used * sizeof(int32_t));
    }
    free_slots(cache, host);
    cache->rows = rows;
    cache->leaf_boxes = boxes;
    cache->slot_leaves = leaves;
    cache->first_positions = positions;
    cache->slot_capacity = capacity;
    return PLIANT_OK;
}

PliantResult pli_leaf_cache_reserve(PliLeafCache *cache, int64_t extra, const PliantHost *host)
{
    while (cache->slot_count + extra > cache->slot_capacity)
        PLI_TRY(
            grow(cache, cache->slot_capacity ? 2 * cache->slot_capacity : FIRST_CAPACITY, host));
    return PLIANT_OK;
}

static void fetch(PliLeafCache *cache, uint32_t slot, const PliPose *pose, int32_t leaf,
                  PliWorker *worker, PliSide side)
{
    pli_pose_fetch(pose, leaf, worker, side,
                   cache->rows + (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE * slot,
                   &cache->leaf_boxes[slot]);
    cache->first_positions[slot] = pose->bounds.tree->leaves[leaf].first;
}

uint32_t pli_leaf_cache_fetch(PliLeafCache *cache, const PliPose *pose, int32_t leaf,
                              PliWorker *worker, PliSide side)
{
    const int32_t next = cache->slot_count;
    const uint32_t slot = pli_leaf_cache_slot(
        cache, pose == cache->a_slots.pose ? &cache->a_slots : &cache->b_slots, leaf);
    if (cache->slot_count > next)
        fetch(cache, slot, pose, leaf, worker, side);
    return slot;
}

/* ---- Leaves of many bodies ---------------------------------------------------------------------
 */

PliantResult pli_leaf_cache_start_mixed(PliLeafCache *cache, int64_t count, const PliantHost *host)
{
    enum { MIN_CAPACITY = 64 };
    int32_t capacity = MIN_CAPACITY;
    while (capacity < count && capacity < PLI_MAX_MIXED_SLOTS)
        capacity *= 2;
    if (capacity > cache->slot_capacity) {
        PLI_TRY(pli_array_reserve_zeroed(&cache->a_slots.items, host, capacity));
        PLI_TRY(grow(cache, capacity, host));
    }
    renew_stamp(&cache->a_slots);
    return PLIANT_OK;
}

/* The slot that a leaf can be in. */
static uint32_t mixed_slot(const PliLeafCache *cache, int32_t body, int32_t leaf)
{
    const uint32_t hash = (uint32_t)leaf + (uint32_t)body * 0x9e3779b1u;
    return hash & ((uint32_t)cache->slot_capacity - 1);
}

static bool is_there(const PliLeafCache *cache, uint32_t slot, int32_t body, int32_t leaf)
{
    const PliLeafSlot *there = (const PliLeafSlot *)cache->a_slots.items.items + slot;
    return there->stamp == cache->a_slots.stamp && there->slot == (uint32_t)body &&
           cache->slot_leaves[slot] == leaf;
}

bool pli_leaf_cache_has_mixed(const PliLeafCache *cache, int32_t body, int32_t leaf)
{
    return is_there(cache, mixed_slot(cache, body, leaf), body, leaf);
}

void pli_leaf_cache_prefetch_mixed(const PliLeafCache *cache, int32_t body, int32_t leaf)
{
    enum { LINE = 64 };
    const char *boxes = (const char *)&cache->leaf_boxes[mixed_slot(cache, body, leaf)];
    for (size_t i = 0; i < sizeof(PliLeafBoxes); i += LINE)
        __builtin_prefetch(boxes + i);
}

uint32_t pli_leaf_cache_fetch_mixed(PliLeafCache *cache, const PliPose *pose, int32_t body,
                                    int32_t leaf, PliWorker *worker)
{
    const uint32_t slot = mixed_slot(cache, body, leaf);
    if (is_there(cache, slot, body, leaf))
        return slot;
    ((PliLeafSlot *)cache->a_slots.items.items)[slot] =
        (PliLeafSlot){cache->a_slots.stamp, (uint32_t)body};
    cache->slot_leaves[slot] = leaf;
    fetch(cache, slot, pose, leaf, worker, PLI_SIDE_A);
    return slot;
}
