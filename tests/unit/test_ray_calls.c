/* rays: the calls. What they refuse, what they return in cases that can be seen on paper, what they
 * evaluate, and that neither workers nor the order of bodies change an answer. */
#include "ball.h"
#include "calls.h"
#include "refuse.h"
#include "room.h"
#include "unheard.h"
#include "unit.h"
#include "workers.h"

#include <math.h>
#include <string.h>

static PliantRayHits cast(PliantWorld *world, PliantRayKind kind, const PliantRay *rays,
                          int64_t count)
{
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    def.kind = kind;
    hits.count = -1;
    MUST(pliant_world_cast_rays(world, &def, rays, count, &hits));
    return hits;
}

/* ---- Mistakes -------------------------------------------------------------------------------- */

static void test_mistakes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody body = room_add(&room, scene_icosphere(1));
    PliantRay rays[2] = {{{0, 0, 0}, {1, 0, 0}, 1}, {{0, 0, 0}, {1, 0, 0}, 1}};
    PliantRayHits hits = pliant_ray_hits_default(), kept;
    PliantRayDef def = pliant_ray_def_default();
    memset(&hits, 0xee, sizeof hits);
    hits.struct_size = sizeof hits;
    kept = hits;
    REFUSE(room.host, pliant_world_cast_rays(room.world, NULL, rays, 2, NULL), PLIANT_BAD_ARGUMENT,
           "hits is NULL");
    REFUSE(room.host, pliant_world_cast_rays(room.world, NULL, NULL, 2, &hits), PLIANT_BAD_ARGUMENT,
           "rays is NULL");
    REFUSE(room.host, pliant_world_cast_rays(room.world, NULL, rays, -1, &hits),
           PLIANT_BAD_ARGUMENT, "count is -1");
    REFUSE(room.host, pliant_body_cast_rays(room.world, (PliantBody){0}, NULL, rays, 2, &hits),
           PLIANT_BAD_ID, "body is {");
    def.struct_size = 3;
    REFUSE(room.host, pliant_body_cast_rays(room.world, body, &def, rays, 2, &hits), PLIANT_BAD_DEF,
           "def.struct_size is 3");
    def = pliant_ray_def_default();
    def.kind = (PliantRayKind)3;
    REFUSE(room.host, pliant_world_cast_rays(room.world, &def, rays, 2, &hits), PLIANT_BAD_ARGUMENT,
           "def.kind is 3");
    rays[1].origin[2] = NAN;
    REFUSE(room.host, pliant_world_cast_rays(room.world, NULL, rays, 2, &hits), PLIANT_BAD_ARGUMENT,
           "rays[1].origin is not finite");
    rays[1].origin[2] = 0;
    rays[1].direction[1] = -INFINITY;
    REFUSE(room.host, pliant_world_cast_rays(room.world, NULL, rays, 2, &hits), PLIANT_BAD_ARGUMENT,
           "rays[1].direction is not finite");
    rays[1].direction[0] = rays[1].direction[1] = -0.0f;
    REFUSE(room.host, pliant_world_cast_rays(room.world, NULL, rays, 2, &hits), PLIANT_BAD_ARGUMENT,
           "rays[1].direction is zero");
    rays[1].direction[0] = 1;
    rays[0].max = -1;
    REFUSE(room.host, pliant_world_cast_rays(room.world, NULL, rays, 2, &hits), PLIANT_BAD_ARGUMENT,
           "rays[0].max is -1");
    rays[0].max = NAN;
    REFUSE(room.host, pliant_body_cast_rays(room.world, body, NULL, rays, 2, &hits),
           PLIANT_BAD_ARGUMENT, "rays[0].max is");
    assert_memory_equal(&hits, &kept, sizeof hits);
    hits.struct_size = 1;
    REFUSE(room.host, pliant_world_cast_rays(room.world, NULL, rays, 1, &hits), PLIANT_BAD_DEF,
           "hits.struct_size is 1");
    REFUSE_UNHEARD(pliant_world_cast_rays(NULL, NULL, rays, 1, &hits), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_body_cast_rays(NULL, body, NULL, rays, 1, &hits), PLIANT_BAD_ARGUMENT);
    assert_true(room_close(&room));
}

