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

/* ---- Cutting ----------------------------------------------------------------------------- */

/* Which edge of a triangle is the longest, from its corner of that number; its square. */
static int longest_edge(const float *corners, double *square)
{
    int longest = 0;
    *square = -1;
    for (int c = 0; c < 3; c++) {
        double here = 0;
        for (int k = 0; k < 3; k++) {
            const double d = (double)corners[3 * c + k] - corners[3 * ((c + 1) % 3) + k];
            here += d * d;
        }
        longest = here > *square ? c : longest;
        *square = here > *square ? here : *square;
    }
    return longest;
}

/* Nine floats each, in an array that grows. */
typedef struct Pieces {
    float (*items)[9];
    size_t count, capacity;
} Pieces;

static void push(Pieces *pieces, const float *corners)
{
    if (pieces->count == pieces->capacity) {
        Pieces larger = {.count = pieces->count, .capacity = 2 * pieces->capacity + 64};
        larger.items = scene_allocate(larger.capacity, sizeof *larger.items);
        if (pieces->count > 0)
            memcpy(larger.items, pieces->items, pieces->count * sizeof *larger.items);
        free(pieces->items);
        *pieces = larger;
    }
    memcpy(pieces->items[pieces->count++], corners, sizeof *pieces->items);
}

/* Takes the piece of that number, and puts both halves of it behind the last; or says no. */
static bool cut_piece(Pieces *pieces, size_t number, double longest)
{
    float whole[9], half[9];
    double square;
    memcpy(whole, pieces->items[number], sizeof whole);
    const int from = longest_edge(whole, &square), to = (from + 1) % 3;
    if (!(square > longest * longest))
        return false;
    float middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = (float)(0.5 * ((double)whole[3 * from + k] + whole[3 * to + k]));
    memcpy(half, whole, sizeof half);
    memcpy(half + (size_t)3 * (size_t)to, middle, sizeof middle);
    memcpy(pieces->items[number], half, sizeof half);
    memcpy(half, whole, sizeof half);
    memcpy(half + (size_t)3 * (size_t)from, middle, sizeof middle);
    push(pieces, half);
    return true;
}

void scene_mesh_cut(SceneMesh *mesh, double longest)
{
    Pieces pieces = {NULL, 0, 0};
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        float corners[9];
        for (size_t c = 0; c < 3; c++)
            memcpy(corners + 3 * c, mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)t + c],
                   3 * sizeof *corners);
        push(&pieces, corners);
    }
    for (size_t i = 0; i < pieces.count; i++)
        while (cut_piece(&pieces, i, longest))
            continue;
    scene_mesh_free(mesh);
    mesh->triangle_count = (int32_t)pieces.count;
    mesh->vertex_count = 3 * mesh->triangle_count;
    mesh->vertices = scene_allocate(3 * pieces.count, 3 * sizeof *mesh->vertices);
    mesh->triangles = scene_allocate(pieces.count, 3 * sizeof *mesh->triangles);
    if (pieces.count > 0)
        memcpy(mesh->vertices, pieces.items, pieces.count * sizeof *pieces.items);
    for (uint32_t i = 0; i < 3 * pieces.count; i++)
        mesh->triangles[i] = i;
    free(pieces.items);
}
