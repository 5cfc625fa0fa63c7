/* Skins: see skins.h. One random number a statement: the order within one is the compiler's. */
#include "skins.h"

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

/* ---- Weights ------------------------------------------------------------------------------------
 */

/* Joints stand in a row along an axis of the mesh, from one end of it to the other. */
typedef struct Row {
    int axis;
    double low, high;
} Row;

static Row random_row(Stage *stage, const SceneMesh *mesh)
{
    Row row = {stage_whole(&stage->random, 0, 2), INFINITY, -INFINITY};
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        double x = (double)mesh->vertices[3 * v + row.axis];
        if (!isfinite(x))
            continue;
        row.low = fmin(row.low, x);
        row.high = fmax(row.high, x);
    }
    return row;
}

/* Where a vertex is among the joints. */
static double index_of(const Row *row, const float p[3], int32_t joint_count)
{
    double index = ((double)p[row->axis] - row->low) / (row->high - row->low);
    return isfinite(index) ? fmin(fmax(index, 0), 1) * (joint_count - 1) : 0;
}

typedef struct Influences {
    int32_t count;
    int32_t joints[MAX_INFLUENCES];
    double weights[MAX_INFLUENCES];
} Influences;

/* Those next to a place; the nearer, the more. Where there are more than joints, some are none. */
static void keep_nearest(double index, int32_t joint_count, Influences *list)
{
    int32_t first = (int32_t)index - (list->count - 1) / 2;
    for (int32_t i = 0; i < list->count; i++) {
        double weight = 1 - fabs(first + i - index) / (0.5 * list->count + 0.5);
        bool is_there = first + i >= 0 && first + i < joint_count;
        list->joints[i] = is_there ? first + i : 0;
        list->weights[i] = is_there && weight > 0 ? weight : 0;
    }
}

static void scale_to(double wanted, Influences *list)
{
    double sum = 0;
    for (int32_t i = 0; i < list->count; i++)
        sum += list->weights[i];
    for (int32_t i = 0; i < list->count; i++)
        list->weights[i] *= sum > 0 ? wanted / sum : 0;
}

/* To multiples of 1/256 of which the sum stays what it is; or to whole numbers. */
static void make_round(double part, Influences *list)
{
    double before = 0, after = 0;
    for (int32_t i = 0; i < list->count; i++) {
        before += list->weights[i];
        list->weights[i] = fmax(floor(before / part + 0.5) * part - after, 0);
        after += list->weights[i];
    }
}

/* The last place names the joint of the first again, and takes a part of its weight. */
static void name_twice(SceneRandom *random, Influences *list)
{
    double share = scene_random(random), whole = list->weights[0] + list->weights[list->count - 1];
    list->joints[list->count - 1] = list->joints[0];
    list->weights[0] = (1 - share) * whole;
    list->weights[list->count - 1] = share * whole;
}

/* Any joints; those of a weight of zero aside from the first, which is zero where there is a gap.
 */
static void pick_any(SceneRandom *random, bool is_gap, int32_t joint_count, Influences *list)
{
    for (int32_t i = 0; i < list->count; i++) {
        double weight = 2 * scene_random(random);
        int kind = stage_whole(random, 0, 3);
        list->joints[i] = stage_whole(random, 0, joint_count - 1);
        list->weights[i] = kind == 0 && (i > 0 || is_gap) ? 0 : kind == 1 ? 1 : weight;
    }
}

/* How weights are drawn. What leaves the surface for the origin is rare in large meshes: triangles
 * that intersect there are too many to test. */
typedef struct Draw {
    bool is_round;
    int one_in; /* vertices without a joint, or of an extreme weight */
    int power;  /* of two, for all weights that are extreme; or one for each */
    bool has_power;
} Draw;

