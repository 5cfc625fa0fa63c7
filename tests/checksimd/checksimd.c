/* checksimd: every kernel on every instruction set against its plain C reference.
 *
 *     checksimd            compare: lengths, alignments, nasty values, guarded ends
 *     checksimd --bench    time the same list
 *
 * A kernel must give the reference's result, to the bit or, where minimum and maximum are all that
 * there is, as numbers; write nothing outside its output, and read nothing outside its inputs:
 * these end at a page that cannot be touched. */
#include "kernels/kernels.h"
#include "pairs.h"
#include "walled.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failures;

/* ---- Memory that ends at a wall ---------------------------------------------------------- */

static void *last(Walled memory, size_t size)
{
    return walled_last(&memory, size);
}

/* For every check: inputs and an output that end at a wall each, the output at the fourth. */
enum { WALLS = 6, WALL_SIZE = 1 << 17 };
static Walled walls[WALLS];

/* ---- Versions and values ------------------------------------------------------------------- */

typedef struct Version {
    uint32_t cpu;
    PliKernels kernels;
} Version;

static int versions(Version list[4])
{
    static const uint32_t vertex_lists[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                            PLIANT_CPU_AVX512};
    int count = 0;
    for (size_t i = 0; i < sizeof vertex_lists / sizeof *vertex_lists; i++) {
        if (vertex_lists[i] != 0 && !(vertex_lists[i] & pliant_cpu_features()))
            continue;
        list[count].cpu = vertex_lists[i];
        pli_kernels_fill(&list[count++].kernels, vertex_lists[i]);
    }
    return count;
}

static void fail(const char *kernel, const Version *version, const char *what, int at)
{
    printf("%s %s: %s %d differs\n", kernel, pliant_cpu_name(version->cpu), what, at);
    failures++;
}

static float nasty_float(SceneRandom *random)
{
    static const float nasty[] = {NAN, -NAN,  INFINITY,  -INFINITY,
                                  0,   -0.0f, 0x1p-149f, 0x1.fffffep127f};
    return nasty[scene_random_below(random, 8)];
}

/* Whole numbers touch each other, others do not; one in `rarely` is no ordinary number. */
static float any_float(SceneRandom *random, uint32_t rarely)
{
    if (scene_random_below(random, rarely) == 0)
        return nasty_float(random);
    if (scene_random_below(random, 2))
        return (float)scene_random_below(random, 5) - 2;
    return test_random_float(random);
}

/* 0 is -0, and NaN is NaN. */
static bool is_same(float x, float y)
{
    return x == y || (isnan(x) && isnan(y));
}

static bool is_same_box(const PliBox *x, const PliBox *y)
{
    bool same = true;
    for (int k = 0; k < 3; k++)
        same &= is_same(x->low[k], y->low[k]) && is_same(x->high[k], y->high[k]);
    return same;
}

enum { GUARD = 32 };

/* Guards are filled before and checked after. */
static void fill_guards(unsigned char *bytes, size_t size)
{
    memset(bytes, 0xa5, size);
}

static bool are_guards_there(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < GUARD; i++)
        if (bytes[i] != 0xa5 || bytes[size - 1 - i] != 0xa5)
            return false;
    return true;
}

/* ---- filter_pairs ------------------------------------------------------------------------ */

/* A triangle of some class, now and then with something in it that is no number. */
static void nasty_pair(SceneRandom *random, float *a, float *b)
{
    test_pair((TestPairClass)scene_random_below(random, TEST_PAIR_CLASS_COUNT), random, a, b);
    while (scene_random_below(random, 8) == 0) {
        float *t = scene_random_below(random, 2) ? a : b;
        t[scene_random_below(random, 9)] = nasty_float(random);
    }
}

static uint8_t reference_verdict(const float *a, const float *b)
{
    uint8_t verdict;
    pli_filter_pairs_c(a, b, (const uint32_t[2]){0, 0}, 1, &verdict);
    return verdict;
}

/* A pair whose verdict hangs by the last bit: one coordinate is moved between a value with one
 * verdict and a value with another until they are neighbors, so that any other rounding shows. */
static void sensitive_pair(SceneRandom *random, float *a, float *b)
{
    test_pair(TEST_PAIR_near, random, a, b);
    float *moved = b + scene_random_below(random, 9);
    float low = *moved, high = a[scene_random_below(random, 9)];
    uint8_t low_verdict = reference_verdict(a, b);
    for (;;) {
        float middle = low + (high - low) / 2;
        if (middle == low || middle == high)
            return;
        *moved = middle;
        if (reference_verdict(a, b) == low_verdict)
            low = middle;
        else
            high = middle;
    }
}

enum { MAX_VALUE = 67 };

static void check_filter_length(const Version *version, int count, SceneRandom *random)
{
    /* Triangles and pairs end at the wall; with odd counts they start at every alignment. */
    float *a = last(walls[0], 36 * (size_t)count), *b = last(walls[1], 36 * (size_t)count);
    uint32_t *pairs = last(walls[2], 8 * (size_t)count);
    for (int i = 0; i < count; i++) {
        if (scene_random_below(random, 2))
            nasty_pair(random, a + 9 * i, b + 9 * i);
        else
            sensitive_pair(random, a + 9 * i, b + 9 * i);
        uint32_t index = scene_random_below(random, (uint32_t)i + 1);
        pairs[2 * i] = (uint32_t)i;
        pairs[2 * i + 1] = scene_random_below(random, 2) ? (uint32_t)i : index;
    }
    uint8_t wanted[MAX_VALUE + 2 * GUARD], got[MAX_VALUE + 2 * GUARD];
    memset(wanted, 0xa5, sizeof wanted);
    memset(got, 0xa5, sizeof got);
    pli_filter_pairs_c(a, b, pairs, count, wanted + GUARD);
    version->kernels.filter_pairs(a, b, pairs, count, got + GUARD);
    for (int i = 0; i < MAX_VALUE + 2 * GUARD; i++) {
        if (wanted[i] == got[i])
            continue;
        fail("filter_pairs", version, "verdict", i - GUARD);
        return;
    }
}

/* Triangles of one array, of which any corners may be said to be shared. */
static void check_shared_length(const Version *version, int count, SceneRandom *random)
{
    float *rows = last(walls[0], 36 * 2 * (size_t)count);
    uint32_t *pairs = last(walls[1], 8 * (size_t)count);
    uint8_t *shared = last(walls[2], (size_t)count);
    for (int i = 0; i < count; i++) {
        if (scene_random_below(random, 2))
            nasty_pair(random, rows + 18 * i, rows + 18 * i + 9);
        else
            sensitive_pair(random, rows + 18 * i, rows + 18 * i + 9);
        pairs[2 * i] = 2 * (uint32_t)i;
        pairs[2 * i + 1] = 2 * (uint32_t)i + 1;
        shared[i] = (uint8_t)scene_random_below(random, 64);
    }
    uint8_t wanted[MAX_VALUE + 2 * GUARD], got[MAX_VALUE + 2 * GUARD];
    memset(wanted, 0xa5, sizeof wanted);
    memset(got, 0xa5, sizeof got);
    pli_filter_shared_c(rows, pairs, shared, count, wanted + GUARD);
    version->kernels.filter_shared(rows, pairs, shared, count, got + GUARD);
    for (int i = 0; i < MAX_VALUE + 2 * GUARD; i++) {
        if (wanted[i] == got[i])
            continue;
        fail("filter_shared", version, "verdict", i - GUARD);
        return;
    }
}

static void check_filter_shared(const Version *version, SceneRandom *random)
{
    for (int length = 0; length <= MAX_VALUE; length++)
        check_shared_length(version, length, random);
}

static void check_filter_pairs(const Version *version, SceneRandom *random)
{
    for (int length = 0; length <= MAX_VALUE; length++)
        check_filter_length(version, length, random);
}

/* ---- filter_impacts ------------------------------------------------------------------------ */

static uint8_t reference_impact(const float *start, const float *end, bool are_edges,
                                PliApart apart)
{
    uint8_t is_open;
    pli_filter_impacts_c(start, end, are_edges, (const uint32_t[4]){0, 1, 2, 3}, 1, apart,
                         &is_open);
    return is_open;
}

/* Four vertices on a short way, of which one coordinate is moved until the answer hangs by its last
 * bit. */
static void sensitive_motion(SceneRandom *random, float *start, float *end, bool are_edges,
                             PliApart apart)
{
    float *moved = end + scene_random_below(random, 12);
    for (int i = 0; i < 12; i++) {
        start[i] = test_random_float(random);
        end[i] = start[i] + 0.25f * test_random_float(random);
    }
    float low = *moved, high = *moved + 4 * test_random_float(random);
    const uint8_t low_answer = reference_impact(start, end, are_edges, apart);
    for (;;) {
        const float middle = low + (high - low) / 2;
        if (middle == low || middle == high)
            return;
        *moved = middle;
        if (reference_impact(start, end, are_edges, apart) == low_answer)
            low = middle;
        else
            high = middle;
    }
}

static void check_impacts_length(const Version *version, int count, SceneRandom *random)
{
    /* Tables and pairs end at the wall: nothing is read beyond the last vertex. */
    float *start = last(walls[0], 48 * (size_t)count), *end = last(walls[1], 48 * (size_t)count);
    uint32_t *pairs = last(walls[2], 16 * (size_t)count);
    const bool are_edges = scene_random_below(random, 2);
    const PliApart apart = {scene_random_below(random, 2) ? 1 : (float)scene_random(random),
                            scene_random_below(random, 2) ? 0 : (float)scene_random(random)};
    for (int i = 0; i < count; i++) {
        float *from = start + 12 * i, *to = end + 12 * i;
        if (scene_random_below(random, 2))
            sensitive_motion(random, from, to, are_edges, apart);
        else
            for (int k = 0; k < 12; k++) {
                from[k] = any_float(random, 64);
                to[k] = any_float(random, 64);
            }
        for (int k = 0; k < 4; k++)
            pairs[4 * i + k] = scene_random_below(random, 8)
                                   ? (uint32_t)(4 * i + k)
                                   : scene_random_below(random, 4 * (uint32_t)count);
    }
    uint8_t wanted[MAX_VALUE + 2 * GUARD], got[MAX_VALUE + 2 * GUARD];
    memset(wanted, 0xa5, sizeof wanted);
    memset(got, 0xa5, sizeof got);
    PliFilterImpacts *const references[] = {pli_filter_impacts_c, pli_filter_impact_parts_c,
                                            pli_filter_apart_c},
                            *const tested[] = {version->kernels.filter_impacts,
                                               version->kernels.filter_impact_parts,
                                               version->kernels.filter_apart};
    const uint32_t which = scene_random_below(random, 3);
    references[which](start, end, are_edges, pairs, count, apart, wanted + GUARD);
    tested[which](start, end, are_edges, pairs, count, apart, got + GUARD);
    for (int i = 0; i < MAX_VALUE + 2 * GUARD; i++) {
        if (wanted[i] == got[i])
            continue;
        fail("filter_impacts", version, "answer", i - GUARD);
        return;
    }
}

