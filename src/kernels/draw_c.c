/* Rasterization, in plain C: the reference implementation. See draw.h.
 *
 * Why is there an even number of layers in every pixel? Whether a row crosses an edge, and where,
 * is decided by the two ends of the edge alone, whichever of them comes first. So both triangles
 * that share an edge get the same result. The pixels of a triangle in a row are those from the edge
 * that goes down to the edge that goes up, or the other way round with the opposite winding: a
 * difference of two steps, each of which belongs to an edge. In the sum over a closed mesh every
 * step occurs as often with one sign as with the other, whatever was rounded. Nothing has to be
 * snapped to a grid, and no coordinate is out of range: with |x| and 1 / (high - low) at most 2^149
 * and 2^12 pixels no number here exceeds 2^700.
 */
#include "geom/geom.h"
#include "kernels/kernels.h"

/* The line after a pixel coordinate. NaN is before the first. */
static int32_t line_after(double t, int32_t begin, int32_t end)
{
    const double x = t - 0.5;
    if (!(x > begin))
        return begin;
    if (x > end - 1)
        return end;
    const int32_t line = (int32_t)x;
    return line + (line < x);
}

/* The same in floats. */
static float line_after_float(float t, float begin, float end)
{
    float x = t - 0.5f;
    x = x > begin ? x : begin;
    x = x < end ? x : end;
    const float line = (x + 0x1p23f) - 0x1p23f;
    return line + (line < x ? 1.0f : 0.0f);
}

static bool is_seen(const PliPicture *picture, int side, float low, float high, float slack)
{
    const float origin = picture->box_low[side], scale = picture->box_scale[side];
    const float begin = (float)picture->begin[side], end = (float)picture->end[side];
    const float first = line_after_float((low - origin) * scale - slack, begin, end);
    const float last = line_after_float((high - origin) * scale + slack, begin, end);
    return low <= high && first < last;
}

uint32_t pli_visible_boxes_c(const PliPicture *picture, const float *boxes, int32_t count,
                             float slack)
{
    uint32_t bits = 0;
    for (int32_t i = 0; i < count; i++) {
        const float *near = boxes + picture->axes[2] * count, *far = near + 3 * count;
        bool is_all_seen = near[i] <= picture->reach[1] && far[i] >= picture->reach[0];
        for (int side = 0; side < 2; side++) {
            const float *low = boxes + picture->axes[side] * count, *high = low + 3 * count;
            is_all_seen &= is_seen(picture, side, low[i], high[i], slack);
        }
        bits |= (uint32_t)is_all_seen << i;
    }
    return bits;
}

/* ---- Walls ----------------------------------------------------------------------------------- */

/* The length of a box within the drawn region along an axis; negative if there is none. */
static float overlap(const PliPicture *picture, const PliLeafBoxes *boxes, int side, int i,
                     float scale)
{
    const int axis = picture->axes[side];
    const float low = boxes->low[axis][i], high = boxes->high[axis][i];
    const float first = low > picture->low_ends[side] ? low : picture->low_ends[side];
    const float last = high < picture->high_ends[side] ? high : picture->high_ends[side];
    return (last - first) * scale;
}

static void sum_prisms(const float *x, float *prisms)
{
    for (int k = 0; k < PLI_PRISMS; k++)
        prisms[k] = (x[k] + x[k + 8]) + (x[k + 4] + x[k + 12]);
}

uint32_t pli_find_walls_c(const PliPicture *picture, const float *rows, const PliLeafBoxes *boxes,
                          int32_t count, float *hidden, float *prisms)
{
    float x[PLI_LEAF_SIZE];
    uint32_t bits = 0;
    const int32_t *axes = picture->axes;
    const float scales[3] = {picture->box_scale[0], picture->box_scale[1], picture->depth_scale};
    for (int i = 0; i < PLI_LEAF_SIZE; i++, rows += PLI_ROW_SIZE) {
        float p[3], q[3];
        for (int side = 0; side < 3; side++) {
            p[side] = (rows[3 + axes[side]] - rows[axes[side]]) * scales[side];
            q[side] = (rows[6 + axes[side]] - rows[axes[side]]) * scales[side];
        }
        const float n = p[0] * q[1] - p[1] * q[0], along = fabsf(n);
        const float near = picture->low_ends[2];
        const float height =
            ((rows[axes[2]] - near) + (rows[3 + axes[2]] - near)) + (rows[6 + axes[2]] - near);
        x[i] = i < count ? n * (height * (scales[2] * (1 / 6.0f))) : 0;
        const float size = fabsf(p[1] * q[2] - p[2] * q[1]) + fabsf(p[2] * q[0] - p[0] * q[2]);
        const float w = overlap(picture, boxes, 0, i, scales[0]),
                    h = overlap(picture, boxes, 1, i, scales[1]),
                    d = overlap(picture, boxes, 2, i, scales[2]);
        const float room = 2 * (w + h) * d;
        const bool is_wall = along <= size && w >= 0 && h >= 0 && d >= 0;
        hidden[i] = is_wall ? (room < size ? room : size) : 0;
        bits |= (uint32_t)(hidden[i] != 0) << i;
    }
    if (prisms)
        sum_prisms(x, prisms);
    return bits;
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* A triangle in pixel coordinates. */
typedef struct Triangle {
    double x[3], y[3], z[3];
    int32_t rows[3];       /* after each corner */
    double slopes[3];      /* of the edge from each corner to the next: x by y */
    int lower[3];          /* that edge's end with the lower y */
    double x_step, y_step; /* of depth */
    double nearest, farthest;
} Triangle;

static void set_edges(Triangle *t)
{
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        const int low = t->y[k] < t->y[next] ? k : next, high = k + next - low;
        t->lower[k] = low;
        t->slopes[k] = (t->x[high] - t->x[low]) / (t->y[high] - t->y[low]);
    }
}

