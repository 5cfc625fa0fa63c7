/* Memory of what is reached: slots of bounds that nodes get and lose, and places of leaves. A body
 * of which little is reached has little, and nothing that was kept is taken for something else. */
#include "ball.h"
#include "brute.h"
#include "calls.h"
#include "host.h"
#include "unit.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <string.h>

enum { BOUND_KINDS = 4 };

static PliantShape *create_shape(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    return shape;
}

static PliantWorld *create_world(const TestHost *host)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantWorld *world = NULL;
    def.host = &host->host;
    MUST(pliant_world_create(&def, &world));
    return world;
}

static PliantBody create_body(PliantWorld *world, PliantShape *shape)
{
    PliantBody body = {0};
    MUST(pliant_body_create(world, shape, &body));
    return body;
}

static void shift(PliantWorld *world, PliantBody body, float x, float y, float z)
{
    PliantTransform transform = {{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
    MUST(pliant_body_set_transform(world, body, &transform));
}

static void set_weights(PliantWorld *world, PliantBody body, float a, float b, float c)
{
    const float weights[BALL_TARGETS] = {a, b, c};
    MUST(pliant_body_set_weights(world, body, weights, BALL_TARGETS));
}

static PliantContacts collide(PliantWorld *world)
{
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_collide(world, NULL, &contacts));
    return contacts;
}

static PliPose *pose_of(PliantWorld *world, PliantBody body)
{
    return &pli_world_body(world, body)->pose;
}

/* Of a body's bounds: a stamp and a slot for each node, and the slots. */
static size_t bounds_bytes(const PliPose *pose)
{
    return (size_t)pose->bounds.tree->node_count * sizeof(PliNodeSlot) +
           pli_array_bytes(&pose->bounds.boxes) + pli_array_bytes(&pose->bounds.extra);
}

/* The contacts of two bodies of a world of balls are those of brute force, from `*at` on. */
static void assert_pair(PliantWorld *world, PliantBody a, PliantBody b,
                        const PliantContacts *contacts, int64_t *at)
{
    static float x[BALL_VERTICES][3], y[BALL_VERTICES][3];
    const PliantShape *shapes[] = {pli_shape_of(pose_of(world, a)),
                                   pli_shape_of(pose_of(world, b))};
    MUST(test_body_vertices(world, a, x[0]));
    MUST(test_body_vertices(world, b, y[0]));
    BruteBody brute_a = {x[0], shapes[0]->triangles, shapes[0]->header->triangle_count};
    BruteBody brute_b = {y[0], shapes[1]->triangles, shapes[1]->header->triangle_count};
    BruteContacts expected = {0};
    brute_force(&brute_a, &brute_b, &expected);
    assert_in_range(expected.count, 1, contacts->count - *at);
    for (int64_t i = 0; i < expected.count; i++, ++*at) {
        const PliantContact *contact = &contacts->items[*at];
        assert_int_equal(contact->body_a.index, a.index);
        assert_int_equal(contact->body_b.index, b.index);
        assert_int_equal(contact->triangle_a, expected.items[i].a);
        assert_int_equal(contact->triangle_b, expected.items[i].b);
    }
    brute_free(&expected);
}

/* All of these bodies touch each other, as brute force says. */
static void assert_all_right(PliantWorld *world, const PliantBody *bodies, int count)
{
    PliantContacts contacts = collide(world);
    int64_t at = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            assert_pair(world, bodies[i], bodies[j], &contacts, &at);
    assert_int_equal(at, contacts.count);
}

/* Each node that has a slot has one of its own, and no slot is without a node. */
static void assert_slots(PliantWorld *world, PliantBody body)
{
    const PliBounds *bounds = &pose_of(world, body)->bounds;
    const int64_t count = bounds->boxes.count;
    bool *is_taken = calloc((size_t)count + 1, sizeof *is_taken);
    int64_t taken_count = 0;
    for (int32_t n = 0; n < bounds->tree->node_count; n++) {
        const PliNodeSlot *index = &bounds->node_slots[n];
        if (index->stamp < bounds->oldest)
            continue;
        assert_true(index->slot >= 0 && index->slot < count && !is_taken[index->slot]);
        is_taken[index->slot] = true;
        taken_count++;
    }
    assert_int_equal(taken_count, count);
    assert_true(bounds->boxes.capacity >= count);
    free(is_taken);
}

/* ---- Little is reached -------------------------------------------------------------------------
 */

/* Somewhat more than the figures of docs/worlds.md. */
enum { CROWD = 1000, MAX_ALONE = 2200, MAX_TOUCHING = 20000, MAX_ALL = 5100 };

/* Bodies of 20,480 triangles in a grid, a few of which touch the next one. */
static void test_crowd_is_small(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneMesh mesh = scene_icosphere(5);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    PliantShape *shape = create_shape(&def);
    PliantWorld *world = create_world(&host);
    PliantBody bodies[CROWD];
    for (int i = 0; i < CROWD; i++)
        bodies[i] = create_body(world, shape);
    for (int frame = 0; frame < 3; frame++) {
        for (int i = 0; i < CROWD; i++) {
            const int row = i / 10 % 10, layer = i / 100;
            float x = i % 100 == 1 ? -1.01f : 0; /* toward the one before */
            shift(world, bodies[i], 3 * (float)(i % 10) + x, 3 * (float)row,
                  3 * (float)layer + 0.1f * (float)frame);
        }
        PliantContacts contacts = collide(world);
        assert_true(contacts.count > 0);
        for (int i = 0; i < CROWD; i++)
            assert_in_range(bounds_bytes(pose_of(world, bodies[i])), 1,
                            i % 100 < 2 ? MAX_TOUCHING : MAX_ALONE);
    }
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(world, &stats));
    assert_int_equal(stats.byte_size, host.bytes);
    assert_in_range(host.bytes / CROWD, 1, MAX_ALL);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
}

