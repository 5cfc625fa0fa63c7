/* Welding: which vertices are one, against brute force; and shapes whose vertices have groups. */
#include "calls.h"
#include "host.h"
#include "refuse.h"
#include "scenes.h"
#include "shape/format.h"
#include "unheard.h"
#include "unit.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

enum { VERTICES = 40, TARGETS = 3, JOINTS = 3, INFLUENCES = 4 };

/* Few numbers, so that much is equal. */
typedef struct Mesh {
    int32_t vertex_count, target_count;
    float vertices[VERTICES][4]; /* the fourth is of no interest */
    float moves[TARGETS][VERTICES][3];
    uint32_t indices[TARGETS][VERTICES];
    uint16_t joints[VERTICES][INFLUENCES];
    float weights[VERTICES][INFLUENCES];
    PliantTarget targets[TARGETS];
    PliantSkin skin;
    bool has_skin;
} Mesh;

static float any_number(SceneRandom *random)
{
    static const float numbers[] = {0, -0.0f, 1, 1, 0x1.000002p+0f};
    return numbers[scene_random_below(random, 5)];
}

static void make_target(SceneRandom *random, Mesh *mesh, int t)
{
    const bool is_sparse = scene_random_below(random, 2) == 0;
    int32_t count = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        if (is_sparse && scene_random_below(random, 2) == 0)
            continue;
        for (int k = 0; k < 3; k++)
            mesh->moves[t][count][k] =
                scene_random_below(random, 8) == 0 ? any_number(random) : 0.0f;
        mesh->indices[t][count++] = (uint32_t)v;
    }
    mesh->targets[t] =
        (PliantTarget){{mesh->moves[t][0], count, 0}, is_sparse ? mesh->indices[t] : NULL};
}

static void make_mesh(SceneRandom *random, Mesh *mesh)
{
    static const float weights[] = {0, 0, 0.5f, 0.25f};
    mesh->vertex_count = 1 + (int32_t)scene_random_below(random, VERTICES);
    mesh->target_count = (int32_t)scene_random_below(random, TARGETS + 1);
    mesh->has_skin = scene_random_below(random, 2) == 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        for (int k = 0; k < 4; k++)
            mesh->vertices[v][k] = k < 3 ? any_number(random) : (float)v;
        if (scene_random_below(random, 16) == 0)
            mesh->vertices[v][scene_random_below(random, 3)] = v % 2 ? NAN : INFINITY;
        for (int i = 0; i < INFLUENCES; i++) {
            mesh->joints[v][i] = (uint16_t)scene_random_below(random, JOINTS);
            mesh->weights[v][i] = weights[scene_random_below(random, 4)];
        }
    }
    for (int t = 0; t < mesh->target_count; t++)
        make_target(random, mesh, t);
    mesh->skin = pliant_skin_default();
    mesh->skin.joint_count = JOINTS;
    mesh->skin.influence_count = INFLUENCES;
    mesh->skin.joints = mesh->joints[0];
    mesh->skin.weights = mesh->weights[0];
}

static PliantShapeDef def_of(const Mesh *mesh, const PliantHost *host)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices[0], mesh->vertex_count, sizeof(float[4])};
    def.targets = mesh->targets;
    def.target_count = mesh->target_count;
    def.skin = mesh->has_skin ? &mesh->skin : NULL;
    def.host = host;
    return def;
}

/* ---- Brute force -------------------------------------------------------------------------------
 */

static bool is_same(const float *p, const float *q, int count)
{
    bool same = true;
    for (int k = 0; k < count; k++)
        same &= p[k] == q[k];
    return same;
}

/* A move for each vertex, and a weight for each joint. */
static void expand(const Mesh *mesh, int32_t v, float numbers[3 * TARGETS + JOINTS])
{
    memset(numbers, 0, (3 * TARGETS + JOINTS) * sizeof *numbers);
    for (int t = 0; t < mesh->target_count; t++)
        for (int32_t i = 0; i < mesh->targets[t].vertices.count; i++)
            if ((mesh->targets[t].indices ? (int32_t)mesh->indices[t][i] : i) == v)
                memcpy(numbers + 3 * t, mesh->moves[t][i], sizeof(float[3]));
    for (int i = 0; i < INFLUENCES && mesh->has_skin; i++)
        numbers[3 * TARGETS + mesh->joints[v][i]] += mesh->weights[v][i];
}

