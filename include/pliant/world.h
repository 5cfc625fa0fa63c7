/* Pliant: worlds, the bodies in them, and their contacts.
 *
 * A body is a shape in motion. It moves in one of four ways:
 *   - at rest: the shape as it is, moved by a transform;
 *   - by weights of the shape's morph targets;
 *   - by matrices of the shape's joints, over weights if there are any;
 *   - by caller-supplied vertices, all of them, as often as they change.
 * A soup (pliant/soup.h) is a body without a shape. A world holds bodies and answers queries:
 *
 *     pliant_body_borrow_vertices(world, cloth, (PliantVertices){positions, count, 0});
 *     pliant_body_set_weights(world, face, weights, 52);
 *     pliant_body_set_joints(world, walker, matrices, 53);
 *     pliant_body_set_transform(world, table, &transform);
 *     PliantContacts contacts = pliant_contacts_default();
 *     pliant_world_collide(world, NULL, &contacts);
 *
 * No call brings a world up to date, so none can be forgotten: a query updates what was set since
 * the last query, where it needs it. Contacts are exact, complete and in one order, on every
 * machine.
 *
 * The rules of all queries. A query is a call that asks something about bodies. Unless its comment
 * says otherwise, each one keeps these rules:
 *
 *   - Definition. It takes a record that says what to find. NULL means the defaults.
 *   - Answer. It fills a record: items, count, is_limit_reached and a stamp. A query that fails
 *     leaves the record as it was.
 *   - Limit. max_..._count limits the items; 0, the default, means no limit. is_limit_reached is
 *     true if and only if there are more. With a limit of N, memory grows with N and not with the
 *     number of all answers, and the query ends soon after it has found more than N. It returns
 *     pairs of bodies in canonical order; of the last pair of bodies it returns those items that
 *     its walk finds first. All items are in canonical order. They are the same on every machine,
 *     with any number of workers.
 *   - Stale answers. The stamp names the state of the bodies. Calls that take an answer back
 *     compare it: they fail with PLIANT_STALE if one of the bodies has been set since, or if
 *     borrowed vertices have changed. A record that the caller has made has the stamp 0: calls
 *     for intersections and vertex distances then decide each item again; regions refuse it.
 *   - Progress. `progress`, if it is not NULL, is called often: with the number of finished steps,
 *     such as pairs of bodies, and of all steps. If it returns false, the query ends with
 *     PLIANT_CANCELLED. It may be called on any thread that runs tasks of the host, on one at a
 *     time. It must not use the world. pliant_world_cancel() ends a query from another thread.
 *   - Bodies. Queries of a world consider pairs of bodies whose filters allow it
 *     (pliant_body_set_filter) and trust loose boxes (pliant_body_set_loose_box). Queries of one
 *     or two bodies ignore both. A triangle with a NaN or an infinity takes no part.
 *   - Self. If two bodies are asked for, and both are the same body, the query is about that body
 *     and itself. In queries of a world, `includes_self` asks for these pairs too, of each body
 *     that pliant_body_set_self() has not left out.
 *   - Inside. A point is inside a body if the winding number of the body's surface around it is at
 *     least 1/2 or at most -1/2 (pliant_body_winding_numbers). The winding number of a closed
 *     surface is an integer, so that means: not 0. An open surface has an inside too, up to its
 *     openings. It does not matter whether triangles face outward or inward.
 *   - Memory. Once a world has seen its worst frame, queries allocate nothing. With several workers
 *     that frame may have to come a few times: before each query all workers get as much room as
 *     the one that needed most.
 *
 * Threads: each call says what it needs. "Any thread." has no conditions. "Reads the world." may
 * run together with other calls that read it, on any threads, while no call changes it. "Changes
 * the world." must be alone with that world: queries update bodies and use memory of the world, so
 * they change it. A call that finds the world in use fails with PLIANT_BUSY. Calls with different
 * worlds never disturb each other; shapes are shared by all worlds and threads. docs/threading.md
 * lists the queries that use the workers of the host (PliantHost.run).
 *
 * Every call here that returns a PliantResult fails with PLIANT_BAD_ARGUMENT if a pointer that it
 * needs is NULL, with PLIANT_BAD_ID if a handle names no body of the world, with PLIANT_BAD_DEF if
 * a record has a wrong struct_size, and with PLIANT_BUSY if another call uses the world. Every
 * query can fail with PLIANT_OUT_OF_MEMORY, PLIANT_TOO_LARGE or PLIANT_CANCELLED. Other failures
 * are listed with each call.
 *
 * Borrowed results. The world owns the arrays that queries return. Each lives until the next call
 * that returns such an array, whether that call succeeds or fails, or until pliant_world_trim() or
 * pliant_world_destroy():
 *
 *     result of                              lives until the next call of
 *     -------------------------------------  -------------------------------------
 *     pliant_world_collide                   pliant_world_collide, pliant_body_collide or
 *     pliant_body_collide                      pliant_bodies_collide
 *     pliant_bodies_collide
 *     pliant_world_body_pairs                pliant_world_body_pairs
 *     pliant_world_bodies_within             pliant_world_bodies_within
 *     pliant_world_near                      pliant_world_near or pliant_bodies_near
 *     pliant_bodies_near
 *     pliant_world_sweep                     pliant_world_sweep or pliant_bodies_sweep
 *     pliant_bodies_sweep
 *     pliant_world_cast_rays                 pliant_world_cast_rays or pliant_body_cast_rays
 *     pliant_body_cast_rays
 *     pliant_hits_points                     pliant_hits_points
 *     pliant_world_closest_points            pliant_world_closest_points or
 *     pliant_body_closest_points               pliant_body_closest_points
 *     pliant_body_winding_numbers            pliant_body_winding_numbers
 *     pliant_contacts_intersections          pliant_contacts_intersections
 *     pliant_contacts_regions                pliant_contacts_regions
 *     pliant_body_triangles_in_boxes         pliant_body_triangles_in_boxes or
 *     pliant_body_moving_triangles_in_boxes    pliant_body_moving_triangles_in_boxes
 *     pliant_body_triangles                  pliant_body_triangles, pliant_body_volume,
 *                                              pliant_bodies_volume, pliant_bodies_contain,
 *                                              pliant_layers_capture or
 *                                              pliant_layers_capture_common
 *
 * No other call ends the life of a result: bodies may be set, moved, created and destroyed, and
 * other queries asked, while contacts are read.
 */
