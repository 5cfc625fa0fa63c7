/* The walk of two trees in motion: see moving.h. */
#include "tree/moving.h"
#include "tree/steps.h"

void pli_moving_walk_init(PliMovingWalk *walk)
{
    *walk = (PliMovingWalk){.stack = {.item_size = sizeof(PliMovingPair)}};
}

void pli_moving_walk_free(PliMovingWalk *walk, const PliantHost *host)
{
    pli_array_free(&walk->stack, host);
}

static bool is_self(const PliMovingWalk *walk)
{
    return walk->a.start == walk->b.start;
}

static int32_t root_of(const PliMovingBounds *bounds)
{
    return bounds->start->tree->node_count == 0 ? ~0 : 0;
}

PliantResult pli_moving_walk_start(PliMovingWalk *walk, PliMovingBounds a, PliMovingBounds b,
                                   const PliantHost *host)
{
    walk->a = a;
    walk->b = b;
    walk->stack.count = 0;
    PLI_TRY(pli_array_reserve(&walk->stack, host, 1));
    ((PliMovingPair *)walk->stack.items)[0] = (PliMovingPair){root_of(&a), root_of(&b), -1, -1, 0};
    walk->stack.count = 1;
    return PLIANT_OK;
}

/* ---- The sides of a step ------------------------------------------------------------------- */

/* The children of a part that is opened, or the part itself as one of eight: which node has them,
 * and the boxes of that node at both ends. */
typedef struct Side {
    int32_t node;             /* or -1: the root alone, as child 0 */
    int32_t part;             /* what is not opened, or ... */
    bool is_opened;           /* all children of the node */
    uint32_t mask;            /* which of the eight take part */
    const PliBoxes *boxes[2]; /* at the start and at the end */
    PliBoxes room[2];         /* for boxes that are wider, or the root's */
} Side;

static Side side_of(int32_t part, int32_t home, bool is_opened)
{
    Side side;
    side.part = part;
    side.is_opened = part >= 0 && is_opened;
    side.node = side.is_opened ? part : home < 0 ? -1 : home / 8;
    side.mask = side.is_opened ? 0xff : home < 0 ? 1 : 1u << home % 8;
    return side;
}

/* Makes the bounds of the node hold at both ends. */
static bool reach(const PliMovingBounds *bounds, const Side *side, PliWorker *worker,
                  PliSide counted)
{
    return !side->is_opened || (pli_bounds_of(bounds->start, side->node, worker, counted) &&
                                (bounds->end == bounds->start ||
                                 pli_bounds_of(bounds->end, side->node, worker, counted)));
}

static void set_root(PliBoxes *boxes, const PliBox *root)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++)
            boxes->low[k][i] = boxes->high[k][i] = NAN;
        boxes->low[k][0] = root->low[k];
        boxes->high[k][0] = root->high[k];
    }
}

/* Once all nodes of a step are reached: their boxes stay where they are. */
static void find_boxes(const PliMovingBounds *bounds, Side *side, float distance)
{
    for (int end = 0; end < 2; end++) {
        const PliBounds *here = end ? bounds->end : bounds->start;
        PliBoxes *room = &side->room[end];
        side->boxes[end] = room;
        if (side->node < 0)
            set_root(room, &here->root);
        else
            side->boxes[end] = pli_boxes_at(here, here->node_slots[side->node].slot);
        if (!bounds->is_rounded && distance == 0)
            continue;
        *room = *side->boxes[end];
        side->boxes[end] = room;
        pli_widen(room->low[0], room->high[0], 3 * PLI_GROUP, distance);
    }
}

/* The size of a part at the start: the sum of the sides of its box. */
static float extent(const PliBounds *bounds, int32_t home)
{
    const PliBoxes *boxes =
        home < 0 ? NULL : pli_boxes_at(bounds, bounds->node_slots[home / 8].slot);
    float extent = 0;
    for (int k = 0; k < 3; k++)
        extent += boxes ? boxes->high[k][home % 8] - boxes->low[k][home % 8]
                        : bounds->root.high[k] - bounds->root.low[k];
    return extent;
}

static int32_t child_of(const PliMovingBounds *bounds, const Side *side, int i)
{
    return side->is_opened ? bounds->start->tree->nodes[side->node].children[i] : side->part;
}

/* ---- Planes --------------------------------------------------------------------------------
 *
 * What stands still and lies in a plane is not reached by what is wholly on one side of it at the
 * start, and on the same side at the end: on which side a point is changes evenly too.
 */

/* Which bounds of a side are not on one side of the plane at both ends. */
static uint32_t crossing(const PliPlane *plane, const PliMovingBounds *bounds, const Side *side)
{
    PliPlaneSides sides[2];
    for (int end = 0; end < 2; end++) {
        const PliBounds *here = end ? bounds->end : bounds->start;
        const int32_t slot = side->node < 0 ? -1 : here->node_slots[side->node].slot;
        sides[end] = pli_plane_sides(plane, here, side->boxes[end], slot);
    }
    return ~((sides[0].above & sides[1].above) | (sides[0].below & sides[1].below)) & 0xff;
}

