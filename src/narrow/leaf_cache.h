/* Leaf cache: the leaves that a query has fetched, in slots, where all pairs of a leaf find it.
 *
 * There are PLI_MAX_SLOTS slots at most, which fit the L2 cache; once they are used up, all are
 * forgotten. A walk comes back to a leaf soon or not at all, as a rule. Which slot a leaf is in is
 * noted per walk and not per body: however many bodies there are, only two are walked at a time.
 */
#ifndef PLI_LEAF_CACHE_H
#define PLI_LEAF_CACHE_H

#include "pose/pose.h"

enum { PLI_MAX_SLOTS = 2048 };

/* In which slot a leaf of a body is, if the stamp is that of the places. */
typedef struct PliLeafSlot {
    uint32_t stamp, slot;
} PliLeafSlot;

/* Where the leaves of one body are. */
typedef struct PliLeafSlots {
    const PliPose *pose; /* whose leaves these are; NULL: nobody's */
    uint32_t stamp;
    PliArray items; /* of PliLeafSlot, for as many leaves as any body had so far */
} PliLeafSlots;

typedef struct PliLeafCache {
    float *rows;              /* PLI_LEAF_SIZE rows of a triangle for each slot */
    PliLeafBoxes *leaf_boxes; /* of each slot */
    int32_t *slot_leaves;     /* of each slot: the leaf in it */
    int32_t *first_positions; /* of each slot: where its leaf begins in the tree's order */
    int32_t slot_count, slot_capacity;
    PliLeafSlots a_slots, b_slots; /* those of a stay while the pairs of one body follow */
} PliLeafCache;

void pli_leaf_cache_init(PliLeafCache *cache);
void pli_leaf_cache_free(PliLeafCache *cache, const PliantHost *host);
/* A new query: no leaf has been fetched. */
void pli_leaf_cache_clear(PliLeafCache *cache);

/* From now on a and b are walked. What is there of either stays. */
PliantResult pli_leaf_cache_start(PliLeafCache *cache, const PliPose *a, const PliPose *b,
                                  const PliantHost *host);

/* No leaf is in a slot any more. */
void pli_leaf_cache_forget(PliLeafCache *cache);

/* Makes room for so many more leaves, at most PLI_MAX_SLOTS in all. */
PliantResult pli_leaf_cache_reserve(PliLeafCache *cache, int64_t extra, const PliantHost *host);

/* The slot of a leaf: where it is, or the next one, for which there is room; it is then to be
 * fetched. Which of the two cannot be predicted, and so is no branch. */
static inline uint32_t pli_leaf_cache_slot(PliLeafCache *cache, const PliLeafSlots *leaf_slots,
                                           int32_t leaf)
{
    PliLeafSlot *leaf_slot = (PliLeafSlot *)leaf_slots->items.items + leaf;
    bool is_new = leaf_slot->stamp != leaf_slots->stamp;
    uint32_t slot = is_new ? (uint32_t)cache->slot_count : leaf_slot->slot;
    cache->slot_leaves[cache->slot_count] = leaf;
    cache->slot_count += is_new;
    *leaf_slot = (PliLeafSlot){leaf_slots->stamp, slot};
    return slot;
}

/* The same, with the leaf in it. */
uint32_t pli_leaf_cache_fetch(PliLeafCache *cache, const PliPose *pose, int32_t leaf,
                              PliWorker *worker, PliSide side);

/* The position in the tree's order of a row, which is one of the sixteen of a slot. */
static inline int32_t pli_leaf_cache_position(const PliLeafCache *cache, uint32_t row)
{
    return cache->first_positions[row / PLI_LEAF_SIZE] + (int32_t)(row % PLI_LEAF_SIZE);
}

/* Prefetches a slot that is written soon: since the last frame it has left the L2 cache. */
static inline void pli_leaf_cache_prefetch(const PliLeafCache *cache, int32_t slot)
{
    enum { LINE = 64, ROWS_SIZE = PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof(float) };
    const char *rows = (const char *)cache->rows + ROWS_SIZE * (size_t)slot;
    const char *boxes = (const char *)&cache->leaf_boxes[slot];
    for (size_t i = 0; i < ROWS_SIZE; i += LINE)
        __builtin_prefetch(rows + i, 1);
    for (size_t i = 0; i < sizeof(PliLeafBoxes); i += LINE)
        __builtin_prefetch(boxes + i, 1);
}

static inline const float *pli_leaf_cache_row(const PliLeafCache *cache, uint32_t row)
{
    return cache->rows + (size_t)PLI_ROW_SIZE * row;
}

#endif
