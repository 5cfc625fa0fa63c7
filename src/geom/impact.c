/* Impacts in double: see impact.h.
 *
 * The cubic det(e, f, g) and the quadratics that tell whether g is in the polygon are in Bernstein
 * form: over an interval [l, h] of times a polynomial is between the least and the greatest of its
 * coefficients there, and it has one root there if these change sign once. The first root at which
 * g is inside is the impact. Intervals are halved until each has one root or none, or nothing
 * inside; then the root is approximated, and caught between two times close by at which the cubic
 * has opposite signs. Where a sign is needed that is not certain, integers decide.
 *
 * Inside: the normal n = e x f has an axis along which it is certainly not zero from l to h. In the
 * projection along it, g = s e + r f with s = (g x f) / n and r = (e x g) / n, of which only signs
 * are needed: of g x f, e x g, and n less both of a triangle or each of a parallelogram.
 *
 * The errors. u = 2^-53, and E, F, G are the greatest magnitudes of coordinates of e, f and g at
 * both ends, which are rounded once (1 u). A product of coordinates of two vectors X and Y is
 * rounded (1 u), the difference of two too: at a start or an end, a cross product is below 2 XY and
 * off by 4 u of each product, 8 u XY. The coefficient between is half of the sum of two such: 10 u
 * XY. The cubic's are, with n0, n1, n2 those of the normal, n1 twice:
 *
 *     n0 g0,   (n1 g0 + n0 g1) / 3,   (n2 g0 + n1 g1) / 3,   n2 g1
 *
 * which are below 6 EFG. The first one has 6 products of three with 8 factors each, 48 u EFG; the
 * second one 18 with 10, 180 u EFG, a third of that, and 6 u EFG for the division: 66 u EFG.
 *
 * A mean p + (q - p) t of two numbers below M is off by 2 M u for the difference, 2 M u for the
 * product and M u for the sum. A quadratic's coefficient over [l, h] takes two such steps with M =
 * 2 XY: 20 u XY; that of a cubic three with M = 6 EFG: 90 u EFG. Together 30 u XY and 156 u EFG. n
 * less two others is off by 30 u times the sum of all three XY, and 4 u of that for its two
 * roundings. All squares of u, and the rounding of the bounds themselves, are in what is left of 48
 * u and of 192 u.
 *
 * Nothing overflows: 6 EFG is below 2^390. A product of two differences is at least 2^-298, that of
 * three 2^-447, and so far above what underflow takes away; a mean may lose 2^-1074.
 */
#include "geom/impact.h"

#define CROSS_ERROR (48 * 0x1p-53)
#define CUBIC_ERROR (192 * 0x1p-53)

/* How often an interval is halved at most, and how many are tested. */
enum { MAX_DEPTH = 12, MAX_INTERVALS = 32 };

/* Not an answer: integers have to decide. */
#define OPEN (-1.0f)

/* Coefficients over [0, 1], and what they are off by at most, over any interval. */
typedef struct Cubic {
    double b[4], error;
} Cubic;

typedef struct Quadratic {
    double b[3];
} Quadratic;

/* A vector at the start and at the end. */
typedef struct Moving {
    double x[2][3], most;
} Moving;

typedef struct Motion {
    Moving e, f, g;
    Quadratic normal[3];
    Cubic determinant;
    double cross_error; /* of quadratics, and of the normal less two others */
    PliImpactKind kind;
} Motion;

/* Point p less point q. */
static Moving between(const float *const start[4], const float *const end[4], int p, int q)
{
    Moving moving;
    moving.most = 0;
    for (int k = 0; k < 3; k++) {
        moving.x[0][k] = (double)start[p][k] - start[q][k];
        moving.x[1][k] = (double)end[p][k] - end[q][k];
        moving.most =
            pli_greater(moving.most, pli_greater(fabs(moving.x[0][k]), fabs(moving.x[1][k])));
    }
    return moving;
}

static double cross(const double x[3], const double y[3], int u, int v)
{
    return x[u] * y[v] - x[v] * y[u];
}

/* Along an axis; the coefficient between is not halved. */
static Quadratic cross_over_time(const Moving *x, const Moving *y, int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return (Quadratic){{cross(x->x[0], y->x[0], u, v),
                        cross(x->x[0], y->x[1], u, v) + cross(x->x[1], y->x[0], u, v),
                        cross(x->x[1], y->x[1], u, v)}};
}

static Quadratic halved(Quadratic quadratic)
{
    quadratic.b[1] *= 0.5;
    return quadratic;
}

static double dot(const Quadratic n[3], int i, const double g[3])
{
    return (n[0].b[i] * g[0] + n[1].b[i] * g[1]) + n[2].b[i] * g[2];
}

/* ---- Over an interval ---------------------------------------------------------------------- */

typedef struct Interval {
    double low, high;
} Interval;

static double mean(double p, double q, double t)
{
    return p + (q - p) * t;
}

/* The coefficient over an interval of times, some of them its low end, some its high end. */
static double blend_quadratic(const double b[3], double s, double t)
{
    return mean(mean(b[0], b[1], s), mean(b[1], b[2], s), t);
}

