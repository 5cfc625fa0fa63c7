/* The classes of features on straight paths: see sweep_classes.h. */
#include "sweep_classes.h"

#include "pairs.h"

#include <math.h>
#include <string.h>

static const char *const class_names[] = {
#define CLASS_NAME(name, text) #name,
    SWEEP_CLASSES(CLASS_NAME)
#undef CLASS_NAME
};

const char *sweep_class_name(SweepClass sweep_class)
{
    return class_names[sweep_class];
}

/* ---- Small helpers ------------------------------------------------------------------------------
 *
 * As everywhere in this file: one random number a statement, since the order of evaluation within
 * one is the compiler's choice.
 */

enum { POINTS = 4, AXES = 3, NUMBERS = POINTS * AXES };

typedef long Positions[POINTS][AXES];

static long number(Positions x, int i)
{
    return x[i / AXES][i % AXES];
}

static int whole(SceneRandom *random, int low, int high)
{
    return low + (int)scene_random_below(random, (uint32_t)(high - low + 1));
}

static bool chance(SceneRandom *random, int count)
{
    return whole(random, 1, count) == 1;
}

static void whole_numbers(SceneRandom *random, float x[NUMBERS], int low, int high)
{
    for (int i = 0; i < NUMBERS; i++)
        x[i] = (float)whole(random, low, high);
}

static void random_numbers(SceneRandom *random, float x[NUMBERS])
{
    for (int i = 0; i < NUMBERS; i++)
        x[i] = test_random_float(random);
}

static void copy_point(float *to, const float *from)
{
    memcpy(to, from, AXES * sizeof *to);
}

static void whole_vector(SceneRandom *random, int range, long v[AXES])
{
    for (int k = 0; k < AXES; k++)
        v[k] = whole(random, -range, range);
}

static void scale(SweepQuery *q, const int exponents[AXES])
{
    for (int i = 0; i < NUMBERS; i++) {
        q->start[i] = ldexpf(q->start[i], exponents[i % AXES]);
        q->end[i] = ldexpf(q->end[i], exponents[i % AXES]);
    }
}

static void scale_all(SweepQuery *q, int exponent)
{
    scale(q, (const int[AXES]){exponent, exponent, exponent});
}

/* Axes in another order: the answer stays. */
static void turn_axes(SceneRandom *random, SweepQuery *q)
{
    const int turn = whole(random, 0, 2);
    for (int i = 0; i < POINTS; i++) {
        float from[2][AXES];
        copy_point(from[0], q->start + AXES * i);
        copy_point(from[1], q->end + AXES * i);
        for (int k = 0; k < AXES; k++) {
            q->start[AXES * i + k] = from[0][(k + turn) % AXES];
            q->end[AXES * i + k] = from[1][(k + turn) % AXES];
        }
    }
}

static void swap_ends(SweepQuery *q)
{
    for (int i = 0; i < NUMBERS; i++) {
        const float x = q->start[i];
        q->start[i] = q->end[i];
        q->end[i] = x;
    }
}

static void nudge(SceneRandom *random, SweepQuery *q)
{
    const int which = whole(random, 0, NUMBERS - 1);
    float *moved = whole(random, 0, 1) ? q->start + which : q->end + which;
    *moved = nextafterf(*moved, whole(random, 0, 1) ? INFINITY : -INFINITY);
    q->latest = INFINITY;
}

/* ---- Random numbers ---------------------------------------------------------------------- */

static void make_random(SceneRandom *random, SweepQuery *q)
{
    random_numbers(random, q->start);
    random_numbers(random, q->end);
}

static void make_around(SceneRandom *random, SweepQuery *q, const double center[AXES], double size,
                        double step)
{
    for (int i = 0; i < NUMBERS; i++) {
        const double x = center[i % AXES] + size * test_random_float(random);
        q->start[i] = (float)x;
        q->end[i] = (float)(x + step * test_random_float(random));
    }
}

static void make_close(SceneRandom *random, SweepQuery *q)
{
    double center[AXES];
    for (int k = 0; k < AXES; k++)
        center[k] = test_random_float(random);
    make_around(random, q, center, 0.02, ldexp(0.02, -whole(random, 0, 6)));
}

