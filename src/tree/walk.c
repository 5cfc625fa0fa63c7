/* The simultaneous walk: see walk.h.
 *
 * A step is written once. What differs in motion depends on `moves`, a constant in each copy that
 * the compiler makes: a walk of trees that stand still reads and writes nothing of a second end. */
#include "tree/walk.h"
#include "geom/gaps.h"

#include <string.h>

#define TEMPLATE static inline __attribute__((always_inline))

/* A part that is this much larger than the other is opened alone: otherwise each of its large
 * children would be compared with all small ones. */
#define FAR_LARGER 4.0f

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

/* Extra bounds at one end say nothing about a step, and would have to be widened for a reach. */
void pli_walk_start_part(PliWalk *walk, const PliWalkDef *def)
{
    const PliBounds *a = def->a.start, *b = def->b.start;
    const bool has_extra = !def->has_times && !(def->reach > 0) && a->extra_kind == b->extra_kind &&
                           a->extra_size == b->extra_size;
    walk->def = *def;
    walk->extra_kind = has_extra ? a->extra_kind : PLI_EXTRA_NONE;
    walk->long_parts = NULL;
    walk->new_leaves = walk->new_children = NULL;
    walk->stack.count = 0;
}

static int32_t root_of(const PliMovingBounds *bounds)
{
    return bounds->start->tree->node_count == 0 ? ~0 : 0;
}

PliantResult pli_walk_start(PliWalk *walk, const PliWalkDef *def, const PliantHost *host)
{
    const PliBox *a_root = &def->a.start->root, *b_root = &def->b.start->root;
    const PliBox root = def->reach > 0 ? pli_box_widened(a_root, def->reach) : *a_root;
    const float gap = def->has_gaps ? pli_gap(a_root, b_root) : 0;
    const PliTreePartPair roots = {root_of(&def->a), root_of(&def->b), PLI_ROOT_HOME, PLI_ROOT_HOME,
                                   gap};
    pli_walk_start_part(walk, def);
    if (def->has_gaps ? !(gap <= def->until) : !def->has_times && !pli_box_overlaps(&root, b_root))
        return PLIANT_OK;
    return pli_walk_add(walk, &roots, 1, host);
}

static bool is_self(const PliWalk *walk)
{
    return walk->def.a.start == walk->def.b.start;
}

static const PliTreePartPair *last_pair(const PliWalk *walk)
{
    return (const PliTreePartPair *)walk->stack.items + walk->stack.count - 1;
}

/* ---- The sides of a step -------------------------------------------------------------------- */

/* The children of a part that is opened, or the part itself as one of eight. */
typedef struct Side {
    const PliBoxes *boxes[2]; /* at the start and, if it moves, at the end */
    int32_t slots[2];         /* of the boxes, or -1: likewise */
    const int32_t *children;
    int32_t home;      /* of child 0 */
    uint32_t mask;     /* which of the eight take part */
    int32_t count;     /* how many of them there are */
    PliBoxes roots[2]; /* room for the box of a root, at both ends, */
    int32_t lone[8];   /* and for a part that is not opened */
} Side;

/* From home / 8 to the slot. Slots of one node differ at both ends, so a home in motion names the
 * node; without motion it names the slot, which saves this load. */
TEMPLATE int32_t slot_at(const PliBounds *bounds, int32_t place, const bool moves)
{
    return moves && place >= 0 ? bounds->node_slots[place].slot : place;
}

/* The size of a part: the sum of the sides of its box. */
TEMPLATE float extent(const PliBounds *bounds, int32_t home, const bool moves)
{
    const PliBoxes *boxes =
        home < 0 ? NULL : pli_boxes_at(bounds, slot_at(bounds, home / 8, moves));
    float extent = 0;
    for (int k = 0; k < 3; k++)
        extent += boxes ? boxes->high[k][home % 8] - boxes->low[k][home % 8]
                        : bounds->root.high[k] - bounds->root.low[k];
    return extent;
}

