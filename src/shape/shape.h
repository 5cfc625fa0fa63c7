/* shape: what bodies share and what never moves.
 *
 * This folder knows meshes and trees. Its one idea: a shape is one block of memory without
 * pointers, made once and read by any number of bodies, worlds and threads. What follows from the
 * topology alone and is not always needed is made on first need, once, and belongs to the shape
 * too.
 */
#ifndef PLI_SHAPE_H
#define PLI_SHAPE_H

#include "shape/fans.h"
#include "shape/features.h"
#include "shape/format.h"
#include "shape/leaf_features.h"
#include "shape/rings.h"
#include "shape/seams.h"

#include <stdatomic.h>

struct PliantShape {
    atomic_int reference_count;
    PliantHost host;
    const PliShapeHeader *header;
    const float *vertices;
    const uint32_t *triangles;
    const uint32_t *groups;      /* of each vertex: the lowest of its group; NULL: each is one */
    PliTree tree;                /* points into the block, like all that follows */
    PliVertexLists vertex_lists; /* which vertices each part of the tree has */
    const int32_t *vertex_order;
    const PliPiece *pieces; /* in the order of the tree; NULL if the items are the triangles */
    PliPlanes planes;       /* of divided triangles */
    const uint64_t *skips;  /* a bit for each triangle that an approximate query passes over */
    PliMorphTables morph_tables;
    PliSkinTables skin_tables;
    void *owned_block; /* the block, if it is ours */

    /* Made on first need: topology.h. */
    int32_t *_Atomic triangle_leaves;
    PliSeams *_Atomic seams;
    PliFans *_Atomic fans;
    PliFeatures *_Atomic features;
    PliLeafFeatures *_Atomic leaf_features;
    PliRings *_Atomic rings;

    _Atomic uint64_t user_data; /* of the caller, not saved */
};

static inline PliMeshView pli_mesh_of(const PliantShape *shape)
{
    return (PliMeshView){shape->vertices, shape->triangles, shape->header->triangle_count};
}

/* Triangles from this number on are segments. */
static inline int32_t pli_shape_first_segment(const PliShapeHeader *header)
{
    return header->triangle_count - (int32_t)header->segment_count;
}

/* How its triangles were divided. */
static inline PliDivision pli_shape_division(const PliShapeHeader *header)
{
    bool is_divided = header->divide_kind != 0;
    return (PliDivision){is_divided ? (PliantDivideKind)header->divide_kind : PLIANT_DIVIDE_NONE,
                         header->divide_size};
}

/* Shapes of fewer triangles are built by one worker: it takes a few milliseconds. */
enum { PLI_MIN_DIVIDED = 1 << 14 };

/* Builds from a def that has been checked: build.c. The last def->segments.count triangles are the
 * segments. def->skin is not NULL: without joints if there
 * is none. def->experiments is not NULL either. From `min_divided` triangles on, by all workers of
 * the host. */
PliantResult pli_shape_build(const PliantShapeDef *def, const PliantHost *host, int32_t min_divided,
                             PliantShape **shape);

/* Points a shape at a block: header, counts and arrays. */
void pli_shape_point(PliantShape *shape, const PliShapeHeader *header);

/* Points a new shape, which owns nothing yet, at a block that is right. */
PliantResult pli_shape_wrap(const PliShapeHeader *header, const PliantHost *host,
                            PliantShape **shape);

void pli_shape_free(PliantShape *shape);

#endif
