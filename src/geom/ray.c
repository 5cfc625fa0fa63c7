/* Rays and triangles: see ray.h.
 *
 * With the origin o, the direction d, and the corners p_0, p_1, p_2 seen from o,
 *
 *     e_i = d . (p_i x p_i+1),   n = (p_1 - p_0) x (p_2 - p_0),   e_0 + e_1 + e_2 = n . d.
 *
 * The line of the ray passes edge i on the side that the sign of e_i says.
 * 1. If two of the e_i have opposite signs, the line misses the triangle, with or without area: the
 *    line is strictly to the left of one edge and strictly to the right of another.
 * 2. If all are zero, the line is in the plane of the triangle, or the triangle has no area and its
 *    line intersects or is parallel to that of the ray. (A line beside the plane at the height h
 * has e_i = h times the cross product of d and edge i, and no d is parallel to three edges.)
 * 3. Otherwise n . d is not zero, and the line crosses the triangle in one point, at
 *    t = n . p_0 / n . d, whose weights are e_1, e_2 and e_0 over n . d.
 *
 * The filter decides 1 and 3 in double. e_i has one difference less than orient3d in each product,
 * as d is no difference, so that the bound of orient.h holds for it, and for n . d; n . p_0 is
 * orient3d itself. All else is decided by big numbers, of degree 3, or 6 if parameters are
 * compared.
 */
#include "geom/ray.h"
#include "geom/big.h"
#include "geom/orient.h"
#include "geom/vector.h"

#include <string.h>

/* ---- The filter ----------------------------------------------------------------------------- */

/* What is known of a triangle in double. */
typedef struct Filter {
    double edges[3];     /* e_i */
    double edge_error;   /* of all three together, at most */
    double volume, area; /* n . p_0 and n . d, with another sign: t is their ratio */
    double volume_error, area_error;
} Filter;

/* d . (p x q); adds the magnitudes of its products to `permanent`. */
static double pass_edge(const PliVector *d, const PliVector *p, const PliVector *q,
                        double *permanent)
{
    const double yz = p->y * q->z, zy = p->z * q->y;
    const double zx = p->z * q->x, xz = p->x * q->z;
    const double xy = p->x * q->y, yx = p->y * q->x;
    *permanent = ((fabs(yz) + fabs(zy)) * fabs(d->x) + (fabs(zx) + fabs(xz)) * fabs(d->y)) +
                 (fabs(xy) + fabs(yx)) * fabs(d->z);
    return ((yz - zy) * d->x + (zx - xz) * d->y) + (xy - yx) * d->z;
}

/* Does the line of the ray go through the inner part of the triangle? */
static PliRayVerdict filter_edges(const PliRay *ray, const float *t, Filter *filter)
{
    const PliVector d = {ray->direction[0], ray->direction[1], ray->direction[2]};
    const PliVector p[3] = {pli_vector(t, ray->origin), pli_vector(t + 3, ray->origin),
                            pli_vector(t + 6, ray->origin)};
    int positive = 0, negative = 0;
    filter->edge_error = 0;
    for (int i = 0; i < 3; i++) {
        double permanent;
        const double edge = pass_edge(&d, &p[i], &p[i == 2 ? 0 : i + 1], &permanent);
        const double error = PLI_FILTER3 * permanent;
        positive += edge > error;
        negative += edge < -error;
        filter->edges[i] = edge;
        filter->edge_error += error;
    }
    if (positive > 0 && negative > 0)
        return PLI_RAY_MISSES;
    return positive == 3 || negative == 3 ? PLI_RAY_HITS : PLI_RAY_OPEN;
}

/* n . p_0 and n . d, for t. */
static void filter_ratio(const PliRay *ray, const float *t, Filter *filter)
{
    const PliOrientPlane plane = pli_plane(t, t + 3, t + 6);
    const PliVector p = pli_vector(t, ray->origin);
    const float *d = ray->direction;
    filter->volume = pli_plane_det(&plane, p.x, p.y, p.z);
    filter->area = pli_plane_det(&plane, d[0], d[1], d[2]);
    filter->volume_error =
        PLI_FILTER3 * pli_plane_permanent(&plane, fabs(p.x), fabs(p.y), fabs(p.z));
    filter->area_error = PLI_FILTER3 * pli_plane_permanent(&plane, fabs((double)d[0]),
                                                           fabs((double)d[1]), fabs((double)d[2]));
}

