/* Vertices that the caller has in double: see doubles.h. */
#include "mesh_pose/doubles.h"
#include "geom/box.h"

#include <string.h>

typedef double Double2 __attribute__((vector_size(16)));
typedef int64_t Long2 __attribute__((vector_size(16)));
typedef float Float2 __attribute__((vector_size(8)));

/* Vertices that are rounded at a time, and pairs of their coordinates. */
enum { BLOCK = 4, PAIRS = 3 * BLOCK / 2 };

/* The errors of all that floats can hold are less. */
#define MOST_ERROR 0x1p104

/* Rounds a block, and returns the greatest of `most` and the error of each coordinate. An error
 * that is infinite or a NaN is that of a float that is not finite, and does not count. */
static inline Double2 round_block(const char *from, const Double2 origin[3], float *to,
                                  Double2 most)
{
    for (int i = 0; i < PAIRS; i++) {
        Double2 x;
        memcpy(&x, from + sizeof x * (size_t)i, sizeof x);
        const Double2 minus = origin[i % 3], sum = x - minus, part = sum - x,
                      lost = (x - (sum - part)) - (minus + part);
        const Float2 rounded = __builtin_convertvector(sum, Float2);
        const Double2 off = (sum - __builtin_convertvector(rounded, Double2)) + lost;
        const Double2 error = (Double2)((Long2)off & INT64_MAX);
        const Long2 is_more = (error > most) & (error < MOST_ERROR);
        most = (Double2)(((Long2)error & is_more) | ((Long2)most & ~is_more));
        memcpy(to + 2 * i, &rounded, sizeof rounded);
    }
    return most;
}

/* The same for some vertices of a stride, or for less than a block: beside them is the origin. */
static Double2 round_some(const PliDoubles *doubles, size_t first, size_t count,
                          const Double2 origin[3], float *to, Double2 most)
{
    Double2 block[PAIRS];
    float rounded[3 * BLOCK];
    for (int i = 0; i < PAIRS; i++)
        block[i] = origin[i % 3];
    for (size_t v = 0; v < count; v++)
        memcpy((char *)block + 3 * sizeof(double) * v,
               doubles->data + doubles->stride * (first + v), 3 * sizeof(double));
    most = round_block((const char *)block, origin, rounded, most);
    memcpy(to, rounded, 3 * sizeof *to * count);
    return most;
}

void pli_mesh_pose_round(PliMeshPose *pose, const double origin[3])
{
    PliDoubles *doubles = pose->doubles;
    const Double2 minus[3] = {
        {origin[0], origin[1]}, {origin[2], origin[0]}, {origin[1], origin[2]}};
    const size_t count = pose->vertices.count;
    const bool has_gaps = doubles->stride != 3 * sizeof(double);
    Double2 errors = {0};
    for (size_t v = 0; v < count; v += BLOCK) {
        float *to = pose->copy + 3 * v;
        const size_t left = count - v < BLOCK ? count - v : BLOCK;
        errors = has_gaps || left < BLOCK
                     ? round_some(doubles, v, left, minus, to, errors)
                     : round_block(doubles->data + doubles->stride * v, minus, to, errors);
    }
    const double most = errors[0] > errors[1] ? errors[0] : errors[1];
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

/* Is this what the pose borrows already? Then the next query reads it, once. */
static bool is_borrowed_again(const PliMeshPose *pose, const PliantVertices64 *vertices,
                              size_t stride, bool is_borrowed)
{
    const PliDoubles *now = pose->base.doubles;
    return is_borrowed && now && pose->base.is_borrowed && now->stride == stride &&
           now->data == (const char *)vertices->data;
}

PliantResult pli_mesh_pose_set64(PliMeshPose *pose, const PliantVertices64 *vertices,
                                 bool is_borrowed, const double origin[3], const PliantHost *host)
{
    const size_t stride = vertices->stride ? vertices->stride : 3 * sizeof(double);
    if (is_borrowed_again(pose, vertices, stride, is_borrowed))
        return PLIANT_OK;
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