static void check_filter_impacts(const Version *version, SceneRandom *random)
{
    for (int length = 0; length <= MAX_VALUE; length++)
        check_impacts_length(version, length, random);
}

/* ---- find_near ------------------------------------------------------------------------------- */

/* Four points of two features: anywhere, of whole numbers, so that signs are 0 and ends meet, or of
 * these with a last bit more or less. */
static void four_points(SceneRandom *random, float *points)
{
    const uint32_t kind = scene_random_below(random, 4);
    for (int i = 0; i < 12; i++) {
        const float whole = (float)scene_random_below(random, 4) - 1;
        points[i] = kind == 0   ? whole
                    : kind == 1 ? whole + 0x1p-20f * test_random_float(random)
                    : kind == 2 ? ldexpf(test_random_float(random),
                                         (int)scene_random_below(random, 60) - 30)
                                : test_random_float(random);
    }
}

/* A distance that one of the pairs has, or one of its neighbors. */
static float some_distance(SceneRandom *random, const float *table, bool are_edges,
                           const uint32_t *pairs, int count)
{
    PliClosest closest;
    uint8_t nearness;
    const uint32_t *pair = pairs + 4 * scene_random_below(random, (uint32_t)count);
    pli_find_near_c(table, are_edges, pair, 1, 0x1p60f, &nearness, &closest);
    if (nearness != PLI_NEAR || scene_random_below(random, 4) == 0)
        return 0.5f;
    const uint32_t kind = scene_random_below(random, 3);
    return kind == 0 ? closest.distance : nextafterf(closest.distance, kind == 1 ? 0 : INFINITY);
}

/* To the bit: a zero is not a negative zero. */
static bool is_same_closest(const PliClosest *a, const PliClosest *b)
{
    uint32_t bits[2][8];
    for (int i = 0; i < 2; i++) {
        const PliClosest *closest = i == 0 ? a : b;
        memcpy(bits[i], &closest->distance, sizeof closest->distance);
        memcpy(bits[i] + 1, closest->weights, sizeof closest->weights);
        memcpy(bits[i] + 5, closest->normal, sizeof closest->normal);
    }
    return memcmp(bits[0], bits[1], sizeof bits[0]) == 0 && a->region == b->region;
}

static void check_near_length(const Version *version, int count, SceneRandom *random)
{
    float *table = last(walls[0], 48 * (size_t)count);
    uint32_t *pairs = last(walls[1], 16 * (size_t)count);
    const bool are_edges = scene_random_below(random, 2);
    for (int i = 0; i < count; i++) {
        four_points(random, table + 12 * i);
        for (int k = 0; k < 4; k++)
            pairs[4 * i + k] = scene_random_below(random, 8)
                                   ? (uint32_t)(4 * i + k)
                                   : scene_random_below(random, 4 * (uint32_t)count);
    }
    const float distance = count > 0 ? some_distance(random, table, are_edges, pairs, count) : 1;
    PliClosest wanted[MAX_VALUE], got[MAX_VALUE];
    uint8_t wanted_nearness[MAX_VALUE + 2 * GUARD], nearness[MAX_VALUE + 2 * GUARD];
    memset(wanted_nearness, 0xa5, sizeof wanted_nearness);
    memset(nearness, 0xa5, sizeof nearness);
    pli_find_near_c(table, are_edges, pairs, count, distance, wanted_nearness + GUARD, wanted);
    version->kernels.find_near(table, are_edges, pairs, count, distance, nearness + GUARD, got);
    for (int i = 0; i < MAX_VALUE + 2 * GUARD; i++)
        if (wanted_nearness[i] != nearness[i]) {
            fail("find_near", version, "nearness", i - GUARD);
            return;
        }
    for (int i = 0; i < count; i++)
        if (nearness[GUARD + i] == PLI_NEAR && !is_same_closest(&wanted[i], &got[i]))
            fail("find_near", version, "pair", i);
}

static void check_find_near(const Version *version, SceneRandom *random)
{
    for (int length = 0; length <= MAX_VALUE; length++)
        check_near_length(version, length, random);
}

/* ---- drop_far -------------------------------------------------------------------------------- */

/* Features and rows of few vertices, with points as above; pairs of any of them. */
static void check_far_length(const Version *version, int count, SceneRandom *random)
{
    enum { CORNERS = PLI_FEATURE_CORNERS, VERTICES = 40 };
    const uint32_t size = 1 + (uint32_t)count;
    PliCorner *features = last(walls[0], sizeof *features * CORNERS * size);
    float *rows = last(walls[1], sizeof *rows * PLI_ROW_SIZE * size);
    uint32_t *vertices = last(walls[2], 4 * sizeof *vertices * size),
             *pairs = last(walls[3], 2 * sizeof *pairs * (size_t)count);
    for (uint32_t i = 0; i < size; i++) {
        float points[12];
        four_points(random, points);
        for (int k = 0; k < CORNERS; k++) {
            memcpy(features[CORNERS * i + (uint32_t)k].point, points + 3 * k, 3 * sizeof *points);
            features[CORNERS * i + (uint32_t)k].vertex = scene_random_below(random, VERTICES);
        }
        four_points(random, points);
        memcpy(rows + PLI_ROW_SIZE * (size_t)i, points, PLI_ROW_SIZE * sizeof *rows);
        for (uint32_t k = 0; k < 4; k++)
            vertices[4 * i + k] = scene_random_below(random, VERTICES);
    }
    for (int i = 0; i < 2 * count; i++)
        pairs[i] = scene_random_below(random, size);
    const bool are_edges = scene_random_below(random, 2);
    const PliFarPairs in = {.features = features,
                            .rows = are_edges ? NULL : rows,
                            .vertices = vertices,
                            .pairs = pairs,
                            .count = count,
                            .distance = 0.25f * (float)scene_random_below(random, 4),
                            .is_self = scene_random_below(random, 2)};
    uint32_t wanted[MAX_VALUE], got[MAX_VALUE + 16 + GUARD];
    memset(got, 0xa5, sizeof got);
    const int32_t left = pli_drop_far_c(&in, wanted);
    if (version->kernels.drop_far(&in, got) != left ||
        memcmp(wanted, got, (size_t)left * sizeof *got) != 0)
        fail("drop_far", version, "one of the pairs,", count);
    for (int i = left + 16; i < MAX_VALUE + 16 + GUARD; i++)
        if (got[i] != 0xa5a5a5a5)
            fail("drop_far", version, "guard", i);
}

static void check_mask_neighbors(const Version *version, SceneRandom *random)
{
    PliCorner features[PLI_LEAF_SIZE][PLI_FEATURE_CORNERS] = {{{.vertex = 0}}};
    PliExclusionMask wanted, got;
    memset(&wanted, 0xa5, sizeof wanted);
    memset(&got, 0xa5, sizeof got);
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        for (int k = 0; k < PLI_FEATURE_CORNERS; k++)
            features[i][k].vertex = scene_random_below(random, 30) * 0x11111111u;
    pli_mask_neighbors_c(features[0], &wanted);
    version->kernels.mask_neighbors(features[0], &got);
    if (memcmp(&wanted, &got, sizeof got) != 0)
        fail("mask_neighbors", version, "mask", 0);
}

static void check_drop_far(const Version *version, SceneRandom *random)
{
    for (int length = 0; length <= MAX_VALUE; length++)
        check_far_length(version, length, random);
}

/* ---- time_impacts ---------------------------------------------------------------------------- */

static void check_times_length(const Version *version, int count, SceneRandom *random)
{
    float *tables[2] = {last(walls[0], 48 * (size_t)count), last(walls[1], 48 * (size_t)count)};
    uint32_t *pairs = last(walls[2], 16 * (size_t)count);
    const bool are_edges = scene_random_below(random, 2);
    for (int i = 0; i < count; i++) {
        four_points(random, tables[0] + 12 * i);
        four_points(random, tables[1] + 12 * i);
        for (int end = 0; end < 2 && scene_random_below(random, 16) == 0; end++)
            tables[end][12 * i + (int)scene_random_below(random, 12)] = any_float(random, 4);
        for (int k = 0; k < 4; k++)
            pairs[4 * i + k] = scene_random_below(random, 8)
                                   ? (uint32_t)(4 * i + k)
                                   : scene_random_below(random, 4 * (uint32_t)count);
    }
    float wanted[MAX_VALUE + 2 * GUARD], got[MAX_VALUE + 2 * GUARD];
    memset(wanted, 0xa5, sizeof wanted);
    memset(got, 0xa5, sizeof got);
    pli_time_impacts_c(tables[0], tables[1], are_edges, pairs, count, wanted + GUARD);
    version->kernels.time_impacts(tables[0], tables[1], are_edges, pairs, count, got + GUARD);
    for (int i = 0; i < MAX_VALUE + 2 * GUARD; i++)
        if (!is_same(wanted[i], got[i])) {
            fail("time_impacts", version, "time", i - GUARD);
            return;
        }
}

static void check_time_impacts(const Version *version, SceneRandom *random)
{
    for (int length = 0; length <= MAX_VALUE; length++)
        check_times_length(version, length, random);
}

/* ---- box_features ---------------------------------------------------------------------------- */

static void check_box_features(const Version *version, SceneRandom *random)
{
    enum { MAX_GROUPS = 3, ALL = MAX_GROUPS * PLI_LEAF_SIZE };
    const int count = (int)scene_random_below(random, ALL + 1), groups = (count + 15) / 16;
    const uint32_t point_count = 1 + scene_random_below(random, 48);
    float *table = last(walls[0], 12 * (size_t)point_count);
    uint32_t *points =
        last(walls[1], sizeof *points * PLI_FEATURE_STRIDE * PLI_LEAF_SIZE * (size_t)groups);
    PliLeafBoxes wanted[MAX_GROUPS + 1], got[MAX_GROUPS + 1];
    memset(wanted, 0x5a, sizeof wanted);
    memset(got, 0x5a, sizeof got);
    for (uint32_t i = 0; i < 3 * point_count; i++)
        table[i] = any_float(random, UINT32_MAX);
    for (int i = 0; i < PLI_FEATURE_STRIDE * PLI_LEAF_SIZE * groups; i++)
        points[i] = scene_random_below(random, point_count);
    pli_box_features_c(table, points, count, wanted);
    version->kernels.box_features(table, points, count, got);
    for (int g = 0; g <= MAX_GROUPS; g++) {
        bool same = g >= groups || is_same_box(&wanted[g].all, &got[g].all);
        for (int i = 0; i < PLI_LEAF_SIZE; i++)
            for (int k = 0; k < 3; k++)
                same &= is_same(wanted[g].low[k][i], got[g].low[k][i]) &&
                        is_same(wanted[g].high[k][i], got[g].high[k][i]);
        if (!same)
            fail("box_features", version, "group", g);
    }
}

