/* The saved format: a header and sections, in one block of memory without pointers.
 *
 * Saving is handing out the block; mapping is checking one and pointing into it. */
#ifndef PLI_FORMAT_H
#define PLI_FORMAT_H

#include "shape/edges.h"
#include "shape/planes.h"
#include "shape/skin_tables.h"

/* A shape with groups, with segments, or with both has a version of its own, which is the sum:
 * older libraries refuse it, and read all others. */
enum { PLI_SHAPE_VERSION = 6, PLI_WITH_GROUPS = 1, PLI_WITH_SEGMENTS = 2 };
enum { PLI_LAST_VERSION = PLI_SHAPE_VERSION + PLI_WITH_GROUPS + PLI_WITH_SEGMENTS };
enum { PLI_SHAPE_BYTE_ORDER = 0x01020304 };
#define PLI_SHAPE_MAGIC "PLIANTSH"

/* A child of a node is named by a number, eight for each node. */
enum { PLI_MAX_NODES = INT32_MAX / 8 };

enum { PLI_MAX_TARGETS = 1 << 16, PLI_MAX_BETWEEN = 15 };
enum { PLI_MAX_JOINTS = 1 << 16, PLI_MAX_INFLUENCES = 8 };
#define PLI_MAX_WEIGHT 0x1p126 /* that the weights of a vertex sum to less than */

/* Are there tables, and is there a skin? What is of which size? */
#define PLI_TABLES ((uint64_t)pli_has_tables(header->target_count, header->joint_count))
#define PLI_SKIN ((uint64_t)(header->joint_count > 0))
#define PLI_WORDS ((uint64_t)header->word_count)
#define PLI_BOUND_SIZE (PLI_GROUP * (uint64_t)header->group_count)
#define PLI_PART_SIZE ((uint64_t)pli_skin_part_size((PliantBoundKind)header->bound_kind))

/* X(owner, name, type, items). The sections, in the order in which they stand: each has the array
 * `owner name` of a PliantShape. */
#define PLI_SHAPE_SECTIONS(X)                                                                      \
    X(, vertices, float, 3 * (uint64_t)header->vertex_count)                                       \
    X(, triangles, uint32_t, 3 * (uint64_t)header->triangle_count)                                 \
    X(tree., order, int32_t, (uint64_t)header->item_count)                                         \
    X(tree., leaves, PliRange, (uint64_t)header->leaf_count)                                       \
    X(tree., nodes, PliTreeNode, (uint64_t)header->node_count)                                     \
    X(vertex_lists., corners, uint32_t, 3 * (uint64_t)header->item_count)                          \
    X(, vertex_order, int32_t, (uint64_t)header->vertex_count)                                     \
    X(vertex_lists., numbers, uint32_t, (uint64_t)header->number_count)                            \
    X(vertex_lists., refit_cut, int32_t, (uint64_t)header->refit_cut_count)                        \
    X(vertex_lists., refit_cut_lists, PliVertexList, (uint64_t)header->refit_cut_count)            \
    X(vertex_lists., leaf_lists, PliVertexList, (uint64_t)header->leaf_count)                      \
    X(vertex_lists., node_lists, PliVertexList, (uint64_t)header->node_count)                      \
    X(vertex_lists., node_refit_cuts, PliRange, (uint64_t)header->node_count)                      \
    X(, skips, uint64_t, (uint64_t)pli_skip_words(header->triangle_count))                         \
    X(, pieces, PliPiece, header->divide_kind ? (uint64_t)header->item_count : 0)                  \
    X(planes., planes, PliPlane, (uint64_t)header->plane_count)                                    \
    X(planes., leaf_planes, int32_t, header->divide_kind ? (uint64_t)header->leaf_count : 0)       \
    X(planes., node_planes, int32_t, header->divide_kind ? (uint64_t)header->node_count : 0)       \
    X(morph_tables., target_firsts, int32_t, (uint64_t)header->target_count + 1)                   \
    X(morph_tables., target_vertices, uint32_t, (uint64_t)header->move_count)                      \
    X(morph_tables., target_moves, float, 3 * (uint64_t)header->move_count)                        \
    X(skin_tables., skin_firsts, int32_t, PLI_SKIN *((uint64_t)header->vertex_count + 1))          \
    X(skin_tables., skin_joints, uint16_t, (uint64_t)header->influence_count)                      \
    X(skin_tables., skin_weights, float, (uint64_t)header->influence_count)                        \
    X(morph_tables., reaches, float, 4 * ((uint64_t)header->target_count + 1))                     \
    X(morph_tables., leaf_corners, uint8_t, PLI_TABLES * 3 * (uint64_t)header->item_count)         \
    X(morph_tables., tables, PliLeafTable, PLI_TABLES *(uint64_t)header->leaf_count)               \
    X(morph_tables., leaf_masks, uint64_t, (uint64_t)header->leaf_count *PLI_WORDS)                \
    X(morph_tables., node_masks, uint64_t, (uint64_t)header->node_count *PLI_WORDS)                \
    X(morph_tables., node_firsts, int32_t, (uint64_t)header->node_count)                           \
    X(morph_tables., points, float, PLI_GROUP *(uint64_t)header->point_count)                      \
    X(morph_tables., bounds, float, PLI_BOUND_SIZE *(uint64_t)header->bound_count)                 \
    X(skin_tables., skin_sums, float, 4 * PLI_SKIN)                                                \
    X(skin_tables., leaf_joint_lists, PliRange, PLI_SKIN *(uint64_t)header->leaf_count)            \
    X(skin_tables., leaf_joints, uint16_t, (uint64_t)header->leaf_joint_count)                     \
    X(skin_tables., leaf_weight_firsts, int32_t, PLI_SKIN *(uint64_t)header->leaf_count)           \
    X(skin_tables., leaf_weights, float, PLI_GROUP *(uint64_t)header->weight_count)                \
    X(skin_tables., node_joint_lists, PliRange, PLI_SKIN *(uint64_t)header->node_count)            \
    X(skin_tables., node_joints, uint16_t, (uint64_t)header->node_joint_count)                     \
    X(skin_tables., weight_sums, float, 2 * PLI_GROUP * PLI_SKIN * (uint64_t)header->node_count)   \
    X(skin_tables., skin_parts, float, PLI_PART_SIZE *(uint64_t)header->node_joint_count)

