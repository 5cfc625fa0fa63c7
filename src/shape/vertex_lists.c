/* Which vertices each part of a tree has: see shape.h.
 *
 * A list holds each vertex at least once. Where numbers are consecutive for long enough, as they
 * are for long stretches where the author of the mesh went along it, and nearly everywhere where
 * the vertices are in the tree's own order, they are taken in blocks. */
#include "shape/vertex_lists.h"
#include "base/tasks.h"
#include "shape/vertex_set.h"

#include <string.h>

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Lists are made in parts of the tree's nodes and leaves, which are then put behind one another. */
typedef struct Portion {
    int32_t begin, end; /* of nodes, or of leaves */
    PliArray numbers;   /* uint32_t */
    int64_t first;      /* of its numbers among all */
    PliantResult result;
} Portion;

/* What one worker needs for the vertices of one list, for the most that there can be. */
typedef struct Scratch {
    uint64_t *keys, *sorted;
    uint32_t *slots; /* of a set: vertex_set.h */
} Scratch;

enum { MAX_VERTICES = 3 * PLI_REFIT_CUT_SIZE };

typedef struct Builder {
    const PliTree *tree;
    const PliantHost *host;
    const uint32_t *triangles;
    uint32_t *corners, *numbers;
    PliVertexList *leaf_lists, *node_lists;
    int vertex_bits;
    Scratch *scratches; /* of each worker */
    Portion *portions;  /* of nodes, then of leaves */
    int32_t node_portion_count, portion_count;
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

/* The vertices of a range, each once, in rising order. Returns how many there are. */
static int32_t list_vertices(const Builder *builder, PliRange range, const Scratch *scratch)
{
    const uint32_t *corners = builder->corners + 3 * (size_t)range.first;
    const int bits = pli_vertex_set_bits(3 * range.count);
    int32_t count = 0;
    pli_vertex_set_clear(scratch->slots, bits);
    for (int32_t c = 0; c < 3 * range.count; c++) {
        uint32_t *slot = &scratch->slots[pli_vertex_set_find(scratch->slots, bits, corners[c])];
        if (*slot != 0)
            continue;
        *slot = corners[c] + 1;
        scratch->keys[count++] = corners[c];
    }
    pli_sort_keys(scratch->keys, scratch->sorted, count, builder->vertex_bits);
    return count;
}

static PliantResult add_list(const Builder *builder, PliRange range, const Scratch *scratch,
                             PliArray *all, PliVertexList *list)
{
    void *room;
    const int64_t first = all->count, most = 3 * (int64_t)range.count;
    if (first > INT32_MAX - most)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_push(all, builder->host, most, &room));
    const int32_t count = list_vertices(builder, range, scratch);
    uint32_t *numbers = room;
    for (int32_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)scratch->keys[i];
    *list = (PliVertexList){.first = (int32_t)first, .single_count = count};
    if (has_long_runs(numbers, count))
        make_blocks(numbers, count, (uint32_t *)scratch->sorted, list);
    all->count = first + list->block_count + list->single_count;
    return PLIANT_OK;
}

/* Is a part above the refit cut? */
static bool is_above(const PliTree *tree, int32_t part)
{
    return part >= 0 && tree->nodes[part].range.count > PLI_REFIT_CUT_SIZE;
}

/* ---- Portions -------------------------------------------------------------------------------- */

/* PliantTask: the lists of some leaves, or of some nodes. Nodes above the cut have none. */
static void add_lists(void *data, int32_t index, int32_t worker)
{
    const Builder *builder = data;
    const PliTree *tree = builder->tree;
    Portion *portion = &builder->portions[index];
    const bool has_nodes = index < builder->node_portion_count;
    PliVertexList *lists = has_nodes ? builder->node_lists : builder->leaf_lists;
    for (int32_t i = portion->begin; i < portion->end && portion->result == PLIANT_OK; i++) {
        lists[i] = (PliVertexList){0, 0, 0};
        if (!has_nodes || !is_above(tree, i))
            portion->result = add_list(builder, has_nodes ? tree->nodes[i].range : tree->leaves[i],
                                       &builder->scratches[worker], &portion->numbers, &lists[i]);
    }
}

/* PliantTask: copies the numbers of a portion behind those of the ones before it. */
static void join_lists(void *data, int32_t index, int32_t worker)
{
    const Builder *builder = data;
    const Portion *portion = &builder->portions[index];
    PliVertexList *lists =
        index < builder->node_portion_count ? builder->node_lists : builder->leaf_lists;
    (void)worker;
    if (portion->numbers.count == 0)
        return;
    memcpy(builder->numbers + portion->first, portion->numbers.items,
           (size_t)portion->numbers.count * sizeof(uint32_t));
    for (int32_t i = portion->begin; i < portion->end; i++)
        if (lists[i].block_count + lists[i].single_count > 0)
            lists[i].first += (int32_t)portion->first;
}

