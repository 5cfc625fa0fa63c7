/* Regions: what the public call takes, and bodies whose regions are known. */
#include "unit.h"

#include "host.h"
#include "refuse.h"
#include "solids.h"
#include "workers.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

typedef struct Stage {
    TestHost host;
    PliantWorld *world;
    PliantContacts contacts;
    PliantRegions regions;
} Stage;

static void start(Stage *stage)
{
    *stage = (Stage){.contacts = pliant_contacts_default(), .regions = pliant_regions_default()};
    test_host_init(&stage->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &stage->host.host;
    MUST(pliant_world_create(&def, &stage->world));
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
}

/* Takes the mesh. */
static PliantBody add(Stage *stage, SceneMesh mesh)
{
    PliantBody body;
    PliantShape *shape = solid_shape(&mesh);
    MUST(pliant_body_create(stage->world, shape, &body));
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
    return body;
}

static void find(Stage *stage)
{
    MUST(pliant_world_collide(stage->world, NULL, &stage->contacts));
    MUST(pliant_contacts_regions(stage->world, &stage->contacts, NULL, &stage->regions));
}

static void find_self(Stage *stage, PliantBody body)
{
    MUST(pliant_bodies_collide(stage->world, body, body, NULL, &stage->contacts));
    MUST(pliant_contacts_regions(stage->world, &stage->contacts, NULL, &stage->regions));
}

static void assert_close(double value, double expected, double margin)
{
    if (!(fabs(value - expected) <= margin))
        fail_msg("%.9g is not %.9g", value, expected);
}

static SceneMesh box(float x, float y, float z, float a, float b, float c)
{
    return solid_box((const float[3]){x, y, z}, (const float[3]){a, b, c});
}

/* The vertex in the middle of two, which is added unless it is there. */
static uint32_t middle(SceneMesh *mesh, uint32_t a, uint32_t b)
{
    float v[3];
    for (int k = 0; k < 3; k++)
        v[k] = (mesh->vertices[3 * a + (uint32_t)k] + mesh->vertices[3 * b + (uint32_t)k]) / 2;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        const float *here = mesh->vertices + 3 * (size_t)i;
        if (here[0] == v[0] && here[1] == v[1] && here[2] == v[2])
            return (uint32_t)i;
    }
    memcpy(mesh->vertices + 3 * (size_t)mesh->vertex_count, v, sizeof v);
    return (uint32_t)mesh->vertex_count++;
}

/* Each triangle in four. The mesh is freed. */
static SceneMesh divided(SceneMesh mesh)
{
    const size_t count = (size_t)mesh.triangle_count;
    SceneMesh fine = {.vertices = scene_allocate((size_t)mesh.vertex_count + 3 * count, 12),
                      .triangles = scene_allocate(4 * count, 12),
                      .vertex_count = mesh.vertex_count,
                      .triangle_count = 4 * mesh.triangle_count};
    memcpy(fine.vertices, mesh.vertices, 12 * (size_t)mesh.vertex_count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = mesh.triangles + 3 * i;
        const uint32_t m[3] = {middle(&fine, t[0], t[1]), middle(&fine, t[1], t[2]),
                               middle(&fine, t[2], t[0])};
        const uint32_t four[12] = {t[0], m[0], m[2], m[0], t[1], m[1],
                                   m[2], m[1], t[2], m[0], m[1], m[2]};
        memcpy(fine.triangles + 12 * i, four, sizeof four);
    }
    scene_mesh_free(&mesh);
    return fine;
}

/* A grid of n by n squares: (x, y, z) is made by `place` from (i, j), from 0 to n. */
static SceneMesh grid(int n, void (*place)(double i, double j, float *vertex))
{
    SceneMesh mesh = {.vertex_count = (n + 1) * (n + 1), .triangle_count = 2 * n * n};
    mesh.vertices = scene_allocate((size_t)mesh.vertex_count * 3, sizeof(float));
    mesh.triangles = scene_allocate((size_t)mesh.triangle_count * 3, sizeof(uint32_t));
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            place((double)i / n, (double)j / n, mesh.vertices + 3 * (i * (n + 1) + j));
    uint32_t *corner = mesh.triangles;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const uint32_t a = (uint32_t)(i * (n + 1) + j), b = a + (uint32_t)n + 1;
            const uint32_t corners[6] = {a, b, a + 1, b, b + 1, a + 1};
            memcpy(corner, corners, sizeof corners);
            corner += 6;
        }
    return mesh;
}

static void place_flat(double i, double j, float *v)
{
    v[0] = (float)(4 * i - 2);
    v[1] = (float)(4 * j - 2);
    v[2] = 0.0078125f;
}

/* ---- Closed bodies --------------------------------------------------------------------------- */

/* A box is moved by (0.7, 0.13, 0.17) into another: the middle of its face is 0.3 deep, and none of
 * its corners is. */
static void test_boxes(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, box(0, 0, 0, 1, 1, 1));
    add(&stage, box(0.7f, 0.13f, 0.17f, 1.7f, 1.13f, 1.17f));
    find(&stage);
    assert_int_equal(stage.regions.count, 1);
    const PliantRegion *region = stage.regions.items;
    assert_int_equal(region->curve_count, 1);
    assert_true(stage.regions.curves[0].is_closed);
    assert_int_equal(stage.regions.curves[0].point_count, stage.contacts.count);
    for (int i = 0; i < 2; i++) {
        const PliantRegionPart *part = &region->parts[i];
        assert_close(part->area, 0.3 * 0.87 + 0.3 * 0.83 + 0.87 * 0.83, 1e-6);
        assert_int_equal(part->vertex_count, 1);
        assert_int_equal(part->triangle_count, 6);
        assert_true(part->depth <= 0.3f && part->max_depth >= 0.2999999f);
        assert_true(part->max_depth <= part->depth * 1.01f);
        for (int k = 0; k < 3; k++)
            assert_close(part->area_normal[k], -region->parts[1 - i].area_normal[k], 1e-12);
    }
    assert_true(region->normal[0] < -0.8f); /* a is at the lower x */
    end(&stage);
}

/* A post goes through a plate: one region, two curves, and a part without vertices. */
static void test_post(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, box(-2, -2, 0, 2, 2, 0.5f));
    add(&stage, box(0, 0, -1, 0.25f, 0.25f, 2));
    find(&stage);
    assert_int_equal(stage.regions.count, 1);
    const PliantRegion *region = stage.regions.items;
    assert_int_equal(region->curve_count, 2);
    assert_close(region->parts[0].area, 2 * 0.25 * 0.25, 1e-9);
    assert_close(region->parts[1].area, 4 * 0.25 * 0.5, 1e-9);
    assert_close(region->parts[0].depth, 0.125, 0.00125);
    assert_close(region->parts[1].depth, 0.25, 0.0025);
    assert_int_equal(region->parts[1].vertex_count, 0);
    end(&stage);
}

/* Two posts: two regions, by their first contacts. */
static void test_order(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    const PliantBody plate = add(&stage, box(-2, -2, 0, 2, 2, 0.5f));
    const PliantBody first = add(&stage, box(0, 0, -1, 0.25f, 0.25f, 2));
    add(&stage, box(1, 1, 0.25f, 1.25f, 1.25f, 2));
    find(&stage);
    assert_int_equal(stage.regions.count, 2);
    assert_int_equal(stage.regions.curve_count, 3);
    for (int i = 0; i < 2; i++) {
        const PliantRegion *region = &stage.regions.items[i];
        assert_int_equal(region->body_a.index, plate.index);
        assert_int_equal(region->body_b.index, first.index + (uint32_t)i);
        assert_int_equal(region->first_curve, 2 * i);
    }
    end(&stage);
}

