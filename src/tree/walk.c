/* The simultaneous walk: see walk.h. */
#include "tree/walk.h"
#include "tree/steps.h"

#include <string.h>

void pli_walk_init(PliWalk *walk)
{
    *walk = (PliWalk){.stack = {.item_size = sizeof(PliTreePartPair)},
                      .level = {.item_size = sizeof(PliTreePartPair)}};
}

void pli_walk_free(PliWalk *walk, const PliantHost *host)
{
    pli_array_free(&walk->stack, host);
    pli_array_free(&walk->level, host);
}

void pli_walk_start_part(PliWalk *walk, PliBounds *a, PliBounds *b)
{
    walk->a = a;
    walk->b = b;
    walk->is_one_enough = false;
    walk->distance = 0;
    walk->long_parts = NULL;
    walk->new_leaves = walk->new_children = NULL;
    walk->stack.count = 0;
    bool has_more = a->extra_kind == b->extra_kind && a->extra_size == b->extra_size;
    walk->extra_kind = has_more ? a->extra_kind : PLI_EXTRA_NONE;
}

/* Starts at the roots, if this box overlaps that of b. */
static PliantResult start_at_roots(PliWalk *walk, const PliBox *a_root, const PliantHost *host)
{
    if (!pli_box_overlaps(a_root, &walk->b->root))
        return PLIANT_OK;
    const PliTreePartPair roots = {walk->a->tree->node_count == 0 ? ~0 : 0,
                                   walk->b->tree->node_count == 0 ? ~0 : 0, -1, -1};
    return pli_walk_add(walk, &roots, 1, host);
}

PliantResult pli_walk_start(PliWalk *walk, PliBounds *a, PliBounds *b, bool is_one_enough,
                            const PliantHost *host)
{
    pli_walk_start_part(walk, a, b);
    walk->is_one_enough = is_one_enough;
    return start_at_roots(walk, &a->root, host);
}

PliantResult pli_walk_start_near(PliWalk *walk, PliBounds *a, PliBounds *b, float distance,
                                 const PliantHost *host)
{
    pli_walk_start_part(walk, a, b);
    walk->distance = distance;
    const PliBox root = pli_box_widened(&a->root, distance);
    return start_at_roots(walk, &root, host);
}

/* One side of a step: the children of a part that is opened, or the part itself as one of eight. */
typedef struct Side {
    const PliBoxes *boxes; /* NULL: there is no memory for them */
    const int32_t *children;
    int32_t slot;  /* of the boxes, or -1 */
    int32_t home;  /* of child 0 */
    uint32_t mask; /* which of the eight take part */
    int32_t count; /* how many of them there are */
} Side;

/* Storage for the side of a part that is not opened. */
typedef struct Lone {
    PliBoxes box;
    int32_t children[8];
} Lone;

static Side opened(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    const PliBoxes *boxes = pli_bounds_of(bounds, node, worker, side);
    int32_t slot = bounds->node_slots[node].slot;
    return (Side){boxes, bounds->tree->nodes[node].children,   slot, 8 * slot,
                  0xff,  bounds->tree->nodes[node].child_count};
}

/* The part as a child of its parent, whose bounds are in memory: the walk reached the part through
 * it. */
static Side kept(const PliBounds *bounds, int32_t part, int32_t home, Lone *lone)
{
    int32_t slot = home / 8;
    lone->children[home % 8] = part;
    return (Side){pli_boxes_at(bounds, slot), lone->children, slot, 8 * slot, 1u << home % 8, 1};
}

/* A root has no parent to be a child of. */
static Side alone(const PliBounds *bounds, int32_t part, Lone *lone)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++)
            lone->box.low[k][i] = lone->box.high[k][i] = NAN;
        lone->box.low[k][0] = bounds->root.low[k];
        lone->box.high[k][0] = bounds->root.high[k];
    }
    lone->children[0] = part;
    return (Side){&lone->box, lone->children, -1, -1, 1, 1};
}

/* Returns nothing: what a function returns in memory is copied in wider pieces than it was written
 * in, and waits for that. */
static void set_side(PliBounds *bounds, int32_t part, int32_t home, bool is_opened, Lone *lone,
                     PliWorker *worker, PliSide number, Side *side)
{
    if (part >= 0 && is_opened)
        *side = opened(bounds, part, worker, number);
    else
        *side = home >= 0 ? kept(bounds, part, home, lone) : alone(bounds, part, lone);
}

