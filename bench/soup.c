/* pliant-bench soup: soups of every kind, and what they cost when triangles move as they like.
 *
 * First the update alone, against one pass that takes the boxes of all triangles, which any way to
 * keep them must do. Then a table of all kinds, by how triangles move, how they are spread, and how
 * many they are: the update of two soups, and update and all pairs. Then particles. */
#include "experiments.h"
#include "soups.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct Motion {
    SceneSoupMotion motion;
    const char *name;
} Motion;

static const Motion motions[] = {
    {SCENE_SOUP_TOGETHER, "together"},
    {SCENE_SOUP_COHERENT, "coherent"},
    {SCENE_SOUP_SCATTERED, "scattered"},
    {SCENE_SOUP_ANEW, "anew"},
};

static const SoupWay ways[] = {
    {"auto", PLIANT_SOUP_AUTO, PLIANT_TRIANGLES, 0},
    {"sorted", PLIANT_SOUP_SORTED, PLIANT_TRIANGLES, 0},
    {"buckets", PLIANT_SOUP_BUCKETS, PLIANT_TRIANGLES, 0},
    {"coherent buckets", PLIANT_SOUP_COHERENT_BUCKETS, PLIANT_TRIANGLES, 0},
};
enum { WAYS = sizeof ways / sizeof *ways, MAX_COUNTS = 5 };

/* ---- Updates against the floor --------------------------------------------------------------- */

/* Returns how many times as long as the floor an update of one soup takes. */
static double time_floor(const Motion *motion, int32_t count, int steps)
{
    SoupFilm film = soup_film(SCENE_SOUP_EVEN, motion->motion, count, 1);
    SoupBed bed = soup_bed(&film, &ways[0]);
    SoupFloor pass = soup_floor(&film);
    BenchTurn turns[] = {
        {"update", soup_update, &bed, 0},
        {"boxes", soup_floor_boxes, &pass, 0},
        {"box", soup_floor_box, &pass, 0},
    };
    soup_turns(&film, turns, 3, steps);
    const double ratio = turns[0].median / turns[1].median;
    printf("%9" PRId32 " triangles, %-9s: update %9.1f us; all boxes %8.1f us, %5.2f times; "
           "one box %8.1f us, %5.2f times\n",
           count, motion->name, 1e6 * turns[0].median, 1e6 * turns[1].median, ratio,
           1e6 * turns[2].median, turns[0].median / turns[2].median);
    soup_floor_free(&pass);
    soup_bed_free(&bed);
    soup_film_free(&film);
    return ratio;
}

/* The worse of what is asked for: triangles that stay near each other, and that do not. */
static double worse_of_two(int32_t count, int steps)
{
    const double coherent = time_floor(&motions[1], count, steps);
    const double anew = time_floor(&motions[3], count, steps);
    return coherent > anew ? coherent : anew;
}

static void time_floors(bool is_quick)
{
    const double some = worse_of_two(40000, is_quick ? 10 : 60);
    const double many = worse_of_two(1000000, is_quick ? 3 : 10);
    bench_figure("soup.update_vs_floor", some, "x");
    bench_figure("soup.million.update_vs_floor", many, "x");
}

/* ---- All kinds ------------------------------------------------------------------------------- */

typedef struct Cell {
    const char *fill_name;
    SceneSoupFill fill;
    const Motion *motion;
    int32_t count;
    int steps;
} Cell;

static void print_way(const Cell *cell, const SoupBed *bed, double update, double query)
{
    PliantStats stats = pliant_stats_default();
    bench_must(pliant_world_stats(bed->world, &stats));
    printf("  %-9s %-9s %9" PRId32 "  %-16s %11.1f %11.1f %10" PRId64 " %10" PRId64 " %9" PRId64
           " %8.1f\n",
           cell->fill_name, cell->motion->name, cell->count, bed->way->name, 1e6 * update,
           1e6 * query, stats.leaf_pairs, stats.triangle_tests, bed->contact_count,
           1e-6 * (double)stats.byte_size);
}

/* Some of the ways, in turns. Returns the contacts that they all found, or -1. */
static int64_t time_ways(const Cell *cell, const SoupWay *first, int way_count)
{
    SoupFilm film = soup_film(cell->fill, cell->motion->motion, cell->count, SOUP_CLOUDS);
    SoupBed updated[WAYS], asked[WAYS];
    BenchTurn turns[2 * WAYS];
    for (int i = 0; i < way_count; i++) {
        updated[i] = soup_bed(&film, &first[i]);
        asked[i] = soup_bed(&film, &first[i]);
        turns[2 * i] = (BenchTurn){first[i].name, soup_update, &updated[i], 0};
        turns[2 * i + 1] = (BenchTurn){first[i].name, soup_query, &asked[i], 0};
    }
    soup_turns(&film, turns, 2 * way_count, cell->steps);
    int64_t contact_count = asked[0].contact_count;
    for (int i = 0; i < way_count; i++) {
        print_way(cell, &asked[i], turns[2 * i].median, turns[2 * i + 1].median);
        if (asked[i].contact_count != asked[0].contact_count)
            contact_count = -1;
        soup_bed_free(&updated[i]);
        soup_bed_free(&asked[i]);
    }
    soup_film_free(&film);
    fflush(stdout);
    return contact_count;
}

/* Millions do not fit into memory by all ways at once. */
static bool time_cell(const Cell *cell)
{
    if (cell->count <= 1000000)
        return time_ways(cell, ways, WAYS) >= 0;
    bool is_fine = true;
    const int64_t contact_count = time_ways(cell, &ways[0], 1);
    for (int i = 1; i < WAYS; i++)
        is_fine &= time_ways(cell, &ways[i], 1) == contact_count;
    return is_fine;
}

static int time_kinds(bool is_quick)
{
    static const int32_t counts[MAX_COUNTS] = {1000, 10000, 100000, 1000000, 4000000};
    static const int steps[MAX_COUNTS] = {51, 31, 9, 3, 1};
    bool is_fine = true;
    printf("  %-9s %-9s %9s  %-16s %11s %11s %10s %10s %9s %8s\n", "filled", "moved", "triangles",
           "", "update, us", "all, us", "leaf pr.", "tests", "contacts", "MB");
    for (int i = 0; i < (is_quick ? 2 : MAX_COUNTS); i++)
        for (int fill = 0; fill < 2; fill++)
            for (size_t m = 0; m < sizeof motions / sizeof *motions; m++)
                is_fine &= time_cell(&(Cell){fill == 0 ? "even" : "clustered",
                                             fill == 0 ? SCENE_SOUP_EVEN : SCENE_SOUP_CLUSTERED,
                                             &motions[m], counts[i], is_quick ? 5 : steps[i]});
    if (!is_fine)
        printf("DIFFERENT PAIRS\n");
    return is_fine ? 0 : 1;
}

int bench_soup(const BenchOptions *options)
{
    time_floors(options->is_quick);
    const int failed = time_kinds(options->is_quick);
    return failed | soup_particles(options);
}
