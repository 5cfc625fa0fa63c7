/* Soups: names, mistakes, counts, copies and loans, empty places, statistics, memory. Which pairs
 * intersect is asked in test_soup_pairs.c. */
#include "calls.h"
#include "kettle.h"
#include "refuse.h"
#include "unit.h"
#include "walled.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

static int set_up(void **state)
{
    *state = kettle_create();
    return 0;
}

static int tear_down(void **state)
{
    assert_true(kettle_destroy(*state));
    return 0;
}

/* Of triangles, and of as many levels as it likes. */
static PliantBody create_soup(Kettle *k, int kind)
{
    return kettle_soup(k, PLIANT_TRIANGLES, (PliantSoupKind)kind, 0);
}

/* The pairs of such a soup with the sphere, which are right. */
static int64_t pairs(Kettle *k, PliantBody soup, PliantBody sphere,
                     const PliantPrimitives *primitives)
{
    int64_t count = kettle_pairs(k, soup, PLIANT_TRIANGLES, primitives, sphere);
    assert_true(count >= 0);
    return count;
}

/* ---- Names -------------------------------------------------------------------------------------
 */

static void test_defaults(void **state)
{
    Kettle *k = *state;
    PliantSoupDef def = pliant_soup_def_default();
    PliantBody body = {0};
    assert_int_equal(def.struct_size, sizeof def);
    assert_int_equal(def.primitive_kind, PLIANT_TRIANGLES);
    assert_null(def.experiments);
    MUST(pliant_body_create_soup(k->world, NULL, &body));
    PliantPrimitives some = kettle_first(k, KETTLE_ON_SPHERE);
    MUST(pliant_body_set_primitives(k->world, body, &some)); /* so they are triangles */
    assert_true(pairs(k, body, kettle_sphere(k), &some) > KETTLE_ON_SPHERE);
}

/* Nothing at first, and in no pair, wherever that is moved to. */
static void test_nothing(void **state)
{
    Kettle *k = *state;
    const float m = 3e38f;
    const PliantTransform moves[] = {
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{0.6f, 0.8f, 0, 1}, {-0.8f, 0.6f, 0, 0}, {0, 0, -1, 0}}},
        {{{0, 0, 0, 0.5f}, {0, 0, 0, 0.5f}, {0, 0, 0, 0.5f}}},
        {{{m, m, m, 0}, {m, m, -m, 0}, {m, -m, m, 0}}}, /* a box of it is all of space */
    };
    const PliantBox everywhere = {{-INFINITY, -INFINITY, -INFINITY},
                                  {INFINITY, INFINITY, INFINITY}};
    PliantPrimitives none = kettle_first(k, 0);
    for (int i = 0; i < 2; i++) {
        PliantBody sphere = kettle_sphere(k);
        MUST(pliant_body_set_transform(k->world, sphere, &moves[3 * i]));
        MUST(pliant_body_set_filter(k->world, sphere, 1, 2)); /* they do not see each other */
    }
    for (int points = 0; points < 2; points++)
        for (int kind = 0; kind < KETTLE_KINDS; kind++) {
            PliantBody body = kettle_soup(k, (PliantPrimitiveKind)points, (PliantSoupKind)kind, 0);
            const PliantPrimitives point = {.struct_size = sizeof(PliantPrimitives),
                                            .vertices = {k->sphere.vertices, 3, 0},
                                            .corners = NULL,
                                            .count = points ? 3 : 1};
            float out[3] = {7, 7, 7};
            assert_true(pliant_body_is_alive(k->world, body));
            MUST(pliant_body_set_loose_box(k->world, body, &everywhere));
            for (int round = 0; round < 4; round++) {
                assert_int_equal(kettle_collide(k, PLIANT_ALL_PAIRS), 0);
                assert_int_equal(kettle_collide(k, PLIANT_ANY_PAIR), 0);
                MUST(pliant_body_set_transform(k->world, body, &moves[round]));
                MUST(test_body_vertices(k->world, body, out));
                assert_true(out[0] == 7);
                MUST(kettle_gives[round % 2](k->world, body, &point));
                kettle_collide(k, PLIANT_FIRST_PAIRS); /* it is there, and gone */
                MUST(kettle_gives[round % 2](k->world, body, &none));
            }
            const PliantPrimitives nowhere = {.struct_size =
                                                  sizeof(PliantPrimitives)}; /* no arrays at all */
            MUST(pliant_body_set_primitives(k->world, body, &nowhere));
            MUST(pliant_body_borrow_primitives(k->world, body, &nowhere));
            assert_int_equal(kettle_collide(k, PLIANT_FIRST_PAIRS), 0);
        }
}

