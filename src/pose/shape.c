/* Making shapes: see shape.h. */
#include "pose/pose.h"

#include <string.h>

/* ---- Pointing ---------------------------------------------------------------------------------
 */

PliantResult pli_shape_wrap(const PliShapeHeader *header, const PliantHost *host,
                            PliantShape **shape)
{
    void *memory = NULL;
    PliantResult result = pli_allocate(host, 1, sizeof(PliantShape), &memory);
    if (result != PLIANT_OK)
        return result;
    PliantShape *fresh = memory;
    *fresh = (PliantShape){.host = *host, .header = header};
    atomic_init(&fresh->reference_count, 1);

    /* The tree is read only from here on, whatever its type says. */
    char *block;
    memcpy(&block, &header, sizeof block);
    fresh->vertices = (const float *)(block + header->sections[PLI_SECTION_vertices]);
    fresh->triangles = (const uint32_t *)(block + header->sections[PLI_SECTION_triangles]);
    fresh->tree = (PliTree){.item_count = header->triangle_count,
                            .leaf_count = header->leaf_count,
                            .node_count = header->node_count,
                            .level_count = header->level_count,
                            .order = (int32_t *)(block + header->sections[PLI_SECTION_order]),
                            .leaves = (PliRange *)(block + header->sections[PLI_SECTION_leaves]),
                            .nodes = (PliTreeNode *)(block + header->sections[PLI_SECTION_nodes])};
    const uint64_t *at = header->sections;
    fresh->sets =
        (PliVertexSets){.number_count = header->number_count,
                        .cut_count = header->cut_count,
                        .corners = (uint32_t *)(block + at[PLI_SECTION_corners]),
                        .numbers = (uint32_t *)(block + at[PLI_SECTION_numbers]),
                        .cut = (int32_t *)(block + at[PLI_SECTION_cut]),
                        .cut_lists = (PliVertexList *)(block + at[PLI_SECTION_cut_lists]),
                        .leaf_lists = (PliVertexList *)(block + at[PLI_SECTION_leaf_lists]),
                        .node_lists = (PliVertexList *)(block + at[PLI_SECTION_node_lists])};
    fresh->vertex_order = (int32_t *)(block + at[PLI_SECTION_vertex_order]);
    fresh->rest_boxes = (PliBoxes *)(block + at[PLI_SECTION_rest_boxes]);
    *shape = fresh;
    return PLIANT_OK;
}

void pli_shape_free(PliantShape *shape)
{
    PliantHost host = shape->host;
    if (shape->owned_block)
        pli_release(&host, shape->owned_block, (size_t)shape->header->byte_size, 1);
    pli_release(&host, shape, 1, sizeof *shape);
}

/* ---- Building ----------------------------------------------------------------------------------
 */

static const float *given_vertex(const PliantVertices *vertices, uint32_t index)
{
    size_t stride = vertices->stride ? vertices->stride : 3 * sizeof(float);
    return (const float *)((const char *)vertices->data + stride * index);
}

static PliBox box_of(const PliantShapeDef *def, int32_t triangle)
{
    const uint32_t *indices = def->triangles.data + 3 * (size_t)triangle;
    PliBox box = pli_box_empty();
    for (int c = 0; c < 3; c++) {
        const float *p = given_vertex(&def->vertices, indices[c]);
        pli_box_add_point(&box, (PliFloat4){p[0], p[1], p[2], 0});
    }
    return box;
}

/* What only the building needs. */
typedef struct Scratch {
    PliBox *boxes;
    int32_t *first_neighbours, *neighbours, *next_corner, *head;
    size_t neighbour_count;
} Scratch;

/* Triangles that share a vertex are neighbours: a list of corners for each vertex, then a list of
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

/* Counts the neighbours, and lists them if there is a list. */
static size_t list_neighbours(const PliantShapeDef *def, Scratch *scratch)
{
    size_t count = 0;
    for (int32_t t = 0; t < def->triangles.count; t++) {
        scratch->first_neighbours[t] = (int32_t)count;
        for (int32_t c = 3 * t; c < 3 * t + 3; c++) {
            int32_t other = scratch->head[def->triangles.data[c]];
            for (; other >= 0; other = scratch->next_corner[other]) {
                if (other / 3 == t)
                    continue;
                if (scratch->neighbours)
                    scratch->neighbours[count] = other / 3;
                count++;
            }
        }
    }
    scratch->first_neighbours[def->triangles.count] = (int32_t)count;
    return count;
}

