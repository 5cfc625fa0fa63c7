/* Building: nodes are made from the root on, each by dividing its range of the order. See tree.h.
 */
#include "tree/split.h"

#include <string.h>

int32_t pli_split_evenly(const PliSplitter *splitter, PliRange range, int32_t counts[8])
{
    int32_t parts = splitter->def->child_count;
    parts = range.count < parts ? range.count : parts;
    for (int32_t i = 0; i < parts; i++)
        counts[i] =
            (int32_t)((int64_t)range.count * (i + 1) / parts - (int64_t)range.count * i / parts);
    return parts;
}

static PliSplit *split_for(PliTreeKind kind)
{
    switch (kind) {
    case PLI_TREE_MIDDLE:
    case PLI_TREE_MEAN:
        return pli_split_plane;
    case PLI_TREE_CONNECTED:
        return pli_split_patch;
    case PLI_TREE_FULL:
        break;
    }
    return pli_split_full;
}

/* ---- Growing ----------------------------------------------------------------------------- */

typedef struct Builder {
    PliSplitter splitter;
    const PliantHost *host;
    PliArray nodes, leaves; /* PliTreeNode, PliRange */
} Builder;

static PliantResult add_child(Builder *builder, int32_t parent, PliRange range)
{
    bool is_leaf = range.count <= builder->splitter.def->leaf_size;
    PliArray *array = is_leaf ? &builder->leaves : &builder->nodes;
    int32_t number = (int32_t)array->count;
    void *fresh;
    PLI_TRY(pli_array_push(array, builder->host, 1, &fresh));
    if (is_leaf)
        *(PliRange *)fresh = range;
    else
        *(PliTreeNode *)fresh = (PliTreeNode){.range = range};
    if (parent >= 0) {
        PliTreeNode *node = (PliTreeNode *)builder->nodes.items + parent;
        node->children[node->child_count++] = is_leaf ? ~number : number;
    }
    return PLIANT_OK;
}

static PliantResult divide(Builder *builder, PliSplit *split, int32_t number)
{
    PliRange range = ((PliTreeNode *)builder->nodes.items)[number].range;
    int32_t counts[8];
    int32_t parts = split(&builder->splitter, range, counts);
    for (int32_t i = 0, first = range.first; i < parts; first += counts[i], i++) {
        PLI_TRY(add_child(builder, number, (PliRange){first, counts[i]}));
    }
    return PLIANT_OK;
}

static PliantResult grow(Builder *builder)
{
    PliSplit *split = split_for(builder->splitter.def->kind);
    PLI_TRY(add_child(builder, -1, (PliRange){0, builder->splitter.def->item_count}));
    for (int32_t i = 0; i < builder->nodes.count; i++)
        PLI_TRY(divide(builder, split, i));
    return PLIANT_OK;
}

/* ---- Finishing --------------------------------------------------------------------------- */

/* Leaves were made level by level: numbers them by position. `leaf_at` has a place for each item.
 */
static void sort_leaves(PliTree *tree, int32_t *leaf_at, PliRange *sorted)
{
    for (int32_t i = 0; i < tree->leaf_count; i++)
        leaf_at[tree->leaves[i].first] = i;
    int32_t count = 0;
    for (int32_t position = 0; position < tree->item_count; count++) {
        PliRange leaf = tree->leaves[leaf_at[position]];
        leaf_at[leaf.first] = count;
        sorted[count] = leaf;
        position += leaf.count;
    }
    for (int32_t n = 0; n < tree->node_count; n++) {
        PliTreeNode *node = &tree->nodes[n];
        for (int32_t c = 0; c < node->child_count; c++)
            if (node->children[c] < 0)
                node->children[c] = ~leaf_at[tree->leaves[~node->children[c]].first];
    }
    memcpy(tree->leaves, sorted, (size_t)count * sizeof *sorted);
}

int32_t pli_tree_levels(const PliTree *tree, int32_t *depths)
{
    int32_t levels = 0;
    if (tree->node_count > 0)
        depths[0] = 1;
    for (int32_t n = 0; n < tree->node_count; n++) {
        const PliTreeNode *node = &tree->nodes[n];
        levels = depths[n] > levels ? depths[n] : levels;
        for (int32_t c = 0; c < node->child_count; c++)
            if (node->children[c] >= 0)
                depths[node->children[c]] = depths[n] + 1;
    }
    return levels;
}

/* Copies an array that grew to one of its exact size. */
static PliantResult exact_copy(const PliArray *array, const PliantHost *host, void **copy)
{
    PliantResult result = pli_allocate(host, (size_t)array->count, array->item_size, copy);
    if (result == PLIANT_OK && array->count > 0)
        memcpy(*copy, array->items, (size_t)array->count * array->item_size);
    return result;
}

static PliantResult finish(Builder *builder, PliTree *tree)
{
    void *nodes = NULL, *leaves = NULL;
    PLI_TRY(exact_copy(&builder->nodes, builder->host, &nodes));
    tree->nodes = nodes;
    tree->node_count = (int32_t)builder->nodes.count;
    PLI_TRY(exact_copy(&builder->leaves, builder->host, &leaves));
    tree->leaves = leaves;
    tree->leaf_count = (int32_t)builder->leaves.count;

    /* The scratch has room for both: a node has two children at least, a leaf one item. */
    _Static_assert(sizeof(PliRange) == sizeof(PliSortItem), "leaves are sorted in the scratch");
    sort_leaves(tree, builder->splitter.marks, (PliRange *)builder->splitter.scratch);
    tree->level_count = pli_tree_levels(tree, builder->splitter.marks);
    return PLIANT_OK;
}

