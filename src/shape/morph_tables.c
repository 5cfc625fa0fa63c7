/* What is blended, made from targets: the tables of leaves, and the bounds of nodes. See shape.h.
 */
#include "shape/morph_tables.h"
#include "base/tasks.h"
#include "geom/geom.h"
#include "shape/shape.h"
#include "shape/vertex_set.h"

#include <string.h>

/* The most vertices of a leaf, and the most groups of bounds. */
enum { MAX_POINTS = 3 * PLI_LEAF_SIZE, MAX_GROUPS = 18 };

/* The base, where a term is asked for. */
enum { BASE = -1 };

static void clear(void *memory, size_t count, size_t item_size)
{
    if (count > 0)
        memset(memory, 0, count * item_size);
}

/* The arrays that are made, and what is needed on the way. */
typedef struct Builder {
    const PliantShape *shape;
    const PliTree *tree;
    const PliantHost *host;
    PliMorphTables *morph_tables;
    float *reaches, *points, *bounds;
    uint8_t *leaf_corners;
    PliLeafTable *tables;
    uint64_t *leaf_masks, *node_masks;
    int32_t *node_firsts;

    uint8_t *marks;         /* of each vertex: does a triangle have it? */
    int32_t *vertex_firsts; /* where the moves of each vertex begin in these two, and the end */
    int32_t *moves, *move_targets;
    PliRange *node_leaves; /* below each node */
} Builder;

static bool is_relative(const Builder *builder)
{
    return builder->morph_tables->morph_kind == PLIANT_MORPH_DISPLACEMENTS;
}

/* Do leaves have a table of the base? */
static bool has_base(const Builder *builder)
{
    return builder->morph_tables->has_base_tables;
}

static uint64_t *leaf_mask(const Builder *builder, int32_t leaf)
{
    return builder->leaf_masks + (size_t)leaf * (size_t)builder->morph_tables->word_count;
}

static uint64_t *node_mask(const Builder *builder, int32_t node)
{
    return builder->node_masks + (size_t)node * (size_t)builder->morph_tables->word_count;
}

static const uint64_t *mask_of(const Builder *builder, int32_t part)
{
    return part < 0 ? leaf_mask(builder, ~part) : node_mask(builder, part);
}

/* ---- Which targets move which vertex --------------------------------------------------------- */

