/* Pairs of features and impacts: which vertices they name, and limits of their number. */
#include "unit.h"

#include "asked.h"
#include "host.h"
#include "refuse.h"
#include <pliant/pliant.h>
#include <scenes.h>

#include <math.h>
#include <string.h>
#include <time.h>

/* ---- Bodies ------------------------------------------------------------------------------------
 *
 * A ball and another one beside it, each as a mesh, a mesh with groups, or a soup. */

typedef enum Kind {
    MESH,
    TOGETHER, /* each triangle has vertices of its own, which groups join */
    APART,    /* the same, and each triangle is a little smaller than its place */
    DIVIDED,  /* a mesh whose triangles have many pieces */
    CORNERS,  /* a soup whose triangles share vertices */
    LOOSE,    /* a soup without corners */
    POINTS,   /* a soup of points that share vertices */
    KIND_COUNT
} Kind;

typedef struct Ball {
    Kind kind;
    SceneMesh mesh;
    PliantShape *shape;
    PliantBody body, end;
    int32_t vertex_count, triangle_count;
    uint32_t *corners; /* of each triangle; those of a point are one */
    uint32_t *firsts;  /* the first of each */
    uint32_t *groups;  /* of each vertex */
    float *start, *finish;
} Ball;

static bool is_split(Kind kind)
{
    return kind == TOGETHER || kind == APART || kind == LOOSE;
}

static void *allocate(size_t count, size_t size)
{
    return scene_allocate(count, size);
}

/* Corners, groups and vertices at rest, from those of a sphere. */
static void fill_ball(Ball *ball, int subdivisions)
{
    const SceneMesh mesh = ball->mesh = scene_icosphere(subdivisions);
    const bool are_points = ball->kind == POINTS;
    ball->triangle_count = are_points ? mesh.vertex_count + 7 : mesh.triangle_count;
    const size_t corner_count = 3 * (size_t)ball->triangle_count;
    ball->vertex_count = is_split(ball->kind) ? (int32_t)corner_count : mesh.vertex_count;
    ball->corners = allocate(corner_count, sizeof *ball->corners);
    ball->groups = allocate((size_t)ball->vertex_count, sizeof *ball->groups);
    ball->start = allocate((size_t)ball->vertex_count, sizeof(float[3]));
    ball->finish = allocate((size_t)ball->vertex_count, sizeof(float[3]));
    ball->firsts = allocate((size_t)ball->triangle_count, sizeof *ball->firsts);
    for (int32_t v = 0; v < ball->vertex_count; v++)
        ball->groups[v] = (uint32_t)v;
    for (uint32_t c = 0; c < (uint32_t)corner_count; c++) {
        const uint32_t own = are_points ? c / 3 % (uint32_t)mesh.vertex_count : mesh.triangles[c];
        ball->corners[c] = is_split(ball->kind) ? c : own;
        ball->firsts[c / 3] = ball->corners[c / 3 * 3];
        memcpy(ball->start + 3 * ball->corners[c], mesh.vertices + 3 * own, sizeof(float[3]));
        for (uint32_t d = 0; d < c && is_split(ball->kind) && ball->kind != LOOSE; d++)
            if (mesh.triangles[d] == own) {
                ball->groups[c] = d;
                break;
            }
    }
}

static void create_mesh(Ball *ball, PliantWorld *world)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){ball->start, ball->vertex_count, 0};
    def.triangles = (PliantTriangles){ball->corners, ball->triangle_count};
    def.groups = is_split(ball->kind) ? ball->groups : NULL;
    if (ball->kind == DIVIDED) {
        def.divide_kind = PLIANT_DIVIDE_QUARTERS;
        def.divide_size = .25f;
    }
    MUST(pliant_shape_create(&def, &ball->shape));
    MUST(pliant_body_create(world, ball->shape, &ball->body));
}

/* Vertices are borrowed. */
static void set_pose(const Ball *ball, PliantWorld *world, PliantBody body, const float *vertices)
{
    const PliantVertices borrowed = {vertices, ball->vertex_count, 0};
    if (ball->shape) {
        MUST(pliant_body_borrow_vertices(world, body, borrowed));
        return;
    }
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = borrowed;
    primitives.count = ball->triangle_count;
    primitives.corners = ball->kind == LOOSE    ? NULL
                         : ball->kind == POINTS ? ball->firsts
                                                : ball->corners;
    MUST(pliant_body_borrow_primitives(world, body, &primitives));
}

