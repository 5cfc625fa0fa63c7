/* Rays against triangles, decided by the library and by the oracle in rational numbers.
 *
 *     test_rays [--rays N] [--seed S]
 *
 * A case is a ray and two triangles, of one of the classes below. Asked: whether the ray hits each,
 * whether the spans hold the parameters, which parameter is less, and of each hit the parameter as
 * float (the nearest), the weights and the side. Before that, big numbers are compared with those
 * of GMP. Ends with 1 at any difference, or if a class has had no hit, no miss, or no exact
 * decision. */
#include "geom/big.h"
#include "geom/ray.h"
#include "oracle_ray.h"
#include "scenes.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(name, what is in it). */
#define CLASSES(X)                                                                                 \
    X(any, "any numbers around one")                                                               \
    X(whole, "small whole numbers: everything is degenerate now and then")                         \
    X(vertex, "through a vertex, by whole numbers")                                                \
    X(edge, "through a point of an edge, by whole numbers")                                        \
    X(plane, "in the plane of a triangle")                                                         \
    X(flat, "triangles without area")                                                              \
    X(start, "from a point of a triangle, or from near one")                                       \
    X(end, "to a point of a triangle, or to near one")                                             \
    X(nudged, "nearly degenerate: one number moved by a unit in the last place")                   \
    X(thin, "thin triangles and far origins")                                                      \
    X(ties, "parameters between two floats")                                                       \
    X(scaled, "axes of different scales, tiny and huge")                                           \
    X(bits, "any bits that are finite numbers")                                                    \
    X(denormal, "a few times the least number")

enum {
#define CLASS_ENUM(name, text) CLASS_##name,
    CLASSES(CLASS_ENUM)
#undef CLASS_ENUM
        CLASS_COUNT
};

static const char *const class_names[] = {
#define CLASS_NAME(name, text) #name,
    CLASSES(CLASS_NAME)
#undef CLASS_NAME
};

typedef struct Case {
    PliRay ray;
    float triangles[2][9];
} Case;

static int64_t difference_count, decision_count;
static int64_t hit_counts[CLASS_COUNT], miss_counts[CLASS_COUNT], exact_counts[CLASS_COUNT];

/* ---- Cases ---------------------------------------------------------------------------------- */

static int whole(SceneRandom *random, int low, int high)
{
    return low + (int)scene_random_below(random, (uint32_t)(high - low + 1));
}

static float around(SceneRandom *random)
{
    return (float)(2 * scene_random(random) - 1);
}

static bool chance(SceneRandom *random, uint32_t one_in)
{
    return scene_random_below(random, one_in) == 0;
}

static float any_bits(SceneRandom *random)
{
    float x;
    do {
        const uint32_t bits = (uint32_t)scene_random_bits(random);
        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x));
    return x;
}

static float *numbers_of(Case *one)
{
    return one->ray.origin;
}

_Static_assert(sizeof(PliRay) == 7 * sizeof(float), "nothing but numbers");
_Static_assert(offsetof(Case, triangles) == sizeof(PliRay), "nothing between");

/* Whole numbers: many are zero. */
static void fill_whole(SceneRandom *random, Case *one, int size)
{
    float *numbers = numbers_of(one);
    for (int i = 0; i < 25; i++)
        numbers[i] = (float)whole(random, -size, size);
    one->ray.max = INFINITY;
}

/* A point of a triangle of which the corners are multiples of four: whole numbers over four. */
static void point_of(SceneRandom *random, const float *t, bool is_on_edge, float *point)
{
    const int corner = whole(random, 0, 2);
    int weights[3] = {0};
    weights[corner] = whole(random, 0, 4);
    weights[(corner + 1) % 3] =
        is_on_edge ? 4 - weights[corner] : whole(random, 0, 4 - weights[corner]);
    weights[(corner + 2) % 3] = 4 - weights[corner] - weights[(corner + 1) % 3];
    for (int k = 0; k < 3; k++)
        point[k] = ((float)weights[0] * t[k] + (float)weights[1] * t[3 + k] +
                    (float)weights[2] * t[6 + k]) /
                   4;
}

