/* One contract: each rule of pliant/world.h, "The rules of all queries", for each query.
 *
 * A row of the table is a query. It says how it is asked, with a limit and a progress function, and
 * what came of it. Each test goes through all rows. */
#include "refuse.h"
#include "room.h"
#include "unit.h"
#include "workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef bool Progress(void *user, int64_t done, int64_t total);

/* What a query is asked with, and what it has answered. */
typedef struct Asked {
    int64_t limit;
    Progress *progress;
    void *user;
    size_t def_size; /* 0: that of the def */
    bool is_bare;    /* without a def */
} Asked;

typedef struct Answer {
    int64_t count;
    bool is_limit_reached;
    uint64_t stamp, hash;
} Answer;

typedef struct Stage {
    Room room;
    TestWorkers workers;
    PliantBody bodies[3]; /* two spheres that intersect, and one that intersects itself */
    PliantShape *shapes[2];
    PliantContacts contacts; /* of the world, which are: */
    PliantContact *kept;
    PliantLayers *layers;
    float (*points)[3];
    PliantRay *rays; /* through them */
} Stage;

enum { POINTS = 2000 };

/* Sanitizers make everything slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__has_feature)
#define TEST_SLOWNESS 20
#else
#define TEST_SLOWNESS 1
#endif

static uint64_t hash_of(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* Fills an answer from a record. Serials of bodies differ between worlds: they are not hashed. */
#define ANSWER(record, answer)                                                                     \
    *(answer) = (Answer)                                                                           \
    {                                                                                              \
        (record).count, (record).is_limit_reached, (record).stamp, 0                               \
    }
#define DEF(Type, init)                                                                            \
    Type def = init();                                                                             \
    def.progress = asked->progress;                                                                \
    def.user = asked->user;                                                                        \
    def.struct_size = asked->def_size ? asked->def_size : def.struct_size

typedef PliantResult Ask(Stage *stage, const Asked *asked, Answer *answer);

static PliantResult finish_collide(PliantResult result, const PliantContacts *found, Answer *answer)
{
    if (result != PLIANT_OK)
        return result;
    ANSWER(*found, answer);
    for (int64_t i = 0; i < found->count; i++) {
        const PliantContact *c = &found->items[i];
        const int64_t key[4] = {c->body_a.index, c->body_b.index, c->triangle_a, c->triangle_b};
        answer->hash = answer->hash * 31 + hash_of(key, sizeof key);
    }
    return result;
}

static PliantResult ask_collide(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantCollideDef, pliant_collide_def_default);
    def.max_contact_count = asked->limit;
    def.includes_self = true;
    PliantContacts found = pliant_contacts_default();
    return finish_collide(
        pliant_world_collide(stage->room.world, asked->is_bare ? NULL : &def, &found), &found,
        answer);
}

static PliantResult ask_self(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantCollideDef, pliant_collide_def_default);
    def.max_contact_count = asked->limit;
    PliantContacts found = pliant_contacts_default();
    return finish_collide(pliant_bodies_collide(stage->room.world, stage->bodies[2],
                                                stage->bodies[2], asked->is_bare ? NULL : &def,
                                                &found),
                          &found, answer);
}

static PliantResult ask_body_pairs(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantBodyPairsDef, pliant_body_pairs_def_default);
    def.max_pair_count = asked->limit;
    PliantBodyPairs found = pliant_body_pairs_default();
    const PliantResult result =
        pliant_world_body_pairs(stage->room.world, asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    return result;
}

static PliantResult ask_within(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantBodyPairsDef, pliant_body_pairs_def_default);
    def.max_pair_count = asked->limit;
    PliantBodyPairs found = pliant_body_pairs_default();
    const PliantResult result =
        pliant_world_bodies_within(stage->room.world, asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    return result;
}

