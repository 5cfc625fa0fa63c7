/* Bodies that morph or are at rest: bounds and vertices as weighted sums of what their shape holds.
 */
#ifndef PLI_MORPH_H
#define PLI_MORPH_H

#include "pose/pose.h"
#include "shape/morph_tables.h"

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

/* What bounds depend on beside weights and the transform: where it is the same as in the last
 * frame, bounds of terms that have not changed are kept. */
typedef struct PliBoundBasis {
    bool is_made; /* false: the last frame's bounds were not made by weights */
    bool has_base, is_bounded, has_exact_boxes, has_joints;
    float margin, box_margin;
    PliMargins skin;
} PliBoundBasis;

typedef struct PliMorphState {
    bool has_weights;       /* or it is at rest */
    float *weights;         /* of the targets, as they were set */
    float *bound_weights;   /* of the terms: what bounds are blended by */
    uint64_t *active;       /* targets that have a part in vertices */
    uint64_t *bound_active; /* terms that have a part in bounds */
    uint64_t *changed;      /* terms whose weights are not those of the last frame */
    bool is_kept;           /* bounds of the last frame hold where no changed term is */
    PliBoundBasis basis;    /* of the last frame */
    bool is_bounded;        /* the margin is a number that one can work with */
    bool has_exact_boxes;   /* boxes of k-DOPs that need no margin are worth it */
    float margin;           /* of slabs along diagonals and of balls, in the world */
    float box_margin;       /* of boxes at rest: none if they are the vertex's own expression */
    float stretch;          /* how much longer the map makes a vector, at most */
    PliSlabSum sums[9];     /* of the slabs of the world */
    void *memory;
    size_t memory_size;
} PliMorphState;

typedef struct PliMeshPose PliMeshPose;

PliantResult pli_morph_init(PliMeshPose *pose, const PliantHost *host);
void pli_morph_free(PliMeshPose *pose, const PliantHost *host);

/* New weights, which hold at once for vertices, and for bounds from the next frame on. */
void pli_morph_set(PliMeshPose *pose, const float *weights);

/* No weights any more: no target has a part in vertices that follow joints. */
void pli_morph_clear(PliMeshPose *pose);

/* PliBounds.open, of such a body. */
bool pli_morph_open(const PliBounds *bounds, int32_t node, uint32_t stamp, PliWorker *worker,
                    PliBoxes *boxes, float *extra);

/* The triangles of a leaf of a body that has weights. */
void pli_morph_fetch(const PliMeshPose *pose, int32_t leaf, PliWorker *worker, float *rows,
                     PliLeafBoxes *boxes);

/* Prefetches what that will read. */
void pli_morph_prefetch(const PliMeshPose *pose, int32_t later, int32_t next);

/* A weighted sum of arrays of floats. Its arrays are the worker's. */
typedef struct PliTermSum {
    const float *base; /* added first; NULL: none */
    const float **terms;
    float *weights;
    int32_t count;
} PliTermSum;

/* Lists the active terms that a part has, which follow each other from `first` on. */
PliTermSum pli_morph_gather(const PliMeshPose *pose, const uint64_t *mask, const uint64_t *active,
                            const float *weights, const float *first, size_t size,
                            PliWorker *worker);

/* Is the mesh at rest a term of the sum? Not of references, once there are weights. */
bool pli_morph_has_base(const PliMeshPose *pose);

/* What bounds there are beside the boxes, and how many floats these take for a node. */
static inline PliExtraKind pli_morph_extra_kind(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_BOX      ? PLI_EXTRA_NONE
           : kind == PLIANT_BOUND_SPHERE ? PLI_EXTRA_BALLS
                                         : PLI_EXTRA_SLABS;
}

static inline int32_t pli_morph_extra_size(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_SPHERE ? 4 * PLI_GROUP : 2 * (pli_slab_count(kind) - 3) * PLI_GROUP;
}

/* All vertices, before they are moved. */
void pli_morph_vertices(const PliMeshPose *pose, float *vertices);

#endif
