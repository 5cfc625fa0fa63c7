/* Bodies: see bodies.h. One random number a statement: the order within one is the compiler's. */
#include "bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTER_ARRAY(name, size) int64_t name##_counts[size];
BODY_COUNTERS(COUNTER_ARRAY)
#undef COUNTER_ARRAY

/* What weights are multiplied by, now and then. */
static const float factors[FACTOR_COUNT] = {1, 1e20f, 1e-20f, 1e-42f};

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("bodies: %s\n", pliant_result_name(result));
    exit(1);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        exit(1);
    return memory;
}

int body_whole(Body *body, int low, int high)
{
    return stage_whole(&body->stage.random, low, high);
}

bool body_chance(Body *body, int one_in)
{
    return body_whole(body, 1, one_in) == 1;
}

/* How a planted target is made of the mesh: coordinate by coordinate, s * x + c, s of one sign. So
 * the outermost vertices stay so. */
typedef struct Planting {
    double factor, offset[3];
} Planting;

/* A grain, if there is one, is a displacement of about a unit in the last place, the same in all
 * targets: it is lost or doubled as it is added, each time in the same way, and that is what uses
 * most of a margin. */
static Planting random_planting(Body *body, double grain)
{
    SceneRandom *random = &body->stage.random;
    Planting planting = {.factor = 1.5 * scene_random(random)};
    bool is_full = body->morph->kind == PLIANT_MORPH_REFERENCES;
    if (body->stage.is_whole)
        planting.factor = stage_whole(random, 0, 2);
    else if (grain > 0)
        planting.factor = is_full + grain;
    for (int k = 0; k < 3; k++) {
        double any = stage_signed(random);
        int some = stage_whole(random, -2, 2);
        planting.offset[k] = grain > 0 ? 0 : body->stage.is_whole ? some : any * body->stage.scale;
    }
    return planting;
}

static void plant_target(Body *body, double grain)
{
    float *data = allocate(12 * (size_t)body->mesh.vertex_count);
    Planting planting = random_planting(body, grain);
    float sign = body_chance(body, 3) ? -1 : 1;
    for (int32_t i = 0; i < 3 * body->mesh.vertex_count; i++)
        data[i] = (float)((double)sign * (planting.factor * (double)body->mesh.vertices[i] +
                                          planting.offset[i % 3]));
    body->signs[body->morph->target_count] = sign;
    morph_add(body->morph, (MorphTarget){data, NULL}, body->mesh.vertex_count);
}

static void plant_morph(Body *body)
{
    int32_t count = body_chance(body, 5) ? 70 : body_whole(body, 1, 8);
    double grain = 0x1p-23 * scene_random(&body->stage.random);
    bool is_grain = body_chance(body, 2);
    body->morph = calloc(1, sizeof *body->morph);
    if (!body->morph)
        exit(1);
    body->morph->user_count = 1;
    body->morph->kind = (PliantMorphKind)body_whole(body, 0, 1);
    while (body->morph->target_count < count)
        plant_target(body, is_grain ? grain : 0);
    planted_counts[1 + is_grain]++;
}

/* Beyond the greatest numbers, or without numbers, no vertex may be left to attain an end. */
static bool can_be_planted(const Body *body)
{
    return body->stage.kind != STAGE_huge && body->stage.kind != STAGE_odd;
}

static void make_morph(Body *body)
{
    body->is_planted = body_chance(body, 2) && can_be_planted(body);
    if (body->is_planted)
        plant_morph(body);
    else {
        body->morph = morph_create(&body->stage, &body->mesh);
        planted_counts[0]++;
    }
    int32_t count = body->morph->target_count;
    morph_counts[body->morph->kind]++;
    targets_counts[count == 1 ? 0 : count == 2 ? 1 : count <= 64 ? 2 : 3]++;
    for (int32_t i = 0; i < count; i++)
        target_counts[body->morph->targets[i].indices != NULL]++;
}

/* ---- Skins --------------------------------------------------------------------------------------
 */

