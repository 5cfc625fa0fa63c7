/* Worlds over ranks against one world on one rank: the same contacts, byte for byte.
 *
 *     mpirun -n 8 test_mpi_worlds [--worlds N] [--seed S] [--world K]
 *
 * Each world has random bodies of every kind (cast.h), some of them in parts, on stages of every
 * kind (oracle/stage.h). Rank 0 puts all of them into one world of the library, without MPI, and
 * asks it: that is the reference. Then the bodies are divided among 1, 2, 3, 4 and 8 ranks (as many
 * of these as there are), at random or by pliant_mpi_partition(), with other instruction sets and
 * messages of another size on each, some ranks in modes that take denormals for zeros, and all are
 * asked: for all pairs, first pairs and any pair, for what is near, and for the earliest impact, in
 * two poses, and with bodies that have left; the last two in every fourth world, since their
 * reference takes much longer. Their answers, sorted, must be those of the reference
 * (for what is near and the earliest impact: expected.h).
 * --world plays one again. Ends with 1 at any difference, or if a kind of body or division was
 * never reached. */
#include "expected.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

enum { SIZES = 5, FRAMES = 2, KINDS = 3 };
static const int sizes[SIZES] = {1, 2, 3, 4, 8};

typedef struct Contacts {
    PliantMpiContact *items;
    int64_t count;
} Contacts;

typedef struct Play {
    Member members[MAX_BODIES];
    int member_count;
    uint64_t seed;
    StageKind kind;
    PliantWorld *world;
    PliantMpi *mpi;
    MPI_Comm communicator; /* of the ranks that play */
    int rank, rank_count;
    Contacts expected[FRAMES][KINDS]; /* these on rank 0 */
    NearPairs near[FRAMES];
    PliantMpiEarliest earliest[FRAMES];
    float distances[FRAMES], untils[FRAMES];
    bool is_all_asked; /* what is near, and the earliest impact, too */
    int gone[FRAMES];  /* the member that leaves before a frame, or -1 */
} Play;

static MPI_Comm communicators[SIZES];
static int64_t difference_count, query_count, contact_count, travelled_count, decided_count,
    partition_counts[2], part_count, chunk_count, gone_count, near_count, impact_count;

