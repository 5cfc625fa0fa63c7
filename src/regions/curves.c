/* From segments to curves: see regions.h. */
#include "regions/faces.h"
#include "regions/nodes.h"

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
    void *room;
    double unused[3];
    PLI_TRY(pli_array_push(&regions->points, regions->host, 1, &room));
    PliantCurvePoint *point = room;
    *point = (PliantCurvePoint){.edge = -1};
    const double *position = pli_segment_end(regions, segment, end, unused);
    for (int k = 0; k < 3; k++)
        point->position[k] = (float)position[k];
    if (segment->nodes[end] < 0) {
        const PliCut *cut = (const PliCut *)regions->cuts.items + segment->cuts[0];
        point->triangle = (int32_t)cut->vertices[segment->corners[end][0]];
        return PLIANT_OK;
    }
    const PliNode *node = (const PliNode *)regions->nodes.items + segment->nodes[end];
    point->side = (uint8_t)(node->key >> 62);
    point->edge = (int32_t)(node->key >> 31 & 0x7fffffff);
    point->triangle = (int32_t)(node->key & 0x7fffffff);
    return PLIANT_OK;
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
