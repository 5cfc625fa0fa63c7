/* The public calls of triangles.h, as a user makes them: answers, mistakes, floating-point modes.
 */
#include "base/cpu.h"
#include "pairs.h"
#include "refuse.h"
#include "unheard.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float unit[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const float blade[9] = {.2f, .2f, -1, .2f, .2f, 1, 2, 2, 0};

static void test_signs(void **state)
{
    (void)state;
    const float a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0};
    assert_int_equal(pliant_orient3d(a, b, c, (float[3]){0, 0, -1}), 1);
    assert_int_equal(pliant_orient3d(a, b, c, (float[3]){0, 0, 1}), -1);
    assert_int_equal(pliant_orient3d(a, b, c, (float[3]){5, 7, 0}), 0);
    assert_int_equal(pliant_orient3d(a, b, c, (float[3]){5, 7, NAN}), 0);
    assert_int_equal(pliant_orient3d(a, b, c, (float[3]){5, INFINITY, 1}), 0);
    assert_int_equal(pliant_orient2d(a, b, c), 1);
    assert_int_equal(pliant_orient2d(b, a, c), -1);
    assert_int_equal(pliant_orient2d(a, a, c), 0);
    assert_int_equal(pliant_orient2d(a, b, (float[2]){NAN, 0}), 0);
}

static void test_one_pair(void **state)
{
    (void)state;
    assert_true(pliant_triangles_intersect(unit, blade));
    const uint32_t p[3] = {0, 1, 2}, q[3] = {3, 4, 5};
    assert_true(pliant_triangles_intersect_beyond_shared(unit, p, blade, q));
    assert_false(pliant_triangles_intersect_beyond_shared(unit, p, unit, p));
}

/* Pointers that are missing, which a compiler must not see. */
static void test_nulls(void **state)
{
    (void)state;
    const float *points[4] = {unit, unit + 3, unit + 6, blade};
    const uint32_t p[3] = {0, 1, 2}, q[3] = {3, 4, 5};
    for (int i = 0; i < 4; i++) {
        const float *some[4];
        memcpy(some, points, sizeof some);
        some[i] = NULL;
        assert_int_equal(pliant_orient3d(some[0], some[1], some[2], some[3]), 0);
        if (i < 3)
            assert_int_equal(pliant_orient2d(some[0], some[1], some[2]), 0);
    }
    for (int i = 0; i < 4; i++) {
        const float *a = i == 0 ? NULL : unit, *b = i == 1 ? NULL : blade;
        const uint32_t *a_vertices = i == 2 ? NULL : p, *b_vertices = i == 3 ? NULL : q;
        assert_false(pliant_triangles_intersect_beyond_shared(a, a_vertices, b, b_vertices));
        if (i < 2)
            assert_false(pliant_triangles_intersect(a, b));
    }
}

/* ---- Batches ----------------------------------------------------------------------------- */

enum { COUNT = 3000 };

typedef struct Batch {
    float a[COUNT][9], b[COUNT][9];
    uint32_t pairs[COUNT][2];
    uint8_t meets[COUNT];
    PliantTrianglePairs def;
    TestHost host;
} Batch;

static Batch *make_batch(void)
{
    Batch *batch = calloc(1, sizeof *batch);
    assert_non_null(batch);
    SceneRandom random = {5};
    for (uint32_t i = 0; i < COUNT; i++) {
        test_pair((TestPairClass)(i % TEST_PAIR_CLASS_COUNT), &random, batch->a[i], batch->b[i]);
        batch->pairs[i][0] = i;
        batch->pairs[i][1] = i % 3 ? i : scene_random_below(&random, COUNT);
    }
    test_host_init(&batch->host);
    batch->def = pliant_triangle_pairs_default();
    batch->def.a = batch->a[0];
    batch->def.a_count = COUNT;
    batch->def.b = batch->b[0];
    batch->def.b_count = COUNT;
    batch->def.pairs = batch->pairs[0];
    batch->def.pair_count = COUNT;
    batch->def.host = &batch->host.host;
    return batch;
}

