/* Rays and boxes, many boxes at once, and rays and triangles, PLI_LANES pairs at a time, in halves
 * of doubles: the same operations in the same order as in geom/ray.c. See ray.h. */
#include "geom/orient.h"
#include "kernels/kernels.h"
#include "kernels/wide_doubles.h"

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* The ends of PLI_LANES boxes where rays of one octant enter and leave. */
typedef struct Ends {
    Floats enter[3], leave[3];
    Ints are_there;
} Ends;

/* Of eight boxes, in sixteen lanes, the others are empty. */
static inline Floats load_ends(const float *from, int32_t box_count)
{
#if PLI_LANES == 16
    if (box_count == PLI_GROUP)
        return (Floats)_mm512_maskz_loadu_ps(0xff, from);
#endif
    (void)box_count;
    return load_floats(from);
}

static inline void store_nears(float *to, Floats nears, int32_t box_count)
{
#if PLI_LANES == 16
    if (box_count == PLI_GROUP) {
        _mm512_mask_storeu_ps(to, 0xff, (__m512)nears);
        return;
    }
#endif
    (void)box_count;
    memcpy(to, &nears, sizeof nears);
}

static inline Ends ends_of(uint32_t octant, const float *boxes, int32_t box_count)
{
    Ends ends;
    for (int k = 0; k < 3; k++) {
        const int down = octant >> k & 1;
        ends.enter[k] = load_ends(boxes + (k + 3 * down) * box_count, box_count);
        ends.leave[k] = load_ends(boxes + (k + 3 * !down) * box_count, box_count);
    }
    ends.are_there = load_ends(boxes, box_count) <= load_ends(boxes + 3 * box_count, box_count);
    return ends;
}

static inline Ints pass(const PliRayLine *line, const Ends *ends, Floats *nears)
{
    Floats near = {0}, far = all_same(line->end);
    for (int k = 0; k < 3; k++) {
        const float o = line->origin[k], inverse = line->inverse[k];
        near = PLI_MAX((ends->enter[k] - o) * inverse, near);
        far = PLI_MIN((ends->leave[k] - o) * inverse, far);
    }
    *nears = near * (1 - PLI_RAY_SLACK) - PLI_RAY_LEAST;
    return (*nears <= far * (1 + PLI_RAY_SLACK)) & ends->are_there;
}

static inline __attribute__((always_inline)) void
test_boxes(const PliRayLine *lines, const PliRayItem *items, int32_t item_count, const float *boxes,
           int32_t box_count, uint32_t *bits, float *nears)
{
    const uint32_t all = (UINT32_C(1) << box_count) - 1;
    for (int32_t j = 0; j < box_count; j += PLI_LANES) {
        const Ends ends = ends_of(lines[items[0].ray].octant, boxes + j, box_count);
        for (int32_t i = 0; i < item_count; i++) {
            Floats near;
            const uint32_t passed = int_lanes(pass(&lines[items[i].ray], &ends, &near)) << j & all;
            store_nears(nears + box_count * i + j, near, box_count);
            bits[i] = (j == 0 ? 0 : bits[i]) | passed;
        }
    }
}

