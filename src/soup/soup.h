/* soup: primitives without topology.
 *
 * This folder knows trees and poses, and nothing of shapes. Its one idea: a soup is an order of its
 * primitives in which those that are near each other are near each other, and a tree over the
 * positions of that order. Who is near whom is told by buckets: the primitives whose midpoint is in
 * one cell of a grid. A bucket's box is taken from the primitives that are in it, wherever they are
 * by now, so that a wrong bucket costs time and never a pair.
 *
 * Buckets are numbered along a curve, eight of them make an octant, eight of these the next, and
 * all of that is bounded in one pass over the primitives. Below a bucket there are nodes with full
 * leaves. They are left alone until they are reached, and then sort what they have, if nobody has
 * yet: so that the grid can be coarse and the time goes where it is of use. Sorting exchanges
 * positions within one bucket alone, so that what is at the positions of a bucket is what its box
 * was taken from.
 *
 * What is in which bucket is found in one of four ways: by cells of any grid, whose numbers are
 * sorted (sorted.c); by keeping it as it was (the same); by cells of an octree, or by sorting along
 * each axis from where it was left the last time (buckets.c, axes.c), which are the algorithms of
 * Ganovelli, Dingliana and O'Sullivan, "BucketTree: Improving Collision Detection Between
 * Deformable Objects", 2000.
 */
#ifndef PLI_SOUP_H
#define PLI_SOUP_H

#include "pose/pose.h"
#include <pliant/soup.h>

/* ---- Grids: grid.c ----------------------------------------------------------------------------
 */

/* Cells of a box, numbered along a curve: what is halved first is the highest bit. */
typedef struct PliCells {
    PliFloat4 low, scale, most; /* (x - low) * scale, and from 0 to `most`, is the place along x */
    const uint32_t *tables[3];  /* the bits of the number, by the place along each axis */
    int32_t bits;               /* of the number */
} PliCells;

enum { PLI_MOST_AXIS_BITS = 10 };

/* Halves the box across its longest side, so many times; or, if it has no more extent, fewer.
 * `room` is for three tables of 2^min(bits, PLI_MOST_AXIS_BITS). */
void pli_cells_halve(PliCells *cells, const PliBox *box, int32_t bits, uint32_t *room);

/* Halves it across all three, so many times. */
void pli_cells_octants(PliCells *cells, const PliBox *box, int32_t levels, uint32_t *room);

static inline uint32_t pli_cell_of(const PliCells *cells, PliFloat4 point)
{
    const PliFloat4 none = {0, 0, 0, 0};
    PliFloat4 place = pli_max4((point - cells->low) * cells->scale, none); /* NaN becomes 0 */
    PliInt4 at = __builtin_convertvector(pli_min4(place, cells->most), PliInt4);
    return cells->tables[0][at[0]] | cells->tables[1][at[1]] | cells->tables[2][at[2]];
}

/* ---- Halving: halve.c --------------------------------------------------------------------------
 */

/* The midpoint of a primitive, and as its fourth the bits of a number. */
typedef PliFloat4 PliItem;

static inline PliItem pli_item(PliFloat4 middle, int32_t number)
{
    PliInt4 item = (PliInt4)middle;
    item[3] = number;
    return (PliItem)item;
}

static inline int32_t pli_item_number(PliItem item)
{
    return ((PliInt4)item)[3];
}

/* Sorts items so that each sixteen are near each other, and each 32, 64 and so on of these. They
 * end up where it says, among the items or the spare ones. */
PliItem *pli_items_halve(PliItem *items, PliItem *spare, int32_t count);

/* ---- Soups -------------------------------------------------------------------------------------
 */

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

/* One of three arrays, each of all primitives in the order of a coordinate. */
typedef struct PliAxisItem {
    float key;
    int32_t primitive;
} PliAxisItem;

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
    PliArray axes[3];     /* of PliAxisItem, all three of axis_count */
    PliArray pointers;    /* of int32_t: where slices begin, of each axis */
    PliArray all_middles; /* of PliFloat4, by primitive: pli_quarter_middle() */
    PliArray keys;        /* of uint64_t: scratch */
    int32_t axis_count;
} PliSoup;

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

/* ---- Reading: read.c ---------------------------------------------------------------------------
 */

/* The box of a primitive; false if it is not finite, or not there. */
bool pli_soup_read(const PliSoup *soup, int32_t primitive, PliBox *box);