static void make_far(SceneRandom *random, SweepQuery *q)
{
    const double center[AXES] = {1000 * test_random_float(random), 1000, -1000};
    const double size = ldexp(1, whole(random, -13, -6));
    make_around(random, q, center, size, size);
}

/* Two features, each with its own velocity, are at one place at a random time. */
static void make_fast(SceneRandom *random, SweepQuery *q)
{
    const double time = scene_random(random);
    const int a_count = q->are_edges ? 2 : 1;
    double v[2][AXES];
    for (int i = 0; i < 2 * AXES; i++)
        v[i / AXES][i % AXES] = 10 * test_random_float(random);
    for (int i = 0; i < NUMBERS; i++) {
        const double x = 0.1 * test_random_float(random);
        const double step = v[i / AXES >= a_count][i % AXES] + 0.1 * test_random_float(random);
        q->start[i] = (float)(x - time * step);
        q->end[i] = (float)(x + (1 - time) * step);
    }
}

/* Weights of each side that sum up to 1, some of them zero on a border. */
static void random_weights(SceneRandom *random, const SweepQuery *q, bool is_border,
                           double w[POINTS])
{
    const int a_count = q->are_edges ? 2 : 1;
    double sums[2] = {0};
    for (int i = 0; i < POINTS; i++)
        w[i] = 0.01 + scene_random(random);
    if (is_border)
        w[a_count + whole(random, 0, POINTS - a_count - 1)] = 0;
    if (is_border && chance(random, 2))
        w[q->are_edges ? whole(random, 0, 1) : 1] = 0;
    for (int i = 0; i < POINTS; i++)
        sums[i >= a_count] += w[i];
    for (int i = 0; i < POINTS; i++)
        w[i] = sums[i >= a_count] > 0 ? w[i] / sums[i >= a_count] : 1;
}

/* Moves one side at the end so that points with random weights are at one place at some time. */
static void bring_together(SceneRandom *random, SweepQuery *q, bool is_border)
{
    double w[POINTS];
    const double time = 0.01 + 0.99 * scene_random(random);
    const int a_count = q->are_edges ? 2 : 1;
    random_weights(random, q, is_border, w);
    for (int k = 0; k < AXES; k++) {
        double gap = 0;
        for (int i = 0; i < POINTS; i++) {
            const double x = (1 - time) * q->start[AXES * i + k] + time * q->end[AXES * i + k];
            gap += i < a_count ? w[i] * x : -w[i] * x;
        }
        for (int i = 0; i < a_count; i++)
            q->end[AXES * i + k] = (float)(q->end[AXES * i + k] - gap / time);
    }
}

static void make_rounded_kind(SceneRandom *random, SweepQuery *q, bool is_border)
{
    if (chance(random, 3))
        make_close(random, q);
    else
        make_random(random, q);
    bring_together(random, q, is_border);
}

static void make_rounded(SceneRandom *random, SweepQuery *q)
{
    make_rounded_kind(random, q, false);
}

static void make_rounded_border(SceneRandom *random, SweepQuery *q)
{
    make_rounded_kind(random, q, true);
}

static void make_near_coplanar(SceneRandom *random, SweepQuery *q)
{
    double basis[2][3][AXES];
    for (int i = 0; i < 18; i++)
        basis[i / 9][i / 3 % 3][i % 3] = test_random_float(random);
    if (chance(random, 2))
        memcpy(basis[1], basis[0], sizeof basis[1]);
    for (int i = 0; i < 2 * POINTS; i++) {
        const double s = test_random_float(random);
        const double t = test_random_float(random);
        float *x = i < POINTS ? q->start + AXES * i : q->end + AXES * (i - POINTS);
        double(*b)[AXES] = basis[i >= POINTS];
        for (int k = 0; k < AXES; k++)
            x[k] = (float)(b[0][k] + s * b[1][k] + t * b[2][k]);
    }
}

static void make_needles(SceneRandom *random, SweepQuery *q)
{
    if (chance(random, 2))
        make_random(random, q);
    else
        make_rounded(random, q);
    const int ends = whole(random, 1, 3);
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < AXES; k++) {
            float *x = e ? q->end : q->start;
            const int exponent = whole(random, -26, -10);
            if (ends >> e & 1)
                x[2 * AXES + k] = x[3 * AXES + k] + ldexpf(test_random_float(random), exponent);
        }
}

