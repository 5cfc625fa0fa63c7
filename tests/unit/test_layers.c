/* layers: spans from fragments and from bodies, what layers have in common, points inside. */
#include "test_layers.h"
#include "refuse.h"
#include "room.h"
#include "solids.h"
#include "unheard.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A picture of 4 x 3 pixels of size one, along z from 0 to 10. */
static const PliantView small = {{{0, 0, 0}, {4, 3, 10}}, PLIANT_AXIS_Z, 4, 3};

static void assert_spans(const PliantLayers *layers, int32_t column, int32_t row,
                         const PliantSpan *spans, int32_t count)
{
    int32_t found = -1;
    const PliantSpan *is = pliant_layers_spans(layers, column, row, &found);
    assert_int_equal(found, count);
    assert_true((is == NULL) == (count == 0));
    for (int32_t i = 0; i < count && is; i++)
        assert_true(is[i].low == spans[i].low && is[i].high == spans[i].high);
}

#define SPANS(layers, column, row, ...)                                                            \
    assert_spans(layers, column, row, (const PliantSpan[]){__VA_ARGS__},                           \
                 sizeof((const PliantSpan[]){__VA_ARGS__}) / sizeof(PliantSpan))

#define NO_SPANS(layers, column, row) assert_spans(layers, column, row, NULL, 0)

static PliantResult set(PliantLayers *layers, const PliantFragment *fragments, int64_t count)
{
    return pliant_layers_set(layers, &small, fragments, count);
}

#define SET(layers, ...)                                                                           \
    set(layers, (const PliantFragment[]){__VA_ARGS__},                                             \
        sizeof((const PliantFragment[]){__VA_ARGS__}) / sizeof(PliantFragment))

static void test_empty(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    PliantLayersInfo info = test_layers_info(layers);
    assert_true(info.fragment_count == 0 && info.span_count == 0 && info.bad_pixel_count == 0);
    assert_true(info.view.width == 0 && info.view.height == 0 && info.depth_complexity == 0);
    PliantVolume volume = pliant_volume_default();
    MUST_CLOSED(pliant_layers_volume(layers, &volume), volume);
    assert_true(volume.volume == 0 && volume.error == 0 && volume.box.low[0] > volume.box.high[0]);
    NO_SPANS(layers, 0, 0);
    uint8_t inside = 9;
    MUST(
        pliant_layers_inside(layers, (PliantVertices){(const float[]){0, 0, 0}, 1, 0}, &inside, 1));
    assert_int_equal(inside, PLIANT_POINT_OUTSIDE);
    MUST(pliant_layers_inside(layers, (PliantVertices){NULL, 0, 0}, NULL, 0));
    MUST(set(layers, NULL, 0));
    info = test_layers_info(layers);
    assert_memory_equal(&info.view, &small, sizeof small);
    NO_SPANS(layers, 3, 2);
    MUST_CLOSED(pliant_layers_volume(layers, &volume), volume);
    assert_true(volume.volume == 0 && volume.box.low[0] > volume.box.high[0]);
    pliant_layers_destroy(layers);
    pliant_layers_destroy(NULL);
    assert_true(room_close(&room));
}

