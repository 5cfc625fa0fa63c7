/* What is asked of the backend: layers, how much they may be off, volumes. See device.h. */
#include "device.h"

#include <math.h>

static PliantResult bad_argument(const PliantGl *gl, const char *message)
{
    return pli_gl_mistake(gl ? &gl->host : NULL, PLIANT_BAD_ARGUMENT, message);
}

static PliantResult take_current(PliantGl *gl, const PliGlTake *take, const float *corners,
                                 int64_t triangle_count)
{
    gl->info.pass_count = 0;
    gl->info.read_count = 0;
    PliantResult result = pli_gl_upload(gl, corners, triangle_count);
    if (result != PLIANT_OK)
        return result;
    pli_gl_look(gl, take->view);
    return gl->info.kind == PLIANT_GL_LISTS ? pli_gl_lists(take) : pli_gl_stencil(take);
}

PliantResult pliant_gl_take(PliantGl *gl, PliantLayers *layers, PliantWorld *world, PliantBody body,
                            const PliantView *view)
{
    if (!gl || !layers || !world || !view)
        return bad_argument(gl, "gl, layers, world or view: is NULL");
    const float *corners;
    int64_t triangle_count;
    PliantResult result = pliant_body_triangles(world, body, view, &corners, &triangle_count);
    if (result != PLIANT_OK)
        return result;
    if (view->width > gl->most_size || view->height > gl->most_size)
        return pli_gl_mistake(&gl->host, PLIANT_TOO_LARGE,
                              "view: the picture is too large for this context");
    if (triangle_count == 0)
        return pliant_layers_set(layers, view, NULL, 0);
    PliGlScope scope;
    result = pli_gl_enter(gl, &scope);
    if (result != PLIANT_OK)
        return result;
    const PliGlTake take = {gl, layers, view};
    result = take_current(gl, &take, corners, triangle_count);
    pli_gl_leave(gl, &scope);
    return result;
}

/* ---- How much they may be off ------------------------------------------------------------------
 */

/* The spans of a pixel; none beyond the rim. */
typedef struct Line {
    const PliantSpan *spans;
    int32_t count;
} Line;

static Line line_at(const PliantLayers *layers, const PliantView *view, int32_t column, int32_t row)
{
    Line line = {0};
    if (column >= 0 && row >= 0 && column < view->width && row < view->height)
        line.spans = pliant_layers_spans(layers, column, row, &line.count);
    return line;
}

static double length(Line line)
{
    double sum = 0;
    for (int32_t i = 0; i < line.count; i++)
        sum += (double)line.spans[i].high - line.spans[i].low;
    return sum;
}

/* What just one of two has inside. */
static double difference(Line a, Line b)
{
    double common = 0;
    for (int32_t i = 0, k = 0; i < a.count && k < b.count;) {
        const PliantSpan p = a.spans[i], q = b.spans[k];
        double low = p.low > q.low ? p.low : q.low, high = p.high < q.high ? p.high : q.high;
        common += high > low ? high - low : 0;
        if (p.high < q.high)
            i++;
        else
            k++;
    }
    return length(a) + length(b) - 2 * common;
}

/* Over all pairs of neighbours, those beyond the rim among them. */
static double all_differences(const PliantLayers *layers, const PliantView *view)
{
    double sum = 0;
    for (int32_t row = 0; row <= view->height; row++)
        for (int32_t column = 0; column <= view->width; column++) {
            Line here = line_at(layers, view, column, row);
            if (row < view->height)
                sum += difference(here, line_at(layers, view, column - 1, row));
            if (column < view->width)
                sum += difference(here, line_at(layers, view, column, row - 1));
        }
    return sum;
}

/* The terms are explained in the header. Of 2^-20 * n * r, which is 16 n r in units of 2^-24, the
 * greatest error of a rounding: the difference from the rim, the scale and their product, which is
 * at most 2 r, have 6 r; 1 is taken away, 3 r more; in pixels that is 4.5 n r. To get there are a
 * product and a sum: 2.5 n r. A corner that is made where a triangle is clipped at the rim is a
 * point of the edge, but for a product and a sum again: 3 n r. A plane that is worked out at a
 * pixel n away from where it starts is as if three more had moved. That is 13 n r. Depths are the
 * same without pixels, and are so twice in a span: 2 * (4.5 + 1 + 2.5) h r = 16 h r. The rounding
 * of the depth itself is in the error of the volume already. */
