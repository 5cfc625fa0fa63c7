/* When features touch on their way, PLI_LANES pairs at a time, in halves of doubles. The same
 * operations in the same order as in geom/impact.c and geom/cubic.c. See impact_times.h. */
#include "geom/impact.h"
#include "kernels/kernels.h"
#include "kernels/wide_cubic.h"
#include "kernels/wide_points.h"

#include <math.h>

/* ---- Motions --------------------------------------------------------------------------------- */

typedef struct Vector {
    Doubles x, y, z;
} Vector;

/* A vector at both ends. */
typedef struct Moving {
    Vector at[2];
    Doubles most;
} Moving;

typedef struct Quadratic {
    Doubles b[3];
} Quadratic;

typedef struct Motion {
    Moving e, f, g;
    Quadratic x, y, z; /* of the normal */
    Cubic cubic;
    Doubles place_error;
} Motion;

static inline Vector minus(Vector p, Vector q)
{
    return (Vector){p.x - q.x, p.y - q.y, p.z - q.z};
}

static inline Doubles largest(Vector a)
{
    return most(most(size_of(a.x), size_of(a.y)), size_of(a.z));
}

static inline Moving between(const Vector start[4], const Vector end[4], int p, int q)
{
    const Vector from = minus(start[p], start[q]), to = minus(end[p], end[q]);
    return (Moving){{from, to}, most(largest(from), largest(to))};
}

/* Two coordinates of a vector at both ends. */
typedef struct Two {
    Doubles u[2], v[2];
} Two;

static inline Doubles cross(const Two *a, int i, const Two *b, int k)
{
    return a->u[i] * b->v[k] - a->v[i] * b->u[k];
}

/* The coefficient between is not halved. */
static inline Quadratic cross_over_time(const Two *a, const Two *b)
{
    return (Quadratic){
        {cross(a, 0, b, 0), cross(a, 0, b, 1) + cross(a, 1, b, 0), cross(a, 1, b, 1)}};
}

static inline Quadratic halved(Quadratic quadratic)
{
    quadratic.b[1] *= 0.5;
    return quadratic;
}

#define SEEN(a, first, second)                                                                     \
    (&(Two){{(a).at[0].first, (a).at[1].first}, {(a).at[0].second, (a).at[1].second}})

static inline Doubles dot(const Motion *m, int i, const Vector *g)
{
    return (m->x.b[i] * g->x + m->y.b[i] * g->y) + m->z.b[i] * g->z;
}

static inline Motion motion_of(const Vector start[4], const Vector end[4], bool are_edges)
{
    Motion m;
    m.e = between(start, end, are_edges ? 1 : 2, are_edges ? 0 : 1);
    m.f = between(start, end, are_edges ? 2 : 3, are_edges ? 3 : 1);
    m.g = between(start, end, are_edges ? 2 : 0, are_edges ? 0 : 1);
    const Doubles e = m.e.most, f = m.f.most, g = m.g.most;
    m.x = cross_over_time(SEEN(m.e, y, z), SEEN(m.f, y, z));
    m.y = cross_over_time(SEEN(m.e, z, x), SEEN(m.f, z, x));
    m.z = cross_over_time(SEEN(m.e, x, y), SEEN(m.f, x, y));
    const Vector *g0 = &m.g.at[0], *g1 = &m.g.at[1];
    m.cubic.b[0] = dot(&m, 0, g0);
    m.cubic.b[1] = (dot(&m, 1, g0) + dot(&m, 0, g1)) * (1.0 / 3);
    m.cubic.b[2] = (dot(&m, 2, g0) + dot(&m, 1, g1)) * (1.0 / 3);
    m.cubic.b[3] = dot(&m, 2, g1);
    m.cubic.error = PLI_IMPACT_CUBIC_ERROR * (e * f * g);
    m.place_error = PLI_IMPACT_CROSS_ERROR * ((e * f + f * g) + e * g);
    m.x = halved(m.x);
    m.y = halved(m.y);
    m.z = halved(m.z);
    return m;
}

/* ---- Over an interval ------------------------------------------------------------------------ */

static inline Doubles blend(const Quadratic *q, Doubles s, Doubles t)
{
    return mean(mean(q->b[0], q->b[1], s), mean(q->b[1], q->b[2], s), t);
}

/* Of all coefficients over an interval. */
static inline Signs signs_over(const Quadratic *q, Doubles low, Doubles high, Doubles error)
{
    const Doubles x = blend(q, low, low), y = blend(q, low, high), z = blend(q, high, high);
    return (Signs){least(least(x, y), z) > error, most(most(x, y), z) < -error};
}

