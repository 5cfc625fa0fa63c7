/* Closest points by integers: see closest_exact.h.
 *
 * All differences of coordinates are integers on a common scale. Every region of the closest points
 * has a squared distance that is a quotient of two integers:
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

static Vector between(const float *p, const float *q, int scale)
{
    Vector v;
    for (int k = 0; k < 3; k++) {
        const PliBig a = pli_big_from_float(p[k], scale), b = pli_big_from_float(q[k], scale);
        v.x[k] = pli_big_subtract(&a, &b);
    }
    return v;
}

static PliBig dot(const Vector *a, const Vector *b)
{
    PliBig sum = pli_big_multiply(&a->x[0], &b->x[0]);
    for (int k = 1; k < 3; k++) {
        const PliBig term = pli_big_multiply(&a->x[k], &b->x[k]);
        sum = pli_big_add(&sum, &term);
    }
    return sum;
}

static Vector cross(const Vector *a, const Vector *b)
{
    Vector v;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const PliBig left = pli_big_multiply(&a->x[i], &b->x[j]),
                     right = pli_big_multiply(&a->x[j], &b->x[i]);
        v.x[k] = pli_big_subtract(&left, &right);
    }
    return v;
}

/* a * b - c * d. */
static PliBig product_difference(const PliBig *a, const PliBig *b, const PliBig *c, const PliBig *d)
{
    const PliBig left = pli_big_multiply(a, b), right = pli_big_multiply(c, d);
    return pli_big_subtract(&left, &right);
}

static const PliBig ONE = {1, 1, {1}};

/* ---- Gaps --------------------------------------------------------------------------------------
 */

static Gap vertex_gap(const Vector *x)
{
    return (Gap){dot(x, x), ONE, *x};
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
    Gap gap = {pli_big_multiply(&height, &height), dot(n, n), *n};
    for (int k = 0; k < 3 && height.sign < 0; k++)
        gap.direction.x[k].sign = -gap.direction.x[k].sign;
    return gap;
}

static int compare_gaps(const Gap *a, const Gap *b)
{
    const PliBig left = pli_big_multiply(&a->above, &b->below),
                 right = pli_big_multiply(&b->above, &a->below);
    return pli_big_compare(&left, &right);
}

/* ---- The answer -------------------------------------------------------------------------------
 */

/* Directions are scaled by the greatest of their exponents, so that nothing underflows that
 * matters. */
