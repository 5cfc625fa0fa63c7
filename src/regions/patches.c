/* Patches of surfaces between curves, and which of them are on the wrong side: see regions.h.
 *
 * Where the other surface is closed, what is inside of it is wrong, and only the inner sides of
 * curves are visited. If the other surface is several shells that overlap, one patch can be on the
 * inner side of one curve and on the outer side of another. Then the patch is divided: each piece
 * of it that is connected is asked for itself, and those inside are patches of their own. Within
 * one body each patch is asked. A piece that is turned inside out is on the outer side of its
 * curves: if the surface is not around what is on the inner side, what is opposite is asked too,
 * and may be a pocket.
 *
 * Where the other surface is open, each curve has a patch on either side. Patches on opposite sides
 * of a curve get opposite signs. Winding numbers along the curves tell on which side most of each
 * is: so far as the other surface has an inside at all.
 *
 *     patches with one sign are inside, the others outside   those inside are wrong
 *     the same, but those inside are by far the larger       those outside are wrong: they poke out
 *     otherwise                                              the smaller ones are wrong, without a
 *                                                            depth
 *
 * The second is a body in a garment. The third is two sheets (Baraff, Witkin and Kass, "Untangling
 * cloth", 2003). */
#include "regions/patches.h"
#include "geom/orient.h"
#include "regions/faces.h"
#include "regions/outline.h"

#include <string.h>

/* ---- Flooding -------------------------------------------------------------------------------- */

/* Each triangle of a surface that is open comes here twice: once there is room, this is a store. */
static inline PliantResult push(const PliRegions *regions, PliArray *array, int32_t number)
{
    if (array->count == array->capacity)
        PLI_TRY(pli_array_reserve(array, regions->host, array->count + 1));
    ((int32_t *)array->items)[array->count++] = number;
    return PLIANT_OK;
}

static PliantResult reach_face(PliRegions *regions, int32_t face, int32_t patch)
{
    PliFace *faces = regions->faces.items;
    face = pli_same_face(regions, face);
    if (faces[face].patch >= 0)
        return PLIANT_OK;
    faces[face].patch = patch;
    PLI_TRY(push(regions, &regions->patch_faces, face));
    return push(regions, &regions->scratch->waiting, face);
}

static inline PliantResult reach_whole(PliRegions *regions, int surface, int32_t triangle,
                                       int32_t patch)
{
    PLI_TRY(push(regions, &regions->wholes, triangle));
    ((int32_t *)regions->states[surface].items)[triangle] = -1 - patch;
    return push(regions, &regions->scratch->waiting, -1 - triangle);
}

/* A part of an edge: `index` counts from the lower vertex. */
typedef struct Gap {
    int32_t triangle, k, index, count;
} Gap;

/* Goes over part of an edge to a cut triangle, of which this is edge k. */
static PliantResult cross_to(PliRegions *regions, const PliCut *cut, int k, const Gap *gap,
                             int32_t patch)
{
    const int32_t count = cut->first_pieces[k + 1] - cut->first_pieces[k];
    if (count != gap->count)
        return PLIANT_OK; /* a triangle that is not finite has no nodes */
    const int32_t index = pli_edge_rises(cut, k) ? gap->index : count - 1 - gap->index;
    const PliEdgePiece *piece =
        (const PliEdgePiece *)regions->pieces.items + cut->first_pieces[k] + index;
    return reach_face(regions, piece->face, patch);
}

/* Goes over part of an edge to all other triangles that have it. */
static PliantResult cross(PliRegions *regions, int surface, const Gap *gap, int32_t patch)
{
    const PliFeatures *features = regions->surfaces[surface]->features;
    const int32_t *states = regions->states[surface].items, own = 3 * gap->triangle + gap->k;
    const int32_t edge = features ? features->triangle_edges[own] : -1;
    if (edge < 0)
        return PLIANT_OK;
    const int32_t end = features->edge_firsts[edge + 1];
    for (int32_t i = features->edge_firsts[edge]; i < end; i++) {
        const int32_t side = features->edge_sides[i], state = states[side / 3];
        if (state > 0 && side != own)
            PLI_TRY(cross_to(regions, (const PliCut *)regions->cuts.items + (state - 1), side % 3,
                             gap, patch));
        else if (state == 0 && gap->count == 1)
            PLI_TRY(reach_whole(regions, surface, side / 3, patch));
    }
    return PLIANT_OK;
}

