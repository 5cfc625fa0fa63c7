/* Intersections of the triangles of contacts: what the public call takes, triangles whose answers
 * are known, and curves of closed meshes that join by names. The points themselves are compared by
 * oracle.common. */
#include "ball.h"
#include "calls.h"
#include "host.h"
#include "refuse.h"
#include "scenes.h"
#include "unheard.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float floor_corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
static const float needle_corners[9] = {1, 1, -1, 1, 1, 1, 9, 9, 1}; /* through (1, 1, 0) */
static const uint32_t one_triangle[3] = {0, 1, 2};

typedef struct Stage {
    TestHost host;
    PliantWorld *world;
    PliantBody bodies[2];
    PliantContacts contacts;
    PliantIntersections found;
} Stage;

static void start(Stage *stage)
{
    *stage =
        (Stage){.contacts = pliant_contacts_default(), .found = pliant_intersections_default()};
    test_host_init(&stage->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &stage->host.host;
    MUST(pliant_world_create(&def, &stage->world));
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
}

static void add_body(Stage *stage, int i, const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    MUST(pliant_body_create(stage->world, shape, &stage->bodies[i]));
    pliant_shape_release(shape);
}

static void add_triangles(Stage *stage, const float *a, const float *b)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.triangles = (PliantTriangles){one_triangle, 1};
    def.vertices = (PliantVertices){a, 3, 0};
    add_body(stage, 0, &def);
    def.vertices = (PliantVertices){b, 3, 0};
    add_body(stage, 1, &def);
}

static void collide(Stage *stage)
{
    MUST(pliant_world_collide(stage->world, NULL, &stage->contacts));
    MUST(pliant_contacts_intersections(stage->world, &stage->contacts, NULL, &stage->found));
    assert_int_equal(stage->found.count, stage->contacts.count);
}

static void assert_triple(const float *x, float x0, float x1, float x2)
{
    assert_true(x[0] == x0 && x[1] == x1 && x[2] == x2);
}

/* ---- Known answers -------------------------------------------------------------------------- */

/* An edge of the needle goes through the floor at (1, 1, 0), and an edge of the floor through the
 * needle at (2, 2, 0). */
static void test_segment(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add_triangles(&stage, floor_corners, needle_corners);
    collide(&stage);
    assert_int_equal(stage.found.count, 1);
    assert_int_equal(stage.found.items[0].first_point, 0);
    assert_int_equal(stage.found.items[0].point_count, 2);
    assert_int_equal(stage.found.point_count, 2);
    /* The normal of the floor is along z and that of the needle along (-1, 1, 0): their product
     * goes along (-1, -1, 0). */
    const PliantIntersectionPoint *first = &stage.found.points[0], *second = first + 1;
    assert_int_equal(first->corners_a, 6);
    assert_int_equal(first->corners_b, 7);
    assert_triple(first->position, 2, 2, 0);
    assert_triple(first->weights_a, 0, .5f, .5f);
    assert_triple(first->weights_b, .5f, .375f, .125f);
    assert_int_equal(second->corners_a, 7);
    assert_int_equal(second->corners_b, 3);
    assert_triple(second->position, 1, 1, 0);
    assert_triple(second->weights_a, .5f, .25f, .25f);
    assert_triple(second->weights_b, .5f, .5f, 0);
    end(&stage);
}

/* The other way around: the same points and weights, in reverse. */
static void test_swapped(void **state)
{
    (void)state;
    Stage stage, other;
    start(&stage);
    start(&other);
    add_triangles(&stage, floor_corners, needle_corners);
    add_triangles(&other, needle_corners, floor_corners);
    collide(&stage);
    collide(&other);
    for (int i = 0; i < 2; i++) {
        const PliantIntersectionPoint *x = &stage.found.points[i], *y = &other.found.points[1 - i];
        assert_int_equal(x->corners_a, y->corners_b);
        assert_int_equal(x->corners_b, y->corners_a);
        assert_memory_equal(x->position, y->position, sizeof x->position);
        assert_memory_equal(x->weights_a, y->weights_b, sizeof x->weights_a);
        assert_memory_equal(x->weights_b, y->weights_a, sizeof x->weights_b);
    }
    end(&stage);
    end(&other);
}

