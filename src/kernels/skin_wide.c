/* Bounds of skinned vertices, along one axis at a time. See skin.h.
 *
 * A vector holds the ends of some children. With sixteen lanes these are all eight, the high ends
 * in the lower half and the opposites of the low ends in the upper one. With eight or four lanes
 * they are as many children, in one of the two directions. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

#include <math.h>

/* In WebAssembly a record that a call is given is in memory, and the choice between ends is made
 * again for each joint: 7 % of a frame of characters. Elsewhere the compiler decides. */
#if defined(__wasm__)
#define INLINED static inline __attribute__((always_inline))
#else
#define INLINED static inline
#endif

/* The reaches of this many joints are kept; those of further ones are computed twice. */
enum { MAX_KEPT = 64 };

/* Which ends a vector holds. */
typedef struct Lanes {
    const PliSkinnedNode *node;
    int axis, child; /* the first one */
    bool is_high;    /* where there is one direction at a time */
} Lanes;

#if PLI_LANES == 16

/* The group of all children, for both directions; and the group `high` for the high ends, `low` for
 * the low ones. */
static inline Floats load_same(const Lanes *lanes, const float *group)
{
    (void)lanes;
    return (Floats)_mm512_broadcast_f32x8(_mm256_loadu_ps(group));
}

static inline Floats load_ends(const Lanes *lanes, const float *high, const float *low)
{
    (void)lanes;
    __m512 ends = _mm512_castps256_ps512(_mm256_loadu_ps(high));
    return (Floats)_mm512_insertf32x8(ends, _mm256_loadu_ps(low), 1);
}