/* Products of few bits, or of more than a double has. */
static int any_size(SceneRandom *random)
{
    return chance(random, 2) ? 7 : 1 << 18;
}

/* Two triangles, the second of which often shares an edge or a corner of the first. */
static void fill_neighbors(SceneRandom *random, Case *one, int size)
{
    fill_whole(random, one, size);
    for (int i = 0; i < 18; i++)
        one->triangles[i / 9][i % 9] *= 4;
    if (chance(random, 2))
        memcpy(one->triangles[1], one->triangles[0], (chance(random, 2) ? 3 : 6) * sizeof(float));
}

/* The ray goes through a point, at a parameter that is a power of two. */
static void aim(SceneRandom *random, Case *one, const float *point)
{
    const float scale = chance(random, 2) ? 1 : chance(random, 2) ? 0.25f : 2;
    for (int k = 0; k < 3; k++)
        one->ray.direction[k] = (point[k] - one->ray.origin[k]) * scale;
}

static void nudge(SceneRandom *random, Case *one)
{
    float *numbers = numbers_of(one);
    int at = whole(random, 0, 24);
    at = at == 6 ? 5 : at;
    numbers[at] = nextafterf(numbers[at], chance(random, 2) ? INFINITY : -INFINITY);
}

static void fill_aimed(SceneRandom *random, Case *one, bool is_on_edge, bool is_on_vertex)
{
    float point[3];
    fill_neighbors(random, one, any_size(random));
    point_of(random, one->triangles[0], is_on_edge, point);
    if (is_on_vertex)
        memcpy(point, one->triangles[0] + 3 * whole(random, 0, 2), sizeof point);
    aim(random, one, point);
}

/* Corners of the second triangle and both ends of the ray are in one plane: two whole numbers times
 * two directions, from a point. */
static void fill_plane(SceneRandom *random, Case *one)
{
    float u[3], v[3], p[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (float)whole(random, -3, 3);
        v[k] = (float)whole(random, -3, 3);
        p[k] = (float)whole(random, -9, 9);
    }
    fill_whole(random, one, 5);
    for (int i = 0; i < 8; i++) {
        const float a = (float)whole(random, -4, 4), b = (float)whole(random, -4, 4);
        float *to = i == 0   ? one->ray.origin
                    : i == 1 ? one->ray.direction
                             : one->triangles[0] + 3 * (i - 2);
        for (int k = 0; k < 3; k++)
            to[k] = a * u[k] + b * v[k] + (i == 1 ? 0 : p[k]);
    }
}

static void fill_flat(SceneRandom *random, Case *one)
{
    float u[3];
    fill_whole(random, one, 4);
    for (int j = 0; j < 2; j++) {
        float *t = one->triangles[j];
        for (int k = 0; k < 3; k++)
            u[k] = (float)whole(random, -3, 3);
        for (int i = 1; i < 3; i++) {
            const float a = (float)whole(random, -2, 2);
            for (int k = 0; k < 3; k++)
                t[3 * i + k] = t[k] + a * u[k];
        }
    }
    const float *t = one->triangles[0];
    const bool is_along = chance(random, 2);
    for (int k = 0; k < 3; k++) {
        one->ray.direction[k] = t[3 + k] - (is_along ? t[k] : one->ray.origin[k]);
        if (is_along && chance(random, 4))
            one->ray.origin[k] = t[k] + (float)whole(random, -2, 2) * one->ray.direction[k];
    }
    if (is_along && chance(random, 2))
        for (int k = 0; k < 3; k++)
            one->ray.origin[k] = t[k] - 2 * one->ray.direction[k];
}

static void fill_thin(SceneRandom *random, Case *one)
{
    const double far = chance(random, 2) ? 1e3 : 1e6;
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 3; k++) {
            const double x = around(random), y = around(random), a = scene_random(random);
            one->triangles[j][k] = (float)x;
            one->triangles[j][3 + k] = (float)y;
            one->triangles[j][6 + k] = (float)(x + a * (y - x) + 1e-6 * around(random));
        }
    for (int k = 0; k < 3; k++) {
        const float *t = one->triangles[0];
        one->ray.origin[k] = (float)(far * around(random));
        one->ray.direction[k] = (t[k] + t[3 + k] + t[6 + k]) / 3 - one->ray.origin[k];
    }
    one->ray.max = INFINITY;
}

