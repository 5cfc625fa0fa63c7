/* tree: every kind is a tree, full ones are full, patches are connected, and building holds up. */
#include "host.h"
#include "scenes.h"
#include "tree/tree.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const PliTreeKind kinds[] = {PLI_TREE_FULL, PLI_TREE_MIDDLE, PLI_TREE_MEAN,
                                    PLI_TREE_CONNECTED};

/* ---- Items --------------------------------------------------------------------------------- */

/* Items with owned boxes and neighbors. */
typedef struct Items {
    PliTreeDef def;
    PliBox *boxes;
    int32_t *first, *neighbors;
} Items;

static Items empty_items(int32_t count, int32_t neighbor_count)
{
    Items items = {.boxes = aligned_alloc(64, ((size_t)count * sizeof(PliBox) + 63) / 64 * 64),
                   .first = calloc((size_t)count + 1, sizeof(int32_t)),
                   .neighbors = calloc((size_t)neighbor_count + 1, sizeof(int32_t))};
    items.def = (PliTreeDef){.leaf_size = 1,
                             .child_count = 8,
                             .item_count = count,
                             .boxes = items.boxes,
                             .first_neighbors = items.first,
                             .neighbors = items.neighbors};
    return items;
}

static void free_items(Items *items)
{
    free(items->boxes);
    free(items->first);
    free(items->neighbors);
}

/* Boxes anywhere, each a neighbor of the one before and the one after. */
static Items random_items(int32_t count, uint64_t seed)
{
    Items items = empty_items(count, 2 * count);
    SceneRandom random = {seed};
    for (int32_t i = 0, n = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            items.boxes[i].low[k] = (float)scene_random(&random);
            items.boxes[i].high[k] = items.boxes[i].low[k] + (float)scene_random(&random) * 0.01f;
        }
        if (i > 0)
            items.neighbors[n++] = i - 1;
        if (i + 1 < count)
            items.neighbors[n++] = i + 1;
        items.first[i + 1] = n;
    }
    return items;
}

/* Triangles of an icosphere; neighbors share a vertex. */
static Items sphere_items(int subdivisions)
{
    SceneMesh mesh = scene_icosphere(subdivisions);
    int32_t count = mesh.triangle_count, *next = calloc(3 * (size_t)count, sizeof *next);
    int32_t *head = malloc((size_t)mesh.vertex_count * sizeof *head);
    Items items = empty_items(count, 18 * count);
    memset(head, 0xff, (size_t)mesh.vertex_count * sizeof *head);
    for (int32_t c = 0; c < 3 * count; c++) {
        next[c] = head[mesh.triangles[c]];
        head[mesh.triangles[c]] = c;
    }
    for (int32_t i = 0, n = 0; i < count; i++) {
        items.boxes[i] = pli_box_empty();
        for (int c = 0; c < 3; c++) {
            uint32_t v = mesh.triangles[3 * i + c];
            for (int k = 0; k < 3; k++) {
                float x = mesh.vertices[3 * v + (uint32_t)k];
                items.boxes[i].low[k] = fminf(items.boxes[i].low[k], x);
                items.boxes[i].high[k] = fmaxf(items.boxes[i].high[k], x);
            }
            for (int32_t other = head[v]; other >= 0; other = next[other])
                if (other / 3 != i)
                    items.neighbors[n++] = other / 3;
        }
        items.first[i + 1] = n;
    }
    free(head);
    free(next);
    scene_mesh_free(&mesh);
    return items;
}

static PliantHost default_host(void)
{
    PliantHost host;
    assert_int_equal(pli_host_resolve(NULL, &host), PLIANT_OK);
    return host;
}

static PliTree build(const PliTreeDef *def)
{
    PliantHost host = default_host();
    PliTree tree;
    assert_int_equal(pli_tree_build(def, &host, &tree), PLIANT_OK);
    int32_t *seen = malloc((size_t)def->item_count * sizeof *seen);
    assert_true(pli_tree_is_valid(&tree, seen));
    free(seen);
    for (int32_t i = 0; i < tree.leaf_count; i++)
        assert_in_range(tree.leaves[i].count, 1, def->leaf_size);
    for (int32_t n = 0; n < tree.node_count; n++)
        assert_in_range(tree.nodes[n].child_count, 2, def->child_count);
    return tree;
}

static void drop(PliTree *tree)
{
    PliantHost host = default_host();
    pli_tree_free(tree, &host);
}

/* ---- Tests --------------------------------------------------------------------------------- */

static void test_all_kinds_are_trees(void **state)
{
    (void)state;
    for (int32_t count = 1; count < 700; count += count < 40 ? 1 : 83) {
        Items items = random_items(count, (uint64_t)count);
        for (int k = 0; k < 4; k++)
            for (int32_t children = 2; children <= 8; children *= 2)
                for (int32_t leaf = 1; leaf <= 16; leaf *= 4) {
                    items.def.kind = kinds[k];
                    items.def.child_count = children;
                    items.def.leaf_size = leaf;
                    PliTree tree = build(&items.def);
                    drop(&tree);
                }
        free_items(&items);
    }
}

