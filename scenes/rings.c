/* Closed surfaces of rings between two poles: see scenes.h. */
#include "scenes.h"

#include <string.h>

static void put(SceneMesh *mesh, ScenePlace *index, const void *data, double u, double v)
{
    double point[3];
    index(data, u, v, point);
    float *vertex = mesh->vertices + 3 * (size_t)mesh->vertex_count++;
    for (int k = 0; k < 3; k++)
        vertex[k] = (float)point[k];
}

static void join(SceneMesh *mesh, uint32_t p, uint32_t q, uint32_t r)
{
    const uint32_t triangle[3] = {p, q, r};
    memcpy(mesh->triangles + 3 * (size_t)mesh->triangle_count++, triangle, sizeof triangle);
}

/* The band below a ring, or the cap below the last one. */
static void join_rings(SceneMesh *mesh, int ring, int ring_count, int segment_count)
{
    const uint32_t segments = (uint32_t)segment_count, here = 1 + (uint32_t)ring * segments;
    const uint32_t below = here + segments;
    for (uint32_t i = 0; i < segments; i++) {
        uint32_t next = (i + 1) % segments;
        if (ring == 0)
            join(mesh, 0, here + next, here + i);
        join(mesh, here + i, here + next, ring + 1 < ring_count ? below + next : below);
        if (ring + 1 < ring_count)
            join(mesh, here + i, below + next, below + i);
    }
}

SceneMesh scene_rings(int ring_count, int segment_count, ScenePlace *index, const void *data)
{
    const size_t triangle_count = 2 * (size_t)ring_count * (size_t)segment_count;
    SceneMesh mesh = {scene_allocate(3 * (triangle_count / 2 + 2), sizeof(float)),
                      scene_allocate(3 * triangle_count, sizeof(uint32_t)), 0, 0};
    put(&mesh, index, data, 0, 0);
    for (int ring = 0; ring < ring_count; ring++)
        for (int i = 0; i < segment_count; i++)
            put(&mesh, index, data, (ring + 1.0) / (ring_count + 1), (double)i / segment_count);
    put(&mesh, index, data, 1, 0);
    for (int ring = 0; ring < ring_count; ring++)
        join_rings(&mesh, ring, ring_count, segment_count);
    return mesh;
}
