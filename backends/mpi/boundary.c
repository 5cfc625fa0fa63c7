/* Pairs of bodies on two ranks: which triangles travel, and what they touch. See shared.h.
 *
 * The rank with the lesser key decides a pair. The other one sends it the triangles of its body
 * that are near the boxes of all bodies there, each once. Here they are a soup, and the triangles
 * of the body near them are another: the caller's world is never changed. */
#include "shared.h"

#include <string.h>

/* ---- What travels ------------------------------------------------------------------------------
 */

/* The boxes of the bodies that the pairs [begin, end) have elsewhere. */
static PliantResult list_boxes(PliantMpi *mpi, const PliMpiPair *pairs, int64_t begin, int64_t end)
{
    const PliMpiRecord *records = mpi->records.in.items;
    mpi->boxes.count = 0;
    PliantBox *boxes = pli_mpi_push(&mpi->boxes, &mpi->memory, end - begin);
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = begin; i < end; i++)
        boxes[i - begin] = records[pairs[i].record].box;
    return PLIANT_OK;
}

static PliantResult find_triangles(PliantMpi *mpi, PliantBody body, const int32_t **triangles,
                                   const float **corners, int64_t *count)
{
    if (mpi->boxes.count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    return pliant_body_triangles_in_boxes(mpi->world, body, mpi->boxes.items,
                                          (int32_t)mpi->boxes.count, triangles, corners, count);
}

static PliantResult pack(PliantMpi *mpi, int32_t own)
{
    const PliMpiBody *body = (const PliMpiBody *)mpi->bodies.items + own;
    const int32_t *triangles = NULL;
    const float *corners = NULL;
    int64_t count = 0;
    PLI_MPI_TRY(find_triangles(mpi, body->body, &triangles, &corners, &count));
    if (count == 0)
        return PLIANT_OK;
    char *to = pli_mpi_push(&mpi->triangles.out, &mpi->memory,
                            (int64_t)sizeof(PliMpiGhost) + count * PLI_MPI_TRIANGLE_SIZE);
    if (!to)
        return PLIANT_OUT_OF_MEMORY;
    const PliMpiGhost ghost = {body->def.key, body->def.first_triangle, count, own, 0};
    memcpy(to, &ghost, sizeof ghost);
    int32_t *numbers = (int32_t *)(void *)(to + sizeof ghost);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = body->def.triangles ? body->def.triangles[triangles[i]] : triangles[i];
    memcpy(numbers + count, corners, (size_t)count * 9 * sizeof(float));
    mpi->stats.triangles_sent += count;
    return PLIANT_OK;
}

PliantResult pli_mpi_list_triangles(PliantMpi *mpi)
{
    PliMpiExchange *exchange = &mpi->triangles;
    const PliMpiPair *pairs = mpi->sends.items;
    int64_t begin = 0;
    exchange->out.count = 0;
    for (int n = 0; n < mpi->neighbor_count; n++) {
        exchange->out_starts[n] = exchange->out.count;
        while (begin < mpi->sends.count && pairs[begin].neighbor == n) {
            int64_t end = begin + 1;
            while (end < mpi->sends.count && pairs[end].neighbor == n &&
                   pairs[end].own == pairs[begin].own)
                end++;
            PLI_MPI_TRY(list_boxes(mpi, pairs, begin, end));
            PLI_MPI_TRY(pack(mpi, pairs[begin].own));
            begin = end;
        }
    }
    exchange->out_starts[mpi->neighbor_count] = exchange->out.count;
    return PLIANT_OK;
}

/* ---- What has come -----------------------------------------------------------------------------
 */

static const int32_t *numbers_of(const PliMpiGhost *ghost)
{
    return (const int32_t *)(const void *)(ghost + 1);
}

static const float *corners_of(const PliMpiGhost *ghost)
{
    return (const float *)(const void *)(numbers_of(ghost) + ghost->count);
}

/* The triangles of each record, where any have come. Those of one neighbor are in the order of
 * their bodies, and records are not; so that place is looked up by halves. */
static const PliMpiGhost *find_ghost(const PliMpiGhost *const *ghosts, int64_t begin, int64_t end,
                                     int32_t body)
{
    int64_t low = begin, high = end;
    while (low < high) {
        const int64_t half = low + (high - low) / 2;
        if (ghosts[half]->body < body)
            low = half + 1;
        else
            high = half;
    }
    return low < end && ghosts[low]->body == body ? ghosts[low] : NULL;
}

/* Sets firsts[n] to the first ghost of neighbor n. */
static PliantResult list_ghosts(PliantMpi *mpi, int64_t *firsts)
{
    const PliMpiExchange *exchange = &mpi->triangles;
    const char *in = exchange->in.items;
    mpi->ghosts.count = 0;
    for (int n = 0; n < mpi->neighbor_count; n++) {
        firsts[n] = mpi->ghosts.count;
        for (int64_t at = exchange->in_starts[n]; at < exchange->in_starts[n + 1];) {
            const PliMpiGhost *ghost = (const PliMpiGhost *)(const void *)(in + at);
            const PliMpiGhost **place = pli_mpi_push(&mpi->ghosts, &mpi->memory, 1);
            if (!place)
                return PLIANT_OUT_OF_MEMORY;
            *place = ghost;
            at += (int64_t)sizeof *ghost + ghost->count * PLI_MPI_TRIANGLE_SIZE;
        }
    }
    firsts[mpi->neighbor_count] = mpi->ghosts.count;
    return PLIANT_OK;
}

/* Adds boxes of a few triangles each, in the order of their numbers: those of a mesh are mostly
 * near each other, and one box of all would hold far more of the body here. */
static PliantResult add_boxes(PliantMpi *mpi, const PliMpiGhost *ghost)
{
    enum { RUN = 16 };
    const float *corners = corners_of(ghost);
    PliantBox *boxes = pli_mpi_push(&mpi->boxes, &mpi->memory, (ghost->count + RUN - 1) / RUN);
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = 0; i < 3 * ghost->count; i++) {
        PliantBox point, *box = &boxes[i / (3 * RUN)];
        memcpy(point.low, corners + 3 * i, sizeof point.low);
        memcpy(point.high, corners + 3 * i, sizeof point.high);
        *box = i % (3 * RUN) == 0 ? point : *box;
        pli_mpi_add_box(box, &point);
    }
    return PLIANT_OK;
}

