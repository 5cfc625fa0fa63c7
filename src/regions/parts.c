/* Regions: curves that bound common patches, and what the parts of each are: see regions.h. */
#include "regions/depth.h"
#include "regions/faces.h"
#include "regions/outline.h"
#include "regions/patches.h"
#include "regions/samples.h"
#include "regions/sheets.h"

#include <string.h>

/* ---- Which curves are in one region --------------------------------------------------------- */

/* Curves are counted from the first of these surfaces. Ways to the first curve of a region become
 * shorter as they are gone. */
static int32_t find_curve(const PliRegions *regions, int32_t curve)
{
    int32_t *same = regions->curve_regions.items;
    while (same[curve] != curve) {
        same[curve] = same[same[curve]];
        curve = same[curve];
    }
    return curve;
}

static void join(PliRegions *regions, int32_t a, int32_t b)
{
    int32_t *same = regions->curve_regions.items;
    a = find_curve(regions, a);
    b = find_curve(regions, b);
    same[a < b ? b : a] = a < b ? a : b;
}

/* The patch at one of the two faces of a side of a segment, if it is wrong; else -1. Within one
 * body both can be. */
static int32_t wrong_patch(const PliRegions *regions, const PliSegment *segment, int side,
                           int which)
{
    const PliFace *faces = regions->faces.items;
    const PliPatch *patches = regions->patches.items;
    const int32_t patch = faces[pli_same_face(regions, segment->faces[side][which])].patch;
    return patch >= 0 && patches[patch].is_wrong ? patch : -1;
}

static void join_curves(PliRegions *regions, int64_t first_curve)
{
    const PliSegment *segments = regions->segments.items;
    PliPatch *patches = regions->patches.items;
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t patch = wrong_patch(regions, &segments[i], k / 2, k % 2);
            const int32_t curve = segments[i].curve - (int32_t)first_curve;
            if (patch < 0)
                continue;
            if (patches[patch].curve < 0)
                patches[patch].curve = curve;
            join(regions, patches[patch].curve, curve);
        }
}

/* Are all points of a curve the same? Then surfaces only touch there. */
static bool is_one_point(const PliRegions *regions, const PliantCurve *curve)
{
    const PliantCurvePoint *points =
        (const PliantCurvePoint *)regions->points.items + curve->first_point;
    for (int64_t i = 1; i < curve->point_count; i++)
        for (int k = 0; k < 3; k++)
            if (points[i].position[k] != points[0].position[k])
                return false;
    return true;
}

/* How many of sorted curves are those of the first one's region; 0 of `kept` are left if these are
 * points alone. */
static int64_t count_curves(const PliRegions *regions, const PliantCurve *curves,
                            const PliRanked *sorted, int64_t count, int64_t *kept)
{
    int64_t i = 0;
    for (*kept = 0; i < count && sorted[i].key == sorted[0].key; i++)
        *kept += !is_one_point(regions, &curves[sorted[i].item]);
    *kept = *kept > 0 ? i : 0;
    return i;
}

/* Curves by region, but for those of regions that are points. Their order within one stays; their
 * points stay where they are. */
