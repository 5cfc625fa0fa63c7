/* Queries with a def: limits, counting, progress and cancelling, one body alone, and how long
 * results live. */
#include "calls.h"
#include "refuse.h"
#include "room.h"
#include "scenes.h"
#include "unit.h"

#include <string.h>

enum { BODIES = 6 };

/* A row of spheres, each of which overlaps its neighbors, and far away one that intersects itself.
 */
typedef struct Fixture {
    Room room;
    PliantBody bodies[BODIES];
    PliantBody folded;
} Fixture;

static SceneMesh sphere_at(float x, int level)
{
    SceneMesh mesh = scene_icosphere(level);
    for (int32_t v = 0; v < mesh.vertex_count; v++)
        mesh.vertices[3 * v] += x;
    return mesh;
}

/* A sphere whose cap is pushed down, through the other end. */
static SceneMesh folded_at(float x, int level)
{
    SceneMesh mesh = sphere_at(x, level);
    for (int32_t v = 0; v < mesh.vertex_count; v++) {
        float *z = &mesh.vertices[3 * v + 2];
        *z -= *z > 0.5f ? 1.75f : 0;
    }
    return mesh;
}

static int set_up(void **state)
{
    Fixture *f = malloc(sizeof *f);
    room_open(&f->room);
    for (int i = 0; i < BODIES; i++)
        f->bodies[i] = room_add(&f->room, sphere_at(1.5f * (float)i, 2));
    f->folded = room_add(&f->room, folded_at(100, 3));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    assert_true(room_close(&f->room));
    free(f);
    return 0;
}

static PliantContacts collide(Fixture *f, const PliantCollideDef *def)
{
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_collide(f->room.world, def, &contacts));
    assert_int_equal(contacts.struct_size, sizeof contacts);
    return contacts;
}

static PliantContact *copy_of(const PliantContacts *contacts)
{
    PliantContact *copy = malloc((size_t)(contacts->count + 1) * sizeof *copy);
    memcpy(copy, contacts->items, (size_t)contacts->count * sizeof *copy);
    return copy;
}

static void assert_same(const PliantContact *x, const PliantContact *y, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        assert_true(test_is_same_contact(&x[i], &y[i]));
}

/* ---- Limits and counting -----------------------------------------------------------------------
 */

/* With a limit: as many contacts, in order; all of them if they are no more; and in any case all of
 * the pairs of bodies before the last one. */
static void assert_limited(const PliantContacts *some, const PliantContact *all, int64_t count)
{
    for (int64_t i = 0, k = 0; i < some->count; i++, k++) {
        while (k < count && !test_is_same_contact(&some->items[i], &all[k]))
            k++;
        assert_true(k < count);
        const PliantContact *last = &some->items[some->count - 1], *here = &some->items[i];
        if (here->body_a.index != last->body_a.index || here->body_b.index != last->body_b.index)
            assert_int_equal(k, i);
    }
}

static void test_limits(void **state)
{
    Fixture *f = *state;
    const PliantContacts all = collide(f, NULL);
    const int64_t count = all.count;
    PliantContact *kept = copy_of(&all);
    assert_true(count > 200);
    assert_false(all.is_limit_reached);
    int64_t of_first = 0; /* contacts of the first pair of bodies */
    while (kept[of_first].body_b.index == kept[0].body_b.index)
        of_first++;
    const int64_t limits[] = {1,         2,     of_first - 1, of_first, of_first + 1,
                              count - 1, count, count + 1,    INT64_MAX};
    PliantCollideDef def = pliant_collide_def_default();
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int counts_only = 0; counts_only < 2; counts_only++) {
            def.max_contact_count = limits[i];
            def.count_only = counts_only;
            const PliantContacts some = collide(f, &def);
            assert_int_equal(some.count, limits[i] < count ? limits[i] : count);
            assert_int_equal(some.is_limit_reached, limits[i] < count);
            assert_true((some.items == NULL) == counts_only);
            if (!counts_only)
                assert_limited(&some, kept, count);
        }
    free(kept);
}

