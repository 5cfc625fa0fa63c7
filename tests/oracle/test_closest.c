/* Closest points of vertices, triangles and edges against the oracles, over all classes of pairs.
 *
 *     test_closest [--pairs N] [--seed S] [--every N]
 *
 * A pair of features is tested at its distance, as it is returned, or at the float just below or
 * above it: in double, where that is certain, and by integers elsewhere. Each N-th pair, at all
 * three,
 * (--every, default 64) goes to the oracles: GMP for every answer, the distance, which must be
 * within one ulp, and the region; CGAL, where it is built in, for the answers. A further class
 * has planted pairs: their distance is a float by construction, and known. Ends with 1 at any
 * difference, of which the first few are shown in full. */
#include "geom/closest.h"
#include "geom/closest_exact.h"
#include "kernels/kernels.h"
#include "oracle_distance.h"
#include "pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t difference_count, pair_total, oracle_total, dropped_total;
static int every = 64;

/* A vertex and a triangle, or two edges. */
typedef struct Features {
    bool are_edges;
    float a[6], b[9];
} Features;

static int a_count(const Features *f)
{
    return f->are_edges ? 2 : 1;
}

static int b_count(const Features *f)
{
    return f->are_edges ? 2 : 3;
}

static void show_difference(const char *what, const Features *f, float distance)
{
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE %s, %s, distance %a\n", what, f->are_edges ? "edges" : "vertex, triangle",
           (double)distance);
    for (int i = 0; i < 3 * a_count(f); i++)
        printf("%s%a", i ? ", " : "  a ", (double)f->a[i]);
    for (int i = 0; i < 3 * b_count(f); i++)
        printf("%s%a", i ? ", " : "\n  b ", (double)f->b[i]);
    printf("\n");
}

static bool is_near(const Features *f, float distance, PliClosest *closest, PliCounts *counts)
{
    return f->are_edges ? pli_edge_edge_is_near(f->a, f->b, distance, closest, counts)
                        : pli_vertex_triangle_is_near(f->a, f->b, distance, closest, counts);
}

static bool is_near_exactly(const Features *f, float distance, PliClosest *closest)
{
    return f->are_edges ? pli_exact_edge_edge(f->a, f->b, distance, closest)
                        : pli_exact_vertex_triangle(f->a, f->b, distance, closest);
}

/* Does the filter in float32 say that they are farther? */
static bool is_dropped(const Features *f, float distance)
{
    PliCorner corners[2][PLI_FEATURE_CORNERS] = {{{.vertex = 0}}};
    uint32_t left[1 + 16];
    for (int k = 0; k < a_count(f); k++)
        memcpy(corners[0][k].point, f->a + 3 * k, 3 * sizeof *f->a);
    for (int k = 0; k < b_count(f); k++)
        memcpy(corners[1][k].point, f->b + 3 * k, 3 * sizeof *f->b);
    const PliFarPairs pairs = {.features = corners[0],
                               .rows = f->are_edges ? NULL : f->b,
                               .pairs = (const uint32_t[2]){0, f->are_edges},
                               .count = 1,
                               .distance = distance};
    return pli_drop_far_c(&pairs, left) == 0;
}

/* ---- What is asked of one pair ----------------------------------------------------------- */

static bool does_cgal_differ(const Features *f, float distance, int order)
{
#ifdef HAS_CGAL
    const int other = f->are_edges ? oracle_cgal_edge_edge(f->a, f->b, distance)
                                   : oracle_cgal_vertex_triangle(f->a, f->b, distance);
    return other != ORACLE_NONE && other != order;
#else
    (void)f, (void)distance, (void)order;
    return false;
#endif
}

/* The points of a region, without the others. */
static int pick(const float *points, int count, unsigned bits, float *picked)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (bits >> i & 1)
            memcpy(picked + 3 * kept++, points + 3 * i, 3 * sizeof *picked);
    return kept;
}

/* The squared distance of the points of some bits; false if one side has none. */
static bool set_part(const Features *f, unsigned bits, mpq_t square)
{
    float a[6], b[9];
    unsigned ignored;
    const int from_a = pick(f->a, a_count(f), bits, a),
              from_b = pick(f->b, b_count(f), bits >> a_count(f), b);
    if (from_a == 0 || from_b == 0)
        return false;
    oracle_squared_distance(a, from_a, b, from_b, square, &ignored);
    return true;
}

/* The points of the region are as close as all, and no fewer of them are. */
static void check_region(const Features *f, const PliClosest *closest, const mpq_t square,
                         unsigned support)
{
    mpq_t here;
    mpq_init(here);
    if (!f->are_edges && __builtin_popcount(closest->region) != __builtin_popcount(support))
        show_difference("region", f, closest->distance);
    if (!set_part(f, closest->region, here) || mpq_cmp(here, square) != 0)
        show_difference("region is farther", f, closest->distance);
    for (unsigned bit = 1; bit < 16; bit *= 2)
        if ((closest->region & bit) && set_part(f, closest->region & ~bit, here) &&
            mpq_cmp(here, square) == 0)
            show_difference("region is larger than it must be", f, closest->distance);
    mpq_clear(here);
}