/* Items that a node or leaf has a list of. */
static int32_t weight_of(const PliTree *tree, bool of_nodes, int32_t i)
{
    return !of_nodes ? tree->leaves[i].count : is_above(tree, i) ? 0 : tree->nodes[i].range.count;
}

/* Cuts all nodes, or all leaves, into portions of about as many items. */
static void cut_portions(const PliTree *tree, bool of_nodes, Portion *portions, int32_t count)
{
    const int32_t end = of_nodes ? tree->node_count : tree->leaf_count;
    int64_t total = 0, so_far = 0;
    for (int32_t i = 0; i < end; i++)
        total += weight_of(tree, of_nodes, i);
    for (int32_t p = 0, i = 0; p < count; p++) {
        portions[p] = (Portion){.begin = i, .numbers = {.item_size = sizeof(uint32_t)}};
        while (i < end && (p == count - 1 || so_far < pli_part_begin(p + 1, count, total)))
            so_far += weight_of(tree, of_nodes, i++);
        portions[p].end = i;
    }
}

/* Numbers all portions one after the other. */
static PliantResult place_portions(const Builder *builder, int64_t *number_count)
{
    int64_t count = 0;
    for (int32_t p = 0; p < builder->portion_count; p++) {
        Portion *portion = &builder->portions[p];
        PLI_TRY(portion->result);
        portion->first = count;
        count += portion->numbers.count;
    }
    *number_count = count;
    return count <= INT32_MAX ? PLIANT_OK : PLIANT_TOO_LARGE;
}

static PliantResult make_lists(Builder *builder, PliArena *arena, PliVertexLists *vertex_lists)
{
    int64_t count = 0;
    pli_tasks_run(builder->host, add_lists, builder, builder->portion_count);
    PLI_TRY(place_portions(builder, &count));
    builder->numbers = pli_arena_cut(arena, (size_t)count, sizeof(uint32_t));
    PLI_TRY(arena->failure);
    vertex_lists->numbers = builder->numbers;
    vertex_lists->number_count = (int32_t)count;
    pli_tasks_run(builder->host, join_lists, builder, builder->portion_count);
    return PLIANT_OK;
}

/* ---- The refit cut --------------------------------------------------------------------------- */

static PliVertexList list_of(const PliVertexLists *vertex_lists, int32_t part)
{
    return part < 0 ? vertex_lists->leaf_lists[~part] : vertex_lists->node_lists[part];
}

static int32_t root_of(const PliTree *tree)
{
    return tree->node_count == 0 ? ~0 : 0;
}

/* How many parts of the cut each node above it has, from the bottom up. Returns how many there are.
 */
static int32_t count_refit_cut(const PliTree *tree, PliRange *node_refit_cuts)
{
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        node_refit_cuts[n] = (PliRange){0, 0};
        for (int32_t c = 0; c < tree->nodes[n].child_count && is_above(tree, n); c++) {
            const int32_t child = tree->nodes[n].children[c];
            node_refit_cuts[n].count += is_above(tree, child) ? node_refit_cuts[child].count : 1;
        }
    }
    return is_above(tree, root_of(tree)) ? node_refit_cuts[0].count : 1;
}

/* Where the parts of each node above the cut begin, from the top down; and which parts they are. */
static void fill_cut(const PliTree *tree, PliRange *node_refit_cuts, int32_t *refit_cut)
{
    if (!is_above(tree, root_of(tree)))
        refit_cut[0] = root_of(tree);
    for (int32_t n = 0; n < tree->node_count; n++) {
        int32_t next = node_refit_cuts[n].first;
        for (int32_t c = 0; c < tree->nodes[n].child_count && is_above(tree, n); c++) {
            const int32_t child = tree->nodes[n].children[c];
            if (is_above(tree, child)) {
                node_refit_cuts[child].first = next;
                next += node_refit_cuts[child].count;
            } else
                refit_cut[next++] = child;
        }
    }
}

static PliantResult add_refit_cut(PliVertexLists *vertex_lists, const PliTree *tree,
                                  PliRange *node_refit_cuts, PliArena *arena)
{
    const int32_t count = count_refit_cut(tree, node_refit_cuts);
    int32_t *refit_cut = pli_arena_cut(arena, (size_t)count, sizeof *refit_cut);
    PliVertexList *lists = pli_arena_cut(arena, (size_t)count, sizeof *lists);
    PLI_TRY(arena->failure);
    fill_cut(tree, node_refit_cuts, refit_cut);
    for (int32_t i = 0; i < count; i++)
        lists[i] = list_of(vertex_lists, refit_cut[i]);
    vertex_lists->refit_cut_count = count;
    vertex_lists->refit_cut = refit_cut;
    vertex_lists->refit_cut_lists = lists;
    return PLIANT_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* PliPartTask. */
static void copy_corners(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int64_t i = part->begin; i < part->end; i++)
        memcpy(builder->corners + 3 * i, builder->triangles + 3 * (size_t)builder->tree->order[i],
               3 * sizeof *builder->corners);
}

