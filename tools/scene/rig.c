/* The rig: where everything is at a moment.
 *
 * Only nodes that something depends on are evaluated: joints, nodes that place parts, and those
 * above them. Within a clip only those are computed again that its tracks move, or that stand on
 * one which they do. Globals are in double, parents first; what a body is told is rounded once.
 */
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A node in its parent: translation, rotation, scale. */
typedef struct LocalPose {
    double translation[3], rotation[4], scale[3];
} LocalPose;

/* An affine map, three rows of four. */
typedef struct Affine {
    double rows[3][4];
} Affine;

struct ScenePose {
    const Scene *scene;
    int32_t clip;
    bool is_set; /* what is there is of this clip, at some time */
    int32_t order_count;
    int32_t *order; /* nodes that matter, parents before children */
    bool *is_needed, *is_moved;
    LocalPose *local_poses;
    Affine *globals;
    int32_t *live_tracks; /* of the clip: those that move something */
    int32_t live_count;
    int32_t *first_tree_parts, *next_tree_parts; /* parts of a node, as a list */
    int64_t *first_joints;                       /* of each skin in `joints` */
    PliantTransform *joints;
    int64_t *first_weights;  /* of each part in the next two */
    float *weights, *morphs; /* morphs: set by hand, NAN where they are not */
    double *scratch;         /* for the widest track */
    PartPose *parts;
};

/* ---- Memory -------------------------------------------------------------------------------------
 */