static void check_oracles(const Features *f, const PliClosest *closest, const float distances[3],
                          const bool ours[3])
{
    mpq_t square;
    unsigned support;
    mpq_init(square);
    oracle_squared_distance(f->a, a_count(f), f->b, b_count(f), square, &support);
    for (int i = 0; i < 3 && distances[i] < INFINITY; i++) {
        const int order = oracle_compare_distance(square, distances[i]);
        if (ours[i] != (order <= 0))
            show_difference("near, gmp", f, distances[i]);
        if (does_cgal_differ(f, distances[i], order))
            show_difference("near, cgal", f, distances[i]);
    }
    const float up = nextafterf(closest->distance, INFINITY),
                down = nextafterf(closest->distance, 0);
    if (isfinite(up) && oracle_compare_distance(square, up) >= 0)
        show_difference("distance is more than one ulp below", f, closest->distance);
    if (closest->distance > 0 && oracle_compare_distance(square, down) <= 0)
        show_difference("distance is more than one ulp above", f, closest->distance);
    check_region(f, closest, square, support);
    mpq_clear(square);
    oracle_total++;
}

/* Weights add up to 1 and -1, are of the region, and lead from one point to the other. */
static void check_points(const Features *f, const PliClosest *closest)
{
    double sums[2] = {0}, gap[3] = {0}, size = 0, along = 0, length = 0;
    for (int i = 0; i < 4; i++) {
        const int side = i >= a_count(f);
        const float *x = side ? f->b + 3 * (i - a_count(f)) : f->a + 3 * i;
        const double weight = (double)closest->weights[i];
        sums[side] += weight;
        if ((weight != 0 && !(closest->region >> i & 1)) || (side ? weight > 0 : weight < 0))
            show_difference("weight", f, closest->distance);
        for (int k = 0; k < 3; k++) {
            gap[k] += weight * ((double)x[k] - (double)f->b[k]);
            size = fmax(size, fabs((double)x[k] - (double)f->b[k]));
        }
    }
    for (int k = 0; k < 3; k++) {
        along += gap[k] * (double)closest->normal[k];
        length += (double)closest->normal[k] * (double)closest->normal[k];
    }
    const double error = 0x1p-20 * size + 0x1p-20 * (double)closest->distance + 0x1p-149;
    if (fabs(sums[0] - 1) > 0x1p-22 || fabs(sums[1] + 1) > 0x1p-22)
        show_difference("sum of weights", f, closest->distance);
    if (isfinite(closest->distance) && fabs(along - (double)closest->distance) > error)
        show_difference("points", f, closest->distance);
    if (fabs(length - 1) > 0x1p-20 && (closest->distance > 0 || length != 0))
        show_difference("normal", f, closest->distance);
}

static void check(const Features *f, PliCounts *counts)
{
    PliClosest closest, exact;
    pair_total++;
    if (!is_near(f, INFINITY, &closest, counts) || is_dropped(f, INFINITY))
        show_difference("not within infinity", f, INFINITY);
    const float d = closest.distance < INFINITY ? closest.distance : 0x1.fffffep127F;
    const float distances[3] = {nextafterf(d, 0), d, nextafterf(d, INFINITY)};
    const bool are_all = pair_total / 2 % every == 0; /* kinds take turns */
    bool ours[3];
    check_points(f, &closest);
    dropped_total += is_dropped(f, closest.distance / 2);
    for (int i = 0; i < 3; i++) {
        if (!are_all && i != pair_total / 2 % 3)
            continue;
        ours[i] = is_near(f, distances[i], &exact, counts);
        if (ours[i] && (exact.distance != closest.distance || exact.region != closest.region))
            show_difference("another distance or region", f, distances[i]);
        if (ours[i] && is_dropped(f, distances[i]))
            show_difference("near, but dropped", f, distances[i]);
        if (are_all && ours[i] != is_near_exactly(f, distances[i], &exact))
            show_difference("near, integers", f, distances[i]);
    }
    if (are_all)
        check_oracles(f, &closest, distances, ours);
}

static void check_pair(const float *a, const float *b, SceneRandom *random, PliCounts *counts)
{
    Features f = {.are_edges = false};
    memcpy(f.a, a + 3 * scene_random_below(random, 3), 3 * sizeof *a);
    memcpy(f.b, b, 9 * sizeof *b);
    check(&f, counts);
    f = (Features){.are_edges = true};
    const int i = (int)scene_random_below(random, 3), j = (int)scene_random_below(random, 3);
    memcpy(f.a, a + 3 * i, 3 * sizeof *a);
    memcpy(f.a + 3, a + 3 * ((i + 1) % 3), 3 * sizeof *a);
    memcpy(f.b, b + 3 * j, 3 * sizeof *b);
    memcpy(f.b + 3, b + 3 * ((j + 1) % 3), 3 * sizeof *b);
    check(&f, counts);
}

/* ---- Planted pairs --------------------------------------------------------------------------
 *
 * In whole numbers: a vector n of whole length; the point q of b and the point q + k n of a; the
 * points that q is between differ from it by multiples of vectors across n, and all others lie
 * behind.
 */