static void test_fragments(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    /* Two spans, in any order; one that overlaps itself; two that touch and are one. */
    MUST(SET(layers, {0, 7, 1}, {0, 8, -1}, {5, 1, 1}, {0, 3, -1}, {0, 2, 1}, {5, 4, 1}, {5, 6, -1},
             {5, 9, -1}, {11, 1, 1}, {11, 2, -1}, {11, 2, 1}, {11, 5, -1}));
    SPANS(layers, 0, 0, {2, 3}, {7, 8});
    SPANS(layers, 1, 1, {1, 9});
    SPANS(layers, 3, 2, {1, 5});
    NO_SPANS(layers, 1, 0);
    PliantLayersInfo info = test_layers_info(layers);
    assert_int_equal(info.fragment_count, 12);
    assert_int_equal(info.span_count, 4);
    assert_int_equal(info.depth_complexity, 4);
    assert_int_equal(info.bad_pixel_count, 0);
    PliantVolume volume = pliant_volume_default();
    MUST_CLOSED(pliant_layers_volume(layers, &volume), volume);
    assert_true(volume.volume == 14);
    assert_true(volume.box.low[0] == 0 && volume.box.high[0] == 4 && volume.box.high[1] == 3);
    assert_true(volume.box.low[2] == 1 && volume.box.high[2] == 9);
    assert_true(fabs(volume.centroid[0] - (0.5 * 2 + 1.5 * 8 + 3.5 * 4) / 14) < 1e-12);
    assert_true(fabs(volume.centroid[2] - (2.5 + 7.5 + 5 * 8 + 3 * 4) / 14) < 1e-12);

    /* Windings of any number, and inside out. */
    MUST(SET(layers, {0, 1, -1}, {0, 2, 1}, {1, 1, 3}, {1, 2, -2}, {1, 4, -1}, {2, 3, INT32_MAX},
             {2, 4, -INT32_MAX}, {3, 3, 0}, {4, 5, -1}, {4, 5, 1}));
    SPANS(layers, 0, 0, {1, 2});
    SPANS(layers, 1, 0, {1, 4});
    SPANS(layers, 2, 0, {3, 4});
    NO_SPANS(layers, 3, 0);
    NO_SPANS(layers, 0, 1); /* without length */
    /* In and out at one depth, in either order, inside out or not: nothing but what is around. */
    MUST(SET(layers, {0, 1, 1}, {0, 5, 1}, {0, 5, -1}, {0, 9, -1}, {1, 5, -1}, {1, 5, 1}, {1, 1, 1},
             {1, 9, -1}, {2, 1, -1}, {2, 2, 1}, {2, 2, -1}, {2, 5, 1}));
    SPANS(layers, 0, 0, {1, 9});
    SPANS(layers, 1, 0, {1, 9});
    SPANS(layers, 2, 0, {1, 5});
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

/* Brought to the end of the box that they are behind. */
static void test_depths_beyond(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    MUST(SET(layers, {0, -5, 1}, {0, 3, -1}, {1, 4, 1}, {1, 50, -1}, {2, -INFINITY, 1},
             {2, INFINITY, -1}, {3, -2, 1}, {3, -1, -1}, {4, 11, 1}, {4, 12, -1}, {5, 0, 1},
             {5, -0.0f, 1}, {5, 10, -2}));
    SPANS(layers, 0, 0, {0, 3});
    SPANS(layers, 1, 0, {4, 10});
    SPANS(layers, 2, 0, {0, 10});
    NO_SPANS(layers, 3, 0);
    NO_SPANS(layers, 0, 1);
    SPANS(layers, 1, 1, {0, 10});
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

static void test_bad_pixels(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    MUST(SET(layers, {0, 1, 1}, {0, 2, -1}, {1, 1, 1}, {2, 1, 1}, {2, 2, -1}, {2, NAN, 1},
             {2, NAN, -1}, {3, 1, 1}, {3, 2, -2}, {4, 1, INT32_MAX}, {4, 2, INT32_MAX}, {4, 3, 2}));
    assert_false(test_layers_info(layers).is_closed);
    assert_int_equal(test_layers_info(layers).bad_pixel_count, 4);
    SPANS(layers, 0, 0, {1, 2});
    for (int32_t i = 1; i < 5; i++)
        NO_SPANS(layers, i % 4, i / 4);
    PliantVolume volume = pliant_volume_default();
    MUST(pliant_layers_volume(layers, &volume));
    assert_true(volume.volume == 1 && volume.bad_pixel_count == 4 && !volume.is_closed);
    const float points[][3] = {
        {0.5f, 0.5f, 1.5f}, {1.5f, 0.5f, 1.5f}, {3.5f, 0.5f, 9}, {3.5f, 1.5f, 1}, {1.5f, 0.5f, 11}};
    uint8_t states[5];
    MUST(pliant_layers_inside(layers, (PliantVertices){points[0], 5, 0}, states, 5));
    const uint8_t expected[5] = {PLIANT_POINT_INSIDE, PLIANT_POINT_UNKNOWN, PLIANT_POINT_UNKNOWN,
                                 PLIANT_POINT_OUTSIDE, PLIANT_POINT_OUTSIDE};
    assert_memory_equal(states, expected, sizeof states);

    /* Bad in one, bad in what they have in common. */
    PliantLayers *all = room_layers(&room);
    MUST(SET(all, {0, 0, 1}, {0, 10, -1}, {1, 0, 1}, {1, 10, -1}));
    MUST(pliant_layers_intersect(all, layers));
    assert_int_equal(test_layers_info(all).bad_pixel_count, 4);
    MUST(pliant_layers_volume(all, &volume));
    assert_true(volume.volume == 1 && !volume.is_closed);
    MUST(SET(all, {0, 0, 1}, {0, 10, -1}, {1, 0, 1}, {1, 10, -1}));
    MUST(pliant_layers_intersect(layers, all));
    assert_int_equal(test_layers_info(layers).bad_pixel_count, 4);
    NO_SPANS(layers, 1, 0);
    SPANS(layers, 0, 0, {1, 2});
    /* And good again. */
    MUST(SET(layers, {1, 1, 1}, {1, 2, -1}));
    assert_int_equal(test_layers_info(layers).bad_pixel_count, 0);
    assert_true(test_layers_info(layers).is_closed);
    SPANS(layers, 1, 0, {1, 2});
    pliant_layers_destroy(all);
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

static void test_intersect(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *a = room_layers(&room), *b = room_layers(&room);
    MUST(SET(a, {0, 1, 1}, {0, 4, -1}, {0, 6, 1}, {0, 9, -1}, {1, 1, 1}, {1, 2, -1}, {2, 1, 1},
             {2, 9, -1}, {6, 1, 1}, {6, 3, -1}));
    MUST(SET(b, {0, 3, 1}, {0, 7, -1}, {0, 8, 1}, {0, 8.5f, -1}, {2, 2, 1}, {2, 3, -1}, {2, 4, 1},
             {2, 5, -1}, {6, 3, 1}, {6, 5, -1}, {7, 1, 1}, {7, 2, -1}));
    MUST(pliant_layers_intersect(a, b));
    SPANS(a, 0, 0, {3, 4}, {6, 7}, {8, 8.5f});
    NO_SPANS(a, 1, 0);
    SPANS(a, 2, 0, {2, 3}, {4, 5});
    NO_SPANS(a, 2, 1); /* they only touch */
    NO_SPANS(a, 3, 1);
    assert_int_equal(test_layers_info(a).span_count, 5);
    PliantVolume once = pliant_volume_default(), twice = pliant_volume_default();
    MUST_CLOSED(pliant_layers_volume(a, &once), once);
    assert_true(once.volume == 4.5);
    MUST(pliant_layers_intersect(a, a));
    MUST(pliant_layers_intersect(a, b));
    MUST_CLOSED(pliant_layers_volume(a, &twice), twice);
    assert_true(twice.volume == 4.5 && test_layers_info(a).span_count == 5);
    pliant_layers_destroy(a);
    pliant_layers_destroy(b);
    assert_true(room_close(&room));
}

/* Ends of spans are inside, and so are those of the box. */
static void test_points(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    MUST(SET(layers, {0, 2, 1}, {0, 3, -1}, {0, 5, 1}, {0, 10, -1}, {11, 0, 1}, {11, 1, -1}));
    const float in = 1, out = 0;
    const float points[][4] = {
        {0.5f, 0.5f, 2, in},     {0.5f, 0.5f, 3, in},
        {0.5f, 0.5f, 2.5f, in},  {0.5f, 0.5f, nextafterf(2, 0), out},
        {0.5f, 0.5f, 4, out},    {0.5f, 0.5f, nextafterf(3, 4), out},
        {0, 0, 5, in},           {0, 0, 10, in},
        {0, 0, 11, out},         {nextafterf(1, 0), nextafterf(1, 0), 6, in},
        {1.5f, 0.5f, 6, out},    {0.5f, 1.5f, 6, out},
        {4, 3, 0.5f, in},        {3.5f, 2.5f, 0, in},
        {3.5f, 2.5f, -1, out},   {-0.1f, 0, 6, out},
        {0, -0.1f, 6, out},      {4.1f, 2.5f, 0.5f, out},
        {3.5f, 3.1f, 0.5f, out}, {NAN, 0.5f, 2.5f, out},
        {0.5f, NAN, 2.5f, out},  {0.5f, 0.5f, NAN, out},
        {INFINITY, 0, 6, out},   {0, -INFINITY, 6, out},
        {0, 0, INFINITY, out},   {FLT_MAX, FLT_MAX, 0.5f, out},
        {-0.0f, 0, 6, in},       {0x1p-149f, 0x1p-149f, 6, in},
    };
    enum { COUNT = sizeof points / sizeof *points };
    uint8_t states[COUNT + 1];
    states[COUNT] = 77;
    MUST(pliant_layers_inside(layers, (PliantVertices){points[0], COUNT, 16}, states, COUNT));
    for (int i = 0; i < COUNT; i++)
        if (states[i] != (points[i][3] == in ? PLIANT_POINT_INSIDE : PLIANT_POINT_OUTSIDE))
            fail_msg("point %d: %d", i, states[i]);
    assert_int_equal(states[COUNT], 77);
    MUST(pliant_layers_inside(layers, (PliantVertices){NULL, 0, 0}, NULL, 0));
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

/* ---- Of bodies ---------------------------------------------------------------------------------
 */

/* A box seen through a part of it: spans end where the box of the view does. */
static void test_take(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    const PliantBody body = room_add_box(&room, 1, 1, 1, 3, 2, 8);
    const PliantView nothing = {.width = 0};
    MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &nothing, NULL),
                test_layers_info(layers));
    assert_int_equal(test_layers_info(layers).span_count, 0);
    MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &small, NULL),
                test_layers_info(layers));
    for (int32_t row = 0; row < 3; row++)
        for (int32_t column = 0; column < 4; column++)
            if (row == 1 && (column == 1 || column == 2))
                SPANS(layers, column, row, {1, 8});
            else
                NO_SPANS(layers, column, row);
    assert_int_equal(test_layers_info(layers).fragment_count, 4);
    PliantView view = small;
    view.box.low[2] = 2.5f;
    view.box.high[2] = 4;
    MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &view, NULL),
                test_layers_info(layers));
    SPANS(layers, 1, 1, {2.5f, 4});
    view.box.low[2] = 9;
    view.box.high[2] = 12;
    MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &view, NULL),
                test_layers_info(layers));
    assert_int_equal(test_layers_info(layers).span_count, 0);

    /* u and v are the axes behind the one looked along. */
    for (int axis = 0; axis < 3; axis++) {
        view = (PliantView){{{0, 0, 0}, {4, 4, 10}}, (PliantAxis)axis, 8, 20};
        MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &view, NULL),
                    test_layers_info(layers));
        const float low[3] = {1, 1, 1}, high[3] = {3, 2, 8}, size[3] = {4, 4, 10};
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int32_t row = 0; row < 20; row++)
            for (int32_t column = 0; column < 8; column++) {
                const float x = ((float)column + 0.5f) * size[u] / 8;
                const float y = ((float)row + 0.5f) * size[v] / 20;
                if (x > low[u] && x < high[u] && y > low[v] && y < high[v])
                    SPANS(layers, column, row, {low[axis], high[axis]});
                else
                    NO_SPANS(layers, column, row);
            }
    }
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

