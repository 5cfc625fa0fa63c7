/* Worlds and bodies: names, mistakes, freshness, filters, order, statistics, memory. */
#include "brute.h"
#include "calls.h"
#include "refuse.h"
#include "scenes.h"
#include "unit.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Two spheres and a world -------------------------------------------------------------------
 */

typedef struct Fixture {
    TestHost host, shape_host; /* of the world, and of the shape */
    SceneMesh mesh;
    PliantShape *shape;
    PliantWorld *world;
} Fixture;

static PliantShape *create_shape(const SceneMesh *mesh, TestHost *host)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    def.host = &host->host;
    PliantShape *shape = NULL;
    assert_int_equal(pliant_shape_create(&def, &shape), PLIANT_OK);
    return shape;
}

static PliantWorld *create_world(TestHost *host, PliantBroadKind broad_kind)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.host = &host->host;
    experiments.broad_kind = broad_kind;
    PliantWorld *world = NULL;
    assert_int_equal(pliant_world_create(&def, &world), PLIANT_OK);
    return world;
}

static int set_up(void **state)
{
    Fixture *f = malloc(sizeof *f);
    test_host_init(&f->host);
    test_host_init(&f->shape_host);
    f->mesh = scene_icosphere(2);
    f->shape = create_shape(&f->mesh, &f->shape_host);
    f->world = create_world(&f->host, PLIANT_BROAD_AUTO);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    pliant_world_destroy(f->world);
    pliant_shape_release(f->shape);
    assert_int_equal(f->host.blocks, 0);
    assert_int_equal(f->host.bytes, 0);
    assert_int_equal(f->shape_host.bytes, 0);
    scene_mesh_free(&f->mesh);
    free(f);
    return 0;
}

static PliantBody create_body(Fixture *f)
{
    PliantBody body = {0};
    assert_int_equal(pliant_body_create(f->world, f->shape, &body), PLIANT_OK);
    return body;
}

static PliantTransform shifted(float x)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = x;
    return transform;
}

static void shift(Fixture *f, PliantBody body, float x)
{
    PliantTransform transform = shifted(x);
    assert_int_equal(pliant_body_set_transform(f->world, body, &transform), PLIANT_OK);
}

static PliantContacts collide(Fixture *f, PliantCollideKind query)
{
    PliantContacts contacts = pliant_contacts_default();
    contacts.count = -1;
    assert_int_equal(pliant_world_collide(f->world, TEST_QUERY(query), &contacts), PLIANT_OK);
    return contacts;
}

static float *copy_of_vertices(const Fixture *f)
{
    size_t size = 12 * (size_t)f->mesh.vertex_count;
    float *copy = malloc(size);
    memcpy(copy, f->mesh.vertices, size);
    return copy;
}

static void shift_vertices(const Fixture *f, float *vertices, float x)
{
    for (int32_t v = 0; v < f->mesh.vertex_count; v++)
        vertices[3 * v] += x;
}

/* How many pairs the two have, by brute force over the vertices that the library returns. */
static int64_t brute_count(Fixture *f, PliantBody a, PliantBody b)
{
    float *x = copy_of_vertices(f), *y = copy_of_vertices(f);
    assert_int_equal(test_body_vertices(f->world, a, x), PLIANT_OK);
    assert_int_equal(test_body_vertices(f->world, b, y), PLIANT_OK);
    BruteContacts expected = {0};
    BruteBody brute_a = {x, f->mesh.triangles, f->mesh.triangle_count}, brute_b = brute_a;
    brute_b.vertices = y;
    brute_force(&brute_a, &brute_b, &expected);
    int64_t count = expected.count;
    brute_free(&expected);
    free(x);
    free(y);
    return count;
}

/* The world's answer is that of brute force, and it is (not) empty. */
static void assert_touch(Fixture *f, PliantBody a, PliantBody b, bool is_touching)
{
    int64_t count = collide(f, PLIANT_ALL_PAIRS).count;
    assert_int_equal(count, brute_count(f, a, b));
    assert_true((count > 0) == is_touching);
    assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, is_touching);
    assert_int_equal(collide(f, PLIANT_ANY_PAIR).count, is_touching);
}

/* ---- Names -------------------------------------------------------------------------------------
 */

