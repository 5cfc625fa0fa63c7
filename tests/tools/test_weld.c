/* Welding: what becomes one vertex, what does not, and that nothing else changes. */
#include "scene/reader.h"
#include "small_gltf.h"
#include "unit.h"

#include <string.h>

/* Two triangles side by side, with the two corners of their common edge there twice: 1 and 4, 2 and
 * 3. Vertex 6 is in no triangle. */
typedef struct Pair {
    float vertices[7][3];
    float targets[2][7][3];
    uint16_t joints[7][2];
    float joint_weights[7][2];
    uint32_t triangles[6];
    ScenePart part;
    Scene scene;
} Pair;

static void make_pair(Pair *pair)
{
    *pair = (Pair){
        .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}},
        .triangles = {0, 1, 2, 3, 4, 5},
    };
    pair->part = (ScenePart){.node = -1,
                             .skin = -1,
                             .cached = -1,
                             .vertex_count = 7,
                             .triangle_count = 2,
                             .read_count = 7,
                             .vertices = pair->vertices[0],
                             .triangles = pair->triangles};
    pair->scene = (Scene){.part_count = 1, .parts = &pair->part};
}

static void add_targets(Pair *pair)
{
    pair->part.target_count = 2;
    pair->part.targets = pair->targets[0][0];
    for (int t = 0; t < 2; t++)
        for (int v = 0; v < 7; v++)
            pair->targets[t][v][2] = (float)t + pair->vertices[v][0];
}

static void add_skin(Pair *pair)
{
    pair->part.skin = 0;
    pair->part.influence_count = 2;
    pair->part.joints = pair->joints[0];
    pair->part.joint_weights = pair->joint_weights[0];
    for (int v = 0; v < 7; v++) {
        pair->joints[v][0] = 3;
        pair->joints[v][1] = 5;
        pair->joint_weights[v][0] = 0.25f;
        pair->joint_weights[v][1] = 0.75f;
    }
}

static void expect_welded(Pair *pair, int32_t vertex_count)
{
    SceneError error = {""};
    assert_true(scene_weld(&pair->scene, &error));
    assert_int_equal(pair->part.vertex_count, vertex_count);
    assert_int_equal(pair->part.triangle_count, 2);
    assert_int_equal(pair->part.read_count, 7);
}

static void test_positions(void **state)
{
    (void)state;
    Pair pair;
    static const uint32_t triangles[] = {0, 1, 2, 2, 1, 3};
    static const float vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    make_pair(&pair);
    pair.vertices[3][2] = -0.0f;
    expect_welded(&pair, 4);
    assert_memory_equal(pair.triangles, triangles, sizeof triangles);
    assert_memory_equal(pair.vertices, vertices, sizeof vertices);
    make_pair(&pair);
    pair.vertices[3][2] = 1e-45f; /* the least number that is not zero */
    expect_welded(&pair, 5);
}

static void test_targets(void **state)
{
    (void)state;
    Pair pair;
    make_pair(&pair);
    add_targets(&pair);
    expect_welded(&pair, 4);
    /* The second target now begins right behind the first. */
    assert_true(pair.part.targets[3 * 4 + 2] == 1 && pair.part.targets[3 * 5 + 2] == 2);
    make_pair(&pair);
    add_targets(&pair);
    pair.targets[1][4][1] = 0.5f;
    expect_welded(&pair, 5);
}

static void test_skins(void **state)
{
    (void)state;
    Pair pair;
    make_pair(&pair);
    add_skin(&pair);
    memcpy(pair.joints[3], (uint16_t[]){5, 3}, sizeof pair.joints[3]); /* in another order */
    memcpy(pair.joint_weights[3], (float[]){0.75f, 0.25f}, sizeof pair.joint_weights[3]);
    expect_welded(&pair, 4);
    assert_int_equal(pair.part.joints[2 * 3], 3);
    make_pair(&pair);
    add_skin(&pair);
    memcpy(pair.joint_weights[3], (float[]){0.75f, 0.25f}, sizeof pair.joint_weights[3]);
    expect_welded(&pair, 5);
    make_pair(&pair);
    add_skin(&pair);
    pair.joints[4][1] = 6;
    expect_welded(&pair, 5);
    /* Of no weight, a joint may be any. */
    make_pair(&pair);
    add_skin(&pair);
    for (int v = 0; v < 7; v++) {
        pair.joint_weights[v][1] = 0;
        pair.joints[v][1] = (uint16_t)v;
    }
    expect_welded(&pair, 4);
}