/* Boxes whose faces go through the middles of pixels: side by side, each pixel is in one. */
static void test_no_pixel_twice(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    const PliantBody bodies[2] = {room_add_box(&room, 0.5f, 0.5f, 1, 2.5f, 2.5f, 8),
                                  room_add_box(&room, 2.5f, 0.5f, 1, 3.5f, 2.5f, 8)};
    int counts[12] = {0}, total = 0;
    for (int i = 0; i < 2; i++) {
        MUST_CLOSED(pliant_layers_capture(layers, room.world, bodies[i], &small, NULL),
                    test_layers_info(layers));
        for (int32_t pixel = 0; pixel < 12; pixel++) {
            int32_t count;
            pliant_layers_spans(layers, pixel % 4, pixel / 4, &count);
            counts[pixel] += count;
            total += count;
            assert_true(counts[pixel] <= 1);
        }
    }
    assert_int_equal(total, 6); /* as large as both are */
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

static void test_take_common(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *a = room_layers(&room), *b = room_layers(&room), *common = room_layers(&room);
    const PliantBody ball = room_add(&room, scene_icosphere(3));
    const PliantBody ring = room_add(&room, solid_torus(1, 0.3, 40, 20));
    for (int axis = 0; axis < 3; axis++) {
        const PliantView view = {
            {{-1.1f, -1, -0.5f}, {1, 1.2f, 0.2f}}, (PliantAxis)axis, 37, 30 + axis};
        MUST_CLOSED(pliant_layers_capture(a, room.world, ball, &view, NULL), test_layers_info(a));
        MUST_CLOSED(pliant_layers_capture(b, room.world, ring, &view, NULL), test_layers_info(b));
        MUST(pliant_layers_intersect(a, b));
        MUST_CLOSED(pliant_layers_capture_common(common, room.world, ring, ball, &view, NULL),
                    test_layers_info(common));
        int64_t span_count = 0;
        for (int32_t row = 0; row < view.height; row++)
            for (int32_t column = 0; column < view.width; column++) {
                int32_t count;
                const PliantSpan *spans = pliant_layers_spans(a, column, row, &count);
                assert_spans(common, column, row, spans, count);
                span_count += count;
            }
        assert_int_equal(span_count, test_layers_info(common).span_count);
        assert_true(span_count > 100);
        PliantVolume volumes[2] = {pliant_volume_default(), pliant_volume_default()};
        MUST_CLOSED(pliant_layers_volume(a, &volumes[0]), volumes[0]);
        MUST_CLOSED(pliant_layers_volume(common, &volumes[1]), volumes[1]);
        assert_true(volumes[0].volume == volumes[1].volume);
        assert_true(volumes[0].error == volumes[1].error);
        MUST_CLOSED(pliant_layers_capture_common(common, room.world, ring, ring, &view, NULL),
                    test_layers_info(common));
        MUST_CLOSED(pliant_layers_volume(b, &volumes[0]), volumes[0]);
        MUST_CLOSED(pliant_layers_volume(common, &volumes[1]), volumes[1]);
        assert_true(volumes[0].volume == volumes[1].volume);
    }
    pliant_layers_destroy(a);
    pliant_layers_destroy(b);
    pliant_layers_destroy(common);
    assert_true(room_close(&room));
}

/* Points far from the surface are where the surface has them, by solid angles. */
static void test_points_of_a_body(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    SceneMesh mesh = solid_torus(1, 0.4, 40, 20);
    const PliantBody body = room_add_mesh(&room, &mesh);
    static float points[COUNT][3];
    static uint8_t states[COUNT];
    SceneRandom random = {4};
    int inside_count = 0;
    for (int i = 0; i < 3 * COUNT; i++)
        points[i / 3][i % 3] = (float)(3 * scene_random(&random) - 1.5);
    for (int axis = 0; axis < 3; axis++) {
        const PliantView view = {
            {{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}}, (PliantAxis)axis, 300, 200};
        MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &view, NULL),
                    test_layers_info(layers));
        MUST(pliant_layers_inside(layers, (PliantVertices){points[0], COUNT, 0}, states, COUNT));
        for (int i = 0; i < COUNT; i++) {
            const float *p = points[i];
            const float from_ring = sqrtf(p[0] * p[0] + p[1] * p[1]) - 1;
            const float distance = sqrtf(from_ring * from_ring + p[2] * p[2]) - 0.4f;
            const bool is_inside = states[i] == PLIANT_POINT_INSIDE;
            inside_count += is_inside;
            if (fabsf(distance) > 0.03f) /* a pixel, and what triangles are off a torus */
                assert_int_equal(is_inside, solid_winding(&mesh, p) != 0);
        }
    }
    assert_in_range(inside_count, 300, 3000);
    scene_mesh_free(&mesh);
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

