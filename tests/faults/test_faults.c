/* Every allocation made to fail in turn, once and forever: nothing is lost, everything stays
 * usable. */
#include "base/memory.h"
#include "calls.h"
#include "decide/points.h"
#include "host.h"
#include "scenes.h"
#include "test_layers.h"
#include "unit.h"
#include "workers.h"
#include <pliant/pliant.h>

#include <string.h>

/* Uses everything that allocates, and goes on after a failure as a caller would. */
static PliantResult use_memory(const PliantHost *host, PliArray *array, PliArena *arena)
{
    PliantResult first = PLIANT_OK;
    for (int frame = 0; frame < 3; frame++) {
        for (int i = 0; i < 40; i++) {
            void *piece = NULL;
            PliantResult result = pli_arena_allocate(arena, 1000, (size_t)i, &piece);
            if (result == PLIANT_OK && i > 0)
                memset(piece, i, 1000 * (size_t)i);
            else if (first == PLIANT_OK)
                first = result;

            int64_t count = array->count;
            void *items = NULL;
            result = pli_array_push(array, host, 100, &items);
            if (result == PLIANT_OK) {
                memset(items, (int)(count & 0x7f), 100);
            } else {
                assert_int_equal(array->count, count);
                first = first == PLIANT_OK ? result : first;
            }
        }
        pli_arena_reset(arena);
    }
    /* What was pushed is still there. */
    const char *items = array->items;
    for (int64_t i = 0; i < array->count; i++)
        assert_int_equal(items[i], (i / 100 * 100) & 0x7f);
    return first;
}

static void run(bool for_ever)
{
    for (int64_t fail_at = 1;; fail_at++) {
        TestHost host;
        test_host_init(&host);
        host.fail_at = fail_at;
        host.fails_for_ever = for_ever;
        PliArray array = {.item_size = 1};
        PliArena arena;
        pli_arena_init(&arena, &host.host);
        PliantResult result = use_memory(&host.host, &array, &arena);
        bool did_fail = host.calls >= fail_at;
        if (for_ever && did_fail && fail_at == 1)
            assert_int_equal(result, PLIANT_OUT_OF_MEMORY);
        assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);

        host.fail_at = 0; /* memory is back: all works again */
        assert_int_equal(use_memory(&host.host, &array, &arena), PLIANT_OK);
        pli_array_free(&array, &host.host);
        pli_arena_free(&arena);
        assert_int_equal(host.blocks, 0);
        assert_int_equal(host.bytes, 0);
        if (!did_fail)
            break;
    }
}

static void test_each_fails_once(void **state)
{
    (void)state;
    run(false);
}

static void test_each_and_all_after_it_fail(void **state)
{
    (void)state;
    run(true);
}

/* ---- Worlds ------------------------------------------------------------------------------------
 */

/* A session as a caller would have it: a call that fails for want of memory is made again once
 * memory is back, and must then succeed. */
enum { TARGETS = 3, JOINTS = 3, INFLUENCES = 2 };

/* What worlds are played with: bodies that can morph or follow joints, and those that cannot;
 * and soups. */
typedef struct Variant {
    PliantBroadKind broad_kind;
    int32_t target_count;
    PliantMorphKind morph_kind;
    PliantBoundKind bound_kind;
    int32_t between_count;
    int32_t joint_count;
    bool has_soups;
    PliantSoupKind soup_kinds[2];
} Variant;

/* If not NULL: tasks are run this way, and worlds divide all that they can. */
static TestWorkers *workers;

typedef struct Session {
    TestHost host;
    SceneMesh mesh;
    float *targets;   /* positions or displacements, one behind the other; NULL: none */
    uint16_t *joints; /* of a skin; NULL: none */
    float *weights;   /* likewise */
    PliantShape *shape;
    PliantWorld *world;
    PliantBody bodies[4];
    PliantBody soups[3]; /* of triangles, points and segments: copied, lent, and either */
    const Variant *variant;
    float *lent;
    uint64_t hash; /* of all answers */
    int failure_count;
} Session;

