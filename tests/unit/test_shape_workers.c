/* Shapes are the same bytes for any number of workers and any order of tasks: plain, divided,
 * morphing and skinned ones, and meshes that no one would make. Every shape here is divided,
 * however small it is. */
#include "ball.h"
#include "host.h"
#include "scenes.h"
#include "unit.h"
#include "workers.h"
#include <pliant/pliant.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const char *all_crews[] = {"2",         "3",          "7",        "forward:2",
                                  "forward:5", "reversed:3", "random:7", "random:64"};
static const char **crews = all_crews;
static int crew_count = sizeof all_crews / sizeof *all_crews;

static PliantShapeDef def_of(const SceneMesh *mesh)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    return def;
}

static void compare(PliantShapeDef def, const char *crew, const void *bytes, size_t byte_size)
{
    TestWorkers workers;
    PliantHost host = pliant_host_default();
    PliantShape *shape = NULL;
    size_t size;
    assert_true(test_workers_start(&workers, crew));
    test_workers_attach(&workers, &host);
    def.host = &host;
    MUST(test_workers_build(&def, &shape));
    const void *data = pliant_shape_data(shape, &size);
    assert_int_equal(size, byte_size);
    assert_true(memcmp(data, bytes, size) == 0);
    pliant_shape_release(shape);
    test_workers_end(&workers);
}

/* Against one worker, who also has to have made a shape that can be mapped. */
static void compare_all(PliantShapeDef def)
{
    PliantShape *alone = NULL, *mapped = NULL;
    size_t size;
    MUST(test_workers_build(&def, &alone));
    const void *bytes = pliant_shape_data(alone, &size);
    MUST(pliant_shape_map(bytes, size, NULL, &mapped));
    pliant_shape_release(mapped);
    for (int crew = 0; crew < crew_count; crew++)
        compare(def, crews[crew], bytes, size);
    pliant_shape_release(alone);
}

/* ---- Plain shapes ------------------------------------------------------------------------------
 */

static void test_plain(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(4);
    for (int kind = PLIANT_TREE_FULL; kind <= PLIANT_TREE_CONNECTED; kind++) {
        PliantShapeDef def = def_of(&mesh);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.tree_kind = (PliantTreeKind)kind;
        compare_all(def);
    }
    for (int32_t children = 2; children <= 8; children *= 2)
        for (int32_t leaf_size = 1; leaf_size <= 16; leaf_size += 5) {
            PliantShapeDef def = def_of(&mesh);
            PliantExperiments experiments = pliant_experiments_default();
            def.experiments = &experiments;
            experiments.tree_child_count = children;
            experiments.tree_leaf_size = leaf_size;
            experiments.bound_kind = (PliantBoundKind)(leaf_size % 4);
            compare_all(def);
        }
    scene_mesh_free(&mesh);
}

/* From one triangle on: most parts are empty, or have one. */
static void test_few_triangles(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(2);
    const int32_t all = mesh.triangle_count;
    for (int32_t count = 1; count <= all; count += count < 70 ? 1 : 83) {
        mesh.triangle_count = count;
        compare_all(def_of(&mesh));
    }
    scene_mesh_free(&mesh);
}

/* ---- Meshes that no one would make -------------------------------------------------------------
 */

/* Indices at random, so that edges have any number of triangles, and triangles may have a vertex
 * twice; some numbers are not finite. */
static SceneMesh random_mesh(uint64_t seed, int32_t vertex_count, int32_t triangle_count,
                             bool is_finite)
{
    SceneRandom random = {seed};
    SceneMesh mesh = {scene_allocate(3 * (size_t)vertex_count, sizeof(float)),
                      scene_allocate(3 * (size_t)triangle_count, sizeof(uint32_t)), vertex_count,
                      triangle_count};
    static const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0x1p-149f, -0.0f, 0};
    for (int32_t i = 0; i < 3 * vertex_count; i++) {
        mesh.vertices[i] = (float)(scene_random(&random) - 0.5);
        if (!is_finite && scene_random_below(&random, 50) == 0)
            mesh.vertices[i] = odd[scene_random_below(&random, 8)];
    }
    for (int32_t i = 0; i < 3 * triangle_count; i++)
        mesh.triangles[i] = scene_random_below(&random, (uint32_t)vertex_count);
    return mesh;
}

