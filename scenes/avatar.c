/* Somebody who walks: see scenes.h.
 *
 * Pieces are tubes: rings along a line, each with a width, a front and a back. Weights follow the
 * way along the tube from one joint to the next, so wide about a joint as a limb is thick. */
#include "avatar.h"
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

/* ---- Joints ------------------------------------------------------------------------------ */

/* Of the left side; the arm hangs down here, from the shoulder, and is then taken out with all that
 * is on it. */
#define SHOULDER_X 0.185
#define SHOULDER_Y 1.425
#define SHOULDER_Z (-0.02)

static const struct {
    int parent;
    double at[3]; /* of fingers: from the wrist */
} left_joints[SCENE_AVATAR_JOINTS] = {
    [HIPS] = {-1, {0, 0.98, 0}},
    [SPINE_1] = {HIPS, {0, 1.08, -0.01}},
    [SPINE_2] = {SPINE_1, {0, 1.2, -0.015}},
    [CHEST] = {SPINE_2, {0, 1.32, -0.02}},
    [NECK] = {CHEST, {0, 1.49, -0.02}},
    [HEAD] = {NECK, {0, 1.57, 0}},
    [JAW] = {HEAD, {0, 1.59, 0.015}},
    [LEFT + CLAVICLE] = {CHEST, {0.025, 1.44, 0}},
    [LEFT + UPPER_ARM] = {LEFT + CLAVICLE, {SHOULDER_X, SHOULDER_Y, SHOULDER_Z}},
    [LEFT + FOREARM] = {LEFT + UPPER_ARM, {SHOULDER_X, SHOULDER_Y - 0.29, SHOULDER_Z}},
    [LEFT + HAND] = {LEFT + FOREARM, {SHOULDER_X, SHOULDER_Y - 0.55, SHOULDER_Z}},
    [LEFT + THIGH] = {HIPS, {0.095, 0.93, 0}},
    [LEFT + SHIN] = {LEFT + THIGH, {0.1, 0.5, 0.005}},
    [LEFT + FOOT] = {LEFT + SHIN, {0.105, 0.085, -0.02}},
    [LEFT + TOES] = {LEFT + FOOT, {0.11, 0.02, 0.105}},
};

/* Where fingers begin, below the wrist, and how they lie; the thumb first. */
static const struct {
    double down, ahead, aside; /* aside: radians forward of down */
    double length, radius;
} fingers[FINGERS] = {{0.028, 0.03, 0.75, 0.085, 0.0115},
                      {0.088, 0.03, 0.1, 0.082, 0.0092},
                      {0.092, 0.0095, 0.03, 0.09, 0.0095},
                      {0.09, -0.011, -0.04, 0.084, 0.009},
                      {0.083, -0.03, -0.13, 0.066, 0.008}};

/* Joints along a finger, as parts of its length. */
static const double knuckles[FINGER_JOINTS] = {0.06, 0.45, 0.74};

int avatar_parent(int joint)
{
    if (joint < LEFT || joint < RIGHT)
        return joint >= LEFT && joint - LEFT >= FINGER
                   ? ((joint - LEFT - FINGER) % FINGER_JOINTS ? joint - 1 : LEFT + HAND)
                   : left_joints[joint].parent;
    const int left = avatar_parent(joint - RIGHT + LEFT);
    return left < LEFT ? left : left - LEFT + RIGHT;
}

/* Takes what is on the arm out with it. */
static void lift_arm(double point[3])
{
    const double s = 0.70710678118654752, x = point[0] - SHOULDER_X, y = point[1] - SHOULDER_Y;
    point[0] = SHOULDER_X + s * (x - y);
    point[1] = SHOULDER_Y + s * (x + y);
}

