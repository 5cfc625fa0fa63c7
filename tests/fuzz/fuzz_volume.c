/* libFuzzer: any bytes as bodies, views, fragments and points. Nothing is asked that has one right
 * answer; but answers must agree with each other, whatever they are about.
 *
 * Each byte decides one thing. Two worlds have the same bodies, one of them in plain C: their
 * answers are the same to the bit. */
#include "calls.h"
#include "input.h"
#include "test_layers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 3, SOLIDS = 6, VERTICES = 4 * SOLIDS, TRIANGLES = 4 * SOLIDS, FRAGMENTS = 40 };

/* A body of the two worlds. */
typedef struct Model {
    PliantBody names[2];
    float vertices[VERTICES][3];
    uint32_t corners[TRIANGLES][3];
    int32_t vertex_count, triangle_count;
    bool is_closed; /* for sure */
} Model;

typedef struct Session {
    Input input;
    PliantHost host;
    PliantWorld *worlds[2];
    Model models[BODIES];
    PliantLayers *layers[2], *others[2];
} Session;

static float read_float(Input *input)
{
    static const float odd[] = {NAN,       INFINITY, -INFINITY, -0.0f,      FLT_MAX, -FLT_MAX,
                                0x1p-149f, 1e-30f,   1e30f,     -0x1p-126f, 0.3f,    -1e38f};
    const uint32_t byte = take(input);
    if (byte >= 256 - 12)
        return odd[byte - (256 - 12)];
    return (float)(byte % 32) / 4 - 4;
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

/* Tetrahedra, which are closed; or any triangles. */
static void read_mesh(Input *input, Model *model)
{
    static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const uint32_t how = take(input);
    const int32_t solids = 1 + (int32_t)(how / 2 % SOLIDS);
    model->is_closed = how % 2;
    model->vertex_count = 4 * solids;
    model->triangle_count = 4 * solids;
    for (int32_t i = 0; i < 3 * model->vertex_count; i++) {
        const float x = read_float(input);
        model->vertices[i / 3][i % 3] = x;
        model->is_closed &= isfinite(x) != 0;
    }
    for (int32_t i = 0; i < 3 * model->triangle_count; i++)
        model->corners[i / 3][i % 3] = how % 2 ? faces[i / 3 % 4][i % 3] + 4 * (uint32_t)(i / 12)
                                               : take(input) % (uint32_t)model->vertex_count;
}

/* So long that there are few pieces: half of the greatest coordinate. */
static float piece_size(const Model *model)
{
    float greatest = 0x1p-100f;
    for (int32_t i = 0; i < 3 * model->vertex_count; i++) {
        const float x = fabsf(model->vertices[i / 3][i % 3]);
        greatest = isfinite(x) && x > greatest ? x : greatest;
    }
    return greatest / 2;
}

static void add_shape(Session *s, Model *model, uint32_t how)
{
    PliantShape *shape = NULL;
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){model->vertices[0], model->vertex_count, 0};
    def.triangles = (PliantTriangles){model->corners[0], model->triangle_count};
    experiments.tree_child_count = 2 << how % 3;
    experiments.tree_leaf_size = 1 + (int32_t)(how / 4 % 16);
    def.divide_kind = how / 64 == 3 ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_AUTO;
    def.divide_size = how / 64 == 3 ? piece_size(model) : 0;
    must(pliant_shape_create(&def, &shape) == PLIANT_OK);
    for (int w = 0; w < 2; w++)
        must(pliant_body_create(s->worlds[w], shape, &model->names[w]) == PLIANT_OK);
    pliant_shape_release(shape);
}

static void add_soup(Session *s, Model *model)
{
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {model->vertices[0], model->vertex_count, 0},
                                         .corners = model->corners[0],
                                         .count = model->triangle_count};
    for (int w = 0; w < 2; w++) {
        must(pliant_body_create_soup(s->worlds[w], NULL, &model->names[w]) == PLIANT_OK);
        must(pliant_body_set_primitives(s->worlds[w], model->names[w], &primitives) == PLIANT_OK);
    }
}

