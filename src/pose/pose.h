/* pose: how bodies move.
 *
 * A pose answers two questions, when they are asked and not before: which boxes do the children of
 * this node have now, and where are the triangles of this leaf now? Nothing above this folder knows
 * how. There are two ways to move: a body whose vertices are given, whose boxes are taken from
 * them; and a body that is blended from its shape by weights, or rests without any, whose boxes are
 * blended from its shape's in the same way, and which may then follow joints. Either is then moved
 * by a map.
 *
 * The vertices of the answer are those that pli_pose_vertices() writes. Every bound that is handed
 * out holds them (or the pieces that triangles are divided into): minimum and maximum do not round,
 * and a box is blended and moved by the expression that makes a vertex, with each product taken
 * from the end of the box that makes it least or greatest. Rounding is monotone, so that this
 * bounds the vertex without any margin. Other bounds than boxes have a margin, which is derived in
 * blend.c, and all that follow joints, in skin.c.
 */
#ifndef PLI_POSE_H
#define PLI_POSE_H

#include "pose/shape.h"
#include "tree/walk.h"
#include <pliant/world.h>

/* ---- Boxes: boxes.c ------------------------------------------------------------------------- */

/* Up to eight boxes side by side, and NaN for the others. */
void pli_boxes_set(PliBoxes *boxes, const PliBox *children, int32_t count);

/* The box of all eight. */
PliBox pli_boxes_all(const PliBoxes *boxes);

/* The box of the vertices that the map makes of those in a box. */
PliBox pli_box_moved(const PliMap *map, const PliBox *box, const PliKernels *kernels);

/* All bounds, from the leaves up, and the box of all. `scratch` is room for leaf_count + node_count
 * boxes. */
PliBox pli_bounds_from_leaves(const PliTree *tree, const PliVertexSets *sets,
                              const PliVertexView *vertices, const PliKernels *kernels,
                              PliBox *scratch, PliBoxes *boxes);

/* The same where the boxes of all leaves are at the beginning of the scratch. */
PliBox pli_bounds_above_leaves(const PliTree *tree, PliBox *scratch, PliBoxes *boxes);

/* ---- Bodies that are blended: blend.c ----------------------------------------------------------
 */

typedef struct PliBlending {
    bool has_weights;       /* or it is at rest */
    float *weights;         /* of the targets, as they were set */
    float *bound_weights;   /* of the terms: what bounds are blended by */
    uint64_t *active;       /* targets that have a part in vertices */
    uint64_t *bound_active; /* terms that have a part in bounds */
    uint64_t *changed;      /* terms whose weights are not those of the last frame */
    const float **terms;    /* for the time of one sum */
    float *term_weights;    /* likewise */
    bool is_kept;           /* bounds of the last frame hold where no changed term is */
    bool is_map_new;        /* the map has been set since the last frame */
    double last_margins[2]; /* of the last frame */
    int last_state;         /* how the last frame's were made; 0 if they were not made here */
    bool is_bounded;        /* the margin is a number that one can work with */
    bool has_exact_boxes;   /* boxes of k-DOPs that need no margin are worth it */
    float margin;           /* of slabs along diagonals and of balls, in the world */
    float box_margin;       /* of boxes at rest: none if they are the vertex's own expression */
    float stretch;          /* how much longer the map makes a vector, at most */
    PliSlabSum sums[9];     /* of the slabs of the world */
    void *memory;
    size_t memory_size;
} PliBlending;

typedef struct PliPose PliPose;

PliantResult pli_blending_init(PliPose *pose, const PliantHost *host);
void pli_blending_free(PliPose *pose, const PliantHost *host);

/* New weights, which hold at once for vertices, and for bounds from the next frame on. */
void pli_blending_set(PliPose *pose, const float *weights);

/* A new frame of a body that is not given: what weights and the map mean for its bounds. */
void pli_blending_update(PliPose *pose);

/* PliBounds.open, of such a body. */
bool pli_blending_open(PliBounds *bounds, int32_t node, const PliKernels *kernels);

/* The triangles of a leaf of a body that has weights. */
void pli_blending_fetch(const PliPose *pose, int32_t leaf, const PliKernels *kernels, float *rows,
                        PliLeafBoxes *boxes);

/* Asks for what that will read, ahead of time. */
void pli_blending_ask(const PliPose *pose, int32_t later, int32_t next);