static void *zeroed(int64_t count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

static int64_t widest_track(const Scene *scene, int64_t *max_tracks)
{
    int64_t widest = 4;
    for (int32_t c = 0; c < scene->clip_count; c++) {
        const SceneClip *clip = &scene->clips[c];
        *max_tracks = clip->track_count > *max_tracks ? clip->track_count : *max_tracks;
        for (int32_t i = 0; i < clip->track_count; i++)
            widest = clip->tracks[i].width > widest ? clip->tracks[i].width : widest;
    }
    return widest;
}

static bool allocate_pose(ScenePose *pose, const Scene *scene)
{
    int64_t weights = 0, joints = 0, max_tracks = 0, nodes = scene->node_count;
    int64_t widest = widest_track(scene, &max_tracks);
    for (int32_t i = 0; i < scene->part_count; i++)
        weights += scene->parts[i].target_count;
    for (int32_t i = 0; i < scene->skin_count; i++)
        joints += scene->skins[i].joint_count;
    return (pose->order = zeroed(nodes, sizeof *pose->order)) &&
           (pose->is_needed = zeroed(nodes, sizeof *pose->is_needed)) &&
           (pose->is_moved = zeroed(nodes, sizeof *pose->is_moved)) &&
           (pose->local_poses = zeroed(nodes, sizeof *pose->local_poses)) &&
           (pose->globals = zeroed(nodes, sizeof *pose->globals)) &&
           (pose->live_tracks = zeroed(max_tracks, sizeof *pose->live_tracks)) &&
           (pose->first_tree_parts = zeroed(nodes, sizeof *pose->first_tree_parts)) &&
           (pose->next_tree_parts = zeroed(scene->part_count, sizeof *pose->next_tree_parts)) &&
           (pose->first_joints = zeroed(scene->skin_count, sizeof *pose->first_joints)) &&
           (pose->joints = zeroed(joints, sizeof *pose->joints)) &&
           (pose->first_weights = zeroed(scene->part_count, sizeof *pose->first_weights)) &&
           (pose->weights = zeroed(weights, sizeof *pose->weights)) &&
           (pose->morphs = zeroed(weights, sizeof *pose->morphs)) &&
           (pose->scratch = zeroed(widest, sizeof *pose->scratch)) &&
           (pose->parts = zeroed(scene->part_count, sizeof *pose->parts));
}

void scene_pose_free(ScenePose *pose)
{
    if (!pose)
        return;
    free(pose->order);
    free(pose->is_needed);
    free(pose->is_moved);
    free(pose->local_poses);
    free(pose->globals);
    free(pose->live_tracks);
    free(pose->first_tree_parts);
    free(pose->next_tree_parts);
    free(pose->first_joints);
    free(pose->joints);
    free(pose->first_weights);
    free(pose->weights);
    free(pose->morphs);
    free(pose->scratch);
    free(pose->parts);
    free(pose);
}

/* ---- What matters ---------------------------------------------------------------------------- */

/* A node and those above it that are not there yet, put into the order from the top down. */
static void need_node(ScenePose *pose, int32_t node)
{
    const SceneNode *nodes = pose->scene->nodes;
    int32_t length = 0;
    for (int32_t n = node; n >= 0 && !pose->is_needed[n]; n = nodes[n].parent)
        length++;
    pose->order_count += length;
    for (int32_t n = node, i = 1; i <= length; n = nodes[n].parent, i++) {
        pose->order[pose->order_count - i] = n;
        pose->is_needed[n] = true;
    }
}

static void lay_out_joints(ScenePose *pose)
{
    int64_t first = 0;
    const Scene *scene = pose->scene;
    for (int32_t i = 0; i < scene->skin_count; i++) {
        pose->first_joints[i] = first;
        first += scene->skins[i].joint_count;
    }
    for (int32_t i = 0; i < scene->part_count; i++) {
        const ScenePart *part = &scene->parts[i];
        if (part->skin < 0 || part->cached >= 0)
            continue;
        const SceneSkin *skin = &scene->skins[part->skin];
        for (int32_t j = 0; j < skin->joint_count; j++)
            need_node(pose, skin->joints[j]);
        pose->parts[i].joints = pose->joints + pose->first_joints[part->skin];
    }
}

static void lay_out_parts(ScenePose *pose)
{
    int64_t first = 0;
    const Scene *scene = pose->scene;
    for (int32_t i = 0; i < scene->node_count; i++)
        pose->first_tree_parts[i] = -1;
    for (int32_t i = scene->part_count - 1; i >= 0; i--) {
        int32_t node = scene->parts[i].node;
        pose->next_tree_parts[i] = node >= 0 ? pose->first_tree_parts[node] : -1;
        if (node >= 0)
            pose->first_tree_parts[node] = i;
    }
    for (int32_t i = 0; i < scene->part_count; i++) {
        const ScenePart *part = &scene->parts[i];
        pose->parts[i].transform = pliant_transform_identity();
        pose->first_weights[i] = first;
        pose->parts[i].weights = part->target_count ? pose->weights + first : NULL;
        for (int32_t t = 0; t < part->target_count; t++)
            pose->morphs[first + t] = NAN;
        first += part->target_count;
        if (part->node >= 0 && part->skin < 0)
            need_node(pose, part->node);
    }
}

ScenePose *scene_pose_create(const Scene *scene)
{
    ScenePose *pose = calloc(1, sizeof *pose);
    if (!pose)
        return NULL;
    pose->scene = scene;
    if (!allocate_pose(pose, scene)) {
        scene_pose_free(pose);
        return NULL;
    }
    lay_out_parts(pose);
    lay_out_joints(pose);
    return pose;
}

/* ---- Maps ------------------------------------------------------------------------------------ */

static Affine place_transform(const LocalPose *local_pose)
{
    const double *t = local_pose->translation, *q = local_pose->rotation, *s = local_pose->scale;
    double x = q[0], y = q[1], z = q[2], w = q[3];
    return (Affine){{
        {(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - w * z) * s[1], 2 * (x * z + w * y) * s[2],
         t[0]},
        {2 * (x * y + w * z) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - w * x) * s[2],
         t[1]},
        {2 * (x * z - w * y) * s[0], 2 * (y * z + w * x) * s[1], (1 - 2 * (x * x + y * y)) * s[2],
         t[2]},
    }};
}

/* Of columns, as files have them. */
static Affine column_transform(const float *matrix)
{
    Affine affine;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            affine.rows[r][c] = (double)matrix[4 * c + r];
    return affine;
}

/* First b, then a. */
static Affine compose(const Affine *a, const Affine *b)
{
    Affine affine;
    for (int r = 0; r < 3; r++) {
        const double *row = a->rows[r];
        for (int c = 0; c < 4; c++)
            affine.rows[r][c] =
                row[0] * b->rows[0][c] + row[1] * b->rows[1][c] + row[2] * b->rows[2][c];
        affine.rows[r][3] += row[3];
    }
    return affine;
}

/* Rounded; false if that is not finite. */
static bool round_affine(const Affine *affine, PliantTransform *transform)
{
    bool is_finite = true;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            transform->rows[r][c] = (float)affine->rows[r][c];
            is_finite &= isfinite(transform->rows[r][c]) != 0;
        }
    return is_finite;
}