/* The moves of each vertex, by target: counted, then placed, each behind the one before. */
static void sort_moves(Builder *builder)
{
    const PliMorphTables *tables = builder->morph_tables;
    const int32_t vertex_count = builder->shape->header->vertex_count;
    int32_t *firsts = builder->vertex_firsts, count = tables->target_firsts[tables->target_count];
    clear(firsts, (size_t)vertex_count + 1, sizeof *firsts);
    for (int32_t m = 0; m < count; m++)
        firsts[tables->target_vertices[m] + 1]++;
    pli_groups_open(firsts, vertex_count);
    for (int32_t t = 0; t < tables->target_count; t++) {
        for (int32_t m = tables->target_firsts[t]; m < tables->target_firsts[t + 1]; m++) {
            int32_t index = firsts[tables->target_vertices[m]]++;
            builder->moves[index] = m;
            builder->move_targets[index] = t;
        }
    }
    pli_groups_close(firsts, vertex_count);
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Where the number of a corner of a leaf is: all first corners of its triangles come first. */
static uint8_t *corner_of(const Builder *builder, PliRange range, int32_t corner)
{
    return builder->leaf_corners + 3 * (size_t)range.first + range.count * (corner % 3) +
           corner / 3;
}

/* A vertex that is new to a leaf: the targets that move it are the leaf's. */
static void add_to_leaf(const Builder *builder, int32_t leaf, uint32_t vertex)
{
    for (int32_t i = builder->vertex_firsts[vertex]; i < builder->vertex_firsts[vertex + 1]; i++) {
        int32_t target = builder->move_targets[i];
        leaf_mask(builder, leaf)[target / 64] |= (uint64_t)1 << target % 64;
    }
}

/* Numbers the vertices of a leaf, in the order in which its corners come to them. */
static void number_leaf(const Builder *builder, int32_t leaf)
{
    enum { BITS = 7 }; /* of a set of MAX_POINTS vertices */
    uint32_t slots[1 << BITS];
    uint8_t numbers[1 << BITS];
    PliRange range = builder->tree->leaves[leaf];
    const uint32_t *corners = builder->shape->vertex_lists.corners + 3 * (size_t)range.first;
    builder->tables[leaf].count = 0;
    pli_vertex_set_clear(slots, BITS);
    for (int32_t c = 0; c < 3 * range.count; c++) {
        const uint32_t slot = pli_vertex_set_find(slots, BITS, corners[c]);
        if (slots[slot] == 0) {
            slots[slot] = corners[c] + 1;
            numbers[slot] = (uint8_t)builder->tables[leaf].count++;
            add_to_leaf(builder, leaf, corners[c]);
        }
        *corner_of(builder, range, c) = numbers[slot];
    }
}

/* References and what is between them are everywhere. */
static void fill_mask(const Builder *builder, uint64_t *mask)
{
    for (int32_t t = 0; t < builder->morph_tables->term_count; t++)
        mask[t / 64] |= (uint64_t)1 << t % 64;
}

static int32_t count_terms(const Builder *builder, const uint64_t *mask)
{
    int32_t count = 0;
    for (int32_t w = 0; w < builder->morph_tables->word_count; w++)
        count += __builtin_popcountll(mask[w]);
    return count;
}

/* How many tables a leaf has: bounds between references have none. */
static int64_t count_tables(const Builder *builder, int32_t leaf)
{
    const int32_t targets = is_relative(builder) ? count_terms(builder, leaf_mask(builder, leaf))
                                                 : builder->morph_tables->target_count;
    return (int64_t)has_base(builder) + targets;
}

/* PliPartTask: numbers some leaves, and counts the groups of each. */
static void number_leaves(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int32_t leaf = (int32_t)part->begin; leaf < part->end; leaf++) {
        PliLeafTable *table = &builder->tables[leaf];
        number_leaf(builder, leaf);
        if (!is_relative(builder))
            fill_mask(builder, leaf_mask(builder, leaf));
        table->first = (int32_t)(count_tables(builder, leaf) * pli_table_groups(*table));
    }
}

static PliantResult place_tables(Builder *builder)
{
    const size_t words = (size_t)builder->morph_tables->word_count;
    const int32_t leaf_count = builder->morph_tables->has_tables ? builder->tree->leaf_count : 0;
    int64_t end = 0;
    clear(builder->leaf_masks, (size_t)builder->tree->leaf_count * words, sizeof(uint64_t));
    pli_divide(builder->host, number_leaves, builder, leaf_count);
    for (int32_t leaf = 0; leaf < leaf_count; leaf++) {
        const int32_t groups = builder->tables[leaf].first;
        builder->tables[leaf].first = (int32_t)end;
        end += groups;
        if (end > INT32_MAX)
            return PLIANT_TOO_LARGE;
    }
    builder->morph_tables->point_count = (int32_t)end;
    return PLIANT_OK;
}

/* PliPartTask: the terms of a node are those of its children. */
static void join_masks(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int32_t n = (int32_t)part->begin; n < part->end; n++) {
        const PliTreeNode *node = &builder->tree->nodes[n];
        for (int32_t c = 0; c < node->child_count; c++)
            for (int32_t w = 0; w < builder->morph_tables->word_count; w++)
                node_mask(builder, n)[w] |= mask_of(builder, node->children[c])[w];
    }
}

