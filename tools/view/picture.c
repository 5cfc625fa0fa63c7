/* A moment of a scene as a picture. See view.h. */
#include "report/words.h"
#include "view/focus.h"
#include "view/legend.h"
#include "view/view.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAS_PNG
#include <png.h>
#endif

/* Sides of pictures, in pixels. In small ones there is no room for more than the model. */
enum { MAX_SIDE = 16384, MIN_INSET = 64, MIN_LEGEND = 200 };
#define MAX_ZOOM 100.0

/* Pieces of a heat map are so long, in pixels. */
#define PIECE_PIXELS 6.0

/* And in what is framed, as a part of the depth. */
#define PIECE_DEPTH 0.08

/* A mark shows through surfaces that are not farther before it than this many times the depth. */
#define REACH 1.75

/* The picture of all of the model in the corner of a closer one, as a share of the shorter side. */
#define INSET 0.24

PictureOptions picture_options_default(void)
{
    return (PictureOptions){.width = 1600,
                            .height = 1200,
                            .yaw = NAN,
                            .pitch = NAN,
                            .zoom = 1,
                            .has_self = true,
                            .focus = -1};
}

#define DEFAULT_YAW 25.0
#define DEFAULT_PITCH 12.0

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

static bool no_memory(char error[400])
{
    return picture_fail(error, "there is no memory left");
}

typedef struct Picture {
    const PictureMoment *moment;
    const PictureOptions *options;
    PosedScene posed;
    Cuts *cuts;
    Cut *found;     /* what is drawn of each pair of parts; all zeros: nothing */
    double deepest; /* of these */
    Points points;  /* that fill the picture; or none: all of the model does */
    Eye eye;
    float tones[RASTER_TONES][3];
    Pixels pixels;
    uint8_t *covers; /* of a bare picture: see Raster */
    char *error;
} Picture;

/* ---- What is found -----------------------------------------------------------------------------
 */

/* The part of the scene that a part of the report is; -1 if there is none of that name and size. */
static int32_t scene_part(const Picture *picture, int32_t report_part)
{
    const ReportPart *wanted = &picture->moment->report->parts[report_part];
    const Scene *scene = picture->posed.scene;
    for (int32_t p = 0; p < scene->part_count; p++)
        if (strcmp(scene->parts[p].name, wanted->name) == 0)
            return scene->parts[p].triangle_count == wanted->triangle_count ? p : -1;
    return -1;
}

/* The new pairs of triangles of a pair of parts at the moment. */
static const CheckContact *contact_of(const Picture *picture, int32_t pair)
{
    const CheckContacts *contacts = picture->moment->contacts;
    for (int64_t i = 0; contacts && i < contacts->count; i++)
        if (contacts->items[i].sample == picture->moment->sample && contacts->items[i].pair == pair)
            return &contacts->items[i];
    return NULL;
}

static bool is_contained(const Picture *picture, const ReportPair *pair)
{
    for (int64_t i = 0; i < pair->row_count; i++)
        if (pair->rows[i].sample == picture->moment->sample)
            return pair->rows[i].contained != CONTAINED_NONE;
    return false;
}

static bool parts_of(const Picture *picture, int32_t pair, int32_t parts[2])
{
    const ReportPair *item = &picture->moment->report->pairs[pair];
    parts[0] = scene_part(picture, item->a);
    parts[1] = scene_part(picture, item->b);
    return parts[0] >= 0 && parts[1] >= 0;
}

/* Finds the cut of a pair of parts, if it has one that is to be drawn. */
static bool find_pair(const Picture *picture, int32_t pair, const CutQuery *how)
{
    const PictureMoment *moment = picture->moment;
    const ReportPair *item = &moment->report->pairs[pair];
    const CheckContact *contact = contact_of(picture, pair);
    Cut *cut = &picture->found[pair];
    CutQuery query = *how;
    cut_free(cut);
    if ((!contact && !is_contained(picture, item)) || !parts_of(picture, pair, query.parts))
        return true;
    if (contact) {
        query.pairs = moment->contacts->triangles + contact->first;
        query.pair_count = contact->count;
        query.is_segments_only =
            picture->options->max_pairs > 0 && contact->count > picture->options->max_pairs;
    }
    return cuts_find(picture->cuts, &query, cut, picture->error);
}

