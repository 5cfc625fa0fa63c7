/* Which vertices each part of a tree has: see shape.h.
 *
 * A list holds each vertex at least once. Where numbers are consecutive for long enough, as they
 * are for long stretches where whoever made the mesh went along it, and nearly everywhere where the
 * vertices are in the tree's own order, they are taken in blocks. */
#include "shape/vertex_lists.h"
#include "base/sort.h"

#include <string.h>

/* ---- Lists ------------------------------------------------------------------------------------
 */

typedef struct Builder {
    const PliTree *tree;
    const PliantHost *host;
    const uint32_t *corners;
    int32_t *marks; /* of each vertex: the list that had it last */
    int32_t list_number;
    int vertex_bits;
    uint64_t *keys, *scratch; /* for the most vertices that a list can have */
    PliArray numbers;
} Builder;

/* The vertices from first to first + length - 1, which are consecutive: how many of them to take in
 * blocks, which may overlap, and how many one by one behind these. */
static void split_run(int32_t length, int32_t *block_count, int32_t *single_count)
{
    int32_t rest = length % PLI_BLOCK;
    bool is_overlapping = length > PLI_BLOCK && rest > 2;
    *block_count = length / PLI_BLOCK + is_overlapping;
    *single_count = is_overlapping ? 0 : rest;
}

/* From numbers that rise, each once, to blocks and singles, in place. */
static void make_blocks(uint32_t *numbers, int32_t count, uint32_t *scratch, PliVertexList *list)
{
    uint32_t *blocks = numbers, *singles = scratch;
    int32_t start = 0;
    for (int32_t i = 1; i <= count; i++) {
        if (i < count && numbers[i] == numbers[i - 1] + 1)
            continue;
        int32_t length = i - start, block_count, single_count;
        uint32_t first = numbers[start];
        split_run(length, &block_count, &single_count);
        for (int32_t v = length - single_count; v < length; v++)
            *singles++ = first + (uint32_t)v;
        /* Written behind what has been read: a block stands for three numbers or more. */
        for (int32_t b = 0; b < block_count; b++) {
            int32_t at = b * PLI_BLOCK;
            at = at + PLI_BLOCK <= length ? at : length - PLI_BLOCK;
            *blocks++ = first + (uint32_t)at;
        }
        start = i;
    }
    list->block_count = (int32_t)(blocks - numbers);
    list->single_count = (int32_t)(singles - scratch);
    memcpy(blocks, scratch, (size_t)list->single_count * sizeof *scratch);
}

/* Numbers that rise in runs: are there blocks enough in them to be worth sorting out their lanes at
 * the end? */
static bool has_long_runs(const uint32_t *numbers, int32_t count)
{
    int32_t block_count = 0, run = 1;
    for (int32_t i = 1; i < count; i++) {
        run = numbers[i] == numbers[i - 1] + 1 ? run + 1 : 1;
        block_count += run % PLI_BLOCK == 0;
    }
    return block_count >= 4;
}

static PliantResult add_list(Builder *builder, PliRange range, PliVertexList *list)
{
    void *room;
    int64_t first = builder->numbers.count, most = 3 * (int64_t)range.count;
    if (first > INT32_MAX - most)
        return PLIANT_TOO_LARGE;
    PliantResult result = pli_array_push(&builder->numbers, builder->host, most, &room);
    if (result != PLIANT_OK)
        return result;
    int32_t count = 0;
    builder->list_number++;
    for (int64_t c = 3 * (int64_t)range.first; c < 3 * ((int64_t)range.first + range.count); c++) {
        uint32_t vertex = builder->corners[c];
        if (builder->marks[vertex] == builder->list_number)
            continue;
        builder->marks[vertex] = builder->list_number;
        builder->keys[count++] = vertex;
    }
    pli_sort_keys(builder->keys, builder->scratch, count, builder->vertex_bits);
    uint32_t *numbers = room;
    for (int32_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)builder->keys[i];
    *list = (PliVertexList){.first = (int32_t)first, .single_count = count};
    if (has_long_runs(numbers, count))
        make_blocks(numbers, count, (uint32_t *)builder->scratch, list);
    builder->numbers.count = first + list->block_count + list->single_count;
    return PLIANT_OK;
}

