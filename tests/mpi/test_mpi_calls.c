/* The calls of pliant/mpi.h: what is refused, and what happens to all ranks if one fails.
 *
 *     mpirun -n 4 test_mpi_calls
 *
 * A rank that runs out of memory, at any allocation of a query, makes the query fail on all ranks
 * with the same result, and none of them waits forever; then the query is asked again. Ends with 1
 * at the first call that does something else. */
#include "cast.h"
#include "host.h"
#include <pliant/mpi.h>
#include <pliant/sweep.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, rank_count;
static int64_t failure_count;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("test_mpi_calls: rank %d, line %d: %s\n", rank, __LINE__, #condition);          \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

#define MUST(call) CHECK((call) == PLIANT_OK)

/* ---- A scene: a row of spheres, each touching the next, dealt out in turn ----------------------
 */

enum { SPHERES = 24, STEPS = 12 };

/* Queries beside those of PliantCollideKind. */
enum { NEAR = PLIANT_ANY_PAIR + 1, EARLIEST, QUERIES };

typedef struct Scene {
    TestHost host;
    SceneMesh mesh;
    PliantShape *shape;
    PliantWorld *world;
    PliantMpi *mpi;
    PliantBody bodies[SPHERES];
} Scene;

static void add_sphere(Scene *scene, int i)
{
    PliantTransform transform = pliant_transform_identity();
    PliantMpiBodyDef def = pliant_mpi_body_def_default();
    transform.rows[0][3] = 1.5F * (float)i;
    MUST(pliant_body_create(scene->world, scene->shape, &scene->bodies[i]));
    MUST(pliant_body_set_transform(scene->world, scene->bodies[i], &transform));
    def.key = (uint64_t)i;
    MUST(pliant_mpi_add_body(scene->mpi, scene->bodies[i], &def));
}

static void start(Scene *scene)
{
    PliantWorldDef world_def = pliant_world_def_default();
    PliantMpiDef def = pliant_mpi_def_default();
    PliantShapeDef shape_def = pliant_shape_def_default();
    *scene = (Scene){.mesh = scene_icosphere(2)};
    test_host_init(&scene->host);
    world_def.host = def.host = &scene->host.host;
    shape_def.vertices = (PliantVertices){scene->mesh.vertices, scene->mesh.vertex_count, 0};
    shape_def.triangles = (PliantTriangles){scene->mesh.triangles, scene->mesh.triangle_count};
    MUST(pliant_shape_create(&shape_def, &scene->shape));
    MUST(pliant_world_create(&world_def, &scene->world));
    MUST(pliant_mpi_create(MPI_COMM_WORLD, scene->world, &def, &scene->mpi));
    for (int i = rank; i < SPHERES; i += rank_count)
        add_sphere(scene, i);
}

static void end(Scene *scene)
{
    pliant_mpi_destroy(scene->mpi);
    pliant_world_destroy(scene->world);
    pliant_shape_release(scene->shape);
    scene_mesh_free(&scene->mesh);
    CHECK(scene->host.blocks == 0);
}

static int64_t total(int64_t own)
{
    int64_t all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* The same result on all ranks. */
static void check_same(PliantResult result)
{
    int own = (int)result, least = 0, greatest = 0;
    MPI_Allreduce(&own, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(least == greatest);
}

static PliantResult collide(Scene *scene, PliantCollideKind kind, PliantMpiContacts *contacts)
{
    PliantMpiQueryDef def = pliant_mpi_query_def_default();
    def.kind = kind;
    return pliant_mpi_collide(scene->mpi, &def, contacts);
}

/* Each sphere with the next. */
static void check_pairs(Scene *scene)
{
    PliantMpiContacts contacts = pliant_mpi_contacts_default();
    MUST(collide(scene, PLIANT_FIRST_PAIRS, &contacts));
    for (int64_t i = 0; i < contacts.count; i++)
        CHECK(contacts.items[i].key_b == contacts.items[i].key_a + 1 &&
              (int)(contacts.items[i].key_a % (uint64_t)rank_count) == rank);
    CHECK(total(contacts.count) == SPHERES - 1);
    MUST(collide(scene, PLIANT_ANY_PAIR, &contacts));
    CHECK(contacts.count == (rank == 0));
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

/* On one rank one of the next allocations fails; those before it stay, so that each comes to its
 * turn. */
static PliantResult ask(Scene *scene, int kind, PliantMpiContacts *contacts,
                        PliantMpiNearPairs *pairs, PliantMpiEarliest *earliest)
{
    PliantMpiNearDef def = pliant_mpi_near_def_default();
    def.distance = 0.1F;
    if (kind == NEAR)
        return pliant_mpi_near(scene->mpi, &def, pairs);
    return kind == EARLIEST ? pliant_mpi_sweep(scene->mpi, NULL, earliest)
                            : collide(scene, (PliantCollideKind)kind, contacts);
}

static void test_memory(int kind, int failing)
{
    Scene scene;
    PliantResult result = PLIANT_OUT_OF_MEMORY;
    start(&scene);
    for (int at = 0; result != PLIANT_OK; at++) {
        PliantMpiContacts contacts = pliant_mpi_contacts_default();
        PliantMpiNearPairs pairs = pliant_mpi_near_pairs_default();
        PliantMpiEarliest earliest = pliant_mpi_earliest_default();
        contacts.count = pairs.count = earliest.impact.triangle_a = 42;
        scene.host.fail_at = rank == failing ? scene.host.calls + 1 + at % STEPS : 0;
        result = ask(&scene, kind, &contacts, &pairs, &earliest);
        scene.host.fail_at = 0;
        check_same(result);
        CHECK(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);
        CHECK(result == PLIANT_OK || (contacts.count == 42 && !contacts.items));
        CHECK(result == PLIANT_OK || (pairs.count == 42 && !pairs.items));
        CHECK(result == PLIANT_OK || earliest.impact.triangle_a == 42);
        failure_count += result != PLIANT_OK;
        CHECK(at < 1000);
    }
    check_pairs(&scene);
    end(&scene);
}

static void test_create_memory(int failing)
{
    PliantWorld *world = NULL;
    PliantMpiDef def = pliant_mpi_def_default();
    PliantMpi *mpi = NULL;
    PliantResult result = PLIANT_OUT_OF_MEMORY;
    TestHost host;
    test_host_init(&host);
    def.host = &host.host;
    MUST(pliant_world_create(NULL, &world));
    for (int at = 1; result != PLIANT_OK; at++) {
        host.fail_at = rank == failing ? host.calls + at : 0;
        result = pliant_mpi_create(MPI_COMM_WORLD, world, &def, &mpi);
        check_same(result);
        CHECK(result == PLIANT_OK ? mpi != NULL : !mpi && host.blocks == 0);
        failure_count += result != PLIANT_OK;
    }
    pliant_mpi_destroy(mpi);
    pliant_world_destroy(world);
    CHECK(host.blocks == 0);
}

/* ---- What is refused ---------------------------------------------------------------------------
 */

static void test_mistakes_of_one(void)
{
    Scene scene;
    PliantMpiContacts contacts = pliant_mpi_contacts_default(), bad = contacts;
    PliantMpiQueryDef def = pliant_mpi_query_def_default();
    start(&scene);
    bad.struct_size = 3;
    const PliantResult no_contacts =
        pliant_mpi_collide(scene.mpi, NULL, rank == 0 ? NULL : &contacts);
    check_same(no_contacts);
    CHECK(no_contacts == PLIANT_BAD_ARGUMENT);
    const PliantResult size = pliant_mpi_collide(scene.mpi, NULL, rank == 0 ? &bad : &contacts);
    check_same(size);
    CHECK(size == PLIANT_BAD_DEF);
    def.kind = rank == 0 ? PLIANT_FIRST_PAIRS : PLIANT_ALL_PAIRS;
    const PliantResult kinds = pliant_mpi_collide(scene.mpi, &def, &contacts);
    check_same(kinds);
    CHECK(kinds == (rank_count > 1 ? PLIANT_BAD_ARGUMENT : PLIANT_OK));
    def.kind = (PliantCollideKind)17;
    CHECK(pliant_mpi_collide(scene.mpi, &def, &contacts) == PLIANT_BAD_ARGUMENT);
    CHECK(pliant_mpi_collide(NULL, NULL, &contacts) == PLIANT_BAD_ARGUMENT);
    check_pairs(&scene);
    end(&scene);
}

/* Limits must be right, and the same on all ranks. */
static void test_mistakes_in_limits(void)
{
    Scene scene;
    PliantMpiNearPairs pairs = pliant_mpi_near_pairs_default(), bad_pairs = pairs;
    PliantMpiEarliest earliest = pliant_mpi_earliest_default(), bad_earliest = earliest;
    PliantMpiNearDef near_def = pliant_mpi_near_def_default();
    PliantMpiSweepDef sweep_def = pliant_mpi_sweep_def_default();
    bad_pairs.struct_size = bad_earliest.struct_size = 3;
    start(&scene);
    CHECK(pliant_mpi_near(NULL, NULL, &pairs) == PLIANT_BAD_ARGUMENT);
    CHECK(pliant_mpi_near(scene.mpi, NULL, NULL) == PLIANT_BAD_ARGUMENT);
    CHECK(pliant_mpi_near(scene.mpi, NULL, &bad_pairs) == PLIANT_BAD_DEF);
    CHECK(pliant_mpi_sweep(NULL, NULL, &earliest) == PLIANT_BAD_ARGUMENT);
    CHECK(pliant_mpi_sweep(scene.mpi, NULL, NULL) == PLIANT_BAD_ARGUMENT);
    CHECK(pliant_mpi_sweep(scene.mpi, NULL, &bad_earliest) == PLIANT_BAD_DEF);
    near_def.distance = rank == 0 ? -1 : 0;
    CHECK(pliant_mpi_near(scene.mpi, &near_def, &pairs) == PLIANT_BAD_ARGUMENT);
    sweep_def.max_time = rank == 0 ? 1.5F : 1;
    CHECK(pliant_mpi_sweep(scene.mpi, &sweep_def, &earliest) == PLIANT_BAD_ARGUMENT);
    near_def.distance = rank == 0 ? 0.5F : 0.25F;
    const PliantResult distances = pliant_mpi_near(scene.mpi, &near_def, &pairs);
    CHECK(distances == (rank_count > 1 ? PLIANT_BAD_ARGUMENT : PLIANT_OK));
    sweep_def.max_time = rank == 0 ? 0.5F : 0.25F;
    const PliantResult untils = pliant_mpi_sweep(scene.mpi, &sweep_def, &earliest);
    CHECK(untils == (rank_count > 1 ? PLIANT_BAD_ARGUMENT : PLIANT_OK));
    near_def.struct_size = sweep_def.struct_size = 3;
    CHECK(pliant_mpi_near(scene.mpi, &near_def, &pairs) == PLIANT_BAD_DEF);
    CHECK(pliant_mpi_sweep(scene.mpi, &sweep_def, &earliest) == PLIANT_BAD_DEF);
    check_pairs(&scene);
    end(&scene);
}

/* Moves all spheres, of radius 1, to a row with this distance between their centers. */
static void set_row(Scene *scene, float step)
{
    PliantTransform transform = pliant_transform_identity();
    for (int i = rank; i < SPHERES; i += rank_count) {
        transform.rows[0][3] = step * (float)i;
        MUST(pliant_body_set_transform(scene->world, scene->bodies[i], &transform));
    }
}

/* Spheres have a vertex at each end of the row's axis: with 2.25 between centers, the next ones are
 * 0.25 from each other, which is found with that distance and not with less. */
static void test_near(void)
{
    Scene scene;
    PliantMpiNearDef def = pliant_mpi_near_def_default();
    PliantMpiNearPairs pairs = pliant_mpi_near_pairs_default();
    float most = 0;
    start(&scene);
    for (int32_t i = 0; i < scene.mesh.vertex_count; i++)
        most = scene.mesh.vertices[3 * i] > most ? scene.mesh.vertices[3 * i] : most;
    set_row(&scene, 2.25F);
    def.distance = 2.25F - 2 * most;
    MUST(pliant_mpi_near(scene.mpi, &def, &pairs));
    for (int64_t i = 0; i < pairs.count; i++)
        CHECK(pairs.items[i].distance == def.distance && pairs.items[i].normal[0] == -1 &&
              pairs.items[i].key_b == pairs.items[i].key_a + 1);
    CHECK(total(pairs.count) >= SPHERES - 1);
    def.distance *= 0.999F;
    MUST(pliant_mpi_near(scene.mpi, &def, &pairs));
    CHECK(total(pairs.count) == 0);
    end(&scene);
}

/* Gives a sphere of the row an end, so far along it. */
static void go(Scene *scene, int i, float step)
{
    PliantTransform transform = pliant_transform_identity();
    PliantBody end_of;
    if (i % rank_count != rank)
        return;
    transform.rows[0][3] = 2.25F * (float)i + step;
    MUST(pliant_body_create_end(scene->world, scene->bodies[i], &end_of));
    MUST(pliant_body_set_transform(scene->world, end_of, &transform));
}

/* The second sphere goes to the third one, 0.25 away, in a step of 1: and touches it after 0.25.
 * The first one follows, and does not reach it. */
static void test_earliest(void)
{
    Scene scene;
    PliantMpiSweepDef def = pliant_mpi_sweep_def_default();
    PliantMpiEarliest earliest = pliant_mpi_earliest_default();
    start(&scene);
    set_row(&scene, 2.25F);
    MUST(pliant_mpi_sweep(scene.mpi, NULL, &earliest));
    CHECK(!earliest.is_found);
    go(&scene, 0, 1);
    go(&scene, 1, 1);
    MUST(pliant_mpi_sweep(scene.mpi, &def, &earliest));
    CHECK(earliest.is_found && earliest.impact.key_a == 1 && earliest.impact.key_b == 2);
    CHECK(earliest.impact.time > 0.24F && earliest.impact.time < 0.35F);
    CHECK(earliest.impact.normal[0] < -0.9F);
    def.max_time = 0.2F;
    MUST(pliant_mpi_sweep(scene.mpi, &def, &earliest));
    CHECK(!earliest.is_found && earliest.impact.key_b == 0);
    end(&scene);
}

/* The third sphere goes to the second one: of two bodies the one with the greater key travels, and
 * it is not near yet where it starts. */
static void test_earliest_of_greater(void)
{
    Scene scene;
    PliantMpiEarliest earliest = pliant_mpi_earliest_default();
    start(&scene);
    set_row(&scene, 2.25F);
    go(&scene, 2, -1);
    MUST(pliant_mpi_sweep(scene.mpi, NULL, &earliest));
    CHECK(earliest.is_found && earliest.impact.key_a == 1 && earliest.impact.key_b == 2);
    CHECK(earliest.impact.time > 0.24F && earliest.impact.time < 0.35F);
    end(&scene);
}

static void test_bodies(void)
{
    Scene scene;
    PliantMpiContacts contacts = pliant_mpi_contacts_default();
    PliantMpiBodyDef def = pliant_mpi_body_def_default();
    uint64_t cost = 0;
    start(&scene);
    const PliantBody body = scene.bodies[rank];
    def.key = (uint64_t)rank;
    CHECK(pliant_mpi_add_body(scene.mpi, body, &def) == PLIANT_BAD_ARGUMENT);
    CHECK(pliant_mpi_add_body(scene.mpi, body, NULL) == PLIANT_BAD_ARGUMENT);
    MUST(pliant_mpi_remove_body(scene.mpi, body));
    CHECK(pliant_mpi_remove_body(scene.mpi, body) == PLIANT_BAD_ID);
    CHECK(pliant_mpi_body_cost(scene.mpi, body, &cost) == PLIANT_BAD_ID);
    def.first_triangle = -1;
    CHECK(pliant_mpi_add_body(scene.mpi, body, &def) == PLIANT_BAD_ARGUMENT);
    def.first_triangle = 0;
    def.key = (uint64_t)rank + (uint64_t)rank_count; /* another body of this rank has it */
    MUST(pliant_mpi_add_body(scene.mpi, body, &def));
    CHECK(pliant_mpi_collide(scene.mpi, NULL, &contacts) == PLIANT_BAD_ARGUMENT);
    MUST(pliant_mpi_remove_body(scene.mpi, body));
    def.key = (uint64_t)rank;
    MUST(pliant_mpi_add_body(scene.mpi, body, &def));
    check_pairs(&scene);
    MUST(pliant_mpi_body_cost(scene.mpi, body, &cost));
    CHECK(cost > 0);
    MUST(pliant_body_destroy(scene.world, body)); /* and so it loses its key */
    CHECK(pliant_mpi_add_body(scene.mpi, body, &def) == PLIANT_BAD_ID);
    MUST(collide(&scene, PLIANT_FIRST_PAIRS, &contacts));
    CHECK(total(contacts.count) == SPHERES - 1 - rank_count);
    add_sphere(&scene, rank); /* with the index of the one that was destroyed */
    check_pairs(&scene);
    end(&scene);
}

/* Ends of bodies get no key, whatever bodies follow them; bodies that have an end do. */
static void test_ends(void)
{
    Scene scene;
    PliantMpiBodyDef def = pliant_mpi_body_def_default();
    PliantBody ends[2], later;
    start(&scene);
    const PliantBody body = scene.bodies[rank];
    MUST(pliant_body_create_end(scene.world, body, &ends[0]));
    MUST(pliant_body_create(scene.world, scene.shape, &later));
    MUST(pliant_body_create_end(scene.world, later, &ends[1]));
    def.key = SPHERES;
    for (int i = 0; i < 2; i++) {
        CHECK(pliant_mpi_add_body(scene.mpi, ends[i], &def) == PLIANT_BAD_ARGUMENT);
        CHECK(pliant_mpi_remove_body(scene.mpi, ends[i]) == PLIANT_BAD_ID);
    }
    MUST(pliant_mpi_remove_body(scene.mpi, body));
    def.key = (uint64_t)rank;
    MUST(pliant_mpi_add_body(scene.mpi, body, &def));
    check_pairs(&scene);
    end(&scene);
}

/* The first sphere is also on the last rank: as a body that was moved, and not destroyed. Filters
 * do not hide it. Parts may have one key. */
static void test_key_on_two_ranks(void)
{
    Scene scene;
    PliantMpiContacts contacts = pliant_mpi_contacts_default();
    PliantMpiBodyDef def = pliant_mpi_body_def_default();
    const bool has_copy = rank == rank_count - 1;
    start(&scene);
    const PliantBody first = scene.bodies[0];
    if (has_copy) {
        add_sphere(&scene, 0);
        MUST(pliant_body_set_filter(scene.world, scene.bodies[0], 0, 0));
    }
    const int64_t said = scene.host.reports;
    for (int kind = 0; kind < 3; kind++) {
        const PliantResult result = collide(&scene, (PliantCollideKind)kind, &contacts);
        check_same(result);
        CHECK(result == PLIANT_BAD_ARGUMENT);
    }
    CHECK((scene.host.reports > said) == (rank == 0 || has_copy));
    if (rank == 0) { /* one of both is a part */
        MUST(pliant_mpi_remove_body(scene.mpi, first));
        def.is_part = true;
        MUST(pliant_mpi_add_body(scene.mpi, first, &def));
    }
    CHECK(collide(&scene, PLIANT_ALL_PAIRS, &contacts) == PLIANT_BAD_ARGUMENT);
    if (has_copy) { /* both are */
        MUST(pliant_mpi_remove_body(scene.mpi, scene.bodies[0]));
        def.is_part = true;
        MUST(pliant_mpi_add_body(scene.mpi, scene.bodies[0], &def));
    }
    check_pairs(&scene);
    end(&scene);
}

/* Each sphere is out of its loose box. Those that touch are on two ranks, which do not mind. */
static void test_loose_boxes(void)
{
    const PliantBox far_away = {{1000, 1000, 1000}, {1001, 1001, 1001}};
    Scene scene;
    start(&scene);
    for (int i = rank; i < SPHERES && rank_count > 1; i += rank_count)
        MUST(pliant_body_set_loose_box(scene.world, scene.bodies[i], &far_away));
    check_pairs(&scene);
    end(&scene);
}

/* ---- Balance -----------------------------------------------------------------------------------
 */

/* Rank 0 has everything; each rank gets about as much, and what is near is together. */
static void test_partition(void)
{
    enum { ITEMS = 4096 };
    static PliantBox boxes[ITEMS];
    static uint64_t costs[ITEMS];
    static int32_t ranks[ITEMS];
    PliantMpiPartition partition = pliant_mpi_partition_default();
    TestHost host;
    test_host_init(&host);
    partition.host = &host.host;
    SceneRandom random = {5};
    uint64_t sums[64] = {0}, all = 0, most = 0;
    for (int i = 0; i < ITEMS; i++) {
        costs[i] = 1 + scene_random_below(&random, 100);
        all += costs[i];
        for (int k = 0; k < 3; k++)
            boxes[i].low[k] = boxes[i].high[k] = (float)scene_random(&random);
    }
    partition.boxes = boxes;
    partition.costs = costs;
    partition.count = rank == 0 ? ITEMS : 0;
    MUST(pliant_mpi_partition(MPI_COMM_WORLD, &partition, ranks, ITEMS));
    for (int i = 0; i < ITEMS && rank == 0; i++)
        sums[ranks[i]] += costs[i];
    for (int i = 0; i < rank_count && i < 64; i++)
        most = sums[i] > most ? sums[i] : most;
    CHECK(rank != 0 || (double)most <= 1.01 * (double)all / rank_count + 100);
    partition.min_gain = 1e9; /* never worth it */
    MUST(pliant_mpi_partition(MPI_COMM_WORLD, &partition, ranks, ITEMS));
    for (int i = 0; i < ITEMS && rank == 0; i++)
        CHECK(ranks[i] == 0);
    const PliantResult result =
        pliant_mpi_partition(MPI_COMM_WORLD, &partition, ranks, rank == 0 ? 17 : ITEMS);
    check_same(result);
    CHECK(result == PLIANT_BAD_ARGUMENT && host.blocks == 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    for (int kind = 0; kind < QUERIES; kind++)
        test_memory(kind, kind % rank_count);
    test_create_memory(rank_count - 1);
    test_mistakes_of_one();
    test_mistakes_in_limits();
    test_near();
    test_earliest();
    test_earliest_of_greater();
    test_bodies();
    test_ends();
    test_key_on_two_ranks();
    test_loose_boxes();
    test_partition();
    if (rank == 0)
        printf("mpi_calls: %d ranks, %" PRId64 " failures of one that all had, 0 hung\n",
               rank_count, failure_count);
    CHECK(failure_count > 50);
    MPI_Finalize();
    return 0;
}
