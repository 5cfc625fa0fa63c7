/* Boxes of a node's children: put side by side, transformed, and merged. */
#ifndef PLI_POSE_BOXES_H
#define PLI_POSE_BOXES_H

#include "pose/pose.h"

/* Up to eight boxes side by side, and NaN for the others. */
void pli_boxes_set(PliBoxes *boxes, const PliBox *children, int32_t count);

/* The box of all eight. */
PliBox pli_boxes_all(const PliBoxes *boxes);

/* The boxes of a node's children, side by side and transformed. */
void pli_pose_put_children(const PliPose *pose, int32_t node, const PliBox *children,
                           const PliKernels *kernels, PliBoxes *boxes);

/* For an update, where the slot of a node is its number: the same in that slot, and from now on
 * they hold. Returns the box of all, not transformed. */
PliBox pli_pose_set_children(PliPose *pose, int32_t node, const PliBox *children,
                             PliWorker *worker);

/* The box of the vertices that the transform makes of those in a box. */
PliBox pli_box_moved(const PliMap *map, const PliBox *box, const PliKernels *kernels);

#endif