/* Moves the ball to x and by `way` until the end. */
static void place(Ball *ball, PliantWorld *world, float x, float way)
{
    for (int32_t i = 0; i < 3 * ball->vertex_count; i++) {
        ball->start[i] += i % 3 == 0 ? x : 0;
        ball->finish[i] = ball->start[i] + (i % 3 == 0 ? way : 0);
    }
    set_pose(ball, world, ball->body, ball->start);
    MUST(pliant_body_create_end(world, ball->body, &ball->end));
    set_pose(ball, world, ball->end, ball->finish);
}

static void create(Ball *ball, Kind kind, int subdivisions, PliantWorld *world, float x, float way)
{
    *ball = (Ball){.kind = kind};
    fill_ball(ball, subdivisions);
    if (kind <= DIVIDED) {
        create_mesh(ball, world);
    } else {
        PliantSoupDef def = pliant_soup_def_default();
        def.primitive_kind = kind == POINTS ? PLIANT_POINTS : PLIANT_TRIANGLES;
        MUST(pliant_body_create_soup(world, &def, &ball->body));
    }
    for (int32_t t = 0; t < ball->triangle_count && kind == APART; t++)
        for (int32_t i = 0; i < 9; i++) {
            const float *row = ball->mesh.vertices;
            float middle = 0;
            for (int k = 0; k < 3; k++)
                middle += row[3 * ball->mesh.triangles[3 * t + k] + (uint32_t)i % 3] / 3;
            ball->start[9 * t + i] += (middle - ball->start[9 * t + i]) / 16;
        }
    place(ball, world, x, way);
}

static void destroy(Ball *ball)
{
    pliant_shape_release(ball->shape);
    free(ball->corners);
    free(ball->firsts);
    free(ball->groups);
    free(ball->start);
    free(ball->finish);
    scene_mesh_free(&ball->mesh);
}

typedef struct Stage {
    TestHost host;
    PliantWorld *world;
    Ball balls[2];
} Stage;

/* Two balls of radius 1: a gap between them, and the second goes into the first. */
static void start_as(Stage *stage, Kind a, Kind b, int subdivisions, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    test_host_init(&stage->host);
    def.host = &stage->host.host;
    def.cpu_mask = cpu_mask;
    MUST(pliant_world_create(&def, &stage->world));
    create(&stage->balls[0], a, subdivisions, stage->world, 0, .125f);
    create(&stage->balls[1], b, subdivisions, stage->world, 2.0625f, -.5f);
}

static void start(Stage *stage, Kind a, Kind b, int subdivisions)
{
    start_as(stage, a, b, subdivisions, PLIANT_CPU_ALL);
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
    destroy(&stage->balls[0]);
    destroy(&stage->balls[1]);
}

/* ---- Vertices ----------------------------------------------------------------------------------
 */

/* Are `count` vertices those of a feature? Corners are in their order; others by their groups. */
static void check_feature(const Ball *ball, int32_t feature, int count, const uint32_t *vertices)
{
    for (int i = 0; i < count; i++)
        assert_true(vertices[i] < (uint32_t)ball->vertex_count);
    if (count == 1)
        assert_int_equal(ball->groups[vertices[0]], feature);
    if (count == 3)
        assert_memory_equal(vertices, ball->corners + 3 * feature, sizeof(uint32_t[3]));
    if (count != 2)
        return;
    const uint32_t ends[2] = {ball->groups[vertices[0]], ball->groups[vertices[1]]};
    assert_true(ends[0] < ends[1]);
    if (ball->kind == LOOSE)
        assert_true(vertices[0] / 3 == (uint32_t)feature / 3 &&
                    vertices[1] / 3 == (uint32_t)feature / 3);
    if (ball->shape) {
        const uint32_t *edges;
        int32_t edge_count;
        MUST(pliant_shape_edges(ball->shape, &edges, &edge_count));
        assert_memory_equal(ends, edges + 2 * feature, sizeof ends);
    }
}

static int count_of_a(PliantFeatures kind)
{
    static const int counts[] = {1, 3, 2};
    return counts[kind];
}

static void check_vertices(const Stage *stage, PliantFeatures kind, int32_t a, int32_t b,
                           const uint32_t vertices[4])
{
    const int count = count_of_a(kind);
    check_feature(&stage->balls[0], a, count, vertices);
    check_feature(&stage->balls[1], b, 4 - count, vertices + count);
}

