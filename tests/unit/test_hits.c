/* hits: what rays of one batch may hit, each with rules of its own; and what is said of a hit,
 * where it can be seen on paper. */
#include "calls.h"
#include "refuse.h"
#include "room.h"
#include "unheard.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { TOGETHER = 300 }; /* so many rays are cast together */

static PliantRayHits cast(PliantWorld *world, const PliantRayDef *def, const PliantRay *rays,
                          int64_t count)
{
    PliantRayHits hits = pliant_ray_hits_default();
    MUST(pliant_world_cast_rays(world, def, rays, count, &hits));
    return hits;
}

/* Two boxes in a row, from 2 to 3 and from 5 to 7, and a ray through both. */
typedef struct Row {
    Room room;
    PliantBody near, far;
    PliantRay rays[TOGETHER];
} Row;

static void row_open(Row *row)
{
    room_open(&row->room);
    row->near = room_add_box(&row->room, 2, -1, -1, 3, 1, 1);
    row->far = room_add_box(&row->room, 5, -1, -1, 7, 1, 1);
    for (int i = 0; i < TOGETHER; i++)
        row->rays[i] = (PliantRay){{0, 0.25f, 0.5f}, {1, 0, 0}, INFINITY};
}

/* ---- Rules of each ray ------------------------------------------------------------------------
 */

static void test_sides(void **state)
{
    (void)state;
    static const float first[] = {2, 2, 3}, all[][4] = {{2, 3, 5, 7}, {2, 5}, {3, 7}};
    Row row;
    row_open(&row);
    PliantRayDef def = pliant_ray_def_default();
    for (int sides = 0; sides < 3; sides++)
        for (int count = 1; count <= TOGETHER; count += TOGETHER - 1) {
            def.sides = (PliantRaySides)sides;
            for (int kind = 0; kind < 3; kind++) {
                def.kind = (PliantRayKind)kind;
                const int64_t hits_of_one = kind != PLIANT_ALL_HITS ? 1 : sides == 0 ? 4 : 2;
                const PliantRayHits hits = cast(row.room.world, &def, row.rays, count);
                assert_int_equal(hits.count, count * hits_of_one);
                for (int64_t i = 0; i < hits.count && kind != PLIANT_ANY_HIT; i++)
                    assert_true(
                        hits.items[i].t ==
                        (kind == PLIANT_ALL_HITS ? all[sides][i % hits_of_one] : first[sides]));
                for (int64_t i = 0; i < hits.count && sides > 0; i++)
                    assert_int_equal(hits.items[i].side, sides == PLIANT_FRONT_SIDES ? 1 : -1);
            }
        }
    /* In the plane of a side: that has no front. */
    const PliantRay along = {{0, 1, 0.5f}, {1, 0, 0}, INFINITY};
    def.sides = PLIANT_BOTH_SIDES;
    def.kind = PLIANT_ALL_HITS;
    const int64_t count = cast(row.room.world, &def, &along, 1).count;
    def.sides = PLIANT_FRONT_SIDES;
    const int64_t fronts = cast(row.room.world, &def, &along, 1).count;
    def.sides = PLIANT_BACK_SIDES;
    const int64_t backs = cast(row.room.world, &def, &along, 1).count;
    assert_true(fronts >= 2 && backs >= 2 && fronts + backs < count);
    MUST(pliant_body_cast_rays(row.room.world, row.far, &def, row.rays, 1,
                               &(PliantRayHits){.struct_size = sizeof(PliantRayHits)}));
    assert_true(room_close(&row.room));
}

static void test_ignored(void **state)
{
    (void)state;
    Row row;
    PliantBody ignored[TOGETHER];
    row_open(&row);
    PliantRayDef def = pliant_ray_def_default();
    def.ignored = ignored;
    for (int i = 0; i < TOGETHER; i++)
        ignored[i] = i % 3 == 0 ? (PliantBody){0} : i % 3 == 1 ? row.near : row.far;
    for (int kind = 0; kind < 2; kind++)
        for (int count = 3; count <= TOGETHER; count += TOGETHER - 3) {
            def.kind = (PliantRayKind)kind;
            const PliantRayHits hits = cast(row.room.world, &def, row.rays, count);
            assert_int_equal(hits.count, count);
            for (int64_t i = 0; i < hits.count; i++) {
                const uint32_t body = hits.items[i].body.index;
                assert_int_equal(hits.items[i].ray, i);
                assert_true(body != ignored[i].index);
                if (kind == PLIANT_FIRST_HIT)
                    assert_int_equal(body, (i % 3 == 1 ? row.far : row.near).index);
            }
        }
    def.kind = PLIANT_ALL_HITS;
    assert_int_equal(cast(row.room.world, &def, row.rays, 3).count, 4 + 2 + 2);
    PliantRayHits hits = pliant_ray_hits_default();
    def.kind = PLIANT_FIRST_HIT;
    MUST(pliant_body_cast_rays(row.room.world, row.near, &def, row.rays, 3, &hits));
    assert_int_equal(hits.count, 3); /* casts at one body ignore it */
    assert_true(room_close(&row.room));
}

