/* Twelve dolphins: see scenes.h.
 *
 * A dolphin is 2.5 long. It looks along x, z is up. All of it is one surface of rings, with a beak,
 * a fin on its back, two flippers and the flukes of its tail. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */

static const double turn = 6.283185307179586;

/* ---- One --------------------------------------------------------------------------------- */

/* From the tip of the beak, 0, to the notch of the flukes, 1: half the height above the middle and
 * below it, half the width. */
enum { PROFILE_WIDTH = 4, TOP = 1, BOTTOM, SIDE };
static const double profile[][PROFILE_WIDTH] = {{0, 0, 0, 0},
                                                {0.02, 0.035, 0.03, 0.04},
                                                {0.09, 0.05, 0.05, 0.055},
                                                {0.13, 0.12, 0.08, 0.1},
                                                {0.22, 0.2, 0.16, 0.19},
                                                {0.38, 0.26, 0.25, 0.25},
                                                {0.55, 0.22, 0.21, 0.2},
                                                {0.72, 0.13, 0.12, 0.1},
                                                {0.86, 0.055, 0.055, 0.05},
                                                {0.92, 0.04, 0.04, 0.17},
                                                {0.96, 0.025, 0.025, 0.31},
                                                {1, 0, 0, 0}};

static double profile_at(double u, int column)
{
    return scene_through(profile[0], sizeof profile / sizeof *profile, PROFILE_WIDTH, column, u);
}

/* A fin grows out of the skin around a center, (u, v), as far as its reach, toward its tip. */
typedef struct Fin {
    double center[2], reach[2], tip[3];
} Fin;

enum { FINS = 3 };
static const Fin fins[FINS] = {
    {{0.48, 0}, {0.085, 0.065}, {-0.13, 0, 0.21}},
    {{0.32, 1 / 3.0}, {0.06, 0.07}, {-0.17, 0.2, -0.12}},
    {{0.32, -1 / 3.0}, {0.06, 0.07}, {-0.17, -0.2, -0.12}},
};

/* The flat section of the flukes has its points not by angle but evenly from side to side. */
static double across(double v, double flatness)
{
    double size = v < 0 ? -v : v, even = size < 0.25 ? 4 * v : (v < 0 ? -1 : 1) * (2 - 4 * size);
    return (1 - flatness) * scene_sin(turn * v) + flatness * even;
}

/* v is from -0.5 to 0.5, the back at 0. */
static void straight_dolphin(double u, double v, double point[3])
{
    double flukes = u > 0.86 ? (u - 0.86) / 0.14 : 0;
    double side = across(v, flukes < 0.3 ? 3 * flukes : 0.9), square = 1 - side * side;
    double up = square > 0 ? sqrt(square) : 0;
    if (v > 0.25 || v < -0.25)
        up = -up;
    double y = side * profile_at(u, SIDE), z = up * profile_at(u, up > 0 ? TOP : BOTTOM);
    point[0] = 1.25 - 2.5 * u - 0.7 * flukes * (y > 0 ? y : -y);
    point[1] = y;
    point[2] = z;
    for (int i = 0; i < FINS; i++) {
        double amount = scene_bump((u - fins[i].center[0]) / fins[i].reach[0]) *
                        scene_bump((v - fins[i].center[1]) / fins[i].reach[1]);
        for (int k = 0; k < 3; k++)
            point[k] += amount * fins[i].tip[k];
    }
}

/* How a reference is bent along its spine. */
typedef struct Bend {
    double up, aside; /* one over the radius, for the tail */
} Bend;

/* Rolls the half in front of the shoulders and the half behind them onto circles, in the plane of x
 * and another axis; sections keep their shape. */
static void roll_up(double curvature, int axis, double point[3])
{
    if (curvature == 0)
        return;
    const double shoulders = 0.35;
    double along = point[0] - shoulders;
    double bend = along < 0 ? curvature : 0.4 * curvature;
    double radius = 1 / bend - point[axis], angle = bend * along;
    point[0] = shoulders + radius * scene_sin(angle);
    point[axis] = 1 / bend - radius * scene_cos(angle);
}

/* Where rings are, so that triangles are of one size: closer where the body is thin or has fins. */
static const double ring_places[][2] = {
    {0, 0},         {0.0668, 0.04}, {0.1371, 0.09}, {0.1831, 0.13}, {0.2271, 0.18},
    {0.2698, 0.24}, {0.347, 0.32},  {0.4217, 0.4},  {0.499, 0.48},  {0.5791, 0.56},
    {0.6366, 0.64}, {0.7031, 0.72}, {0.7845, 0.8},  {0.8582, 0.86}, {0.8948, 0.89},
    {0.9249, 0.92}, {0.9414, 0.94}, {0.9553, 0.96}, {0.9711, 0.98}, {1, 1}};

