/* Pairs of bodies, mostly on two ranks: which triangles travel, and what they touch. See shared.h.
 *
 * The rank with the lesser key decides a pair. The other one sends it the triangles of its body
 * that are near the boxes of all bodies there, each once. Here they are a soup, and the triangles
 * of the body near them are another: the caller's world is never changed. */
#include "shared.h"

#include <string.h>

/* ---- What travels ------------------------------------------------------------------------------
 */

/* The boxes near one body of those that the pairs [begin, end) have elsewhere, on one rank. */
static PliantResult list_boxes(PliantMpi *mpi, const PliMpiPair *pairs, int64_t begin, int64_t end)
{
    const PliMpiRecords others = pli_mpi_records_from(mpi, pairs[begin].neighbor);
    const PliantBox *own = &((const PliMpiBody *)mpi->bodies.items)[pairs[begin].own].box;
    mpi->boxes.count = 0;
    for (int64_t i = begin; i < end; i++) {
        const PliMpiRecord *other = &others.records[pairs[i].record];
        PLI_MPI_TRY(
            pli_mpi_reserve(&mpi->boxes, &mpi->memory, mpi->boxes.count + other->box_count));
        PliantBox *boxes = mpi->boxes.items;
        for (int32_t j = other->first_box; j < other->first_box + other->box_count; j++)
            if (pli_mpi_overlap(own, &others.boxes[j]))
                boxes[mpi->boxes.count++] = others.boxes[j];
    }
    return PLIANT_OK;
}

static PliantResult find_triangles(PliantMpi *mpi, PliantBody body, PliantBoxTriangles *found)
{
    if (mpi->boxes.count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    return (mpi->asked.kind == PLI_MPI_EARLIEST ? pliant_body_moving_triangles_in_boxes
                                                : pliant_body_triangles_in_boxes)(
        mpi->world, body, mpi->boxes.items, (int32_t)mpi->boxes.count, NULL, found);
}

static int64_t size_of(const PliMpiAsked *asked, const PliMpiGhost *ghost)
{
    return (int64_t)sizeof *ghost + ghost->count * pli_mpi_row_size(asked) * 4 +
           (ghost->count + ghost->is_odd) * 4;
}

/* Nine floats and a number for each are a multiple of eight bytes; eighteen and one are so for
 * every other triangle. */
static bool is_odd(const PliMpiAsked *asked, int64_t count)
{
    return count * (pli_mpi_row_size(asked) + 1) % 2 != 0;
}

static PliantResult pack(PliantMpi *mpi, int neighbor, int32_t own)
{
    const PliMpiBody *body = (const PliMpiBody *)mpi->bodies.items + own;
    PliantBoxTriangles found = pliant_box_triangles_default();
    PLI_MPI_TRY(find_triangles(mpi, body->body, &found));
    const int64_t count = found.count;
    if (count == 0)
        return PLIANT_OK;
    const PliMpiGhost ghost = {body->def.key, body->def.first_triangle, count, own,
                               is_odd(&mpi->asked, count)};
    const int64_t row = pli_mpi_row_size(&mpi->asked);
    char *to = pli_mpi_push(&mpi->triangles.out, &mpi->memory, size_of(&mpi->asked, &ghost));
    if (!to)
        return PLIANT_OUT_OF_MEMORY;
    memcpy(to, &ghost, sizeof ghost);
    memcpy(to + sizeof ghost, found.corners, (size_t)(count * row) * sizeof(float));
    int32_t *numbers = (int32_t *)(void *)(to + sizeof ghost) + count * row;
    for (int64_t i = 0; i < count; i++)
        numbers[i] = body->def.triangles ? body->def.triangles[found.items[i]] : found.items[i];
    if (ghost.is_odd)
        numbers[count] = 0;
    mpi->stats.triangles_sent += pli_mpi_is_own(mpi, neighbor) ? 0 : count;
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
            PLI_MPI_TRY(pack(mpi, n, pairs[begin].own));
            begin = end;
        }
    }
    exchange->out_starts[mpi->neighbor_count] = exchange->out.count;
    return PLIANT_OK;
}