static void test_random(void **state)
{
    (void)state;
    static const int32_t sizes[][2] = {{3, 100}, {20, 3000}, {300, 2000}, {5000, 3000}};
    for (int i = 0; i < 8; i++) {
        SceneMesh mesh = random_mesh(1 + (uint64_t)i, sizes[i / 2][0], sizes[i / 2][1], i % 2);
        compare_all(def_of(&mesh));
        scene_mesh_free(&mesh);
    }
}

/* All in one point, all along a line, and one fan around a vertex that has more edges than are
 * searched. */
static void test_degenerate(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(3);
    for (int32_t v = 0; v < mesh.vertex_count; v++)
        mesh.vertices[3 * v + 1] = mesh.vertices[3 * v + 2] = 0;
    compare_all(def_of(&mesh));
    for (int32_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t fan[3] = {0, 1 + (uint32_t)t % 600, 1 + (uint32_t)(t + 1) % 600};
        memcpy(mesh.triangles + 3 * (size_t)t, fan, sizeof fan);
    }
    compare_all(def_of(&mesh));
    memset(mesh.vertices, 0, 3 * (size_t)mesh.vertex_count * sizeof(float));
    compare_all(def_of(&mesh));
    scene_mesh_free(&mesh);
}

/* A strip: whether a triangle is passed over depends on the one before it, and so on to the first.
 */
static void test_strip(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    SceneMesh mesh = random_mesh(1, COUNT + 2, COUNT, true);
    for (uint32_t t = 0; t < COUNT; t++) {
        const uint32_t corners[3] = {t, t + 1, t + 2};
        memcpy(mesh.triangles + 3 * (size_t)t, corners, sizeof corners);
    }
    compare_all(def_of(&mesh));
    scene_mesh_free(&mesh);
}

/* ---- Pieces, targets, joints -------------------------------------------------------------------
 */

static void test_divided(void **state)
{
    (void)state;
    SceneMesh room = scene_museum(), ball = scene_icosphere(2);
    compare_all(def_of(&room));
    for (int kind = PLIANT_DIVIDE_QUARTERS; kind <= PLIANT_DIVIDE_CORNERS; kind++) {
        PliantShapeDef def = def_of(&ball);
        def.divide_kind = (PliantDivideKind)kind;
        def.divide_size = 0.1f;
        compare_all(def);
    }
    scene_mesh_free(&room);
    scene_mesh_free(&ball);
}

static void test_driven(void **state)
{
    (void)state;
    Ball ball;
    ball_init(&ball);
    for (int drive = 0; drive < BALL_DRIVES; drive++)
        for (int bound = PLIANT_BOUND_DOP18; bound <= PLIANT_BOUND_SPHERE; bound++) {
            PliantShapeDef def = ball_driven_def(&ball, (BallDrive)drive, NULL);
            PliantExperiments experiments = pliant_experiments_default();
            def.experiments = &experiments;
            experiments.bound_kind = (PliantBoundKind)bound;
            compare_all(def);
        }
    PliantShapeDef def = ball_driven_def(&ball, BALL_BY_REFERENCES, NULL);
    def.between_count = 3;
    compare_all(def);
    ball_free(&ball);
}

static void test_avatar(void **state)
{
    (void)state;
    SceneSkin avatar = scene_avatar();
    PliantSkin skin = pliant_skin_default();
    skin.joint_count = avatar.joint_count;
    skin.influence_count = avatar.influence_count;
    skin.joints = avatar.joints;
    skin.weights = avatar.weights;
    PliantShapeDef def = def_of(&avatar.mesh);
    def.skin = &skin;
    compare_all(def);
    scene_skin_free(&avatar);
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

static bool is_same(const PliantShape *a, const PliantShape *b)
{
    size_t size_a, size_b;
    const void *bytes_a = pliant_shape_data(a, &size_a), *bytes_b = pliant_shape_data(b, &size_b);
    return size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0;
}

/* Every allocation fails in turn, in tasks too: the build fails, and holds nothing; or it was
 * enough to ask for less, and the shape is the same. */
static void run_out(PliantShapeDef def, const char *crew)
{
    bool has_failed = true;
    PliantShape *right = NULL;
    MUST(test_workers_build(&def, &right));
    for (int64_t fail_at = 1; has_failed; fail_at++) {
        TestHost host;
        TestWorkers workers;
        PliantShape *shape = NULL;
        test_host_init(&host);
        host.fail_at = fail_at;
        host.fails_for_ever = fail_at % 2;
        assert_true(test_workers_start(&workers, crew));
        test_workers_attach(&workers, &host.host);
        def.host = &host.host;
        const PliantResult result = test_workers_build(&def, &shape);
        has_failed = host.calls >= fail_at;
        assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);
        if (has_failed && host.fails_for_ever)
            assert_int_equal(result, PLIANT_OUT_OF_MEMORY);
        assert_true((result == PLIANT_OK) == (shape != NULL));
        assert_true(!shape || is_same(shape, right));
        pliant_shape_release(shape);
        assert_int_equal(host.blocks, 0);
        assert_int_equal(host.bytes, 0);
        test_workers_end(&workers);
    }
    pliant_shape_release(right);
}

