/* Animations of an FBX as clips. See fbx.h.
 *
 * libassimp gives each moved node keys for place, rotation and scale, and each mesh keys for the
 * weights of morph targets; FBX's curves between keys are taken as straight, since exporters bake a
 * key for each frame.
 */
#include "scene/fbx.h"

#include <assimp/cimport.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tracks ---------------------------------------------------------------------------------- */

typedef void ReadKey(const void *keys, unsigned number, double *time, float *values);

static void read_vector_key(const void *keys, unsigned number, double *time, float *values)
{
    const struct aiVectorKey *key = (const struct aiVectorKey *)keys + number;
    *time = key->mTime;
    values[0] = key->mValue.x;
    values[1] = key->mValue.y;
    values[2] = key->mValue.z;
}

static void read_rotation_key(const void *keys, unsigned number, double *time, float *values)
{
    const struct aiQuatKey *key = (const struct aiQuatKey *)keys + number;
    *time = key->mTime;
    values[0] = key->mValue.x;
    values[1] = key->mValue.y;
    values[2] = key->mValue.z;
    values[3] = key->mValue.w;
}

static bool allocate_track(Fbx *fbx, SceneTrack *track, unsigned key_count)
{
    track->ease = SCENE_LINEAR;
    track->times = scene_allocate(key_count, sizeof *track->times, &fbx->budget, fbx->error);
    track->values = scene_allocate((size_t)key_count * (size_t)track->width, sizeof *track->values,
                                   &fbx->budget, fbx->error);
    return track->times && track->values;
}

static bool check_key(Fbx *fbx, const SceneTrack *track, const char *name)
{
    const float *values = track->values + (size_t)track->key_count * (size_t)track->width;
    bool is_fine = isfinite(track->times[track->key_count]), is_zero = true;
    for (int32_t k = 0; k < track->width; k++) {
        is_fine &= isfinite(values[k]) != 0;
        is_zero &= values[k] == 0;
    }
    return (is_fine && !(track->path == SCENE_ROTATION && is_zero)) ||
           scene_fail(fbx->error, "a key of '%.100s' is not finite, or no rotation", name);
}

/* Keys rise in time: one that does not takes the place of the one before it. */
static void keep_key(SceneTrack *track)
{
    const int32_t at = track->key_count;
    if (at == 0 || track->times[at] > track->times[at - 1]) {
        track->key_count++;
        return;
    }
    memcpy(track->values + (size_t)(at - 1) * (size_t)track->width,
           track->values + (size_t)at * (size_t)track->width,
           (size_t)track->width * sizeof *track->values);
}

/* Reads keys into the clip's next track. */
static bool read_track(Fbx *fbx, SceneClip *clip, double rate, const SceneTrack *kind,
                       const void *keys, unsigned key_count, ReadKey *read)
{
    if (key_count == 0 || key_count > INT32_MAX)
        return true;
    SceneTrack *track = &clip->tracks[clip->track_count++];
    *track = *kind;
    if (!allocate_track(fbx, track, key_count))
        return false;
    for (unsigned i = 0; i < key_count; i++) {
        double time;
        read(keys, i, &time, track->values + (size_t)track->key_count * (size_t)track->width);
        track->times[track->key_count] = (float)(time / rate);
        if (!check_key(fbx, track, fbx->scene->nodes[kind->node].name))
            return false;
        keep_key(track);
    }
    return true;
}

/* What moves by tracks has no matrix. */
static void split_matrix(const Fbx *fbx, int32_t number)
{
    SceneNode *node = &fbx->scene->nodes[number];
    struct aiVector3D scale, place;
    struct aiQuaternion rotation;
    if (!node->has_matrix)
        return;
    aiDecomposeMatrix(&fbx->nodes[number - 1]->mTransformation, &scale, &rotation, &place);
    memcpy(node->translation, (const float[]){place.x, place.y, place.z}, sizeof(float[3]));
    memcpy(node->scale, (const float[]){scale.x, scale.y, scale.z}, sizeof(float[3]));
    memcpy(node->rotation, (const float[]){rotation.x, rotation.y, rotation.z, rotation.w},
           sizeof(float[4]));
    node->has_matrix = false;
}

