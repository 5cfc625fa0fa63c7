/* A moment of a scene as a picture: where the eye is, what has which color. See view.h. */
#include "view/raster.h"
#include "view/view.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAS_PNG
#include <png.h>
#endif

enum { MAX_SIDE = 16384 };
#define MAX_ZOOM 100.0

/* How far a mark is drawn before the place where it is, as a share of the model's size: so that it
 * shows where it is just below a surface. */
#define LIFT 0.006

/* A lens as of a portrait: the tangent of half of what is seen across the shorter side, and how
 * much of that the model takes. */
#define HALF_VIEW 0.23
#define FILLED 0.92

PictureOptions picture_options_default(void)
{
    return (PictureOptions){
        .width = 1600, .height = 1200, .yaw = 25, .pitch = 12, .zoom = 1, .has_self = true};
}

static bool picture_fail(char error[400], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool picture_fail(char error[400], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, 400, format, arguments);
    va_end(arguments);
    return false;
}

typedef struct Picture {
    const Scene *scene;
    const PictureOptions *options;
    float *vertices; /* of all parts, in the world, then as the eye has them: right, up, to it */
    uint8_t *marks;  /* of all triangles of all parts */
    RasterTriangle *triangles;
    int64_t vertex_count, triangle_count, drawn_count;
    double middle[3]; /* of the picture, as the eye has it */
    double distance;  /* from the eye to the middle */
    double size;      /* of the model */
} Picture;

/* ---- Marks ----------------------------------------------------------------------------------- */

/* Where the marks of a part begin; NULL if the scene has no part of that name and size. */
static uint8_t *marks_of(const Picture *picture, const ReportPart *wanted)
{
    uint8_t *marks = picture->marks;
    for (int32_t p = 0; p < picture->scene->part_count; p++) {
        const ScenePart *part = &picture->scene->parts[p];
        if (strcmp(part->name, wanted->name) == 0)
            return part->triangle_count == wanted->triangle_count ? marks : NULL;
        marks += part->triangle_count;
    }
    return NULL;
}

static void mark_contacts(Picture *picture, const Report *report, const CheckContacts *contacts)
{
    for (int64_t h = 0; contacts && h < contacts->count; h++) {
        const CheckContact *contact = &contacts->items[h];
        const ReportPair *pair = &report->pairs[contact->pair];
        uint8_t *a = marks_of(picture, &report->parts[pair->a]),
                *b = marks_of(picture, &report->parts[pair->b]);
        if (!a || !b || (pair->a == pair->b && !picture->options->has_self))
            continue;
        for (int64_t i = 0; i < contact->count; i++) {
            a[contacts->triangles[contact->first + 2 * i]] = 1;
            b[contacts->triangles[contact->first + 2 * i + 1]] = 1;
        }
    }
}

/* ---- The eye --------------------------------------------------------------------------------- */

static bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

/* From the world to right, up and toward the eye, which is turned about y and then lifted. */
static void turn_all(Picture *picture)
{
    const double yaw = picture->options->yaw * (M_PI / 180),
                 pitch = picture->options->pitch * (M_PI / 180);
    const double rows[3][3] = {
        {cos(yaw), 0, -sin(yaw)},
        {-sin(pitch) * sin(yaw), cos(pitch), -sin(pitch) * cos(yaw)},
        {cos(pitch) * sin(yaw), sin(pitch), cos(pitch) * cos(yaw)},
    };
    for (int64_t v = 0; v < picture->vertex_count; v++) {
        float *p = picture->vertices + 3 * v;
        const double x = p[0], y = p[1], z = p[2];
        for (int k = 0; k < 3; k++)
            p[k] = (float)(rows[k][0] * x + rows[k][1] * y + rows[k][2] * z);
    }
}

/* Half of what is seen to the right and up, at a distance of one. */
static void half_views(const PictureOptions *options, double halves[2])
{
    const double shorter = options->width < options->height ? options->width : options->height;
    halves[0] = HALF_VIEW * options->width / shorter;
    halves[1] = HALF_VIEW * options->height / shorter;
}

/* The box of all that is finite, as the eye has it. False if there is nothing. */
static bool find_box(const Picture *picture, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int64_t v = 0; v < picture->vertex_count; v++)
        for (int k = 0; k < 3 && is_finite(picture->vertices + 3 * v); k++) {
            low[k] = fmin(low[k], picture->vertices[3 * v + k]);
            high[k] = fmax(high[k], picture->vertices[3 * v + k]);
        }
    return low[0] <= high[0];
}

/* The least distance from which all of the model is seen along an axis of the screen. */
static double distance_along(const Picture *picture, int axis, double half)
{
    double far = 0;
    for (int64_t v = 0; v < picture->vertex_count; v++) {
        const float *p = picture->vertices + 3 * v;
        if (is_finite(p))
            far = fmax(far,
                       fabs(p[axis] - picture->middle[axis]) / half + (p[2] - picture->middle[2]));
    }
    return far;
}