/* All vertices, before they are moved. */
void pli_blending_vertices(const PliPose *pose, float *vertices);

/* For whoever derives margins from this one's. UNIT is half of the distance from 1 to the next
 * float, TINY the least float; beyond MOST no margin can be relied on. */
#define PLI_UNIT 0x1p-24
#define PLI_TINY 0x1p-149
#define PLI_MOST 1e36
float pli_rounded_up(double x);
double pli_power_above(double x); /* the least power of two that is greater */
double pli_margin_at_rest(double reach, int32_t term_count);
double pli_stretch_of(double rows[3][3]);

/* A direction of the body, as a sum of slabs of a kind: slabs.c. */
void pli_split_direction(PliantBoundKind kind, const double direction[3], PliSlabSum *sum);

/* ---- Planes of divided triangles: planes.c ----------------------------------------------------
 */

/* The plane that the map makes of one, for all vertices that reach no farther along the axes. */
PliPlane pli_plane_moved(const PliPlane *plane, const PliMap *map, const float *reach);

PliantResult pli_pose_planes_init(PliPose *pose, const PliantHost *host);
void pli_pose_planes_free(PliPose *pose, const PliantHost *host);

/* A new frame of a body that is not given. */
void pli_pose_planes_update(PliPose *pose);

/* ---- Bodies that follow joints: skin.c ---------------------------------------------------------
 */

/* What a joint and the map together make of balls. */
typedef struct PliJointBall {
    float columns[4][3];
    float stretch;
} PliJointBall;

/* How large a joint makes things: names are those of skin.c. */
typedef struct PliJointSize {
    float coordinate, row; /* B and D, of this joint alone */
} PliJointSize;

/* The margin of a node with n joints, of which B and D are the greatest:
 * (base + n * by_count) + B * ((by_size[0] + n * by_size[1]) + n^2 * by_size[2]) + D * by_row. */
typedef struct PliMargins {
    double base, by_count, by_size[3], by_row;
    double reach[3]; /* that B was derived from */
} PliMargins;

typedef struct PliSkinning {
    bool has_joints;
    PliMap *maps;        /* of each joint, as they were set */
    PliSlabSum *sums;    /* of each joint: x, y and z of the world, without the map's offset */
    PliJointBall *balls; /* of each joint; or of slabs these, and of balls those */
    PliJointSize *sizes; /* of each joint */
    PliMargins margins, last_margins; /* of this frame, and of the last one */
    void *memory;
    size_t memory_size;
} PliSkinning;

/* New matrices, which hold at once for vertices, and for bounds from the next frame on. */
PliantResult pli_skinning_set(PliPose *pose, const PliantTransform *joints, const PliantHost *host);
void pli_skinning_free(PliPose *pose, const PliantHost *host);

/* A new frame, with the farthest that a vertex can be at rest along each axis, and how many terms
 * it is a sum of. False if there are no bounds that could be relied on. */
bool pli_skinning_update(PliPose *pose, const double reach[3], int32_t term_count);

/* The bounds of a node's children. `moves` are bounds of how far the parts of the node have moved
 * from rest; or, if has_only_moves, of where they are; or NULL, if they are at rest. */
void pli_skinning_open(const PliPose *pose, int32_t node, const float *moves, bool has_only_moves,
                       const PliKernels *kernels, PliBoxes *boxes, float *balls);

/* Says what a leaf follows. */
void pli_skinning_leaf(const PliPose *pose, int32_t leaf, PliBlendedLeaf *blended);

/* All vertices, from where they are at rest or blended. */
void pli_skinning_vertices(const PliPose *pose, float *vertices);

/* ---- Poses: pose.c -------------------------------------------------------------------------- */

struct PliPose {
    PliBounds bounds; /* first: the walk knows no more than this */
    PliantShape *shape;
    PliVertexView vertices; /* at rest, or given */
    float *copy;            /* of the given ones, if they are not borrowed */
    bool is_given, is_borrowed, is_moved, is_stale;
    PliantUpdateKind update_kind;
    PliMap map; /* if it is moved */
    PliBlending blending;
    PliSkinning skinning;
    PliPlane *planes;      /* those of the shape, moved; or NULL */
    int64_t fetched_count; /* leaves fetched, since whoever counts set it to zero */
    int64_t blended_count; /* vertices blended in them */
};

