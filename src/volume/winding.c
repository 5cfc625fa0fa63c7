/* How often a surface winds around a point, exactly: see volume.h.
 *
 * The line through the point, upward along z, crosses triangles; those above the point are counted,
 * each as it faces. */
#include "geom/geom.h"
#include "volume/volume.h"

typedef struct Line {
    const float *point;
    PliWinding *winding;
} Line;

static PliantResult cross(const PliSeen *seen, const PliPicture *picture, PliWorker *worker,
                          void *to)
{
    (void)picture, (void)worker;
    const Line *line = to;
    PliCounts counts = {0};
    for (uint32_t bits = seen->bits; bits; bits &= bits - 1) {
        const float *t = seen->rows + (size_t)PLI_ROW_SIZE * (size_t)__builtin_ctz(bits);
        bool is_above;
        if (!pli_is_finite(t, PLI_ROW_SIZE))
            continue;
        const int step = pli_line_crosses(t, line->point, &is_above, &counts);
        line->winding->all += step;
        line->winding->above += is_above ? step : 0;
    }
    return PLIANT_OK;
}

/* A picture of one pixel around the point, so small that there is nothing else in it: what has the
 * point between its ends, ends included, is seen. */
PliantResult pli_winding_at(PliSeeing *seeing, PliPose *pose, const float *point, PliWorker *worker,
                            PliWinding *winding)
{
    const PliViewQuery look = {.picture = {.axes = {0, 1, 2},
                                           .box_low = {point[0], point[1]},
                                           .box_scale = {0x1p100f, 0x1p100f},
                                           .end = {1, 1},
                                           .reach = {-INFINITY, INFINITY}},
                               .slack = 0.75f,
                               .node_slack = 0.75f,
                               .take = cross,
                               .to = &(Line){point, winding}};
    *winding = (PliWinding){0};
    return pli_see_all(seeing, pose, &look, worker);
}
