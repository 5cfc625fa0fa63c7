/* Bounds hold vertices: those of every node, each vertex below it, at any weights.
 *
 *     test_bounds [--checks N] [--seed S] [--scene K]
 *
 * Makes random shapes with targets, poses them by weights and transforms, opens every node from the
 * top down on one instruction set, and takes the vertices on another, until that many checks were
 * made. A check is one vertex against the bounds of one child of a node: it lies within its box,
 * and within its slabs or its ball if there are any; and within the box of all, which is not
 * counted. Vertices are what pli_pose_vertices() says.
 *
 * Some shapes are planted: the outermost vertices of the mesh are so in every target, too, and
 * weights have the signs of their targets. The end of a box is then the sum that a vertex has, to
 * the bit: all ends must be attained. A sum in another order shows at once.
 *
 * What is not a vertex's own expression has a margin (blend.c). How much of it was needed is
 * printed, as the greatest share: a share above one is a failure. For a ball that is less than its
 * radius, of which a part is left for the rounding of whoever compares balls. Sums along slabs and
 * distances are taken in double: with Z above all coordinates and u = 2^-24, they are off by less
 * than 8 Z 2^-53, while margins are at least 32 Z u, so that shares are off by less than 2^-29.
 *
 * Ends with 1 at any failure, or if something was never reached. --scene plays one shape again. */
#include "counts.h"
#include "morphs.h"
#include "pose/pose.h"
#include "stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What was reached --------------------------------------------------------------------------
 */

/* X(name, size): counters, none of which may be zero in the end. */
#define COUNTERS(X)                                                                                \
    X(stage, STAGE_KIND_COUNT)                                                                     \
    X(tree, 4)                                                                                     \
    X(children, 3)                                                                                 \
    X(leaf, 3)                                                                                     \
    X(bound, 4)                                                                                    \
    X(morph, 2)                                                                                    \
    X(targets, 4)                                                                                  \
    X(target, 2)                                                                                   \
    X(between, MOST_BETWEEN + 1)                                                                   \
    X(planted, 3)                                                                                  \
    X(pose, 2)                                                                                     \
    X(weights, WEIGHT_KIND_COUNT + 1)                                                              \
    X(factor, FACTOR_COUNT)                                                                        \
    X(transform, STAGE_TRANSFORM_COUNT)                                                            \
    X(size, 3)                                                                                     \
    X(more, 3)                                                                                     \
    X(open, 2)                                                                                     \
    X(share, SHARE_COUNT)

/* What weights are multiplied by, now and then. */
static const float factors[] = {1, 1e20f, 1e-20f, 1e-42f};
enum { FACTOR_COUNT = sizeof factors / sizeof *factors };

/* X(name, what has a margin). */
#define SHARES(X)                                                                                  \
    X(between, "boxes between two references")                                                     \
    X(axes, "slabs along the axes")                                                                \
    X(diagonals, "slabs along diagonals")                                                          \
    X(balls, "balls")

enum {
#define SHARE_ENUM(name, text) SHARE_##name,
    SHARES(SHARE_ENUM)
#undef SHARE_ENUM
        SHARE_COUNT
};
static double greatest_shares[SHARE_COUNT];

/* X(name, text): ways to fail. */
#define FAILURES(X)                                                                                \
    X(box, "outside a box")                                                                        \
    X(root, "outside the box of all")                                                              \
    X(slab, "outside a slab")                                                                      \
    X(ball, "outside a ball")                                                                      \
    X(margin, "more than the margin is used")                                                      \
    X(attained, "the end of a box is no vertex's")                                                 \
    X(vertex, "vertices on two instruction sets differ")

enum {
#define FAILURE_ENUM(name, text) FAILURE_##name,
    FAILURES(FAILURE_ENUM)
#undef FAILURE_ENUM
        FAILURE_COUNT
};
static const char *const failure_texts[] = {
#define FAILURE_TEXT(name, text) text,
    FAILURES(FAILURE_TEXT)
#undef FAILURE_TEXT
};
static int64_t failure_counts[FAILURE_COUNT];

#define COUNTER_ARRAY(name, size) static int64_t name##_counts[size];
COUNTERS(COUNTER_ARRAY)
#undef COUNTER_ARRAY

