/* A museum: see scenes.h.
 *
 * An eight-sided hall of twelve meters, and behind each second of its sides a doorway to a room of
 * ten by eight. All turned by 24 degrees about the vertical. */
#include "building.h"

enum { SIDES = 8, ROOMS = 4 };

#define HALL 6.0 /* from the middle to a side */
#define HALL_HEIGHT 6.5
#define HALL_HALF 2.485281374238570 /* half a side */
#define ROOM 6.4                    /* where rooms begin */
#define ROOM_DEEP 8.0
#define ROOM_HALF 5.0
#define ROOM_HEIGHT 4.2
#define DOOR_HALF 1.1
#define DOOR_HEIGHT 2.7

static const double eighth = 0.7853981633974483;

/* Turns a point of the plan, as if for the side in the direction of z, to another side. */
static void turn_to_side(int side, double x, double z, double plan[2])
{
    const double s = scene_sin(side * eighth), c = scene_cos(side * eighth);
    plan[0] = c * x + s * z;
    plan[1] = c * z - s * x;
}

static void add_wall(SceneMesh *mesh, int side, double from_x, double from_z, double to_x,
                     double to_z, double low, double high)
{
    double from[2], to[2];
    turn_to_side(side, from_x, from_z, from);
    turn_to_side(side, to_x, to_z, to);
    building_wall(mesh, from, to, low, high);
}

static void add_floor(SceneMesh *mesh, int side, const double plan[4][2], double y)
{
    double corners[4][3];
    for (int c = 0; c < 4; c++) {
        double at[2];
        turn_to_side(side, plan[c][0], plan[c][1], at);
        corners[c][0] = at[0];
        corners[c][1] = y;
        corners[c][2] = at[1];
    }
    building_quad(mesh, (const double(*)[3])corners);
}

/* ---- Walls ------------------------------------------------------------------------------- */

/* A wall of the hall is seen from the middle, with +x at the left. */
static void add_hall_side(SceneMesh *mesh, int side)
{
    if (side % 2 == 1) {
        add_wall(mesh, side, HALL_HALF, HALL, -HALL_HALF, HALL, 0, HALL_HEIGHT);
        return;
    }
    add_wall(mesh, side, HALL_HALF, HALL, DOOR_HALF, HALL, 0, HALL_HEIGHT);
    add_wall(mesh, side, -DOOR_HALF, HALL, -HALL_HALF, HALL, 0, HALL_HEIGHT);
    add_wall(mesh, side, DOOR_HALF, HALL, -DOOR_HALF, HALL, DOOR_HEIGHT, HALL_HEIGHT);
    add_wall(mesh, side, DOOR_HALF, HALL, DOOR_HALF, ROOM, 0, DOOR_HEIGHT);
    add_wall(mesh, side, -DOOR_HALF, ROOM, -DOOR_HALF, HALL, 0, DOOR_HEIGHT);
    const double way[4][2] = {
        {-DOOR_HALF, ROOM}, {DOOR_HALF, ROOM}, {DOOR_HALF, HALL}, {-DOOR_HALF, HALL}};
    const double back[4][2] = {
        {-DOOR_HALF, HALL}, {DOOR_HALF, HALL}, {DOOR_HALF, ROOM}, {-DOOR_HALF, ROOM}};
    add_floor(mesh, side, way, 0);
    add_floor(mesh, side, back, DOOR_HEIGHT);
}

/* Floor and ceiling of the hall: four sides at a time, as two quadrilaterals and what is between.
 */
static void add_hall_floors(SceneMesh *mesh)
{
    const double h = HALL_HALF, r = HALL;
    const double up[3][4][2] = {{{-h, r}, {h, r}, {h, -r}, {-h, -r}},
                                {{h, r}, {r, h}, {r, -h}, {h, -r}},
                                {{-r, h}, {-h, r}, {-h, -r}, {-r, -h}}};
    for (int i = 0; i < 3; i++) {
        double down[4][2];
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 2; k++)
                down[c][k] = up[i][3 - c][k];
        add_floor(mesh, 0, up[i], 0);
        add_floor(mesh, 0, (const double(*)[2])down, HALL_HEIGHT);
    }
}

static void add_room(SceneMesh *mesh, int side)
{
    const double w = ROOM_HALF, near = ROOM, far = ROOM + ROOM_DEEP, high = ROOM_HEIGHT;
    add_wall(mesh, side, w, far, -w, far, 0, high);
    add_wall(mesh, side, w, near, w, far, 0, high);
    add_wall(mesh, side, -w, far, -w, near, 0, high);
    add_wall(mesh, side, -w, near, -DOOR_HALF, near, 0, high);
    add_wall(mesh, side, DOOR_HALF, near, w, near, 0, high);
    add_wall(mesh, side, -DOOR_HALF, near, DOOR_HALF, near, DOOR_HEIGHT, high);
    const double floor[4][2] = {{-w, far}, {w, far}, {w, near}, {-w, near}};
    const double ceiling[4][2] = {{-w, near}, {w, near}, {w, far}, {-w, far}};
    add_floor(mesh, side, floor, 0);
    add_floor(mesh, side, ceiling, high);
}

/* ---- Exhibits ---------------------------------------------------------------------------- */

static const double vase[][3] = {{0, 0, 0.42},       {0.06, 0.07, 0.44}, {0.12, 0.06, 0.4},
                                 {0.2, 0.045, 0.36}, {0.35, 0.12, 0.27}, {0.55, 0.15, 0.17},
                                 {0.75, 0.1, 0.06},  {0.88, 0.06, 0.01}, {1, 0, 0}};