static PliantResult leave_face(PliRegions *regions, int surface, int32_t face, int32_t patch)
{
    const PliFace *faces = regions->faces.items;
    for (int32_t i = faces[face].first_piece; i >= 0;) {
        const PliEdgePiece *piece = (const PliEdgePiece *)regions->pieces.items + i;
        const PliCut *cut = (const PliCut *)regions->cuts.items + piece->cut;
        Gap gap = {.triangle = cut->triangle,
                   .k = piece->edge,
                   .count = cut->first_pieces[piece->edge + 1] - cut->first_pieces[piece->edge]};
        gap.index = pli_edge_rises(cut, piece->edge) ? piece->index : gap.count - 1 - piece->index;
        i = piece->next;
        PLI_TRY(cross(regions, surface, &gap, patch));
    }
    return PLIANT_OK;
}

/* Goes over the three edges of a whole triangle: most of a flood is this. */
static PliantResult leave_whole(PliRegions *regions, int surface, int32_t triangle, int32_t patch)
{
    const PliFeatures *features = regions->surfaces[surface]->features;
    const int32_t *states = regions->states[surface].items;
    for (int k = 0; k < 3 && features; k++) {
        const int32_t edge = features->triangle_edges[3 * triangle + k];
        const int32_t *side = features->edge_sides + (edge < 0 ? 0 : features->edge_firsts[edge]);
        const int32_t *end =
            features->edge_sides + (edge < 0 ? 0 : features->edge_firsts[edge + 1]);
        for (; side < end; side++) {
            const int32_t other = *side / 3, state = states[other];
            if (state == 0)
                PLI_TRY(reach_whole(regions, surface, other, patch));
            else if (state > 0)
                PLI_TRY(cross_to(regions, (const PliCut *)regions->cuts.items + (state - 1),
                                 *side % 3, &(Gap){.count = 1}, patch));
        }
    }
    return PLIANT_OK;
}

/* A new patch, with nothing in it. */
static PliantResult add_patch(PliRegions *regions, int surface)
{
    const PliPatch empty = {.surface = surface,
                            .first_whole = regions->wholes.count,
                            .first_face = regions->patch_faces.count,
                            .same = (int32_t)regions->patches.count,
                            .curve = -1,
                            .region = -1,
                            .part = -1};
    regions->scratch->waiting.count = 0;
    return pli_append(&regions->patches, regions->host, &empty);
}

/* Fills the last patch from what was reached. */
static PliantResult fill_patch(PliRegions *regions)
{
    const int32_t number = (int32_t)regions->patches.count - 1;
    const int surface = ((const PliPatch *)regions->patches.items)[number].surface;
    while (regions->scratch->waiting.count > 0) {
        const int32_t next =
            ((const int32_t *)regions->scratch->waiting.items)[--regions->scratch->waiting.count];
        if (next >= 0)
            PLI_TRY(leave_face(regions, surface, next, number));
        else
            PLI_TRY(leave_whole(regions, surface, -1 - next, number));
    }
    PliPatch *patch = (PliPatch *)regions->patches.items + number;
    patch->whole_count = regions->wholes.count - patch->first_whole;
    patch->face_count = regions->patch_faces.count - patch->first_face;
    return PLIANT_OK;
}

/* The patch that a face is in. */
static PliantResult flood(PliRegions *regions, int32_t face)
{
    const PliFace *faces = regions->faces.items;
    face = pli_same_face(regions, face);
    if (faces[face].patch >= 0)
        return PLIANT_OK;
    PLI_TRY(add_patch(regions, ((const PliCut *)regions->cuts.items)[faces[face].cut].surface));
    PLI_TRY(reach_face(regions, face, (int32_t)regions->patches.count - 1));
    return fill_patch(regions);
}

/* ---- Sides of segments ---------------------------------------------------------------------- */

/* Is the surface closed that a side of a segment is a part of the intersection with? */
static bool is_other_closed(const PliRegions *regions, int side)
{
    return regions->surfaces[1 - side]->is_closed;
}

/* Which of the two faces of a side is inside the other surface: below its triangles, or above them
 * if it is inside out. */
static int inner_face(const PliRegions *regions, int side)
{
    return regions->surfaces[1 - side]->is_inside_out ? 1 - side : side;
}

