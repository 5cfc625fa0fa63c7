/* The ball: see ball.h. */
#include "ball.h"

/* The vertices on one side move on along x. */
static void make_bump(Ball *ball, int target, float side)
{
    int32_t count = 0;
    for (int32_t v = 0; v < BALL_VERTICES; v++) {
        float x = side * ball->mesh.vertices[3 * v];
        if (x <= 0.9f)
            continue;
        ball->data[target][count][0] = side * 3 * (x - 0.9f);
        ball->indices[target][count++] = (uint32_t)v;
    }
    ball->displacements[target] =
        (PliantTarget){{ball->data[target][0], count, 0}, ball->indices[target]};
}

void ball_init(Ball *ball)
{
    SceneRandom random = {3};
    *ball = (Ball){.mesh = scene_icosphere(3)};
    for (int32_t i = 0; i < 3 * BALL_VERTICES; i++) {
        float x = ball->mesh.vertices[i];
        ball->data[0][i / 3][i % 3] = i % 3 == 1 ? 0.25f * x : 0;
        ball->positions[0][i / 3][i % 3] = x;
        ball->positions[1][i / 3][i % 3] = 1.25f * x;
        ball->positions[2][i / 3][i % 3] = x + 0.05f * (float)scene_random(&random);
    }
    ball->displacements[0] = (PliantTarget){{ball->data[0][0], BALL_VERTICES, 0}, NULL};
    make_bump(ball, 1, 1);
    make_bump(ball, 2, -1);
    for (int t = 0; t < BALL_TARGETS; t++)
        ball->references[t] = (PliantTarget){{ball->positions[t][0], BALL_VERTICES, 0}, NULL};
}

void ball_free(Ball *ball)
{
    scene_mesh_free(&ball->mesh);
}

PliantShapeDef ball_def(const Ball *ball, PliantMorphKind kind, const PliantHost *host)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){ball->mesh.vertices, BALL_VERTICES, 0};
    def.triangles = (PliantTriangles){ball->mesh.triangles, ball->mesh.triangle_count};
    def.morph_kind = kind;
    def.targets = kind == PLIANT_MORPH_REFERENCES ? ball->references : ball->displacements;
    def.target_count = BALL_TARGETS;
    def.host = host;
    return def;
}