static void test_batch_equals_one_by_one(void **state)
{
    (void)state;
    Batch *batch = make_batch();
    batch->a[7][4] = NAN;
    batch->b[11][0] = INFINITY;
    PliantTriangleCounts first = pliant_triangle_counts_default();
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512, PLIANT_CPU_ALL};
    for (int m = 0; m < 5; m++) {
        PliantTriangleCounts counts = pliant_triangle_counts_default();
        batch->def.cpu_mask = masks[m];
        memset(batch->meets, 0xee, sizeof batch->meets);
        assert_int_equal(pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT, &counts),
                         PLIANT_OK);
        int64_t meeting = 0;
        for (int i = 0; i < COUNT; i++) {
            bool meet = pliant_triangles_intersect(batch->a[i], batch->b[batch->pairs[i][1]]);
            assert_int_equal(batch->meets[i], meet);
            meeting += meet;
        }
        assert_int_equal(counts.intersecting, meeting);
        assert_int_equal(counts.pairs, COUNT);
        assert_in_range(counts.nonfinite, 2, 4); /* these two, and who else was paired with them */
        if (m == 0)
            first = counts;
        assert_memory_equal(&counts, &first, sizeof counts);
    }
    assert_int_equal(batch->host.calls, 0); /* allocates nothing */
    free(batch);
}

static void test_batch_counts_add_up(void **state)
{
    (void)state;
    Batch *batch = make_batch();
    PliantTriangleCounts counts = pliant_triangle_counts_default();
    pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT, &counts);
    int64_t meeting = counts.intersecting;
    pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT, &counts);
    assert_int_equal(counts.intersecting, 2 * meeting);
    assert_int_equal(counts.pairs, 2 * COUNT);
    assert_int_equal(pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT, NULL),
                     PLIANT_OK);
    batch->def.pair_count = 0;
    batch->def.pairs = NULL;
    assert_int_equal(pliant_triangle_pairs_intersect(&batch->def, NULL, 0, NULL), PLIANT_OK);
    free(batch);
}

/* A wrong def is refused, by a message that names the field, with nothing written. */
static void refuse(Batch *batch, const PliantTrianglePairs *def, PliantResult result,
                   const char *message)
{
    memset(batch->meets, 0xee, sizeof batch->meets);
    PliantTriangleCounts counts = pliant_triangle_counts_default(),
                         zero = pliant_triangle_counts_default();
    assert_int_equal(pliant_triangle_pairs_intersect(def, batch->meets, COUNT, &counts), result);
    assert_true(test_starts_with(batch->host.message, "pliant_triangle_pairs_intersect: "));
    assert_string_equal(strstr(batch->host.message, ": ") + 2, message);
    assert_int_equal(batch->host.result, result);
    assert_memory_equal(&counts, &zero, sizeof counts);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(batch->meets[i], 0xee);
}

static void test_batch_refuses_mistakes(void **state)
{
    (void)state;
    Batch *batch = make_batch();
    PliantTrianglePairs def = batch->def;
    def.a = NULL;
    refuse(batch, &def, PLIANT_BAD_ARGUMENT, "def.a is NULL");
    def = batch->def;
    def.b = NULL;
    refuse(batch, &def, PLIANT_BAD_ARGUMENT, "def.b is NULL");
    def = batch->def;
    def.pairs = NULL;
    refuse(batch, &def, PLIANT_BAD_ARGUMENT, "def.pairs is NULL");
    def = batch->def;
    def.a_count = -1;
    refuse(batch, &def, PLIANT_BAD_ARGUMENT, "def.a_count is -1");
    def = batch->def;
    def.b_count = -2;
    refuse(batch, &def, PLIANT_BAD_ARGUMENT, "def.b_count is -2");
    def = batch->def;
    def.pair_count = -3;
    refuse(batch, &def, PLIANT_BAD_ARGUMENT, "def.pair_count is -3");
    def.pair_count = INT64_MAX;
    refuse(batch, &def, PLIANT_TOO_LARGE, "def.pair_count is 9223372036854775807");

    batch->pairs[2000][1] = COUNT;
    refuse(batch, &batch->def, PLIANT_BAD_INDEX, "def.pairs[4001] is 3000, def.b_count is 3000");
    batch->pairs[1500][0] = UINT32_MAX;
    refuse(batch, &batch->def, PLIANT_BAD_INDEX,
           "def.pairs[3000] is 4294967295, def.a_count is 3000");
    free(batch);
}