/* Every call that takes a name refuses this one. */
static void assert_refused(Fixture *f, PliantBody body)
{
    char text[128];
    PliantTransform transform = pliant_transform_identity();
    PliantVertices vertices = {f->mesh.vertices, f->mesh.vertex_count, 0};
    PliantContacts contacts = pliant_contacts_default();
    PliantStats stats = pliant_stats_default();
    PliantBox box = {{0, 0, 0}, {1, 1, 1}};
    PliantBody good = create_body(f);
    float out[3];
    assert_false(pliant_body_is_alive(f->world, body));

#define REFUSE_ID(call, name)                                                                      \
    do {                                                                                           \
        f->host.message[0] = '\0';                                                                 \
        assert_int_equal(call, PLIANT_BAD_ID);                                                     \
        assert_int_equal(f->host.result, PLIANT_BAD_ID);                                           \
        snprintf(text, sizeof text,                                                                \
                 "%.*s: " name " is {index %u, serial %u}: no such body in this world",            \
                 (int)strcspn(#call, "("), #call, body.index, body.serial);                        \
        assert_string_equal(f->host.message, text);                                                \
    } while (0)
    REFUSE_ID(pliant_body_destroy(f->world, body), "body");
    REFUSE_ID(pliant_body_set_transform(f->world, body, &transform), "body");
    REFUSE_ID(pliant_body_set_vertices(f->world, body, vertices), "body");
    REFUSE_ID(pliant_body_borrow_vertices(f->world, body, vertices), "body");
    REFUSE_ID(pliant_body_set_weights(f->world, body, f->mesh.vertices, 1), "body");
    REFUSE_ID(pliant_body_vertices(f->world, body, out, 1), "body");
    REFUSE_ID(pliant_body_set_update_kind(f->world, body, PLIANT_UPDATE_HYBRID), "body");
    REFUSE_ID(pliant_body_set_filter(f->world, body, 1, 1), "body");
    REFUSE_ID(pliant_body_set_loose_box(f->world, body, &box), "body");
    REFUSE_ID(pliant_body_stats(f->world, body, &stats), "body");
    REFUSE_ID(pliant_bodies_collide(f->world, body, good, NULL, &contacts), "a");
    REFUSE_ID(pliant_bodies_collide(f->world, good, body, NULL, &contacts), "b");
#undef REFUSE_ID
    assert_int_equal(pliant_body_destroy(f->world, good), PLIANT_OK);
}

static void test_names(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    assert_true(a.index == 1 && b.index == 2);
    assert_true(pliant_body_is_alive(f->world, a) && pliant_body_is_alive(f->world, b));
    assert_int_equal(pliant_body_destroy(f->world, a), PLIANT_OK);
    assert_refused(f, a);
    PliantBody c = create_body(f); /* in the same place, under another name */
    assert_int_equal(c.index, a.index);
    assert_true(c.serial != a.serial);
    assert_refused(f, a);
    assert_refused(f, (PliantBody){0});
    assert_refused(f, (PliantBody){0, b.serial});
    assert_refused(f, (PliantBody){99, b.serial});
    assert_refused(f, (PliantBody){b.index, b.serial + 1});
    assert_refused(f, (PliantBody){b.index, 0});
    assert_refused(f, (PliantBody){UINT32_MAX, UINT32_MAX});
    assert_false(pliant_body_is_alive(NULL, b));
    assert_true(pliant_body_is_alive(f->world, b) && pliant_body_is_alive(f->world, c));
}

static void test_places_are_reused(void **state)
{
    Fixture *f = *state;
    PliantBody bodies[8];
    for (int i = 0; i < 8; i++)
        bodies[i] = create_body(f);
    for (int round = 0; round < 20; round++) {
        int gone = round * 3 % 8;
        PliantBody old = bodies[gone];
        assert_int_equal(pliant_body_destroy(f->world, old), PLIANT_OK);
        if (round % 2)
            collide(f, PLIANT_ANY_PAIR);
        bodies[gone] = create_body(f);
        assert_true(bodies[gone].index <= 8);
        assert_false(pliant_body_is_alive(f->world, old));
        assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, 28);
    }
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

#define REFUSE_ARGUMENT(f, call, text) REFUSE((f)->host, call, PLIANT_BAD_ARGUMENT, text)

static void test_mistakes_in_defs(void **state)
{
    Fixture *f = *state;
    PliantWorld *world = NULL;
    PliantWorldDef def = pliant_world_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.host = &f->host.host;
    REFUSE_ARGUMENT(f, pliant_world_create(&def, NULL), "world is NULL");
    experiments.broad_kind = (PliantBroadKind)3;
    REFUSE_ARGUMENT(f, pliant_world_create(&def, &world),
                    "def.experiments->broad_kind is 3: 0 to 2");
    PliantHost half = f->host.host;
    half.release = NULL;
    def = pliant_world_def_default();
    def.host = &half;
    REFUSE_ARGUMENT(f, pliant_world_create(&def, &world),
                    "host.allocate and host.release go together: one of them is NULL");
#ifndef PLIANT_ASSERTS /* nobody to tell: a build with asserts stops */
    def.struct_size = 8;
    assert_int_equal(pliant_world_create(&def, &world), PLIANT_BAD_DEF);
    PliantBody body = create_body(f);
    PliantContacts contacts = pliant_contacts_default();
    assert_int_equal(pliant_world_collide(NULL, NULL, &contacts), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_create(NULL, f->shape, &body), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_destroy(NULL, body), PLIANT_BAD_ARGUMENT);
#endif
    assert_null(world);
    pliant_world_destroy(NULL);
}

static void test_mistakes_of_bodies(void **state)
{
    Fixture *f = *state;
    PliantBody body = create_body(f), same = body;
    PliantTransform transform = pliant_transform_identity();
    REFUSE_ARGUMENT(f, pliant_body_create(f->world, NULL, &body), "shape is NULL");
    REFUSE_ARGUMENT(f, pliant_body_create(f->world, f->shape, NULL), "body is NULL");
    REFUSE_ARGUMENT(f, pliant_body_set_transform(f->world, body, NULL), "transform is NULL");
    transform.rows[1][2] = NAN;
    REFUSE_ARGUMENT(f, pliant_body_set_transform(f->world, body, &transform),
                    "transform.rows[1][2] is not finite");
    transform.rows[1][2] = 0;
    transform.rows[2][3] = -INFINITY;
    REFUSE_ARGUMENT(f, pliant_body_set_transform(f->world, body, &transform),
                    "transform.rows[2][3] is not finite");
    REFUSE_ARGUMENT(f, pliant_body_vertices(f->world, body, NULL, 162), "vertices is NULL");
    REFUSE_ARGUMENT(f, pliant_body_set_update_kind(f->world, body, (PliantUpdateKind)3),
                    "kind is 3");
    REFUSE_ARGUMENT(f, pliant_body_stats(f->world, body, NULL), "stats is NULL");
    REFUSE_ARGUMENT(f, pliant_world_stats(f->world, NULL), "stats is NULL");
    PliantBox box = {{0, 2, 0}, {1, 1, 1}};
    REFUSE_ARGUMENT(f, pliant_body_set_loose_box(f->world, body, &box),
                    "box.low[1] is 2, box.high[1] is 1");
    box.low[1] = NAN;
    REFUSE_ARGUMENT(f, pliant_body_set_loose_box(f->world, body, &box),
                    "box.low[1] is nan, box.high[1] is 1");
    assert_true(body.index == same.index && body.serial == same.serial);
}

static void test_mistakes_of_vertices(void **state)
{
    Fixture *f = *state;
    PliantBody body = create_body(f);
    const PliantVertices good = {f->mesh.vertices, f->mesh.vertex_count, 0};
    static PliantResult (*const calls[])(PliantWorld *, PliantBody, PliantVertices) = {
        pliant_body_set_vertices, pliant_body_borrow_vertices};
    for (int i = 0; i < 2; i++) {
        PliantVertices bad = good;
        bad.data = NULL;
        REFUSE_ARGUMENT(f, calls[i](f->world, body, bad), "vertices.data is NULL");
        bad = good;
        bad.count--;
        REFUSE_ARGUMENT(f, calls[i](f->world, body, bad),
                        "vertices.count is 161, the shape has 162");
        bad = good;
        bad.stride = 8;
        REFUSE_ARGUMENT(f, calls[i](f->world, body, bad), "vertices.stride is 8");
        bad.stride = 14;
        REFUSE_ARGUMENT(f, calls[i](f->world, body, bad), "vertices.stride is 14");
    }
}

static void test_mistakes_of_queries(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    PliantContacts contacts = pliant_contacts_default();
    contacts.count = -7;
    REFUSE_ARGUMENT(f, pliant_world_collide(f->world, TEST_QUERY((PliantCollideKind)3), &contacts),
                    "def.kind is 3");
    REFUSE_ARGUMENT(f, pliant_world_collide(f->world, NULL, NULL), "contacts is NULL");
    REFUSE_ARGUMENT(
        f, pliant_bodies_collide(f->world, a, b, TEST_QUERY((PliantCollideKind)-1), &contacts),
        "def.kind is -1");
    REFUSE_ARGUMENT(f, pliant_bodies_collide(f->world, a, b, NULL, NULL), "contacts is NULL");
    REFUSE_ARGUMENT(f, pliant_world_body_pairs(f->world, NULL, NULL), "pairs is NULL");
    assert_int_equal(contacts.count, -7);
}

/* ---- Never stale -------------------------------------------------------------------------------
 */

static void test_transforms_are_seen(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    assert_touch(f, a, b, true); /* one in the other's place */
    shift(f, b, 5);
    assert_touch(f, a, b, false);
    shift(f, b, 1.5f);
    assert_touch(f, a, b, true);
    shift(f, a, -1.5f);
    assert_touch(f, a, b, false);
    shift(f, a, 0);
    shift(f, b, 0);
    assert_touch(f, a, b, true);
}

static void test_borrowed_writes_are_seen(void **state)
{
    Fixture *f = *state;
    for (int kind = PLIANT_UPDATE_HYBRID; kind <= PLIANT_UPDATE_TOP_DOWN; kind++) {
        PliantBody a = create_body(f), b = create_body(f);
        float *lent = copy_of_vertices(f);
        PliantVertices vertices = {lent, f->mesh.vertex_count, 0};
        pliant_body_set_update_kind(f->world, a, (PliantUpdateKind)kind);
        shift_vertices(f, lent, 5); /* apart at first: nobody reads b's side of it */
        assert_int_equal(pliant_body_borrow_vertices(f->world, a, vertices), PLIANT_OK);
        assert_touch(f, a, b, false);
        shift_vertices(f, lent, -5);
        assert_touch(f, a, b, true);
        for (int round = 0; round < 3; round++) {
            shift_vertices(f, lent, 5); /* and no call */
            assert_touch(f, a, b, false);
            shift_vertices(f, lent, -6);
            assert_touch(f, a, b, true);
            shift_vertices(f, lent, 1);
        }
        pliant_body_destroy(f->world, a);
        pliant_body_destroy(f->world, b);
        free(lent);
    }
}

static void test_copies_are_copies(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    float *given = copy_of_vertices(f);
    PliantVertices vertices = {given, f->mesh.vertex_count, 0};
    assert_int_equal(pliant_body_set_vertices(f->world, a, vertices), PLIANT_OK);
    shift_vertices(f, given, 5);
    assert_touch(f, a, b, true);
    assert_int_equal(pliant_body_set_vertices(f->world, a, vertices), PLIANT_OK);
    assert_touch(f, a, b, false);
    shift_vertices(f, given, -5);
    assert_touch(f, a, b, false);
    assert_int_equal(pliant_body_borrow_vertices(f->world, a, vertices), PLIANT_OK);
    assert_touch(f, a, b, true);
    shift_vertices(f, given, 5);
    assert_touch(f, a, b, false);
    shift_vertices(f, given, -5);
    assert_int_equal(pliant_body_set_vertices(f->world, a, vertices), PLIANT_OK);
    memset(given, 0xff, 12); /* no longer borrowed */
    assert_touch(f, a, b, true);
    free(given);
    assert_touch(f, a, b, true);
}

static void test_update_kinds_change(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    float *lent = copy_of_vertices(f);
    assert_int_equal(
        pliant_body_borrow_vertices(f->world, a, (PliantVertices){lent, f->mesh.vertex_count, 0}),
        PLIANT_OK);
    for (int i = 0; i < 9; i++) {
        pliant_body_set_update_kind(f->world, a, (PliantUpdateKind)(i % 3));
        shift_vertices(f, lent, i % 2 ? 0.3f : -0.2f);
        assert_touch(f, a, b, true);
        pliant_body_set_update_kind(f->world, a, (PliantUpdateKind)(i / 3));
        assert_touch(f, a, b, true);
    }
    pliant_body_destroy(f->world, a);
    free(lent);
}

/* A promise is believed, right or wrong; and taken back, nothing of it stays. */
static void test_loose_boxes(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    PliantContacts contacts = pliant_contacts_default();
    const PliantBox elsewhere = {{50, 50, 50}, {60, 60, 60}}, here = {{-2, -2, -2}, {2, 2, 2}};
    assert_touch(f, a, b, true);
    pliant_body_set_loose_box(f->world, a, &elsewhere);
    assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 0);
    assert_int_equal(pliant_bodies_collide(f->world, a, b, NULL, &contacts), PLIANT_OK);
    assert_int_equal(contacts.count, brute_count(f, a, b));
    pliant_body_set_loose_box(f->world, a, &here);
    assert_touch(f, a, b, true);
    shift(f, a, 0.5f);
    assert_touch(f, a, b, true);
    pliant_body_set_loose_box(f->world, a, NULL);
    assert_touch(f, a, b, true);
    shift(f, a, 5);
    assert_touch(f, a, b, false);

    /* Far from all others, the vertices are not even read. */
    float *lent = copy_of_vertices(f);
    PliantStats stats = pliant_stats_default();
    pliant_body_borrow_vertices(f->world, a, (PliantVertices){lent, f->mesh.vertex_count, 0});
    pliant_body_set_loose_box(f->world, a, &elsewhere);
    collide(f, PLIANT_ALL_PAIRS);
    pliant_body_stats(f->world, a, &stats);
    assert_int_equal(stats.vertices_read, 0);
    pliant_body_set_loose_box(f->world, a, NULL);
    collide(f, PLIANT_ALL_PAIRS);
    pliant_body_stats(f->world, a, &stats);
    assert_int_equal(stats.vertices_read, f->mesh.vertex_count);
    pliant_body_destroy(f->world, a);
    free(lent);
}

/* Queries and frames are counted in 32 bits: what is left from before they begin again is not taken
 * for new. */
static void test_counters_begin_again(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    float *lent = copy_of_vertices(f);
    assert_int_equal(
        pliant_body_borrow_vertices(f->world, a, (PliantVertices){lent, f->mesh.vertex_count, 0}),
        PLIANT_OK);
    for (int i = 0; i < 4; i++) { /* marks of the first queries and frames */
        assert_touch(f, a, b, true);
        shift_vertices(f, lent, 0.1f);
    }
    f->world->query = UINT32_MAX - 5;
    f->world->first.narrow.cache.a_slots.stamp = f->world->first.narrow.cache.b_slots.stamp =
        UINT32_MAX - 3;
    pli_world_body(f->world, a)->pose.bounds.frame = UINT32_MAX - 8; /* always odd */
    for (int i = 0; i < 8; i++) {
        shift_vertices(f, lent, i % 2 ? -1.5f : 1.4f);
        shift(f, b, i % 3 ? 0.2f : 0);
        assert_touch(f, a, b, true);
    }
    assert_true(f->world->query < 100);
    assert_true(f->world->first.narrow.cache.a_slots.stamp < 100 &&
                f->world->first.narrow.cache.b_slots.stamp < 100);
    shift_vertices(f, lent, 9);
    assert_touch(f, a, b, false);
    pliant_body_destroy(f->world, a);
    free(lent);
}

/* The caller's rounding is set aside, and put back. */
static void test_rounding_modes(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    PliantTransform transform = {
        {{0.6f, -0.8f, 0.1f, 0.3f}, {0.8f, 0.6f, 0.7f, 0.1f}, {0.3f, 0.9f, -1.1f, 0.7f}}};
    assert_int_equal(pliant_body_set_transform(f->world, a, &transform), PLIANT_OK);
    float *wanted = copy_of_vertices(f), *got = copy_of_vertices(f);
    size_t size = 12 * (size_t)f->mesh.vertex_count;
    assert_int_equal(test_body_vertices(f->world, a, wanted), PLIANT_OK);
    int64_t count = collide(f, PLIANT_ALL_PAIRS).count;
    assert_int_equal(count, brute_count(f, a, b));
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        PliantStats stats = pliant_stats_default();
        fesetround(modes[i]);
        pliant_body_set_transform(f->world, a, &transform);
        PliantResult result = test_body_vertices(f->world, a, got);
        int64_t here = collide(f, PLIANT_ALL_PAIRS).count;
        pliant_world_stats(f->world, &stats);
        int mode = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(result, PLIANT_OK);
        assert_int_equal(mode, modes[i]);
        assert_memory_equal(got, wanted, size);
        assert_int_equal(here, count);
        assert_int_equal(stats.contacts, count);
    }
    free(wanted);
    free(got);
}