/* What is needed while the lists are made. */
static PliantResult start(Builder *builder, PliArena *arena)
{
    const PliTree *tree = builder->tree;
    const int32_t worker_count = pli_worker_count(builder->host);
    const int32_t leaf_portion_count = pli_part_count(builder->host, tree->leaf_count);
    builder->node_portion_count = pli_part_count(builder->host, tree->node_count);
    builder->portion_count = builder->node_portion_count + leaf_portion_count;
    builder->portions = pli_arena_cut(arena, (size_t)builder->portion_count, sizeof(Portion));
    builder->scratches = pli_arena_cut(arena, (size_t)worker_count, sizeof(Scratch));
    PLI_TRY(arena->failure);
    cut_portions(tree, true, builder->portions, builder->node_portion_count);
    cut_portions(tree, false, builder->portions + builder->node_portion_count, leaf_portion_count);
    const size_t slot_count = (size_t)1 << pli_vertex_set_bits(MAX_VERTICES);
    for (int32_t w = 0; w < worker_count; w++) {
        Scratch *scratch = &builder->scratches[w];
        scratch->keys = pli_arena_cut(arena, MAX_VERTICES, sizeof(uint64_t));
        scratch->sorted = pli_arena_cut(arena, MAX_VERTICES, sizeof(uint64_t));
        scratch->slots = pli_arena_cut(arena, slot_count, sizeof(uint32_t));
    }
    return arena->failure;
}

static PliantResult build(Builder *builder, PliArena *arena, PliArena *scratch,
                          PliVertexLists *vertex_lists)
{
    const PliTree *tree = builder->tree;
    const size_t leaf_count = (size_t)tree->leaf_count, node_count = (size_t)tree->node_count;
    builder->corners = pli_arena_cut(arena, 3 * (size_t)tree->item_count, sizeof(uint32_t));
    builder->leaf_lists = pli_arena_cut(arena, leaf_count, sizeof(PliVertexList));
    builder->node_lists = pli_arena_cut(arena, node_count, sizeof(PliVertexList));
    PliRange *node_refit_cuts = pli_arena_cut(arena, node_count, sizeof *node_refit_cuts);
    PLI_TRY(arena->failure);
    *vertex_lists = (PliVertexLists){.corners = builder->corners,
                                     .leaf_lists = builder->leaf_lists,
                                     .node_lists = builder->node_lists,
                                     .node_refit_cuts = node_refit_cuts};
    pli_divide(builder->host, copy_corners, builder, tree->item_count);
    PLI_TRY(start(builder, scratch));
    const PliantResult result = make_lists(builder, arena, vertex_lists);
    for (int32_t p = 0; p < builder->portion_count; p++)
        pli_array_free(&builder->portions[p].numbers, builder->host);
    PLI_TRY(result);
    return add_refit_cut(vertex_lists, tree, node_refit_cuts, arena);
}

PliantResult pli_vertex_lists_build(const PliTree *tree, const uint32_t *triangles,
                                    int32_t vertex_count, PliArena *arena,
                                    PliVertexLists *vertex_lists)
{
    Builder builder = {.tree = tree,
                       .host = arena->host,
                       .triangles = triangles,
                       .vertex_bits = pli_bits_below(vertex_count)};
    PliArena scratch;
    pli_arena_init(&scratch, arena->host);
    PliantResult result = build(&builder, arena, &scratch, vertex_lists);
    pli_arena_free(&scratch);
    return result;
}

