/* Leaves that have not moved: see still.h. */
#include "pose/still.h"
#include "pose/pose.h"

#include <string.h>

PliantResult pli_still_init(PliStill *still, const PliShaped *pose, PliArena *arena)
{
    const size_t joint_count = (size_t)pose->shape->header->joint_count;
    const size_t target_count = (size_t)pose->shape->header->target_count;
    const size_t word_count = (size_t)pose->shape->blends.word_count;
    void *maps = NULL, *weights = NULL, *joints = NULL, *targets = NULL;
    PliantResult result = pli_arena_take(arena, joint_count, sizeof(PliMap), &maps);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, target_count, sizeof(float), &weights);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, joint_count, 1, &joints);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, word_count, sizeof(uint64_t), &targets);
    *still = (PliStill){.maps = maps, .weights = weights, .joints = joints, .targets = targets};
    return result;
}

/* As bits: what is equal as a number may differ, and NaN is the same as itself. */
static bool is_same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Is it posed by the same things, if not in the same way? */
static bool is_same_kind(const PliStill *still, const PliShaped *pose)
{
    return still->is_known && !pose->is_given && still->has_joints == pose->skinning.has_joints &&
           still->has_weights == pose->blending.has_weights &&
           still->is_moved == pose->base.is_moved &&
           (!still->is_moved || is_same_bits(&still->map, &pose->base.map, sizeof still->map));
}

static void compare_joints(PliStill *still, const PliShaped *pose)
{
    for (int32_t j = 0; still->has_joints && j < pose->shape->header->joint_count; j++) {
        const PliMap *now = &pose->skinning.maps[j];
        still->joints[j] = !is_same_bits(&still->maps[j], now, sizeof *now);
    }
}

static void compare_weights(PliStill *still, const PliShaped *pose)
{
    const PliBlends *blends = &pose->shape->blends;
    memset(still->targets, 0, (size_t)blends->word_count * sizeof *still->targets);
    for (int32_t t = 0; still->has_weights && t < blends->target_count; t++) {
        const float *now = &pose->blending.weights[t];
        const uint64_t has_changed = !is_same_bits(&still->weights[t], now, sizeof *now);
        still->targets[t / 64] |= has_changed << t % 64;
    }
}

static bool has_moved(const PliStill *still, const PliShaped *pose, int32_t leaf)
{
    const PliBlends *blends = &pose->shape->blends;
    uint64_t changes = 0;
    if (still->has_joints) {
        const PliRange list = pose->shape->skins.leaf_joint_lists[leaf];
        for (int32_t i = 0; i < list.count; i++)
            changes |= still->joints[pose->shape->skins.leaf_joints[list.first + i]];
    }
    for (int32_t w = 0; still->has_weights && w < blends->word_count; w++)
        changes |= still->targets[w] &
                   blends->leaf_masks[(size_t)blends->word_count * (size_t)leaf + (size_t)w];
    return changes != 0;
}

static void remember(PliStill *still, const PliShaped *pose)
{
    const PliShapeHeader *header = pose->shape->header;
    still->is_known = !pose->is_given;
    still->has_joints = pose->skinning.has_joints;
    still->has_weights = pose->blending.has_weights;
    still->is_moved = pose->base.is_moved;
    still->map = pose->base.map;
    if (still->has_joints)
        memcpy(still->maps, pose->skinning.maps, (size_t)header->joint_count * sizeof(PliMap));
    if (still->has_weights)
        memcpy(still->weights, pose->blending.weights,
               (size_t)header->target_count * sizeof(float));
}

void pli_still_look(PliStill *still, const PliShaped *pose, uint8_t *moved)
{
    const int32_t leaf_count = pose->shape->tree.leaf_count;
    const bool is_same = is_same_kind(still, pose);
    if (is_same) {
        compare_joints(still, pose);
        compare_weights(still, pose);
    }
    for (int32_t leaf = 0; leaf < leaf_count; leaf++)
        moved[leaf] = !is_same || has_moved(still, pose, leaf);
    remember(still, pose);
}