static void test_odd_boxes(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    Items items = random_items(COUNT, 9);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < COUNT; i++) {
            float value = round == 0   ? 1
                          : round == 1 ? (i % 3 ? NAN : 2)
                          : round == 2 ? (i % 2 ? INFINITY : -INFINITY)
                                       : (i % 2 ? FLT_MAX : -FLT_MAX);
            for (int k = 0; k < 3; k++)
                items.boxes[i].low[k] = items.boxes[i].high[k] = value;
        }
        for (int k = 0; k < 4; k++) {
            items.def.kind = kinds[k];
            PliTree tree = build(&items.def);
            assert_true(tree.level_count <= 12); /* even when nothing can be told apart */
            drop(&tree);
        }
    }
    free_items(&items);
}

static void test_full_trees_are_full(void **state)
{
    (void)state;
    Items items = sphere_items(4);
    items.def.leaf_size = 16;
    PliTree tree = build(&items.def);
    assert_int_equal(tree.leaf_count, 320);
    assert_int_equal(tree.node_count, 40 + 5 + 1);
    assert_int_equal(tree.level_count, 3);
    int32_t partial = 0;
    for (int32_t n = 0; n < tree.node_count; n++)
        partial += tree.nodes[n].child_count < 8;
    assert_true(partial <= 1); /* the root */
    drop(&tree);
    free_items(&items);

    items = random_items(1001, 3);
    items.def.leaf_size = 16;
    tree = build(&items.def);
    partial = 0;
    for (int32_t i = 0; i < tree.leaf_count; i++)
        partial += tree.leaves[i].count < 16;
    assert_int_equal(tree.leaf_count, 63);
    assert_int_equal(partial, 1);
    drop(&tree);
    free_items(&items);
}

/* Are the items of a range connected? */
static bool is_connected(const Items *items, const PliTree *tree, PliRange range, int32_t *marks)
{
    int32_t *list = malloc((size_t)range.count * sizeof *list), count = 1;
    for (int32_t i = 0; i < range.count; i++)
        marks[tree->order[range.first + i]] = 1;
    list[0] = tree->order[range.first];
    marks[list[0]] = 0;
    for (int32_t i = 0; i < count; i++)
        for (int32_t n = items->first[list[i]]; n < items->first[list[i] + 1]; n++)
            if (marks[items->neighbors[n]]) {
                marks[items->neighbors[n]] = 0;
                list[count++] = items->neighbors[n];
            }
    for (int32_t i = 0; i < range.count; i++)
        marks[tree->order[range.first + i]] = 0;
    free(list);
    return count == range.count;
}

static void test_patches_are_connected(void **state)
{
    (void)state;
    Items items = sphere_items(4);
    int32_t *marks = calloc((size_t)items.def.item_count, sizeof *marks);
    items.def.kind = PLI_TREE_CONNECTED;
    for (int32_t children = 2; children <= 8; children *= 2) {
        items.def.child_count = children;
        items.def.leaf_size = 4;
        PliTree tree = build(&items.def);
        for (int32_t n = 0; n < tree.node_count; n++)
            assert_true(is_connected(&items, &tree, tree.nodes[n].range, marks));
        for (int32_t i = 0; i < tree.leaf_count; i++)
            assert_true(is_connected(&items, &tree, tree.leaves[i], marks));
        drop(&tree);
    }
    free(marks);
    free_items(&items);
}

/* The sum of the leaves' half surfaces: what builders compete in. */
static double leaf_area(const Items *items, const PliTree *tree)
{
    double sum = 0;
    for (int32_t l = 0; l < tree->leaf_count; l++) {
        double extent[3];
        for (int k = 0; k < 3; k++) {
            double low = INFINITY, high = -INFINITY;
            for (int32_t i = 0; i < tree->leaves[l].count; i++) {
                const PliBox *box = &items->boxes[tree->order[tree->leaves[l].first + i]];
                low = fmin(low, (double)box->low[k]);
                high = fmax(high, (double)box->high[k]);
            }
            extent[k] = high - low;
        }
        sum += extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0];
    }
    return sum;
}

static void test_full_leaves_are_tight(void **state)
{
    (void)state;
    Items items = sphere_items(5);
    items.def.leaf_size = 16;
    double areas[4];
    for (int k = 0; k < 4; k++) {
        items.def.kind = kinds[k];
        PliTree tree = build(&items.def);
        areas[k] = leaf_area(&items, &tree);
        print_message("kind %d: %d leaves, %d nodes, leaf area %.3f\n", k, tree.leaf_count,
                      tree.node_count, areas[k]);
        drop(&tree);
    }
    /* With fewer leaves than the others, and yet no more area than their best. */
    for (int k = 1; k < 4; k++)
        assert_true(areas[0] < areas[k]);
    free_items(&items);
}

