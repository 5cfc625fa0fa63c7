/* Pliant: worlds, the bodies in them, and where they touch.
 *
 * A body is a shape in motion. It rests as its shape does and moves by its transform; or it morphs,
 * by weights, and follows joints; or its vertices are given anew, all of them, as often as they
 * change. A world holds bodies and answers questions about them:
 *
 *     pliant_body_borrow_vertices(world, cloth, (PliantVertices){positions, count, 0});
 *     pliant_body_set_weights(world, face, weights, 52);
 *     pliant_body_set_joints(world, walker, matrices, 53);
 *     pliant_body_set_transform(world, table, &placed);
 *     PliantContacts hits;
 *     pliant_world_collide(world, PLIANT_ALL_PAIRS, &hits);
 *
 * There is no call that brings a world up to date, and so none that could be forgotten: a query
 * looks at what has been set, does what it needs and nothing else. Answers are exact, complete and
 * in one order, whatever the machine.
 *
 * A world belongs to one thread at a time; different worlds to any. Shapes are shared by all.
 */
#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include <pliant/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Worlds -------------------------------------------------------------------------------- */

typedef struct PliantWorld PliantWorld;

/* How pairs of bodies that may touch are found. The answers do not depend on it. */
typedef enum PliantBroadKind {
    PLIANT_BROAD_AUTO,  /* by the number of bodies */
    PLIANT_BROAD_BRUTE, /* each against each: best for few */
    PLIANT_BROAD_SWEEP, /* sweep and prune, sorted from where the last query left it: for many */
} PliantBroadKind;

/* Start from pliant_world_def_default(). */
typedef struct PliantWorldDef {
    size_t struct_size;
    PliantBroadKind broad_kind;
    uint32_t cpu_mask;      /* instruction sets that may be used: PLIANT_CPU_ALL */
    const PliantHost *host; /* NULL: the defaults */
} PliantWorldDef;

PLIANT_API PliantWorldDef pliant_world_def_default(void);

/* Makes an empty world; a NULL def means the defaults. Fails with PLIANT_BAD_DEF,
 * PLIANT_BAD_ARGUMENT or PLIANT_OUT_OF_MEMORY. */
PLIANT_API PliantResult pliant_world_create(const PliantWorldDef *def, PliantWorld **world);

/* Takes its bodies along. NULL is ignored. */
PLIANT_API void pliant_world_destroy(PliantWorld *world);

/* ---- Bodies -------------------------------------------------------------------------------- */

/* The name of a body in its world. All zeros is no body. A name is never given twice, so that one
 * that outlives its body is found out (PLIANT_BAD_ID) by every call. */
typedef struct PliantBody {
    uint32_t index, generation;
} PliantBody;

/* Makes a body that rests as its shape does, and keeps a reference to the shape. Fails with
 * PLIANT_BAD_ARGUMENT, PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY. */
PLIANT_API PliantResult pliant_body_create(PliantWorld *world, PliantShape *shape,
                                           PliantBody *body);

PLIANT_API PliantResult pliant_body_destroy(PliantWorld *world, PliantBody body);

/* Is this the name of a body of this world? */
PLIANT_API bool pliant_body_is_alive(const PliantWorld *world, PliantBody body);

/* Where a body is: a vertex p goes to rows * (p, 1), in float32 as
 * ((row[0] * x + row[1] * y) + row[2] * z) + row[3], each operation rounded. Any affine map. One
 * that equals the identity leaves vertices as they are, to the bit. */
typedef struct PliantTransform {
    float rows[3][4];
} PliantTransform;

PLIANT_API PliantTransform pliant_transform_identity(void);

/* The body's transform, of its vertices at rest, morphed or given. Costs nothing but where the body
 * is reached. Every number must be finite. */
PLIANT_API PliantResult pliant_body_set_transform(PliantWorld *world, PliantBody body,
                                                  const PliantTransform *transform);

/* New positions for all vertices of the shape, in its order; `count` must be the shape's. NaN and
 * infinity are allowed: their triangles are in no pair, and are counted in the statistics.
 *
 * `set` copies them. `borrow` keeps the pointer instead: the array is read where it is by every
 * query from now on, so that whatever is written into it counts, and it must stay until other
 * vertices are set or the body is destroyed. Either may fail with PLIANT_OUT_OF_MEMORY, and the
 * body is then as it was; once it has been given vertices, `borrow` asks for no memory. */
PLIANT_API PliantResult pliant_body_set_vertices(PliantWorld *world, PliantBody body,
                                                 PliantVertices vertices);
