/* pose: how bodies move; to begin with, what does not move.
 *
 * This folder knows shapes' data and trees. A shape is one block of memory without pointers: a
 * header and sections, each aligned to 64 bytes. So that making it, saving it and mapping it are
 * one thing: saving is handing out the block, mapping is checking one and pointing into it.
 */
#ifndef PLI_SHAPE_H
#define PLI_SHAPE_H

#include "tree/tree.h"
#include <pliant/shape.h>

#include <stdatomic.h>

/* ---- The block ----------------------------------------------------------------------------- */

enum { PLI_SHAPE_VERSION = 1, PLI_SHAPE_BYTE_ORDER = 0x01020304 };
#define PLI_SHAPE_MAGIC "PLIANTSH"

/* X(name, type, items). The sections, in the order in which they stand. */
#define PLI_SHAPE_SECTIONS(X)                                                                      \
    X(vertices, float, 3 * (uint64_t)header->vertex_count)                                         \
    X(triangles, uint32_t, 3 * (uint64_t)header->triangle_count)                                   \
    X(order, int32_t, (uint64_t)header->triangle_count)                                            \
    X(leaves, PliRange, (uint64_t)header->leaf_count)                                              \
    X(nodes, PliTreeNode, (uint64_t)header->node_count)

enum {
#define PLI_SECTION_NUMBER(name, type, items) PLI_SECTION_##name,
    PLI_SHAPE_SECTIONS(PLI_SECTION_NUMBER)
#undef PLI_SECTION_NUMBER
        PLI_SECTION_COUNT
};

/* 128 bytes, all fields at their natural places, little-endian. */
typedef struct PliShapeHeader {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t byte_size; /* of the whole block, a multiple of 64 */
    uint64_t checksum;  /* of all that follows this field */
    int32_t vertex_count, triangle_count, nonfinite_count;
    int32_t leaf_count, node_count, level_count;
    int32_t leaf_size, child_count;       /* that the tree was built for */
    uint64_t sections[PLI_SECTION_COUNT]; /* where each begins, from the start of the block */
    uint64_t unused[3];                   /* zero */
} PliShapeHeader;

_Static_assert(sizeof(PliShapeHeader) == 128, "the header has no gaps");
_Static_assert(sizeof(PliRange) == 8 && sizeof(PliTreeNode) == 44, "what is saved has no gaps");

/* ---- The shape ------------------------------------------------------------------------------- */

struct PliantShape {
    atomic_int reference_count;
    PliantHost host;
    const PliShapeHeader *header;
    const float *vertices;
    const uint32_t *triangles;
    PliTree tree;      /* points into the block */
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
