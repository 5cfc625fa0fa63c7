/* Scenes made by hand, for tests of what comes behind the readers. Freed with scene_free(). */
#ifndef TESTS_HANDMADE_H
#define TESTS_HANDMADE_H

#include "scene/scene.h"

Scene *handmade_scene(void);

/* A node at a place in its parent (-1: in the world). */
int32_t handmade_node(Scene *scene, int32_t parent, float x, float y, float z);

/* A closed box of twelve triangles, from one corner to the other, placed by a node or by -1. */
int32_t handmade_box(Scene *scene, const char *name, int32_t node, const float low[3],
                     const float high[3]);

/* A tube along y from 0 to 1, open at its ends, whose lower half follows one node and whose upper
 * half another. */
int32_t handmade_tube(Scene *scene, const char *name, int32_t low_node, int32_t high_node,
                      float radius, int32_t ring_count, int32_t side_count);

/* A target that moves all vertices alike. */
void handmade_target(Scene *scene, int32_t part, const char *name, float x, float y, float z);

/* A clip of so many seconds, and a node that goes in it from one place to another. */
int32_t handmade_clip(Scene *scene, const char *name, double seconds, double fps);
void handmade_move(Scene *scene, int32_t clip, int32_t node, const float from[3],
                   const float to[3]);

#endif
