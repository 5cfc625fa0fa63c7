/* The triangles of a pose in a box: see overlaps.h. */
#include "decide/overlaps.h"

#include <string.h>

typedef struct Visit {
    PliPointSearch *search;
    PliBox box;
    PliTakeOverlap *take;
    void *data;
} Visit;

/* PliVisitor. */
static PliantResult choose(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits)
{
    (void)node, (void)children;
    *bits = pli_boxes_overlapping(&((const Visit *)data)->box, boxes->low[0], boxes->high[0],
                                  PLI_GROUP);
    return PLIANT_OK;
}

/* PliVisitor. */
static PliantResult take_leaf(void *data, const PliVisitPart *leaf)
{
    const Visit *visit = data;
    PliPointSearch *search = visit->search;
    uint32_t slot;
    PLI_TRY(pli_point_search_fetch(search, ~leaf->part, &slot));
    const PliLeafBoxes *boxes = &search->cache.leaf_boxes[slot];
    uint32_t bits =
        pli_boxes_overlapping(&visit->box, boxes->low[0], boxes->high[0], PLI_LEAF_SIZE);
    for (; bits; bits &= bits - 1) {
        const uint32_t number = PLI_LEAF_SIZE * slot + (uint32_t)__builtin_ctz(bits);
        const float *row = pli_leaf_cache_row(&search->cache, number);
        const int32_t triangle = pli_point_search_triangle(search, number);
        if (triangle < search->triangle_end && pli_is_finite(row, PLI_ROW_SIZE))
            PLI_TRY(visit->take(visit->data, row, triangle));
    }
    return PLIANT_OK;
}

static const PliVisitor OVERLAPPING = {.choose = choose, .leaf = take_leaf};

PliantResult pli_point_search_visit_box(PliPointSearch *search, const PliBox *box,
                                        PliTakeOverlap *take, void *data)
{
    PliBounds *bounds = &search->pose->bounds;
    Visit visit = {search, *box, take, data};
    return pli_pose_is_somewhere(search->pose)
               ? pli_visit(&search->stack, bounds,
                           (PliVisitPart){.part = pli_whole_tree(bounds->tree)}, search->worker,
                           PLI_SIDE_A, &OVERLAPPING, &visit)
               : PLIANT_OK;
}

/* ---- A list ---------------------------------------------------------------------------------- */

typedef struct List {
    const PliantHost *host;
    PliArray *found;
} List;

/* PliTakeOverlap. */
static PliantResult add(void *data, const float *row, int32_t triangle)
{
    const List *list = data;
    void *room;
    PLI_TRY(pli_array_push(list->found, list->host, 1, &room));
    ((PliOverlap *)room)->triangle = triangle;
    memcpy(((PliOverlap *)room)->corners, row, sizeof((PliOverlap *)room)->corners);
    return PLIANT_OK;
}

PliantResult pli_point_search_overlaps(PliPointSearch *search, const PliBox *box, PliArray *found)
{
    List list = {search->worker->host, found};
    found->count = 0;
    return pli_point_search_visit_box(search, box, add, &list);
}