/* Boxes whose faces coincide, in part or wholly: nothing is deep. */
static void test_touching(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        Stage stage;
        start(&stage);
        add(&stage, box(0, 0, 0, 1, 1, 1));
        if (i == 0)
            add(&stage, box(0.25f, 0.25f, 1, 0.75f, 0.75f, 2));
        else
            add(&stage, box(0, 0, i == 1 ? 1 : 0, 1, 1, i == 1 ? 2 : 1));
        find(&stage);
        assert_true(stage.contacts.count > 0);
        for (int64_t k = 0; k < stage.regions.count; k++)
            for (int part = 0; part < 2; part++)
                assert_true(stage.regions.items[k].parts[part].max_depth < 1e-5f);
        for (int64_t k = 0; k < stage.regions.curve_count; k++)
            assert_true(stage.regions.curves[k].is_closed);
        end(&stage);
    }
}

/* An octahedron inside a box, with a tip exactly on one of its faces: touching is no region. */
static void test_tip_on_face(void **state)
{
    (void)state;
    static const uint32_t corners[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                           {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int i = 0; i < 12; i++) {
        Stage stage;
        start(&stage);
        SceneMesh octahedron = {.vertices = scene_allocate(6, 12),
                                .triangles = scene_allocate(8, 12),
                                .vertex_count = 6,
                                .triangle_count = 8};
        memcpy(octahedron.triangles, corners, sizeof corners);
        for (int v = 0; v < 18; v++) {
            octahedron.vertices[v] = v / 3 / 2 == v % 3 ? (v / 3 % 2 ? -0.5f : 0.5f) : 0.125f;
            if (v % 3 == i / 4) /* towards a face */
                octahedron.vertices[v] += i % 4 / 2 ? -0.5f : 0.5f;
        }
        const SceneMesh around = box(-1, -1, -1, 1, 1, 1);
        add(&stage, i % 2 ? octahedron : around);
        add(&stage, i % 2 ? around : octahedron);
        find(&stage);
        assert_true(stage.contacts.count > 0);
        assert_int_equal(stage.regions.count, 0);
        assert_int_equal(stage.regions.curve_count, 0);
        end(&stage);
    }
}

/* A ball that touches the floor, or is in it by hardly anything: no part of the floor is taken for
 * inside. The floor may be the first body or the second, and large. */
static void test_tip(void **state)
{
    (void)state;
    static const float sunk[] = {0, 1e-7f, 1e-6f, 1e-5f};
    for (int i = 0; i < 16; i++) {
        Stage stage;
        start(&stage);
        SceneMesh ball = scene_icosphere(2);
        const float side = i % 4 < 2 ? 4 : 2000;
        float lowest = 0;
        for (int32_t v = 0; v < ball.vertex_count; v++)
            lowest = ball.vertices[3 * v + 2] < lowest ? ball.vertices[3 * v + 2] : lowest;
        solid_place(&ball, 1, (const double[3]){0.1, 0.2, -(double)lowest - sunk[i / 4]});
        const int floor = i % 2;
        for (int k = 0; k < 2; k++)
            add(&stage, k == floor ? box(-side, -side, -1, side, side, 0) : ball);
        find(&stage);
        for (int64_t k = 0; k < stage.regions.count; k++) {
            assert_true(stage.regions.items[k].parts[floor].area < 1e-3);
            assert_true(stage.regions.items[k].parts[floor].max_depth < 1e-2f);
            assert_true(stage.regions.items[k].parts[1 - floor].area < 1e-3);
        }
        end(&stage);
    }
}

/* Depths that are near what floats can tell apart end in time, within their bounds. */
static void test_shallow(void **state)
{
    (void)state;
    static const float depths[] = {1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f};
    for (int i = 0; i < 5; i++) {
        const float sunk = depths[i];
        Stage stage;
        start(&stage);
        add(&stage, box(-1, -1, -1, 1, 1, 0));
        add(&stage, box(-0.3f, -0.2f, -sunk, 0.4f, 0.37f, 1));
        find(&stage);
        assert_int_equal(stage.regions.count, 1);
        const PliantRegionPart *part = &stage.regions.items[0].parts[1];
        assert_true(part->depth <= sunk && part->max_depth >= sunk);
        assert_true(part->max_depth <= sunk * 1.01f + 2e-6f);
        end(&stage);
    }
}

/* A hollow ball in one triangle of the floor: two loops, one within the other, in either order. */
static void test_nested_loops(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Stage stage;
        start(&stage);
        add(&stage, box(-8, -8, -2, 8, 8, 0));
        SceneMesh shells[2] = {scene_icosphere(2), scene_icosphere(2)};
        const int32_t corner_count = 3 * shells[i].triangle_count;
        for (int c = 0; c < corner_count / 2; c++) { /* the inner one is inside out */
            const uint32_t corner = shells[i].triangles[c];
            shells[i].triangles[c] = shells[i].triangles[corner_count - 1 - c];
            shells[i].triangles[corner_count - 1 - c] = corner;
        }
        for (int k = 0; k < 2; k++)
            solid_place(&shells[k], k == i ? 0.5 : 1, (const double[3]){-3, -3, 0.01});
        const SceneMesh both = solid_join(&shells[0], &shells[1]);
        for (int k = 0; k < 2; k++)
            scene_mesh_free(&shells[k]);
        add(&stage, both);
        find(&stage);
        assert_int_equal(stage.regions.count, 1);
        assert_int_equal(stage.regions.curve_count, 2);
        assert_close(stage.regions.items[0].parts[0].area, 2.308, 0.001); /* of a ring */
        end(&stage);
    }
}

/* A box without ends above and below, whose walls are as thick as its cave is wide: closed. */
static SceneMesh tube(double x, double y)
{
    SceneMesh outer = box(-0.08f, -0.08f, -1, 0.08f, 0.08f, 1);
    SceneMesh cave = box(-0.04f, -0.04f, -0.5f, 0.04f, 0.04f, 0.5f);
    for (int32_t t = 0; t < cave.triangle_count; t++) {
        const uint32_t corner = cave.triangles[3 * t];
        cave.triangles[3 * t] = cave.triangles[3 * t + 1];
        cave.triangles[3 * t + 1] = corner;
    }
    const SceneMesh both = solid_join(&outer, &cave);
    for (int32_t i = 0; i < both.vertex_count; i++) {
        both.vertices[3 * i] += (float)x;
        both.vertices[3 * i + 1] += (float)y;
    }
    scene_mesh_free(&outer);
    scene_mesh_free(&cave);
    return both;
}

/* Many tubes in one floor: on its diagonals, so that an edge has many nodes, and in a row, so that
 * many loops are to the right of each other. */
static void test_many_rings(void **state)
{
    (void)state;
    enum { EACH = 40, COUNT = 3 * EACH };
    Stage stage;
    double area = 0;
    start(&stage);
    add(&stage, box(-8, -8, -2, 8, 8, 0));
    SceneMesh all = tube(-7.9, 7.7);
    for (int i = 1; i < COUNT; i++) {
        const double at = 0.38 * (i * 17 % EACH) - 7.6;
        SceneMesh next = i % 3 == 0   ? tube(0.8 * at, 7.7)
                         : i % 3 == 1 ? tube(at, at)
                                      : tube(at + 0.19, -0.19 - at);
        const SceneMesh both = solid_join(&all, &next);
        scene_mesh_free(&all);
        scene_mesh_free(&next);
        all = both;
    }
    add(&stage, all);
    find(&stage);
    assert_int_equal(stage.regions.count, COUNT);
    assert_int_equal(stage.regions.curve_count, 2 * COUNT);
    for (int i = 0; i < COUNT; i++)
        area += stage.regions.items[i].parts[0].area;
    assert_close(area, COUNT * (0.16 * 0.16 - 0.08 * 0.08), 1e-5);
    end(&stage);
}

/* A triangle with one vertex twice, on an edge that goes through the other body, changes nothing.
 */
