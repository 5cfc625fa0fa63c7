/* Shapes: made, shared, saved, mapped, refused. */
#include "calls.h"
#include "refuse.h"
#include "scenes.h"
#include "shape/shape.h"
#include "unheard.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static PliantShapeDef def_of(const SceneMesh *mesh, TestHost *host)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    def.host = host ? &host->host : NULL;
    return def;
}

static PliantShape *create(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    assert_int_equal(pliant_shape_create(def, &shape), PLIANT_OK);
    return shape;
}

static void test_what_is_in_it(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(3);
    TestHost host;
    test_host_init(&host);
    PliantShapeDef def = def_of(&mesh, &host);
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    for (int kind = PLIANT_TREE_FULL; kind <= PLIANT_TREE_CONNECTED; kind++) {
        experiments.tree_kind = (PliantTreeKind)kind;
        PliantShape *shape = create(&def);
        PliantShapeInfo info = test_shape_info(shape);
        assert_int_equal(info.vertex_count, mesh.vertex_count);
        assert_int_equal(info.triangle_count, 1280);
        assert_int_equal(info.nonfinite_count, 0);
        assert_true(info.leaf_count >= 80 && info.node_count > 10 && info.level_count >= 3);
        assert_memory_equal(pliant_shape_vertices(shape), mesh.vertices,
                            3 * sizeof(float) * (size_t)mesh.vertex_count);
        assert_memory_equal(pliant_shape_triangles(shape), mesh.triangles,
                            3 * sizeof(uint32_t) * (size_t)mesh.triangle_count);
        assert_int_equal(host.blocks, 2); /* nothing but the block and the handle */
        pliant_shape_retain(shape);
        pliant_shape_release(shape);
        assert_int_equal(host.blocks, 2);
        pliant_shape_release(shape);
        assert_int_equal(host.blocks, 0);
        assert_int_equal(host.bytes, 0);
    }
    pliant_shape_retain(NULL);
    pliant_shape_release(NULL);
    scene_mesh_free(&mesh);
}

static void test_stride_and_odd_numbers(void **state)
{
    (void)state;
    const float padded[4][5] = {
        {0, 0, 0, 9, 9}, {1, 0, 0, 9, 9}, {0, NAN, 0, 9, 9}, {INFINITY, 1, 1, 9, 9}};
    const uint32_t triangles[] = {0, 1, 2, 0, 1, 1, 1, 0, 3, 0, 0, 0};
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){padded[0], 4, sizeof padded[0]};
    def.triangles = (PliantTriangles){triangles, 4};
    experiments.tree_leaf_size = 1;
    PliantShape *shape = create(&def);
    assert_int_equal(test_shape_info(shape).nonfinite_count, 2);
    assert_true(pliant_shape_vertices(shape)[3] == 1);
    assert_true(isnan(pliant_shape_vertices(shape)[7]));
    pliant_shape_release(shape);
}

static void test_null_shapes(void **state)
{
    (void)state;
    size_t size = 7;
    assert_null(pliant_shape_vertices(NULL));
    assert_null(pliant_shape_triangles(NULL));
    assert_null(pliant_shape_vertex_order(NULL));
    assert_null(pliant_shape_data(NULL, &size));
    assert_int_equal(size, 0);
    assert_null(pliant_shape_data(NULL, NULL));
    pliant_shape_set_user_data(NULL, 1);
    assert_int_equal(pliant_shape_user_data(NULL), 0);
    PliantShapeInfo info = pliant_shape_info_default();
    REFUSE_UNHEARD(pliant_shape_info(NULL, &info), PLIANT_BAD_ARGUMENT);
}

static void test_infos_and_user_data(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(1);
    TestHost host;
    test_host_init(&host);
    PliantShapeDef def = def_of(&mesh, &host);
    PliantShape *shape = create(&def);
    assert_int_equal(pliant_shape_user_data(shape), 0);
    pliant_shape_set_user_data(shape, UINT64_C(0xfedcba9876543210));
    assert_int_equal(pliant_shape_user_data(shape), UINT64_C(0xfedcba9876543210));
    size_t size;
    assert_non_null(pliant_shape_data(shape, &size));
    assert_ptr_equal(pliant_shape_data(shape, NULL), pliant_shape_data(shape, &size));
    PliantShapeInfo info = pliant_shape_info_default();
    assert_int_equal(pliant_shape_info(shape, &info), PLIANT_OK);
    assert_int_equal(info.struct_size, sizeof info);
    assert_int_equal(info.byte_size, size);
    assert_true(info.is_closed);
    REFUSE(host, pliant_shape_info(shape, NULL), PLIANT_BAD_ARGUMENT, "info is NULL");
    info.struct_size = 16;
    REFUSE(host, pliant_shape_info(shape, &info), PLIANT_BAD_DEF, "info.struct_size is 16");
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
}

