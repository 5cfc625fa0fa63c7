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

/* From the joint before a vertex to the one behind it. */
static void make_skin(Ball *ball)
{
    for (int32_t v = 0; v < BALL_VERTICES; v++) {
        float index = (ball->mesh.vertices[3 * v] + 1) * 0.5f * (BALL_JOINTS - 1);
        int32_t first = index < 0 ? 0 : index < BALL_JOINTS - 1 ? (int32_t)index : BALL_JOINTS - 2;
        float share = index - (float)first;
        for (int i = 0; i < BALL_INFLUENCES; i++)
            ball->joints[v][i] = UINT16_MAX;
        ball->joints[v][0] = (uint16_t)(first + 1);
        ball->joints[v][2] = (uint16_t)first;
        ball->joint_weights[v][0] = share < 0 ? 0 : share > 1 ? 1 : share;
        ball->joint_weights[v][2] = 1 - ball->joint_weights[v][0];
    }
    ball->skin = (PliantSkin){sizeof(PliantSkin), BALL_JOINTS, BALL_INFLUENCES, ball->joints[0],
                              ball->joint_weights[0]};
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
    make_skin(ball);
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

PliantShapeDef ball_skin_def(const Ball *ball, const PliantHost *host)
{
    PliantShapeDef def = ball_def(ball, PLIANT_MORPH_DISPLACEMENTS, host);
    def.targets = NULL;
    def.target_count = 0;
    def.skin = &ball->skin;
    return def;
}

PliantShapeDef ball_driven_def(const Ball *ball, BallDrive drive, const PliantHost *host)
{
    if (drive == BALL_BY_JOINTS)
        return ball_skin_def(ball, host);
    const bool has_references =
        drive == BALL_BY_REFERENCES || drive == BALL_BY_REFERENCES_AND_JOINTS;
    PliantShapeDef def =
        ball_def(ball, has_references ? PLIANT_MORPH_REFERENCES : PLIANT_MORPH_DISPLACEMENTS, host);
    if (drive >= BALL_BY_WEIGHTS_AND_JOINTS)
        def.skin = &ball->skin;
    return def;
}

void ball_bend(double angle, PliantTransform joints[BALL_JOINTS])
{
    for (int j = 0; j < BALL_JOINTS; j++) {
        double part = angle * j / (BALL_JOINTS - 1);
        float c = (float)scene_cos(part), s = (float)scene_sin(part);
        joints[j] = (PliantTransform){{{c, 0, s, c - 1}, {0, 1, 0, 0}, {-s, 0, c, -s}}};
    }
}
