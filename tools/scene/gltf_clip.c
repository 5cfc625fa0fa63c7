/* Animations as clips: channels become tracks, with their keys checked. */
#include "scene/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By ScenePath. Weights are as wide as their mesh has targets. */
static const struct {
    const char *name;
    int32_t width;
} paths[] = {{"translation", 3}, {"rotation", 4}, {"scale", 3}, {"weights", 0}};

static const char *const eases[] = {"STEP", "LINEAR", "CUBICSPLINE"};

/* ---- Channels -------------------------------------------------------------------------------- */

static bool find_path(Gltf *gltf, const GltfItem *target, SceneTrack *track)
{
    const char *path = gltf_string(target, "path");
    for (size_t i = 0; path && i < sizeof paths / sizeof *paths; i++)
        if (strcmp(paths[i].name, path) == 0) {
            track->path = (ScenePath)i;
            track->width = paths[i].width;
            return true;
        }
    return scene_fail(gltf->error, "%s.path is %.40s, which is unknown", target->where,
                      path ? path : "missing");
}

static bool find_ease(Gltf *gltf, const GltfItem *sampler, SceneTrack *track)
{
    const char *name = gltf_string(sampler, "interpolation");
    for (size_t i = 0; i < sizeof eases / sizeof *eases; i++)
        if (strcmp(eases[i], name ? name : "LINEAR") == 0) {
            track->ease = (SceneEase)i;
            return true;
        }
    return scene_fail(gltf->error, "%s.interpolation is %.40s, which is unknown", sampler->where,
                      name);
}

/* What KHR_animation_pointer moves: how things look can be passed over, where they are not. */
static bool check_pointer(Gltf *gltf, const GltfItem *target)
{
    static const char *const harmless[] = {"/materials/", "/cameras/", "/extensions/KHR_lights"};
    json_t *extension = gltf_extension(target, "KHR_animation_pointer");
    const char *pointer = json_string_value(json_object_get(extension, "pointer"));
    for (size_t i = 0; pointer && i < sizeof harmless / sizeof *harmless; i++)
        if (strncmp(pointer, harmless[i], strlen(harmless[i])) == 0)
            return true;
    return scene_fail(gltf->error,
                      "%s moves \"%.60s\" by KHR_animation_pointer, which is not "
                      "supported",
                      target->where, pointer ? pointer : "");
}

