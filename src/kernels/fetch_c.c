/* The triangles of a leaf, in plain C: the reference implementation. See fetch.h. */
#include "kernels/kernels.h"

#include <math.h>
#include <string.h>

static const float *vertex_at(const PliVertexView *vertices, uint32_t number)
{
    return (const float *)(vertices->data + vertices->stride * number);
}

static void move_point(const PliTransform *transform, const float *p, float *moved)
{
    const PliFloat4 *m = transform->columns;
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

/* If a corner has a NaN, the box has it or skips it: such a triangle is in no pair. */
void pli_fetch_leaf_c(const PliVertexView *vertices, const uint32_t *corners,
                      int32_t triangle_count, const PliTransform *transform, float *rows,
                      PliLeafBoxes *boxes)
{
    boxes->all = pli_box_empty();
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        float *row = rows + PLI_ROW_SIZE * i;
        PliBox box = {{NAN, NAN, NAN, 0}, {NAN, NAN, NAN, 0}};
        for (int c = 0; c < 3 && i < triangle_count; c++) {
            const float *p = vertex_at(vertices, corners[3 * i + c]);
            if (transform)
                move_point(transform, p, row + 3 * c);
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

/* ---- Morph targets and joints ---------------------------------------------------------------- */

/* Skins columns of x, y and z in place. */
static void skin_points(const PliMorphLeaf *leaf, float *columns)
{
    const int32_t count = PLI_GROUP * leaf->group_count;
    for (int32_t i = 0; i < count; i++) {
        const float p[3] = {columns[i], columns[count + i], columns[2 * count + i]};
        float sums[3] = {0, 0, 0};
        for (int32_t j = 0; j < leaf->joint_count; j++) {
            const PliFloat4 *m = leaf->joint_transforms[leaf->joints[j]].columns;
            const float weight = leaf->joint_weights[(size_t)count * (size_t)j + (size_t)i];
            for (int k = 0; k < 3 && weight != 0; k++)
                sums[k] +=
                    weight * (((m[0][k] * p[0] + m[1][k] * p[1]) + m[2][k] * p[2]) + m[3][k]);
        }
        for (int k = 0; k < 3; k++)
            columns[count * k + i] = sums[k];
    }
}

void pli_fetch_morph_c(const PliMorphLeaf *leaf, float *rows, PliLeafBoxes *boxes)
{
    enum { MAX_POINTS = PLI_GROUP * PLI_MAX_TABLE_GROUPS };
    const int32_t count = PLI_GROUP * leaf->group_count;
    float columns[3 * MAX_POINTS] = {0}, points[3 * MAX_POINTS];
    uint32_t corners[3 * PLI_LEAF_SIZE];
    pli_weighted_sum_c(leaf->base, leaf->terms, leaf->weights, leaf->term_count, 3 * count,
                       columns);
    if (leaf->joint_count > 0)
        skin_points(leaf, columns);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < 3; k++)
            points[3 * i + k] = columns[count * k + i];
    for (int32_t i = 0; i < leaf->triangle_count; i++)
        for (int32_t c = 0; c < 3; c++)
            corners[3 * i + c] = leaf->corners[leaf->triangle_count * c + i];
    PliVertexView view = {(const char *)points, 3 * sizeof(float), (uint32_t)count};
    pli_fetch_leaf_c(&view, corners, leaf->triangle_count, leaf->transform, rows, boxes);
}