/* The sum of the weighted vertices at a time. */
static void sum_vertices(const Stage *stage, int count, const uint32_t vertices[4],
                         const float weights[4], float time, double sum[3])
{
    memset(sum, 0, sizeof(double[3]));
    for (int i = 0; i < 4; i++) {
        const Ball *ball = &stage->balls[i >= count];
        for (uint32_t k = 0; k < 3; k++) {
            const double from = ball->start[3 * vertices[i] + k],
                         to = ball->finish[3 * vertices[i] + k];
            sum[k] += (double)weights[i] * (from + (double)time * (to - from));
        }
    }
}

static void check_near_pair(const Stage *stage, const PliantNearPair *pair)
{
    double sum[3];
    check_vertices(stage, pair->kind, pair->feature_a, pair->feature_b, pair->vertices);
    sum_vertices(stage, count_of_a(pair->kind), pair->vertices, pair->weights, 0, sum);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(sum[k] - (double)pair->distance * (double)pair->normal[k]) < 1e-6);
    assert_int_equal(pair->pair_count, 1);
    assert_int_equal(pair->flags, 0);
}

static void check_impact(const Stage *stage, const PliantImpact *impact)
{
    double sum[3];
    check_vertices(stage, impact->kind, impact->feature_a, impact->feature_b, impact->vertices);
    sum_vertices(stage, count_of_a(impact->kind), impact->vertices, impact->weights, impact->time,
                 sum);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(sum[k]) < 1e-5);
    assert_int_equal(impact->pair_count, 1);
    assert_int_equal(impact->flags, 0);
}

/* Of bodies of all kinds, with a margin and without: the same bytes. */
static void check_margins(const Stage *stage, bool is_sweep)
{
    const bool have_points = stage->balls[0].kind == POINTS || stage->balls[1].kind == POINTS;
    Asked asked =
        test_asked(stage->world, stage->balls[0].body, stage->balls[1].body, is_sweep ? 0 : .25f);
    Answered found;
    void *first = NULL;
    for (int i = 0; i < 3; i++) {
        asked.numbers[ASKED_MARGIN] = i == 0 ? 0 : .125f;
        MUST(is_sweep ? test_ask_sweep(&asked, &found) : test_ask_near(&asked, &found));
        const size_t size = (size_t)found.count * found.item_size;
        assert_false(found.is_limit_reached);
        assert_true(found.count > (is_sweep ? 0 : 2) || (is_sweep && have_points));
        for (int64_t k = 0; k < found.count && i == 0; k++)
            if (is_sweep)
                check_impact(stage, (const PliantImpact *)found.items + k);
            else
                check_near_pair(stage, (const PliantNearPair *)found.items + k);
        first = i == 0 ? allocate(size + 1, 1) : first;
        if (i == 0 && found.items && size > 0)
            memcpy(first, found.items, size);
        if (found.items && size > 0)
            assert_memory_equal(first, found.items, size);
    }
    free(first);
}

static void check_kinds(Kind a, Kind b)
{
    Stage stage;
    start(&stage, a, b, 2);
    check_margins(&stage, false);
    check_margins(&stage, true);
    PliantDistance distance = pliant_distance_default();
    MUST(pliant_bodies_distance(stage.world, stage.balls[0].body, stage.balls[1].body, NULL,
                                &distance));
    check_near_pair(&stage, &distance.pair);
    end(&stage);
}

static void test_vertices(void **state)
{
    (void)state;
    for (Kind a = 0; a < KIND_COUNT; a++)
        for (Kind b = 0; b < KIND_COUNT; b++)
            check_kinds(a, b);
}

/* Two triangles have six vertices, and none is named. */
static void test_touching_bodies(void **state)
{
    (void)state;
    Stage stage;
    start(&stage, MESH, MESH, 1);
    set_pose(&stage.balls[1], stage.world, stage.balls[1].body, stage.balls[1].finish);
    PliantDistance distance = pliant_distance_default();
    MUST(pliant_bodies_distance(stage.world, stage.balls[0].body, stage.balls[1].body, NULL,
                                &distance));
    assert_int_equal(distance.pair.kind, PLIANT_TRIANGLE_TRIANGLE);
    assert_int_equal(distance.pair.pair_count, 1);
    for (int i = 0; i < 4; i++)
        assert_true(distance.pair.vertices[i] == PLIANT_NO_VERTEX);
    end(&stage);
}

/* ---- Limits ------------------------------------------------------------------------------------
 */

