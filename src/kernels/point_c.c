/* A point and the triangles of a leaf, in plain C: see point.h. */
#include "kernels/kernels.h"

#include <math.h>

typedef struct Vector {
    float x, y, z;
} Vector;

static Vector between(const float *p, const float *q)
{
    return (Vector){p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}

static Vector minus(Vector a, float s, Vector b)
{
    return (Vector){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

static float dot(Vector a, Vector b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static float larger(float x, float y)
{
    return x > y ? x : y;
}

static float smaller(float x, float y)
{
    return x < y ? x : y;
}

static float largest(Vector a)
{
    return larger(larger(fabsf(a.x), fabsf(a.y)), fabsf(a.z));
}

/* The closest point is at s and t, times one over the denominator. */
typedef struct Place {
    float s, t, denominator;
} Place;

static Place find_place(Vector ab, Vector ac, Vector ap, Vector bp, Vector cp)
{
    const float ab_p = dot(ab, ap), ac_p = dot(ac, ap), ab_b = dot(ab, bp), ac_b = dot(ac, bp),
                ab_c = dot(ab, cp), ac_c = dot(ac, cp);
    const float up = ac_b - ab_b, down = ab_c - ac_c;
    const float c = ab_p * ac_b - ab_b * ac_p, b = ab_c * ac_p - ab_p * ac_c,
                a = ab_b * ac_c - ab_c * ac_b;
    if ((ab_p <= 0) & (ac_p <= 0))
        return (Place){0, 0, 1};
    if ((ab_b >= 0) & (up <= 0))
        return (Place){1, 0, 1};
    if ((ac_c >= 0) & (down <= 0))
        return (Place){0, 1, 1};
    if ((c <= 0) & (ab_p >= 0) & (ab_b <= 0))
        return (Place){ab_p, 0, ab_p - ab_b};
    if ((b <= 0) & (ac_p >= 0) & (ac_c <= 0))
        return (Place){0, ac_p, ac_p - ac_c};
    if ((a <= 0) & (up >= 0) & (down >= 0))
        return (Place){down, up, down + up};
    return (Place){b, c, (a + b) + c};
}

/* A triangle, as it is seen from the point. */
typedef struct Sight {
    Vector ab, ac, ap, bp, cp;
    float size, error;
} Sight;

static Sight see(const float *point, const float *row)
{
    Sight sight = {.ab = between(row + 3, row),
                   .ac = between(row + 6, row),
                   .ap = between(point, row),
                   .bp = between(point, row + 3),
                   .cp = between(point, row + 6)};
    sight.size = larger(larger(largest(sight.ab), largest(sight.ac)), largest(sight.ap));
    sight.error = sight.size * PLI_POINT_ERROR + PLI_POINT_LEAST_ERROR;
    return sight;
}

static float find_depth(const Sight *sight, Vector along)
{
    return smaller(smaller(dot(sight->ap, along), dot(sight->bp, along)), dot(sight->cp, along));
}

/* Is it farther than a distance, by the vector toward its middle? */
static bool is_beyond(const Sight *sight, float distance)
{
    const Vector a = sight->ap, b = sight->bp, c = sight->cp,
                 g = {(a.x + b.x) + c.x, (a.y + b.y) + c.y, (a.z + b.z) + c.z};
    const float depth = find_depth(sight, g), fourth = depth * depth, square = dot(g, g),
                limit = distance + sight->error;
    return (depth > 0) & (fourth > (square * (limit * limit)) * (1 + PLI_POINT_SLACK)) &
           (fourth >= PLI_POINT_LEAST_FOURTH) & (square >= PLI_POINT_LEAST_SQUARE) &
           (sight->size <= PLI_POINT_MOST_SIZE);
}

/* The bounds of one triangle. */
static float find_bounds(const Sight *sight, float *high)
{
    const Place place = find_place(sight->ab, sight->ac, sight->ap, sight->bp, sight->cp);
    const float s = smaller(larger(place.s / place.denominator, 0), 1),
                t = smaller(larger(place.t / place.denominator, 0), 1 - s);
    const Vector r = minus(minus(sight->ap, s, sight->ab), t, sight->ac);
    const float square = dot(r, r), length = sqrtf(square), depth = find_depth(sight, r);
    *high = length + sight->error;
    return ((sight->size <= PLI_POINT_MOST_SIZE) & (square >= PLI_POINT_LEAST_SQUARE))
               ? depth / length - sight->error
               : 0;
}

static float gap_of(const float *point, const PliLeafBoxes *boxes, int i)
{
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        const float gap =
            larger(0, larger(boxes->low[k][i] - point[k], point[k] - boxes->high[k][i]));
        sum += gap * gap;
    }
    return sum;
}

uint32_t pli_point_leaf_c(const float point[3], const float *rows, const PliLeafBoxes *boxes,
                          uint32_t allowed, PliReach *reach, float lows[PLI_LEAF_SIZE])
{
    const PliReach before = *reach;
    uint32_t bits = 0;
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        float high;
        if (!(allowed >> i & 1) || !(gap_of(point, boxes, i) <= before.limit))
            continue;
        const Sight sight = see(point, rows + PLI_ROW_SIZE * i);
        if (is_beyond(&sight, before.distance))
            continue;
        lows[i] = find_bounds(&sight, &high);
        pli_reach_lower(reach, high);
        bits |= UINT32_C(1) << i;
    }
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        if ((bits >> i & 1) && lows[i] > reach->distance)
            bits &= ~(UINT32_C(1) << i);
    return bits;
}

int32_t pli_point_boxes_c(const float point[3], const PliBoxes *boxes, float limit,
                          float gaps[PLI_GROUP], int32_t ranks[PLI_GROUP])
{
    int32_t keys[PLI_GROUP], count = 0;
    pli_gaps(point, point, boxes->low[0], boxes->high[0], PLI_GROUP, gaps);
    for (int32_t i = 0; i < PLI_GROUP; i++) {
        memcpy(&keys[i], &gaps[i], sizeof keys[i]);
        keys[i] = gaps[i] <= limit ? (keys[i] & -PLI_GROUP) | i : i - PLI_GROUP;
        count += gaps[i] <= limit;
    }
    for (int i = 0; i < PLI_GROUP; i++) {
        ranks[i] = 0;
        for (int j = 0; j < PLI_GROUP; j++)
            ranks[i] += keys[j] > keys[i];
    }
    return count;
}
