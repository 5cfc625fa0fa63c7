/* From pairs of triangles to segments between nodes, and on to curves: see regions.h. */
#include "base/sort.h"
#include "geom/crossing.h"
#include "geom/perturbed.h"
#include "regions/faces.h"

#include <string.h>

/* ---- The triangles --------------------------------------------------------------------------- */

/* Room for as many items as there will be. */
static PliantResult resize(PliRegions *regions, PliArray *array, int64_t count)
{
    PLI_TRY(pli_array_reserve_spare(array, regions->host, count));
    array->count = count;
    return PLIANT_OK;
}

/* The triangles of all pairs, by surface and number, once each: keys of 32 bits. */
static PliantResult list_triangles(PliRegions *regions, int64_t *count)
{
    const int64_t pair_count = regions->pairs.count;
    for (int i = 0; i < 2; i++)
        PLI_TRY(resize(regions, &regions->keys[i], 2 * pair_count));
    const uint64_t *pairs = regions->pairs.items;
    uint64_t *keys = regions->keys[0].items;
    const uint64_t second = pli_is_self(regions) ? 0 : (uint64_t)1 << 31;
    for (int64_t i = 0; i < pair_count; i++) {
        keys[2 * i] = pairs[i] >> 32;
        keys[2 * i + 1] = second | (uint32_t)pairs[i];
    }
    pli_sort_keys(keys, regions->keys[1].items, 2 * pair_count, 32);
    *count = 0;
    for (int64_t i = 0; i < 2 * pair_count; i++)
        if (*count == 0 || keys[*count - 1] != keys[i])
            keys[(*count)++] = keys[i];
    return PLIANT_OK;
}

/* Where the triangles are that are in regions->scratch->numbers from `first` on: all of one
 * surface. */
static PliantResult fetch_cuts(PliRegions *regions, int surface, int64_t first, int64_t count)
{
    const int32_t *numbers = pli_array_from(&regions->scratch->numbers, first);
    if (count == 0)
        return PLIANT_OK;
    float *rows = (float *)regions->scratch->rows.items + 9 * first;
    return regions->surfaces[surface]->fetch(regions->surfaces[surface]->user, regions->scratch,
                                             numbers, count, rows);
}

static PliantResult prepare_states(PliRegions *regions, int surface)
{
    PliArray *states = &regions->states[surface];
    const int64_t count = regions->surfaces[surface]->triangle_count;
    const int64_t had = states->count;
    if (count <= had)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(states, regions->host, count));
    memset((int32_t *)states->items + had, 0, (size_t)(count - had) * sizeof(int32_t));
    states->count = count;
    return PLIANT_OK;
}

/* Which surface is moved. It must not depend on which of them is called the first: that with the
 * fewer cut triangles, or the first one that is lower where they differ. */
static int choose_moved(const PliRegions *regions, int64_t first_count)
{
    const int64_t count = regions->cuts.count - first_count;
    const float *rows = regions->scratch->rows.items;
    if (first_count != count)
        return first_count < count ? 0 : 1;
    for (int64_t i = 0; i < 9 * count; i++)
        if (rows[i] != rows[9 * count + i])
            return rows[i] < rows[9 * count + i] ? 0 : 1;
    return 0;
}

