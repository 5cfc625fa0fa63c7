/* Drawing bodies: see volume.h.
 *
 * One tree is walked against one picture. A part is visited if its box has the line of a pixel
 * between its ends, both ways. How could a triangle be lost? It is drawn between the ends of its
 * own box only, in pixel coordinates, which rise with coordinates. So its lines are between the
 * ends of every box that holds it. Boxes are compared in floats, where a pixel coordinate t of a
 * part that is drawn has three roundings, 3 * 2^-24 * 4097 < 0.00074, and two more near it when 0.5
 * and SLACK are taken off, 2 * 2^-12 < 0.0005: they are taken larger by SLACK, which is more. It
 * also covers what the crossings of a divided triangle's edges are off, as the boxes of its pieces
 * know nothing of rounding, as long as corners are less than 2^40 pixels away.
 *
 * Along the lines all that is beyond one end of the box may be left out if the surface is closed,
 * as whole boxes: depths of a triangle's fragments are between those of its corners.
 */
#include "geom/geom.h"
#include "volume/volume.h"

#include <math.h>
#include <string.h>

static const float SLACK = 0x1p-9f;

_Static_assert(sizeof(PliFragment) == sizeof(PliantFragment) &&
                   offsetof(PliFragment, pixel) == offsetof(PliantFragment, pixel) &&
                   offsetof(PliFragment, depth) == offsetof(PliantFragment, depth) &&
                   offsetof(PliFragment, winding) == offsetof(PliantFragment, winding),
               "kernels write fragments as the public type");

void pli_drawing_init(PliDrawing *drawing)
{
    *drawing = (PliDrawing){.fragments = {.item_size = sizeof(PliantFragment)},
                            .stack = {.item_size = sizeof(int32_t)},
                            .leaves = {.item_size = sizeof(int32_t)},
                            .drawn = {.item_size = sizeof(uint64_t)},
                            .numbers = {.item_size = sizeof(int32_t)},
                            .rows = {.item_size = sizeof(float)}};
}

void pli_drawing_free(PliDrawing *drawing, const PliantHost *host)
{
    pli_array_free(&drawing->fragments, host);
    pli_array_free(&drawing->stack, host);
    pli_array_free(&drawing->leaves, host);
    pli_array_free(&drawing->drawn, host);
    pli_array_free(&drawing->numbers, host);
    pli_array_free(&drawing->rows, host);
}

PliTile pli_tile_of(const PliantView *view, int64_t number)
{
    const int64_t across = pli_div_up(view->width, PLI_TILE);
    const int32_t column = PLI_TILE * (int32_t)(number % across);
    const int32_t row = PLI_TILE * (int32_t)(number / across);
    return (PliTile){column, row, view->width - column < PLI_TILE ? view->width - column : PLI_TILE,
                     view->height - row < PLI_TILE ? view->height - row : PLI_TILE};
}

/* Can a scale be used in floats? */
static bool is_moderate(double scale)
{
    return scale < 0x1p120 && scale > 0x1p-120;
}

static PliPicture picture_of(const PliantView *view, const PliTile *tile)
{
    PliPicture picture = {.begin = {tile->column, tile->row},
                          .end = {tile->column + tile->width, tile->row + tile->height},
                          .whole = {view->width, view->height},
                          .reach = {-INFINITY, INFINITY}};
    for (int side = 0; side < 3; side++) {
        picture.axes[side] = pli_view_axis(view, side);
        picture.low_ends[side] = view->box.low[picture.axes[side]];
        picture.high_ends[side] = view->box.high[picture.axes[side]];
    }
    for (int side = 0; side < 2; side++) {
        picture.low[side] = view->box.low[picture.axes[side]];
        picture.scale[side] = 1 / pli_pixel_size(view, side);
        picture.box_low[side] = view->box.low[picture.axes[side]];
        picture.box_scale[side] = is_moderate(picture.scale[side]) ? (float)picture.scale[side] : 1;
        const double size = pli_pixel_size(view, side), low = picture.low[side];
        picture.low_ends[side] = (float)(low + size * picture.begin[side]);
        picture.high_ends[side] = (float)(low + size * picture.end[side]);
    }
    const double depth = (double)picture.high_ends[2] - picture.low_ends[2];
    picture.depth_scale = is_moderate(1 / depth) ? (float)(1 / depth) : 1;
    return picture;
}

/* How much larger boxes are to be taken, in pixels. If that is too much for floats, all is seen.
 * Boxes of pieces are rounded to the nearest floats, and a line is no float. */
