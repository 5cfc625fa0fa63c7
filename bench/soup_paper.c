/* pliant-bench paper-soup: the experiments of Ganovelli, Dingliana and O'Sullivan, "BucketTree:
 * Improving Collision Detection Between Deformable Objects", 2000, for bench/plots.
 *
 * Their Algorithm 1 puts each primitive into its bucket, their Algorithm 2 sorts along the axes
 * from where the last step left off. Both are ours of that kind, with points as primitives, as
 * theirs were, and with triangles. Lines for scripts:
 *
 *     row bucket3 PRIMITIVES ALGORITHM-PRIMITIVE-MOTION MS_UPDATE
 *     row bucket4 LEVELS ALGORITHM-PRIMITIVE-MOTION MS_UPDATE
 *     row bucket1 LEVELS PRIMITIVE LEAF_PAIRS MS_QUERY MS_QUERY_OF_1000_LEAF_PAIRS
 *
 * for Figures 3 and 4, of one cloud, and for Table 1, of two. The query is what all pairs take
 * beyond the update: theirs ends at the pairs of buckets, ours goes on to what intersects in them.
 */
#include "experiments.h"
#include "soups.h"

#include <inttypes.h>
#include <stdio.h>

enum { LEVELS = 4, PRIMITIVES = 15000, WAYS = 4 };

/* Both algorithms, with both kinds of primitives. */
static const SoupWay ways[WAYS] = {
    {"1-points", PLIANT_SOUP_BUCKETS, PLIANT_POINTS, 0},
    {"1-triangles", PLIANT_SOUP_BUCKETS, PLIANT_TRIANGLES, 0},
    {"2-points", PLIANT_SOUP_COHERENT_BUCKETS, PLIANT_POINTS, 0},
    {"2-triangles", PLIANT_SOUP_COHERENT_BUCKETS, PLIANT_TRIANGLES, 0},
};

typedef struct Motion {
    SceneSoupMotion motion;
    const char *name;
} Motion;

static const Motion motions[] = {
    {SCENE_SOUP_COHERENT, "coherent"},
    {SCENE_SOUP_SCATTERED, "scattered"},
};
enum { MOTIONS = sizeof motions / sizeof *motions };

/* The update of one cloud by all ways: a row for each, with `x` in it. */
static void print_updates(const char *figure, int x, const Motion *motion, int32_t count,
                          int level_count, int steps)
{
    SoupFilm film = soup_film(SCENE_SOUP_EVEN, motion->motion, count, 1);
    SoupWay levelled[WAYS];
    SoupBed beds[WAYS];
    BenchTurn turns[WAYS];
    for (int i = 0; i < WAYS; i++) {
        levelled[i] = ways[i];
        levelled[i].level_count = level_count;
        beds[i] = soup_bed(&film, &levelled[i]);
        turns[i] = (BenchTurn){ways[i].name, soup_update, &beds[i], 0};
    }
    soup_turns(&film, turns, WAYS, steps);
    for (int i = 0; i < WAYS; i++) {
        printf("row %s %d %s-%s %.5f\n", figure, x, ways[i].name, motion->name,
               1e3 * turns[i].median);
        soup_bed_free(&beds[i]);
    }
    soup_film_free(&film);
}

/* All pairs of two clouds in buckets. */
static void print_query(const SoupWay *way, const char *name, int level_count, int steps)
{
    SoupFilm film = soup_film(SCENE_SOUP_EVEN, SCENE_SOUP_COHERENT, PRIMITIVES, SOUP_CLOUDS);
    SoupWay levelled = *way;
    levelled.level_count = level_count;
    SoupBed updated = soup_bed(&film, &levelled);
    SoupBed asked = soup_bed(&film, &levelled);
    BenchTurn turns[] = {{"update", soup_update, &updated, 0}, {"all", soup_query, &asked, 0}};
    soup_turns(&film, turns, 2, steps);
    PliantStats stats = pliant_stats_default();
    bench_must(pliant_world_stats(asked.world, &stats));
    const double query = 1e3 * (turns[1].median - turns[0].median);
    printf("row bucket1 %d %s %" PRId64 " %.4f %.5f\n", level_count, name, stats.leaf_pairs, query,
           stats.leaf_pairs > 0 ? 1000 * query / (double)stats.leaf_pairs : 0);
    soup_bed_free(&updated);
    soup_bed_free(&asked);
    soup_film_free(&film);
}

int bench_paper_soup(const BenchOptions *options)
{
    static const int32_t counts[] = {1000,  2500,  5000,  7500,  10000, 15000,
                                     20000, 25000, 30000, 40000, 50000};
    const int steps = options->is_quick ? 5 : 41;
    for (int m = 0; m < MOTIONS; m++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            print_updates("bucket3", counts[i], &motions[m], counts[i], LEVELS, steps);
        for (int levels = 1; levels <= PLIANT_MAX_SOUP_LEVELS; levels++)
            print_updates("bucket4", levels, &motions[m], PRIMITIVES, levels, steps);
    }
    for (int levels = 3; levels <= 5; levels++) {
        print_query(&ways[0], "points", levels, steps);
        print_query(&ways[1], "triangles", levels, steps);
    }
    return 0;
}