#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include <pliant/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Worlds -------------------------------------------------------------------------------- */

typedef struct PliantWorld PliantWorld;

/* A value: the handle of a body. All zeros is the null handle.
 *
 * `index` counts from 1 within a world, and bodies are ordered by it. The index of a destroyed body
 * is given to a later one. `serial` counts the bodies of the whole process, so no two bodies have
 * the same one until 2^32 were created. A handle of a destroyed body, or of another world, fails
 * with PLIANT_BAD_ID. */
typedef struct PliantBody {
    uint32_t index, serial;
} PliantBody;

/* A record. Start from pliant_world_def_default(). */
typedef struct PliantWorldDef {
    size_t struct_size;
    uint32_t cpu_mask;      /* instruction sets that may be used; default PLIANT_CPU_ALL */
    const PliantHost *host; /* copied; NULL: the defaults */
    const struct PliantExperiments *experiments; /* NULL, the default: see pliant/experiments.h */

    /* Returns whether queries of the world, or of one body with all others, consider two bodies;
     * NULL, the default: they consider all whose filters allow it. Called with a.index < b.index,
     * in canonical order, for bodies whose boxes are close enough: on the thread that asks the
     * world or its reader. Must not use the world, and must return the same for the same two bodies
     * throughout a query. Queries of two bodies ignore it, and so do rays, points and the pairs of
     * a body with itself. To end a query from in here, call pliant_world_cancel(). */
    bool (*may_pair)(void *user, PliantBody a, PliantBody b);
    void *user;
} PliantWorldDef;

static inline PliantWorldDef pliant_world_def_default(void)
{
    PliantWorldDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.cpu_mask = PLIANT_CPU_ALL;
    return def;
}

/* Creates an empty world, which the caller owns. A NULL def means the defaults. Fails with
 * PLIANT_BAD_ARGUMENT or PLIANT_OUT_OF_MEMORY. Any thread. */
PLIANT_API PliantResult pliant_world_create(const PliantWorldDef *def, PliantWorld **world);

/* Destroys a world and all of its bodies. NULL is ignored. A world that another call uses is not
 * destroyed: the host's report hook is told. Changes the world. */
PLIANT_API void pliant_world_destroy(PliantWorld *world);

/* Ends the query that runs in the world now, within some milliseconds: it returns
 * PLIANT_CANCELLED. A query that starts later is not affected. NULL is ignored. The world must not
 * be destroyed meanwhile. Any thread. */
PLIANT_API void pliant_world_cancel(PliantWorld *world);

/* Holds a world: a promise that no body is set, created or destroyed, and that no borrowed vertices
 * are written, until pliant_world_release(). Queries in between read the borrowed vertices of each
 * body once, and of each end once, however many queries there are; without a hold, each query reads
 * them again. Calls that set, create or destroy something fail with PLIANT_BUSY meanwhile.
 *
 * Fails with PLIANT_BUSY if the world is held. A hold of a world with readers updates all bodies,
 * as a query does, and can fail as one: with PLIANT_OUT_OF_MEMORY, with PLIANT_CANCELLED, and with
 * PLIANT_BAD_ARGUMENT if a soup and its end have different counts. Then the world is not held.
 * Changes the world. */
PLIANT_API PliantResult pliant_world_hold(PliantWorld *world);

/* Ends a hold. Answers stay valid. A library that was built with PLIANT_ASSERTS fails with
 * PLIANT_STALE if borrowed vertices were written in the hold: answers since then may be wrong. The
 * hold has ended then too.
 *
 * Fails with PLIANT_BAD_ARGUMENT if the world is not held, and with PLIANT_BUSY if a reader is
 * being asked: then it stays held. Changes the world. */
PLIANT_API PliantResult pliant_world_release(PliantWorld *world);

