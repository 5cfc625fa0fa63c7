/* Morphs: see morphs.h. One random number a statement: the order within one is the compiler's. */
#include "morphs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *must_have(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static float as_finite(double x)
{
    double most = (double)FLT_MAX;
    return x > most ? FLT_MAX : x < -most ? -FLT_MAX : isnan(x) ? 0 : (float)x;
}

/* ---- Targets ------------------------------------------------------------------------------------
 */

/* How a target displaces: X(name). */
#define PUSH_KINDS(X) X(all) X(swell) X(each) X(bump) X(nothing)

typedef enum PushKind {
#define PUSH_KIND_ENUM(name) PUSH_##name,
    PUSH_KINDS(PUSH_KIND_ENUM)
#undef PUSH_KIND_ENUM
        PUSH_KIND_COUNT
} PushKind;

typedef struct Push {
    PushKind kind;
    double size, way[3];
    double center[3], radius; /* beyond it nothing is moved */
} Push;

static double random_coordinate(Stage *stage, double size)
{
    if (stage->is_whole)
        return stage_whole(&stage->random, -2, 2);
    double x = size * stage_signed(&stage->random);
    return x;
}

static Push random_push(Stage *stage, const SceneMesh *mesh, PushKind last, bool is_local)
{
    static const double sizes[] = {0.01, 0.1, 0.5, 1.5};
    SceneRandom *random = &stage->random;
    Push push = {.kind = (PushKind)stage_whole(random, 0, (int)last), .radius = INFINITY};
    push.size = sizes[stage_whole(random, 0, 3)];
    for (int k = 0; k < 3; k++)
        push.way[k] = random_coordinate(stage, push.size);
    size_t center = scene_random_below(random, (uint32_t)mesh->vertex_count);
    double radius = scene_random(random);
    if (!is_local && push.kind != PUSH_bump)
        return push;
    push.radius = (stage->is_whole ? 5 : 1) * radius;
    for (int k = 0; k < 3; k++)
        push.center[k] = (double)as_finite((double)mesh->vertices[3 * center + (size_t)k]);
    return push;
}

/* The displacement of a vertex, in the stage's size; false if it stays where it is. */
static bool displace(Stage *stage, const Push *push, const float p[3], double d[3])
{
    double distance = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = push->kind == PUSH_each ? random_coordinate(stage, push->size) : push->way[k];
        double from = push->radius < INFINITY ? (p[k] - push->center[k]) / stage->scale : 0;
        distance += from * from;
        if (push->kind == PUSH_swell && !stage->is_whole)
            d[k] = push->size * (p[k] - stage->origin[k]) / stage->scale;
        if (push->kind == PUSH_nothing)
            d[k] = 0;
    }
    double share = push->kind == PUSH_bump && !stage->is_whole && push->radius > 0
                       ? 1 - sqrt(distance) / push->radius
                       : 1;
    for (int k = 0; k < 3; k++)
        d[k] *= share;
    return !(distance > push->radius * push->radius);
}

/* One for every vertex: displacements, or positions. */
static float *dense_target(Stage *stage, const SceneMesh *mesh, const Push *push, bool is_full)
{
    float *data = must_have(calloc((size_t)mesh->vertex_count, 12));
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        double d[3];
        const float *p = mesh->vertices + 3 * (size_t)v;
        bool is_moved = displace(stage, push, p, d);
        for (int k = 0; k < 3; k++) {
            double at = is_full ? (double)as_finite((double)p[k]) : 0;
            data[3 * v + k] = as_finite(is_moved ? at + stage->scale * d[k] : at);
        }
    }
    return data;
}

/* Leaves out what is not moved, and more by chance; at least one vertex remains. */
static void add_sparse(Stage *stage, const SceneMesh *mesh, const Push *push, Morph *morph)
{
    float *data = dense_target(stage, mesh, push, false);
    uint32_t *indices = must_have(calloc((size_t)mesh->vertex_count, sizeof *indices));
    int rarely = stage_whole(&stage->random, 0, 3);
    int32_t count = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        const float *d = data + 3 * (size_t)v;
        bool is_kept = d[0] != 0 || d[1] != 0 || d[2] != 0;
        is_kept &= rarely == 0 || stage_whole(&stage->random, 0, rarely) == 0;
        if (!is_kept && (count > 0 || v + 1 < mesh->vertex_count))
            continue;
        memmove(data + 3 * (size_t)count, d, 12);
        indices[count++] = (uint32_t)v;
    }
    morph_add(morph, (MorphTarget){data, indices}, count);
}

