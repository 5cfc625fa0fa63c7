/* Exclusions: pairs of features that the caller never wants, of two bodies or within one.
 *
 * One idea: a pair is left out by its vertices alone, wherever it is found. So the search asks
 * before it decides (feature_search.h), and what is kept for later queries has none of them.
 * Vertices are those of features: of groups the lowest.
 */
#ifndef PLI_EXCLUSIONS_H
#define PLI_EXCLUSIONS_H

#include "base/memory.h"

enum { PLI_EXCLUDED_MARKS = 1024 };

/* Of two bodies by their numbers, a before b, or of one with itself. */
typedef struct PliExclusions {
    int32_t a, b;
    PliArray patches; /* of uint32_t, of one body: the patch of each vertex */
    PliArray keys;    /* of uint64_t, rising: vertex of a << 32 | vertex of b; of one body the lower
                         vertex first */
    uint64_t marks[PLI_EXCLUDED_MARKS / 64]; /* a bit for vertices of a that have keys */
} PliExclusions;

void pli_exclusions_init(PliExclusions *exclusions, int32_t a, int32_t b);
void pli_exclusions_free(PliExclusions *exclusions, const PliantHost *host);

/* Replace what was set; on failure it stays. Of each two vertices the one at `first`, 0 or 1, is of
 * a. `groups` are those of each vertex of the two bodies in the order of the vertices, or NULL. */
PliantResult pli_exclusions_set_patches(PliExclusions *exclusions, const uint32_t *patches,
                                        int64_t count, const PliantHost *host);
PliantResult pli_exclusions_set_pairs(PliExclusions *exclusions, const uint32_t *pairs,
                                      int64_t count, int first, const uint32_t *const groups[2],
                                      const PliantHost *host);

/* Is a pair of a feature of a and one of b left out? */
bool pli_exclusions_have(const PliExclusions *exclusions, const uint32_t *a, int a_count,
                         const uint32_t *b, int b_count);

/* The exclusions of two bodies in an array of them, by a and b; or NULL. */
PliExclusions *pli_exclusions_find(const PliArray *all, int32_t a, int32_t b);

/* The same; they are added if they are not there. */
PliantResult pli_exclusions_add(PliArray *all, int32_t a, int32_t b, const PliantHost *host,
                                PliExclusions **exclusions);

/* Nothing of a body is left out. */
void pli_exclusions_drop_body(PliArray *all, int32_t number, const PliantHost *host);

void pli_exclusions_free_all(PliArray *all, const PliantHost *host);

#endif
