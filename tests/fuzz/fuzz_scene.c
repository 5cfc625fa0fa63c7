/* libFuzzer: any bytes as a model file, read, built, posed, inspected, measured and
 * freed.
 *
 * The first byte says what the file is, the second how it is to be read. What a reader lets through
 * must be what the rest of the program takes for granted, so all of that is checked; and the
 * library, which checks what it is given, must have nothing to object to. Parts that would take
 * long are read and checked, and not built. mutate_scene.c has the mutations. FBX is not here: it
 * is libassimp that reads it. */
#include "input.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

enum { GLTF, OBJ, PLY, PC2, STL, MDD, KINDS };
enum { MAX_BODIES = 4, MAX_TRIANGLES = 40, MAX_VERTICES = 2000, MAX_TARGETS = 8 };
enum { MAX_JOINTS = 64 };

/* ---- What a scene promises --------------------------------------------------------------------
 */

static bool are_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static void check_skin(const Scene *scene, const ScenePart *part)
{
    must(part->skin < scene->skin_count);
    if (part->skin < 0)
        return;
    must(part->influence_count >= 1 && part->influence_count <= 8);
    const int32_t joint_count = scene->skins[part->skin].joint_count;
    const size_t count = (size_t)part->vertex_count * (size_t)part->influence_count;
    for (size_t i = 0; i < count; i++)
        must(part->joint_weights[i] == 0 ||
             (part->joint_weights[i] > 0 && part->joints[i] < joint_count));
}

static void check_part(const Scene *scene, const ScenePart *part)
{
    const size_t vertices = (size_t)part->vertex_count, triangles = (size_t)part->triangle_count;
    must(part->name && part->vertex_count > 0 && part->triangle_count > 0);
    must(part->read_count >= part->vertex_count);
    must(part->node >= -1 && part->node < scene->node_count);
    for (size_t i = 0; i < 3 * triangles; i++)
        must(part->triangles[i] < vertices);
    for (size_t i = 0; i < triangles; i++)
        must(part->faces[i].primitive >= 0 && part->faces[i].face >= 0);
    must(are_finite(part->vertices, 3 * vertices));
    must(are_finite(part->targets, 3 * vertices * (size_t)part->target_count));
    must(are_finite(part->weights, (size_t)part->target_count));
    for (int32_t i = 0; i < part->target_count; i++)
        must(part->target_names[i] != NULL);
    if (part->cached >= 0)
        must(part->cached + (int64_t)part->vertex_count <= scene->cache.vertex_count);
    check_skin(scene, part);
}

static void check_clip(const Scene *scene, const SceneClip *clip)
{
    must(clip->name && clip->start <= clip->end);
    must(clip->frame_count >= 0 && clip->frame_count <= scene->cache.frame_count);
    for (int32_t t = 0; t < clip->track_count; t++) {
        const SceneTrack *track = &clip->tracks[t];
        must(track->node >= 0 && track->node < scene->node_count && track->key_count > 0);
        must(track->width > 0 && are_finite(track->times, (size_t)track->key_count));
        for (int32_t k = 1; k < track->key_count; k++)
            must(track->times[k - 1] < track->times[k]);
    }
}

/* Parents in a circle would never end. */
static void check_nodes(const Scene *scene)
{
    for (int32_t i = 0; i < scene->node_count && i < 100; i++) {
        int32_t steps = 0;
        for (int32_t node = i; node >= 0; node = scene->nodes[node].parent)
            must(node < scene->node_count && steps++ < scene->node_count);
    }
}

static void check_scene(const Scene *scene)
{
    must(scene->format != NULL);
    for (int32_t i = 0; i < scene->part_count; i++)
        check_part(scene, &scene->parts[i]);
    for (int32_t i = 0; i < scene->clip_count; i++)
        check_clip(scene, &scene->clips[i]);
    check_nodes(scene);
    for (int32_t i = 0; i < scene->note_count; i++)
        must(scene->notes[i][0] != '\0');
}

/* ---- Bodies -----------------------------------------------------------------------------------
 */