#if defined(__x86_64__)
/* A caller for whom tiny numbers are zero, and then one for whom they are a trap. */
static void test_flush_and_trap_modes(void **state)
{
    Fixture *f = *state;
    static const unsigned modes[] = {0x1f80 | 0x8040, 0};
    PliantBody a = create_body(f);
    PliantTransform tiny = shifted(0x1p-140f);
    const PliantBox flat = {{0x1p-140f, 0, 0}, {0x1p-139f, 0, 0}};
    float *got = copy_of_vertices(f);
    memset(got, 0, 12 * (size_t)f->mesh.vertex_count);
    const PliantVertices zeros = {got, f->mesh.vertex_count, 0};
    assert_int_equal(pliant_body_set_vertices(f->world, a, zeros), PLIANT_OK);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        __builtin_ia32_ldmxcsr(modes[i]);
        PliantResult moved = pliant_body_set_transform(f->world, a, &tiny);
        PliantResult boxed = pliant_body_set_loose_box(f->world, a, &flat);
        PliantResult asked = test_body_vertices(f->world, a, got);
        __builtin_ia32_ldmxcsr(0x1f80);
        assert_true(moved == PLIANT_OK && boxed == PLIANT_OK && asked == PLIANT_OK);
        assert_true(got[0] == 0x1p-140f);
    }
    free(got);
}
#endif