/* The limit is one of the pairs that were merged. */
static PliantResult ask_near_with(Stage *stage, const Asked *asked, Answer *answer, bool is_unique)
{
    DEF(PliantNearDef, pliant_near_def_default);
    def.max_pair_count = asked->limit;
    def.distance = 0.02f;
    def.is_unique = is_unique;
    PliantNearPairs found = pliant_near_pairs_default();
    const PliantResult result =
        pliant_world_near(stage->room.world, asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->hash = answer->hash * 31 + hash_of(found.items[i].vertices, 16);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->count += found.items[i].pair_count - 1;
    return result;
}

static PliantResult ask_near(Stage *stage, const Asked *asked, Answer *answer)
{
    return ask_near_with(stage, asked, answer, false);
}

static PliantResult ask_unique(Stage *stage, const Asked *asked, Answer *answer)
{
    return ask_near_with(stage, asked, answer, true);
}

static PliantResult ask_sweep(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantSweepDef, pliant_sweep_def_default);
    def.max_impact_count = asked->limit;
    def.kind = PLIANT_ALL_IMPACTS;
    PliantImpacts found = pliant_impacts_default();
    const PliantResult result =
        pliant_world_sweep(stage->room.world, asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->hash = answer->hash * 31 + hash_of(found.items[i].vertices, 16);
    return result;
}

static PliantResult ask_rays(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantRayDef, pliant_ray_def_default);
    def.max_hit_count = asked->limit;
    def.kind = PLIANT_ALL_HITS;
    PliantRayHits found = pliant_ray_hits_default();
    const PliantResult result = pliant_world_cast_rays(
        stage->room.world, asked->is_bare ? NULL : &def, stage->rays, POINTS, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->hash = answer->hash * 31 + hash_of(&found.items[i].t, 4);
    return result;
}

/* Of as many hits as make several tasks. */
static PliantResult ask_hit_points(Stage *stage, const Asked *asked, Answer *answer)
{
    PliantRayDef ray_def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    ray_def.kind = PLIANT_ALL_HITS;
    PliantResult result =
        pliant_world_cast_rays(stage->room.world, &ray_def, stage->rays, POINTS, &hits);
    if (result != PLIANT_OK)
        return result;
    DEF(PliantHitPointsDef, pliant_hit_points_def_default);
    def.max_point_count = asked->limit;
    PliantHitPoints found = pliant_hit_points_default();
    result = pliant_hits_points(stage->room.world, &hits, asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->hash = answer->hash * 31 + hash_of(&found.items[i], sizeof found.items[i]);
    return result;
}

static PliantResult ask_closest(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantClosestDef, pliant_closest_def_default);
    PliantClosestPoints found = pliant_closest_points_default();
    const PliantResult result = pliant_world_closest_points(
        stage->room.world, (PliantVertices){stage->points[0], POINTS, 0},
        asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->hash = answer->hash * 31 + hash_of(&found.items[i].triangle, 20);
    return result;
}

static PliantResult ask_windings(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantWindingDef, pliant_winding_def_default);
    PliantWindingNumbers found = pliant_winding_numbers_default();
    const PliantResult result = pliant_body_winding_numbers(
        stage->room.world, stage->bodies[0], (PliantVertices){stage->points[0], POINTS, 0},
        asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->hash = answer->hash * 31 + hash_of(&found.items[i], sizeof *found.items);
    return result;
}

static PliantResult ask_distance(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantDistanceDef, pliant_distance_def_default);
    PliantDistance found = pliant_distance_default();
    const PliantResult result =
        pliant_bodies_distance(stage->room.world, stage->bodies[0], stage->bodies[2],
                               asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        *answer = (Answer){found.is_found, false, found.stamp, hash_of(found.pair.vertices, 16)};
    return result;
}

static PliantResult ask_intersections(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantIntersectionsDef, pliant_intersections_def_default);
    def.max_intersection_count = asked->limit;
    PliantIntersections found = pliant_intersections_default();
    const PliantResult result = pliant_contacts_intersections(stage->room.world, &stage->contacts,
                                                              asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.point_count; i++)
        answer->hash = answer->hash * 31 + hash_of(found.points[i].position, 12);
    return result;
}

static PliantResult ask_regions(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantRegionsDef, pliant_regions_def_default);
    def.max_region_count = asked->limit;
    PliantRegions found = pliant_regions_default();
    const PliantResult result = pliant_contacts_regions(stage->room.world, &stage->contacts,
                                                        asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->hash =
            answer->hash * 31 + hash_of(found.items[i].parts, 2 * sizeof *found.items[i].parts);
    return result;
}

static PliantResult ask_boxes(Stage *stage, const Asked *asked, Answer *answer)
{
    const PliantBox box = {{0, -9, -9}, {9, 9, 9}};
    DEF(PliantBoxTrianglesDef, pliant_box_triangles_def_default);
    def.max_triangle_count = asked->limit;
    PliantBoxTriangles found = pliant_box_triangles_default();
    const PliantResult result = pliant_body_moving_triangles_in_boxes(
        stage->room.world, stage->bodies[0], &box, 1, asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        ANSWER(found, answer);
    for (int64_t i = 0; result == PLIANT_OK && i < found.count; i++)
        answer->hash = answer->hash * 31 + hash_of(&found.items[i], 4);
    return result;
}

static PliantResult ask_volume(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantVolumeDef, pliant_volume_def_default);
    PliantVolume found = pliant_volume_default();
    const PliantResult result =
        pliant_bodies_volume(stage->room.world, stage->bodies[0], stage->bodies[1],
                             asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        *answer = (Answer){1, false, 1, hash_of(&found.volume, 16)};
    return result;
}

static PliantResult ask_contain(Stage *stage, const Asked *asked, Answer *answer)
{
    DEF(PliantContainDef, pliant_contain_def_default);
    PliantContainment found = pliant_containment_default();
    const PliantResult result =
        pliant_bodies_contain(stage->room.world, stage->bodies[0], stage->bodies[2],
                              asked->is_bare ? NULL : &def, &found);
    if (result == PLIANT_OK)
        *answer = (Answer){1, false, found.stamp, found.contains};
    return result;
}

static PliantResult ask_layers(Stage *stage, const Asked *asked, Answer *answer)
{
    const PliantView view = {{{-2, -2, -2}, {3, 2, 2}}, PLIANT_AXIS_Z, 512, 512};
    DEF(PliantCaptureDef, pliant_capture_def_default);
    const PliantResult result = pliant_layers_capture(
        stage->layers, stage->room.world, stage->bodies[0], &view, asked->is_bare ? NULL : &def);
    if (result == PLIANT_OK)
        *answer = (Answer){1, false, 1, 0};
    return result;
}

static const struct {
    const char *name;
    Ask *ask;
    bool has_limit;
} queries[] = {{"collide", ask_collide, true},
               {"self", ask_self, true},
               {"body_pairs", ask_body_pairs, true},
               {"bodies_within", ask_within, true},
               {"near", ask_near, true},
               {"unique", ask_unique, true},
               {"sweep", ask_sweep, true},
               {"rays", ask_rays, true},
               {"hit_points", ask_hit_points, true},
               {"closest_points", ask_closest, false},
               {"winding_numbers", ask_windings, false},
               {"distance", ask_distance, false},
               {"intersections", ask_intersections, true},
               {"regions", ask_regions, true},
               {"triangles_in_boxes", ask_boxes, true},
               {"volume", ask_volume, false},
               {"contain", ask_contain, false},
               {"layers", ask_layers, false}};
enum { QUERIES = sizeof queries / sizeof *queries };

/* ---- The stage ---------------------------------------------------------------------------------
 */

static PliantBody add(Stage *stage, int level, float x, bool is_folded)
{
    SceneMesh mesh = scene_icosphere(level);
    for (int32_t v = 0; v < mesh.vertex_count && is_folded; v++) /* the upper half is below */
        mesh.vertices[3 * v + 2] =
            mesh.vertices[3 * v + 2] > 0.3f ? -mesh.vertices[3 * v + 2] : mesh.vertices[3 * v + 2];
    const PliantBody body = room_add(&stage->room, mesh);
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = x;
    MUST(pliant_body_set_transform(stage->room.world, body, &transform));
    return body;
}

/* Spheres of this level; by workers, as test_workers_start() reads them, or by one if NULL. */
static void open_stage(Stage *stage, int level, const char *workers)
{
    *stage = (Stage){0};
    test_host_init(&stage->room.host);
    PliantWorldDef def = pliant_world_def_default();
    if (workers) {
        assert_true(test_workers_start(&stage->workers, workers));
        test_workers_attach(&stage->workers, &stage->room.host.host);
        if (stage->workers.order == TEST_ORDER_POOL)
            stage->room.host.host.allocate = NULL, /* that of the test host is for one thread */
                stage->room.host.host.release = NULL;
    }
    def.host = &stage->room.host.host;
    MUST(pliant_world_create(&def, &stage->room.world));
    stage->bodies[0] = add(stage, level, 0, false);
    stage->bodies[1] = add(stage, level, 0.5f, false);
    stage->bodies[2] = add(stage, level, 4, true);
    PliantBody end;
    PliantTransform moved = pliant_transform_identity();
    moved.rows[0][3] = 1.2f;
    MUST(pliant_body_create_end(stage->room.world, stage->bodies[1], &end));
    MUST(pliant_body_set_transform(stage->room.world, end, &moved));
    moved.rows[0][3] = 1.9f;
    PliantBody fourth = add(stage, level, 1.9f, false); /* a second pair of bodies */
    (void)fourth;
    stage->layers = room_layers(&stage->room);
    stage->points = malloc(POINTS * sizeof *stage->points);
    SceneRandom random = {1};
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            stage->points[i][k] = (float)(2 * scene_random(&random) - 1);
    stage->rays = malloc(POINTS * sizeof *stage->rays);
    for (int i = 0; i < POINTS; i++)
        stage->rays[i] =
            (PliantRay){{stage->points[i][0], stage->points[i][1], -5}, {0, 0, 1}, 100};
    stage->contacts = pliant_contacts_default();
    MUST(pliant_world_collide(stage->room.world, NULL, &stage->contacts));
    stage->kept = malloc((size_t)stage->contacts.count * sizeof *stage->kept);
    memcpy(stage->kept, stage->contacts.items, (size_t)stage->contacts.count * sizeof *stage->kept);
    stage->contacts.items = stage->kept;
}

static void close_stage(Stage *stage)
{
    free(stage->points);
    free(stage->rays);
    free(stage->kept);
    pliant_layers_destroy(stage->layers);
    pliant_world_destroy(stage->room.world);
    if (stage->workers.count > 0)
        test_workers_end(&stage->workers);
}

/* ---- The rules ---------------------------------------------------------------------------------
 */

/* NULL means the defaults; a def of a wrong size is refused; answers have stamps. */
static void test_defs(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, 2, NULL);
    for (int q = 0; q < QUERIES; q++) {
        Answer answer = {0};
        assert_int_equal(queries[q].ask(&stage, &(Asked){.is_bare = true}, &answer), PLIANT_OK);
        assert_true(answer.stamp != 0);
        assert_int_equal(queries[q].ask(&stage, &(Asked){.def_size = 3}, &answer), PLIANT_BAD_DEF);
        assert_non_null(
            strstr(stage.room.host.message, "def.struct_size is 3: start from pliant_"));
        if (queries[q].has_limit)
            assert_int_equal(queries[q].ask(&stage, &(Asked){.limit = -1}, &answer),
                             PLIANT_BAD_ARGUMENT);
    }
    close_stage(&stage);
}

/* As many items as the limit allows, and whether there are more; the same with any workers. */
static void test_limits(void **state)
{
    (void)state;
    static const char *const workers[] = {NULL, "2", "reversed:3", "random:7"};
    uint64_t hashes[QUERIES][6] = {{0}};
    for (int w = 0; w < 4; w++) {
        Stage stage;
        open_stage(&stage, 3, workers[w]);
        if (workers[w])
            test_workers_divide_everything(stage.room.world);
        for (int q = 0; q < QUERIES; q++) {
            Answer all = {0};
            assert_int_equal(queries[q].ask(&stage, &(Asked){0}, &all), PLIANT_OK);
            assert_false(all.is_limit_reached);
            assert_true(all.count > 0);
            const int64_t limits[] = {1, 2, all.count / 2, all.count - 1, all.count, all.count + 1};
            for (int i = 0; i < 6 && queries[q].has_limit; i++) {
                Answer some = {0};
                if (limits[i] <= 0)
                    continue;
                assert_int_equal(queries[q].ask(&stage, &(Asked){.limit = limits[i]}, &some),
                                 PLIANT_OK);
                assert_int_equal(some.count, limits[i] < all.count ? limits[i] : all.count);
                assert_int_equal(some.is_limit_reached, limits[i] < all.count);
                assert_true(w == 0 || some.hash == hashes[q][i]);
                hashes[q][i] = some.hash;
            }
        }
        close_stage(&stage);
    }
}

/* Two bodies that are in contact everywhere: with a limit, the memory of a query is that of its
 * answer, and not of all contacts. */
static void test_limit_of_memory(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    room_add(&room, scene_icosphere(5));
    room_add(&room, scene_icosphere(5));
    PliantWorldMemory memory = pliant_world_memory_default();
    PliantCollideDef def = pliant_collide_def_default();
    PliantContacts contacts = pliant_contacts_default();
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        def.max_contact_count = i == 0 ? 100 : 0;
        MUST(pliant_world_collide(room.world, &def, &contacts));
        MUST(pliant_world_memory(room.world, &memory));
        sizes[i] = memory.workers + memory.answers;
    }
    assert_true(contacts.count > 200000);
    assert_true(sizes[0] < sizes[1] / 4);
    assert_true(room_close(&room));
}

