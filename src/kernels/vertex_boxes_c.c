/* Boxes around listed vertices, in plain C: the reference implementation. See vertex_boxes.h. */
#include "kernels/kernels.h"

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