static PliantResult place_bounds(Builder *builder)
{
    const size_t words = (size_t)builder->morph_tables->word_count;
    clear(builder->node_masks, (size_t)builder->tree->node_count * words, sizeof(uint64_t));
    if (builder->morph_tables->term_count > 0)
        pli_tree_climb(builder->tree, builder->host, join_masks, builder);
    int64_t end = 0;
    for (int32_t n = 0; n < builder->tree->node_count; n++) {
        builder->node_firsts[n] = (int32_t)end;
        end += 1 + count_terms(builder, node_mask(builder, n));
        if (end > INT32_MAX)
            return PLIANT_TOO_LARGE;
    }
    builder->morph_tables->bound_count = (int32_t)end;
    return PLIANT_OK;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static float *table_of(const Builder *builder, int32_t leaf, int32_t rank)
{
    PliLeafTable table = builder->tables[leaf];
    int64_t group = table.first + (int64_t)rank * pli_table_groups(table);
    return builder->points + PLI_GROUP * group;
}

static void put_point(const Builder *builder, int32_t leaf, int32_t rank, int32_t number,
                      const float *point)
{
    size_t size = PLI_GROUP * (size_t)pli_table_groups(builder->tables[leaf]) / 3;
    float *table = table_of(builder, leaf, rank);
    for (size_t k = 0; k < 3; k++)
        table[k * size + (size_t)number] = point[k];
}

/* Vertices that a target does not move, and what fills a group, are zeros. */
static void clear_table(const Builder *builder, int32_t leaf)
{
    const int64_t groups = count_tables(builder, leaf) * pli_table_groups(builder->tables[leaf]);
    clear(table_of(builder, leaf, 0), PLI_GROUP * (size_t)groups, sizeof *builder->points);
}

static void fill_table(const Builder *builder, int32_t leaf)
{
    const PliantShape *shape = builder->shape;
    PliRange range = builder->tree->leaves[leaf];
    for (int32_t c = 0; c < 3 * range.count; c++) {
        uint32_t vertex = shape->vertex_lists.corners[3 * (size_t)range.first + (size_t)c];
        int32_t number = *corner_of(builder, range, c);
        if (has_base(builder))
            put_point(builder, leaf, 0, number, shape->vertices + 3 * (size_t)vertex);
        for (int32_t i = builder->vertex_firsts[vertex]; i < builder->vertex_firsts[vertex + 1];
             i++) {
            int32_t rank = pli_rank(leaf_mask(builder, leaf), builder->move_targets[i]);
            put_point(builder, leaf, rank + has_base(builder), number,
                      shape->morph_tables.target_moves + 3 * (size_t)builder->moves[i]);
        }
    }
}

/* ---- What a term is in a leaf ---------------------------------------------------------------- */

/* The values of some vertices. */
typedef struct Values {
    int32_t count;
    float points[MAX_POINTS][3];
} Values;

/* The corners of pieces instead, rounded. */
static void piece_values(const Builder *builder, PliRange range, Values *values)
{
    for (int32_t c = 0; c < values->count; c++) {
        int32_t position = range.first + c / 3;
        const uint32_t *corners = builder->shape->vertex_lists.corners + 3 * (size_t)position;
        const float *vertices = builder->shape->vertices;
        for (size_t k = 0; k < 3; k++)
            values->points[c][k] = (float)pli_piece_along(
                &builder->shape->pieces[position], c % 3, vertices[3 * (size_t)corners[0] + k],
                vertices[3 * (size_t)corners[1] + k], vertices[3 * (size_t)corners[2] + k]);
    }
}

static void base_values(const Builder *builder, int32_t leaf, Values *values)
{
    PliRange range = builder->tree->leaves[leaf];
    const uint32_t *corners = builder->shape->vertex_lists.corners + 3 * (size_t)range.first;
    values->count = 3 * range.count;
    if (builder->shape->pieces) {
        piece_values(builder, range, values);
        return;
    }
    for (int32_t c = 0; c < values->count; c++)
        memcpy(values->points[c], builder->shape->vertices + 3 * (size_t)corners[c],
               sizeof values->points[c]);
}

/* Of the target that is the leaf's one of that rank. */
static void target_values(const Builder *builder, int32_t leaf, int32_t rank, Values *values)
{
    PliLeafTable index = builder->tables[leaf];
    const float *table = table_of(builder, leaf, rank + has_base(builder));
    size_t size = PLI_GROUP * (size_t)pli_table_groups(index) / 3;
    values->count = index.count;
    for (int32_t i = 0; i < index.count; i++)
        for (int k = 0; k < 3; k++)
            values->points[i][k] = table[(size_t)k * size + (size_t)i];
}

/* Bounds between references, `number` counted through all of them, even between each two. Every
 * leaf has all references. */
static void between_values(const Builder *builder, int32_t leaf, int32_t number, Values *values)
{
    Values after;
    int32_t count = builder->morph_tables->between_count, reference = number / count;
    double t = (double)(number % count + 1) / (count + 1);
    target_values(builder, leaf, reference, values);
    target_values(builder, leaf, reference + 1, &after);
    for (int32_t i = 0; i < values->count; i++)
        for (int k = 0; k < 3; k++)
            values->points[i][k] = (float)((1 - t) * values->points[i][k] + t * after.points[i][k]);
}

static void leaf_values(const Builder *builder, int32_t leaf, int32_t term, Values *values)
{
    int32_t targets = builder->morph_tables->target_count;
    if (term == BASE)
        base_values(builder, leaf, values);
    else if (term < targets)
        target_values(builder, leaf, pli_rank(leaf_mask(builder, leaf), term), values);
    else
        between_values(builder, leaf, term - targets, values);
}

/* ---- Bounds ------------------------------------------------------------------------------------
 *
 * The bounds of one child for one term: group_count numbers. What is not finite is passed over, as
 * it is in no pair. What a term does not touch, it moves by nothing. */

/* Where the bounds of a node are for a term that it has. */
static float *bounds_of(const Builder *builder, int32_t node, int32_t term)
{
    int64_t index = builder->node_firsts[node];
    if (term != BASE)
        index += 1 + pli_rank(node_mask(builder, node), term);
    return builder->bounds + index * builder->morph_tables->group_count * PLI_GROUP;
}

/* The slabs of all children of a node together. */
static void slabs_of_node(const Builder *builder, int32_t node, int32_t term, float *bound)
{
    const int32_t slab_count = pli_slab_count(builder->morph_tables->bound_kind);
    const float *bounds = bounds_of(builder, node, term);
    pli_slabs_clear(slab_count, bound);
    for (int32_t s = 0; s < slab_count; s++)
        for (int32_t c = 0; c < builder->tree->nodes[node].child_count; c++)
            pli_slabs_widen(slab_count, s, bounds[PLI_GROUP * s + c],
                            bounds[PLI_GROUP * (slab_count + s) + c], bound);
}

static void slabs_of_leaf(const Builder *builder, int32_t leaf, int32_t term, float *bound)
{
    Values values;
    leaf_values(builder, leaf, term, &values);
    pli_slabs_clear(pli_slab_count(builder->morph_tables->bound_kind), bound);
    for (int32_t i = 0; i < values.count; i++)
        pli_slabs_add(builder->morph_tables->bound_kind, values.points[i], bound);
}

/* Rounded up: the root and the squares are off by some parts in 2^53, a float by one in 2^24, or by
 * 2^-150 where it is denormal: a weight may make much of that. */
float pli_radius(double square)
{
    return (float)(sqrt(square) * (1 + 0x1p-22) + 0x1p-149);
}

/* The box of all that the leaves of a range have, and then how far it is from its middle at most.
 * Leaves that the term does not touch have zeros. */
static void ball_of(const Builder *builder, PliRange leaves, int32_t term, float *bound)
{
    float box[6];
    double square = -1, center[3];
    pli_slabs_clear(3, box);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 3; k++)
            center[k] = bound[k] = box[k] <= box[3 + k] ? 0.5f * box[k] + 0.5f * box[3 + k] : 0;
        for (int32_t leaf = leaves.first; leaf < leaves.first + leaves.count; leaf++) {
            Values values = {.count = 1};
            if (term == BASE || pli_has_term(leaf_mask(builder, leaf), term))
                leaf_values(builder, leaf, term, &values);
            for (int32_t i = 0; i < values.count; i++) {
                const float *p = values.points[i];
                if (!pli_is_finite(p, 3))
                    continue;
                if (pass == 0)
                    pli_slabs_add(PLIANT_BOUND_BOX, p, box);
                double x = p[0] - center[0], y = p[1] - center[1], z = p[2] - center[2];
                double here = x * x + y * y + z * z;
                if (pass == 1)
                    square = here > square ? here : square;
            }
        }
    }
    bound[3] = square < 0 ? -INFINITY : pli_radius(square);
}

