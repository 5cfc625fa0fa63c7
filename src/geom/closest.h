/* The closest points of a vertex and a triangle, and of two edges.
 *
 * Whether two features are within a distance is decided exactly: for all finite coordinates, the
 * answer is that of real numbers. The distance that is returned is within one ulp of the real one.
 *
 * First in double. Any point q of one feature and any point p of the other bound the distance from
 * above: it is at most |p - q|. Any direction g bounds it from below: if one feature lies where
 * x . g >= m, and the other where y . g <= 0, it is at least m / |g|. With g = p - q both bounds
 * are nearly equal if p and q are nearly the closest points. So it does not matter how p and q
 * were found: if the two bounds with their rounding errors agree, the answer is certain. Where they
 * do not, closest_exact.c decides with integers.
 *
 * The rounding errors. u = 2^-53; S is the greatest magnitude of a coordinate of three differences:
 * of x0 - y0, where x0 and y0 are the first points of the two features, and of the two vectors that
 * span the features (a triangle has two and a vertex none; two edges have one each). The vector
 * between the points is
 *
 *     r = (x0 - y0) - s e - t f,   0 <= s, t <= 1, and of a triangle s + t <= 1 + u / 2.
 *
 * Each coordinate: differences of floats are rounded (1 u S each), the products s e and t f (1 u S
 * each, and 1 u S each from e and f), and the two subtractions (2 u S and 3 u S); with the sum of s
 * and t, that is less than 11 u S, and the length of the error less than sqrt(3) 11 u S < 20 u S.
 * |r| <= sqrt(3) 3 S < 5.2 S is computed within 3 u |r|, that is 16 u S. So the distance is at most
 * |r| as computed plus 36 u S.
 *
 * Below: g is r exactly as it was computed. A product of a difference with g, |x - y| <= 2 sqrt(3)
 * S, is within 4 u 3.5 S |g| = 14 u S |g|; there are two of them for edges (the second with 7 u S
 * |g|) and their difference (5.2 u S |g|); the quotient by |g| as computed is within 4 u of 5.2 S,
 * 21 u S. Together less than 48 u S.
 *
 * 64 u S covers both, with what the sums and comparisons themselves round. Squares of what is left
 * of r may underflow, to less than 2^-536 in all, while u S is at least 2^-202 unless S is 0, and
 * then all is exactly 0. Nothing overflows: products of four differences are below 2^520.
 */
#ifndef PLI_CLOSEST_H
#define PLI_CLOSEST_H

#include "geom/numbers.h"

/* The closest points of two features. The four vertices are those of the one feature and then those
 * of the other: a vertex and the three of a triangle, or the two of each edge. */
typedef struct PliClosest {
    float distance;   /* in the order of PliantNearPair, as far as the weights */
    float normal[3];  /* of length one, along the sum of: */
    float weights[4]; /* of the vertices: their sum with these is the vector from the point of the
                         second feature to that of the first; see PliantNearPair.normal */
    uint8_t region;   /* a bit for each vertex that the points are between: the fewest of them. A
                         weight   may be rounded to zero */
} PliClosest;

/* Of the bounds of a distance, in units of S; and of dots and products of two dots, in units of S^2
 * and S^4: see closest.c. Two bounds agree if they differ by less than a quarter of an ulp of a
 * float. */
#define PLI_CLOSEST_ERROR (64 * 0x1p-53)
#define PLI_CLOSEST_DOT_ERROR (256 * 0x1p-53)
#define PLI_CLOSEST_PRODUCT_ERROR (8192 * 0x1p-53)
#define PLI_CLOSEST_AGREES 0x1p-26

typedef enum PliNearness { PLI_NEAR_NEVER, PLI_NEAR, PLI_NEAR_UNKNOWN } PliNearness;

/* What doubles alone tell: are two features within a distance, a vertex and a triangle, or two
 * edges? If they are, *closest is set. The specification of kernels/near.h. */
PliNearness pli_features_nearness(const float *a, const float *b, bool are_edges, float distance,
                                  PliClosest *closest);

/* Those of which doubles alone tell nothing. */
bool pli_features_are_near(const float *a, const float *b, bool are_edges, float distance,
                           PliClosest *closest, PliCounts *counts);

/* Is a vertex within a distance of a triangle, nine floats? All must be finite, and the distance at
 * least 0. If so, *closest is set. */
bool pli_vertex_triangle_is_near(const float *vertex, const float *triangle, float distance,
                                 PliClosest *closest, PliCounts *counts);

/* The same for two edges, six floats each. */
bool pli_edge_edge_is_near(const float *a, const float *b, float distance, PliClosest *closest,
                           PliCounts *counts);

/* The closest points, unless the features are certainly farther from each other than `far`: then
 * false. What is returned otherwise depends on the features alone, and not on `far`.
 *
 * The float distance f that is returned and the real one d are on the same side of every float g:
 * d > g means f >= g, and d < g means f <= g; d = g means f = g. For d is known within a quarter of
 * an ulp (AGREES; that of the lower side of a power of two), or within 2^-50 of it by integers, and
 * then rounded to the nearest float. So features that are farther than the next float after f have
 * a greater f. */
bool pli_vertex_triangle_closest(const float *vertex, const float *triangle, float far,
                                 PliClosest *closest, PliCounts *counts);
bool pli_edge_edge_closest(const float *a, const float *b, float far, PliClosest *closest,
                           PliCounts *counts);

/* A lower bound of the distance of a vertex and a triangle, or of two edges, whose
 * points are doubles of magnitudes from 2^-200 to 2^200, or 0. Nearly that distance, as a rule. */
double pli_features_gap(bool are_edges, const double points[4][3]);

#endif
