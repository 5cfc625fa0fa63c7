/* Features within a distance against brute force: part of test_brute. */
#ifndef TEST_NEARBY_H
#define TEST_NEARBY_H

#include "play.h"

typedef struct Feature {
    int32_t id;
    uint32_t vertices[3]; /* one, two or three */
} Feature;

typedef struct Features {
    Feature *vertices, *edges, *triangles;
    int32_t vertex_count, edge_count, triangle_count;
    const float *positions;
} Features;

/* The features of a body: those of its finite triangles. */
Features nearby_list_features(const Actor *actor);
void nearby_free_features(Features *features);
void nearby_copy_points(const Features *features, const Feature *feature, int count, float *points);

/* Decisions so far, of pairs of features. */
extern int64_t nearby_decisions;

/* Asks for what is near in two bodies or in one, at a distance that is that of two features, and in
 * the whole world. */
void nearby_ask(Play *play);

#endif