/* ---- A clip begins --------------------------------------------------------------------------- */

static void rest_node(ScenePose *pose, int32_t index)
{
    const SceneNode *node = &pose->scene->nodes[index];
    LocalPose *local_pose = &pose->local_poses[index];
    for (int i = 0; i < 4; i++)
        local_pose->rotation[i] = (double)node->rotation[i];
    for (int i = 0; i < 3; i++) {
        local_pose->translation[i] = (double)node->translation[i];
        local_pose->scale[i] = (double)node->scale[i];
    }
    pose->is_moved[index] = false;
}

/* All nodes at rest, and which of them this clip moves. */
static void begin_clip(ScenePose *pose, int32_t number)
{
    const Scene *scene = pose->scene;
    const SceneClip *clip = number >= 0 ? &scene->clips[number] : NULL;
    for (int32_t i = 0; i < pose->order_count; i++)
        rest_node(pose, pose->order[i]);
    pose->clip = number;
    pose->live_count = 0;
    for (int32_t i = 0; clip && i < clip->track_count; i++) {
        int32_t node = clip->tracks[i].node;
        bool is_morph = clip->tracks[i].path == SCENE_WEIGHTS;
        if (is_morph ? pose->first_tree_parts[node] < 0 : !pose->is_needed[node])
            continue;
        pose->live_tracks[pose->live_count++] = i;
        pose->is_moved[node] |= !is_morph;
    }
    for (int32_t i = 0; i < pose->order_count; i++) {
        int32_t node = pose->order[i], parent = scene->nodes[node].parent;
        pose->is_moved[node] |= parent >= 0 && pose->is_moved[parent];
    }
}

/* ---- A moment -------------------------------------------------------------------------------- */

static void rest_weights(ScenePose *pose)
{
    for (int32_t i = 0; i < pose->scene->part_count; i++) {
        const ScenePart *part = &pose->scene->parts[i];
        if (part->target_count)
            memcpy(pose->weights + pose->first_weights[i], part->weights,
                   (size_t)part->target_count * sizeof *part->weights);
    }
}

static void set_weights(ScenePose *pose, int32_t node, int32_t width)
{
    for (int32_t i = pose->first_tree_parts[node]; i >= 0; i = pose->next_tree_parts[i]) {
        float *weights = pose->weights + pose->first_weights[i];
        int32_t count = pose->scene->parts[i].target_count;
        for (int32_t t = 0; t < count && t < width; t++)
            weights[t] = (float)pose->scratch[t];
    }
}

static void play_tracks(ScenePose *pose, double time)
{
    if (pose->clip < 0)
        return;
    const SceneTrack *tracks = pose->scene->clips[pose->clip].tracks;
    for (int32_t i = 0; i < pose->live_count; i++) {
        const SceneTrack *track = &tracks[pose->live_tracks[i]];
        LocalPose *local_pose = &pose->local_poses[track->node];
        double *const goals[] = {local_pose->translation, local_pose->rotation, local_pose->scale,
                                 pose->scratch};
        scene_track_at(track, time, goals[track->path]);
        if (track->path == SCENE_WEIGHTS)
            set_weights(pose, track->node, track->width);
    }
}

static bool finish_weights(ScenePose *pose, SceneError *error)
{
    for (int32_t i = 0; i < pose->scene->part_count; i++) {
        const ScenePart *part = &pose->scene->parts[i];
        float *weights = pose->weights + pose->first_weights[i];
        const float *morphs = pose->morphs + pose->first_weights[i];
        for (int32_t t = 0; t < part->target_count; t++) {
            weights[t] = isnan(morphs[t]) ? weights[t] : morphs[t];
            if (!isfinite(weights[t]))
                return scene_fail(error, "the weight \"%.100s\" of \"%.100s\" is not finite",
                                  part->target_names[t], part->name);
        }
    }
    return true;
}

static void move_nodes(ScenePose *pose)
{
    const SceneNode *nodes = pose->scene->nodes;
    for (int32_t i = 0; i < pose->order_count; i++) {
        int32_t node = pose->order[i], parent = nodes[node].parent;
        if (pose->is_set && !pose->is_moved[node])
            continue;
        Affine local = nodes[node].has_matrix ? column_transform(nodes[node].matrix)
                                              : place_transform(&pose->local_poses[node]);
        pose->globals[node] = parent >= 0 ? compose(&pose->globals[parent], &local) : local;
    }
}

