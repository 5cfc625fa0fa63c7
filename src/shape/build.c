/* Building shapes from a def: see shape.h and draft.h. */
#include "base/tasks.h"
#include "shape/draft.h"

#include <string.h>

/* What parts of the building have in common. */
typedef struct Building {
    const PliantShapeDef *def;
    PliDraft *draft;
    float *vertices, *tree_vertices; /* without gaps; those that the tree is made for */
    PliBox *boxes;
} Building;

/* ---- Targets --------------------------------------------------------------------------------- */

static int64_t count_moves(const PliantShapeDef *def)
{
    int64_t count = 0;
    for (int32_t t = 0; t < def->target_count; t++)
        count += def->targets[t].vertices.count;
    return count;
}

/* Copies the targets, one behind the other; displacements that are nothing are left out. */
static PliantResult copy_targets(const PliantShapeDef *def, PliArena *arena, PliMorphTables *tables)
{
    const bool is_relative = def->morph_kind == PLIANT_MORPH_DISPLACEMENTS;
    const int64_t most = count_moves(def);
    int32_t count = 0;
    if (most > INT32_MAX)
        return PLIANT_TOO_LARGE;
    int32_t *firsts = pli_arena_cut(arena, (size_t)def->target_count + 1, sizeof *firsts);
    uint32_t *vertices = pli_arena_cut(arena, (size_t)most, sizeof *vertices);
    float *moves = pli_arena_cut(arena, 3 * (size_t)most, sizeof *moves);
    PLI_TRY(arena->failure);
    for (int32_t t = 0; t < def->target_count; t++) {
        const PliantTarget *target = &def->targets[t];
        firsts[t] = count;
        for (int32_t i = 0; i < target->vertices.count; i++) {
            const float *move = pli_vertex_at(&target->vertices, (uint32_t)i);
            if (is_relative && move[0] == 0 && move[1] == 0 && move[2] == 0)
                continue;
            vertices[count] = target->indices ? target->indices[i] : (uint32_t)i;
            memcpy(moves + 3 * (size_t)count, move, 3 * sizeof *move);
            count++;
        }
    }
    firsts[def->target_count] = count;
    *tables = (PliMorphTables){.morph_kind = def->morph_kind,
                               .bound_kind = def->experiments->bound_kind,
                               .target_count = def->target_count,
                               .between_count = def->between_count,
                               .target_firsts = firsts,
                               .target_vertices = vertices,
                               .target_moves = moves};
    return PLIANT_OK;
}

/* Of references, all alike, if nobody knows better. */
static float tree_weight(const PliantShapeDef *def, int32_t target)
{
    if (def->tree_weights)
        return def->tree_weights[target];
    return def->morph_kind == PLIANT_MORPH_REFERENCES ? 1 / (float)def->target_count : 0;
}

/* PliPartTask. */
static void copy_some_vertices(void *data, const PliPart *part)
{
    const Building *building = data;
    const PliantShapeDef *def = building->def;
    const bool starts_at_zero = def->morph_kind == PLIANT_MORPH_REFERENCES && def->target_count > 0;
    for (int64_t v = part->begin; v < part->end; v++) {
        const float *vertex = pli_vertex_at(&def->vertices, (uint32_t)v);
        for (int k = 0; k < 3; k++) {
            building->vertices[3 * v + k] = vertex[k];
            building->tree_vertices[3 * v + k] = starts_at_zero ? 0 : vertex[k];
        }
    }
}

/* The mesh that the tree is made for, from zeros or from the rest pose on. */
static void blend_tree_vertices(const Building *building)
{
    const PliMorphTables *tables = &building->draft->shape.morph_tables;
    for (int32_t t = 0; t < tables->target_count; t++)
        for (int32_t m = tables->target_firsts[t]; m < tables->target_firsts[t + 1]; m++)
            for (size_t k = 0; k < 3; k++)
                building->tree_vertices[3 * (size_t)tables->target_vertices[m] + k] +=
                    tree_weight(building->def, t) * tables->target_moves[3 * (size_t)m + k];
}

