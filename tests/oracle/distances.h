/* Least distances and closest points against brute force: part of test_brute. */
#ifndef TEST_DISTANCES_H
#define TEST_DISTANCES_H

#include "play.h"

/* Decisions so far, of pairs of features, and of points and triangles. */
extern int64_t distances_decisions;

/* Asks for the least distance of two bodies, and which bodies are within a distance. */
void distances_ask(Play *play);

/* Asks for the closest points of one body or of all: to points on vertices, edges and triangles, on
 * the borders of boxes, inside and outside. */
void distances_ask_points(Play *play);

#endif