/* What is written to: it is there, it is large enough, and counts are a record. */
static void test_batch_refuses_outputs(void **state)
{
    (void)state;
    Batch *batch = make_batch();
    PliantTriangleCounts counts = pliant_triangle_counts_default(), kept;
    REFUSE(batch->host, pliant_triangle_pairs_intersect(&batch->def, NULL, COUNT, &counts),
           PLIANT_BAD_ARGUMENT, "results is NULL");
    memset(batch->meets, 0xee, sizeof batch->meets);
    REFUSE(batch->host,
           pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT - 1, &counts),
           PLIANT_BAD_ARGUMENT, "capacity is 2999, def.pair_count is 3000");
    counts.struct_size = 8;
    kept = counts;
    REFUSE(batch->host, pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT, &counts),
           PLIANT_BAD_DEF, "counts.struct_size is 8");
    assert_memory_equal(&counts, &kept, sizeof counts);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(batch->meets[i], 0xee);
    batch->def.pair_count = COUNT - 1; /* what is beyond the last pair is left as it is */
    assert_int_equal(pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT, NULL),
                     PLIANT_OK);
    assert_int_equal(batch->meets[COUNT - 1], 0xee);
    batch->def.pair_count = 0;
    REFUSE(batch->host, pliant_triangle_pairs_intersect(&batch->def, NULL, -1, NULL),
           PLIANT_BAD_ARGUMENT, "capacity is -1");
    free(batch);
}

/* A caller with a newer header has counts that this library does not know. */
static void test_counts_of_a_newer_caller(void **state)
{
    (void)state;
    Batch *batch = make_batch();
    struct {
        PliantTriangleCounts counts;
        int64_t unknown;
    } newer = {pliant_triangle_counts_default(), 77};
    newer.counts.struct_size = sizeof newer;
    for (int i = 1; i < 3; i++) {
        assert_int_equal(
            pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT, &newer.counts),
            PLIANT_OK);
        assert_int_equal(newer.counts.pairs, i * COUNT);
        assert_int_equal(newer.counts.struct_size, sizeof newer);
        assert_int_equal(newer.unknown, 77);
    }
    free(batch);
}

/* Mistakes that there is no host to tell of. */
static void test_def_without_host(void **state)
{
    (void)state;
    PliantTrianglePairs def = pliant_triangle_pairs_default();
    REFUSE_UNHEARD(pliant_triangle_pairs_intersect(NULL, NULL, 0, NULL), PLIANT_BAD_ARGUMENT);
    def.struct_size = sizeof(void *);
    REFUSE_UNHEARD(pliant_triangle_pairs_intersect(&def, NULL, 0, NULL), PLIANT_BAD_DEF);
    Batch *batch = make_batch();
    batch->host.host.struct_size = 0;
    REFUSE_UNHEARD(pliant_triangle_pairs_intersect(&batch->def, batch->meets, COUNT, NULL),
                   PLIANT_BAD_DEF);
    assert_int_equal(batch->host.reports, 0); /* a hook that may be anywhere is not called */
    free(batch);
}

/* A caller with a newer header asks for something that this library does not know. */
static void test_def_of_a_newer_caller(void **state)
{
    (void)state;
    Batch *batch = make_batch();
    struct {
        PliantTrianglePairs def;
        size_t unknown;
    } newer = {batch->def, 1};
    newer.def.struct_size = sizeof newer;
    char message[128];
    snprintf(message, sizeof message,
             "def.struct_size is %zu: start from pliant_triangle_pairs_default()", sizeof newer);
    refuse(batch, &newer.def, PLIANT_BAD_DEF, message);
    newer.unknown = 0;
    assert_int_equal(pliant_triangle_pairs_intersect(&newer.def, batch->meets, COUNT, NULL),
                     PLIANT_OK);
    free(batch);
}