static PliFace *face_at(const PliRegions *regions, const PliSegment *segment, int side, int which)
{
    const int inner = inner_face(regions, side);
    const int32_t face = segment->faces[side][which == 0 ? inner : 1 - inner];
    return (PliFace *)regions->faces.items + pli_same_face(regions, face);
}

int32_t pli_patch_at(const PliRegions *regions, const PliSegment *segment, int side, int which)
{
    return face_at(regions, segment, side, which)->patch;
}

static double length_of(const PliRegions *regions, const PliSegment *segment)
{
    double rooms[2][3], sum = 0;
    const double *p = pli_segment_end(regions, segment, 0, rooms[0]);
    const double *q = pli_segment_end(regions, segment, 1, rooms[1]);
    for (int k = 0; k < 3; k++)
        sum += (q[k] - p[k]) * (q[k] - p[k]);
    return sqrt(sum);
}

/* On which sides of segments faces are. */
static void mark_faces(PliRegions *regions)
{
    const PliSegment *segments = regions->segments.items;
    for (int64_t i = 0; i < regions->segments.count && !pli_is_self(regions); i++)
        for (int side = 0; side < 2; side++) {
            face_at(regions, &segments[i], side, 0)->is_inner = true;
            face_at(regions, &segments[i], side, 1)->is_outer = true;
        }
}

/* Is one of the two faces of a side on both sides of curves? */
static bool is_mixed(const PliRegions *regions, const PliSegment *segment, int side)
{
    const PliFace *inner = face_at(regions, segment, side, 0);
    const PliFace *outer = face_at(regions, segment, side, 1);
    return (inner->is_inner && inner->is_outer) || (outer->is_inner && outer->is_outer);
}

/* Is the other surface around a point beside a segment, on its inner side, 0, or the outer one, 1?
 * Just below its triangle, or above it. *is_known: there is such a point. */
static PliantResult look_beside(const PliRegions *regions, const PliSegment *segment, int side,
                                int which, bool *is_known, bool *is_inside)
{
    const PliSurface *other = regions->surfaces[1 - side];
    const PliCut *cut = (const PliCut *)regions->cuts.items + segment->cuts[1 - side];
    const bool is_below = (which == 0) != other->is_inside_out;
    double rooms[2][3], middle[3];
    float turned[9], point[3];
    PliWinding winding;
    const double *p = pli_segment_end(regions, segment, 0, rooms[0]);
    const double *q = pli_segment_end(regions, segment, 1, rooms[1]);
    for (int k = 0; k < 3; k++)
        middle[k] = (p[k] + q[k]) / 2;
    for (int i = 0; i < 3; i++)
        memcpy(turned + 3 * i, cut->corners + 3 * (is_below && i ? 3 - i : i), 3 * sizeof *turned);
    *is_known = pli_is_finite(turned, 9) && pli_find_front(turned, middle, point);
    *is_inside = false;
    if (!*is_known)
        return PLIANT_OK;
    PLI_TRY(other->wind(other->user, regions->scratch, point, -1, &winding));
    *is_inside = pli_winding_is_inside(&winding);
    return PLIANT_OK;
}

/* Counts the segments of each curve from 0 on. */
static PliantResult start_counts(PliRegions *regions)
{
    PliArray *counts = &regions->curve_regions;
    PLI_TRY(pli_array_reserve_spare(counts, regions->host, regions->curves.count));
    memset(counts->items, 0, (size_t)regions->curves.count * sizeof(int32_t));
    return PLIANT_OK;
}

static int32_t count_segment(PliRegions *regions, const PliSegment *segment)
{
    return ((int32_t *)regions->curve_regions.items)[segment->curve]++;
}

enum { LOOK_PERIOD = 16 };

/* Is the outer side of a segment to be visited too? If the surface is closed, where other shells
 * are around it. That is asked now and then. */
static PliantResult has_two_sides(PliRegions *regions, const PliSegment *segment, int side,
                                  int32_t count, bool *has_two)
{
    bool is_known;
    *has_two = !is_other_closed(regions, side) || is_mixed(regions, segment, side);
    return *has_two || pli_is_self(regions) || count % LOOK_PERIOD != 0
               ? PLIANT_OK
               : look_beside(regions, segment, side, 1, &is_known, has_two);
}