/* ---- Planted in whole numbers ------------------------------------------------------------ */

typedef enum Where { INSIDE, ON_EDGE, IN_VERTEX } Where;

/* Points of one side of which q is between the first `support`. */
static void points_around(SceneRandom *random, const long q[AXES], int count, int support,
                          long x[][AXES])
{
    long v[AXES], sum[AXES] = {0};
    const int first = whole(random, 0, count - 1), range = whole(random, 1, 16);
    for (int n = 0; n < count; n++) {
        long *to = x[(first + n) % count];
        whole_vector(random, range, v);
        for (int k = 0; k < AXES; k++) {
            /* The last of the support leads back: its vector and those of the others sum up to
             * zero. */
            to[k] = q[k] + (n == support - 1 ? -sum[k] : v[k]);
            sum[k] += v[k];
        }
    }
}

/* Weights that are multiples of 1/16: corners are 16 apart. */
static void weighted_points(SceneRandom *random, long q[AXES], int count, int support,
                            long x[][AXES])
{
    int w[3] = {0}, rest = 16;
    const int first = whole(random, 0, count - 1);
    for (int n = 0; n < support; n++) {
        w[n] = n == support - 1 ? rest : whole(random, 1, rest - (support - 1 - n));
        rest -= w[n];
    }
    for (int k = 0; k < AXES; k++) {
        q[k] = 0;
        for (int n = 0; n < count; n++) {
            const long corner = whole(random, -8, 8);
            x[(first + n) % count][k] = 16 * corner;
            q[k] += w[n] * corner;
        }
    }
}

/* Four points that touch. */
static void touching_points(SceneRandom *random, bool are_edges, Where where, Positions x)
{
    const int a_count = are_edges ? 2 : 1, b_count = POINTS - a_count;
    const int off_b = where == INSIDE ? 0 : are_edges ? 1 : (int)where;
    const int off_a = are_edges && where == IN_VERTEX ? 1 : 0;
    long q[AXES];
    if (chance(random, 2)) {
        weighted_points(random, q, b_count, b_count - off_b, x + a_count);
    } else {
        whole_vector(random, 64, q);
        points_around(random, q, b_count, b_count - off_b, x + a_count);
    }
    if (are_edges)
        points_around(random, q, a_count, a_count - off_a, x);
    else
        memcpy(x[0], q, sizeof q);
}

/* The greatest float that is not above k / n. */
static float fraction(int k, int n)
{
    const float near = (float)((double)k / n);
    return (double)near * n > k ? nextafterf(near, 0) : near;
}

/* Points that are at x at time k / n, and pass it with these velocities. */
static void set_passing(SweepQuery *q, Positions x, Positions v, int k, int n)
{
    for (int i = 0; i < NUMBERS; i++) {
        const long at = number(x, i), step = number(v, i);
        q->start[i] = (float)(at - k * step);
        q->end[i] = (float)(at + (n - k) * step);
    }
}

static void random_velocities(SceneRandom *random, Positions v)
{
    const int range = 1 << whole(random, 0, 8), kind = whole(random, 0, 5);
    for (int i = 0; i < POINTS; i++)
        whole_vector(random, range, v[i]);
    if (kind == 0) /* only one point moves */
        memset(v[1], 0, 3 * sizeof v[1]);
    if (kind == 1) /* along one axis */
        for (int i = 0; i < POINTS; i++)
            v[i][1] = v[i][2] = 0;
    if (kind == 2) /* few small velocities, often the same */
        for (int i = 0; i < NUMBERS; i++)
            v[i / AXES][i % AXES] /= range;
}

static int random_denominator(SceneRandom *random)
{
    return chance(random, 3) ? whole(random, 1, 100) : 1 << whole(random, 0, 8);
}

static void plant(SceneRandom *random, SweepQuery *q, Where where, int k, int n)
{
    Positions x, v;
    touching_points(random, q->are_edges, where, x);
    random_velocities(random, v);
    set_passing(q, x, v, k, n);
    q->latest = fraction(k, n);
    if (chance(random, 4))
        scale_all(q, whole(random, -60, 60));
}