/* Moves the middle so that there is as much room on one side as on the other. */
static void center(Picture *picture, int axis)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t v = 0; v < picture->vertex_count; v++) {
        const float *p = picture->vertices + 3 * v;
        const double index =
            (p[axis] - picture->middle[axis]) / (picture->distance - (p[2] - picture->middle[2]));
        if (is_finite(p)) {
            low = fmin(low, index);
            high = fmax(high, index);
        }
    }
    picture->middle[axis] += 0.5 * (low + high) * picture->distance;
}

/* So far away that all of the model is seen, and none of it is beside the eye; and so that it is in
 * the middle. Each of the two changes the other: three rounds leave no difference that is seen. */
static bool place_eye(Picture *picture)
{
    double low[3], high[3], halves[2];
    if (!find_box(picture, low, high))
        return false;
    for (int k = 0; k < 3; k++)
        picture->middle[k] = 0.5 * (low[k] + high[k]);
    const double size = hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    picture->size = size > 0 ? size : 1;
    half_views(picture->options, halves);
    for (int round = 0; round < 3; round++) {
        for (int axis = 0; axis < 2 && round > 0; axis++)
            center(picture, axis);
        picture->distance = high[2] - picture->middle[2] + 0.5 * picture->size;
        for (int axis = 0; axis < 2; axis++)
            picture->distance =
                fmax(picture->distance, distance_along(picture, axis, FILLED * halves[axis]));
    }
    return true;
}

/* ---- Colors --------------------------------------------------------------------------------- */

