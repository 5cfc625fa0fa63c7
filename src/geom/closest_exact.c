/* Closest points by integers: see closest_exact.h.
 *
 * All differences of coordinates are big numbers. Every region of the closest points has a squared
 * distance that is a quotient of two of them:
 *
 *     two vertices             |x|^2                     x: between the vertices
 *     a vertex and an edge     |x x e|^2 / |e|^2         e: along the edge
 *     both within              (x . n)^2 / |n|^2         n: the normal of the triangle, or e x f
 *
 * and is compared with the square of the given distance by a product: six differences at most.
 */
#include "geom/closest_exact.h"
#include "geom/big.h"

/* A squared distance, and the vector between the points: above / below, and direction in any
 * length. Results are written to where they stay: a big number is too long to be returned. */
typedef struct Gap {
    PliBig above, below;
    PliBigVector direction;
} Gap;

/* ---- Gaps ------------------------------------------------------------------------------------ */

static void copy_vector(PliBigVector to, const PliBigVector from)
{
    for (int k = 0; k < 3; k++)
        pli_big_copy(&to[k], &from[k]);
}

static void copy_gap(Gap *to, const Gap *from)
{
    pli_big_copy(&to->above, &from->above);
    pli_big_copy(&to->below, &from->below);
    copy_vector(to->direction, from->direction);
}

static void set_vertex_gap(Gap *gap, const PliBigVector x)
{
    pli_big_dot(&gap->above, x, x);
    pli_big_set(&gap->below, 1);
    copy_vector(gap->direction, x);
}

/* A vertex at x from the first end of an edge: the direction is x |e|^2 - (x . e) e. */
static void set_edge_gap(Gap *gap, const PliBigVector x, const PliBigVector e)
{
    PliBigVector normal;
    PliBig along;
    pli_big_cross(normal, x, e);
    pli_big_dot(&gap->above, normal, normal);
    pli_big_dot(&gap->below, e, e);
    pli_big_dot(&along, x, e);
    for (int k = 0; k < 3; k++)
        pli_big_subtract_products(&gap->direction[k], &x[k], &gap->below, &along, &e[k]);
}

/* Points at x from each other, of two planes, or lines, with the normal n. */
static void set_normal_gap(Gap *gap, const PliBigVector x, const PliBigVector n)
{
    PliBig height;
    pli_big_dot(&height, x, n);
    pli_big_multiply(&gap->above, &height, &height);
    pli_big_dot(&gap->below, n, n);
    copy_vector(gap->direction, n);
    for (int k = 0; k < 3 && height.sign < 0; k++)
        pli_big_negate(&gap->direction[k]);
}