static PliantResult make_cuts(PliRegions *regions)
{
    int64_t count, first_count = 0;
    PLI_TRY(list_triangles(regions, &count));
    PLI_TRY(resize(regions, &regions->scratch->numbers, count));
    PLI_TRY(resize(regions, &regions->scratch->rows, count));
    PLI_TRY(resize(regions, &regions->cuts, count));
    regions->cuts.count = 0; /* until they are there */
    for (int s = 0; s < (pli_is_self(regions) ? 1 : 2); s++)
        PLI_TRY(prepare_states(regions, s));
    const uint64_t *keys = regions->keys[0].items;
    int32_t *numbers = regions->scratch->numbers.items;
    for (int64_t i = 0; i < count; i++) {
        numbers[i] = (int32_t)(keys[i] & 0x7fffffff);
        first_count += !(keys[i] >> 31);
    }
    PLI_TRY(fetch_cuts(regions, 0, 0, first_count));
    PLI_TRY(fetch_cuts(regions, 1, first_count, count - first_count));
    PliCut *cuts = regions->cuts.items;
    for (int64_t i = 0; i < count; i++) {
        regions->cuts.count = i + 1;
        cuts[i] = (PliCut){.surface = (int32_t)(keys[i] >> 31),
                           .triangle = numbers[i],
                           .edge_nodes = {-1, -1, -1}};
        for (int k = 0; k < 3; k++)
            cuts[i].vertices[k] =
                pli_surface_label(regions->surfaces[cuts[i].surface], numbers[i], k);
        memcpy(cuts[i].corners, (const float *)regions->scratch->rows.items + 9 * i,
               sizeof cuts[i].corners);
        ((int32_t *)regions->states[cuts[i].surface].items)[numbers[i]] = (int32_t)i + 1;
    }
    regions->moved = choose_moved(regions, first_count);
    return PLIANT_OK;
}

/* ---- Segments -------------------------------------------------------------------------------- */

/* Two triangles with a vertex of each at every corner. */
typedef struct Pair {
    const PliCut *cuts[2];
    PliLabeled corners[2][3];
    int common[2];   /* corners at a vertex that both have; -1: there is none */
    int signs[2][3]; /* of the corners of each against the other: 1 is below, 0 is a common vertex,
                        or the other has no area */
    bool is_self;
    int moved; /* which of the two, if they are of different surfaces */
    PliCounts *counts;
} Pair;

static void set_pair(Pair *pair, const PliCut *a, const PliCut *b)
{
    pair->cuts[0] = a;
    pair->cuts[1] = b;
    pair->common[0] = pair->common[1] = -1;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            pair->corners[i][k] =
                (PliLabeled){pair->cuts[i]->corners + 3 * k,
                             (uint64_t)pair->cuts[i]->surface << 32 | pair->cuts[i]->vertices[k]};
}

/* Has one of the triangles a vertex twice? Then it is an edge of others, and no surface. */
static bool has_vertex_twice(const Pair *pair)
{
    bool has = false;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            has |= pair->corners[i][k].label == pair->corners[i][(k + 1) % 3].label;
    return has;
}

/* How many vertices have they in common? */
static int count_common(Pair *pair)
{
    int count = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (pair->corners[0][i].label == pair->corners[1][j].label) {
                pair->common[0] = i;
                pair->common[1] = j;
                count++;
            }
    return count;
}

/* Below the triangle is where it is clockwise. */
static int side_of(const Pair *pair, int i, int k)
{
    const PliLabeled *other = pair->corners[1 - i], *corner = &pair->corners[i][k];
    return pair->is_self
               ? pli_perturbed_orient3d(&other[0], &other[1], &other[2], corner, pair->counts)
               : pli_moved_side(corner->position, other[0].position,
                                i == pair->moved ? PLI_MOVED_FIRST : PLI_MOVED_SECOND,
                                pair->counts);
}

/* On which side edge k of triangle i passes edge `edge` of the other. */
static int pass(const Pair *pair, int i, int k, int edge)
{
    const PliLabeled *p = &pair->corners[i][k], *q = &pair->corners[i][(k + 1) % 3];
    const PliLabeled *r = &pair->corners[1 - i][edge], *s = &pair->corners[1 - i][(edge + 1) % 3];
    return pair->is_self ? pli_perturbed_orient3d(p, q, r, s, pair->counts)
                         : pli_moved_orient3d(p->position, q->position, r->position, s->position,
                                              i == pair->moved ? PLI_MOVED_FIRST : PLI_MOVED_SECOND,
                                              pair->counts);
}

/* Fills the signs of one triangle's corners. False if all are on one side. */
static bool find_signs(Pair *pair, int i)
{
    for (int k = 0; k < 3; k++)
        pair->signs[i][k] = k == pair->common[i] ? 0 : side_of(pair, i, k);
    const int *signs = pair->signs[i];
    return signs[0] == 0 || signs[0] != signs[1] || signs[1] != signs[2];
}