/* A body that has blown up is nowhere, on every instruction set, moved or not. */
static void test_nothing_but_nan(void **state)
{
    Fixture *f = *state;
    static const uint32_t masks[] = {0, 1, 2, 4};
    float *vertices = copy_of_vertices(f);
    for (int32_t i = 0; i < 3 * f->mesh.vertex_count; i++)
        vertices[i] = NAN;
    const PliantTransform to_a_point = {{{0, 0, 0, 0.5f}, {0, 0, 0, 0.5f}, {0, 0, 0, 0.5f}}};
    for (size_t i = 0; i < 2 * sizeof masks / sizeof *masks; i++) {
        PliantWorldDef def = pliant_world_def_default();
        def.cpu_mask = masks[i / 2];
        PliantWorld *world;
        PliantBody a, b;
        assert_int_equal(pliant_world_create(&def, &world), PLIANT_OK);
        assert_int_equal(pliant_body_create(world, f->shape, &a), PLIANT_OK);
        assert_int_equal(pliant_body_create(world, f->shape, &b), PLIANT_OK);
        PliantVertices borrowed = {vertices, f->mesh.vertex_count, 0};
        assert_int_equal(pliant_body_borrow_vertices(world, a, borrowed), PLIANT_OK);
        if (i % 2)
            assert_int_equal(pliant_body_set_transform(world, a, &to_a_point), PLIANT_OK);
        PliantBodyPairs found_pairs = pliant_body_pairs_default();
        assert_int_equal(pliant_world_body_pairs(world, NULL, &found_pairs), PLIANT_OK);
        assert_int_equal(found_pairs.count, 0);
        assert_int_equal(test_nonfinite_count(world, a), f->mesh.triangle_count);
        pliant_world_destroy(world);
    }
    free(vertices);
}

