/* A tree in which no leaf has items of two groups: see tree.h.
 *
 * Each group gets a tree of its own. The leaves of all these trees become the items of one tree
 * over them. A full leaf may hold items that are far apart, and queries reach it for everything
 * between them. Such a leaf is cut where that reduces its surface area most.
 *
 * The members of a group, and of a leaf, follow one another in the order: so leaves are noted by
 * the positions that they begin at, and groups need not wait for each other. A large group is built
 * by all workers, all others by one worker each. */
#include "base/sort.h"
#include "base/tasks.h"
#include "tree/split.h"

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
    PliBox *boxes;    /* of the members; in the end, of the leaves */
    bool *are_firsts; /* of each position: does a leaf begin there? */
    PliRange *leaves; /* in the order */
    int32_t leaf_count;
    PliantResult results[PLI_MAX_PARTS]; /* of parts of the groups */
} Grouping;

/* ---- Cutting leaves -------------------------------------------------------------------------- */

/* A leaf is cut if its parts together have less than this of its area. */
static const float FAR_LESS = 0.7f;

static float area_of(const PliBox *box)
{
    const PliFloat4 size = box->high - box->low;
    return (size[0] * size[1] + size[1] * size[2]) + size[2] * size[0];
}

/* Leaves of more items than this are not cut. */
enum { MAX_CUT = 64 };

/* Items of a leaf by their middles along an axis, of equals the first one first. */
static void sort_along(const Grouping *grouping, int axis, const int32_t *items, int32_t count,
                       int32_t *sorted)
{
    uint64_t keys[MAX_CUT], scratch[MAX_CUT];
    for (int32_t i = 0; i < count; i++) {
        const float middle = pli_item_middle(&grouping->def->boxes[items[i]], axis);
        keys[i] = (uint64_t)pli_rank_of(middle + 0.0f) << 32 | (uint32_t)i; /* -0 is 0 */
    }
    pli_sort_keys(keys, scratch, count, 64);
    for (int32_t i = 0; i < count; i++)
        sorted[i] = items[(uint32_t)keys[i]];
}

/* The best place to cut sorted items, and the area that is left. */
static int32_t best_split(const Grouping *grouping, const int32_t *items, int32_t count,
                          float *area)
{
    int32_t best = 0;
    *area = INFINITY;
    for (int32_t cut = 1; cut < count; cut++) {
        PliBox parts[2] = {pli_box_empty(), pli_box_empty()};
        for (int32_t i = 0; i < count; i++)
            pli_box_add(&parts[i >= cut], &grouping->def->boxes[items[i]]);
        const float here = area_of(&parts[0]) + area_of(&parts[1]);
        best = here < *area ? cut : best;
        *area = here < *area ? here : *area;
    }
    return best;
}

/* Where to cut a leaf, whose items are then in that order; or 0. */
static int32_t find_refit_cut(const Grouping *grouping, PliRange leaf)
{
    int32_t sorted[MAX_CUT], best_order[MAX_CUT], best = 0, *items = grouping->order + leaf.first;
    PliBox all = pli_box_empty();
    if (leaf.count > MAX_CUT)
        return 0;
    for (int32_t i = 0; i < leaf.count; i++)
        pli_box_add(&all, &grouping->def->boxes[items[i]]);
    float least = FAR_LESS * area_of(&all);
    for (int axis = 0; axis < 3; axis++) {
        float area;
        sort_along(grouping, axis, items, leaf.count, sorted);
        int32_t cut = best_split(grouping, sorted, leaf.count, &area);
        if (!(area < least))
            continue;
        least = area;
        best = cut;
        memcpy(best_order, sorted, (size_t)leaf.count * sizeof *items);
    }
    if (best > 0)
        memcpy(items, best_order, (size_t)leaf.count * sizeof *items);
    return best;
}