static int64_t check_count, frame_count, failure_count;
static int64_t end_count, attained_count;            /* of all boxes that have no margin */
static int64_t planted_end_count, planted_met_count; /* of those that vertices must attain */

/* ---- Instruction sets --------------------------------------------------------------------------
 */

typedef struct Version {
    uint32_t cpu;
    PliKernels kernels;
} Version;

enum { MOST_VERSIONS = 4 };
static Version versions[MOST_VERSIONS];
static int version_count;
static int64_t pair_counts[MOST_VERSIONS * MOST_VERSIONS];

static void find_versions(void)
{
    static const uint32_t sets[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                    PLIANT_CPU_AVX512};
    for (int i = 0; i < MOST_VERSIONS; i++) {
        if (sets[i] != 0 && !(sets[i] & pliant_cpu_features()))
            continue;
        versions[version_count].cpu = sets[i];
        pli_kernels_fill(&versions[version_count++].kernels, sets[i]);
    }
}

/* Each two, in both orders; those of one with itself have been left out. */
static bool print_pairs(void)
{
    int64_t counts[MOST_VERSIONS * MOST_VERSIONS] = {0};
    int count = 0;
    for (int a = 0; a < version_count; a++)
        for (int b = 0; b < version_count; b++)
            if (a != b)
                counts[count++] = pair_counts[MOST_VERSIONS * a + b];
    return test_print_counts("pair", counts, count);
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

typedef struct Body {
    Stage stage;
    uint64_t seed;
    int64_t scene;
    int frame;
    SceneMesh mesh;
    Morph *morph;
    bool is_planted;
    float signs[MOST_TARGETS]; /* of the weights, if it is */
    float weights[MOST_TARGETS];
    PliantBoundKind bound;
    int between_count;
    PliantShape *shape;
    PliPose pose;
    PliBox *scratch;
    const Version *opener, *fetcher;
    bool is_along_axes; /* the transform takes each axis to itself */
    float *vertices;    /* as pli_pose_vertices() says */
    int32_t *finite;    /* how many corners are, before each, in the order of the tree */
    double *columns[9]; /* of each corner: how far it is along each slab; NaN if it is not finite */
    int32_t column_count;
} Body;

static void fail(const Body *body, int failure, int32_t part, double found, double wanted)
{
    failure_counts[failure]++;
    if (failure_count++ >= 5)
        return;
    printf("FAILURE: %s: %a, %a, at %" PRId32 ", stage %s, bound %d, frame %d, %s and %s. Again: "
           "test_bounds --seed %" PRIu64 " --scene %" PRId64 "\n",
           failure_texts[failure], found, wanted, part, stage_kind_name(body->stage.kind),
           (int)body->bound, body->frame, pliant_cpu_name(body->opener->cpu),
           pliant_cpu_name(body->fetcher->cpu), body->seed, body->scene);
}

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("test_bounds: %s\n", pliant_result_name(result));
    exit(1);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        exit(1);
    return memory;
}

static int whole(Body *body, int low, int high)
{
    return stage_whole(&body->stage.random, low, high);
}

static bool chance(Body *body, int one_in)
{
    return whole(body, 1, one_in) == 1;
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
    float sign = chance(body, 3) ? -1 : 1;
    for (int32_t i = 0; i < 3 * body->mesh.vertex_count; i++)
        data[i] = (float)((double)sign * (planting.factor * (double)body->mesh.vertices[i] +
                                          planting.offset[i % 3]));
    body->signs[body->morph->target_count] = sign;
    morph_add(body->morph, (MorphTarget){data, NULL}, body->mesh.vertex_count);
}

