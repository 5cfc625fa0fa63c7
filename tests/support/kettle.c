/* The kettle: see kettle.h. */
#include "kettle.h"
#include "calls.h"
#include "touch.h"

#include <stdlib.h>
#include <string.h>

KettleGive *const kettle_gives[2] = {pliant_body_set_primitives, pliant_body_borrow_primitives};

static void must(PliantResult result)
{
    if (result != PLIANT_OK)
        abort();
}

void kettle_fill(Kettle *kettle)
{
    SceneRandom random = {1};
    for (int32_t i = 0; i < KETTLE_TRIANGLES; i++) {
        float *corners = kettle->corners[i];
        const float *on_sphere = kettle->sphere.vertices + 3 * (size_t)i;
        for (int c = 0; c < 9; c++) {
            float far = (float)scene_random(&random);
            float first = i < KETTLE_ON_SPHERE && c < 3 ? on_sphere[c] : 2 * far - 1;
            corners[c] = c < 3 ? first : corners[c - 3] + 0.06f * far;
        }
    }
}

Kettle *kettle_create(void)
{
    Kettle *kettle = scene_allocate(1, sizeof *kettle);
    PliantWorldDef def = pliant_world_def_default();
    PliantShapeDef shape = pliant_shape_def_default();
    test_host_init(&kettle->host);
    def.host = &kettle->host.host;
    must(pliant_world_create(&def, &kettle->world));
    kettle->sphere = scene_icosphere(2);
    shape.vertices = (PliantVertices){kettle->sphere.vertices, kettle->sphere.vertex_count, 0};
    shape.triangles = (PliantTriangles){kettle->sphere.triangles, kettle->sphere.triangle_count};
    must(pliant_shape_create(&shape, &kettle->shape));
    kettle_fill(kettle);
    return kettle;
}

bool kettle_destroy(Kettle *kettle)
{
    pliant_world_destroy(kettle->world);
    pliant_shape_release(kettle->shape);
    bool is_empty = kettle->host.blocks == 0 && kettle->host.bytes == 0;
    scene_mesh_free(&kettle->sphere);
    free(kettle);
    return is_empty;
}

PliantBody kettle_sphere(Kettle *kettle)
{
    PliantBody body = {0};
    must(pliant_body_create(kettle->world, kettle->shape, &body));
    return body;
}

PliantBody kettle_soup(Kettle *kettle, PliantPrimitiveKind primitive_kind, PliantSoupKind kind,
                       int32_t level_count)
{
    PliantSoupDef def = pliant_soup_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    PliantBody body = {0};
    def.primitive_kind = primitive_kind;
    experiments.soup_kind = kind;
    experiments.soup_level_count = level_count;
    must(pliant_body_create_soup(kettle->world, &def, &body));
    return body;
}

PliantBody kettle_body(Kettle *kettle, const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    PliantBody body = {0};
    must(pliant_shape_create(def, &shape));
    must(pliant_body_create(kettle->world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

void kettle_end(Kettle *kettle, PliantBody body)
{
    must(pliant_body_destroy(kettle->world, body));
}

void kettle_shift(Kettle *kettle, PliantBody body, float x)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = x;
    must(pliant_body_set_transform(kettle->world, body, &transform));
}

int64_t kettle_collide(Kettle *kettle, PliantCollideKind query)
{
    PliantContacts contacts = pliant_contacts_default();
    must(pliant_world_collide(kettle->world, TEST_QUERY(query), &contacts));
    return contacts.count;
}

PliantPrimitives kettle_first(const Kettle *kettle, int32_t count)
{
    return (PliantPrimitives){.struct_size = sizeof(PliantPrimitives),
                              .vertices = {kettle->corners[0], 3 * count, 0},
                              .count = count};
}

int64_t kettle_pairs(Kettle *kettle, PliantBody soup, PliantPrimitiveKind kind,
                     const PliantPrimitives *primitives, PliantBody sphere)
{
    TouchBody a = touch_soup(soup, kind, primitives), b = touch_mesh(sphere, &kettle->sphere);
    int64_t count = touch_count(kettle->world, &a, &b);
    touch_free(&a);
    touch_free(&b);
    return count;
}
