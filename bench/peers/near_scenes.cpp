// A cloth over a sphere, and one that is folded: see feature_runs.h.
#include "feature_runs.h"

#include <cmath>

namespace
{
constexpr int COLUMNS = 125, ROWS = 160;
constexpr double CELL = 0.0192; // 2.4 x 3.07
constexpr double DISTANCE = 0.005 * COLUMNS * CELL;

SceneMesh make_cloth()
{
    SceneMesh mesh = {};
    mesh.vertex_count = (COLUMNS + 1) * (ROWS + 1);
    mesh.triangle_count = 2 * COLUMNS * ROWS;
    mesh.vertices = static_cast<float *>(
        scene_allocate(3 * static_cast<size_t>(mesh.vertex_count), sizeof(float)));
    mesh.triangles = static_cast<uint32_t *>(
        scene_allocate(3 * static_cast<size_t>(mesh.triangle_count), sizeof(uint32_t)));
    uint32_t *end = mesh.triangles;
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t column = 0; column < COLUMNS; column++) {
            const uint32_t first = row * (COLUMNS + 1) + column, above = first + COLUMNS + 1;
            for (uint32_t corner : {first, first + 1, above + 1, first, above + 1, above})
                *end++ = corner;
        }
    }
    return mesh;
}

// ---- Over a sphere ----------------------------------------------------------------------------

class DrapedMotion : public FreeMotion
{
  public:
    DrapedMotion() : cloth(make_cloth()), sphere(scene_icosphere(6))
    {
        SceneRandom random = {88610};
        scene_random_waves(&random, waves);
    }

    ~DrapedMotion() override
    {
        scene_mesh_free(&cloth);
        scene_mesh_free(&sphere);
    }

    const SceneMesh &mesh() const override
    {
        return cloth;
    }

    const SceneMesh &mesh_of(int body) const override
    {
        return body == 0 ? cloth : sphere;
    }

    int body_count() const override
    {
        return 2;
    }

    int step_count() const override
    {
        return 60;
    }

    void index(int body, int step, float *vertices) const override
    {
        if (body == 0) {
            for (int i = 0; i < cloth.vertex_count; i++)
                drape(i % (COLUMNS + 1), i / (COLUMNS + 1), step, vertices + 3 * i);
            return;
        }
        for (int i = 0; i < sphere.vertex_count; i++) {
            const float *point = sphere.vertices + 3 * i;
            const double radius = scene_radius(waves, point, step);
            for (int k = 0; k < 3; k++)
                vertices[3 * i + k] = static_cast<float>(radius * point[k]);
        }
    }

  private:
    // The cloth follows a sphere around the bumps as far as it is not too steep, and then hangs
    // down, in folds that sway. Where a bump is higher, it lies on the bump.
    void drape(int column, int row, int step, float *vertex) const
    {
        constexpr double RADIUS = 1.07, STEEP = 1.3, GAP = 0.004;
        const double x = CELL * (column - COLUMNS / 2.0), z = CELL * (row - ROWS / 2.0);
        const double far = std::sqrt(x * x + z * z) + 1e-9, angle = std::min(far / RADIUS, STEEP);
        const double fall = far - RADIUS * angle;
        const double fold = 0.04 * scene_rise(far - 0.7) *
                                (1 + scene_sin(9 * x / far + 7 * z / far + 0.06 * step)) +
                            0.01 * (1 + scene_sin(6 * x - 5 * z + 0.11 * step));
        const double out = (RADIUS + fold) * scene_sin(angle);
        const double point[3] = {out * x / far, (RADIUS + fold) * scene_cos(angle) - fall,
                                 out * z / far};
        const double length =
            std::sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
        float direction[3];
        for (int k = 0; k < 3; k++)
            direction[k] = static_cast<float>(point[k] / length);
        const double least = scene_radius(waves, direction, step) + GAP;
        for (int k = 0; k < 3; k++)
            vertex[k] = static_cast<float>(length < least ? least * direction[k] : point[k]);
    }

    SceneMesh cloth, sphere;
    SceneWave waves[SCENE_WAVES];
};

// ---- Folded -----------------------------------------------------------------------------------

class FoldedMotion : public FreeMotion
{
  public:
    FoldedMotion() : cloth(make_cloth())
    {
    }

    ~FoldedMotion() override
    {
        scene_mesh_free(&cloth);
    }

    const SceneMesh &mesh() const override
    {
        return cloth;
    }

    int body_count() const override
    {
        return 1;
    }

    int step_count() const override
    {
        return 60;
    }

    void index(int, int step, float *vertices) const override
    {
        for (int i = 0; i < cloth.vertex_count; i++)
            fold(i % (COLUMNS + 1), i / (COLUMNS + 1), step, vertices + 3 * i);
    }

  private:
    // Four layers of 40 rows. Neighbors wave against each other.
    static void fold(int column, int row, int step, float *vertex)
    {
        constexpr int LAYER = ROWS / 4;
        constexpr double APART = 3 * DISTANCE, WAVE = 1.35 * DISTANCE;
        const int within = row % (2 * LAYER);
        const double x = CELL * column, z = CELL * (within < LAYER ? within : 2 * LAYER - within);
        double layer = 0;
        for (int turn = LAYER; turn < ROWS; turn += LAYER)
            layer += scene_rise((row - turn + 4) / 8.0);
        const double side = scene_cos(3.141592653589793 * layer);
        const double wave = scene_sin(7 * x + 0.09 * step) * scene_sin(9 * z - 0.05 * step + 1);
        vertex[0] = static_cast<float>(x);
        vertex[1] = static_cast<float>(APART * layer + WAVE * side * wave +
                                       0.2 * scene_sin(2 * x + 0.04 * step));
        vertex[2] = static_cast<float>(z);
    }

    SceneMesh cloth;
};
} // namespace

NearScene near_cloth()
{
    return {std::make_unique<DrapedMotion>(), {false, static_cast<float>(DISTANCE), false}};
}

NearScene near_folded_cloth()
{
    return {std::make_unique<FoldedMotion>(), {false, static_cast<float>(DISTANCE), true}};
}
