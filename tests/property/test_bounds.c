/* Bounds hold vertices: those of every node, each vertex below it, at any weights and joints.
 *
 *     test_bounds [--checks N] [--seed S] [--only KIND] [--scene K]
 *
 * Makes random shapes with targets, with joints, or with both (bodies.h), poses them by weights,
 * joints and transforms, opens every node from the top down on one instruction set, and takes the
 * vertices on another, until that many checks were made. A check is one vertex against the bounds
 * of one child of a node: it lies within its box, and within its slabs or its ball if there are
 * any; and within the box of all, which is not counted. Vertices are what pli_pose_vertices()
 * says.
 *
 * What is not a vertex's own expression has a margin (morph_bounds.c, skin.c). How much of it was
 * needed is printed, as the greatest share: a share above one is a failure. For a ball that is less
 * than its radius, of which a part is left for the rounding in comparisons of balls. Sums along
 * slabs and distances are taken in double: with Z above all coordinates and u = 2^-24, they are off
 * by less than 8 Z 2^-53, while margins are at least 32 Z u, so that shares are off by less than
 * 2^-29.
 *
 * Ends with 1 at any failure, or if something was never reached, which --only does not ask for.
 * --scene plays one shape again. */
#include "bodies.h"
#include "counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What was reached --------------------------------------------------------------------------
 */

/* X(name, size): counters, none of which may be zero in the end. */
#define COUNTERS(X)                                                                                \
    BODY_COUNTERS(X)                                                                               \
    X(stage, STAGE_KIND_COUNT)                                                                     \
    X(bound, 4)                                                                                    \
    X(skin_bound, 4)                                                                               \
    X(pose, 4)                                                                                     \
    X(more, 3)                                                                                     \
    X(open, 2)                                                                                     \
    X(share, SHARE_COUNT)

/* X(name, what has a margin). */
#define SHARES(X)                                                                                  \
    X(between, "boxes between two references")                                                     \
    X(axes, "slabs along the axes")                                                                \
    X(diagonals, "slabs along diagonals")                                                          \
    X(balls, "balls")                                                                              \
    X(joints, "boxes of what follows joints")                                                      \
    X(joint_balls, "balls of what follows joints")

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

/* Beside those of bodies. */
static int64_t stage_counts[STAGE_KIND_COUNT], bound_counts[4], skin_bound_counts[4];
static int64_t pose_counts[4], more_counts[3], open_counts[2], share_counts[SHARE_COUNT];

static const char *const kind_names[] = {
#define KIND_NAME(name, text) #name,
    BODY_KINDS(KIND_NAME)
#undef KIND_NAME
};

static int64_t check_count, frame_count, failure_count;
static int64_t end_count, attained_count;            /* of all boxes that have no margin */
static int64_t planted_end_count, planted_met_count; /* of those that vertices must attain */

/* ---- Instruction sets --------------------------------------------------------------------------
 */

enum { MAX_VERSIONS = 4 };
static Version versions[MAX_VERSIONS];
static int version_count;
static int64_t pair_counts[MAX_VERSIONS * MAX_VERSIONS];

static void find_versions(void)
{
    static const uint32_t vertex_lists[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                            PLIANT_CPU_AVX512};
    for (int i = 0; i < MAX_VERSIONS; i++) {
        if (vertex_lists[i] != 0 && !(vertex_lists[i] & pliant_cpu_features()))
            continue;
        versions[version_count].cpu = vertex_lists[i];
        pli_kernels_fill(&versions[version_count++].kernels, vertex_lists[i]);
    }
}

/* Each two, in both orders; a pair of one and the same has been left out. */
static bool print_pairs(void)
{
    int64_t counts[MAX_VERSIONS * MAX_VERSIONS] = {0};
    int count = 0;
    for (int a = 0; a < version_count; a++)
        for (int b = 0; b < version_count; b++)
            if (a != b)
                counts[count++] = pair_counts[MAX_VERSIONS * a + b];
    return test_print_counts("pair", counts, count);
}

static void fail(const Body *body, int failure, int32_t part, double found, double wanted)
{
    failure_counts[failure]++;
    if (failure_count++ >= 5)
        return;
    printf("FAILURE: %s: %a, %a, at %" PRId32 ", stage %s, bound %d, frame %d, %s and %s. Again: "
           "test_bounds --seed %" PRIu64 " --only %s --scene %" PRId64 "\n",
           failure_texts[failure], found, wanted, part, stage_kind_name(body->stage.kind),
           (int)body->bound, body->frame, pliant_cpu_name(body->opener->cpu),
           pliant_cpu_name(body->fetcher->cpu), body->seed, kind_names[body->kind], body->scene);
}

