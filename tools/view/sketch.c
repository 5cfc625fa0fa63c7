/* Parts, depths and cuts as triangles on the screen: see sketch.h. */
#include "view/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Colors ------------------------------------------------------------------------------------
 */

/* As amounts of light: muted, told apart by hue and a little by lightness. */
static const float PART_COLORS[][3] = {
    {0.43F, 0.48F, 0.55F}, {0.55F, 0.50F, 0.40F}, {0.33F, 0.50F, 0.42F}, {0.49F, 0.43F, 0.58F},
    {0.58F, 0.58F, 0.55F}, {0.27F, 0.44F, 0.55F}, {0.44F, 0.50F, 0.34F}, {0.58F, 0.48F, 0.49F},
};
const float SKETCH_STYLES[][3] = {[STYLE_FIRST] = {0.24F, 0.42F, 0.64F},
                                  [STYLE_SECOND] = {0.36F, 0.55F, 0.33F},
                                  [STYLE_CONTEXT] = {0.62F, 0.62F, 0.62F}};
const float SKETCH_TOP[3] = {0.93F, 0.93F, 0.92F};
const float SKETCH_BOTTOM[3] = {0.76F, 0.77F, 0.79F};

/* From shallow to deep, in sRGB. Lightness falls all the way, so that the order is also seen
 * without hues. */
static const uint8_t DEPTH_COLORS[][3] = {
    {255, 244, 168}, {254, 196, 79}, {240, 113, 58}, {184, 36, 104}, {72, 10, 94}};

static double light_of(double tone)
{
    return tone <= 0.04045 ? tone / 12.92 : pow((tone + 0.055) / 1.055, 2.4);
}

void sketch_tones(float tones[RASTER_TONES][3])
{
    const int last = (int)(sizeof DEPTH_COLORS / sizeof *DEPTH_COLORS) - 1;
    for (int i = 0; i < RASTER_TONES; i++) {
        const double at = (double)i / (RASTER_TONES - 1) * last;
        const int from = at < last ? (int)at : last - 1;
        for (int k = 0; k < 3; k++)
            tones[i][k] =
                (float)light_of((DEPTH_COLORS[from][k] + (at - from) * (DEPTH_COLORS[from + 1][k] -
                                                                        DEPTH_COLORS[from][k])) /
                                255);
    }
}

/* ---- Light -------------------------------------------------------------------------------------
 */

static void normal_of(const float *const corners[3], double normal[3])
{
    double e[3], f[3];
    for (int k = 0; k < 3; k++) {
        e[k] = (double)corners[1][k] - corners[0][k];
        f[k] = (double)corners[2][k] - corners[0][k];
    }
    normal[0] = e[1] * f[2] - e[2] * f[1];
    normal[1] = e[2] * f[0] - e[0] * f[2];
    normal[2] = e[0] * f[1] - e[1] * f[0];
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0 ? normal[k] / length : 0;
}

static double shine(const double normal[3], double x, double y, double z)
{
    return fmax(0, (normal[0] * x + normal[1] * y + normal[2] * z) / sqrt(x * x + y * y + z * z));
}

/* A light over the left shoulder, a soft one from the right, some from everywhere. Both sides of a
 * surface are lit, its back less: *facing is how much it faces the eye. */
static double light_on(const Eye *eye, const float *const corners[3], double *facing)
{
    double normal[3], seen[3], position[3], dot = 0, length = 0;
    normal_of(corners, normal);
    eye_position(eye, position);
    for (int k = 0; k < 3; k++) {
        const double to_eye = position[k] - corners[0][k];
        dot += normal[k] * to_eye;
        length += to_eye * to_eye;
    }
    *facing = fabs(dot) / sqrt(length);
    for (int k = 0; k < 3; k++)
        seen[k] = (dot < 0 ? -1 : 1) * (eye->rows[k][0] * normal[0] + eye->rows[k][1] * normal[1] +
                                        eye->rows[k][2] * normal[2]);
    const double light = 0.16 + 0.80 * shine(seen, -0.5, 0.8, 0.75) +
                         0.22 * shine(seen, 0.9, 0.1, 0.4) + 0.10 * *facing;
    return dot < 0 ? 0.7 * light : light;
}

/* ---- Triangles ---------------------------------------------------------------------------------
 */