static void check_widen_boxes(const Version *version, SceneRandom *random)
{
    PliLeafBoxes wanted[3], got[3];
    memset(wanted, 0x5a, sizeof wanted);
    const int count = (int)scene_random_below(random, 3);
    for (int g = 0; g < count; g++)
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < PLI_LEAF_SIZE; i++) {
                wanted[g].low[k][i] = any_float(random, 20);
                wanted[g].high[k][i] = any_float(random, 20);
            }
            wanted[g].all.low[k] = any_float(random, 20);
            wanted[g].all.high[k] = any_float(random, 20);
        }
    memcpy(got, wanted, sizeof got);
    const float d = fabsf(test_random_float(random));
    pli_widen_boxes_c(wanted, count, d);
    version->kernels.widen_boxes(got, count, d);
    for (int g = 0; g < 3; g++) {
        bool same = is_same_box(&wanted[g].all, &got[g].all);
        for (int i = 0; i < PLI_LEAF_SIZE; i++)
            for (int k = 0; k < 3; k++)
                same &= is_same(wanted[g].low[k][i], got[g].low[k][i]) &&
                        is_same(wanted[g].high[k][i], got[g].high[k][i]);
        if (!same)
            fail("widen_boxes", version, "group", g);
    }
}

/* ---- box_lists ------------------------------------------------------------------------------- */

enum { LISTS = 9, VERTICES = 90, MAX_BLOCKS = 9 };

/* Vertices whose last float is the last before the wall. What lies between them is never a bound of
 * theirs, so that a gap that is taken for a coordinate shows. */
static PliVertexView walled_vertices(SceneRandom *random, uint32_t count, Walled memory)
{
    static const size_t strides[] = {12, 16, 20, 32};
    size_t stride = strides[scene_random_below(random, 4)], size = stride * (count - 1) + 12;
    char *data = last(memory, size);
    const uint32_t rarely = scene_random_below(random, 4) == 0 ? 3 : 64;
    for (size_t i = 0; i < size / 4; i++) {
        float value = scene_random_below(random, 2) ? 1e30f : -1e30f;
        if (i * 4 % stride < 12)
            value = any_float(random, rarely);
        memcpy(data + 4 * i, &value, 4);
    }
    return (PliVertexView){data, stride, count};
}

/* Blocks, perhaps, and then rising numbers below count. Often the last vertex of all is in it, at
 * the end of either. */
static PliVertexList random_list(SceneRandom *random, uint32_t count, uint32_t *numbers)
{
    PliVertexList list = {0};
    int32_t most = count < PLI_BLOCK ? 0 : (int32_t)scene_random_below(random, MAX_BLOCKS + 1);
    for (; list.block_count < most; list.block_count++) {
        uint32_t first = scene_random_below(random, count - PLI_BLOCK + 1);
        *numbers++ = scene_random_below(random, 4) == 0 ? count - PLI_BLOCK : first;
    }
    uint32_t step = 1 + scene_random_below(random, 12);
    for (uint32_t n = scene_random_below(random, count + 1); n < count;
         n += 1 + scene_random_below(random, step))
        numbers[list.single_count++] = n;
    if (list.single_count == 0 || numbers[list.single_count - 1] != count - 1)
        if (scene_random_below(random, 2))
            numbers[list.single_count++] = count - 1;
    return list;
}

static void check_box_lists(const Version *version, SceneRandom *random)
{
    PliVertexView vertices =
        walled_vertices(random, 1 + scene_random_below(random, VERTICES), walls[0]);
    uint32_t scratch[LISTS * (MAX_BLOCKS + VERTICES + 1)], number_count = 0;
    PliVertexList *lists = last(walls[2], LISTS * sizeof *lists);
    for (int i = 0; i < LISTS; i++) {
        lists[i] = random_list(random, vertices.count, scratch + number_count);
        lists[i].first = (int32_t)number_count;
        number_count += (uint32_t)(lists[i].block_count + lists[i].single_count);
    }
    uint32_t *numbers = last(walls[1], 4 * (size_t)number_count);
    memcpy(numbers, scratch, 4 * (size_t)number_count);

    struct {
        unsigned char before[GUARD];
        PliBox boxes[LISTS];
        unsigned char after[GUARD];
    } wanted, got;
    int count = 1 + (int)scene_random_below(random, LISTS);
    fill_guards((unsigned char *)&got, sizeof got);
    pli_box_lists_c(&vertices, numbers, lists + LISTS - count, count, wanted.boxes);
    version->kernels.box_lists(&vertices, numbers, lists + LISTS - count, count, got.boxes);
    for (int i = 0; i < count; i++)
        if (!is_same_box(&wanted.boxes[i], &got.boxes[i]))
            fail("box_lists", version, "box", i);
    if (!are_guards_there((unsigned char *)&got, sizeof got))
        fail("box_lists", version, "guard of", count);
}

/* ---- fetch_leaf ------------------------------------------------------------------------------ */

static PliTransform random_transform(SceneRandom *random)
{
    PliTransform transform;
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++)
            transform.columns[j][k] = any_float(random, 100);
    return transform;
}

static void compare_leaves(const Version *version, int32_t count, const float *wanted_rows,
                           const PliLeafBoxes *wanted, const float *rows, const PliLeafBoxes *got)
{
    for (int32_t i = 0; i < PLI_ROW_SIZE * count; i++)
        if (!is_same(wanted_rows[i], rows[i])) {
            fail("fetch_leaf", version, "float", i);
            return;
        }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < PLI_LEAF_SIZE; i++)
            if (!is_same(wanted->low[k][i], got->low[k][i]) ||
                !is_same(wanted->high[k][i], got->high[k][i])) {
                fail("fetch_leaf", version, "triangle", i);
                return;
            }
    if (!is_same_box(&wanted->all, &got->all))
        fail("fetch_leaf", version, "box of all, triangles", count);
}

/* The wide versions are never given the last vertex, of which there is no fourth float. */
static void check_fetch_leaf(const Version *version, SceneRandom *random)
{
    PliVertexView vertices =
        walled_vertices(random, 2 + scene_random_below(random, VERTICES), walls[0]);
    uint32_t usable = version->cpu == PLIANT_CPU_NONE ? vertices.count : vertices.count - 1;
    int32_t count = 1 + (int32_t)scene_random_below(random, PLI_LEAF_SIZE);
    uint32_t *corners = last(walls[1], 12 * (size_t)count);
    for (int32_t i = 0; i < 3 * count; i++)
        corners[i] = scene_random_below(random, usable);
    if (scene_random_below(random, 2))
        corners[scene_random_below(random, 3 * (uint32_t)count)] = usable - 1;
    PliTransform transform = random_transform(random);
    const PliTransform *used = scene_random_below(random, 2) ? &transform : NULL;

    enum { ROWS_SIZE = PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof(float) };
    float wanted_rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    unsigned char *rows = last(walls[3], ROWS_SIZE + GUARD);
    struct {
        unsigned char before[GUARD];
        PliLeafBoxes boxes;
        unsigned char after[GUARD];
    } wanted, got;
    fill_guards(rows, ROWS_SIZE + GUARD);
    fill_guards((unsigned char *)&got, sizeof got);
    pli_fetch_leaf_c(&vertices, corners, count, used, wanted_rows, &wanted.boxes);
    version->kernels.fetch_leaf(&vertices, corners, count, used, (float *)(rows + GUARD),
                                &got.boxes);
    compare_leaves(version, count, wanted_rows, &wanted.boxes, (float *)(rows + GUARD), &got.boxes);
    bool is_kept = are_guards_there((unsigned char *)&got, sizeof got);
    for (int i = 0; i < GUARD; i++)
        is_kept &= rows[i] == 0xa5;
    if (!is_kept)
        fail("fetch_leaf", version, "guard, triangles", count);
}

/* ---- overlap_nodes, overlap_leaves
 * ----------------------------------------------------------------- */

/* A box that is not there, or one of which an end may be odd. */
static PliBox random_box(SceneRandom *random, uint32_t absent)
{
    PliBox box = {{NAN, NAN, NAN, 0}, {NAN, NAN, NAN, 0}};
    if (scene_random_below(random, absent) == 0)
        return box;
    for (int k = 0; k < 3; k++) {
        float x = any_float(random, 50), y = any_float(random, 50);
        box.low[k] = x < y ? x : y;
        box.high[k] = x < y ? y : x;
    }
    return box;
}

static PliBoxes *random_node(SceneRandom *random, Walled memory)
{
    PliBoxes *node = last(memory, sizeof *node);
    const uint32_t absent = 1 + scene_random_below(random, 9);
    for (int i = 0; i < 8; i++) {
        PliBox box = random_box(random, absent);
        for (int k = 0; k < 3; k++) {
            node->low[k][i] = box.low[k];
            node->high[k][i] = box.high[k];
        }
    }
    return node;
}

static void check_overlap_nodes(const Version *version, SceneRandom *random)
{
    const PliBoxes *a = random_node(random, walls[0]), *b = random_node(random, walls[1]);
    uint64_t wanted = pli_overlap_nodes_c(a, b), got = version->kernels.overlap_nodes(a, b);
    if (wanted != got)
        fail("overlap_nodes", version, "bit", __builtin_ctzll(wanted ^ got));
}

static void random_leaf(SceneRandom *random, PliLeafBoxes *leaf)
{
    const uint32_t absent = 1 + scene_random_below(random, 9);
    leaf->all = pli_box_empty();
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        PliBox box = random_box(random, absent);
        for (int k = 0; k < 3; k++) {
            leaf->low[k][i] = box.low[k];
            leaf->high[k][i] = box.high[k];
        }
        pli_box_add(&leaf->all, &box);
    }
}

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* The same pairs, as often. Their order is left open: what intersects is sorted later. */
static bool are_same_pairs(const uint32_t *x, const uint32_t *y, int32_t count)
{
    static uint64_t pairs[2][PLI_LEAF_PAIRS * PLI_LEAF_SIZE * PLI_LEAF_SIZE];
    memcpy(pairs[0], x, 8 * (size_t)count);
    memcpy(pairs[1], y, 8 * (size_t)count);
    for (int i = 0; i < 2; i++)
        qsort(pairs[i], (size_t)count, sizeof pairs[i][0], by_number);
    return memcmp(pairs[0], pairs[1], 8 * (size_t)count) == 0;
}