static void plant_morph(Body *body)
{
    int32_t count = chance(body, 5) ? 70 : whole(body, 1, 8);
    double grain = 0x1p-23 * scene_random(&body->stage.random);
    bool is_grain = chance(body, 2);
    body->morph = calloc(1, sizeof *body->morph);
    if (!body->morph)
        exit(1);
    body->morph->user_count = 1;
    body->morph->kind = (PliantMorphKind)whole(body, 0, 1);
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
    body->is_planted = chance(body, 2) && can_be_planted(body);
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

static void make_shape(Body *body)
{
    static const int leaf_sizes[] = {1, 4, 16};
    PliantShapeDef def = pliant_shape_def_default();
    int kind = whole(body, 0, 3), children = whole(body, 0, 2), leaf = whole(body, 0, 2);
    int between_count = whole(body, 0, MOST_BETWEEN);
    body->bound = (PliantBoundKind)whole(body, 0, 3);
    body->between_count = body->morph->kind == PLIANT_MORPH_REFERENCES ? between_count : 0;
    def.vertices = (PliantVertices){body->mesh.vertices, body->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){body->mesh.triangles, body->mesh.triangle_count};
    def.tree_kind = (PliantTreeKind)kind;
    def.tree_child_count = 2 << children;
    def.tree_leaf_size = leaf_sizes[leaf];
    def.morph_kind = body->morph->kind;
    def.targets = body->morph->targets;
    def.target_count = body->morph->target_count;
    def.bound_kind = body->bound;
    def.between_count = body->between_count;
    must(pliant_shape_create(&def, &body->shape));
    tree_counts[kind]++;
    children_counts[children]++;
    leaf_counts[leaf]++;
    between_counts[body->between_count] += body->morph->kind == PLIANT_MORPH_REFERENCES;
}

static void make_pose(Body *body)
{
    const PliTree *tree = &body->shape->tree;
    size_t corner_count = 3 * (size_t)tree->item_count;
    must(pli_pose_init(&body->pose, body->shape, &body->shape->host));
    body->scratch = allocate((size_t)pli_pose_scratch_count(&body->pose) * sizeof *body->scratch);
    body->vertices = allocate(12 * (size_t)body->mesh.vertex_count);
    body->finite = allocate((corner_count + 1) * sizeof *body->finite);
    body->column_count = pli_slab_count(body->bound);
    for (int32_t s = 0; s < body->column_count; s++)
        body->columns[s] = allocate(corner_count * sizeof *body->columns[s]);
}

static void free_body(Body *body)
{
    for (int32_t s = 0; s < body->column_count; s++)
        free(body->columns[s]);
    free(body->finite);
    free(body->vertices);
    free(body->scratch);
    pli_pose_free(&body->pose, &body->shape->host);
    pliant_shape_release(body->shape);
    morph_release(body->morph);
    scene_mesh_free(&body->mesh);
}

/* ---- Poses -------------------------------------------------------------------------------------
 */

static void set_weights(Body *body)
{
    enum { ALL_ONE = WEIGHT_KIND_COUNT };
    float weights[MOST_TARGETS];
    int kind = whole(body, 0, ALL_ONE), factor = whole(body, 0, 7);
    bool is_for_all = chance(body, 2);
    if (body->between_count > 0 && chance(body, 2))
        kind = chance(body, 2) ? WEIGHT_two : WEIGHT_nearly_two;
    factor = factor < FACTOR_COUNT ? factor : 0;
    if (kind < ALL_ONE)
        morph_weights(&body->stage, body->morph, (WeightKind)kind, body->weights);
    for (int32_t t = 0; t < body->morph->target_count; t++) {
        if (kind == ALL_ONE)
            body->weights[t] = 1;
        weights[t] = body->weights[t] * (is_for_all || chance(body, 2) ? factors[factor] : 1);
        if (body->is_planted)
            weights[t] = copysignf(weights[t], body->signs[t]);
    }
    pli_pose_set_weights(&body->pose, weights);
    weights_counts[kind]++;
    factor_counts[factor]++;
}

static void set_map(Body *body)
{
    static const int powers[] = {-140, -130, -100, -50, 50, 100};
    StageTransform kind = (StageTransform)whole(body, 0, STAGE_TRANSFORM_COUNT - 1);
    PliantTransform transform = stage_transform(&body->stage, kind);
    int size = whole(body, 0, 4), power = powers[whole(body, 0, 5)];
    bool is_finite = true;
    for (int i = 0; i < 12 && size == 0; i++)
        transform.rows[i / 4][i % 4] = ldexpf(transform.rows[i / 4][i % 4], power);
    for (int i = 0; i < 12; i++)
        is_finite &= isfinite(transform.rows[i / 4][i % 4]);
    if (!is_finite)
        transform = pliant_transform_identity();
    pli_pose_set_map(&body->pose, &transform);
    body->is_along_axes = true;
    for (int i = 0; i < 9; i++)
        body->is_along_axes &= i / 3 == i % 3 || transform.rows[i / 3][i % 3] == 0;
    body->is_along_axes &= size != 0;
    transform_counts[kind]++;
    size_counts[size != 0 ? 0 : power < 0 ? 1 : 2]++;
}

/* The vertices on the other instruction set, in the order of the tree. */
static void fetch(Body *body)
{
    const PliTree *tree = &body->shape->tree;
    const uint32_t *corners = body->shape->sets.corners;
    pli_pose_vertices(&body->pose, body->vertices);
    body->finite[0] = 0;
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
        PliLeafBoxes boxes;
        pli_pose_fetch(&body->pose, leaf, &body->fetcher->kernels, rows, &boxes);
        PliRange range = tree->leaves[leaf];
        for (int32_t i = 0, c = 3 * range.first; i < 3 * range.count; i++, c++) {
            const float *p = rows + 3 * (size_t)i, *q = body->vertices + 3 * (size_t)corners[c];
            bool is_finite = pli_is_finite(p, 3);
            for (int k = 0; k < 3; k++)
                if (p[k] != q[k] && !(isnan(p[k]) && isnan(q[k])))
                    fail(body, FAILURE_vertex, c, (double)p[k], (double)q[k]);
            body->finite[c + 1] = body->finite[c] + is_finite;
            for (int32_t s = 0; s < body->column_count; s++) {
                const float *n = pli_slabs_of(body->bound)[s];
                double along = s < 3 ? (double)p[s]
                                     : (double)n[0] * (double)p[0] + (double)n[1] * (double)p[1] +
                                           (double)n[2] * (double)p[2];
                body->columns[s][c] = is_finite ? along : (double)NAN;
            }
        }
    }
}

