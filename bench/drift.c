/* Bodies that drift: see drift.h. */
#include "drift.h"

#include <stdlib.h>

/* A cube with room for about six bodies for each that is there. */
static float side_for(int32_t count)
{
    float side = 1;
    while (side * side * side < 6 * (float)count)
        side *= 1.001f;
    return side;
}

BenchDrift bench_drift(int32_t count)
{
    BenchDrift drift = {.count = count, .side = side_for(count)};
    drift.positions = bench_allocate((size_t)count, sizeof *drift.positions);
    drift.steps = bench_allocate((size_t)count, sizeof *drift.steps);
    SceneRandom random = {1};
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            drift.positions[i][k] = (float)scene_random(&random) * drift.side;
            drift.steps[i][k] = ((float)scene_random(&random) - 0.5f) * 0.1f;
        }
    return drift;
}

void bench_drift_free(BenchDrift *drift)
{
    free(drift->positions);
    free(drift->steps);
}

void bench_drift_step(BenchDrift *drift)
{
    for (int32_t i = 0; i < drift->count; i++)
        for (int k = 0; k < 3; k++) {
            const float next = drift->positions[i][k] + drift->steps[i][k];
            if (next < 0 || next > drift->side)
                drift->steps[i][k] = -drift->steps[i][k];
            drift->positions[i][k] = next;
        }
}

void bench_drift_place(const BenchDrift *drift, PliantWorld *world, const PliantBody *bodies)
{
    PliantTransform transform = pliant_transform_identity();
    for (int32_t i = 0; i < drift->count; i++) {
        for (int k = 0; k < 3; k++)
            transform.rows[k][3] = drift->positions[i][k];
        bench_must(pliant_body_set_transform(world, bodies[i], &transform));
    }
}

PliantShape *bench_drift_shape(void)
{
    static const float vertices[4][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    static const uint32_t triangles[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){&vertices[0][0], 4, 0};
    def.triangles = (PliantTriangles){&triangles[0][0], 4};
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}