static void test_vertex_twice(void **state)
{
    (void)state;
    double areas[2];
    for (int i = 0; i < 2; i++) {
        Stage stage;
        start(&stage);
        add(&stage, box(-3, -3, -3, 3, 3, 0.05f));
        SceneMesh ball = scene_icosphere(2);
        const int32_t count = ball.triangle_count;
        uint32_t *triangles = scene_allocate((size_t)(count + 960) * 3, sizeof *triangles);
        memcpy(triangles, ball.triangles, (size_t)count * 3 * sizeof *triangles);
        for (int k = 0; k < 3 * count && i > 0; k++) {
            const uint32_t a = triangles[k], b = triangles[k % 3 == 2 ? k - 2 : k + 1];
            const uint32_t corners[3] = {a, b, b};
            memcpy(triangles + 3 * (count + k), corners, sizeof corners);
        }
        ball.triangle_count = i > 0 ? 4 * count : count;
        free(ball.triangles);
        ball.triangles = triangles;
        add(&stage, ball);
        find(&stage);
        assert_int_equal(stage.regions.count, 1);
        areas[i] = stage.regions.items[0].parts[1].area;
        end(&stage);
    }
    assert_close(areas[0], areas[1], 1e-9);
}

/* ---- Swapped bodies -------------------------------------------------------------------------- */

/* Boxes on a coarse lattice, so that faces, edges and corners coincide as often as not. */
static void test_swapped_on_lattice(void **state)
{
    (void)state;
    int64_t count = 0;
    for (int64_t pose = 0; pose < 300; pose++) {
        SceneRandom random = {(uint64_t)pose};
        float lows[2][3], highs[2][3];
        for (int i = 0; i < 6; i++) {
            lows[i / 3][i % 3] = (float)scene_random_below(&random, 4);
            highs[i / 3][i % 3] = lows[i / 3][i % 3] + 1 + (float)scene_random_below(&random, 3);
        }
        Stage stages[2];
        for (int i = 0; i < 2; i++) {
            start(&stages[i]);
            for (int k = 0; k < 2; k++)
                add(&stages[i], solid_box(lows[i ^ k], highs[i ^ k]));
            find(&stages[i]);
        }
        const PliantRegions *a = &stages[0].regions, *b = &stages[1].regions;
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->curve_count, b->curve_count);
        bool are_same = true;
        for (int k = 0; k < 3; k++)
            are_same &= lows[0][k] == lows[1][k] && highs[0][k] == highs[1][k];
        for (int64_t i = 0; i < a->count && a->count == 1 && !are_same; i++) {
            for (int k = 0; k < 3; k++)
                assert_true(a->items[i].normal[k] == -b->items[i].normal[k]);
            for (int k = 0; k < 2; k++) {
                const PliantRegionPart *p = &a->items[i].parts[k], *q = &b->items[i].parts[1 - k];
                assert_true(p->area == q->area && p->depth == q->depth);
                assert_int_equal(p->vertex_count, q->vertex_count);
            }
            count++;
        }
        end(&stages[0]);
        end(&stages[1]);
    }
    assert_true(count > 100);
}

/* ---- Open surfaces --------------------------------------------------------------------------- */

/* Triangles without area from (0, 0) to (1, 1), across an edge of another one in their plane: their
 * faces are rims and nothing else. They once took all searches that there may be, and had no depth.
 */
static void test_rim(void **state)
{
    (void)state;
    static const float vertices[][3] = {{0, 0, 0},  {0, 1, 0}, {1, 0, 0},  {1, 0, 0}, {1, 1, 0},
                                        {12, 0, 0}, {1, 1, 0}, {12, 0, 0}, {1, 1, 0}};
    static const uint32_t triangles[] = {1, 2, 4, 3, 2, 4, 6, 2, 4, 0, 4, 6, 5, 4, 6, 0, 6, 8};
    Stage stage;
    start(&stage);
    SceneMesh mesh = {.vertex_count = 9, .triangle_count = 6};
    mesh.vertices = scene_allocate(27, sizeof(float));
    mesh.triangles = scene_allocate(18, sizeof(uint32_t));
    memcpy(mesh.vertices, vertices, sizeof vertices);
    memcpy(mesh.triangles, triangles, sizeof triangles);
    find_self(&stage, add(&stage, mesh));
    assert_int_equal(stage.regions.count, 1);
    assert_close(stage.regions.items[0].parts[0].depth, sqrt(0.5), 0.01);
    assert_close(stage.regions.items[0].parts[0].max_depth, sqrt(0.5), 0.01);
    end(&stage);
}

static void place_wall(double i, double j, float *v)
{
    v[0] = 0.3f;
    v[1] = (float)(i - 0.52);
    v[2] = (float)(j - 0.26);
}

/* A sheet stands in another, with its lower quarter below: an arc, which cuts off that quarter and
 * divides nothing of the other. */
static void test_arc(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, grid(8, place_flat));
    add(&stage, grid(16, place_wall));
    find(&stage);
    assert_int_equal(stage.regions.count, 1);
    assert_int_equal(stage.regions.curve_count, 1);
    assert_false(stage.regions.curves[0].is_closed);
    const PliantRegion *region = stage.regions.items;
    assert_int_equal(region->parts[0].triangle_count, 0);
    assert_int_equal(region->parts[0].deepest_triangle, -1);
    assert_close(region->parts[1].area, 0.26 + 0.0078125, 1e-6);
    assert_int_equal(region->parts[1].deepest_triangle, -1); /* a sheet has no inside */
    end(&stage);
}

static void place_hat(double i, double j, float *v)
{
    const double x = 2 * i - 1, y = 2 * j - 1, r = x * x + y * y;
    v[0] = (float)x + 0.01f;
    v[1] = (float)y + 0.02f;
    v[2] = (float)(0.5 - (r < 1 ? (1 - r) * (1 - r) : 0));
}

/* A sheet with a dent that goes through another: a loop, and the smaller side of both. */
static void test_loop(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, grid(9, place_flat));
    add(&stage, grid(40, place_hat));
    find(&stage);
    assert_int_equal(stage.regions.count, 1);
    assert_int_equal(stage.regions.curve_count, 1);
    assert_true(stage.regions.curves[0].is_closed);
    const PliantRegion *region = stage.regions.items;
    assert_true(region->parts[0].area < region->parts[1].area);
    assert_close(region->parts[0].area, 0.94, 0.03); /* r^2 below 1 - sqrt(0.4921875) */
    assert_int_equal(region->parts[1].deepest_triangle, -1);
    assert_true(region->normal[2] != 0);
    end(&stage);
}

/* The same through a box, which is closed: what is inside of it is on the wrong side, though it is
 * more than half of the sheet. */
static void test_inside_closed(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, grid(40, place_hat));
    add(&stage, box(-3, -3, 0.0078125f, 3, 3, 2));
    find(&stage);
    assert_int_equal(stage.regions.count, 1);
    const PliantRegionPart *part = &stage.regions.items[0].parts[0];
    assert_true(part->area > 3);
    assert_true(part->vertex_count > 41 * 41 / 2);
    end(&stage);
}

/* ---- What is open, and what overlaps -------------------------------------------------------- */

/* Less the triangles that are in the plane where coordinate `axis` is `value`. */
static SceneMesh without(SceneMesh mesh, int axis, float value)
{
    int32_t count = 0;
    for (int32_t i = 0; i < mesh.triangle_count; i++) {
        bool is_in_plane = true;
        for (int k = 0; k < 3; k++)
            is_in_plane &= mesh.vertices[3 * mesh.triangles[3 * i + k] + (uint32_t)axis] == value;
        if (!is_in_plane)
            memmove(mesh.triangles + 3 * count++, mesh.triangles + 3 * i, 12);
    }
    mesh.triangle_count = count;
    return mesh;
}

