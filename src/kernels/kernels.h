/* kernels: the few hot loops, many at once.
 *
 * This folder knows arrays. Its one idea: a kernel has a plain C reference, which is its
 * specification, and one wide version, written with the compiler's vector types and compiled once
 * for each instruction set. Both do the same operations in the same order on each lane, so they
 * agree to the bit, and tests/checksimd holds every version against the reference.
 *
 * A table of kernels is filled from plain C upward, by what the machine has and the caller allows.
 * It is a value: whoever needs it, has it. There is no global one.
 */
#ifndef PLI_KERNELS_H
#define PLI_KERNELS_H

#include "geom/box.h"
#include "geom/geom.h"
#include <pliant/volume.h>

/* What a filter can say of a pair of triangles. */
enum { PLI_APART = 0, PLI_MEET = 1, PLI_UNDECIDED = 2 };

/* Decides pairs of triangles in float32 where that is certain: see filter.h. Pair i is triangle
 * pairs[2 i] of a and triangle pairs[2 i + 1] of b, nine floats each; verdicts[i] is set. Reads and
 * writes nothing beyond. */
typedef void PliFilterPairs(const float *a, const float *b, const uint32_t *pairs,
                            int64_t pair_count, uint8_t *verdicts);

/* The same for triangles of one mesh that share corners: do they meet beyond what they share? They
 * are apart where those corners of one that are not shared are certain to be strictly on one side
 * of the other's plane. Two that share one corner, and have the other two of each certain to be on
 * either side, meet if the next corner after it of one is on the other side than that of the other
 * is: see filter.h. All else is undecided. Of pair i, shared[i] has bits 0 to 2 for the corners of
 * its first triangle that are shared, and 3 to 5 for those of its second. */
typedef void PliFilterShared(const float *rows, const uint32_t *pairs, const uint8_t *shared,
                             int64_t pair_count, uint8_t *verdicts);

/* ---- Bounds of what is given vertex by vertex -------------------------------------------- */

/* Vertices where their owner has them. Nothing is read past the third float of the last one. */
typedef struct PliVertexView {
    const char *data;
    size_t stride; /* bytes from one to the next, at least 12 */
    uint32_t count;
} PliVertexView;

/* Some vertices: part of an array of numbers. First come blocks, each the number of the first of
 * PLI_BLOCK consecutive vertices; then single vertices. The numbers of both rise. */
enum { PLI_BLOCK = 8 };
typedef struct PliVertexList {
    int32_t first, block_count, single_count;
} PliVertexList;

/* The box of each list's vertices. Coordinates that are not finite are passed over: what has them
 * is in no pair, and one that is infinite would make every bound above it worthless. */
typedef void PliBoxLists(const PliVertexView *vertices, const uint32_t *numbers,
                         const PliVertexList *lists, int32_t list_count, PliBox *boxes);

/* What is kept of a leaf that was reached: the boxes of its triangles side by side, and the box of
 * all. Triangles that are not there have NaN. */
enum { PLI_LEAF_SIZE = 16, PLI_ROW_SIZE = 9 };
typedef struct PliLeafBoxes {
    float low[3][PLI_LEAF_SIZE], high[3][PLI_LEAF_SIZE];
    PliBox all;
} PliLeafBoxes;

/* A map of points: the coordinate k of p goes to
 * ((columns[0][k] * x + columns[1][k] * y) + columns[2][k] * z) + columns[3][k]. */
typedef struct PliMap {
    PliFloat4 columns[4];
} PliMap;

/* Fetches the triangles of a leaf, three vertex numbers each, 1 to 16 of them; moves them by the
 * map if there is one; writes them as rows of nine floats, and their boxes. All 16 rows may be
 * written. The version in plain C aside, a fourth float is read of each vertex, so that the last
 * one of all must not be among them. */
typedef void PliFetchLeaf(const PliVertexView *vertices, const uint32_t *corners,
                          int32_t triangle_count, const PliMap *map, float *rows,
                          PliLeafBoxes *boxes);

/* ---- Sums of what is blended --------------------------------------------------------------- */

/* Eight numbers side by side, one for each child of a node, are a group. */
enum { PLI_GROUP = 8 };

