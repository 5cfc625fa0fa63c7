/* Pliant: soups, which are bodies without a shape.
 *
 * Debris, a mesh that is being cut, what a solver that remeshes comes up with, particles: triangles
 * or points of which nothing is known but where they are now, and that most were not far from there
 * before. Any number of them, another one each time if need be.
 *
 *     PliantSoupDef def = pliant_soup_def_default();
 *     PliantBody debris;
 *     pliant_body_create_soup(world, &def, &debris);
 *     ...
 *     PliantPrimitives now = {.vertices = {corners, 3 * count, 0}, .count = count};
 *     pliant_body_borrow_primitives(world, debris, &now);
 *     pliant_world_collide(world, PLIANT_ALL_PAIRS, &hits);
 *
 * In all else a soup is a body like any other. It is touched by soups and by shapes in whatever
 * way they move, it has a transform, a filter and a loose box, and answers about it are exact.
 */
#ifndef PLIANT_SOUP_H
#define PLIANT_SOUP_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum PliantPrimitiveKind {
    PLIANT_TRIANGLES,
    PLIANT_POINTS, /* each meets a triangle that it lies on, and a point that it equals */
} PliantPrimitiveKind;

/* How a soup's primitives are kept in order. No answer depends on it but which pair is the one that
 * stands for all in PLIANT_FIRST_PAIRS and PLIANT_ANY_PAIR; only its time does: docs/soups.md has
 * what each one costs. */
typedef enum PliantSoupKind {
    PLIANT_SOUP_AUTO,    /* their order is kept for as long as it is good, then they are sorted */
    PLIANT_SOUP_SORTED,  /* sorted along a curve through space, each time */
    PLIANT_SOUP_BUCKETS, /* an octree of buckets, each primitive put into its bucket each time */
    PLIANT_SOUP_COHERENT_BUCKETS, /* the same octree, kept by sorting along the axes from where the
                                     last time left it */
} PliantSoupKind;

enum { PLIANT_MOST_SOUP_LEVELS = 7 };

/* Start from pliant_soup_def_default(). */
typedef struct PliantSoupDef {
    size_t struct_size;
    PliantPrimitiveKind primitive_kind;
    PliantSoupKind kind;
    int32_t level_count; /* of the octree of buckets, 1 to 7, of which each takes eight times the
                            memory of the last: 7 are 110 MB; 0: by the number of primitives */
} PliantSoupDef;

PLIANT_API PliantSoupDef pliant_soup_def_default(void);

/* Makes a soup of nothing; a NULL def means the defaults. Fails with PLIANT_BAD_DEF,
 * PLIANT_BAD_ARGUMENT, PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY. pliant_body_destroy() ends it. */
PLIANT_API PliantResult pliant_body_create_soup(PliantWorld *world, const PliantSoupDef *def,
                                                PliantBody *body);

/* The first corner of a place that is empty. */
#define PLIANT_NO_VERTEX UINT32_MAX

/* What a soup is made of now. A primitive is named by its place, from 0 to count - 1: answers speak
 * of that as `triangle_a` or `triangle_b`, of points too. One that stays in its place from one time
 * to the next is taken for the same, and not to have gone far; it may be anywhere, but that takes
 * longer. One that is no more can leave its place empty, so that the others keep theirs: its
 * first corner is PLIANT_NO_VERTEX, or one of its coordinates is NaN. */
typedef struct PliantPrimitives {
    PliantVertices vertices; /* those that are not finite are as in any other body */
    const uint32_t *corners; /* numbers of vertices, three for each triangle or one for each point;
                                NULL: all vertices in turn, of which there must be as many */
    int32_t count;
} PliantPrimitives;

/* New primitives for a soup, in place of all that it had.
 *
 * `set` copies them. `borrow` keeps the pointers instead: vertices are read where they are by every
 * query from now on, so that whatever is written into them counts. Corners are checked here and
 * must stay as they are; if they change, it is to be called again. Both arrays must stay until
 * other primitives are set or the body is destroyed.
 *
 * Either fails with PLIANT_BAD_ARGUMENT, PLIANT_BAD_INDEX, PLIANT_TOO_LARGE or
 * PLIANT_OUT_OF_MEMORY, and the body is then as it was. Once a soup has been as large as it will
 * be, no memory is asked for. */
PLIANT_API PliantResult pliant_body_set_primitives(PliantWorld *world, PliantBody body,
                                                   const PliantPrimitives *primitives);
PLIANT_API PliantResult pliant_body_borrow_primitives(PliantWorld *world, PliantBody body,
                                                      const PliantPrimitives *primitives);

#ifdef __cplusplus
}
#endif

#endif