/* Is t within 0 and max? With V and A the exact volume and area, and v, a, E_v, E_a as computed:
 * V is between v - E_v and v + E_v, and max * A between max * (a - E_a) and max * (a + E_a). The
 * product is rounded once, and so is the difference; 2^-50 of the product is more than both, and
 * 17/16 more than what is lost in adding up the errors. */
static PliRayVerdict filter_range(const PliRay *ray, const Filter *filter)
{
    const double volume = fabs(filter->volume), area = fabs(filter->area);
    if (!(area > 4 * filter->area_error) || !(volume > filter->volume_error))
        return PLI_RAY_OPEN;
    if ((filter->volume > 0) != (filter->area > 0))
        return PLI_RAY_MISSES;
    if (ray->max == INFINITY)
        return PLI_RAY_HITS;
    const double end = (double)ray->max * area;
    const double error =
        (filter->volume_error + (double)ray->max * filter->area_error) * 1.0625 + end * 0x1p-50;
    if (volume - end > error)
        return PLI_RAY_MISSES;
    return end - volume > error ? PLI_RAY_HITS : PLI_RAY_OPEN;
}

/* |V / A - v / a| <= (E_v + |v / a| E_a) / |A|, and |A| >= 3/4 |a|: 3/2 in place of 4/3 is for the
 * roundings of this expression, and 2^-51 of the ratio for that of the ratio. Nothing underflows: a
 * determinant is zero or at least 2^-499, and below 2^390. */
static PliRaySpan filter_span(const Filter *filter)
{
    const double t = filter->volume / filter->area;
    const double error =
        1.5 * (filter->volume_error + t * filter->area_error) / fabs(filter->area) + t * 0x1p-51;
    return (PliRaySpan){t - error, t + error};
}

/* Does the ray hit the triangle, as far as double can tell? A NaN or an infinity makes the errors
 * of two edges NaN or infinite, which leaves one at most that is certain. */
static PliRayVerdict filter_all(const PliRay *ray, const float *t, Filter *filter)
{
    const PliRayVerdict verdict = filter_edges(ray, t, filter);
    if (verdict != PLI_RAY_HITS)
        return verdict;
    filter_ratio(ray, t, filter);
    return filter_range(ray, filter);
}

/* ---- By big numbers -------------------------------------------------------------------------- */

/* A hit. The parameter is t / unit, unit > 0. The weights of the corners are weights[i] over their
 * sum. */
typedef struct Exact {
    PliBig t, unit, weights[3];
    int side;
} Exact;

/* The problem: corners seen from the origin. */
typedef struct Problem {
    PliBigVector p[3], d;
    float max;
} Problem;

static void set_problem(Problem *problem, const PliRay *ray, const float *t)
{
    problem->max = ray->max;
    for (int k = 0; k < 3; k++)
        pli_big_set(&problem->d[k], ray->direction[k]);
    for (int i = 0; i < 3; i++)
        pli_big_between(problem->p[i], t + 3 * i, ray->origin);
}

/* Makes the unit of t positive, and sees whether t is within 0 and max. */
static bool is_in_range(const Problem *problem, Exact *exact)
{
    if (exact->unit.sign < 0) {
        pli_big_negate(&exact->unit);
        pli_big_negate(&exact->t);
    }
    if (exact->t.sign < 0)
        return false;
    if (problem->max == INFINITY)
        return true;
    PliBig max;
    pli_big_set(&max, problem->max);
    pli_big_multiply(&max, &max, &exact->unit);
    return pli_big_compare(&exact->t, &max) <= 0;
}

/* Are there no two opposite signs? */
static bool is_one_sided(const PliBig values[3])
{
    bool has_positive = false, has_negative = false;
    for (int i = 0; i < 3; i++) {
        has_positive |= values[i].sign > 0;
        has_negative |= values[i].sign < 0;
    }
    return !(has_positive && has_negative);
}

