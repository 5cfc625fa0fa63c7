/* Boxes of bodies and of ranks, and which of them overlap: see shared.h.
 *
 * A rank is known to all others by a few boxes that hold its bodies, the top of a tree of boxes
 * whose lower part only neighbors see. So what all ranks tell each other does not grow with the
 * number of bodies. */
#include "shared.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>

/* ---- Of bodies ---------------------------------------------------------------------------------
 */

/* Leaves out bodies that were destroyed. */
static void forget_dead(PliantMpi *mpi)
{
    PliMpiBody *bodies = mpi->bodies.items;
    int32_t *places = mpi->places.items;
    int64_t kept = 0;
    for (int64_t i = 0; i < mpi->bodies.count; i++) {
        if (!pliant_body_is_alive(mpi->world, bodies[i].body)) {
            if (places[bodies[i].body.index] == i)
                places[bodies[i].body.index] = -1;
            continue;
        }
        places[bodies[i].body.index] = (int32_t)kept;
        bodies[kept++] = bodies[i];
    }
    mpi->bodies.count = kept;
}

static int by_key(const void *one, const void *other)
{
    const PliMpiKey *x = one, *y = other;
    return PLI_MPI_ORDER(x->key, y->key);
}

PliantResult pli_mpi_list_keys(PliantMpi *mpi, bool only_parts)
{
    const PliMpiBody *bodies = mpi->bodies.items;
    PLI_MPI_TRY(pli_mpi_reserve(&mpi->keys, &mpi->memory, mpi->bodies.count));
    mpi->keys.count = 0;
    for (int64_t i = 0; i < mpi->bodies.count; i++)
        if (bodies[i].def.is_part || !only_parts)
            ((PliMpiKey *)mpi->keys.items)[mpi->keys.count++] =
                (PliMpiKey){bodies[i].def.key, bodies[i].def.is_part};
    return pli_mpi_sort(&mpi->keys, &mpi->key_scratch, &mpi->memory, by_key);
}

/* Once after bodies got keys: two have the same only if both are parts. */
static PliantResult check_keys(PliantMpi *mpi)
{
    if (mpi->are_keys_checked)
        return PLIANT_OK;
    PLI_MPI_TRY(pli_mpi_list_keys(mpi, false));
    const PliMpiKey *keys = mpi->keys.items;
    for (int64_t i = 1; i < mpi->keys.count; i++)
        if (keys[i].key == keys[i - 1].key && !(keys[i].is_part && keys[i - 1].is_part))
            return pli_mpi_mistake(&mpi->memory, mpi->asked.name, PLIANT_BAD_ARGUMENT,
                                   "two bodies have the key %" PRIu64, keys[i].key);
    mpi->are_keys_checked = true;
    return PLIANT_OK;
}

/* A difference is off by half an ulp, so the next float is beyond it. Modes are set outside of the
 * function that computes, so that nothing is moved out of them. */
__attribute__((noinline)) static void widen(PliantBox *boxes, int64_t count, float distance)
{
    for (int64_t i = 0; i < 3 * count; i++) {
        PliantBox *box = &boxes[i / 3];
        const int k = (int)(i % 3);
        box->low[k] = nextafterf(box->low[k] - distance, -INFINITY);
        box->high[k] = nextafterf(box->high[k] + distance, INFINITY);
    }
}

void pli_mpi_widen(PliantBox *boxes, int64_t count, float distance)
{
    fenv_t modes;
    (void)fegetenv(&modes);
    (void)fesetenv(FE_DFL_ENV);
    widen(boxes, count, distance);
    (void)fesetenv(&modes);
}

/* Where a body is, or is on its way, and what is near that. */
static PliantResult find_box(PliantMpi *mpi, PliMpiBody *body)
{
    PLI_MPI_TRY(pliant_body_box(mpi->world, body->body, &body->box));
    if (mpi->asked.kind == PLI_MPI_EARLIEST) {
        const PliantBody end = pliant_body_end(mpi->world, body->body);
        PliantBox box;
        if (end.index != 0) {
            PLI_MPI_TRY(pliant_body_box(mpi->world, end, &box));
            pli_mpi_add_box(&body->box, &box);
        }
    }
    if (pli_mpi_order_of(mpi->asked.reach) > 0 && pli_mpi_overlap(&body->box, &body->box))
        pli_mpi_widen(&body->box, 1, mpi->asked.reach);
    return PLIANT_OK;
}

