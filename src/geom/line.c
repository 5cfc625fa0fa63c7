/* Where a line crosses a triangle: see line.h.
 *
 * The decision is a sum of steps, each of which belongs to one edge, as in rasterization
 * (kernels/draw_c.c), but with exact signs. So a line through an edge or a corner crosses one of
 * the triangles around it, in sum, and it leaves a closed surface as often as it enters. */
#include "geom/line.h"
#include "geom/orient.h"

/* Is the point on the edge or to the right of it, along its row? The edge goes up. */
static bool is_after(const float *low, const float *high, const float *point, PliCounts *counts)
{
    return pli_orient2d(low, high, point, 0, 1, counts) <= 0;
}

int pli_line_crosses(const float *triangle, const float *point, bool *is_above, PliCounts *counts)
{
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        const float *p = triangle + 3 * k, *q = triangle + (k == 2 ? 0 : 3 * k + 3);
        if (p[1] <= point[1] && point[1] < q[1])
            sum -= is_after(p, q, point, counts);
        else if (q[1] <= point[1] && point[1] < p[1])
            sum += is_after(q, p, point, counts);
    }
    *is_above =
        sum != 0 && pli_orient3d(triangle, triangle + 3, triangle + 6, point, counts) == sum;
    return sum;
}
