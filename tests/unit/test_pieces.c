/* Large triangles by pieces: they cover the triangle, their bounds hold them, and no answer depends
 * on them. */
#include "brute.h"
#include "calls.h"
#include "host.h"
#include "mesh_pose/planes.h"
#include "pairs.h"
#include "refuse.h"
#include "scenes.h"
#include "unit.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { DIVIDE_KINDS = 3, BOUND_KINDS = 4, UNIT = PLI_PIECE_UNIT };
static const PliantDivideKind divide_kinds[] = {PLIANT_DIVIDE_NONE, PLIANT_DIVIDE_QUARTERS,
                                                PLIANT_DIVIDE_CORNERS};

/* ---- Dividing ----------------------------------------------------------------------------------
 */

/* One triangle whose longest edge is 2^level. */
static PliMeshView one_triangle(int level, float vertices[9])
{
    static const uint32_t triangle[] = {0, 1, 2};
    const float edge = (float)(1 << level);
    const float corners[9] = {0, 0, 0, edge, 0, 0, edge / 2, edge / 2, 0};
    memcpy(vertices, corners, sizeof corners);
    return (PliMeshView){vertices, triangle, 1};
}

static void test_counts_by_level(void **state)
{
    (void)state;
    static const int64_t spheres[] = {1, 4, 12, 36, 84, 180, 372}; /* table 1 of the paper */
    for (int level = 0; level <= 6; level++) {
        assert_int_equal(pli_pieces_at(PLIANT_DIVIDE_QUARTERS, level), 1 << 2 * level);
        /* Each piece that is divided has four on the next level, and there are three more. */
        int64_t now = pli_pieces_at(PLIANT_DIVIDE_CORNERS, level);
        int64_t before = level > 0 ? pli_pieces_at(PLIANT_DIVIDE_CORNERS, level - 1) : 0;
        assert_int_equal(level > 0 ? (now - before) / 3 * 4 : now, spheres[level]);
        for (int kind = 1; kind < DIVIDE_KINDS; kind++) {
            float vertices[9];
            PliMeshView mesh = one_triangle(level, vertices);
            PliDivision division = {divide_kinds[kind], 1};
            assert_int_equal(pli_piece_level(&division, &mesh, 0), level);
            assert_int_equal(pli_count_pieces(&division, &mesh),
                             pli_pieces_at(divide_kinds[kind], level));
        }
    }
}

/* Twice the area of a triangle of weights. */
static int64_t area(const int32_t p[2], const int32_t q[2], const int32_t r[2])
{
    return (int64_t)(q[0] - p[0]) * (r[1] - p[1]) - (int64_t)(q[1] - p[1]) * (r[0] - p[0]);
}

static bool has_point(const PliPiece *piece, const int32_t point[2])
{
    for (int c = 0; c < 3; c++) {
        const uint16_t *p = piece->weights[c], *q = piece->weights[(c + 1) % 3];
        if (area((const int32_t[]){p[0], p[1]}, (const int32_t[]){q[0], q[1]}, point) < 0)
            return false;
    }
    return true;
}

/* None is turned over, all together are as large as the whole, and every point is in one. */
static void test_pieces_cover(void **state)
{
    (void)state;
    SceneRandom random = {7};
    for (int kind = 1; kind < DIVIDE_KINDS; kind++) {
        for (int level = 1; level <= (kind == 1 ? 5 : 10); level++) {
            float vertices[9];
            PliMeshView mesh = one_triangle(level, vertices);
            PliDivision division = {divide_kinds[kind], 1};
            int64_t count = pli_count_pieces(&division, &mesh), all = 0;
            PliPiece *pieces = malloc((size_t)count * sizeof *pieces);
            pli_make_pieces(&division, &mesh, pieces);
            for (int64_t i = 0; i < count; i++) {
                uint16_t(*w)[2] = pieces[i].weights;
                int64_t here =
                    area((const int32_t[]){w[0][0], w[0][1]}, (const int32_t[]){w[1][0], w[1][1]},
                         (const int32_t[]){w[2][0], w[2][1]});
                assert_true(here > 0 && pieces[i].triangle == 0 && !pli_is_whole(&pieces[i]));
                all += here;
                for (int c = 0; c < 3; c++)
                    assert_true(w[c][0] + w[c][1] <= UNIT);
            }
            assert_int_equal(all, UNIT * UNIT);
            for (int i = 0; i < 200; i++) {
                int32_t point[2] = {(int32_t)scene_random_below(&random, UNIT + 1), 0};
                point[1] = (int32_t)scene_random_below(&random, (uint32_t)(UNIT + 1 - point[0]));
                int64_t found = 0;
                while (found < count && !has_point(&pieces[found], point))
                    found++;
                assert_true(found < count);
            }
            free(pieces);
        }
    }
}

static PliDivision division_of(PliantDivideKind kind, float size, const PliMeshView *mesh)
{
    TestHost host;
    PliDivision division;
    test_host_init(&host);
    assert_int_equal(pli_division_of(kind, size, mesh, &host.host, &division), PLIANT_OK);
    return division;
}

static void test_how_far(void **state)
{
    (void)state;
    float vertices[9];
    PliMeshView mesh = one_triangle(3, vertices);
    PliDivision division = division_of(PLIANT_DIVIDE_QUARTERS, 2, &mesh);
    assert_int_equal(division.kind, PLIANT_DIVIDE_QUARTERS);
    assert_int_equal(pli_count_pieces(&division, &mesh), 16);
    assert_int_equal(division_of(PLIANT_DIVIDE_QUARTERS, 8, &mesh).kind, PLIANT_DIVIDE_NONE);
    assert_int_equal(division_of(PLIANT_DIVIDE_AUTO, 0, &mesh).kind, PLIANT_DIVIDE_NONE);
    /* So small that there would be too many. */
    division = division_of(PLIANT_DIVIDE_QUARTERS, 0x1p-149f, &mesh);
    assert_in_range(pli_count_pieces(&division, &mesh), 1 << 16, pli_max_pieces(division.kind, 1));
    division = division_of(PLIANT_DIVIDE_CORNERS, 0x1p-149f, &mesh);
    assert_int_equal(pli_count_pieces(&division, &mesh), pli_pieces_at(division.kind, 10));
    vertices[0] = FLT_MAX;
    vertices[4] = -FLT_MAX;
    division = division_of(PLIANT_DIVIDE_QUARTERS, 0x1p-149f, &mesh);
    assert_in_range(pli_count_pieces(&division, &mesh), 1 << 16, pli_max_pieces(division.kind, 1));
    vertices[4] = NAN;
    assert_int_equal(division_of(PLIANT_DIVIDE_QUARTERS, 1, &mesh).kind, PLIANT_DIVIDE_NONE);
    memset(vertices, 0, sizeof vertices);
    assert_int_equal(division_of(PLIANT_DIVIDE_AUTO, 0, &mesh).kind, PLIANT_DIVIDE_NONE);
}