enum { MAX_CLUSTERS = 12, MAX_PLANTED_JOINTS = 3 };

/* A number of about one unit in the last place of one, and never less than a half of it. */
static double random_grain(Body *body)
{
    return ldexp(1 + 0.25 * scene_random(&body->stage.random), body_chance(body, 4) ? -23 : -24);
}

/* Points in clusters; with grains, all but one coordinate of each are grains. */
static void plant_mesh(Body *body, int32_t cluster_count, int32_t cluster_size)
{
    Stage *stage = &body->stage;
    const int32_t count = cluster_count * cluster_size;
    SceneMesh mesh = {scene_allocate((size_t)count, 12), scene_allocate((size_t)count, 12), count,
                      count};
    int axis = body_whole(body, 0, 2);
    for (int32_t i = 0; i < 3 * count; i++) {
        double number = 0.5 + 0.5 * scene_random(&stage->random), grain = random_grain(body);
        double sign = body_chance(body, 2) && !body->has_grain ? -1 : 1;
        double at = body->has_grain && i % 3 != axis ? grain : sign * number;
        mesh.triangles[i] = (uint32_t)(i / 3); /* NOLINT: whole on purpose */
        mesh.vertices[i] = i / 3 % cluster_size == 0
                               ? (float)(at * stage->scale + stage->origin[i % 3])
                               : mesh.vertices[i - 3];
    }
    scene_mesh_free(&body->mesh);
    body->mesh = mesh;
}

/* Every combination of two weights of each joint; of sum one, if that is asked for, as far as
 * floats can be. */
static void plant_weights(Body *body, int32_t cluster_size)
{
    Skin *skin = body->skin;
    const int32_t count = skin->def.joint_count;
    const bool is_even = body_chance(body, 3);
    float ends[MAX_PLANTED_JOINTS][2] = {{0}};
    for (int32_t v = 0; v < body->mesh.vertex_count; v++) {
        double sum = 0;
        for (int32_t j = 0; j < 2 * count && v % cluster_size == 0; j++) {
            double grain = random_grain(body), any = 1.2 * scene_random(&body->stage.random);
            ends[j / 2][j % 2] = (float)(body->has_grain ? (j < 2 ? 1 : grain) : any);
        }
        for (int32_t j = 0; j < count; j++) {
            float weight = ends[j][v >> j & 1];
            weight = is_even && j + 1 == count ? (float)fmax(1 - sum, 0) : weight;
            skin->joints[count * v + j] = (uint16_t)j;
            skin->weights[count * v + j] = weight;
            sum += (double)weight;
        }
    }
}

static void plant_skin(Body *body)
{
    body->has_grain = body_chance(body, 2);
    int32_t joint_count = body_whole(body, 1, MAX_PLANTED_JOINTS);
    plant_mesh(body, body_whole(body, 1, MAX_CLUSTERS), 1 << joint_count);
    body->skin = skin_allocate(body->mesh.vertex_count, joint_count, joint_count);
    plant_weights(body, 1 << joint_count);
    skin_planted_counts[1 + body->has_grain]++;
}

/* A skin that is planted has its own mesh. */
static void make_skin(Body *body)
{
    body->has_planted_skin = body_chance(body, 2) && can_be_planted(body);
    for (int32_t j = 0; j < MAX_JOINTS; j++)
        body->joints[j] = pliant_transform_identity();
    if (body->has_planted_skin) {
        plant_skin(body);
        return;
    }
    body->skin = skin_create(&body->stage, &body->mesh);
    skin_counts[body->skin->kind]++;
    skin_planted_counts[0]++;
}

/* ---- Shapes and poses ---------------------------------------------------------------------------
 */