/* The size of a part: the sum of the sides of its box. */
static float extent(const PliBounds *bounds, int32_t home)
{
    const PliBoxes *boxes = home < 0 ? NULL : pli_boxes_at(bounds, home / 8);
    float extent = 0;
    for (int k = 0; k < 3; k++)
        extent += boxes ? boxes->high[k][home % 8] - boxes->low[k][home % 8]
                        : bounds->root.high[k] - bounds->root.low[k];
    return extent;
}

/* Which children of a side contain something new. */
static uint32_t new_of(const PliWalk *walk, const Side *side, int32_t part, bool is_opened)
{
    if (part >= 0 && is_opened)
        return walk->new_children[part];
    return (part < 0 ? walk->new_leaves[~part] : walk->new_children[part]) ? side->mask : 0;
}

/* Of pairs whose boxes overlap, those whose extra bounds overlap too. */
static uint64_t overlap_extra(const PliWalk *walk, const PliKernels *kernels, const Side *a,
                              const Side *b, uint64_t bits)
{
    if (a->slot < 0 || b->slot < 0)
        return bits;
    const float *a_extra = pli_extra_at(walk->a, a->slot),
                *b_extra = pli_extra_at(walk->b, b->slot);
    return walk->extra_kind == PLI_EXTRA_BALLS
               ? kernels->overlap_balls(a_extra, b_extra, bits)
               : kernels->overlap_slabs(a_extra, b_extra, walk->a->extra_size / (2 * PLI_GROUP),
                                        bits);
}

/* Which bounds of a side are not wholly on one side of the plane. */
static uint32_t overlap_plane(const PliPlane *plane, const PliBounds *bounds, const Side *side)
{
    const PliPlaneSides sides = pli_plane_sides(plane, bounds, side->boxes, side->slot);
    return ~(sides.above | sides.below) & 0xff;
}

/* Clears the pairs of those children of a that lie in a plane with bounds of b wholly on one side
 * of it. Neighboring parts have the same plane as a rule. */
static uint64_t overlap_planes(PliWalk *walk, const PliBounds *bounds_a, const Side *a,
                               const PliBounds *bounds_b, const Side *b, uint64_t bits)
{
    int32_t last = -1;
    uint32_t intersecting = 0, tested = 0;
    for (int i = 0; i < 8; i++) {
        const uint32_t row = bits >> 8 * i & 0xff;
        if (!row)
            continue;
        int32_t part = a->children[i];
        int32_t plane = pli_plane_of(bounds_a, part);
        if (plane < 0)
            continue;
        if (plane != last) {
            last = plane;
            tested = 0;
            const PliPlane wide = pli_plane_widened(&bounds_a->planes[plane], walk->distance);
            intersecting =
                overlap_plane(walk->distance > 0 ? &wide : &bounds_a->planes[plane], bounds_b, b);
        }
        /* All eight were tested; those of the row are counted, once. */
        walk->plane_count += __builtin_popcount(row & ~tested);
        tested |= row;
        bits &= ~((uint64_t)(~intersecting & 0xff) << 8 * i);
    }
    return bits;
}

/* Adds the pairs of children: leaf pairs to `pairs`, all others to the stack. Both have room for 64
 * more. */
static void add_children(PliWalk *walk, const Side *a, const Side *b, uint64_t bits,
                         PliArray *pairs)
{
    PliLeafPair *leaf_end = (PliLeafPair *)pairs->items + pairs->count;
    PliTreePartPair *tree_part_end = (PliTreePartPair *)walk->stack.items + walk->stack.count;
    for (; bits; bits &= bits - 1) {
        int bit = __builtin_ctzll(bits), i = bit / 8, j = bit % 8;
        int32_t child_a = a->children[i], child_b = b->children[j];
        if ((child_a & child_b) < 0)
            *leaf_end++ = (PliLeafPair){~child_a, ~child_b};
        else
            *tree_part_end++ = (PliTreePartPair){child_a, child_b, a->home + i, b->home + j};
    }
    pairs->count = leaf_end - (PliLeafPair *)pairs->items;
    walk->stack.count = tree_part_end - (PliTreePartPair *)walk->stack.items;
}

/* The depth of the overlap of two boxes: the least over the axes. */
static float depth(const PliBoxes *a, int i, const PliBoxes *b, int j)
{
    float least = INFINITY;
    for (int k = 0; k < 3; k++) {
        float up = a->high[k][i] - b->low[k][j], down = b->high[k][j] - a->low[k][i];
        float here = up < down ? up : down;
        least = here < least ? here : least;
    }
    return least;
}