/* Rows whose coordinates are whole numbers, some of which cancel: the box holds the corners in
 * whole numbers, or would but for rounding to the nearest float. */
static void test_boxes_of_pieces(void **state)
{
    (void)state;
    SceneRandom random = {8};
    float vertices[9];
    PliMeshView mesh = one_triangle(4, vertices);
    PliDivision division = {PLIANT_DIVIDE_QUARTERS, 1};
    static PliPiece pieces[256];
    pli_make_pieces(&division, &mesh, pieces);
    for (int round = 0; round < 20000; round++) {
        float row[9], x[3];
        PliLeafBoxes boxes;
        for (int c = 0; c < 3; c++)
            x[c] = (float)((int32_t)scene_random_bits(&random) >> 8) *
                   (float)(1u << scene_random_below(&random, 29));
        const bool is_cancelling = round % 2; /* which leaves little */
        if (is_cancelling) {
            x[0] *= 0x1p40f;
            x[2] = -x[0];
            x[1] = (float)((int32_t)scene_random_bits(&random) >> 20);
        }
        const PliPiece *piece = &pieces[scene_random_below(&random, 256)];
        for (int i = 0; i < 9; i++)
            row[i] = x[i / 3];
        float low = fminf(x[0], fminf(x[1], x[2])), high = fmaxf(x[0], fmaxf(x[1], x[2]));
        for (int k = 0; k < 3; k++) {
            boxes.low[k][0] = low;
            boxes.high[k][0] = high;
        }
        pli_narrow_to_pieces(piece, 1, row, &boxes);
        assert_true(boxes.low[1][0] >= low && boxes.high[1][0] <= high);
        for (int c = 0; c < 3; c++) {
            int64_t second = piece->weights[c][0], third = piece->weights[c][1];
            int64_t first = UNIT - second - third;
            long double corner =
                is_cancelling ? (long double)(first - third) * x[0] + (long double)second * x[1]
                              : (long double)(first * (int64_t)x[0] + second * (int64_t)x[1] +
                                              third * (int64_t)x[2]);
            corner /= UNIT;
            /* A float that is no less than the corner is no less than the low end. */
            float above = nextafterf(boxes.low[0][0], -INFINITY);
            assert_true(above < corner || above < low);
            float below = nextafterf(boxes.high[0][0], INFINITY);
            assert_true(below > corner || below > high);
        }
    }
}

/* ---- Worlds ------------------------------------------------------------------------------------
 */

static PliantShapeDef def_of(const SceneMesh *mesh)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    return def;
}

static PliantShape *create_shape(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    return shape;
}

/* Two bodies, one of which is the wall: of a shape that is divided, or not. */
typedef struct Two {
    int wall;
    PliantWorld *world;
    PliantShape *shapes[2];
    PliantBody bodies[2];
} Two;

static Two make_two(PliantShape *a, PliantShape *b, uint32_t cpu_mask)
{
    Two two = {.shapes = {a, b}};
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    MUST(pliant_world_create(&def, &two.world));
    for (int i = 0; i < 2; i++)
        MUST(pliant_body_create(two.world, two.shapes[i], &two.bodies[i]));
    return two;
}

static void assert_same_contacts(const PliantContacts *contacts, const BruteContacts *expected)
{
    assert_int_equal(contacts->count, expected->count);
    assert_true(contacts->stamp != 0);
    for (int64_t i = 0; i < expected->count; i++) {
        assert_int_equal(contacts->items[i].triangle_a, expected->items[i].a);
        assert_int_equal(contacts->items[i].triangle_b, expected->items[i].b);
    }
}

static BruteContacts brute_of(const Two *two)
{
    BruteBody bodies[2];
    float *vertices[2];
    for (int i = 0; i < 2; i++) {
        PliantShapeInfo info = test_shape_info(two->shapes[i]);
        vertices[i] = malloc(12 * (size_t)info.vertex_count);
        MUST(test_body_vertices(two->world, two->bodies[i], vertices[i]));
        bodies[i] =
            (BruteBody){vertices[i], pliant_shape_triangles(two->shapes[i]), info.triangle_count};
    }
    BruteContacts expected = {0};
    brute_force(&bodies[0], &bodies[1], &expected);
    free(vertices[0]);
    free(vertices[1]);
    return expected;
}

/* All three queries are right; returns how many pairs there are. */
static int64_t assert_right(const Two *two)
{
    BruteContacts expected = brute_of(two);
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_collide(two->world, NULL, &contacts));
    assert_same_contacts(&contacts, &expected);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(two->world, &stats));
    assert_int_equal(stats.contacts, expected.count);
    for (int query = PLIANT_FIRST_PAIRS; query <= PLIANT_ANY_PAIR; query++) {
        MUST(pliant_world_collide(two->world, TEST_QUERY((PliantCollideKind)query), &contacts));
        assert_int_equal(contacts.count, expected.count > 0);
        bool is_found = expected.count == 0;
        for (int64_t i = 0; i < expected.count && !is_found; i++)
            is_found = contacts.items[0].triangle_a == expected.items[i].a &&
                       contacts.items[0].triangle_b == expected.items[i].b;
        assert_true(is_found);
    }
    int64_t count = expected.count;
    brute_free(&expected);
    return count;
}

/* ---- Rooms -------------------------------------------------------------------------------------
 */

/* A cube of side 2 * half, turned, and some fine triangles in it. */
static SceneMesh room(float half, double angle)
{
    static const uint32_t walls[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5},
                                          {0, 4, 5}, {0, 5, 1}, {2, 3, 7}, {2, 7, 6},
                                          {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    SceneMesh ball = scene_icosphere(1);
    SceneMesh mesh = {scene_allocate(3 * (8 + (size_t)ball.vertex_count), sizeof(float)),
                      scene_allocate(3 * (12 + (size_t)ball.triangle_count), sizeof(uint32_t)),
                      8 + ball.vertex_count, 12 + ball.triangle_count};
    double rows[3][3];
    const double axis[3] = {0.6, 0.64, 0.48};
    scene_rotation(axis, angle, rows);
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++)
            mesh.vertices[3 * v + k] = half * (float)((v & 1 ? rows[k][0] : -rows[k][0]) +
                                                      (v & 2 ? rows[k][1] : -rows[k][1]) +
                                                      (v & 4 ? rows[k][2] : -rows[k][2]));
    for (int i = 0; i < 3 * ball.vertex_count; i++)
        mesh.vertices[24 + i] = 0.05f * half * ball.vertices[i];
    memcpy(mesh.triangles, walls, sizeof walls);
    for (int i = 0; i < 3 * ball.triangle_count; i++)
        mesh.triangles[36 + i] = 8 + ball.triangles[i];
    scene_mesh_free(&ball);
    return mesh;
}

static PliantTransform random_transform(SceneRandom *random, float scale, float offset)
{
    PliantTransform transform;
    for (int i = 0; i < 12; i++)
        transform.rows[i / 4][i % 4] = (i % 4 == 3 ? offset : scale) * test_random_float(random);
    return transform;
}

