/* When features touch on their way, against the oracles, over all classes of queries.
 *
 *     test_sweep [--pairs N] [--seed S] [--every N] [--cgal N] [--oracles 1]
 *
 * Queries go through pliant_sweep_pairs() in blocks, and a part of the blocks through it with every
 * cpu mask, which must not matter. Each N-th (--every, default 1) goes to GMP, and each N-th of
 * these (--cgal, default 64) to CGAL, where it is built in: whether they touch, and the time, have
 * to be the same to the bit. Planted queries have to touch in time. --oracles compares GMP with
 * CGAL only, and says how long each took. Cases with answers by hand come first. Ends with 1 at any
 * difference, of which the first few are shown in full. */
#include "oracle_sweep.h"
#include "pliant/sweep.h"
#include "sweep_classes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 2048, MASK_BLOCKS = 8 };

static int64_t difference_count, oracle_total, cgal_total;
static int every = 1, cgal_every = 64;
static bool is_of_oracles;

static void show_difference(const char *what, const char *class_name, const SweepQuery *q,
                            float ours, float other)
{
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE %s, class %s, %s: time %a, not %a\n", what, class_name,
           q->are_edges ? "edges" : "vertex, triangle", (double)ours, (double)other);
    for (int i = 0; i < 12; i++)
        printf("%s%a%s", i ? ", " : "  start ", (double)q->start[i], i == 11 ? "\n" : "");
    for (int i = 0; i < 12; i++)
        printf("%s%a%s", i ? ", " : "  end ", (double)q->end[i], i == 11 ? "\n" : "");
}

static bool is_same(float x, float y)
{
    return x == y && signbit(x) == signbit(y);
}

/* ---- The oracles ------------------------------------------------------------------------- */

typedef struct Row {
    int64_t pairs, touching;
    double gmp_seconds, cgal_seconds;
    int64_t gmp_count, cgal_count;
    PliantSweepCounts counts;
} Row;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static float time_by_gmp(const SweepQuery *q, Row *row)
{
    float time;
    const double start = seconds();
    const bool is_touching = oracle_sweep(q->are_edges, q->start, q->end, &time);
    row->gmp_seconds += seconds() - start;
    row->gmp_count++;
    oracle_total++;
    if (is_touching != (time <= 1))
        show_difference("gmp, time", "any", q, time, is_touching ? 1 : INFINITY);
    return time;
}

static void check_cgal(const char *class_name, const SweepQuery *q, float time, Row *row)
{
#ifdef HAS_CGAL
    float other;
    const double start = seconds();
    const bool is_touching = oracle_cgal_sweep(q->are_edges, q->start, q->end, &other);
    row->cgal_seconds += seconds() - start;
    row->cgal_count++;
    cgal_total++;
    if (!is_same(time, other) || is_touching != (other <= 1))
        show_difference("gmp, cgal", class_name, q, time, other);
#else
    (void)class_name, (void)q, (void)time, (void)row;
#endif
}

/* Returns the time by GMP, and compares it with that of CGAL and with what is known. */
static float check_oracles(const char *class_name, const SweepQuery *q, Row *row)
{
    const float time = time_by_gmp(q, row);
    if (q->latest < INFINITY && !(time <= q->latest))
        show_difference("planted, gmp", class_name, q, time, q->latest);
    if (oracle_total % cgal_every == 0)
        check_cgal(class_name, q, time, row);
    return time;
}

/* ---- The library ------------------------------------------------------------------------- */

/* Queries with their vertices in one array, and the pairs of each kind from the last to the first.
 */
typedef struct Block {
    SweepQuery queries[BLOCK];
    float start[12 * BLOCK], end[12 * BLOCK];
    uint32_t pairs[2][4 * BLOCK];
    int owners[2][BLOCK], counts[2], count;
    float times[BLOCK]; /* of each query */
    float batch[BLOCK];
} Block;

static const PliantFeatures kinds[2] = {PLIANT_VERTEX_TRIANGLE, PLIANT_EDGE_EDGE};
static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                 PLIANT_CPU_AVX512};

static void fill(Block *block, SweepClass sweep_class, SceneRandom *random, int count)
{
    block->count = count;
    block->counts[0] = block->counts[1] = 0;
    for (int i = 0; i < count; i++) {
        SweepQuery *q = &block->queries[i];
        sweep_query(sweep_class, random, q);
        memcpy(block->start + 12 * i, q->start, sizeof q->start);
        memcpy(block->end + 12 * i, q->end, sizeof q->end);
    }
    for (int i = count - 1; i >= 0; i--) {
        const int kind = block->queries[i].are_edges, at = block->counts[kind]++;
        block->owners[kind][at] = i;
        for (int j = 0; j < 4; j++)
            block->pairs[kind][4 * at + j] = (uint32_t)(4 * i + j);
    }
}

