/* Self-collision of a body: what the public call takes, and a small mesh whose answer is known. */
#include "calls.h"
#include "unit.h"

#include "host.h"
#include "refuse.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A square of two triangles, a flap on one of its sides, and a triangle on that flap that goes down
 * through the square, from one of its corners: it cuts both halves. Then one half again, the other
 * way round; and a triangle that is the edge of the first. */
enum { VERTICES = 6, TRIANGLES = 6, CONTACTS = 3 };
static const float folded[VERTICES][3] = {{0, 0, 0}, {1, 0, 0},   {0, 1, 0},
                                          {1, 1, 0}, {2, .5f, 1}, {-1, 0, -1}};
static const uint32_t triangles[TRIANGLES][3] = {{0, 1, 2}, {1, 3, 2}, {1, 3, 4},
                                                 {3, 4, 5}, {2, 1, 0}, {0, 0, 1}};
static const int32_t answer[CONTACTS][2] = {{0, 3}, {1, 3}, {3, 4}};

/* What takes the last vertex to where nothing is cut. */
static const float unfolding[3] = {2, 2, 2};

typedef struct Stage {
    PliantShape *shape;
    PliantWorld *world;
    PliantBody body;
} Stage;

static Stage start(const PliantShapeDef *def)
{
    Stage stage;
    MUST(pliant_shape_create(def, &stage.shape));
    MUST(pliant_world_create(NULL, &stage.world));
    MUST(pliant_body_create(stage.world, stage.shape, &stage.body));
    return stage;
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    pliant_shape_release(stage->shape);
}

static PliantShapeDef folded_def(const float *vertices)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){vertices, VERTICES, 0};
    def.triangles = (PliantTriangles){triangles[0], TRIANGLES};
    return def;
}

static int64_t count_of(const Stage *stage, PliantCollideKind query)
{
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_bodies_collide(stage->world, stage->body, stage->body, TEST_QUERY(query),
                               &contacts));
    return contacts.count;
}

static void check_contacts(const PliantContacts *contacts, PliantBody body)
{
    assert_int_equal(contacts->count, CONTACTS);
    assert_true(contacts->stamp != 0);
    for (int i = 0; i < CONTACTS; i++) {
        const PliantContact *contact = &contacts->items[i];
        assert_memory_equal(&contact->body_a, &body, sizeof body);
        assert_memory_equal(&contact->body_b, &body, sizeof body);
        assert_int_equal(contact->triangle_a, answer[i][0]);
        assert_int_equal(contact->triangle_b, answer[i][1]);
    }
}

static void check_answer(const Stage *stage)
{
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_bodies_collide(stage->world, stage->body, stage->body, NULL, &contacts));
    check_contacts(&contacts, stage->body);
}

/* ---- Arguments ---------------------------------------------------------------------------------
 */

static void test_bad_arguments(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    PliantWorldDef world_def = pliant_world_def_default();
    PliantShapeDef def = folded_def(folded[0]);
    PliantContacts contacts = pliant_contacts_default();
    Stage stage;
    world_def.host = &host.host;
    MUST(pliant_shape_create(&def, &stage.shape));
    MUST(pliant_world_create(&world_def, &stage.world));
    MUST(pliant_body_create(stage.world, stage.shape, &stage.body));
    const PliantBody none = {0};
    const PliantBody other = {stage.body.index + 1, stage.body.serial};
#define REFUSE_CALL(body, query, contacts, code, text)                                             \
    REFUSE(host, pliant_bodies_collide(stage.world, body, body, TEST_QUERY(query), contacts),      \
           code, text)
    REFUSE_CALL(stage.body, PLIANT_ALL_PAIRS, NULL, PLIANT_BAD_ARGUMENT, "contacts is NULL");
    REFUSE_CALL(stage.body, (PliantCollideKind)3, &contacts, PLIANT_BAD_ARGUMENT, "def.kind is 3");
    REFUSE_CALL(none, PLIANT_ALL_PAIRS, &contacts, PLIANT_BAD_ID, "a is {index 0, serial 0}");
    REFUSE_CALL(other, PLIANT_ALL_PAIRS, &contacts, PLIANT_BAD_ID, "a is {");
    check_answer(&stage);
    MUST(pliant_body_destroy(stage.world, stage.body));
    REFUSE_CALL(stage.body, PLIANT_ALL_PAIRS, &contacts, PLIANT_BAD_ID, "a is {");
#undef REFUSE_CALL
    end(&stage);
    assert_int_equal(host.bytes, 0);
}

/* ---- Answers -----------------------------------------------------------------------------------
 */

static void test_queries(void **state)
{
    (void)state;
    PliantShapeDef def = folded_def(folded[0]);
    Stage stage = start(&def);
    check_answer(&stage);
    assert_int_equal(count_of(&stage, PLIANT_FIRST_PAIRS), 1);
    assert_int_equal(count_of(&stage, PLIANT_ANY_PAIR), 1);
    check_answer(&stage);
    end(&stage);
}

