/* The float32 filter for features on their way, PLI_LANES pairs at a time. The same operations in
 * the same order as in impact_c.c. See impact.h. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

#include <math.h>

typedef struct Vec {
    Floats x, y, z;
} Vec;

static inline Vec minus(Vec a, Vec b)
{
    return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec plus(Vec a, Vec b)
{
    return (Vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Floats dot(Vec a, Vec b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline Floats most(Vec a, Vec b)
{
    return larger(larger(larger(magnitude(a.x), magnitude(a.y)), magnitude(a.z)),
                  larger(larger(magnitude(b.x), magnitude(b.y)), magnitude(b.z)));
}

static inline Vec smaller_of(Vec a, Vec b)
{
    return (Vec){smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z)};
}

static inline Vec larger_of(Vec a, Vec b)
{
    return (Vec){larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)};
}

/* The boxes of both features. */
typedef struct Boxes {
    Vec low[2], high[2];
} Boxes;

static inline Boxes boxes_of(const Vec p[4], bool are_edges)
{
    if (are_edges)
        return (Boxes){{smaller_of(p[0], p[1]), smaller_of(p[2], p[3])},
                       {larger_of(p[0], p[1]), larger_of(p[2], p[3])}};
    return (Boxes){{p[0], smaller_of(smaller_of(p[1], p[2]), p[3])},
                   {p[0], larger_of(larger_of(p[1], p[2]), p[3])}};
}

static inline Ints are_apart(const Boxes *start, const Boxes *end)
{
    return ((start->high[0].x < start->low[1].x) & (end->high[0].x < end->low[1].x)) |
           ((start->low[0].x > start->high[1].x) & (end->low[0].x > end->high[1].x)) |
           ((start->high[0].y < start->low[1].y) & (end->high[0].y < end->low[1].y)) |
           ((start->low[0].y > start->high[1].y) & (end->low[0].y > end->high[1].y)) |
           ((start->high[0].z < start->low[1].z) & (end->high[0].z < end->low[1].z)) |
           ((start->low[0].z > start->high[1].z) & (end->low[0].z > end->high[1].z));
}

static inline Ints has_no_root(const Vec start[4], const Vec end[4], bool are_edges)
{
    const int e = are_edges ? 1 : 2, f = are_edges ? 2 : 3, g = are_edges ? 2 : 0,
              e_from = are_edges ? 0 : 1, f_from = are_edges ? 3 : 1, g_from = e_from;
    const Vec e0 = minus(start[e], start[e_from]), e1 = minus(end[e], end[e_from]),
              f0 = minus(start[f], start[f_from]), f1 = minus(end[f], end[f_from]),
              g0 = minus(start[g], start[g_from]), g1 = minus(end[g], end[g_from]);
    const Vec n0 = cross(e0, f0), n1 = plus(cross(e0, f1), cross(e1, f0)), n2 = cross(e1, f1);
    const Floats x[4] = {dot(n0, g0), dot(n1, g0) + dot(n0, g1), dot(n2, g0) + dot(n1, g1),
                         dot(n2, g1)};
    const Floats size = most(g0, g1);
    const Floats bound = PLI_IMPACT_FLOAT * ((most(e0, e1) * most(f0, f1)) * size) +
                         PLI_IMPACT_LEAST * (size + PLI_IMPACT_FLOOR);
    Ints are_above = (Ints){0} == 0, are_below = are_above;
    for (int i = 0; i < 4; i++) {
        are_above &= (x[i] > bound) & (x[i] < INFINITY);
        are_below &= (x[i] < -bound) & (x[i] > -INFINITY);
    }
    return are_above | are_below;
}

/* ---- Vertices to lanes ----------------------------------------------------------------------
 *
 * Three floats are loaded for each lane, and never a fourth: a table ends with its last vertex. As
 * in load_columns(), those of lanes r, 4 + r, 8 + r, ... are side by side in one vector, and each
 * group of four lanes is transposed where it is. */

#if PLI_LANES == 16