/* sums[i] = ((base[i] + weights[0] * terms[0][i]) + weights[1] * terms[1][i]) + ..., each operation
 * rounded, for i below `count`, which is a multiple of PLI_GROUP; from zero if there is no base. */
typedef void PliBlend(const float *base, const float *const *terms, const float *weights,
                      int32_t term_count, int32_t count, float *sums);

/* Boxes that hold what the map makes of all that is in eight boxes, in their place. An end is the
 * map's own expression, with each product taken from that end of the box which makes it least or
 * greatest: rounding is monotone, so that this holds every moved point without a margin. Ends that
 * are not finite belong to points that are not, which are in no pair: they are brought in to the
 * largest number. Where huge numbers cancel there is no bound. Empty boxes stay as they are. */
typedef void PliMoveBoxes(const PliMap *map, PliBoxes *boxes);

/* A slab of the world as a sum of three slabs of a body: its low end is
 * ((factors[0] * low[0] + factors[1] * low[1]) + factors[2] * low[2]) + low_offset, where low[i]
 * says which group of ends that is; its high end likewise. */
typedef struct PliSlabSum {
    int32_t low[3], high[3];
    float factors[3], low_offset, high_offset;
} PliSlabSum;

/* Such sums for eight boxes at once: the first three slabs become boxes, the others follow each
 * other, all low ends first. */
typedef void PliSumSlabs(const float *ends, const PliSlabSum *sums, int32_t slab_count,
                         PliBoxes *boxes, float *others);

/* A leaf whose vertices are blended: as many groups of x, of y and of z as `group_count` says, at
 * most PLI_MOST_TABLE_GROUPS each, summed as above; and its triangles, as numbers of these
 * vertices, all first corners, all second, all third. Moved and written as by PliFetchLeaf. */
enum { PLI_MOST_TABLE_GROUPS = 3 * PLI_LEAF_SIZE / PLI_GROUP };
typedef struct PliBlendedLeaf {
    const float *base; /* or NULL */
    const float *const *terms;
    const float *weights;
    int32_t term_count, group_count, triangle_count;
    const uint8_t *corners;
    const PliMap *map; /* or NULL */

    /* What they follow, if there are joints: each sum p then goes to (w_0 * (M_0 p)) + w_1 * (M_1
     * p) + ..., where a product is left out if its weight is zero. */
    int32_t joint_count;
    const uint16_t *joints;     /* which maps these are */
    const PliMap *joint_maps;   /* of all joints of the body */
    const float *joint_weights; /* group_count groups for each of these joints */
} PliBlendedLeaf;

typedef void PliFetchBlended(const PliBlendedLeaf *leaf, float *rows, PliLeafBoxes *boxes);

/* ---- Bounds of what follows joints --------------------------------------------------------- */

/* Eight children of a node, and the joints that they follow. Of each joint there are: groups of its
 * least and its greatest weight in each child, both zero where nothing follows it; then low ends
 * and high ends of slabs around what does follow it, at rest. */
typedef struct PliSkinnedNode {
    int32_t joint_count, slab_count;
    const uint16_t *joints;   /* which of the sums are theirs */
    const PliSlabSum *sums;   /* three for each joint of the body: along x, y and z of the world,
                                 with one offset for both ends */
    const float *parts;       /* 2 + 2 slab_count groups for each of these joints */
    const float *moves;       /* ends that are to be added to these; NULL: none */
    bool has_only_moves;      /* then the moves are all */
    bool is_uneven;           /* the sums of weights are far from one */
    const float *weight_sums; /* of each child: the least, and the greatest */
    float low_offsets[3], high_offsets[3]; /* added in the end */
} PliSkinnedNode;

/* Boxes around the children. With s_j the end of the sum of joint j, w_j and v_j its least and its
 * greatest weight, and t from S to T the sum of the weights, no sum of weighted points reaches
 * beyond
 *   max(S L, T L) + max(w_0 (s_0 - L), v_0 (s_0 - L)) + max(w_1 (s_1 - L), v_1 (s_1 - L)) + ...
 * in the order of the joints, whatever L is. It is the least of those with L the end of the joint
 * that has the most weight (w_j + v_j, the first of equals), with L the greatest end of all that
 * have any, and with L zero if sums are uneven. A low end is the opposite of the high end of
 * opposites. */
