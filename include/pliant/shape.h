/* Pliant: shapes, the immutable meshes that bodies share.
 *
 * A shape is a triangle mesh in its rest pose, optionally with segments (rods, hair, yarn), its
 * morph targets and a skin, and a tree over its triangles and segments. It never changes once it is
 * created, so any number of bodies, worlds and threads can share it. It is reference-counted: the
 * last release frees it. It is one block of memory without pointers, which can be saved as it is
 * and used from a mapped file as it is.
 *
 *     PliantShapeDef def = pliant_shape_def_default();
 *     def.vertices = (PliantVertices){positions, vertex_count, 0};
 *     def.triangles = (PliantTriangles){indices, triangle_count};
 *     PliantShape *shape;
 *     PliantResult result = pliant_shape_create(&def, &shape);
 *
 * Threads: all calls may be made from any thread.
 */
#ifndef PLIANT_SHAPE_H
#define PLIANT_SHAPE_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PliantShape PliantShape;

/* ---- Meshes -------------------------------------------------------------------------------- */

/* A value: vertices of the caller, x y z each. */
typedef struct PliantVertices {
    const float *data;
    int32_t count;
    size_t stride; /* bytes from one vertex to the next, a multiple of 4, at most 2^20; 0 means 12:
                      no gaps */
} PliantVertices;

/* A value: triangles of the caller, three vertex indices each, without gaps. */
typedef struct PliantTriangles {
    const uint32_t *data;
    int32_t count;
} PliantTriangles;

/* A value: segments of the caller, two vertex indices each, without gaps. A segment from a to b is
 * the triangle a, b, b in all answers that ask for corners. It touches what shares a point with it.
 * It has two vertices and one edge. If a and b are one vertex, it is a point. It has no area: a
 * surface, its inside, its regions and its volume are those of the triangles alone. */
typedef struct PliantSegments {
    const uint32_t *data;
    int32_t count;
} PliantSegments;

/* ---- Large triangles ------------------------------------------------------------------------- */

/* What is done with triangles that are large beside the others, such as those of a wall: the tree
 * has smaller pieces of them, each of which leads to the whole triangle. Affects speed, and which
 * pair FIRST and ANY queries return. Never affects the set of contacts. */
typedef enum PliantDivideKind {
    PLIANT_DIVIDE_AUTO,     /* where it pays; docs/large-triangles.md has the rule */
    PLIANT_DIVIDE_NONE,     /* never */
    PLIANT_DIVIDE_QUARTERS, /* into four, and these into four, until they are small */
    PLIANT_DIVIDE_CORNERS,  /* the same, but only along the edges of the triangle: a corner-tree
                               (Mujika and others) */
} PliantDivideKind;

/* ---- Morph targets and skins --------------------------------------------------------------- */

/* What a morph target is, and with that the vertices of a body with weights. Evaluated in float32,
 * each operation rounded, targets in their order, those of weight zero skipped: */
typedef enum PliantMorphKind {
    PLIANT_MORPH_DISPLACEMENTS, /* ((rest + w0 * d0) + w1 * d1) + ...: any weights, as in glTF */
    PLIANT_MORPH_REFERENCES,    /* (w0 * p0 + w1 * p1) + ...: positions; weights that sum to 1, as a
                                   rule */
} PliantMorphKind;

/* A value: a morph target. Every number must be finite. */
typedef struct PliantTarget {
    PliantVertices vertices; /* displacements, or positions */
    const uint32_t *indices; /* of displacements: the vertices that they belong to, ascending; all
                                other vertices stay. NULL: one for every vertex */
} PliantTarget;

/* A record: the joints that vertices follow, each with a weight. Start from pliant_skin_default().
 * A vertex p, in its rest pose or morphed, goes to
 *     ((w_a * (M_a p)) + w_b * (M_b p)) + ...
 * in float32, each operation rounded, over its joints a < b < ... of nonzero weight; M p is as in
 * PliantTransform. A vertex without joints goes to the origin. Where a vertex names a joint twice,
 * the weights are added. */
typedef struct PliantSkin {
    size_t struct_size;
    int32_t joint_count;     /* 1 to 65,536 */
    int32_t influence_count; /* of every vertex: 1 to 8 */
    const uint16_t *joints;  /* influence_count for each vertex */
    const float *weights;    /* likewise: not negative, with a sum below 2^126; an unused influence
                                has weight zero, and any joint */
} PliantSkin;

static inline PliantSkin pliant_skin_default(void)
{
    PliantSkin skin = PLIANT_ZEROS;
    skin.struct_size = sizeof skin;
    return skin;
}

