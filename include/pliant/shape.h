/* Pliant: shapes, what many bodies share.
 *
 * A shape is a triangle mesh at rest, the targets that it can morph to, the joints that its
 * vertices follow, and a tree over its triangles. It never changes once it is made, so that any
 * number of bodies, worlds and threads can share it; it is counted by references, and goes when the
 * last one does. It is one block of memory without pointers, which can be saved as it is and used
 * from a mapped file as it is.
 */
#ifndef PLIANT_SHAPE_H
#define PLIANT_SHAPE_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PliantShape PliantShape;

/* Vertices of the caller, x y z each. */
typedef struct PliantVertices {
    const float *data;
    int32_t count;
    size_t stride; /* bytes from one vertex to the next, a multiple of 4; 0 means 12: no gaps */
} PliantVertices;

/* Triangles of the caller, three vertex indices each, without gaps. */
typedef struct PliantTriangles {
    const uint32_t *data;
    int32_t count;
} PliantTriangles;

/* How the tree is built. Which triangles meet does not depend on it, only how long it takes to say
 * so; and which pair is given where one will do. */
typedef enum PliantTreeKind {
    PLIANT_TREE_FULL,      /* by surface area, all nodes and leaves full: the fastest */
    PLIANT_TREE_MIDDLE,    /* split at the middle of the box (Larsson and Akenine-Moller 2001) */
    PLIANT_TREE_MEAN,      /* split at the mean of the triangles' midpoints (likewise) */
    PLIANT_TREE_CONNECTED, /* every node a connected patch of the mesh (likewise) */
} PliantTreeKind;

/* What a morph target is, and with that where a vertex of a body with weights is. In float32, each
 * operation rounded, targets in their order, those of weight zero left out: */
typedef enum PliantMorphKind {
    PLIANT_MORPH_DISPLACEMENTS, /* ((rest + w0 * d0) + w1 * d1) + ...: any weights, as in glTF */
    PLIANT_MORPH_REFERENCES, /* (w0 * p0 + w1 * p1) + ...: positions; weights of sum one, as a rule
                              */
} PliantMorphKind;

/* A morph target. Every number must be finite. */
typedef struct PliantTarget {
    PliantVertices vertices; /* displacements, or positions */
    const uint32_t *indices; /* of displacements: the vertices that they belong to, rising, all
                                others stay where they are; NULL: one for every vertex */
} PliantTarget;

/* What vertices follow: joints, each with a weight. A vertex p, at rest or morphed, goes to
 *   ((w_a * (M_a p)) + w_b * (M_b p)) + ...
 * in float32, each operation rounded, over its joints a < b < ... of nonzero weight, where M p is
 * as in PliantTransform. One that has none goes to the origin. Where a vertex names a joint twice,
 * the weights are added. */
typedef struct PliantSkin {
    int32_t joint_count;     /* 0: no skin; to 65536 */
    int32_t influence_count; /* of every vertex: 1 to 8 */
    const uint16_t *joints;  /* influence_count for each vertex */
    const float *weights; /* likewise: not negative, of any sum below 2^126; that of a place which
                             is not used is zero, and its joint may then be any */
} PliantSkin;

/* What is done with triangles that are large beside the others, such as those of a wall. They are
 * found by smaller pieces, each of which leads to the same triangle. No answer depends on it, only
 * its time. */
typedef enum PliantDivideKind {
    PLIANT_DIVIDE_AUTO, /* where it pays: docs/characters.md has the rule, and what it is from */
    PLIANT_DIVIDE_NONE, /* never */
    PLIANT_DIVIDE_QUARTERS, /* into four, and those into four, until they are small */
    PLIANT_DIVIDE_CORNERS,  /* the same, but only along the edges of the triangle: a corner-tree
                               (Mujika and others) */
} PliantDivideKind;

/* What bounds the parts of a body that rests, morphs or follows joints; one whose vertices are
 * given has boxes. No answer depends on it, only its time; docs/morphs.md says when each is worth
 * it. Bodies that have different bounds are compared by their boxes, which all have. */
typedef enum PliantBoundKind {
    PLIANT_BOUND_DOP18,  /* along the axes and the six diagonals of a cube's faces: the tightest */
    PLIANT_BOUND_DOP14,  /* along the axes and the four diagonals of a cube */
    PLIANT_BOUND_BOX,    /* along the axes: the least memory */
    PLIANT_BOUND_SPHERE, /* round */
} PliantBoundKind;

