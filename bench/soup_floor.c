/* The floor of an update: see soups.h.
 *
 * Only the last triangle is loaded from a copy, as memory may end there. Boxes of 32 bytes take a
 * third longer; stores past the caches a half longer if there are 40,000, and a fifth less if there
 * are a million. */
#include "soups.h"
#include "triangle_box.h"

#include <stdlib.h>

static inline TriangleBox box_at(const float *corners)
{
    return triangle_box(corners, corners + 3, corners + 6);
}

static inline TriangleBox last_box(const float *corners)
{
    float padded[10] = {0};
    memcpy(padded, corners, 9 * sizeof(float));
    return box_at(padded);
}

SoupFloor soup_floor(const SoupFilm *film)
{
    const size_t count = 6 * (size_t)film->scene.triangle_count + 1;
    return (SoupFloor){.film = film, .boxes = bench_allocate(count, sizeof(float))};
}

void soup_floor_free(SoupFloor *soup)
{
    free(soup->boxes);
}

void soup_floor_boxes(void *data)
{
    SoupFloor *soup = data;
    const float *corners = soup->film->corners[0];
    const int64_t last = soup->film->scene.triangle_count - 1;
    const TriangleBox end = last_box(corners + 9 * last);
    float *boxes = soup->boxes;
    TriangleBox all = end;
    for (int64_t i = 0; i < last; i++) {
        const TriangleBox box = box_at(corners + 9 * i);
        store_box(box, boxes + 6 * i);
        all = join_boxes(all, box);
    }
    store_box(end, boxes + 6 * last);
    memcpy(soup->box, &all, sizeof all);
}

void soup_floor_box(void *data)
{
    SoupFloor *soup = data;
    const float *corners = soup->film->corners[0];
    const int64_t last = soup->film->scene.triangle_count - 1;
    TriangleBox all = last_box(corners + 9 * last);
    for (int64_t i = 0; i < last; i++)
        all = join_boxes(all, box_at(corners + 9 * i));
    memcpy(soup->box, &all, sizeof all);
}
