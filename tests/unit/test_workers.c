/* Worlds with several workers, where an answer could depend on what was done before it. Answers of
 * single queries are tested by brute.workers and golden.workers. */
#include "scenes.h"
#include "unit.h"
#include "workers.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <string.h>

enum { SOUPS = 4, COUNT = 4096, KINDS = 4 };

/* Fewer if the program is told so: ThreadSanitizer needs a minute for them. */
static int frame_count = 40;

/* The same soups in two worlds: one with one worker, one with several. */
typedef struct Twins {
    PliantWorld *worlds[2];
    PliantBody bodies[2][SOUPS];
    float (*corners)[9];
    SceneRandom random;
} Twins;

static Twins make_twins(int kind, TestWorkers *workers)
{
    Twins twins = {.corners = scene_allocate((size_t)SOUPS * COUNT, sizeof *twins.corners),
                   .random = {7}};
    PliantSoupDef soup = pliant_soup_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    experiments.soup_kind = (PliantSoupKind)kind;
    soup.experiments = &experiments;
    for (int w = 0; w < 2; w++) {
        PliantHost host = pliant_host_default();
        PliantWorldDef def = pliant_world_def_default();
        if (w == 1)
            test_workers_attach(workers, &host);
        def.host = &host;
        MUST(pliant_world_create(&def, &twins.worlds[w]));
        for (int b = 0; b < SOUPS; b++)
            MUST(pliant_body_create_soup(twins.worlds[w], &soup, &twins.bodies[w][b]));
    }
    test_workers_divide_everything(twins.worlds[1]);
    return twins;
}

static void free_twins(Twins *twins)
{
    for (int w = 0; w < 2; w++)
        pliant_world_destroy(twins->worlds[w]);
    free(twins->corners);
}

/* Small triangles in all directions. */
static void put_all(Twins *twins)
{
    for (int i = 0; i < SOUPS * COUNT; i++)
        for (int k = 0; k < 3; k++) {
            const float x = (float)scene_random(&twins->random);
            for (int corner = 0; corner < 3; corner++)
                twins->corners[i][3 * corner + k] = x + 0.01f * (float)scene_random(&twins->random);
        }
}

/* All go on by a little, each in a direction of its own. */
static void drift_all(Twins *twins)
{
    for (int i = 0; i < SOUPS * COUNT; i++)
        for (int k = 0; k < 3; k++) {
            const float step = 0.004f * (float)(2 * scene_random(&twins->random) - 1);
            for (int corner = 0; corner < 3; corner++)
                twins->corners[i][3 * corner + k] += step;
        }
    for (int w = 0; w < 2; w++)
        for (int b = 0; b < SOUPS; b++) {
            PliantPrimitives primitives = pliant_primitives_default();
            primitives.vertices =
                (PliantVertices){twins->corners[(size_t)b * COUNT], (size_t)3 * COUNT, 0};
            primitives.count = COUNT;
            MUST(pliant_body_set_primitives(twins->worlds[w], twins->bodies[w][b], &primitives));
        }
}

/* The tags of the two worlds differ. */
static void check_equal(const PliantContacts *a, const PliantContacts *b)
{
    assert_int_equal(a->count, b->count);
    for (int64_t i = 0; i < a->count; i++) {
        const PliantContact *one = &a->items[i], *other = &b->items[i];
        assert_int_equal(one->body_a.index, other->body_a.index);
        assert_int_equal(one->body_b.index, other->body_b.index);
        assert_int_equal(one->triangle_a, other->triangle_a);
        assert_int_equal(one->triangle_b, other->triangle_b);
    }
}

static void check_same(Twins *twins, PliantCollideKind kind, int64_t limit)
{
    PliantCollideDef query = pliant_collide_def_default();
    query.kind = kind;
    query.max_contact_count = limit;
    PliantContacts found[2] = {pliant_contacts_default(), pliant_contacts_default()};
    for (int w = 0; w < 2; w++)
        MUST(pliant_world_collide(twins->worlds[w], &query, &found[w]));
    check_equal(&found[0], &found[1]);
    PliantStats stats[2] = {pliant_stats_default(), pliant_stats_default()};
    for (int w = 0; w < 2; w++)
        MUST(pliant_world_stats(twins->worlds[w], &stats[w]));
    assert_int_equal(stats[0].node_pairs, stats[1].node_pairs);
    assert_int_equal(stats[0].leaf_pairs, stats[1].leaf_pairs);
    assert_int_equal(stats[0].triangle_tests, stats[1].triangle_tests);
}