/* The axis along which the normal is greatest: z, or y, or else x. */
typedef struct Axes {
    Longs is_y, is_z;
} Axes;

static inline Axes main_axes(const Motion *m, Doubles middle)
{
    const Doubles x = size_of(blend(&m->x, middle, middle)),
                  y = size_of(blend(&m->y, middle, middle)),
                  z = size_of(blend(&m->z, middle, middle));
    const Longs is_z = z > most(y, x);
    return (Axes){~is_z & (y > x), is_z};
}

static inline Doubles along(Axes axes, Doubles x, Doubles y, Doubles z)
{
    return choose_doubles(axes.is_z, z, choose_doubles(axes.is_y, y, x));
}

static inline Two seen_along(const Moving *a, Axes axes)
{
    const Vector *p = &a->at[0], *q = &a->at[1];
    return (Two){{along(axes, p->y, p->z, p->x), along(axes, q->y, q->z, q->x)},
                 {along(axes, p->z, p->x, p->y), along(axes, q->z, q->x, q->y)}};
}

typedef struct Place {
    Longs is_inside, is_outside;
} Place;

/* Where g is with respect to one side of the polygon. */
static inline void add_side(Place *place, Signs normal, const Quadratic *side, Doubles low,
                            Doubles high, Doubles error)
{
    const Signs signs = signs_over(side, low, high, error);
    place->is_outside |=
        (normal.are_above & signs.are_below) | (normal.are_below & signs.are_above);
    place->is_inside &= (normal.are_above & signs.are_above) | (normal.are_below & signs.are_below);
}