/* ---- The caller's floating-point modes --------------------------------------------------- */

typedef struct Answers {
    uint8_t batch[COUNT], single[COUNT], shared[COUNT];
    int8_t orient3[COUNT], orient2[COUNT];
} Answers;

static void all_answers(Batch *batch, Answers *answers)
{
    pliant_triangle_pairs_intersect(&batch->def, answers->batch, COUNT, NULL);
    for (int i = 0; i < COUNT; i++) {
        const float *a = batch->a[i], *b = batch->b[i];
        answers->single[i] = pliant_triangles_intersect(a, b);
        answers->shared[i] = pliant_triangles_intersect_beyond_shared(a, (uint32_t[3]){0, 1, 2}, b,
                                                                      (uint32_t[3]){0, 3, 4});
        answers->orient3[i] = (int8_t)pliant_orient3d(a, a + 3, a + 6, b);
        answers->orient2[i] = (int8_t)pliant_orient2d(a, a + 3, b);
    }
}

static void test_rounding_modes(void **state)
{
    (void)state;
    Batch *batch = make_batch();
    static Answers usual, other;
    all_answers(batch, &usual);
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int m = 0; m < 3; m++) {
        if (fesetround(modes[m]) != 0)
            continue;
        all_answers(batch, &other);
        int mode = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(mode, modes[m]); /* put back */
        assert_memory_equal(&usual, &other, sizeof usual);
    }
    free(batch);
}

#if defined(__x86_64__)
#define GET_MODES() ((uint64_t)__builtin_ia32_stmxcsr() & 0xffc0) /* without the flags */
#define SET_MODES(modes) __builtin_ia32_ldmxcsr((unsigned)(modes))
enum { FLUSH = 0x8040, MASKS = 0x1f80 }; /* flush to zero, denormals are zero; nothing traps */
#elif defined(__aarch64__)
static uint64_t get_modes(void)
{
    uint64_t modes;
    __asm__ volatile("mrs %0, fpcr" : "=r"(modes));
    return modes;
}
#define GET_MODES() get_modes()
#define SET_MODES(modes) __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)(modes)))
enum { FLUSH = 1 << 24, MASKS = 0 };
#endif

/* Flush modes, and exceptions that trap: on the library's inexact results, on denormals, on NaNs
 * that signal, each would change an answer or end the program. */
static void test_flush_and_trap_modes(void **state)
{
    (void)state;
#ifdef GET_MODES
    Batch *batch = make_batch();
    static const uint32_t odd[] = {0x7fa00000, 0x7fc00000, 0x7f800000, 0x00000001, 0x807fffff};
    for (int i = 0; i < COUNT; i += 50)
        memcpy(&batch->a[i][i % 9], &odd[i / 50 % 5], sizeof *odd);
    static Answers usual, other;
    all_answers(batch, &usual);
    const uint64_t before = GET_MODES();
    const uint64_t modes[] = {before | FLUSH, before & ~(uint64_t)MASKS,
                              (before | FLUSH) & ~(uint64_t)MASKS};
    for (int m = 0; m < 3; m++) {
        SET_MODES(modes[m]);
        all_answers(batch, &other);
        uint64_t after = GET_MODES();
        SET_MODES(before);
        assert_int_equal(after, modes[m]); /* put back */
        assert_memory_equal(&usual, &other, sizeof usual);
    }
    free(batch);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_one_pair),
        cmocka_unit_test(test_nulls),
        cmocka_unit_test(test_batch_equals_one_by_one),
        cmocka_unit_test(test_batch_counts_add_up),
        cmocka_unit_test(test_batch_refuses_mistakes),
        cmocka_unit_test(test_batch_refuses_outputs),
        cmocka_unit_test(test_counts_of_a_newer_caller),
        cmocka_unit_test(test_def_without_host),
        cmocka_unit_test(test_def_of_a_newer_caller),
        cmocka_unit_test(test_rounding_modes),
        cmocka_unit_test(test_flush_and_trap_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
