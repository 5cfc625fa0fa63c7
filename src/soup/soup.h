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
#include <pliant/soup.h>

#define PLI_NO_BUCKET UINT32_MAX

/* Positions are counted in steps of a node of leaves. */
enum { PLI_MOST_PRIMITIVES = INT32_MAX - 8 * PLI_LEAF_SIZE };

/* A node of leaves has so many positions at most. */
enum { PLI_LEAF_NODE_SIZE = 8 * PLI_LEAF_SIZE };

/* How large a bucket was when the order was made, by some of its midpoints. */
enum { PLI_SOUP_SAMPLES = 16 };
typedef struct PliSoupSample {
    int32_t bucket;
    float size;
} PliSoupSample;

typedef struct PliBucket {
    PliBox box;
    uint32_t mark;        /* of which reading the box is; of another: there is nothing in it */
    int32_t first, count; /* positions */
    float size;           /* of the box when the order was made */
} PliBucket;

typedef struct PliSoup {
    PliPose base;  /* first */
    PliTree *tree; /* its own */
    PliantPrimitiveKind primitive_kind;
    PliantSoupKind kind;

    /* What it is made of. */
    PliVertexView vertices;
    const uint32_t *corners;           /* or NULL */
    PliArray vertex_copy, corner_copy; /* of float and of uint32_t, if they are not borrowed */
    int32_t count;
    bool is_new;  /* all that has been set since the last update */
    float end[4]; /* the last vertex, behind which something can be read */

    /* Where its primitives are. */
    PliArray bucket_of;   /* of uint32_t: of each primitive, or PLI_NO_BUCKET if it is not finite */
    PliArray buckets;     /* of PliBucket */
    int32_t bucket_count; /* so many are in use */
    uint32_t mark;        /* of the last reading */
    float usual_size;     /* of a primitive, by pli_size_of() */
    int32_t level_count;  /* of octants above buckets */
    PliBox middles;       /* the box of most midpoints, by pli_quarter_middle() */
    PliArray tables;      /* of the cells */
    PliArray cursors, codes, spare; /* of uint32_t: scratch, by bucket and by primitive */

    /* The tree over them. */
    PliArray order, leaves, nodes, places; /* of int32_t, PliRange, PliTreeNode, PliNodePlace */
    PliArray node_boxes;                   /* of PliBox, by node */
    PliArray octants;                      /* of int32_t, by node: which octant it is, if any */
    PliArray marks; /* of uint32_t, by octant, level by level: in which reading it was not empty */
    PliArray sizes; /* of float, by node below a bucket: of its children when it was sorted, or 0 */
    int32_t octant_count, last_level; /* nodes that are octants, and the first on the last level */

    /* If it is sorted and kept. */
    int32_t taken_count; /* primitives that buckets know of, in or out; 0: no order is there */
    int32_t kept_count;  /* how often that order has been kept */
    int32_t late_first, late_count; /* buckets and primitives that came late */
    float bucket_size;              /* of all buckets when it was made, on average */
    int32_t more_bits;              /* that cells are to have, from experience */
    PliSoupSample samples[PLI_SOUP_SAMPLES];
    bool has_samples;
    bool is_careful; /* it was halved down to buckets */

    /* If it is of octants, or also kept along the axes. */
    int32_t asked_levels; /* or 0 */
    PliArray axes[3];     /* of uint64_t, all three of axis_count: axes.c */
    PliArray pointers;    /* of int32_t: where slices begin, of each axis */
    PliArray all_middles; /* of PliFloat4, by primitive: pli_quarter_middle() */
    PliArray keys;        /* of uint64_t: scratch */
    int32_t axis_count;
} PliSoup;

/* Primitives that are so much larger than usual may have buckets of their own: one large box would
 * spoil all that it is put together with. */
#define PLI_LARGE 4

/* The soup of nothing. */
PliantResult pli_soup_init(PliSoup *soup, const PliantSoupDef *def, const PliantHost *host);

/* New primitives, whose corners are right. On failure the soup is as it was. */
PliantResult pli_soup_borrow(PliSoup *soup, const PliantPrimitives *primitives,
                             const PliantHost *host);
PliantResult pli_soup_copy(PliSoup *soup, const PliantPrimitives *primitives,
                           const PliantHost *host);

/* The corners of one primitive as they are now, nine floats: NaN if its place is empty. */
void pli_soup_corners(const PliSoup *soup, int32_t primitive, float *corners);

/* The soup that a pose is, or NULL if it is of another kind. */
PliSoup *pli_soup_of(PliPose *pose);

/* How many corners a primitive has. */
static inline uint32_t pli_corner_count(const PliSoup *soup)
{
    return soup->primitive_kind == PLIANT_POINTS ? 1 : 3;
}

static inline PliRange pli_range_of(const PliTree *tree, int32_t part)
{
    return part < 0 ? tree->leaves[~part] : tree->nodes[part].range;
}

#endif