/* A place is used for soups and for shapes in turn. */
static void test_names(void **state)
{
    Kettle *k = *state;
    PliantPrimitives some = kettle_first(k, KETTLE_ON_SPHERE);
    PliantBody sphere = kettle_sphere(k), old = {0};
    for (int round = 0; round < 6; round++) {
        PliantBody body = round % 2 ? kettle_sphere(k) : create_soup(k, round / 2);
        assert_int_equal(body.index, 2);
        assert_true(body.serial != old.serial);
        assert_false(pliant_body_is_alive(k->world, old));
        if (round % 2 == 0) {
            MUST(pliant_body_borrow_primitives(k->world, body, &some));
            assert_true(pairs(k, body, sphere, &some) > KETTLE_ON_SPHERE);
        }
        assert_int_equal(kettle_collide(k, PLIANT_FIRST_PAIRS), 1);
        kettle_end(k, body);
        assert_int_equal(kettle_collide(k, PLIANT_FIRST_PAIRS), 0);
        REFUSE(k->host, pliant_body_set_primitives(k->world, body, &some), PLIANT_BAD_ID,
               "body is {index 2, ");
        REFUSE(k->host, pliant_body_borrow_primitives(k->world, body, &some), PLIANT_BAD_ID,
               "body is {index 2, ");
        old = body;
    }
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

#define REFUSE_ARGUMENT(k, call, text) REFUSE((k)->host, call, PLIANT_BAD_ARGUMENT, text)
#define REFUSE_INDEX(k, call, text) REFUSE((k)->host, call, PLIANT_BAD_INDEX, text)

static void test_mistakes_in_defs(void **state)
{
    Kettle *k = *state;
    const PliantBody none = {7, 8};
    PliantBody body = none;
    PliantSoupDef def = pliant_soup_def_default();
    REFUSE_ARGUMENT(k, pliant_body_create_soup(k->world, &def, NULL), "body is NULL");
    def.primitive_kind = (PliantPrimitiveKind)3;
    REFUSE_ARGUMENT(k, pliant_body_create_soup(k->world, &def, &body), "def.primitive_kind is 3");
    def = pliant_soup_def_default();
    def.struct_size = 0;
    REFUSE(k->host, pliant_body_create_soup(k->world, &def, &body), PLIANT_BAD_DEF,
           "def.struct_size is 0");
#ifndef PLIANT_ASSERTS /* nobody to tell: a build with asserts stops */
    PliantPrimitives some = kettle_first(k, 1);
    assert_int_equal(pliant_body_create_soup(NULL, NULL, &body), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_set_primitives(NULL, body, &some), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_borrow_primitives(NULL, body, &some), PLIANT_BAD_ARGUMENT);
#endif
    assert_memory_equal(&body, &none, sizeof none);
    assert_int_equal(kettle_sphere(k).index, 1);
}

static void refuse_all(Kettle *k, PliantBody body, KettleGive *give)
{
    static const uint32_t corners[] = {0, 1, 2, 3, 4, 6, 0, 1, 5};
    static const uint32_t second_empty[] = {0, PLIANT_NO_VERTEX, 2};
    const PliantPrimitives good = kettle_first(k, 3);
    PliantPrimitives bad = good;
    REFUSE_ARGUMENT(k, give(k->world, body, NULL), "primitives is NULL");
    bad.count = -1;
    REFUSE_ARGUMENT(k, give(k->world, body, &bad), "primitives.count is -1");
    bad = good;
    bad.vertices.data = NULL;
    REFUSE_ARGUMENT(k, give(k->world, body, &bad), "primitives.vertices.data is NULL");
    bad = good;
    bad.vertices.count = -3;
    REFUSE_ARGUMENT(k, give(k->world, body, &bad), "primitives.vertices.count is -3");
    bad.vertices.count = 8;
    REFUSE_ARGUMENT(k, give(k->world, body, &bad), "primitives.vertices.count is 8");
    bad = good;
    bad.vertices.stride = 14;
    REFUSE_ARGUMENT(k, give(k->world, body, &bad), "primitives.vertices.stride is 14");
    bad = good;
    bad.corners = corners;
    bad.vertices.count = 6;
    REFUSE_INDEX(k, give(k->world, body, &bad), "primitives.corners[5] is 6");
    bad.vertices.count = 5;
    bad.count = 1;
    MUST(give(k->world, body, &bad));
    bad.corners = second_empty;
    REFUSE_INDEX(k, give(k->world, body, &bad), "primitives.corners[1] is 4294967295");
    bad.vertices.count = 0;
    REFUSE_INDEX(k, give(k->world, body, &bad), "primitives.corners[0] is 0");
    bad = good;
    bad.count = PLI_MAX_PRIMITIVES;
    REFUSE_ARGUMENT(k, give(k->world, body, &bad), "primitives.vertices.count is 9");
    bad.count++;
    REFUSE(k->host, give(k->world, body, &bad), PLIANT_TOO_LARGE, "primitives.count is ");
}

static void test_mistakes_of_primitives(void **state)
{
    Kettle *k = *state;
    for (int kind = 0; kind < KETTLE_KINDS; kind++)
        for (int i = 0; i < 2; i++) {
            PliantBody body = create_soup(k, kind);
            refuse_all(k, body, kettle_gives[i]);
            kettle_end(k, body);
        }
    PliantBody points = kettle_soup(k, PLIANT_POINTS, PLIANT_SOUP_AUTO, 0);
    PliantPrimitives bad = kettle_first(k, 3);
    REFUSE_ARGUMENT(k, pliant_body_set_primitives(k->world, points, &bad),
                    "primitives.vertices.count is 9");
}

/* What is for bodies of the other kind. */
static void test_wrong_kind(void **state)
{
    Kettle *k = *state;
    PliantBody sphere = kettle_sphere(k), soup = create_soup(k, PLIANT_SOUP_AUTO);
    PliantPrimitives some = kettle_first(k, 3);
    PliantVertices vertices = {k->sphere.vertices, k->sphere.vertex_count, 0};
    const PliantTransform joint = pliant_transform_identity();
    REFUSE_ARGUMENT(k, pliant_body_set_primitives(k->world, sphere, &some), "the body has a shape");
    REFUSE_ARGUMENT(k, pliant_body_borrow_primitives(k->world, sphere, &some),
                    "the body has a shape");
    REFUSE_ARGUMENT(k, pliant_body_set_vertices(k->world, soup, vertices), "the body is a soup");
    REFUSE_ARGUMENT(k, pliant_body_borrow_vertices(k->world, soup, vertices), "the body is a soup");
    REFUSE_ARGUMENT(k, pliant_body_set_weights(k->world, soup, k->corners[0], 1),
                    "the body is a soup");
    REFUSE_ARGUMENT(k, pliant_body_set_joints(k->world, soup, &joint, 1), "the body is a soup");
    REFUSE_ARGUMENT(k, pliant_body_set_update_kind(k->world, soup, PLIANT_UPDATE_HYBRID),
                    "the body is a soup");
    MUST(pliant_body_set_primitives(k->world, soup, &some));
    assert_true(pairs(k, soup, sphere, &some) >= 3);
}

/* ---- What is given -----------------------------------------------------------------------------
 */

/* From nothing to many and back, and what was there before is there no more. */
static void test_counts(void **state)
{
    Kettle *k = *state;
    static const int32_t counts[] = {0,  1, 15,  16,  17,  0,    127, 128, 129,
                                     70, 1, 256, 257, 255, 1025, 0,   70};
    PliantBody sphere = kettle_sphere(k);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        PliantBody soup = create_soup(k, kind);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            PliantPrimitives some = kettle_first(k, counts[i]);
            MUST(kettle_gives[i / 2 % 2](k->world, soup, &some));
            assert_true(pairs(k, soup, sphere, &some) >=
                        (counts[i] < KETTLE_ON_SPHERE ? counts[i] : KETTLE_ON_SPHERE));
            float out[3 * KETTLE_TRIANGLES][3];
            MUST(test_body_vertices(k->world, soup, out[0]));
            assert_memory_equal(out, k->corners, 36 * (size_t)counts[i]);
        }
        kettle_end(k, soup);
    }
}