static PliantResult copy_vertices(Building *building)
{
    const PliantShapeDef *def = building->def;
    PliDraft *draft = building->draft;
    const size_t count = 3 * (size_t)def->vertices.count;
    building->vertices = pli_arena_cut(draft->arena, count, sizeof(float));
    building->tree_vertices = pli_arena_cut(draft->arena, count, sizeof(float));
    PLI_TRY(copy_targets(def, draft->arena, &draft->shape.morph_tables));
    pli_divide(draft->arena->host, copy_some_vertices, building, def->vertices.count);
    blend_tree_vertices(building);
    draft->shape.vertices = building->vertices;
    return PLIANT_OK;
}

/* ---- The skin -------------------------------------------------------------------------------- */

static PliantResult copy_skin(const PliantShapeDef *def, PliArena *arena, PliSkinTables *tables)
{
    const PliantSkin *skin = def->skin;
    const size_t most = (size_t)def->vertices.count * (size_t)skin->influence_count;
    int32_t end = 0;
    *tables = (PliSkinTables){.joint_count = skin->joint_count};
    if (skin->joint_count == 0)
        return PLIANT_OK;
    if (most > INT32_MAX)
        return PLIANT_TOO_LARGE;
    int32_t *firsts = pli_arena_cut(arena, (size_t)def->vertices.count + 1, sizeof *firsts);
    uint16_t *joints = pli_arena_cut(arena, most, sizeof *joints);
    float *weights = pli_arena_cut(arena, most, sizeof *weights);
    PLI_TRY(arena->failure);
    firsts[0] = 0;
    for (int32_t v = 0; v < def->vertices.count; v++) {
        int32_t count = 0;
        for (int32_t i = 0; i < skin->influence_count; i++) {
            size_t index = (size_t)v * (size_t)skin->influence_count + (size_t)i;
            if (skin->weights[index] != 0)
                count = pli_add_influence(joints + end, weights + end, count, skin->joints[index],
                                          skin->weights[index]);
        }
        end += count;
        firsts[v + 1] = end;
    }
    tables->skin_firsts = firsts;
    tables->skin_joints = joints;
    tables->skin_weights = weights;
    return PLIANT_OK;
}

/* ---- Items ----------------------------------------------------------------------------------- */

/* Bodies that morph or follow joints are not divided: what a piece is of moves from weight to
 * weight. Nor are connected patches, which are made of triangles that share a vertex. */
static PliantResult make_items(const PliantShapeDef *def, PliDraft *draft)
{
    bool is_rigid = def->target_count == 0 && def->skin->joint_count == 0 &&
                    def->experiments->tree_kind != PLIANT_TREE_CONNECTED;
    const PliMeshView mesh = pli_mesh_of(&draft->shape);
    PLI_TRY(pli_division_of(is_rigid ? def->divide_kind : PLIANT_DIVIDE_NONE, def->divide_size,
                            &mesh, draft->arena->host, &draft->division));
    return pli_draft_divide(draft);
}

/* ---- The tree -------------------------------------------------------------------------------- */

/* What only the building needs. */
typedef struct Scratch {
    PliArena arena; /* of all of it */
    int32_t *first_neighbors, *neighbors, *next_corner, *head;
} Scratch;

/* Triangles that share a vertex are neighbors: a list of corners for each vertex, then a list of
 * the others in these for each triangle. */
static void link_corners(const PliantShapeDef *def, Scratch *scratch)
{
    memset(scratch->head, 0xff, (size_t)def->vertices.count * sizeof *scratch->head);
    for (int32_t c = 0; c < 3 * def->triangles.count; c++) {
        uint32_t v = def->triangles.data[c];
        scratch->next_corner[c] = scratch->head[v];
        scratch->head[v] = c;
    }
}

