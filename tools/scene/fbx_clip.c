/* Animations of an FBX as clips. See fbx.h.
 *
 * libassimp gives each moved node keys for place, rotation and scale; FBX's curves between keys are
 * taken as straight, since exporters bake a key for each frame.
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
    clip->tracks = scene_allocate(3 * (size_t)animation->mNumChannels, sizeof *clip->tracks,
                                  &fbx->budget, fbx->error);
    if (!clip->tracks)
        return false;
    memset(moved, 0, (size_t)fbx->scene->node_count);
    for (unsigned i = 0; i < animation->mNumChannels; i++)
        if (!read_channel(fbx, animation->mChannels[i], rate, moved, clip))
            return false;
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

/* Weights that change are not read yet: said, so that nobody takes a still face for a moved one. */
static void note_morphs(const Fbx *fbx)
{
    for (unsigned i = 0; i < fbx->file->mNumAnimations; i++) {
        const struct aiAnimation *animation = fbx->file->mAnimations[i];
        for (unsigned c = 0; c < animation->mNumMorphMeshChannels; c++) {
            const struct aiMeshMorphAnim *channel = animation->mMorphMeshChannels[c];
            for (unsigned k = 0; k < channel->mNumKeys; k++)
                for (unsigned w = 0; w < channel->mKeys[k].mNumValuesAndWeights; w++)
                    if (channel->mKeys[k].mWeights[w] != 0) {
                        scene_note(fbx->scene, "morph targets stay as they are in all animations: "
                                               "--morph sets them, a GLB has them animated");
                        return;
                    }
        }
    }
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
    note_morphs(fbx);
    return is_ok && make_names_unique(fbx);
}
