/* The vertices and edges of meshes, and which triangle owns each: against brute force. */
#include "calls.h"
#include "host.h"
#include "refuse.h"
#include "scenes.h"
#include "shape/features.h"
#include "shape/topology.h"
#include "unheard.h"
#include "unit.h"

#include <string.h>
#include <time.h>

enum { MAX_VERTICES = 24, MAX_TRIANGLES = 80 };

/* Any triangles of a few vertices: most edges are in several, some sides are no edge. */
typedef struct Mesh {
    int32_t vertex_count, triangle_count;
    uint32_t corners[3 * MAX_TRIANGLES];
    float vertices[3 * MAX_VERTICES];
} Mesh;

static void make_mesh(SceneRandom *random, Mesh *mesh)
{
    mesh->vertex_count = 1 + (int32_t)scene_random_below(random, MAX_VERTICES);
    mesh->triangle_count = 1 + (int32_t)scene_random_below(random, MAX_TRIANGLES);
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++)
        mesh->vertices[i] = (float)scene_random(random);
    for (int32_t i = 0; i < 3 * mesh->triangle_count; i++)
        mesh->corners[i] = scene_random_below(random, (uint32_t)mesh->vertex_count);
}

/* ---- Brute force -------------------------------------------------------------------------------
 */

static uint32_t corner_of(const Mesh *mesh, int32_t triangle, int k)
{
    return mesh->corners[3 * triangle + k % 3];
}

static bool is_side(const Mesh *mesh, int32_t triangle, int k, uint32_t a, uint32_t b)
{
    const uint32_t p = corner_of(mesh, triangle, k), q = corner_of(mesh, triangle, k + 1);
    return (p == a && q == b) || (p == b && q == a);
}

/* Goes through all pairs of vertices: an edge is where a side is found. Its number is that of the
 * edges before it, its owner the first that has it. Returns how many edges there are. */
static int32_t expect_edges(const Mesh *mesh, const PliFeatures *features)
{
    int32_t count = 0;
    for (uint32_t a = 0; a < (uint32_t)mesh->vertex_count; a++)
        for (uint32_t b = a + 1; b < (uint32_t)mesh->vertex_count; b++) {
            bool is_found = false;
            for (int32_t t = 0; t < mesh->triangle_count; t++)
                for (int k = 0; k < 3; k++) {
                    if (!is_side(mesh, t, k, a, b))
                        continue;
                    assert_int_equal(features->triangle_edges[3 * t + k], count);
                    assert_int_equal(pli_owns_edge(features, t, k), !is_found);
                    is_found = true;
                }
            if (!is_found)
                continue;
            assert_true(count < features->edge_count);
            assert_int_equal(features->edge_vertices[2 * count], a);
            assert_int_equal(features->edge_vertices[2 * count + 1], b);
            count++;
        }
    return count;
}

static void expect_no_edges(const Mesh *mesh, const PliFeatures *features)
{
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (corner_of(mesh, t, k) == corner_of(mesh, t, k + 1)) {
                assert_int_equal(features->triangle_edges[3 * t + k], -1);
                assert_false(pli_owns_edge(features, t, k));
            }
}

static void expect_vertices(const Mesh *mesh, const PliFeatures *features)
{
    for (uint32_t v = 0; v < (uint32_t)mesh->vertex_count; v++) {
        bool is_found = false;
        for (int32_t t = 0; t < mesh->triangle_count; t++)
            for (int k = 0; k < 3; k++)
                if (corner_of(mesh, t, k) == v) {
                    assert_int_equal(pli_owns_vertex(features, t, k), !is_found);
                    is_found = true;
                }
    }
}

/* A triangle of one vertex that is an end of no side. */
static void expect_alone(const Mesh *mesh, const PliFeatures *features)
{
    bool has_alone = false;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t vertex = corner_of(mesh, t, 0);
        bool is_alone = true;
        for (int k = 0; k < 3; k++)
            is_alone &= corner_of(mesh, t, k) == vertex;
        for (int32_t side = 0; side < 3 * mesh->triangle_count && is_alone; side++) {
            const uint32_t p = corner_of(mesh, side / 3, side % 3),
                           q = corner_of(mesh, side / 3, side % 3 + 1);
            is_alone = p == q || (p != vertex && q != vertex);
        }
        assert_int_equal(features->owned[t] >> 6, is_alone);
        has_alone |= is_alone;
    }
    assert_int_equal(features->has_alone, has_alone);
}

static void expect_features(const Mesh *mesh, const PliFeatures *features)
{
    assert_int_equal(features->triangle_count, mesh->triangle_count);
    assert_int_equal(features->vertex_count, mesh->vertex_count);
    assert_int_equal(expect_edges(mesh, features), features->edge_count);
    expect_no_edges(mesh, features);
    expect_vertices(mesh, features);
    expect_alone(mesh, features);
}