/* Lanes that a mask leaves out are not read, so the address may begin before the table. */
static inline Floats load_beside(Floats v, const float *p, int lane)
{
    const uintptr_t address = (uintptr_t)p - 4 * (uintptr_t)lane;
    return (Floats)_mm512_mask_loadu_ps((__m512)v, (__mmask16)(7 << lane), (const void *)address);
}

static inline Floats load_side_by_side_3(const float *table, const uint32_t *indices)
{
    Floats v = {0};
    for (int lane = 0; lane < PLI_LANES; lane += 4)
        v = load_beside(v, table + 3 * (size_t)indices[4 * lane], lane);
    return v;
}

#else

static inline Float4 load3(const float *p)
{
#if PLI_LANES == 8
    return (Float4)_mm_maskload_ps(p, _mm_setr_epi32(-1, -1, -1, 0));
#else
    return (Float4){p[0], p[1], p[2], 0};
#endif
}

static inline Floats load_side_by_side_3(const float *table, const uint32_t *indices)
{
    const Float4 low = load3(table + 3 * (size_t)indices[0]);
#if PLI_LANES == 8
    const Float4 high = load3(table + 3 * (size_t)indices[16]);
    return (Floats)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)low), (__m128)high, 1);
#else
    return low;
#endif
}

#endif

/* One vertex for each lane; indices are four apart. */
static inline Vec load_vertices(const float *table, const uint32_t *indices)
{
    Floats rows[4];
    for (int r = 0; r < 4; r++)
        rows[r] = load_side_by_side_3(table, indices + 4 * r);
    const Floats low01 = PLI_SHUFFLE(rows[0], rows[1], 0, 1, 0, 1),
                 low23 = PLI_SHUFFLE(rows[2], rows[3], 0, 1, 0, 1),
                 high01 = PLI_SHUFFLE(rows[0], rows[1], 2, 3, 2, 3),
                 high23 = PLI_SHUFFLE(rows[2], rows[3], 2, 3, 2, 3);
    return (Vec){PLI_SHUFFLE(low01, low23, 0, 2, 0, 2), PLI_SHUFFLE(low01, low23, 1, 3, 1, 3),
                 PLI_SHUFFLE(high01, high23, 0, 2, 0, 2)};
}

static inline Bytes filter_vector(const float *start, const float *end, bool are_edges,
                                  const uint32_t *pairs)
{
    Vec from[4], to[4];
    for (int k = 0; k < 4; k++) {
        from[k] = load_vertices(start, pairs + k);
        to[k] = load_vertices(end, pairs + k);
    }
    const Boxes from_boxes = boxes_of(from, are_edges), to_boxes = boxes_of(to, are_edges);
    const Ints is_decided = are_apart(&from_boxes, &to_boxes) | has_no_root(from, to, are_edges);
    return __builtin_convertvector(~is_decided & 1, Bytes);
}

void PLI_NAME(pli_filter_impacts)(const float *start, const float *end, bool are_edges,
                                  const uint32_t *pairs, int64_t pair_count, uint8_t *is_open)
{
    int64_t first = 0;
    for (; first + PLI_LANES <= pair_count; first += PLI_LANES) {
        const Bytes bytes = are_edges ? filter_vector(start, end, true, pairs + 4 * first)
                                      : filter_vector(start, end, false, pairs + 4 * first);
        memcpy(is_open + first, &bytes, sizeof bytes);
    }

    /* The last vector may be part empty: its spare lanes repeat the last pair. */
    const int rest = (int)(pair_count - first);
    if (rest == 0)
        return;
    uint32_t padded[4 * PLI_LANES];
    for (int i = 0; i < PLI_LANES; i++)
        memcpy(padded + 4 * i, pairs + 4 * (first + (i < rest ? i : rest - 1)), 4 * sizeof *pairs);
    const Bytes bytes = filter_vector(start, end, are_edges, padded);
    memcpy(is_open + first, &bytes, (size_t)rest);
}
