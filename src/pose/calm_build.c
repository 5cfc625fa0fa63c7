/* What is known of each leaf of a shape and of those near it at rest: see calm.h.
 *
 * Which leaves these are, how firm their pairs of triangles are (firm.c), which pairs are suspects,
 * and what their vertices follow (calm_fit.c).
 */
#include "pose/calm_build.h"

#include <string.h>

/* Pairs worse than this are suspects. There are so many of them at most, or the next row counts. */
static const double SUSPECT_K[] = {0.12, 0.06, 0.03}, SUSPECT_E[] = {6, 12, 24};
enum { MOST_SUSPECTS = 24 };

/* How much larger boxes are taken, to find what is near: a part of their own size. What comes near
 * without having been so is looked at as if nothing were known. */
static const float GROWTH = 0.125f;

/* ---- Suspects -----------------------------------------------------------------------------------
 */

static void add_bad(PliBadPairs *bad, const PliFirmness *firmness, int32_t near, int32_t own,
                    int32_t other)
{
    bad->are_too_many |= bad->count == PLI_MOST_BAD_PAIRS;
    if (!bad->are_too_many)
        bad->items[bad->count++] =
            (PliBadPair){firmness->k, firmness->e, (uint8_t)near, (uint8_t)own, (uint8_t)other};
}

static int32_t take_triangles(const PliantShape *shape, int32_t leaf, PliFirmTriangle *triangles)
{
    PliRange range = shape->tree.leaves[leaf];
    for (int32_t j = 0; j < range.count; j++)
        pli_firm_triangle(shape, range.first + j, &triangles[j]);
    return range.count;
}

/* All pairs of a triangle of a leaf with one of a leaf near it, or of itself if that is the first.
 */
static void take_leaf(const PliantShape *shape, const PliFirmTriangle *own, int32_t own_count,
                      int32_t near, int32_t leaf, const PliFirmRow *row, const PliFirmness *good,
                      float size, PliBadPairs *bad)
{
    PliFirmTriangle others[PLI_LEAF_SIZE];
    uint32_t taken = 0;
    const PliRange range = shape->tree.leaves[leaf];
    const PliFirmNeed needed = pli_firm_need(good);
    for (int32_t i = 0; i < own_count && !bad->are_too_many; i++) {
        uint32_t bits = pli_firm_first_look(&own[i], row, needed, size) & ((1u << range.count) - 1);
        bits &= near == 0 ? ~0u << (i + 1) : ~0u;
        for (; bits; bits &= bits - 1) {
            int32_t j = __builtin_ctz(bits);
            PliFirmness here = {1, 0};
            if (!(taken >> j & 1))
                pli_firm_triangle(shape, range.first + j, &others[j]);
            taken |= 1u << j;
            pli_firm_take_pair(&own[i], &others[j], &here);
            if (!(here.k >= good->k && here.e <= good->e))
                add_bad(bad, &here, near, i, j);
        }
    }
}

static bool is_suspect(const PliBadPair *pair, int row, double longest)
{
    return !(pair->k >= SUSPECT_K[row] && pair->e <= SUSPECT_E[row] * longest);
}

/* The first row of which there are few enough suspects, or -1. */
static int choose_row(const PliBadPairs *bad, double longest)
{
    for (int row = 0; row < 3 && !bad->are_too_many; row++) {
        int32_t count = 0;
        for (int32_t i = 0; i < bad->count; i++)
            count += is_suspect(&bad->items[i], row, longest);
        if (count <= MOST_SUSPECTS)
            return row;
    }
    return -1;
}

/* ---- What is near -------------------------------------------------------------------------------
 */

static PliBox *box_of(const PliCalmBuilder *builder, int32_t part)
{
    return &builder->boxes[part < 0 ? ~part : builder->shape->tree.leaf_count + part];
}

/* The box of a leaf, and a row of its triangles. */
static PliBox box_of_leaf(const PliCalmBuilder *builder, int32_t leaf)
{
    PliFirmTriangle triangles[PLI_LEAF_SIZE] = {{{0}, {0}, {{0}}, 0, {0}, {0}}};
    const int32_t count = take_triangles(builder->shape, leaf, triangles);
    PliBox box = {{0}, {0}};
    pli_firm_row(triangles, count, &builder->rows[leaf]);
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const PliFirmTriangle *t = &triangles[i];
            box.low[k] = i == 0 || t->low[k] < box.low[k] ? t->low[k] : box.low[k];
            box.high[k] = i == 0 || t->high[k] > box.high[k] ? t->high[k] : box.high[k];
        }
    return box;
}