static bool sweep(Block *block, int kind, uint32_t mask, float max_time, PliantSweepCounts *counts)
{
    PliantSweepPairs def = pliant_sweep_pairs_default();
    def.kind = kinds[kind];
    def.start = block->start;
    def.end = block->end;
    def.vertex_count = 4 * block->count;
    def.pairs = block->pairs[kind];
    def.pair_count = block->counts[kind];
    def.cpu_mask = mask;
    def.max_time = max_time;
    const PliantResult result = pliant_sweep_pairs(&def, block->batch, block->counts[kind], counts);
    if (result != PLIANT_OK && difference_count++ < 5)
        printf("DIFFERENCE pliant_sweep_pairs failed: %d\n", (int)result);
    return result == PLIANT_OK;
}

static void check_masks(Block *block, int kind, const char *class_name,
                        const PliantSweepCounts *wanted)
{
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        PliantSweepCounts counts = pliant_sweep_counts_default();
        if (!sweep(block, kind, masks[m], 1, &counts))
            return;
        for (int i = 0; i < block->counts[kind]; i++) {
            const int owner = block->owners[kind][i];
            if (!is_same(block->batch[i], block->times[owner]))
                show_difference(pliant_cpu_name(masks[m]), class_name, &block->queries[owner],
                                block->batch[i], block->times[owner]);
        }
        if (memcmp(&counts, wanted, sizeof counts) != 0 && difference_count++ < 5)
            printf("DIFFERENCE in counts of class %s: %s\n", class_name, pliant_cpu_name(masks[m]));
    }
}

/* With a time of one of the pairs, or one half, as the greatest: the others stay as they are. */
static void check_max_time(Block *block, int kind, const char *class_name)
{
    const float first = block->counts[kind] > 0 ? block->times[block->owners[kind][0]] : 1;
    const float max_time = first <= 1 ? first : 0.5F;
    if (!sweep(block, kind, PLIANT_CPU_ALL, max_time, NULL))
        return;
    for (int i = 0; i < block->counts[kind]; i++) {
        const int owner = block->owners[kind][i];
        const float time = block->times[owner];
        if (!is_same(block->batch[i], time <= max_time ? time : INFINITY))
            show_difference("max_time", class_name, &block->queries[owner], block->batch[i], time);
    }
}

static void add_counts(PliantSweepCounts *sum, const PliantSweepCounts *counts)
{
    sum->pairs += counts->pairs;
    sum->touching += counts->touching;
    sum->filtered += counts->filtered;
    sum->exact += counts->exact;
}

static void check_library(Block *block, const char *class_name, bool has_masks, Row *row)
{
    for (int kind = 0; kind < 2; kind++) {
        PliantSweepCounts counts = pliant_sweep_counts_default();
        int64_t touching = 0;
        if (!sweep(block, kind, PLIANT_CPU_ALL, 1, &counts))
            return;
        for (int i = 0; i < block->counts[kind]; i++) {
            block->times[block->owners[kind][i]] = block->batch[i];
            touching += block->batch[i] <= 1;
        }
        if ((counts.pairs != block->counts[kind] || counts.touching != touching) &&
            difference_count++ < 5)
            printf("DIFFERENCE in counts of class %s\n", class_name);
        if (has_masks)
            check_masks(block, kind, class_name, &counts);
        check_max_time(block, kind, class_name);
        add_counts(&row->counts, &counts);
    }
}

static void check_block(Block *block, const char *class_name, bool has_masks, Row *row)
{
    if (!is_of_oracles)
        check_library(block, class_name, has_masks, row);
    for (int i = 0; i < block->count; i++) {
        const SweepQuery *q = &block->queries[i];
        if ((row->pairs + i) % every == 0) {
            const float time = check_oracles(class_name, q, row);
            if (is_of_oracles)
                block->times[i] = time;
            else if (!is_same(block->times[i], time))
                show_difference("ours, gmp", class_name, q, block->times[i], time);
        } else if (q->latest < INFINITY && !(block->times[i] <= q->latest)) {
            show_difference("ours, planted", class_name, q, block->times[i], q->latest);
        }
        row->touching += block->times[i] <= 1;
    }
    row->pairs += block->count;
}

/* ---- By hand ----------------------------------------------------------------------------- */

