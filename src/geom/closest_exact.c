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

typedef struct Vector {
    PliBig x[3];
} Vector;

/* A squared distance, and the vector between the points: above / below, and direction in any
 * length. */
typedef struct Gap {
    PliBig above, below;
    Vector direction;
} Gap;

static Vector between(const float *p, const float *q)
{
    Vector v;
    for (int k = 0; k < 3; k++) {
        PliBig other;
        pli_big_set(&v.x[k], p[k]);
        pli_big_set(&other, q[k]);
        pli_big_subtract(&v.x[k], &v.x[k], &other);
    }
    return v;
}

static PliBig product(const PliBig *a, const PliBig *b)
{
    PliBig result;
    pli_big_multiply(&result, a, b);
    return result;
}

/* a * b - c * d. */
static PliBig product_difference(const PliBig *a, const PliBig *b, const PliBig *c, const PliBig *d)
{
    PliBig left = product(a, b);
    const PliBig right = product(c, d);
    pli_big_subtract(&left, &left, &right);
    return left;
}

static PliBig dot(const Vector *a, const Vector *b)
{
    PliBig sum = product(&a->x[0], &b->x[0]);
    for (int k = 1; k < 3; k++) {
        const PliBig term = product(&a->x[k], &b->x[k]);
        pli_big_add(&sum, &sum, &term);
    }
    return sum;
}

static Vector cross(const Vector *a, const Vector *b)
{
    Vector v;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        v.x[k] = product_difference(&a->x[i], &b->x[j], &a->x[j], &b->x[i]);
    }
    return v;
}

/* ---- Gaps --------------------------------------------------------------------------------------
 */

static Gap vertex_gap(const Vector *x)
{
    Gap gap = {.above = dot(x, x), .direction = *x};
    pli_big_set(&gap.below, 1);
    return gap;
}

/* A vertex at x from the first end of an edge: the direction is x |e|^2 - (x . e) e. */
static Gap edge_gap(const Vector *x, const Vector *e)
{
    const Vector normal = cross(x, e);
    const PliBig length = dot(e, e), along = dot(x, e);
    Gap gap = {dot(&normal, &normal), length, {{{0}}}};
    for (int k = 0; k < 3; k++)
        gap.direction.x[k] = product_difference(&x->x[k], &length, &along, &e->x[k]);
    return gap;
}

/* Points at x from each other, of two planes, or lines, with the normal n. */
static Gap normal_gap(const Vector *x, const Vector *n)
{
    const PliBig height = dot(x, n);
    Gap gap = {product(&height, &height), dot(n, n), *n};
    for (int k = 0; k < 3 && height.sign < 0; k++)
        pli_big_negate(&gap.direction.x[k]);
    return gap;
}

static int compare_gaps(const Gap *a, const Gap *b)
{
    return pli_big_compare_products(&a->above, &b->below, &b->above, &a->below);
}

/* ---- The answer -------------------------------------------------------------------------------
 */