PliantResult pli_mpi_find_boxes(PliantMpi *mpi)
{
    forget_dead(mpi);
    PLI_MPI_TRY(check_keys(mpi));
    PliMpiBody *bodies = mpi->bodies.items;
    for (int64_t i = 0; i < mpi->bodies.count; i++) {
        PliantBodyInfo info = pliant_body_info_default();
        PLI_MPI_TRY(find_box(mpi, &bodies[i]));
        PLI_MPI_TRY(pliant_body_info(mpi->world, bodies[i].body, &info));
        bodies[i].categories = info.categories;
        bodies[i].collides_with = info.collides_with;
    }
    PLI_MPI_TRY(pli_mpi_reserve(&mpi->order, &mpi->memory, mpi->bodies.count));
    mpi->order.count = 0;
    for (int64_t i = 0; i < mpi->bodies.count; i++)
        if (pli_mpi_overlap(&bodies[i].box, &bodies[i].box)) /* there is something in it */
            ((int32_t *)mpi->order.items)[mpi->order.count++] = (int32_t)i;
    return PLIANT_OK;
}

/* ---- Of the rank -------------------------------------------------------------------------------
 */

/* Twice the middle of a box: halves would round. */
static double middle(const PliantBox *box, int axis)
{
    return (double)box->low[axis] + box->high[axis];
}

/* Along which axis the middles of some bodies are the farthest apart, and between which ends. */
static int longest_axis(const PliMpiBody *bodies, const int32_t *order, int64_t count, double *half)
{
    int longest = 0;
    double size = -1;
    for (int axis = 0; axis < 3; axis++) {
        double low = middle(&bodies[order[0]].box, axis), high = low;
        for (int64_t i = 1; i < count; i++) {
            const double x = middle(&bodies[order[i]].box, axis);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > size) {
            size = high - low;
            longest = axis;
            *half = low + size / 2;
        }
    }
    return longest;
}

/* Cuts where they are in two at its middle, and these again. */
static void divide(const PliMpiBody *bodies, int32_t *order, int64_t count, int box_count,
                   PliantBox *boxes)
{
    if (box_count == 1 || count < 2) {
        for (int64_t i = 0; i < count; i++)
            pli_mpi_add_box(boxes, &bodies[order[i]].box);
        return;
    }
    double half = 0;
    const int axis = longest_axis(bodies, order, count, &half);
    int64_t below = 0;
    for (int64_t i = 0; i < count; i++)
        if (middle(&bodies[order[i]].box, axis) < half) {
            const int32_t other = order[below];
            order[below++] = order[i];
            order[i] = other;
        }
    divide(bodies, order, below, box_count / 2, boxes);
    divide(bodies, order + below, count - below, box_count / 2, boxes + box_count / 2);
}

void pli_mpi_find_rank_boxes(PliantMpi *mpi, PliantBox *boxes)
{
    for (int i = 0; i < PLI_MPI_RANK_BOXES; i++)
        boxes[i] = pli_mpi_empty();
    divide(mpi->bodies.items, mpi->order.items, mpi->order.count, PLI_MPI_RANK_BOXES, boxes);
}

static bool is_near(const PliantBox *box, const PliMpiGreeting *greeting)
{
    for (int i = 0; i < PLI_MPI_RANK_BOXES; i++)
        if (pli_mpi_overlap(box, &greeting->boxes[i]))
            return true;
    return false;
}

void pli_mpi_find_neighbors(PliantMpi *mpi)
{
    const PliMpiGreeting *own = &mpi->greetings[mpi->rank];
    mpi->neighbor_count = 0;
    for (int rank = 0; rank < mpi->rank_count; rank++)
        for (int i = 0; i < PLI_MPI_RANK_BOXES; i++)
            if (is_near(&own->boxes[i], &mpi->greetings[rank]) &&
                (rank != mpi->rank || pli_mpi_includes_own(&mpi->asked))) {
                mpi->neighbors[mpi->neighbor_count++] = rank;
                mpi->stats.neighbor_count += rank != mpi->rank;
                break;
            }
}

/* ---- For neighbors -----------------------------------------------------------------------------
 */

static int by_low_end(const void *one, const void *other)
{
    const PliMpiRecord *x = one, *y = other;
    const int order =
        PLI_MPI_ORDER(pli_mpi_order_of(x->box.low[0]), pli_mpi_order_of(y->box.low[0]));
    return order != 0 ? order : PLI_MPI_ORDER(x->body, y->body);
}