/* The same with the deepest pair last: the stack visits it first. */
static void add_deepest_last(PliWalk *walk, const Side *a, const Side *b, uint64_t bits,
                             PliArray *pairs)
{
    uint64_t deepest = 0;
    float most = -INFINITY;
    for (uint64_t rest = bits; rest; rest &= rest - 1) {
        int bit = __builtin_ctzll(rest);
        float here = depth(a->boxes, bit / 8, b->boxes, bit % 8);
        if (here > most) {
            most = here;
            deepest = (uint64_t)1 << bit;
        }
    }
    add_children(walk, a, b, bits & ~deepest, pairs);
    add_children(walk, a, b, deepest, pairs);
}

/* ---- One step ------------------------------------------------------------------------------- */

/* A pair of parts that is taken from the stack, and what it is opened to. */
typedef struct Step {
    PliTreePartPair pair;
    bool opens_a, opens_b;
    Side a, b;
    Lone a_lone, b_lone;
} Step;

/* Reserves what one step can add: 64 pairs to either array. A step that fails must leave everything
 * as it was, so this comes first. */
static PliantResult reserve_step(PliWalk *walk, const PliantHost *host, PliArray *pairs)
{
    enum { MAX_ADDED = 64 };
    PliArray *stack = &walk->stack;
    if (PLI_LIKELY(stack->capacity - stack->count >= MAX_ADDED &&
                   pairs->capacity - pairs->count >= MAX_ADDED))
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(stack, host, stack->count + MAX_ADDED));
    return pli_array_reserve(pairs, host, pairs->count + MAX_ADDED);
}

/* Opens the parts of the last pair of the stack, which stays there. False if there is no memory for
 * their bounds. */
static bool open_step(PliWalk *walk, PliWorker *worker, Step *step)
{
    const PliSide b_side = walk->a == walk->b ? PLI_SIDE_A : PLI_SIDE_B;
    const PliTreePartPair pair =
        ((const PliTreePartPair *)walk->stack.items)[walk->stack.count - 1];
    const float a_extent = extent(walk->a, pair.a_home), b_extent = extent(walk->b, pair.b_home);
    step->pair = pair;
    step->opens_a = pair.b < 0 || !(b_extent > PLI_FAR_LARGER * a_extent);
    step->opens_b = pair.a < 0 || !(a_extent > PLI_FAR_LARGER * b_extent);
    set_side(walk->a, pair.a, pair.a_home, step->opens_a, &step->a_lone, worker, PLI_SIDE_A,
             &step->a);
    set_side(walk->b, pair.b, pair.b_home, step->opens_b, &step->b_lone, worker, b_side, &step->b);
    if (PLI_UNLIKELY(!step->a.boxes || !step->b.boxes))
        return false;
    if (walk->a == walk->b && step->a.slot >= 0) /* making room for b may have moved them */
        step->a.boxes = pli_boxes_at(walk->a, step->a.slot);
    return true;
}

/* Bit 8 i + j for child i of a and child j of b: those that have to be visited, of all whose boxes
 * overlap. */
static uint64_t wanted_pairs(const PliWalk *walk, const Step *step, uint64_t bits)
{
    const Side *a = &step->a, *b = &step->b;
    if (walk->a == walk->b && step->pair.a == step->pair.b)
        bits &= PLI_ONCE;
    if ((a->mask & b->mask) != 0xff)
        bits &= pli_mask_of(a->mask, b->mask);
    if (walk->new_leaves)
        bits &= pli_mask_of(new_of(walk, a, step->pair.a, step->opens_a), 0xff) |
                pli_mask_of(0xff, new_of(walk, b, step->pair.b, step->opens_b));
    return bits;
}

/* The same for boxes within the distance of the walk. Balls and slabs would have to be widened too.
 */
static uint64_t find_near_boxes(const PliWalk *walk, const PliKernels *kernels, const Step *step)
{
    PliBoxes wide = *step->a.boxes;
    pli_widen(wide.low[0], wide.high[0], 3 * PLI_GROUP, walk->distance);
    return wanted_pairs(walk, step, kernels->overlap_nodes(&wide, step->b.boxes));
}

/* The same for boxes, then balls or slabs. */
static uint64_t find_boxes(const PliWalk *walk, const PliKernels *kernels, const Step *step)
{
    const Side *a = &step->a, *b = &step->b;
    const uint64_t bits = wanted_pairs(walk, step, kernels->overlap_nodes(a->boxes, b->boxes));
    return walk->extra_kind != PLI_EXTRA_NONE && bits != 0
               ? overlap_extra(walk, kernels, a, b, bits)
               : bits;
}

