/* The project's generated scenes, as rows of a table: which bodies there are, how they are rigged,
 * and where they are at a step. It knows nothing of Python; scenes.c does.
 */
#ifndef SCENE_RULES_H
#define SCENE_RULES_H

#include <scenes.h>

enum { SCENE_MAX_BODIES = 27, SCENE_MAX_TARGETS = SCENE_FACE_TARGETS };

typedef union SceneContent {
    SceneBumpy bumpy;
    SceneCrowd crowd;
    SceneMorph morph;
    struct {
        SceneMorph face;
        SceneMesh hand;
    } stroke;
    struct {
        SceneSkin avatar;
        SceneMesh room;
    } walk;
} SceneContent;

/* What moves the vertices of a body before its transform: one of them, or nothing. */
typedef struct SceneRig {
    const SceneMorph *morph;
    const SceneSkin *skin;
} SceneRig;

typedef struct SceneBodyPose {
    float rows[3][4], weights[SCENE_MAX_TARGETS], joints[SCENE_AVATAR_JOINTS][3][4];
} SceneBodyPose;

/* A scene either places the vertices of its bodies, or poses them. */
typedef struct SceneRule {
    const char *name;
    int body_count, step_count, default_size, size_count;
    void (*create)(SceneContent *content, int size, const SceneMesh **meshes);
    void (*place)(const SceneContent *content, int body, int step, float *vertices);
    SceneRig (*rig)(const SceneContent *content, int body);
    void (*pose)(const SceneContent *content, int body, int step, SceneBodyPose *pose);
    void (*end)(SceneContent *content);
} SceneRule;

extern const SceneRule scene_rules[];
extern const int scene_rule_count;

SceneRig rule_rig(const SceneRule *rule, const SceneContent *content, int body);

/* Where a body is at a step: the identity and zeros, unless the scene poses it. */
void rule_pose(const SceneRule *rule, const SceneContent *content, int body, int step,
               SceneBodyPose *pose);

/* The vertices of a body at a step, in world coordinates. */
void rule_place(const SceneRule *rule, const SceneContent *content, const SceneMesh *mesh, int body,
                int step, float *vertices);

#endif
