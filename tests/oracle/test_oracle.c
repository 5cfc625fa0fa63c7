/* The library against the oracles, over all classes of pairs.
 *
 *     test_oracle [--pairs N] [--seed S] [--every N] [--paths N]
 *
 * Every pair goes through the scalar test, through the batch on every instruction set of the
 * machine, and to CGAL, where it is built in. Each N-th pair (--every, default 16; all of them
 * without CGAL) also goes to the GMP oracle, which decides as well what two triangles with shared
 * vertices have in common, and signs. --paths asks that at least one pair in N takes each exact
 * path. Ends with 1 at any difference, of which the first few are shown in full. */
#include "geom/geom.h"
#include "geom/orient.h"
#include "kernels/batch.h"
#include "oracle.h"
#include "pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

static int64_t difference_count;
#ifdef HAS_CGAL
static int every = 16; /* each so many-th pair goes to the GMP oracle */
#else
static int every = 1;
#endif

static void show_difference(const char *what, TestPairClass pair_class, const float *a,
                            const float *b, int ours, int checked)
{
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE %s, class %s: ours %d, oracle %d\n", what, test_pair_class_name(pair_class),
           ours, checked);
    for (int i = 0; i < 9; i++)
        printf("%s%a%s", i ? ", " : "  a ", (double)a[i], i == 8 ? "\n" : "");
    for (int i = 0; i < 9; i++)
        printf("%s%a%s", i ? ", " : "  b ", (double)b[i], i == 8 ? "\n" : "");
}

/* ---- What is asked of one pair ----------------------------------------------------------- */

static void check_gmp(TestPairClass pair_class, const float *a, const float *b, int ours)
{
    int checked = oracle_gmp_intersect(a, b);
    if (ours != checked)
        show_difference("intersect, gmp", pair_class, a, b, ours, checked);
}

static void check_signs(TestPairClass pair_class, const float *a, const float *b, PliCounts *counts)
{
    int ours = pli_orient3d(a, a + 3, a + 6, b, counts);
    int checked = oracle_gmp_orient3d(a, a + 3, a + 6, b);
    if (ours != checked)
        show_difference("orient3d", pair_class, a, b, ours, checked);
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        ours = pli_orient2d(a, a + 3, b, u, v, counts);
        checked = oracle_gmp_orient2d((float[2]){a[u], a[v]}, (float[2]){a[3 + u], a[3 + v]},
                                      (float[2]){b[u], b[v]});
        if (ours != checked)
            show_difference("orient2d", pair_class, a, b, ours, checked);
    }
}

static bool is_same_point(const float *p, const float *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* Gives equal indices to corners at one place, of one triangle or of both, but not always. */
static void weld(SceneRandom *random, const float *corners[6], uint32_t vertices[6])
{
    for (uint32_t i = 0; i < 6; i++) {
        vertices[i] = i;
        for (uint32_t j = 0; j < i; j++)
            if (is_same_point(corners[i], corners[j]) && scene_random_below(random, 8) != 0)
                vertices[i] = vertices[j];
    }
}

static void check_shared(TestPairClass pair_class, SceneRandom *random, const float *a,
                         const float *b, PliCounts *counts)
{
    const float *corners[6] = {a, a + 3, a + 6, b, b + 3, b + 6};
    uint32_t vertices[6];
    weld(random, corners, vertices);
    int shared[3], shared_count = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t v = vertices[i];
        if (v == vertices[3] || v == vertices[4] || v == vertices[5])
            shared[shared_count++] = i;
    }
    int checked = oracle_gmp_intersect_beyond(a, b, shared_count, shared);
    int ours = pli_triangles_intersect_beyond_shared(a, vertices, b, vertices + 3, counts);
    if (ours != checked)
        show_difference("intersect beyond shared", pair_class, a, b, ours, checked);
    ours = pli_triangles_intersect_beyond_shared(b, vertices + 3, a, vertices, counts);
    if (ours != checked)
        show_difference("intersect beyond shared, swapped", pair_class, a, b, ours, checked);
}

/* ---- Blocks of pairs --------------------------------------------------------------------- */

typedef struct Block {
    float a[BLOCK][9], b[BLOCK][9];
    uint32_t pairs[BLOCK][2];
    uint8_t scalar[BLOCK], batch[BLOCK];
} Block;

static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                 PLIANT_CPU_AVX512};