static void plant_any_time(SceneRandom *random, SweepQuery *q, Where where)
{
    const int n = random_denominator(random);
    plant(random, q, where, whole(random, 0, n), n);
}

static void make_planted(SceneRandom *random, SweepQuery *q)
{
    plant_any_time(random, q, INSIDE);
}

static void make_planted_edge(SceneRandom *random, SweepQuery *q)
{
    plant_any_time(random, q, ON_EDGE);
}

static void make_planted_vertex(SceneRandom *random, SweepQuery *q)
{
    plant_any_time(random, q, IN_VERTEX);
}

static void make_planted_far(SceneRandom *random, SweepQuery *q)
{
    const int n = 1 << whole(random, 0, 5), k = whole(random, 0, n);
    Positions x, v;
    long away[AXES];
    touching_points(random, q->are_edges, (Where)whole(random, 0, 2), x);
    random_velocities(random, v);
    whole_vector(random, 1 << 23, away);
    for (int i = 0; i < NUMBERS; i++)
        x[i / AXES][i % AXES] += away[i % AXES];
    set_passing(q, x, v, k, n);
    q->latest = fraction(k, n);
}

static void make_nudged(SceneRandom *random, SweepQuery *q)
{
    plant_any_time(random, q, (Where)whole(random, 0, 2));
    nudge(random, q);
}

/* A coordinate that starts at zero is at x at time 2^-m if it ends at x 2^m, which is exact. */
static void make_early(SceneRandom *random, SweepQuery *q)
{
    Positions x;
    const int m = whole(random, 0, 200), highest = m < 114 ? 4 : 118 - m;
    const int unit = whole(random, highest - 50, highest);
    touching_points(random, q->are_edges, (Where)whole(random, 0, 2), x);
    for (int i = 0; i < NUMBERS; i++) {
        const float at = ldexpf((float)number(x, i), unit);
        const bool is_moving = chance(random, 3);
        q->start[i] = is_moving ? 0 : at;
        q->end[i] = is_moving ? ldexpf(at, m) : at;
    }
    q->latest = m > 149 ? 0 : ldexpf(1, -m);
    if (chance(random, 4))
        nudge(random, q);
}

static void make_at_start(SceneRandom *random, SweepQuery *q)
{
    const int n = random_denominator(random);
    plant(random, q, (Where)whole(random, 0, 2), 0, n);
}

static void make_at_end(SceneRandom *random, SweepQuery *q)
{
    const int n = random_denominator(random);
    plant(random, q, (Where)whole(random, 0, 2), n, n);
}

static void make_collapse(SceneRandom *random, SweepQuery *q)
{
    Positions x, v;
    long o[AXES], d[AXES];
    const int n = random_denominator(random), k = whole(random, 0, n), range = whole(random, 0, 4);
    whole_vector(random, 8, o);
    whole_vector(random, 2, d);
    for (int i = 0; i < POINTS; i++) {
        const int at = whole(random, -range, range);
        for (int axis = 0; axis < AXES; axis++)
            x[i][axis] = o[axis] + at * d[axis];
    }
    random_velocities(random, v);
    set_passing(q, x, v, k, n);
}

/* ---- Small whole numbers ----------------------------------------------------------------- */

static void make_grid(SceneRandom *random, SweepQuery *q, int low, int high)
{
    whole_numbers(random, q->start, low, high);
    whole_numbers(random, q->end, low, high);
}

static void make_grid_1(SceneRandom *random, SweepQuery *q)
{
    make_grid(random, q, -1, 1);
}

static void make_grid_2(SceneRandom *random, SweepQuery *q)
{
    make_grid(random, q, -2, 2);
}

static void make_grid_3(SceneRandom *random, SweepQuery *q)
{
    make_grid(random, q, -3, 3);
}

static void make_grid_9(SceneRandom *random, SweepQuery *q)
{
    make_grid(random, q, 0, whole(random, 1, 9));
}