/* The only region of two meshes, which are taken. */
static const PliantRegion *region_of(Stage *stage, SceneMesh a, SceneMesh b)
{
    start(stage);
    add(stage, a);
    add(stage, b);
    find(stage);
    assert_int_equal(stage->regions.count, 1);
    return stage->regions.items;
}

/* The blade goes through the wall of a helmet, which is open below: it is deep inside. */
static void test_sword_in_helmet(void **state)
{
    (void)state;
    Stage stage;
    const PliantRegion *region =
        region_of(&stage, box(-3, -0.1f, -0.1f, -0.2f, 0.1f, 0.1f),
                  without(divided(divided(box(-1, -1, -1, 1, 1, 1))), 2, -1));
    assert_true(region->is_inside[0] && region->is_inside[1]);
    assert_close(region->parts[0].depth, 0.8, 0.008);
    assert_true(region->parts[0].max_depth >= 0.8f && region->parts[0].max_depth < 0.809f);
    assert_close(region->parts[0].deepest[0], -0.2, 1e-6);
    assert_close(region->parts[1].depth, 0.1, 0.001);
    end(&stage);
}

/* A knee sticks out of a leg of trousers, which is open at both ends. Most of the leg is inside:
 * what sticks out is wrong. */
static void test_leg_in_trousers(void **state)
{
    (void)state;
    Stage stage;
    SceneMesh leg = divided(divided(box(-0.8f, -0.8f, -3, 0.8f, 0.8f, 3)));
    for (int32_t i = 0; i < leg.vertex_count; i++) {
        float *v = leg.vertices + 3 * i;
        if (v[0] == 0 && v[1] == 0.8f && v[2] == 0)
            v[1] = 1.3f;
    }
    const PliantRegion *region = region_of(
        &stage, leg, without(without(divided(divided(box(-1, -1, -2, 1, 1, 2))), 2, -2), 2, 2));
    assert_false(region->is_inside[0]);
    assert_true(region->is_inside[1]);
    assert_int_equal(region->parts[0].vertex_count, 1);
    assert_close(region->parts[0].depth, 0.3, 0.003);
    assert_close(region->parts[0].deepest[1], 1.3, 0.003);
    assert_true(region->parts[1].depth > 0.01f);
    end(&stage);
}

/* A hand comes from above into a cup, and through its bottom: the fingertips are wrong. */
static void test_hand_in_cup(void **state)
{
    (void)state;
    Stage stage;
    const PliantRegion *region =
        region_of(&stage, box(-0.2f, -0.2f, -1.3f, 0.2f, 0.2f, 3),
                  without(divided(divided(box(-1, -1, -1, 1, 1, 1))), 2, 1));
    assert_false(region->is_inside[0]);
    assert_true(region->parts[0].area < 1);
    assert_close(region->parts[0].depth, 0.3, 0.003);
    end(&stage);
}

/* The same, with wires in the cup, which go through the fingertips: depth is that of the wall. */
static void test_hand_in_cup_with_wires(void **state)
{
    (void)state;
    Stage stage;
    SceneMesh cup = without(divided(divided(box(-1, -1, -1, 1, 1, 1))), 2, 1);
    const int32_t count = cup.vertex_count;
    float *vertices = scene_allocate((size_t)count + 4, 12);
    const uint32_t first = (uint32_t)count,
                   wires[] = {first, first + 1, first + 2, first + 3, first, 0};
    static const float ends[] = {-0.3f, -0.3f, -1.29f, 0.3f, 0.3f,  -1.29f,
                                 -0.3f, 0.3f,  -1.29f, 0.3f, -0.3f, -1.29f};
    memcpy(vertices, cup.vertices, 12 * (size_t)count);
    memcpy(vertices + 3 * count, ends, sizeof ends);
    start(&stage);
    add(&stage, box(-0.2f, -0.2f, -1.3f, 0.2f, 0.2f, 3));
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){vertices, count + 4, 0};
    def.triangles = (PliantTriangles){cup.triangles, cup.triangle_count};
    def.segments = (PliantSegments){wires, 3};
    PliantShape *shape;
    PliantBody body;
    MUST(pliant_shape_create(&def, &shape));
    MUST(pliant_body_create(stage.world, shape, &body));
    pliant_shape_release(shape);
    find(&stage);
    bool has_wires = false;
    for (int64_t i = 0; i < stage.contacts.count; i++)
        has_wires |= stage.contacts.items[i].triangle_b >= cup.triangle_count;
    assert_true(has_wires);
    assert_int_equal(stage.regions.count, 1);
    assert_false(stage.regions.items[0].is_inside[0]);
    assert_close(stage.regions.items[0].parts[0].depth, 0.3, 0.003);
    end(&stage);
    free(vertices);
    scene_mesh_free(&cup);
}

/* A back sticks out of a cape, which is a sheet. The cape is inside the back, and the back has a
 * smaller side, but no depth: a flat sheet has no inside. */
static void test_cape_on_back(void **state)
{
    (void)state;
    Stage stage;
    const PliantRegion *region =
        region_of(&stage, box(-1, -1, -2, 1, 1, 0.3078125f), grid(40, place_flat));
    assert_true(region->is_inside[1]);
    assert_int_equal(region->parts[0].deepest_triangle, -1);
    assert_close(region->parts[0].area, 4 + 8 * 0.3, 1e-6);
    assert_close(region->parts[1].depth, 0.3, 0.003);
    end(&stage);
}

/* A cone of that many triangles, open below. */
static SceneMesh bell(int32_t count, float x)
{
    SceneMesh mesh = {.vertices = scene_allocate((size_t)count + 1, 3 * sizeof(float)),
                      .triangles = scene_allocate((size_t)count, 3 * sizeof(uint32_t)),
                      .vertex_count = count + 1,
                      .triangle_count = count};
    memcpy(mesh.vertices, (const float[3]){x, 0, 3}, 12);
    for (int32_t i = 0; i < count; i++) {
        const double angle = 6.283185307179586 * i / count;
        const float rim[3] = {x + (float)cos(angle), (float)sin(angle), 0};
        const uint32_t corners[3] = {0, (uint32_t)i + 1, (uint32_t)((i + 1) % count) + 1};
        memcpy(mesh.vertices + 3 * (size_t)(i + 1), rim, sizeof rim);
        memcpy(mesh.triangles + 3 * (size_t)i, corners, sizeof corners);
    }
    return mesh;
}

/* A bell is inside another, with so long a rim that not all segments are asked. The rim of the
 * first goes through the other, which is not cut off. */
static void test_bells(void **state)
{
    (void)state;
    Stage stage;
    const PliantRegion *region = region_of(&stage, bell(8000, 0), bell(8000, 1));
    assert_true(region->is_inside[0]);
    assert_close(region->parts[0].depth, 3 / sqrt(10), 0.01);
    end(&stage);
}

/* Long thin triangles, each a surface of its own, at which too few segments are asked: nothing is
 * known to be inside. */
static void test_bars(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    Stage stage;
    SceneRandom random = {1};
    start(&stage);
    for (int body = 0; body < 2; body++) {
        SceneMesh mesh = {.vertices = scene_allocate(3 * COUNT, 3 * sizeof(float)),
                          .triangles = scene_allocate(COUNT, 3 * sizeof(uint32_t)),
                          .vertex_count = 3 * COUNT,
                          .triangle_count = COUNT};
        for (uint32_t i = 0; i < 3 * COUNT; i++) {
            static const float along[3] = {-0.1f, 1.1f, 0.5f};
            mesh.triangles[i] = i;
            mesh.vertices[3 * i + (uint32_t)body] = along[i % 3];
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            const float at = (float)scene_random(&random), low = (float)scene_random(&random) / 2,
                        high = low + (float)scene_random(&random) / 2;
            for (uint32_t k = 0; k < 3; k++) {
                float *v = mesh.vertices + 9 * i + 3 * k;
                v[1 - body] = at + (k == 2 ? 0.0003f : 0);
                v[2] = k == 2 ? high : low;
            }
        }
        add(&stage, mesh);
    }
    find(&stage);
    assert_true(stage.contacts.count > 10000);
    for (int64_t i = 0; i < stage.regions.count; i++)
        for (int part = 0; part < 2; part++)
            assert_int_equal(stage.regions.items[i].parts[part].deepest_triangle, -1);
    end(&stage);
}

