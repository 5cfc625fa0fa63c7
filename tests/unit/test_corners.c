/* Triangles by their numbers: the same corners as all vertices have, for bodies of every kind. */
#include "ball.h"
#include "calls.h"
#include "host.h"
#include "refuse.h"
#include "scenes.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

enum { MAX_TRIANGLES = 1280, ASKED = 700 };

typedef struct Fixture {
    TestHost host;
    Ball ball;
    PliantWorld *world;
    SceneRandom random;
    int32_t asked[ASKED];
    float corners[ASKED][9];
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    PliantWorldDef def = pliant_world_def_default();
    test_host_init(&f->host);
    ball_init(&f->ball);
    def.host = &f->host.host;
    MUST(pliant_world_create(&def, &f->world));
    f->random.state = 11;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    pliant_world_destroy(f->world);
    assert_int_equal(f->host.bytes, 0);
    ball_free(&f->ball);
    free(f);
    return 0;
}

static PliantBody create(Fixture *f, const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    PliantBody body = {0};
    MUST(pliant_shape_create(def, &shape));
    MUST(pliant_body_create(f->world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

/* Moves the body a little, and then asks for random triangles, some more than once. */
static void assert_corners(Fixture *f, PliantBody body, const uint32_t *triangles, int32_t count)
{
    static float vertices[3 * MAX_TRIANGLES][3];
    PliantTransform transform = pliant_transform_identity();
    for (int i = 0; i < 12; i++)
        transform.rows[i / 4][i % 4] += 0.25F * (float)scene_random(&f->random);
    for (int is_moved = 0; is_moved < 2; is_moved++) {
        if (is_moved)
            MUST(pliant_body_set_transform(f->world, body, &transform));
        MUST(test_body_vertices(f->world, body, vertices[0]));
        for (int i = 0; i < ASKED; i++)
            f->asked[i] = (int32_t)scene_random_below(&f->random, (uint32_t)count);
        memset(f->corners, 1, sizeof f->corners);
        MUST(pliant_body_corners(f->world, body, f->asked, ASKED, f->corners[0], ASKED));
        for (int i = 0; i < 3 * ASKED; i++)
            assert_memory_equal(f->corners[i / 3] + 3 * (i % 3),
                                vertices[triangles[3 * f->asked[i / 3] + i % 3]],
                                3 * sizeof(float));
    }
}

static void test_shapes(void **state)
{
    Fixture *f = *state;
    const SceneMesh *mesh = &f->ball.mesh;
    const PliantTreeKind trees[] = {PLIANT_TREE_FULL, PLIANT_TREE_CONNECTED};
    for (int t = 0; t < 2; t++) {
        PliantShapeDef def = ball_def(&f->ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.tree_kind = trees[t];
        def.skin = &f->ball.skin;
        const PliantBody body = create(f, &def);
        assert_corners(f, body, mesh->triangles, mesh->triangle_count);
        MUST(pliant_body_set_weights(f->world, body, (const float[]){0.5F, 1.25F, -1}, 3));
        assert_corners(f, body, mesh->triangles, mesh->triangle_count);
        PliantTransform joints[BALL_JOINTS];
        ball_bend(1, joints);
        MUST(pliant_body_set_joints(f->world, body, joints, BALL_JOINTS));
        assert_corners(f, body, mesh->triangles, mesh->triangle_count);
        MUST(pliant_body_set_vertices(f->world, body,
                                      (PliantVertices){f->ball.data[1][0], mesh->vertex_count, 0}));
        assert_corners(f, body, mesh->triangles, mesh->triangle_count);
        MUST(pliant_body_borrow_vertices(
            f->world, body, (PliantVertices){f->ball.positions[1][0], mesh->vertex_count, 0}));
        assert_corners(f, body, mesh->triangles, mesh->triangle_count);
    }
}

static void test_references_and_pieces(void **state)
{
    Fixture *f = *state;
    const SceneMesh *mesh = &f->ball.mesh;
    PliantShapeDef def = ball_def(&f->ball, PLIANT_MORPH_REFERENCES, NULL);
    const PliantBody body = create(f, &def);
    MUST(pliant_body_set_weights(f->world, body, (const float[]){0.5F, 0.25F, 0.25F}, 3));
    assert_corners(f, body, mesh->triangles, mesh->triangle_count);
    def.targets = NULL;
    def.target_count = 0;
    def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    def.divide_size = 0.08F;
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(&def, &shape));
    assert_true(test_shape_info(shape).piece_count > mesh->triangle_count);
    pliant_shape_release(shape);
    assert_corners(f, create(f, &def), mesh->triangles, mesh->triangle_count);
}

/* Not a number stays one, where it is. */
static void test_not_finite(void **state)
{
    Fixture *f = *state;
    SceneMesh *mesh = &f->ball.mesh;
    PliantShapeDef def = ball_def(&f->ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    def.targets = NULL;
    def.target_count = 0;
    mesh->vertices[3] = NAN;
    mesh->vertices[7] = INFINITY;
    assert_corners(f, create(f, &def), mesh->triangles, mesh->triangle_count);
}

static void test_soups(void **state)
{
    Fixture *f = *state;
    const SceneMesh *mesh = &f->ball.mesh;
    PliantBody body, points;
    MUST(pliant_body_create_soup(f->world, NULL, &body));
    uint32_t *corners = malloc(3 * (size_t)mesh->triangle_count * sizeof *corners);
    memcpy(corners, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof *corners);
    PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                   .vertices = {mesh->vertices, mesh->vertex_count, 0},
                                   .corners = corners,
                                   .count = mesh->triangle_count};
    MUST(pliant_body_set_primitives(f->world, body, &primitives));
    assert_corners(f, body, corners, mesh->triangle_count);
    corners[9] = PLIANT_NO_VERTEX;
    MUST(pliant_body_borrow_primitives(f->world, body, &primitives));
    const int32_t empty = 3;
    MUST(pliant_body_corners(f->world, body, &empty, 1, f->corners[0], 1));
    for (int i = 0; i < 9; i++)
        assert_true(isnan(f->corners[0][i]));
    REFUSE(f->host, pliant_body_corners(f->world, body, &mesh->triangle_count, 1, f->corners[0], 1),
           PLIANT_BAD_INDEX, "triangles[0] is 1280, the body has 1280");
    PliantSoupDef def = pliant_soup_def_default();
    def.primitive_kind = PLIANT_POINTS;
    MUST(pliant_body_create_soup(f->world, &def, &points));
    primitives = (PliantPrimitives){.struct_size = sizeof(PliantPrimitives),
                                    .vertices = {mesh->vertices, mesh->vertex_count, 0},
                                    .count = mesh->vertex_count};
    MUST(pliant_body_set_primitives(f->world, points, &primitives));
    MUST(pliant_body_corners(f->world, points, &empty, 1, f->corners[0], 1));
    for (int i = 0; i < 3; i++)
        assert_memory_equal(f->corners[0] + 3 * i, mesh->vertices + 9, 3 * sizeof(float));
    free(corners);
}

static void test_mistakes(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = ball_skin_def(&f->ball, NULL);
    const PliantBody body = create(f, &def), dead = create(f, &def);
    const int32_t good[2] = {0, 1279}, bad[2] = {0, -1};
    float *corners = f->corners[0];
    MUST(pliant_body_destroy(f->world, dead));
    corners[0] = corners[17] = 42;
#define REFUSE_CORNERS(body, triangles, count, corners, code, text)                                \
    REFUSE(f->host, pliant_body_corners(f->world, body, triangles, count, corners, count), code,   \
           text)
    REFUSE_CORNERS(dead, good, 2, corners, PLIANT_BAD_ID, "body is {");
    REFUSE_CORNERS(body, bad, 2, corners, PLIANT_BAD_INDEX, "triangles[1] is -1");
    REFUSE_CORNERS(body, good, -1, corners, PLIANT_BAD_ARGUMENT, "count is -1");
    REFUSE_CORNERS(body, good, INT64_MAX, corners, PLIANT_TOO_LARGE, "count is ");
    REFUSE_CORNERS(body, NULL, 2, corners, PLIANT_BAD_ARGUMENT, "triangles is NULL");
    REFUSE_CORNERS(body, good, 2, NULL, PLIANT_BAD_ARGUMENT, "corners is NULL");
#undef REFUSE_CORNERS
    assert_true(corners[0] == 42 && corners[17] == 42);
    MUST(pliant_body_corners(f->world, body, NULL, 0, NULL, 0));
    MUST(pliant_body_corners(f->world, body, good, 2, corners, 2));
}

/* Triangles in boxes: what is refused, what stays as it was, and that a second call needs no
 * memory. test_in_boxes has the answers. */
static void test_in_boxes(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = ball_skin_def(&f->ball, NULL);
    const PliantBody body = create(f, &def), dead = create(f, &def);
    const PliantBox box = {{0, -2, -2}, {2, 2, 2}};
    PliantBoxTriangles found = pliant_box_triangles_default();
    found.count = 42;
    MUST(pliant_body_destroy(f->world, dead));
#define REFUSE_BOX(body, box, found, code, text)                                                   \
    REFUSE(f->host, pliant_body_triangles_in_boxes(f->world, body, box, 1, NULL, found), code, text)
    REFUSE_BOX(dead, &box, &found, PLIANT_BAD_ID, "body is {");
    REFUSE_BOX(body, NULL, &found, PLIANT_BAD_ARGUMENT, "boxes is NULL");
    REFUSE_BOX(body, &box, NULL, PLIANT_BAD_ARGUMENT, "triangles is NULL");
#undef REFUSE_BOX
    assert_true(found.count == 42 && !found.items && !found.corners);
    MUST(pliant_body_triangles_in_boxes(f->world, body, &box, 1, NULL, &found));
    assert_true(found.count > 0 && found.count < f->ball.mesh.triangle_count);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_body_stats(f->world, body, &stats));
    assert_true(stats.leaves_evaluated > 0 &&
                stats.leaves_evaluated < f->ball.mesh.triangle_count / 16);
    const int64_t calls = f->host.calls;
    MUST(pliant_body_triangles_in_boxes(f->world, body, &box, 1, NULL, &found));
    assert_int_equal(f->host.calls, calls);
}

/* Boxes instead of triangles: no leaf is evaluated for them. */
static void test_boxes_in_boxes(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = ball_skin_def(&f->ball, NULL);
    const PliantBody body = create(f, &def), dead = create(f, &def);
    const PliantBox box = {{0, -2, -2}, {2, 2, 2}}, far = {{9, 9, 9}, {9, 9, 9}};
    PliantBox whole, boxes[16];
    int32_t count = 42;
    MUST(pliant_body_destroy(f->world, dead));
#define REFUSE_BOXES(body, box, box_count, boxes, capacity, count, code, text)                     \
    REFUSE(f->host,                                                                                \
           pliant_body_boxes_in_boxes(f->world, body, box, box_count, boxes, capacity, count),     \
           code, text)
    REFUSE_BOXES(dead, &box, 1, boxes, 16, &count, PLIANT_BAD_ID, "body is {");
    REFUSE_BOXES(body, NULL, 1, boxes, 16, &count, PLIANT_BAD_ARGUMENT, "near is NULL");
    REFUSE_BOXES(body, &box, -1, boxes, 16, &count, PLIANT_BAD_ARGUMENT, "near_count is -1");
    REFUSE_BOXES(body, &box, 1, NULL, 16, &count, PLIANT_BAD_ARGUMENT, "boxes is NULL");
    REFUSE_BOXES(body, &box, 1, boxes, 0, &count, PLIANT_BAD_ARGUMENT, "capacity is 0");
    REFUSE_BOXES(body, &box, 1, boxes, 16, NULL, PLIANT_BAD_ARGUMENT, "count is NULL");
#undef REFUSE_BOXES
    assert_int_equal(count, 42);
    MUST(pliant_body_boxes_in_boxes(f->world, body, &far, 1, boxes, 16, &count));
    assert_int_equal(count, 0);
    MUST(pliant_body_boxes_in_boxes(f->world, body, NULL, 0, boxes, 16, &count));
    assert_int_equal(count, 0);
    MUST(pliant_body_boxes_in_boxes(f->world, body, &box, 1, boxes, 1, &count));
    MUST(pliant_body_box(f->world, body, &whole));
    assert_int_equal(count, 1);
    assert_memory_equal(&boxes[0], &whole, sizeof whole);
    MUST(pliant_body_boxes_in_boxes(f->world, body, &box, 1, boxes, 16, &count));
    assert_true(count > 1 && count <= 16);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_body_stats(f->world, body, &stats));
    assert_int_equal(stats.leaves_evaluated, 0);
    const int64_t calls = f->host.calls;
    MUST(pliant_body_boxes_in_boxes(f->world, body, &box, 1, boxes, 16, &count));
    assert_int_equal(f->host.calls, calls);
}

/* A triangle that is no wider than a unit in the last place, divided: its pieces are between two
 * floats. */
static void test_boxes_of_pieces(void **state)
{
    Fixture *f = *state;
    const float u = 0x1p-23F;
    const float vertices[] = {1, 0, 0, 1 + u, 100, 0, 1, 0, 100, 0, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){vertices, 6, 0};
    def.triangles = (PliantTriangles){triangles, 2};
    def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    const PliantBody body = create(f, &def);
    MUST(pliant_body_set_vertices(f->world, body, def.vertices));
    int outside_count = 0;
    for (int y = 1; y < 100; y++) {
        const double x = 1 + (double)u * y / 100;
        const PliantBox near = {{0, (float)y, 0}, {2, (float)y, 0}};
        PliantBox boxes[16];
        int32_t count = 0;
        bool is_inside = false;
        MUST(pliant_body_boxes_in_boxes(f->world, body, &near, 1, boxes, 16, &count));
        for (int32_t i = 0; i < count; i++)
            is_inside |= boxes[i].low[0] <= x && x <= boxes[i].high[0] && boxes[i].low[1] <= y &&
                         y <= boxes[i].high[1] && boxes[i].low[2] <= 0 && boxes[i].high[2] >= 0;
        outside_count += !is_inside;
    }
    assert_int_equal(outside_count, 0);
}

/* Contacts stay while corners are asked for. Few triangles need no memory of the world's host; many
 * need it for the time of the call, and it may be missing without harm. */
static void test_contacts_and_memory(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = ball_skin_def(&f->ball, NULL);
    const PliantBody a = create(f, &def), b = create(f, &def);
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = 1.75F;
    MUST(pliant_body_set_transform(f->world, b, &transform));
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_collide(f->world, NULL, &contacts));
    assert_true(contacts.count > 20 && contacts.count <= 256);
    PliantContact *kept = malloc((size_t)contacts.count * sizeof *kept);
    memcpy(kept, contacts.items, (size_t)contacts.count * sizeof *kept);
    for (int64_t i = 0; i < contacts.count; i++)
        f->asked[i] = contacts.items[i].triangle_a;
    MUST(pliant_body_corners(f->world, a, f->asked, contacts.count, f->corners[0], contacts.count));
    assert_memory_equal(contacts.items, kept, (size_t)contacts.count * sizeof *kept);
    const int64_t calls = f->host.calls;
    MUST(pliant_body_corners(f->world, a, f->asked, contacts.count, f->corners[0], contacts.count));
    assert_int_equal(f->host.calls, calls);
    for (int i = 0; i < ASKED; i++)
        f->asked[i] = i % 7;
    const int64_t blocks = f->host.blocks;
    f->host.fail_at = f->host.calls + 1;
    assert_int_equal(pliant_body_corners(f->world, a, f->asked, ASKED, f->corners[0], ASKED),
                     PLIANT_OUT_OF_MEMORY);
    f->host.fail_at = 0;
    MUST(pliant_body_corners(f->world, a, f->asked, ASKED, f->corners[0], ASKED));
    assert_int_equal(f->host.blocks, blocks);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(f->world, &stats));
    assert_int_equal(stats.byte_size, f->host.bytes);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_shapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_references_and_pieces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_finite, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_soups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mistakes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_in_boxes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_boxes_in_boxes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_boxes_of_pieces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contacts_and_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
