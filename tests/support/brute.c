/* Brute force: see brute.h. */
#include "brute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Boxes side by side, four to a vector: what every machine that this runs on has. */
typedef float Float4 __attribute__((vector_size(16)));
typedef int32_t Int4 __attribute__((vector_size(16)));

enum { VECTORS = 4, BLOCK = 4 * VECTORS };

typedef struct Boxes {
    Float4 low[3][VECTORS], high[3][VECTORS];
} Boxes;

/* One box in all four places. */
typedef struct Mine {
    Float4 low[3], high[3];
} Mine;

static void *must_have(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void corners_of(const BruteBody *body, int32_t triangle, float corners[9])
{
    for (int c = 0; c < 3; c++)
        memcpy(corners + 3 * c,
               body->vertices + 3 * (size_t)body->triangles[3 * (size_t)triangle + (size_t)c],
               3 * sizeof *corners);
}

/* The ends of a triangle's box; NaN, which overlaps nothing, if a coordinate is not finite. */
static void box_of(const float corners[9], float low[3], float high[3])
{
    bool is_finite = true;
    for (int i = 0; i < 9; i++)
        is_finite &= fabsf(corners[i]) < INFINITY;
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = is_finite ? corners[k] : NAN;
        for (int i = k + 3; i < 9 && is_finite; i += 3) {
            low[k] = corners[i] < low[k] ? corners[i] : low[k];
            high[k] = corners[i] > high[k] ? corners[i] : high[k];
        }
    }
}

static Boxes *all_boxes(const BruteBody *body, int32_t *block_count)
{
    int32_t count = (body->triangle_count + BLOCK - 1) / BLOCK;
    Boxes *boxes = must_have(aligned_alloc(64, ((size_t)count + 1) * sizeof *boxes));
    for (int32_t i = 0; i < BLOCK * count; i++) {
        float corners[9] = {NAN}, low[3], high[3];
        if (i < body->triangle_count)
            corners_of(body, i, corners);
        box_of(corners, low, high);
        for (int k = 0; k < 3; k++) {
            boxes[i / BLOCK].low[k][i % BLOCK / 4][i % 4] = low[k];
            boxes[i / BLOCK].high[k][i % BLOCK / 4][i % 4] = high[k];
        }
    }
    *block_count = count;
    return boxes;
}

static void add_contact(BruteContacts *expected, int32_t a, int32_t b)
{
    if (expected->count == expected->capacity) {
        expected->capacity = expected->capacity ? 2 * expected->capacity : 1024;
        expected->items = must_have(
            realloc(expected->items, (size_t)expected->capacity * sizeof *expected->items));
    }
    expected->items[expected->count++] = (BruteContact){a, b};
}

