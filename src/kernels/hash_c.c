/* Hashes of words, in plain C: the reference implementation. See hash.h. */
#include "kernels/kernels.h"

void pli_hash_blocks_c(const uint32_t *words, int64_t block_count, uint32_t lanes[PLI_HASH_LANES])
{
    for (int64_t b = 0; b < block_count; b++, words += PLI_HASH_LANES)
        for (int i = 0; i < PLI_HASH_LANES; i++) {
            const uint32_t mixed = (lanes[i] ^ words[i]) * 0x9e3779b1u;
            lanes[i] = mixed ^ mixed >> 15;
        }
}
