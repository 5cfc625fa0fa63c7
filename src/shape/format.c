/* A shape's block: where its parts are, and whether they can be trusted. See shape.h. */
#include "shape/format.h"
#include "base/round.h"
#include "base/tasks.h"
#include "geom/geom.h"
#include "shape/items.h"
#include "shape/shape.h"

#include <string.h>

bool pli_shape_layout(PliShapeHeader *header)
{
    /* Counts are 31 bits and items at most 640 bytes; masks have less than 2^15 words: these sums
     * cannot overflow 64 bits. */
    uint64_t end = sizeof *header;
#define PLACE_SECTION(name, type, items)                                                           \
    header->sections[PLI_SECTION_##name] = end;                                                    \
    end = pli_align_up(end + (items) * sizeof(type), PLI_ALIGNMENT);
    PLI_SHAPE_SECTIONS(PLACE_SECTION)
#undef PLACE_SECTION
    header->groups = pli_shape_has_groups(header) ? end : 0;
    if (pli_shape_has_groups(header))
        end = pli_align_up(end + (uint64_t)header->vertex_count * sizeof(uint32_t), PLI_ALIGNMENT);
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

typedef struct NonfiniteCount {
    const float *vertices;
    const uint32_t *triangles;
    int32_t counts[PLI_MAX_PARTS];
} NonfiniteCount;

/* PliPartTask. */
static void count_part(void *data, const PliPart *part)
{
    NonfiniteCount *nonfinite = data;
    int32_t count = 0;
    for (int64_t t = part->begin; t < part->end; t++) {
        bool is_finite = true;
        for (int c = 0; c < 3; c++) {
            const uint32_t vertex = nonfinite->triangles[3 * (size_t)t + (size_t)c];
            is_finite &= pli_is_finite(nonfinite->vertices + 3 * (size_t)vertex, 3);
        }
        count += !is_finite;
    }
    nonfinite->counts[part->index] = count;
}

int32_t pli_count_nonfinite(const float *vertices, const uint32_t *triangles,
                            int32_t triangle_count, const PliantHost *host)
{
    NonfiniteCount nonfinite = {.vertices = vertices, .triangles = triangles};
    int32_t count = 0;
    pli_divide(host, count_part, &nonfinite, triangle_count);
    for (int32_t p = 0; p < pli_part_count(host, triangle_count); p++)
        count += nonfinite.counts[p];
    return count;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Counts of what follows joints; what follows from the others is compared later. */
static bool are_skin_tables_possible(const PliShapeHeader *header)
{
    if ((uint32_t)header->joint_count > PLI_MAX_JOINTS || header->influence_count < 0 ||
        header->leaf_joint_count < 0 || header->node_joint_count < 0 || header->weight_count < 0)
        return false;
    return header->joint_count > 0 ||
           (header->influence_count == 0 && header->leaf_joint_count == 0 &&
            header->node_joint_count == 0 && header->weight_count == 0);
}

/* Counts of what is blended; what follows from the others is compared later. */
static bool are_morph_tables_possible(const PliShapeHeader *header)
{
    if ((uint32_t)header->morph_kind > PLIANT_MORPH_REFERENCES ||
        (uint32_t)header->bound_kind > PLIANT_BOUND_SPHERE ||
        (uint32_t)header->target_count > PLI_MAX_TARGETS ||
        (uint32_t)header->between_count > PLI_MAX_BETWEEN)
        return false;
    int32_t term_count = pli_term_count(header->target_count, header->between_count);
    return header->word_count == pli_word_count(term_count) &&
           header->group_count == pli_group_count((PliantBoundKind)header->bound_kind) &&
           header->move_count >= 0 && header->point_count >= 0 && header->bound_count >= 0;
}

/* Triangles, or pieces of them; what these are is compared later. */
static bool are_items_possible(const PliShapeHeader *header)
{
    if (header->triangle_count < 1 || header->item_count > INT32_MAX / 3)
        return false;
    if (header->divide_kind == 0)
        return header->item_count == header->triangle_count && header->divide_size == 0 &&
               header->plane_count == 0;
    return (header->divide_kind == PLIANT_DIVIDE_QUARTERS ||
            header->divide_kind == PLIANT_DIVIDE_CORNERS) &&
           header->divide_size > 0 && header->item_count > header->triangle_count &&
           header->plane_count >= 0 && header->plane_count <= header->triangle_count &&
           header->target_count == 0 && header->joint_count == 0;
}

/* The header's own fields, and that its sections are where they have to be. */
static PliantResult check_header(const PliShapeHeader *header, size_t byte_size)
{
    if (memcmp(header->magic, PLI_SHAPE_MAGIC, sizeof header->magic) != 0)
        return PLIANT_BAD_DATA;
    if ((header->version != PLI_SHAPE_VERSION && !pli_shape_has_groups(header)) ||
        header->byte_order != PLI_SHAPE_BYTE_ORDER)
        return PLIANT_BAD_VERSION;
    int32_t children = header->child_count;
    if (header->vertex_count < 1 || !are_items_possible(header) || header->leaf_count < 1 ||
        header->leaf_count > header->item_count || header->node_count < 0 ||
        header->node_count > PLI_MAX_NODES ||
        header->node_count >= header->item_count + (header->node_count == 0) ||
        header->leaf_size < 1 || header->leaf_size > PLI_LEAF_SIZE || header->number_count < 1 ||
        header->refit_cut_count < 1 || header->refit_cut_count > header->leaf_count ||
        (children != 2 && children != 4 && children != 8) || !are_morph_tables_possible(header) ||
        !are_skin_tables_possible(header))
        return PLIANT_BAD_DATA;
    PliShapeHeader expected = *header;
    if (!pli_shape_layout(&expected) || expected.byte_size != header->byte_size ||
        header->byte_size > byte_size || expected.groups != header->groups ||
        memcmp(expected.sections, header->sections, sizeof expected.sections) != 0)
        return PLIANT_BAD_DATA;
    return pli_shape_checksum(header) == header->checksum ? PLIANT_OK : PLIANT_BAD_DATA;
}

/* Room to make again what follows from the rest. */
typedef struct Scratch {
    int32_t *items, *marks, *order;
    uint64_t *skips;
} Scratch;

/* Targets that could have been given: what they move rises and is there, and is finite. */
static bool are_targets_valid(const PliantShape *shape)
{
    const PliShapeHeader *header = shape->header;
    const PliMorphTables *morph_tables = &shape->morph_tables;
    const int32_t *firsts = morph_tables->target_firsts;
    if (firsts[0] != 0 || firsts[header->target_count] != header->move_count)
        return false;
    for (int32_t t = 0; t < header->target_count; t++)
        if (firsts[t] > firsts[t + 1] || (header->morph_kind == PLIANT_MORPH_REFERENCES &&
                                          firsts[t + 1] - firsts[t] != header->vertex_count))
            return false;
    for (int32_t t = 0; t < header->target_count; t++)
        for (int32_t m = firsts[t]; m < firsts[t + 1]; m++)
            if (morph_tables->target_vertices[m] >= (uint32_t)header->vertex_count ||
                (m > firsts[t] &&
                 morph_tables->target_vertices[m] <= morph_tables->target_vertices[m - 1]) ||
                !pli_is_finite(morph_tables->target_moves + 3 * (size_t)m, 3))
                return false;
    return header->morph_kind == PLIANT_MORPH_REFERENCES || header->between_count == 0;
}

static bool is_same(const void *x, const void *y, uint64_t count, size_t item_size)
{
    return count == 0 || memcmp(x, y, (size_t)count * item_size) == 0;
}

/* Are these the blends of this tree and these targets? They are made again. */
static PliantResult check_morph_tables(const PliantShape *shape)
{
    const PliShapeHeader *header = shape->header;
    const PliMorphTables *given = &shape->morph_tables;
    if (!are_targets_valid(shape))
        return PLIANT_BAD_DATA;
    PliMorphTablesDef def = {.morph_kind = given->morph_kind,
                             .bound_kind = given->bound_kind,
                             .target_count = given->target_count,
                             .between_count = given->between_count,
                             .vertex_count = header->vertex_count,
                             .joint_count = header->joint_count,
                             .tree = &shape->tree,
                             .vertex_lists = &shape->vertex_lists,
                             .pieces = shape->pieces,
                             .vertices = shape->vertices,
                             .target_firsts = given->target_firsts,
                             .target_vertices = given->target_vertices,
                             .target_moves = given->target_moves,
                             .expects = true,
                             .expected_points = given->point_count,
                             .expected_bounds = given->bound_count};
    PliMorphTables made;
    PliantResult result = pli_morph_tables_build(&def, &shape->host, &made);
    if (result != PLIANT_OK)
        return result == PLIANT_TOO_LARGE ? PLIANT_BAD_DATA : result;
    bool is_right = true;
#define SAME_SECTION(name, type, items) &&is_same(made.name, given->name, items, sizeof(type))
    is_right = is_right PLI_MORPH_SECTIONS(SAME_SECTION);
#undef SAME_SECTION
    pli_morph_tables_free(&made, &shape->tree, &shape->host);
    return is_right ? PLIANT_OK : PLIANT_BAD_DATA;
}

/* A skin that could have been given: joints of a vertex rise and are there, and weights are such
 * that their sum is finite. */
static bool is_skin_valid(const PliantShape *shape)
{
    const PliShapeHeader *header = shape->header;
    const PliSkinTables *skin_tables = &shape->skin_tables;
    const int32_t *firsts = skin_tables->skin_firsts;
    if (firsts[0] != 0 || firsts[header->vertex_count] != header->influence_count)
        return false;
    for (int32_t v = 0; v < header->vertex_count; v++)
        if (firsts[v] > firsts[v + 1] || firsts[v + 1] - firsts[v] > PLI_MAX_INFLUENCES)
            return false;
    for (int32_t v = 0; v < header->vertex_count; v++) {
        double sum = 0;
        for (int32_t i = firsts[v]; i < firsts[v + 1]; i++) {
            if (skin_tables->skin_joints[i] >= header->joint_count ||
                !(skin_tables->skin_weights[i] > 0) ||
                (i > firsts[v] && skin_tables->skin_joints[i] <= skin_tables->skin_joints[i - 1]))
                return false;
            sum += skin_tables->skin_weights[i];
        }
        if (!(sum < 2 * PLI_MAX_WEIGHT)) /* what was added up may have been rounded */
            return false;
    }
    return true;
}

/* Is this what follows from this skin? It is made again. */
static PliantResult check_skin_tables(const PliantShape *shape)
{
    const PliShapeHeader *header = shape->header;
    const PliSkinTables *given = &shape->skin_tables;
    if (header->joint_count == 0)
        return PLIANT_OK;
    if (!is_skin_valid(shape))
        return PLIANT_BAD_DATA;
    PliSkinTablesDef def = {.bound_kind = given->bound_kind,
                            .joint_count = given->joint_count,
                            .vertex_count = header->vertex_count,
                            .tree = &shape->tree,
                            .vertex_lists = &shape->vertex_lists,
                            .morph_tables = &shape->morph_tables,
                            .vertices = shape->vertices,
                            .skin_firsts = given->skin_firsts,
                            .skin_joints = given->skin_joints,
                            .skin_weights = given->skin_weights,
                            .expects = true,
                            .expected_leaf_joints = given->leaf_joint_count,
                            .expected_node_joints = given->node_joint_count,
                            .expected_weights = given->weight_count};
    PliSkinTables made;
    PliantResult result = pli_skin_tables_build(&def, &shape->host, &made);
    if (result != PLIANT_OK)
        return result == PLIANT_TOO_LARGE ? PLIANT_BAD_DATA : result;
    bool is_right = true;
#define SAME_SECTION(name, type, items) &&is_same(made.name, given->name, items, sizeof(type))
    is_right = is_right PLI_SKIN_SECTIONS(SAME_SECTION);
#undef SAME_SECTION
    pli_skin_tables_free(&made, &shape->tree, &shape->host);
    return is_right ? PLIANT_OK : PLIANT_BAD_DATA;
}

static PliMeshView mesh_of(const PliantShape *shape)
{
    return (PliMeshView){shape->vertices, shape->triangles, shape->header->triangle_count};
}

/* Are these the pieces that the division makes, and their planes? Both are made again. */
static PliantResult check_pieces(const PliantShape *shape, PliItems *items)
{
    const PliShapeHeader *header = shape->header;
    const PliMeshView mesh = mesh_of(shape);
    const PliDivision division = pli_shape_division(header);
    PliPlanes planes;
    pli_items_order(items, &shape->tree);
    if (!is_same(items->pieces, shape->pieces, (uint64_t)items->count, sizeof(PliPiece)))
        return PLIANT_BAD_DATA;
    PLI_TRY(pli_planes_build(&division, &mesh, &shape->tree, shape->pieces, &shape->host, &planes));
    bool is_right =
        planes.count == header->plane_count &&
        is_same(planes.planes, shape->planes.planes, (uint64_t)planes.count, sizeof(PliPlane)) &&
        is_same(planes.leaf_planes, shape->planes.leaf_planes, (uint64_t)header->leaf_count, 4) &&
        is_same(planes.node_planes, shape->planes.node_planes, (uint64_t)header->node_count, 4);
    pli_planes_free(&planes, &shape->tree, &shape->host);
    return is_right ? PLIANT_OK : PLIANT_BAD_DATA;
}

/* The items of the tree, and their vertices. They are counted before memory is asked for. */
static PliantResult check_items(const PliantShape *shape, int32_t *marks)
{
    const PliShapeHeader *header = shape->header;
    const PliMeshView mesh = mesh_of(shape);
    const PliDivision division = pli_shape_division(header);
    PliItems items;
    if (shape->pieces && pli_count_pieces(&division, &mesh) != header->item_count)
        return PLIANT_BAD_DATA;
    PliantResult result = pli_items_make(&division, &mesh, &shape->host, &items);
    if (result == PLIANT_OK && shape->pieces)
        result = check_pieces(shape, &items);
    if (result == PLIANT_OK &&
        !pli_vertex_lists_are_valid(&shape->vertex_lists, &shape->tree,
                                    pli_item_corners(&items, &mesh), header->vertex_count, marks))
        result = PLIANT_BAD_DATA;
    pli_items_free(&items, &shape->host);
    return result;
}

/* Groups that could have been given, one of which has more vertices than one. */
static bool are_groups_valid(const PliantShape *shape)
{
    bool has_some = false;
    for (int32_t v = 0; v < shape->header->vertex_count; v++) {
        if (!pli_is_group(shape->groups, (uint32_t)v))
            return false;
        has_some |= shape->groups[v] != (uint32_t)v;
    }
    return has_some;
}

static PliantResult check_skips(const PliantShape *shape, uint64_t *made)
{
    const PliMeshView mesh = mesh_of(shape);
    const PliDivision division = pli_shape_division(shape->header);
    bool is_closed;
    PLI_TRY(pli_edges_inspect(&division, &mesh, shape->groups, shape->header->vertex_count,
                              &shape->host, made, &is_closed));
    size_t word_count = pli_skip_words(mesh.triangle_count);
    if (shape->header->is_closed != is_closed)
        return PLIANT_BAD_DATA;
    return is_same(made, shape->skips, word_count, 8) ? PLIANT_OK : PLIANT_BAD_DATA;
}

/* What is below each node is checked once for each: of a tree that is one long chain that would
 * take forever. None that is built comes near this. */
static bool is_shallow(const PliTree *tree)
{
    enum { MAX_LEVELS = 1024 };
    int64_t below = 0;
    for (int32_t n = 0; n < tree->node_count; n++)
        below += tree->nodes[n].range.count;
    return below <= (int64_t)MAX_LEVELS * tree->item_count;
}

static PliantResult check_content(const PliantShape *shape, const Scratch *scratch)
{
    const PliShapeHeader *header = shape->header;
    for (size_t i = 0; i < 3 * (size_t)header->triangle_count; i++)
        if (shape->triangles[i] >= (uint32_t)header->vertex_count)
            return PLIANT_BAD_DATA;
    if (!pli_tree_is_valid(&shape->tree, scratch->items) ||
        pli_tree_levels(&shape->tree, scratch->items) != header->level_count ||
        !is_shallow(&shape->tree))
        return PLIANT_BAD_DATA;
    for (int32_t i = 0; i < header->leaf_count; i++)
        if (shape->tree.leaves[i].count > header->leaf_size)
            return PLIANT_BAD_DATA;
    for (int32_t n = 0; n < header->node_count; n++)
        if (shape->tree.nodes[n].child_count > header->child_count)
            return PLIANT_BAD_DATA;
    if (shape->groups && !are_groups_valid(shape))
        return PLIANT_BAD_DATA;
    PLI_TRY(check_items(shape, scratch->marks));
    pli_vertex_order(&shape->vertex_lists, header->item_count, header->vertex_count, scratch->marks,
                     scratch->order);
    if (memcmp(scratch->order, shape->vertex_order,
               (size_t)header->vertex_count * sizeof(int32_t)) != 0)
        return PLIANT_BAD_DATA;
    PLI_TRY(check_morph_tables(shape));
    PLI_TRY(check_skin_tables(shape));
    PLI_TRY(check_skips(shape, scratch->skips));
    bool is_counted = pli_count_nonfinite(shape->vertices, shape->triangles, header->triangle_count,
                                          &shape->host) == header->nonfinite_count;
    return is_counted ? PLIANT_OK : PLIANT_BAD_DATA;
}

static PliantResult allocate_scratch(PliArena *arena, const PliShapeHeader *header,
                                     Scratch *scratch)
{
    size_t vertices = (size_t)header->vertex_count;
    scratch->items = pli_arena_cut(arena, (size_t)header->item_count, sizeof(int32_t));
    scratch->marks = pli_arena_cut(arena, vertices, sizeof(int32_t));
    scratch->order = pli_arena_cut(arena, vertices, sizeof(int32_t));
    scratch->skips = pli_arena_cut(arena, pli_skip_words(header->triangle_count), sizeof(uint64_t));
    return arena->failure;
}

PliantResult pli_shape_check(const void *data, size_t byte_size, const PliantHost *host)
{
    if (byte_size < sizeof(PliShapeHeader))
        return PLIANT_BAD_DATA;
    const PliShapeHeader *header = data;
    PLI_TRY(check_header(header, byte_size));
    PliantHost alone = *host; /* what is built here anew, one worker builds */
    alone.worker_count = 1;
    PliantShape *shape = NULL;
    PLI_TRY(pli_shape_wrap(header, &alone, &shape));
    PliArena arena;
    Scratch scratch;
    pli_arena_init(&arena, host);
    PliantResult result = allocate_scratch(&arena, header, &scratch);
    if (result == PLIANT_OK)
        result = check_content(shape, &scratch);
    pli_arena_free(&arena);
    pli_shape_free(shape);
    return result;
}
