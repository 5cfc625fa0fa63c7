/* Brute force: every triangle of one body against every triangle of another.
 *
 * Shares nothing with the library's trees, bounds and walks. A box test of its own passes on what
 * goes to pliant_triangles_intersect(), which tests/oracle/test_oracle.c holds against the oracles.
 */
#ifndef TEST_BRUTE_H
#define TEST_BRUTE_H

#include <pliant/pliant.h>

/* A body as it is now: three floats a vertex. Borrowed. */
typedef struct BruteBody {
    const float *vertices;
    const uint32_t *triangles;
    int32_t triangle_count;
} BruteBody;

typedef struct BruteContact {
    int32_t a, b;
} BruteContact;

/* Start from all zeros. */
typedef struct BruteContacts {
    BruteContact *items;
    int64_t count, capacity;
} BruteContacts;

/* Adds the pairs that intersect, ordered by the triangle of a, then of b. Returns how many pairs
 * were decided: all there are. Stops the program when out of memory. */
int64_t brute_force(const BruteBody *a, const BruteBody *b, BruteContacts *expected);

void brute_free(BruteContacts *expected);

/* The places of a soup as triangles for brute force, three numbers each: a segment is its first
 * vertex and twice its second one, a point is its vertex thrice, an empty place thrice the vertex
 * behind the last, which has to be NaN. */
void brute_places(PliantPrimitiveKind kind, const PliantPrimitives *primitives,
                  uint32_t *triangles);

/* The documented expression for a vertex under a transform, in float32. */
void brute_move(const PliantTransform *transform, const float *from, int32_t count, float *to);

/* What a shape can morph to. Borrowed. */
typedef struct BruteMorph {
    PliantMorphKind kind;
    const PliantTarget *targets; /* without gaps */
    int32_t target_count;
} BruteMorph;

/* The documented expression for the vertices of a shape at these weights, in float32. */
void brute_blend(const BruteMorph *morph, const float *rest, int32_t count, const float *weights,
                 float *to);

/* The same for what vertices follow: where these joints take the vertices of `from`. */
void brute_skin(const PliantSkin *skin, const PliantTransform *joints, const float *from,
                int32_t count, float *to);

#endif
