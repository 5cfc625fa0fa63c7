/* Two bodies that morph and pass through each other: see scenes.h. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */

/* The references, each by where it has a point of the unit sphere. */
static void place_on_ball(const SceneMesh *corners, const double p[3], double point[3])
{
    (void)corners;
    for (int k = 0; k < 3; k++)
        point[k] = p[k];
}

/* A spike at each of the twelve corners of an icosahedron. */
static void place_on_star(const SceneMesh *corners, const double p[3], double point[3])
{
    double radius = 0.75;
    for (int32_t i = 0; i < corners->vertex_count; i++) {
        const float *q = corners->vertices + 3 * i;
        double along = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        if (along > 0.8) {
            double down = 1 - sqrt((1 - along < 0 ? 0 : 1 - along) / 0.2);
            radius += 0.75 * down * down;
        }
    }
    for (int k = 0; k < 3; k++)
        point[k] = radius * p[k];
}

/* Long, thin in the middle, and twisted. */
static void place_on_dumb_bell(const SceneMesh *corners, const double p[3], double point[3])
{
    (void)corners;
    double width = 0.9 - 0.55 * scene_bump(p[2] / 0.75), angle = 1.2 * p[2];
    double s = scene_sin(angle), c = scene_cos(angle);
    point[0] = width * (c * p[0] - s * p[1]);
    point[1] = 0.7 * width * (s * p[0] + c * p[1]);
    point[2] = 1.5 * p[2];
}

SceneMorph scene_passing(void)
{
    void (*const corner_places[SCENE_PASSING_TARGETS])(const SceneMesh *, const double *,
                                                       double *) = {place_on_ball, place_on_star,
                                                                    place_on_dumb_bell};
    SceneMorph morph = {.target_count = SCENE_PASSING_TARGETS, .has_references = true};
    morph.targets = scene_allocate(SCENE_PASSING_TARGETS, sizeof *morph.targets);
    SceneMesh corners = scene_icosphere(0);
    for (int target = 0; target < SCENE_PASSING_TARGETS; target++) {
        SceneMesh mesh = scene_icosphere(5);
        for (int32_t i = 0; i < mesh.vertex_count; i++) {
            float *v = mesh.vertices + 3 * i;
            double point[3];
            corner_places[target](&corners, (const double[]){v[0], v[1], v[2]}, point);
            for (int k = 0; k < 3; k++)
                v[k] = (float)point[k];
        }
        scene_morph_add_reference(&morph, target, mesh);
    }
    scene_mesh_free(&corners);
    return morph;
}

void scene_passing_weights(int step, float weights[SCENE_PASSING_TARGETS])
{
    double way = 2.0 * step / (SCENE_PASSING_STEPS - 1);
    for (int i = 0; i < SCENE_PASSING_TARGETS; i++) {
        double apart = way < i ? i - way : way - i;
        weights[i] = (float)(apart < 1 ? 1 - apart : 0);
    }
}

void scene_passing_rows(int body, int step, float rows[3][4])
{
    const double axes[2][3] = {{0.36, 0.48, 0.8}, {-0.48, 0.8, 0.36}};
    const double side = body ? 1 : -1, way = 2.0 * step / (SCENE_PASSING_STEPS - 1) - 1;
    const double position[3] = {-1.2 * side * way, 0.07 * side, 0.05 * side};
    double rotation[3][3];
    scene_rotation(axes[body], 0.3 * side + 2.6 * way, rotation);
    scene_set_rows(rotation, position, rows);
}
