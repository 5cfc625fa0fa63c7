/* The tree over the buckets of a soup: see tree.h.
 *
 * The octant of a bucket has the number of the bucket without its last three bits, and so on up, so
 * that every possible octant has a fixed index. A mark says in which pass an octant was last not
 * empty; octants with another mark are skipped. So the tree, which is built from the top down, has
 * only octants that are not empty. Below each bucket of more than one leaf there is a full tree
 * over its positions. */
#include "soup/tree.h"
#include "base/round.h"
#include "pose/boxes.h"

/* The number of levels of octants above this many buckets. */
static int32_t octant_levels(int64_t bucket_count)
{
    int32_t levels = 1;
    while ((int64_t)1 << 3 * levels < bucket_count)
        levels++;
    return levels;
}

/* Where the octants of a level begin among all: level 0 is the root. */
static uint32_t first_octant(int32_t level)
{
    return ((1u << 3 * level) - 1) / 7;
}

PliSoupSizes pli_soup_tree_sizes(int32_t count, int64_t bucket_count)
{
    const int64_t occupied = bucket_count < count ? bucket_count : count;
    const int32_t levels = octant_levels(bucket_count);
    PliSoupSizes sizes = {.buckets = bucket_count,
                          .leaves = count / PLI_LEAF_SIZE + occupied,
                          .marks = first_octant(levels)};
    /* A tree of q leaves, two or more, has q / 2 nodes at most. */
    sizes.nodes = sizes.leaves / 2 + 1;
    for (int32_t level = 0; level < levels; level++) {
        const int64_t octants = (int64_t)1 << 3 * level;
        sizes.nodes += octants < occupied ? octants : occupied;
    }
    return sizes;
}

/* ---- Marks ----------------------------------------------------------------------------------- */

static bool is_filled(const PliSoup *soup, const PliBucket *bucket)
{
    return bucket->mark == soup->mark && bucket->count > 0;
}

/* Marks the octants of a bucket, from the bottom up as far as they are not marked. */
static inline void mark_above(const PliSoup *soup, uint32_t bucket)
{
    uint32_t *marks = soup->marks.items;
    uint32_t octant = bucket;
    for (int32_t level = soup->level_count - 1; level >= 0; level--) {
        octant >>= 3;
        uint32_t *mark = &marks[first_octant(level) + octant];
        if (*mark == soup->mark)
            break;
        *mark = soup->mark;
    }
}

/* Goes through the buckets, or through the primitives if there are fewer of them. */
static void mark_all(const PliSoup *soup)
{
    const PliBucket *buckets = soup->buckets.items;
    const uint32_t *bucket_of = soup->bucket_of.items;
    if (soup->bucket_count <= soup->count) {
        for (int32_t b = 0; b < soup->bucket_count; b++)
            if (is_filled(soup, &buckets[b]))
                mark_above(soup, (uint32_t)b);
    } else
        for (int32_t i = 0; i < soup->count; i++)
            if (bucket_of[i] != PLI_NO_BUCKET)
                mark_above(soup, bucket_of[i]);
}

/* ---- Below a bucket -------------------------------------------------------------------------- */

/* Adds leaves of sixteen positions each. Returns the number of the first. */
static int32_t add_leaves(PliTree *tree, PliRange range)
{
    const int32_t first = tree->leaf_count;
    for (int32_t done = 0; done < range.count; done += PLI_LEAF_SIZE) {
        const int32_t left = range.count - done;
        tree->leaves[tree->leaf_count++] =
            (PliRange){range.first + done, left < PLI_LEAF_SIZE ? left : PLI_LEAF_SIZE};
    }
    return first;
}

/* Adds a full tree: leaves, nodes of eight leaves, and so on, level by level from the top down.
 * Returns its root, a node or a complemented leaf. */
static int32_t add_full(PliTree *tree, PliRange range)
{
    int32_t sizes[16], level_count = 0;
    const int32_t first_leaf = add_leaves(tree, range), leaf_count = tree->leaf_count - first_leaf;
    const int32_t root = tree->node_count;
    for (int32_t size = leaf_count; size > 1; sizes[level_count++] = size)
        size = (int32_t)pli_div_up(size, 8);
    for (int32_t level = level_count - 1; level >= 0; level--) {
        const int32_t first = tree->node_count, next = first + sizes[level];
        const int32_t child_size = level > 0 ? sizes[level - 1] : leaf_count;
        const int64_t span = (int64_t)PLI_LEAF_NODE_SIZE << 3 * level;
        for (int32_t i = 0; i < sizes[level]; i++) {
            PliTreeNode *node = &tree->nodes[first + i];
            const int64_t start = span * i, left = range.count - start;
            node->range =
                (PliRange){range.first + (int32_t)start, (int32_t)(left < span ? left : span)};
            node->child_count = child_size - 8 * i < 8 ? child_size - 8 * i : 8;
            for (int32_t c = 0; c < node->child_count; c++)
                node->children[c] = level > 0 ? next + 8 * i + c : ~(first_leaf + 8 * i + c);
        }
        tree->node_count = next;
    }
    return level_count > 0 ? root : ~first_leaf;
}