static void move(Session *s, Model *model)
{
    PliantTransform transform = pliant_transform_identity();
    bool is_finite = true;
    for (int i = 0; i < 12; i++)
        if (take(&s->input) % 4 == 0) {
            transform.rows[i / 4][i % 4] = read_float(&s->input);
            is_finite &= isfinite(transform.rows[i / 4][i % 4]) != 0;
        }
    float vertices[VERTICES][3];
    for (int w = 0; w < 2; w++) {
        PliantResult result = pliant_body_set_transform(s->worlds[w], model->names[w], &transform);
        must(result == (is_finite ? PLIANT_OK : PLIANT_BAD_ARGUMENT));
        must(test_body_vertices(s->worlds[w], model->names[w], vertices[0]) == PLIANT_OK);
    }
    for (int32_t i = 0; i < 3 * model->vertex_count; i++)
        model->is_closed &= isfinite(vertices[i / 3][i % 3]) != 0;
}

static void add_body(Session *s, Model *model)
{
    const uint32_t how = take(&s->input);
    read_mesh(&s->input, model);
    if (how % 2)
        add_soup(s, model);
    else
        add_shape(s, model, how);
    if (how % 8 >= 4)
        move(s, model);
}

/* ---- Layers ------------------------------------------------------------------------------------
 */

static PliantView read_view(Input *input)
{
    PliantView view = {.axis = (PliantAxis)(take(input) % 4)};
    view.width = (int32_t)(take(input) % 40);
    view.height = (int32_t)(take(input) % 40);
    if (take(input) == 7)
        view.width = 300; /* several tiles */
    for (int k = 0; k < 3; k++) {
        view.box.low[k] = read_float(input);
        view.box.high[k] = read_float(input);
    }
    return view;
}

static bool is_view(const PliantView *view)
{
    bool is_right = view->width >= 1 && view->height >= 1 && view->axis <= PLIANT_AXIS_Z;
    for (int k = 0; k < 3; k++)
        is_right &= isfinite(view->box.low[k]) && isfinite(view->box.high[k]) &&
                    view->box.low[k] < view->box.high[k];
    return is_right;
}

/* Of nothing, whatever its box is. */
static bool is_nothing(const PliantView *view)
{
    return view->width == 0 && view->height == 0 && view->axis <= PLIANT_AXIS_Z;
}

static int64_t check_pixel(const PliantLayers *layers, const PliantView *view, int32_t column,
                           int32_t row)
{
    int32_t count = -1;
    const PliantSpan *spans = pliant_layers_spans(layers, column, row, &count);
    must(count >= 0 && (count == 0) == (spans == NULL));
    for (int32_t i = 0; i < count; i++) {
        must(spans[i].low < spans[i].high);
        must(spans[i].low >= view->box.low[view->axis]);
        must(spans[i].high <= view->box.high[view->axis]);
        must(i == 0 || spans[i - 1].high < spans[i].low);
    }
    return count;
}

static void check_volume(const PliantVolume *volume)
{
    must(volume->volume >= 0 && volume->error >= 0); /* and so no NaN */
    must(volume->bad_pixel_count >= 0);
    for (int k = 0; k < 3; k++)
        must(!isnan(volume->centroid[k]) && !isnan(volume->box.low[k]) &&
             !isnan(volume->box.high[k]));
}

/* Layers that a call has refused to change. */
static void check_unchanged(const PliantLayers *layers, const PliantLayersInfo *before)
{
    const PliantLayersInfo info = test_layers_info(layers);
    must(memcmp(&info.view, &before->view, sizeof info.view) == 0);
    must(info.span_count == before->span_count && info.bad_pixel_count == before->bad_pixel_count);
}

/* What was just captured or set. */
static void check_layers(PliantLayers *layers, const PliantView *view,
                         const PliantLayersInfo *before, PliantResult result)
{
    const PliantLayersInfo info = test_layers_info(layers);
    if (is_nothing(view)) {
        must(result == PLIANT_OK && info.span_count == 0 && info.view.width == 0);
        return;
    }
    if (!is_view(view)) {
        must(result == PLIANT_BAD_ARGUMENT);
        check_unchanged(layers, before);
        return;
    }
    must(result == PLIANT_OK && info.is_closed == (info.bad_pixel_count == 0));
    int64_t span_count = 0;
    for (int32_t row = 0; row < view->height; row++)
        for (int32_t column = 0; column < view->width; column++)
            span_count += check_pixel(layers, view, column, row);
    must(span_count == info.span_count);
    PliantVolume volume = pliant_volume_default();
    must(pliant_layers_volume(layers, &volume) == PLIANT_OK && volume.is_closed == info.is_closed);
    check_volume(&volume);
}