static void random_exclusion_mask(SceneRandom *random, bool is_one_leaf,
                                  PliExclusionMask *exclusion_masks)
{
    const uint32_t all = scene_random_below(random, 3) == 0 ? 0xffff : 0;
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        exclusion_masks->a[i] = (uint16_t)(scene_random_below(random, 1 << 16) | all);
    for (int j = 0; j < PLI_LEAF_SIZE; j++) {
        exclusion_masks->b[j] = 0;
        for (int i = 0; i < PLI_LEAF_SIZE; i++)
            exclusion_masks->b[j] |= (uint16_t)((exclusion_masks->a[i] >> j & 1) << i);
    }
    if (is_one_leaf)
        exclusion_masks->a[PLI_LEAF_SIZE / 2 - 1] |= 0xff00;
}

static void check_overlap_leaves(const Version *version, SceneRandom *random)
{
    enum { LEAVES = 7, ROOM = 2 * (PLI_LEAF_PAIRS * PLI_LEAF_SIZE * PLI_LEAF_SIZE + 8) };
    static uint32_t wanted[ROOM];
    PliLeafBoxes *leaves = last(walls[0], LEAVES * sizeof *leaves);
    for (int i = 0; i < LEAVES; i++)
        random_leaf(random, &leaves[i]);
    int32_t pair_count = (int32_t)scene_random_below(random, PLI_LEAF_PAIRS + 1);
    uint32_t *leaf_pairs = last(walls[1], 8 * (size_t)pair_count);
    for (int32_t i = 0; i < 2 * pair_count; i++)
        leaf_pairs[i] = scene_random_below(random, LEAVES);

    /* No more room than has to be there. */
    size_t room = 8 * (PLI_LEAF_SIZE * PLI_LEAF_SIZE * (size_t)pair_count + 8);
    unsigned char *before = last(walls[3], room + GUARD);
    uint32_t *got = (uint32_t *)(before + GUARD);
    memset(before, 0xa5, GUARD);
    static PliExclusionMask exclusion_masks[PLI_LEAF_PAIRS];
    const PliExclusionMask *of_pairs[PLI_LEAF_PAIRS], *const *given = of_pairs;
    for (int32_t i = 0; i < pair_count; i++) {
        random_exclusion_mask(random, leaf_pairs[2 * i] == leaf_pairs[2 * i + 1],
                              &exclusion_masks[i]);
        of_pairs[i] = &exclusion_masks[i];
    }
    if (scene_random_below(random, 2) == 0)
        given = NULL;
    int32_t count = pli_overlap_leaves_c(leaves, leaf_pairs, pair_count, given, wanted);
    if (version->kernels.overlap_leaves(leaves, leaf_pairs, pair_count, given, got) != count)
        fail("overlap_leaves", version, "count", count);
    else if (!are_same_pairs(wanted, got, count))
        fail("overlap_leaves", version, "one of the pairs,", count);
    for (int i = 0; i < GUARD; i++)
        if (before[i] != 0xa5)
            fail("overlap_leaves", version, "guard", i);
}

/* ---- face_leaf --------------------------------------------------------------------------------
 */

/* Rows of up to sixteen triangles, some with corners in line, and no more than that to be read. */
static void check_face_leaf(const Version *version, SceneRandom *random)
{
    float *rows = last(walls[0], PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof *rows);
    const int32_t count = 1 + (int32_t)scene_random_below(random, PLI_LEAF_SIZE);
    const bool is_grid = scene_random_below(random, 2) == 0;
    for (int i = 0; i < PLI_LEAF_SIZE * PLI_ROW_SIZE; i++)
        rows[i] = is_grid ? (float)scene_random_below(random, 4) : any_float(random, 16);
    PliFacing wanted, got;
    memset(&wanted, 0xa5, sizeof wanted);
    memset(&got, 0xa5, sizeof got);
    pli_face_leaf_c(rows, count, &wanted);
    version->kernels.face_leaf(rows, count, &got);
    if (memcmp(wanted.faces, got.faces, sizeof got.faces) != 0)
        fail("face_leaf", version, "directions of", count);
    if (memcmp(wanted.rises, got.rises, sizeof got.rises) != 0 ||
        memcmp(wanted.falls, got.falls, sizeof got.falls) != 0)
        fail("face_leaf", version, "steps of", count);
}

/* ---- weighted_sum, move_boxes, place_points
 * ----------------------------------------------------------
 */

/* Numbers that end at a wall. */
static float *walled_floats(SceneRandom *random, Walled memory, int32_t count, uint32_t rarely)
{
    float *numbers = last(memory, sizeof(float) * (size_t)count);
    for (int32_t i = 0; i < count; i++)
        numbers[i] = any_float(random, rarely);
    return numbers;
}

/* Room for an output that ends at a wall, with a guard before it. */
static float *guarded_output(int32_t count)
{
    unsigned char *before = last(walls[3], sizeof(float) * (size_t)count + GUARD);
    memset(before, 0xa5, GUARD);
    return (float *)(before + GUARD);
}

static void compare_output(const char *kernel, const Version *version, const float *wanted,
                           const float *got, int32_t count)
{
    const unsigned char *before = (const unsigned char *)got - GUARD;
    for (int i = 0; i < GUARD; i++)
        if (before[i] != 0xa5)
            fail(kernel, version, "guard", i);
    for (int32_t i = 0; i < count; i++)
        if (!is_same(wanted[i], got[i])) {
            fail(kernel, version, "number", i);
            return;
        }
}

/* ---- joint_sums ------------------------------------------------------------------------------ */

static PliTransform any_joint(SceneRandom *random, uint32_t rarely)
{
    PliTransform transform;
    for (int c = 0; c < 4; c++)
        transform.columns[c] = (PliFloat4){any_float(random, rarely), any_float(random, rarely),
                                           any_float(random, rarely), 0};
    return transform;
}

static void check_joint_sums(const Version *version, SceneRandom *random)
{
    enum { JOINTS = 40 };
    static const int32_t slab_counts[] = {3, 7, 9, 9, 9, 9};
    const int32_t slab_count = slab_counts[scene_random_below(random, 6)];
    const int32_t joint_count = 1 + (int32_t)scene_random_below(random, JOINTS);
    const int32_t used_count = (int32_t)scene_random_below(random, (uint32_t)joint_count + 1);
    const uint32_t rarely = scene_random_below(random, 2) ? 30 : UINT32_MAX;
    PliTransform *joints = last(walls[0], sizeof *joints * (size_t)joint_count);
    uint16_t *used = last(walls[1], sizeof *used * (size_t)used_count);
    PliSlabSum *got = last(walls[2], 3 * sizeof *got * (size_t)joint_count);
    static PliSlabSum wanted[3 * JOINTS];
    const PliTransform map = any_joint(random, rarely);
    for (int32_t i = 0; i < joint_count; i++)
        joints[i] = any_joint(random, rarely);
    for (int32_t i = 0; i < used_count; i++)
        used[i] = (uint16_t)(i + joint_count - used_count);
    memset(wanted, 0, sizeof wanted);
    memset(got, 0, 3 * sizeof *got * (size_t)joint_count);
    pli_joint_sums_c(&map, joints, used, used_count, slab_count, wanted);
    version->kernels.joint_sums(&map, joints, used, used_count, slab_count, got);
    for (int32_t s = 0; s < 3 * joint_count; s++) {
        bool same = memcmp(wanted[s].low, got[s].low, 3) == 0 &&
                    memcmp(wanted[s].high, got[s].high, 3) == 0 &&
                    is_same(wanted[s].low_offset, got[s].low_offset) &&
                    is_same(wanted[s].high_offset, got[s].high_offset);
        for (int i = 0; i < 3; i++)
            same &= is_same(wanted[s].factors[i], got[s].factors[i]);
        if (!same)
            fail("joint_sums", version, "sum", s);
    }
}

/* ---- ray_boxes ----------------------------------------------------------------------------- */

/* A line of an octant: its inverse is NaN or infinite now and then. */
static PliRayLine random_line(SceneRandom *random, uint32_t octant)
{
    PliRayLine line = {.octant = octant};
    for (int k = 0; k < 3; k++) {
        const float d = any_float(random, 20);
        const float size = d == 0 ? INFINITY : fabsf(d);
        do
            line.origin[k] = any_float(random, 20);
        while (!isfinite(line.origin[k]));
        line.inverse[k] = octant >> k & 1 ? -size : size;
    }
    line.end = scene_random_below(random, 2) ? INFINITY : (float)scene_random(random) * 4;
    return line;
}

static void compare_ray_boxes(const Version *version, SceneRandom *random, const float *boxes,
                              int32_t count)
{
    enum { RAYS = 5 };
    PliRayLine lines[RAYS];
    PliRayItem items[RAYS];
    uint32_t wanted_bits[RAYS], got_bits[RAYS];
    float wanted[RAYS * PLI_LEAF_SIZE];
    const uint32_t octant = scene_random_below(random, 8);
    const int32_t ray_count = 1 + (int32_t)scene_random_below(random, RAYS);
    for (int32_t i = 0; i < RAYS; i++) {
        lines[i] = random_line(random, octant);
        items[i] = (PliRayItem){(int32_t)scene_random_below(random, RAYS), 0};
    }
    float *got = guarded_output(ray_count * count);
    pli_ray_boxes_c(lines, items, ray_count, boxes, count, wanted_bits, wanted);
    version->kernels.ray_boxes(lines, items, ray_count, boxes, count, got_bits, got);
    for (int32_t i = 0; i < ray_count; i++)
        if (wanted_bits[i] != got_bits[i])
            fail("ray_boxes", version, "bits", i);
    compare_output("ray_boxes", version, wanted, got, ray_count * count);
}

static void check_ray_boxes(const Version *version, SceneRandom *random)
{
    const PliBoxes *node = random_node(random, walls[0]);
    compare_ray_boxes(version, random, node->low[0], PLI_GROUP);
    PliLeafBoxes *leaf = last(walls[1], sizeof *leaf);
    random_leaf(random, leaf);
    compare_ray_boxes(version, random, leaf->low[0], PLI_LEAF_SIZE);
}

/* ---- point_boxes, point_leaf --------------------------------------------------------------- */

/* Triangles near each other: with corners of whole numbers, so that many are equally far, or
 * anywhere, small or large; now and then with something that is no number. */
static void random_rows(SceneRandom *random, float *rows)
{
    const uint32_t kind = scene_random_below(random, 4);
    const int exponent = (int)scene_random_below(random, 250) - 130;
    for (int i = 0; i < PLI_LEAF_SIZE * PLI_ROW_SIZE; i++)
        rows[i] = kind == 0   ? (float)scene_random_below(random, 4)
                  : kind == 1 ? any_float(random, 64)
                  : kind == 2 ? ldexpf(test_random_float(random), exponent)
                              : 4 + test_random_float(random);
}

