/* The planes of divided triangles, transformed: see planes.h.
 *
 * Moved by a map A, t, a vertex v becomes v' = A v + t + e, where the rounding e is at most 4.01 u
 * (|A| |v| + |t|) along each axis, with u = 2^-24, and 2^-148 where it underflows. For any normal N
 * of the world, any number s, and d = A^T N - s n:
 *     N . v' = s (n . v) + d . v + N . t + N . e
 * With N = cofactor(A) n, A^T N is det(A) n, and d nothing but the rounding of N. But nothing
 * depends on that: N is rounded to floats first, s is then what leaves the least d, and d is taken
 * as it is. Where A is singular the plane is only wide. With r the reaches of the body at rest,
 * N . v' is within s [low, high] + N . t by
 *     |d| . r + |N| . (4.01 u (|A| r + |t|) + 2^-148)
 * and what is off in double is below 2^-48 of |N| . (|A| r + |t|) and |d| . r: 8 u of the former,
 * 2^-20 of the latter and 2^-140 are more than all of it. N and [low, high] are scaled so that no
 * number of N is above 1; products of two or three floats neither overflow nor underflow in double.
 */
#include "mesh_pose/planes.h"
#include "mesh_pose/mesh_pose.h"

#define UNIT 0x1p-24
#define LEAST 0x1p-140

/* cofactor(A) n, where the columns of A are those of the map. */
static void turn_normal(const PliTransform *transform, const float *n, double turned[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        turned[k] = 0;
        for (int c = 0; c < 3; c++) {
            const PliFloat4 p = transform->columns[(c + 1) % 3],
                            q = transform->columns[(c + 2) % 3];
            turned[k] += n[c] * ((double)p[i] * q[j] - (double)p[j] * q[i]);
        }
    }
}

/* A^T N. */
static void turn_back(const PliTransform *transform, const float *normal, double turned[3])
{
    for (int j = 0; j < 3; j++) {
        turned[j] = 0;
        for (int k = 0; k < 3; k++)
            turned[j] += (double)transform->columns[j][k] * normal[k];
    }
}

/* |N| . (|A| r + |t|). */
static double size_along(const PliTransform *transform, const float *normal, const float *reach)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        double here = fabs((double)transform->columns[3][k]);
        for (int j = 0; j < 3; j++)
            here += fabs((double)transform->columns[j][k]) * reach[j];
        size += fabs((double)normal[k]) * here;
    }
    return size;
}

PliPlane pli_plane_moved(const PliPlane *plane, const PliTransform *transform, const float *reach)
{
    PliPlane moved = {.low = -INFINITY, .high = INFINITY};
    const float *n = plane->normal;
    double direction[3], back[3], rest = 0, offset = 0;
    turn_normal(transform, n, direction);
    if (!pli_plane_set_normal(direction, &moved))
        return moved;
    turn_back(transform, moved.normal, back);
    double square = (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2];
    double scale = (back[0] * n[0] + back[1] * n[1] + back[2] * n[2]) / square;
    for (int k = 0; k < 3; k++) {
        rest += fabs(back[k] - scale * n[k]) * reach[k];
        offset += (double)moved.normal[k] * transform->columns[3][k];
    }
    double margin =
        rest * (1 + 0x1p-20) + 8 * UNIT * size_along(transform, moved.normal, reach) + LEAST;
    double x = scale * plane->low, y = scale * plane->high;
    moved.low = pli_float_below(offset + (x < y ? x : y) - margin);
    moved.high = pli_float_above(offset + (x < y ? y : x) + margin);
    return moved;
}

PliantResult pli_pose_planes_init(PliMeshPose *pose, const PliantHost *host)
{
    void *memory = NULL;
    const size_t count = (size_t)pose->shape->planes.plane_count;
    PliantResult result = pli_allocate(host, count, sizeof(PliPlane), &memory);
    pose->planes = memory;
    pose->base.bounds.leaf_planes = pose->shape->planes.leaf_planes;
    pose->base.bounds.node_planes = pose->shape->planes.node_planes;
    return result;
}

void pli_pose_planes_free(PliMeshPose *pose, const PliantHost *host)
{
    pli_release(host, pose->planes, (size_t)pose->shape->planes.plane_count, sizeof(PliPlane));
}

void pli_pose_planes_update(PliMeshPose *pose)
{
    const PliPlanes *planes = &pose->shape->planes;
    bool has_planes =
        planes->plane_count > 0 && pose->morph.is_bounded && !pli_mesh_pose_is_blended(pose);
    for (int32_t i = 0; i < planes->plane_count && has_planes; i++)
        pose->planes[i] = pli_plane_moved(&planes->planes[i], &pose->base.transform,
                                          pose->shape->morph_tables.reaches);
    pose->base.bounds.planes = has_planes ? pose->planes : NULL;
}