/* Along an axis, over a distance of 25 bits: triangles across it, one behind the other. */
static void fill_ties(SceneRandom *random, Case *one)
{
    const int axis = whole(random, 0, 2);
    const int step = 2 * whole(random, 0, 9);
    const int distance = chance(random, 2) ? (1 << 24) + step : (1 << 25) - 2 - step;
    fill_whole(random, one, chance(random, 2) ? 3 : 1 << 21);
    for (int k = 0; k < 3; k++) {
        one->ray.direction[k] = k == axis ? -1 : 0;
        one->ray.origin[k] = k == axis ? (float)distance : 0;
    }
    for (int i = 0; i < 6; i++)
        one->triangles[i / 3][3 * (i % 3) + axis] =
            (float)(i < 3 ? whole(random, 0, 1) : whole(random, 1, 2));
}

/* Each axis by a power of two of its own. */
static void scale_axes(SceneRandom *random, Case *one)
{
    float *numbers = numbers_of(one);
    for (int k = 0; k < 3; k++) {
        const float scale = (float)ldexp(1, whole(random, -148, 120));
        for (int i = k; i < 6; i += 3)
            numbers[i] *= scale;
        for (int i = 7 + k; i < 25; i += 3)
            numbers[i] *= scale;
    }
    if (isfinite(one->ray.max))
        one->ray.max *= (float)ldexp(1, whole(random, -20, 20));
}

static void make_case(SceneRandom *random, int kind, Case *one)
{
    float *numbers = numbers_of(one), point[3];
    switch (kind) {
    case CLASS_any:
        for (int i = 0; i < 25; i++)
            numbers[i] = around(random);
        for (int k = 0; k < 3; k++)
            one->ray.origin[k] *= 2;
        one->ray.max = chance(random, 2) ? INFINITY : 2 * (float)scene_random(random);
        break;
    case CLASS_whole:
        fill_whole(random, one, whole(random, 1, 5));
        if (chance(random, 2))
            one->ray.max = (float)whole(random, 0, 6) / 2;
        break;
    case CLASS_vertex:
        fill_aimed(random, one, true, true);
        break;
    case CLASS_edge:
        fill_aimed(random, one, true, false);
        break;
    case CLASS_plane:
        fill_plane(random, one);
        break;
    case CLASS_flat:
        fill_flat(random, one);
        break;
    case CLASS_start:
        fill_neighbors(random, one, any_size(random));
        point_of(random, one->triangles[0], chance(random, 2), one->ray.origin);
        if (chance(random, 3))
            nudge(random, one);
        break;
    case CLASS_end:
        fill_aimed(random, one, chance(random, 2), false);
        one->ray.max = (float)whole(random, 1, 16) / 4;
        if (chance(random, 3))
            one->ray.max = nextafterf(one->ray.max, chance(random, 2) ? INFINITY : 0);
        break;
    case CLASS_nudged:
        make_case(random, whole(random, CLASS_vertex, CLASS_end), one);
        for (int i = whole(random, 1, 3); i > 0; i--)
            nudge(random, one);
        break;
    case CLASS_thin:
        fill_thin(random, one);
        break;
    case CLASS_ties:
        fill_ties(random, one);
        break;
    case CLASS_scaled:
        make_case(random, whole(random, CLASS_any, CLASS_nudged), one);
        scale_axes(random, one);
        break;
    case CLASS_bits:
        for (int i = 0; i < 25; i++)
            numbers[i] = any_bits(random);
        point_of(random, one->triangles[0], chance(random, 2), point);
        for (int k = 0; k < 3 && chance(random, 2); k++)
            one->ray.direction[k] = point[k] - one->ray.origin[k];
        one->ray.max = chance(random, 2) ? INFINITY : fabsf(any_bits(random));
        break;
    default:
        make_case(random, whole(random, CLASS_whole, CLASS_end), one);
        for (int i = 0; i < 25; i++)
            numbers[i] *= i == 6 ? 1 : 0x1p-149f * (float)(1 << whole(random, 0, 2));
        break;
    }
}

