/* The greatest distance of a part of a surface from the exits of another surface, by branch and
 * bound.
 *
 * The part is divided into triangles, its pieces. Above: the distance of a point from a triangle U
 * of the other surface is a convex function of the point, so over a piece it is at most what it is
 * at one of the three corners, and the distance from the whole surface is no more than that from U.
 * So for any U the greatest of three distances is an upper bound, and a good one if U is the
 * closest triangle to some point of the piece. Below: the distance at any point of the part is a
 * lower bound. Pieces whose upper bound is little more than the lower bound of all are done; that
 * with the greatest upper bound is divided into four.
 *
 * A face of a cut triangle is divided into triangles by outline.c. If that fails, triangles from
 * one of its corners to all its edges are used: they cover it, but cover more, so pieces that are
 * outside are dropped and points that are outside are no lower bound.
 *
 * Which points count. Between two bodies, those that are inside the other surface, or outside of it
 * if the part pokes out of a garment. The number of turns of the other surface around a point
 * tells. It stays the same up to the surface if that is closed. Otherwise it changes by no more
 * than the boundary allows (decide/winding.c). So the point in the middle of a piece tells whether
 * all of the piece counts, none of it, or whether it has to be divided. A part of a surface that
 * is cut off by a closed one counts as a whole, up to rounding: pieces of it are not asked until
 * one point says otherwise.
 *
 * Rounding. A node is off by less than 2^-26 of the extent of its edge, and coordinates of points
 * that are searched for are rounded to float, by 2^-24 of themselves. With S the greatest magnitude
 * of a coordinate, and edges no longer than 4 S, 2^-22 S is more than how far any such point is
 * from where it should be; distances differ by no more than points do. */
#include "regions/depth.h"
#include "geom/vector.h"
#include "regions/exits.h"
#include "regions/outline.h"
#include "regions/sheets.h"
#include "regions/sides.h"

#include <string.h>

typedef PliDepthPiece Piece;

enum { RECENT = 4, MAX_SEARCHES = 1 << 14, MAX_FINE_SEARCHES = 1 << 17 };

/* So many points without one that counts and is deep: then there is none, or hardly any. Each takes
 * longer where the other surface is open. */
enum { MAX_VAIN_SEARCHES = 1 << 10, MAX_VAIN_OPEN = 1 << 8 };

/* So many visits of edges of a boundary, by winding numbers: as of umbrellas, of which each has
 * thousands of edges at its rim. */
enum { MAX_VISITS = 1 << 25 };

/* A triangle whose distance from several points is asked. */
typedef struct Facet {
    const float *corners;
    double edges[3][3], normal[3], square; /* `square`: of the length of the normal */
} Facet;

/* What was closest to a recent point. */
typedef struct Recent {
    float corners[9];
    Facet facet;       /* of these corners */
    float position[3]; /* the closest point: of the facet, but for rounding */
} Recent;

typedef struct Search {
    const PliRegions *regions;
    PliRegionScratch *scratch;
    const PliPartTriangles *triangles;
    PliantRegionPart *part;
    double lower, done; /* the greatest upper bound of all pieces that are done */
    double error;       /* 2^-22 S */
    Recent recent[RECENT];
    int recent_count, next_recent;
    int32_t outlined; /* the face whose outline is there, or -1 */
    int64_t search_count, visit_count;
    bool is_over;
    bool is_doubted;      /* a point did not count */
    double last_distance; /* of the last point from what its depth is from */
    bool has_winding;     /* that of the last point is known */
    PliWinding winding;
    int32_t mixed; /* the triangle whose faces are not told apart, or -1 */
} Search;

/* Is it asked whether points count? Within one body they are on the surface: if one is outside,
 * there is an exit at it. */
static bool is_tested(const Search *search)
{
    return !pli_is_self(search->regions);
}

/* Is depth the distance from exits? */
static bool finds_exits(const Search *search)
{
    return !search->triangles->skips && search->triangles->deepness == PLI_DEEP_INSIDE &&
           pli_has_walls(search->triangles->other, pli_is_self(search->regions));
}