/* Does edge k of triangle i go through the other? Its ends are on both sides of that, and it passes
 * all three edges on the same side. */
static bool is_through(const Pair *pair, int i, int k)
{
    if (pair->signs[i][k] * pair->signs[i][(k + 1) % 3] != -1)
        return false;
    const int first = pass(pair, i, k, 0);
    return pass(pair, i, k, 1) == first && pass(pair, i, k, 2) == first;
}

/* In its triangle, an edge goes counter-clockwise from p to q. The segment leaves triangle a where
 * q is on its left, below b, and it enters b, against the order of a and b, where q is below a. */
static void add_end(const Pair *pair, int i, int k, PliSegment *segment, int *count)
{
    const bool is_start = (pair->signs[i][k] > 0) == (i == 0);
    const int end = *count == 0 ? !is_start : segment->owners[0] == PLI_OF_NEITHER ? 0 : 1;
    if (*count < 2) {
        segment->owners[end] = (uint8_t)i;
        segment->corners[end][0] = (uint8_t)k;
    }
    ++*count;
}

/* The segment of two triangles. False if they have none. */
static bool find_segment(Pair *pair, PliSegment *segment)
{
    const int common = pair->is_self ? count_common(pair) : 0;
    int count = 0;
    segment->owners[0] = segment->owners[1] = PLI_OF_NEITHER;
    if (common > 1 || has_vertex_twice(pair))
        return false;
    for (int i = 0; i < 2; i++)
        if (!find_signs(pair, i))
            return false;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            if (is_through(pair, i, k))
                add_end(pair, i, k, segment, &count);
    if (count + common != 2)
        return false;
    for (int end = 0; end < 2 && common; end++)
        if (segment->owners[end] == PLI_OF_NEITHER) {
            segment->corners[end][0] = (uint8_t)pair->common[0];
            segment->corners[end][1] = (uint8_t)pair->common[1];
        }
    return true;
}

/* PliRegionWork: a segment for each pair, in its place. Without one, its first cut is -1. */
static void make_some(PliRegions *regions, int64_t begin, int64_t end, PliRegionScratch *scratch)
{
    const uint64_t *pairs = regions->pairs.items;
    const PliCut *cuts = regions->cuts.items;
    const int32_t *a_states = regions->states[0].items;
    const int32_t *b_states = regions->states[pli_is_self(regions) ? 0 : 1].items;
    PliCounts counts = {0};
    (void)scratch;
    for (int64_t i = begin; i < end; i++) {
        PliSegment *segment = (PliSegment *)regions->segments.items + i;
        *segment =
            (PliSegment){.cuts = {a_states[pairs[i] >> 32] - 1, b_states[(uint32_t)pairs[i]] - 1},
                         .nodes = {-1, -1},
                         .curve = -1,
                         .faces = {{-1, -1}, {-1, -1}}};
        Pair pair = {.is_self = pli_is_self(regions), .moved = regions->moved, .counts = &counts};
        set_pair(&pair, &cuts[segment->cuts[0]], &cuts[segment->cuts[1]]);
        if (!find_segment(&pair, segment))
            segment->cuts[0] = -1;
    }
}