/* Some frames: the two spheres come closer, which changes how many contacts there are. */
static int64_t play(Stage *stage)
{
    const int64_t calls = stage->room.host.calls;
    for (int frame = 0; frame < 3; frame++) {
        PliantTransform transform = pliant_transform_identity();
        transform.rows[0][3] = 0.5f - 0.1f * (float)frame;
        MUST(pliant_body_set_transform(stage->room.world, stage->bodies[1], &transform));
        for (int q = 0; q < QUERIES; q++) {
            Answer answer;
            const PliantResult result = queries[q].ask(stage, &(Asked){0}, &answer);
            assert_true(result == PLIANT_OK || result == PLIANT_STALE);
        }
    }
    return stage->room.host.calls - calls;
}

/* Once its worst frame has been, a world allocates nothing; with several workers, once that has
 * come again a few times: also where one of them does all of a round. */
static void test_allocation(void **state)
{
    static const char *const ways[] = {NULL,       "forward:2", "greedy:2", "greedy:3",
                                       "greedy:7", "random:3",  "random:7"};
    (void)state;
    const size_t way_count = TEST_SLOWNESS > 1 ? 1 : sizeof ways / sizeof *ways;
    for (size_t i = 0; i < way_count; i++) {
        Stage stage;
        open_stage(&stage, 3, ways[i]);
        if (ways[i])
            test_workers_divide_everything(stage.room.world);
        assert_true(play(&stage) > 0);
        for (int again = 0; ways[i] && again < 7; again++) /* each worker gets each query */
            play(&stage);
        for (int again = 0; again < 4; again++)
            assert_int_equal(play(&stage), 0);
        close_stage(&stage);
    }
}

