/* pose: how bodies move; to begin with, what does not move.
 *
 * This folder knows shapes' data and trees. A shape is one block of memory without pointers: a
 * header and sections, each aligned to 64 bytes. So that making it, saving it and mapping it are
 * one thing: saving is handing out the block, mapping is checking one and pointing into it.
 */
#ifndef PLI_SHAPE_H
#define PLI_SHAPE_H

#include "kernels/kernels.h"
#include "tree/tree.h"
#include <pliant/shape.h>

#include <stdatomic.h>

/* ---- Vertex sets: sets.c -----------------------------------------------------------------------
 *
 * Which vertices a part of the tree has, so that its box can be taken from them and from no other.
 * Each leaf has a list, and each node up to the cut, which goes across the whole tree: the largest
 * parts with at most PLI_CUT_SIZE triangles. A part above it is made of whole parts of the cut. */

enum { PLI_CUT_SIZE = 1024 };
_Static_assert((int)PLI_CUT_SIZE >= (int)PLI_LEAF_SIZE, "a leaf is never above the cut");

typedef struct PliVertexSets {
    int32_t number_count, cut_count;
    const uint32_t *corners; /* three vertex numbers for each triangle, in the order of the tree */
    const uint32_t *numbers; /* that the lists are parts of */
    const int32_t *cut;      /* its parts from the first position to the last, as in a node */
    const PliVertexList *cut_lists;  /* of each of its parts */
    const PliVertexList *leaf_lists; /* of each leaf */
    const PliVertexList *node_lists; /* of each node; above the cut {first of cut, -1, count} */
} PliVertexSets;

/* Is a node above the cut? */
static inline bool pli_is_above_cut(const PliVertexSets *sets, int32_t node)
{
    return sets->node_lists[node].block_count < 0;
}

/* Is this vertex, which has the greatest number of all, in the list? */
static inline bool pli_has_last(const PliVertexSets *sets, PliVertexList list, uint32_t last)
{
    const uint32_t *blocks = sets->numbers + list.first, *singles = blocks + list.block_count;
    return (list.single_count > 0 && singles[list.single_count - 1] == last) ||
           (list.block_count > 0 && blocks[list.block_count - 1] + (PLI_BLOCK - 1) == last);
}

/* Makes the sets of a tree. The arrays are allocated: pli_sets_free(). */
PliantResult pli_sets_build(const PliTree *tree, const uint32_t *triangles, int32_t vertex_count,
                            const PliantHost *host, PliVertexSets *sets);
void pli_sets_free(PliVertexSets *sets, const PliTree *tree, const PliantHost *host);

/* Are these the sets of this tree, for sets that come from elsewhere? `marks` is vertex_count of
 * scratch. */
bool pli_sets_are_valid(const PliVertexSets *sets, const PliTree *tree, const uint32_t *triangles,
                        int32_t vertex_count, int32_t *marks);

/* The vertices in the order in which the tree comes to them; those that it never does, last. */
void pli_vertex_order(const PliVertexSets *sets, int32_t triangle_count, int32_t vertex_count,
                      int32_t *marks, int32_t *order);

/* ---- What is blended: blends.c -----------------------------------------------------------------
 *
 * A body that moves by weights is a sum: base + weight * target + ..., for its vertices and for its
 * bounds alike. The base is the mesh at rest, and all there is of a shape without targets; of
 * references it is nothing, once there are weights. A term is a target, or bounds between two
 * references, which vertices have no part in.
 *
 * Each leaf has a table of its vertices: the base, and each target that moves one of them. Each
 * node has bounds of its eight children, side by side: for the base, and for each term that moves
 * something below. A mask of bits says which terms these are; where one is, follows from how many
 * there are before it. So what no target touches is not stored, and not looked at. */

/* The vertices of a leaf, each once. Their tables follow each other from `first` on, counted in
 * groups: all x, all y, all z, rounded up to whole groups. */
typedef struct PliLeafTable {
    int32_t first, count;
} PliLeafTable;

typedef struct PliBlends {
    PliantMorphKind morph_kind;
    PliantBoundKind bound_kind;
    int32_t target_count, between_count;
    int32_t term_count, word_count;   /* of targets and bounds between them, and of a mask */
    int32_t group_count;              /* of one node's bounds */
    int32_t point_count, bound_count; /* all groups of tables; all bounds */

    const int32_t *target_firsts;    /* where each begins in what follows, and the end */
    const uint32_t *target_vertices; /* that it moves, rising */
    const float *target_moves;       /* how far, or where to */

    const float *reaches;        /* of the base and of each target: the greatest |x|, |y|, |z|; 0 */
    const uint8_t *leaf_corners; /* of each leaf, in its table: all first corners, ... */
    const PliLeafTable *tables;  /* of each leaf */
    const uint64_t *leaf_masks;  /* word_count for each leaf */
    const uint64_t *node_masks;  /* word_count for each node */
    const int32_t *node_firsts;  /* of each node: its first bounds, which are the base's */
    const float *points;         /* groups of the tables */
    const float *bounds;         /* group_count groups each */
} PliBlends;

