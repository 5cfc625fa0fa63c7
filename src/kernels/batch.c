/* Many pairs, exactly: see batch.h. */
#include "kernels/batch.h"

#include <string.h>

/* Pairs that are filtered before the undecided ones are settled: few enough that their corners are
 * still in the cache, many enough that the last vector, half empty, does not matter. */
enum { BLOCK = 512 };

/* Decides the undecided pairs, and returns how many of all pairs intersect. Tests eight verdicts at
 * a time: nearly always none of them is undecided. */
static int64_t settle(const float *a, const float *b, const uint32_t *pairs, int64_t pair_count,
                      uint8_t *verdicts, PliCounts *counts)
{
    int64_t intersecting = 0;
    for (int64_t start = 0; start < pair_count; start += 8) {
        int64_t rest = pair_count - start;
        uint64_t eight = 0;
        memcpy(&eight, verdicts + start, rest < 8 ? (size_t)rest : 8);
        if (PLI_UNLIKELY(eight & PLI_UNDECIDED * UINT64_C(0x0101010101010101))) {
            for (int64_t i = start; i < start + 8 && i < pair_count; i++) {
                if (verdicts[i] != PLI_UNDECIDED)
                    continue;
                counts->undecided++;
                verdicts[i] = pli_triangles_intersect(a + 9 * (size_t)pairs[2 * i],
                                                      b + 9 * (size_t)pairs[2 * i + 1], counts);
            }
            memcpy(&eight, verdicts + start, rest < 8 ? (size_t)rest : 8);
        }
        intersecting +=
            (int64_t)(eight * UINT64_C(0x0101010101010101) >> 56); /* the sum of the bytes */
    }
    return intersecting;
}

PLI_NOINLINE void pli_pairs_intersect(const PliKernels *kernels, const float *a, const float *b,
                                      const uint32_t *pairs, int64_t pair_count,
                                      uint8_t *intersects, PliCounts *counts)
{
    counts->pairs += pair_count;
    for (int64_t start = 0; start < pair_count; start += BLOCK) {
        int64_t rest = pair_count - start, count = rest < BLOCK ? rest : BLOCK;
        kernels->filter_pairs(a, b, pairs + 2 * start, count, intersects + start);
        counts->intersecting += settle(a, b, pairs + 2 * start, count, intersects + start, counts);
    }
}
