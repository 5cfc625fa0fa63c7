/* Triangles within a distance: see shared.h.
 *
 * The distance of two triangles that do not intersect is the least one of their features: of a
 * vertex of one and the other, or of two edges. Triangles in a soup have vertices and edges of
 * their own, so what is near in two soups is known for each two triangles. Those that intersect are
 * asked for besides: an edge may go through a triangle with all features apart. */
#include "shared.h"

#include <math.h>

/* A weight, or that of the other sign; never -0. Without arithmetic, which the modes of the caller
 * could change. */
static float weight(float x, bool is_opposite)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits << 1 == 0 ? 0 : bits ^ (uint32_t)is_opposite << 31;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Weights of the four vertices become those of six corners: vertex 3 t + k of a soup is corner k of
 * triangle t. */
static void set_weights(const PliantNearPair *from, PliantMpiNearPair *to)
{
    static const int counts[] = {1, 3, 2}; /* vertices of a, by PliantFeatures */
    for (int i = 0; i < 4; i++) {
        const bool is_b = i >= counts[from->kind];
        (is_b ? to->weights_b : to->weights_a)[from->vertices[i] % 3] =
            weight(from->weights[i], is_b);
    }
}

/* Of all features within the distance. */
static PliantResult add_features(PliantMpi *mpi, const PliMpiTwo *two)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    def.distance = mpi->asked.limit;
    PLI_MPI_TRY(pliant_bodies_near(mpi->boundary, mpi->soups[0], mpi->soups[1], &def, &pairs));
    PLI_MPI_TRY(pli_mpi_reserve(&mpi->near_found, &mpi->memory, pairs.count));
    PliantMpiNearPair *to = mpi->near_found.items;
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantNearPair *pair = &pairs.items[i];
        const int32_t a = (int32_t)(pair->vertices[0] / 3), b = (int32_t)(pair->vertices[3] / 3);
        to[i] = (PliantMpiNearPair){.key_a = two->body->def.key,
                                    .key_b = two->ghost->key,
                                    .triangle_a = pli_mpi_number_a(two, a),
                                    .triangle_b = pli_mpi_number_b(&mpi->asked, two, b),
                                    .distance = pair->distance};
        memcpy(to[i].normal, pair->normal, sizeof to[i].normal);
        set_weights(pair, &to[i]);
    }
    mpi->near_found.count = pairs.count;
    return PLIANT_OK;
}

/* Behind them, those that intersect. */
static PliantResult add_contacts(PliantMpi *mpi, const PliMpiTwo *two)
{
    PliantContacts contacts = pliant_contacts_default();
    PLI_MPI_TRY(
        pliant_bodies_collide(mpi->boundary, mpi->soups[0], mpi->soups[1], NULL, &contacts));
    if (contacts.count == 0)
        return PLIANT_OK;
    PliantMpiNearPair *to = pli_mpi_push(&mpi->near_found, &mpi->memory, contacts.count);
    if (!to)
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = 0; i < contacts.count; i++)
        to[i] = (PliantMpiNearPair){
            .key_a = two->body->def.key,
            .key_b = two->ghost->key,
            .triangle_a = pli_mpi_number_a(two, contacts.items[i].triangle_a),
            .triangle_b = pli_mpi_number_b(&mpi->asked, two, contacts.items[i].triangle_b)};
    return PLIANT_OK;
}

static int by_triangles(const void *one, const void *other)
{
    const PliantMpiNearPair *x = one, *y = other;
    int order = PLI_MPI_ORDER(x->key_a, y->key_a);
    order = order != 0 ? order : PLI_MPI_ORDER(x->key_b, y->key_b);
    order = order != 0 ? order : PLI_MPI_ORDER(x->triangle_a, y->triangle_a);
    return order != 0 ? order : PLI_MPI_ORDER(x->triangle_b, y->triangle_b);
}

static int by_triangles_and_distance(const void *one, const void *other)
{
    const PliantMpiNearPair *x = one, *y = other;
    const int order = by_triangles(one, other);
    return order != 0 ? order
                      : PLI_MPI_ORDER(pli_mpi_order_of(x->distance), pli_mpi_order_of(y->distance));
}

/* Features come in order by kind, and then by corners: the first of the least ones stays. */
PliantResult pli_mpi_decide_near(PliantMpi *mpi, const PliMpiTwo *two)
{
    PLI_MPI_TRY(add_features(mpi, two));
    PLI_MPI_TRY(add_contacts(mpi, two));
    PLI_MPI_TRY(pli_mpi_sort(&mpi->near_found, &mpi->near_scratch, &mpi->memory,
                             by_triangles_and_distance));
    const PliantMpiNearPair *found = mpi->near_found.items;
    PLI_MPI_TRY(pli_mpi_reserve(&mpi->near_pairs, &mpi->memory,
                                mpi->near_pairs.count + mpi->near_found.count));
    PliantMpiNearPair *to = mpi->near_pairs.items;
    for (int64_t i = 0; i < mpi->near_found.count; i++)
        if (i == 0 || by_triangles(&found[i - 1], &found[i]) != 0)
            to[mpi->near_pairs.count++] = found[i];
    return PLIANT_OK;
}

PliantResult pli_mpi_sort_near(PliantMpi *mpi)
{
    return pli_mpi_sort(&mpi->near_pairs, &mpi->near_scratch, &mpi->memory, by_triangles);
}

static PliantResult check(const PliantMpi *mpi, const PliantMpiNearDef *given,
                          const PliantMpiNearPairs *pairs, PliantMpiNearDef *def)
{
    const char *name = "pliant_mpi_near";
    *def = pliant_mpi_near_def_default();
    if (given && !pli_backend_read(def, sizeof *def, given, given->struct_size))
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_DEF, "def.struct_size is %zu",
                               given->struct_size);
    if (!pairs)
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_ARGUMENT, "pairs is NULL");
    if (!pli_backend_may_write(sizeof *pairs, pairs->struct_size))
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_DEF, "pairs.struct_size is %zu",
                               pairs->struct_size);
    if (!(def->distance >= 0 && def->distance < INFINITY))
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_ARGUMENT, "def.distance is %g",
                               (double)def->distance);
    return PLIANT_OK;
}

PliantResult pliant_mpi_near(PliantMpi *mpi, const PliantMpiNearDef *given,
                             PliantMpiNearPairs *pairs)
{
    PliantMpiNearDef def;
    if (!mpi)
        return PLIANT_BAD_ARGUMENT;
    const PliantResult checked = check(mpi, given, pairs, &def);
    const PliMpiAsked asked = {
        .name = __func__, .kind = PLI_MPI_NEAR, .limit = def.distance, .reach = def.distance};
    PLI_MPI_TRY(pli_mpi_search(mpi, asked, checked));
    pairs->items = mpi->near_pairs.items;
    pairs->count = mpi->near_pairs.count;
    return PLIANT_OK;
}