void avatar_joint_at(int joint, double point[3])
{
    const bool is_right = joint >= RIGHT;
    const int left = is_right ? joint - RIGHT + LEFT : joint;
    if (left >= LEFT + FINGER) {
        const int finger = (left - LEFT - FINGER) / FINGER_JOINTS;
        const double way =
            fingers[finger].length * knuckles[(left - LEFT - FINGER) % FINGER_JOINTS];
        point[0] = SHOULDER_X;
        point[1] = left_joints[LEFT + HAND].at[1] - fingers[finger].down -
                   way * scene_cos(fingers[finger].aside);
        point[2] = SHOULDER_Z + fingers[finger].ahead + way * scene_sin(fingers[finger].aside);
    } else {
        memcpy(point, left_joints[left].at, 3 * sizeof *point);
    }
    if (left >= LEFT + UPPER_ARM && (left <= LEFT + HAND || left >= LEFT + FINGER))
        lift_arm(point);
    if (is_right)
        point[0] = -point[0];
}

/* ---- Tubes ------------------------------------------------------------------------------- */

/* A section: the way down from the top, where the middle is, half the width, and how far it goes to
 * the front and to the back. */
enum { WAY, MIDDLE_X, MIDDLE_Z, WIDTH, FRONT, BACK, SECTION };

static const double torso[][SECTION] = {
    {0, 0, 0, 0.055, 0.058, 0.055},        {0.1, 0, -0.012, 0.056, 0.056, 0.058},
    {0.14, 0, -0.02, 0.085, 0.058, 0.066}, {0.17, 0, -0.02, 0.138, 0.066, 0.08},
    {0.2, 0, -0.02, 0.165, 0.084, 0.09},   {0.26, 0, -0.02, 0.168, 0.11, 0.1},
    {0.34, 0, -0.018, 0.16, 0.125, 0.1},   {0.43, 0, -0.015, 0.146, 0.115, 0.09},
    {0.53, 0, -0.01, 0.135, 0.1, 0.078},   {0.62, 0, -0.005, 0.155, 0.1, 0.09},
    {0.69, 0, 0, 0.174, 0.098, 0.118},     {0.76, 0, 0, 0.176, 0.09, 0.118},
    {0.82, 0, 0, 0.15, 0.08, 0.1}};
#define TORSO_TOP 1.62

static const double head[][SECTION] = {
    {0, 0, 0.005, 0.066, 0.07, 0.078},     {0.04, 0, 0.005, 0.07, 0.08, 0.09},
    {0.09, 0, 0.005, 0.075, 0.089, 0.098}, {0.13, 0, 0.005, 0.074, 0.09, 0.093},
    {0.16, 0, 0.006, 0.068, 0.088, 0.076}, {0.19, 0, 0.01, 0.058, 0.083, 0.05},
    {0.225, 0, 0.012, 0.043, 0.075, 0.03}};
#define HEAD_TOP 1.75

static const double arm[][SECTION] = {
    {0, -0.03, 0, 0.05, 0.054, 0.054}, {0.06, -0.01, 0, 0.053, 0.056, 0.056},
    {0.12, 0, 0, 0.05, 0.053, 0.052},  {0.2, 0, 0, 0.044, 0.05, 0.044},
    {0.3, 0, 0, 0.038, 0.04, 0.038},   {0.35, 0, 0, 0.038, 0.037, 0.041},
    {0.42, 0, 0, 0.037, 0.042, 0.038}, {0.52, 0, 0, 0.028, 0.032, 0.031},
    {0.6, 0, 0, 0.021, 0.027, 0.027},  {0.64, 0, 0, 0.022, 0.028, 0.028}};
#define ARM_ABOVE 0.055 /* the shoulder */

static const double leg[][SECTION] = {
    {0, 0.086, 0, 0.066, 0.075, 0.08},         {0.09, 0.09, 0, 0.081, 0.086, 0.096},
    {0.18, 0.095, 0, 0.085, 0.085, 0.085},     {0.33, 0.097, 0.003, 0.07, 0.073, 0.07},
    {0.46, 0.1, 0.006, 0.055, 0.06, 0.055},    {0.52, 0.1, 0.006, 0.053, 0.056, 0.052},
    {0.6, 0.101, -0.006, 0.054, 0.05, 0.06},   {0.7, 0.103, -0.012, 0.052, 0.046, 0.056},
    {0.82, 0.105, -0.018, 0.039, 0.038, 0.04}, {0.9, 0.105, -0.02, 0.035, 0.037, 0.038},
    {0.96, 0.105, -0.02, 0.036, 0.04, 0.038}};
