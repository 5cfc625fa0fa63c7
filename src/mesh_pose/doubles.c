/* Vertices that the caller has in double: see doubles.h. */
#include "mesh_pose/doubles.h"
#include "geom/box.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What is subtracted from x, and by how much the difference is off, exactly. */
static double subtract(double x, double origin, double *error)
{
    const double sum = x - origin, part = sum - x;
    *error = (x - (sum - part)) - (origin + part);
    return sum;
}

/* Rounds a vertex. Returns the greatest error of a coordinate; 0 if one is not finite. */
static double round_vertex(const double *from, const double origin[3], float *to)
{
    double most = 0;
    bool is_finite = true;
    for (int k = 0; k < 3; k++) {
        double lost;
        const double difference = subtract(from[k], origin[k], &lost);
        to[k] = (float)difference;
        is_finite &= fabsf(to[k]) <= FLT_MAX;
        const double error = fabs((difference - (double)to[k]) + lost);
        most = error > most ? error : most;
    }
    return is_finite ? most : 0;
}

void pli_mesh_pose_round(PliMeshPose *pose, const double origin[3])
{
    PliDoubles *doubles = pose->doubles;
    double most = 0;
    for (size_t v = 0; v < pose->vertices.count; v++) {
        double vertex[3];
        memcpy(vertex, doubles->data + doubles->stride * v, sizeof vertex);
        const double error = round_vertex(vertex, origin, pose->copy + 3 * v);
        most = error > most ? error : most;
    }
    memcpy(doubles->origin, origin, sizeof doubles->origin);
    doubles->error = most > 0 ? pli_moved_up((float)(1.7320509 * most)) : 0;
    pose->base.is_stale = true;
}

/* Room for doubles, for a copy of them if they are not borrowed, and for floats. */
static PliantResult reserve(PliMeshPose *pose, bool is_borrowed, const PliantHost *host)
{
    const size_t count = 3 * (size_t)pose->shape->header->vertex_count;
    void *memory = NULL;
    if (!pose->doubles) {
        PLI_TRY(pli_allocate(host, 1, sizeof(PliDoubles), &memory));
        pose->doubles = memory;
        *pose->doubles = (PliDoubles){.count = count};
    }
    if (is_borrowed || pose->doubles->copy)
        return PLIANT_OK;
    PLI_TRY(pli_allocate(host, count, sizeof(double), &memory));
    pose->doubles->copy = memory;
    return PLIANT_OK;
}

PliantResult pli_mesh_pose_set64(PliMeshPose *pose, const PliantVertices64 *vertices,
                                 bool is_borrowed, const double origin[3], const PliantHost *host)
{
    const size_t stride = vertices->stride ? vertices->stride : 3 * sizeof(double);
    PLI_TRY(reserve(pose, is_borrowed, host));
    PLI_TRY(pli_mesh_pose_give_copy(pose, host));
    PliDoubles *doubles = pose->doubles;
    doubles->data = (const char *)vertices->data;
    doubles->stride = stride;
    for (size_t v = 0; v < pose->vertices.count && !is_borrowed; v++)
        memmove(doubles->copy + 3 * v, (const char *)vertices->data + stride * v,
                3 * sizeof(double));
    if (!is_borrowed) {
        doubles->data = (const char *)doubles->copy;
        doubles->stride = 3 * sizeof(double);
    }
    pose->base.doubles = doubles;
    pose->base.is_borrowed = is_borrowed;
    pli_mesh_pose_round(pose, origin);
    return PLIANT_OK;
}

void pli_doubles_free(PliDoubles *doubles, const PliantHost *host)
{
    if (!doubles)
        return;
    pli_release(host, doubles->copy, doubles->count, sizeof(double));
    pli_release(host, doubles, 1, sizeof(PliDoubles));
}