/* One body alone is where a batch begins. */
static void test_ignored_alone(void **state)
{
    (void)state;
    Row row;
    PliantBody ignored[TOGETHER] = {{0}};
    row_open(&row);
    MUST(pliant_body_destroy(row.room.world, row.far));
    ignored[7] = row.near;
    PliantRayDef def = pliant_ray_def_default();
    def.ignored = ignored;
    assert_int_equal(cast(row.room.world, &def, row.rays, TOGETHER).count, TOGETHER - 1);
    assert_int_equal(cast(row.room.world, &def, row.rays, 10).count, 9);
    assert_true(room_close(&row.room));
}

static void test_filters(void **state)
{
    (void)state;
    Row row;
    static uint32_t categories[TOGETHER], collides_with[TOGETHER];
    row_open(&row);
    MUST(pliant_body_set_filter(row.room.world, row.near, 1, 4));
    MUST(pliant_body_set_filter(row.room.world, row.far, 2, 8));
    PliantRayDef def = pliant_ray_def_default();
    for (int i = 0; i < TOGETHER; i++) {
        static const uint32_t wanted[] = {3, 2, 1, 4};
        collides_with[i] = wanted[i % 4];   /* near, far, near, nothing */
        categories[i] = i % 8 < 4 ? 12 : 8; /* both, then far only */
    }
    static const float with_one[] = {2, 5, 2, 0}, with_both[] = {2, 5, 2, 0, 5, 5, 0, 0};
    for (int count = 8; count <= TOGETHER; count += TOGETHER - 8)
        for (int both = 0; both < 2; both++) {
            def.ray_collides_with = collides_with;
            def.ray_categories = both ? categories : NULL;
            def.categories = 12;
            def.collides_with = 0; /* the array counts */
            const PliantRayHits hits = cast(row.room.world, &def, row.rays, count);
            int64_t at = 0;
            for (int i = 0; i < count; i++) {
                const float t = both ? with_both[i % 8] : with_one[i % 4];
                if (t == 0)
                    continue;
                assert_true(at < hits.count && hits.items[at].ray == i && hits.items[at].t == t);
                at++;
            }
            assert_int_equal(at, hits.count);
        }
    def.ray_collides_with = NULL;
    def.collides_with = 1;
    assert_int_equal(cast(row.room.world, &def, row.rays, 8).count, 4);
    assert_true(room_close(&row.room));
}

/* ---- Joints -----------------------------------------------------------------------------------
 */

enum { CORNERS = 4, INFLUENCES = 2 };

