/* Meshes that morph, and their vertices: see scenes.h. */
#include "scenes.h"

#include <stdlib.h>
#include <string.h>

void scene_morph_add_reference(SceneMorph *morph, int32_t target, SceneMesh mesh)
{
    const size_t count = 3 * (size_t)mesh.vertex_count;
    SceneTarget *added = &morph->targets[target];
    added->vertices = scene_allocate(count, sizeof(float));
    added->count = mesh.vertex_count;
    memcpy(added->vertices, mesh.vertices, count * sizeof(float));
    if (target == 0)
        morph->mesh = mesh;
    else
        scene_mesh_free(&mesh);
}

void scene_morph_free(SceneMorph *morph)
{
    for (int32_t i = 0; i < morph->target_count; i++) {
        free(morph->targets[i].vertices);
        free(morph->targets[i].indices);
    }
    free(morph->targets);
    scene_mesh_free(&morph->mesh);
    *morph = (SceneMorph){0};
}

/* ---- Blending ---------------------------------------------------------------------------- */

/* So many vertices at a time: what the loops pass on to each other stays in the nearest cache. */
enum { CHUNK = 512 };

/* As wide as the machine is: rounded alike, whatever the width. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                            \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

/* The parts of a sum: where each is read, and by what it is multiplied. */
typedef struct Part {
    const float *from;
    float weight;
} Part;

WIDE static void scale(Part p, int32_t count, float *restrict to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = p.weight * p.from[i];
}

WIDE static void blend_two(Part p, Part q, int32_t count, float *restrict to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = p.weight * p.from[i] + q.weight * q.from[i];
}

WIDE static void blend_three(Part p, Part q, Part r, int32_t count, float *restrict to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = (p.weight * p.from[i] + q.weight * q.from[i]) + r.weight * r.from[i];
}

WIDE static void add_scaled(Part p, int32_t count, float *restrict to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = to[i] + p.weight * p.from[i];
}

WIDE static void carry(const float *restrict from, const float (*rows)[4], int32_t vertex_count,
                       float *restrict to)
{
    for (int32_t i = 0; i < vertex_count; i++) {
        float x = from[3 * i], y = from[3 * i + 1], z = from[3 * i + 2];
        for (int k = 0; k < 3; k++)
            to[3 * i + k] = ((rows[k][0] * x + rows[k][1] * y) + rows[k][2] * z) + rows[k][3];
    }
}

/* A sum of parts; up to three of them in one pass. */
static void blend(const Part *parts, int32_t part_count, int32_t count, float *to)
{
    if (part_count == 0)
        memset(to, 0, (size_t)count * sizeof *to);
    else if (part_count == 1)
        scale(parts[0], count, to);
    else if (part_count == 2)
        blend_two(parts[0], parts[1], count, to);
    else
        blend_three(parts[0], parts[1], parts[2], count, to);
    for (int32_t i = 3; i < part_count; i++)
        add_scaled(parts[i], count, to);
}

/* The vertices of a chunk, by references. */
static void blend_references(const SceneMorph *morph, const float *weights, size_t first,
                             int32_t count, float *blended)
{
    Part parts[SCENE_MAX_REFERENCES];
    int32_t part_count = 0;
    for (int32_t i = 0; i < morph->target_count; i++)
        if (weights[i] != 0)
            parts[part_count++] = (Part){morph->targets[i].vertices + 3 * first, weights[i]};
    blend(parts, part_count, 3 * count, blended);
}

/* All vertices at once: a target has its vertices where it wants. */
static void blend_displacements(const SceneMorph *morph, const float *weights, float *blended)
{
    const int32_t vertex_count = morph->mesh.vertex_count;
    memcpy(blended, morph->mesh.vertices, 3 * (size_t)vertex_count * sizeof *blended);
    for (int32_t i = 0; i < morph->target_count; i++) {
        const SceneTarget *target = &morph->targets[i];
        if (weights[i] == 0)
            continue;
        if (!target->indices) {
            add_scaled((Part){target->vertices, weights[i]}, 3 * vertex_count, blended);
            continue;
        }
        for (int32_t j = 0; j < target->count; j++)
            for (int k = 0; k < 3; k++)
                blended[3 * (size_t)target->indices[j] + (size_t)k] +=
                    weights[i] * target->vertices[3 * j + k];
    }
}

void scene_morph_vertices(const SceneMorph *morph, const float *weights, const float (*rows)[4],
                          float *vertices)
{
    const int32_t vertex_count = morph->mesh.vertex_count;
    if (!morph->has_references)
        blend_displacements(morph, weights, vertices);
    for (int32_t first = 0; first < vertex_count; first += CHUNK) {
        const int32_t count = vertex_count - first < CHUNK ? vertex_count - first : CHUNK;
        float blended[3 * CHUNK], *to = vertices + 3 * (size_t)first;
        if (morph->has_references)
            blend_references(morph, weights, (size_t)first, count, blended);
        else if (rows)
            memcpy(blended, to, 3 * (size_t)count * sizeof *to);
        if (rows)
            carry(blended, rows, count, to);
        else if (morph->has_references)
            memcpy(to, blended, 3 * (size_t)count * sizeof *to);
    }
}
