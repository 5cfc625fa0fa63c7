/* Bounds of bodies that morph or are at rest, where a node is reached: see morph.h; margins.c has
 * the derivations. */
#include "mesh_pose/margins.h"
#include "mesh_pose/mesh_pose.h"
#include "mesh_pose/morph.h"

#include <string.h>

#define UNIT PLI_UNIT

/* Sums of low ends and of high ends: a negative weight makes one of the other. */
static void blend_slabs(const PliTermSum *sum, int32_t slab_count, const PliKernels *kernels,
                        float *ends)
{
    const int32_t half = PLI_GROUP * slab_count;
    for (int side = 0; side < 2; side++) {
        for (int32_t t = 0; t < sum->count; t++) {
            bool is_negative = sum->weights[t] < 0;
            if (side == 0)
                sum->terms[t] += is_negative ? half : 0;
            else
                sum->terms[t] += is_negative ? -half : half;
        }
        kernels->weighted_sum(sum->base ? sum->base + side * half : NULL, sum->terms, sum->weights,
                              sum->count, half, ends + side * half);
    }
}

/* Children that are not there have no bounds, and so overlap nothing. Of a sum without any term, it
 * has to be said. */
static void drop_absent(int32_t child_count, PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++)
        for (int32_t i = child_count; i < 8; i++)
            boxes->low[k][i] = boxes->high[k][i] = NAN;
}

/* The tighter of two boxes each; where one is NaN, the other. */
static void tighten(const PliBoxes *by, PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            float low = boxes->low[k][i], high = boxes->high[k][i];
            boxes->low[k][i] = low > by->low[k][i] ? low : by->low[k][i];
            boxes->high[k][i] = high < by->high[k][i] ? high : by->high[k][i];
        }
    }
}

/* Nothing is known of where the children are. */
static void open_everywhere(PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++) {
        for (int32_t i = 0; i < 8; i++) {
            boxes->low[k][i] = -INFINITY;
            boxes->high[k][i] = INFINITY;
        }
    }
}

/* By the margin of pieces. */
static void widen(PliBoxes *boxes, float margin)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            boxes->low[k][i] -= margin;
            boxes->high[k][i] += margin;
        }
    }
}

/* From slabs along the axes, low ends and high ends, to boxes where they are now. */
static void move_axes(const PliMeshPose *pose, const PliKernels *kernels, PliBoxes *boxes)
{
    float *low = (float *)boxes, *high = low + 3 * PLI_GROUP;
    const float margin = pose->morph.box_margin;
    for (int i = 0; i < 3 * PLI_GROUP && margin > 0; i++) {
        low[i] -= margin;
        high[i] += margin;
    }
    if (pose->base.is_moved)
        kernels->move_boxes(&pose->base.transform, boxes);
}

static void open_boxes(const PliMeshPose *pose, const PliTermSum *sum, const PliKernels *kernels,
                       PliBoxes *boxes)
{
    blend_slabs(sum, 3, kernels, (float *)boxes);
    move_axes(pose, kernels, boxes);
    if (pose->shape->pieces)
        widen(boxes, pose->morph.margin);
}

/* The first three slabs are those of a box, which is the vertex's own expression. */
static void copy_boxes(const PliMeshPose *pose, const float *ends, int32_t slab_count,
                       const PliKernels *kernels, PliBoxes *boxes)
{
    memcpy(boxes->low, ends, sizeof boxes->low);
    memcpy(boxes->high, ends + (size_t)PLI_GROUP * (size_t)slab_count, sizeof boxes->high);
    move_axes(pose, kernels, boxes);
}

static void open_slabs(const PliMeshPose *pose, const PliTermSum *sum, const PliKernels *kernels,
                       PliBoxes *boxes, float *extra)
{
    const int32_t slab_count = pli_slab_count(pose->shape->morph_tables.bound_kind);
    float ends[18 * PLI_GROUP];
    PliBoxes exact;
    blend_slabs(sum, slab_count, kernels, ends);
    if (!pose->morph.is_bounded) {
        copy_boxes(pose, ends, slab_count, kernels, boxes);
        return;
    }
    kernels->sum_slabs(ends, pose->morph.sums, slab_count, boxes, extra);
    if (!pose->morph.has_exact_boxes)
        return;
    copy_boxes(pose, ends, slab_count, kernels, &exact);
    tighten(&exact, boxes);
}

/* Sums of centers and of radii. */
static void blend_balls(const PliTermSum *sum, const PliKernels *kernels, float *balls)
{
    const float *base = sum->base;
    kernels->weighted_sum(base, sum->terms, sum->weights, sum->count, 3 * PLI_GROUP, balls);
    for (int32_t t = 0; t < sum->count; t++) {
        sum->terms[t] += 3 * PLI_GROUP;
        sum->weights[t] = fabsf(sum->weights[t]);
    }
    kernels->weighted_sum(base ? base + 3 * PLI_GROUP : NULL, sum->terms, sum->weights, sum->count,
                          PLI_GROUP, balls + 3 * PLI_GROUP);
}

