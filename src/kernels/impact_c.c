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

/* Is a vertex below all corners of a triangle along an axis, or above? */
static bool is_beside(const float *const p[4], int k, bool is_above)
{
    if (is_above)
        return p[0][k] > larger(larger(p[1][k], p[2][k]), p[3][k]);
    return p[0][k] < smaller(smaller(p[1][k], p[2][k]), p[3][k]);
}

/* Is an edge below another one, or above? */
static bool is_edge_beside(const float *const p[4], int k, bool is_above)
{
    if (is_above)
        return smaller(p[0][k], p[1][k]) > larger(p[2][k], p[3][k]);
    return larger(p[0][k], p[1][k]) < smaller(p[2][k], p[3][k]);
}

static bool are_apart(const float *const start[4], const float *const end[4], bool are_edges)
{
    bool are = false;
    for (int k = 0; k < 3; k++)
        for (int above = 0; above < 2; above++)
            are |= are_edges ? is_edge_beside(start, k, above) && is_edge_beside(end, k, above)
                             : is_beside(start, k, above) && is_beside(end, k, above);
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

/* Has the cubic no root, for certain? */
static bool has_no_root(const float *const start[4], const float *const end[4], bool are_edges)
{
    const int e = are_edges ? 1 : 2, f = are_edges ? 2 : 3, g = are_edges ? 2 : 0,
              e_from = are_edges ? 0 : 1, f_from = are_edges ? 3 : 1, g_from = e_from;
    const Vec e0 = minus(start[e], start[e_from]), e1 = minus(end[e], end[e_from]),
              f0 = minus(start[f], start[f_from]), f1 = minus(end[f], end[f_from]),
              g0 = minus(start[g], start[g_from]), g1 = minus(end[g], end[g_from]);
    const Vec n0 = cross(e0, f0), n1 = plus(cross(e0, f1), cross(e1, f0)), n2 = cross(e1, f1);
    const float x[4] = {dot(n0, g0), dot(n1, g0) + dot(n0, g1), dot(n2, g0) + dot(n1, g1),
                        dot(n2, g1)};
    const float size = most(g0, g1);
    const float bound = PLI_IMPACT_FLOAT * ((most(e0, e1) * most(f0, f1)) * size) +
                        PLI_IMPACT_LEAST * (size + PLI_IMPACT_FLOOR);
    bool are_above = true, are_below = true;
    for (int i = 0; i < 4; i++) {
        are_above &= x[i] > bound && x[i] < INFINITY;
        are_below &= x[i] < -bound && x[i] > -INFINITY;
    }
    return are_above || are_below;
}

void pli_filter_impacts_c(const float *start, const float *end, bool are_edges,
                          const uint32_t *pairs, int64_t pair_count, uint8_t *is_open)
{
    for (int64_t i = 0; i < pair_count; i++) {
        const float *from[4], *to[4];
        for (int k = 0; k < 4; k++) {
            from[k] = start + 3 * (size_t)pairs[4 * i + k];
            to[k] = end + 3 * (size_t)pairs[4 * i + k];
        }
        is_open[i] = !are_apart(from, to, are_edges) && !has_no_root(from, to, are_edges);
    }
}