static bool move_joints(ScenePose *pose, SceneError *error)
{
    const Scene *scene = pose->scene;
    for (int32_t s = 0; s < scene->skin_count; s++) {
        const SceneSkin *skin = &scene->skins[s];
        for (int32_t j = 0; j < skin->joint_count; j++) {
            int32_t node = skin->joints[j];
            if (!pose->is_needed[node] || (pose->is_set && !pose->is_moved[node]))
                continue;
            Affine bind = column_transform(skin->inverse_binds[j]);
            Affine joint = compose(&pose->globals[node], &bind);
            if (!round_affine(&joint, &pose->joints[pose->first_joints[s] + j]))
                return scene_fail(error, "the joint \"%.100s\" is not at a finite place",
                                  scene->nodes[node].name);
        }
    }
    return true;
}

/* The frame of the cache that is nearest to the time; -1 at rest. */
static int32_t cached_frame(const ScenePose *pose, double time)
{
    const SceneClip *clip = pose->clip >= 0 ? &pose->scene->clips[pose->clip] : NULL;
    if (!clip || clip->frame_count == 0)
        return -1;
    return (int32_t)fmin(fmax(round((time - clip->start) * clip->fps), 0), clip->frame_count - 1);
}

static const float *cached_vertices(const SceneCache *cache, const ScenePart *part, int32_t frame)
{
    if (frame < 0)
        return part->vertices;
    return cache->vertices +
           3 * ((size_t)frame * (size_t)cache->vertex_count + (size_t)part->cached);
}

/* At rest a part is where it is in the first frame. */
static const PliantTransform *cached_transform(const SceneCache *cache, const ScenePart *part,
                                               int32_t frame)
{
    return cache->transforms + (size_t)(frame < 0 ? 0 : frame) * (size_t)cache->transform_count +
           part->placed;
}

static bool move_parts(ScenePose *pose, double time, SceneError *error)
{
    const Scene *scene = pose->scene;
    const int32_t frame = cached_frame(pose, time);
    for (int32_t i = 0; i < scene->part_count; i++) {
        const ScenePart *part = &scene->parts[i];
        PartPose *own = &pose->parts[i];
        own->vertices = part->cached >= 0 ? cached_vertices(&scene->cache, part, frame) : NULL;
        if (scene->cache.transforms)
            own->transform = *cached_transform(&scene->cache, part, frame);
        if (part->node < 0 || part->skin >= 0 || (pose->is_set && !pose->is_moved[part->node]))
            continue;
        if (!round_affine(&pose->globals[part->node], &own->transform))
            return scene_fail(error, "the part \"%.100s\" is not at a finite place", part->name);
    }
    return true;
}

bool scene_pose_at(ScenePose *pose, int32_t clip, double time, SceneError *error)
{
    if (clip < -1 || clip >= pose->scene->clip_count)
        return scene_fail(error, "there is no clip %d", (int)clip);
    if (!pose->is_set || clip != pose->clip) {
        begin_clip(pose, clip);
        pose->is_set = false;
    }
    rest_weights(pose);
    play_tracks(pose, time);
    move_nodes(pose);
    pose->is_set =
        move_joints(pose, error) && move_parts(pose, time, error) && finish_weights(pose, error);
    return pose->is_set;
}

const PartPose *scene_pose_part(const ScenePose *pose, int32_t part)
{
    return &pose->parts[part];
}

int32_t scene_pose_set_morph(ScenePose *pose, const char *target, float weight)
{
    int32_t found = 0;
    for (int32_t i = 0; i < pose->scene->part_count; i++) {
        const ScenePart *part = &pose->scene->parts[i];
        bool has_it = false;
        for (int32_t t = 0; t < part->target_count; t++)
            if (strcmp(part->target_names[t], target) == 0) {
                pose->morphs[pose->first_weights[i] + t] = weight;
                has_it = true;
            }
        found += has_it;
    }
    return found;
}

int32_t scene_clip_first(const SceneClip *clip, double rate)
{
    const double number = clip->start * rate, whole = round(number);
    return whole > 0 && whole < 1e9 && fabs(number - whole) < 1e-3 ? (int32_t)whole : 0;
}