void PLI_NAME(pli_ray_boxes)(const PliRayLine *lines, const PliRayItem *items, int32_t item_count,
                             const float *boxes, int32_t box_count, uint32_t *bits, float *nears)
{
    if (box_count == PLI_GROUP)
        test_boxes(lines, items, item_count, boxes, PLI_GROUP, bits, nears);
    else
        test_boxes(lines, items, item_count, boxes, PLI_LEAF_SIZE, bits, nears);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Adds the items of the lanes of a mask to a list. Returns how many these are. */
static inline int64_t add_items(PliRayItem *list, const uint32_t *rays, Floats nears, uint32_t mask)
{
#if PLI_LANES == 16
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    const __m512i here = _mm512_loadu_si512(rays);
    const uint32_t low = mask & 0xff;
    const int middle = __builtin_popcount(low);
    __m512i items = _mm512_permutex2var_epi32(here, first, (__m512i)nears);
    _mm512_storeu_si512(list, _mm512_maskz_compress_epi64((__mmask8)low, items));
    items = _mm512_permutex2var_epi32(here, second, (__m512i)nears);
    _mm512_storeu_si512(list + middle, _mm512_maskz_compress_epi64((__mmask8)(mask >> 8), items));
    return middle + __builtin_popcount(mask >> 8);
#else
    int64_t count = 0;
    for (int i = 0; i < PLI_LANES; i++) {
        list[count] = (PliRayItem){(int32_t)rays[i], nears[i]};
        count += mask >> i & 1;
    }
    return count;
#endif
}

/* PLI_LANES lines, of one octant. */
typedef struct Lines {
    Floats origin[3], inverse[3], end;
} Lines;

static inline Lines load_lines(const PliRayLine *lines, const uint32_t *rays)
{
    enum { LINE_SIZE = sizeof *lines / sizeof(float) };
    Floats columns[8];
    load_columns(lines->origin, LINE_SIZE, rays, 1, 0, columns);
    load_columns(lines->origin, LINE_SIZE, rays, 1, 4, columns + 4);
    return (Lines){
        {columns[0], columns[1], columns[2]}, {columns[3], columns[4], columns[5]}, columns[6]};
}

/* Which lines go through box c. */
static inline Ints pass_one(const Lines *lines, uint32_t octant, const PliBoxes *boxes, int c,
                            Floats *nears)
{
    Floats near = {0}, far = lines->end;
    for (int k = 0; k < 3; k++) {
        const float low = boxes->low[k][c], high = boxes->high[k][c];
        const bool is_downward = octant >> k & 1;
        near = PLI_MAX(((is_downward ? high : low) - lines->origin[k]) * lines->inverse[k], near);
        far = PLI_MIN(((is_downward ? low : high) - lines->origin[k]) * lines->inverse[k], far);
    }
    *nears = near * (1 - PLI_RAY_SLACK) - PLI_RAY_LEAST;
    return *nears <= far * (1 + PLI_RAY_SLACK);
}

void PLI_NAME(pli_spread_rays)(const PliRayLine *lines, const PliRayItem *items, int64_t item_count,
                               const PliBoxes *boxes, PliRayItem *const *lists, int64_t *counts)
{
    const uint32_t octant = lines[items[0].ray].octant;
    for (int64_t i = 0; i < item_count; i += PLI_LANES) {
        const int64_t left = item_count - i;
        const int count = left < PLI_LANES ? (int)left : PLI_LANES;
        const uint32_t there = (UINT32_C(1) << count) - 1;
        uint32_t rays[PLI_LANES]; /* spare lanes repeat the last one */
        for (int lane = 0; lane < PLI_LANES; lane++)
            rays[lane] = (uint32_t)items[i + (lane < count ? lane : count - 1)].ray;
        const Lines here = load_lines(lines, rays);
        for (int c = 0; c < PLI_GROUP; c++) {
            if (!(boxes->low[0][c] <= boxes->high[0][c]))
                continue;
            Floats nears;
            const uint32_t mask = int_lanes(pass_one(&here, octant, boxes, c, &nears)) & there;
            counts[c] += add_items(lists[c] + counts[c], rays, nears, mask);
        }
    }
}

/* ---- Triangles ------------------------------------------------------------------------------- */

typedef struct Vector {
    Doubles x, y, z;
} Vector;

static inline Vector between(Vector p, Vector q)
{
    return (Vector){p.x - q.x, p.y - q.y, p.z - q.z};
}

static inline Vector sizes_of(Vector v)
{
    return (Vector){size_of(v.x), size_of(v.y), size_of(v.z)};
}

static inline Doubles dot(Vector a, Vector b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* p x q, and the magnitudes that went into it. */
typedef struct Cross {
    Vector normal, magnitudes;
} Cross;

static inline Cross cross(Vector p, Vector q)
{
    const Doubles yz = p.y * q.z, zy = p.z * q.y, zx = p.z * q.x, xz = p.x * q.z, xy = p.x * q.y,
                  yx = p.y * q.x;
    return (Cross){
        {yz - zy, zx - xz, xy - yx},
        {size_of(yz) + size_of(zy), size_of(zx) + size_of(xz), size_of(xy) + size_of(yx)}};
}

/* HALF rays and triangles; corners are seen from the origins. */
typedef struct Problem {
    Vector d, p[3];
    Doubles max;
    Vector e, f; /* edges */
} Problem;

typedef struct Decision {
    uint32_t hits, misses; /* lanes */
    Doubles low, high;
} Decision;

/* Lanes whose line goes through the inner part of the triangle, and those where it certainly goes
 * by. */
static inline Longs is_within(const Problem *problem, Longs *is_beside)
{
    Longs positive = {0}, negative = {0}, all_positive = ~positive, all_negative = ~positive;
    for (int i = 0; i < 3; i++) {
        const Cross side = cross(problem->p[i], problem->p[i == 2 ? 0 : i + 1]);
        const Doubles edge = dot(side.normal, problem->d);
        const Doubles error = PLI_FILTER3 * dot(side.magnitudes, sizes_of(problem->d));
        const Longs is_positive = edge > error, is_negative = edge < -error;
        positive |= is_positive;
        negative |= is_negative;
        all_positive &= is_positive;
        all_negative &= is_negative;
    }
    *is_beside = positive & negative;
    return all_positive | all_negative;
}

static inline Decision decide(const Problem *problem)
{
    Longs is_beside;
    const Longs is_in = is_within(problem, &is_beside);
    Decision decision = {.misses = bits_of(is_beside)};
    if (bits_of(is_in) == 0)
        return decision;
    const Cross plane = cross(problem->f, problem->e);
    const Vector p = problem->p[0], d = problem->d;
    const Doubles volume = dot(plane.normal, p), area = dot(plane.normal, d);
    const Doubles volume_error = PLI_FILTER3 * dot(plane.magnitudes, sizes_of(p));
    const Doubles area_error = PLI_FILTER3 * dot(plane.magnitudes, sizes_of(d));
    const Doubles volume_size = size_of(volume), area_size = size_of(area), max = problem->max;
    const Doubles end = max * area_size;
    const Doubles error = (volume_error + max * area_error) * 1.0625 + end * 0x1p-50;
    const Longs is_known = is_in & (area_size > 4 * area_error) & (volume_size > volume_error);
    const Longs is_behind = (volume > 0) ^ (area > 0), is_endless = max == same(INFINITY);
    const Longs is_beyond = ~is_endless & (volume_size - end > error);
    const Longs is_before = is_endless | (end - volume_size > error);
    decision.hits = bits_of(is_known & ~is_behind & is_before);
    decision.misses |= bits_of(is_known & (is_behind | is_beyond));

    const Doubles t = volume / area;
    const Doubles span_error = 1.5 * (volume_error + t * area_error) / area_size + t * 0x1p-51;
    decision.low = t - span_error;
    decision.high = t + span_error;
    return decision;
}

static inline void write_decision(const Decision *decision, int count, uint8_t *verdicts,
                                  PliRaySpan *spans)
{
    for (int i = 0; i < count; i++) {
        const uint32_t hits = decision->hits >> i & 1, misses = decision->misses >> i & 1;
        verdicts[i] = (uint8_t)(hits ? PLI_RAY_HITS : misses ? PLI_RAY_MISSES : PLI_RAY_OPEN);
        if (hits)
            spans[i] = (PliRaySpan){decision->low[i], decision->high[i]};
    }
}

static inline void test_vector(const PliRay *rays, const float *rows, const PliRayTest *tests,
                               int count, uint8_t *verdicts, PliRaySpan *spans)
{
    enum { RAY_SIZE = sizeof *rays / sizeof(float), STRIDE = sizeof *tests / sizeof(uint32_t) };
    Floats ray[8], t[12]; /* the last four are numbers 5 to 8 of a row */
    load_columns(rays->origin, RAY_SIZE, &tests->ray, STRIDE, 0, ray);
    load_columns(rays->origin, RAY_SIZE, &tests->ray, STRIDE, 3, ray + 4);
    for (int i = 0; i < 3; i++)
        load_columns(rows, PLI_ROW_SIZE, &tests->row, STRIDE, i < 2 ? 4 * i : 5, t + 4 * i);
    for (int half = 0; half * HALF < count; half++) {
        const Vector o = {half_of(ray[0], half), half_of(ray[1], half), half_of(ray[2], half)};
        const Vector corners[3] = {
            {half_of(t[0], half), half_of(t[1], half), half_of(t[2], half)},
            {half_of(t[3], half), half_of(t[4], half), half_of(t[5], half)},
            {half_of(t[6], half), half_of(t[7], half), half_of(t[11], half)}};
        Problem problem = {
            .d = {half_of(ray[4], half), half_of(ray[5], half), half_of(ray[6], half)},
            .max = half_of(ray[7], half),
            .e = between(corners[1], corners[0]),
            .f = between(corners[2], corners[0])};
        for (int i = 0; i < 3; i++)
            problem.p[i] = between(corners[i], o);
        const Decision decision = decide(&problem);
        const int first = half * HALF, left = count - first;
        write_decision(&decision, left < HALF ? left : HALF, verdicts + first, spans + first);
    }
}

void PLI_NAME(pli_ray_triangles)(const PliRay *rays, const float *rows, const PliRayTest *tests,
                                 int32_t count, uint8_t *verdicts, PliRaySpan *spans)
{
    int32_t first = 0;
    for (; first + PLI_LANES <= count; first += PLI_LANES)
        test_vector(rays, rows, tests + first, PLI_LANES, verdicts + first, spans + first);

    /* The last vector may be part empty: its spare lanes repeat the last pair. */
    const int rest = (int)(count - first);
    if (rest == 0)
        return;
    PliRayTest padded[PLI_LANES];
    for (int i = 0; i < PLI_LANES; i++)
        padded[i] = tests[first + (i < rest ? i : rest - 1)];
    test_vector(rays, rows, padded, rest, verdicts + first, spans + first);
}