static bool is_same_for_all(const Stage *stage)
{
    return stage->kind == STAGE_copies || stage->kind == STAGE_points;
}

static int32_t random_target_count(Stage *stage, const SceneMesh *mesh)
{
    SceneRandom *random = &stage->random;
    int32_t many = stage_whole(random, 70, MAX_TARGETS), few = stage_whole(random, 1, 6);
    bool is_many = stage_whole(random, 0, 5) == 0 && mesh->vertex_count < 1500;
    return is_many ? many : few;
}

/* If targets are plain, the outermost vertices of the mesh are those of each target and of every
 * blend: then bounds are as tight as they can be. */
static void add_target(Stage *stage, const SceneMesh *mesh, bool is_many, bool is_plain,
                       Morph *morph)
{
    int choice = stage_whole(&stage->random, 0, 7);
    bool is_full = morph->kind == PLIANT_MORPH_REFERENCES;
    bool is_sparse = !is_full && !is_plain && choice < (is_many ? 7 : 4);
    PushKind last = is_plain ? PUSH_swell : PUSH_nothing;
    Push push = random_push(stage, mesh, last, !is_plain && (is_sparse || choice % 2));
    if (is_sparse)
        add_sparse(stage, mesh, &push, morph);
    else
        morph_add(morph, (MorphTarget){dense_target(stage, mesh, &push, is_full), NULL},
                  mesh->vertex_count);
}

void morph_add(Morph *morph, MorphTarget target, int32_t count)
{
    morph->owned[morph->target_count] = target;
    morph->targets[morph->target_count++] = (PliantTarget){{target.data, count, 0}, target.indices};
}

Morph *morph_create(Stage *stage, const SceneMesh *mesh)
{
    Stage own = *stage;
    if (is_same_for_all(stage))
        own.random.state = stage->copy_seed + 77;
    Morph *morph = must_have(calloc(1, sizeof *morph));
    morph->user_count = 1;
    morph->kind = (PliantMorphKind)stage_whole(&own.random, 0, 1);
    int32_t count = random_target_count(&own, mesh);
    bool is_plain = stage_whole(&own.random, 0, 2) == 0;
    while (morph->target_count < count)
        add_target(&own, mesh, count > 6, is_plain, morph);
    stage->random.state = is_same_for_all(stage) ? stage->random.state + 1 : own.random.state;
    return morph;
}

void morph_release(Morph *morph)
{
    if (!morph || --morph->user_count > 0)
        return;
    for (int32_t i = 0; i < morph->target_count; i++) {
        free(morph->owned[i].data);
        free(morph->owned[i].indices);
    }
    free(morph);
}

/* The place of each vertex among those of a target, -1 if it has none. */
static void find_places(const PliantTarget *target, int32_t vertex_count, int32_t *corner_places)
{
    for (int32_t v = 0; v < vertex_count; v++)
        corner_places[v] = target->indices ? -1 : v;
    for (int32_t i = 0; target->indices && i < target->vertices.count; i++)
        corner_places[target->indices[i]] = i;
}

static void reorder_target(MorphTarget *target, int32_t target_size, const int32_t *order,
                           const int32_t *corner_places, int32_t vertex_count)
{
    float *data = must_have(malloc(12 * (size_t)target_size));
    int32_t count = 0;
    for (int32_t v = 0; v < vertex_count; v++) {
        int32_t index = corner_places[order[v]];
        if (index < 0)
            continue;
        memcpy(data + 3 * (size_t)count, target->data + 3 * (size_t)index, 12);
        if (target->indices)
            target->indices[count] = (uint32_t)v;
        count++;
    }
    free(target->data);
    target->data = data;
}