static PliantResult make_segments(PliRegions *regions)
{
    const int64_t pair_count = regions->pairs.count;
    PLI_TRY(resize(regions, &regions->segments, pair_count));
    pli_regions_divide(regions, make_some, pair_count, pair_count);
    PliSegment *segments = regions->segments.items;
    int64_t count = 0;
    for (int64_t i = 0; i < pair_count; i++)
        if (segments[i].cuts[0] >= 0)
            segments[count++] = segments[i];
    regions->segments.count = count;
    return PLIANT_OK;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static uint64_t node_key(const PliRegions *regions, const PliSegment *segment, int end)
{
    const PliCut *cuts = regions->cuts.items;
    const PliCut *owner = &cuts[segment->cuts[segment->owners[end]]];
    const PliCut *other = &cuts[segment->cuts[1 - segment->owners[end]]];
    const int32_t edge = pli_surface_edge(regions->surfaces[owner->surface], owner->triangle,
                                          segment->corners[end][0]);
    return (uint64_t)owner->surface << 62 | (uint64_t)(uint32_t)edge << 31 |
           (uint32_t)other->triangle;
}

/* The edge of a node, from its lower vertex, and the triangle, from the first segment at it. */
static void find_edge(const PliRegions *regions, const PliNode *node, const float *ends[2],
                      const float **triangle)
{
    const PliCut *cuts = regions->cuts.items;
    const PliSegment *segment = (const PliSegment *)regions->segments.items + node->ends[0] / 2;
    const int end = node->ends[0] % 2, k = segment->corners[end][0];
    const PliCut *owner = &cuts[segment->cuts[segment->owners[end]]];
    const int lower = pli_edge_rises(owner, k) ? k : (k + 1) % 3;
    ends[0] = owner->corners + 3 * lower;
    ends[1] = owner->corners + 3 * (lower == k ? (k + 1) % 3 : k);
    *triangle = cuts[segment->cuts[1 - segment->owners[end]]].corners;
}

/* PliRegionWork. */
static void place_nodes(PliRegions *regions, int64_t begin, int64_t end, PliRegionScratch *scratch)
{
    (void)scratch;
    for (int64_t i = begin; i < end; i++) {
        PliNode *node = (PliNode *)regions->nodes.items + i;
        const float *ends[2], *triangle;
        PliCrossing crossing;
        find_edge(regions, node, ends, &triangle);
        pli_edge_triangle_crossing(ends[0], ends[1], triangle, &crossing);
        node->weight = crossing.edge_weight;
        memcpy(node->position, crossing.position, sizeof node->position);
    }
}

/* The ends of all segments, by the keys of their nodes. */
static PliantResult sort_ends(PliRegions *regions, const PliRanked **sorted, int64_t *count)
{
    const PliSegment *segments = regions->segments.items;
    for (int i = 0; i < 2; i++)
        PLI_TRY(resize(regions, &regions->ranked[i], 2 * regions->segments.count));
    PliRanked *ranked = regions->ranked[0].items;
    *count = 0;
    for (int64_t i = 0; i < 2 * regions->segments.count; i++)
        if (segments[i / 2].owners[i % 2] != PLI_OF_NEITHER)
            ranked[(*count)++] = (PliRanked){
                .key = node_key(regions, &segments[i / 2], (int)(i % 2)), .item = (int32_t)i};
    *sorted = pli_sort_ranked(ranked, regions->ranked[1].items, *count);
    return PLIANT_OK;
}

static PliantResult make_nodes(PliRegions *regions)
{
    const PliRanked *sorted;
    int64_t end_count;
    PLI_TRY(sort_ends(regions, &sorted, &end_count));
    PLI_TRY(resize(regions, &regions->nodes, end_count));
    PliSegment *segments = regions->segments.items;
    PliNode *nodes = regions->nodes.items;
    int64_t count = 0;
    for (int64_t i = 0; i < end_count; i++) {
        if (i == 0 || sorted[i].key != sorted[i - 1].key)
            nodes[count++] = (PliNode){.key = sorted[i].key};
        PliNode *node = &nodes[count - 1];
        if (node->end_count < 2)
            node->ends[node->end_count] = sorted[i].item;
        node->end_count++;
        segments[sorted[i].item / 2].nodes[sorted[i].item % 2] = (int32_t)count - 1;
    }
    regions->nodes.count = count;
    pli_regions_divide(regions, place_nodes, count, count);
    return PLIANT_OK;
}

/* ---- Nodes along edges ---------------------------------------------------------------------- */

/* Weights are within 2^-28 of what they are: closer ones are compared exactly. */
static bool is_before(const PliRegions *regions, int32_t a, int32_t b)
{
    const PliNode *nodes = regions->nodes.items;
    const double difference = nodes[a].weight - nodes[b].weight;
    if (fabs(difference) > 0x1p-26)
        return difference < 0;
    const float *ends[2], *unused[2], *s, *t;
    find_edge(regions, &nodes[a], ends, &s);
    find_edge(regions, &nodes[b], unused, &t);
    const int surface = (int)(nodes[a].key >> 62);
    const int sign = pli_compare_crossings(ends[0], ends[1], s, t,
                                           pli_is_self(regions)        ? PLI_MOVED_NOTHING
                                           : surface == regions->moved ? PLI_MOVED_FIRST
                                                                       : PLI_MOVED_SECOND);
    return sign != 0 ? sign < 0 : a < b;
}

/* Many nodes, by their weights: what is left to do then is little. */
static void sort_by_weight(PliRegions *regions, int32_t *along, int32_t count)
{
    const PliNode *nodes = regions->nodes.items;
    PliRanked *ranked = regions->ranked[0].items;
    for (int32_t i = 0; i < count; i++) /* weights are from 0 to 1 */
        ranked[i] = (PliRanked){
            .key = (uint64_t)(nodes[along[i]].weight * 0x1p40), .rank = 0, .item = along[i]};
    const PliRanked *sorted = pli_sort_ranked(ranked, regions->ranked[1].items, count);
    for (int32_t i = 0; i < count; i++)
        along[i] = sorted[i].item;
}

static void sort_along(PliRegions *regions, int32_t *along, int32_t count)
{
    enum { MANY = 64 };
    if (count >= MANY)
        sort_by_weight(regions, along, count);
    for (int32_t i = 1; i < count; i++) {
        const int32_t node = along[i];
        int32_t at = i;
        for (; at > 0 && is_before(regions, node, along[at - 1]); at--)
            along[at] = along[at - 1];
        along[at] = node;
    }
}

/* In the triangles of all segments: where the nodes of their edges are. */
static void set_edge_nodes(PliRegions *regions)
{
    PliCut *cuts = regions->cuts.items;
    const PliSegment *segments = regions->segments.items;
    const int32_t *node_groups = regions->node_events.items;
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int end = 0; end < 2; end++)
            if (segments[i].nodes[end] >= 0)
                cuts[segments[i].cuts[segments[i].owners[end]]]
                    .edge_nodes[segments[i].corners[end][0]] = node_groups[segments[i].nodes[end]];
}

