/* What is asked of the backend: layers, how much they may be off, volumes. See device.h. */
#include "device.h"

#include <math.h>

static PliantResult capture_current(PliantGl *gl, const PliGlTake *take, const float *corners,
                                    int64_t triangle_count)
{
    gl->info.pass_count = 0;
    gl->info.read_count = 0;
    PliantResult result = pli_gl_upload(gl, corners, triangle_count);
    if (result != PLIANT_OK)
        return result;
    pli_gl_inspect(gl, take->view);
    return gl->info.kind == PLIANT_GL_LISTS ? pli_gl_lists(take) : pli_gl_stencil(take);
}

/* Draws triangles that are there, and reports what OpenGL had to say. */
static PliantResult draw(const PliGlCall *call, const PliGlTake *take, const float *corners,
                         int64_t triangle_count)
{
    PliGlScope scope;
    PliantResult result = pli_gl_enter(take->gl, &scope);
    PLI_GL_CHECK(call, result != PLIANT_BAD_ARGUMENT, result,
                 "the context of gl is not current in this thread");
    if (result == PLIANT_OK) {
        result = capture_current(take->gl, take, corners, triangle_count);
        pli_gl_leave(take->gl, &scope);
    }
    if (result == PLIANT_UNSUPPORTED)
        return pli_gl_report(call, result, "the context of gl is lost");
    if (result == PLIANT_TOO_LARGE)
        return pli_gl_report(call, result, "too many triangles, fragments, or layers in one pixel");
    return result;
}

static PliantResult capture(const PliGlCall *call, const PliGlTake *take, PliantWorld *world,
                            PliantBody body)
{
    const PliantGl *gl = take->gl;
    const PliantView *view = take->view;
    const float *corners;
    int64_t triangle_count;
    PliantResult result = pliant_body_triangles(world, body, view, &corners, &triangle_count);
    if (result != PLIANT_OK)
        return pli_gl_after(call, result, "pliant_body_triangles()");
    PLI_GL_CHECK(call, view->width <= gl->max_size && view->height <= gl->max_size,
                 PLIANT_TOO_LARGE, "view is %d x %d pixels, the context has room for %d x %d",
                 (int)view->width, (int)view->height, (int)gl->max_size, (int)gl->max_size);
    if (triangle_count == 0)
        return pliant_layers_set(take->layers, view, NULL, 0);
    return draw(call, take, corners, triangle_count);
}

