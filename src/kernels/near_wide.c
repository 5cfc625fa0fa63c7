/* Features within a distance, PLI_LANES pairs at a time, in halves of doubles. The same operations
 * in the same order as in geom/closest.c. See near.h. */
#include "kernels/kernels.h"
#include "kernels/wide_doubles.h"
#include "kernels/wide_points.h"

/* ---- Doubles --------------------------------------------------------------------------------- */

typedef struct Vector {
    Doubles x, y, z;
} Vector;

static inline Vector between(Vector p, Vector q)
{
    return (Vector){p.x - q.x, p.y - q.y, p.z - q.z};
}

static inline Doubles dot(Vector a, Vector b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* a - s * b. */
static inline Vector minus(Vector a, Doubles s, Vector b)
{
    return (Vector){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

static inline Doubles largest(Vector a)
{
    return most(most(size_of(a.x), size_of(a.y)), size_of(a.z));
}

static inline Doubles clamped(Doubles s)
{
    return choose_doubles(s < 0, same(0), choose_doubles(s > 1, same(1), s));
}

/* ---- What is known of two features ----------------------------------------------------------- */

/* As in closest.c. */
typedef struct Solution {
    Doubles weights[4];
    Vector r;
    Doubles size, depth;
    Longs region, is_unclear;
} Solution;

static inline Longs is_close(Doubles value, Doubles error)
{
    return ~(size_of(value) > error);
}

/* A number from 0 to 1: 0 where the numerator is not above 0, 1 where it is not below the
 * denominator. */
typedef struct Along {
    Doubles numerator, denominator, error;
} Along;

static inline Doubles find_along(Along at, Longs *is_unclear)
{
    const Doubles rest = at.denominator - at.numerator;
    const Longs is_first = at.numerator <= 0, is_last = ~is_first & (rest <= 0);
    *is_unclear = is_close(at.numerator, at.error) | (~is_first & is_close(rest, at.error));
    return choose_doubles(is_first, same(0),
                          choose_doubles(is_last, same(1), at.numerator / at.denominator));
}

static inline Longs ends_of(Doubles along)
{
    return ((along < 1) & 1) | ((along > 0) & 2);
}

PLI_ALWAYS_INLINE Solution solve_lines(const Vector p[4])
{
    const Vector e = between(p[1], p[0]), f = between(p[3], p[2]), w = between(p[0], p[2]),
                 w1 = between(p[1], p[2]);
    const Doubles size = most(most(largest(e), largest(f)), largest(w)), square = size * size,
                  dot_error = PLI_CLOSEST_DOT_ERROR * square,
                  product_error = PLI_CLOSEST_PRODUCT_ERROR * (square * square);
    const Doubles ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), ew = dot(e, w), fw = dot(f, w);
    const Doubles sum = ee * ff - ef * ef, s_sum = ef * fw - ew * ff, t_sum = ee * fw - ef * ew;
    const Longs is_flat = sum <= 0, is_first = s_sum <= 0, is_last = ~is_first & (sum - s_sum <= 0),
                is_end = is_first | is_last;
    Longs is_t_unclear, is_s_unclear;
    Doubles t = find_along(
        (Along){choose_doubles(is_first, fw, choose_doubles(is_last, fw + ef, t_sum)),
                choose_doubles(is_end, ff, sum), choose_doubles(is_end, dot_error, product_error)},
        &is_t_unclear);
    const Longs is_t_first = t == 0, is_t_end = is_t_first | (t == 1);
    Doubles s = find_along(
        (Along){choose_doubles(is_t_end, choose_doubles(is_t_first, -ew, ef - ew), s_sum),
                choose_doubles(is_t_end, ee, sum), dot_error},
        &is_s_unclear);
    s = choose_doubles(is_end & ~is_t_end, choose_doubles(is_first, same(0), same(1)), s);
    s = choose_doubles(is_flat, same(0), s);
    t = choose_doubles(is_flat, same(0), t);
    const Longs is_unclear = is_flat | is_close(sum, product_error) |
                             is_close(s_sum, product_error) |
                             (~is_first & is_close(sum - s_sum, product_error)) | is_t_unclear |
                             (is_t_end & is_s_unclear);

    Solution solution = {.size = size, .is_unclear = is_unclear};
    solution.r = minus(minus(w, -s, e), t, f);
    solution.weights[0] = 1 - s;
    solution.weights[1] = s;
    solution.weights[2] = -(1 - t);
    solution.weights[3] = -t;
    solution.depth =
        least(dot(w, solution.r), dot(w1, solution.r)) - most(same(0), dot(f, solution.r));
    solution.region = ends_of(s) | ends_of(t) << 2;
    return solution;
}

/* The region of the closest point of a triangle; the first of several where it is. */
typedef struct Region {
    Longs is_known, is_unclear;
    Doubles s, t, denominator; /* the point is at these, times one over the denominator */
    Longs corners;
} Region;

/* A point is in a region that no earlier one has. */
static inline void take(Region *region, Longs is_in, Longs is_unclear, Doubles s, Doubles t,
                        Doubles denominator, int corners)
{
    const Longs is_new = is_in & ~region->is_known;
    region->is_unclear |= is_unclear & ~region->is_known;
    region->s = choose_doubles(is_new, s, region->s);
    region->t = choose_doubles(is_new, t, region->t);
    region->denominator = choose_doubles(is_new, denominator, region->denominator);
    region->corners |= is_new & corners;
    region->is_known |= is_in;
}

PLI_ALWAYS_INLINE Solution solve_plane(const Vector p[4])
{
    enum { A = 1 << 1, B = 1 << 2, C = 1 << 3 };
    const Vector ab = between(p[2], p[1]), ac = between(p[3], p[1]), ap = between(p[0], p[1]),
                 bp = between(p[0], p[2]), cp = between(p[0], p[3]);
    const Doubles size = most(most(largest(ab), largest(ac)), largest(ap)), square = size * size,
                  error = PLI_CLOSEST_DOT_ERROR * square,
                  product_error = PLI_CLOSEST_PRODUCT_ERROR * (square * square), one = same(1),
                  none = same(0);
    const Doubles ab_p = dot(ab, ap), ac_p = dot(ac, ap), ab_b = dot(ab, bp), ac_b = dot(ac, bp),
                  ab_c = dot(ab, cp), ac_c = dot(ac, cp);
    const Doubles up = ac_b - ab_b, down = ab_c - ac_c;
    const Doubles c = ab_p * ac_b - ab_b * ac_p, b = ab_c * ac_p - ab_p * ac_c,
                  a = ab_b * ac_c - ab_c * ac_b, sum = (a + b) + c;
    Region region = {.denominator = one};
    take(&region, (ab_p <= 0) & (ac_p <= 0), is_close(ab_p, error) | is_close(ac_p, error), none,
         none, one, A);
    take(&region, (-ab_b <= 0) & (up <= 0), is_close(ab_b, error) | is_close(up, error), one, none,
         one, B);
    take(&region, (-ac_c <= 0) & (down <= 0), is_close(ac_c, error) | is_close(down, error), none,
         one, one, C);
    take(&region, (c <= 0) & (-ab_p <= 0) & (ab_b <= 0),
         is_close(c, product_error) | is_close(ab_p, error) | is_close(ab_b, error), ab_p, none,
         ab_p - ab_b, A | B);
    take(&region, (b <= 0) & (-ac_p <= 0) & (ac_c <= 0),
         is_close(b, product_error) | is_close(ac_p, error) | is_close(ac_c, error), none, ac_p,
         ac_p - ac_c, A | C);
    const Longs is_bc = (a <= 0) & (-up <= 0) & (-down <= 0) & ~region.is_known;
    take(&region, is_bc, is_close(a, product_error) | is_close(up, error) | is_close(down, error),
         none, up, up + down, B | C);
    take(&region, (Longs){0} == 0, (Longs){0}, b, c, sum, A | B | C);

    const Doubles along = region.t / region.denominator,
                  s = clamped(choose_doubles(is_bc, 1 - along, region.s / region.denominator)),
                  t = least(clamped(along), 1 - s);
    const Longs has_a = (region.corners & A) != 0;
    Solution solution = {.size = size, .is_unclear = region.is_unclear};
    solution.r = minus(minus(ap, s, ab), t, ac);
    solution.weights[0] = one;
    solution.weights[1] = choose_doubles(has_a, -((1 - s) - t), none);
    solution.weights[2] = -s;
    solution.weights[3] = -t;
    solution.depth = least(least(dot(ap, solution.r), dot(bp, solution.r)), dot(cp, solution.r));
    solution.region = region.corners | 1;
    return solution;
}

/* ---- The decision ---------------------------------------------------------------------------- */

/* What is written of HALF pairs. */
typedef struct Half {
    uint32_t never, near; /* lanes */
    HalfFloats distance, weights[4], normal[3];
    Longs region;
} Half;

static inline HalfFloats floats_of(Doubles x)
{
    return __builtin_convertvector(x, HalfFloats);
}

PLI_ALWAYS_INLINE Half decide(const Solution *solution, double distance)
{
    const Vector r = solution->r;
    const Doubles length = square_root(dot(r, r)), error = PLI_CLOSEST_ERROR * solution->size;
    const Doubles low = choose_doubles(length > 0, solution->depth / length - error, same(0)),
                  high = length + error;
    const Longs is_never = low > distance;
    const Longs is_near = ~is_never & (high <= distance) & ~solution->is_unclear &
                          (high - low < PLI_CLOSEST_AGREES * low);
    Half half; /* the rest is of those that are near */
    half.never = bits_of(is_never);
    half.near = bits_of(is_near);
    if (half.near == 0)
        return half;
    half.distance = floats_of(length);
    half.region = solution->region;
    for (int i = 0; i < 4; i++)
        half.weights[i] = floats_of(solution->weights[i]);
    half.normal[0] = floats_of(r.x / length);
    half.normal[1] = floats_of(r.y / length);
    half.normal[2] = floats_of(r.z / length);
    return half;
}

PLI_ALWAYS_INLINE void write_half(const Half *half, int count, uint8_t *nearness,
                                  PliClosest *closest)
{
    for (int i = 0; i < count; i++) {
        const uint32_t bit = 1u << i;
        nearness[i] = (uint8_t)(half->never & bit  ? PLI_NEAR_NEVER
                                : half->near & bit ? PLI_NEAR
                                                   : PLI_NEAR_UNKNOWN);
        if (!(half->near & bit))
            continue;
        closest[i].distance = half->distance[i];
        closest[i].region = (uint8_t)half->region[i];
        for (int k = 0; k < 4; k++)
            closest[i].weights[k] = half->weights[k][i];
        for (int k = 0; k < 3; k++)
            closest[i].normal[k] = half->normal[k][i];
    }
}

/* ---- All pairs ------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void find_vector(const float *table, bool are_edges,
                                                              const uint32_t *pairs, int count,
                                                              double distance, uint8_t *nearness,
                                                              PliClosest *closest)
{
    Vec points[4];
    for (int k = 0; k < 4; k++)
        points[k] = load_vertices(table, pairs + k, 4);
    for (int half = 0; half * HALF < count; half++) {
        Vector p[4];
        for (int k = 0; k < 4; k++)
            p[k] = (Vector){half_of(points[k].x, half), half_of(points[k].y, half),
                            half_of(points[k].z, half)};
        const Solution solution = are_edges ? solve_lines(p) : solve_plane(p);
        const Half found = decide(&solution, distance);
        const int first = half * HALF, left = count - first;
        write_half(&found, left < HALF ? left : HALF, nearness + first, closest + first);
    }
}

static inline __attribute__((always_inline)) void find_all(const float *table, bool are_edges,
                                                           const uint32_t *pairs,
                                                           int64_t pair_count, double distance,
                                                           uint8_t *nearness, PliClosest *closest)
{
    int64_t first = 0;
    for (; first + PLI_LANES <= pair_count; first += PLI_LANES)
        find_vector(table, are_edges, pairs + 4 * first, PLI_LANES, distance, nearness + first,
                    closest + first);

    /* The last vector may be part empty: its spare lanes repeat the last pair. */
    const int rest = (int)(pair_count - first);
    if (rest == 0)
        return;
    uint32_t padded[4 * PLI_LANES];
    for (int i = 0; i < PLI_LANES; i++)
        memcpy(padded + 4 * i, pairs + 4 * (first + (i < rest ? i : rest - 1)), 4 * sizeof *pairs);
    find_vector(table, are_edges, padded, rest, distance, nearness + first, closest + first);
}

void PLI_NAME(pli_find_near)(const float *table, bool are_edges, const uint32_t *pairs,
                             int64_t pair_count, float distance, uint8_t *nearness,
                             PliClosest *closest)
{
    if (are_edges)
        find_all(table, true, pairs, pair_count, distance, nearness, closest);
    else
        find_all(table, false, pairs, pair_count, distance, nearness, closest);
}
