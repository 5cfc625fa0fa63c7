/* The triangles of a body in boxes, where it is or on its way: see in_boxes.h.
 *
 * The tree is walked against the boxes, and only leaves whose bounds overlap one of them are
 * fetched. A part of the tree that waits knows which boxes overlap it, so that far boxes cost
 * nothing. What was found is then put in order by number; a divided triangle, which is found by
 * several of its pieces, is left once.
 *
 * A body on its way has two poses of one tree. What goes along straight lines from one box to
 * another one stays in the box of both. */
#include "world/in_boxes.h"
#include "base/sort.h"

#include <math.h>

/* Boxes whose triangles are looked for. Of a part of the tree that waits, `tag` boxes from `first`
 * on, in found->near, overlap it. */
typedef struct Visit {
    PliTrianglesInBoxes *found;
    PliMovingPose pose;
    const PliantBox *boxes;
    PliWorker *worker;
} Visit;

static bool overlaps(const PliantBox *box, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++)
        if (!(low[k] <= box->high[k] && box->low[k] <= high[k]))
            return false;
    return true;
}

/* A triangle with a NaN or an infinity, at either end, overlaps nothing. */
static bool triangle_overlaps(const PliantBox *boxes, const int32_t *near, int32_t near_count,
                              const float *start, const float *end)
{
    float low[3], high[3];
    for (int i = 0; i < PLI_ROW_SIZE; i++)
        if (!isfinite(start[i]) || !isfinite(end[i]))
            return false;
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = start[k];
        for (int i = k; i < PLI_ROW_SIZE; i += 3) {
            low[k] = fminf(low[k], fminf(start[i], end[i]));
            high[k] = fmaxf(high[k], fmaxf(start[i], end[i]));
        }
    }
    for (int32_t i = 0; i < near_count; i++)
        if (overlaps(&boxes[near[i]], low, high))
            return true;
    return false;
}

/* Room for the rows of one more leaf. */
static PliantResult reserve_leaf(PliTrianglesInBoxes *found, bool is_moving, const PliantHost *host)
{
    const int64_t count = found->rows.count + PLI_LEAF_SIZE;
    PLI_TRY(pli_array_reserve_spare(&found->rows, host, count));
    PLI_TRY(pli_array_reserve_spare(&found->keys, host, count));
    return is_moving ? pli_array_reserve_spare(&found->end_rows, host, count) : PLIANT_OK;
}

/* PliVisitor. Keys are {number of the triangle} << 32 | {its row}. */
static PliantResult add_leaf(void *data, const PliVisitPart *leaf)
{
    const Visit *visit = data;
    PliTrianglesInBoxes *found = visit->found;
    const PliMovingPose pose = visit->pose;
    PliWorker *worker = visit->worker;
    const bool is_moving = pose.start != pose.end;
    float rows[2][PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliLeafBoxes leaf_boxes;
    const PliRange range = pose.start->bounds.tree->leaves[~leaf->part];
    const int32_t *near = (int32_t *)found->near.items + leaf->first;
    pli_pose_fetch(pose.start, ~leaf->part, worker, PLI_SIDE_A, rows[0], &leaf_boxes);
    if (is_moving)
        pli_pose_fetch(pose.end, ~leaf->part, worker, PLI_SIDE_B, rows[1], &leaf_boxes);
    PLI_TRY(reserve_leaf(found, is_moving, worker->host));
    float(*to)[PLI_ROW_SIZE] = found->rows.items;
    float(*end_to)[PLI_ROW_SIZE] = found->end_rows.items;
    uint64_t *keys = found->keys.items;
    const int64_t before = found->rows.count;
    for (int32_t i = 0; i < range.count; i++) {
        const float *start = rows[0] + (size_t)PLI_ROW_SIZE * (size_t)i;
        const float *end = rows[is_moving] + (size_t)PLI_ROW_SIZE * (size_t)i;
        if (!triangle_overlaps(visit->boxes, near, leaf->tag, start, end))
            continue;
        const int64_t at = found->rows.count++;
        found->keys.count++;
        memcpy(to[at], start, sizeof *to);
        if (is_moving)
            memcpy(end_to[found->end_rows.count++], end, sizeof *end_to);
        keys[at] =
            (uint64_t)(uint32_t)pli_pose_triangle(pose.start, range.first + i) << 32 | (uint64_t)at;
    }
    (void)pli_control_add_found(worker->control, found->rows.count - before);
    return found->rows.count <= INT32_MAX ? pli_worker_check(worker) : PLIANT_TOO_LARGE;
}

/* Makes `boxes` hold those of the end too. Those of pieces are rounded: pli_widen(). */
static void add_end(PliBoxes *boxes, const PliBoxes *end, bool is_rounded)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 8; i++) {
            if (end->low[k][i] < boxes->low[k][i])
                boxes->low[k][i] = end->low[k][i];
            if (end->high[k][i] > boxes->high[k][i])
                boxes->high[k][i] = end->high[k][i];
        }
    if (is_rounded)
        pli_widen(boxes->low[0], boxes->high[0], 3 * 8, 0);
}