static int compare_gaps(const Gap *a, const Gap *b)
{
    return pli_big_compare_products(&a->above, &b->below, &b->above, &a->below);
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* The direction, of length one: its numbers are divided by the greatest of them. */
static void set_normal(const PliBigVector x, float *normal)
{
    int most = 0;
    for (int k = 1; k < 3; k++)
        if (pli_big_compare_products(&x[k], &x[k], &x[most], &x[most]) > 0)
            most = k;
    double parts[3] = {0}, length = 0;
    for (int k = 0; k < 3 && x[most].sign != 0; k++) {
        parts[k] = x[most].sign * pli_big_ratio(&x[k], &x[most]);
        length += parts[k] * parts[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0 ? (float)(parts[k] / length) : 0;
}

void pli_exact_normal(const float *p, const float *q, const float *s, const float *t,
                      float normal[3])
{
    PliBigVector e, f, n;
    pli_big_between(e, q, p);
    pli_big_between(f, t, s);
    pli_big_cross(n, e, f);
    set_normal(n, normal);
}

/* Is the gap at most the distance? If so, *closest is set but for its weights and its region. What
 * touches has the normal n. */
static bool is_near(const Gap *gap, const PliBigVector n, float distance, PliClosest *closest)
{
    if (distance < INFINITY) {
        PliBig square;
        pli_big_set(&square, distance);
        pli_big_multiply(&square, &square, &square);
        pli_big_multiply(&square, &square, &gap->below);
        if (pli_big_compare(&gap->above, &square) > 0)
            return false;
    }
    closest->distance = (float)sqrt(pli_big_ratio(&gap->above, &gap->below));
    set_normal(gap->above.sign == 0 ? n : gap->direction, closest->normal);
    return true;
}

static void set_weights(PliClosest *closest, double a, double b, double c, double d, int region)
{
    closest->weights[0] = (float)a;
    closest->weights[1] = (float)b;
    closest->weights[2] = (float)c;
    closest->weights[3] = (float)d;
    closest->region = (uint8_t)region;
}

/* ---- A vertex and a triangle ----------------------------------------------------------------- */

/* A vertex at x from the first end of an edge: is the closest point within the edge, and where? */
static bool is_within(const PliBigVector x, const PliBigVector e, double *share)
{
    PliBig along, length;
    pli_big_dot(&along, x, e);
    pli_big_dot(&length, e, e);
    if (along.sign <= 0 || pli_big_compare(&along, &length) >= 0)
        return false;
    *share = pli_big_ratio(&along, &length);
    return true;
}

/* Is the closest point within the triangle? Then its weights. */
static bool is_inside(const PliBigVector ab, const PliBigVector ac, const PliBigVector ap,
                      const PliBigVector n, double weights[3])
{
    PliBigVector before_c, before_b;
    PliBig whole, a_part, b_part, c_part;
    pli_big_dot(&whole, n, n); /* 0: then no part is above 0 */
    pli_big_cross(before_c, ab, ap);
    pli_big_cross(before_b, ap, ac);
    pli_big_dot(&c_part, before_c, n);
    pli_big_dot(&b_part, before_b, n);
    pli_big_subtract(&a_part, &whole, &b_part);
    pli_big_subtract(&a_part, &a_part, &c_part);
    if (a_part.sign <= 0 || b_part.sign <= 0 || c_part.sign <= 0)
        return false;
    weights[0] = pli_big_ratio(&a_part, &whole);
    weights[1] = pli_big_ratio(&b_part, &whole);
    weights[2] = pli_big_ratio(&c_part, &whole);
    return true;
}

/* The least gap to an edge or a corner of the triangle. Corners come first, so that a point that is
 * a corner is one. */
static void find_border(const float *vertex, const float *triangle, Gap *least, PliClosest *closest)
{
    PliBigVector x, e;
    Gap gap;
    for (int k = 0; k < 3; k++) {
        pli_big_between(x, vertex, triangle + 3 * k);
        set_vertex_gap(&gap, x);
        if (k > 0 && compare_gaps(&gap, least) >= 0)
            continue;
        copy_gap(least, &gap);
        set_weights(closest, 1, -(k == 0), -(k == 1), -(k == 2), 1 | 2 << k);
    }
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        double share;
        pli_big_between(x, vertex, triangle + 3 * k);
        pli_big_between(e, triangle + 3 * next, triangle + 3 * k);
        if (!is_within(x, e, &share))
            continue;
        set_edge_gap(&gap, x, e);
        if (compare_gaps(&gap, least) >= 0)
            continue;
        copy_gap(least, &gap);
        float weights[3] = {0};
        weights[k] = (float)(1 - share);
        weights[next] = (float)share;
        set_weights(closest, 1, -weights[0], -weights[1], -weights[2], 1 | 2 << k | 2 << next);
    }
}

bool pli_exact_vertex_triangle(const float *vertex, const float *triangle, float distance,
                               PliClosest *closest)
{
    PliBigVector ab, ac, ap, n;
    Gap gap;
    double weights[3];
    pli_big_between(ab, triangle + 3, triangle);
    pli_big_between(ac, triangle + 6, triangle);
    pli_big_between(ap, vertex, triangle);
    pli_big_cross(n, ab, ac);
    if (is_inside(ab, ac, ap, n, weights)) {
        set_normal_gap(&gap, ap, n);
        set_weights(closest, 1, -weights[0], -weights[1], -weights[2], 15);
    } else {
        find_border(vertex, triangle, &gap, closest);
    }
    return is_near(&gap, n, distance, closest);
}

/* ---- Two edges ------------------------------------------------------------------------------- */

/* Are the closest points of two lines strictly within both edges? x0 + s e and y0 + t f, w = x0 -
 * y0, n = e x f: s |n|^2 = (f x w) . n, and t |n|^2 = (e x w) . n. */
static bool are_crossing(const PliBigVector e, const PliBigVector f, const PliBigVector w,
                         const PliBigVector n, double *s, double *t)
{
    PliBigVector fw, ew;
    PliBig whole, s_part, t_part;
    pli_big_dot(&whole, n, n);
    pli_big_cross(fw, f, w);
    pli_big_cross(ew, e, w);
    pli_big_dot(&s_part, fw, n);
    pli_big_dot(&t_part, ew, n);
    if (s_part.sign <= 0 || t_part.sign <= 0 || pli_big_compare(&s_part, &whole) >= 0 ||
        pli_big_compare(&t_part, &whole) >= 0)
        return false;
    *s = pli_big_ratio(&s_part, &whole);
    *t = pli_big_ratio(&t_part, &whole);
    return true;
}

/* The closest points so far. */
typedef struct Least {
    Gap gap;
    bool is_set;
} Least;

/* An end of one edge, and an end or the inside of the other. `is_swapped`: the end is of b. */
static void try_end(const float *edge, int end, const float *other, bool is_swapped, Least *least,
                    PliClosest *closest)
{
    PliBigVector e, x, y;
    PliBig along, beyond;
    Gap gap;
    pli_big_between(e, other + 3, other);
    pli_big_between(x, edge + 3 * end, other);
    pli_big_between(y, edge + 3 * end, other + 3);
    pli_big_dot(&along, x, e);
    pli_big_dot(&beyond, y, e);
    double share = beyond.sign >= 0 && along.sign > 0;
    const bool is_inside_edge = is_within(x, e, &share);
    if (is_inside_edge)
        set_edge_gap(&gap, x, e);
    else
        set_vertex_gap(&gap, share > 0 ? y : x);
    if (least->is_set && compare_gaps(&gap, &least->gap) >= 0)
        return;
    copy_gap(&least->gap, &gap);
    least->is_set = true;
    const int ends = is_inside_edge ? 3 : share > 0 ? 2 : 1, mine = 1 << end;
    if (is_swapped) {
        for (int k = 0; k < 3; k++)
            pli_big_negate(&least->gap.direction[k]);
        set_weights(closest, 1 - share, share, -(end == 0), -(end == 1), ends | mine << 2);
    } else
        set_weights(closest, end == 0, end == 1, -(1 - share), -share, mine | ends << 2);
}

bool pli_exact_edge_edge(const float *a, const float *b, float distance, PliClosest *closest)
{
    PliBigVector e, f, w, n;
    Least least;
    double s, t;
    pli_big_between(e, a + 3, a);
    pli_big_between(f, b + 3, b);
    pli_big_between(w, a, b);
    pli_big_cross(n, e, f);
    least.is_set = false;
    if (are_crossing(e, f, w, n, &s, &t)) {
        set_normal_gap(&least.gap, w, n);
        set_weights(closest, 1 - s, s, -(1 - t), -t, 15);
        return is_near(&least.gap, n, distance, closest);
    }
    for (int end = 0; end < 2; end++)
        try_end(a, end, b, false, &least, closest);
    for (int end = 0; end < 2; end++)
        try_end(b, end, a, true, &least, closest);
    return is_near(&least.gap, n, distance, closest);
}