static void test_nothing(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantRay ray = {{0, 0, 0}, {1, 0, 0}, INFINITY};
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(cast(room.world, (PliantRayKind)kind, &ray, 1).count, 0);
        assert_int_equal(cast(room.world, (PliantRayKind)kind, NULL, 0).count, 0);
    }
    const SceneMesh none = {0};
    const PliantBody soup = room_add_soup(&room, &none);
    PliantRayHits hits = pliant_ray_hits_default();
    MUST(pliant_body_cast_rays(room.world, soup, NULL, &ray, 1, &hits));
    assert_int_equal(hits.count, 0);
    assert_int_equal(cast(room.world, PLIANT_ALL_HITS, &ray, 1).count, 0);
    const PliantBox box = {{1, -1, -1}, {2, 1, 1}};
    MUST(pliant_body_set_loose_box(room.world, soup, &box));
    assert_int_equal(cast(room.world, PLIANT_FIRST_HIT, &ray, 1).count, 0);
    static PliantRay many[300];
    for (int i = 0; i < 300; i++)
        many[i] = ray;
    assert_int_equal(cast(room.world, PLIANT_FIRST_HIT, many, 300).count, 0);
    assert_true(room_close(&room));
}

/* ---- Cases on paper -------------------------------------------------------------------------- */

static void assert_hit(const PliantRayHit *hit, int64_t ray, PliantBody body, float t, int32_t side)
{
    assert_int_equal(hit->ray, ray);
    assert_int_equal(hit->body.index, body.index);
    assert_true(hit->t == t);
    assert_int_equal(hit->side, side);
    assert_true(fabsf(hit->weights[0] + hit->weights[1] + hit->weights[2] - 1) < 1e-6f);
}

/* Two boxes one behind the other, of which each side is two triangles. */
static void test_boxes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody near = room_add_box(&room, 2, -1, -1, 3, 1, 1);
    const PliantBody far = room_add_box(&room, 5, -1, -1, 7, 1, 1);
    const PliantRay rays[] = {
        {{0, 0.25f, 0.5f}, {1, 0, 0}, INFINITY}, /* through one triangle of each side */
        {{0, 0, 0}, {2, 0, 0}, INFINITY},        /* through the diagonals */
        {{9, 0.25f, 0.5f}, {-1, 0, 0}, 2},       /* ends on the far box */
        {{9, 0.25f, 0.5f}, {-1, 0, 0}, 1.9999f}, /* ends before it */
        {{0, 1, 0.5f}, {1, 0, 0}, INFINITY},     /* in the plane of two sides */
        {{0, 1, 1}, {1, 0, 0}, INFINITY},        /* along two edges */
        {{0, 1.0001f, 0}, {1, 0, 0}, INFINITY},
        {{2, 0.25f, 0.5f}, {-1, 0, 0}, 0}, /* is a point of a side */
    };
    PliantRayHits hits = cast(room.world, PLIANT_FIRST_HIT, rays, 8);
    assert_int_equal(hits.count, 6);
    assert_hit(&hits.items[0], 0, near, 2, 1);
    assert_hit(&hits.items[1], 1, near, 1, 1);
    assert_hit(&hits.items[2], 2, far, 2, 1);
    assert_int_equal(hits.items[3].ray, 4);
    assert_true(hits.items[3].t == 2);
    assert_int_equal(hits.items[4].ray, 5);
    assert_true(hits.items[4].t == 2);
    assert_hit(&hits.items[5], 7, near, 0, -1);

    hits = cast(room.world, PLIANT_ALL_HITS, rays, 1);
    assert_int_equal(hits.count, 4);
    assert_hit(&hits.items[0], 0, near, 2, 1);
    assert_hit(&hits.items[1], 0, near, 3, -1);
    assert_hit(&hits.items[2], 0, far, 5, 1);
    assert_hit(&hits.items[3], 0, far, 7, -1);
    assert_int_equal(cast(room.world, PLIANT_ALL_HITS, rays + 1, 1).count, 8);
    assert_int_equal(cast(room.world, PLIANT_ANY_HIT, rays, 8).count, 6);

    PliantRayHits one = pliant_ray_hits_default();
    MUST(pliant_body_cast_rays(room.world, far, NULL, rays, 8, &one));
    assert_int_equal(one.count, 5);
    assert_hit(&one.items[0], 0, far, 5, 1);
    assert_true(room_close(&room));
}

