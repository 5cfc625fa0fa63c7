/* Reading the primitives of a soup: their boxes, and with these the boxes of buckets. */
#ifndef PLI_SOUP_READ_H
#define PLI_SOUP_READ_H

#include "soup/cells.h"
#include "soup/soup.h"

/* The box of a primitive. False if it is not finite, or its index is unused. */
bool pli_soup_read(const PliSoup *soup, int32_t primitive, PliBox *box);

/* The midpoint of a box, divided by four: neither this sum nor the distance of two such points can
 * overflow. */
static inline PliFloat4 pli_quarter_middle(const PliBox *box)
{
    return box->low * 0.125f + box->high * 0.125f;
}

/* The size of a box: the sum of its sides; 0 if it is empty. */
static inline float pli_size_of(const PliBox *box)
{
    const PliFloat4 sides = box->high - box->low;
    const float size = (sides[0] + sides[1]) + sides[2];
    return size > 0 ? size : 0;
}

/* Starts a pass. To be called first in each update: the vertices may have changed. */
void pli_soup_start_reading(PliSoup *soup);

/* Puts each primitive into the bucket of its cell, and one that is larger than `large` into the
 * bucket `large_first` later. Computes the boxes of all buckets. Returns whether some primitive was
 * that large. */
bool pli_soup_read_into(PliSoup *soup, const PliCells *cells, float large, uint32_t large_first);

/* Recomputes the boxes of all buckets in use from the primitives that are in them. Primitives that
 * have become finite may be in no bucket: lists up to `most` of them. */
typedef struct PliKeptCounts {
    int32_t live, late; /* finite primitives in buckets, and in none */
} PliKeptCounts;

PliKeptCounts pli_soup_read_kept(PliSoup *soup, uint32_t *late, int32_t most);

/* Counts each primitive in the bucket that bucket_of has for it, and computes all boxes. */
void pli_soup_read_again(PliSoup *soup);

/* Writes all midpoints. Lists the primitives that are finite and in no bucket, and returns how many
 * there are. Takes those that are not finite out of their buckets, and counts them. */
int32_t pli_soup_read_all_middles(PliSoup *soup, uint32_t *late, int32_t *gone_count);

/* The boxes of the primitives at these positions. An empty box where one is not finite. */
void pli_soup_read_range(const PliSoup *soup, PliRange range, PliBox *boxes);

#endif
