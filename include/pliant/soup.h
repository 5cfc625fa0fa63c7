/* Pliant: soups, bodies without a shape.
 *
 * A soup is triangles, segments or points without a fixed mesh: debris, a mesh that is being cut,
 * the output of a remeshing solver, hair, yarn, particles. Their number may change every frame.
 * Most are expected near where they were before; that affects speed only.
 *
 *     PliantBody debris;
 *     pliant_body_create_soup(world, NULL, &debris);
 *     ...
 *     PliantPrimitives now = pliant_primitives_default();
 *     now.vertices = (PliantVertices){corners, 3 * count, 0};
 *     now.count = count;
 *     pliant_body_borrow_primitives(world, debris, &now);
 *     pliant_world_collide(world, NULL, &contacts);
 *
 * Otherwise a soup is a body like any other: it collides with soups and meshes, has a transform, a
 * filter and a loose box, and its contacts are exact. Weights, joints and the rest pose are for
 * meshes only. Threads and common failures: see pliant/world.h.
 */
#ifndef PLIANT_SOUP_H
#define PLIANT_SOUP_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum PliantPrimitiveKind {
    PLIANT_TRIANGLES,
    PLIANT_POINTS,   /* a point touches a triangle that it lies on, and a point that it equals */
    PLIANT_SEGMENTS, /* rods: a segment from a to b is the triangle a, b, b. It touches what shares
                        a point with it. It has two vertices and one edge; see PliantNearPair. If a
                        and b are one vertex, it is a point */
} PliantPrimitiveKind;

/* A record. Start from pliant_soup_def_default(). */
typedef struct PliantSoupDef {
    size_t struct_size;
    PliantPrimitiveKind primitive_kind;
    uint32_t reserved;                           /* 0 */
    const struct PliantExperiments *experiments; /* NULL, the default: see pliant/experiments.h */
} PliantSoupDef;

static inline PliantSoupDef pliant_soup_def_default(void)
{
    PliantSoupDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Creates a soup without primitives. A NULL def means the defaults. pliant_body_destroy() destroys
 * it. Fails with PLIANT_BAD_ARGUMENT, PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY. Changes the world.
 */
PLIANT_API PliantResult pliant_body_create_soup(PliantWorld *world, const PliantSoupDef *def,
                                                PliantBody *body);

/* The first corner of an unused index. */
#define PLIANT_NO_VERTEX UINT32_MAX

/* A record: the primitives of a soup. Start from pliant_primitives_default().
 *
 * A primitive is named by its index, from 0 to count - 1: contacts have it as `triangle_a` or
 * `triangle_b`, also of segments and points. A primitive that keeps its index from one frame to the
 * next is expected near its last position; it may be anywhere, which takes longer. A removed
 * primitive can leave its index unused, so that the others keep theirs: its first corner is
 * PLIANT_NO_VERTEX, or one of its coordinates is NaN. */
typedef struct PliantPrimitives {
    size_t struct_size;
    PliantVertices vertices; /* NaN and infinity are allowed, as in any body */
    int32_t count;           /* of primitives */
    const uint32_t
        *corners; /* vertex indices: three for each triangle, two for each segment, or one for each
                     point; NULL: all vertices in turn, of which there must be exactly as many */
} PliantPrimitives;

static inline PliantPrimitives pliant_primitives_default(void)
{
    PliantPrimitives primitives = PLIANT_ZEROS;
    primitives.struct_size = sizeof primitives;
    return primitives;
}

/* Sets the primitives of a soup, in place of all that it had.
 *
 * `set` copies them. `borrow` keeps the pointers: every later query reads the vertices in place, so
 * what is written into them counts. Corners are checked here and must not change; call again if
 * they do. Both arrays must stay valid until other primitives are set or the body is destroyed.
 *
 * Fails with PLIANT_BAD_ARGUMENT, PLIANT_BAD_INDEX, PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY; the
 * body is then as it was. Once a soup has had its largest number of primitives, nothing is
 * allocated. Changes the world. */
PLIANT_API PliantResult pliant_body_set_primitives(PliantWorld *world, PliantBody body,
                                                   const PliantPrimitives *primitives);
PLIANT_API PliantResult pliant_body_borrow_primitives(PliantWorld *world, PliantBody body,
                                                      const PliantPrimitives *primitives);

#ifdef __cplusplus
}
#endif

#endif
