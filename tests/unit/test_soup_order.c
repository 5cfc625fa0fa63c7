/* Soups whose order could become a bad one: what comes late, flies off, or is parked far away.
 * Answers are tested elsewhere; here it is how many pairs of leaves they take, which all with all
 * would be 65,536, and that nothing is written beyond its array (sanitizers). */
#include "scenes.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { COUNT = 4096, ALL_WITH_ALL = (COUNT / 16) * (COUNT / 16), KINDS = 4 };

typedef struct Pair {
    PliantWorld *world;
    PliantBody bodies[2];
    float (*corners)[9]; /* of both, COUNT each */
    SceneRandom random;
} Pair;

static Pair make_pair(int kind)
{
    Pair pair = {.corners = scene_allocate(2 * COUNT, sizeof *pair.corners), .random = {5}};
    PliantSoupDef def = pliant_soup_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    experiments.soup_kind = (PliantSoupKind)kind;
    def.experiments = &experiments;
    MUST(pliant_world_create(NULL, &pair.world));
    for (int b = 0; b < 2; b++)
        MUST(pliant_body_create_soup(pair.world, &def, &pair.bodies[b]));
    return pair;
}

static void free_pair(Pair *pair)
{
    pliant_world_destroy(pair->world);
    free(pair->corners);
}

/* A small triangle somewhere in the unit cube. */
static void put(Pair *pair, int32_t index)
{
    float *corners = pair->corners[index];
    for (int k = 0; k < 3; k++) {
        const float x = (float)scene_random(&pair->random);
        for (int corner = 0; corner < 3; corner++)
            corners[3 * corner + k] = x + (corner == k ? 0.02f : 0);
    }
}

static void put_all(Pair *pair)
{
    for (int32_t i = 0; i < 2 * COUNT; i++)
        put(pair, i);
}

static void set(float *corners, float x)
{
    for (int i = 0; i < 9; i++)
        corners[i] = x;
}

static void lend(Pair *pair, int body, int32_t count)
{
    PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                   .vertices = {pair->corners[body * COUNT], 3 * count, 0},
                                   .count = count};
    MUST(pliant_body_borrow_primitives(pair->world, pair->bodies[body], &primitives));
}

static int64_t leaf_pairs(Pair *pair)
{
    PliantContacts contacts = pliant_contacts_default();
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_collide(pair->world, NULL, &contacts));
    MUST(pliant_world_stats(pair->world, &stats));
    return stats.leaf_pairs;
}

/* All go on by a little, each in a direction of its own. */
static void drift(Pair *pair, int32_t first, float most)
{
    for (int32_t i = first; i < 2 * COUNT; i++)
        for (int k = 0; k < 3; k++) {
            const float step = most * (float)(2 * scene_random(&pair->random) - 1);
            for (int corner = 0; corner < 3; corner++)
                pair->corners[i][3 * corner + k] += step;
        }
}

/* ---- Cases -------------------------------------------------------------------------------------
 */

static void test_one_flies_off(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        Pair pair = make_pair(kind);
        put_all(&pair);
        lend(&pair, 0, COUNT);
        lend(&pair, 1, COUNT);
        for (int frame = 0; frame < 20; frame++) {
            set(pair.corners[0], 1000 + (float)frame);
            set(pair.corners[COUNT], -3e38f);
            assert_in_range(leaf_pairs(&pair), 1, ALL_WITH_ALL / 4);
            drift(&pair, 0, 0.01f);
        }
        free_pair(&pair);
    }
}

/* As somebody may who has no better place for what is not in use. */
static void test_many_are_parked(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        Pair pair = make_pair(kind);
        put_all(&pair);
        for (int32_t i = 0; i < 2 * COUNT; i += 10)
            set(pair.corners[i], i % 20 ? FLT_MAX : -FLT_MAX);
        lend(&pair, 0, COUNT);
        lend(&pair, 1, COUNT);
        for (int frame = 0; frame < 12; frame++)
            assert_in_range(leaf_pairs(&pair), 1, ALL_WITH_ALL / 4);
        free_pair(&pair);
    }
}

