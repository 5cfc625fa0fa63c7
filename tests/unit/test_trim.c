/* The memory of a world: parts that add up, and answers that are the same after a trim. */
#include "refuse.h"
#include "room.h"
#include "unheard.h"
#include "unit.h"
#include "workers.h"

#include <string.h>

/* Two spheres and two soups that move, each with an end, and a skinned body. */
typedef struct Stage {
    TestHost host;
    PliantWorld *world;
    PliantShape *shape;
    SceneMesh mesh;
    PliantBody spheres[2], soups[2], ends[4];
    float *moved;
} Stage;

static PliantWorldMemory memory_of(const Stage *stage)
{
    PliantWorldMemory memory = pliant_world_memory_default();
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_memory(stage->world, &memory));
    MUST(pliant_world_stats(stage->world, &stats));
    assert_int_equal(memory.total, stage->host.bytes);
    assert_int_equal(memory.total, stats.byte_size);
    assert_int_equal(memory.total, memory.bodies + memory.broad_phase + memory.workers +
                                       memory.answers + memory.candidates);
    assert_true(memory.workers <= memory.total); /* nothing has gone below zero */
    return memory;
}

static void add_soup(Stage *stage, int i)
{
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){stage->mesh.vertices, stage->mesh.vertex_count, 0};
    primitives.corners = stage->mesh.triangles;
    primitives.count = stage->mesh.triangle_count;
    MUST(pliant_body_create_soup(stage->world, NULL, &stage->soups[i]));
    MUST(pliant_body_create_end(stage->world, stage->soups[i], &stage->ends[2 + i]));
    MUST(pliant_body_set_primitives(stage->world, stage->soups[i], &primitives));
    primitives.vertices.data = stage->moved;
    MUST(pliant_body_set_primitives(stage->world, stage->ends[2 + i], &primitives));
}

static void place(Stage *stage, PliantBody body, float x)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = x;
    transform.rows[1][3] = 0.1f * x;
    MUST(pliant_body_set_transform(stage->world, body, &transform));
}

static void open_stage(Stage *stage, TestWorkers *workers)
{
    *stage = (Stage){.mesh = scene_icosphere(2)};
    const size_t size = 3 * (size_t)stage->mesh.vertex_count;
    PliantWorldDef def = pliant_world_def_default();
    PliantShapeDef shape = pliant_shape_def_default();
    test_host_init(&stage->host);
    def.host = &stage->host.host;
    if (workers)
        test_workers_attach(workers, &stage->host.host);
    MUST(pliant_world_create(&def, &stage->world));
    if (workers)
        test_workers_divide_everything(stage->world);
    shape.vertices = (PliantVertices){stage->mesh.vertices, stage->mesh.vertex_count, 0};
    shape.triangles = (PliantTriangles){stage->mesh.triangles, stage->mesh.triangle_count};
    MUST(pliant_shape_create(&shape, &stage->shape));
    stage->moved = malloc(size * sizeof *stage->moved);
    for (size_t i = 0; i < size; i++)
        stage->moved[i] = stage->mesh.vertices[i] + (i % 3 == 1 ? 0.125f : 0.0625f);
    for (int i = 0; i < 2; i++) {
        MUST(pliant_body_create(stage->world, stage->shape, &stage->spheres[i]));
        MUST(pliant_body_create_end(stage->world, stage->spheres[i], &stage->ends[i]));
        add_soup(stage, i);
        place(stage, stage->spheres[i], 0.7f * (float)i);
        place(stage, stage->ends[i], 0.5f * (float)i);
        place(stage, stage->soups[i], 3 + 0.7f * (float)i);
        place(stage, stage->ends[2 + i], 3 + 0.5f * (float)i);
    }
    MUST(pliant_body_set_vertices(stage->world, stage->spheres[1],
                                  (PliantVertices){stage->moved, stage->mesh.vertex_count, 0}));
}

static void close_stage(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
    assert_int_equal(stage->host.blocks, 0);
    pliant_shape_release(stage->shape);
    scene_mesh_free(&stage->mesh);
    free(stage->moved);
}

/* ---- Everything that can be asked --------------------------------------------------------------
 */

enum { MAX_BYTES = 1 << 22 };

typedef struct Answers {
    size_t size;
    unsigned char bytes[MAX_BYTES];
} Answers;

/* Bytes are compared, so these are of types without padding. */
static void add(Answers *answers, const void *items, int64_t count, size_t item_size)
{
    const size_t size = (size_t)count * item_size;
    assert_true(answers->size + size <= MAX_BYTES);
    if (size > 0)
        memcpy(answers->bytes + answers->size, items, size);
    answers->size += size;
}

