/* Making and ending, bodies and their keys, and what a query has done: see pliant/mpi.h. */
#include "shared.h"

#include <inttypes.h>
#include <string.h>

#define MISTAKE(memory, result, ...) pli_mpi_mistake(memory, __func__, result, __VA_ARGS__)

/* ---- Making ------------------------------------------------------------------------------------
 */

/* All arrays whose size is the number of ranks, in one block each. */
typedef struct Block {
    void **block;
    size_t size;
} Block;

enum { BLOCKS = 11, ALIGNMENT = 64 };

static void list_blocks(PliantMpi *mpi, Block blocks[BLOCKS])
{
    const size_t count = (size_t)mpi->rank_count, one_more = (count + 1) * sizeof(int64_t);
    const Block all[BLOCKS] = {
        {(void **)&mpi->greetings, count * sizeof *mpi->greetings},
        {(void **)&mpi->neighbors, count * sizeof *mpi->neighbors},
        {(void **)&mpi->sizes, 2 * count * sizeof *mpi->sizes},
        {(void **)&mpi->requests, 2 * count * sizeof(MPI_Request)},
        {(void **)&mpi->firsts, count * sizeof *mpi->firsts},
        {(void **)&mpi->impacts, count * sizeof *mpi->impacts},
        {(void **)&mpi->counts, 2 * count * sizeof *mpi->counts},
        {(void **)&mpi->records.out_starts, one_more},
        {(void **)&mpi->records.in_starts, one_more},
        {(void **)&mpi->triangles.out_starts, one_more},
        {(void **)&mpi->triangles.in_starts, one_more},
    };
    memcpy(blocks, all, sizeof all);
}

static PliantResult allocate_blocks(PliantMpi *mpi)
{
    Block blocks[BLOCKS];
    PliantResult result = PLIANT_OK;
    list_blocks(mpi, blocks);
    for (int i = 0; i < BLOCKS; i++) {
        *blocks[i].block =
            mpi->memory.host.allocate(mpi->memory.host.user, blocks[i].size, ALIGNMENT);
        mpi->memory.byte_size += *blocks[i].block ? blocks[i].size : 0;
        result = *blocks[i].block ? result : PLIANT_OUT_OF_MEMORY;
    }
    return result;
}

static void release_blocks(PliantMpi *mpi)
{
    Block blocks[BLOCKS];
    list_blocks(mpi, blocks);
    for (int i = 0; i < BLOCKS; i++)
        if (*blocks[i].block)
            mpi->memory.host.release(mpi->memory.host.user, *blocks[i].block, blocks[i].size,
                                     ALIGNMENT);
}

static void init(PliantMpi *mpi)
{
    mpi->bodies.item_size = sizeof(PliMpiBody);
    mpi->places.item_size = mpi->order.item_size = sizeof(int32_t);
    mpi->sends.item_size = mpi->decisions.item_size = sizeof(PliMpiPair);
    mpi->pair_scratch.item_size = sizeof(PliMpiPair);
    mpi->near_records.item_size = mpi->record_scratch.item_size = sizeof(PliMpiRecord);
    mpi->boxes.item_size = sizeof(PliantBox);
    mpi->ghosts.item_size = mpi->near_ghosts.item_size = sizeof(PliMpiGhost *);
    mpi->body_pairs.item_size = mpi->body_pair_scratch.item_size = sizeof(PliMpiBodyPair);
    mpi->keys.item_size = mpi->key_scratch.item_size = sizeof(PliMpiKey);
    mpi->contacts.item_size = mpi->contact_scratch.item_size = sizeof(PliantMpiContact);
    mpi->gathered.item_size = sizeof(PliantMpiContact);
    mpi->near_pairs.item_size = mpi->near_found.item_size = sizeof(PliantMpiNearPair);
    mpi->near_scratch.item_size = sizeof(PliantMpiNearPair);
    mpi->records.out.item_size = mpi->records.in.item_size = 1;
    mpi->triangles.out.item_size = mpi->triangles.in.item_size = 1;
    mpi->records.requests.item_size = mpi->triangles.requests.item_size = sizeof(MPI_Request);
    mpi->stats = pliant_mpi_stats_default();
}

static PliantResult create_boundary(PliantMpi *mpi, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    def.host = &mpi->memory.host;
    PLI_MPI_TRY(pliant_world_create(&def, &mpi->boundary));
    for (int side = 0; side < 2; side++) /* so the first one comes first in every answer */
        PLI_MPI_TRY(pliant_body_create_soup(mpi->boundary, NULL, &mpi->soups[side]));
    for (int side = 0; side < 2; side++)
        PLI_MPI_TRY(pliant_body_create_end(mpi->boundary, mpi->soups[side], &mpi->soup_ends[side]));
    return PLIANT_OK;
}