static float slack_of(const PliPicture *picture, const PliPose *pose)
{
    const PliBox *root = &pose->bounds.root;
    float slack = SLACK;
    for (int side = 0; side < 2; side++) {
        const double scale = picture->scale[side];
        const int axis = picture->axes[side];
        const double size = fmax(fabs((double)root->low[axis]), fabs((double)root->high[axis]));
        if (!is_moderate(scale))
            return INFINITY;
        if (pose->pieces)
            slack += (float)(0x1p-22 * size * scale);
    }
    return slack;
}

/* ---- Which leaves ----------------------------------------------------------------------------
 */

static PliantResult push(PliArray *parts, const PliantHost *host, int32_t part)
{
    void *room;
    PLI_TRY(pli_array_push(parts, host, 1, &room));
    *(int32_t *)room = part;
    return PLIANT_OK;
}

/* The children of a node that are over the picture: leaves to the leaves, nodes on the stack. */
static PliantResult open_node(PliDrawing *drawing, PliPose *pose, int32_t node,
                              const PliViewQuery *look, PliWorker *worker)
{
    const PliBoxes *boxes = pli_bounds_of(&pose->bounds, node, worker, PLI_SIDE_A);
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    const int32_t *children = pose->bounds.tree->nodes[node].children;
    uint32_t bits =
        worker->kernels->visible_boxes(&look->picture, boxes->low[0], 8, look->node_slack);
    for (; bits; bits &= bits - 1) {
        const int32_t child = children[__builtin_ctz(bits)];
        PLI_TRY(push(child < 0 ? &drawing->leaves : &drawing->stack, worker->host,
                     child < 0 ? ~child : child));
    }
    return PLIANT_OK;
}

static PliantResult find_leaves(PliDrawing *drawing, PliPose *pose, const PliViewQuery *look,
                                PliWorker *worker)
{
    const PliTree *tree = pose->bounds.tree;
    drawing->stack.count = drawing->leaves.count = 0;
    if (tree->leaf_count == 0)
        return PLIANT_OK;
    PLI_TRY(push(tree->node_count > 0 ? &drawing->stack : &drawing->leaves, worker->host, 0));
    while (drawing->stack.count > 0) {
        const int32_t node = ((int32_t *)drawing->stack.items)[--drawing->stack.count];
        PLI_TRY(open_node(drawing, pose, node, look, worker));
    }
    return PLIANT_OK;
}

/* Room for a bit for each triangle, none of which is set between one look and the next. */
static PliantResult make_room(PliDrawing *drawing, const PliPose *pose, const PliantHost *host)
{
    PliArray *drawn = &drawing->drawn;
    const int64_t words = pli_div_up(pose->number_count, 64);
    if (!pose->pieces || words <= drawn->count)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(drawn, host, words));
    memset((uint64_t *)drawn->items + drawn->count, 0,
           (size_t)(words - drawn->count) * sizeof(uint64_t));
    drawn->count = words;
    return PLIANT_OK;
}

static void forget_drawn(PliDrawing *drawing)
{
    const int32_t *numbers = drawing->numbers.items;
    for (int64_t i = 0; i < drawing->numbers.count; i++)
        ((uint64_t *)drawing->drawn.items)[numbers[i] / 64] = 0;
    drawing->numbers.count = 0;
}

/* Of the positions of a leaf whose bits are set, leaves those whose triangles were not drawn
 * before. */
static PliantResult leave_new(PliDrawing *drawing, const PliPose *pose, int32_t leaf,
                              const PliantHost *host, uint32_t *bits)
{
    uint64_t *drawn = drawing->drawn.items;
    const int32_t first = pose->bounds.tree->leaves[leaf].first;
    uint32_t fresh = 0;
    for (; *bits; *bits &= *bits - 1) {
        const int32_t i = __builtin_ctz(*bits);
        const int32_t triangle = pose->pieces[first + i].triangle;
        const uint64_t bit = UINT64_C(1) << triangle % 64;
        if (drawn[triangle / 64] & bit)
            continue;
        PLI_TRY(push(&drawing->numbers, host, triangle));
        drawn[triangle / 64] |= bit;
        fresh |= 1u << i;
    }
    *bits = fresh;
    return PLIANT_OK;
}

/* ---- Which triangles -------------------------------------------------------------------------
 */

/* The pixels of a triangle in a box, at most: those of the tile, or those between the ends of the
 * box, whichever are less. */
