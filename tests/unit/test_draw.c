/* draw: what is drawn of boxes, trees, contacts, pairs and regions. */
#include "calls.h"
#include "refuse.h"
#include "room.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { KINDS = PLIANT_DRAW_REGION + 1 };

/* What a picture has: how many of each kind, and a box around it. */
typedef struct Picture {
    int lines[KINDS], triangles[KINDS];
    float low[KINDS][3], high[KINDS][3], longest;
    uint32_t bodies; /* a bit for each index */
} Picture;

static void add_point(Picture *picture, PliantDrawKind kind, const float *point)
{
    const bool is_first = picture->lines[kind] + picture->triangles[kind] == 0;
    for (int k = 0; k < 3; k++) {
        float *low = &picture->low[kind][k], *high = &picture->high[kind][k];
        *low = is_first || point[k] < *low ? point[k] : *low;
        *high = is_first || point[k] > *high ? point[k] : *high;
    }
}

static void draw_line(void *user, PliantDrawKind kind, PliantBody body, const float from[3],
                      const float to[3])
{
    Picture *picture = user;
    float square = 0;
    add_point(picture, kind, from);
    picture->lines[kind]++;
    add_point(picture, kind, to);
    for (int k = 0; k < 3; k++)
        square += (to[k] - from[k]) * (to[k] - from[k]);
    picture->longest = fmaxf(picture->longest, sqrtf(square));
    picture->bodies |= 1u << body.index;
}

static void draw_triangle(void *user, PliantDrawKind kind, PliantBody body, const float *corners)
{
    Picture *picture = user;
    for (int i = 0; i < 3; i++)
        add_point(picture, kind, corners + 3 * (size_t)i);
    picture->triangles[kind]++;
    picture->bodies |= 1u << body.index;
}

static PliantDrawDef def_of(Picture *picture)
{
    PliantDrawDef def = pliant_draw_def_default();
    memset(picture, 0, sizeof *picture);
    def.line = draw_line;
    def.triangle = draw_triangle;
    def.user = picture;
    return def;
}

static void test_boxes(void **state)
{
    (void)state;
    Room room;
    Picture picture;
    room_open(&room);
    (void)room_add(&room, scene_icosphere(3));
    const PliantBody box = room_add_box(&room, 5, 0, 0, 6, 1, 1);
    const SceneMesh none = {0};
    (void)room_add_soup(&room, &none);
    PliantDrawDef def = def_of(&picture);
    MUST(pliant_world_draw(room.world, &def));
    assert_int_equal(picture.lines[PLIANT_DRAW_BODY], 0);
    def.draws_boxes = true;
    MUST(pliant_world_draw(room.world, &def));
    assert_int_equal(picture.lines[PLIANT_DRAW_BODY], 24);
    assert_true(picture.high[PLIANT_DRAW_BODY][0] == 6 && picture.low[PLIANT_DRAW_BODY][0] < -0.9f);
    assert_true(picture.bodies & 1u << box.index);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(room.world, &stats));
    assert_int_equal(stats.leaves_evaluated, 0); /* boxes alone */
    int before = 0;
    for (int32_t depth = 1; depth <= 2; depth++) {
        def = def_of(&picture);
        def.depth = depth;
        MUST(pliant_world_draw(room.world, &def));
        const int lines = picture.lines[PLIANT_DRAW_NODE];
        assert_true(lines > before && lines % 12 == 0 && picture.lines[PLIANT_DRAW_BODY] == 0);
        assert_true(picture.low[PLIANT_DRAW_NODE][0] >= -1.001f);
        before = lines;
    }
    def.depth = 64;
    picture.lines[PLIANT_DRAW_NODE] = 0;
    MUST(pliant_world_draw(room.world, &def));
    assert_int_equal(picture.lines[PLIANT_DRAW_NODE], 0);
    assert_true(room_close(&room));
}

