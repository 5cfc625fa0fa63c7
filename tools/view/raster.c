/* Triangles to pixels: see raster.h.
 *
 * What can be seen through is not sorted: each sample adds up colors, those that are nearer
 * counting more, and how much of the background is left. After McGuire and Bavoil, "Weighted
 * Blended Order-Independent Transparency", 2013; the order in which triangles come does not matter.
 */
#include "view/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_ROWS = 32, TONES = 4096 };

/* What a sample has of the triangles that can be seen through. */
typedef struct Veil {
    float color[3], weight, left;
} Veil;

/* A band of rows, in samples. */
typedef struct Band {
    int32_t width, first_row, row_count;
    float *nearness;
    int32_t *triangles; /* -1: none */
    Veil *veils;        /* or NULL */
    float nearest;      /* of all triangles of the picture */
    uint8_t *tones;     /* of amounts of light */
} Band;

/* ---- One triangle ---------------------------------------------------------------------------- */

/* Of an edge, as a function of the sample's place: not negative on the inner side. */
typedef struct Edge {
    int64_t at_zero, along_x, along_y;
} Edge;

/* The value at the middle of sample 0, 0, less one for edges whose own samples are the neighbor's:
 * the right and the lower ones. */
static Edge edge_of(const RasterTriangle *t, int from, int to)
{
    const int64_t dx = (int64_t)t->x[to] - t->x[from], dy = (int64_t)t->y[to] - t->y[from];
    const bool is_own = dy > 0 || (dy == 0 && dx < 0);
    return (Edge){.at_zero = dy * (t->x[from] - RASTER_STEPS / 2) * -1 +
                             dx * (t->y[from] - RASTER_STEPS / 2) - (is_own ? 0 : 1),
                  .along_x = dy * RASTER_STEPS,
                  .along_y = -dx * RASTER_STEPS};
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Leaves of the samples of a row those on the inner side of an edge. */
static void cut_row(const Edge *edge, int32_t row, int64_t *first, int64_t *last)
{
    const int64_t here = edge->at_zero + edge->along_y * row;
    if (edge->along_x > 0) {
        const int64_t start = -divide_down(here, edge->along_x);
        *first = start > *first ? start : *first;
    } else if (edge->along_x < 0) {
        const int64_t end = divide_down(here, -edge->along_x);
        *last = end < *last ? end : *last;
    } else if (here < 0)
        *last = *first - 1;
}

/* Nearness as a plane over the screen. */
typedef struct Slope {
    double at_zero, along_x, along_y;
} Slope;

static Slope slope_of(const RasterTriangle *t)
{
    const double ax = t->x[1] - (double)t->x[0], ay = t->y[1] - (double)t->y[0];
    const double bx = t->x[2] - (double)t->x[0], by = t->y[2] - (double)t->y[0];
    const double az = t->nearness[1] - (double)t->nearness[0],
                 bz = t->nearness[2] - (double)t->nearness[0];
    const double area = ax * by - ay * bx;
    Slope slope = {.along_x = (az * by - bz * ay) / area * RASTER_STEPS,
                   .along_y = (bz * ax - az * bx) / area * RASTER_STEPS};
    slope.at_zero = t->nearness[0] - slope.along_x * ((double)t->x[0] / RASTER_STEPS - 0.5) -
                    slope.along_y * ((double)t->y[0] / RASTER_STEPS - 0.5);
    return slope;
}

static void add_veil(const Band *band, Veil *veil, const RasterTriangle *t, float nearness)
{
    const float near = nearness / band->nearest, weight = t->cover * near * near * near * near;
    for (int k = 0; k < 3; k++)
        veil->color[k] += weight * t->color[k];
    veil->weight += weight;
    veil->left *= 1 - t->cover;
}

static void draw_row(Band *band, const RasterTriangle *t, int32_t number, int32_t row,
                     int64_t first, int64_t last, const Slope *slope)
{
    const size_t start = (size_t)(row - band->first_row) * (size_t)band->width;
    for (int64_t x = first; x <= last; x++) {
        const float nearness =
            (float)(slope->at_zero + slope->along_x * (double)x + slope->along_y * row);
        const size_t at = start + (size_t)x;
        if (band->veils && !t->is_mark) {
            add_veil(band, &band->veils[at], t, nearness);
        } else if (nearness > band->nearness[at]) {
            band->nearness[at] = nearness;
            band->triangles[at] = number;
        }
    }
}

static int32_t least(const int32_t *three)
{
    const int32_t two = three[0] < three[1] ? three[0] : three[1];
    return two < three[2] ? two : three[2];
}

static int32_t most(const int32_t *three)
{
    const int32_t two = three[0] > three[1] ? three[0] : three[1];
    return two > three[2] ? two : three[2];
}

static void draw(Band *band, const RasterTriangle *t, int32_t number)
{
    const int64_t low = least(t->y) / RASTER_STEPS - 1, high = most(t->y) / RASTER_STEPS + 1;
    const int64_t end = band->first_row + band->row_count - 1;
    const int32_t first_row = (int32_t)(low > band->first_row ? low : band->first_row),
                  last_row = (int32_t)(high < end ? high : end);
    if (first_row > last_row)
        return;
    const int64_t area = ((int64_t)t->x[1] - t->x[0]) * ((int64_t)t->y[2] - t->y[0]) -
                         ((int64_t)t->y[1] - t->y[0]) * ((int64_t)t->x[2] - t->x[0]);
    if (area == 0)
        return;
    const int second = area > 0 ? 2 : 1, third = 3 - second;
    const Edge edges[3] = {edge_of(t, 0, second), edge_of(t, second, third), edge_of(t, third, 0)};
    const Slope slope = slope_of(t);
    const int64_t left = least(t->x) / RASTER_STEPS - 1, right = most(t->x) / RASTER_STEPS + 1;
    for (int32_t row = first_row; row <= last_row; row++) {
        int64_t first = left > 0 ? left : 0,
                last = right < band->width - 1 ? right : band->width - 1;
        for (int e = 0; e < 3; e++)
            cut_row(&edges[e], row, &first, &last);
        draw_row(band, t, number, row, first, last, &slope);
    }
}

/* ---- Samples to pixels ------------------------------------------------------------------------
 */

/* The background, what can be seen through before it, and a mark before both. */
static void color_of(const Raster *raster, const Band *band, size_t at, const float *background,
                     float *color)
{
    const Veil *veil = band->veils ? &band->veils[at] : NULL;
    const int32_t number = band->triangles[at];
    const bool has_veil = veil && veil->weight > 0;
    float behind[3];
    for (int k = 0; k < 3; k++)
        behind[k] =
            has_veil ? veil->color[k] / veil->weight * (1 - veil->left) + background[k] * veil->left
                     : background[k];
    const float mark = number < 0 ? 0 : has_veil ? 0.85F : 1;
    for (int k = 0; k < 3; k++)
        color[k] += number < 0 ? behind[k]
                               : raster->triangles[number].color[k] * mark + behind[k] * (1 - mark);
}

static void resolve(const Raster *raster, const Band *band, int32_t pixel_row, uint8_t *pixels)
{
    const float share = (float)pixel_row / (float)raster->height;
    float background[3];
    for (int k = 0; k < 3; k++)
        background[k] = raster->top[k] + (raster->bottom[k] - raster->top[k]) * share;
    const size_t first = (size_t)(pixel_row * RASTER_SIDE - band->first_row) * (size_t)band->width;
    for (int32_t x = 0; x < raster->width; x++) {
        float sum[3] = {0, 0, 0};
        for (int s = 0; s < RASTER_SIDE * RASTER_SIDE; s++)
            color_of(raster, band,
                     first + (size_t)(s / RASTER_SIDE) * (size_t)band->width +
                         (size_t)(x * RASTER_SIDE + s % RASTER_SIDE),
                     background, sum);
        for (int k = 0; k < 3; k++) {
            const float light = sum[k] / (RASTER_SIDE * RASTER_SIDE);
            const int tone = (int)(light * (TONES - 1) + 0.5F);
            pixels[3 * x + k] = band->tones[tone < 0 ? 0 : tone >= TONES ? TONES - 1 : tone];
        }
    }
}

/* ---- Bands ----------------------------------------------------------------------------------- */

static void clear(Band *band)
{
    const size_t count = (size_t)band->width * (size_t)band->row_count;
    memset(band->nearness, 0, count * sizeof *band->nearness);
    memset(band->triangles, -1, count * sizeof *band->triangles);
    for (size_t i = 0; i < count && band->veils; i++)
        band->veils[i] = (Veil){.left = 1};
}

/* The bytes of sRGB (IEC 61966-2-1) for amounts of light. */
static void make_tones(uint8_t *tones)
{
    for (int i = 0; i < TONES; i++) {
        const double light = (double)i / (TONES - 1);
        const double tone =
            light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
        tones[i] = (uint8_t)(255 * tone + 0.5);
    }
}

static bool band_make(const Raster *raster, Band *band)
{
    const size_t count = (size_t)raster->width * RASTER_SIDE * (size_t)BAND_ROWS * RASTER_SIDE;
    *band = (Band){.width = raster->width * RASTER_SIDE};
    band->nearness = malloc(count * sizeof *band->nearness);
    band->triangles = malloc(count * sizeof *band->triangles);
    band->veils = raster->is_see_through ? malloc(count * sizeof *band->veils) : NULL;
    band->tones = malloc(TONES);
    if (!band->nearness || !band->triangles || (raster->is_see_through && !band->veils) ||
        !band->tones)
        return false;
    make_tones(band->tones);
    for (int64_t i = 0; i < 3 * raster->count; i++)
        band->nearest = fmaxf(band->nearest, raster->triangles[i / 3].nearness[i % 3]);
    return true;
}

static void band_free(Band *band)
{
    free(band->nearness);
    free(band->triangles);
    free(band->veils);
    free(band->tones);
}

bool raster_draw(const Raster *raster, uint8_t *pixels)
{
    Band band;
    const bool is_made = band_make(raster, &band);
    for (int32_t row = 0; row < raster->height && is_made; row += BAND_ROWS) {
        const int32_t left = raster->height - row;
        const int32_t count = left < BAND_ROWS ? left : BAND_ROWS;
        band.first_row = row * RASTER_SIDE;
        band.row_count = count * RASTER_SIDE;
        clear(&band);
        for (int64_t i = 0; i < raster->count; i++)
            draw(&band, &raster->triangles[i], (int32_t)i);
        for (int32_t r = row; r < row + count; r++)
            resolve(raster, &band, r, pixels + 3 * (size_t)raster->width * (size_t)r);
    }
    band_free(&band);
    return is_made;
}
