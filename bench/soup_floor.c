/* The floor of an update: see soups.h.
 *
 * A corner is the first three of four floats, which are loaded at once; the fourth is part of the
 * next, and comes along. The same with what is stored: each end of a box writes over the fourth
 * float of the one before. Only the last triangle is loaded from a copy, as memory may end there.
 * Boxes of 32 bytes take a third longer; stores past the caches a half longer if there are 40,000,
 * and a fifth less if there are a million. */
#include "soups.h"

#include <stdlib.h>
#include <string.h>

typedef float Float4 __attribute__((vector_size(16)));

#ifdef __SSE2__
#define SMALLER(x, y) __builtin_ia32_minps(x, y)
#define LARGER(x, y) __builtin_ia32_maxps(x, y)
#else
typedef int32_t Int4 __attribute__((vector_size(16)));
#define CHOOSE(mask, x, y) (Float4)(((mask) & (Int4)(x)) | (~(mask) & (Int4)(y)))
#define SMALLER(x, y) CHOOSE((x) < (y), x, y)
#define LARGER(x, y) CHOOSE((x) > (y), x, y)
#endif

typedef struct Box {
    Float4 low, high;
} Box;

static inline Float4 load(const float *from)
{
    Float4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(Box box, float *to)
{
    memcpy(to, &box.low, sizeof box.low);
    memcpy(to + 3, &box.high, sizeof box.high);
}

static inline Box join(Box x, Box y)
{
    return (Box){SMALLER(x.low, y.low), LARGER(x.high, y.high)};
}

static inline Box triangle_box(const float *corners)
{
    const Float4 a = load(corners), b = load(corners + 3), c = load(corners + 6);
    return (Box){SMALLER(SMALLER(a, b), c), LARGER(LARGER(a, b), c)};
}

static inline Box last_box(const float *corners)
{
    float padded[10] = {0};
    memcpy(padded, corners, 9 * sizeof(float));
    return triangle_box(padded);
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
    const Box end = last_box(corners + 9 * last);
    float *boxes = soup->boxes;
    Box all = end;
    for (int64_t i = 0; i < last; i++) {
        const Box box = triangle_box(corners + 9 * i);
        store(box, boxes + 6 * i);
        all = join(all, box);
    }
    store(end, boxes + 6 * last);
    memcpy(soup->box, &all, sizeof all);
}

void soup_floor_box(void *data)
{
    SoupFloor *soup = data;
    const float *corners = soup->film->corners[0];
    const int64_t last = soup->film->scene.triangle_count - 1;
    Box all = last_box(corners + 9 * last);
    for (int64_t i = 0; i < last; i++)
        all = join(all, triangle_box(corners + 9 * i));
    memcpy(soup->box, &all, sizeof all);
}
