/* What the segments in a triangle divide it into: see regions.h.
 *
 * Segments form chains. A chain goes from the boundary of the triangle to the boundary, or closes a
 * loop, or ends within, and then divides nothing. Chains do not cross each other if the surface
 * that they come from does not intersect itself. So faces follow from the order of events around
 * the boundary: keep to the left, and whenever a chain begins, go along it to its other end. Loops
 * are then faces of their own; what is around them is found by a ray from the loop in one
 * direction. */
#include "regions/faces.h"

#include <string.h>

PliStop pli_next_step(const PliRegions *regions, PliStep *step)
{
    const PliSegment *segments = regions->segments.items;
    const PliSegment *segment = &segments[step->side / 2];
    const int end = 1 - step->end, triangle = step->side % 2;
    if (segment->owners[end] == PLI_OF_NEITHER || segment->owners[end] == triangle)
        return PLI_AT_BOUNDARY;
    const PliNode *node = (const PliNode *)regions->nodes.items + segment->nodes[end];
    if (node->end_count != 2)
        return PLI_AT_END;
    const int32_t here = step->side / 2 * 2 + end;
    const int32_t other = node->ends[0] == here ? node->ends[1] : node->ends[0];
    *step = (PliStep){other / 2 * 2 + 1 - segments[other / 2].owners[other % 2], other % 2};
    return PLI_GOES_ON;
}

int32_t pli_same_face(const PliRegions *regions, int32_t face)
{
    const PliFace *faces = regions->faces.items;
    while (faces[face].same != face)
        face = faces[face].same;
    return face;
}

static PliantResult add_face(PliRegions *regions, int32_t cut, int32_t *face)
{
    *face = (int32_t)regions->faces.count;
    const PliFace item = {.cut = cut,
                          .same = *face,
                          .first_piece = -1,
                          .first_event = -1,
                          .first_loop = -1,
                          .patch = -1};
    return pli_append(&regions->faces, regions->host, &item);
}

/* The lower of two faces represents both. */
static void join_faces(PliRegions *regions, int32_t a, int32_t b)
{
    PliFace *faces = regions->faces.items;
    a = pli_same_face(regions, a);
    b = pli_same_face(regions, b);
    faces[a < b ? b : a].same = a < b ? a : b;
}

/* ---- Events ---------------------------------------------------------------------------------- */

static PliEvent *events_of(const PliRegions *regions, const PliCut *cut)
{
    return pli_array_from(&regions->events, cut->first_event);
}

static PliantResult add_event(PliRegions *regions, PliCut *cut, int32_t node, int edge)
{
    const PliEvent event = {
        .node = node, .edge = edge, .side = -1, .mate = cut->event_count, .face = -1};
    PLI_TRY(pli_append(&regions->events, regions->host, &event));
    cut->event_count++;
    return PLIANT_OK;
}

/* The nodes on an edge, counter-clockwise. */
static PliantResult add_edge_events(PliRegions *regions, PliCut *cut, int edge)
{
    if (cut->edge_nodes[edge] < 0)
        return PLIANT_OK;
    const PliEdgeNodes *nodes =
        (const PliEdgeNodes *)regions->edge_nodes.items + cut->edge_nodes[edge];
    const int32_t *along = pli_array_from(&regions->along, nodes->first);
    int32_t *node_events = regions->node_events.items;
    const bool rises = pli_edge_rises(cut, edge);
    for (int32_t i = 0; i < nodes->count; i++) {
        const int32_t node = along[rises ? i : nodes->count - 1 - i];
        node_events[node] = cut->event_count;
        PLI_TRY(add_event(regions, cut, node, edge));
    }
    return PLIANT_OK;
}

/* Goes along a chain to its other end. Sets the faces to its left, if `face` is one. */
static PliStop walk(PliRegions *regions, PliStep *step, int32_t face)
{
    PliSegment *segments = regions->segments.items;
    for (;;) {
        if (face >= 0)
            segments[step->side / 2].faces[step->side % 2][step->end] = face;
        const PliStop stop = pli_next_step(regions, step);
        if (stop != PLI_GOES_ON)
            return stop;
    }
}

