/* What an approximate query does instead of the exact test: see approximate.h.
 *
 * After Mujika and others: near a piece of a large triangle, the triangle is as good as its plane,
 * and a small one as good as a ball around it. What is missed by that is nothing: the ball holds
 * the small triangle, and the plane the large one, and what rounding could do to the comparison is
 * 2^-40 of the numbers in it, in double, where no product of three floats overflows. */
#include "decide/approximate.h"

#include <math.h>

/* The ball's center is the middle of the corners; returns the square of its radius. */
static double find_ball(const float *triangle, double center[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        center[k] = ((double)triangle[k] + triangle[3 + k] + triangle[6 + k]) / 3;
    for (int c = 0; c < 3; c++) {
        double here = 0;
        for (int k = 0; k < 3; k++)
            here += (triangle[3 * c + k] - center[k]) * (triangle[3 * c + k] - center[k]);
        square = here > square ? here : square;
    }
    return square;
}

PliNearness pli_ball_overlaps_plane(const float *small, const float *large)
{
    double x[3], y[3], from[3], center[3];
    if (!pli_is_finite(small, 9) || !pli_is_finite(large, 9))
        return PLI_NEAR_NEVER;
    double radius = sqrt(find_ball(small, center));
    for (int k = 0; k < 3; k++) {
        x[k] = (double)large[3 + k] - large[k];
        y[k] = (double)large[6 + k] - large[k];
        from[k] = center[k] - large[k];
    }
    const double normal[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                              x[0] * y[1] - x[1] * y[0]};
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (length == 0)
        return PLI_NEAR_UNKNOWN;
    double along = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        along += normal[k] * from[k];
        size += (fabs(x[(k + 1) % 3] * y[(k + 2) % 3]) + fabs(x[(k + 2) % 3] * y[(k + 1) % 3])) *
                (fabs(center[k]) + fabs((double)large[k]));
    }
    return fabs(along) <= radius * length * (1 + 0x1p-40) + 0x1p-40 * size ? PLI_NEAR
                                                                           : PLI_NEAR_NEVER;
}

void pli_skip_rows(const PliPose *pose, int32_t leaf, PliLeafBoxes *boxes)
{
    PliRange range = pose->bounds.tree->leaves[leaf];
    for (int32_t i = 0; i < range.count; i++) {
        int32_t triangle = pli_pose_triangle(pose, range.first + i);
        if (pose->skips[triangle / 64] >> triangle % 64 & 1)
            for (int k = 0; k < 3; k++)
                boxes->low[k][i] = boxes->high[k][i] = NAN;
    }
}
