/* The cycles around a face of a cut triangle, its area, and triangles within it: see regions.h. */
#include "regions/outline.h"
#include "geom/orient.h"
#include "geom/vector.h"
#include "regions/faces.h"

#include <string.h>

static PliantResult add_corner(PliRegionScratch *scratch, const double *position)
{
    return pli_append(&scratch->outline, scratch->worker->host, position);
}

static PliantResult add_triangle_corner(PliRegionScratch *scratch, const PliCut *cut, int k)
{
    const float *p = cut->corners + 3 * (k % 3);
    return add_corner(scratch, (const double[3]){p[0], p[1], p[2]});
}

static PliantResult end_cycle(PliRegionScratch *scratch)
{
    const int32_t end = (int32_t)scratch->outline.count;
    return pli_append(&scratch->cycles, scratch->worker->host, &end);
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
                             const PliLoop *loop, bool is_left)
{
    PLI_TRY(
        add_chain(regions, scratch, (PliStep){loop->side, is_left ? loop->end : 1 - loop->end}));
    return end_cycle(scratch);
}

PliantResult pli_face_outline(const PliRegions *regions, PliRegionScratch *scratch, int32_t face)
{
    const PliFace *item = (const PliFace *)regions->faces.items + face;
    const PliCut *cut = (const PliCut *)regions->cuts.items + item->cut;
    const PliEvent *events = pli_array_from(&regions->events, cut->first_event);
    const PliLoop *loops = pli_array_from(&regions->loops, cut->first_loop);
    const PliEdgePiece *pieces = regions->pieces.items;
    scratch->outline.count = scratch->cycles.count = 0;
    for (int32_t i = item->first_event; i >= 0; i = events[i].next)
        PLI_TRY(add_cycle(regions, scratch, cut, i));
    if (cut->event_count == 0 &&
        pli_same_face(regions, pieces[cut->first_pieces[0]].face) == face) {
        for (int k = 0; k < 3; k++)
            PLI_TRY(add_triangle_corner(scratch, cut, k));
        PLI_TRY(end_cycle(scratch));
    }
    for (int32_t i = item->first_loop; i >= 0; i = loops[i / 2].next[i % 2])
        PLI_TRY(add_loop(regions, scratch, &loops[i / 2], i % 2 == 0));
    return PLIANT_OK;
}

/* ---- Areas ---------------------------------------------------------------------------------- */

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