/* The weights of the corners from the signed areas at the edges. */
static void set_weights(Exact *exact, const PliBig edges[3])
{
    for (int i = 0; i < 3; i++) {
        exact->weights[(i + 2) % 3] = edges[i];
        exact->weights[(i + 2) % 3].sign *= edges[i].sign;
    }
}

/* ---- The line crosses the plane -------------------------------------------------------------- */

static bool hit_across(const Problem *problem, const PliBig edges[3], Exact *exact)
{
    set_weights(exact, edges);
    pli_big_add_three(&exact->unit, edges);
    pli_big_triple(&exact->t, problem->p[0], problem->p[1], problem->p[2]);
    exact->side = exact->unit.sign < 0 ? 1 : -1;
    return is_in_range(problem, exact);
}

/* ---- The line is in the plane of a triangle with area ------------------------------------------
 *
 * In the coordinates u and v, in which the triangle has area. If the origin is in the triangle, t
 * is zero. Otherwise the first common point is on an edge that is not parallel to the ray: a
 * triangle has two of them at each corner, or the point is within one. With p the begin of the edge
 * and q its end, t = p x q / d x (q - p), and the weight of q is p x d / d x (q - p). */

/* Where the line intersects that of an edge, if it does: is that a point of the edge, at t >= 0? */
static bool hit_edge(const PliBigVector p, const PliBigVector q, const PliBigVector d, int u, int v,
                     Exact *exact, PliBig *p_weight, PliBig *q_weight)
{
    PliBigVector edge;
    pli_big_subtract(&edge[u], &q[u], &p[u]);
    pli_big_subtract(&edge[v], &q[v], &p[v]);
    pli_big_turn(&exact->unit, d, edge, u, v);
    if (exact->unit.sign == 0)
        return false;
    pli_big_turn(&exact->t, p, edge, u, v);
    pli_big_turn(q_weight, p, d, u, v);
    if (exact->unit.sign < 0) {
        pli_big_negate(&exact->unit);
        pli_big_negate(&exact->t);
        pli_big_negate(q_weight);
    }
    pli_big_subtract(p_weight, &exact->unit, q_weight);
    return exact->t.sign >= 0 && q_weight->sign >= 0 && p_weight->sign >= 0;
}

static bool hit_in_plane(const Problem *problem, int u, int v, Exact *exact)
{
    PliBig edges[3];
    bool is_hit = false;
    for (int i = 0; i < 3; i++)
        pli_big_turn(&edges[i], problem->p[i], problem->p[(i + 1) % 3], u, v);
    if (is_one_sided(edges)) {
        set_weights(exact, edges);
        pli_big_set(&exact->t, 0);
        pli_big_set(&exact->unit, 1);
        return true;
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        Exact other = {.side = 0};
        if (!hit_edge(problem->p[i], problem->p[next], problem->d, u, v, &other, &other.weights[i],
                      &other.weights[next]))
            continue;
        if (!is_hit || pli_big_compare_products(&other.t, &exact->unit, &exact->t, &other.unit) < 0)
            *exact = other;
        is_hit = true;
    }
    return is_hit && is_in_range(problem, exact);
}

/* ---- A triangle without area ----------------------------------------------------------------- */

/* The segment, or point, is on a line that is parallel to the ray. With t_p and t_q the parameters
 * of its ends, p / d and q / d along an axis that the ray is not across: t is the lesser of them,
 * or zero if the origin is between. */
static bool hit_along(const Problem *problem, int p, int q, Exact *exact)
{
    PliBig area;
    int k = 0;
    for (int axis = 0; axis < 3; axis++) {
        pli_big_turn(&area, problem->p[p], problem->d, (axis + 1) % 3, (axis + 2) % 3);
        if (area.sign != 0)
            return false;
    }
    while (problem->d[k].sign == 0)
        k++;
    const int sign = problem->d[k].sign;
    const PliBig *near = &problem->p[p][k], *far = &problem->p[q][k];
    if (sign * pli_big_compare(near, far) > 0) {
        const PliBig *last = near;
        const int corner = p;
        near = far;
        far = last;
        p = q;
        q = corner;
    }
    if (sign * far->sign < 0)
        return false;
    if (sign * near->sign < 0) { /* the origin is on the segment */
        exact->weights[p] = *far;
        exact->weights[q] = *near;
        exact->weights[p].sign = far->sign != 0;
        exact->weights[q].sign = 1;
        pli_big_set(&exact->t, 0);
    } else {
        pli_big_set(&exact->weights[p], 1);
        exact->t = *near;
    }
    exact->unit = problem->d[k];
    return is_in_range(problem, exact);
}

