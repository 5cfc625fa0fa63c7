/* Numbers at the ends of what a float holds: no bound of a body that is blended may miss a pair,
 * and none may be so wide that it is of no use. */
#include "ball.h"
#include "brute.h"
#include "calls.h"
#include "unit.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define LEAST 0x1p-149f /* the least float there is */

enum { BOUND_KINDS = 4 };

static PliantWorld *create_world(uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantWorld *world = NULL;
    def.cpu_mask = cpu_mask;
    MUST(pliant_world_create(&def, &world));
    return world;
}

static PliantShape *create_shape(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    return shape;
}

static PliantBody create_body(PliantWorld *world, PliantShape *shape)
{
    PliantBody body = {0};
    MUST(pliant_body_create(world, shape, &body));
    return body;
}

static void shift(PliantWorld *world, PliantBody body, float x, float y, float z)
{
    PliantTransform transform = {{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
    MUST(pliant_body_set_transform(world, body, &transform));
}

static PliantContacts collide(PliantWorld *world)
{
    PliantContacts contacts = pliant_contacts_default();
    contacts.count = -1;
    MUST(pliant_world_collide(world, NULL, &contacts));
    return contacts;
}

/* The answer for the only two bodies, a made first, is that of brute force; returns how many pairs
 * there are. */
static int64_t assert_right(PliantWorld *world, PliantBody a, PliantShape *shape_a, PliantBody b,
                            PliantShape *shape_b)
{
    static float x[BALL_VERTICES][3], y[BALL_VERTICES][3];
    assert_in_range(test_shape_info(shape_a).vertex_count, 1, BALL_VERTICES);
    assert_in_range(test_shape_info(shape_b).vertex_count, 1, BALL_VERTICES);
    MUST(test_body_vertices(world, a, x[0]));
    MUST(test_body_vertices(world, b, y[0]));
    BruteBody brute_a = {x[0], pliant_shape_triangles(shape_a),
                         test_shape_info(shape_a).triangle_count};
    BruteBody brute_b = {y[0], pliant_shape_triangles(shape_b),
                         test_shape_info(shape_b).triangle_count};
    BruteContacts expected = {0};
    brute_force(&brute_a, &brute_b, &expected);
    PliantContacts contacts = collide(world);
    assert_int_equal(contacts.count, expected.count);
    for (int64_t i = 0; i < expected.count; i++) {
        assert_int_equal(contacts.items[i].triangle_a, expected.items[i].a);
        assert_int_equal(contacts.items[i].triangle_b, expected.items[i].b);
    }
    brute_free(&expected);
    return contacts.count;
}

/* ---- Four triangles whose numbers are extreme --------------------------------------------------
 */

enum { VERTICES = 12, TRIANGLES = 4, COORDINATES = 3 * VERTICES };
static const uint32_t four_triangles[3 * TRIANGLES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint32_t one_triangle[] = {0, 1, 2};

/* A coordinate of the mesh or of a target, by its place among all of them. */
typedef float Coordinate(int i);

static float zero(int i)
{
    (void)i;
    return 0;
}

static float least(int i)
{
    (void)i;
    return LEAST;
}

/* The second vertex of some triangles and the third of others are one step from the origin. */
static float least_step(int i)
{
    int corner = i / 3 % 3, triangle = i / 9;
    return i % 3 < 2 && (corner == 1 || corner == triangle % 3) ? LEAST : 0;
}

static float far_away(int i)
{
    (void)i;
    return 1e20f;
}

static float small(int i)
{
    return (float)(i % 5) * 1e-3f;
}

static float near_overflow(int i)
{
    return 2e38f + (float)(i % 7) * 1e36f;
}

static float below_the_limit(int i)
{
    return 3e35f - (float)(i % 4) * 1e33f;
}

/* One vertex is no number, and has the largest there is beside it; a triangle that is one. */
static float beside_nan(int i)
{
    return i == 0 ? NAN : i == 2 ? -FLT_MAX : i == 12 || i == 16 ? 1 : i >= 18 ? 9 : 0;
}

static float beyond_the_largest(int i)
{
    return i == 2 ? -1e33f : 0;
}

typedef struct Case {
    const char *what;
    Coordinate *rest, *targets[2]; /* the targets that there are */
    float before[2], weights[2];   /* before: of the frame before */
    PliantMorphKind morph_kind;
    int32_t between_count, leaf_size;
    float transform[3][4]; /* the identity, if all of it is zero */
} Case;

static const Case cases[] = {
    {.what = "the weights of bounds stay, as 1 + 1e-17 is 1, but now they are between references",
     .rest = small,
     .targets = {far_away, small},
     .before = {0, 1},
     .weights = {1e-17f, 1},
     .morph_kind = PLIANT_MORPH_REFERENCES,
     .between_count = 1,
     .leaf_size = 1},
    {.what = "sums along diagonals of 2e38 overflow; a weight of 1e-38 makes up for coordinates",
     .rest = near_overflow,
     .targets = {near_overflow},
     .weights = {1e-38f},
     .morph_kind = PLIANT_MORPH_REFERENCES,
     .leaf_size = 1},
    {.what = "a radius of 2^-149 times half the root of 2 is rounded, and the weight is 1e30",
     .rest = zero,
     .targets = {least_step},
     .weights = {1e30f},
     .leaf_size = 1,
     .transform = {{1, 1, 0, 0}, {-1, 1, 0, 0}, {0, 0, 1, 0}}},
    {.what = "halfway between 0 and 2^-149 there is no float, and the weights are 5e29",
     .rest = zero,
     .targets = {zero, least},
     .weights = {5e29f, 5e29f},
     .morph_kind = PLIANT_MORPH_REFERENCES,
     .between_count = 1,
     .leaf_size = 1},
    {.what = "what stands beside a NaN becomes infinite, times 0 in the slabs of a 14-DOP",
     .rest = beside_nan,
     .targets = {beyond_the_largest},
     .weights = {1},
     .leaf_size = 2},
    {.what = "the same, turned: in those of an 18-DOP as well",
     .rest = beside_nan,
     .targets = {beyond_the_largest},
     .weights = {1},
     .leaf_size = 2,
     .transform = {{1, 0, 0, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}}},
    {.what = "half of a coefficient of 2^-149 is no float, and the coordinates are 3e35",
     .rest = below_the_limit,
     .leaf_size = 1,
     .transform = {{LEAST, LEAST, LEAST, 0}, {LEAST, LEAST, LEAST, 0}, {LEAST, LEAST, LEAST, 0}}},
};

/* The def of a case; `data` is where its coordinates go. */
static PliantShapeDef def_of(const Case *one, float data[3][COORDINATES], PliantTarget targets[2],
                             PliantExperiments *experiments)
{
    PliantShapeDef def = pliant_shape_def_default();
    *experiments = pliant_experiments_default();
    def.experiments = experiments;
    def.vertices = (PliantVertices){data[2], VERTICES, 0};
    def.triangles = (PliantTriangles){four_triangles, TRIANGLES};
    def.morph_kind = one->morph_kind;
    def.between_count = one->between_count;
    experiments->tree_leaf_size = one->leaf_size;
    experiments->tree_child_count = 2;
    def.targets = targets;
    for (int i = 0; i < COORDINATES; i++)
        data[2][i] = one->rest(i);
    for (int t = 0; t < 2 && one->targets[t]; t++) {
        for (int i = 0; i < COORDINATES; i++)
            data[t][i] = one->targets[t](i);
        targets[t] = (PliantTarget){{data[t], VERTICES, 0}, NULL};
        def.target_count++;
    }
    return def;
}

static PliantBody create_case_body(const Case *one, PliantWorld *world, PliantShape *shape)
{
    PliantBody body = create_body(world, shape);
    PliantTransform transform;
    memcpy(transform.rows, one->transform, sizeof transform.rows);
    if (transform.rows[0][0] != 0)
        MUST(pliant_body_set_transform(world, body, &transform));
    int32_t count = test_shape_info(shape).target_count;
    if (count > 0) {
        MUST(pliant_body_set_weights(world, body, one->before, count));
        collide(world);
        MUST(pliant_body_set_weights(world, body, one->weights, count));
    }
    return body;
}

/* Against a body with caller-supplied vertices: each vertex alone, and each triangle. */
static int64_t intersect_supplied(const Case *one, PliantWorld *world, PliantShape *shape)
{
    float vertices[VERTICES][3], given[3][3] = {{900, 900, 900}, {901, 900, 900}, {900, 901, 900}};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){given[0], 3, 0};
    def.triangles = (PliantTriangles){one_triangle, 1};
    PliantBody a = create_case_body(one, world, shape);
    PliantShape *triangle = create_shape(&def);
    PliantBody b = create_body(world, triangle);
    int64_t count = 0;
    MUST(test_body_vertices(world, a, vertices[0]));
    for (int i = 0; i < VERTICES + TRIANGLES; i++) {
        for (int c = 0; c < 3; c++)
            memcpy(given[c], vertices[i < VERTICES ? i : 3 * (i - VERTICES) + c], sizeof given[c]);
        MUST(pliant_body_set_vertices(world, b, (PliantVertices){given[0], 3, 0}));
        count += assert_right(world, a, shape, b, triangle);
    }
    MUST(pliant_body_destroy(world, a));
    MUST(pliant_body_destroy(world, b));
    pliant_shape_release(triangle);
    return count;
}

/* Against its twin, which has the same bounds. */
static int64_t intersect_twin(const Case *one, PliantWorld *world, PliantShape *shape)
{
    PliantBody a = create_case_body(one, world, shape), b = create_case_body(one, world, shape);
    int64_t count = assert_right(world, a, shape, b, shape);
    MUST(pliant_body_destroy(world, a));
    MUST(pliant_body_destroy(world, b));
    return count;
}

static void run_case(const Case *one, PliantBoundKind bound_kind, uint32_t cpu_mask)
{
    float data[3][COORDINATES];
    PliantTarget targets[2];
    PliantExperiments experiments;
    PliantShapeDef def = def_of(one, data, targets, &experiments);
    experiments.bound_kind = bound_kind;
    PliantShape *shape = create_shape(&def);
    PliantWorld *world = create_world(cpu_mask);
    assert_true(intersect_supplied(one, world, shape) > 0);
    assert_true(intersect_twin(one, world, shape) > 0);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
}

static void test_no_missed_pair(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_message("%s\n", cases[i].what);
        for (int kind = 0; kind < BOUND_KINDS; kind++) {
            run_case(&cases[i], (PliantBoundKind)kind, PLIANT_CPU_ALL);
            run_case(&cases[i], (PliantBoundKind)kind, PLIANT_CPU_NONE);
        }
    }
}

/* ---- Counters ----------------------------------------------------------------------------------
 */

/* When frames begin again from the first, bounds that were not read in the last frame are not
 * taken for those of the last frame, though no weight has changed since. */
static void test_frames_begin_again(void **state)
{
    (void)state;
    static const float weights[2][BALL_TARGETS] = {{0}, {8}}; /* as at rest; three times as high */
    Ball ball;
    ball_init(&ball);
    for (int kind = 0; kind < BOUND_KINDS; kind++) {
        PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.bound_kind = (PliantBoundKind)kind;
        PliantShape *shape = create_shape(&def);
        PliantWorld *world = create_world(PLIANT_CPU_ALL);
        PliantBody a = create_body(world, shape), b = create_body(world, shape);
        MUST(pliant_body_set_weights(world, a, weights[0], BALL_TARGETS));
        shift(world, b, 0, 1.9f, 0);
        assert_true(assert_right(world, a, shape, b, shape) > 0);
        MUST(pliant_body_set_weights(world, a, weights[1], BALL_TARGETS));
        shift(world, b, 0, 9, 0);
        assert_int_equal(assert_right(world, a, shape, b, shape), 0);

        PliBounds *bounds = &pli_world_body(world, a)->pose.bounds;
        bounds->frame = UINT32_MAX; /* always odd */
        MUST(pliant_body_set_weights(world, a, weights[1], BALL_TARGETS));
        shift(world, b, 0, 3.9f, 0);
        assert_true(assert_right(world, a, shape, b, shape) > 0);
        assert_true(bounds->frame < 100);
        pliant_world_destroy(world);
        pliant_shape_release(shape);
    }
    ball_free(&ball);
}

/* ---- Bounds that are of use --------------------------------------------------------------------
 */

static PliantStats stats_of(PliantWorld *world)
{
    PliantStats stats = pliant_stats_default();
    collide(world);
    MUST(pliant_world_stats(world, &stats));
    return stats;
}

/* Two bodies of a shape, one with an offset from the other, both with one from the origin. */
static PliantStats work_of(const PliantShapeDef *def, PliantBoundKind kind, float origin,
                           const float offset[3], const float *weights)
{
    PliantShapeDef own = *def;
    PliantExperiments experiments = pliant_experiments_default();
    own.experiments = &experiments;
    experiments.bound_kind = kind;
    PliantShape *shape = create_shape(&own);
    PliantWorld *world = create_world(PLIANT_CPU_ALL);
    PliantBody bodies[2] = {create_body(world, shape), create_body(world, shape)};
    for (int i = 0; i < 2 && weights; i++)
        MUST(pliant_body_set_weights(world, bodies[i], weights, def->target_count));
    shift(world, bodies[0], origin, origin, origin);
    shift(world, bodies[1], origin + offset[0], origin + offset[1], origin + offset[2]);
    PliantStats stats = stats_of(world);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    return stats;
}

static const PliantBoundKind dops[] = {PLIANT_BOUND_DOP18, PLIANT_BOUND_DOP14};

/* Far from the origin a margin is larger than a body: k-DOPs are no worse than boxes then, and near
 * it they are better. */
static void test_far_from_the_origin(void **state)
{
    (void)state;
    static const float offset[] = {1.5f, 1.5f, 1}; /* near, but not so near that they touch */
    Ball ball;
    ball_init(&ball);
    PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    assert_true(pliant_experiments_default().bound_kind == PLIANT_BOUND_DOP18);
    for (int i = 0; i < 4; i++) {
        float origin = i % 2 ? 1e6f : 0;
        static const float weights[BALL_TARGETS] = {0.25f, 0, 0};
        const float *set = i / 2 ? weights : NULL;
        PliantStats boxes = work_of(&def, PLIANT_BOUND_BOX, origin, offset, set);
        assert_int_equal(boxes.contacts, 0);
        assert_true(boxes.leaves_evaluated > 0);
        for (int d = 0; d < 2; d++) {
            PliantStats stats = work_of(&def, dops[d], origin, offset, set);
            assert_int_equal(stats.contacts, 0);
            assert_true(stats.leaves_evaluated <= boxes.leaves_evaluated);
            assert_true(stats.leaf_pairs <= boxes.leaf_pairs);
            assert_true(origin > 0 || stats.leaf_pairs < boxes.leaf_pairs);
        }
    }
    ball_free(&ball);
}

/* Where slabs could overflow, k-DOPs are boxes. */
static void test_large_coordinates(void **state)
{
    (void)state;
    Ball ball;
    ball_init(&ball);
    for (int32_t i = 0; i < 3 * BALL_VERTICES; i++)
        ball.mesh.vertices[i] *= 1e37f;
    for (int kind = 0; kind < BOUND_KINDS; kind++) {
        PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.bound_kind = (PliantBoundKind)kind;
        PliantShape *shape = create_shape(&def);
        PliantWorld *world = create_world(PLIANT_CPU_ALL);
        PliantBody a = create_body(world, shape), b = create_body(world, shape);
        shift(world, b, 1.9e37f, 0, 0);
        assert_true(assert_right(world, a, shape, b, shape) > 0);
        shift(world, b, 1.5e37f, 1.5e37f, 1e37f);
        assert_int_equal(assert_right(world, a, shape, b, shape), 0);
        pliant_world_destroy(world);
        pliant_shape_release(shape);
    }
    static const float offsets[][3] = {{1.9e37f, 0, 0}, {1.5e37f, 1.5e37f, 1e37f}};
    PliantShapeDef def = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    for (int i = 0; i < 2; i++) {
        PliantStats boxes = work_of(&def, PLIANT_BOUND_BOX, 0, offsets[i], NULL);
        assert_true(boxes.leaf_pairs > 0);
        for (int d = 0; d < 2; d++) {
            PliantStats stats = work_of(&def, dops[d], 0, offsets[i], NULL);
            assert_true(stats.leaf_pairs <= boxes.leaf_pairs);
            assert_true(stats.leaves_evaluated <= boxes.leaves_evaluated);
        }
    }
    ball_free(&ball);
}

enum { SIDE = 33, SHEET = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) };