/* A square of two triangles whose corners follow joints. */
static PliantBody add_square(Room *room, const uint16_t (*joints)[INFLUENCES],
                             const float (*weights)[INFLUENCES])
{
    static const float square[CORNERS][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    PliantShapeDef def = pliant_shape_def_default();
    PliantSkin skin = pliant_skin_default();
    def.vertices = (PliantVertices){square[0], CORNERS, 0};
    def.triangles = (PliantTriangles){triangles[0], 2};
    skin.joint_count = 9;
    skin.influence_count = INFLUENCES;
    skin.joints = joints ? joints[0] : NULL;
    skin.weights = weights ? weights[0] : NULL;
    def.skin = joints ? &skin : NULL;
    return room_add_def(room, &def);
}

static int32_t joint_at(PliantWorld *world, PliantBody body, int32_t triangle, float u, float v)
{
    const PliantRayHit hit = {
        .body = body, .triangle = triangle, .weights = {1 - u - v, u, v}, .side = 1};
    int32_t joint = -7;
    MUST(pliant_hit_joint(world, &hit, &joint));
    return joint;
}

static void test_joints(void **state)
{
    (void)state;
    static const uint16_t joints[CORNERS][INFLUENCES] = {{8, 3}, {3, 5}, {5, 1}, {0, 0}};
    static const float weights[CORNERS][INFLUENCES] = {
        {0.75f, 0.25f}, {0.5f, 0.5f}, {1, 0}, {0, 0}};
    Room room;
    room_open(&room);
    const PliantBody square = add_square(&room, joints, weights),
                     plain = add_square(&room, NULL, 0);
    assert_int_equal(joint_at(room.world, square, 0, 0, 0), 8);
    assert_int_equal(joint_at(room.world, square, 0, 1, 0), 3); /* a tie */
    assert_int_equal(joint_at(room.world, square, 0, 0, 1), 5);
    assert_int_equal(joint_at(room.world, square, 0, 0.5f, 0), 3); /* a tie of 3 and 8 */
    assert_int_equal(joint_at(room.world, square, 0, 0.25f, 0), 8);
    assert_int_equal(joint_at(room.world, square, 0, 0.625f, 0), 3); /* of two corners together */
    assert_int_equal(joint_at(room.world, square, 0, 0.4f, 0.3f), 5);
    assert_int_equal(joint_at(room.world, square, 1, 0, 1), -1); /* a vertex without joints */
    assert_int_equal(joint_at(room.world, square, 1, 0, 0.99f), 8);
    assert_int_equal(joint_at(room.world, plain, 0, 0, 0), -1);
    SceneMesh ball = scene_icosphere(1);
    const PliantBody soup = room_add_soup(&room, &ball);
    assert_int_equal(joint_at(room.world, soup, 3, 0, 0), -1);
    PliantTransform moved[9];
    for (int i = 0; i < 9; i++)
        moved[i] = pliant_transform_identity();
    MUST(pliant_body_set_joints(room.world, square, moved, 9));
    assert_int_equal(joint_at(room.world, square, 0, 1, 0), 3);
    assert_true(room_close(&room));
    scene_mesh_free(&ball);
}

/* ---- Points -----------------------------------------------------------------------------------
 */

/* A roof: two squares that meet at a ridge, whose vertices are there twice. */
enum { ROOF = 8 };
static const float roof[ROOF][3] = {{-1, 0, 0}, {0, 0, 1}, {0, 4, 1}, {-1, 4, 0},
                                    {0, 0, 1},  {1, 0, 0}, {1, 4, 0}, {0, 4, 1}};
static const uint32_t roof_triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};

static PliantBody add_roof(Room *room, bool is_welded)
{
    static const uint32_t groups[ROOF] = {0, 1, 2, 3, 1, 5, 6, 2};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){roof[0], ROOF, 0};
    def.triangles = (PliantTriangles){roof_triangles[0], 4};
    def.groups = is_welded ? groups : NULL;
    return room_add_def(room, &def);
}

static PliantHitPoint point_at(PliantWorld *world, PliantBody body, int32_t triangle, float u,
                               float v)
{
    const PliantRayHit hit = {.body = body, .triangle = triangle, .weights = {1 - u - v, u, v}};
    PliantRayHits hits = pliant_ray_hits_default();
    PliantHitPoints points = pliant_hit_points_default();
    hits.items = &hit;
    hits.count = 1;
    MUST(pliant_hits_points(world, &hits, NULL, &points));
    assert_int_equal(points.count, 1);
    assert_true(points.stamp != 0 && !points.is_limit_reached);
    return points.items[0];
}

static bool is_close(const float *found, float x, float y, float z)
{
    const float expected[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(found[k] - expected[k]) <= 1e-6f))
            return false;
    return true;
}

static void test_seam(void **state)
{
    (void)state;
    const float half = sqrtf(0.5f);
    Room room;
    room_open(&room);
    const PliantBody welded = add_roof(&room, true), split = add_roof(&room, false);
    /* The ridge's ends have two triangles on one side and one on the other, or one and two. */
    const float a = 1 / sqrtf(10);
    assert_true(is_close(point_at(room.world, welded, 0, 1, 0).normal, a, 0, 3 * a));
    assert_true(is_close(point_at(room.world, welded, 2, 0, 0).normal, a, 0, 3 * a));
    assert_true(is_close(point_at(room.world, welded, 0, 0, 1).normal, -a, 0, 3 * a));
    assert_true(is_close(point_at(room.world, welded, 0, 0, 0).normal, -half, 0, half));
    assert_true(is_close(point_at(room.world, split, 0, 1, 0).normal, -half, 0, half));
    assert_true(is_close(point_at(room.world, split, 2, 0, 0).normal, half, 0, half));
    const PliantHitPoint middle = point_at(room.world, welded, 0, 0.5f, 0.25f);
    assert_true(is_close(middle.position, -0.25f, 1, 0.75f));

    /* Where the seam opens, each side is for itself. */
    float open[ROOF][3];
    memcpy(open, roof, sizeof open);
    open[7][2] = open[4][2] = 1.5f;
    MUST(pliant_body_set_vertices(room.world, welded, (PliantVertices){open[0], ROOF, 0}));
    assert_true(is_close(point_at(room.world, welded, 0, 1, 0).normal, -half, 0, half));
    open[4][2] = open[1][2] = 0; /* one end is closed again, and the mesh is somewhere else */
    MUST(pliant_body_set_vertices(room.world, welded, (PliantVertices){open[0], ROOF, 0}));
    assert_true(point_at(room.world, welded, 2, 0, 0).normal[0] < 0.9f);
    assert_true(room_close(&room));
}