static PliantResult order_nodes(PliRegions *regions)
{
    const int64_t count = regions->nodes.count;
    const PliNode *nodes = regions->nodes.items;
    PLI_TRY(resize(regions, &regions->along, count));
    PLI_TRY(resize(regions, &regions->edge_nodes, count));
    PLI_TRY(resize(regions, &regions->node_events, count));
    int32_t *along = regions->along.items, *node_groups = regions->node_events.items;
    PliEdgeNodes *groups = regions->edge_nodes.items;
    int32_t group_count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (i == 0 || nodes[i].key >> 31 != nodes[i - 1].key >> 31)
            groups[group_count++] = (PliEdgeNodes){i, 0};
        groups[group_count - 1].count++;
        node_groups[i] = group_count - 1;
        along[i] = i;
    }
    regions->edge_nodes.count = group_count;
    for (int32_t i = 0; i < group_count; i++)
        sort_along(regions, along + groups[i].first, groups[i].count);
    set_edge_nodes(regions);
    return PLIANT_OK;
}

/* The sides of each cut, in the order of segments. */
static PliantResult list_sides(PliRegions *regions)
{
    PliCut *cuts = regions->cuts.items;
    const PliSegment *segments = regions->segments.items;
    const int32_t side_count = 2 * (int32_t)regions->segments.count;
    PLI_TRY(resize(regions, &regions->sides, side_count));
    int32_t *sides = regions->sides.items, first = 0;
    for (int32_t i = 0; i < side_count; i++)
        cuts[segments[i / 2].cuts[i % 2]].side_count++;
    for (int64_t i = 0; i < regions->cuts.count; i++) {
        cuts[i].first_side = first;
        first += cuts[i].side_count;
        cuts[i].side_count = 0;
    }
    for (int32_t i = 0; i < side_count; i++) {
        PliCut *cut = &cuts[segments[i / 2].cuts[i % 2]];
        sides[cut->first_side + cut->side_count++] = i;
    }
    return PLIANT_OK;
}

