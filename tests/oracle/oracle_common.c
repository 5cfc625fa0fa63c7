/* The common part of two triangles in rational numbers: see oracle_common.h. */
#include "oracle_common.h"

#include <stdbool.h>

typedef mpq_t Vector[3];

/* What is computed on the way. */
typedef struct Scratch {
    Vector a[3], b[3];
    Vector edges[3], normal, a_normal, across, point;
    mpq_t sides[ORACLE_COMMON_POINTS], offset, term, sum;
    Vector clipped[ORACLE_COMMON_POINTS];
} Scratch;

static void for_each(mpq_t *numbers, size_t count, void (*act)(mpq_ptr))
{
    for (size_t i = 0; i < count; i++)
        act(numbers[i]);
}

static void init_number(mpq_ptr number)
{
    mpq_init(number);
}

static void clear_number(mpq_ptr number)
{
    mpq_clear(number);
}

static void act_on_common(OracleCommon *common, void (*act)(mpq_ptr))
{
    for (int i = 0; i < ORACLE_COMMON_POINTS; i++) {
        for_each(common->points[i], 3, act);
        for_each(common->a_weights[i], 3, act);
        for_each(common->b_weights[i], 3, act);
    }
    act(common->n_cross);
}

static void act_on_scratch(Scratch *scratch, void (*act)(mpq_ptr))
{
    for (int i = 0; i < 3; i++) {
        for_each(scratch->a[i], 3, act);
        for_each(scratch->b[i], 3, act);
        for_each(scratch->edges[i], 3, act);
    }
    for_each(scratch->normal, 3, act);
    for_each(scratch->a_normal, 3, act);
    for_each(scratch->across, 3, act);
    for_each(scratch->point, 3, act);
    for_each(scratch->sides, ORACLE_COMMON_POINTS, act);
    for (int i = 0; i < ORACLE_COMMON_POINTS; i++)
        for_each(scratch->clipped[i], 3, act);
    act(scratch->offset);
    act(scratch->term);
    act(scratch->sum);
}

void oracle_common_init(OracleCommon *common)
{
    common->count = 0;
    act_on_common(common, init_number);
}

void oracle_common_clear(OracleCommon *common)
{
    act_on_common(common, clear_number);
}

/* ---- Vectors -------------------------------------------------------------------------------- */

static void set_vector(Vector v, Vector w)
{
    for (int k = 0; k < 3; k++)
        mpq_set(v[k], w[k]);
}

static void subtract(Vector v, Vector p, Vector q)
{
    for (int k = 0; k < 3; k++)
        mpq_sub(v[k], p[k], q[k]);
}

static void set_dot(mpq_t dot, Vector v, Vector w, mpq_t term)
{
    mpq_mul(dot, v[0], w[0]);
    for (int k = 1; k < 3; k++) {
        mpq_mul(term, v[k], w[k]);
        mpq_add(dot, dot, term);
    }
}

static void set_cross(Vector cross, Vector v, Vector w, mpq_t term)
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        mpq_mul(cross[k], v[i], w[j]);
        mpq_mul(term, v[j], w[i]);
        mpq_sub(cross[k], cross[k], term);
    }
}

static bool is_zero(Vector v)
{
    return mpq_sgn(v[0]) == 0 && mpq_sgn(v[1]) == 0 && mpq_sgn(v[2]) == 0;
}

/* The sides of the triangle, and its normal; false if that is zero. */
static bool find_normal(Scratch *scratch, Vector corners[3])
{
    for (int i = 0; i < 3; i++)
        subtract(scratch->edges[i], corners[(i + 1) % 3], corners[i]);
    set_cross(scratch->normal, scratch->edges[0], scratch->edges[1], scratch->term);
    return !is_zero(scratch->normal);
}