static uint32_t lowest_like(const Mesh *mesh, int32_t v)
{
    float own[3 * TARGETS + JOINTS], others[3 * TARGETS + JOINTS];
    expand(mesh, v, own);
    for (int32_t w = 0; w < v; w++) {
        expand(mesh, w, others);
        if (is_same(mesh->vertices[v], mesh->vertices[w], 3) && isfinite(mesh->vertices[v][0]) &&
            isfinite(mesh->vertices[v][1]) && isfinite(mesh->vertices[v][2]) &&
            is_same(own, others, 3 * TARGETS + JOINTS))
            return (uint32_t)w;
    }
    return (uint32_t)v;
}

static void expect_groups(const Mesh *mesh, const uint32_t *groups, int32_t group_count)
{
    int32_t count = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        assert_int_equal(groups[v], lowest_like(mesh, v));
        count += groups[v] == (uint32_t)v;
    }
    assert_int_equal(group_count, count);
}

static void test_welding(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {3};
    int64_t welded = 0;
    for (int i = 0; i < 5000; i++) {
        static Mesh mesh;
        make_mesh(&random, &mesh);
        const PliantShapeDef def = def_of(&mesh, &host.host);
        uint32_t groups[VERTICES + 1] = {0};
        int32_t group_count = -1;
        groups[mesh.vertex_count] = 77;
        MUST(pliant_mesh_weld(&def, groups, VERTICES, &group_count));
        expect_groups(&mesh, groups, group_count);
        assert_int_equal(groups[mesh.vertex_count], 77);
        assert_int_equal(host.blocks, 0);
        welded += mesh.vertex_count - group_count;
        MUST(pliant_mesh_weld(&def, groups, mesh.vertex_count, NULL));
    }
    assert_true(welded > 10000);
}

static void test_mistakes(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {4};
    static Mesh mesh;
    do
        make_mesh(&random, &mesh);
    while (!mesh.has_skin || mesh.target_count == 0 || mesh.targets[0].indices);
    const PliantShapeDef good = def_of(&mesh, &host.host);
    PliantShapeDef def = good;
    uint32_t groups[VERTICES] = {77};
    int32_t count = -1;
    REFUSE_UNHEARD(pliant_mesh_weld(NULL, groups, VERTICES, &count), PLIANT_BAD_ARGUMENT);
    REFUSE(host, pliant_mesh_weld(&def, NULL, VERTICES, &count), PLIANT_BAD_ARGUMENT,
           "groups is NULL");
    REFUSE(host, pliant_mesh_weld(&def, groups, mesh.vertex_count - 1, &count), PLIANT_BAD_ARGUMENT,
           "capacity is ");
    def.vertices.data = NULL;
    REFUSE(host, pliant_mesh_weld(&def, groups, VERTICES, &count), PLIANT_BAD_ARGUMENT,
           "def.vertices.data is NULL");
    def = good;
    def.reserved = 1;
    REFUSE(host, pliant_mesh_weld(&def, groups, VERTICES, &count), PLIANT_BAD_DEF,
           "def.reserved is 1");
    mesh.moves[0][0][1] = NAN;
    REFUSE(host, pliant_mesh_weld(&good, groups, VERTICES, &count), PLIANT_BAD_ARGUMENT,
           "def.targets[0]");
    mesh.moves[0][0][1] = 0;
    mesh.weights[0][1] = -1;
    REFUSE(host, pliant_mesh_weld(&good, groups, VERTICES, &count), PLIANT_BAD_ARGUMENT,
           "def.skin.weights[1]");
    assert_int_equal(groups[0], 77);
    assert_int_equal(count, -1);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {5};
    static Mesh mesh;
    make_mesh(&random, &mesh);
    const PliantShapeDef def = def_of(&mesh, &host.host);
    for (int64_t fail_at = 1; fail_at <= 2; fail_at++) {
        uint32_t groups[VERTICES] = {77};
        int32_t count = -1;
        host.fail_at = host.calls + fail_at;
        assert_int_equal(pliant_mesh_weld(&def, groups, VERTICES, &count), PLIANT_OUT_OF_MEMORY);
        assert_int_equal(groups[0], 77);
        assert_int_equal(count, -1);
        assert_int_equal(host.blocks, 0);
        host.fail_at = 0;
        MUST(pliant_mesh_weld(&def, groups, VERTICES, &count));
        expect_groups(&mesh, groups, count);
    }
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

/* A ball whose every corner is a vertex, and the groups that make it whole. */
typedef struct Ball {
    SceneMesh whole;
    int32_t corner_count;
    float *vertices;
    uint32_t *triangles, *groups;
    TestHost host;
} Ball;

static PliantShapeDef ball_def(Ball *ball)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){ball->vertices, ball->corner_count, 0};
    def.triangles = (PliantTriangles){ball->triangles, ball->whole.triangle_count};
    def.host = &ball->host.host;
    return def;
}