/* Start from pliant_shape_def_default(). Everything is borrowed for the time of the call. */
typedef struct PliantShapeDef {
    size_t struct_size;
    PliantVertices vertices;   /* at least one; NaN and infinity are allowed, and counted */
    PliantTriangles triangles; /* at least one; every index is checked */
    PliantTreeKind tree_kind;
    int32_t tree_child_count; /* children of a node at most: 2, 4 or 8 (default) */
    int32_t tree_leaf_size;   /* triangles of a leaf at most: 1 to 16 (default) */
    const PliantHost *host;   /* NULL: the defaults */

    /* Morphing: see pliant_body_set_weights(). */
    PliantMorphKind morph_kind;
    const PliantTarget *targets;
    int32_t target_count;      /* 0: none */
    const float *tree_weights; /* of the targets, for the mesh that the tree is made for; NULL: that
                                  at rest, or the average of all references */
    PliantBoundKind bound_kind;
    int32_t between_count; /* for bodies that blend two neighbouring references at a time: so many
                              bounds between each two, for tighter ones; 0 (default) to 15 */

    /* Skinning, of what is at rest or morphed: see pliant_body_set_joints(). */
    PliantSkin skin;

    /* Large triangles. Shapes with targets, a skin or a tree of connected patches are not divided:
     * PLIANT_DIVIDE_AUTO leaves them alone, and others are refused. There are at most four pieces
     * for each triangle, and 262,144 more; pieces are larger where that is not enough. */
    PliantDivideKind divide_kind;
    float
        divide_size; /* the longest edge that is left alone; 0 (default): by the other triangles */
} PliantShapeDef;

PLIANT_API PliantShapeDef pliant_shape_def_default(void);

/* Makes a shape, with one reference, which is the caller's. Copies what it keeps. O(n log n).
 * Fails with PLIANT_BAD_DEF, PLIANT_BAD_ARGUMENT, PLIANT_BAD_INDEX, PLIANT_TOO_LARGE or
 * PLIANT_OUT_OF_MEMORY. */
PLIANT_API PliantResult pliant_shape_create(const PliantShapeDef *def, PliantShape **shape);

/* One more reference, and one less; the last one frees the shape. Any thread. NULL is ignored. */
PLIANT_API void pliant_shape_retain(PliantShape *shape);
PLIANT_API void pliant_shape_release(PliantShape *shape);

typedef struct PliantShapeInfo {
    int32_t vertex_count, triangle_count;
    int32_t nonfinite_count; /* triangles with a NaN or an infinity at rest */
    int32_t target_count, joint_count;
    int32_t piece_count; /* that triangles were divided into, whole ones among them */
    int32_t leaf_count, node_count, level_count; /* of the tree */
    size_t byte_size;                            /* of the block that holds it all */
    bool is_closed; /* each edge is there as often in one direction as in the other, by vertices'
                       numbers: however it bends, it has an inside. Meshes that are closed only
                       since vertices are in the same place are not known to be */
} PliantShapeInfo;

PLIANT_API PliantShapeInfo pliant_shape_info(const PliantShape *shape);

/* Rest vertices (three floats each, without gaps) and triangles (three indices each), in the order
 * in which they were given. Borrowed: valid while the shape is. */
PLIANT_API const float *pliant_shape_vertices(const PliantShape *shape);
PLIANT_API const uint32_t *pliant_shape_triangles(const PliantShape *shape);

/* The vertices in the order in which the tree comes to them: element i is the vertex that stands at
 * place i. Nothing has to be done with it. But bodies whose vertices are given each frame are
 * updated faster if the mesh itself has its vertices in this order, before the shape is made of it.
 * Borrowed. */
PLIANT_API const int32_t *pliant_shape_vertex_order(const PliantShape *shape);

/* The shape as bytes, to be written to a file as they are: borrowed, valid while the shape is. They
 * begin with a magic number, a version and a mark of byte order (little-endian), and have a
 * checksum. */
PLIANT_API const void *pliant_shape_data(const PliantShape *shape, size_t *byte_size);

/* Makes a shape of such bytes, aligned to 64 as a mapped file is, *without copying*: they must stay
 * as they are while the shape lives. Everything in them is checked, O(n), so that a damaged or
 * hostile file is refused. Fails with PLIANT_BAD_DATA, PLIANT_BAD_VERSION (another version of the
 * format, or another byte order), PLIANT_BAD_ARGUMENT or PLIANT_OUT_OF_MEMORY. */
PLIANT_API PliantResult pliant_shape_map(const void *data, size_t byte_size, const PliantHost *host,
                                         PliantShape **shape);

#ifdef __cplusplus
}
#endif

#endif