typedef void PliSkinBoxes(const PliSkinnedNode *node, PliBoxes *boxes);

/* ---- Which boxes meet -------------------------------------------------------------------- */

/* Eight against eight: bit 8 i + j is set if box i of a meets box j of b. */
typedef uint64_t PliMeetNodes(const PliBoxes *a, const PliBoxes *b);

/* Those of these bits for which slabs meet as well: `slab_count` groups of low ends, then as many
 * of high ends. An end that is NaN is no bound. */
typedef uint64_t PliMeetSlabs(const float *a, const float *b, int32_t slab_count, uint64_t bits);

/* Those of these bits for which balls meet as well, three groups of centres and one of radii,
 * unless the squared distance is greater than the squared sum of the radii by more than 2^-140. A
 * NaN is no bound. */
typedef uint64_t PliMeetBalls(const float *a, const float *b, uint64_t bits);

/* Sixteen against sixteen, for up to PLI_LEAF_PAIRS pairs of leaves at a time, each two numbers in
 * the array of leaves: writes a pair {16 a + i, 16 b + j} for triangle boxes i of leaf a and j of
 * leaf b that meet, in any order, and returns how many. `pairs` is room for 256 for each pair of
 * leaves and 8 more, which may be written.
 *
 * If `left_out` is not NULL, it says of each pair of leaves what is not to be written: bit j of
 * a[i] is for triangles i of leaf a and j of leaf b, and so is bit i of b[j]. Of a leaf and itself
 * each two triangles are then compared once, and bit i of a[n - 1], n from 1 to 8, is for i and i +
 * n modulo 16, with n = 8 for i below 8 only: all others of its bits are to be set. */
enum { PLI_LEAF_PAIRS = 32 };
typedef struct PliLeftOut {
    uint16_t a[PLI_LEAF_SIZE], b[PLI_LEAF_SIZE];
} PliLeftOut;
typedef int32_t PliMeetLeaves(const PliLeafBoxes *leaves, const uint32_t *leaf_pairs,
                              int32_t leaf_pair_count, const PliLeftOut *const *left_out,
                              uint32_t *pairs);

/* ---- Which way triangles face -------------------------------------------------------------- */

/* Of the triangles of a leaf. Across each axis there are eight directions: if u and v are the two
 * axes after it, u, v, u + v, u - v and their opposites. A triangle faces one of them if its
 * corners, seen against it, turn to the left for certain: PLI_FACE_ERROR is how certain. A step at
 * a corner is from the next corner to the last one; it rises along an axis if the one is below this
 * corner and the other is not, and falls the other way. */
enum { PLI_FACE_DIRECTIONS = 8 };
typedef struct PliFacing {
    uint16_t faces[3][PLI_FACE_DIRECTIONS]; /* across x, y, z: a bit for each triangle */
    uint64_t rises[3], falls[3]; /* along x, y, z: bit 16 c + i is corner c of triangle i */
} PliFacing;

/* Rows as PliFetchLeaf writes them, of which all 16 may be read. */
typedef void PliFaceLeaf(const float *rows, int32_t triangle_count, PliFacing *facing);

/* ---- Pictures ------------------------------------------------------------------------------ */

/* How triangles are drawn, and which part of a picture is.
 *
 * A point has pixel coordinates (x - low) * scale, twice rounded. Lines go through the middle of
 * pixels: the line after a pixel coordinate t is that of pixel ceil(t - 0.5), brought to the part
 * that is drawn, its end included. A triangle is over those rows that are after one of its corners
 * and not after another. In such a row two of its edges begin or end it, each at the line after
 *     x_low + (row + 0.5 - y_low) * ((x_high - x_low) / (y_high - y_low)),
 * brought to between x_low and x_high, of which `low` is the end with the least y. */
typedef struct PliPicture {
    int32_t axes[3];          /* across, up, and along the lines */
    double low[2], scale[2];  /* of pixel coordinates, across and up */
    int32_t begin[2], end[2]; /* columns and rows that are drawn, from 0 on */
    int32_t whole[2];         /* how many there are in all */

    /* Of boxes, which are only to be seen if they may have to: pixel coordinates in floats. */
    float box_low[2], box_scale[2];
    float reach[2]; /* those are seen that begin at or before the second of these depths, and end at
                       or after the first */

    /* Of walls: the part that is drawn, in the order of the axes, and one over its depth. */
    float low_ends[3], high_ends[3], depth_scale;
} PliPicture;

