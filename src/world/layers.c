/* Layers: see pliant/volume.h. */
#include "world/layers.h"
#include "base/cpu.h"

#include <string.h>

static void forget(PliantLayers *layers)
{
    layers->view = (PliantView){0};
    layers->spans.width = layers->spans.height = 0;
    layers->spans.pixels.count = layers->spans.spans.count = 0;
    layers->spans.fragment_count = layers->spans.bad_count = layers->spans.most_fragments = 0;
    layers->spans.hidden = 0;
    layers->spans.winding = (PliWindingVolume){0};
}

PliantResult pliant_layers_create(const PliantHost *given, PliantLayers **layers)
{
    PLI_CHECK(given, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PliantHost host;
    PliantResult result = pli_host_resolve(given, &host);
    void *memory = NULL;
    if (result == PLIANT_OK)
        result = pli_allocate(&host, 1, sizeof(PliantLayers), &memory);
    if (result != PLIANT_OK)
        return result;
    *layers = memory;
    **layers = (PliantLayers){.host = host};
    pli_spans_init(&(*layers)->spans);
    pli_spans_init(&(*layers)->other);
    pli_measure_init(&(*layers)->measure);
    return PLIANT_OK;
}

void pliant_layers_destroy(PliantLayers *layers)
{
    if (!layers)
        return;
    PliantHost host = layers->host;
    pli_spans_free(&layers->spans, &host);
    pli_spans_free(&layers->other, &host);
    pli_measure_free(&layers->measure, &host);
    pli_release(&host, layers, 1, sizeof *layers);
}

/* A box with a volume, all of it finite. */
static bool is_box(const PliantBox *box)
{
    for (int k = 0; k < 3; k++)
        if (!pli_is_finite(&box->low[k], 1) || !pli_is_finite(&box->high[k], 1) ||
            !(box->low[k] < box->high[k]))
            return false;
    return true;
}

PliantResult pli_view_check(const PliantView *view, const PliantHost *host)
{
    PLI_CHECK(host, view, PLIANT_BAD_ARGUMENT, "view is NULL");
    PLI_CHECK(host, (unsigned)view->axis <= PLIANT_AXIS_Z, PLIANT_BAD_ARGUMENT, "view.axis is %d",
              (int)view->axis);
    if (view->width == 0 && view->height == 0)
        return PLIANT_OK;
    PLI_CHECK(host, view->width >= 1 && view->width <= PLIANT_MOST_PIXELS, PLIANT_BAD_ARGUMENT,
              "view.width is %" PRId32 ", not 1 to %d", view->width, PLIANT_MOST_PIXELS);
    PLI_CHECK(host, view->height >= 1 && view->height <= PLIANT_MOST_PIXELS, PLIANT_BAD_ARGUMENT,
              "view.height is %" PRId32 ", not 1 to %d", view->height, PLIANT_MOST_PIXELS);
    PLI_CHECK(host, is_box(&view->box), PLIANT_BAD_ARGUMENT,
              "view.box is not finite, or has no volume");
    return PLIANT_OK;
}

/* ---- Taking ------------------------------------------------------------------------------------
 */

/* All spans of a body, tile by tile. */
static PliantResult see(PliantWorld *world, PliBody *body, const PliantView *view, PliSpans *spans,
                        const PliantHost *host)
{
    PliantResult result = pli_spans_start(spans, view, view->width, view->height, host);
    const int64_t count = pli_tile_count(view);
    for (int64_t i = 0; i < count && result == PLIANT_OK; i++) {
        const PliTile tile = pli_tile_of(view, i);
        result = pli_draw(&world->drawing, &body->pose, body->is_closed, view, &tile,
                          &world->kernels, &world->host);
        if (result == PLIANT_OK)
            result = pli_spans_add(spans, &tile, world->drawing.fragments.items,
                                   world->drawing.fragments.count, world->drawing.ends, host);
        if (result == PLIANT_OK)
            pli_spans_note(spans, &world->drawing);
    }
    return result;
}

static PLI_NOINLINE PliantResult take(PliantLayers *layers, PliantWorld *world, PliBody *a,
                                      PliBody *b, const PliantView *view)
{
    pli_world_start(world);
    pli_world_look(world, a);
    if (a != b)
        pli_world_look(world, b);
    PliantResult result;
    if (a == b)
        result = see(world, a, view, &layers->spans, &layers->host);
    else {
        result = see(world, a, view, &world->spans[0], &world->host);
        if (result == PLIANT_OK)
            result = see(world, b, view, &world->spans[1], &world->host);
        if (result == PLIANT_OK)
            result = pli_spans_intersect(&layers->spans, &world->spans[0], &world->spans[1],
                                         &layers->host);
    }
    pli_world_count(world, a);
    pli_world_count(world, b);
    return result;
}

/* What a call has made of them. */
static PliantResult finish(PliantLayers *layers, const PliantView *view, PliantResult result)
{
    if (result != PLIANT_OK) {
        forget(layers);
        return result;
    }
    layers->view = *view;
    return layers->spans.bad_count > 0 ? PLIANT_NOT_CLOSED : PLIANT_OK;
}

PliantResult pliant_layers_take(PliantLayers *layers, PliantWorld *world, PliantBody body,
                                const PliantView *view)
{
    return pliant_layers_take_common(layers, world, body, body, view);
}

PliantResult pliant_layers_take_common(PliantLayers *layers, PliantWorld *world, PliantBody a,
                                       PliantBody b, const PliantView *view)
{
    PLI_CHECK(NULL, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    forget(layers);
    PLI_CHECK_BODY(world, a, first);
    PLI_CHECK_BODY(world, b, second);
    PliantResult result = pli_view_check(view, &world->host);
    if (result != PLIANT_OK)
        return result;
    PliFpMode caller = pli_fp_enter();
    result = take(layers, world, first, second, view);
    pli_fp_leave(caller);
    return finish(layers, view, result);
}

/* ---- Setting -----------------------------------------------------------------------------------
 */

static PLI_NOINLINE PliantResult set(PliantLayers *layers, const PliantView *view,
                                     const PliantFragment *fragments, int64_t count)
{
    const PliTile all = {0, 0, view->width, view->height};
    PliantResult result =
        pli_spans_start(&layers->spans, view, view->width, view->height, &layers->host);
    if (result == PLIANT_OK)
        result = pli_spans_add(&layers->spans, &all, fragments, count, PLI_ENDS_ALL, &layers->host);
    return result;
}

PliantResult pliant_layers_set(PliantLayers *layers, const PliantView *view,
                               const PliantFragment *fragments, int64_t fragment_count)
{
    PLI_CHECK(NULL, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    const PliantHost *host = &layers->host;
    forget(layers);
    PliantResult result = pli_view_check(view, host);
    if (result != PLIANT_OK)
        return result;
    PLI_CHECK(host, fragment_count >= 0, PLIANT_BAD_ARGUMENT, "fragment_count is %" PRId64,
              fragment_count);
    PLI_CHECK(host, fragments || fragment_count == 0, PLIANT_BAD_ARGUMENT, "fragments is NULL");
    const int64_t pixel_count = (int64_t)view->width * view->height;
    for (int64_t i = 0; i < fragment_count; i++)
        PLI_CHECK(host, fragments[i].pixel >= 0 && fragments[i].pixel < pixel_count,
                  PLIANT_BAD_INDEX,
                  "fragments[%" PRId64 "].pixel is %" PRId32 ", there are %" PRId64, i,
                  fragments[i].pixel, pixel_count);
    PliFpMode caller = pli_fp_enter();
    result = set(layers, view, fragments, fragment_count);
    pli_fp_leave(caller);
    return finish(layers, view, result);
}

static bool is_same_view(const PliantView *a, const PliantView *b)
{
    for (int k = 0; k < 3; k++)
        if (a->box.low[k] != b->box.low[k] || a->box.high[k] != b->box.high[k])
            return false;
    return a->axis == b->axis && a->width == b->width && a->height == b->height;
}

PliantResult pliant_layers_intersect(PliantLayers *layers, const PliantLayers *other)
{
    PLI_CHECK(NULL, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_CHECK(&layers->host, other, PLIANT_BAD_ARGUMENT, "other is NULL");
    PLI_CHECK(&layers->host, is_same_view(&layers->view, &other->view), PLIANT_BAD_ARGUMENT,
              "layers and other have different views");
    PliFpMode caller = pli_fp_enter();
    PliantResult result =
        pli_spans_intersect(&layers->other, &layers->spans, &other->spans, &layers->host);
    pli_fp_leave(caller);
    if (result != PLIANT_OK)
        return result;
    const PliSpans common = layers->other;
    layers->other = layers->spans;
    layers->spans = common;
    return PLIANT_OK;
}

/* ---- Asking ------------------------------------------------------------------------------------
 */

PliantLayersInfo pliant_layers_info(const PliantLayers *layers)
{
    if (!layers)
        return (PliantLayersInfo){0};
    const PliSpans *spans = &layers->spans;
    return (PliantLayersInfo){.view = layers->view,
                              .fragment_count = spans->fragment_count,
                              .depth_complexity = (int32_t)spans->most_fragments,
                              .span_count = spans->spans.count,
                              .bad_pixel_count = spans->bad_count,
                              .byte_size = sizeof *layers + pli_spans_bytes(spans) +
                                           pli_spans_bytes(&layers->other) +
                                           pli_measure_bytes(&layers->measure)};
}

const PliantSpan *pliant_layers_spans(const PliantLayers *layers, int32_t column, int32_t row,
                                      int32_t *span_count)
{
    if (span_count)
        *span_count = 0;
    if (!layers || !span_count || column < 0 || column >= layers->spans.width || row < 0 ||
        row >= layers->spans.height)
        return NULL;
    const PliSpans *spans = &layers->spans;
    const PliPixel pixel =
        ((const PliPixel *)spans->pixels.items)[(int64_t)row * spans->width + column];
    if (pixel.count == 0 || pixel.count == PLI_BAD_PIXEL)
        return NULL;
    *span_count = (int32_t)pixel.count;
    return (const PliantSpan *)spans->spans.items + pixel.first;
}

PliantResult pliant_layers_inside(const PliantLayers *layers, PliantVertices points,
                                  uint8_t *states)
{
    PLI_CHECK(NULL, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    const PliantHost *host = &layers->host;
    PLI_CHECK(host, points.count >= 0, PLIANT_BAD_ARGUMENT, "points.count is %" PRId32,
              points.count);
    PLI_CHECK(host, points.data || points.count == 0, PLIANT_BAD_ARGUMENT, "points.data is NULL");
    PLI_CHECK(host, points.stride == 0 || (points.stride >= 12 && points.stride % 4 == 0),
              PLIANT_BAD_ARGUMENT, "points.stride is %zu", points.stride);
    PLI_CHECK(host, states || points.count == 0, PLIANT_BAD_ARGUMENT, "states is NULL");
    PliFpMode caller = pli_fp_enter();
    pli_points_inside(&layers->spans, &layers->view, &points, states);
    pli_fp_leave(caller);
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult measure(PliantLayers *layers, PliantVolume *volume)
{
    const PliTile all = {0, 0, layers->view.width, layers->view.height};
    *volume = (PliantVolume){.view = layers->view, .box = pli_nothing(), .is_reached = true};
    if (layers->view.width == 0)
        return PLIANT_OK;
    PliantResult result = pli_measure_start(&layers->measure, &layers->view, &layers->host);
    if (result != PLIANT_OK)
        return result;
    pli_measure_add(&layers->measure, &layers->view, &all, &layers->spans);
    pli_measure_end(&layers->measure, &layers->view, volume);
    volume->is_reached = true;
    return volume->bad_pixel_count > 0 ? PLIANT_NOT_CLOSED : PLIANT_OK;
}

PliantResult pliant_layers_volume(PliantLayers *layers, PliantVolume *volume)
{
    PLI_CHECK(NULL, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_CHECK(&layers->host, volume, PLIANT_BAD_ARGUMENT, "volume is NULL");
    PliFpMode caller = pli_fp_enter();
    PliantVolume found;
    PliantResult result = measure(layers, &found);
    pli_fp_leave(caller);
    if (result == PLIANT_OK || result == PLIANT_NOT_CLOSED)
        *volume = found;
    return result;
}
