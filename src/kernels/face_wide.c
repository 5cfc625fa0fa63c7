/* Which way triangles face, PLI_LANES at a time. The same operations as in face_c.c: see face.h. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

typedef struct Corners {
    Floats at[3][3]; /* corner, coordinate */
} Corners;

static inline void load_corners(const float *rows, Corners *corners)
{
    uint32_t numbers[PLI_LANES];
    Floats low[4], middle[4], high[4];
    for (uint32_t i = 0; i < PLI_LANES; i++)
        numbers[i] = i;
    load_columns(rows, PLI_ROW_SIZE, numbers, 1, 0, low);
    load_columns(rows, PLI_ROW_SIZE, numbers, 1, 4, middle);
    load_columns(rows, PLI_ROW_SIZE, numbers, 1, 5, high); /* not 8: that is past the last row */
    *corners = (Corners){{{low[0], low[1], low[2]},
                          {low[3], middle[0], middle[1]},
                          {middle[2], middle[3], high[3]}}};
}

static inline void add_faces(const Corners *corners, int first, PliFacing *facing)
{
    Floats e[3], f[3], n[3];
    for (int k = 0; k < 3; k++) {
        e[k] = corners->at[1][k] - corners->at[0][k];
        f[k] = corners->at[2][k] - corners->at[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    const Floats s = (magnitude(e[0]) + magnitude(e[1])) + magnitude(e[2]);
    const Floats t = (magnitude(f[0]) + magnitude(f[1])) + magnitude(f[2]);
    const Floats bound = PLI_FACE_ERROR * (s * t) + PLI_FACE_LEAST;
    for (int k = 0; k < 3; k++) {
        const Floats u = n[(k + 1) % 3], v = n[(k + 2) % 3];
        const Floats along[PLI_FACE_DIRECTIONS / 2] = {u, v, u + v, u - v};
        uint16_t *faces = facing->faces[k];
        for (int d = 0; d < PLI_FACE_DIRECTIONS / 2; d++) {
            faces[d] |= (uint16_t)(lanes_below(bound, along[d]) << first);
            faces[d + PLI_FACE_DIRECTIONS / 2] |=
                (uint16_t)(lanes_below(along[d], -bound) << first);
        }
    }
}

/* Where the coordinate of one corner is less than that of another. */
static inline uint64_t is_low(const Corners *corners, int corner, int than, int k)
{
    return lanes_below(corners->at[corner][k], corners->at[than][k]);
}

static inline void add_steps(const Corners *corners, int first, PliFacing *facing)
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            const uint64_t next = is_low(corners, (c + 1) % 3, c, k);
            const uint64_t last = is_low(corners, (c + 2) % 3, c, k);
            facing->rises[k] |= (next & ~last) << (PLI_LEAF_SIZE * c + first);
            facing->falls[k] |= (~next & last) << (PLI_LEAF_SIZE * c + first);
        }
}

void PLI_NAME(pli_face_leaf)(const float *rows, int32_t triangle_count, PliFacing *facing)
{
    PliFacing all = {.rises = {0}};
    for (int first = 0; first < PLI_LEAF_SIZE; first += PLI_LANES) {
        Corners corners;
        load_corners(rows + PLI_ROW_SIZE * first, &corners);
        add_faces(&corners, first, &all);
        add_steps(&corners, first, &all);
    }
    const uint64_t there = ((uint64_t)1 << triangle_count) - 1;
    const uint64_t corners = there | there << PLI_LEAF_SIZE | there << (2 * PLI_LEAF_SIZE);
    for (int k = 0; k < 3; k++) {
        for (int d = 0; d < PLI_FACE_DIRECTIONS; d++)
            all.faces[k][d] &= (uint16_t)there;
        all.rises[k] &= corners;
        all.falls[k] &= corners;
    }
    *facing = all;
}