/* A body of two boxes that overlap: one gets out of both, and not through the walls within. */
static void test_two_shells(void **state)
{
    (void)state;
    Stage stage;
    SceneMesh shells[2] = {box(0, 0, 0, 2, 2, 2), box(1, 0.25f, 0.25f, 3, 1.75f, 1.75f)};
    const SceneMesh both = solid_join(&shells[0], &shells[1]);
    const PliantRegion *region = region_of(&stage, box(1.1f, 0.9f, 1.125f, 1.3f, 1.1f, 4), both);
    assert_close(region->parts[0].depth, 0.875, 0.00875);
    assert_true(region->parts[0].max_depth >= 0.875f);
    assert_close(region->parts[0].closest[2], 2, 1e-6);
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&shells[i]);
    end(&stage);
}

/* A beam is wholly inside two boxes that overlap, and goes through a wall within: all of it is
 * wrong, also where no curve says so. */
static void test_beam_within(void **state)
{
    (void)state;
    Stage stage;
    SceneMesh shells[2] = {box(0, 0, 0, 2, 2, 2), box(1, 0.25f, 0.25f, 3, 1.75f, 1.75f)};
    const PliantRegion *region =
        region_of(&stage, divided(divided(box(0.5f, 0.9f, 0.9f, 1.5f, 1.1f, 1.1f))),
                  solid_join(&shells[0], &shells[1]));
    assert_close(region->parts[0].area, 4 * 0.2 + 2 * 0.04, 1e-6);
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&shells[i]);
    end(&stage);
}

/* A tower stands in the roof of a house: what of the roof is in the tower is a wall, and the rest
 * of the same triangles an exit. A spike under the roof is deep at its tip, below the tower. */
static void test_tower_in_roof(void **state)
{
    (void)state;
    static const float vertices[4][3] = {
        {-1, 1.9f, 3.85f}, {-1, 2.1f, 3.85f}, {-1, 2, 3.95f}, {2, 2, 3.9f}};
    static const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    Stage stage;
    SceneMesh shells[2] = {box(0, 0, 0, 4, 4, 4), box(1, 1, 3, 3, 3, 7)};
    SceneMesh spike = {.vertices = scene_allocate(4, sizeof *vertices),
                       .triangles = scene_allocate(4, sizeof *triangles),
                       .vertex_count = 4,
                       .triangle_count = 4};
    memcpy(spike.vertices, vertices, sizeof vertices);
    memcpy(spike.triangles, triangles, sizeof triangles);
    const PliantRegion *region = region_of(&stage, spike, solid_join(&shells[0], &shells[1]));
    const double truth = sqrt(1 + 0.1 * 0.1);
    assert_close(region->parts[0].depth, truth, 0.01 * truth);
    assert_true(region->parts[0].max_depth >= truth - 1e-6);
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&shells[i]);
    end(&stage);
}

/* Plates through the first two boxes: what of it is inside either box is wrong, also beyond walls,
 * and nothing else. Where curves cross, areas are off by a part of one triangle. */
static void test_plates_in_shells(void **state)
{
    (void)state;
    SceneMesh shells[2] = {box(0, 0, 0, 2, 2, 2), box(1, 0.26f, 0.27f, 3, 1.73f, 1.74f)};
    for (int times = 0; times < 6; times++) {
        Stage stage;
        SceneMesh plate = box(-1.1f, -1.2f, 0.9f, 4.3f, 3.4f, 1);
        for (int i = 0; i < times; i++)
            plate = divided(plate);
        const PliantRegion *region = region_of(&stage, plate, solid_join(&shells[0], &shells[1]));
        const PliantRegionPart *part = &region->parts[0];
        for (int64_t i = 0; i < part->triangle_count; i++)
            assert_true(stage.regions.triangles[part->first_triangle + i] >> 2 * times < 4);
        if (times == 5)
            assert_close(part->area, 2 * (2 * 2 + 1 * 1.47), 0.05);
        end(&stage);
    }
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&shells[i]);
}

/* ---- Self-intersections ---------------------------------------------------------------------
 */

/* A strip that is rolled up until its last tenth goes through its first, which is wider. */
static void place_roll(double i, double j, float *v)
{
    const double turn = 6.283185307, angle = (turn + 0.4) * i;
    const double radius = 1 + 0.25 * (i < 0.5 ? angle - 0.203 : turn + 0.203 - angle);
    v[0] = (float)(radius * scene_cos(angle));
    v[1] = (float)(i < 0.5 ? j : 0.14 + 0.7 * j);
    v[2] = (float)(radius * scene_sin(angle));
}

/* An arc: it cuts off the end of the strip, and divides nothing of its beginning. */
static void test_self(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    const PliantBody body = add(&stage, grid(47, place_roll));
    find_self(&stage, body);
    assert_int_equal(stage.regions.count, 1);
    assert_int_equal(stage.regions.curve_count, 1);
    assert_false(stage.regions.curves[0].is_closed);
    const PliantRegion *region = stage.regions.items;
    assert_int_equal(region->body_a.index, body.index);
    assert_int_equal(region->body_b.index, body.index);
    assert_int_equal(region->parts[1].triangle_count, 0);
    assert_close(region->parts[0].area, 0.7 * 0.2, 0.02);
    assert_close(region->parts[0].depth, 0.1, 0.02);
    end(&stage);
}

/* All corners of the hand are 0.5 below the belly's top, and nothing of a piece is deeper. */
static void check_hand_samples(Stage *stage, PliantBody body)
{
    PliantRegionsDef def = pliant_regions_def_default();
    def.with_vertex_depths = true;
    def.piece_size = 0.1f;
    find_self(stage, body);
    MUST(pliant_contacts_regions(stage->world, &stage->contacts, &def, &stage->regions));
    const PliantRegionPart *hand = &stage->regions.items[0].parts[1];
    for (int64_t i = 0; i < hand->vertex_count; i++)
        assert_close(stage->regions.vertex_depths[hand->first_vertex + i], 0.5, 1e-6);
    int64_t counts[2] = {0, 0};
    double greatest = 0;
    for (int64_t i = 0; i < stage->regions.piece_count; i++) {
        const PliantRegionPiece *piece = &stage->regions.pieces[i];
        counts[piece->part]++;
        for (int k = 0; k < 3; k++) {
            assert_true(piece->depths[k] >= 0);
            greatest = piece->part == 1 ? fmax(greatest, piece->depths[k]) : greatest;
            if (piece->part == 1)
                assert_close(piece->depths[k], 2 - piece->corners[k][2], 1e-6);
        }
    }
    assert_close(greatest, 0.5, 1e-6);
    assert_true(counts[0] > 2 * 25 && counts[1] > 2 * 25 + 4 * 2 * 25);
}

/* A hand of a closed body in its own belly: a long box and a flat one, joined by nothing, as one
 * mesh. Each has its part. */
static void test_self_closed(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    SceneMesh a = box(0, 0, 0, 2, 2, 2), b = box(0.5f, 0.5f, 1.5f, 1, 1, 4);
    const SceneMesh both = solid_join(&a, &b);
    scene_mesh_free(&a);
    scene_mesh_free(&b);
    const PliantBody body = add(&stage, both);
    find_self(&stage, body);
    assert_int_equal(stage.regions.count, 1);
    const PliantRegion *region = stage.regions.items;
    assert_close(region->parts[0].area, 0.25, 1e-9);
    assert_close(region->parts[1].area, 0.25 + 4 * 0.5 * 0.5, 1e-9);
    assert_close(region->parts[1].depth, 0.5, 0.005);
    assert_int_equal(region->parts[1].vertex_count, 4);
    check_hand_samples(&stage, body);
    end(&stage);
}

