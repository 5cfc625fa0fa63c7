/* Two bodies of a world held against brute force: whatever they are, by the vertices that the
 * library returns. */
#ifndef TEST_TOUCH_H
#define TEST_TOUCH_H

#include "scenes.h"
#include <pliant/pliant.h>

typedef struct TouchBody {
    PliantBody name;
    uint32_t *triangles; /* its own */
    int32_t vertex_count, triangle_count;
} TouchBody;

TouchBody touch_mesh(PliantBody name, const SceneMesh *mesh);

/* A soup that has been given these. */
TouchBody touch_soup(PliantBody name, PliantPrimitiveKind kind, const PliantPrimitives *primitives);

void touch_free(TouchBody *body);

/* How many pairs of triangles of the two intersect; -1 if the library says something else, asked
 * for all pairs in either order of the bodies, for the first or for any. */
int64_t touch_count(PliantWorld *world, const TouchBody *x, const TouchBody *y);

#endif