static bool stop(void *user, int64_t done, int64_t total)
{
    assert_true(done >= 0 && done <= total);
    ++*(int *)user;
    return false;
}

/* A progress function that returns false ends each query, and leaves its answer as it was. */
static void test_progress(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, 4, NULL);
    for (int q = 0; q < QUERIES; q++) {
        Answer answer = {.count = -5};
        int calls = 0;
        const PliantResult result =
            queries[q].ask(&stage, &(Asked){.progress = stop, .user = &calls}, &answer);
        if (result != PLIANT_CANCELLED)
            print_message("%s\n", queries[q].name);
        assert_int_equal(result, PLIANT_CANCELLED);
        assert_true(answer.count == -5 && calls == 1);
        assert_int_equal(queries[q].ask(&stage, &(Asked){0}, &answer), PLIANT_OK);
    }
    close_stage(&stage);
}

/* A hook that uses the world is told that it is busy. */
static bool use_world(void *user, int64_t done, int64_t total)
{
    (void)done, (void)total;
    Stage *stage = user;
    PliantStats stats = pliant_stats_default();
    assert_int_equal(pliant_world_stats(stage->room.world, &stats), PLIANT_BUSY);
    assert_int_equal(pliant_body_set_self(stage->room.world, stage->bodies[0], true), PLIANT_BUSY);
    pliant_world_destroy(stage->room.world); /* is not */
    return true;
}

