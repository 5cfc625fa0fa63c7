/* Boxes around listed vertices, read where the caller of the library has them.
 *
 * Minimum and maximum round nothing. Which of 0 and -0 a corner of a box has makes no difference to
 * any comparison. So vertices may be read in any order, and all versions agree as numbers. */
#ifndef PLI_VERTEX_BOXES_H
#define PLI_VERTEX_BOXES_H

#include "geom/box.h"

/* An array of vertices that somebody else owns. Nothing is read past the third float of the last
 * vertex. */
typedef struct PliVertexView {
    const char *data;
    size_t stride; /* bytes from one vertex to the next, at least 12 */
    uint32_t count;
} PliVertexView;

/* Some of these vertices, as part of an array of numbers. Blocks come first: each is the number of
 * the first of PLI_BLOCK consecutive vertices. Single vertices follow. Numbers ascend within the
 * blocks, and within the single vertices. */
enum { PLI_BLOCK = 8 };
typedef struct PliVertexList {
    int32_t first, block_count, single_count;
} PliVertexList;

/* The box of the vertices of each list. Skips coordinates that are not finite: no triangle with one
 * is in a pair, and an infinite one would make every bound above it useless. */
typedef void PliBoxLists(const PliVertexView *vertices, const uint32_t *numbers,
                         const PliVertexList *lists, int32_t list_count, PliBox *boxes);

#endif