/* The direction, of length one: its numbers are divided by the greatest of them. */
static void set_normal(const Vector *direction, float *normal)
{
    const PliBig *x = direction->x;
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

/* Is the gap at most the distance? If so, *closest is set but for its weights and its region. */
static bool is_near(const Gap *gap, float distance, PliClosest *closest)
{
    if (distance < INFINITY) {
        PliBig square;
        pli_big_set(&square, distance);
        pli_big_multiply(&square, &square, &square);
        const PliBig most = product(&square, &gap->below);
        if (pli_big_compare(&gap->above, &most) > 0)
            return false;
    }
    closest->distance = (float)sqrt(pli_big_ratio(&gap->above, &gap->below));
    set_normal(&gap->direction, closest->normal);
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

/* ---- A vertex and a triangle -------------------------------------------------------------------
 */

/* A vertex at x from the first end of an edge: is the closest point within the edge, and where? */
static bool is_within(const Vector *x, const Vector *e, double *share)
{
    const PliBig along = dot(x, e), length = dot(e, e);
    if (along.sign <= 0 || pli_big_compare(&along, &length) >= 0)
        return false;
    *share = pli_big_ratio(&along, &length);
    return true;
}

/* Is the closest point within the triangle? Then its weights. */
static bool is_inside(const Vector *ab, const Vector *ac, const Vector *ap, const Vector *n,
                      double weights[3])
{
    const PliBig whole = dot(n, n); /* 0: then no part is above 0 */
    const Vector before_c = cross(ab, ap), before_b = cross(ap, ac);
    const PliBig c_part = dot(&before_c, n), b_part = dot(&before_b, n);
    PliBig a_part;
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
static Gap find_border(const float *vertex, const float *triangle, PliClosest *closest)
{
    Gap least;
    for (int k = 0; k < 3; k++) {
        const Vector x = between(vertex, triangle + 3 * k);
        const Gap gap = vertex_gap(&x);
        if (k > 0 && compare_gaps(&gap, &least) >= 0)
            continue;
        least = gap;
        set_weights(closest, 1, -(k == 0), -(k == 1), -(k == 2), 1 | 2 << k);
    }
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        const Vector x = between(vertex, triangle + 3 * k),
                     e = between(triangle + 3 * next, triangle + 3 * k);
        double share;
        if (!is_within(&x, &e, &share))
            continue;
        const Gap gap = edge_gap(&x, &e);
        if (compare_gaps(&gap, &least) >= 0)
            continue;
        least = gap;
        float weights[3] = {0};
        weights[k] = (float)(1 - share);
        weights[next] = (float)share;
        set_weights(closest, 1, -weights[0], -weights[1], -weights[2], 1 | 2 << k | 2 << next);
    }
    return least;
}

bool pli_exact_vertex_triangle(const float *vertex, const float *triangle, float distance,
                               PliClosest *closest)
{
    const Vector ab = between(triangle + 3, triangle), ac = between(triangle + 6, triangle),
                 ap = between(vertex, triangle);
    const Vector n = cross(&ab, &ac);
    double weights[3];
    if (is_inside(&ab, &ac, &ap, &n, weights)) {
        const Gap gap = normal_gap(&ap, &n);
        set_weights(closest, 1, -weights[0], -weights[1], -weights[2], 15);
        return is_near(&gap, distance, closest);
    }
    const Gap gap = find_border(vertex, triangle, closest);
    return is_near(&gap, distance, closest);
}

/* ---- Two edges ---------------------------------------------------------------------------------
 */

/* Are the closest points of two lines strictly within both edges? x0 + s e and y0 + t f, w = x0 -
 * y0, n = e x f: s |n|^2 = (f x w) . n, and t |n|^2 = (e x w) . n. */
static bool are_crossing(const Vector *e, const Vector *f, const Vector *w, const Vector *n,
                         double *s, double *t)
{
    const PliBig whole = dot(n, n);
    const Vector fw = cross(f, w), ew = cross(e, w);
    const PliBig s_part = dot(&fw, n), t_part = dot(&ew, n);
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
    const Vector e = between(other + 3, other), x = between(edge + 3 * end, other),
                 y = between(edge + 3 * end, other + 3);
    const PliBig along = dot(&x, &e), beyond = dot(&y, &e);
    double share = beyond.sign >= 0 && along.sign > 0;
    const bool is_inside_edge = is_within(&x, &e, &share);
    const Gap gap = is_inside_edge ? edge_gap(&x, &e) : vertex_gap(share > 0 ? &y : &x);
    if (least->is_set && compare_gaps(&gap, &least->gap) >= 0)
        return;
    *least = (Least){gap, true};
    const int ends = is_inside_edge ? 3 : share > 0 ? 2 : 1, mine = 1 << end;
    if (is_swapped) {
        for (int k = 0; k < 3; k++)
            pli_big_negate(&least->gap.direction.x[k]);
        set_weights(closest, 1 - share, share, -(end == 0), -(end == 1), ends | mine << 2);
    } else
        set_weights(closest, end == 0, end == 1, -(1 - share), -share, mine | ends << 2);
}

bool pli_exact_edge_edge(const float *a, const float *b, float distance, PliClosest *closest)
{
    const Vector e = between(a + 3, a), f = between(b + 3, b), w = between(a, b);
    const Vector n = cross(&e, &f);
    double s, t;
    if (are_crossing(&e, &f, &w, &n, &s, &t)) {
        const Gap gap = normal_gap(&w, &n);
        set_weights(closest, 1 - s, s, -(1 - t), -t, 15);
        return is_near(&gap, distance, closest);
    }
    Least least = {.is_set = false};
    for (int end = 0; end < 2; end++)
        try_end(a, end, b, false, &least, closest);
    for (int end = 0; end < 2; end++)
        try_end(b, end, a, true, &least, closest);
    return is_near(&least.gap, distance, closest);
}
