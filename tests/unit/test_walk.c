/* The walk of two trees against all pairs of leaves: one end or two, with and without a reach. And
 * a walk that is divided, or that sets parts aside, is the whole walk. */
#include "host.h"
#include "scenes.h"
#include "tree/walk.h"
#include "unit.h"

#include <string.h>

enum { ITEMS = 700, SMALL_ITEMS = 90, LEAF_SIZE = 3 };

/* ---- Trees ------------------------------------------------------------------------------------
 */

/* Bounds of given boxes, at one end. */
typedef struct End {
    PliBounds bounds;
    PliBox boxes[ITEMS];
} End;

typedef struct Moving {
    PliTree tree;
    End ends[2];
} Moving;

static TestHost host;
static PliWorker worker;
static PliKernels kernels;

static PliBox box_of(const End *end, int32_t part)
{
    const PliTree *tree = end->bounds.tree;
    const PliRange range = part < 0 ? tree->leaves[~part] : tree->nodes[part].range;
    PliBox box = pli_box_empty();
    for (int32_t i = 0; i < range.count; i++)
        pli_box_add(&box, &end->boxes[tree->order[range.first + i]]);
    return box;
}

static void set_box(PliBoxes *boxes, int i, const PliBox *box)
{
    for (int k = 0; k < 3; k++) {
        boxes->low[k][i] = box ? box->low[k] : NAN;
        boxes->high[k][i] = box ? box->high[k] : NAN;
    }
}

static bool open_node(const PliBounds *bounds, int32_t node, uint32_t stamp, PliWorker *with,
                      PliBoxes *boxes, float *extra)
{
    const PliTreeNode *opened = &bounds->tree->nodes[node];
    (void)stamp;
    (void)with;
    (void)extra;
    for (int i = 0; i < 8; i++) {
        const PliBox box = i < opened->child_count
                               ? box_of((const End *)bounds, opened->children[i])
                               : pli_box_empty();
        set_box(boxes, i, i < opened->child_count ? &box : NULL);
    }
    return true;
}

static PliBox random_box(SceneRandom *random, float size)
{
    PliBox box = pli_box_empty();
    for (int k = 0; k < 3; k++) {
        box.low[k] = (float)scene_random(random);
        box.high[k] = box.low[k] + size * (float)scene_random(random);
    }
    return box;
}

/* Boxes that go some way, each its own. */
static Moving *create_moving(uint64_t seed, int32_t count, float size)
{
    SceneRandom random = {seed};
    Moving *moving = aligned_alloc(64, (sizeof *moving + 63) / 64 * 64);
    memset(moving, 0, sizeof *moving);
    for (int32_t i = 0; i < count; i++) {
        moving->ends[0].boxes[i] = moving->ends[1].boxes[i] = random_box(&random, size);
        for (int k = 0; k < 3; k++) {
            const float way = 0.2f * ((float)scene_random(&random) - 0.5f);
            moving->ends[1].boxes[i].low[k] += way;
            moving->ends[1].boxes[i].high[k] += way;
        }
    }
    const PliTreeDef def = {.leaf_size = LEAF_SIZE,
                            .child_count = 8,
                            .item_count = count,
                            .boxes = moving->ends[0].boxes};
    MUST(pli_tree_build(&def, &host.host, &moving->tree));
    for (int end = 0; end < 2; end++) {
        PliBounds *bounds = &moving->ends[end].bounds;
        *bounds = (PliBounds){.tree = &moving->tree,
                              .node_slots =
                                  calloc((size_t)moving->tree.node_count + 1, sizeof(PliNodeSlot)),
                              .boxes = {.item_size = sizeof(PliBoxes)},
                              .extra = {.item_size = 1},
                              .frame = 3,
                              .oldest = 1,
                              .open = open_node};
        bounds->root = box_of(&moving->ends[end], moving->tree.node_count == 0 ? ~0 : 0);
        /* Nodes have other slots than at the other end: a walk must not mix them up. */
        for (int32_t n = moving->tree.node_count - 1; end == 1 && n >= 0; n--) {
            MUST(pli_bounds_slots_claim(bounds, n, &host.host));
            bounds->node_slots[n].stamp = bounds->oldest;
        }
    }
    return moving;
}

static void destroy_moving(Moving *moving)
{
    for (int end = 0; end < 2; end++) {
        pli_bounds_slots_free(&moving->ends[end].bounds, &host.host);
        free(moving->ends[end].bounds.node_slots);
    }
    pli_tree_free(&moving->tree, &host.host);
    free(moving);
}