static SceneMesh hand_in_open_belly(void)
{
    SceneMesh belly = without(box(0, 0, 0, 2, 2, 2), 2, 0), hand = box(0.5f, 0.5f, 1.5f, 1, 1, 4);
    const SceneMesh both = solid_join(&belly, &hand);
    scene_mesh_free(&belly);
    scene_mesh_free(&hand);
    return both;
}

/* The same hand, if the belly has no floor: the body is open, and still around the hand. It gets
 * out where one sees the belly, which is beside the hand and not within it. */
static void test_self_open(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    find_self(&stage, add(&stage, hand_in_open_belly()));
    assert_int_equal(stage.regions.count, 1);
    const PliantRegion *region = stage.regions.items;
    assert_true(region->is_inside[0] && region->is_inside[1]);
    assert_close(region->parts[1].area, 0.25 + 4 * 0.5 * 0.5, 1e-9);
    assert_close(region->parts[1].depth, sqrt(0.25 + 0.25 * 0.25), 0.006);
    end(&stage);
}

/* Pairs of leaves that cross, far away from anything else. */
static SceneMesh crossing_leaves(int32_t count)
{
    SceneMesh leaves = {.vertex_count = 8 * count, .triangle_count = 4 * count};
    leaves.vertices = calloc(3 * (size_t)leaves.vertex_count, sizeof *leaves.vertices);
    leaves.triangles = calloc(3 * (size_t)leaves.triangle_count, sizeof *leaves.triangles);
    assert_true(leaves.vertices && leaves.triangles);
    for (int32_t i = 0; i < 8 * count; i++) {
        const int32_t leaf = i / 8, sheet = i / 4 % 2, corner = i % 4;
        const float along = (float)(corner % 2), across = corner < 2 ? -0.5f : 0.5f;
        float *vertex = leaves.vertices + 3 * (size_t)i;
        vertex[0] = 20 + 3 * (float)leaf + along;
        vertex[1] = sheet ? 0.7f * across : across + 0.1f;
        vertex[2] = sheet ? across : 0;
    }
    for (int32_t t = 0; t < 4 * count; t++)
        for (int k = 0; k < 3; k++)
            leaves.triangles[3 * t + k] =
                (uint32_t)(4 * (t / 2) + (t % 2 ? (int[]){2, 1, 3}[k] : k));
    return leaves;
}

/* With some leaves, what the body is around is looked for. With thousands it is not: this would
 * take minutes. */
static void test_self_open_of_leaves(void **state)
{
    (void)state;
    for (int many = 0; many < 2; many++) {
        Stage stage;
        start(&stage);
        SceneMesh hand = hand_in_open_belly(), leaves = crossing_leaves(many ? 1000 : 10);
        const SceneMesh both = solid_join(&hand, &leaves);
        scene_mesh_free(&hand);
        scene_mesh_free(&leaves);
        find_self(&stage, add(&stage, both));
        assert_int_equal(stage.regions.count, many ? 1001 : 11);
        float depth = 0;
        for (int64_t i = 0; i < stage.regions.count; i++)
            for (int k = 0; k < 2; k++)
                depth = fmaxf(depth, stage.regions.items[i].parts[k].depth);
        assert_close(depth, many ? 0.5 : sqrt(0.25 + 0.25 * 0.25), 0.006);
        end(&stage);
    }
}

/* Two hands in one belly, one of which holds the other: each is deep in the belly, up to its
 * middle, though the other hand is near. The curve around the second one in the first has it
 * outside. */
static void check_two_hands(int divisions)
{
    Stage stage;
    start(&stage);
    SceneMesh belly = box(0, 0, 0, 2, 2, 2), first = box(0.6f, 0.6f, 0.5f, 1, 1.4f, 4),
              second = box(0.8f, 0.9f, 1, 4, 1.1f, 1.4f);
    SceneMesh hands = solid_join(&first, &second);
    SceneMesh all = solid_join(&belly, &hands);
    for (int i = 0; i < divisions; i++)
        all = divided(all);
    scene_mesh_free(&belly);
    scene_mesh_free(&first);
    scene_mesh_free(&second);
    scene_mesh_free(&hands);
    const PliantBody body = add(&stage, all);
    find_self(&stage, body);
    float deepest = 0;
    double area = 0;
    for (int64_t i = 0; i < stage.regions.count; i++)
        for (int k = 0; k < 2; k++) {
            const PliantRegionPart *part = &stage.regions.items[i].parts[k];
            assert_true(part->triangle_count == 0 || stage.regions.items[i].is_inside[k]);
            deepest = part->depth > deepest ? part->depth : deepest;
            area += part->area;
        }
    assert_close(deepest, 1, 0.01);
    const double hands_area = 0.4 * 0.8 + 1.5 * 2 * (0.4 + 0.8) + 0.2 * 0.4 + 1.2 * 2 * (0.2 + 0.4);
    if (divisions == 0)
        assert_close(area, hands_area + 0.4 * 0.8 + 0.2 * 0.4, 1e-6);
    end(&stage);
}

/* The finer, the more triangles of the other hand are far from the curve, along the surface. */
static void test_two_hands(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        check_two_hands(i);
}

/* A flat box whose top is pressed through its bottom, by 0.3: that turns a pocket inside out, and
 * everything else is on the inner side of the curve. The pocket is wrong, and 0.3 deep. */
static void test_pocket(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    SceneMesh mesh = box(-2, -2, 0, 2, 2, 1);
    for (int i = 0; i < 4; i++)
        mesh = divided(mesh);
    for (int32_t i = 0; i < mesh.vertex_count; i++) {
        float *v = mesh.vertices + 3 * (size_t)i;
        if (v[2] == 1 && fabsf(v[0]) <= 0.5F && fabsf(v[1]) <= 0.5F)
            v[2] = -0.3F;
    }
    const PliantBody body = add(&stage, mesh);
    find_self(&stage, body);
    assert_int_equal(stage.regions.count, 1);
    const double width = 2 * (0.5 + 0.25 * 0.3 / 1.3); /* of the square hole in the bottom */
    const PliantRegion *region = stage.regions.items;
    const int bottom = region->parts[0].area > region->parts[1].area;
    assert_close(region->parts[bottom].area, width * width, 0.01);
    assert_true(region->parts[1 - bottom].area > 1 && region->parts[1 - bottom].area < 3);
    for (int k = 0; k < 2; k++)
        assert_close(region->parts[k].depth, 0.3, 0.003);
    end(&stage);
}

/* ---- Every kind of body -----------------------------------------------------------------------
 */

/* A soup with corners has the curves of a mesh; one without has an arc for each triangle. */
static void test_soups(void **state)
{
    (void)state;
    SceneMesh ball = scene_icosphere(2);
    for (int i = 0; i < 2; i++) {
        Stage stage;
        start(&stage);
        add(&stage, box(-3, -3, -3, 3, 3, 0.01f));
        PliantSoupDef def = pliant_soup_def_default();
        PliantBody soup;
        MUST(pliant_body_create_soup(stage.world, &def, &soup));
        float *corners = scene_allocate((size_t)ball.triangle_count * 9, sizeof(float));
        for (int k = 0; k < 3 * ball.triangle_count; k++)
            memcpy(corners + 3 * k, ball.vertices + 3 * (size_t)ball.triangles[k],
                   3 * sizeof(float));
        PliantPrimitives primitives = pliant_primitives_default();
        primitives.count = ball.triangle_count;
        primitives.vertices = i == 0 ? (PliantVertices){ball.vertices, ball.vertex_count, 0}
                                     : (PliantVertices){corners, 3 * ball.triangle_count, 0};
        primitives.corners = i == 0 ? ball.triangles : NULL;
        MUST(pliant_body_set_primitives(stage.world, soup, &primitives));
        find(&stage);
        if (i == 0) {
            assert_int_equal(stage.regions.count, 1);
            assert_true(stage.regions.curves[0].is_closed);
        } else {
            assert_true(stage.regions.count > 10);
        }
        double area = 0;
        for (int64_t k = 0; k < stage.regions.count; k++)
            area += stage.regions.items[k].parts[1].area;
        if (i == 0)
            assert_close(area, 6.2, 0.2); /* half of a sphere */
        free(corners);
        end(&stage);
    }
    scene_mesh_free(&ball);
}