#define LEG_TOP 0.985

/* From the heel to the toes: the front is up here. */
static const double foot[][SECTION] = {
    {0, 0.105, 0.02, 0.031, 0.05, 0.02},      {0.045, 0.105, 0.02, 0.034, 0.073, 0.02},
    {0.085, 0.105, 0.02, 0.036, 0.075, 0.02}, {0.13, 0.108, 0.02, 0.038, 0.05, 0.02},
    {0.18, 0.112, 0.02, 0.045, 0.028, 0.02},  {0.22, 0.114, 0.02, 0.047, 0.018, 0.02},
    {0.265, 0.112, 0.02, 0.036, 0.008, 0.02}};
#define HEEL_Z (-0.085)

static const double palm[][SECTION] = {{0, 0, 0, 0.02, 0.027, 0.027},
                                       {0.04, 0, 0.002, 0.02, 0.038, 0.038},
                                       {0.09, 0, 0, 0.0155, 0.041, 0.041},
                                       {0.118, 0, 0, 0.013, 0.04, 0.04}};
#define PALM_ABOVE 0.015 /* the wrist */

static const double finger[][SECTION] = {{0, 0, 0, 1, 1, 1},
                                         {0.35, 0, 0, 0.92, 0.92, 0.92},
                                         {0.45, 0, 0, 0.98, 0.98, 0.98},
                                         {0.6, 0, 0, 0.86, 0.86, 0.86},
                                         {0.74, 0, 0, 0.9, 0.9, 0.9},
                                         {1, 0, 0, 0.72, 0.72, 0.72}};

/* Where each joint takes over from the one before it, and over how long a way, up and down. */
typedef struct Link {
    int joint;
    double way, reach;
} Link;

/* What a piece is made of. */
typedef struct Tube {
    const double (*sections)[SECTION];
    int section_count, ring_count, segment_count;
    double round;  /* how long the round ends are */
    double square; /* 0: sections are ellipses; 1: nearly rectangles */
    Link links[6]; /* the first takes all that is above */
    int link_count;
    int finger; /* or -1 */
} Tube;

#define SECTIONS(table) table, sizeof(table) / sizeof *(table)

enum { FOOT_TUBE, LEG_TUBE, ARM_TUBE, PALM_TUBE, TORSO_TUBE, HEAD_TUBE, TUBES };

static const Tube tubes[TUBES] = {
    [FOOT_TUBE] = {SECTIONS(foot), 40, 38, 0.03, 0.55, {{FOOT, 0, 0}, {TOES, 0.19, 0.025}}, 2, -1},
    [LEG_TUBE] = {SECTIONS(leg),
                  116,
                  52,
                  0.05,
                  0,
                  {{THIGH, 0, 0}, {SHIN, 0.49, 0.07}, {FOOT, 0.905, 0.035}},
                  3,
                  -1},
    [ARM_TUBE] =
        {SECTIONS(arm),
         88,
         40,
         0.045,
         0,
         {{CLAVICLE, 0, 0}, {UPPER_ARM, 0.035, 0.05}, {FOREARM, 0.35, 0.05}, {HAND, 0.61, 0.03}},
         4,
         -1},
    [PALM_TUBE] =
        {SECTIONS(palm), 30, 32, 0.012, 0.6, {{FOREARM, 0, 0}, {HAND, 0.012, 0.025}}, 2, -1},
    [TORSO_TUBE] = {SECTIONS(torso),
                    119,
                    99,
                    0.06,
                    0.15,
                    {{HEAD, 0, 0},
                     {NECK, 0.05, 0.04},
                     {CHEST, 0.14, 0.05},
                     {SPINE_2, 0.3, 0.06},
                     {SPINE_1, 0.42, 0.06},
                     {HIPS, 0.54, 0.07}},
                    6,
                    -1},
    [HEAD_TUBE] = {SECTIONS(head), 66, 70, 0.05, 0, {{HEAD, 0, 0}}, 1, -1},
};