static void set_plane(Triangle *t)
{
    const double x1 = t->x[1] - t->x[0], y1 = t->y[1] - t->y[0], z1 = t->z[1] - t->z[0];
    const double x2 = t->x[2] - t->x[0], y2 = t->y[2] - t->y[0], z2 = t->z[2] - t->z[0];
    const double area = x1 * y2 - y1 * x2;
    t->x_step = (z1 * y2 - z2 * y1) / area;
    t->y_step = (z2 * x1 - z1 * x2) / area;
    t->nearest = t->z[0] < t->z[1] ? t->z[0] : t->z[1];
    t->nearest = t->nearest < t->z[2] ? t->nearest : t->z[2];
    t->farthest = t->z[0] > t->z[1] ? t->z[0] : t->z[1];
    t->farthest = t->farthest > t->z[2] ? t->farthest : t->z[2];
}

static Triangle triangle_of(const PliPicture *picture, const float *row)
{
    Triangle t;
    for (int k = 0; k < 3; k++) {
        t.x[k] = ((double)row[3 * k + picture->axes[0]] - picture->low[0]) * picture->scale[0];
        t.y[k] = ((double)row[3 * k + picture->axes[1]] - picture->low[1]) * picture->scale[1];
        t.z[k] = (double)row[3 * k + picture->axes[2]];
        t.rows[k] = line_after(t.y[k], picture->begin[1], picture->end[1]);
    }
    set_edges(&t);
    set_plane(&t);
    return t;
}

/* Where a row crosses the edge from corner k to the next: the column after. */
static int32_t column_of(const PliPicture *picture, const Triangle *t, int k, int32_t row)
{
    const double p = t->x[k], q = t->x[k == 2 ? 0 : k + 1];
    const double x = t->x[t->lower[k]] + (row + 0.5 - t->y[t->lower[k]]) * t->slopes[k];
    return line_after(pli_between(x, p < q ? p : q, p < q ? q : p), picture->begin[0],
                      picture->end[0]);
}

static int64_t draw_row(const PliPicture *picture, const Triangle *t, int32_t row,
                        PliFragment *fragments)
{
    int32_t up = 0, down = 0;
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        if (t->rows[k] <= row && row < t->rows[next])
            up = column_of(picture, t, k, row);
        else if (t->rows[next] <= row && row < t->rows[k])
            down = column_of(picture, t, k, row);
    }
    const int32_t first = up < down ? up : down, end = up < down ? down : up;
    const double z_row = t->z[0] + (row + 0.5 - t->y[0]) * t->y_step;
    for (int32_t column = first; column < end; column++) {
        const double z = z_row + (column + 0.5 - t->x[0]) * t->x_step;
        fragments[column - first] =
            (PliFragment){pli_pixel_of(picture, column, row),
                          (float)pli_between(z, t->nearest, t->farthest), up < down ? 1 : -1};
    }
    return end - first;
}

int64_t pli_draw_triangles_c(const PliPicture *picture, const float *rows, uint32_t bits,
                             PliFragment *fragments)
{
    int64_t count = 0;
    for (; bits; bits &= bits - 1) {
        const float *corners = rows + (size_t)PLI_ROW_SIZE * (size_t)__builtin_ctz(bits);
        if (!pli_is_finite(corners, PLI_ROW_SIZE))
            continue;
        const Triangle t = triangle_of(picture, corners);
        int32_t first = t.rows[0] < t.rows[1] ? t.rows[0] : t.rows[1];
        int32_t end = t.rows[0] > t.rows[1] ? t.rows[0] : t.rows[1];
        first = first < t.rows[2] ? first : t.rows[2];
        end = end > t.rows[2] ? end : t.rows[2];
        for (int32_t row = first; row < end; row++)
            count += draw_row(picture, &t, row, fragments + count);
    }
    return count;
}