/* ---- Checks ------------------------------------------------------------------------------------
 */

/* Some corners: all of a part of the tree. */
typedef struct Corners {
    int32_t first, end;
} Corners;

typedef struct Extremes {
    double low, high;
} Extremes;

/* NaN is passed over. */
static Extremes extremes_of(const double *values, Corners corners)
{
    Extremes found = {(double)INFINITY, -(double)INFINITY};
    for (int32_t i = corners.first; i < corners.end; i++) {
        found.low = values[i] < found.low ? values[i] : found.low;
        found.high = values[i] > found.high ? values[i] : found.high;
    }
    return found;
}

/* The farthest from a centre, squared. */
static double farthest_from(const Body *body, const double centre[3], Corners corners)
{
    double found = 0;
    for (int32_t i = corners.first; i < corners.end; i++) {
        double x = body->columns[0][i] - centre[0], y = body->columns[1][i] - centre[1],
               z = body->columns[2][i] - centre[2], square = x * x + y * y + z * z;
        found = square > found ? square : found;
    }
    return found;
}

static void use_share(const Body *body, int which, int32_t part, double share)
{
    share_counts[which]++;
    if (share > greatest_shares[which])
        greatest_shares[which] = share;
    if (share > 1)
        fail(body, FAILURE_margin, part, share, 1);
}

/* Of the margin, how much is needed: ends without it are its size farther in. */
static void use_ends(const Body *body, int which, int32_t part, Extremes found, float low,
                     float high)
{
    const PliBlending *blending = &body->pose.blending;
    double margin = (double)(which == SHARE_between ? blending->box_margin : blending->margin);
    use_share(body, which, part, 1 + ((double)low - found.low) / margin);
    use_share(body, which, part, 1 + (found.high - (double)high) / margin);
}

/* The ends of boxes that have no margin; and those of which vertices must be. */
static void count_ends(const Body *body, int32_t part, Extremes found, float low, float high)
{
    int attained = (found.low == (double)low) + (found.high == (double)high);
    end_count += 2;
    attained_count += attained;
    if (!body->is_planted || !body->is_along_axes)
        return;
    planted_end_count += 2;
    planted_met_count += attained;
    if (attained < 2)
        fail(body, FAILURE_attained, part, found.low == (double)low ? found.high : found.low,
             (double)(found.low == (double)low ? high : low));
}

