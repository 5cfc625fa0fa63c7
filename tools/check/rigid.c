/* What moves against what: see rigid.h. */
#include "check/rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IS_MOVED = 1, IS_WEIGHTED = 2, IS_SCALED = 4 };

/* Some programs write a scale for every node and frame, rounded: by up to 3e-6 in the models that
 * we have. That is no scale. */
#define SAME_SCALE 1e-5F

/* Does a track give another scale than the node has at rest? */
static bool scales(const Scene *scene, const SceneTrack *track)
{
    if (track->path != SCENE_SCALE || track->ease == SCENE_CUBIC)
        return track->path == SCENE_SCALE;
    for (int64_t i = 0; i < 3 * (int64_t)track->key_count; i++)
        if (!(fabsf(track->values[i] - scene->nodes[track->node].scale[i % 3]) <=
              SAME_SCALE * fabsf(scene->nodes[track->node].scale[i % 3])))
            return true;
    return false;
}

/* What clips do to each node, as bits; NULL: there is no memory. */
static uint8_t *find_animated(const Scene *scene)
{
    uint8_t *nodes = calloc((size_t)scene->node_count + 1, 1);
    for (int32_t c = 0; nodes && c < scene->clip_count; c++)
        for (int32_t t = 0; t < scene->clips[c].track_count; t++) {
            const SceneTrack *track = &scene->clips[c].tracks[t];
            if (track->node >= 0)
                nodes[track->node] |= track->path == SCENE_WEIGHTS ? IS_WEIGHTED
                                      : scales(scene, track)       ? IS_MOVED | IS_SCALED
                                                                   : IS_MOVED;
        }
    return nodes;
}

/* The only joint that moves any vertex of a part, as a node; -1: there are several. */
static int32_t only_joint(const Scene *scene, const ScenePart *part)
{
    int32_t only = -1;
    const int64_t count = (int64_t)part->vertex_count * part->influence_count;
    for (int64_t i = 0; i < count; i++) {
        if (part->joint_weights[i] == 0)
            continue;
        const int32_t joint = scene->skins[part->skin].joints[part->joints[i]];
        if (only >= 0 && only != joint)
            return -1;
        only = joint;
    }
    return only;
}

/* The lowest node above a part that a clip moves; -1: there is none. Where one of them scales,
 * parts come nearer or apart in meters: that is no rigid motion, and `is_scaled`. */
static void find_mover(const Scene *scene, const ScenePart *part, const uint8_t *animated,
                       PartMotion *motion)
{
    int32_t node = part->skin >= 0 ? only_joint(scene, part) : part->node;
    while (node >= 0 && !(animated[node] & IS_MOVED))
        node = scene->nodes[node].parent;
    motion->mover = node;
    for (; node >= 0; node = scene->nodes[node].parent)
        motion->is_scaled |= (animated[node] & IS_SCALED) != 0;
}

/* Are rows of so many bytes, a stride apart, all the same? */
static bool are_alike(const void *rows, size_t size, size_t stride, int32_t count)
{
    for (int32_t i = 1; i < count; i++)
        if (memcmp(rows, (const char *)rows + (size_t)i * stride, size) != 0)
            return false;
    return true;
}

/* Is a part of a cache with transforms in one place, with one shape, in all frames? */
static bool stands_still(const SceneCache *cache, const ScenePart *part)
{
    const size_t row = sizeof(float[3]), size = sizeof *cache->transforms;
    return are_alike(cache->transforms + part->placed, size, (size_t)cache->transform_count * size,
                     cache->frame_count) &&
           (part->cached < 0 ||
            are_alike(cache->vertices + 3 * (size_t)part->cached, (size_t)part->vertex_count * row,
                      (size_t)cache->vertex_count * row, cache->frame_count));
}

bool motions_find(const Scene *scene, const CheckOptions *options, const int32_t *parts,
                  int32_t count, PartMotion *motions)
{
    uint8_t *animated = find_animated(scene);
    for (int32_t i = 0; animated && i < count; i++) {
        const ScenePart *part = &scene->parts[parts[i]];
        motions[i] = (PartMotion){
            .is_deformed = (part->skin >= 0 ? only_joint(scene, part) < 0 : part->cached >= 0) ||
                           (part->target_count > 0 &&
                            (options->morph_count > 0 ||
                             (part->node >= 0 && (animated[part->node] & IS_WEIGHTED))))};
        if (!scene->cache.transforms)
            find_mover(scene, part, animated, &motions[i]);
        else /* which parts move together is not known: by itself, or not at all */
            motions[i].mover = stands_still(&scene->cache, part) ? -1 : parts[i];
    }
    free(animated);
    return animated != NULL;
}

bool motions_are_rigid(const PartMotion *a, const PartMotion *b)
{
    return !a->is_deformed && !b->is_deformed && a->mover == b->mover && !a->is_scaled;
}

/* ---- What is held ------------------------------------------------------------------------------
 */

/* Does a node move vertices of a part that several joints move? */
static bool moves_skin(const Scene *scene, int32_t node)
{
    for (int32_t p = 0; p < scene->part_count; p++) {
        const ScenePart *part = &scene->parts[p];
        const int64_t count = (int64_t)part->vertex_count * part->influence_count;
        if (part->skin < 0 || only_joint(scene, part) >= 0)
            continue;
        for (int64_t i = 0; i < count; i++)
            if (part->joint_weights[i] != 0 &&
                scene->skins[part->skin].joints[part->joints[i]] == node)
                return true;
    }
    return false;
}

/* A node that moves no skin, below one that does. */
static bool is_slot(const Scene *scene, int32_t node)
{
    bool is_held = false;
    if (moves_skin(scene, node))
        return false;
    while (!is_held && (node = scene->nodes[node].parent) >= 0)
        is_held = moves_skin(scene, node);
    return is_held;
}

int32_t check_slot(const Scene *scene, int32_t a, int32_t b)
{
    const ScenePart *parts[2] = {&scene->parts[a], &scene->parts[b]};
    int32_t movers[2], slot = -1;
    for (int k = 0; k < 2; k++)
        movers[k] = parts[k]->skin >= 0 ? only_joint(scene, parts[k]) : parts[k]->node;
    if (movers[0] < 0 || movers[1] < 0 || parts[0]->node == parts[1]->node)
        return -1;
    slot = movers[0] == movers[1] ? movers[0] : scene->nodes[movers[0]].parent;
    if (movers[0] != movers[1] && slot != scene->nodes[movers[1]].parent)
        return -1;
    return slot >= 0 && is_slot(scene, slot) ? slot : -1;
}

/* ---- Alternatives ------------------------------------------------------------------------------
 */

static bool matches_list(const char *list, const char *name)
{
    char glob[256];
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        if (length == 0 || length >= sizeof glob)
            continue;
        memcpy(glob, list, length);
        glob[length] = 0;
        if (glob_matches(glob, name))
            return true;
    }
    return false;
}

bool parts_are_alternatives(const CheckOptions *options, const char *a, const char *b)
{
    for (int32_t i = 0; i < options->alternative_count; i++)
        if (matches_list(options->alternatives[i], a) && matches_list(options->alternatives[i], b))
            return true;
    return false;
}

int32_t part_list(const CheckOptions *options, const char *name)
{
    for (int32_t i = 0; i < options->alternative_count; i++)
        if (matches_list(options->alternatives[i], name))
            return i + 1;
    return 0;
}