/* A triangle in the plane of the floor: x and y from 0 to 3, and x + y from 2 to 4. */
static void test_polygon(void **state)
{
    (void)state;
    static const float other[9] = {3, 3, 0, -1, 3, 0, 3, -1, 0};
    static const float corners[6][2] = {{2, 0}, {3, 0}, {3, 1}, {1, 3}, {0, 3}, {0, 2}};
    Stage stage;
    start(&stage);
    add_triangles(&stage, floor_corners, other);
    collide(&stage);
    assert_int_equal(stage.found.items[0].point_count, 6);
    for (int i = 0; i < 6; i++) /* counter-clockwise, as the floor is */
        assert_triple(stage.found.points[i].position, corners[i][0], corners[i][1], 0);
    end(&stage);
}

/* A soup of points, of which one is in the floor and one on its edge. */
static void test_points(void **state)
{
    (void)state;
    static const float points[9] = {1, 2, 0, 7, 7, 7, 2, 2, 0};
    Stage stage;
    start(&stage);
    add_triangles(&stage, floor_corners, floor_corners);
    MUST(pliant_body_destroy(stage.world, stage.bodies[1]));
    PliantSoupDef def = pliant_soup_def_default();
    def.primitive_kind = PLIANT_POINTS;
    MUST(pliant_body_create_soup(stage.world, &def, &stage.bodies[1]));
    const PliantPrimitives primitives = {
        .struct_size = sizeof primitives, .vertices = {points, 3, 0}, .count = 3};
    MUST(pliant_body_set_primitives(stage.world, stage.bodies[1], &primitives));
    collide(&stage);
    assert_int_equal(stage.found.count, 2);
    assert_int_equal(stage.found.point_count, 2);
    const PliantIntersectionPoint *inside = &stage.found.points[0], *on_edge = inside + 1;
    assert_int_equal(inside->corners_a, 7);
    assert_int_equal(inside->corners_b, 1);
    assert_triple(inside->position, 1, 2, 0);
    assert_triple(inside->weights_a, .25f, .25f, .5f);
    assert_triple(inside->weights_b, 1, 0, 0);
    assert_int_equal(on_edge->corners_a, 6);
    assert_triple(on_edge->weights_a, 0, .5f, .5f);
    end(&stage);
}

/* Two triangles of one mesh that share a vertex and cut through each other: a segment from there.
 */
static void test_self(void **state)
{
    (void)state;
    static const float vertices[15] = {0, 0, 0, 4, -4, 0, 4, 4, 0, 2, 0, -1, 2, 0, 1};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 3, 4};
    Stage stage;
    start(&stage);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){vertices, 5, 0};
    def.triangles = (PliantTriangles){triangles, 2};
    add_body(&stage, 0, &def);
    MUST(pliant_bodies_collide(stage.world, stage.bodies[0], stage.bodies[0], NULL,
                               &stage.contacts));
    assert_int_equal(stage.contacts.count, 1);
    MUST(pliant_contacts_intersections(stage.world, &stage.contacts, NULL, &stage.found));
    assert_int_equal(stage.found.point_count, 2);
    for (int i = 0; i < 2; i++) {
        const PliantIntersectionPoint *point = &stage.found.points[i];
        const bool is_shared = point->corners_a == 1;
        assert_int_equal(point->corners_b, is_shared ? 1 : 6);
        assert_triple(point->position, is_shared ? 0 : 2, 0, 0);
    }
    end(&stage);
}

/* ---- Curves of closed meshes ---------------------------------------------------------------- */

/* A point by names that hold for the whole mesh. */
typedef struct Named {
    uint32_t a[3],
        b[3]; /* vertices of the faces, in order; those that are not there are UINT32_MAX */
    float position[3];
    int end; /* 0: the first of its segment, 1: the second */
} Named;

static int compare_vertices(const void *x, const void *y)
{
    const uint32_t *p = x, *q = y;
    return (*p > *q) - (*p < *q);
}

static void name_face(const SceneMesh *mesh, int32_t triangle, unsigned bits, uint32_t name[3])
{
    for (int k = 0; k < 3; k++)
        name[k] = bits >> k & 1 ? mesh->triangles[3 * triangle + k] : UINT32_MAX;
    qsort(name, 3, sizeof *name, compare_vertices);
}

static int compare_names(const void *x, const void *y)
{
    return memcmp(x, y, offsetof(Named, position));
}

