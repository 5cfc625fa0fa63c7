/* Where to look from: see focus.h.
 *
 * Small pictures are drawn from many sides, and what is seen in them of the marks is counted. */
#include "view/focus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much of the width or the height the points take. */
#define SHARE 0.6

enum { SMALL_SIDE = 72, YAWS = 12, MAX_ROUNDS = 3 };

/* Some of the segments and pieces tell as much as all. */
enum { MAX_MARKS = 4000 };

/* The sides that pictures are drawn from, those that are liked best first: from a little above. */
static const double PITCHES[] = {14, 40, -14, -40};
enum { PITCH_COUNT = (int)(sizeof PITCHES / sizeof *PITCHES) };
#define FIRST_YAW 25.0

/* Triangles that are drawn for a choice at most: of large models there are fewer sides. */
#define MAX_DRAWN 2e6

/* ---- What is framed -----------------------------------------------------------------------------
 */

/* See focus.h. */
#define AROUND_DEPTH 6.0
#define AROUND_SIZE 0.02

static double distance(const float *p, const float *q)
{
    return hypot(hypot((double)p[0] - q[0], (double)p[1] - q[1]), (double)p[2] - q[2]);
}

static int64_t region_points(const Cut *cut, double size, float *points)
{
    const CutRegion *region = &cut->regions[0];
    const double radius = fmax(AROUND_DEPTH * region->depth, AROUND_SIZE * size);
    int64_t count = 0;
    for (int64_t i = 0; i < region->point_count; i++) {
        const float *point = cut->points[region->first_point + i];
        if (region->depth == 0 || distance(point, region->deepest) <= radius)
            memcpy(points + 3 * count++, point, 3 * sizeof *points);
    }
    return count;
}

Points focus_points(const Cut *cut, double size)
{
    const int64_t room = cut->point_count + 2 * cut->segment_count;
    float *points = malloc((3 * (size_t)room + 1) * sizeof *points);
    if (points && cut->region_count > 0)
        return (Points){points, region_points(cut, size, points)};
    for (int64_t i = 0; i < 6 * cut->segment_count && points; i++)
        points[i] = (float)cut->segments[i / 6].ends[i / 3 % 2][i % 3];
    return (Points){points, points ? 2 * cut->segment_count : 0};
}

typedef struct Box {
    double low[3], high[3];
} Box;

static Box box_of(Points points)
{
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int64_t i = 0; i < 3 * points.count; i++) {
        box.low[i % 3] = fmin(box.low[i % 3], points.items[i]);
        box.high[i % 3] = fmax(box.high[i % 3], points.items[i]);
    }
    const double more = 0.02 * hypot(hypot(box.high[0] - box.low[0], box.high[1] - box.low[1]),
                                     box.high[2] - box.low[2]);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= more;
        box.high[k] += more;
    }
    return box;
}

static bool box_has(const Box *box, double x, double y, double z)
{
    return x >= box->low[0] && x <= box->high[0] && y >= box->low[1] && y <= box->high[1] &&
           z >= box->low[2] && z <= box->high[2];
}

/* The segments and pieces of a cut that are around the points. False: no memory. */
static bool choose_marks(const Focus *focus, Cut *marks)
{
    const Cut *cut = focus->cut;
    const Box box = box_of(focus->points);
    *marks = (Cut){0};
    marks->segments = malloc(((size_t)cut->segment_count + 1) * sizeof *marks->segments);
    marks->pieces = malloc(((size_t)cut->piece_count + 1) * sizeof *marks->pieces);
    if (!marks->segments || !marks->pieces)
        return false;
    for (int64_t i = 0; i < cut->segment_count; i += 1 + cut->segment_count / MAX_MARKS) {
        const double *p = cut->segments[i].ends[0];
        if (box_has(&box, p[0], p[1], p[2]))
            marks->segments[marks->segment_count++] = cut->segments[i];
    }
    for (int64_t i = 0; i < cut->piece_count; i += 1 + cut->piece_count / MAX_MARKS) {
        const float *p = cut->pieces[i].corners[0];
        if (box_has(&box, p[0], p[1], p[2]))
            marks->pieces[marks->piece_count++] = cut->pieces[i];
    }
    return true;
}

/* ---- Small pictures ----------------------------------------------------------------------------
 */

void focus_sketch_parts(const PosedScene *posed, Sketch *sketch)
{
    const float *vertices = posed->vertices;
    for (int32_t p = 0; p < posed->scene->part_count; p++) {
        const ScenePart *part = &posed->scene->parts[p];
        const SketchPart item = {part, p, vertices, posed->styles[p], posed->is_veil[p]};
        sketch_part(sketch, &item);
        vertices += 3 * (size_t)part->vertex_count;
    }
}

typedef struct Trial {
    const PosedScene *posed;
    const Focus *focus;
    const Cut *marks;
    float tones[RASTER_TONES][3];
} Trial;

static bool count_marks(const Trial *trial, const Eye *eye, RasterCount *counts)
{
    Sketch sketch = {.eye = eye};
    focus_sketch_parts(trial->posed, &sketch);
    sketch_heat(&sketch, trial->marks, 1, trial->focus->reach);
    sketch_lines(&sketch, trial->marks, trial->focus->reach);
    const Raster raster = {.width = eye->width,
                           .height = eye->height,
                           .tones = (const float(*)[3])trial->tones,
                           .triangles = sketch.items,
                           .count = sketch.count,
                           .counts = counts};
    const bool is_drawn = !sketch.is_lost && raster_draw(&raster, NULL);
    sketch_free(&sketch);
    return is_drawn;
}