static void bound_child(const Builder *builder, int32_t child, int32_t term, float *bound)
{
    const int32_t group_count = builder->morph_tables->group_count;
    if (term != BASE && !pli_has_term(mask_of(builder, child), term))
        memset(bound, 0, (size_t)group_count * sizeof *bound);
    else if (builder->morph_tables->bound_kind == PLIANT_BOUND_SPHERE)
        ball_of(builder, child < 0 ? (PliRange){~child, 1} : builder->node_leaves[child], term,
                bound);
    else if (child < 0)
        slabs_of_leaf(builder, ~child, term, bound);
    else
        slabs_of_node(builder, child, term, bound);
}

static void fill_bounds(const Builder *builder, int32_t node, int32_t term)
{
    const PliTreeNode *tree_node = &builder->tree->nodes[node];
    float *bounds = bounds_of(builder, node, term);
    for (int32_t c = 0; c < 8; c++) {
        float bound[MAX_GROUPS];
        if (c < tree_node->child_count)
            bound_child(builder, tree_node->children[c], term, bound);
        for (int32_t g = 0; g < builder->morph_tables->group_count; g++)
            bounds[PLI_GROUP * g + c] = c < tree_node->child_count ? bound[g] : NAN;
    }
}

/* The leaves below each node, from the bottom up. */
static void find_leaves(Builder *builder)
{
    for (int32_t n = builder->tree->node_count - 1; n >= 0; n--) {
        PliRange all = {INT32_MAX, 0};
        const PliTreeNode *node = &builder->tree->nodes[n];
        for (int32_t c = 0; c < node->child_count; c++) {
            int32_t child = node->children[c];
            PliRange range = child < 0 ? (PliRange){~child, 1} : builder->node_leaves[child];
            all.first = range.first < all.first ? range.first : all.first;
            all.count += range.count;
        }
        builder->node_leaves[n] = all;
    }
}