static Tube finger_tube(int number)
{
    return (Tube){SECTIONS(finger),
                  24,
                  16,
                  fingers[number].radius,
                  0,
                  {{HAND, 0, 0},
                   {FINGER + FINGER_JOINTS * number, 0.06 * fingers[number].length, 0.012},
                   {FINGER + FINGER_JOINTS * number + 1, 0.45 * fingers[number].length, 0.01},
                   {FINGER + FINGER_JOINTS * number + 2, 0.74 * fingers[number].length, 0.009}},
                  4,
                  number};
}

static double length_of(const Tube *tube)
{
    return tube->finger >= 0 ? fingers[tube->finger].length
                             : tube->sections[tube->section_count - 1][WAY];
}

/* How far down the tube a ring is: even, but closer in the round ends, as on a circle. */
static double way_at(const Tube *tube, double u)
{
    const double part = tube->round / length_of(tube), end = 2 * part / (1 + 2 * part);
    if (u > 0.5)
        return length_of(tube) - way_at(tube, 1 - u);
    if (u < end)
        return length_of(tube) * part * (u / end) * (u / end);
    return length_of(tube) * (part + (u - end) * (1 - 2 * part) / (1 - 2 * end));
}

/* A point of the tube, before it is put in its place. */
static void place_on_tube(const Tube *tube, double way, double v, double point[3])
{
    const double length = length_of(tube),
                 scale = tube->finger >= 0 ? fingers[tube->finger].radius : 1;
    const double gap = (way < 0.5 * length ? way : length - way) / tube->round;
    const double narrow = gap <= 0 ? 0 : gap < 1 ? sqrt(gap * (2 - gap)) : 1;
    double section[SECTION];
    for (int k = 1; k < SECTION; k++)
        section[k] = scene_through(tube->sections[0], tube->section_count, SECTION, k,
                                   tube->finger >= 0 ? way / length : way);
    const double x = scene_cos(turn * v), z = scene_sin(turn * v);
    const double blown = 1 + tube->square * (1 / sqrt(sqrt(x * x * x * x + z * z * z * z)) - 1);
    point[0] = section[MIDDLE_X] + scale * narrow * blown * x * section[WIDTH];
    point[1] = -way;
    point[2] = section[MIDDLE_Z] + scale * narrow * blown * z * section[z > 0 ? FRONT : BACK];
}

/* ---- Pieces in their places -------------------------------------------------------------- */

/* What stands out of the face, or goes in: around (x, y), so wide and high. */
static const struct {
    double at[2], reach[2], out[3];
} features[] = {
    {{0, 1.637}, {0.019, 0.026}, {0, -0.004, 0.028}}, /* nose */
    {{0, 1.66}, {0.012, 0.034}, {0, 0, 0.012}},       /* its bridge */
    {{0.033, 1.668}, {0.024, 0.018}, {0, 0, -0.011}}, /* eyes */
    {{0.033, 1.69}, {0.034, 0.013}, {0, 0, 0.005}},   /* brows */
    {{0, 1.602}, {0.033, 0.0065}, {0, 0, 0.008}},     /* lips */
    {{0, 1.589}, {0.028, 0.0065}, {0, 0, 0.009}},
    {{0, 1.552}, {0.034, 0.024}, {0, 0, 0.012}}, /* chin */
};

static void shape_head(double point[3])
{
    const double side = point[0] < 0 ? -1 : 1, x = side * point[0], y = point[1];
    const double front = scene_rise((point[2] - 0.03) / 0.03);
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        double dx = (x - features[i].at[0]) / features[i].reach[0];
        double dy = (y - features[i].at[1]) / features[i].reach[1];
        double amount = front * scene_bump(sqrt(dx * dx + dy * dy));
        point[1] += amount * features[i].out[1];
        point[2] += amount * features[i].out[2];
    }
    const double dy = (y - 1.645) / 0.033, dz = (point[2] + 0.012) / 0.02; /* ears */
    const double ear = scene_rise((x - 0.04) / 0.02) * scene_bump(sqrt(dy * dy + dz * dz));
    point[0] += side * 0.018 * ear;
    point[2] -= 0.008 * ear;
}