static void must(PliantResult result, const char *what)
{
    if (result == PLIANT_OK)
        return;
    printf("test_mpi_worlds: %s: %s\n", what, pliant_result_name(result));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int compare(const void *one, const void *other)
{
    const PliantMpiContact *x = one, *y = other;
    if (x->key_a != y->key_a)
        return x->key_a < y->key_a ? -1 : 1;
    if (x->key_b != y->key_b)
        return x->key_b < y->key_b ? -1 : 1;
    if (x->triangle_a != y->triangle_a)
        return x->triangle_a < y->triangle_a ? -1 : 1;
    return (x->triangle_b > y->triangle_b) - (x->triangle_b < y->triangle_b);
}

static void sort(Contacts *contacts)
{
    if (contacts->count > 1)
        qsort(contacts->items, (size_t)contacts->count, sizeof *contacts->items, compare);
}

/* ---- The reference -----------------------------------------------------------------------------
 */

static uint64_t key_of(const Play *play, PliantBody body)
{
    for (int i = 0; i < play->member_count; i++)
        if (play->members[i].is_there[0] && play->members[i].parts[0].index == body.index)
            return play->members[i].key;
    abort();
}

static Contacts ask_one(const Play *play)
{
    PliantContacts found = pliant_contacts_default();
    must(pliant_world_collide(play->world, NULL, &found), "reference");
    Contacts all = {crowd_allocate((size_t)found.count * sizeof *all.items), found.count};
    for (int64_t i = 0; i < found.count; i++) {
        const PliantContact *contact = &found.items[i];
        const uint64_t a = key_of(play, contact->body_a), b = key_of(play, contact->body_b);
        all.items[i] = a < b ? (PliantMpiContact){a, b, contact->triangle_a, contact->triangle_b}
                             : (PliantMpiContact){b, a, contact->triangle_b, contact->triangle_a};
    }
    sort(&all);
    return all;
}

/* What the other kinds of queries are to return, of all contacts. */
static void derive(Contacts *expected)
{
    const Contacts *all = &expected[PLIANT_ALL_PAIRS];
    Contacts *first = &expected[PLIANT_FIRST_PAIRS], *any = &expected[PLIANT_ANY_PAIR];
    *first = (Contacts){crowd_allocate((size_t)all->count * sizeof *all->items), 0};
    *any = (Contacts){crowd_allocate(sizeof *all->items), all->count > 0};
    for (int64_t i = 0; i < all->count; i++) {
        const PliantMpiContact *last = &first->items[first->count - 1];
        if (i == 0 || last->key_a != all->items[i].key_a || last->key_b != all->items[i].key_b)
            first->items[first->count++] = all->items[i];
    }
    if (all->count > 0)
        any->items[0] = all->items[0];
}

static void leave(Play *play, int frame)
{
    if (play->gone[frame] < 0)
        return;
    Member *member = &play->members[play->gone[frame]];
    member_leave(member);
    memset(member->is_there, 0, sizeof member->is_there);
    member->part_count = 0;
}

static void make_reference(Play *play)
{
    const bool all_here[MAX_PARTS] = {true};
    must(pliant_world_create(NULL, &play->world), "world");
    for (int i = 0; i < play->member_count; i++) {
        member_init(&play->members[i], play->kind, play->seed, i);
        part_count += play->members[i].part_count;
        member_enter(&play->members[i], play->world, all_here, true);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        leave(play, frame);
        for (int i = 0; i < play->member_count; i++)
            member_act(&play->members[i]);
        play->expected[frame][PLIANT_ALL_PAIRS] = ask_one(play);
        derive(play->expected[frame]);
        contact_count += play->expected[frame][PLIANT_ALL_PAIRS].count;
        if (!play->is_all_asked)
            continue;
        play->near[frame] =
            expect_near(play->world, play->members, play->member_count, play->distances[frame]);
        play->earliest[frame] =
            expect_earliest(play->world, play->members, play->member_count, play->untils[frame]);
        near_count += play->near[frame].count;
        impact_count += play->earliest[frame].is_found && play->earliest[frame].impact.time > 0;
    }
    for (int i = 0; i < play->member_count; i++)
        member_leave(&play->members[i]);
    pliant_world_destroy(play->world);
}

/* ---- Over ranks --------------------------------------------------------------------------------
 */

/* At random, or all that is near each other on one rank. */
static void divide(Play *play, SceneRandom *random, int32_t ranks[MAX_BODIES][MAX_PARTS])
{
    PliantBox boxes[MAX_BODIES * MAX_PARTS];
    uint64_t costs[MAX_BODIES * MAX_PARTS];
    const bool is_partition = stage_whole(random, 0, 2) == 0;
    const int count = play->member_count * MAX_PARTS;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            boxes[i].low[k] = boxes[i].high[k] = (float)scene_random(random);
        costs[i] = scene_random_below(random, 1000);
        ranks[i / MAX_PARTS][i % MAX_PARTS] = stage_whole(random, 0, play->rank_count - 1);
    }
    if (!is_partition || count == 0)
        return;
    PliantMpiPartition partition = pliant_mpi_partition_default();
    partition.boxes = boxes;
    partition.costs = costs;
    partition.count = play->rank == 0 ? count : 0; /* rank 0 has them all */
    must(pliant_mpi_partition(play->communicator, &partition, ranks[0], count), "partition");
    MPI_Bcast(ranks[0], count, MPI_INT, 0, play->communicator);
    partition_counts[1]++;
}

static void add_keys(Play *play)
{
    for (int i = 0; i < play->member_count; i++)
        for (int part = 0; part < MAX_PARTS; part++) {
            const Member *member = &play->members[i];
            if (!member->is_there[part])
                continue;
            PliantMpiBodyDef def = pliant_mpi_body_def_default();
            def.key = member->key;
            def.is_part = member->part_count > 0;
            def.triangles = member->numbers[part];
            must(pliant_mpi_add_body(play->mpi, member->parts[part], &def), "add");
        }
}

