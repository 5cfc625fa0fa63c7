/* The float32 filter for features on their way, PLI_LANES pairs at a time. The same operations in
 * the same order as in impact_c.c. See impact.h. */
#include "kernels/kernels.h"
#include "kernels/wide_points.h"

#include <math.h>

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

/* Of two gaps at one end and the other, the one that is less below zero. */
static inline Floats gap(Floats start_high, Floats start_low, Floats end_high, Floats end_low)
{
    return larger(start_high - start_low, end_high - end_low);
}

static inline Ints are_apart(const Boxes *start, const Boxes *end, float distance)
{
    Floats least = all_same(0);
    for (int i = 0; i < 2; i++) {
        const Vec *high0 = &start->high[i], *low0 = &start->low[1 - i], *high1 = &end->high[i],
                  *low1 = &end->low[1 - i];
        least = smaller(least, gap(high0->x, low0->x, high1->x, low1->x));
        least = smaller(least, gap(high0->y, low0->y, high1->y, low1->y));
        least = smaller(least, gap(high0->z, low0->z, high1->z, low1->z));
    }
    return least < -distance * PLI_IMPACT_WIDE_AXIS;
}

/* One feature above the other by these gaps. */
static inline Ints stays_open(Floats start, Floats end, float time, float distance)
{
    const Floats least = distance + (PLI_IMPACT_APART * ((start + magnitude(end)) + distance) +
                                     PLI_IMPACT_APART_LEAST);
    return (start > least) & ((1 - time) * start + time * end > least);
}

static inline Ints are_apart_until(const Boxes *start, const Boxes *end, float time, float distance)
{
    Ints are = {0};
    for (int i = 0; i < 2; i++) {
        const Vec *low0 = &start->low[i], *high0 = &start->high[1 - i], *low1 = &end->low[i],
                  *high1 = &end->high[1 - i];
        are |= stays_open(low0->x - high0->x, low1->x - high1->x, time, distance);
        are |= stays_open(low0->y - high0->y, low1->y - high1->y, time, distance);
        are |= stays_open(low0->z - high0->z, low1->z - high1->z, time, distance);
    }
    return are;
}

/* e, f and g at both ends, and the coefficients of e x f, the middle one twice. */
typedef struct Motion {
    Vec e0, e1, f0, f1, g0, g1, n0, n1, n2;
    Floats e, f, g; /* sizes */
} Motion;

static inline __attribute__((always_inline)) Motion motion_of(const Vec start[4], const Vec end[4],
                                                              bool are_edges)
{
    const int e = are_edges ? 1 : 2, f = are_edges ? 2 : 3, g = are_edges ? 2 : 0,
              e_from = are_edges ? 0 : 1, f_from = are_edges ? 3 : 1, g_from = e_from;
    Motion m;
    m.e0 = minus(start[e], start[e_from]);
    m.e1 = minus(end[e], end[e_from]);
    m.f0 = minus(start[f], start[f_from]);
    m.f1 = minus(end[f], end[f_from]);
    m.g0 = minus(start[g], start[g_from]);
    m.g1 = minus(end[g], end[g_from]);
    m.n0 = cross(m.e0, m.f0);
    m.n1 = plus(cross(m.e0, m.f1), cross(m.e1, m.f0));
    m.n2 = cross(m.e1, m.f1);
    m.e = most(m.e0, m.e1);
    m.f = most(m.f0, m.f1);
    m.g = most(m.g0, m.g1);
    return m;
}

static inline Ints has_no_root(const Motion *m, float distance)
{
    const Floats x = dot(m->n0, m->g0), y = dot(m->n1, m->g0) + dot(m->n0, m->g1),
                 z = dot(m->n2, m->g0) + dot(m->n1, m->g1), w = dot(m->n2, m->g1);
    const Floats ef = m->e * m->f;
    const Floats bound =
        (PLI_IMPACT_FLOAT * (ef * m->g) + PLI_IMPACT_LEAST * (m->g + PLI_IMPACT_FLOOR)) +
        PLI_IMPACT_WIDE * (ef * distance);
    const Floats least = smaller(smaller(x, y), smaller(z, w)),
                 most_of = larger(larger(x, y), larger(z, w));
    return (magnitude((x + y) + (z + w)) < INFINITY) & ((least > bound) | (most_of < -bound));
}

/* The four vertices of PLI_LANES pairs, at both ends. */
typedef struct Points {
    Vec start[4], end[4];
} Points;

