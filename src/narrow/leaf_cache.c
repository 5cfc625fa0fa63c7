/* The leaf cache: see leaf_cache.h. */
#include "narrow/leaf_cache.h"

#include <string.h>

enum { ROWS_SIZE = PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof(float), FIRST_CAPACITY = 256 };

void pli_leaf_cache_init(PliLeafCache *cache)
{
    *cache = (PliLeafCache){.a_places = {.items = {.item_size = sizeof(PliLeafPlace)}},
                            .b_places = {.items = {.item_size = sizeof(PliLeafPlace)}}};
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
    pli_array_free(&cache->a_places.items, host);
    pli_array_free(&cache->b_places.items, host);
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

PliantResult pli_leaf_cache_start(PliLeafCache *cache, const PliPose *a, const PliPose *b,
                                  const PliantHost *host)
{
    PliantResult result = PLIANT_OK;
    if (cache->b_places.pose == a) {
        PliLeafPlaces places = cache->a_places;
        cache->a_places = cache->b_places;
        cache->b_places = places;
    }
    if (cache->a_places.pose != a)
        result = give_places(&cache->a_places, a, host);
    if (result == PLIANT_OK && cache->b_places.pose != b && a != b)
        result = give_places(&cache->b_places, b, host);
    return result;
}

void pli_leaf_cache_forget(PliLeafCache *cache)
{
    cache->slot_count = 0;
    renew_stamp(&cache->a_places);
    renew_stamp(&cache->b_places);
}

void pli_leaf_cache_clear(PliLeafCache *cache)
{
    cache->a_places.pose = cache->b_places.pose = NULL;
    cache->slot_count = 0;
}

/* ---- Slots -------------------------------------------------------------------------------------
 */

/* Twice as many slots, with what is in them. */
static PliantResult grow(PliLeafCache *cache, const PliantHost *host)
{
    const int32_t capacity = cache->slot_capacity ? 2 * cache->slot_capacity : FIRST_CAPACITY;
    const size_t count = (size_t)capacity, used = (size_t)cache->slot_count;
    void *rows = NULL, *boxes = NULL, *leaves = NULL, *positions = NULL;
    PliantResult result = pli_allocate(host, count, ROWS_SIZE, &rows);
    if (result == PLIANT_OK)
        result = pli_allocate(host, count, sizeof(PliLeafBoxes), &boxes);
    if (result == PLIANT_OK)
        result = pli_allocate(host, count, sizeof(int32_t), &leaves);
    if (result == PLIANT_OK)
        result = pli_allocate(host, count, sizeof(int32_t), &positions);
    if (result != PLIANT_OK) {
        pli_release(host, rows, count, ROWS_SIZE);
        pli_release(host, boxes, count, sizeof(PliLeafBoxes));
        pli_release(host, leaves, count, sizeof(int32_t));
        return result;
    }
    /* Touched here, so that no later frame meets pages that it has to wait for. */
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

PliantResult pli_leaf_cache_reserve(PliLeafCache *cache, int64_t more, const PliantHost *host)
{
    PliantResult result = PLIANT_OK;
    while (result == PLIANT_OK && cache->slot_count + more > cache->slot_capacity)
        result = grow(cache, host);
    return result;
}