static void enter(Play *play, SceneRandom *random)
{
    int32_t ranks[MAX_BODIES][MAX_PARTS] = {{0}};
    PliantWorldDef world_def = pliant_world_def_default();
    PliantMpiDef def = pliant_mpi_def_default();
    divide(play, random, ranks);
    const int message = stage_whole(random, 0, 3);
    if (message == 0) /* another on each rank: the least one is that of all */
        def.message_size = 1 + (stage_whole(random, 0, 4999) + 1237 * play->rank) % 5000;
    chunk_count += message == 0;
    const uint32_t mask = (uint32_t)stage_whole(random, 0, 3) + (uint32_t)play->rank;
    world_def.cpu_mask = (1u << mask % 4) - 1; /* another on each rank */
    def.cpu_mask = (1u << (mask + 1) % 4) - 1;
    must(pliant_world_create(&world_def, &play->world), "world");
    must(pliant_mpi_create(play->communicator, play->world, &def, &play->mpi), "create");
    for (int i = 0; i < play->member_count; i++) {
        bool are_here[MAX_PARTS];
        for (int part = 0; part < MAX_PARTS; part++)
            are_here[part] = ranks[i][part] == play->rank;
        member_init(&play->members[i], play->kind, play->seed, i);
        member_enter(&play->members[i], play->world, are_here, false);
    }
    add_keys(play);
}

/* What all ranks have, on rank 0. */
static void *gather(const Play *play, const void *items, int64_t count, size_t size, int64_t *all)
{
    int bytes = (int)count * (int)size, counts[8], starts[8], total = 0;
    MPI_Gather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, play->communicator);
    for (int rank = 0; rank < play->rank_count && play->rank == 0; rank++) {
        starts[rank] = total;
        total += counts[rank];
    }
    void *gathered = crowd_allocate((size_t)total + 1);
    *all = total / (int)size;
    MPI_Gatherv(items, bytes, MPI_BYTE, gathered, counts, starts, MPI_BYTE, 0, play->communicator);
    return gathered;
}

static void compare_contacts(const Play *play, int frame, PliantCollideKind kind,
                             const Contacts *found)
{
    const Contacts *expected = &play->expected[frame][kind];
    const size_t size = (size_t)expected->count * sizeof *expected->items;
    if (found->count == expected->count &&
        (size == 0 || memcmp(found->items, expected->items, size) == 0))
        return;
    if (difference_count++ < 5)
        printf("DIFFERENCE: world %" PRIu64 ", stage %s, %d ranks, frame %d, kind %d: %" PRId64
               " contacts, expected %" PRId64 "\n",
               play->seed, stage_kind_name(play->kind), play->rank_count, frame, (int)kind,
               found->count, expected->count);
}

/* Denormals are zeros, on some of the ranks: as in a host that was built for speed. */
static unsigned spoil_modes(bool is_spoiled)
{
#ifdef __SSE2__
    const unsigned modes = _mm_getcsr();
    if (is_spoiled)
        _mm_setcsr(modes | 0x8040);
    return modes;
#else
    return is_spoiled;
#endif
}

static void restore_modes(unsigned modes)
{
#ifdef __SSE2__
    _mm_setcsr(modes);
#else
    (void)modes;
#endif
}

static void count_query(const Play *play)
{
    PliantMpiStats stats = pliant_mpi_stats_default();
    must(pliant_mpi_stats(play->mpi, &stats), "stats");
    query_count++;
    travelled_count += stats.triangles_sent;
    decided_count += stats.pairs_decided;
}

