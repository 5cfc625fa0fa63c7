/* Where an edge goes through a triangle: see crossing.h.
 *
 * With d = q - p, and the corners a_i = t_i - p seen from p,
 *
 *     e_i = d . (a_i x a_i+1),   n = (t_1 - t_0) x (t_2 - t_0),   e_0 + e_1 + e_2 = n . d,
 *
 * the weight of corner i + 2 is e_i / n . d, and the edge weight is n . a_0 / n . d. The ends are
 * on two sides of the plane, so n . d is as large as the sum of the heights of both ends: nothing
 * is lost in it to cancellation beyond the errors of its terms.
 *
 * The error in double. A determinant of three vectors that are differences of floats, evaluated as
 * in orient.h, is within 8 u P' of the exact one: 7 roundings before the last addition and that
 * one, with P' its permanent as computed and u = 2^-53; and within ERROR P' with room for the
 * rounding of this product. Let x' be a numerator as computed, x the exact one, W' and W the same
 * of the denominator, and E the sum of the bounds of all terms. x / W is between 0 and 1, so
 *
 *     |x' / W' - x / W|  <=  |x' - x| / |W'| + |x / W| |W' - W| / |W'|  <=  2 (E + 2 u |W'|) /
 * |W'|.
 *
 * (W' is a sum of three, of one sign but for their errors: its additions are within 2 u |W'|.)
 * Where E < 2^-30 |W'|, that is below 2^-29 + 2^-51, and so below 2^-28 with the rounding of the
 * quotient. Elsewhere big numbers take over. Clamping to 0 and 1 can only lessen an error.
 *
 * The position is p + w d: 2^-28 |d| from w, and the roundings of d, of the product, which are at
 * most 2 u |d|, and of the sum, u times the larger of both ends. |d| is at most twice that, and the
 * bound of 2^-28 has room for the former.
 */
#include "geom/crossing.h"
#include "geom/big.h"
#include "geom/orient.h"

#define ERROR (9 * 0x1p-53)

/* The largest error, of W', that is left to double. */
#define MAX_ERROR 0x1p-30

/* The edge from the lower end to the upper one, and the corners of the triangle, in lexicographic
 * order. */
typedef struct Problem {
    const float *p, *q, *corners[3];
} Problem;

/* Of the corners in order. */
typedef struct Weights {
    double edge, corners[3];
} Weights;

static double clamped(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* ---- In double ------------------------------------------------------------------------------ */

/* A determinant, and how far it may be off. */
typedef struct Value {
    double value, error;
} Value;

/* ((r - p) x (q - p)) . (to - from). */
static Value determinant(const float *p, const float *q, const float *r, const float *from,
                         const float *to)
{
    const PliOrientPlane plane = pli_plane(p, q, r);
    const double x = (double)to[0] - from[0], y = (double)to[1] - from[1],
                 z = (double)to[2] - from[2];
    return (Value){pli_plane_det(&plane, x, y, z),
                   ERROR * pli_plane_permanent(&plane, fabs(x), fabs(y), fabs(z))};
}

/* False if the error may be too large, and then nothing is set. */
static bool find_in_double(const Problem *problem, Weights *weights)
{
    const float *p = problem->p, *q = problem->q, *const *t = problem->corners;
    const Value low = determinant(t[0], t[1], t[2], t[0], p),
                high = determinant(t[0], t[1], t[2], t[0], q);
    const double height = low.value - high.value;
    if (!(low.error + high.error < MAX_ERROR * fabs(height)))
        return false;
    Value parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] = determinant(t[(i + 1) % 3], t[(i + 2) % 3], p, p, q);
    const double sum = (parts[0].value + parts[1].value) + parts[2].value;
    if (!((parts[0].error + parts[1].error) + parts[2].error < MAX_ERROR * fabs(sum)))
        return false;
    weights->edge = clamped(low.value / height);
    for (int i = 0; i < 3; i++)
        weights->corners[i] = clamped(parts[i].value / sum);
    return true;
}

/* ---- By big numbers: the plane is crossed --------------------------------------------------- */

/* All as seen from p. */
typedef struct BigProblem {
    PliBigVector d, corners[3];
} BigProblem;

/* False if the edge does not cross the plane, or there is no plane. */
static bool find_across(const BigProblem *problem, Weights *weights)
{
    const PliBigVector *a = problem->corners;
    PliBig parts[3], whole, height;
    for (int i = 0; i < 3; i++)
        pli_big_triple(&parts[i], problem->d, a[(i + 1) % 3], a[(i + 2) % 3]);
    pli_big_add_three(&whole, parts);
    if (whole.sign == 0)
        return false;
    pli_big_triple(&height, a[0], a[1], a[2]);
    weights->edge = pli_big_ratio(&height, &whole);
    for (int i = 0; i < 3; i++)
        weights->corners[i] = pli_big_ratio(&parts[i], &whole);
    return true;
}

/* ---- By big numbers: the edge is in the plane of a triangle with area -------------------------
 *
 * In coordinates u and v in which the triangle has the area A. With e_i = a_i x a_i+1 and g_i =
 * d x (a_i+1 - a_i), the point p + t d is at e_i - t g_i from edge i. Where p is outside, which the
 * signs of e_i and A say, t is at least e_i / g_i. The first common point is at the greatest of
 * these, or at 0. */