static void check_box(const Body *body, const PliBoxes *boxes, int c, int32_t part, Corners corners,
                      bool is_new)
{
    const PliBlending *blending = &body->pose.blending;
    const bool has_slabs = body->pose.bounds.more_kind == PLI_MORE_SLABS;
    for (int k = 0; k < 3; k++) {
        Extremes found = extremes_of(body->columns[k], corners);
        float low = boxes->low[k][c], high = boxes->high[k][c];
        if (!((double)low <= found.low)) /* a NaN holds nothing */
            fail(body, FAILURE_box, part, found.low, (double)low);
        if (!((double)high >= found.high))
            fail(body, FAILURE_box, part, found.high, (double)high);
        if (body->bound == PLIANT_BOUND_BOX && blending->box_margin == 0)
            count_ends(body, part, found, low, high);
        else if (is_new && body->bound == PLIANT_BOUND_BOX && !body->pose.is_moved)
            use_ends(body, SHARE_between, part, found, low, high);
        else if (is_new && has_slabs && !blending->has_exact_boxes)
            use_ends(body, SHARE_axes, part, found, low, high);
    }
}

static void check_slabs(const Body *body, const float *more, int c, int32_t part, Corners corners,
                        bool is_new)
{
    const int32_t count = body->column_count - 3;
    for (int32_t s = 0; s < count; s++) {
        Extremes found = extremes_of(body->columns[3 + s], corners);
        float low = more[PLI_GROUP * s + c], high = more[PLI_GROUP * (count + s) + c];
        if (found.low < (double)low) /* a NaN is no bound */
            fail(body, FAILURE_slab, part, found.low, (double)low);
        if (found.high > (double)high)
            fail(body, FAILURE_slab, part, found.high, (double)high);
        if (is_new)
            use_ends(body, SHARE_diagonals, part, found, low, high);
    }
}

static void check_ball(const Body *body, const float *more, int c, int32_t part, Corners corners,
                       bool is_new)
{
    const double for_rounding = 1 + 0x1p-20, margin = (double)body->pose.blending.margin;
    double centre[3], radius = (double)more[3 * PLI_GROUP + c];
    for (int k = 0; k < 3; k++)
        centre[k] = (double)more[PLI_GROUP * k + c];
    double distance = sqrt(farthest_from(body, centre, corners));
    if (distance > radius)
        fail(body, FAILURE_ball, part, distance, radius);
    if (is_new)
        use_share(body, SHARE_balls, part, 1 + (distance - radius / for_rounding) / margin);
}

static void check_node(Body *body, int32_t node, bool is_new)
{
    PliBounds *bounds = &body->pose.bounds;
    const PliTree *tree = bounds->tree;
    const int64_t opened_count = bounds->opened_count;
    const PliBoxes *boxes = pli_bounds_of(bounds, node, &body->opener->kernels);
    const float *more = bounds->more + (size_t)bounds->more_size * (size_t)node;
    is_new |= bounds->opened_count > opened_count;
    open_counts[is_new]++;
    for (int c = 0; c < tree->nodes[node].child_count; c++) {
        int32_t child = tree->nodes[node].children[c];
        PliRange range = child < 0 ? tree->leaves[~child] : tree->nodes[child].range;
        Corners corners = {3 * range.first, 3 * (range.first + range.count)};
        int32_t count = body->finite[corners.end] - body->finite[corners.first];
        if (count == 0)
            continue;
        check_box(body, boxes, c, 8 * node + c, corners, is_new);
        if (bounds->more_kind == PLI_MORE_SLABS)
            check_slabs(body, more, c, 8 * node + c, corners, is_new);
        if (bounds->more_kind == PLI_MORE_BALLS)
            check_ball(body, more, c, 8 * node + c, corners, is_new);
        check_count += count;
    }
}

static void check_root(const Body *body)
{
    const PliBox *root = &body->pose.bounds.root;
    Corners all = {0, 3 * body->shape->tree.item_count};
    if (body->finite[all.end] == 0)
        return;
    for (int k = 0; k < 3; k++) {
        Extremes found = extremes_of(body->columns[k], all);
        if (!((double)root->low[k] <= found.low))
            fail(body, FAILURE_root, k, found.low, (double)root->low[k]);
        if (!((double)root->high[k] >= found.high))
            fail(body, FAILURE_root, k, found.high, (double)root->high[k]);
    }
}

