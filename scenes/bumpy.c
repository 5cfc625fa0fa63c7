/* Waving spheres, two and many: see scenes.h. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */

/* A vector of length 1, even over the sphere: a point of the cube that is in the ball. */
static void random_direction(SceneRandom *random, double v[3])
{
    double square;
    do {
        for (int k = 0; k < 3; k++)
            v[k] = 2 * scene_random(random) - 1;
        square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 3; k++)
        v[k] /= sqrt(square);
}

void scene_random_waves(SceneRandom *random, SceneWave waves[SCENE_WAVES])
{
    for (int i = 0; i < SCENE_WAVES; i++) {
        random_direction(random, waves[i].direction);
        double frequency = 8 + 24 * scene_random(random);
        for (int k = 0; k < 3; k++)
            waves[i].direction[k] *= frequency;
        waves[i].phase = 6.283185307179586 * scene_random(random);
        waves[i].speed = 0.05 + 0.1 * scene_random(random);
    }
}

double scene_radius(const SceneWave waves[SCENE_WAVES], const float p[3], int step)
{
    double radius = 1;
    for (int i = 0; i < SCENE_WAVES; i++) {
        const double *d = waves[i].direction;
        radius += 0.022 * scene_sin(d[0] * p[0] + d[1] * p[1] + d[2] * p[2] + waves[i].phase +
                                    waves[i].speed * step);
    }
    return radius;
}

/* ---- Two --------------------------------------------------------------------------------- */

SceneBumpy scene_bumpy_of(SceneMesh sphere)
{
    SceneBumpy scene = {.sphere = sphere};
    SceneRandom random = {2001};
    for (int body = 0; body < 2; body++)
        scene_random_waves(&random, scene.waves[body]);
    return scene;
}

SceneBumpy scene_bumpy(int subdivisions)
{
    return scene_bumpy_of(scene_icosphere(subdivisions));
}

void scene_bumpy_free(SceneBumpy *scene)
{
    scene_mesh_free(&scene->sphere);
}

void scene_bumpy_vertices(const SceneBumpy *scene, int body, int step, float *vertices)
{
    const double apart = 2.85 + (0.3 - 2.85) * step / (SCENE_BUMPY_STEPS - 1);
    const double center = body == 0 ? -apart / 2 : apart / 2;
    for (int32_t i = 0; i < scene->sphere.vertex_count; i++) {
        const float *p = scene->sphere.vertices + 3 * (int64_t)i;
        double radius = scene_radius(scene->waves[body], p, step);
        float *v = vertices + 3 * (int64_t)i;
        v[0] = (float)(radius * p[0] + center);
        v[1] = (float)(radius * p[1]);
        v[2] = (float)(radius * p[2]);
    }
}

/* ---- Many -------------------------------------------------------------------------------- */

static ScenePath random_path(SceneRandom *random, int index)
{
    const double spacing = 2.2, reach = 0.16;
    ScenePath path;
    for (int k = 0, rest = index; k < 3; k++, rest /= 3) {
        path.center[k] = spacing * (rest % 3 - 1);
        path.reach[k] = reach * (0.5 + scene_random(random));
        path.phase[k] = 6.283185307179586 * scene_random(random);
        path.speed[k] = 0.02 + 0.04 * scene_random(random);
    }
    random_direction(random, path.axis);
    path.spin = 0.01 + 0.03 * scene_random(random);
    return path;
}

SceneCrowd scene_crowd(int subdivisions)
{
    SceneCrowd scene = {.sphere = scene_icosphere(subdivisions)};
    SceneRandom random = {27};
    for (int body = 0; body < SCENE_CROWD_BODIES; body++) {
        scene_random_waves(&random, scene.waves[body]);
        scene.paths[body] = random_path(&random, body);
    }
    return scene;
}

void scene_crowd_free(SceneCrowd *scene)
{
    scene_mesh_free(&scene->sphere);
}

void scene_crowd_vertices(const SceneCrowd *scene, int body, int step, float *vertices)
{
    const ScenePath *path = &scene->paths[body];
    double rows[3][3], at[3];
    scene_rotation(path->axis, path->spin * step, rows);
    for (int k = 0; k < 3; k++)
        at[k] =
            path->center[k] + path->reach[k] * scene_sin(path->phase[k] + path->speed[k] * step);
    for (int32_t i = 0; i < scene->sphere.vertex_count; i++) {
        const float *p = scene->sphere.vertices + 3 * (int64_t)i;
        double radius = scene_radius(scene->waves[body], p, step);
        float *v = vertices + 3 * (int64_t)i;
        for (int k = 0; k < 3; k++)
            v[k] = (float)(at[k] +
                           radius * (rows[k][0] * p[0] + rows[k][1] * p[1] + rows[k][2] * p[2]));
    }
}