/* Where, counted from a corner, does the chain come to the boundary that begins there? Events at
 * corners are not yet numbered: they come before the nodes of their edge. */
static int32_t far_end(PliRegions *regions, const PliCut *cut, PliStep step, int corner)
{
    const PliEvent *events = events_of(regions, cut);
    if (walk(regions, &step, -1) == PLI_AT_END)
        return 0;
    const PliSegment *segment = (const PliSegment *)regions->segments.items + step.side / 2;
    const int end = 1 - step.end;
    if (segment->nodes[end] < 0) {
        const int at = segment->corners[end][step.side % 2];
        int32_t first = 0;
        while (first < cut->event_count && events[first].edge < at)
            first++;
        return 2 * (at >= corner ? first : first + cut->event_count);
    }
    const int32_t event = ((const int32_t *)regions->node_events.items)[segment->nodes[end]];
    return 2 * (events[event].edge >= corner ? event : event + cut->event_count) + 1;
}

/* The chains that begin at a corner, in order: what ends last, counter-clockwise, comes first. */
static int find_corner_chains(PliRegions *regions, const PliCut *cut, int corner, PliStep *chains,
                              int32_t *far, int capacity)
{
    const PliSegment *segments = regions->segments.items;
    const int32_t *sides = pli_array_from(&regions->sides, cut->first_side);
    int count = 0;
    for (int32_t i = 0; i < cut->side_count; i++)
        for (int end = 0; end < 2; end++) {
            const PliSegment *segment = &segments[sides[i] / 2];
            if (segment->owners[end] != PLI_OF_NEITHER ||
                segment->corners[end][sides[i] % 2] != corner || count == capacity)
                continue;
            const int32_t here = far_end(regions, cut, (PliStep){sides[i], end}, corner);
            int at = count++;
            for (; at > 0 && far[at - 1] < here; at--) {
                chains[at] = chains[at - 1];
                far[at] = far[at - 1];
            }
            chains[at] = (PliStep){sides[i], end};
            far[at] = here;
        }
    return count;
}

/* Puts events for the chains at corners before those of the edges that begin there. */
static PliantResult insert_corner_events(PliRegions *regions, PliCut *cut)
{
    enum { MAX_CHAINS = 64 }; /* at a corner; more are as if they ended in the triangle */
    PliStep chains[3][MAX_CHAINS];
    int32_t far[MAX_CHAINS];
    int counts[3], extra = 0;
    for (int k = 0; k < 3; k++) {
        counts[k] = find_corner_chains(regions, cut, k, chains[k], far, MAX_CHAINS);
        extra += counts[k];
    }
    if (extra == 0)
        return PLIANT_OK;
    const int32_t before = cut->event_count;
    for (int i = 0; i < extra; i++)
        PLI_TRY(add_event(regions, cut, -1, 0));
    PliEvent *events = events_of(regions, cut);
    int32_t from = before, to = cut->event_count;
    for (int k = 2; k >= 0; k--) {
        while (from > 0 && events[from - 1].edge == k)
            events[--to] = events[--from];
        for (int i = counts[k] - 1; i >= 0; i--)
            events[--to] = (PliEvent){.node = -1,
                                      .edge = k,
                                      .side = chains[k][i].side,
                                      .end = chains[k][i].end,
                                      .face = -1};
    }
    int32_t *node_events = regions->node_events.items;
    for (int32_t i = 0; i < cut->event_count; i++)
        if (events[i].node >= 0)
            node_events[events[i].node] = i;
    return PLIANT_OK;
}

/* The event of the end of a segment, at the boundary of the triangle. */
static int32_t find_event(const PliRegions *regions, const PliCut *cut, PliStep step, int end)
{
    const PliSegment *segment = (const PliSegment *)regions->segments.items + step.side / 2;
    if (segment->nodes[end] >= 0)
        return ((const int32_t *)regions->node_events.items)[segment->nodes[end]];
    const PliEvent *events = events_of(regions, cut);
    for (int32_t i = 0; i < cut->event_count; i++)
        if (events[i].node < 0 && events[i].side == step.side && events[i].end == end)
            return i;
    return -1;
}