/* The midpoint of a box, a quarter as far from the origin: so that neither this sum nor the
 * distance of two of them can overflow. */
static inline PliFloat4 pli_quarter_middle(const PliBox *box)
{
    return box->low * 0.125f + box->high * 0.125f;
}

/* How large a box is: its sides along all axes; nothing, if it is empty. */
static inline float pli_size_of(const PliBox *box)
{
    const PliFloat4 sides = box->high - box->low;
    const float size = (sides[0] + sides[1]) + sides[2];
    return size > 0 ? size : 0;
}

/* Before any of what follows: the vertices may have changed. */
void pli_soup_start_reading(PliSoup *soup);

/* Puts each primitive into the bucket of its cell, one that is larger than `large` into the bucket
 * that comes so much later, and takes the boxes of all buckets. True if there are such. */
bool pli_soup_read_into(PliSoup *soup, const PliCells *cells, float large, uint32_t large_first);

/* Takes the boxes of all buckets in use anew. Primitives that are finite now may be in none: these
 * are listed, `most` of them at most. */
typedef struct PliKeptCounts {
    int32_t live, late; /* that are in buckets, and that are in none */
} PliKeptCounts;

PliKeptCounts pli_soup_read_kept(PliSoup *soup, uint32_t *late, int32_t most);

/* Puts each primitive into the bucket that it is said to be in, and takes the boxes of all. */
void pli_soup_read_again(PliSoup *soup);

/* Takes all midpoints. Primitives that are finite and in no bucket are listed;
 * those that are not finite are in none from now on, and counted. Returns how many are listed. */
int32_t pli_soup_read_all_middles(PliSoup *soup, uint32_t *late, int32_t *gone_count);

/* The boxes of all primitives at these positions: empty, if one is not finite. */
void pli_soup_read_range(const PliSoup *soup, PliRange range, PliBox *boxes);

/* ---- The tree over the buckets: tree.c ---------------------------------------------------------
 */

/* So many of each there can be. */
typedef struct PliSoupSizes {
    int64_t buckets, table_items, leaves, nodes, marks, pointers;
} PliSoupSizes;

/* Those that follow from the number of buckets. */
PliSoupSizes pli_soup_tree_sizes(int32_t count, int64_t bucket_count);

/* So many levels of octants that the last has a place for each bucket. */
int32_t pli_octant_levels(int64_t bucket_count);

/* Makes the tree over the buckets of the last reading, and says where each of them begins: the
 * first bucket first. */
void pli_soup_make_tree(PliSoup *soup);

/* The boxes of all octants, from those of the buckets. */
void pli_soup_bound(PliSoup *soup, PliWorker *worker);

/* ---- Nodes below a bucket: open.c --------------------------------------------------------------
 */

/* The boxes of the children of such a node. It sorts what it has if it has not done so yet, or if
 * its children have grown more than that since. Of the soup this writes the order of the node's
 * positions, the scratch at these positions, and the node's size: what no other node reads. */
#define PLI_ENOUGH_GROWTH 1.5f
void pli_soup_open(const PliSoup *soup, int32_t node, PliBox *children);

/* ---- Along a curve: sorted.c -------------------------------------------------------------------
 */

PliSoupSizes pli_sorted_sizes(int32_t count);

/* Makes buckets, order and tree right. `scratch` is room for as many boxes as primitives. */
void pli_sorted_update(PliSoup *soup, PliBox *scratch);

/* ---- By octants: buckets.c, axes.c -------------------------------------------------------------
 */

PliSoupSizes pli_buckets_sizes(const PliSoup *soup, int32_t count);
void pli_buckets_update(PliSoup *soup);

/* Puts each primitive into its bucket, from where it was. */
void pli_axes_place(PliSoup *soup, const PliCells *cells);

/* ---- All of them: soup.c, survey.c -------------------------------------------------------------
 */

/* Primitives that are so much larger than usual may have buckets of their own: one large box would
 * spoil all that it is put together with. */
#define PLI_LARGE 4

/* Looks at some of the primitives: where most of them are, and how large. survey.c */
void pli_soup_survey(PliSoup *soup);

/* Puts all primitives into the order. The cursor of each bucket is its first position. */
void pli_soup_fill_order(PliSoup *soup);

#endif
