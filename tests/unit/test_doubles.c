/* Vertices in double: what the calls take, how far floats are from them, and small scenes whose
 * answers are known. Random ones are in oracle.thick. */
#include "unit.h"

#include "host.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

#define TINY 0x1p-40 /* that is lost beside 1 in float32 */

static const float floor_corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
static const uint32_t one_triangle[3] = {0, 1, 2};

typedef struct Stage {
    TestHost host;
    PliantWorld *world;
    PliantBody floor, above; /* both triangles; the second one without a pose of its own so far */
} Stage;

static PliantBody add(PliantWorld *world, const float *vertices)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    PliantBody body;
    def.vertices = (PliantVertices){vertices, 3, 0};
    def.triangles = (PliantTriangles){one_triangle, 1};
    MUST(pliant_shape_create(&def, &shape));
    MUST(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

static void start(Stage *stage)
{
    test_host_init(&stage->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &stage->host.host;
    MUST(pliant_world_create(&def, &stage->world));
    stage->floor = add(stage->world, floor_corners);
    stage->above = add(stage->world, floor_corners);
}

static void finish(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
}

/* A triangle above the floor, with one corner at this height and others at 2. */
static void set_above(double vertices[9], double height)
{
    const double above[9] = {1, 1, height, 1.5, 1, 2, 1, 1.5, 2};
    memcpy(vertices, above, sizeof above);
}

static PliantVertices64 view(const double *vertices)
{
    return (PliantVertices64){vertices, 3, 0};
}

static float error_of(const Stage *stage, PliantBody body)
{
    float error;
    MUST(pliant_body_rounding_error(stage->world, body, &error));
    return error;
}

static int64_t near_count(PliantWorld *world, float distance, uint8_t *flags)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    def.distance = distance;
    MUST(pliant_world_near(world, &def, &pairs));
    *flags = pairs.count > 0 ? pairs.items[0].flags : 0;
    return pairs.count;
}

static void test_refused(void **state)
{
    (void)state;
    Stage stage;
    double vertices[9], origin[3] = {0, NAN, 0};
    float error;
    PliantTransform moved = pliant_transform_identity();
    PliantBody soup;
    start(&stage);
    set_above(vertices, 1);
    PliantWorld *world = stage.world;
    PliantResult (*const calls[])(PliantWorld *, PliantBody, PliantVertices64) = {
        pliant_body_set_vertices64, pliant_body_borrow_vertices64};
    MUST(pliant_body_create_soup(world, NULL, &soup));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(calls[i](world, stage.above, (PliantVertices64){NULL, 3, 0}),
                         PLIANT_BAD_ARGUMENT);
        assert_int_equal(calls[i](world, stage.above, (PliantVertices64){vertices, 2, 0}),
                         PLIANT_BAD_ARGUMENT);
        assert_int_equal(calls[i](world, stage.above, (PliantVertices64){vertices, 3, 12}),
                         PLIANT_BAD_ARGUMENT);
        assert_int_equal(calls[i](world, stage.above, (PliantVertices64){vertices, 3, 28}),
                         PLIANT_BAD_ARGUMENT);
        assert_int_equal(calls[i](world, soup, view(vertices)), PLIANT_BAD_ARGUMENT);
        assert_int_equal(calls[i](world, (PliantBody){9, 9}, view(vertices)), PLIANT_BAD_ID);
    }
    moved.rows[0][3] = 1;
    MUST(pliant_body_set_transform(world, stage.floor, &moved));
    assert_int_equal(pliant_body_set_vertices64(world, stage.floor, view(vertices)),
                     PLIANT_BAD_ARGUMENT);
    MUST(pliant_body_set_vertices64(world, stage.above, view(vertices)));
    assert_int_equal(pliant_body_set_transform(world, stage.above, &moved), PLIANT_BAD_ARGUMENT);
    moved.rows[0][3] = 0;
    MUST(pliant_body_set_transform(world, stage.above, &moved));
    assert_int_equal(pliant_world_set_origin(world, NULL), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_world_set_origin(world, origin), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_rounding_error(world, stage.above, NULL), PLIANT_BAD_ARGUMENT);
    MUST(pliant_world_hold(world));
    assert_int_equal(pliant_body_set_vertices64(world, stage.above, view(vertices)), PLIANT_BUSY);
    assert_int_equal(pliant_world_set_origin(world, vertices), PLIANT_BUSY);
    MUST(pliant_world_release(world));
    MUST(pliant_body_reset_pose(world, stage.above));
    MUST(pliant_body_rounding_error(world, stage.above, &error));
    assert_true(error == 0);
    finish(&stage);
}