/* Every kind of tree, with leaves of every size. */
static void test_trees(void **state)
{
    (void)state;
    for (int kind = PLIANT_TREE_FULL; kind <= PLIANT_TREE_CONNECTED; kind++)
        for (int size = 1; size <= 16; size++) {
            PliantShapeDef def = folded_def(folded[0]);
            PliantExperiments experiments = pliant_experiments_default();
            def.experiments = &experiments;
            experiments.tree_kind = (PliantTreeKind)kind;
            experiments.tree_leaf_size = size;
            Stage stage = start(&def);
            check_answer(&stage);
            end(&stage);
        }
}

/* Where squares of lengths are no floats any more the answer is the same; at rest, and moved. */
static void test_sizes(void **state)
{
    (void)state;
    for (int exponent = -140; exponent <= 120; exponent += 4)
        for (int size = 1; size <= 16; size += 15) {
            float vertices[VERTICES][3];
            for (int i = 0; i < 3 * VERTICES; i++)
                vertices[i / 3][i % 3] = ldexpf(folded[i / 3][i % 3], exponent);
            PliantShapeDef def = folded_def(vertices[0]);
            PliantExperiments experiments = pliant_experiments_default();
            def.experiments = &experiments;
            def.triangles.count =
                TRIANGLES - 1; /* of those with an edge for a triangle, less is known */
            experiments.tree_leaf_size = size;
            Stage stage = start(&def);
            PliantTransform turned = pliant_transform_identity();
            check_answer(&stage);
            for (int k = 0; k < 3; k++)
                turned.rows[k][k] = -1;
            MUST(pliant_body_set_transform(stage.world, stage.body, &turned));
            check_answer(&stage);
            end(&stage);
        }
}

/* ---- Poses -------------------------------------------------------------------------------------
 */

/* Weights, caller-supplied vertices, and back: each answer is that of the pose there is. */
static void test_weights_and_vertices(void **state)
{
    (void)state;
    float move[VERTICES][3] = {{0}};
    PliantTarget target = {{move[0], VERTICES, 0}, NULL};
    memcpy(move[VERTICES - 1], unfolding, sizeof unfolding);
    for (int size = 1; size <= 16; size += 15) {
        PliantShapeDef def = folded_def(folded[0]);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        def.targets = &target;
        def.target_count = 1;
        experiments.tree_leaf_size = size;
        Stage stage = start(&def);
        const PliantVertices given = {folded[0], VERTICES, 0};
        for (int turn = 0; turn < 2; turn++) {
            float weight = 1;
            MUST(pliant_body_set_weights(stage.world, stage.body, &weight, 1));
            assert_int_equal(count_of(&stage, PLIANT_ALL_PAIRS), 0);
            assert_int_equal(count_of(&stage, PLIANT_ANY_PAIR), 0);
            MUST(pliant_body_set_vertices(stage.world, stage.body, given));
            check_answer(&stage);
            MUST(pliant_body_set_weights(stage.world, stage.body, &weight, 1));
            assert_int_equal(count_of(&stage, PLIANT_ALL_PAIRS), 0);
            weight = 0;
            MUST(pliant_body_set_weights(stage.world, stage.body, &weight, 1));
            check_answer(&stage);
        }
        end(&stage);
    }
}

/* The other way round: clean at rest, and a weight folds it. */
static void test_folded_by_weights(void **state)
{
    (void)state;
    float clean[VERTICES][3], move[VERTICES][3] = {{0}};
    PliantTarget target = {{move[0], VERTICES, 0}, NULL};
    memcpy(clean, folded, sizeof clean);
    for (int k = 0; k < 3; k++) {
        clean[VERTICES - 1][k] += unfolding[k];
        move[VERTICES - 1][k] = -unfolding[k];
    }
    PliantShapeDef def = folded_def(clean[0]);
    def.targets = &target;
    def.target_count = 1;
    Stage stage = start(&def);
    assert_int_equal(count_of(&stage, PLIANT_ALL_PAIRS), 0);
    for (int turn = 0; turn < 3; turn++) {
        float weight = 1;
        MUST(pliant_body_set_weights(stage.world, stage.body, &weight, 1));
        check_answer(&stage);
        weight = 0.01f;
        MUST(pliant_body_set_weights(stage.world, stage.body, &weight, 1));
        assert_int_equal(count_of(&stage, PLIANT_ALL_PAIRS), 0);
    }
    end(&stage);
}