/* ---- Creating ------------------------------------------------------------------------------ */

/* A record. Start from pliant_shape_def_default(). Everything in it is borrowed for the time of the
 * call. */
typedef struct PliantShapeDef {
    size_t struct_size;
    PliantVertices vertices;   /* at least one; NaN and infinity are allowed, and counted */
    PliantTriangles triangles; /* at least one, or segments; every index is checked */
    const PliantHost *host;    /* copied; NULL: the defaults. With more than one worker, a shape of
                                  16,384 triangles or more is built in tasks, some of which call
                                  `allocate` and `release`, at the same time. `run` is not called once
                                  the shape is created */

    /* Morph targets: see pliant_body_set_weights(). */
    const PliantTarget *targets;
    int32_t target_count; /* 0: none */
    PliantMorphKind morph_kind;
    const float *tree_weights; /* one for each target: the tree is built for the mesh with these
                                  weights; NULL: for the rest pose, or the mean of all references */
    int32_t between_count; /* for bodies that blend two consecutive references at a time: so many
                              bounds between each two, for tighter ones; 0 (default) to 15 */

    /* Large triangles. Shapes with targets, a skin or a tree of connected patches are not divided:
     * PLIANT_DIVIDE_AUTO leaves them as they are, other kinds fail. There are at most four pieces
     * for each triangle, plus 262,144; pieces are larger where that is not enough. */
    PliantDivideKind divide_kind;
    float divide_size; /* triangles whose longest edge is at most this are not divided; 0 (default):
                          by the other triangles */

    uint32_t reserved; /* 0 */

    /* A skin, over the rest pose or the morphed one: see pliant_body_set_joints(). NULL: none. */
    const PliantSkin *skin;

    /* Groups of vertices that are one vertex of the surface, split at a seam of shading or texture:
     * for each vertex the lowest one of its group, as pliant_mesh_weld() writes them. NULL: each
     * vertex is a group of its own. is_closed, the edges and self-collision go by groups: triangles
     * share a vertex if corners of both are in one group and at the same place in the pose of the
     * body. Vertices of a group that are apart in a pose are different vertices there: no pair is
     * missed or excluded for being in one group, and a body that is closed only by such a group is
     * not closed. Indices in answers stay those of the def. Never affects the contacts of different
     * bodies. */
    const uint32_t *groups;

    const struct PliantExperiments *experiments; /* NULL, the default: see pliant/experiments.h */

    /* Edges without triangles, which may have vertices in common with triangles and with each
     * other. Default: none. Answers number segment i as triangle `triangles.count + i`. They follow
     * targets, joints and supplied vertices like triangles do. At most 715,827,882 together. */
    PliantSegments segments;
} PliantShapeDef;