/* The ends of a triangle without area. */
static void find_ends(const float t[9], int *first, int *last)
{
    *first = *last = 0;
    for (int i = 1; i < 3; i++) {
        const float *p = t + 3 * i, *f = t + 3 * *first, *l = t + 3 * *last;
        if (p[0] < f[0] || (p[0] == f[0] && (p[1] < f[1] || (p[1] == f[1] && p[2] < f[2]))))
            *first = i;
        if (p[0] > l[0] || (p[0] == l[0] && (p[1] > l[1] || (p[1] == l[1] && p[2] > l[2]))))
            *last = i;
    }
}

/* ---- Clipping ------------------------------------------------------------------------------- */

/* Keeps what is where normal . x >= normal . origin, or <= if `is_turned`. */
static void clip(OracleCommon *common, Scratch *scratch, Vector normal, Vector origin,
                 bool is_turned)
{
    const int count = common->count;
    int kept = 0;
    set_dot(scratch->offset, normal, origin, scratch->term);
    for (int i = 0; i < count; i++) {
        set_dot(scratch->sum, normal, common->points[i], scratch->term);
        mpq_sub(scratch->sides[i], scratch->sum, scratch->offset);
        if (is_turned)
            mpq_neg(scratch->sides[i], scratch->sides[i]);
    }
    for (int i = 0; i < count; i++) {
        const int next = (i + 1) % count;
        const int side = mpq_sgn(scratch->sides[i]), next_side = mpq_sgn(scratch->sides[next]);
        if (side >= 0)
            set_vector(scratch->clipped[kept++], common->points[i]);
        if (side * next_side >= 0 || (count == 2 && i == 1))
            continue;
        mpq_sub(scratch->sum, scratch->sides[i], scratch->sides[next]);
        mpq_div(scratch->sum, scratch->sides[i], scratch->sum);
        for (int k = 0; k < 3; k++) {
            mpq_sub(scratch->term, common->points[next][k], common->points[i][k]);
            mpq_mul(scratch->term, scratch->term, scratch->sum);
            mpq_add(scratch->clipped[kept][k], common->points[i][k], scratch->term);
        }
        kept++;
    }
    common->count = kept;
    for (int i = 0; i < kept; i++)
        set_vector(common->points[i], scratch->clipped[i]);
}

static void clip_to_triangle(OracleCommon *common, Scratch *scratch)
{
    clip(common, scratch, scratch->normal, scratch->b[0], false);
    clip(common, scratch, scratch->normal, scratch->b[0], true);
    for (int i = 0; i < 3; i++) {
        set_cross(scratch->across, scratch->normal, scratch->edges[i], scratch->term);
        clip(common, scratch, scratch->across, scratch->b[i], false);
    }
}

/* To the line, by the planes through it along each axis, and to the ends. A point has no line: all
 * of its coordinates are those of the point. */
static void clip_to_segment(OracleCommon *common, Scratch *scratch, int first, int last)
{
    Vector *b = scratch->b, *axis = &scratch->across, *direction = &scratch->edges[0];
    subtract(*direction, b[last], b[first]);
    const bool is_point = is_zero(*direction);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++)
            mpq_set_ui((*axis)[j], j == k, 1);
        if (is_point)
            set_vector(scratch->normal, *axis);
        else
            set_cross(scratch->normal, *direction, *axis, scratch->term);
        clip(common, scratch, scratch->normal, b[first], false);
        clip(common, scratch, scratch->normal, b[first], true);
    }
    clip(common, scratch, *direction, b[first], false);
    clip(common, scratch, *direction, b[last], true);
}

/* ---- Weights -------------------------------------------------------------------------------- */

/* Weights of a point of a triangle with area: ((t_i+1 - x) x (t_i+2 - x)) . n / n . n. */
static void set_area_weights(Scratch *scratch, Vector corners[3], Vector x, mpq_t weights[3])
{
    for (int i = 0; i < 3; i++) {
        subtract(scratch->across, corners[(i + 1) % 3], x);
        subtract(scratch->point, corners[(i + 2) % 3], x);
        Vector *cross = &scratch->clipped[0];
        set_cross(*cross, scratch->across, scratch->point, scratch->term);
        set_dot(weights[i], *cross, scratch->normal, scratch->term);
        set_dot(scratch->sum, scratch->normal, scratch->normal, scratch->term);
        mpq_div(weights[i], weights[i], scratch->sum);
    }
}