/* A reader: asks a world while other threads ask it too. It is used in place of the world, in every
 * call that asks something, while the world is held. It has the bodies of the world, answers of its
 * own, and one worker. */
typedef PliantWorld PliantReader;

/* Creates a reader of a world. A hold of a world with readers first makes everything ready that
 * they may ask for: bounds, vertices and features of all bodies, also of those that have a loose
 * box.
 *
 *     pliant_world_hold(world);
 *     each thread, with a reader of its own: pliant_world_cast_rays(reader, ...);
 *     the thread of the world, if it likes: pliant_world_collide(world, ...);
 *     pliant_world_release(world);
 *
 * A reader gives the same answers as the world, byte by byte. Handles and stamps are those of the
 * world. One thread at a time uses a reader. The functions of the host may be called by all of
 * these threads at once. Answers live as long as those of a world do, and are those of this reader
 * alone.
 *
 * Without a hold, calls with a reader fail with PLIANT_BUSY; those that set something always do. A
 * margin is taken as 0: what is kept for the next query belongs to the world. Statistics of a body
 * are zeros.
 *
 * Fails with PLIANT_BUSY if the world is held or is a reader, and with PLIANT_OUT_OF_MEMORY.
 * Changes the world. */
PLIANT_API PliantResult pliant_reader_create(PliantWorld *world, PliantReader **reader);

/* Destroys a reader, before its world. NULL is ignored. A reader that is being asked is not
 * destroyed: the host's report hook is told. Any thread. */
PLIANT_API void pliant_reader_destroy(PliantReader *reader);

/* A record: the bytes that a world holds from its host now. Start from
 * pliant_world_memory_default(). The five parts add up to `total`. */
typedef struct PliantWorldMemory {
    size_t struct_size;
    size_t bodies; /* the world itself; bodies with their poses, bounds and state of self-collision;
                      and scratch of their updates. Shapes are not included */
    size_t broad_phase; /* boxes and pairs of bodies */
    size_t workers;     /* scratch of queries */
    size_t answers;     /* arrays that queries return: see the top of this page */
    size_t candidates;  /* kept by queries with a margin */
    size_t total;       /* PliantStats.byte_size */
} PliantWorldMemory;

static inline PliantWorldMemory pliant_world_memory_default(void)
{
    PliantWorldMemory memory = PLIANT_ZEROS;
    memory.struct_size = sizeof memory;
    return memory;
}

/* Returns the memory of a world by parts. O(1). Reads the world. */
PLIANT_API PliantResult pliant_world_memory(const PliantWorld *world, PliantWorldMemory *memory);

/* Releases all memory that queries can make again: scratch, answers, caches and kept candidates.
 * Only the part `bodies` is left: bodies and what was set stay. Use this when a world will not be
 * asked for a while, or after its worst frame. Ends the life of all borrowed results. Later
 * queries allocate again, and return the same answers. Changes the world. */
PLIANT_API PliantResult pliant_world_trim(PliantWorld *world);

/* ---- Bodies -------------------------------------------------------------------------------- */

/* Creates a body of a shape, in its rest pose and without a transform. The body keeps a reference
 * to the shape. Fails with PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY. Changes the world. */
PLIANT_API PliantResult pliant_body_create(PliantWorld *world, PliantShape *shape,
                                           PliantBody *body);

/* Destroys a body, and releases its reference to the shape. Changes the world. */
PLIANT_API PliantResult pliant_body_destroy(PliantWorld *world, PliantBody body);

/* Returns true if the handle names a body of this world. Reads the world. */
PLIANT_API bool pliant_body_is_alive(const PliantWorld *world, PliantBody body);

/* Returns the number of bodies in a world; 0 if the world is NULL. Reads the world. */
PLIANT_API int32_t pliant_world_body_count(const PliantWorld *world);

/* Returns the body that follows `previous` by index: start with the null handle, and end when the
 * null handle is returned. `previous` may have been destroyed since.
 *
 *     for (PliantBody body = pliant_world_next_body(world, none); body.index != 0;
 *          body = pliant_world_next_body(world, body))
 *
 * Reads the world. */
PLIANT_API PliantBody pliant_world_next_body(const PliantWorld *world, PliantBody previous);

/* ---- How bodies move ----------------------------------------------------------------------- */

/* A value: an affine transform. It takes a vertex p to rows * (p, 1), in float32 as
 * ((row[0] * x + row[1] * y) + row[2] * z) + row[3], each operation rounded. The identity leaves
 * vertices as they are, bit for bit. */
typedef struct PliantTransform {
    float rows[3][4];
} PliantTransform;

/* Returns the identity. Any thread. */
PLIANT_API PliantTransform pliant_transform_identity(void);

/* Sets the transform of a body, which is applied after weights, joints or caller-supplied vertices.
 * Copied. Fails with PLIANT_BAD_ARGUMENT if a number is not finite, or if the body has vertices in
 * double and this is not the identity. Changes the world. */
PLIANT_API PliantResult pliant_body_set_transform(PliantWorld *world, PliantBody body,
                                                  const PliantTransform *transform);

