/* The float32 filter, PLI_LANES pairs at a time. The same operations in the same order as in
 * filter_c.c. See filter.h for the error bounds.
 *
 * No lane leaves early. The intervals are compared for all lanes, which costs less than gathering
 * the lanes that need it. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

#include <math.h>

typedef struct Vec {
    Floats x, y, z;
} Vec;

/* The box around each pair, as far as the error bounds need it: X Y Z, V, R. */
typedef struct Box {
    Vec extents;
    Floats volume, least;
} Box;

/* A sign for each lane: `det` has it where `is_certain`. */
typedef struct Sign {
    Floats det;
    Ints is_certain;
} Sign;

static inline Floats extent(Floats p, Floats q, Floats r, Floats s, Floats t, Floats v)
{
    return larger(larger(larger(p, q), larger(r, s)), larger(t, v)) -
           smaller(smaller(smaller(p, q), smaller(r, s)), smaller(t, v));
}

static inline Box box_around(const Vec a[3], const Vec b[3])
{
    Vec x = {extent(a[0].x, a[1].x, a[2].x, b[0].x, b[1].x, b[2].x),
             extent(a[0].y, a[1].y, a[2].y, b[0].y, b[1].y, b[2].y),
             extent(a[0].z, a[1].z, a[2].z, b[0].z, b[1].z, b[2].z)};
    return (Box){x, (x.x * x.y) * x.z, PLI_FILTER_LEAST * (((x.x + x.y) + x.z) + PLI_FILTER_FLOOR)};
}

static inline Sign certain_sign(Floats det, Floats bound)
{
    return (Sign){det, magnitude(det) > bound};
}

/* The products of differences that make up a plane's normal. */
typedef struct Normal {
    Vec plus, minus;
} Normal;