/* All points of segments, in the order of their names. */
static Named *name_points(const Stage *stage, const SceneMesh *mesh, int64_t *count)
{
    Named *named = calloc((size_t)stage->found.point_count + 1, sizeof *named);
    *count = 0;
    for (int64_t i = 0; i < stage->found.count; i++) {
        const PliantIntersection *item = &stage->found.items[i];
        const PliantContact *contact = &stage->contacts.items[i];
        for (int32_t k = 0; k < item->point_count; k++) {
            const PliantIntersectionPoint *point = &stage->found.points[item->first_point + k];
            Named *here = &named[(*count)++];
            name_face(mesh, contact->triangle_a, point->corners_a, here->a);
            name_face(mesh, contact->triangle_b, point->corners_b, here->b);
            memcpy(here->position, point->position, sizeof here->position);
            here->end = k;
        }
    }
    assert_int_equal(*count, stage->found.point_count);
    qsort(named, (size_t)*count, sizeof *named, compare_names);
    return named;
}

static void add_spheres(Stage *stage, const SceneMesh *mesh, const float offset[3], float angle)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    add_body(stage, 0, &def);
    add_body(stage, 1, &def);
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][0] = transform.rows[1][1] = (float)scene_cos((double)angle);
    transform.rows[1][0] = (float)scene_sin((double)angle);
    transform.rows[0][1] = -transform.rows[1][0];
    for (int k = 0; k < 3; k++)
        transform.rows[k][3] = offset[k];
    MUST(pliant_body_set_transform(stage->world, stage->bodies[1], &transform));
}

/* Anywhere, each segment ends where the next one begins: every name is there twice, with the same
 * bits, once as the first of a segment and once as the second. More segments than are taken at a
 * time. */
static void test_closed_curves(void **state)
{
    (void)state;
    Stage stage;
    int64_t count;
    SceneMesh mesh = scene_icosphere(6);
    start(&stage);
    add_spheres(&stage, &mesh, (const float[]){.31f, .17f, .23f}, .4f);
    collide(&stage);
    Named *named = name_points(&stage, &mesh, &count);
    assert_true(stage.found.count > 1400 && count == 2 * stage.found.count);
    for (int64_t i = 0; i < count; i += 2) {
        assert_int_equal(compare_names(&named[i], &named[i + 1]), 0);
        assert_memory_equal(named[i].position, named[i + 1].position, sizeof named->position);
        assert_int_equal(named[i].end + named[i + 1].end, 1);
        assert_true(i == 0 || compare_names(&named[i - 1], &named[i]) != 0);
    }
    free(named);
    end(&stage);
    scene_mesh_free(&mesh);
}

/* The same body twice, and beside it along an axis: corners on corners, edges on edges and in
 * faces. A name has one position. */
static void test_touching_curves(void **state)
{
    (void)state;
    static const float offsets[3][3] = {{0, 0, 0}, {.5f, 0, 0}, {0, 0, .25f}};
    SceneMesh mesh = scene_icosphere(3);
    for (int32_t i = 0; i < 3 * mesh.vertex_count; i++) /* on a grid */
        mesh.vertices[i] = (float)((int)(16 * mesh.vertices[i])) / 16;
    for (int k = 0; k < 3; k++) {
        Stage stage;
        int64_t count;
        start(&stage);
        add_spheres(&stage, &mesh, offsets[k], 0);
        collide(&stage);
        Named *named = name_points(&stage, &mesh, &count);
        assert_true(count > 0);
        for (int64_t i = 1; i < count; i++)
            if (compare_names(&named[i - 1], &named[i]) == 0)
                assert_memory_equal(named[i].position, named[i - 1].position,
                                    sizeof named->position);
        free(named);
        end(&stage);
    }
    scene_mesh_free(&mesh);
}

/* ---- Every kind of body --------------------------------------------------------------------- */

/* The weighted corners are at the position. */
static void assert_weights(const PliantWorld *world, PliantBody body, int32_t triangle,
                           const float *weights, const float *position)
{
    float corners[9];
    MUST(pliant_body_corners(world, body, &triangle, 1, corners, 1));
    for (int k = 0; k < 3; k++) {
        const float x =
            weights[0] * corners[k] + weights[1] * corners[3 + k] + weights[2] * corners[6 + k];
        assert_true(fabsf(x - position[k]) < 1e-5f);
    }
}

