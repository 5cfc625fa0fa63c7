/* Making seams: see seams.h. */
#include "shape/seams.h"
#include "shape/shape.h"
#include "shape/weld.h"

#include <string.h>

void pli_to_groups(const uint32_t *vertices, size_t count, const uint32_t *groups, uint32_t *lowest)
{
    for (size_t i = 0; i < count; i++)
        lowest[i] = groups[vertices[i]];
}

/* ---- Which vertices move alike --------------------------------------------------------------- */

/* The targets of a shape as they could have been given. */
static void read_targets(const PliMorphTables *tables, PliantTarget *targets)
{
    for (int32_t t = 0; t < tables->target_count; t++) {
        const int32_t first = tables->target_firsts[t], end = tables->target_firsts[t + 1];
        targets[t] = (PliantTarget){{tables->target_moves + 3 * (size_t)first, end - first, 0},
                                    tables->target_vertices + first};
    }
}

/* And its skin, with as many influences of each vertex as there can be. */
static void read_skin(const PliSkinTables *tables, int32_t vertex_count, uint16_t *joints,
                      float *weights)
{
    const size_t size = (size_t)vertex_count * PLI_MAX_INFLUENCES;
    memset(joints, 0, size * sizeof *joints);
    memset(weights, 0, size * sizeof *weights);
    for (int32_t v = 0; v < vertex_count; v++) {
        const int32_t first = tables->skin_firsts[v], count = tables->skin_firsts[v + 1] - first;
        const size_t to = (size_t)v * PLI_MAX_INFLUENCES;
        memcpy(joints + to, tables->skin_joints + first, (size_t)count * sizeof *joints);
        memcpy(weights + to, tables->skin_weights + first, (size_t)count * sizeof *weights);
    }
}

/* Welds the vertices of the shape: those of one group that are welded move alike. */
static PliantResult weld(const PliantShape *shape, const PliantHost *host, PliArena *arena,
                         uint32_t *welded)
{
    const PliShapeHeader *header = shape->header;
    const int32_t vertex_count = header->vertex_count;
    const size_t size = header->joint_count > 0 ? (size_t)vertex_count * PLI_MAX_INFLUENCES : 0;
    PliantTarget *targets =
        pli_arena_cut(arena, (size_t)header->target_count, sizeof(PliantTarget));
    uint16_t *joints = pli_arena_cut(arena, size, sizeof(uint16_t));
    float *weights = pli_arena_cut(arena, size, sizeof(float));
    PLI_TRY(arena->failure);
    read_targets(&shape->morph_tables, targets);
    if (size > 0)
        read_skin(&shape->skin_tables, vertex_count, joints, weights);
    PliantSkin skin = pliant_skin_default();
    skin.joint_count = header->joint_count;
    skin.influence_count = PLI_MAX_INFLUENCES;
    skin.joints = joints;
    skin.weights = weights;
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){shape->vertices, vertex_count, 0};
    def.targets = targets;
    def.target_count = header->target_count;
    def.skin = &skin;
    int32_t group_count;
    return pli_weld(&def, host, welded, &group_count);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool is_unlike(const uint32_t *groups, const uint32_t *welded, int32_t vertex)
{
    return welded[vertex] != welded[groups[vertex]];
}

static void list_split(const PliantShape *shape, const uint32_t *welded, PliSeams *seams)
{
    const uint32_t *groups = shape->groups;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t v = 0; v < shape->header->vertex_count; v++)
            if (groups[v] != (uint32_t)v && is_unlike(groups, welded, v) == (pass == 0))
                seams->split_vertices[seams->split_count++] = (uint32_t)v;
        if (pass == 0)
            seams->unlike_count = seams->split_count;
    }
}

static PliantResult build(const PliantShape *shape, const PliantHost *host, PliArena *arena,
                          PliSeams *seams)
{
    const size_t vertex_count = (size_t)shape->header->vertex_count;
    const size_t corner_count = 3 * (size_t)shape->header->item_count;
    const size_t triangle_corners = 3 * (size_t)shape->header->triangle_count;
    uint32_t *welded = pli_arena_cut(arena, vertex_count, sizeof(uint32_t));
    seams->corners = pli_arena_cut(&seams->arena, corner_count, sizeof(uint32_t));
    seams->triangles = pli_arena_cut(&seams->arena, triangle_corners, sizeof(uint32_t));
    seams->split_vertices = pli_arena_cut(&seams->arena, vertex_count, sizeof(uint32_t));
    PLI_TRY(arena->failure);
    PLI_TRY(seams->arena.failure);
    PLI_TRY(weld(shape, host, arena, welded));
    pli_to_groups(shape->vertex_lists.corners, corner_count, shape->groups, seams->corners);
    pli_to_groups(shape->triangles, triangle_corners, shape->groups, seams->triangles);
    list_split(shape, welded, seams);
    return PLIANT_OK;
}

PliantResult pli_seams_create(const PliantShape *shape, const PliantHost *host, PliSeams **seams)
{
    void *block = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliSeams), &block));
    PliSeams *fresh = block;
    *fresh = (PliSeams){.split_count = 0};
    PliArena arena;
    pli_arena_init(&fresh->arena, host);
    pli_arena_init(&arena, host);
    const PliantResult result = build(shape, host, &arena, fresh);
    pli_arena_free(&arena);
    if (result == PLIANT_OK)
        *seams = fresh;
    else
        pli_seams_free(fresh, host);
    return result;
}

void pli_seams_free(PliSeams *seams, const PliantHost *host)
{
    if (!seams)
        return;
    pli_arena_free(&seams->arena);
    pli_release(host, seams, 1, sizeof *seams);
}