/* Their boxes; some are absent. */
static void box_rows(SceneRandom *random, const float *rows, PliLeafBoxes *boxes)
{
    const uint32_t absent = 1 + scene_random_below(random, 9);
    boxes->all = pli_box_empty();
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        const bool is_absent = scene_random_below(random, absent) == 0;
        for (int k = 0; k < 3; k++) {
            const float *t = rows + PLI_ROW_SIZE * i + k;
            boxes->low[k][i] = is_absent ? NAN : fminf(t[0], fminf(t[3], t[6]));
            boxes->high[k][i] = is_absent ? NAN : fmaxf(t[0], fmaxf(t[3], t[6]));
        }
    }
}

/* Are the bounds of the reference on the right sides of distances? */
static void check_point_bounds(const float *point, const float *rows, uint32_t allowed,
                               const PliLeafBoxes *boxes, const PliReach *before,
                               const PliReach *after, uint32_t bits, const float *lows)
{
    const Version none = {PLIANT_CPU_NONE, {0}};
    PliCounts counts = {0};
    float least = INFINITY;
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        const float *row = rows + PLI_ROW_SIZE * i;
        PliClosest closest;
        if (!(allowed >> i & 1) || isnan(boxes->low[0][i]) || !pli_is_finite(row, PLI_ROW_SIZE) ||
            !pli_vertex_triangle_closest(point, row, INFINITY, &closest, &counts))
            continue;
        least = fminf(least, closest.distance);
        if ((bits >> i & 1) && lows[i] > nextafterf(closest.distance, INFINITY))
            fail("point_leaf", &none, "lower bound", i);
        if (!(bits >> i & 1) && closest.distance < after->distance)
            fail("point_leaf", &none, "candidate", i);
    }
    if (after->distance < before->distance && !(least < after->distance))
        fail("point_leaf", &none, "reach", 0);
}

static void check_point_boxes(const Version *version, SceneRandom *random)
{
    const PliBoxes *node = random_node(random, walls[0]);
    float *point = walled_floats(random, walls[1], 3, 20), wanted[PLI_GROUP];
    float *got = guarded_output(PLI_GROUP);
    const float limit = scene_random_below(random, 4) ? fabsf(test_random_float(random)) : INFINITY;
    int32_t wanted_ranks[PLI_GROUP], *ranks = last(walls[2], sizeof wanted_ranks);
    const int32_t count = pli_point_boxes_c(point, node, limit, wanted, wanted_ranks);
    if (version->kernels.point_boxes(point, node, limit, got, ranks) != count)
        fail("point_boxes", version, "number", count);
    if (memcmp(wanted_ranks, ranks, sizeof wanted_ranks) != 0)
        fail("point_boxes", version, "ranks of", count);
    compare_output("point_boxes", version, wanted, got, PLI_GROUP);
}

static void check_point_leaf(const Version *version, SceneRandom *random)
{
    float *rows = last(walls[0], PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof *rows);
    float *point = last(walls[1], 3 * sizeof *point), wanted[PLI_LEAF_SIZE];
    PliLeafBoxes *boxes = last(walls[2], sizeof *boxes);
    float *got = guarded_output(PLI_LEAF_SIZE);
    const uint32_t allowed =
        scene_random_below(random, 2) ? 0xffff : scene_random_below(random, 1 << PLI_LEAF_SIZE);
    random_rows(random, rows);
    box_rows(random, rows, boxes);
    for (int k = 0; k < 3; k++)
        do
            point[k] = scene_random_below(random, 2) ? rows[scene_random_below(random, 144)]
                                                     : any_float(random, 16);
        while (!isfinite(point[k]));
    const PliReach before = scene_random_below(random, 2)
                                ? pli_reach(INFINITY)
                                : pli_reach_least(fabsf(test_random_float(random)));
    PliReach wanted_reach = before, reach = before;
    const uint32_t bits = pli_point_leaf_c(point, rows, boxes, allowed, &wanted_reach, wanted);
    if (version->kernels.point_leaf(point, rows, boxes, allowed, &reach, got) != bits)
        fail("point_leaf", version, "bits", (int)bits);
    if (!is_same(wanted_reach.distance, reach.distance) ||
        !is_same(wanted_reach.limit, reach.limit))
        fail("point_leaf", version, "reach", 0);
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        if (!(bits >> i & 1))
            wanted[i] = got[i];
    compare_output("point_leaf", version, wanted, got, PLI_LEAF_SIZE);
    if (version->cpu == PLIANT_CPU_NONE)
        check_point_bounds(point, rows, allowed, boxes, &before, &wanted_reach, bits, wanted);
}

/* ---- spread_rays ----------------------------------------------------------------------------- */

static void check_spread_rays(const Version *version, SceneRandom *random)
{
    enum { RAYS = 40, ROOM = RAYS + PLI_RAY_ROOM };
    const PliBoxes *node = random_node(random, walls[0]);
    const uint32_t octant = scene_random_below(random, 8);
    const int32_t count = 1 + (int32_t)scene_random_below(random, RAYS);
    PliRayLine *lines = last(walls[1], sizeof *lines * (size_t)count);
    PliRayItem *items = last(walls[2], sizeof *items * (size_t)count);
    static PliRayItem wanted[PLI_GROUP][ROOM], got[PLI_GROUP][ROOM + 1];
    PliRayItem *wanted_lists[PLI_GROUP], *got_lists[PLI_GROUP];
    int64_t wanted_counts[PLI_GROUP] = {0}, got_counts[PLI_GROUP] = {0};
    for (int32_t i = 0; i < count; i++) {
        lines[i] = random_line(random, octant);
        items[i] = (PliRayItem){(int32_t)scene_random_below(random, (uint32_t)count), 0};
    }
    memset(got, 0xa5, sizeof got);
    const PliRayItem guard = got[0][ROOM];
    for (int c = 0; c < PLI_GROUP; c++) {
        wanted_lists[c] = wanted[c];
        got_lists[c] = got[c];
    }
    pli_spread_rays_c(lines, items, count, node, wanted_lists, wanted_counts);
    version->kernels.spread_rays(lines, items, count, node, got_lists, got_counts);
    for (int c = 0; c < PLI_GROUP; c++) {
        bool same =
            wanted_counts[c] == got_counts[c] && got[c][count + PLI_RAY_ROOM].ray == guard.ray;
        for (int64_t i = 0; i < wanted_counts[c] && same; i++)
            same = wanted[c][i].ray == got[c][i].ray && is_same(wanted[c][i].near, got[c][i].near);
        if (!same)
            fail("spread_rays", version, "list", c);
    }
}

/* ---- ray_triangles --------------------------------------------------------------------------- */

/* From anywhere to a corner, a point of an edge, or anywhere: often to where it just hits. */
static PliRay ray_at(SceneRandom *random, const float t[9])
{
    const float corner[3] = {0, 0.5f, (float)scene_random(random)};
    const float along = corner[scene_random_below(random, 3)],
                across = scene_random_below(random, 2) ? 0 : (float)scene_random(random) - 0.25f;
    const bool is_grid = scene_random_below(random, 2);
    PliRay ray = {.max = scene_random_below(random, 3) ? INFINITY : 1};
    for (int k = 0; k < 3; k++) {
        const float to =
            t[k] + along * (t[3 + k] - t[k]) + across * (1 - along) * (t[6 + k] - t[k]);
        ray.origin[k] =
            is_grid ? (float)scene_random_below(random, 5) - 2 : test_random_float(random);
        ray.direction[k] = isfinite(to) ? to - ray.origin[k] : 1;
    }
    return ray;
}

static bool is_same_span(const PliRaySpan *a, const PliRaySpan *b)
{
    return a->low == b->low && a->high == b->high;
}

static void check_triangles_length(const Version *version, int count, SceneRandom *random)
{
    PliRay *rays = last(walls[0], sizeof *rays * (size_t)count);
    float *rows = last(walls[1], sizeof *rows * PLI_ROW_SIZE * (size_t)count);
    PliRayTest *tests = last(walls[2], sizeof *tests * (size_t)count);
    uint8_t wanted[MAX_VALUE], got[MAX_VALUE + 2 * GUARD];
    PliRaySpan wanted_spans[MAX_VALUE], spans[MAX_VALUE + 1], guard;
    const uint32_t rarely = scene_random_below(random, 2) ? 40 : UINT32_MAX;
    memset(got, 0xa5, sizeof got);
    memset(spans, 0xa5, sizeof spans);
    guard = spans[count];
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < PLI_ROW_SIZE; k++)
            rows[PLI_ROW_SIZE * i + k] = any_float(random, rarely);
        rays[i] = ray_at(random, rows + PLI_ROW_SIZE * i);
    }
    for (int i = 0; i < count; i++)
        tests[i] = (PliRayTest){(uint32_t)i, scene_random_below(random, 4)
                                                 ? (uint32_t)i
                                                 : scene_random_below(random, (uint32_t)count)};
    pli_ray_triangles_c(rays, rows, tests, count, wanted, wanted_spans);
    version->kernels.ray_triangles(rays, rows, tests, count, got + GUARD, spans);
    for (int i = 0; i < count; i++)
        if (wanted[i] != got[GUARD + i] ||
            (wanted[i] == PLI_RAY_HITS && !is_same_span(&wanted_spans[i], &spans[i]))) {
            fail("ray_triangles", version, "test", i);
            return;
        }
    if (!are_guards_there(got, (size_t)count + 2 * GUARD) || !is_same_span(&guard, &spans[count]))
        fail("ray_triangles", version, "guard of", count);
}

static void check_ray_triangles(const Version *version, SceneRandom *random)
{
    for (int length = 0; length <= MAX_VALUE; length++)
        check_triangles_length(version, length, random);
}

/* ---- hash_blocks --------------------------------------------------------------------------- */

static void check_hash_blocks(const Version *version, SceneRandom *random)
{
    const int64_t count = scene_random_below(random, 8);
    const size_t word_count = (size_t)count * PLI_HASH_WORDS;
    uint32_t *words = last(walls[0], word_count * sizeof *words);
    uint64_t wanted[PLI_HASH_LANES], *got = last(walls[3], sizeof wanted);
    for (size_t i = 0; i < word_count; i++)
        words[i] = (uint32_t)scene_random_below(random, INT32_MAX) * 2654435761u;
    for (int i = 0; i < PLI_HASH_LANES; i++)
        got[i] = wanted[i] = scene_random_below(random, INT32_MAX) * UINT64_C(0x9e3779b97f4a7c15);
    pli_hash_blocks_c(words, count, wanted);
    version->kernels.hash_blocks(words, count, got);
    for (int i = 0; i < PLI_HASH_LANES; i++)
        if (got[i] != wanted[i])
            fail("hash_blocks", version, "lane", i);
}

/* ---- visible_boxes, find_walls, draw_triangles
 * --------------------------------------------------- */

/* Part of a picture, whose pixels are often a power of two wide, so that lines go through corners.
 */