/* ---- Mistakes and memory -----------------------------------------------------------------------
 */

/* Layers with something in them, and whether they still have it. */
static void fill(PliantLayers *layers)
{
    MUST(SET(layers, {0, 1, 1}, {0, 2, -1}, {5, 3, 1}, {5, 9, -1}));
}

static void assert_filled(const PliantLayers *layers)
{
    SPANS(layers, 0, 0, {1, 2});
    SPANS(layers, 1, 1, {3, 9});
    const PliantLayersInfo info = test_layers_info(layers);
    assert_true(info.span_count == 2 && info.fragment_count == 4 && info.bad_pixel_count == 0);
    assert_memory_equal(&info.view, &small, sizeof small);
}

#define REFUSE_VIEW(change, text)                                                                  \
    do {                                                                                           \
        PliantView view = small;                                                                   \
        change;                                                                                    \
        REFUSE(room.host, pliant_layers_set(layers, &view, NULL, 0), PLIANT_BAD_ARGUMENT, text);   \
        REFUSE(room.host, pliant_layers_capture(layers, room.world, body, &view, NULL),            \
               PLIANT_BAD_ARGUMENT, text);                                                         \
        REFUSE(room.host,                                                                          \
               pliant_layers_capture_common(layers, room.world, body, body, &view, NULL),          \
               PLIANT_BAD_ARGUMENT, text);                                                         \
        assert_filled(layers);                                                                     \
    } while (0)

