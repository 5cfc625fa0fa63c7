/* Which way triangles face, in plain C: the reference implementation. See face.h.
 *
 * The error bound. u = 2^-24; e and f are the two edges from the first corner, n their product,
 * each coordinate two products of rounded differences and a subtraction: along one axis n is off by
 * (4u + 8u^2) (|e_y f_z| + |e_z f_y|) at most, of exact differences, and along a diagonal, one sum
 * more, by (5u + 13u^2) times all four such products. These are different terms of S T, with S =
 * |e_x| + |e_y| + |e_z| and T likewise, which are computed with 3u less, and their product with 7u
 * less, at most. So 8u S T is more than n is off by, with room for its own rounding. What
 * underflows, in n or in the bound, is less than 2^-146 in all: 2^-120 is more. If S T overflows,
 * nothing is greater; if n does, its sign is right. A NaN in e or f makes S T a NaN, and the
 * triangle faces nowhere.
 */
#include "kernels/kernels.h"

#include <math.h>

static void set_if(bool is_set, int32_t triangle, uint16_t *bits)
{
    *bits |= (uint16_t)((uint32_t)is_set << triangle);
}

static void add_faces(const float *row, int32_t triangle, PliFacing *facing)
{
    float e[3], f[3], n[3];
    for (int k = 0; k < 3; k++) {
        e[k] = row[3 + k] - row[k];
        f[k] = row[6 + k] - row[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    const float s = (fabsf(e[0]) + fabsf(e[1])) + fabsf(e[2]);
    const float t = (fabsf(f[0]) + fabsf(f[1])) + fabsf(f[2]);
    const float bound = PLI_FACE_ERROR * (s * t) + PLI_FACE_LEAST;
    for (int k = 0; k < 3; k++) {
        const float u = n[(k + 1) % 3], v = n[(k + 2) % 3];
        const float along[PLI_FACE_DIRECTIONS / 2] = {u, v, u + v, u - v};
        for (int d = 0; d < PLI_FACE_DIRECTIONS / 2; d++) {
            set_if(along[d] > bound, triangle, &facing->faces[k][d]);
            set_if(along[d] < -bound, triangle, &facing->faces[k][d + PLI_FACE_DIRECTIONS / 2]);
        }
    }
}

void pli_face_leaf_c(const float *rows, int32_t triangle_count, PliFacing *facing)
{
    *facing = (PliFacing){.rises = {0}};
    for (int32_t i = 0; i < triangle_count; i++) {
        const float *row = rows + PLI_ROW_SIZE * i;
        add_faces(row, i, facing);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                const float here = row[3 * c + k];
                const bool next_is_low = row[3 * ((c + 1) % 3) + k] < here;
                const bool last_is_low = row[3 * ((c + 2) % 3) + k] < here;
                const int bit = PLI_LEAF_SIZE * c + i;
                facing->rises[k] |= (uint64_t)(next_is_low && !last_is_low) << bit;
                facing->falls[k] |= (uint64_t)(!next_is_low && last_is_low) << bit;
            }
    }
}
