/* query: what one worker needs to ask something of two poses, or of one.
 *
 * This folder has what all questions share: the leaf cache (this file), the search for pairs of
 * features (feature_search.h, sides.h), what a search has found, in order (found.h), candidates
 * that are kept for the next query (kept.h, motion.h), and bodies in a tree over their boxes
 * (scene.h). It knows poses, and decides no answer: that is for decide/, which uses this folder.
 * Its one idea: whatever the question, a leaf is fetched once, and waits in a slot where all who
 * need it find it.
 *
 * Leaves of two poses are walked in pairs. There are PLI_MAX_SLOTS slots at most, which fit the L2
 * cache; once they are used up, all are forgotten. A walk comes back to a leaf soon or not at all,
 * as a rule. Which slot a leaf is in is noted per walk and not per body: however many bodies there
 * are, only two are walked at a time.
 *
 * Rays go through leaves of many bodies. Then a leaf has one slot that it can be in, by its number
 * and its body; a leaf that comes to the same slot takes its place. So nothing has to be searched
 * or forgotten, and rays that are close to each other find what the last one has fetched.
 */
#ifndef PLI_LEAF_CACHE_H
#define PLI_LEAF_CACHE_H

#include "pose/pose.h"

/* Of two poses, and of many: together 8 MB. */
enum { PLI_MAX_SLOTS = 2048, PLI_MAX_MIXED_SLOTS = 8192 };

/* In which slot a leaf of a body is, if the stamp is that of the places. Where leaves of many
 * bodies are mixed: the number of the body whose leaf is in this slot. */
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

/* Begins to fetch leaves of many bodies, about so many: none is there. They all find their slots in
 * a_slots, so that a cache serves walks or this, not both. On failure the slots are as they were.
 */
PliantResult pli_leaf_cache_start_mixed(PliLeafCache *cache, int64_t count, const PliantHost *host);

/* The slot of a leaf of one of many bodies, with the leaf in it. */
uint32_t pli_leaf_cache_fetch_mixed(PliLeafCache *cache, const PliPose *pose, int32_t body,
                                    int32_t leaf, PliWorker *worker);

/* Is a leaf of one of many bodies there? If not, it may take the place of another one. */
bool pli_leaf_cache_has_mixed(const PliLeafCache *cache, int32_t body, int32_t leaf);

/* Prefetches the boxes of a leaf of one of many bodies, if it is there. */
void pli_leaf_cache_prefetch_mixed(const PliLeafCache *cache, int32_t body, int32_t leaf);

/* The body whose leaf a row is of. */
static inline int32_t pli_leaf_cache_body(const PliLeafCache *cache, uint32_t row)
{
    return (int32_t)((const PliLeafSlot *)cache->a_slots.items.items)[row / PLI_LEAF_SIZE].slot;
}

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
