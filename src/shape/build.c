/* Building shapes from a def: see shape.h. */
#include "base/tasks.h"
#include "shape/items.h"
#include "shape/shape.h"

#include <string.h>

static const float *def_vertex(const PliantVertices *vertices, uint32_t index)
{
    size_t stride = vertices->stride ? vertices->stride : 3 * sizeof(float);
    return (const float *)((const char *)vertices->data + stride * index);
}

/* All that is made on the way to a block. */
typedef struct Parts {
    float *vertices, *tree_vertices; /* without gaps; those that the tree is made for */
    int32_t *target_firsts;
    uint32_t *target_vertices;
    float *target_moves;
    size_t move_capacity;
    int32_t *skin_firsts;
    uint16_t *skin_joints;
    float *skin_weights;
    PliMeshView mesh;
    PliDivision division;
    PliItems items;
    PliTree tree;
    PliVertexLists vertex_lists;
    PliMorphTables morph_tables;
    PliPlanes planes;
    PliSkinTables skin_tables;
} Parts;

/* ---- Targets ----------------------------------------------------------------------------------
 */

static int64_t count_moves(const PliantShapeDef *def)
{
    int64_t count = 0;
    for (int32_t t = 0; t < def->target_count; t++)
        count += def->targets[t].vertices.count;
    return count;
}

/* Copies the targets, one behind the other; displacements that are nothing are left out. */
static void copy_targets(const PliantShapeDef *def, Parts *parts)
{
    const bool is_relative = def->morph_kind == PLIANT_MORPH_DISPLACEMENTS;
    int32_t count = 0;
    for (int32_t t = 0; t < def->target_count; t++) {
        const PliantTarget *target = &def->targets[t];
        parts->target_firsts[t] = count;
        for (int32_t i = 0; i < target->vertices.count; i++) {
            const float *move = def_vertex(&target->vertices, (uint32_t)i);
            if (is_relative && move[0] == 0 && move[1] == 0 && move[2] == 0)
                continue;
            parts->target_vertices[count] = target->indices ? target->indices[i] : (uint32_t)i;
            memcpy(parts->target_moves + 3 * (size_t)count, move, 3 * sizeof *move);
            count++;
        }
    }
    parts->target_firsts[def->target_count] = count;
}

/* Of references, all alike, if nobody knows better. */
static float tree_weight(const PliantShapeDef *def, int32_t target)
{
    if (def->tree_weights)
        return def->tree_weights[target];
    return def->morph_kind == PLIANT_MORPH_REFERENCES ? 1 / (float)def->target_count : 0;
}

/* What parts of the building have in common. */
typedef struct Building {
    const PliantShapeDef *def;
    Parts *parts;
    PliBox *boxes;
} Building;

/* PliPartTask. */
static void copy_some_vertices(void *data, const PliPart *part)
{
    const Building *building = data;
    const PliantShapeDef *def = building->def;
    const bool starts_at_zero = def->morph_kind == PLIANT_MORPH_REFERENCES && def->target_count > 0;
    for (int64_t v = part->begin; v < part->end; v++) {
        const float *vertex = def_vertex(&def->vertices, (uint32_t)v);
        for (int k = 0; k < 3; k++) {
            building->parts->vertices[3 * v + k] = vertex[k];
            building->parts->tree_vertices[3 * v + k] = starts_at_zero ? 0 : vertex[k];
        }
    }
}

/* The mesh that the tree is made for, from zeros or from the rest pose on. */
static void blend_tree_vertices(const PliantShapeDef *def, Parts *parts)
{
    for (int32_t t = 0; t < def->target_count; t++)
        for (int32_t m = parts->target_firsts[t]; m < parts->target_firsts[t + 1]; m++)
            for (size_t k = 0; k < 3; k++)
                parts->tree_vertices[3 * (size_t)parts->target_vertices[m] + k] +=
                    tree_weight(def, t) * parts->target_moves[3 * (size_t)m + k];
}