/* Boxes at rest, a part of their own size larger. */
static void make_boxes(const PliCalmBuilder *builder)
{
    const PliTree *tree = &builder->shape->tree;
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        PliBox box = box_of_leaf(builder, leaf);
        float size = 0;
        for (int k = 0; k < 3; k++)
            size = box.high[k] - box.low[k] > size ? box.high[k] - box.low[k] : size;
        for (int k = 0; k < 3; k++) {
            box.low[k] -= GROWTH * size;
            box.high[k] += GROWTH * size;
        }
        builder->boxes[leaf] = box;
    }
    for (int32_t node = tree->node_count - 1; node >= 0; node--) {
        const PliTreeNode *here = &tree->nodes[node];
        PliBox *box = box_of(builder, node);
        *box = *box_of(builder, here->children[0]);
        for (int32_t i = 1; i < here->child_count; i++) {
            const PliBox *child = box_of(builder, here->children[i]);
            box->low = pli_min4(child->low, box->low);
            box->high = pli_max4(child->high, box->high);
        }
    }
}

/* The leaves near one, itself the first of them. Returns how many, or -1 if they are too many. */
static int32_t find_near(const PliCalmBuilder *builder, int32_t leaf, int32_t *near)
{
    const PliTree *tree = &builder->shape->tree;
    const PliBox *box = &builder->boxes[leaf];
    int32_t count = 0, waiting = 0;
    near[count++] = leaf;
    if (tree->node_count > 0)
        builder->stack[waiting++] = 0;
    while (waiting > 0) {
        const PliTreeNode *node = &tree->nodes[builder->stack[--waiting]];
        for (int32_t i = 0; i < node->child_count; i++) {
            int32_t child = node->children[i];
            if (!pli_box_meets(box, box_of(builder, child)) || ~child == leaf)
                continue;
            if (child >= 0)
                builder->stack[waiting++] = child;
            else if (count > PLI_MOST_NEAR)
                return -1;
            else
                near[count++] = ~child;
        }
    }
    return count;
}

/* ---- All leaves ---------------------------------------------------------------------------------
 */

/* Writes down the leaves near one, each with its suspects. */
static PliantResult put_near(PliCalmBuilder *builder, PliCalmLeaf *leaf, const int32_t *near,
                             int32_t near_count, const PliBadPairs *bad, int row, double longest)
{
    PliCalm *calm = builder->calm;
    void *room;
    PliantResult result = pli_array_push(&calm->nears, builder->host, near_count, &room);
    leaf->near_first = (int32_t)(calm->nears.count - near_count);
    for (int32_t n = 0, i = 0; n < near_count && result == PLIANT_OK; n++) {
        PliCalmNear *here = (PliCalmNear *)calm->nears.items + leaf->near_first + n;
        *here = (PliCalmNear){near[n], (int32_t)(calm->suspects.count / 2), 0};
        for (; i < bad->count && bad->items[i].near == n && result == PLIANT_OK; i++) {
            const PliBadPair *pair = &bad->items[i];
            if (!is_suspect(pair, row, longest))
                continue;
            result = pli_array_push(&calm->suspects, builder->host, 2, &room);
            if (result != PLIANT_OK)
                break;
            ((uint8_t *)room)[0] = pair->own;
            ((uint8_t *)room)[1] = pair->other;
            here->count++;
        }
    }
    leaf->near_count = near_count;
    return result;
}

static double longest_of(const PliFirmTriangle *triangles, int32_t count)
{
    double longest = 0;
    for (int32_t i = 0; i < count; i++)
        longest = triangles[i].longest > longest ? triangles[i].longest : longest;
    return sqrt(longest);
}