/* Where a point of the room is, by the map. */
static void move_point(const PliantTransform *transform, const float *p, float *moved)
{
    for (int k = 0; k < 3; k++)
        moved[k] = transform->rows[k][0] * p[0] + transform->rows[k][1] * p[1] +
                   transform->rows[k][2] * p[2] + transform->rows[k][3];
}

/* Puts the ball, as large as a share of the room, onto a wall of it. */
static PliantTransform onto_wall(SceneRandom *random, const SceneMesh *mesh,
                                 const PliantTransform *transform)
{
    float p[3] = {0}, moved[3], size = 0;
    const uint32_t *triangle = mesh->triangles + 3 * scene_random_below(random, 12);
    float weights[3] = {(float)scene_random(random), (float)scene_random(random), 0};
    weights[2] = 2 - weights[0] - weights[1];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            p[k] += weights[c] / 2 * mesh->vertices[3 * triangle[c] + (uint32_t)k];
    move_point(transform, p, moved);
    for (int i = 0; i < 9; i++)
        size += fabsf(transform->rows[i / 3][i % 3]) / 20;
    PliantTransform ball = random_transform(random, size, 0);
    for (int k = 0; k < 3; k++)
        ball.rows[k][3] = moved[k];
    return ball;
}

static void try_transforms(const Two *two, const SceneMesh *mesh, SceneRandom *random,
                           int64_t *found)
{
    const int wall = two->wall;
    static const float scales[] = {1, 1e-6f, 1e6f, 30, 1e-3f};
    for (int i = 0; i < 10; i++) {
        float scale = scales[i % 5];
        PliantTransform transform =
            random_transform(random, scale, i % 3 == 2 ? 1e5f * scale : 3 * scale);
        for (int k = 0; k < 3 && i % 4 == 3; k++) /* singular: everything in a plane or on a line */
            transform.rows[k][2] = i % 8 == 3 ? transform.rows[k][1] : 0;
        PliantTransform ball = onto_wall(random, mesh, &transform);
        MUST(pliant_body_set_transform(two->world, two->bodies[wall], &transform));
        MUST(pliant_body_set_transform(two->world, two->bodies[1 - wall], &ball));
        *found += assert_right(two);
    }
}

/* Every kind of division and of bounds; at rest, moved, and given. */
static void test_rooms(void **state)
{
    (void)state;
    SceneRandom random = {11};
    SceneMesh ball = scene_icosphere(2);
    PliantShapeDef ball_def = def_of(&ball);
    PliantExperiments experiments = pliant_experiments_default();
    ball_def.experiments = &experiments;
    int64_t found = 0;
    for (int i = 0; i < DIVIDE_KINDS * BOUND_KINDS; i++) {
        SceneMesh mesh = room(4, 0.7 * (i % 4));
        PliantShapeDef def = def_of(&mesh);
        def.experiments = &experiments;
        def.divide_kind = divide_kinds[i % 3];
        def.divide_size = i % 2 ? 0.5f : 1.5f;
        experiments.bound_kind = (PliantBoundKind)(i / 3);
        PliantShape *a = create_shape(&def), *b = create_shape(&ball_def);
        PliantShapeInfo info = test_shape_info(a);
        assert_int_equal(info.triangle_count, 92);
        assert_true(i % 3 == 0 ? info.piece_count == 92 : info.piece_count > 250);
        const int wall = i / 3 % 2;
        Two two = make_two(wall ? b : a, wall ? a : b, i % 5 == 0 ? 0 : PLIANT_CPU_ALL);
        two.wall = wall;
        const PliantTransform identity = pliant_transform_identity();
        PliantTransform onto = onto_wall(&random, &mesh, &identity);
        MUST(pliant_body_set_transform(two.world, two.bodies[1 - wall], &onto));
        found += assert_right(&two);
        try_transforms(&two, &mesh, &random, &found);
        PliantVertices given = {mesh.vertices, mesh.vertex_count, 0};
        for (int kind = PLIANT_UPDATE_HYBRID; kind <= PLIANT_UPDATE_TOP_DOWN; kind++) {
            for (int v = 0; v < 24; v++)
                mesh.vertices[v] += 0.3f * test_random_float(&random);
            MUST(pliant_body_set_update_kind(two.world, two.bodies[wall], (PliantUpdateKind)kind));
            MUST(pliant_body_set_vertices(two.world, two.bodies[wall], given));
            try_transforms(&two, &mesh, &random, &found);
        }
        pliant_world_destroy(two.world);
        pliant_shape_release(a);
        pliant_shape_release(b);
        scene_mesh_free(&mesh);
    }
    assert_true(found > 10000);
    scene_mesh_free(&ball);
}

/* Both divided, the same place: no pair twice. */
static void test_divided_twice(void **state)
{
    (void)state;
    SceneMesh mesh = room(4, 0.3);
    PliantShapeDef def = def_of(&mesh);
    def.divide_size = 0.4f;
    def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    PliantShape *a = create_shape(&def);
    def.divide_kind = PLIANT_DIVIDE_CORNERS;
    PliantShape *b = create_shape(&def);
    Two two = make_two(a, b, PLIANT_CPU_ALL);
    assert_true(assert_right(&two) >= 92);
    pliant_world_destroy(two.world);
    pliant_shape_release(a);
    pliant_shape_release(b);
    scene_mesh_free(&mesh);
}

/* ---- Triangles at the ends of what there is ----------------------------------------------------
 */

/* Twelve large triangles of a kind and many small ones at and about points of them. */
static void fill_extreme(int kind, SceneRandom *random, float large[12][9], float small[96][9])
{
    static const float sizes[] = {1, 3e38f, 1e36f, 1e-40f, 1e-45f, 1e20f};
    const float size = sizes[kind % 6];
    for (int t = 0; t < 12; t++) {
        for (int i = 0; i < 9; i++)
            large[t][i] = size * test_random_float(random);
        if (kind / 6 == 1 && t % 2) /* a needle, or a point */
            memcpy(large[t] + 6, large[t] + (t % 4 == 1 ? 3 : 0), 12);
        if (kind / 6 == 1 && t % 6 == 5)
            memcpy(large[t] + 3, large[t], 12);
        if (kind / 6 == 2 && t == 3)
            large[t][4] = NAN;
    }
    for (int s = 0; s < 96; s++) {
        const float *t = large[s / 8];
        float w = (float)scene_random(random), v = (1 - w) * (float)(s % 4) / 3;
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                small[s][3 * c + k] = (w * t[k] + v * t[3 + k]) + (1 - w - v) * t[6 + k] +
                                      0.01f * size * test_random_float(random) * (float)(s % 3);
    }
}