enum {
#define PLI_SECTION_NUMBER(owner, name, type, items) PLI_SECTION_##name,
    PLI_SHAPE_SECTIONS(PLI_SECTION_NUMBER)
#undef PLI_SECTION_NUMBER
        PLI_SECTION_COUNT
};

/* X(owner, name). Counts and kinds that a header and a PliantShape have by one name. */
#define PLI_SHAPE_COUNTS(X)                                                                        \
    X(tree., item_count)                                                                           \
    X(tree., leaf_count)                                                                           \
    X(tree., node_count)                                                                           \
    X(tree., level_count)                                                                          \
    X(vertex_lists., number_count)                                                                 \
    X(vertex_lists., refit_cut_count)                                                              \
    X(planes., plane_count)                                                                        \
    X(morph_tables., morph_kind)                                                                   \
    X(morph_tables., bound_kind)                                                                   \
    X(morph_tables., target_count)                                                                 \
    X(morph_tables., between_count)                                                                \
    X(morph_tables., word_count)                                                                   \
    X(morph_tables., group_count)                                                                  \
    X(morph_tables., point_count)                                                                  \
    X(morph_tables., bound_count)                                                                  \
    X(skin_tables., joint_count)                                                                   \
    X(skin_tables., influence_count)                                                               \
    X(skin_tables., leaf_joint_count)                                                              \
    X(skin_tables., node_joint_count)                                                              \
    X(skin_tables., weight_count)

/* 512 bytes, all fields at their natural places, little-endian. */
typedef struct PliShapeHeader {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t byte_size; /* of the whole block, a multiple of 64 */
    uint64_t checksum;  /* of all that follows this field */
    int32_t vertex_count, triangle_count, nonfinite_count;
    int32_t leaf_count, node_count, level_count;
    int32_t leaf_size, child_count;        /* that the tree was built for */
    int32_t number_count, refit_cut_count; /* of the vertex lists */
    int32_t morph_kind, bound_kind;        /* of PliMorphTables, like all up to the sections */
    int32_t target_count, between_count;
    int32_t word_count, group_count;
    int32_t move_count, point_count, bound_count;
    int32_t joint_count, influence_count; /* of PliSkinTables, like all up to the sections */
    int32_t leaf_joint_count, node_joint_count, weight_count;
    int32_t item_count; /* of the tree: triangles, or pieces of them */
    int32_t
        divide_kind;   /* 0: the items are the triangles; else PLIANT_DIVIDE_QUARTERS or CORNERS */
    float divide_size; /* of PliDivision, or 0 */
    int32_t plane_count;
    uint64_t sections[PLI_SECTION_COUNT]; /* where each begins, from the start of the block */
    uint64_t is_closed;                   /* 1: each edge has its opposite */
    uint64_t groups;        /* where the groups of vertices begin, behind all sections; 0: none */
    uint64_t segment_count; /* the last so many triangles are segments, of corners a, b, b */
    uint64_t unused[2];     /* zero */
} PliShapeHeader;

_Static_assert(sizeof(PliShapeHeader) == 512, "the header has no gaps");
_Static_assert(sizeof(PliRange) == 8 && sizeof(PliTreeNode) == 44 && sizeof(PliVertexList) == 12 &&
                   sizeof(PliLeafTable) == 8 && sizeof(PliPiece) == 16 && sizeof(PliPlane) == 24,
               "what is saved has no gaps");

static inline bool pli_shape_has_groups(const PliShapeHeader *header)
{
    return (header->version - PLI_SHAPE_VERSION) & PLI_WITH_GROUPS;
}

static inline bool pli_shape_has_segments(const PliShapeHeader *header)
{
    return (header->version - PLI_SHAPE_VERSION) & PLI_WITH_SEGMENTS;
}

/* Sets the places of the sections and the size of the block from the counts in the header. False if
 * that is beyond what can be addressed. */
bool pli_shape_layout(PliShapeHeader *header);

uint64_t pli_shape_checksum(const PliShapeHeader *header);

/* Checks a block of bytes in every part. `host` gives scratch memory. */
PliantResult pli_shape_check(const void *data, size_t byte_size, const PliantHost *host);

/* The number of triangles with a coordinate that is not finite. */
int32_t pli_count_nonfinite(const PliMeshView *mesh, const PliantHost *host);

#endif