double pliant_gl_moved(const PliantGl *gl, const PliantLayers *layers, double reach)
{
    if (!gl || !layers)
        return 0;
    const PliantLayersInfo info = pliant_layers_info(layers);
    const PliantView *view = &info.view;
    if (view->width == 0 || info.span_count == 0)
        return 0;
    double size[3];
    for (int i = 0; i < 3; i++) {
        int k = ((int)view->axis + 1 + i) % 3;
        size[i] = (double)view->box.high[k] - view->box.low[k];
    }
    double pixel = size[0] / view->width * (size[1] / view->height);
    double wide = view->width > view->height ? view->width : view->height;
    const double rounding = ldexp(fmax(1, reach), -20);
    double moved = ldexp(1, -gl->info.subpixel_bits - 1) + wide * rounding;
    return pixel *
           (moved * all_differences(layers, view) + (double)info.span_count * size[2] * rounding);
}

/* ---- Volumes -----------------------------------------------------------------------------------
 */

static PliantResult read_def(const PliantGl *gl, const PliantVolumeDef *given, PliantVolumeDef *def)
{
    *def = pliant_volume_def_default();
    if (given && !pli_gl_def_read(def, sizeof *def, given, given->struct_size))
        return pli_gl_mistake(&gl->host, PLIANT_BAD_DEF,
                              "def: was not made by its default function");
    if ((unsigned)def->axes >= PLIANT_AXES_ALL)
        return bad_argument(gl, "def.axes: OpenGL looks along one axis");
    if (def->error != 0 || def->relative_error != 0)
        return bad_argument(gl, "def.error: OpenGL looks once");
    return PLIANT_OK;
}

/* How far a body reaches from an end of the box, in boxes. */
static PliantResult find_reach(PliantWorld *world, PliantBody body, const PliantView *view,
                               double *reach)
{
    PliantView whole;
    PliantResult result = pliant_body_view(world, body, 1, &whole);
    if (result != PLIANT_OK)
        return result;
    for (int k = 0; k < 3; k++) {
        double size = (double)view->box.high[k] - view->box.low[k];
        double below = (double)view->box.high[k] - whole.box.low[k];
        double above = (double)whole.box.high[k] - view->box.low[k];
        *reach = fmax(*reach, fmax(below, above) / size);
    }
    return PLIANT_OK;
}

/* One body's layers, and what they may be off. PLIANT_NOT_CLOSED is no failure here: the volume
 * says so. */
static PliantResult take_one(PliantGl *gl, PliantLayers *layers, PliantWorld *world,
                             PliantBody body, const PliantView *view, double *moved)
{
    double reach = 1;
    PliantResult result = find_reach(world, body, view, &reach);
    if (result == PLIANT_OK)
        result = pliant_gl_take(gl, layers, world, body, view);
    if (result != PLIANT_OK && result != PLIANT_NOT_CLOSED)
        return result;
    *moved += pliant_gl_moved(gl, layers, reach);
    return PLIANT_OK;
}

PliantResult pliant_gl_bodies_volume(PliantGl *gl, PliantWorld *world, PliantBody a, PliantBody b,
                                     const PliantVolumeDef *given, PliantVolume *volume)
{
    if (!gl || !world || !volume)
        return bad_argument(gl, "gl, world or volume: is NULL");
    PliantVolumeDef def;
    PliantView view;
    PliantResult result = read_def(gl, given, &def);
    if (result == PLIANT_OK)
        result = pliant_bodies_view(world, a, b, def.resolution, &view);
    if (result != PLIANT_OK)
        return result;
    if (view.width == 0)
        return pliant_bodies_volume(world, a, b, &def, volume); /* knows what nothing is */
    if (def.axes != PLIANT_AXES_SHORTEST)
        view.axis = (PliantAxis)((int)def.axes - (int)PLIANT_AXES_X);
    const bool is_one = a.index == b.index;
    double moved = 0;
    result = take_one(gl, gl->layers[0], world, a, &view, &moved);
    if (result == PLIANT_OK && !is_one)
        result = take_one(gl, gl->layers[1], world, b, &view, &moved);
    if (result == PLIANT_OK && !is_one)
        result = pliant_layers_intersect(gl->layers[0], gl->layers[1]);
    if (result != PLIANT_OK)
        return result;
    result = pliant_layers_volume(gl->layers[0], volume);
    if (result == PLIANT_OK || result == PLIANT_NOT_CLOSED)
        volume->error += moved;
    return result;
}
