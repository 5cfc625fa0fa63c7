/* Radii of bodies: what the calls take, and small scenes whose answers are known. Random ones are
 * in oracle.thick and brute.worlds. */
#include "unit.h"

#include "host.h"
#include "unheard.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

/* A triangle in the plane z = 0, and one above it, whose lowest corner is at 1 and others at 2. */
static const float floor_corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
static const float above_corners[9] = {1, 1, 1, 1.5f, 1, 2, 1, 1.5f, 2};
static const uint32_t one_triangle[3] = {0, 1, 2};

typedef struct Stage {
    TestHost host;
    PliantWorld *world;
    PliantBody floor, above, end; /* the end is that of `above` */
} Stage;

static PliantBody add(PliantWorld *world, const float *vertices, int32_t vertex_count,
                      const uint32_t *triangles, int32_t triangle_count, const uint32_t *groups)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    PliantBody body;
    def.vertices = (PliantVertices){vertices, vertex_count, 0};
    def.triangles = (PliantTriangles){triangles, triangle_count};
    def.groups = groups;
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
    stage->floor = add(stage->world, floor_corners, 3, one_triangle, 1, NULL);
    stage->above = add(stage->world, above_corners, 3, one_triangle, 1, NULL);
    MUST(pliant_body_create_end(stage->world, stage->above, &stage->end));
}

static void finish(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
}

static int64_t near_count_with(PliantWorld *world, PliantNearDef def)
{
    PliantNearPairs pairs = pliant_near_pairs_default();
    MUST(pliant_world_near(world, &def, &pairs));
    for (int64_t i = 0; i < pairs.count; i++)
        assert_true(pairs.items[i].distance >= 0);
    return pairs.count;
}

static int64_t near_count(PliantWorld *world, float distance)
{
    PliantNearDef def = pliant_near_def_default();
    def.distance = distance;
    return near_count_with(world, def);
}

/* ---- What the calls take ----------------------------------------------------------------------
 */

static void test_refused(void **state)
{
    (void)state;
    static const float wrong[] = {-1, -INFINITY, INFINITY, NAN};
    Stage stage;
    float radii[3] = {1, 2, 3}, value;
    start(&stage);
    for (size_t i = 0; i < 4; i++) {
        const float bad[3] = {1, wrong[i], 1};
        assert_int_equal(pliant_body_set_radius(stage.world, stage.above, wrong[i]),
                         PLIANT_BAD_ARGUMENT);
        assert_int_equal(pliant_body_set_vertex_radii(stage.world, stage.above, bad, 3),
                         PLIANT_BAD_ARGUMENT);
    }
    assert_int_equal(pliant_body_set_vertex_radii(stage.world, stage.above, radii, 2),
                     PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_set_vertex_radii(stage.world, stage.above, radii, -1),
                     PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_set_vertex_radii(stage.world, stage.above, NULL, 3),
                     PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_set_radius(stage.world, stage.end, 1), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_set_vertex_radii(stage.world, stage.end, radii, 3),
                     PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_set_radius(stage.world, (PliantBody){9, 9}, 1), PLIANT_BAD_ID);
    REFUSE_UNHEARD(pliant_body_set_radius(NULL, stage.above, 1), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_radius(stage.world, stage.above, NULL), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_vertex_radii(stage.world, stage.above, radii, 2),
                     PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_body_vertex_radii(stage.world, stage.above, NULL, 3),
                     PLIANT_BAD_ARGUMENT);
    MUST(pliant_world_hold(stage.world));
    assert_int_equal(pliant_body_set_radius(stage.world, stage.above, 1), PLIANT_BUSY);
    MUST(pliant_world_release(stage.world));
    MUST(pliant_body_radius(stage.world, stage.above, &value));
    assert_true(value == 0);
    finish(&stage);
}

static void assert_radii(const Stage *stage, PliantBody body, float a, float b, float c)
{
    float radii[3];
    MUST(pliant_body_vertex_radii(stage->world, body, radii, 3));
    assert_true(radii[0] == a && radii[1] == b && radii[2] == c);
}

