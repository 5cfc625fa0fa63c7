/* pose: the interface of a moving body.
 *
 * This folder knows trees, and not what bodies are made of. Its one idea: a pose answers two
 * questions, lazily. Which bounds do the children of this node have now? Where are the triangles of
 * this leaf now? Nothing above knows how. A pose is the struct below, and a table of the functions
 * of its kind. Poses of meshes are in src/mesh_pose, poses of primitives without a mesh in
 * src/soup.
 *
 * A pose is written by its setters and by `update`, which runs once for each query, before the
 * query reads it. All other functions take a const pose and a worker. Only the bounds of nodes are
 * kept in the pose as they are made: docs/internals.md says who writes them.
 *
 * The vertices of the answer are those that pli_pose_vertices() writes. Every bound that is handed
 * out holds them (or the pieces that triangles are divided into). The derivations are beside the
 * code that makes the bounds: src/mesh_pose/morph.h, src/mesh_pose/skin.h.
 */
#ifndef PLI_POSE_H
#define PLI_POSE_H

#include "shape/fans.h"
#include "shape/leaf_features.h"
#include "shape/pieces.h"
#include "tree/walk.h"
#include <pliant/world.h>

typedef struct PliPose PliPose;

/* What self-collision needs of a mesh. */
typedef struct PliPoseTopology {
    const PliFans *fans;            /* NULL: the mesh has none, since triangles are divided */
    const int32_t *triangle_leaves; /* of each triangle, if there are fans */
} PliPoseTopology;

#define PLI_NO_SEGMENTS INT32_MAX

/* Which vertices and edges the triangles of a pose have. */
typedef struct PliPoseFeatures {
    const PliFeatures *shared; /* which of them triangles share; NULL: none, and vertex k and edge k
                                  of triangle t are 3 t + k */
    const PliLeafFeatures *leaves;   /* of shared features: those of each leaf; NULL: not listed */
    const uint32_t *corners;         /* vertices of each triangle, by its number; NULL: 3 t + k */
    const uint32_t *corner_vertices; /* of each corner: which vertex of pli_pose_vertices() it is;
                                        NULL: not known. It may be another one of the group */
    const float *rest;     /* vertices in the rest pose, three floats each; NULL: there is none */
    int32_t first_segment; /* triangles from this number on are segments, of corners a, b, b;
                              PLI_NO_SEGMENTS: none */
    bool are_apart;        /* some vertices of one group are at several places: a feature is where
                              any triangle has it, and not where its owner has it */
    bool are_points;       /* a triangle is one vertex; corners has one for each, or is NULL */
    bool is_finite;        /* no triangle has a NaN or an infinity. False if some may have */
} PliPoseFeatures;

/* Vertices that the caller has in double: pli_pose_vertices() has them less the origin and rounded.
 */
typedef struct PliDoubles {
    const char *data; /* three doubles from each multiple of the stride on */
    size_t stride;
    double origin[3];
    float error;  /* how far a vertex may be from its double, less the origin: 0 if none is */
    double *copy; /* so many, if they are not borrowed */
    size_t count;
} PliDoubles;

/* The functions of a kind of pose. */
typedef struct PliPoseKind {
    /* Makes bounds.root right, and as many of the bounds as it sees fit, if something was set
     * since. The worker has room for the boxes of this body. Returns how many vertices were read.
     */
    int64_t (*update)(PliPose *pose, PliWorker *worker);

    /* Writes the triangles of a leaf as they are now, nine floats each, and their boxes. Returns
     * how many vertices had to be evaluated for it. */
    int32_t (*fetch)(const PliPose *pose, int32_t leaf, PliWorker *worker, float *rows,
                     PliLeafBoxes *boxes);

    /* Prefetches what fetching a leaf will read: one that is fetched later, and one that is next.
     */
    void (*prefetch)(const PliPose *pose, int32_t later, int32_t next);

    /* Writes all vertices, as answers speak of them. */
    void (*vertices)(const PliPose *pose, float *vertices);

    /* Counts the triangles that have a NaN or an infinity now. */
    int64_t (*count_nonfinite)(const PliPose *pose, PliWorker *worker);

    /* Is the surface known to be closed, as it is now? NULL: it is not. */
    bool (*is_closed)(const PliPose *pose);

    /* Finds groups of corners whose vertices may be apart, as it is now. Sets apart[v] to 1 for the
     * lowest vertex of each, unless `apart` is NULL. Returns whether there are any. NULL: none. */
    bool (*find_apart)(const PliPose *pose, uint8_t *apart);
    int32_t (*vertex_count)(const PliPose *pose); /* of `apart` */

    /* The topology of the mesh that the pose is of, which is built on first need and shared by all
     * of its bodies. NULL: there is none. */
    PliantResult (*topology)(const PliPose *pose, PliPoseTopology *topology);

    /* The features of the triangles, found on first need. */
    PliantResult (*features)(PliPose *pose, const PliantHost *host, PliPoseFeatures *features);

    /* Which leaves may have moved since the last call with this snapshot: sets changed_leaves[i] to
     * 0 or 1 for each leaf, and stores in the snapshot what the pose is made of now. A snapshot is
     * snapshot_size(pose) bytes, zero before the first call. Poses with a topology have both. */
    size_t (*snapshot_size)(const PliPose *pose);
    void (*compare)(const PliPose *pose, void *snapshot, uint8_t *changed_leaves);

    void (*free)(PliPose *pose, const PliantHost *host);
} PliPoseKind;