/* ---- Mistakes ------------------------------------------------------------------------------ */

static void test_mistakes(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(0);
    TestHost host;
    test_host_init(&host);
    const PliantShapeDef good = def_of(&mesh, &host);
    PliantShape *shape = NULL;

#define REFUSE_FIELD(field, value, code, text)                                                     \
    do {                                                                                           \
        PliantShapeDef def = good;                                                                 \
        def.field = value;                                                                         \
        assert_int_equal(pliant_shape_create(&def, &shape), code);                                 \
        assert_string_equal(host.message, "pliant_shape_create: " text);                           \
    } while (0)
    REFUSE_FIELD(vertices.data, NULL, PLIANT_BAD_ARGUMENT, "def.vertices.data is NULL");
    REFUSE_FIELD(vertices.count, 0, PLIANT_BAD_ARGUMENT, "def.vertices.count is 0");
    REFUSE_FIELD(vertices.stride, 8, PLIANT_BAD_ARGUMENT,
                 "def.vertices.stride is 8: 0, or a multiple of 4 from 12 to 1048576");
    REFUSE_FIELD(vertices.stride, 13, PLIANT_BAD_ARGUMENT,
                 "def.vertices.stride is 13: 0, or a multiple of 4 from 12 to 1048576");
    REFUSE_FIELD(vertices.stride, 1 << 21, PLIANT_BAD_ARGUMENT,
                 "def.vertices.stride is 2097152: 0, or a multiple of 4 from 12 to 1048576");
    REFUSE_FIELD(triangles.data, NULL, PLIANT_BAD_ARGUMENT, "def.triangles.data is NULL");
    REFUSE_FIELD(triangles.count, -1, PLIANT_BAD_ARGUMENT,
                 "def.triangles.count is -1: at least 1 is needed");
    REFUSE_FIELD(triangles.count, INT32_MAX, PLIANT_TOO_LARGE, "def.triangles.count is 2147483647");
    REFUSE_FIELD(reserved, 1, PLIANT_BAD_DEF, "def.reserved is 1");
    REFUSE_FIELD(vertices.count, 11, PLIANT_BAD_INDEX,
                 "def.triangles.data[38] is 11, def.vertices.count is 11");
#undef REFUSE_FIELD
    assert_int_equal(pliant_shape_create(&good, NULL), PLIANT_BAD_ARGUMENT);
    assert_int_equal(pliant_shape_map(NULL, 0, &host.host, &shape), PLIANT_BAD_ARGUMENT);
    assert_null(shape);
    assert_int_equal(host.calls, 0);
    scene_mesh_free(&mesh);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(2);
    TestHost host;
    test_host_init(&host);
    for (int kind = PLIANT_TREE_FULL; kind <= PLIANT_TREE_CONNECTED; kind++) {
        for (int64_t fail_at = 1;; fail_at++) {
            test_host_init(&host);
            host.fail_at = fail_at;
            PliantShapeDef def = def_of(&mesh, &host);
            PliantExperiments experiments = pliant_experiments_default();
            def.experiments = &experiments;
            experiments.tree_kind = (PliantTreeKind)kind;
            PliantShape *shape = NULL;
            PliantResult result = pliant_shape_create(&def, &shape);
            bool did_fail = host.calls >= fail_at; /* which an arena survives that asks for less */
            assert_true(result == PLIANT_OK || (did_fail && result == PLIANT_OUT_OF_MEMORY));
            assert_true((result == PLIANT_OK) == (shape != NULL));
            pliant_shape_release(shape);
            assert_int_equal(host.bytes, 0);
            if (!did_fail)
                break;
        }
    }
    scene_mesh_free(&mesh);
}

/* ---- Saved and mapped -------------------------------------------------------------------------
 */

