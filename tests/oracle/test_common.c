/* Common parts of triangles against rational numbers, over all classes of pairs and
 * planted ones.
 *
 *     test_common [--pairs N] [--seed S] [--every N]
 *
 * Of every pair: there is a point if and only if the triangles intersect; swapped, and with corners
 * in another order, the names are the same and so are the bits of positions and weights. Each N-th
 * pair that intersects (--every, default 8) goes to the oracle, which clips polygons: the number of
 * points, names, order, weights and positions; CGAL, where it is built in, for the points. Ends
 * with 1 at any difference, of which the first few are shown in full. */
#include "geom/common.h"
#include "geom/triangle.h"
#include "oracle_common.h"
#include "pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t difference_count, pair_total, oracle_total, common_total;
static int64_t by_count[PLI_COMMON_POINTS + 1];
static int every = 8;
static mpq_t left, most;
static OracleCommon exact;

static void show_difference(const char *what, const float *a, const float *b)
{
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE %s\n", what);
    for (int i = 0; i < 9; i++)
        printf("%s%a", i ? ", " : "  a ", (double)a[i]);
    for (int i = 0; i < 9; i++)
        printf("%s%a", i ? ", " : "\n  b ", (double)b[i]);
    printf("\n");
}

/* ---- Against the oracle --------------------------------------------------------------------- */

static bool is_within(const mpq_t number, double value, double error)
{
    mpq_set_d(left, value);
    mpq_sub(left, left, number);
    mpq_abs(left, left);
    mpq_set_d(most, error);
    return mpq_cmp(left, most) <= 0;
}

static unsigned bits_of(mpq_t weights[3])
{
    unsigned bits = 0;
    for (int i = 0; i < 3; i++)
        bits |= mpq_sgn(weights[i]) > 0 ? 1U << i : 0;
    return bits;
}

/* The oracle's point with the name of ours, or -1. */
static int find_name(const PliCommonPoint *point)
{
    for (int i = 0; i < exact.count; i++)
        if (bits_of(exact.a_weights[i]) == point->a_corners &&
            bits_of(exact.b_weights[i]) == point->b_corners)
            return i;
    return -1;
}

/* Of one edge along an axis. */
static double edge_error(const float *t, unsigned bits, int k)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 3; i++)
        if (bits >> i & 1) {
            low = fmin(low, (double)t[3 * i + k]);
            high = fmax(high, (double)t[3 * i + k]);
        }
    return low == high ? 0 : 0x1p-28 * (high - low) + 0x1p-52 * fmax(fabs(low), fabs(high));
}

/* A corner is exact. Otherwise there is an edge, or any of two. */
static double position_error(const PliCommonPoint *point, const float *a, const float *b, int k)
{
    const unsigned a_bits = point->a_corners, b_bits = point->b_corners;
    if (!(a_bits & (a_bits - 1)) || !(b_bits & (b_bits - 1)))
        return 0;
    const double a_error = a_bits == 7 ? 0 : edge_error(a, a_bits, k),
                 b_error = b_bits == 7 ? 0 : edge_error(b, b_bits, k);
    return fmax(a_error, b_error);
}

static void check_numbers(const float *a, const float *b, const PliCommonPoint *point, int at)
{
    double sums[2] = {0};
    for (int i = 0; i < 3; i++) {
        if (!is_within(exact.a_weights[at][i], point->a_weights[i], 0x1p-28) ||
            !is_within(exact.b_weights[at][i], point->b_weights[i], 0x1p-28))
            show_difference("weight", a, b);
        if ((point->a_weights[i] != 0 && !(point->a_corners >> i & 1)) ||
            (point->b_weights[i] != 0 && !(point->b_corners >> i & 1)))
            show_difference("weight of no corner", a, b);
        if (!is_within(exact.points[at][i], point->position[i], position_error(point, a, b, i)))
            show_difference("position", a, b);
        sums[0] += point->a_weights[i];
        sums[1] += point->b_weights[i];
    }
    if (fabs(sums[0] - 1) > 0x1p-28 || fabs(sums[1] - 1) > 0x1p-28)
        show_difference("sum of weights", a, b);
}