static void test_any_triangles(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {7};
    for (int i = 0; i < 2000; i++) {
        Mesh mesh;
        make_mesh(&random, &mesh);
        PliFeatures *features = NULL;
        MUST(pli_features_create(mesh.corners, mesh.triangle_count, INT32_MAX, mesh.vertex_count,
                                 &host.host, &features));
        expect_features(&mesh, features);
        pli_features_free(features, &host.host);
        assert_int_equal(host.blocks, 0);
    }
}

/* Of triangles some of the last are segments: vertices and edges are as of triangles, sides, shells
 * and the boundary are those of the other triangles alone. */
static void test_segments(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {8};
    for (int i = 0; i < 2000; i++) {
        Mesh mesh;
        PliFeatures *features = NULL, *alone = NULL;
        make_mesh(&random, &mesh);
        const int32_t first =
            (int32_t)scene_random_below(&random, (uint32_t)mesh.triangle_count + 1);
        for (int32_t t = first; t < mesh.triangle_count; t++)
            mesh.corners[3 * t + 2] = mesh.corners[3 * t + 1];
        MUST(pli_features_create(mesh.corners, mesh.triangle_count, first, mesh.vertex_count,
                                 &host.host, &features));
        MUST(pli_features_create(mesh.corners, first, INT32_MAX, mesh.vertex_count, &host.host,
                                 &alone));
        expect_features(&mesh, features);
        assert_int_equal(features->edge_firsts[features->edge_count],
                         alone->edge_firsts[alone->edge_count]);
        for (int32_t s = 0; s < alone->edge_firsts[alone->edge_count]; s++)
            assert_int_equal(features->edge_sides[s], alone->edge_sides[s]);
        assert_int_equal(features->boundary.edge_count, alone->boundary.edge_count);
        assert_int_equal(features->shell_count, alone->shell_count);
        for (int32_t t = 0; t < mesh.triangle_count && features->shells; t++)
            assert_int_equal(pli_shell_of(features, t), t < first ? pli_shell_of(alone, t) : -1);
        pli_features_free(features, &host.host);
        pli_features_free(alone, &host.host);
        assert_int_equal(host.blocks, 0);
    }
}

static void test_no_triangles(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    for (int32_t vertex_count = 0; vertex_count < 3; vertex_count++) {
        PliFeatures *features = NULL;
        MUST(pli_features_create(NULL, 0, INT32_MAX, vertex_count, &host.host, &features));
        assert_int_equal(features->edge_count, 0);
        pli_features_free(features, &host.host);
    }
    assert_int_equal(host.blocks, 0);
}

/* ---- Of a shape --------------------------------------------------------------------------------
 */

static PliantShape *shape_of(const Mesh *mesh, bool is_divided, const PliantHost *host)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->corners, mesh->triangle_count};
    /* Features are of whole triangles. */
    def.divide_kind = is_divided ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_NONE;
    def.divide_size = 0.5f;
    def.host = host;
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(&def, &shape));
    return shape;
}

static void test_shapes(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {8};
    for (int i = 0; i < 100; i++) {
        Mesh mesh;
        make_mesh(&random, &mesh);
        PliantShape *shape = shape_of(&mesh, true, &host.host);
        const uint32_t *edges = NULL, *again = NULL;
        int32_t edge_count = -1, count_again = -1;
        const PliFeatures *features = NULL;
        MUST(pliant_shape_edges(shape, &edges, &edge_count));
        MUST(pli_topology_features(shape, &features));
        expect_features(&mesh, features);
        assert_ptr_equal(edges, features->edge_vertices);
        assert_int_equal(edge_count, features->edge_count);
        const int64_t calls = host.calls;
        MUST(pliant_shape_edges(shape, &again, &count_again));
        assert_ptr_equal(again, edges);
        assert_int_equal(count_again, edge_count);
        assert_int_equal(host.calls, calls); /* made once */
        pliant_shape_release(shape);
        assert_int_equal(host.blocks, 0);
    }
}

/* Each vertex and each edge is in the list of one leaf, where a triangle of it owns that. */
static void expect_leaves(const PliantShape *shape, const PliFeatures *features,
                          const PliLeafFeatures *leaves)
{
    int64_t count = 0;
    for (int32_t leaf = 0; leaf < shape->tree.leaf_count; leaf++)
        for (int32_t i = leaves->firsts[2 * leaf]; i < leaves->firsts[2 * leaf + 2]; i++, count++) {
            const PliOwnedFeature *owned = &leaves->items[i];
            const PliRange range = shape->tree.leaves[leaf];
            assert_true(owned->place < range.count);
            const int32_t triangle = shape->tree.order[range.first + owned->place];
            const uint32_t *corners = shape->triangles + 3 * triangle,
                           first = corners[owned->first], second = corners[owned->second];
            if (i < leaves->firsts[2 * leaf + 1]) {
                assert_int_equal(owned->first, owned->second);
                assert_int_equal(owned->number, first);
                assert_true(pli_owns_vertex(features, triangle, owned->first));
                continue;
            }
            const int k = (owned->first + 1) % 3 == owned->second ? owned->first : owned->second;
            assert_true(pli_owns_edge(features, triangle, k));
            assert_int_equal(owned->number, features->triangle_edges[3 * triangle + k]);
            assert_int_equal(features->edge_vertices[2 * owned->number], first);
            assert_int_equal(features->edge_vertices[2 * owned->number + 1], second);
        }
    for (int32_t t = 0; t < features->triangle_count; t++)
        count -= __builtin_popcount(features->owned[t] & PLI_OWNED_BITS);
    assert_int_equal(count, 0);
}