/* Sets the positions of all vertices, in the order of the shape; `count` must be the number of
 * vertices of the shape. NaN and infinity are allowed: a triangle that has one is in no contact.
 *
 * `set` copies the vertices. `borrow` keeps the pointer: every later query reads the array in
 * place, so what is written into it counts, and it must stay valid until other vertices, weights,
 * joints or the rest pose are set or the body is destroyed.
 *
 * Fails with PLIANT_BAD_ARGUMENT or PLIANT_OUT_OF_MEMORY; the body is then as it was. After the
 * first call for a body, `borrow` allocates nothing. Changes the world. */
PLIANT_API PliantResult pliant_body_set_vertices(PliantWorld *world, PliantBody body,
                                                 PliantVertices vertices);
PLIANT_API PliantResult pliant_body_borrow_vertices(PliantWorld *world, PliantBody body,
                                                    PliantVertices vertices);

/* A value: vertices in double. */
typedef struct PliantVertices64 {
    const double *data;
    int32_t count;
    size_t stride; /* bytes from one vertex to the next, a multiple of 8, at most 2^20; 0 means 24:
                      no gaps */
} PliantVertices64;

/* Sets the positions of all vertices in double: for solvers that hold them so, and for scenes far
 * from the origin.
 *
 * The library subtracts the origin of the world (pliant_world_set_origin()) and rounds the rest to
 * float32. These floats are the vertices of the body in all calls and answers:
 * pliant_body_vertices() returns them. pliant_body_rounding_error() returns how far a float may be
 * from its double. Two queries also promise something about the doubles, less the origin:
 *
 * - pliant_world_near() adds the rounding errors of both bodies to its distance. So it returns each
 *   pair whose doubles are within D. PLIANT_PAIR_UNCERTAIN marks the pairs whose doubles may be
 *   farther than D.
 * - pliant_world_sweep() is conservative. It reports each pair whose doubles come within D, at a
 *   time that is never late for the doubles. The time is 0 only if the doubles come within D and a
 *   quarter of both rounding errors at the start; D counts 1 + 2^-7 times.
 *
 * Where no double is rounded, the answers are those of floats. A double beyond the range of float32
 * becomes an infinity.
 *
 * `set` copies the vertices. `borrow` keeps the pointer, and the array must stay valid as with
 * pliant_body_borrow_vertices(). The library reads the array when it is first borrowed, and once at
 * the start of each query or hold. Between queries pliant_body_vertices() and pliant_body_corners()
 * return what was read last.
 *
 * Doubles are in world coordinates: the body must have no transform. Fails with PLIANT_BAD_ARGUMENT
 * if it has one other than the identity, if it is a soup, or if `count` is another number; and with
 * PLIANT_OUT_OF_MEMORY: the body is then as it was. Changes the world. */
PLIANT_API PliantResult pliant_body_set_vertices64(PliantWorld *world, PliantBody body,
                                                   PliantVertices64 vertices);
PLIANT_API PliantResult pliant_body_borrow_vertices64(PliantWorld *world, PliantBody body,
                                                      PliantVertices64 vertices);

/* Sets the point that is subtracted from vertices in double before they are rounded: three finite
 * numbers, at first 0. Choose a point near the bodies: the rounding error is about 2^-24 of the
 * distance from it. All other coordinates of the world, and all answers, are relative to this
 * point. Bodies with vertices in double are rounded again; all others stay. Fails with
 * PLIANT_BAD_ARGUMENT. Changes the world. */
PLIANT_API PliantResult pliant_world_set_origin(PliantWorld *world, const double origin[3]);

/* Returns the origin of a world. Reads the world. */
PLIANT_API PliantResult pliant_world_origin(const PliantWorld *world, double origin[3]);

/* Returns an upper bound of the distance between a vertex of the body and its double less the
 * origin; 0 if no vertex was rounded, or if the body has vertices in float32. It is that of the
 * doubles that were read last. Reads the world. */
PLIANT_API PliantResult pliant_body_rounding_error(const PliantWorld *world, PliantBody body,
                                                   float *error);

/* Sets the weights of the shape's morph targets: `count` finite numbers, as many as the shape has
 * targets. Copied. Vertices are then as PliantMorphKind says; joints still apply, and
 * caller-supplied vertices no longer do. A query evaluates only the leaves that it reaches. Fails
 * with PLIANT_BAD_ARGUMENT. Changes the world. */
PLIANT_API PliantResult pliant_body_set_weights(PliantWorld *world, PliantBody body,
                                                const float *weights, int32_t count);

/* Sets the matrices of the shape's joints: `count` affine transforms of finite numbers, as many as
 * the shape has joints. Each takes a vertex from the rest pose (or the morphed one) to where that
 * joint alone would move it; in glTF this is the joint's global matrix times its inverse bind
 * matrix. Copied. Weights still apply, and caller-supplied vertices no longer do. A query evaluates
 * only the leaves that it reaches. Fails with PLIANT_BAD_ARGUMENT or PLIANT_OUT_OF_MEMORY. Changes
 * the world. */
PLIANT_API PliantResult pliant_body_set_joints(PliantWorld *world, PliantBody body,
                                               const PliantTransform *joints, int32_t count);