/* Pairs of bodies are tested until it is known that there are more contacts. */
static void test_limit_ends_the_work(void **state)
{
    Fixture *f = *state;
    PliantContacts contacts = pliant_contacts_default();
    PliantStats stats = pliant_stats_default();
    PliantCollideDef def = pliant_collide_def_default();
    MUST(pliant_bodies_collide(f->room.world, f->bodies[0], f->bodies[1], NULL, &contacts));
    def.max_contact_count = contacts.count; /* all of the first pair */
    MUST(pliant_world_collide(f->room.world, &def, &contacts));
    MUST(pliant_world_stats(f->room.world, &stats));
    assert_int_equal(contacts.count, def.max_contact_count);
    assert_true(contacts.is_limit_reached);
    assert_true(stats.body_pairs < BODIES - 1);
    MUST(pliant_body_collide(f->room.world, f->bodies[1], &def, &contacts));
    assert_true(contacts.is_limit_reached);
}

/* All of them, and nothing more could follow: the limit was not reached. */
static void test_limit_of_the_last_pair(void **state)
{
    Fixture *f = *state;
    PliantContacts two = pliant_contacts_default();
    PliantCollideDef def = pliant_collide_def_default();
    MUST(pliant_bodies_collide(f->room.world, f->bodies[0], f->bodies[1], NULL, &two));
    def.max_contact_count = two.count;
    MUST(pliant_bodies_collide(f->room.world, f->bodies[0], f->bodies[1], &def, &two));
    assert_int_equal(two.count, def.max_contact_count);
    assert_false(two.is_limit_reached);
    def.max_contact_count--;
    MUST(pliant_bodies_collide(f->room.world, f->bodies[0], f->bodies[1], &def, &two));
    assert_int_equal(two.count, def.max_contact_count);
    assert_true(two.is_limit_reached);
}

static void test_count_only(void **state)
{
    Fixture *f = *state;
    PliantCollideDef def = pliant_collide_def_default();
    def.count_only = true;
    for (int kind = PLIANT_ALL_PAIRS; kind <= PLIANT_ANY_PAIR; kind++) {
        def.kind = (PliantCollideKind)kind;
        const int64_t count = collide(f, TEST_QUERY(def.kind)).count;
        const PliantContacts counted = collide(f, &def);
        assert_int_equal(counted.count, count);
        assert_null(counted.items);
    }
    PliantContacts self = pliant_contacts_default();
    MUST(pliant_bodies_collide(f->room.world, f->folded, f->folded, NULL, &self));
    const int64_t count = self.count;
    assert_true(count > 10);
    def.kind = PLIANT_ALL_PAIRS;
    MUST(pliant_bodies_collide(f->room.world, f->folded, f->folded, &def, &self));
    assert_int_equal(self.count, count);
    assert_null(self.items);
}

static void test_limit_of_first_pairs(void **state)
{
    Fixture *f = *state;
    PliantCollideDef def = pliant_collide_def_default();
    def.kind = PLIANT_FIRST_PAIRS;
    assert_int_equal(collide(f, &def).count, BODIES - 1);
    def.max_contact_count = 2;
    const PliantContacts two = collide(f, &def);
    assert_int_equal(two.count, 2);
    assert_true(two.is_limit_reached);
    def.kind = PLIANT_ANY_PAIR;
    def.max_contact_count = 1;
    assert_int_equal(collide(f, &def).count, 1);
}

/* ---- One body ----------------------------------------------------------------------------------
 */