static void test_busy(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, 3, NULL);
    for (int q = 0; q < QUERIES; q++) {
        Answer answer = {0};
        assert_int_equal(
            queries[q].ask(&stage, &(Asked){.progress = use_world, .user = &stage}, &answer),
            PLIANT_OK);
    }
    close_stage(&stage);
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Canceller {
    Stage *stage;
    atomic_bool is_running, is_over; /* the query */
    _Atomic double time;             /* of the call, by the clock */
    _Atomic clock_t processor;       /* the same, of all threads */
} Canceller;

static bool say_running(void *user, int64_t done, int64_t total)
{
    (void)done, (void)total;
    atomic_store(&((Canceller *)user)->is_running, true);
    return true;
}

static void *cancel(void *user)
{
    Canceller *canceller = user;
    while (!atomic_load(&canceller->is_running) && !atomic_load(&canceller->is_over))
        ;
    atomic_store(&canceller->time, seconds());
    atomic_store(&canceller->processor, clock());
    pliant_world_cancel(canceller->stage->room.world);
    return NULL;
}

/* Another thread ends each query within 50 ms, if it takes as long. Another program on the machine
 * may take its time: so the processor's time counts as well. */
static void test_cancel(void **state)
{
    (void)state;
    static const char *const workers[] = {NULL, "2", "7"};
    for (int w = 0; w < 3; w++) {
        Stage stage;
        open_stage(&stage, TEST_SLOWNESS > 1 ? 5 : 6, workers[w]);
        for (int q = 0; q < QUERIES; q++) {
            Canceller canceller = {.stage = &stage};
            Answer answer = {0};
            pthread_t thread;
            assert_int_equal(pthread_create(&thread, NULL, cancel, &canceller), 0);
            const PliantResult result = queries[q].ask(
                &stage, &(Asked){.progress = say_running, .user = &canceller}, &answer);
            const double end = seconds();
            const clock_t processor = clock();
            atomic_store(&canceller.is_over, true);
            pthread_join(thread, NULL);
            assert_true(result == PLIANT_OK || result == PLIANT_CANCELLED);
            const double late = end - atomic_load(&canceller.time);
            const double worked =
                (double)(processor - atomic_load(&canceller.processor)) / CLOCKS_PER_SEC;
            if (late > 0.05)
                print_message("%s: %g s, %g s of the processor\n", queries[q].name, late, worked);
            assert_true(late < TEST_SLOWNESS * 0.05 || worked < TEST_SLOWNESS * 0.05);
        }
        close_stage(&stage);
    }
}