static void test_set(void **state)
{
    (void)state;
    static const float radii[3] = {1, 0, 3};
    Stage stage;
    float value;
    start(&stage);
    assert_radii(&stage, stage.above, 0, 0, 0);
    MUST(pliant_body_set_radius(stage.world, stage.above, 2));
    assert_radii(&stage, stage.above, 2, 2, 2);
    MUST(pliant_body_set_vertex_radii(stage.world, stage.above, radii, 3));
    assert_radii(&stage, stage.above, 1, 0, 3);
    assert_radii(&stage, stage.end, 1, 0, 3);
    MUST(pliant_body_radius(stage.world, stage.end, &value));
    assert_true(value == 2);
    MUST(pliant_body_set_radius(stage.world, stage.above, 4));
    assert_radii(&stage, stage.above, 1, 0, 3);
    MUST(pliant_body_set_vertex_radii(stage.world, stage.above, NULL, 0));
    assert_radii(&stage, stage.above, 4, 4, 4);
    finish(&stage);
}

/* ---- near ------------------------------------------------------------------------------------ */

/* The two triangles are 1 apart: by one corner, and no other feature. */
static void test_reach(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_int_equal(near_count(stage.world, 0.5f), 0);
    MUST(pliant_body_set_radius(stage.world, stage.above, 0.25f));
    MUST(pliant_body_set_radius(stage.world, stage.floor, 0.25f));
    assert_int_equal(near_count(stage.world, 0.5f), 1);
    assert_int_equal(near_count(stage.world, 0.5f - 0x1p-24f), 0);
    /* A sum that is no float is rounded up. */
    MUST(pliant_body_set_radius(stage.world, stage.above, 0x1p-26f));
    MUST(pliant_body_set_radius(stage.world, stage.floor, 0));
    assert_int_equal(near_count(stage.world, nextafterf(1, 0)), 1);
    MUST(pliant_body_set_radius(stage.world, stage.above, 3e38f));
    MUST(pliant_body_set_radius(stage.world, stage.floor, 3e38f));
    assert_int_equal(near_count(stage.world, 0), 15);
    finish(&stage);
}

/* A radius of one vertex is that of the features that have it. */
static void test_vertex_reach(void **state)
{
    (void)state;
    static const float lowest[3] = {1, 0, 0}, other[3] = {0, 0.999f, 0};
    Stage stage;
    start(&stage);
    MUST(pliant_body_set_vertex_radii(stage.world, stage.above, lowest, 3));
    assert_int_equal(near_count(stage.world, 0), 1);
    MUST(pliant_body_set_vertex_radii(stage.world, stage.above, other, 3));
    assert_int_equal(near_count(stage.world, 0), 0);
    finish(&stage);
}

/* Vertices of one group have the greatest radius of them. */
static void test_groups(void **state)
{
    (void)state;
    static const float vertices[18] = {1, 1, 1, 2, 1, 2, 1, 2, 2, 1, 1, 1, 1, 2, 2, 1, 1, 3};
    static const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    static const uint32_t groups[6] = {0, 1, 2, 0, 4, 5};
    static const float radii[6] = {0, 0, 0, 1, 0, 0};
    float found[6];
    PliantWorld *world;
    MUST(pliant_world_create(NULL, &world));
    (void)add(world, floor_corners, 3, one_triangle, 1, NULL);
    const PliantBody body = add(world, vertices, 6, triangles, 2, groups);
    MUST(pliant_body_set_vertex_radii(world, body, radii, 6));
    MUST(pliant_body_vertex_radii(world, body, found, 6));
    assert_true(found[0] == 1 && found[3] == 1 && found[1] == 0 && found[5] == 0);
    assert_int_equal(near_count(world, 0), 1);
    pliant_world_destroy(world);
}

