/* The pair filter, PLI_LANES pairs at a time. The same operations in the same order as filter_c.c,
 * which says what they mean; filter.h says why they can be trusted.
 *
 * No lane is left early: when both planes have been tried for all lanes, the intervals are compared
 * for all lanes too, as it costs less than to gather those that need it. */
#include "kernels/filter.h"
#include "kernels/kernels.h"
#include "kernels/wide.h"

#include <math.h>

typedef struct Vec {
    Floats x, y, z;
} Vec;

typedef struct Plane {
    Vec n, m;
} Plane;

/* A sign for each lane: `det` has it where `is_certain`. */
typedef struct Sign {
    Floats det;
    Ints is_certain;
} Sign;

static inline Vec minus(Vec a, Vec b)
{
    return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Plane plane_through(Vec p, Vec q, Vec r)
{
    Vec e = minus(q, p), f = minus(r, p);
    Floats fyez = f.y * e.z, fzey = f.z * e.y;
    Floats fzex = f.z * e.x, fxez = f.x * e.z;
    Floats fxey = f.x * e.y, fyex = f.y * e.x;
    return (Plane){{fyez - fzey, fzex - fxez, fxey - fyex},
                   {(magnitude(fyez) + magnitude(fzey)) + PLI_FILTER_FLOOR,
                    (magnitude(fzex) + magnitude(fxez)) + PLI_FILTER_FLOOR,
                    (magnitude(fxey) + magnitude(fyex)) + PLI_FILTER_FLOOR}};
}

static inline Floats det(const Plane *plane, Vec g)
{
    return (plane->n.x * g.x + plane->n.y * g.y) + plane->n.z * g.z;
}

/* P'' for magnitudes g, and from it the bound on the error. */
static inline Floats permanent(const Plane *plane, Vec g)
{
    return (plane->m.x * g.x + plane->m.y * g.y) + plane->m.z * g.z;
}

static inline Sign sign(Floats det, Floats permanent)
{
    return (Sign){det, magnitude(det) > PLI_FILTER_FLOAT * permanent + PLI_FILTER_LEAST};
}

static inline Vec magnitudes(Vec v)
{
    return (Vec){magnitude(v.x), magnitude(v.y), magnitude(v.z)};
}

/* The sides of s's corners against the plane of t; returns their common P''. */
static inline Floats sides(const Vec t[3], const Vec s[3], Sign signs[3])
{
    Plane plane = plane_through(t[0], t[1], t[2]);
    Vec g0 = minus(s[0], t[0]), g1 = minus(s[1], t[0]), g2 = minus(s[2], t[0]);
    Vec m0 = magnitudes(g0), m1 = magnitudes(g1), m2 = magnitudes(g2);
    Vec sum = {(m0.x + m1.x) + m2.x, (m0.y + m1.y) + m2.y, (m0.z + m1.z) + m2.z};
    Floats common = permanent(&plane, sum);
    signs[0] = sign(det(&plane, g0), common);
    signs[1] = sign(det(&plane, g1), common);
    signs[2] = sign(det(&plane, g2), common);
    return common;
}

/* The side of the plane through p, q, r on which s is. */
static inline Sign side(Vec p, Vec q, Vec r, Vec s)
{
    Plane plane = plane_through(p, q, r);
    Vec g = minus(s, p);
    return sign(det(&plane, g), permanent(&plane, magnitudes(g)));
}

/* All ones where the signs of x and y differ, if both are certain. */
static inline Ints differ(Sign x, Sign y)
{
    return ((Ints)x.det ^ (Ints)y.det) >> 31;
}

static inline Ints negative(Floats x)
{
    return (Ints)x >> 31;
}

static inline void swap_corners(Ints mask, Vec *p, Vec *q)
{
    swap_where(mask, &p->x, &q->x);
    swap_where(mask, &p->y, &q->y);
    swap_where(mask, &p->z, &q->z);
}

/* Brings the corner that is alone on its side to the front; returns where that side is negative,
 * and in *turned where the triangle was turned over. */
static inline Ints apex_first(const Sign signs[3], Vec corners[3], Ints *turned)
{
    Ints differ01 = differ(signs[0], signs[1]), differ02 = differ(signs[0], signs[2]);
    Ints is_1 = ~differ02, is_2 = ~differ01;
    swap_corners(is_1, &corners[0], &corners[1]);
    swap_corners(is_2, &corners[0], &corners[2]);
    *turned = is_1 | is_2;
    /* If another corner is the apex, corner 0 is on the side that it is not. */
    return negative(signs[0].det) ^ *turned;
}

static inline Ints all_certain(const Sign signs[3])
{
    return signs[0].is_certain & signs[1].is_certain & signs[2].is_certain;
}

static inline Ints none_differ(const Sign signs[3])
{
    return ~(differ(signs[0], signs[1]) | differ(signs[0], signs[2]));
}

/* The verdicts of one vector of pairs. */
static inline Ints filter(Vec a[3], Vec b[3])
{
    Sign a_signs[3], b_signs[3];
    Floats total = sides(b, a, a_signs);
    sides(a, b, b_signs);
    Ints a_certain = all_certain(a_signs), b_certain = all_certain(b_signs);
    Ints is_apart = (a_certain & none_differ(a_signs)) | (b_certain & none_differ(b_signs));

    Ints a_turned, b_turned;
    Ints a_negative = apex_first(a_signs, a, &a_turned);
    Ints b_negative = apex_first(b_signs, b, &b_turned);
    Ints turn_a = b_negative ^ a_turned, turn_b = a_negative ^ b_turned;
    swap_corners(turn_a ^ turn_b, &b[1], &b[2]);

    Sign sign1 = side(a[0], a[1], b[0], b[1]), sign2 = side(a[0], a[2], b[0], b[2]);
    Ints negative1 = negative(sign1.det), negative2 = negative(sign2.det);
    /* Wanted: negative and positive; or positive and negative where a is turned. */
    Ints wrong1 = ~(negative1 ^ turn_a), wrong2 = negative2 ^ turn_a;
    Ints is_certain = a_certain & b_certain;
    is_apart |= is_certain & ((sign1.is_certain & wrong1) | (sign2.is_certain & wrong2));
    Ints is_meeting = is_certain & sign1.is_certain & sign2.is_certain & ~is_apart;

    Ints is_finite = total < all_of(INFINITY);
    Ints is_decided = is_finite & (is_apart | is_meeting);
    return (~is_decided & PLI_UNDECIDED) | (is_decided & is_meeting & PLI_MEET);
}

/* The corners of one triangle for each lane. Row i is the nine floats of triangle indices[2 i]. */
static inline void load_corners(const float *triangles, const uint32_t *indices, Vec corners[3])
{
    Floats low[4], middle[4], high[4];
    load_columns(triangles, 9, indices, 2, 0, low);
    load_columns(triangles, 9, indices, 2, 4, middle);
    load_columns(triangles, 9, indices, 2, 5, high); /* not 8: that would read past the last row */
    corners[0] = (Vec){low[0], low[1], low[2]};
    corners[1] = (Vec){low[3], middle[0], middle[1]};
    corners[2] = (Vec){middle[2], middle[3], high[3]};
}

static inline Bytes filter_vector(const float *a, const float *b, const uint32_t *pairs)
{
    Vec a_corners[3], b_corners[3];
    load_corners(a, pairs, a_corners);
    load_corners(b, pairs + 1, b_corners);
    return __builtin_convertvector(filter(a_corners, b_corners), Bytes);
}

void PLI_NAME(pli_filter_pairs)(const float *a, const float *b, const uint32_t *pairs,
                                int64_t pair_count, uint8_t *verdicts)
{
    int64_t start = 0;
    for (; start + PLI_LANES <= pair_count; start += PLI_LANES) {
        Bytes bytes = filter_vector(a, b, pairs + 2 * start);
        memcpy(verdicts + start, &bytes, sizeof bytes);
    }

    /* The last vector may be part empty: its spare lanes repeat the last pair. */
    int rest = (int)(pair_count - start);
    if (rest == 0)
        return;
    uint32_t padded[2 * PLI_LANES];
    for (int i = 0; i < PLI_LANES; i++)
        memcpy(padded + 2 * i, pairs + 2 * (start + (i < rest ? i : rest - 1)), 2 * sizeof *pairs);
    Bytes bytes = filter_vector(a, b, padded);
    memcpy(verdicts + start, &bytes, (size_t)rest);
}
