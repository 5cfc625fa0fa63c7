/* pliant-bench shape: how long a shape takes to make, and to map once it is saved.
 *
 * Icospheres of 20,480 to 5,242,880 triangles, the largest twice in one mesh: does building hold
 * up? */
#include "experiments.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* `copies` of the sphere, side by side, as one mesh. */
static SceneMesh spheres(int subdivisions, int32_t copies)
{
    SceneMesh one = scene_icosphere(subdivisions);
    size_t vertices = 3 * (size_t)one.vertex_count, corners = 3 * (size_t)one.triangle_count;
    SceneMesh all = {bench_allocate((size_t)copies * vertices, sizeof(float)),
                     bench_allocate((size_t)copies * corners, sizeof(uint32_t)),
                     copies * one.vertex_count, copies * one.triangle_count};
    for (int32_t c = 0; c < copies; c++) {
        for (size_t i = 0; i < vertices; i++)
            all.vertices[(size_t)c * vertices + i] = one.vertices[i] + 0.37f * (float)c;
        for (size_t i = 0; i < corners; i++)
            all.triangles[(size_t)c * corners + i] =
                one.triangles[i] + (uint32_t)(c * one.vertex_count);
    }
    scene_mesh_free(&one);
    return all;
}

static void time_shape(const char *key, int subdivisions, int32_t copies)
{
    SceneMesh mesh = spheres(subdivisions, copies);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    PliantShape *made, *mapped;
    double start = bench_seconds();
    bench_must(pliant_shape_create(&def, &made));
    double create = bench_seconds() - start;
    size_t size;
    const void *data = pliant_shape_data(made, &size);
    start = bench_seconds();
    bench_must(pliant_shape_map(data, size, NULL, &mapped));
    double map = bench_seconds() - start;
    printf("%9" PRId32 " triangles: create %7.3f s, %4.0f ns each; map %6.4f s; %zu bytes each\n",
           mesh.triangle_count, create, 1e9 * create / mesh.triangle_count, map,
           size / (size_t)mesh.triangle_count);
    char name[64];
    snprintf(name, sizeof name, "shape.%s.create", key);
    bench_figure(name, create, "s");
    snprintf(name, sizeof name, "shape.%s.map", key);
    bench_figure(name, map, "s");
    pliant_shape_release(mapped);
    pliant_shape_release(made);
    scene_mesh_free(&mesh);
}

int bench_shape(const BenchOptions *options)
{
    time_shape("20k", 5, 1);
    time_shape("328k", 7, 1);
    if (!options->is_quick) {
        time_shape("1m", 8, 1);
        time_shape("10m", 9, 2);
    }
    return 0;
}
