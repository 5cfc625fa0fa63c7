/* Which patches are wrong where the other surface is open.
 *
 * Each curve has a patch on either side. Patches on opposite sides of a curve get opposite signs.
 * Winding numbers along the curves tell on which side most of each is: so far as the other surface
 * has an inside at all.
 *
 *     patches with one sign are inside, the others outside   those inside are wrong
 *     the same, but those inside are by far the larger       those outside are wrong: they poke out
 *     otherwise                                              the smaller ones are wrong, without a
 *                                                            depth
 *
 * Within one body it is not lengths along curves that tell, but some points of each patch: whether
 * the body is around both of its sides. And no body is a garment of its own.
 *
 * The second is a body in a garment. The third is two sheets (Baraff, Witkin and Kass, "Untangling
 * cloth", 2003). */
#include "regions/signs.h"
#include "regions/outline.h"
#include "regions/sides.h"

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

/* The patch that represents those that one is connected with, and whether it has the other sign.
 * Ways to it become shorter as they are gone. */
static int32_t find_sign(const PliRegions *regions, int32_t patch, int32_t *is_opposite)
{
    PliPatch *patches = regions->patches.items;
    *is_opposite = 0;
    while (patches[patch].same != patch) {
        const PliPatch *next = &patches[patches[patch].same];
        if (next->same != patches[patch].same) {
            patches[patch].is_opposite ^= next->is_opposite;
            patches[patch].same = next->same;
        }
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
    PLI_TRY(pli_array_reserve_spare(&regions->signs, regions->host, regions->patches.count));
    for (int64_t i = 0; i < regions->patches.count; i++)
        ((PliPatchSigns *)regions->signs.items)[i] = (PliPatchSigns){0};
    const PliSegment *segments = regions->segments.items;
    for (int32_t i = 0; i < regions->patches.count; i++)
        if (!pli_is_other_closed(regions, patches[i].surface))
            PLI_TRY(add_areas(regions, &patches[i]));
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int side = 0; side < 2; side++) {
            if (pli_is_other_closed(regions, side))
                continue;
            const int32_t inner = pli_patch_at(regions, &segments[i], side, 0);
            const int32_t outer = pli_patch_at(regions, &segments[i], side, 1);
            if (inner != outer)
                join_opposite(regions, inner, outer);
        }
    return PLIANT_OK;
}

/* ---- Along curves ----------------------------------------------------------------------------
 *
 * On which side of an open surface is a patch? At the middle of a segment, the winding number of
 * the surface just below its triangle tells of the patch on the inner side, and the one just above
 * of that on the outer side. Not all segments of a long curve are asked.
 *
 * A winding number takes a visit of each edge of the boundary. A soup of triangles has as many of
 * these as curves: then so many segments are left out that the visits are linear in segments.
 * Patches that are connected vote together, so segments are left out evenly of those at each. Where
 * few would be left, none is asked, and nothing is known: the answer would be a matter of chance.
 */

static PliantResult add_look(PliRegions *regions, const PliSegment *segment, int side, int which)
{
    const double length = pli_segment_length(regions, segment);
    bool is_known, is_inside;
    PLI_TRY(pli_look_beside(regions, segment, side, which, &is_known, &is_inside));
    PliPatch *patch =
        (PliPatch *)regions->patches.items + pli_patch_at(regions, segment, side, which);
    patch->beside += is_known ? length : 0;
    patch->within += is_inside ? length : 0;
    return PLIANT_OK;
}

enum { FIRST = 16, LEAST_VISITS = 1 << 22, VISITS_PER_SEGMENT = 64, LEAST_ASKED = 16 };

/* May a side of a segment be asked? `count` segments of its curve came before. */
static bool may_ask(const PliRegions *regions, int side, int32_t count)
{
    return !pli_is_other_closed(regions, side) && (count < FIRST || count % PLI_LOOK_PERIOD == 0);
}

