/* Where people walk, in the museum and in the living room: see scenes.h.
 *
 * Places are those of the buildings before they are turned. */
#include "building.h"

#include <stdlib.h>

static const double turn = 6.283185307179586;

/* Two paces take so many steps, and each step so many meters. */
enum { STEPS_OF_TWO_PACES = 48 };
static const double step_length = 0.0265;

/* Turned about the vertical, put somewhere in a building, and turned with it. */
static void index_in(double building_angle, double angle, const double position[3],
                     float rows[3][4])
{
    const double vertical[3] = {0, 1, 0};
    double rotation[3][3], building[3][3], placed[3];
    scene_rotation(vertical, building_angle, building);
    for (int k = 0; k < 3; k++)
        placed[k] = building[k][0] * position[0] + building[k][1] * position[1] +
                    building[k][2] * position[2];
    scene_rotation(vertical, building_angle + angle, rotation);
    scene_set_rows(rotation, placed, rows);
}

/* ---- Along a wall ------------------------------------------------------------------------ */

/* A bare wall that looks along -x, and where along z the walk begins. */
static const struct {
    double angle, wall, from;
} walks[] = {[SCENE_MUSEUM] = {SCENE_MUSEUM_ANGLE, 5, 8},
             [SCENE_LIVING_ROOM] = {SCENE_LIVING_ROOM_ANGLE, 6, 1.1}};

/* How far the avatar reaches to the left. */
static double width_of(const SceneSkin *avatar, const float (*joints)[3][4])
{
    const size_t count = 3 * (size_t)avatar->mesh.vertex_count;
    float *vertices = scene_allocate(count, sizeof *vertices), width = 0;
    scene_skin_vertices(avatar, joints, NULL, vertices);
    for (size_t i = 0; i < count; i += 3)
        width = vertices[i] > width ? vertices[i] : width;
    free(vertices);
    return width;
}

void scene_walk_pose(const SceneSkin *avatar, SceneRoom room, int step, float (*joints)[3][4],
                     float rows[3][4])
{
    const double after = step - SCENE_WALK_CLOSE, touch = scene_rise((after - 11) / 6);
    scene_avatar_pose(avatar, (double)step / STEPS_OF_TWO_PACES, scene_rise(after / 12), joints);
    const double gap = 0.004 + 0.002 * scene_sin(0.37 * step) - 0.007 * touch;
    const double position[3] = {walks[room].wall - gap -
                                    width_of(avatar, (const float(*)[3][4])joints),
                                0.003 - 0.0038 * touch, walks[room].from + step_length * step};
    index_in(walks[room].angle, 0, position, rows);
}

/* ---- A hundred of them ------------------------------------------------------------------- */

enum { IN_HALL = 20, IN_ROOM = 20 };

/* The middle of a visitor's round. */
static void round_of(int visitor, double plan[2])
{
    if (visitor < IN_HALL) { /* around the statue in the middle */
        const int number = visitor < 8 ? visitor : visitor - 8;
        const double angle = turn * number / (visitor < 8 ? 8 : 12);
        const double radius = visitor < 8 ? 2.6 : 4.2;
        plan[0] = radius * scene_sin(angle);
        plan[1] = radius * scene_cos(angle);
        return;
    }
    static const double columns[5] = {-4.32, -3.4, -1.05, 1.05, 4.32};
    static const double rows[4] = {7.1, 9, 11.3, 13.5};
    const int room = (visitor - IN_HALL) / IN_ROOM % 4, index = (visitor - IN_HALL) % IN_ROOM;
    const double x = columns[index % 5], z = rows[index / 5];
    const double s = scene_sin(0.25 * turn * room), c = scene_cos(0.25 * turn * room);
    plan[0] = c * x + s * z;
    plan[1] = c * z - s * x;
}

void scene_visitor_pose(const SceneSkin *avatar, int visitor, int step, float (*joints)[3][4],
                        float rows[3][4])
{
    const double radius = 0.35, angle = 2.4 * visitor + step_length / radius * step;
    const double early = 0.618 * visitor;
    double plan[2];
    round_of(visitor, plan);
    scene_avatar_pose(avatar, early - (int)early + (double)step / STEPS_OF_TWO_PACES, 0, joints);
    const double position[3] = {plan[0] + radius * scene_cos(angle),
                                visitor % 10 == 0 ? -0.0005 : 0.002,
                                plan[1] + radius * scene_sin(angle)};
    index_in(SCENE_MUSEUM_ANGLE, -angle, position, rows);
}