/* Counts the neighbors, and lists them if there is a list. */
static size_t list_neighbors(const PliantShapeDef *def, Scratch *scratch)
{
    size_t count = 0;
    for (int32_t t = 0; t < def->triangles.count; t++) {
        scratch->first_neighbors[t] = (int32_t)count;
        for (int32_t c = 3 * t; c < 3 * t + 3; c++) {
            int32_t other = scratch->head[def->triangles.data[c]];
            for (; other >= 0; other = scratch->next_corner[other]) {
                if (other / 3 == t)
                    continue;
                if (scratch->neighbors)
                    scratch->neighbors[count] = other / 3;
                count++;
            }
        }
    }
    scratch->first_neighbors[def->triangles.count] = (int32_t)count;
    return count;
}

static PliantResult find_neighbors(const PliantShapeDef *def, Scratch *scratch)
{
    PliArena *arena = &scratch->arena;
    size_t triangles = (size_t)def->triangles.count, vertices = (size_t)def->vertices.count;
    scratch->first_neighbors = pli_arena_cut(arena, triangles + 1, sizeof(int32_t));
    scratch->next_corner = pli_arena_cut(arena, 3 * triangles, sizeof(int32_t));
    scratch->head = pli_arena_cut(arena, vertices, sizeof(int32_t));
    PLI_TRY(arena->failure);
    link_corners(def, scratch);
    const size_t count = list_neighbors(def, scratch);
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    scratch->neighbors = pli_arena_cut(arena, count, sizeof(int32_t));
    PLI_TRY(arena->failure);
    list_neighbors(def, scratch);
    return PLIANT_OK;
}

/* Pieces that lie in one plane keep to themselves, so that leaves have that plane: a leaf of a wall
 * and of what hangs on it would be reached by all that is near either. */
static PliantResult build_divided(const PliTreeDef *def, PliArena *arena, PliDraft *draft)
{
    const PliItems *items = &draft->items;
    int32_t *groups = pli_arena_cut(arena, (size_t)items->count, sizeof *groups);
    PLI_TRY(arena->failure);
    for (int32_t i = 0; i < items->count; i++)
        groups[i] = 1 + draft->plane_numbers[items->items[i].triangle];
    return pli_tree_build_groups(def, groups, 1 + draft->shape.planes.plane_count, arena->host,
                                 &draft->shape.tree);
}

/* PliPartTask. */
static void find_boxes(void *data, const PliPart *part)
{
    const Building *building = data;
    const PliMeshView mesh = pli_mesh_of(&building->draft->shape);
    for (int64_t i = part->begin; i < part->end; i++)
        building->boxes[i] =
            pli_item_box(&building->draft->items, &mesh, building->tree_vertices, (int32_t)i);
}

static PliantResult build_from_boxes(Building *building, Scratch *scratch)
{
    static const PliTreeKind kinds[] = {PLI_TREE_FULL, PLI_TREE_MIDDLE, PLI_TREE_MEAN,
                                        PLI_TREE_CONNECTED};
    const PliantShapeDef *def = building->def;
    const PliantHost *host = scratch->arena.host;
    const PliItems *items = &building->draft->items;
    building->boxes = pli_arena_cut(&scratch->arena, (size_t)items->count, sizeof(PliBox));
    PLI_TRY(scratch->arena.failure);
    pli_divide(host, find_boxes, building, items->count);
    if (def->experiments->tree_kind == PLIANT_TREE_CONNECTED)
        PLI_TRY(find_neighbors(def, scratch));
    PliTreeDef tree_def = {.kind = kinds[def->experiments->tree_kind],
                           .leaf_size = def->experiments->tree_leaf_size,
                           .child_count = def->experiments->tree_child_count,
                           .item_count = items->count,
                           .boxes = building->boxes,
                           .first_neighbors = scratch->first_neighbors,
                           .neighbors = scratch->neighbors};
    return items->items ? build_divided(&tree_def, &scratch->arena, building->draft)
                        : pli_tree_build(&tree_def, host, &building->draft->shape.tree);
}

static PliantResult build_tree(Building *building)
{
    Scratch scratch = {0};
    pli_arena_init(&scratch.arena, building->draft->arena->host);
    PliantResult result = build_from_boxes(building, &scratch);
    pli_arena_free(&scratch.arena);
    return result;
}

/* ---- What follows from the rest -------------------------------------------------------------- */

