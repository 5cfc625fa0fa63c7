/* The triangles of a leaf, four at a time. See fetch.h.
 *
 * A vertex is three floats and a register holds four: it is loaded with the float behind it, which
 * is ignored. Unused places of a leaf repeat its triangles, so that no loop depends on their
 * number; their boxes are set to NaN in the end. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static inline Float4 load_vertex(const char *at)
{
    Float4 v;
    memcpy(&v, at, sizeof v);
    return v;
}

static inline Float4 move(const PliMap *map, Float4 p)
{
    const PliFloat4 *m = map->columns;
    return ((m[0] * p[0] + m[1] * p[1]) + m[2] * p[2]) + m[3];
}

/* One triangle: its row, and its box. Of the row's last corner a fourth float is written if
 * `is_wide`: the next row will overwrite it. */
ALWAYS_INLINE PliBox fetch_one(const char *data, size_t stride, const uint32_t *corners,
                               const PliMap *map, float *row, bool is_wide)
{
    Float4 p = load_vertex(data + stride * corners[0]), q = load_vertex(data + stride * corners[1]),
           r = load_vertex(data + stride * corners[2]);
    if (map) {
        p = move(map, p);
        q = move(map, q);
        r = move(map, r);
    }
    memcpy(row, &p, sizeof p);
    memcpy(row + 3, &q, sizeof q);
    memcpy(row + 6, &r, is_wide ? 16 : 12);
    return (PliBox){pli_min4(p, pli_min4(q, r)), pli_max4(p, pli_max4(q, r))};
}

/* Four triangles from the first on; returns their box together with that of those before. */
ALWAYS_INLINE PliBox fetch_four(const char *data, size_t stride, const uint32_t *corners,
                                const PliMap *map, float *rows, int first, PliLeafBoxes *boxes,
                                PliBox all)
{
    PliBox t[4];
    corners += 3 * first;
    rows += PLI_ROW_SIZE * first;
    t[0] = fetch_one(data, stride, corners, map, rows, true);
    t[1] = fetch_one(data, stride, corners + 3, map, rows + PLI_ROW_SIZE, true);
    t[2] = fetch_one(data, stride, corners + 6, map, rows + 2 * PLI_ROW_SIZE, true);
    t[3] = fetch_one(data, stride, corners + 9, map, rows + 3 * PLI_ROW_SIZE,
                     first + 4 < PLI_LEAF_SIZE);
    const Float4 low[4] = {t[0].low, t[1].low, t[2].low, t[3].low};
    const Float4 high[4] = {t[0].high, t[1].high, t[2].high, t[3].high};
    pli_store_columns(low, boxes->low[0] + first, boxes->low[1] + first, boxes->low[2] + first);
    pli_store_columns(high, boxes->high[0] + first, boxes->high[1] + first, boxes->high[2] + first);
    pli_box_add(&all, &t[0]);
    pli_box_add(&all, &t[1]);
    pli_box_add(&all, &t[2]);
    pli_box_add(&all, &t[3]);
    return all;
}

ALWAYS_INLINE void fetch(const char *data, size_t stride, const uint32_t *corners,
                         const PliMap *map, float *rows, PliLeafBoxes *boxes)
{
    PliBox all = pli_box_empty();
    all = fetch_four(data, stride, corners, map, rows, 0, boxes, all);
    all = fetch_four(data, stride, corners, map, rows, 4, boxes, all);
    all = fetch_four(data, stride, corners, map, rows, 8, boxes, all);
    all = fetch_four(data, stride, corners, map, rows, 12, boxes, all);
    boxes->all = all;
}

void PLI_NAME(pli_fetch_leaf)(const PliVertexView *vertices, const uint32_t *corners,
                              int32_t triangle_count, const PliMap *map, float *rows,
                              PliLeafBoxes *boxes)
{
    uint32_t repeated[3 * PLI_LEAF_SIZE];
    if (triangle_count < PLI_LEAF_SIZE) {
        for (int i = 0; i < PLI_LEAF_SIZE; i++)
            memcpy(repeated + 3 * i, corners + 3 * (i % triangle_count), 3 * sizeof *corners);
        corners = repeated;
    }
    if (vertices->stride == 3 * sizeof(float) && !map)
        fetch(vertices->data, 3 * sizeof(float), corners, NULL, rows, boxes);
    else
        fetch(vertices->data, vertices->stride, corners, map, rows, boxes);
    for (int k = 0; k < 3; k++)
        for (int i = triangle_count; i < PLI_LEAF_SIZE; i++)
            boxes->low[k][i] = boxes->high[k][i] = NAN;
}