static void make_shape(Body *body)
{
    static const int leaf_sizes[] = {1, 4, 16};
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    int kind = body_whole(body, 0, 3), children = body_whole(body, 0, 2);
    int leaf = body_whole(body, 0, 2), between_count = body_whole(body, 0, MAX_BETWEEN);
    const bool has_references = body->morph && body->morph->kind == PLIANT_MORPH_REFERENCES;
    body->bound = (PliantBoundKind)body_whole(body, 0, 3);
    body->between_count = has_references ? between_count : 0;
    def.vertices = (PliantVertices){body->mesh.vertices, body->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){body->mesh.triangles, body->mesh.triangle_count};
    experiments.tree_kind = (PliantTreeKind)kind;
    experiments.tree_child_count = 2 << children;
    experiments.tree_leaf_size = leaf_sizes[leaf];
    experiments.bound_kind = body->bound;
    def.between_count = body->between_count;
    if (body->morph) {
        def.morph_kind = body->morph->kind;
        def.targets = body->morph->targets;
        def.target_count = body->morph->target_count;
    }
    if (body->skin)
        def.skin = &body->skin->def;
    must(pliant_shape_create(&def, &body->shape));
    tree_counts[kind]++;
    children_counts[children]++;
    leaf_counts[leaf]++;
    between_counts[body->between_count] += has_references;
}

static void make_pose(Body *body)
{
    const PliTree *tree = &body->shape->tree;
    size_t corner_count = 3 * (size_t)tree->item_count;
    must(pli_mesh_pose_init(&body->pose, body->shape, &body->shape->host));
    pli_worker_init(&body->worker, &body->shape->host, &body->opener->kernels);
    must(pli_worker_reserve(&body->worker, body->shape->morph_tables.term_count,
                            pli_mesh_pose_scratch_count(&body->pose)));
    body->vertices = allocate(12 * (size_t)body->mesh.vertex_count);
    body->finite = allocate((corner_count + 1) * sizeof *body->finite);
    body->column_count = pli_slab_count(body->bound);
    for (int32_t s = 0; s < body->column_count; s++)
        body->columns[s] = allocate(corner_count * sizeof *body->columns[s]);
}

void body_free(Body *body)
{
    for (int32_t s = 0; s < body->column_count; s++)
        free(body->columns[s]);
    free(body->finite);
    free(body->vertices);
    pli_worker_free(&body->worker);
    pli_pose_free(&body->pose.base, &body->shape->host);
    pliant_shape_release(body->shape);
    morph_release(body->morph);
    skin_release(body->skin);
    scene_mesh_free(&body->mesh);
}

void body_init(Body *body)
{
    body->is_along_axes = true;
    body->mesh = stage_mesh(&body->stage);
    if (body->kind != BODY_morphs)
        make_skin(body);
    if (body->kind != BODY_skins)
        make_morph(body);
    make_shape(body);
    make_pose(body);
    kind_counts[body->kind]++;
}

/* ---- Poses -------------------------------------------------------------------------------------
 */

void body_set_weights(Body *body)
{
    enum { ALL_ONE = WEIGHT_KIND_COUNT };
    float weights[MAX_TARGETS];
    int kind = body_whole(body, 0, ALL_ONE), factor = body_whole(body, 0, 7);
    bool is_for_all = body_chance(body, 2);
    if (body->between_count > 0 && body_chance(body, 2))
        kind = body_chance(body, 2) ? WEIGHT_two : WEIGHT_nearly_two;
    factor = factor < FACTOR_COUNT ? factor : 0;
    if (kind < ALL_ONE)
        morph_weights(&body->stage, body->morph, (WeightKind)kind, body->weights);
    for (int32_t t = 0; t < body->morph->target_count; t++) {
        if (kind == ALL_ONE)
            body->weights[t] = 1;
        weights[t] = body->weights[t] * (is_for_all || body_chance(body, 2) ? factors[factor] : 1);
        if (body->is_planted)
            weights[t] = copysignf(weights[t], body->signs[t]);
    }
    pli_mesh_pose_set_weights(&body->pose, weights);
    weights_counts[kind]++;
    factor_counts[factor]++;
}