/* A ray that the library accepts? */
static bool is_valid(const Case *one)
{
    const PliRay *ray = &one->ray;
    return pli_is_finite(ray->origin, 6) && ray->max >= 0 && pli_is_finite(one->triangles[0], 18) &&
           (ray->direction[0] != 0 || ray->direction[1] != 0 || ray->direction[2] != 0);
}

/* ---- What is asked ------------------------------------------------------------------------- */

static void differ(const char *what, int kind, const Case *one)
{
    const float *numbers = (const float *)one;
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE in %s, class %s:", what, class_names[kind]);
    for (int i = 0; i < 25; i++)
        printf(" %a", (double)numbers[i]);
    printf("\n");
}

static int compare_double(mpq_t t, double x)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_d(other, x);
    const int sign = mpq_cmp(t, other);
    mpq_clear(other);
    return sign;
}

/* Is x the nearest float to t? The ends between two floats are doubles. */
static bool is_nearest(mpq_t t, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const bool is_odd = bits % 2;
    if (isinf(x))
        return compare_double(t, 0x1p128 - 0x1p103) >= 0;
    const double above = x == FLT_MAX ? 0x1p128 : nextafterf(x, INFINITY);
    const double below = x == 0 ? 0 : nextafterf(x, 0);
    const int high = compare_double(t, (above + x) / 2), low = compare_double(t, (below + x) / 2);
    return high < (is_odd ? 0 : 1) && low > (is_odd ? 0 : -1);
}

/* Are the weights those of the point of the ray at t? Corners are seen from the first, so that the
 * sum of the weights does not matter: each may be off by 2^-23. */
static bool are_weights(const PliRay *ray, const float *triangle, mpq_t t, const float *weights)
{
    mpq_t sum, term, wanted, size;
    bool are_right = fabsf((weights[0] + weights[1]) + weights[2] - 1) < 0x1p-20f;
    mpq_inits(sum, term, wanted, size, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(wanted, ray->direction[k]);
        mpq_mul(wanted, wanted, t);
        mpq_set_d(term, ray->origin[k]);
        mpq_add(wanted, wanted, term);
        mpq_set_d(term, triangle[k]);
        mpq_sub(wanted, wanted, term);
        mpq_set_si(size, 0, 1);
        for (int i = 1; i < 3; i++) {
            mpq_set_d(sum, triangle[3 * i + k]);
            mpq_set_d(term, triangle[k]);
            mpq_sub(sum, sum, term);
            mpq_set_d(term, weights[i]);
            mpq_mul(term, term, sum);
            mpq_sub(wanted, wanted, term);
            mpq_abs(sum, sum);
            mpq_add(size, size, sum);
        }
        mpq_set_d(term, 0x1p-23);
        mpq_mul(size, size, term);
        mpq_abs(wanted, wanted);
        are_right &= mpq_cmp(wanted, size) <= 0;
    }
    mpq_clears(sum, term, wanted, size, NULL);
    for (int i = 0; i < 3; i++)
        are_right &= weights[i] >= 0 && weights[i] <= 1;
    return are_right;
}

/* The side by the sign of the normal times the direction, in rational numbers. */
static int side_of(const PliRay *ray, const float *t)
{
    mpq_t edges[2][3], sum, term, product;
    mpq_inits(sum, term, product, NULL);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            mpq_init(edges[i][k]);
            mpq_set_d(edges[i][k], t[3 * i + 3 + k]);
            mpq_set_d(term, t[k]);
            mpq_sub(edges[i][k], edges[i][k], term);
        }
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        mpq_mul(term, edges[0][u], edges[1][v]);
        mpq_mul(product, edges[0][v], edges[1][u]);
        mpq_sub(term, term, product);
        mpq_set_d(product, ray->direction[k]);
        mpq_mul(term, term, product);
        mpq_add(sum, sum, term);
    }
    const int side = -mpq_sgn(sum);
    for (int i = 0; i < 6; i++)
        mpq_clear(edges[i / 3][i % 3]);
    mpq_clears(sum, term, product, NULL);
    return side;
}