void sketch_free(Sketch *sketch)
{
    free(sketch->items);
    *sketch = (Sketch){0};
}

static void add(Sketch *sketch, const RasterTriangle *triangle)
{
    if (sketch->count == sketch->capacity) {
        const int64_t capacity = 2 * sketch->capacity + 1024;
        RasterTriangle *larger = realloc(sketch->items, (size_t)capacity * sizeof *larger);
        sketch->is_lost |= !larger;
        if (!larger)
            return;
        sketch->items = larger;
        sketch->capacity = capacity;
    }
    sketch->items[sketch->count++] = *triangle;
}

static bool put_corner(RasterTriangle *t, int corner, const double place[3])
{
    const double across = place[0] * RASTER_UNIT, down = place[1] * RASTER_UNIT;
    if (!(fabs(across) < RASTER_FAR && fabs(down) < RASTER_FAR) || !(place[2] > 0))
        return false;
    t->x[corner] = (int32_t)lround(across);
    t->y[corner] = (int32_t)lround(down);
    t->nearness[corner] = (float)(1 / place[2]);
    return true;
}

static bool is_beside(const Eye *eye, const RasterTriangle *t)
{
    const int32_t right = eye->width * RASTER_UNIT, bottom = eye->height * RASTER_UNIT;
    return (t->x[0] < 0 && t->x[1] < 0 && t->x[2] < 0) ||
           (t->y[0] < 0 && t->y[1] < 0 && t->y[2] < 0) ||
           (t->x[0] > right && t->x[1] > right && t->x[2] > right) ||
           (t->y[0] > bottom && t->y[1] > bottom && t->y[2] > bottom);
}

/* Where the corners are on the screen. False: not on it, or too far off. */
static bool put_corners(const Sketch *sketch, RasterTriangle *t, const float *const corners[3])
{
    for (int c = 0; c < 3; c++) {
        double place[3];
        eye_project(sketch->eye, corners[c], place);
        if (!put_corner(t, c, place))
            return false;
    }
    return !is_beside(sketch->eye, t);
}

/* ---- Lines -------------------------------------------------------------------------------------
 */

/* A pixel, or a thousandth of the picture's shorter side. */
static double stroke_unit(const Eye *eye)
{
    return fmax(1, (eye->width < eye->height ? eye->width : eye->height) / 1000.0);
}

/* A rectangle around a segment, which it is longer than at both ends, so that lines join. */
static void add_line(Sketch *sketch, double ends[2][3], double half_width,
                     const RasterTriangle *like)
{
    const double half = half_width * stroke_unit(sketch->eye);
    const double dx = ends[1][0] - ends[0][0], dy = ends[1][1] - ends[0][1], length = hypot(dx, dy);
    const double along[2] = {length > 0 ? half * dx / length : half,
                             length > 0 ? half * dy / length : 0};
    double corners[4][3];
    for (int c = 0; c < 4; c++) {
        const int end = c == 1 || c == 2, sign = end ? 1 : -1, side = c < 2 ? 1 : -1;
        corners[c][0] = ends[end][0] + sign * along[0] - side * along[1];
        corners[c][1] = ends[end][1] + sign * along[1] + side * along[0];
        corners[c][2] = ends[end][2];
    }
    for (int half_of = 0; half_of < 2; half_of++) {
        RasterTriangle t = *like;
        if (put_corner(&t, 0, corners[0]) && put_corner(&t, 1, corners[1 + half_of]) &&
            put_corner(&t, 2, corners[2 + half_of]) && !is_beside(sketch->eye, &t))
            add(sketch, &t);
    }
}

/* ---- Parts -------------------------------------------------------------------------------------
 */

static const float *color_of(const SketchPart *part)
{
    return part->style == STYLE_ANY
               ? PART_COLORS[(size_t)part->number % (sizeof PART_COLORS / sizeof *PART_COLORS)]
               : SKETCH_STYLES[part->style];
}

/* Draws a triangle with a vertex twice as what it is: a segment, or a point. False if it has three
 * vertices. */