static void set_segment_weights(Scratch *scratch, Vector corners[3], int first, int last, Vector x,
                                mpq_t weights[3])
{
    for (int i = 0; i < 3; i++)
        mpq_set_ui(weights[i], 0, 1);
    subtract(scratch->across, corners[last], corners[first]);
    mpq_set_ui(weights[first], 1, 1);
    if (is_zero(scratch->across))
        return;
    subtract(scratch->point, x, corners[first]);
    set_dot(weights[last], scratch->point, scratch->across, scratch->term);
    set_dot(scratch->sum, scratch->across, scratch->across, scratch->term);
    mpq_div(weights[last], weights[last], scratch->sum);
    mpq_sub(weights[first], weights[first], weights[last]);
}

static void set_weights(OracleCommon *common, Scratch *scratch, const float *t, Vector corners[3],
                        mpq_t (*weights)[3])
{
    int first, last;
    const bool has_area = find_normal(scratch, corners);
    find_ends(t, &first, &last);
    for (int i = 0; i < common->count; i++)
        if (has_area)
            set_area_weights(scratch, corners, common->points[i], weights[i]);
        else
            set_segment_weights(scratch, corners, first, last, common->points[i], weights[i]);
}

/* ---- Both ----------------------------------------------------------------------------------- */

/* Most pairs that share nothing have boxes that share nothing. */
static bool are_boxes_apart(const float a[9], const float b[9])
{
    for (int k = 0; k < 3; k++)
        for (int turn = 0; turn < 2; turn++) {
            const float *s = turn ? b : a, *t = turn ? a : b;
            const float s0 = s[k], s1 = s[k + 3], s2 = s[k + 6];
            const float high = s0 > s1 ? (s0 > s2 ? s0 : s2) : (s1 > s2 ? s1 : s2);
            if (t[k] > high && t[k + 3] > high && t[k + 6] > high)
                return true;
        }
    return false;
}

static void set_start(OracleCommon *common, Scratch *scratch, const float a[9])
{
    int first, last;
    find_ends(a, &first, &last);
    if (find_normal(scratch, scratch->a)) {
        common->count = 3;
        for (int i = 0; i < 3; i++)
            set_vector(common->points[i], scratch->a[i]);
    } else {
        set_vector(common->points[0], scratch->a[first]);
        set_vector(common->points[1], scratch->a[last]);
        subtract(scratch->across, scratch->a[first], scratch->a[last]);
        common->count = is_zero(scratch->across) ? 1 : 2;
    }
    set_vector(scratch->a_normal, scratch->normal);
}

static void find(OracleCommon *common, Scratch *scratch, const float a[9], const float b[9])
{
    int first, last;
    for (int i = 0; i < 9; i++) {
        mpq_set_d(scratch->a[i / 3][i % 3], (double)a[i]);
        mpq_set_d(scratch->b[i / 3][i % 3], (double)b[i]);
    }
    set_start(common, scratch, a);
    find_ends(b, &first, &last);
    if (find_normal(scratch, scratch->b))
        clip_to_triangle(common, scratch);
    else
        clip_to_segment(common, scratch, first, last);
    if (common->count == 2) {
        find_normal(scratch, scratch->b);
        set_cross(scratch->across, scratch->a_normal, scratch->normal, scratch->term);
        subtract(scratch->point, common->points[1], common->points[0]);
        set_dot(common->n_cross, scratch->across, scratch->point, scratch->term);
    }
    set_weights(common, scratch, a, scratch->a, common->a_weights);
    set_weights(common, scratch, b, scratch->b, common->b_weights);
}

void oracle_common_find(OracleCommon *common, const float a[9], const float b[9])
{
    static Scratch scratch;
    static bool is_ready;
    common->count = 0;
    if (are_boxes_apart(a, b))
        return;
    if (!is_ready)
        act_on_scratch(&scratch, init_number);
    is_ready = true;
    find(common, &scratch, a, b);
}