/* A copy of a small shape's bytes, aligned. */
static unsigned char *saved(size_t *size)
{
    SceneMesh mesh = scene_icosphere(1);
    PliantShapeDef def = def_of(&mesh, NULL);
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    experiments.tree_leaf_size = 4;
    PliantShape *shape = create(&def);
    const void *data = pliant_shape_data(shape, size);
    unsigned char *copy = aligned_alloc(64, *size);
    memcpy(copy, data, *size);
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
    return copy;
}

static void test_mapped_is_the_same(void **state)
{
    (void)state;
    size_t size, mapped_size;
    unsigned char *data = saved(&size);
    TestHost host;
    test_host_init(&host);
    PliantShape *shape = NULL;
    assert_int_equal(pliant_shape_map(data, size, &host.host, &shape), PLIANT_OK);
    assert_ptr_equal(pliant_shape_data(shape, &mapped_size), data); /* no copy */
    assert_int_equal(mapped_size, size);
    assert_int_equal(test_shape_info(shape).triangle_count, 80);
    assert_int_equal(host.blocks, 1);
    pliant_shape_release(shape);
    assert_int_equal(host.bytes, 0);

    for (int64_t fail_at = 1;; fail_at++) {
        test_host_init(&host);
        host.fail_at = fail_at;
        host.fails_for_ever = true; /* scratch that is refused is asked for again, smaller */
        shape = NULL;
        PliantResult result = pliant_shape_map(data, size, &host.host, &shape);
        bool did_fail = host.calls >= fail_at;
        assert_int_equal(result, did_fail ? PLIANT_OUT_OF_MEMORY : PLIANT_OK);
        assert_true(did_fail == (shape == NULL));
        pliant_shape_release(shape);
        assert_int_equal(host.bytes, 0);
        if (!did_fail)
            break;
    }
    free(data);
}

static void test_damaged_is_refused(void **state)
{
    (void)state;
    size_t size;
    unsigned char *data = saved(&size);
    PliantShape *shape = NULL;
    for (size_t i = 0; i < size; i++) {
        data[i] ^= 0x10;
        PliantResult result = pliant_shape_map(data, size, NULL, &shape);
        assert_true(result == PLIANT_BAD_DATA || result == PLIANT_BAD_VERSION);
        data[i] ^= 0x10;
    }
    for (size_t cut = 0; cut < size; cut += 7)
        assert_int_equal(pliant_shape_map(data, cut, NULL, &shape), PLIANT_BAD_DATA);
    data[8] += 4; /* another version; then another byte order */
    assert_int_equal(pliant_shape_map(data, size, NULL, &shape), PLIANT_BAD_VERSION);
    data[8] -= 4;
    data[12] = 1;
    data[15] = 4;
    assert_int_equal(pliant_shape_map(data, size, NULL, &shape), PLIANT_BAD_VERSION);
    assert_null(shape);
    free(data);
}

/* Two bodies of a shape that was taken, one of them in an array that ends where its last vertex
 * does: how many pairs have they? */
/* What is wrong reaches the hook, as precisely as the header tells. */
static void test_damage_is_reported(void **state)
{
    (void)state;
    size_t size;
    unsigned char *data = saved(&size);
    PliShapeHeader *header = (PliShapeHeader *)data;
    const PliShapeHeader good = *header;
    PliantShape *shape = NULL;
    TestHost host;
    test_host_init(&host);
#define REFUSE_DATA(byte_size, code, text)                                                         \
    REFUSE(host, pliant_shape_map(data, byte_size, &host.host, &shape), code, text)
    REFUSE_DATA(0, PLIANT_BAD_DATA, "byte_size is 0, the header alone is 512 bytes");
    REFUSE_DATA(511, PLIANT_BAD_DATA, "byte_size is 511, ");
    REFUSE_DATA(size - 64, PLIANT_BAD_DATA, "byte_size is ");
    assert_non_null(strstr(host.message, ": data is cut off"));
    header->magic[0] ^= 1;
    REFUSE_DATA(size, PLIANT_BAD_DATA, "data is no saved shape: its magic number is wrong");
    *header = good;
    header->version = 3;
    REFUSE_DATA(size, PLIANT_BAD_VERSION, "data has version 3 of the format, this library reads ");
    *header = good;
    header->byte_order = __builtin_bswap32(header->byte_order);
    header->version = __builtin_bswap32(header->version);
    REFUSE_DATA(size, PLIANT_BAD_VERSION, "data was saved with another byte order");
    *header = good;
    header->byte_size = 8; /* less than what the sum is over */
    REFUSE_DATA(size, PLIANT_BAD_DATA, "data is damaged: its header says that it is 8 bytes");
    header->byte_size = UINT64_MAX;
    REFUSE_DATA(size, PLIANT_BAD_DATA, "byte_size is ");
    *header = good;
    data[size - 1] ^= 1;
    REFUSE_DATA(size, PLIANT_BAD_DATA, "data is damaged: its checksum is wrong");
    data[size - 1] ^= 1;
    header->nonfinite_count++; /* a sum that is right, of something that is not */
    header->checksum = pli_shape_checksum(header);
    REFUSE_DATA(size, PLIANT_BAD_DATA, "data has a right checksum, but parts of it contradict");
#undef REFUSE_DATA
    assert_null(shape);
    assert_int_equal(host.blocks, 0);
    /* Nobody has to hear it: a file may be damaged in any program. */
    assert_int_equal(pliant_shape_map(data, size, NULL, &shape), PLIANT_BAD_DATA);
    free(data);
}