static void test_extremes(void **state)
{
    (void)state;
    SceneRandom random = {12};
    static float large[12][9], small[96][9];
    static uint32_t indices[3 * 96];
    for (uint32_t i = 0; i < 3 * 96; i++)
        indices[i] = i;
    int64_t found = 0;
    for (int round = 0; round < 18 * 12; round++) {
        fill_extreme(round % 18, &random, large, small);
        SceneMesh walls = {large[0], indices, 36, 12}, others = {small[0], indices, 288, 96};
        PliantShapeDef def = def_of(&walls), other_def = def_of(&others);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        def.divide_kind = divide_kinds[1 + round / 18 % 2];
        def.divide_size = FLT_MAX;
        for (int i = 0; i < 9 && round % 18 < 12; i++)
            def.divide_size = fminf(def.divide_size, fmaxf(fabsf(large[0][i]), 0x1p-149f));
        experiments.bound_kind = (PliantBoundKind)(round / 36 % 4);
        PliantShape *a = create_shape(&def), *b = create_shape(&other_def);
        Two two = make_two(a, b, PLIANT_CPU_ALL);
        found += assert_right(&two);
        PliantTransform transform = random_transform(&random, 1, 0);
        MUST(pliant_body_set_transform(two.world, two.bodies[0], &transform));
        MUST(pliant_body_set_transform(two.world, two.bodies[1], &transform));
        found += assert_right(&two);
        pliant_world_destroy(two.world);
        pliant_shape_release(a);
        pliant_shape_release(b);
    }
    assert_true(found > 1000);
}

/* ---- Bounds hold pieces ------------------------------------------------------------------------
 *
 * Of a body whose vertices are halves at rest and are moved to where there is no float but whole
 * numbers: every rounding is as large as it can be. In long double, an average of these is exact.
 */

static void halves(SceneRandom *random, float *vertices, int count)
{
    for (int i = 0; i < count; i++)
        vertices[i] = 0.5f * (float)((int)scene_random_below(random, 257) - 128);
}

static long double corner_along(const PliPiece *piece, int corner, const float *t, int k)
{
    long double second = piece->weights[corner][0], third = piece->weights[corner][1];
    return ((UNIT - second - third) * t[k] + second * t[3 + k] + third * t[6 + k]) / UNIT;
}

/* How many corners of pieces below a child are outside of its box, or on the wrong side of its
 * plane. */
static int64_t count_outside(const PliMeshPose *pose, int32_t node, int32_t child,
                             const float *moved)
{
    const PliTree *tree = pose->base.bounds.tree;
    int32_t part = tree->nodes[node].children[child];
    PliRange range = part < 0 ? tree->leaves[~part] : tree->nodes[part].range;
    int32_t number =
        part < 0 ? pose->base.bounds.leaf_planes[~part] : pose->base.bounds.node_planes[part];
    number = pose->base.bounds.planes ? number : -1;
    const PliBoxes *boxes =
        pli_boxes_at(&pose->base.bounds, pose->base.bounds.node_slots[node].slot);
    int64_t count = 0;
    for (int32_t i = range.first; i < range.first + range.count; i++) {
        const PliPiece *piece = &pose->shape->pieces[i];
        float t[9];
        for (int c = 0; c < 3; c++)
            memcpy(t + 3 * c, moved + 3 * (size_t)pose->shape->triangles[3 * piece->triangle + c],
                   12);
        for (int c = 0; c < 3; c++) {
            long double along = 0;
            for (int k = 0; k < 3; k++) {
                long double at = corner_along(piece, c, t, k);
                count += !(boxes->low[k][child] <= at && at <= boxes->high[k][child]);
                along += number < 0 ? 0 : at * pose->base.bounds.planes[number].normal[k];
            }
            if (number >= 0)
                count += along < pose->base.bounds.planes[number].low ||
                         along > pose->base.bounds.planes[number].high;
        }
    }
    return count;
}

static int64_t count_all_outside(PliMeshPose *pose, PliWorker *worker, const float *moved)
{
    int64_t count = 0;
    for (int32_t n = 0; n < pose->base.bounds.tree->node_count; n++) {
        pli_bounds_open(&pose->base.bounds, n, worker, PLI_SIDE_A);
        for (int32_t c = 0; c < pose->base.bounds.tree->nodes[n].child_count; c++)
            count += count_outside(pose, n, c, moved);
    }
    return count;
}

/* With the margin as it is nothing is outside; without any, or without that of planes, something
 * is, so that this test would see it. */
static void test_bounds_hold_pieces(void **state)
{
    (void)state;
    SceneRandom random = {13};
    PliKernels kernels;
    PliWorker worker;
    pli_kernels_fill(&kernels, PLIANT_CPU_ALL);
    static float vertices[48][3], moved[48][3];
    static uint32_t indices[48];
    int64_t planted[2] = {0};
    for (uint32_t i = 0; i < 48; i++)
        indices[i] = i;
    for (int round = 0; round < 200; round++) {
        const float scale = round % 3 == 2 ? 0x1p104f : 1; /* beyond what margins are for */
        halves(&random, vertices[0], 144);
        for (int i = 0; i < 144; i++)
            vertices[i / 3][i % 3] *= scale;
        SceneMesh mesh = {vertices[0], indices, 48, 16};
        PliantShapeDef def = def_of(&mesh);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        def.divide_kind = divide_kinds[1 + round % 2];
        def.divide_size = 24 * scale;
        experiments.bound_kind = (PliantBoundKind)(round / 2 % BOUND_KINDS);
        PliantShape *shape = create_shape(&def);
        PliantHost host = shape->host;
        PliMeshPose pose;
        MUST(pli_mesh_pose_init(&pose, shape, &host));
        pli_worker_init(&worker, &host, &kernels);
        PliantTransform transform = random_transform(&random, 2, 0x1p23f * scale);
        for (int i = 0; i < 9 && round % 4 == 0; i++)
            transform.rows[i / 3][i % 3] = i % 4 == 0;
        if (round % 5 == 4) /* without a last row of any weight: singular */
            transform.rows[2][0] = transform.rows[2][1] = transform.rows[2][2] = 0;
        pli_pose_set_transform(&pose.base, &transform);
        pli_pose_update(&pose.base, &worker);
        pli_pose_vertices(&pose.base, moved[0]);
        assert_int_equal(count_all_outside(&pose, &worker, moved[0]), 0);
        for (int32_t i = 0; i < shape->planes.plane_count; i++) {
            PliPlane *plane = &pose.planes[i]; /* down to half an ulp of where the plane is */
            float middle = 0.5f * plane->low + 0.5f * plane->high;
            plane->low = plane->high = middle;
        }
        planted[0] += count_all_outside(&pose, &worker, moved[0]);
        pli_pose_planes_update(&pose);
        pose.morph.margin = 0;
        planted[1] += experiments.bound_kind == PLIANT_BOUND_BOX
                          ? count_all_outside(&pose, &worker, moved[0])
                          : 0;
        pli_pose_free(&pose.base, &host);
        pliant_shape_release(shape);
    }
    assert_true(planted[0] > 0);
    assert_true(planted[1] > 0);
}