static void assert_body_alone(Fixture *f, PliantBody body)
{
    const PliantContacts all = collide(f, NULL);
    PliantContact *wanted = malloc((size_t)(all.count + 1) * sizeof *wanted);
    int64_t count = 0;
    for (int64_t i = 0; i < all.count; i++)
        if (all.items[i].body_a.index == body.index || all.items[i].body_b.index == body.index)
            wanted[count++] = all.items[i];
    PliantContacts own = pliant_contacts_default();
    MUST(pliant_body_collide(f->room.world, body, NULL, &own));
    assert_int_equal(own.count, count);
    assert_same(own.items, wanted, count);
    PliantCollideDef def = pliant_collide_def_default();
    def.kind = PLIANT_ANY_PAIR;
    MUST(pliant_body_collide(f->room.world, body, &def, &own));
    assert_int_equal(own.count, count > 0);
    def.kind = PLIANT_ALL_PAIRS;
    def.max_contact_count = 3;
    MUST(pliant_body_collide(f->room.world, body, &def, &own));
    assert_int_equal(own.count, count < 3 ? count : 3);
    assert_int_equal(own.is_limit_reached, count > 3);
    assert_limited(&own, wanted, count);
    free(wanted);
}

static void test_body_alone(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < BODIES; i++)
        assert_body_alone(f, f->bodies[i]);
    assert_body_alone(f, f->folded); /* far away: none */

    /* Filters, loose boxes and holes in the table hold as in a query of the world. */
    MUST(pliant_body_set_filter(f->room.world, f->bodies[1], 1, 2));
    MUST(pliant_body_set_filter(f->room.world, f->bodies[2], 4, UINT32_MAX));
    MUST(pliant_body_set_loose_box(f->room.world, f->bodies[3],
                                   &(PliantBox){{50, 0, 0}, {51, 1, 1}}));
    for (int i = 0; i < BODIES; i++)
        assert_body_alone(f, f->bodies[i]);
    for (int i = 1; i < 3; i++)
        MUST(pliant_body_set_filter(f->room.world, f->bodies[i], UINT32_MAX, UINT32_MAX));
    MUST(pliant_body_destroy(f->room.world, f->bodies[0]));
    for (int i = 1; i < BODIES; i++)
        assert_body_alone(f, f->bodies[i]);

    /* A soup without primitives is absent. */
    PliantBody nothing;
    MUST(pliant_body_create_soup(f->room.world, NULL, &nothing));
    assert_body_alone(f, nothing);
    assert_body_alone(f, f->bodies[2]);
}

/* ---- Progress ----------------------------------------------------------------------------------
 */

typedef struct Watch {
    int64_t calls, last_done, total;
    int64_t stop_at; /* the call that is answered by false; 0: none */
} Watch;

static bool watch(void *user, int64_t done, int64_t total)
{
    Watch *w = user;
    assert_true(done >= w->last_done && done < total);
    assert_true(w->calls == 0 || w->total == total);
    w->last_done = done;
    w->total = total;
    return ++w->calls != w->stop_at;
}

static void test_progress_of_a_world(void **state)
{
    Fixture *f = *state;
    Watch seen = {0};
    PliantCollideDef def = pliant_collide_def_default();
    def.progress = watch;
    def.user = &seen;
    const int64_t count = collide(f, NULL).count;
    assert_int_equal(collide(f, &def).count, count);
    assert_int_equal(seen.total, BODIES - 1); /* pairs of bodies whose boxes overlap */
    assert_true(seen.calls >= BODIES - 1);
    assert_int_equal(seen.last_done, BODIES - 2);

    /* Each call may be the last. */
    const int64_t calls = seen.calls;
    for (int64_t stop_at = 1; stop_at <= calls; stop_at++) {
        seen = (Watch){.stop_at = stop_at};
        PliantContacts contacts = pliant_contacts_default();
        contacts.count = -5;
        const PliantContacts before = contacts;
        f->room.host.message[0] = '\0';
        assert_int_equal(pliant_world_collide(f->room.world, &def, &contacts), PLIANT_CANCELLED);
        assert_memory_equal(&contacts, &before, sizeof before);
        assert_int_equal(seen.calls, stop_at);
        assert_string_equal(f->room.host.message, ""); /* nobody made a mistake */
        assert_int_equal(collide(f, NULL).count, count);
    }
}