static PliantResult copy_numbers(Builder *builder, PliVertexSets *sets)
{
    void *copy = NULL;
    size_t count = (size_t)builder->numbers.count;
    PliantResult result = pli_allocate(builder->host, count, sizeof(uint32_t), &copy);
    if (result != PLIANT_OK)
        return result;
    if (count > 0)
        memcpy(copy, builder->numbers.items, count * sizeof(uint32_t));
    sets->numbers = copy;
    sets->number_count = (int32_t)count;
    return PLIANT_OK;
}

/* The lists of all nodes up to the cut and of all leaves. */
static PliantResult add_lists(Builder *builder, PliVertexList *leaf_lists,
                              PliVertexList *node_lists)
{
    const PliTree *tree = builder->tree;
    PliantResult result = PLIANT_OK;
    for (int32_t n = 0; n < tree->node_count && result == PLIANT_OK; n++) {
        node_lists[n] = (PliVertexList){0, -1, 0};
        if (tree->nodes[n].range.count <= PLI_CUT_SIZE)
            result = add_list(builder, tree->nodes[n].range, &node_lists[n]);
    }
    for (int32_t i = 0; i < tree->leaf_count && result == PLIANT_OK; i++)
        result = add_list(builder, tree->leaves[i], &leaf_lists[i]);
    return result;
}

/* ---- The cut ----------------------------------------------------------------------------------
 */

static PliVertexList list_of(const PliVertexSets *sets, int32_t child)
{
    return child < 0 ? sets->leaf_lists[~child] : sets->node_lists[child];
}

/* Parts of the cut among the children of the nodes above it. */
static int32_t count_cut(const PliVertexSets *sets, const PliTree *tree)
{
    if (tree->node_count == 0 || !pli_is_above_cut(sets, 0))
        return 1;
    int32_t count = 0;
    for (int32_t n = 0; n < tree->node_count; n++)
        if (pli_is_above_cut(sets, n))
            for (int32_t c = 0; c < tree->nodes[n].child_count; c++)
                count += list_of(sets, tree->nodes[n].children[c]).block_count >= 0;
    return count;
}

/* How many parts of the cut each node above it has, from the bottom up; then where they begin, from
 * the top down, which leaves the others their places. */
static void place_cut(PliVertexSets *sets, const PliTree *tree, PliVertexList *node_lists,
                      int32_t *cut)
{
    if (tree->node_count == 0 || !pli_is_above_cut(sets, 0)) {
        cut[0] = tree->node_count == 0 ? ~0 : 0;
        return;
    }
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        if (!pli_is_above_cut(sets, n))
            continue;
        for (int32_t c = 0; c < tree->nodes[n].child_count; c++) {
            PliVertexList list = list_of(sets, tree->nodes[n].children[c]);
            node_lists[n].single_count += list.block_count < 0 ? list.single_count : 1;
        }
    }
    for (int32_t n = 0; n < tree->node_count; n++) {
        int32_t place = node_lists[n].first;
        for (int32_t c = 0; c < tree->nodes[n].child_count && pli_is_above_cut(sets, n); c++) {
            int32_t child = tree->nodes[n].children[c];
            PliVertexList list = list_of(sets, child);
            if (list.block_count < 0) {
                node_lists[child].first = place;
                place += list.single_count;
            } else
                cut[place++] = child;
        }
    }
}

static PliantResult add_cut(PliVertexSets *sets, const PliTree *tree, PliVertexList *node_lists,
                            const PliantHost *host)
{
    void *cut = NULL, *cut_lists = NULL;
    sets->cut_count = count_cut(sets, tree);
    size_t count = (size_t)sets->cut_count;
    PliantResult result = pli_allocate(host, count, sizeof(int32_t), &cut);
    sets->cut = cut;
    if (result == PLIANT_OK)
        result = pli_allocate(host, count, sizeof(PliVertexList), &cut_lists);
    sets->cut_lists = cut_lists;
    if (result != PLIANT_OK)
        return result;
    place_cut(sets, tree, node_lists, cut);
    for (size_t i = 0; i < count; i++)
        ((PliVertexList *)cut_lists)[i] = list_of(sets, sets->cut[i]);
    return PLIANT_OK;
}

/* ---- All of it --------------------------------------------------------------------------------
 */

static void copy_corners(const PliTree *tree, const uint32_t *triangles, uint32_t *corners)
{
    for (int32_t i = 0; i < tree->item_count; i++)
        memcpy(corners + 3 * (size_t)i, triangles + 3 * (size_t)tree->order[i],
               3 * sizeof *corners);
}