static PliantResult flood_sides(PliRegions *regions)
{
    PLI_TRY(start_counts(regions));
    for (int64_t i = 0; i < regions->segments.count; i++) {
        const PliSegment *segment = (const PliSegment *)regions->segments.items + i;
        const int32_t count = count_segment(regions, segment);
        for (int side = 0; side < 2; side++) {
            const int inner = inner_face(regions, side);
            bool has_two;
            PLI_TRY(has_two_sides(regions, segment, side, count, &has_two));
            PLI_TRY(flood(regions, segment->faces[side][inner]));
            if (has_two)
                PLI_TRY(flood(regions, segment->faces[side][1 - inner]));
        }
    }
    return PLIANT_OK;
}

static void add_lengths(PliRegions *regions)
{
    PliPatch *patches = regions->patches.items;
    const PliSegment *segments = regions->segments.items;
    for (int64_t i = 0; i < regions->segments.count; i++) {
        const double length = length_of(regions, &segments[i]);
        for (int side = 0; side < 2; side++) {
            const int32_t inner = pli_patch_at(regions, &segments[i], side, 0);
            const int32_t outer = pli_patch_at(regions, &segments[i], side, 1);
            if (inner >= 0)
                patches[inner].inside += length;
            if (outer >= 0)
                patches[outer].outside += length;
        }
    }
}

/* ---- Signs ------------------------------------------------------------------------------------
 */

/* The area of faces, as they are. */
static PliantResult add_face_areas(PliRegions *regions, PliPatch *patch)
{
    for (int64_t i = 0; i < patch->face_count; i++) {
        const int32_t face = ((const int32_t *)regions->patch_faces.items)[patch->first_face + i];
        const PliFace *faces = regions->faces.items;
        const PliCut *cuts = regions->cuts.items;
        PLI_TRY(pli_face_outline(regions, regions->scratch, face));
        patch->area += pli_outline_moments(regions->scratch, &cuts[faces[face].cut]).area;
    }
    return PLIANT_OK;
}

/* The area of whole triangles at rest, or as they are if they have no rest; and of faces. */
static PliantResult add_areas(PliRegions *regions, PliPatch *patch)
{
    const PliSurface *surface = regions->surfaces[patch->surface];
    const int32_t *wholes = pli_array_from(&regions->wholes, patch->first_whole);
    if (!surface->rest) {
        PLI_TRY(
            pli_array_reserve_spare(&regions->scratch->rows, regions->host, patch->whole_count));
        if (patch->whole_count > 0)
            PLI_TRY(surface->fetch(surface->user, regions->scratch, wholes, patch->whole_count,
                                   regions->scratch->rows.items));
    }
    for (int64_t i = 0; i < patch->whole_count; i++) {
        const float *corners[3], *row = (const float *)regions->scratch->rows.items + 9 * i;
        for (int k = 0; k < 3; k++)
            corners[k] = surface->rest
                             ? surface->rest + 3 * (size_t)pli_surface_vertex(surface, wholes[i], k)
                             : row + 3 * k;
        const double area = pli_triangle_area(corners[0], corners[1], corners[2]);
        patch->area += isfinite(area) ? area : 0;
    }
    return add_face_areas(regions, patch);
}

/* The patch that represents those that one is connected with, and whether it has the other sign. */
static int32_t find_sign(const PliRegions *regions, int32_t patch, int32_t *is_opposite)
{
    const PliPatch *patches = regions->patches.items;
    *is_opposite = 0;
    while (patches[patch].same != patch) {
        *is_opposite ^= patches[patch].is_opposite;
        patch = patches[patch].same;
    }
    return patch;
}

static void join_opposite(PliRegions *regions, int32_t a, int32_t b)
{
    PliPatch *patches = regions->patches.items;
    int32_t a_sign, b_sign;
    const int32_t first = find_sign(regions, a, &a_sign), second = find_sign(regions, b, &b_sign);
    if (first == second)
        return;
    const int32_t lower = first < second ? first : second;
    const int32_t higher = first < second ? second : first;
    patches[higher].same = lower;
    patches[higher].is_opposite = 1 ^ a_sign ^ b_sign;
}

/* Joins patches at curves with a surface that is not closed. */
static PliantResult join_signs(PliRegions *regions)
{
    PliPatch *patches = regions->patches.items;
    const PliSegment *segments = regions->segments.items;
    for (int32_t i = 0; i < regions->patches.count; i++)
        if (!is_other_closed(regions, patches[i].surface))
            PLI_TRY(add_areas(regions, &patches[i]));
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int side = 0; side < 2; side++) {
            if (is_other_closed(regions, side))
                continue;
            const int32_t inner = pli_patch_at(regions, &segments[i], side, 0);
            const int32_t outer = pli_patch_at(regions, &segments[i], side, 1);
            if (inner != outer)
                join_opposite(regions, inner, outer);
        }
    return PLIANT_OK;
}