/* Lists the boxes of its parent that overlap a part, which has these bounds. There is room. */
static void list_boxes(const Visit *visit, const PliVisitPart *parent, const float low[3],
                       const float high[3], PliVisitPart *part)
{
    PliArray *near = &visit->found->near;
    int32_t *boxes = near->items;
    part->first = near->count;
    for (int32_t i = 0; i < parent->tag; i++)
        if (overlaps(&visit->boxes[boxes[parent->first + i]], low, high))
            boxes[near->count++] = boxes[parent->first + i];
    part->tag = (int32_t)(near->count - part->first);
}

/* PliVisitor. The boxes of a part that waits are before those of the parts above it, and behind its
 * own there are none that are still needed. */
static PliantResult choose(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits)
{
    const Visit *visit = data;
    const PliMovingPose pose = visit->pose;
    PliArray *near = &visit->found->near;
    PliBoxes way = *boxes;
    PLI_TRY(pli_worker_check(visit->worker));
    if (pose.start != pose.end) {
        boxes = pli_bounds_of(&pose.end->bounds, node->part, visit->worker, PLI_SIDE_B);
        if (!boxes)
            return PLIANT_OUT_OF_MEMORY;
        add_end(&way, boxes, pose.start->pieces);
    }
    near->count = node->first + node->tag;
    PLI_TRY(pli_array_reserve_spare(near, visit->worker->host,
                                    near->count + PLI_GROUP * (int64_t)node->tag));
    for (int i = 0; i < PLI_GROUP; i++) {
        const float low[3] = {way.low[0][i], way.low[1][i], way.low[2][i]};
        const float high[3] = {way.high[0][i], way.high[1][i], way.high[2][i]};
        list_boxes(visit, node, low, high, &children[i]);
        *bits |= (uint32_t)(children[i].tag > 0) << i;
    }
    return PLIANT_OK;
}

static const PliVisitor BOXES = {.choose = choose, .leaf = add_leaf};

/* All boxes are near the whole tree. */
static PliantResult visit_all(PliTrianglesInBoxes *found, PliMovingPose pose,
                              const PliantBox *boxes, int32_t box_count, PliWorker *worker)
{
    Visit visit = {found, pose, boxes, worker};
    PliBounds *bounds = &pose.start->bounds;
    void *room;
    found->rows.count = found->end_rows.count = found->keys.count = found->near.count = 0;
    if (bounds->tree->leaf_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_push(&found->near, worker->host, box_count, &room));
    for (int32_t i = 0; i < box_count; i++)
        ((int32_t *)room)[i] = i;
    const PliVisitPart root = {{.first = 0}, pli_whole_tree(bounds->tree), box_count};
    return pli_visit(&found->stack, bounds, root, worker, PLI_SIDE_A, &BOXES, &visit);
}

/* Corners of the end follow those of all triangles at the start. */
static PliantResult put_in_order(PliTrianglesInBoxes *found, PliMovingPose pose, bool has_end,
                                 const PliantHost *host)
{
    const int64_t count = found->rows.count;
    int64_t kept = 0;
    found->triangles.count = found->corners.count = 0;
    if (count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&found->keys, host, 2 * count));
    PLI_TRY(pli_array_reserve_spare(&found->triangles, host, count));
    PLI_TRY(pli_array_reserve_spare(&found->corners, host, has_end ? 2 * count : count));
    uint64_t *keys = found->keys.items;
    int32_t *triangles = found->triangles.items;
    const float(*rows)[PLI_ROW_SIZE] = found->rows.items;
    float(*corners)[PLI_ROW_SIZE] = found->corners.items;
    pli_sort_keys(keys, keys + count, count, 32 + pli_bits_below(pose.start->number_count));
    for (int64_t i = 0; i < count; i++) {
        const int32_t triangle = (int32_t)(keys[i] >> 32);
        if (kept > 0 && triangles[kept - 1] == triangle)
            continue;
        keys[kept] = keys[i];
        memcpy(corners[kept], rows[(uint32_t)keys[i]], sizeof *corners);
        triangles[kept++] = triangle;
    }
    found->triangles.count = kept;
    found->corners.count = has_end ? 2 * kept : kept;
    if (pose.start != pose.end)
        rows = (const float(*)[PLI_ROW_SIZE])found->end_rows.items;
    for (int64_t i = 0; i < kept && has_end; i++)
        memcpy(corners[kept + i], rows[(uint32_t)keys[i]], sizeof *corners);
    return PLIANT_OK;
}

PliantResult pli_world_find_in_boxes(const PliCall *call, PliantWorld *world, PliBody *body,
                                     bool has_end, const PliantBox *boxes, int32_t box_count)
{
    PliTrianglesInBoxes *found = &world->in_boxes;
    PliMovingPose pose = {&body->pose, &body->pose};
    if (has_end)
        PLI_TRY(pli_world_open_moving(call, world, pli_world_number(world, body), &pose));
    else
        pli_world_update_body(world, body);
    PliantResult result = visit_all(found, pose, boxes, box_count, &world->first.worker);
    if (result == PLIANT_CANCELLED && pli_control_is_exceeded(&world->control))
        result = PLIANT_OK; /* what was found first is wanted */
    pli_world_count(world, body, PLI_SIDE_A);
    pli_world_count(world, body, PLI_SIDE_B);
    PLI_TRY(result);
    return put_in_order(found, pose, has_end, &world->host);
}
