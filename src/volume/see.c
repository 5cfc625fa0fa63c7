/* Which triangles of a body are over a picture: see see.h.
 *
 * One tree is walked against one picture. A part is visited if its box has the line of a pixel
 * between its ends, both ways; draw.c says why no triangle is lost. */
#include "volume/volume.h"

#include <string.h>

void pli_seeing_init(PliSeeing *seeing)
{
    *seeing = (PliSeeing){.stack = {.item_size = sizeof(PliVisitPart)},
                          .leaves = {.item_size = sizeof(int32_t)},
                          .drawn = {.item_size = sizeof(uint64_t)},
                          .numbers = {.item_size = sizeof(int32_t)}};
}

void pli_seeing_free(PliSeeing *seeing, const PliantHost *host)
{
    pli_array_free(&seeing->stack, host);
    pli_array_free(&seeing->leaves, host);
    pli_array_free(&seeing->drawn, host);
    pli_array_free(&seeing->numbers, host);
}

/* ---- Which leaves ---------------------------------------------------------------------------- */

static PliantResult push(PliArray *parts, const PliantHost *host, int32_t part)
{
    void *room;
    PLI_TRY(pli_array_push(parts, host, 1, &room));
    *(int32_t *)room = part;
    return PLIANT_OK;
}

/* The query is asked whether it goes on after so many nodes, or after so much work with leaves: one
 * for each pixel that a triangle may have, and LEAF_WORK for a leaf. Measured: less than 2 ms. */
enum { NODES_OF_A_TURN = 256, LEAF_WORK = 1024, WORK_OF_A_TURN = 1 << 18 };

typedef struct Visit {
    PliSeeing *seeing;
    const PliViewQuery *look;
    PliWorker *worker;
    int32_t node_count; /* so far */
} Visit;

/* PliVisitor. */
static PliantResult choose(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits)
{
    Visit *visit = data;
    (void)node, (void)children;
    *bits = visit->worker->kernels->visible_boxes(&visit->look->picture, boxes->low[0], PLI_GROUP,
                                                  visit->look->node_slack);
    return ++visit->node_count % NODES_OF_A_TURN == 0 ? pli_worker_check(visit->worker) : PLIANT_OK;
}

static PliantResult add_leaf(void *data, const PliVisitPart *leaf)
{
    const Visit *visit = data;
    return push(&visit->seeing->leaves, visit->worker->host, ~leaf->part);
}

static const PliVisitor SEEING = {.choose = choose, .leaf = add_leaf};

PliantResult pli_see_children(PliSeeing *seeing, PliPose *pose, int32_t node,
                              const PliViewQuery *look, PliWorker *worker)
{
    Visit visit = {seeing, look, worker, 0};
    const PliVisitPart part = {.part = node};
    return pli_visit_open(&seeing->stack, &pose->bounds, &part, worker, look->side, &SEEING,
                          &visit);
}

PliantResult pli_see_part(PliSeeing *seeing, PliPose *pose, int32_t part, const PliViewQuery *look,
                          PliWorker *worker)
{
    Visit visit = {seeing, look, worker, 0};
    return pli_visit(&seeing->stack, &pose->bounds, (PliVisitPart){.part = part}, worker,
                     look->side, &SEEING, &visit);
}

/* ---- Divided triangles ----------------------------------------------------------------------- */

/* Room for a bit for each triangle, none of which is set between one look and the next. */
static PliantResult make_room(PliSeeing *seeing, const PliPose *pose, const PliantHost *host)
{
    PliArray *drawn = &seeing->drawn;
    const int64_t words = pli_div_up(pose->number_count, 64);
    if (!pose->pieces || words <= drawn->count)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(drawn, host, words));
    memset((uint64_t *)drawn->items + drawn->count, 0,
           (size_t)(words - drawn->count) * sizeof(uint64_t));
    drawn->count = words;
    return PLIANT_OK;
}

static void forget_drawn(PliSeeing *seeing)
{
    const int32_t *numbers = seeing->numbers.items;
    for (int64_t i = 0; i < seeing->numbers.count; i++)
        ((uint64_t *)seeing->drawn.items)[numbers[i] / 64] = 0;
    seeing->numbers.count = 0;
}

/* Of the positions of a leaf whose bits are set, leaves those whose triangles were not drawn
 * before. */
static PliantResult leave_new(PliSeeing *seeing, const PliPose *pose, int32_t leaf,
                              const PliantHost *host, uint32_t *bits)
{
    uint64_t *drawn = seeing->drawn.items;
    const int32_t first = pose->bounds.tree->leaves[leaf].first;
    uint32_t fresh = 0;
    for (; *bits; *bits &= *bits - 1) {
        const int32_t i = __builtin_ctz(*bits);
        const int32_t triangle = pose->pieces[first + i].triangle;
        const uint64_t bit = UINT64_C(1) << triangle % 64;
        if (drawn[triangle / 64] & bit)
            continue;
        PLI_TRY(push(&seeing->numbers, host, triangle));
        drawn[triangle / 64] |= bit;
        fresh |= 1u << i;
    }
    *bits = fresh;
    return PLIANT_OK;
}

/* ---- Notes ----------------------------------------------------------------------------------- */

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

