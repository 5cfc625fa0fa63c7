/* Impacts in double: see impact.h.
 *
 * The cubic det(e, f, g) and the quadratics that tell whether g is in the polygon are in Bernstein
 * form (cubic.h). The first root at which g is inside is the impact. The step is divided into up to
 * three pieces in which the cubic rises or falls. A piece with one root has it caught between two
 * times close by. If a piece stays unclear, since the cubic may be zero at one of its ends, the
 * step is halved until each interval has one root or none, or nothing inside. Where a sign is
 * needed that is not certain, integers decide.
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
 * second one 18 with 10, 180 u EFG, a third of that, and 12 u EFG for the third and the product
 * with it: 72 u EFG.
 *
 * A mean p + (q - p) t of two numbers below M is off by 2 M u for the difference, 2 M u for the
 * product and M u for the sum. A quadratic's coefficient over [l, h] takes two such steps with M =
 * 2 XY: 20 u XY; that of a cubic three with M = 6 EFG: 90 u EFG. Together 30 u XY and 162 u EFG. n
 * less two others is off by 30 u times the sum of all three XY, and 4 u of that for its two
 * roundings. All squares of u, and the rounding of the bounds themselves, are in what is left of 48
 * u and of 192 u.
 *
 * On a line: rings of points have one coordinate in common, and go on having it. If three points, a
 * and b of one feature and p of the other, have one at both ends, and the fourth point is beyond it
 * at both, then what of the features is in that plane is the edge ab and p: they touch if p is on
 * the edge, where e x g along the axis is zero, e = b - a, g = p - a, and g is from 0 to e along
 * another one. The integers would have to find that a side is zero there. As a cubic, that
 * quadratic's coefficients between are sums of its own, of q0 and twice q1, that are off by 28 u EG
 * and 6 u EG for the sum, a third of that, and 4 u EG: 16 u EG. Three means with M = 2 EG: 46 u EG,
 * of 64 u. Coordinates of e, g and e - g are off by 2 u (E + G), and a mean by 5 u (E + G): 7 u of
 * 16 u.
 *
 * Nothing overflows: 6 EFG is below 2^390. A product of two differences is at least 2^-298, that of
 * three 2^-447, and so far above what underflow takes away; a mean may lose 2^-1074.
 */
#include "geom/impact.h"

/* How often an interval is halved at most, and how many are tested. */
enum { MAX_DEPTH = 12, MAX_INTERVALS = 32 };

#define LINE_ERROR (64 * 0x1p-53)
#define PLACE_ERROR (16 * 0x1p-53)

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
    PliCubic determinant;
    double place_error; /* of quadratics, and of the normal less two others; or on a line */
    PliImpactKind kind;
    int line; /* -1, or the axis that a line is seen along: there are no f and normal then */
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

/* The coefficient over an interval of which these are the ends, or twice the same one. */
static double blend(const Quadratic *q, double s, double t)
{
    return pli_mean(pli_mean(q->b[0], q->b[1], s), pli_mean(q->b[1], q->b[2], s), t);
}

/* Of all coefficients over an interval; 0 if they are not certainly of one sign. */
static int sign_over(const Quadratic *q, PliInterval times, double error)
{
    const int low = pli_certain_sign(blend(q, times.low, times.low), error),
              middle = pli_certain_sign(blend(q, times.low, times.high), error),
              high = pli_certain_sign(blend(q, times.high, times.high), error);
    return low == middle && middle == high ? low : 0;
}

/* ---- Inside -------------------------------------------------------------------------------- */

/* Where g is during an interval. */
typedef enum Place { INSIDE, OUTSIDE, SOMEWHERE } Place;

/* By signs that are those of a normal inside. */
static Place place_of(int normal, const int *sides, int count)
{
    bool is_inside = normal != 0;
    for (int i = 0; i < count; i++) {
        if (normal * sides[i] < 0)
            return OUTSIDE;
        is_inside &= normal * sides[i] > 0;
    }
    return is_inside ? INSIDE : SOMEWHERE;
}

/* The axis along which the normal is greatest, in the middle of an interval. */
static int main_axis(const Motion *motion, PliInterval times)
{
    const double middle = pli_mean(times.low, times.high, 0.5);
    double most = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        const double size = fabs(blend(&motion->normal[k], middle, middle));
        if (size > most) {
            most = size;
            axis = k;
        }
    }
    return axis;
}