/* How far a float is from its double: along one axis, along all three, beside an origin that takes
 * more bits than a double has, and not at all. */
static void test_error(void **state)
{
    (void)state;
    Stage stage;
    double vertices[9];
    const double far_away[3] = {0x1p26, 0, 0};
    start(&stage);
    set_above(vertices, 1);
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_true(error_of(&stage, stage.above) == 0);
    vertices[2] = 1 + TINY;
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_true(error_of(&stage, stage.above) >= (float)TINY);
    assert_true(error_of(&stage, stage.above) < 2 * (float)TINY);
    vertices[0] = vertices[1] = 1 - TINY;
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_true(error_of(&stage, stage.above) >= 1.7320508f * (float)TINY);
    set_above(vertices, 1);
    vertices[0] = 0x1p-30;
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_true(error_of(&stage, stage.above) == 0);
    MUST(pliant_world_set_origin(stage.world, far_away));
    assert_true(error_of(&stage, stage.above) >= 0x1p-30f);
    const double lost[9] = {0x1p-30, 0, 0, 8, 0, 0, 0, 8, 0}; /* by the subtraction alone */
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(lost)));
    assert_true(error_of(&stage, stage.above) >= 0x1p-30f);
    MUST(pliant_world_set_origin(stage.world, (double[3]){0, 0, 0}));
    vertices[0] = 1e300;
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_true(error_of(&stage, stage.above) == 0);
    vertices[0] = 0x1p-1070;
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_true(error_of(&stage, stage.above) > 0);
    finish(&stage);
}

/* The vertices are those less the origin, rounded; an end has those of its body. */
static void test_vertices(void **state)
{
    (void)state;
    Stage stage;
    PliantBody end;
    double vertices[3][4] = {{1e3 + 0.1, 2, 3, 9}, {1e3 + 1, 2, 3, 9}, {1e3, 3, 4, 9}};
    double origin[3];
    float found[9];
    start(&stage);
    MUST(pliant_world_set_origin(stage.world, (double[3]){1e3, 1, 0}));
    MUST(pliant_body_borrow_vertices64(stage.world, stage.above,
                                       (PliantVertices64){vertices[0], 3, 32}));
    MUST(pliant_body_create_end(stage.world, stage.above, &end));
    MUST(pliant_body_vertices(stage.world, end, found, 3));
    assert_true(found[0] == (float)(vertices[0][0] - 1e3) && found[1] == 1 && found[2] == 3);
    assert_true(found[3] == 1 && found[6] == 0 && found[7] == 2 && found[8] == 4);
    MUST(pliant_world_origin(stage.world, origin));
    assert_true(origin[0] == 1e3 && origin[1] == 1 && origin[2] == 0);
    assert_int_equal(pliant_world_origin(stage.world, NULL), PLIANT_BAD_ARGUMENT);
    assert_true(error_of(&stage, end) == error_of(&stage, stage.above));
    assert_true(error_of(&stage, end) > 0);
    finish(&stage);
}

/* Floats are 1 apart, and doubles a little less, or more. */
static void test_near(void **state)
{
    (void)state;
    Stage stage;
    double vertices[9];
    uint8_t flags;
    const float below = nextafterf(1, 0);
    start(&stage);
    set_above(vertices, 1 - TINY);
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_int_equal(near_count(stage.world, 0.999f, &flags), 0);
    assert_int_equal(near_count(stage.world, 1, &flags), 1);
    assert_int_equal(flags, PLIANT_PAIR_UNCERTAIN);
    assert_int_equal(near_count(stage.world, 1.0001f, &flags), 1);
    assert_int_equal(flags, 0);
    /* Half of what floats are apart below 1: the double is at a distance that the float is not. */
    set_above(vertices, 1 - 0x1p-25 + TINY);
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_int_equal(near_count(stage.world, below, &flags), 1);
    assert_int_equal(flags, PLIANT_PAIR_UNCERTAIN);
    /* Boxes of features do not overlap, but with the rounding error they do. */
    set_above(vertices, 0x1p-26);
    vertices[0] = 1 + 0x1p-25;
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_int_equal(near_count(stage.world, 0, &flags), 1);
    assert_int_equal(flags, PLIANT_PAIR_UNCERTAIN);
    set_above(vertices, 1);
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    assert_int_equal(near_count(stage.world, below, &flags), 0);
    assert_int_equal(near_count(stage.world, 1, &flags), 1);
    assert_int_equal(flags, 0);
    finish(&stage);
}

