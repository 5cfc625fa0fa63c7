/* Patches of surfaces between curves, and which of them are on the wrong side: see regions.h.
 *
 * Where the other surface is closed, what is inside of it is wrong, and only the inner sides of
 * curves are visited. If the other surface is several shells that overlap, one patch can be on the
 * inner side of one curve and on the outer side of another. Then the patch is divided: each piece
 * of it that is connected is asked for itself, and those inside are patches of their own. Within
 * one body each patch is asked. A piece that is turned inside out is on the outer side of its
 * curves: if the surface is not around what is on the inner side, what is opposite is asked too,
 * and may be a pocket. Where the other
 * surface is open, signs.c decides. */
#include "regions/patches.h"
#include "regions/faces.h"
#include "regions/floods.h"
#include "regions/outline.h"
#include "regions/sides.h"
#include "regions/signs.h"

#include <string.h>

/* Is the outer side of a segment to be visited too? If the other surface is closed, only where
 * another of its shells is around that side. Along a curve this changes only where another curve
 * crosses it, and there faces are mixed. So the first segment of a curve would be enough. */
static PliantResult has_two_sides(PliRegions *regions, const PliSegment *segment, int side,
                                  int32_t count, bool *has_two)
{
    bool is_known;
    *has_two = !pli_is_other_closed(regions, side) || pli_is_mixed_side(regions, segment, side);
    return *has_two || pli_is_self(regions) || count % PLI_LOOK_PERIOD != 0
               ? PLIANT_OK
               : pli_look_beside(regions, segment, side, 1, &is_known, has_two);
}

static PliantResult flood_sides(PliRegions *regions)
{
    PLI_TRY(pli_start_counts(regions));
    for (int64_t i = 0; i < regions->segments.count; i++) {
        const PliSegment *segment = (const PliSegment *)regions->segments.items + i;
        const int32_t count = pli_count_segment(regions, segment);
        for (int side = 0; side < 2; side++) {
            const int inner = pli_inner_face(regions, side);
            bool has_two;
            PLI_TRY(has_two_sides(regions, segment, side, count, &has_two));
            PLI_TRY(pli_flood(regions, segment->faces[side][inner]));
            if (has_two)
                PLI_TRY(pli_flood(regions, segment->faces[side][1 - inner]));
        }
    }
    return PLIANT_OK;
}

static void add_lengths(PliRegions *regions)
{
    PliPatch *patches = regions->patches.items;
    const PliSegment *segments = regions->segments.items;
    for (int64_t i = 0; i < regions->segments.count; i++) {
        const double length = pli_segment_length(regions, &segments[i]);
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

/* ---- Winding numbers --------------------------------------------------------------------------
 *
 * Where a closed body intersects itself, a patch can be inside of one curve and outside of another:
 * a hand in a chest that another hand goes through. It is wrong if the surface winds around it. One
 * point of it tells: a point just in front of it, since it is on the surface itself. The surface
 * counts crossings of a line, exactly. */

/* What is asked about a point of a triangle; false: nothing can be. */
static bool set_point(const PliRegions *regions, const float *corners, const double at[3],
                      float point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = (float)at[k];
    return pli_is_self(regions)
               ? pli_is_finite(corners, 9) && pli_find_beside(corners, false, at, point)
               : pli_is_finite(point, 3);
}

/* The middle of a whole triangle. */
static PliantResult find_in_whole(const PliRegions *regions, const PliPatch *patch, int64_t number,
                                  float point[3], bool *is_found)
{
    const PliSurface *surface = regions->surfaces[patch->surface];
    const int32_t *wholes = pli_array_from(&regions->wholes, patch->first_whole);
    float corners[9];
    PLI_TRY(surface->fetch(surface->user, regions->scratch, &wholes[number], 1, corners));
    *is_found = set_point(regions, corners, pli_triangle_moments(corners).centroid, point);
    return PLIANT_OK;
}

/* How far the middle of a triangle is from its edges, times three, at least. */
static double least_height(const double *const corners[3], double doubled_area, int u, int v)
{
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        const double *p = corners[i], *q = corners[(i + 1) % 3];
        longest = fmax(longest, (q[u] - p[u]) * (q[u] - p[u]) + (q[v] - p[v]) * (q[v] - p[v]));
    }
    return doubled_area / sqrt(longest);
}

/* Is a point at the middle of a face, of which that is the height? A face may be thinner than
 * floats are apart. What cuts it off may go on over it, by one in 85 or more. */
static bool is_at(const float point[3], const double middle[3], double height)
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (point[k] - middle[k]) * (point[k] - middle[k]);
    return height * height > 0x1p16 * square;
}

/* The middle of the largest triangle within a face. */
static PliantResult find_in_face(const PliRegions *regions, int32_t face, float point[3],
                                 bool *is_found)
{
    const PliFace *faces = regions->faces.items;
    const PliCut *cut = (const PliCut *)regions->cuts.items + faces[face].cut;
    double largest = 0, height = 0, middle[3] = {0, 0, 0};
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
        height = least_height((const double *const[3]){a, b, c}, area, u, v);
        for (int k = 0; k < 3; k++)
            middle[k] = (a[k] + b[k] + c[k]) / 3;
    }
    *is_found = largest > 0 && set_point(regions, cut->corners, middle, point) &&
                is_at(point, middle, height);
    return PLIANT_OK;
}

