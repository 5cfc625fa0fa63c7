/* Impacts by integers: see impact.h.
 *
 * When do they touch, if e, f and g are coplanar? If and only if they do in all three projections
 * along an axis. For if they touch, so do their images. And if the four points span a plane, one of
 * the projections maps that plane one to one; if they span a line, one of them maps that line so;
 * and if they are one point, they touch.
 *
 * In a projection, g is in the closed convex polygon, of whatever area, if and only if it is in its
 * box, and the turns from each of its edges to g are not of both signs. If the polygon has an area,
 * the turns alone tell. If all of it is on a line, and g is not, two edges that go back and forth
 * have turns of both signs, unless the polygon is a point; if g is on the line, or the polygon is a
 * point, the box tells.
 *
 * With n = e x f, q = e x g and r = f x g, all turns are sums of these, along the axis:
 *
 *     0, e, f           q,  n + r - q,  -r
 *     0, e, e + f, f    q,  n + r,  n - q,  -r
 *
 * and boxes are told by signs of g less each corner. So whether they touch at a root is told by
 * signs of quadratic and linear polynomials there.
 *
 * If det(e, f, g) is not zero throughout, they can only touch at its roots. Otherwise they are
 * coplanar throughout, and the times when they touch are told by those signs alone; these change at
 * roots only, so that the first time is 0 or such a root. Of all roots at which they touch, the
 * least floor is the time, since to round down keeps an order.
 */
#include "geom/impact.h"
#include "geom/roots.h"

#include <math.h>

/* Polynomials in time. Of each axis: e, f and g, e x f, and once they are needed the turns, and g
 * less each corner. */
typedef struct Motion {
    PliPoly e[3], f[3], g[3], normal[3];
    PliPoly turns[3][4], gaps[3][4];
    int corner_count;
} Motion;

/* ---- Polynomials --------------------------------------------------------------------------- */

static void set_zero(PliPoly *poly, int count)
{
    for (int i = 0; i < count; i++)
        pli_big_set(&poly->c[i], 0);
}

/* sum += sign * p; the sum is not closed. */
static void add(PliPoly *sum, const PliPoly *p, int sign)
{
    for (int i = 0; i <= p->degree; i++)
        if (sign > 0)
            pli_big_add(&sum->c[i], &sum->c[i], &p->c[i]);
        else
            pli_big_subtract(&sum->c[i], &sum->c[i], &p->c[i]);
}

/* sum += sign * a * b. */
static void add_product(PliPoly *sum, const PliPoly *a, const PliPoly *b, int sign)
{
    for (int i = 0; i <= a->degree; i++)
        for (int k = 0; k <= b->degree; k++) {
            PliBig product;
            pli_big_multiply(&product, &a->c[i], &b->c[k]);
            product.sign *= sign;
            pli_big_add(&sum->c[i + k], &sum->c[i + k], &product);
        }
}

/* Of a cross product, along an axis. */
static void set_cross(PliPoly *cross, const PliPoly a[3], const PliPoly b[3], int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    set_zero(cross, 3);
    add_product(cross, &a[u], &b[v], 1);
    add_product(cross, &a[v], &b[u], -1);
    pli_poly_close(cross, 3);
}

/* a + b + c, each with a sign or 0. */
static void set_sum(PliPoly *sum, int count, const PliPoly *a, int a_sign, const PliPoly *b,
                    int b_sign, const PliPoly *c, int c_sign)
{
    set_zero(sum, count);
    if (a_sign)
        add(sum, a, a_sign);
    if (b_sign)
        add(sum, b, b_sign);
    if (c_sign)
        add(sum, c, c_sign);
    pli_poly_close(sum, count);
}

/* ---- Motions ------------------------------------------------------------------------------- */

/* Point p less point q over time. */
static void set_between(PliPoly poly[3], const float *const start[4], const float *const end[4],
                        int p, int q)
{
    for (int k = 0; k < 3; k++) {
        PliBig *from = &poly[k].c[0], *change = &poly[k].c[1];
        pli_big_set_difference(from, start[p][k], start[q][k]);
        pli_big_set_difference(change, end[p][k], end[q][k]);
        pli_big_subtract(change, change, from);
        pli_poly_close(&poly[k], 2);
    }
}

/* Sets e, f, g and the normal. */
static void set_motion(Motion *motion, PliImpactKind kind, const float *const start[4],
                       const float *const end[4])
{
    const bool are_edges = kind == PLI_EDGE_EDGE;
    motion->corner_count = are_edges ? 4 : 3;
    set_between(motion->e, start, end, are_edges ? 1 : 2, are_edges ? 0 : 1);
    set_between(motion->f, start, end, are_edges ? 2 : 3, are_edges ? 3 : 1);
    set_between(motion->g, start, end, are_edges ? 2 : 0, are_edges ? 0 : 1);
    for (int k = 0; k < 3; k++)
        set_cross(&motion->normal[k], motion->e, motion->f, k);
}