/* A sheet that leans, and a vertex that no triangle has; a target that moves them all by as much as
 * they are away. */
typedef struct Sheet {
    float vertices[SHEET + 1][3], moves[SHEET + 1][3];
    uint32_t triangles[2 * CELLS][3];
} Sheet;

static void sheet_init(Sheet *sheet)
{
    memset(sheet, 0, sizeof *sheet);
    for (uint32_t v = 0; v < SHEET; v++) {
        uint32_t row = v / SIDE, column = v % SIDE;
        float x = 0.03125f * (float)row, y = 0.03125f * (float)column;
        const float point[3] = {x, y, x};
        memcpy(sheet->vertices[v], point, sizeof point);
        memcpy(sheet->moves[v], point, sizeof point);
    }
    for (uint32_t c = 0; c < CELLS; c++) {
        uint32_t v = c / (SIDE - 1) * SIDE + c % (SIDE - 1);
        const uint32_t two[2][3] = {{v, v + 1, v + SIDE}, {v + 1, v + SIDE + 1, v + SIDE}};
        memcpy(sheet->triangles[2 * c], two, sizeof two);
    }
}

/* A vertex that no triangle has is nowhere: neither where it is nor how far a target moves it says
 * anything of the bounds. Boxes of these two sheets overlap, and diagonals keep them apart. */
