/* Nodes below a bucket, which sort their primitives when a walk reaches them: see tree.h. */
#include "base/sort.h"
#include "soup/cells.h"
#include "soup/halve.h"
#include "soup/read.h"
#include "soup/tree.h"

/* A node of nodes is sorted by cells, one for each two primitives, up to 2 to the power of this. */
enum { MAX_SORT_BITS = 12 };

static PliBox box_all(const PliBox *boxes, int32_t count)
{
    PliBox all = pli_box_empty();
    for (int32_t i = 0; i < count; i++)
        pli_box_add(&all, &boxes[i]);
    return all;
}

/* The sum of the sizes of boxes. */
static float size_all(const PliBox *boxes, int32_t count)
{
    float size = 0;
    for (int32_t i = 0; i < count; i++)
        size += pli_size_of(&boxes[i]);
    return size;
}

/* Has the node been sorted, and have its children not grown much since? */
static bool is_sorted(const PliSoup *soup, int32_t node, const PliBox *children)
{
    const float size = size_all(children, soup->tree->nodes[node].child_count);
    return size <= PLI_ENOUGH_GROWTH * ((const float *)soup->sizes.items)[node];
}

static void set_sorted(const PliSoup *soup, int32_t node, const PliBox *children)
{
    ((float *)soup->sizes.items)[node] = size_all(children, soup->tree->nodes[node].child_count);
}

/* ---- Nodes of leaves ------------------------------------------------------------------------- */

/* The order, and the boxes with it. */
static void sort_leaves(int32_t *order, PliBox *boxes, int32_t count)
{
    PliItem items[PLI_LEAF_NODE_SIZE], spare[PLI_LEAF_NODE_SIZE];
    PliBox old_boxes[PLI_LEAF_NODE_SIZE];
    int32_t old_order[PLI_LEAF_NODE_SIZE];
    for (int32_t i = 0; i < count; i++)
        items[i] = pli_item(pli_quarter_middle(&boxes[i]), i);
    const PliItem *halved = pli_items_halve(items, spare, count);
    memcpy(old_order, order, (size_t)count * sizeof *order);
    memcpy(old_boxes, boxes, (size_t)count * sizeof *boxes);
    for (int32_t i = 0; i < count; i++) {
        order[i] = old_order[pli_item_number(halved[i])];
        boxes[i] = old_boxes[pli_item_number(halved[i])];
    }
}

static void box_leaves(const PliBox *boxes, int32_t count, PliBox *leaves)
{
    for (int32_t first = 0; first < count; first += PLI_LEAF_SIZE) {
        const int32_t left = count - first;
        *leaves++ = box_all(boxes + first, left < PLI_LEAF_SIZE ? left : PLI_LEAF_SIZE);
    }
}

static void open_leaves(const PliSoup *soup, int32_t node, PliBox *children)
{
    const PliRange range = soup->tree->nodes[node].range;
    PliBox boxes[PLI_LEAF_NODE_SIZE];
    pli_soup_read_range(soup, range, boxes);
    box_leaves(boxes, range.count, children);
    if (is_sorted(soup, node, children))
        return;
    sort_leaves(soup->tree->order + range.first, boxes, range.count);
    box_leaves(boxes, range.count, children);
    set_sorted(soup, node, children);
}

/* ---- Nodes of nodes -------------------------------------------------------------------------- */

/* The boxes of the children, from the primitives at their positions. */
static void read_children(const PliSoup *soup, int32_t node, PliBox *children)
{
    const PliTreeNode *tree_node = &soup->tree->nodes[node];
    PliBox boxes[PLI_LEAF_NODE_SIZE];
    for (int32_t c = 0; c < tree_node->child_count; c++) {
        PliRange range = pli_range_of(soup->tree, tree_node->children[c]);
        const int32_t end = range.first + range.count;
        children[c] = pli_box_empty();
        for (; range.first < end; range.first += range.count) {
            const int32_t left = end - range.first;
            range.count = left < PLI_LEAF_NODE_SIZE ? left : PLI_LEAF_NODE_SIZE;
            pli_soup_read_range(soup, range, boxes);
            const PliBox all = box_all(boxes, range.count);
            pli_box_add(&children[c], &all);
        }
    }
}

/* The numbers of the cells that primitives are in, of a grid of their own. Returns how many cells
 * there are. */
static int32_t read_codes(const PliSoup *soup, PliRange range, uint32_t *codes)
{
    uint32_t room[3 << PLI_MAX_AXIS_BITS];
    const int32_t *order = soup->tree->order + range.first;
    const int32_t bits = pli_bits_below(range.count) - 1;
    PliBox middles = pli_box_empty(), box;
    PliCells cells;
    for (int32_t i = 0; i < range.count; i++)
        if (pli_soup_read(soup, order[i], &box))
            pli_box_add_point(&middles, pli_quarter_middle(&box));
    pli_cells_halve(&cells, &middles, bits < MAX_SORT_BITS ? bits : MAX_SORT_BITS, room);
    for (int32_t i = 0; i < range.count; i++) {
        bool is_finite = pli_soup_read(soup, order[i], &box);
        codes[i] = is_finite ? pli_cell_of(&cells, pli_quarter_middle(&box)) : 0;
    }
    return 1 << cells.bits;
}

static void sort_node(const PliSoup *soup, PliRange range)
{
    uint32_t *codes = (uint32_t *)soup->codes.items + range.first;
    uint32_t *spare = (uint32_t *)soup->spare.items + range.first;
    uint32_t firsts[(1 << MAX_SORT_BITS) + 1] = {0};
    int32_t *order = soup->tree->order + range.first;
    const int32_t cell_count = read_codes(soup, range, codes);
    for (int32_t i = 0; i < range.count; i++)
        firsts[codes[i] + 1]++;
    for (int32_t c = 0; c < cell_count; c++)
        firsts[c + 1] += firsts[c];
    for (int32_t i = 0; i < range.count; i++)
        spare[firsts[codes[i]]++] = (uint32_t)order[i];
    memcpy(order, spare, (size_t)range.count * sizeof *order);
}

void pli_soup_open(const PliSoup *soup, int32_t node, PliBox *children)
{
    if (soup->tree->nodes[node].children[0] < 0) {
        open_leaves(soup, node, children);
        return;
    }
    read_children(soup, node, children);
    if (is_sorted(soup, node, children))
        return;
    sort_node(soup, soup->tree->nodes[node].range);
    read_children(soup, node, children);
    set_sorted(soup, node, children);
}