void pli_vertex_order(const PliVertexLists *vertex_lists, int32_t item_count, int32_t vertex_count,
                      int32_t *marks, int32_t *order)
{
    memset(marks, 0, (size_t)vertex_count * sizeof *marks);
    int32_t count = 0;
    for (int64_t c = 0; c < 3 * (int64_t)item_count; c++) {
        uint32_t vertex = vertex_lists->corners[c];
        if (!marks[vertex]++)
            order[count++] = (int32_t)vertex;
    }
    for (int32_t v = 0; v < vertex_count; v++)
        if (!marks[v])
            order[count++] = v;
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Marks the vertices of a list; false if it points anywhere else, or numbers do not
 * rise: the last vertex is looked for at the end. */
static bool mark_list(const PliVertexLists *vertex_lists, PliVertexList list, int32_t vertex_count,
                      int32_t *marks, int32_t mark)
{
    if (list.first < 0 || list.block_count < 0 || list.single_count < 0 ||
        list.block_count > vertex_lists->number_count - list.first ||
        list.single_count > vertex_lists->number_count - list.first - list.block_count)
        return false;
    const uint32_t *next = vertex_lists->numbers + list.first, count = (uint32_t)vertex_count;
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
 * all lists takes no more than reading all triangles. */
static bool is_valid_list(const PliVertexLists *vertex_lists, PliVertexList list, PliRange range,
                          int32_t vertex_count, int32_t *marks, int32_t mark)
{
    if ((int64_t)list.block_count + list.single_count > 3 * (int64_t)range.count ||
        !mark_list(vertex_lists, list, vertex_count, marks, mark))
        return false;
    for (int64_t c = 3 * (int64_t)range.first; c < 3 * ((int64_t)range.first + range.count); c++)
        if (marks[vertex_lists->corners[c]] != mark)
            return false;
    return true;
}

static bool are_valid_corners(const PliVertexLists *vertex_lists, const PliTree *tree,
                              const uint32_t *triangles)
{
    for (int32_t i = 0; i < tree->item_count; i++)
        if (memcmp(vertex_lists->corners + 3 * (size_t)i, triangles + 3 * (size_t)tree->order[i],
                   3 * sizeof(uint32_t)) != 0)
            return false;
    return true;
}

static bool is_same_list(PliVertexList p, PliVertexList q)
{
    return p.first == q.first && p.block_count == q.block_count && p.single_count == q.single_count;
}

static bool is_valid_part(const PliVertexLists *vertex_lists, int64_t index, int32_t part)
{
    return index < vertex_lists->refit_cut_count && vertex_lists->refit_cut[index] == part &&
           is_same_list(list_of(vertex_lists, part), vertex_lists->refit_cut_lists[index]);
}

/* The parts of a node above the cut are those of its children, one after the other. */
static bool is_valid_above(const PliVertexLists *vertex_lists, const PliTree *tree, int32_t n)
{
    const PliRange range = vertex_lists->node_refit_cuts[n];
    int64_t next = range.first;
    if (next < 0 || range.count < 1 || next + range.count > vertex_lists->refit_cut_count ||
        !is_same_list(vertex_lists->node_lists[n], (PliVertexList){0, 0, 0}))
        return false;
    for (int32_t c = 0; c < tree->nodes[n].child_count; c++) {
        const int32_t part = tree->nodes[n].children[c];
        if (is_above(tree, part)) {
            if (vertex_lists->node_refit_cuts[part].first != next ||
                vertex_lists->node_refit_cuts[part].count < 1)
                return false;
            next += vertex_lists->node_refit_cuts[part].count;
        } else if (!is_valid_part(vertex_lists, next++, part))
            return false;
    }
    return next == (int64_t)range.first + range.count;
}

static bool is_valid_root(const PliVertexLists *vertex_lists, const PliTree *tree)
{
    if (is_above(tree, root_of(tree)))
        return vertex_lists->node_refit_cuts[0].first == 0 &&
               vertex_lists->node_refit_cuts[0].count == vertex_lists->refit_cut_count;
    return vertex_lists->refit_cut_count == 1 && is_valid_part(vertex_lists, 0, root_of(tree));
}

/* A node has parts of the cut, or a list. */
static bool is_valid_node(const PliVertexLists *vertex_lists, const PliTree *tree, int32_t n,
                          int32_t vertex_count, int32_t *marks, int32_t mark)
{
    if (is_above(tree, n))
        return is_valid_above(vertex_lists, tree, n);
    return vertex_lists->node_refit_cuts[n].first == 0 &&
           vertex_lists->node_refit_cuts[n].count == 0 &&
           is_valid_list(vertex_lists, vertex_lists->node_lists[n], tree->nodes[n].range,
                         vertex_count, marks, mark);
}

bool pli_vertex_lists_are_valid(const PliVertexLists *vertex_lists, const PliTree *tree,
                                const uint32_t *triangles, int32_t vertex_count, int32_t *marks)
{
    if (!are_valid_corners(vertex_lists, tree, triangles))
        return false;
    memset(marks, 0, (size_t)vertex_count * sizeof *marks);
    int32_t mark = 0;
    for (int32_t i = 0; i < tree->leaf_count; i++)
        if (!is_valid_list(vertex_lists, vertex_lists->leaf_lists[i], tree->leaves[i], vertex_count,
                           marks, ++mark))
            return false;
    for (int32_t n = 0; n < tree->node_count; n++)
        if (!is_valid_node(vertex_lists, tree, n, vertex_count, marks, ++mark))
            return false;
    return is_valid_root(vertex_lists, tree);
}
