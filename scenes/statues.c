/* Five statues, and how they are put into each other: see scenes.h.
 *
 * The knot is a tube along a torus knot. The rabbit is round: a radius by direction, so that it
 * cannot cut itself. The reptile and the dragon are tubes that coil, with thorns; the line of the
 * reptile keeps away from itself. Santa is in statue_santa.c. */
#include "statues.h"
#include "tube.h"

#include <math.h> /* sqrt: exactly rounded everywhere */

static const double turn = 6.283185307179586;

/* ---- The knot ---------------------------------------------------------------------------- */

/* So many times around the axis, z, and so many times around the ring. */
enum { KNOT_AROUND = 7, KNOT_THROUGH = 4 };

static void knot_middle(const void *data, double u, double point[3])
{
    (void)data;
    const double around = turn * KNOT_AROUND * u, through = turn * KNOT_THROUGH * u;
    const double radius = 1 + 0.42 * scene_cos(through);
    point[0] = radius * scene_cos(around);
    point[1] = radius * scene_sin(around);
    point[2] = 0.42 * scene_sin(through);
}

static double knot_radius(const void *data, double u, double angle)
{
    (void)data;
    (void)u;
    (void)angle;
    return 0.15;
}

static SceneMesh make_knot(void)
{
    const Tube knot = {knot_middle, knot_radius, {0, 0, 1}, NULL};
    return tube_closed(&knot, 500, 12);
}

/* ---- The rabbit -------------------------------------------------------------------------- */

/* It looks along z; y is up. What stands out of a ball: where, how wide and how far. */
static const struct {
    double at[3], reach, height;
} lobes[] = {
    {{0, 0.62, 0.78}, 0.75, 0.45},      /* head */
    {{0.36, 0.93, 0.1}, 0.3, 1.1},      /* ears */
    {{-0.36, 0.93, 0.1}, 0.3, 1.1},     /**/
    {{0, -0.3, -0.95}, 0.9, 0.45},      /* back */
    {{0, 0.05, -1}, 0.25, 0.2},         /* tail */
    {{0.35, -0.75, 0.56}, 0.35, 0.55},  /* front paws */
    {{-0.35, -0.75, 0.56}, 0.35, 0.55}, /**/
    {{0.5, -0.8, -0.33}, 0.45, 0.5},    /* hind paws */
    {{-0.5, -0.8, -0.33}, 0.45, 0.5},   /**/
};

static double rabbit_radius(const double d[3])
{
    double radius = 0.6;
    for (size_t i = 0; i < sizeof lobes / sizeof *lobes; i++) {
        double length = 0, square = 0;
        for (int k = 0; k < 3; k++)
            length += lobes[i].at[k] * lobes[i].at[k];
        length = sqrt(length);
        for (int k = 0; k < 3; k++) {
            const double apart = d[k] - lobes[i].at[k] / length;
            square += apart * apart;
        }
        radius += lobes[i].height * scene_bump(sqrt(square) / lobes[i].reach);
    }
    const double fur = scene_sin(19 * d[0]) * scene_sin(17 * d[1] + 1) * scene_sin(21 * d[2] + 2);
    return radius * (1 + 0.03 * fur);
}

static void place_on_rabbit(const void *data, double u, double v, double point[3])
{
    (void)data;
    const double s = scene_sin(turn / 2 * u);
    const double d[3] = {scene_cos(turn / 2 * u), s * scene_cos(turn * v),
                         -s * scene_sin(turn * v)};
    const double radius = rabbit_radius(d);
    for (int k = 0; k < 3; k++)
        point[k] = radius * d[k];
}

static SceneMesh make_rabbit(void)
{
    return scene_rings(125, 200, place_on_rabbit, NULL);
}

/* ---- The reptile ------------------------------------------------------------------------- */

/* Curled up on the plane of x and y, the tip of its tail inside; z is up. A spiral, evenly. */
static void reptile_middle(const void *data, double u, double point[3])
{
    (void)data;
    const double start = 0.35, widening = 0.18, end = 8.2;
    const double length = start * end + widening / 2 * end * end;
    const double angle = (sqrt(start * start + 2 * widening * length * u) - start) / widening;
    const double radius = start + widening * angle;
    point[0] = radius * scene_cos(angle);
    point[1] = radius * scene_sin(angle);
    point[2] = 0;
}

/* From the tip of the tail to the nose. */
static const double reptile_girths[][2] = {{0, 0.03},   {0.2, 0.07}, {0.45, 0.14}, {0.55, 0.24},
                                           {0.68, 0.3}, {0.8, 0.26}, {0.86, 0.15}, {0.92, 0.2},
                                           {0.96, 0.2}, {1, 0.1}};

/* Legs: where along the body and at which angle, in parts of a turn. */
static const double reptile_legs[][2] = {{0.56, 0.9}, {0.56, 0.6}, {0.78, 0.9}, {0.78, 0.6}};

