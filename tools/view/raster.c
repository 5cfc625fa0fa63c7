/* Triangles to pixels: see raster.h.
 *
 * Solid triangles are drawn first, then marks, which are compared with them, then veils: what is
 * before the solid ones. Veils are not sorted: each sample adds up colors, those that are nearer
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

/* The nearest mark of a sample. */
typedef struct Mark {
    bool is_any;    /* be it hidden */
    float nearness; /* 0: none, or all are hidden */
    float color[3], cover;
} Mark;

/* A band of rows, in samples. */
typedef struct Band {
    const Raster *raster;
    int32_t width, first_row, row_count;
    float *nearness;
    int32_t *triangles; /* -1: none */
    Mark *marks;
    Veil *veils;
    bool has_kind[RASTER_LINE + 1];
    float nearest;  /* of all triangles of the picture */
    uint8_t *tones; /* of amounts of light */
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

/* Values at the corners as a plane over the screen. */
typedef struct Slope {
    double at_zero, along_x, along_y;
} Slope;

static Slope slope_of(const RasterTriangle *t, const float values[3])
{
    const double ax = t->x[1] - (double)t->x[0], ay = t->y[1] - (double)t->y[0];
    const double bx = t->x[2] - (double)t->x[0], by = t->y[2] - (double)t->y[0];
    const double az = values[1] - (double)values[0], bz = values[2] - (double)values[0];
    const double area = ax * by - ay * bx;
    Slope slope = {.along_x = (az * by - bz * ay) / area * RASTER_STEPS,
                   .along_y = (bz * ax - az * bx) / area * RASTER_STEPS};
    slope.at_zero = values[0] - slope.along_x * ((double)t->x[0] / RASTER_STEPS - 0.5) -
                    slope.along_y * ((double)t->y[0] / RASTER_STEPS - 0.5);
    return slope;
}

static float value_at(const Slope *slope, int64_t x, int32_t row)
{
    return (float)(slope->at_zero + slope->along_x * (double)x + slope->along_y * row);
}

/* A triangle, as its samples are drawn. */
typedef struct Drawn {
    const RasterTriangle *triangle;
    int32_t number;
    Slope nearness, heat;
} Drawn;

typedef void DrawSample(Band *band, const Drawn *drawn, size_t at, float nearness, float heat);

static void draw_solid(Band *band, const Drawn *drawn, size_t at, float nearness, float heat)
{
    (void)heat;
    if (nearness > band->nearness[at]) {
        band->nearness[at] = nearness;
        band->triangles[at] = drawn->number;
    }
}

/* How much of a mark shows through what is before it. */
static const float THROUGH[] = {[RASTER_HEAT] = 0.72F, [RASTER_LINE] = 0.5F};

/* Nearness as it would be so much closer to the eye. */
static float lifted(float nearness, float lift)
{
    const float left = 1 - lift * nearness;
    return left > 0 ? nearness / left : INFINITY;
}

/* A line lies in the surfaces that it is the cut of: it is before their heat. */
static void draw_mark(Band *band, const Drawn *drawn, size_t at, float nearness, float heat)
{
    const RasterTriangle *t = drawn->triangle;
    Mark *mark = &band->marks[at];
    if (t->kind == RASTER_HEAT && !(heat > 0))
        return;
    const float before = band->nearness[at], clear = lifted(nearness, t->lifts[0]);
    const float cover = clear >= before                           ? 1
                        : lifted(nearness, t->lifts[1]) >= before ? THROUGH[t->kind]
                                                                  : 0;
    mark->is_any = true;
    const float shown = t->kind == RASTER_LINE ? clear : nearness;
    if (cover == 0 || shown <= mark->nearness)
        return;
    *mark = (Mark){.is_any = true, .nearness = shown, .cover = cover};
    const int tone = (int)(heat * (RASTER_TONES - 1) + 0.5F);
    for (int k = 0; k < 3; k++)
        mark->color[k] =
            t->color[k] *
            (t->kind == RASTER_LINE
                 ? 1
                 : band->raster->tones[tone < RASTER_TONES ? tone : RASTER_TONES - 1][k]);
}

static void draw_veil(Band *band, const Drawn *drawn, size_t at, float nearness, float heat)
{
    const RasterTriangle *t = drawn->triangle;
    Veil *veil = &band->veils[at];
    (void)heat;
    if (nearness < band->nearness[at])
        return;
    const float near = nearness / band->nearest, weight = t->cover * near * near * near * near;
    for (int k = 0; k < 3; k++)
        veil->color[k] += weight * t->color[k];
    veil->weight += weight;
    veil->left *= 1 - t->cover;
}

static DrawSample *const DRAW[] = {[RASTER_SOLID] = draw_solid,
                                   [RASTER_VEIL] = draw_veil,
                                   [RASTER_HEAT] = draw_mark,
                                   [RASTER_LINE] = draw_mark};

static void draw_row(Band *band, const Drawn *drawn, int32_t row, int64_t first, int64_t last)
{
    DrawSample *draw_sample = DRAW[drawn->triangle->kind];
    const size_t start = (size_t)(row - band->first_row) * (size_t)band->width;
    for (int64_t x = first; x <= last; x++)
        draw_sample(band, drawn, start + (size_t)x, value_at(&drawn->nearness, x, row),
                    value_at(&drawn->heat, x, row));
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
    Drawn drawn = {.triangle = t, .number = number, .nearness = slope_of(t, t->nearness)};
    if (t->kind == RASTER_HEAT)
        drawn.heat = slope_of(t, t->heat);
    const int64_t left = least(t->x) / RASTER_STEPS - 1, right = most(t->x) / RASTER_STEPS + 1;
    for (int32_t row = first_row; row <= last_row; row++) {
        int64_t first = left > 0 ? left : 0,
                last = right < band->width - 1 ? right : band->width - 1;
        for (int e = 0; e < 3; e++)
            cut_row(&edges[e], row, &first, &last);
        draw_row(band, &drawn, row, first, last);
    }
}

/* ---- Counts ------------------------------------------------------------------------------------
 */

static void count_marks(const Band *band, RasterCount *counts)
{
    const size_t count = (size_t)band->width * (size_t)band->row_count;
    for (size_t i = 0; i < count; i++) {
        const Mark *mark = &band->marks[i];
        if (!mark->is_any)
            continue;
        counts->clear += mark->cover == 1;
        counts->through += mark->cover > 0 && mark->cover < 1;
        counts->hidden += mark->cover == 0;
        if (mark->cover == 0 && counts->hiding)
            counts->hiding[band->raster->triangles[band->triangles[i]].part]++;
    }
}

/* ---- Samples to pixels ------------------------------------------------------------------------
 */

/* How much of a mark shows through veils. */
#define THROUGH_VEILS 0.85F

static void mix(float *color, const float *over, float cover)
{
    for (int k = 0; k < 3; k++)
        color[k] += cover * (over[k] - color[k]);
}

/* A mark or a veil before a color, and before what of it is not background. */
static void cover_by(float *color, float *covered, const float *over, float cover)
{
    mix(color, over, cover);
    *covered += cover * (1 - *covered);
}

/* The background or what is solid, a mark before it, veils before both; the mark shows through them
 * too. Returns how much of it is not background. */
static float color_of(const Band *band, size_t at, const float *background, float *sum)
{
    const Veil *veil = &band->veils[at];
    const Mark *mark = &band->marks[at];
    const int32_t number = band->triangles[at];
    float color[3], covered = number < 0 ? 0 : 1;
    memcpy(color, number < 0 ? background : band->raster->triangles[number].color, sizeof color);
    if (mark->nearness > 0)
        cover_by(color, &covered, mark->color, mark->cover);
    if (veil->weight > 0) {
        const float veils[3] = {veil->color[0] / veil->weight, veil->color[1] / veil->weight,
                                veil->color[2] / veil->weight};
        cover_by(color, &covered, veils, 1 - veil->left);
        if (mark->nearness > 0)
            cover_by(color, &covered, mark->color, THROUGH_VEILS * mark->cover);
    }
    for (int k = 0; k < 3; k++)
        sum[k] += color[k];
    return covered;
}

static void resolve(const Raster *raster, const Band *band, int32_t pixel_row, uint8_t *pixels)
{
    const float share = (float)pixel_row / (float)raster->height;
    float background[3];
    for (int k = 0; k < 3; k++)
        background[k] =
            raster->covers ? 0 : raster->top[k] + (raster->bottom[k] - raster->top[k]) * share;
    const size_t first = (size_t)(pixel_row * RASTER_SIDE - band->first_row) * (size_t)band->width;
    for (int32_t x = 0; x < raster->width; x++) {
        float sum[3] = {0, 0, 0}, covered = 0, whole = RASTER_SIDE * RASTER_SIDE;
        for (int s = 0; s < RASTER_SIDE * RASTER_SIDE; s++)
            covered += color_of(band,
                                first + (size_t)(s / RASTER_SIDE) * (size_t)band->width +
                                    (size_t)(x * RASTER_SIDE + s % RASTER_SIDE),
                                background, sum);
        if (raster->covers) {
            raster->covers[(size_t)pixel_row * (size_t)raster->width + (size_t)x] =
                (uint8_t)(255 * covered / whole + 0.5F);
            whole = covered > 0 ? covered : whole;
        }
        for (int k = 0; k < 3; k++) {
            const float light = sum[k] / whole;
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
    memset(band->marks, 0, count * sizeof *band->marks);
    for (size_t i = 0; i < count; i++)
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

static bool band_make(const Raster *raster, bool has_pixels, Band *band)
{
    const size_t count = (size_t)raster->width * RASTER_SIDE * (size_t)BAND_ROWS * RASTER_SIDE;
    *band = (Band){.raster = raster, .width = raster->width * RASTER_SIDE};
    band->nearness = malloc(count * sizeof *band->nearness);
    band->triangles = malloc(count * sizeof *band->triangles);
    band->marks = malloc(count * sizeof *band->marks);
    band->veils = malloc(count * sizeof *band->veils);
    band->tones = malloc(TONES);
    if (!band->nearness || !band->triangles || !band->marks || !band->veils || !band->tones)
        return false;
    if (has_pixels)
        make_tones(band->tones);
    for (int64_t i = 0; i < 3 * raster->count; i++)
        band->nearest = fmaxf(band->nearest, raster->triangles[i / 3].nearness[i % 3]);
    for (int64_t i = 0; i < raster->count; i++)
        band->has_kind[raster->triangles[i].kind] = true;
    return true;
}

static void band_free(Band *band)
{
    free(band->nearness);
    free(band->triangles);
    free(band->marks);
    free(band->veils);
    free(band->tones);
}

/* One kind after another. */
static void draw_kinds(Band *band)
{
    static const RasterKind order[] = {RASTER_SOLID, RASTER_HEAT, RASTER_LINE, RASTER_VEIL};
    const Raster *raster = band->raster;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (int64_t i = 0; i < raster->count && band->has_kind[order[k]]; i++)
            if (raster->triangles[i].kind == order[k])
                draw(band, &raster->triangles[i], (int32_t)i);
}

bool raster_draw(const Raster *raster, uint8_t *pixels)
{
    Band band;
    const bool is_made = band_make(raster, pixels != NULL, &band);
    for (int32_t row = 0; row < raster->height && is_made; row += BAND_ROWS) {
        const int32_t left = raster->height - row;
        const int32_t count = left < BAND_ROWS ? left : BAND_ROWS;
        band.first_row = row * RASTER_SIDE;
        band.row_count = count * RASTER_SIDE;
        clear(&band);
        draw_kinds(&band);
        if (raster->counts)
            count_marks(&band, raster->counts);
        for (int32_t r = row; r < row + count && pixels; r++)
            resolve(raster, &band, r, pixels + 3 * (size_t)raster->width * (size_t)r);
    }
    band_free(&band);
    return is_made;
}