static void ask(Play *play, int frame, PliantCollideKind kind)
{
    PliantMpiQueryDef def = pliant_mpi_query_def_default();
    PliantMpiContacts own = pliant_mpi_contacts_default();
    def.kind = kind;
    const unsigned modes = spoil_modes((play->rank + frame) % 3 == 1);
    const PliantResult result = pliant_mpi_collide(play->mpi, &def, &own);
    restore_modes(modes);
    must(result, "collide");
    for (int64_t i = 1; i < own.count; i++)
        if (compare(&own.items[i - 1], &own.items[i]) >= 0 && difference_count++ < 5)
            printf("DIFFERENCE: not in order\n");
    Contacts all;
    all.items = gather(play, own.items, own.count, sizeof *own.items, &all.count);
    sort(&all);
    if (play->rank == 0)
        compare_contacts(play, frame, kind, &all);
    free(all.items);
    count_query(play);
}

static void differ(const Play *play, int frame, const char *what, int64_t count, int64_t expected)
{
    if (difference_count++ < 5)
        printf("DIFFERENCE: world %" PRIu64 ", stage %s, %d ranks, frame %d, %s: %" PRId64
               ", expected %" PRId64 "\n",
               play->seed, stage_kind_name(play->kind), play->rank_count, frame, what, count,
               expected);
}

/* Byte by byte, floats as well. */
static bool are_same(const void *one, const void *other, size_t size)
{
    return size == 0 || memcmp(one, other, size) == 0;
}

static void ask_near(Play *play, int frame)
{
    PliantMpiNearDef def = pliant_mpi_near_def_default();
    PliantMpiNearPairs own = pliant_mpi_near_pairs_default();
    const NearPairs *expected = &play->near[frame];
    int64_t count = 0;
    def.distance = play->distances[frame];
    const unsigned modes = spoil_modes((play->rank + frame) % 3 == 1);
    const PliantResult result = pliant_mpi_near(play->mpi, &def, &own);
    restore_modes(modes);
    must(result, "near");
    for (int64_t i = 1; i < own.count; i++)
        if (compare_near(&own.items[i - 1], &own.items[i]) >= 0)
            differ(play, frame, "near pairs not in order", i, 0);
    PliantMpiNearPair *all = gather(play, own.items, own.count, sizeof *own.items, &count);
    if (count > 1)
        qsort(all, (size_t)count, sizeof *all, compare_near);
    if (play->rank == 0 &&
        (count != expected->count || !are_same(all, expected->items, (size_t)count * sizeof *all)))
        differ(play, frame, "near pairs", count, expected->count);
    free(all);
    count_query(play);
}

/* All ranks have the same answer. */
static void ask_earliest(Play *play, int frame)
{
    PliantMpiSweepDef def = pliant_mpi_sweep_def_default();
    PliantMpiEarliest own = pliant_mpi_earliest_default();
    PliantMpiEarliest expected = play->earliest[frame];
    def.max_time = play->untils[frame];
    const unsigned modes = spoil_modes((play->rank + frame) % 3 == 1);
    const PliantResult result = pliant_mpi_sweep(play->mpi, &def, &own);
    restore_modes(modes);
    must(result, "sweep");
    MPI_Bcast(&expected, sizeof expected, MPI_BYTE, 0, play->communicator);
    if (own.is_found != expected.is_found ||
        !are_same(&own.impact, &expected.impact, sizeof own.impact))
        differ(play, frame, "earliest impact", own.is_found, expected.is_found);
    count_query(play);
}

/* All ranks wait for each other, asleep: those that MPI lets wait spin, and there are more of them
 * than cores. */
static void wait_for_all(void)
{
    MPI_Request request;
    int is_done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE); !is_done;
         MPI_Test(&request, &is_done, MPI_STATUS_IGNORE))
        nanosleep(&(const struct timespec){.tv_nsec = 200000}, NULL);
}

