/* The cycles around a face of a cut triangle: see regions.h. */
#include "regions/outline.h"
#include "geom/vector.h"
#include "regions/faces.h"

#include <string.h>

static PliantResult add_corner(PliRegionScratch *scratch, const double *position)
{
    void *room;
    PLI_TRY(pli_array_push(&scratch->outline, scratch->worker->host, 1, &room));
    memcpy(room, position, 3 * sizeof *position);
    return PLIANT_OK;
}

static PliantResult add_triangle_corner(PliRegionScratch *scratch, const PliCut *cut, int k)
{
    const float *p = cut->corners + 3 * (k % 3);
    return add_corner(scratch, (const double[3]){p[0], p[1], p[2]});
}

static PliantResult end_cycle(PliRegionScratch *scratch)
{
    void *room;
    PLI_TRY(pli_array_push(&scratch->cycles, scratch->worker->host, 1, &room));
    *(int32_t *)room = (int32_t)scratch->outline.count;
    return PLIANT_OK;
}

/* Where each segment begins along a chain. */
static PliantResult add_chain(const PliRegions *regions, PliRegionScratch *scratch, PliStep step)
{
    const int32_t first = step.side;
    do {
        const PliSegment *segment = (const PliSegment *)regions->segments.items + step.side / 2;
        double room[3];
        PLI_TRY(add_corner(scratch, pli_segment_end(regions, segment, step.end, room)));
    } while (pli_next_step(regions, &step) == PLI_GOES_ON && step.side != first);
    return PLIANT_OK;
}

/* The corner of an event without a node is one of the triangle. */
static PliantResult add_event_corner(const PliRegions *regions, PliRegionScratch *scratch,
                                     const PliCut *cut, const PliEvent *event)
{
    const PliNode *nodes = regions->nodes.items;
    return event->node >= 0 ? add_corner(scratch, nodes[event->node].position)
                            : add_triangle_corner(scratch, cut, event->edge);
}

/* Along the boundary from an event to the next, and along the chain there, until it comes back. */
static PliantResult add_cycle(const PliRegions *regions, PliRegionScratch *scratch,
                              const PliCut *cut, int32_t start)
{
    const PliEvent *events = pli_array_from(&regions->events, cut->first_event);
    int32_t at = start;
    do {
        const int32_t next = (at + 1) % cut->event_count;
        const PliEvent *event = &events[next];
        const int passed = (event->edge - events[at].edge + 3) % 3;
        PLI_TRY(add_event_corner(regions, scratch, cut, &events[at]));
        for (int k = 1; k <= (passed == 0 && next <= at ? 3 : passed); k++)
            PLI_TRY(add_triangle_corner(scratch, cut, events[at].edge + k));
        if (event->mate != next)
            PLI_TRY(add_chain(regions, scratch, (PliStep){event->side, event->end}));
        at = event->mate;
    } while (at != start);
    return end_cycle(scratch);
}

static PliantResult add_loop(const PliRegions *regions, PliRegionScratch *scratch,
                             const PliLoop *loop, int32_t face)
{
    const bool is_left = pli_same_face(regions, loop->left) == face;
    if (loop->left == loop->right || (!is_left && pli_same_face(regions, loop->right) != face))
        return PLIANT_OK;
    PLI_TRY(
        add_chain(regions, scratch, (PliStep){loop->side, is_left ? loop->end : 1 - loop->end}));
    return end_cycle(scratch);
}

PliantResult pli_face_outline(const PliRegions *regions, PliRegionScratch *scratch, int32_t face)
{
    const int32_t number = ((const PliFace *)regions->faces.items)[face].cut;
    const PliCut *cut = (const PliCut *)regions->cuts.items + number;
    const PliEvent *events = pli_array_from(&regions->events, cut->first_event);
    const PliEdgePiece *pieces = regions->pieces.items;
    scratch->outline.count = scratch->cycles.count = 0;
    for (int32_t i = 0; i < cut->event_count; i++)
        if (events[i].is_first && pli_same_face(regions, events[i].face) == face)
            PLI_TRY(add_cycle(regions, scratch, cut, i));
    if (cut->event_count == 0 &&
        pli_same_face(regions, pieces[cut->first_pieces[0]].face) == face) {
        for (int k = 0; k < 3; k++)
            PLI_TRY(add_triangle_corner(scratch, cut, k));
        PLI_TRY(end_cycle(scratch));
    }
    for (int32_t i = 0; i < cut->loop_count; i++)
        PLI_TRY(add_loop(regions, scratch,
                         (const PliLoop *)regions->loops.items + cut->first_loop + i, face));
    return PLIANT_OK;
}

/* ---- Areas ------------------------------------------------------------------------------------
 */

/* The normal of a triangle, as long as twice its area. */
static void find_normal(const float *a, const float *b, const float *c, double normal[3])
{
    const PliVector e = pli_vector(b, a), f = pli_vector(c, a);
    normal[0] = e.y * f.z - e.z * f.y;
    normal[1] = e.z * f.x - e.x * f.z;
    normal[2] = e.x * f.y - e.y * f.x;
}

static double length_of(const double v[3])
{
    return sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

double pli_triangle_area(const float *a, const float *b, const float *c)
{
    double normal[3];
    find_normal(a, b, c, normal);
    return length_of(normal) / 2;
}

/* Divides a vector by its length, which is returned. */
static double normalize(double v[3])
{
    const double length = length_of(v);
    for (int k = 0; k < 3 && length > 0; k++)
        v[k] /= length;
    return length;
}

PliMoments pli_triangle_moments(const float *t)
{
    PliMoments moments = {0};
    find_normal(t, t + 3, t + 6, moments.normal);
    moments.area = normalize(moments.normal) / 2;
    for (int k = 0; k < 3; k++)
        moments.centroid[k] = (((double)t[k] + t[3 + k]) + t[6 + k]) / 3;
    return moments;
}

/* Triangles from the first corner of the cut triangle to each edge of the outline add up to the
 * face: those that are clockwise are subtracted. */
PliMoments pli_outline_moments(const PliRegionScratch *scratch, const PliCut *cut)
{
    const double(*points)[3] = scratch->outline.items;
    const int32_t *ends = scratch->cycles.items;
    PliMoments moments = {0};
    double sums[3] = {0, 0, 0};
    find_normal(cut->corners, cut->corners + 3, cut->corners + 6, moments.normal);
    normalize(moments.normal);
    for (int64_t c = 0, first = 0; c < scratch->cycles.count; first = ends[c++])
        for (int64_t i = first; i < ends[c]; i++) {
            const double *p = points[i], *q = points[i + 1 < ends[c] ? i + 1 : first];
            double e[3], f[3], twice = 0;
            for (int k = 0; k < 3; k++) {
                e[k] = p[k] - cut->corners[k];
                f[k] = q[k] - cut->corners[k];
            }
            for (int k = 0; k < 3; k++)
                twice += moments.normal[k] *
                         (e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3]);
            moments.area += twice / 2;
            for (int k = 0; k < 3; k++)
                sums[k] += twice / 2 * ((e[k] + f[k]) / 3);
        }
    for (int k = 0; k < 3; k++)
        moments.centroid[k] = cut->corners[k] + (moments.area > 0 ? sums[k] / moments.area : 0);
    return moments;
}

void pli_normal_axes(const double normal[3], int *u, int *v)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        axis = fabs(normal[k]) > fabs(normal[axis]) ? k : axis;
    *u = (axis + 1) % 3;
    *v = (axis + 2) % 3;
    if (normal[axis] < 0) {
        *u = (axis + 2) % 3;
        *v = (axis + 1) % 3;
    }
}