PLIANT_API PliantResult pliant_body_borrow_vertices(PliantWorld *world, PliantBody body,
                                                    PliantVertices vertices);

/* The weights of the shape's morph targets, `count` of them, which must be the shape's number: any
 * finite numbers. Copied. The body is then its shape at these weights, as PliantMorphKind says, and
 * vertices that were given count no more, until they are given again. Nothing is evaluated but
 * where the body is reached, whatever its size. */
PLIANT_API PliantResult pliant_body_set_weights(PliantWorld *world, PliantBody body,
                                                const float *weights, int32_t count);

/* The matrices of the shape's joints, `count` of them, which must be the shape's number: each takes
 * a vertex from where it is at rest (or morphed) to where that joint alone would have it, which in
 * glTF is the joint's global matrix times its inverse bind matrix. Any affine maps of finite
 * numbers. Copied. Weights that were set still count, and vertices that were given do not. Nothing
 * is evaluated but where the body is reached. */
PLIANT_API PliantResult pliant_body_set_joints(PliantWorld *world, PliantBody body,
                                               const PliantTransform *joints, int32_t count);

/* The vertices as answers speak of them, to the bit: transformed, three floats each, as many as
 * the shape has, or as a soup was given. */
PLIANT_API PliantResult pliant_body_vertices(const PliantWorld *world, PliantBody body,
                                             float *vertices);

/* The corners of some of its triangles alone, such as those that a query found: nine floats each,
 * in the order in which they are asked for, the same vertices to the bit. Nothing else is
 * evaluated: of a body that morphs or follows joints only the leaves that these triangles are in.
 * Triangles may be asked for more than once; those without a corner (the empty places of a soup)
 * are all NaN, and a point is three equal corners. This is no query: what the last one handed out
 * stays. Fails with PLIANT_BAD_INDEX, PLIANT_BAD_ARGUMENT, PLIANT_BAD_ID, PLIANT_TOO_LARGE or
 * PLIANT_OUT_OF_MEMORY; once a body has been asked, and so many triangles at a time, no memory is
 * asked for. */
PLIANT_API PliantResult pliant_body_corners(PliantWorld *world, PliantBody body,
                                            const int32_t *triangles, int64_t count,
                                            float *corners);

/* How the bounds of a body are renewed when all of its vertices may have moved. No answer depends
 * on it, only its time. */
typedef enum PliantUpdateKind {
    PLIANT_UPDATE_HYBRID,    /* the upper part in one pass, the rest where it is reached */
    PLIANT_UPDATE_BOTTOM_UP, /* all of it, from the leaves up */
    PLIANT_UPDATE_TOP_DOWN,  /* all of it where it is reached */
} PliantUpdateKind;

PLIANT_API PliantResult pliant_body_set_update_kind(PliantWorld *world, PliantBody body,
                                                    PliantUpdateKind kind);

/* Two bodies are looked at together if each one's `collides_with` has a bit of the other's
 * `categories`. At first all bits are set in both. */
PLIANT_API PliantResult pliant_body_set_filter(PliantWorld *world, PliantBody body,
                                               uint32_t categories, uint32_t collides_with);

typedef struct PliantBox {
    float low[3], high[3];
} PliantBox;

/* A promise that the body, transformed, stays within this box until told otherwise. While no other
 * body is near it, its vertices are then not even looked at. NULL takes the promise back. What a
 * body has outside of its box may be missed, and nothing else is. */
PLIANT_API PliantResult pliant_body_set_loose_box(PliantWorld *world, PliantBody body,
                                                  const PliantBox *box);

/* ---- Queries ------------------------------------------------------------------------------- */

/* Two triangles that share a point, each by its number in its shape, or by its place in a soup;
 * body_a.index is less than body_b.index, unless it is asked where a body meets itself. */
typedef struct PliantContact {
    PliantBody body_a, body_b;
    int32_t triangle_a, triangle_b;
} PliantContact;

/* Ordered by body_a.index, body_b.index, triangle_a, triangle_b, no two alike. Borrowed: valid
 * until the next query on the world, or the end of it. */
typedef struct PliantContacts {
    const PliantContact *items;
    int64_t count;
    uint32_t approximations; /* 0: the answer is exact, and else what it was that was not */
} PliantContacts;

typedef enum PliantQuery {
    PLIANT_ALL_PAIRS,   /* every pair of triangles, for each pair of bodies */
    PLIANT_FIRST_PAIRS, /* one pair of triangles for each pair of bodies that touch */
    PLIANT_ANY_PAIR,    /* one pair of triangles, if any bodies touch at all */
} PliantQuery;