static inline __attribute__((always_inline)) Points
load_points(const float *start, const float *end, const uint32_t *pairs)
{
    Points points;
    for (int k = 0; k < 4; k++) {
        points.start[k] = load_vertices(start, pairs + k, 4);
        points.end[k] = load_vertices(end, pairs + k, 4);
    }
    return points;
}

static inline Ints filter_apart(const Points *points, bool are_edges, PliApart apart)
{
    const Boxes start = boxes_of(points->start, are_edges), end = boxes_of(points->end, are_edges);
    return ~are_apart_until(&start, &end, pli_apart_until(apart), apart.distance);
}

static inline __attribute__((always_inline)) Ints filter_whole(const Points *points, bool are_edges,
                                                               PliApart apart)
{
    const Boxes start = boxes_of(points->start, are_edges), end = boxes_of(points->end, are_edges);
    const Motion motion = motion_of(points->start, points->end, are_edges);
    return ~(are_apart(&start, &end, apart.distance) | has_no_root(&motion, apart.distance));
}

/* ---- The second filter --------------------------------------------------------------------- */

static inline Floats mean(Floats p, Floats q, float t)
{
    return p + (q - p) * t;
}

static inline Floats blend2(const Floats b[3], float s, float t)
{
    return mean(mean(b[0], b[1], s), mean(b[1], b[2], s), t);
}

static inline Floats blend3(const Floats b[4], float r, float s, float t)
{
    const Floats p = mean(b[0], b[1], r), q = mean(b[1], b[2], r), w = mean(b[2], b[3], r);
    return mean(mean(p, q, s), mean(q, w, s), t);
}

/* Where all coefficients over [l, h] are certain to have one sign. */
typedef struct Signs {
    Ints are_above, are_below;
} Signs;

static inline Signs signs_over2(const Floats b[3], float l, float h, Floats bound)
{
    const Floats x = blend2(b, l, l), y = blend2(b, l, h), z = blend2(b, h, h);
    return (Signs){smaller(smaller(x, y), z) > bound, larger(larger(x, y), z) < -bound};
}

static inline Ints has_sign_over3(const Floats b[4], float l, float h, Floats bound)
{
    const Floats x = blend3(b, l, l, l), y = blend3(b, l, l, h), z = blend3(b, l, h, h),
                 w = blend3(b, h, h, h);
    return (smaller(smaller(x, y), smaller(z, w)) > bound) |
           (larger(larger(x, y), larger(z, w)) < -bound);
}

typedef struct Two {
    Floats u, v;
} Two;

/* The main axis of each lane: x, or y, or else z. */
typedef struct Axes {
    Ints is_x, is_y;
} Axes;

static inline Axes main_axes(const Motion *m)
{
    const Floats x = magnitude((m->n0.x + m->n1.x) + m->n2.x),
                 y = magnitude((m->n0.y + m->n1.y) + m->n2.y),
                 z = magnitude((m->n0.z + m->n1.z) + m->n2.z);
    const Ints is_x = (x >= y) & (x >= z);
    return (Axes){is_x, ~is_x & (y >= z)};
}

static inline Two seen_along(Vec a, Axes axes)
{
    return (Two){choose(axes.is_x, a.y, choose(axes.is_y, a.z, a.x)),
                 choose(axes.is_x, a.z, choose(axes.is_y, a.x, a.y))};
}

static inline Floats turn(Two a, Two b)
{
    return a.u * b.v - a.v * b.u;
}

static inline void set_turns(Floats turns[3], Two a0, Two a1, Two b0, Two b1)
{
    turns[0] = turn(a0, b0);
    turns[1] = (turn(a0, b1) + turn(a1, b0)) * 0.5f;
    turns[2] = turn(a1, b1);
}

typedef struct Polygon {
    Floats n[3], sides[4][3];
} Polygon;

static inline Polygon polygon_of(const Motion *m, bool are_edges)
{
    const Axes axes = main_axes(m);
    const Two e0 = seen_along(m->e0, axes), e1 = seen_along(m->e1, axes),
              f0 = seen_along(m->f0, axes), f1 = seen_along(m->f1, axes),
              g0 = seen_along(m->g0, axes), g1 = seen_along(m->g1, axes);
    Polygon p;
    set_turns(p.n, e0, e1, f0, f1);
    set_turns(p.sides[0], g0, g1, f0, f1);
    set_turns(p.sides[1], e0, e1, g0, g1);
    for (int i = 0; i < 3; i++) {
        const Floats rest = p.n[i] - p.sides[0][i];
        p.sides[2][i] = are_edges ? rest : rest - p.sides[1][i];
        p.sides[3][i] = are_edges ? p.n[i] - p.sides[1][i] : p.sides[2][i];
    }
    return p;
}

