/* Rasterization, PLI_LANES / 2 triangles at a time, since pixel coordinates are doubles. The same
 * operations as in draw_c.c in each lane, in the same order. See draw.h. */
#include "kernels/kernels.h"
#include "kernels/wide_doubles.h"

/* The line after a pixel coordinate. Adding 2^52 to a number from 0 to 2^51 rounds it. */
static inline Doubles lines_after(Doubles t, double begin, double end)
{
    const Doubles x = least(most(t - 0.5, same(begin)), same(end));
    const Doubles line = (x + 0x1p52) - 0x1p52;
    return line + (Doubles)((Longs)(line < x) & (Longs)same(1));
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

static inline Floats float_lines_after(Floats t, Floats begin, Floats end)
{
    const Floats x = smaller(larger(t - 0.5f, begin), end);
    const Floats line = (x + 0x1p23f) - 0x1p23f;
    return line + (Floats)((Ints)(line < x) & (Ints)all_same(1));
}

/* Which lanes have a line between two ends? */
static inline Ints have_lines(const PliPicture *picture, int side, Floats low, Floats high,
                              float slack)
{
    const Floats origin = all_same(picture->box_low[side]);
    const Floats scale = all_same(picture->box_scale[side]);
    const Floats begin = all_same((float)picture->begin[side]);
    const Floats end = all_same((float)picture->end[side]);
    const Floats first = float_lines_after((low - origin) * scale - slack, begin, end);
    const Floats last = float_lines_after((high - origin) * scale + slack, begin, end);
    return (low <= high) & (first < last);
}

/* As many boxes as there are lanes, of rows of `count`. */
static inline uint32_t see_some(const PliPicture *picture, const float *boxes, int32_t count,
                                float slack)
{
    const float *near = boxes + picture->axes[2] * count;
    Ints seen = (load_floats(near) <= picture->reach[1]) &
                (load_floats(near + 3 * count) >= picture->reach[0]);
    for (int side = 0; side < 2; side++) {
        const float *low = boxes + picture->axes[side] * count;
        seen &= have_lines(picture, side, load_floats(low), load_floats(low + 3 * count), slack);
    }
    return int_lanes(seen);
}

uint32_t PLI_NAME(pli_visible_boxes)(const PliPicture *picture, const float *boxes, int32_t count,
                                     float slack)
{
#if PLI_LANES == 16
    float twice[6 * 16]; /* boxes of a node are half as many as there are lanes */
    for (int row = 0; row < 12 && count == 8; row++)
        memcpy(twice + 8 * row, boxes + 8 * (row / 2), 8 * sizeof(float));
    if (count == 8)
        return see_some(picture, twice, 16, slack) & 0xff;
#endif
    uint32_t bits = 0;
    for (int32_t i = 0; i < count; i += PLI_LANES)
        bits |= see_some(picture, boxes + i, count, slack) << i;
    return bits;
}

/* ---- Walls ----------------------------------------------------------------------------------- */

static const uint32_t IN_ORDER[PLI_LEAF_SIZE] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                 8, 9, 10, 11, 12, 13, 14, 15};

static inline Floats overlaps(const PliPicture *picture, const PliLeafBoxes *boxes, int side, int i,
                              float scale)
{
    const int axis = picture->axes[side];
    return (smaller(load_floats(boxes->high[axis] + i), all_same(picture->high_ends[side])) -
            larger(load_floats(boxes->low[axis] + i), all_same(picture->low_ends[side]))) *
           scale;
}

typedef float Sums __attribute__((vector_size(4 * PLI_PRISMS)));

static inline void sum_prisms(const float *x, float *prisms)
{
    Sums parts[4];
    memcpy(parts, x, sizeof parts);
    const Sums sums = (parts[0] + parts[2]) + (parts[1] + parts[3]);
    memcpy(prisms, &sums, sizeof sums);
}