static void ask_contacts(Stage *stage, Answers *answers)
{
    PliantContacts contacts = pliant_contacts_default();
    PliantIntersections common = pliant_intersections_default();
    PliantRegions regions = pliant_regions_default();
    MUST(pliant_bodies_collide(stage->world, stage->soups[0], stage->soups[0], NULL, &contacts));
    MUST(
        pliant_bodies_collide(stage->world, stage->spheres[0], stage->spheres[0], NULL, &contacts));
    add(answers, contacts.items, contacts.count, sizeof *contacts.items);
    MUST(pliant_body_collide(stage->world, stage->soups[0], NULL, &contacts));
    add(answers, contacts.items, contacts.count, sizeof *contacts.items);
    MUST(pliant_world_collide(stage->world, NULL, &contacts));
    assert_true(contacts.count > 0);
    add(answers, contacts.items, contacts.count, sizeof *contacts.items);
    memory_of(stage);
    MUST(pliant_contacts_intersections(stage->world, &contacts, NULL, &common));
    for (int64_t i = 0; i < common.point_count; i++)
        add(answers, common.points[i].position, 1, sizeof common.points[i].position);
    memory_of(stage);
    MUST(pliant_contacts_regions(stage->world, &contacts, NULL, &regions));
    add(answers, regions.triangles, regions.triangle_count, sizeof *regions.triangles);
    add(answers, regions.vertices, regions.vertex_count, sizeof *regions.vertices);
    memory_of(stage);
}

static void ask_near(Stage *stage, Answers *answers)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantSweepDef sweep = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    def.distance = 0.05f;
    def.margin = sweep.margin = 0.1f;
    sweep.kind = PLIANT_ALL_IMPACTS;
    MUST(pliant_world_near(stage->world, &def, &pairs));
    assert_true(pairs.count > 0);
    for (int64_t i = 0; i < pairs.count; i++) {
        add(answers, &pairs.items[i].feature_a, 1, sizeof pairs.items[i].feature_a);
        add(answers, &pairs.items[i].feature_b, 1, sizeof pairs.items[i].feature_b);
        add(answers, &pairs.items[i].distance, 1, sizeof pairs.items[i].distance);
    }
    memory_of(stage);
    MUST(pliant_world_sweep(stage->world, &sweep, &impacts));
    assert_true(impacts.count > 0);
    for (int64_t i = 0; i < impacts.count; i++) {
        add(answers, &impacts.items[i].feature_a, 1, sizeof impacts.items[i].feature_a);
        add(answers, &impacts.items[i].time, 1, sizeof impacts.items[i].time);
    }
    memory_of(stage);
}

static void ask_others(Stage *stage, Answers *answers)
{
    static const PliantRay rays[] = {{{-9, 0.1f, 0.2f}, {1, 0, 0}, 99},
                                     {{0.3f, 9, 0.1f}, {0, -1, 0}, 99}};
    const PliantBox box = {{-0.5f, -2, -2}, {0.5f, 2, 2}};
    PliantBodyPairsDef within = pliant_body_pairs_def_default();
    PliantBodyPairs pairs = pliant_body_pairs_default();
    PliantBoxTriangles triangles = pliant_box_triangles_default();
    PliantRayHits hits = pliant_ray_hits_default();
    PliantDistance distance = pliant_distance_default();
    PliantVolume volume = pliant_volume_default();
    PliantClosestPoints closest = pliant_closest_points_default();
    within.distance = 0.5f;
    MUST(pliant_world_body_pairs(stage->world, NULL, &pairs));
    add(answers, pairs.items, pairs.count, sizeof *pairs.items);
    MUST(pliant_world_bodies_within(stage->world, &within, &pairs));
    add(answers, pairs.items, pairs.count, sizeof *pairs.items);
    MUST(pliant_world_cast_rays(stage->world, NULL, rays, 2, &hits));
    for (int64_t i = 0; i < hits.count; i++)
        add(answers, &hits.items[i].t, 1, sizeof hits.items[i].t);
    MUST(pliant_bodies_distance(stage->world, stage->spheres[0], stage->soups[1], NULL, &distance));
    add(answers, &distance.pair.distance, 1, sizeof distance.pair.distance);
    MUST(pliant_world_closest_points(stage->world, (PliantVertices){rays[0].origin, 1, 0}, NULL,
                                     &closest));
    add(answers, &closest.items[0].distance, 1, sizeof closest.items[0].distance);
    memory_of(stage);
    MUST(
        pliant_body_triangles_in_boxes(stage->world, stage->spheres[0], &box, 1, NULL, &triangles));
    add(answers, triangles.items, triangles.count, sizeof *triangles.items);
    MUST(pliant_body_volume(stage->world, stage->spheres[0], NULL, &volume));
    add(answers, &volume.volume, 1, sizeof volume.volume);
    memory_of(stage);
}

static void ask(Stage *stage, Answers *answers)
{
    answers->size = 0;
    ask_contacts(stage, answers);
    ask_near(stage, answers);
    ask_others(stage, answers);
}

static void assert_only_bodies(const PliantWorldMemory *memory)
{
    assert_int_equal(memory->total, memory->bodies);
    assert_int_equal(memory->broad_phase, 0);
    assert_int_equal(memory->workers, 0);
    assert_int_equal(memory->answers, 0);
    assert_int_equal(memory->candidates, 0);
}