/* Lists what is near a neighbor in mpi->near_records, from the lowest to the highest. */
static PliantResult list_near(PliantMpi *mpi, const PliMpiGreeting *neighbor)
{
    const PliMpiBody *bodies = mpi->bodies.items;
    const int32_t *order = mpi->order.items;
    PliMpiArray *near = &mpi->near_records;
    near->count = 0;
    for (int64_t i = 0; i < mpi->order.count; i++) {
        const PliMpiBody *body = &bodies[order[i]];
        if (!is_near(&body->box, neighbor))
            continue;
        PliMpiRecord *record = pli_mpi_push(near, &mpi->memory, 1);
        if (!record)
            return PLIANT_OUT_OF_MEMORY;
        *record = (PliMpiRecord){.key = body->def.key,
                                 .box = body->box,
                                 .categories = body->categories,
                                 .collides_with = body->collides_with,
                                 .body = order[i],
                                 .is_part = body->def.is_part};
    }
    return pli_mpi_sort(near, &mpi->record_scratch, &mpi->memory, by_low_end);
}

/* The boxes of what of a body is near a neighbor. Of one on its way, its own. */
static PliantResult add_body_boxes(PliantMpi *mpi, PliMpiRecord *record,
                                   const PliMpiGreeting *neighbor)
{
    const PliantBody body = ((const PliMpiBody *)mpi->bodies.items)[record->body].body;
    PLI_MPI_TRY(pli_mpi_reserve(&mpi->boxes, &mpi->memory, mpi->boxes.count + PLI_MPI_BODY_BOXES));
    PliantBox *boxes = (PliantBox *)mpi->boxes.items + mpi->boxes.count;
    record->first_box = (int32_t)mpi->boxes.count;
    if (mpi->asked.kind == PLI_MPI_EARLIEST) {
        record->box_count = 1;
        boxes[0] = record->box;
    } else {
        PLI_MPI_TRY(pliant_body_boxes_in_boxes(mpi->world, body, neighbor->boxes,
                                               PLI_MPI_RANK_BOXES, boxes, PLI_MPI_BODY_BOXES,
                                               &record->box_count));
        if (pli_mpi_order_of(mpi->asked.reach) > 0)
            pli_mpi_widen(boxes, record->box_count, mpi->asked.reach);
    }
    mpi->boxes.count += record->box_count;
    return mpi->boxes.count <= INT32_MAX ? PLIANT_OK : PLIANT_TOO_LARGE;
}

/* Adds what a neighbor is told. */
static PliantResult add_records(PliantMpi *mpi, PliMpiArray *out)
{
    const PliMpiArray *records = &mpi->near_records, *boxes = &mpi->boxes;
    const size_t record_size = (size_t)records->count * sizeof(PliMpiRecord);
    const size_t box_size = (size_t)boxes->count * sizeof(PliantBox);
    char *to =
        pli_mpi_push(out, &mpi->memory, (int64_t)(sizeof records->count + record_size + box_size));
    if (!to)
        return PLIANT_OUT_OF_MEMORY;
    memcpy(to, &records->count, sizeof records->count);
    if (record_size > 0)
        memcpy(to + sizeof records->count, records->items, record_size);
    if (box_size > 0)
        memcpy(to + sizeof records->count + record_size, boxes->items, box_size);
    return PLIANT_OK;
}

/* To each neighbor those that are near one of its boxes. */
PliantResult pli_mpi_list_records(PliantMpi *mpi)
{
    PliMpiExchange *exchange = &mpi->records;
    exchange->out.count = 0;
    for (int n = 0; n < mpi->neighbor_count; n++) {
        const PliMpiGreeting *neighbor = &mpi->greetings[mpi->neighbors[n]];
        exchange->out_starts[n] = exchange->out.count;
        PLI_MPI_TRY(list_near(mpi, neighbor));
        mpi->boxes.count = 0;
        for (int64_t i = 0; i < mpi->near_records.count; i++)
            PLI_MPI_TRY(add_body_boxes(mpi, (PliMpiRecord *)mpi->near_records.items + i, neighbor));
        PLI_MPI_TRY(add_records(mpi, &exchange->out));
        mpi->stats.bodies_sent += pli_mpi_is_own(mpi, n) ? 0 : mpi->near_records.count;
    }
    exchange->out_starts[mpi->neighbor_count] = exchange->out.count;
    return PLIANT_OK;
}

/* ---- Pairs -------------------------------------------------------------------------------------
 */

/* What this rank has told a neighbor, and that one this rank. */
typedef struct Lists {
    int neighbor;
    PliMpiRecords own, other;
} Lists;

