/* Three bodies in a world: two waving spheres, whose every vertex moves, above a plate that tilts.
 * docs/worlds.md and README.md quote this. */
#include "scenes.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "%s\n", pliant_result_text(result));
    exit(1);
}

static PliantShape *make_shape(const float *vertices, int32_t vertex_count,
                               const uint32_t *triangles, int32_t triangle_count)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = vertices;
    def.vertices.count = vertex_count;
    def.triangles.data = triangles;
    def.triangles.count = triangle_count;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

/* Turned about the x axis, and moved down. */
static PliantTransform tilted(int step)
{
    float c = (float)scene_cos(0.002 * step), s = (float)scene_sin(0.002 * step);
    PliantTransform transform = {{{1, 0, 0, 0}, {0, c, -s, 0}, {0, s, c, -1.03f}}};
    return transform;
}

int main(void)
{
    SceneBumpy scene = scene_bumpy(4);
    const SceneMesh *mesh = &scene.sphere;
    PliantShape *sphere =
        make_shape(mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count);
    const float corners[] = {-3, -3, 0, 3, -3, 0, 3, 3, 0, -3, 3, 0};
    const uint32_t halves[] = {0, 1, 2, 0, 2, 3};
    PliantShape *plate = make_shape(corners, 4, halves, 2);

    PliantWorld *world;
    must(pliant_world_create(NULL, &world)); /* NULL: the defaults */
    PliantBody left, right, ground;
    must(pliant_body_create(world, sphere, &left)); /* keeps a reference to the shape */
    must(pliant_body_create(world, sphere, &right));
    must(pliant_body_create(world, plate, &ground));
    pliant_shape_release(sphere);
    pliant_shape_release(plate);

    size_t float_count = 3 * (size_t)mesh->vertex_count;
    float *memory = (float *)malloc(2 * float_count * sizeof(float));
    if (!memory)
        exit(1);
    float *positions[2] = {memory, memory + float_count};
    /* The arrays stay where they are: whatever is written into them from now on counts. */
    PliantVertices borrowed[2] = {{positions[0], mesh->vertex_count, 0},
                                  {positions[1], mesh->vertex_count, 0}};
    must(pliant_body_borrow_vertices(world, left, borrowed[0]));
    must(pliant_body_borrow_vertices(world, right, borrowed[1]));

    for (int step = 40; step < SCENE_BUMPY_STEPS; step += 30) {
        for (int i = 0; i < 2; i++)
            scene_bumpy_vertices(&scene, i, step, positions[i]);
        PliantTransform transform = tilted(step);
        must(pliant_body_set_transform(world, ground, &transform));

        PliantContacts hits = pliant_contacts_default(); /* borrowed until the next query */
        must(pliant_world_collide(world, NULL, &hits));
        int64_t with_ground = 0;
        for (int64_t i = 0; i < hits.count; i++)
            with_ground += hits.items[i].body_b.index == ground.index;
        PliantStats stats = pliant_stats_default();
        must(pliant_world_stats(world, &stats));
        printf("step %3d: %4" PRId64 " pairs of triangles, %3" PRId64
               " with the ground, of %5" PRId64 " tested\n",
               step, hits.count, with_ground, stats.triangle_tests);
    }

    pliant_world_destroy(world); /* takes its bodies along */
    free(memory);
    scene_bumpy_free(&scene);
    return 0;
}
