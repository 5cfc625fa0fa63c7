/* A few boxes that hold what of a body is near other boxes: see pliant/world.h.
 *
 * The tree is opened from its root, level by level, and only where it overlaps one of the boxes
 * asked about, as long as there is room for more boxes. No leaf is evaluated for it.
 *
 * Boxes of pieces are rounded to the nearest (shape/pieces.c): enough to compare them with floats,
 * but points of a piece may be outside. So those are moved out at last. */
#include "base/cpu.h"
#include "world/world.h"

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

/* Parts of the tree, nodes or complemented leaves, and their boxes. */
typedef struct Parts {
    int32_t *parts;
    PliantBox *boxes;
    int32_t count, capacity;
} Parts;

/* Puts the children of a node that are near in its place, unless there are too many of them. */
static PliantResult open_part(Parts *open, int32_t i, PliPose *pose, const PliantBox *near,
                              int32_t near_count, PliWorker *worker, bool *is_changed)
{
    const PliBoxes *bounds = pli_bounds_of(&pose->bounds, open->parts[i], worker, PLI_SIDE_A);
    const int32_t *children = pose->bounds.tree->nodes[open->parts[i]].children;
    int32_t parts[8], count = 0;
    PliantBox boxes[8];
    if (!bounds)
        return PLIANT_OUT_OF_MEMORY;
    for (int c = 0; c < 8; c++) {
        for (int k = 0; k < 3; k++) {
            boxes[count].low[k] = bounds->low[k][c];
            boxes[count].high[k] = bounds->high[k][c];
        }
        parts[count] = children[c];
        count += overlaps_any(&boxes[count], near, near_count);
    }
    if (open->count - 1 + count > open->capacity)
        return PLIANT_OK;
    *is_changed = true;
    open->count--;
    open->parts[i] = open->parts[open->count];
    open->boxes[i] = open->boxes[open->count];
    memcpy(open->parts + open->count, parts, (size_t)count * sizeof *parts);
    memcpy(open->boxes + open->count, boxes, (size_t)count * sizeof *boxes);
    open->count += count;
    return PLIANT_OK;
}

/* Each pass opens what was there before it, from the last to the first: what is put in the place of
 * an opened part was seen before. */
static PliantResult open_all(Parts *open, PliPose *pose, const PliantBox *near, int32_t near_count,
                             PliWorker *worker)
{
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (int32_t i = open->count - 1; i >= 0; i--)
            if (open->parts[i] >= 0)
                PLI_TRY(open_part(open, i, pose, near, near_count, worker, &is_changed));
    }
    return PLIANT_OK;
}

/* In modes of its own, like all that computes. */
static PLI_NOINLINE PliantResult find(PliantWorld *world, PliBody *body, const PliantBox *near,
                                      int32_t near_count, Parts *open)
{
    pli_world_start(world, NULL, NULL);
    pli_world_update_body(world, body);
    const PliBox *root = &body->pose.bounds.root;
    PliantBox whole;
    for (int k = 0; k < 3; k++) {
        whole.low[k] = root->low[k];
        whole.high[k] = root->high[k];
    }
    if (body->pose.bounds.tree->leaf_count == 0 || !overlaps_any(&whole, near, near_count))
        return PLIANT_OK;
    open->parts[0] = pli_whole_tree(body->pose.bounds.tree);
    open->boxes[0] = whole;
    open->count = 1;
    const PliantResult result = open_all(open, &body->pose, near, near_count, &world->first.worker);
    pli_world_count(world, body, PLI_SIDE_A);
    for (int32_t i = 0; i < open->count && body->pose.pieces; i++)
        pli_widen(open->boxes[i].low, open->boxes[i].high, 3, 0);
    return result;
}

PliantResult pliant_body_boxes_in_boxes(PliantWorld *world, PliantBody handle,
                                        const PliantBox *near, int32_t near_count, PliantBox *boxes,
                                        int32_t capacity, int32_t *count)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, near_count >= 0, PLIANT_BAD_ARGUMENT, "near_count is %" PRId32, near_count);
    PLI_CHECK(&call, near || near_count == 0, PLIANT_BAD_ARGUMENT, "near is NULL");
    PLI_CHECK(&call, capacity >= 1, PLIANT_BAD_ARGUMENT, "capacity is %" PRId32, capacity);
    PLI_CHECK(&call, boxes, PLIANT_BAD_ARGUMENT, "boxes is NULL");
    PLI_CHECK(&call, count, PLIANT_BAD_ARGUMENT, "count is NULL");
    PLI_TRY(pli_array_reserve_spare(&world->in_boxes.near, &world->host, capacity));
    Parts open = {world->in_boxes.near.items, boxes, 0, capacity};
    PliFpMode caller = pli_fp_enter();
    const PliantResult result = find(world, body, near, near_count, &open);
    pli_fp_leave(caller);
    PLI_TRY(result);
    *count = open.count;
    return PLIANT_OK;
}