static void open_balls(const PliMeshPose *pose, const PliTermSum *sum, const PliKernels *kernels,
                       PliBoxes *boxes, float *balls)
{
    const PliMorphState *morph = &pose->morph;
    float *radii = balls + 3 * PLI_GROUP;
    blend_balls(sum, kernels, balls);
    for (int i = 0; i < PLI_GROUP; i++) {
        const float c[3] = {balls[i], balls[PLI_GROUP + i], balls[2 * PLI_GROUP + i]};
        const PliFloat4 *m = pose->base.transform.columns;
        radii[i] = (radii[i] * morph->stretch + morph->margin) * (1 + 16 * (float)UNIT);
        for (int k = 0; k < 3; k++) {
            float at = ((m[0][k] * c[0] + m[1][k] * c[1]) + m[2][k] * c[2]) + m[3][k];
            balls[PLI_GROUP * k + i] = at;
            boxes->low[k][i] = at - radii[i];
            boxes->high[k][i] = at + radii[i];
        }
    }
}

/* What follows joints, from where the terms alone have it. */
static void open_joints(const PliMeshPose *pose, int32_t node, const PliTermSum *sum,
                        const PliKernels *kernels, PliBoxes *boxes, float *balls)
{
    const PliantBoundKind kind = pose->shape->morph_tables.bound_kind;
    const PliTermSum terms = {.terms = sum->terms, .weights = sum->weights, .count = sum->count};
    const bool has_base = sum->base, is_moved = sum->count > 0 || !has_base;
    float moves[18 * PLI_GROUP];
    if (is_moved && kind == PLIANT_BOUND_SPHERE)
        blend_balls(&terms, kernels, moves);
    else if (is_moved)
        blend_slabs(&terms, pli_slab_count(kind), kernels, moves);
    pli_skin_open(pose, node, is_moved ? moves : NULL, !has_base, kernels, boxes, balls);
}

/* Bounds of the last frame, if nothing that they are made of has changed. */
static bool is_kept(const PliMeshPose *pose, uint32_t stamp, const uint64_t *mask)
{
    const uint32_t age = pose->base.bounds.frame - stamp;
    if (!pose->morph.is_kept || (age != 2 && age != 3))
        return false;
    uint64_t changed = 0;
    for (int32_t w = 0; w < pose->shape->morph_tables.word_count; w++)
        changed |= mask[w] & pose->morph.changed[w];
    return changed == 0;
}

/* The bounds of a node's children, of the kind that the shape has. */
static void open_kind(const PliMeshPose *pose, int32_t node, const PliTermSum *sum,
                      const PliKernels *kernels, PliBoxes *boxes, float *extra)
{
    const PliExtraKind kind = pli_morph_extra_kind(pose->shape->morph_tables.bound_kind);
    if (pose->skin.has_joints)
        open_joints(pose, node, sum, kernels, boxes, extra);
    else if (kind == PLI_EXTRA_NONE)
        open_boxes(pose, sum, kernels, boxes);
    else if (kind == PLI_EXTRA_SLABS)
        open_slabs(pose, sum, kernels, boxes, extra);
    else
        open_balls(pose, sum, kernels, boxes, extra);
}

/* Boxes that are the vertex's own expression hold however large the numbers are. */
static bool has_own_boxes(const PliMeshPose *pose)
{
    return !pose->skin.has_joints && !pose->shape->pieces &&
           pose->shape->morph_tables.bound_kind != PLIANT_BOUND_SPHERE;
}

bool pli_morph_open(const PliBounds *bounds, int32_t node, uint32_t stamp, PliWorker *worker,
                    PliBoxes *boxes, float *extra)
{
    const PliMeshPose *pose = (const PliMeshPose *)bounds;
    const PliMorphTables *morph_tables = &pose->shape->morph_tables;
    const PliMorphState *morph = &pose->morph;
    const uint64_t *mask =
        morph_tables->node_masks + (size_t)node * (size_t)morph_tables->word_count;
    if (is_kept(pose, stamp, mask))
        return false;
    const size_t size = (size_t)morph_tables->group_count * PLI_GROUP;
    const float *first = morph_tables->bounds + size * (size_t)morph_tables->node_firsts[node];
    PliTermSum sum = pli_morph_gather(pose, mask, morph->bound_active, morph->bound_weights,
                                      first + size, size, worker);
    sum.base = pli_morph_has_base(pose) ? first : NULL;
    if (!morph->is_bounded && !has_own_boxes(pose))
        open_everywhere(boxes);
    else
        open_kind(pose, node, &sum, worker->kernels, boxes, extra);
    if (!morph->is_bounded || pose->skin.has_joints || (!sum.base && sum.count == 0))
        drop_absent(bounds->tree->nodes[node].child_count, boxes);
    return true;
}