static void test_leaves(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {11};
    for (int i = 0; i < 200; i++) {
        Mesh mesh;
        make_mesh(&random, &mesh);
        PliantShape *shape = shape_of(&mesh, i % 2 == 0, &host.host);
        const PliFeatures *features = NULL;
        const PliLeafFeatures *leaves = NULL, *again = NULL;
        MUST(pli_topology_features(shape, &features));
        MUST(pli_topology_leaf_features(shape, &leaves));
        assert_int_equal(leaves == NULL, shape->pieces != NULL);
        if (leaves)
            expect_leaves(shape, features, leaves);
        MUST(pli_topology_leaf_features(shape, &again));
        assert_ptr_equal(leaves, again);
        pliant_shape_release(shape);
        assert_int_equal(host.blocks, 0);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {9};
    Mesh mesh;
    make_mesh(&random, &mesh);
    PliantShape *shape = shape_of(&mesh, true, &host.host);
    const uint32_t *edges = NULL;
    int32_t count = -1;
    REFUSE_UNHEARD(pliant_shape_edges(NULL, &edges, &count), PLIANT_BAD_ARGUMENT);
    REFUSE(host, pliant_shape_edges(shape, NULL, &count), PLIANT_BAD_ARGUMENT, "edges is NULL");
    REFUSE(host, pliant_shape_edges(shape, &edges, NULL), PLIANT_BAD_ARGUMENT,
           "edge_count is NULL");
    assert_null(edges);
    assert_int_equal(count, -1);
    pliant_shape_release(shape);
}

/* Scratch memory that cannot be had is asked for once more, in a smaller piece: only if all later
 * calls fail too is every failure told. */
static void fail_allocations(bool for_ever)
{
    TestHost host;
    test_host_init(&host);
    host.fails_for_ever = for_ever;
    SceneRandom random = {10};
    Mesh mesh;
    make_mesh(&random, &mesh);
    bool is_reached = true;
    for (int64_t fail_at = 1; is_reached; fail_at++) {
        PliantShape *shape = shape_of(&mesh, true, &host.host);
        const uint32_t *edges = NULL;
        int32_t count = -1;
        const int64_t bytes = host.bytes;
        host.fail_at = host.calls + fail_at;
        const PliantResult result = pliant_shape_edges(shape, &edges, &count);
        is_reached = host.calls >= host.fail_at;
        host.fail_at = 0; /* memory is back */
        assert_true(result == PLIANT_OK || (is_reached && result == PLIANT_OUT_OF_MEMORY));
        assert_true(result != PLIANT_OK || !is_reached || !for_ever);
        assert_true(result == PLIANT_OK || (edges == NULL && count == -1 && host.bytes == bytes));
        MUST(pliant_shape_edges(shape, &edges, &count));
        const PliFeatures *features = NULL;
        MUST(pli_topology_features(shape, &features));
        expect_features(&mesh, features);
        pliant_shape_release(shape);
        assert_int_equal(host.blocks, 0);
    }
}

static void test_failing_allocations(void **state)
{
    (void)state;
    fail_allocations(false);
    fail_allocations(true);
}

/* A closed surface has V - E + F = 2; a vertex of 300,000 edges takes no longer than others. */
static void test_large(void **state)
{
    (void)state;
    enum { COUNT = 300000 };
    TestHost host;
    test_host_init(&host);
    uint32_t *corners = malloc(6 * sizeof *corners * COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t next = (i + 1) % COUNT;
        const uint32_t pair[6] = {0, 2 + i, 2 + next, 1, 2 + next, 2 + i};
        memcpy(corners + 6 * (size_t)i, pair, sizeof pair);
    }
    PliFeatures *features = NULL;
    const clock_t start = clock();
    MUST(pli_features_create(corners, 2 * COUNT, INT32_MAX, COUNT + 2, &host.host, &features));
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
    assert_int_equal(features->edge_count, 3 * COUNT);
    int64_t vertices = 0, edges = 0;
    for (int32_t t = 0; t < 2 * COUNT; t++)
        for (int k = 0; k < 3; k++) {
            vertices += pli_owns_vertex(features, t, k);
            edges += pli_owns_edge(features, t, k);
        }
    assert_int_equal(vertices, COUNT + 2);
    assert_int_equal(edges, 3 * COUNT);
    pli_features_free(features, &host.host);
    free(corners);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_triangles),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_no_triangles),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
