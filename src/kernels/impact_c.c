/* The float32 filter for features on their way, in plain C: the reference implementation. See
 * impact.h. */
#include "kernels/kernels.h"

#include <math.h>

static float smaller(float x, float y)
{
    return x < y ? x : y;
}

static float larger(float x, float y)
{
    return x > y ? x : y;
}

/* The least and the greatest coordinate of some points. */
typedef struct Span {
    float low, high;
} Span;

static Span span_of(const float *const p[4], int first, int end, int k)
{
    Span span = {p[first][k], p[first][k]};
    for (int i = first + 1; i < end; i++) {
        span.low = smaller(span.low, p[i][k]);
        span.high = larger(span.high, p[i][k]);
    }
    return span;
}

/* The high end of one span less the low end of another one, at both ends of the step: the one that
 * is less below zero. */
static float gap(Span start, Span start_other, Span end, Span end_other)
{
    return larger(start.high - start_other.low, end.high - end_other.low);
}

static bool are_apart(const float *const start[4], const float *const end[4], bool are_edges,
                      float distance)
{
    const int first = are_edges ? 2 : 1;
    Span a0[3], b0[3], a1[3], b1[3];
    float least = 0;
    for (int k = 0; k < 3; k++) {
        a0[k] = span_of(start, 0, first, k);
        b0[k] = span_of(start, first, 4, k);
        a1[k] = span_of(end, 0, first, k);
        b1[k] = span_of(end, first, 4, k);
    }
    for (int k = 0; k < 3; k++)
        least = smaller(least, gap(a0[k], b0[k], a1[k], b1[k]));
    for (int k = 0; k < 3; k++)
        least = smaller(least, gap(b0[k], a0[k], b1[k], a1[k]));
    return least < -distance * PLI_IMPACT_WIDE_AXIS;
}

static bool stays_open(float start, float end, float time, float distance)
{
    const float least =
        distance + (PLI_IMPACT_APART * ((start + fabsf(end)) + distance) + PLI_IMPACT_APART_LEAST);
    return start > least && (1 - time) * start + time * end > least;
}

static bool are_apart_until(const float *const start[4], const float *const end[4], bool are_edges,
                            PliApart apart)
{
    const int first = are_edges ? 2 : 1;
    const float time = pli_apart_until(apart);
    bool are = false;
    for (int k = 0; k < 3; k++) {
        const Span a0 = span_of(start, 0, first, k), b0 = span_of(start, first, 4, k),
                   a1 = span_of(end, 0, first, k), b1 = span_of(end, first, 4, k);
        are |= stays_open(a0.low - b0.high, a1.low - b1.high, time, apart.distance);
        are |= stays_open(b0.low - a0.high, b1.low - a1.high, time, apart.distance);
    }
    return are;
}

typedef struct Vec {
    float x, y, z;
} Vec;