static PliPicture random_picture(SceneRandom *random)
{
    PliPicture picture = {.reach = {-INFINITY, INFINITY},
                          .depth_scale = (float)scene_random(random)};
    if (scene_random_below(random, 2))
        picture.reach[scene_random_below(random, 2)] = any_float(random, 50);
    const int axis = (int)scene_random_below(random, 3);
    for (int side = 0; side < 3; side++)
        picture.axes[side] = (axis + 1 + side) % 3;
    for (int side = 0; side < 2; side++) {
        picture.low[side] = (double)any_float(random, 1000000);
        picture.scale[side] = scene_random_below(random, 2) ? 4 : 20 * scene_random(random) + 0.1;
        if (scene_random_below(random, 10) == 0)
            picture.scale[side] *= 0x1p140;
        picture.box_low[side] = (float)picture.low[side];
        picture.box_scale[side] = (float)picture.scale[side];
        picture.begin[side] = (int32_t)scene_random_below(random, 20);
        picture.end[side] = picture.begin[side] + 1 + (int32_t)scene_random_below(random, 12);
    }
    for (int side = 0; side < 3; side++) {
        picture.low_ends[side] = any_float(random, 50);
        picture.high_ends[side] = any_float(random, 50);
    }
    return picture;
}

static void check_visible_boxes(const Version *version, SceneRandom *random)
{
    const PliPicture picture = random_picture(random);
    const PliBoxes *node = random_node(random, walls[0]);
    const float slack = scene_random_below(random, 4) ? 0.002f : 0.5f;
    uint32_t wanted = pli_visible_boxes_c(&picture, node->low[0], 8, slack);
    if (version->kernels.visible_boxes(&picture, node->low[0], 8, slack) != wanted)
        fail("visible_boxes", version, "bits of a node", (int64_t)wanted);
    PliLeafBoxes *leaf = last(walls[1], sizeof *leaf);
    random_leaf(random, leaf);
    wanted = pli_visible_boxes_c(&picture, leaf->low[0], PLI_LEAF_SIZE, slack);
    if (version->kernels.visible_boxes(&picture, leaf->low[0], PLI_LEAF_SIZE, slack) != wanted)
        fail("visible_boxes", version, "bits of a leaf", (int64_t)wanted);
}

static void check_find_walls(const Version *version, SceneRandom *random)
{
    const PliPicture picture = random_picture(random);
    float *rows = last(walls[0], sizeof(float) * PLI_LEAF_SIZE * PLI_ROW_SIZE);
    for (int i = 0; i < PLI_LEAF_SIZE * PLI_ROW_SIZE; i++)
        rows[i] = any_float(random, 200);
    PliLeafBoxes *leaf = last(walls[1], sizeof *leaf);
    random_leaf(random, leaf);
    enum { NUMBERS = PLI_LEAF_SIZE + PLI_PRISMS };
    float wanted[NUMBERS], *got = guarded_output(NUMBERS);
    const int32_t count = 1 + (int32_t)scene_random_below(random, PLI_LEAF_SIZE);
    const bool has_prisms = scene_random_below(random, 4) > 0;
    const uint32_t bits = pli_find_walls_c(&picture, rows, leaf, count, wanted,
                                           has_prisms ? wanted + PLI_LEAF_SIZE : NULL);
    if (version->kernels.find_walls(&picture, rows, leaf, count, got,
                                    has_prisms ? got + PLI_LEAF_SIZE : NULL) != bits)
        fail("find_walls", version, "bits", (int64_t)bits);
    compare_output("find_walls", version, wanted, got, has_prisms ? NUMBERS : PLI_LEAF_SIZE);
}

static int compare_fragments(const void *x, const void *y)
{
    const PliFragment *p = x, *q = y;
    if (p->pixel != q->pixel)
        return p->pixel < q->pixel ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return p->winding - q->winding;
}

static void check_draw_triangles(const Version *version, SceneRandom *random)
{
    enum { ROOM = PLI_LEAF_SIZE * 12 * 12 + 16 };
    static PliFragment wanted[ROOM];
    const PliPicture picture = random_picture(random);
    const uint32_t bits = (uint32_t)scene_random_bits(random) & 0xffff;
    float *rows = last(walls[0], sizeof(float) * PLI_LEAF_SIZE * PLI_ROW_SIZE);
    for (int i = 0; i < PLI_LEAF_SIZE * PLI_ROW_SIZE; i++)
        rows[i] = any_float(random, 100);
    const int32_t pixels =
        (picture.end[0] - picture.begin[0]) * (picture.end[1] - picture.begin[1]);
    const size_t room = (size_t)(__builtin_popcount(bits) * pixels + 16) * sizeof *wanted;
    unsigned char *before = last(walls[3], room + GUARD);
    PliFragment *got = (PliFragment *)(before + GUARD);
    memset(before, 0xa5, GUARD);
    const int64_t count = pli_draw_triangles_c(&picture, rows, bits, wanted);
    if (version->kernels.draw_triangles(&picture, rows, bits, got) != count) {
        fail("draw_triangles", version, "count", count);
        return;
    }
    qsort(wanted, (size_t)count, sizeof *wanted, compare_fragments);
    qsort(got, (size_t)count, sizeof *got, compare_fragments);
    for (int64_t i = 0; i < count; i++)
        if (compare_fragments(&wanted[i], &got[i]) != 0) {
            fail("draw_triangles", version, "fragment", i);
            return;
        }
    for (int i = 0; i < GUARD; i++)
        if (before[i] != 0xa5)
            fail("draw_triangles", version, "guard", i);
}

/* ---- weighted_sum ------------------------------------------------------------------------- */

static void check_weighted_sum(const Version *version, SceneRandom *random)
{
    enum { TERMS = 5, LARGEST = 20 * PLI_GROUP };
    int32_t term_count = (int32_t)scene_random_below(random, TERMS + 1);
    int32_t count = PLI_GROUP * (int32_t)scene_random_below(random, LARGEST / PLI_GROUP + 1);
    float weights[TERMS], wanted[LARGEST];
    const float *terms[TERMS];
    const float *all = walled_floats(random, walls[0], (TERMS + 1) * count, 50);
    for (int32_t t = 0; t < term_count; t++) {
        weights[t] = any_float(random, 50);
        terms[t] = all + (t + 1) * count;
    }
    const float *base = scene_random_below(random, 3) ? all : NULL;
    float *got = guarded_output(count);
    pli_weighted_sum_c(base, terms, weights, term_count, count, wanted);
    version->kernels.weighted_sum(base, terms, weights, term_count, count, got);
    compare_output("weighted_sum", version, wanted, got, count);
}

static void check_move_boxes(const Version *version, SceneRandom *random)
{
    PliBoxes wanted = *random_node(random, walls[0]);
    PliTransform transform = random_transform(random);
    PliBoxes *got = (PliBoxes *)guarded_output(sizeof wanted / sizeof(float));
    *got = wanted;
    pli_move_boxes_c(&transform, &wanted);
    version->kernels.move_boxes(&transform, got);
    compare_output("move_boxes", version, (float *)&wanted, (float *)got,
                   sizeof wanted / sizeof(float));
}

static void check_sum_slabs(const Version *version, SceneRandom *random)
{
    enum { SLABS = 9, BOX = sizeof(PliBoxes) / sizeof(float) };
    int32_t slab_count = scene_random_below(random, 2) ? 7 : SLABS;
    int32_t others = 2 * PLI_GROUP * (slab_count - 3);
    const float *ends = walled_floats(random, walls[0], 2 * PLI_GROUP * slab_count, 50);
    PliSlabSum *sums = last(walls[1], (size_t)slab_count * sizeof *sums);
    for (int32_t s = 0; s < slab_count; s++) {
        for (int j = 0; j < 3; j++) {
            sums[s].low[j] = (uint8_t)scene_random_below(random, 2 * (uint32_t)slab_count);
            sums[s].high[j] = (int32_t)scene_random_below(random, 2 * (uint32_t)slab_count);
            sums[s].factors[j] = any_float(random, 50);
        }
        sums[s].low_offset = any_float(random, 50);
        sums[s].high_offset = any_float(random, 50);
    }
    float wanted[BOX + 2 * PLI_GROUP * SLABS], *got = guarded_output(BOX + others);
    pli_sum_slabs_c(ends, sums, slab_count, (PliBoxes *)wanted, wanted + BOX);
    version->kernels.sum_slabs(ends, sums, slab_count, (PliBoxes *)got, got + BOX);
    compare_output("sum_slabs", version, wanted, got, BOX + others);
}

/* Joints that a leaf follows, or none. Zero is a weight that many have: what it multiplies is left
 * out, though it be no number. */
static void add_joints(SceneRandom *random, PliMorphLeaf *leaf)
{
    enum { JOINTS = 5, MAPS = 9 };
    static PliTransform transforms[MAPS];
    leaf->joint_count = (int32_t)scene_random_below(random, JOINTS + 1);
    uint16_t *joints = last(walls[2], (size_t)leaf->joint_count * sizeof *joints);
    for (int32_t j = 0; j < leaf->joint_count; j++)
        joints[j] = (uint16_t)scene_random_below(random, MAPS);
    for (int m = 0; m < MAPS; m++)
        transforms[m] = random_transform(random);
    const int32_t count = PLI_GROUP * leaf->group_count * leaf->joint_count;
    float *weights = walled_floats(random, walls[4], count, 200);
    for (int32_t i = 0; i < count; i++)
        weights[i] = scene_random_below(random, 3) ? fabsf(weights[i]) : 0;
    leaf->joints = joints;
    leaf->joint_transforms = transforms;
    leaf->joint_weights = weights;
}

static void check_fetch_morph(const Version *version, SceneRandom *random)
{
    enum { TERMS = 4, ROWS_SIZE = PLI_LEAF_SIZE * PLI_ROW_SIZE * sizeof(float) };
    const float *terms[TERMS];
    float weights[TERMS], wanted_rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    const PliTransform transform = random_transform(random);
    PliMorphLeaf leaf = {.terms = terms,
                         .weights = weights,
                         .term_count = (int32_t)scene_random_below(random, TERMS + 1),
                         .group_count =
                             1 + (int32_t)scene_random_below(random, PLI_MAX_TABLE_GROUPS),
                         .triangle_count = 1 + (int32_t)scene_random_below(random, PLI_LEAF_SIZE),
                         .transform = scene_random_below(random, 2) ? &transform : NULL};
    const int32_t size = 3 * PLI_GROUP * leaf.group_count;
    const float *all = walled_floats(random, walls[0], (TERMS + 1) * size, 50);
    leaf.base = scene_random_below(random, 2) ? all + TERMS * size : NULL;
    for (int32_t t = 0; t < leaf.term_count; t++) {
        weights[t] = any_float(random, 50);
        terms[t] = all + t * size;
    }
    uint8_t *corners = last(walls[1], 3 * (size_t)leaf.triangle_count);
    for (int32_t i = 0; i < 3 * leaf.triangle_count; i++)
        corners[i] = (uint8_t)scene_random_below(random, PLI_GROUP * (uint32_t)leaf.group_count);
    leaf.corners = corners;
    add_joints(random, &leaf);
    float *rows = guarded_output(ROWS_SIZE / sizeof(float));
    PliLeafBoxes wanted, got;
    pli_fetch_morph_c(&leaf, wanted_rows, &wanted);
    version->kernels.fetch_morph(&leaf, rows, &got);
    compare_leaves(version, leaf.triangle_count, wanted_rows, &wanted, rows, &got);
    compare_output("fetch_morph", version, wanted_rows, rows, PLI_ROW_SIZE * leaf.triangle_count);
}

