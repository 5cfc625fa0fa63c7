/* Boxes of a tree: put side by side, moved, and merged from the leaves up. See pose.h. */
#include "pose/pose.h"

void pli_boxes_set(PliBoxes *boxes, const PliBox *children, int32_t count)
{
    const PliFloat4 none = {NAN, NAN, NAN, NAN};
    for (int32_t first = 0; first < 8; first += 4) {
        PliFloat4 low[4], high[4];
        for (int32_t i = 0; i < 4; i++) {
            low[i] = first + i < count ? children[first + i].low : none;
            high[i] = first + i < count ? children[first + i].high : none;
        }
        pli_store_columns(low, boxes->low[0] + first, boxes->low[1] + first, boxes->low[2] + first);
        pli_store_columns(high, boxes->high[0] + first, boxes->high[1] + first,
                          boxes->high[2] + first);
    }
}

PliBox pli_boxes_all(const PliBoxes *boxes)
{
    PliBox all = pli_box_empty();
    for (int i = 0; i < 8; i++) {
        PliBox box = {{boxes->low[0][i], boxes->low[1][i], boxes->low[2][i], 0},
                      {boxes->high[0][i], boxes->high[1][i], boxes->high[2][i], 0}};
        pli_box_add(&all, &box);
    }
    return all;
}

void pli_pose_put_children(PliPose *pose, int32_t node, const PliBox *children,
                           const PliKernels *kernels)
{
    PliBoxes *boxes = pli_boxes_at(&pose->bounds, node);
    pli_boxes_set(boxes, children, pose->bounds.tree->nodes[node].child_count);
    if (pose->is_moved)
        kernels->move_boxes(&pose->map, boxes);
}

PliBox pli_pose_set_children(PliPose *pose, int32_t node, const PliBox *children,
                             const PliKernels *kernels)
{
    PliBox all = children[0];
    for (int32_t c = 1; c < pose->bounds.tree->nodes[node].child_count; c++)
        pli_box_add(&all, &children[c]);
    pli_pose_put_children(pose, node, children, kernels);
    pose->bounds.places[node].stamp = pose->bounds.frame - 1;
    pose->bounds.opened_count++;
    return all;
}

PliBox pli_box_moved(const PliMap *map, const PliBox *box, const PliKernels *kernels)
{
    PliBoxes boxes;
    pli_boxes_set(&boxes, box, 1);
    kernels->move_boxes(map, &boxes);
    return pli_boxes_all(&boxes);
}

PliBox pli_bounds_from_leaves(const PliTree *tree, const PliVertexSets *sets,
                              const PliVertexView *vertices, const PliKernels *kernels,
                              PliBox *scratch, PliBoxes *boxes)
{
    kernels->box_lists(vertices, sets->numbers, sets->leaf_lists, tree->leaf_count, scratch);
    return pli_bounds_above_leaves(tree, scratch, boxes);
}

PliBox pli_bounds_above_leaves(const PliTree *tree, PliBox *scratch, PliBoxes *boxes)
{
    PliBox *leaf_boxes = scratch, *node_boxes = scratch + tree->leaf_count;
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        const PliTreeNode *node = &tree->nodes[n];
        PliBox children[8], all = pli_box_empty();
        for (int32_t c = 0; c < node->child_count; c++) {
            int32_t child = node->children[c];
            children[c] = child < 0 ? leaf_boxes[~child] : node_boxes[child];
            pli_box_add(&all, &children[c]);
        }
        pli_boxes_set(&boxes[n], children, node->child_count);
        node_boxes[n] = all;
    }
    return tree->node_count > 0 ? node_boxes[0] : leaf_boxes[0];
}