/* Of several hits at one parameter the least body comes first, then the least triangle. */
static void test_ties(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody first = room_add(&room, scene_icosphere(3));
    for (int i = 0; i < 30; i++)
        (void)room_add(&room, scene_icosphere(3));
    SceneMesh sphere = scene_icosphere(3);
    for (int32_t v = 0; v < sphere.vertex_count; v += 7) {
        const float *p = sphere.vertices + 3 * (size_t)v;
        const PliantRay ray = {{0, 0, 0}, {p[0], p[1], p[2]}, 1};
        PliantRayHits hits = cast(room.world, PLIANT_ALL_HITS, &ray, 1);
        int32_t least = INT32_MAX;
        for (int32_t i = 0; i < 3 * sphere.triangle_count; i++)
            if (sphere.triangles[i] == (uint32_t)v && i / 3 < least)
                least = i / 3;
        assert_true(hits.count == 31 * 5 || hits.count == 31 * 6);
        for (int64_t i = 0; i < hits.count; i++)
            assert_true(hits.items[i].t == 1 && hits.items[i].side == -1);
        hits = cast(room.world, PLIANT_FIRST_HIT, &ray, 1);
        assert_int_equal(hits.count, 1);
        assert_int_equal(hits.items[0].body.index, first.index);
        assert_int_equal(hits.items[0].triangle, least);
    }
    scene_mesh_free(&sphere);
    assert_true(room_close(&room));
}

/* More bodies in a row than there are slots for the leaves of one ray. */
static void test_row(void **state)
{
    (void)state;
    enum { ROW = 150 };
    Room room;
    PliantBody bodies[ROW];
    const PliantRay ray = {{-1, 0.25f, 0.5f}, {1, 0, 0}, INFINITY};
    room_open(&room);
    for (int i = 0; i < ROW; i++) {
        const float x = (float)(2 * i);
        bodies[i] = room_add_box(&room, x, -1, -1, x + 1, 1, 1);
    }
    const PliantRayHits hits = cast(room.world, PLIANT_ALL_HITS, &ray, 1);
    assert_int_equal(hits.count, 2 * ROW);
    for (int i = 0; i < 2 * ROW; i++)
        assert_hit(&hits.items[i], 0, bodies[i / 2], (float)(i + 1), i % 2 ? -1 : 1);
    assert_true(room_close(&room));
}

/* Numbers that a caller's modes would take for zero: the library has modes of its own. */
static void test_denormals(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const float least = 0x1p-149f;
    SceneMesh box = scene_icosphere(0);
    for (int32_t i = 0; i < 3 * box.vertex_count; i++)
        box.vertices[i] = roundf(8 * box.vertices[i]) * least;
    const PliantBody body = room_add(&room, box);
    const PliantRay ray = {{-100 * least, 0, 0}, {least, 0, 0}, INFINITY};
    const PliantRayHits hits = cast(room.world, PLIANT_FIRST_HIT, &ray, 1);
    assert_int_equal(hits.count, 1);
    assert_int_equal(hits.items[0].body.index, body.index);
    assert_true(hits.items[0].t > 90 && hits.items[0].t < 100);
    assert_true(room_close(&room));
}

/* ---- Divided triangles ------------------------------------------------------------------------
 */

/* A wall of two triangles that are divided, among many small ones. Each is there once. */
static void test_divided(void **state)
{
    (void)state;
    for (int kind = PLIANT_DIVIDE_AUTO; kind <= PLIANT_DIVIDE_CORNERS; kind++) {
        Room room;
        room_open(&room);
        static const float wall[4][3] = {{-64, 0, -64}, {64, 0, -64}, {64, 0, 64}, {-64, 0, 64}};
        static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = (PliantVertices){wall[0], 4, 0};
        def.triangles = (PliantTriangles){triangles[0], 2};
        def.divide_kind = (PliantDivideKind)kind;
        def.divide_size = kind >= PLIANT_DIVIDE_QUARTERS ? 4 : 0;
        (void)room_add_def(&room, &def);
        int64_t count = 0;
        for (int i = -70; i <= 70; i += 7)
            for (int j = -70; j <= 70; j += 5) {
                const PliantRay rays[] = {{{(float)i, 3, (float)j}, {0, -1, 0}, INFINITY},
                                          {{(float)i, 0, (float)j}, {1, 0, 0.5f}, INFINITY}};
                const bool is_over = abs(i) <= 64 && abs(j) <= 64;
                PliantRayHits hits = cast(room.world, PLIANT_ALL_HITS, rays, 1);
                assert_int_equal(hits.count, !is_over ? 0 : i == j ? 2 : 1);
                hits = cast(room.world, PLIANT_FIRST_HIT, rays, 1);
                assert_int_equal(hits.count, is_over);
                if (is_over) {
                    assert_true(hits.items[0].t == 3);
                    assert_int_equal(hits.items[0].triangle, i >= j ? 0 : 1);
                }
                count += cast(room.world, PLIANT_ALL_HITS, rays + 1, 1).count;
            }
        assert_true(count > 500 && count < 2000);
        assert_true(room_close(&room));
    }
}

