/* The float32 filter, in plain C: the reference implementation. See filter.h. */
#include "kernels/kernels.h"

#include <math.h>

/* The box around a pair, as far as the error bounds need it. */
typedef struct Box {
    float extents[3], volume, least; /* X Y Z, V, R */
} Box;

static Box box_around(const float *a, const float *b)
{
    Box box;
    for (int k = 0; k < 3; k++) {
        float low = a[k], high = a[k];
        for (int i = k; i < 9; i += 3) {
            low = a[i] < low ? a[i] : low;
            low = b[i] < low ? b[i] : low;
            high = a[i] > high ? a[i] : high;
            high = b[i] > high ? b[i] : high;
        }
        box.extents[k] = high - low;
    }
    const float *x = box.extents;
    box.volume = (x[0] * x[1]) * x[2];
    box.least = PLI_FILTER_LEAST * (((x[0] + x[1]) + x[2]) + PLI_FILTER_FLOOR);
    return box;
}

/* The sign of a determinant, or 0 if it is not certain. */
static int certain_sign(float det, float bound)
{
    return fabsf(det) > bound ? (det > 0 ? 1 : -1) : 0;
}

/* The products of differences that make up a plane's normal: n = plus - minus. */
typedef struct Normal {
    float plus[3], minus[3];
} Normal;

static Normal normal_of(const float *p, const float *q, const float *r)
{
    float ex = q[0] - p[0], ey = q[1] - p[1], ez = q[2] - p[2];
    float fx = r[0] - p[0], fy = r[1] - p[1], fz = r[2] - p[2];
    return (Normal){{fy * ez, fz * ex, fx * ey}, {fz * ey, fx * ez, fy * ex}};
}

static float det(const Normal *n, const float *p, const float *s)
{
    return ((n->plus[0] - n->minus[0]) * (s[0] - p[0]) +
            (n->plus[1] - n->minus[1]) * (s[1] - p[1])) +
           (n->plus[2] - n->minus[2]) * (s[2] - p[2]);
}

/* The sides of s's corners against the plane of t. Is one of their determinants no number? */
static bool sides(const float *t, const float *s, const Box *box, int signs[3])
{
    Normal n = normal_of(t, t + 3, t + 6);
    float m[3];
    for (int k = 0; k < 3; k++)
        m[k] = fabsf(n.plus[k]) + fabsf(n.minus[k]);
    const float *x = box->extents;
    float permanent = (m[0] * x[0] + m[1] * x[1]) + m[2] * x[2];
    float bound = PLI_FILTER_FLOAT * permanent + box->least;
    bool has_nan = false;
    for (int i = 0; i < 3; i++) {
        float d = det(&n, t, s + 3 * i);
        signs[i] = certain_sign(d, bound);
        has_nan |= isnan(d);
    }
    return has_nan;
}

/* The side of the plane through p, q, r on which s is. */
static int side(const float *p, const float *q, const float *r, const float *s, const Box *box)
{
    Normal n = normal_of(p, q, r);
    float d = det(&n, p, s);
    return fabsf(d) < INFINITY ? certain_sign(d, PLI_FILTER_VOLUME * box->volume + box->least) : 0;
}

static void swap(const float **p, const float **q)
{
    const float *r = *p;
    *p = *q;
    *q = r;
}

/* Brings the corner that is alone on its side to the front, and returns that side. Each swap turns
 * the triangle over, which changes the sides of the other's corners against it: *turned says so. */
static int apex_first(const int signs[3], const float *corners[3], bool *turned)
{
    bool is_1 = signs[0] == signs[2], is_2 = signs[0] == signs[1];
    if (is_1)
        swap(&corners[0], &corners[1]);
    if (is_2)
        swap(&corners[0], &corners[2]);
    *turned = is_1 || is_2;
    return is_1 ? signs[1] : is_2 ? signs[2] : signs[0];
}