/* What is safe for a vertex is less by the rounding errors. */
static void test_safe_distances(void **state)
{
    (void)state;
    Stage stage;
    double vertices[9];
    float distances[3];
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    start(&stage);
    set_above(vertices, 0x1p-10);
    vertices[0] = 1 + 0x1p-25;
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(vertices)));
    def.distance = 1;
    MUST(pliant_world_near(stage.world, &def, &pairs));
    assert_true(pairs.count == 1 && pairs.items[0].distance == 0x1p-10f);
    MUST(pliant_near_vertex_distances(stage.world, &pairs, stage.above, distances, 3));
    assert_true((double)distances[0] <= 0x1p-10 - 0x1p-25 && distances[0] > 0x1p-11f);
    finish(&stage);
}

/* Neighbors at rest are pairs unless a radius is set: an error is none. */
static void test_rest(void **state)
{
    (void)state;
    Stage stage;
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    start(&stage);
    static const float two[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1};
    static const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    double both[18];
    PliantShapeDef shape_def = pliant_shape_def_default();
    PliantShape *shape;
    PliantBody body;
    shape_def.vertices = (PliantVertices){two, 6, 0};
    shape_def.triangles = (PliantTriangles){triangles, 2};
    MUST(pliant_shape_create(&shape_def, &shape));
    MUST(pliant_body_create(stage.world, shape, &body));
    pliant_shape_release(shape);
    for (int i = 0; i < 18; i++)
        both[i] = (double)two[i] * (1 + TINY);
    MUST(pliant_body_set_vertices64(stage.world, body, (PliantVertices64){both, 6, 0}));
    def.distance = 1.5f;
    MUST(pliant_bodies_near(stage.world, body, body, &def, &pairs));
    assert_int_equal(pairs.count, 15);
    /* With a radius those within D are left out: D has no error in it, and is just below 1. */
    for (int i = 0; i < 18; i++)
        both[i] = (double)two[i] * (1 + 0x1p-26);
    MUST(pliant_body_set_vertices64(stage.world, body, (PliantVertices64){both, 6, 0}));
    MUST(pliant_body_set_radius(stage.world, body, 0.25f));
    def.distance = 0.5f - 0x1p-24f;
    MUST(pliant_bodies_near(stage.world, body, body, &def, &pairs));
    assert_int_equal(pairs.count, 15);
    def.distance = 0.5f;
    MUST(pliant_bodies_near(stage.world, body, body, &def, &pairs));
    assert_int_equal(pairs.count, 0);
    finish(&stage);
}

/* What is written into a borrowed array counts at the next query, and not before. Nothing else is
 * read again. */
static void test_borrowed(void **state)
{
    (void)state;
    Stage stage;
    double vertices[9], copied[9];
    float found[9];
    uint8_t flags;
    PliantContacts contacts = pliant_contacts_default();
    start(&stage);
    set_above(vertices, 1);
    set_above(copied, 1);
    MUST(pliant_body_borrow_vertices64(stage.world, stage.above, view(vertices)));
    assert_int_equal(near_count(stage.world, 0.5f, &flags), 0);
    vertices[2] = 0.5 - TINY;
    MUST(pliant_body_vertices(stage.world, stage.above, found, 3));
    assert_true(found[2] == 1);
    assert_int_equal(near_count(stage.world, 0.5f, &flags), 1);
    assert_int_equal(flags, PLIANT_PAIR_UNCERTAIN);
    MUST(pliant_body_vertices(stage.world, stage.above, found, 3));
    assert_true(found[2] == 0.5f);
    vertices[2] = -1;
    MUST(pliant_world_collide(stage.world, NULL, &contacts));
    assert_int_equal(contacts.count, 1);
    vertices[2] = -2; /* what was found is stale */
    PliantIntersections cuts = pliant_intersections_default();
    assert_int_equal(pliant_contacts_intersections(stage.world, &contacts, NULL, &cuts),
                     PLIANT_STALE);
    MUST(pliant_body_set_vertices64(stage.world, stage.above, view(copied)));
    copied[2] = 0;
    assert_int_equal(near_count(stage.world, 0.5f, &flags), 0);
    MUST(pliant_world_set_origin(stage.world, (double[3]){0, 0, 0.5}));
    assert_int_equal(near_count(stage.world, 0.5f, &flags), 1);
    MUST(pliant_body_vertices(stage.world, stage.above, found, 3));
    assert_true(found[2] == 0.5f);
    finish(&stage);
}