/* Where the bodies of a world touch. Complete, or it fails with PLIANT_OUT_OF_MEMORY or
 * PLIANT_TOO_LARGE, and the world is as usable as before. Once a world has seen its worst frame, no
 * memory is asked for. */
PLIANT_API PliantResult pliant_world_collide(PliantWorld *world, PliantQuery query,
                                             PliantContacts *contacts);

/* The same for two bodies alone, whatever their filters and loose boxes say. */
PLIANT_API PliantResult pliant_bodies_collide(PliantWorld *world, PliantBody a, PliantBody b,
                                              PliantQuery query, PliantContacts *contacts);

/* Where a body meets itself: pairs of its triangles that share more than they must. What they must
 * share is the convex hull of the vertices that they have in common, by number: neighbours count
 * only where one is folded flat onto the other, or cuts through it. So a mesh whose vertices are
 * not shared along its seams touches itself there; weld it first. Both bodies of a contact are this
 * one, and triangle_a is less than triangle_b. A soup's triangles share vertices if they were given
 * with corners. Else as pliant_world_collide().
 *
 * The first such query of a body with a shape takes longer than the ones that follow, and takes
 * memory: it finds out which triangles are around which vertices. */
PLIANT_API PliantResult pliant_body_collide_itself(PliantWorld *world, PliantBody body,
                                                   PliantQuery query, PliantContacts *contacts);

/* What a query may get wrong, for less work: bits. */
enum {
    /* A triangle that was divided is taken for its whole plane, and what comes near it for a ball:
     * pairs are reported that do not touch. */
    PLIANT_APPROXIMATE_PLANES = 1 << 0,
    /* Triangles whose three neighbours are looked at are passed over: pairs are missed in which
     * nothing touches an edge of such a one. */
    PLIANT_APPROXIMATE_EDGES = 1 << 1,
};

/* The same as pliant_world_collide(), but not exact: with some of the bits above. How often it is
 * wrong was measured: docs/characters.md. The answer says that it is approximate. */
PLIANT_API PliantResult pliant_world_collide_approximately(PliantWorld *world, PliantQuery query,
                                                           uint32_t approximations,
                                                           PliantContacts *contacts);

typedef struct PliantBodyPair {
    PliantBody body_a, body_b;
} PliantBodyPair;

/* The pairs of bodies whose boxes meet, loose ones where they were given, and whose filters let
 * them, in order. Borrowed like contacts. */
PLIANT_API PliantResult pliant_world_body_pairs(PliantWorld *world, const PliantBodyPair **pairs,
                                                int64_t *pair_count);

/* ---- Statistics ------------------------------------------------------------------------------ */

/* What the last query did, for a body or for the whole world: why it cost what it cost. What is
 * done for a pair of bodies counts for both of them, and once for the world. The last two are of
 * the moment when they are asked for; to count triangles takes a look at all of them. */
typedef struct PliantStats {
    int64_t vertices_read;      /* in passes over given vertices */
    int64_t primitives_placed;  /* of soups: put into order, rather than kept in it */
    int64_t nodes_updated;      /* tree nodes whose children's bounds were renewed */
    int64_t leaves_evaluated;   /* leaves whose triangles were fetched */
    int64_t vertices_evaluated; /* made from weights or joints in these; one that two share
                                   counts twice */
    int64_t body_pairs;         /* pairs of bodies whose trees were walked together */
    int64_t node_pairs;         /* pairs of nodes, eight children against eight */
    int64_t bound_tests;        /* pairs of bounds that were compared in these */
    int64_t plane_tests;     /* bounds that met a part of a wall and were compared with its plane */
    int64_t leaf_pairs;      /* pairs of leaves */
    int64_t triangle_tests;  /* pairs of triangles whose boxes met */
    int64_t undecided;       /* of these: left open by the fast test, and tested again */
    int64_t exact_fallbacks; /* signs that took exact arithmetic */
    int64_t contacts;        /* pairs that meet, as reported */
    int64_t nonfinite_triangles; /* with a NaN or an infinity: in no pair */
    size_t byte_size;            /* held from the host, now */
} PliantStats;

PLIANT_API PliantResult pliant_world_stats(const PliantWorld *world, PliantStats *stats);
PLIANT_API PliantResult pliant_body_stats(const PliantWorld *world, PliantBody body,
                                          PliantStats *stats);

#ifdef __cplusplus
}
#endif

#endif