static const double bowl[][3] = {{0, 0, 0.06},      {0.2, 0.12, 0.08}, {0.4, 0.22, 0.17},
                                 {0.5, 0.24, 0.18}, {0.65, 0.2, 0.09}, {0.8, 0.09, 0.03},
                                 {0.9, 0.08, 0},    {1, 0, 0}};
/* Somebody in a long dress. */
static const double statue[][3] = {{0, 0, 1},
                                   {0.06, 0.05, 0.985},
                                   {0.13, 0.062, 0.93},
                                   {0.2, 0.035, 0.865},
                                   {0.26, 0.11, 0.82},
                                   {0.36, 0.12, 0.7},
                                   {0.48, 0.085, 0.56},
                                   {0.6, 0.13, 0.42},
                                   {0.75, 0.15, 0.22},
                                   {0.93, 0.2, 0.01},
                                   {1, 0, 0}};
static const BuildingProfile profiles[] = {BUILDING_PROFILE(vase), BUILDING_PROFILE(bowl),
                                           BUILDING_PROFILE(statue)};

static void add_pedestal(SceneMesh *mesh, const double plan[2], double height, double angle)
{
    const double plinth[3] = {plan[0], 0.05, plan[1]}, plinth_half[3] = {0.3, 0.05, 0.3};
    const double shaft[3] = {plan[0], 0.05 + 0.5 * height, plan[1]};
    const double shaft_half[3] = {0.22, 0.5 * height - 0.05, 0.22};
    building_box(mesh, plinth, plinth_half, angle);
    building_box(mesh, shaft, shaft_half, angle);
}

static void add_exhibit(SceneMesh *mesh, int side, int kind, double x, double z)
{
    double plan[2];
    turn_to_side(side, x, z, plan);
    const double height = kind == 2 ? 0.6 : 1, foot[3] = {plan[0], height, plan[1]};
    add_pedestal(mesh, plan, height, side * eighth + 0.2 * kind);
    if (kind < 3) {
        building_lathe(mesh, 16, 20, profiles[kind], foot, kind == 2 ? 1.5 : 1);
        return;
    }
    SceneMesh ball = scene_icosphere(2);
    double scale[3][3] = {{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, 0.25}};
    scene_mesh_move(&ball, scale, (const double[]){plan[0], 1.25, plan[1]});
    scene_mesh_append(mesh, ball, false);
}

/* A picture on a wall that looks along -z, before it is turned: a board, and four bars around. */
static void add_picture(SceneMesh *mesh, int side, double x, double z, double across)
{
    const double bars[5][4] = {{0, 0, across, 0.5},
                               {0, 0.55, across + 0.1, 0.05},
                               {0, -0.55, across + 0.1, 0.05},
                               {across + 0.05, 0, 0.05, 0.5},
                               {-across - 0.05, 0, 0.05, 0.5}};
    for (int i = 0; i < 5; i++) {
        double plan[2];
        turn_to_side(side, x + bars[i][0], z, plan);
        building_box(mesh, (const double[]){plan[0], 1.7 + bars[i][1], plan[1]},
                     (const double[]){bars[i][2], bars[i][3], i == 0 ? 0.015 : 0.03},
                     side * eighth);
    }
}

static void furnish_room(SceneMesh *mesh, int side)
{
    const double far = ROOM + ROOM_DEEP;
    for (int i = 0; i < 4; i++)
        add_exhibit(mesh, side, (i + side / 2) % 4, i % 2 ? 2.2 : -2.2, i / 2 ? 11.6 : 8.8);
    for (int i = 0; i < 3; i++)
        add_picture(mesh, side, 3.0 * (i - 1), far - 0.05, 0.5 + 0.2 * (i == 1));
    double plan[2];
    turn_to_side(side, 0, 10.2, plan);
    building_box(mesh, (const double[]){plan[0], 0.22, plan[1]}, (const double[]){0.9, 0.22, 0.22},
                 side * eighth);
}

static void furnish_hall(SceneMesh *mesh)
{
    static const double podium[][3] = {{0, 0, 0.5},      {0.1, 0.9, 0.5},  {0.2, 1, 0.48},
                                       {0.4, 0.95, 0.4}, {0.6, 1.1, 0.15}, {0.8, 1.2, 0.1},
                                       {0.9, 1.2, 0},    {1, 0, 0}};
    const BuildingProfile round = BUILDING_PROFILE(podium);
    building_lathe(mesh, 20, 38, round, (const double[]){0, 0, 0}, 1);
    building_lathe(mesh, 42, 43, profiles[2], (const double[]){0, 0.49, 0}, 3.2);
    for (int side = 1; side < SIDES; side += 2)
        add_exhibit(mesh, side, side / 2 % 2, 0, 5);
}

SceneMesh scene_museum(void)
{
    SceneMesh mesh = {0};
    for (int side = 0; side < SIDES; side++)
        add_hall_side(&mesh, side);
    add_hall_floors(&mesh);
    for (int room = 0; room < ROOMS; room++) {
        add_room(&mesh, 2 * room);
        furnish_room(&mesh, 2 * room);
    }
    furnish_hall(&mesh);
    double rotation[3][3];
    scene_rotation((const double[]){0, 1, 0}, SCENE_MUSEUM_ANGLE, rotation);
    scene_mesh_move(&mesh, rotation, (const double[]){0, 0, 0});
    return mesh;
}