uint32_t PLI_NAME(pli_find_walls)(const PliPicture *picture, const float *rows,
                                  const PliLeafBoxes *boxes, int32_t count, float *hidden,
                                  float *prisms)
{
    const int32_t *axes = picture->axes;
    const float scales[3] = {picture->box_scale[0], picture->box_scale[1], picture->depth_scale};
    uint32_t bits = 0;
    float x[PLI_LEAF_SIZE];
    for (int i = 0; i < PLI_LEAF_SIZE; i += PLI_LANES) {
        Floats columns[3][4]; /* floats 0 to 3, 4 to 7, and 5 to 8: the last row ends there */
        load_columns(rows, PLI_ROW_SIZE, IN_ORDER + i, 1, 0, columns[0]);
        load_columns(rows, PLI_ROW_SIZE, IN_ORDER + i, 1, 4, columns[1]);
        load_columns(rows, PLI_ROW_SIZE, IN_ORDER + i, 1, 5, columns[2]);
        const Floats corners[3][3] = {{columns[0][0], columns[0][1], columns[0][2]},
                                      {columns[0][3], columns[1][0], columns[1][1]},
                                      {columns[1][2], columns[1][3], columns[2][3]}};
        Floats p[3], q[3];
        for (int side = 0; side < 3; side++) {
            p[side] = (corners[1][axes[side]] - corners[0][axes[side]]) * scales[side];
            q[side] = (corners[2][axes[side]] - corners[0][axes[side]]) * scales[side];
        }
        const Floats n = p[0] * q[1] - p[1] * q[0], along = magnitude(n);
        if (prisms) {
            const Floats near = all_same(picture->low_ends[2]);
            const Floats height = ((corners[0][axes[2]] - near) + (corners[1][axes[2]] - near)) +
                                  (corners[2][axes[2]] - near);
            const Floats prism = n * (height * all_same(scales[2] * (1 / 6.0f)));
            Ints numbers;
            memcpy(&numbers, IN_ORDER + i, sizeof numbers);
            const Floats below = (Floats)((Ints)prism & (numbers < count));
            memcpy(x + i, &below, sizeof below);
        }
        const Floats size =
            magnitude(p[1] * q[2] - p[2] * q[1]) + magnitude(p[2] * q[0] - p[0] * q[2]);
        const Floats w = overlaps(picture, boxes, 0, i, scales[0]),
                     h = overlaps(picture, boxes, 1, i, scales[1]),
                     d = overlaps(picture, boxes, 2, i, scales[2]);
        const Floats room = 2 * (w + h) * d;
        const Ints is_wall = (along <= size) & (w >= 0) & (h >= 0) & (d >= 0);
        const Floats least_room = smaller(room, size);
        const Floats all = (Floats)((Ints)least_room & is_wall);
        memcpy(hidden + i, &all, sizeof all);
        bits |= int_lanes(all != 0) << i;
    }
    if (prisms)
        sum_prisms(x, prisms);
    return bits;
}

/* ---- Triangles ------------------------------------------------------------------------------- */

typedef struct Triangles {
    Doubles x[3], y[3], z[3];
    Doubles rows[3];
    Doubles slopes[3], lower_x[3], lower_y[3], left[3], right[3]; /* of edges */
    Doubles x_step, y_step, nearest, farthest;
} Triangles;

static inline Triangles triangles_of(const PliPicture *picture, float (*columns)[PLI_LANES],
                                     int first)
{
    Triangles t;
    for (int k = 0; k < 3; k++) {
        t.x[k] = (load_doubles(columns[3 * k + picture->axes[0]] + first) - picture->low[0]) *
                 picture->scale[0];
        t.y[k] = (load_doubles(columns[3 * k + picture->axes[1]] + first) - picture->low[1]) *
                 picture->scale[1];
        t.z[k] = load_doubles(columns[3 * k + picture->axes[2]] + first);
        t.rows[k] = lines_after(t.y[k], picture->begin[1], picture->end[1]);
    }
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        const Longs is_first = t.y[k] < t.y[next];
        t.lower_x[k] = choose_doubles(is_first, t.x[k], t.x[next]);
        t.lower_y[k] = choose_doubles(is_first, t.y[k], t.y[next]);
        const Doubles high_x = choose_doubles(is_first, t.x[next], t.x[k]);
        const Doubles high_y = choose_doubles(is_first, t.y[next], t.y[k]);
        t.slopes[k] = (high_x - t.lower_x[k]) / (high_y - t.lower_y[k]);
        t.left[k] = least(t.x[k], t.x[next]);
        t.right[k] = most(t.x[k], t.x[next]);
    }
    const Doubles x1 = t.x[1] - t.x[0], y1 = t.y[1] - t.y[0], z1 = t.z[1] - t.z[0];
    const Doubles x2 = t.x[2] - t.x[0], y2 = t.y[2] - t.y[0], z2 = t.z[2] - t.z[0];
    const Doubles area = x1 * y2 - y1 * x2;
    t.x_step = (z1 * y2 - z2 * y1) / area;
    t.y_step = (z2 * x1 - z1 * x2) / area;
    t.nearest = least(least(t.z[0], t.z[1]), t.z[2]);
    t.farthest = most(most(t.z[0], t.z[1]), t.z[2]);
    return t;
}

/* The pixels of each triangle in one row. */
typedef struct Runs {
    double z_row[HALF], x_step[HALF], x[HALF], nearest[HALF], farthest[HALF];
    float depth[HALF];                             /* of the first pixel */
    int32_t first[HALF], end[HALF], winding[HALF]; /* columns */
    int32_t row[HALF];
} Runs;

