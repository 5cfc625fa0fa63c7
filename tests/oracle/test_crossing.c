/* Where edges go through triangles against rational numbers, over all classes of pairs.
 *
 *     test_crossing [--pairs N] [--seed S]
 *
 * Each edge of each pair of triangles that intersects the other triangle is compared: weights and
 * position must be within their bounds of the exact ones, and the same bits for every order of the
 * corners. Ends with 1 at any difference, of which the first few are shown in full. */
#include "geom/crossing.h"
#include "oracle_common.h"
#include "pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t difference_count, edge_total, flat_total;
static mpq_t left, most;
static OracleCommon common;

static void show_difference(const char *what, const float *edge, const float *t)
{
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE %s\n", what);
    for (int i = 0; i < 6; i++)
        printf("%s%a", i ? ", " : "  edge ", (double)edge[i]);
    for (int i = 0; i < 9; i++)
        printf("%s%a", i ? ", " : "\n  triangle ", (double)t[i]);
    printf("\n");
}

/* |exact - value| < error? */
static bool is_within(const mpq_t exact, double value, double error)
{
    mpq_set_d(left, value);
    mpq_sub(left, left, exact);
    mpq_abs(left, left);
    mpq_set_d(most, error);
    return mpq_cmp(left, most) < 0;
}

/* The first point in lexicographic order. */
static int first_point(void)
{
    int first = 0;
    for (int i = 1; i < common.count; i++) {
        int k = 0, order = 0;
        while (k < 3 && order == 0) {
            order = mpq_cmp(common.points[i][k], common.points[first][k]);
            k++;
        }
        if (order < 0)
            first = i;
    }
    return first;
}

static void check_numbers(const float *edge, const float *t, const PliCrossing *crossing)
{
    const int at = first_point();
    if (!is_within(common.a_weights[at][1], crossing->edge_weight, 0x1p-28))
        show_difference("edge weight", edge, t);
    if (!(crossing->edge_weight >= 0 && crossing->edge_weight <= 1))
        show_difference("edge weight is outside", edge, t);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double weight = crossing->weights[i];
        sum += weight;
        if (!is_within(common.b_weights[at][i], weight, 0x1p-28))
            show_difference("weight", edge, t);
        if (!(weight >= 0 && weight <= 1))
            show_difference("weight is outside", edge, t);
    }
    if (fabs(sum - 1) > 0x1p-28)
        show_difference("sum of weights", edge, t);
    for (int k = 0; k < 3; k++) {
        const double p = (double)edge[k], q = (double)edge[3 + k];
        const double error = 0x1p-28 * fabs(q - p) + 0x1p-52 * fmax(fabs(p), fabs(q));
        if (p == q ? crossing->position[k] != p
                   : !is_within(common.points[at][k], crossing->position[k], error))
            show_difference("position", edge, t);
    }
}

/* With other orders of the corners: the same bits. */
static void check_orders(const float *edge, const float *t, const PliCrossing *crossing)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int i = 0; i < 12; i++) {
        const int *order = orders[i / 2];
        float turned[9];
        PliCrossing other;
        for (int k = 0; k < 9; k++)
            turned[k] = t[3 * order[k / 3] + k % 3];
        pli_edge_triangle_crossing(edge + (i % 2 ? 3 : 0), edge + (i % 2 ? 0 : 3), turned, &other);
        bool is_same = true;
        double sums[2] = {0};
        for (int k = 0; k < 3; k++) {
            /* Corners at one place share their weight in any way. */
            for (int j = 0; j < 3; j++)
                if (pli_is_same_point(turned + 3 * j, t + 3 * k))
                    sums[0] += other.weights[j];
            for (int j = 0; j < 3; j++)
                if (pli_is_same_point(t + 3 * j, t + 3 * k))
                    sums[1] += crossing->weights[j];
            is_same &= sums[0] == sums[1] && other.position[k] == crossing->position[k];
        }
        is_same &= i % 2 && !pli_is_same_point(edge, edge + 3)
                       ? fabs(1 - other.edge_weight - crossing->edge_weight) <= 0x1p-53
                       : other.edge_weight == crossing->edge_weight;
        if (!is_same)
            show_difference("another order of corners", edge, t);
    }
}

static void check_edge(const float *p, const float *q, const float *t)
{
    float edge[9];
    PliCrossing crossing;
    /* The oracle's first and last corner, so that the weight of corner 1 is that of q. */
    memcpy(edge, p, 3 * sizeof *p);
    memcpy(edge + 3, q, 3 * sizeof *q);
    memcpy(edge + 6, p, 3 * sizeof *p);
    oracle_common_find(&common, edge, t);
    if (common.count == 0)
        return;
    edge_total++;
    flat_total += common.count > 1;
    pli_edge_triangle_crossing(p, q, t, &crossing);
    check_numbers(edge, t, &crossing);
    check_orders(edge, t, &crossing);
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
        else
            is_usage = false;
    }
    if (!is_usage || argc % 2 == 0) {
        fprintf(stderr, "usage: %s [--pairs N] [--seed S]\n", argv[0]);
        return 2;
    }
    oracle_common_init(&common);
    mpq_inits(left, most, NULL);
    for (int c = 0; c < TEST_PAIR_CLASS_COUNT; c++) {
        SceneRandom random = {seed * 1000 + (uint64_t)c};
        const int64_t first = edge_total, first_flat = flat_total;
        for (int64_t i = 0; i < pair_count / TEST_PAIR_CLASS_COUNT + 1; i++) {
            float a[9], b[9];
            test_pair((TestPairClass)c, &random, a, b);
            for (int k = 0; k < 3; k++) {
                check_edge(a + 3 * k, a + 3 * ((k + 1) % 3), b);
                check_edge(b + 3 * k, b + 3 * ((k + 1) % 3), a);
            }
        }
        printf("%-16s %9" PRId64 " edges, %9" PRId64 " with more than a point in common\n",
               test_pair_class_name((TestPairClass)c), edge_total - first, flat_total - first_flat);
    }
    printf("crossing: seed %" PRIu64 ", %" PRId64 " edges, %" PRId64 " differences\n", seed,
           edge_total, difference_count);
    mpq_clears(left, most, NULL);
    oracle_common_clear(&common);
    return difference_count != 0;
}