/* The same by answers: small triangles of whole numbers about the surface, given. */
static void test_answers_far_away(void **state)
{
    (void)state;
    SceneRandom random = {14};
    static float vertices[48][3], moved[48][3], small[256][9];
    static uint32_t indices[768];
    int64_t found = 0;
    for (uint32_t i = 0; i < 768; i++)
        indices[i] = i;
    for (int round = 0; round < 150; round++) {
        halves(&random, vertices[0], 144);
        for (int t = 0; t < 16; t += 2) /* needles among them */
            memcpy(vertices[3 * t], vertices[3 * t + 1], 12);
        SceneMesh walls = {vertices[0], indices, 48, 16}, others = {small[0], indices, 768, 256};
        PliantTransform transform = {{{1, 0, 0, 0x1p23f}, {0, 1, 0, -0x1p24f}, {0, 0, 1, 0x1p22f}}};
        brute_move(&transform, vertices[0], 48, moved[0]);
        for (int s = 0; s < 256; s++)
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++) {
                    double w = s % 16 / 15.0;
                    small[s][3 * c + k] =
                        (float)(w * moved[3 * (s / 16)][k] + (1 - w) * moved[3 * (s / 16) + 2][k]) +
                        (float)((int)scene_random_below(&random, 3) - 1);
                }
        PliantShapeDef def = def_of(&walls), other_def = def_of(&others);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        def.divide_kind = divide_kinds[1 + round % 2];
        def.divide_size = 16;
        experiments.bound_kind = (PliantBoundKind)(round / 2 % BOUND_KINDS);
        PliantShape *a = create_shape(&def), *b = create_shape(&other_def);
        Two two = make_two(a, b, PLIANT_CPU_ALL);
        MUST(pliant_body_set_transform(two.world, two.bodies[0], &transform));
        MUST(pliant_body_borrow_vertices(two.world, two.bodies[1],
                                         (PliantVertices){small[0], 768, 0}));
        found += assert_right(&two);
        pliant_world_destroy(two.world);
        pliant_shape_release(a);
        pliant_shape_release(b);
    }
    assert_true(found > 1000);
}

/* ---- Planes ------------------------------------------------------------------------------------
 */

/* What the test of boxes and balls against a plane leaves out is on one side of it. */
static void test_beside_planes(void **state)
{
    (void)state;
    SceneRandom random = {15};
    int64_t exclusion_masks = 0;
    for (int round = 0; round < 20000; round++) {
        PliBoxes boxes;
        float balls[32];
        float scale = round % 3 == 0 ? 1e38f : round % 3 == 1 ? 1e-44f : 100;
        PliPlane plane = {{test_random_float(&random), test_random_float(&random),
                           round % 4 ? test_random_float(&random) : 0},
                          0,
                          0,
                          1.7321f};
        plane.low = plane.high = scale * test_random_float(&random);
        for (int i = 0; i < 32; i++)
            balls[i] =
                scale * (i < 24 ? test_random_float(&random) : 0.1f * (float)scene_random(&random));
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 8; i++) {
                float x = scale * test_random_float(&random), y = x + 0.1f * fabsf(x);
                boxes.low[k][i] = round % 7 == 0 && i == 3 ? -INFINITY : x;
                boxes.high[k][i] = round % 7 == 0 && i == 4 ? INFINITY : y;
            }
        if (round % 2) { /* where one of them just touches it */
            long double at[2] = {0, -(long double)plane.length * balls[24]};
            for (int k = 0; k < 3; k++) {
                long double n = plane.normal[k];
                at[0] += n * (n < 0 ? boxes.high[k][0] : boxes.low[k][0]);
                at[1] += n * balls[8 * k];
            }
            float here = (float)at[round / 2 % 2];
            here = here < at[round / 2 % 2] ? nextafterf(here, INFINITY) : here;
            plane.low = plane.high = here;
        }
        const PliPlaneSides box_sides = pli_plane_sides_of_boxes(&plane, &boxes),
                            ball_sides = pli_plane_sides_of_balls(&plane, balls);
        const uint32_t of_boxes = ~(box_sides.above | box_sides.below) & 0xff,
                       of_balls = ~(ball_sides.above | ball_sides.below) & 0xff;
        for (int i = 0; i < 8; i++) {
            long double low = 0, high = 0, along = 0;
            for (int k = 0; k < 3; k++) {
                long double n = plane.normal[k];
                low += n * (n < 0 ? boxes.high[k][i] : boxes.low[k][i]);
                high += n * (n < 0 ? boxes.low[k][i] : boxes.high[k][i]);
                along += n * balls[8 * k + i];
            }
            bool is_beside = low > plane.high || high < plane.low;
            assert_true(is_beside || of_boxes >> i & 1);
            long double reach = (long double)plane.length * balls[24 + i];
            assert_true(along - reach > plane.high || along + reach < plane.low ||
                        of_balls >> i & 1);
            exclusion_masks += !(of_boxes >> i & 1) + !(of_balls >> i & 1);
        }
    }
    assert_true(exclusion_masks > 20000);
}

/* Whole numbers of 24 bits whose determinant is 1. */
static void fill_unimodular(SceneRandom *random, float rows[3][3])
{
    for (int i = 0; i < 9; i++)
        rows[i / 3][i % 3] = i % 4 == 0;
    for (int step = 0; step < 400; step++) {
        uint32_t to = scene_random_below(random, 3), from = (to + 1 + step % 2) % 3;
        float factor = (float)((int)scene_random_below(random, 9) - 4), sums[3], most = 0;
        for (int k = 0; k < 3; k++) {
            sums[k] = rows[to][k] + factor * rows[from][k];
            most = fmaxf(most, fabsf(sums[k]));
        }
        if (most < 0x1p24f)
            memcpy(rows[to], sums, sizeof sums);
    }
}

/* Maps that leave hardly more than a line, of planes that they leave hardly anything of; and such
 * that in cofactor(A) n all but one in 2^72 cancels: the normal is nothing but rounding. Still the
 * plane holds what is moved. */