static void assert_all_weights(Stage *stage)
{
    collide(stage);
    assert_true(stage->found.count > 0);
    for (int64_t i = 0; i < stage->found.count; i++) {
        const PliantContact *contact = &stage->contacts.items[i];
        const PliantIntersection *item = &stage->found.items[i];
        for (int32_t k = 0; k < item->point_count; k++) {
            const PliantIntersectionPoint *point = &stage->found.points[item->first_point + k];
            assert_weights(stage->world, contact->body_a, contact->triangle_a, point->weights_a,
                           point->position);
            assert_weights(stage->world, contact->body_b, contact->triangle_b, point->weights_b,
                           point->position);
        }
    }
}

/* Vertices that a query evaluates. */
static int64_t evaluated_count(Stage *stage)
{
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_collide(stage->world, NULL, &stage->contacts));
    MUST(pliant_world_stats(stage->world, &stats));
    return stats.vertices_evaluated;
}

/* What is evaluated for intersections is not in the statistics of the next query. */
static void assert_statistics(Stage *stage)
{
    (void)evaluated_count(stage);
    const int64_t count = evaluated_count(stage);
    MUST(pliant_contacts_intersections(stage->world, &stage->contacts, NULL, &stage->found));
    assert_true(count > 0);
    assert_int_equal(evaluated_count(stage), count);
}

static void test_kinds(void **state)
{
    (void)state;
    static Ball ball;
    Stage stage;
    PliantTransform transform = pliant_transform_identity(), joints[BALL_JOINTS];
    ball_init(&ball);
    start(&stage);
    PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    def.skin = &ball.skin;
    add_body(&stage, 0, &def);
    MUST(pliant_body_create_soup(stage.world, NULL, &stage.bodies[1]));
    const PliantPrimitives primitives = {
        .struct_size = sizeof primitives,
        .vertices = {ball.mesh.vertices, ball.mesh.vertex_count, 0},
        .corners = ball.mesh.triangles,
        .count = ball.mesh.triangle_count};
    MUST(pliant_body_set_primitives(stage.world, stage.bodies[1], &primitives));
    transform.rows[0][3] = .375f;
    transform.rows[1][2] = .25f;
    MUST(pliant_body_set_transform(stage.world, stage.bodies[1], &transform));
    assert_all_weights(&stage);
    MUST(pliant_body_set_weights(stage.world, stage.bodies[0], (const float[]){.5f, 1.25f, -1}, 3));
    assert_all_weights(&stage);
    assert_statistics(&stage);
    ball_bend(1, joints);
    MUST(pliant_body_set_joints(stage.world, stage.bodies[0], joints, BALL_JOINTS));
    assert_all_weights(&stage);
    MUST(pliant_body_borrow_vertices(
        stage.world, stage.bodies[0],
        (PliantVertices){ball.positions[1][0], ball.mesh.vertex_count, 0}));
    assert_all_weights(&stage);
    end(&stage);
    ball_free(&ball);
}

/* Of several bodies, and with contacts in any order. */
static void test_bodies(void **state)
{
    (void)state;
    static const float third[9] = {1, 2, -1, 1, 2, 1, -1, 2, 0};
    Stage stage;
    PliantContact turned[3];
    start(&stage);
    add_triangles(&stage, floor_corners, needle_corners);
    stage.bodies[0] = stage.bodies[1];
    PliantShapeDef def = pliant_shape_def_default();
    def.triangles = (PliantTriangles){one_triangle, 1};
    def.vertices = (PliantVertices){third, 3, 0};
    add_body(&stage, 1, &def);
    collide(&stage);
    assert_int_equal(stage.found.count, 2);
    assert_int_equal(stage.found.items[1].first_point, 2);
    assert_triple(stage.found.points[1].position, 1, 1, 0);
    const PliantIntersectionPoint kept[2] = {stage.found.points[2], stage.found.points[3]};
    for (int i = 0; i < 3; i++)
        turned[i] = stage.contacts.items[1 - i % 2];
    stage.contacts.items = turned;
    stage.contacts.count = 3;
    MUST(pliant_contacts_intersections(stage.world, &stage.contacts, NULL, &stage.found));
    assert_memory_equal(stage.found.points, kept, sizeof kept);
    assert_memory_equal(stage.found.points + 4, kept, sizeof kept);
    end(&stage);
}

/* ---- Failures and memory -------------------------------------------------------------------- */