static inline PliantShapeDef pliant_shape_def_default(void)
{
    PliantShapeDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Finds vertices that are one, split at a seam of shading or texture, as in glTF. Sets groups[v] to
 * the lowest vertex that has the same position in the rest pose (-0 equals 0), the same
 * displacements or positions in all targets (a vertex that a target does not move has zeros), and
 * the same joints of nonzero weight with the same weights. Vertices that are not finite are groups
 * of their own. `capacity` is the length of `groups`, at least def.vertices.count; further entries
 * stay as they are. Sets `group_count`, unless it is NULL, to the number of groups. Reads the
 * vertices, targets, skin and host of the def; triangles may be missing. O(n) for each number of a
 * vertex. Give the groups to a shape with def.groups; or use them to renumber the triangles.
 *
 * Fails with PLIANT_BAD_DEF, PLIANT_BAD_ARGUMENT (NULL, a value that is not valid, or a capacity
 * that is too small), PLIANT_BAD_INDEX, PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY: the outputs are
 * as they were. Any thread. */
PLIANT_API PliantResult pliant_mesh_weld(const PliantShapeDef *def, uint32_t *groups,
                                         int64_t capacity, int32_t *group_count);

/* Creates a shape with one reference, which the caller owns. Copies what it keeps. O(n log n). The
 * shape is the same, byte for byte, for any number of workers.
 * Fails with PLIANT_BAD_DEF, PLIANT_BAD_ARGUMENT, PLIANT_BAD_INDEX, PLIANT_TOO_LARGE or
 * PLIANT_OUT_OF_MEMORY. Any thread. */
PLIANT_API PliantResult pliant_shape_create(const PliantShapeDef *def, PliantShape **shape);

/* Adds a reference, or releases one; the last release frees the shape. NULL is ignored. Any thread.
 */
PLIANT_API void pliant_shape_retain(PliantShape *shape);
PLIANT_API void pliant_shape_release(PliantShape *shape);

/* ---- What a shape is ----------------------------------------------------------------------- */

/* A record. Start from pliant_shape_info_default(). */
typedef struct PliantShapeInfo {
    size_t struct_size;
    size_t byte_size;                     /* of the block that holds all of it */
    int32_t vertex_count, triangle_count; /* segments included: they come behind the triangles */
    int32_t nonfinite_count;              /* triangles with a NaN or an infinity in the rest pose */
    int32_t target_count, joint_count;
    int32_t piece_count; /* of divided triangles, plus the triangles that are not divided */
    int32_t leaf_count, node_count, level_count; /* of the tree */
    bool is_closed; /* each edge, by vertex indices, occurs equally often in both directions, so the
                       body has an inside in any pose. By groups, if the def had them; then in any
                       pose in which the vertices of each group are together. A mesh that is closed
                       only because other vertices have equal positions is not known to be. By its
                       triangles: segments do not count, and a shape of segments alone is not closed
                     */
    int32_t segment_count; /* of triangle_count: the last so many are segments */
} PliantShapeInfo;

static inline PliantShapeInfo pliant_shape_info_default(void)
{
    PliantShapeInfo info = PLIANT_ZEROS;
    info.struct_size = sizeof info;
    return info;
}

/* Returns what a shape is. O(1). Fails with PLIANT_BAD_ARGUMENT if a pointer is NULL,
 * PLIANT_BAD_DEF if info.struct_size is wrong. Any thread. */
PLIANT_API PliantResult pliant_shape_info(const PliantShape *shape, PliantShapeInfo *info);

/* Return the vertices of the rest pose (three floats each, without gaps) and the triangles (three
 * indices each), in the order in which they were given; then the segments, of which the second
 * index is there twice. Borrowed: valid while the shape is. NULL if the shape is NULL. Any thread.
 */
PLIANT_API const float *pliant_shape_vertices(const PliantShape *shape);
PLIANT_API const uint32_t *pliant_shape_triangles(const PliantShape *shape);

/* Returns the vertices in the order of the tree: element i is the index of a vertex. A mesh whose
 * vertices are in this order before its shape is created is updated faster by caller-supplied
 * vertices; otherwise it has no effect. Borrowed: valid while the shape is. NULL if the shape is
 * NULL. Any thread. */
PLIANT_API const int32_t *pliant_shape_vertex_order(const PliantShape *shape);

/* Sets `edges` to the edges of the mesh: two vertices each (the lowest of groups, if the def had
 * them), the lower one first. Edges are in rising order of these two, each once, however many
 * triangles and segments have it and in whichever direction. A side of a triangle whose ends are
 * one vertex is no edge. Queries name an edge by its index here. Found in the first call, O(n),
 * then O(1). Borrowed: valid while the shape is. Fails with PLIANT_BAD_ARGUMENT if a pointer is
 * NULL, or PLIANT_OUT_OF_MEMORY: the outputs are as they were. Any thread. */
PLIANT_API PliantResult pliant_shape_edges(PliantShape *shape, const uint32_t **edges,
                                           int32_t *edge_count);

/* Sets, and returns, 64 bits that belong to the caller; 0 at first. They are atomic, and are not
 * saved. A NULL shape is ignored, and has 0. Any thread. */
PLIANT_API void pliant_shape_set_user_data(PliantShape *shape, uint64_t user_data);
PLIANT_API uint64_t pliant_shape_user_data(const PliantShape *shape);

/* ---- Saving and mapping -------------------------------------------------------------------- */

/* Returns the shape as bytes, which can be written to a file as they are, and sets `byte_size` to
 * their number. They begin with a magic number, a version and a mark of byte order (little-endian),
 * and have a checksum. Borrowed: valid while the shape is. NULL and 0 if the shape is NULL. Any
 * thread. */
PLIANT_API const void *pliant_shape_data(const PliantShape *shape, size_t *byte_size);

/* Creates a shape from such bytes *without copying*: they must be aligned to 64, as a mapped file
 * is, and stay valid and unchanged while the shape lives. Everything in them is checked, O(n), so a
 * damaged or malformed file fails. A NULL host means the defaults. Fails with PLIANT_BAD_DATA,
 * PLIANT_BAD_VERSION (another version of the format, or another byte order), PLIANT_BAD_ARGUMENT,
 * PLIANT_BAD_DEF or PLIANT_OUT_OF_MEMORY. Any thread. */
PLIANT_API PliantResult pliant_shape_map(const void *data, size_t byte_size, const PliantHost *host,
                                         PliantShape **shape);

#ifdef __cplusplus
}
#endif

#endif
