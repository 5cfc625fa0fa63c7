/* A living room: see scenes.h.
 *
 * Six meters by five, bare along one wall; everything soft or turned is of small triangles. All
 * turned by 17 degrees about the vertical. */
#include "building.h"

static const double turn = 6.283185307179586;

#define WIDE 6.0 /* x from 0 */
#define DEEP 5.0 /* z from 0 */
#define HIGH 2.6

/* ---- The room ---------------------------------------------------------------------------- */

/* A window in the wall at z = 0, a door in that at x = 0, and a wall at x = WIDE with neither. */
static void add_walls(SceneMesh *mesh)
{
    const double corners[4][2] = {{0, 0}, {WIDE, 0}, {WIDE, DEEP}, {0, DEEP}};
    building_wall(mesh, corners[1], corners[2], 0, HIGH);
    building_wall(mesh, corners[2], corners[3], 0, HIGH);
    building_wall(mesh, corners[0], (const double[]){2, 0}, 0, HIGH);
    building_wall(mesh, (const double[]){4.4, 0}, corners[1], 0, HIGH);
    building_wall(mesh, (const double[]){2, 0}, (const double[]){4.4, 0}, 0, 0.9);
    building_wall(mesh, (const double[]){2, 0}, (const double[]){4.4, 0}, 2.2, HIGH);
    building_wall(mesh, corners[3], (const double[]){0, 3.2}, 0, HIGH);
    building_wall(mesh, (const double[]){0, 2.2}, corners[0], 0, HIGH);
    building_wall(mesh, (const double[]){0, 3.2}, (const double[]){0, 2.2}, 2.05, HIGH);
    building_slab(mesh, corners[0], corners[2], 0, true);
    building_slab(mesh, corners[0], corners[2], HIGH, false);
}

/* ---- Soft things ------------------------------------------------------------------------- */

static void place_on_carpet(const void *data, double u, double v, double point[3])
{
    (void)data;
    point[0] = 1.4 + 2.8 * u;
    point[1] =
        0.012 + 0.003 * scene_sin(90 * u) * scene_sin(70 * v) + 0.002 * scene_sin(11 * u + 7 * v);
    point[2] = 1.2 + 2.1 * (1 - v);
}

typedef struct Curtain {
    double from, to;
} Curtain;

static void place_on_curtain(const void *data, double u, double v, double point[3])
{
    const Curtain *curtain = data;
    const double fold = scene_sin(turn * 9 * v + 0.8 * scene_sin(turn * u));
    point[0] = curtain->from + (curtain->to - curtain->from) * v;
    point[1] = 2.45 - 2.4 * u;
    point[2] = 0.12 + (0.03 + 0.025 * u) * fold;
}

static void add_sofa(SceneMesh *mesh)
{
    const BuildingCushion parts[] = {{{2.8, 0.2, 4.35}, {1.15, 0.16, 0.45}, 0, 0},
                                     {{2.8, 0.55, 4.72}, {1.15, 0.35, 0.14}, -0.12, 0},
                                     {{1.58, 0.38, 4.35}, {0.13, 0.28, 0.46}, 0, 0},
                                     {{4.02, 0.38, 4.35}, {0.13, 0.28, 0.46}, 0, 0},
                                     {{2.05, 0.42, 4.28}, {0.36, 0.09, 0.4}, 0, 0},
                                     {{2.8, 0.42, 4.28}, {0.36, 0.09, 0.4}, 0, 0},
                                     {{3.55, 0.42, 4.28}, {0.36, 0.09, 0.4}, 0, 0},
                                     {{2.0, 0.65, 4.5}, {0.24, 0.22, 0.08}, -0.4, 0.2},
                                     {{3.5, 0.66, 4.5}, {0.24, 0.22, 0.08}, -0.35, -0.3}};
    for (int i = 0; i < 9; i++)
        building_cushion(mesh, 56, 76, &parts[i]);
    const BuildingCushion chair[] = {{{0.95, 0.25, 1.1}, {0.42, 0.2, 0.42}, 0, 0.7},
                                     {{0.62, 0.6, 0.82}, {0.42, 0.38, 0.12}, -0.15, 0.75},
                                     {{0.95, 0.47, 1.1}, {0.36, 0.08, 0.36}, 0, 0.7}};
    for (int i = 0; i < 3; i++)
        building_cushion(mesh, 50, 64, &chair[i]);
    const BuildingCushion stool = {{1.55, 0.2, 1.75}, {0.28, 0.17, 0.28}, 0, 0.7};
    building_cushion(mesh, 40, 52, &stool);
}

/* ---- Turned things ----------------------------------------------------------------------- */

static const double shade[][3] = {{0, 0, 1.66},      {0.1, 0.12, 1.67},  {0.2, 0.15, 1.64},
                                  {0.6, 0.24, 1.38}, {0.75, 0.25, 1.35}, {0.9, 0.2, 1.37},
                                  {1, 0, 1.4}};
static const double stand[][3] = {{0, 0, 1.42},      {0.1, 0.012, 1.41}, {0.7, 0.014, 0.2},
                                  {0.8, 0.03, 0.05}, {0.88, 0.15, 0.03}, {0.95, 0.17, 0},
                                  {1, 0, 0}};