static void test_borrowed_writes_are_seen(void **state)
{
    Kettle *k = *state;
    PliantBody sphere = kettle_sphere(k);
    PliantPrimitives some = kettle_first(k, 200);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        PliantBody soup = create_soup(k, kind);
        MUST(pliant_body_borrow_primitives(k->world, soup, &some));
        for (int round = 0; round < 4; round++) {
            assert_true(kettle_collide(k, PLIANT_ALL_PAIRS) == pairs(k, soup, sphere, &some));
            assert_int_equal(kettle_collide(k, PLIANT_ANY_PAIR), 1);
            for (int32_t i = 0; i < 600; i++)
                k->corners[i / 3][i % 3 * 3] += 5;
            assert_int_equal(kettle_collide(k, PLIANT_ALL_PAIRS), 0); /* and no call */
            assert_int_equal(pairs(k, soup, sphere, &some), 0);
            kettle_fill(k);
        }
        kettle_end(k, soup);
    }
}

static void test_copies_are_copies(void **state)
{
    Kettle *k = *state;
    PliantBody sphere = kettle_sphere(k), soup = create_soup(k, PLIANT_SOUP_AUTO);
    const uint32_t few[] = {0, 1, 2, PLIANT_NO_VERTEX, 0, 0, 3, 4, 5};
    uint32_t corners[9];
    float *vertices = malloc(6 * 12);
    memcpy(vertices, k->corners, 6 * 12);
    memcpy(corners, few, sizeof few);
    PliantPrimitives some = {.struct_size = sizeof(PliantPrimitives),
                             .vertices = {vertices, 6, 0},
                             .corners = corners,
                             .count = 3};
    const PliantPrimitives kept = {.struct_size = sizeof(PliantPrimitives),
                                   .vertices = {k->corners[0], 6, 0},
                                   .corners = few,
                                   .count = 3};
    MUST(pliant_body_set_primitives(k->world, soup, &some));
    int64_t count = pairs(k, soup, sphere, &kept);
    assert_true(count >= 2);
    memset(vertices, 0xff, 6 * 12);
    memset(corners, 0x7f, sizeof corners);
    assert_int_equal(pairs(k, soup, sphere, &kept), count);
    free(vertices);
    assert_int_equal(pairs(k, soup, sphere, &kept), count);

    /* Lent, and then copied: what was lent is not read again. */
    float *lent = malloc(6 * 12);
    memcpy(lent, k->corners, 6 * 12);
    PliantPrimitives other = {.struct_size = sizeof(PliantPrimitives),
                              .vertices = {lent, 6, 0},
                              .corners = few,
                              .count = 3};
    MUST(pliant_body_borrow_primitives(k->world, soup, &other));
    assert_int_equal(pairs(k, soup, sphere, &kept), count);
    MUST(pliant_body_set_primitives(k->world, soup, &kept));
    free(lent);
    assert_int_equal(pairs(k, soup, sphere, &kept), count);
}