static void make_grid_one(SceneRandom *random, SweepQuery *q)
{
    const int range = whole(random, 1, 4), moving = whole(random, 0, 3);
    float end[AXES];
    make_grid(random, q, -range, range);
    copy_point(end, q->end + AXES * moving);
    memcpy(q->end, q->start, sizeof q->end);
    copy_point(q->end + AXES * moving, end);
}

static void make_grid_axis(SceneRandom *random, SweepQuery *q)
{
    const int range = whole(random, 1, 4), axis = whole(random, 0, 2);
    make_grid(random, q, -range, range);
    for (int i = 0; i < NUMBERS; i++)
        if (i % AXES != axis)
            q->end[i] = q->start[i];
}

static void make_grid_border(SceneRandom *random, SweepQuery *q)
{
    const int range = whole(random, 1, 4);
    make_grid(random, q, -range, range);
    const float height = (float)whole(random, -1, 1);
    for (int i = 0; i < NUMBERS; i += AXES)
        q->start[i] = height;
    turn_axes(random, q);
    if (chance(random, 2))
        swap_ends(q);
}

static void make_grid_swap(SceneRandom *random, SweepQuery *q)
{
    const int range = whole(random, 1, 4);
    make_grid(random, q, -range, range);
    for (int i = 0; i < POINTS; i++)
        if (!chance(random, 4))
            copy_point(q->end + AXES * i, q->start + AXES * whole(random, 0, 3));
}

/* Times of touches are then floats or fractions, but for 2^-20 to 2^-149, or touches are lost. */
static void make_grid_beside(SceneRandom *random, SweepQuery *q)
{
    const int range = whole(random, 1, 2), count = whole(random, 2, 4);
    make_grid(random, q, -range, range);
    if (chance(random, 2))
        memcpy(q->end + AXES, q->start + AXES, (NUMBERS - AXES) * sizeof *q->end);
    for (int i = 0; i < 2 * NUMBERS; i++) {
        float *x = i < NUMBERS ? &q->start[i] : &q->end[i - NUMBERS];
        const float tiny = ldexpf(1, -whole(random, 20, 149));
        if (*x == 0 && chance(random, count))
            *x = whole(random, 0, 1) ? tiny : -tiny;
    }
}

/* ---- In one plane or on one line throughout ---------------------------------------------- */

static void flatten(SceneRandom *random, SweepQuery *q)
{
    const float low = (float)whole(random, -2, 2);
    const float high = chance(random, 2) ? low : (float)whole(random, -2, 2);
    for (int i = 0; i < NUMBERS; i += AXES) {
        q->start[i] = low;
        q->end[i] = high;
    }
    turn_axes(random, q);
}

static void make_coplanar_axis(SceneRandom *random, SweepQuery *q)
{
    const int range = whole(random, 1, 5);
    make_grid(random, q, -range, range);
    flatten(random, q);
}

static void make_coplanar_random(SceneRandom *random, SweepQuery *q)
{
    if (chance(random, 2))
        make_random(random, q);
    else
        make_rounded(random, q);
    flatten(random, q);
}

/* Sets points to o + s u + t v, where (s, t) are given for each. */
static void set_in_plane(float x[NUMBERS], const long o[AXES], const long u[AXES],
                         const long v[AXES], int st[POINTS][2])
{
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < AXES; k++)
            x[AXES * i + k] = (float)(o[k] + st[i][0] * u[k] + st[i][1] * v[k]);
}

static void random_places(SceneRandom *random, int steps, int st[POINTS][2])
{
    for (int i = 0; i < 2 * POINTS; i++)
        st[i / 2][i % 2] = whole(random, -steps, steps);
}

static void make_coplanar(SceneRandom *random, SweepQuery *q)
{
    const int range = chance(random, 2) ? 9 : 999, steps = whole(random, 1, 6);
    long o[AXES], end[AXES], u[AXES], v[AXES];
    int st[POINTS][2];
    whole_vector(random, range, o);
    whole_vector(random, range, end);
    whole_vector(random, range, u);
    whole_vector(random, range, v);
    random_places(random, steps, st);
    set_in_plane(q->start, o, u, v, st);
    random_places(random, steps, st);
    set_in_plane(q->end, chance(random, 2) ? o : end, u, v, st);
}

