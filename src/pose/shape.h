/* pose: how bodies move; to begin with, what does not move.
 *
 * This folder knows shapes' data and trees. A shape is one block of memory without pointers: a
 * header and sections, each aligned to 64 bytes. So that making it, saving it and mapping it are
 * one thing: saving is handing out the block, mapping is checking one and pointing into it.
 */
#ifndef PLI_SHAPE_H
#define PLI_SHAPE_H

#include "kernels/kernels.h"
#include "pose/pieces.h"
#include "tree/planes.h"
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
    const uint32_t *corners; /* three vertex numbers for each item, in the order of the tree */
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

/* Makes the sets of a tree, whose items are these triangles. The arrays are allocated:
 * pli_sets_free(). */
PliantResult pli_sets_build(const PliTree *tree, const uint32_t *triangles, int32_t vertex_count,
                            const PliantHost *host, PliVertexSets *sets);
void pli_sets_free(PliVertexSets *sets, const PliTree *tree, const PliantHost *host);

/* Are these the sets of this tree, for sets that come from elsewhere? `marks` is vertex_count of
 * scratch. */
bool pli_sets_are_valid(const PliVertexSets *sets, const PliTree *tree, const uint32_t *triangles,
                        int32_t vertex_count, int32_t *marks);

/* The vertices in the order in which the tree comes to them; those that it never does, last. */
void pli_vertex_order(const PliVertexSets *sets, int32_t item_count, int32_t vertex_count,
                      int32_t *marks, int32_t *order);

/* ---- Slabs: slabs.c ----------------------------------------------------------------------------
 */

/* How many groups bounds of a kind have: low ends and high ends of slabs, or centres and radii. */
static inline int32_t pli_slab_count(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_DOP14 ? 7 : kind == PLIANT_BOUND_DOP18 ? 9 : 3;
}

static inline int32_t pli_group_count(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_SPHERE ? 4 : 2 * pli_slab_count(kind);
}

/* The directions of slabs, all three axes first. */
extern const float pli_slab_directions[2][9][3]; /* of 14 and of 18 */
static inline const float (*pli_slabs_of(PliantBoundKind kind))[3]
{
    return pli_slab_directions[kind == PLIANT_BOUND_DOP18];
}

/* One bound: nothing, all low ends and then all high ones; and one point more in it, unless it is
 * not finite. */
void pli_slabs_clear(int32_t slab_count, float *bound);
void pli_slabs_add(PliantBoundKind kind, const float point[3], float *bound);

/* Takes all from `low` to `high` into one of its slabs. */
void pli_slabs_widen(int32_t slab_count, int32_t slab, float low, float high, float *bound);

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
    bool has_tables, has_base_tables; /* of leaves at all; of their base */

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
    int32_t target_count, between_count, vertex_count, joint_count;
    const PliTree *tree;
    const PliVertexSets *sets;
    const PliPiece *pieces; /* in the order of the tree, if triangles are divided; or NULL */
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

/* Do leaves have tables, and of the base too? They do if something moves them; references alone
 * make a sum without a base. */
static inline bool pli_has_tables(int32_t target_count, int32_t joint_count)
{
    return target_count > 0 || joint_count > 0;
}

static inline bool pli_has_base_tables(PliantMorphKind kind, int32_t joint_count)
{
    return kind == PLIANT_MORPH_DISPLACEMENTS || joint_count > 0;
}

/* A ball's radius from a square of it: rounded up. */
float pli_radius(double square);

/* ---- What follows joints: skins.c --------------------------------------------------------------
 *
 * A vertex has joints and weights, and so has each part of the tree: those joints that one of its
 * vertices follows, and for each child of a node how much of each there is at least and at most,
 * and a bound around just those of its vertices that follow the joint at all. From that alone, and
 * the joints' matrices, comes a bound for what the vertices become: skin.c. */

