/* Pairs that brute force leaves out: by patches, by pairs of vertices, and by bodies.
 *
 * Which these are follows from the numbers of vertices and bodies alone, so that a test can tell
 * them without a list: part of test_brute and test_sweeps. */
#ifndef TEST_LEFT_OUT_H
#define TEST_LEFT_OUT_H

#include "feature_lists.h"

/* Sets patches and pairs of vertices of two bodies in a world, or within one, or removes them. The
 * bodies are named the other way round if `is_swapped`. */
PliantResult left_out_set(PliantWorld *world, const FeatureBody *a, const FeatureBody *b,
                          bool is_swapped, bool is_set);

/* Is a pair of features of a and of b left out, while these are set? */
bool left_out_has(const Feature *x, int x_count, const Feature *y, int y_count, bool is_self);

/* PliantWorldDef.may_pair: refuses a quarter of all pairs of bodies. */
bool left_out_may_pair(void *user, PliantBody a, PliantBody b);

#endif