/* The signs of the sides during an interval, seen along an axis: g x f, e x g, and what is left. */
static void find_sides(const Motion *motion, PliInterval times, int axis, int signs[4])
{
    const Quadratic *n = &motion->normal[axis],
                    s = halved(cross_over_time(&motion->g, &motion->f, axis)),
                    r = halved(cross_over_time(&motion->e, &motion->g, axis));
    Quadratic rest[2];
    for (int i = 0; i < 3; i++) {
        const bool is_triangle = motion->kind == PLI_VERTEX_TRIANGLE;
        rest[0].b[i] = is_triangle ? (n->b[i] - s.b[i]) - r.b[i] : n->b[i] - s.b[i];
        rest[1].b[i] = is_triangle ? rest[0].b[i] : n->b[i] - r.b[i];
    }
    signs[0] = sign_over(&s, times, motion->place_error);
    signs[1] = sign_over(&r, times, motion->place_error);
    signs[2] = sign_over(&rest[0], times, motion->place_error);
    signs[3] = sign_over(&rest[1], times, motion->place_error);
}

/* The sign of a coordinate during an interval. */
static int sign_between(double start, double end, PliInterval times, double error)
{
    const int low = pli_certain_sign(pli_mean(start, end, times.low), error),
              high = pli_certain_sign(pli_mean(start, end, times.high), error);
    return low == high ? low : 0;
}

static Place find_place_on_line(const Motion *motion, PliInterval times)
{
    const double(*e)[3] = motion->e.x, (*g)[3] = motion->g.x, error = motion->place_error,
          middle = pli_mean(times.low, times.high, 0.5);
    const int u = (motion->line + 1) % 3, v = (motion->line + 2) % 3,
              k = fabs(pli_mean(e[0][u], e[1][u], middle)) >
                          fabs(pli_mean(e[0][v], e[1][v], middle))
                      ? u
                      : v;
    const int sides[2] = {sign_between(g[0][k], g[1][k], times, error),
                          sign_between(e[0][k] - g[0][k], e[1][k] - g[1][k], times, error)};
    return place_of(sign_between(e[0][k], e[1][k], times, error), sides, 2);
}

static Place find_place(const Motion *motion, PliInterval times)
{
    if (motion->line >= 0)
        return find_place_on_line(motion, times);
    const int axis = main_axis(motion, times);
    int sides[4];
    find_sides(motion, times, axis, sides);
    return place_of(sign_over(&motion->normal[axis], times, motion->place_error), sides, 4);
}

/* Is g certain to be outside, by two sides with different signs? Tells of features without an area
 * too: see impact_exact.c, of which these are the turns. */
static bool is_beside(const Motion *motion, PliInterval times)
{
    for (int axis = 0; axis < 3; axis++) {
        int sides[4];
        bool has_above = false, has_below = false;
        find_sides(motion, times, axis, sides);
        for (int i = 0; i < 4; i++) {
            has_above |= sides[i] > 0;
            has_below |= sides[i] < 0;
        }
        if (has_above && has_below)
            return true;
    }
    return false;
}

/* ---- Intervals ----------------------------------------------------------------------------- */

/* The time of the impact in a piece, infinity if there is none, or that this is not known. */
static float decide_piece(const Motion *motion, PliCubicPiece *piece)
{
    bool is_caught;
    const PliRootCount count = pli_cubic_catch(&motion->determinant, piece, &is_caught);
    if (count == PLI_NO_ROOT)
        return INFINITY;
    if (count == PLI_ONE_ROOT && !is_caught)
        return PLI_IMPACT_OPEN;
    const Place where = find_place(motion, piece->times);
    if (where == OUTSIDE)
        return INFINITY;
    if (count != PLI_ONE_ROOT)
        return PLI_IMPACT_UNCLEAR;
    const float time = pli_time_below(piece->times.low);
    return where == INSIDE && time == pli_time_below(piece->times.high) ? time : PLI_IMPACT_OPEN;
}

static float search_pieces(const Motion *motion)
{
    PliCubicPiece pieces[3];
    float time = INFINITY;
    pli_cubic_divide(&motion->determinant, pieces);
    for (int i = 0; i < 3 && time == INFINITY; i++)
        time = decide_piece(motion, &pieces[i]);
    return time;
}