static void test_moved_planes(void **state)
{
    (void)state;
    SceneRandom random = {16};
    for (int round = 0; round < 20000; round++) {
        float a[3], b[3], reach[3] = {0}, points[3][3], offset = round % 2 ? 100 : 0;
        PliTransform transform = {0};
        PliPlane plane = {.low = INFINITY, .high = -INFINITY, .length = 2};
        for (int k = 0; k < 3; k++) {
            a[k] = test_random_float(&random);
            plane.normal[k] = b[k] = test_random_float(&random);
        }
        for (int i = 0; i < 9; i++)
            transform.columns[i / 3][i % 3] =
                a[i % 3] * b[i / 3] + (round % 3 ? 0 : 0.3f) * test_random_float(&random);
        float rows[3][3];
        fill_unimodular(&random, rows);
        for (int i = 0; i < 9 && round % 4 == 0; i++) {
            transform.columns[i / 3][i % 3] = 0x1p-24f * rows[i % 3][i / 3];
            plane.normal[i % 3] = b[i % 3] = 0x1p-24f * rows[0][i % 3];
        }
        for (int p = 0; p < 3; p++) {
            double along = 0;
            for (int k = 0; k < 3; k++) {
                points[p][k] = 100 * test_random_float(&random);
                reach[k] = fmaxf(reach[k], fabsf(points[p][k]));
                along += (double)b[k] * points[p][k];
            }
            plane.low = fminf(plane.low, nextafterf((float)along, -INFINITY));
            plane.high = fmaxf(plane.high, nextafterf((float)along, INFINITY));
        }
        for (int k = 0; k < 3; k++)
            transform.columns[3][k] = offset * test_random_float(&random);
        PliPlane moved = pli_plane_moved(&plane, &transform, reach);
        for (int p = 0; p < 3; p++) {
            long double along = 0;
            for (int k = 0; k < 3; k++) {
                const PliFloat4 *m = transform.columns;
                float at =
                    ((m[0][k] * points[p][0] + m[1][k] * points[p][1]) + m[2][k] * points[p][2]) +
                    m[3][k];
                along += (long double)moved.normal[k] * at;
            }
            assert_true(moved.low <= along && along <= moved.high);
        }
    }
}

/* A ball before a turned wall, not touching it: planes leave hardly anything to do. */
static void test_planes_are_used(void **state)
{
    (void)state;
    SceneMesh mesh = room(4, 0.7), ball = scene_icosphere(4);
    for (int bound = 0; bound < BOUND_KINDS; bound++) {
        PliantShapeDef def = def_of(&mesh), ball_def = def_of(&ball);
        PliantExperiments experiments = pliant_experiments_default();
        experiments.bound_kind = (PliantBoundKind)bound;
        def.experiments = ball_def.experiments = &experiments;
        def.divide_kind = PLIANT_DIVIDE_QUARTERS;
        def.divide_size = 1;
        PliantShape *a = create_shape(&def), *b = create_shape(&ball_def);
        Two two = make_two(a, b, PLIANT_CPU_ALL);
        PliantTransform transform = pliant_transform_identity();
        for (int k = 0; k < 3; k++) /* to the middle of a wall, and then off it */
            transform.rows[k][3] = 0.72f * 0.5f * (mesh.vertices[k] + mesh.vertices[9 + k]);
        MUST(pliant_body_set_transform(two.world, two.bodies[1], &transform));
        PliantStats stats[2] = {pliant_stats_default(), pliant_stats_default()};
        PliantContacts contacts = pliant_contacts_default();
        for (int pass = 0; pass < 2; pass++) {
            MUST(pliant_world_collide(two.world, NULL, &contacts));
            assert_int_equal(contacts.count, 0);
            MUST(pliant_world_stats(two.world, &stats[pass]));
            PliPose *pose = &pli_world_body(two.world, two.bodies[0])->pose;
            pose->bounds.planes = NULL;
        }
        assert_true(stats[0].plane_tests > 0 && stats[1].plane_tests == 0);
        assert_true(stats[0].bound_tests > 0 && stats[0].bound_tests <= 64 * stats[0].node_pairs);
        assert_true(stats[0].leaf_pairs <= stats[1].leaf_pairs);
        assert_true(stats[0].node_pairs < stats[1].node_pairs || stats[1].node_pairs < 20);
        pliant_world_destroy(two.world);
        pliant_shape_release(a);
        pliant_shape_release(b);
    }
    scene_mesh_free(&mesh);
    scene_mesh_free(&ball);
}

/* ---- Approximate answers -----------------------------------------------------------------------
 */

#define APPROXIMATELY(bits)                                                                        \
    (&(const PliantCollideDef){                                                                    \
        .struct_size = sizeof(PliantCollideDef),                                                   \
        .experiments = &(const PliantExperiments){.struct_size = sizeof(PliantExperiments),        \
                                                  .tree_child_count = 8,                           \
                                                  .tree_leaf_size = 16,                            \
                                                  .approximations = (bits)}})

static bool has_contact(const PliantContacts *contacts, const PliantContact *one)
{
    for (int64_t i = 0; i < contacts->count; i++)
        if (contacts->items[i].triangle_a == one->triangle_a &&
            contacts->items[i].triangle_b == one->triangle_b)
            return true;
    return false;
}

static bool is_skipped(const PliantShape *shape, int32_t triangle)
{
    return shape->skips[triangle / 64] >> triangle % 64 & 1;
}

static void test_approximate(void **state)
{
    (void)state;
    SceneMesh mesh = room(4, 0.7), ball = scene_icosphere(5);
    PliantShapeDef def = def_of(&mesh), ball_def = def_of(&ball);
    def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    def.divide_size = 1;
    PliantShape *a = create_shape(&def), *b = create_shape(&ball_def);
    Two two = make_two(a, b, PLIANT_CPU_ALL);
    PliantTransform transform = pliant_transform_identity();
    for (int k = 0; k < 3; k++)
        transform.rows[k][3] = 0.5f * (mesh.vertices[k] + mesh.vertices[9 + k]);
    MUST(pliant_body_set_transform(two.world, two.bodies[1], &transform));
    PliantContacts contacts = pliant_contacts_default();
    assert_right(&two);
    MUST(pliant_world_collide(two.world, NULL, &contacts));
    assert_true(contacts.stamp != 0);
    int64_t count = contacts.count;
    assert_true(count > 20);
    PliantContact *exact = malloc((size_t)count * sizeof *exact);
    memcpy(exact, contacts.items, (size_t)count * sizeof *exact);

    /* Planes: everything that touches, and a little more. */
    MUST(pliant_world_collide(two.world, APPROXIMATELY(PLIANT_APPROXIMATE_PLANES), &contacts));
    assert_int_equal(contacts.stamp, 0);
    assert_true(contacts.count > count && contacts.count < 4 * count);
    for (int64_t i = 0; i < count; i++)
        assert_true(has_contact(&contacts, &exact[i]));
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(two.world, &stats));
    assert_int_equal(stats.triangle_tests, 0);

    /* Edges: what touches, but for what is passed over. */
    MUST(pliant_world_collide(two.world, APPROXIMATELY(PLIANT_APPROXIMATE_EDGES), &contacts));
    assert_int_equal(contacts.stamp, 0);
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (!is_skipped(a, exact[i].triangle_a) && !is_skipped(b, exact[i].triangle_b)) {
            assert_true(has_contact(&contacts, &exact[i]));
            kept++;
        }
    assert_int_equal(contacts.count, kept);
    assert_in_range(kept, count / 2, count - 1);
    MUST(pliant_world_collide(two.world, APPROXIMATELY(0), &contacts));
    assert_int_equal(contacts.count, count);
    MUST(pliant_world_collide(two.world, APPROXIMATELY(3), &contacts));
    assert_int_equal(contacts.stamp, 0);
    assert_true(contacts.count >= kept);
    MUST(pliant_bodies_collide(two.world, two.bodies[0], two.bodies[1], NULL, &contacts));
    assert_int_equal(contacts.count, count);
    assert_true(contacts.stamp != 0);
    free(exact);
    pliant_world_destroy(two.world);
    pliant_shape_release(a);
    pliant_shape_release(b);
    scene_mesh_free(&mesh);
    scene_mesh_free(&ball);
}