/* ---- Leaf pairs -------------------------------------------------------------------------------
 */

typedef struct Found {
    PliArray pairs; /* of PliMovingLeafPair; without times, all are 0 */
    int64_t step_count;
} Found;

static int compare(const void *x, const void *y)
{
    const PliMovingLeafPair *a = x, *b = y;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

/* Adds pairs as a walk gave them. Those of a tree and itself come in either order. */
static void add_found(Found *found, const PliWalkDef *def, const void *pairs, int64_t count)
{
    void *room;
    MUST(pli_array_push(&found->pairs, &host.host, count, &room));
    for (int64_t i = 0; i < count; i++) {
        PliMovingLeafPair pair = {0};
        const size_t size = def->has_times ? sizeof pair : sizeof(PliLeafPair);
        memcpy(&pair, (const char *)pairs + (size_t)i * size, size);
        if (def->a.start == def->b.start && pair.a > pair.b)
            pair = (PliMovingLeafPair){pair.b, pair.a, pair.time};
        memcpy((PliMovingLeafPair *)room + i, &pair, sizeof pair);
    }
}

static void add_walk(Found *found, PliWalk *walk)
{
    PliArray pairs = {.item_size =
                          walk->def.has_times ? sizeof(PliMovingLeafPair) : sizeof(PliLeafPair)};
    while (!pli_walk_is_done(walk)) {
        MUST(pli_walk_on(walk, &worker, 50, &pairs));
        add_found(found, &walk->def, pairs.items, pairs.count);
        pairs.count = 0;
        if (walk->long_parts && walk->long_parts->count >= 50)
            break;
    }
    pli_array_free(&pairs, &host.host);
}

static Found empty_found(void)
{
    return (Found){.pairs = {.item_size = sizeof(PliMovingLeafPair)}};
}

/* The kernel decides each two leaves; the walk has to bring all of them, and no other. */
static Found expected(const PliWalkDef *def, const Moving *a, const Moving *b,
                      const uint8_t *new_leaves)
{
    Found found = empty_found();
    for (int32_t i = 0; i < a->tree.leaf_count; i++)
        for (int32_t j = a == b ? i : 0; j < b->tree.leaf_count; j++) {
            PliBoxes boxes[4];
            float times[64];
            for (int n = 0; n < 4; n++) {
                const PliBox box = n < 2 ? box_of(&a->ends[def->has_times * n], ~i)
                                         : box_of(&b->ends[def->has_times * (n - 2)], ~j);
                const PliBox wide = pli_box_widened(&box, def->reach);
                memset(&boxes[n], 0xff, sizeof boxes[n]);
                set_box(&boxes[n], 0, def->reach > 0 && n < 2 ? &wide : &box);
            }
            const uint64_t bits = kernels.overlap_moving((PliMovingBoxes){&boxes[0], &boxes[1]},
                                                         (PliMovingBoxes){&boxes[2], &boxes[3]},
                                                         def->has_times ? def->until : 0, times);
            const PliMovingLeafPair pair = {i, j, times[0]};
            if (bits & 1 && (!new_leaves || new_leaves[i] || new_leaves[j])) {
                void *room;
                MUST(pli_array_push(&found.pairs, &host.host, 1, &room));
                memcpy(room, &pair, sizeof pair);
            }
        }
    return found;
}

static void assert_same(Found *found, Found *other, bool has_times)
{
    assert_int_equal(found->pairs.count, other->pairs.count);
    Found *const both[] = {found, other};
    for (int i = 0; i < 2 && found->pairs.count > 0; i++)
        qsort(both[i]->pairs.items, (size_t)both[i]->pairs.count, sizeof(PliMovingLeafPair),
              compare);
    for (int64_t i = 0; i < found->pairs.count; i++) {
        const PliMovingLeafPair *x = (const PliMovingLeafPair *)found->pairs.items + i,
                                *y = (const PliMovingLeafPair *)other->pairs.items + i;
        assert_int_equal(x->a, y->a);
        assert_int_equal(x->b, y->b);
        /* The kernel is not symmetric in its rounding: a and b of a self pair may be exchanged. */
        assert_true(!has_times || fabsf(x->time - y->time) <= 1e-5f);
    }
    pli_array_free(&other->pairs, &host.host);
}

/* ---- All kinds of walks -----------------------------------------------------------------------
 */

/* Calls a check for a tree and another one, a large one and one of a single leaf, and a tree and
 * itself, each at one end and at two, with and without a reach, in either order. */
typedef void Check(const PliWalkDef *def, const Moving *a, const Moving *b);

static PliMovingBounds bounds_of(Moving *moving, bool moves)
{
    return (PliMovingBounds){&moving->ends[0].bounds, &moving->ends[moves].bounds, false};
}

static void for_all_walks(Check *check)
{
    Moving *trees[] = {create_moving(1, ITEMS, 0.05f), create_moving(2, ITEMS, 0.05f),
                       create_moving(3, SMALL_ITEMS, 0.4f), create_moving(4, 2, 0.6f)};
    const int pairs[][2] = {{0, 1}, {0, 2}, {2, 0}, {0, 3}, {3, 3}, {0, 0}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (int kind = 0; kind < 8; kind++) {
            Moving *a = trees[pairs[p][0]], *b = trees[pairs[p][1]];
            const bool has_times = kind & 1;
            const PliWalkDef def = {.a = bounds_of(a, has_times),
                                    .b = bounds_of(b, has_times),
                                    .reach = kind & 2 ? 0.03f : 0,
                                    .has_times = has_times,
                                    .until = 0.7f,
                                    .is_best_first = kind & 4};
            check(&def, a, b);
        }
    for (int i = 0; i < 4; i++)
        destroy_moving(trees[i]);
}

static Found walk_whole(const PliWalkDef *def)
{
    Found found = empty_found();
    PliWalk walk;
    pli_walk_init(&walk);
    MUST(pli_walk_start(&walk, def, &host.host));
    add_walk(&found, &walk);
    found.step_count = walk.step_count;
    pli_walk_free(&walk, &host.host);
    return found;
}

static void check_all(const PliWalkDef *def, const Moving *a, const Moving *b)
{
    Found found = walk_whole(def), right = expected(def, a, b, NULL);
    assert_true(found.pairs.count > 0);
    assert_same(&found, &right, def->has_times);
    pli_array_free(&found.pairs, &host.host);
}

/* Divides a walk, and walks its parts one by one. */
static void check_divided(const PliWalkDef *def, const Moving *a, const Moving *b)
{
    (void)a;
    (void)b;
    enum { WANTED = 40, PART = 7 };
    Found found = empty_found(), whole = walk_whole(def);
    PliArray pairs = {.item_size =
                          def->has_times ? sizeof(PliMovingLeafPair) : sizeof(PliLeafPair)};
    PliWalk walk, part;
    pli_walk_init(&walk);
    pli_walk_init(&part);
    MUST(pli_walk_start(&walk, def, &host.host));
    MUST(pli_walk_widen(&walk, &worker, WANTED, &pairs));
    assert_true(pli_walk_is_done(&walk) || walk.stack.count >= WANTED);
    add_found(&found, def, pairs.items, pairs.count);
    for (int64_t first = 0; first < walk.stack.count; first += PART) {
        const int64_t left = walk.stack.count - first;
        pli_walk_start_part(&part, def);
        MUST(pli_walk_add(&part, (const PliTreePartPair *)walk.stack.items + first,
                          left < PART ? left : PART, &host.host));
        add_walk(&found, &part);
    }
    assert_int_equal(walk.step_count + part.step_count, whole.step_count);
    assert_same(&found, &whole, def->has_times);
    pli_array_free(&found.pairs, &host.host);
    pli_array_free(&pairs, &host.host);
    pli_walk_free(&walk, &host.host);
    pli_walk_free(&part, &host.host);
}

/* Parts that were set aside are walked afterward. */
static void check_long(const PliWalkDef *def, const Moving *a, const Moving *b)
{
    (void)a;
    (void)b;
    Found found = empty_found(), whole = walk_whole(def);
    PliArray long_parts = {.item_size = sizeof(PliTreePartPair)};
    PliWalk walk, part;
    pli_walk_init(&walk);
    pli_walk_init(&part);
    MUST(pli_walk_start(&walk, def, &host.host));
    walk.long_parts = &long_parts;
    while (!pli_walk_is_done(&walk)) {
        add_walk(&found, &walk);
        pli_walk_start_part(&part, def);
        MUST(pli_walk_add(&part, long_parts.items, long_parts.count, &host.host));
        long_parts.count = 0;
        add_walk(&found, &part);
    }
    assert_same(&found, &whole, def->has_times);
    pli_array_free(&found.pairs, &host.host);
    pli_array_free(&long_parts, &host.host);
    pli_walk_free(&walk, &host.host);
    pli_walk_free(&part, &host.host);
}

/* One leaf in nine is new. */
static void check_new(const PliWalkDef *def, const Moving *a, const Moving *b)
{
    static uint8_t new_leaves[ITEMS], new_children[ITEMS];
    const PliTree *tree = &a->tree;
    Found found = empty_found();
    if (a != b)
        return; /* one table is of both */
    for (int32_t i = 0; i < tree->leaf_count; i++)
        new_leaves[i] = i % 9 == 0;
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        const PliTreeNode *node = &tree->nodes[n];
        new_children[n] = 0;
        for (int i = 0; i < node->child_count; i++) {
            const int32_t child = node->children[i];
            const bool is_new = child < 0 ? new_leaves[~child] : new_children[child];
            new_children[n] |= (uint8_t)(is_new << i);
        }
    }
    PliWalk walk;
    pli_walk_init(&walk);
    MUST(pli_walk_start(&walk, def, &host.host));
    walk.new_leaves = new_leaves;
    walk.new_children = new_children;
    add_walk(&found, &walk);
    Found right = expected(def, a, b, new_leaves);
    assert_same(&found, &right, def->has_times);
    pli_array_free(&found.pairs, &host.host);
    pli_walk_free(&walk, &host.host);
}

/* Once `until` becomes less, nothing later comes, and all that is earlier does. */
static void check_until(const PliWalkDef *def, const Moving *a, const Moving *b)
{
    (void)a;
    (void)b;
    if (!def->has_times)
        return;
    Found found = empty_found(), early = empty_found();
    PliArray pairs = {.item_size = sizeof(PliMovingLeafPair)};
    PliWalkDef less = *def;
    PliWalk walk;
    less.until = 0.25f;
    Found whole = walk_whole(&less);
    pli_walk_init(&walk);
    MUST(pli_walk_start(&walk, def, &host.host));
    MUST(pli_walk_on(&walk, &worker, 20, &pairs));
    add_found(&found, def, pairs.items, pairs.count);
    walk.def.until = less.until;
    const int64_t before = found.pairs.count;
    add_walk(&found, &walk);
    for (int64_t i = 0; i < found.pairs.count; i++) {
        const PliMovingLeafPair *pair = (const PliMovingLeafPair *)found.pairs.items + i;
        assert_true(i < before || pair->time <= less.until);
        if (pair->time <= less.until) {
            void *room;
            MUST(pli_array_push(&early.pairs, &host.host, 1, &room));
            memcpy(room, pair, sizeof *pair);
        }
    }
    assert_same(&early, &whole, true);
    pli_array_free(&early.pairs, &host.host);
    pli_array_free(&found.pairs, &host.host);
    pli_array_free(&pairs, &host.host);
    pli_walk_free(&walk, &host.host);
}

#define TEST(name)                                                                                 \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        for_all_walks(check_##name);                                                               \
        assert_int_equal(host.blocks, 0);                                                          \
    }