/* ---- What is evaluated -------------------------------------------------------------------------
 */

static PliantStats stats_of(PliantWorld *world, PliantBody body)
{
    PliantStats stats = pliant_stats_default();
    MUST(pliant_body_stats(world, body, &stats));
    return stats;
}

/* A ray evaluates little of a body that it hits, and nothing of one behind. Leaves are fetched once
 * for many rays. A body with a loose box is left alone until a ray goes through the box. */
static void test_laziness(void **state)
{
    (void)state;
    static Ball ball;
    Room room;
    ball_init(&ball);
    room_open(&room);
    const PliantShapeDef def = ball_skin_def(&ball, &room.host.host);
    const PliantBody near = room_add_def(&room, &def), far = room_add_def(&room, &def);
    PliantTransform joints[BALL_JOINTS], behind = pliant_transform_identity();
    ball_bend(0.3, joints);
    behind.rows[0][3] = 10;
    MUST(pliant_body_set_joints(room.world, near, joints, BALL_JOINTS));
    MUST(pliant_body_set_joints(room.world, far, joints, BALL_JOINTS));
    MUST(pliant_body_set_transform(room.world, far, &behind));
    PliantRay rays[50];
    for (int i = 0; i < 50; i++)
        rays[i] = (PliantRay){{-5, 0.1f + 0.001f * (float)i, 0.1f}, {1, 0, 0}, INFINITY};
    assert_int_equal(cast(room.world, PLIANT_FIRST_HIT, rays, 1).count, 1);
    const int64_t evaluated = stats_of(room.world, near).vertices_evaluated;
    assert_true(evaluated > 0 && evaluated < BALL_VERTICES / 3);
    assert_int_equal(stats_of(room.world, far).vertices_evaluated, 0);
    assert_int_equal(stats_of(room.world, far).leaves_evaluated, 0);

    assert_int_equal(cast(room.world, PLIANT_FIRST_HIT, rays, 50).count, 50);
    assert_true(stats_of(room.world, near).vertices_evaluated < 2 * evaluated);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(room.world, &stats));
    assert_int_equal(stats.contacts, 50);
    assert_true(stats.triangle_tests >= 50 && stats.bound_tests > 50 * 8);

    const PliantBox box = {{8, -2, -2}, {12, 2, 2}};
    MUST(pliant_body_set_loose_box(room.world, far, &box));
    MUST(pliant_body_set_joints(room.world, far, joints, BALL_JOINTS));
    const PliantRay beside = {{10, 5, 0}, {1, 0, 0}, INFINITY},
                    through = {{10, 5, 0}, {0, -1, 0}, INFINITY};
    assert_int_equal(cast(room.world, PLIANT_FIRST_HIT, &beside, 1).count, 0);
    assert_int_equal(stats_of(room.world, far).nodes_updated, 0);
    assert_int_equal(cast(room.world, PLIANT_FIRST_HIT, &through, 1).count, 1);
    assert_true(stats_of(room.world, far).nodes_updated > 0);
    ball_free(&ball);
    assert_true(room_close(&room));
}

/* The second of two equal batches takes no memory. */
static void test_warm(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    for (int i = 0; i < 40; i++)
        (void)room_add(&room, scene_icosphere(2));
    PliantRay rays[60];
    for (int i = 0; i < 60; i++)
        rays[i] = (PliantRay){{-3, 0.01f * (float)i, 0}, {1, 0.003f * (float)i, 0.1f}, INFINITY};
    for (int kind = 0; kind < 3; kind++) {
        (void)cast(room.world, (PliantRayKind)kind, rays, 60);
        const int64_t calls = room.host.calls;
        (void)cast(room.world, (PliantRayKind)kind, rays, 60);
        assert_int_equal(room.host.calls, calls);
    }
    assert_true(room_close(&room));
}

