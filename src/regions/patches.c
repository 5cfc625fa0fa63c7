/* Patches of surfaces between curves, and which of them are on the wrong side: see regions.h.
 *
 * Where the other surface is closed, the inner side of a curve is the wrong one, and only what is
 * there is visited. A closed surface that intersects itself may also turn a piece of itself inside
 * out: then everything but that pocket is on the inner side, and the pocket is wrong. Else each
 * curve has a patch on either side. Patches on opposite sides of a curve get opposite signs, and of
 * all patches that are connected in this way those with the sign that has the smaller area are the
 * wrong ones (Baraff, Witkin and Kass, "Untangling cloth", 2003). */
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

/* The patch that a face is in. */
static PliantResult flood(PliRegions *regions, int32_t face)
{
    const PliFace *faces = regions->faces.items;
    face = pli_same_face(regions, face);
    if (faces[face].patch >= 0)
        return PLIANT_OK;
    const int surface = ((const PliCut *)regions->cuts.items)[faces[face].cut].surface;
    const int32_t number = (int32_t)regions->patches.count;
    const PliPatch empty = {.surface = surface,
                            .first_whole = regions->wholes.count,
                            .first_face = regions->patch_faces.count,
                            .same = number,
                            .curve = -1,
                            .region = -1,
                            .part = -1};
    PLI_TRY(pli_append(&regions->patches, regions->host, &empty));
    regions->scratch->waiting.count = 0;
    PLI_TRY(reach_face(regions, face, number));
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

int32_t pli_patch_at(const PliRegions *regions, const PliSegment *segment, int side, int which)
{
    const PliFace *faces = regions->faces.items;
    const int inner = inner_face(regions, side);
    const int32_t face = segment->faces[side][which == 0 ? inner : 1 - inner];
    return faces[pli_same_face(regions, face)].patch;
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

static PliantResult flood_sides(PliRegions *regions)
{
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int side = 0; side < 2; side++) {
            const PliSegment *segment = (const PliSegment *)regions->segments.items + i;
            const bool is_closed = is_other_closed(regions, side);
            const int inner = inner_face(regions, side);
            PLI_TRY(flood(regions, segment->faces[side][inner]));
            if (!is_closed)
                PLI_TRY(flood(regions, segment->faces[side][1 - inner]));
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

/* ---- The smaller side ----------------------------------------------------------------------- */

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

/* Patches at curves with a surface that is not closed. */
static PliantResult choose_smaller(PliRegions *regions)
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
    for (int32_t i = 0; i < regions->patches.count; i++) {
        double sums[2] = {0, 0}, inside[2] = {0, 0};
        int32_t sign;
        if (is_other_closed(regions, patches[i].surface) || patches[i].same != i)
            continue;
        int64_t count = 0;
        for (int32_t j = i; j < regions->patches.count; j++)
            if (find_sign(regions, j, &sign) == i) {
                sums[sign] += patches[j].area;
                inside[sign] += patches[j].inside - patches[j].outside;
                count++;
            }
        const int wrong = sums[0] != sums[1] ? sums[0] > sums[1] : inside[0] < inside[1];
        for (int32_t j = i; j < regions->patches.count && count > 1; j++)
            if (find_sign(regions, j, &sign) == i)
                patches[j].is_wrong = sign == wrong;
    }
    return PLIANT_OK;
}

/* ---- Winding numbers --------------------------------------------------------------------------
 *
 * Where a closed body intersects itself, a patch can be inside of one curve and outside of another:
 * a hand in a chest that another hand goes through. One point of the patch decides: it is inside
 * the other surface if that winds around it. Within one body it is inside the rest of its own
 * surface if a point just in front of it is not outside. The surface counts crossings of a line,
 * exactly. */

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

/* Is a patch inside the other surface, or the rest of its own, which is closed? *is_inside stays as
 * it is if no point of the patch is found. */
static PliantResult is_wound(PliRegions *regions, const PliPatch *patch, bool *is_inside)
{
    const PliSurface *other = regions->surfaces[1 - patch->surface];
    const int32_t *faces = pli_array_from(&regions->patch_faces, patch->first_face);
    float point[3];
    bool is_found = false;
    if (patch->whole_count > 0)
        PLI_TRY(find_in_whole(regions, patch, point, &is_found));
    for (int64_t i = 0; i < patch->face_count && !is_found; i++)
        PLI_TRY(find_in_face(regions, faces[i], point, &is_found));
    PliWinding winding;
    if (!is_found)
        return PLIANT_OK;
    PLI_TRY(other->wind(other->user, regions->scratch, point, &winding));
    *is_inside = pli_winding_is_inside(&winding);
    return PLIANT_OK;
}

/* ---- Pockets -------------------------------------------------------------------------------- */

/* Has a patch more than half of a closed surface that intersects itself? Its winding
 * number, which all triangles take part in, then costs about what the patch did. */
static bool is_most(const PliRegions *regions, const PliPatch *patch)
{
    const PliSurface *surface = regions->surfaces[patch->surface];
    return pli_is_self(regions) && surface->is_closed &&
           2 * patch->whole_count > surface->triangle_count;
}

/* Visits what is opposite of inner sides, among the first patches, that nothing is around. */
static PliantResult flood_opposites(PliRegions *regions, int64_t patch_count)
{
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int side = 0; side < 2; side++) {
            const PliSegment *segment = (const PliSegment *)regions->segments.items + i;
            const int32_t inner = pli_patch_at(regions, segment, side, 0);
            const PliPatch *patches = regions->patches.items;
            if (inner < patch_count && is_most(regions, &patches[inner]) &&
                !patches[inner].is_wrong)
                PLI_TRY(flood(regions, segment->faces[side][1 - side]));
        }
    return PLIANT_OK;
}

/* Of a closed surface that intersects itself: where most of it is on the inner side, and nothing is
 * around that, what is on the other side is turned inside out. */
static PliantResult find_pockets(PliRegions *regions)
{
    const int64_t count = regions->patches.count;
    bool is_any = false;
    for (int64_t i = 0; i < count; i++) {
        PliPatch *patch = (PliPatch *)regions->patches.items + i;
        if (!patch->is_wrong || !is_most(regions, patch))
            continue;
        PLI_TRY(is_wound(regions, patch, &patch->is_wrong));
        is_any |= !patch->is_wrong;
    }
    if (!is_any)
        return PLIANT_OK;
    PLI_TRY(flood_opposites(regions, count));
    for (int64_t i = count; i < regions->patches.count; i++) {
        PliPatch *patch = (PliPatch *)regions->patches.items + i;
        patch->is_wrong = true;
        PLI_TRY(is_wound(regions, patch, &patch->is_wrong));
    }
    return PLIANT_OK;
}

PliantResult pli_find_patches(PliRegions *regions)
{
    PLI_TRY(flood_sides(regions));
    add_lengths(regions);
    PliPatch *patches = regions->patches.items;
    for (int64_t i = 0; i < regions->patches.count; i++) {
        if (!is_other_closed(regions, patches[i].surface))
            continue;
        patches[i].is_wrong = patches[i].inside > patches[i].outside;
        if (patches[i].inside > 0 && patches[i].outside > 0)
            PLI_TRY(is_wound(regions, &patches[i], &patches[i].is_wrong));
    }
    PLI_TRY(find_pockets(regions));
    return choose_smaller(regions);
}