static int64_t pixels_in(const PliPicture *picture, const PliBox *box)
{
    int64_t count = 1;
    for (int side = 0; side < 2; side++) {
        const int32_t whole = picture->end[side] - picture->begin[side];
        const int axis = picture->axes[side];
        const double size = ((double)box->high[axis] - box->low[axis]) * picture->scale[side] + 2;
        count *= size < whole ? (int32_t)size : whole;
    }
    return count;
}

/* Does the box begin in the part of the picture that is drawn? It does so in one tile only. */
static bool begins_here(const PliPicture *picture, const PliBox *box)
{
    for (int side = 0; side < 2; side++) {
        if (picture->begin[side] == 0 && picture->end[side] == picture->whole[side])
            continue;
        const double x =
            ((double)box->low[picture->axes[side]] - picture->low[side]) * picture->scale[side];
        const bool is_after = picture->begin[side] == 0 || x >= picture->begin[side];
        const bool is_before = picture->end[side] == picture->whole[side] || x < picture->end[side];
        if (!is_after || !is_before)
            return false;
    }
    return true;
}

/* Adds what walls may hide, and prisms. */
static void note_leaf(const PliViewQuery *look, const float *rows, const PliLeafBoxes *boxes,
                      int32_t count, const PliKernels *kernels)
{
    float hidden[PLI_LEAF_SIZE], prisms[PLI_PRISMS];
    const bool is_first = look->prisms && begins_here(&look->picture, &boxes->all);
    uint32_t walls =
        kernels->find_walls(&look->picture, rows, boxes, count, hidden, is_first ? prisms : NULL);
    walls &= (2u << (count - 1)) - 1;
    for (; walls; walls &= walls - 1)
        *look->hidden += hidden[__builtin_ctz(walls)];
    for (int i = 0; i < PLI_PRISMS && is_first; i++)
        look->prisms[i] += (double)prisms[i];
}

static PliantResult see_leaf(PliDrawing *drawing, PliPose *pose, int32_t leaf,
                             const PliViewQuery *look, PliWorker *worker, PliSeen *seen)
{
    const PliPicture *picture = &look->picture;
    PliLeafBoxes boxes;
    pli_pose_fetch(pose, leaf, worker, PLI_SIDE_A, seen->rows, &boxes);
    seen->bits = worker->kernels->visible_boxes(picture, boxes.low[0], PLI_LEAF_SIZE, look->slack);
    seen->max_pixels = seen->bits ? pixels_in(picture, &boxes.all) : 0;
    PliantResult result = PLIANT_OK;
    if (pose->pieces) { /* that is the box of pieces, but they are drawn whole */
        result = leave_new(drawing, pose, leaf, worker->host, &seen->bits);
        seen->max_pixels =
            (int64_t)(picture->end[0] - picture->begin[0]) * (picture->end[1] - picture->begin[1]);
    }
    seen->max_pixels *= __builtin_popcount(seen->bits);
    if (look->hidden)
        note_leaf(look, seen->rows, &boxes, pose->bounds.tree->leaves[leaf].count, worker->kernels);
    return result;
}

/* Takes all triangles over the picture, leaf by leaf; what comes next is asked for meanwhile. */
PliantResult pli_see_all(PliDrawing *drawing, PliPose *pose, const PliViewQuery *look,
                         PliWorker *worker)
{
    enum { LATER = 8, NEXT = 3 };
    PliSeen seen = {0}; /* there may be rows that are never written */
    PliantResult result = find_leaves(drawing, pose, look, worker);
    if (result == PLIANT_OK)
        result = make_room(drawing, pose, worker->host);
    const int64_t count = drawing->leaves.count, step = pli_phases_leaf_step(count);
    const int32_t triangle_step = pli_phases_triangle_step(count);
    int64_t next_phase = look->phases ? 0 : count;
    for (int64_t i = 0; i < count && result == PLIANT_OK; i++) {
        const int32_t *leaves = drawing->leaves.items;
        if (i + LATER < count)
            pose->kind->prefetch(pose, leaves[i + LATER], leaves[i + NEXT]);
        result = see_leaf(drawing, pose, leaves[i], look, worker, &seen);
        if (i == next_phase) {
            next_phase += step;
            pli_phases_add(look->phases, &look->picture, seen.rows,
                           pose->bounds.tree->leaves[leaves[i]].count, triangle_step);
        }
        if (result == PLIANT_OK && seen.bits)
            result = look->take(&seen, &look->picture, worker, look->to);
    }
    forget_drawn(drawing);
    return result;
}