static const double pot[][3] = {{0, 0, 0.33},     {0.2, 0.15, 0.34}, {0.3, 0.19, 0.38},
                                {0.4, 0.2, 0.36}, {0.9, 0.13, 0},    {1, 0, 0}};
static const double table_leg[][3] = {{0, 0, 0.4},       {0.1, 0.035, 0.395}, {0.4, 0.025, 0.3},
                                      {0.6, 0.034, 0.2}, {0.9, 0.018, 0},     {1, 0, 0}};
static const double cup[][3] = {{0, 0, 0.02},       {0.25, 0.028, 0.03}, {0.45, 0.036, 0.09},
                                {0.55, 0.04, 0.09}, {0.8, 0.032, 0.01},  {1, 0, 0}};

static void add_table(SceneMesh *mesh)
{
    const BuildingCushion top = {{2.8, 0.42, 2.4}, {0.6, 0.025, 0.35}, 0, 0};
    building_cushion(mesh, 60, 120, &top);
    for (int i = 0; i < 4; i++) {
        const double foot[3] = {2.8 + (i % 2 ? 0.45 : -0.45), 0.02, 2.4 + (i / 2 ? 0.24 : -0.24)};
        building_lathe(mesh, 30, 24, (BuildingProfile)BUILDING_PROFILE(table_leg), foot, 1);
    }
    for (int i = 0; i < 3; i++) {
        const double foot[3] = {2.5 + 0.3 * i, 0.446, 2.35 + 0.1 * (i % 2)};
        building_lathe(mesh, 30, 32, (BuildingProfile)BUILDING_PROFILE(cup), foot, 1);
    }
}

static void add_lamp(SceneMesh *mesh, double x, double z)
{
    const double foot[3] = {x, 0.002, z};
    building_lathe(mesh, 50, 64, (BuildingProfile)BUILDING_PROFILE(shade), foot, 1);
    building_lathe(mesh, 70, 24, (BuildingProfile)BUILDING_PROFILE(stand), foot, 1);
}

/* Leaves around a stem, each an ellipsoid pressed flat, hanging out. */
static void add_plant(SceneMesh *mesh, double x, double z, int leaf_count)
{
    SceneRandom random = {.state = 77};
    building_lathe(mesh, 40, 48, (BuildingProfile)BUILDING_PROFILE(pot),
                   (const double[]){x, 0.002, z}, 1);
    for (int i = 0; i < leaf_count; i++) {
        const double angle = 2.4 * i, height = 0.4 + 0.9 * i / leaf_count;
        const double out = 0.32 - 0.2 * i / leaf_count + 0.06 * scene_random(&random);
        const BuildingCushion leaf = {
            {x + out * scene_sin(angle), height, z + out * scene_cos(angle)},
            {0.045, 0.004, 0.17},
            -0.5 + 1.1 * scene_random(&random),
            angle};
        building_cushion(mesh, 20, 24, &leaf);
    }
}

/* ---- Boards ------------------------------------------------------------------------------ */

static void add_shelf(SceneMesh *mesh)
{
    SceneRandom random = {.state = 5};
    for (int i = 0; i < 6; i++)
        building_box(mesh, (const double[]){0.17, 0.04 + 0.36 * i, 4.3},
                     (const double[]){0.15, 0.012, 0.6}, 0);
    for (int i = 0; i < 2; i++)
        building_box(mesh, (const double[]){0.17, 0.94, i ? 4.915 : 3.685},
                     (const double[]){0.15, 0.92, 0.012}, 0);
    for (int row = 0; row < 5; row++)
        for (int book = 0; book < 22; book++) {
            const double half = 0.1 + 0.04 * scene_random(&random);
            building_box(mesh,
                         (const double[]){0.16, 0.055 + 0.36 * row + half, 3.745 + 0.05 * book},
                         (const double[]){0.1, half, 0.012 + 0.01 * scene_random(&random)}, 0);
        }
}

static void add_boards(SceneMesh *mesh)
{
    building_box(mesh, (const double[]){5.3, 0.25, 0.35}, (const double[]){0.6, 0.25, 0.22}, 0);
    building_box(mesh, (const double[]){5.3, 0.9, 0.35}, (const double[]){0.5, 0.32, 0.025}, 0);
    building_box(mesh, (const double[]){3.2, 1.55, 0.01}, (const double[]){1.2, 0.65, 0.012}, 0);
}

SceneMesh scene_living_room(void)
{
    const Curtain curtains[2] = {{1.7, 2.4}, {4, 4.7}};
    SceneMesh mesh = {0};
    add_walls(&mesh);
    building_sheet(&mesh, 196, 100, place_on_carpet, NULL);
    for (int i = 0; i < 2; i++)
        building_sheet(&mesh, 90, 110, place_on_curtain, &curtains[i]);
    add_sofa(&mesh);
    add_table(&mesh);
    add_lamp(&mesh, 1.2, 4.6);
    add_lamp(&mesh, 0.5, 0.5);
    add_plant(&mesh, 4.7, 4.5, 36);
    add_shelf(&mesh);
    add_boards(&mesh);
    double rotation[3][3];
    scene_rotation((const double[]){0, 1, 0}, SCENE_LIVING_ROOM_ANGLE, rotation);
    scene_mesh_move(&mesh, rotation, (const double[]){0, 0, 0});
    return mesh;
}
