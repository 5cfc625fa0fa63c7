/* Volumes of bodies: see pliant/volume.h. */
#include "base/cpu.h"
#include "world/layers.h"

#include <float.h>
#include <math.h>

/* ---- Views --------------------------------------------------------------------------------------
 */

/* What both bodies can have something in, or an empty box. */
static PliantBox box_in_common(const PliBox *a, const PliBox *b)
{
    PliantBox box;
    for (int k = 0; k < 3; k++) {
        const float low = a->low[k] > b->low[k] ? a->low[k] : b->low[k];
        const float high = a->high[k] < b->high[k] ? a->high[k] : b->high[k];
        box.low[k] = (low < -FLT_MAX ? -FLT_MAX : low) + 0.0f; /* one zero, whoever is first */
        box.high[k] = (high > FLT_MAX ? FLT_MAX : high) + 0.0f;
    }
    return box;
}

/* The box of a body without triangles is NaN, or has its ends the wrong way round. */
static bool is_empty(const PliBox *box)
{
    return !(box->low[0] <= box->high[0]);
}

static double side(const PliantBox *box, int axis)
{
    return (double)box->high[axis] - box->low[axis];
}

/* A box without a volume has no view. */
static PliantView view_of(const PliantBox *box, int32_t resolution)
{
    PliantView view = {.box = *box, .width = resolution, .height = resolution};
    for (int k = 0; k < 3; k++) {
        if (!(side(box, k) > 0))
            return (PliantView){.box = *box};
        if (side(box, k) < side(box, (int)view.axis))
            view.axis = (PliantAxis)k;
    }
    return view;
}

static PLI_NOINLINE PliantView find_view(PliantWorld *world, PliBody *a, PliBody *b,
                                         int32_t resolution)
{
    pli_world_freshen(world, a);
    pli_world_freshen(world, b);
    const PliBox *roots[2] = {&a->pose.bounds.root, &b->pose.bounds.root};
    PliantBox box = box_in_common(roots[0], roots[1]);
    if (is_empty(roots[0]) || is_empty(roots[1]))
        box = pli_nothing();
    return view_of(&box, resolution);
}

#define CHECK_RESOLUTION(world, resolution, name)                                                  \
    PLI_CHECK(&(world)->host, (resolution) >= 1 && (resolution) <= PLIANT_MOST_PIXELS,             \
              PLIANT_BAD_ARGUMENT, name " is %" PRId32 ", not 1 to %d", resolution,                \
              PLIANT_MOST_PIXELS)

PliantResult pliant_body_view(PliantWorld *world, PliantBody body, int32_t resolution,
                              PliantView *view)
{
    return pliant_bodies_view(world, body, body, resolution, view);
}

PliantResult pliant_bodies_view(PliantWorld *world, PliantBody a, PliantBody b, int32_t resolution,
                                PliantView *view)
{
    PLI_CHECK_BODY(world, a, first);
    PLI_CHECK_BODY(world, b, second);
    CHECK_RESOLUTION(world, resolution, "resolution");
    PLI_CHECK(&world->host, view, PLIANT_BAD_ARGUMENT, "view is NULL");
    PliFpMode caller = pli_fp_enter();
    pli_world_start(world);
    *view = find_view(world, first, second, resolution);
    pli_fp_leave(caller);
    return PLIANT_OK;
}

/* ---- One view -----------------------------------------------------------------------------------
 */

static PliantResult see(PliantWorld *world, PliBody *body, const PliantView *view,
                        const PliTile *tile, PliSpans *spans)
{
    PliantResult result = pli_draw(&world->drawing, &body->pose, body->is_closed, view, tile,
                                   &world->kernels, &world->host);
    if (result == PLIANT_OK)
        result = pli_spans_start(spans, view, tile->width, tile->height, &world->host);
    if (result == PLIANT_OK)
        result = pli_spans_add(spans, &(PliTile){0, 0, tile->width, tile->height},
                               world->drawing.fragments.items, world->drawing.fragments.count,
                               world->drawing.ends, &world->host);
    if (result == PLIANT_OK)
        pli_spans_note(spans, &world->drawing);
    return result;
}

