/* A face that moves by many small displacements: see scenes.h.
 *
 * A head of height 2 that looks along z; y is up. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */
#include <stdlib.h>
#include <string.h>

enum { RINGS = 100, SEGMENTS = 200 };

/* ---- At rest ----------------------------------------------------------------------------- */

/* What stands out of the head or goes into it: around a point of the front, so wide and high. */
typedef struct Feature {
    double at[2], reach[2];
    double out[3];
    bool is_mirrored; /* on both sides */
} Feature;

static const Feature features[] = {
    {{0, -0.08}, {0.15, 0.2}, {0, -0.03, 0.2}, false},    /* nose */
    {{0, 0.16}, {0.09, 0.3}, {0, 0, 0.08}, false},        /* its bridge */
    {{0.09, -0.16}, {0.08, 0.08}, {0.02, 0, 0.05}, true}, /* its wings */
    {{0.27, 0.2}, {0.19, 0.13}, {0, 0, -0.11}, true},     /* eye sockets */
    {{0.27, 0.19}, {0.13, 0.08}, {0, 0, 0.08}, true},     /* eyes */
    {{0.27, 0.36}, {0.24, 0.09}, {0, 0.01, 0.05}, true},  /* brows */
    {{0.42, -0.12}, {0.25, 0.25}, {0.04, 0, 0.06}, true}, /* cheeks */
    {{0, -0.39}, {0.27, 0.06}, {0, 0.01, 0.075}, false},  /* upper lip */
    {{0, -0.49}, {0.24, 0.07}, {0, -0.01, 0.085}, false}, /* lower lip */
    {{0, -0.44}, {0.25, 0.022}, {0, 0, -0.05}, false},    /* between them */
    {{0, -0.74}, {0.28, 0.17}, {0, -0.04, 0.14}, false},  /* chin */
};

static void add_feature(const Feature *feature, const double at[2], double side, double point[3])
{
    double x = (at[0] - side * feature->at[0]) / feature->reach[0];
    double y = (at[1] - feature->at[1]) / feature->reach[1];
    double amount = scene_bump(sqrt(x * x + y * y));
    point[0] += side * amount * feature->out[0];
    point[1] += amount * feature->out[1];
    point[2] += amount * feature->out[2];
}

static void place_on_head(const void *data, double u, double v, double point[3])
{
    (void)data;
    const double pi = 3.141592653589793;
    /* From the crown down to the neck, leftwards around, the front in the middle. */
    double y = scene_cos(pi * u), around = scene_sin(pi * u);
    double narrow = y < 0 ? 1 - 0.28 * y * y : 1; /* toward the chin */
    point[0] = 0.74 * narrow * around * scene_sin(2 * pi * v);
    point[1] = y;
    point[2] = -0.86 * around * scene_cos(2 * pi * v);
    const double at[2] = {point[0], point[1]};
    if (point[2] <= 0)
        return;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        add_feature(&features[i], at, 1, point);
        if (features[i].is_mirrored)
            add_feature(&features[i], at, -1, point);
    }
}

/* ---- In motion --------------------------------------------------------------------------- */

static double distance(const float p[3], const float q[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += ((double)p[k] - q[k]) * ((double)p[k] - q[k]);
    return sqrt(square);
}

/* All vertices near enough to a center go one way, the less the farther from it. */
static SceneTarget local_target(const SceneMesh *head, const float center[3], double reach,
                                const double way[3])
{
    SceneTarget target = {0};
    for (int32_t i = 0; i < head->vertex_count; i++)
        target.count += distance(head->vertices + 3 * i, center) < reach;
    target.vertices = scene_allocate(3 * (size_t)target.count, sizeof(float));
    target.indices = scene_allocate((size_t)target.count, sizeof(uint32_t));
    int32_t count = 0;
    for (int32_t i = 0; i < head->vertex_count; i++) {
        double apart = distance(head->vertices + 3 * i, center);
        if (apart >= reach)
            continue;
        for (int k = 0; k < 3; k++)
            target.vertices[3 * count + k] = (float)(scene_bump(apart / reach) * way[k]);
        target.indices[count++] = (uint32_t)i;
    }
    return target;
}

/* Somewhere on the front, of 0.5 to 5 per cent of the vertices. */
static SceneTarget random_target(const SceneMesh *head, SceneRandom *random)
{
    const float *center;
    do {
        uint32_t vertex = scene_random_below(random, (uint32_t)head->vertex_count);
        center = head->vertices + 3 * (size_t)vertex;
    } while (center[2] < 0.3f || center[1] < -0.75f || center[1] > 0.7f);
    double reach = 0.16 + 0.15 * scene_random(random), way[3];
    for (int k = 0; k < 3; k++)
        way[k] = 0.3 * reach * (2 * scene_random(random) - 1);
    return local_target(head, center, reach, way);
}

SceneMorph scene_face(void)
{
    SceneMorph morph = {.mesh = scene_rings(RINGS, SEGMENTS, place_on_head, NULL),
                        .target_count = SCENE_FACE_TARGETS};
    morph.targets = scene_allocate(SCENE_FACE_TARGETS, sizeof *morph.targets);
    SceneRandom random = {150};
    for (int i = 0; i < SCENE_FACE_TARGETS; i++)
        morph.targets[i] = random_target(&morph.mesh, &random);
    return morph;
}

/* Every sixth target belongs to one of six players, who go from one to the next. */
void scene_face_weights(int step, float weights[SCENE_FACE_TARGETS])
{
    const int each = SCENE_FACE_TARGETS / SCENE_FACE_ACTIVE, period = 36;
    memset(weights, 0, SCENE_FACE_TARGETS * sizeof *weights);
    for (int player = 0; player < SCENE_FACE_ACTIVE; player++) {
        int time = step + player * period / SCENE_FACE_ACTIVE;
        double s = scene_sin(3.141592653589793 * (time % period + 0.5) / period);
        int turn = (7 * (time / period) + 3 * player) % each;
        weights[turn * SCENE_FACE_ACTIVE + player] = (float)(s * s);
    }
}