static PliantResult check(PliantWorld *world, const PliantMpiDef *given, PliantMpi **mpi,
                          PliantMpiDef *def, PliMpiMemory *memory)
{
    const char *name = "pliant_mpi_create";
    *def = pliant_mpi_def_default();
    *memory = (PliMpiMemory){.host = pliant_host_default()};
    if (given && !pli_backend_read(def, sizeof *def, given, given->struct_size))
        return PLIANT_BAD_DEF;
    PLI_MPI_TRY(pli_mpi_memory_init(memory, def->host));
    if (!world || !mpi)
        return pli_mpi_mistake(memory, name, PLIANT_BAD_ARGUMENT, "world or mpi is NULL");
    if (def->message_size < 1)
        return pli_mpi_mistake(memory, name, PLIANT_BAD_ARGUMENT, "message_size is %" PRId32,
                               def->message_size);
    return PLIANT_OK;
}

static PliantResult create(PliantWorld *world, const PliantMpiDef *def, const PliMpiMemory *memory,
                           int rank, int rank_count, PliantMpi **made)
{
    PliantMpi *mpi = memory->host.allocate(memory->host.user, sizeof *mpi, ALIGNMENT);
    if (!mpi)
        return PLIANT_OUT_OF_MEMORY;
    *mpi = (PliantMpi){.memory = {memory->host, sizeof *mpi},
                       .communicator = MPI_COMM_NULL,
                       .rank = rank,
                       .rank_count = rank_count,
                       .message_size = def->message_size,
                       .world = world};
    *made = mpi;
    init(mpi);
    PLI_MPI_TRY(allocate_blocks(mpi));
    return create_boundary(mpi, def->cpu_mask);
}

PliantResult pliant_mpi_create(MPI_Comm communicator, PliantWorld *world, const PliantMpiDef *given,
                               PliantMpi **mpi)
{
    PliantMpiDef def;
    PliMpiMemory memory;
    PliantMpi *made = NULL;
    MPI_Comm own = MPI_COMM_NULL;
    int rank = 0, rank_count = 1;
    PLI_MPI_CALL(MPI_Comm_rank(communicator, &rank));
    PLI_MPI_CALL(MPI_Comm_size(communicator, &rank_count));
    PliantResult result = check(world, given, mpi, &def, &memory);
    if (result == PLIANT_OK)
        result = create(world, &def, &memory, rank, rank_count, &made);
    /* Sender and receiver divide messages alike: the least size is that of all. */
    const int mine[2] = {(int)result, made ? -made->message_size : 0};
    int greatest[2] = {0};
    PLI_MPI_CALL(MPI_Allreduce(mine, greatest, 2, MPI_INT, MPI_MAX, communicator));
    result = (PliantResult)greatest[0];
    if (result == PLIANT_OK && MPI_Comm_dup(communicator, &own) != MPI_SUCCESS)
        result = PLIANT_UNSUPPORTED;
    if (result != PLIANT_OK || !made) {
        pliant_mpi_destroy(made);
        return result;
    }
    made->communicator = own;
    made->message_size = -greatest[1];
    *mpi = made;
    return PLIANT_OK;
}