static PliantResult measure_tile(PliantWorld *world, PliBody *a, PliBody *b, const PliantView *view,
                                 const PliTile *tile)
{
    PliSpans *spans = world->spans;
    PliantResult result = see(world, a, view, tile, &spans[0]);
    if (result == PLIANT_OK && a != b)
        result = see(world, b, view, tile, &spans[1]);
    if (result == PLIANT_OK && a != b)
        result = pli_spans_intersect(&spans[2], &spans[0], &spans[1], &world->host);
    if (result == PLIANT_OK)
        pli_measure_add(&world->measure, view, tile, a == b ? &spans[0] : &spans[2]);
    return result;
}

/* Sums over all lines of a view. */
static PliantResult measure_lines(PliantWorld *world, PliBody *a, PliBody *b,
                                  const PliantView *view)
{
    PliantResult result = pli_measure_start(&world->measure, view, &world->host);
    const int64_t count = pli_tile_count(view);
    for (int64_t i = 0; i < count && result == PLIANT_OK; i++) {
        const PliTile tile = pli_tile_of(view, i);
        result = measure_tile(world, a, b, view, &tile);
    }
    return result;
}

/* Makes the error of a volume as large as other lattices of lines say that it is. */
static PliantResult try_lattices(PliantWorld *world, PliBody *a, PliBody *b, const PliantView *view,
                                 PliantVolume *volume)
{
    double volumes[PLI_LATTICES];
    for (int i = 0; i < PLI_LATTICES; i++) {
        const PliantView other = pli_lattice_view(view, i);
        const PliantResult result = measure_lines(world, a, b, &other);
        if (result != PLIANT_OK)
            return result;
        PliantVolume found;
        pli_measure_end(&world->measure, &other, &found);
        volumes[i] = found.volume;
    }
    const double error = pli_lattices_error(volumes, volume->volume);
    volume->error = error > volume->error ? error : volume->error;
    return PLIANT_OK;
}

static PliantResult measure_view(PliantWorld *world, PliBody *a, PliBody *b, const PliantView *view,
                                 PliantVolume *volume)
{
    const PliantResult result = measure_lines(world, a, b, view);
    if (result != PLIANT_OK)
        return result;
    pli_measure_end(&world->measure, view, volume);
    return world->measure.is_regular && volume->bad_pixel_count == 0
               ? try_lattices(world, a, b, view, volume)
               : PLIANT_OK;
}

/* ---- As many as it takes --------------------------------------------------------------------- */

/* Nothing was seen that two bodies have in common. If it is sure that there is nothing, the volume
 * is zero without any error. A line that shows that a surface is not closed is as good as that of a
 * pixel. */
static PliantResult make_sure(PliantWorld *world, PliBody *a, PliBody *b, PliantVolume *volume)
{
    bool is_nothing;
    const PliantResult result = pli_world_find_nothing(world, a, b, &is_nothing);
    if (is_nothing)
        volume->error = 0;
    if (result == PLIANT_NOT_CLOSED)
        volume->bad_pixel_count = 1;
    return result == PLIANT_NOT_CLOSED ? PLIANT_OK : result;
}

static bool is_better(const PliantVolume *one, const PliantVolume *other)
{
    return one->bad_pixel_count != other->bad_pixel_count
               ? one->bad_pixel_count < other->bad_pixel_count
               : one->error < other->error;
}

/* Of three views, the one with the fewest bad pixels, and of these with the least error, which is
 * made so large that it reaches what the others have found, errors included: one of them is wrong
 * else. */
