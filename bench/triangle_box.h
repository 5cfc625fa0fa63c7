/* Boxes of triangles, as fast as we know: what the floors are made of.
 *
 * A corner is the first three of four floats, which are loaded at once; the fourth is whatever
 * comes next in memory, and comes along. The same with what is stored: each end of a box writes
 * over the fourth float of the one before. */
#ifndef BENCH_TRIANGLE_BOX_H
#define BENCH_TRIANGLE_BOX_H

#include <stdint.h>
#include <string.h>

typedef float Float4 __attribute__((vector_size(16)));

#ifdef __SSE2__
#define SMALLER(x, y) __builtin_ia32_minps(x, y)
#define LARGER(x, y) __builtin_ia32_maxps(x, y)
#else
typedef int32_t Int4 __attribute__((vector_size(16)));
#define CHOOSE(mask, x, y) (Float4)(((mask) & (Int4)(x)) | (~(mask) & (Int4)(y)))
#define SMALLER(x, y) CHOOSE((x) < (y), x, y)
#define LARGER(x, y) CHOOSE((x) > (y), x, y)
#endif

typedef struct TriangleBox {
    Float4 low, high;
} TriangleBox;

static inline Float4 load_corner(const float *from)
{
    Float4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Seven floats, of which the last is not a part of it. */
static inline void store_box(TriangleBox box, float *to)
{
    memcpy(to, &box.low, sizeof box.low);
    memcpy(to + 3, &box.high, sizeof box.high);
}

static inline TriangleBox join_boxes(TriangleBox x, TriangleBox y)
{
    return (TriangleBox){SMALLER(x.low, y.low), LARGER(x.high, y.high)};
}

static inline TriangleBox triangle_box(const float *p, const float *q, const float *r)
{
    const Float4 a = load_corner(p), b = load_corner(q), c = load_corner(r);
    return (TriangleBox){SMALLER(SMALLER(a, b), c), LARGER(LARGER(a, b), c)};
}

#endif