typedef struct PliSkins {
    PliantBoundKind bound_kind;
    int32_t joint_count, influence_count;                     /* of all vertices together */
    int32_t leaf_joint_count, node_joint_count, weight_count; /* of all lists; groups of weights */

    const int32_t *skin_firsts;  /* where each vertex begins in these two, and the end */
    const uint16_t *skin_joints; /* rising */
    const float *skin_weights;   /* none is zero */

    const float
        *skin_sums; /* of a vertex's weights: the greatest of all, and how far one is from 1 */
    const PliRange *leaf_joint_lists; /* of each leaf: its joints, one at least */
    const uint16_t *leaf_joints;
    const int32_t *leaf_weight_firsts; /* of each leaf: its first group of weights */
    const float *leaf_weights;         /* for each joint of a leaf, of the vertices in its table */
    const PliRange *node_joint_lists;  /* of each node: its joints */
    const uint16_t *node_joints;
    const float *weight_sums; /* two groups for each node: least and greatest sum in each child */
    const float *skin_parts;  /* see PliSkinnedNode: pli_part_size() for each joint of a node */
} PliSkins;

/* Floats: least and greatest weights, and bounds. */
static inline size_t pli_part_size(PliantBoundKind kind)
{
    return PLI_GROUP * (2 + (size_t)pli_group_count(kind));
}

/* What skins are made from. Borrowed. */
typedef struct PliSkinsDef {
    PliantBoundKind bound_kind;
    int32_t joint_count, vertex_count;
    const PliTree *tree;
    const PliVertexSets *sets;
    const PliBlends *blends; /* for the tables of the leaves */
    const float *vertices;
    const int32_t *skin_firsts;
    const uint16_t *skin_joints;
    const float *skin_weights;
    bool expects; /* just so many, or it is PLIANT_BAD_DATA: */
    int32_t expected_leaf_joints, expected_node_joints, expected_weights;
} PliSkinsDef;

/* Makes all that follows from a skin, which stays where it is; nothing, if there are no joints. */
PliantResult pli_skins_build(const PliSkinsDef *def, const PliantHost *host, PliSkins *skins);
void pli_skins_free(PliSkins *skins, const PliTree *tree, const PliantHost *host);

/* ---- Items: items.c ----------------------------------------------------------------------------
 *
 * What a tree is made over. If triangles are divided, there are pieces by item, the same in the
 * order of the tree once there is one, and three vertex numbers for each item; else all three are
 * NULL, and the items are the triangles. */
typedef struct PliItems {
    int32_t count;
    PliPiece *items, *pieces;
    uint32_t *corners;
} PliItems;

PliantResult pli_items_make(const PliDivision *division, const PliMeshView *mesh,
                            const PliantHost *host, PliItems *items);
void pli_items_order(PliItems *items, const PliTree *tree);
void pli_items_free(PliItems *items, const PliantHost *host);

static inline const uint32_t *pli_item_corners(const PliItems *items, const PliMeshView *mesh)
{
    return items->corners ? items->corners : mesh->triangles;
}

/* Its box, with these vertices. */
PliBox pli_item_box(const PliItems *items, const PliMeshView *mesh, const float *vertices,
                    int32_t item);

/* ---- Planes of divided triangles: planes.c ----------------------------------------------------
 */

typedef struct PliPlanes {
    int32_t count;
    const PliPlane *planes;
    const int32_t *leaf_planes; /* of each leaf: the plane of all that it has, or -1 */
    const int32_t *node_planes; /* of each node, likewise */
} PliPlanes;

/* Makes them, for a tree of these pieces. The arrays are allocated: pli_planes_free(). */
PliantResult pli_planes_build(const PliDivision *division, const PliMeshView *mesh,
                              const PliTree *tree, const PliPiece *pieces, const PliantHost *host,
                              PliPlanes *planes);
/* Before there is a tree: which plane each triangle lies in, or -1. Returns how many there are. */
int32_t pli_planes_number(const PliDivision *division, const PliMeshView *mesh, int32_t *numbers);
void pli_planes_free(PliPlanes *planes, const PliTree *tree, const PliantHost *host);

/* ---- What follows from edges: edges.c ----------------------------------
 */

static inline size_t pli_skip_words(int32_t triangle_count)
{
    return ((size_t)triangle_count + 63) / 64;
}

