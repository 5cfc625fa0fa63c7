/* Vectors that divide a group of eight floats (PLI_GROUP): eight lanes, or four where registers
 * have no more. Vectors of sixteen, as in wide.h, would hold two groups. For sources that are
 * compiled once for each instruction set. */
#ifndef PLI_GROUP_VECTORS_H
#define PLI_GROUP_VECTORS_H

#include "kernels/wide.h"

#if PLI_LANES == 4
enum { GROUP_LANES = 4 };
typedef Floats GroupFloats;
typedef Ints GroupInts;
#define GROUP_MIN(x, y) PLI_MIN(x, y)
#define GROUP_MAX(x, y) PLI_MAX(x, y)
#else
enum { GROUP_LANES = 8 };
typedef float GroupFloats __attribute__((vector_size(32)));
typedef int32_t GroupInts __attribute__((vector_size(32)));
#define GROUP_MIN(x, y) __builtin_ia32_minps256(x, y)
#define GROUP_MAX(x, y) __builtin_ia32_maxps256(x, y)
#endif

static inline GroupFloats load_group(const float *from)
{
    GroupFloats v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store_group(float *to, GroupFloats v)
{
    memcpy(to, &v, sizeof v);
}

/* Lanes whose mask is set, as bits. */
static inline uint32_t group_bits(GroupInts mask)
{
#if PLI_LANES == 4
    return int_lanes(mask);
#else
    return (uint32_t)__builtin_ia32_movmskps256((GroupFloats)mask);
#endif
}

static inline GroupFloats choose_group(GroupInts mask, GroupFloats x, GroupFloats y)
{
    return (GroupFloats)((mask & (GroupInts)x) | (~mask & (GroupInts)y));
}

#endif
