/* Rays and boxes, many boxes at once: see ray.h. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

enum { HALF = PLI_LANES / 2 };

typedef float Half __attribute__((vector_size(2 * PLI_LANES)));
typedef double Doubles __attribute__((vector_size(4 * PLI_LANES)));
typedef int64_t Longs __attribute__((vector_size(4 * PLI_LANES)));

/* x < y ? x : y, and x > y ? x : y. */
#if PLI_LANES == 4 && defined(__SSE2__)
#define MIN(x, y) __builtin_ia32_minpd(x, y)
#define MAX(x, y) __builtin_ia32_maxpd(x, y)
#elif PLI_LANES == 8 && defined(__AVX__)
#define MIN(x, y) __builtin_ia32_minpd256(x, y)
#define MAX(x, y) __builtin_ia32_maxpd256(x, y)
#elif PLI_LANES == 16 && defined(__AVX512F__)
#define MIN(x, y) (Doubles) _mm512_min_pd((__m512d)(x), (__m512d)(y))
#define MAX(x, y) (Doubles) _mm512_max_pd((__m512d)(x), (__m512d)(y))
#else
static inline Doubles choose_doubles(Longs mask, Doubles x, Doubles y)
{
    return (Doubles)((mask & (Longs)x) | (~mask & (Longs)y));
}
#define MIN(x, y) choose_doubles((x) < (y), x, y)
#define MAX(x, y) choose_doubles((x) > (y), x, y)
#endif

static inline uint32_t long_lanes(Longs mask)
{
#if PLI_LANES == 4 && defined(__SSE2__)
    return (uint32_t)__builtin_ia32_movmskpd((Doubles)mask);
#elif PLI_LANES == 8 && defined(__AVX__)
    return (uint32_t)__builtin_ia32_movmskpd256((Doubles)mask);
#elif PLI_LANES == 16 && defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < HALF; i++)
        bits |= (uint32_t)(mask[i] & 1) << i;
    return bits;
#endif
}

static inline Doubles load_doubles(const float *from)
{
    Half half;
    memcpy(&half, from, sizeof half);
    return __builtin_convertvector(half, Doubles);
}

/* HALF boxes, which begin at `boxes` in rows of `count`. */
static inline uint32_t pass_some(const PliRayLine *line, double end, const float *boxes,
                                 int32_t count, double *nears)
{
    Doubles near = {0}, far = end - (Doubles){0};
    Longs is_there = (Longs){0} == 0;
    for (int k = 0; k < 3; k++) {
        const Doubles low = load_doubles(boxes + k * count),
                      high = load_doubles(boxes + (3 + k) * count);
        const double o = line->origin[k];
        is_there &= low <= high;
        if (line->is_across[k]) {
            is_there &= (low <= o) & (o <= high);
            continue;
        }
        const bool is_downward = line->is_downward[k];
        const Doubles enter = ((is_downward ? high : low) - o) * line->inverse[k];
        const Doubles leave = ((is_downward ? low : high) - o) * line->inverse[k];
        near = MAX(enter, near);
        far = MIN(leave, far);
    }
    is_there &= near <= far * (1 + PLI_RAY_SLACK);
    near *= 1 - PLI_RAY_SLACK;
    memcpy(nears, &near, sizeof near);
    return long_lanes(is_there);
}

uint32_t PLI_NAME(pli_ray_boxes)(const PliRayLine *line, double end, const float *boxes,
                                 int32_t count, double *nears)
{
    uint32_t bits = 0;
    for (int32_t i = 0; i < count; i += HALF)
        bits |= pass_some(line, end, boxes + i, count, nears + i) << i;
    return bits;
}