static PliantVolume best_of(const PliantVolume volumes[3])
{
    PliantVolume best = volumes[0];
    for (int k = 1; k < 3; k++)
        if (is_better(&volumes[k], &best))
            best = volumes[k];
    const double error = best.error;
    for (int k = 0; k < 3; k++) {
        const double apart = fabs(volumes[k].volume - best.volume) - volumes[k].error;
        best.error = apart > error && apart > best.error ? apart : best.error;
        if (volumes[k].bad_pixel_count > best.bad_pixel_count)
            best.bad_pixel_count = volumes[k].bad_pixel_count;
    }
    return best;
}

/* `are_one` says whether all views that were looked at agree. */
static PliantResult measure_axes(PliantWorld *world, PliBody *a, PliBody *b, PliantAxes axes,
                                 PliantView view, PliantVolume *volume, bool *are_one)
{
    *are_one = true;
    if (axes != PLIANT_AXES_ALL) {
        if (axes != PLIANT_AXES_SHORTEST)
            view.axis = (PliantAxis)((int)axes - PLIANT_AXES_X);
        return measure_view(world, a, b, &view, volume);
    }
    PliantVolume volumes[3];
    PliantResult result = PLIANT_OK;
    for (int k = 0; k < 3 && result == PLIANT_OK; k++) {
        view.axis = (PliantAxis)k;
        result = measure_view(world, a, b, &view, &volumes[k]);
    }
    if (result != PLIANT_OK)
        return result;
    *volume = best_of(volumes);
    *are_one = volume->error == volumes[volume->view.axis].error;
    return PLIANT_OK;
}

static PliantAxes axes_along(PliantAxis axis)
{
    return (PliantAxes)((int)axis + PLIANT_AXES_X);
}

static bool is_reached(const PliantVolumeDef *def, const PliantVolume *volume)
{
    return (def->error == 0 && def->relative_error == 0) || volume->error <= def->error ||
           volume->error <= def->relative_error * volume->volume;
}

/* Errors fall with the square of the resolution, or with the resolution: so at least as fine as the
 * first would need, but no more than four times as fine as the last. */
static int32_t finer(const PliantVolumeDef *def, const PliantVolume *volume)
{
    const double wanted = def->relative_error * volume->volume;
    const double ratio = volume->error / (def->error > wanted ? def->error : wanted);
    const double factor = !(ratio < 16) ? 4 : ratio > 2 ? sqrt(ratio) : 1.5;
    const double resolution = volume->view.width * factor + 1;
    return resolution < def->most_resolution ? (int32_t)resolution : def->most_resolution;
}

static PLI_NOINLINE PliantResult measure(PliantWorld *world, PliBody *a, PliBody *b,
                                         const PliantVolumeDef *def, PliantVolume *volume)
{
    pli_world_start(world);
    PliantView view = find_view(world, a, b, def->resolution);
    *volume = (PliantVolume){.view = view, .box = pli_nothing(), .is_reached = true};
    if (view.width == 0)
        return PLIANT_OK;
    pli_world_look(world, a);
    if (a != b)
        pli_world_look(world, b);
    bool are_one;
    PliantResult result = measure_axes(world, a, b, def->axes, view, volume, &are_one);
    if (result == PLIANT_OK && !is_reached(def, volume) && volume->volume == 0 && a != b)
        result = make_sure(world, a, b, volume);
    while (result == PLIANT_OK && !is_reached(def, volume) &&
           volume->view.width < def->most_resolution && volume->bad_pixel_count == 0) {
        view = volume->view;
        view.width = view.height = finer(def, volume);
        const bool are_all = def->axes == PLIANT_AXES_ALL && !are_one;
        result = measure_axes(world, a, b, are_all ? PLIANT_AXES_ALL : axes_along(view.axis), view,
                              volume, &are_one);
    }
    pli_world_count(world, a);
    if (a != b)
        pli_world_count(world, b);
    if (result != PLIANT_OK)
        return result;
    volume->is_reached = is_reached(def, volume);
    return volume->bad_pixel_count > 0 ? PLIANT_NOT_CLOSED : PLIANT_OK;
}