static inline Ints is_outside(const Polygon *p, bool are_edges, float l, float h, Floats bound,
                              Floats side_bound)
{
    const Signs n = signs_over2(p->n, l, h, bound);
    Ints is = {0};
    for (int i = 0; i < (are_edges ? 4 : 3); i++) {
        const Signs side = signs_over2(p->sides[i], l, h, side_bound);
        is |= (n.are_above & side.are_below) | (n.are_below & side.are_above);
    }
    return is;
}

static inline Ints filter_parts(const Points *points, bool are_edges, PliApart apart)
{
    const Motion motion = motion_of(points->start, points->end, are_edges), *m = &motion;
    const Floats ef = m->e * m->f, fg = m->f * m->g, eg = m->e * m->g, efg = ef * m->g;
    const Ints is_small = (ef < PLI_IMPACT_PART_MOST) & (fg < PLI_IMPACT_PART_MOST) &
                          (eg < PLI_IMPACT_PART_MOST) & (efg < PLI_IMPACT_PART_MOST);
    const Floats cubic[4] = {3 * dot(m->n0, m->g0), dot(m->n1, m->g0) + dot(m->n0, m->g1),
                             dot(m->n2, m->g0) + dot(m->n1, m->g1), 3 * dot(m->n2, m->g1)};
    const Floats cubic_bound =
        (PLI_IMPACT_PART_CUBIC * efg + PLI_IMPACT_PART_LEAST * (m->g + PLI_IMPACT_FLOOR)) +
        PLI_IMPACT_WIDE * (ef * apart.distance);
    const Floats cross_bound =
        PLI_IMPACT_PART_CROSS * ((ef + fg) + eg) + PLI_IMPACT_PART_CROSS_LEAST;
    const Floats side_bound =
        cross_bound + PLI_IMPACT_WIDE_CROSS * (larger(m->e, m->f) * apart.distance);
    const Polygon polygon = polygon_of(m, are_edges);
    Ints is_open = ~is_small;
    for (int i = 0; i < PLI_IMPACT_PARTS; i++) {
        const float l = (float)i / PLI_IMPACT_PARTS, h = (float)(i + 1) / PLI_IMPACT_PARTS;
        is_open |= ~(has_sign_over3(cubic, l, h, cubic_bound) |
                     is_outside(&polygon, are_edges, l, h, cross_bound, side_bound));
    }
    return is_open;
}

/* ---- All pairs ----------------------------------------------------------------------------- */

/* One of the filters, for the vertices of PLI_LANES pairs. */
typedef Ints Filter(const Points *points, bool are_edges, PliApart apart);

#define INLINE static inline __attribute__((always_inline))

INLINE void filter_kind(Filter *filter, const float *start, const float *end, bool are_edges,
                        const uint32_t *pairs, int64_t pair_count, PliApart apart, uint8_t *is_open)
{
    for (int64_t first = 0; first < pair_count; first += PLI_LANES) {
        const int64_t left = pair_count - first;
        const uint32_t *here = pairs + 4 * first;
        uint32_t padded[4 * PLI_LANES];
        if (left < PLI_LANES) { /* the spare lanes repeat the last pair */
            for (int i = 0; i < PLI_LANES; i++)
                memcpy(padded + 4 * i, here + 4 * (i < left ? i : left - 1), 4 * sizeof *here);
            here = padded;
        }
        const Points points = load_points(start, end, here);
        const Bytes bytes = __builtin_convertvector(filter(&points, are_edges, apart) & 1, Bytes);
        memcpy(is_open + first, &bytes, left < PLI_LANES ? (size_t)left : sizeof bytes);
    }
}

INLINE void filter_all(Filter *filter, const float *start, const float *end, bool are_edges,
                       const uint32_t *pairs, int64_t pair_count, PliApart apart, uint8_t *is_open)
{
    if (are_edges)
        filter_kind(filter, start, end, true, pairs, pair_count, apart, is_open);
    else
        filter_kind(filter, start, end, false, pairs, pair_count, apart, is_open);
}

#define FILTER(name, filter)                                                                       \
    void PLI_NAME(name)(const float *start, const float *end, bool are_edges,                      \
                        const uint32_t *pairs, int64_t pair_count, PliApart apart,                 \
                        uint8_t *is_open)                                                          \
    {                                                                                              \
        filter_all(filter, start, end, are_edges, pairs, pair_count, apart, is_open);              \
    }
FILTER(pli_filter_impacts, filter_whole)
FILTER(pli_filter_impact_parts, filter_parts)
FILTER(pli_filter_apart, filter_apart)
