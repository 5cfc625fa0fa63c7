/* Buckets as the octants of an octree: PLIANT_SOUP_BUCKETS (buckets.c), and the same found by
 * sorting along the axes, PLIANT_SOUP_COHERENT_BUCKETS (axes.c). Both are the algorithms of
 * Ganovelli, Dingliana and O'Sullivan, "BucketTree: Improving Collision Detection Between
 * Deformable Objects", 2000. */
#ifndef PLI_BUCKETS_H
#define PLI_BUCKETS_H

#include "soup/cells.h"
#include "soup/tree.h"

PliSoupSizes pli_buckets_sizes(const PliSoup *soup, int32_t count);

/* Updates buckets, order and tree. */
void pli_buckets_update(PliSoup *soup);

/* Puts each primitive into its bucket, starting from the order of the last call. */
void pli_axes_place(PliSoup *soup, const PliCells *cells);

#endif