/* More leaves are reached than there are slots for them: twice 1,280, in spheres that coincide. */
static void test_more_leaves_than_slots(void **state)
{
    Fixture *f = *state;
    scene_mesh_free(&f->mesh);
    pliant_shape_release(f->shape);
    f->mesh = scene_icosphere(5);
    f->shape = create_shape(&f->mesh, &f->shape_host);
    PliantBody a = create_body(f), b = create_body(f);
    for (int i = 0; i < 4; i++) {
        const PliantTransform turned = {
            {{0.8f, -0.6f, 0, 0.001f * (float)i}, {0.6f, 0.8f, 0, 0}, {0, 0, 1, 0.002f}}};
        assert_int_equal(pliant_body_set_transform(f->world, b, &turned), PLIANT_OK);
        PliantStats stats = pliant_stats_default();
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, brute_count(f, a, b));
        assert_int_equal(pliant_world_stats(f->world, &stats), PLIANT_OK);
        assert_true(stats.leaves_evaluated > PLI_MAX_SLOTS);
    }
}

/* ---- Filters, order, few bodies -----------------------------------------------------------------
 */

static void test_filters(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f);
    static const struct {
        uint32_t a_is, a_with, b_is, b_with;
        bool is_touching;
    } cases[] = {{1, 2, 2, 1, true},
                 {1, 2, 2, 2, false},
                 {1, 1, 2, 1, false},
                 {0, ~0u, 1, ~0u, false},
                 {5, 6, 2, 4, true},
                 {1, 0, 1, 1, false},
                 {~0u, ~0u, 1u << 31, 1u << 31, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pliant_body_set_filter(f->world, a, cases[i].a_is, cases[i].a_with);
        pliant_body_set_filter(f->world, b, cases[i].b_is, cases[i].b_with);
        assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, cases[i].is_touching);
        PliantBodyPairs found_pairs = pliant_body_pairs_default();
        assert_int_equal(pliant_world_body_pairs(f->world, NULL, &found_pairs), PLIANT_OK);
        assert_int_equal(found_pairs.count, cases[i].is_touching);
        PliantContacts contacts = pliant_contacts_default(); /* two bodies alone are not asked */
        pliant_bodies_collide(f->world, a, b, TEST_QUERY(PLIANT_FIRST_PAIRS), &contacts);
        assert_int_equal(contacts.count, 1);
    }
}