/* ---- Many bodies, many workers ------------------------------------------------------------------
 */

enum { MANY = 600, RAYS = 400 };

/* A world of many small balls, with some of them taken out again. */
static PliantWorld *create_crowd(const PliantHost *host, bool divides)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantWorld *world;
    PliantShape *shape;
    PliantShapeDef shape_def = pliant_shape_def_default();
    SceneMesh mesh = scene_icosphere(1);
    SceneRandom random = {7};
    PliantBody bodies[MANY];
    def.host = host;
    shape_def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
    shape_def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    MUST(pliant_world_create(&def, &world));
    MUST(pliant_shape_create(&shape_def, &shape));
    for (int i = 0; i < MANY; i++) {
        PliantTransform transform = pliant_transform_identity();
        for (int k = 0; k < 3; k++)
            transform.rows[k][3] = (float)(24 * scene_random(&random));
        MUST(pliant_body_create(world, shape, &bodies[i]));
        MUST(pliant_body_set_transform(world, bodies[i], &transform));
    }
    for (int i = 0; i < MANY; i += 11)
        MUST(pliant_body_destroy(world, bodies[i]));
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
    if (divides)
        test_workers_divide_everything(world);
    return world;
}

static void make_rays(PliantRay *rays)
{
    SceneRandom random = {8};
    for (int i = 0; i < RAYS; i++) {
        for (int k = 0; k < 3; k++) {
            rays[i].origin[k] = (float)(24 * scene_random(&random));
            rays[i].direction[k] = (float)(2 * scene_random(&random) - 1);
        }
        rays[i].max = i % 3 ? INFINITY : 20;
    }
}

static bool is_same_hit(const PliantRayHit *x, const PliantRayHit *y)
{
    return x->ray == y->ray && x->body.index == y->body.index && x->triangle == y->triangle &&
           x->side == y->side && x->t == y->t && x->weights[0] == y->weights[0] &&
           x->weights[1] == y->weights[1] && x->weights[2] == y->weights[2];
}

/* All hits of the world are those of its bodies one by one, and the first of them are the first. */
static void test_many(void **state)
{
    (void)state;
    static PliantRay rays[RAYS];
    static PliantRayHit all[100000], firsts[RAYS];
    PliantWorld *world = create_crowd(NULL, false);
    make_rays(rays);
    PliantRayHits hits = cast(world, PLIANT_ALL_HITS, rays, RAYS);
    const int64_t count = hits.count;
    assert_true(count > RAYS && count < 100000);
    memcpy(all, hits.items, (size_t)count * sizeof *all);
    int64_t sum = 0;
    for (PliantBody body = pliant_world_next_body(world, (PliantBody){0}); body.index != 0;
         body = pliant_world_next_body(world, body)) {
        PliantRayDef def = pliant_ray_def_default();
        PliantRayHits own = pliant_ray_hits_default();
        def.kind = PLIANT_ALL_HITS;
        MUST(pliant_body_cast_rays(world, body, &def, rays, RAYS, &own));
        int64_t at = 0;
        for (int64_t i = 0; i < own.count; i++) {
            while (at < count && !is_same_hit(&all[at], &own.items[i]))
                at++;
            assert_true(at < count);
        }
        sum += own.count;
    }
    assert_int_equal(sum, count);
    hits = cast(world, PLIANT_FIRST_HIT, rays, RAYS);
    memcpy(firsts, hits.items, (size_t)hits.count * sizeof *firsts);
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i > 0 && all[i].ray == all[i - 1].ray) {
            assert_true(all[i].t >= all[i - 1].t);
            continue;
        }
        assert_true(at < hits.count && is_same_hit(&firsts[at], &all[i]));
        at++;
    }
    assert_int_equal(at, hits.count);
    assert_int_equal(cast(world, PLIANT_ANY_HIT, rays, RAYS).count, at);
    pliant_world_destroy(world);
}

/* Rays that are cast together hit what each of them hits alone. They begin and point at whole
 * numbers, where boxes and other triangles have their corners. */