static double reptile_radius(const void *data, double u, double angle)
{
    (void)data;
    const int girths = sizeof reptile_girths / sizeof *reptile_girths;
    const double girth = scene_through(reptile_girths[0], girths, 2, 1, u) * tube_cap(u, 0.02);
    double radius = girth * (1 + 0.75 * tube_thorn(u, angle, 60, 18));
    for (size_t i = 0; i < sizeof reptile_legs / sizeof *reptile_legs; i++)
        radius += 0.42 * scene_bump((u - reptile_legs[i][0]) / 0.025) *
                  scene_bump((angle / turn - reptile_legs[i][1]) / 0.08);
    return radius;
}

static SceneMesh make_reptile(void)
{
    const Tube reptile = {reptile_middle, reptile_radius, {0, 0, 1}, NULL};
    return tube_open(&reptile, 500, 110);
}

/* ---- The dragon -------------------------------------------------------------------------- */

/* It coils up along z, and wider in the middle. */
static void dragon_middle(const void *data, double u, double point[3])
{
    (void)data;
    const double angle = turn * 3.1 * u, radius = 0.8 + 0.5 * scene_sin(turn / 2 * u);
    point[0] = radius * scene_cos(angle);
    point[1] = radius * scene_sin(angle);
    point[2] = 2 * (u - 0.5);
}

static const double dragon_girths[][2] = {{0, 0.03},   {0.2, 0.12}, {0.45, 0.24}, {0.6, 0.27},
                                          {0.8, 0.18}, {0.9, 0.13}, {0.94, 0.2},  {1, 0.1}};

static double dragon_radius(const void *data, double u, double angle)
{
    (void)data;
    const int girths = sizeof dragon_girths / sizeof *dragon_girths;
    const double girth = scene_through(dragon_girths[0], girths, 2, 1, u) * tube_cap(u, 0.02);
    const double crest = scene_bump((angle / turn - 0.25) / 0.05);
    const double tooth = scene_bump(2 * (60 * u - (int)(60 * u)) - 1);
    return girth * (1 + 0.05 * tube_thorn(u, angle, 160, 24) + 0.9 * crest * (0.3 + 0.7 * tooth));
}

static SceneMesh make_dragon(void)
{
    const Tube dragon = {dragon_middle, dragon_radius, {0, 0, 1}, NULL};
    return tube_open(&dragon, 1300, 200);
}

/* ---- All of them ------------------------------------------------------------------------- */

SceneMesh scene_statue(SceneStatue statue)
{
    switch (statue) {
    case SCENE_KNOT:
        return make_knot();
    case SCENE_RABBIT:
        return make_rabbit();
    case SCENE_REPTILE:
        return make_reptile();
    case SCENE_SANTA:
        return statue_santa(3.85);
    default:
        return make_dragon();
    }
}

/* ---- Two at a time ----------------------------------------------------------------------- */

/* The second stays where it is made; the first is made so large, turned about z and then about x,
 * and put there. */
static const struct {
    SceneStatue statues[2];
    bool is_deep;
    double size, about_z, about_x, position[3];
} pairs[SCENE_STATUE_PAIRS] = {
    {{SCENE_KNOT, SCENE_RABBIT}, false, 0.7, 0, 0.3, {1.25, 0.8, 0.7}},
    {{SCENE_KNOT, SCENE_RABBIT}, true, 0.7, 0.4, 1.1, {0.1, 0, 0.05}},
    {{SCENE_RABBIT, SCENE_REPTILE}, false, 1, 0.5, 1.5, {-0.9, -1.1, 0.6}},
    {{SCENE_RABBIT, SCENE_REPTILE}, true, 1, 0.5, 1.5, {1.1, 0.4, 0.1}},
    {{SCENE_REPTILE, SCENE_SANTA}, false, 0.6, 0.3, 1.2, {-1.5, 0.9, 0.4}},
    {{SCENE_REPTILE, SCENE_SANTA}, true, 0.6, 0.3, 1.4, {-0.35, 0.9, -0.3}},
    {{SCENE_KNOT, SCENE_DRAGON}, true, 0.85, 0.2, 0.35, {0.1, 0.05, 0.1}},
};

static void place_first(SceneMesh *mesh, int pair)
{
    const double z[3] = {0, 0, 1}, x[3] = {1, 0, 0};
    double about_z[3][3], about_x[3][3], both[3][3];
    scene_rotation(z, pairs[pair].about_z, about_z);
    scene_rotation(x, pairs[pair].about_x, about_x);
    scene_rotation_product(about_x, about_z, both);
    for (int i = 0; i < 9; i++)
        both[i / 3][i % 3] *= pairs[pair].size;
    scene_mesh_move(mesh, both, pairs[pair].position);
}

SceneStatuePair scene_statue_pair(int pair)
{
    SceneStatuePair made = {.is_deep = pairs[pair].is_deep};
    for (int i = 0; i < 2; i++) {
        made.statues[i] = pairs[pair].statues[i];
        made.meshes[i] = scene_statue(made.statues[i]);
    }
    place_first(&made.meshes[0], pair);
    return made;
}

void scene_statue_pair_free(SceneStatuePair *pair)
{
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&pair->meshes[i]);
}
