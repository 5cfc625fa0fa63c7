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

void pli_pose_match_transform(PliPose *pose, const PliPose *other)
{
    pose->is_moved = other->is_moved;
    pose->transform = other->transform;
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

/* ---- Finite or not --------------------------------------------------------------------------- */

/* x - x is zero if x is finite, else NaN. Several sums, so that none waits for the last addition.
 */
bool pli_vertices_are_finite(const PliVertexView *view)
{
    const size_t count = 3 * (size_t)view->count;
    const float *numbers = (const float *)view->data;
    enum { SUMS = 8 };
    PliFloat4 sums[SUMS] = {{0}}, some;
    size_t i = 0;
    for (; view->stride == 3 * sizeof(float) && i + 4 * SUMS <= count; i += 4 * SUMS)
        for (size_t k = 0; k < SUMS; k++) {
            memcpy(&some, numbers + i + 4 * k, sizeof some);
            sums[k] += some - some;
        }
    float rest = 0;
    for (size_t k = 0; k < 4 * SUMS; k++)
        rest += sums[k / 4][k % 4];
    for (; i < count; i++) {
        memcpy(&some, view->data + view->stride * (i / 3) + sizeof(float) * (i % 3), sizeof(float));
        rest += some[0] - some[0];
    }
    return rest == 0;
}

bool pli_pose_is_bounded(const PliPose *pose)
{
    const PliBox *root = &pose->bounds.root;
    bool is_bounded = true;
    for (int k = 0; k < 3; k++)
        is_bounded &=
            root->low[k] > (float)-PLI_MAX_MAGNITUDE && root->high[k] < (float)PLI_MAX_MAGNITUDE;
    return is_bounded;
}

bool pli_pose_is_finite(PliPose *pose, const PliVertexView *given)
{
    if (pose->asked_frame != pose->frame_count) {
        pose->asked_frame = pose->frame_count;
        pose->was_finite = pli_pose_is_bounded(pose) && (!given || pli_vertices_are_finite(given));
    }
    return pose->was_finite;
}