/* A decal: what is kept of a hit follows the body. */
static void test_decal(void **state)
{
    (void)state;
    Row row;
    row_open(&row);
    PliantRayHits hits = cast(row.room.world, NULL, row.rays, 2), kept = hits;
    PliantRayHit items[2] = {hits.items[0], hits.items[1]};
    PliantHitPoints points = pliant_hit_points_default();
    MUST(pliant_hits_points(row.room.world, &hits, NULL, &points));
    assert_int_equal(points.count, 2);
    assert_true(is_close(points.items[1].position, 2, 0.25f, 0.5f));
    assert_true(points.items[0].normal[0] < -0.5f);
    PliantTransform turned = {{{0, -1, 0, 10}, {1, 0, 0, 0}, {0, 0, 1, 0}}};
    MUST(pliant_body_set_transform(row.room.world, row.near, &turned));
    PliantHitPoints none = points;
    REFUSE(row.room.host, pliant_hits_points(row.room.world, &hits, NULL, &points), PLIANT_STALE,
           "body {index");
    assert_memory_equal(&none, &points, sizeof none);
    kept.items = items;
    kept.stamp = 0;
    MUST(pliant_hits_points(row.room.world, &kept, NULL, &points));
    assert_true(is_close(points.items[0].position, 9.75f, 2, 0.5f));
    assert_true(points.items[0].normal[1] < -0.5f);
    PliantHitPointsDef def = pliant_hit_points_def_default();
    def.max_point_count = 1;
    MUST(pliant_hits_points(row.room.world, &kept, &def, &points));
    assert_true(points.count == 1 && points.is_limit_reached);
    def.max_point_count = 2;
    MUST(pliant_hits_points(row.room.world, &kept, &def, &points));
    assert_true(points.count == 2 && !points.is_limit_reached);
    assert_true(room_close(&row.room));
}

/* No area, no front, not finite, coordinates as large and as small as floats are. */
static void test_extremes(void **state)
{
    (void)state;
    static const float scales[] = {0x1p-149f, 0x1p-100f, 1, 0x1p100f, 0x1p125f};
    Room room;
    room_open(&room);
    const PliantBody body = add_roof(&room, true);
    float moved[ROOF][3];
    for (int s = 0; s < 5; s++) {
        for (int i = 0; i < 3 * ROOF; i++)
            moved[i / 3][i % 3] = roof[i / 3][i % 3] * scales[s];
        MUST(pliant_body_set_vertices(room.world, body, (PliantVertices){moved[0], ROOF, 0}));
        const PliantHitPoint point = point_at(room.world, body, 0, 0, 0);
        assert_true(is_close(point.normal, -sqrtf(0.5f), 0, sqrtf(0.5f)));
        assert_true(point.position[0] == -scales[s]);
    }
    memset(moved, 0, sizeof moved);
    MUST(pliant_body_set_vertices(room.world, body, (PliantVertices){moved[0], ROOF, 0}));
    assert_true(is_close(point_at(room.world, body, 1, 0, 0).normal, 0, 0, 0));
    memcpy(moved, roof, sizeof moved);
    moved[3][1] = NAN; /* of triangle 1: the others do not see it */
    MUST(pliant_body_set_vertices(room.world, body, (PliantVertices){moved[0], ROOF, 0}));
    const PliantHitPoint gone = point_at(room.world, body, 1, 0, 0);
    assert_true(isnan(gone.position[0]) && isnan(gone.normal[2]));
    assert_true(is_close(point_at(room.world, body, 0, 0, 0).normal, -sqrtf(0.5f), 0, sqrtf(0.5f)));
    assert_true(is_close(point_at(room.world, body, 0, 0, 1).normal, 0, 0, 1));

    /* Two sides of one sheet: their sum is nothing, and the triangle's own normal counts. */
    static const float sheet[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t both[2][3] = {{0, 1, 2}, {0, 2, 1}};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){sheet[0], 3, 0};
    def.triangles = (PliantTriangles){both[0], 2};
    const PliantBody thin = room_add_def(&room, &def);
    assert_true(is_close(point_at(room.world, thin, 0, 0, 0).normal, 0, 0, 1));
    assert_true(is_close(point_at(room.world, thin, 1, 0, 0).normal, 0, 0, -1));
    assert_true(room_close(&room));
}

