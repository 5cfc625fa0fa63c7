/* volumes by several workers: every byte is what one worker finds, whatever the workers do in which
 * order; and memory that fails in a task. */
#include "host.h"
#include "solids.h"
#include "test_layers.h"
#include "unit.h"
#include "workers.h"
#include "world/world.h"

#include <string.h>

/* ---- What is asked ----------------------------------------------------------------------------
 */

enum { SUBJECTS = 2, MAX_ANSWERS = 256, FEW = 1000, POINTS = 40 * FEW };

/* Kinds of bodies that go different ways. */
typedef enum Kind { MESHES, SUPPLIED, DIVIDED, SOUPS, OPEN, OVERLAPPING, KINDS } Kind;

typedef struct Answers {
    uint64_t hashes[MAX_ANSWERS];
    int count;
    bool has_failing_memory;
    int64_t failure_count; /* for want of memory; each call was made again */
} Answers;

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte;
        memcpy(&byte, (const char *)data + i, 1);
        hash = (hash ^ byte) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void add_answer(Answers *answers, uint64_t hash)
{
    assert_true(answers->count < MAX_ANSWERS);
    answers->hashes[answers->count++] = hash;
}

/* Makes a call until there is memory for it. */
#define AGAIN(answers, call)                                                                       \
    do {                                                                                           \
        PliantResult result = call;                                                                \
        while (result == PLIANT_OUT_OF_MEMORY) {                                                   \
            (answers)->failure_count++;                                                            \
            result = call;                                                                         \
        }                                                                                          \
        assert_int_equal(result, PLIANT_OK);                                                       \
    } while (0)

static void add_volume(Answers *answers, const PliantVolume *volume)
{
    uint64_t hash = hash_bytes(1, &volume->volume, sizeof volume->volume);
    hash = hash_bytes(hash, &volume->error, sizeof volume->error);
    hash = hash_bytes(hash, volume->centroid, sizeof volume->centroid);
    hash = hash_bytes(hash, &volume->box, sizeof volume->box);
    add_answer(answers, hash_bytes(hash, &volume->bad_pixel_count, sizeof(int64_t)));
}

/* A call that is made again finds some bounds ready. */
static void add_stats(Answers *answers, const PliantWorld *world)
{
    if (answers->has_failing_memory)
        return;
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(world, &stats));
    const int64_t counts[] = {stats.nodes_updated, stats.leaves_evaluated, stats.vertices_read,
                              stats.vertices_evaluated};
    add_answer(answers, hash_bytes(2, counts, sizeof counts));
}

/* Sums over leaves are added in the order in which one worker finds them. The first worker has the
 * last tile, if tiles are done one after the other. */
static void add_order(Answers *answers, const PliantWorld *world)
{
    const PliTileScratch *scratch = world->tiles.scratches.items;
    const PliArray *leaves = &scratch->drawn[0].leaves;
    add_answer(answers, hash_bytes(5, leaves->items, (size_t)leaves->count * sizeof(int32_t)));
}

/* Many points are divided, few are not: their states are the same. */
static void check_points(PliantLayers *layers, const float *points, const uint8_t *states)
{
    uint8_t some[FEW];
    for (size_t i = 0; i < POINTS; i += FEW) {
        const PliantResult result =
            pliant_layers_inside(layers, (PliantVertices){points + 3 * i, FEW, 0}, some, FEW);
        assert_true(result != PLIANT_OK || memcmp(some, states + i, FEW) == 0);
    }
}

static void add_layers(Answers *answers, PliantLayers *layers, const float *points)
{
    const PliantLayersInfo info = test_layers_info(layers);
    const int64_t counts[] = {info.depth_complexity, info.fragment_count, info.span_count,
                              info.bad_pixel_count};
    uint64_t hash = hash_bytes(3, counts, sizeof counts);
    for (int32_t row = 0; row < info.view.height; row++)
        for (int32_t column = 0; column < info.view.width; column++) {
            int32_t count = 0;
            const PliantSpan *spans = pliant_layers_spans(layers, column, row, &count);
            hash = hash_bytes(hash, &count, sizeof count);
            hash = hash_bytes(hash, spans, (size_t)count * sizeof *spans);
        }
    add_answer(answers, hash);
    uint8_t *states = calloc(1, POINTS);
    AGAIN(answers,
          pliant_layers_inside(layers, (PliantVertices){points, POINTS, 0}, states, POINTS));
    add_answer(answers, hash_bytes(4, states, POINTS));
    check_points(layers, points, states);
    free(states);
    PliantVolume volume = pliant_volume_default();
    AGAIN(answers, pliant_layers_volume(layers, &volume));
    add_volume(answers, &volume);
}

