/* Volumes of bodies: see pliant/volume.h. */
#include "api/layers.h"
#include "base/cpu.h"
#include "world/crew.h"

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
        box.low[k] = (low < -FLT_MAX ? -FLT_MAX : low) + 0.0f; /* one zero, in either order */
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
    pli_world_update_body(world, a);
    pli_world_update_body(world, b);
    const PliBox *roots[2] = {&a->pose.bounds.root, &b->pose.bounds.root};
    PliantBox box = box_in_common(roots[0], roots[1]);
    if (is_empty(roots[0]) || is_empty(roots[1]))
        box = pli_nothing();
    return view_of(&box, resolution);
}

#define CHECK_RESOLUTION(call, resolution, name)                                                   \
    PLI_CHECK(call, (resolution) >= 1 && (resolution) <= PLIANT_MAX_PIXELS, PLIANT_BAD_ARGUMENT,   \
              name " is %" PRId32 ", not 1 to %d", resolution, PLIANT_MAX_PIXELS)

static PliantResult view_bodies(const PliCall *call, PliantWorld *world, PliBody *a, PliBody *b,
                                int32_t resolution, PliantView *view)
{
    CHECK_RESOLUTION(call, resolution, "resolution");
    PLI_CHECK(call, view, PLIANT_BAD_ARGUMENT, "view is NULL");
    PliFpMode caller = pli_fp_enter();
    pli_world_start(world, NULL, NULL);
    *view = find_view(world, a, b, resolution);
    pli_fp_leave(caller);
    return PLIANT_OK;
}

PliantResult pliant_body_view(PliantWorld *world, PliantBody body, int32_t resolution,
                              PliantView *view)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", body, only);
    return view_bodies(&call, world, only, only, resolution, view);
}

PliantResult pliant_bodies_view(PliantWorld *world, PliantBody a, PliantBody b, int32_t resolution,
                                PliantView *view)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, first);
    PLI_CHECK_BODY(&call, world, "b", b, second);
    return view_bodies(&call, world, first, second, resolution, view);
}

/* ---- One view -----------------------------------------------------------------------------------
 */

/* Two bodies, which may be the same. */
typedef struct Pair {
    PliBody *bodies[2];
    PliSubject subjects[2];
} Pair;

static bool is_one(const Pair *pair)
{
    return pair->bodies[0] == pair->bodies[1];
}

/* Sums over all lines of a view. */
static PliantResult measure_lines(PliantWorld *world, Pair *pair, const PliantView *view)
{
    const int count = is_one(pair) ? 1 : 2;
    const PliantResult result = pli_tiles_measure(&world->tiles, pair->subjects, count, view,
                                                  &world->first.worker, &world->measure);
    for (int i = 0; i < count; i++)
        pli_world_count(world, pair->bodies[i], (PliSide)i);
    return result;
}

/* Makes the error of a volume as large as other lattices of lines say that it is. */
static PliantResult try_lattices(PliantWorld *world, Pair *pair, const PliantView *view,
                                 PliantVolume *volume)
{
    double volumes[PLI_LATTICES];
    for (int i = 0; i < PLI_LATTICES; i++) {
        const PliantView other = pli_lattice_view(view, i);
        PLI_TRY(measure_lines(world, pair, &other));
        PliantVolume found = pliant_volume_default();
        pli_measure_end(&world->measure, &other, &world->first.worker, &found);
        volumes[i] = found.volume;
    }
    const double error = pli_lattices_error(volumes, volume->volume);
    volume->error = error > volume->error ? error : volume->error;
    return PLIANT_OK;
}

static PliantResult measure_view(PliantWorld *world, Pair *pair, const PliantView *view,
                                 PliantVolume *volume)
{
    PLI_TRY(measure_lines(world, pair, view));
    pli_measure_end(&world->measure, view, &world->first.worker, volume);
    return world->measure.is_regular && volume->bad_pixel_count == 0
               ? try_lattices(world, pair, view, volume)
               : PLIANT_OK;
}

/* ---- As many as it takes --------------------------------------------------------------------- */

/* Nothing was seen that two bodies have in common. If it is sure that there is nothing, the volume
 * is zero without any error. A line that shows that a surface is not closed is as good as that of a
 * pixel. */