/* Finds what a channel moves; a node of -1 is nothing. */
static bool find_target(Gltf *gltf, const GltfItem *channel, SceneTrack *track)
{
    GltfItem target, node;
    int32_t mesh;
    track->node = -1;
    if (!gltf_member(gltf, channel, "target", true, &target))
        return false;
    if (gltf_extension(&target, "KHR_animation_pointer"))
        return check_pointer(gltf, &target);
    if (!gltf_reference(gltf, &target, "node", "nodes", &track->node) ||
        !find_path(gltf, &target, track))
        return false;
    if (track->node < 0)
        return true;
    if (track->path != SCENE_WEIGHTS)
        return !gltf->scene->nodes[track->node].has_matrix ||
               scene_fail(gltf->error, "%s moves nodes[%d], which has a matrix", target.where,
                          (int)track->node);
    if (!gltf_item(gltf, "nodes", track->node, &node) ||
        !gltf_reference(gltf, &node, "mesh", "meshes", &mesh) ||
        (mesh >= 0 && !gltf_target_count(gltf, mesh, &track->width)))
        return false;
    if (track->width == 0)
        track->node = -1;
    return true;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static bool check_times(Gltf *gltf, const GltfAccessor *input, const SceneTrack *track)
{
    if (track->times[0] < 0)
        return scene_fail(gltf->error, "%s: the first time is %g, before zero", input->item.where,
                          (double)track->times[0]);
    for (int32_t i = 1; i < track->key_count; i++)
        if (!(track->times[i] > track->times[i - 1]))
            return scene_fail(gltf->error, "%s: time %d is %g, not after the one before it",
                              input->item.where, (int)i, (double)track->times[i]);
    return true;
}

static bool check_rotations(Gltf *gltf, const GltfAccessor *output, const SceneTrack *track)
{
    int32_t step = track->ease == SCENE_CUBIC ? 3 : 1;
    for (int32_t i = 0; track->path == SCENE_ROTATION && i < track->key_count; i++) {
        const float *q = track->values + 4 * ((size_t)i * (size_t)step + (size_t)step / 2);
        if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
            return scene_fail(gltf->error, "%s: rotation %d is zero", output->item.where, (int)i);
    }
    return true;
}

/* Weights are single numbers in the file, as many for each key as there are targets. */
static bool inspect_values(Gltf *gltf, int32_t index, const SceneTrack *track, GltfAccessor *output)
{
    int64_t columns = track->path == SCENE_WEIGHTS ? 1 : track->width;
    int64_t wanted =
        (int64_t)track->key_count * (track->ease == SCENE_CUBIC ? 3 : 1) * (track->width / columns);
    if (!gltf_accessor(gltf, index, (int32_t)columns, output))
        return false;
    return output->count == wanted ||
           scene_fail(gltf->error, "%s.count is %d, and %lld are needed for %d keys of %s",
                      output->item.where, (int)output->count, (long long)wanted,
                      (int)track->key_count, paths[track->path].name);
}

static bool read_keys(Gltf *gltf, const GltfItem *sampler, SceneTrack *track)
{
    int32_t input_index, output_index;
    GltfAccessor input, output;
    if (!gltf_reference(gltf, sampler, "input", "accessors", &input_index) ||
        !gltf_reference(gltf, sampler, "output", "accessors", &output_index) ||
        !find_ease(gltf, sampler, track))
        return false;
    if (input_index < 0 || output_index < 0)
        return scene_fail(gltf->error, "%s has no input, or no output", sampler->where);
    if (!gltf_accessor(gltf, input_index, 1, &input))
        return false;
    track->key_count = input.count;
    if (!inspect_values(gltf, output_index, track, &output))
        return false;
    track->times =
        scene_allocate((size_t)input.count, sizeof *track->times, &gltf->budget, gltf->error);
    track->values = scene_allocate((size_t)output.count * (size_t)output.width,
                                   sizeof *track->values, &gltf->budget, gltf->error);
    return track->times && track->values && gltf_read_floats(gltf, &input, track->times) &&
           gltf_read_floats(gltf, &output, track->values) && check_times(gltf, &input, track) &&
           check_rotations(gltf, &output, track);
}

/* ---- Clips ----------------------------------------------------------------------------------- */

/* Two tracks for one thing contradict each other: `moved` has a bit for each path of each node. */
static bool check_single(Gltf *gltf, const GltfItem *channel, const SceneTrack *track,
                         uint8_t *moved)
{
    uint8_t bit = (uint8_t)(1 << track->path);
    if (moved[track->node] & bit)
        return scene_fail(gltf->error, "%s moves the %s of nodes[%d], and one before it does too",
                          channel->where, paths[track->path].name, (int)track->node);
    moved[track->node] |= bit;
    return true;
}

/* Reads a channel into the clip's next track, unless it moves nothing. */
static bool read_channel(Gltf *gltf, const GltfItem *animation, int32_t number, uint8_t *moved,
                         SceneClip *clip)
{
    int64_t sampler_number = 0;
    json_t *samplers;
    int32_t sampler_count;
    GltfItem channel, sampler;
    SceneTrack *track = &clip->tracks[clip->track_count];
    if (!gltf_element(gltf, animation, "channels", number, &channel) ||
        !find_target(gltf, &channel, track))
        return false;
    if (track->node < 0) {
        *track = (SceneTrack){0};
        return true;
    }
    clip->track_count++;
    return check_single(gltf, &channel, track, moved) &&
           gltf_list(gltf, animation, "samplers", &samplers, &sampler_count) &&
           gltf_integer(gltf, &channel, "sampler", 0, sampler_count - 1, &sampler_number) &&
           gltf_element(gltf, animation, "samplers", sampler_number, &sampler) &&
           read_keys(gltf, &sampler, track);
}

static bool read_clip(Gltf *gltf, int32_t index, uint8_t *moved, SceneClip *clip)
{
    json_t *channels;
    int32_t count;
    GltfItem animation;
    if (!gltf_item(gltf, "animations", index, &animation) ||
        !gltf_list(gltf, &animation, "channels", &channels, &count) ||
        !(clip->name = gltf_name(gltf, &animation, "animation", index)))
        return false;
    clip->tracks = scene_allocate((size_t)count, sizeof *clip->tracks, &gltf->budget, gltf->error);
    if (!clip->tracks)
        return false;
    for (int32_t i = 0; i < count; i++)
        if (!read_channel(gltf, &animation, i, moved, clip))
            return false;
    for (int32_t i = 0; i < clip->track_count; i++) {
        const SceneTrack *track = &clip->tracks[i];
        moved[track->node] = 0;
        clip->end = fmax(clip->end, (double)track->times[track->key_count - 1]);
    }
    clip->fps = scene_tracks_rate(clip);
    return true;
}

static bool make_names_unique(Gltf *gltf)
{
    Scene *scene = gltf->scene;
    char **names =
        scene_allocate((size_t)scene->clip_count, sizeof *names, &gltf->budget, gltf->error);
    for (int32_t i = 0; names && i < scene->clip_count; i++)
        names[i] = scene->clips[i].name;
    bool is_ok = names && scene_make_unique(names, scene->clip_count, gltf->error);
    for (int32_t i = 0; names && i < scene->clip_count; i++)
        scene->clips[i].name = names[i];
    free(names);
    return is_ok;
}

bool gltf_read_clips(Gltf *gltf)
{
    int32_t count;
    Scene *scene = gltf->scene;
    if (!gltf_count(gltf, "animations", &count))
        return false;
    scene->clips = scene_allocate((size_t)count, sizeof *scene->clips, &gltf->budget, gltf->error);
    uint8_t *moved = scene_allocate((size_t)scene->node_count, 1, &gltf->budget, gltf->error);
    bool is_ok = scene->clips && moved;
    scene->clip_count = scene->clips ? count : 0;
    for (int32_t i = 0; is_ok && i < count; i++)
        is_ok = read_clip(gltf, i, moved, &scene->clips[i]);
    free(moved);
    return is_ok && make_names_unique(gltf);
}