/* Two bodies with many leaves: the hook is called within the one pair that there is. */
static void test_progress_within_one_pair(void **state)
{
    Fixture *f = *state;
    const PliantBody a = room_add(&f->room, sphere_at(500, 6));
    const PliantBody b = room_add(&f->room, sphere_at(500, 6));
    PliantContacts contacts = pliant_contacts_default();
    PliantCollideDef def = pliant_collide_def_default();
    def.count_only = true;
    MUST(pliant_bodies_collide(f->room.world, a, b, &def, &contacts));
    const int64_t count = contacts.count;
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(f->room.world, &stats));
    Watch seen = {0};
    def.progress = watch;
    def.user = &seen;
    MUST(pliant_bodies_collide(f->room.world, a, b, &def, &contacts));
    assert_int_equal(contacts.count, count);
    assert_true(stats.leaf_pairs > 20000);
    assert_true(seen.calls > stats.leaf_pairs / 5000);
    assert_int_equal(seen.total, 1);

    const int64_t calls = seen.calls;
    for (int64_t stop_at = 1; stop_at <= calls; stop_at += 1 + calls / 5) {
        seen = (Watch){.stop_at = stop_at};
        assert_int_equal(pliant_bodies_collide(f->room.world, a, b, &def, &contacts),
                         PLIANT_CANCELLED);
        assert_int_equal(contacts.count, count);
        seen = (Watch){0};
        MUST(pliant_bodies_collide(f->room.world, a, b, &def, &contacts));
        assert_int_equal(contacts.count, count);
    }
}

/* What a self query keeps for the next one is not kept of one that was cancelled. */
static void test_progress_of_a_self_query(void **state)
{
    Fixture *f = *state;
    const PliantBody body = room_add(&f->room, folded_at(700, 5));
    PliantContacts contacts = pliant_contacts_default();
    Watch seen = {0};
    PliantCollideDef def = pliant_collide_def_default();
    def.progress = watch;
    def.user = &seen;
    MUST(pliant_bodies_collide(f->room.world, body, body, &def, &contacts));
    const int64_t calls = seen.calls, count = contacts.count;
    PliantContact *kept = copy_of(&contacts);
    assert_true(calls > 1 && count > 0);
    PliantTransform moved = pliant_transform_identity();
    for (int64_t stop_at = 1; stop_at <= calls; stop_at++) {
        moved.rows[1][3] = 16 * (float)stop_at; /* or it would be taken from the last query */
        MUST(pliant_body_set_transform(f->room.world, body, &moved));
        seen = (Watch){.stop_at = stop_at};
        assert_int_equal(pliant_bodies_collide(f->room.world, body, body, &def, &contacts),
                         PLIANT_CANCELLED);
        moved.rows[1][3] = 0;
        MUST(pliant_body_set_transform(f->room.world, body, &moved));
        MUST(pliant_bodies_collide(f->room.world, body, body, NULL, &contacts));
        assert_int_equal(contacts.count, count);
        assert_same(contacts.items, kept, count);
    }
    free(kept);
}

/* ---- How long results live --------------------------------------------------------------------
 */