/* In coordinates in which the segment and the ray are not parallel: all are in one plane, which
 * these coordinates do not flatten. */
static bool hit_segment(const Problem *problem, const float *t, Exact *exact)
{
    int ends[2];
    pli_segment_ends(t, ends);
    const int p = ends[0], q = ends[1];
    PliBigVector edge;
    for (int k = 0; k < 3; k++)
        pli_big_subtract(&edge[k], &problem->p[q][k], &problem->p[p][k]);
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        PliBig area;
        pli_big_turn(&area, problem->d, edge, u, v);
        if (area.sign != 0)
            return hit_edge(problem->p[p], problem->p[q], problem->d, u, v, exact,
                            &exact->weights[p], &exact->weights[q]) &&
                   is_in_range(problem, exact);
    }
    return hit_along(problem, p, q, exact);
}

/* All three edges are passed at no distance: point 2 above. */
static bool hit_flat(const Problem *problem, const float *t, Exact *exact)
{
    PliBigVector edges[2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            pli_big_subtract(&edges[i][k], &problem->p[i + 1][k], &problem->p[0][k]);
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        PliBig area;
        pli_big_turn(&area, edges[0], edges[1], u, v);
        if (area.sign != 0)
            return hit_in_plane(problem, u, v, exact);
    }
    return hit_segment(problem, t, exact);
}

static PLI_NOINLINE bool hit_exactly(const PliRay *ray, const float *t, Exact *exact)
{
    Problem problem;
    PliBig edges[3];
    *exact = (Exact){.side = 0};
    if (!pli_is_finite(t, 9))
        return false;
    set_problem(&problem, ray, t);
    for (int i = 0; i < 3; i++)
        pli_big_triple(&edges[i], problem.d, problem.p[i], problem.p[(i + 1) % 3]);
    if (!is_one_sided(edges))
        return false;
    if (edges[0].sign == 0 && edges[1].sign == 0 && edges[2].sign == 0)
        return hit_flat(&problem, t, exact);
    return hit_across(&problem, edges, exact);
}

/* ---- The decisions --------------------------------------------------------------------------- */

PliRayVerdict pli_ray_filter(const PliRay *ray, const float triangle[9], PliRaySpan *span)
{
    Filter filter;
    const PliRayVerdict verdict = filter_all(ray, triangle, &filter);
    if (verdict == PLI_RAY_HITS)
        *span = filter_span(&filter);
    return verdict;
}

bool pli_ray_hits_exactly(const PliRay *ray, const float triangle[9], PliRaySpan *span,
                          PliCounts *counts)
{
    Exact exact;
    counts->exact3_wide++;
    if (!hit_exactly(ray, triangle, &exact))
        return false;
    const double t = pli_big_ratio(&exact.t, &exact.unit);
    *span = (PliRaySpan){t * (1 - 0x1p-49), t * (1 + 0x1p-49)};
    return true;
}

bool pli_ray_hits(const PliRay *ray, const float triangle[9], PliRaySpan *span, PliCounts *counts)
{
    const PliRayVerdict verdict = pli_ray_filter(ray, triangle, span);
    return PLI_LIKELY(verdict != PLI_RAY_OPEN) ? verdict == PLI_RAY_HITS
                                               : pli_ray_hits_exactly(ray, triangle, span, counts);
}

int pli_ray_compare(const PliRay *ray, const float a[9], const PliRaySpan *a_span, const float b[9],
                    const PliRaySpan *b_span)
{
    if (a_span->high < b_span->low)
        return -1;
    if (b_span->high < a_span->low)
        return 1;
    Exact exact_a, exact_b;
    (void)hit_exactly(ray, a, &exact_a);
    (void)hit_exactly(ray, b, &exact_b);
    return pli_big_compare_products(&exact_a.t, &exact_b.unit, &exact_b.t, &exact_a.unit);
}

