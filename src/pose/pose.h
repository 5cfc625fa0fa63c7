/* pose: how bodies move.
 *
 * A pose answers two questions, when they are asked and not before: which boxes do the children of
 * this node have now, and where are the triangles of this leaf now? Nothing above knows how: a pose
 * is what is said first, and a table of the functions of its kind. One kind is here, that of bodies
 * that have a shape; soups have a folder of their own.
 *
 * A body with a shape moves in one of two ways: its vertices are given, and its boxes are taken
 * from them; or it is blended from its shape by weights, or rests without any, its boxes are
 * blended from its shape's in the same way, and it may then follow joints. Either is then moved by
 * a map.
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
#include "pose/stars.h"
#include "tree/walk.h"
#include <pliant/world.h>

/* ---- Poses ---------------------------------------------------------------------------------- */

typedef struct PliPose PliPose;

/* What a pose does. */
typedef struct PliPoseKind {
    /* Makes bounds.root right, and as many of the bounds as it sees fit, if something was set
     * since. `scratch` is room for as many boxes as pli_shaped_scratch_count() says, or as a soup
     * has primitives. Returns how many vertices were read. */
    int64_t (*update)(PliPose *pose, const PliKernels *kernels, PliBox *scratch);

    /* The triangles of a leaf, as they are now. Returns how many vertices had to be made for it. */
    int32_t (*fetch)(const PliPose *pose, int32_t leaf, const PliKernels *kernels, float *rows,
                     PliLeafBoxes *boxes);

    /* Asks for what fetching a leaf will read, ahead of time: one that comes later, and one that
     * comes next. */
    void (*ask)(const PliPose *pose, int32_t later, int32_t next);

    /* All vertices, as answers speak of them. */
    void (*vertices)(const PliPose *pose, float *vertices);

    int64_t (*count_nonfinite)(const PliPose *pose); /* triangles, now */

    /* It is asked where it meets itself: `stars` are there then, if they can be, and say what has
     * moved. NULL: they cannot. */
    PliantResult (*start_self)(PliPose *pose, const PliantHost *host);

    /* Is its surface known to be closed, as it is now? NULL: it is not. */
    bool (*is_closed)(const PliPose *pose);

    size_t (*bytes)(const PliPose *pose); /* held from the host, but for a shape's */
    void (*free)(PliPose *pose, const PliantHost *host);
} PliPoseKind;

struct PliPose {
    PliBounds bounds; /* first: the walk knows no more than this */
    const PliPoseKind *kind;
    const PliPiece *pieces;    /* of each position in the tree's order, if triangles are divided */
    const uint64_t *skips;     /* a bit for each triangle that an approximate query passes over */
    const uint32_t *corners;   /* three vertices of each triangle; NULL: none is shared by two */
    bool has_corners_in_order; /* of each position, rather than of each triangle by its number */
    int32_t number_count;      /* triangles are numbered below that */
    PliStars *stars;           /* or NULL, if they were never asked for */
    bool is_moved, is_map_new, is_stale;
    bool is_borrowed;      /* what it reads may change at any time */
    PliMap map;            /* if it is moved */
    int64_t fetched_count; /* leaves fetched, since whoever counts set it to zero */
    int64_t blended_count; /* vertices made for them, likewise */
    int64_t placed_count;  /* primitives put into order, likewise */
};

/* At rest in the tree. */
void pli_pose_init(PliPose *pose, const PliPoseKind *kind, const PliTree *tree);

void pli_pose_set_map(PliPose *pose, const PliantTransform *transform);

/* A new frame: bounds of the last one hold no more. True once in 2^31 frames, when all stamps have
 * been wiped. */
bool pli_pose_next_frame(PliPose *pose);

/* Where the map takes vertices, in their place. */
void pli_pose_move(const PliPose *pose, float *vertices, size_t count);

static inline int64_t pli_pose_update(PliPose *pose, const PliKernels *kernels, PliBox *scratch)
{
    return pose->kind->update(pose, kernels, scratch);
}

static inline void pli_pose_fetch(PliPose *pose, int32_t leaf, const PliKernels *kernels,
                                  float *rows, PliLeafBoxes *boxes)
{
    pose->blended_count += pose->kind->fetch(pose, leaf, kernels, rows, boxes);
    pose->fetched_count++;
}

static inline void pli_pose_vertices(const PliPose *pose, float *vertices)
{
    pose->kind->vertices(pose, vertices);
}

static inline bool pli_pose_is_closed(const PliPose *pose)
{
    return pose->kind->is_closed && pose->kind->is_closed(pose);
}

static inline size_t pli_pose_bytes(const PliPose *pose)
{
    return pose->kind->bytes(pose);
}

static inline void pli_pose_free(PliPose *pose, const PliantHost *host)
{
    pose->kind->free(pose, host);
}

/* The number of the triangle at a position. */
static inline int32_t pli_pose_triangle(const PliPose *pose, int32_t position)
{
    return pose->pieces ? pose->pieces[position].triangle : pose->bounds.tree->order[position];
}

/* The vertices of the triangle at a position, of a pose that has them. */
static inline const uint32_t *pli_pose_corners(const PliPose *pose, int32_t position)
{
    int32_t at = pose->has_corners_in_order ? position : pose->bounds.tree->order[position];
    return pose->corners + 3 * (size_t)at;
}

