/* What all poses have: see pose.h. */
#include "pose/pose.h"

#include <string.h>

void pli_pose_init(PliPose *pose, const PliPoseKind *kind, const PliTree *tree)
{
    *pose = (PliPose){
        .bounds = {.tree = tree, .boxes = {.item_size = sizeof(PliBoxes)}, .frame = 1, .oldest = 1},
        .kind = kind,
        .is_stale = true,
        .transform = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}}}};
}

static bool is_identity(const PliantTransform *transform)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (transform->rows[i][j] != (float)(i == j))
                return false;
    return true;
}

void pli_pose_set_transform(PliPose *pose, const PliantTransform *transform)
{
    pose->is_moved = !is_identity(transform);
    for (int j = 0; j < 4; j++)
        pose->transform.columns[j] =
            (PliFloat4){transform->rows[0][j], transform->rows[1][j], transform->rows[2][j], 0};
    pose->is_stale = pose->is_transform_new = true;
}

/* Older stamps would look new again. */
bool pli_pose_next_frame(PliPose *pose)
{
    PliBounds *bounds = &pose->bounds;
    pose->frame_count++;
    bounds->frame += 2;
    if (bounds->frame != PLI_CLAIMED)
        return false;
    for (int32_t n = 0; n < bounds->tree->node_count; n++)
        bounds->node_slots[n].stamp = 0;
    bounds->frame = 5; /* not so soon after zero that a stamp looks like one of the last frame */
    if (!pli_bounds_slots_are_fixed(bounds))
        pli_bounds_slots_forget(bounds);
    return true;
}

void pli_pose_move(const PliPose *pose, float *vertices, size_t count)
{
    const PliFloat4 *m = pose->transform.columns;
    for (size_t v = 0; v < count && pose->is_moved; v++) {
        float p[3];
        memcpy(p, vertices + 3 * v, sizeof p);
        for (int k = 0; k < 3; k++)
            vertices[3 * v + (size_t)k] =
                ((m[0][k] * p[0] + m[1][k] * p[1]) + m[2][k] * p[2]) + m[3][k];
    }
}