/* A root has no parent to be a child of. */
static const PliBoxes *root_alone(const PliBox *root, PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++)
            boxes->low[k][i] = boxes->high[k][i] = NAN;
        boxes->low[k][0] = root->low[k];
        boxes->high[k][0] = root->high[k];
    }
    return boxes;
}

/* Makes the bounds of a node hold at both ends. */
TEMPLATE bool hold(const PliMovingBounds *bounds, int32_t node, PliWorker *worker, PliSide side,
                   const bool moves)
{
    return pli_bounds_hold(bounds->start, node, worker, side) &&
           (!moves || bounds->end == bounds->start ||
            pli_bounds_hold(bounds->end, node, worker, side));
}

/* Runs once all nodes of a step hold: boxes stay where they are from then on. Writes in place:
 * returning this struct by value causes a store-forwarding stall. */
TEMPLATE void set_side(const PliMovingBounds *bounds, int32_t part, int32_t home, bool is_opened,
                       Side *side, const bool moves)
{
    int32_t place = home / 8;
    if (is_opened) {
        const PliTreeNode *node = &bounds->start->tree->nodes[part];
        place = moves ? part : bounds->start->node_slots[part].slot;
        side->children = node->children;
        side->mask = 0xff;
        side->count = node->child_count;
    } else {
        side->lone[home % 8] = part;
        side->children = side->lone;
        side->mask = 1u << home % 8;
        side->count = 1;
    }
    side->home = 8 * place;
    for (int end = 0; end < (moves ? 2 : 1); end++) {
        const PliBounds *here = end ? bounds->end : bounds->start;
        const int32_t slot = side->slots[end] = slot_at(here, place, moves);
        side->boxes[end] =
            slot >= 0 ? pli_boxes_at(here, slot) : root_alone(&here->root, &side->roots[end]);
    }
}

/* ---- Which children overlap ------------------------------------------------------------------
 *
 * As bits 8 i + j for child i of a and child j of b. */

/* A pair of parts that is taken from the stack, and what it is opened to. */
typedef struct Step {
    PliTreePartPair pair;
    bool opens_a, opens_b;
    Side a, b;
} Step;

/* The bits with j >= i: of pairs within one part, each two of its children once. */
#define ONCE UINT64_C(0x80c0e0f0f8fcfeff)

/* The bits with i in a and j in b. */
static uint64_t mask_of(uint32_t a, uint32_t b)
{
    uint64_t mask = 0;
    for (int i = 0; i < 8; i++)
        mask |= (uint64_t)(a >> i & 1 ? b : 0) << (8 * i);
    return mask;
}

