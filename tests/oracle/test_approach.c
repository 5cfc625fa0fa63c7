/* When features come within a distance, conservatively, against exact distances at many times.
 *
 *     test_approach [--pairs N] [--seed S]
 *
 * Points go from whole multiples of 64 to others, so that at times of 64ths they are at whole
 * numbers, which are floats: there GMP tells their distance. Never late: at no such time before the
 * one that is returned may the features be within the distance. Not much too early: at the returned
 * time, rounded down to a 64th, and at the next one, they are not far from the distance. Ends with
 * 1 at any difference. */
#include "geom/approach.h"
#include "oracle_distance.h"
#include "scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 64 };

static int64_t late_count, early_count, reported_count;

typedef struct Pair {
    float start[4][3], end[4][3];
    bool are_edges;
} Pair;

static Pair random_pair(SceneRandom *random)
{
    Pair pair;
    const uint32_t size = 2 + scene_random_below(random, 12);
    const bool is_slow = scene_random_below(random, 2);
    pair.are_edges = scene_random_below(random, 2);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            pair.start[i][k] = (float)TIMES * (float)scene_random_below(random, size);
            const float way = (float)scene_random_below(random, is_slow ? 3 : 2 * size) -
                              (float)(is_slow ? 1 : size);
            pair.end[i][k] = pair.start[i][k] + (float)TIMES * way;
        }
    return pair;
}

/* The sign of the distance less another one, at a time. */
static int compare_at(const Pair *pair, int time, float distance)
{
    float points[4][3];
    const int first = pair->are_edges ? 2 : 1;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] =
                pair->start[i][k] + (pair->end[i][k] - pair->start[i][k]) / TIMES * (float)time;
    mpq_t square;
    unsigned support;
    mpq_init(square);
    oracle_squared_distance(points[0], first, points[first], 4 - first, square, &support);
    const int sign = oracle_compare_distance(square, distance);
    mpq_clear(square);
    return sign;
}

static void check(const Pair *pair, float distance)
{
    const float *start[4], *end[4];
    float way = 0;
    for (int i = 0; i < 4; i++) {
        start[i] = pair->start[i];
        end[i] = pair->end[i];
        for (int k = 0; k < 3; k++)
            way = fmaxf(way, fabsf(pair->end[i][k] - pair->start[i][k]));
    }
    const float time = pli_approach(pair->are_edges ? PLI_EDGE_EDGE : PLI_VERTEX_TRIANGLE, start,
                                    end, distance, 1);
    reported_count += time <= 1;
    for (int k = 0; k <= TIMES && (float)k / TIMES < time; k++)
        if (compare_at(pair, k, distance) <= 0 && late_count++ < 5)
            printf("LATE: %g for %g, at %d of %d they are within\n", (double)time, (double)distance,
                   k, TIMES);
    /* In a 64th no two points come closer by more than 2 sqrt(3) / 64 of the greatest way. */
    const float far = distance * (1 + 0x1p-7f) + 4 * way / TIMES;
    if (time <= 1 && compare_at(pair, (int)(time * TIMES), far) > 0 && early_count++ < 5)
        printf("EARLY: %g for %g\n", (double)time, (double)distance);
}

int main(int argc, char **argv)
{
    int64_t pair_count = 20000;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pairs") == 0)
            pair_count = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
    }
    SceneRandom random = {seed};
    for (int64_t i = 0; i < pair_count; i++) {
        const Pair pair = random_pair(&random);
        check(&pair, (float)(1 + scene_random_below(&random, 4 * TIMES)) / 8);
    }
    printf("approach: seed %" PRIu64 ", %" PRId64 " pairs, %" PRId64 " reported, %" PRId64
           " late, %" PRId64 " early\n",
           seed, pair_count, reported_count, late_count, early_count);
    return late_count || early_count || reported_count == 0;
}