static int make_ball(void **state)
{
    static Ball ball;
    ball.whole = scene_icosphere(2);
    ball.corner_count = 3 * ball.whole.triangle_count;
    const size_t count = (size_t)ball.corner_count;
    ball.vertices = malloc(3 * count * sizeof(float));
    ball.triangles = malloc(count * sizeof(uint32_t));
    ball.groups = malloc(count * sizeof(uint32_t));
    test_host_init(&ball.host);
    for (size_t i = 0; i < count; i++) {
        memcpy(ball.vertices + 3 * i, ball.whole.vertices + 3 * (size_t)ball.whole.triangles[i],
               sizeof(float[3]));
        ball.triangles[i] = (uint32_t)i;
    }
    const PliantShapeDef def = ball_def(&ball);
    int32_t group_count = 0;
    if (pliant_mesh_weld(&def, ball.groups, ball.corner_count, &group_count) != PLIANT_OK ||
        group_count != ball.whole.vertex_count)
        return 1;
    *state = &ball;
    return 0;
}

static int free_ball(void **state)
{
    Ball *ball = *state;
    const bool is_clean = ball->host.blocks == 0;
    scene_mesh_free(&ball->whole);
    free(ball->vertices);
    free(ball->triangles);
    free(ball->groups);
    return !is_clean;
}

static PliantShape *create(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    return shape;
}

static void test_groups_close_a_mesh(void **state)
{
    Ball *ball = *state;
    PliantShapeDef def = ball_def(ball);
    PliantShape *split = create(&def);
    def.groups = ball->groups;
    PliantShape *grouped = create(&def);
    assert_false(test_shape_info(split).is_closed);
    assert_true(test_shape_info(grouped).is_closed);
    def.triangles.count--;
    PliantShape *open = create(&def);
    assert_false(test_shape_info(open).is_closed);
    pliant_shape_release(split);
    pliant_shape_release(grouped);
    pliant_shape_release(open);
}

/* V - E + F = 2, and ends are the lowest vertices of groups. */
static void test_edges_join_groups(void **state)
{
    Ball *ball = *state;
    PliantShapeDef def = ball_def(ball);
    def.groups = ball->groups;
    PliantShape *shape = create(&def);
    const uint32_t *edges = NULL;
    int32_t edge_count = 0;
    MUST(pliant_shape_edges(shape, &edges, &edge_count));
    assert_int_equal(edge_count, ball->whole.vertex_count + ball->whole.triangle_count - 2);
    for (int32_t i = 0; i < 2 * edge_count; i++)
        assert_int_equal(ball->groups[edges[i]], edges[i]);
    pliant_shape_release(shape);
}

/* Groups of one vertex each are no groups: the bytes are the same. */
static void test_bytes(void **state)
{
    Ball *ball = *state;
    PliantShapeDef def = ball_def(ball);
    uint32_t *own = malloc((size_t)ball->corner_count * sizeof *own);
    for (int32_t v = 0; v < ball->corner_count; v++)
        own[v] = (uint32_t)v;
    PliantShape *plain = create(&def);
    def.groups = own;
    PliantShape *alone = create(&def);
    size_t plain_size, alone_size;
    const void *plain_data = pliant_shape_data(plain, &plain_size);
    const void *alone_data = pliant_shape_data(alone, &alone_size);
    assert_int_equal(plain_size, alone_size);
    assert_memory_equal(plain_data, alone_data, plain_size);
    pliant_shape_release(plain);
    pliant_shape_release(alone);
    free(own);
}

static void test_bad_groups(void **state)
{
    Ball *ball = *state;
    PliantShapeDef def = ball_def(ball);
    uint32_t *groups = malloc((size_t)ball->corner_count * sizeof *groups);
    PliantShape *shape = NULL;
    def.groups = groups;
    memcpy(groups, ball->groups, (size_t)ball->corner_count * sizeof *groups);
    groups[5] = 6; /* not the lowest */
    REFUSE(ball->host, pliant_shape_create(&def, &shape), PLIANT_BAD_INDEX, "def.groups[5] is 6");
    groups[5] = UINT32_MAX;
    REFUSE(ball->host, pliant_shape_create(&def, &shape), PLIANT_BAD_INDEX, "def.groups[5] is ");
    groups[4] = 0;
    groups[5] = 4; /* which is in another group */
    REFUSE(ball->host, pliant_shape_create(&def, &shape), PLIANT_BAD_INDEX, "def.groups[5] is 4");
    assert_null(shape);
    free(groups);
}

/* ---- Saved -------------------------------------------------------------------------------------
 */