static void check_hit(const Case *one, int kind, int which, const PliRaySpan *span, mpq_t t)
{
    const float *triangle = one->triangles[which];
    PliRayPoint point;
    if (compare_double(t, span->low) < 0 || compare_double(t, span->high) > 0)
        differ("the span", kind, one);
    pli_ray_describe(&one->ray, triangle, &point);
    if (!is_nearest(t, point.t))
        differ("the parameter", kind, one);
    if (!are_weights(&one->ray, triangle, t, point.weights))
        differ("the weights", kind, one);
    if (point.side != side_of(&one->ray, triangle))
        differ("the side", kind, one);
}

static void check_case(const Case *one, int kind, mpq_t t[2])
{
    PliRaySpan spans[2];
    PliCounts counts = {0};
    bool are_hit[2];
    for (int i = 0; i < 2; i++) {
        const PliRay *ray = &one->ray;
        const bool is_hit =
            oracle_ray(ray->origin, ray->direction, ray->max, one->triangles[i], t[i]);
        are_hit[i] = pli_ray_hits(ray, one->triangles[i], &spans[i], &counts);
        decision_count++;
        hit_counts[kind] += is_hit;
        miss_counts[kind] += !is_hit;
        if (are_hit[i] != is_hit) {
            differ(is_hit ? "a hit that was missed" : "a hit that is none", kind, one);
            return;
        }
        if (is_hit)
            check_hit(one, kind, i, &spans[i], t[i]);
    }
    exact_counts[kind] += counts.exact3_wide;
    if (!are_hit[0] || !are_hit[1])
        return;
    const int sign = mpq_cmp(t[0], t[1]);
    if (pli_ray_compare(&one->ray, one->triangles[0], &spans[0], one->triangles[1], &spans[1]) !=
        (sign > 0) - (sign < 0))
        differ("the order", kind, one);
}

/* Triangles with a NaN or an infinity are not hit. */
static void check_nonfinite(const Case *one, int kind, SceneRandom *random)
{
    Case other = *one;
    PliRaySpan span;
    PliCounts counts = {0};
    const float odd[3] = {NAN, INFINITY, -INFINITY};
    other.triangles[0][whole(random, 0, 8)] = odd[whole(random, 0, 2)];
    if (pli_ray_hits(&other.ray, other.triangles[0], &span, &counts))
        differ("a triangle that is not finite", kind, &other);
}

/* ---- Big numbers --------------------------------------------------------------------------- */

static void set_rational(mpq_t to, const PliBig *big)
{
    mpz_import(mpq_numref(to), (size_t)big->count, -1, sizeof *big->limbs, 0, 0, big->limbs);
    mpz_set_si(mpq_denref(to), 1);
    if (big->exponent > 0)
        mpq_mul_2exp(to, to, 32 * (mp_bitcnt_t)big->exponent);
    else
        mpq_div_2exp(to, to, 32 * (mp_bitcnt_t)-big->exponent);
    if (big->sign < 0)
        mpq_neg(to, to);
}

static void compare_big(const char *what, const PliBig *big, mpq_t wanted, mpq_t scratch)
{
    set_rational(scratch, big);
    const bool is_trimmed =
        big->count == 0 || (big->limbs[0] != 0 && big->limbs[big->count - 1] != 0);
    if (mpq_equal(scratch, wanted) && is_trimmed && big->sign == mpq_sgn(wanted))
        return;
    if (difference_count++ < 5)
        printf("DIFFERENCE in %s of big numbers\n", what);
}

/* A sum of products of differences, of the greatest degree there is room for: any bits, or the
 * extremes. */