/* Returns a body to its rest pose: weights, joints and caller-supplied vertices no longer apply,
 * and borrowed vertices are no longer read. The transform stays. Fails with PLIANT_BAD_ARGUMENT if
 * the body is a soup. Changes the world. */
PLIANT_API PliantResult pliant_body_reset_pose(PliantWorld *world, PliantBody body);

/* Sets the filter of a body. Two bodies are tested with each other if each one's `collides_with`
 * has a bit of the other's `categories`. All bits of both are set at first. Changes the world. */
PLIANT_API PliantResult pliant_body_set_filter(PliantWorld *world, PliantBody body,
                                               uint32_t categories, uint32_t collides_with);

/* Sets whether queries with `includes_self` consider the pairs of a body with itself. True at
 * first. Leave out bodies that cannot intersect themselves, such as rigid ones. Queries of this one
 * body ignore it. Changes the world. */
PLIANT_API PliantResult pliant_body_set_self(PliantWorld *world, PliantBody body, bool is_included);

/* ---- Pairs of features that are left out ----------------------------------------------------- */

/* A vertex in no patch. */
#define PLIANT_NO_PATCH UINT32_MAX

/* Divides the vertices of a body into patches: two features of this body that are within one patch
 * make no pair. So near queries and sweeps leave out all pairs within the body whose vertices have
 * one and the same number in `patches`, other than PLIANT_NO_PATCH. Pairs with other bodies stay.
 * Contacts and all other queries ignore patches.
 *
 * `patches` has a number for each vertex, and is copied. `count` is PliantBodyInfo.vertex_count; of
 * a soup, whose number of vertices may change, any number: vertices from there on are in no patch.
 * Of a group the lowest vertex counts (PliantShapeDef.groups). A count of 0 removes the patches.
 * Patches also hold on the way to the end of the body.
 *
 * Fails with PLIANT_BAD_ARGUMENT for another count, or if the body is an end, and with
 * PLIANT_OUT_OF_MEMORY: the body then keeps what it had. Drops what queries with a margin keep of
 * the body. Changes the world. */
PLIANT_API PliantResult pliant_body_set_patches(PliantWorld *world, PliantBody body,
                                                const uint32_t *patches, int64_t count);

/* Sets which pairs of vertices never count, of two bodies, or within one if `a` and `b` are the
 * same: where features are sewn or pinned to each other. Near queries and sweeps leave out a pair
 * of features if one of its features has a vertex of such a pair and its other feature has the
 * other vertex. Contacts and all other queries ignore this.
 *
 * Pair i is of vertex pairs[2 i] of `a` and vertex pairs[2 i + 1] of `b`; copied. It replaces what
 * was set for these two bodies; a pair_count of 0 removes it. Within one body the order of the two
 * does not matter. A vertex stands for its group. Vertices of soups are numbered as in their
 * corners. Each pair takes 8 bytes.
 *
 * Fails with PLIANT_BAD_INDEX if a shape has no such vertex, with PLIANT_BAD_ARGUMENT if a body is
 * an end, and with PLIANT_OUT_OF_MEMORY: what was set stays. Drops what queries with a margin keep
 * of the bodies. Changes the world. */
PLIANT_API PliantResult pliant_bodies_exclude_vertices(PliantWorld *world, PliantBody a,
                                                       PliantBody b, const uint32_t *pairs,
                                                       int64_t pair_count);

/* ---- Thickness ----------------------------------------------------------------------------- */

/* Sets the radius of a body: how thick its surface is, on each side. Finite, at least 0; default 0.
 * pliant_world_near() and pliant_world_sweep() add the radii of two features to their distance.
 * pliant_world_body_pairs() widens the box of a body by its greatest radius. All other queries take
 * surfaces without thickness, and so do the distances that queries return.
 *
 * Answers from before are stale. Fails with PLIANT_BAD_ARGUMENT if the radius is negative or not
 * finite, or if the body is an end: it has the radii of its body. Changes the world. */
PLIANT_API PliantResult pliant_body_set_radius(PliantWorld *world, PliantBody body, float radius);

/* Sets a radius for each vertex: `count` finite numbers of at least 0, as many as
 * PliantBodyInfo.vertex_count. Copied. They replace the radius of the body. A count of 0 removes
 * them. If a soup gets more vertices later, these have the radius of the body.
 *
 * The radius of an edge or a triangle is the greatest of its vertices. Vertices of one group
 * (PliantShapeDef.groups) have the greatest radius of the group.
 *
 * Fails like pliant_body_set_radius(), with PLIANT_BAD_ARGUMENT if `count` is another number, and
 * with PLIANT_OUT_OF_MEMORY: then the body is as it was. Changes the world. */
PLIANT_API PliantResult pliant_body_set_vertex_radii(PliantWorld *world, PliantBody body,
                                                     const float *radii, int32_t count);

/* Returns the radius of a body: that of vertices without a radius of their own. Reads the world. */
PLIANT_API PliantResult pliant_body_radius(const PliantWorld *world, PliantBody body,
                                           float *radius);