/* Sums over the patches that are connected with that on the inner side of a segment. */
static PliPatchSigns *signs_at(const PliRegions *regions, const PliSegment *segment, int side)
{
    int32_t sign;
    const int32_t first = find_sign(regions, pli_patch_at(regions, segment, side, 0), &sign);
    return (PliPatchSigns *)regions->signs.items + first;
}

/* Counts the sides that may be asked. Of those at patches that are connected, one in so many is. */
static PliantResult count_sides(PliRegions *regions, int64_t *stride)
{
    const double most = fmax(LEAST_VISITS, VISITS_PER_SEGMENT * (double)regions->segments.count);
    double visits = 0;
    PLI_TRY(pli_start_counts(regions));
    for (int64_t i = 0; i < regions->segments.count; i++) {
        const PliSegment *segment = (const PliSegment *)regions->segments.items + i;
        const int32_t count = pli_count_segment(regions, segment);
        for (int side = 0; side < 2; side++)
            if (may_ask(regions, side, count)) {
                signs_at(regions, segment, side)->side_count++;
                visits += 2 * (double)regions->surfaces[1 - side]->boundary_count;
            }
    }
    *stride = visits > most ? (int64_t)ceil(visits / most) : 1;
    return PLIANT_OK;
}

static PliantResult look_along_curves(PliRegions *regions)
{
    int64_t stride;
    if (pli_is_self(regions))
        return PLIANT_OK;
    PLI_TRY(count_sides(regions, &stride));
    PLI_TRY(pli_start_counts(regions));
    for (int64_t i = 0; i < regions->segments.count; i++) {
        const PliSegment *segment = (const PliSegment *)regions->segments.items + i;
        const int32_t count = pli_count_segment(regions, segment);
        for (int side = 0; side < 2; side++) {
            if (!may_ask(regions, side, count))
                continue;
            PliPatchSigns *signs = signs_at(regions, segment, side);
            if ((stride > 1 && signs->side_count < LEAST_ASKED * stride) ||
                signs->met++ % stride != 0)
                continue;
            for (int which = 0; which < 2; which++)
                PLI_TRY(add_look(regions, segment, side, which));
        }
    }
    return PLIANT_OK;
}

/* ---- Choice --------------------------------------------------------------------------------- */

/* Adds up all patches that are connected, by their signs: in regions->signs, where the patch is
 * that represents them. */
static void add_signs(PliRegions *regions)
{
    const PliPatch *patches = regions->patches.items;
    const int64_t count = regions->patches.count;
    PliPatchSigns *all = regions->signs.items;
    for (int32_t i = 0; i < count; i++) {
        int32_t sign;
        const int32_t first = find_sign(regions, i, &sign); /* the lowest of them */
        PliPatchSigns *signs = &all[first];
        signs->areas[sign] += patches[i].area;
        signs->inside[sign] += patches[i].inside - patches[i].outside;
        signs->within[sign] += patches[i].within;
        signs->beside[sign] += patches[i].beside;
        signs->count++;
    }
}

/* Which sign is wrong, and what is deep of it: see the top of this file. */
static int choose_sign(const PliPatchSigns *signs, bool is_self, PliDeepness *deepness)
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
    const bool is_around = !is_self && signs->areas[in] > AROUND * signs->areas[1 - in];
    *deepness = is_around ? PLI_DEEP_OUTSIDE : PLI_DEEP_INSIDE;
    return is_around ? 1 - in : in;
}

PliantResult pli_choose_signs(PliRegions *regions)
{
    PliPatch *patches = regions->patches.items;
    PLI_TRY(join_signs(regions));
    PLI_TRY(look_along_curves(regions));
    add_signs(regions);
    for (int32_t i = 0; i < regions->patches.count; i++) {
        PliDeepness deepness;
        int32_t sign;
        const PliPatchSigns *signs =
            (const PliPatchSigns *)regions->signs.items + find_sign(regions, i, &sign);
        if (pli_is_other_closed(regions, patches[i].surface) || signs->count == 1)
            continue;
        patches[i].is_wrong = sign == choose_sign(signs, pli_is_self(regions), &deepness);
        patches[i].deepness = deepness;
    }
    return PLIANT_OK;
}