static void check_big(SceneRandom *random, mpq_t numbers[4])
{
    PliBig sum = {0}, product, factor, other;
    const bool is_extreme = chance(random, 4);
    mpq_set_si(numbers[0], 0, 1);
    for (int term = 0; term < 4; term++) {
        pli_big_set(&product, 1);
        mpq_set_si(numbers[1], 1, 1);
        for (int i = 0; i < PLI_BIG_DEGREE; i++) {
            const float x =
                is_extreme ? (chance(random, 2) ? FLT_MAX : -0x1p-149f) : any_bits(random);
            const float y =
                is_extreme ? (chance(random, 2) ? -FLT_MAX : 0x1p-149f) : any_bits(random);
            pli_big_set(&factor, x);
            pli_big_set(&other, y);
            pli_big_subtract(&factor, &factor, &other);
            pli_big_multiply(&product, &product, &factor);
            mpq_set_d(numbers[2], x);
            mpq_set_d(numbers[3], y);
            mpq_sub(numbers[2], numbers[2], numbers[3]);
            mpq_mul(numbers[1], numbers[1], numbers[2]);
        }
        compare_big("a product", &product, numbers[1], numbers[3]);
        if (chance(random, 2)) {
            pli_big_add(&sum, &sum, &product);
            mpq_add(numbers[0], numbers[0], numbers[1]);
        } else {
            pli_big_subtract(&sum, &product, &sum);
            mpq_sub(numbers[0], numbers[1], numbers[0]);
        }
        compare_big("a sum", &sum, numbers[0], numbers[3]);
        const int order = mpq_cmp(numbers[0], numbers[1]);
        if (pli_big_compare(&sum, &product) != (order > 0) - (order < 0))
            difference_count++;
    }
    if (sum.sign == 0 || product.sign == 0)
        return;
    mpq_div(numbers[2], numbers[0], numbers[1]);
    const double wanted = mpq_get_d(numbers[2]);
    if (fabs(wanted) > 0x1p-1000 && fabs(wanted) < 0x1p1000 &&
        fabs(pli_big_ratio(&sum, &product) / wanted - 1) > 0x1p-50) {
        difference_count++;
        printf("DIFFERENCE in a ratio of big numbers\n");
    }
}

static void check_bigs(uint64_t seed, int64_t count)
{
    SceneRandom random = {seed};
    mpq_t numbers[4];
    mpq_inits(numbers[0], numbers[1], numbers[2], numbers[3], NULL);
    for (int64_t i = 0; i < count; i++)
        check_big(&random, numbers);
    mpq_clears(numbers[0], numbers[1], numbers[2], numbers[3], NULL);
}

int main(int argc, char **argv)
{
    int64_t count = 100000;
    uint64_t seed = 1;
    bool is_thorough = true;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--rays") == 0)
            count = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else
            return 2;
    }
    check_bigs(seed, count / 20);
    mpq_t t[2];
    mpq_inits(t[0], t[1], NULL);
    for (int kind = 0; kind < CLASS_COUNT; kind++) {
        SceneRandom random = {seed * 1000 + (uint64_t)kind};
        for (int64_t i = 0; i < count / CLASS_COUNT + 1; i++) {
            Case one = {0};
            do
                make_case(&random, kind, &one);
            while (!is_valid(&one));
            check_case(&one, kind, t);
            check_nonfinite(&one, kind, &random);
        }
        printf("%-10s %9" PRId64 " hits %9" PRId64 " misses %9" PRId64 " exact\n",
               class_names[kind], hit_counts[kind], miss_counts[kind], exact_counts[kind]);
        is_thorough &= hit_counts[kind] > 0 && miss_counts[kind] > 0 &&
                       (exact_counts[kind] > 0 || kind == CLASS_any);
    }
    mpq_clears(t[0], t[1], NULL);
    oracle_ray_release();
    printf("rays: seed %" PRIu64 ", %" PRId64 " decisions, %" PRId64 " differences%s\n", seed,
           decision_count, difference_count, is_thorough ? "" : ", but a class was not reached");
    return difference_count != 0 || !is_thorough;
}