static void test_mistakes_of_views(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    const PliantBody body = room_add(&room, scene_icosphere(1));
    fill(layers);
    REFUSE_VIEW(view.width = 0, "view.width is 0");
    REFUSE_VIEW(view.height = -1, "view.height is -1");
    REFUSE_VIEW(view.width = 4097, "view.width is 4097");
    REFUSE_VIEW(view.height = 4097, "view.height is 4097");
    REFUSE_VIEW(view.axis = (PliantAxis)3, "view.axis is 3");
    REFUSE_VIEW(view.box.low[0] = NAN, "view.box");
    REFUSE_VIEW(view.box.high[2] = INFINITY, "view.box");
    REFUSE_VIEW(view.box.low[1] = 4, "view.box");
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

static void test_mistakes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room), *other = room_layers(&room);
    const PliantBody body = room_add(&room, scene_icosphere(1));
    fill(layers);
    REFUSE(room.host, pliant_layers_set(layers, NULL, NULL, 0), PLIANT_BAD_ARGUMENT,
           "view is NULL");
    REFUSE(room.host, set(layers, NULL, 1), PLIANT_BAD_ARGUMENT, "fragments is NULL");
    REFUSE(room.host, set(layers, NULL, -1), PLIANT_BAD_ARGUMENT, "fragment_count is -1");
    REFUSE(room.host, SET(layers, {0, 1, 1}, {0, 2, -1}, {12, 1, 1}), PLIANT_BAD_INDEX,
           "fragments[2].pixel is 12");
    REFUSE(room.host, SET(layers, {-1, 1, 1}), PLIANT_BAD_INDEX, "fragments[0].pixel is -1");
    assert_filled(layers);
    REFUSE(room.host, pliant_layers_capture(layers, room.world, body, NULL, NULL),
           PLIANT_BAD_ARGUMENT, "view is NULL");
    REFUSE(room.host, pliant_layers_capture(layers, room.world, (PliantBody){0}, &small, NULL),
           PLIANT_BAD_ID, "body is {");
    REFUSE(room.host,
           pliant_layers_capture_common(layers, room.world, body, (PliantBody){0}, &small, NULL),
           PLIANT_BAD_ID, "b is {");
    REFUSE(room.host,
           pliant_layers_capture_common(layers, room.world, (PliantBody){0}, body, &small, NULL),
           PLIANT_BAD_ID, "a is {");
    assert_filled(layers);
    REFUSE(room.host, pliant_layers_capture(layers, NULL, body, &small, NULL), PLIANT_BAD_ARGUMENT,
           "world is NULL");
    REFUSE(room.host, pliant_layers_capture_common(layers, NULL, body, body, &small, NULL),
           PLIANT_BAD_ARGUMENT, "world is NULL");
    REFUSE(room.host, pliant_layers_capture(NULL, room.world, body, &small, NULL),
           PLIANT_BAD_ARGUMENT, "layers is NULL");
    REFUSE(room.host, pliant_layers_capture_common(NULL, room.world, body, body, &small, NULL),
           PLIANT_BAD_ARGUMENT, "layers is NULL");
    assert_filled(layers);
    MUST(SET(layers, {0, 1, 1}, {0, 2, -1}));
    PliantView view = small;
    view.width = 5;
    MUST(pliant_layers_set(other, &view, NULL, 0));
    REFUSE(room.host, pliant_layers_intersect(layers, other), PLIANT_BAD_ARGUMENT,
           "layers and other have different views");
    view = small;
    view.box.high[2] = 11;
    MUST(pliant_layers_set(other, &view, NULL, 0));
    REFUSE(room.host, pliant_layers_intersect(layers, other), PLIANT_BAD_ARGUMENT,
           "layers and other have different views");
    REFUSE(room.host, pliant_layers_intersect(layers, NULL), PLIANT_BAD_ARGUMENT, "other is NULL");
    SPANS(layers, 0, 0, {1, 2}); /* as they were */
    REFUSE(room.host, pliant_layers_volume(layers, NULL), PLIANT_BAD_ARGUMENT, "volume is NULL");
    uint8_t inside;
    const PliantVertices points = {(const float[3]){0, 0, 0}, 1, 0};
    REFUSE(room.host, pliant_layers_inside(layers, points, NULL, 1), PLIANT_BAD_ARGUMENT,
           "states is NULL");
    REFUSE(room.host, pliant_layers_inside(layers, (PliantVertices){NULL, 1, 0}, &inside, 1),
           PLIANT_BAD_ARGUMENT, "points.data is NULL");
    REFUSE(room.host,
           pliant_layers_inside(layers, (PliantVertices){points.data, -1, 0}, &inside, 1),
           PLIANT_BAD_ARGUMENT, "points.count is -1");
    REFUSE(room.host, pliant_layers_inside(layers, (PliantVertices){points.data, 1, 7}, &inside, 1),
           PLIANT_BAD_ARGUMENT, "points.stride is 7");
    REFUSE(room.host, pliant_layers_inside(layers, points, &inside, 0), PLIANT_BAD_ARGUMENT,
           "capacity is 0, points.count is 1");
    REFUSE(room.host, pliant_layers_inside(layers, (PliantVertices){NULL, 0, 0}, NULL, -1),
           PLIANT_BAD_ARGUMENT, "capacity is -1");
    int32_t count = 77; /* there is no such pixel */
    assert_null(pliant_layers_spans(layers, 4, 0, &count));
    assert_int_equal(count, 0);
    assert_null(pliant_layers_spans(layers, 0, 3, &count));
    assert_null(pliant_layers_spans(layers, -1, 0, &count));
    pliant_layers_destroy(layers);
    pliant_layers_destroy(other);
    assert_true(room_close(&room));
}