static PliantResult build(Builder *builder, PliTree *tree)
{
    for (int32_t i = 0; i < tree->item_count; i++)
        tree->order[i] = i;
    if (builder->splitter.def->kind == PLI_TREE_FULL)
        PLI_TRY(pli_full_arrange(&builder->splitter, builder->host));
    PLI_TRY(grow(builder));
    return finish(builder, tree);
}

PliantResult pli_tree_build(const PliTreeDef *def, const PliantHost *host, PliTree *tree)
{
    const size_t count = (size_t)def->item_count;
    void *order, *scratch, *marks;
    const PliRequest requests[] = {{&scratch, count, sizeof(PliSortItem)},
                                   {&marks, count, sizeof(int32_t)},
                                   {&order, count, sizeof(int32_t)}};
    *tree = (PliTree){0};
    PLI_TRY(pli_allocate_all(host, requests, 3));
    *tree = (PliTree){.item_count = def->item_count, .order = order};
    Builder builder = {.splitter = {def, order, scratch, marks},
                       .host = host,
                       .nodes = {.item_size = sizeof(PliTreeNode)},
                       .leaves = {.item_size = sizeof(PliRange)}};
    PliantResult result = build(&builder, tree);
    pli_release_all(host, requests, 2); /* the tree keeps the order */
    pli_array_free(&builder.nodes, host);
    pli_array_free(&builder.leaves, host);
    if (result != PLIANT_OK)
        pli_tree_free(tree, host);
    return result;
}

void pli_tree_free(PliTree *tree, const PliantHost *host)
{
    pli_release(host, tree->order, (size_t)tree->item_count, sizeof *tree->order);
    pli_release(host, tree->leaves, (size_t)tree->leaf_count, sizeof *tree->leaves);
    pli_release(host, tree->nodes, (size_t)tree->node_count, sizeof *tree->nodes);
    *tree = (PliTree){0};
}

/* ---- From the bottom up ------------------------------------------------------------------ */

typedef struct Climb {
    PliPartTask *task;
    void *data;
    int32_t begin; /* of the nodes that are next */
} Climb;

/* PliPartTask. */
static void climb_part(void *data, const PliPart *part)
{
    const Climb *climb = data;
    const PliPart nodes = {part->index, part->worker, climb->begin + part->begin,
                           climb->begin + part->end};
    climb->task(climb->data, &nodes);
}

int32_t pli_tree_wave(const PliTree *tree, int32_t end)
{
    for (int32_t n = end - 1; n >= 0; n--)
        for (int32_t c = 0; c < tree->nodes[n].child_count; c++)
            if (tree->nodes[n].children[c] >= 0 && tree->nodes[n].children[c] < end)
                return n + 1;
    return 0;
}

void pli_tree_climb(const PliTree *tree, const PliantHost *host, PliPartTask *task, void *data)
{
    Climb climb = {task, data, tree->node_count};
    while (climb.begin > 0) {
        const int32_t end = climb.begin;
        climb.begin = pli_tree_wave(tree, end);
        pli_divide(host, climb_part, &climb, end - climb.begin);
    }
}

/* ---- Checking ---------------------------------------------------------------------------- */

static bool is_permutation(const PliTree *tree, int32_t *seen)
{
    memset(seen, 0, (size_t)tree->item_count * sizeof *seen);
    for (int32_t i = 0; i < tree->item_count; i++) {
        int32_t item = tree->order[i];
        if (item < 0 || item >= tree->item_count || seen[item]++)
            return false;
    }
    return true;
}

/* The children follow one another and fill the node's range; those that are nodes come later. */
static bool is_valid_node(const PliTree *tree, int32_t number)
{
    const PliTreeNode *node = &tree->nodes[number];
    if (node->child_count < 2 || node->child_count > 8)
        return false;
    int64_t position = node->range.first;
    for (int32_t c = 0; c < node->child_count; c++) {
        int32_t child = node->children[c];
        bool is_there =
            child < 0 ? ~child < tree->leaf_count : child > number && child < tree->node_count;
        if (!is_there)
            return false;
        PliRange range = child < 0 ? tree->leaves[~child] : tree->nodes[child].range;
        if (range.first != position || range.count < 1)
            return false;
        position += range.count;
    }
    return position == (int64_t)node->range.first + node->range.count;
}

bool pli_tree_is_valid(const PliTree *tree, int32_t *seen)
{
    if (tree->item_count < 1 || tree->leaf_count < 1 || !is_permutation(tree, seen))
        return false;
    /* Leaves fill the whole in order, and so do the children of each node: with the counts right,
     * each leaf and node but the root has one parent. */
    int64_t position = 0, child_count = 0;
    for (int32_t i = 0; i < tree->leaf_count; i++) {
        if (tree->leaves[i].first != position || tree->leaves[i].count < 1)
            return false;
        position += tree->leaves[i].count;
    }
    for (int32_t n = 0; n < tree->node_count; n++) {
        if (!is_valid_node(tree, n))
            return false;
        child_count += tree->nodes[n].child_count;
    }
    if (tree->node_count == 0)
        return tree->leaf_count == 1 && position == tree->item_count;
    PliRange root = tree->nodes[0].range;
    return position == tree->item_count && root.first == 0 && root.count == tree->item_count &&
           child_count == (int64_t)tree->node_count - 1 + tree->leaf_count;
}