/* How many groups bounds of a kind have: low ends and high ends of slabs, or centres and radii. */
static inline int32_t pli_slab_count(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_DOP14 ? 7 : kind == PLIANT_BOUND_DOP18 ? 9 : 3;
}

static inline int32_t pli_group_count(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_SPHERE ? 4 : 2 * pli_slab_count(kind);
}

/* Targets, and what is between each two that are neighbours. */
static inline int32_t pli_term_count(int32_t target_count, int32_t between_count)
{
    return target_count + (target_count > 1 ? target_count - 1 : 0) * between_count;
}

/* A mask has one word at least. */
static inline int32_t pli_word_count(int32_t term_count)
{
    return term_count > 64 ? (term_count + 63) / 64 : 1;
}

/* The directions of slabs, all three axes first. */
extern const float pli_slab_directions[2][9][3]; /* of 14 and of 18 */
static inline const float (*pli_slabs_of(PliantBoundKind kind))[3]
{
    return pli_slab_directions[kind == PLIANT_BOUND_DOP18];
}

/* Those of the terms that a part has: is it among them, and as which? */
static inline bool pli_has_term(const uint64_t *mask, int32_t term)
{
    return mask[term / 64] >> term % 64 & 1;
}

static inline int32_t pli_rank(const uint64_t *mask, int32_t term)
{
    int32_t rank = __builtin_popcountll(mask[term / 64] & (((uint64_t)1 << term % 64) - 1));
    for (int32_t w = 0; w < term / 64; w++)
        rank += __builtin_popcountll(mask[w]);
    return rank;
}

/* A table's size, in groups. */
static inline int32_t pli_table_groups(PliLeafTable table)
{
    return 3 * ((table.count + PLI_GROUP - 1) / PLI_GROUP);
}

/* What blends are made from. Borrowed. */
typedef struct PliBlendsDef {
    PliantMorphKind morph_kind;
    PliantBoundKind bound_kind;
    int32_t target_count, between_count, vertex_count;
    const PliTree *tree;
    const PliVertexSets *sets;
    const float *vertices;
    const int32_t *target_firsts;
    const uint32_t *target_vertices;
    const float *target_moves;
    bool expects; /* just so many, or it is PLIANT_BAD_DATA: */
    int32_t expected_points, expected_bounds;
} PliBlendsDef;

/* Makes all that follows from the targets, which stay where they are. The arrays are allocated:
 * pli_blends_free(). */
PliantResult pli_blends_build(const PliBlendsDef *def, const PliantHost *host, PliBlends *blends);
void pli_blends_free(PliBlends *blends, const PliTree *tree, const PliantHost *host);

/* ---- The block ----------------------------------------------------------------------------- */

enum { PLI_SHAPE_VERSION = 3, PLI_SHAPE_BYTE_ORDER = 0x01020304 };
#define PLI_SHAPE_MAGIC "PLIANTSH"

/* A child of a node is named by a number, eight for each node. */
enum { PLI_MOST_NODES = INT32_MAX / 8 };

enum { PLI_MOST_TARGETS = 1 << 16, PLI_MOST_BETWEEN = 15 };

/* X(name, type, items). What follows from the targets. */
#define PLI_BLENDS_SECTIONS(X)                                                                     \
    X(reaches, float, 4 * ((uint64_t)header->target_count + 1))                                    \
    X(leaf_corners, uint8_t, header->target_count ? 3 * (uint64_t)header->triangle_count : 0)      \
    X(tables, PliLeafTable, header->target_count ? (uint64_t)header->leaf_count : 0)               \
    X(leaf_masks, uint64_t, (uint64_t)header->leaf_count *(uint64_t)header->word_count)            \
    X(node_masks, uint64_t, (uint64_t)header->node_count *(uint64_t)header->word_count)            \
    X(node_firsts, int32_t, (uint64_t)header->node_count)                                          \
    X(points, float, PLI_GROUP *(uint64_t)header->point_count)                                     \
    X(bounds, float, (uint64_t)PLI_GROUP * header->group_count * (uint64_t)header->bound_count)