/* Arrays of any stride that end at a wall: what is behind the last number is not to be read. */
static void test_strides(void **state)
{
    Kettle *k = *state;
    static const int32_t counts[] = {1, 2, 5, 16, 33};
    PliantBody sphere = kettle_sphere(k);
    Walled walls[2] = {walled(1 << 13), walled(1 << 13)};
    for (size_t i = 0; i < 4 * sizeof counts / sizeof *counts; i++) {
        const size_t stride = 12 + 4 * (i % 4), vertex_count = 3 * (size_t)counts[i / 4];
        char *vertices = walled_last(&walls[0], stride * (vertex_count - 1) + 12);
        uint32_t *corners = walled_last(&walls[1], vertex_count * sizeof *corners);
        for (uint32_t v = 0; v < vertex_count; v++) {
            memcpy(vertices + stride * v, &k->corners[v / 3][3 * (v % 3)], 12);
            corners[v] = v;
        }
        for (int kind = 0; kind < 2 * KETTLE_KINDS; kind++) {
            const PliantPrimitives some = {
                .struct_size = sizeof(PliantPrimitives),
                .vertices = {(const float *)vertices, (int32_t)vertex_count, stride},
                .corners = kind < KETTLE_KINDS ? corners : NULL,
                .count = counts[i / 4]};
            PliantBody soup = create_soup(k, kind % KETTLE_KINDS);
            MUST(kettle_gives[kind / 2 % 2](k->world, soup, &some));
            assert_true(pairs(k, soup, sphere, &some) >= counts[i / 4]);
            kettle_end(k, soup);
        }
    }
    walled_free(&walls[0]);
    walled_free(&walls[1]);
}

