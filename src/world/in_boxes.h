/* What of one body is in boxes: its triangles, or a few boxes that hold them. */
#ifndef PLI_IN_BOXES_H
#define PLI_IN_BOXES_H

#include "world/world.h"

/* Fills world->in_boxes.triangles and corners. */
PliantResult pli_world_find_in_boxes(const PliCall *call, PliantWorld *world, PliBody *body,
                                     bool has_end, const PliantBox *boxes, int32_t box_count);

/* Parts of the tree, nodes or complemented leaves, and their boxes. */
typedef struct PliBoxParts {
    PliantWorld *world;
    PliPose *pose;
    const PliantBox *near;
    int32_t near_count;
    int32_t *parts;
    PliantBox *boxes;
    int32_t count, capacity;
    PliantBox children[PLI_GROUP]; /* boxes of those of a node that is opened */
} PliBoxParts;

/* Opens them: `parts` and `boxes` have room for `capacity`. */
PliantResult pli_world_open_boxes(PliBody *body, PliBoxParts *open);

#endif