PliantResult pli_draft_divide(PliDraft *draft)
{
    const PliMeshView mesh = pli_mesh_of(&draft->shape);
    PLI_TRY(pli_items_make(&draft->division, &mesh, draft->arena, &draft->items));
    return pli_planes_find(&draft->division, &mesh, draft->arena, &draft->shape.planes,
                           &draft->plane_numbers);
}

/* The order of the vertices, and what may be passed over. */
static PliantResult derive_from_mesh(PliDraft *draft)
{
    PliantShape *shape = &draft->shape;
    const PliMeshView mesh = pli_mesh_of(shape);
    const int32_t vertex_count = draft->header.vertex_count;
    const size_t word_count = pli_skip_words(mesh.triangle_count);
    int32_t *marks = pli_arena_cut(draft->arena, (size_t)vertex_count, sizeof *marks);
    int32_t *order = pli_arena_cut(draft->arena, (size_t)vertex_count, sizeof *order);
    uint64_t *skips = pli_arena_cut(draft->arena, word_count, sizeof *skips);
    bool is_closed = false;
    PLI_TRY(draft->arena->failure);
    pli_vertex_order(&shape->vertex_lists, shape->tree.item_count, vertex_count, marks, order);
    PLI_TRY(pli_edges_inspect(&draft->division, &mesh, shape->groups, vertex_count,
                              draft->arena->host, skips, &is_closed));
    shape->vertex_order = order;
    shape->skips = skips;
    draft->header.is_closed = is_closed && pli_shape_first_segment(&draft->header) > 0;
    draft->header.nonfinite_count = pli_count_nonfinite(&mesh, draft->arena->host);
    return PLIANT_OK;
}

PliantResult pli_draft_derive(PliDraft *draft, const PliantShape *expected)
{
    PliantShape *shape = &draft->shape;
    PliShapeHeader *header = &draft->header;
    PLI_TRY(pli_items_order(&draft->items, &shape->tree, draft->arena, &shape->pieces));
    PLI_TRY(pli_morph_tables_build(shape, expected ? &expected->morph_tables : NULL, draft->arena));
    PLI_TRY(pli_skin_tables_build(shape, expected ? &expected->skin_tables : NULL, draft->arena));
    PLI_TRY(pli_planes_assign(shape, draft->plane_numbers, draft->arena, &shape->planes));
    PLI_TRY(derive_from_mesh(draft));
#define COUNT(owner, name) header->name = (int32_t)shape->owner name;
    PLI_SHAPE_COUNTS(COUNT)
#undef COUNT
    header->move_count = shape->morph_tables.target_firsts[header->target_count];
    header->divide_kind = draft->items.items ? (int32_t)draft->division.kind : 0;
    header->divide_size = draft->division.size;
    return PLIANT_OK;
}

/* ---- The block ------------------------------------------------------------------------------- */