static PliantResult make_regions(PliRegions *regions, int64_t first_curve)
{
    const int64_t curve_count = regions->curves.count - first_curve;
    const int64_t first_region = regions->regions.count;
    const PliantRegionPart nothing = {.deepest_triangle = -1, .closest_triangle = -1};
    PliArray *ranked = regions->ranked;
    void *room;
    for (int i = 0; i < 2; i++)
        PLI_TRY(pli_array_reserve_spare(&ranked[i], regions->host, curve_count));
    PLI_TRY(pli_array_reserve_spare(&regions->keys[0], regions->host, curve_count));
    int32_t *same = regions->curve_regions.items;
    PliRanked *items = ranked[0].items;
    for (int32_t i = 0; i < curve_count; i++)
        items[i] = (PliRanked){.key = (uint64_t)find_curve(regions, i), .item = i};
    const PliRanked *sorted = pli_sort_ranked(items, ranked[1].items, curve_count);
    PLI_TRY(pli_array_push(&regions->curves, regions->host, curve_count, &room));
    PliantCurve *curves = pli_array_from(&regions->curves, first_curve);
    memcpy(room, curves, (size_t)curve_count * sizeof *curves);
    const PliantCurve *before = room;
    int64_t kept, left = 0;
    for (int64_t i = 0, count; i < curve_count; i += count) {
        count = count_curves(regions, before, sorted + i, curve_count - i, &kept);
        const PliantRegion region = {.body_a = regions->bodies[0],
                                     .body_b = regions->bodies[1],
                                     .first_curve = first_curve + left,
                                     .curve_count = kept,
                                     .parts = {nothing, nothing}};
        const int64_t number = regions->regions.count - first_region;
        if (kept > 0)
            PLI_TRY(pli_append(&regions->regions, regions->host, &region));
        for (int64_t c = i; c < i + count; c++)
            same[sorted[c].item] = kept > 0 ? (int32_t)number : -1;
        for (int64_t c = i; c < i + kept; c++)
            curves[left++] = before[sorted[c].item];
    }
    regions->curves.count -= 2 * curve_count - left;
    return PLIANT_OK;
}

/* ---- Which patches are in which part -------------------------------------------------------- */

/* Within one body: the patches on both sheets of a segment are in different parts. Sets those that
 * are not known yet by one that is. */
static bool spread_over(PliPatch *patches, const int32_t at[4])
{
    bool is_new = false;
    for (int known = 0; known < 4; known++)
        for (int k = 0; k < 4; k++) {
            if (at[known] < 0 || at[k] < 0 || patches[at[known]].part < 0 ||
                patches[at[k]].part >= 0)
                continue;
            const int32_t part = patches[at[known]].part;
            patches[at[k]].part = k / 2 == known / 2 ? part : 1 - part;
            is_new = true;
        }
    return is_new;
}

/* Goes over all segments of a region until there is nothing new. */
static void spread_parts(PliRegions *regions, int32_t region)
{
    const PliSegmentsAt segments = pli_segments_at(&regions->region_segments, region);
    bool is_new = true;
    while (is_new) {
        is_new = false;
        for (int64_t i = 0; i < segments.count; i++) {
            int32_t at[4];
            for (int k = 0; k < 4; k++)
                at[k] = wrong_patch(regions, pli_segment_at(regions, &segments, i), k / 2, k % 2);
            is_new |= spread_over(regions->patches.items, at);
        }
    }
}

/* The lowest triangle of a patch. */
static int32_t lowest_triangle(const PliRegions *regions, const PliPatch *patch)
{
    const int32_t *wholes = pli_array_from(&regions->wholes, patch->first_whole);
    const int32_t *faces = pli_array_from(&regions->patch_faces, patch->first_face);
    const PliCut *cuts = regions->cuts.items;
    int32_t lowest = INT32_MAX;
    for (int64_t i = 0; i < patch->whole_count; i++)
        lowest = wholes[i] < lowest ? wholes[i] : lowest;
    for (int64_t i = 0; i < patch->face_count; i++) {
        const int32_t here = cuts[((const PliFace *)regions->faces.items)[faces[i]].cut].triangle;
        lowest = here < lowest ? here : lowest;
    }
    return lowest;
}

/* The patch of a region that has the lowest triangle, of those without a part; -1: there is none.
 */
static int32_t first_patch(const PliRegions *regions, int32_t region)
{
    const PliPatch *patches = regions->patches.items;
    int32_t first = -1, lowest = INT32_MAX;
    for (int32_t i = 0; i < regions->patches.count; i++) {
        if (patches[i].region != region || patches[i].part >= 0)
            continue;
        const int32_t here = lowest_triangle(regions, &patches[i]);
        if (first < 0 || here < lowest) {
            first = i;
            lowest = here;
        }
    }
    return first;
}

