/* Hashes of words, in plain C: the reference implementation. See hash.h. */
#include "kernels/kernels.h"

#include <string.h>

void pli_hash_blocks_c(const uint32_t *words, int64_t block_count, uint64_t lanes[PLI_HASH_LANES])
{
    for (int64_t b = 0; b < block_count; b++, words += PLI_HASH_WORDS)
        for (int i = 0; i < PLI_HASH_LANES; i++) {
            uint64_t two;
            memcpy(&two, words + 2 * i, sizeof two);
            two ^= lanes[i];
            lanes[i] = (two << 32 | two >> 32) + (two & 0xffffffff) * PLI_HASH_FACTOR;
        }
}
