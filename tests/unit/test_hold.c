/* Holds: borrowed vertices are read once, however many queries there are, and answers stay. */
#include "refuse.h"
#include "room.h"
#include "unit.h"

#include <string.h>

/* A sphere that is borrowed, its end, which is borrowed too, and two soups likewise. */
typedef struct Stage {
    Room room;
    SceneMesh mesh;
    float *vertices[4]; /* of two bodies, then of their ends */
    PliantBody bodies[2], ends[2];
    bool are_soups;
} Stage;

static void lend(Stage *stage, PliantBody body, const float *vertices)
{
    const PliantVertices view = {vertices, stage->mesh.vertex_count, 0};
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = view;
    primitives.corners = stage->mesh.triangles;
    primitives.count = stage->mesh.triangle_count;
    MUST(stage->are_soups ? pliant_body_borrow_primitives(stage->room.world, body, &primitives)
                          : pliant_body_borrow_vertices(stage->room.world, body, view));
}

static void open_stage(Stage *stage, bool are_soups)
{
    *stage = (Stage){.mesh = scene_icosphere(3), .are_soups = are_soups};
    static const float xs[] = {0, 0.75f, 0, 0.6f};
    const size_t size = 3 * (size_t)stage->mesh.vertex_count;
    room_open(&stage->room);
    for (int i = 0; i < 4; i++) {
        stage->vertices[i] = malloc(size * sizeof(float));
        for (size_t k = 0; k < size; k++)
            stage->vertices[i][k] =
                stage->mesh.vertices[k] + (k % 3 == 0 ? xs[i] : 0.06f * (float)i);
    }
    for (int i = 0; i < 2; i++) {
        if (are_soups)
            MUST(pliant_body_create_soup(stage->room.world, NULL, &stage->bodies[i]));
        else
            stage->bodies[i] = room_add_mesh(&stage->room, &stage->mesh);
        lend(stage, stage->bodies[i], stage->vertices[i]);
        MUST(pliant_body_create_end(stage->room.world, stage->bodies[i], &stage->ends[i]));
        lend(stage, stage->ends[i], stage->vertices[2 + i]);
    }
}

static void close_stage(Stage *stage)
{
    assert_true(room_close(&stage->room));
    for (int i = 0; i < 4; i++)
        free(stage->vertices[i]);
    scene_mesh_free(&stage->mesh);
}

typedef struct Answers {
    int64_t contacts, pairs, impacts, regions, read;
} Answers;

static int64_t read_by(const Stage *stage)
{
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(stage->room.world, &stats));
    return stats.vertices_read;
}

/* Asks four questions, and counts the vertices that they read. */
static Answers ask(Stage *stage)
{
    PliantWorld *world = stage->room.world;
    PliantContacts contacts = pliant_contacts_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantImpacts impacts = pliant_impacts_default();
    PliantRegions regions = pliant_regions_default();
    PliantNearDef near = pliant_near_def_default();
    Answers answers = {0};
    near.distance = 0.05f;
    MUST(pliant_world_near(world, &near, &pairs));
    answers.read += read_by(stage);
    MUST(pliant_world_sweep(world, NULL, &impacts));
    answers.read += read_by(stage);
    MUST(pliant_world_collide(world, NULL, &contacts));
    answers.read += read_by(stage);
    MUST(pliant_contacts_regions(world, &contacts, NULL, &regions));
    answers.read += read_by(stage);
    answers.contacts = contacts.count;
    answers.pairs = pairs.count;
    answers.impacts = impacts.count;
    answers.regions = regions.count;
    return answers;
}

/* One pass over starts and one over ends, for all questions together, and the same answers. */
static void test_one_pass(void **state)
{
    (void)state;
    for (int are_soups = 0; are_soups < 2; are_soups++) {
        Stage stage;
        open_stage(&stage, are_soups);
        const Answers before = ask(&stage);
        MUST(pliant_world_hold(stage.room.world));
        const Answers held = ask(&stage);
        const Answers again = ask(&stage);
        assert_int_equal(again.read, 0);
        assert_true(again.contacts == held.contacts && again.pairs == held.pairs &&
                    again.impacts == held.impacts && again.regions == held.regions);
        MUST(pliant_world_release(stage.room.world));
        const Answers after = ask(&stage);
        /* The end of a soup is read where it is reached, and not counted. */
        const int64_t pass = (are_soups ? 2 : 4) * (int64_t)stage.mesh.vertex_count;
        assert_int_equal(held.read, pass);
        assert_true(before.read > held.read && after.read == before.read);
        assert_true(held.contacts > 0 && held.pairs > 0 && held.impacts > 0 && held.regions > 0);
        assert_true(held.contacts == before.contacts && held.pairs == before.pairs &&
                    held.impacts == before.impacts && held.regions == before.regions);
        close_stage(&stage);
    }
}

/* What was written before the hold is seen, and what is written after it. */
static void test_writes_around_a_hold(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, false);
    PliantWorld *world = stage.room.world;
    const Answers before = ask(&stage);
    const size_t size = 3 * (size_t)stage.mesh.vertex_count;
    for (size_t k = 0; k < size; k += 3)
        stage.vertices[1][k] += 10;
    MUST(pliant_world_hold(world));
    assert_int_equal(ask(&stage).contacts, 0);
    MUST(pliant_world_release(world));
    for (size_t k = 0; k < size; k += 3)
        stage.vertices[1][k] -= 10;
    assert_int_equal(ask(&stage).contacts, before.contacts);
    close_stage(&stage);
}

static void test_what_a_hold_refuses(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, false);
    Room *room = &stage.room;
    PliantTransform transform = pliant_transform_identity();
    PliantBody extra;
    REFUSE(room->host, pliant_world_release(room->world), PLIANT_BAD_ARGUMENT,
           "the world is not held");
    MUST(pliant_world_hold(room->world));
    REFUSE(room->host, pliant_world_hold(room->world), PLIANT_BUSY, "the world is held already");
    REFUSE(room->host, pliant_body_set_transform(room->world, stage.bodies[0], &transform),
           PLIANT_BUSY, "the world is held: nothing may be set before pliant_world_release()");
    REFUSE(room->host, pliant_body_destroy(room->world, stage.bodies[0]), PLIANT_BUSY,
           "the world is held");
    REFUSE(room->host, pliant_body_create_soup(room->world, NULL, &extra), PLIANT_BUSY,
           "the world is held");
    REFUSE(room->host, pliant_body_create_end(room->world, stage.bodies[0], &extra), PLIANT_BUSY,
           "the world is held");
    MUST(pliant_world_release(room->world));
    MUST(pliant_body_set_transform(room->world, stage.bodies[0], &transform));
    close_stage(&stage);
}

/* A broken promise is seen where asserts are on, and the hold has ended. */
static void test_broken_promise(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, false);
    Room *room = &stage.room;
    MUST(pliant_world_hold(room->world));
    ask(&stage);
    stage.vertices[0][3] += 0.125f;
#ifdef PLIANT_ASSERTS
    REFUSE(room->host, pliant_world_release(room->world), PLIANT_STALE,
           "borrowed vertices of body {index 1");
#else
    MUST(pliant_world_release(room->world));
#endif
    MUST(pliant_world_hold(room->world));
    MUST(pliant_world_release(room->world));
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_pass), cmocka_unit_test(test_writes_around_a_hold),
        cmocka_unit_test(test_what_a_hold_refuses), cmocka_unit_test(test_broken_promise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
