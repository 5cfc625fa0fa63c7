/* The triangles of a pose in a box: see overlaps.h. */
#include "decide/overlaps.h"

#include <string.h>

typedef struct Visit {
    PliPointSearch *search;
    const PliBox *box;
    PliArray *found;
} Visit;

/* Which of some boxes overlap? A box with a NaN does not. */
static uint32_t find_overlapping(const PliBox *box, const float *low, const float *high, int stride,
                                 int count)
{
    uint32_t bits = 0;
    for (int i = 0; i < count; i++) {
        bool overlaps = true;
        for (int k = 0; k < 3; k++)
            overlaps &= low[k * stride + i] <= box->high[k] && high[k * stride + i] >= box->low[k];
        bits |= (uint32_t)overlaps << i;
    }
    return bits;
}

/* PliVisitor. */
static PliantResult choose(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits)
{
    (void)node, (void)children;
    *bits = find_overlapping(((const Visit *)data)->box, boxes->low[0], boxes->high[0], PLI_GROUP,
                             PLI_GROUP);
    return PLIANT_OK;
}

/* A triangle is in several leaves if it is divided. */
static bool is_known(const Visit *visit, int32_t triangle)
{
    const PliOverlap *found = visit->found->items;
    for (int64_t i = 0; i < visit->found->count && visit->search->pose->pieces; i++)
        if (found[i].triangle == triangle)
            return true;
    return false;
}

/* PliVisitor. */
static PliantResult test_leaf(void *data, const PliVisitPart *leaf)
{
    Visit *visit = data;
    PliPointSearch *search = visit->search;
    uint32_t slot;
    PLI_TRY(pli_point_search_fetch(search, ~leaf->part, &slot));
    const PliLeafBoxes *boxes = &search->cache.leaf_boxes[slot];
    uint32_t bits =
        find_overlapping(visit->box, boxes->low[0], boxes->high[0], PLI_LEAF_SIZE, PLI_LEAF_SIZE);
    for (; bits; bits &= bits - 1) {
        const uint32_t number = PLI_LEAF_SIZE * slot + (uint32_t)__builtin_ctz(bits);
        const float *row = pli_leaf_cache_row(&search->cache, number);
        const int32_t triangle = pli_point_search_triangle(search, number);
        void *room;
        if (!pli_is_finite(row, PLI_ROW_SIZE) || is_known(visit, triangle))
            continue;
        PLI_TRY(pli_array_push(visit->found, search->worker->host, 1, &room));
        PliOverlap *found = room;
        found->triangle = triangle;
        memcpy(found->corners, row, sizeof found->corners);
    }
    return PLIANT_OK;
}

static const PliVisitor OVERLAPPING = {.choose = choose, .leaf = test_leaf};

PliantResult pli_point_search_overlaps(PliPointSearch *search, const PliBox *box, PliArray *found)
{
    PliBounds *bounds = &search->pose->bounds;
    Visit visit = {search, box, found};
    found->count = 0;
    return pli_pose_is_somewhere(search->pose)
               ? pli_visit(&search->stack, bounds,
                           (PliVisitPart){.part = pli_whole_tree(bounds->tree)}, search->worker,
                           PLI_SIDE_A, &OVERLAPPING, &visit)
               : PLIANT_OK;
}