static double seconds(void)
{
    struct timespec now;
    assert_int_equal(timespec_get(&now, TIME_UTC), TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All features are within the distance: billions of pairs. A thousand take 12 to 36 ms and 3 to 9
 * MB on two cores that are busy. The limit is fifty times 50 ms, for slow machines and sanitizers.
 */
static void check_huge(TestAsk *ask, Kind kind, bool is_self)
{
    Stage stage;
    start(&stage, kind, kind, 5);
    Asked asked = test_asked(stage.world, stage.balls[0].body, stage.balls[!is_self].body, 2000);
    Answered found;
    const bool is_near = ask == test_ask_near;
    asked.is_of_two = is_near;
    asked.max_count = 1000;
    const int64_t total = stage.host.total;
    const double begin = seconds();
    MUST(ask(&asked, &found));
    assert_true(!is_near || seconds() - begin < 50 * .05);
    assert_int_equal(found.count, 1000);
    assert_true(found.is_limit_reached);
    assert_true(stage.host.total - total < 20 << 20);
    for (int64_t i = 0; i < found.count && !is_self && is_near; i++)
        check_near_pair(&stage, (const PliantNearPair *)found.items + i);
    end(&stage);
}

static void test_huge(void **state)
{
    (void)state;
    check_huge(test_ask_near, MESH, false);
    check_huge(test_ask_near, MESH, true);
    check_huge(test_ask_near, CORNERS, false);
    check_huge(test_ask_sweep, MESH, false);
}

static bool is_near_before(const PliantNearPair *a, const PliantNearPair *b)
{
    const bool is_swapped = a->kind == PLIANT_TRIANGLE_VERTEX;
    const int64_t keys[5][2] = {
        {a->body_a.index, b->body_a.index},
        {a->body_b.index, b->body_b.index},
        {(int64_t)a->kind, (int64_t)b->kind},
        {is_swapped ? a->feature_b : a->feature_a, is_swapped ? b->feature_b : b->feature_a},
        {is_swapped ? a->feature_a : a->feature_b, is_swapped ? b->feature_a : b->feature_b}};
    for (int i = 0; i < 5; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1];
    return false;
}

/* Every limit returns so many of all pairs, in order, with every instruction set. It is reached if
 * and only if there are more. */
static void test_near_limits(void **state)
{
    (void)state;
    Stage stages[2];
    start_as(&stages[0], MESH, APART, 2, PLIANT_CPU_ALL);
    start_as(&stages[1], MESH, APART, 2, 0);
    PliantNearDef def = pliant_near_def_default();
    def.distance = .25f;
    def.includes_self = true;
    PliantNearPairs pairs[2] = {pliant_near_pairs_default(), pliant_near_pairs_default()};
    MUST(pliant_world_near(stages[0].world, &def, &pairs[0]));
    const int64_t all = pairs[0].count;
    const int64_t limits[] = {1, 2, 63, 64, all / 2, all - 1, all, all + 1, INT64_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        def.max_pair_count = limits[i];
        def.margin = i % 2 == 0 ? .125f : 0; /* has no effect */
        for (int k = 0; k < 2; k++) {
            MUST(pliant_world_near(stages[k].world, &def, &pairs[k]));
            assert_int_equal(pairs[k].count, limits[i] < all ? limits[i] : all);
            assert_int_equal(pairs[k].is_limit_reached, limits[i] < all);
        }
        for (int64_t k = 0; k < pairs[0].count; k++) {
            assert_int_equal(pairs[0].items[k].feature_a, pairs[1].items[k].feature_a);
            assert_int_equal(pairs[0].items[k].feature_b, pairs[1].items[k].feature_b);
            assert_memory_equal(pairs[0].items[k].vertices, pairs[1].items[k].vertices, 16);
            assert_true(k == 0 || is_near_before(&pairs[0].items[k - 1], &pairs[0].items[k]));
        }
    }
    def.max_pair_count = -1;
    REFUSE(stages[0].host, pliant_world_near(stages[0].world, &def, &pairs[0]), PLIANT_BAD_ARGUMENT,
           "def.max_pair_count is -1");
    end(&stages[0]);
    end(&stages[1]);
}

/* What was kept before stays as it was. */
static void test_limit_and_margin(void **state)
{
    (void)state;
    Stage stage;
    start(&stage, MESH, MESH, 3);
    PliantNearDef def = pliant_near_def_default(), limited = def;
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantStats stats = pliant_stats_default();
    def.distance = limited.distance = .125f;
    def.margin = limited.margin = .125f;
    limited.max_pair_count = 5;
    MUST(pliant_world_near(stage.world, &def, &pairs));
    const int64_t all = pairs.count;
    MUST(pliant_world_near(stage.world, &limited, &pairs));
    assert_int_equal(pairs.count, 5);
    MUST(pliant_world_near(stage.world, &def, &pairs));
    MUST(pliant_world_stats(stage.world, &stats));
    assert_int_equal(pairs.count, all);
    assert_int_equal(stats.leaves_evaluated, 0);
    end(&stage);
}

static int64_t count_impacts(const Stage *stage, const PliantSweepDef *def, bool *is_reached)
{
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_world_sweep(stage->world, def, &impacts));
    *is_reached = impacts.is_limit_reached;
    for (int64_t i = 1; i < impacts.count; i++) {
        const PliantImpact *a = &impacts.items[i - 1], *b = &impacts.items[i];
        assert_true(a->body_a.index < b->body_a.index || a->body_b.index < b->body_b.index ||
                    a->kind <= b->kind);
    }
    return impacts.count;
}

static void test_sweep_limits(void **state)
{
    (void)state;
    Stage stage;
    Ball third;
    bool is_reached;
    start(&stage, MESH, APART, 2);
    create(&third, CORNERS, 2, stage.world, -2.0625f, .5f);
    PliantSweepDef def = pliant_sweep_def_default();
    for (int kind = PLIANT_EARLIEST; kind <= PLIANT_ALL_IMPACTS; kind++) {
        def.kind = (PliantSweepKind)kind;
        def.max_impact_count = 0;
        const int64_t all = count_impacts(&stage, &def, &is_reached);
        assert_false(is_reached);
        assert_true(kind == PLIANT_EARLIEST ? all == 1 : kind == PLIANT_ALL_IMPACTS || all == 2);
        const int64_t limits[] = {1,   2,       all / 2 + 1, all > 1 ? all - 1 : 1,
                                  all, all + 1, INT64_MAX};
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            def.max_impact_count = limits[i];
            def.margin = i % 2 == 0 ? .125f : 0; /* has no effect */
            assert_int_equal(count_impacts(&stage, &def, &is_reached),
                             limits[i] < all ? limits[i] : all);
            assert_int_equal(is_reached, limits[i] < all);
        }
    }
    PliantImpacts impacts = pliant_impacts_default();
    def.max_impact_count = -1;
    REFUSE(stage.host, pliant_world_sweep(stage.world, &def, &impacts), PLIANT_BAD_ARGUMENT,
           "def.max_impact_count is -1");
    end(&stage);
    destroy(&third);
}