static bool read_channel(Fbx *fbx, const struct aiNodeAnim *channel, double rate, uint8_t *moved,
                         SceneClip *clip)
{
    const int32_t node = fbx_node(fbx, &channel->mNodeName);
    if (node <= 0)
        return true; /* of something that is not in the file */
    if (moved[node])
        return scene_fail(fbx->error, "two channels move '%.100s'", channel->mNodeName.data);
    moved[node] = 1;
    split_matrix(fbx, node);
    const SceneTrack place = {.node = node, .path = SCENE_TRANSLATION, .width = 3},
                     turn = {.node = node, .path = SCENE_ROTATION, .width = 4},
                     size = {.node = node, .path = SCENE_SCALE, .width = 3};
    return read_track(fbx, clip, rate, &place, channel->mPositionKeys, channel->mNumPositionKeys,
                      read_vector_key) &&
           read_track(fbx, clip, rate, &turn, channel->mRotationKeys, channel->mNumRotationKeys,
                      read_rotation_key) &&
           read_track(fbx, clip, rate, &size, channel->mScalingKeys, channel->mNumScalingKeys,
                      read_vector_key);
}

/* ---- Morph targets -----------------------------------------------------------------------------
 */

/* Weights of all targets at each key: libassimp gives those that have a key of their own there. */
typedef struct Morph {
    const struct aiMeshMorphKey *keys;
    float *weights; /* width for each key; NAN: not given */
    int32_t key_count, width;
    double origin; /* the time of its keys that is the clip's 0 */
} Morph;

static void read_morph_key(const void *keys, unsigned number, double *time, float *values)
{
    const Morph *morph = keys;
    *time = morph->keys[number].mTime - morph->origin;
    memcpy(values, morph->weights + (size_t)number * (size_t)morph->width,
           (size_t)morph->width * sizeof *values);
}

/* Numbers are of channels, and each channel has one target. False: it is not so. */
static bool list_weights(Morph *morph)
{
    const size_t width = (size_t)morph->width;
    for (size_t i = 0; i < (size_t)morph->key_count * width; i++)
        morph->weights[i] = NAN;
    for (int32_t k = 0; k < morph->key_count; k++)
        for (unsigned i = 0; i < morph->keys[k].mNumValuesAndWeights; i++) {
            const unsigned target = morph->keys[k].mValues[i];
            float *weight = morph->weights + (size_t)k * width + target;
            if (target >= width || !isnan(*weight))
                return false;
            *weight = (float)morph->keys[k].mWeights[i];
        }
    return true;
}

/* Straight between the keys that a target has, held before and behind them; 0 without any. */
static void fill_weights(Morph *morph, int32_t target)
{
    float *weights = morph->weights + target;
    const size_t width = (size_t)morph->width;
    int32_t before = -1;
    for (int32_t k = 0; k <= morph->key_count; k++) {
        if (k < morph->key_count && isnan(weights[(size_t)k * width]))
            continue;
        for (int32_t i = before + 1; i < k; i++) {
            const double low = before >= 0 ? morph->keys[before].mTime : 0,
                         high = k < morph->key_count ? morph->keys[k].mTime : 0;
            const float first = before >= 0 ? weights[(size_t)before * width] : 0,
                        last = k < morph->key_count ? weights[(size_t)k * width] : first;
            const double part = (morph->keys[i].mTime - low) / (high - low);
            const bool is_between = before >= 0 && k < morph->key_count && high > low;
            weights[(size_t)i * width] = is_between ? first + (float)part * (last - first) : last;
        }
        before = k;
    }
}

/* Targets of a part are those of its channels, one each, unless a channel has several shapes: then
 * two neighbors have one name. -1. */
static int32_t count_targets(const Scene *scene, int32_t node)
{
    int32_t count = 0;
    for (int32_t p = 0; p < scene->part_count; p++) {
        const ScenePart *part = &scene->parts[p];
        for (int32_t t = 1; part->node == node && t < part->target_count; t++)
            if (strcmp(part->target_names[t - 1], part->target_names[t]) == 0)
                return -1;
        if (part->node == node && part->target_count > count)
            count = part->target_count;
    }
    return count;
}

/* "body*0": the first mesh of a node. -1: another mesh, or none. */
static int32_t morphed_node(const Fbx *fbx, const struct aiMeshMorphAnim *channel)
{
    struct aiString name = channel->mName;
    char *star = strrchr(name.data, '*');
    if (!star || strcmp(star, "*0") != 0)
        return -1;
    *star = 0;
    return fbx_node(fbx, &name);
}

/* libassimp counts times from the first key of a node. Of an animation that moves none, it counts
 * from anywhere: then from the first key of a target. */
static double morph_origin(const struct aiAnimation *animation)
{
    double first = INFINITY;
    for (unsigned i = 0; i < animation->mNumMorphMeshChannels; i++)
        if (animation->mMorphMeshChannels[i]->mNumKeys > 0)
            first = fmin(first, animation->mMorphMeshChannels[i]->mKeys[0].mTime);
    return animation->mNumChannels == 0 && isfinite(first) ? first : 0;
}