static void assign_parts(PliRegions *regions, int32_t region_count)
{
    PliPatch *patches = regions->patches.items;
    const int32_t *curve_regions = regions->curve_regions.items;
    for (int64_t i = 0; i < regions->patches.count; i++) {
        if (!patches[i].is_wrong || patches[i].curve < 0)
            continue;
        patches[i].region = curve_regions[patches[i].curve];
        if (!pli_is_self(regions))
            patches[i].part = patches[i].surface;
    }
    for (int32_t i = 0; i < region_count && pli_is_self(regions); i++)
        for (int32_t first; (first = first_patch(regions, i)) >= 0;) {
            patches[first].part = 0;
            spread_parts(regions, i);
        }
}

/* ---- What a part consists of ---------------------------------------------------------------- */

/* Entries: what all parts consist of, by region and part, triangle, face. */
static PliantResult list_entries(PliRegions *regions, const PliRanked **sorted, int64_t *count)
{
    const PliPatch *patches = regions->patches.items;
    const int32_t *wholes = regions->wholes.items, *patch_faces = regions->patch_faces.items;
    const PliFace *faces = regions->faces.items;
    const PliCut *cuts = regions->cuts.items;
    const int64_t capacity = regions->wholes.count + regions->patch_faces.count;
    PLI_TRY(pli_array_reserve_spare(&regions->entries, regions->host, capacity));
    PLI_TRY(pli_array_reserve_spare(&regions->ranked[0], regions->host, capacity));
    PliRanked *entries = regions->entries.items;
    *count = 0;
    for (int64_t i = 0; i < regions->patches.count; i++) {
        const PliPatch *patch = &patches[i];
        const uint64_t key = (uint64_t)(2 * patch->region + patch->part) << 32;
        for (int64_t j = 0; j < patch->whole_count && patch->region >= 0; j++)
            entries[(*count)++] =
                (PliRanked){key | (uint32_t)wholes[patch->first_whole + j], 0, -1};
        for (int64_t j = 0; j < patch->face_count && patch->region >= 0; j++) {
            const int32_t face = patch_faces[patch->first_face + j];
            entries[(*count)++] = (PliRanked){key | (uint32_t)cuts[faces[face].cut].triangle,
                                              (uint32_t)face + 1, face};
        }
    }
    *sorted = pli_sort_ranked(entries, regions->ranked[0].items, *count);
    return PLIANT_OK;
}

static int32_t entry_triangle(const PliRanked *entry)
{
    return (int32_t)(entry->key & 0xffffffff);
}

/* Where the triangles of entries are: nine floats for each. */
static PliantResult fetch_entries(PliRegionScratch *scratch, const PliSurface *surface,
                                  const PliRanked *entries, int64_t count)
{
    const PliantHost *host = scratch->worker->host;
    PLI_TRY(pli_array_reserve_spare(&scratch->numbers, host, count));
    PLI_TRY(pli_array_reserve_spare(&scratch->rows, host, count));
    int32_t *numbers = scratch->numbers.items;
    for (int64_t i = 0; i < count; i++)
        numbers[i] = entry_triangle(&entries[i]);
    return surface->fetch(surface->user, scratch, numbers, count, scratch->rows.items);
}

static int32_t entry_patch(const PliRegions *regions, const PliRanked *entry)
{
    return entry->item >= 0
               ? ((const PliFace *)regions->faces.items)[entry->item].patch
               : -1 - ((const int32_t *)regions->states[0].items)[entry_triangle(entry)];
}

