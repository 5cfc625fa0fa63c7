/* Is a patch inside, where its curves disagree: see winding.h.
 *
 * One point of the patch decides: it is inside the other surface if that winds around it. Within
 * one body it is inside the rest of its own surface if a point just in front of it is not outside.
 * The surface counts crossings of a line, exactly. */
#include "regions/winding.h"
#include "geom/orient.h"
#include "regions/outline.h"

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

static double doubled_area(const double *a, const double *b, const double *c, int u, int v)
{
    return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

/* The middle of the largest triangle within a face. */
static PliantResult find_in_face(const PliRegions *regions, int32_t face, float point[3],
                                 bool *is_found)
{
    const PliFace *faces = regions->faces.items;
    const PliCut *cut = (const PliCut *)regions->cuts.items + faces[face].cut;
    double largest = 0, middle[3];
    bool is_divided;
    int u, v;
    pli_normal_axes(pli_triangle_moments(cut->corners).normal, &u, &v);
    PLI_TRY(pli_face_outline(regions, regions->scratch, face));
    PLI_TRY(pli_triangulate_outline(regions, regions->scratch, u, v, &is_divided));
    const double(*points)[3] = regions->scratch->outline.items;
    for (int64_t i = 0; i < regions->scratch->ears.count && is_divided; i += 3) {
        const int32_t *ear = (const int32_t *)regions->scratch->ears.items + i;
        const double *a = points[ear[0]], *b = points[ear[1]], *c = points[ear[2]];
        const double area = doubled_area(a, b, c, u, v);
        if (!(area > largest))
            continue;
        largest = area;
        for (int k = 0; k < 3; k++)
            middle[k] = (a[k] + b[k] + c[k]) / 3;
    }
    *is_found = largest > 0 && set_point(regions, cut->corners, middle, point);
    return PLIANT_OK;
}

PliantResult pli_is_wound(PliRegions *regions, const PliPatch *patch, bool *is_inside)
{
    const PliSurface *other = regions->surfaces[pli_is_self(regions) ? 0 : 1 - patch->surface];
    const int32_t *faces = pli_array_from(&regions->patch_faces, patch->first_face);
    float point[3];
    bool is_found = false;
    if (patch->whole_count > 0)
        PLI_TRY(find_in_whole(regions, patch, point, &is_found));
    for (int64_t i = 0; i < patch->face_count && !is_found; i++)
        PLI_TRY(find_in_face(regions, faces[i], point, &is_found));
    return is_found ? other->is_around(other->user, point, is_inside) : PLIANT_OK;
}