/* ---- Boxes: boxes.c ------------------------------------------------------------------------- */

/* Up to eight boxes side by side, and NaN for the others. */
void pli_boxes_set(PliBoxes *boxes, const PliBox *children, int32_t count);

/* The box of all eight. */
PliBox pli_boxes_all(const PliBoxes *boxes);

/* The boxes of a node's children, side by side and moved, in the slot of the node's own number; and
 * the same, and says that they hold. Returns the box of all, not moved. */
void pli_pose_put_children(PliPose *pose, int32_t node, const PliBox *children,
                           const PliKernels *kernels);
PliBox pli_pose_set_children(PliPose *pose, int32_t node, const PliBox *children,
                             const PliKernels *kernels);

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

typedef struct PliShaped PliShaped;

PliantResult pli_blending_init(PliShaped *pose, const PliantHost *host);
void pli_blending_free(PliShaped *pose, const PliantHost *host);

/* New weights, which hold at once for vertices, and for bounds from the next frame on. */
void pli_blending_set(PliShaped *pose, const float *weights);

/* A new frame of a body that is not given: what weights and the map mean for its bounds. */
void pli_blending_update(PliShaped *pose);

/* PliBounds.open, of such a body. */
bool pli_blending_open(PliBounds *bounds, int32_t node, const PliKernels *kernels);

/* The triangles of a leaf of a body that has weights. */
void pli_blending_fetch(const PliShaped *pose, int32_t leaf, const PliKernels *kernels, float *rows,
                        PliLeafBoxes *boxes);

/* Asks for what that will read, ahead of time. */
void pli_blending_ask(const PliShaped *pose, int32_t later, int32_t next);

/* All vertices, before they are moved. */
void pli_blending_vertices(const PliShaped *pose, float *vertices);

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

PliantResult pli_pose_planes_init(PliShaped *pose, const PliantHost *host);
void pli_pose_planes_free(PliShaped *pose, const PliantHost *host);

/* A new frame of a body that is not given. */
void pli_pose_planes_update(PliShaped *pose);

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
PliantResult pli_skinning_set(PliShaped *pose, const PliantTransform *joints,
                              const PliantHost *host);
void pli_skinning_free(PliShaped *pose, const PliantHost *host);

/* A new frame, with the farthest that a vertex can be at rest along each axis, and how many terms
 * it is a sum of. False if there are no bounds that could be relied on. */
bool pli_skinning_update(PliShaped *pose, const double reach[3], int32_t term_count);

/* The bounds of a node's children. `moves` are bounds of how far the parts of the node have moved
 * from rest; or, if has_only_moves, of where they are; or NULL, if they are at rest. */
void pli_skinning_open(const PliShaped *pose, int32_t node, const float *moves, bool has_only_moves,
                       const PliKernels *kernels, PliBoxes *boxes, float *balls);

/* Says what a leaf follows. */
void pli_skinning_leaf(const PliShaped *pose, int32_t leaf, PliBlendedLeaf *blended);

/* All vertices, from where they are at rest or blended. */
void pli_skinning_vertices(const PliShaped *pose, float *vertices);

/* ---- Bodies with a shape: shaped.c ------------------------------------------------------------
 */

struct PliShaped {
    PliPose base; /* first */
    PliantShape *shape;
    PliVertexView vertices; /* at rest, or given */
    float *copy;            /* of the given ones, if they are not borrowed */
    bool is_given;
    PliantUpdateKind update_kind;
    PliBlending blending;
    PliSkinning skinning;
    PliPlane *planes; /* those of the shape, moved; or NULL */
};

/* A pose at rest. The shape is borrowed: whoever has the pose keeps a reference to it. */
PliantResult pli_shaped_init(PliShaped *pose, PliantShape *shape, const PliantHost *host);

/* Vertices that are given need the bounds of nearly all nodes, and so room for all. On failure the
 * pose is as it was. */
PliantResult pli_shaped_borrow(PliShaped *pose, const PliantVertices *vertices,
                               const PliantHost *host);
PliantResult pli_shaped_copy(PliShaped *pose, const PliantVertices *vertices,
                             const PliantHost *host);
void pli_shaped_set_weights(PliShaped *pose, const float *weights);
PliantResult pli_shaped_set_joints(PliShaped *pose, const PliantTransform *joints,
                                   const PliantHost *host);

/* Back to the rest pose: weights, joints and caller-supplied vertices no longer apply. */
void pli_shaped_reset(PliShaped *pose);

/* The shape of a pose, or NULL if it is of another kind. */
PliantShape *pli_shape_of(const PliPose *pose);

/* Do its vertices come from weights or joints, rather than being given or at rest? */
static inline bool pli_shaped_is_blended(const PliShaped *pose)
{
    return (pose->blending.has_weights || pose->skinning.has_joints) && !pose->is_given;
}

static inline int64_t pli_shaped_scratch_count(const PliShaped *pose)
{
    const PliTree *tree = &pose->shape->tree;
    return (int64_t)tree->leaf_count + tree->node_count;
}

/* Vertices that take more bytes than this are not all in a cache that is near. */
enum { PLI_FAR_SIZE = 1 << 20 };

#endif