static bool is_less(const PliantContact *x, const PliantContact *y)
{
    if (x->body_a.index != y->body_a.index)
        return x->body_a.index < y->body_a.index;
    if (x->body_b.index != y->body_b.index)
        return x->body_b.index < y->body_b.index;
    if (x->triangle_a != y->triangle_a)
        return x->triangle_a < y->triangle_a;
    return x->triangle_b < y->triangle_b;
}

static void test_order(void **state)
{
    Fixture *f = *state;
    PliantBody bodies[5];
    for (int i = 0; i < 5; i++) {
        bodies[i] = create_body(f);
        shift(f, bodies[i], 0.3f * (float)(i * 2 % 5));
    }
    pliant_body_destroy(f->world, bodies[1]); /* a later name in an earlier place */
    bodies[1] = create_body(f);
    PliantContacts contacts = collide(f, PLIANT_ALL_PAIRS);
    assert_true(contacts.count > 1000);
    for (int64_t i = 0; i < contacts.count; i++) {
        const PliantContact *contact = &contacts.items[i];
        assert_true(contact->body_a.index < contact->body_b.index);
        assert_true(pliant_body_is_alive(f->world, contact->body_a));
        assert_true(pliant_body_is_alive(f->world, contact->body_b));
        assert_true(i == 0 || is_less(contact - 1, contact));
    }
    PliantBodyPairs found_pairs = pliant_body_pairs_default();
    assert_int_equal(pliant_world_body_pairs(f->world, NULL, &found_pairs), PLIANT_OK);
    assert_int_equal(found_pairs.count, 10);
    const PliantBodyPair *pairs = found_pairs.items;
    for (int64_t i = 1; i < found_pairs.count; i++)
        assert_true(pairs[i - 1].body_a.index < pairs[i].body_a.index ||
                    (pairs[i - 1].body_a.index == pairs[i].body_a.index &&
                     pairs[i - 1].body_b.index < pairs[i].body_b.index));
    /* Given the other way round, two bodies come in the same order. */
    PliantContacts two = pliant_contacts_default();
    assert_int_equal(pliant_bodies_collide(f->world, bodies[3], bodies[2], NULL, &two), PLIANT_OK);
    assert_int_equal(two.items[0].body_a.index, bodies[2].index);
}

static void test_few_bodies(void **state)
{
    Fixture *f = *state;
    for (int bodies = 0; bodies < 2; bodies++) {
        for (int query = PLIANT_ALL_PAIRS; query <= PLIANT_ANY_PAIR; query++)
            assert_int_equal(collide(f, (PliantCollideKind)query).count, 0);
        PliantBodyPairs found_pairs = pliant_body_pairs_default();
        assert_int_equal(pliant_world_body_pairs(f->world, NULL, &found_pairs), PLIANT_OK);
        assert_int_equal(found_pairs.count, 0);
        PliantStats stats = pliant_stats_default();
        assert_int_equal(pliant_world_stats(f->world, &stats), PLIANT_OK);
        assert_int_equal(stats.body_pairs, 0);
        create_body(f);
    }
    assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, 1);
}