/* Which boxes of a block overlap mine; returns whether any does. */
static inline bool intersect(const Mine *mine, const Boxes *boxes, Int4 masks[VECTORS])
{
    Int4 any = {0};
    for (int v = 0; v < VECTORS; v++) {
        Int4 mask = (mine->low[0] <= boxes->high[0][v]) & (boxes->low[0][v] <= mine->high[0]);
        mask &= (mine->low[1] <= boxes->high[1][v]) & (boxes->low[1][v] <= mine->high[1]);
        mask &= (mine->low[2] <= boxes->high[2][v]) & (boxes->low[2][v] <= mine->high[2]);
        masks[v] = mask;
        any |= mask;
    }
    uint64_t halves[2];
    memcpy(halves, &any, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

/* Triangle i of a, which has these corners, against a block of b. */
static void decide(const float corners[9], int32_t i, const BruteBody *b, int32_t block,
                   const Int4 masks[VECTORS], BruteContacts *expected)
{
    for (int32_t j = 0; j < BLOCK; j++) {
        float other[9];
        if (!masks[j / 4][j % 4])
            continue;
        corners_of(b, BLOCK * block + j, other);
        if (pliant_triangles_intersect(corners, other))
            add_contact(expected, i, BLOCK * block + j);
    }
}

int64_t brute_force(const BruteBody *a, const BruteBody *b, BruteContacts *expected)
{
    int32_t block_count;
    Boxes *boxes = all_boxes(b, &block_count);
    for (int32_t i = 0; i < a->triangle_count; i++) {
        float corners[9], low[3], high[3];
        corners_of(a, i, corners);
        box_of(corners, low, high);
        Mine mine;
        for (int k = 0; k < 3; k++) {
            mine.low[k] = low[k] - (Float4){0};
            mine.high[k] = high[k] - (Float4){0};
        }
        for (int32_t block = 0; block < block_count; block++) {
            Int4 masks[VECTORS];
            if (intersect(&mine, &boxes[block], masks))
                decide(corners, i, b, block, masks, expected);
        }
    }
    free(boxes);
    return (int64_t)a->triangle_count * b->triangle_count;
}

void brute_free(BruteContacts *expected)
{
    free(expected->items);
    *expected = (BruteContacts){0};
}

void brute_places(PliantPrimitiveKind kind, const PliantPrimitives *primitives, uint32_t *triangles)
{
    const size_t width = kind == PLIANT_POINTS ? 1 : kind == PLIANT_SEGMENTS ? 2 : 3;
    for (size_t i = 0; i < (size_t)primitives->count; i++) {
        const uint32_t *corners = primitives->corners ? primitives->corners + width * i : NULL;
        const bool is_empty = corners && corners[0] == PLIANT_NO_VERTEX;
        for (size_t c = 0; c < 3; c++) {
            const size_t corner = c < width ? c : width - 1;
            triangles[3 * i + c] = is_empty  ? (uint32_t)primitives->vertices.count
                                   : corners ? corners[corner]
                                             : (uint32_t)(width * i + corner);
        }
    }
}

void brute_move(const PliantTransform *transform, const float *from, int32_t count, float *to)
{
    for (int32_t v = 0; v < count; v++) {
        const float *p = from + 3 * (size_t)v;
        float moved[3];
        for (int k = 0; k < 3; k++) {
            const float *row = transform->rows[k];
            float x = row[0] * p[0], y = row[1] * p[1], z = row[2] * p[2];
            float xy = x + y;
            float xyz = xy + z;
            moved[k] = xyz + row[3];
        }
        memcpy(to + 3 * (size_t)v, moved, sizeof moved);
    }
}

/* One product and one sum, each rounded; the first product of references is the sum. */
static void add_weighted(float to[3], const float from[3], float weight, bool is_first)
{
    for (int k = 0; k < 3; k++) {
        volatile float product = weight * from[k];
        volatile float sum = to[k] + product;
        to[k] = is_first ? product : sum;
    }
}

static void add_target(const PliantTarget *target, int32_t count, float weight, bool is_first,
                       float *to)
{
    int32_t number_count = target->indices ? target->vertices.count : count;
    for (int32_t i = 0; i < number_count; i++) {
        size_t vertex = target->indices ? target->indices[i] : (size_t)i;
        add_weighted(to + 3 * vertex, target->vertices.data + 3 * (size_t)i, weight, is_first);
    }
}

void brute_blend(const BruteMorph *morph, const float *rest, int32_t count, const float *weights,
                 float *to)
{
    bool is_empty = morph->kind == PLIANT_MORPH_REFERENCES;
    for (int32_t i = 0; i < 3 * count; i++)
        to[i] = is_empty ? 0 : rest[i];
    for (int32_t t = 0; t < morph->target_count; t++)
        if (weights[t] != 0) {
            add_target(&morph->targets[t], count, weights[t], is_empty, to);
            is_empty = false;
        }
}

enum { MAX_INFLUENCES = 8 };

typedef struct Influence {
    uint16_t joint;
    float weight;
} Influence;

/* The joints of a vertex, rising, each once, with the sums of their weights. */
static int influences_of(const PliantSkin *skin, int32_t vertex, Influence list[MAX_INFLUENCES])
{
    const size_t first = (size_t)vertex * (size_t)skin->influence_count;
    int count = 0;
    for (int32_t i = 0; i < skin->influence_count; i++) {
        Influence one = {skin->joints[first + (size_t)i], skin->weights[first + (size_t)i]};
        int index = 0;
        if (one.weight == 0)
            continue;
        while (index < count && list[index].joint < one.joint)
            index++;
        if (index < count && list[index].joint == one.joint) {
            volatile float sum = list[index].weight + one.weight;
            list[index].weight = sum;
            continue;
        }
        memmove(list + index + 1, list + index, (size_t)(count++ - index) * sizeof *list);
        list[index] = one;
    }
    return count;
}

void brute_skin(const PliantSkin *skin, const PliantTransform *joints, const float *from,
                int32_t count, float *to)
{
    for (int32_t v = 0; v < count; v++) {
        Influence list[MAX_INFLUENCES];
        float sum[3] = {0, 0, 0}, moved[3];
        int influence_count = influences_of(skin, v, list);
        for (int i = 0; i < influence_count; i++) {
            brute_move(&joints[list[i].joint], from + 3 * (size_t)v, 1, moved);
            add_weighted(sum, moved, list[i].weight, false);
        }
        memcpy(to + 3 * (size_t)v, sum, sizeof sum);
    }
}