/* A bit for each triangle that an approximate query passes over; and is the mesh known to be
 * closed? One that has very many edges at a vertex, or numbers that are not finite, is not. */
PliantResult pli_edges_look(const PliDivision *division, const PliMeshView *mesh,
                            int32_t vertex_count, const PliantHost *host, uint64_t *skips,
                            bool *is_closed);

/* ---- The block ----------------------------------------------------------------------------- */

enum { PLI_SHAPE_VERSION = 5, PLI_SHAPE_BYTE_ORDER = 0x01020304 };
#define PLI_SHAPE_MAGIC "PLIANTSH"

/* A child of a node is named by a number, eight for each node. */
enum { PLI_MOST_NODES = INT32_MAX / 8 };

enum { PLI_MOST_TARGETS = 1 << 16, PLI_MOST_BETWEEN = 15 };
enum { PLI_MOST_JOINTS = 1 << 16, PLI_MOST_INFLUENCES = 8 };
#define PLI_MOST_WEIGHT 0x1p126 /* that the weights of a vertex sum to less than */

/* Are there tables, and is there a skin? */
#define PLI_TABLES ((uint64_t)pli_has_tables(header->target_count, header->joint_count))
#define PLI_SKIN ((uint64_t)(header->joint_count > 0))

/* X(name, type, items). What follows from the targets. */
#define PLI_BLENDS_SECTIONS(X)                                                                     \
    X(reaches, float, 4 * ((uint64_t)header->target_count + 1))                                    \
    X(leaf_corners, uint8_t, PLI_TABLES * 3 * (uint64_t)header->item_count)                        \
    X(tables, PliLeafTable, PLI_TABLES *(uint64_t)header->leaf_count)                              \
    X(leaf_masks, uint64_t, (uint64_t)header->leaf_count *(uint64_t)header->word_count)            \
    X(node_masks, uint64_t, (uint64_t)header->node_count *(uint64_t)header->word_count)            \
    X(node_firsts, int32_t, (uint64_t)header->node_count)                                          \
    X(points, float, PLI_GROUP *(uint64_t)header->point_count)                                     \
    X(bounds, float, (uint64_t)PLI_GROUP * header->group_count * (uint64_t)header->bound_count)

/* X(name, type, items). What follows from the skin. */
#define PLI_SKINS_SECTIONS(X)                                                                      \
    X(skin_sums, float, 4 * PLI_SKIN)                                                              \
    X(leaf_joint_lists, PliRange, PLI_SKIN *(uint64_t)header->leaf_count)                          \
    X(leaf_joints, uint16_t, (uint64_t)header->leaf_joint_count)                                   \
    X(leaf_weight_firsts, int32_t, PLI_SKIN *(uint64_t)header->leaf_count)                         \
    X(leaf_weights, float, PLI_GROUP *(uint64_t)header->weight_count)                              \
    X(node_joint_lists, PliRange, PLI_SKIN *(uint64_t)header->node_count)                          \
    X(node_joints, uint16_t, (uint64_t)header->node_joint_count)                                   \
    X(weight_sums, float, 2 * PLI_GROUP * PLI_SKIN * (uint64_t)header->node_count)                 \
    X(skin_parts, float,                                                                           \
      pli_part_size((PliantBoundKind)header->bound_kind) * (uint64_t)header->node_joint_count)