static bool sketch_rod(Sketch *sketch, const SketchPart *part, const uint32_t numbers[3])
{
    static const double half_width = 1.5, light = 0.75;
    const uint32_t second = numbers[1] != numbers[0] ? numbers[1] : numbers[2];
    if (numbers[0] != numbers[1] && numbers[1] != numbers[2] && numbers[2] != numbers[0])
        return false;
    RasterTriangle like = {
        .kind = part->is_veil ? RASTER_VEIL : RASTER_SOLID, .part = part->number, .cover = 0.5F};
    double ends[2][3];
    for (int k = 0; k < 3; k++)
        like.color[k] = (float)(color_of(part)[k] * light);
    eye_project(sketch->eye, part->vertices + 3 * (size_t)numbers[0], ends[0]);
    eye_project(sketch->eye, part->vertices + 3 * (size_t)second, ends[1]);
    add_line(sketch, ends, half_width, &like);
    return true;
}

void sketch_part(Sketch *sketch, const SketchPart *part)
{
    const float *color = color_of(part), *vertices = part->vertices;
    for (int32_t i = 0; i < part->part->triangle_count; i++) {
        const uint32_t *numbers = part->part->triangles + 3 * (size_t)i;
        const float *const corners[3] = {vertices + 3 * (size_t)numbers[0],
                                         vertices + 3 * (size_t)numbers[1],
                                         vertices + 3 * (size_t)numbers[2]};
        RasterTriangle t = {.kind = part->is_veil ? RASTER_VEIL : RASTER_SOLID,
                            .part = part->number};
        double facing;
        if (sketch_rod(sketch, part, numbers) || !put_corners(sketch, &t, corners))
            continue;
        const double light = light_on(sketch->eye, corners, &facing);
        for (int k = 0; k < 3; k++)
            t.color[k] = (float)(color[k] * light);
        t.cover = (float)(0.16 + 0.50 * (1 - facing) * (1 - facing));
        add(sketch, &t);
    }
}

/* ---- Marks -------------------------------------------------------------------------------------
 */

/* How far before a mark a surface hides nothing, in pixels: places are rounded, and a line is
 * wide. */
#define HEAT_LIFT 2.0
#define LINE_LIFT 8.0

void sketch_heat(Sketch *sketch, const Cut *cut, double most, double reach)
{
    const double pixel = eye_pixel(sketch->eye);
    for (int64_t i = 0; i < cut->piece_count && most > 0; i++) {
        const CutPiece *piece = &cut->pieces[i];
        const float *const corners[3] = {piece->corners[0], piece->corners[1], piece->corners[2]};
        RasterTriangle t = {.kind = RASTER_HEAT, .part = -1};
        double facing;
        if (!put_corners(sketch, &t, corners))
            continue;
        const double light = light_on(sketch->eye, corners, &facing);
        for (int k = 0; k < 3; k++) {
            t.color[k] = (float)fmin(1, 0.70 + 0.35 * light);
            t.heat[k] = (float)(piece->depths[k] / most);
        }
        t.lifts[0] = (float)(HEAT_LIFT * pixel);
        t.lifts[1] = (float)(HEAT_LIFT * pixel + reach);
        add(sketch, &t);
    }
}

/* A dark line between two bright ones: half of their widths, in thousandths of the picture's
 * shorter side, but at least in pixels. The dark one is before the bright ones. */
typedef struct Stroke {
    double half_width, lift;
    float light;
} Stroke;
static const Stroke STROKES[] = {{2.4, LINE_LIFT, 0.95F}, {1.2, LINE_LIFT + 6, 0.005F}};

static void add_stroke(Sketch *sketch, double ends[2][3], const Stroke *stroke, double reach)
{
    const double pixel = eye_pixel(sketch->eye);
    RasterTriangle like = {
        .kind = RASTER_LINE, .part = -1, .color = {stroke->light, stroke->light, stroke->light}};
    like.lifts[0] = (float)(stroke->lift * pixel);
    like.lifts[1] = (float)(stroke->lift * pixel + reach);
    add_line(sketch, ends, stroke->half_width, &like);
}

void sketch_lines(Sketch *sketch, const Cut *cut, double reach)
{
    for (int64_t i = 0; i < cut->segment_count; i++) {
        double ends[2][3];
        for (int end = 0; end < 2; end++) {
            const double *p = cut->segments[i].ends[end];
            eye_project(sketch->eye, (const float[]){(float)p[0], (float)p[1], (float)p[2]},
                        ends[end]);
        }
        for (size_t s = 0; s < sizeof STROKES / sizeof *STROKES; s++)
            add_stroke(sketch, ends, &STROKES[s], reach);
    }
}