/* All patches that are connected, by their signs. */
typedef struct Signs {
    double areas[2], inside[2], within[2], beside[2];
    int64_t count;
} Signs;

static Signs add_signs(const PliRegions *regions, int32_t first)
{
    const PliPatch *patches = regions->patches.items;
    Signs signs = {0};
    int32_t sign;
    for (int32_t i = first; i < regions->patches.count; i++)
        if (find_sign(regions, i, &sign) == first) {
            signs.areas[sign] += patches[i].area;
            signs.inside[sign] += patches[i].inside - patches[i].outside;
            signs.within[sign] += patches[i].within;
            signs.beside[sign] += patches[i].beside;
            signs.count++;
        }
    return signs;
}

/* Which sign is wrong, and what is deep of it: see the top of this file. */
static int choose_sign(const Signs *signs, PliDeepness *deepness)
{
    enum { AROUND = 4 }; /* a garment goes around what has so many times the area */
    bool is_in[2];
    for (int i = 0; i < 2; i++)
        is_in[i] = 2 * signs->within[i] > signs->beside[i];
    *deepness = PLI_DEEP_NOWHERE;
    if (is_in[0] == is_in[1])
        return signs->areas[0] != signs->areas[1] ? signs->areas[0] > signs->areas[1]
                                                  : signs->inside[0] < signs->inside[1];
    const int in = is_in[1];
    const bool is_around = signs->areas[in] > AROUND * signs->areas[1 - in];
    *deepness = is_around ? PLI_DEEP_OUTSIDE : PLI_DEEP_INSIDE;
    return is_around ? 1 - in : in;
}

static PliantResult choose_signs(PliRegions *regions)
{
    PliPatch *patches = regions->patches.items;
    PLI_TRY(join_signs(regions));
    for (int32_t i = 0; i < regions->patches.count; i++) {
        PliDeepness deepness;
        int32_t sign;
        if (is_other_closed(regions, patches[i].surface) || patches[i].same != i)
            continue;
        const Signs signs = add_signs(regions, i);
        const int wrong = choose_sign(&signs, &deepness);
        for (int32_t j = i; j < regions->patches.count && signs.count > 1; j++)
            if (find_sign(regions, j, &sign) == i) {
                patches[j].is_wrong = sign == wrong;
                patches[j].deepness = deepness;
            }
    }
    return PLIANT_OK;
}

/* ---- Winding numbers --------------------------------------------------------------------------
 *
 * Where a closed body intersects itself, a patch can be inside of one curve and outside of another:
 * a hand in a chest that another hand goes through. It is wrong if the surface winds around it. One
 * point of it tells: a point just in front of it, since it is on the surface itself. The surface
 * counts crossings of a line, exactly. */

bool pli_find_front(const float *corners, const double at[3], float point[3])
{
    const PliMoments moments = pli_triangle_moments(corners);
    PliCounts counts = {0};
    double most = 0;
    int front = 0;
    for (int k = 0; k < 9; k++)
        most = fmax(most, fabs((double)corners[k]));
    /* First far away, where the sign of the front is seen, and then from few ulps on. */
    for (double step = -1; moments.area > 0 && step < most;
         step = step < 0 ? 0x1p-22 * most : 4 * step) {
        for (int k = 0; k < 3; k++)
            point[k] = (float)(at[k] + moments.normal[k] * (step < 0 ? 2 * most : step));
        if (!pli_is_finite(point, 3))
            return false;
        const int side = pli_orient3d(corners, corners + 3, corners + 6, point, &counts);
        if (step < 0)
            front = side;
        else if (side == front && side != 0)
            return true;
    }
    return false;
}

/* What is asked about a point of a triangle; false: nothing can be. */
static bool set_point(const PliRegions *regions, const float *corners, const double at[3],
                      float point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = (float)at[k];
    return pli_is_self(regions) ? pli_is_finite(corners, 9) && pli_find_front(corners, at, point)
                                : pli_is_finite(point, 3);
}

