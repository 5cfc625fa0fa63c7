/* Shapes as they are in memory: see shape.h. */
#include "shape/shape.h"
#include "shape/topology.h"

#include <string.h>

static void wrap_morph_tables(const PliShapeHeader *header, const char *block,
                              PliMorphTables *morph_tables)
{
    const uint64_t *at = header->sections;
    *morph_tables = (PliMorphTables){
        .morph_kind = (PliantMorphKind)header->morph_kind,
        .bound_kind = (PliantBoundKind)header->bound_kind,
        .target_count = header->target_count,
        .between_count = header->between_count,
        .term_count = pli_term_count(header->target_count, header->between_count),
        .word_count = header->word_count,
        .group_count = header->group_count,
        .point_count = header->point_count,
        .bound_count = header->bound_count,
        .has_tables = pli_has_tables(header->target_count, header->joint_count),
        .has_base_tables =
            pli_has_base_tables((PliantMorphKind)header->morph_kind, header->joint_count),
        .target_firsts = (const int32_t *)(block + at[PLI_SECTION_target_firsts]),
        .target_vertices = (const uint32_t *)(block + at[PLI_SECTION_target_vertices]),
        .target_moves = (const float *)(block + at[PLI_SECTION_target_moves])};
#define WRAP_SECTION(name, type, items)                                                            \
    morph_tables->name = (const type *)(block + at[PLI_SECTION_##name]);
    PLI_MORPH_SECTIONS(WRAP_SECTION)
#undef WRAP_SECTION
}

static void wrap_skin_tables(const PliShapeHeader *header, const char *block,
                             PliSkinTables *skin_tables)
{
    const uint64_t *at = header->sections;
    *skin_tables =
        (PliSkinTables){.bound_kind = (PliantBoundKind)header->bound_kind,
                        .joint_count = header->joint_count,
                        .influence_count = header->influence_count,
                        .leaf_joint_count = header->leaf_joint_count,
                        .node_joint_count = header->node_joint_count,
                        .weight_count = header->weight_count,
                        .skin_firsts = (const int32_t *)(block + at[PLI_SECTION_skin_firsts]),
                        .skin_joints = (const uint16_t *)(block + at[PLI_SECTION_skin_joints]),
                        .skin_weights = (const float *)(block + at[PLI_SECTION_skin_weights])};
#define WRAP_SECTION(name, type, items)                                                            \
    skin_tables->name = (const type *)(block + at[PLI_SECTION_##name]);
    PLI_SKIN_SECTIONS(WRAP_SECTION)
#undef WRAP_SECTION
}

PliantResult pli_shape_wrap(const PliShapeHeader *header, const PliantHost *host,
                            PliantShape **shape)
{
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliantShape), &memory));
    PliantShape *fresh = memory;
    *fresh = (PliantShape){.host = *host, .header = header};
    atomic_init(&fresh->reference_count, 1);
    atomic_init(&fresh->triangle_leaves, NULL);
    atomic_init(&fresh->seams, NULL);
    atomic_init(&fresh->fans, NULL);
    atomic_init(&fresh->features, NULL);

    /* The tree is read only from here on, whatever its type says. */
    char *block;
    memcpy(&block, &header, sizeof block);
    fresh->vertices = (const float *)(block + header->sections[PLI_SECTION_vertices]);
    fresh->triangles = (const uint32_t *)(block + header->sections[PLI_SECTION_triangles]);
    if (pli_shape_has_groups(header))
        fresh->groups = (const uint32_t *)(block + header->groups);
    fresh->tree = (PliTree){.item_count = header->item_count,
                            .leaf_count = header->leaf_count,
                            .node_count = header->node_count,
                            .level_count = header->level_count,
                            .order = (int32_t *)(block + header->sections[PLI_SECTION_order]),
                            .leaves = (PliRange *)(block + header->sections[PLI_SECTION_leaves]),
                            .nodes = (PliTreeNode *)(block + header->sections[PLI_SECTION_nodes])};
    const uint64_t *at = header->sections;
    fresh->vertex_lists = (PliVertexLists){
        .number_count = header->number_count,
        .refit_cut_count = header->refit_cut_count,
        .corners = (uint32_t *)(block + at[PLI_SECTION_corners]),
        .numbers = (uint32_t *)(block + at[PLI_SECTION_numbers]),
        .refit_cut = (int32_t *)(block + at[PLI_SECTION_refit_cut]),
        .refit_cut_lists = (PliVertexList *)(block + at[PLI_SECTION_refit_cut_lists]),
        .leaf_lists = (PliVertexList *)(block + at[PLI_SECTION_leaf_lists]),
        .node_lists = (PliVertexList *)(block + at[PLI_SECTION_node_lists]),
        .node_refit_cuts = (PliRange *)(block + at[PLI_SECTION_node_refit_cuts])};
    fresh->vertex_order = (int32_t *)(block + at[PLI_SECTION_vertex_order]);
    if (header->divide_kind != 0) {
        fresh->pieces = (const PliPiece *)(block + at[PLI_SECTION_pieces]);
        fresh->planes =
            (PliPlanes){.count = header->plane_count,
                        .planes = (const PliPlane *)(block + at[PLI_SECTION_planes]),
                        .leaf_planes = (const int32_t *)(block + at[PLI_SECTION_leaf_planes]),
                        .node_planes = (const int32_t *)(block + at[PLI_SECTION_node_planes])};
    }
    fresh->skips = (const uint64_t *)(block + at[PLI_SECTION_skips]);
    wrap_morph_tables(header, block, &fresh->morph_tables);
    wrap_skin_tables(header, block, &fresh->skin_tables);
    *shape = fresh;
    return PLIANT_OK;
}

void pli_shape_free(PliantShape *shape)
{
    pli_topology_free(shape);
    PliantHost host = shape->host;
    if (shape->owned_block)
        pli_release(&host, shape->owned_block, (size_t)shape->header->byte_size, 1);
    pli_release(&host, shape, 1, sizeof *shape);
}