static void place_piece(int tube, int number, double point[3])
{
    const double y = point[1], z = point[2];
    if (tube == FOOT_TUBE) { /* lies on its back */
        point[1] = z;
        point[2] = HEEL_Z - y;
    } else if (tube == LEG_TUBE) {
        point[1] += LEG_TOP;
    } else if (tube == TORSO_TUBE) {
        point[1] += TORSO_TOP;
    } else if (tube == HEAD_TUBE) {
        point[1] += HEAD_TOP;
        shape_head(point);
    } else {
        if (number >= 0) {
            const double s = scene_sin(fingers[number].aside), c = scene_cos(fingers[number].aside);
            point[1] = c * y + s * z - fingers[number].down;
            point[2] = c * z - s * y + fingers[number].ahead;
        }
        point[0] += SHOULDER_X;
        point[1] +=
            SHOULDER_Y + (tube == ARM_TUBE ? ARM_ABOVE : (number >= 0 ? 0 : PALM_ABOVE) - 0.55);
        point[2] += SHOULDER_Z;
        lift_arm(point);
    }
}

typedef struct Piece {
    Tube tube;
    int kind;
} Piece;

static void place_on_piece(const void *data, double u, double v, double point[3])
{
    const Piece *piece = data;
    place_on_tube(&piece->tube, way_at(&piece->tube, u), v, point);
    place_piece(piece->kind, piece->tube.finger, point);
}

/* ---- Weights ----------------------------------------------------------------------------- */

/* Those of one vertex, of any number of joints. */
typedef struct Shares {
    double of[SCENE_AVATAR_JOINTS];
} Shares;

/* Gives a part of what all others have to a joint. */
static void hand_over(Shares *shares, int joint, double part)
{
    for (int j = 0; j < SCENE_AVATAR_JOINTS; j++)
        shares->of[j] *= 1 - part;
    shares->of[joint] += part;
}

/* Of the joints along a tube; `side` is what the numbers of its own joints begin at. */
static void share_along(const Tube *tube, double way, int side, Shares *shares)
{
    for (int i = 0; i < tube->link_count; i++) {
        const Link *link = &tube->links[i];
        double part = i == 0 ? 1 : scene_rise(0.5 + 0.5 * (way - link->way) / link->reach);
        hand_over(shares, side + link->joint, part);
    }
}

/* The torso goes with the shoulders and the thighs, the neck and jaw with the head, the ankle with
 * the shin. */
static void share_across(int kind, int side, const double point[3], Shares *shares)
{
    const double x = point[0] < 0 ? -point[0] : point[0], y = point[1];
    if (kind == TORSO_TUBE) {
        const int own = point[0] < 0 ? RIGHT : LEFT;
        const double shoulder = scene_bump((y - 1.435) / 0.11);
        hand_over(shares, own + CLAVICLE, 0.75 * shoulder * scene_rise((x - 0.03) / 0.1));
        hand_over(shares, own + UPPER_ARM, 0.4 * shoulder * scene_rise((x - 0.11) / 0.07));
        hand_over(shares, own + THIGH, 0.7 * scene_rise((1 - y) / 0.16) * scene_rise(x / 0.12));
    } else if (kind == HEAD_TUBE) {
        const double front = scene_rise((point[2] - 0.01) / 0.04);
        hand_over(shares, NECK, 0.5 * scene_rise((1.56 - y) / 0.05) * (1 - front));
        hand_over(shares, JAW, front * scene_rise((1.605 - y) / 0.02));
    } else if (kind == FOOT_TUBE) {
        hand_over(shares, side + SHIN, 0.6 * scene_rise((y - 0.055) / 0.05));
    }
}

/* The greatest four, those below half a per cent left out, in rising order, of sum one. */
static void keep_shares(const Shares *shares, uint16_t *joints, float *weights)
{
    double least = 0.005, sum = 0;
    for (int32_t count = SCENE_AVATAR_JOINTS; count > SCENE_AVATAR_INFLUENCES; least *= 1.5) {
        count = 0;
        sum = 0;
        for (int j = 0; j < SCENE_AVATAR_JOINTS; j++)
            if (shares->of[j] >= least) {
                if (count < SCENE_AVATAR_INFLUENCES) {
                    joints[count] = (uint16_t)j;
                    weights[count] = (float)shares->of[j];
                }
                sum += shares->of[j];
                count++;
            }
        for (int32_t i = count; i < SCENE_AVATAR_INFLUENCES; i++)
            joints[i] = 0, weights[i] = 0;
    }
    for (int i = 0; i < SCENE_AVATAR_INFLUENCES; i++)
        weights[i] = (float)(weights[i] / sum);
}

