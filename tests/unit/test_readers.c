/* Readers: who may be asked when. That they answer as the world does is shown by golden.workers. */
#include "refuse.h"
#include "room.h"
#include "unit.h"

typedef struct Stage {
    Room room;
    PliantBody bodies[2];
    PliantReader *reader;
} Stage;

static void open_stage(Stage *stage)
{
    room_open(&stage->room);
    for (int i = 0; i < 2; i++)
        stage->bodies[i] = room_add(&stage->room, scene_icosphere(2));
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = 0.5f;
    MUST(pliant_body_set_transform(stage->room.world, stage->bodies[1], &transform));
    MUST(pliant_reader_create(stage->room.world, &stage->reader));
}

static void close_stage(Stage *stage)
{
    pliant_reader_destroy(stage->reader);
    assert_true(room_close(&stage->room));
}

/* A reader has no bodies but in a hold, and cannot set them then. */
static void test_holds(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage);
    PliantWorld *world = stage.room.world;
    PliantReader *reader = stage.reader;
    PliantContacts contacts = pliant_contacts_default(), read = pliant_contacts_default();
    REFUSE(stage.room.host, pliant_world_collide(reader, NULL, &read), PLIANT_BUSY,
           "a reader can be asked while its world is held");
    assert_int_equal(pliant_world_body_count(reader), 0);
    assert_false(pliant_body_is_alive(reader, stage.bodies[0]));
    for (int again = 0; again < 2; again++) {
        MUST(pliant_world_hold(world));
        MUST(pliant_world_collide(world, NULL, &contacts));
        MUST(pliant_world_collide(reader, NULL, &read));
        assert_int_equal(read.count, contacts.count);
        assert_true(read.items != contacts.items);
        assert_memory_equal(read.items, contacts.items, (size_t)read.count * sizeof *read.items);
        REFUSE(stage.room.host, pliant_body_set_transform(reader, stage.bodies[0], NULL),
               PLIANT_BUSY, "the world is held");
        REFUSE(stage.room.host, pliant_world_hold(reader), PLIANT_BUSY,
               "the world is held already");
        REFUSE(stage.room.host, pliant_world_release(reader), PLIANT_BAD_ARGUMENT,
               "the world is not held");
        PliantReader *late;
        REFUSE(stage.room.host, pliant_reader_create(world, &late), PLIANT_BUSY,
               "the world is held");
        MUST(pliant_world_trim(reader));
        MUST(pliant_world_trim(world));
        MUST(pliant_world_release(world));
        REFUSE(stage.room.host, pliant_world_collide(reader, NULL, &read), PLIANT_BUSY,
               "a reader can be asked while its world is held");
    }
    close_stage(&stage);
}

/* Answers of the world and of its readers are as good as each other, until something changes. */
static void test_stamps(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage);
    PliantWorld *world = stage.room.world;
    PliantContacts contacts = pliant_contacts_default();
    PliantRegions regions = pliant_regions_default();
    MUST(pliant_world_hold(world));
    MUST(pliant_world_collide(stage.reader, NULL, &contacts));
    MUST(pliant_contacts_regions(world, &contacts, NULL, &regions));
    assert_int_equal(regions.count, 1);
    MUST(pliant_contacts_regions(stage.reader, &contacts, NULL, &regions));
    assert_int_equal(regions.count, 1);
    MUST(pliant_world_release(world));
    const PliantTransform transform = pliant_transform_identity();
    MUST(pliant_body_set_transform(world, stage.bodies[0], &transform));
    MUST(pliant_world_hold(world));
    assert_int_equal(pliant_contacts_regions(stage.reader, &contacts, NULL, &regions),
                     PLIANT_STALE);
    MUST(pliant_world_release(world));
    close_stage(&stage);
}

/* A body that is gone, and another one in its place: self-collision of a reader starts anew. */
static void test_bodies_come_and_go(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage);
    PliantWorld *world = stage.room.world;
    PliantContacts contacts = pliant_contacts_default();
    for (int level = 1; level < 4; level++) {
        const PliantBody body = room_add(&stage.room, scene_icosphere(level));
        MUST(pliant_world_hold(world));
        assert_int_equal(pliant_world_body_count(stage.reader), 3);
        MUST(pliant_bodies_collide(stage.reader, body, body, NULL, &contacts));
        assert_int_equal(contacts.count, 0);
        MUST(pliant_world_release(world));
        MUST(pliant_body_destroy(world, body));
    }
    close_stage(&stage);
}

/* Asks the world to end the hold while a reader is being asked. */
static bool release(void *user, int64_t done, int64_t total)
{
    (void)done, (void)total;
    return pliant_world_release(user) != PLIANT_BUSY;
}

static void test_release_waits(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage);
    PliantCollideDef def = pliant_collide_def_default();
    PliantContacts contacts = pliant_contacts_default();
    def.progress = release;
    def.user = stage.room.world;
    MUST(pliant_world_hold(stage.room.world));
    assert_int_equal(pliant_world_collide(stage.reader, &def, &contacts), PLIANT_CANCELLED);
    MUST(pliant_world_release(stage.room.world));
    close_stage(&stage);
}

/* A world goes after its readers, which may go in a hold. */
static void test_ends(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage);
    PliantReader *second;
    REFUSE(stage.room.host, pliant_reader_create(stage.reader, &second), PLIANT_BUSY,
           "a reader can be asked while its world is held");
    MUST(pliant_reader_create(stage.room.world, &second));
    pliant_world_destroy(stage.room.world); /* is not */
    assert_int_equal(stage.room.host.result, PLIANT_BUSY);
    pliant_reader_destroy(stage.room.world);
    assert_int_equal(stage.room.host.result, PLIANT_BAD_ARGUMENT);
    MUST(pliant_world_hold(stage.room.world));
    pliant_world_destroy(second);
    pliant_reader_destroy(stage.reader);
    MUST(pliant_world_release(stage.room.world));
    MUST(pliant_world_hold(stage.room.world));
    MUST(pliant_world_release(stage.room.world));
    MUST(pliant_reader_create(stage.room.world, &stage.reader));
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_holds), cmocka_unit_test(test_stamps),
                                       cmocka_unit_test(test_bodies_come_and_go),
                                       cmocka_unit_test(test_release_waits),
                                       cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