static Draw random_draw(Stage *stage, int32_t vertex_count)
{
    SceneRandom *random = &stage->random;
    Draw draw = {.one_in = vertex_count > 40 ? vertex_count / 8 : 5};
    draw.is_round = stage_whole(random, 0, 2) == 0 || stage->is_whole;
    draw.power = stage_whole(random, -140, 12);
    draw.has_power = stage_whole(random, 0, 1);
    return draw;
}

static void make_extreme(SceneRandom *random, const Draw *draw, bool is_chosen, Influences *list)
{
    for (int32_t i = 0; i < list->count; i++) {
        int power = stage_whole(random, -149, 12);
        if (draw->has_power || is_chosen)
            list->weights[i] = ldexp(list->weights[i], draw->has_power ? draw->power : power);
    }
}

static void read_influences(Stage *stage, const Skin *skin, double index, const Draw *draw,
                            Influences *list)
{
    SceneRandom *random = &stage->random;
    double wanted = 0.2 + 1.6 * scene_random(random);
    bool is_chosen = stage_whole(random, 1, draw->one_in) == 1;
    bool is_any = skin->kind == SKIN_any || skin->kind == SKIN_extreme;
    list->count = skin->def.influence_count;
    if (is_any)
        pick_any(random, is_chosen, skin->def.joint_count, list);
    else
        keep_nearest(index, skin->def.joint_count, list);
    if (!is_any)
        scale_to(skin->kind == SKIN_loose && !stage->is_whole ? wanted : 1, list);
    if (skin->kind == SKIN_parts || stage->is_whole)
        make_round(1, list);
    else if (draw->is_round && !is_any)
        make_round(1.0 / 256, list);
    if (skin->kind == SKIN_gaps && is_chosen)
        scale_to(0, list);
    if (skin->kind == SKIN_extreme)
        make_extreme(random, draw, is_chosen, list);
    if (skin->kind == SKIN_twice && list->count > 1)
        name_twice(random, list);
}

/* In any order; a place that is not used names a joint that there is not. */
static void write_influences(SceneRandom *random, const Influences *list, uint16_t *joints,
                             float *weights)
{
    int first = stage_whole(random, 0, list->count - 1);
    for (int32_t i = 0; i < list->count; i++) {
        int32_t from = (first + i) % list->count;
        weights[i] = (float)list->weights[from];
        joints[i] = weights[i] == 0 ? UINT16_MAX : (uint16_t)list->joints[from];
    }
}

static int32_t random_joint_count(SceneRandom *random)
{
    static const int most[] = {1, 2, 8, 40, MAX_JOINTS};
    int size = stage_whole(random, 0, 4);
    return stage_whole(random, size == 0 ? 1 : most[size - 1] + 1, most[size]);
}

Skin *skin_allocate(int32_t vertex_count, int32_t joint_count, int32_t influence_count)
{
    Skin *skin = must_have(calloc(1, sizeof *skin));
    size_t count = (size_t)vertex_count * (size_t)influence_count;
    skin->joints = must_have(calloc(count, sizeof *skin->joints));
    skin->weights = must_have(calloc(count, sizeof *skin->weights));
    skin->def =
        (PliantSkin){sizeof(PliantSkin), joint_count, influence_count, skin->joints, skin->weights};
    skin->user_count = 1;
    return skin;
}

static bool is_same_for_all(const Stage *stage)
{
    return stage->kind == STAGE_copies || stage->kind == STAGE_points;
}

Skin *skin_create(Stage *stage, const SceneMesh *mesh)
{
    static const int influence_counts[] = {1, 2, 3, 4, 4, 4, 6, 8};
    Stage own = *stage;
    if (is_same_for_all(stage))
        own.random.state = stage->copy_seed + 177;
    SceneRandom *random = &own.random;
    int32_t joint_count = random_joint_count(random);
    int influences = stage_whole(random, 0, 7);
    Skin *skin = skin_allocate(mesh->vertex_count, joint_count, influence_counts[influences]);
    skin->kind = (SkinKind)stage_whole(random, 0, SKIN_KIND_COUNT - 1);
    Draw draw = random_draw(&own, mesh->vertex_count);
    Row row = random_row(&own, mesh);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        Influences list;
        size_t first = (size_t)v * (size_t)skin->def.influence_count;
        double index = index_of(&row, mesh->vertices + 3 * (size_t)v, joint_count);
        read_influences(&own, skin, index, &draw, &list);
        write_influences(random, &list, skin->joints + first, skin->weights + first);
    }
    stage->random.state = is_same_for_all(stage) ? stage->random.state + 1 : own.random.state;
    return skin;
}