/* Which chain begins at each event, and which event it goes to. */
static void match_events(PliRegions *regions, const PliCut *cut)
{
    const PliSegment *segments = regions->segments.items;
    const int32_t *sides = pli_array_from(&regions->sides, cut->first_side);
    PliEvent *events = events_of(regions, cut);
    for (int32_t i = 0; i < cut->event_count; i++)
        events[i].mate = i;
    for (int32_t i = 0; i < cut->side_count; i++)
        for (int end = 0; end < 2; end++)
            if (segments[sides[i] / 2].owners[end] == sides[i] % 2) {
                PliEvent *event = &events[find_event(regions, cut, (PliStep){sides[i], end}, end)];
                event->side = sides[i];
                event->end = end;
            }
    for (int32_t i = 0; i < cut->event_count; i++) {
        PliStep step = {events[i].side, events[i].end};
        if (step.side < 0 || walk(regions, &step, -1) == PLI_AT_END)
            continue;
        const int32_t mate = find_event(regions, cut, step, 1 - step.end);
        events[i].mate = mate >= 0 ? mate : i;
    }
}

/* ---- Faces at the boundary ------------------------------------------------------------------ */

static PliantResult trace_faces(PliRegions *regions, int32_t number)
{
    const PliCut *cut = (const PliCut *)regions->cuts.items + number;
    PliEvent *events = events_of(regions, cut);
    for (int32_t i = 0; i < cut->event_count; i++) {
        int32_t face, at = i;
        if (events[i].face >= 0)
            continue;
        PLI_TRY(add_face(regions, number, &face));
        events[i].is_first = true;
        do {
            events[at].face = face;
            at = events[(at + 1) % cut->event_count].mate;
        } while (events[at].face < 0);
    }
    for (int32_t i = 0; i < cut->event_count; i++) {
        const int32_t before = events[(i + cut->event_count - 1) % cut->event_count].face;
        PliStep step = {events[i].side, events[i].end};
        if (step.side < 0)
            continue;
        if (walk(regions, &step, before) == PLI_AT_END || events[i].mate == i) {
            /* and back on its other side */
            PliSegment *segments = regions->segments.items;
            PliStep again = {events[i].side, events[i].end};
            do
                segments[again.side / 2].faces[again.side % 2][1 - again.end] = before;
            while (pli_next_step(regions, &again) == PLI_GOES_ON);
        }
    }
    return PLIANT_OK;
}

/* The pieces of the three edges, with the faces at them. */
static PliantResult add_pieces(PliRegions *regions, int32_t number)
{
    PliCut *cut = (PliCut *)regions->cuts.items + number;
    const PliEvent *events = events_of(regions, cut);
    int32_t face, next = 0;
    if (cut->event_count == 0)
        PLI_TRY(add_face(regions, number, &face));
    else
        face = events[cut->event_count - 1].face;
    for (int k = 0; k < 3; k++) {
        cut->first_pieces[k] = (int32_t)regions->pieces.count;
        for (int32_t index = 0;; index++) {
            for (; next < cut->event_count && events[next].edge == k && events[next].node < 0;
                 next++)
                face = events[next].face;
            const PliEdgePiece piece = {
                .cut = number, .edge = k, .index = index, .face = face, .next = -1};
            PLI_TRY(pli_append(&regions->pieces, regions->host, &piece));
            if (next == cut->event_count || events[next].edge != k)
                break;
            face = events[next++].face;
        }
    }
    cut->first_pieces[3] = (int32_t)regions->pieces.count;
    return PLIANT_OK;
}

/* ---- Loops ---------------------------------------------------------------------------------- */

/* Coordinates in the plane of a triangle, in which it is counter-clockwise. */
typedef struct Plane {
    int u, v;
} Plane;

