/* Leaves that have not changed: see unchanged_leaves.h. */
#include "mesh_pose/unchanged_leaves.h"
#include "mesh_pose/mesh_pose.h"

#include <string.h>

/* What the pose was made of. Arrays follow it in the same block. */
typedef struct Snapshot {
    bool is_known; /* false: nothing is, as in a block of zeros */
    bool has_joints, has_weights, is_moved;
    PliMap map;
} Snapshot;

/* Where the arrays of a snapshot are. */
typedef struct Arrays {
    PliMap *maps;              /* of each joint */
    uint64_t *changed_targets; /* a bit for each target: has its weight changed? */
    float *weights;            /* of each target */
    uint8_t *changed_joints;   /* of each joint: has it changed? */
    size_t size;               /* of the whole block */
} Arrays;

static Arrays arrays_of(const PliShaped *pose, Snapshot *snapshot)
{
    const size_t joint_count = (size_t)pose->shape->header->joint_count;
    const size_t target_count = (size_t)pose->shape->header->target_count;
    const size_t word_count = (size_t)pose->shape->blends.word_count;
    Arrays arrays;
    arrays.maps = (PliMap *)(snapshot + 1);
    arrays.changed_targets = (uint64_t *)(arrays.maps + joint_count);
    arrays.weights = (float *)(arrays.changed_targets + word_count);
    arrays.changed_joints = (uint8_t *)(arrays.weights + target_count);
    arrays.size = sizeof *snapshot + joint_count * (sizeof(PliMap) + 1) +
                  word_count * sizeof(uint64_t) + target_count * sizeof(float);
    return arrays;
}

size_t pli_mesh_snapshot_size(const PliPose *pose)
{
    Snapshot none;
    return arrays_of((const PliShaped *)pose, &none).size;
}

/* As bits: what is equal as a number may differ, and NaN is the same as itself. */
static bool is_same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Is the pose made of the same things, if not of the same values? */
static bool is_same_kind(const Snapshot *snapshot, const PliShaped *pose)
{
    return snapshot->is_known && !pose->is_given &&
           snapshot->has_joints == pose->skinning.has_joints &&
           snapshot->has_weights == pose->blending.has_weights &&
           snapshot->is_moved == pose->base.is_moved &&
           (!snapshot->is_moved ||
            is_same_bits(&snapshot->map, &pose->base.map, sizeof snapshot->map));
}

static void compare_joints(const Snapshot *snapshot, const Arrays *arrays, const PliShaped *pose)
{
    for (int32_t j = 0; snapshot->has_joints && j < pose->shape->header->joint_count; j++) {
        const PliMap *now = &pose->skinning.maps[j];
        arrays->changed_joints[j] = !is_same_bits(&arrays->maps[j], now, sizeof *now);
    }
}

static void compare_weights(const Snapshot *snapshot, const Arrays *arrays, const PliShaped *pose)
{
    const PliBlends *blends = &pose->shape->blends;
    memset(arrays->changed_targets, 0, (size_t)blends->word_count * sizeof(uint64_t));
    for (int32_t t = 0; snapshot->has_weights && t < blends->target_count; t++) {
        const float *now = &pose->blending.weights[t];
        const uint64_t has_changed = !is_same_bits(&arrays->weights[t], now, sizeof *now);
        arrays->changed_targets[t / 64] |= has_changed << t % 64;
    }
}

static bool has_changed(const Snapshot *snapshot, const Arrays *arrays, const PliShaped *pose,
                        int32_t leaf)
{
    const PliBlends *blends = &pose->shape->blends;
    uint64_t changes = 0;
    if (snapshot->has_joints) {
        const PliRange list = pose->shape->skins.leaf_joint_lists[leaf];
        for (int32_t i = 0; i < list.count; i++)
            changes |= arrays->changed_joints[pose->shape->skins.leaf_joints[list.first + i]];
    }
    for (int32_t w = 0; snapshot->has_weights && w < blends->word_count; w++)
        changes |= arrays->changed_targets[w] &
                   blends->leaf_masks[(size_t)blends->word_count * (size_t)leaf + (size_t)w];
    return changes != 0;
}

static void store(Snapshot *snapshot, const Arrays *arrays, const PliShaped *pose)
{
    const PliShapeHeader *header = pose->shape->header;
    snapshot->is_known = !pose->is_given;
    snapshot->has_joints = pose->skinning.has_joints;
    snapshot->has_weights = pose->blending.has_weights;
    snapshot->is_moved = pose->base.is_moved;
    snapshot->map = pose->base.map;
    if (snapshot->has_joints)
        memcpy(arrays->maps, pose->skinning.maps, (size_t)header->joint_count * sizeof(PliMap));
    if (snapshot->has_weights)
        memcpy(arrays->weights, pose->blending.weights,
               (size_t)header->target_count * sizeof(float));
}

void pli_mesh_compare(const PliPose *base, void *block, uint8_t *changed_leaves)
{
    const PliShaped *pose = (const PliShaped *)base;
    Snapshot *snapshot = block;
    const Arrays arrays = arrays_of(pose, snapshot);
    const int32_t leaf_count = pose->shape->tree.leaf_count;
    const bool is_same = is_same_kind(snapshot, pose);
    if (is_same) {
        compare_joints(snapshot, &arrays, pose);
        compare_weights(snapshot, &arrays, pose);
    }
    for (int32_t leaf = 0; leaf < leaf_count; leaf++)
        changed_leaves[leaf] = !is_same || has_changed(snapshot, &arrays, pose, leaf);
    store(snapshot, &arrays, pose);
}