Skin *skin_create_rigid(int32_t vertex_count)
{
    Skin *skin = skin_allocate(vertex_count, 1, 1);
    for (int32_t v = 0; v < vertex_count; v++)
        skin->weights[v] = 1;
    return skin;
}

void skin_release(Skin *skin)
{
    if (!skin || --skin->user_count > 0)
        return;
    free(skin->joints);
    free(skin->weights);
    free(skin);
}

void skin_reorder(Skin *skin, const int32_t *order, int32_t vertex_count)
{
    size_t size = (size_t)skin->def.influence_count, count = size * (size_t)vertex_count;
    uint16_t *joints = must_have(malloc(count * sizeof *joints));
    float *weights = must_have(malloc(count * sizeof *weights));
    for (size_t v = 0; v < (size_t)vertex_count; v++) {
        size_t from = size * (size_t)order[v];
        memcpy(joints + size * v, skin->joints + from, size * sizeof *joints);
        memcpy(weights + size * v, skin->weights + from, size * sizeof *weights);
    }
    memcpy(skin->joints, joints, count * sizeof *joints);
    memcpy(skin->weights, weights, count * sizeof *weights);
    free(joints);
    free(weights);
}

/* ---- Joints -------------------------------------------------------------------------------------
 */

static bool is_finite(const PliantTransform *transform)
{
    bool is_all = true;
    for (int i = 0; i < 12; i++)
        is_all &= isfinite(transform->rows[i / 4][i % 4]) != 0;
    return is_all;
}

/* Each axis on its own, or all alike. */
static PliantTransform scaled(Stage *stage)
{
    StageMatrix m = {{0}};
    double shift[3];
    bool is_even = stage_whole(&stage->random, 0, 1);
    int power = stage_whole(&stage->random, -10, 9);
    double all = ldexp(1 + scene_random(&stage->random), power);
    for (int k = 0; k < 3; k++) {
        int own_power = stage_whole(&stage->random, -10, 9);
        double own = ldexp(1 + scene_random(&stage->random), own_power);
        int whole = stage_whole(&stage->random, 1, 3);
        double way = 0.3 * stage_signed(&stage->random);
        m[k][k] = stage->is_whole ? whole : is_even ? all : own;
        shift[k] = stage->is_whole ? 0 : way;
    }
    return stage_about(stage, m, shift);
}

/* All there is to one point, or to a point on a line or in a plane. */
static PliantTransform flattened(Stage *stage)
{
    StageMatrix m = {{0}};
    const double middle[3] = {0};
    int rank = stage_whole(&stage->random, 0, 3);
    for (int k = 0; k < rank && k < 2; k++)
        m[k][k] = 1;
    if (rank == 3)
        return (PliantTransform){{{0}}}; /* and to the origin of all */
    return stage_about(stage, m, middle);
}

static PliantTransform opposed(Stage *stage, int32_t joint, double far)
{
    PliantTransform transform = stage_transform(stage, STAGE_TRANSFORM_rotation);
    double sign = joint % 2 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        transform.rows[k][3] += (float)(sign * far * stage->scale * (k + 1));
    return transform;
}

static PliantTransform extreme(Stage *stage)
{
    PliantTransform transform;
    int least = stage_whole(&stage->random, -149, 100);
    for (int i = 0; i < 12; i++) {
        int power = stage_whole(&stage->random, least, least + 27);
        double number = stage_signed(&stage->random);
        transform.rows[i / 4][i % 4] = (float)ldexp(number, power);
    }
    return transform;
}