/* CGAL has as many points, and each of ours is one of them. */
static bool does_cgal_differ(const float *a, const float *b, const PliCommon *common)
{
#ifdef HAS_CGAL
    double points[ORACLE_COMMON_POINTS][3];
    const int count = oracle_cgal_common(a, b, points);
    if (count < 0)
        return false;
    for (int i = 0; i < common->count; i++) {
        const PliCommonPoint *point = &common->points[i];
        bool is_found = false;
        for (int j = 0; j < count && !is_found; j++) {
            is_found = true;
            for (int k = 0; k < 3; k++)
                is_found &= fabs(points[j][k] - point->position[k]) <=
                            position_error(point, a, b, k) + 0x1p-51 * fabs(points[j][k]);
        }
        if (!is_found)
            return true;
    }
    return count != common->count;
#else
    (void)a, (void)b, (void)common;
    return false;
#endif
}

/* `at` are the oracle's numbers of our points. */
static void check_order(const float *a, const float *b, const PliCommon *common, const int *at)
{
    const PliCommonPoint *p = common->points;
    if (common->count == 2) {
        const int sign = mpq_sgn(exact.n_cross) * (at[0] < at[1] ? 1 : -1);
        if (sign < 0 ||
            (sign == 0 && (p[0].a_corners > p[1].a_corners ||
                           (p[0].a_corners == p[1].a_corners && p[0].b_corners > p[1].b_corners))))
            show_difference("order of two", a, b);
    }
    for (int i = 0; i < common->count && common->count > 2; i++)
        if ((at[i] + 1) % common->count != at[(i + 1) % common->count])
            show_difference("order around", a, b);
}

static void check_oracle(const float *a, const float *b, const PliCommon *common)
{
    int at[PLI_COMMON_POINTS];
    oracle_common_find(&exact, a, b);
    oracle_total++;
    if (does_cgal_differ(a, b, common))
        show_difference("cgal", a, b);
    if (exact.count != common->count) {
        show_difference("number of points", a, b);
        return;
    }
    for (int i = 0; i < common->count; i++) {
        at[i] = find_name(&common->points[i]);
        for (int k = 0; k < i; k++)
            if (at[k] == at[i])
                at[i] = -1;
        if (at[i] < 0) {
            show_difference("names", a, b);
            return;
        }
        check_numbers(a, b, &common->points[i], at[i]);
    }
    check_order(a, b, common, at);
}

/* ---- Other orders --------------------------------------------------------------------------- */

static bool is_same_triple(const double *p, const double *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static void check_swapped(const float *a, const float *b, const PliCommon *common)
{
    PliCounts counts = {0};
    PliCommon other;
    pli_triangles_common(b, a, &other, &counts);
    bool is_same = other.count == common->count;
    for (int i = 0; i < common->count && is_same; i++) {
        const PliCommonPoint *p = &common->points[i];
        bool is_found = false;
        for (int k = 0; k < other.count; k++) {
            const PliCommonPoint *q = &other.points[k];
            is_found |= p->a_corners == q->b_corners && p->b_corners == q->a_corners &&
                        is_same_triple(p->a_weights, q->b_weights) &&
                        is_same_triple(p->b_weights, q->a_weights) &&
                        is_same_triple(p->position, q->position);
        }
        is_same = is_found;
    }
    if (!is_same)
        show_difference("swapped", a, b);
}

static void check_turned(const float *a, const float *b, const PliCommon *common,
                         SceneRandom *random)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int *order = orders[scene_random_below(random, 6)];
    float turned[9];
    PliCounts counts = {0};
    PliCommon other;
    for (int i = 0; i < 9; i++)
        turned[i] = a[3 * order[i / 3] + i % 3];
    pli_triangles_common(turned, b, &other, &counts);
    bool is_same = other.count == common->count;
    for (int i = 0; i < common->count && is_same; i++) {
        const PliCommonPoint *p = &common->points[i];
        bool is_found = false;
        for (int k = 0; k < other.count; k++) {
            const PliCommonPoint *q = &other.points[k];
            bool has_found = p->b_corners == q->b_corners &&
                             is_same_triple(p->b_weights, q->b_weights) &&
                             is_same_triple(p->position, q->position);
            for (int j = 0; j < 3; j++) /* of corners at one point, any may have the weight */
                for (int l = 0; l < 3 && has_found; l++)
                    if (q->a_weights[j] > 0 && p->a_weights[l] > 0 &&
                        pli_is_same_point(turned + 3 * j, a + 3 * l))
                        has_found = q->a_weights[j] == p->a_weights[l];
            is_found |= has_found;
        }
        is_same = is_found;
    }
    if (!is_same)
        show_difference("another order of corners", a, b);
}