/* ---- Readers -----------------------------------------------------------------------------------
 */

enum { READERS = 4 };

/* A thread that asks every query of a reader, and the first of them. */
typedef struct Reading {
    Stage stage;
    int first;
    PliantResult result;
    Answer answers[QUERIES];
} Reading;

static void *read_all(void *user)
{
    Reading *reading = user;
    for (int i = 0; i < QUERIES && reading->result == PLIANT_OK; i++) {
        const int q = (reading->first + i) % QUERIES;
        reading->result = queries[q].ask(&reading->stage, &(Asked){0}, &reading->answers[q]);
    }
    return NULL;
}

/* Readers in threads of their own answer each query as their world does, which is asked too. */
static void test_readers(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, 3, "2");
    Reading readings[READERS + 1] = {{.stage = stage}}, before = {.stage = stage};
    pthread_t threads[READERS + 1];
    read_all(&before);
    for (int i = 1; i <= READERS; i++) {
        readings[i] = (Reading){.stage = stage, .first = i * QUERIES / READERS};
        readings[i].stage.layers = room_layers(&stage.room);
        MUST(pliant_reader_create(stage.room.world, &readings[i].stage.room.world));
    }
    for (int hold = 0; hold < 3; hold++) {
        MUST(pliant_world_hold(stage.room.world));
        for (int i = 0; i <= READERS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readings[i]), 0);
        for (int i = 0; i <= READERS; i++)
            pthread_join(threads[i], NULL);
        MUST(pliant_world_release(stage.room.world));
        for (int i = 0; i <= READERS; i++)
            assert_int_equal(readings[i].result, PLIANT_OK);
        for (int i = 0; i < (READERS + 1) * QUERIES; i++) {
            const Answer *read = &readings[i / QUERIES].answers[i % QUERIES];
            const Answer *answer = &before.answers[i % QUERIES];
            if (read->count != answer->count || read->hash != answer->hash)
                print_message("%s\n", queries[i % QUERIES].name);
            assert_true(read->count == answer->count && read->hash == answer->hash);
        }
    }
    for (int i = 1; i <= READERS; i++) {
        pliant_reader_destroy(readings[i].stage.room.world);
        pliant_layers_destroy(readings[i].stage.layers);
    }
    close_stage(&stage);
}