/* Bit 8 i + j to bit 8 j + i. */
static uint64_t transposed(uint64_t bits)
{
    uint64_t change = (bits ^ bits >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    bits ^= change ^ change << 7;
    change = (bits ^ bits >> 14) & UINT64_C(0x0000cccc0000cccc);
    bits ^= change ^ change << 14;
    change = (bits ^ bits >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return bits ^ change ^ change << 28;
}

/* The boxes, or wider ones in `room`. */
static const PliBoxes *widened(const PliBoxes *boxes, bool is_wider, float distance, PliBoxes *room)
{
    if (PLI_LIKELY(!is_wider))
        return boxes;
    *room = *boxes;
    pli_widen(room->low[0], room->high[0], 3 * PLI_GROUP, distance);
    return room;
}

/* All whose boxes overlap, and in motion from when on. */
TEMPLATE uint64_t overlap_boxes(const PliWalkDef *def, const PliKernels *kernels, const Side *a,
                                const Side *b, float times[64], const bool moves)
{
    const bool is_a_wider = def->reach > 0 || (moves && def->a.is_rounded),
               is_b_wider = moves && def->b.is_rounded;
    PliBoxes room[4];
    const PliBoxes *a_start = widened(a->boxes[0], is_a_wider, def->reach, &room[0]),
                   *b_start = widened(b->boxes[0], is_b_wider, 0, &room[1]);
    if (!moves)
        return kernels->overlap_nodes(a_start, b_start);
    const PliMovingBoxes a_moving = {a_start,
                                     widened(a->boxes[1], is_a_wider, def->reach, &room[2])},
                         b_moving = {b_start, widened(b->boxes[1], is_b_wider, 0, &room[3])};
    return kernels->overlap_moving(a_moving, b_moving, def->until, times);
}

/* Which children of a side contain something new. */
static uint32_t new_of(const PliWalk *walk, const Side *side, int32_t part, bool is_opened)
{
    if (is_opened)
        return walk->new_children[part];
    return (part < 0 ? walk->new_leaves[~part] : walk->new_children[part]) ? side->mask : 0;
}

/* Of these, those that have to be visited. */
static inline uint64_t wanted_pairs(const PliWalk *walk, const Step *step, uint64_t bits)
{
    const Side *a = &step->a, *b = &step->b;
    if (is_self(walk) && step->pair.a == step->pair.b)
        bits &= ONCE;
    if ((a->mask & b->mask) != 0xff)
        bits &= mask_of(a->mask, b->mask);
    if (walk->new_leaves)
        bits &= mask_of(new_of(walk, a, step->pair.a, step->opens_a), 0xff) |
                mask_of(0xff, new_of(walk, b, step->pair.b, step->opens_b));
    return bits;
}

/* Of pairs whose boxes overlap, those whose extra bounds overlap too. */
static uint64_t overlap_extra(const PliWalk *walk, const PliKernels *kernels, const Side *a,
                              const Side *b, uint64_t bits)
{
    if (a->slots[0] < 0 || b->slots[0] < 0)
        return bits;
    const PliBounds *bounds_a = walk->def.a.start, *bounds_b = walk->def.b.start;
    const float *a_extra = pli_extra_at(bounds_a, a->slots[0]),
                *b_extra = pli_extra_at(bounds_b, b->slots[0]);
    return walk->extra_kind == PLI_EXTRA_BALLS
               ? kernels->overlap_balls(a_extra, b_extra, bits)
               : kernels->overlap_slabs(a_extra, b_extra, bounds_a->extra_size / (2 * PLI_GROUP),
                                        bits);
}

/* On which sides of a plane the bounds of a side are at one end: balls if there are any. */
static PliPlaneSides plane_sides(const PliPlane *plane, const PliBounds *bounds, const Side *side,
                                 int end)
{
    if (bounds->extra_kind == PLI_EXTRA_BALLS && side->slots[end] >= 0)
        return pli_plane_sides_of_balls(plane, pli_extra_at(bounds, side->slots[end]));
    return pli_plane_sides_of_boxes(plane, side->boxes[end]);
}

/* Which bounds of a side are not wholly on one side of the plane. In motion they have to be there
 * at both ends, and are then there in between: a point's distance from the plane changes evenly. */
static uint32_t overlap_plane(const PliPlane *plane, const PliMovingBounds *bounds,
                              const Side *side)
{
    PliPlaneSides sides = plane_sides(plane, bounds->start, side, 0);
    if (bounds->end != bounds->start) {
        const PliPlaneSides at_end = plane_sides(plane, bounds->end, side, 1);
        sides.above &= at_end.above;
        sides.below &= at_end.below;
    }
    return ~(sides.above | sides.below) & 0xff;
}

/* Planes are known where they are at the start: they serve if they stand still. */
static bool has_planes(const PliMovingBounds *bounds)
{
    return bounds->start->planes && bounds->start == bounds->end;
}

/* Clears the pairs of those children of a that lie in a plane with bounds of b wholly on one side
 * of it. Neighboring parts have the same plane as a rule. */
static uint64_t overlap_planes(PliWalk *walk, const PliBounds *bounds_a, const Side *a,
                               const PliMovingBounds *bounds_b, const Side *b, uint64_t bits)
{
    const float reach = walk->def.reach;
    int32_t last = -1;
    uint32_t intersecting = 0, tested = 0;
    for (int i = 0; i < 8; i++) {
        const uint32_t row = bits >> 8 * i & 0xff;
        if (!row)
            continue;
        const int32_t part = a->children[i];
        const int32_t plane = part < 0 ? bounds_a->leaf_planes[~part] : bounds_a->node_planes[part];
        if (plane < 0)
            continue;
        if (plane != last) {
            last = plane;
            tested = 0;
            const PliPlane wide = pli_plane_widened(&bounds_a->planes[plane], reach);
            intersecting = overlap_plane(reach > 0 ? &wide : &bounds_a->planes[plane], bounds_b, b);
        }
        /* All eight were tested; those of the row are counted, once. */
        walk->plane_count += __builtin_popcount(row & ~tested);
        tested |= row;
        bits &= ~((uint64_t)(~intersecting & 0xff) << 8 * i);
    }
    return bits;
}

/* Those that have to be visited, by all bounds, the cheapest first. */
TEMPLATE uint64_t find_pairs(PliWalk *walk, const PliKernels *kernels, const Step *step,
                             float times[64], const bool moves)
{
    const PliWalkDef *def = &walk->def;
    const Side *a = &step->a, *b = &step->b;
    uint64_t bits = wanted_pairs(walk, step, overlap_boxes(def, kernels, a, b, times, moves));
    if (!moves && walk->extra_kind != PLI_EXTRA_NONE && bits != 0)
        bits = overlap_extra(walk, kernels, a, b, bits);
    if (has_planes(&def->a) && bits != 0)
        bits = overlap_planes(walk, def->a.start, a, &def->b, b, bits);
    if (has_planes(&def->b) && bits != 0)
        bits = transposed(overlap_planes(walk, def->b.start, b, &def->a, a, transposed(bits)));
    return bits;
}

/* With gaps: those whose gap is not too large, and all gaps. Unused children have none. */
static uint64_t find_gaps(const PliWalk *walk, const Step *step, float gaps[64])
{
    const PliBoxes *a = step->a.boxes[0], *b = step->b.boxes[0];
    uint64_t bits = 0;
    for (uint32_t rest = step->a.mask; rest; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        const float low[3] = {a->low[0][i], a->low[1][i], a->low[2][i]},
                    high[3] = {a->high[0][i], a->high[1][i], a->high[2][i]};
        pli_gaps(low, high, b->low[0], b->high[0], PLI_GROUP, gaps + PLI_GROUP * i);
        for (int j = PLI_GROUP * i; j < PLI_GROUP * (i + 1); j++)
            bits |= (uint64_t)(gaps[j] <= walk->def.until) << j;
    }
    return wanted_pairs(walk, step, bits);
}

/* ---- What is added --------------------------------------------------------------------------- */

/* Moves the last pair to its place among those from `first` on: the later it may overlap, the lower
 * in the stack. */
static void sort_last(const PliTreePartPair *first, PliTreePartPair *last)
{
    const PliTreePartPair pair = *last;
    for (; last > first && last[-1].time < pair.time; last--)
        *last = last[-1];
    *last = pair;
}

/* The last pair of a heap, to which it was just added, moves to its place. */
static void lift_last(PliTreePartPair *heap, int64_t last)
{
    const PliTreePartPair pair = heap[last];
    int64_t i = last;
    for (; i > 0 && heap[(i - 1) / 2].time > pair.time; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = pair;
}

/* The first pair of a heap moves to the end, and all before it are a heap again. */
static void move_first_last(PliTreePartPair *heap, int64_t last)
{
    const PliTreePartPair first = heap[0], moved = heap[last];
    int64_t i = 0;
    for (int64_t child = 1; child < last; child = 2 * i + 1) {
        child += child + 1 < last && heap[child + 1].time < heap[child].time;
        if (!(heap[child].time < moved.time))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
    heap[last] = first;
}

/* Adds the pairs of children: leaf pairs to `pairs`, all others to the stack. Both have room for 64
 * more. With gaps leaf pairs wait in the heap too. */
TEMPLATE void add_children(PliWalk *walk, const Side *a, const Side *b, uint64_t bits,
                           const float times[64], PliArray *pairs, const bool moves,
                           const bool has_gaps)
{
    PliLeafPair *leaf_pairs = pairs->items;
    PliMovingLeafPair *moving_leaf_pairs = pairs->items;
    int64_t leaf_count = pairs->count;
    PliTreePartPair *const first = (PliTreePartPair *)walk->stack.items + walk->stack.count;
    PliTreePartPair *tree_part_end = first;
    for (; bits; bits &= bits - 1) {
        int bit = __builtin_ctzll(bits), i = bit / 8, j = bit % 8;
        int32_t child_a = a->children[i], child_b = b->children[j];
        const float time = moves || has_gaps ? times[bit] : 0;
        if (!has_gaps && (child_a & child_b) < 0) {
            if (moves)
                moving_leaf_pairs[leaf_count++] = (PliMovingLeafPair){~child_a, ~child_b, time};
            else
                leaf_pairs[leaf_count++] = (PliLeafPair){~child_a, ~child_b};
            continue;
        }
        *tree_part_end++ = (PliTreePartPair){child_a, child_b, a->home + i, b->home + j, time};
        if (moves && walk->def.is_best_first)
            sort_last(first, tree_part_end - 1);
        if (has_gaps)
            lift_last(walk->stack.items, walk->stack.count + (tree_part_end - first) - 1);
    }
    pairs->count = leaf_count;
    walk->stack.count += tree_part_end - first;
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
        float here = depth(a->boxes[0], bit / 8, b->boxes[0], bit % 8);
        if (here > most) {
            most = here;
            deepest = (uint64_t)1 << bit;
        }
    }
    add_children(walk, a, b, bits & ~deepest, NULL, pairs, false, false);
    add_children(walk, a, b, deepest, NULL, pairs, false, false);
}

/* ---- One step ------------------------------------------------------------------------------- */

/* Reserves what one step can add: 64 pairs to either array. A step that fails must leave everything
 * as it was, so this comes first. */
static inline PliantResult reserve_step(PliWalk *walk, const PliantHost *host, PliArray *pairs)
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
TEMPLATE bool open_step(PliWalk *walk, PliWorker *worker, Step *step, const bool moves)
{
    const PliMovingBounds *a = &walk->def.a, *b = &walk->def.b;
    const PliSide b_side = is_self(walk) ? PLI_SIDE_A : PLI_SIDE_B;
    const PliTreePartPair pair = *last_pair(walk);
    const float a_extent = extent(a->start, pair.a_home, moves),
                b_extent = extent(b->start, pair.b_home, moves);
    const bool opens_a = pair.a >= 0 && (pair.b < 0 || !(b_extent > FAR_LARGER * a_extent)),
               opens_b = pair.b >= 0 && (pair.a < 0 || !(a_extent > FAR_LARGER * b_extent));
    if (PLI_UNLIKELY((opens_a && !hold(a, pair.a, worker, PLI_SIDE_A, moves)) ||
                     (opens_b && !hold(b, pair.b, worker, b_side, moves))))
        return false;
    step->pair = pair;
    step->opens_a = opens_a;
    step->opens_b = opens_b;
    set_side(a, pair.a, pair.a_home, opens_a, &step->a, moves);
    set_side(b, pair.b, pair.b_home, opens_b, &step->b, moves);
    return true;
}

/* Replaces the last pair of the stack by those of its children. On failure it stays. */
TEMPLATE PliantResult step_once(PliWalk *walk, PliWorker *worker, PliArray *pairs, const bool moves)
{
    Step step;
    float times[64];
    if (moves && last_pair(walk)->time > walk->def.until) {
        walk->stack.count--;
        return PLIANT_OK;
    }
    PLI_TRY(reserve_step(walk, worker->host, pairs));
    if (PLI_UNLIKELY(!open_step(walk, worker, &step, moves)))
        return PLIANT_OUT_OF_MEMORY;
    walk->stack.count--;
    const uint64_t bits = find_pairs(walk, worker->kernels, &step, times, moves);
    if (!moves && walk->def.is_best_first)
        add_deepest_last(walk, &step.a, &step.b, bits, pairs);
    else
        add_children(walk, &step.a, &step.b, bits, times, pairs, moves, false);
    walk->step_count++;
    walk->bound_count += step.a.count * step.b.count;
    return PLIANT_OK;
}

/* The same with gaps and the first pair of the heap: two leaves go to `pairs`. */
static PliantResult step_by_gap(PliWalk *walk, PliWorker *worker, PliArray *pairs)
{
    PliArray *heap = &walk->stack;
    const PliTreePartPair first = *(const PliTreePartPair *)heap->items;
    Step step;
    float gaps[64];
    if (first.time > walk->def.until) {
        heap->count = 0; /* none is less */
        return PLIANT_OK;
    }
    PLI_TRY(reserve_step(walk, worker->host, pairs));
    move_first_last(heap->items, heap->count - 1);
    if ((first.a & first.b) < 0) {
        ((PliLeafPair *)pairs->items)[pairs->count++] = (PliLeafPair){~first.a, ~first.b};
        heap->count--;
        return PLIANT_OK;
    }
    if (PLI_UNLIKELY(!open_step(walk, worker, &step, false))) {
        lift_last(heap->items, heap->count - 1);
        return PLIANT_OUT_OF_MEMORY;
    }
    heap->count--;
    const uint64_t bits = find_gaps(walk, &step, gaps);
    add_children(walk, &step.a, &step.b, bits, gaps, pairs, false, true);
    walk->step_count++;
    walk->bound_count += step.a.count * step.b.count;
    return PLIANT_OK;
}

/* ---- All steps ------------------------------------------------------------------------------ */

/* Is the last pair of the stack one of a leaf and a far smaller node? */
static bool is_last_long(const PliWalk *walk)
{
    const PliTreePartPair *pair = last_pair(walk);
    const PliBounds *bounds_a = walk->def.a.start, *bounds_b = walk->def.b.start;
    const bool moves = walk->def.has_times;
    if ((pair->a ^ pair->b) >= 0)
        return false;
    const float a = extent(bounds_a, pair->a_home, moves),
                b = extent(bounds_b, pair->b_home, moves);
    return pair->a < 0 ? a > FAR_LARGER * b : b > FAR_LARGER * a;
}

/* Moves it to the long parts. */
static PliantResult set_aside(PliWalk *walk, const PliantHost *host)
{
    void *end;
    PLI_TRY(pli_array_push(walk->long_parts, host, 1, &end));
    memcpy(end, last_pair(walk), sizeof(PliTreePartPair));
    walk->stack.count--;
    return PLIANT_OK;
}

TEMPLATE PliantResult go_on(PliWalk *walk, PliWorker *worker, int64_t wanted, PliArray *pairs,
                            const bool moves)
{
    const int64_t end = pairs->count + wanted;
    while (walk->stack.count > 0 && pairs->count < end) {
        if (PLI_LIKELY(!walk->long_parts || !is_last_long(walk)))
            PLI_TRY(step_once(walk, worker, pairs, moves));
        else if (walk->long_parts->count < wanted)
            PLI_TRY(set_aside(walk, worker->host));
        else
            break;
    }
    return PLIANT_OK;
}

PliantResult pli_walk_on(PliWalk *walk, PliWorker *worker, int64_t wanted, PliArray *pairs)
{
    if (walk->def.has_gaps)
        return pli_walk_is_done(walk) ? PLIANT_OK : step_by_gap(walk, worker, pairs);
    return walk->def.has_times ? go_on(walk, worker, wanted, pairs, true)
                               : go_on(walk, worker, wanted, pairs, false);
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
            PLI_TRY(walk->def.has_times ? step_once(walk, worker, pairs, true)
                                        : step_once(walk, worker, pairs, false));
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