static void test_unused_vertices(void **state)
{
    (void)state;
    static const float node_slots[] = {0, 1e8f, 1e30f, 1e37f}, offset[] = {0.05f, 0, -0.05f};
    static Sheet sheet;
    sheet_init(&sheet);
    PliantTarget target = {{sheet.moves[0], SHEET + 1, 0}, NULL};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){sheet.vertices[0], SHEET + 1, 0};
    def.triangles = (PliantTriangles){sheet.triangles[0], 2 * CELLS};
    def.targets = &target;
    def.target_count = 1;
    for (int kind = 0; kind < BOUND_KINDS; kind++) {
        const float weight = 0.5f;
        PliantStats wanted = {0};
        for (int i = 0; i < 7; i++) { /* the vertex itself, and then its move */
            float index = node_slots[i < 4 ? i : i - 3];
            for (int k = 0; k < 3; k++) {
                sheet.vertices[SHEET][k] = i < 4 ? index : 0;
                sheet.moves[SHEET][k] = i < 4 ? 0 : index;
            }
            PliantStats stats = work_of(&def, (PliantBoundKind)kind, 0, offset, &weight);
            wanted = i == 0 ? stats : wanted;
            assert_int_equal(stats.contacts, 0);
            assert_int_equal(stats.nodes_updated, wanted.nodes_updated);
            assert_int_equal(stats.leaf_pairs, wanted.leaf_pairs);
            if (kind == PLIANT_BOUND_DOP18)
                assert_int_equal(stats.leaf_pairs, 0);
        }
    }
}