TEST(all)
TEST(divided)
TEST(long)
TEST(new)
TEST(until)

/* The children of the roots wait in the order of their times, the earliest on top. */
static void test_best_first(void **state)
{
    (void)state;
    Moving *a = create_moving(1, ITEMS, 0.05f), *b = create_moving(2, ITEMS, 0.05f);
    PliWalkDef def = {.a = bounds_of(a, true),
                      .b = bounds_of(b, true),
                      .has_times = true,
                      .until = 1,
                      .is_best_first = true};
    PliArray pairs = {.item_size = sizeof(PliMovingLeafPair)};
    PliWalk walk;
    pli_walk_init(&walk);
    MUST(pli_walk_start(&walk, &def, &host.host));
    MUST(pli_walk_widen(&walk, &worker, 2, &pairs));
    const PliTreePartPair *stack = walk.stack.items;
    assert_true(walk.stack.count > 8);
    for (int64_t i = 1; i < walk.stack.count; i++)
        assert_true(stack[i].time <= stack[i - 1].time);
    pli_walk_free(&walk, &host.host);
    pli_array_free(&pairs, &host.host);
    destroy_moving(a);
    destroy_moving(b);
}

int main(void)
{
    test_host_init(&host);
    pli_kernels_fill(&kernels, 0);
    pli_worker_init(&worker, &host.host, &kernels);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),   cmocka_unit_test(test_divided),
        cmocka_unit_test(test_long),  cmocka_unit_test(test_new),
        cmocka_unit_test(test_until), cmocka_unit_test(test_best_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