/* Neighbors of a fine mesh are left out, unless that is refused; folds are not. */
static void test_rest(void **state)
{
    (void)state;
    enum { SIDE = 6, COUNT = SIDE * SIDE };
    float vertices[COUNT][3], folded[COUNT][3];
    uint32_t triangles[6 * COUNT];
    int32_t count = 0;
    PliantWorld *world;
    TestHost host;
    PliantWorldDef world_def = pliant_world_def_default();
    test_host_init(&host);
    world_def.host = &host.host;
    for (int i = 0; i < COUNT; i++) {
        const int row = i / SIDE;
        const float x = (float)(i % SIDE), y = (float)row;
        memcpy(vertices[i], (float[3]){x, y, 0}, 12);
        memcpy(folded[i], (float[3]){x < 3 ? x : 5 - x, y, x < 3 ? 0 : 0.5f}, 12);
    }
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++, count += 2) {
            const uint32_t v = SIDE * y + x,
                           two[6] = {v, v + 1, v + SIDE, v + 1, v + SIDE + 1, v + SIDE};
            memcpy(triangles + 3 * count, two, sizeof two);
        }
    MUST(pliant_world_create(&world_def, &world));
    const PliantBody body = add(world, vertices[0], COUNT, triangles, count, NULL);
    PliantNearDef def = pliant_near_def_default();
    def.includes_self = true;
    def.distance = 0.25f;
    MUST(pliant_body_set_radius(world, body, 0.5f));
    assert_int_equal(near_count_with(world, def), 0);
    def.rest_distance = -1;
    const int64_t all = near_count_with(world, def);
    assert_true(all > 100);
    def.rest_distance = 0;
    MUST(pliant_body_set_vertices(world, body, (PliantVertices){folded[0], COUNT, 0}));
    const int64_t folds = near_count_with(world, def);
    assert_true(folds > 20);
    /* What a margin has kept is not what smaller radii, or a smaller distance, leave at rest. */
    for (int i = 0; i < 2; i++) {
        PliantNearDef kept = def;
        kept.margin = 0.125f;
        kept.distance = i == 0 ? 0.25f : 0.75f;
        MUST(pliant_body_set_radius(world, body, i == 0 ? 0.5f : 0.25f));
        const int64_t before = near_count_with(world, kept);
        kept.distance = 0.25f;
        if (i == 0)
            MUST(pliant_body_set_radius(world, body, 0.25f));
        const int64_t after = near_count_with(world, kept);
        assert_int_equal(after, near_count_with(world, def));
        assert_true(before != after);
    }
    MUST(pliant_body_set_radius(world, body, 0.5f));
    def.rest_distance = 10;
    assert_int_equal(near_count_with(world, def), 0);
    PliantSweepDef sweep = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    sweep.includes_self = true;
    MUST(pliant_body_reset_pose(world, body));
    MUST(pliant_world_sweep(world, &sweep, &impacts));
    assert_int_equal(impacts.count, 0);
    sweep.rest_distance = -1;
    MUST(pliant_world_sweep(world, &sweep, &impacts));
    assert_int_equal(impacts.count, 1);
    sweep.rest_distance = NAN;
    assert_int_equal(pliant_world_sweep(world, &sweep, &impacts), PLIANT_BAD_ARGUMENT);
    def.rest_distance = INFINITY;
    PliantNearPairs pairs = pliant_near_pairs_default();
    assert_int_equal(pliant_world_near(world, &def, &pairs), PLIANT_BAD_ARGUMENT);
    pliant_world_destroy(world);
}

/* What a margin has kept does not outlive a radius, nor a distance that decides what is left out at
 * rest. */
static void test_margin(void **state)
{
    (void)state;
    Stage stage;
    PliantNearDef def = pliant_near_def_default();
    start(&stage);
    def.distance = 0.25f;
    def.margin = 0.125f;
    assert_int_equal(near_count_with(stage.world, def), 0);
    MUST(pliant_body_set_radius(stage.world, stage.above, 0.75f));
    assert_int_equal(near_count_with(stage.world, def), 1);
    MUST(pliant_body_set_radius(stage.world, stage.above, 0.5f));
    assert_int_equal(near_count_with(stage.world, def), 0);
    finish(&stage);
}

static void test_soup(void **state)
{
    (void)state;
    PliantWorld *world;
    PliantBody soup;
    PliantSoupDef def = pliant_soup_def_default();
    PliantPrimitives primitives = pliant_primitives_default();
    static const float two[6] = {9, 9, 9, 1, 1, 1}, radius = 0.5f;
    float found[2];
    MUST(pliant_world_create(NULL, &world));
    (void)add(world, floor_corners, 3, one_triangle, 1, NULL);
    def.primitive_kind = PLIANT_POINTS;
    MUST(pliant_body_create_soup(world, &def, &soup));
    primitives.vertices = (PliantVertices){two, 1, 0};
    primitives.count = 1;
    MUST(pliant_body_set_primitives(world, soup, &primitives));
    MUST(pliant_body_set_vertex_radii(world, soup, &radius, 1));
    MUST(pliant_body_set_radius(world, soup, 1));
    primitives.vertices.count = primitives.count = 2;
    MUST(pliant_body_set_primitives(world, soup, &primitives));
    MUST(pliant_body_vertex_radii(world, soup, found, 2));
    assert_true(found[0] == 0.5f && found[1] == 1);
    assert_int_equal(near_count(world, 0), 1);
    pliant_world_destroy(world);
}

/* ---- Other queries ----------------------------------------------------------------------------
 */

static int64_t pair_count(PliantWorld *world,
                          PliantResult (*ask)(PliantWorld *, const PliantBodyPairsDef *,
                                              PliantBodyPairs *))
{
    PliantBodyPairs pairs = pliant_body_pairs_default();
    MUST(ask(world, NULL, &pairs));
    return pairs.count;
}

