/* The planes that divided triangles lie in, in the rest pose: see planes.h and tree/planes.h.
 *
 * A plane may have any normal: what it holds is taken from the vertices. It is a good one if it is
 * that of the triangle. A triangle shares the plane of the divided one before it where it lies in
 * it but for rounding, as the two halves of a wall do.
 */
#include "shape/planes.h"
#include "shape/shape.h"

#define LEAST 0x1p-140

bool pli_plane_set_normal(const double direction[3], PliPlane *plane)
{
    double most = 0, square = 0;
    int exponent = 0;
    for (int k = 0; k < 3; k++)
        most = fabs(direction[k]) > most ? fabs(direction[k]) : most;
    (void)frexp(most, &exponent);
    for (int k = 0; k < 3; k++) {
        plane->normal[k] = (float)ldexp(direction[k], -exponent);
        square += (double)plane->normal[k] * plane->normal[k];
    }
    plane->length = (float)(sqrt(square) * (1 + 0x1p-20));
    return most > 0;
}

static const float *corner_of(const PliMeshView *mesh, int32_t triangle, int corner)
{
    return mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)corner];
}

/* Widens the plane to hold the triangle; returns how large the numbers are that it is made of. */
static double hold_triangle(const PliMeshView *mesh, int32_t triangle, PliPlane *plane)
{
    double most = 0;
    for (int c = 0; c < 3; c++) {
        const float *p = corner_of(mesh, triangle, c);
        double along = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            along += (double)plane->normal[k] * p[k];
            size += fabs((double)plane->normal[k] * p[k]);
        }
        /* In double this is off by less than 2^-51 of the size, which may be more than the sum. */
        float low = pli_float_below(along - 0x1p-50 * size),
              high = pli_float_above(along + 0x1p-50 * size);
        plane->low = low < plane->low ? low : plane->low;
        plane->high = high > plane->high ? high : plane->high;
        most = size > most ? size : most;
    }
    return most;
}

/* The plane of a triangle; false if it has none that is of use. */
static bool find_plane(const PliMeshView *mesh, int32_t triangle, PliPlane *plane)
{
    const float *p = corner_of(mesh, triangle, 0);
    double x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = (double)corner_of(mesh, triangle, 1)[k] - p[k];
        y[k] = (double)corner_of(mesh, triangle, 2)[k] - p[k];
    }
    const double direction[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                                 x[0] * y[1] - x[1] * y[0]};
    if (!pli_plane_set_normal(direction, plane))
        return false;
    plane->low = INFINITY;
    plane->high = -INFINITY;
    hold_triangle(mesh, triangle, plane);
    return isfinite(plane->low) && isfinite(plane->high);
}

/* Takes the triangle into the plane of others, if it hardly gets wider. */
static bool join_plane(const PliMeshView *mesh, int32_t triangle, PliPlane *plane)
{
    PliPlane wider = *plane;
    double size = hold_triangle(mesh, triangle, &wider);
    if (!((double)wider.high - wider.low <= 0x1p-16 * size + LEAST))
        return false;
    *plane = wider;
    return true;
}

/* The plane of each triangle, or -1. Returns how many there are; writes them if there is room. */
static int32_t find_planes(const PliDivision *division, const PliMeshView *mesh, int32_t *numbers,
                           PliPlane *planes)
{
    int32_t count = 0;
    PliPlane plane;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        numbers[t] = -1;
        if (!pli_has_plane(division, mesh, t))
            continue;
        if (count == 0 || !join_plane(mesh, t, &plane)) {
            PliPlane fresh;
            if (!find_plane(mesh, t, &fresh))
                continue;
            plane = fresh;
            count++;
        }
        numbers[t] = count - 1;
        if (planes)
            planes[count - 1] = plane;
    }
    return count;
}

PliantResult pli_planes_find(const PliDivision *division, const PliMeshView *mesh, PliArena *arena,
                             PliPlanes *planes, const int32_t **numbers)
{
    *planes = (PliPlanes){0};
    if (division->kind == PLIANT_DIVIDE_NONE)
        return PLIANT_OK;
    int32_t *of_triangles = pli_arena_cut(arena, (size_t)mesh->triangle_count, sizeof(int32_t));
    PLI_TRY(arena->failure);
    planes->plane_count = find_planes(division, mesh, of_triangles, NULL);
    PliPlane *found = pli_arena_cut(arena, (size_t)planes->plane_count, sizeof *found);
    PLI_TRY(arena->failure);
    find_planes(division, mesh, of_triangles, found);
    planes->planes = found;
    *numbers = of_triangles;
    return PLIANT_OK;
}

/* The plane of all that a leaf or a node has, or -1. */
static void find_parts(const PliTree *tree, const PliPiece *pieces, const int32_t *numbers,
                       int32_t *leaf_planes, int32_t *node_planes)
{
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        const PliPiece *first = pieces + tree->leaves[leaf].first;
        leaf_planes[leaf] = numbers[first->triangle];
        for (int32_t i = 1; i < tree->leaves[leaf].count; i++)
            if (numbers[first[i].triangle] != leaf_planes[leaf])
                leaf_planes[leaf] = -1;
    }
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        const PliTreeNode *node = &tree->nodes[n];
        for (int32_t c = 0; c < node->child_count; c++) {
            int32_t child = node->children[c];
            int32_t plane = child < 0 ? leaf_planes[~child] : node_planes[child];
            node_planes[n] = c == 0 || plane == node_planes[n] ? plane : -1;
        }
    }
}

PliantResult pli_planes_assign(const PliantShape *shape, const int32_t *numbers, PliArena *arena,
                               PliPlanes *planes)
{
    const PliTree *tree = &shape->tree;
    if (!shape->pieces)
        return PLIANT_OK;
    int32_t *leaf_planes = pli_arena_cut(arena, (size_t)tree->leaf_count, sizeof *leaf_planes);
    int32_t *node_planes = pli_arena_cut(arena, (size_t)tree->node_count, sizeof *node_planes);
    PLI_TRY(arena->failure);
    find_parts(tree, shape->pieces, numbers, leaf_planes, node_planes);
    planes->leaf_planes = leaf_planes;
    planes->node_planes = node_planes;
    return PLIANT_OK;
}