static void test_memory(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    TestHost own;
    test_host_init(&own);
    PliantLayers *layers = NULL, *other = room_layers(&room);
    MUST(test_layers_create(&own.host, &layers));
    const PliantBody body = room_add(&room, scene_icosphere(4));
    const PliantView view = {{{-1, -1, -1}, {1, 1, 1}}, PLIANT_AXIS_Y, 200, 200};
    int64_t calls = 0;
    for (int i = 0; i < 5; i++) {
        if (i == 1) /* a second time takes none */
            calls = own.calls + room.host.calls;
        MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &view, NULL),
                    test_layers_info(layers));
        MUST_CLOSED(pliant_layers_capture_common(other, room.world, body, body, &view, NULL),
                    test_layers_info(other));
        MUST(pliant_layers_intersect(layers, other));
        assert_int_equal(test_layers_info(layers).byte_size, own.bytes);
    }
    assert_int_equal(own.calls + room.host.calls, calls);
    pliant_layers_destroy(layers);
    pliant_layers_destroy(other);
    assert_int_equal(own.blocks, 0);

    own.fail_at = 1;
    own.calls = 0;
    layers = NULL;
    assert_int_equal(test_layers_create(&own.host, &layers), PLIANT_OUT_OF_MEMORY);
    assert_null(layers);
    own.host.release = NULL;
    REFUSE(own, test_layers_create(&own.host, &layers), PLIANT_BAD_ARGUMENT, "host.allocate and");
    assert_true(room_close(&room));
}