/* ---- What is not finite ------------------------------------------------------------------------
 */

/* A square of two triangles. The first has a NaN: the second brings its own features, and the
 * edge that both have. */
static void test_nonfinite(void **state)
{
    (void)state;
    static const uint32_t corners[6] = {0, 1, 2, 1, 3, 2};
    /* Vertex 2 is twice there: as 2 of the first triangle and as 4 of the second. */
    static const uint32_t grouped_corners[6] = {0, 1, 2, 1, 3, 4}, groups[5] = {0, 1, 2, 3, 2};
    static const float below[9] = {-4, -4, -.5f, 8, -4, -.5f, -4, 8, -.5f};
    static const uint32_t one[3] = {0, 1, 2};
    for (int kind = 0; kind < 3; kind++) {
        float vertices[5][3] = {{NAN, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 1, 0}};
        float lower[5][3];
        vertices[4][0] = kind == 2 ? .125f : 0;
        memcpy(lower, vertices, sizeof lower);
        for (int v = 0; v < 5; v++)
            lower[v][2] = -1;
        const bool is_grouped = kind > 0;
        const uint32_t *triangles = is_grouped ? grouped_corners : corners;
        const int32_t vertex_count = is_grouped ? 5 : 4;
        PliantShapeDef def = pliant_shape_def_default();
        PliantShape *shapes[2];
        PliantWorld *world;
        PliantBody square, floor, square_end;
        def.vertices = (PliantVertices){vertices[0], vertex_count, 0};
        def.triangles = (PliantTriangles){triangles, 2};
        def.groups = is_grouped ? groups : NULL;
        MUST(pliant_shape_create(&def, &shapes[0]));
        def.vertices = (PliantVertices){below, 3, 0};
        def.triangles = (PliantTriangles){one, 1};
        def.groups = NULL;
        MUST(pliant_shape_create(&def, &shapes[1]));
        MUST(pliant_world_create(NULL, &world));
        MUST(pliant_body_create(world, shapes[0], &square));
        MUST(pliant_body_create(world, shapes[1], &floor));
        MUST(pliant_body_create_end(world, square, &square_end));
        MUST(pliant_body_set_vertices(world, square_end,
                                      (PliantVertices){lower[0], vertex_count, 0}));
        for (int is_given = 0; is_given < 2; is_given++) {
            if (is_given)
                MUST(pliant_body_set_vertices(world, square,
                                              (PliantVertices){vertices[0], vertex_count, 0}));
            PliantNearDef near_def = pliant_near_def_default();
            PliantSweepDef sweep_def = pliant_sweep_def_default();
            PliantNearPairs pairs = pliant_near_pairs_default();
            PliantImpacts impacts = pliant_impacts_default();
            near_def.distance = .5f;
            sweep_def.kind = PLIANT_ALL_IMPACTS;
            MUST(pliant_world_near(world, &near_def, &pairs));
            assert_int_equal(pairs.count, 3); /* vertices 1 to 3 and the floor */
            for (int32_t i = 0; i < 3; i++) {
                assert_int_equal(pairs.items[i].kind, PLIANT_VERTEX_TRIANGLE);
                assert_int_equal(pairs.items[i].feature_a, i + 1);
            }
            if (is_grouped)
                assert_int_equal(pairs.items[1].vertices[0], 4);
            MUST(pliant_world_sweep(world, &sweep_def, &impacts));
            assert_int_equal(impacts.count, 3);
            for (int32_t i = 0; i < 3; i++)
                assert_int_equal(impacts.items[i].feature_a, i + 1);
            if (is_grouped)
                assert_int_equal(impacts.items[1].vertices[0], 4);
        }
        vertices[0][0] = 0; /* not finite at the end alone */
        PliantSweepDef sweep_def = pliant_sweep_def_default();
        PliantImpacts impacts = pliant_impacts_default();
        sweep_def.kind = PLIANT_ALL_IMPACTS;
        MUST(pliant_body_set_vertices(world, square,
                                      (PliantVertices){vertices[0], vertex_count, 0}));
        MUST(pliant_world_sweep(world, &sweep_def, &impacts));
        assert_int_equal(impacts.count, 3);
        pliant_world_destroy(world);
        pliant_shape_release(shapes[0]);
        pliant_shape_release(shapes[1]);
    }
}