/* A corner comes down to less than a float above the floor, or to it. */
static void test_sweep(void **state)
{
    (void)state;
    Stage stage;
    PliantBody end;
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    double from[9], to[9];
    start(&stage);
    MUST(pliant_body_create_end(stage.world, stage.above, &end));
    for (int margin = 0; margin < 2; margin++) {
        def.margin = margin ? 0.25f : 0;
        /* They touch at 1 in double, but as floats they do not. */
        set_above(from, 3 + TINY);
        set_above(to, 0);
        to[2] = 0;
        to[5] = to[8] = TINY;
        MUST(pliant_body_set_vertices64(stage.world, stage.above, view(from)));
        MUST(pliant_body_set_vertices64(stage.world, end, view(to)));
        MUST(pliant_world_sweep(stage.world, &def, &impacts));
        assert_true(impacts.count == 1 && impacts.is_conservative);
        assert_true(impacts.items[0].time > 0.999f && impacts.items[0].time <= 1);
        /* At the start they are apart by more than rounding errors: the time is not 0. */
        set_above(from, 0x1p-20);
        set_above(to, -1);
        MUST(pliant_body_set_vertices64(stage.world, stage.above, view(from)));
        MUST(pliant_body_set_vertices64(stage.world, end, view(to)));
        MUST(pliant_world_sweep(stage.world, &def, &impacts));
        assert_true(impacts.count == 1 && impacts.items[0].time > 0);
        assert_true((double)impacts.items[0].time <= 0x1p-20 / (1 + 0x1p-20));
        assert_true(impacts.items[0].time > 0.99f * 0x1p-20f);
        /* The end alone is rounded: the answer is early, as the doubles may touch before. */
        set_above(from, 3);
        set_above(to, 0);
        to[0] = 1 + 0x1p-25;
        MUST(pliant_body_set_vertices64(stage.world, stage.above, view(from)));
        MUST(pliant_body_set_vertices64(stage.world, end, view(to)));
        MUST(pliant_world_sweep(stage.world, &def, &impacts));
        assert_true(impacts.count == 1 && impacts.is_conservative);
        assert_true(impacts.items[0].time > 0.999f && impacts.items[0].time < 1);
        set_above(to, -1);
        MUST(pliant_body_set_vertices64(stage.world, end, view(to)));
        /* Nothing is rounded: the answer is exact. */
        set_above(from, 1);
        MUST(pliant_body_set_vertices64(stage.world, stage.above, view(from)));
        MUST(pliant_world_sweep(stage.world, &def, &impacts));
        assert_true(impacts.count == 1 && !impacts.is_conservative);
        assert_true(impacts.items[0].time == 0.5f);
    }
    finish(&stage);
}

/* In a hold, doubles are read once. */
static void test_hold(void **state)
{
    (void)state;
    Stage stage;
    double vertices[9];
    uint8_t flags;
    start(&stage);
    set_above(vertices, 0.25);
    MUST(pliant_body_borrow_vertices64(stage.world, stage.above, view(vertices)));
    MUST(pliant_world_hold(stage.world));
    for (int i = 0; i < 2; i++)
        assert_int_equal(near_count(stage.world, 0.5f, &flags), 1);
    MUST(pliant_world_release(stage.world));
    vertices[2] = 1;
    assert_int_equal(near_count(stage.world, 0.5f, &flags), 0);
    finish(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_error),
        cmocka_unit_test(test_vertices),       cmocka_unit_test(test_near),
        cmocka_unit_test(test_safe_distances), cmocka_unit_test(test_rest),
        cmocka_unit_test(test_borrowed),       cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
