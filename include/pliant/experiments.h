/* Pliant: experiments, the switches that comparisons with papers need.
 *
 * Nothing in this header is frozen at 1.0: any version may rename, change or remove it. Programs
 * that do not compare algorithms need none of it: the defaults were the fastest in almost every
 * measurement (docs/papers.md).
 *
 *     PliantExperiments experiments = pliant_experiments_default();
 *     experiments.tree_kind = PLIANT_TREE_CONNECTED;
 *     def.experiments = &experiments;
 *     pliant_shape_create(&def, &shape);
 *
 * Kinds affect speed, and which pair FIRST and ANY queries return. They never affect the set of
 * contacts. Approximations do.
 */
#ifndef PLIANT_EXPERIMENTS_H
#define PLIANT_EXPERIMENTS_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Shapes -------------------------------------------------------------------------------- */

/* How the tree of a shape is built. */
typedef enum PliantTreeKind {
    PLIANT_TREE_FULL,      /* by surface area, all nodes and leaves full: the fastest */
    PLIANT_TREE_MIDDLE,    /* split at the middle of the box (Larsson and Akenine-Moller 2001) */
    PLIANT_TREE_MEAN,      /* split at the mean of the triangles' midpoints (same paper) */
    PLIANT_TREE_CONNECTED, /* each node is a connected patch of the mesh (same paper) */
} PliantTreeKind;

/* What bounds the nodes of a body in its rest pose, morphed or skinned. Bodies with caller-supplied
 * vertices have boxes. Bodies with different bounds are compared by their boxes, which all have.
 * docs/morphs.md says when each is worth it. */
typedef enum PliantBoundKind {
    PLIANT_BOUND_DOP18, /* slabs along the axes and the six diagonals of a cube's faces: tightest */
    PLIANT_BOUND_DOP14, /* slabs along the axes and the four diagonals of a cube */
    PLIANT_BOUND_BOX,   /* slabs along the axes: the least memory */
    PLIANT_BOUND_SPHERE,
} PliantBoundKind;

/* ---- Worlds -------------------------------------------------------------------------------- */

/* The broad phase: how pairs of bodies whose boxes overlap are found. */
typedef enum PliantBroadKind {
    PLIANT_BROAD_AUTO,  /* by the number of bodies */
    PLIANT_BROAD_BRUTE, /* all pairs: the fastest for few bodies */
    PLIANT_BROAD_SWEEP, /* sweep and prune, sorted from the order of the last query: for many */
} PliantBroadKind;

/* How the bounds of a body are updated when all of its vertices may have moved. */
typedef enum PliantUpdateKind {
    PLIANT_UPDATE_HYBRID,    /* the upper part of the tree in one pass, the rest where reached */
    PLIANT_UPDATE_BOTTOM_UP, /* the whole tree, from the leaves up */
    PLIANT_UPDATE_TOP_DOWN,  /* only what is reached */
} PliantUpdateKind;

/* Sets how a body with caller-supplied vertices is updated. Fails with PLIANT_BAD_ARGUMENT if the
 * body is a soup. Changes the world. */
PLIANT_API PliantResult pliant_body_set_update_kind(PliantWorld *world, PliantBody body,
                                                    PliantUpdateKind kind);

/* ---- Soups --------------------------------------------------------------------------------- */

/* How the primitives of a soup are kept in order. docs/soups.md has the cost of each. */
typedef enum PliantSoupKind {
    PLIANT_SOUP_AUTO,    /* keeps the order while it is good, then sorts */
    PLIANT_SOUP_SORTED,  /* sorts along a space-filling curve each time */
    PLIANT_SOUP_BUCKETS, /* an octree of buckets, each primitive put into its bucket each time */
    PLIANT_SOUP_COHERENT_BUCKETS, /* the same octree, by sorting along the axes from the last order
                                   */
} PliantSoupKind;

enum { PLIANT_MAX_SOUP_LEVELS = 7 };

/* ---- Queries ------------------------------------------------------------------------------- */

/* What a query may get wrong, for less work: bits. docs/large-triangles.md says how often. */
enum {
    /* A divided triangle is taken for its whole plane, and the triangle near it for a ball:
     * contacts are reported that are none (false positives). */
    PLIANT_APPROXIMATE_PLANES = 1 << 0,
    /* Triangles whose three neighbors are tested are skipped: contacts are missed in which nothing
     * touches an edge of a skipped triangle (false negatives). */
    PLIANT_APPROXIMATE_EDGES = 1 << 1,
};

/* ---- All of them --------------------------------------------------------------------------- */

/* A record. Start from pliant_experiments_default(). Borrowed for the time of the call. A call
 * checks all fields, and uses those of its section: calls with another def ignore them. */
typedef struct PliantExperiments {
    size_t struct_size;

    /* PliantShapeDef */
    PliantTreeKind tree_kind;   /* default PLIANT_TREE_FULL */
    int32_t tree_child_count;   /* children of a node at most: 2, 4 or 8 (default) */
    int32_t tree_leaf_size;     /* triangles of a leaf at most: 1 to 16 (default) */
    PliantBoundKind bound_kind; /* default PLIANT_BOUND_DOP18 */

    /* PliantWorldDef */
    PliantBroadKind broad_kind; /* default PLIANT_BROAD_AUTO */

    /* PliantSoupDef */
    PliantSoupKind soup_kind; /* default PLIANT_SOUP_AUTO */
    int32_t soup_level_count; /* of the octree of buckets: 1 to PLIANT_MAX_SOUP_LEVELS, each with
                                 eight times the memory of the last (7 levels: 110 MB); 0 (default):
                                 by the number of primitives */

    /* PliantCollideDef */
    uint32_t approximations; /* PLIANT_APPROXIMATE_* bits; 0 (default): exact. Refused for
                                a body with itself. pliant_contacts_regions() refuses approximate
                                contacts */
} PliantExperiments;

static inline PliantExperiments pliant_experiments_default(void)
{
    PliantExperiments experiments = PLIANT_ZEROS;
    experiments.struct_size = sizeof experiments;
    experiments.tree_child_count = 8;
    experiments.tree_leaf_size = 16;
    return experiments;
}

#ifdef __cplusplus
}
#endif

#endif