static PliantResult make_sure(PliantWorld *world, Pair *pair, PliantVolume *volume)
{
    bool is_nothing, is_closed;
    PLI_TRY(pli_world_find_nothing(world, pair->bodies, &is_nothing, &is_closed));
    if (is_nothing)
        volume->error = 0;
    if (!is_closed)
        volume->bad_pixel_count = 1;
    return PLIANT_OK;
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

/* `are_one` says whether all views that were drawn agree. */
static PliantResult measure_axes(PliantWorld *world, Pair *pair, PliantAxes axes, PliantView view,
                                 PliantVolume *volume, bool *are_one)
{
    *are_one = true;
    if (axes != PLIANT_AXES_ALL) {
        if (axes != PLIANT_AXES_SHORTEST)
            view.axis = (PliantAxis)((int)axes - PLIANT_AXES_X);
        return measure_view(world, pair, &view, volume);
    }
    PliantVolume volumes[3];
    for (int k = 0; k < 3; k++) {
        view.axis = (PliantAxis)k;
        PLI_TRY(measure_view(world, pair, &view, &volumes[k]));
    }
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
    return resolution < def->max_resolution ? (int32_t)resolution : def->max_resolution;
}

static PLI_NOINLINE PliantResult measure(PliantWorld *world, Pair *pair, const PliantVolumeDef *def,
                                         PliantVolume *volume)
{
    PliBody *a = pair->bodies[0], *b = pair->bodies[1];
    PliantView view = find_view(world, a, b, def->resolution);
    *volume =
        (PliantVolume){.view = view, .box = pli_nothing(), .is_reached = true, .is_closed = true};
    if (view.width == 0)
        return PLIANT_OK;
    for (int i = 0; i < 2 && (i == 0 || a != b); i++)
        pair->subjects[i] = pli_world_subject(world, pair->bodies[i], (PliSide)i);
    bool are_one;
    PLI_TRY(measure_axes(world, pair, def->axes, view, volume, &are_one));
    if (!is_reached(def, volume) && volume->volume == 0 && a != b)
        PLI_TRY(make_sure(world, pair, volume));
    while (!is_reached(def, volume) && volume->view.width < def->max_resolution &&
           volume->bad_pixel_count == 0) {
        view = volume->view;
        view.width = view.height = finer(def, volume);
        const bool are_all = def->axes == PLIANT_AXES_ALL && !are_one;
        PLI_TRY(measure_axes(world, pair, are_all ? PLIANT_AXES_ALL : axes_along(view.axis), view,
                             volume, &are_one));
    }
    volume->is_reached = is_reached(def, volume);
    volume->is_closed = volume->bad_pixel_count == 0;
    return PLIANT_OK;
}

/* ---- The public calls --------------------------------------------------------------------------
 */

/* The records as they were first published: a caller's cannot be shorter. */
#define DEF_SIZE PLI_RECORD_SIZE(PliantVolumeDef, user)
#define VOLUME_SIZE PLI_RECORD_SIZE(PliantVolume, bad_pixel_count)

static PliantResult check_def(const PliCall *call, const PliantVolumeDef *given,
                              PliantVolumeDef *def)
{
    *def = pliant_volume_def_default();
    PLI_READ_DEF(call, "pliant_volume_def_default", given, def, DEF_SIZE);
    CHECK_RESOLUTION(call, def->resolution, "def.resolution");
    PLI_CHECK(call, (unsigned)def->axes <= PLIANT_AXES_ALL, PLIANT_BAD_ARGUMENT, "def.axes is %d",
              (int)def->axes);
    PLI_CHECK(call, def->error >= 0, PLIANT_BAD_ARGUMENT, "def.error is %g", def->error);
    PLI_CHECK(call, def->relative_error >= 0, PLIANT_BAD_ARGUMENT, "def.relative_error is %g",
              def->relative_error);
    CHECK_RESOLUTION(call, def->max_resolution, "def.max_resolution");
    return PLIANT_OK;
}

static PliantResult measure_bodies(const PliCall *call, PliantWorld *world, PliBody *a, PliBody *b,
                                   const PliantVolumeDef *given, PliantVolume *volume)
{
    PLI_CHECK_OUTPUT(call, "volume", "pliant_volume_default", volume, VOLUME_SIZE);
    PliantVolumeDef def;
    PLI_TRY(check_def(call, given, &def));
    Pair pair = {.bodies = {a, b}};
    PliantVolume found;
    PliFpMode caller = pli_fp_enter();
    pli_world_start(world, def.progress, def.user);
    PliantResult result = pli_world_crew_start(world);
    if (result == PLIANT_OK)
        result = measure(world, &pair, &def, &found);
    pli_world_crew_end(world);
    pli_fp_leave(caller);
    PLI_TRY(result);
    (void)pli_record_write(volume, VOLUME_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_body_volume(PliantWorld *world, PliantBody body, const PliantVolumeDef *def,
                                PliantVolume *volume)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", body, only);
    return measure_bodies(&call, world, only, only, def, volume);
}

PliantResult pliant_bodies_volume(PliantWorld *world, PliantBody a, PliantBody b,
                                  const PliantVolumeDef *def, PliantVolume *volume)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, first);
    PLI_CHECK_BODY(&call, world, "b", b, second);
    return measure_bodies(&call, world, first, second, def, volume);
}

/* ---- Triangles ---------------------------------------------------------------------------------
 */

static PLI_NOINLINE PliantResult list_triangles(PliantWorld *world, PliBody *body,
                                                const PliantView *view)
{
    pli_world_start(world, NULL, NULL);
    pli_world_update_body(world, body);
    PLI_TRY(pli_tiles_reserve(&world->tiles, 1, &world->host));
    PliantResult result = pli_list_triangles(pli_tiles_drawing(&world->tiles), &body->pose, view,
                                             &world->first.worker);
    pli_world_count(world, body, PLI_SIDE_A);
    return result;
}

PliantResult pliant_body_triangles(PliantWorld *world, PliantBody name, const PliantView *view,
                                   const float **corners, int64_t *triangle_count)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", name, body);
    PLI_CHECK(&call, corners, PLIANT_BAD_ARGUMENT, "corners is NULL");
    PLI_CHECK(&call, triangle_count, PLIANT_BAD_ARGUMENT, "triangle_count is NULL");
    PLI_TRY(pli_view_check(&call, view));
    PliFpMode caller = pli_fp_enter();
    PliantResult result = list_triangles(world, body, view);
    pli_fp_leave(caller);
    PLI_TRY(result);
    const PliArray *rows = &pli_tiles_drawing(&world->tiles)->rows;
    *corners = rows->items;
    *triangle_count = rows->count / PLI_ROW_SIZE;
    return PLIANT_OK;
}