/* All six signs are certain, neither row is all on one side: compare the ends of the intervals. */
static uint8_t compare_intervals(const float *a, const int a_signs[3], const float *b,
                                 const int b_signs[3], const Box *box)
{
    const float *p[3] = {a, a + 3, a + 6}, *q[3] = {b, b + 3, b + 6};
    bool a_turned, b_turned;
    int a_side = apex_first(a_signs, p, &a_turned), b_side = apex_first(b_signs, q, &b_turned);
    if (b_turned)
        a_side = -a_side;
    if (a_turned)
        b_side = -b_side;

    /* A triangle is to be turned over if the other's apex is on its negative side. Turning a
     * changes what is wanted of the signs, turning just one changes which ends are compared. */
    bool turn_a = b_side < 0, turn_b = a_side < 0;
    if (turn_a != turn_b)
        swap(&q[1], &q[2]);
    int wanted = turn_a ? 1 : -1;
    int sign1 = side(p[0], p[1], q[0], q[1], box), sign2 = side(p[0], p[2], q[0], q[2], box);
    if (sign1 == -wanted || sign2 == wanted)
        return PLI_APART;
    return sign1 != 0 && sign2 != 0 ? PLI_INTERSECT : PLI_UNDECIDED;
}

static bool all_on_one_side(const int signs[3])
{
    return signs[0] != 0 && signs[0] == signs[1] && signs[0] == signs[2];
}

static bool all_certain(const int signs[3])
{
    return signs[0] != 0 && signs[1] != 0 && signs[2] != 0;
}

static uint8_t filter_pair(const float *a, const float *b)
{
    Box box = box_around(a, b);
    int a_signs[3], b_signs[3];
    sides(b, a, &box, a_signs);
    sides(a, b, &box, b_signs);
    if (all_on_one_side(a_signs) || all_on_one_side(b_signs))
        return PLI_APART;
    if (!all_certain(a_signs) || !all_certain(b_signs))
        return PLI_UNDECIDED;
    return compare_intervals(a, a_signs, b, b_signs, &box);
}

void pli_filter_pairs_c(const float *a, const float *b, const uint32_t *pairs, int64_t pair_count,
                        uint8_t *verdicts)
{
    for (int64_t i = 0; i < pair_count; i++)
        verdicts[i] = filter_pair(a + 9 * (size_t)pairs[2 * i], b + 9 * (size_t)pairs[2 * i + 1]);
}

/* Are those corners that are not shared certain to be on one side? */
static bool rest_on_one_side(const int signs[3], unsigned shared)
{
    int side = 0;
    for (int i = 0; i < 3; i++) {
        if (shared >> i & 1)
            continue;
        if (signs[i] == 0 || signs[i] == -side)
            return false;
        side = signs[i];
    }
    return true;
}

/* If one corner alone is shared: the side of the next, if both others are certain; else 0. */
static int side_of_next(const int signs[3], unsigned shared)
{
    if (shared != 1 && shared != 2 && shared != 4)
        return 0;
    int next = shared == 1 ? 1 : shared == 2 ? 2 : 0;
    return signs[(next + 1) % 3] != 0 ? signs[next] : 0;
}

static uint8_t filter_shared_pair(const float *a, const float *b, unsigned shared)
{
    Box box = box_around(a, b);
    int a_signs[3], b_signs[3];
    bool a_has_nan = sides(b, a, &box, a_signs), b_has_nan = sides(a, b, &box, b_signs);
    if (a_has_nan || b_has_nan) /* of a shared corner, whose sign is not used below */
        return PLI_UNDECIDED;
    if (rest_on_one_side(a_signs, shared & 7) || rest_on_one_side(b_signs, shared >> 3 & 7))
        return PLI_APART;
    int a_side = side_of_next(a_signs, shared & 7), b_side = side_of_next(b_signs, shared >> 3 & 7);
    if (a_side == 0 || b_side == 0)
        return PLI_UNDECIDED;
    return a_side == b_side ? PLI_APART : PLI_INTERSECT;
}

void pli_filter_shared_c(const float *rows, const uint32_t *pairs, const uint8_t *shared,
                         int64_t pair_count, uint8_t *verdicts)
{
    for (int64_t i = 0; i < pair_count; i++)
        verdicts[i] = filter_shared_pair(rows + 9 * (size_t)pairs[2 * i],
                                         rows + 9 * (size_t)pairs[2 * i + 1], shared[i]);
}