PliantResult pliant_gl_capture(PliantGl *gl, PliantLayers *layers, PliantWorld *world,
                               PliantBody body, const PliantView *view)
{
    const PliGlCall call = PLI_GL_CALL(gl ? &gl->host : NULL);
    PLI_GL_CHECK(&call, gl, PLIANT_BAD_ARGUMENT, "gl is NULL");
    PLI_GL_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_GL_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_GL_CHECK(&call, view, PLIANT_BAD_ARGUMENT, "view is NULL");
    return capture(&call, &(PliGlTake){gl, layers, view}, world, body);
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

/* Over all pairs of neighbors, those beyond the rim among them. */
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
static double snapping_error(const PliantGl *gl, const PliantLayers *layers, double reach)
{
    PliantLayersInfo info = pliant_layers_info_default();
    (void)pliant_layers_info(layers, &info);
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
    const double rounding = ldexp(reach, -20);
    double moved = ldexp(1, -gl->info.subpixel_bits - 1) + wide * rounding;
    return pixel *
           (moved * all_differences(layers, view) + (double)info.span_count * size[2] * rounding);
}

PliantResult pliant_gl_snapping_error(const PliantGl *gl, const PliantLayers *layers, double reach,
                                      double *error)
{
    const PliGlCall call = PLI_GL_CALL(gl ? &gl->host : NULL);
    PLI_GL_CHECK(&call, gl, PLIANT_BAD_ARGUMENT, "gl is NULL");
    PLI_GL_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_GL_CHECK(&call, error, PLIANT_BAD_ARGUMENT, "error is NULL");
    PLI_GL_CHECK(&call, isfinite(reach) && reach >= 1, PLIANT_BAD_ARGUMENT,
                 "reach is %g, not finite or below 1", reach);
    *error = snapping_error(gl, layers, reach);
    return PLIANT_OK;
}

/* ---- Volumes -----------------------------------------------------------------------------------
 */

static PliantResult read_def(const PliGlCall *call, const PliantVolumeDef *given,
                             PliantVolumeDef *def)
{
    *def = pliant_volume_def_default();
    PLI_GL_CHECK(call, !given || pli_backend_read(def, sizeof *def, given, given->struct_size),
                 PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_volume_def_default()",
                 given->struct_size);
    PLI_GL_CHECK(call, def->resolution >= 1 && def->resolution <= PLIANT_MAX_PIXELS,
                 PLIANT_BAD_ARGUMENT, "def.resolution is %d, not 1 to %d", (int)def->resolution,
                 PLIANT_MAX_PIXELS);
    PLI_GL_CHECK(call, (unsigned)def->axes < PLIANT_AXES_ALL, PLIANT_BAD_ARGUMENT,
                 "def.axes is %d: OpenGL draws along one axis", (int)def->axes);
    PLI_GL_CHECK(call, def->error == 0 && def->relative_error == 0, PLIANT_BAD_ARGUMENT,
                 "def.error is %g, def.relative_error is %g: OpenGL draws one resolution",
                 def->error, def->relative_error);
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

/* Two bodies in one view, and what they may be off because vertices are snapped. */
typedef struct Common {
    PliantWorld *world;
    PliantBody bodies[2];
    PliantView view;
    const PliantVolumeDef *def;
    double snapping_error;
} Common;

static bool is_one(const Common *common)
{
    const PliantBody a = common->bodies[0], b = common->bodies[1];
    return a.index == b.index && a.serial == b.serial;
}

/* The layers of one body. */
static PliantResult capture_one(const PliGlCall *call, PliantGl *gl, Common *common, int which)
{
    double reach = 1;
    PliantLayers *layers = gl->layers[which];
    const PliantBody body = common->bodies[which];
    const PliantVolumeDef *def = common->def;
    if (def->progress && !def->progress(def->user, which, is_one(common) ? 1 : 2))
        return PLIANT_CANCELLED;
    PliantResult result = find_reach(common->world, body, &common->view, &reach);
    if (result != PLIANT_OK)
        return pli_gl_after(call, result, "pliant_body_view()");
    result = capture(call, &(PliGlTake){gl, layers, &common->view}, common->world, body);
    if (result != PLIANT_OK)
        return result;
    common->snapping_error += snapping_error(gl, layers, reach);
    return PLIANT_OK;
}

static PliantResult capture_both(const PliGlCall *call, PliantGl *gl, Common *common)
{
    PliantResult result = capture_one(call, gl, common, 0);
    if (result != PLIANT_OK || is_one(common))
        return result;
    result = capture_one(call, gl, common, 1);
    return result == PLIANT_OK ? pliant_layers_intersect(gl->layers[0], gl->layers[1]) : result;
}

static PliantResult measure(const PliGlCall *call, PliantGl *gl, Common *common,
                            PliantVolume *volume)
{
    PliantResult result = capture_both(call, gl, common);
    if (result != PLIANT_OK)
        return result;
    result = pliant_layers_volume(gl->layers[0], volume);
    if (result == PLIANT_OK)
        volume->error += common->snapping_error;
    return result;
}

PliantResult pliant_gl_bodies_volume(PliantGl *gl, PliantWorld *world, PliantBody a, PliantBody b,
                                     const PliantVolumeDef *given, PliantVolume *volume)
{
    const PliGlCall call = PLI_GL_CALL(gl ? &gl->host : NULL);
    PLI_GL_CHECK(&call, gl, PLIANT_BAD_ARGUMENT, "gl is NULL");
    PLI_GL_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_GL_CHECK(&call, volume, PLIANT_BAD_ARGUMENT, "volume is NULL");
    PLI_GL_CHECK(&call, pli_backend_may_write(sizeof *volume, volume->struct_size), PLIANT_BAD_DEF,
                 "volume.struct_size is %zu: start from pliant_volume_default()",
                 volume->struct_size);
    PliantVolumeDef def;
    Common common = {.world = world, .bodies = {a, b}, .def = &def};
    PliantResult result = read_def(&call, given, &def);
    if (result != PLIANT_OK)
        return result;
    result = pliant_bodies_view(world, a, b, def.resolution, &common.view);
    if (result != PLIANT_OK)
        return pli_gl_after(&call, result, "pliant_bodies_view()");
    if (common.view.width == 0) /* the core knows what nothing is */
        return pli_gl_after(&call, pliant_bodies_volume(world, a, b, &def, volume),
                            "pliant_bodies_volume()");
    if (def.axes != PLIANT_AXES_SHORTEST)
        common.view.axis = (PliantAxis)((int)def.axes - (int)PLIANT_AXES_X);
    return measure(&call, gl, &common, volume);
}