static void add_reach(float *reach, const float *point)
{
    for (int k = 0; k < 3 && pli_is_finite(point, 3); k++)
        reach[k] = fabsf(point[k]) > reach[k] ? fabsf(point[k]) : reach[k];
}

/* Of vertices that triangles have: one that none has is nowhere. */
typedef struct Reaches {
    const Builder *builder;
    float parts[PLI_MAX_PARTS][3];
} Reaches;

/* PliPartTask, of corners: the base. */
static void reach_base(void *data, const PliPart *part)
{
    Reaches *reaches = data;
    const PliantShape *shape = reaches->builder->shape;
    float reach[3] = {0};
    for (int64_t c = part->begin; c < part->end; c++)
        add_reach(reach, shape->vertices + 3 * (size_t)shape->vertex_lists.corners[c]);
    memcpy(reaches->parts[part->index], reach, sizeof reach);
}

/* PliPartTask: some targets. */
static void reach_targets(void *data, const PliPart *part)
{
    const Builder *builder = data;
    const PliMorphTables *tables = builder->morph_tables;
    for (int64_t t = part->begin; t < part->end; t++)
        for (int32_t m = tables->target_firsts[t]; m < tables->target_firsts[t + 1]; m++)
            if (builder->marks[tables->target_vertices[m]])
                add_reach(builder->reaches + 4 * (t + 1), tables->target_moves + 3 * (size_t)m);
}

static void fill_reaches(Builder *builder)
{
    const PliantShape *shape = builder->shape;
    const int32_t target_count = builder->morph_tables->target_count;
    const int64_t corner_count = 3 * (int64_t)builder->tree->item_count;
    Reaches reaches = {.builder = builder};
    clear(builder->reaches, 4 * ((size_t)target_count + 1), sizeof *builder->reaches);
    pli_divide(builder->host, reach_base, &reaches, corner_count);
    for (int32_t p = 0; p < pli_part_count(builder->host, corner_count); p++)
        add_reach(builder->reaches, reaches.parts[p]);
    if (target_count == 0)
        return;
    clear(builder->marks, (size_t)shape->header->vertex_count, sizeof *builder->marks);
    for (int64_t c = 0; c < corner_count; c++)
        builder->marks[shape->vertex_lists.corners[c]] = 1;
    pli_divide(builder->host, reach_targets, builder, target_count);
}

/* PliPartTask. */
static void fill_tables(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int32_t leaf = (int32_t)part->begin; leaf < part->end; leaf++) {
        clear_table(builder, leaf);
        fill_table(builder, leaf);
    }
}

/* PliPartTask. */
static void fill_nodes(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int32_t n = (int32_t)part->begin; n < part->end; n++) {
        fill_bounds(builder, n, BASE);
        for (int32_t t = 0; t < builder->morph_tables->term_count; t++)
            if (pli_has_term(node_mask(builder, n), t))
                fill_bounds(builder, n, t);
    }
}

static void fill(Builder *builder)
{
    const int32_t leaf_count = builder->morph_tables->has_tables ? builder->tree->leaf_count : 0;
    pli_divide(builder->host, fill_tables, builder, leaf_count);
    find_leaves(builder);
    pli_tree_climb(builder->tree, builder->host, fill_nodes, builder);
    fill_reaches(builder);
}