/* ---- Tests -------------------------------------------------------------------------------------
 */

static void run(TestWorkers *workers)
{
    static Answers first, later;
    Stage stage;
    open_stage(&stage, workers);
    const PliantWorldMemory fresh = memory_of(&stage);
    assert_only_bodies(&fresh);
    ask(&stage, &first);
    const PliantWorldMemory used = memory_of(&stage);
    assert_true(used.broad_phase > 0 && used.workers > 0 && used.answers > 0);
    assert_true(used.candidates > 0 && used.bodies > fresh.bodies);
    for (int round = 0; round < 2; round++) {
        MUST(pliant_world_trim(stage.world));
        const PliantWorldMemory trimmed = memory_of(&stage);
        assert_only_bodies(&trimmed);
        assert_true(trimmed.bodies < used.bodies);
        if (round == 0) /* once more changes nothing */
            MUST(pliant_world_trim(stage.world));
        assert_int_equal(memory_of(&stage).total, trimmed.total);
        ask(&stage, &later);
        assert_int_equal(later.size, first.size);
        assert_memory_equal(later.bytes, first.bytes, first.size);
    }
    for (int i = 0; i < 2; i++) {
        MUST(pliant_body_destroy(stage.world, stage.spheres[i]));
        MUST(pliant_body_destroy(stage.world, stage.soups[i]));
    }
    assert_true(memory_of(&stage).bodies < used.bodies);
    close_stage(&stage);
}

static void test_same_answers(void **state)
{
    (void)state;
    run(NULL);
}

static void test_workers(void **state)
{
    (void)state;
    TestWorkers workers;
    assert_true(test_workers_start(&workers, "reversed:3"));
    run(&workers);
    test_workers_end(&workers);
}

static void test_empty(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantContacts contacts = pliant_contacts_default();
    const int64_t bytes = room.host.bytes;
    MUST(pliant_world_trim(room.world));
    assert_int_equal(room.host.bytes, bytes);
    MUST(pliant_world_collide(room.world, NULL, &contacts));
    assert_int_equal(contacts.count, 0);
    MUST(pliant_world_trim(room.world));
    assert_int_equal(room.host.bytes, bytes);
    assert_true(room_close(&room));
}

/* A trim ends answers: what was handed out is no longer held. Candidates go too, so that the next
 * query searches as the first one did. */
static void test_lifetimes(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, NULL);
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantStats searched = pliant_stats_default(), decided = searched, again = searched;
    def.margin = 0.125f;
    MUST(pliant_world_near(stage.world, &def, &pairs));
    MUST(pliant_world_stats(stage.world, &searched));
    MUST(pliant_world_near(stage.world, &def, &pairs));
    MUST(pliant_world_stats(stage.world, &decided));
    assert_true(decided.leaves_evaluated < searched.leaves_evaluated);
    MUST(pliant_world_trim(stage.world));
    MUST(pliant_world_near(stage.world, &def, &pairs));
    MUST(pliant_world_stats(stage.world, &again));
    assert_int_equal(again.leaves_evaluated, searched.leaves_evaluated);
    close_stage(&stage);
}

/* Each allocation after a trim fails in turn. The world stays usable. */
static void test_no_memory(void **state)
{
    (void)state;
    PliantContacts contacts = pliant_contacts_default();
    Stage stage;
    open_stage(&stage, NULL);
    MUST(pliant_world_collide(stage.world, NULL, &contacts));
    const int64_t count = contacts.count;
    PliantResult result = PLIANT_OUT_OF_MEMORY;
    int64_t failed = 0;
    for (; result != PLIANT_OK; failed++) {
        MUST(pliant_world_trim(stage.world));
        stage.host.fail_at = stage.host.calls + 1 + failed;
        contacts = pliant_contacts_default();
        result = pliant_world_collide(stage.world, NULL, &contacts);
        stage.host.fail_at = 0;
        assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);
        assert_int_equal(contacts.count, result == PLIANT_OK ? count : 0);
        memory_of(&stage);
    }
    assert_true(failed > 3);
    close_stage(&stage);
}

static void test_mistakes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantWorldMemory memory = pliant_world_memory_default();
    REFUSE_UNHEARD(pliant_world_trim(NULL), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_world_memory(NULL, &memory), PLIANT_BAD_ARGUMENT);
    REFUSE(room.host, pliant_world_memory(room.world, NULL), PLIANT_BAD_ARGUMENT, "memory is NULL");
    memory.struct_size = 0;
    REFUSE(room.host, pliant_world_memory(room.world, &memory), PLIANT_BAD_DEF,
           "memory.struct_size is 0: start from pliant_world_memory_default()");
    assert_true(room_close(&room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_answers), cmocka_unit_test(test_workers),
        cmocka_unit_test(test_empty),        cmocka_unit_test(test_lifetimes),
        cmocka_unit_test(test_no_memory),    cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