/* Which of `count` boxes, 8 or 16, have a line between their ends, both ways, within reach? Rows of
 * low x, low y, low z, high x, high y, high z, of so many each. Boxes are taken larger by `slack`
 * pixels, on each side; those with a NaN have no lines. */
typedef uint32_t PliSeeBoxes(const PliPicture *picture, const float *boxes, int32_t count,
                             float slack);

/* How much can be hidden between lines by each of 16 triangles: nothing, unless it is a wall, which
 * goes along the lines or nearly so. Lengths are in pixels, and along the lines in depths of the
 * part that is drawn. With n the product of two of its sides, across, up, and along the lines, and
 * s = |n[0]| + |n[1]|, it is one if |n[2]| <= s, and then hides s, or as much as fits into its box
 * within the part that is drawn, 2 (w + h) d if that is w by h by d, whichever is less. Returns a
 * bit for each that hides something, or may do so if that is no number.
 *
 * In the same units, `prisms` is the volume between each triangle and the near end of the box,
 * counted as lines are that cross it: negative if they go in. */
typedef uint32_t PliFindWalls(const PliPicture *picture, const float *rows,
                              const PliLeafBoxes *boxes, float *hidden, float *prisms);

/* Draws those triangles, of up to 16, whose bits are set and whose numbers are all finite: rows of
 * nine floats. Each line of a pixel
 * meets a triangle at the depth of its plane, brought to between those of its corners. Pixels are
 * numbered from the first of the part that is drawn, row by row; fragments come in any order.
 * Returns how many there are. There must be room for all pixels of all triangles and 16 more, which
 * may be written. */
typedef int64_t PliDrawTriangles(const PliPicture *picture, const float *rows, uint32_t bits,
                                 PliantFragment *fragments);

/* ---- The table --------------------------------------------------------------------------- */

/* X(name, type): all kernels. */
#define PLI_KERNELS(X)                                                                             \
    X(filter_pairs, PliFilterPairs)                                                                \
    X(filter_shared, PliFilterShared)                                                              \
    X(box_lists, PliBoxLists)                                                                      \
    X(fetch_leaf, PliFetchLeaf)                                                                    \
    X(blend, PliBlend)                                                                             \
    X(move_boxes, PliMoveBoxes)                                                                    \
    X(sum_slabs, PliSumSlabs)                                                                      \
    X(fetch_blended, PliFetchBlended)                                                              \
    X(skin_boxes, PliSkinBoxes)                                                                    \
    X(meet_nodes, PliMeetNodes)                                                                    \
    X(meet_slabs, PliMeetSlabs)                                                                    \
    X(meet_balls, PliMeetBalls)                                                                    \
    X(meet_leaves, PliMeetLeaves)                                                                  \
    X(face_leaf, PliFaceLeaf)                                                                      \
    X(see_boxes, PliSeeBoxes)                                                                      \
    X(find_walls, PliFindWalls)                                                                    \
    X(draw_triangles, PliDrawTriangles)

typedef struct PliKernels {
#define PLI_KERNEL_FIELD(name, type) type *name;
    PLI_KERNELS(PLI_KERNEL_FIELD)
#undef PLI_KERNEL_FIELD
} PliKernels;

/* The best kernels that the machine has among those in the mask. */
void pli_kernels_fill(PliKernels *kernels, uint32_t cpu_mask);

/* Each version by name; which of them exist depends on the build. */
#define PLI_KERNEL_VERSIONS(name, type)                                                            \
    type pli_##name##_c, pli_##name##_vector128, pli_##name##_avx2, pli_##name##_avx512;
PLI_KERNELS(PLI_KERNEL_VERSIONS)
#undef PLI_KERNEL_VERSIONS

/* ---- On top of the kernels: batch.c ------------------------------------------------------ */

/* Exact answers for many pairs: the filter, then pli_triangles_meet() for what it left open. */
void pli_pairs_meet(const PliKernels *kernels, const float *a, const float *b,
                    const uint32_t *pairs, int64_t pair_count, uint8_t *meets, PliCounts *counts);

#endif