/* A body that is touched now here and now there has room for what is reached in one frame, not for
 * all that ever was; one that stays as it is keeps what it has. */
static void test_slots_are_given_back(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    Ball ball;
    ball_init(&ball);
    PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    experiments.tree_leaf_size = 1;
    PliantShape *shape = create_shape(&def);
    PliantWorld *world = create_world(&host);
    PliantBody bodies[] = {create_body(world, shape), create_body(world, shape)};
    const PliBounds *bounds = &pose_of(world, bodies[0])->bounds;
    static const float sides[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                      {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    for (int frame = 0; frame < 12; frame++) {
        const float *to = sides[frame % 6], x = 0.01f * (float)frame;
        shift(world, bodies[0], x, 0, 0);
        shift(world, bodies[1], x + 1.97f * to[0], 1.97f * to[1], 1.97f * to[2]);
        assert_all_right(world, bodies, 2);
        assert_slots(world, bodies[0]);
        assert_slots(world, bodies[1]);
        assert_in_range(bounds->boxes.count, 1, bounds->tree->node_count / 4);
    }
    for (int frame = 0; frame < 12; frame++) {
        const float *to = sides[frame % 6];
        shift(world, bodies[1], 0.11f + 1.97f * to[0], 1.97f * to[1], 1.97f * to[2]);
        assert_all_right(world, bodies, 2);
        assert_slots(world, bodies[0]);
    }
    assert_true(bounds->boxes.count > bounds->tree->node_count / 4);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    ball_free(&ball);
}

/* ---- Frames ------------------------------------------------------------------------------------
 */

/* Bounds of the frame before are kept where nothing has changed, and are still found: while weights
 * of one side change, while a frame is left out, and when the counter of frames begins again. */
static void test_kept_bounds_are_found(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    Ball ball;
    ball_init(&ball);
    for (int kind = 0; kind < BOUND_KINDS; kind++) {
        PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.bound_kind = (PliantBoundKind)kind;
        experiments.tree_leaf_size = 2;
        PliantShape *shape = create_shape(&def);
        PliantWorld *world = create_world(&host);
        PliantBody bodies[] = {create_body(world, shape), create_body(world, shape)};
        for (int frame = 0; frame < 24; frame++) {
            const float turn = (float)(frame % 5), side = frame / 3 % 2 ? 1.9f : -1.9f;
            if (frame == 16)
                pose_of(world, bodies[0])->bounds.frame = UINT32_MAX - 4; /* always odd */
            set_weights(world, bodies[0], 0.25f, frame % 4 < 2 ? 0 : 0.1f * turn, 0.1f * turn);
            if (frame % 7 == 6)
                shift(world, bodies[0], 0.01f * turn, 0, 0);
            shift(world, bodies[1], side, 0.1f * turn, 0);
            assert_all_right(world, bodies, 2);
            assert_slots(world, bodies[0]);
            assert_slots(world, bodies[1]);
        }
        assert_true(pose_of(world, bodies[0])->bounds.frame < 100);
        pliant_world_destroy(world);
        pliant_shape_release(shape);
    }
    assert_int_equal(host.blocks, 0);
    ball_free(&ball);
}

/* By weights, by vertices and by weights again: caller-supplied vertices have a slot for each node,
 * others those that they reach, and from the second time on no memory is asked for. */
static void test_switching(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    Ball ball;
    ball_init(&ball);
    PliantShape *shape = NULL;
    PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    experiments.tree_leaf_size = 2;
    MUST(pliant_shape_create(&def, &shape));
    PliantWorld *world = create_world(&host);
    PliantBody bodies[] = {create_body(world, shape), create_body(world, shape)};
    PliantVertices given = {ball.positions[2][0], BALL_VERTICES, 0};
    const PliBounds *bounds = &pose_of(world, bodies[0])->bounds;
    int64_t calls = 0;
    shift(world, bodies[1], 1.9f, 0, 0);
    for (int round = 0; round < 9; round++) {
        set_weights(world, bodies[0], 0.1f * (float)(round % 3), 0, 0.5f);
        assert_all_right(world, bodies, 2);
        assert_slots(world, bodies[0]);
        assert_in_range(bounds->boxes.count, 1, bounds->tree->node_count / 2);
        MUST(pliant_body_set_update_kind(world, bodies[0], (PliantUpdateKind)(round % 3)));
        if (round % 2)
            MUST(pliant_body_set_vertices(world, bodies[0], given));
        else
            MUST(pliant_body_borrow_vertices(world, bodies[0], given));
        for (int frame = 0; frame < 2; frame++) {
            assert_all_right(world, bodies, 2);
            for (int32_t n = 0; n < bounds->tree->node_count; n++)
                assert_int_equal(bounds->node_slots[n].slot, n);
        }
        calls = round == 2 ? host.calls : calls;
    }
    assert_int_equal(host.calls, calls);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    ball_free(&ball);
}

/* ---- No memory ---------------------------------------------------------------------------------
 */

/* Makes a world of two balls deep in each other, asks with the `fail_at`th allocation of the query
 * failing, and asks again. False if there are not so many. */
static bool fail_at(PliantShape *shape, int64_t number, bool is_given, const Ball *ball)
{
    TestHost host;
    test_host_init(&host);
    PliantWorld *world = create_world(&host);
    PliantBody bodies[] = {create_body(world, shape), create_body(world, shape)};
    PliantContacts contacts = pliant_contacts_default();
    set_weights(world, bodies[0], 0.5f, 0.5f, 0.5f);
    shift(world, bodies[1], 0.5f, 0.25f, 0);
    host.fail_at = host.calls + number;
    if (is_given) {
        PliantVertices given = {ball->positions[2][0], BALL_VERTICES, 0};
        PliantResult result = pliant_body_borrow_vertices(world, bodies[1], given);
        if (result != PLIANT_OK) { /* it is what it was, until it is given again */
            assert_int_equal(result, PLIANT_OUT_OF_MEMORY);
            assert_all_right(world, bodies, 2);
            MUST(pliant_body_borrow_vertices(world, bodies[1], given));
        }
    }
    PliantResult result = pliant_world_collide(world, NULL, &contacts);
    bool has_failed = host.calls >= host.fail_at;
    assert_true(result == PLIANT_OK || (result == PLIANT_OUT_OF_MEMORY && has_failed));
    assert_slots(world, bodies[0]);
    assert_all_right(world, bodies, 2);
    assert_slots(world, bodies[0]);
    assert_true(pose_of(world, bodies[0])->bounds.boxes.count > 128); /* it has grown often */
    pliant_world_destroy(world);
    assert_int_equal(host.blocks, 0);
    return has_failed;
}

static void test_growth_fails_anywhere(void **state)
{
    (void)state;
    Ball ball;
    ball_init(&ball);
    for (int kind = 0; kind < BOUND_KINDS; kind++) {
        PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.bound_kind = (PliantBoundKind)kind;
        experiments.tree_leaf_size = 1;
        experiments.tree_child_count = 4;
        PliantShape *shape = create_shape(&def);
        int64_t count = 1;
        while (fail_at(shape, count, kind % 2, &ball))
            count++;
        assert_true(count > 10);
        pliant_shape_release(shape);
    }
    ball_free(&ball);
}

/* ---- Leaves ------------------------------------------------------------------------------------
 */

static int64_t leaves_of(PliantWorld *world, PliantBody body)
{
    PliantStats stats = pliant_stats_default();
    MUST(pliant_body_stats(world, body, &stats));
    return stats.leaves_evaluated;
}

/* What was fetched of a body serves all pairs of it that follow each other, and nothing that was
 * fetched of one body is taken for another's: there are more and more leaves from body to body. */
static void test_leaves_of_many_bodies(void **state)
{
    (void)state;
    enum { BODIES = 5 };
    TestHost host;
    test_host_init(&host);
    Ball ball;
    ball_init(&ball);
    PliantWorld *world = create_world(&host);
    PliantBody bodies[BODIES];
    for (int i = 0; i < BODIES; i++) {
        PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.tree_leaf_size = 16 >> i % 5;
        PliantShape *shape = create_shape(&def);
        bodies[i] = create_body(world, shape);
        pliant_shape_release(shape);
    }
    for (int frame = 0; frame < 4; frame++) {
        for (int i = 0; i < BODIES; i++)
            shift(world, bodies[i], 0.11f * (float)i, 0.07f * (float)(i * frame), 0);
        assert_all_right(world, bodies, BODIES);
    }
    for (int i = 1; i < BODIES; i++) /* all at one place */
        shift(world, bodies[i], 1.9f, 0, 0);
    shift(world, bodies[0], 0, 0, 0);
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_bodies_collide(world, bodies[0], bodies[4], NULL, &contacts));
    int64_t leaf_count = leaves_of(world, bodies[0]);
    for (int i = 1; i < BODIES; i++) /* only the first one with each other */
        MUST(pliant_body_set_filter(world, bodies[i], 2, 1));
    MUST(pliant_body_set_filter(world, bodies[0], 1, 2));
    collide(world);
    assert_in_range(leaves_of(world, bodies[0]), leaf_count, 2 * leaf_count - 1);
    pliant_world_destroy(world);
    ball_free(&ball);
    assert_int_equal(host.blocks, 0);
}

/* When the stamps of leaves begin again, those of the first queries do not look new: of leaves on
 * the one side, while it was the other that was touched since. */
static void test_stamps_begin_again(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    Ball ball;
    ball_init(&ball);
    PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    PliantShape *shape = create_shape(&def);
    PliantWorld *world = create_world(&host);
    PliantBody bodies[] = {create_body(world, shape), create_body(world, shape)};
    for (int frame = 0; frame < 20; frame++) {
        float x = 0.1f * (float)frame, side = frame < 4 || frame > 11 ? 1.7f : -1.7f;
        if (frame == 6)
            world->first.narrow.cache.a_slots.stamp = world->first.narrow.cache.b_slots.stamp =
                UINT32_MAX - 2;
        shift(world, bodies[0], x, 0, 0);
        shift(world, bodies[1], x, side, 0);
        assert_all_right(world, bodies, 2);
    }
    assert_true(world->first.narrow.cache.a_slots.stamp < 100 &&
                world->first.narrow.cache.b_slots.stamp < 100);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    ball_free(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crowd_is_small),        cmocka_unit_test(test_slots_are_given_back),
        cmocka_unit_test(test_kept_bounds_are_found), cmocka_unit_test(test_switching),
        cmocka_unit_test(test_growth_fails_anywhere), cmocka_unit_test(test_leaves_of_many_bodies),
        cmocka_unit_test(test_stamps_begin_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
