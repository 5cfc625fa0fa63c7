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

static void grow(CutPlaces *places)
{
    const size_t count = (size_t)places->count, capacity = 2 * count + 64;
    places->corners = grown(places->corners, count, capacity, 3 * sizeof *places->corners);
    places->sides = grown(places->sides, count, capacity, sizeof *places->sides);
    places->empties =
        grown(places->empties, (size_t)places->empty_count, capacity, sizeof *places->empties);
    places->capacity = (int32_t)capacity;
}

static int32_t take_place(CutPlaces *places)
{
    if (places->empty_count > 0)
        return places->empties[--places->empty_count];
    if (places->count == places->capacity)
        grow(places);
    return places->count++;
}

static void empty_place(CutPlaces *places, int32_t place)
{
    for (int i = 0; i < 3; i++)
        places->corners[3 * (size_t)place + (size_t)i] = UINT32_MAX;
    places->sides[place] = 0;
    places->empties[places->empty_count++] = place;
}

void scene_cut_settle(CutPlaces *places, CutParts *parts, const CutTriangle *triangles, int count)
{
    while (parts->count > count)
        empty_place(places, parts->places[--parts->count]);
    while (parts->count < count)
        parts->places[parts->count++] = take_place(places);
    for (int i = 0; i < count; i++) {
        const size_t place = (size_t)parts->places[i];
        memcpy(places->corners + 3 * place, triangles[i].corners, sizeof triangles[i].corners);
        places->sides[place] = (int8_t)triangles[i].side;
    }
}

void scene_cut_places_free(CutPlaces *places)
{
    free(places->corners);
    free(places->sides);
    free(places->empties);
    *places = (CutPlaces){0};
}
