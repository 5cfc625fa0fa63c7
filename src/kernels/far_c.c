/* Pairs that are certainly farther, one after the other: the reference implementation. See far.h.
 */
#include "kernels/kernels.h"

#include <string.h>

typedef struct Vector {
    float x, y, z;
} Vector;

static Vector between(const float *p, const float *q)
{
    return (Vector){p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}

static float dot(Vector a, Vector b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* a - s * b. */
static Vector minus(Vector a, float s, Vector b)
{
    return (Vector){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

static float lesser(float x, float y)
{
    return x < y ? x : y;
}

static float greater(float x, float y)
{
    return x > y ? x : y;
}

/* From 0 to 1; 0 for a NaN. */
static float clamped(float s)
{
    return lesser(greater(s, 0), 1);
}

static float inverse(float x)
{
    uint32_t bits;
    float y;
    memcpy(&bits, &x, sizeof bits);
    bits = PLI_FAR_INVERSE - bits;
    memcpy(&y, &bits, sizeof y);
    return y * (2 - x * y);
}

/* Two features along g: the depth of one before the other, times |g|, and N. */
typedef struct Gap {
    Vector g;
    float depth, span;
} Gap;

static Gap between_edges(const float *p, const float *p1, const float *q, const float *q1)
{
    const Vector e = between(p1, p), f = between(q1, q), w = between(p, q);
    const float ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), ew = dot(e, w), fw = dot(f, w);
    float s = clamped((ef * fw - ew * ff) * inverse(ee * ff - ef * ef));
    const float t = clamped((ef * s + fw) * inverse(ff));
    s = clamped((ef * t - ew) * inverse(ee));
    const Vector g = minus(minus(w, -s, e), t, f);
    return (Gap){g, (dot(w, g) + lesser(dot(e, g), 0)) - greater(dot(f, g), 0),
                 (ee + ff) + dot(w, w)};
}

/* The closest point is that of the plane if it is within the triangle, else the closest one of the
 * three edges. */
static Gap between_vertex_and_triangle(const float *p, const float *triangle)
{
    const Vector ab = between(triangle + 3, triangle), ac = between(triangle + 6, triangle),
                 ap = between(p, triangle);
    const float bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac), bp = dot(ab, ap),
                cp = dot(ac, ap);
    const float area = inverse(bb * cc - bc * bc), s_plane = (cc * bp - bc * cp) * area,
                t_plane = (bb * cp - bc * bp) * area;
    const float ab_s = clamped(bp * inverse(bb)), ab_way = ab_s * (ab_s * bb - 2 * bp);
    const float ac_t = clamped(cp * inverse(cc)), ac_way = ac_t * (ac_t * cc - 2 * cp);
    const float side = (bb - 2 * bc) + cc, along = (cp - bp) - (bc - bb),
                bc_t = clamped(along * inverse(side)),
                bc_way = (bb - 2 * bp) + bc_t * (bc_t * side - 2 * along);
    const bool is_ac = ac_way < ab_way, is_bc = bc_way < (is_ac ? ac_way : ab_way),
               is_plane = s_plane >= 0 && t_plane >= 0 && s_plane + t_plane <= 1;
    const float s = is_plane ? s_plane
                    : is_bc  ? 1 - bc_t
                    : is_ac  ? 0
                             : ab_s,
                t = is_plane ? t_plane
                    : is_bc  ? bc_t
                    : is_ac  ? ac_t
                             : 0;
    const Vector g = minus(minus(ap, s, ab), t, ac);
    return (Gap){g, dot(ap, g) - greater(greater(dot(ab, g), dot(ac, g)), 0),
                 (bb + cc) + dot(ap, ap)};
}

static bool is_far(const Gap *gap, float square)
{
    const float limit = square + PLI_FAR_ERROR * gap->span;
    return gap->depth > 0 && gap->span < PLI_FAR_MOST &&
           gap->depth * gap->depth > greater(dot(gap->g, gap->g) * limit, PLI_FAR_LEAST);
}

static bool are_neighbors(const PliCorner *a, const PliCorner *b)
{
    return a[0].vertex == b[0].vertex || a[0].vertex == b[1].vertex || a[1].vertex == b[0].vertex ||
           a[1].vertex == b[1].vertex;
}

static bool have_common_vertex(const PliFarPairs *pairs, const PliCorner *a, const PliCorner *b,
                               uint32_t row)
{
    if (!pairs->is_self)
        return false;
    if (pairs->rows) {
        const uint32_t *corners = pairs->vertices + 4 * (size_t)row;
        return corners[0] == a->vertex || corners[1] == a->vertex || corners[2] == a->vertex;
    }
    return are_neighbors(a, b);
}

int32_t pli_drop_far_c(const PliFarPairs *pairs, uint32_t *left)
{
    const float square = (pairs->distance * pairs->distance) * PLI_FAR_DISTANCE;
    int32_t count = 0;
    for (int32_t i = 0; i < pairs->count; i++) {
        const uint32_t one = pairs->pairs[2 * i], other = pairs->pairs[2 * i + 1];
        const PliCorner *a = pairs->features + PLI_FEATURE_CORNERS * (size_t)one,
                        *b = pairs->rows ? NULL
                                         : pairs->features + PLI_FEATURE_CORNERS * (size_t)other;
        if (have_common_vertex(pairs, a, b, other))
            continue;
        const Gap gap =
            pairs->rows
                ? between_vertex_and_triangle(a->point, pairs->rows + PLI_ROW_SIZE * (size_t)other)
                : between_edges(a[0].point, a[1].point, b[0].point, b[1].point);
        if (!is_far(&gap, square))
            left[count++] = (uint32_t)i;
    }
    return count;
}

void pli_mask_neighbors_c(const PliCorner *features, PliExclusionMask *mask)
{
    enum { HALF = PLI_LEAF_SIZE / 2 };
    for (int after = 1; after <= HALF; after++) {
        uint32_t bits = after == HALF ? 0xff00 : 0;
        for (int i = 0; i < PLI_LEAF_SIZE; i++) {
            const int other = (i + after) % PLI_LEAF_SIZE;
            bits |= (uint32_t)are_neighbors(features + PLI_FEATURE_CORNERS * i,
                                            features + PLI_FEATURE_CORNERS * other)
                    << i;
        }
        mask->a[after - 1] = (uint16_t)bits;
    }
}