/* ---- Features that touch -----------------------------------------------------------------------
 */

/* A triangle beside another one in space; their pair of this kind has this normal, of either sign,
 * at a distance of 0. */
static void check_normal(const float a[9], const float b[9], PliantFeatures kind, int32_t feature_a,
                         int32_t feature_b, const float normal[3])
{
    PliantWorld *world;
    PliantBody bodies[2];
    PliantNearPairs pairs = pliant_near_pairs_default();
    MUST(pliant_world_create(NULL, &world));
    for (int i = 0; i < 2; i++) {
        PliantPrimitives primitives = pliant_primitives_default();
        primitives.vertices = (PliantVertices){i == 0 ? a : b, 3, 0};
        primitives.count = 1;
        MUST(pliant_body_create_soup(world, NULL, &bodies[i]));
        MUST(pliant_body_set_primitives(world, bodies[i], &primitives));
    }
    MUST(pliant_world_near(world, NULL, &pairs));
    bool is_there = false;
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantNearPair *pair = &pairs.items[i];
        if (pair->kind != kind || pair->feature_a != feature_a || pair->feature_b != feature_b)
            continue;
        is_there = true;
        double along = 0, length = 0, sum = 0;
        for (int k = 0; k < 3; k++) {
            along += (double)pair->normal[k] * (double)normal[k];
            length += (double)pair->normal[k] * (double)pair->normal[k];
        }
        for (int k = 0; k < 4; k++)
            sum += fabs((double)pair->weights[k]);
        const double wanted = normal[0] != 0 || normal[1] != 0 || normal[2] != 0;
        assert_true(pair->distance == 0);
        assert_true(fabs(length - wanted) < 1e-6 && fabs(fabs(along) - wanted) < 1e-6);
        assert_true(fabs(sum - 2) < 1e-6);
    }
    assert_true(is_there);
    pliant_world_destroy(world);
}