/* A linear map that all joints have a multiple of, and offsets all one way, or any. */
static void set_even_joints(Body *body)
{
    Stage *stage = &body->stage;
    StageTransform kind = (StageTransform)body_whole(body, 0, STAGE_TRANSFORM_COUNT - 1);
    const PliantTransform first = stage_transform(stage, kind);
    for (int32_t j = 0; j < body->skin->def.joint_count; j++) {
        double factor = 2 * scene_random(&stage->random);
        body->joints[j] = first;
        for (int i = 0; i < 12; i++) {
            double more = i % 4 == 3 ? stage->scale * stage_signed(&stage->random) : 0;
            float *number = &body->joints[j].rows[i / 4][i % 4];
            *number = (float)(factor * (double)*number + more);
        }
    }
}

/* One number of each row is about one, all others are grains; or one, too: what they multiply is a
 * grain already. */
static void set_grain_joints(Body *body)
{
    Stage *stage = &body->stage;
    for (int32_t j = 0; j < body->skin->def.joint_count; j++)
        for (int i = 0; i < 12; i++) {
            double grain = random_grain(body), one = 1 + 2 * grain * body_whole(body, -2, 2);
            bool is_offset = i % 4 == 3;
            body->joints[j].rows[i / 4][i % 4] = (float)(is_offset ? grain * stage->scale
                                                         : body_chance(body, 4) ? grain
                                                                                : one);
        }
}

static void jitter_joints(Body *body)
{
    for (int32_t i = 0; i < 12 * body->skin->def.joint_count; i++) {
        float *number = &body->joints[i / 12].rows[i % 12 / 4][i % 4];
        int steps = body_whole(body, -3, 3);
        *number = (float)((double)*number * (1 + ldexp(steps, -23)));
    }
}

static void keep_finite(Body *body)
{
    for (int32_t i = 0; i < 12 * body->skin->def.joint_count; i++) {
        float *number = &body->joints[i / 12].rows[i % 12 / 4][i % 4];
        *number = isfinite(*number) ? *number : 1;
    }
}

void body_set_joints(Body *body)
{
    int kind = body_whole(body, 0, JOINT_KIND_COUNT - 1);
    if (body->has_planted_skin && !body_chance(body, 4))
        kind = body_chance(body, 3) ? SET_JITTER : body->has_grain ? SET_GRAIN : SET_EVEN;
    if (kind < JOINT_KIND_COUNT)
        skin_joints(&body->stage, body->skin, (JointKind)kind, body->joints);
    else if (kind == SET_EVEN)
        set_even_joints(body);
    else if (kind == SET_GRAIN)
        set_grain_joints(body);
    else
        jitter_joints(body);
    keep_finite(body);
    must(pli_mesh_pose_set_joints(&body->pose, body->joints, &body->shape->host));
    joints_counts[kind]++;
}

void body_set_transform(Body *body)
{
    static const int powers[] = {-140, -130, -100, -50, 50, 100};
    StageTransform kind = (StageTransform)body_whole(body, 0, STAGE_TRANSFORM_COUNT - 1);
    PliantTransform transform = stage_transform(&body->stage, kind);
    int size = body_whole(body, 0, 4), power = powers[body_whole(body, 0, 5)];
    bool is_finite = true;
    for (int i = 0; i < 12 && size == 0; i++)
        transform.rows[i / 4][i % 4] = ldexpf(transform.rows[i / 4][i % 4], power);
    for (int i = 0; i < 12; i++)
        is_finite &= isfinite(transform.rows[i / 4][i % 4]);
    if (!is_finite)
        transform = pliant_transform_identity();
    pli_pose_set_transform(&body->pose.base, &transform);
    body->is_along_axes = true;
    for (int i = 0; i < 9; i++)
        body->is_along_axes &= i / 3 == i % 3 || transform.rows[i / 3][i % 3] == 0;
    body->is_along_axes &= size != 0;
    transform_counts[kind]++;
    size_counts[size != 0 ? 0 : power < 0 ? 1 : 2]++;
}