static bool find_all(Picture *picture, const CutQuery *how)
{
    const Report *report = picture->moment->report;
    for (int32_t i = 0; i < report->pair_count; i++) {
        const bool is_self = report->pairs[i].a == report->pairs[i].b;
        if ((picture->options->focus >= 0 && picture->options->focus != i) ||
            (is_self && !picture->options->has_self))
            continue;
        if (!find_pair(picture, i, how))
            return false;
        picture->deepest = fmax(picture->deepest, picture->found[i].depth);
    }
    return true;
}

/* ---- The eye -----------------------------------------------------------------------------------
 */

static void turn(Picture *picture)
{
    const PictureOptions *options = picture->options;
    eye_turn(&picture->eye, isnan(options->yaw) ? DEFAULT_YAW : options->yaw,
             isnan(options->pitch) ? DEFAULT_PITCH : options->pitch);
}

static Points all_points(const Picture *picture)
{
    return (Points){picture->posed.vertices, picture->posed.vertex_count};
}

/* All of the model, and all that is found in it. */
static bool frame_all(Picture *picture)
{
    turn(picture);
    picture->eye.zoom = picture->options->zoom;
    if (!eye_place(&picture->eye, all_points(picture)))
        return true;
    const CutQuery how = {.spacing = PIECE_PIXELS * eye_pixel(&picture->eye)};
    return find_all(picture, &how);
}

/* The two parts of a pair stand out. */
static void set_styles(const Picture *picture, const int32_t parts[2])
{
    for (int32_t p = 0; p < picture->posed.scene->part_count; p++)
        picture->posed.styles[p] = p == parts[0]   ? STYLE_FIRST
                                   : p == parts[1] ? STYLE_SECOND
                                                   : STYLE_CONTEXT;
}

/* One place of one pair of parts. */
static bool frame_one(Picture *picture, PictureView *view)
{
    const PictureOptions *options = picture->options;
    const CutQuery how = {.depth_spacing = PIECE_DEPTH};
    const Cut *cut = &picture->found[options->focus];
    int32_t parts[2];
    if (!find_all(picture, &how))
        return false;
    if (!parts_of(picture, options->focus, parts) || cut->region_count + cut->segment_count == 0)
        return frame_all(picture);
    picture->points = focus_points(cut, picture->posed.size);
    if (!picture->points.items)
        return no_memory(picture->error);
    turn(picture);
    set_styles(picture, parts);
    RasterCount counts;
    const Focus focus = {cut, parts, picture->points, REACH * cut->depth};
    if (!focus_choose(&picture->posed, &focus, !isnan(options->yaw) || !isnan(options->pitch),
                      &picture->eye, &counts))
        return no_memory(picture->error);
    picture->eye.zoom *= options->zoom;
    if (view)
        *view = (PictureView){.found = eye_rectangle(&picture->eye, picture->points),
                              .clear = counts.clear,
                              .through = counts.through,
                              .hidden = counts.hidden};
    return true;
}

/* ---- Pixels ------------------------------------------------------------------------------------
 */

static bool raster(const Picture *picture, const Sketch *sketch, const Pixels *pixels,
                   uint8_t *covers)
{
    Raster raster = {.width = pixels->width,
                     .height = pixels->height,
                     .tones = (const float(*)[3])picture->tones,
                     .triangles = sketch->items,
                     .count = sketch->count,
                     .covers = covers};
    memcpy(raster.top, SKETCH_TOP, sizeof raster.top);
    memcpy(raster.bottom, SKETCH_BOTTOM, sizeof raster.bottom);
    return (!sketch->is_lost && raster_draw(&raster, pixels->items)) || no_memory(picture->error);
}

