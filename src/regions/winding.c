/* Is a patch inside, where its curves disagree: see winding.h.
 *
 * The winding number is the sum of the solid angles of all triangles, over 4 pi (van Oosterom and
 * Strackee, "The solid angle of a plane triangle", 1983). A point is inside the other
 * surface if the number is at least 1/2 or at most -1/2. Seen from a point of a closed surface
 * itself it is 1/2 and an integer: how often the rest of the surface winds around it, which is
 * inside the rest if that is not 0. Rounding is far below 1/2. */
#include "regions/winding.h"
#include "regions/outline.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double solid_angle(const float *corners, const double point[3])
{
    double v[3][3], lengths[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            v[i][k] = corners[3 * i + k] - point[k];
        lengths[i] = sqrt(dot(v[i], v[i]));
    }
    const double cross[3] = {v[1][1] * v[2][2] - v[1][2] * v[2][1],
                             v[1][2] * v[2][0] - v[1][0] * v[2][2],
                             v[1][0] * v[2][1] - v[1][1] * v[2][0]};
    const double volume = dot(v[0], cross);
    const double side = lengths[0] * lengths[1] * lengths[2] + dot(v[0], v[1]) * lengths[2] +
                        dot(v[1], v[2]) * lengths[0] + dot(v[2], v[0]) * lengths[1];
    return 2 * atan2(volume, side);
}

/* All triangles of a surface as they are, into regions->scratch->rows. */
static PliantResult fetch_all(PliRegions *regions, const PliSurface *surface)
{
    const int64_t count = surface->triangle_count;
    PLI_TRY(pli_array_reserve_spare(&regions->scratch->rows, regions->host, count));
    PLI_TRY(pli_array_reserve_spare(&regions->scratch->numbers, regions->host, count));
    int32_t *numbers = regions->scratch->numbers.items;
    for (int32_t i = 0; i < count; i++)
        numbers[i] = i;
    return surface->fetch(surface->user, regions->scratch, numbers, count,
                          regions->scratch->rows.items);
}

/* A triangle of a patch and a point of both. */
typedef struct Spot {
    int32_t triangle; /* -1: there is none */
    double point[3];
} Spot;

static PliantResult find_in_whole(PliRegions *regions, const PliPatch *patch, Spot *spot)
{
    const PliSurface *surface = regions->surfaces[patch->surface];
    const int32_t *wholes = regions->wholes.items;
    float corners[9];
    spot->triangle = wholes[patch->first_whole + patch->whole_count / 2];
    PLI_TRY(surface->fetch(surface->user, regions->scratch, &spot->triangle, 1, corners));
    for (int k = 0; k < 3; k++)
        spot->point[k] = ((double)corners[k] + corners[3 + k] + corners[6 + k]) / 3;
    return PLIANT_OK;
}

static double doubled_area(const double *a, const double *b, const double *c, int u, int v)
{
    return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

/* The middle of the largest triangle within a face. */
static PliantResult find_in_face(PliRegions *regions, int32_t face, Spot *spot)
{
    const PliFace *faces = regions->faces.items;
    const PliCut *cut = (const PliCut *)regions->cuts.items + faces[face].cut;
    double largest = 0;
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
        spot->triangle = cut->triangle;
        for (int k = 0; k < 3; k++)
            spot->point[k] = (a[k] + b[k] + c[k]) / 3;
    }
    return PLIANT_OK;
}

PliantResult pli_is_wound(PliRegions *regions, const PliPatch *patch, bool *is_inside)
{
    const bool is_self = pli_is_self(regions);
    const PliSurface *other = regions->surfaces[is_self ? 0 : 1 - patch->surface];
    const int32_t *faces = pli_array_from(&regions->patch_faces, patch->first_face);
    Spot spot = {.triangle = -1};
    double sum = 0;
    if (patch->whole_count > 0)
        PLI_TRY(find_in_whole(regions, patch, &spot));
    for (int64_t i = 0; i < patch->face_count && spot.triangle < 0; i++)
        PLI_TRY(find_in_face(regions, faces[i], &spot));
    if (spot.triangle < 0)
        return PLIANT_OK;
    PLI_TRY(fetch_all(regions, other));
    const float *rows = regions->scratch->rows.items;
    for (int32_t i = 0; i < other->triangle_count; i++) {
        const double angle = solid_angle(rows + 9 * (size_t)i, spot.point);
        if (!(is_self && i == spot.triangle) && isfinite(angle))
            sum += angle;
    }
    const double pi = 3.14159265358979323846;
    *is_inside = is_self ? sum > 4 * pi || sum < 0 : fabs(sum) >= 2 * pi;
    return PLIANT_OK;
}
