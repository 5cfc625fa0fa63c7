/* A point and the triangles of a leaf, PLI_LANES at a time. The same operations in the same order
 * as in point_c.c. See point.h. */
#include "kernels/group_vectors.h"
#include "kernels/kernels.h"
#include "kernels/wide_points.h"

#include <math.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static inline Vec between(Vec p, Vec q)
{
    return (Vec){p.x - q.x, p.y - q.y, p.z - q.z};
}

static inline Vec minus(Vec a, Floats s, Vec b)
{
    return (Vec){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

static inline Floats dot(Vec a, Vec b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline Floats largest(Vec a)
{
    return larger(larger(magnitude(a.x), magnitude(a.y)), magnitude(a.z));
}

static inline Floats root(Floats x)
{
#if PLI_LANES == 4 && defined(__SSE2__)
    return (Floats)_mm_sqrt_ps((__m128)x);
#elif PLI_LANES == 8 && defined(__AVX__)
    return (Floats)_mm256_sqrt_ps((__m256)x);
#elif PLI_LANES == 16 && defined(__AVX512F__)
    return (Floats)_mm512_sqrt_ps((__m512)x);
#else
    for (int i = 0; i < PLI_LANES; i++)
        x[i] = sqrtf(x[i]);
    return x;
#endif
}

/* The corners of the triangles of a leaf from `first` on. */
static inline void load_corners(const float *rows, int first, Vec corners[3])
{
    static const uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    Floats c[12];
    rows += PLI_ROW_SIZE * first;
    load_columns(rows, PLI_ROW_SIZE, numbers, 1, 0, c);
    load_columns(rows, PLI_ROW_SIZE, numbers, 1, 4, c + 4);
    load_columns(rows, PLI_ROW_SIZE, numbers, 1, 5, c + 8); /* the ninth float is the last */
    corners[0] = (Vec){c[0], c[1], c[2]};
    corners[1] = (Vec){c[3], c[4], c[5]};
    corners[2] = (Vec){c[6], c[7], c[11]};
}

typedef struct Place {
    Floats s, t, denominator;
} Place;

static inline void take(Place *place, Ints is_in, Floats s, Floats t, Floats denominator)
{
    place->s = choose(is_in, s, place->s);
    place->t = choose(is_in, t, place->t);
    place->denominator = choose(is_in, denominator, place->denominator);
}

/* Regions are taken from the last to the first. */
ALWAYS_INLINE Place find_place(Vec ab, Vec ac, Vec ap, Vec bp, Vec cp)
{
    const Floats none = {0}, one = all_same(1);
    const Floats ab_p = dot(ab, ap), ac_p = dot(ac, ap), ab_b = dot(ab, bp), ac_b = dot(ac, bp),
                 ab_c = dot(ab, cp), ac_c = dot(ac, cp);
    const Floats up = ac_b - ab_b, down = ab_c - ac_c;
    const Floats c = ab_p * ac_b - ab_b * ac_p, b = ab_c * ac_p - ab_p * ac_c,
                 a = ab_b * ac_c - ab_c * ac_b;
    Place place = {b, c, (a + b) + c};
    take(&place, (a <= 0) & (up >= 0) & (down >= 0), down, up, down + up);
    take(&place, (b <= 0) & (ac_p >= 0) & (ac_c <= 0), none, ac_p, ac_p - ac_c);
    take(&place, (c <= 0) & (ab_p >= 0) & (ab_b <= 0), ab_p, none, ab_p - ab_b);
    take(&place, (ac_c >= 0) & (down <= 0), none, one, one);
    take(&place, (ab_b >= 0) & (up <= 0), one, none, one);
    take(&place, (ab_p <= 0) & (ac_p <= 0), none, none, one);
    return place;
}

/* Triangles, as they are seen from the point. */
typedef struct Sight {
    Vec ab, ac, ap, bp, cp;
    Floats size, error;
} Sight;

ALWAYS_INLINE Sight see(const float *at, const float *rows, int first)
{
    const Vec point = {all_same(at[0]), all_same(at[1]), all_same(at[2])};
    Vec corners[3];
    load_corners(rows, first, corners);
    Sight sight = {.ab = between(corners[1], corners[0]),
                   .ac = between(corners[2], corners[0]),
                   .ap = between(point, corners[0]),
                   .bp = between(point, corners[1]),
                   .cp = between(point, corners[2])};
    sight.size = larger(larger(largest(sight.ab), largest(sight.ac)), largest(sight.ap));
    sight.error = sight.size * PLI_POINT_ERROR + PLI_POINT_LEAST_ERROR;
    return sight;
}

ALWAYS_INLINE Floats find_depth(const Sight *sight, Vec along)
{
    return smaller(smaller(dot(sight->ap, along), dot(sight->bp, along)), dot(sight->cp, along));
}

ALWAYS_INLINE Ints is_beyond(const Sight *sight, float distance)
{
    const Vec a = sight->ap, b = sight->bp, c = sight->cp,
              g = {(a.x + b.x) + c.x, (a.y + b.y) + c.y, (a.z + b.z) + c.z};
    const Floats depth = find_depth(sight, g), fourth = depth * depth, square = dot(g, g),
                 limit = distance + sight->error;
    return (depth > 0) & (fourth > (square * (limit * limit)) * (1 + PLI_POINT_SLACK)) &
           (fourth >= PLI_POINT_LEAST_FOURTH) & (square >= PLI_POINT_LEAST_SQUARE) &
           (sight->size <= PLI_POINT_MOST_SIZE);
}

ALWAYS_INLINE Floats find_bounds(const Sight *sight, Floats *high)
{
    const Floats none = {0}, one = all_same(1);
    const Place place = find_place(sight->ab, sight->ac, sight->ap, sight->bp, sight->cp);
    const Floats s = smaller(larger(place.s / place.denominator, none), one),
                 t = smaller(larger(place.t / place.denominator, none), one - s);
    const Vec r = minus(minus(sight->ap, s, sight->ab), t, sight->ac);
    const Floats square = dot(r, r), length = root(square), depth = find_depth(sight, r);
    *high = length + sight->error;
    return choose((sight->size <= PLI_POINT_MOST_SIZE) & (square >= PLI_POINT_LEAST_SQUARE),
                  depth / length - sight->error, none);
}

/* The lanes from `first` on that are allowed and whose boxes are within the limit. */
static inline Ints find_within(const float *point, const PliLeafBoxes *boxes, int first,
                               uint32_t allowed, float limit)
{
    static const int32_t powers[] = {1 << 0,  1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                     1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                     1 << 12, 1 << 13, 1 << 14, 1 << 15};
    Floats sum = {0};
    for (int k = 0; k < 3; k++) {
        const Floats below = load_floats(boxes->low[k] + first) - point[k],
                     above = point[k] - load_floats(boxes->high[k] + first),
                     gap = larger((Floats){0}, larger(below, above));
        sum += gap * gap;
    }
    Ints bits;
    memcpy(&bits, powers + first, sizeof bits);
    return (sum <= limit) & ((bits & (int32_t)allowed) != 0);
}

static inline float least_lane(Floats x)
{
    float lanes[PLI_LANES];
    PliFloat4 least;
    memcpy(lanes, &x, sizeof lanes);
    memcpy(&least, lanes, sizeof least);
    for (int i = 4; i < PLI_LANES; i += 4) {
        PliFloat4 more;
        memcpy(&more, lanes + i, sizeof more);
        least = pli_min4(more, least);
    }
    const float low = least[0] < least[1] ? least[0] : least[1],
                high = least[2] < least[3] ? least[2] : least[3];
    return low < high ? low : high;
}

uint32_t PLI_NAME(pli_point_leaf)(const float point[3], const float *rows,
                                  const PliLeafBoxes *boxes, uint32_t allowed, PliReach *reach,
                                  float lows[PLI_LEAF_SIZE])
{
    Floats least = all_same(INFINITY);
    uint32_t bits = 0, beyond = 0;
    for (int first = 0; first < PLI_LEAF_SIZE; first += PLI_LANES) {
        Ints within = find_within(point, boxes, first, allowed, reach->limit);
        Floats low = {0}, high;
        if (int_lanes(within)) {
            const Sight sight = see(point, rows, first);
            within &= ~is_beyond(&sight, reach->distance);
            if (int_lanes(within)) {
                low = find_bounds(&sight, &high);
                least = smaller(choose(within, high, all_same(INFINITY)), least);
            }
        }
        memcpy(lows + first, &low, sizeof low);
        bits |= int_lanes(within) << first;
    }
    if (bits == 0)
        return 0;
    pli_reach_lower(reach, least_lane(least));
    for (int first = 0; first < PLI_LEAF_SIZE; first += PLI_LANES)
        beyond |= lanes_below(all_same(reach->distance), load_floats(lows + first)) << first;
    return bits & ~beyond;
}

/* How many of four bits are set: not all machines have an instruction for it. */
static inline int32_t count_four(uint32_t bits)
{
    return (int32_t)(UINT64_C(0x4332322132212110) >> 4 * bits & 15);
}

int32_t PLI_NAME(pli_point_boxes)(const float point[3], const PliBoxes *boxes, float limit,
                                  float gaps[PLI_GROUP], int32_t ranks[PLI_GROUP])
{
    static const int32_t numbers[PLI_GROUP] = {0, 1, 2, 3, 4, 5, 6, 7};
    enum { PARTS = PLI_GROUP / GROUP_LANES };
    GroupInts keys[PARTS], sums[PARTS];
    int32_t all[PLI_GROUP];
    uint32_t bits = 0;
    for (int part = 0; part < PARTS; part++) {
        const int first = GROUP_LANES * part;
        GroupFloats sum = {0};
        GroupInts number;
        memcpy(&number, numbers + first, sizeof number);
        for (int k = 0; k < 3; k++) {
            const GroupFloats below = load_group(boxes->low[k] + first) - point[k],
                              above = point[k] - load_group(boxes->high[k] + first),
                              gap = GROUP_MAX((GroupFloats){0}, GROUP_MAX(below, above));
            sum += gap * gap;
        }
        const GroupInts within = sum <= limit;
        store_group(gaps + first, sum);
        keys[part] =
            (within & (((GroupInts)sum & -PLI_GROUP) | number)) | (~within & (number - PLI_GROUP));
        memcpy(all + first, &keys[part], sizeof keys[part]);
        bits |= group_bits(within) << first;
        sums[part] = (GroupInts){0};
    }
    for (int i = 0; i < PLI_GROUP; i++)
        for (int part = 0; part < PARTS; part++)
            sums[part] -= all[i] > keys[part];
    memcpy(ranks, sums, sizeof sums);
    return count_four(bits & 15) + count_four(bits >> 4);
}