/* ---- The public calls --------------------------------------------------------------------------
 */

PliantVolumeDef pliant_volume_def_default(void)
{
    return (PliantVolumeDef){.struct_size = sizeof(PliantVolumeDef),
                             .resolution = 128,
                             .most_resolution = PLIANT_MOST_PIXELS};
}

static PliantResult check_def(const PliantWorld *world, const PliantVolumeDef *given,
                              PliantVolumeDef *def)
{
    const PliantHost *host = &world->host;
    *def = pliant_volume_def_default();
    PLI_CHECK(host,
              !given || pli_def_read(def, sizeof *def, sizeof *def, given, given->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_volume_def_default()",
              given ? given->struct_size : 0);
    CHECK_RESOLUTION(world, def->resolution, "def.resolution");
    PLI_CHECK(host, (unsigned)def->axes <= PLIANT_AXES_ALL, PLIANT_BAD_ARGUMENT, "def.axes is %d",
              (int)def->axes);
    PLI_CHECK(host, def->error >= 0, PLIANT_BAD_ARGUMENT, "def.error is %g", def->error);
    PLI_CHECK(host, def->relative_error >= 0, PLIANT_BAD_ARGUMENT, "def.relative_error is %g",
              def->relative_error);
    CHECK_RESOLUTION(world, def->most_resolution, "def.most_resolution");
    return PLIANT_OK;
}

PliantResult pliant_body_volume(PliantWorld *world, PliantBody body, const PliantVolumeDef *def,
                                PliantVolume *volume)
{
    return pliant_bodies_volume(world, body, body, def, volume);
}

PliantResult pliant_bodies_volume(PliantWorld *world, PliantBody a, PliantBody b,
                                  const PliantVolumeDef *given, PliantVolume *volume)
{
    PLI_CHECK_BODY(world, a, first);
    PLI_CHECK_BODY(world, b, second);
    PLI_CHECK(&world->host, volume, PLIANT_BAD_ARGUMENT, "volume is NULL");
    PliantVolumeDef def;
    PliantResult result = check_def(world, given, &def);
    if (result != PLIANT_OK)
        return result;
    PliantVolume found;
    PliFpMode caller = pli_fp_enter();
    result = measure(world, first, second, &def, &found);
    pli_fp_leave(caller);
    if (result == PLIANT_OK || result == PLIANT_NOT_CLOSED)
        *volume = found;
    return result;
}

/* ---- Triangles ---------------------------------------------------------------------------------
 */

static PLI_NOINLINE PliantResult list_triangles(PliantWorld *world, PliBody *body,
                                                const PliantView *view)
{
    pli_world_start(world);
    pli_world_freshen(world, body);
    PliantResult result =
        pli_list_triangles(&world->drawing, &body->pose, view, &world->kernels, &world->host);
    pli_world_count(world, body);
    return result;
}

PliantResult pliant_body_triangles(PliantWorld *world, PliantBody name, const PliantView *view,
                                   const float **corners, int64_t *triangle_count)
{
    PLI_CHECK_BODY(world, name, body);
    PLI_CHECK(&world->host, corners, PLIANT_BAD_ARGUMENT, "corners is NULL");
    PLI_CHECK(&world->host, triangle_count, PLIANT_BAD_ARGUMENT, "triangle_count is NULL");
    PliantResult result = pli_view_check(view, &world->host);
    if (result != PLIANT_OK)
        return result;
    PliFpMode caller = pli_fp_enter();
    result = list_triangles(world, body, view);
    pli_fp_leave(caller);
    if (result != PLIANT_OK)
        return result;
    *corners = world->drawing.rows.items;
    *triangle_count = world->drawing.rows.count / PLI_ROW_SIZE;
    return PLIANT_OK;
}