/* X(name, type, items). The sections, in the order in which they stand. */
#define PLI_SHAPE_SECTIONS(X)                                                                      \
    X(vertices, float, 3 * (uint64_t)header->vertex_count)                                         \
    X(triangles, uint32_t, 3 * (uint64_t)header->triangle_count)                                   \
    X(order, int32_t, (uint64_t)header->item_count)                                                \
    X(leaves, PliRange, (uint64_t)header->leaf_count)                                              \
    X(nodes, PliTreeNode, (uint64_t)header->node_count)                                            \
    X(corners, uint32_t, 3 * (uint64_t)header->item_count)                                         \
    X(vertex_order, int32_t, (uint64_t)header->vertex_count)                                       \
    X(numbers, uint32_t, (uint64_t)header->number_count)                                           \
    X(cut, int32_t, (uint64_t)header->cut_count)                                                   \
    X(cut_lists, PliVertexList, (uint64_t)header->cut_count)                                       \
    X(leaf_lists, PliVertexList, (uint64_t)header->leaf_count)                                     \
    X(node_lists, PliVertexList, (uint64_t)header->node_count)                                     \
    X(skips, uint64_t, (uint64_t)pli_skip_words(header->triangle_count))                           \
    X(pieces, PliPiece, header->divide_kind ? (uint64_t)header->item_count : 0)                    \
    X(planes, PliPlane, (uint64_t)header->plane_count)                                             \
    X(leaf_planes, int32_t, header->divide_kind ? (uint64_t)header->leaf_count : 0)                \
    X(node_planes, int32_t, header->divide_kind ? (uint64_t)header->node_count : 0)                \
    X(target_firsts, int32_t, (uint64_t)header->target_count + 1)                                  \
    X(target_vertices, uint32_t, (uint64_t)header->move_count)                                     \
    X(target_moves, float, 3 * (uint64_t)header->move_count)                                       \
    X(skin_firsts, int32_t, PLI_SKIN *((uint64_t)header->vertex_count + 1))                        \
    X(skin_joints, uint16_t, (uint64_t)header->influence_count)                                    \
    X(skin_weights, float, (uint64_t)header->influence_count)                                      \
    PLI_BLENDS_SECTIONS(X)                                                                         \
    PLI_SKINS_SECTIONS(X)

enum {
#define PLI_SECTION_NUMBER(name, type, items) PLI_SECTION_##name,
    PLI_SHAPE_SECTIONS(PLI_SECTION_NUMBER)
#undef PLI_SECTION_NUMBER
        PLI_SECTION_COUNT
};

/* 512 bytes, all fields at their natural places, little-endian. */
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
    int32_t joint_count, influence_count; /* of PliSkins, like all up to the sections */
    int32_t leaf_joint_count, node_joint_count, weight_count;
    int32_t item_count; /* of the tree: triangles, or pieces of them */
    int32_t
        divide_kind;   /* 0: the items are the triangles; else PLIANT_DIVIDE_QUARTERS or CORNERS */
    float divide_size; /* of PliDivision, or 0 */
    int32_t plane_count;
    uint64_t sections[PLI_SECTION_COUNT]; /* where each begins, from the start of the block */
    uint64_t is_closed;                   /* 1: each edge has its opposite */
    uint64_t unused[5];                   /* zero */
} PliShapeHeader;

_Static_assert(sizeof(PliShapeHeader) == 512, "the header has no gaps");
_Static_assert(sizeof(PliRange) == 8 && sizeof(PliTreeNode) == 44 && sizeof(PliVertexList) == 12 &&
                   sizeof(PliLeafTable) == 8 && sizeof(PliPiece) == 16 && sizeof(PliPlane) == 24,
               "what is saved has no gaps");

/* ---- The shape ------------------------------------------------------------------------------- */

struct PliantShape {
    atomic_int reference_count;
    _Atomic uint64_t user_data; /* of the caller, not saved */
    PliantHost host;
    const PliShapeHeader *header;
    const float *vertices;
    const uint32_t *triangles;
    PliTree tree;       /* points into the block, like all that follows */
    PliVertexSets sets; /* which vertices each part of the tree has */
    const int32_t *vertex_order;
    const PliPiece *pieces; /* in the order of the tree; NULL if the items are the triangles */
    PliPlanes planes;       /* of divided triangles */
    const uint64_t *skips;  /* a bit for each triangle that an approximate query passes over */
    PliBlends blends;
    PliSkins skins;
    void *owned_block; /* the block, if it is ours */
};

/* The triangle at a position of the tree's order. */
static inline PliDivision pli_shape_division(const PliShapeHeader *header)
{
    bool is_divided = header->divide_kind != 0;
    return (PliDivision){is_divided ? (PliantDivideKind)header->divide_kind : PLIANT_DIVIDE_NONE,
                         header->divide_size};
}

/* Builds from a def that has been checked. def->skin is not NULL: without joints if there is none.
 */
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