static void set_determinant(PliPoly *determinant, const Motion *motion)
{
    set_zero(determinant, 4);
    for (int k = 0; k < 3; k++)
        add_product(determinant, &motion->normal[k], &motion->g[k], 1);
    pli_poly_close(determinant, 4);
}

/* Sets the turns and the gaps. */
static void set_signs(Motion *motion)
{
    const bool is_triangle = motion->corner_count == 3;
    for (int k = 0; k < 3; k++) {
        const PliPoly *n = &motion->normal[k];
        PliPoly q, r, *turns = motion->turns[k], *gaps = motion->gaps[k];
        set_cross(&q, motion->e, motion->g, k);
        set_cross(&r, motion->f, motion->g, k);
        set_sum(&turns[0], 3, &q, 1, n, 0, &r, 0);
        set_sum(&turns[1], 3, &q, 0, n, 0, &r, -1);
        set_sum(&turns[2], 3, &q, is_triangle ? -1 : 0, n, 1, &r, 1);
        const PliPoly *e = &motion->e[k], *f = &motion->f[k], *g = &motion->g[k];
        set_sum(&gaps[0], 2, g, 1, e, 0, f, 0);
        set_sum(&gaps[1], 2, g, 1, e, -1, f, 0);
        set_sum(&gaps[2], 2, g, 1, e, 0, f, -1);
        if (is_triangle)
            continue;
        set_sum(&turns[3], 3, &q, -1, n, 1, &r, 0);
        set_sum(&gaps[3], 2, g, 1, e, -1, f, -1);
    }
}

/* ---- Times --------------------------------------------------------------------------------- */

/* Are the signs of these at a root not all of one kind: is there one that is not above 0, and one
 * that is not below? */
static bool are_around(const PliRoot *root, const PliPoly *polys, int count)
{
    bool has_low = false, has_high = false;
    for (int i = 0; i < count && !(has_low && has_high); i++) {
        const int sign = pli_root_sign(root, &polys[i]);
        has_low |= sign <= 0;
        has_high |= sign >= 0;
    }
    return has_low && has_high;
}

/* Are there no two of different signs? */
static bool are_one_way(const PliRoot *root, const PliPoly *polys, int count)
{
    int first = 0;
    for (int i = 0; i < count; i++) {
        const int sign = pli_root_sign(root, &polys[i]);
        if (sign * first < 0)
            return false;
        first = sign ? sign : first;
    }
    return true;
}

/* Do they touch at a time when they are coplanar? */
static bool do_touch(const Motion *motion, const PliRoot *root)
{
    for (int k = 0; k < 3; k++)
        if (!are_around(root, motion->gaps[k], motion->corner_count))
            return false;
    for (int k = 0; k < 3; k++)
        if (!are_one_way(root, motion->turns[k], motion->corner_count))
            return false;
    return true;
}

/* The least of `time` and of the roots of a polynomial at which they touch. */
static float first_of(const Motion *motion, const PliRoots *roots, float time)
{
    for (int i = 0; i < roots->count; i++) {
        const PliRoot *root = &roots->items[i];
        if (root->low < (double)time && do_touch(motion, root))
            time = (float)pli_lesser(time, pli_root_floor(root));
    }
    return time;
}

static float first_of_many(const Motion *motion, PliPoly polys[3][4], float time)
{
    PliRoots roots;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < motion->corner_count; i++) {
            if (polys[k][i].degree < 1)
                continue;
            pli_roots_find(&roots, &polys[k][i]);
            time = first_of(motion, &roots, time);
        }
    return time;
}

/* Coplanar throughout. */
static PLI_NOINLINE float first_in_plane(Motion *motion)
{
    PliRoots roots;
    PliPoly time;
    set_zero(&time, 2);
    pli_big_set(&time.c[1], 1);
    pli_poly_close(&time, 2);
    pli_roots_find(&roots, &time);
    if (do_touch(motion, &roots.items[0]))
        return 0;
    const float first = first_of_many(motion, motion->gaps, INFINITY);
    return first_of_many(motion, motion->turns, first);
}

float pli_impact_exact(PliImpactKind kind, const float *const start[4], const float *const end[4])
{
    Motion motion;
    PliPoly determinant;
    PliRoots roots;
    set_motion(&motion, kind, start, end);
    set_determinant(&determinant, &motion);
    if (determinant.degree < 0) {
        set_signs(&motion);
        return first_in_plane(&motion);
    }
    pli_roots_find(&roots, &determinant);
    if (roots.count == 0)
        return INFINITY;
    set_signs(&motion);
    return first_of(&motion, &roots, INFINITY);
}