/* ---- All of it --------------------------------------------------------------------------- */

static void add_weights(SceneSkin *skin, const Piece *piece, int32_t first, int side)
{
    const Tube *tube = &piece->tube;
    const int32_t count = tube->ring_count * tube->segment_count + 2;
    for (int32_t i = 0; i < count; i++) {
        const int32_t vertex = first + i;
        const int ring = i == 0 ? 0 : 1 + (i - 1) / tube->segment_count;
        const float *p = skin->mesh.vertices + 3 * (size_t)vertex;
        Shares shares = {{0}};
        share_along(tube, way_at(tube, ring / (tube->ring_count + 1.0)), side, &shares);
        share_across(piece->kind, side, (const double[]){p[0], p[1], p[2]}, &shares);
        keep_shares(&shares, skin->joints + SCENE_AVATAR_INFLUENCES * (size_t)vertex,
                    skin->weights + SCENE_AVATAR_INFLUENCES * (size_t)vertex);
    }
}

/* Feet first: SceneSkin.foot_vertex_count. Each piece of the left side before that of the right. */
static int list_pieces(int divisor, Piece *pieces)
{
    int count = 0;
    for (int kind = 0; kind < TUBES; kind++)
        pieces[count++] = (Piece){tubes[kind], kind};
    for (int i = 0; i < FINGERS; i++)
        pieces[count++] = (Piece){finger_tube(i), PALM_TUBE};
    for (int i = 0; i < count; i++) {
        const int own = pieces[i].kind == HEAD_TUBE ? (divisor + 1) / 2 : divisor;
        pieces[i].tube.ring_count /= own;
        pieces[i].tube.segment_count /= own;
    }
    return count;
}

static bool is_on_both_sides(const Piece *piece)
{
    return piece->kind != TORSO_TUBE && piece->kind != HEAD_TUBE;
}

static SceneMesh mesh_of(const Piece *pieces, int piece_count)
{
    SceneMesh mesh = {0};
    for (int i = 0; i < piece_count; i++) {
        const Tube *tube = &pieces[i].tube;
        for (int side = 0; side <= (int)is_on_both_sides(&pieces[i]); side++)
            scene_mesh_append(
                &mesh,
                scene_rings(tube->ring_count, tube->segment_count, place_on_piece, &pieces[i]),
                side == 1);
    }
    return mesh;
}

SceneSkin scene_avatar(void)
{
    return scene_avatar_coarse(1);
}

SceneSkin scene_avatar_coarse(int divisor)
{
    Piece pieces[TUBES + FINGERS];
    const int piece_count = list_pieces(divisor, pieces);
    const Tube *foot_tube = &pieces[FOOT_TUBE].tube;
    SceneSkin skin = {.mesh = mesh_of(pieces, piece_count),
                      .joint_count = SCENE_AVATAR_JOINTS,
                      .influence_count = SCENE_AVATAR_INFLUENCES,
                      .foot_vertex_count =
                          2 * (foot_tube->ring_count * foot_tube->segment_count + 2)};
    const size_t corner_places = SCENE_AVATAR_INFLUENCES * (size_t)skin.mesh.vertex_count;
    skin.joints = scene_allocate(corner_places, sizeof *skin.joints);
    skin.weights = scene_allocate(corner_places, sizeof *skin.weights);
    int32_t first = 0;
    for (int i = 0; i < piece_count; i++)
        for (int side = 0; side <= (int)is_on_both_sides(&pieces[i]); side++) {
            const int own = !is_on_both_sides(&pieces[i]) ? 0 : side == 0 ? LEFT : RIGHT;
            add_weights(&skin, &pieces[i], first, own);
            first += pieces[i].tube.ring_count * pieces[i].tube.segment_count + 2;
        }
    scene_skin_pack(&skin);
    return skin;
}
