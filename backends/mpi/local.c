/* Pairs of bodies on one rank: what the world finds, by keys. See shared.h. */
#include "shared.h"

int pli_mpi_compare_contacts(const void *one, const void *other)
{
    const PliantMpiContact *x = one, *y = other;
    int order = pli_mpi_compare_keys(x, y);
    order = order != 0 ? order : PLI_MPI_ORDER(x->triangle_a, y->triangle_a);
    return order != 0 ? order : PLI_MPI_ORDER(x->triangle_b, y->triangle_b);
}

void pli_mpi_keep_least(PliantMpi *mpi)
{
    PliantMpiContact *items = mpi->contacts.items;
    for (int64_t i = 1; i < mpi->contacts.count; i++)
        if (pli_mpi_compare_contacts(&items[i], &items[0]) < 0)
            items[0] = items[i];
    mpi->contacts.count = mpi->contacts.count > 1 ? 1 : mpi->contacts.count;
}

/* Adds contacts of the world, but for those of bodies without keys and of parts of one body. */
static PliantResult add_contacts(PliantMpi *mpi, const PliantContacts *found)
{
    const PliMpiBody *bodies = mpi->bodies.items;
    PLI_MPI_TRY(pli_mpi_reserve(&mpi->contacts, &mpi->memory, mpi->contacts.count + found->count));
    PliantMpiContact *to = mpi->contacts.items;
    for (int64_t i = 0; i < found->count; i++) {
        const PliantContact *contact = &found->items[i];
        const int32_t a = pli_mpi_place(mpi, contact->body_a);
        const int32_t b = pli_mpi_place(mpi, contact->body_b);
        if (a < 0 || b < 0 || bodies[a].def.key == bodies[b].def.key)
            continue;
        const int64_t triangle_a = pli_mpi_number(&bodies[a], contact->triangle_a);
        const int64_t triangle_b = pli_mpi_number(&bodies[b], contact->triangle_b);
        to[mpi->contacts.count++] =
            bodies[a].def.key < bodies[b].def.key
                ? (PliantMpiContact){bodies[a].def.key, bodies[b].def.key, triangle_a, triangle_b}
                : (PliantMpiContact){bodies[b].def.key, bodies[a].def.key, triangle_b, triangle_a};
    }
    return PLIANT_OK;
}

static PliantResult collide_all(PliantMpi *mpi)
{
    PliantContacts found = pliant_contacts_default();
    PLI_MPI_TRY(pliant_world_collide(mpi->world, NULL, &found));
    return add_contacts(mpi, &found);
}

/* ---- Any pair ----------------------------------------------------------------------------------
 */

static int by_keys(const void *one, const void *other)
{
    const PliMpiBodyPair *x = one, *y = other;
    const int order = PLI_MPI_ORDER(x->key_a, y->key_a);
    return order != 0 ? order : PLI_MPI_ORDER(x->key_b, y->key_b);
}

static PliantResult list_body_pairs(PliantMpi *mpi)
{
    const PliMpiBody *bodies = mpi->bodies.items;
    PliantBodyPairs found = pliant_body_pairs_default();
    PLI_MPI_TRY(pliant_world_body_pairs(mpi->world, NULL, &found));
    const PliantBodyPair *pairs = found.items;
    PLI_MPI_TRY(pli_mpi_reserve(&mpi->body_pairs, &mpi->memory, found.count));
    PliMpiBodyPair *to = mpi->body_pairs.items;
    mpi->body_pairs.count = 0;
    for (int64_t i = 0; i < found.count; i++) {
        const int32_t a = pli_mpi_place(mpi, pairs[i].body_a);
        const int32_t b = pli_mpi_place(mpi, pairs[i].body_b);
        if (a < 0 || b < 0 || bodies[a].def.key == bodies[b].def.key)
            continue;
        const bool is_swapped = bodies[b].def.key < bodies[a].def.key;
        const int32_t lesser = is_swapped ? b : a, greater = is_swapped ? a : b;
        to[mpi->body_pairs.count++] =
            (PliMpiBodyPair){lesser, greater, bodies[lesser].def.key, bodies[greater].def.key};
    }
    return pli_mpi_sort(&mpi->body_pairs, &mpi->body_pair_scratch, &mpi->memory, by_keys);
}

/* In the order of keys, until there is a contact: then only pairs with the same keys, which are of
 * parts, can have a lesser one. */
static PliantResult collide_any(PliantMpi *mpi)
{
    const PliMpiBody *bodies = mpi->bodies.items;
    PLI_MPI_TRY(list_body_pairs(mpi));
    const PliMpiBodyPair *pairs = mpi->body_pairs.items;
    for (int64_t i = 0; i < mpi->body_pairs.count; i++) {
        const PliantMpiContact *best = mpi->contacts.items;
        PliantContacts found = pliant_contacts_default();
        if (mpi->contacts.count > 0 &&
            (best->key_a != pairs[i].key_a || best->key_b != pairs[i].key_b))
            break;
        PLI_MPI_TRY(pliant_bodies_collide(mpi->world, bodies[pairs[i].a].body,
                                          bodies[pairs[i].b].body, NULL, &found));
        PLI_MPI_TRY(add_contacts(mpi, &found));
        pli_mpi_keep_least(mpi);
    }
    return PLIANT_OK;
}

/* ---- Costs -------------------------------------------------------------------------------------
 */

/* In nanoseconds, about: a leaf of 16 triangles that is evaluated, a vertex that is read in a pass,
 * and so on. What they are on one machine does not matter much, since all bodies are measured
 * alike. */
static uint64_t cost_of(const PliantStats *stats)
{
    return (uint64_t)(1000 + stats->vertices_read + 100 * stats->nodes_updated +
                      200 * stats->leaves_evaluated + 20 * stats->vertices_evaluated +
                      50 * stats->node_pairs + 50 * stats->leaf_pairs + 50 * stats->triangle_tests);
}

static PliantResult measure(PliantMpi *mpi)
{
    PliMpiBody *bodies = mpi->bodies.items;
    for (int64_t i = 0; i < mpi->bodies.count; i++) {
        PliantStats stats = pliant_stats_default();
        PLI_MPI_TRY(pliant_body_stats(mpi->world, bodies[i].body, &stats));
        bodies[i].cost = cost_of(&stats);
    }
    return PLIANT_OK;
}

PliantResult pli_mpi_collide_local(PliantMpi *mpi)
{
    if (mpi->asked.kind == PLIANT_ANY_PAIR)
        return collide_any(mpi);
    PLI_MPI_TRY(collide_all(mpi));
    return measure(mpi);
}
