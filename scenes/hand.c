/* A hand: see scenes.h.
 *
 * Fingers point along y, the thumb to -x, the palm looks along -z; 1.7 long. Six closed pieces in
 * one mesh: the palm, and fingers that grow out of it. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */

static const double turn = 6.283185307179586;

/* ---- Pieces ------------------------------------------------------------------------------ */

typedef struct Finger {
    double root[3];
    double aside; /* radians from y toward x */
    double length, radius;
    double curl; /* radians from root to tip, toward the palm */
} Finger;

static const Finger fingers[5] = {
    {{-0.3, 0.1, -0.02}, -0.85, 0.62, 0.095, 0.5}, /* thumb */
    {{-0.27, 0.6, 0}, -0.12, 0.78, 0.08, 0.75},    {{-0.09, 0.64, 0.01}, -0.03, 0.86, 0.084, 0.8},
    {{0.09, 0.62, 0.01}, 0.05, 0.8, 0.08, 0.8},    {{0.26, 0.55, 0}, 0.16, 0.64, 0.07, 0.75},
};

/* A capsule, thinner at its joints, on a circle. */
static void place_on_finger(const void *data, double u, double v, double point[3])
{
    const Finger *finger = data;
    /* Poles are round: there u goes as the angle of a circle. */
    double along = 0.5 - 0.5 * scene_cos(0.5 * turn * u);
    double gap = (along < 0.5 ? along : 1 - along) * finger->length / finger->radius;
    double cap = gap <= 0 ? 0 : gap < 1 ? sqrt(gap * (2 - gap)) : 1;
    double joints = 1 - 0.1 * scene_sin(1.5 * turn * along) * scene_sin(1.5 * turn * along);
    double radius = finger->radius * (1.08 - 0.2 * along) * joints * cap;
    double x = radius * scene_cos(turn * v), z = -0.9 * radius * scene_sin(turn * v);

    double center = finger->length / finger->curl, angle = finger->curl * along;
    double y = (center + z) * scene_sin(angle), s = scene_sin(finger->aside);
    double c = scene_cos(finger->aside);
    point[0] = finger->root[0] + c * x + s * y;
    point[1] = finger->root[1] - s * x + c * y;
    point[2] = finger->root[2] + (center + z) * scene_cos(angle) - center;
}

/* Nearly a box with round corners: an ellipsoid blown up. */
static void place_on_palm(const void *data, double u, double v, double point[3])
{
    (void)data;
    const double half[3] = {0.4, 0.46, 0.13};
    double around = scene_sin(0.5 * turn * u);
    double p[3] = {around * scene_cos(turn * v), -scene_cos(0.5 * turn * u),
                   -around * scene_sin(turn * v)};
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += p[k] * p[k] * p[k] * p[k];
    double blown = 1 / sqrt(sqrt(sum));
    for (int k = 0; k < 3; k++)
        point[k] = blown * half[k] * p[k];
    point[0] *= 0.85 + 0.33 * point[1]; /* narrow at the wrist */
    point[1] += 0.2;
}

SceneMesh scene_hand(void)
{
    enum { RINGS = 24, PALM = 24, FINGER = 16 };
    SceneMesh mesh = {0};
    scene_mesh_append(&mesh, scene_rings(RINGS, PALM, place_on_palm, NULL), false);
    for (int i = 0; i < 5; i++)
        scene_mesh_append(&mesh, scene_rings(RINGS, FINGER, place_on_finger, &fingers[i]), false);
    return mesh;
}

/* ---- Motion ------------------------------------------------------------------------------ */

/* Where the palm is: step, x, y, z. From the 40th step to the 160th the depths are
 * such that the tips of the fingers touch the face lightly, as it is at that step. */
enum { KEY_WIDTH = 4 };
static const double keys[][KEY_WIDTH] = {
    {0, 0.9, -0.9, 2.2},         {30, 0.45, -0.58, 1.4},      {40, 0.350, -0.550, 1.212},
    {50, 0.304, -0.560, 1.260},  {60, 0.297, -0.613, 1.298},  {70, 0.304, -0.684, 1.402},
    {80, 0.300, -0.750, 1.502},  {90, 0.274, -0.810, 1.556},  {100, 0.241, -0.875, 1.524},
    {110, 0.212, -0.940, 1.560}, {120, 0.200, -1.000, 1.548}, {130, 0.199, -1.051, 1.494},
    {140, 0.206, -1.096, 1.436}, {150, 0.235, -1.144, 1.372}, {160, 0.300, -1.200, 1.490},
    {170, 0.4, -1.25, 1.65},     {199, 0.9, -1.5, 2.3}};

void scene_hand_rows(int step, float rows[3][4])
{
    double position[3], rotation[3][3];
    for (int k = 0; k < 3; k++)
        position[k] = scene_through(keys[0], sizeof keys / sizeof *keys, KEY_WIDTH, k + 1, step);
    scene_rotation((const double[]){1, 0, 0}, -0.25 + 0.1 * scene_sin(0.05 * step), rotation);
    scene_set_rows(rotation, position, rows);
}