/* ---- What touches ------------------------------------------------------------------------------
 */

static PliantResult set_soup(PliantMpi *mpi, int side, const float *corners, int64_t count)
{
    if (count > INT32_MAX / 3)
        return PLIANT_TOO_LARGE;
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){corners, (int32_t)(3 * count), 0};
    primitives.count = (int32_t)count;
    return pliant_body_borrow_primitives(mpi->boundary, mpi->soups[side], &primitives);
}

/* Of two soups that are set. */
static PliantResult collide_soups(PliantMpi *mpi, const PliMpiBody *body, const int32_t *triangles,
                                  const PliMpiGhost *ghost)
{
    PliantContacts contacts = pliant_contacts_default();
    PLI_MPI_TRY(
        pliant_bodies_collide(mpi->boundary, mpi->soups[0], mpi->soups[1], NULL, &contacts));
    mpi->stats.pairs_decided++;
    if (contacts.count == 0)
        return PLIANT_OK;
    PliantMpiContact *to = pli_mpi_push(&mpi->contacts, &mpi->memory, contacts.count);
    if (!to)
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = 0; i < contacts.count; i++)
        to[i] = (PliantMpiContact){body->def.key, ghost->key,
                                   pli_mpi_number(body, triangles[contacts.items[i].triangle_a]),
                                   ghost->first_triangle +
                                       numbers_of(ghost)[contacts.items[i].triangle_b]};
    return PLIANT_OK;
}

/* Is there a contact already that comes before all of these? */
static bool is_late(const PliantMpi *mpi, PliantQueryKind kind, uint64_t key_a, uint64_t key_b)
{
    const PliantMpiContact asked = {.key_a = key_a, .key_b = key_b};
    return kind == PLIANT_ANY_PAIR && mpi->contacts.count > 0 &&
           pli_mpi_compare_keys(mpi->contacts.items, &asked) < 0;
}

/* The pairs [begin, end) of one body here, with what has come of the other bodies. */
static PliantResult decide_body(PliantMpi *mpi, PliantQueryKind kind, const PliMpiPair *pairs,
                                int64_t begin, int64_t end, const int64_t *firsts)
{
    const PliMpiBody *body = (const PliMpiBody *)mpi->bodies.items + pairs[begin].own;
    const PliMpiRecord *records = mpi->records.in.items;
    const PliMpiGhost *const *all = mpi->ghosts.items;
    const PliMpiGhost **near = pli_mpi_push(&mpi->near_ghosts, &mpi->memory, end - begin);
    const int32_t *triangles = NULL;
    const float *corners = NULL;
    int64_t ghost_count = 0, count = 0;
    mpi->near_ghosts.count = mpi->boxes.count = 0;
    if (!near)
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = begin; i < end; i++) {
        const int n = pairs[i].neighbor;
        const PliMpiRecord *record = &records[pairs[i].record];
        const PliMpiGhost *ghost = find_ghost(all, firsts[n], firsts[n + 1], record->body);
        if (!ghost || is_late(mpi, kind, body->def.key, record->key))
            continue;
        near[ghost_count++] = ghost;
        PLI_MPI_TRY(add_boxes(mpi, ghost));
    }
    if (ghost_count == 0)
        return PLIANT_OK;
    PLI_MPI_TRY(find_triangles(mpi, body->body, &triangles, &corners, &count));
    if (count == 0)
        return PLIANT_OK;
    PLI_MPI_TRY(set_soup(mpi, 0, corners, count));
    for (int64_t i = 0; i < ghost_count; i++) {
        PLI_MPI_TRY(set_soup(mpi, 1, corners_of(near[i]), near[i]->count));
        PLI_MPI_TRY(collide_soups(mpi, body, triangles, near[i]));
        if (kind == PLIANT_ANY_PAIR)
            pli_mpi_keep_least(mpi);
    }
    return PLIANT_OK;
}

PliantResult pli_mpi_decide(PliantMpi *mpi, PliantQueryKind kind)
{
    const PliMpiPair *pairs = mpi->decisions.items;
    int64_t *firsts =
        mpi->sizes; /* one more than there are neighbors, and they are not needed now */
    PLI_MPI_TRY(list_ghosts(mpi, firsts));
    for (int64_t begin = 0, end; begin < mpi->decisions.count; begin = end) {
        end = begin + 1;
        while (end < mpi->decisions.count && pairs[end].own == pairs[begin].own)
            end++;
        PLI_MPI_TRY(decide_body(mpi, kind, pairs, begin, end, firsts));
    }
    return PLIANT_OK;
}
