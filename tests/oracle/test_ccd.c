/* Real steps of simulations, whose answers were decided symbolically by others: the scenes of
 * PLIANT_ASSETS/ccd (tests/support/ccd.h).
 *
 *     test_ccd [--every N] [--cgal N]
 *
 * All pairs go through pliant_sweep_pairs(), each N-th (--every, default 1) to GMP and each N-th of
 * these (--cgal, default 64) to CGAL, where it is built in. Whether a pair touches has to be what
 * the dataset says, and times have to be the same to the bit. Then the whole step is that of one
 * body, and what touches within it has to be those pairs of the dataset that touch, at those times,
 * and no others. Without the dataset it is skipped.
 * Ends with 1 at any difference, of which the first few are shown in full. */
#include "ccd.h"
#include "oracle_sweep.h"
#include <pliant/pliant.h>

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

/* ---- The whole step -------------------------------------------------------------------------
 */

/* Two features that touch: a vertex and a triangle, or two edges, the lower one first. */
typedef struct Touch {
    uint32_t kind, a, b;
    float time;
} Touch;

typedef struct Touches {
    Touch *items;
    int64_t count;
} Touches;

static int by_features(const void *x, const void *y)
{
    const Touch *p = x, *q = y;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

/* Edges of a shape are in another order. By their vertices, which are sorted there. */
static uint32_t edge_in_shape(const CcdScene *scene, const uint32_t *edges, uint32_t edge)
{
    const uint32_t *ends = scene->edges + 2 * (size_t)edge;
    uint32_t low = 0, high = (uint32_t)scene->edge_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2, *here = edges + 2 * (size_t)middle;
        if (here[0] < ends[0] || (here[0] == ends[0] && here[1] < ends[1]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the pairs of one kind that touch. The dataset may name a pair more than once. */
static void add_touches(const CcdScene *scene, int kind, const float *times, const uint32_t *edges,
                        Touches *touches)
{
    const CcdPairs *pairs = &scene->pairs[kind];
    for (int64_t i = 0; i < pairs->count; i++) {
        uint32_t a = pairs->features[2 * i], b = pairs->features[2 * i + 1];
        if (!pairs->are_touching[i])
            continue;
        if (kind) {
            const uint32_t x = edge_in_shape(scene, edges, a), y = edge_in_shape(scene, edges, b);
            a = x < y ? x : y;
            b = x < y ? y : x;
        }
        touches->items[touches->count++] =
            (Touch){(uint32_t)(kind ? PLIANT_EDGE_EDGE : PLIANT_VERTEX_TRIANGLE), a, b, times[i]};
    }
}

static void sort_once(Touches *touches)
{
    int64_t count = 0;
    qsort(touches->items, (size_t)touches->count, sizeof *touches->items, by_features);
    for (int64_t i = 0; i < touches->count; i++)
        if (count == 0 || by_features(&touches->items[i], &touches->items[count - 1]) != 0)
            touches->items[count++] = touches->items[i];
    touches->count = count;
}

static void compare_step(const CcdScene *scene, const PliantImpacts *impacts,
                         const Touches *touches)
{
    for (int64_t i = 0; i < impacts->count && i < touches->count; i++) {
        const PliantImpact *impact = &impacts->items[i];
        const Touch found = {(uint32_t)impact->kind, (uint32_t)impact->feature_a,
                             (uint32_t)impact->feature_b, impact->time};
        const Touch *expected = &touches->items[i];
        if (by_features(&found, expected) == 0 && found.time == expected->time)
            continue;
        if (difference_count++ < 5)
            printf("DIFFERENCE step, %s, at %" PRId64 ": kind %u, %u and %u at %a, not kind %u, %u "
                   "and %u at %a\n",
                   scene->name, i, found.kind, found.a, found.b, (double)found.time, expected->kind,
                   expected->a, expected->b, (double)expected->time);
        return;
    }
    if (impacts->count != touches->count && difference_count++ < 5)
        printf("DIFFERENCE step, %s: %" PRId64 " impacts, not %" PRId64 "\n", scene->name,
               impacts->count, touches->count);
}

static bool is_done(PliantResult result)
{
    if (result == PLIANT_OK)
        return true;
    if (difference_count++ < 5)
        printf("DIFFERENCE step: %s\n", pliant_result_name(result));
    return false;
}

/* One body with an end, and what touches within it. */
static void sweep_step(const CcdScene *scene, PliantWorld *world, PliantShape *shape,
                       const Touches *touches)
{
    PliantBody body, end;
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    def.kind = PLIANT_ALL_IMPACTS;
    def.includes_self = true;
    if (!is_done(pliant_body_create(world, shape, &body)) ||
        !is_done(pliant_body_create_end(world, body, &end)) ||
        !is_done(pliant_body_borrow_vertices(world, end,
                                             (PliantVertices){scene->end, scene->vertex_count, 0})))
        return;
    const double from = seconds();
    if (!is_done(pliant_world_sweep(world, &def, &impacts)))
        return;
    printf("%-18s step, %" PRId64 " impacts, %.0f ms\n", scene->name, impacts.count,
           1e3 * (seconds() - from));
    compare_step(scene, &impacts, touches);
}

/* `times` are those of the pairs of both kinds. */
static void check_step(const CcdScene *scene, float *const times[2])
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape = NULL;
    PliantWorld *world = NULL;
    const uint32_t *edges = NULL;
    int32_t edge_count = 0;
    Touches touches = {
        malloc((size_t)(scene->pairs[0].count + scene->pairs[1].count) * sizeof(Touch)), 0};
    def.vertices = (PliantVertices){scene->start, scene->vertex_count, 0};
    def.triangles = (PliantTriangles){scene->triangles, scene->triangle_count};
    if (touches.items && is_done(pliant_shape_create(&def, &shape)) &&
        is_done(pliant_world_create(NULL, &world)) &&
        is_done(pliant_shape_edges(shape, &edges, &edge_count))) {
        if (edge_count != scene->edge_count && difference_count++ < 5)
            printf("DIFFERENCE %s has %d edges, not %d\n", scene->name, (int)edge_count,
                   scene->edge_count);
        for (int kind = 0; kind < 2 && edge_count == scene->edge_count; kind++)
            add_touches(scene, kind, times[kind], edges, &touches);
        sort_once(&touches);
        sweep_step(scene, world, shape, &touches);
    }
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    free(touches.items);
}

/* ---- All pairs ------------------------------------------------------------------------------
 */

/* Returns the times of all pairs, to be freed; NULL if there are none. */
static float *check_pairs(const CcdScene *scene, int kind)
{
    const CcdPairs *pairs = &scene->pairs[kind];
    PliantSweepCounts counts = pliant_sweep_counts_default();
    Totals totals = {.first = INFINITY};
    float *times = malloc((size_t)pairs->count * sizeof *times);
    const double from = seconds();
    if (!times || !sweep(scene, kind, times, &counts)) {
        difference_count++;
        free(times);
        return NULL;
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
    return times;
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
        float *times[2];
        for (int kind = 0; kind < 2; kind++)
            times[kind] = check_pairs(&scene, kind);
        if (times[0] && times[1])
            check_step(&scene, times);
        for (int kind = 0; kind < 2; kind++)
            free(times[kind]);
        ccd_free(&scene);
    }
    oracle_sweep_release();
    printf("ccd: %" PRId64 " differences\n", difference_count);
    return difference_count != 0;
}