static void test_bodies(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_int_equal(pair_count(stage.world, pliant_world_body_pairs), 0);
    MUST(pliant_body_set_radius(stage.world, stage.floor, 1));
    assert_int_equal(pair_count(stage.world, pliant_world_body_pairs), 1);
    assert_int_equal(pair_count(stage.world, pliant_world_bodies_within), 0);
    finish(&stage);
}

/* A radius makes answers of before stale. */
static void test_stale(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    MUST(pliant_body_set_radius(stage.world, stage.floor, 1));
    PliantNearPairs before = pliant_near_pairs_default(), after = pliant_near_pairs_default();
    MUST(pliant_world_near(stage.world, NULL, &before));
    const uint64_t stamp = before.stamp;
    float distances[3];
    MUST(pliant_near_vertex_distances(stage.world, &before, stage.floor, distances, 3));
    MUST(pliant_body_set_vertex_radii(stage.world, stage.floor, NULL, 0));
    assert_int_equal(pliant_near_vertex_distances(stage.world, &before, stage.floor, distances, 3),
                     PLIANT_STALE);
    MUST(pliant_world_near(stage.world, NULL, &after));
    assert_true(after.stamp > stamp);
    finish(&stage);
}

/* The small triangle falls by 2: it touches at time 1/2, and with a radius of 1/2 before 1/4. */
static void test_sweep(void **state)
{
    (void)state;
    Stage stage;
    PliantImpacts impacts = pliant_impacts_default();
    PliantTransform down = pliant_transform_identity();
    start(&stage);
    down.rows[2][3] = -2;
    MUST(pliant_body_set_transform(stage.world, stage.end, &down));
    MUST(pliant_world_sweep(stage.world, NULL, &impacts));
    assert_true(impacts.count == 1 && impacts.items[0].time == 0.5f && !impacts.is_conservative);
    MUST(pliant_body_set_radius(stage.world, stage.floor, 0.5f));
    MUST(pliant_world_sweep(stage.world, NULL, &impacts));
    assert_true(impacts.count == 1 && impacts.is_conservative);
    assert_true(impacts.items[0].time <= 0.25f && impacts.items[0].time > 0.24f);
    /* What it never touches comes within the radius. */
    down.rows[2][3] = -0.75f;
    MUST(pliant_body_set_transform(stage.world, stage.end, &down));
    MUST(pliant_world_sweep(stage.world, NULL, &impacts));
    assert_true(impacts.count == 1 && impacts.items[0].time > 0.6f);
    down.rows[2][3] = -2;
    MUST(pliant_body_set_transform(stage.world, stage.end, &down));
    /* Pairs without a radius are decided exactly. */
    static const float far[3] = {0, 0.0625f, 0};
    MUST(pliant_body_set_radius(stage.world, stage.floor, 0));
    MUST(pliant_body_set_vertex_radii(stage.world, stage.above, far, 3));
    MUST(pliant_bodies_sweep(stage.world, stage.floor, stage.above, NULL, &impacts));
    assert_true(impacts.count == 1 && impacts.is_conservative && impacts.items[0].time == 0.5f);
    MUST(pliant_body_set_vertex_radii(stage.world, stage.above, (const float[3]){0, 0, 0}, 3));
    MUST(pliant_bodies_sweep(stage.world, stage.floor, stage.above, NULL, &impacts));
    assert_true(impacts.items[0].time == 0.5f && !impacts.is_conservative);
    finish(&stage);
}

/* A reader has the radii of its world. */
static void test_reader(void **state)
{
    (void)state;
    Stage stage;
    PliantReader *reader;
    start(&stage);
    MUST(pliant_reader_create(stage.world, &reader));
    MUST(pliant_body_set_radius(stage.world, stage.floor, 1));
    MUST(pliant_world_hold(stage.world));
    assert_int_equal(near_count(reader, 0), 1);
    MUST(pliant_world_release(stage.world));
    pliant_reader_destroy(reader);
    finish(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_set),
        cmocka_unit_test(test_reach),   cmocka_unit_test(test_vertex_reach),
        cmocka_unit_test(test_groups),  cmocka_unit_test(test_rest),
        cmocka_unit_test(test_margin),  cmocka_unit_test(test_soup),
        cmocka_unit_test(test_bodies),  cmocka_unit_test(test_stale),
        cmocka_unit_test(test_sweep),   cmocka_unit_test(test_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