/* The triangles and the vertices of a part, each once. */
static PliantResult list_numbers(PliRegions *regions, const PliSurface *surface,
                                 const PliRanked *entries, int64_t count, PliantRegionPart *part)
{
    void *room;
    part->first_triangle = regions->triangles.count;
    PLI_TRY(pli_array_push(&regions->triangles, regions->host, count, &room));
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || entries[i].key != entries[i - 1].key)
            ((int32_t *)room)[part->triangle_count++] = entry_triangle(&entries[i]);
    regions->triangles.count -= count - part->triangle_count;
    for (int i = 0; i < 2; i++)
        PLI_TRY(pli_array_reserve_spare(&regions->keys[i], regions->host, 3 * count));
    uint64_t *keys = regions->keys[0].items;
    int64_t key_count = 0;
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (pli_has_corner(regions, &entries[i], k))
                keys[key_count++] =
                    (uint64_t)pli_surface_vertex(surface, entry_triangle(&entries[i]), k) << 32 |
                    (uint32_t)(pli_is_self(regions) ? entry_patch(regions, &entries[i]) : 0);
    pli_sort_pairs(keys, regions->keys[1].items, key_count, 31, 31);
    part->first_vertex = regions->vertices.count;
    PLI_TRY(pli_array_push(&regions->vertices, regions->host, key_count, &room));
    for (int64_t i = 0; i < key_count; i++)
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32)
            keys[part->vertex_count++] = keys[i];
    for (int64_t i = 0; i < part->vertex_count; i++)
        ((int32_t *)room)[i] = (int32_t)(keys[i] >> 32);
    regions->vertices.count -= key_count - part->vertex_count;
    return regions->with_vertex_depths ? pli_prepare_vertices(regions, part, keys) : PLIANT_OK;
}

static PliantResult add_moments(const PliRegions *regions, PliRegionScratch *scratch,
                                const PliRanked *entries, int64_t count, PliantRegionPart *part)
{
    const float *rows = scratch->rows.items;
    double sums[3] = {0, 0, 0};
    for (int64_t i = 0; i < count; i++) {
        PliMoments moments;
        if (!pli_is_finite(rows + 9 * i, 9))
            continue;
        if (entries[i].item < 0) {
            moments = pli_triangle_moments(rows + 9 * i);
        } else {
            PLI_TRY(pli_face_outline(regions, scratch, entries[i].item));
            const PliFace *faces = regions->faces.items;
            const PliCut *cuts = regions->cuts.items;
            moments = pli_outline_moments(scratch, &cuts[faces[entries[i].item].cut]);
        }
        part->area += moments.area;
        for (int k = 0; k < 3; k++) {
            part->area_normal[k] += moments.area * moments.normal[k];
            sums[k] += moments.area * moments.centroid[k];
        }
    }
    for (int k = 0; k < 3; k++)
        part->centroid[k] = part->area > 0 ? sums[k] / part->area : 0;
    return PLIANT_OK;
}

/* ---- Depth within one body --------------------------------------------------------------------
 *
 * What is a patch of a closed body deep in? In the sheets that it is inside of (sheets.h). If it is
 * inside of itself, as in a fold, it is as deep as its exits are far (exits.h). So is a patch of an
 * open body that the body is around. A pocket, and cloth that nothing is around, are deep in their
 * sheets, or in all of the surface but what is inside too: not in the part itself, and not in parts
 * of other regions. Of cut triangles only its own are left out, since the others are partly
 * outside.
 */

static PliantResult prepare_skips(PliRegions *regions)
{
    PliArray *skips = &regions->skips;
    const int64_t wanted = regions->surfaces[0]->triangle_count, had = skips->count;
    if (!pli_is_self(regions) || had >= wanted)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(skips, regions->host, wanted));
    memset((uint8_t *)skips->items + had, 0, (size_t)(wanted - had));
    skips->count = wanted;
    return PLIANT_OK;
}

/* Sets the whole triangles of entries, or the cut ones. */
static void set_skips(const PliArray *skips, const PliRanked *entries, int64_t count, bool are_cut,
                      uint8_t value)
{
    for (int64_t i = 0; i < count; i++)
        if ((entries[i].item >= 0) == are_cut)
            ((uint8_t *)skips->items)[entry_triangle(&entries[i])] = value;
}