static void make_coplanar_turning(SceneRandom *random, SweepQuery *q)
{
    const int range = chance(random, 2) ? 2 : 9;
    long o[AXES], u[AXES], v[AXES];
    int st[POINTS][2];
    random_places(random, whole(random, 1, 4), st);
    for (int e = 0; e < 2; e++) {
        whole_vector(random, range, o);
        whole_vector(random, range, u);
        whole_vector(random, range, v);
        set_in_plane(e ? q->end : q->start, o, u, v, st);
    }
}

static void make_collinear(SceneRandom *random, SweepQuery *q)
{
    const bool are_fixed = chance(random, 3); /* the line turns, and points stay on it */
    const int steps = whole(random, 1, 8);
    long o[AXES], u[AXES], v[AXES] = {0};
    int st[POINTS][2];
    random_places(random, steps, st);
    whole_vector(random, 3, u);
    for (int e = 0; e < 2; e++) {
        whole_vector(random, 3, o);
        if (are_fixed)
            whole_vector(random, 3, u);
        else
            random_places(random, steps, st);
        set_in_plane(e ? q->end : q->start, o, u, v, st);
    }
}

static void make_parallel(SceneRandom *random, SweepQuery *q)
{
    const int range = whole(random, 1, 4);
    long d[AXES];
    make_grid(random, q, -range, range);
    whole_vector(random, 2, d);
    for (int e = 0; e < 2; e++) {
        float *x = e ? q->end : q->start;
        if (chance(random, 3))
            whole_vector(random, 2, d);
        const int length = whole(random, -3, 3), other = whole(random, -3, 3);
        for (int k = 0; k < AXES; k++) {
            x[AXES + k] = x[k] + (float)(length * d[k]);
            x[3 * AXES + k] = x[2 * AXES + k] + (float)(other * d[k]);
        }
    }
}

/* Copies a point to another at the start, at the end or at both. */
static void join(SceneRandom *random, SweepQuery *q, int to, int from)
{
    const int ends = whole(random, 1, 3);
    if (ends & 1)
        copy_point(q->start + AXES * to, q->start + AXES * from);
    if (ends & 2)
        copy_point(q->end + AXES * to, q->end + AXES * from);
}

static void make_base(SceneRandom *random, SweepQuery *q)
{
    if (chance(random, 3))
        make_random(random, q);
    else
        make_grid_3(random, q);
}

static void make_zero_size(SceneRandom *random, SweepQuery *q)
{
    if (chance(random, 2))
        make_grid_1(random, q);
    else
        make_base(random, q);
    join(random, q, 3, 2);
    if (chance(random, 2))
        join(random, q, 1, q->are_edges ? 0 : 2);
}

static void make_common_vertex(SceneRandom *random, SweepQuery *q)
{
    make_base(random, q);
    const int a = q->are_edges ? whole(random, 0, 1) : 0, b = whole(random, 0, 1);
    join(random, q, 2 + b, a);
}

/* Sets the start to features that touch, or to those of two triangles of any class. */
static void start_anywhere(SceneRandom *random, SweepQuery *q)
{
    const int a_count = q->are_edges ? 2 : 1;
    Positions x;
    float a[9], b[9];
    if (chance(random, 3)) {
        touching_points(random, q->are_edges, (Where)whole(random, 0, 2), x);
        for (int i = 0; i < NUMBERS; i++)
            q->start[i] = (float)number(x, i);
        return;
    }
    test_pair((TestPairClass)whole(random, 0, TEST_PAIR_CLASS_COUNT - 1), random, a, b);
    memcpy(q->start, a, (size_t)a_count * AXES * sizeof *a);
    memcpy(q->start + AXES * a_count, b, (size_t)(POINTS - a_count) * AXES * sizeof *b);
}

static void make_stationary(SceneRandom *random, SweepQuery *q)
{
    start_anywhere(random, q);
    memcpy(q->end, q->start, sizeof q->end);
}

/* Does adding a vector to the start leave the plain numbers? */
static bool are_far(const SweepQuery *q)
{
    bool are = false;
    for (int i = 0; i < NUMBERS; i++)
        are |= fabsf(q->start[i]) > 0x1p20F;
    return are;
}

