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
#include "base/tasks.h"
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
                            .notes = {.walls = {.item_size = sizeof(float)},
                                      .prisms = {.item_size = sizeof(float)},
                                      .samples = {.item_size = sizeof(PliSample)}},
                            .rows = {.item_size = sizeof(float)}};
    pli_seeing_init(&drawing->seeing);
}

void pli_drawing_free(PliDrawing *drawing, const PliantHost *host)
{
    pli_seeing_free(&drawing->seeing, host);
    pli_array_free(&drawing->fragments, host);
    pli_array_free(&drawing->notes.walls, host);
    pli_array_free(&drawing->notes.prisms, host);
    pli_array_free(&drawing->notes.samples, host);
    pli_array_free(&drawing->rows, host);
}

void pli_drawn_init(PliDrawn *drawn)
{
    *drawn =
        (PliDrawn){.lists = {.item_size = sizeof(PliFragments)},
                   .tree_parts = {{.item_size = sizeof(int32_t)}, {.item_size = sizeof(int32_t)}},
                   .leaves = {.item_size = sizeof(int32_t)},
                   .parts = {.item_size = sizeof(PliDrawPart)}};
}

void pli_drawn_free(PliDrawn *drawn, const PliantHost *host)
{
    pli_array_free(&drawn->lists, host);
    pli_array_free(&drawn->tree_parts[0], host);
    pli_array_free(&drawn->tree_parts[1], host);
    pli_array_free(&drawn->leaves, host);
    pli_array_free(&drawn->parts, host);
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

/* ---- Fragments ------------------------------------------------------------------------------- */

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

/* ---- In parts ----------------------------------------------------------------------------------
 *
 * A body is drawn in two steps: its leaves over the picture are found, and then drawn, some in each
 * part. Parts write to the drawing of their worker, and are collected in order: leaves, and with
 * them all sums, come in the order in which one worker finds them.
 */

/* What the parts of one body have in common. */
typedef struct Draw {
    PliDrawn *drawn;
    PliDrawing *drawings;
    PliPose *pose;
    PliViewQuery look;
    int32_t part_count;
    bool is_divided; /* leaves are drawn by several workers */
} Draw;

enum { PARTS_PER_WORKER = 8, LEAVES_OF_A_PART = 64 };

/* So many leaves are drawn by several workers. */
enum { MIN_DRAWN_LEAVES = 512 };

static PliantResult make_parts(Draw *draw, int64_t count, const PliantHost *host)
{
    PLI_TRY(pli_array_reserve(&draw->drawn->parts, host, count));
    draw->drawn->parts.count = count;
    draw->part_count = (int32_t)count;
    return PLIANT_OK;
}

static PliDrawPart *part_at(const Draw *draw, int32_t index)
{
    return (PliDrawPart *)draw->drawn->parts.items + index;
}

/* The first failure in order, whichever came first. */
static PliantResult failure_of(const Draw *draw)
{
    for (int32_t i = 0; i < draw->part_count; i++)
        PLI_TRY(part_at(draw, i)->result);
    return PLIANT_OK;
}

/* PliWork. Finds the leaves in some parts of the tree. */
static void find_in_part(void *data, int32_t index, PliWorker *worker)
{
    const Draw *draw = data;
    const PliArray *tree_parts = &draw->drawn->tree_parts[0];
    const int64_t begin = pli_part_begin(index, draw->part_count, tree_parts->count);
    const int64_t end = pli_part_begin(index + 1, draw->part_count, tree_parts->count);
    PliDrawing *drawing = &draw->drawings[worker->number];
    PliArray *leaves = &drawing->seeing.leaves;
    PliDrawPart *part = part_at(draw, index);
    *part = (PliDrawPart){.drawing = drawing, .leaves = {leaves->count, leaves->count}};
    for (int64_t i = begin; i < end && part->result == PLIANT_OK; i++)
        part->result = pli_see_part(&drawing->seeing, draw->pose,
                                    ((const int32_t *)tree_parts->items)[i], &draw->look, worker);
    part->leaves[1] = leaves->count;
}

/* Appends what a node is replaced by: its leaves, and then its nodes, the last one first, which is
 * how a stack hands them out. */
static PliantResult widen_node(Draw *draw, int32_t node, PliArray *next, PliWorker *worker)
{
    PliSeeing *seeing = &draw->drawings[worker->number].seeing;
    void *room;
    seeing->leaves.count = seeing->stack.count = 0;
    PLI_TRY(pli_see_children(seeing, draw->pose, node, &draw->look, worker));
    const int64_t leaf_count = seeing->leaves.count, node_count = seeing->stack.count;
    PLI_TRY(pli_array_push(next, worker->host, leaf_count + node_count, &room));
    int32_t *parts = room;
    for (int64_t i = 0; i < leaf_count; i++)
        *parts++ = ~((const int32_t *)seeing->leaves.items)[i];
    for (int64_t i = node_count; i-- > 0;)
        *parts++ = ((const PliVisitPart *)seeing->stack.items)[i].part;
    return PLIANT_OK;
}

/* Opens the tree level by level, until there are enough parts of it, or no nodes. */
static PliantResult widen(Draw *draw, int64_t wanted, PliWorker *worker)
{
    PliArray *parts = &draw->drawn->tree_parts[0], *next = &draw->drawn->tree_parts[1];
    bool has_nodes = parts->count > 0;
    while (has_nodes && parts->count < wanted) {
        next->count = 0;
        has_nodes = false;
        for (int64_t i = 0; i < parts->count; i++) {
            const int32_t part = ((const int32_t *)parts->items)[i];
            has_nodes |= part >= 0;
            void *room;
            if (part >= 0)
                PLI_TRY(widen_node(draw, part, next, worker));
            else {
                PLI_TRY(pli_array_push(next, worker->host, 1, &room));
                *(int32_t *)room = part;
            }
        }
        const PliArray kept = *parts;
        *parts = *next;
        *next = kept;
    }
    return PLIANT_OK;
}

/* Finds all leaves over the picture. */
static PliantResult find_leaves(Draw *draw, bool is_divided, PliWorker *worker)
{
    PliDrawn *drawn = draw->drawn;
    const PliTree *tree = draw->pose->bounds.tree;
    const int32_t crew = pli_worker_crew_count(worker);
    const int64_t wanted = is_divided ? (int64_t)PARTS_PER_WORKER * crew : 1;
    void *room;
    drawn->leaves.count = drawn->tree_parts[0].count = 0;
    if (tree->leaf_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_push(&drawn->tree_parts[0], worker->host, 1, &room));
    *(int32_t *)room = pli_whole_tree(tree);
    PLI_TRY(widen(draw, wanted, worker));
    PLI_TRY(make_parts(draw, wanted, worker->host));
    for (int32_t i = 0; i < crew; i++)
        draw->drawings[crew > 1 ? i : worker->number].seeing.leaves.count = 0;
    pli_worker_divide(worker, find_in_part, draw, draw->part_count);
    PLI_TRY(failure_of(draw));
    for (int32_t i = 0; i < draw->part_count; i++) {
        const PliDrawPart *part = part_at(draw, i);
        const int64_t count = part->leaves[1] - part->leaves[0];
        PLI_TRY(pli_array_push(&drawn->leaves, worker->host, count, &room));
        if (count > 0)
            memcpy(room, (const int32_t *)part->drawing->seeing.leaves.items + part->leaves[0],
                   (size_t)count * sizeof(int32_t));
    }
    return PLIANT_OK;
}

/* Between which pixels the fragments of a part are, for those who want some rows of a tile. */
static void find_ends(PliDrawPart *part)
{
    const PliantFragment *fragments = part->drawing->fragments.items;
    int32_t first = INT32_MAX, last = 0;
    for (int64_t i = part->fragments[0]; i < part->fragments[1]; i++) {
        const int32_t pixel = fragments[i].pixel;
        first = pixel < first ? pixel : first;
        last = pixel > last ? pixel : last;
    }
    part->first_pixel = first;
    part->last_pixel = last;
}

/* PliWork. Draws some of the leaves. */
static void draw_part(void *data, int32_t index, PliWorker *worker)
{
    const Draw *draw = data;
    const PliArray *leaves = &draw->drawn->leaves;
    const int64_t begin = pli_part_begin(index, draw->part_count, leaves->count);
    const int64_t end = pli_part_begin(index + 1, draw->part_count, leaves->count);
    PliDrawing *drawing = &draw->drawings[worker->number];
    const PliNotes *notes = &drawing->notes;
    PliDrawPart *part = part_at(draw, index);
    PliViewQuery look = draw->look;
    look.notes = &drawing->notes;
    look.to = &drawing->fragments;
    *part = (PliDrawPart){.drawing = drawing,
                          .fragments = {drawing->fragments.count},
                          .walls = {notes->walls.count},
                          .prisms = {notes->prisms.count},
                          .samples = {notes->samples.count},
                          .last_pixel = INT32_MAX};
    part->result = pli_see_leaves(&drawing->seeing, draw->pose, &look, leaves, begin, end, worker);
    part->fragments[1] = drawing->fragments.count;
    part->walls[1] = notes->walls.count;
    part->prisms[1] = notes->prisms.count;
    part->samples[1] = notes->samples.count;
    if (draw->is_divided)
        find_ends(part);
}

/* Adds up the notes of a part, term by term. */
static void add_notes(PliDrawn *drawn, const PliDrawPart *part, PliPhases *phases,
                      const PliPicture *picture)
{
    const PliNotes *notes = &part->drawing->notes;
    const float *walls = notes->walls.items, *prisms = notes->prisms.items;
    const PliSample *samples = notes->samples.items;
    const int32_t triangle_step = pli_phases_triangle_step(drawn->leaves.count);
    for (int64_t i = part->walls[0]; i < part->walls[1]; i++)
        drawn->hidden += walls[i];
    for (int64_t i = part->prisms[0]; i < part->prisms[1]; i += PLI_PRISMS)
        for (int k = 0; k < PLI_PRISMS; k++)
            drawn->prisms[k] += (double)prisms[i + k];
    for (int64_t i = part->samples[0]; i < part->samples[1]; i++)
        pli_phases_add(phases, picture, samples[i].rows, samples[i].count, triangle_step);
}

static void clear_notes(PliNotes *notes)
{
    notes->walls.count = notes->prisms.count = notes->samples.count = 0;
}

/* Draws all leaves. Triangles that are in several leaves are drawn once, which one part has to see
 * to. */
static PliantResult draw_leaves(Draw *draw, PliWorker *worker)
{
    PliDrawn *drawn = draw->drawn;
    const int64_t count = drawn->leaves.count;
    const int32_t crew = pli_worker_crew_count(worker);
    PliPhases phases = {0};
    PLI_TRY(make_parts(draw, draw->pose->pieces ? 1 : pli_div_up(count, LEAVES_OF_A_PART),
                       worker->host));
    PLI_TRY(pli_array_reserve(&drawn->lists, worker->host, draw->part_count));
    if (draw->is_divided) {
        for (int32_t i = 0; i < crew; i++)
            clear_notes(&draw->drawings[i].notes);
        pli_worker_divide(worker, draw_part, draw, draw->part_count);
    }
    for (int32_t i = 0; i < draw->part_count; i++) {
        if (!draw->is_divided) {
            clear_notes(&draw->drawings[worker->number].notes);
            draw_part(draw, i, worker);
        }
        PLI_TRY(part_at(draw, i)->result);
        add_notes(drawn, part_at(draw, i), &phases, &draw->look.picture);
        drawn->fragment_count += part_at(draw, i)->fragments[1] - part_at(draw, i)->fragments[0];
    }
    drawn->is_regular = pli_phases_are_regular(&phases);
    return PLIANT_OK;
}

static PliViewQuery look_of(const PliSubject *subject, const PliantView *view, const PliTile *tile,
                            PliEnds ends)
{
    PliViewQuery look = {picture_of(view, tile), .side = subject->side, .take = draw_seen};
    look.slack = slack_of(&look.picture, subject->pose);
    look.node_slack = look.slack + 0.5f; /* walls between lines are to be found too */
    if (ends == PLI_ENDS_LOW)
        look.picture.reach[1] = view->box.high[view->axis];
    if (ends == PLI_ENDS_HIGH)
        look.picture.reach[0] = view->box.low[view->axis];
    return look;
}

PliantResult pli_draw(PliDrawn *drawn, PliDrawing *drawings, const PliSubject *subject,
                      const PliantView *view, const PliTile *tile, bool divides_everything,
                      PliWorker *worker)
{
    PliPose *pose = subject->pose;
    const bool is_shared = pli_worker_crew_count(worker) > 1;
    drawn->ends = best_ends(pose, subject->is_closed, view);
    Draw draw = {.drawn = drawn,
                 .drawings = drawings,
                 .pose = pose,
                 .look = look_of(subject, view, tile, drawn->ends)};
    drawn->fragment_count = 0;
    drawn->hidden = 0;
    memset(drawn->prisms, 0, sizeof drawn->prisms);
    drawn->is_whole = is_whole(pose, view, &draw.look.picture);
    draw.look.has_prisms = drawn->is_whole;
    PLI_TRY(find_leaves(&draw,
                        is_shared && pose->bounds.tree->leaf_count >=
                                         (divides_everything ? 0 : PLI_MIN_WALKED_LEAVES),
                        worker));
    draw.look.sample_step = pli_phases_leaf_step(drawn->leaves.count);
    draw.is_divided =
        is_shared && drawn->leaves.count >= (divides_everything ? 0 : MIN_DRAWN_LEAVES);
    return draw_leaves(&draw, worker);
}

void pli_drawn_locate(PliDrawn *drawn, bool by_strips)
{
    PliDrawPart *parts = drawn->parts.items;
    PliFragments *lists = drawn->lists.items;
    drawn->lists.count = 0;
    for (int64_t i = 0; i < drawn->parts.count; i++) {
        const int64_t first = parts[i].fragments[0], count = parts[i].fragments[1] - first;
        if (by_strips && parts[i].last_pixel == INT32_MAX)
            find_ends(&parts[i]);
        if (count > 0)
            lists[drawn->lists.count++] =
                (PliFragments){(const PliantFragment *)parts[i].drawing->fragments.items + first,
                               count, parts[i].first_pixel, parts[i].last_pixel};
    }
}

/* ---- Triangles ------------------------------------------------------------------------------- */

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
    return pli_see_all(&drawing->seeing, pose, &look, worker);
}