/* Each worker has skips of its own: those of all parts, besides which it sets and resets others. */
static PliantResult copy_skips(const PliRegions *regions, PliRegionScratch *scratch)
{
    const int64_t count = regions->surfaces[0]->triangle_count;
    if (scratch->pass == regions->pass)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&scratch->skips, scratch->worker->host, count));
    memcpy(scratch->skips.items, regions->skips.items, (size_t)count);
    scratch->pass = regions->pass;
    return PLIANT_OK;
}

/* ---- Regions -------------------------------------------------------------------------------- */

/* The depth of one patch of a part, within one body. */
static PliantResult find_patch_depth(const PliRegions *regions, PliRegionScratch *scratch,
                                     PliRegionTask *task)
{
    const PliRanked *all = task->entries[task->number], *other = task->entries[1 - task->number];
    const int64_t all_count = task->counts[task->number],
                  other_count = task->counts[1 - task->number];
    const PliPatch *patch = (const PliPatch *)regions->patches.items + task->patch;
    const bool is_closed = regions->surfaces[0]->is_closed;
    const bool has_sheets = !patch->is_within && pli_has_sheets(regions, task->patch);
    const bool has_exits = patch->is_within || (is_closed && !has_sheets && !patch->is_pocket);
    const PliArray *skips = &scratch->skips;
    int64_t count = 0;
    PLI_TRY(copy_skips(regions, scratch));
    PLI_TRY(pli_array_reserve_spare(&scratch->entries, scratch->worker->host, all_count));
    PliRanked *entries = scratch->entries.items;
    for (int64_t i = 0; i < all_count; i++)
        if (entry_patch(regions, &all[i]) == task->patch)
            entries[count++] = all[i];
    PLI_TRY(fetch_entries(scratch, regions->surfaces[0], entries, count));
    const PliPartTriangles triangles = {.other = regions->surfaces[0],
                                        .skips = has_exits ? NULL : skips->items,
                                        .entries = entries,
                                        .count = count,
                                        .rows = scratch->rows.items};
    set_skips(skips, entries, count, true, 1);
    if (!has_sheets)
        set_skips(skips, other, other_count, false, 0);
    PliantResult result = has_sheets ? pli_skip_sheets(regions, scratch, task->patch) : PLIANT_OK;
    if (result == PLIANT_OK)
        result = pli_find_depth(regions, scratch, &triangles, &task->depth);
    if (result == PLIANT_OK)
        result = pli_find_samples(regions, scratch, &triangles, task);
    if (has_sheets)
        pli_unskip_sheets(scratch);
    else
        set_skips(skips, other, other_count, false, 1);
    set_skips(skips, entries, count, true, 0);
    return result;
}

/* The depth of a part within one body is that of its deepest patch, the first if several are. */
static void deepen(PliantRegionPart *part, const PliantRegionPart *patch)
{
    part->max_depth = patch->max_depth > part->max_depth ? patch->max_depth : part->max_depth;
    if (patch->deepest_triangle < 0 || (part->deepest_triangle >= 0 && patch->depth <= part->depth))
        return;
    part->depth = patch->depth;
    part->deepest_triangle = patch->deepest_triangle;
    part->closest_triangle = patch->closest_triangle;
    memcpy(part->deepest, patch->deepest, sizeof part->deepest);
    memcpy(part->closest, patch->closest, sizeof part->closest);
}

static PliantRegionPart *task_part(const PliRegions *regions, const PliRegionTask *task)
{
    return &((PliantRegion *)regions->regions.items)[task->region].parts[task->number];
}

/* The area of a part and, between two bodies, its depth. */
static PliantResult measure_part(const PliRegions *regions, PliRegionScratch *scratch,
                                 PliRegionTask *task)
{
    const bool is_self = pli_is_self(regions);
    const int number = task->number;
    PliantRegionPart *part = task_part(regions, task);
    PLI_TRY(fetch_entries(scratch, regions->surfaces[number], task->entries[number],
                          task->counts[number]));
    PLI_TRY(add_moments(regions, scratch, task->entries[number], task->counts[number], part));
    const PliPartTriangles triangles = {.other = regions->surfaces[1 - number],
                                        .deepness = task->deepness,
                                        .entries = task->entries[number],
                                        .count = task->counts[number],
                                        .rows = scratch->rows.items};
    if (is_self || regions->tolerance == INFINITY)
        return PLIANT_OK;
    PLI_TRY(pli_find_depth(regions, scratch, &triangles, part));
    return pli_find_samples(regions, scratch, &triangles, task);
}