static bool are_same(const PliantLayers *a, const PliantLayers *b)
{
    const PliantLayersInfo x = test_layers_info(a), y = test_layers_info(b);
    if (x.span_count != y.span_count || x.bad_pixel_count != y.bad_pixel_count)
        return false;
    for (int32_t pixel = 0; pixel < x.view.width * x.view.height; pixel++) {
        int32_t x_count, y_count;
        const int32_t column = pixel % x.view.width, row = pixel / x.view.width;
        const PliantSpan *p = pliant_layers_spans(a, column, row, &x_count);
        const PliantSpan *q = pliant_layers_spans(b, column, row, &y_count);
        if (x_count != y_count || (p && memcmp(p, q, (size_t)x_count * sizeof *p) != 0))
            return false;
    }
    return true;
}

/* In both worlds, and in either order. */
static void read_layers(Session *s, const Model *a, const Model *b)
{
    const PliantView view = read_view(&s->input);
    const PliantLayersInfo before = test_layers_info(s->layers[0]);
    PliantResult results[2];
    for (int w = 0; w < 2; w++)
        results[w] = pliant_layers_capture_common(s->layers[w], s->worlds[w], (w ? a : b)->names[w],
                                                  (w ? b : a)->names[w], &view, NULL);
    must(results[0] == results[1]);
    check_layers(s->layers[0], &view, &before, results[0]);
    must(results[0] == PLIANT_BAD_ARGUMENT || are_same(s->layers[0], s->layers[1]));
    must(results[0] != PLIANT_OK || test_layers_info(s->layers[0]).is_closed ||
         !(a->is_closed && b->is_closed));
    if (!is_view(&view))
        return;
    pliant_layers_capture(s->layers[0], s->worlds[0], a->names[0], &view, NULL);
    pliant_layers_capture(s->others[0], s->worlds[0], b->names[0], &view, NULL);
    must(pliant_layers_intersect(s->layers[0], s->others[0]) == PLIANT_OK);
    must(are_same(s->layers[0], s->layers[1]));
}

static void set_layers(Session *s)
{
    PliantFragment fragments[FRAGMENTS];
    const PliantView view = read_view(&s->input);
    const int64_t count = take(&s->input) % FRAGMENTS;
    bool is_right = true;
    for (int64_t i = 0; i < count; i++) {
        fragments[i].pixel = (int32_t)(take(&s->input) % 64);
        fragments[i].depth = read_float(&s->input);
        fragments[i].winding = (int32_t)(take(&s->input) % 5) - 2;
        is_right &= fragments[i].pixel < view.width * view.height;
    }
    const PliantLayersInfo before = test_layers_info(s->layers[0]);
    const PliantResult result = pliant_layers_set(s->layers[0], &view, fragments, count);
    if ((is_view(&view) || is_nothing(&view)) && !is_right) {
        must(result == PLIANT_BAD_INDEX);
        check_unchanged(s->layers[0], &before);
    } else {
        check_layers(s->layers[0], &view, &before, result);
    }
}

/* A point is inside if its pixel has a span there: the pixel is one of those that it is near. */
static void ask_points(Session *s)
{
    float points[16][3];
    uint8_t states[16];
    for (int i = 0; i < 48; i++)
        points[i / 3][i % 3] = read_float(&s->input);
    must(pliant_layers_inside(s->layers[0], (PliantVertices){points[0], 16, 0}, states, 16) ==
         PLIANT_OK);
    const PliantLayersInfo info = test_layers_info(s->layers[0]);
    for (int i = 0; i < 16; i++) {
        must(states[i] <= PLIANT_POINT_UNKNOWN);
        must(states[i] != PLIANT_POINT_UNKNOWN || info.bad_pixel_count > 0);
        must(states[i] != PLIANT_POINT_INSIDE || info.span_count > 0);
        for (int k = 0; k < 3; k++)
            must(states[i] == PLIANT_POINT_OUTSIDE ||
                 (points[i][k] >= info.view.box.low[k] && points[i][k] <= info.view.box.high[k]));
    }
}

/* ---- Volumes -----------------------------------------------------------------------------------
 */

static bool is_same_volume(const PliantVolume *x, const PliantVolume *y)
{
    return memcmp(&x->volume, &y->volume, sizeof x->volume) == 0 &&
           memcmp(&x->error, &y->error, sizeof x->error) == 0 &&
           memcmp(x->centroid, y->centroid, sizeof x->centroid) == 0 &&
           x->bad_pixel_count == y->bad_pixel_count && x->is_reached == y->is_reached &&
           x->is_closed == y->is_closed;
}

