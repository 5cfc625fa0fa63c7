/* PLI_TREE_MIDDLE and PLI_TREE_MEAN: the box of a node is split across its one, two or three
 * longest sides, at its middle or at the mean of the midpoints of its items. Each item goes to the
 * part that contains its midpoint. Parts without items are dropped. After Larsson and
 * Akenine-Moller, 2001. */
#include "tree/split.h"

/* Where to split, as twice a coordinate, along each axis. */
static void split_point(const PliSplitter *splitter, PliRange range, double point[3],
                        double extents[3])
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double sums[3] = {0};
    for (int32_t i = 0; i < range.count; i++) {
        const PliBox *box = &splitter->def->boxes[splitter->order[range.first + i]];
        for (int k = 0; k < 3; k++) {
            sums[k] += pli_item_middle(box, k);
            low[k] = (double)box->low[k] < low[k] ? (double)box->low[k] : low[k];
            high[k] = (double)box->high[k] > high[k] ? (double)box->high[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        extents[k] = high[k] - low[k];
        point[k] = splitter->def->kind == PLI_TREE_MEAN ? sums[k] / range.count : low[k] + high[k];
    }
}

/* Axes from the longest side to the shortest. */
static void sort_axes(const double extents[3], int axes[3])
{
    for (int k = 0; k < 3; k++) {
        int node_slot = k;
        for (; node_slot > 0 && extents[axes[node_slot - 1]] < extents[k]; node_slot--)
            axes[node_slot] = axes[node_slot - 1];
        axes[node_slot] = k;
    }
}

int32_t pli_split_plane(PliSplitter *splitter, PliRange range, int32_t counts[8])
{
    double point[3], extents[3];
    int axes[3] = {0, 1, 2};
    split_point(splitter, range, point, extents);
    sort_axes(extents, axes);

    /* The part of each item, a binary digit for each axis. */
    const PliTreeDef *def = splitter->def;
    int axis_count = def->child_count == 8 ? 3 : def->child_count == 4 ? 2 : 1;
    int32_t *order = splitter->order + range.first;
    int32_t in_part[8] = {0}, at[8];
    for (int32_t i = 0; i < range.count; i++) {
        const PliBox *box = &def->boxes[order[i]];
        uint32_t part = 0;
        for (int k = 0; k < axis_count; k++)
            part |= (uint32_t)((double)pli_item_middle(box, axes[k]) > point[axes[k]]) << k;
        splitter->scratch[i] = (PliSortItem){part, order[i]};
        in_part[part]++;
    }
    int32_t part_count = 0;
    for (int32_t part = 0, next = 0; part < 8; part++) {
        at[part] = next;
        next += in_part[part];
        if (in_part[part] > 0)
            counts[part_count++] = in_part[part];
    }
    if (part_count == 1) /* all midpoints on one side: they coincide, or nearly so */
        return pli_split_evenly(splitter, range, counts);
    for (int32_t i = 0; i < range.count; i++)
        order[at[splitter->scratch[i].key]++] = splitter->scratch[i].item;
    return part_count;
}