typedef struct Stage {
    const Scene *scene;
    PliantWorld *world;
    int count;
    PliantBody bodies[MAX_BODIES];
    int32_t parts[MAX_BODIES];
} Stage;

static bool is_small(const Scene *scene, const ScenePart *part)
{
    return part->triangle_count <= MAX_TRIANGLES && part->vertex_count <= MAX_VERTICES &&
           part->target_count <= MAX_TARGETS &&
           (part->skin < 0 || scene->skins[part->skin].joint_count <= MAX_JOINTS);
}

static void add_body(Stage *stage, int32_t index)
{
    const ScenePart *part = &stage->scene->parts[index];
    PliantTarget targets[MAX_TARGETS];
    for (int32_t t = 0; t < part->target_count; t++) {
        const float *data = part->targets + 3 * (size_t)t * (size_t)part->vertex_count;
        targets[t] = (PliantTarget){{data, part->vertex_count, 0}, NULL};
    }
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){part->vertices, part->vertex_count, 0};
    def.triangles = (PliantTriangles){part->triangles, part->triangle_count};
    def.targets = targets;
    def.target_count = part->target_count;
    PliantSkin skin = pliant_skin_default();
    if (part->skin >= 0) {
        skin.joint_count = stage->scene->skins[part->skin].joint_count;
        skin.influence_count = part->influence_count;
        skin.joints = part->joints;
        skin.weights = part->joint_weights;
        def.skin = &skin;
    }
    PliantShape *shape = NULL;
    must(pliant_shape_create(&def, &shape) == PLIANT_OK);
    must(pliant_body_create(stage->world, shape, &stage->bodies[stage->count]) == PLIANT_OK);
    stage->parts[stage->count++] = index;
    pliant_shape_release(shape);
}

static void pose_body(Stage *stage, const ScenePose *pose, int i)
{
    const ScenePart *part = &stage->scene->parts[stage->parts[i]];
    const PartPose *now = scene_pose_part(pose, stage->parts[i]);
    PliantWorld *world = stage->world;
    const PliantBody body = stage->bodies[i];
    const PliantVertices vertices = {now->vertices, part->vertex_count, 0};
    if (now->vertices)
        must(pliant_body_set_vertices(world, body, vertices) == PLIANT_OK);
    if (now->weights)
        must(pliant_body_set_weights(world, body, now->weights, part->target_count) == PLIANT_OK);
    if (now->joints)
        must(pliant_body_set_joints(world, body, now->joints,
                                    stage->scene->skins[part->skin].joint_count) == PLIANT_OK);
    must(pliant_body_set_transform(world, body, &now->transform) == PLIANT_OK);
}

/* Depths and areas are numbers, whatever the contacts are. */
static void join(Stage *stage, const PliantContacts *contacts)
{
    PliantRegions regions = pliant_regions_default();
    must(pliant_contacts_regions(stage->world, contacts, NULL, &regions) == PLIANT_OK);
    for (int64_t i = 0; i < 2 * regions.count; i++) {
        const PliantRegionPart *part = &regions.items[i / 2].parts[i % 2];
        must(part->depth >= 0 && part->max_depth >= part->depth && isfinite(part->area));
        must(part->first_triangle + part->triangle_count <= regions.triangle_count);
        must(part->first_vertex + part->vertex_count <= regions.vertex_count);
    }
}

static void look(Stage *stage, ScenePose *pose, int32_t clip, double time)
{
    SceneError error = {""};
    if (!scene_pose_at(pose, clip, time, &error)) {
        must(error.text[0] != '\0');
        return;
    }
    for (int i = 0; i < stage->count; i++)
        pose_body(stage, pose, i);
    PliantContacts contacts = pliant_contacts_default();
    must(pliant_world_collide(stage->world, NULL, &contacts) == PLIANT_OK);
    join(stage, &contacts);
    for (int i = 0; i < stage->count; i++) {
        must(pliant_bodies_collide(stage->world, stage->bodies[i], stage->bodies[i], NULL,
                                   &contacts) == PLIANT_OK);
        join(stage, &contacts);
    }
}