/* ---- All of it ------------------------------------------------------------------------------- */

void pli_morph_tables_count(PliMorphTables *morph_tables, int32_t joint_count)
{
    const int32_t target_count = morph_tables->target_count;
    morph_tables->term_count = pli_term_count(target_count, morph_tables->between_count);
    morph_tables->word_count = pli_word_count(morph_tables->term_count);
    morph_tables->group_count = pli_group_count(morph_tables->bound_kind);
    morph_tables->has_tables = pli_has_tables(target_count, joint_count);
    morph_tables->has_base_tables = pli_has_base_tables(morph_tables->morph_kind, joint_count);
}

/* Before memory is asked for: what is expected, if anything is, and what can be addressed. */
static PliantResult check_sizes(const PliMorphTables *expected, const PliMorphTables *morph_tables)
{
    const uint64_t group_size = PLI_GROUP * sizeof(float);
    if (expected && (morph_tables->point_count != expected->point_count ||
                     morph_tables->bound_count != expected->bound_count))
        return PLIANT_BAD_DATA;
    if ((uint64_t)morph_tables->point_count * group_size > PTRDIFF_MAX ||
        (uint64_t)morph_tables->bound_count * (uint64_t)morph_tables->group_count * group_size >
            PTRDIFF_MAX)
        return PLIANT_TOO_LARGE;
    return PLIANT_OK;
}

/* An array for the time being, and one of the tables, which outlives the builder. */
#define CUT(array, count) builder->array = pli_arena_cut(scratch, count, sizeof *builder->array)
#define MAKE(array, count)                                                                         \
    tables->array = builder->array = pli_arena_cut(arena, count, sizeof *builder->array)

static PliantResult build(Builder *builder, const PliMorphTables *expected, PliArena *arena,
                          PliArena *scratch)
{
    PliMorphTables *tables = builder->morph_tables;
    const size_t leaf_count = (size_t)builder->tree->leaf_count;
    const size_t node_count = (size_t)builder->tree->node_count;
    const size_t vertex_count = (size_t)builder->shape->header->vertex_count;
    const size_t target_count = (size_t)tables->target_count;
    const size_t move_count = (size_t)tables->target_firsts[target_count];
    CUT(marks, target_count > 0 ? vertex_count : 0);
    CUT(vertex_firsts, vertex_count + 1);
    CUT(moves, move_count);
    CUT(move_targets, move_count);
    CUT(node_leaves, node_count);
    MAKE(reaches, 4 * (target_count + 1));
    MAKE(leaf_corners, tables->has_tables ? 3 * (size_t)builder->tree->item_count : 0);
    MAKE(tables, tables->has_tables ? leaf_count : 0);
    MAKE(leaf_masks, leaf_count * (size_t)tables->word_count);
    MAKE(node_masks, node_count * (size_t)tables->word_count);
    MAKE(node_firsts, node_count);
    PLI_TRY(scratch->failure);
    PLI_TRY(arena->failure);
    sort_moves(builder);
    PLI_TRY(place_tables(builder));
    PLI_TRY(place_bounds(builder));
    PLI_TRY(check_sizes(expected, tables));
    MAKE(points, PLI_GROUP * (size_t)tables->point_count);
    MAKE(bounds, PLI_GROUP * (size_t)tables->group_count * (size_t)tables->bound_count);
    PLI_TRY(arena->failure);
    fill(builder);
    return PLIANT_OK;
}

PliantResult pli_morph_tables_build(PliantShape *shape, const PliMorphTables *expected,
                                    PliArena *arena)
{
    PliMorphTables *morph_tables = &shape->morph_tables;
    pli_morph_tables_count(morph_tables, shape->skin_tables.joint_count);
    if ((uint64_t)shape->tree.leaf_count * (uint64_t)morph_tables->word_count >
        PTRDIFF_MAX / sizeof(uint64_t))
        return PLIANT_TOO_LARGE;
    Builder builder = {
        .shape = shape, .tree = &shape->tree, .host = arena->host, .morph_tables = morph_tables};
    PliArena scratch;
    pli_arena_init(&scratch, arena->host);
    PliantResult result = build(&builder, expected, arena, &scratch);
    pli_arena_free(&scratch);
    return result;
}