/* A joint that adds up two axes, and hardly anything of a third, along which the body is long: what
 * a factor of slabs loses to cancellation is multiplied by that. The triangles end up one behind
 * the other, and the other body is a copy of the first of them. */
static void test_factors_that_cancel(void **state)
{
    (void)state;
    enum { COUNT = 64 };
    static float vertices[3 * COUNT][3], moved[3 * COUNT][3];
    static uint32_t triangles[COUNT][3];
    static uint16_t joints[3 * COUNT];
    static float weights[3 * COUNT];
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        const uint32_t triangle = i / 3;
        vertices[i][0] = 1 + 0.5f * (i % 3 == 1);
        vertices[i][1] = 1 + 0.5f * (i % 3 == 2);
        vertices[i][2] = -0x1p53f * (1 + (float)triangle / COUNT);
        triangles[triangle][i % 3] = i;
        weights[i] = 1;
    }
    const PliantTransform joint = {{{1, 1, 3 * 0x1p-53f, 0}, {0, 1, 0, 0}, {0, 0, 0x1p-53f, 0}}};
    for (int kind = 0; kind < BOUND_KINDS; kind++) {
        PliantShapeDef def = pliant_shape_def_default(), copy = def;
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        def.vertices = (PliantVertices){vertices[0], 3 * COUNT, 0};
        def.triangles = (PliantTriangles){triangles[0], COUNT};
        experiments.bound_kind = (PliantBoundKind)kind;
        def.skin = &(PliantSkin){sizeof(PliantSkin), 1, 1, joints, weights};
        PliantShape *shape = create_shape(&def);
        PliantWorld *world = create_world(PLIANT_CPU_ALL);
        PliantBody body = create_body(world, shape);
        MUST(pliant_body_set_joints(world, body, &joint, 1));
        MUST(test_body_vertices(world, body, moved[0]));
        copy.vertices = (PliantVertices){moved[0], 3, 0};
        copy.triangles = (PliantTriangles){triangles[0], 1};
        PliantShape *first = create_shape(&copy);
        (void)create_body(world, first);
        PliantContacts contacts = collide(world);
        assert_true(contacts.count > 0 && contacts.items[0].triangle_a == 0);
        pliant_world_destroy(world);
        pliant_shape_release(first);
        pliant_shape_release(shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_missed_pair),      cmocka_unit_test(test_frames_begin_again),
        cmocka_unit_test(test_far_from_the_origin), cmocka_unit_test(test_large_coordinates),
        cmocka_unit_test(test_unused_vertices),     cmocka_unit_test(test_factors_that_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