/* The same with all bounds, planes last: the cheapest first. */
static uint64_t find_pairs(PliWalk *walk, const PliKernels *kernels, const Step *step)
{
    const Side *a = &step->a, *b = &step->b;
    uint64_t bits =
        walk->distance > 0 ? find_near_boxes(walk, kernels, step) : find_boxes(walk, kernels, step);
    if (walk->a->planes && bits != 0)
        bits = overlap_planes(walk, walk->a, a, walk->b, b, bits);
    if (walk->b->planes && bits != 0)
        bits = pli_transposed(overlap_planes(walk, walk->b, b, walk->a, a, pli_transposed(bits)));
    return bits;
}

/* Is the last pair of the stack one of a leaf and a far smaller node? */
static bool is_last_long(const PliWalk *walk)
{
    const PliTreePartPair *pair =
        (const PliTreePartPair *)walk->stack.items + walk->stack.count - 1;
    if ((pair->a ^ pair->b) >= 0)
        return false;
    const float a = extent(walk->a, pair->a_home), b = extent(walk->b, pair->b_home);
    return pair->a < 0 ? a > PLI_FAR_LARGER * b : b > PLI_FAR_LARGER * a;
}

/* Moves it to the long parts. */
static PliantResult set_aside(PliWalk *walk, const PliantHost *host)
{
    void *end;
    PLI_TRY(pli_array_push(walk->long_parts, host, 1, &end));
    walk->stack.count--;
    memcpy(end, (const PliTreePartPair *)walk->stack.items + walk->stack.count,
           sizeof(PliTreePartPair));
    return PLIANT_OK;
}

/* Replaces the last pair of the stack by those of its children. */
static inline PliantResult step_once(PliWalk *walk, PliWorker *worker, PliArray *pairs)
{
    Step step;
    PLI_TRY(reserve_step(walk, worker->host, pairs));
    if (PLI_UNLIKELY(!open_step(walk, worker, &step)))
        return PLIANT_OUT_OF_MEMORY;
    walk->stack.count--;
    const uint64_t bits = find_pairs(walk, worker->kernels, &step);
    if (walk->is_one_enough)
        add_deepest_last(walk, &step.a, &step.b, bits, pairs);
    else
        add_children(walk, &step.a, &step.b, bits, pairs);
    walk->step_count++;
    walk->bound_count += step.a.count * step.b.count;
    return PLIANT_OK;
}

PliantResult pli_walk_on(PliWalk *walk, PliWorker *worker, int64_t wanted, PliArray *pairs)
{
    const int64_t end = pairs->count + wanted;
    while (walk->stack.count > 0 && pairs->count < end) {
        if (PLI_LIKELY(!walk->long_parts || !is_last_long(walk)))
            PLI_TRY(step_once(walk, worker, pairs));
        else if (walk->long_parts->count < wanted)
            PLI_TRY(set_aside(walk, worker->host));
        else
            break;
    }
    return PLIANT_OK;
}

/* ---- Walks that are divided ----------------------------------------------------------------- */

PliantResult pli_walk_widen(PliWalk *walk, PliWorker *worker, int64_t wanted, PliArray *pairs)
{
    PliArray *level = &walk->level;
    bool is_done = false; /* all that is left are long parts */
    while (!is_done && walk->stack.count > 0 && walk->stack.count < wanted) {
        const int64_t count = walk->stack.count;
        is_done = true;
        PLI_TRY(pli_array_reserve(level, worker->host, count));
        memcpy(level->items, walk->stack.items, (size_t)count * sizeof(PliTreePartPair));
        walk->stack.count = 0;
        for (int64_t i = 0; i < count; i++) {
            PLI_TRY(pli_walk_add(walk, (const PliTreePartPair *)level->items + i, 1, worker->host));
            if (walk->long_parts && is_last_long(walk))
                continue; /* the worker that gets it goes on */
            PLI_TRY(step_once(walk, worker, pairs));
            is_done = false;
        }
    }
    return PLIANT_OK;
}

PliantResult pli_walk_add(PliWalk *walk, const PliTreePartPair *pairs, int64_t count,
                          const PliantHost *host)
{
    void *room;
    PLI_TRY(pli_array_push(&walk->stack, host, count, &room));
    if (count > 0)
        memcpy(room, pairs, (size_t)count * sizeof *pairs);
    return PLIANT_OK;
}