/* Regions of a body with a transform are those of its vertices, to the bit. */
static void test_moved(void **state)
{
    (void)state;
    Stage stages[2];
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = 0.31f;
    transform.rows[1][0] = 0.2f;
    transform.rows[2][3] = 1.17f;
    float vertices[3 * 642];
    for (int i = 0; i < 2; i++) {
        start(&stages[i]);
        add(&stages[i], box(-3, -3, -3, 3, 3, 0.5f));
        const PliantBody ball = add(&stages[i], scene_icosphere(3));
        if (i == 0) {
            MUST(pliant_body_set_transform(stages[0].world, ball, &transform));
            MUST(pliant_body_vertices(stages[0].world, ball, vertices, 642));
        } else {
            MUST(pliant_body_set_vertices(stages[1].world, ball,
                                          (PliantVertices){vertices, 642, 0}));
        }
        find(&stages[i]);
    }
    assert_int_equal(stages[0].regions.count, 1);
    assert_int_equal(stages[1].regions.count, 1);
    for (int k = 0; k < 2; k++)
        assert_memory_equal(&stages[0].regions.items[0].parts[k],
                            &stages[1].regions.items[0].parts[k], sizeof(PliantRegionPart));
    end(&stages[0]);
    end(&stages[1]);
}

/* A triangle with a NaN has no area, and everything else stays as it is. */
static void test_not_finite(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, box(-3, -3, -3, 3, 3, 0.05f));
    SceneMesh mesh = scene_icosphere(3);
    float *vertices = scene_allocate((size_t)mesh.vertex_count * 3, sizeof(float));
    memcpy(vertices, mesh.vertices, (size_t)mesh.vertex_count * 3 * sizeof(float));
    const int32_t vertex_count = mesh.vertex_count;
    const PliantBody ball = add(&stage, mesh);
    for (int32_t lowest = 0, i = 0; i < vertex_count; i++) {
        lowest = vertices[3 * i + 2] < vertices[3 * lowest + 2] ? i : lowest;
        if (i == vertex_count - 1)
            vertices[3 * lowest] = NAN;
    }
    MUST(pliant_body_set_vertices(stage.world, ball, (PliantVertices){vertices, vertex_count, 0}));
    find(&stage);
    assert_int_equal(stage.regions.count, 1);
    const PliantRegionPart *part = &stage.regions.items[0].parts[1];
    assert_true(part->area > 5 && part->area < 7);
    assert_true(part->depth > 0.9f && part->depth < 1.1f);
    free(vertices);
    end(&stage);
}

/* ---- The call ---------------------------------------------------------------------------------
 */

static void test_refused(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, box(0, 0, 0, 1, 1, 1));
    const PliantBody b = add(&stage, box(0.5f, 0.25f, 0.125f, 2, 2, 2));
    find(&stage);
    PliantRegionsDef def = pliant_regions_def_default();
    PliantContacts contacts = stage.contacts;
    PliantContact contact = stage.contacts.items[0];
    PliantRegions *regions = &stage.regions;
    REFUSE(stage.host, pliant_contacts_regions(stage.world, NULL, NULL, regions),
           PLIANT_BAD_ARGUMENT, "contacts is NULL");
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, NULL, NULL),
           PLIANT_BAD_ARGUMENT, "regions is NULL");
    def.struct_size = 1;
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, &def, regions),
           PLIANT_BAD_DEF, "def.struct_size is 1");
    def = pliant_regions_def_default();
    def.depth_tolerance = NAN;
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, &def, regions),
           PLIANT_BAD_ARGUMENT, "def.depth_tolerance is");
    def = pliant_regions_def_default();
    def.piece_size = -1;
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, &def, regions),
           PLIANT_BAD_ARGUMENT, "def.piece_size is -1");
    def.piece_size = 1;
    def.depth_tolerance = INFINITY;
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, &def, regions),
           PLIANT_BAD_ARGUMENT, "def.depth_tolerance is infinity: def.piece_size needs depth");
    contacts.items = NULL;
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, NULL, regions),
           PLIANT_BAD_ARGUMENT, "contacts.items is NULL");
    contacts.items = &contact;
    contacts.count = 1;
    contacts.is_limit_reached = true;
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, NULL, regions),
           PLIANT_BAD_ARGUMENT, "contacts are limited");
    contacts.is_limit_reached = false;
    contact.triangle_b = 12;
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, NULL, regions),
           PLIANT_BAD_ARGUMENT, "contacts.items[0] has triangles");
    contact.triangle_b = 0;
    MUST(pliant_body_destroy(stage.world, b));
    REFUSE(stage.host, pliant_contacts_regions(stage.world, &contacts, NULL, regions),
           PLIANT_BAD_ID, "a body of contacts is");
    end(&stage);
}

/* Without depth, and without contacts. */
static void test_less(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, box(0, 0, 0, 1, 1, 1));
    PliantRegionsDef def = pliant_regions_def_default();
    def.depth_tolerance = INFINITY;
    find(&stage);
    assert_null(stage.regions.vertex_depths);
    assert_int_equal(stage.regions.count, 0);
    add(&stage, box(0.5f, 0.25f, 0.125f, 2, 2, 2));
    MUST(pliant_world_collide(stage.world, NULL, &stage.contacts));
    MUST(pliant_contacts_regions(stage.world, &stage.contacts, &def, &stage.regions));
    assert_int_equal(stage.regions.count, 1);
    assert_true(stage.regions.items[0].parts[0].area > 0);
    assert_int_equal(stage.regions.items[0].parts[0].deepest_triangle, -1);
    end(&stage);
}

/* Once the worst frame was seen, nothing is allocated, and answers are what they were. */
static void test_warm(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    add(&stage, box(-3, -3, -3, 3, 3, 0.5f));
    const PliantBody ball = add(&stage, scene_icosphere(3));
    int64_t calls = 0, counts[10];
    for (int frame = 0; frame < 20; frame++) {
        PliantTransform transform = pliant_transform_identity();
        transform.rows[2][3] = 0.1f * (float)(frame % 10);
        MUST(pliant_body_set_transform(stage.world, ball, &transform));
        if (frame == 10)
            calls = stage.host.calls;
        find(&stage);
        assert_int_equal(stage.regions.count, 1);
        const PliantRegionPart *part = &stage.regions.items[0].parts[1];
        if (frame < 10)
            counts[frame] = part->triangle_count;
        assert_int_equal(part->triangle_count, counts[frame % 10]);
        assert_true(frame % 10 == 0 || part->triangle_count < counts[frame % 10 - 1]);
    }
    assert_int_equal(stage.host.calls, calls);
    end(&stage);
}

static SceneMesh turned_over(SceneMesh mesh, bool is_turned)
{
    for (int32_t t = 0; t < mesh.triangle_count && is_turned; t++) {
        const uint32_t second = mesh.triangles[3 * t + 1];
        mesh.triangles[3 * t + 1] = mesh.triangles[3 * t + 2];
        mesh.triangles[3 * t + 2] = second;
    }
    return mesh;
}

/* Closed bodies whose triangles face inward have the regions that they would have the right way
 * round. */