PliDraftSections pli_draft_sections(const PliDraft *draft)
{
    const PliShapeHeader *header = &draft->header;
    PliDraftSections sections;
#define SECTION(owner, name, type, items)                                                          \
    sections.from[PLI_SECTION_##name] = draft->shape.owner name;                                   \
    sections.sizes[PLI_SECTION_##name] = (size_t)(items) * sizeof(type);
    PLI_SHAPE_SECTIONS(SECTION)
#undef SECTION
    return sections;
}

typedef struct Filling {
    const PliShapeHeader *header; /* not in the block yet */
    char *block;
    PliDraftSections sections;
} Filling;

static int64_t clamp(uint64_t x, int64_t low, int64_t high)
{
    return (int64_t)x < low ? low : (int64_t)x > high ? high : (int64_t)x;
}

/* PliPartTask, of the bytes behind the header. Gaps between sections are part of what is saved. */
static void fill_some(void *data, const PliPart *part)
{
    const Filling *filling = data;
    const PliDraftSections *sections = &filling->sections;
    const PliShapeHeader *header = filling->header;
    const int64_t low = (int64_t)sizeof *header + part->begin;
    const int64_t high = (int64_t)sizeof *header + part->end;
    for (int s = 0; s < PLI_SECTION_COUNT; s++) {
        const uint64_t start = header->sections[s];
        const uint64_t next =
            s + 1 < PLI_SECTION_COUNT ? header->sections[s + 1] : header->byte_size;
        const int64_t begin = clamp(start, low, high), end = clamp(next, low, high);
        const int64_t middle = clamp(start + sections->sizes[s], low, high);
        if (middle > begin)
            memcpy(filling->block + begin,
                   (const char *)sections->from[s] + (begin - (int64_t)start),
                   (size_t)(middle - begin));
        if (end > middle)
            memset(filling->block + middle, 0, (size_t)(end - middle));
    }
}

static PliantResult make_block(const PliantShapeDef *def, PliDraft *draft, PliShapeHeader **block)
{
    PliShapeHeader *header = &draft->header;
    const PliantHost *host = draft->arena->host;
    if (!pli_shape_layout(header))
        return PLIANT_TOO_LARGE;
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, (size_t)header->byte_size, 1, &memory));
    Filling filling = {header, memory, pli_draft_sections(draft)};
    pli_divide(host, fill_some, &filling, (int64_t)(header->byte_size - sizeof *header));
    if (def->groups)
        memcpy(filling.block + header->groups, def->groups,
               (size_t)def->vertices.count * sizeof *def->groups);
    *block = memory;
    **block = *header;
    (*block)->checksum = pli_shape_checksum(*block);
    return PLIANT_OK;
}

static PliantResult build_draft(const PliantShapeDef *def, PliDraft *draft)
{
    PliantShape *shape = &draft->shape;
    Building building = {.def = def, .draft = draft};
    shape->header = &draft->header;
    shape->triangles = def->triangles.data;
    shape->groups = def->groups;
    PLI_TRY(copy_vertices(&building));
    PLI_TRY(copy_skin(def, draft->arena, &shape->skin_tables));
    PLI_TRY(make_items(def, draft));
    PLI_TRY(build_tree(&building));
    if (shape->tree.node_count > PLI_MAX_NODES)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_vertex_lists_build(&shape->tree, pli_draft_corners(draft), def->vertices.count,
                                   draft->arena, &shape->vertex_lists));
    return pli_draft_derive(draft, NULL);
}

static uint32_t version_of(const PliantShapeDef *def)
{
    return PLI_SHAPE_VERSION + (def->groups ? PLI_WITH_GROUPS : 0) +
           (def->segments.count > 0 ? PLI_WITH_SEGMENTS : 0);
}

/* The block from a draft that is gone when it is there. */
static PliantResult build_block(const PliantShapeDef *def, const PliantHost *host,
                                PliShapeHeader **block)
{
    PliArena arena;
    PliDraft draft = {.header = {.magic = PLI_SHAPE_MAGIC,
                                 .version = version_of(def),
                                 .byte_order = PLI_SHAPE_BYTE_ORDER,
                                 .vertex_count = def->vertices.count,
                                 .triangle_count = def->triangles.count,
                                 .segment_count = (uint64_t)def->segments.count,
                                 .leaf_size = def->experiments->tree_leaf_size,
                                 .child_count = def->experiments->tree_child_count},
                      .arena = &arena};
    pli_arena_init(&arena, host);
    PliantResult result = build_draft(def, &draft);
    if (result == PLIANT_OK)
        result = make_block(def, &draft, block);
    pli_tree_free(&draft.shape.tree, host);
    pli_arena_free(&arena);
    return result;
}

PliantResult pli_shape_build(const PliantShapeDef *def, const PliantHost *host, int32_t min_divided,
                             PliantShape **shape)
{
    PliShapeHeader *block = NULL;
    PliantHost crew = *host;
    crew.worker_count = def->triangles.count < min_divided ? 1 : host->worker_count;
    PLI_TRY(build_block(def, &crew, &block));
    PliantResult result = pli_shape_wrap(block, host, shape);
    if (result == PLIANT_OK)
        (*shape)->owned_block = block;
    else
        pli_release(host, block, (size_t)block->byte_size, 1);
    return result;
}