/* The same view as of a large picture, with few pixels. */
static Eye small_eye(const Eye *eye)
{
    Eye small = *eye;
    const int32_t longer = eye->width > eye->height ? eye->width : eye->height;
    small.width = eye->width * SMALL_SIDE / longer;
    small.height = eye->height * SMALL_SIDE / longer;
    small.width = small.width > 0 ? small.width : 1;
    small.height = small.height > 0 ? small.height : 1;
    return small;
}

static void place_eye(const Trial *trial, double yaw, double pitch, Eye *eye)
{
    eye_turn(eye, yaw, pitch);
    eye_frame(eye, trial->focus->points, trial->posed->size, SHARE);
}

/* How much is seen, and how large: marks count as much of the picture as they would have if it was
 * not magnified. */
static bool rate(const Trial *trial, const Eye *eye, double *rating)
{
    RasterCount counts = {0};
    if (!count_marks(trial, eye, &counts))
        return false;
    const double all = (double)(counts.clear + counts.through + counts.hidden);
    const double shown = (double)counts.clear + 0.6 * (double)counts.through;
    const Rectangle box = eye_rectangle(eye, trial->focus->points);
    const double area = (box.right - box.left) * (box.bottom - box.top) / (eye->zoom * eye->zoom);
    *rating = all > 0 ? shown / all * sqrt(sqrt(fmax(area, 0))) : 0;
    return true;
}

/* ---- The choice --------------------------------------------------------------------------------
 */

/* One after another, or every so many: no such step leaves out sides that are alike. */
static int64_t side_stride(const PosedScene *posed)
{
    static const int64_t strides[] = {1, 5, 7, 11, 17};
    double triangles = 1;
    size_t i = 0;
    for (int32_t p = 0; p < posed->scene->part_count; p++)
        triangles += posed->scene->parts[p].triangle_count;
    while (i < 4 && YAWS * PITCH_COUNT / (double)strides[i] * triangles > MAX_DRAWN)
        i++;
    return strides[i];
}

/* Sides that are liked less have to be better by a little: from below, from high above, from
 * behind. */
static bool choose_side(const Trial *trial, Eye *eye)
{
    const int64_t stride = side_stride(trial->posed);
    double best = -1, angles[2] = {FIRST_YAW, PITCHES[0]};
    for (int64_t i = 0; i < YAWS * PITCH_COUNT; i += stride) {
        const int64_t row = i / YAWS;
        const double yaw = FIRST_YAW + 360.0 / YAWS * (double)(i % YAWS), pitch = PITCHES[row];
        double rating;
        place_eye(trial, yaw, pitch, eye);
        const Eye small = small_eye(eye);
        if (!rate(trial, &small, &rating))
            return false;
        rating *= 1 - 0.07 * (double)row + 0.08 * cos(yaw * (M_PI / 180));
        if (rating > best) {
            best = rating;
            angles[0] = yaw;
            angles[1] = pitch;
        }
    }
    place_eye(trial, angles[0], angles[1], eye);
    return true;
}

/* What hides less than this share of the marks stays as it is; of the two parts themselves, less
 * than the second. */
#define MAX_HIDDEN 0.01
#define MAX_SELF_HIDDEN 0.25

static bool is_of_pair(const Trial *trial, int32_t part)
{
    return part == trial->focus->parts[0] || part == trial->focus->parts[1];
}

/* Makes veils of parts that hide too much. *is_new: there are some. */
static bool veil_hiding(const Trial *trial, const Eye *small, int64_t *hiding, bool *is_new)
{
    const int32_t part_count = trial->posed->scene->part_count;
    RasterCount counts = {.hiding = hiding};
    memset(hiding, 0, (size_t)part_count * sizeof *hiding);
    *is_new = false;
    if (!count_marks(trial, small, &counts))
        return false;
    const double all = (double)(counts.clear + counts.through + counts.hidden);
    for (int32_t p = 0; p < part_count; p++)
        if ((double)hiding[p] > (is_of_pair(trial, p) ? MAX_SELF_HIDDEN : MAX_HIDDEN) * all)
            *is_new = trial->posed->is_veil[p] = true;
    return true;
}

static bool choose_veils(const Trial *trial, const Eye *eye)
{
    const Eye small = small_eye(eye);
    int64_t *hiding = malloc(((size_t)trial->posed->scene->part_count + 1) * sizeof *hiding);
    bool is_done = hiding, is_new = true;
    for (int round = 0; round < MAX_ROUNDS && is_done && is_new; round++)
        is_done = veil_hiding(trial, &small, hiding, &is_new);
    free(hiding);
    return is_done;
}

bool focus_choose(const PosedScene *posed, const Focus *focus, bool is_turned, Eye *eye,
                  RasterCount *counts)
{
    Cut marks;
    Trial trial = {.posed = posed, .focus = focus, .marks = &marks};
    bool is_done = choose_marks(focus, &marks);
    if (is_done && is_turned)
        eye_frame(eye, focus->points, posed->size, SHARE);
    else if (is_done)
        is_done = choose_side(&trial, eye);
    is_done = is_done && choose_veils(&trial, eye);
    const Eye small = small_eye(eye);
    *counts = (RasterCount){0};
    is_done = is_done && count_marks(&trial, &small, counts);
    cut_free(&marks);
    return is_done;
}
