/* The sides of segments: see sides.h. */
#include "regions/sides.h"
#include "regions/faces.h"
#include "regions/outline.h"

#include <string.h>

static PliFace *face_at(const PliRegions *regions, const PliSegment *segment, int side, int which)
{
    const int inner = pli_inner_face(regions, side);
    const int32_t face = segment->faces[side][which == 0 ? inner : 1 - inner];
    return (PliFace *)regions->faces.items + pli_same_face(regions, face);
}

int32_t pli_patch_at(const PliRegions *regions, const PliSegment *segment, int side, int which)
{
    return face_at(regions, segment, side, which)->patch;
}

double pli_segment_length(const PliRegions *regions, const PliSegment *segment)
{
    double rooms[2][3], sum = 0;
    const double *p = pli_segment_end(regions, segment, 0, rooms[0]);
    const double *q = pli_segment_end(regions, segment, 1, rooms[1]);
    for (int k = 0; k < 3; k++)
        sum += (q[k] - p[k]) * (q[k] - p[k]);
    return sqrt(sum);
}

void pli_mark_faces(PliRegions *regions)
{
    const PliSegment *segments = regions->segments.items;
    for (int64_t i = 0; i < regions->segments.count && !pli_is_self(regions); i++)
        for (int side = 0; side < 2; side++) {
            face_at(regions, &segments[i], side, 0)->is_inner = true;
            face_at(regions, &segments[i], side, 1)->is_outer = true;
        }
}

bool pli_is_mixed_side(const PliRegions *regions, const PliSegment *segment, int side)
{
    const PliFace *inner = face_at(regions, segment, side, 0);
    const PliFace *outer = face_at(regions, segment, side, 1);
    return pli_is_mixed(inner) || pli_is_mixed(outer);
}

PliantResult pli_look_beside(const PliRegions *regions, const PliSegment *segment, int side,
                             int which, bool *is_known, bool *is_inside)
{
    const PliSurface *other = regions->surfaces[1 - side];
    const PliCut *cut = (const PliCut *)regions->cuts.items + segment->cuts[1 - side];
    const bool is_below = (which == 0) != other->is_inside_out;
    double rooms[2][3], middle[3];
    float point[3];
    const double *p = pli_segment_end(regions, segment, 0, rooms[0]);
    const double *q = pli_segment_end(regions, segment, 1, rooms[1]);
    for (int k = 0; k < 3; k++)
        middle[k] = (p[k] + q[k]) / 2;
    *is_known =
        pli_is_finite(cut->corners, 9) && pli_find_beside(cut->corners, is_below, middle, point);
    *is_inside = false;
    return *is_known ? other->is_inside(other->user, regions->scratch, point, -1, is_inside)
                     : PLIANT_OK;
}

PliantResult pli_start_counts(PliRegions *regions)
{
    PliArray *counts = &regions->curve_regions;
    PLI_TRY(pli_array_reserve_spare(counts, regions->host, regions->curves.count));
    if (regions->curves.count > 0)
        memset(counts->items, 0, (size_t)regions->curves.count * sizeof(int32_t));
    return PLIANT_OK;
}

int32_t pli_count_segment(PliRegions *regions, const PliSegment *segment)
{
    return ((int32_t *)regions->curve_regions.items)[segment->curve]++;
}