/* Opposites of low ends: then each lane is to hold the greatest number. */
static inline Floats turn(const Lanes *lanes, Floats ends)
{
    (void)lanes;
    const Ints signs = {0,         0,         0,         0,         0,         0,
                        0,         0,         INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN,
                        INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    return (Floats)((Ints)ends ^ signs);
}

#else

static inline Floats load_same(const Lanes *lanes, const float *group)
{
    return load_floats(group + lanes->child);
}

static inline Floats load_ends(const Lanes *lanes, const float *high, const float *low)
{
    return load_floats((lanes->is_high ? high : low) + lanes->child);
}

static inline Floats turn(const Lanes *lanes, Floats ends)
{
    return lanes->is_high ? ends : -ends;
}

#endif

/* The weights and slabs of one of the node's joints. */
static inline const float *part_of(const PliSkinnedNode *node, int32_t j)
{
    return node->parts + (size_t)PLI_GROUP * (size_t)(2 + 2 * node->slab_count) * (size_t)j;
}

/* Ends of slabs at rest. */
INLINED Floats ends_at_rest(const Lanes *lanes, const float *part, const PliSlabSum *sum, int i)
{
    const PliSkinnedNode *node = lanes->node;
    const int32_t high = PLI_GROUP * sum->high[i], low = PLI_GROUP * sum->low[i];
    if (!node->moves)
        return load_ends(lanes, part + 2 * PLI_GROUP + high, part + 2 * PLI_GROUP + low);
    const Floats moves = load_ends(lanes, node->moves + high, node->moves + low);
    if (node->has_only_moves)
        return moves;
    return load_ends(lanes, part + 2 * PLI_GROUP + high, part + 2 * PLI_GROUP + low) + moves;
}

/* How far what follows one of the node's joints reaches: s_j. */
INLINED Floats reach_of(const Lanes *lanes, int32_t j)
{
    const float *part = part_of(lanes->node, j);
    const PliSlabSum *sum = &lanes->node->sums[3 * lanes->node->joints[j] + lanes->axis];
    Floats ends = ((sum->factors[0] * ends_at_rest(lanes, part, sum, 0) +
                    sum->factors[1] * ends_at_rest(lanes, part, sum, 1)) +
                   sum->factors[2] * ends_at_rest(lanes, part, sum, 2)) +
                  sum->high_offset; /* which is the low one as well */
    return turn(lanes, ends);
}

/* max(S L, T L) for the level L. */
static inline Floats start_at(const Lanes *lanes, Floats level)
{
    const float *sums = lanes->node->weight_sums;
    return larger(level * load_same(lanes, sums), level * load_same(lanes, sums + PLI_GROUP));
}

/* max(w_j (s_j - L), v_j (s_j - L)) for the level L. */
static inline Floats beyond(Floats reach, Floats level, Floats least, Floats greatest)
{
    const Floats by = reach - level;
    return larger(least * by, greatest * by);
}

/* What is known of all joints before the bounds are summed. */
typedef struct Reaches {
    Floats kept[MAX_KEPT]; /* of the first joints */
    Floats strongest,
        farthest; /* two levels: of the joint with the most weight, and the greatest */
} Reaches;

INLINED void find_reaches(const Lanes *lanes, Reaches *reaches)
{
    const Floats zero = {0}, nowhere = zero - INFINITY;
    Floats max_weight = zero, strongest = zero, farthest = nowhere;
    for (int32_t j = 0; j < lanes->node->joint_count; j++) {
        const Floats here = reach_of(lanes, j);
        const float *part = part_of(lanes->node, j);
        const Floats weight = load_same(lanes, part) + load_same(lanes, part + PLI_GROUP);
        strongest = choose(weight > max_weight, here, strongest);
        max_weight = larger(weight, max_weight);
        farthest = larger(choose(weight > zero, here, nowhere), farthest);
        if (j < MAX_KEPT)
            reaches->kept[j] = here;
    }
    reaches->strongest = strongest;
    reaches->farthest = choose(max_weight > zero, farthest, zero);
}

/* The least of the bounds by all levels. */
INLINED Floats bound_many(const Lanes *lanes)
{
    Reaches reaches;
    find_reaches(lanes, &reaches);
    const bool is_uneven = lanes->node->is_uneven;
    const Floats zero = {0}, strongest = reaches.strongest, farthest = reaches.farthest;
    Floats by_strongest = start_at(lanes, strongest), by_farthest = start_at(lanes, farthest);
    Floats by_zero = start_at(lanes, zero);
    for (int32_t j = 0; j < lanes->node->joint_count; j++) {
        const Floats here = j < MAX_KEPT ? reaches.kept[j] : reach_of(lanes, j);
        const float *part = part_of(lanes->node, j);
        const Floats least = load_same(lanes, part);
        const Floats greatest = load_same(lanes, part + PLI_GROUP);
        by_strongest += beyond(here, strongest, least, greatest);
        by_farthest += beyond(here, farthest, least, greatest);
        if (is_uneven)
            by_zero += beyond(here, zero, least, greatest);
    }
    const Floats bound = smaller(by_strongest, by_farthest);
    return is_uneven ? smaller(by_zero, bound) : bound;
}

/* With one joint both levels are its reach, and nothing is beyond it. */
INLINED Floats bound_of(const Lanes *lanes)
{
    const PliSkinnedNode *node = lanes->node;
    return node->joint_count == 1 && !node->is_uneven ? start_at(lanes, reach_of(lanes, 0))
                                                      : bound_many(lanes);
}

static inline void store_floats(float *to, Floats v)
{
    memcpy(to, &v, sizeof v);
}

#if PLI_LANES == 16

void PLI_NAME(pli_skin_boxes)(const PliSkinnedNode *node, PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++) {
        const Lanes lanes = {node, k, 0, true};
        float ends[16];
        store_floats(ends, bound_of(&lanes));
        for (int i = 0; i < 8; i++) {
            boxes->high[k][i] = node->high_offsets[k] + ends[i];
            boxes->low[k][i] = node->low_offsets[k] - ends[8 + i];
        }
    }
}

#else

void PLI_NAME(pli_skin_boxes)(const PliSkinnedNode *node, PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i += PLI_LANES) {
            const Lanes high = {node, k, i, true}, low = {node, k, i, false};
            store_floats(boxes->high[k] + i, node->high_offsets[k] + bound_of(&high));
            store_floats(boxes->low[k] + i, node->low_offsets[k] - bound_of(&low));
        }
    }
}

#endif