/* ---- Fragments ---------------------------------------------------------------------------------
 */

static PliantResult draw_seen(const PliSeen *seen, const PliPicture *picture, PliWorker *worker,
                              void *to)
{
    PliArray *fragments = to;
    const int64_t most = fragments->count + seen->max_pixels + PLI_LEAF_SIZE;
    PliantResult result =
        most <= fragments->capacity ? PLIANT_OK : pli_array_reserve(fragments, worker->host, most);
    if (result == PLIANT_OK)
        fragments->count += worker->kernels->draw_triangles(
            picture, seen->rows, seen->bits, (PliFragment *)fragments->items + fragments->count);
    return result;
}

/* From which end a closed body is best seen: the one that less of it is beyond, which the paper
 * calls the outside face. What is beyond the other end is not needed: lines begin outside, and all
 * that counts is what they intersect before they have left the box. */
static PliEnds best_ends(const PliPose *pose, bool is_closed, const PliantView *view)
{
    const int axis = (int)view->axis;
    const double before = (double)view->box.low[axis] - pose->bounds.root.low[axis];
    const double behind = (double)pose->bounds.root.high[axis] - view->box.high[axis];
    if (!is_closed || pose->pieces)
        return PLI_ENDS_ALL;
    return before <= behind ? PLI_ENDS_LOW : PLI_ENDS_HIGH;
}

/* Is all of a body in the box of a view, and its triangles found once each? */
static bool is_whole(const PliPose *pose, const PliantView *view, const PliPicture *picture)
{
    const PliBox *root = &pose->bounds.root;
    bool is_inside = !pose->pieces && is_moderate(picture->scale[0]) &&
                     is_moderate(picture->scale[1]) && picture->depth_scale != 1;
    for (int k = 0; k < 3; k++)
        is_inside &= root->low[k] >= view->box.low[k] && root->high[k] <= view->box.high[k];
    return is_inside;
}

PliantResult pli_draw(PliDrawing *drawing, PliPose *pose, bool is_closed, const PliantView *view,
                      const PliTile *tile, PliWorker *worker)
{
    PliViewQuery look = {picture_of(view, tile), .hidden = &drawing->hidden, .take = draw_seen,
                         .to = &drawing->fragments};
    look.slack = slack_of(&look.picture, pose);
    look.node_slack = look.slack + 0.5f; /* walls between lines are to be found too */
    drawing->ends = best_ends(pose, is_closed, view);
    if (drawing->ends == PLI_ENDS_LOW)
        look.picture.reach[1] = view->box.high[view->axis];
    if (drawing->ends == PLI_ENDS_HIGH)
        look.picture.reach[0] = view->box.low[view->axis];
    drawing->fragments.count = 0;
    drawing->hidden = 0;
    drawing->is_whole = is_whole(pose, view, &look.picture);
    memset(drawing->prisms, 0, sizeof drawing->prisms);
    drawing->phases = (PliPhases){0};
    look.phases = &drawing->phases;
    look.prisms = drawing->is_whole ? drawing->prisms : NULL;
    return pli_see_all(drawing, pose, &look, worker);
}

/* ---- Triangles ---------------------------------------------------------------------------------
 */

static PliantResult list_seen(const PliSeen *seen, const PliPicture *picture, PliWorker *worker,
                              void *to)
{
    (void)picture;
    PliArray *list = to;
    PLI_TRY(pli_array_reserve(list, worker->host,
                              list->count + PLI_ROW_SIZE * __builtin_popcount(seen->bits)));
    for (uint32_t bits = seen->bits; bits; bits &= bits - 1) {
        const float *row = seen->rows + (size_t)PLI_ROW_SIZE * (size_t)__builtin_ctz(bits);
        if (!pli_is_finite(row, PLI_ROW_SIZE))
            continue;
        memcpy((float *)list->items + list->count, row, PLI_ROW_SIZE * sizeof(float));
        list->count += PLI_ROW_SIZE;
    }
    return PLIANT_OK;
}

PliantResult pli_list_triangles(PliDrawing *drawing, PliPose *pose, const PliantView *view,
                                PliWorker *worker)
{
    PliViewQuery look = {picture_of(view, &(PliTile){0, 0, view->width, view->height}),
                         .take = list_seen, .to = &drawing->rows};
    look.slack = look.node_slack = slack_of(&look.picture, pose) + 0.5f; /* any part of a pixel */
    drawing->rows.count = 0;
    return pli_see_all(drawing, pose, &look, worker);
}