/* ---- Statistics --------------------------------------------------------------------------------
 */

static void test_statistics(void **state)
{
    Fixture *f = *state;
    PliantBody a = create_body(f), b = create_body(f), c = create_body(f);
    float *given = copy_of_vertices(f);
    PliantVertices vertices = {given, f->mesh.vertex_count, 0};
    shift(f, b, 1);
    shift(f, c, 9);
    assert_int_equal(pliant_body_borrow_vertices(f->world, a, vertices), PLIANT_OK);
    PliantContacts contacts = collide(f, PLIANT_ALL_PAIRS);
    PliantStats all = pliant_stats_default(), of_a = pliant_stats_default(),
                of_b = pliant_stats_default(), of_c = pliant_stats_default();
    assert_int_equal(pliant_world_stats(f->world, &all), PLIANT_OK);
    assert_int_equal(pliant_body_stats(f->world, a, &of_a), PLIANT_OK);
    assert_int_equal(pliant_body_stats(f->world, b, &of_b), PLIANT_OK);
    assert_int_equal(pliant_body_stats(f->world, c, &of_c), PLIANT_OK);
    assert_int_equal(all.contacts, contacts.count);
    assert_int_equal(of_a.contacts, contacts.count);
    assert_int_equal(of_b.contacts, contacts.count);
    assert_int_equal(of_c.contacts, 0);
    assert_int_equal(all.body_pairs, 1);
    assert_int_equal(all.vertices_read, f->mesh.vertex_count);
    assert_int_equal(of_a.vertices_read, f->mesh.vertex_count);
    assert_int_equal(of_b.vertices_read, 0);
    assert_true(all.node_pairs > 0 && all.leaf_pairs > 0);
    assert_true(all.triangle_tests >= all.contacts && all.undecided <= all.triangle_tests);
    assert_int_equal(test_nonfinite_count(f->world, a), 0);
    assert_true(all.nodes_updated > 0 && of_a.nodes_updated > 0 && of_b.nodes_updated > 0);
    assert_int_equal(all.nodes_updated,
                     of_a.nodes_updated + of_b.nodes_updated + of_c.nodes_updated);
    int32_t leaf_count = test_shape_info(f->shape).leaf_count;
    assert_in_range(all.leaves_evaluated, 2, 2 * leaf_count);
    assert_true(of_a.leaves_evaluated > 0 && of_b.leaves_evaluated > 0);

    given[7] = NAN; /* one vertex: as many triangles as it has */
    int64_t around = 0;
    for (int32_t i = 0; i < 3 * f->mesh.triangle_count; i++)
        around += f->mesh.triangles[i] == 2;
    collide(f, PLIANT_ALL_PAIRS);
    assert_int_equal(test_nonfinite_count(f->world, a), around);
    assert_int_equal(test_nonfinite_count(f->world, b), 0);

    /* What a query did not touch is not said to have been done by it. */
    assert_int_equal(pliant_bodies_collide(f->world, b, c, NULL, &contacts), PLIANT_OK);
    pliant_body_stats(f->world, a, &of_a);
    assert_int_equal(of_a.contacts, 0);
    assert_int_equal(of_a.vertices_read, 0);
    pliant_body_destroy(f->world, a);
    free(given);
}