static const int lengths[][4] = {{1, 2, 2, 3},  {2, 3, 6, 7},  {1, 4, 8, 9}, {4, 4, 7, 9},
                                 {2, 6, 9, 11}, {6, 6, 7, 11}, {0, 3, 4, 5}};

static int between(SceneRandom *random, int low, int high)
{
    return low + (int)scene_random_below(random, (uint32_t)(high - low + 1));
}

/* A vector across n: any, or behind it. `side` is 0, 1 or -1. */
static void vector_across(SceneRandom *random, const int n[3], int side, int v[3])
{
    const int s = between(random, -9, 9), t = between(random, -9, 9), back = between(random, 0, 5);
    const int x[3] = {n[1], -n[0], 0}, y[3] = {n[2], 0, -n[0]}, z[3] = {0, n[2], -n[1]};
    for (int k = 0; k < 3; k++)
        v[k] = s * x[k] + t * y[k] + s * z[k] + side * back * n[k];
}

/* `count` points of a hull whose closest point is q, inside of the first `support` of them. */
static void plant_points(SceneRandom *random, const int q[3], const int n[3], int count,
                         int support, int side, double scale, float *points)
{
    int v[3], sum[3] = {0};
    for (int i = 0; i < count; i++) {
        vector_across(random, n, i < support ? 0 : side, v);
        for (int k = 0; k < 3; k++) {
            /* The last of the support leads back: the others and it sum up to zero. */
            const int here = i < support - 1 ? v[k] : i == support - 1 ? -sum[k] : v[k];
            sum[k] += i < support - 1 ? v[k] : 0;
            points[3 * i + k] = (float)((q[k] + here) * scale);
        }
    }
}

static void check_planted(SceneRandom *random, PliCounts *counts)
{
    const int *quad = lengths[between(random, 0, sizeof lengths / sizeof *lengths - 1)];
    const int turn = between(random, 0, 2), far = between(random, 0, 1000);
    const double scale = ldexp(1, between(random, -60, 60));
    int n[3], q[3], p[3];
    for (int k = 0; k < 3; k++) {
        n[k] = quad[(k + turn) % 3] * (between(random, 0, 1) ? 1 : -1);
        q[k] = between(random, -20000, 20000);
        p[k] = q[k] + far * n[k];
    }
    Features f = {.are_edges = between(random, 0, 1)};
    plant_points(random, p, n, a_count(&f), between(random, 1, a_count(&f)), 1, scale, f.a);
    plant_points(random, q, n, b_count(&f), between(random, 1, b_count(&f)), -1, scale, f.b);
    const float d = (float)(far * quad[3] * scale);
    const float distances[3] = {nextafterf(d, -1), d, nextafterf(d, INFINITY)};
    PliClosest closest = {.distance = -1};
    for (int i = d == 0; i < 3; i++)
        if (is_near(&f, distances[i], &closest, counts) != (i > 0))
            show_difference("planted", &f, distances[i]);
    if (closest.distance != d)
        show_difference("planted distance", &f, d);
    check(&f, counts);
}

int main(int argc, char **argv)
{
    int64_t pair_count = 200000;
    uint64_t seed = 1;
    bool is_usage = true;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pairs") == 0)
            pair_count = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--every") == 0)
            every = atoi(argv[i + 1]);
        else
            is_usage = false;
    }
    if (!is_usage || argc % 2 == 0 || every < 1) {
        fprintf(stderr, "usage: %s [--pairs N] [--seed S] [--every N]\n", argv[0]);
        return 2;
    }
    /* A class has as many as any other, and planted pairs are a fifth of all. */
    const int64_t each = pair_count / (2 * TEST_PAIR_CLASS_COUNT) * 4 / 5 + 1;
    PliCounts counts = {0};
    for (int c = 0; c <= TEST_PAIR_CLASS_COUNT; c++) {
        SceneRandom random = {seed * 1000 + (uint64_t)c};
        const int64_t open = counts.undecided, first = pair_total, dropped = dropped_total;
        const bool are_planted = c == TEST_PAIR_CLASS_COUNT;
        for (int64_t i = 0; i < (are_planted ? pair_count / 5 + 1 : each); i++) {
            float a[9], b[9];
            if (are_planted) {
                check_planted(&random, &counts);
                continue;
            }
            test_pair((TestPairClass)c, &random, a, b);
            check_pair(a, b, &random, &counts);
        }
        printf("%-16s %11" PRId64 " pairs, by integers %5.1f %% of the answers, certainly farther "
               "than half of their distance %5.1f %%\n",
               are_planted ? "planted" : test_pair_class_name((TestPairClass)c), pair_total - first,
               100.0 * (double)(counts.undecided - open) / (2.0 * (double)(pair_total - first)),
               100.0 * (double)(dropped_total - dropped) / (double)(pair_total - first));
    }
    printf("closest: seed %" PRIu64 ", %" PRId64 " pairs, %" PRId64 " by oracles, %" PRId64
           " differences\n",
           seed, pair_total, oracle_total, difference_count);
    return difference_count != 0;
}