static void add_to_hash(Session *s, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        s->hash = (s->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Of the handles only the index: the world is another one each time. */
static void add_contacts(Session *s, const PliantContacts *contacts)
{
    for (int64_t i = 0; i < contacts->count; i++) {
        const PliantContact *one = &contacts->items[i];
        add_to_hash(s, &one->body_a.index, sizeof one->body_a.index);
        add_to_hash(s, &one->body_b.index, sizeof one->body_b.index);
        add_to_hash(s, &one->triangle_a, sizeof one->triangle_a);
        add_to_hash(s, &one->triangle_b, sizeof one->triangle_b);
    }
}

/* True if the call is to be made again. */
static bool is_failed(Session *s, PliantResult result)
{
    if (result == PLIANT_OK)
        return false;
    assert_int_equal(result, PLIANT_OUT_OF_MEMORY);
    assert_true(s->host.fail_at != 0); /* not twice for one cause */
    s->host.fail_at = 0;
    s->failure_count++;
    return true;
}

#define AGAIN(s, call)                                                                             \
    do {                                                                                           \
    } while (is_failed(s, call))

static void add_body(Session *s, PliantBody *body)
{
    const PliantBody none = {77, 78};
    PliantResult result;
    do {
        *body = none;
        result = pliant_body_create(s->world, s->shape, body);
        if (result != PLIANT_OK)
            assert_memory_equal(body, &none, sizeof none);
    } while (is_failed(s, result));
    assert_true(pliant_body_is_alive(s->world, *body));
}

/* Scratch memory that cannot be had is asked for once more, in a smaller piece, or not needed yet:
 * a failure that was made up for in this call counts like one that was told. */
static void count_made_up(Session *s, int64_t calls_before)
{
    if (s->host.fail_at <= calls_before || s->host.fail_at > s->host.calls)
        return;
    s->host.fail_at = 0;
    s->failure_count++;
}

typedef enum Asked { ALL_BODIES, TWO_BODIES, ONE_BODY } Asked;

static PliantResult collide(Session *s, const PliantCollideDef *def, Asked asked,
                            PliantContacts *contacts)
{
    return asked == TWO_BODIES
               ? pliant_bodies_collide(s->world, s->bodies[1], s->bodies[0], def, contacts)
           : asked == ONE_BODY ? pliant_body_collide(s->world, s->bodies[1], def, contacts)
                               : pliant_world_collide(s->world, def, contacts);
}

static void prefetch(Session *s, PliantCollideKind query, Asked asked)
{
    const PliantContacts none = {sizeof none, (const PliantContact *)&none, -5, 0, false};
    PliantContacts contacts = pliant_contacts_default();
    PliantResult result;
    int64_t calls;
    do {
        contacts = none;
        calls = s->host.calls;
        result = collide(s, TEST_QUERY(query), asked, &contacts);
        if (result != PLIANT_OK)
            assert_memory_equal(&contacts, &none, sizeof none);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    add_to_hash(s, &contacts.count, sizeof contacts.count);
    add_contacts(s, &contacts);
    PliantStats stats = pliant_stats_default();
    assert_int_equal(pliant_world_stats(s->world, &stats), PLIANT_OK);
    assert_int_equal(stats.contacts, contacts.count);
    assert_int_equal(stats.byte_size, s->host.bytes);
}

/* Self-collision of a body: with caller-supplied vertices, and without. */
static void ask_self(Session *s, PliantCollideKind query)
{
    const PliantContacts none = {sizeof none, (const PliantContact *)&none, -5, 0, false};
    for (int i = 1; i < 3; i++) {
        PliantContacts contacts = pliant_contacts_default();
        PliantResult result;
        int64_t calls;
        do {
            contacts = none;
            calls = s->host.calls;
            result = pliant_bodies_collide(s->world, s->bodies[i], s->bodies[i], TEST_QUERY(query),
                                           &contacts);
            if (result != PLIANT_OK)
                assert_memory_equal(&contacts, &none, sizeof none);
        } while (is_failed(s, result));
        count_made_up(s, calls);
        add_to_hash(s, &contacts.count, sizeof contacts.count);
        add_contacts(s, &contacts);
        PliantStats stats = pliant_stats_default();
        assert_int_equal(pliant_world_stats(s->world, &stats), PLIANT_OK);
        assert_int_equal(stats.byte_size, s->host.bytes);
    }
}

/* What is near, in the world and within bodies: a failure leaves the pairs as they were. */
static void ask_near_with(Session *s, float margin, bool is_unique)
{
    const PliantNearPairs none = {
        .struct_size = sizeof none, .items = (const PliantNearPair *)&none, .count = -5};
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = pliant_near_def_default();
    PliantResult result;
    int64_t calls;
    def.distance = 0.002f;
    def.margin = margin;
    def.includes_self = true;
    def.is_unique = is_unique;
    do {
        pairs = none;
        calls = s->host.calls;
        result = pliant_world_near(s->world, &def, &pairs);
        if (result != PLIANT_OK)
            assert_memory_equal(&pairs, &none, sizeof none);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    assert_true(pairs.count > 0);
    for (int64_t i = 0; i < pairs.count; i++) {
        add_to_hash(s, &pairs.items[i].feature_a, sizeof pairs.items[i].feature_a);
        add_to_hash(s, &pairs.items[i].feature_b, sizeof pairs.items[i].feature_b);
        add_to_hash(s, &pairs.items[i].distance, sizeof pairs.items[i].distance);
        add_to_hash(s, &pairs.items[i].pair_count, sizeof pairs.items[i].pair_count);
    }
    PliantStats stats = pliant_stats_default();
    assert_int_equal(pliant_world_stats(s->world, &stats), PLIANT_OK);
    assert_int_equal(stats.byte_size, s->host.bytes);
}

/* Leaves out pairs of two bodies and within one. */
static void exclude(Session *s)
{
    static const uint32_t pairs[] = {0, 1, 2, 3, 1, 1};
    enum { PATCHES = 4096 };
    uint32_t patches[PATCHES];
    for (uint32_t v = 0; v < PATCHES; v++)
        patches[v] = v % 2;
    PliantBodyInfo info = pliant_body_info_default();
    assert_int_equal(pliant_body_info(s->world, s->bodies[0], &info), PLIANT_OK);
    AGAIN(s, pliant_bodies_exclude_vertices(s->world, s->bodies[0], s->bodies[1], pairs, 3));
    if (info.vertex_count <= PATCHES)
        AGAIN(s, pliant_body_set_patches(s->world, s->bodies[0], patches, info.vertex_count));
}

/* Gives a body a radius for each vertex, or takes these away. A failure leaves those that it had.
 */
static void set_radii(Session *s, PliantBody body, float radius)
{
    enum { MOST = 1 << 14 };
    static float radii[MOST], now[MOST];
    PliantBodyInfo info = pliant_body_info_default();
    PliantResult result;
    assert_int_equal(pliant_body_info(s->world, body, &info), PLIANT_OK);
    assert_true(info.vertex_count <= MOST);
    for (int i = 0; i < MOST; i++)
        radii[i] = radius;
    do {
        result = pliant_body_set_vertex_radii(s->world, body, radius > 0 ? radii : NULL,
                                              radius > 0 ? info.vertex_count : 0);
        assert_int_equal(pliant_body_vertex_radii(s->world, body, now, MOST), PLIANT_OK);
        assert_true(result != PLIANT_OK || now[0] == radius);
    } while (is_failed(s, result));
}

/* Gives a body its vertices in double. A failure leaves those that it had. */
static void set_doubles(Session *s, PliantBody body, bool is_borrowed)
{
    enum { MOST = 1 << 14 };
    static double doubles[3 * MOST];
    static float before[3 * MOST], after[3 * MOST];
    const PliantTransform identity = pliant_transform_identity();
    PliantBodyInfo info = pliant_body_info_default();
    PliantResult result;
    assert_int_equal(pliant_body_info(s->world, body, &info), PLIANT_OK);
    assert_true(info.vertex_count <= MOST);
    AGAIN(s, pliant_body_set_transform(s->world, body, &identity));
    assert_int_equal(pliant_body_vertices(s->world, body, before, MOST), PLIANT_OK);
    for (int i = 0; i < 3 * info.vertex_count; i++)
        doubles[i] = (double)before[i] * (1 + 0x1p-40);
    do {
        result = (is_borrowed ? pliant_body_borrow_vertices64 : pliant_body_set_vertices64)(
            s->world, body, (PliantVertices64){doubles, info.vertex_count, 0});
        assert_int_equal(pliant_body_vertices(s->world, body, after, MOST), PLIANT_OK);
        assert_memory_equal(before, after, 12 * (size_t)info.vertex_count);
    } while (is_failed(s, result));
}

/* Without a margin and with one; the closest features of both. */
static void ask_near(Session *s)
{
    ask_near_with(s, 0, false);
    ask_near_with(s, 0, true);
    ask_near_with(s, 0.001f, false);
    ask_near_with(s, 0.001f, true);
}

/* The distance of two bodies, and which bodies are near. */
static void ask_distance(Session *s)
{
    PliantBodyPairsDef within = pliant_body_pairs_def_default();
    PliantBodyPairs pairs = pliant_body_pairs_default();
    int64_t calls;
    within.distance = 0.002f;
    PliantResult result;
    for (int i = 1; i < 4; i++) {
        const PliantDistance none = {.struct_size = sizeof none, .pair = {.feature_a = -5}};
        PliantDistance distance;
        do {
            distance = none;
            calls = s->host.calls;
            result = pliant_bodies_distance(s->world, s->bodies[0], s->bodies[i], NULL, &distance);
            if (result != PLIANT_OK)
                assert_int_equal(distance.pair.feature_a, -5);
        } while (is_failed(s, result));
        count_made_up(s, calls);
        assert_true(distance.is_found);
        add_to_hash(s, &distance.pair.feature_a, sizeof distance.pair.feature_a);
        add_to_hash(s, &distance.pair.distance, sizeof distance.pair.distance);
    }
    do {
        pairs.count = -5;
        calls = s->host.calls;
        result = pliant_world_bodies_within(s->world, &within, &pairs);
        if (result != PLIANT_OK)
            assert_int_equal(pairs.count, -5);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    add_to_hash(s, &pairs.count, sizeof pairs.count);
}

/* Closest points of all bodies. */
static void ask_closest(Session *s)
{
    static const float points[3][3] = {{0, 0, 0}, {1, 2, 3}, {-.5f, .25f, .125f}};
    PliantClosestPoints closest = {.struct_size = sizeof closest, .count = -5};
    PliantClosestDef def = pliant_closest_def_default();
    PliantResult result;
    int64_t calls;
    def.is_signed = true;
    do {
        calls = s->host.calls;
        result = pliant_world_closest_points(s->world, (PliantVertices){points[0], 3, 0}, &def,
                                             &closest);
        if (result != PLIANT_OK)
            assert_int_equal(closest.count, -5);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    for (int i = 0; i < 3; i++) {
        add_to_hash(s, &closest.items[i].triangle, sizeof closest.items[i].triangle);
        add_to_hash(s, &closest.items[i].distance, sizeof closest.items[i].distance);
    }
}

/* Winding numbers of points around a body, whatever its kind is. */
static void ask_windings(Session *s)
{
    static const float points[2][3] = {{.1f, 0, .2f}, {1, 2, 3}};
    PliantWindingNumbers numbers = {.struct_size = sizeof numbers, .count = -5};
    PliantResult result;
    int64_t calls;
    do {
        calls = s->host.calls;
        result = pliant_body_winding_numbers(s->world, s->bodies[0],
                                             (PliantVertices){points[0], 2, 0}, NULL, &numbers);
        if (result != PLIANT_OK)
            assert_int_equal(numbers.count, -5);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    for (int i = 0; i < 2; i++)
        add_to_hash(s, &numbers.items[i].number, sizeof numbers.items[i].number);
}

/* Regions of two bodies: contacts stay while they are asked for. */
static void ask_regions(Session *s)
{
    PliantContacts contacts = pliant_contacts_default();
    const PliantRegions none = {.struct_size = sizeof none, .count = -5};
    PliantRegions regions;
    PliantRegionsDef def = pliant_regions_def_default();
    PliantResult result;
    int64_t calls;
    AGAIN(s, pliant_bodies_collide(s->world, s->bodies[0], s->bodies[1], NULL, &contacts));
    def.depth_tolerance = 0.5f;
    do {
        regions = none;
        calls = s->host.calls;
        result = pliant_contacts_regions(s->world, &contacts, &def, &regions);
        if (result != PLIANT_OK)
            assert_int_equal(regions.count, -5);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    assert_true(regions.count > 0);
    for (int64_t i = 0; i < regions.count; i++)
        for (int k = 0; k < 2; k++) {
            const PliantRegionPart *part = &regions.items[i].parts[k];
            add_to_hash(s, &part->triangle_count, sizeof part->triangle_count);
            add_to_hash(s, &part->area, sizeof part->area);
            add_to_hash(s, &part->depth, sizeof part->depth);
        }
}

/* What the triangles of all contacts have in common: a failure leaves the record as it was. */
static void ask_intersections(Session *s)
{
    const PliantIntersections none = {.struct_size = sizeof none,
                                      .items = (const PliantIntersection *)&none,
                                      .count = -5,
                                      .points = (const PliantIntersectionPoint *)&none,
                                      .point_count = -6};
    PliantContacts contacts = pliant_contacts_default();
    PliantIntersections found = none;
    PliantResult result;
    int64_t calls = s->host.calls;
    AGAIN(s, pliant_world_collide(s->world, NULL, &contacts));
    count_made_up(s, calls);
    do {
        found = none;
        calls = s->host.calls;
        result = pliant_contacts_intersections(s->world, &contacts, NULL, &found);
        if (result != PLIANT_OK)
            assert_memory_equal(&found, &none, sizeof none);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    assert_int_equal(found.count, contacts.count);
    add_to_hash(s, &found.point_count, sizeof found.point_count);
    if (found.point_count > 0)
        add_to_hash(s, found.points, (size_t)found.point_count * sizeof *found.points);
}

static void ask_body_pairs(Session *s)
{
    PliantBodyPairs pairs;
    int64_t calls;
    PliantResult result;
    do {
        pairs = pliant_body_pairs_default();
        pairs.count = -5;
        calls = s->host.calls;
        result = pliant_world_body_pairs(s->world, NULL, &pairs);
        if (result != PLIANT_OK)
            assert_true(pairs.items == NULL && pairs.count == -5);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    for (int64_t i = 0; i < pairs.count; i++) {
        add_to_hash(s, &pairs.items[i].body_a.index, sizeof pairs.items[i].body_a.index);
        add_to_hash(s, &pairs.items[i].body_b.index, sizeof pairs.items[i].body_b.index);
    }
}

static void add_volume(Session *s, const PliantVolume *volume)
{
    add_to_hash(s, &volume->volume, sizeof volume->volume);
    add_to_hash(s, &volume->error, sizeof volume->error);
    add_to_hash(s, &volume->bad_pixel_count, sizeof volume->bad_pixel_count);
}

/* The volume of a body, of what two have in common, and of layers of the world's host. */
static void ask_volumes(Session *s)
{
    static const PliantView view = {{{-1.2f, -1, -0.9f}, {1, 1.3f, 1.1f}}, PLIANT_AXIS_Y, 10, 150};
    PliantVolume none = pliant_volume_default(), volume = pliant_volume_default();
    memset(&none, 0xee, sizeof none);
    none.struct_size = sizeof none;
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = 8;
    def.axes = PLIANT_AXES_ALL;
    def.relative_error = 0.1;
    def.max_resolution = 30;
    PliantResult result;
    for (int i = 0; i < 2; i++) {
        do {
            volume = none;
            result = pliant_bodies_volume(s->world, s->bodies[i], s->bodies[2], &def, &volume);
            if (result == PLIANT_OUT_OF_MEMORY)
                assert_memory_equal(&volume, &none, sizeof none);
        } while (is_failed(s, result));
        add_volume(s, &volume);
    }
    PliantContainment containment = pliant_containment_default();
    AGAIN(s, pliant_bodies_contain(s->world, s->bodies[0], s->bodies[2], NULL, &containment));
    const float *corners = NULL;
    int64_t count = 0;
    AGAIN(s, pliant_body_triangles(s->world, s->bodies[1], &view, &corners, &count));
    add_to_hash(s, &count, sizeof count);
    const PliantBox half = {{-1e9F, -1e9F, -1e9F}, {0, 1e9F, 1e9F}};
    PliantBoxTriangles in_box = pliant_box_triangles_default();
    AGAIN(s, pliant_body_triangles_in_boxes(s->world, s->bodies[0], &half, 1, NULL, &in_box));
    assert_true(in_box.count > 0);
    add_to_hash(s, in_box.items, (size_t)in_box.count * sizeof *in_box.items);
    AGAIN(s,
          pliant_body_moving_triangles_in_boxes(s->world, s->bodies[0], &half, 1, NULL, &in_box));
    add_to_hash(s, in_box.items, (size_t)in_box.count * sizeof *in_box.items);
    PliantBox boxes[16];
    int32_t box_count = 0;
    AGAIN(s, pliant_body_boxes_in_boxes(s->world, s->bodies[0], &half, 1, boxes, 16, &box_count));
    assert_true(box_count > 0);
    add_to_hash(s, boxes, (size_t)box_count * sizeof *boxes);
    PliantStats stats = pliant_stats_default();
    assert_int_equal(pliant_world_stats(s->world, &stats), PLIANT_OK);
    assert_int_equal(stats.byte_size, s->host.bytes);
}

/* Layers that cannot be captured or intersected are as they were. */
static void ask_layers(Session *s)
{
    static const PliantView view = {{{-1.2f, -1, -0.9f}, {1, 1.3f, 1.1f}}, PLIANT_AXIS_Y, 10, 150};
    PliantLayers *layers = NULL, *other = NULL;
    PliantVolume volume = pliant_volume_default();
    PliantResult result;
    AGAIN(s, test_layers_create(&s->host.host, &layers));
    AGAIN(s, test_layers_create(&s->host.host, &other));
    do {
        result = pliant_layers_capture(layers, s->world, s->bodies[0], &view, NULL);
        if (result == PLIANT_OUT_OF_MEMORY)
            assert_int_equal(test_layers_info(layers).span_count, 0);
    } while (is_failed(s, result));
    const int64_t span_count = test_layers_info(layers).span_count;
    PliantView finer = view;
    finer.width *= 2;
    while (is_failed(s, pliant_layers_capture(layers, s->world, s->bodies[0], &finer, NULL))) {
        assert_int_equal(test_layers_info(layers).span_count, span_count);
        assert_int_equal(test_layers_info(layers).view.width, view.width);
    }
    while (is_failed(s, pliant_layers_capture(layers, s->world, s->bodies[0], &view, NULL)))
        assert_int_equal(test_layers_info(layers).view.width, finer.width);
    assert_int_equal(test_layers_info(layers).span_count, span_count);
    while (is_failed(
        s, pliant_layers_capture_common(other, s->world, s->bodies[1], s->bodies[2], &view, NULL)))
        assert_int_equal(test_layers_info(other).span_count, 0);
    while (is_failed(s, pliant_layers_intersect(layers, other)))
        assert_int_equal(test_layers_info(layers).span_count, span_count);
    while (is_failed(s, pliant_layers_volume(layers, &volume)))
        continue;
    add_volume(s, &volume);
    pliant_layers_destroy(layers);
    pliant_layers_destroy(other);
}

/* The points of hits that a query has just found. */
static void ask_hit_points(Session *s, const PliantRayHits *hits)
{
    PliantHitPoints none = pliant_hit_points_default(), points;
    PliantResult result;
    none.count = -5;
    int64_t calls;
    do {
        points = none;
        calls = s->host.calls;
        result = pliant_hits_points(s->world, hits, NULL, &points);
        if (result != PLIANT_OK)
            assert_memory_equal(&points, &none, sizeof none);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    assert_int_equal(points.count, hits->count);
    for (int64_t i = 0; i < points.count; i++)
        add_to_hash(s, &points.items[i], sizeof points.items[i]);
}

/* Rays at all bodies and at one, of each kind: outputs are as they were if there is no memory.
 */
static void ask_rays(Session *s)
{
    PliantRay rays[40];
    PliantRayHits none = pliant_ray_hits_default(), hits;
    PliantResult result;
    none.count = -5;
    for (int i = 0; i < 40; i++)
        rays[i] = (PliantRay){{-3, 0.02f * (float)(i - 20), 0.1f}, {1, 0, 0.01f * (float)i}, 100};
    for (int kind = 0; kind < 6; kind++) {
        PliantRayDef def = pliant_ray_def_default();
        def.kind = (PliantRayKind)(kind % 3);
        int64_t calls;
        do {
            hits = none;
            calls = s->host.calls;
            result = kind < 3 ? pliant_world_cast_rays(s->world, &def, rays, 40, &hits)
                              : pliant_body_cast_rays(s->world, s->bodies[kind - 3], &def, rays, 40,
                                                      &hits);
            if (result != PLIANT_OK)
                assert_memory_equal(&hits, &none, sizeof none);
        } while (is_failed(s, result));
        count_made_up(s, calls);
        add_to_hash(s, &hits.count, sizeof hits.count);
        for (int64_t i = 0; i < hits.count; i++) {
            add_to_hash(s, &hits.items[i].ray, sizeof hits.items[i].ray);
            add_to_hash(s, &hits.items[i].triangle, sizeof hits.items[i].triangle);
            add_to_hash(s, &hits.items[i].t, sizeof hits.items[i].t);
        }
        ask_hit_points(s, &hits);
        PliantStats stats = pliant_stats_default();
        assert_int_equal(pliant_world_stats(s->world, &stats), PLIANT_OK);
        assert_int_equal(stats.byte_size, s->host.bytes);
    }
}

/* Two bodies by weights, one of which is caller-supplied vertices in between. */
static void morph(Session *s, int frame)
{
    const float w = 0.25f * (float)frame;
    const float weights[TARGETS] = {1 - w, w, 0}, others[TARGETS] = {0.5f, w, -w};
    if (!s->targets)
        return;
    if (frame % 2 == 0)
        AGAIN(s, pliant_body_set_weights(s->world, s->bodies[0], weights, TARGETS));
    AGAIN(s, pliant_body_set_weights(s->world, s->bodies[3], others, TARGETS));
    if (frame > 1)
        AGAIN(s, pliant_body_set_weights(s->world, s->bodies[2], weights, TARGETS));
}

/* Three bodies by joints, one of which is caller-supplied vertices in between. */
static void follow(Session *s, int frame)
{
    PliantTransform joints[JOINTS];
    if (!s->joints)
        return;
    for (int j = 0; j < JOINTS; j++) {
        joints[j] = pliant_transform_identity();
        joints[j].rows[j][(j + 1) % 3] = 0.2f * (float)frame;
        joints[j].rows[1][3] = 0.1f * (float)(frame * j);
    }
    if (frame % 2 == 1)
        AGAIN(s, pliant_body_set_joints(s->world, s->bodies[0], joints, JOINTS));
    AGAIN(s, pliant_body_set_joints(s->world, s->bodies[3], joints, JOINTS));
    if (frame > 0)
        AGAIN(s, pliant_body_set_joints(s->world, s->bodies[2], joints, JOINTS));
}

/* One of triangles, one of points, one of segments. */
static void add_soup(Session *s, int which)
{
    const PliantBody none = {77, 78};
    PliantBody *body = &s->soups[which];
    PliantSoupDef def = pliant_soup_def_default();
    def.primitive_kind = (PliantPrimitiveKind)which;
    PliantExperiments experiments = pliant_experiments_default();
    experiments.soup_kind = s->variant->soup_kinds[which % 2];
    def.experiments = &experiments;
    PliantResult result;
    do {
        *body = none;
        result = pliant_body_create_soup(s->world, &def, body);
        if (result != PLIANT_OK)
            assert_memory_equal(body, &none, sizeof none);
    } while (is_failed(s, result));
}

/* A soup that cannot be given more has what it had. */
static void give_soup(Session *s, PliantBody body, const PliantPrimitives *primitives,
                      const PliantPrimitives *before, bool is_lent)
{
    const size_t size = 12 * (size_t)before->vertices.count;
    float *vertices = malloc(size + 12);
    PliantResult result;
    do {
        result = is_lent ? pliant_body_borrow_primitives(s->world, body, primitives)
                         : pliant_body_set_primitives(s->world, body, primitives);
        if (result != PLIANT_OK) {
            assert_int_equal(test_body_vertices(s->world, body, vertices), PLIANT_OK);
            assert_memory_equal(vertices, before->vertices.data, size);
        }
    } while (is_failed(s, result));
    free(vertices);
}

/* Triangles of the mesh, segments from their corners, and its vertices, more of them from frame to
 * frame, and at last fewer.
 */
static void stir(Session *s, int frame)
{
    static const int32_t parts[] = {0, 1, 3, 16, 5};
    PliantPrimitives triangles[2], points[2], segments[2];
    if (!s->variant->has_soups)
        return;
    for (int i = 0; i < 2; i++) {
        const int32_t part = parts[frame + i];
        const int32_t vertex_count = s->mesh.vertex_count * part / 16;
        const bool is_some = part > 0; /* corners may be any vertices */
        triangles[i] = (PliantPrimitives){
            .struct_size = sizeof(PliantPrimitives),
            .vertices = {s->mesh.vertices, is_some ? s->mesh.vertex_count : 0, 0},
            .corners = s->mesh.triangles,
            .count = s->mesh.triangle_count * part / 16};
        points[i] = (PliantPrimitives){.struct_size = sizeof(PliantPrimitives),
                                       .vertices = {s->mesh.vertices, vertex_count, 0},
                                       .corners = NULL,
                                       .count = vertex_count};
    }
    for (int i = 0; i < 2; i++) {
        segments[i] = triangles[i];
        segments[i].count = triangles[i].count / 4;
    }
    give_soup(s, s->soups[0], &triangles[1], &triangles[0], false);
    give_soup(s, s->soups[1], &points[1], &points[0], frame % 2 == 0);
    give_soup(s, s->soups[2], &segments[1], &segments[0], frame % 2 == 1);
}

/* The mesh, moved: where bodies coincide, integers decide, and each replay takes long. */
static PliantVertices moved_mesh(Session *s, float x, float y)
{
    for (int32_t i = 0; i < 3 * s->mesh.vertex_count; i++)
        s->lent[i] = s->mesh.vertices[i] + (i % 3 == 0 ? x : i % 3 == 1 ? y : 0);
    return (PliantVertices){s->lent, s->mesh.vertex_count, 0};
}

static void pose(Session *s, int frame)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = 0.31f + 0.4f * (float)frame;
    transform.rows[1][3] = 0.07f;
    const float y = 0.2f * (float)frame;
    AGAIN(s, pliant_body_set_vertices(s->world, s->bodies[0], moved_mesh(s, 0.13f, y)));
    AGAIN(s, pliant_body_borrow_vertices(s->world, s->bodies[1], moved_mesh(s, -0.17f, y + 0.11f)));
    AGAIN(s, pliant_body_set_transform(s->world, s->bodies[2], &transform));
    AGAIN(s, pliant_body_set_update_kind(s->world, s->bodies[1], (PliantUpdateKind)(frame % 3)));
    if (frame == 2) {
        transform.rows[2][3] = 0.19f;
        AGAIN(s, pliant_body_destroy(s->world, s->bodies[3]));
        add_body(s, &s->bodies[3]);
        AGAIN(s, pliant_body_set_transform(s->world, s->bodies[3], &transform));
    }
    morph(s, frame);
    follow(s, frame);
    stir(s, frame);
}

/* A world with its bodies. */
static void start_world(Session *s)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.host = &s->host.host;
    experiments.broad_kind = s->variant->broad_kind;
    s->hash = UINT64_C(0xcbf29ce484222325);
    s->world = NULL;
    PliantResult result;
    do {
        result = pliant_world_create(&def, &s->world);
        assert_true((result == PLIANT_OK) == (s->world != NULL));
    } while (is_failed(s, result));
    if (workers)
        test_workers_divide_everything(s->world);
    for (int i = 0; i < 4; i++)
        add_body(s, &s->bodies[i]);
}

static void end_world(Session *s)
{
    pliant_world_destroy(s->world);
    assert_int_equal(s->host.blocks, 0);
    assert_int_equal(s->host.bytes, 0);
}

/* Later queries allocate everything again. */
static void trim(Session *s)
{
    PliantWorldMemory memory = pliant_world_memory_default();
    MUST(pliant_world_trim(s->world));
    MUST(pliant_world_memory(s->world, &memory));
    assert_int_equal(memory.total, memory.bodies);
    assert_int_equal(memory.total, s->host.bytes);
    if (workers)
        test_workers_divide_everything(s->world);
}

/* Plays, and returns the hash of the answers. */
typedef uint64_t Play(Session *s);

static void start_frames(Session *s)
{
    start_world(s);
    for (int i = 0; i < 3 && s->variant->has_soups; i++)
        add_soup(s, i);
}

/* Each of these is one session of few calls, as it is played again for each allocation. */
static uint64_t play_contacts(Session *s)
{
    start_frames(s);
    for (int frame = 0; frame < 4; frame++) {
        pose(s, frame);
        prefetch(s, PLIANT_ANY_PAIR, ALL_BODIES);
        prefetch(s, PLIANT_FIRST_PAIRS, TWO_BODIES);
        ask_body_pairs(s);
        prefetch(s, PLIANT_FIRST_PAIRS, ALL_BODIES);
        prefetch(s, PLIANT_ALL_PAIRS, ONE_BODY);
        prefetch(s, PLIANT_ALL_PAIRS, TWO_BODIES);
        prefetch(s, PLIANT_ALL_PAIRS, ALL_BODIES);
        if (frame == 1) {
            ask_self(s, PLIANT_ANY_PAIR);
            ask_self(s, PLIANT_ALL_PAIRS);
            trim(s);
        }
    }
    end_world(s);
    return s->hash;
}

static uint64_t play_near(Session *s)
{
    start_frames(s);
    for (int frame = 0; frame < 3; frame++) {
        pose(s, frame);
        if (frame == 2)
            exclude(s);
        if (frame % 2 == 0) {
            set_radii(s, s->bodies[1], frame == 0 ? 0.0005f : 0);
            set_doubles(s, s->bodies[0], frame == 0);
            ask_near(s);
        } else {
            ask_distance(s);
            ask_closest(s);
            ask_windings(s);
            trim(s);
        }
        prefetch(s, PLIANT_ALL_PAIRS, ALL_BODIES);
    }
    end_world(s);
    return s->hash;
}

static uint64_t play_regions(Session *s)
{
    start_frames(s);
    for (int frame = 0; frame < 2; frame++)
        pose(s, frame);
    ask_regions(s);
    ask_intersections(s);
    prefetch(s, PLIANT_ALL_PAIRS, ALL_BODIES);
    end_world(s);
    return s->hash;
}

static uint64_t play_volumes(Session *s)
{
    start_world(s);
    for (int frame = 0; frame < 2; frame++) {
        PliantTransform transform = pliant_transform_identity();
        transform.rows[0][3] = 0.4f;
        AGAIN(s, pliant_body_set_transform(s->world, s->bodies[2], &transform));
        AGAIN(s, pliant_body_set_vertices(
                     s->world, s->bodies[1],
                     (PliantVertices){s->mesh.vertices, s->mesh.vertex_count, 0}));
        morph(s, frame);
        follow(s, frame);
        ask_rays(s);
        ask_volumes(s);
        ask_layers(s);
    }
    end_world(s);
    return s->hash;
}

static void add_end(Session *s, PliantBody body, PliantBody *end)
{
    const PliantBody none = {77, 78};
    PliantResult result;
    do {
        *end = none;
        result = pliant_body_create_end(s->world, body, end);
        if (result != PLIANT_OK)
            assert_memory_equal(end, &none, sizeof none);
    } while (is_failed(s, result));
    assert_true(pliant_body_is_alive(s->world, *end));
}

/* What touches on the way: a failure leaves the impacts as they were. */
static void ask_sweep(Session *s, PliantSweepKind query)
{
    const PliantImpacts none = {.struct_size = sizeof none,
                                .items = (const PliantImpact *)&none,
                                .count = -5,
                                .is_conservative = true};
    PliantImpacts impacts;
    PliantSweepDef def = pliant_sweep_def_default();
    PliantResult result;
    int64_t calls;
    def.kind = query;
    def.includes_self = query == PLIANT_ALL_IMPACTS;
    def.margin = query == PLIANT_FIRST_IMPACTS ? .01f : 0;
    do {
        impacts = none;
        calls = s->host.calls;
        result = pliant_world_sweep(s->world, &def, &impacts);
        if (result != PLIANT_OK)
            assert_memory_equal(&impacts, &none, sizeof none);
    } while (is_failed(s, result));
    count_made_up(s, calls);
    assert_true(impacts.count > 0);
    for (int64_t i = 0; i < impacts.count; i++) {
        const PliantImpact *one = &impacts.items[i];
        add_to_hash(s, &one->body_a.index, sizeof one->body_a.index);
        add_to_hash(s, &one->body_b.index, sizeof one->body_b.index);
        add_to_hash(s, &one->feature_a, sizeof one->feature_a);
        add_to_hash(s, &one->feature_b, sizeof one->feature_b);
        add_to_hash(s, &one->time, sizeof one->time);
    }
    PliantStats stats = pliant_stats_default();
    assert_int_equal(pliant_world_stats(s->world, &stats), PLIANT_OK);
    assert_int_equal(stats.byte_size, s->host.bytes);
}

/* Triangles of the mesh as a soup, and at its end. */
static void give_moving_soup(Session *s, PliantBody soup, PliantBody end)
{
    PliantPrimitives primitives = {.struct_size = sizeof primitives,
                                   .vertices = {s->mesh.vertices, s->mesh.vertex_count, 0},
                                   .corners = s->mesh.triangles,
                                   .count = s->mesh.triangle_count};
    AGAIN(s, pliant_body_set_primitives(s->world, soup, &primitives));
    primitives.vertices.data = s->lent;
    AGAIN(s, pliant_body_borrow_primitives(s->world, end, &primitives));
}

/* Where body i is: in a row, each with the next one just out of reach. If all were at one place,
 * integers would decide, and take long. */
static PliantTransform place_of(int i)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = 2.1f * (float)i;
    transform.rows[1][3] = 0.13f * (float)i;
    return transform;
}

/* Bodies with ends, posed by all that they have. */
static uint64_t play_sweeps(Session *s)
{
    const float weights[TARGETS] = {0.5f, 0.25f, 0.125f};
    PliantTransform joints[JOINTS], transform = place_of(0);
    PliantBody ends[4], soup_end;
    start_world(s);
    for (int i = 0; i < JOINTS; i++)
        joints[i] = place_of(0);
    for (int i = 0; i < 4; i++) {
        transform = place_of(i);
        AGAIN(s, pliant_body_set_transform(s->world, s->bodies[i], &transform));
    }
    transform.rows[0][3] = 2.1f - 0.2f;
    for (int32_t i = 0; i < 3 * s->mesh.vertex_count; i++)
        s->lent[i] = s->mesh.vertices[i] + (i % 3 == 1 ? 0.2f : 0);
    for (int i = 0; i < 3; i++) /* the last one has none */
        add_end(s, s->bodies[i], &ends[i]);
    AGAIN(s, pliant_body_set_vertices(s->world, ends[0],
                                      (PliantVertices){s->lent, s->mesh.vertex_count, 0}));
    AGAIN(s, pliant_body_set_transform(s->world, ends[1], &transform));
    if (s->targets)
        AGAIN(s, pliant_body_set_weights(s->world, ends[2], weights, TARGETS));
    if (s->joints)
        AGAIN(s, pliant_body_set_joints(s->world, ends[2], joints, JOINTS));
    transform.rows[0][3] += 2.1f;
    AGAIN(s, pliant_body_set_transform(s->world, ends[2], &transform));
    if (s->variant->has_soups) {
        AGAIN(s, pliant_body_destroy(s->world, s->bodies[0]));
        add_soup(s, 0);
        add_end(s, s->soups[0], &soup_end);
        give_moving_soup(s, s->soups[0], soup_end);
    }
    ask_sweep(s, PLIANT_EARLIEST);
    ask_sweep(s, PLIANT_FIRST_IMPACTS);
    ask_sweep(s, PLIANT_ALL_IMPACTS);
    end_world(s);
    return s->hash;
}

static const Variant variants[] = {
    {.broad_kind = PLIANT_BROAD_AUTO},
    {.broad_kind = PLIANT_BROAD_SWEEP},
    {PLIANT_BROAD_AUTO, TARGETS, PLIANT_MORPH_DISPLACEMENTS, PLIANT_BOUND_BOX, 0, 0, false, {0}},
    {PLIANT_BROAD_SWEEP, TARGETS, PLIANT_MORPH_DISPLACEMENTS, PLIANT_BOUND_DOP14, 0, 0, false, {0}},
    {PLIANT_BROAD_AUTO, TARGETS, PLIANT_MORPH_REFERENCES, PLIANT_BOUND_DOP18, 2, 0, false, {0}},
    {PLIANT_BROAD_AUTO, TARGETS, PLIANT_MORPH_REFERENCES, PLIANT_BOUND_SPHERE, 1, 0, false, {0}},
    {PLIANT_BROAD_AUTO, 0, PLIANT_MORPH_DISPLACEMENTS, PLIANT_BOUND_DOP18, 0, JOINTS, false, {0}},
    {PLIANT_BROAD_SWEEP, 0, PLIANT_MORPH_DISPLACEMENTS, PLIANT_BOUND_SPHERE, 0, JOINTS, false, {0}},
    {PLIANT_BROAD_AUTO, TARGETS, PLIANT_MORPH_REFERENCES, PLIANT_BOUND_BOX, 1, JOINTS, false, {0}},
    {.has_soups = true, .soup_kinds = {PLIANT_SOUP_AUTO, PLIANT_SOUP_COHERENT_BUCKETS}},
    {.has_soups = true, .soup_kinds = {PLIANT_SOUP_BUCKETS, PLIANT_SOUP_SORTED}},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static float *make_targets(const SceneMesh *mesh, PliantMorphKind kind)
{
    size_t count = 3 * (size_t)mesh->vertex_count;
    float *targets = malloc(TARGETS * count * sizeof *targets);
    SceneRandom random = {1};
    for (size_t i = 0; i < TARGETS * count; i++) {
        float at = kind == PLIANT_MORPH_REFERENCES ? mesh->vertices[i % count] : 0;
        targets[i] = at + 0.3f * (float)scene_random(&random);
    }
    return targets;
}

/* Each vertex follows two joints, or one, or none. */
static void make_skin(Session *s)
{
    size_t count = INFLUENCES * (size_t)s->mesh.vertex_count;
    s->joints = malloc(count * sizeof *s->joints);
    s->weights = malloc(count * sizeof *s->weights);
    for (size_t i = 0; i < count; i++) {
        s->joints[i] = (uint16_t)(i % JOINTS);
        s->weights[i] = i % 7 == 0 ? 0 : 0.25f * (float)(i % 5);
    }
}

static PliantResult make_shape(const Session *s, const Variant *variant, const PliantHost *host,
                               PliantShape **shape)
{
    static const uint32_t some[] = {3, 4, 5, 30, 31, 40};
    PliantTarget targets[TARGETS];
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){s->mesh.vertices, s->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){s->mesh.triangles, s->mesh.triangle_count};
    def.segments = (PliantSegments){s->mesh.triangles, variant->has_soups ? 4 : 0};
    def.host = host;
    def.morph_kind = variant->morph_kind;
    experiments.bound_kind = variant->bound_kind;
    def.between_count = variant->between_count;
    def.targets = targets;
    def.target_count = variant->target_count;
    const PliantSkin skin = {sizeof skin, variant->joint_count, INFLUENCES, s->joints, s->weights};
    def.skin = skin.joint_count > 0 ? &skin : NULL;
    for (int t = 0; t < variant->target_count; t++) {
        const float *data = s->targets + 3 * (size_t)t * (size_t)s->mesh.vertex_count;
        bool is_sparse = t == 1 && variant->morph_kind == PLIANT_MORPH_DISPLACEMENTS;
        targets[t] = (PliantTarget){{data, is_sparse ? 6 : s->mesh.vertex_count, 0},
                                    is_sparse ? some : NULL};
    }
    /* Leaves of one triangle, so that there are many of them, and room for them has to grow. */
    experiments.tree_leaf_size = 1;
    experiments.tree_child_count = 4;
    return pliant_shape_create(&def, shape);
}

static Session start_session(const Variant *variant)
{
    Session s = {.mesh = scene_icosphere(1), .variant = variant};
    if (variant->target_count > 0)
        s.targets = make_targets(&s.mesh, variant->morph_kind);
    if (variant->joint_count > 0)
        make_skin(&s);
    s.lent = malloc(12 * (size_t)s.mesh.vertex_count);
    return s;
}

static void end_session(Session *s)
{
    scene_mesh_free(&s->mesh);
    free(s->targets);
    free(s->joints);
    free(s->weights);
    free(s->lent);
}

/* In worlds: every so many allocations. Each variant has others, and those that fail once are
 * others than those that fail forever. */
static int64_t every = 1;

static void init_host(TestHost *host)
{
    test_host_init(host);
    if (workers)
        test_workers_attach(workers, &host->host);
}

static void run_world(bool for_ever, const Variant *variant, Play *play_all)
{
    Session s = start_session(variant);
    assert_int_equal(make_shape(&s, variant, NULL, &s.shape), PLIANT_OK);
    init_host(&s.host);
    uint64_t expected = play_all(&s);
    assert_int_equal(s.failure_count, 0);
    int64_t calls = s.host.calls;
    assert_true(calls > 20);
    const int64_t turn = (variant - variants + for_ever * (every / 2)) % every;
    for (int64_t fail_at = 1 + turn; fail_at <= calls; fail_at += every) {
        init_host(&s.host);
        s.host.fail_at = fail_at;
        s.host.fails_for_ever = for_ever;
        s.failure_count = 0;
        assert_true(play_all(&s) == expected);
        /* How often workers allocate can depend on the order of tasks. */
        assert_int_equal(s.failure_count, s.host.calls >= fail_at);
    }
    pliant_shape_release(s.shape);
    end_session(&s);
}

/* Makes the shape, and maps the bytes of it. */
static PliantResult make_and_map(const Session *s, const Variant *variant, TestHost *host)
{
    size_t size;
    PliantShape *shape = NULL, *mapped = NULL;
    PliantResult result = make_shape(s, variant, &host->host, &shape);
    assert_true((result == PLIANT_OK) == (shape != NULL));
    if (result != PLIANT_OK)
        return result;
    const void *data = pliant_shape_data(shape, &size);
    result = pliant_shape_map(data, size, &host->host, &mapped);
    assert_true((result == PLIANT_OK) == (mapped != NULL));
    pliant_shape_release(mapped);
    pliant_shape_release(shape);
    return result;
}

/* Scratch that is refused once may be asked for again, smaller. */
static void run_shape(bool for_ever, const Variant *variant)
{
    Session s = start_session(variant);
    TestHost host;
    bool did_fail = true;
    for (int64_t fail_at = 1; did_fail; fail_at++) {
        test_host_init(&host);
        host.fail_at = fail_at;
        host.fails_for_ever = for_ever;
        PliantResult result = make_and_map(&s, variant, &host);
        did_fail = host.calls >= fail_at;
        assert_true(result == PLIANT_OUT_OF_MEMORY || (result == PLIANT_OK && !for_ever) ||
                    !did_fail);
        assert_int_equal(host.blocks, 0);
        assert_int_equal(host.bytes, 0);
    }
    end_session(&s);
}

static void test_shapes_each_fails_once(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS && !variants[i].has_soups; i++)
        run_shape(false, &variants[i]);
}

static void test_shapes_each_and_all_after_it_fail(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS && !variants[i].has_soups; i++)
        run_shape(true, &variants[i]);
}

/* Once, and with all after it. */
static void run_both(const Variant *variant, Play *play)
{
    run_world(false, variant, play);
    run_world(true, variant, play);
}

static void test_contacts_each_fails(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        run_both(&variants[i], play_contacts);
}

static void test_near_each_fails(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        run_both(&variants[i], play_near);
}

static void test_regions_each_fails(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        run_both(&variants[i], play_regions);
}

/* Of bodies at rest, that morph, and that follow joints. */
static void test_volumes_each_fails(void **state)
{
    (void)state;
    static const int some[] = {0, 2, 6};
    for (int i = 0; i < 3; i++)
        run_both(&variants[some[i]], play_volumes);
}

/* Of bodies at rest, that morph, that follow joints, and of soups. */
static void test_sweeps_each_fails(void **state)
{
    (void)state;
    static const int some[] = {0, 4, 8, VARIANTS - 1};
    for (int i = 0; i < 4; i++)
        run_both(&variants[some[i]], play_sweeps);
}

/* With several workers, in tasks too; the last variant has soups. They run one after the other,
 * as the host of the tests counts without locks. */
static void test_tasks_each_fails(void **state)
{
    (void)state;
    static const int some[] = {0, 2, 6, VARIANTS - 1};
    static Play *const plays[] = {play_contacts, play_near, play_regions, play_volumes};
    TestWorkers three;
    assert_true(test_workers_start(&three, "forward:3"));
    workers = &three;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            run_both(&variants[some[i]], plays[k]);
    workers = NULL;
    test_workers_end(&three);
}

/* The tasks of a worker go on after one of them has failed: the next one must not take the pose for
 * one whose leaves have places. */
static void test_search_without_places(void **state)
{
    (void)state;
    TestHost host;
    PliKernels kernels;
    PliWorker worker;
    PliPointSearch search;
    PliTree tree = {.leaf_count = 100};
    PliPose pose = {.bounds = {.tree = &tree}};
    test_host_init(&host);
    pli_kernels_fill(&kernels, 0);
    pli_worker_init(&worker, &host.host, &kernels);
    pli_point_search_init(&search, &worker);
    pli_point_search_start(&search, INFINITY);
    host.fail_at = host.calls + 1;
    assert_int_equal(pli_point_search_set_pose(&search, &pose, (PliantBody){0}),
                     PLIANT_OUT_OF_MEMORY);
    assert_null(search.pose);
    assert_int_equal(pli_point_search_set_pose(&search, &pose, (PliantBody){0}), PLIANT_OK);
    assert_ptr_equal(search.pose, &pose);
    pli_point_search_free(&search);
    pli_worker_free(&worker);
    assert_int_equal(host.blocks, 0);
}

int main(int argc, char **argv)
{
    every = argc > 1 ? strtoll(argv[1], NULL, 10) : 1;
    if (every < 1)
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fails_once),
        cmocka_unit_test(test_each_and_all_after_it_fail),
        cmocka_unit_test(test_shapes_each_fails_once),
        cmocka_unit_test(test_shapes_each_and_all_after_it_fail),
        cmocka_unit_test(test_contacts_each_fails),
        cmocka_unit_test(test_near_each_fails),
        cmocka_unit_test(test_search_without_places),
        cmocka_unit_test(test_regions_each_fails),
        cmocka_unit_test(test_volumes_each_fails),
        cmocka_unit_test(test_sweeps_each_fails),
        cmocka_unit_test(test_tasks_each_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
