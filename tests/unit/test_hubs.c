/* Many triangles around one vertex: self-collision finds what a test of each two finds. */
#include "unit.h"

#include <pliant/pliant.h>
#include <scenes.h>

#include <math.h>
#include <string.h>

enum { COUNT = 160 };

/* Vertex 0 is the hub. Each triangle has two more vertices, of its own or the last one's. */
typedef struct Wheel {
    float vertices[2 * COUNT + 1][3];
    uint32_t triangles[COUNT][3];
} Wheel;

/* By kind: directions of all kinds; of small whole numbers, so that much touches, is flat, opposite
 * or at the hub itself; nearly all in one plane; or as the first, some of them not finite. */
static void fill_point(SceneRandom *random, int kind, float point[3])
{
    for (int k = 0; k < 3; k++) {
        const double x = 2 * scene_random(random) - 1;
        point[k] = kind == 1   ? (float)(int)(3 * x)
                   : kind == 2 ? (float)(k == 2 ? 0x1p-12 * x : x)
                               : (float)x;
    }
    if (kind == 3 && scene_random(random) < .1)
        point[1] = scene_random(random) < .5 ? NAN : INFINITY;
}

static void fill(Wheel *wheel, int kind, float reach, uint64_t seed)
{
    SceneRandom random = {seed};
    memset(wheel, 0, sizeof *wheel);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t own = 2 * i + 1;
        fill_point(&random, kind, wheel->vertices[own]);
        fill_point(&random, kind, wheel->vertices[own + 1]);
        for (int k = 0; k < 3 && kind != 1; k++) /* narrow ones */
            wheel->vertices[own + 1][k] =
                wheel->vertices[own][k] + reach * wheel->vertices[own + 1][k];
        const uint32_t first = i > 0 && scene_random(&random) < .3 ? own - 1 : own;
        const uint32_t corners[3] = {0, first, own + 1};
        const uint32_t turn = i % 3;
        for (uint32_t k = 0; k < 3; k++)
            wheel->triangles[i][k] = corners[(k + turn) % 3];
    }
}

static PliantShape *make_shape(const float *vertices, int32_t vertex_count,
                               const uint32_t *triangles, int32_t count, int32_t leaf_size)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    PliantShape *shape;
    def.vertices = (PliantVertices){vertices, vertex_count, 0};
    def.triangles = (PliantTriangles){triangles, count};
    experiments.tree_leaf_size = leaf_size;
    MUST(pliant_shape_create(&def, &shape));
    return shape;
}

/* Two triangles, and one far away: a leaf with that has no hub. */
static bool do_two_touch(PliantWorld *world, const Wheel *wheel, int a, int b)
{
    float vertices[2 * COUNT + 4][3] = {{0}};
    uint32_t triangles[3][3];
    PliantContacts contacts = pliant_contacts_default();
    PliantBody body;
    memcpy(vertices, wheel->vertices, sizeof wheel->vertices);
    for (uint32_t k = 0; k < 3; k++) {
        vertices[2 * COUNT + 1 + k][k] = 1;
        vertices[2 * COUNT + 1 + k][0] += 100;
        triangles[2][k] = 2 * COUNT + 1 + k;
    }
    memcpy(triangles[0], wheel->triangles[a], 12);
    memcpy(triangles[1], wheel->triangles[b], 12);
    PliantShape *shape = make_shape(vertices[0], 2 * COUNT + 4, triangles[0], 3, 16);
    MUST(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
    const bool do_touch = contacts.count > 0;
    MUST(pliant_body_destroy(world, body));
    return do_touch;
}

static int64_t compare(const Wheel *wheel, int32_t leaf_size)
{
    PliantWorld *world, *scratch;
    PliantBody body;
    PliantContacts contacts = pliant_contacts_default();
    int64_t next = 0;
    MUST(pliant_world_create(NULL, &world));
    MUST(pliant_world_create(NULL, &scratch));
    PliantShape *shape =
        make_shape(wheel->vertices[0], 2 * COUNT + 1, wheel->triangles[0], COUNT, leaf_size);
    MUST(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
    for (int a = 0; a < COUNT; a++)
        for (int b = a + 1; b < COUNT; b++) {
            const bool is_found = next < contacts.count && contacts.items[next].triangle_a == a &&
                                  contacts.items[next].triangle_b == b;
            assert_int_equal(is_found, do_two_touch(scratch, wheel, a, b));
            next += is_found;
        }
    assert_int_equal(next, contacts.count);
    pliant_world_destroy(world);
    pliant_world_destroy(scratch);
    return next;
}

static void test_wheels(void **state)
{
    (void)state;
    static Wheel wheel;
    int64_t count = 0;
    for (int kind = 0; kind < 4; kind++) {
        fill(&wheel, kind, kind == 2 ? .05f : .4f, 1 + (uint64_t)kind);
        count += compare(&wheel, kind % 3 == 0 ? 16 : 3);
    }
    fill(&wheel, 0, 4, 4); /* wide ones */
    count += compare(&wheel, 16);
    assert_true(count > 1000);
}

/* An umbrella, and each triangle a leaf: so many leaves that arrays of leaves grow within the
 * query. What is known of the first leaves must stay. */
static void test_umbrella(void **state)
{
    (void)state;
    enum { RIBS = 2000 };
    static float vertices[RIBS + 1][3];
    static uint32_t triangles[RIBS][3];
    PliantWorld *world;
    PliantBody body;
    PliantContacts contacts = pliant_contacts_default();
    for (uint32_t i = 0; i < RIBS; i++) {
        const double angle = 2 * 3.14159265358979 * i / RIBS;
        vertices[i + 1][0] = (float)cos(angle);
        vertices[i + 1][1] = (float)sin(angle);
        vertices[i + 1][2] = 1;
        triangles[i][1] = i + 1;
        triangles[i][2] = (i + 1) % RIBS + 1;
    }
    MUST(pliant_world_create(NULL, &world));
    for (int32_t leaf_size = 1; leaf_size <= 16; leaf_size *= 4) {
        PliantShape *shape = make_shape(vertices[0], RIBS + 1, triangles[0], RIBS, leaf_size);
        MUST(pliant_body_create(world, shape, &body));
        pliant_shape_release(shape);
        MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
        assert_int_equal(contacts.count, 0);
    }
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wheels),
                                       cmocka_unit_test(test_umbrella)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