static int64_t count_pairs(PliantShape *shape, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    PliantWorld *world;
    PliantBody a, b;
    assert_int_equal(pliant_world_create(&def, &world), PLIANT_OK);
    assert_int_equal(pliant_body_create(world, shape, &a), PLIANT_OK);
    assert_int_equal(pliant_body_create(world, shape, &b), PLIANT_OK);
    int32_t count = test_shape_info(shape).vertex_count;
    float *array = malloc(12 * (size_t)count);
    memcpy(array, pliant_shape_vertices(shape), 12 * (size_t)count);
    assert_int_equal(pliant_body_borrow_vertices(world, a, (PliantVertices){array, count, 0}),
                     PLIANT_OK);
    PliantContacts contacts = pliant_contacts_default();
    assert_int_equal(pliant_world_collide(world, NULL, &contacts), PLIANT_OK);
    int64_t pair_count = contacts.count;
    pliant_world_destroy(world);
    free(array);
    return pair_count;
}

/* Who makes the checksum right as well gets no further: what is wrong is refused, and what is taken
 * is a shape that can be used. */
static void test_hostile_is_refused(void **state)
{
    (void)state;
    size_t size;
    unsigned char *data = saved(&size), *copy = aligned_alloc(64, size);
    PliShapeHeader *header = (PliShapeHeader *)copy;
    SceneRandom random = {4};
    int taken = 0;
    for (int round = 0; round < 20000; round++) {
        memcpy(copy, data, size);
        int32_t *words = (int32_t *)copy;
        size_t at = 8 + scene_random_below(&random, (uint32_t)(size / 4) - 8);
        static const int32_t values[] = {0, 1, -1, INT32_MAX, INT32_MIN, 79, 80, 81, 42, 43};
        words[at] = scene_random_below(&random, 2) ? values[scene_random_below(&random, 10)]
                                                   : words[at] + 1;
        PliShapeHeader expected = *header;
        if (!pli_shape_layout(&expected) || expected.byte_size > size)
            continue;
        header->byte_size = expected.byte_size;
        header->checksum = pli_shape_checksum(header);
        PliantShape *shape = NULL;
        if (pliant_shape_map(copy, size, NULL, &shape) != PLIANT_OK)
            continue;
        taken++;
        int32_t seen[80];
        assert_true(pli_tree_is_valid(&shape->tree, seen));
        if (taken % 4 == 0)
            assert_int_equal(count_pairs(shape, PLIANT_CPU_ALL), count_pairs(shape, 0));
        pliant_shape_release(shape);
    }
    assert_in_range(taken, 100, 15000); /* inner vertices elsewhere: still a shape */
    free(data);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_in_it),      cmocka_unit_test(test_stride_and_odd_numbers),
        cmocka_unit_test(test_mistakes),           cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_mapped_is_the_same), cmocka_unit_test(test_damaged_is_refused),
        cmocka_unit_test(test_hostile_is_refused), cmocka_unit_test(test_damage_is_reported),
        cmocka_unit_test(test_null_shapes),        cmocka_unit_test(test_infos_and_user_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
