/* The triangles that a sample is about: see touched.h. */
#include "check/touched.h"

#include <stdlib.h>
#include <string.h>

bool touched_make(Touched *touched, int32_t triangle_count)
{
    const size_t size = (size_t)triangle_count * sizeof *touched->corner_places;
    *touched = (Touched){.corner_places = malloc(size + 1)};
    if (touched->corner_places)
        memset(touched->corner_places, -1, size);
    return touched->corner_places != NULL;
}

void touched_free(Touched *touched)
{
    free(touched->corner_places);
    free(touched->triangles);
    free(touched->items);
    free(touched->corners);
    *touched = (Touched){0};
}

/* One array of them; it stays as it is if there is no memory. */
static bool grow(void *array, size_t count, size_t size)
{
    void *old, *larger;
    memcpy(&old, array, sizeof old);
    larger = realloc(old, count * size);
    if (larger)
        memcpy(array, &larger, sizeof larger);
    return larger != NULL;
}

static bool make_room(Touched *touched)
{
    const size_t capacity = touched->capacity ? 2 * (size_t)touched->capacity : 256;
    if (touched->count < touched->capacity)
        return true;
    if (!grow(&touched->triangles, capacity, sizeof *touched->triangles) ||
        !grow(&touched->items, capacity, sizeof *touched->items) ||
        !grow(&touched->corners, capacity, 9 * sizeof *touched->corners))
        return false;
    touched->capacity = (int32_t)capacity;
    return true;
}

int32_t touched_add(Touched *touched, int32_t triangle)
{
    int32_t *index = &touched->corner_places[triangle];
    if (*index < 0) {
        if (!make_room(touched))
            return -1;
        touched->triangles[touched->count] = triangle;
        *index = touched->count++;
    }
    return *index;
}

PliantResult touched_fetch(Touched *touched, PliantWorld *world, PliantBody body)
{
    const int32_t first = touched->fetched, count = touched->count - first;
    if (count == 0)
        return PLIANT_OK;
    PliantResult result = pliant_body_corners(world, body, touched->triangles + first, count,
                                              touched->corners, count);
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++)
        depth_triangle(touched->corners + 9 * (size_t)i, &touched->items[first + i]);
    if (result == PLIANT_OK)
        touched->fetched = touched->count;
    return result;
}

void touched_clear(Touched *touched)
{
    for (int32_t i = 0; i < touched->count; i++)
        touched->corner_places[touched->triangles[i]] = -1;
    touched->count = touched->fetched = 0;
}