static void test_saved(void **state)
{
    Ball *ball = *state;
    PliantShapeDef def = ball_def(ball);
    def.groups = ball->groups;
    PliantShape *shape = create(&def), *mapped = NULL;
    size_t size;
    const void *data = pliant_shape_data(shape, &size);
    PliShapeHeader *copy = aligned_alloc(64, size + 64);
    memcpy(copy, data, size);
    MUST(pliant_shape_map(copy, size, &ball->host.host, &mapped));
    assert_true(test_shape_info(mapped).is_closed);
    const uint32_t *edges = NULL;
    int32_t edge_count = 0;
    MUST(pliant_shape_edges(mapped, &edges, &edge_count));
    assert_int_equal(edge_count, ball->whole.vertex_count + ball->whole.triangle_count - 2);
    pliant_shape_release(mapped);
    mapped = NULL;
    uint32_t *groups = (uint32_t *)((char *)copy + copy->groups);
    for (int32_t v = 0; v < ball->corner_count; v += 17) { /* a right checksum, and bad groups */
        const uint32_t kept = groups[v];
        groups[v] = v % 2 ? (uint32_t)v + 1 : UINT32_MAX;
        copy->checksum = pli_shape_checksum(copy);
        assert_int_equal(pliant_shape_map(copy, size, NULL, &mapped), PLIANT_BAD_DATA);
        groups[v] = kept;
    }
    for (int32_t v = 0; v < ball->corner_count; v++) /* groups of one each need none */
        groups[v] = (uint32_t)v;
    copy->is_closed = 0;
    copy->checksum = pli_shape_checksum(copy);
    assert_int_equal(pliant_shape_map(copy, size, NULL, &mapped), PLIANT_BAD_DATA);
    memcpy(copy, data, size);
    const uint32_t group = groups[ball->corner_count - 1]; /* its second vertex stands for it */
    uint32_t second = group + 1;
    while (groups[second] != group)
        second++;
    for (int32_t v = 0; v < ball->corner_count; v++)
        groups[v] = groups[v] == group ? second : groups[v];
    copy->checksum = pli_shape_checksum(copy);
    assert_int_equal(pliant_shape_map(copy, size, NULL, &mapped), PLIANT_BAD_DATA);
    memcpy(copy, data, size);
    memmove((char *)groups + 64, groups, (size_t)ball->corner_count * sizeof *groups);
    copy->groups += 64; /* right groups, elsewhere */
    copy->checksum = pli_shape_checksum(copy);
    assert_int_equal(pliant_shape_map(copy, size + 64, NULL, &mapped), PLIANT_BAD_DATA);
    memcpy(copy, data, size);
    copy->version = PLI_SHAPE_VERSION; /* which has no groups */
    copy->checksum = pli_shape_checksum(copy);
    assert_int_equal(pliant_shape_map(copy, size, NULL, &mapped), PLIANT_BAD_DATA);
    assert_null(mapped);
    free(copy);
    pliant_shape_release(shape);
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

typedef struct Stage {
    PliantShape *shape;
    PliantWorld *world;
    PliantBody outer, inner;
} Stage;

static Stage start(Ball *ball, const uint32_t *groups)
{
    PliantShapeDef def = ball_def(ball);
    PliantWorldDef world_def = pliant_world_def_default();
    Stage stage = {0};
    def.groups = groups;
    world_def.host = &ball->host.host;
    stage.shape = create(&def);
    MUST(pliant_world_create(&world_def, &stage.world));
    MUST(pliant_body_create(stage.world, stage.shape, &stage.outer));
    MUST(pliant_body_create(stage.world, stage.shape, &stage.inner));
    PliantTransform smaller = pliant_transform_identity();
    for (int k = 0; k < 3; k++)
        smaller.rows[k][k] = 0.5f;
    MUST(pliant_body_set_transform(stage.world, stage.inner, &smaller));
    return stage;
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    pliant_shape_release(stage->shape);
}

static bool is_closed(const Stage *stage)
{
    const PliBody *bodies = stage->world->bodies.items;
    return pli_pose_is_closed(&bodies[stage->outer.index - 1].pose);
}

/* Measures with vertices as they are; returns what the call does. */
static PliantResult measure(const Stage *stage, PliantVertices vertices, PliantVolume *volume)
{
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = 100;
    *volume = pliant_volume_default();
    MUST(pliant_body_set_vertices(stage->world, stage->outer, vertices));
    return pliant_body_volume(stage->world, stage->outer, &def, volume);
}

/* A body is closed while its groups are together. If they are apart, it is drawn like one without
 * groups. */
static void test_inside(void **state)
{
    Ball *ball = *state;
    Stage grouped = start(ball, ball->groups), split = start(ball, NULL);
    const size_t size = 3 * sizeof(float) * (size_t)ball->corner_count;
    float *vertices = malloc(size);
    const PliantVertices supplied = {vertices, ball->corner_count, 0};
    PliantVolume volume, other;
    PliantContainment contains = pliant_containment_default();
    memcpy(vertices, ball->vertices, size);
    MUST(pliant_bodies_contain(grouped.world, grouped.outer, grouped.inner, NULL, &contains));
    assert_true(contains.contains && is_closed(&grouped));
    MUST(measure(&grouped, supplied, &volume));
    assert_true(is_closed(&grouped) && fabs(volume.volume - 4.1) < 0.2);
    vertices[3 * ball->corner_count - 1] = nextafterf(vertices[3 * ball->corner_count - 1], 2);
    (void)measure(&grouped, supplied, &volume);
    assert_false(is_closed(&grouped));
    for (int32_t i = 0; i < 9; i++)
        vertices[i] *= 0.5f;
    MUST(measure(&grouped, supplied, &volume));
    MUST(measure(&split, supplied, &other));
    assert_true(!volume.is_closed && !other.is_closed);
    assert_true(volume.volume == other.volume && volume.error == other.error &&
                volume.bad_pixel_count == other.bad_pixel_count);
    assert_memory_equal(volume.centroid, other.centroid, sizeof volume.centroid);
    assert_memory_equal(&volume.box, &other.box, sizeof volume.box);
    MUST(pliant_body_reset_pose(grouped.world, grouped.outer));
    MUST(pliant_bodies_contain(grouped.world, grouped.outer, grouped.inner, NULL, &contains));
    assert_true(is_closed(&grouped));
    end(&grouped);
    end(&split);
    free(vertices);
}

static int64_t self_count(const Stage *stage)
{
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_bodies_collide(stage->world, stage->outer, stage->outer, NULL, &contacts));
    return contacts.count;
}

