/* A shape's block: where its parts are, and whether they can be trusted. See shape.h. */
#include "shape/format.h"
#include "base/round.h"
#include "base/tasks.h"
#include "geom/geom.h"
#include "shape/draft.h"

#include <string.h>

bool pli_shape_layout(PliShapeHeader *header)
{
    /* Counts are 31 bits and items at most 640 bytes; masks have less than 2^15 words: these sums
     * cannot overflow 64 bits. */
    uint64_t end = sizeof *header;
#define PLACE_SECTION(owner, name, type, items)                                                    \
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
    const PliMeshView *mesh;
    int32_t counts[PLI_MAX_PARTS];
} NonfiniteCount;

/* PliPartTask. */
static void count_part(void *data, const PliPart *part)
{
    NonfiniteCount *nonfinite = data;
    const PliMeshView *mesh = nonfinite->mesh;
    int32_t count = 0;
    for (int64_t t = part->begin; t < part->end; t++)
        count += !pli_triangle_is_finite(mesh, t);
    nonfinite->counts[part->index] = count;
}

int32_t pli_count_nonfinite(const PliMeshView *mesh, const PliantHost *host)
{
    NonfiniteCount nonfinite = {.mesh = mesh};
    int32_t count = 0;
    pli_divide(host, count_part, &nonfinite, mesh->triangle_count);
    for (int32_t p = 0; p < pli_part_count(host, mesh->triangle_count); p++)
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
    if (header->triangle_count < 1 || header->item_count > INT32_MAX / 3 ||
        (header->segment_count > 0) != pli_shape_has_segments(header) ||
        header->segment_count > (uint64_t)header->triangle_count)
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
    if (header->version < PLI_SHAPE_VERSION || header->version > PLI_LAST_VERSION ||
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

/* Segments end twice at one vertex. */
static bool are_segments_valid(const PliantShape *shape)
{
    const size_t count = (size_t)shape->header->triangle_count,
                 first = count - (size_t)shape->header->segment_count;
    for (size_t t = first; t < count; t++)
        if (shape->triangles[3 * t + 1] != shape->triangles[3 * t + 2])
            return false;
    return true;
}

/* The mesh and the tree over its items, which are counted before memory is asked for. */
static PliantResult check_tree(const PliantShape *shape, PliDraft *draft)
{
    const PliShapeHeader *header = shape->header;
    const PliMeshView mesh = pli_mesh_of(shape);
    int32_t *seen = pli_arena_cut(draft->arena, (size_t)header->item_count, sizeof *seen);
    int32_t *marks = pli_arena_cut(draft->arena, (size_t)header->vertex_count, sizeof *marks);
    PLI_TRY(draft->arena->failure);
    for (size_t i = 0; i < 3 * (size_t)header->triangle_count; i++)
        if (shape->triangles[i] >= (uint32_t)header->vertex_count)
            return PLIANT_BAD_DATA;
    if (!are_segments_valid(shape))
        return PLIANT_BAD_DATA;
    if (!pli_tree_is_valid(&shape->tree, seen) ||
        pli_tree_levels(&shape->tree, seen) != header->level_count || !is_shallow(&shape->tree))
        return PLIANT_BAD_DATA;
    for (int32_t i = 0; i < header->leaf_count; i++)
        if (shape->tree.leaves[i].count > header->leaf_size)
            return PLIANT_BAD_DATA;
    for (int32_t n = 0; n < header->node_count; n++)
        if (shape->tree.nodes[n].child_count > header->child_count)
            return PLIANT_BAD_DATA;
    if (shape->pieces && pli_count_pieces(&draft->division, &mesh) != header->item_count)
        return PLIANT_BAD_DATA;
    PLI_TRY(pli_draft_divide(draft));
    return pli_vertex_lists_are_valid(&shape->vertex_lists, &shape->tree, pli_draft_corners(draft),
                                      header->vertex_count, marks)
               ? PLIANT_OK
               : PLIANT_BAD_DATA;
}

/* Is the block what follows from what it was made from? */
static bool is_same(const PliShapeHeader *header, const PliDraft *draft)
{
    const PliDraftSections made = pli_draft_sections(draft);
    const void *bytes = &draft->header,
               *than = header; /* a size has one pattern of bits: it was read */
    if (memcmp(bytes, than, sizeof *header) != 0)
        return false;
    for (int s = 0; s < PLI_SECTION_COUNT; s++)
        if (made.sizes[s] > 0 &&
            memcmp(made.from[s], (const char *)header + header->sections[s], made.sizes[s]) != 0)
            return false;
    return true;
}

static PliantResult check_content(const PliantShape *shape, PliDraft *draft)
{
    PLI_TRY(check_tree(shape, draft));
    if (shape->groups && !are_groups_valid(shape))
        return PLIANT_BAD_DATA;
    if (!are_targets_valid(shape))
        return PLIANT_BAD_DATA;
    if (shape->header->joint_count > 0 && !is_skin_valid(shape))
        return PLIANT_BAD_DATA;
    const PliantResult result = pli_draft_derive(draft, shape);
    if (result != PLIANT_OK)
        return result == PLIANT_TOO_LARGE ? PLIANT_BAD_DATA : result;
    return is_same(shape->header, draft) ? PLIANT_OK : PLIANT_BAD_DATA;
}

PliantResult pli_shape_check(const void *data, size_t byte_size, const PliantHost *host)
{
    if (byte_size < sizeof(PliShapeHeader))
        return PLIANT_BAD_DATA;
    const PliShapeHeader *header = data;
    PLI_TRY(check_header(header, byte_size));
    PliantHost alone = *host; /* what is built here anew, one worker builds */
    alone.worker_count = 1;
    PliArena arena;
    PliantShape shape = {.header = NULL};
    PliDraft draft = {.header = *header, .division = pli_shape_division(header), .arena = &arena};
    pli_arena_init(&arena, &alone);
    pli_shape_point(&shape, header);
    pli_shape_point(&draft.shape, header);
    draft.shape.header = &draft.header;
    const PliantResult result = check_content(&shape, &draft);
    pli_arena_free(&arena);
    return result;
}
