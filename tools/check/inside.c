/* Vertices that are inside, row by row: see inside.h. */
#include "check/inside.h"

#include <stdlib.h>
#include <string.h>

void insides_free(CheckInsides *insides)
{
    free(insides->items);
    free(insides->vertices);
    *insides = (CheckInsides){0};
}

/* Room for so many more. */
static bool make_room(CheckInsides *insides, int64_t count, int64_t vertex_count)
{
    int64_t capacity = insides->capacity ? insides->capacity : 64;
    int64_t vertex_capacity = insides->vertex_capacity ? insides->vertex_capacity : 1024;
    while (capacity < insides->count + count)
        capacity *= 2;
    while (vertex_capacity < insides->vertex_count + vertex_count)
        vertex_capacity *= 2;
    if (capacity != insides->capacity) {
        CheckInside *items = realloc(insides->items, (size_t)capacity * sizeof *items);
        if (!items)
            return false;
        insides->items = items;
        insides->capacity = capacity;
    }
    if (vertex_capacity != insides->vertex_capacity) {
        CheckVertex *vertices =
            realloc(insides->vertices, (size_t)vertex_capacity * sizeof *vertices);
        if (!vertices)
            return false;
        insides->vertices = vertices;
        insides->vertex_capacity = vertex_capacity;
    }
    return true;
}

static int32_t count_inside(const float *depths, int32_t vertex_count)
{
    int32_t count = 0;
    for (int32_t i = 0; depths && i < vertex_count; i++)
        count += depths[i] > 0;
    return count;
}

bool insides_add(CheckInsides *insides, const CheckInside *of, const float *const depths[2],
                 const int32_t vertex_counts[2])
{
    CheckInside item = *of;
    item.first = insides->vertex_count;
    for (int k = 0; k < 2; k++)
        item.counts[k] = count_inside(depths[k], vertex_counts[k]);
    if (!make_room(insides, 1, (int64_t)item.counts[0] + item.counts[1]))
        return false;
    for (int k = 0; k < 2; k++)
        for (int32_t i = 0; depths[k] && i < vertex_counts[k]; i++)
            if (depths[k][i] > 0)
                insides->vertices[insides->vertex_count++] = (CheckVertex){i, depths[k][i]};
    insides->items[insides->count++] = item;
    return true;
}

bool insides_merge(CheckInsides *insides, CheckInsides *other)
{
    if (other->count > 0 && !make_room(insides, other->count, other->vertex_count))
        return false;
    for (int64_t i = 0; i < other->count; i++) {
        CheckInside *item = &insides->items[insides->count++];
        *item = other->items[i];
        item->first += insides->vertex_count;
    }
    if (other->vertex_count > 0)
        memcpy(insides->vertices + insides->vertex_count, other->vertices,
               (size_t)other->vertex_count * sizeof *other->vertices);
    insides->vertex_count += other->vertex_count;
    insides_free(other);
    return true;
}

static int compare(const void *a, const void *b)
{
    const CheckInside *x = a, *y = b;
    if (x->pair != y->pair)
        return x->pair < y->pair ? -1 : 1;
    return (x->sample > y->sample) - (x->sample < y->sample);
}

void insides_sort(CheckInsides *insides)
{
    if (insides->count > 0)
        qsort(insides->items, (size_t)insides->count, sizeof *insides->items, compare);
}