PliantResult pli_sets_build(const PliTree *tree, const uint32_t *triangles, int32_t vertex_count,
                            const PliantHost *host, PliVertexSets *sets)
{
    *sets = (PliVertexSets){0};
    Builder builder = {.tree = tree, .host = host, .numbers = {.item_size = sizeof(uint32_t)}};
    const size_t most = 3 * (size_t)PLI_CUT_SIZE;
    void *corners = NULL, *leaf_lists = NULL, *node_lists = NULL, *marks = NULL, *keys = NULL,
         *scratch = NULL;
    PliantResult result =
        pli_allocate(host, 3 * (size_t)tree->item_count, sizeof(uint32_t), &corners);
    sets->corners = corners;
    if (result == PLIANT_OK)
        result = pli_allocate(host, (size_t)tree->leaf_count, sizeof(PliVertexList), &leaf_lists);
    sets->leaf_lists = leaf_lists;
    if (result == PLIANT_OK)
        result = pli_allocate(host, (size_t)tree->node_count, sizeof(PliVertexList), &node_lists);
    sets->node_lists = node_lists;
    if (result == PLIANT_OK)
        result = pli_allocate(host, (size_t)vertex_count, sizeof(int32_t), &marks);
    if (result == PLIANT_OK)
        result = pli_allocate(host, most, sizeof(uint64_t), &keys);
    if (result == PLIANT_OK)
        result = pli_allocate(host, most, sizeof(uint64_t), &scratch);
    if (result == PLIANT_OK) {
        copy_corners(tree, triangles, corners);
        memset(marks, 0, (size_t)vertex_count * sizeof(int32_t));
        builder.corners = corners;
        builder.marks = marks;
        builder.keys = keys;
        builder.scratch = scratch;
        builder.vertex_bits = pli_bits_below(vertex_count);
        result = add_lists(&builder, leaf_lists, node_lists);
    }
    if (result == PLIANT_OK)
        result = copy_numbers(&builder, sets);
    if (result == PLIANT_OK)
        result = add_cut(sets, tree, node_lists, host);
    pli_array_free(&builder.numbers, host);
    pli_release(host, marks, (size_t)vertex_count, sizeof(int32_t));
    pli_release(host, keys, most, sizeof(uint64_t));
    pli_release(host, scratch, most, sizeof(uint64_t));
    if (result != PLIANT_OK)
        pli_sets_free(sets, tree, host);
    return result;
}

/* What a set points at is read only for everyone else. */
static void free_array(const PliantHost *host, const void *array, int64_t count, size_t item_size)
{
    void *block;
    memcpy(&block, &array, sizeof block);
    pli_release(host, block, (size_t)count, item_size);
}

void pli_sets_free(PliVertexSets *sets, const PliTree *tree, const PliantHost *host)
{
    free_array(host, sets->corners, 3 * (int64_t)tree->item_count, sizeof(uint32_t));
    free_array(host, sets->numbers, sets->number_count, sizeof(uint32_t));
    free_array(host, sets->cut, sets->cut_count, sizeof(int32_t));
    free_array(host, sets->cut_lists, sets->cut_count, sizeof(PliVertexList));
    free_array(host, sets->leaf_lists, tree->leaf_count, sizeof(PliVertexList));
    free_array(host, sets->node_lists, tree->node_count, sizeof(PliVertexList));
    *sets = (PliVertexSets){0};
}

void pli_vertex_order(const PliVertexSets *sets, int32_t item_count, int32_t vertex_count,
                      int32_t *marks, int32_t *order)
{
    memset(marks, 0, (size_t)vertex_count * sizeof *marks);
    int32_t count = 0;
    for (int64_t c = 0; c < 3 * (int64_t)item_count; c++) {
        uint32_t vertex = sets->corners[c];
        if (!marks[vertex]++)
            order[count++] = (int32_t)vertex;
    }
    for (int32_t v = 0; v < vertex_count; v++)
        if (!marks[v])
            order[count++] = v;
}

/* ---- Checking ---------------------------------------------------------------------------------
 */

/* Marks the vertices of a list; false if it points anywhere else, or numbers do not
 * rise: the last vertex is looked for at the end. */
