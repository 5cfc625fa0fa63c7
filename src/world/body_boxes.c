/* A few boxes that hold what of a body is near other boxes: see in_boxes.h.
 *
 * The tree is opened from its root, level by level, and only where it overlaps one of the boxes
 * asked about, as long as there is room for more boxes. No leaf is evaluated for it.
 *
 * Boxes of pieces are rounded to the nearest (shape/pieces.c): enough to compare them with floats,
 * but points of a piece may be outside. So those are moved out at last. */
#include "world/in_boxes.h"

static bool overlaps(const PliantBox *a, const PliantBox *b)
{
    for (int k = 0; k < 3; k++)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k]))
            return false;
    return true;
}

/* Boxes of parts without finite vertices are empty, and would overlap infinite ones. */
static bool overlaps_any(const PliantBox *box, const PliantBox *near, int32_t near_count)
{
    if (!overlaps(box, box))
        return false;
    for (int32_t i = 0; i < near_count; i++)
        if (overlaps(box, &near[i]))
            return true;
    return false;
}

/* PliVisitor: those that are near. Their tags are their numbers. */
static PliantResult choose(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits)
{
    PliBoxParts *open = data;
    (void)node;
    for (int c = 0; c < PLI_GROUP; c++) {
        PliantBox *box = &open->children[c];
        for (int k = 0; k < 3; k++) {
            box->low[k] = boxes->low[k][c];
            box->high[k] = boxes->high[k][c];
        }
        children[c].near = 0;
        children[c].tag = c;
        *bits |= (uint32_t)overlaps_any(box, open->near, open->near_count) << c;
    }
    return PLIANT_OK;
}

static const PliVisitor NEAR = {.is_sorted = true, .choose = choose};

/* Puts the children of a node that are near in its place, unless there are too many of them. */
static PliantResult open_part(PliBoxParts *open, int32_t i, bool *is_changed)
{
    PliArray *stack = &open->world->in_boxes.stack;
    stack->count = 0;
    PLI_TRY(pli_visit_open(stack, &open->pose->bounds, &(PliVisitPart){.part = open->parts[i]},
                           &open->world->first.worker, PLI_SIDE_A, &NEAR, open));
    if (open->count - 1 + stack->count > open->capacity)
        return PLIANT_OK;
    *is_changed = true;
    open->count--;
    open->parts[i] = open->parts[open->count];
    open->boxes[i] = open->boxes[open->count];
    while (stack->count > 0) {
        const PliVisitPart child = pli_visit_pop(stack);
        open->parts[open->count] = child.part;
        open->boxes[open->count++] = open->children[child.tag];
    }
    return PLIANT_OK;
}

/* Each pass opens what was there before it, from the last to the first: what is put in the place of
 * an opened part was seen before. */
static PliantResult open_all(PliBoxParts *open)
{
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (int32_t i = open->count - 1; i >= 0; i--)
            if (open->parts[i] >= 0)
                PLI_TRY(open_part(open, i, &is_changed));
    }
    return PLIANT_OK;
}

PliantResult pli_world_open_boxes(PliBody *body, PliBoxParts *open)
{
    PliantWorld *world = open->world;
    pli_world_update_body(world, body);
    const PliBox *root = &body->pose.bounds.root;
    PliantBox whole;
    for (int k = 0; k < 3; k++) {
        whole.low[k] = root->low[k];
        whole.high[k] = root->high[k];
    }
    if (body->pose.bounds.tree->leaf_count == 0 ||
        !overlaps_any(&whole, open->near, open->near_count))
        return PLIANT_OK;
    open->parts[0] = pli_whole_tree(body->pose.bounds.tree);
    open->boxes[0] = whole;
    open->count = 1;
    const PliantResult result = open_all(open);
    pli_world_count(world, body, PLI_SIDE_A);
    for (int32_t i = 0; i < open->count && body->pose.pieces; i++)
        pli_widen(open->boxes[i].low, open->boxes[i].high, 3, 0);
    return result;
}
