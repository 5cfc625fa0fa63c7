/* Features on straight paths for tests: classes of a vertex and a triangle, and of two edges.
 *
 * Plain arithmetic on random integers only, so that a class and a seed give the same paths on every
 * machine. Both kinds of features are in each class. */
#ifndef SWEEP_CLASSES_H
#define SWEEP_CLASSES_H

#include "scenes.h"

/* X(name, what is in it). All coordinates are finite in all classes but nonfinite. */
#define SWEEP_CLASSES(X)                                                                           \
    X(random, "points go from anywhere to anywhere in a cube")                                     \
    X(close, "small features side by side, which move by less than their size")                    \
    X(fast, "small features that pass the same place from all sides")                              \
    X(far, "the same far from the origin: few bits left for the differences")                      \
    X(rounded, "touching in a random point at a random time, but for rounding")                    \
    X(rounded_border, "touching in a point of an edge or vertex, but for rounding")                \
    X(near_coplanar, "all points rounded onto a moving plane")                                     \
    X(needles, "two corners or ends nearly at one place")                                          \
    X(planted, "touching inside both features at time k / n, in whole numbers")                    \
    X(planted_edge, "the same on an edge of the triangle, or at an end of one edge")               \
    X(planted_vertex, "the same in a vertex")                                                      \
    X(planted_far, "planted ones, all moved away from the origin")                                 \
    X(nudged, "planted ones with one coordinate moved by one unit in the last place")              \
    X(early, "touching at a negative power of two, down to 2^-200")                                \
    X(at_start, "planted at time 0")                                                               \
    X(at_end, "planted at time 1, and often not before")                                           \
    X(collapse, "all points on one line or at one place at time k / n")                            \
    X(grid_1, "whole numbers from -1 to 1")                                                        \
    X(grid_2, "whole numbers from -2 to 2")                                                        \
    X(grid_3, "whole numbers from -3 to 3")                                                        \
    X(grid_9, "whole numbers from 0 to up to 9")                                                   \
    X(grid_one, "whole numbers, only one of the points moves")                                     \
    X(grid_axis, "whole numbers, all points move along one axis")                                  \
    X(grid_border, "whole numbers, all points in one plane at the start or at the end")            \
    X(grid_swap, "whole numbers, points change places with each other")                            \
    X(grid_beside, "whole numbers, some zeros are tiny numbers instead: times beside floats")      \
    X(coplanar_axis, "whole numbers, all points in one axis plane throughout")                     \
    X(coplanar_random, "the same with random numbers")                                             \
    X(coplanar, "whole numbers in a plane that is not along an axis, and that may move")           \
    X(coplanar_turning, "the same points of a plane that turns and shears")                        \
    X(collinear, "all points on one line throughout")                                              \
    X(parallel, "edges that are parallel throughout")                                              \
    X(zero_size, "zero area or length at the start, at the end or throughout")                     \
    X(common_vertex, "a vertex in common at the start, at the end or throughout")                  \
    X(stationary, "nothing moves")                                                                 \
    X(comoving, "all points move by the same vector")                                              \
    X(grazing, "touching at a double root, or one unit in the last place beside it")               \
    X(close_roots, "two roots that are close to each other")                                       \
    X(three_roots, "three roots")                                                                  \
    X(bits, "random bit patterns: all exponents")                                                  \
    X(diagonal, "any exponents in the plane x = y, or on the line x = y = z")                      \
    X(huge, "near the greatest float")                                                             \
    X(tiny, "a few times 2^-149")                                                                  \
    X(small, "so small that float32 products underflow")                                           \
    X(sizes, "a large feature and one that is smaller by up to 2^30")                              \
    X(special, "0, 1, the least, the greatest and other special numbers, mixed")                   \
    X(scaled, "another class with each axis scaled by a power of two of its own")                  \
    X(nonfinite, "another class with a NaN or an infinity")

typedef enum SweepClass {
#define SWEEP_ENUM(name, text) SWEEP_##name,
    SWEEP_CLASSES(SWEEP_ENUM)
#undef SWEEP_ENUM
        SWEEP_CLASS_COUNT
} SweepClass;

/* Four points: a vertex and the corners of a triangle, or the ends of two edges. */
typedef struct SweepQuery {
    bool are_edges;
    float start[12], end[12];
    float latest; /* they touch first at this time or before; infinity if that is not known */
} SweepQuery;

const char *sweep_class_name(SweepClass sweep_class);

/* One query of the class. */
void sweep_query(SweepClass sweep_class, SceneRandom *random, SweepQuery *query);

#endif