/* ---- Stale answers -----------------------------------------------------------------------------
 */

typedef void Change(Stage *stage);
static float lent[3 * 642];

static void change_transform(Stage *stage)
{
    const PliantTransform identity = pliant_transform_identity();
    MUST(pliant_body_set_transform(stage->room.world, stage->bodies[0], &identity));
}

static void change_set_vertices(Stage *stage)
{
    MUST(pliant_body_set_vertices(stage->room.world, stage->bodies[0],
                                  (PliantVertices){lent, 642, 0}));
}

static void change_radius(Stage *stage)
{
    MUST(pliant_body_set_radius(stage->room.world, stage->bodies[0], 0.001f));
}

static void change_reset(Stage *stage)
{
    MUST(pliant_body_reset_pose(stage->room.world, stage->bodies[0]));
}

static void change_borrow(Stage *stage)
{
    MUST(pliant_body_borrow_vertices(stage->room.world, stage->bodies[0],
                                     (PliantVertices){lent, 642, 0}));
}

/* In place: by the signs of two floats that are in the same half of one lane of the hash. */
static void change_in_place(Stage *stage)
{
    (void)stage;
    lent[1] = -lent[1];
    lent[1 + 64 * 30] = -lent[1 + 64 * 30];
}

static void test_stale(void **state)
{
    (void)state;
    static Change *const changes[] = {change_transform, change_set_vertices, change_reset,
                                      change_radius,    change_borrow,       change_in_place,
                                      change_in_place};
    Stage stage;
    open_stage(&stage, 3, NULL);
    PliantWorld *world = stage.room.world;
    MUST(pliant_body_vertices(world, stage.bodies[0], lent, 642));
    float distances[642];
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        PliantContacts contacts = pliant_contacts_default();
        PliantNearPairs pairs = pliant_near_pairs_default();
        PliantNearDef near_def = pliant_near_def_default();
        PliantRegions regions = pliant_regions_default();
        PliantIntersections cuts = pliant_intersections_default();
        near_def.distance = 0.02f;
        MUST(pliant_world_collide(world, NULL, &contacts));
        MUST(pliant_world_near(world, &near_def, &pairs));
        assert_true(contacts.count > 0 && pairs.count > 0);
        MUST(pliant_contacts_regions(world, &contacts, NULL, &regions));
        MUST(pliant_contacts_intersections(world, &contacts, NULL, &cuts));
        MUST(pliant_near_vertex_distances(world, &pairs, stage.bodies[0], distances, 642));
        changes[i](&stage);
        assert_int_equal(pliant_contacts_regions(world, &contacts, NULL, &regions), PLIANT_STALE);
        assert_int_equal(pliant_contacts_intersections(world, &contacts, NULL, &cuts),
                         PLIANT_STALE);
        assert_int_equal(
            pliant_near_vertex_distances(world, &pairs, stage.bodies[0], distances, 642),
            PLIANT_STALE);
        pairs.stamp = contacts.stamp = 0; /* as if the caller had made them */
        MUST(pliant_near_vertex_distances(world, &pairs, stage.bodies[0], distances, 642));
        assert_int_equal(pliant_contacts_regions(world, &contacts, NULL, &regions),
                         PLIANT_BAD_ARGUMENT);
    }
    close_stage(&stage);
}