/* No two neighbors are passed over, and what is has three of them. */
static void test_skips(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(3);
    PliantShapeDef def = def_of(&mesh);
    PliantShape *shape = create_shape(&def);
    int32_t count = 0;
    for (int32_t t = 0; t < mesh.triangle_count; t++) {
        int neighbors = 0;
        count += is_skipped(shape, t);
        for (int32_t s = 0; s < mesh.triangle_count && is_skipped(shape, t); s++) {
            int shared = 0;
            for (int i = 0; i < 9; i++)
                shared += mesh.triangles[3 * t + i / 3] == mesh.triangles[3 * s + i % 3];
            neighbors += shared == 2;
            assert_false(shared == 2 && is_skipped(shape, s));
        }
        assert_true(neighbors == (is_skipped(shape, t) ? 3 : 0));
    }
    assert_in_range(count, mesh.triangle_count / 3, mesh.triangle_count / 2);
    pliant_shape_release(shape);

    /* Across an open edge there is nobody; nor is one that is not finite, or that has no edges. */
    const float vertices[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, NAN}};
    const uint32_t open[] = {0, 1, 2, 1, 3, 2, 2, 4, 0, 0, 1, 5, 0, 0, 1};
    def.vertices = (PliantVertices){vertices[0], 6, 0};
    def.triangles = (PliantTriangles){open, 5};
    shape = create_shape(&def);
    assert_int_equal(shape->skips[0], 0);
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
}

/* Whole triangles are counted, not their pieces. */
static void test_nonfinite_are_counted(void **state)
{
    (void)state;
    SceneMesh mesh = room(4, 0.7);
    PliantShapeDef def = def_of(&mesh);
    def.divide_kind = PLIANT_DIVIDE_CORNERS;
    def.divide_size = 0.5f;
    PliantShape *shape = create_shape(&def);
    Two two = make_two(shape, shape, PLIANT_CPU_ALL);
    mesh.vertices[0] = INFINITY;
    int64_t expected = 0;
    for (int32_t i = 0; i < 3 * mesh.triangle_count; i++)
        expected += mesh.triangles[i] == 0;
    MUST(pliant_body_set_vertices(two.world, two.bodies[0],
                                  (PliantVertices){mesh.vertices, mesh.vertex_count, 0}));
    PliantTransform transform = {{{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 0.5f}}};
    MUST(pliant_body_set_transform(two.world, two.bodies[1], &transform));
    assert_true(assert_right(&two) > 0);
    assert_int_equal(test_nonfinite_count(two.world, two.bodies[0]), expected);
    pliant_world_destroy(two.world);
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

static void test_mistakes(void **state)
{
    (void)state;
    SceneMesh mesh = room(4, 0);
    TestHost told;
    test_host_init(&told);
    PliantShapeDef good = def_of(&mesh);
    good.host = &told.host;
    PliantShape *shape = NULL;
    PliantExperiments experiments = pliant_experiments_default();
    PliantShapeDef def = good;
    def.divide_kind = (PliantDivideKind)4;
    REFUSE(told, pliant_shape_create(&def, &shape), PLIANT_BAD_ARGUMENT, "def.divide_kind is 4");
    def = good;
    def.divide_size = -1;
    REFUSE(told, pliant_shape_create(&def, &shape), PLIANT_BAD_ARGUMENT, "def.divide_size is -1");
    def.divide_size = NAN;
    REFUSE(told, pliant_shape_create(&def, &shape), PLIANT_BAD_ARGUMENT, "def.divide_size is ");
    def = good;
    def.divide_kind = PLIANT_DIVIDE_CORNERS;
    experiments.tree_kind = PLIANT_TREE_CONNECTED;
    def.experiments = &experiments;
    REFUSE(told, pliant_shape_create(&def, &shape), PLIANT_BAD_ARGUMENT,
           "def.divide_kind is 3, and the tree is of connected patches");
    PliantTarget target = {{mesh.vertices, mesh.vertex_count, 0}, NULL};
    def = good;
    def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    def.targets = &target;
    def.target_count = 1;
    REFUSE(told, pliant_shape_create(&def, &shape), PLIANT_BAD_ARGUMENT,
           "def.divide_kind is 2, and there are targets");
    def.divide_kind = PLIANT_DIVIDE_AUTO;
    def.divide_size = 1;
    shape = create_shape(&def);
    assert_int_equal(test_shape_info(shape).piece_count, 92);
    pliant_shape_release(shape);
    PliantWorldDef world_def = pliant_world_def_default();
    world_def.host = &told.host;
    PliantWorld *world;
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_create(&world_def, &world));
    REFUSE(told, pliant_world_collide(world, APPROXIMATELY(5), &contacts), PLIANT_BAD_ARGUMENT,
           "def.experiments->approximations is 5: 0 to 3");
    pliant_world_destroy(world);
    scene_mesh_free(&mesh);
}

/* A few triangles far larger than the others are divided, even ones are not. */
static void test_automatic(void **state)
{
    (void)state;
    SceneMesh meshes[] = {room(40, 0.7), scene_icosphere(3), scene_sphere(SCENE_TETRAHEDRON, 4),
                          scene_hand()};
    for (int i = 0; i < 4; i++) {
        PliantShapeDef def = def_of(&meshes[i]);
        for (int v = 24; v < 3 * meshes[i].vertex_count && i == 0; v++)
            meshes[0].vertices[v] *= 0.05f;
        PliantShape *shape = create_shape(&def);
        PliantShapeInfo info = test_shape_info(shape);
        if (i == 0)
            assert_in_range(info.piece_count, 1000, 2 * 92 + 4096);
        else
            assert_int_equal(info.piece_count, info.triangle_count);
        pliant_shape_release(shape);
        scene_mesh_free(&meshes[i]);
    }
}

static unsigned char *saved(PliantDivideKind kind, size_t *size)
{
    SceneMesh mesh = room(4, 0.7);
    PliantShapeDef def = def_of(&mesh);
    def.divide_kind = kind;
    def.divide_size = 3;
    PliantShape *shape = create_shape(&def);
    const void *data = pliant_shape_data(shape, size);
    unsigned char *copy = aligned_alloc(64, *size);
    memcpy(copy, data, *size);
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
    return copy;
}