static double less(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* ---- Distances ------------------------------------------------------------------------------- */

static Facet facet_of(const float *t)
{
    Facet facet = {.corners = t};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            facet.edges[i][k] = (double)t[3 * ((i + 1) % 3) + k] - t[3 * i + k];
    pli_cross3(facet.edges[0], facet.edges[1], facet.normal);
    facet.square = pli_dot3(facet.normal, facet.normal);
    return facet;
}

/* The distance of a point from a triangle: from its plane if the point is above or below it. */
static double distance_from(const double p[3], const Facet *facet)
{
    double from[3][3], side[3], least = INFINITY;
    bool is_above = facet->square > 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            from[i][k] = p[k] - facet->corners[3 * i + k];
    for (int i = 0; i < 3 && is_above; i++) {
        pli_cross3(facet->edges[i], from[i], side);
        is_above = pli_dot3(side, facet->normal) >= 0;
    }
    if (is_above)
        return fabs(pli_dot3(from[0], facet->normal)) / sqrt(facet->square);
    for (int i = 0; i < 3; i++) {
        const double here = pli_edge_square(from[i], facet->edges[i]);
        least = here < least ? here : least;
    }
    return sqrt(least);
}

/* ---- Faces ---------------------------------------------------------------------------------- */

static PliantResult outline(Search *search, int32_t face)
{
    if (search->outlined == face)
        return PLIANT_OK;
    search->outlined = -1;
    PLI_TRY(pli_face_outline(search->regions, search->scratch, face));
    search->outlined = face;
    return PLIANT_OK;
}

static void cut_axes(const Search *search, int32_t face, int *u, int *v)
{
    const PliFace *faces = search->regions->faces.items;
    const PliCut *cut = (const PliCut *)search->regions->cuts.items + faces[face].cut;
    const PliMoments moments = pli_triangle_moments(cut->corners);
    pli_normal_axes(moments.normal, u, v);
}

/* Is a point in a face? */
static PliantResult is_in_face(Search *search, int32_t face, const double p[3], bool *is_inside)
{
    int u, v;
    PLI_TRY(outline(search, face));
    cut_axes(search, face, &u, &v);
    const double(*points)[3] = search->scratch->outline.items;
    const int32_t *ends = search->scratch->cycles.items;
    *is_inside = false;
    for (int64_t c = 0, first = 0; c < search->scratch->cycles.count; first = ends[c++])
        for (int64_t i = first; i < ends[c]; i++) {
            const double *a = points[i], *b = points[i + 1 < ends[c] ? i + 1 : first];
            if ((a[v] > p[v]) != (b[v] > p[v]) &&
                p[u] < a[u] + (p[v] - a[v]) * (b[u] - a[u]) / (b[v] - a[v]))
                *is_inside = !*is_inside;
        }
    return PLIANT_OK;
}

/* Is a point at the rim of the face whose outline is there, as near as points are certain? */
static bool is_at_rim(const Search *search, const double p[3])
{
    const double(*points)[3] = search->scratch->outline.items;
    const int32_t *ends = search->scratch->cycles.items;
    for (int64_t c = 0, first = 0; c < search->scratch->cycles.count; first = ends[c++])
        for (int64_t i = first; i < ends[c]; i++) {
            const double *a = points[i], *b = points[i + 1 < ends[c] ? i + 1 : first];
            const double from[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
            const double edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
            if (pli_edge_square(from, edge) <= search->error * search->error)
                return true;
        }
    return false;
}

/* Is an edge of an outline certainly outside of a piece? It is if a line separates them. */
static bool is_apart(const Piece *piece, const double *a, const double *b, int u, int v,
                     double margin)
{
    const double *p = piece->corners[0], *q = piece->corners[1], *r = piece->corners[2];
    for (int axis = 0; axis < 2; axis++) {
        const int k = axis ? v : u;
        const double low = less(less(p[k], q[k]), r[k]), high = greater(greater(p[k], q[k]), r[k]);
        if (greater(a[k], b[k]) < low - margin || less(a[k], b[k]) > high + margin)
            return true;
    }
    const double turn = pli_doubled_area(p, q, r, u, v) > 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) {
        const double *from = piece->corners[i], *to = piece->corners[(i + 1) % 3];
        const double room = margin * (fabs(to[u] - from[u]) + fabs(to[v] - from[v]));
        if (turn * pli_doubled_area(from, to, a, u, v) < -room &&
            turn * pli_doubled_area(from, to, b, u, v) < -room)
            return true;
    }
    const double room = margin * (fabs(b[u] - a[u]) + fabs(b[v] - a[v]));
    const double s[3] = {pli_doubled_area(a, b, p, u, v), pli_doubled_area(a, b, q, u, v),
                         pli_doubled_area(a, b, r, u, v)};
    return (s[0] > room && s[1] > room && s[2] > room) ||
           (s[0] < -room && s[1] < -room && s[2] < -room);
}

/* Is a piece outside of its face, certainly? */
static PliantResult is_outside(Search *search, const Piece *piece, bool *is_so)
{
    int u, v;
    PLI_TRY(outline(search, piece->face));
    cut_axes(search, piece->face, &u, &v);
    const double(*points)[3] = search->scratch->outline.items;
    const int32_t *ends = search->scratch->cycles.items;
    *is_so = false;
    for (int64_t c = 0, first = 0; c < search->scratch->cycles.count; first = ends[c++])
        for (int64_t i = first; i < ends[c]; i++)
            if (!is_apart(piece, points[i], points[i + 1 < ends[c] ? i + 1 : first], u, v,
                          search->error))
                return PLIANT_OK;
    bool is_inside;
    PLI_TRY(is_in_face(search, piece->face, piece->corners[0], &is_inside));
    *is_so = !is_inside;
    return PLIANT_OK;
}

/* ---- The search ----------------------------------------------------------------------------- */

/* Is a bound little enough to be done with? */
static bool is_done(const Search *search, double upper)
{
    return upper <= search->lower * (1 + 0.98 * search->regions->tolerance) ||
           upper <= search->lower + 4 * search->error;
}

static void finish(Search *search, double upper)
{
    search->done = upper > search->done ? upper : search->done;
}

/* Lowers the upper bound of a piece to its greatest distance from a triangle. */
static void tighten_upper(const Search *search, Piece *piece, const Facet *facet)
{
    double upper = search->error + piece->around;
    for (int i = 0; i < 3 && upper < piece->upper; i++) {
        const double here = distance_from(piece->corners[i], facet) + search->error + piece->around;
        upper = here > upper ? here : upper;
    }
    piece->upper = upper < piece->upper ? upper : piece->upper;
}

/* The closest exit to a point; or the closest triangle that is not skipped. */
static PliantResult find_nearest(Search *search, const float point[3], PliNearest *nearest)
{
    const PliSurface *other = search->triangles->other;
    bool is_reached = true;
    if (finds_exits(search))
        return pli_find_exit(other, pli_is_self(search->regions), search->scratch, point, nearest);
    while (is_reached) {
        PLI_TRY(other->find_nearest(other->user, search->scratch, point, search->triangles->skips,
                                    nearest));
        is_reached = false;
        if (search->triangles->skips && nearest->triangle >= 0)
            PLI_TRY(
                pli_reach_sheet(search->regions, search->scratch, nearest->triangle, &is_reached));
    }
    return PLIANT_OK;
}

static PliantResult wind(Search *search, const float point[3])
{
    const PliSurface *other = search->triangles->other;
    if (search->has_winding)
        return PLIANT_OK;
    PLI_TRY(other->wind(other->user, search->scratch, point, &search->winding));
    search->visit_count += other->boundary_count;
    search->has_winding = true;
    return PLIANT_OK;
}

/* Does the last point count? */
static bool is_on_side(const Search *search)
{
    return pli_winding_is_inside(&search->winding) ==
           (search->triangles->deepness == PLI_DEEP_INSIDE);
}

/* Does a point of a piece count? At a closed surface it does: it is of a part inside. */
static PliantResult find_counts(Search *search, const Piece *piece, const float point[3],
                                double lower, bool *counts)
{
    *counts = true;
    if (!is_tested(search) || piece->is_deep ||
        (search->triangles->other->is_closed && lower <= 4 * search->error))
        return PLIANT_OK;
    PLI_TRY(wind(search, point));
    *counts = is_on_side(search);
    search->is_doubted |= !*counts;
    return PLIANT_OK;
}

/* How far any point of a piece is from its middle, at most. */
static double radius_of(const Search *search, const Piece *piece, const double middle[3])
{
    double greatest = 0;
    for (int i = 0; i < 3; i++) {
        double from[3];
        for (int k = 0; k < 3; k++)
            from[k] = piece->corners[i][k] - middle[k];
        greatest = greater(greatest, pli_dot3(from, from));
    }
    return sqrt(greatest) * (1 + 0x1p-40) + piece->around + 2 * search->error;
}

/* Does all of a piece count, or none of it? What is in its middle was looked at last. */
static PliantResult test_piece(Search *search, Piece *piece, const double middle[3], bool *is_out)
{
    const PliSurface *other = search->triangles->other;
    const float point[3] = {(float)middle[0], (float)middle[1], (float)middle[2]};
    if (!is_tested(search) || piece->is_deep || is_done(search, piece->upper) ||
        !(search->is_doubted || piece->is_mixed))
        return PLIANT_OK;
    const double radius = radius_of(search, piece, middle);
    if (!(search->last_distance > radius))
        return PLIANT_OK;
    PLI_TRY(wind(search, point));
    if (!other->is_closed) {
        const double number = fabs(pli_winding_number(&search->winding));
        double change;
        PLI_TRY(other->wind_change(other->user, search->scratch, point, radius, &change));
        search->visit_count += other->boundary_count;
        change += pli_winding_error(&search->winding);
        if (!(number + change < 0.5 || number - change > 0.5))
            return PLIANT_OK;
        if (finds_exits(search) &&
            search->scratch->exits.has_walls) { /* at which the number changes too */
            PliNearest nearest;
            PLI_TRY(other->find_nearest(other->user, search->scratch, point, NULL, &nearest));
            if (nearest.triangle >= 0 && !(nearest.distance > radius))
                return PLIANT_OK;
        }
    }
    piece->is_deep = is_on_side(search);
    *is_out = !piece->is_deep;
    return PLIANT_OK;
}

static const Facet *note_recent(Search *search, const PliNearest *nearest)
{
    Recent *recent = &search->recent[search->next_recent];
    memcpy(recent->corners, nearest->corners, sizeof recent->corners);
    memcpy(recent->position, nearest->position, sizeof recent->position);
    recent->facet = facet_of(recent->corners);
    search->next_recent = (search->next_recent + 1) % RECENT;
    search->recent_count += search->recent_count < RECENT;
    return &recent->facet;
}

static const Recent *last_recent(const Search *search)
{
    return &search->recent[(search->next_recent + RECENT - 1) % RECENT];
}

/* The closest triangle to a point of a piece: it bounds the piece from above, and what is in the
 * part from below. */
static PliantResult look(Search *search, Piece *piece, const double p[3])
{
    const float point[3] = {(float)p[0], (float)p[1], (float)p[2]};
    PliNearest nearest;
    bool is_inside = true, counts;
    search->has_winding = false;
    PLI_TRY(find_nearest(search, point, &nearest));
    search->search_count++;
    search->is_over = nearest.triangle < 0; /* there is nothing to be far from */
    if (search->is_over)
        return PLIANT_OK;
    tighten_upper(search, piece, note_recent(search, &nearest));
    double lower = nearest.distance * (1 - 0x1p-22) - search->error;
    search->last_distance = lower;
    if (!(lower > search->lower) && search->part->deepest_triangle >= 0)
        return PLIANT_OK;
    if (!piece->is_inside)
        PLI_TRY(is_in_face(search, piece->face, p, &is_inside));
    if (!is_inside) { /* a face without area is a rim, and nothing else */
        lower -= search->error;
        if (!is_at_rim(search, p) ||
            (lower <= search->lower && search->part->deepest_triangle >= 0))
            return PLIANT_OK;
    }
    PLI_TRY(find_counts(search, piece, point, lower, &counts));
    if (!counts)
        return PLIANT_OK;
    search->lower = lower > 0 ? lower : 0;
    PliantRegionPart *part = search->part;
    part->deepest_triangle = piece->triangle;
    part->closest_triangle = nearest.triangle;
    memcpy(part->deepest, point, sizeof point);
    memcpy(part->closest, nearest.position, sizeof nearest.position);
    return PLIANT_OK;
}

static void push_heap(PliArray *heap, const Piece *piece)
{
    Piece *items = heap->items;
    int64_t at = heap->count++;
    for (; at > 0 && items[(at - 1) / 2].upper < piece->upper; at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = *piece;
}

static Piece pop_heap(PliArray *heap)
{
    Piece *items = heap->items;
    const Piece top = items[0], last = items[--heap->count];
    int64_t at = 0;
    for (int64_t child; (child = 2 * at + 1) < heap->count; at = child) {
        child += child + 1 < heap->count && items[child + 1].upper > items[child].upper;
        if (items[child].upper <= last.upper)
            break;
        items[at] = items[child];
    }
    items[at] = last;
    return top;
}

/* Bounds a piece by what is closest to its middle and, if it is a whole one, to the corner that is
 * then the deepest: there the greatest depth often is. *is_out: none of it counts. */
static PliantResult search_piece(Search *search, Piece *piece, bool *is_out)
{
    const bool is_whole = !piece->has_nearest;
    double middle[3];
    *is_out = false;
    for (int k = 0; k < 3; k++)
        middle[k] = ((piece->corners[0][k] + piece->corners[1][k]) + piece->corners[2][k]) / 3;
    PLI_TRY(look(search, piece, middle));
    if (search->recent_count == 0)
        return PLIANT_OK;
    memcpy(piece->nearest, last_recent(search)->corners, sizeof piece->nearest);
    piece->has_nearest = piece->is_searched = true;
    PLI_TRY(test_piece(search, piece, middle, is_out));
    if (!is_whole || *is_out || is_done(search, piece->upper))
        return PLIANT_OK;
    const Facet facet = facet_of(piece->nearest);
    int deepest = 0;
    double greatest = 0, corner[3];
    for (int i = 0; i < 3; i++) {
        const double here = distance_from(piece->corners[i], &facet);
        deepest = here > greatest ? i : deepest;
        greatest = here > greatest ? here : greatest;
    }
    memcpy(corner, piece->corners[deepest], sizeof corner);
    return look(search, piece, corner);
}

/* Bounds a piece by what was close to others, or to what it is a part of, and keeps it if that is
 * not enough. What is closest to it is searched for once nothing deeper is left: by then it may be
 * known that it is not deep enough. */
static PliantResult try_piece(Search *search, Piece *piece)
{
    bool is_out = false;
    for (int i = 0; i < search->recent_count && !piece->has_nearest; i++)
        tighten_upper(search, piece, &search->recent[i].facet);
    if (piece->has_nearest) {
        const Facet facet = facet_of(piece->nearest);
        tighten_upper(search, piece, &facet);
    }
    if (!is_done(search, piece->upper) && !piece->is_inside)
        PLI_TRY(is_outside(search, piece, &is_out));
    if (is_out)
        return PLIANT_OK;
    if (!is_done(search, piece->upper) && !piece->has_nearest)
        PLI_TRY(search_piece(search, piece, &is_out));
    if (is_out)
        return PLIANT_OK;
    if (is_done(search, piece->upper)) {
        finish(search, piece->upper);
        return PLIANT_OK;
    }
    PLI_TRY(pli_array_reserve_spare(&search->scratch->heap, search->scratch->worker->host,
                                    search->scratch->heap.count + 1));
    push_heap(&search->scratch->heap, piece);
    return PLIANT_OK;
}

static PliantResult try_triangle(Search *search, const Piece *like, const double a[3],
                                 const double b[3], const double c[3])
{
    Piece piece = *like;
    piece.is_searched = false;
    const double *corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        memcpy(piece.corners[i], corners[i], sizeof piece.corners[i]);
    return try_piece(search, &piece);
}

/* If a piece is nearly a segment, divides that instead: its four parts would lie on each other,
 * along the whole segment, and theirs too. What it loses is within `around` of the segment. */
static PliantResult divide_segment(Search *search, const Piece *piece, bool *is_segment)
{
    double normal[3], edges[3][3], middle[3];
    int longest = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            edges[i][k] = piece->corners[(i + 1) % 3][k] - piece->corners[i][k];
        longest =
            pli_dot3(edges[i], edges[i]) > pli_dot3(edges[longest], edges[longest]) ? i : longest;
    }
    pli_cross3(edges[0], edges[1], normal);
    const double length = sqrt(pli_dot3(edges[longest], edges[longest]));
    *is_segment = sqrt(pli_dot3(normal, normal)) <= search->error * length;
    if (!*is_segment)
        return PLIANT_OK;
    const double *a = piece->corners[longest], *b = piece->corners[(longest + 1) % 3];
    Piece half = *piece;
    half.around = search->error;
    for (int k = 0; k < 3; k++)
        middle[k] = (a[k] + b[k]) / 2;
    PLI_TRY(try_triangle(search, &half, a, middle, middle));
    return try_triangle(search, &half, middle, b, b);
}

/* Into four, alike. */
static PliantResult divide_evenly(Search *search, const Piece *piece)
{
    bool is_segment;
    PLI_TRY(divide_segment(search, piece, &is_segment));
    if (is_segment)
        return PLIANT_OK;
    double middles[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            middles[i][k] = (piece->corners[i][k] + piece->corners[(i + 1) % 3][k]) / 2;
    for (int i = 0; i < 3; i++)
        PLI_TRY(try_triangle(search, piece, piece->corners[i], middles[i], middles[(i + 2) % 3]));
    return try_triangle(search, piece, middles[0], middles[1], middles[2]);
}

/* Heights above the plane through an edge of a triangle, at a right angle to it: positive outside.
 * Edge 3 is the triangle itself. False if there is no such plane. */
static bool find_heights(const Piece *piece, int edge, double heights[3])
{
    double edges[2][3], normal[3], across[3], along[3];
    const float *t = piece->nearest, *at = t + (edge < 3 ? 3 * edge : 0);
    for (int k = 0; k < 3; k++) {
        edges[0][k] = (double)t[3 + k] - t[k];
        edges[1][k] = (double)t[6 + k] - t[k];
        along[k] = (double)t[3 * ((edge + 1) % 3) + k] - at[k];
    }
    pli_cross3(edges[0], edges[1], normal);
    if (edge < 3)
        pli_cross3(along, normal, across);
    else
        memcpy(across, normal, sizeof across);
    const double length = sqrt(pli_dot3(across, across));
    for (int i = 0; i < 3; i++) {
        double from[3];
        for (int k = 0; k < 3; k++)
            from[k] = piece->corners[i][k] - at[k];
        heights[i] = pli_dot3(from, across) / length;
    }
    return length > 0;
}

/* If a piece would be done were it not beyond an edge of the triangle below it: the edge beyond
 * which it is the farthest, and the heights. Surfaces that are flat, or that hardly intersect, are
 * divided along their edges in this way, and not into ever smaller pieces along them. */
static bool find_edge(const Search *search, const Piece *piece, double heights[3])
{
    double here[3], farthest = 4 * search->error;
    bool is_found = false;
    if (!find_heights(piece, 3, here) ||
        !is_done(search,
                 greater(greater(fabs(here[0]), fabs(here[1])), fabs(here[2])) + search->error))
        return false;
    for (int edge = 0; edge < 3; edge++) {
        if (!find_heights(piece, edge, here))
            return false;
        const double high = greater(greater(here[0], here[1]), here[2]);
        const double low = less(less(here[0], here[1]), here[2]);
        if (high > farthest && low < -search->error) {
            farthest = high;
            memcpy(heights, here, sizeof here);
            is_found = true;
        }
    }
    return is_found;
}

/* Along a plane: the corner that is alone on its side, and the two others. */
static PliantResult divide_along(Search *search, const Piece *piece, const double heights[3])
{
    int alone = 0;
    for (int i = 0; i < 3; i++)
        if ((heights[i] > 0) != (heights[(i + 1) % 3] > 0) &&
            (heights[i] > 0) != (heights[(i + 2) % 3] > 0))
            alone = i;
    const double *a = piece->corners[alone];
    double cuts[2][3];
    for (int i = 0; i < 2; i++) {
        const int other = (alone + 1 + i) % 3;
        const double t = heights[alone] / (heights[alone] - heights[other]);
        for (int k = 0; k < 3; k++)
            cuts[i][k] = a[k] + t * (piece->corners[other][k] - a[k]);
    }
    const double *b = piece->corners[(alone + 1) % 3], *c = piece->corners[(alone + 2) % 3];
    PLI_TRY(try_triangle(search, piece, a, cuts[0], cuts[1]));
    PLI_TRY(try_triangle(search, piece, cuts[0], b, c));
    return try_triangle(search, piece, cuts[0], c, cuts[1]);
}

static PliantResult divide(Search *search, const Piece *piece)
{
    double heights[3];
    return find_edge(search, piece, heights) ? divide_along(search, piece, heights)
                                             : divide_evenly(search, piece);
}

/* ---- Pieces of faces ------------------------------------------------------------------------ */

/* Triangles from the first corner to all edges. */
static PliantResult try_fan(Search *search, const Piece *like)
{
    PliRegionScratch *scratch = search->scratch;
    Piece outside = *like;
    double apex[3], a[3], b[3];
    outside.is_inside = false;
    memcpy(apex, scratch->outline.items, sizeof apex);
    for (int64_t c = 0, first = 0; c < scratch->cycles.count;
         first = ((const int32_t *)scratch->cycles.items)[c++])
        for (int64_t i = first; i < ((const int32_t *)scratch->cycles.items)[c]; i++) {
            PLI_TRY(outline(search, like->face));
            const double(*points)[3] = scratch->outline.items;
            const int32_t end = ((const int32_t *)scratch->cycles.items)[c];
            memcpy(a, points[i], sizeof a);
            memcpy(b, points[i + 1 < end ? i + 1 : first], sizeof b);
            PLI_TRY(try_triangle(search, &outside, apex, a, b));
        }
    return PLIANT_OK;
}

static PliantResult try_face(Search *search, const Piece *like)
{
    PliRegionScratch *scratch = search->scratch;
    bool is_divided;
    int u, v;
    PLI_TRY(outline(search, like->face));
    if (scratch->outline.count == 0)
        return PLIANT_OK;
    cut_axes(search, like->face, &u, &v);
    PLI_TRY(pli_triangulate_outline(search->regions, scratch, u, v, &is_divided));
    if (!is_divided)
        return try_fan(search, like);
    for (int64_t i = 0; i < scratch->ears.count; i += 3) {
        const int32_t *ear = (const int32_t *)scratch->ears.items + i;
        const double(*points)[3] = scratch->outline.items;
        PLI_TRY(try_triangle(search, like, points[ear[0]], points[ear[1]], points[ear[2]]));
    }
    return PLIANT_OK;
}

/* ---- The part ------------------------------------------------------------------------------- */

static double greatest_of(const float *coordinates, int64_t count)
{
    double greatest = 0;
    for (int64_t i = 0; i < count; i++)
        if (fabs((double)coordinates[i]) > greatest && isfinite(coordinates[i]))
            greatest = fabs((double)coordinates[i]);
    return greatest;
}

/* Is a face on both sides of its curves? Its triangle is then searched as a whole. */
static bool is_mixed(const Search *search, const PliRanked *entry)
{
    const PliFace *faces = search->regions->faces.items;
    return is_tested(search) && search->triangles->other->is_closed && entry->item >= 0 &&
           pli_is_mixed(&faces[entry->item]);
}

/* Is a triangle less deep than what is known, by the triangle inequality? All of it is closer to
 * one point of the surface. Its pieces are then closer to the facet that has this point, and would
 * be done with a bound of no more than `lower`: they change nothing. Piece, point and bound are off
 * by an error each. */
static bool is_shallow(const Search *search, const float *row)
{
    const double reach = search->lower - 4 * search->error;
    bool is_so = false;
    for (int i = 0; i < search->recent_count && reach > 0 && !is_so; i++) {
        const float *at = search->recent[i].position;
        double greatest = 0;
        for (int k = 0; k < 9; k += 3) {
            const double from[3] = {(double)row[k] - at[0], (double)row[k + 1] - at[1],
                                    (double)row[k + 2] - at[2]};
            greatest = greater(greatest, pli_dot3(from, from));
        }
        is_so = greatest <= reach * reach;
    }
    return is_so;
}

static PliantResult try_entry(Search *search, int64_t i)
{
    const PliRanked *entry = &search->triangles->entries[i];
    const float *row = search->triangles->rows + 9 * i;
    Piece like = {.upper = INFINITY,
                  .triangle = (int32_t)(entry->key & 0xffffffff),
                  .face = entry->item,
                  .is_inside = true};
    double corners[3][3];
    if (!pli_is_finite(row, 9) || is_shallow(search, row))
        return PLIANT_OK;
    if (is_mixed(search, entry)) {
        if (search->mixed == like.triangle)
            return PLIANT_OK;
        search->mixed = like.triangle;
        like.is_mixed = true;
        like.face = -1;
    } else if (entry->item >= 0)
        return try_face(search, &like);
    for (int k = 0; k < 9; k++)
        corners[k / 3][k % 3] = row[k];
    return try_triangle(search, &like, corners[0], corners[1], corners[2]);
}

/* Is a piece as small as a point is uncertain? If it is not done, it is close to the rim of its
 * face, and neither in it nor outside of it. */
static bool is_tiny(const Search *search, const Piece *piece)
{
    double extent = 0;
    for (int i = 1; i < 3; i++)
        for (int k = 0; k < 3; k++)
            extent = greater(extent, fabs(piece->corners[i][k] - piece->corners[0][k]));
    return extent <= search->error;
}

/* The float that is not less. */
static float round_up(double x)
{
    float rounded = (float)x;
    if (rounded < x) {
        uint32_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        bits++;
        memcpy(&rounded, &bits, sizeof bits);
    }
    return rounded;
}

PliantResult pli_find_depth_at(const PliRegions *regions, PliRegionScratch *scratch,
                               const PliPartTriangles *triangles, const float *point, float *depth)
{
    Search search = {.regions = regions,
                     .scratch = scratch,
                     .triangles = triangles,
                     .error = greater(0x1p-22 * greatest_of(point, 3), 0x1p-149)};
    const Piece piece = {.upper = INFINITY};
    PliNearest nearest;
    bool counts;
    *depth = 0;
    if (triangles->deepness == PLI_DEEP_NOWHERE || !pli_is_finite(point, 3))
        return PLIANT_OK;
    PLI_TRY(find_nearest(&search, point, &nearest));
    if (nearest.triangle < 0)
        return PLIANT_OK;
    PLI_TRY(find_counts(&search, &piece, point, nearest.distance, &counts));
    *depth = counts ? nearest.distance : -nearest.distance;
    return PLIANT_OK;
}

PliantResult pli_find_depth(const PliRegions *regions, PliRegionScratch *scratch,
                            const PliPartTriangles *triangles, PliantRegionPart *part)
{
    Search search = {
        .regions = regions,
        .scratch = scratch,
        .triangles = triangles,
        .part = part,
        .error = greater(0x1p-22 * greatest_of(triangles->rows, 9 * triangles->count), 0x1p-149),
        .outlined = -1,
        .mixed = -1};
    const int64_t most = regions->tolerance < 0.01f ? MAX_FINE_SEARCHES : MAX_SEARCHES;
    if (triangles->deepness == PLI_DEEP_NOWHERE)
        return PLIANT_OK;
    if (finds_exits(&search))
        PLI_TRY(pli_exits_start(scratch, triangles->other->triangle_count));
    const int64_t most_in_vain = !is_tested(&search)           ? most
                                 : triangles->other->is_closed ? MAX_VAIN_SEARCHES
                                                               : MAX_VAIN_OPEN;
    scratch->heap.count = 0;
    for (int64_t i = 0; i < triangles->count && !search.is_over; i++)
        PLI_TRY(try_entry(&search, i));
    while (scratch->heap.count > 0 && !search.is_over && search.visit_count < MAX_VISITS &&
           search.search_count < (search.lower > 4 * search.error ? most : most_in_vain)) {
        Piece piece = pop_heap(&scratch->heap);
        bool is_out = false;
        if (!is_done(&search, piece.upper) && !piece.is_searched)
            PLI_TRY(search_piece(&search, &piece, &is_out));
        if (is_out)
            continue;
        if (is_done(&search, piece.upper) || is_tiny(&search, &piece))
            finish(&search, piece.upper);
        else
            PLI_TRY(divide(&search, &piece));
    }
    const double left = scratch->heap.count > 0 ? ((const Piece *)scratch->heap.items)->upper : 0;
    const double upper = greater(greater(left, search.done), search.lower);
    const float depth = (float)search.lower;
    if (part->deepest_triangle < 0) /* nothing to be far from */
        return PLIANT_OK;
    part->depth = depth > search.lower ? pli_float_of(pli_rank_of(depth) - 1) : depth;
    part->max_depth = round_up(upper);
    return PLIANT_OK;
}