/* The middle of a whole triangle. */
static PliantResult find_in_whole(const PliRegions *regions, const PliPatch *patch, float point[3],
                                  bool *is_found)
{
    const PliSurface *surface = regions->surfaces[patch->surface];
    const int32_t *wholes = pli_array_from(&regions->wholes, patch->first_whole);
    float corners[9];
    PLI_TRY(surface->fetch(surface->user, regions->scratch, &wholes[patch->whole_count / 2], 1,
                           corners));
    *is_found = set_point(regions, corners, pli_triangle_moments(corners).centroid, point);
    return PLIANT_OK;
}

/* The middle of the largest triangle within a face. */
static PliantResult find_in_face(const PliRegions *regions, int32_t face, float point[3],
                                 bool *is_found)
{
    const PliFace *faces = regions->faces.items;
    const PliCut *cut = (const PliCut *)regions->cuts.items + faces[face].cut;
    double largest = 0, middle[3] = {0, 0, 0};
    bool is_divided;
    int u, v;
    pli_normal_axes(pli_triangle_moments(cut->corners).normal, &u, &v);
    PLI_TRY(pli_face_outline(regions, regions->scratch, face));
    PLI_TRY(pli_triangulate_outline(regions, regions->scratch, u, v, &is_divided));
    const double(*points)[3] = regions->scratch->outline.items;
    for (int64_t i = 0; i < regions->scratch->ears.count && is_divided; i += 3) {
        const int32_t *ear = (const int32_t *)regions->scratch->ears.items + i;
        const double *a = points[ear[0]], *b = points[ear[1]], *c = points[ear[2]];
        const double area = pli_doubled_area(a, b, c, u, v);
        if (!(area > largest))
            continue;
        largest = area;
        for (int k = 0; k < 3; k++)
            middle[k] = (a[k] + b[k] + c[k]) / 3;
    }
    *is_found = largest > 0 && set_point(regions, cut->corners, middle, point);
    return PLIANT_OK;
}

/* Is the surface that a patch intersects around a point? */
static PliantResult is_around(const PliRegions *regions, const PliPatch *patch, const float *point,
                              bool *is_inside)
{
    const PliSurface *other = regions->surfaces[1 - patch->surface];
    PliWinding winding;
    PLI_TRY(other->wind(other->user, regions->scratch, point, -1, &winding));
    *is_inside = pli_winding_is_inside(&winding);
    return PLIANT_OK;
}

/* Is a patch inside the rest of its own surface, which is closed? It stays as wrong as it is if no
 * point of it is found. */
static PliantResult choose_own(PliRegions *regions, PliPatch *patch)
{
    const PliSurface *surface = regions->surfaces[0];
    const int32_t *faces = pli_array_from(&regions->patch_faces, patch->first_face);
    float point[3];
    bool is_found = false;
    PliWinding winding;
    if (patch->whole_count > 0)
        PLI_TRY(find_in_whole(regions, patch, point, &is_found));
    for (int64_t i = 0; i < patch->face_count && !is_found; i++)
        PLI_TRY(find_in_face(regions, faces[i], point, &is_found));
    if (!is_found)
        return PLIANT_OK;
    PLI_TRY(surface->wind(surface->user, regions->scratch, point, -1, &winding));
    patch->is_wrong = pli_winding_is_inside(&winding);
    patch->is_pocket = winding.nearest < 0;
    return PLIANT_OK;
}

/* ---- Along curves ----------------------------------------------------------------------------
 *
 * On which side of an open surface is a patch? At the middle of a segment, the winding number of
 * the surface just below its triangle tells of the patch on the inner side, and the one just above
 * of that on the outer side. Not all segments of a long curve are asked. */

static PliantResult add_look(PliRegions *regions, const PliSegment *segment, int side, int which)
{
    const double length = length_of(regions, segment);
    bool is_known, is_inside;
    PLI_TRY(look_beside(regions, segment, side, which, &is_known, &is_inside));
    PliPatch *patch =
        (PliPatch *)regions->patches.items + pli_patch_at(regions, segment, side, which);
    patch->beside += is_known ? length : 0;
    patch->within += is_inside ? length : 0;
    return PLIANT_OK;
}