static bool draw_main(const Picture *picture)
{
    Sketch sketch = {.eye = &picture->eye};
    if (picture->eye.distance > 0)
        focus_sketch_parts(&picture->posed, &sketch);
    for (int32_t i = 0; i < picture->moment->report->pair_count; i++) {
        const Cut *cut = &picture->found[i];
        sketch_heat(&sketch, cut, picture->deepest, REACH * cut->depth);
        sketch_lines(&sketch, cut, REACH * cut->depth);
    }
    const bool is_drawn = raster(picture, &sketch, &picture->pixels, picture->covers);
    sketch_free(&sketch);
    return is_drawn;
}

/* All of the model, small and solid, with a frame around what the picture shows. */
static bool sketch_inset(const Picture *picture, const Pixels *inset)
{
    Eye eye = picture->eye;
    Sketch sketch = {.eye = &eye};
    PosedScene solid = picture->posed;
    solid.is_veil = calloc((size_t)solid.scene->part_count + 1, sizeof *solid.is_veil);
    eye.width = inset->width;
    eye.height = inset->height;
    eye.zoom = 1;
    if (solid.is_veil && eye_place(&eye, all_points(picture)))
        focus_sketch_parts(&solid, &sketch);
    const bool is_drawn = solid.is_veil && raster(picture, &sketch, inset, NULL);
    const Rectangle found = eye_rectangle(&eye, picture->points);
    if (is_drawn)
        legend_frame(inset, (int32_t)found.left - 3, (int32_t)found.top - 3,
                     (int32_t)found.right + 4, (int32_t)found.bottom + 4);
    free(solid.is_veil);
    sketch_free(&sketch);
    return is_drawn || no_memory(picture->error);
}

static bool draw_inset(const Picture *picture)
{
    const Pixels *pixels = &picture->pixels;
    const double shorter = pixels->width < pixels->height ? pixels->width : pixels->height;
    const int32_t side = (int32_t)(INSET * shorter);
    const Pixels inset = {side, side, malloc(3 * (size_t)side * (size_t)side + 1)};
    if (!inset.items)
        return no_memory(picture->error);
    const bool is_drawn = side < MIN_INSET || sketch_inset(picture, &inset);
    if (is_drawn && side >= MIN_INSET)
        legend_inset(pixels, &inset);
    free(inset.items);
    return is_drawn;
}

#ifdef HAS_PNG
/* Four bytes a pixel; NULL: no memory. */
static uint8_t *with_covers(const Picture *picture)
{
    const size_t count = (size_t)picture->pixels.width * (size_t)picture->pixels.height;
    uint8_t *items = malloc(4 * count);
    for (size_t i = 0; i < count && items; i++) {
        memcpy(items + 4 * i, picture->pixels.items + 3 * i, 3);
        items[4 * i + 3] = picture->covers[i];
    }
    return items;
}

static bool save(const Picture *picture, const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .format = picture->covers ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB,
                       .width = (png_uint_32)picture->pixels.width,
                       .height = (png_uint_32)picture->pixels.height};
    uint8_t *items = picture->covers ? with_covers(picture) : picture->pixels.items;
    const bool is_saved = items ? png_image_write_to_file(&image, path, 0, items, 0, NULL) != 0 ||
                                      picture_fail(picture->error, "%s: %s", path, image.message)
                                : no_memory(picture->error);
    if (picture->covers)
        free(items);
    return is_saved;
}
enum { CAN_SAVE = true };
#else
enum { CAN_SAVE = false }; /* so that nothing of what draws is in such a build */

static bool save(const Picture *picture, const char *path)
{
    return picture_fail(picture->error,
                        "%s: this build cannot write pictures, libpng was not there", path);
}
#endif

static void draw_legend(const Picture *picture)
{
    const Report *report = picture->moment->report;
    const ReportPair *pair = picture->points.items ? &report->pairs[picture->options->focus] : NULL;
    LegendName names[2] = {{NULL, SKETCH_STYLES[STYLE_FIRST]}, {NULL, SKETCH_STYLES[STYLE_SECOND]}};
    char deepest[40];
    words_length(report, picture->deepest, deepest);
    if (pair) {
        names[0].text = report->parts[pair->a].name;
        names[1].text = report->parts[pair->b].name;
    }
    legend_draw(&picture->pixels, (const float(*)[3])picture->tones, deepest, names,
                !pair                ? 0
                : pair->a == pair->b ? 1
                                     : 2);
}

