/* scenes: are the spheres closed, the right way round, and as large as they should be? */
#include "scenes.h"
#include "unit.h"

#include <stdlib.h>

static int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Each edge once in each direction: closed, and all triangles the same way round. */
static void assert_closed(const SceneMesh *mesh)
{
    size_t count = 3 * (size_t)mesh->triangle_count;
    uint64_t *edges = malloc(2 * count * sizeof *edges), *reversed = edges + count;
    assert_non_null(edges);
    for (size_t c = 0; c < count; c++) {
        uint64_t from = mesh->triangles[c], to = mesh->triangles[c % 3 == 2 ? c - 2 : c + 1];
        edges[c] = from << 32 | to;
        reversed[c] = to << 32 | from;
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    qsort(reversed, count, sizeof *edges, compare_edges);
    assert_memory_equal(edges, reversed, count * sizeof *edges);
    for (size_t c = 1; c < count; c++)
        assert_true(edges[c] != edges[c - 1]);
    free(edges);
}

static double volume_of(const SceneMesh *mesh)
{
    double six_times = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const float *p[3];
        for (int c = 0; c < 3; c++)
            p[c] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + c];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            six_times += (double)p[0][k] * ((double)p[1][l] * p[2][m] - (double)p[1][m] * p[2][l]);
        }
    }
    return six_times / 6;
}

static void test_spheres(void **state)
{
    (void)state;
    static const struct {
        SceneSolid solid;
        int32_t triangle_count;
    } solids[] = {{SCENE_TETRAHEDRON, 4}, {SCENE_OCTAHEDRON, 8}, {SCENE_ICOSAHEDRON, 20}};
    for (size_t s = 0; s < 3; s++) {
        double last = 0;
        for (int n = 0; n <= 4; n++) {
            SceneMesh mesh = scene_sphere(solids[s].solid, n);
            assert_int_equal(mesh.triangle_count, solids[s].triangle_count << 2 * n);
            assert_int_equal(mesh.vertex_count, mesh.triangle_count / 2 + 2); /* Euler */
            assert_closed(&mesh);
            double volume = volume_of(&mesh);
            assert_true(volume > last && volume < 4.18879021); /* towards 4/3 pi from within */
            last = volume;
            scene_mesh_free(&mesh);
        }
        assert_true(last > 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spheres)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
