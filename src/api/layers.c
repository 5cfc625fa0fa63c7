/* Layers: see pliant/volume.h. */
#include "api/layers.h"
#include "api/checks.h"
#include "base/cpu.h"
#include "world/crew.h"

#include <string.h>

/* The records as they were first published: a caller's cannot be shorter. */
#define DEF_SIZE PLI_RECORD_SIZE(PliantLayersDef, host)
#define CAPTURE_SIZE PLI_RECORD_SIZE(PliantCaptureDef, user)
#define INFO_SIZE PLI_RECORD_SIZE(PliantLayersInfo, is_closed)
#define VOLUME_SIZE PLI_RECORD_SIZE(PliantVolume, bad_pixel_count)

/* The call that the enclosing public function is; `layers` may be NULL. */
#define LAYERS_CALL(layers) ((PliCall){(layers) ? &(layers)->host : NULL, __func__})

PliantResult pliant_layers_create(const PliantLayersDef *given, PliantLayers **layers)
{
    PliantLayersDef def = pliant_layers_def_default();
    const bool is_read =
        !given || pli_record_read(&def, sizeof def, DEF_SIZE, given, given->struct_size);
    const PliCall call = PLI_CALL(def.host);
    PLI_CHECK(&call, is_read, PLIANT_BAD_DEF,
              "def.struct_size is %zu: start from pliant_layers_def_default()",
              given ? given->struct_size : 0);
    PLI_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PliantHost host;
    void *memory = NULL;
    PLI_TRY(pli_host_check(&call, def.host, &host));
    PLI_TRY(pli_allocate(&host, 1, sizeof(PliantLayers), &memory));
    *layers = memory;
    memset(memory, 0, sizeof(PliantLayers));
    pli_counting_host_init(&(*layers)->counting, &host, sizeof **layers, &(*layers)->host);
    pli_spans_init(&(*layers)->spans);
    pli_spans_init(&(*layers)->other);
    pli_sorting_init(&(*layers)->sorting);
    pli_measure_init(&(*layers)->measure);
    return PLIANT_OK;
}