/* ---- Above the buckets ----------------------------------------------------------------------- */

/* Gives a bucket the next positions, and adds the tree over them. */
static int32_t add_bucket(PliSoup *soup, uint32_t number)
{
    PliBucket *bucket = (PliBucket *)soup->buckets.items + number;
    bucket->first = soup->tree->item_count;
    ((uint32_t *)soup->cursors.items)[number] = (uint32_t)bucket->first;
    soup->tree->item_count += bucket->count;
    return add_full(soup->tree, (PliRange){bucket->first, bucket->count});
}

/* Is an octant, or a bucket on the last level, not empty? There may be numbers behind the last
 * bucket. */
static bool is_occupied(const PliSoup *soup, int32_t level, uint32_t number)
{
    if (level == soup->level_count)
        return number < (uint32_t)soup->bucket_count &&
               is_filled(soup, (const PliBucket *)soup->buckets.items + number);
    return ((const uint32_t *)soup->marks.items)[first_octant(level) + number] == soup->mark;
}

static void add_children(PliSoup *soup, int32_t node, int32_t level)
{
    PliTree *tree = soup->tree;
    int32_t *octants = soup->octants.items;
    tree->nodes[node].child_count = 0;
    for (uint32_t c = 0; c < 8; c++) {
        const uint32_t number = 8 * (uint32_t)octants[node] + c;
        if (!is_occupied(soup, level + 1, number))
            continue;
        int32_t child;
        if (level + 1 == soup->level_count)
            child = add_bucket(soup, number);
        else {
            child = tree->node_count++;
            octants[child] = (int32_t)number;
        }
        tree->nodes[node].children[tree->nodes[node].child_count++] = child;
    }
}

/* Level by level, each from the first octant to the last. */
static void add_octants(PliSoup *soup)
{
    PliTree *tree = soup->tree;
    int32_t first = 0;
    ((int32_t *)soup->octants.items)[0] = 0;
    tree->node_count = 1;
    for (int32_t level = 0; level < soup->level_count; level++) {
        const int32_t end = tree->node_count;
        soup->octant_count = end;
        soup->last_level = first;
        for (int32_t n = first; n < end; n++)
            add_children(soup, n, level);
        first = end;
    }
    for (int32_t n = soup->octant_count - 1; n >= 0; n--) {
        PliTreeNode *node = &tree->nodes[n];
        const int32_t last = node->children[node->child_count - 1];
        const PliRange from = pli_range_of(tree, node->children[0]), to = pli_range_of(tree, last);
        node->range = (PliRange){from.first, to.first + to.count - from.first};
    }
}

void pli_soup_make_tree(PliSoup *soup)
{
    PliTree *tree = soup->tree;
    float *sizes = soup->sizes.items;
    tree->item_count = tree->leaf_count = tree->node_count = 0;
    soup->octant_count = soup->last_level = 0;
    soup->level_count = octant_levels(soup->bucket_count);
    mark_all(soup);
    if (is_occupied(soup, 0, 0))
        add_octants(soup);
    for (int32_t n = soup->octant_count; n < tree->node_count; n++)
        sizes[n] = 0;
}

void pli_soup_fill_order(PliSoup *soup)
{
    const uint32_t *bucket_of = soup->bucket_of.items;
    uint32_t *cursors = soup->cursors.items;
    int32_t *order = soup->order.items;
    for (int32_t i = 0; i < soup->count; i++)
        if (bucket_of[i] != PLI_NO_BUCKET)
            order[cursors[bucket_of[i]]++] = i;
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* The boxes of an octant's children. */
static void box_children(const PliSoup *soup, int32_t node, PliBox *boxes)
{
    const PliTreeNode *tree_node = &soup->tree->nodes[node];
    const PliBox *node_boxes = soup->node_boxes.items;
    const uint32_t first = 8 * (uint32_t)((const int32_t *)soup->octants.items)[node];
    if (node < soup->last_level) {
        for (int32_t c = 0; c < tree_node->child_count; c++)
            boxes[c] = node_boxes[tree_node->children[c]];
        return;
    }
    for (uint32_t number = first; number < first + 8; number++)
        if (is_occupied(soup, soup->level_count, number))
            *boxes++ = ((const PliBucket *)soup->buckets.items)[number].box;
}

void pli_soup_bound(PliSoup *soup, PliWorker *worker)
{
    PliBox *boxes = soup->node_boxes.items;
    PliBounds *bounds = &soup->base.bounds;
    for (int32_t n = soup->octant_count - 1; n >= 0; n--) {
        PliBox children[8];
        box_children(soup, n, children);
        boxes[n] = pli_pose_set_children(&soup->base, n, children, worker);
    }
    /* An empty soup overlaps nothing, not even an infinite box. */
    bounds->root = (PliBox){{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    if (soup->octant_count > 0)
        bounds->root = soup->base.is_moved
                           ? pli_box_moved(&soup->base.transform, &boxes[0], worker->kernels)
                           : boxes[0];
}