static void test_byte_size(void **state)
{
    Fixture *f = *state;
    PliantStats stats = pliant_stats_default();
    PliantBody bodies[3];
    for (int i = 0; i < 3; i++) {
        pliant_world_stats(f->world, &stats);
        assert_int_equal(stats.byte_size, f->host.bytes);
        bodies[i] = create_body(f);
        PliantVertices vertices = {f->mesh.vertices, f->mesh.vertex_count, 0};
        if (i == 1)
            pliant_body_set_vertices(f->world, bodies[i], vertices);
        collide(f, PLIANT_ALL_PAIRS);
    }
    pliant_body_destroy(f->world, bodies[1]);
    pliant_world_stats(f->world, &stats);
    assert_int_equal(stats.byte_size, f->host.bytes);
    for (int i = 0; i < 3; i += 2) {
        pliant_body_stats(f->world, bodies[i], &stats);
        assert_int_equal(stats.byte_size, 0); /* known of the world alone */
    }
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

typedef struct Motion {
    PliantBody rigid, copied, lent;
    float *positions[2];
} Motion;

/* One frame of motion: everything moves, every query is asked. */
static void play_frame(Fixture *f, const Motion *motion, int frame)
{
    PliantContacts contacts = pliant_contacts_default();
    float phase = (float)(frame % 10) * 0.1f;
    for (int body = 0; body < 2; body++)
        for (int32_t i = 0; i < 3 * f->mesh.vertex_count; i++)
            motion->positions[body][i] = f->mesh.vertices[i] * (1 + 0.2f * phase) + phase;
    const PliantBody bodies[] = {motion->rigid, motion->copied, motion->lent};
    for (int i = 0; i < 3; i++)
        pliant_body_set_update_kind(f->world, bodies[i], (PliantUpdateKind)((frame + i) % 3));
    shift(f, motion->rigid, 2 * phase);
    pliant_body_set_vertices(f->world, motion->copied,
                             (PliantVertices){motion->positions[0], f->mesh.vertex_count, 0});
    for (int query = PLIANT_ALL_PAIRS; query <= PLIANT_ANY_PAIR; query++) {
        collide(f, (PliantCollideKind)query);
        assert_int_equal(pliant_bodies_collide(f->world, motion->rigid, motion->lent,
                                               TEST_QUERY((PliantCollideKind)query), &contacts),
                         PLIANT_OK);
    }
    PliantBodyPairs found_pairs = pliant_body_pairs_default();
    assert_int_equal(pliant_world_body_pairs(f->world, NULL, &found_pairs), PLIANT_OK);
}

static void run_warm_frames(Fixture *f)
{
    Motion motion = {
        create_body(f), create_body(f), create_body(f), {copy_of_vertices(f), copy_of_vertices(f)}};
    pliant_body_borrow_vertices(f->world, motion.lent,
                                (PliantVertices){motion.positions[1], f->mesh.vertex_count, 0});
    enum { FRAMES = 50 };
    for (int frame = 0; frame < FRAMES; frame++)
        play_frame(f, &motion, frame);
    int64_t calls = f->host.calls;
    for (int frame = 0; frame < FRAMES; frame++)
        play_frame(f, &motion, frame);
    assert_int_equal(f->host.calls, calls);
    pliant_body_destroy(f->world, motion.lent);
    free(motion.positions[0]);
    free(motion.positions[1]);
}

static void test_warm_frames_allocate_nothing(void **state)
{
    Fixture *f = *state;
    run_warm_frames(f);
    pliant_world_destroy(f->world);
    f->world = create_world(&f->host, PLIANT_BROAD_SWEEP);
    run_warm_frames(f);
}

static void test_two_worlds_one_shape(void **state)
{
    Fixture *f = *state, other = **(Fixture **)state;
    test_host_init(&other.host);
    other.world = create_world(&other.host, PLIANT_BROAD_SWEEP);
    PliantBody a = create_body(f), b = create_body(f);
    PliantBody c = create_body(&other), d = create_body(&other);
    shift(f, b, 0.5f);
    shift(&other, d, 5);
    for (int round = 0; round < 3; round++) {
        assert_touch(f, a, b, true);
        assert_touch(&other, c, d, false);
    }
    shift(&other, c, 4);
    assert_touch(&other, c, d, true);
    assert_touch(f, a, b, true);
    pliant_world_destroy(other.world);
    assert_int_equal(other.host.bytes, 0);
    assert_touch(f, a, b, true);
}

/* The bodies keep the shape, and the last of them takes it along. */
static void test_shape_released_first(void **state)
{
    Fixture *f = *state;
    TestHost host;
    test_host_init(&host);
    PliantShape *shape = create_shape(&f->mesh, &host);
    PliantBody a, b, c;
    assert_int_equal(pliant_body_create(f->world, shape, &a), PLIANT_OK);
    assert_int_equal(pliant_body_create(f->world, shape, &b), PLIANT_OK);
    assert_int_equal(pliant_body_create(f->world, shape, &c), PLIANT_OK);
    pliant_shape_release(shape);
    PliantVertices vertices = {f->mesh.vertices, f->mesh.vertex_count, 0};
    assert_int_equal(pliant_body_set_vertices(f->world, b, vertices), PLIANT_OK);
    shift(f, c, 9);
    assert_touch(f, a, b, true);
    pliant_body_destroy(f->world, a);
    pliant_body_destroy(f->world, c);
    assert_true(host.bytes > 0);
    int64_t before = f->host.bytes;
    pliant_body_destroy(f->world, b);
    assert_int_equal(host.bytes, 0);
    assert_true(before - f->host.bytes > 12 * f->mesh.vertex_count); /* its copy went too */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(names),
        TEST(places_are_reused),
        TEST(mistakes_in_defs),
        TEST(mistakes_of_bodies),
        TEST(mistakes_of_vertices),
        TEST(mistakes_of_queries),
        TEST(transforms_are_seen),
        TEST(borrowed_writes_are_seen),
        TEST(copies_are_copies),
        TEST(update_kinds_change),
        TEST(loose_boxes),
        TEST(counters_begin_again),
        TEST(rounding_modes),
#if defined(__x86_64__)
        TEST(flush_and_trap_modes),
#endif
        TEST(nothing_but_nan),
        TEST(more_leaves_than_slots),
        TEST(filters),
        TEST(order),
        TEST(few_bodies),
        TEST(statistics),
        TEST(byte_size),
        TEST(warm_frames_allocate_nothing),
        TEST(two_worlds_one_shape),
        TEST(shape_released_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