typedef struct Case {
    const char *name;
    SweepQuery query; /* `latest` is the time */
} Case;

#define CORNERS 0, 0, 0, 1, 0, 0, 0, 1, 0 /* of a triangle */

static const Case cases[] = {
    {"falls through", {false, {.25F, .25F, 1, CORNERS}, {.25F, .25F, -1, CORNERS}, .5F}},
    /* The greatest float that is not above 1/3: the nearest is. */
    {"at 1/3", {false, {.25F, .25F, 1, CORNERS}, {.25F, .25F, -2, CORNERS}, 0x1.555554p-2F}},
    {"at 2/3", {false, {.25F, .25F, 2, CORNERS}, {.25F, .25F, -1, CORNERS}, 0x1.555554p-1F}},
    {"falls beside", {false, {.75F, .5F, 1, CORNERS}, {.75F, .5F, -1, CORNERS}, INFINITY}},
    {"onto an edge", {false, {.5F, .5F, 1, CORNERS}, {.5F, .5F, -1, CORNERS}, .5F}},
    {"onto a corner", {false, {1, 0, 3, CORNERS}, {1, 0, -1, CORNERS}, .75F}},
    {"arrives", {false, {.25F, .25F, 1, CORNERS}, {.25F, .25F, 0, CORNERS}, 1}},
    {"leaves", {false, {.25F, .25F, 0, CORNERS}, {.25F, .25F, 5, CORNERS}, 0}},
    {"almost arrives",
     {false, {.25F, .25F, 1, CORNERS}, {.25F, .25F, 0x1p-149F, CORNERS}, INFINITY}},
    {"stays on it", {false, {.25F, .25F, 0, CORNERS}, {.25F, .25F, 0, CORNERS}, 0}},
    {"slides in from the side", {false, {-1, .25F, 0, CORNERS}, {3, .25F, 0, CORNERS}, .25F}},
    {"slides past a corner", {false, {-1, 1, 0, CORNERS}, {1, 1, 0, CORNERS}, .5F}},
    {"slides past", {false, {-1, 1.5F, 0, CORNERS}, {1, 1.5F, 0, CORNERS}, INFINITY}},
    /* 1 - 2 t^2 = 0 */
    {"at the root of 1/2",
     {false, {.25F, 0, 1, CORNERS}, {.25F, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2}, 0x1.6a09e6p-1F}},
    /* 1/4 - t + t^2 = (1/2 - t)^2 = 0 */
    {"a double root",
     {false, {.25F, 0, .25F, CORNERS}, {.25F, 1, -.75F, 0, 0, 0, 1, 0, 0, 0, 1, -1}, .5F}},
    {"no root by one unit in the last place",
     {false,
      {.25F, 0, 0x1.000002p-2F, CORNERS},
      {.25F, 1, -.75F, 0, 0, 0, 1, 0, 0, 0, 1, -1},
      INFINITY}},
    {"at 2^-149", {false, {0, 0, 0x1p-149F, CORNERS}, {0, 0, -1, CORNERS}, 0}},
    {"from 0 through 2^-100 to 1",
     {false,
      {0, 0, 0, 0, 0, 0x1p-100F, 1, 0, 0x1p-100F, 0, 1, 0x1p-100F},
      {0, 0, 1, 0, 0, 0x1p-100F, 1, 0, 0x1p-100F, 0, 1, 0x1p-100F},
      0x1p-100F}},
    {"a triangle that shrinks to the point of the vertex",
     {false,
      {0, 0, 1, 1, 1, 1, 1, 2, 1, 2, 1, 1},
      {0, 0, 1, -1, -1, 1, -1, -2, 1, -2, -1, 1},
      .5F}},
    {"zero area, touched",
     {false, {1, 0, 1, 0, 0, 0, 2, 0, 0, 2, 0, 0}, {1, 0, -3, 0, 0, 0, 2, 0, 0, 2, 0, 0}, .25F}},
    {"zero area, missed",
     {false,
      {3, 0, 1, 0, 0, 0, 2, 0, 0, 2, 0, 0},
      {3, 0, -3, 0, 0, 0, 2, 0, 0, 2, 0, 0},
      INFINITY}},
    {"edges cross",
     {true,
      {-1, 0, 1, 1, 0, 1, 0, -1, 0, 0, 1, 0},
      {-1, 0, -3, 1, 0, -3, 0, -1, 0, 0, 1, 0},
      .25F}},
    {"edges cross end to end",
     {true, {0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0}, {0, 0, -1, 1, 0, -1, 0, 0, 0, 0, 1, 0}, .5F}},
    {"edges pass",
     {true,
      {1, 0, 1, 2, 0, 1, 0, -1, 0, 0, 1, 0},
      {1, 0, -1, 2, 0, -1, 0, -1, 0, 0, 1, 0},
      INFINITY}},
    {"edges on one line",
     {true, {0, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0}, {0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0}, .5F}},
    {"edges on one line, apart",
     {true, {0, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0}, {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0}, INFINITY}},
    {"parallel edges",
     {true, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, {0, 0, 0, 1, 0, 0, 0, -3, 0, 1, -3, 0}, .25F}},
    {"two points",
     {true, {0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4}, {4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0}, .5F}},
    {"two points, apart",
     {true, {0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4}, {4, 4, 4, 4, 4, 4, 0, 0, 1, 0, 0, 1}, INFINITY}},
};