static void check_batches(Block *block, int count, TestPairClass pair_class)
{
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        PliKernels kernels;
        PliCounts counts = {0};
        pli_kernels_fill(&kernels, masks[m]);
        pli_pairs_intersect(&kernels, block->a[0], block->b[0], block->pairs[0], count,
                            block->batch, &counts);
        for (int i = 0; i < count; i++)
            if (block->batch[i] != block->scalar[i])
                show_difference(pliant_cpu_name(masks[m]), pair_class, block->a[i], block->b[i],
                                block->batch[i], block->scalar[i]);
    }
}

/* Adds to counts[0] what the pairs took, and to counts[1] what signs and shared vertices took. */
static void check_block(Block *block, int count, TestPairClass pair_class, SceneRandom *random,
                        PliCounts counts[2])
{
    for (int i = 0; i < count; i++) {
        float *a = block->a[i], *b = block->b[i];
        test_pair(pair_class, random, a, b);
        block->pairs[i][0] = block->pairs[i][1] = (uint32_t)i;
        int ours = block->scalar[i] = pli_triangles_intersect(a, b, &counts[0]);
        counts[0].pairs++;
        counts[0].intersecting += ours;
#ifdef HAS_CGAL
        int checked = oracle_cgal_intersect(a, b);
        if (ours != checked)
            show_difference("intersect, cgal", pair_class, a, b, ours, checked);
#endif
        if (i % every != 0)
            continue;
        check_gmp(pair_class, a, b, ours);
        check_signs(pair_class, a, b, &counts[1]);
        check_shared(pair_class, random, a, b, &counts[1]);
    }
    check_batches(block, count, pair_class);
}

/* ---- The run ----------------------------------------------------------------------------- */

static void print_row(const char *name, const PliCounts *c)
{
    printf("%-16s %11" PRId64 " %10" PRId64 " %9" PRId64 " %9" PRId64 " %9" PRId64 " %9" PRId64
           " %9" PRId64 "\n",
           name, c->pairs, c->intersecting, c->flat, c->exact3_narrow, c->exact3_wide,
           c->exact2_narrow, c->exact2_wide);
    fflush(stdout); /* a long run is watched while it runs */
}

static void add(PliCounts *sum, const PliCounts *c)
{
    sum->pairs += c->pairs;
    sum->intersecting += c->intersecting;
    sum->flat += c->flat;
    sum->exact3_narrow += c->exact3_narrow;
    sum->exact3_wide += c->exact3_wide;
    sum->exact2_narrow += c->exact2_narrow;
    sum->exact2_wide += c->exact2_wide;
}

static bool paths_taken(const PliCounts *c, int64_t least)
{
    return c->flat >= least && c->exact3_narrow >= least && c->exact3_wide >= least &&
           c->exact2_narrow >= least && c->exact2_wide >= least;
}

int main(int argc, char **argv)
{
    int64_t pair_count = 200000, paths_every = 0;
    uint64_t seed = 1;
    bool is_usage = true;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pairs") == 0)
            pair_count = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--paths") == 0)
            paths_every = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--every") == 0)
            every = atoi(argv[i + 1]);
        else
            is_usage = false;
    }
    if (!is_usage || argc % 2 == 0 || every < 1 || paths_every < 0) {
        fprintf(stderr, "usage: %s [--pairs N] [--seed S] [--every N] [--paths N]\n", argv[0]);
        return 2;
    }

    Block *block = malloc(sizeof *block);
    if (!block)
        return 1;
    PliCounts total = {0};
    printf("%-16s %11s %10s %9s %9s %9s %9s %9s\n", "class", "pairs", "intersect", "flat",
           "narrow3", "wide3", "narrow2", "wide2");
    for (int c = 0; c < TEST_PAIR_CLASS_COUNT; c++) {
        SceneRandom random = {seed * 1000 + (uint64_t)c};
        PliCounts counts[2] = {{0}};
        int64_t rest = (pair_count + TEST_PAIR_CLASS_COUNT - 1) / TEST_PAIR_CLASS_COUNT;
        for (; rest > 0; rest -= BLOCK)
            check_block(block, rest < BLOCK ? (int)rest : BLOCK, (TestPairClass)c, &random, counts);
        print_row(test_pair_class_name((TestPairClass)c), &counts[0]);
        add(&total, &counts[0]);
    }
    print_row("total", &total);
    free(block);
    oracle_gmp_release();

    bool is_thorough = paths_every == 0 || paths_taken(&total, pair_count / paths_every);
    printf("oracle: seed %" PRIu64 ", %" PRId64 " pairs, %" PRId64 " differences%s\n", seed,
           total.pairs, difference_count, is_thorough ? "" : ", but too few on some path");
    return difference_count != 0 || !is_thorough;
}