static double blend_cubic(const double b[4], double r, double s, double t)
{
    const double p = mean(b[0], b[1], r), q = mean(b[1], b[2], r), w = mean(b[2], b[3], r);
    return mean(mean(p, q, s), mean(q, w, s), t);
}

/* 1, -1 or 0 if that is not certain. */
static int certain_sign(double value, double error)
{
    return (value > error) - (value < -error);
}

/* Of all coefficients over an interval; 0 if they are not certainly of one sign. */
static int sign_over(const double b[3], Interval times, double error)
{
    const int low = certain_sign(blend_quadratic(b, times.low, times.low), error),
              middle = certain_sign(blend_quadratic(b, times.low, times.high), error),
              high = certain_sign(blend_quadratic(b, times.high, times.high), error);
    return low == middle && middle == high ? low : 0;
}

/* ---- Inside -------------------------------------------------------------------------------- */

/* Where g is during an interval. */
typedef enum Place { INSIDE, OUTSIDE, SOMEWHERE } Place;

/* The axis along which the normal is greatest, in the middle of an interval. */
static int main_axis(const Motion *motion, Interval times)
{
    const double middle = mean(times.low, times.high, 0.5);
    double most = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        const double size = fabs(blend_quadratic(motion->normal[k].b, middle, middle));
        if (size > most) {
            most = size;
            axis = k;
        }
    }
    return axis;
}

static Place find_place(const Motion *motion, Interval times)
{
    const int axis = main_axis(motion, times);
    const Quadratic *n = &motion->normal[axis];
    const int sign = sign_over(n->b, times, motion->cross_error);
    if (sign == 0)
        return SOMEWHERE;
    const Quadratic s = halved(cross_over_time(&motion->g, &motion->f, axis)),
                    r = halved(cross_over_time(&motion->e, &motion->g, axis));
    Quadratic rest[2];
    for (int i = 0; i < 3; i++) {
        const bool is_triangle = motion->kind == PLI_VERTEX_TRIANGLE;
        rest[0].b[i] = is_triangle ? (n->b[i] - s.b[i]) - r.b[i] : n->b[i] - s.b[i];
        rest[1].b[i] = is_triangle ? rest[0].b[i] : n->b[i] - r.b[i];
    }
    const int signs[4] = {sign * sign_over(s.b, times, motion->cross_error),
                          sign * sign_over(r.b, times, motion->cross_error),
                          sign * sign_over(rest[0].b, times, motion->cross_error),
                          sign * sign_over(rest[1].b, times, motion->cross_error)};
    bool is_inside = true;
    for (int i = 0; i < 4; i++) {
        if (signs[i] < 0)
            return OUTSIDE;
        is_inside &= signs[i] > 0;
    }
    return is_inside ? INSIDE : SOMEWHERE;
}

/* ---- Roots --------------------------------------------------------------------------------- */

/* The least distance of the two times that a root is caught between, as a part of their size. */
#define LEAST_WIDTH 0x1p-46

/* A cubic at a time, approximately, and its slope. */
typedef struct Value {
    double value, slope;
} Value;

static Value value_at(const double b[4], double t)
{
    const double p = mean(b[0], b[1], t), q = mean(b[1], b[2], t), w = mean(b[2], b[3], t);
    const double x = mean(p, q, t), y = mean(q, w, t);
    return (Value){mean(x, y, t), 3 * (y - x)};
}

/* About where the cubic is zero between two times at which it has opposite signs: by Newton's
 * method, within ends that come closer. Nothing depends on how good it is but time. */
static double approximate(const double b[4], Interval times, int low_sign)
{
    double t = mean(times.low, times.high, 0.5);
    for (int i = 0; i < 16; i++) {
        const Value here = value_at(b, t);
        if (here.value * low_sign > 0)
            times.low = t;
        else
            times.high = t;
        const double next = t - here.value / here.slope;
        if (fabs(next - t) <= LEAST_WIDTH * t)
            break;
        t = next > times.low && next < times.high ? next : mean(times.low, times.high, 0.5);
    }
    return t;
}

/* Narrows an interval with one root. False if its ends have no certain signs. */
static bool catch_root(const Cubic *cubic, Interval *times, int low_sign)
{
    const double t = approximate(cubic->b, *times, low_sign);
    const double slope = fabs(value_at(cubic->b, t).slope);
    double width = pli_greater(4 * cubic->error / slope, LEAST_WIDTH * t);
    for (int i = 0; i < 3; i++, width *= 16) {
        const double low = pli_greater(times->low, t - width),
                     high = t + width < times->high ? t + width : times->high;
        const int at_low = certain_sign(blend_cubic(cubic->b, low, low, low), cubic->error),
                  at_high = certain_sign(blend_cubic(cubic->b, high, high, high), cubic->error);
        if (at_low == low_sign && at_high == -low_sign) {
            *times = (Interval){low, high};
            return true;
        }
    }
    return false;
}