/* References have no rest. */
static void test_references(void **state)
{
    (void)state;
    float clean[VERTICES][3];
    memcpy(clean, folded, sizeof clean);
    for (int k = 0; k < 3; k++)
        clean[VERTICES - 1][k] += unfolding[k];
    PliantTarget targets[2] = {{{clean[0], VERTICES, 0}, NULL}, {{folded[0], VERTICES, 0}, NULL}};
    PliantShapeDef def = folded_def(clean[0]);
    def.morph_kind = PLIANT_MORPH_REFERENCES;
    def.targets = targets;
    def.target_count = 2;
    Stage stage = start(&def);
    MUST(pliant_body_set_weights(stage.world, stage.body, (const float[]){1, 0}, 2));
    assert_int_equal(count_of(&stage, PLIANT_ALL_PAIRS), 0);
    MUST(pliant_body_set_weights(stage.world, stage.body, (const float[]){0, 1}, 2));
    check_answer(&stage);
    end(&stage);
}

/* A triangle with a NaN is in no pair, at rest or in a pose. */
static void test_not_finite(void **state)
{
    (void)state;
    float vertices[VERTICES][3];
    memcpy(vertices, folded, sizeof vertices);
    vertices[VERTICES - 1][1] = NAN;
    PliantShapeDef def = folded_def(vertices[0]);
    Stage stage = start(&def);
    assert_int_equal(count_of(&stage, PLIANT_ALL_PAIRS), 0);
    end(&stage);
}

/* ---- Soups -------------------------------------------------------------------------------------
 */

static void test_soup_with_corners(void **state)
{
    (void)state;
    PliantWorld *world;
    PliantBody body;
    PliantContacts contacts = pliant_contacts_default();
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {folded[0], VERTICES, 0},
                                         .corners = triangles[0],
                                         .count = TRIANGLES};
    MUST(pliant_world_create(NULL, &world));
    MUST(pliant_body_create_soup(world, NULL, &body));
    MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
    assert_int_equal(contacts.count, 0);
    MUST(pliant_body_set_primitives(world, body, &primitives));
    MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
    check_contacts(&contacts, body);
    MUST(pliant_body_borrow_primitives(world, body, &primitives));
    MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
    check_contacts(&contacts, body);
    pliant_world_destroy(world);
}

/* Then nothing is shared, and every two of the first four touch: each has a corner, where another
 * one has it. */
static void test_soup_without_corners(void **state)
{
    (void)state;
    enum { COUNT = 4 };
    float vertices[3 * COUNT][3];
    PliantWorld *world;
    PliantBody body;
    PliantContacts contacts = pliant_contacts_default();
    for (int i = 0; i < 3 * COUNT; i++)
        memcpy(vertices[i], folded[triangles[i / 3][i % 3]], sizeof vertices[i]);
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {vertices[0], 3 * COUNT, 0},
                                         .corners = NULL,
                                         .count = COUNT};
    MUST(pliant_world_create(NULL, &world));
    MUST(pliant_body_create_soup(world, NULL, &body));
    MUST(pliant_body_set_primitives(world, body, &primitives));
    MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
    assert_int_equal(contacts.count, COUNT * (COUNT - 1) / 2);
    for (int i = 0, a = 0, b = 1; i < contacts.count; i++, b++) {
        assert_int_equal(contacts.items[i].triangle_a, a);
        assert_int_equal(contacts.items[i].triangle_b, b);
        if (b == COUNT - 1)
            b = ++a;
    }
    pliant_world_destroy(world);
}

/* Of one leaf of triangles that all intersect, each two once. */
static void test_soup_of_one_leaf(void **state)
{
    (void)state;
    enum { COUNT = 16 };
    float corners[COUNT][3][3];
    for (int i = 0; i < COUNT; i++) {
        const float x = cosf(0.19f * (float)i), y = sinf(0.19f * (float)i);
        const float here[3][3] = {{x, y, -1}, {-x, -y, -1}, {0, 0, 1 + 0.01f * (float)i}};
        memcpy(corners[i], here, sizeof here);
    }
    PliantWorld *world;
    PliantBody body;
    PliantContacts contacts = pliant_contacts_default();
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {corners[0][0], 3 * COUNT, 0},
                                         .corners = NULL,
                                         .count = COUNT};
    MUST(pliant_world_create(NULL, &world));
    MUST(pliant_body_create_soup(world, NULL, &body));
    MUST(pliant_body_set_primitives(world, body, &primitives));
    MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
    assert_int_equal(contacts.count, COUNT * (COUNT - 1) / 2);
    pliant_world_destroy(world);
}

/* ---- Statistics --------------------------------------------------------------------------------
 */