/* ---- What has come -----------------------------------------------------------------------------
 */

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

/* Sets firsts[n] to the first ghost of neighbor n. The rank itself is one of them, or all others.
 */
static PliantResult list_ghosts(PliantMpi *mpi, bool is_own, int64_t *firsts)
{
    const PliMpiExchange *exchange = &mpi->triangles;
    const char *in = exchange->in.items;
    mpi->ghosts.count = 0;
    for (int n = 0; n < mpi->neighbor_count; n++) {
        firsts[n] = mpi->ghosts.count;
        if (pli_mpi_is_own(mpi, n) != is_own)
            continue;
        for (int64_t at = exchange->in_starts[n]; at < exchange->in_starts[n + 1];) {
            const PliMpiGhost *ghost = (const PliMpiGhost *)(const void *)(in + at);
            const PliMpiGhost **place = pli_mpi_push(&mpi->ghosts, &mpi->memory, 1);
            if (!place)
                return PLIANT_OUT_OF_MEMORY;
            *place = ghost;
            at += size_of(&mpi->asked, ghost);
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
    const int64_t count = (ghost->count + RUN - 1) / RUN, corner_count = 3 * ghost->count;
    const float *corners = pli_mpi_corners(ghost);
    const int ends = pli_mpi_row_size(&mpi->asked) / 9;
    PliantBox *boxes = pli_mpi_push(&mpi->boxes, &mpi->memory, count);
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = 0; i < count; i++)
        boxes[i] = pli_mpi_empty();
    for (int64_t i = 0; i < ends * corner_count; i++) {
        PliantBox point;
        memcpy(point.low, corners + 3 * i, sizeof point.low);
        memcpy(point.high, corners + 3 * i, sizeof point.high);
        pli_mpi_add_box(&boxes[i % corner_count / (3 * RUN)], &point);
    }
    if (pli_mpi_order_of(mpi->asked.reach) > 0)
        pli_mpi_widen(boxes, count, mpi->asked.reach);
    return PLIANT_OK;
}

/* ---- What touches ------------------------------------------------------------------------------
 */

static PliantResult set_soup(PliantMpi *mpi, PliantBody soup, const float *corners, int64_t count)
{
    if (count > INT32_MAX / 3)
        return PLIANT_TOO_LARGE;
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){corners, (int32_t)(3 * count), 0};
    primitives.count = (int32_t)count;
    return pliant_body_borrow_primitives(mpi->boundary, soup, &primitives);
}

/* A soup, and where it is at its end. */
static PliantResult set_side(PliantMpi *mpi, int side, const float *corners, int64_t count)
{
    PLI_MPI_TRY(set_soup(mpi, mpi->soups[side], corners, count));
    return mpi->asked.kind == PLI_MPI_EARLIEST
               ? set_soup(mpi, mpi->soup_ends[side], corners + 9 * count, count)
               : PLIANT_OK;
}

static PliantResult decide_contacts(PliantMpi *mpi, const PliMpiTwo *two)
{
    PliantContacts contacts = pliant_contacts_default();
    PLI_MPI_TRY(
        pliant_bodies_collide(mpi->boundary, mpi->soups[0], mpi->soups[1], NULL, &contacts));
    if (contacts.count == 0)
        return PLIANT_OK;
    PliantMpiContact *to = pli_mpi_push(&mpi->contacts, &mpi->memory, contacts.count);
    if (!to)
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = 0; i < contacts.count; i++)
        to[i] =
            (PliantMpiContact){two->body->def.key, two->ghost->key,
                               pli_mpi_number_a(two, contacts.items[i].triangle_a),
                               pli_mpi_number_b(&mpi->asked, two, contacts.items[i].triangle_b)};
    if (mpi->asked.kind == PLIANT_ANY_PAIR)
        pli_mpi_keep_least(mpi);
    return PLIANT_OK;
}