/* ---- What there is to say -------------------------------------------------------------------- */

/* The float above one that is not negative and not infinite. */
static float next_float(float x, int step)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += (uint32_t)step;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The sign of t / unit - (x + y) / 2. */
static int compare_middle(const Exact *exact, float x, float y)
{
    PliBig sum, other, twice;
    pli_big_set(&sum, x);
    pli_big_set(&other, y);
    pli_big_add(&sum, &sum, &other);
    pli_big_multiply(&sum, &sum, &exact->unit);
    pli_big_add(&twice, &exact->t, &exact->t);
    return pli_big_compare(&twice, &sum);
}

static bool is_even(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits % 2 == 0;
}

/* The nearest float to t / unit; of two the even one. The ratio in double is so close that its
 * float is that or one beside it. What is not below 2^128 - 2^103 is infinite, as in IEEE 754. */
static float round_parameter(const Exact *exact)
{
    float t = (float)pli_big_ratio(&exact->t, &exact->unit);
    if (t >= FLT_MAX) {
        if (compare_middle(exact, FLT_MAX, FLT_MAX) > 0) {
            PliBig limit, step;
            pli_big_set(&limit, FLT_MAX);
            pli_big_set(&step, 0x1p103f);
            pli_big_add(&limit, &limit, &step);
            pli_big_multiply(&limit, &limit, &exact->unit);
            return pli_big_compare(&exact->t, &limit) < 0 ? FLT_MAX : INFINITY;
        }
        t = FLT_MAX;
    }
    if (t < FLT_MAX) {
        const float above = next_float(t, 1);
        const int sign = compare_middle(exact, t, above);
        if (sign > 0 || (sign == 0 && !is_even(t)))
            return above;
    }
    if (t > 0) {
        const float below = next_float(t, -1);
        const int sign = compare_middle(exact, below, t);
        if (sign < 0 || (sign == 0 && !is_even(t)))
            return below;
    }
    return t;
}

static PLI_NOINLINE void describe_exactly(const PliRay *ray, const float *triangle,
                                          PliRayPoint *point)
{
    Exact exact;
    PliBig sum;
    (void)hit_exactly(ray, triangle, &exact);
    pli_big_add_three(&sum, exact.weights);
    for (int i = 0; i < 3; i++)
        point->weights[i] = (float)pli_big_ratio(&exact.weights[i], &sum);
    point->t = round_parameter(&exact);
    point->side = exact.side;
}

static PLI_NOINLINE int find_side_exactly(const PliRay *ray, const float *triangle)
{
    Exact exact;
    (void)hit_exactly(ray, triangle, &exact);
    return exact.side;
}

/* The sum of the e_i is the volume of the direction and the triangle, whose sign is the side. */
int pli_ray_side(const PliRay *ray, const float triangle[9])
{
    Filter filter;
    if (filter_all(ray, triangle, &filter) != PLI_RAY_HITS)
        return find_side_exactly(ray, triangle);
    const double sum = (filter.edges[0] + filter.edges[1]) + filter.edges[2];
    if (!(filter.edge_error < fabs(sum) * 0x1p-27))
        return find_side_exactly(ray, triangle);
    return sum < 0 ? 1 : -1;
}

/* If the three e_i together are off by less than 2^-26 of their sum, each weight is off by less
 * than 2^-25, and its float by less than 2^-24. */
void pli_ray_describe(const PliRay *ray, const float triangle[9], PliRayPoint *point)
{
    Filter filter;
    if (filter_all(ray, triangle, &filter) != PLI_RAY_HITS) {
        describe_exactly(ray, triangle, point);
        return;
    }
    const PliRaySpan span = filter_span(&filter);
    const double sum = (filter.edges[0] + filter.edges[1]) + filter.edges[2];
    if ((float)span.low != (float)span.high || !(filter.edge_error < fabs(sum) * 0x1p-27)) {
        describe_exactly(ray, triangle, point);
        return;
    }
    point->t = (float)span.low;
    for (int i = 0; i < 3; i++)
        point->weights[(i + 2) % 3] = (float)(filter.edges[i] / sum);
    point->side = sum < 0 ? 1 : -1;
}