PliantResult pli_find_nodes(PliRegions *regions)
{
    PLI_TRY(make_cuts(regions));
    PLI_TRY(make_segments(regions));
    PLI_TRY(make_nodes(regions));
    PLI_TRY(order_nodes(regions));
    return list_sides(regions);
}

/* ---- Curves --------------------------------------------------------------------------------- */

/* The segment that goes on where another ends, entered at that end; false if the curve ends. */
static bool follow(const PliRegions *regions, int32_t segment, int end, PliStep *next)
{
    const PliSegment *segments = regions->segments.items;
    const int32_t node = segments[segment].nodes[end];
    if (node < 0)
        return false;
    const PliNode *at = (const PliNode *)regions->nodes.items + node;
    if (at->end_count != 2)
        return false;
    const int32_t other = at->ends[0] == 2 * segment + end ? at->ends[1] : at->ends[0];
    *next = (PliStep){other / 2, other % 2};
    return true;
}

/* The start of the curve that a segment is on: back from it until the curve ends, or comes back. */
static PliStep find_start(const PliRegions *regions, int32_t segment, bool *is_closed)
{
    PliStep at = {segment, 0}, next;
    *is_closed = false;
    while (follow(regions, at.side, at.end, &next)) {
        at = (PliStep){next.side, 1 - next.end};
        if (next.side == segment) {
            *is_closed = true;
            return (PliStep){segment, 0};
        }
    }
    return at;
}

static PliantResult add_point(PliRegions *regions, const PliSegment *segment, int end)
{
    double unused[3];
    PliantCurvePoint point = {.edge = -1};
    const double *position = pli_segment_end(regions, segment, end, unused);
    for (int k = 0; k < 3; k++)
        point.position[k] = (float)position[k];
    if (segment->nodes[end] < 0) {
        const PliCut *cut = (const PliCut *)regions->cuts.items + segment->cuts[0];
        point.triangle = (int32_t)cut->vertices[segment->corners[end][0]];
    } else {
        const PliNode *node = (const PliNode *)regions->nodes.items + segment->nodes[end];
        point.side = (uint8_t)(node->key >> 62);
        point.edge = (int32_t)(node->key >> 31 & 0x7fffffff);
        point.triangle = (int32_t)(node->key & 0x7fffffff);
    }
    return pli_append(&regions->points, regions->host, &point);
}

/* The curve of a segment, from its start on. */
static PliantResult add_curve(PliRegions *regions, int32_t segment)
{
    PliSegment *segments = regions->segments.items;
    void *room;
    bool is_closed, goes_on;
    PliStep at = find_start(regions, segment, &is_closed);
    PLI_TRY(pli_array_push(&regions->curves, regions->host, 1, &room));
    PliantCurve *curve = room;
    const int32_t number = (int32_t)regions->curves.count - 1;
    *curve = (PliantCurve){.first_point = regions->points.count, .is_closed = is_closed};
    do {
        const int32_t here = at.side;
        segments[here].curve = number;
        PLI_TRY(add_point(regions, &segments[here], at.end));
        goes_on = follow(regions, here, 1 - at.end, &at);
        if (!goes_on)
            PLI_TRY(add_point(regions, &segments[here], 1 - at.end));
    } while (goes_on && segments[at.side].curve < 0);
    curve->point_count = regions->points.count - curve->first_point;
    return PLIANT_OK;
}

PliantResult pli_join_curves(PliRegions *regions)
{
    const PliSegment *segments = regions->segments.items;
    for (int32_t i = 0; i < regions->segments.count; i++)
        if (segments[i].curve < 0)
            PLI_TRY(add_curve(regions, i));
    return PLIANT_OK;
}