static bool mark_list(const PliVertexSets *sets, PliVertexList list, int32_t vertex_count,
                      int32_t *marks, int32_t mark)
{
    if (list.first < 0 || list.block_count < 0 || list.single_count < 0 ||
        list.block_count > sets->number_count - list.first ||
        list.single_count > sets->number_count - list.first - list.block_count)
        return false;
    const uint32_t *next = sets->numbers + list.first, count = (uint32_t)vertex_count;
    for (int32_t b = 0; b < list.block_count; b++, next++) {
        if (*next >= count || count - *next < PLI_BLOCK || (b > 0 && *next <= next[-1]))
            return false;
        for (uint32_t v = 0; v < PLI_BLOCK; v++)
            marks[*next + v] = mark;
    }
    for (int32_t i = 0; i < list.single_count; i++, next++) {
        if (*next >= count || (i > 0 && *next <= next[-1]))
            return false;
        marks[*next] = mark;
    }
    return true;
}

/* Every vertex of the range is there, and the list is no longer than it need be, so that checking
 * all lists takes no more than looking at all triangles. */
static bool is_valid_list(const PliVertexSets *sets, PliVertexList list, PliRange range,
                          int32_t vertex_count, int32_t *marks, int32_t mark)
{
    if ((int64_t)list.block_count + list.single_count > 3 * (int64_t)range.count ||
        !mark_list(sets, list, vertex_count, marks, mark))
        return false;
    for (int64_t c = 3 * (int64_t)range.first; c < 3 * ((int64_t)range.first + range.count); c++)
        if (marks[sets->corners[c]] != mark)
            return false;
    return true;
}

static bool are_valid_corners(const PliVertexSets *sets, const PliTree *tree,
                              const uint32_t *triangles)
{
    for (int32_t i = 0; i < tree->item_count; i++)
        if (memcmp(sets->corners + 3 * (size_t)i, triangles + 3 * (size_t)tree->order[i],
                   3 * sizeof(uint32_t)) != 0)
            return false;
    return true;
}

static bool is_same_list(PliVertexList p, PliVertexList q)
{
    return p.first == q.first && p.block_count == q.block_count && p.single_count == q.single_count;
}

static bool is_valid_part(const PliVertexSets *sets, int64_t place, int32_t part)
{
    return place < sets->cut_count && sets->cut[place] == part &&
           is_same_list(list_of(sets, part), sets->cut_lists[place]);
}

/* The children of a node above the cut stand in it where they should. */
static bool is_valid_above(const PliVertexSets *sets, const PliTree *tree, int32_t n)
{
    PliVertexList list = sets->node_lists[n];
    int64_t place = list.first;
    if (place < 0 || list.single_count < 1 || place + list.single_count > sets->cut_count)
        return false;
    for (int32_t c = 0; c < tree->nodes[n].child_count; c++) {
        int32_t part = tree->nodes[n].children[c];
        PliVertexList child = list_of(sets, part);
        bool is_above = child.block_count < 0;
        if (is_above ? child.first != place || child.single_count < 1
                     : !is_valid_part(sets, place, part))
            return false;
        place += is_above ? child.single_count : 1;
    }
    return place == (int64_t)list.first + list.single_count;
}

static bool is_valid_root(const PliVertexSets *sets, const PliTree *tree)
{
    int32_t part = tree->node_count == 0 ? ~0 : 0;
    PliVertexList root = list_of(sets, part);
    if (root.block_count < 0)
        return root.first == 0 && root.single_count == sets->cut_count;
    return sets->cut_count == 1 && is_valid_part(sets, 0, part);
}

bool pli_sets_are_valid(const PliVertexSets *sets, const PliTree *tree, const uint32_t *triangles,
                        int32_t vertex_count, int32_t *marks)
{
    if (!are_valid_corners(sets, tree, triangles))
        return false;
    memset(marks, 0, (size_t)vertex_count * sizeof *marks);
    int32_t mark = 0;
    for (int32_t i = 0; i < tree->leaf_count; i++)
        if (!is_valid_list(sets, sets->leaf_lists[i], tree->leaves[i], vertex_count, marks, ++mark))
            return false;
    for (int32_t n = 0; n < tree->node_count; n++) {
        bool is_above = tree->nodes[n].range.count > PLI_CUT_SIZE;
        if (is_above != pli_is_above_cut(sets, n))
            return false;
        bool is_valid = is_above ? is_valid_above(sets, tree, n)
                                 : is_valid_list(sets, sets->node_lists[n], tree->nodes[n].range,
                                                 vertex_count, marks, ++mark);
        if (!is_valid)
            return false;
    }
    return is_valid_root(sets, tree);
}