static PliantResult copy_vertices(const PliantShapeDef *def, const PliantHost *host, Parts *parts)
{
    const int64_t most = count_moves(def);
    if (most > INT32_MAX)
        return PLIANT_TOO_LARGE;
    const size_t count = 3 * (size_t)def->vertices.count;
    void *vertices, *tree, *firsts, *numbers, *moves;
    const PliRequest requests[] = {{&vertices, count, sizeof(float)},
                                   {&tree, count, sizeof(float)},
                                   {&firsts, (size_t)def->target_count + 1, sizeof(int32_t)},
                                   {&numbers, (size_t)most, sizeof(uint32_t)},
                                   {&moves, (size_t)most, 3 * sizeof(float)}};
    PLI_TRY(pli_allocate_all(host, requests, 5));
    parts->vertices = vertices;
    parts->tree_vertices = tree;
    parts->target_firsts = firsts;
    parts->target_vertices = numbers;
    parts->target_moves = moves;
    parts->move_capacity = (size_t)most;
    Building building = {.def = def, .parts = parts};
    pli_divide(host, copy_some_vertices, &building, def->vertices.count);
    copy_targets(def, parts);
    blend_tree_vertices(def, parts);
    return PLIANT_OK;
}

/* ---- The skin ---------------------------------------------------------------------------------
 */

static size_t count_influences(const PliantShapeDef *def)
{
    const PliantSkin *skin = def->skin;
    return skin->joint_count ? (size_t)def->vertices.count * (size_t)skin->influence_count : 0;
}

static size_t count_skin_firsts(const PliantShapeDef *def)
{
    return def->skin->joint_count ? (size_t)def->vertices.count + 1 : 0;
}

static void copy_skin(const PliantShapeDef *def, Parts *parts)
{
    const PliantSkin *skin = def->skin;
    int32_t end = 0;
    parts->skin_firsts[0] = 0;
    for (int32_t v = 0; v < def->vertices.count; v++) {
        int32_t count = 0;
        for (int32_t i = 0; i < skin->influence_count; i++) {
            size_t index = (size_t)v * (size_t)skin->influence_count + (size_t)i;
            if (skin->weights[index] != 0)
                count = pli_add_influence(parts->skin_joints + end, parts->skin_weights + end,
                                          count, skin->joints[index], skin->weights[index]);
        }
        end += count;
        parts->skin_firsts[v + 1] = end;
    }
}

static PliantResult copy_influences(const PliantShapeDef *def, const PliantHost *host, Parts *parts)
{
    const size_t count = count_influences(def);
    if (count == 0)
        return PLIANT_OK;
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    void *firsts, *joints, *weights;
    const PliRequest requests[] = {{&firsts, count_skin_firsts(def), sizeof(int32_t)},
                                   {&joints, count, sizeof(uint16_t)},
                                   {&weights, count, sizeof(float)}};
    PLI_TRY(pli_allocate_all(host, requests, 3));
    parts->skin_firsts = firsts;
    parts->skin_joints = joints;
    parts->skin_weights = weights;
    copy_skin(def, parts);
    return PLIANT_OK;
}

static void free_parts(const PliantShapeDef *def, const PliantHost *host, Parts *parts)
{
    const size_t count = 3 * (size_t)def->vertices.count;
    pli_skin_tables_free(&parts->skin_tables, &parts->tree, host);
    pli_planes_free(&parts->planes, &parts->tree, host);
    pli_morph_tables_free(&parts->morph_tables, &parts->tree, host);
    pli_vertex_lists_free(&parts->vertex_lists, &parts->tree, host);
    pli_tree_free(&parts->tree, host);
    pli_items_free(&parts->items, host);
    pli_release(host, parts->vertices, count, sizeof(float));
    pli_release(host, parts->tree_vertices, count, sizeof(float));
    pli_release(host, parts->target_firsts, (size_t)def->target_count + 1, sizeof(int32_t));
    pli_release(host, parts->target_vertices, parts->move_capacity, sizeof(uint32_t));
    pli_release(host, parts->target_moves, parts->move_capacity, 3 * sizeof(float));
    pli_release(host, parts->skin_firsts, count_skin_firsts(def), sizeof(int32_t));
    pli_release(host, parts->skin_joints, count_influences(def), sizeof(uint16_t));
    pli_release(host, parts->skin_weights, count_influences(def), sizeof(float));
}

/* ---- Items ------------------------------------------------------------------------------------
 */

/* Bodies that morph or follow joints are not divided: what a piece is of moves from weight to
 * weight. Nor are connected patches, which are made of triangles that share a vertex. */
