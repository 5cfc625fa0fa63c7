/* Features within a distance against brute force: part of test_brute. */
#ifndef TEST_NEARBY_H
#define TEST_NEARBY_H

#include "feature_lists.h"
#include "play.h"

/* The features of a body: those of its finite triangles. */
Features nearby_list_features(const Actor *actor);

/* Decisions so far, of pairs of features. */
extern int64_t nearby_decisions;

/* Asks for what is near in two bodies or in one, at a distance that is that of two features, and in
 * the whole world. */
void nearby_ask(Play *play);

#endif