static bool draw(const Picture *picture, const char *path)
{
    if (!draw_main(picture))
        return false;
    if (picture->options->is_bare)
        return save(picture, path);
    if (picture->points.items && !draw_inset(picture))
        return false;
    if (picture->deepest > 0 && picture->pixels.height >= MIN_LEGEND)
        draw_legend(picture);
    return save(picture, path);
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

static bool check_options(const PictureOptions *options, char error[400])
{
    if (options->width < 1 || options->width > MAX_SIDE || options->height < 1 ||
        options->height > MAX_SIDE)
        return picture_fail(error, "a picture of %d by %d pixels: each side has to be 1 to %d",
                            (int)options->width, (int)options->height, MAX_SIDE);
    if (!(options->zoom >= 1 / MAX_ZOOM && options->zoom <= MAX_ZOOM) || isinf(options->yaw) ||
        isinf(options->pitch))
        return picture_fail(error, "there is no such view: zoom has to be %g to %g", 1 / MAX_ZOOM,
                            MAX_ZOOM);
    return true;
}

static bool make(Picture *picture)
{
    const Scene *scene = picture->posed.scene;
    const PictureOptions *options = picture->options;
    const size_t pair_count = (size_t)picture->moment->report->pair_count;
    picture->pixels = (Pixels){options->width, options->height,
                               malloc(3 * (size_t)options->width * (size_t)options->height)};
    if (options->is_bare)
        picture->covers = malloc((size_t)options->width * (size_t)options->height);
    picture->posed.vertex_count = scene_vertex_count(scene);
    picture->posed.vertices =
        malloc((3 * (size_t)picture->posed.vertex_count + 1) * sizeof *picture->posed.vertices);
    picture->found = calloc(pair_count + 1, sizeof *picture->found);
    picture->posed.is_veil = calloc((size_t)scene->part_count + 1, sizeof(bool));
    picture->posed.styles = calloc((size_t)scene->part_count + 1, sizeof(SketchStyle));
    if (!picture->pixels.items || (options->is_bare && !picture->covers) ||
        !picture->posed.vertices || !picture->found || !picture->posed.is_veil ||
        !picture->posed.styles)
        return no_memory(picture->error);
    for (int32_t p = 0; p < scene->part_count; p++)
        picture->posed.is_veil[p] = options->is_see_through;
    picture->cuts = cuts_create(scene, picture->error);
    return picture->cuts != NULL;
}

static bool pose(Picture *picture)
{
    const Scene *scene = picture->posed.scene;
    float *vertices = picture->posed.vertices;
    if (!cuts_pose(picture->cuts, picture->moment->pose, picture->error))
        return false;
    for (int32_t p = 0; p < scene->part_count; p++) {
        if (!cuts_vertices(picture->cuts, p, vertices, picture->error))
            return false;
        vertices += 3 * (size_t)scene->parts[p].vertex_count;
    }
    picture->posed.size = points_size(all_points(picture));
    return true;
}

static void release(Picture *picture)
{
    for (int32_t i = 0; i < picture->moment->report->pair_count && picture->found; i++)
        cut_free(&picture->found[i]);
    free(picture->found);
    free(picture->points.items);
    free(picture->posed.is_veil);
    free(picture->posed.styles);
    free(picture->posed.vertices);
    free(picture->pixels.items);
    free(picture->covers);
    cuts_free(picture->cuts);
}

bool picture_write(const PictureMoment *moment, const PictureOptions *options, const char *path,
                   PictureView *view, char error[400])
{
    Picture picture = {.moment = moment,
                       .options = options,
                       .posed = {.scene = moment->scene},
                       .eye = {.width = options->width, .height = options->height, .zoom = 1},
                       .error = error};
    if (!check_options(options, error))
        return false;
    if (!CAN_SAVE)
        return save(&picture, path);
    sketch_tones(picture.tones);
    const bool is_written =
        make(&picture) && pose(&picture) &&
        (options->focus < 0 ? frame_all(&picture) : frame_one(&picture, view)) &&
        draw(&picture, path);
    release(&picture);
    return is_written;
}