struct PliPose {
    PliBounds bounds; /* first: the walk knows no more than this */
    const PliPoseKind *kind;
    const PliPiece *pieces;  /* of each position in the tree's order, if triangles are divided */
    const uint64_t *skips;   /* a bit for each triangle that an approximate query skips */
    const uint32_t *corners; /* three vertices of each triangle, the lowest of their groups; NULL:
                                none is shared by two */
    const uint32_t *points; /* the vertex of each primitive, by its number, if these are points that
                               may share it; else NULL */
    bool has_corners_in_order; /* by position, rather than by the triangle's number */
    int32_t number_count;      /* triangles are numbered below that */
    bool is_moved, is_transform_new, is_stale;
    bool is_borrowed;          /* what it reads may change at any time */
    const PliDoubles *doubles; /* of its vertices; NULL: they are floats */
    PliTransform transform;    /* if it is moved */
    int64_t placed_count;      /* primitives put into order by the last update */
    uint64_t frame_count;      /* frames that were started: while it stays, so do the vertices */
    uint64_t asked_frame;      /* for which pli_pose_is_finite() was last asked: */
    bool was_finite;
};

/* How far vertices may be from those that the caller has in double. */
static inline float pli_pose_error(const PliPose *pose)
{
    return pose->doubles ? pose->doubles->error : 0;
}

/* At rest in the tree. */
void pli_pose_init(PliPose *pose, const PliPoseKind *kind, const PliTree *tree);

void pli_pose_set_transform(PliPose *pose, const PliantTransform *transform);

/* Takes over the transform of another pose. */
void pli_pose_match_transform(PliPose *pose, const PliPose *other);

/* Starts a new frame: bounds of the last one hold no more. True once in 2^31 frames, when all
 * stamps have been wiped. */
bool pli_pose_next_frame(PliPose *pose);

/* Transforms vertices in place. */
void pli_pose_move(const PliPose *pose, float *vertices, size_t count);

/* Are all of these numbers finite? */
bool pli_vertices_are_finite(const PliVertexView *view);

/* Floats beyond this are taken to be where overflows may be. */
#define PLI_MAX_MAGNITUDE 1e36

/* Is the box of all that is finite well within what floats can be? Then nothing has overflowed. */
bool pli_pose_is_bounded(const PliPose *pose);

/* Are all vertices finite? They follow from `given`, or from numbers that are finite if that is
 * NULL. Once a frame; false if some may not be. */
bool pli_pose_is_finite(PliPose *pose, const PliVertexView *given);

/* The number of the triangle at a position. */
static inline int32_t pli_pose_triangle(const PliPose *pose, int32_t position)
{
    return pose->pieces ? pose->pieces[position].triangle : pose->bounds.tree->order[position];
}

/* The corners of the triangle at a position, of a pose that has them. */
static inline const uint32_t *pli_pose_corners(const PliPose *pose, int32_t position)
{
    int32_t at = pose->has_corners_in_order ? position : pose->bounds.tree->order[position];
    return pose->corners + 3 * (size_t)at;
}

/* ---- The functions of the kind, called ------------------------------------------------------ */

static inline int64_t pli_pose_update(PliPose *pose, PliWorker *worker)
{
    return pose->kind->update(pose, worker);
}

static inline void pli_pose_fetch(const PliPose *pose, int32_t leaf, PliWorker *worker,
                                  PliSide side, float *rows, PliLeafBoxes *boxes)
{
    PliPoseCounts *counts = &worker->counts[side];
    counts->evaluated_vertices += pose->kind->fetch(pose, leaf, worker, rows, boxes);
    counts->fetched_leaves++;
}

static inline void pli_pose_vertices(const PliPose *pose, float *vertices)
{
    pose->kind->vertices(pose, vertices);
}

static inline bool pli_pose_is_closed(const PliPose *pose)
{
    return pose->kind->is_closed && pose->kind->is_closed(pose);
}

static inline void pli_pose_free(PliPose *pose, const PliantHost *host)
{
    pose->kind->free(pose, host);
}

/* Vertices that take more bytes than this do not fit the L2 cache, and are prefetched. */
enum { PLI_FAR_SIZE = 1 << 20 };

#endif