/* One of two triangles is emptied, in either way, and filled again. */
static void test_empty_places(void **state)
{
    Kettle *k = *state;
    PliantBody sphere = kettle_sphere(k);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        uint32_t corners[] = {0, 1, 2, 3, 4, 5};
        const PliantPrimitives some = {.struct_size = sizeof(PliantPrimitives),
                                       .vertices = {k->corners[0], 6, 0},
                                       .corners = corners,
                                       .count = 2};
        PliantBody soup = create_soup(k, kind);
        PliantContacts contacts = pliant_contacts_default();
        for (int round = 0; round < 3; round++) {
            corners[0] = 0;
            MUST(kettle_gives[round % 2](k->world, soup, &some));
            int64_t both = pairs(k, soup, sphere, &some);
            corners[0] = PLIANT_NO_VERTEX;
            MUST(kettle_gives[round % 2](k->world, soup, &some));
            int64_t one = pairs(k, soup, sphere, &some);
            assert_true(one > 0 && one < both);
            MUST(pliant_world_collide(k->world, NULL, &contacts));
            assert_int_equal(contacts.items[0].triangle_b, 1); /* it kept its place */
            corners[0] = 0;
            k->corners[0][4] = NAN;
            MUST(kettle_gives[round % 2](k->world, soup, &some));
            assert_int_equal(pairs(k, soup, sphere, &some), one);
            corners[3] = PLIANT_NO_VERTEX;
            MUST(kettle_gives[round % 2](k->world, soup, &some));
            assert_int_equal(pairs(k, soup, sphere, &some), 0);
            corners[3] = 3;
            kettle_fill(k);
        }
        kettle_end(k, soup);
    }
}

/* Readings and frames are counted in 32 bits: what is left from before they begin again is not
 * taken for new. */
static void test_counters_begin_again(void **state)
{
    Kettle *k = *state;
    PliantBody sphere = kettle_sphere(k);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        PliantBody soup = kettle_soup(k, PLIANT_TRIANGLES, (PliantSoupKind)kind, 4);
        for (int round = 0; round < 12; round++) {
            PliSoup *inside = pli_soup_of(&pli_world_body(k->world, soup)->pose);
            if (round == 4) {
                inside->mark = UINT32_MAX - 9;
                inside->base.bounds.frame = UINT32_MAX - 8; /* always odd */
            }
            const PliantPrimitives some = {.struct_size = sizeof(PliantPrimitives),
                                           .vertices = {k->corners[40 * round], 3 * 600, 0},
                                           .corners = NULL,
                                           .count = 600}; /* not in the same buckets */
            MUST(kettle_gives[round % 2](k->world, soup, &some));
            assert_true(pairs(k, soup, sphere, &some) > 0);
            assert_true(round < 8 || inside->mark < 100);
        }
        kettle_end(k, soup);
    }
}

