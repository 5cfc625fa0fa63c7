/* Places of triangles that come and go: see cut.h. */
#include "cut.h"

#include <stdlib.h>
#include <string.h>

static void *grown(void *block, size_t count, size_t capacity, size_t size)
{
    void *larger = scene_allocate(capacity, size);
    if (count > 0)
        memcpy(larger, block, count * size);
    free(block);
    return larger;
}

static void grow(CutPlaces *corner_places)
{
    const size_t count = (size_t)corner_places->count, capacity = 2 * count + 64;
    corner_places->corners =
        grown(corner_places->corners, count, capacity, 3 * sizeof *corner_places->corners);
    corner_places->sides =
        grown(corner_places->sides, count, capacity, sizeof *corner_places->sides);
    corner_places->empties = grown(corner_places->empties, (size_t)corner_places->empty_count,
                                   capacity, sizeof *corner_places->empties);
    corner_places->capacity = (int32_t)capacity;
}

static int32_t claim_index(CutPlaces *corner_places)
{
    if (corner_places->empty_count > 0)
        return corner_places->empties[--corner_places->empty_count];
    if (corner_places->count == corner_places->capacity)
        grow(corner_places);
    return corner_places->count++;
}

static void empty_place(CutPlaces *corner_places, int32_t index)
{
    for (int i = 0; i < 3; i++)
        corner_places->corners[3 * (size_t)index + (size_t)i] = UINT32_MAX;
    corner_places->sides[index] = 0;
    corner_places->empties[corner_places->empty_count++] = index;
}

void scene_cut_settle(CutPlaces *corner_places, CutParts *parts, const CutTriangle *triangles,
                      int count)
{
    while (parts->count > count)
        empty_place(corner_places, parts->corner_places[--parts->count]);
    while (parts->count < count)
        parts->corner_places[parts->count++] = claim_index(corner_places);
    for (int i = 0; i < count; i++) {
        const size_t index = (size_t)parts->corner_places[i];
        memcpy(corner_places->corners + 3 * index, triangles[i].corners,
               sizeof triangles[i].corners);
        corner_places->sides[index] = (int8_t)triangles[i].side;
    }
}

void scene_cut_places_free(CutPlaces *corner_places)
{
    free(corner_places->corners);
    free(corner_places->sides);
    free(corner_places->empties);
    *corner_places = (CutPlaces){0};
}
