/* How somebody walks: see scenes.h.
 *
 * No joint has an orientation of its own at rest, so that the matrix of one is that of the joint
 * which it is on, after a turn about the place of the joint. */
#include "avatar.h"
#include "scenes.h"

#include <string.h>

static const double turn = 6.283185307179586;

/* ---- Joints ------------------------------------------------------------------------------ */

/* The turn of every joint, from where the one that it is on has it. */
typedef struct Pose {
    double turns[SCENE_AVATAR_JOINTS][3][3];
} Pose;

/* Turns a joint further, about an axis of the body at rest; on the right as in a mirror. */
static void turn_joint(Pose *pose, int joint, double x, double y, double z, double angle)
{
    const double mirror = joint >= RIGHT ? -1 : 1;
    double more[3][3], before[3][3];
    scene_rotation((const double[]){x, mirror * y, mirror * z}, angle, more);
    memcpy(before, pose->turns[joint], sizeof before);
    scene_rotation_product(more, before, pose->turns[joint]);
}

static void start_pose(Pose *pose)
{
    for (int j = 0; j < SCENE_AVATAR_JOINTS; j++)
        scene_rotation((const double[]){0, 1, 0}, 0, pose->turns[j]);
}

/* From how each joint is turned to the matrices of all. */
static void join_up(Pose *pose, double matrices[][3][4])
{
    for (int j = 0; j < SCENE_AVATAR_JOINTS; j++) {
        double at[3], rest[3];
        avatar_joint_at(j, at);
        for (int k = 0; k < 3; k++)
            rest[k] = at[k] - (pose->turns[j][k][0] * at[0] + pose->turns[j][k][1] * at[1] +
                               pose->turns[j][k][2] * at[2]);
        const int parent = avatar_parent(j);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) {
                double sum = 0;
                for (int l = 0; l < 3; l++)
                    sum += (parent < 0 ? i == l : matrices[parent][i][l]) *
                           (k < 3 ? pose->turns[j][l][k] : rest[l]);
                matrices[j][i][k] = sum + (k == 3 && parent >= 0 ? matrices[parent][i][3] : 0);
            }
    }
}

/* ---- Paces ------------------------------------------------------------------------------- */

/* Toes up, or a leg forward, is a turn about -x. */
static void move_leg(Pose *pose, int side, double angle)
{
    const double s = scene_sin(angle), swing = 0.5 + 0.5 * scene_cos(angle + 0.25);
    const double behind = 0.5 - 0.5 * s, ahead = 0.5 + 0.5 * s;
    const double off = 0.5 * behind * behind * behind; /* the toes push */
    const double pitch = off - 0.22 * ahead * ahead * ahead * ahead;
    const double thigh = -0.13 - 0.33 * s, knee = 0.07 + 0.85 * swing * swing * swing;
    turn_joint(pose, side + THIGH, 0, 0, 1, 0.02);
    turn_joint(pose, side + THIGH, 1, 0, 0, thigh);
    turn_joint(pose, side + SHIN, 1, 0, 0, knee);
    turn_joint(pose, side + FOOT, 1, 0, 0, pitch - thigh - knee);
    turn_joint(pose, side + TOES, 1, 0, 0, -0.85 * off);
}

static void move_fingers(Pose *pose, int side, double curl)
{
    for (int f = 0; f < FINGERS; f++)
        for (int i = 0; i < FINGER_JOINTS; i++)
            turn_joint(pose, side + FINGER + FINGER_JOINTS * f + i, 0, 0, 1,
                       -curl * (f == 0 ? 0.35 : 0.8 + 0.12 * f));
}

/* Arms go against the legs. `reach` takes one out to the side, and stills it. */
static void move_arm(Pose *pose, int side, double angle, double reach)
{
    const double half = 0.70710678118654752, unchanged = 1 - reach;
    const double swing = unchanged * (0.05 + 0.42 * scene_sin(angle));
    turn_joint(pose, side + CLAVICLE, 0, 0, 1, 0.1 * reach - 0.04);
    turn_joint(pose, side + UPPER_ARM, 0, 0, 1, -0.62 * unchanged + 0.45 * reach);
    turn_joint(pose, side + UPPER_ARM, 1, 0, 0, swing);
    turn_joint(pose, side + UPPER_ARM, 0, 1, 0, -0.35 * reach);
    /* The elbow bends about what is sideways of the arm. */
    turn_joint(pose, side + FOREARM, half, half, 0,
               -0.3 - 0.2 * unchanged * (1 - scene_sin(angle)) * 0.5);
    turn_joint(pose, side + HAND, 0, 0, 1, 0.35 * reach);
    move_fingers(pose, side, 0.28 * unchanged + 0.05 * reach);
}

static void move_trunk(Pose *pose, double angle)
{
    const double twist = 0.1 * scene_sin(angle), sway = 0.03 * scene_cos(angle);
    turn_joint(pose, HIPS, 0, 1, 0, -twist);
    turn_joint(pose, HIPS, 0, 0, 1, sway);
    turn_joint(pose, SPINE_1, 0, 1, 0, 0.6 * twist);
    turn_joint(pose, SPINE_1, 1, 0, 0, 0.03);
    turn_joint(pose, SPINE_2, 0, 1, 0, 0.6 * twist);
    turn_joint(pose, SPINE_2, 0, 0, 1, -sway);
    turn_joint(pose, CHEST, 0, 1, 0, 0.7 * twist);
    turn_joint(pose, NECK, 0, 1, 0, -0.5 * twist);
    turn_joint(pose, NECK, 1, 0, 0, 0.04);
    turn_joint(pose, HEAD, 0, 1, 0, -0.4 * twist);
    turn_joint(pose, HEAD, 1, 0, 0, -0.06);
    turn_joint(pose, JAW, 1, 0, 0, 0.05 + 0.05 * scene_sin(2 * angle));
}

/* How deep the feet are. */
static double lowest_of(const SceneSkin *avatar, double matrices[][3][4])
{
    double lowest = 0;
    for (int32_t i = 0; i < avatar->foot_vertex_count; i++) {
        const float *p = avatar->mesh.vertices + 3 * (size_t)i;
        const size_t first = (size_t)i * (size_t)avatar->influence_count;
        double y = 0;
        for (int32_t k = 0; k < avatar->influence_count; k++) {
            const double *row = matrices[avatar->joints[first + (size_t)k]][1];
            y += avatar->weights[first + (size_t)k] *
                 (row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]);
        }
        lowest = i == 0 || y < lowest ? y : lowest;
    }
    return lowest;
}

void scene_avatar_pose(const SceneSkin *avatar, double phase, double reach, float (*joints)[3][4])
{
    static const double half = 3.141592653589793;
    const double angle = turn * phase;
    double matrices[SCENE_AVATAR_JOINTS][3][4];
    Pose pose;
    start_pose(&pose);
    move_trunk(&pose, angle);
    move_leg(&pose, LEFT, angle);
    move_leg(&pose, RIGHT, angle + half);
    move_arm(&pose, LEFT, angle, reach);
    move_arm(&pose, RIGHT, angle + half, 0);
    join_up(&pose, matrices);
    const double lowest = lowest_of(avatar, matrices);
    for (int j = 0; j < SCENE_AVATAR_JOINTS; j++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++)
                joints[j][i][k] = (float)(matrices[j][i][k] - (i == 1 && k == 3 ? lowest : 0));
}