static PliantResult look_at_near(PliCalmBuilder *builder, PliCalmLeaf *leaf, const int32_t *near,
                                 int32_t near_count)
{
    PliFirmTriangle own[PLI_LEAF_SIZE];
    PliBadPairs *bad = builder->bad;
    const int32_t own_count = take_triangles(builder->shape, near[0], own);
    const double longest = longest_of(own, own_count);
    const float *reaches = builder->shape->blends.reaches;
    PliFirmness firmness = {PLI_GOOD_K, PLI_GOOD_E * longest};
    const PliFirmness good = firmness;
    bad->count = 0;
    bad->are_too_many = false;
    for (int32_t i = 0; i < near_count; i++)
        if (!builder->rows[near[i]].is_known)
            return PLIANT_OK;
    for (int32_t i = 0; i < near_count; i++)
        take_leaf(builder->shape, own, own_count, i, near[i], &builder->rows[near[i]], &good,
                  reaches[0] + reaches[1] + reaches[2], bad);
    int row = choose_row(bad, longest);
    if (row < 0)
        return PLIANT_OK;
    for (int32_t i = 0; i < bad->count; i++)
        if (!is_suspect(&bad->items[i], row, longest))
            pli_firm_worsen(&firmness, bad->items[i].k, bad->items[i].e);
    PliantResult result = put_near(builder, leaf, near, near_count, bad, row, longest);
    if (result != PLIANT_OK)
        return result;
    leaf->firmness = (float)(firmness.k * PLI_DOWN);
    leaf->bulge = (float)(firmness.e * PLI_UP);
    return pli_calm_look_at_vertices(builder, leaf, near, near_count);
}

static bool has_marked(const PliCalmBuilder *builder, int32_t leaf)
{
    PliRange range = builder->shape->tree.leaves[leaf];
    for (int32_t i = 0; i < 3 * range.count; i++) {
        int32_t triangle = builder->shape->tree.order[range.first + i / 3];
        if (builder->marks[builder->shape->triangles[3 * (size_t)triangle + (size_t)(i % 3)]] >= 0)
            return true;
    }
    return false;
}

/* Takes the vertices of those leaves that hang together with the first one, and moves these to the
 * front. Returns how many they are. What is near but hangs on something else, a finger beside
 * another or an arm at the waist, goes its own way, and nothing is known of both together. */
static int32_t take_connected(PliCalmBuilder *builder, int32_t *near, int32_t near_count)
{
    int32_t taken = 0;
    builder->vertex_count = 0;
    for (int32_t next = 0; next < near_count; next++) {
        while (next < near_count && next > 0 && !has_marked(builder, near[next]))
            next++;
        if (next == near_count)
            break;
        int32_t leaf = near[next];
        near[next] = near[taken];
        near[taken++] = leaf;
        pli_calm_take_vertices(builder, leaf);
        if (taken == 1)
            builder->own_count = builder->vertex_count;
        next = taken - 1;
    }
    return taken;
}

static PliantResult look_at_leaf(PliCalmBuilder *builder, int32_t number)
{
    PliCalmLeaf *leaf = &builder->calm->leaves[number];
    int32_t near[PLI_MOST_NEAR + 1], near_count = find_near(builder, number, near);
    *leaf = (PliCalmLeaf){0};
    if (near_count > 0)
        near_count = take_connected(builder, near, near_count);
    PliantResult result =
        near_count > 0 ? look_at_near(builder, leaf, near, near_count) : PLIANT_OK;
    for (int32_t v = 0; v < builder->vertex_count; v++)
        builder->marks[builder->vertices[v]] = -1;
    builder->vertex_count = 0;
    return result;
}

static PliantResult look_at_all(PliCalmBuilder *builder, PliArena *arena)
{
    const PliShapeHeader *header = builder->shape->header;
    const PliTree *tree = &builder->shape->tree;
    const size_t vertex_count = (size_t)header->vertex_count, moves = (size_t)header->move_count;
    void *boxes = NULL, *stack = NULL, *marks = NULL, *firsts = NULL, *targets = NULL;
    void *places = NULL, *nearness = NULL, *bad = NULL, *rows = NULL;
    const size_t part_count = (size_t)tree->leaf_count + (size_t)tree->node_count;
    PliantResult result = pli_arena_take(arena, part_count, sizeof(PliBox), &boxes);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, (size_t)tree->node_count, sizeof(int32_t), &stack);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, (size_t)3 * PLI_LEAF_SIZE * (PLI_MOST_NEAR_VERTICES + 16),
                                sizeof(float), &nearness);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, (size_t)tree->leaf_count, sizeof(PliFirmRow), &rows);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, 1, sizeof(PliBadPairs), &bad);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, vertex_count, sizeof(int32_t), &marks);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, vertex_count + 1, sizeof(int32_t), &firsts);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, moves, sizeof(int32_t), &targets);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, moves, sizeof(int32_t), &places);
    if (result != PLIANT_OK)
        return result;
    builder->boxes = boxes;
    builder->stack = stack;
    builder->nearness = nearness;
    builder->bad = bad;
    builder->rows = rows;
    builder->marks = marks;
    builder->move_firsts = firsts;
    builder->move_targets = targets;
    builder->move_places = places;
    memset(marks, 0xff, vertex_count * sizeof(int32_t));
    pli_calm_turn_moves(builder);
    make_boxes(builder);
    for (int32_t leaf = 0; leaf < tree->leaf_count && result == PLIANT_OK; leaf++)
        result = look_at_leaf(builder, leaf);
    return result;
}

