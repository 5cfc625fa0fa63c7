/* The scenes of pliant.scenes, one row of a table each: see scene_rules.h. */
#include "scene_rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- Bumpy spheres: all vertices are supplied --------------------------------------------------
 */

static void create_bumpy(SceneContent *content, int size, const SceneMesh **meshes)
{
    content->bumpy = scene_bumpy(size);
    meshes[0] = meshes[1] = &content->bumpy.sphere;
}

static void place_bumpy(const SceneContent *content, int body, int step, float *vertices)
{
    scene_bumpy_vertices(&content->bumpy, body, step, vertices);
}

static void end_bumpy(SceneContent *content)
{
    scene_bumpy_free(&content->bumpy);
}

static void create_crowd(SceneContent *content, int size, const SceneMesh **meshes)
{
    content->crowd = scene_crowd(size);
    for (int body = 0; body < SCENE_CROWD_BODIES; body++)
        meshes[body] = &content->crowd.sphere;
}

static void place_crowd(const SceneContent *content, int body, int step, float *vertices)
{
    scene_crowd_vertices(&content->crowd, body, step, vertices);
}

static void end_crowd(SceneContent *content)
{
    scene_crowd_free(&content->crowd);
}

/* ---- Morphing bodies --------------------------------------------------------------------------
 */

static void create_passing(SceneContent *content, int size, const SceneMesh **meshes)
{
    (void)size;
    content->morph = scene_passing();
    meshes[0] = meshes[1] = &content->morph.mesh;
}

static void pose_passing(const SceneContent *content, int body, int step, SceneBodyPose *pose)
{
    (void)content;
    scene_passing_weights(step, pose->weights);
    scene_passing_rows(body, step, pose->rows);
}

static SceneRig rig_of_morph(const SceneContent *content, int body)
{
    (void)body;
    return (SceneRig){&content->morph, NULL};
}

static void end_morph(SceneContent *content)
{
    scene_morph_free(&content->morph);
}

static void create_dolphins(SceneContent *content, int size, const SceneMesh **meshes)
{
    content->morph = scene_dolphin(size);
    for (int body = 0; body < SCENE_DOLPHINS; body++)
        meshes[body] = &content->morph.mesh;
}

static void pose_dolphins(const SceneContent *content, int body, int step, SceneBodyPose *pose)
{
    (void)content;
    scene_dolphin_weights(body, step, pose->weights);
    scene_dolphin_rows(body, step, pose->rows);
}

static void create_face(SceneContent *content, int size, const SceneMesh **meshes)
{
    (void)size;
    content->stroke.face = scene_face();
    content->stroke.hand = scene_hand();
    meshes[0] = &content->stroke.face.mesh;
    meshes[1] = &content->stroke.hand;
}

static void pose_face(const SceneContent *content, int body, int step, SceneBodyPose *pose)
{
    (void)content;
    if (body == 0)
        scene_face_weights(step, pose->weights);
    else
        scene_hand_rows(step, pose->rows);
}

static SceneRig rig_of_face(const SceneContent *content, int body)
{
    return (SceneRig){body == 0 ? &content->stroke.face : NULL, NULL};
}

static void end_face(SceneContent *content)
{
    scene_morph_free(&content->stroke.face);
    scene_mesh_free(&content->stroke.hand);
}

/* ---- Characters -------------------------------------------------------------------------------
 */

static void create_walk(SceneContent *content, const SceneMesh **meshes, SceneMesh room)
{
    content->walk.avatar = scene_avatar();
    content->walk.room = room;
    meshes[0] = &content->walk.avatar.mesh;
    meshes[1] = &content->walk.room;
}

static void create_museum(SceneContent *content, int size, const SceneMesh **meshes)
{
    (void)size;
    create_walk(content, meshes, scene_museum());
}

static void create_living_room(SceneContent *content, int size, const SceneMesh **meshes)
{
    (void)size;
    create_walk(content, meshes, scene_living_room());
}

static void pose_museum(const SceneContent *content, int body, int step, SceneBodyPose *pose)
{
    if (body == 0)
        scene_walk_pose(&content->walk.avatar, SCENE_MUSEUM, step, pose->joints, pose->rows);
}

static void pose_living_room(const SceneContent *content, int body, int step, SceneBodyPose *pose)
{
    if (body == 0)
        scene_walk_pose(&content->walk.avatar, SCENE_LIVING_ROOM, step, pose->joints, pose->rows);
}

static SceneRig rig_of_walk(const SceneContent *content, int body)
{
    return (SceneRig){NULL, body == 0 ? &content->walk.avatar : NULL};
}

static void end_walk(SceneContent *content)
{
    scene_skin_free(&content->walk.avatar);
    scene_mesh_free(&content->walk.room);
}

/* ---- All of them ------------------------------------------------------------------------------
 */

const SceneRule scene_rules[] = {
    {"bumpy", 2, SCENE_BUMPY_STEPS, 5, 8, create_bumpy, place_bumpy, NULL, NULL, end_bumpy},
    {"crowd", SCENE_CROWD_BODIES, SCENE_CROWD_STEPS, 4, 7, create_crowd, place_crowd, NULL, NULL,
     end_crowd},
    {"passing", 2, SCENE_PASSING_STEPS, 0, 1, create_passing, NULL, rig_of_morph, pose_passing,
     end_morph},
    {"dolphins", SCENE_DOLPHINS, SCENE_DOLPHIN_STEPS, 2, SCENE_DOLPHIN_SIZES, create_dolphins, NULL,
     rig_of_morph, pose_dolphins, end_morph},
    {"face", 2, SCENE_FACE_STEPS, 0, 1, create_face, NULL, rig_of_face, pose_face, end_face},
    {"museum", 2, SCENE_WALK_STEPS, 0, 1, create_museum, NULL, rig_of_walk, pose_museum, end_walk},
    {"living_room", 2, SCENE_WALK_STEPS, 0, 1, create_living_room, NULL, rig_of_walk,
     pose_living_room, end_walk},
};

const int scene_rule_count = sizeof scene_rules / sizeof *scene_rules;

SceneRig rule_rig(const SceneRule *rule, const SceneContent *content, int body)
{
    return rule->rig != NULL ? rule->rig(content, body) : (SceneRig){NULL, NULL};
}

void rule_pose(const SceneRule *rule, const SceneContent *content, int body, int step,
               SceneBodyPose *pose)
{
    memset(pose, 0, sizeof *pose);
    for (int i = 0; i < 3; i++)
        pose->rows[i][i] = 1;
    if (rule->pose != NULL)
        rule->pose(content, body, step, pose);
}

static void transformed(const SceneMesh *mesh, const float (*rows)[4], float *vertices)
{
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            const float *p = mesh->vertices + 3 * v, *row = rows[i];
            vertices[3 * v + i] = ((row[0] * p[0] + row[1] * p[1]) + row[2] * p[2]) + row[3];
        }
}

void rule_place(const SceneRule *rule, const SceneContent *content, const SceneMesh *mesh, int body,
                int step, float *vertices)
{
    if (rule->place != NULL) {
        rule->place(content, body, step, vertices);
        return;
    }
    SceneBodyPose pose;
    const SceneRig rig = rule_rig(rule, content, body);
    rule_pose(rule, content, body, step, &pose);
    const float(*rows)[4] = (const float(*)[4])pose.rows;
    if (rig.morph != NULL)
        scene_morph_vertices(rig.morph, pose.weights, rows, vertices);
    else if (rig.skin != NULL)
        scene_skin_vertices(rig.skin, (const float(*)[3][4])pose.joints, rows, vertices);
    else
        transformed(mesh, rows, vertices);
}