static void play_size(Play *play, int at, SceneRandom random)
{
    wait_for_all();
    play->communicator = communicators[at];
    if (play->communicator == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(play->communicator, &play->rank);
    MPI_Comm_size(play->communicator, &play->rank_count);
    random.state += 77 * (uint64_t)at;
    enter(play, &random);
    for (int frame = 0; frame < FRAMES; frame++) {
        leave(play, frame);
        for (int i = 0; i < play->member_count; i++)
            member_act(&play->members[i]);
        for (int kind = 0; kind < KINDS; kind++)
            ask(play, frame, (PliantCollideKind)kind);
        if (!play->is_all_asked)
            continue;
        ask_near(play, frame);
        ask_earliest(play, frame);
    }
    for (int i = 0; i < play->member_count; i++)
        member_leave(&play->members[i]);
    pliant_mpi_destroy(play->mpi);
    pliant_world_destroy(play->world);
}

static void play_world(uint64_t seed, int64_t world, int world_rank)
{
    Play play = {.seed = seed * UINT64_C(1000003) + (uint64_t)world};
    SceneRandom random = {play.seed};
    scene_random_bits(&random);
    play.kind = (StageKind)(world % STAGE_KIND_COUNT);
    play.member_count = stage_whole(&random, 2, MAX_BODIES);
    play.gone[0] = -1;
    play.gone[1] = stage_whole(&random, -3, play.member_count - 1);
    gone_count += play.gone[1] >= 0;
    Stage stage;
    stage_init(&stage, play.kind, play.seed);
    play.is_all_asked = stage_whole(&random, 0, 3) == 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        const double shares[] = {0, 0, 1e-6, 1e-3, 0.02, 0.02};
        play.distances[frame] = (float)(shares[stage_whole(&random, 0, 5)] * stage.scale);
        play.untils[frame] = stage_whole(&random, 0, 2) == 0 ? (float)scene_random(&random) : 1;
    }
    if (world_rank == 0)
        make_reference(&play);
    for (int at = 0; at < SIZES; at++)
        play_size(&play, at, random);
    for (int i = 0; i < FRAMES * KINDS && world_rank == 0; i++)
        free(play.expected[i / KINDS][i % KINDS].items);
    for (int frame = 0; frame < FRAMES && world_rank == 0; frame++)
        free(play.near[frame].items);
}

/* ---- The program -------------------------------------------------------------------------------
 */

static void make_communicators(int rank, int rank_count)
{
    for (int at = 0; at < SIZES; at++) {
        const bool is_in = rank < sizes[at] && sizes[at] <= rank_count;
        MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED, rank, &communicators[at]);
    }
}

static int64_t sum(int64_t own)
{
    int64_t all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static int print(uint64_t seed, int64_t worlds, int rank, bool is_one)
{
    const int64_t travelled = sum(travelled_count), decided = sum(decided_count);
    const int64_t differences = sum(difference_count);
    const bool is_complete =
        is_one || (sum(partition_counts[1]) > 0 && sum(part_count) > 0 && sum(chunk_count) > 0 &&
                   sum(gone_count) > 0 && sum(contact_count) > 0 && sum(near_count) > 0 &&
                   sum(impact_count) > 0 && travelled > 0 && decided > 0);
    if (rank == 0)
        printf("mpi_worlds: seed %" PRIu64 ", %" PRId64 " worlds, %" PRId64 " queries, %" PRId64
               " contacts, %" PRId64 " near pairs, %" PRId64 " impacts, %" PRId64
               " triangles sent, %" PRId64 " pairs decided, %" PRId64 " differences%s\n",
               seed, worlds, query_count, contact_count, near_count, impact_count, travelled,
               decided, differences, is_complete ? "" : ", but not everything was reached");
    return differences != 0 || !is_complete;
}

int main(int argc, char **argv)
{
    int64_t worlds = 100, only = -1;
    uint64_t seed = 1;
    int rank, rank_count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--worlds") == 0)
            worlds = strtoll(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--world") == 0)
            only = strtoll(argv[i + 1], NULL, 10);
    }
    make_communicators(rank, rank_count);
    for (int64_t world = only < 0 ? 0 : only; world < (only < 0 ? worlds : only + 1); world++)
        play_world(seed, world, rank);
    const int failed = print(seed, worlds, rank, only >= 0 || rank_count < 2);
    MPI_Finalize();
    return failed;
}