/* ---- skin_boxes ------------------------------------------------------------------------------ */

static float some_finite(SceneRandom *random)
{
    float x = any_float(random, 50);
    return fabsf(x) < 1e30f ? x : 1;
}

static PliSlabSum random_sum(SceneRandom *random, int32_t slab_count)
{
    PliSlabSum sum;
    for (int j = 0; j < 3; j++) {
        sum.low[j] = (uint8_t)scene_random_below(random, 2 * (uint32_t)slab_count);
        sum.high[j] = (int32_t)scene_random_below(random, 2 * (uint32_t)slab_count);
        sum.factors[j] = some_finite(random);
    }
    sum.low_offset = sum.high_offset = some_finite(random);
    return sum;
}

/* Least and greatest weights, zero where nothing follows a joint; and slabs. The sums of weights
 * are zero where nothing follows any. */
static const float *random_parts(SceneRandom *random, int32_t joint_count, int32_t slab_count,
                                 float *weight_sums)
{
    const int32_t size = PLI_GROUP * (2 + 2 * slab_count);
    float *parts = last(walls[0], sizeof(float) * (size_t)(joint_count * size));
    for (int32_t i = 0; i < joint_count * size; i++)
        parts[i] = some_finite(random);
    memset(weight_sums, 0, 2 * PLI_GROUP * sizeof *weight_sums);
    for (int32_t i = 0; i < PLI_GROUP * joint_count; i++) {
        float *least = parts + size * (i / PLI_GROUP) + i % PLI_GROUP;
        bool is_there = scene_random_below(random, 3) > 0;
        float x = is_there ? fabsf(test_random_float(random)) : 0;
        float more = scene_random_below(random, 2) && is_there ? 0.5f : 0;
        least[0] = more > 0 && scene_random_below(random, 3) == 0 ? 0 : x;
        least[PLI_GROUP] = x + more;
        weight_sums[i % PLI_GROUP] += least[0];
        weight_sums[PLI_GROUP + i % PLI_GROUP] += least[PLI_GROUP];
    }
    return parts;
}

/* Few joints, and more than are kept at once. */
static void check_skin_boxes(const Version *version, SceneRandom *random)
{
    enum { JOINTS = 70, SUMS = 12, BOX = sizeof(PliBoxes) / sizeof(float) };
    static const int32_t slab_counts[] = {3, 7, 9};
    const int32_t slab_count = slab_counts[scene_random_below(random, 3)];
    const uint32_t most = scene_random_below(random, 50) ? 5 : JOINTS;
    const int32_t joint_count = 1 + (int32_t)scene_random_below(random, most);
    uint16_t *joints = last(walls[1], (size_t)joint_count * sizeof *joints);
    for (int32_t j = 0; j < joint_count; j++)
        joints[j] = (uint16_t)scene_random_below(random, SUMS);
    PliSlabSum *sums = last(walls[2], 3 * SUMS * sizeof *sums);
    for (int i = 0; i < 3 * SUMS; i++)
        sums[i] = random_sum(random, slab_count);
    float *moves = last(walls[4], sizeof(float) * 2 * PLI_GROUP * (size_t)slab_count);
    float *weight_sums = last(walls[5], sizeof(float) * 2 * PLI_GROUP);
    for (int32_t i = 0; i < 2 * PLI_GROUP * slab_count; i++)
        moves[i] = some_finite(random);
    PliSkinnedNode node = {.joint_count = joint_count,
                           .slab_count = slab_count,
                           .joints = joints,
                           .sums = sums,
                           .parts = random_parts(random, joint_count, slab_count, weight_sums),
                           .moves = scene_random_below(random, 2) ? moves : NULL,
                           .is_uneven = scene_random_below(random, 2),
                           .weight_sums = weight_sums};
    node.has_only_moves = node.moves && scene_random_below(random, 2);
    for (int k = 0; k < 3; k++) {
        node.low_offsets[k] = some_finite(random);
        node.high_offsets[k] = some_finite(random);
    }
    PliBoxes wanted, *got = (PliBoxes *)guarded_output(BOX);
    pli_skin_boxes_c(&node, &wanted);
    version->kernels.skin_boxes(&node, got);
    compare_output("skin_boxes", version, (float *)&wanted, (float *)got, BOX);
}

/* ---- overlap_slabs, overlap_balls
 * ------------------------------------------------------------------ */

static void compare_bits(const char *kernel, const Version *version, uint64_t wanted, uint64_t got)
{
    if (wanted != got)
        fail(kernel, version, "bit", __builtin_ctzll(wanted ^ got));
}

static void check_overlap_slabs(const Version *version, SceneRandom *random)
{
    int32_t slab_count = 1 + (int32_t)scene_random_below(random, 6);
    const float *a = walled_floats(random, walls[0], 2 * PLI_GROUP * slab_count, 50);
    const float *b = walled_floats(random, walls[1], 2 * PLI_GROUP * slab_count, 50);
    uint64_t bits = scene_random_bits(random) & scene_random_bits(random);
    compare_bits("overlap_slabs", version, pli_overlap_slabs_c(a, b, slab_count, bits),
                 version->kernels.overlap_slabs(a, b, slab_count, bits));
}

static void check_overlap_balls(const Version *version, SceneRandom *random)
{
    const float *a = walled_floats(random, walls[0], 4 * PLI_GROUP, 50);
    const float *b = walled_floats(random, walls[1], 4 * PLI_GROUP, 50);
    uint64_t bits = scene_random_bits(random) & scene_random_bits(random);
    compare_bits("overlap_balls", version, pli_overlap_balls_c(a, b, bits),
                 version->kernels.overlap_balls(a, b, bits));
}

/* ---- cross_boxes ------------------------------------------------------------------------------
 */

/* Coordinates of few values, so that much touches, or any; sometimes a needle. */
static void check_cross_boxes(const Version *version, SceneRandom *random)
{
    const int32_t count = scene_random_below(random, 2) ? PLI_LEAF_SIZE : PLI_GROUP;
    const bool is_coarse = scene_random_below(random, 2);
    float triangle[9], *boxes = walled_floats(random, walls[0], 6 * count, 50);
    PliTriangleAxes axes;
    for (int k = 0; k < 9; k++) {
        const double x = 8 * scene_random(random) - 4;
        triangle[k] = is_coarse ? (float)(int)x : (float)x;
    }
    if (scene_random_below(random, 2)) /* without area */
        memcpy(triangle + 6, triangle, 12);
    for (int32_t i = 0; i < 3 * count; i++) {
        const double x = 8 * scene_random(random) - 4, size = 3 * scene_random(random);
        if (scene_random_below(random, 16) == 0)
            continue; /* as they are: a NaN, an infinity, any number */
        boxes[i] = is_coarse ? (float)(int)x : (float)x;
        boxes[3 * count + i] = boxes[i] + (is_coarse ? (float)(int)size : (float)size);
    }
    pli_triangle_axes_init(&axes, triangle);
    compare_bits("cross_boxes", version, pli_cross_boxes_c(&axes, boxes, count),
                 version->kernels.cross_boxes(&axes, boxes, count));
}

/* ---- overlap_moving, overlap_moving_leaves
 * --------------------------------------------------------------- */

/* Boxes at a start or at an end, some of them upside down or no boxes. */
static void any_boxes(SceneRandom *random, float *low, float *high, int count)
{
    for (int i = 0; i < count; i++) {
        const bool is_unused = scene_random_below(random, 16) == 0;
        low[i] = is_unused ? NAN : any_float(random, 64);
        high[i] = is_unused ? NAN : low[i] + fabsf(any_float(random, 64));
    }
}

static void check_moving_nodes(const Version *version, SceneRandom *random)
{
    PliBoxes boxes[4];
    float wanted[64], got[64];
    for (int i = 0; i < 4; i++)
        any_boxes(random, boxes[i].low[0], boxes[i].high[0], 24);
    const PliMovingBoxes a = {&boxes[0], &boxes[1]}, b = {&boxes[2], &boxes[3]};
    const float until = scene_random_below(random, 4) ? 1 : fabsf(test_random_float(random));
    const uint64_t bits = pli_overlap_moving_c(a, b, until, wanted);
    compare_bits("overlap_moving", version, bits,
                 version->kernels.overlap_moving(a, b, until, got));
    for (int i = 0; i < 64; i++)
        if (bits >> i & 1 && !is_same(wanted[i], got[i]))
            fail("overlap_moving", version, "time", i);
}

static void check_moving_leaves(const Version *version, SceneRandom *random)
{
    PliLeafBoxes boxes[4];
    uint16_t wanted[PLI_LEAF_SIZE], got[PLI_LEAF_SIZE];
    for (int i = 0; i < 4; i++) {
        any_boxes(random, boxes[i].low[0], boxes[i].high[0], 3 * PLI_LEAF_SIZE);
        boxes[i].all = pli_box_empty();
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < PLI_LEAF_SIZE; j++) {
                boxes[i].all.low[k] = fminf(boxes[i].all.low[k], boxes[i].low[k][j]);
                boxes[i].all.high[k] = fmaxf(boxes[i].all.high[k], boxes[i].high[k][j]);
            }
    }
    const PliMovingLeaf a = {&boxes[0], &boxes[1]}, b = {&boxes[2], &boxes[3]};
    const float until = scene_random_below(random, 4) ? 1 : fabsf(test_random_float(random));
    pli_overlap_moving_leaves_c(a, b, until, wanted);
    version->kernels.overlap_moving_leaves(a, b, until, got);
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        if (wanted[i] != got[i])
            fail("overlap_moving_leaves", version, "bits", i);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int rounds;
    void (*check)(const Version *, SceneRandom *);
} checks[] = {
    {"filter_pairs", 100, check_filter_pairs},
    {"filter_shared", 100, check_filter_shared},
    {"filter_impacts", 100, check_filter_impacts},
    {"find_near", 300, check_find_near},
    {"drop_far", 300, check_drop_far},
    {"mask_neighbors", 20000, check_mask_neighbors},
    {"time_impacts", 300, check_time_impacts},
    {"box_features", 20000, check_box_features},
    {"widen_boxes", 20000, check_widen_boxes},
    {"box_lists", 20000, check_box_lists},
    {"fetch_leaf", 20000, check_fetch_leaf},
    {"overlap_moving", 20000, check_moving_nodes},
    {"overlap_moving_leaves", 10000, check_moving_leaves},
    {"overlap_nodes", 50000, check_overlap_nodes},
    {"overlap_leaves", 1000, check_overlap_leaves},
    {"face_leaf", 2000, check_face_leaf},
    {"weighted_sum", 20000, check_weighted_sum},
    {"move_boxes", 50000, check_move_boxes},
    {"fetch_morph", 50000, check_fetch_morph},
    {"sum_slabs", 20000, check_sum_slabs},
    {"overlap_slabs", 50000, check_overlap_slabs},
    {"overlap_balls", 50000, check_overlap_balls},
    {"cross_boxes", 50000, check_cross_boxes},
    {"skin_boxes", 10000, check_skin_boxes},
    {"point_boxes", 50000, check_point_boxes},
    {"point_leaf", 20000, check_point_leaf},
    {"joint_sums", 20000, check_joint_sums},
    {"ray_boxes", 50000, check_ray_boxes},
    {"spread_rays", 20000, check_spread_rays},
    {"ray_triangles", 300, check_ray_triangles},
    {"hash_blocks", 20000, check_hash_blocks},
    {"visible_boxes", 50000, check_visible_boxes},
    {"find_walls", 50000, check_find_walls},
    {"draw_triangles", 20000, check_draw_triangles},
};