/* A soup sorts a node when it is first reached, and keeps that order for later frames. A query that
 * ends early must reach what one worker reaches, and no more: a later query for the first pairs
 * finds others otherwise. */
static void check_early_ends(const char *order, void (*ask)(Twins *twins))
{
    for (int kind = 0; kind < KINDS; kind++) {
        TestWorkers workers;
        assert_true(test_workers_start(&workers, order));
        Twins twins = make_twins(kind, &workers);
        put_all(&twins);
        for (int frame = 0; frame < frame_count; frame++) {
            drift_all(&twins);
            if (frame % 4 == 3)
                check_same(&twins, PLIANT_FIRST_PAIRS, 0);
            else
                ask(&twins);
        }
        free_twins(&twins);
        test_workers_end(&workers);
    }
}

static void ask_any(Twins *twins)
{
    check_same(twins, PLIANT_ANY_PAIR, 0);
}

static void ask_limited(Twins *twins)
{
    check_same(twins, PLIANT_ALL_PAIRS, 2);
}

static void ask_points(Twins *twins)
{
    enum { POINTS = 64 };
    float points[POINTS][3];
    PliantClosestPoints found[2] = {pliant_closest_points_default(),
                                    pliant_closest_points_default()};
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (float)scene_random(&twins->random);
    for (int w = 0; w < 2; w++)
        MUST(pliant_world_closest_points(twins->worlds[w], (PliantVertices){points[0], POINTS, 0},
                                         NULL, &found[w]));
    for (int i = 0; i < POINTS; i++) {
        assert_int_equal(found[0].items[i].triangle, found[1].items[i].triangle);
        assert_memory_equal(found[0].items[i].position, found[1].items[i].position,
                            sizeof found[0].items[i].position);
    }
}

/* The search in two bodies ends with the first features that are near enough. */
static void ask_within(Twins *twins)
{
    PliantBodyPairsDef def = pliant_body_pairs_def_default();
    PliantBodyPairs found[2] = {pliant_body_pairs_default(), pliant_body_pairs_default()};
    def.distance = 0.002f;
    for (int w = 0; w < 2; w++)
        MUST(pliant_world_bodies_within(twins->worlds[w], &def, &found[w]));
    assert_int_equal(found[0].count, found[1].count);
}

/* The soups come from afar, each from another distance, to where they are. */
static void move_apart(Twins *twins, float distance)
{
    for (int w = 0; w < 2; w++)
        for (int b = 0; b < SOUPS; b++) {
            PliantTransform transform = pliant_transform_identity();
            transform.rows[0][3] = distance * (float)(b * b);
            MUST(pliant_body_set_transform(twins->worlds[w], twins->bodies[w][b], &transform));
        }
}

static void ask_earliest(Twins *twins)
{
    PliantImpacts found[2] = {pliant_impacts_default(), pliant_impacts_default()};
    PliantSweepDef def = pliant_sweep_def_default();
    def.kind = PLIANT_EARLIEST;
    for (int w = 0; w < 2; w++) {
        for (int b = 0; b < SOUPS; b++)
            if (pliant_body_end(twins->worlds[w], twins->bodies[w][b]).index == 0) {
                PliantBody end;
                MUST(pliant_body_create_end(twins->worlds[w], twins->bodies[w][b], &end));
            }
    }
    move_apart(twins, 1);
    for (int w = 0; w < 2; w++)
        MUST(pliant_world_sweep(twins->worlds[w], &def, &found[w]));
    move_apart(twins, 0);
    assert_int_equal(found[0].count, found[1].count);
    for (int64_t i = 0; i < found[0].count; i++) {
        assert_int_equal(found[0].items[i].feature_a, found[1].items[i].feature_a);
        assert_int_equal(found[0].items[i].feature_b, found[1].items[i].feature_b);
    }
}

static void test_early_ends_leave_soups_as_one_worker_does(void **state)
{
    static void (*const asks[])(Twins *) = {ask_any, ask_limited, ask_points, ask_earliest,
                                            ask_within};
    (void)state;
    for (int i = 0; i < 5; i++) {
        check_early_ends("reversed:3", asks[i]);
        check_early_ends("3", asks[i]);
    }
}