/* Writes the radius of each vertex: as many as PliantBodyInfo.vertex_count. Fails with
 * PLIANT_BAD_ARGUMENT if `capacity`, the length of `radii`, is less. Reads the world. */
PLIANT_API PliantResult pliant_body_vertex_radii(const PliantWorld *world, PliantBody body,
                                                 float *radii, int64_t capacity);

/* A value: an axis-aligned box. */
typedef struct PliantBox {
    float low[3], high[3];
} PliantBox;

/* Promises that the transformed body stays within `box`, in world coordinates, until another box is
 * set. If the body has an end, the promise is about the whole way to the end. While no other body
 * is near the box, the body is not updated. NULL withdraws the promise. Queries of the world may
 * miss what lies outside of the box, and nothing else. Copied. Fails with
 * PLIANT_BAD_ARGUMENT if low is not at most high along each axis. Changes the world. */
PLIANT_API PliantResult pliant_body_set_loose_box(PliantWorld *world, PliantBody body,
                                                  const PliantBox *box);

/* Sets 64 bits that belong to the caller, 0 at first. pliant_body_info() returns them. Changes the
 * world. */
PLIANT_API PliantResult pliant_body_set_user_data(PliantWorld *world, PliantBody body,
                                                  uint64_t user_data);

/* ---- What bodies are ----------------------------------------------------------------------- */

typedef enum PliantBodyKind {
    PLIANT_BODY_MESH, /* has a shape */
    PLIANT_BODY_SOUP, /* has none */
} PliantBodyKind;

/* A record. Start from pliant_body_info_default(). */
typedef struct PliantBodyInfo {
    size_t struct_size;
    PliantBodyKind kind;
    PliantShape *shape; /* borrowed: valid while the body is; NULL of a soup */
    uint64_t user_data;
    PliantTransform transform;
    int32_t vertex_count;   /* of the shape, or as set last in a soup */
    int32_t triangle_count; /* likewise; primitives of a soup, unused indices included */
    uint32_t categories, collides_with;
    bool has_self; /* as pliant_body_set_self() says */
} PliantBodyInfo;

static inline PliantBodyInfo pliant_body_info_default(void)
{
    PliantBodyInfo info = PLIANT_ZEROS;
    info.struct_size = sizeof info;
    return info;
}

/* Returns what a body is and how it was set. O(1). Reads the world. */
PLIANT_API PliantResult pliant_body_info(const PliantWorld *world, PliantBody body,
                                         PliantBodyInfo *info);

/* Returns a box, in world coordinates, that holds all triangles of a body that have finite
 * vertices. Updates the body, as a query does, and reads all caller-supplied vertices. The box is
 * tight for caller-supplied vertices without a transform; it may be larger otherwise. Without any
 * such triangle low is infinity and high is -infinity. Loose boxes are ignored. Changes the world.
 */
PLIANT_API PliantResult pliant_body_box(PliantWorld *world, PliantBody body, PliantBox *box);

/* Writes all vertices of a body as contacts refer to them, bit for bit: transformed, in world
 * coordinates, three floats each, as many as PliantBodyInfo.vertex_count. `capacity` is the number
 * of vertices that the array has room for. Evaluates every vertex; allocates nothing. Fails with
 * PLIANT_BAD_ARGUMENT if the capacity is too small. Reads the world. */
PLIANT_API PliantResult pliant_body_vertices(const PliantWorld *world, PliantBody body,
                                             float *vertices, int64_t capacity);

/* Writes the corner positions of `count` triangles, such as those of contacts: nine floats each, in
 * the order of `triangles`, the same as pliant_body_vertices() writes, bit for bit. `capacity` is
 * the number of triangles that the array has room for. Evaluates only the leaves that these
 * triangles are in. A triangle may be asked for more than once. A point has three equal corners; an
 * unused index of a soup has NaN.
 *
 * Fails with PLIANT_BAD_INDEX, PLIANT_BAD_ARGUMENT (the capacity is too small), PLIANT_TOO_LARGE or
 * PLIANT_OUT_OF_MEMORY. Allocates the first time that a shape
 * is asked; later only for the time of the call, if more than 256 triangles are asked for or the
 * body has morph targets. Reads the world. */
PLIANT_API PliantResult pliant_body_corners(const PliantWorld *world, PliantBody body,
                                            const int32_t *triangles, int64_t count, float *corners,
                                            int64_t capacity);