/* Items in turn of three groups, of which one may be empty. */
static void check_groups(PliTreeKind kind, int32_t count, int32_t group_count)
{
    Items items = random_items(count, (uint64_t)count);
    int32_t *groups = calloc((size_t)count, sizeof *groups);
    int32_t *seen = calloc((size_t)count, sizeof *seen);
    for (int32_t i = 0; i < count; i++)
        groups[i] = 2 * (i % group_count);
    items.def.kind = kind;
    items.def.leaf_size = 16;
    TestHost test_host;
    test_host_init(&test_host);
    PliTree tree;
    assert_int_equal(
        pli_tree_build_groups(&items.def, groups, 2 * group_count, &test_host.host, &tree),
        PLIANT_OK);
    assert_true(pli_tree_is_valid(&tree, seen));
    for (int32_t leaf = 0; leaf < tree.leaf_count; leaf++)
        for (int32_t i = 0; i < tree.leaves[leaf].count; i++)
            assert_int_equal(groups[tree.order[tree.leaves[leaf].first + i]],
                             groups[tree.order[tree.leaves[leaf].first]]);
    pli_tree_free(&tree, &test_host.host);
    assert_int_equal(test_host.blocks, 0);
    free(groups);
    free(seen);
    free_items(&items);
}

static void test_groups_stay_apart(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (int32_t count = 1; count < 2000; count = 3 * count + 1)
            for (int32_t groups = 1; groups <= 5; groups += 2)
                check_groups(kinds[kind], count, groups);
}

/* Two heaps far apart, in one leaf if it were full: what is between is not in it. */
static void test_scattered_leaves_are_cut(void **state)
{
    (void)state;
    Items items = random_items(16, 3);
    int32_t groups[16] = {0};
    for (int32_t i = 0; i < 16; i += 2) {
        items.boxes[i].low[0] += 100;
        items.boxes[i].high[0] += 100;
    }
    items.def.leaf_size = 16;
    TestHost test_host;
    test_host_init(&test_host);
    PliTree tree;
    assert_int_equal(pli_tree_build_groups(&items.def, groups, 1, &test_host.host, &tree),
                     PLIANT_OK);
    assert_true(tree.leaf_count > 1);
    for (int32_t leaf = 0; leaf < tree.leaf_count; leaf++)
        for (int32_t i = 0; i < tree.leaves[leaf].count; i++)
            assert_int_equal(tree.order[tree.leaves[leaf].first + i] % 2,
                             tree.order[tree.leaves[leaf].first] % 2);
    pli_tree_free(&tree, &test_host.host);
    free_items(&items);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    Items items = random_items(3000, 5);
    items.def.leaf_size = 4;
    for (int64_t fail_at = 1;; fail_at++) {
        TestHost host;
        test_host_init(&host);
        host.fail_at = fail_at;
        PliTree tree;
        PliantResult result = pli_tree_build(&items.def, &host.host, &tree);
        bool did_fail = host.calls >= fail_at;
        assert_int_equal(result, did_fail ? PLIANT_OUT_OF_MEMORY : PLIANT_OK);
        pli_tree_free(&tree, &host.host);
        assert_int_equal(host.blocks, 0);
        assert_int_equal(host.bytes, 0);
        if (!did_fail)
            break;
    }
    free_items(&items);
}

static void test_invalid_trees_are_told(void **state)
{
    (void)state;
    Items items = random_items(300, 6);
    items.def.leaf_size = 4;
    int32_t seen[300];
    PliTree tree = build(&items.def);
    int32_t *const fields[] = {&tree.order[7],
                               &tree.leaves[3].first,
                               &tree.leaves[3].count,
                               &tree.nodes[1].range.first,
                               &tree.nodes[1].range.count,
                               &tree.nodes[2].child_count,
                               &tree.nodes[0].children[1],
                               &tree.nodes[tree.node_count - 1].children[0],
                               &tree.item_count,
                               &tree.leaf_count,
                               &tree.node_count};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        int32_t value = *fields[f];
        *fields[f] = value - 1;
        assert_false(pli_tree_is_valid(&tree, seen));
        *fields[f] = value;
    }
    assert_true(pli_tree_is_valid(&tree, seen));
    drop(&tree);
    free_items(&items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds_are_trees),
        cmocka_unit_test(test_odd_boxes),
        cmocka_unit_test(test_full_trees_are_full),
        cmocka_unit_test(test_patches_are_connected),
        cmocka_unit_test(test_full_leaves_are_tight),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_groups_stay_apart),
        cmocka_unit_test(test_scattered_leaves_are_cut),
        cmocka_unit_test(test_invalid_trees_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