static void make_comoving(SceneRandom *random, SweepQuery *q)
{
    const bool are_whole = chance(random, 2);
    float v[AXES];
    do
        start_anywhere(random, q);
    while (are_far(q));
    for (int k = 0; k < AXES; k++) {
        v[k] = 4 * test_random_float(random);
        if (are_whole)
            v[k] = (float)whole(random, -9, 9);
    }
    for (int i = 0; i < NUMBERS; i++)
        q->end[i] = q->start[i] + v[i % AXES];
}

/* ---- Roots that are given --------------------------------------------------------------------
 *
 * From a corner of the triangle, or end of an edge, lead the vectors (u(t), 0, 0) and (0, m, g(t)),
 * and to the vertex (x(t), m t, z(t)). The volume is m u(t) (z(t) - t g(t)). With
 *     g(t) = a + b n^2 t,   z(t) = -b k l + (a + b n (k + l)) t
 * it is -m b u(t) (n t - k) (n t - l). For edges, the signs of m t and z(t) are the other way
 * round.
 */

static void set_roots(SceneRandom *random, SweepQuery *q, int n, int k, int l)
{
    const int b = whole(random, 0, 1) ? whole(random, 1, 2) : -1;
    const int a = whole(random, -n, n), m = whole(random, 1, 8);
    const int shear = whole(random, -1, 1), other_shear = whole(random, -1, 1);
    const int sign = q->are_edges ? -1 : 1;
    for (int t = 0; t < 2; t++) {
        long o[AXES], points[POINTS][AXES];
        float *to = t ? q->end : q->start;
        whole_vector(random, 64, o);
        const long u[AXES] = {whole(random, t ? -32 : 1, 32)};
        const long v[AXES] = {0, m, a + (long)b * n * n * t};
        const long z = -(long)b * k * l + (a + (long)b * n * (k + l)) * t;
        const long w[AXES] = {whole(random, -4, 32), (long)sign * m * t, sign * z};
        for (int i = 0; i < AXES; i++) {
            points[q->are_edges ? 0 : 1][i] = o[i];
            points[q->are_edges ? 1 : 2][i] = o[i] + u[i];
            points[q->are_edges ? 2 : 0][i] = o[i] + w[i];
            points[3][i] = o[i] + v[i] + (q->are_edges ? w[i] : 0);
        }
        for (int i = 0; i < POINTS; i++) {
            points[i][0] += shear * points[i][1];
            points[i][1] += other_shear * points[i][2];
            for (int axis = 0; axis < AXES; axis++)
                to[AXES * i + axis] = (float)points[i][axis];
        }
    }
    turn_axes(random, q);
    if (chance(random, 2))
        swap_ends(q);
}

static void make_grazing(SceneRandom *random, SweepQuery *q)
{
    const int n = chance(random, 2) ? whole(random, 1, 16) : whole(random, 1, 1000);
    const int k = whole(random, 0, n);
    set_roots(random, q, n, k, k);
    if (chance(random, 2))
        nudge(random, q);
}

static void make_close_roots(SceneRandom *random, SweepQuery *q)
{
    const int n = whole(random, 100, 1000), k = whole(random, -1, n);
    set_roots(random, q, n, k, k + whole(random, 1, 2));
}

static void make_three_roots(SceneRandom *random, SweepQuery *q)
{
    const int n = whole(random, 1, 32), k = whole(random, 0, n);
    set_roots(random, q, n, k, whole(random, 0, n));
}

/* ---- All exponents ----------------------------------------------------------------------- */

static void make_bits(SceneRandom *random, SweepQuery *q)
{
    for (int i = 0; i < NUMBERS; i++) {
        q->start[i] = test_random_bits_float(random);
        q->end[i] = test_random_bits_float(random);
    }
}