/* Two bodies on two ranks have the same key only if both are parts. Only those whose boxes overlap
 * are known here: a body that was moved, and stayed where it was, is one of them. */
static PliantResult check_parts(const PliantMpi *mpi, int neighbor, const PliMpiRecord *own,
                                const PliMpiRecord *other)
{
    if (own->is_part && other->is_part)
        return PLIANT_OK;
    return pli_mpi_mistake(&mpi->memory, mpi->asked.name, PLIANT_BAD_ARGUMENT,
                           "a body here and one of rank %d have the key %" PRIu64,
                           mpi->neighbors[neighbor], own->key);
}

/* Both ranks compare the same boxes, so both find the same. */
static bool are_near(const PliMpiRecord *own, const PliantBox *own_boxes, const PliMpiRecord *other,
                     const PliantBox *other_boxes)
{
    for (int32_t i = 0; i < own->box_count; i++)
        for (int32_t j = 0; j < other->box_count; j++)
            if (pli_mpi_overlap(&own_boxes[own->first_box + i], &other_boxes[other->first_box + j]))
                return true;
    return false;
}

static PliantResult add_pair(PliantMpi *mpi, const Lists *lists, const PliMpiRecord *own,
                             const PliMpiRecord *other)
{
    const int neighbor = lists->neighbor;
    if (!pli_mpi_overlap(&own->box, &other->box) ||
        (pli_mpi_is_own(mpi, neighbor) && own->body == other->body))
        return PLIANT_OK;
    if (own->key == other->key)
        return check_parts(mpi, neighbor, own, other);
    if (!(own->categories & other->collides_with) || !(other->categories & own->collides_with))
        return PLIANT_OK;
    if (!are_near(own, lists->own.boxes, other, lists->other.boxes))
        return PLIANT_OK;
    PliMpiArray *pairs = own->key < other->key ? &mpi->decisions : &mpi->sends;
    PliMpiPair *pair = pli_mpi_push(pairs, &mpi->memory, 1);
    if (!pair)
        return PLIANT_OUT_OF_MEMORY;
    *pair = (PliMpiPair){neighbor, own->body, other - lists->other.records};
    return PLIANT_OK;
}

static bool begins_before_end(const PliMpiRecord *one, const PliMpiRecord *other)
{
    return pli_mpi_is_at_most(one->box.low[0], other->box.high[0]);
}

/* Both lists are sorted by their low ends: the one that begins first is compared with all of the
 * other list that begin before it ends. */
static PliantResult pair_records(PliantMpi *mpi, const Lists *lists)
{
    const PliMpiRecord *own = lists->own.records, *others = lists->other.records;
    const int64_t own_count = lists->own.count, other_count = lists->other.count;
    for (int64_t i = 0, j = 0; i < own_count && j < other_count;) {
        if (pli_mpi_is_at_most(own[i].box.low[0], others[j].box.low[0])) {
            for (int64_t k = j; k < other_count && begins_before_end(&others[k], &own[i]); k++)
                PLI_MPI_TRY(add_pair(mpi, lists, &own[i], &others[k]));
            i++;
        } else {
            for (int64_t k = i; k < own_count && begins_before_end(&own[k], &others[j]); k++)
                PLI_MPI_TRY(add_pair(mpi, lists, &own[k], &others[j]));
            j++;
        }
    }
    return PLIANT_OK;
}

static int by_neighbor_and_own(const void *one, const void *other)
{
    const PliMpiPair *x = one, *y = other;
    const int order = PLI_MPI_ORDER(x->neighbor, y->neighbor);
    return order != 0 ? order : PLI_MPI_ORDER(x->own, y->own);
}

static int by_own(const void *one, const void *other)
{
    const PliMpiPair *x = one, *y = other;
    return PLI_MPI_ORDER(x->own, y->own);
}

PliantResult pli_mpi_find_pairs(PliantMpi *mpi)
{
    const PliMpiExchange *exchange = &mpi->records;
    mpi->sends.count = mpi->decisions.count = 0;
    for (int n = 0; n < mpi->neighbor_count; n++) {
        const Lists lists = {n, pli_mpi_records_at(&exchange->out, exchange->out_starts[n]),
                             pli_mpi_records_from(mpi, n)};
        PLI_MPI_TRY(pair_records(mpi, &lists));
    }
    PLI_MPI_TRY(pli_mpi_sort(&mpi->sends, &mpi->pair_scratch, &mpi->memory, by_neighbor_and_own));
    return pli_mpi_sort(&mpi->decisions, &mpi->pair_scratch, &mpi->memory, by_own);
}