/* Weights that are set, and given back. */
static void inspect_morphed(Stage *stage, ScenePose *pose)
{
    for (int32_t i = 0; i < stage->scene->part_count && i < MAX_BODIES; i++) {
        const ScenePart *part = &stage->scene->parts[i];
        if (part->target_count == 0)
            continue;
        must(scene_pose_set_morph(pose, part->target_names[0], 0.5f) >= 1);
        look(stage, pose, -1, 0);
        must(scene_pose_set_morph(pose, part->target_names[0], NAN) >= 1);
        return;
    }
}

/* At rest, and at two times of two clips, one of them beyond the end. */
static void inspect_all(Stage *stage, ScenePose *pose)
{
    look(stage, pose, -1, 0);
    for (int32_t i = 0; i < stage->scene->clip_count && i < 2; i++) {
        const SceneClip *clip = &stage->scene->clips[i];
        double rate = 0;
        must(scene_clip_frames(clip, 0, &rate) >= 1 && rate > 0);
        look(stage, pose, i, clip->start + 0.37 * (clip->end - clip->start));
        look(stage, pose, i, clip->end + 1);
    }
}

static void use(const Scene *scene)
{
    Stage stage = {.scene = scene};
    must(pliant_world_create(NULL, &stage.world) == PLIANT_OK);
    for (int32_t i = 0; i < scene->part_count && stage.count < MAX_BODIES; i++)
        if (is_small(scene, &scene->parts[i]))
            add_body(&stage, i);
    ScenePose *pose = scene_pose_create(scene);
    must(pose != NULL);
    inspect_all(&stage, pose);
    inspect_morphed(&stage, pose);
    scene_pose_free(pose);
    pliant_world_destroy(stage.world);
}

/* ---- Files ------------------------------------------------------------------------------------
 */

/* Two bytes say how long the mesh is, and behind it is the cache. */
static Scene *read_cache(uint32_t kind, const uint8_t *data, size_t size,
                         const SceneOptions *options, SceneError *error)
{
    SceneOptions unwelded = *options;
    unwelded.is_welded = false;
    const size_t wanted = size < 2 ? 0 : data[0] + 256 * (size_t)data[1];
    const size_t skipped = size < 2 ? size : 2, most = size - skipped;
    const size_t mesh = wanted < most ? wanted : most;
    Scene *scene = scene_read_obj(data + skipped, mesh, &unwelded, error);
    if (scene && !(kind == PC2 ? scene_add_pc2 : scene_add_mdd)(scene, data + skipped + mesh,
                                                                most - mesh, options, error)) {
        check_scene(scene);
        scene_free(scene);
        scene = NULL;
    }
    return scene;
}

static Scene *read_as(uint32_t kind, const uint8_t *data, size_t size, const SceneOptions *options,
                      SceneError *error)
{
    switch (kind) {
    case GLTF:
        return scene_read_gltf(data, size, NULL, options, error);
    case OBJ:
        return scene_read_obj(data, size, options, error);
    case PLY:
        return scene_read_ply(data, size, options, error);
    case STL:
        return scene_read_stl(data, size, options, error);
    default:
        return read_cache(kind, data, size, options, error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const uint32_t kind = data[0] % KINDS, how = data[1];
    SceneOptions options = scene_options_default();
    options.has_looks = true;
    options.by = how & 1 ? SCENE_BY_MATERIAL : SCENE_BY_NODE;
    options.is_welded = !(how & 2);
    options.max_bytes =
        how & 4
            ? (size_t)64 << (how >> 4)
            : (size_t)1 << (how & 8 ? 31
                                    : 21); /* 2 GB: what a small file may make of it is limited */
    SceneError error = {""};
    /* A copy of just that size, so that a byte too far is one of another block. */
    uint8_t *copy = malloc(size - 2 ? size - 2 : 1);
    must(copy != NULL);
    memcpy(copy, data + 2, size - 2);
    Scene *scene = read_as(kind, copy, size - 2, &options, &error);
    free(copy);
    must(scene || error.text[0] != '\0');
    if (!scene)
        return 0;
    check_scene(scene);
    scene_drop_points(scene);
    check_scene(scene);
    use(scene);
    scene_free(scene);
    return 0;
}