/* Draws v toward a fin at (u, v), which takes more triangles than the skin under it. */
static double drawn_to(const Fin *fin, double u, double v)
{
    double w = (v - fin->center[1]) / 0.16;
    double amount = 0.7 * scene_bump((u - fin->center[0]) / (1.5 * fin->reach[0]));
    return v - 0.16 * w * amount * scene_bump(w);
}

static void place_on_dolphin(const void *data, double u, double v, double point[3])
{
    const Bend *bend = data;
    double ring = scene_through(ring_places[0], sizeof ring_places / sizeof *ring_places, 2, 1, u);
    double around = v > 0.5 ? v - 1 : v;
    for (int i = 0; i < FINS; i++)
        around = drawn_to(&fins[i], ring, around);
    straight_dolphin(ring, around, point);
    roll_up(bend->up, 2, point);
    roll_up(bend->aside, 1, point);
}

static const struct {
    int ring_count, segment_count;
} sizes[SCENE_DOLPHIN_SIZES] = {{47, 6}, {47, 24}, {94, 48}, {188, 96}, {384, 192}, {768, 384}};

int32_t scene_dolphin_triangles(int size)
{
    return 2 * sizes[size].ring_count * sizes[size].segment_count;
}

SceneMorph scene_dolphin(int size)
{
    static const Bend bends[SCENE_DOLPHIN_TARGETS] = {{0.75, 0.2}, {0, -0.15}, {-0.6, 0.1}};
    SceneMorph morph = {.target_count = SCENE_DOLPHIN_TARGETS, .has_references = true};
    morph.targets = scene_allocate(SCENE_DOLPHIN_TARGETS, sizeof *morph.targets);
    for (int i = 0; i < SCENE_DOLPHIN_TARGETS; i++) {
        SceneMesh bent = scene_rings(sizes[size].ring_count, sizes[size].segment_count,
                                     place_on_dolphin, &bends[i]);
        scene_morph_add_reference(&morph, i, bent);
    }
    return morph;
}

/* ---- Twelve ------------------------------------------------------------------------------ */

void scene_dolphin_weights(int body, int step, float weights[SCENE_DOLPHIN_TARGETS])
{
    /* Strokes of 40 steps or so; no two keep the same time. */
    double phase = turn * (step * (0.022 + 0.0007 * body) + 0.37 * body);
    double up = 0.5 + 0.48 * scene_sin(phase), down = 1 - up;
    weights[0] = (float)(up * up);
    weights[1] = (float)(2 * up * down);
    weights[2] = (float)(down * down);
}

/* Rolling, and a little up and down and to the sides. */
static void heading_of(int body, int step, double rows[3][3])
{
    const double spin = (body % 2 ? 1 : -1) * (0.006 + 0.0013 * body);
    const double angles[3] = {spin * step + 1.9 * body, 0.12 * scene_sin(0.031 * step + 2.1 * body),
                              0.12 * scene_sin(0.023 * step + 1.3 * body)};
    double rolled[3][3], pitched[3][3], yawed[3][3], both[3][3];
    scene_rotation((const double[]){1, 0, 0}, angles[0], rolled);
    scene_rotation((const double[]){0, 1, 0}, angles[1], pitched);
    scene_rotation((const double[]){0, 0, 1}, angles[2], yawed);
    scene_rotation_product(yawed, pitched, both);
    scene_rotation_product(both, rolled, rows);
}

/* Three layers of four, not in line; each sways around its place, all move on. */
static void position_of(int body, int step, double position[3])
{
    const double spacing[3] = {0.2, 0.73, 0.65}, sway[3] = {0.25, 0.1, 0.1};
    const int row = body % 4, layer = body / 4;
    const double index[3] = {(row * 2 + layer * 3) % 4 - 1.5, row - 1.5 + 0.5 * (layer % 2),
                             layer - 1};
    for (int k = 0; k < 3; k++)
        position[k] = spacing[k] * index[k] +
                      sway[k] * scene_sin((0.017 + 0.004 * k) * step + 2.4 * body + 1.7 * k);
    position[0] += 0.03 * (step - SCENE_DOLPHIN_STEPS / 2.0);
}

void scene_dolphin_rows(int body, int step, float rows[3][4])
{
    double heading[3][3], position[3];
    heading_of(body, step, heading);
    position_of(body, step, position);
    scene_set_rows(heading, position, rows);
}