/* ---- Mistakes ---------------------------------------------------------------------------------
 */

static void test_mistakes(void **state)
{
    (void)state;
    Row row;
    row_open(&row);
    PliantWorld *world = row.room.world;
    PliantRayHits hits = pliant_ray_hits_default();
    PliantRayDef def = pliant_ray_def_default();
    PliantBody ignored[2] = {row.far, {row.near.index, row.near.serial + 9}};
    def.sides = (PliantRaySides)3;
    REFUSE(row.room.host, pliant_world_cast_rays(world, &def, row.rays, 2, &hits),
           PLIANT_BAD_ARGUMENT, "def.sides is 3");
    def.sides = PLIANT_BOTH_SIDES;
    def.ignored = ignored;
    REFUSE(row.room.host, pliant_world_cast_rays(world, &def, row.rays, 2, &hits), PLIANT_BAD_ID,
           "def.ignored[1] is {");

    PliantRayHit hit = {.body = row.near, .weights = {1, 0, 0}};
    PliantHitPoints points = pliant_hit_points_default();
    PliantHitPointsDef points_def = pliant_hit_points_def_default();
    int32_t joint;
    hits.items = &hit;
    hits.count = 1;
    hit.triangle = 12;
    REFUSE(row.room.host, pliant_hit_joint(world, &hit, &joint), PLIANT_BAD_INDEX,
           "hit 0 has triangle 12, the body has 12");
    REFUSE(row.room.host, pliant_hits_points(world, &hits, NULL, &points), PLIANT_BAD_INDEX,
           "hit 0 has triangle 12");
    hit.triangle = 0;
    hit.weights[1] = NAN;
    REFUSE(row.room.host, pliant_hit_joint(world, &hit, &joint), PLIANT_BAD_ARGUMENT,
           "hit 0 has a weight");
    REFUSE(row.room.host, pliant_hits_points(world, &hits, NULL, &points), PLIANT_BAD_ARGUMENT,
           "hit 0 has a weight");
    hit.weights[1] = 0;
    hit.body.serial++;
    REFUSE(row.room.host, pliant_hit_joint(world, &hit, &joint), PLIANT_BAD_ID, "hit 0 has body {");
    REFUSE(row.room.host, pliant_hits_points(world, &hits, NULL, &points), PLIANT_BAD_ID,
           "hit 0 has body {");
    hit.body = row.near;
    REFUSE(row.room.host, pliant_hit_joint(world, NULL, &joint), PLIANT_BAD_ARGUMENT,
           "hit is NULL");
    REFUSE(row.room.host, pliant_hit_joint(world, &hit, NULL), PLIANT_BAD_ARGUMENT,
           "joint is NULL");
    REFUSE(row.room.host, pliant_hits_points(world, NULL, NULL, &points), PLIANT_BAD_ARGUMENT,
           "hits is NULL");
    REFUSE(row.room.host, pliant_hits_points(world, &hits, NULL, NULL), PLIANT_BAD_ARGUMENT,
           "points is NULL");
    points_def.max_point_count = -1;
    REFUSE(row.room.host, pliant_hits_points(world, &hits, &points_def, &points),
           PLIANT_BAD_ARGUMENT, "def.max_point_count is -1");
    points_def.struct_size = 3;
    REFUSE(row.room.host, pliant_hits_points(world, &hits, &points_def, &points), PLIANT_BAD_DEF,
           "def.struct_size is 3");
    hits.count = -1;
    REFUSE(row.room.host, pliant_hits_points(world, &hits, NULL, &points), PLIANT_BAD_ARGUMENT,
           "hits.count is -1");
    hits.count = 1;
    hits.items = NULL;
    REFUSE(row.room.host, pliant_hits_points(world, &hits, NULL, &points), PLIANT_BAD_ARGUMENT,
           "hits.items is NULL");
    hits.count = 0;
    MUST(pliant_hits_points(world, &hits, NULL, &points));
    assert_int_equal(points.count, 0);
    REFUSE_UNHEARD(pliant_hit_joint(NULL, &hit, &joint), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_hits_points(NULL, &hits, NULL, &points), PLIANT_BAD_ARGUMENT);
    assert_true(room_close(&row.room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sides),         cmocka_unit_test(test_ignored),
        cmocka_unit_test(test_ignored_alone), cmocka_unit_test(test_filters),
        cmocka_unit_test(test_joints),        cmocka_unit_test(test_seam),
        cmocka_unit_test(test_decal),         cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests_name("hits", tests, NULL, NULL);
}
