/* Lists of segments, sorted by what they are at: see segments_at.h. */
#include "regions/segments_at.h"
#include "base/sort.h"
#include "regions/patches.h"

static PliantResult sort(PliRegions *regions, PliArray *list)
{
    PliArray *scratch = &regions->keys[0];
    PLI_TRY(pli_array_reserve_spare(scratch, regions->host, list->count));
    pli_sort_keys(list->items, scratch->items, list->count, 64);
    return PLIANT_OK;
}

static PliantResult list_of_regions(PliRegions *regions, int64_t first_curve)
{
    const PliSegment *segments = regions->segments.items;
    const int32_t *curve_regions = regions->curve_regions.items;
    void *room;
    regions->region_segments.count = 0;
    PLI_TRY(
        pli_array_push(&regions->region_segments, regions->host, regions->segments.count, &room));
    for (int64_t i = 0; i < regions->segments.count; i++)
        ((uint64_t *)room)[i] =
            (uint64_t)curve_regions[segments[i].curve - first_curve] << 32 | (uint64_t)i;
    return sort(regions, &regions->region_segments);
}

/* A segment may be at a patch several times, and is then listed so often: who goes over them twice
 * finds nothing new. */
static PliantResult list_of_patches(PliRegions *regions)
{
    PliArray *list = &regions->patch_segments;
    const PliSegment *segments = regions->segments.items;
    void *room;
    list->count = 0;
    PLI_TRY(pli_array_push(list, regions->host, 4 * regions->segments.count, &room));
    list->count = 0;
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t patch = pli_patch_at(regions, &segments[i], k / 2, k % 2);
            if (patch >= 0)
                ((uint64_t *)room)[list->count++] = (uint64_t)patch << 32 | (uint64_t)i;
        }
    return sort(regions, list);
}

PliantResult pli_list_segments(PliRegions *regions, int64_t first_curve)
{
    PLI_TRY(list_of_regions(regions, first_curve));
    return list_of_patches(regions);
}

/* The first key that is not less. */
static int64_t find(const PliArray *list, uint64_t key)
{
    const uint64_t *keys = list->items;
    int64_t first = 0, end = list->count;
    while (first < end) {
        const int64_t middle = first + (end - first) / 2;
        if (keys[middle] < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

PliSegmentsAt pli_segments_at(const PliArray *list, int32_t number)
{
    const int64_t first = find(list, (uint64_t)number << 32);
    const int64_t end = find(list, (uint64_t)(number + 1) << 32);
    return (PliSegmentsAt){(const uint64_t *)list->items + first, end - first};
}