/* As amounts of light: muted, told apart by hue and a little by lightness, and none of them red. */
static const float PART_COLOURS[][3] = {
    {0.43F, 0.48F, 0.55F}, {0.60F, 0.52F, 0.36F}, {0.33F, 0.50F, 0.42F}, {0.49F, 0.43F, 0.58F},
    {0.58F, 0.58F, 0.55F}, {0.27F, 0.44F, 0.55F}, {0.48F, 0.53F, 0.30F}, {0.62F, 0.47F, 0.48F},
};
static const float MARK_COLOUR[3] = {0.85F, 0.02F, 0.02F};
static const float TOP_COLOUR[3] = {0.93F, 0.93F, 0.92F};
static const float BOTTOM_COLOUR[3] = {0.76F, 0.77F, 0.79F};

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
static double light_on(const Picture *picture, const float *const corners[3], double *facing)
{
    double normal[3], to_eye[3], dot = 0, length = 0;
    normal_of(corners, normal);
    for (int k = 0; k < 3; k++) {
        to_eye[k] = picture->middle[k] + (k == 2 ? picture->distance : 0) - corners[0][k];
        dot += normal[k] * to_eye[k];
        length += to_eye[k] * to_eye[k];
    }
    *facing = fabs(dot) / sqrt(length);
    for (int k = 0; k < 3 && dot < 0; k++)
        normal[k] = -normal[k];
    const double light = 0.16 + 0.80 * shine(normal, -0.5, 0.8, 0.75) +
                         0.22 * shine(normal, 0.9, 0.1, 0.4) + 0.10 * *facing;
    return dot < 0 ? 0.7 * light : light;
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* Where a corner is on the screen. False if that is too far off. */
static bool project(const Picture *picture, const float *p, bool is_mark, RasterTriangle *t, int c)
{
    const PictureOptions *options = picture->options;
    double halves[2];
    half_views(options, halves);
    const double away = picture->distance - (p[2] - picture->middle[2]);
    const double x = (p[0] - picture->middle[0]) / away / halves[0] * options->zoom,
                 y = (p[1] - picture->middle[1]) / away / halves[1] * options->zoom;
    const double across = (x + 1) / 2 * options->width * RASTER_UNIT,
                 down = (1 - y) / 2 * options->height * RASTER_UNIT;
    if (!(fabs(across) < RASTER_FAR && fabs(down) < RASTER_FAR))
        return false;
    t->x[c] = (int32_t)lround(across);
    t->y[c] = (int32_t)lround(down);
    t->nearness[c] = (float)(1 / (away - (is_mark ? LIFT * picture->size : 0)));
    return true;
}

static void add_triangle(Picture *picture, const float *const corners[3], int32_t part,
                         bool is_mark)
{
    RasterTriangle *t = &picture->triangles[picture->drawn_count];
    const float *color = PART_COLOURS[(size_t)part % (sizeof PART_COLOURS / sizeof *PART_COLOURS)];
    double facing;
    *t = (RasterTriangle){.is_mark = is_mark};
    for (int c = 0; c < 3; c++)
        if (!is_finite(corners[c]) || !project(picture, corners[c], is_mark, t, c))
            return;
    const double light = light_on(picture, corners, &facing);
    for (int k = 0; k < 3; k++)
        t->color[k] = is_mark ? (float)(MARK_COLOUR[k] * (0.45 + 0.55 * light) + 0.01)
                              : (float)(color[k] * light);
    t->cover = (float)(0.16 + 0.50 * (1 - facing) * (1 - facing));
    picture->drawn_count++;
}

static void add_triangles(Picture *picture)
{
    const float *vertices = picture->vertices;
    const uint8_t *marks = picture->marks;
    for (int32_t p = 0; p < picture->scene->part_count; p++) {
        const ScenePart *part = &picture->scene->parts[p];
        for (int32_t t = 0; t < part->triangle_count; t++) {
            const uint32_t *numbers = part->triangles + 3 * (size_t)t;
            const float *const corners[3] = {vertices + 3 * (size_t)numbers[0],
                                             vertices + 3 * (size_t)numbers[1],
                                             vertices + 3 * (size_t)numbers[2]};
            add_triangle(picture, corners, p, marks[t]);
        }
        vertices += 3 * (size_t)part->vertex_count;
        marks += part->triangle_count;
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */

#ifdef HAS_PNG
static bool save(const PictureOptions *options, const uint8_t *pixels, const char *path,
                 char error[400])
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .format = PNG_FORMAT_RGB,
                       .width = (png_uint_32)options->width,
                       .height = (png_uint_32)options->height};
    return png_image_write_to_file(&image, path, 0, pixels, 0, NULL) != 0 ||
           picture_fail(error, "%s: %s", path, image.message);
}
#else
static bool save(const PictureOptions *options, const uint8_t *pixels, const char *path,
                 char error[400])
{
    (void)options;
    (void)pixels;
    return picture_fail(error, "%s: this build cannot write pictures, libpng was not there", path);
}
#endif

static bool draw(const Picture *picture, const char *path, char error[400])
{
    const PictureOptions *options = picture->options;
    uint8_t *pixels = malloc(3 * (size_t)options->width * (size_t)options->height);
    Raster raster = {.width = options->width,
                     .height = options->height,
                     .is_see_through = options->is_see_through,
                     .triangles = picture->triangles,
                     .count = picture->drawn_count};
    memcpy(raster.top, TOP_COLOUR, sizeof raster.top);
    memcpy(raster.bottom, BOTTOM_COLOUR, sizeof raster.bottom);
    bool is_drawn = pixels && raster_draw(&raster, pixels);
    if (!is_drawn)
        picture_fail(error, "there is no memory left");
    else
        is_drawn = save(options, pixels, path, error);
    free(pixels);
    return is_drawn;
}

static bool check_options(const PictureOptions *options, char error[400])
{
    if (options->width < 1 || options->width > MAX_SIDE || options->height < 1 ||
        options->height > MAX_SIDE)
        return picture_fail(error, "a picture of %d by %d pixels: each side has to be 1 to %d",
                            (int)options->width, (int)options->height, MAX_SIDE);
    if (!(options->zoom >= 1 / MAX_ZOOM && options->zoom <= MAX_ZOOM) || !isfinite(options->yaw) ||
        !isfinite(options->pitch))
        return picture_fail(error, "there is no such view: zoom has to be %g to %g", 1 / MAX_ZOOM,
                            MAX_ZOOM);
    return true;
}

bool picture_write(const Scene *scene, const ScenePose *pose, const Report *report,
                   const CheckContacts *contacts, const PictureOptions *options, const char *path,
                   char error[400])
{
    Picture picture = {
        .scene = scene, .options = options, .vertex_count = scene_vertex_count(scene)};
    if (!check_options(options, error))
        return false;
    for (int32_t p = 0; p < scene->part_count; p++)
        picture.triangle_count += scene->parts[p].triangle_count;
    picture.vertices = calloc((size_t)picture.vertex_count + 1, 3 * sizeof *picture.vertices);
    picture.marks = calloc((size_t)picture.triangle_count + 1, sizeof *picture.marks);
    picture.triangles = calloc((size_t)picture.triangle_count + 1, sizeof *picture.triangles);
    bool is_written = picture.vertices && picture.marks && picture.triangles;
    if (!is_written)
        picture_fail(error, "there is no memory left");
    if (is_written)
        is_written = check_vertices(scene, pose, picture.vertices, error);
    if (is_written) {
        mark_contacts(&picture, report, contacts);
        turn_all(&picture);
        if (place_eye(&picture))
            add_triangles(&picture);
        is_written = draw(&picture, path, error);
    }
    free(picture.vertices);
    free(picture.marks);
    free(picture.triangles);
    return is_written;
}
