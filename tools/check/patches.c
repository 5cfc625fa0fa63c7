/* Vertices of regions, divided into what the surface connects: see sheet.h. */
#include "check/sheet.h"

#include <stdlib.h>
#include <string.h>

/* Triangles by vertex: counted, then filled from the back. */
static void list_fans(const ScenePart *part, Patches *patches)
{
    const int64_t corner_count = 3 * (int64_t)part->triangle_count;
    int32_t *firsts = patches->firsts;
    for (int64_t i = 0; i < corner_count; i++)
        firsts[part->triangles[i]]++;
    for (int32_t v = 0; v < part->vertex_count; v++)
        firsts[v + 1] += firsts[v];
    for (int64_t i = corner_count - 1; i >= 0; i--)
        patches->fans[--firsts[part->triangles[i]]] = (int32_t)(i / 3);
}

/* A number for each side of each region, from 1 on, at its vertices. */
static void mark_sides(const PliantRegions *regions, const Patches *patches, int32_t *sides)
{
    for (int64_t i = 0; i < 2 * regions->count; i++) {
        const PliantRegionPart *part = &regions->items[i / 2].parts[i % 2];
        for (int64_t k = 0; k < part->vertex_count; k++)
            sides[regions->vertices[part->first_vertex + k]] = (int32_t)i + 1;
        for (int64_t k = 0; k < part->triangle_count; k++)
            patches->of_triangles[regions->triangles[part->first_triangle + k]] = NO_CORNER;
    }
}

/* All vertices of the side that are connected to the last of the patch. */
static void grow(const ScenePart *part, const int32_t *sides, Patches *patches)
{
    Patch *patch = &patches->items[patches->count];
    for (int64_t i = patch->first; i < patch->first + patch->count; i++) {
        const int32_t v = patches->vertices[i];
        for (int32_t f = patches->firsts[v]; f < patches->firsts[v + 1]; f++) {
            const uint32_t *corners = part->triangles + 3 * (size_t)patches->fans[f];
            patches->of_triangles[patches->fans[f]] = patches->count;
            for (int k = 0; k < 3; k++) {
                if (sides[corners[k]] != sides[v] || patches->of_vertices[corners[k]] != NO_PATCH)
                    continue;
                patches->of_vertices[corners[k]] = patches->count;
                patches->vertices[patch->first + patch->count++] = (int32_t)corners[k];
            }
        }
    }
}

static void divide(const ScenePart *part, const PliantRegions *regions, const int32_t *sides,
                   Patches *patches)
{
    int64_t listed = 0;
    for (int32_t v = 0; v < part->vertex_count; v++) {
        if (sides[v] == 0 || patches->of_vertices[v] != NO_PATCH)
            continue;
        patches->items[patches->count] =
            (Patch){listed, 1, &regions->items[(sides[v] - 1) / 2], (sides[v] - 1) % 2};
        patches->of_vertices[v] = patches->count;
        patches->vertices[listed] = v;
        grow(part, sides, patches);
        listed += patches->items[patches->count++].count;
    }
}

PliantResult patches_make(const CutWork *work, const PliantRegions *regions, Patches *patches)
{
    const ScenePart *part = work->sides[0]->shape->part;
    const size_t vertex_count = (size_t)part->vertex_count,
                 triangle_count = (size_t)part->triangle_count;
    int32_t *sides = calloc(vertex_count + 1, sizeof *sides);
    *patches = (Patches){
        .items = malloc(((size_t)regions->vertex_count + 1) * sizeof(Patch)),
        .vertices = malloc((vertex_count + 1) * sizeof(int32_t)),
        .of_vertices = malloc((vertex_count + 1) * sizeof(int32_t)),
        .of_triangles = malloc((triangle_count + 1) * sizeof(int32_t)),
        .firsts = calloc(vertex_count + 2, sizeof(int32_t)),
        .fans = malloc((3 * triangle_count + 1) * sizeof(int32_t)),
    };
    const bool is_made = sides && patches->items && patches->vertices && patches->of_vertices &&
                         patches->of_triangles && patches->firsts && patches->fans;
    if (is_made) {
        memset(patches->of_vertices, 0xFF, vertex_count * sizeof(int32_t)); /* NO_PATCH */
        memset(patches->of_triangles, 0xFF, triangle_count * sizeof(int32_t));
        list_fans(part, patches);
        mark_sides(regions, patches, sides);
        divide(part, regions, sides, patches);
    }
    free(sides);
    return is_made ? PLIANT_OK : PLIANT_OUT_OF_MEMORY;
}

void patches_free(Patches *patches)
{
    free(patches->items);
    free(patches->vertices);
    free(patches->of_vertices);
    free(patches->of_triangles);
    free(patches->firsts);
    free(patches->fans);
    *patches = (Patches){0};
}