static void test_stats(void **state)
{
    (void)state;
    PliantShapeDef def = folded_def(folded[0]);
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    experiments.tree_leaf_size = 1;
    Stage stage = start(&def);
    PliantStats before = pliant_stats_default(), body = pliant_stats_default(),
                world = pliant_stats_default();
    MUST(pliant_world_stats(stage.world, &before));
    check_answer(&stage);
    MUST(pliant_body_stats(stage.world, stage.body, &body));
    MUST(pliant_world_stats(stage.world, &world));
    assert_int_equal(body.body_pairs, 1);
    assert_int_equal(world.body_pairs, 1);
    assert_int_equal(body.contacts, CONTACTS);
    assert_int_equal(world.contacts, CONTACTS);
    assert_in_range(body.leaf_pairs, CONTACTS, TRIANGLES * (TRIANGLES + 1) / 2);
    assert_in_range(body.triangle_tests, CONTACTS, TRIANGLES * (TRIANGLES - 1) / 2);
    assert_int_equal(body.leaf_pairs, world.leaf_pairs);
    assert_int_equal(body.triangle_tests, world.triangle_tests);
    assert_in_range(body.leaves_evaluated, 1, TRIANGLES);
    assert_true(world.byte_size > before.byte_size); /* what it knows of itself */
    end(&stage);
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

/* A grid of 80,000 triangles that is bent into a wave. */
enum { GRID = 200, GRID_VERTICES = (GRID + 1) * (GRID + 1), GRID_TRIANGLES = 2 * GRID * GRID };

static void make_grid(float (*vertices)[3], uint32_t (*indices)[3])
{
    for (int32_t i = 0; i < GRID_VERTICES; i++) {
        const int32_t x = i % (GRID + 1), y = i / (GRID + 1);
        vertices[i][0] = (float)x;
        vertices[i][1] = (float)y;
        vertices[i][2] = 0.5f * (float)(x % 7 * (y % 5));
    }
    for (int32_t i = 0; i < GRID * GRID; i++) {
        const uint32_t corner = (uint32_t)(i / GRID * (GRID + 1) + i % GRID);
        const uint32_t up = corner + GRID + 1;
        memcpy(indices[2 * i], (uint32_t[3]){corner, corner + 1, up}, sizeof *indices);
        memcpy(indices[2 * i + 1], (uint32_t[3]){corner + 1, up + 1, up}, sizeof *indices);
    }
}

/* What follows from the topology is built once for three bodies of one shape, and each further body
 * takes at most 10 bytes a triangle. */
static void test_shared_topology(void **state)
{
    (void)state;
    float(*vertices)[3] = malloc(GRID_VERTICES * sizeof *vertices);
    uint32_t(*indices)[3] = malloc(GRID_TRIANGLES * sizeof *indices);
    make_grid(vertices, indices);
    TestHost shape_host, world_host;
    test_host_init(&shape_host);
    test_host_init(&world_host);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){vertices[0], GRID_VERTICES, 0};
    def.triangles = (PliantTriangles){indices[0], GRID_TRIANGLES};
    def.host = &shape_host.host;
    PliantWorldDef world_def = pliant_world_def_default();
    world_def.host = &world_host.host;
    PliantShape *shape;
    PliantWorld *world;
    MUST(pliant_shape_create(&def, &shape));
    MUST(pliant_world_create(&world_def, &world));
    PliantBody bodies[3];
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_body_create(world, shape, &bodies[0]));

    /* The first self query builds the topology, or fails without harm. */
    for (int64_t at = 1; at <= 3; at++) {
        shape_host.fail_at = shape_host.calls + at;
        assert_int_equal(pliant_bodies_collide(world, bodies[0], bodies[0], NULL, &contacts),
                         PLIANT_OUT_OF_MEMORY);
    }
    shape_host.fail_at = 0;
    MUST(pliant_bodies_collide(world, bodies[0], bodies[0], NULL, &contacts));
    const int64_t shape_calls = shape_host.calls;
    for (int i = 1; i < 3; i++) {
        /* Bounds of nodes are kept by every body: they are there before self-collision is asked
         * for. */
        const int64_t before = world_host.bytes;
        MUST(pliant_body_create(world, shape, &bodies[i]));
        MUST(pliant_bodies_collide(world, bodies[i], bodies[i], NULL, &contacts));
        assert_int_equal(shape_host.calls, shape_calls);
        assert_in_range(world_host.bytes - before, 1, 10 * GRID_TRIANGLES);
        print_message("body %d: %.1f bytes a triangle\n", i + 1,
                      (double)(world_host.bytes - before) / GRID_TRIANGLES);
    }
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    assert_int_equal(shape_host.bytes, 0);
    assert_int_equal(world_host.bytes, 0);
    free(vertices);
    free(indices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_weights_and_vertices),
        cmocka_unit_test(test_folded_by_weights),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_soup_with_corners),
        cmocka_unit_test(test_soup_without_corners),
        cmocka_unit_test(test_soup_of_one_leaf),
        cmocka_unit_test(test_stats),
        cmocka_unit_test(test_shared_topology),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