/* ---- Pairs that take long ----------------------------------------------------------------------
 */

/* Balls that are nearly the same: contacts everywhere, before and after their pairs are divided.
 * There are as many pairs as workers: of fewer, none is begun by one worker. */
static void test_long_pairs_are_divided(void **state)
{
    (void)state;
    const PliantTransform turned[2] = {
        {.rows = {{0.8f, -0.6f, 0, 0}, {0.6f, 0.8f, 0, 0}, {0, 0, 1.0005f, 0}}},
        {.rows = {{0.9997f, 0, 0, 0}, {0, 0.8f, -0.6f, 0}, {0, 0.6f, 0.8f, 0}}}};
    SceneMesh ball = scene_icosphere(6);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){ball.vertices, ball.vertex_count, 0};
    def.triangles = (PliantTriangles){ball.triangles, ball.triangle_count};
    PliantShape *shape;
    TestWorkers workers;
    PliantWorld *worlds[2];
    PliantContacts found[2] = {pliant_contacts_default(), pliant_contacts_default()};
    MUST(pliant_shape_create(&def, &shape));
    assert_true(test_workers_start(&workers, "reversed:3"));
    for (int w = 0; w < 2; w++) {
        PliantHost host = pliant_host_default();
        PliantWorldDef world_def = pliant_world_def_default();
        PliantBody bodies[3];
        if (w == 1)
            test_workers_attach(&workers, &host);
        world_def.host = &host;
        MUST(pliant_world_create(&world_def, &worlds[w]));
        for (int b = 0; b < 3; b++)
            MUST(pliant_body_create(worlds[w], shape, &bodies[b]));
        for (int b = 0; b < 2; b++)
            MUST(pliant_body_set_transform(worlds[w], bodies[b], &turned[b]));
        worlds[w]->max_work = 1024; /* so that parts take long, too */
        MUST(pliant_world_collide(worlds[w], NULL, &found[w]));
    }
    assert_true(worlds[1]->items.count > 3);
    assert_true(found[0].count > 10000);
    check_equal(&found[0], &found[1]);
    for (int w = 0; w < 2; w++)
        pliant_world_destroy(worlds[w]);
    test_workers_end(&workers);
    pliant_shape_release(shape);
    scene_mesh_free(&ball);
}

/* ---- Progress hooks ----------------------------------------------------------------------------
 */

static bool stop(void *user, int64_t done, int64_t total)
{
    (void)done, (void)total;
    ++*(int *)user;
    return false;
}

/* A hook is for one query. A call without one, after it, must not ask it. */
static void test_hooks_end_with_their_query(void **state)
{
    (void)state;
    PliantWorld *world;
    PliantBody bodies[2];
    SceneMesh ball = scene_icosphere(5);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){ball.vertices, ball.vertex_count, 0};
    def.triangles = (PliantTriangles){ball.triangles, ball.triangle_count};
    PliantShape *shape;
    MUST(pliant_shape_create(&def, &shape));
    MUST(pliant_world_create(NULL, &world));
    for (int b = 0; b < 2; b++)
        MUST(pliant_body_create(world, shape, &bodies[b]));
    PliantTransform inner = {.rows = {{0.999f, 0, 0, 0}, {0, 0.999f, 0, 0}, {0, 0, 0.999f, 0}}};
    MUST(pliant_body_set_transform(world, bodies[1], &inner));
    int asked = 0;
    {
        PliantContacts contacts = pliant_contacts_default();
        PliantCollideDef query = pliant_collide_def_default();
        query.progress = stop;
        query.user = &asked;
        assert_int_equal(pliant_world_collide(world, &query, &contacts), PLIANT_CANCELLED);
    }
    assert_true(asked > 0);
    asked = 0;
    PliantContainment is_contained = pliant_containment_default();
    MUST(pliant_bodies_contain(world, bodies[0], bodies[1], NULL, &is_contained));
    assert_true(is_contained.contains);
    assert_int_equal(asked, 0);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    scene_mesh_free(&ball);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        frame_count = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_early_ends_leave_soups_as_one_worker_does),
        cmocka_unit_test(test_long_pairs_are_divided),
        cmocka_unit_test(test_hooks_end_with_their_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
