/* soup: primitives without topology.
 *
 * This folder knows trees and poses, and nothing of shapes. Its one idea: a soup is an order of its
 * primitives in which close ones are close to each other, and a tree over the positions of that
 * order. Buckets make the order: a bucket holds the primitives whose midpoints are in one cell of a
 * grid. Its box is computed from its primitives where they are now, so that a wrong bucket costs
 * time and never a pair.
 *
 * Buckets are numbered along a curve. Eight of them make an octant, eight octants the next larger
 * one. All of these are bounded in one pass over the primitives. Below a bucket there are nodes
 * with full leaves. They are not touched until a query reaches them. Then they sort their
 * primitives, if that has not been done: the grid can be coarse, and time is spent where it is
 * useful. Sorting exchanges positions within one bucket only, so that the box of a bucket stays
 * right.
 *
 * Primitives are put into buckets in one of four ways: by cells of any grid (sorted.h), by keeping
 * the buckets of the frame before (likewise), by cells of an octree, or by sorting along each axis,
 * starting from the order of the frame before (buckets.h).
 */
#ifndef PLI_SOUP_H
#define PLI_SOUP_H

#include "pose/pose.h"
#include <pliant/experiments.h>
#include <pliant/soup.h>

#define PLI_NO_BUCKET UINT32_MAX

/* Positions are counted in steps of a node of leaves, in 32 bits. */
enum { PLI_MAX_PRIMITIVES = INT32_MAX - 8 * PLI_LEAF_SIZE };

/* The greatest number of positions of a node of leaves. */
enum { PLI_LEAF_NODE_SIZE = 8 * PLI_LEAF_SIZE };

/* The size of a bucket when the order was made, by some of its midpoints. */
enum { PLI_SOUP_SAMPLES = 16 };
typedef struct PliSoupSample {
    int32_t bucket;
    float size;
} PliSoupSample;

typedef struct PliBucket {
    PliBox box;
    uint32_t mark;        /* of the pass that computed the box; the bucket is empty if that is not
                             the last pass */
    int32_t first, count; /* positions */
    float size;           /* of the box when the order was made */
} PliBucket;

typedef struct PliSoup {
    PliPose base;  /* first */
    PliTree *tree; /* its own */
    PliantPrimitiveKind primitive_kind;
    PliantSoupKind kind;

    /* The primitives, as they were given. */
    PliVertexView vertices;
    const uint32_t *corners;           /* or NULL */
    PliArray vertex_copy, corner_copy; /* of float and of uint32_t, if they are not borrowed */
    int32_t count;
    bool is_new;  /* they were set since the last update */
    float end[4]; /* a copy of the last vertex, with a float behind it that may be read */

    /* Which vertices and edges triangles share, of those that have corners: found on first need. */
    PliFeatures *features;
    PliArray feature_corners; /* of uint32_t: corners, with a vertex of its own for unused ones */
    bool has_features;        /* of the corners that are set now */

    /* The buckets. */
    PliArray bucket_of;   /* of uint32_t: of each primitive, or PLI_NO_BUCKET if it is not finite */
    PliArray buckets;     /* of PliBucket */
    int32_t bucket_count; /* in use */
    uint32_t mark;        /* of the last pass over the primitives */
    float usual_size;     /* of a primitive, by pli_size_of() */
    int32_t level_count;  /* of octants above buckets */
    PliBox middles;       /* the box of most midpoints, by pli_quarter_middle() */
    PliArray tables;      /* of the cells */
    PliArray cursors, codes, spare; /* of uint32_t: scratch, by bucket and by primitive */

    /* The tree over the buckets. */
    PliArray order, leaves, nodes, node_slots; /* of int32_t, PliRange, PliTreeNode, PliNodeSlot */
    PliArray node_boxes;                       /* of PliBox, by node */
    PliArray octants;                          /* of int32_t, by node: which octant it is, if any */
    PliArray marks; /* of uint32_t, by octant, level by level: the last pass it was not empty in */
    PliArray sizes; /* of float, by node below a bucket: of its children when it was sorted, or 0 */
    int32_t octant_count, last_level; /* nodes that are octants, and the first on the last level */

    /* The kept order (sorted.c). */
    int32_t ordered_count; /* primitives when the order was last updated; 0: there is no order */
    int32_t kept_count;    /* frames for which that order has been kept */
    int32_t late_first, late_count; /* the first bucket of late primitives, and their number */
    float bucket_size;              /* the mean over all buckets when the order was made */
    int32_t extra_bits;             /* added to the bits of cells, learned from earlier frames */
    PliSoupSample samples[PLI_SOUP_SAMPLES];
    bool has_samples;
    bool is_careful; /* the order was made by place_carefully() */

    /* Octrees, and their order along the axes (buckets.c, axes.c). */
    int32_t asked_levels; /* or 0 */
    PliArray axes[3];     /* of uint64_t, all three of axis_count: axes.c */
    PliArray pointers;    /* of int32_t: where the slices of each axis begin */
    PliArray all_middles; /* of PliFloat4, by primitive: pli_quarter_middle() */
    PliArray keys;        /* of uint64_t: scratch */
    int32_t axis_count;
} PliSoup;

/* A primitive that is this much larger than usual goes to a bucket for large ones: one large box
 * would enlarge that of its whole bucket. */
#define PLI_LARGE 4

/* Initializes an empty soup. */
PliantResult pli_soup_init(PliSoup *soup, const PliantSoupDef *def, const PliantHost *host);

/* Sets new primitives, whose corners have been checked. On failure the soup is unchanged. */
PliantResult pli_soup_borrow(PliSoup *soup, const PliantPrimitives *primitives,
                             const PliantHost *host);
PliantResult pli_soup_copy(PliSoup *soup, const PliantPrimitives *primitives,
                           const PliantHost *host);

/* The corner positions of one primitive now, nine floats. NaN if its index is unused. */
void pli_soup_corners(const PliSoup *soup, int32_t primitive, float *corners);

/* As PliPoseKind.fetch, for a leaf of a tree over an order of its primitives: its own, or another
 * one. Those that have left their place since the order was made are not there. */
void pli_soup_fetch(const PliSoup *soup, const PliTree *tree, int32_t leaf, PliWorker *worker,
                    float *rows, PliLeafBoxes *boxes);

/* The soup of a pose, or NULL if the pose is of another kind. */
PliSoup *pli_soup_of(PliPose *pose);

/* How many corners a primitive has: a segment three, of which the last two are one vertex. */
static inline uint32_t pli_corner_count(const PliSoup *soup)
{
    return soup->primitive_kind == PLIANT_POINTS ? 1 : 3;
}

/* How many of these the caller gives. */
static inline uint32_t pli_given_corner_count(const PliSoup *soup)
{
    return soup->primitive_kind == PLIANT_SEGMENTS ? 2 : pli_corner_count(soup);
}

static inline PliRange pli_range_of(const PliTree *tree, int32_t part)
{
    return part < 0 ? tree->leaves[~part] : tree->nodes[part].range;
}

#endif