/* Notes a leaf, in as many parts as it is cut into. */
static void add_leaf(const Grouping *grouping, PliRange leaf)
{
    while (leaf.count > 0) {
        PliRange part = leaf;
        for (int32_t cut; (cut = find_refit_cut(grouping, part)) > 0;)
            part.count = cut;
        grouping->are_firsts[part.first] = true;
        leaf = (PliRange){leaf.first + part.count, leaf.count - part.count};
    }
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* The tree of one group. */
typedef struct GroupTree {
    const Grouping *grouping;
    int32_t first; /* of its members */
    PliTree tree;
} GroupTree;

/* PliPartTask. */
static void copy_boxes(void *data, const PliPart *part)
{
    const GroupTree *group = data;
    const Grouping *grouping = group->grouping;
    for (int64_t i = group->first + part->begin; i < group->first + part->end; i++)
        grouping->boxes[i] = grouping->def->boxes[grouping->members[i]];
}

/* PliPartTask. */
static void copy_order(void *data, const PliPart *part)
{
    const GroupTree *group = data;
    const Grouping *grouping = group->grouping;
    for (int64_t i = part->begin; i < part->end; i++)
        grouping->order[group->first + i] = grouping->members[group->first + group->tree.order[i]];
}

/* PliPartTask. */
static void add_leaves(void *data, const PliPart *part)
{
    const GroupTree *group = data;
    for (int64_t i = part->begin; i < part->end; i++) {
        const PliRange leaf = group->tree.leaves[i];
        add_leaf(group->grouping, (PliRange){group->first + leaf.first, leaf.count});
    }
}

/* The leaves of a group's own tree, by the workers of this host. */
static PliantResult add_group(const Grouping *grouping, int32_t number, const PliantHost *host)
{
    GroupTree group = {.grouping = grouping, .first = grouping->firsts[number]};
    PliTreeDef def = *grouping->def;
    def.item_count = grouping->firsts[number + 1] - group.first;
    def.boxes = grouping->boxes + group.first;
    if (def.item_count == 0)
        return PLIANT_OK;
    pli_divide(host, copy_boxes, &group, def.item_count);
    PLI_TRY(pli_tree_build(&def, host, &group.tree));
    pli_divide(host, copy_order, &group, def.item_count);
    pli_divide(host, add_leaves, &group, group.tree.leaf_count);
    pli_tree_free(&group.tree, host);
    return PLIANT_OK;
}

/* Has a group more than its share of all items, if there are several workers? */
static bool is_large(const Grouping *grouping, int32_t group)
{
    const int32_t part_count = pli_part_count(grouping->host, grouping->def->item_count);
    const int64_t count = grouping->firsts[group + 1] - grouping->firsts[group];
    return part_count > 1 && count * part_count > grouping->def->item_count;
}

/* PliPartTask: some groups that are not large. */
static void add_small_groups(void *data, const PliPart *part)
{
    Grouping *grouping = data;
    PliantHost alone = *grouping->host;
    PliantResult result = PLIANT_OK;
    alone.worker_count = 1;
    for (int32_t g = (int32_t)part->begin; g < part->end && result == PLIANT_OK; g++)
        if (!is_large(grouping, g))
            result = add_group(grouping, g, &alone);
    grouping->results[part->index] = result;
}

static PliantResult add_groups(Grouping *grouping)
{
    const PliantHost *host = grouping->host;
    for (int32_t g = 0; g < grouping->group_count; g++)
        if (is_large(grouping, g))
            PLI_TRY(add_group(grouping, g, host));
    pli_divide(host, add_small_groups, grouping, grouping->group_count);
    for (int32_t p = 0; p < pli_part_count(host, grouping->group_count); p++)
        PLI_TRY(grouping->results[p]);
    return PLIANT_OK;
}

/* ---- One tree of all ------------------------------------------------------------------------- */

/* Lists the leaves that were noted. */
static PliantResult list_leaves(Grouping *grouping)
{
    const int32_t item_count = grouping->def->item_count;
    int32_t count = 0;
    for (int32_t i = 0; i < item_count; i++)
        count += grouping->are_firsts[i];
    grouping->leaves = pli_arena_cut(&grouping->arena, (size_t)count, sizeof(PliRange));
    PLI_TRY(grouping->arena.failure);
    grouping->leaf_count = count;
    for (int32_t i = item_count, end = item_count; i-- > 0;)
        if (grouping->are_firsts[i]) {
            grouping->leaves[--count] = (PliRange){i, end - i};
            end = i;
        }
    return PLIANT_OK;
}

/* PliPartTask. */
static void find_leaf_boxes(void *data, const PliPart *part)
{
    const Grouping *grouping = data;
    for (int64_t i = part->begin; i < part->end; i++) {
        const PliRange leaf = grouping->leaves[i];
        PliBox box = pli_box_empty();
        for (int32_t k = leaf.first; k < leaf.first + leaf.count; k++)
            pli_box_add(&box, &grouping->def->boxes[grouping->order[k]]);
        grouping->boxes[i] = box;
    }
}

/* From leaves as items of `over` to the items in them. */
static void compose(const Grouping *grouping, const PliTree *over, PliTree *tree)
{
    const PliRange *leaves = grouping->leaves;
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
    void *order, *leaves, *nodes;
    const PliRequest requests[] = {
        {&order, (size_t)grouping->def->item_count, sizeof *tree->order},
        {&leaves, (size_t)over->leaf_count, sizeof *tree->leaves},
        {&nodes, (size_t)over->node_count, sizeof *tree->nodes},
    };
    PLI_TRY(pli_allocate_all(host, requests, 3));
    *tree = (PliTree){.item_count = grouping->def->item_count,
                      .leaf_count = over->leaf_count,
                      .node_count = over->node_count,
                      .level_count = over->level_count,
                      .order = order,
                      .leaves = leaves,
                      .nodes = nodes};
    compose(grouping, over, tree);
    return PLIANT_OK;
}

/* A tree over the leaves, each of them a leaf. */
static PliantResult join_leaves(Grouping *grouping, PliTree *tree)
{
    pli_divide(grouping->host, find_leaf_boxes, grouping, grouping->leaf_count);
    PliTreeDef def = *grouping->def;
    def.leaf_size = 1;
    def.item_count = grouping->leaf_count;
    def.boxes = grouping->boxes;
    PliTree over;
    PLI_TRY(pli_tree_build(&def, grouping->host, &over));
    PliantResult result = make_tree(grouping, &over, tree);
    pli_tree_free(&over, grouping->host);
    return result;
}

static PliantResult build_groups(Grouping *grouping, PliTree *tree)
{
    pli_sort_by_group((const uint32_t *)grouping->groups, grouping->def->item_count,
                      grouping->group_count, grouping->firsts, grouping->members);
    memset(grouping->are_firsts, 0, (size_t)grouping->def->item_count);
    PLI_TRY(add_groups(grouping));
    PLI_TRY(list_leaves(grouping));
    return join_leaves(grouping, tree);
}

PliantResult pli_tree_build_groups(const PliTreeDef *def, const int32_t *groups,
                                   int32_t group_count, const PliantHost *host, PliTree *tree)
{
    const size_t count = (size_t)def->item_count;
    Grouping grouping = {.def = def, .groups = groups, .group_count = group_count, .host = host};
    PliArena *arena = &grouping.arena;
    *tree = (PliTree){0};
    pli_arena_init(arena, host);
    grouping.firsts = pli_arena_cut(arena, (size_t)group_count + 1, sizeof *grouping.firsts);
    grouping.members = pli_arena_cut(arena, count, sizeof *grouping.members);
    grouping.order = pli_arena_cut(arena, count, sizeof *grouping.order);
    grouping.boxes = pli_arena_cut(arena, count, sizeof *grouping.boxes);
    grouping.are_firsts = pli_arena_cut(arena, count, sizeof *grouping.are_firsts);
    PliantResult result = arena->failure;
    if (result == PLIANT_OK)
        result = build_groups(&grouping, tree);
    pli_arena_free(arena);
    return result;
}