/* PliRegionWork: tasks in the order of regions->keys. */
static void do_tasks(PliRegions *regions, int64_t begin, int64_t end, PliRegionScratch *scratch)
{
    const uint64_t *keys = regions->keys[0].items;
    for (int64_t i = begin; i < end; i++) {
        PliRegionTask *task = (PliRegionTask *)regions->tasks.items + (uint32_t)keys[i];
        task->result = task->patch < 0 ? measure_part(regions, scratch, task)
                                       : find_patch_depth(regions, scratch, task);
    }
}

/* b's part is the way out for a, and a's part points into b; the other way round of a body that is
 * inside out. */
static void find_normal(const PliRegions *regions, PliantRegion *region)
{
    double v[3], sum = 0, signs[2];
    for (int i = 0; i < 2; i++)
        signs[i] = regions->surfaces[i]->is_inside_out ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        v[k] =
            signs[1] * region->parts[1].area_normal[k] - signs[0] * region->parts[0].area_normal[k];
        sum += v[k] * v[k];
    }
    const double length = sqrt(sum);
    for (int k = 0; k < 3; k++)
        region->normal[k] = length > 0 && isfinite(length) ? (float)(v[k] / length) : 0;
}

/* Is each part inside? If winding numbers do not tell, by the length of the curves that it is at
 * the inner side of. */
static PliantResult find_sides(PliRegions *regions, int64_t first_region)
{
    const int64_t count = regions->regions.count - first_region;
    const PliPatch *patches = regions->patches.items;
    PliantRegion *items = pli_array_from(&regions->regions, first_region);
    PLI_TRY(pli_array_reserve_spare(&regions->lengths, regions->host, 2 * count));
    PLI_TRY(pli_array_reserve_spare(&regions->deepnesses, regions->host, 2 * count));
    double *lengths = regions->lengths.items;
    PliDeepness *deepnesses = regions->deepnesses.items;
    for (int64_t i = 0; i < 2 * count; i++) {
        lengths[i] = 0;
        deepnesses[i] = PLI_DEEP_NOWHERE;
    }
    for (int64_t i = 0; i < regions->patches.count; i++) {
        if (patches[i].region < 0)
            continue;
        const int32_t part = 2 * patches[i].region + patches[i].part;
        lengths[part] +=
            regions->surfaces[1 - patches[i].surface]->is_closed || patches[i].is_within
                ? INFINITY
                : patches[i].inside - patches[i].outside;
        if (patches[i].deepness < deepnesses[part])
            deepnesses[part] = patches[i].deepness;
    }
    for (int64_t i = 0; i < 2 * count; i++)
        items[i / 2].is_inside[i % 2] = pli_is_self(regions) || deepnesses[i] == PLI_DEEP_NOWHERE
                                            ? lengths[i] > 0
                                            : deepnesses[i] == PLI_DEEP_INSIDE;
    return PLIANT_OK;
}

/* Lists what a part consists of, and what is to be measured of it. */
static PliantResult add_tasks(PliRegions *regions, PliRegionTask *task)
{
    const PliPatch *patches = regions->patches.items;
    const bool is_self = pli_is_self(regions);
    const int32_t region = (int32_t)(task->entries[task->number]->key >> 33);
    task->patch = -1;
    PLI_TRY(list_numbers(regions, regions->surfaces[task->number], task->entries[task->number],
                         task->counts[task->number], task_part(regions, task)));
    PLI_TRY(pli_append(&regions->tasks, regions->host, task));
    for (int32_t i = 0; i < regions->patches.count && is_self && regions->tolerance < INFINITY; i++)
        if (patches[i].region == region && patches[i].part == task->number) {
            task->patch = i;
            PLI_TRY(pli_append(&regions->tasks, regions->host, task));
        }
    return PLIANT_OK;
}

