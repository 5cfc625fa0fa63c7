/* The pair filter in plain C: the specification of all other versions. See filter.h. */
#include "kernels/filter.h"
#include "kernels/kernels.h"

#include <math.h>

typedef struct Plane {
    float n[3], m[3];
} Plane;

static Plane plane_through(const float *p, const float *q, const float *r)
{
    float ex = q[0] - p[0], ey = q[1] - p[1], ez = q[2] - p[2];
    float fx = r[0] - p[0], fy = r[1] - p[1], fz = r[2] - p[2];
    float fyez = fy * ez, fzey = fz * ey;
    float fzex = fz * ex, fxez = fx * ez;
    float fxey = fx * ey, fyex = fy * ex;
    return (Plane){{fyez - fzey, fzex - fxez, fxey - fyex},
                   {(fabsf(fyez) + fabsf(fzey)) + PLI_FILTER_FLOOR,
                    (fabsf(fzex) + fabsf(fxez)) + PLI_FILTER_FLOOR,
                    (fabsf(fxey) + fabsf(fyex)) + PLI_FILTER_FLOOR}};
}

static float det(const Plane *plane, const float g[3])
{
    return (plane->n[0] * g[0] + plane->n[1] * g[1]) + plane->n[2] * g[2];
}

/* P'' for magnitudes g. */
static float permanent(const Plane *plane, const float g[3])
{
    return (plane->m[0] * g[0] + plane->m[1] * g[1]) + plane->m[2] * g[2];
}

/* The sign of a determinant, or 0 if it is not certain. */
static int sign(float det, float permanent)
{
    if (!(fabsf(det) > PLI_FILTER_FLOAT * permanent + PLI_FILTER_LEAST))
        return 0;
    return det > 0 ? 1 : -1;
}

/* The sides of s's corners against the plane of t; returns their common P''. */
static float sides(const float *t, const float *s, int signs[3])
{
    Plane plane = plane_through(t, t + 3, t + 6);
    float g[3][3], sum[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            g[i][k] = s[3 * i + k] - t[k];
        sum[k] = (fabsf(g[0][k]) + fabsf(g[1][k])) + fabsf(g[2][k]);
    }
    float common = permanent(&plane, sum);
    for (int i = 0; i < 3; i++)
        signs[i] = sign(det(&plane, g[i]), common);
    return common;
}

/* The side of the plane through p, q, r on which s is. */
static int side(const float *p, const float *q, const float *r, const float *s)
{
    Plane plane = plane_through(p, q, r);
    float g[3] = {s[0] - p[0], s[1] - p[1], s[2] - p[2]};
    float magnitudes[3] = {fabsf(g[0]), fabsf(g[1]), fabsf(g[2])};
    return sign(det(&plane, g), permanent(&plane, magnitudes));
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
                                 const int b_signs[3])
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
    int sign1 = side(p[0], p[1], q[0], q[1]), sign2 = side(p[0], p[2], q[0], q[2]);
    if (sign1 == -wanted || sign2 == wanted)
        return PLI_APART;
    return sign1 != 0 && sign2 != 0 ? PLI_MEET : PLI_UNDECIDED;
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
    int a_signs[3], b_signs[3];
    float total = sides(b, a, a_signs);
    sides(a, b, b_signs);
    if (!(total < INFINITY))
        return PLI_UNDECIDED;
    if (all_on_one_side(a_signs) || all_on_one_side(b_signs))
        return PLI_APART;
    if (!all_certain(a_signs) || !all_certain(b_signs))
        return PLI_UNDECIDED;
    return compare_intervals(a, a_signs, b, b_signs);
}

void pli_filter_pairs_c(const float *a, const float *b, const uint32_t *pairs, int64_t pair_count,
                        uint8_t *verdicts)
{
    for (int64_t i = 0; i < pair_count; i++)
        verdicts[i] = filter_pair(a + 9 * (size_t)pairs[2 * i], b + 9 * (size_t)pairs[2 * i + 1]);
}