/* Mapped it is the same; with any byte changed it is refused, also if the checksum is right. */
static void test_saved(void **state)
{
    (void)state;
    for (int kind = 1; kind < DIVIDE_KINDS; kind++) {
        size_t size;
        unsigned char *data = saved(divide_kinds[kind], &size);
        PliShapeHeader *header = (PliShapeHeader *)data;
        PliantShape *shape = NULL;
        MUST(pliant_shape_map(data, size, NULL, &shape));
        assert_int_equal(test_shape_info(shape).piece_count, header->item_count);
        assert_true(header->plane_count >= 6 && header->plane_count <= 12);
        Two two = make_two(shape, shape, PLIANT_CPU_ALL);
        PliantTransform transform = {{{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 0.5f}}};
        MUST(pliant_body_set_transform(two.world, two.bodies[1], &transform));
        assert_true(assert_right(&two) > 10);
        pliant_world_destroy(two.world);
        pliant_shape_release(shape);
        const struct {
            size_t item_size;
            int section;
            int32_t count;
        } parts[] = {{4, PLI_SECTION_order, header->item_count},
                     {12, PLI_SECTION_corners, header->item_count},
                     {sizeof(PliPiece), PLI_SECTION_pieces, header->item_count},
                     {sizeof(PliPlane), PLI_SECTION_planes, header->plane_count},
                     {4, PLI_SECTION_leaf_planes, header->leaf_count},
                     {4, PLI_SECTION_node_planes, header->node_count},
                     {8, PLI_SECTION_skips, 2}};
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            unsigned char *first = data + header->sections[parts[p].section];
            for (size_t i = 0; i < parts[p].item_size * (size_t)parts[p].count; i++) {
                first[i] ^= 1 << i % 8;
                header->checksum = pli_shape_checksum(header);
                assert_int_equal(pliant_shape_map(data, size, NULL, &shape), PLIANT_BAD_DATA);
                first[i] ^= 1 << i % 8;
            }
        }
        static const int32_t values[] = {0, 1, -1, 2, 3, 92, INT32_MAX, INT32_MIN, 0x3f800000};
        int32_t *fields[] = {
            &header->item_count,  &header->divide_kind,  (int32_t *)&header->divide_size,
            &header->plane_count, &header->target_count, &header->triangle_count};
        for (size_t i = 0; i < 6 * 9; i++) {
            int32_t before = *fields[i / 9];
            *fields[i / 9] = values[i % 9];
            header->checksum = pli_shape_checksum(header);
            assert_true(before == values[i % 9] ||
                        pliant_shape_map(data, size, NULL, &shape) == PLIANT_BAD_DATA);
            *fields[i / 9] = before;
        }
        free(data);
    }
}

static void test_failing_allocations(void **state)
{
    (void)state;
    SceneMesh mesh = room(4, 0.7);
    for (int64_t fail_at = 1, did_fail = 1; did_fail; fail_at++) {
        TestHost host;
        test_host_init(&host);
        host.fail_at = fail_at;
        host.fails_for_ever = true;
        PliantShapeDef def = def_of(&mesh);
        def.divide_kind = PLIANT_DIVIDE_QUARTERS;
        def.divide_size = 1;
        def.host = &host.host;
        PliantShape *shape = NULL;
        PliantResult result = pliant_shape_create(&def, &shape);
        did_fail = host.calls >= fail_at;
        assert_int_equal(result, did_fail ? PLIANT_OUT_OF_MEMORY : PLIANT_OK);
        pliant_shape_release(shape);
        assert_int_equal(host.bytes, 0);
    }
    size_t size;
    unsigned char *data = saved(PLIANT_DIVIDE_CORNERS, &size);
    for (int64_t fail_at = 1, did_fail = 1; did_fail; fail_at++) {
        TestHost host;
        test_host_init(&host);
        host.fail_at = fail_at;
        host.fails_for_ever = true;
        PliantShape *shape = NULL;
        PliantResult result = pliant_shape_map(data, size, &host.host, &shape);
        PliMeshPose pose;
        if (result == PLIANT_OK)
            result = pli_mesh_pose_init(&pose, shape, &host.host);
        if (result == PLIANT_OK)
            pli_pose_free(&pose.base, &host.host);
        did_fail = host.calls >= fail_at;
        assert_int_equal(result, did_fail ? PLIANT_OUT_OF_MEMORY : PLIANT_OK);
        pliant_shape_release(shape);
        assert_int_equal(host.bytes, 0);
    }
    free(data);
    scene_mesh_free(&mesh);
}

/* ---- Features ---------------------------------------------------------------------------------
 */

/* A wall of two triangles. */
static PliantBody add_wall(PliantWorld *world, float height, float divide_size)
{
    static const uint32_t triangles[6] = {0, 1, 2, 1, 3, 2};
    const float vertices[12] = {0, 0, height, 1, 0, height, 0, 1, height, 1, 1, height};
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    PliantBody body;
    def.vertices = (PliantVertices){vertices, 4, 0};
    def.triangles = (PliantTriangles){triangles, 2};
    def.divide_kind = divide_size > 0 ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_NONE;
    def.divide_size = divide_size;
    MUST(pliant_shape_create(&def, &shape));
    MUST(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

/* The pieces of two walls bring the same pairs of features. Each is decided about once. */
static void test_near_pairs_are_decided_once(void **state)
{
    (void)state;
    enum { FEATURE_PAIRS = 2 * 4 * 2 + 5 * 5, MORE = 3 };
    PliantNearDef def = pliant_near_def_default();
    def.distance = 0.125f;
    PliantNearPairs found[2] = {pliant_near_pairs_default(), pliant_near_pairs_default()};
    PliantWorld *worlds[2];
    for (int w = 0; w < 2; w++) {
        const float size = w ? 1.42f / 32 : 0;
        MUST(pliant_world_create(NULL, &worlds[w]));
        const PliantBody a = add_wall(worlds[w], 0, size), b = add_wall(worlds[w], 0.0625f, size);
        MUST(pliant_bodies_near(worlds[w], a, b, &def, &found[w]));
        assert_true(worlds[w]->first.near.pair_count <= MORE * FEATURE_PAIRS);
    }
    assert_int_equal(found[0].count, found[1].count);
    for (int64_t i = 0; i < found[0].count; i++)
        assert_memory_equal(&found[0].items[i].kind, &found[1].items[i].kind,
                            sizeof found[0].items[i] - offsetof(PliantNearPair, kind));
    for (int w = 0; w < 2; w++)
        pliant_world_destroy(worlds[w]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_by_level),
        cmocka_unit_test(test_pieces_cover),
        cmocka_unit_test(test_how_far),
        cmocka_unit_test(test_boxes_of_pieces),
        cmocka_unit_test(test_rooms),
        cmocka_unit_test(test_divided_twice),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_bounds_hold_pieces),
        cmocka_unit_test(test_answers_far_away),
        cmocka_unit_test(test_beside_planes),
        cmocka_unit_test(test_moved_planes),
        cmocka_unit_test(test_nonfinite_are_counted),
        cmocka_unit_test(test_planes_are_used),
        cmocka_unit_test(test_approximate),
        cmocka_unit_test(test_skips),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_automatic),
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_near_pairs_are_decided_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