static bool find_in_plane(const BigProblem *problem, int u, int v, Weights *weights)
{
    const PliBigVector *a = problem->corners;
    PliBig e[3], g[3], area, t = {0}, unit;
    pli_big_set(&unit, 1);
    for (int i = 0; i < 3; i++)
        pli_big_turn(&e[i], a[i], a[(i + 1) % 3], u, v);
    pli_big_add_three(&area, e);
    if (area.sign == 0)
        return false;
    for (int i = 0; i < 3; i++) {
        PliBigVector edge;
        pli_big_subtract(&edge[u], &a[(i + 1) % 3][u], &a[i][u]);
        pli_big_subtract(&edge[v], &a[(i + 1) % 3][v], &a[i][v]);
        pli_big_turn(&g[i], problem->d, edge, u, v);
        if (e[i].sign * area.sign >= 0)
            continue;
        PliBig here = e[i], here_unit = g[i]; /* of one sign */
        here.sign = here_unit.sign = 1;
        if (pli_big_compare_products(&here, &unit, &t, &here_unit) > 0) {
            t = here;
            unit = here_unit;
        }
    }
    weights->edge = pli_big_ratio(&t, &unit);
    pli_big_multiply(&area, &area, &unit);
    for (int i = 0; i < 3; i++) {
        pli_big_multiply(&e[i], &e[i], &unit);
        pli_big_multiply(&g[i], &g[i], &t);
        pli_big_subtract(&e[i], &e[i], &g[i]);
        weights->corners[(i + 2) % 3] = pli_big_ratio(&e[i], &area);
    }
    return true;
}

/* ---- By big numbers: the triangle has no area -------------------------------------------------
 *
 * It is the segment from its first corner to its last, r + z e, where r is seen from p. Of two
 * corners at one point, the former is meant. */

/* The segment is not parallel to the edge in the coordinates u and v: t = r x e / d x e, and z =
 * r x d / d x e. */
static bool find_on_segment(const PliBigVector d, const PliBigVector r, const PliBigVector e, int u,
                            int v, double *t, double *z)
{
    PliBig unit, t_part, z_part;
    pli_big_turn(&unit, d, e, u, v);
    if (unit.sign == 0)
        return false;
    pli_big_turn(&t_part, r, e, u, v);
    pli_big_turn(&z_part, r, d, u, v);
    *t = pli_big_ratio(&t_part, &unit);
    *z = pli_big_ratio(&z_part, &unit);
    return true;
}

/* All on one line, or at one point. Along an axis on which something has an extent, the first
 * common point is the later one of p and r. */
static void find_on_line(const PliBigVector d, const PliBigVector r, const PliBigVector e,
                         double *t, double *z)
{
    int k = 0;
    while (k < 2 && d[k].sign == 0 && e[k].sign == 0)
        k++;
    *t = r[k].sign > 0 ? pli_big_ratio(&r[k], &d[k]) : 0;
    *z = r[k].sign < 0 ? -pli_big_ratio(&r[k], &e[k]) : 0;
}

static bool is_same(const PliBigVector p, const PliBigVector q)
{
    return pli_big_compare(&p[0], &q[0]) == 0 && pli_big_compare(&p[1], &q[1]) == 0 &&
           pli_big_compare(&p[2], &q[2]) == 0;
}

static void find_without_area(const BigProblem *problem, Weights *weights)
{
    const int last = is_same(problem->corners[1], problem->corners[2]) ? 1 : 2;
    const PliBig *r = problem->corners[0], *s = problem->corners[last];
    PliBigVector e;
    for (int k = 0; k < 3; k++)
        pli_big_subtract(&e[k], &s[k], &r[k]);
    bool is_found = false;
    double z = 0;
    for (int k = 0; k < 3 && !is_found; k++)
        is_found = find_on_segment(problem->d, r, e, (k + 1) % 3, (k + 2) % 3, &weights->edge, &z);
    if (!is_found)
        find_on_line(problem->d, r, e, &weights->edge, &z);
    weights->corners[1] = weights->corners[2] = 0;
    weights->corners[last] = z;
    weights->corners[0] = 1 - z;
}

static PLI_NOINLINE void find_by_integers(const Problem *problem, Weights *weights)
{
    BigProblem big;
    pli_big_between(big.d, problem->q, problem->p);
    for (int i = 0; i < 3; i++)
        pli_big_between(big.corners[i], problem->corners[i], problem->p);
    bool is_found = find_across(&big, weights);
    for (int k = 0; k < 3 && !is_found; k++)
        is_found = find_in_plane(&big, (k + 1) % 3, (k + 2) % 3, weights);
    if (!is_found)
        find_without_area(&big, weights);
    weights->edge = clamped(weights->edge);
    for (int i = 0; i < 3; i++)
        weights->corners[i] = clamped(weights->corners[i]);
}

/* ---- Both ----------------------------------------------------------------------------------- */

/* -0 becomes 0. */
void pli_edge_triangle_crossing(const float *p, const float *q, const float *triangle,
                                PliCrossing *crossing)
{
    int order[3];
    Weights weights;
    const bool is_turned = pli_is_before(q, p);
    Problem problem = {is_turned ? q : p, is_turned ? p : q, {NULL}};
    pli_sort_corners(triangle, 7, order); /* order[i] is the corner that comes i-th */
    for (int i = 0; i < 3; i++)
        problem.corners[i] = triangle + 3 * order[i];
    if (PLI_UNLIKELY(!find_in_double(&problem, &weights)))
        find_by_integers(&problem, &weights);
    crossing->edge_weight = is_turned ? 1 - weights.edge : weights.edge;
    for (int i = 0; i < 3; i++)
        crossing->weights[order[i]] = weights.corners[i];
    for (int k = 0; k < 3; k++) {
        const double from = problem.p[k], along = (double)problem.q[k] - from;
        crossing->position[k] = from + weights.edge * along + 0.0;
    }
}