static PliantTransform any(Stage *stage)
{
    StageTransform kind = (StageTransform)stage_whole(&stage->random, 0, STAGE_TRANSFORM_COUNT - 1);
    return stage_transform(stage, kind);
}

static PliantTransform random_joint(Stage *stage, JointKind kind, int32_t joint, double far)
{
    bool is_first = stage_whole(&stage->random, 0, 3) == 0;
    switch (kind) {
    case JOINT_rigid:
        return stage_transform(stage, STAGE_TRANSFORM_rotation);
    case JOINT_scaled:
        return scaled(stage);
    case JOINT_sheared:
        return stage_transform(stage, STAGE_TRANSFORM_shear);
    case JOINT_mirrored:
        return stage_transform(stage, STAGE_TRANSFORM_reflection);
    case JOINT_zero:
        return is_first ? flattened(stage) : stage_transform(stage, STAGE_TRANSFORM_shift);
    case JOINT_opposed:
        return opposed(stage, joint, far);
    case JOINT_extreme:
        return is_first ? extreme(stage) : any(stage);
    case JOINT_any:
    case JOINT_changed:
        return any(stage);
    default:
        return pliant_transform_identity();
    }
}

/* A turn about one axis and a shift, both of which grow from joint to joint. */
static void make_chain(Stage *stage, const Skin *skin, PliantTransform *joints)
{
    double angle = 3 * stage_signed(&stage->random), shift[3], way[3];
    int axis = stage_whole(&stage->random, 0, 2), next = (axis + 1) % 3;
    for (int k = 0; k < 3; k++)
        way[k] = 0.3 * stage_signed(&stage->random);
    for (int32_t j = 0; j < skin->def.joint_count; j++) {
        double far = (double)j / skin->def.joint_count;
        double c = scene_cos(far * angle), s = scene_sin(far * angle);
        StageMatrix m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        m[axis][axis] = m[next][next] = stage->is_whole ? 1 : c;
        m[axis][next] = stage->is_whole ? 0 : -s;
        m[next][axis] = stage->is_whole ? 0 : s;
        for (int k = 0; k < 3; k++)
            shift[k] = stage->is_whole ? j % 2 : far * way[k];
        joints[j] = stage_about(stage, m, shift);
    }
}

void skin_joints(Stage *stage, const Skin *skin, JointKind kind, PliantTransform *joints)
{
    static const double distances[] = {1, 1e2, 1e4, 1e6};
    double far = distances[stage_whole(&stage->random, 0, 3)];
    int32_t changed = stage_whole(&stage->random, 0, skin->def.joint_count - 1);
    if (kind == JOINT_again)
        return;
    if (kind == JOINT_chain)
        make_chain(stage, skin, joints);
    for (int32_t j = 0; j < skin->def.joint_count; j++) {
        if (kind != JOINT_chain && (kind != JOINT_changed || j == changed))
            joints[j] = random_joint(stage, kind, j, far);
        if (!is_finite(&joints[j]))
            joints[j] = pliant_transform_identity();
    }
}

JointKind skin_common_joints(const Stage *stage, const Skin *skin, int frame,
                             PliantTransform *joints)
{
    Stage common = *stage;
    common.random.state = stage->copy_seed + 1000 * (uint64_t)frame + 500;
    JointKind kind = (JointKind)stage_whole(&common.random, 0, JOINT_any);
    bool is_wide = kind == JOINT_scaled || kind == JOINT_opposed || kind == JOINT_any;
    if (is_wide && skin->def.joint_count > 4 && stage_whole(&common.random, 0, 3) > 0)
        kind = JOINT_rigid; /* where one joint reaches far all bounds are wide, and it takes long */
    skin_joints(&common, skin, kind, joints);
    return kind;
}