/* A body that was never told where it goes stands still. */
static void test_end_is_where_its_body_is(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody crate = room_add_box(&room, 0, 0, 0, 1, 1, 1);
    room_add_box(&room, -5, -5, -2, 5, 5, -1);
    PliantTransform up = pliant_transform_identity();
    up.rows[2][3] = 10;
    MUST(pliant_body_set_transform(room.world, crate, &up));
    PliantBody end;
    MUST(pliant_body_create_end(room.world, crate, &end));
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_world_sweep(room.world, NULL, &impacts));
    assert_int_equal(impacts.count, 0);
    float starts[24], ends[24];
    MUST(pliant_body_vertices(room.world, crate, starts, 8));
    MUST(pliant_body_vertices(room.world, end, ends, 8));
    assert_memory_equal(starts, ends, sizeof starts);
    assert_true(room_close(&room));
}

/* The least distance within a body is that of its near pairs. */
static void test_distance_within(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody body = room_add(&room, scene_icosphere(2));
    PliantDistance distance = pliant_distance_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = pliant_near_def_default();
    MUST(pliant_bodies_distance(room.world, body, body, NULL, &distance));
    assert_true(distance.is_found && distance.pair.distance > 0);
    def.distance = distance.pair.distance;
    MUST(pliant_bodies_near(room.world, body, body, &def, &pairs));
    assert_true(pairs.count > 0);
    for (int64_t i = 0; i < pairs.count; i++)
        assert_true(pairs.items[i].distance >= distance.pair.distance);
    assert_int_equal(pairs.items[0].kind, distance.pair.kind);
    assert_int_equal(pairs.items[0].feature_a, distance.pair.feature_a);
    assert_int_equal(pairs.items[0].feature_b, distance.pair.feature_b);
    def.distance = nextafterf(distance.pair.distance, 0);
    def.distance = nextafterf(def.distance, 0);
    MUST(pliant_bodies_near(room.world, body, body, &def, &pairs));
    assert_int_equal(pairs.count, 0);
    assert_true(room_close(&room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_defs),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_limit_of_memory),
                                       cmocka_unit_test(test_allocation),
                                       cmocka_unit_test(test_progress),
                                       cmocka_unit_test(test_busy),
                                       cmocka_unit_test(test_cancel),
                                       cmocka_unit_test(test_readers),
                                       cmocka_unit_test(test_stale),
                                       cmocka_unit_test(test_end_is_where_its_body_is),
                                       cmocka_unit_test(test_distance_within)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
