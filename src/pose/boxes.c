/* Boxes of a tree: put side by side, moved, and merged. See boxes.h. */
#include "pose/boxes.h"

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

void pli_pose_put_children(const PliPose *pose, int32_t node, const PliBox *children,
                           const PliKernels *kernels, PliBoxes *boxes)
{
    pli_boxes_set(boxes, children, pose->bounds.tree->nodes[node].child_count);
    if (pose->is_moved)
        kernels->move_boxes(&pose->map, boxes);
}

PliBox pli_pose_set_children(PliPose *pose, int32_t node, const PliBox *children, PliWorker *worker)
{
    PliBox all = children[0];
    for (int32_t c = 1; c < pose->bounds.tree->nodes[node].child_count; c++)
        pli_box_add(&all, &children[c]);
    pli_pose_put_children(pose, node, children, worker->kernels, pli_boxes_at(&pose->bounds, node));
    pose->bounds.places[node].stamp = pose->bounds.frame - 1;
    worker->counts[PLI_SIDE_A].opened_nodes++;
    return all;
}

PliBox pli_box_moved(const PliMap *map, const PliBox *box, const PliKernels *kernels)
{
    PliBoxes boxes;
    pli_boxes_set(&boxes, box, 1);
    kernels->move_boxes(map, &boxes);
    return pli_boxes_all(&boxes);
}