/* Is the surface that a patch intersects around a point? */
static PliantResult is_around(const PliRegions *regions, const PliPatch *patch, const float *point,
                              bool *is_inside)
{
    const PliSurface *other = regions->surfaces[1 - patch->surface];
    return other->is_inside(other->user, regions->scratch, point, -1, is_inside);
}

/* The winding number in front of a patch, at its whole triangle or face of a number. */
static PliantResult wind_own(PliRegions *regions, const PliPatch *patch, int64_t number,
                             PliWinding *winding, bool *is_found)
{
    const PliSurface *surface = regions->surfaces[0];
    const int32_t *faces = pli_array_from(&regions->patch_faces, patch->first_face);
    float point[3];
    PLI_TRY(number < patch->whole_count
                ? find_in_whole(regions, patch, number, point, is_found)
                : find_in_face(regions, faces[number - patch->whole_count], point, is_found));
    return *is_found ? surface->wind(surface->user, regions->scratch, point, winding) : PLIANT_OK;
}

/* Is a patch inside the rest of its own surface, which is closed? It stays as wrong as it is if no
 * point of it is found. */
static PliantResult choose_own(PliRegions *regions, PliPatch *patch)
{
    bool is_found = false;
    PliWinding winding;
    if (patch->whole_count > 0)
        PLI_TRY(wind_own(regions, patch, patch->whole_count / 2, &winding, &is_found));
    for (int64_t i = 0; i < patch->face_count && !is_found; i++)
        PLI_TRY(wind_own(regions, patch, patch->whole_count + i, &winding, &is_found));
    if (!is_found)
        return PLIANT_OK;
    patch->is_wrong = pli_winding_is_inside(&winding);
    patch->is_pocket = winding.nearest < 0;
    return PLIANT_OK;
}

/* Of each patch of an open surface, so many points are looked at; but none if this takes too long,
 * as of a thousand leaves that are one body. */
enum { POINTS = 16, MAX_VISITS = 1 << 27 };

static bool is_looked_at(const PliRegions *regions)
{
    return pli_is_self(regions) && !regions->surfaces[0]->is_closed &&
           (double)regions->patches.count * (double)regions->surfaces[0]->boundary_count <=
               (double)MAX_VISITS / POINTS;
}

/* At how many of some points is a patch of an open surface inside the rest of it? Behind the patch
 * the winding number is one more than in front of it. The answer weighs as much as the curves at
 * the patch: see signs.c. */
static PliantResult find_within(PliRegions *regions, PliPatch *patch)
{
    const int64_t count = patch->whole_count + patch->face_count;
    const int64_t step = count > POINTS ? count / POINTS : 1;
    int64_t looked = 0, within = 0;
    for (int64_t i = step / 2; i < count; i += step) {
        PliWinding winding;
        bool is_found;
        PLI_TRY(wind_own(regions, patch, i, &winding, &is_found));
        looked += is_found;
        within += is_found && pli_winding_is_inside(&winding) &&
                  fabs(pli_winding_number(&winding) + 1) >= 0.5;
    }
    patch->is_within = within > 0;
    patch->beside = patch->inside + patch->outside;
    patch->within = looked > 0 ? patch->beside * (double)within / (double)looked : 0;
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

/* Lists the whole triangles of a patch that are connected with one, in scratch->waiting. They are
 * IS_RIGHT from then on. */
static PliantResult list_piece(PliRegions *regions, const PliPatch *patch, int32_t state,
                               int32_t first)
{
    PliArray *piece = &regions->scratch->waiting;
    const PliFeatures *features = regions->surfaces[patch->surface]->features;
    int32_t *states = regions->states[patch->surface].items;
    piece->count = 0;
    states[first] = IS_RIGHT;
    PLI_TRY(pli_push_number(regions, piece, first));
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
                PLI_TRY(pli_push_number(regions, piece, next));
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
        PLI_TRY(
            pli_flood(regions, ((const int32_t *)regions->patch_faces.items)[old.first_face + i]));
    for (int64_t i = 0; i < old.whole_count; i++) {
        const int32_t whole = ((const int32_t *)regions->wholes.items)[old.first_whole + i];
        if (states[whole] != 0)
            continue;
        PLI_TRY(pli_add_patch(regions, old.surface));
        PLI_TRY(pli_reach_whole(regions, old.surface, whole, (int32_t)regions->patches.count - 1));
        PLI_TRY(pli_fill_patch(regions));
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
                PLI_TRY(pli_flood(regions, segment->faces[side][1 - side]));
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
    pli_mark_faces(regions);
    PLI_TRY(flood_sides(regions));
    add_lengths(regions);
    const int32_t count = (int32_t)regions->patches.count;
    for (int32_t i = 0; i < count; i++)
        if (pli_is_other_closed(regions, ((const PliPatch *)regions->patches.items)[i].surface))
            PLI_TRY(choose_patch(regions, i));
    PLI_TRY(find_pockets(regions));
    for (int64_t i = 0; i < regions->patches.count && is_looked_at(regions); i++)
        PLI_TRY(find_within(regions, (PliPatch *)regions->patches.items + i));
    return pli_choose_signs(regions);
}
