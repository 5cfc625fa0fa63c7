/* Soups for the comparison with brute force: what is in them, and what becomes of it from frame to
 * frame. In the stage's own size and place, like all bodies. */
#ifndef TEST_SOUPS_H
#define TEST_SOUPS_H

#include "stage.h"

/* X(name, what becomes of it). */
#define SOUP_CHANGES(X)                                                                            \
    X(none, "nothing")                                                                             \
    X(moved, "it moves as any body does, or as none would")                                        \
    X(scattered, "each primitive goes its own way")                                                \
    X(anew, "it is another one")                                                                   \
    X(swapped, "some change places")                                                               \
    X(cut, "some are cut in two, and take places that were empty, or new ones")                    \
    X(fused, "some leave their places empty")                                                      \
    X(counted, "any number of places, from none to all that there were")

typedef enum SoupChange {
#define SOUP_CHANGE_ENUM(name, text) SOUP_##name,
    SOUP_CHANGES(SOUP_CHANGE_ENUM)
#undef SOUP_CHANGE_ENUM
        SOUP_CHANGE_COUNT
} SoupChange;

typedef struct Soup {
    PliantSoupDef def;
    PliantExperiments experiments; /* of the def */
    bool has_corners;              /* or all vertices in turn */
    int32_t width;                 /* corners of a primitive: three, two or one */
    float *vertices;               /* three floats each */
    uint32_t *corners;             /* `width` for each place */
    int32_t all_count;             /* places that were ever filled */
    int32_t count;                 /* those that are given: the first of them */
    int32_t most;                  /* places that there is room for */
    int32_t made_count;            /* vertices, of corners */
    int32_t max_made;              /* and room for them */
} Soup;

/* With something in it. */
Soup *soup_create(Stage *stage);
void soup_free(Soup *soup);

/* A soup of the vertices of a mesh, in turn: points, or triangles or segments that are points. */
Soup *soup_create_points(Stage *stage, const SceneMesh *mesh);

/* What happens to it in a frame. */
SoupChange soup_change(Stage *stage, Soup *soup);

int32_t soup_vertex_count(const Soup *soup);

#endif