static void ask_volume(Session *s, const Model *a, const Model *b)
{
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = 1 + (int32_t)(take(&s->input) % 40);
    const uint32_t how = take(&s->input);
    def.axes = (PliantAxes)(how % 5);
    def.relative_error = how / 5 % 4 == 0 ? 0.1 : 0;
    def.max_resolution = 60;
    PliantVolume volumes[3] = {pliant_volume_default(), pliant_volume_default(),
                               pliant_volume_default()};
    PliantResult results[3];
    for (int w = 0; w < 2; w++)
        results[w] = pliant_bodies_volume(s->worlds[w], (w ? a : b)->names[w],
                                          (w ? b : a)->names[w], &def, &volumes[w]);
    must(results[0] == results[1]);
    must(results[0] == PLIANT_OK && volumes[0].is_closed == (volumes[0].bad_pixel_count == 0));
    must(is_same_volume(&volumes[0], &volumes[1]));
    check_volume(&volumes[0]);
    must(volumes[0].is_closed || !(a->is_closed && b->is_closed));
    if (a != b)
        return;
    results[2] = pliant_body_volume(s->worlds[0], a->names[0], &def, &volumes[2]);
    must(results[2] == results[0] && is_same_volume(&volumes[2], &volumes[0]));
}

static void ask_contained(Session *s, const Model *a, const Model *b)
{
    PliantContainment answers[2] = {pliant_containment_default(), pliant_containment_default()};
    PliantContainment back = pliant_containment_default();
    PliantResult results[2];
    for (int w = 0; w < 2; w++)
        results[w] =
            pliant_bodies_contain(s->worlds[w], a->names[w], b->names[w], NULL, &answers[w]);
    must(results[0] == results[1] && answers[0].contains == answers[1].contains &&
         answers[0].is_closed == answers[1].is_closed);
    must(results[0] == (a == b ? PLIANT_BAD_ARGUMENT : PLIANT_OK));
    must(results[0] != PLIANT_OK || answers[0].is_closed || !(answers[0].contains || a->is_closed));
    if (!answers[0].contains)
        return;
    PliantContacts contacts = pliant_contacts_default();
    must(pliant_bodies_collide(s->worlds[0], a->names[0], b->names[0], TEST_QUERY(PLIANT_ANY_PAIR),
                               &contacts) == PLIANT_OK);
    must(contacts.count == 0);
    /* Of two that contain each other, one would not be closed. */
    must(pliant_bodies_contain(s->worlds[0], b->names[0], a->names[0], NULL, &back) == PLIANT_OK);
    must(!back.contains || !a->is_closed || !b->is_closed);
}

static void ask_triangles(Session *s, const Model *a)
{
    const PliantView view = read_view(&s->input);
    const float *corners = NULL;
    int64_t count = -1;
    PliantResult result = pliant_body_triangles(s->worlds[0], a->names[0], &view, &corners, &count);
    must(result == (is_view(&view) || is_nothing(&view) ? PLIANT_OK : PLIANT_BAD_ARGUMENT));
    must(result != PLIANT_OK || (count >= 0 && count <= a->triangle_count));
}

static void call(Session *s)
{
    const uint32_t which = take(&s->input);
    const Model *a = &s->models[which / 6 % BODIES], *b = &s->models[which / 18 % BODIES];
    switch (which % 6) {
    case 0:
        read_layers(s, a, b);
        break;
    case 1:
        set_layers(s);
        break;
    case 2:
        ask_points(s);
        break;
    case 3:
        ask_volume(s, a, b);
        break;
    case 4:
        ask_contained(s, a, b);
        break;
    default:
        ask_triangles(s, a);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Session *s = calloc(1, sizeof *s);
    if (!s)
        return 0;
    s->input = (Input){data, size};
    s->host.report = report;
    for (int w = 0; w < 2; w++) {
        PliantWorldDef def = pliant_world_def_default();
        def.cpu_mask = w ? PLIANT_CPU_ALL : take(&s->input) % 4; /* plain C among them */
        def.host = &s->host;
        must(pliant_world_create(&def, &s->worlds[w]) == PLIANT_OK);
        must(test_layers_create(&s->host, &s->layers[w]) == PLIANT_OK);
        must(test_layers_create(&s->host, &s->others[w]) == PLIANT_OK);
    }
    for (int i = 0; i < BODIES; i++)
        add_body(s, &s->models[i]);
    for (int i = 0; i < 20 && s->input.left > 0; i++)
        call(s);
    for (int w = 0; w < 2; w++) {
        pliant_layers_destroy(s->layers[w]);
        pliant_layers_destroy(s->others[w]);
        pliant_world_destroy(s->worlds[w]);
    }
    free(s);
    return 0;
}