void pliant_mpi_destroy(PliantMpi *mpi)
{
    if (!mpi)
        return;
    PliMpiArray *arrays[] = {
        &mpi->bodies,         &mpi->places,          &mpi->order,
        &mpi->sends,          &mpi->decisions,       &mpi->pair_scratch,
        &mpi->record_scratch, &mpi->near_records,    &mpi->boxes,
        &mpi->ghosts,         &mpi->near_ghosts,     &mpi->body_pairs,
        &mpi->keys,           &mpi->key_scratch,     &mpi->body_pair_scratch,
        &mpi->contacts,       &mpi->contact_scratch, &mpi->gathered,
        &mpi->near_pairs,     &mpi->near_found,      &mpi->near_scratch,
        &mpi->records.out,    &mpi->records.in,      &mpi->records.requests,
        &mpi->triangles.out,  &mpi->triangles.in,    &mpi->triangles.requests,
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        pli_mpi_free(arrays[i], &mpi->memory);
    release_blocks(mpi);
    pliant_world_destroy(mpi->boundary);
    if (mpi->communicator != MPI_COMM_NULL)
        (void)MPI_Comm_free(&mpi->communicator);
    const PliantHost host = mpi->memory.host;
    host.release(host.user, mpi, sizeof *mpi, ALIGNMENT);
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

int32_t pli_mpi_place(const PliantMpi *mpi, PliantBody body)
{
    const int32_t place = (int64_t)body.index < mpi->places.count
                              ? ((const int32_t *)mpi->places.items)[body.index]
                              : -1;
    if (place < 0)
        return -1;
    const PliantBody known = ((const PliMpiBody *)mpi->bodies.items)[place].body;
    return known.serial == body.serial ? place : -1;
}

/* The index of a destroyed body may be given to another: then the old one has no place. */
static PliantResult add(PliantMpi *mpi, PliantBody body, const PliantMpiBodyDef *def)
{
    const int64_t last = mpi->places.count;
    if (last <= (int64_t)body.index) {
        int32_t *places = pli_mpi_push(&mpi->places, &mpi->memory, (int64_t)body.index + 1 - last);
        if (!places)
            return PLIANT_OUT_OF_MEMORY;
        for (int64_t i = last; i <= (int64_t)body.index; i++)
            *places++ = -1;
    }
    PliMpiBody *added = pli_mpi_push(&mpi->bodies, &mpi->memory, 1);
    if (!added)
        return PLIANT_OUT_OF_MEMORY;
    *added = (PliMpiBody){.body = body, .def = *def};
    mpi->are_keys_checked = false;
    ((int32_t *)mpi->places.items)[body.index] = (int32_t)(mpi->bodies.count - 1);
    return PLIANT_OK;
}

/* Whether a body that is alive is the end of another one (pliant/sweep.h): the world does not list
 * these. */
static bool is_end(const PliantWorld *world, PliantBody body)
{
    const PliantBody before = {body.index - 1, 0};
    return pliant_world_next_body(world, before).index != body.index;
}

PliantResult pliant_mpi_add_body(PliantMpi *mpi, PliantBody body, const PliantMpiBodyDef *given)
{
    PliantMpiBodyDef def = pliant_mpi_body_def_default();
    if (!mpi)
        return PLIANT_BAD_ARGUMENT;
    if (!given)
        return MISTAKE(&mpi->memory, PLIANT_BAD_ARGUMENT, "def is NULL");
    if (!pli_backend_read(&def, sizeof def, given, given->struct_size))
        return MISTAKE(&mpi->memory, PLIANT_BAD_DEF, "def.struct_size is %zu", given->struct_size);
    if (!pliant_body_is_alive(mpi->world, body))
        return MISTAKE(&mpi->memory, PLIANT_BAD_ID,
                       "body is {%" PRIu32 ", %" PRIu32 "}: no such body", body.index, body.serial);
    if (is_end(mpi->world, body))
        return MISTAKE(&mpi->memory, PLIANT_BAD_ARGUMENT, "body is the end of another");
    if (def.first_triangle < 0)
        return MISTAKE(&mpi->memory, PLIANT_BAD_ARGUMENT, "def.first_triangle is %" PRId64,
                       def.first_triangle);
    if (pli_mpi_place(mpi, body) >= 0)
        return MISTAKE(&mpi->memory, PLIANT_BAD_ARGUMENT, "the body has a key");
    return add(mpi, body, &def);
}

PliantResult pliant_mpi_remove_body(PliantMpi *mpi, PliantBody body)
{
    if (!mpi)
        return PLIANT_BAD_ARGUMENT;
    const int32_t place = pli_mpi_place(mpi, body);
    if (place < 0)
        return MISTAKE(&mpi->memory, PLIANT_BAD_ID, "the body has no key");
    PliMpiBody *bodies = mpi->bodies.items;
    int32_t *places = mpi->places.items;
    const PliMpiBody *last = &bodies[--mpi->bodies.count];
    places[body.index] = -1;
    if (last != &bodies[place] && places[last->body.index] == (int32_t)mpi->bodies.count)
        places[last->body.index] = place;
    bodies[place] = *last;
    return PLIANT_OK;
}

PliantResult pliant_mpi_body_cost(const PliantMpi *mpi, PliantBody body, uint64_t *cost)
{
    if (!mpi)
        return PLIANT_BAD_ARGUMENT;
    if (!cost)
        return MISTAKE(&mpi->memory, PLIANT_BAD_ARGUMENT, "cost is NULL");
    const int32_t place = pli_mpi_place(mpi, body);
    if (place < 0)
        return MISTAKE(&mpi->memory, PLIANT_BAD_ID, "the body has no key");
    *cost = ((const PliMpiBody *)mpi->bodies.items)[place].cost;
    return PLIANT_OK;
}

PliantResult pliant_mpi_stats(const PliantMpi *mpi, PliantMpiStats *stats)
{
    PliantStats boundary = pliant_stats_default();
    if (!mpi)
        return PLIANT_BAD_ARGUMENT;
    if (!stats)
        return MISTAKE(&mpi->memory, PLIANT_BAD_ARGUMENT, "stats is NULL");
    if (!pli_backend_may_write(sizeof *stats, stats->struct_size))
        return MISTAKE(&mpi->memory, PLIANT_BAD_DEF, "stats.struct_size is %zu",
                       stats->struct_size);
    PLI_MPI_TRY(pliant_world_stats(mpi->boundary, &boundary));
    PliantMpiStats found = mpi->stats;
    found.byte_size = mpi->memory.byte_size + boundary.byte_size;
    memcpy((char *)stats + sizeof(size_t), (const char *)&found + sizeof(size_t),
           sizeof found - sizeof(size_t));
    return PLIANT_OK;
}