/* X(name, type, items). The sections, in the order in which they stand. */
#define PLI_SHAPE_SECTIONS(X)                                                                      \
    X(vertices, float, 3 * (uint64_t)header->vertex_count)                                         \
    X(triangles, uint32_t, 3 * (uint64_t)header->triangle_count)                                   \
    X(order, int32_t, (uint64_t)header->triangle_count)                                            \
    X(leaves, PliRange, (uint64_t)header->leaf_count)                                              \
    X(nodes, PliTreeNode, (uint64_t)header->node_count)                                            \
    X(corners, uint32_t, 3 * (uint64_t)header->triangle_count)                                     \
    X(vertex_order, int32_t, (uint64_t)header->vertex_count)                                       \
    X(numbers, uint32_t, (uint64_t)header->number_count)                                           \
    X(cut, int32_t, (uint64_t)header->cut_count)                                                   \
    X(cut_lists, PliVertexList, (uint64_t)header->cut_count)                                       \
    X(leaf_lists, PliVertexList, (uint64_t)header->leaf_count)                                     \
    X(node_lists, PliVertexList, (uint64_t)header->node_count)                                     \
    X(target_firsts, int32_t, (uint64_t)header->target_count + 1)                                  \
    X(target_vertices, uint32_t, (uint64_t)header->move_count)                                     \
    X(target_moves, float, 3 * (uint64_t)header->move_count)                                       \
    PLI_BLENDS_SECTIONS(X)

enum {
#define PLI_SECTION_NUMBER(name, type, items) PLI_SECTION_##name,
    PLI_SHAPE_SECTIONS(PLI_SECTION_NUMBER)
#undef PLI_SECTION_NUMBER
        PLI_SECTION_COUNT
};

/* 320 bytes, all fields at their natural places, little-endian. */
typedef struct PliShapeHeader {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t byte_size; /* of the whole block, a multiple of 64 */
    uint64_t checksum;  /* of all that follows this field */
    int32_t vertex_count, triangle_count, nonfinite_count;
    int32_t leaf_count, node_count, level_count;
    int32_t leaf_size, child_count;  /* that the tree was built for */
    int32_t number_count, cut_count; /* of the vertex lists */
    int32_t morph_kind, bound_kind;  /* of PliBlends, like all up to the sections */
    int32_t target_count, between_count;
    int32_t word_count, group_count;
    int32_t move_count, point_count, bound_count;
    int32_t gap;                          /* zero */
    uint64_t sections[PLI_SECTION_COUNT]; /* where each begins, from the start of the block */
    uint64_t unused[3];                   /* zero */
} PliShapeHeader;

_Static_assert(sizeof(PliShapeHeader) == 320, "the header has no gaps");
_Static_assert(sizeof(PliRange) == 8 && sizeof(PliTreeNode) == 44 && sizeof(PliVertexList) == 12 &&
                   sizeof(PliLeafTable) == 8,
               "what is saved has no gaps");

/* ---- The shape ------------------------------------------------------------------------------- */

struct PliantShape {
    atomic_int reference_count;
    PliantHost host;
    const PliShapeHeader *header;
    const float *vertices;
    const uint32_t *triangles;
    PliTree tree;       /* points into the block, like all that follows */
    PliVertexSets sets; /* which vertices each part of the tree has */
    const int32_t *vertex_order;
    PliBlends blends;
    void *owned_block; /* the block, if it is ours */
};

/* Builds from a def that has been checked. */
PliantResult pli_shape_build(const PliantShapeDef *def, const PliantHost *host,
                             PliantShape **shape);

/* Points a new shape, which owns nothing yet, at a block that is right. */
PliantResult pli_shape_wrap(const PliShapeHeader *header, const PliantHost *host,
                            PliantShape **shape);

void pli_shape_free(PliantShape *shape);

/* ---- What is right: shape_check.c ---------------------------------------------------------------
 */

/* Sets the places of the sections and the size of the block from the counts in the header. False if
 * that is beyond what can be addressed. */
bool pli_shape_layout(PliShapeHeader *header);

uint64_t pli_shape_checksum(const PliShapeHeader *header);

/* Checks a block of bytes in every part. `host` gives scratch memory. */
PliantResult pli_shape_check(const void *data, size_t byte_size, const PliantHost *host);

/* The number of triangles with a coordinate that is not finite. */
int32_t pli_count_nonfinite(const float *vertices, const uint32_t *triangles,
                            int32_t triangle_count);

#endif