/* From the first interval on. Interval `index` of 2^depth; what is left of it is done. */
static float search_halves(const Motion *motion)
{
    int depth = 0;
    uint32_t index = 0;
    for (int i = 0; i < MAX_INTERVALS; i++) {
        const double width = 1.0 / (1u << depth);
        PliCubicPiece piece =
            pli_cubic_piece(&motion->determinant, index * width, (index + 1) * width);
        float time = decide_piece(motion, &piece);
        if (time == PLI_IMPACT_UNCLEAR && is_beside(motion, piece.times))
            time = INFINITY;
        if (time == PLI_IMPACT_UNCLEAR && depth < MAX_DEPTH) {
            depth++;
            index *= 2;
            continue;
        }
        if (time < INFINITY)
            return time;
        index++;
        for (; depth > 0 && index % 2 == 0; depth--)
            index /= 2;
        if (depth == 0)
            return INFINITY;
    }
    return PLI_IMPACT_OPEN;
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
    motion->line = -1;
    motion->e = between(start, end, are_edges ? 1 : 2, are_edges ? 0 : 1);
    motion->f = between(start, end, are_edges ? 2 : 3, are_edges ? 3 : 1);
    motion->g = between(start, end, are_edges ? 2 : 0, are_edges ? 0 : 1);
    const double e = motion->e.most, f = motion->f.most, g = motion->g.most;
    Quadratic *n = motion->normal;
    for (int k = 0; k < 3; k++)
        n[k] = cross_over_time(&motion->e, &motion->f, k);
    const double *g0 = motion->g.x[0], *g1 = motion->g.x[1];
    motion->determinant = (PliCubic){{dot(n, 0, g0), (dot(n, 1, g0) + dot(n, 0, g1)) * (1.0 / 3),
                                      (dot(n, 2, g0) + dot(n, 1, g1)) * (1.0 / 3), dot(n, 2, g1)},
                                     PLI_IMPACT_CUBIC_ERROR * (e * f * g)};
    for (int k = 0; k < 3; k++)
        n[k] = halved(n[k]);
    motion->place_error = PLI_IMPACT_CROSS_ERROR * ((e * f + f * g) + e * g);
}

/* A point of one feature, and the ends of an edge of the other one; the last is what is left. */
static const struct {
    uint8_t p, a, b, rest;
} lines[2][4] = {{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 2, 3}},
                 {{2, 0, 1, 3}, {3, 0, 1, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};

/* Are three points of one coordinate at one end? And is the fourth above it, or below? */
static int side_of_plane(const float *const x[4], int p, int a, int b, int rest, int k)
{
    if (x[p][k] != x[a][k] || x[p][k] != x[b][k])
        return 0;
    return (x[rest][k] > x[p][k]) - (x[rest][k] < x[p][k]);
}

static void set_line(Motion *motion, const float *const start[4], const float *const end[4], int p,
                     int a, int b, int axis)
{
    motion->line = axis;
    motion->e = between(start, end, b, a);
    motion->g = between(start, end, p, a);
    const double e = motion->e.most, g = motion->g.most;
    const Quadratic q = cross_over_time(&motion->e, &motion->g, axis);
    motion->determinant =
        (PliCubic){{q.b[0], (q.b[0] + q.b[1]) * (1.0 / 3), (q.b[1] + q.b[2]) * (1.0 / 3), q.b[2]},
                   LINE_ERROR * (e * g)};
    motion->place_error = PLACE_ERROR * (e + g);
}

/* If three points have a coordinate in common. */
static float search_line(PliImpactKind kind, const float *const start[4], const float *const end[4])
{
    Motion motion;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const int p = lines[kind][i].p, a = lines[kind][i].a, b = lines[kind][i].b,
                      rest = lines[kind][i].rest;
            if (side_of_plane(start, p, a, b, rest, k) * side_of_plane(end, p, a, b, rest, k) > 0) {
                set_line(&motion, start, end, p, a, b, k);
                return search_pieces(&motion);
            }
        }
    return PLI_IMPACT_OPEN;
}

float pli_impact_in_double(PliImpactKind kind, const float *const start[4],
                           const float *const end[4])
{
    Motion motion;
    set_motion(&motion, kind, start, end);
    return search_pieces(&motion);
}

float pli_impact(PliImpactKind kind, const float *const start[4], const float *const end[4],
                 int64_t *exact_count)
{
    Motion motion;
    if (are_apart(kind, start, end))
        return INFINITY;
    set_motion(&motion, kind, start, end);
    float time = search_pieces(&motion);
    if (time == PLI_IMPACT_UNCLEAR)
        time = search_halves(&motion);
    if (time < 0)
        time = search_line(kind, start, end);
    if (PLI_LIKELY(time >= 0))
        return time;
    ++*exact_count;
    return pli_impact_exact(kind, start, end);
}