static Vec minus(const float *p, const float *q)
{
    return (Vec){p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}

static Vec plus(Vec a, Vec b)
{
    return (Vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static Vec cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static float dot(Vec a, Vec b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static float most(Vec a, Vec b)
{
    return larger(larger(larger(fabsf(a.x), fabsf(a.y)), fabsf(a.z)),
                  larger(larger(fabsf(b.x), fabsf(b.y)), fabsf(b.z)));
}

/* e, f and g at both ends, and the coefficients of e x f, the middle one twice. */
typedef struct Motion {
    Vec e0, e1, f0, f1, g0, g1, n0, n1, n2;
    float e, f, g; /* sizes */
} Motion;

static Motion motion_of(const float *const start[4], const float *const end[4], bool are_edges)
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

/* Has the cubic no root, for certain, and is it too far from 0 for the distance? */
static bool has_no_root(const Motion *m, float distance)
{
    const float x[4] = {dot(m->n0, m->g0), dot(m->n1, m->g0) + dot(m->n0, m->g1),
                        dot(m->n2, m->g0) + dot(m->n1, m->g1), dot(m->n2, m->g1)};
    const float ef = m->e * m->f;
    const float bound =
        (PLI_IMPACT_FLOAT * (ef * m->g) + PLI_IMPACT_LEAST * (m->g + PLI_IMPACT_FLOOR)) +
        PLI_IMPACT_WIDE * (ef * distance);
    bool are_above = true, are_below = true;
    for (int i = 0; i < 4; i++) {
        are_above &= x[i] > bound;
        are_below &= x[i] < -bound;
    }
    return fabsf((x[0] + x[1]) + (x[2] + x[3])) < INFINITY && (are_above || are_below);
}

/* The points of a pair. */
static void set_points(const float *table, const uint32_t pair[4], const float *points[4])
{
    for (int k = 0; k < 4; k++)
        points[k] = table + 3 * (size_t)pair[k];
}

void pli_filter_apart_c(const float *start, const float *end, bool are_edges, const uint32_t *pairs,
                        int64_t pair_count, PliApart apart, uint8_t *is_open)
{
    for (int64_t i = 0; i < pair_count; i++) {
        const float *from[4], *to[4];
        set_points(start, pairs + 4 * i, from);
        set_points(end, pairs + 4 * i, to);
        is_open[i] = !are_apart_until(from, to, are_edges, apart);
    }
}

void pli_filter_impacts_c(const float *start, const float *end, bool are_edges,
                          const uint32_t *pairs, int64_t pair_count, PliApart apart,
                          uint8_t *is_open)
{
    for (int64_t i = 0; i < pair_count; i++) {
        const float *from[4], *to[4];
        set_points(start, pairs + 4 * i, from);
        set_points(end, pairs + 4 * i, to);
        const Motion motion = motion_of(from, to, are_edges);
        is_open[i] = !are_apart(from, to, are_edges, apart.distance) &&
                     !has_no_root(&motion, apart.distance);
    }
}

/* ---- The second filter --------------------------------------------------------------------- */

static float mean(float p, float q, float t)
{
    return p + (q - p) * t;
}

static float blend2(const float b[3], float s, float t)
{
    return mean(mean(b[0], b[1], s), mean(b[1], b[2], s), t);
}

static float blend3(const float b[4], float r, float s, float t)
{
    const float p = mean(b[0], b[1], r), q = mean(b[1], b[2], r), w = mean(b[2], b[3], r);
    return mean(mean(p, q, s), mean(q, w, s), t);
}

/* The sign of all coefficients over [l, h], or 0. */
static int sign_over2(const float b[3], float l, float h, float bound)
{
    const float x = blend2(b, l, l), y = blend2(b, l, h), z = blend2(b, h, h);
    return (x > bound && y > bound && z > bound) - (x < -bound && y < -bound && z < -bound);
}

static int sign_over3(const float b[4], float l, float h, float bound)
{
    const float x = blend3(b, l, l, l), y = blend3(b, l, l, h), z = blend3(b, l, h, h),
                w = blend3(b, h, h, h);
    return (x > bound && y > bound && z > bound && w > bound) -
           (x < -bound && y < -bound && z < -bound && w < -bound);
}

/* Two coordinates of a vector: those other than the axis, in cyclic order. */
typedef struct Two {
    float u, v;
} Two;

static Two seen_along(Vec a, int axis)
{
    return axis == 0 ? (Two){a.y, a.z} : axis == 1 ? (Two){a.z, a.x} : (Two){a.x, a.y};
}

static int main_axis(const Motion *m)
{
    const float x = fabsf((m->n0.x + m->n1.x) + m->n2.x), y = fabsf((m->n0.y + m->n1.y) + m->n2.y),
                z = fabsf((m->n0.z + m->n1.z) + m->n2.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static float turn(Two a, Two b)
{
    return a.u * b.v - a.v * b.u;
}

static void set_turns(float turns[3], Two a0, Two a1, Two b0, Two b1)
{
    turns[0] = turn(a0, b0);
    turns[1] = (turn(a0, b1) + turn(a1, b0)) * 0.5f;
    turns[2] = turn(a1, b1);
}

/* The quadratics of the polygon, along the main axis: the normal, and those that must have its
 * sign. */
typedef struct Polygon {
    float n[3], sides[4][3];
} Polygon;

static Polygon polygon_of(const Motion *m, bool are_edges)
{
    const int axis = main_axis(m);
    const Two e0 = seen_along(m->e0, axis), e1 = seen_along(m->e1, axis),
              f0 = seen_along(m->f0, axis), f1 = seen_along(m->f1, axis),
              g0 = seen_along(m->g0, axis), g1 = seen_along(m->g1, axis);
    Polygon p;
    set_turns(p.n, e0, e1, f0, f1);
    set_turns(p.sides[0], g0, g1, f0, f1);
    set_turns(p.sides[1], e0, e1, g0, g1);
    for (int i = 0; i < 3; i++) {
        const float rest = p.n[i] - p.sides[0][i];
        p.sides[2][i] = are_edges ? rest : rest - p.sides[1][i];
        p.sides[3][i] = are_edges ? p.n[i] - p.sides[1][i] : p.sides[2][i];
    }
    return p;
}

/* Is g certain to be outside of the polygon from l to h? */
static bool is_outside(const Polygon *p, float l, float h, float bound, float side_bound)
{
    const int sign = sign_over2(p->n, l, h, bound);
    bool is = false;
    for (int i = 0; i < 4; i++)
        is |= sign * sign_over2(p->sides[i], l, h, side_bound) < 0;
    return is;
}

static bool may_touch(const Motion *m, bool are_edges, float distance)
{
    const float ef = m->e * m->f, fg = m->f * m->g, eg = m->e * m->g, efg = ef * m->g;
    if (!(ef < PLI_IMPACT_PART_MOST && fg < PLI_IMPACT_PART_MOST && eg < PLI_IMPACT_PART_MOST &&
          efg < PLI_IMPACT_PART_MOST))
        return true;
    const float cubic[4] = {3 * dot(m->n0, m->g0), dot(m->n1, m->g0) + dot(m->n0, m->g1),
                            dot(m->n2, m->g0) + dot(m->n1, m->g1), 3 * dot(m->n2, m->g1)};
    const float cubic_bound =
        (PLI_IMPACT_PART_CUBIC * efg + PLI_IMPACT_PART_LEAST * (m->g + PLI_IMPACT_FLOOR)) +
        PLI_IMPACT_WIDE * (ef * distance);
    const float cross_bound =
        PLI_IMPACT_PART_CROSS * ((ef + fg) + eg) + PLI_IMPACT_PART_CROSS_LEAST;
    const float side_bound = cross_bound + PLI_IMPACT_WIDE_CROSS * (larger(m->e, m->f) * distance);
    const Polygon polygon = polygon_of(m, are_edges);
    for (int i = 0; i < PLI_IMPACT_PARTS; i++) {
        const float l = (float)i / PLI_IMPACT_PARTS, h = (float)(i + 1) / PLI_IMPACT_PARTS;
        if (sign_over3(cubic, l, h, cubic_bound) == 0 &&
            !is_outside(&polygon, l, h, cross_bound, side_bound))
            return true;
    }
    return false;
}

void pli_filter_impact_parts_c(const float *start, const float *end, bool are_edges,
                               const uint32_t *pairs, int64_t pair_count, PliApart apart,
                               uint8_t *is_open)
{
    for (int64_t i = 0; i < pair_count; i++) {
        const float *from[4], *to[4];
        set_points(start, pairs + 4 * i, from);
        set_points(end, pairs + 4 * i, to);
        const Motion motion = motion_of(from, to, are_edges);
        is_open[i] = may_touch(&motion, are_edges, apart.distance);
    }
}
