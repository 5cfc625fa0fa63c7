/* A shape's block: where its parts are, and whether they can be trusted. See shape.h. */
#include "geom/geom.h"
#include "pose/pose.h"

#include <string.h>

static uint64_t aligned(uint64_t size)
{
    return (size + PLI_ALIGNMENT - 1) & ~(uint64_t)(PLI_ALIGNMENT - 1);
}

bool pli_shape_layout(PliShapeHeader *header)
{
    /* Counts are 31 bits and items at most 576 bytes; masks have less than 2^15 words: these sums
     * cannot overflow 64 bits. */
    uint64_t end = sizeof *header;
#define PLACE_SECTION(name, type, items)                                                           \
    header->sections[PLI_SECTION_##name] = end;                                                    \
    end = aligned(end + (items) * sizeof(type));
    PLI_SHAPE_SECTIONS(PLACE_SECTION)
#undef PLACE_SECTION
    header->byte_size = end;
    return end <= PTRDIFF_MAX;
}

/* Four lanes of words, so that a large shape is checked at the speed of memory. */
uint64_t pli_shape_checksum(const PliShapeHeader *header)
{
    const size_t skipped = offsetof(PliShapeHeader, checksum) + sizeof header->checksum;
    const unsigned char *bytes = (const unsigned char *)header + skipped;
    size_t word_count = (size_t)(header->byte_size - skipped) / 8;
    uint64_t lanes[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < word_count; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * i, 8);
        uint64_t mixed = (lanes[i % 4] ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        lanes[i % 4] = mixed ^ mixed >> 29;
    }
    uint64_t sum = word_count;
    for (int i = 0; i < 4; i++)
        sum = (sum ^ lanes[i]) * UINT64_C(0xbf58476d1ce4e5b9) + (sum >> 31);
    return sum;
}

int32_t pli_count_nonfinite(const float *vertices, const uint32_t *triangles,
                            int32_t triangle_count)
{
    int32_t count = 0;
    for (int32_t t = 0; t < triangle_count; t++) {
        bool is_finite = true;
        for (int c = 0; c < 3; c++) {
            const uint32_t vertex = triangles[3 * (size_t)t + (size_t)c];
            is_finite &= pli_is_finite(vertices + 3 * (size_t)vertex, 3);
        }
        count += !is_finite;
    }
    return count;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Counts of what is blended; what follows from the others is compared later. */
static bool are_blends_possible(const PliShapeHeader *header)
{
    if ((uint32_t)header->morph_kind > PLIANT_MORPH_REFERENCES ||
        (uint32_t)header->bound_kind > PLIANT_BOUND_SPHERE ||
        (uint32_t)header->target_count > PLI_MOST_TARGETS ||
        (uint32_t)header->between_count > PLI_MOST_BETWEEN)
        return false;
    int32_t term_count = pli_term_count(header->target_count, header->between_count);
    return header->word_count == pli_word_count(term_count) &&
           header->group_count == pli_group_count((PliantBoundKind)header->bound_kind) &&
           header->move_count >= 0 && header->point_count >= 0 && header->bound_count >= 0;
}

/* The header's own fields, and that its sections are where they have to be. */
static PliantResult check_header(const PliShapeHeader *header, size_t byte_size)
{
    if (memcmp(header->magic, PLI_SHAPE_MAGIC, sizeof header->magic) != 0)
        return PLIANT_BAD_DATA;
    if (header->version != PLI_SHAPE_VERSION || header->byte_order != PLI_SHAPE_BYTE_ORDER)
        return PLIANT_BAD_VERSION;
    int32_t children = header->child_count;
    if (header->vertex_count < 1 || header->triangle_count < 1 ||
        header->triangle_count > INT32_MAX / 3 || header->leaf_count < 1 ||
        header->leaf_count > header->triangle_count || header->node_count < 0 ||
        header->node_count > PLI_MOST_NODES ||
        header->node_count >= header->triangle_count + (header->node_count == 0) ||
        header->leaf_size < 1 || header->leaf_size > PLI_LEAF_SIZE || header->number_count < 1 ||
        header->cut_count < 1 || header->cut_count > header->leaf_count ||
        (children != 2 && children != 4 && children != 8) || !are_blends_possible(header))
        return PLIANT_BAD_DATA;
    PliShapeHeader expected = *header;
    if (!pli_shape_layout(&expected) || expected.byte_size != header->byte_size ||
        header->byte_size > byte_size ||
        memcmp(expected.sections, header->sections, sizeof expected.sections) != 0)
        return PLIANT_BAD_DATA;
    return pli_shape_checksum(header) == header->checksum ? PLIANT_OK : PLIANT_BAD_DATA;
}

/* Room to make again what follows from the rest. */
typedef struct Scratch {
    int32_t *items, *marks, *order;
} Scratch;

/* Targets that could have been given: what they move rises and is there, and is finite. */
static bool are_targets_valid(const PliantShape *shape)
{
    const PliShapeHeader *header = shape->header;
    const PliBlends *blends = &shape->blends;
    const int32_t *firsts = blends->target_firsts;
    if (firsts[0] != 0 || firsts[header->target_count] != header->move_count)
        return false;
    for (int32_t t = 0; t < header->target_count; t++)
        if (firsts[t] > firsts[t + 1] || (header->morph_kind == PLIANT_MORPH_REFERENCES &&
                                          firsts[t + 1] - firsts[t] != header->vertex_count))
            return false;
    for (int32_t t = 0; t < header->target_count; t++)
        for (int32_t m = firsts[t]; m < firsts[t + 1]; m++)
            if (blends->target_vertices[m] >= (uint32_t)header->vertex_count ||
                (m > firsts[t] && blends->target_vertices[m] <= blends->target_vertices[m - 1]) ||
                !pli_is_finite(blends->target_moves + 3 * (size_t)m, 3))
                return false;
    return header->morph_kind == PLIANT_MORPH_REFERENCES || header->between_count == 0;
}

static bool is_same(const void *x, const void *y, uint64_t count, size_t item_size)
{
    return count == 0 || memcmp(x, y, (size_t)count * item_size) == 0;
}

/* Are these the blends of this tree and these targets? They are made again. */
static PliantResult check_blends(const PliantShape *shape)
{
    const PliShapeHeader *header = shape->header;
    const PliBlends *given = &shape->blends;
    if (!are_targets_valid(shape))
        return PLIANT_BAD_DATA;
    PliBlendsDef def = {.morph_kind = given->morph_kind,
                        .bound_kind = given->bound_kind,
                        .target_count = given->target_count,
                        .between_count = given->between_count,
                        .vertex_count = header->vertex_count,
                        .tree = &shape->tree,
                        .sets = &shape->sets,
                        .vertices = shape->vertices,
                        .target_firsts = given->target_firsts,
                        .target_vertices = given->target_vertices,
                        .target_moves = given->target_moves,
                        .expects = true,
                        .expected_points = given->point_count,
                        .expected_bounds = given->bound_count};
    PliBlends made;
    PliantResult result = pli_blends_build(&def, &shape->host, &made);
    if (result != PLIANT_OK)
        return result == PLIANT_TOO_LARGE ? PLIANT_BAD_DATA : result;
    bool is_right = true;
#define SAME_SECTION(name, type, items) &&is_same(made.name, given->name, items, sizeof(type))
    is_right = is_right PLI_BLENDS_SECTIONS(SAME_SECTION);
#undef SAME_SECTION
    pli_blends_free(&made, &shape->tree, &shape->host);
    return is_right ? PLIANT_OK : PLIANT_BAD_DATA;
}

static PliantResult check_content(const PliantShape *shape, const Scratch *scratch)
{
    const PliShapeHeader *header = shape->header;
    for (size_t i = 0; i < 3 * (size_t)header->triangle_count; i++)
        if (shape->triangles[i] >= (uint32_t)header->vertex_count)
            return PLIANT_BAD_DATA;
    if (!pli_tree_is_valid(&shape->tree, scratch->items) ||
        pli_tree_levels(&shape->tree, scratch->items) != header->level_count)
        return PLIANT_BAD_DATA;
    for (int32_t i = 0; i < header->leaf_count; i++)
        if (shape->tree.leaves[i].count > header->leaf_size)
            return PLIANT_BAD_DATA;
    for (int32_t n = 0; n < header->node_count; n++)
        if (shape->tree.nodes[n].child_count > header->child_count)
            return PLIANT_BAD_DATA;
    if (!pli_sets_are_valid(&shape->sets, &shape->tree, shape->triangles, header->vertex_count,
                            scratch->marks))
        return PLIANT_BAD_DATA;
    pli_vertex_order(&shape->sets, header->triangle_count, header->vertex_count, scratch->marks,
                     scratch->order);
    if (memcmp(scratch->order, shape->vertex_order,
               (size_t)header->vertex_count * sizeof(int32_t)) != 0)
        return PLIANT_BAD_DATA;
    PliantResult result = check_blends(shape);
    if (result != PLIANT_OK)
        return result;
    bool is_counted = pli_count_nonfinite(shape->vertices, shape->triangles,
                                          header->triangle_count) == header->nonfinite_count;
    return is_counted ? PLIANT_OK : PLIANT_BAD_DATA;
}

static PliantResult take_scratch(PliArena *arena, const PliShapeHeader *header, Scratch *scratch)
{
    size_t vertices = (size_t)header->vertex_count;
    void *items = NULL, *marks = NULL, *order = NULL;
    PliantResult result =
        pli_arena_take(arena, (size_t)header->triangle_count, sizeof(int32_t), &items);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, vertices, sizeof(int32_t), &marks);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, vertices, sizeof(int32_t), &order);
    *scratch = (Scratch){items, marks, order};
    return result;
}

PliantResult pli_shape_check(const void *data, size_t byte_size, const PliantHost *host)
{
    if (byte_size < sizeof(PliShapeHeader))
        return PLIANT_BAD_DATA;
    const PliShapeHeader *header = data;
    PliantResult result = check_header(header, byte_size);
    if (result != PLIANT_OK)
        return result;
    PliantShape *shape = NULL;
    result = pli_shape_wrap(header, host, &shape);
    if (result != PLIANT_OK)
        return result;
    PliArena arena;
    Scratch scratch;
    pli_arena_init(&arena, host);
    result = take_scratch(&arena, header, &scratch);
    if (result == PLIANT_OK)
        result = check_content(shape, &scratch);
    pli_arena_free(&arena);
    pli_shape_free(shape);
    return result;
}
