/* A cloth over a sphere, and one that is folded: see scenes.h. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */

enum { COLUMNS = 125, ROWS = 160 };
static const double cell = 0.0192; /* 2.4 x 3.07 */

static SceneMesh make_cloth(void)
{
    SceneMesh mesh = {.vertex_count = (COLUMNS + 1) * (ROWS + 1),
                      .triangle_count = 2 * COLUMNS * ROWS};
    mesh.vertices = scene_allocate((size_t)mesh.vertex_count, 3 * sizeof *mesh.vertices);
    mesh.triangles = scene_allocate((size_t)mesh.triangle_count, 3 * sizeof *mesh.triangles);
    uint32_t *end = mesh.triangles;
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t column = 0; column < COLUMNS; column++) {
            const uint32_t first = row * (COLUMNS + 1) + column, above = first + COLUMNS + 1;
            const uint32_t corners[6] = {first, first + 1, above + 1, first, above + 1, above};
            for (int c = 0; c < 6; c++)
                *end++ = corners[c];
        }
    return mesh;
}

/* The cloth follows a sphere around the bumps as far as it is not too steep, and then hangs down,
 * in folds that sway. Where a bump is higher, it lies on the bump. */
static void drape(const SceneCloth *scene, int column, int row, int step, float *vertex)
{
    const double radius = 1.07, steep = 1.3, gap = 0.004;
    const double x = cell * (column - COLUMNS / 2.0), z = cell * (row - ROWS / 2.0);
    const double far = sqrt(x * x + z * z) + 1e-9;
    const double angle = far / radius < steep ? far / radius : steep, fall = far - radius * angle;
    const double fold =
        0.04 * scene_rise(far - 0.7) * (1 + scene_sin(9 * x / far + 7 * z / far + 0.06 * step)) +
        0.01 * (1 + scene_sin(6 * x - 5 * z + 0.11 * step));
    const double out = (radius + fold) * scene_sin(angle);
    const double point[3] = {out * x / far, (radius + fold) * scene_cos(angle) - fall,
                             out * z / far};
    const double length = sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    float direction[3];
    for (int k = 0; k < 3; k++)
        direction[k] = (float)(point[k] / length);
    const double least = scene_radius(scene->waves, direction, step) + gap;
    for (int k = 0; k < 3; k++)
        vertex[k] = (float)(length < least ? least * direction[k] : point[k]);
}

/* Four layers of 40 rows. Neighbors wave against each other. */
static void fold(const SceneCloth *scene, int column, int row, int step, float *vertex)
{
    enum { LAYER = ROWS / 4 };
    const double apart = 3 * SCENE_CLOTH_DISTANCE, height = scene->height * SCENE_CLOTH_DISTANCE;
    const int within = row % (2 * LAYER);
    const double x = cell * column, z = cell * (within < LAYER ? within : 2 * LAYER - within);
    double layer = 0;
    for (int turn = LAYER; turn < ROWS; turn += LAYER)
        layer += scene_rise((row - turn + 4) / 8.0);
    const double side = scene_cos(3.141592653589793 * layer);
    const double wave = scene_sin(7 * x + 0.09 * step) * scene_sin(9 * z - 0.05 * step + 1);
    vertex[0] = (float)x;
    vertex[1] =
        (float)(apart * layer + height * side * wave + 0.2 * scene_sin(2 * x + 0.04 * step));
    vertex[2] = (float)z;
}

static void place_sphere(const SceneCloth *scene, int step, float *vertices)
{
    const SceneMesh *sphere = &scene->meshes[1];
    for (size_t i = 0; i < 3 * (size_t)sphere->vertex_count; i += 3) {
        const double radius = scene_radius(scene->waves, sphere->vertices + i, step);
        for (size_t k = 0; k < 3; k++)
            vertices[i + k] = (float)(radius * sphere->vertices[i + k]);
    }
}

void scene_cloth_vertices(const SceneCloth *scene, int body, int step, float *vertices)
{
    if (body == 1) {
        place_sphere(scene, step, vertices);
        return;
    }
    for (int row = 0; row <= ROWS; row++)
        for (int column = 0; column <= COLUMNS; column++, vertices += 3)
            (scene->body_count == 1 ? fold : drape)(scene, column, row, step, vertices);
}

SceneCloth scene_draped_cloth(void)
{
    const SceneMesh cloth = make_cloth();
    SceneCloth scene = {.meshes = {cloth, scene_icosphere(6)}, .body_count = 2};
    SceneRandom random = {88610};
    scene_random_waves(&random, scene.waves);
    scene_cloth_vertices(&scene, 0, 0, cloth.vertices);
    return scene;
}

SceneCloth scene_folded_cloth(double height)
{
    const SceneMesh cloth = make_cloth();
    const SceneCloth scene = {.meshes = {cloth}, .body_count = 1, .height = height};
    scene_cloth_vertices(&scene, 0, 0, cloth.vertices);
    return scene;
}

void scene_cloth_free(SceneCloth *scene)
{
    for (int body = 0; body < scene->body_count; body++)
        scene_mesh_free(&scene->meshes[body]);
}