static void test_answers(void **state)
{
    (void)state;
    Room room;
    Picture picture;
    room_open(&room);
    const PliantBody ball = room_add(&room, scene_icosphere(2));
    const PliantBody other = room_add(&room, scene_icosphere(2));
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = 1.9f;
    transform.rows[1][3] = 0.01f;
    MUST(pliant_body_set_transform(room.world, other, &transform));
    PliantContacts contacts = pliant_contacts_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantRegions regions = pliant_regions_default();
    PliantNearDef near = pliant_near_def_default();
    near.distance = 0.05f;
    MUST(pliant_world_collide(room.world, NULL, &contacts));
    MUST(pliant_contacts_regions(room.world, &contacts, NULL, &regions));
    MUST(pliant_world_near(room.world, &near, &pairs));
    assert_true(contacts.count > 0 && pairs.count > 0 && regions.curve_count > 0);
    PliantDrawDef def = def_of(&picture);
    def.contacts = &contacts;
    def.near_pairs = &pairs;
    def.regions = &regions;
    MUST(pliant_world_draw(room.world, &def));
    assert_int_equal(picture.triangles[PLIANT_DRAW_CONTACT], 2 * contacts.count);
    assert_int_equal(picture.lines[PLIANT_DRAW_NEAR], pairs.count);
    assert_true(picture.lines[PLIANT_DRAW_REGION] == regions.point_count);
    assert_true(picture.low[PLIANT_DRAW_CONTACT][0] > 0.5f);
    assert_true(picture.high[PLIANT_DRAW_CONTACT][0] < 1.4f);
    assert_true(picture.low[PLIANT_DRAW_NEAR][0] > 0.7f);
    assert_true(picture.high[PLIANT_DRAW_NEAR][0] < 1.2f);
    /* No line of a near pair is longer than the distance. */
    def = def_of(&picture);
    def.near_pairs = &pairs;
    MUST(pliant_world_draw(room.world, &def));
    assert_true(picture.longest <= 0.0501f && picture.longest > 0);

    MUST(pliant_body_set_transform(room.world, ball, &transform));
    REFUSE(room.host, pliant_world_draw(room.world, &def), PLIANT_STALE, "body {index");
    def.near_pairs = NULL;
    def.contacts = &contacts;
    REFUSE(room.host, pliant_world_draw(room.world, &def), PLIANT_STALE, "body {index");
    contacts.stamp = 0;
    MUST(pliant_world_draw(room.world, &def));
    def.depth = 65;
    REFUSE(room.host, pliant_world_draw(room.world, &def), PLIANT_BAD_ARGUMENT, "def.depth is 65");
    REFUSE(room.host, pliant_world_draw(room.world, NULL), PLIANT_BAD_ARGUMENT, "def is NULL");
    assert_true(room_close(&room));
}

/* What will touch, of a shape and of a soup. */
static void test_impacts(void **state)
{
    (void)state;
    Room room;
    Picture picture;
    room_open(&room);
    (void)room_add(&room, scene_icosphere(2));
    SceneMesh box = scene_icosphere(1);
    const PliantBody soup = room_add_soup(&room, &box);
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = 4;
    MUST(pliant_body_set_transform(room.world, soup, &transform));
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef near = pliant_near_def_default();
    near.distance = 2.01f;
    near.is_unique = true;
    MUST(pliant_world_near(room.world, &near, &pairs));
    assert_true(pairs.count > 0);
    PliantDrawDef def = def_of(&picture);
    def.near_pairs = &pairs;
    MUST(pliant_world_draw(room.world, &def));
    assert_int_equal(picture.lines[PLIANT_DRAW_NEAR], pairs.count);
    assert_true(picture.longest > 1.9f && picture.longest < 2.02f);
    assert_true(room_close(&room));
    scene_mesh_free(&box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boxes), cmocka_unit_test(test_answers),
                                       cmocka_unit_test(test_impacts)};
    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
