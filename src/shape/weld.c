/* Welding: see weld.h. */
#include "shape/weld.h"
#include "base/sort.h"
#include "geom/geom.h"
#include "shape/format.h"

#include <string.h>

/* Vertices that may be welded to others: by class, and within one rising. Vertices of different
 * classes are known to differ. */
typedef struct Welder {
    const PliantShapeDef *def;
    PliRanked *items, *spare; /* `key` is the class: where it begins */
    int64_t count;
} Welder;

/* ---- What a vertex is ------------------------------------------------------------------------ */

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x == 0 ? 0 : bits;
}

/* What a target says of a vertex, or NULL if it does not move it. */
static const float *move_of(const PliantTarget *target, uint32_t vertex)
{
    int32_t low = 0, high = target->vertices.count;
    if (!target->indices)
        return pli_vertex_at(&target->vertices, vertex);
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (target->indices[middle] < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low < target->vertices.count && target->indices[low] == vertex
               ? pli_vertex_at(&target->vertices, (uint32_t)low)
               : NULL;
}

/* The joints of a vertex as a body follows them, each before its weight; zeros behind the last. */
static uint32_t influence_word(const PliantSkin *skin, uint32_t vertex, int64_t index)
{
    uint16_t joints[PLI_MAX_INFLUENCES] = {0};
    float weights[PLI_MAX_INFLUENCES] = {0};
    const size_t first = (size_t)vertex * (size_t)skin->influence_count;
    int32_t count = 0;
    for (size_t i = first; i < first + (size_t)skin->influence_count; i++)
        if (skin->weights[i] != 0)
            count = pli_add_influence(joints, weights, count, skin->joints[i], skin->weights[i]);
    return index % 2 == 0 ? joints[index / 2] : bits_of(weights[index / 2]);
}

static int64_t target_words(const PliantShapeDef *def)
{
    return 3 * (int64_t)def->target_count;
}

/* How many numbers say how a vertex moves. */
static int64_t count_words(const PliantShapeDef *def)
{
    const PliantSkin *skin = def->skin;
    return target_words(def) + (skin->joint_count > 0 ? 2 * (int64_t)skin->influence_count : 0);
}

/* Number `index` of them; 0 behind the last. */
static uint32_t word_of(const PliantShapeDef *def, uint32_t vertex, int64_t index)
{
    if (index >= count_words(def))
        return 0;
    if (index >= target_words(def))
        return influence_word(def->skin, vertex, index - target_words(def));
    const float *move = move_of(&def->targets[index / 3], vertex);
    return move ? bits_of(move[index % 3]) : 0;
}

/* ---- Classes --------------------------------------------------------------------------------- */

static void sort(Welder *welder)
{
    PliRanked *sorted = pli_sort_ranked(welder->items, welder->spare, welder->count);
    welder->spare = sorted == welder->items ? welder->spare : welder->items;
    welder->items = sorted;
}

/* The end of those that equal the item at `first`. */
static int64_t find_end(const Welder *welder, int64_t first)
{
    const PliRanked *items = welder->items;
    int64_t end = first + 1;
    while (end < welder->count && items[end].key == items[first].key &&
           items[end].rank == items[first].rank)
        end++;
    return end;
}

/* Sorts, makes a class of those that are equal, and drops those that are alone. */
static void divide(Welder *welder)
{
    int64_t kept = 0;
    sort(welder);
    for (int64_t first = 0, end; first < welder->count; first = end) {
        end = find_end(welder, first);
        const int64_t start = kept;
        for (int64_t i = first; i < end && end > first + 1; i++)
            welder->items[kept++] =
                (PliRanked){.key = (uint64_t)start, .item = welder->items[i].item};
    }
    welder->count = kept;
}

static void divide_by_place(Welder *welder)
{
    const PliantVertices *vertices = &welder->def->vertices;
    for (int32_t v = 0; v < vertices->count; v++) {
        const float *p = pli_vertex_at(vertices, (uint32_t)v);
        if (pli_is_finite(p, 3))
            welder->items[welder->count++] =
                (PliRanked){.key = (uint64_t)bits_of(p[0]) << 32 | bits_of(p[1]),
                            .rank = bits_of(p[2]),
                            .item = v};
    }
    divide(welder);
}

static void divide_by_words(Welder *welder, int64_t index)
{
    for (int64_t i = 0; i < welder->count; i++) {
        PliRanked *item = &welder->items[i];
        item->key = item->key << 32 | word_of(welder->def, (uint32_t)item->item, index);
        item->rank = word_of(welder->def, (uint32_t)item->item, index + 1);
    }
    divide(welder);
}

PliantResult pli_weld(const PliantShapeDef *def, const PliantHost *host, uint32_t *groups,
                      int32_t *group_count)
{
    const int32_t vertex_count = def->vertices.count;
    void *items, *spare;
    const PliRequest requests[] = {{&items, (size_t)vertex_count, sizeof(PliRanked)},
                                   {&spare, (size_t)vertex_count, sizeof(PliRanked)}};
    PLI_TRY(pli_allocate_all(host, requests, 2));
    Welder welder = {.def = def, .items = items, .spare = spare};
    divide_by_place(&welder);
    for (int64_t i = 0; i < count_words(def) && welder.count > 0; i += 2)
        divide_by_words(&welder, i);
    for (int32_t v = 0; v < vertex_count; v++)
        groups[v] = (uint32_t)v;
    *group_count = vertex_count;
    for (int64_t i = 0; i < welder.count; i++) {
        const int32_t v = welder.items[i].item, lowest = welder.items[welder.items[i].key].item;
        groups[v] = (uint32_t)lowest;
        *group_count -= v != lowest;
    }
    pli_release_all(host, requests, 2);
    return PLIANT_OK;
}