static void test_touching(void **state)
{
    (void)state;
    static const float up[3] = {0, 0, 1}, across[3] = {0, 1, 0}, none[3] = {0};
    static const float flat[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    /* Its first corner is a corner, within an edge, and within the triangle. */
    static const float at_corner[9] = {0, 0, 0, -1, 0, 2, -1, -1, 2},
                       at_edge[9] = {2, 0, 0, 2, -1, 2, 3, -1, 2},
                       inside[9] = {1, 1, 0, 1, 2, 2, 2, 1, 2};
    check_normal(flat, at_corner, PLIANT_TRIANGLE_VERTEX, 0, 0, up);
    check_normal(at_corner, flat, PLIANT_VERTEX_TRIANGLE, 0, 0, up);
    check_normal(flat, at_edge, PLIANT_TRIANGLE_VERTEX, 0, 0, up);
    check_normal(flat, inside, PLIANT_TRIANGLE_VERTEX, 0, 0, up);
    /* Edges with a common end, one that ends within the other, and two in one line. */
    static const float turned[9] = {0, 0, 0, 0, 0, 4, -1, -1, 1},
                       in_line[9] = {0, 0, 0, -4, 0, 0, -1, -1, 1};
    check_normal(flat, turned, PLIANT_EDGE_EDGE, 0, 0, across);
    check_normal(flat, (const float[9]){2, 0, 0, 2, 0, 4, 1, -1, 1}, PLIANT_EDGE_EDGE, 0, 0,
                 across);
    check_normal(flat, in_line, PLIANT_EDGE_EDGE, 0, 0, none);
    /* A triangle without area has none; one that is nearly so has. */
    static const float thin[9] = {0, 0, 0, 4, 0, 0, 8, 0, 0},
                       thinner[9] = {0, 0, 0, 4, 0, 0, 8, 0x1p-60f, 0};
    check_normal(thin, at_corner, PLIANT_TRIANGLE_VERTEX, 0, 0, none);
    check_normal(thinner, at_corner, PLIANT_TRIANGLE_VERTEX, 0, 0, up);
    /* Three points of one line, whose differences are not doubles. */
    const float a = 0x1.2p-24f, q = 0x1.ap22f,
                line[9] = {a, 7 * a, 0, q, 7 * q, 0, 3 * q, 21 * q, 0},
                at_end[9] = {a, 7 * a, 0, -1, 0, 2, -1, -1, 2};
    check_normal(line, at_end, PLIANT_TRIANGLE_VERTEX, 0, 0, none);
}

/* With a distance, what touches at the start has a normal too: against the motion. */
static void test_touching_sweep(void **state)
{
    (void)state;
    static const float flat[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    static const float corner[9] = {0, 0, 0, -1, 0, 2, -1, -1, 2};
    for (int direction = -1; direction <= 1; direction += 2) {
        PliantWorld *world;
        PliantBody bodies[2], end_body;
        PliantSweepDef def = pliant_sweep_def_default();
        PliantImpacts impacts = pliant_impacts_default();
        PliantPrimitives primitives = pliant_primitives_default();
        float moved[9];
        for (int i = 0; i < 9; i++)
            moved[i] = corner[i] + (i % 3 == 2 ? (float)direction : 0);
        MUST(pliant_world_create(NULL, &world));
        primitives.count = 1;
        for (int i = 0; i < 2; i++) {
            primitives.vertices = (PliantVertices){i == 0 ? flat : corner, 3, 0};
            MUST(pliant_body_create_soup(world, NULL, &bodies[i]));
            MUST(pliant_body_set_primitives(world, bodies[i], &primitives));
        }
        primitives.vertices = (PliantVertices){moved, 3, 0};
        MUST(pliant_body_create_end(world, bodies[1], &end_body));
        MUST(pliant_body_set_primitives(world, end_body, &primitives));
        def.kind = PLIANT_ALL_IMPACTS;
        def.distance = .125f;
        MUST(pliant_world_sweep(world, &def, &impacts));
        bool is_there = false;
        for (int64_t i = 0; i < impacts.count; i++) {
            const PliantImpact *impact = &impacts.items[i];
            if (impact->kind != PLIANT_TRIANGLE_VERTEX || impact->feature_b != 0)
                continue;
            is_there = true;
            assert_true(impact->time == 0 && impact->normal[2] == (float)direction);
        }
        assert_true(is_there);
        pliant_world_destroy(world);
    }
}

/* Half of a distance is safe to the last bit, also of the least floats. */
static void test_safe_distances(void **state)
{
    (void)state;
    static const float wide[9] = {-8, -8, 0, 8, -8, 0, 0, 8, 0};
    const float heights[] = {0,    0x1p-149f, 0x4p-149f, 0x1.fffffep-126f, 0x1.000002p-125f,
                             .25f, .1f,       1e30f};
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        const float h = heights[i], above[9] = {0, 0, h, .5f, 0, h, 0, .5f, h};
        PliantWorld *world;
        PliantBody bodies[2];
        PliantNearPairs pairs = pliant_near_pairs_default();
        PliantNearDef def = pliant_near_def_default();
        float distances[2][3];
        MUST(pliant_world_create(NULL, &world));
        for (int k = 0; k < 2; k++) {
            PliantPrimitives primitives = pliant_primitives_default();
            primitives.vertices = (PliantVertices){k == 0 ? wide : above, 3, 0};
            primitives.count = 1;
            MUST(pliant_body_create_soup(world, NULL, &bodies[k]));
            MUST(pliant_body_set_primitives(world, bodies[k], &primitives));
        }
        def.distance = 2 * h;
        MUST(pliant_world_near(world, &def, &pairs));
        assert_true(pairs.count >= 3);
        for (int k = 0; k < 2; k++)
            MUST(pliant_near_vertex_distances(world, &pairs, bodies[k], distances[k], 3));
        for (int k = 0; k < 3; k++) {
            const float half_a = .5f * distances[0][k], half_b = .5f * distances[1][k];
            const double both = (double)half_a + (double)half_b;
            assert_true(h > 0 ? both < (double)h : both == 0);
            assert_true(both >= (double)h * (1 - 0x1p-22) - 0x1p-148);
        }
        pliant_world_destroy(world);
    }
}

/* ---- Points with one vertex --------------------------------------------------------------------
 */

/* Points of one vertex are that vertex: no contact, and not near each other. Two at one place are.
 */
static void test_common_points(void **state)
{
    (void)state;
    static const float vertices[9] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
    static const uint32_t corners[5] = {0, 1, 0, 2, 0};
    PliantWorld *world;
    PliantBody body, end_body;
    PliantSoupDef def = pliant_soup_def_default();
    PliantPrimitives primitives = pliant_primitives_default();
    PliantContacts contacts = pliant_contacts_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantImpacts impacts = pliant_impacts_default();
    PliantSweepDef sweep_def = pliant_sweep_def_default();
    def.primitive_kind = PLIANT_POINTS;
    primitives.vertices = (PliantVertices){vertices, 3, 0};
    primitives.count = 5;
    primitives.corners = corners;
    MUST(pliant_world_create(NULL, &world));
    MUST(pliant_body_create_soup(world, &def, &body));
    MUST(pliant_body_set_primitives(world, body, &primitives));
    MUST(pliant_body_create_end(world, body, &end_body));
    MUST(pliant_body_set_primitives(world, end_body, &primitives));
    MUST(pliant_bodies_collide(world, body, body, NULL, &contacts));
    assert_int_equal(contacts.count, 3); /* points 0, 2 and 4 with point 3 */
    for (int64_t i = 0; i < contacts.count; i++)
        assert_true((contacts.items[i].triangle_a == 3) != (contacts.items[i].triangle_b == 3));
    MUST(pliant_bodies_near(world, body, body, NULL, &pairs));
    assert_int_equal(pairs.count, 4); /* vertex 0 and point 3; vertex 2 and points 0, 2 and 4 */
    sweep_def.kind = PLIANT_ALL_IMPACTS;
    MUST(pliant_bodies_sweep(world, body, body, &sweep_def, &impacts));
    assert_int_equal(impacts.count, 4);
    pliant_world_destroy(world);
}

/* ---- Memory with a margin ----------------------------------------------------------------------
 */

/* After the second of several equal calls, none allocates: whether what was kept is used, or bodies
 * are searched again. */
static void check_memory(Kind a, Kind b, bool is_moved)
{
    Stage stage;
    start(&stage, a, b, 2);
    Ball *ball = &stage.balls[1];
    Asked near = test_asked(stage.world, stage.balls[0].body, ball->body, .125f), sweep;
    Answered found;
    near.numbers[ASKED_MARGIN] = .25f;
    near.numbers[ASKED_SELF] = 1;
    sweep = near;
    sweep.numbers[ASKED_DISTANCE] = 0;
    int64_t calls = 0;
    for (int i = 0; i < 8; i++) {
        ball->start[0] += !is_moved ? 0 : i % 2 ? .5f : -.5f;
        MUST(test_ask_near(&near, &found));
        MUST(test_ask_sweep(&sweep, &found));
        assert_true(i < 2 || stage.host.calls == calls);
        calls = stage.host.calls;
    }
    end(&stage);
}

static void test_margin_memory(void **state)
{
    (void)state;
    for (Kind a = 0; a < KIND_COUNT; a++)
        for (int i = 0; i < 2; i++)
            check_memory(MESH, a, i != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_touching_bodies),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_near_limits),
        cmocka_unit_test(test_limit_and_margin),
        cmocka_unit_test(test_sweep_limits),
        cmocka_unit_test(test_nonfinite),
        cmocka_unit_test(test_touching),
        cmocka_unit_test(test_touching_sweep),
        cmocka_unit_test(test_safe_distances),
        cmocka_unit_test(test_common_points),
        cmocka_unit_test(test_margin_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