/* Arguments that are missing where there is no host to tell. */
static void test_nulls(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    const PliantVertices points = {(const float[3]){0, 0, 0}, 1, 0};
    PliantVolume volume = pliant_volume_default();
    PliantLayersInfo info = pliant_layers_info_default();
    PliantLayersDef def = pliant_layers_def_default();
    uint8_t inside = 9;
    int32_t count = 77;
    def.host = &room.host.host;
    REFUSE(room.host, pliant_layers_create(&def, NULL), PLIANT_BAD_ARGUMENT, "layers is NULL");
    REFUSE_UNHEARD(pliant_layers_create(NULL, NULL), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_layers_capture(NULL, NULL, (PliantBody){0}, &small, NULL),
                   PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_layers_set(NULL, &small, NULL, 0), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_layers_intersect(NULL, layers), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_layers_info(NULL, &info), PLIANT_BAD_ARGUMENT);
    REFUSE(room.host, pliant_layers_info(layers, NULL), PLIANT_BAD_ARGUMENT, "info is NULL");
    REFUSE_UNHEARD(pliant_layers_inside(NULL, points, &inside, 1), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_layers_volume(NULL, &volume), PLIANT_BAD_ARGUMENT);
    assert_null(pliant_layers_spans(NULL, 0, 0, &count));
    assert_int_equal(count, 0);
    fill(layers);
    assert_null(pliant_layers_spans(layers, 0, 0, NULL));
    assert_int_equal(inside, 9);
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

/* Records with a size that cannot be true, and those of a caller with a newer header. */
static void test_records(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room), *none = NULL;
    fill(layers);
    struct {
        PliantLayersInfo info;
        int64_t unknown;
    } newer = {pliant_layers_info_default(), 77};
    newer.info.struct_size = sizeof newer;
    MUST(pliant_layers_info(layers, &newer.info));
    assert_int_equal(newer.info.span_count, 2);
    assert_int_equal(newer.info.struct_size, sizeof newer);
    assert_int_equal(newer.unknown, 77);
    newer.info.struct_size = 8;
    newer.info.span_count = 5;
    REFUSE(room.host, pliant_layers_info(layers, &newer.info), PLIANT_BAD_DEF,
           "info.struct_size is 8");
    assert_int_equal(newer.info.span_count, 5);
    PliantVolume volume = {0};
    REFUSE(room.host, pliant_layers_volume(layers, &volume), PLIANT_BAD_DEF,
           "volume.struct_size is 0");
    assert_true(volume.volume == 0);
    struct {
        PliantLayersDef def;
        int64_t unknown;
    } newer_def = {pliant_layers_def_default(), 1};
    newer_def.def.struct_size = sizeof newer_def;
    newer_def.def.host = &room.host.host;
    REFUSE(room.host, pliant_layers_create(&newer_def.def, &none), PLIANT_BAD_DEF,
           "def.struct_size is");
    newer_def.def.struct_size = sizeof(size_t); /* without the host */
    REFUSE_UNHEARD(pliant_layers_create(&newer_def.def, &none), PLIANT_BAD_DEF);
    assert_null(none);
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

/* An open surface is no failure: bad pixels are counted, and all others are filled. */
static void test_not_closed(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    MUST(SET(layers, {0, 1, 1}, {0, 2, -1}, {1, 1, 1}, {2, NAN, 1}));
    assert_int_equal(test_layers_info(layers).bad_pixel_count, 2);
    SPANS(layers, 0, 0, {1, 2});
    PliantVolume volume = pliant_volume_default();
    MUST(pliant_layers_volume(layers, &volume));
    assert_true(volume.volume == 1 && volume.bad_pixel_count == 2 && !volume.is_closed);

    /* A box without its top has no inside where it has no top: four pixels, of which the other box
     * has two. */
    SceneMesh mesh = solid_box((const float[3]){1, 0, 1}, (const float[3]){3, 2, 8});
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t *from = mesh.triangles + 3 * (size_t)t;
        bool is_top = true;
        for (int i = 0; i < 3; i++)
            is_top &= mesh.vertices[3 * (size_t)from[i] + 2] == 8;
        if (!is_top)
            memmove(mesh.triangles + 3 * (size_t)kept++, from, 3 * sizeof *from);
    }
    mesh.triangle_count = kept;
    const PliantBody open = room_add_mesh(&room, &mesh);
    const PliantBody box = room_add_box(&room, 0, 0, 0, 4, 1, 10);
    MUST(pliant_layers_capture(layers, room.world, open, &small, NULL));
    assert_int_equal(test_layers_info(layers).bad_pixel_count, 4);
    assert_false(test_layers_info(layers).is_closed);
    MUST(pliant_layers_capture_common(layers, room.world, box, open, &small, NULL));
    assert_int_equal(test_layers_info(layers).bad_pixel_count, 4);
    MUST_CLOSED(pliant_layers_capture(layers, room.world, box, &small, NULL),
                test_layers_info(layers));
    assert_true(test_layers_info(layers).is_closed);
    scene_mesh_free(&mesh);
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

/* Layers that could not be changed are as they were. */
static void test_failed_allocations(void **state)
{
    (void)state;
    static PliantFragment fragments[4000];
    TestHost own;
    PliantLayers *layers = NULL, *other = NULL;
    const PliantView view = {{{0, 0, 0}, {50, 40, 100}}, PLIANT_AXIS_Z, 50, 40};
    MUST(pliant_layers_create(NULL, &other));
    for (int32_t i = 0; i < 4000; i++)
        fragments[i] = (PliantFragment){i / 2, (float)(i % 2 * 10 + i % 7), i % 2 ? -1 : 1};
    MUST(pliant_layers_set(other, &view, fragments, 4000));
    int64_t fail_at = 1;
    for (bool did_fail = true; did_fail; fail_at++) {
        test_host_init(&own);
        own.fail_at = fail_at;
        PliantResult result = test_layers_create(&own.host, &layers);
        if (result == PLIANT_OUT_OF_MEMORY)
            MUST(test_layers_create(&own.host, &layers));
        result = SET(layers, {0, 1, 1}, {0, 2, -1}, {5, 3, 1}, {5, 9, -1});
        if (result == PLIANT_OUT_OF_MEMORY) {
            assert_int_equal(test_layers_info(layers).span_count, 0);
            assert_int_equal(test_layers_info(layers).view.width, 0);
            fill(layers);
        }
        result = pliant_layers_set(layers, &view, fragments, 4000);
        if (result == PLIANT_OUT_OF_MEMORY) {
            assert_filled(layers);
            MUST(pliant_layers_set(layers, &view, fragments, 4000));
        }
        result = pliant_layers_intersect(layers, other);
        if (result == PLIANT_OUT_OF_MEMORY) {
            assert_int_equal(test_layers_info(layers).span_count, 2000);
            MUST(pliant_layers_intersect(layers, other));
        }
        assert_int_equal(test_layers_info(layers).span_count, 2000);
        did_fail = own.calls >= fail_at;
        pliant_layers_destroy(layers);
        assert_int_equal(own.blocks, 0);
    }
    assert_true(fail_at > 10);
    pliant_layers_destroy(other);
}

/* ---- Pieces -----------------------------------------------------------------------------------
 */

static float some_way(SceneRandom *random, double most)
{
    return (float)(most * (2 * scene_random(random) - 1));
}

/* Four corners far from the origin, thin along one axis. */
static SceneMesh thin_tetrahedron(SceneRandom *random)
{
    SceneMesh mesh = scene_sphere(SCENE_TETRAHEDRON, 0);
    const int thin = (int)scene_random_below(random, 3);
    float middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = some_way(random, 1000);
    for (int i = 0; i < 3 * mesh.vertex_count; i++)
        mesh.vertices[i] = middle[i % 3] + some_way(random, i % 3 == thin ? 0x1p-12 : 100);
    return mesh;
}

/* A view of a few of the steps that floats have there, around a point of the mesh. */
static PliantView tiny_view(const SceneMesh *mesh, SceneRandom *random)
{
    const uint32_t *t = mesh->triangles + 3 * (size_t)scene_random_below(random, 4);
    const double u = scene_random(random), v = scene_random_below(random, 3) ? (1 - u) / 2 : 0;
    PliantView view = {.axis = (PliantAxis)scene_random_below(random, 3),
                       .width = 1 + (int32_t)scene_random_below(random, 4),
                       .height = 1 + (int32_t)scene_random_below(random, 4)};
    for (int k = 0; k < 3; k++) {
        const double p = mesh->vertices[3 * (size_t)t[0] + (size_t)k],
                     q = mesh->vertices[3 * (size_t)t[1] + (size_t)k],
                     r = mesh->vertices[3 * (size_t)t[2] + (size_t)k];
        const float middle = (float)(p + u * (q - p) + v * (r - p));
        const float far = k == (int)view.axis ? 500 : 0;
        view.box.low[k] = nextafterf(middle, -INFINITY) - far;
        view.box.high[k] = nextafterf(middle, INFINITY) + far;
    }
    return view;
}

static void assert_same_layers(const PliantLayers *a, const PliantLayers *b)
{
    const PliantView view = test_layers_info(a).view;
    for (int32_t row = 0; row < view.height; row++)
        for (int32_t column = 0; column < view.width; column++) {
            int32_t counts[2];
            const PliantSpan *one = pliant_layers_spans(a, column, row, &counts[0]);
            const PliantSpan *other = pliant_layers_spans(b, column, row, &counts[1]);
            assert_int_equal(counts[0], counts[1]);
            for (int32_t i = 0; i < counts[0] && one && other; i++)
                assert_true(one[i].low == other[i].low && one[i].high == other[i].high);
        }
}

/* Boxes of pieces are rounded, lines of pixels are not: none of them may be missed. */
static void test_tiny_views_of_pieces(void **state)
{
    (void)state;
    SceneRandom random = {3};
    for (int round = 0; round < 400; round++) {
        Room room;
        room_open(&room);
        SceneMesh mesh = thin_tetrahedron(&random);
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
        def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
        def.divide_kind = PLIANT_DIVIDE_NONE;
        const PliantBody whole = room_add_def(&room, &def);
        def.divide_kind = round % 2 ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_CORNERS;
        def.divide_size = 12;
        const PliantBody divided = room_add_def(&room, &def);
        PliantLayers *layers[2] = {room_layers(&room), room_layers(&room)};
        for (int i = 0; i < 20; i++) {
            const PliantView view = tiny_view(&mesh, &random);
            MUST_CLOSED(pliant_layers_capture(layers[0], room.world, whole, &view, NULL),
                        test_layers_info(layers[0]));
            MUST_CLOSED(pliant_layers_capture(layers[1], room.world, divided, &view, NULL),
                        test_layers_info(layers[1]));
            assert_same_layers(layers[0], layers[1]);
        }
        pliant_layers_destroy(layers[0]);
        pliant_layers_destroy(layers[1]);
        scene_mesh_free(&mesh);
        assert_true(room_close(&room));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_fragments),
        cmocka_unit_test(test_depths_beyond),
        cmocka_unit_test(test_bad_pixels),
        cmocka_unit_test(test_intersect),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_no_pixel_twice),
        cmocka_unit_test(test_take_common),
        cmocka_unit_test(test_points_of_a_body),
        cmocka_unit_test(test_mistakes_of_views),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_tiny_views_of_pieces),
        cmocka_unit_test(test_nulls),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_not_closed),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
