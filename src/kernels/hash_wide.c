/* Hashes of words, several lanes at once: see hash.h. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

typedef uint64_t Longs __attribute__((vector_size(4 * PLI_LANES)));

/* Of each lane the lower half, times a number of 32 bits: one instruction on x86. */
#if PLI_LANES == 4 && defined(__SSE2__)
#define PLI_MULTIPLY(x, y) (Longs) _mm_mul_epu32((__m128i)(x), (__m128i)(y))
#elif PLI_LANES == 8 && defined(__AVX2__)
#define PLI_MULTIPLY(x, y) (Longs) _mm256_mul_epu32((__m256i)(x), (__m256i)(y))
#elif PLI_LANES == 16 && defined(__AVX512F__)
#define PLI_MULTIPLY(x, y) (Longs) _mm512_mul_epu32((__m512i)(x), (__m512i)(y))
#else
#define PLI_MULTIPLY(x, y) (((x)&0xffffffff) * (y))
#endif

void PLI_NAME(pli_hash_blocks)(const uint32_t *words, int64_t block_count,
                               uint64_t lanes[PLI_HASH_LANES])
{
    enum { VECTORS = 2 * PLI_HASH_LANES / PLI_LANES };
    const Longs factor = (Longs){0} + PLI_HASH_FACTOR;
    Longs all[VECTORS], two;
    memcpy(all, lanes, sizeof all);
    for (int64_t b = 0; b < block_count; b++, words += PLI_HASH_WORDS)
        for (int i = 0; i < VECTORS; i++) {
            memcpy(&two, words + PLI_LANES * i, sizeof two);
            two ^= all[i];
            all[i] = (two << 32 | two >> 32) + PLI_MULTIPLY(two, factor);
        }
    memcpy(lanes, all, sizeof all);
}