static void test_inside_out(void **state)
{
    (void)state;
    PliantRegion first = {0};
    for (int turned = 0; turned < 4; turned++) {
        Stage stage;
        start(&stage);
        SceneMesh small = scene_icosphere(2);
        solid_place(&small, 0.75, (const double[3]){0.7, 0.1, 0.2});
        (void)add(&stage, turned_over(scene_icosphere(3), turned & 1));
        (void)add(&stage, turned_over(small, turned & 2));
        find(&stage);
        assert_int_equal(stage.regions.count, 1);
        const PliantRegion *region = stage.regions.items;
        if (turned == 0)
            first = *region;
        assert_true(region->is_inside[0] && region->is_inside[1]);
        for (int k = 0; k < 2; k++) {
            const PliantRegionPart *part = &region->parts[k], *expected = &first.parts[k];
            const double sign = turned & 1 << k ? -1 : 1;
            assert_int_equal(part->triangle_count, expected->triangle_count);
            assert_int_equal(part->vertex_count, expected->vertex_count);
            assert_close(part->area, expected->area, 1e-6);
            assert_close(part->depth, expected->depth, 1e-6);
            for (int i = 0; i < 3; i++)
                assert_close(sign * part->area_normal[i], expected->area_normal[i], 1e-6);
        }
        for (int i = 0; i < 3; i++)
            assert_close(region->normal[i], first.normal[i], 1e-6);
        assert_true(region->normal[0] < -0.9f);
        end(&stage);
    }
}

/* A hollow body has triangles that face inward, and is not inside out. */
static void test_hollow(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    SceneMesh shells = scene_icosphere(3), cave = turned_over(scene_icosphere(3), true);
    solid_place(&cave, 0.5, (const double[3]){0, 0, 0});
    scene_mesh_append(&shells, cave, false);
    SceneMesh ball = scene_icosphere(3);
    solid_place(&ball, 0.3, (const double[3]){0.5, 0, 0}); /* through the cave alone */
    (void)add(&stage, shells);
    (void)add(&stage, ball);
    find(&stage);
    assert_int_equal(stage.regions.count, 1);
    assert_true(stage.regions.items[0].parts[1].centroid[0] > 0.5); /* the wall, not the cave */
    end(&stage);
}

/* ---- Workers ---------------------------------------------------------------------------------
 */

/* A cloth in four layers that go through each other. */
static void place_folds(double i, double j, float *v)
{
    const double s = 4 * i, f = fabs(fmod(s, 2) - 1);
    v[0] = (float)(2 * f - 1);
    v[1] = (float)(2 * j - 1);
    v[2] = (float)(0.04 * s + 0.03 * sin(17.3 * f + 2.1 * s) * sin(13.7 * j + 1.3 * floor(s)));
}

static void add_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
}

/* Regions and intersections of all pairs, each body with itself too. */
static uint64_t hash_all(Stage *stage, float piece_size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    PliantCollideDef def = pliant_collide_def_default();
    PliantIntersections found = pliant_intersections_default();
    const PliantRegions *regions = &stage->regions;
    def.includes_self = true;
    MUST(pliant_world_collide(stage->world, &def, &stage->contacts));
    MUST(pliant_contacts_intersections(stage->world, &stage->contacts, NULL, &found));
    add_bytes(&hash, found.items, (size_t)found.count * sizeof *found.items);
    add_bytes(&hash, found.points, (size_t)found.point_count * sizeof *found.points);
    PliantRegionsDef regions_def = pliant_regions_def_default();
    regions_def.with_vertex_depths = true;
    regions_def.piece_size = piece_size;
    MUST(pliant_contacts_regions(stage->world, &stage->contacts, &regions_def, &stage->regions));
    for (int64_t i = 0; i < regions->count; i++) { /* handles differ from world to world */
        const PliantRegion *region = &regions->items[i];
        add_bytes(&hash, region->parts, sizeof region->parts);
        add_bytes(&hash, region->normal, sizeof region->normal);
    }
    add_bytes(&hash, regions->points, (size_t)regions->point_count * sizeof *regions->points);
    add_bytes(&hash, regions->triangles, (size_t)regions->triangle_count * sizeof(int32_t));
    add_bytes(&hash, regions->vertices, (size_t)regions->vertex_count * sizeof(int32_t));
    add_bytes(&hash, regions->vertex_depths, (size_t)regions->vertex_count * sizeof(float));
    add_bytes(&hash, regions->pieces, (size_t)regions->piece_count * sizeof *regions->pieces);
    return hash;
}

/* The same bytes by any workers. Once each of them may have taken each task, none allocates, but
 * for pieces: how many each has depends on which tasks it takes. */
static void test_workers(void **state)
{
    (void)state;
    static const char *const orders[] = {"1",          "3",         "64",       "forward:2",
                                         "reversed:3", "random:64", "greedy:3", "greedy:7"};
    uint64_t expected = 0;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        TestWorkers workers;
        Stage stage = {.contacts = pliant_contacts_default(), .regions = pliant_regions_default()};
        PliantWorldDef def = pliant_world_def_default();
        assert_true(test_workers_start(&workers, orders[i]));
        test_host_init(&stage.host);
        test_workers_attach(&workers, &stage.host.host);
        const bool is_counted = workers.order != TEST_ORDER_POOL;
        if (!is_counted) /* the test host counts for one thread */
            stage.host.host.allocate = NULL, stage.host.host.release = NULL;
        def.host = &stage.host.host;
        MUST(pliant_world_create(&def, &stage.world));
        test_workers_divide_everything(stage.world);
        add(&stage, scene_icosphere(2));
        SceneMesh ball = scene_icosphere(2);
        solid_place(&ball, 0.6, (const double[3]){0.8, 0.1, 0.2});
        add(&stage, ball);
        add(&stage, grid(28, place_folds));
        add(&stage, grid(20, place_folds)); /* with other triangles than the body before */
        const uint64_t first = hash_all(&stage, 0.25f), plain = hash_all(&stage, 0);
        expected = i == 0 ? first : expected;
        assert_true(stage.regions.count > 20);
        const int64_t tasks = workers.task_count;
        for (int again = 0; again < 4; again++) {
            const int64_t calls = stage.host.calls;
            assert_true(hash_all(&stage, 0) == plain);
            assert_true(!is_counted || again < 1 || stage.host.calls == calls);
        }
        assert_true(first == expected && (!is_counted || workers.task_count > tasks + 100));
        end(&stage);
        test_workers_end(&workers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_post),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_touching),
        cmocka_unit_test(test_tip_on_face),
        cmocka_unit_test(test_tip),
        cmocka_unit_test(test_shallow),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_many_rings),
        cmocka_unit_test(test_vertex_twice),
        cmocka_unit_test(test_swapped_on_lattice),
        cmocka_unit_test(test_rim),
        cmocka_unit_test(test_arc),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_inside_closed),
        cmocka_unit_test(test_sword_in_helmet),
        cmocka_unit_test(test_leg_in_trousers),
        cmocka_unit_test(test_hand_in_cup),
        cmocka_unit_test(test_hand_in_cup_with_wires),
        cmocka_unit_test(test_cape_on_back),
        cmocka_unit_test(test_bells),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_two_shells),
        cmocka_unit_test(test_beam_within),
        cmocka_unit_test(test_tower_in_roof),
        cmocka_unit_test(test_plates_in_shells),
        cmocka_unit_test(test_self),
        cmocka_unit_test(test_self_closed),
        cmocka_unit_test(test_self_open),
        cmocka_unit_test(test_self_open_of_leaves),
        cmocka_unit_test(test_pocket),
        cmocka_unit_test(test_two_hands),
        cmocka_unit_test(test_soups),
        cmocka_unit_test(test_moved),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_less),
        cmocka_unit_test(test_warm),
        cmocka_unit_test(test_inside_out),
        cmocka_unit_test(test_hollow),
        cmocka_unit_test(test_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