void pliant_layers_destroy(PliantLayers *layers)
{
    if (!layers)
        return;
    const PliantHost host = layers->host, inner = layers->counting.inner;
    pli_spans_free(&layers->spans, &host);
    pli_spans_free(&layers->other, &host);
    pli_sorting_free(&layers->sorting, &host);
    pli_measure_free(&layers->measure, &host);
    pli_release(&inner, layers, 1, sizeof *layers);
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

PliantResult pli_view_check(const PliCall *call, const PliantView *view)
{
    PLI_CHECK(call, view, PLIANT_BAD_ARGUMENT, "view is NULL");
    PLI_CHECK(call, (unsigned)view->axis <= PLIANT_AXIS_Z, PLIANT_BAD_ARGUMENT, "view.axis is %d",
              (int)view->axis);
    if (view->width == 0 && view->height == 0)
        return PLIANT_OK;
    PLI_CHECK(call, view->width >= 1 && view->width <= PLIANT_MAX_PIXELS, PLIANT_BAD_ARGUMENT,
              "view.width is %" PRId32 ", not 1 to %d", view->width, PLIANT_MAX_PIXELS);
    PLI_CHECK(call, view->height >= 1 && view->height <= PLIANT_MAX_PIXELS, PLIANT_BAD_ARGUMENT,
              "view.height is %" PRId32 ", not 1 to %d", view->height, PLIANT_MAX_PIXELS);
    PLI_CHECK(call, is_box(&view->box), PLIANT_BAD_ARGUMENT,
              "view.box is not finite, or has no volume");
    return PLIANT_OK;
}

/* ---- Building ----------------------------------------------------------------------------------
 *
 * New spans are built in `other`, so that the layers stay as they were if that fails.
 */

/* Replaces the spans by those that were built. The arrays that they replace get the same capacity
 * first, so that the next equal call allocates nothing. */
static PliantResult replace_spans(PliantLayers *layers, const PliantView *view)
{
    PliSpans *old = &layers->spans, *built = &layers->other;
    PLI_TRY(pli_array_reserve(&old->pixels, &layers->host, built->pixels.capacity));
    PLI_TRY(pli_array_reserve(&old->spans, &layers->host, built->spans.capacity));
    const PliSpans kept = *old;
    *old = *built;
    *built = kept;
    layers->view = *view;
    return PLIANT_OK;
}

static int64_t pixel_count_of(const PliantView *view)
{
    return (int64_t)view->width * view->height;
}

/* ---- Capturing ---------------------------------------------------------------------------------
 */

/* Builds the spans of a body, or of the intersection of two. */
static PLI_NOINLINE PliantResult build(PliantLayers *layers, PliantWorld *world,
                                       PliBody *const bodies[2], const PliantView *view)
{
    PliSubject subjects[2];
    const int count = bodies[0] == bodies[1] ? 1 : 2;
    for (int i = 0; i < count; i++)
        subjects[i] = pli_world_subject(world, bodies[i], (PliSide)i);
    const PliantResult result = pli_tiles_capture(
        &world->tiles, subjects, count, view, &world->first.worker, &layers->other, &layers->host);
    for (int i = 0; i < count; i++)
        pli_world_count(world, bodies[i], (PliSide)i);
    return result;
}

static PliantResult capture(const PliCall *call, PliantLayers *layers, PliantWorld *world,
                            PliBody *const bodies[2], const PliantView *view,
                            const PliantCaptureDef *given)
{
    PliantCaptureDef def = pliant_capture_def_default();
    PLI_TRY(pli_view_check(call, view));
    PLI_READ_DEF(call, "pliant_capture_def_default", given, &def, CAPTURE_SIZE);
    PliFpMode caller = pli_fp_enter();
    pli_world_start(world, def.progress, def.user);
    PliantResult built = pli_world_crew_start(world);
    if (built == PLIANT_OK)
        built = build(layers, world, bodies, view);
    pli_world_crew_end(world);
    pli_fp_leave(caller);
    PLI_TRY(built);
    return replace_spans(layers, view);
}

/* What is wrong with the arguments is told to the world, or to the layers if there is no world. */
static PliCall capture_call(const PliantLayers *layers, const PliantWorld *world,
                            const char *function)
{
    return (PliCall){world ? &world->host : layers ? &layers->host : NULL, function};
}

PliantResult pliant_layers_capture(PliantLayers *layers, PliantWorld *world, PliantBody body,
                                   const PliantView *view, const PliantCaptureDef *def)
{
    const PliCall call = capture_call(layers, world, __func__);
    PLI_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_CLAIM_WORLD(&call, world);
    PLI_CHECK_BODY(&call, world, "body", body, only);
    return capture(&call, layers, world, (PliBody *const[2]){only, only}, view, def);
}

PliantResult pliant_layers_capture_common(PliantLayers *layers, PliantWorld *world, PliantBody a,
                                          PliantBody b, const PliantView *view,
                                          const PliantCaptureDef *def)
{
    const PliCall call = capture_call(layers, world, __func__);
    PLI_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_CLAIM_WORLD(&call, world);
    PLI_CHECK_BODY(&call, world, "a", a, first);
    PLI_CHECK_BODY(&call, world, "b", b, second);
    return capture(&call, layers, world, (PliBody *const[2]){first, second}, view, def);
}

/* ---- Setting -----------------------------------------------------------------------------------
 */

static PLI_NOINLINE PliantResult set(PliantLayers *layers, const PliantView *view,
                                     const PliantFragment *fragments, int64_t count)
{
    PliSpans *built = &layers->other;
    const PliFragments list = {fragments, count, 0, INT32_MAX};
    const PliLines lines = {.lists = &list,
                            .list_count = count > 0,
                            .near = view->box.low[view->axis] + 0.0f,
                            .far = view->box.high[view->axis] + 0.0f,
                            .ends = PLI_ENDS_ALL};
    PLI_TRY(pli_spans_start(built, view->width, view->height, &layers->host));
    const PliSpanRows rows = pli_span_rows(built, &layers->host);
    const double *excesses = NULL;
    layers->sorting.excesses.count = 0;
    PLI_TRY(pli_spans_find(&rows, &lines, &layers->sorting, &layers->host, &built->counts));
    excesses = layers->sorting.excesses.items;
    for (int64_t i = 0; i < layers->sorting.excesses.count; i++)
        built->winding.excess += excesses[i];
    return PLIANT_OK;
}

PliantResult pliant_layers_set(PliantLayers *layers, const PliantView *view,
                               const PliantFragment *fragments, int64_t fragment_count)
{
    const PliCall call = LAYERS_CALL(layers);
    PLI_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_TRY(pli_view_check(&call, view));
    PLI_CHECK(&call, fragment_count >= 0, PLIANT_BAD_ARGUMENT, "fragment_count is %" PRId64,
              fragment_count);
    PLI_CHECK(&call, fragments || fragment_count == 0, PLIANT_BAD_ARGUMENT, "fragments is NULL");
    const int64_t pixel_count = pixel_count_of(view);
    for (int64_t i = 0; i < fragment_count; i++)
        PLI_CHECK(&call, fragments[i].pixel >= 0 && fragments[i].pixel < pixel_count,
                  PLIANT_BAD_INDEX,
                  "fragments[%" PRId64 "].pixel is %" PRId32 ", the view has %" PRId64 " pixels", i,
                  fragments[i].pixel, pixel_count);
    PliFpMode caller = pli_fp_enter();
    const PliantResult built = set(layers, view, fragments, fragment_count);
    pli_fp_leave(caller);
    PLI_TRY(built);
    return replace_spans(layers, view);
}

static bool is_same_view(const PliantView *a, const PliantView *b)
{
    for (int k = 0; k < 3; k++)
        if (a->box.low[k] != b->box.low[k] || a->box.high[k] != b->box.high[k])
            return false;
    return a->axis == b->axis && a->width == b->width && a->height == b->height;
}

static PLI_NOINLINE PliantResult intersect(PliantLayers *layers, const PliantLayers *other)
{
    PliSpans a = layers->spans, b = other->spans; /* read only */
    PliSpans *common = &layers->other;
    PLI_TRY(pli_spans_start(common, a.width, a.height, &layers->host));
    const PliSpanRows rows = pli_span_rows(common, &layers->host);
    const PliSpanRows a_rows = pli_span_rows(&a, NULL), b_rows = pli_span_rows(&b, NULL);
    int64_t bad_count;
    PLI_TRY(pli_spans_intersect(&rows, &a_rows, &b_rows, &bad_count));
    pli_line_counts_add(&common->counts, &a.counts);
    pli_line_counts_add(&common->counts, &b.counts);
    common->counts.bad_count = bad_count;
    common->hidden = a.hidden + b.hidden;
    common->is_regular = a.is_regular || b.is_regular;
    return PLIANT_OK;
}

PliantResult pliant_layers_intersect(PliantLayers *layers, const PliantLayers *other)
{
    const PliCall call = LAYERS_CALL(layers);
    PLI_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_CHECK(&call, other, PLIANT_BAD_ARGUMENT, "other is NULL");
    PLI_CHECK(&call, is_same_view(&layers->view, &other->view), PLIANT_BAD_ARGUMENT,
              "layers and other have different views");
    const PliantView view = layers->view;
    PliFpMode caller = pli_fp_enter();
    PliantResult result = intersect(layers, other);
    pli_fp_leave(caller);
    PLI_TRY(result);
    return replace_spans(layers, &view);
}

/* ---- Asking ------------------------------------------------------------------------------------
 */

PliantResult pliant_layers_info(const PliantLayers *layers, PliantLayersInfo *info)
{
    const PliCall call = LAYERS_CALL(layers);
    PLI_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_CHECK_OUTPUT(&call, "info", "pliant_layers_info_default", info, INFO_SIZE);
    const PliSpans *spans = &layers->spans;
    const PliantLayersInfo known = {.byte_size = pli_counting_host_bytes(&layers->counting),
                                    .view = layers->view,
                                    .depth_complexity = (int32_t)spans->counts.max_fragments,
                                    .fragment_count = spans->counts.fragment_count,
                                    .span_count = spans->spans.count,
                                    .bad_pixel_count = spans->counts.bad_count,
                                    .is_closed = spans->counts.bad_count == 0};
    (void)pli_record_write(info, INFO_SIZE, &known, sizeof known);
    return PLIANT_OK;
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
                                  uint8_t *states, int64_t capacity)
{
    const PliCall call = LAYERS_CALL(layers);
    PLI_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_CHECK(&call, points.count >= 0, PLIANT_BAD_ARGUMENT, "points.count is %" PRId32,
              points.count);
    PLI_CHECK(&call, points.data || points.count == 0, PLIANT_BAD_ARGUMENT, "points.data is NULL");
    PLI_CHECK_STRIDE(&call, "points", points);
    PLI_CHECK(&call, states || points.count == 0, PLIANT_BAD_ARGUMENT, "states is NULL");
    PLI_CHECK(&call, capacity >= points.count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", points.count is %" PRId32, capacity, points.count);
    PliFpMode caller = pli_fp_enter();
    pli_points_inside(&layers->spans, &layers->view, &points, states, &layers->host);
    pli_fp_leave(caller);
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult measure(PliantLayers *layers, PliantVolume *volume)
{
    const PliTile all = {0, 0, layers->view.width, layers->view.height};
    PliSpans *spans = &layers->spans;
    PliMeasure *measure = &layers->measure;
    PliExtent extent;
    *volume = (PliantVolume){
        .view = layers->view, .box = pli_nothing(), .is_reached = true, .is_closed = true};
    if (layers->view.width == 0)
        return PLIANT_OK;
    PLI_TRY(pli_measure_start(measure, &layers->view, 1, &layers->host));
    const PliSpanRows rows = pli_span_rows(spans, NULL);
    pli_measure_rows(measure, &layers->view, &all, 0, &rows, &extent);
    pli_measure_add_extent(measure, &extent);
    measure->bad_count = spans->counts.bad_count;
    measure->hidden = spans->hidden;
    measure->winding = spans->winding;
    pli_measure_end(measure, &layers->view, NULL, volume);
    volume->is_reached = true;
    volume->is_closed = volume->bad_pixel_count == 0;
    return PLIANT_OK;
}

PliantResult pliant_layers_volume(PliantLayers *layers, PliantVolume *volume)
{
    const PliCall call = LAYERS_CALL(layers);
    PLI_CHECK(&call, layers, PLIANT_BAD_ARGUMENT, "layers is NULL");
    PLI_CHECK_OUTPUT(&call, "volume", "pliant_volume_default", volume, VOLUME_SIZE);
    PliFpMode caller = pli_fp_enter();
    PliantVolume found;
    PliantResult result = measure(layers, &found);
    pli_fp_leave(caller);
    PLI_TRY(result);
    (void)pli_record_write(volume, VOLUME_SIZE, &found, sizeof found);
    return PLIANT_OK;
}
