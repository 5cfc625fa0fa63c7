/* Scenes made by hand: see handmade.h. There is always memory for them. */
#include "handmade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One more item, zeroed, at the end of an array. */
static void *add(void *array, int32_t count, size_t size)
{
    void *items;
    memcpy(&items, array, sizeof items);
    items = realloc(items, ((size_t)count + 1) * size);
    memcpy(array, &items, sizeof items);
    return memset((char *)items + (size_t)count * size, 0, size);
}

Scene *handmade_scene(void)
{
    Scene *scene = calloc(1, sizeof *scene);
    scene->format = strdup("by hand");
    return scene;
}

int32_t handmade_node(Scene *scene, int32_t parent, float x, float y, float z)
{
    SceneNode *node = add(&scene->nodes, scene->node_count, sizeof *node);
    *node = (SceneNode){.name = strdup("node"),
                        .parent = parent,
                        .translation = {x, y, z},
                        .rotation = {0, 0, 0, 1},
                        .scale = {1, 1, 1},
                        .is_in_scene = true};
    return scene->node_count++;
}

static ScenePart *add_part(Scene *scene, const char *name, int32_t vertex_count,
                           int32_t triangle_count)
{
    ScenePart *part = add(&scene->parts, scene->part_count++, sizeof *part);
    *part = (ScenePart){.name = strdup(name),
                        .node = -1,
                        .skin = -1,
                        .cached = -1,
                        .vertex_count = vertex_count,
                        .triangle_count = triangle_count,
                        .read_count = vertex_count};
    part->vertices = calloc((size_t)vertex_count, 3 * sizeof *part->vertices);
    part->triangles = calloc((size_t)triangle_count, 3 * sizeof *part->triangles);
    part->faces = calloc((size_t)triangle_count, sizeof *part->faces);
    for (int32_t t = 0; t < triangle_count; t++)
        part->faces[t].face = t;
    return part;
}

int32_t handmade_box(Scene *scene, const char *name, int32_t node, const float low[3],
                     const float high[3])
{
    /* A corner has a bit for each axis on which it is high. */
    static const uint32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                              {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    ScenePart *part = add_part(scene, name, 8, 12);
    part->node = node;
    for (int corner = 0; corner < 8; corner++)
        for (int k = 0; k < 3; k++)
            part->vertices[3 * corner + k] = corner >> k & 1 ? high[k] : low[k];
    memcpy(part->triangles, triangles, sizeof triangles);
    return scene->part_count - 1;
}

static int32_t add_skin(Scene *scene, const int32_t nodes[2])
{
    SceneSkin *skin = add(&scene->skins, scene->skin_count, sizeof *skin);
    skin->joint_count = 2;
    skin->joints = calloc(2, sizeof *skin->joints);
    skin->inverse_binds = calloc(2, sizeof *skin->inverse_binds);
    for (int j = 0; j < 2; j++) {
        const float *at = scene->nodes[nodes[j]].translation;
        skin->joints[j] = nodes[j];
        for (int k = 0; k < 16; k += 5)
            skin->inverse_binds[j][k] = 1;
        for (int k = 0; k < 3; k++)
            skin->inverse_binds[j][12 + k] = -at[k];
    }
    return scene->skin_count++;
}

/* The upper half follows the second joint, the lower the first, and the middle both alike. */
static void bind_vertex(ScenePart *part, int32_t vertex, float height)
{
    const float second = height < 0.5F ? 0 : height > 0.5F ? 1 : 0.5F;
    part->joints[2 * vertex] = 0;
    part->joints[2 * vertex + 1] = 1;
    part->joint_weights[2 * vertex] = 1 - second;
    part->joint_weights[2 * vertex + 1] = second;
}

static void add_ring(ScenePart *part, int32_t ring, int32_t ring_count, int32_t side_count,
                     float radius)
{
    for (int32_t s = 0; s < side_count; s++) {
        const int32_t vertex = ring * side_count + s,
                      next = ring * side_count + (s + 1) % side_count;
        const double angle = 6.283185307179586 * s / side_count;
        const float height = (float)ring / (float)(ring_count - 1);
        part->vertices[3 * vertex] = radius * (float)cos(angle);
        part->vertices[3 * vertex + 1] = height;
        part->vertices[3 * vertex + 2] = radius * (float)sin(angle);
        bind_vertex(part, vertex, height);
        if (ring + 1 == ring_count)
            continue;
        const uint32_t quad[4] = {(uint32_t)vertex, (uint32_t)next, (uint32_t)(next + side_count),
                                  (uint32_t)(vertex + side_count)};
        const uint32_t two[6] = {quad[0], quad[2], quad[1], quad[0], quad[3], quad[2]};
        memcpy(part->triangles + 6 * (size_t)vertex, two, sizeof two);
    }
}

int32_t handmade_tube(Scene *scene, const char *name, int32_t low_node, int32_t high_node,
                      float radius, int32_t ring_count, int32_t side_count)
{
    const int32_t nodes[2] = {low_node, high_node};
    const int32_t skin = add_skin(scene, nodes);
    ScenePart *part =
        add_part(scene, name, ring_count * side_count, 2 * (ring_count - 1) * side_count);
    part->skin = skin;
    part->influence_count = 2;
    part->joints = calloc((size_t)part->vertex_count, 2 * sizeof *part->joints);
    part->joint_weights = calloc((size_t)part->vertex_count, 2 * sizeof *part->joint_weights);
    for (int32_t r = 0; r < ring_count; r++)
        add_ring(part, r, ring_count, side_count, radius);
    return scene->part_count - 1;
}

void handmade_target(Scene *scene, int32_t number, const char *name, float x, float y, float z)
{
    ScenePart *part = &scene->parts[number];
    const size_t size = 3 * (size_t)part->vertex_count;
    const int32_t t = part->target_count++;
    part->targets = realloc(part->targets, ((size_t)t + 1) * size * sizeof *part->targets);
    part->target_names = realloc(part->target_names, ((size_t)t + 1) * sizeof(char *));
    part->weights = realloc(part->weights, ((size_t)t + 1) * sizeof *part->weights);
    part->target_names[t] = strdup(name);
    part->weights[t] = 0;
    for (size_t i = 0; i < size; i += 3) {
        float *to = part->targets + size * (size_t)t + i;
        to[0] = x;
        to[1] = y;
        to[2] = z;
    }
}

int32_t handmade_clip(Scene *scene, const char *name, double seconds, double fps)
{
    SceneClip *clip = add(&scene->clips, scene->clip_count, sizeof *clip);
    *clip = (SceneClip){.name = strdup(name), .end = seconds, .fps = fps};
    return scene->clip_count++;
}

void handmade_move(Scene *scene, int32_t number, int32_t node, const float from[3],
                   const float to[3])
{
    SceneClip *clip = &scene->clips[number];
    SceneTrack *track = add(&clip->tracks, clip->track_count++, sizeof *track);
    *track = (SceneTrack){
        .node = node, .path = SCENE_TRANSLATION, .ease = SCENE_LINEAR, .key_count = 2, .width = 3};
    track->times = calloc(2, sizeof *track->times);
    track->values = calloc(6, sizeof *track->values);
    track->times[1] = (float)clip->end;
    memcpy(track->values, from, 3 * sizeof *from);
    memcpy(track->values + 3, to, 3 * sizeof *to);
}
