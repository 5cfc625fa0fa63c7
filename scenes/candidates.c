/* Pairs of triangles whose boxes overlap: see scenes.h. */
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Box {
    float low[3], high[3];
    uint32_t triangle;
} Box;

static Box box_of(const float *corners, uint32_t triangle)
{
    Box box = {.triangle = triangle};
    for (int k = 0; k < 3; k++) {
        float x = corners[k], y = corners[3 + k], z = corners[6 + k];
        box.low[k] = x < y ? (x < z ? x : z) : (y < z ? y : z);
        box.high[k] = x > y ? (x > z ? x : z) : (y > z ? y : z);
    }
    return box;
}

static int by_low_x(const void *x, const void *y)
{
    const Box *p = x, *q = y;
    if (p->low[0] != q->low[0])
        return p->low[0] < q->low[0] ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static int by_indices(const void *x, const void *y)
{
    const uint32_t *p = x, *q = y;
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

static void *or_stop(void *block)
{
    if (!block) {
        fprintf(stderr, "scenes: out of memory\n");
        exit(1);
    }
    return block;
}

static Box *sorted_boxes(const float *corners, int32_t count)
{
    Box *boxes = or_stop(malloc(((size_t)count + 1) * sizeof *boxes));
    for (int32_t i = 0; i < count; i++)
        boxes[i] = box_of(corners + 9 * (int64_t)i, (uint32_t)i);
    qsort(boxes, (size_t)count, sizeof *boxes, by_low_x);
    return boxes;
}

static bool boxes_overlap(const Box *p, const Box *q)
{
    for (int k = 0; k < 3; k++)
        if (p->high[k] < q->low[k] || q->high[k] < p->low[k])
            return false;
    return true;
}

uint32_t *scene_box_pairs(const float *a, int32_t a_count, const float *b, int32_t b_count,
                          int64_t *pair_count)
{
    Box *boxes[2] = {sorted_boxes(a, a_count), sorted_boxes(b, b_count)};
    const int32_t counts[2] = {a_count, b_count};
    int64_t count = 0, capacity = 1 << 16;
    uint32_t *pairs = or_stop(malloc(2 * (size_t)capacity * sizeof *pairs));

    /* Each box with those of the other side that begin within it; where two begin at the same x,
     * the first side's turn. */
    for (int side = 0; side < 2; side++) {
        const Box *others = boxes[1 - side];
        int32_t first = 0;
        for (int32_t i = 0; i < counts[side]; i++) {
            const Box *box = &boxes[side][i];
            while (first < counts[1 - side] && (side == 0 ? others[first].low[0] < box->low[0]
                                                          : others[first].low[0] <= box->low[0]))
                first++;
            for (int32_t j = first; j < counts[1 - side] && others[j].low[0] <= box->high[0]; j++) {
                if (!boxes_overlap(box, &others[j]))
                    continue;
                if (count == capacity)
                    pairs = or_stop(realloc(pairs, 2 * (size_t)(capacity *= 2) * sizeof *pairs));
                pairs[2 * count + side] = box->triangle;
                pairs[2 * count + 1 - side] = others[j].triangle;
                count++;
            }
        }
    }
    free(boxes[0]);
    free(boxes[1]);
    qsort(pairs, (size_t)count, 2 * sizeof *pairs, by_indices);
    *pair_count = count;
    return pairs;
}