/* Notes what walls may hide, and prisms. */
static PliantResult note_leaf(const PliViewQuery *look, const float *rows,
                              const PliLeafBoxes *boxes, int32_t count, const PliWorker *worker)
{
    PliNotes *notes = look->notes;
    float hidden[PLI_LEAF_SIZE];
    PLI_TRY(
        pli_array_reserve_spare(&notes->walls, worker->host, notes->walls.count + PLI_LEAF_SIZE));
    PLI_TRY(
        pli_array_reserve_spare(&notes->prisms, worker->host, notes->prisms.count + PLI_PRISMS));
    float *all_walls = notes->walls.items, *all_prisms = notes->prisms.items;
    const bool is_first = look->has_prisms && begins_here(&look->picture, &boxes->all);
    uint32_t walls =
        worker->kernels->find_walls(&look->picture, rows, boxes, count, hidden,
                                    is_first ? all_prisms + notes->prisms.count : NULL);
    notes->prisms.count += is_first ? PLI_PRISMS : 0;
    walls &= (2u << (count - 1)) - 1;
    for (; walls; walls &= walls - 1)
        all_walls[notes->walls.count++] = hidden[__builtin_ctz(walls)];
    return PLIANT_OK;
}

static PliantResult note_sample(PliNotes *notes, const float *rows, int32_t count,
                                const PliantHost *host)
{
    void *room;
    PLI_TRY(pli_array_push(&notes->samples, host, 1, &room));
    PliSample *sample = room;
    memcpy(sample->rows, rows, (size_t)count * PLI_ROW_SIZE * sizeof *rows);
    sample->count = count;
    return PLIANT_OK;
}

/* ---- Which triangles ------------------------------------------------------------------------- */

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

static PliantResult see_leaf(PliSeeing *seeing, PliPose *pose, int32_t leaf,
                             const PliViewQuery *look, PliWorker *worker, PliSeen *seen)
{
    const PliPicture *picture = &look->picture;
    PliLeafBoxes boxes;
    pli_pose_fetch(pose, leaf, worker, look->side, seen->rows, &boxes);
    seen->bits = worker->kernels->visible_boxes(picture, boxes.low[0], PLI_LEAF_SIZE, look->slack);
    seen->max_pixels = seen->bits ? pixels_in(picture, &boxes.all) : 0;
    if (pose->pieces) { /* that is the box of pieces, but they are drawn whole */
        PLI_TRY(leave_new(seeing, pose, leaf, worker->host, &seen->bits));
        seen->max_pixels =
            (int64_t)(picture->end[0] - picture->begin[0]) * (picture->end[1] - picture->begin[1]);
    }
    seen->max_pixels *= __builtin_popcount(seen->bits);
    if (!look->notes)
        return PLIANT_OK;
    return note_leaf(look, seen->rows, &boxes, pose->bounds.tree->leaves[leaf].count, worker);
}

/* Leaf by leaf; what comes next is asked for meanwhile. */
static PliantResult see_range(PliSeeing *seeing, PliPose *pose, const PliViewQuery *look,
                              const PliArray *all, int64_t begin, int64_t end, PliWorker *worker)
{
    enum { LATER = 8, NEXT = 3 };
    const int32_t *leaves = all->items;
    PliSeen seen = {0}; /* there may be rows that are never written */
    const int64_t step = look->notes ? look->sample_step : 1;
    int64_t next_sample = look->notes ? pli_round_up(begin, step) : end, work = 0;
    PLI_TRY(make_room(seeing, pose, worker->host));
    for (int64_t i = begin; i < end; i++) {
        if (i + LATER < all->count)
            pose->kind->prefetch(pose, leaves[i + LATER], leaves[i + NEXT]);
        PLI_TRY(see_leaf(seeing, pose, leaves[i], look, worker, &seen));
        if (i == next_sample) {
            next_sample += step;
            PLI_TRY(note_sample(look->notes, seen.rows, pose->bounds.tree->leaves[leaves[i]].count,
                                worker->host));
        }
        if (seen.bits)
            PLI_TRY(look->take(&seen, &look->picture, worker, look->to));
        work += LEAF_WORK + seen.max_pixels;
        if (work >= WORK_OF_A_TURN) {
            PLI_TRY(pli_worker_check(worker));
            work = 0;
        }
    }
    return PLIANT_OK;
}

PliantResult pli_see_leaves(PliSeeing *seeing, PliPose *pose, const PliViewQuery *look,
                            const PliArray *all, int64_t begin, int64_t end, PliWorker *worker)
{
    const PliantResult result = see_range(seeing, pose, look, all, begin, end, worker);
    forget_drawn(seeing);
    return result;
}

PliantResult pli_see_all(PliSeeing *seeing, PliPose *pose, const PliViewQuery *look,
                         PliWorker *worker)
{
    const PliTree *tree = pose->bounds.tree;
    seeing->leaves.count = 0;
    if (tree->leaf_count > 0)
        PLI_TRY(pli_see_part(seeing, pose, pli_whole_tree(tree), look, worker));
    return pli_see_leaves(seeing, pose, look, &seeing->leaves, 0, seeing->leaves.count, worker);
}