/* Clears the pairs of those children of a that lie in a plane which those of b do not cross. */
static uint64_t cross_planes(const PliMovingWalk *walk, const PliMovingBounds *a,
                             const Side *a_side, const PliMovingBounds *b, const Side *b_side,
                             uint64_t bits)
{
    int32_t last = -1;
    uint32_t kept = 0xff;
    for (int i = 0; i < 8; i++) {
        if (!(bits >> 8 * i & 0xff))
            continue;
        const int32_t plane = pli_plane_of(a->start, child_of(a, a_side, i));
        if (plane < 0)
            continue;
        if (plane != last) {
            const PliPlane wide = pli_plane_widened(&a->start->planes[plane], walk->distance);
            last = plane;
            kept = crossing(walk->distance > 0 ? &wide : &a->start->planes[plane], b, b_side);
        }
        bits &= ~((uint64_t)(~kept & 0xff) << 8 * i);
    }
    return bits;
}

static bool has_still_planes(const PliMovingBounds *bounds)
{
    return bounds->start == bounds->end && bounds->start->planes;
}

/* ---- One step ------------------------------------------------------------------------------ */

static int32_t home_of(const Side *side, int i)
{
    return side->node < 0 ? -1 : 8 * side->node + i;
}

/* Moves the last pair of the stack to its place among those from `first` on: the later it may
 * overlap, the lower in the stack. */
static void sort_last(PliMovingPair *pairs, int64_t first, int64_t last)
{
    const PliMovingPair pair = pairs[last];
    for (; last > first && pairs[last - 1].time < pair.time; last--)
        pairs[last] = pairs[last - 1];
    pairs[last] = pair;
}

/* Adds the pairs of children: leaf pairs to `pairs`, all others to the stack. Both have room. */
static void add_children(PliMovingWalk *walk, const Side *a, const Side *b, uint64_t bits,
                         const float times[64], PliArray *pairs)
{
    PliMovingPair *stack = walk->stack.items;
    const int64_t first = walk->stack.count;
    for (; bits; bits &= bits - 1) {
        const int bit = __builtin_ctzll(bits), i = bit / 8, j = bit % 8;
        const int32_t child_a = child_of(&walk->a, a, i), child_b = child_of(&walk->b, b, j);
        if ((child_a & child_b) < 0) {
            ((PliMovingLeafPair *)pairs->items)[pairs->count++] =
                (PliMovingLeafPair){~child_a, ~child_b, times[bit]};
            continue;
        }
        stack[walk->stack.count] =
            (PliMovingPair){child_a, child_b, home_of(a, i), home_of(b, j), times[bit]};
        if (walk->is_earliest_wanted)
            sort_last(stack, first, walk->stack.count);
        walk->stack.count++;
    }
}

/* Replaces the last pair of the stack by those of its children. On failure it stays. */
static PliantResult step_once(PliMovingWalk *walk, PliWorker *worker, PliArray *pairs)
{
    enum { MAX_ADDED = 64 };
    const PliSide b_counted = is_self(walk) ? PLI_SIDE_A : PLI_SIDE_B;
    PLI_TRY(pli_array_reserve(&walk->stack, worker->host, walk->stack.count + MAX_ADDED));
    PLI_TRY(pli_array_reserve(pairs, worker->host, pairs->count + MAX_ADDED));
    const PliMovingPair pair = ((const PliMovingPair *)walk->stack.items)[walk->stack.count - 1];
    const float a_extent = extent(walk->a.start, pair.a_home),
                b_extent = extent(walk->b.start, pair.b_home);
    Side a = side_of(pair.a, pair.a_home, pair.b < 0 || !(b_extent > PLI_FAR_LARGER * a_extent)),
         b = side_of(pair.b, pair.b_home, pair.a < 0 || !(a_extent > PLI_FAR_LARGER * b_extent));
    if (!reach(&walk->a, &a, worker, PLI_SIDE_A) || !reach(&walk->b, &b, worker, b_counted))
        return PLIANT_OUT_OF_MEMORY;
    find_boxes(&walk->a, &a, walk->distance);
    find_boxes(&walk->b, &b, 0);
    float times[64];
    uint64_t bits = worker->kernels->overlap_moving((PliMovingBoxes){a.boxes[0], a.boxes[1]},
                                                    (PliMovingBoxes){b.boxes[0], b.boxes[1]},
                                                    walk->until, times);
    if (is_self(walk) && pair.a == pair.b)
        bits &= PLI_ONCE;
    if ((a.mask & b.mask) != 0xff)
        bits &= pli_mask_of(a.mask, b.mask);
    if (has_still_planes(&walk->a) && bits != 0)
        bits = cross_planes(walk, &walk->a, &a, &walk->b, &b, bits);
    if (has_still_planes(&walk->b) && bits != 0)
        bits = pli_transposed(cross_planes(walk, &walk->b, &b, &walk->a, &a, pli_transposed(bits)));
    walk->stack.count--;
    walk->step_count++;
    add_children(walk, &a, &b, bits, times, pairs);
    return PLIANT_OK;
}

PliantResult pli_moving_walk_on(PliMovingWalk *walk, PliWorker *worker, int64_t wanted,
                                PliArray *pairs)
{
    const int64_t end = pairs->count + wanted;
    while (walk->stack.count > 0 && pairs->count < end) {
        const PliMovingPair *last =
            (const PliMovingPair *)walk->stack.items + walk->stack.count - 1;
        if (last->time > walk->until)
            walk->stack.count--;
        else
            PLI_TRY(step_once(walk, worker, pairs));
    }
    return PLIANT_OK;
}
