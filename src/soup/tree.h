/* The tree of a soup: octants above the buckets (tree.c), nodes below them (open.c). */
#ifndef PLI_SOUP_TREE_H
#define PLI_SOUP_TREE_H

#include "soup/soup.h"

/* Upper bounds of what a soup needs. */
typedef struct PliSoupSizes {
    int64_t buckets, table_items, leaves, nodes, marks, pointers;
} PliSoupSizes;

/* Those that follow from the number of buckets. */
PliSoupSizes pli_soup_tree_sizes(int32_t count, int64_t bucket_count);

/* Builds the tree over the buckets of the last pass, and sets the first position of each bucket,
 * and its cursor, in the order of their numbers. */
void pli_soup_make_tree(PliSoup *soup);

/* Puts all primitives into the order. Advances the cursor of each bucket from its first position.
 */
void pli_soup_fill_order(PliSoup *soup);

/* The boxes of all octants, from those of the buckets. */
void pli_soup_bound(PliSoup *soup, PliWorker *worker);

/* The boxes of the children of a node below a bucket. Sorts the primitives of the node if it has
 * not been sorted, or if its children have grown by more than this since. */
#define PLI_ENOUGH_GROWTH 1.5f
void pli_soup_open(const PliSoup *soup, int32_t node, PliBox *children);

#endif
