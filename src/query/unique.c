/* Pairs of the closest features: see unique.h. */
#include "query/unique.h"
#include <pliant/soup.h>

/* ---- One pair ---------------------------------------------------------------------------------
 */

/* A feature: so many vertices, with what the pair says of them. */
typedef struct Side {
    int32_t number;
    int count;
    uint32_t vertices[3];
    float weights[3];
    uint8_t region;
} Side;

/* The vertices of an edge by the numbers of features. */
static void find_ends(const PliPoseFeatures *features, int32_t edge, uint32_t ends[2])
{
    if (features->shared) {
        memcpy(ends, features->shared->edge_vertices + 2 * (size_t)edge, 2 * sizeof *ends);
        return;
    }
    const PliNearTriangle triangle = pli_near_triangle(features, edge / 3);
    const PliEdgeEnds corners = pli_edge_ends(triangle.vertices, edge % 3);
    ends[0] = triangle.vertices[corners.first];
    ends[1] = triangle.vertices[corners.second];
}

static void swap_ends(Side *side)
{
    const Side old = *side;
    for (int i = 0; i < 2; i++) {
        side->vertices[i] = old.vertices[1 - i];
        side->weights[i] = old.weights[1 - i];
    }
}

/* Sets the number of a feature that has `places` of a larger one. Returns false if there is none.
 */
static bool set_number(const PliPoseFeatures *features, int32_t whole, int whole_count,
                       const int places[2], Side *side)
{
    uint32_t corners[3];
    if (whole_count == 2) {
        find_ends(features, whole, corners);
        side->number = (int32_t)corners[places[0]];
        return true;
    }
    memcpy(corners, pli_near_triangle(features, whole).vertices, sizeof corners);
    if (side->count == 1) {
        side->number = (int32_t)corners[places[0]];
        return true;
    }
    side->number = pli_near_edge(features, whole, places[1] - places[0] == 2 ? 2 : places[0]);
    if (corners[places[0]] > corners[places[1]])
        swap_ends(side);
    return side->number >= 0;
}

/* The feature of a pair's vertices from `first` on, `count` of them, without those that the closest
 * point does not need. */
static Side side_of(const PliPoseFeatures *features, const PliantNearPair *pair, int32_t number,
                    int first, int count)
{
    Side whole = {.number = number, .count = count}, part = {0};
    int places[3] = {0};
    for (int i = 0; i < count; i++) {
        const int at = first + i;
        const bool is_needed = pair->region >> at & 1;
        whole.vertices[i] = pair->vertices[at];
        whole.weights[i] = pair->weights[at];
        whole.region |= (uint8_t)(is_needed << i);
        if (!is_needed)
            continue;
        part.vertices[part.count] = pair->vertices[at];
        part.weights[part.count] = pair->weights[at];
        places[part.count++] = i;
    }
    part.region = (uint8_t)((1 << part.count) - 1);
    const bool is_part = part.count > 0 && part.count < count;
    if (is_part && set_number(features, number, count, places, &part))
        return part;
    return whole;
}

/* The kind of a pair of features of so many vertices. */
static PliantFeatures kind_of(int a_count, int b_count)
{
    static const PliantFeatures kinds[3][3] = {
        {PLIANT_VERTEX_VERTEX, PLIANT_VERTEX_EDGE, PLIANT_VERTEX_TRIANGLE},
        {PLIANT_EDGE_VERTEX, PLIANT_EDGE_EDGE, PLIANT_TRIANGLE_TRIANGLE},
        {PLIANT_TRIANGLE_VERTEX, PLIANT_TRIANGLE_TRIANGLE, PLIANT_TRIANGLE_TRIANGLE}};
    return kinds[a_count - 1][b_count - 1];
}

/* Within one body a vertex comes before an edge, and the lower one of two vertices first. */
static bool is_reverse(const Side *a, const Side *b)
{
    return a->count > b->count || (a->count == 1 && b->count == 1 && a->number > b->number);
}

void pli_unique_reduce(PliantNearPair *pair, const PliPoseFeatures *a, const PliPoseFeatures *b)
{
    static const int counts_a[] = {1, 3, 2};
    const int count = counts_a[pair->kind];
    Side sides[2] = {side_of(a, pair, pair->feature_a, 0, count),
                     side_of(b, pair, pair->feature_b, count, 4 - count)};
    const bool is_swapped = a == b && is_reverse(&sides[0], &sides[1]);
    const Side *first = is_swapped ? &sides[1] : &sides[0];
    const Side *second = is_swapped ? &sides[0] : &sides[1];
    pair->kind = kind_of(first->count, second->count);
    pair->feature_a = first->number;
    pair->feature_b = second->number;
    pair->region = 0;
    for (int i = 0; i < 4; i++) {
        const Side *side = i < first->count ? first : second;
        const int at = i < first->count ? i : i - first->count;
        const bool is_there = at < side->count;
        if (is_there && (side->region >> at & 1))
            pair->region |= (uint8_t)(1U << i);
        pair->vertices[i] = is_there ? side->vertices[at] : PLIANT_NO_VERTEX;
        pair->weights[i] = !is_there ? 0 : is_swapped ? -side->weights[at] : side->weights[at];
    }
    for (int k = 0; k < 3 && is_swapped; k++)
        pair->normal[k] = -pair->normal[k];
}

/* ---- All pairs of two bodies ------------------------------------------------------------------
 */

PliantResult pli_unique_key(const PliantNearPair *pair, uint64_t *key)
{
    enum { BITS = 30 };
    const uint64_t a = (uint64_t)pair->feature_a, b = (uint64_t)pair->feature_b;
    const bool is_swapped = pair->kind == PLIANT_EDGE_VERTEX;
    *key = pli_near_key(pair);
    if (pair->kind <= PLIANT_EDGE_EDGE)
        return PLIANT_OK;
    *key = UINT64_C(3) << 62 | (uint64_t)(pair->kind - PLIANT_VERTEX_VERTEX) << 2 * BITS |
           (is_swapped ? b : a) << BITS | (is_swapped ? a : b);
    return (a | b) >> BITS == 0 ? PLIANT_OK : PLIANT_TOO_LARGE;
}

/* Lists the pairs by their keys, and equal ones as they come. */
static PliantResult rank(const PliantNearPair *pairs, int64_t count, PliArray *room,
                         const PliantHost *host, PliRanked **order)
{
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(room, host, 2 * count));
    PliRanked *ranked = room->items;
    for (int64_t i = 0; i < count; i++) {
        ranked[i] = (PliRanked){.item = (int32_t)i};
        PLI_TRY(pli_unique_key(&pairs[i], &ranked[i].key));
    }
    *order = pli_sort_ranked(ranked, ranked + count, count);
    return PLIANT_OK;
}

PliantResult pli_unique_merge(const PliantNearPair *pairs, int64_t count, PliArray *room,
                              PliArray *to, const PliantHost *host)
{
    PliRanked *order;
    PLI_TRY(rank(pairs, count, room, host, &order));
    PLI_TRY(pli_array_reserve(to, host, to->count + count));
    PliantNearPair *last = (PliantNearPair *)to->items + to->count;
    for (int64_t i = 0; i < count; i++) {
        const PliantNearPair *pair = &pairs[order[i].item];
        if (i == 0 || order[i].key != order[i - 1].key) {
            last = (PliantNearPair *)to->items + to->count++;
            *last = *pair;
            continue;
        }
        const uint32_t pair_count = last->pair_count + pair->pair_count;
        if (pair->distance < last->distance)
            *last = *pair;
        last->pair_count = pair_count;
    }
    return PLIANT_OK;
}