/* Of two soups that are set. */
static PliantResult decide_two(PliantMpi *mpi, const PliMpiTwo *two)
{
    mpi->stats.pairs_decided++;
    switch (mpi->asked.kind) {
    case PLI_MPI_NEAR:
        return pli_mpi_decide_near(mpi, two);
    case PLI_MPI_EARLIEST:
        return pli_mpi_decide_earliest(mpi, two);
    default:
        return decide_contacts(mpi, two);
    }
}

/* Is there a contact already that comes before all of these? */
static bool is_late(const PliantMpi *mpi, uint64_t key_a, uint64_t key_b)
{
    const PliantMpiContact asked = {.key_a = key_a, .key_b = key_b};
    return mpi->asked.kind == PLIANT_ANY_PAIR && mpi->contacts.count > 0 &&
           pli_mpi_compare_keys(mpi->contacts.items, &asked) < 0;
}

/* Lists what has come of the other bodies of the pairs [begin, end), and where it is. */
static PliantResult list_near_ghosts(PliantMpi *mpi, const PliMpiPair *pairs, int64_t begin,
                                     int64_t end, const int64_t *firsts)
{
    const PliMpiBody *body = (const PliMpiBody *)mpi->bodies.items + pairs[begin].own;
    mpi->near_ghosts.count = mpi->boxes.count = 0;
    PLI_MPI_TRY(pli_mpi_reserve(&mpi->near_ghosts, &mpi->memory, end - begin));
    const PliMpiGhost **near = mpi->near_ghosts.items;
    for (int64_t i = begin; i < end; i++) {
        const int n = pairs[i].neighbor;
        const PliMpiRecord *record = &pli_mpi_records_from(mpi, n).records[pairs[i].record];
        const PliMpiGhost *ghost =
            find_ghost(mpi->ghosts.items, firsts[n], firsts[n + 1], record->body);
        if (!ghost || is_late(mpi, body->def.key, record->key))
            continue;
        near[mpi->near_ghosts.count++] = ghost;
        PLI_MPI_TRY(add_boxes(mpi, ghost));
    }
    return PLIANT_OK;
}

/* The pairs [begin, end) of one body here, with what has come of the other bodies. */
static PliantResult decide_body(PliantMpi *mpi, const PliMpiPair *pairs, int64_t begin, int64_t end,
                                const int64_t *firsts)
{
    const PliMpiBody *body = (const PliMpiBody *)mpi->bodies.items + pairs[begin].own;
    PliantBoxTriangles found = pliant_box_triangles_default();
    PLI_MPI_TRY(list_near_ghosts(mpi, pairs, begin, end, firsts));
    if (mpi->near_ghosts.count == 0)
        return PLIANT_OK;
    PLI_MPI_TRY(find_triangles(mpi, body->body, &found));
    if (found.count == 0)
        return PLIANT_OK;
    PLI_MPI_TRY(set_side(mpi, 0, found.corners, found.count));
    for (int64_t i = 0; i < mpi->near_ghosts.count; i++) {
        const PliMpiGhost *ghost = ((const PliMpiGhost **)mpi->near_ghosts.items)[i];
        PLI_MPI_TRY(set_side(mpi, 1, pli_mpi_corners(ghost), ghost->count));
        PLI_MPI_TRY(decide_two(mpi, &(const PliMpiTwo){body, found.items, ghost}));
    }
    return PLIANT_OK;
}

PliantResult pli_mpi_decide(PliantMpi *mpi, bool is_own)
{
    const PliMpiPair *pairs = mpi->decisions.items;
    int64_t *firsts =
        mpi->sizes; /* one more than there are neighbors, and they are not needed now */
    PLI_MPI_TRY(list_ghosts(mpi, is_own, firsts));
    for (int64_t begin = 0, end; begin < mpi->decisions.count; begin = end) {
        end = begin + 1;
        while (end < mpi->decisions.count && pairs[end].own == pairs[begin].own)
            end++;
        PLI_MPI_TRY(decide_body(mpi, pairs, begin, end, firsts));
    }
    return PLIANT_OK;
}
