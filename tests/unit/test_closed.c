/* Is a mesh closed? Whatever the valence of its vertices, and in linear time. */
#include "scenes.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>
#include <time.h>

/* Two poles, numbered first or last, above and below a ring: each pole has valence `count`, and
 * all vertices of the ring have valence 4. */
static SceneMesh bipyramid(int32_t count, bool poles_first)
{
    SceneMesh mesh = {.vertex_count = count + 2, .triangle_count = 2 * count};
    mesh.vertices = malloc(3 * sizeof(float) * ((size_t)count + 2));
    mesh.triangles = malloc(3 * sizeof(uint32_t) * 2 * (size_t)count);
    const uint32_t ring = poles_first ? 2 : 0, top = poles_first ? 0 : (uint32_t)count;
    for (int32_t i = 0; i < count; i++) {
        const double angle = 6.283185307179586 * i / count;
        const uint32_t here = ring + (uint32_t)i, next = ring + (uint32_t)((i + 1) % count);
        float *vertex = mesh.vertices + 3 * (size_t)here;
        vertex[0] = (float)cos(angle), vertex[1] = (float)sin(angle), vertex[2] = 0;
        const uint32_t pair[6] = {top, here, next, top + 1, next, here};
        memcpy(mesh.triangles + 6 * (size_t)i, pair, sizeof pair);
    }
    const float poles[6] = {0, 0, 1, 0, 0, -1};
    memcpy(mesh.vertices + 3 * (size_t)top, poles, sizeof poles);
    return mesh;
}

static bool is_closed(const SceneMesh *mesh)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(&def, &shape));
    PliantShapeInfo info = pliant_shape_info_default();
    MUST(pliant_shape_info(shape, &info));
    pliant_shape_release(shape);
    return info.is_closed;
}

static void test_every_valence(void **state)
{
    (void)state;
    for (int32_t valence = 3; valence < 300; valence += valence < 70 ? 1 : 41)
        for (int poles_first = 0; poles_first < 2; poles_first++) {
            SceneMesh mesh = bipyramid(valence, poles_first);
            assert_true(is_closed(&mesh));
            scene_mesh_free(&mesh);
        }
}

/* One triangle removed, or turned round, anywhere: around a pole as well as elsewhere. */
static void test_open_at_any_valence(void **state)
{
    (void)state;
    for (int32_t valence = 8; valence < 200; valence *= 4)
        for (int poles_first = 0; poles_first < 2; poles_first++) {
            SceneMesh mesh = bipyramid(valence, poles_first);
            for (int32_t t = 0; t < mesh.triangle_count; t += 3) {
                uint32_t *corners = mesh.triangles + 3 * (size_t)t, kept[3];
                memcpy(kept, corners, sizeof kept);
                corners[0] = kept[1], corners[1] = kept[0];
                assert_false(is_closed(&mesh));
                corners[0] = corners[1];
                assert_false(is_closed(&mesh));
                memcpy(corners, kept, sizeof kept);
            }
            assert_true(is_closed(&mesh));
            scene_mesh_free(&mesh);
        }
}

/* Two closed sheets back to back: each edge four times, twice in each direction. */
static void test_edges_of_four_triangles(void **state)
{
    (void)state;
    SceneMesh mesh = bipyramid(40, true);
    const size_t index_count = 3 * (size_t)mesh.triangle_count;
    mesh.triangles = realloc(mesh.triangles, 2 * index_count * sizeof *mesh.triangles);
    memcpy(mesh.triangles + index_count, mesh.triangles, index_count * sizeof *mesh.triangles);
    mesh.triangle_count *= 2;
    assert_true(is_closed(&mesh));
    for (size_t i = index_count; i < 2 * index_count; i += 3) {
        const uint32_t corner = mesh.triangles[i];
        mesh.triangles[i] = mesh.triangles[i + 1];
        mesh.triangles[i + 1] = corner;
    }
    assert_true(is_closed(&mesh)); /* the inner one inside out */
    mesh.triangles[0] = mesh.triangles[1];
    assert_false(is_closed(&mesh));
    scene_mesh_free(&mesh);
}

/* Edges twice, in one direction: at two vertices of more edges than are compared with each other.
 * All others balance. */
static void test_edges_twice_in_one_direction(void **state)
{
    (void)state;
    enum { PAIRS = 40 };
    SceneMesh mesh = {.vertex_count = 2 + 2 * PAIRS, .triangle_count = 4 * PAIRS};
    mesh.vertices = calloc(3 * (size_t)mesh.vertex_count, sizeof(float));
    mesh.triangles = malloc(3 * sizeof(uint32_t) * (size_t)mesh.triangle_count);
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint32_t a = 2 + 2 * i, b = a + 1;
        const uint32_t four[12] = {0, a, b, 0, a, b, 1, b, a, 1, b, a};
        memcpy(mesh.triangles + 12 * (size_t)i, four, sizeof four);
    }
    assert_false(is_closed(&mesh));
    scene_mesh_free(&mesh);
}

/* Quadratic time would be 2 * 10^10 steps and more. */
static void test_large_fans(void **state)
{
    (void)state;
    for (int poles_first = 0; poles_first < 2; poles_first++) {
        SceneMesh mesh = bipyramid(100000, poles_first);
        const clock_t start = clock();
        assert_true(is_closed(&mesh));
        assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
        scene_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_valence),
        cmocka_unit_test(test_open_at_any_valence),
        cmocka_unit_test(test_edges_of_four_triangles),
        cmocka_unit_test(test_edges_twice_in_one_direction),
        cmocka_unit_test(test_large_fans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