bool pli_find_beside(const float *corners, bool is_below, const double at[3], float point[3])
{
    const PliMoments moments = pli_triangle_moments(corners);
    PliCounts counts = {0};
    const double direction = is_below ? -1 : 1;
    double most = 0;
    int wanted = 0;
    for (int k = 0; k < 9; k++)
        most = fmax(most, fabs((double)corners[k]));
    /* First far away, where the sign of that side is seen, and then from few ulps on. */
    for (double step = -1; moments.area > 0 && step < most;
         step = step < 0 ? 0x1p-22 * most : 4 * step) {
        for (int k = 0; k < 3; k++)
            point[k] =
                (float)(at[k] + direction * moments.normal[k] * (step < 0 ? 2 * most : step));
        if (!pli_is_finite(point, 3))
            return false;
        const int side = pli_orient3d(corners, corners + 3, corners + 6, point, &counts);
        if (step < 0)
            wanted = side;
        else if (side == wanted && side != 0)
            return true;
    }
    return false;
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

/* ---- Triangles --------------------------------------------------------------------------------
 *
 * Holes are joined to the polygon around them by bridges, from the corner of each that is farthest
 * to the right to one that it sees (Eberly, "Triangulation by ear clipping", 2002, describes this).
 * Then ears are cut off: triangles of three successive corners with no other corner in them. All of
 * this is in numbers that are rounded. If it comes to nothing, it says so. */

typedef struct Polygon {
    const double (*points)[3];
    int u, v;
    int32_t *corners; /* points, counter-clockwise */
    int32_t count;
} Polygon;

static double turn(const Polygon *polygon, int32_t a, int32_t b, int32_t c)
{
    return pli_doubled_area(polygon->points[a], polygon->points[b], polygon->points[c], polygon->u,
                            polygon->v);
}

static double cycle_area(const Polygon *polygon, int32_t first, int32_t end)
{
    double sum = 0;
    for (int32_t i = first + 1; i + 1 < end; i++)
        sum += turn(polygon, first, i, i + 1);
    return sum;
}

static int32_t rightmost(const Polygon *polygon, int32_t first, int32_t end)
{
    int32_t most = first;
    for (int32_t i = first + 1; i < end; i++)
        if (polygon->points[i][polygon->u] > polygon->points[most][polygon->u])
            most = i;
    return most;
}

/* Is a point in the angle of the polygon at corner i? The end of a bridge is two corners, and a
 * point is in the angle of one of them. */
static bool is_seen_from(const Polygon *polygon, int32_t i, int32_t point)
{
    const int32_t a = polygon->corners[i > 0 ? i - 1 : polygon->count - 1];
    const int32_t b = polygon->corners[i];
    const int32_t c = polygon->corners[i + 1 < polygon->count ? i + 1 : 0];
    const bool is_left_of_first = turn(polygon, a, b, point) > 0;
    const bool is_left_of_second = turn(polygon, b, c, point) > 0;
    return turn(polygon, a, b, c) > 0 ? is_left_of_first && is_left_of_second
                                      : is_left_of_first || is_left_of_second;
}

/* The corner that a bridge to a point goes to: to the right of it, the end of the edge that it sees
 * there; or, if others are in the triangle between, that of these with the least slope. -1: there
 * is none. */
static int32_t find_visible(const Polygon *polygon, int32_t point)
{
    const double(*points)[3] = polygon->points;
    const int u = polygon->u, v = polygon->v;
    const double *p = points[point];
    double nearest = INFINITY;
    int32_t found = -1;
    for (int32_t i = 0; i < polygon->count; i++) {
        const int32_t next = i + 1 < polygon->count ? i + 1 : 0;
        const double *a = points[polygon->corners[i]], *b = points[polygon->corners[next]];
        if (!(a[v] <= p[v] &&
              b[v] > p[v])) /* a bridge goes both ways: the polygon is to the left */
            continue;
        const double at = a[u] + (p[v] - a[v]) * (b[u] - a[u]) / (b[v] - a[v]);
        if (!(at >= p[u]) || !(at < nearest))
            continue;
        nearest = at;
        found = a[u] > b[u] ? i : next;
    }
    if (found < 0)
        return -1;
    const double far = points[polygon->corners[found]][u],
                 high = points[polygon->corners[found]][v];
    double slope = fabs(high - p[v]) / (far - p[u]);
    for (int32_t i = 0; i < polygon->count; i++) {
        const double *c = points[polygon->corners[i]];
        const double rise = (high > p[v] ? c[v] - p[v] : p[v] - c[v]), run = c[u] - p[u];
        if (run > 0 && rise >= 0 && c[u] <= far && rise < slope * run) {
            /* left of the edge that is seen: not beyond the line from where it is seen to `far` */
            const double t = (c[u] - nearest) * fabs(high - p[v]) - rise * (far - nearest);
            if (t <= 0 && is_seen_from(polygon, i, point)) {
                slope = rise / run;
                found = i;
            }
        }
    }
    return found;
}

/* Inserts a hole, from one of its points on, after a corner. */
static bool add_hole(Polygon *polygon, int32_t first, int32_t end)
{
    const int32_t start = rightmost(polygon, first, end), count = end - first;
    const int32_t at = find_visible(polygon, start);
    if (at < 0)
        return false;
    for (int32_t i = polygon->count - 1; i > at; i--)
        polygon->corners[i + count + 2] = polygon->corners[i];
    for (int32_t i = 0; i <= count; i++)
        polygon->corners[at + 1 + i] = first + (start - first + i) % count;
    polygon->corners[at + count + 2] = polygon->corners[at];
    polygon->count += count + 2;
    return true;
}

/* The hole with the rightmost point of those to the left of a limit; -1: there is none. */
static int64_t next_hole(const PliRegionScratch *scratch, const Polygon *polygon, int64_t outer,
                         double limit, double *reach)
{
    const int32_t *ends = scratch->cycles.items;
    int64_t found = -1;
    for (int64_t c = 0, first = 0; c < scratch->cycles.count; first = ends[c++]) {
        const double here =
            polygon->points[rightmost(polygon, (int32_t)first, ends[c])][polygon->u];
        if (c != outer && here < limit && (found < 0 || here > *reach)) {
            found = c;
            *reach = here;
        }
    }
    return found;
}

/* All cycles as one polygon. */
static bool join_cycles(const PliRegionScratch *scratch, Polygon *polygon)
{
    const int32_t *ends = scratch->cycles.items;
    int64_t outer = -1;
    for (int64_t c = 0, first = 0; c < scratch->cycles.count; first = ends[c++]) {
        if (!(cycle_area(polygon, (int32_t)first, ends[c]) > 0))
            continue;
        if (outer >= 0)
            return false;
        outer = c;
    }
    if (outer < 0)
        return false;
    for (int32_t i = outer > 0 ? ends[outer - 1] : 0; i < ends[outer]; i++)
        polygon->corners[polygon->count++] = i;
    double limit = INFINITY, reach = 0;
    int64_t added = 1;
    for (int64_t c; (c = next_hole(scratch, polygon, outer, limit, &reach)) >= 0; added++) {
        if (!add_hole(polygon, c > 0 ? ends[c - 1] : 0, ends[c]))
            return false;
        limit = reach;
    }
    return added == scratch->cycles.count; /* of two that reach as far, one was left out */
}

static bool is_same_point(const Polygon *polygon, int32_t a, int32_t b)
{
    const double *p = polygon->points[a], *q = polygon->points[b];
    return p[polygon->u] == q[polygon->u] && p[polygon->v] == q[polygon->v];
}

/* Is there an ear at corner i? */
static bool is_ear(const Polygon *polygon, int32_t i)
{
    const int32_t count = polygon->count, *corners = polygon->corners;
    const int32_t a = corners[i > 0 ? i - 1 : count - 1], b = corners[i],
                  c = corners[i + 1 < count ? i + 1 : 0];
    if (!(turn(polygon, a, b, c) > 0))
        return false;
    for (int32_t j = 0; j < count; j++) {
        const int32_t p = corners[j];
        if (turn(polygon, a, b, p) >= 0 && turn(polygon, b, c, p) >= 0 &&
            turn(polygon, c, a, p) >= 0 && !is_same_point(polygon, p, a) &&
            !is_same_point(polygon, p, b) && !is_same_point(polygon, p, c))
            return false;
    }
    return true;
}

/* Does the boundary go nowhere at corner i: to where it came from, or straight on? */
static bool is_flat(const Polygon *polygon, int32_t i)
{
    const int32_t count = polygon->count, *corners = polygon->corners;
    const int32_t a = corners[i > 0 ? i - 1 : count - 1], b = corners[i],
                  c = corners[i + 1 < count ? i + 1 : 0];
    return is_same_point(polygon, a, b) || is_same_point(polygon, a, c) ||
           turn(polygon, a, b, c) == 0;
}

PliantResult pli_triangulate_outline(const PliRegions *regions, PliRegionScratch *scratch, int u,
                                     int v, bool *is_done)
{
    const int64_t capacity = scratch->outline.count + 2 * scratch->cycles.count;
    *is_done = false;
    scratch->ears.count = 0;
    if (capacity > regions->max_corners)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&scratch->numbers, scratch->worker->host, capacity));
    Polygon polygon = {
        .points = scratch->outline.items, .u = u, .v = v, .corners = scratch->numbers.items};
    if (!join_cycles(scratch, &polygon))
        return PLIANT_OK;
    for (int32_t i = 0, tries = 0; polygon.count > 2 && tries <= polygon.count; tries++) {
        i = i < polygon.count ? i : 0;
        const bool flat = is_flat(&polygon, i);
        if (!flat && !is_ear(&polygon, i)) {
            i++;
            continue;
        }
        if (!flat) {
            void *room;
            PLI_TRY(pli_array_push(&scratch->ears, scratch->worker->host, 3, &room));
            for (int k = 0; k < 3; k++)
                ((int32_t *)room)[k] = polygon.corners[(i + polygon.count - 1 + k) % polygon.count];
        }
        polygon.count--;
        for (int32_t j = i; j < polygon.count; j++)
            polygon.corners[j] = polygon.corners[j + 1];
        tries = -1;
    }
    *is_done = polygon.count <= 2;
    return PLIANT_OK;
}
