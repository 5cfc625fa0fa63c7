/* The triangles of a leaf where they are now: corner positions, and a box for each triangle.
 *
 * A leaf that a query reaches is fetched once a frame. Its triangles become rows of nine floats,
 * for the filter, and its boxes are stored by coordinate, for tests of many boxes at once. */
#ifndef PLI_FETCH_H
#define PLI_FETCH_H

#include "kernels/transform.h"
#include "kernels/vertex_boxes.h"

/* The boxes of the triangles of a leaf, by coordinate, and the box of all. Unused places hold
 * NaN. */
enum { PLI_LEAF_SIZE = 16, PLI_ROW_SIZE = 9 };
typedef struct PliLeafBoxes {
    float low[3][PLI_LEAF_SIZE], high[3][PLI_LEAF_SIZE];
    PliBox all;
} PliLeafBoxes;

/* Fetches the triangles of a leaf: 1 to 16 of them, three vertex numbers each. Applies the
 * transform unless it is NULL. Writes corner positions as rows of nine floats, and their boxes. All
 * 16 rows may be written. All versions but that in plain C read a fourth float of each vertex, so
 * the last vertex of all must not be among them. */
typedef void PliFetchLeaf(const PliVertexView *vertices, const uint32_t *corners,
                          int32_t triangle_count, const PliTransform *transform, float *rows,
                          PliLeafBoxes *boxes);

/* Eight floats side by side are a group: one for each child of a node, or for eight vertices. */
enum { PLI_GROUP = 8 };

/* A leaf whose vertices are sums of morph targets. Terms hold group_count groups of x, then as many
 * of y and of z, PLI_MAX_TABLE_GROUPS each at most; they are summed as by PliWeightedSum. Corners
 * are numbers of these vertices: all first corners, all second, all third. The result is
 * transformed and written as by PliFetchLeaf. */
enum { PLI_MAX_TABLE_GROUPS = 3 * PLI_LEAF_SIZE / PLI_GROUP };
typedef struct PliMorphLeaf {
    const float *base; /* or NULL */
    const float *const *terms;
    const float *weights;
    int32_t term_count, group_count, triangle_count;
    const uint8_t *corners;
    const PliTransform *transform; /* or NULL */

    /* Skinning, if joint_count is not 0. A sum p then goes to
     * w_0 * (M_0 p) + w_1 * (M_1 p) + ..., from left to right, where a product is left out if its
     * weight is zero. */
    int32_t joint_count;
    const uint16_t *joints;               /* which of the joints of the body these are */
    const PliTransform *joint_transforms; /* of all joints of the body */
    const float *joint_weights;           /* group_count groups for each of these joints */
} PliMorphLeaf;

typedef void PliFetchMorph(const PliMorphLeaf *leaf, float *rows, PliLeafBoxes *boxes);

#endif
