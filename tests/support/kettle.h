/* A kettle: what the tests of soups begin with. A world, a sphere, and triangles for soups. */
#ifndef TEST_KETTLE_H
#define TEST_KETTLE_H

#include "host.h"
#include "scenes.h"
#include <pliant/pliant.h>

enum {
    KETTLE_TRIANGLES = 1100,
    KETTLE_ON_SPHERE = 70, /* the first so many have a corner on the sphere */
    KETTLE_KINDS = PLIANT_SOUP_COHERENT_BUCKETS + 1
};

typedef struct Kettle {
    TestHost host; /* of the world */
    PliantWorld *world;
    SceneMesh sphere; /* of radius 1 */
    PliantShape *shape;
    float corners[KETTLE_TRIANGLES][9]; /* small, anywhere from -1 to 1 */
} Kettle;

Kettle *kettle_create(void);

/* Its world holds no memory any more? */
bool kettle_destroy(Kettle *kettle);

/* The triangles as they were at first. */
void kettle_fill(Kettle *kettle);

/* These end the program if they fail. */
PliantBody kettle_sphere(Kettle *kettle);
PliantBody kettle_soup(Kettle *kettle, PliantPrimitiveKind primitive_kind, PliantSoupKind kind,
                       int32_t level_count);
PliantBody kettle_body(Kettle *kettle, const PliantShapeDef *def);
void kettle_end(Kettle *kettle, PliantBody body);
void kettle_shift(Kettle *kettle, PliantBody body, float x);

/* The contacts of the world. */
int64_t kettle_collide(Kettle *kettle, PliantCollideKind query);

/* The first so many triangles, in turn. */
PliantPrimitives kettle_first(const Kettle *kettle, int32_t count);

/* Both ways to give them: copied and lent. */
typedef PliantResult KettleGive(PliantWorld *, PliantBody, const PliantPrimitives *);

extern KettleGive *const kettle_gives[2];

/* The pairs of a soup, which was given these, with the sphere; -1 if the library is wrong. */
int64_t kettle_pairs(Kettle *kettle, PliantBody soup, PliantPrimitiveKind kind,
                     const PliantPrimitives *primitives, PliantBody sphere);

#endif