static void test_results_stay(void **state)
{
    Fixture *f = *state;
    PliantWorld *world = f->room.world;
    const PliantContacts all = collide(f, NULL);
    PliantContact *kept = copy_of(&all);
    PliantBodyPairs pairs = pliant_body_pairs_default();
    MUST(pliant_world_body_pairs(world, NULL, &pairs));
    assert_int_equal(pairs.count, BODIES - 1);
    const PliantBodyPair first = pairs.items[0];

    /* None of these ends the life of either. */
    PliantBox box;
    MUST(pliant_body_box(world, f->bodies[0], &box));
    PliantVolume volume = pliant_volume_default();
    MUST(pliant_bodies_volume(world, f->bodies[0], f->bodies[1], NULL, &volume));
    PliantContainment contains = pliant_containment_default();
    MUST(pliant_bodies_contain(world, f->bodies[0], f->bodies[1], NULL, &contains));
    const PliantTransform identity = pliant_transform_identity();
    MUST(pliant_body_set_transform(world, f->bodies[2], &identity));
    MUST(pliant_body_destroy(world, f->bodies[5]));
    room_add(&f->room, sphere_at(0, 2));
    assert_memory_equal(all.items, kept, (size_t)all.count * sizeof *kept);
    assert_memory_equal(&pairs.items[0], &first, sizeof first);
    free(kept);
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

static void test_mistakes(void **state)
{
    Fixture *f = *state;
    PliantWorld *world = f->room.world;
    TestHost *host = &f->room.host;
    PliantContacts contacts = pliant_contacts_default(), bad = contacts;
    PliantCollideDef def = pliant_collide_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    bad.struct_size = 12;
    const PliantBody a = f->bodies[0], b = f->bodies[1];
#define REFUSE_ALL(def, contacts, code, text)                                                      \
    do {                                                                                           \
        REFUSE(*host, pliant_world_collide(world, def, contacts), code, text);                     \
        REFUSE(*host, pliant_body_collide(world, a, def, contacts), code, text);                   \
        REFUSE(*host, pliant_bodies_collide(world, a, b, def, contacts), code, text);              \
        REFUSE(*host, pliant_bodies_collide(world, a, a, def, contacts), code, text);              \
    } while (0)
    REFUSE_ALL(NULL, NULL, PLIANT_BAD_ARGUMENT, "contacts is NULL");
    REFUSE_ALL(NULL, &bad, PLIANT_BAD_DEF, "contacts.struct_size is 12");
    def.struct_size = 0;
    REFUSE_ALL(&def, &contacts, PLIANT_BAD_DEF, "def.struct_size is 0");
    def = pliant_collide_def_default();
    def.kind = (PliantCollideKind)3;
    REFUSE_ALL(&def, &contacts, PLIANT_BAD_ARGUMENT, "def.kind is 3");
    def.kind = (PliantCollideKind)-1;
    REFUSE_ALL(&def, &contacts, PLIANT_BAD_ARGUMENT, "def.kind is -1");
    def = pliant_collide_def_default();
    def.max_contact_count = -1;
    REFUSE_ALL(&def, &contacts, PLIANT_BAD_ARGUMENT, "def.max_contact_count is -1");
    def = pliant_collide_def_default();
    def.experiments = &experiments;
    experiments.approximations = 4;
    REFUSE_ALL(&def, &contacts, PLIANT_BAD_ARGUMENT,
               "def.experiments->approximations is 4: 0 to 3");
    experiments.approximations = PLIANT_APPROXIMATE_EDGES;
    REFUSE(*host, pliant_bodies_collide(world, a, a, &def, &contacts), PLIANT_BAD_ARGUMENT,
           "def.experiments->approximations is 2: 0 in queries of one body");
    def.includes_self = true;
    REFUSE(*host, pliant_world_collide(world, &def, &contacts), PLIANT_BAD_ARGUMENT,
           "def.experiments->approximations is 2: 0 in queries of one body");
#undef REFUSE_ALL
    REFUSE(*host, pliant_body_collide(world, (PliantBody){0}, NULL, &contacts), PLIANT_BAD_ID,
           "body is {index 0, serial 0}");
    assert_int_equal(contacts.count, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(limits),
        TEST(limit_ends_the_work),
        TEST(limit_of_the_last_pair),
        TEST(count_only),
        TEST(limit_of_first_pairs),
        TEST(body_alone),
        TEST(progress_of_a_world),
        TEST(progress_within_one_pair),
        TEST(progress_of_a_self_query),
        TEST(results_stay),
        TEST(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
