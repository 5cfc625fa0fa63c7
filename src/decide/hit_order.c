/* The order of hits: see hit_order.h. A merge sort: parameters are no integers, and comparing them
 * may take microseconds. */
#include "decide/hit_order.h"

#include <string.h>

int pli_ray_hits_compare(const PliRay *ray, const PliRayHit *a, const PliRayHit *b)
{
    if (a->body == b->body && a->triangle == b->triangle)
        return 0;
    const int sign = pli_ray_compare(ray, a->corners, &a->span, b->corners, &b->span);
    if (sign != 0)
        return sign;
    if (a->body != b->body)
        return a->body < b->body ? -1 : 1;
    return a->triangle < b->triangle ? -1 : 1;
}

static void merge(const PliRay *ray, const PliRayHit *from, int64_t middle, int64_t end,
                  PliRayHit *to)
{
    int64_t a = 0, b = middle;
    while (a < middle && b < end)
        *to++ = pli_ray_hits_compare(ray, &from[a], &from[b]) <= 0 ? from[a++] : from[b++];
    memcpy(to, from + a, (size_t)(middle - a) * sizeof *to);
    memcpy(to + (middle - a), from + b, (size_t)(end - b) * sizeof *to);
}

static void drop_equal(const PliRay *ray, PliArray *hits)
{
    PliRayHit *items = hits->items;
    int64_t kept = 0;
    for (int64_t i = 0; i < hits->count; i++)
        if (kept == 0 || pli_ray_hits_compare(ray, &items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    hits->count = kept;
}

PliantResult pli_ray_hits_sort(const PliRay *ray, PliArray *hits, PliArray *scratch,
                               const PliantHost *host)
{
    const int64_t count = hits->count;
    PLI_TRY(pli_array_reserve_spare(scratch, host, count));
    for (int64_t size = 1; size < count; size *= 2) {
        const PliRayHit *from = hits->items;
        PliRayHit *to = scratch->items;
        for (int64_t first = 0; first < count; first += 2 * size) {
            const int64_t left = count - first, end = left < 2 * size ? left : 2 * size;
            merge(ray, from + first, end < size ? end : size, end, to + first);
        }
        memcpy(hits->items, scratch->items, (size_t)count * sizeof *to);
    }
    drop_equal(ray, hits);
    return PLIANT_OK;
}
