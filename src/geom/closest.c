/* Closest points in double: see closest.h. */
#include "geom/closest.h"
#include "geom/closest_exact.h"
#include "geom/vector.h"

/* a - s * b. */
static PliVector minus(PliVector a, double s, PliVector b)
{
    return (PliVector){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

static double largest(PliVector a)
{
    return pli_greater(pli_greater(fabs(a.x), fabs(a.y)), fabs(a.z));
}

static double clamped(double s)
{
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

/* What is known of two features. */
typedef struct Solution {
    double weights[4]; /* as in PliClosest */
    PliVector r;       /* between the points */
    double size;       /* S */
    double depth;      /* of the first feature before the second along r, times |r| */
    uint8_t region;
    bool is_unclear; /* the region is not certain */
} Solution;

/* ---- Which region ------------------------------------------------------------------------------
 *
 * Regions follow from signs of products of two differences (dots) and of four (differences of
 * products of two dots). Coordinates of differences are at most 2 S, so a dot is at most 12 S^2 and
 * is within 5 u of the sum of its magnitudes: 60 u S^2; a sum or difference of two of them is
 * within 200 u S^2. A product of two dots is at most 144 S^4 and within 2 * 12 * 60 u S^4 + 144 u
 * S^4 < 1,600 u S^4; a difference of two such, and one less another, within 8,000 u S^4.
 */

typedef struct Signs {
    double dot_error, product_error;
    bool is_unclear;
} Signs;

static Signs signs_of(double size)
{
    const double square = size * size;
    return (Signs){PLI_CLOSEST_DOT_ERROR * square, PLI_CLOSEST_PRODUCT_ERROR * (square * square),
                   false};
}

/* Is a dot, or a sum of two, at most 0? Notes if that is not certain: so all of several are asked,
 * and the answer is an int, for a bitwise and. */
static int is_below(Signs *signs, double value)
{
    signs->is_unclear |= !(fabs(value) > signs->dot_error);
    return value <= 0;
}

/* The same for a product of two dots, or a sum of them. */
static int is_product_below(Signs *signs, double value)
{
    signs->is_unclear |= !(fabs(value) > signs->product_error);
    return value <= 0;
}

/* ---- A vertex and a triangle ----------------------------------------------------------------- */

/* The weights of two corners: the point is corner a + s (b - a) + t (c - a). */
typedef struct Point {
    double s, t;
    uint8_t region; /* bits 1 to 3 */
} Point;

/* The closest point of a triangle, by the regions of the plane (Ericson, Real-Time Collision
 * Detection, 5.1.5). */
static Point find_point(PliVector ab, PliVector ac, PliVector ap, PliVector bp, PliVector cp,
                        Signs *signs)
{
    const double ab_p = pli_dot(ab, ap), ac_p = pli_dot(ac, ap);
    if (is_below(signs, ab_p) & is_below(signs, ac_p))
        return (Point){0, 0, 1 << 1};
    const double ab_b = pli_dot(ab, bp), ac_b = pli_dot(ac, bp);
    if (is_below(signs, -ab_b) & is_below(signs, ac_b - ab_b))
        return (Point){1, 0, 1 << 2};
    const double ab_c = pli_dot(ab, cp), ac_c = pli_dot(ac, cp);
    if (is_below(signs, -ac_c) & is_below(signs, ab_c - ac_c))
        return (Point){0, 1, 1 << 3};
    const double c = ab_p * ac_b - ab_b * ac_p;
    if (is_product_below(signs, c) & is_below(signs, -ab_p) & is_below(signs, ab_b))
        return (Point){ab_p / (ab_p - ab_b), 0, 1 << 1 | 1 << 2};
    const double b = ab_c * ac_p - ab_p * ac_c;
    if (is_product_below(signs, b) & is_below(signs, -ac_p) & is_below(signs, ac_c))
        return (Point){0, ac_p / (ac_p - ac_c), 1 << 1 | 1 << 3};
    const double a = ab_b * ac_c - ab_c * ac_b, up = ac_b - ab_b, down = ab_c - ac_c;
    if (is_product_below(signs, a) & is_below(signs, -up) & is_below(signs, -down)) {
        const double t = up / (up + down);
        return (Point){1 - t, t, 1 << 2 | 1 << 3};
    }
    const double sum = (a + b) + c;
    return (Point){b / sum, c / sum, 1 << 1 | 1 << 2 | 1 << 3};
}

static Solution solve_plane(PliVector ab, PliVector ac, PliVector ap, PliVector bp, PliVector cp)
{
    const double size = pli_greater(pli_greater(largest(ab), largest(ac)), largest(ap));
    Signs signs = signs_of(size);
    const Point point = find_point(ab, ac, ap, bp, cp, &signs);
    const double s = clamped(point.s), t = pli_lesser(clamped(point.t), 1 - s);
    const PliVector r = minus(minus(ap, s, ab), t, ac);
    return (Solution){.weights = {1, (point.region & 2) ? -((1 - s) - t) : 0, -s, -t},
                      .r = r,
                      .size = size,
                      .depth =
                          pli_lesser(pli_lesser(pli_dot(ap, r), pli_dot(bp, r)), pli_dot(cp, r)),
                      .region = 1 | point.region,
                      .is_unclear = signs.is_unclear};
}

/* ---- Two edges ------------------------------------------------------------------------------- */

/* Where the closest points are on two edges, from 0 to 1. */
typedef struct EdgePoints {
    double s, t;
} EdgePoints;

/* The closest point of a line to an end of the other edge: where along it, if its length squared is
 * `length`. */
static double find_along(double along, double length, Signs *signs)
{
    if (is_below(signs, along))
        return 0;
    return is_below(signs, length - along) ? 1 : along / length;
}

/* Two edges, x0 + s e and y0 + t f, with w = x0 - y0 (Ericson, 5.1.9). Where the first edge's line
 * is closest within its ends, that of the second one follows; where that is beyond its end, the
 * first one's follows from that end. */
static EdgePoints find_edge_points(PliVector e, PliVector f, PliVector w, Signs *signs)
{
    const double ee = pli_dot(e, e), ff = pli_dot(f, f), ef = pli_dot(e, f), ew = pli_dot(e, w),
                 fw = pli_dot(f, w);
    const double sum = ee * ff - ef * ef;                      /* |e x f|^2 */
    const double s = ef * fw - ew * ff, t = ee * fw - ef * ew; /* times the sum */
    if (is_product_below(signs, sum))
        return (EdgePoints){0, 0};
    if (is_product_below(signs, s)) {
        const double along = find_along(fw, ff, signs);
        return (EdgePoints){along == 0   ? find_along(-ew, ee, signs)
                            : along == 1 ? find_along(ef - ew, ee, signs)
                                         : 0,
                            along};
    }
    if (is_product_below(signs, sum - s)) {
        const double along = find_along(fw + ef, ff, signs);
        return (EdgePoints){along == 0   ? find_along(-ew, ee, signs)
                            : along == 1 ? find_along(ef - ew, ee, signs)
                                         : 1,
                            along};
    }
    if (is_product_below(signs, t))
        return (EdgePoints){find_along(-ew, ee, signs), 0};
    if (is_product_below(signs, sum - t))
        return (EdgePoints){find_along(ef - ew, ee, signs), 1};
    return (EdgePoints){s / sum, t / sum};
}

/* Bits of the ends of an edge whose weights are not zero. */
static uint8_t ends_of(double along)
{
    return (uint8_t)((along < 1) | (along > 0) << 1);
}

/* Edges along e and f; w and w1 are from the first end of the second one to both of the first. */
static Solution solve_lines(PliVector e, PliVector f, PliVector w, PliVector w1)
{
    const double size = pli_greater(pli_greater(largest(e), largest(f)), largest(w));
    Signs signs = signs_of(size);
    const EdgePoints points = find_edge_points(e, f, w, &signs);
    const double s = clamped(points.s), t = clamped(points.t);
    const PliVector r = minus(minus(w, -s, e), t, f);
    return (Solution){.weights = {1 - s, s, -(1 - t), -t},
                      .r = r,
                      .size = size,
                      .depth =
                          pli_lesser(pli_dot(w, r), pli_dot(w1, r)) - pli_greater(0, pli_dot(f, r)),
                      .region = (uint8_t)(ends_of(s) | ends_of(t) << 2),
                      .is_unclear = signs.is_unclear};
}

/* A vertex and a triangle, or two edges. */
PLI_ALWAYS_INLINE Solution solve(const float *a, const float *b, bool are_edges)
{
    if (are_edges)
        return solve_lines(pli_vector(a + 3, a), pli_vector(b + 3, b), pli_vector(a, b),
                           pli_vector(a + 3, b));
    return solve_plane(pli_vector(b + 3, b), pli_vector(b + 6, b), pli_vector(a, b),
                       pli_vector(a, b + 3), pli_vector(a, b + 6));
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Is depth / |r| surely above a limit? Without a root and a quotient: of all that is rounded, each
 * by u of it, 2^-40 is far more. The limit is at least 64 u S, and so above 2^-197: its product
 * with a square above 2^-600 does not underflow. */
static bool is_beyond(double depth, double square, double limit)
{
    return depth > 0 && square > 0x1p-600 &&
           depth * depth > square * (limit * limit) * (1 + 0x1p-40);
}

/* Features that are farther than `far` are never near, and those within `distance`, which is no
 * less, are near: *closest is set then. */
static inline PliNearness decide(const Solution *solution, float far, float distance,
                                 PliClosest *closest)
{
    const PliVector r = solution->r;
    const double square = pli_dot(r, r), error = PLI_CLOSEST_ERROR * solution->size;
    if (is_beyond(solution->depth, square, far + error))
        return PLI_NEAR_NEVER;
    const double length = sqrt(square);
    const double low = length > 0 ? solution->depth / length - error : 0, high = length + error;
    if (low > far)
        return PLI_NEAR_NEVER;
    if (!(high <= distance) || solution->is_unclear || !(high - low < PLI_CLOSEST_AGREES * low))
        return PLI_NEAR_UNKNOWN;
    closest->distance = (float)length;
    closest->region = solution->region;
    for (int i = 0; i < 4; i++)
        closest->weights[i] = (float)solution->weights[i];
    closest->normal[0] = (float)(r.x / length);
    closest->normal[1] = (float)(r.y / length);
    closest->normal[2] = (float)(r.z / length);
    return PLI_NEAR;
}

/* ---- Features with a common point --------------------------------------------------------------
 *
 * Copies of a body, and meshes that touch along a seam, have very many of these.
 */

/* The cross product of the vectors from p to q and from s to t, of length one. In double each
 * coordinate is off by less than 2^-50 of the greatest product of two coordinates. If the cross
 * product is at least 2^-20 of that, the result is off by less than 2^-29; else it is exact. */
static void set_normal(const float *p, const float *q, const float *s, const float *t,
                       float normal[3])
{
    const PliVector e = pli_vector(q, p), f = pli_vector(t, s);
    const PliVector n = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
    const double most = largest(n), length = sqrt(pli_dot(n, n));
    if (!(most > 0x1p-20 * (largest(e) * largest(f)))) {
        pli_exact_normal(p, q, s, t, normal);
        return;
    }
    normal[0] = (float)(n.x / length);
    normal[1] = (float)(n.y / length);
    normal[2] = (float)(n.z / length);
}

/* Vertex i and vertex k of the four are at one point. */
static bool set_touching(PliClosest *closest, int i, int k)
{
    *closest = (PliClosest){.region = (uint8_t)(1 << i | 1 << k)};
    closest->weights[i] = 1;
    closest->weights[k] = -1;
    return true;
}

static bool are_touching(const float *a, int a_count, const float *b, int b_count,
                         PliClosest *closest)
{
    for (int i = 0; i < a_count; i++)
        for (int k = 0; k < b_count; k++)
            if (pli_is_same_point(a + 3 * i, b + 3 * k))
                return set_touching(closest, i, a_count + k);
    return false;
}

/* Have the features a vertex in common? */
static bool have_common_vertex(const float *a, const float *b, bool are_edges, PliClosest *closest)
{
    if (!are_touching(a, are_edges ? 2 : 1, b, are_edges ? 2 : 3, closest))
        return false;
    if (are_edges)
        set_normal(a, a + 3, b, b + 3, closest->normal);
    else
        set_normal(b, b + 3, b, b + 6, closest->normal);
    return true;
}

/* ---- The decisions -------------------------------------------------------------------------- */

bool pli_features_are_near(const float *a, const float *b, bool are_edges, float distance,
                           PliClosest *closest, PliCounts *counts)
{
    if (have_common_vertex(a, b, are_edges, closest))
        return true;
    counts->undecided++;
    return are_edges ? pli_exact_edge_edge(a, b, distance, closest)
                     : pli_exact_vertex_triangle(a, b, distance, closest);
}

PLI_ALWAYS_INLINE bool find(const float *a, const float *b, bool are_edges, float far,
                            float distance, PliClosest *closest, PliCounts *counts)
{
    const Solution solution = solve(a, b, are_edges);
    const PliNearness nearness = decide(&solution, far, distance, closest);
    return PLI_LIKELY(nearness != PLI_NEAR_UNKNOWN)
               ? nearness == PLI_NEAR
               : pli_features_are_near(a, b, are_edges, distance, closest, counts);
}

PliNearness pli_features_nearness(const float *a, const float *b, bool are_edges, float distance,
                                  PliClosest *closest)
{
    const Solution solution = solve(a, b, are_edges);
    return decide(&solution, distance, distance, closest);
}

bool pli_vertex_triangle_is_near(const float *vertex, const float *triangle, float distance,
                                 PliClosest *closest, PliCounts *counts)
{
    return find(vertex, triangle, false, distance, distance, closest, counts);
}

bool pli_edge_edge_is_near(const float *a, const float *b, float distance, PliClosest *closest,
                           PliCounts *counts)
{
    return find(a, b, true, distance, distance, closest, counts);
}

bool pli_vertex_triangle_closest(const float *vertex, const float *triangle, float far,
                                 PliClosest *closest, PliCounts *counts)
{
    return find(vertex, triangle, false, far, INFINITY, closest, counts);
}

bool pli_edge_edge_closest(const float *a, const float *b, float far, PliClosest *closest,
                           PliCounts *counts)
{
    return find(a, b, true, far, INFINITY, closest, counts);
}

/* ---- Points that are not floats -------------------------------------------------------------- */

static PliVector difference(const double p[3], const double q[3])
{
    return (PliVector){p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}

/* Between point p and the closest point of the edge from q to s. */
static PliVector from_edge(const double p[3], const double q[3], const double s[3])
{
    const PliVector e = difference(s, q), w = difference(p, q);
    const double length = pli_dot(e, e);
    return minus(w, length > 0 ? clamped(pli_dot(e, w) / length) : 0, e);
}

/* How far the features are from each other along r, at least. */
static double gap_along(PliVector r, int first_count, const double p[4][3], double error)
{
    const double length = sqrt(pli_dot(r, r));
    double depth = INFINITY;
    for (int i = 0; i < first_count; i++)
        for (int j = first_count; j < 4; j++)
            depth = pli_lesser(depth, pli_dot(difference(p[i], p[j]), r));
    return length > 0 ? depth / length - error : 0;
}

/* Features of which one is thin, or that are parallel: the closest points are a vertex of one and a
 * point of an edge of the other. The best of all of these is a bound, and so is any. */
static double gap_at_edges(bool are_edges, const double p[4][3], double error)
{
    double gap = 0;
    if (!are_edges) {
        for (int i = 0; i < 3; i++)
            gap = pli_greater(
                gap, gap_along(from_edge(p[0], p[1 + i], p[1 + (i + 1) % 3]), 1, p, error));
        return gap;
    }
    for (int i = 0; i < 2; i++) {
        const PliVector away = from_edge(p[2 + i], p[0], p[1]), r = {-away.x, -away.y, -away.z};
        gap = pli_greater(gap, gap_along(from_edge(p[i], p[2], p[3]), 2, p, error));
        gap = pli_greater(gap, gap_along(r, 2, p, error));
    }
    return gap;
}

double pli_features_gap(bool are_edges, const double p[4][3])
{
    const Solution solution =
        are_edges
            ? solve_lines(difference(p[1], p[0]), difference(p[3], p[2]), difference(p[0], p[2]),
                          difference(p[1], p[2]))
            : solve_plane(difference(p[2], p[1]), difference(p[3], p[1]), difference(p[0], p[1]),
                          difference(p[0], p[2]), difference(p[0], p[3]));
    const double length = sqrt(pli_dot(solution.r, solution.r)),
                 error = PLI_CLOSEST_ERROR * solution.size;
    const double low = length > 0 ? solution.depth / length - error : 0;
    if (low > length * (1 - 0x1p-10))
        return low;
    return pli_greater(pli_greater(low, 0), gap_at_edges(are_edges, p, error));
}
