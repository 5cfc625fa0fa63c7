/* Pliant: debug drawing. One call hands lines and triangles to a program that can draw them.
 *
 *     PliantDrawDef def = pliant_draw_def_default();
 *     def.line = draw_line;
 *     def.draws_boxes = true;
 *     def.contacts = &contacts;
 *     def.triangle = draw_triangle;
 *     pliant_world_draw(world, &def);
 *
 * What is asked for is drawn, and only that is evaluated: boxes evaluate no vertex, contacts and
 * pairs the leaves of their triangles. For C and C++. Python and JavaScript have the answers of
 * queries as arrays.
 */
#ifndef PLIANT_DRAW_H
#define PLIANT_DRAW_H

#include <pliant/near.h>
#include <pliant/regions.h>
#include <pliant/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a line or a triangle is a part of. */
typedef enum PliantDrawKind {
    PLIANT_DRAW_BODY,    /* lines: the twelve edges of the box of a body */
    PLIANT_DRAW_NODE,    /* lines: the same of parts of its tree */
    PLIANT_DRAW_CONTACT, /* triangles: both of each contact */
    PLIANT_DRAW_NEAR,    /* a line between the closest points of each near pair, from a to b */
    PLIANT_DRAW_IMPACT,  /* a line between the points that will touch, from a to b: where the bodies
                            are, not their ends */
    PLIANT_DRAW_REGION   /* lines: the curves around regions */
} PliantDrawKind;

/* A record. Start from pliant_draw_def_default(). Callbacks must not use the world. They are called
 * on the calling thread, in the order of bodies and of the answers. Coordinates are those of the
 * world. */
typedef struct PliantDrawDef {
    size_t struct_size;

    /* Draws a line. `body` is the body of a box, body a of a pair, and the null handle of a curve.
     * NULL, the default: lines are left out. */
    void (*line)(void *user, PliantDrawKind kind, PliantBody body, const float from[3],
                 const float to[3]);

    /* Draws a triangle: nine floats. NULL, the default: triangles are left out. */
    void (*triangle)(void *user, PliantDrawKind kind, PliantBody body, const float *corners);
    void *user; /* passed to both */

    bool draws_boxes; /* of bodies; default false */
    int32_t depth; /* boxes of parts that are so deep in the tree: 1 are the children of the root.
                      At most 64; default 0: none */

    /* Answers to draw, borrowed for the time of the call; NULL, the default: none. */
    const PliantContacts *contacts;
    const PliantNearPairs *near_pairs; /* triangle pairs (PLIANT_TRIANGLE_TRIANGLE) are left out */
    const PliantImpacts *impacts;
    const PliantRegions *regions;
} PliantDrawDef;

static inline PliantDrawDef pliant_draw_def_default(void)
{
    PliantDrawDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Draws what the def asks for. Fails with PLIANT_BAD_ARGUMENT if the def is NULL or a field is out
 * of its range, with PLIANT_BAD_ID or PLIANT_BAD_INDEX if an answer names what the world does not
 * have, and with PLIANT_STALE if a body of an answer with a stamp was set since. What was drawn
 * before a failure is drawn. Changes the world. */
PLIANT_API PliantResult pliant_world_draw(PliantWorld *world, const PliantDrawDef *def);

#ifdef __cplusplus
}
#endif

#endif
