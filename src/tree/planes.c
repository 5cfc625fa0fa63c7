/* Boxes and balls beside a plane: see planes.h.
 *
 * The end of a box that is farthest along the normal n, or the center of a ball, is a point p; its
 * n . p is summed in float32. With u = 2^-24 and S = |n0 p0| + |n1 p1| + |n2 p2|, three products
 * and two sums are off by at most 3.01 u S, the subtraction of a margin by u S (1 + 10 u) more, and
 * S itself as it is computed is at least (1 - 3 u) S: a margin of 8 u S holds all that. A product
 * that underflows is off by 2^-150; so are those of the margin: LEAST is far more than all of them.
 * The ends of a box of pieces may be rounded inward (shape/pieces.c), by u of them or 2^-150. A
 * ball's radius times the length of the normal is rounded by u of it, for which S has it as well.
 *
 * Where something overflows, S does so too: infinity less infinity is NaN, for which no comparison
 * holds, and nothing is left out. */
#include "tree/planes.h"

#define SHARE 0x1p-21f
#define LEAST 0x1p-140f

/* Which of eight are beyond the plane: their least n . p is above, or their greatest below. */
static PliPlaneSides sides(const PliPlane *plane, const float least[8], const float greatest[8])
{
    PliPlaneSides sides = {0, 0};
    for (int i = 0; i < 8; i++) {
        sides.above |= (uint32_t)(least[i] > plane->high) << i;
        sides.below |= (uint32_t)(greatest[i] < plane->low) << i;
    }
    return sides;
}

PliPlaneSides pli_plane_sides_of_boxes(const PliPlane *plane, const PliBoxes *boxes)
{
    const float *n = plane->normal, *ends[2][3];
    float least[8], greatest[8];
    for (int k = 0; k < 3; k++) {
        const bool is_negative = n[k] < 0;
        ends[0][k] = is_negative ? boxes->high[k] : boxes->low[k];
        ends[1][k] = is_negative ? boxes->low[k] : boxes->high[k];
    }
    for (int i = 0; i < 8; i++) {
        float x = n[0] * ends[0][0][i], y = n[1] * ends[0][1][i], z = n[2] * ends[0][2][i];
        float size = (fabsf(x) + fabsf(y)) + fabsf(z);
        least[i] = ((x + y) + z) - (size * SHARE + LEAST);
        x = n[0] * ends[1][0][i], y = n[1] * ends[1][1][i], z = n[2] * ends[1][2][i];
        size = (fabsf(x) + fabsf(y)) + fabsf(z);
        greatest[i] = ((x + y) + z) + (size * SHARE + LEAST);
    }
    return sides(plane, least, greatest);
}

PliPlaneSides pli_plane_sides_of_balls(const PliPlane *plane, const float *balls)
{
    const float *n = plane->normal;
    float least[8], greatest[8];
    for (int i = 0; i < 8; i++) {
        float x = n[0] * balls[i], y = n[1] * balls[8 + i], z = n[2] * balls[16 + i];
        float radius = plane->length * balls[24 + i], along = (x + y) + z;
        float size = ((fabsf(x) + fabsf(y)) + fabsf(z)) + fabsf(radius);
        float reach = radius + (size * SHARE + LEAST);
        least[i] = along - reach;
        greatest[i] = along + reach;
    }
    return sides(plane, least, greatest);
}
