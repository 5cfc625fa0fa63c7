/* Buckets along a curve, kept from frame to frame while they are good: PLIANT_SOUP_AUTO and
 * PLIANT_SOUP_SORTED. */
#ifndef PLI_SORTED_H
#define PLI_SORTED_H

#include "soup/tree.h"

PliSoupSizes pli_sorted_sizes(int32_t count);

/* Updates buckets, order and tree. `scratch` is room for as many boxes as primitives. */
void pli_sorted_update(PliSoup *soup, PliBox *scratch);

#endif