static inline Vec minus(Vec a, Vec b)
{
    return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Normal normal_of(Vec p, Vec q, Vec r)
{
    Vec e = minus(q, p), f = minus(r, p);
    return (Normal){{f.y * e.z, f.z * e.x, f.x * e.y}, {f.z * e.y, f.x * e.z, f.y * e.x}};
}

static inline Floats det(const Normal *n, Vec p, Vec s)
{
    Vec m = minus(n->plus, n->minus), g = minus(s, p);
    return (m.x * g.x + m.y * g.y) + m.z * g.z;
}

/* The sides of s's corners against the plane of t. */
static inline void sides(const Vec t[3], const Vec s[3], const Box *box, Sign signs[3])
{
    Normal n = normal_of(t[0], t[1], t[2]);
    Vec m = {magnitude(n.plus.x) + magnitude(n.minus.x), magnitude(n.plus.y) + magnitude(n.minus.y),
             magnitude(n.plus.z) + magnitude(n.minus.z)};
    Vec x = box->extents;
    Floats permanent = (m.x * x.x + m.y * x.y) + m.z * x.z;
    Floats bound = PLI_FILTER_FLOAT * permanent + box->least;
    for (int i = 0; i < 3; i++)
        signs[i] = certain_sign(det(&n, t[0], s[i]), bound);
}

/* The side of the plane through p, q, r on which s is. */
static inline Sign side(Vec p, Vec q, Vec r, Vec s, const Box *box)
{
    Normal n = normal_of(p, q, r);
    Sign sign = certain_sign(det(&n, p, s), PLI_FILTER_VOLUME * box->volume + box->least);
    sign.is_certain &= magnitude(sign.det) < INFINITY;
    return sign;
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
    Box box = box_around(a, b);
    sides(b, a, &box, a_signs);
    sides(a, b, &box, b_signs);
    Ints a_certain = all_certain(a_signs), b_certain = all_certain(b_signs);
    Ints is_apart = (a_certain & none_differ(a_signs)) | (b_certain & none_differ(b_signs));

    Ints a_turned, b_turned;
    Ints a_negative = apex_first(a_signs, a, &a_turned);
    Ints b_negative = apex_first(b_signs, b, &b_turned);
    Ints turn_a = b_negative ^ a_turned, turn_b = a_negative ^ b_turned;
    swap_corners(turn_a ^ turn_b, &b[1], &b[2]);

    Sign sign1 = side(a[0], a[1], b[0], b[1], &box), sign2 = side(a[0], a[2], b[0], b[2], &box);
    Ints negative1 = negative(sign1.det), negative2 = negative(sign2.det);
    /* Wanted: negative and positive; or positive and negative where a is turned. */
    Ints wrong1 = ~(negative1 ^ turn_a), wrong2 = negative2 ^ turn_a;
    Ints is_certain = a_certain & b_certain;
    is_apart |= is_certain & ((sign1.is_certain & wrong1) | (sign2.is_certain & wrong2));
    Ints is_intersecting = is_certain & sign1.is_certain & sign2.is_certain & ~is_apart;
    return (~(is_apart | is_intersecting) & PLI_UNDECIDED) | (is_intersecting & PLI_INTERSECT);
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

/* What the signs of a triangle's corners say, but for those that are shared; bit `first` of the
 * masks is that of corner 0. */
typedef struct Rest {
    Ints is_beside; /* all are certain to be on one side */
    Ints is_across; /* one alone is shared, and both others are certain */
    Ints is_low;    /* the next corner after a shared one is on the negative side */
    Ints is_nan;    /* of one of them, shared or not, it is no number */
} Rest;

static inline Rest rest_of(const Sign signs[3], Ints shared, int first)
{
    const Ints none = {0};
    Ints is_low = none, is_high = none, is_vague = none, next_is_low = none, count = none;
    Ints is_nan = none;
    for (int i = 0; i < 3; i++) {
        Ints counts = ((shared >> (first + i)) & 1) - 1; /* all ones if it is not shared */
        is_vague |= counts & ~signs[i].is_certain;
        is_nan |= signs[i].det != signs[i].det;
        is_low |= counts & negative(signs[i].det);
        is_high |= counts & ~negative(signs[i].det);
        next_is_low |= ~counts & negative(signs[(i + 1) % 3].det);
        count += counts;
    }
    return (Rest){~(is_vague | (is_low & is_high)), ~is_vague & (count == -2), next_is_low, is_nan};
}

static inline Bytes filter_shared_vector(const float *rows, const uint32_t *pairs,
                                         const uint8_t *shared)
{
    Vec a[3], b[3];
    Sign a_signs[3], b_signs[3];
    Bytes bytes;
    load_corners(rows, pairs, a);
    load_corners(rows, pairs + 1, b);
    memcpy(&bytes, shared, sizeof bytes);
    Ints masks = __builtin_convertvector(bytes, Ints);
    Box box = box_around(a, b);
    sides(b, a, &box, a_signs);
    sides(a, b, &box, b_signs);
    Rest a_rest = rest_of(a_signs, masks, 0), b_rest = rest_of(b_signs, masks, 3);
    Ints is_beside = a_rest.is_beside | b_rest.is_beside;
    Ints is_decided =
        (is_beside | (a_rest.is_across & b_rest.is_across)) & ~(a_rest.is_nan | b_rest.is_nan);
    Ints is_intersecting = is_decided & ~is_beside & (a_rest.is_low ^ b_rest.is_low);
    return __builtin_convertvector(
        (~is_decided & PLI_UNDECIDED) | (is_intersecting & PLI_INTERSECT), Bytes);
}

void PLI_NAME(pli_filter_shared)(const float *rows, const uint32_t *pairs, const uint8_t *shared,
                                 int64_t pair_count, uint8_t *verdicts)
{
    int64_t start = 0;
    for (; start + PLI_LANES <= pair_count; start += PLI_LANES) {
        Bytes bytes = filter_shared_vector(rows, pairs + 2 * start, shared + start);
        memcpy(verdicts + start, &bytes, sizeof bytes);
    }
    int rest = (int)(pair_count - start);
    if (rest == 0)
        return;
    uint32_t padded[2 * PLI_LANES];
    uint8_t masks[PLI_LANES];
    for (int i = 0; i < PLI_LANES; i++) {
        int64_t from = start + (i < rest ? i : rest - 1);
        memcpy(padded + 2 * i, pairs + 2 * from, 2 * sizeof *pairs);
        masks[i] = shared[from];
    }
    Bytes bytes = filter_shared_vector(rows, padded, masks);
    memcpy(verdicts + start, &bytes, (size_t)rest);
}