void morph_reorder(Morph *morph, const int32_t *order, int32_t vertex_count)
{
    int32_t *corner_places = must_have(malloc((size_t)vertex_count * sizeof *corner_places));
    for (int32_t i = 0; i < morph->target_count; i++) {
        PliantTarget *target = &morph->targets[i];
        find_places(target, vertex_count, corner_places);
        reorder_target(&morph->owned[i], target->vertices.count, order, corner_places,
                       vertex_count);
        target->vertices.data = morph->owned[i].data;
    }
    free(corner_places);
}

/* ---- Weights ------------------------------------------------------------------------------------
 */

/* From -1 to 2: whole numbers and halves, and others where the stage has them. */
static float random_weight(Stage *stage)
{
    SceneRandom *random = &stage->random;
    double any = 3 * scene_random(random) - 1;
    int halves = stage_whole(random, -2, 4), kind = stage_whole(random, 0, 3);
    return stage->is_whole ? truncf((float)halves / 2) : kind == 0 ? (float)halves / 2 : (float)any;
}

/* From 0 to 1: the ends, the places of bounds in between and their neighbors, and others. */
static float random_share(Stage *stage)
{
    SceneRandom *random = &stage->random;
    int parts = stage_whole(random, 1, MAX_BETWEEN + 1), part = stage_whole(random, 0, parts);
    int kind = stage_whole(random, 0, 4);
    double any = scene_random(random);
    float share = (float)part / (float)parts;
    if (stage->is_whole)
        return part > 0;
    return kind == 0   ? share
           : kind == 1 ? nextafterf(share, 0)
           : kind == 2 ? nextafterf(share, 1)
                       : (float)any;
}

static void two_weights(Stage *stage, const Morph *morph, bool is_near, float *weights)
{
    int32_t last = morph->target_count - 1;
    int32_t first = stage_whole(&stage->random, 0, last > 0 ? last - 1 : 0);
    float share = random_share(stage), other = 1 - share;
    int how = stage_whole(&stage->random, 0, 2);
    if (is_near)
        other = how == 0   ? nextafterf(other, 2)
                : how == 1 ? nextafterf(other, -1)
                           : random_weight(stage);
    weights[first] = share;
    if (last > 0)
        weights[first + 1] = other;
}

static void convex_weights(Stage *stage, const Morph *morph, float *weights)
{
    double sum = 0;
    for (int32_t i = 0; i < morph->target_count; i++) {
        weights[i] = (float)scene_random(&stage->random);
        sum += (double)weights[i];
    }
    for (int32_t i = 0; i < morph->target_count; i++)
        weights[i] = (float)((double)weights[i] / (sum > 0 ? sum : 1));
}

static void few_weights(Stage *stage, const Morph *morph, int count, float *weights)
{
    for (int i = 0; i < count; i++) {
        int32_t target = stage_whole(&stage->random, 0, morph->target_count - 1);
        weights[target] = random_weight(stage);
    }
}

void morph_weights(Stage *stage, const Morph *morph, WeightKind kind, float *weights)
{
    int few = stage_whole(&stage->random, 1, 6);
    if (kind != WEIGHT_changed && kind != WEIGHT_again)
        memset(weights, 0, (size_t)morph->target_count * sizeof *weights);
    switch (kind) {
    case WEIGHT_one:
        weights[stage_whole(&stage->random, 0, morph->target_count - 1)] = 1;
        break;
    case WEIGHT_two:
    case WEIGHT_nearly_two:
        two_weights(stage, morph, kind == WEIGHT_nearly_two, weights);
        break;
    case WEIGHT_convex:
        convex_weights(stage, morph, weights);
        break;
    case WEIGHT_few:
    case WEIGHT_changed:
        few_weights(stage, morph, kind == WEIGHT_few ? few : 1, weights);
        break;
    case WEIGHT_any:
        for (int32_t i = 0; i < morph->target_count; i++)
            weights[i] = random_weight(stage);
        break;
    default:
        break;
    }
}

WeightKind morph_common_weights(const Stage *stage, const Morph *morph, int frame, float *weights)
{
    Stage common = *stage;
    common.random.state = stage->copy_seed + 1000 * (uint64_t)frame;
    WeightKind kind = (WeightKind)stage_whole(&common.random, 0, WEIGHT_any);
    morph_weights(&common, morph, kind, weights);
    return kind;
}