/* All that is not given is as in any other body. */
static void test_transforms_filters_and_boxes(void **state)
{
    Kettle *k = *state;
    const PliantPrimitives some = kettle_first(k, KETTLE_ON_SPHERE);
    const PliantBox elsewhere = {{50, 50, 50}, {60, 60, 60}}, here = {{-2, -2, -2}, {2, 2, 2}};
    PliantBody sphere = kettle_sphere(k);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        PliantBody soup = create_soup(k, kind);
        MUST(kettle_gives[kind % 2](k->world, soup, &some));
        int64_t count = pairs(k, soup, sphere, &some);
        kettle_shift(k, soup, 9);
        assert_int_equal(pairs(k, soup, sphere, &some), 0);
        assert_int_equal(kettle_collide(k, PLIANT_ALL_PAIRS), 0);
        float out[KETTLE_ON_SPHERE][9] = {{0}};
        MUST(test_body_vertices(k->world, soup, out[0]));
        assert_true(out[3][3] == k->corners[3][3] + 9 && out[69][8] == k->corners[69][8]);
        kettle_shift(k, soup, 0.01f);
        assert_true(pairs(k, soup, sphere, &some) > 0);
        kettle_shift(k, soup, 0);
        assert_int_equal(kettle_collide(k, PLIANT_ALL_PAIRS), count);
        for (int32_t i = 0; i < 3 * KETTLE_ON_SPHERE; i++)
            k->corners[i / 3][i % 3 * 3] += 8;
        MUST(kettle_gives[kind % 2](k->world, soup, &some));
        assert_int_equal(pairs(k, soup, sphere, &some), 0);
        kettle_shift(k, soup, -8); /* to the sphere, where nothing of it would be without */
        assert_true(pairs(k, soup, sphere, &some) > 0 && kettle_collide(k, PLIANT_ALL_PAIRS) > 0);
        kettle_shift(k, soup, 0);
        kettle_fill(k);
        MUST(kettle_gives[kind % 2](k->world, soup, &some));
        MUST(pliant_body_set_filter(k->world, soup, 1, 0));
        assert_int_equal(kettle_collide(k, PLIANT_ALL_PAIRS), 0);
        assert_int_equal(pairs(k, soup, sphere, &some), count); /* two bodies alone are not asked */
        MUST(pliant_body_set_filter(k->world, soup, 1, UINT32_MAX));
        MUST(pliant_body_set_loose_box(k->world, soup, &elsewhere));
        assert_int_equal(kettle_collide(k, PLIANT_ALL_PAIRS), 0);
        PliantStats stats = pliant_stats_default();
        MUST(pliant_body_stats(k->world, soup, &stats));
        assert_int_equal(stats.vertices_read, 0); /* not even read */
        MUST(pliant_body_set_loose_box(k->world, soup, &here));
        assert_int_equal(kettle_collide(k, PLIANT_ALL_PAIRS), count);
        MUST(pliant_body_set_loose_box(k->world, soup, NULL));
        assert_int_equal(kettle_collide(k, PLIANT_ALL_PAIRS), count);
        kettle_end(k, soup);
    }
}

/* ---- Statistics --------------------------------------------------------------------------------
 */

static void test_statistics(void **state)
{
    Kettle *k = *state;
    PliantBody sphere = kettle_sphere(k);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        uint32_t corners[300];
        for (uint32_t i = 0; i < 300; i++)
            corners[i] = i % 75 == 0 ? PLIANT_NO_VERTEX : i;
        const PliantPrimitives some = {.struct_size = sizeof(PliantPrimitives),
                                       .vertices = {k->corners[0], 300, 0},
                                       .corners = corners,
                                       .count = 100};
        PliantBody soup = create_soup(k, kind);
        k->corners[30][7] = INFINITY;
        k->corners[31][0] = k->corners[31][8] = NAN;
        k->corners[25][2] = k->corners[0][0] = NAN; /* in empty places */
        MUST(pliant_body_borrow_primitives(k->world, soup, &some));
        int64_t count = kettle_collide(k, PLIANT_ALL_PAIRS);
        PliantStats all = pliant_stats_default(), own = pliant_stats_default();
        MUST(pliant_world_stats(k->world, &all));
        MUST(pliant_body_stats(k->world, soup, &own));
        assert_true(count > 0);
        assert_int_equal(all.contacts, count);
        assert_int_equal(own.contacts, count);
        assert_int_equal(all.body_pairs, 1);
        assert_true(own.vertices_read > 0 && own.vertices_read == all.vertices_read);
        assert_true(all.triangle_tests >= count && own.leaves_evaluated > 0);
        assert_int_equal(test_nonfinite_count(k->world, soup), 2);
        assert_int_equal(all.byte_size, k->host.bytes);
        assert_int_equal(own.byte_size, 0);
        MUST(pliant_body_stats(k->world, sphere, &own));
        assert_int_equal(own.vertices_read, 0);
        kettle_end(k, soup);
        MUST(pliant_world_stats(k->world, &all));
        assert_int_equal(all.byte_size, k->host.bytes);
        kettle_fill(k);
    }
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

typedef struct Motion {
    PliantBody copied, lent, points;
    uint32_t corners[3 * KETTLE_TRIANGLES];
} Motion;

