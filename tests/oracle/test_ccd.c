/* Real steps of simulations, whose answers were decided symbolically by others: the scenes of
 * PLIANT_ASSETS/ccd (tests/support/ccd.h).
 *
 *     test_ccd [--every N] [--cgal N]
 *
 * All pairs go through pliant_sweep_pairs(), each N-th (--every, default 1) to GMP and each N-th of
 * these (--cgal, default 64) to CGAL, where it is built in. Whether a pair touches has to be what
 * the dataset says, and times have to be the same to the bit. Without the dataset it is skipped.
 * Ends with 1 at any difference, of which the first few are shown in full. */
#include "ccd.h"
#include "oracle_sweep.h"
#include "pliant/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SKIP = 77 };

static int64_t difference_count;
static int every = 1, cgal_every = 64;

static void show_difference(const char *what, const CcdScene *scene, int kind, int64_t pair,
                            float time)
{
    const CcdPairs *pairs = &scene->pairs[kind];
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE %s, %s, pair %" PRId64 " of %s: time %a, known to %s\n", what, scene->name,
           pair, kind ? "edges" : "vertices and triangles", (double)time,
           pairs->are_touching[pair] ? "touch" : "pass");
    for (int i = 0; i < 4; i++) {
        const uint32_t v = pairs->vertices[4 * pair + i];
        const float *x = scene->start + 3 * (size_t)v, *y = scene->end + 3 * (size_t)v;
        printf("  %a, %a, %a to %a, %a, %a\n", (double)x[0], (double)x[1], (double)x[2],
               (double)y[0], (double)y[1], (double)y[2]);
    }
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

typedef struct Totals {
    int64_t touching, by_gmp, by_cgal;
    float first; /* the first touch of all */
    double seconds, gmp_seconds;
} Totals;

/* ---- The oracles --------------------------------------------------------------------------- */

static void check_cgal(const CcdScene *scene, int kind, int64_t pair, const float start[12],
                       const float end[12], float time)
{
#ifdef HAS_CGAL
    float other;
    oracle_cgal_sweep(kind == 1, start, end, &other);
    if (other != time)
        show_difference("cgal", scene, kind, pair, other);
#else
    (void)scene, (void)kind, (void)pair, (void)start, (void)end, (void)time;
#endif
}

static void check_oracles(const CcdScene *scene, int kind, int64_t pair, float ours, Totals *totals)
{
    float start[12], end[12], time;
    for (int i = 0; i < 4; i++) {
        const size_t v = scene->pairs[kind].vertices[4 * pair + i];
        memcpy(start + 3 * i, scene->start + 3 * v, 3 * sizeof *start);
        memcpy(end + 3 * i, scene->end + 3 * v, 3 * sizeof *end);
    }
    const double from = seconds();
    const bool is_touching = oracle_sweep(kind == 1, start, end, &time);
    totals->gmp_seconds += seconds() - from;
    if (is_touching != scene->pairs[kind].are_touching[pair])
        show_difference("gmp", scene, kind, pair, time);
    if (ours != time)
        show_difference("time, gmp", scene, kind, pair, ours);
    if (totals->by_gmp++ % cgal_every == 0) {
        check_cgal(scene, kind, pair, start, end, time);
        totals->by_cgal++;
    }
}

/* ---- The library --------------------------------------------------------------------------- */

static bool sweep(const CcdScene *scene, int kind, float *times, PliantSweepCounts *counts)
{
    PliantSweepPairs def = pliant_sweep_pairs_default();
    def.kind = kind ? PLIANT_EDGE_EDGE : PLIANT_VERTEX_TRIANGLE;
    def.start = scene->start;
    def.end = scene->end;
    def.vertex_count = scene->vertex_count;
    def.pairs = scene->pairs[kind].vertices;
    def.pair_count = scene->pairs[kind].count;
    const PliantResult result = pliant_sweep_pairs(&def, times, def.pair_count, counts);
    if (result != PLIANT_OK && difference_count++ < 5)
        printf("DIFFERENCE pliant_sweep_pairs failed: %d\n", (int)result);
    return result == PLIANT_OK;
}

static void check_pairs(const CcdScene *scene, int kind)
{
    const CcdPairs *pairs = &scene->pairs[kind];
    PliantSweepCounts counts = pliant_sweep_counts_default();
    Totals totals = {.first = INFINITY};
    float *times = malloc((size_t)pairs->count * sizeof *times);
    const double from = seconds();
    if (!times || !sweep(scene, kind, times, &counts)) {
        difference_count++;
        free(times);
        return;
    }
    totals.seconds = seconds() - from;
    for (int64_t i = 0; i < pairs->count; i++) {
        totals.touching += times[i] <= 1;
        totals.first = fminf(totals.first, times[i]);
        if ((times[i] <= 1) != pairs->are_touching[i])
            show_difference("ours", scene, kind, i, times[i]);
        if (i % every == 0)
            check_oracles(scene, kind, i, times[i], &totals);
    }
    printf("%-18s %-8s %6" PRId64 " pairs, %6" PRId64 " touch, first at %-13a exact %5.1f %%, "
           "us: %6.2f, gmp %6.2f; %" PRId64 " by gmp, %" PRId64 " by cgal\n",
           scene->name, kind ? "edges" : "vertices", pairs->count, totals.touching,
           (double)totals.first, 100.0 * (double)counts.exact / (double)pairs->count,
           1e6 * totals.seconds / (double)pairs->count,
           1e6 * totals.gmp_seconds / (double)totals.by_gmp, totals.by_gmp, totals.by_cgal);
    free(times);
}

/* ---- The run ------------------------------------------------------------------------------- */

static bool has_dataset(const char *assets)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/ccd", assets ? assets : "");
    return assets && access(path, R_OK) == 0;
}

int main(int argc, char **argv)
{
    const char *assets = getenv("PLIANT_ASSETS");
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--every") == 0)
            every = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--cgal") == 0)
            cgal_every = atoi(argv[i + 1]);
        else
            every = 0;
    }
    if (argc % 2 == 0 || every < 1 || cgal_every < 1) {
        fprintf(stderr, "usage: %s [--every N] [--cgal N]\n", argv[0]);
        return 2;
    }
    if (!has_dataset(assets)) {
        printf("skipped: PLIANT_ASSETS names no folder with ccd\n");
        return SKIP;
    }
    for (int i = 0; i < CCD_SCENES; i++) {
        CcdScene scene;
        if (!ccd_read(assets, i, &scene)) {
            difference_count++;
            continue;
        }
        check_pairs(&scene, 0);
        check_pairs(&scene, 1);
        ccd_free(&scene);
    }
    oracle_sweep_release();
    printf("ccd: %" PRId64 " differences\n", difference_count);
    return difference_count != 0;
}