static void test_together(void **state)
{
    enum { BOXES = 5, TOGETHER = 3000 };
    (void)state;
    static PliantRay rays[TOGETHER];
    static PliantRayHit together[TOGETHER];
    SceneRandom random = {9};
    Room room;
    room_open(&room);
    for (int i = 0; i < BOXES; i++) {
        const float x = (float)(2 * i);
        (void)room_add_box(&room, x, -1, -1, x + 2, 1, (float)i);
    }
    (void)room_add(&room, scene_icosphere(3));
    for (int i = 0; i < TOGETHER; i++) {
        rays[i] = (PliantRay){.max = i % 2 ? INFINITY : 1};
        for (int k = 0; k < 3; k++) {
            rays[i].origin[k] = (float)scene_random_below(&random, 9) - 3;
            rays[i].direction[k] = (float)scene_random_below(&random, 9) - 4;
        }
        if (rays[i].direction[0] == 0 && rays[i].direction[1] == 0)
            rays[i].direction[2] = i % 3 ? 1e30f : -1e-30f;
        else if (i % 5 == 0)
            rays[i].direction[2] = 0x1p-149f;
    }
    PliantRayHits hits = cast(room.world, PLIANT_FIRST_HIT, rays, TOGETHER);
    const int64_t count = hits.count;
    int64_t at = 0;
    assert_true(count > TOGETHER / 10 && count < TOGETHER);
    memcpy(together, hits.items, (size_t)count * sizeof *together);
    for (int64_t i = 0; i < TOGETHER; i++) {
        hits = cast(room.world, PLIANT_FIRST_HIT, &rays[i], 1);
        if (hits.count == 0)
            continue;
        PliantRayHit alone = hits.items[0];
        alone.ray = i;
        assert_true(at < count && is_same_hit(&together[at++], &alone));
    }
    assert_int_equal(at, count);
    assert_true(room_close(&room));
}

static void test_workers(void **state)
{
    (void)state;
    static const char *const ways[] = {"3", "forward:2", "reversed:7", "random:64"};
    static PliantRay rays[RAYS];
    make_rays(rays);
    PliantWorld *alone = create_crowd(NULL, false);
    for (int w = 0; w < 4; w++) {
        TestWorkers workers;
        PliantHost host = pliant_host_default();
        assert_true(test_workers_start(&workers, ways[w]));
        test_workers_attach(&workers, &host);
        PliantWorld *world = create_crowd(&host, w % 2);
        for (int kind = 0; kind < 3; kind++) {
            const PliantRayHits x = cast(alone, (PliantRayKind)kind, rays, RAYS),
                                y = cast(world, (PliantRayKind)kind, rays, RAYS);
            assert_int_equal(x.count, y.count);
            for (int64_t i = 0; i < x.count; i++)
                assert_true(is_same_hit(&x.items[i], &y.items[i]));
        }
        pliant_world_destroy(world);
        test_workers_end(&workers);
    }
    pliant_world_destroy(alone);
}

/* ---- Filters ------------------------------------------------------------------------------------
 */

static void test_filters(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody near = room_add_box(&room, 2, -1, -1, 3, 1, 1),
                     far = room_add_box(&room, 5, -1, -1, 7, 1, 1);
    const PliantRay ray = {{0, 0.25f, 0.5f}, {1, 0, 0}, INFINITY};
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    MUST(pliant_body_set_filter(room.world, near, 1, 4));
    def.collides_with = 2;
    MUST(pliant_world_cast_rays(room.world, &def, &ray, 1, &hits));
    assert_hit(&hits.items[0], 0, far, 5, 1);
    def.collides_with = 1;
    def.categories = 4;
    MUST(pliant_world_cast_rays(room.world, &def, &ray, 1, &hits));
    assert_hit(&hits.items[0], 0, near, 2, 1);
    def.categories = 8;
    MUST(pliant_world_cast_rays(room.world, &def, &ray, 1, &hits));
    assert_hit(&hits.items[0], 0, far, 5, 1);
    MUST(pliant_body_cast_rays(room.world, near, &def, &ray, 1, &hits));
    assert_hit(&hits.items[0], 0, near, 2, 1);
    assert_true(room_close(&room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_boxes),    cmocka_unit_test(test_ties),
        cmocka_unit_test(test_row),      cmocka_unit_test(test_denormals),
        cmocka_unit_test(test_divided),  cmocka_unit_test(test_laziness),
        cmocka_unit_test(test_warm),     cmocka_unit_test(test_many),
        cmocka_unit_test(test_together), cmocka_unit_test(test_workers),
        cmocka_unit_test(test_filters),
    };
    return cmocka_run_group_tests_name("ray_calls", tests, NULL, NULL);
}