static void test_memory(void **state)
{
    (void)state;
    Ball ball;
    ball_init(&ball);
    SceneMesh mesh = scene_icosphere(2);
    PliantShapeDef divided = def_of(&mesh);
    divided.divide_kind = PLIANT_DIVIDE_QUARTERS;
    divided.divide_size = 0.2f;
    run_out(def_of(&mesh), "forward:3");
    run_out(divided, "reversed:3");
    for (int drive = 0; drive < BALL_DRIVES; drive++)
        run_out(ball_driven_def(&ball, (BallDrive)drive, NULL), "random:3");
    scene_mesh_free(&mesh);
    ball_free(&ball);
}

/* A worker more takes little memory: a tenth of the peak with one at most. */
typedef struct Meter {
    int64_t now, peak;
} Meter;

static void *metered_allocate(void *user, size_t size, size_t alignment)
{
    Meter *meter = user;
    meter->now += (int64_t)size;
    meter->peak = meter->now > meter->peak ? meter->now : meter->peak;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void metered_release(void *user, void *block, size_t size, size_t alignment)
{
    (void)alignment;
    ((Meter *)user)->now -= (int64_t)size;
    free(block);
}

static void test_peak(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(6);
    Meter meters[2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 2; i++) {
        TestWorkers workers;
        PliantHost host = pliant_host_default();
        PliantShape *shape = NULL;
        PliantShapeDef def = def_of(&mesh);
        assert_true(test_workers_start(&workers, i == 0 ? "forward:1" : "forward:2"));
        test_workers_attach(&workers, &host);
        host.allocate = metered_allocate;
        host.release = metered_release;
        host.user = &meters[i];
        def.host = &host;
        MUST(pliant_shape_create(&def, &shape));
        assert_true((workers.task_count > 0) == (i == 1));
        pliant_shape_release(shape);
        test_workers_end(&workers);
    }
    assert_true((double)meters[1].peak <= 1.1 * (double)meters[0].peak);
    scene_mesh_free(&mesh);
}

/* Small shapes are not divided. */
static void test_small(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(4);
    TestWorkers workers;
    PliantHost host = pliant_host_default();
    PliantShape *shape = NULL;
    PliantShapeDef def = def_of(&mesh);
    assert_true(test_workers_start(&workers, "forward:2"));
    test_workers_attach(&workers, &host);
    def.host = &host;
    MUST(pliant_shape_create(&def, &shape));
    assert_int_equal(workers.task_count, 0);
    pliant_shape_release(shape);
    test_workers_end(&workers);
    scene_mesh_free(&mesh);
}

/* With names of crews, by these alone. With --pool: on several threads only, for sanitizers that
 * take long. */
int main(int argument_count, const char **arguments)
{
    static const char *pool[] = {"3"};
    const struct CMUnitTest on_threads[] = {
        cmocka_unit_test(test_plain),  cmocka_unit_test(test_few_triangles),
        cmocka_unit_test(test_random), cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_strip),  cmocka_unit_test(test_divided),
        cmocka_unit_test(test_driven), cmocka_unit_test(test_avatar),
    };
    const struct CMUnitTest on_one[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_peak),
        cmocka_unit_test(test_small),
    };
    const bool has_pool = argument_count > 1 && strcmp(arguments[1], "--pool") == 0;
    if (argument_count > 1) {
        crews = has_pool ? pool : arguments + 1;
        crew_count = has_pool ? 1 : argument_count - 1;
    }
    int failed = cmocka_run_group_tests(on_threads, NULL, NULL);
    if (!has_pool)
        failed += cmocka_run_group_tests(on_one, NULL, NULL);
    return failed;
}
