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

void pli_bounds_open(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    const int32_t slot = bounds->node_slots[node].slot;
    float *extra = bounds->extra_size > 0 ? pli_extra_at(bounds, slot) : NULL;
    worker->counts[side].opened_nodes +=
        bounds->open(bounds, node, worker, pli_boxes_at(bounds, slot), extra);
}

PliantResult pli_bounds_reach(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    PliNodeSlot *node_slot = &bounds->node_slots[node];
    if (node_slot->stamp != bounds->frame - 1) {
        PLI_TRY(pli_bounds_slots_claim(bounds, node, worker->host));
        pli_bounds_open(bounds, node, worker, side);
    }
    node_slot->stamp = bounds->frame;
    return PLIANT_OK;
}
