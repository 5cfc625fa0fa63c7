/* Two bumpy spheres: see scenes.h. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */

static SceneWave random_wave(SceneRandom *random)
{
    /* A direction even over the sphere: a point of the cube that is in the ball. */
    double v[3], square;
    do {
        for (int k = 0; k < 3; k++)
            v[k] = 2 * scene_random(random) - 1;
        square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    } while (square > 1 || square < 0.01);
    double scale = (8 + 24 * scene_random(random)) / sqrt(square);
    double phase = 6.283185307179586 * scene_random(random);
    double speed = 0.05 + 0.1 * scene_random(random);
    return (SceneWave){{scale * v[0], scale * v[1], scale * v[2]}, phase, speed};
}

SceneBumpy scene_bumpy(int subdivisions)
{
    SceneBumpy scene = {.sphere = scene_icosphere(subdivisions)};
    SceneRandom random = {2001};
    for (int body = 0; body < 2; body++)
        for (int i = 0; i < SCENE_BUMPY_WAVES; i++)
            scene.waves[body][i] = random_wave(&random);
    return scene;
}

void scene_bumpy_free(SceneBumpy *scene)
{
    scene_mesh_free(&scene->sphere);
}

void scene_bumpy_vertices(const SceneBumpy *scene, int body, int step, float *vertices)
{
    const double apart = 2.85 + (0.3 - 2.85) * step / (SCENE_BUMPY_STEPS - 1);
    const double centre = body == 0 ? -apart / 2 : apart / 2;
    for (int32_t i = 0; i < scene->sphere.vertex_count; i++) {
        const float *p = scene->sphere.vertices + 3 * (int64_t)i;
        double radius = 1;
        for (int w = 0; w < SCENE_BUMPY_WAVES; w++) {
            const SceneWave *wave = &scene->waves[body][w];
            const double *d = wave->direction;
            radius += 0.022 * scene_sin(d[0] * p[0] + d[1] * p[1] + d[2] * p[2] + wave->phase +
                                        wave->speed * step);
        }
        float *v = vertices + 3 * (int64_t)i;
        v[0] = (float)(radius * p[0] + centre);
        v[1] = (float)(radius * p[1]);
        v[2] = (float)(radius * p[2]);
    }
}