static PliantResult find_neighbours(const PliantShapeDef *def, const PliantHost *host,
                                    Scratch *scratch)
{
    size_t triangles = (size_t)def->triangles.count, vertices = (size_t)def->vertices.count;
    void *first = NULL, *next = NULL, *head = NULL, *list = NULL;
    PliantResult result = pli_allocate(host, triangles + 1, sizeof(int32_t), &first);
    scratch->first_neighbours = first;
    if (result == PLIANT_OK)
        result = pli_allocate(host, 3 * triangles, sizeof(int32_t), &next);
    scratch->next_corner = next;
    if (result == PLIANT_OK)
        result = pli_allocate(host, vertices, sizeof(int32_t), &head);
    scratch->head = head;
    if (result != PLIANT_OK)
        return result;
    link_corners(def, scratch);
    scratch->neighbour_count = list_neighbours(def, scratch);
    if (scratch->neighbour_count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    result = pli_allocate(host, scratch->neighbour_count, sizeof(int32_t), &list);
    scratch->neighbours = list;
    if (result == PLIANT_OK)
        list_neighbours(def, scratch);
    return result;
}

static void free_scratch(const PliantShapeDef *def, const PliantHost *host, Scratch *scratch)
{
    size_t triangles = (size_t)def->triangles.count;
    pli_release(host, scratch->boxes, triangles, sizeof *scratch->boxes);
    pli_release(host, scratch->first_neighbours, triangles + 1, sizeof(int32_t));
    pli_release(host, scratch->next_corner, 3 * triangles, sizeof(int32_t));
    pli_release(host, scratch->head, (size_t)def->vertices.count, sizeof(int32_t));
    pli_release(host, scratch->neighbours, scratch->neighbour_count, sizeof(int32_t));
}

static PliantResult build_tree(const PliantShapeDef *def, const PliantHost *host, PliTree *tree)
{
    static const PliTreeKind kinds[] = {PLI_TREE_FULL, PLI_TREE_MIDDLE, PLI_TREE_MEAN,
                                        PLI_TREE_CONNECTED};
    Scratch scratch = {0};
    void *boxes = NULL;
    PliantResult result = pli_allocate(host, (size_t)def->triangles.count, sizeof(PliBox), &boxes);
    if (result != PLIANT_OK)
        return result;
    scratch.boxes = boxes;
    for (int32_t t = 0; t < def->triangles.count; t++)
        scratch.boxes[t] = box_of(def, t);
    if (def->tree_kind == PLIANT_TREE_CONNECTED)
        result = find_neighbours(def, host, &scratch);
    if (result == PLIANT_OK) {
        PliTreeDef tree_def = {.kind = kinds[def->tree_kind],
                               .leaf_size = def->tree_leaf_size,
                               .child_count = def->tree_child_count,
                               .item_count = def->triangles.count,
                               .boxes = scratch.boxes,
                               .first_neighbours = scratch.first_neighbours,
                               .neighbours = scratch.neighbours};
        result = pli_tree_build(&tree_def, host, tree);
    }
    free_scratch(def, host, &scratch);
    return result;
}

/* Copies a section into its place. */
static void put(PliShapeHeader *header, int section, const void *from, int64_t count, size_t size)
{
    if (count > 0)
        memcpy((char *)header + header->sections[section], from, (size_t)count * size);
}

/* Copies everything that was made into a block that is laid out and cleared. */
static void fill_block(const PliantShapeDef *def, const PliTree *tree, const PliVertexSets *sets,
                       PliShapeHeader *header)
{
    char *block = (char *)header;
    float *vertices = (float *)(block + header->sections[PLI_SECTION_vertices]);
    for (int32_t v = 0; v < def->vertices.count; v++)
        memcpy(vertices + 3 * (size_t)v, given_vertex(&def->vertices, (uint32_t)v),
               3 * sizeof(float));
    int64_t corners = 3 * (int64_t)def->triangles.count;
    const size_t list_size = sizeof(PliVertexList);
    put(header, PLI_SECTION_triangles, def->triangles.data, corners, sizeof(uint32_t));
    put(header, PLI_SECTION_order, tree->order, tree->item_count, sizeof *tree->order);
    put(header, PLI_SECTION_leaves, tree->leaves, tree->leaf_count, sizeof *tree->leaves);
    put(header, PLI_SECTION_nodes, tree->nodes, tree->node_count, sizeof *tree->nodes);
    put(header, PLI_SECTION_corners, sets->corners, corners, sizeof(uint32_t));
    put(header, PLI_SECTION_numbers, sets->numbers, sets->number_count, sizeof(uint32_t));
    put(header, PLI_SECTION_cut, sets->cut, sets->cut_count, sizeof *sets->cut);
    put(header, PLI_SECTION_cut_lists, sets->cut_lists, sets->cut_count, list_size);
    put(header, PLI_SECTION_leaf_lists, sets->leaf_lists, tree->leaf_count, list_size);
    put(header, PLI_SECTION_node_lists, sets->node_lists, tree->node_count, list_size);
    header->nonfinite_count =
        pli_count_nonfinite(vertices, def->triangles.data, def->triangles.count);
}

/* What follows from the rest: the order of the vertices, and the boxes at rest. */
static PliantResult derive(const PliShapeHeader *header, const PliantHost *host)
{
    PliantShape *shape = NULL;
    PliantResult result = pli_shape_wrap(header, host, &shape);
    if (result != PLIANT_OK)
        return result;
    void *scratch = NULL;
    size_t vertex_count = (size_t)header->vertex_count;
    size_t box_count = (size_t)header->leaf_count + (size_t)header->node_count;
    size_t size = box_count * sizeof(PliBox);
    size = size > vertex_count * sizeof(int32_t) ? size : vertex_count * sizeof(int32_t);
    result = pli_allocate(host, size, 1, &scratch);
    if (result == PLIANT_OK) {
        char *block;
        memcpy(&block, &header, sizeof block);
        pli_vertex_order(&shape->sets, header->triangle_count, header->vertex_count, scratch,
                         (int32_t *)(block + header->sections[PLI_SECTION_vertex_order]));
        pli_rest_boxes(shape, scratch,
                       (PliBoxes *)(block + header->sections[PLI_SECTION_rest_boxes]));
    }
    pli_release(host, scratch, size, 1);
    pli_shape_free(shape);
    return result;
}

static PliantResult make_block(const PliantShapeDef *def, const PliantHost *host,
                               const PliTree *tree, const PliVertexSets *sets,
                               PliShapeHeader **block)
{
    PliShapeHeader header = {.version = PLI_SHAPE_VERSION,
                             .byte_order = PLI_SHAPE_BYTE_ORDER,
                             .vertex_count = def->vertices.count,
                             .triangle_count = def->triangles.count,
                             .leaf_count = tree->leaf_count,
                             .node_count = tree->node_count,
                             .level_count = tree->level_count,
                             .leaf_size = def->tree_leaf_size,
                             .child_count = def->tree_child_count,
                             .number_count = sets->number_count,
                             .cut_count = sets->cut_count};
    memcpy(header.magic, PLI_SHAPE_MAGIC, sizeof header.magic);
    if (!pli_shape_layout(&header))
        return PLIANT_TOO_LARGE;
    void *memory = NULL;
    PliantResult result = pli_allocate(host, (size_t)header.byte_size, 1, &memory);
    if (result != PLIANT_OK)
        return result;
    memset(memory, 0, (size_t)header.byte_size); /* the gaps are part of what is saved */
    PliShapeHeader *fresh = memory;
    *fresh = header;
    fill_block(def, tree, sets, fresh);
    result = derive(fresh, host);
    if (result == PLIANT_OK) {
        fresh->checksum = pli_shape_checksum(fresh);
        *block = fresh;
    } else
        pli_release(host, memory, (size_t)header.byte_size, 1);
    return result;
}

PliantResult pli_shape_build(const PliantShapeDef *def, const PliantHost *host, PliantShape **shape)
{
    PliTree tree;
    PliShapeHeader *block = NULL;
    PliantResult result = build_tree(def, host, &tree);
    if (result != PLIANT_OK)
        return result;
    PliVertexSets sets = {0};
    if (tree.node_count > PLI_MOST_NODES)
        result = PLIANT_TOO_LARGE;
    if (result == PLIANT_OK)
        result = pli_sets_build(&tree, def->triangles.data, def->vertices.count, host, &sets);
    if (result == PLIANT_OK)
        result = make_block(def, host, &tree, &sets, &block);
    pli_sets_free(&sets, &tree, host);
    pli_tree_free(&tree, host);
    if (result != PLIANT_OK)
        return result;
    result = pli_shape_wrap(block, host, shape);
    if (result == PLIANT_OK)
        (*shape)->owned_block = block;
    else
        pli_release(host, block, (size_t)block->byte_size, 1);
    return result;
}