static PliantResult make_items(const PliantShapeDef *def, const PliantHost *host, Parts *parts)
{
    bool is_rigid = def->target_count == 0 && def->skin->joint_count == 0 &&
                    def->experiments->tree_kind != PLIANT_TREE_CONNECTED;
    parts->mesh = (PliMeshView){parts->vertices, def->triangles.data, def->triangles.count};
    PLI_TRY(pli_division_of(is_rigid ? def->divide_kind : PLIANT_DIVIDE_NONE, def->divide_size,
                            &parts->mesh, host, &parts->division));
    return pli_items_make(&parts->division, &parts->mesh, host, &parts->items);
}

/* ---- The tree ---------------------------------------------------------------------------------
 */

/* What only the building needs. */
typedef struct Scratch {
    PliArena arena; /* of all of it */
    PliBox *boxes;
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
static PliantResult build_divided(const Parts *parts, const PliTreeDef *def, const PliantHost *host,
                                  PliTree *tree)
{
    const size_t item_count = (size_t)parts->items.count;
    const size_t triangle_count = (size_t)parts->mesh.triangle_count;
    void *numbers, *groups;
    const PliRequest requests[] = {{&numbers, triangle_count, sizeof(int32_t)},
                                   {&groups, item_count, sizeof(int32_t)}};
    PLI_TRY(pli_allocate_all(host, requests, 2));
    int32_t count = pli_planes_number(&parts->division, &parts->mesh, numbers);
    for (size_t i = 0; i < item_count; i++)
        ((int32_t *)groups)[i] = 1 + ((const int32_t *)numbers)[parts->items.items[i].triangle];
    PliantResult result = pli_tree_build_groups(def, groups, 1 + count, host, tree);
    pli_release_all(host, requests, 2);
    return result;
}

/* PliPartTask. */
static void find_boxes(void *data, const PliPart *part)
{
    const Building *building = data;
    const Parts *parts = building->parts;
    for (int64_t i = part->begin; i < part->end; i++)
        building->boxes[i] =
            pli_item_box(&parts->items, &parts->mesh, parts->tree_vertices, (int32_t)i);
}

static PliantResult build_from_boxes(const PliantShapeDef *def, const PliantHost *host,
                                     Parts *parts, Scratch *scratch)
{
    static const PliTreeKind kinds[] = {PLI_TREE_FULL, PLI_TREE_MIDDLE, PLI_TREE_MEAN,
                                        PLI_TREE_CONNECTED};
    const PliItems *items = &parts->items;
    scratch->boxes = pli_arena_cut(&scratch->arena, (size_t)items->count, sizeof(PliBox));
    PLI_TRY(scratch->arena.failure);
    Building building = {def, parts, scratch->boxes};
    pli_divide(host, find_boxes, &building, items->count);
    if (def->experiments->tree_kind == PLIANT_TREE_CONNECTED)
        PLI_TRY(find_neighbors(def, scratch));
    PliTreeDef tree_def = {.kind = kinds[def->experiments->tree_kind],
                           .leaf_size = def->experiments->tree_leaf_size,
                           .child_count = def->experiments->tree_child_count,
                           .item_count = items->count,
                           .boxes = scratch->boxes,
                           .first_neighbors = scratch->first_neighbors,
                           .neighbors = scratch->neighbors};
    return items->items ? build_divided(parts, &tree_def, host, &parts->tree)
                        : pli_tree_build(&tree_def, host, &parts->tree);
}

static PliantResult build_tree(const PliantShapeDef *def, const PliantHost *host, Parts *parts)
{
    Scratch scratch = {0};
    pli_arena_init(&scratch.arena, host);
    PliantResult result = build_from_boxes(def, host, parts, &scratch);
    pli_arena_free(&scratch.arena);
    return result;
}

/* ---- The block --------------------------------------------------------------------------------
 */

/* What goes into each section, of so many bytes; the rest of a section is zeros. */
typedef struct Sections {
    PliShapeHeader *header; /* not in the block yet */
    char *block;
    const void *from[PLI_SECTION_COUNT];
    size_t sizes[PLI_SECTION_COUNT];
} Sections;

static void put(Sections *sections, int section, const void *from, int64_t count, size_t size)
{
    sections->from[section] = from;
    sections->sizes[section] = count > 0 ? (size_t)count * size : 0;
}

static int64_t clamp(uint64_t x, int64_t low, int64_t high)
{
    return (int64_t)x < low ? low : (int64_t)x > high ? high : (int64_t)x;
}

/* PliPartTask, of the bytes behind the header. Gaps between sections are part of what is saved. */
static void fill_some(void *data, const PliPart *part)
{
    const Sections *sections = data;
    const PliShapeHeader *header = sections->header;
    const int64_t low = (int64_t)sizeof *header + part->begin;
    const int64_t high = (int64_t)sizeof *header + part->end;
    for (int s = 0; s < PLI_SECTION_COUNT; s++) {
        const uint64_t start = header->sections[s];
        const uint64_t next =
            s + 1 < PLI_SECTION_COUNT ? header->sections[s + 1] : header->byte_size;
        const int64_t begin = clamp(start, low, high), end = clamp(next, low, high);
        const int64_t middle = clamp(start + sections->sizes[s], low, high);
        if (middle > begin)
            memcpy(sections->block + begin,
                   (const char *)sections->from[s] + (begin - (int64_t)start),
                   (size_t)(middle - begin));
        if (end > middle)
            memset(sections->block + middle, 0, (size_t)(end - middle));
    }
}

static void put_morph_tables(const PliMorphTables *morph_tables, Sections *sections)
{
    const PliShapeHeader *header = sections->header;
    const int64_t moves = header->move_count;
    put(sections, PLI_SECTION_target_firsts, morph_tables->target_firsts,
        morph_tables->target_count + 1, 4);
    put(sections, PLI_SECTION_target_vertices, morph_tables->target_vertices, moves, 4);
    put(sections, PLI_SECTION_target_moves, morph_tables->target_moves, 3 * moves, 4);
#define PUT_SECTION(name, type, items)                                                             \
    put(sections, PLI_SECTION_##name, morph_tables->name, (int64_t)(items), sizeof(type));
    PLI_MORPH_SECTIONS(PUT_SECTION)
#undef PUT_SECTION
}

static void put_skin_tables(const PliSkinTables *skin_tables, Sections *sections)
{
    const PliShapeHeader *header = sections->header;
    if (skin_tables->joint_count == 0)
        return;
    const int64_t influences = skin_tables->influence_count;
    put(sections, PLI_SECTION_skin_firsts, skin_tables->skin_firsts,
        (int64_t)header->vertex_count + 1, 4);
    put(sections, PLI_SECTION_skin_joints, skin_tables->skin_joints, influences, sizeof(uint16_t));
    put(sections, PLI_SECTION_skin_weights, skin_tables->skin_weights, influences, sizeof(float));
#define PUT_SECTION(name, type, items)                                                             \
    put(sections, PLI_SECTION_##name, skin_tables->name, (int64_t)(items), sizeof(type));
    PLI_SKIN_SECTIONS(PUT_SECTION)
#undef PUT_SECTION
}

static void put_pieces(const Parts *parts, Sections *sections)
{
    const PliPlanes *planes = &parts->planes;
    if (sections->header->divide_kind == 0)
        return;
    put(sections, PLI_SECTION_pieces, parts->items.pieces, parts->items.count, sizeof(PliPiece));
    put(sections, PLI_SECTION_planes, planes->planes, planes->count, sizeof(PliPlane));
    put(sections, PLI_SECTION_leaf_planes, planes->leaf_planes, parts->tree.leaf_count, 4);
    put(sections, PLI_SECTION_node_planes, planes->node_planes, parts->tree.node_count, 4);
}

/* Everything that was made. */
static void put_all(const PliantShapeDef *def, const Parts *parts, Sections *sections)
{
    const PliTree *tree = &parts->tree;
    const PliVertexLists *vertex_lists = &parts->vertex_lists;
    const int64_t corners = 3 * (int64_t)tree->item_count;
    const size_t list_size = sizeof(PliVertexList);
    put(sections, PLI_SECTION_vertices, parts->vertices, 3 * (int64_t)def->vertices.count,
        sizeof(float));
    put(sections, PLI_SECTION_triangles, def->triangles.data, 3 * (int64_t)def->triangles.count,
        sizeof(uint32_t));
    put(sections, PLI_SECTION_order, tree->order, tree->item_count, sizeof *tree->order);
    put(sections, PLI_SECTION_leaves, tree->leaves, tree->leaf_count, sizeof *tree->leaves);
    put(sections, PLI_SECTION_nodes, tree->nodes, tree->node_count, sizeof *tree->nodes);
    put(sections, PLI_SECTION_corners, vertex_lists->corners, corners, sizeof(uint32_t));
    put(sections, PLI_SECTION_numbers, vertex_lists->numbers, vertex_lists->number_count,
        sizeof(uint32_t));
    put(sections, PLI_SECTION_refit_cut, vertex_lists->refit_cut, vertex_lists->refit_cut_count,
        sizeof *vertex_lists->refit_cut);
    put(sections, PLI_SECTION_refit_cut_lists, vertex_lists->refit_cut_lists,
        vertex_lists->refit_cut_count, list_size);
    put(sections, PLI_SECTION_leaf_lists, vertex_lists->leaf_lists, tree->leaf_count, list_size);
    put(sections, PLI_SECTION_node_lists, vertex_lists->node_lists, tree->node_count, list_size);
    put(sections, PLI_SECTION_node_refit_cuts, vertex_lists->node_refit_cuts, tree->node_count,
        sizeof(PliRange));
    put_pieces(parts, sections);
    put_morph_tables(&parts->morph_tables, sections);
    put_skin_tables(&parts->skin_tables, sections);
}

static void fill_block(const PliantShapeDef *def, const PliantHost *host, const Parts *parts,
                       PliShapeHeader *header, void *block)
{
    Sections sections = {.header = header, .block = block};
    header->nonfinite_count =
        pli_count_nonfinite(parts->vertices, def->triangles.data, def->triangles.count, host);
    put_all(def, parts, &sections);
    pli_divide(host, fill_some, &sections, (int64_t)(header->byte_size - sizeof *header));
    if (def->groups)
        memcpy((char *)block + header->groups, def->groups,
               (size_t)def->vertices.count * sizeof *def->groups);
    memcpy(block, header, sizeof *header);
}

/* What follows from the rest: the order of the vertices, and what may be passed over. */
static PliantResult derive(const Parts *parts, const uint32_t *groups, const PliantHost *host,
                           PliShapeHeader *header)
{
    void *marks = NULL;
    size_t count = (size_t)header->vertex_count;
    PLI_TRY(pli_allocate(host, count, sizeof(int32_t), &marks));
    pli_vertex_order(&parts->vertex_lists, header->item_count, header->vertex_count, marks,
                     (int32_t *)((char *)header + header->sections[PLI_SECTION_vertex_order]));
    pli_release(host, marks, count, sizeof(int32_t));
    bool is_closed = false;
    PLI_TRY(pli_edges_inspect(&parts->division, &parts->mesh, groups, header->vertex_count, host,
                              (uint64_t *)((char *)header + header->sections[PLI_SECTION_skips]),
                              &is_closed));
    header->is_closed = is_closed;
    return PLIANT_OK;
}

static PliantResult make_block(const PliantShapeDef *def, const PliantHost *host,
                               const Parts *parts, PliShapeHeader **block)
{
    const PliMorphTables *morph_tables = &parts->morph_tables;
    const PliSkinTables *skin_tables = &parts->skin_tables;
    const bool is_divided = parts->items.items;
    PliShapeHeader header = {.version = def->groups ? PLI_GROUPS_VERSION : PLI_SHAPE_VERSION,
                             .byte_order = PLI_SHAPE_BYTE_ORDER,
                             .vertex_count = def->vertices.count,
                             .triangle_count = def->triangles.count,
                             .leaf_count = parts->tree.leaf_count,
                             .node_count = parts->tree.node_count,
                             .level_count = parts->tree.level_count,
                             .leaf_size = def->experiments->tree_leaf_size,
                             .child_count = def->experiments->tree_child_count,
                             .number_count = parts->vertex_lists.number_count,
                             .refit_cut_count = parts->vertex_lists.refit_cut_count,
                             .morph_kind = (int32_t)morph_tables->morph_kind,
                             .bound_kind = (int32_t)morph_tables->bound_kind,
                             .target_count = morph_tables->target_count,
                             .between_count = morph_tables->between_count,
                             .word_count = morph_tables->word_count,
                             .group_count = morph_tables->group_count,
                             .move_count = morph_tables->target_firsts[morph_tables->target_count],
                             .point_count = morph_tables->point_count,
                             .bound_count = morph_tables->bound_count,
                             .joint_count = skin_tables->joint_count,
                             .influence_count = skin_tables->influence_count,
                             .leaf_joint_count = skin_tables->leaf_joint_count,
                             .node_joint_count = skin_tables->node_joint_count,
                             .weight_count = skin_tables->weight_count,
                             .item_count = parts->items.count,
                             .divide_kind = is_divided ? (int32_t)parts->division.kind : 0,
                             .divide_size = parts->division.size,
                             .plane_count = parts->planes.count};
    memcpy(header.magic, PLI_SHAPE_MAGIC, sizeof header.magic);
    if (!pli_shape_layout(&header))
        return PLIANT_TOO_LARGE;
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, (size_t)header.byte_size, 1, &memory));
    PliShapeHeader *fresh = memory;
    fill_block(def, host, parts, &header, fresh);
    PliantResult result = derive(parts, def->groups, host, fresh);
    if (result == PLIANT_OK) {
        fresh->checksum = pli_shape_checksum(fresh);
        *block = fresh;
    } else
        pli_release(host, memory, (size_t)header.byte_size, 1);
    return result;
}

static PliantResult build_morph_tables(const PliantShapeDef *def, const PliantHost *host,
                                       Parts *parts)
{
    PliMorphTablesDef morph_tables_def = {.morph_kind = def->morph_kind,
                                          .bound_kind = def->experiments->bound_kind,
                                          .target_count = def->target_count,
                                          .between_count = def->between_count,
                                          .vertex_count = def->vertices.count,
                                          .joint_count = def->skin->joint_count,
                                          .tree = &parts->tree,
                                          .vertex_lists = &parts->vertex_lists,
                                          .pieces = parts->items.pieces,
                                          .vertices = parts->vertices,
                                          .target_firsts = parts->target_firsts,
                                          .target_vertices = parts->target_vertices,
                                          .target_moves = parts->target_moves};
    return pli_morph_tables_build(&morph_tables_def, host, &parts->morph_tables);
}

static PliantResult build_skin_tables(const PliantShapeDef *def, const PliantHost *host,
                                      Parts *parts)
{
    PliSkinTablesDef tables_def = {.bound_kind = def->experiments->bound_kind,
                                   .joint_count = def->skin->joint_count,
                                   .vertex_count = def->vertices.count,
                                   .tree = &parts->tree,
                                   .vertex_lists = &parts->vertex_lists,
                                   .morph_tables = &parts->morph_tables,
                                   .vertices = parts->vertices,
                                   .skin_firsts = parts->skin_firsts,
                                   .skin_joints = parts->skin_joints,
                                   .skin_weights = parts->skin_weights};
    return pli_skin_tables_build(&tables_def, host, &parts->skin_tables);
}

static PliantResult build_parts(const PliantShapeDef *def, const PliantHost *host, Parts *parts)
{
    PLI_TRY(copy_vertices(def, host, parts));
    PLI_TRY(copy_influences(def, host, parts));
    PLI_TRY(make_items(def, host, parts));
    PLI_TRY(build_tree(def, host, parts));
    if (parts->tree.node_count > PLI_MAX_NODES)
        return PLIANT_TOO_LARGE;
    pli_items_order(&parts->items, &parts->tree);
    PLI_TRY(pli_vertex_lists_build(&parts->tree, pli_item_corners(&parts->items, &parts->mesh),
                                   def->vertices.count, host, &parts->vertex_lists));
    PLI_TRY(build_morph_tables(def, host, parts));
    PLI_TRY(build_skin_tables(def, host, parts));
    return pli_planes_build(&parts->division, &parts->mesh, &parts->tree, parts->items.pieces, host,
                            &parts->planes);
}

/* The block from parts that are gone when it is there. */
static PliantResult build_block(const PliantShapeDef *def, const PliantHost *host,
                                PliShapeHeader **block)
{
    Parts parts = {0};
    PliantResult result = build_parts(def, host, &parts);
    if (result == PLIANT_OK)
        result = make_block(def, host, &parts, block);
    free_parts(def, host, &parts);
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