static void check_cases(Block *block)
{
    Row row = {.counts = pliant_sweep_counts_default()};
    block->count = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const SweepQuery *q = &cases[i].query;
        const float time = time_by_gmp(q, &row);
        if (!is_same(time, q->latest))
            show_difference("gmp, by hand", cases[i].name, q, time, q->latest);
        check_cgal(cases[i].name, q, time, &row);
        if (is_of_oracles)
            continue;
        memcpy(block->start, q->start, sizeof q->start);
        memcpy(block->end, q->end, sizeof q->end);
        memcpy(block->pairs[q->are_edges], (const uint32_t[4]){0, 1, 2, 3}, 4 * sizeof(uint32_t));
        block->counts[q->are_edges] = 1;
        if (sweep(block, q->are_edges, PLIANT_CPU_ALL, 1, NULL) &&
            !is_same(block->batch[0], q->latest))
            show_difference("ours, by hand", cases[i].name, q, block->batch[0], q->latest);
    }
}

/* ---- The run ----------------------------------------------------------------------------- */

static void print_row(const char *name, const Row *row)
{
    printf("%-16s %10" PRId64 " pairs, %5.1f %% touch", name, row->pairs,
           100.0 * (double)row->touching / (double)row->pairs);
    if (is_of_oracles)
        printf(", us: gmp %6.2f, cgal %7.1f\n", 1e6 * row->gmp_seconds / (double)row->gmp_count,
               row->cgal_count ? 1e6 * row->cgal_seconds / (double)row->cgal_count : 0);
    else
        printf(", filtered %5.1f %%, exact %5.1f %%\n",
               100.0 * (double)row->counts.filtered / (double)row->pairs,
               100.0 * (double)row->counts.exact / (double)row->pairs);
    fflush(stdout); /* a long run is watched while it runs */
}

static int64_t run_class(Block *block, SweepClass sweep_class, uint64_t seed, int64_t count)
{
    SceneRandom random = {seed * 1000 + (uint64_t)sweep_class};
    Row row = {.counts = pliant_sweep_counts_default()};
    for (int64_t done = 0, n = 0; done < count; done += BLOCK, n++) {
        fill(block, sweep_class, &random, count - done < BLOCK ? (int)(count - done) : BLOCK);
        check_block(block, sweep_class_name(sweep_class), n % MASK_BLOCKS == 0, &row);
    }
    print_row(sweep_class_name(sweep_class), &row);
    return row.pairs;
}

int main(int argc, char **argv)
{
    int64_t pair_count = 100000, total = 0;
    uint64_t seed = 1;
    bool is_usage = true;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pairs") == 0)
            pair_count = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--every") == 0)
            every = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--cgal") == 0)
            cgal_every = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--oracles") == 0)
            is_of_oracles = atoi(argv[i + 1]) != 0;
        else
            is_usage = false;
    }
    if (!is_usage || argc % 2 == 0 || every < 1 || cgal_every < 1) {
        fprintf(stderr, "usage: %s [--pairs N] [--seed S] [--every N] [--cgal N] [--oracles 1]\n",
                argv[0]);
        return 2;
    }
    Block *block = malloc(sizeof *block);
    if (!block)
        return 1;
    check_cases(block);
    for (int c = 0; c < SWEEP_CLASS_COUNT; c++)
        total += run_class(block, (SweepClass)c, seed,
                           (pair_count + SWEEP_CLASS_COUNT - 1) / SWEEP_CLASS_COUNT);
    free(block);
    oracle_sweep_release();
    printf("sweep: seed %" PRIu64 ", %" PRId64 " pairs, %" PRId64 " by gmp, %" PRId64
           " by cgal, %" PRId64 " differences\n",
           seed, total, oracle_total, cgal_total, difference_count);
    return difference_count != 0;
}