/* An interval with one root: the time if g is inside then, infinity if not. */
static float decide_root(const Motion *motion, Interval times, int low_sign)
{
    if (!catch_root(&motion->determinant, &times, low_sign))
        return OPEN;
    const Place where = find_place(motion, times);
    if (where == OUTSIDE)
        return INFINITY;
    const float time = pli_time_below(times.low);
    return where == INSIDE && time == pli_time_below(times.high) ? time : OPEN;
}

/* How many roots there are, by coefficients whose signs may not be certain. */
typedef enum Count { NONE, ONE, MANY, UNCLEAR } Count;

static Count count_roots(const int signs[4])
{
    if (signs[0] == 0 || signs[3] == 0)
        return UNCLEAR;
    if (signs[0] == signs[3])
        return signs[1] == signs[0] && signs[2] == signs[0] ? NONE : MANY;
    /* One change, whatever an unknown one of the two between is. */
    return signs[1] == signs[0] || signs[2] == signs[3] ? ONE : MANY;
}

/* From the first interval on. Interval `index` of 2^depth; what is left of it is done. */
static float search(const Motion *motion)
{
    const Cubic *cubic = &motion->determinant;
    int depth = 0;
    uint32_t index = 0;
    for (int i = 0; i < MAX_INTERVALS; i++) {
        const double width = 1.0 / (1u << depth);
        const Interval times = {index * width, (index + 1) * width};
        const double l = times.low, h = times.high, *c = cubic->b;
        const bool is_whole = depth == 0; /* its coefficients are those of the cubic */
        const int signs[4] = {
            certain_sign(is_whole ? c[0] : blend_cubic(c, l, l, l), cubic->error),
            certain_sign(is_whole ? c[1] : blend_cubic(c, l, l, h), cubic->error),
            certain_sign(is_whole ? c[2] : blend_cubic(c, l, h, h), cubic->error),
            certain_sign(is_whole ? c[3] : blend_cubic(c, h, h, h), cubic->error)};
        const Count count = count_roots(signs);
        if (count != NONE && find_place(motion, times) != OUTSIDE) {
            if (count == ONE) {
                const float time = decide_root(motion, times, signs[0]);
                if (time < INFINITY)
                    return time;
            } else if (depth < MAX_DEPTH) {
                depth++;
                index *= 2;
                continue;
            } else {
                return OPEN;
            }
        }
        index++;
        for (; depth > 0 && index % 2 == 0; depth--)
            index /= 2;
        if (depth == 0)
            return INFINITY;
    }
    return OPEN;
}

/* ---- A pair -------------------------------------------------------------------------------- */

/* Is all of one feature always below all of the other along an axis? Floats tell exactly. */
static bool are_apart(PliImpactKind kind, const float *const start[4], const float *const end[4])
{
    const int count = kind == PLI_EDGE_EDGE ? 2 : 1; /* points of the first feature */
    for (int k = 0; k < 3; k++) {
        bool is_below = true, is_above = true;
        for (int i = 0; i < count; i++)
            for (int j = count; j < 4; j++) {
                is_below &= (start[i][k] < start[j][k]) & (end[i][k] < end[j][k]);
                is_above &= (start[i][k] > start[j][k]) & (end[i][k] > end[j][k]);
            }
        if (is_below | is_above)
            return true;
    }
    return false;
}

static void set_motion(Motion *motion, PliImpactKind kind, const float *const start[4],
                       const float *const end[4])
{
    const bool are_edges = kind == PLI_EDGE_EDGE;
    motion->kind = kind;
    motion->e = between(start, end, are_edges ? 1 : 2, are_edges ? 0 : 1);
    motion->f = between(start, end, are_edges ? 2 : 3, are_edges ? 3 : 1);
    motion->g = between(start, end, are_edges ? 2 : 0, are_edges ? 0 : 1);
    const double e = motion->e.most, f = motion->f.most, g = motion->g.most;
    Quadratic *n = motion->normal;
    for (int k = 0; k < 3; k++)
        n[k] = cross_over_time(&motion->e, &motion->f, k);
    const double *g0 = motion->g.x[0], *g1 = motion->g.x[1];
    motion->determinant = (Cubic){{dot(n, 0, g0), (dot(n, 1, g0) + dot(n, 0, g1)) / 3,
                                   (dot(n, 2, g0) + dot(n, 1, g1)) / 3, dot(n, 2, g1)},
                                  CUBIC_ERROR * (e * f * g)};
    for (int k = 0; k < 3; k++)
        n[k] = halved(n[k]);
    motion->cross_error = CROSS_ERROR * ((e * f + f * g) + e * g);
}

float pli_impact(PliImpactKind kind, const float *const start[4], const float *const end[4],
                 int64_t *exact_count)
{
    Motion motion;
    if (are_apart(kind, start, end))
        return INFINITY;
    set_motion(&motion, kind, start, end);
    const float time = search(&motion);
    if (PLI_LIKELY(time >= 0))
        return time;
    ++*exact_count;
    return pli_impact_exact(kind, start, end);
}