/* A ball of loose triangles touches itself along every edge; with groups, nowhere. */
static void test_self(void **state)
{
    Ball *ball = *state;
    Stage split = start(ball, NULL), grouped = start(ball, ball->groups);
    assert_true(self_count(&split) >= 5 * ball->whole.triangle_count);
    assert_int_equal(self_count(&grouped), 0);
    end(&split);
    end(&grouped);
}

/* Bodies and queries that fail for want of memory, and succeed once there is some. */
static void test_bodies_without_memory(void **state)
{
    Ball *ball = *state;
    bool is_reached = true;
    float *vertices = malloc(3 * sizeof(float) * (size_t)ball->corner_count);
    for (int32_t i = 0; i < 3 * ball->corner_count; i++)
        vertices[i] = ball->vertices[i] * (i % 2 ? 1 : 0.9f); /* most groups are apart */
    for (int64_t fail_at = 1; is_reached; fail_at++) {
        PliantShapeDef def = ball_def(ball);
        PliantWorldDef world_def = pliant_world_def_default();
        PliantContacts contacts = pliant_contacts_default();
        Stage stage = {0};
        def.groups = ball->groups;
        world_def.host = &ball->host.host;
        stage.shape = create(&def);
        MUST(pliant_world_create(&world_def, &stage.world));
        ball->host.fail_at = ball->host.calls + fail_at;
        PliantResult result = pliant_body_create(stage.world, stage.shape, &stage.outer);
        if (result == PLIANT_OK)
            result = pliant_body_set_vertices(stage.world, stage.outer,
                                              (PliantVertices){vertices, ball->corner_count, 0});
        if (result == PLIANT_OK)
            result = pliant_bodies_collide(stage.world, stage.outer, stage.outer, NULL, &contacts);
        assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);
        is_reached = ball->host.calls >= ball->host.fail_at;
        ball->host.fail_at = 0;
        MUST(pliant_body_create(stage.world, stage.shape, &stage.inner));
        MUST(pliant_body_set_vertices(stage.world, stage.inner,
                                      (PliantVertices){vertices, ball->corner_count, 0}));
        MUST(pliant_bodies_collide(stage.world, stage.inner, stage.inner, NULL, &contacts));
        assert_true(contacts.count > 0);
        end(&stage);
        assert_int_equal(ball->host.blocks, 0);
    }
    free(vertices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_welding),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_failing_allocations),
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, make_ball, free_ball)
        TEST(groups_close_a_mesh),
        TEST(edges_join_groups),
        TEST(bytes),
        TEST(bad_groups),
        TEST(saved),
        TEST(inside),
        TEST(self),
        TEST(bodies_without_memory),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