static PliantResult look_along_curves(PliRegions *regions)
{
    enum { FIRST = 16 };
    PLI_TRY(start_counts(regions));
    for (int64_t i = 0; i < regions->segments.count && !pli_is_self(regions); i++) {
        const PliSegment *segment = (const PliSegment *)regions->segments.items + i;
        const int32_t count = count_segment(regions, segment);
        if (count >= FIRST && count % LOOK_PERIOD != 0)
            continue;
        for (int side = 0; side < 2; side++)
            for (int which = 0; which < 2 && !is_other_closed(regions, side); which++)
                PLI_TRY(add_look(regions, segment, side, which));
    }
    return PLIANT_OK;
}

/* ---- Pieces of a patch -----------------------------------------------------------------------
 *
 * The other surface is closed, and is several shells that overlap. A curve with one shell that is
 * within another is no border: on both sides of it one is inside. So whole triangles of a patch are
 * taken by pieces that are connected by edges, and one point tells of all: no segment crosses them,
 * so the number of turns around them is the same. Each face of a cut triangle is asked for itself,
 * unless it is on the inner side of a segment. */

/* States of triangles that are known; of others it is -1 - patch. */
enum { IS_WRONG = INT32_MIN, IS_RIGHT };

/* Lists the whole triangles of a patch that are connected with one: from `begin` on in
 * scratch->waiting. They are IS_RIGHT from then on. */
static PliantResult list_piece(PliRegions *regions, const PliPatch *patch, int32_t state,
                               int32_t first)
{
    PliArray *piece = &regions->scratch->waiting;
    const PliFeatures *features = regions->surfaces[patch->surface]->features;
    int32_t *states = regions->states[patch->surface].items;
    piece->count = 0;
    states[first] = IS_RIGHT;
    PLI_TRY(push(regions, piece, first));
    for (int64_t i = 0; i < piece->count && features; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t edge =
                features->triangle_edges[3 * ((const int32_t *)piece->items)[i] + k];
            for (int32_t s = edge < 0 ? 0 : features->edge_firsts[edge];
                 s < (edge < 0 ? 0 : features->edge_firsts[edge + 1]); s++) {
                const int32_t next = features->edge_sides[s] / 3;
                if (states[next] != state)
                    continue;
                states[next] = IS_RIGHT;
                PLI_TRY(push(regions, piece, next));
            }
        }
    return PLIANT_OK;
}

/* Is the middle of the first triangle of a piece inside the other surface? */
static PliantResult is_piece_inside(PliRegions *regions, const PliPatch *patch, bool *is_inside)
{
    const PliSurface *surface = regions->surfaces[patch->surface];
    const int32_t *piece = regions->scratch->waiting.items;
    float corners[9], point[3];
    *is_inside = false;
    PLI_TRY(surface->fetch(surface->user, regions->scratch, piece, 1, corners));
    const PliMoments moments = pli_triangle_moments(corners);
    for (int k = 0; k < 3; k++)
        point[k] = (float)moments.centroid[k];
    return pli_is_finite(point, 3) ? is_around(regions, patch, point, is_inside) : PLIANT_OK;
}

/* Which whole triangles of a patch are wrong: IS_WRONG and IS_RIGHT. */
static PliantResult divide_wholes(PliRegions *regions, int32_t number)
{
    const PliPatch *patch = (const PliPatch *)regions->patches.items + number;
    int32_t *states = regions->states[patch->surface].items;
    const int32_t *wholes = pli_array_from(&regions->wholes, patch->first_whole);
    for (int64_t i = 0; i < patch->whole_count; i++) {
        bool is_inside;
        if (states[wholes[i]] != -1 - number)
            continue;
        PLI_TRY(list_piece(regions, patch, -1 - number, wholes[i]));
        PLI_TRY(is_piece_inside(regions, patch, &is_inside));
        const int32_t *piece = regions->scratch->waiting.items;
        for (int64_t j = 0; j < regions->scratch->waiting.count && is_inside; j++)
            states[piece[j]] = IS_WRONG;
    }
    return PLIANT_OK;
}

/* Takes the wrong faces out of a patch: those on the inner side of a segment, or within another
 * shell. Where curves cross in a triangle, a face may have no middle: it is taken for wrong, since
 * each of its points is asked before it has a depth. */