/* Everything moves, counts differ, every query is asked. */
static void play_frame(Kettle *k, Motion *motion, int frame)
{
    PliantBodyPairs body_pairs = pliant_body_pairs_default();
    const int32_t index_count = 100 + frame % 7 * 150;
    for (int32_t i = 0; i < 9 * KETTLE_TRIANGLES; i++)
        k->corners[i / 9][i % 9] += 0.02f * (float)((frame + i / 9) % 5 - 2);
    for (int32_t i = 0; i < 3 * index_count; i++)
        motion->corners[i] =
            i % 3 == 0 && (i / 3 + frame) % 17 == 0 ? PLIANT_NO_VERTEX : (uint32_t)i;
    PliantPrimitives lent = kettle_first(k, index_count);
    PliantPrimitives copied = {.struct_size = sizeof(PliantPrimitives),
                               .vertices = lent.vertices,
                               .corners = motion->corners,
                               .count = index_count};
    PliantPrimitives points = {.struct_size = sizeof(PliantPrimitives),
                               .vertices = lent.vertices,
                               .corners = NULL,
                               .count = 3 * index_count};
    MUST(pliant_body_borrow_primitives(k->world, motion->lent, &lent));
    MUST(pliant_body_set_primitives(k->world, motion->copied, &copied));
    MUST(pliant_body_set_primitives(k->world, motion->points, &points));
    kettle_shift(k, motion->copied, 0.01f * (float)(frame % 3));
    for (int query = PLIANT_ALL_PAIRS; query <= PLIANT_ANY_PAIR; query++)
        kettle_collide(k, (PliantCollideKind)query);
    MUST(pliant_world_body_pairs(k->world, NULL, &body_pairs));
    kettle_fill(k);
}

static void test_warm_frames_allocate_nothing(void **state)
{
    Kettle *k = *state;
    static Motion motion;
    kettle_sphere(k);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        motion.copied = create_soup(k, kind);
        motion.lent = create_soup(k, kind);
        motion.points = kettle_soup(k, PLIANT_POINTS, (PliantSoupKind)kind, 0);
        for (int frame = 0; frame < 35; frame++)
            play_frame(k, &motion, frame);
        int64_t calls = k->host.calls;
        for (int frame = 0; frame < 35; frame++)
            play_frame(k, &motion, frame);
        assert_int_equal(k->host.calls, calls);
        kettle_end(k, motion.copied);
        kettle_end(k, motion.lent);
        kettle_end(k, motion.points);
    }
}

/* Refused, or out of memory at any of its allocations: then the body is as it was, lent or not. */
static void test_failures_leave_it_as_it_was(void **state)
{
    Kettle *k = *state;
    static uint32_t corners[3 * KETTLE_TRIANGLES];
    for (uint32_t i = 0; i < 3 * KETTLE_TRIANGLES; i++)
        corners[i] = i;
    PliantBody sphere = kettle_sphere(k);
    const PliantPrimitives some = {.struct_size = sizeof(PliantPrimitives),
                                   .vertices = {k->corners[0], 3 * KETTLE_ON_SPHERE, 0},
                                   .corners = corners,
                                   .count = 70};
    const PliantPrimitives bad = {.struct_size = sizeof(PliantPrimitives),
                                  .vertices = {k->corners[0], 3 * KETTLE_ON_SPHERE - 1, 0},
                                  .corners = corners,
                                  .count = 70};
    PliantPrimitives more = kettle_first(k, KETTLE_TRIANGLES);
    more.corners = corners;
    for (int i = 0; i < 4 * KETTLE_KINDS; i++) {
        KettleGive *before = kettle_gives[i % 2], *after = kettle_gives[i / 2 % 2];
        PliantBody soup = create_soup(k, i / 4);
        MUST(before(k->world, soup, &some));
        int64_t count = pairs(k, soup, sphere, &some);
        assert_int_equal(after(k->world, soup, &bad), PLIANT_BAD_INDEX);
        assert_int_equal(pairs(k, soup, sphere, &some), count);
        PliantResult result = PLIANT_OUT_OF_MEMORY;
        for (int64_t n = 1; result != PLIANT_OK; n++) {
            k->host.fail_at = k->host.calls + n;
            result = after(k->world, soup, &more);
            k->host.fail_at = 0;
            assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);
            if (result != PLIANT_OK)
                assert_int_equal(pairs(k, soup, sphere, &some), count);
        }
        assert_true(pairs(k, soup, sphere, &more) > count);
        kettle_end(k, soup);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(defaults),
        TEST(nothing),
        TEST(names),
        TEST(mistakes_in_defs),
        TEST(mistakes_of_primitives),
        TEST(wrong_kind),
        TEST(counts),
        TEST(borrowed_writes_are_seen),
        TEST(copies_are_copies),
        TEST(strides),
        TEST(empty_places),
        TEST(counters_begin_again),
        TEST(transforms_filters_and_boxes),
        TEST(statistics),
        TEST(warm_frames_allocate_nothing),
        TEST(failures_leave_it_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