static Plane plane_of(const float *t)
{
    double e[3], f[3], n[3];
    for (int k = 0; k < 3; k++) {
        e[k] = (double)t[3 + k] - t[k];
        f[k] = (double)t[6 + k] - t[k];
    }
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        axis = fabs(n[k]) > fabs(n[axis]) ? k : axis;
    }
    return n[axis] > 0 ? (Plane){(axis + 1) % 3, (axis + 2) % 3}
                       : (Plane){(axis + 2) % 3, (axis + 1) % 3};
}

/* What is to the right of a point, along u. */
typedef struct View {
    Plane plane;
    double u, v; /* the point */
    double nearest;
    int32_t side; /* that is the nearest; -1: an edge of the triangle */
    int32_t face;
} View;

/* Is the edge from a to b the nearest so far that the line of sight crosses? */
static bool see(View *view, const double *a, const double *b, int32_t side)
{
    const double a_v = a[view->plane.v], b_v = b[view->plane.v];
    const double a_u = a[view->plane.u], b_u = b[view->plane.u];
    if ((a_v > view->v) == (b_v > view->v))
        return false;
    const double at = a_u + (view->v - a_v) * (b_u - a_u) / (b_v - a_v);
    if (!(at > view->u) || !(at < view->nearest || (at == view->nearest && side < view->side)))
        return false;
    view->nearest = at;
    view->side = side;
    return true;
}

/* The first event on an edge, or on one that follows. */
static int32_t first_event_on(const PliRegions *regions, const PliCut *cut, int edge)
{
    const PliEvent *events = events_of(regions, cut);
    int32_t begin = 0, end = cut->event_count;
    while (begin < end) {
        const int32_t middle = begin + (end - begin) / 2;
        if (events[middle].edge < edge)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Is a node on edge k before t of it, from its corner? */
static bool is_before(const PliRegions *regions, const PliCut *cut, int k, const PliEvent *event,
                      double t)
{
    const double weight = ((const PliNode *)regions->nodes.items)[event->node].weight;
    return (pli_edge_rises(cut, k) ? weight : 1 - weight) < t;
}

/* The face at the boundary of the triangle, where it is seen on edge k: after as many pieces as
 * there are nodes before. Nodes are in order, but their weights are off by 2^-28: those that are
 * closer than 2^-26 are counted one by one. */
static int32_t face_on_edge(const PliRegions *regions, const PliCut *cut, int k, const View *view)
{
    const PliEdgePiece *pieces = regions->pieces.items;
    const PliEvent *events = events_of(regions, cut);
    const float *a = cut->corners + 3 * k, *b = cut->corners + 3 * ((k + 1) % 3);
    const double t = (view->v - a[view->plane.v]) / ((double)b[view->plane.v] - a[view->plane.v]);
    const int32_t end = first_event_on(regions, cut, k + 1);
    int32_t first = first_event_on(regions, cut, k);
    while (first < end && events[first].node < 0)
        first++;
    int32_t begin = first, close = end;
    while (begin < close) {
        const int32_t middle = begin + (close - begin) / 2;
        if (is_before(regions, cut, k, &events[middle], t - 0x1p-26))
            begin = middle + 1;
        else
            close = middle;
    }
    int32_t piece = cut->first_pieces[k] + begin - first;
    for (int32_t i = begin; i < end && is_before(regions, cut, k, &events[i], t + 0x1p-26); i++)
        piece += is_before(regions, cut, k, &events[i], t);
    return pieces[piece].face;
}

/* Segments in a cut triangle, by how far they reach to the right. */
typedef struct Sights {
    const uint64_t *keys; /* their right ends << 32 | which of the sides of the cut they are */
    const double *lefts;  /* the leftmost point of each and of all that follow */
    int64_t count;
    double error; /* of what is computed along u: less than this */
} Sights;

/* Few loops look at all segments. Many get these by what they reach. */
static PliantResult set_sights(PliRegions *regions, const PliCut *cut, Sights *sights)
{
    enum { FEW = 8 };
    const PliSegment *segments = regions->segments.items;
    const int32_t *sides = pli_array_from(&regions->sides, cut->first_side);
    const int u = plane_of(cut->corners).u;
    double most = 0;
    *sights = (Sights){.count = cut->side_count};
    if (cut->loop_count < FEW)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&regions->lefts, regions->host, cut->side_count));
    double *lefts = regions->lefts.items;
    uint64_t *keys = regions->keys[0].items;
    for (int32_t i = 0; i < cut->side_count; i++) {
        double rooms[2][3];
        const double p = pli_segment_end(regions, &segments[sides[i] / 2], 0, rooms[0])[u];
        const double q = pli_segment_end(regions, &segments[sides[i] / 2], 1, rooms[1])[u];
        keys[i] = (uint64_t)pli_rank_of((float)fmax(p, q)) << 32 | (uint32_t)i;
        most = fmax(most, fmax(fabs(p), fabs(q)));
    }
    pli_sort_keys(keys, regions->keys[1].items, cut->side_count, 64);
    for (int32_t i = cut->side_count - 1; i >= 0; i--) {
        const PliSegment *segment = &segments[sides[(uint32_t)keys[i]] / 2];
        double rooms[2][3];
        const double left = fmin(pli_segment_end(regions, segment, 0, rooms[0])[u],
                                 pli_segment_end(regions, segment, 1, rooms[1])[u]);
        lefts[i] = i + 1 < cut->side_count ? fmin(left, lefts[i + 1]) : left;
    }
    sights->keys = keys;
    sights->lefts = lefts;
    sights->error = 0x1p-20 * most;
    return PLIANT_OK;
}