static inline int64_t write_runs(const PliPicture *picture, const Runs *runs, uint32_t lanes,
                                 PliFragment *fragments)
{
    PliFragment *to = fragments;
    for (; lanes; lanes &= lanes - 1) {
        const int i = __builtin_ctz(lanes);
        int32_t column = runs->first[i], pixel = pli_pixel_of(picture, column, runs->row[i]);
        *to++ = (PliFragment){pixel, runs->depth[i], runs->winding[i]};
        for (column++; column < runs->end[i]; column++) {
            const double z = runs->z_row[i] + (column + 0.5 - runs->x[i]) * runs->x_step[i];
            *to++ =
                (PliFragment){++pixel, (float)pli_between(z, runs->nearest[i], runs->farthest[i]),
                              runs->winding[i]};
        }
    }
    return to - fragments;
}

static inline void store_ints(int32_t *to, Doubles x)
{
    const HalfInts v = __builtin_convertvector(x, HalfInts);
    memcpy(to, &v, sizeof v);
}

/* Draws a row of each triangle, of those lanes where it has one. */
static inline int64_t draw_rows(const PliPicture *picture, const Triangles *t, Doubles row,
                                uint32_t lanes, PliFragment *fragments)
{
    Doubles up = {0}, down = {0};
    const Doubles middle = row + 0.5;
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        const Longs is_from = t->rows[k] <= row, is_to = t->rows[next] <= row;
        const Doubles x = t->lower_x[k] + (middle - t->lower_y[k]) * t->slopes[k];
        const Doubles column = lines_after(least(most(x, t->left[k]), t->right[k]),
                                           picture->begin[0], picture->end[0]);
        up = choose_doubles(is_from & ~is_to, column, up);
        down = choose_doubles(is_to & ~is_from, column, down);
    }
    const Doubles first = least(up, down), end = most(up, down);
    lanes &= bits_of(first < end);
    if (!lanes)
        return 0;
    Runs runs;
    const Doubles z_row = t->z[0] + (middle - t->y[0]) * t->y_step;
    const Doubles z = z_row + (first + 0.5 - t->x[0]) * t->x_step;
    const HalfFloats depth =
        __builtin_convertvector(least(most(z, t->nearest), t->farthest), HalfFloats);
    memcpy(runs.depth, &depth, sizeof depth);
    memcpy(runs.z_row, &z_row, sizeof z_row);
    memcpy(runs.x_step, &t->x_step, sizeof t->x_step);
    memcpy(runs.x, &t->x[0], sizeof t->x[0]);
    memcpy(runs.nearest, &t->nearest, sizeof t->nearest);
    memcpy(runs.farthest, &t->farthest, sizeof t->farthest);
    store_ints(runs.first, first);
    store_ints(runs.end, end);
    store_ints(runs.row, row);
    store_ints(runs.winding, (Doubles)((Longs)(up < down) & (Longs)same(2)) - 1);
    return write_runs(picture, &runs, lanes, fragments);
}

/* x - x is zero if x is finite, else NaN. */
static inline uint32_t finite_lanes(const Triangles *t)
{
    Doubles sum = {0};
    for (int k = 0; k < 3; k++)
        sum += ((t->x[k] - t->x[k]) + (t->y[k] - t->y[k])) + (t->z[k] - t->z[k]);
    return bits_of(sum == 0);
}

/* Loads up to PLI_LANES triangles, those of the lowest bits, as columns. Returns how many. */
static inline int load_triangles(const float *rows, uint32_t *bits, float (*columns)[PLI_LANES])
{
    uint32_t numbers[PLI_LANES] = {0};
    int count = 0;
    for (; count < PLI_LANES && *bits; *bits &= *bits - 1)
        numbers[count++] = (uint32_t)__builtin_ctz(*bits);
    Floats some[4];
    for (int first = 0; first <= 5; first += first == 0 ? 4 : 1) { /* 0, 4 and 5: rows end at 8 */
        load_columns(rows, PLI_ROW_SIZE, numbers, 1, first, some);
        memcpy(columns[first], some, sizeof some);
    }
    return count;
}

int64_t PLI_NAME(pli_draw_triangles)(const PliPicture *picture, const float *rows, uint32_t bits,
                                     PliFragment *fragments)
{
    int64_t count = 0;
    while (bits) {
        float columns[PLI_ROW_SIZE][PLI_LANES];
        const int taken = load_triangles(rows, &bits, columns);
        for (int half = 0; half < taken; half += HALF) {
            const Triangles t = triangles_of(picture, columns, half);
            uint32_t lanes = finite_lanes(&t);
            if (taken - half < HALF)
                lanes &= (1u << (taken - half)) - 1;
            Doubles row = least(least(t.rows[0], t.rows[1]), t.rows[2]);
            const Doubles end = most(most(t.rows[0], t.rows[1]), t.rows[2]);
            for (; (lanes &= bits_of(row < end)) != 0; row += 1)
                count += draw_rows(picture, &t, row, lanes, fragments + count);
        }
    }
    return count;
}
