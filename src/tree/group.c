/* A tree in which no leaf has items of two groups: see tree.h.
 *
 * Each group gets a tree of its own, of which the leaves are kept; these are then the items of a
 * tree over all of them. */
#include "tree/tree.h"

#include <string.h>

typedef struct Grouping {
    const PliTreeDef *def;
    const int32_t *groups;
    int32_t group_count;
    const PliantHost *host;
    PliArena arena;
    int32_t *firsts;  /* where each group begins among its members, and the end */
    int32_t *members; /* the items, by group */
    int32_t *order;   /* the items, by leaf */
    PliBox *boxes;    /* of the items of one group */
    PliArray leaves;  /* of PliRange: in the order */
    PliBox *leaf_boxes;
} Grouping;

/* The items by group, and by number in each. */
static void sort_members(Grouping *grouping)
{
    const int32_t count = grouping->def->item_count;
    int32_t *firsts = grouping->firsts;
    memset(firsts, 0, ((size_t)grouping->group_count + 1) * sizeof *firsts);
    for (int32_t i = 0; i < count; i++)
        firsts[grouping->groups[i] + 1]++;
    for (int32_t g = 0; g < grouping->group_count; g++)
        firsts[g + 1] += firsts[g];
    for (int32_t i = 0; i < count; i++)
        grouping->members[firsts[grouping->groups[i]]++] = i;
    memmove(firsts + 1, firsts, (size_t)grouping->group_count * sizeof *firsts);
    firsts[0] = 0;
}

/* The leaves of a group's own tree. */
static PliantResult add_group(Grouping *grouping, int32_t group)
{
    const int32_t first = grouping->firsts[group], count = grouping->firsts[group + 1] - first;
    if (count == 0)
        return PLIANT_OK;
    for (int32_t i = 0; i < count; i++)
        grouping->boxes[i] = grouping->def->boxes[grouping->members[first + i]];
    PliTreeDef def = *grouping->def;
    def.item_count = count;
    def.boxes = grouping->boxes;
    PliTree tree;
    PliantResult result = pli_tree_build(&def, grouping->host, &tree);
    if (result != PLIANT_OK)
        return result;
    void *room;
    result = pli_array_push(&grouping->leaves, grouping->host, tree.leaf_count, &room);
    for (int32_t i = 0; i < tree.leaf_count && result == PLIANT_OK; i++)
        ((PliRange *)room)[i] = (PliRange){first + tree.leaves[i].first, tree.leaves[i].count};
    for (int32_t i = 0; i < count; i++)
        grouping->order[first + i] = grouping->members[first + tree.order[i]];
    pli_tree_free(&tree, grouping->host);
    return result;
}

static PliBox box_of_leaf(const Grouping *grouping, PliRange leaf)
{
    PliBox box = pli_box_empty();
    for (int32_t i = leaf.first; i < leaf.first + leaf.count; i++)
        pli_box_add(&box, &grouping->def->boxes[grouping->order[i]]);
    return box;
}

/* From leaves as items of `over` to the items in them. */
static void compose(const Grouping *grouping, const PliTree *over, PliTree *tree)
{
    const PliRange *leaves = grouping->leaves.items;
    int32_t position = 0;
    for (int32_t i = 0; i < over->item_count; i++) {
        const PliRange leaf = leaves[over->order[i]];
        memcpy(tree->order + position, grouping->order + leaf.first,
               (size_t)leaf.count * sizeof *tree->order);
        tree->leaves[i] = (PliRange){position, leaf.count};
        position += leaf.count;
    }
    for (int32_t n = 0; n < over->node_count; n++) {
        tree->nodes[n] = over->nodes[n];
        const PliRange range = over->nodes[n].range;
        const PliRange last = tree->leaves[range.first + range.count - 1];
        const int32_t first = tree->leaves[range.first].first;
        tree->nodes[n].range = (PliRange){first, last.first + last.count - first};
    }
}

static PliantResult make_tree(const Grouping *grouping, const PliTree *over, PliTree *tree)
{
    const PliantHost *host = grouping->host;
    void *order = NULL, *leaves = NULL, *nodes = NULL;
    *tree = (PliTree){.item_count = grouping->def->item_count,
                      .leaf_count = over->leaf_count,
                      .node_count = over->node_count,
                      .level_count = over->level_count};
    PliantResult result = pli_allocate(host, (size_t)tree->item_count, sizeof *tree->order, &order);
    tree->order = order;
    if (result == PLIANT_OK)
        result = pli_allocate(host, (size_t)tree->leaf_count, sizeof *tree->leaves, &leaves);
    tree->leaves = leaves;
    if (result == PLIANT_OK)
        result = pli_allocate(host, (size_t)tree->node_count, sizeof *tree->nodes, &nodes);
    tree->nodes = nodes;
    if (result == PLIANT_OK)
        compose(grouping, over, tree);
    else
        pli_tree_free(tree, host);
    return result;
}

/* A tree over the leaves, each of them a leaf. */
static PliantResult join_leaves(Grouping *grouping, PliTree *tree)
{
    const int32_t count = (int32_t)grouping->leaves.count;
    const PliRange *leaves = grouping->leaves.items;
    for (int32_t i = 0; i < count; i++)
        grouping->leaf_boxes[i] = box_of_leaf(grouping, leaves[i]);
    PliTreeDef def = *grouping->def;
    def.leaf_size = 1;
    def.item_count = count;
    def.boxes = grouping->leaf_boxes;
    PliTree over;
    PliantResult result = pli_tree_build(&def, grouping->host, &over);
    if (result != PLIANT_OK)
        return result;
    result = make_tree(grouping, &over, tree);
    pli_tree_free(&over, grouping->host);
    return result;
}

#define TAKE(array, count)                                                                         \
    {                                                                                              \
        void *memory = NULL;                                                                       \
        if (result == PLIANT_OK)                                                                   \
            result = pli_arena_take(&grouping.arena, count, sizeof *grouping.array, &memory);      \
        grouping.array = memory;                                                                   \
    }

PliantResult pli_tree_build_groups(const PliTreeDef *def, const int32_t *groups,
                                   int32_t group_count, const PliantHost *host, PliTree *tree)
{
    const size_t count = (size_t)def->item_count;
    Grouping grouping = {.def = def,
                         .groups = groups,
                         .group_count = group_count,
                         .host = host,
                         .leaves = {.item_size = sizeof(PliRange)}};
    PliantResult result = PLIANT_OK;
    *tree = (PliTree){0};
    pli_arena_init(&grouping.arena, host);
    TAKE(firsts, (size_t)group_count + 1)
    TAKE(members, count)
    TAKE(order, count)
    TAKE(boxes, count)
    TAKE(leaf_boxes, count)
    if (result == PLIANT_OK)
        sort_members(&grouping);
    for (int32_t g = 0; g < group_count && result == PLIANT_OK; g++)
        result = add_group(&grouping, g);
    if (result == PLIANT_OK)
        result = join_leaves(&grouping, tree);
    pli_array_free(&grouping.leaves, host);
    pli_arena_free(&grouping.arena);
    return result;
}