/* ---- Bodies -----------------------------------------------------------------------------------
 */

/* Two bodies that overlap, and where points are. */
typedef struct Scene {
    Kind kind;
    SceneMesh meshes[SUBJECTS];
    float *points;
} Scene;

static SceneMesh mesh_of(Kind kind, int subject, SceneRandom *random)
{
    SceneMesh mesh = subject == 0 ? scene_icosphere(4) : solid_torus(0.8, 0.3, 48, 24);
    solid_place(&mesh, 1, (double[3]){0.3 * subject, 0.21 * subject, 0.1 * subject});
    if (kind == OVERLAPPING) {
        SceneMesh other = solid_random(SOLID_bumpy, random);
        solid_place(&other, 0.9, (double[3]){0.4, 0.3, -0.2});
        scene_mesh_append(&mesh, other, false);
    }
    mesh.triangle_count -= kind == OPEN ? 40 : 0;
    return mesh;
}

static Scene scene_of(Kind kind)
{
    SceneRandom random = {7 + (uint64_t)kind};
    Scene scene = {.kind = kind, .points = malloc(3 * POINTS * sizeof(float))};
    for (int i = 0; i < SUBJECTS; i++)
        scene.meshes[i] = mesh_of(kind, i, &random);
    for (int i = 0; i < 3 * POINTS; i++)
        scene.points[i] = (float)(3 * scene_random(&random) - 1.5);
    return scene;
}

static void free_scene(Scene *scene)
{
    for (int i = 0; i < SUBJECTS; i++)
        scene_mesh_free(&scene->meshes[i]);
    free(scene->points);
}

static void add_mesh(Answers *answers, PliantWorld *world, const Scene *scene, int subject,
                     PliantBody *body)
{
    const SceneMesh *mesh = &scene->meshes[subject];
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    if (scene->kind == DIVIDED) {
        def.divide_kind = PLIANT_DIVIDE_QUARTERS;
        def.divide_size = 0.1f;
    }
    PliantShape *shape;
    MUST(pliant_shape_create(&def, &shape));
    AGAIN(answers, pliant_body_create(world, shape, body));
    pliant_shape_release(shape);
    if (scene->kind == SUPPLIED)
        AGAIN(answers, pliant_body_set_vertices(world, *body, def.vertices));
}

static void add_soup(Answers *answers, PliantWorld *world, const Scene *scene, int subject,
                     PliantBody *body)
{
    const SceneMesh *mesh = &scene->meshes[subject];
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    primitives.count = mesh->triangle_count;
    primitives.corners = mesh->triangles;
    AGAIN(answers, pliant_body_create_soup(world, NULL, body));
    AGAIN(answers, pliant_body_set_primitives(world, *body, &primitives));
}

/* ---- Asking -----------------------------------------------------------------------------------
 */

/* Sizes of pictures: within a tile, one tile, a few, and many for three workers. Few rows make many
 * tiles cheap. */
typedef struct Size {
    int32_t width, height;
} Size;

static const Size SIZES[] = {{17, 9}, {128, 128}, {140, 260}, {1600, 7}};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static void ask_size(Answers *answers, PliantWorld *world, const PliantBody *bodies,
                     PliantLayers *layers, const Scene *scene, Size size)
{
    PliantView view;
    AGAIN(answers, pliant_bodies_view(world, bodies[0], bodies[1], 1, &view));
    view.width = size.width;
    view.height = size.height;
    AGAIN(answers, pliant_layers_capture(layers, world, bodies[1], &view, NULL));
    add_stats(answers, world);
    if (pli_tile_count(&view) < 8) /* four for each worker */
        add_order(answers, world);
    add_layers(answers, layers, scene->points);
    AGAIN(answers, pliant_layers_capture_common(layers, world, bodies[0], bodies[1], &view, NULL));
    add_layers(answers, layers, scene->points);
    AGAIN(answers, pliant_body_view(world, bodies[0], 1, &view)); /* all of a body */
    view.width = size.width;
    view.height = size.height;
    AGAIN(answers, pliant_layers_capture(layers, world, bodies[0], &view, NULL));
    add_layers(answers, layers, scene->points);
}

static void ask_volumes(Answers *answers, PliantWorld *world, const PliantBody *bodies,
                        int32_t resolution)
{
    PliantVolumeDef def = pliant_volume_def_default();
    PliantVolume volume = pliant_volume_default();
    def.resolution = resolution;
    AGAIN(answers, pliant_bodies_volume(world, bodies[0], bodies[1], &def, &volume));
    add_volume(answers, &volume);
    add_stats(answers, world);
    AGAIN(answers, pliant_body_volume(world, bodies[0], &def, &volume));
    add_volume(answers, &volume);
}