/* The vertices on the other instruction set, in the order of the tree. */
static void fetch(Body *body)
{
    const PliTree *tree = &body->shape->tree;
    const uint32_t *corners = body->shape->vertex_lists.corners;
    pli_pose_vertices(&body->pose.base, body->vertices);
    body->finite[0] = 0;
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
        PliLeafBoxes boxes;
        body->worker.kernels = &body->fetcher->kernels;
        pli_pose_fetch(&body->pose.base, leaf, &body->worker, PLI_SIDE_A, rows, &boxes);
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

/* The farthest from a center, squared. */
static double farthest_from(const Body *body, const double center[3], Corners corners)
{
    double found = 0;
    for (int32_t i = corners.first; i < corners.end; i++) {
        double x = body->columns[0][i] - center[0], y = body->columns[1][i] - center[1],
               z = body->columns[2][i] - center[2], square = x * x + y * y + z * z;
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
    const PliMorphState *morph = &body->pose.morph;
    double margin = (double)(which == SHARE_between ? morph->box_margin : morph->margin);
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

/* Does it follow joints? */
static bool is_skinned(const Body *body)
{
    return body->pose.skin.has_joints;
}

/* The margin of what follows joints, in a node: PliMargins says what it is. */
static double joint_margin(const Body *body, int32_t node)
{
    const PliSkinTables *skin_tables = &body->shape->skin_tables;
    const PliMargins *margins = &body->pose.skin.margins;
    const PliRange list = skin_tables->node_joint_lists[node];
    double n = list.count, b = 0, d = 0;
    for (int32_t i = list.first; i < list.first + list.count; i++) {
        const PliJointSize *size = &body->pose.skin.sizes[skin_tables->node_joints[i]];
        b = fmax(b, (double)size->coordinate);
        d = fmax(d, (double)size->row);
    }
    return (margins->base + n * margins->by_count) +
           b * ((margins->by_size[0] + n * margins->by_size[1]) + n * n * margins->by_size[2]) +
           d * margins->by_row;
}

static void check_box(const Body *body, const PliBoxes *boxes, int c, int32_t part, Corners corners,
                      bool is_new)
{
    const PliMorphState *morph = &body->pose.morph;
    const bool has_slabs = body->pose.base.bounds.extra_kind == PLI_EXTRA_SLABS;
    const double margin = is_skinned(body) ? joint_margin(body, part / 8) : 0;
    for (int k = 0; k < 3; k++) {
        Extremes found = extremes_of(body->columns[k], corners);
        float low = boxes->low[k][c], high = boxes->high[k][c];
        if (!((double)low <= found.low)) /* a NaN holds nothing */
            fail(body, FAILURE_box, part, found.low, (double)low);
        if (!((double)high >= found.high))
            fail(body, FAILURE_box, part, found.high, (double)high);
        if (is_skinned(body)) {
            if (is_new && body->bound != PLIANT_BOUND_SPHERE && morph->is_bounded) {
                use_share(body, SHARE_joints, part, 1 + ((double)low - found.low) / margin);
                use_share(body, SHARE_joints, part, 1 + (found.high - (double)high) / margin);
            }
        } else if (body->bound == PLIANT_BOUND_BOX && morph->box_margin == 0)
            count_ends(body, part, found, low, high);
        else if (is_new && body->bound == PLIANT_BOUND_BOX && !body->pose.base.is_moved)
            use_ends(body, SHARE_between, part, found, low, high);
        else if (is_new && has_slabs && !morph->has_exact_boxes)
            use_ends(body, SHARE_axes, part, found, low, high);
    }
}

static void check_slabs(const Body *body, const float *more, int c, int32_t part, Corners corners,
                        bool is_new)
{
    const int32_t count = body->column_count - 3;
    for (int32_t s = 0; s < count && more; s++) {
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
    const double for_rounding = is_skinned(body) ? 1 : 1 + 0x1p-20;
    const double margin =
        is_skinned(body) ? joint_margin(body, part / 8) : (double)body->pose.morph.margin;
    if (!more)
        return;
    double center[3], radius = (double)more[3 * PLI_GROUP + c];
    for (int k = 0; k < 3; k++)
        center[k] = (double)more[PLI_GROUP * k + c];
    double distance = sqrt(farthest_from(body, center, corners));
    if (distance > radius)
        fail(body, FAILURE_ball, part, distance, radius);
    if (is_new)
        use_share(body, is_skinned(body) ? SHARE_joint_balls : SHARE_balls, part,
                  1 + (distance - radius / for_rounding) / margin);
}

static void check_node(Body *body, int32_t node, bool is_new)
{
    PliBounds *bounds = &body->pose.base.bounds;
    const PliTree *tree = bounds->tree;
    const int64_t *opened_nodes = &body->worker.counts[PLI_SIDE_A].opened_nodes;
    const int64_t opened_before = *opened_nodes;
    body->worker.kernels = &body->opener->kernels;
    const PliBoxes *boxes = pli_bounds_of(bounds, node, &body->worker, PLI_SIDE_A);
    const float *more =
        bounds->extra_size > 0 ? pli_extra_at(bounds, bounds->node_slots[node].slot) : NULL;
    is_new |= *opened_nodes > opened_before;
    open_counts[is_new]++;
    for (int c = 0; c < tree->nodes[node].child_count; c++) {
        int32_t child = tree->nodes[node].children[c];
        PliRange range = child < 0 ? tree->leaves[~child] : tree->nodes[child].range;
        Corners corners = {3 * range.first, 3 * (range.first + range.count)};
        int32_t count = body->finite[corners.end] - body->finite[corners.first];
        if (count == 0)
            continue;
        check_box(body, boxes, c, 8 * node + c, corners, is_new);
        if (bounds->extra_kind == PLI_EXTRA_SLABS)
            check_slabs(body, more, c, 8 * node + c, corners, is_new);
        if (bounds->extra_kind == PLI_EXTRA_BALLS)
            check_ball(body, more, c, 8 * node + c, corners, is_new);
        check_count += count;
    }
}

static void check_root(const Body *body)
{
    const PliBox *root = &body->pose.base.bounds.root;
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
        b = (a + body_whole(body, 1, version_count - 1)) % version_count;
    body->fetcher = &versions[b];
    pair_counts[MAX_VERSIONS * a + b]++;
}

static void play_frame(Body *body)
{
    PliBounds *bounds = &body->pose.base.bounds;
    pick_fetcher(body);
    if (body->morph && (body->frame > 0 || !body_chance(body, 4)))
        body_set_weights(body);
    if (body->skin && (body->frame > 0 || !body_chance(body, 4)))
        body_set_joints(body);
    if (body_chance(body, 2))
        body_set_transform(body);
    const int64_t *opened_nodes = &body->worker.counts[PLI_SIDE_A].opened_nodes;
    const int64_t opened_before = *opened_nodes;
    body->worker.kernels = &body->opener->kernels;
    pli_pose_update(&body->pose.base, &body->worker);
    const bool is_root_new = *opened_nodes > opened_before;
    fetch(body);
    check_root(body);
    for (int32_t n = 0; n < bounds->tree->node_count; n++)
        check_node(body, n, n == 0 && is_root_new);
    pose_counts[2 * is_skinned(body) + body->pose.morph.has_weights]++;
    *(is_skinned(body) ? &skin_bound_counts[body->bound] : &bound_counts[body->bound]) += 1;
    more_counts[bounds->extra_kind]++;
    stage_counts[body->stage.kind]++;
    frame_count++;
}

typedef struct Options {
    int64_t checks, scene;
    uint64_t seed;
    int only; /* -1: all kinds */
} Options;

static void play_scene(const Options *options, int64_t scene)
{
    Body body = {.seed = options->seed, .scene = scene};
    body.kind =
        (BodyKind)(options->only >= 0 ? options->only
                                      : (scene + scene / STAGE_KIND_COUNT) % BODY_KIND_COUNT);
    stage_init(&body.stage, (StageKind)(scene % STAGE_KIND_COUNT),
               options->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)scene);
    body.stage.body_count =
        body_chance(&body, 8) ? 0 : 1; /* many small bodies rather than few large */
    body.opener = &versions[body_whole(&body, 0, version_count - 1)];
    body_init(&body);
    int frames = body_whole(&body, 1, body.has_planted_skin ? 40 : 8);
    for (; body.frame < frames && failure_count < 5; body.frame++)
        play_frame(&body);
    body_free(&body);
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

/* -1: there is no such kind. */
static int kind_of(const char *name)
{
    for (int i = 0; i < BODY_KIND_COUNT; i++)
        if (strcmp(name, kind_names[i]) == 0)
            return i;
    return -1;
}

static bool read_options(int argc, char **argv, Options *options)
{
    bool is_right = argc % 2 == 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--checks") == 0)
            options->checks = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            options->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--scene") == 0)
            options->scene = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            is_right &= (options->only = kind_of(value)) >= 0;
        else
            is_right = false;
    }
    return is_right;
}

int main(int argc, char **argv)
{
    Options options = {.checks = 10000000, .scene = -1, .seed = 1, .only = -1};
    bool is_complete = true;
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "usage: %s [--checks N] [--seed S] [--only KIND] [--scene K]\n", argv[0]);
        return 2;
    }
    find_versions();
    if (options.scene >= 0)
        play_scene(&options, options.scene);
    else {
        int64_t next = 0;
        for (; check_count < options.checks && failure_count < 5; next++)
            play_scene(&options, next);
        printf("%" PRId64 " shapes, %" PRId64 " frames\n", next, frame_count);
        is_complete = print_all() || options.only >= 0;
    }
    printf("bounds: seed %" PRIu64 ", %" PRId64 " checks, %" PRId64 " failures%s\n", options.seed,
           check_count, failure_count, is_complete ? "" : ", but not everything was reached");
    return failure_count != 0 || !is_complete;
}
