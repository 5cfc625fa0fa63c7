/* The room: see room.h. */
#include "room.h"

#include "solids.h"
#include "test_layers.h"

#include <stdio.h>
#include <stdlib.h>

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "room: %s\n", pliant_result_name(result));
    exit(1);
}

void room_open(Room *room)
{
    *room = (Room){.world = NULL};
    test_host_init(&room->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &room->host.host;
    must(pliant_world_create(&def, &room->world));
}

bool room_close(Room *room)
{
    pliant_world_destroy(room->world);
    return room->host.blocks == 0 && room->host.bytes == 0;
}

static PliantBody add_shape(Room *room, PliantShape *shape)
{
    PliantBody body;
    must(pliant_body_create(room->world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

PliantBody room_add_mesh(Room *room, const SceneMesh *mesh)
{
    return add_shape(room, solid_shape(mesh));
}

PliantBody room_add_def(Room *room, const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    must(pliant_shape_create(def, &shape));
    return add_shape(room, shape);
}

PliantBody room_add(Room *room, SceneMesh mesh)
{
    PliantBody body = room_add_mesh(room, &mesh);
    scene_mesh_free(&mesh);
    return body;
}

PliantBody room_add_box(Room *room, float x0, float y0, float z0, float x1, float y1, float z1)
{
    const float low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
    return room_add(room, solid_box(low, high));
}

PliantBody room_add_soup(Room *room, const SceneMesh *mesh)
{
    PliantBody body;
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {mesh->vertices, mesh->vertex_count, 0},
                                         .corners = mesh->triangles,
                                         .count = mesh->triangle_count};
    must(pliant_body_create_soup(room->world, NULL, &body));
    must(pliant_body_set_primitives(room->world, body, &primitives));
    return body;
}

PliantLayers *room_layers(Room *room)
{
    PliantLayers *layers = NULL;
    must(test_layers_create(&room->host.host, &layers));
    return layers;
}