static inline Place find_place(const Motion *m, bool are_edges, Doubles low, Doubles high)
{
    const Axes axes = main_axes(m, mean(low, high, same(0.5)));
    const Two e = seen_along(&m->e, axes), f = seen_along(&m->f, axes), g = seen_along(&m->g, axes);
    const Quadratic s = halved(cross_over_time(&g, &f)), r = halved(cross_over_time(&e, &g));
    Quadratic n, rest[2];
    for (int i = 0; i < 3; i++) {
        n.b[i] = along(axes, m->x.b[i], m->y.b[i], m->z.b[i]);
        rest[0].b[i] = are_edges ? n.b[i] - s.b[i] : (n.b[i] - s.b[i]) - r.b[i];
        rest[1].b[i] = n.b[i] - r.b[i];
    }
    const Signs normal = signs_over(&n, low, high, m->place_error);
    Place place = {.is_inside = normal.are_above | normal.are_below};
    add_side(&place, normal, &s, low, high, m->place_error);
    add_side(&place, normal, &r, low, high, m->place_error);
    add_side(&place, normal, &rest[0], low, high, m->place_error);
    if (are_edges)
        add_side(&place, normal, &rest[1], low, high, m->place_error);
    return place;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* What is known of HALF pairs: the two times that a touch is caught between. */
typedef struct Answer {
    Doubles low, high;
    Longs is_found, is_open, is_unclear;
} Answer;

/* The first piece of each lane that may have a touch in it; it is then no longer pending. */
static inline Piece take_piece(Piece pieces[3])
{
    const Longs is_first = pieces[0].is_pending, is_second = ~is_first & pieces[1].is_pending,
                is_third = ~(is_first | is_second) & pieces[2].is_pending;
#define PICK(field)                                                                                \
    choose_doubles(is_third, pieces[2].field,                                                      \
                   choose_doubles(is_second, pieces[1].field, pieces[0].field))
    const Piece piece = {.low = PICK(low),
                         .high = PICK(high),
                         .at_low = PICK(at_low),
                         .at_high = PICK(at_high),
                         .has_one = (is_first & pieces[0].has_one) |
                                    (is_second & pieces[1].has_one) |
                                    (is_third & pieces[2].has_one),
                         .is_pending = is_first | is_second | is_third};
#undef PICK
    pieces[0].is_pending &= ~is_first;
    pieces[1].is_pending &= ~is_second;
    pieces[2].is_pending &= ~is_third;
    return piece;
}

static inline Answer search_pieces(const Motion *m, bool are_edges)
{
    Piece pieces[3];
    Answer answer = {same(0), same(0), {0}, {0}, {0}};
    divide(&m->cubic, pieces);
    for (int round = 0; round < 3; round++) {
        const Piece piece = take_piece(pieces);
        if (bits_of(piece.is_pending) == 0)
            break;
        Doubles low = piece.low, high = piece.high;
        Longs is_lost = {0};
        if (bits_of(piece.has_one))
            is_lost = piece.has_one & ~catch_roots(&m->cubic, &piece, &low, &high);
        const Place place = find_place(m, are_edges, low, high);
        const Longs is_here = piece.is_pending & (is_lost | ~place.is_outside),
                    is_found = is_here & piece.has_one & ~is_lost & place.is_inside;
        answer.low = choose_doubles(is_found, low, answer.low);
        answer.high = choose_doubles(is_found, high, answer.high);
        answer.is_found |= is_found;
        answer.is_open |= is_here & piece.has_one & ~is_found;
        answer.is_unclear |= is_here & ~piece.has_one;
        for (int i = 0; i < 3; i++)
            pieces[i].is_pending &= ~is_here;
    }
    return answer;
}

/* ---- All pairs ------------------------------------------------------------------------------- */

/* The greatest floats that are not above. */
static inline HalfFloats floats_below(Doubles x)
{
    const HalfFloats nearest = __builtin_convertvector(x, HalfFloats);
    const Longs is_above = __builtin_convertvector(nearest, Doubles) > x;
    return (HalfFloats)((HalfInts)nearest + __builtin_convertvector(is_above, HalfInts));
}

static inline HalfFloats same_half(float x)
{
    return x - (HalfFloats){0};
}

static inline HalfFloats choose_half(HalfInts mask, HalfFloats x, HalfFloats y)
{
    return (HalfFloats)((mask & (HalfInts)x) | (~mask & (HalfInts)y));
}

static inline HalfFloats choose_where(Longs mask, HalfFloats x, HalfFloats y)
{
    return choose_half(__builtin_convertvector(mask, HalfInts), x, y);
}

static inline HalfFloats times_of(const Answer *answer)
{
    const HalfFloats low = floats_below(answer->low), high = floats_below(answer->high),
                     open = same_half(PLI_IMPACT_OPEN);
    HalfFloats times = same_half(INFINITY);
    times = choose_where(answer->is_found, choose_half(low == high, low, open), times);
    times = choose_where(answer->is_open, open, times);
    return choose_where(answer->is_unclear, same_half(PLI_IMPACT_UNCLEAR), times);
}

/* Of PLI_LANES pairs, at one end. */
typedef struct Points {
    Vec at[4];
    Floats nothing; /* 0, or a NaN if something is not finite */
} Points;

static __attribute__((noinline)) Points load_points(const float *table, const uint32_t *pairs)
{
    Points points = {.nothing = all_same(0)};
    for (int k = 0; k < 4; k++) {
        const Vec p = points.at[k] = load_vertices(table, pairs + k, 4);
        points.nothing += (p.x * 0 + p.y * 0) + p.z * 0;
    }
    return points;
}

static inline void set_half(const Points *points, int half, Vector at[4])
{
    for (int k = 0; k < 4; k++)
        at[k] = (Vector){half_of(points->at[k].x, half), half_of(points->at[k].y, half),
                         half_of(points->at[k].z, half)};
}

/* The spare lanes of a vector that is part empty repeat the last pair. */
static inline void time_vector(const float *start, const float *end, bool are_edges,
                               const uint32_t *pairs, int count, float times[PLI_LANES])
{
    const Points from = load_points(start, pairs), to = load_points(end, pairs);
    const Floats nothing = from.nothing + to.nothing;
    for (int half = 0; half * HALF < count; half++) {
        Vector at_start[4], at_end[4];
        set_half(&from, half, at_start);
        set_half(&to, half, at_end);
        const Motion motion = motion_of(at_start, at_end, are_edges);
        const Answer answer = search_pieces(&motion, are_edges);
        const HalfFloats found =
            choose_where(half_of(nothing, half) == 0, times_of(&answer), same_half(INFINITY));
        memcpy(times + half * HALF, &found, sizeof found);
    }
}

void PLI_NAME(pli_time_impacts)(const float *start, const float *end, bool are_edges,
                                const uint32_t *pairs, int64_t pair_count, float *times)
{
    for (int64_t first = 0; first < pair_count; first += PLI_LANES) {
        const int64_t left = pair_count - first;
        const int count = left < PLI_LANES ? (int)left : PLI_LANES;
        uint32_t padded[4 * PLI_LANES];
        float found[PLI_LANES] = {0};
        for (int i = 0; i < PLI_LANES; i++)
            memcpy(padded + 4 * i, pairs + 4 * (first + (i < count ? i : count - 1)),
                   4 * sizeof *pairs);
        time_vector(start, end, are_edges, padded, count, found);
        memcpy(times + first, found, (size_t)count * sizeof *found);
    }
}
