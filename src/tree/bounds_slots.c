/* Slots of bounds: see walk.h. */
#include "tree/walk.h"

/* A body that nothing comes near needs one slot; a second needs this many at once, and from then on
 * they are doubled. */
enum { FEW_SLOTS = 16 };

void pli_bounds_slots_forget(PliBounds *bounds)
{
    bounds->oldest = bounds->frame - 1;
    bounds->boxes.count = bounds->extra.count = 0;
}

void pli_bounds_slots_fix(PliBounds *bounds)
{
    const int32_t count = bounds->tree->node_count;
    for (int32_t n = 0; n < count; n++)
        bounds->node_slots[n].slot = n;
    bounds->oldest = 0;
    bounds->boxes.count = count;
    bounds->extra.count = 0;
}

PliantResult pli_bounds_slots_reserve_all(PliBounds *bounds, const PliantHost *host)
{
    return pli_array_reserve_zeroed(&bounds->boxes, host, bounds->tree->node_count);
}

/* Reserves room for one more, and never for more than there are nodes. */
static PliantResult make_room(const PliBounds *bounds, PliArray *array, const PliantHost *host)
{
    const int64_t most = bounds->tree->node_count;
    int64_t wanted = array->count + 1;
    if (wanted <= array->capacity)
        return PLIANT_OK;
    if (array->capacity > 0)
        wanted = array->capacity < FEW_SLOTS / 2 ? FEW_SLOTS : 2 * array->capacity;
    return pli_array_reserve_zeroed(array, host, wanted < most ? wanted : most);
}

PliantResult pli_bounds_slots_claim(PliBounds *bounds, int32_t node, const PliantHost *host)
{
    if (bounds->node_slots[node].stamp >= bounds->oldest)
        return PLIANT_OK;
    PLI_TRY(make_room(bounds, &bounds->boxes, host));
    if (bounds->extra_size > 0)
        PLI_TRY(make_room(bounds, &bounds->extra, host));
    bounds->node_slots[node].slot = (int32_t)bounds->boxes.count++;
    bounds->extra.count = bounds->boxes.count;
    return PLIANT_OK;
}

void pli_bounds_slots_free(PliBounds *bounds, const PliantHost *host)
{
    pli_array_free(&bounds->boxes, host);
    pli_array_free(&bounds->extra, host);
}

/* Opens a node, which had this stamp, in a slot. */
static void open_in(PliBounds *bounds, int32_t node, uint32_t stamp, int32_t slot,
                    PliWorker *worker, PliSide side)
{
    float *extra = bounds->extra_size > 0 ? pli_extra_at(bounds, slot) : NULL;
    worker->counts[side].opened_nodes +=
        bounds->open(bounds, node, stamp, worker, pli_boxes_at(bounds, slot), extra);
}

void pli_bounds_open(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    const PliNodeSlot *node_slot = &bounds->node_slots[node];
    open_in(bounds, node, node_slot->stamp, node_slot->slot, worker, side);
}

/* ---- Shared bounds ---------------------------------------------------------------------------
 *
 * A node is claimed by the worker that changes its stamp to PLI_CLAIMED. That worker gives it a
 * slot, opens it, and then sets the stamp with release order; all others wait until they see it,
 * with acquire order. A worker that sees the stamp sees what is in the slot. A claim is held for as
 * long as one node takes to open, and its holder waits for nothing. */

PliantResult pli_bounds_share(PliBounds *bounds, const PliantHost *host)
{
    if (bounds->is_shared)
        return PLIANT_OK;
    const int64_t count = bounds->tree->node_count;
    if (bounds->boxes.capacity < count)
        PLI_TRY(pli_array_reserve_zeroed(&bounds->boxes, host, count));
    if (bounds->extra_size > 0 && bounds->extra.capacity < count)
        PLI_TRY(pli_array_reserve_zeroed(&bounds->extra, host, count));
    bounds->is_shared = true;
    return PLIANT_OK;
}

void pli_bounds_unshare(PliBounds *bounds)
{
    if (!bounds->is_shared || bounds->is_pinned) /* there may have been no memory to share them */
        return;
    bounds->is_shared = false;
    bounds->extra.count = bounds->boxes.count;
}

/* Waits a little, as the other worker is at it. */
static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void reach_shared(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    PliNodeSlot *node_slot = &bounds->node_slots[node];
    uint32_t stamp;
    for (;; pause_briefly()) {
        stamp = pli_bounds_stamp(bounds, node);
        if (stamp == bounds->frame)
            return;
        if (stamp != PLI_CLAIMED &&
            __atomic_compare_exchange_n(&node_slot->stamp, &stamp, PLI_CLAIMED, true,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            break;
    }
    if (stamp != bounds->frame - 1) {
        if (stamp < bounds->oldest)
            node_slot->slot =
                (int32_t)__atomic_fetch_add(&bounds->boxes.count, 1, __ATOMIC_RELAXED);
        open_in(bounds, node, stamp, node_slot->slot, worker, side);
    }
    __atomic_store_n(&node_slot->stamp, bounds->frame, __ATOMIC_RELEASE);
}

PliantResult pli_bounds_reach(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    if (bounds->is_shared) {
        reach_shared(bounds, node, worker, side);
        return PLIANT_OK;
    }
    PliNodeSlot *node_slot = &bounds->node_slots[node];
    if (node_slot->stamp != bounds->frame - 1) {
        PLI_TRY(pli_bounds_slots_claim(bounds, node, worker->body_host));
        pli_bounds_open(bounds, node, worker, side);
    }
    node_slot->stamp = bounds->frame;
    return PLIANT_OK;
}