static PliantResult divide_faces(PliRegions *regions, int32_t number)
{
    const PliPatch *patch = (const PliPatch *)regions->patches.items + number;
    PliFace *faces = regions->faces.items;
    for (int64_t i = 0; i < patch->face_count; i++) {
        const int32_t face = ((const int32_t *)regions->patch_faces.items)[patch->first_face + i];
        bool is_wrong = faces[face].is_inner, is_found = false;
        float point[3];
        if (!is_wrong)
            PLI_TRY(find_in_face(regions, face, point, &is_found));
        if (is_found)
            PLI_TRY(is_around(regions, patch, point, &is_wrong));
        else
            is_wrong = true;
        faces[face].patch = is_wrong ? -1 : number;
    }
    return PLIANT_OK;
}

/* Fills new patches with what is wrong, each with what is connected. */
static PliantResult flood_wrong(PliRegions *regions, int32_t number)
{
    const PliPatch old = ((const PliPatch *)regions->patches.items)[number];
    int32_t *states = regions->states[old.surface].items;
    const int64_t first_new = regions->patches.count;
    for (int64_t i = 0; i < old.whole_count; i++) {
        const int32_t whole = ((const int32_t *)regions->wholes.items)[old.first_whole + i];
        states[whole] = states[whole] == IS_WRONG ? 0 : -1 - number;
    }
    for (int64_t i = 0; i < old.face_count; i++)
        PLI_TRY(flood(regions, ((const int32_t *)regions->patch_faces.items)[old.first_face + i]));
    for (int64_t i = 0; i < old.whole_count; i++) {
        const int32_t whole = ((const int32_t *)regions->wholes.items)[old.first_whole + i];
        if (states[whole] != 0)
            continue;
        PLI_TRY(add_patch(regions, old.surface));
        PLI_TRY(reach_whole(regions, old.surface, whole, (int32_t)regions->patches.count - 1));
        PLI_TRY(fill_patch(regions));
    }
    for (int64_t i = first_new; i < regions->patches.count; i++)
        ((PliPatch *)regions->patches.items)[i].is_wrong = true;
    return PLIANT_OK;
}

static PliantResult divide_patch(PliRegions *regions, int32_t number)
{
    ((PliPatch *)regions->patches.items)[number].is_wrong = false;
    PLI_TRY(divide_wholes(regions, number));
    PLI_TRY(divide_faces(regions, number));
    return flood_wrong(regions, number);
}

/* ---- Pockets -------------------------------------------------------------------------------- */

/* Visits what is opposite of inner sides, among the first patches, that nothing is around. */
static PliantResult flood_opposites(PliRegions *regions, int64_t patch_count)
{
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int side = 0; side < 2; side++) {
            const PliSegment *segment = (const PliSegment *)regions->segments.items + i;
            const int32_t inner = pli_patch_at(regions, segment, side, 0);
            if (inner < patch_count && !((const PliPatch *)regions->patches.items)[inner].is_wrong)
                PLI_TRY(flood(regions, segment->faces[side][1 - side]));
        }
    return PLIANT_OK;
}

/* Of a closed surface that intersects itself: where nothing is around what is on the inner side,
 * what is on the other side may be turned inside out. */
static PliantResult find_pockets(PliRegions *regions)
{
    const int64_t count = regions->patches.count;
    if (!pli_is_self(regions) || !regions->surfaces[0]->is_closed)
        return PLIANT_OK;
    PLI_TRY(flood_opposites(regions, count));
    for (int64_t i = count; i < regions->patches.count; i++) {
        PliPatch *patch = (PliPatch *)regions->patches.items + i;
        patch->is_wrong = true;
        PLI_TRY(choose_own(regions, patch));
    }
    return PLIANT_OK;
}

/* Is a patch wrong that a closed surface cuts off? */
static PliantResult choose_patch(PliRegions *regions, int32_t number)
{
    PliPatch *patch = (PliPatch *)regions->patches.items + number;
    patch->is_wrong = patch->inside > patch->outside;
    if (pli_is_self(regions))
        return choose_own(regions, patch);
    return patch->outside > 0 ? divide_patch(regions, number) : PLIANT_OK;
}

PliantResult pli_find_patches(PliRegions *regions)
{
    mark_faces(regions);
    PLI_TRY(flood_sides(regions));
    add_lengths(regions);
    const int32_t count = (int32_t)regions->patches.count;
    for (int32_t i = 0; i < count; i++)
        if (is_other_closed(regions, ((const PliPatch *)regions->patches.items)[i].surface))
            PLI_TRY(choose_patch(regions, i));
    PLI_TRY(find_pockets(regions));
    PLI_TRY(look_along_curves(regions));
    return choose_signs(regions);
}