static PliantResult allocate_calm(const PliantShape *shape, const PliantHost *host, PliCalm **calm)
{
    const size_t leaf_count = (size_t)shape->tree.leaf_count;
    void *block = NULL, *leaves = NULL, *states = NULL, *maps = NULL;
    const size_t joint_count = (size_t)shape->header->joint_count;
    PliantResult result = pli_allocate(host, 1, sizeof(PliCalm), &block);
    if (result != PLIANT_OK)
        return result;
    result = pli_allocate(host, leaf_count, sizeof(PliCalmLeaf), &leaves);
    if (result == PLIANT_OK)
        result = pli_allocate(host, leaf_count, 1, &states);
    if (result == PLIANT_OK)
        result = pli_allocate(host, joint_count, sizeof(PliCalmMap), &maps);
    if (result != PLIANT_OK) {
        pli_release(host, states, leaf_count, 1);
        pli_release(host, leaves, leaf_count, sizeof(PliCalmLeaf));
        pli_release(host, block, 1, sizeof(PliCalm));
        return result;
    }
    *calm = block;
    **calm = (PliCalm){.leaves = leaves,
                       .states = states,
                       .maps = maps,
                       .nears = {.item_size = sizeof(PliCalmNear)},
                       .suspects = {.item_size = 1},
                       .joints = {.item_size = sizeof(PliCalmJoint)},
                       .targets = {.item_size = sizeof(PliCalmTarget)}};
    return PLIANT_OK;
}

PliantResult pli_calm_create(const PliantShape *shape, const PliantHost *host, PliCalm **calm)
{
    PliCalm *fresh = NULL;
    void *room = NULL;
    PliArena arena;
    PliantResult result = allocate_calm(shape, host, &fresh);
    if (result != PLIANT_OK)
        return result;
    pli_arena_init(&arena, host);
    result = pli_arena_take(&arena, 1, sizeof(PliCalmBuilder), &room);
    if (result == PLIANT_OK) {
        PliCalmBuilder *builder = room;
        builder->vertex_count = 0;
        builder->shape = shape;
        builder->host = host;
        builder->calm = fresh;
        result = look_at_all(builder, &arena);
    }
    pli_arena_free(&arena);
    if (result == PLIANT_OK)
        *calm = fresh;
    else
        pli_calm_free(fresh, shape, host);
    return result;
}

void pli_calm_free(PliCalm *calm, const PliantShape *shape, const PliantHost *host)
{
    if (!calm)
        return;
    const size_t leaf_count = (size_t)shape->tree.leaf_count;
    pli_array_free(&calm->nears, host);
    pli_array_free(&calm->suspects, host);
    pli_array_free(&calm->joints, host);
    pli_array_free(&calm->targets, host);
    pli_release(host, calm->leaves, leaf_count, sizeof(PliCalmLeaf));
    pli_release(host, calm->states, leaf_count, 1);
    pli_release(host, calm->maps, (size_t)shape->header->joint_count, sizeof(PliCalmMap));
    pli_release(host, calm, 1, sizeof(PliCalm));
}

size_t pli_calm_bytes(const PliCalm *calm, const PliantShape *shape)
{
    if (!calm)
        return 0;
    return sizeof *calm + pli_array_bytes(&calm->nears) + pli_array_bytes(&calm->suspects) +
           pli_array_bytes(&calm->joints) + pli_array_bytes(&calm->targets) +
           (size_t)shape->tree.leaf_count * (sizeof(PliCalmLeaf) + 1) +
           (size_t)shape->header->joint_count * sizeof(PliCalmMap);
}