/* ---- All ------------------------------------------------------------------------------------ */

static void check(const float *a, const float *b, SceneRandom *random, PliCounts *counts)
{
    PliCommon common;
    pli_triangles_common(a, b, &common, counts);
    pair_total++;
    by_count[common.count]++;
    if ((common.count > 0) != pli_triangles_intersect(a, b, counts))
        show_difference("whether they intersect", a, b);
    common_total += common.count > 0;
    check_swapped(a, b, &common);
    check_turned(a, b, &common, random);
    if (common.count > 0 ? common_total % every == 0 : pair_total % (64 * (int64_t)every) == 0)
        check_oracle(a, b, &common);
}

/* Corners at few points of a line or a plane in any direction: segments, points and triangles that
 * share all kinds of faces. */
static void plant_pair(SceneRandom *random, float a[9], float b[9])
{
    int directions[3][3];
    const uint32_t dimensions = 1 + scene_random_below(random, 3);
    for (int i = 0; i < 9; i++)
        directions[i / 3][i % 3] = (int)scene_random_below(random, 7) - 3;
    for (int i = 0; i < 6; i++) {
        int sum[3] = {0};
        for (uint32_t d = 0; d < dimensions; d++) {
            const int steps = (int)scene_random_below(random, d == 2 ? 2 : 5);
            for (int k = 0; k < 3; k++)
                sum[k] += steps * directions[d][k];
        }
        float *corner = i < 3 ? a + 3 * i : b + 3 * (i - 3);
        for (int k = 0; k < 3; k++)
            corner[k] = (float)sum[k];
    }
}

int main(int argc, char **argv)
{
    int64_t pair_count = 100000;
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
    oracle_common_init(&exact);
    mpq_inits(left, most, NULL);
    PliCounts counts = {0};
    for (int c = 0; c <= TEST_PAIR_CLASS_COUNT; c++) {
        const bool are_planted = c == TEST_PAIR_CLASS_COUNT;
        SceneRandom random = {seed * 1000 + (uint64_t)c};
        memset(by_count, 0, sizeof by_count);
        for (int64_t i = 0; i < pair_count / (TEST_PAIR_CLASS_COUNT + 1) + 1; i++) {
            float a[9], b[9];
            if (are_planted)
                plant_pair(&random, a, b);
            else
                test_pair((TestPairClass)c, &random, a, b);
            check(a, b, &random, &counts);
        }
        printf("%-16s", are_planted ? "planted" : test_pair_class_name((TestPairClass)c));
        for (int i = 0; i <= PLI_COMMON_POINTS; i++)
            printf(" %8" PRId64, by_count[i]);
        printf("\n");
    }
    printf("common: seed %" PRIu64 ", %" PRId64 " pairs, %" PRId64 " by the oracle, %" PRId64
           " differences\n",
           seed, pair_total, oracle_total, difference_count);
    mpq_clears(left, most, NULL);
    oracle_common_clear(&exact);
    return difference_count != 0;
}
