/* Boxes of given vertices, and which boxes meet, in plain C: the specification of all other
 * versions. See kernels.h.
 *
 * Minimum and maximum round nothing, and which of 0 and -0 a corner has makes no difference to any
 * comparison: so the order in which vertices are taken is free, and results are equal as numbers.
 */
#include "kernels/kernels.h"

#include <string.h>

static const float *vertex_at(const PliVertexView *vertices, uint32_t number)
{
    return (const float *)(vertices->data + vertices->stride * number);
}

static void add_vertex(PliBox *box, const PliVertexView *vertices, uint32_t number)
{
    const float *p = vertex_at(vertices, number);
    PliFloat4 point = {p[0], p[1], p[2], 0};
    for (int k = 0; k < 3; k++)
        point[k] = isfinite(p[k]) ? p[k] : NAN; /* which is passed over */
    pli_box_add_point(box, point);
}

void pli_box_lists_c(const PliVertexView *vertices, const uint32_t *numbers,
                     const PliVertexList *lists, int32_t list_count, PliBox *boxes)
{
    for (int32_t i = 0; i < list_count; i++) {
        const uint32_t *next = numbers + lists[i].first;
        boxes[i] = pli_box_empty();
        for (int32_t b = 0; b < lists[i].block_count; b++, next++)
            for (uint32_t v = 0; v < PLI_BLOCK; v++)
                add_vertex(&boxes[i], vertices, *next + v);
        for (int32_t v = 0; v < lists[i].single_count; v++, next++)
            add_vertex(&boxes[i], vertices, *next);
    }
}

static void move_point(const PliMap *map, const float *p, float *moved)
{
    const PliFloat4 *m = map->columns;
    for (int k = 0; k < 3; k++)
        moved[k] = ((m[0][k] * p[0] + m[1][k] * p[1]) + m[2][k] * p[2]) + m[3][k];
}

static float least(float x, float y)
{
    return x < y ? x : y;
}

static float greatest(float x, float y)
{
    return x > y ? x : y;
}

/* Where a corner has a NaN, the box has one or leaves it out, whichever: such a triangle is in no
 * pair. */
void pli_fetch_leaf_c(const PliVertexView *vertices, const uint32_t *corners,
                      int32_t triangle_count, const PliMap *map, float *rows, PliLeafBoxes *boxes)
{
    boxes->all = pli_box_empty();
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        float *row = rows + PLI_ROW_SIZE * i;
        PliBox box = {{NAN, NAN, NAN, 0}, {NAN, NAN, NAN, 0}};
        for (int c = 0; c < 3 && i < triangle_count; c++) {
            const float *p = vertex_at(vertices, corners[3 * i + c]);
            if (map)
                move_point(map, p, row + 3 * c);
            else
                memcpy(row + 3 * c, p, 3 * sizeof *p);
        }
        for (int k = 0; k < 3 && i < triangle_count; k++) {
            box.low[k] = least(row[k], least(row[3 + k], row[6 + k]));
            box.high[k] = greatest(row[k], greatest(row[3 + k], row[6 + k]));
        }
        for (int k = 0; k < 3; k++) {
            boxes->low[k][i] = box.low[k];
            boxes->high[k][i] = box.high[k];
        }
        pli_box_add(&boxes->all, &box);
    }
}

uint64_t pli_meet_nodes_c(const PliBoxes *a, const PliBoxes *b)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            bool is_meeting = true;
            for (int k = 0; k < 3; k++)
                is_meeting &= a->low[k][i] <= b->high[k][j] && b->low[k][j] <= a->high[k][i];
            bits |= (uint64_t)is_meeting << (8 * i + j);
        }
    }
    return bits;
}

static bool triangles_meet(const PliLeafBoxes *a, uint32_t i, const PliLeafBoxes *b, uint32_t j)
{
    bool is_meeting = true;
    for (int k = 0; k < 3; k++)
        is_meeting &= a->low[k][i] <= b->high[k][j] && b->low[k][j] <= a->high[k][i];
    return is_meeting;
}

/* Are two triangles of a pair of leaves not to be written? */
static bool is_left_out(const PliLeftOut *left_out, bool is_one_leaf, uint32_t i, uint32_t j)
{
    const uint32_t after = (j - i) % PLI_LEAF_SIZE;
    if (!is_one_leaf)
        return left_out->a[i] >> j & 1;
    return after == 0 || after > PLI_LEAF_SIZE / 2 || (left_out->a[after - 1] >> i & 1);
}

int32_t pli_meet_leaves_c(const PliLeafBoxes *leaves, const uint32_t *leaf_pairs,
                          int32_t leaf_pair_count, const PliLeftOut *const *left_out,
                          uint32_t *pairs)
{
    uint32_t *end = pairs;
    for (int32_t p = 0; p < leaf_pair_count; p++) {
        uint32_t a = leaf_pairs[2 * p], b = leaf_pairs[2 * p + 1];
        for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++) {
            for (uint32_t j = 0; j < PLI_LEAF_SIZE; j++) {
                if (!triangles_meet(&leaves[a], i, &leaves[b], j) ||
                    (left_out && is_left_out(left_out[p], a == b, i, j)))
                    continue;
                *end++ = PLI_LEAF_SIZE * a + i;
                *end++ = PLI_LEAF_SIZE * b + j;
            }
        }
    }
    return (int32_t)((end - pairs) / 2);
}
