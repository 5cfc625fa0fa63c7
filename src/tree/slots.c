/* Slots of bounds, and who gets them: see walk.h. */
#include "tree/walk.h"

/* One is enough for a body that nothing comes near; then so many, and twice as many each time. */
enum { FEW_SLOTS = 16 };

void pli_slots_forget(PliBounds *bounds)
{
    bounds->oldest = bounds->frame - 1;
    bounds->boxes.count = bounds->more.count = 0;
}

void pli_slots_fix(PliBounds *bounds)
{
    const int32_t count = bounds->tree->node_count;
    for (int32_t n = 0; n < count; n++)
        bounds->places[n].slot = n;
    bounds->oldest = 0;
    bounds->boxes.count = count;
    bounds->more.count = 0;
}

PliantResult pli_slots_reserve_all(PliBounds *bounds, const PliantHost *host)
{
    return pli_array_reserve_zeroed(&bounds->boxes, host, bounds->tree->node_count);
}

/* Room for one more; for no more than there can be. */
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

PliantResult pli_slots_take(PliBounds *bounds, int32_t node, const PliantHost *host)
{
    if (bounds->places[node].stamp >= bounds->oldest)
        return PLIANT_OK;
    PliantResult result = make_room(bounds, &bounds->boxes, host);
    if (result == PLIANT_OK && bounds->more_size > 0)
        result = make_room(bounds, &bounds->more, host);
    if (result != PLIANT_OK)
        return result;
    bounds->places[node].slot = (int32_t)bounds->boxes.count++;
    bounds->more.count = bounds->boxes.count;
    return PLIANT_OK;
}

void pli_slots_free(PliBounds *bounds, const PliantHost *host)
{
    pli_array_free(&bounds->boxes, host);
    pli_array_free(&bounds->more, host);
}

void pli_bounds_open(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    const int32_t slot = bounds->places[node].slot;
    float *extra = bounds->more_size > 0 ? pli_more_at(bounds, slot) : NULL;
    worker->counts[side].opened_nodes +=
        bounds->open(bounds, node, worker, pli_boxes_at(bounds, slot), extra);
}

PliantResult pli_bounds_reach(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    PliNodePlace *place = &bounds->places[node];
    if (place->stamp != bounds->frame - 1) {
        PliantResult result = pli_slots_take(bounds, node, worker->host);
        if (result != PLIANT_OK)
            return result;
        pli_bounds_open(bounds, node, worker, side);
    }
    place->stamp = bounds->frame;
    return PLIANT_OK;
}