/* With sanitizers, a part of the rounds: they look for errors of memory, not of answers. */
static void check_all(int share)
{
    Version list[4];
    int count = versions(list);
    for (int i = 0; i < WALLS; i++)
        walls[i] = walled(WALL_SIZE);
    for (size_t c = 0; c < sizeof checks / sizeof *checks; c++)
        for (int v = 0; v < count; v++) {
            SceneRandom random = {17};
            int before = failures;
            for (int round = 0; round < checks[c].rounds / share && failures < before + 5; round++)
                checks[c].check(&list[v], &random);
            printf("%-12s %-10s %s\n", checks[c].name, pliant_cpu_name(list[v].cpu),
                   failures == before ? "ok" : "FAILED");
        }
}

/* ---- Timing ------------------------------------------------------------------------------ */

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void bench_filter_pairs(void)
{
    enum { COUNT = 4096, ROUNDS = 200 };
    static float a[COUNT][9], b[COUNT][9];
    static uint32_t pairs[COUNT][2];
    static uint8_t verdicts[COUNT];
    SceneRandom random = {3};
    for (uint32_t i = 0; i < COUNT; i++) {
        test_pair(TEST_PAIR_near, &random, a[i], b[i]);
        pairs[i][0] = i;
        pairs[i][1] = scene_random_below(&random, COUNT);
    }
    Version list[4];
    int count = versions(list);
    for (int v = 0; v < count; v++) {
        double best = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            double start = nanoseconds();
            list[v].kernels.filter_pairs(a[0], b[0], pairs[0], COUNT, verdicts);
            double time = nanoseconds() - start;
            best = time < best ? time : best;
        }
        printf("filter_pairs %-10s %6.2f ns a pair\n", pliant_cpu_name(list[v].cpu), best / COUNT);
    }
}

/* Pairs of features of length one, of which one in eight is near. */
static void bench_find_near(bool are_edges)
{
    enum { COUNT = 4096, ROUNDS = 100 };
    static float table[COUNT][12];
    static uint32_t pairs[COUNT][4];
    static uint8_t nearness[COUNT];
    static PliClosest closest[COUNT];
    SceneRandom random = {3};
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < 12; k++)
            table[i][k] = test_random_float(&random);
        for (uint32_t k = 0; k < 4; k++)
            pairs[i][k] = 4 * i + k;
    }
    Version list[4];
    const int count = versions(list);
    for (int v = 0; v < count; v++) {
        double best = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            const double start = nanoseconds();
            list[v].kernels.find_near(table[0], are_edges, pairs[0], COUNT, 0.25f, nearness,
                                      closest);
            best = fmin(best, nanoseconds() - start);
        }
        int of[3] = {0};
        for (int i = 0; i < COUNT; i++)
            of[nearness[i]]++;
        printf("find_near %s %-10s %6.2f ns a pair; %d of %d near, %d open\n",
               are_edges ? "edges" : "plane", pliant_cpu_name(list[v].cpu), best / COUNT,
               of[PLI_NEAR], COUNT, of[PLI_NEAR_UNKNOWN]);
    }
}

/* The same pairs, of which most are certainly farther. */
static void bench_drop_far(bool are_edges)
{
    enum { COUNT = 4096, ROUNDS = 100 };
    static PliCorner features[2 * COUNT][PLI_FEATURE_CORNERS];
    static float rows[COUNT][PLI_ROW_SIZE];
    static uint32_t pairs[COUNT][2], left[COUNT + 16];
    SceneRandom random = {3};
    for (uint32_t i = 0; i < COUNT; i++) {
        float points[12];
        for (int k = 0; k < 12; k++)
            points[k] = test_random_float(&random);
        for (int k = 0; k < 4; k++)
            memcpy(features[2 * i + (uint32_t)k / 2][k % 2].point, points + 3 * k,
                   3 * sizeof *points);
        memcpy(rows[i], points + 3, sizeof rows[i]);
        pairs[i][0] = 2 * i;
        pairs[i][1] = are_edges ? 2 * i + 1 : i;
    }
    const PliFarPairs in = {.features = features[0],
                            .rows = are_edges ? NULL : rows[0],
                            .pairs = pairs[0],
                            .count = COUNT,
                            .distance = 0.25f};
    Version list[4];
    const int count = versions(list);
    for (int v = 0; v < count; v++) {
        double best = INFINITY;
        int32_t left_count = 0;
        for (int round = 0; round < ROUNDS; round++) {
            const double start = nanoseconds();
            left_count = list[v].kernels.drop_far(&in, left);
            best = fmin(best, nanoseconds() - start);
        }
        printf("drop_far %s %-10s %6.2f ns a pair; %d of %d left\n", are_edges ? "edges" : "plane",
               pliant_cpu_name(list[v].cpu), best / COUNT, left_count, COUNT);
    }
}

/* A point and sixteen triangles a tenth as large as it is far. */
static void bench_point_leaf(void)
{
    enum { COUNT = 256, ROUNDS = 2000 };
    static float rows[COUNT][PLI_LEAF_SIZE * PLI_ROW_SIZE];
    static PliLeafBoxes boxes[COUNT];
    SceneRandom random = {3};
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < PLI_LEAF_SIZE * PLI_ROW_SIZE; k++)
            rows[i][k] = 2 + 0.2f * test_random_float(&random);
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < PLI_LEAF_SIZE; j++) {
                boxes[i].low[k][j] = 1.8f;
                boxes[i].high[k][j] = 2.2f;
            }
    }
    Version list[4];
    const int count = versions(list);
    for (int v = 0; v < count; v++) {
        double best = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            const double start = nanoseconds();
            for (int i = 0; i < COUNT; i++) {
                PliReach reach = pli_reach(INFINITY);
                float lows[PLI_LEAF_SIZE];
                list[v].kernels.point_leaf((const float[3]){0, 0, 0}, rows[i], &boxes[i], 0xffff,
                                           &reach, lows);
            }
            best = fmin(best, nanoseconds() - start);
        }
        printf("point_leaf %-10s %6.2f ns a leaf\n", pliant_cpu_name(list[v].cpu), best / COUNT);
    }
}

/* Rays that go through the boxes of triangles, of which some are hit. */
static void bench_ray_triangles(void)
{
    enum { COUNT = 64, ROUNDS = 2000 };
    static PliRay rays[COUNT];
    static float rows[COUNT][PLI_ROW_SIZE];
    static PliRayTest tests[COUNT];
    static uint8_t verdicts[COUNT];
    static PliRaySpan spans[COUNT];
    SceneRandom random = {3};
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < PLI_ROW_SIZE; k++)
            rows[i][k] = test_random_float(&random);
        rays[i] = (PliRay){.max = INFINITY};
        for (int k = 0; k < 3; k++) {
            rays[i].origin[k] = 4 * test_random_float(&random);
            rays[i].direction[k] = (rows[i][k] + rows[i][3 + k] + rows[i][6 + k]) / 3 +
                                   0.5f * test_random_float(&random) - rays[i].origin[k];
        }
        tests[i] = (PliRayTest){i, i};
    }
    Version list[4];
    const int count = versions(list);
    for (int v = 0; v < count; v++) {
        double best = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            const double start = nanoseconds();
            list[v].kernels.ray_triangles(rays, rows[0], tests, COUNT, verdicts, spans);
            best = fmin(best, nanoseconds() - start);
        }
        int of[3] = {0};
        for (int i = 0; i < COUNT; i++)
            of[verdicts[i]]++;
        printf("ray_triangles %-10s %6.2f ns a test; %d of %d hit, %d open\n",
               pliant_cpu_name(list[v].cpu), best / COUNT, of[PLI_RAY_HITS], COUNT,
               of[PLI_RAY_OPEN]);
    }
}

/* Pairs of features that go anywhere, of which one in ten touches. */
static void bench_time_impacts(bool are_edges)
{
    enum { COUNT = 4096, ROUNDS = 100 };
    static float tables[2][COUNT][12], times[COUNT];
    static uint32_t pairs[COUNT][4];
    SceneRandom random = {3};
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < 24; k++)
            tables[k / 12][i][k % 12] = test_random_float(&random);
        for (uint32_t k = 0; k < 4; k++)
            pairs[i][k] = 4 * i + k;
    }
    Version list[4];
    const int count = versions(list);
    for (int v = 0; v < count; v++) {
        double best = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            const double start = nanoseconds();
            list[v].kernels.time_impacts(tables[0][0], tables[1][0], are_edges, pairs[0], COUNT,
                                         times);
            best = fmin(best, nanoseconds() - start);
        }
        int touching = 0, open = 0;
        for (int i = 0; i < COUNT; i++) {
            touching += times[i] >= 0 && times[i] <= 1;
            open += times[i] < 0;
        }
        printf("time_impacts %s %-10s %6.2f ns a pair; %d of %d touch, %d open\n",
               are_edges ? "edges" : "plane", pliant_cpu_name(list[v].cpu), best / COUNT, touching,
               COUNT, open);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--bench") == 0) {
        bench_ray_triangles();
        bench_filter_pairs();
        bench_find_near(true);
        bench_find_near(false);
        bench_drop_far(true);
        bench_drop_far(false);
        bench_point_leaf();
        bench_time_impacts(true);
        bench_time_impacts(false);
    } else
        check_all(argc > 1 && atoi(argv[1]) > 1 ? atoi(argv[1]) : 1);
    return failures != 0;
}