/* A pose at rest. The shape is borrowed: whoever has the pose keeps a reference to it. */
PliantResult pli_pose_init(PliPose *pose, PliantShape *shape, const PliantHost *host);
void pli_pose_free(PliPose *pose, const PliantHost *host);

void pli_pose_set_map(PliPose *pose, const PliantTransform *transform);

/* Vertices that are given need the bounds of nearly all nodes, and so room for all. On failure the
 * pose is as it was. */
PliantResult pli_pose_borrow(PliPose *pose, const PliantVertices *vertices, const PliantHost *host);
PliantResult pli_pose_copy(PliPose *pose, const PliantVertices *vertices, const PliantHost *host);
void pli_pose_set_weights(PliPose *pose, const float *weights);
PliantResult pli_pose_set_joints(PliPose *pose, const PliantTransform *joints,
                                 const PliantHost *host);

/* Do its vertices come from weights or joints, rather than being given or at rest? */
static inline bool pli_pose_is_blended(const PliPose *pose)
{
    return (pose->blending.has_weights || pose->skinning.has_joints) && !pose->is_given;
}

/* Makes bounds.root right, and as many of the bounds as the update kind says, if something was set
 * since. `scratch` is room for pli_pose_scratch_count() boxes. Returns how many vertices were read.
 */
int64_t pli_pose_update(PliPose *pose, const PliKernels *kernels, PliBox *scratch);

static inline int64_t pli_pose_scratch_count(const PliPose *pose)
{
    const PliTree *tree = &pose->shape->tree;
    return (int64_t)tree->leaf_count + tree->node_count;
}

/* Is there nothing to be read behind one of a leaf's vertices? A shape's are followed by its
 * triangles and a copy's by one float, but a borrowed array may end where its last vertex does. */
static inline bool pli_pose_is_at_end(const PliPose *pose, int32_t leaf)
{
    const PliVertexSets *sets = &pose->shape->sets;
    return pose->is_borrowed &&
           pli_has_last(sets, sets->leaf_lists[leaf], pose->vertices.count - 1);
}

/* The triangles of a leaf, as they are now. */
static inline void pli_pose_fetch(const PliPose *pose, int32_t leaf, const PliKernels *kernels,
                                  float *rows, PliLeafBoxes *boxes)
{
    if (pli_pose_is_blended(pose)) {
        pli_blending_fetch(pose, leaf, kernels, rows, boxes);
        return;
    }
    PliRange range = pose->shape->tree.leaves[leaf];
    PliFetchLeaf *fetch = pli_pose_is_at_end(pose, leaf) ? pli_fetch_leaf_c : kernels->fetch_leaf;
    fetch(&pose->vertices, pose->shape->sets.corners + 3 * (size_t)range.first, range.count,
          pose->is_moved ? &pose->map : NULL, rows, boxes);
    if (pose->shape->pieces)
        pli_narrow_to_pieces(pose->shape->pieces + range.first, range.count, rows, boxes);
}

/* Vertices that take more bytes than this are not all in a cache that is near. */
enum { PLI_FAR_SIZE = 1 << 20 };

/* Asks for what fetching a leaf will read, ahead of time: the corners of one that comes later, and
 * the vertices of one that comes next, if there are so many that they come from far. */
static inline void pli_pose_ask(const PliPose *pose, int32_t later, int32_t next)
{
    if (pli_pose_is_blended(pose)) {
        pli_blending_ask(pose, later, next);
        return;
    }
    const PliRange *leaves = pose->shape->tree.leaves;
    const uint32_t *corners = pose->shape->sets.corners;
    for (int i = 0; i < 3 * PLI_LEAF_SIZE; i += 64 / (int)sizeof *corners)
        __builtin_prefetch(corners + 3 * (size_t)leaves[later].first + i);
    if (pose->vertices.stride * pose->vertices.count < PLI_FAR_SIZE)
        return;
    for (int32_t i = 0; i < leaves[next].count; i++) {
        uint32_t vertex = corners[3 * ((size_t)leaves[next].first + (size_t)i)];
        __builtin_prefetch(pose->vertices.data + pose->vertices.stride * vertex);
    }
}

void pli_pose_vertices(const PliPose *pose, float *vertices);

/* Bytes held from the host, the shape's apart. */
size_t pli_pose_bytes(const PliPose *pose);

#endif