static void make_diagonal(SceneRandom *random, SweepQuery *q)
{
    const int window = whole(random, 4, 44), axes = chance(random, 4) ? 3 : 2;
    make_bits(random, q);
    if (chance(random, 2))
        for (int i = 0; i < 2 * NUMBERS; i++) {
            const float mantissa = test_random_float(random);
            *(i < NUMBERS ? &q->start[i] : &q->end[i - NUMBERS]) =
                ldexpf(mantissa, whole(random, -window / 2, window / 2));
        }
    for (int i = 0; i < NUMBERS; i += AXES)
        for (int k = 1; k < axes; k++) {
            q->start[i + k] = q->start[i];
            q->end[i + k] = q->end[i];
        }
    if (chance(random, 3))
        nudge(random, q);
}

static void make_huge(SceneRandom *random, SweepQuery *q)
{
    make_base(random, q);
    scale_all(q, 125);
}

static void make_tiny(SceneRandom *random, SweepQuery *q)
{
    const int size = 1 << whole(random, 0, 5);
    make_grid(random, q, -size, size);
    scale_all(q, -149);
}

static void make_small(SceneRandom *random, SweepQuery *q)
{
    if (chance(random, 2))
        make_close(random, q);
    else
        make_rounded(random, q);
    scale_all(q, whole(random, -60, -30));
}

static void make_sizes(SceneRandom *random, SweepQuery *q)
{
    const float size = ldexpf(1, -whole(random, 4, 30));
    make_random(random, q);
    for (int i = 3 * AXES; i < NUMBERS; i++) { /* the last edge, or two corners of the triangle */
        q->start[i] = q->start[i - AXES] + size * q->start[i];
        q->end[i] = q->end[i - AXES] + size * q->end[i];
    }
    if (!q->are_edges)
        for (int i = AXES; i < 2 * AXES; i++) {
            q->start[i] = q->start[i + AXES] + size * q->start[i];
            q->end[i] = q->end[i + AXES] + size * q->end[i];
        }
    bring_together(random, q, chance(random, 2));
}

static void make_special(SceneRandom *random, SweepQuery *q)
{
    static const float special[] = {0,
                                    1,
                                    2,
                                    3,
                                    -0.0F,
                                    0x1p-149F,
                                    0x1p-126F,
                                    0x1.fffffep-127F,
                                    0x1p-75F,
                                    0x1p-50F,
                                    0x1p-24F,
                                    0x1p64F,
                                    0x1p100F,
                                    0x1.8p127F,
                                    0x1.fffffep127F};
    const int count = whole(random, 2, sizeof special / sizeof *special);
    for (int i = 0; i < 2 * NUMBERS; i++) {
        const float x = special[whole(random, 0, count - 1)];
        *(i < NUMBERS ? &q->start[i] : &q->end[i - NUMBERS]) = whole(random, 0, 1) ? -x : x;
    }
}

static bool is_finite(const SweepQuery *q)
{
    bool is = true;
    for (int i = 0; i < NUMBERS; i++)
        is &= isfinite(q->start[i]) && isfinite(q->end[i]);
    return is;
}

static void make_scaled(SceneRandom *random, SweepQuery *q)
{
    int exponents[AXES];
    do {
        sweep_query((SweepClass)whole(random, SWEEP_random, SWEEP_three_roots), random, q);
        for (int k = 0; k < AXES; k++)
            exponents[k] = whole(random, -120, 90);
        scale(q, exponents);
    } while (!is_finite(q));
    q->latest = INFINITY; /* of what was rounded, only some touches are left */
}

static void make_nonfinite(SceneRandom *random, SweepQuery *q)
{
    static const float values[] = {NAN, INFINITY, -INFINITY};
    sweep_query((SweepClass)whole(random, SWEEP_random, SWEEP_scaled), random, q);
    const int i = whole(random, 0, 2 * NUMBERS - 1);
    *(i < NUMBERS ? &q->start[i] : &q->end[i - NUMBERS]) = values[whole(random, 0, 2)];
    q->latest = INFINITY;
}

void sweep_query(SweepClass sweep_class, SceneRandom *random, SweepQuery *query)
{
    static void (*const makers[])(SceneRandom *, SweepQuery *) = {
#define CLASS_MAKER(name, text) make_##name,
        SWEEP_CLASSES(CLASS_MAKER)
#undef CLASS_MAKER
    };
    query->are_edges = scene_random_below(random, 2) == 1;
    query->latest = INFINITY;
    makers[sweep_class](random, query);
}