/* A tenth to begin with, and a twentieth more in each frame, anywhere. */
static void test_more_and_more(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        Pair pair = make_pair(kind);
        for (int32_t i = 0; i < 2 * COUNT; i++)
            if (i % COUNT < COUNT / 10)
                put(&pair, i);
            else
                set(pair.corners[i], NAN);
        lend(&pair, 0, COUNT);
        lend(&pair, 1, COUNT);
        int32_t count = COUNT / 10;
        for (int frame = 0; frame < 40; frame++) {
            for (int32_t end = count + COUNT / 20; count < end && count < COUNT; count++) {
                put(&pair, count);
                put(&pair, COUNT + count);
            }
            assert_in_range(leaf_pairs(&pair), 1, ALL_WITH_ALL / 4);
        }
        free_pair(&pair);
    }
}

/* A quarter of all leaves with all, of a body that has `count` places; and as many as eight leaves
 * have, because a few leaves that hold triangles from anywhere cannot be told apart. */
static void check_partly_filled(Pair *pair, int32_t count)
{
    assert_in_range(leaf_pairs(pair), 1, (count / 16 + 8) * (COUNT / 16) / 4);
}

/* One place after the other, of arrays that have grown step by step before. */
static void test_one_after_the_other(void **state)
{
    (void)state;
    static const int32_t counts[][5] = {{16, 32}, {1024, 1040, 2048, 2304}, {100, 3000, 4096}};
    static const int32_t lives[] = {15, 1600, 3500};
    for (int c = 0; c < 3; c++) {
        Pair pair = make_pair(PLIANT_SOUP_AUTO);
        int32_t count = 0;
        for (int32_t i = 0; i < 2 * COUNT; i++)
            if (i < lives[c] || i >= COUNT)
                put(&pair, i);
            else
                set(pair.corners[i], NAN);
        lend(&pair, 1, COUNT);
        for (int i = 0; i < 5 && counts[c][i] > 0; i++) {
            count = counts[c][i];
            lend(&pair, 0, count);
            check_partly_filled(&pair, count);
        }
        for (int frame = 0; frame < 12; frame++)
            check_partly_filled(&pair, count);
        for (int32_t i = lives[c]; i < count; i++) {
            put(&pair, i);
            check_partly_filled(&pair, count);
        }
        free_pair(&pair);
    }
}

/* No more than an eighth of all are behind the others, however near each other they are. */
static void test_late_ones_in_one_place(void **state)
{
    (void)state;
    Pair pair = make_pair(PLIANT_SOUP_AUTO);
    PliantStats stats = pliant_stats_default();
    int64_t most = 0;
    put_all(&pair);
    for (int32_t i = 3 * COUNT / 4; i < COUNT; i++)
        set(pair.corners[i], NAN);
    lend(&pair, 0, COUNT);
    lend(&pair, 1, COUNT);
    for (int32_t i = 3 * COUNT / 4; i < COUNT; i++) {
        set(pair.corners[i], 0.5f + 1e-6f * (float)i);
        if (i % 32 != 0)
            continue;
        leaf_pairs(&pair);
        MUST(pliant_body_stats(pair.world, pair.bodies[0], &stats));
        if (i > 3 * COUNT / 4 && stats.primitives_placed > most)
            most = stats.primitives_placed;
    }
    assert_in_range(most, COUNT, COUNT * 2); /* all of them, once more */
    free_pair(&pair);
}

/* Kept from frame to frame, and put into order when it is worth it. */
static void test_order_is_kept(void **state)
{
    (void)state;
    Pair pair = make_pair(PLIANT_SOUP_AUTO);
    PliantStats stats = pliant_stats_default();
    int64_t placed = 0;
    put_all(&pair);
    lend(&pair, 0, COUNT);
    lend(&pair, 1, COUNT);
    for (int frame = 0; frame < 40; frame++) {
        leaf_pairs(&pair);
        MUST(pliant_world_stats(pair.world, &stats));
        placed += stats.primitives_placed;
        drift(&pair, 0, 0.0005f);
    }
    assert_int_equal(placed, 2 * 2 * COUNT); /* at first, and with care once it was kept for long */
    for (int frame = 0; frame < 3; frame++) {
        put_all(&pair);
        leaf_pairs(&pair);
        MUST(pliant_world_stats(pair.world, &stats));
        assert_in_range(stats.primitives_placed, 2 * COUNT, 4 * COUNT);
    }
    free_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_flies_off),          cmocka_unit_test(test_many_are_parked),
        cmocka_unit_test(test_more_and_more),          cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_late_ones_in_one_place), cmocka_unit_test(test_order_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
