/* What meshes of several pieces are put together with: see scenes.h. */
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *block, size_t count, size_t size)
{
    void *larger = realloc(block, count * size);
    if (!larger) {
        fprintf(stderr, "scenes: out of memory\n");
        exit(1);
    }
    return larger;
}

static void put_triangles(uint32_t *to, const SceneMesh *piece, uint32_t first, bool is_mirrored)
{
    for (size_t t = 0; t < (size_t)piece->triangle_count; t++)
        for (size_t c = 0; c < 3; c++)
            to[3 * t + (is_mirrored ? 2 - c : c)] = piece->triangles[3 * t + c] + first;
}

void scene_mesh_append(SceneMesh *mesh, SceneMesh piece, bool is_mirrored)
{
    const size_t before = 3 * (size_t)mesh->vertex_count, more = 3 * (size_t)piece.vertex_count;
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    mesh->vertices = grown(mesh->vertices, before + more, sizeof *mesh->vertices);
    mesh->triangles =
        grown(mesh->triangles, corners + 3 * (size_t)piece.triangle_count, sizeof *mesh->triangles);
    memcpy(mesh->vertices + before, piece.vertices, more * sizeof *piece.vertices);
    for (size_t i = 0; is_mirrored && i < more; i += 3)
        mesh->vertices[before + i] = -mesh->vertices[before + i];
    put_triangles(mesh->triangles + corners, &piece, (uint32_t)mesh->vertex_count, is_mirrored);
    mesh->vertex_count += piece.vertex_count;
    mesh->triangle_count += piece.triangle_count;
    scene_mesh_free(&piece);
}

void scene_mesh_move(SceneMesh *mesh, double rotation[3][3], const double position[3])
{
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i += 3) {
        const double p[3] = {mesh->vertices[i], mesh->vertices[i + 1], mesh->vertices[i + 2]};
        for (size_t k = 0; k < 3; k++)
            mesh->vertices[i + k] = (float)(rotation[k][0] * p[0] + rotation[k][1] * p[1] +
                                            rotation[k][2] * p[2] + position[k]);
    }
}