static bool read_weights(Fbx *fbx, const struct aiAnimation *animation, unsigned number,
                         double rate, SceneClip *clip)
{
    const struct aiMeshMorphAnim *channel = animation->mMorphMeshChannels[number];
    const int32_t node = morphed_node(fbx, channel);
    const int32_t width = node > 0 ? count_targets(fbx->scene, node) : -1;
    Morph morph = {.keys = channel->mKeys,
                   .key_count = (int32_t)channel->mNumKeys,
                   .width = width,
                   .origin = morph_origin(animation)};
    if (width == 0 || channel->mNumKeys == 0)
        return true; /* of a mesh without triangles */
    const SceneTrack kind = {.node = node, .path = SCENE_WEIGHTS, .width = width};
    if (width > 0 && channel->mNumKeys <= INT32_MAX &&
        !(morph.weights = scene_allocate((size_t)channel->mNumKeys * (size_t)width,
                                         sizeof *morph.weights, &fbx->budget, fbx->error)))
        return false;
    if (!morph.weights || !list_weights(&morph)) {
        fbx->morph_count++;
        free(morph.weights);
        return true;
    }
    for (int32_t t = 0; t < width; t++)
        fill_weights(&morph, t);
    const bool is_read =
        read_track(fbx, clip, rate, &kind, &morph, channel->mNumKeys, read_morph_key);
    free(morph.weights);
    return is_read;
}

/* ---- Clips ----------------------------------------------------------------------------------- */

/* "Armature|walk": the object that it is of says nothing. */
static char *clip_name(const struct aiAnimation *animation, int32_t number)
{
    char made[40];
    const char *bar = strrchr(animation->mName.data, '|');
    const char *name = bar ? bar + 1 : animation->mName.data;
    snprintf(made, sizeof made, "animation %d", (int)number);
    return strdup(*name ? name : made);
}

static bool read_clip(Fbx *fbx, int32_t number, uint8_t *moved, SceneClip *clip)
{
    const struct aiAnimation *animation = fbx->file->mAnimations[number];
    const double rate = animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 25;
    if (!(clip->name = clip_name(animation, number)))
        return scene_fail(fbx->error, "there is no memory left");
    clip->tracks =
        scene_allocate(3 * (size_t)animation->mNumChannels + animation->mNumMorphMeshChannels,
                       sizeof *clip->tracks, &fbx->budget, fbx->error);
    if (!clip->tracks)
        return false;
    memset(moved, 0, (size_t)fbx->scene->node_count);
    for (unsigned i = 0; i < animation->mNumChannels; i++)
        if (!read_channel(fbx, animation->mChannels[i], rate, moved, clip))
            return false;
    for (unsigned i = 0; i < animation->mNumMorphMeshChannels; i++)
        if (!read_weights(fbx, animation, i, rate, clip))
            return false;
    fbx->morph_count += animation->mNumMeshChannels;
    for (int32_t i = 0; i < clip->track_count; i++) {
        const SceneTrack *track = &clip->tracks[i];
        const double first = (double)track->times[0],
                     last = (double)track->times[track->key_count - 1];
        clip->start = i == 0 ? first : fmin(clip->start, first);
        clip->end = i == 0 ? last : fmax(clip->end, last);
    }
    clip->fps = rate <= 1000 ? rate : scene_tracks_rate(clip);
    return true;
}

static bool make_names_unique(Fbx *fbx)
{
    Scene *scene = fbx->scene;
    char **names =
        scene_allocate((size_t)scene->clip_count, sizeof *names, &fbx->budget, fbx->error);
    for (int32_t i = 0; names && i < scene->clip_count; i++)
        names[i] = scene->clips[i].name;
    const bool is_ok = names && scene_make_unique(names, scene->clip_count, fbx->error);
    for (int32_t i = 0; names && i < scene->clip_count; i++)
        scene->clips[i].name = names[i];
    free(names);
    return is_ok;
}

bool fbx_read_clips(Fbx *fbx)
{
    Scene *scene = fbx->scene;
    const unsigned count = fbx->file->mNumAnimations;
    scene->clips = scene_allocate(count, sizeof *scene->clips, &fbx->budget, fbx->error);
    uint8_t *moved = scene_allocate((size_t)scene->node_count, 1, &fbx->budget, fbx->error);
    bool is_ok = scene->clips && moved;
    scene->clip_count = scene->clips ? (int32_t)count : 0;
    for (int32_t i = 0; is_ok && i < scene->clip_count; i++)
        is_ok = read_clip(fbx, i, moved, &scene->clips[i]);
    free(moved);
    return is_ok && make_names_unique(fbx);
}
