/* Hubs: see hubs.h. */
#include "decide/hubs.h"
#include "base/memory.h"

#include <math.h>

#define NO_HUB UINT32_MAX

typedef struct PliHub {
    int32_t leaf;    /* -1: not known */
    uint32_t vertex; /* or NO_HUB */
} PliHub;

void pli_hubs_init(PliHubs *hubs)
{
    *hubs = (PliHubs){.items = {.item_size = sizeof(PliHub)},
                      .boxes = {.item_size = sizeof(PliLeafBoxes)}};
}

void pli_hubs_free(PliHubs *hubs, const PliantHost *host)
{
    pli_array_free(&hubs->items, host);
    pli_array_free(&hubs->boxes, host);
}

/* Which corner of a triangle a vertex is; 3: none. */
static int corner_of(const uint32_t *corners, uint32_t vertex)
{
    return corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : corners[2] == vertex ? 2 : 3;
}

static uint32_t find_hub(const PliPose *pose, int32_t first, int32_t count)
{
    const uint32_t *corners = pli_pose_corners(pose, first);
    for (int k = 0; k < 3; k++) {
        bool is_hub = true;
        for (int32_t i = 1; i < count; i++)
            is_hub &= corner_of(pli_pose_corners(pose, first + i), corners[k]) < 3;
        if (is_hub)
            return corners[k];
    }
    return NO_HUB;
}

/* The unit vector from one point to another; false if there is none. */
static bool find_direction(const float *from, const float *to, double unit[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        unit[k] = (double)to[k] - (double)from[k];
        square += unit[k] * unit[k];
    }
    const double length = sqrt(square);
    for (int k = 0; k < 3; k++)
        unit[k] /= length;
    return square > 0;
}

/* The box of the directions of a triangle, seen from one of its corners: all of them if one is not
 * known. */
static void set_directions(const float *row, int corner, PliLeafBoxes *boxes, int i)
{
    double a[3] = {0}, b[3] = {0}, square = 0;
    const bool are_known = find_direction(row + 3 * corner, row + 3 * ((corner + 1) % 3), a) &&
                           find_direction(row + 3 * corner, row + 3 * ((corner + 2) % 3), b);
    for (int k = 0; k < 3; k++)
        square += (a[k] - b[k]) * (a[k] - b[k]);
    for (int k = 0; k < 3; k++) {
        const double wider = square / 4 + 0x1p-20;
        boxes->low[k][i] = are_known ? (float)((a[k] < b[k] ? a[k] : b[k]) - wider) : -2;
        boxes->high[k][i] = are_known ? (float)((a[k] < b[k] ? b[k] : a[k]) + wider) : 2;
    }
}

/* Boxes that are not used overlap nothing, nor do those of triangles that are not finite: these
 * intersect nothing. */
static void set_boxes(const PliLeafCache *cache, const PliPose *pose, uint32_t slot, uint32_t hub,
                      int32_t count, PliLeafBoxes *boxes)
{
    const int32_t first = cache->first_positions[slot];
    boxes->all = pli_box_empty();
    for (int32_t i = 0; i < PLI_LEAF_SIZE; i++) {
        for (int k = 0; k < 3; k++)
            boxes->low[k][i] = boxes->high[k][i] = NAN;
        const float *row = pli_leaf_cache_row(cache, PLI_LEAF_SIZE * slot + (uint32_t)i);
        if (i >= count || !pli_is_finite(row, PLI_ROW_SIZE))
            continue;
        set_directions(row, corner_of(pli_pose_corners(pose, first + i), hub), boxes, i);
        for (int k = 0; k < 3; k++) {
            boxes->all.low[k] =
                boxes->low[k][i] < boxes->all.low[k] ? boxes->low[k][i] : boxes->all.low[k];
            boxes->all.high[k] =
                boxes->high[k][i] > boxes->all.high[k] ? boxes->high[k][i] : boxes->all.high[k];
        }
    }
}

static PliantResult reserve(PliHubs *hubs, int64_t count, const PliantHost *host)
{
    PLI_TRY(pli_array_reserve(&hubs->items, host, count));
    PLI_TRY(pli_array_reserve(&hubs->boxes, host, count));
    for (; hubs->items.count < count; hubs->items.count++)
        ((PliHub *)hubs->items.items)[hubs->items.count] = (PliHub){-1, NO_HUB};
    hubs->boxes.count = count; /* those of known hubs stay when both grow */
    return PLIANT_OK;
}

static uint32_t hub_of(PliHubs *hubs, const PliLeafCache *cache, const PliPose *pose, uint32_t slot)
{
    PliHub *hub = (PliHub *)hubs->items.items + slot;
    const int32_t leaf = cache->slot_leaves[slot];
    if (hub->leaf == leaf)
        return hub->vertex;
    const int32_t count = pose->bounds.tree->leaves[leaf].count;
    *hub = (PliHub){leaf, find_hub(pose, cache->first_positions[slot], count)};
    if (hub->vertex != NO_HUB)
        set_boxes(cache, pose, slot, hub->vertex, count, (PliLeafBoxes *)hubs->boxes.items + slot);
    return hub->vertex;
}

PliantResult pli_hubs_are_same(PliHubs *hubs, const PliLeafCache *cache, const PliPose *pose,
                               const uint32_t slots[2], const PliantHost *host, bool *are_same)
{
    if (hubs->items.count < cache->slot_count)
        PLI_TRY(reserve(hubs, cache->slot_capacity, host));
    const uint32_t hub = hub_of(hubs, cache, pose, slots[0]);
    *are_same = hub != NO_HUB && hub == hub_of(hubs, cache, pose, slots[1]);
    return PLIANT_OK;
}