static void test_mistakes(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add_triangles(&stage, floor_corners, needle_corners);
    collide(&stage);
    PliantIntersections before;
    memcpy(&before, &stage.found, sizeof before); /* padding too */
    PliantContact contact = stage.contacts.items[0];
    PliantContacts contacts = stage.contacts;
    contacts.items = &contact;
#define REFUSE_CONTACTS(code, text)                                                                \
    do {                                                                                           \
        REFUSE(stage.host,                                                                         \
               pliant_contacts_intersections(stage.world, &contacts, NULL, &stage.found), code,    \
               text);                                                                              \
        assert_memory_equal(&stage.found, &before, sizeof before);                                 \
    } while (0)
    REFUSE(stage.host, pliant_contacts_intersections(stage.world, NULL, NULL, &stage.found),
           PLIANT_BAD_ARGUMENT, "contacts is NULL");
    REFUSE(stage.host, pliant_contacts_intersections(stage.world, &contacts, NULL, NULL),
           PLIANT_BAD_ARGUMENT, "intersections is NULL");
    REFUSE_UNHEARD(pliant_contacts_intersections(NULL, &contacts, NULL, &stage.found),
                   PLIANT_BAD_ARGUMENT);
    contacts.count = -1;
    REFUSE_CONTACTS(PLIANT_BAD_ARGUMENT, "contacts.count is -1");
    contacts.count = 1;
    contacts.items = NULL;
    REFUSE_CONTACTS(PLIANT_BAD_ARGUMENT, "contacts.items is NULL");
    contacts.items = &contact;
    contacts.struct_size = 3;
    REFUSE_CONTACTS(PLIANT_BAD_DEF, "contacts.struct_size is 3");
    contacts.struct_size = sizeof contacts;
    contact.triangle_a = 1;
    REFUSE_CONTACTS(PLIANT_BAD_INDEX, "contacts.items[0].triangle_a is 1, the body has 1");
    contact.triangle_a = 0;
    contact.triangle_b = -1;
    REFUSE_CONTACTS(PLIANT_BAD_INDEX, "contacts.items[0].triangle_b is -1");
    contact.triangle_b = 0;
    contact.body_b.serial++;
    REFUSE_CONTACTS(PLIANT_BAD_ID, "contacts.items[0].body_b is {index 2,");
    contact.body_b.serial--;
    contact.body_a.index = 0;
    REFUSE_CONTACTS(PLIANT_BAD_ID, "contacts.items[0].body_a is {index 0,");
    contact.body_a.index = 1;
    MUST(pliant_contacts_intersections(stage.world, &contacts, NULL, &stage.found));
    memcpy(&before, &stage.found, sizeof before);
    PliantTransform transform = pliant_transform_identity();
    transform.rows[2][3] = 1.5f;
    MUST(pliant_body_set_transform(stage.world, stage.bodies[1], &transform));
    REFUSE_CONTACTS(PLIANT_STALE, "body {index 2, ");
    contacts.stamp = 0;
    REFUSE_CONTACTS(PLIANT_BAD_ARGUMENT, "contacts.items[0]: the triangles have nothing in common");
#undef REFUSE_CONTACTS
    contacts.count = 0;
    contacts.items = NULL;
    MUST(pliant_contacts_intersections(stage.world, &contacts, NULL, &stage.found));
    assert_int_equal(stage.found.count, 0);
    assert_int_equal(stage.found.point_count, 0);
    end(&stage);
}

/* The second time, nothing is allocated; contacts and statistics stay as they are. */
static void test_memory(void **state)
{
    (void)state;
    Stage stage;
    SceneMesh mesh = scene_icosphere(4);
    start(&stage);
    add_spheres(&stage, &mesh, (const float[]){.25f, .5f, .125f}, .5f);
    collide(&stage);
    PliantStats stats = pliant_stats_default(), later = pliant_stats_default();
    MUST(pliant_world_stats(stage.world, &stats));
    const int64_t calls = stage.host.calls;
    MUST(pliant_contacts_intersections(stage.world, &stage.contacts, NULL, &stage.found));
    assert_int_equal(stage.host.calls, calls);
    MUST(pliant_world_stats(stage.world, &later));
    assert_memory_equal(&stats, &later, sizeof stats);
    assert_int_equal(stage.found.point_count, 2 * stage.found.count);
    end(&stage);
    scene_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segment),
        cmocka_unit_test(test_swapped),
        cmocka_unit_test(test_polygon),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_self),
        cmocka_unit_test(test_closed_curves),
        cmocka_unit_test(test_touching_curves),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
