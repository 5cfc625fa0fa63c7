/* Pairs of triangles for tests: classes of input that have each broken some triangle test.
 *
 * Plain arithmetic on random integers only, so that a class and a seed give the same pairs on every
 * machine. */
#ifndef TEST_PAIRS_H
#define TEST_PAIRS_H

#include "scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, what is in it). All corners are finite in all classes. */
#define TEST_PAIR_CLASSES(X)                                                                       \
    X(random, "corners anywhere in a cube")                                                        \
    X(near, "small triangles side by side")                                                        \
    X(far, "small triangles far from the origin: few bits left for the differences")               \
    X(on_face, "a corner of b rounded onto the face of a")                                         \
    X(on_edge, "an edge of b through a point rounded onto an edge of a")                           \
    X(near_coplanar, "all corners rounded onto one plane")                                         \
    X(needles, "two corners nearly at one place, or three nearly on a line")                       \
    X(grid_coplanar, "small whole numbers in an axis plane")                                       \
    X(plane_coplanar, "whole numbers in a plane that is not along an axis")                        \
    X(grid, "small whole numbers in space: all kinds of touching and of zero area")                \
    X(shared_vertex, "one corner in common")                                                       \
    X(shared_edge, "two corners in common")                                                        \
    X(identical, "the same three corners in any order")                                            \
    X(segments, "zero area on one side or both: on a line, or a corner twice")                     \
    X(points, "all corners at one place on one side or both")                                      \
    X(bits, "random bit patterns: all exponents")                                                  \
    X(diagonal, "any exponents in the plane x = y, or on the line x = y = z, or just beside")      \
    X(huge, "near the greatest float")                                                             \
    X(tiny, "near the least: a few times 2^-149")                                                  \
    X(denormal_border, "whole multiples of a number around the least normal one")                  \
    X(small, "so small that float32 products underflow")                                           \
    X(sizes, "a large triangle and one that is smaller by up to 2^30")                             \
    X(special, "0, 1, the least, the greatest and other special numbers, mixed")                   \
    X(nudged, "whole numbers, one coordinate moved by one unit in the last place")                 \
    X(scaled, "another class with each axis scaled by a power of two of its own")

typedef enum TestPairClass {
#define TEST_PAIR_ENUM(name, text) TEST_PAIR_##name,
    TEST_PAIR_CLASSES(TEST_PAIR_ENUM)
#undef TEST_PAIR_ENUM
        TEST_PAIR_CLASS_COUNT
} TestPairClass;

const char *test_pair_class_name(TestPairClass pair_class);

/* One pair of the class. */
void test_pair(TestPairClass pair_class, SceneRandom *random, float a[9], float b[9]);

/* A random float in [-1, 1). */
float test_random_float(SceneRandom *random);

/* A random finite bit pattern. */
float test_random_bits_float(SceneRandom *random);

#ifdef __cplusplus
}
#endif

#endif