/* A record. Start from pliant_box_triangles_def_default(). */
typedef struct PliantBoxTrianglesDef {
    size_t struct_size;
    int64_t max_triangle_count; /* default 0: no limit */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantBoxTrianglesDef;

static inline PliantBoxTrianglesDef pliant_box_triangles_def_default(void)
{
    PliantBoxTrianglesDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* A record. Start from pliant_box_triangles_default(). */
typedef struct PliantBoxTriangles {
    size_t struct_size;
    const int32_t *items; /* numbers of triangles, in rising order, each once; borrowed */
    int64_t count;
    uint64_t stamp;
    bool is_limit_reached;
    const float *corners;     /* nine floats for each triangle, as pliant_body_corners() writes */
    const float *end_corners; /* the same at the end of the body, behind `corners` in one array;
                                 NULL unless the end was asked for */
} PliantBoxTriangles;

static inline PliantBoxTriangles pliant_box_triangles_default(void)
{
    PliantBoxTriangles triangles = PLIANT_ZEROS;
    triangles.struct_size = sizeof triangles;
    return triangles;
}

/* Returns the triangles of a body that may share a point with one of some boxes, in world
 * coordinates. They are all triangles that do, and of the others only such whose own boxes overlap
 * one of the boxes. Boxes are closed, and may be infinite. Evaluates only the leaves whose bounds
 * overlap a box. Use it to send, draw or keep the part of a body that is near something.
 *
 * Fails with PLIANT_BAD_ARGUMENT if box_count is negative. Changes the world. */
PLIANT_API PliantResult pliant_body_triangles_in_boxes(PliantWorld *world, PliantBody body,
                                                       const PliantBox *boxes, int32_t box_count,
                                                       const PliantBoxTrianglesDef *def,
                                                       PliantBoxTriangles *triangles);

/* Writes boxes around the part of a body that is near some boxes, in world coordinates. Each point
 * of a finite triangle that is in one of `near` is in one of `boxes`. More boxes fit tighter.
 * `capacity`, 1 or more, is the number of boxes that the array has room for. `count` is set to how
 * many were written, 0 if nothing is near. Evaluates no vertex, but reads all caller-supplied ones.
 *
 * Use this to send a tight query region to another process: pliant_body_triangles_in_boxes() of
 * another body returns fewer triangles for these boxes than for the one of pliant_body_box().
 *
 * Fails with PLIANT_BAD_ARGUMENT if near_count is negative or the capacity less than 1. Changes the
 * world. */
PLIANT_API PliantResult pliant_body_boxes_in_boxes(PliantWorld *world, PliantBody body,
                                                   const PliantBox *near, int32_t near_count,
                                                   PliantBox *boxes, int32_t capacity,
                                                   int32_t *count);

/* Counts the triangles of a body that have a NaN or an infinity now: they are in no contact.
 * Evaluates every triangle. Fails with PLIANT_OUT_OF_MEMORY: memory for weights is allocated for
 * the time of the call. Reads the world. */
PLIANT_API PliantResult pliant_body_nonfinite_count(const PliantWorld *world, PliantBody body,
                                                    int64_t *count);

/* ---- Queries ------------------------------------------------------------------------------- */

/* A value: two triangles that share a point. Triangles are numbered as in their shape, segments
 * behind them; primitives of a soup by their index. body_a.index is less than body_b.index; in a
 * self query both bodies are the same, and triangle_a is less than triangle_b. */
typedef struct PliantContact {
    PliantBody body_a, body_b;
    int32_t triangle_a, triangle_b;
} PliantContact;

/* A record. Start from pliant_contacts_default(). Contacts are in canonical order: by body_a.index,
 * body_b.index, triangle_a, triangle_b; none is there twice. */
typedef struct PliantContacts {
    size_t struct_size;
    const PliantContact *items; /* borrowed: see the top of this page; NULL if only counted */
    int64_t count;
    uint64_t stamp; /* of the state that they were found in; 0 if they are approximate */
    bool is_limit_reached;
} PliantContacts;

static inline PliantContacts pliant_contacts_default(void)
{
    PliantContacts contacts = PLIANT_ZEROS;
    contacts.struct_size = sizeof contacts;
    return contacts;
}

typedef enum PliantCollideKind {
    PLIANT_ALL_PAIRS,   /* all pairs of triangles that share a point */
    PLIANT_FIRST_PAIRS, /* one pair of triangles for each pair of bodies that touch */
    PLIANT_ANY_PAIR,    /* one pair of triangles, if any bodies touch */
} PliantCollideKind;

/* A record: what a query is to find. Start from pliant_collide_def_default(). A NULL def means the
 * defaults: all pairs, exact, without a limit. */
typedef struct PliantCollideDef {
    size_t struct_size;
    PliantCollideKind kind;    /* default PLIANT_ALL_PAIRS */
    bool count_only;           /* set contacts.count and no items; default false */
    bool includes_self;        /* contacts of each body with itself too, which are exact; default
                                  false */
    int64_t max_contact_count; /* default 0: no limit */

    /* Called before each pair of bodies, and at least every few thousand pairs of leaves. `done` of
     * `total` pairs of bodies are finished. NULL, the default: not called. */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */

    const struct PliantExperiments *experiments; /* NULL, the default: see pliant/experiments.h */
} PliantCollideDef;

static inline PliantCollideDef pliant_collide_def_default(void)
{
    PliantCollideDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Returns the contacts between all bodies of a world whose filters allow it, and those of each body
 * with itself if def.includes_self asks for them.
 *
 * Self-contacts are pairs of triangles of one body that intersect beyond their shared vertices or
 * edges. Precisely: the intersection of the two triangles is more than the convex hull of the
 * vertices that they share by index. So neighbors count only if one is folded flat onto the other
 * or cuts through it. A mesh whose vertices are not shared along its seams intersects itself there:
 * weld it first. Triangles of a soup share vertices if they were set with corners. The first
 * self query of a body takes longer than later ones: it finds the triangles around each vertex.
 *
 * Fails with PLIANT_BAD_ARGUMENT if a field of the def is out of its range. Changes the world. */
PLIANT_API PliantResult pliant_world_collide(PliantWorld *world, const PliantCollideDef *def,
                                             PliantContacts *contacts);

/* Returns the contacts of one body with all others: those that pliant_world_collide() returns with
 * `body` in them, in the same order. Compares the box of the body with those of all others. Fails
 * likewise. Changes the world. */
PLIANT_API PliantResult pliant_body_collide(PliantWorld *world, PliantBody body,
                                            const PliantCollideDef *def, PliantContacts *contacts);

/* Returns the contacts between two bodies, or of a body with itself if `a` and `b` are the same.
 * Ignores filters, loose boxes and def.includes_self. Fails like pliant_world_collide(); contacts
 * of a body with itself cannot be approximate. Changes the world. */
PLIANT_API PliantResult pliant_bodies_collide(PliantWorld *world, PliantBody a, PliantBody b,
                                              const PliantCollideDef *def,
                                              PliantContacts *contacts);

/* A value: two bodies whose boxes overlap. body_a.index is less than body_b.index. */
typedef struct PliantBodyPair {
    PliantBody body_a, body_b;
} PliantBodyPair;

/* A record: which pairs of bodies are wanted. Start from pliant_body_pairs_def_default(). */
typedef struct PliantBodyPairsDef {
    size_t struct_size;
    float distance;         /* how far apart they may be; finite, at least 0; default 0 */
    int64_t max_pair_count; /* default 0: no limit */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantBodyPairsDef;

static inline PliantBodyPairsDef pliant_body_pairs_def_default(void)
{
    PliantBodyPairsDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* A record. Start from pliant_body_pairs_default(). Pairs are ordered by body_a.index, then by
 * body_b.index. */
typedef struct PliantBodyPairs {
    size_t struct_size;
    const PliantBodyPair *items; /* borrowed: see the top of this page */
    int64_t count;
    uint64_t stamp;
    bool is_limit_reached;
} PliantBodyPairs;

static inline PliantBodyPairs pliant_body_pairs_default(void)
{
    PliantBodyPairs pairs = PLIANT_ZEROS;
    pairs.struct_size = sizeof pairs;
    return pairs;
}

/* Returns the pairs of bodies whose boxes overlap and whose filters allow it. With a distance,
 * boxes count that are no farther apart along each axis; some that are a little farther may be
 * among them. The greatest radii of both bodies (pliant_body_set_radius()) add to the distance.
 * pliant_world_bodies_within() of pliant/distance.h compares the bodies themselves.
 * Fails with PLIANT_BAD_ARGUMENT if a field of the def is out of its range. Changes the world. */
PLIANT_API PliantResult pliant_world_body_pairs(PliantWorld *world, const PliantBodyPairsDef *def,
                                                PliantBodyPairs *pairs);

/* ---- Statistics ------------------------------------------------------------------------------ */

/* A record: the work of the last query, of one body or of the whole world. Work on a pair of bodies
 * counts for both bodies, and once for the world. Volumes and boxes are queries too. Start from
 * pliant_stats_default(). */
typedef struct PliantStats {
    size_t struct_size;
    int64_t vertices_read;     /* in passes over caller-supplied vertices */
    int64_t primitives_placed; /* of soups: sorted into a new order, rather than kept in the last */
    int64_t nodes_updated;     /* tree nodes whose children's bounds were updated */
    int64_t leaves_evaluated;  /* leaves whose triangles were fetched */
    int64_t vertices_evaluated; /* from weights or joints in these leaves; a vertex that two leaves
                                   share counts twice */
    int64_t body_pairs;         /* pairs of bodies whose trees were traversed together */
    int64_t node_pairs;         /* pairs of nodes, eight children against eight */
    int64_t bound_tests;        /* pairs of bounds that were compared in these */
    int64_t plane_tests;        /* bounds that were compared with the plane of a divided triangle */
    int64_t leaf_pairs;         /* pairs of leaves */
    int64_t triangle_tests;     /* pairs of triangles whose boxes overlap */
    int64_t undecided;          /* of these: not decided by the fast test, and tested again */
    int64_t exact_fallbacks;    /* signs that needed exact arithmetic */
    int64_t contacts;           /* contacts that were found */
    size_t byte_size;           /* bytes that the world holds from its host now; 0 of a body */
} PliantStats;

static inline PliantStats pliant_stats_default(void)
{
    PliantStats stats = PLIANT_ZEROS;
    stats.struct_size = sizeof stats;
    return stats;
}

/* Returns the statistics of a world, or of one body. O(1). Reads the world. */
PLIANT_API PliantResult pliant_world_stats(const PliantWorld *world, PliantStats *stats);
PLIANT_API PliantResult pliant_body_stats(const PliantWorld *world, PliantBody body,
                                          PliantStats *stats);

#ifdef __cplusplus
}
#endif

#endif