/* Asks everything in a world of this host. */
static Answers ask(const Scene *scene, const PliantHost *host, bool divides_everything,
                   bool has_failing_memory)
{
    Answers answers = {.has_failing_memory = has_failing_memory};
    PliantWorld *world = NULL;
    PliantLayers *layers = NULL;
    PliantBody bodies[SUBJECTS];
    PliantWorldDef def = pliant_world_def_default();
    def.host = host;
    AGAIN(&answers, pliant_world_create(&def, &world));
    AGAIN(&answers, test_layers_create(host, &layers));
    if (divides_everything)
        test_workers_divide_everything(world);
    for (int i = 0; i < SUBJECTS; i++)
        (scene->kind == SOUPS ? add_soup : add_mesh)(&answers, world, scene, i, &bodies[i]);
    for (int i = 0; i < SIZE_COUNT; i++)
        ask_size(&answers, world, bodies, layers, scene, SIZES[i]);
    ask_volumes(&answers, world, bodies, 33);
    if (!has_failing_memory)
        ask_volumes(&answers, world, bodies, 400);
    pliant_layers_destroy(layers);
    pliant_world_destroy(world);
    return answers;
}

/* ---- Tests ------------------------------------------------------------------------------------
 */

/* With --pool: on several threads only, for sanitizers that take long. */
static bool is_pool_only;

static void test_same_answers(void **state)
{
    (void)state;
    static const char *const ways[] = {"3", "forward:2", "reversed:3", "random:64"};
    const size_t way_count = is_pool_only ? 1 : sizeof ways / sizeof *ways;
    for (int kind = is_pool_only ? SUPPLIED : 0; kind < KINDS; kind += is_pool_only ? 2 : 1) {
        Scene scene = scene_of((Kind)kind);
        const PliantHost alone = pliant_host_default();
        const Answers expected = ask(&scene, &alone, false, false);
        for (size_t i = 0; i < way_count; i++)
            for (int all = i > 0 || is_pool_only; all < 2; all++) {
                TestWorkers workers;
                PliantHost host = pliant_host_default();
                assert_true(test_workers_start(&workers, ways[i]));
                test_workers_attach(&workers, &host);
                const Answers found = ask(&scene, &host, all, false);
                assert_int_equal(found.count, expected.count);
                for (int k = 0; k < found.count; k++)
                    if (found.hashes[k] != expected.hashes[k])
                        fail_msg("kind %d, workers %s, answer %d differs", kind, ways[i], k);
                test_workers_end(&workers);
            }
        free_scene(&scene);
    }
}

/* Each allocation fails in turn, in tasks too. They run one after the other, as the host of the
 * tests counts without locks. */
static void test_each_fails(void **state)
{
    (void)state;
    static const Kind kinds[] = {SUPPLIED, DIVIDED, OVERLAPPING};
    TestWorkers workers;
    TestHost host;
    assert_true(test_workers_start(&workers, "reversed:3"));
    for (int i = 0; i < 3; i++) {
        Scene scene = scene_of(kinds[i]);
        test_host_init(&host);
        test_workers_attach(&workers, &host.host);
        const Answers expected = ask(&scene, &host.host, true, true);
        const int64_t calls = host.calls;
        const int64_t step = calls / 12 + 1;
        for (int64_t fail_at = 1 + i; fail_at <= calls; fail_at += step) {
            test_host_init(&host);
            test_workers_attach(&workers, &host.host);
            host.fail_at = fail_at;
            const Answers found = ask(&scene, &host.host, true, true);
            assert_int_equal(found.failure_count, 1);
            assert_int_equal(host.blocks, 0);
            assert_int_equal(found.count, expected.count);
            assert_memory_equal(found.hashes, expected.hashes,
                                (size_t)found.count * sizeof *found.hashes);
        }
        free_scene(&scene);
    }
    test_workers_end(&workers);
}

int main(int argc, char **argv)
{
    is_pool_only = argc > 1 && strcmp(argv[1], "--pool") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_answers),
                                       cmocka_unit_test(test_each_fails)};
    const struct CMUnitTest some[] = {cmocka_unit_test(test_same_answers)};
    return is_pool_only ? cmocka_run_group_tests(some, NULL, NULL)
                        : cmocka_run_group_tests(tests, NULL, NULL);
}
