/* Pairs of features that are certainly farther from each other than a distance, in float32.
 *
 * Most pairs whose boxes are within the distance are farther: of those of a folded cloth, three of
 * four. To know that, a direction is enough along which one feature is beyond the other. It does
 * not matter how it was found. It is that between two points that are nearly the closest ones: the
 * quotients for them are off by up to 1.5 %, since they come from the bits of the denominator and
 * one step of Newton's.
 *
 * The error bound. u = 2^-24; S is the greatest magnitude of a coordinate of three differences, as
 * computed: w = x0 - y0, of the first points of the two features, and e and f, which span them. (A
 * vertex x0 spans nothing, and a triangle has e and f both.) Each is within u S. g is the vector
 * between the two points,
 *
 *     g = w + s e - t f   or   g = w - s e - t f,   0 <= s, t <= 1,
 *
 * exactly as it was computed; |g| < 5.2 S (1 + 8u). For all points x of one feature and y of the
 * other, (x - y) . g is at least
 *
 *     w . g + min(e . g, 0) - max(f . g, 0)    or    w . g - max(e . g, f . g, 0).
 *
 * A product of a difference with g as computed is within 4.01 u |w| |g| < 7 u S |g|: 1 u from the
 * difference, 1 u from each product and 2 u from the sums. There are three of them, and the last
 * two sums round by less than 9 u S |g|. So with `depth` as computed, the features are farther
 * than
 *
 *     depth / |g| - 30 u S.
 *
 * They are farther than the distance d if depth > 0 and depth^2 > |g|^2 (d + 32 u S)^2. No root is
 * needed for S, nor for that square: (d + E)^2 <= (1 + k) d^2 + (1 + 1/k) E^2, and S^2 <= N (1 +
 * 8u) with the sum N = e . e + f . f + w . w. With k = 2^-10 and E = 40 u S,
 *
 *     (d + E)^2 < (1 + 2^-10) d^2 + 2^-27 N.
 *
 * What is computed is depth^2 > |g|^2 ((1 + 2^-9) d^2 + 2^-24 N): larger by a factor of 1 + 2^-11
 * at least, where all that is rounded changes either side by less than a factor of 1 + 16 u.
 *
 * Underflow changes a product by less than 2^-126, whether or not the machine has subnormals. All
 * of the right-hand side is taken to be at least 2^-100, so depth is above 2^-50, S |g| above
 * 2^-53 and S above 2^-28: then 20 products that underflow in depth are less than u S |g|, and each
 * other one changes its sum by a factor of less than 1 + 2^-20.
 *
 * Overflow: N is below 2^56, so S is below 2^28.1 and depth^2 below 2^126. What overflows to the
 * right of the comparison is an infinity, or a NaN if |g| is 0, and then nothing is known. It is
 * the same with a point that is not finite: N is no number below 2^56 then.
 *
 * What it costs in operations of vectors, for PLI_LANES pairs: two edges take 110, a vertex and a
 * triangle 150, and bringing them from rows to columns 64 loads and 32 shuffles. With AVX-512, two
 * a cycle, that is some 110 cycles, 7 a pair. */
#ifndef PLI_FAR_H
#define PLI_FAR_H

#include "kernels/overlap.h"

/* A point of a feature, and which vertex it is. */
typedef struct PliCorner {
    float point[3];
    uint32_t vertex;
} PliCorner;

/* Pairs of features that may be near. */
enum { PLI_FEATURE_CORNERS = 3 };
typedef struct PliFarPairs {
    const PliCorner *features; /* PLI_FEATURE_CORNERS for each feature, of which a vertex has the
                                  first one and an edge the first two */
    const float *rows;         /* triangles, nine floats each; NULL: all features are edges */
    const uint32_t *vertices; /* of the corners of each row: four numbers, the last of no meaning */
    const uint32_t *pairs;    /* two each: a feature, and a row or another edge */
    int32_t count;
    float distance;
    bool is_self; /* what has a vertex in common is no pair */
} PliFarPairs;

/* Of float32: the distance squared and N, times these, are the bound. */
#define PLI_FAR_DISTANCE (1 + 0x1p-9f)
#define PLI_FAR_ERROR 0x1p-24f
#define PLI_FAR_LEAST 0x1p-100f
#define PLI_FAR_MOST 0x1p56f

/* Nearly 1 / x has the bits of this less those of x. */
#define PLI_FAR_INVERSE 0x7ef311c7u

/* Lists the places of those pairs that are not certainly farther than the distance, rising, and
 * returns how many they are. `left` has room for so many and 16 more, which may be written. */
typedef int32_t PliDropFar(const PliFarPairs *pairs, uint32_t *left);

/* Excludes those pairs of sixteen edges that have a vertex in common, and those that are not
 * visited: as within one leaf, which overlap_leaves() takes them for. */
typedef void PliMaskNeighbors(const PliCorner *features, PliExclusionMask *mask);

#endif