/* ---- Scenes ------------------------------------------------------------------------------------
 */

/* Another instruction set than the one that opens, if there is one. */
static void pick_fetcher(Body *body)
{
    int a = (int)(body->opener - versions), b = a;
    if (version_count > 1)
        b = (a + whole(body, 1, version_count - 1)) % version_count;
    body->fetcher = &versions[b];
    pair_counts[MOST_VERSIONS * a + b]++;
}

static void play_frame(Body *body)
{
    PliBounds *bounds = &body->pose.bounds;
    pick_fetcher(body);
    if (body->frame > 0 || !chance(body, 4))
        set_weights(body);
    if (chance(body, 2))
        set_map(body);
    const int64_t opened_count = bounds->opened_count;
    pli_pose_update(&body->pose, &body->opener->kernels, body->scratch);
    const bool is_root_new = bounds->opened_count > opened_count;
    fetch(body);
    check_root(body);
    for (int32_t n = 0; n < bounds->tree->node_count; n++)
        check_node(body, n, n == 0 && is_root_new);
    pose_counts[pli_pose_has_weights(&body->pose)]++;
    bound_counts[body->bound]++;
    more_counts[bounds->more_kind]++;
    stage_counts[body->stage.kind]++;
    frame_count++;
}

static void play_scene(uint64_t seed, int64_t scene)
{
    Body body = {.seed = seed, .scene = scene, .is_along_axes = true};
    stage_init(&body.stage, (StageKind)(scene % STAGE_KIND_COUNT),
               seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)scene);
    body.stage.body_count = chance(&body, 8) ? 0 : 1; /* many small bodies rather than few large */
    body.opener = &versions[whole(&body, 0, version_count - 1)];
    body.mesh = stage_mesh(&body.stage);
    make_morph(&body);
    make_shape(&body);
    make_pose(&body);
    int frames = whole(&body, 1, 8);
    for (; body.frame < frames && failure_count < 5; body.frame++)
        play_frame(&body);
    free_body(&body);
}

static bool print_all(void)
{
    bool is_complete = print_pairs();
#define COUNTER_PRINT(name, size) is_complete &= test_print_counts(#name, name##_counts, size);
    COUNTERS(COUNTER_PRINT)
#undef COUNTER_PRINT
#define SHARE_PRINT(name, text)                                                                    \
    printf("of the margin of %s, %.4f was used\n", text, greatest_shares[SHARE_##name]);
    SHARES(SHARE_PRINT)
#undef SHARE_PRINT
    printf("of %" PRId64 " ends of boxes without a margin, %" PRId64 " were vertices'; of %" PRId64
           " planted ones, %" PRId64 "\n",
           end_count, attained_count, planted_end_count, planted_met_count);
    for (int i = 0; i < FAILURE_COUNT; i++)
        if (failure_counts[i] > 0)
            printf("%s: %" PRId64 "\n", failure_texts[i], failure_counts[i]);
    return is_complete && planted_end_count > 0;
}

int main(int argc, char **argv)
{
    int64_t wanted = 10000000, scene = -1;
    uint64_t seed = 1;
    bool is_usage = argc % 2 == 1, is_complete = true;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--checks") == 0)
            wanted = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--scene") == 0)
            scene = strtoll(argv[i + 1], NULL, 10);
        else
            is_usage = false;
    }
    if (!is_usage) {
        fprintf(stderr, "usage: %s [--checks N] [--seed S] [--scene K]\n", argv[0]);
        return 2;
    }
    find_versions();
    if (scene >= 0)
        play_scene(seed, scene);
    else {
        int64_t next = 0;
        for (; check_count < wanted && failure_count < 5; next++)
            play_scene(seed, next);
        printf("%" PRId64 " shapes, %" PRId64 " frames\n", next, frame_count);
        is_complete = print_all();
    }
    printf("bounds: seed %" PRIu64 ", %" PRId64 " checks, %" PRId64 " failures%s\n", seed,
           check_count, failure_count, is_complete ? "" : ", but not everything was reached");
    return failure_count != 0 || !is_complete;
}