static void set_normal(const Vector *direction, float *normal)
{
    double x[3], length = 0;
    int exponents[3], most = -PLI_BIG_LIMBS * 32;
    for (int k = 0; k < 3; k++) {
        x[k] = pli_big_to_double(&direction->x[k], &exponents[k]);
        most = x[k] != 0 && exponents[k] > most ? exponents[k] : most;
    }
    for (int k = 0; k < 3; k++) {
        const int down = exponents[k] - most;
        x[k] = x[k] == 0 || down < -256 ? 0 : x[k] * pli_power_of_two(down);
        length += x[k] * x[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0 ? (float)(x[k] / length) : 0;
}

/* The square root of a gap, on a scale of 2^(scale - 149). */
static float root(const Gap *gap, int scale)
{
    int above_exponent, below_exponent;
    const double above = pli_big_to_double(&gap->above, &above_exponent),
                 below = pli_big_to_double(&gap->below, &below_exponent);
    int exponent = above_exponent - below_exponent;
    if (above == 0)
        return 0;
    const int odd = exponent & 1; /* also of a negative one */
    exponent = (exponent - odd) / 2 + scale - 149;
    /* At least 2^-149 / sqrt(3) times a quotient of floats: it may round to 0, as a float. */
    return exponent < -300
               ? 0
               : (float)(sqrt(above / below * (odd ? 2 : 1)) * pli_power_of_two(exponent));
}

/* Is the gap at most the distance? If so, *closest is set but for its weights and its region. */
static bool is_near(const Gap *gap, float distance, int scale, PliClosest *closest)
{
    if (distance < INFINITY) {
        const PliBig length = pli_big_from_float(distance, scale);
        const PliBig square = pli_big_multiply(&length, &length),
                     most = pli_big_multiply(&square, &gap->below);
        if (pli_big_compare(&gap->above, &most) > 0)
            return false;
    }
    closest->distance = root(gap, scale);
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

/* The scale of all numbers of a problem. */
static int scale_of(const float *a, int a_count, const float *b, int b_count, float distance)
{
    int scale = pli_big_scale(a, a_count, PLI_BIG_NO_SCALE);
    scale = pli_big_scale(b, b_count, scale);
    if (distance < INFINITY)
        scale = pli_big_scale(&distance, 1, scale);
    return scale == PLI_BIG_NO_SCALE ? 0 : scale;
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
    const PliBig both = pli_big_add(&b_part, &c_part), a_part = pli_big_subtract(&whole, &both);
    if (a_part.sign <= 0 || b_part.sign <= 0 || c_part.sign <= 0)
        return false;
    weights[0] = pli_big_ratio(&a_part, &whole);
    weights[1] = pli_big_ratio(&b_part, &whole);
    weights[2] = pli_big_ratio(&c_part, &whole);
    return true;
}

/* The least gap to an edge or a corner of the triangle. Corners come first, so that a point that is
 * a corner is one. */
static Gap find_border(const float *vertex, const float *triangle, int scale, PliClosest *closest)
{
    Gap least;
    for (int k = 0; k < 3; k++) {
        const Vector x = between(vertex, triangle + 3 * k, scale);
        const Gap gap = vertex_gap(&x);
        if (k > 0 && compare_gaps(&gap, &least) >= 0)
            continue;
        least = gap;
        set_weights(closest, 1, -(k == 0), -(k == 1), -(k == 2), 1 | 2 << k);
    }
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        const Vector x = between(vertex, triangle + 3 * k, scale),
                     e = between(triangle + 3 * next, triangle + 3 * k, scale);
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
    const int scale = scale_of(vertex, 3, triangle, 9, distance);
    const Vector ab = between(triangle + 3, triangle, scale),
                 ac = between(triangle + 6, triangle, scale), ap = between(vertex, triangle, scale);
    const Vector n = cross(&ab, &ac);
    double weights[3];
    if (is_inside(&ab, &ac, &ap, &n, weights)) {
        const Gap gap = normal_gap(&ap, &n);
        set_weights(closest, 1, -weights[0], -weights[1], -weights[2], 15);
        return is_near(&gap, distance, scale, closest);
    }
    const Gap gap = find_border(vertex, triangle, scale, closest);
    return is_near(&gap, distance, scale, closest);
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
static void try_end(const float *edge, int end, const float *other, bool is_swapped, int scale,
                    Least *least, PliClosest *closest)
{
    const Vector e = between(other + 3, other, scale), x = between(edge + 3 * end, other, scale),
                 y = between(edge + 3 * end, other + 3, scale);
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
            least->gap.direction.x[k].sign = -least->gap.direction.x[k].sign;
        set_weights(closest, 1 - share, share, -(end == 0), -(end == 1), ends | mine << 2);
    } else
        set_weights(closest, end == 0, end == 1, -(1 - share), -share, mine | ends << 2);
}

bool pli_exact_edge_edge(const float *a, const float *b, float distance, PliClosest *closest)
{
    const int scale = scale_of(a, 6, b, 6, distance);
    const Vector e = between(a + 3, a, scale), f = between(b + 3, b, scale),
                 w = between(a, b, scale);
    const Vector n = cross(&e, &f);
    double s, t;
    if (are_crossing(&e, &f, &w, &n, &s, &t)) {
        const Gap gap = normal_gap(&w, &n);
        set_weights(closest, 1 - s, s, -(1 - t), -t, 15);
        return is_near(&gap, distance, scale, closest);
    }
    Least least = {.is_set = false};
    for (int end = 0; end < 2; end++)
        try_end(a, end, b, false, scale, &least, closest);
    for (int end = 0; end < 2; end++)
        try_end(b, end, a, true, scale, &least, closest);
    return is_near(&least.gap, distance, scale, closest);
}