static PliantResult list_tasks(PliRegions *regions, const PliRanked *entries, int64_t count,
                               int64_t first_region)
{
    regions->tasks.count = 0;
    for (int64_t i = 0, end; i < count; i = end) {
        const uint64_t number = entries[i].key >> 33;
        int64_t half = 0;
        for (end = i; end < count && entries[end].key >> 33 == number; end++)
            half += !(entries[end].key >> 32 & 1);
        PliRegionTask task = {.entries = {entries + i, entries + i + half},
                              .counts = {half, end - i - half},
                              .region = (int32_t)(first_region + (int64_t)number),
                              .depth = {.deepest_triangle = -1, .closest_triangle = -1}};
        const PliDeepness *deepnesses = (const PliDeepness *)regions->deepnesses.items + 2 * number;
        for (task.number = 0; task.number < 2; task.number++) {
            task.deepness = deepnesses[task.number];
            if (task.counts[task.number] > 0)
                PLI_TRY(add_tasks(regions, &task));
        }
    }
    return PLIANT_OK;
}

/* Measures all parts: first those with the most triangles, so that no worker begins a long one
 * when the others end. */
static PliantResult measure_all(PliRegions *regions, int64_t entry_count)
{
    const int64_t count = regions->tasks.count;
    const PliRegionTask *tasks = regions->tasks.items;
    for (int i = 0; i < 2; i++)
        PLI_TRY(pli_array_reserve_spare(&regions->keys[i], regions->host, count));
    uint64_t *keys = regions->keys[0].items;
    for (int64_t i = 0; i < count; i++)
        keys[i] = (uint64_t)(INT32_MAX - tasks[i].counts[tasks[i].number]) << 32 | (uint64_t)i;
    pli_sort_keys(keys, regions->keys[1].items, count, 64);
    pli_regions_divide(regions, do_tasks, count, entry_count);
    PliantResult result = PLIANT_OK;
    for (int64_t i = 0; i < count; i++) {
        PliRegionTask *task = (PliRegionTask *)regions->tasks.items + i;
        if (task->patch >= 0 && task->result == PLIANT_OK)
            deepen(task_part(regions, task), &task->depth);
        result = result != PLIANT_OK ? result : task->result;
        result = result != PLIANT_OK ? result : pli_add_pieces(regions, task);
    }
    return result;
}

PliantResult pli_list_parts(PliRegions *regions, int64_t first_curve)
{
    const int64_t first_region = regions->regions.count;
    const int64_t curve_count = regions->curves.count - first_curve;
    const PliRanked *entries;
    int64_t entry_count;
    if (curve_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&regions->curve_regions, regions->host, curve_count));
    for (int32_t i = 0; i < curve_count; i++)
        ((int32_t *)regions->curve_regions.items)[i] = i;
    join_curves(regions, first_curve);
    PLI_TRY(make_regions(regions, first_curve));
    if (pli_is_self(regions))
        PLI_TRY(pli_list_segments(regions, first_curve));
    assign_parts(regions, (int32_t)(regions->regions.count - first_region));
    PLI_TRY(find_sides(regions, first_region));
    PLI_TRY(list_entries(regions, &entries, &entry_count));
    PLI_TRY(prepare_skips(regions));
    PLI_TRY(list_tasks(regions, entries, entry_count, first_region));
    if (pli_is_self(regions))
        set_skips(&regions->skips, entries, entry_count, false, 1);
    const PliantResult result = measure_all(regions, entry_count);
    if (pli_is_self(regions))
        set_skips(&regions->skips, entries, entry_count, false, 0);
    for (int64_t i = first_region; i < regions->regions.count; i++)
        find_normal(regions, (PliantRegion *)regions->regions.items + i);
    return result;
}