/* Vertices that part in some frame are two; those that none uses stay, as the cache counts them. */
static void test_caches(void **state)
{
    (void)state;
    Pair pair;
    float frames[2][9][3] = {{{0}}};
    make_pair(&pair);
    for (int f = 0; f < 2; f++) {
        memcpy(frames[f] + 1, pair.vertices, sizeof pair.vertices);
        frames[f][0][0] = -1; /* another part's, before and behind */
        frames[f][8][0] = 8;
    }
    frames[1][1 + 4][2] = 2; /* vertex 4 leaves vertex 1 */
    pair.part.cached = 1;
    ScenePart parts[3] = {{.cached = 0, .vertex_count = 1, .node = -1, .skin = -1},
                          pair.part,
                          {.cached = 8, .vertex_count = 1, .node = -1, .skin = -1}};
    float single[3] = {0};
    parts[0].vertices = parts[2].vertices = single;
    Scene scene = {.part_count = 3,
                   .parts = parts,
                   .cache = {.vertex_count = 9, .frame_count = 2, .vertices = frames[0][0]}};
    SceneError error = {""};
    assert_true(scene_weld(&scene, &error));
    assert_int_equal(parts[1].vertex_count, 5); /* 0, 1, 2, 4, 5; and 6 is as 0 is */
    assert_int_equal(scene.cache.vertex_count, 7);
    assert_int_equal(parts[2].cached, 6);
    const float *second = scene.cache.vertices + 3 * 7;
    assert_true(second[0] == -1 && second[3 * 6] == 8);
    assert_true(second[3 * (1 + parts[1].triangles[4]) + 2] == 2);
    assert_true(scene.cache.vertices[3 * (1 + parts[1].triangles[4]) + 2] == 0);
}

/* Two places with one hash, in turns: neither becomes the other, and each is one. */
static void test_one_hash(void **state)
{
    (void)state;
    static const float places[2][3] = {{1, 2, 0.5f},
                                       {0x1.0f5e8ap11f, 0x1.6f3b98p3f, 0x1.c85904p8f}};
    Pair pair;
    make_pair(&pair);
    for (int v = 1; v < 5; v++)
        memcpy(pair.vertices[v], places[v == 2 || v == 3], sizeof places[0]);
    expect_welded(&pair, 4);
}

/* Many in one place, and many that differ in one bit: quick in both cases. */
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 300000 };
    for (int kind = 0; kind < 2; kind++) {
        SceneError error = {""};
        float *vertices = calloc(COUNT, sizeof(float[3]));
        uint32_t *triangles = calloc(COUNT, sizeof *triangles);
        assert_true(vertices && triangles);
        for (uint32_t i = 0; i < COUNT; i++) {
            triangles[i] = i;
            vertices[3 * (size_t)i + 2] = kind == 0 ? 1 : (float)i;
        }
        ScenePart part = {.node = -1, .skin = -1, .cached = -1, .vertex_count = COUNT};
        part.triangle_count = COUNT / 3;
        part.vertices = vertices;
        part.triangles = triangles;
        Scene scene = {.part_count = 1, .parts = &part};
        assert_true(scene_weld(&scene, &error));
        assert_int_equal(part.vertex_count, kind == 0 ? 1 : COUNT);
        assert_int_equal(part.triangles[COUNT - 1], kind == 0 ? 0 : COUNT - 1);
        free(vertices);
        free(triangles);
    }
}

static void test_names(void **state)
{
    (void)state;
    SceneError error = {""};
    static const char *const given[] = {"a", "b", "a", "a#2", "a", "a#2", ""};
    static const char *const wanted[] = {"a", "b", "a#3", "a#2", "a#4", "a#2#2", ""};
    char *names[7];
    for (int i = 0; i < 7; i++)
        assert_non_null(names[i] = strdup(given[i]));
    assert_true(scene_make_unique(names, 7, &error));
    for (int i = 0; i < 7; i++) {
        assert_string_equal(names[i], wanted[i]);
        free(names[i]);
    }
    assert_true(scene_make_unique(names, 0, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions), cmocka_unit_test(test_targets),
        cmocka_unit_test(test_skins),     cmocka_unit_test(test_caches),
        cmocka_unit_test(test_one_hash),  cmocka_unit_test(test_many),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