/* The first segment that reaches to the right of a place. */
static int64_t first_sight(const Sights *sights, double u)
{
    const uint64_t least = (uint64_t)pli_rank_of((float)(u - sights->error)) << 32;
    int64_t begin = 0, end = sights->keys ? sights->count : 0;
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        if (sights->keys[middle] < least)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* The face around a loop: what is to the right of its rightmost point. All sides in the triangle
 * have faces; its own are skipped. Of several that are as near the first is taken. */
static int32_t find_face_around(const PliRegions *regions, const PliCut *cut, const Sights *sights,
                                const PliLoop *loop)
{
    const PliSegment *segments = regions->segments.items;
    const int32_t *sides = pli_array_from(&regions->sides, cut->first_side);
    const Plane plane = plane_of(cut->corners);
    View view = {.plane = plane,
                 .u = loop->right_end[0],
                 .v = loop->right_end[1],
                 .nearest = INFINITY,
                 .side = -1,
                 .face = ((const PliEdgePiece *)regions->pieces.items)[cut->first_pieces[0]].face};
    for (int k = 0; k < 3; k++) {
        double a[3], b[3];
        for (int c = 0; c < 3; c++) {
            a[c] = cut->corners[3 * k + c];
            b[c] = cut->corners[3 * ((k + 1) % 3) + c];
        }
        if (see(&view, a, b, -1))
            view.face = face_on_edge(regions, cut, k, &view);
    }
    for (int64_t at = first_sight(sights, view.u); at < sights->count; at++) {
        if (sights->keys && sights->lefts[at] - sights->error > view.nearest)
            break;
        const int32_t i = sights->keys ? (int32_t)(uint32_t)sights->keys[at] : (int32_t)at;
        const PliSegment *segment = &segments[sides[i] / 2];
        const int32_t *faces = segment->faces[sides[i] % 2];
        double rooms[2][3];
        const double *a = pli_segment_end(regions, segment, 0, rooms[0]);
        const double *b = pli_segment_end(regions, segment, 1, rooms[1]);
        const bool is_own = faces[0] == loop->left || faces[0] == loop->right;
        if (!is_own && see(&view, a, b, i))
            view.face = faces[b[plane.v] > a[plane.v] ? 0 : 1];
    }
    return view.face;
}

/* A chain that does not come to the boundary. */
typedef struct Chain {
    bool is_closed;
    double twice_area;
    double error;        /* of that: less than this */
    double right_end[2]; /* u and v of its rightmost node */
} Chain;

/* The greatest extent of a triangle along an axis. */
static double extent_of(const float *t)
{
    double greatest = 0;
    for (int k = 0; k < 9; k++) {
        const double here = fabs((double)t[k] - t[(k + 3) % 9]);
        greatest = here > greatest ? here : greatest;
    }
    return greatest;
}

/* Follows a chain from one of its sides on. Its nodes are on edges of the other surface, so each
 * coordinate is off by less than d = 2^-28 of the extent of a triangle of that and 2^-52 of itself
 * (geom/crossing.h). An edge of length l, in coordinates seen from the first node, adds less than
 * 4 d l to the error of the area. */
static void follow_chain(const PliRegions *regions, const PliCut *cut, PliStep start, Chain *chain)
{
    const PliSegment *segments = regions->segments.items;
    const PliCut *cuts = regions->cuts.items;
    const Plane plane = plane_of(cut->corners);
    const int u = plane.u, v = plane.v;
    double rooms[3][3], length = 0, off = 0;
    const double *first = pli_segment_end(regions, &segments[start.side / 2], start.end, rooms[2]);
    PliStep step = start;
    PliStop stop;
    chain->twice_area = 0;
    do {
        const PliSegment *segment = &segments[step.side / 2];
        const double *p = pli_segment_end(regions, segment, step.end, rooms[0]);
        const double *q = pli_segment_end(regions, segment, 1 - step.end, rooms[1]);
        const double here = 0x1p-27 * extent_of(cuts[segment->cuts[1 - step.side % 2]].corners) +
                            0x1p-51 * (fabs(p[u]) + fabs(p[v]));
        chain->twice_area +=
            (p[u] - first[u]) * (q[v] - first[v]) - (p[v] - first[v]) * (q[u] - first[u]);
        length += fabs(q[u] - p[u]) + fabs(q[v] - p[v]);
        off = here > off ? here : off;
        for (int end = 0; end < 2; end++) {
            const double *r = end ? q : p;
            if (r[u] > chain->right_end[0]) {
                chain->right_end[0] = r[u];
                chain->right_end[1] = r[v];
            }
        }
        stop = pli_next_step(regions, &step);
    } while (stop == PLI_GOES_ON && step.side != start.side);
    chain->is_closed = stop == PLI_GOES_ON;
    chain->error = 4 * off * (length + off);
}

/* Sets the faces of all sides from this one on. */
static void set_faces(const PliRegions *regions, PliStep start, int32_t left, int32_t right)
{
    PliSegment *segments = regions->segments.items;
    PliStep step = start;
    do {
        segments[step.side / 2].faces[step.side % 2][step.end] = left;
        segments[step.side / 2].faces[step.side % 2][1 - step.end] = right;
    } while (pli_next_step(regions, &step) == PLI_GOES_ON && step.side != start.side);
}

/* A chain that does not come to the boundary, from one of its sides. If it is not closed, or is so
 * small that its sides cannot be told apart, it divides nothing: both of its faces are one. */
static PliantResult add_loop(PliRegions *regions, int32_t number, PliStep start)
{
    const PliStep back = {start.side, 1 - start.end};
    PliLoop loop = {.side = start.side, .end = start.end};
    Chain chain = {.right_end = {-INFINITY, 0}}, half = {.right_end = {-INFINITY, 0}};
    follow_chain(regions, (const PliCut *)regions->cuts.items + number, start, &chain);
    if (!chain.is_closed)
        follow_chain(regions, (const PliCut *)regions->cuts.items + number, back, &half);
    PLI_TRY(add_face(regions, number, &loop.left));
    loop.right = loop.left;
    if (chain.is_closed && fabs(chain.twice_area) > chain.error)
        PLI_TRY(add_face(regions, number, &loop.right));
    loop.outer = chain.twice_area > 0 ? loop.right : loop.left;
    memcpy(loop.right_end,
           half.right_end[0] > chain.right_end[0] ? half.right_end : chain.right_end,
           sizeof loop.right_end);
    set_faces(regions, start, loop.left, loop.right);
    if (!chain.is_closed)
        set_faces(regions, back, loop.right, loop.left);
    PLI_TRY(pli_append(&regions->loops, regions->host, &loop));
    ((PliCut *)regions->cuts.items)[number].loop_count++;
    return PLIANT_OK;
}

/* First all loops get their faces, then it is found what is around each. */
static PliantResult add_loops(PliRegions *regions, int32_t number)
{
    PliCut *cut = (PliCut *)regions->cuts.items + number;
    const int32_t *sides = pli_array_from(&regions->sides, cut->first_side);
    cut->first_loop = (int32_t)regions->loops.count;
    for (int32_t i = 0; i < cut->side_count; i++) {
        const PliSegment *segment = (const PliSegment *)regions->segments.items + sides[i] / 2;
        if (segment->faces[sides[i] % 2][0] < 0 && segment->faces[sides[i] % 2][1] < 0)
            PLI_TRY(add_loop(regions, number, (PliStep){sides[i], 0}));
    }
    Sights sights;
    PLI_TRY(set_sights(regions, cut, &sights));
    for (int32_t i = 0; i < cut->loop_count; i++) {
        const PliLoop *loop = (const PliLoop *)regions->loops.items + cut->first_loop + i;
        join_faces(regions, loop->outer, find_face_around(regions, cut, &sights, loop));
    }
    return PLIANT_OK;
}

/* Lists the pieces of each face, now that it is known which are the same. */
static void link_pieces(PliRegions *regions, const PliCut *cut)
{
    PliFace *faces = regions->faces.items;
    PliEdgePiece *pieces = regions->pieces.items;
    for (int32_t i = cut->first_pieces[3] - 1; i >= cut->first_pieces[0]; i--) {
        PliFace *face = &faces[pli_same_face(regions, pieces[i].face)];
        pieces[i].next = face->first_piece;
        face->first_piece = i;
    }
}

/* Lists the cycles of each face, and the loops that divide something, likewise. */
static void link_cycles(PliRegions *regions, const PliCut *cut)
{
    PliFace *faces = regions->faces.items;
    PliEvent *events = events_of(regions, cut);
    PliLoop *loops = pli_array_from(&regions->loops, cut->first_loop);
    for (int32_t i = cut->event_count - 1; i >= 0; i--)
        if (events[i].is_first) {
            PliFace *face = &faces[pli_same_face(regions, events[i].face)];
            events[i].next = face->first_event;
            face->first_event = i;
        }
    for (int32_t i = 2 * cut->loop_count - 1; i >= 0; i--) {
        PliLoop *loop = &loops[i / 2];
        const int32_t left = pli_same_face(regions, loop->left);
        const int32_t right = pli_same_face(regions, loop->right);
        PliFace *face = &faces[i % 2 ? right : left];
        if (loop->left == loop->right || (i % 2 && left == right))
            continue;
        loop->next[i % 2] = face->first_loop;
        face->first_loop = i;
    }
}

/* Each face names its representative at once: that is what is asked of it from now on. It is the
 * lowest, and so is done first. */
static void shorten_chains(PliRegions *regions)
{
    PliFace *faces = regions->faces.items;
    for (int64_t i = 0; i < regions->faces.count; i++)
        faces[i].same = faces[faces[i].same].same;
}

PliantResult pli_find_faces(PliRegions *regions)
{
    for (int32_t i = 0; i < regions->cuts.count; i++) {
        PliCut *cut = (PliCut *)regions->cuts.items + i;
        cut->first_event = (int32_t)regions->events.count;
        for (int k = 0; k < 3; k++)
            PLI_TRY(add_edge_events(regions, cut, k));
        PLI_TRY(insert_corner_events(regions, cut));
        match_events(regions, cut);
        PLI_TRY(trace_faces(regions, i));
        PLI_TRY(add_pieces(regions, i));
        PLI_TRY(add_loops(regions, i));
        link_pieces(regions, cut);
        link_cycles(regions, cut);
    }
    shorten_chains(regions);
    return PLIANT_OK;
}
