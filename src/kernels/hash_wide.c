/* Hashes of words, several lanes at once: see hash.h. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

typedef uint32_t Words __attribute__((vector_size(4 * PLI_LANES)));

/* More than 16 vectors are not in registers: then lanes take turns. */
enum { VECTORS = PLI_HASH_LANES / PLI_LANES, AT_ONCE = VECTORS < 16 ? VECTORS : 16 };

static inline void hash_some(const uint32_t *words, int64_t block_count, uint32_t *lanes)
{
    Words all[AT_ONCE], some;
    memcpy(all, lanes, sizeof all);
    for (int64_t b = 0; b < block_count; b++, words += PLI_HASH_LANES)
        for (int i = 0; i < AT_ONCE; i++) {
            memcpy(&some, words + PLI_LANES * i, sizeof some);
            some = (all[i] ^ some) * 0x9e3779b1u;
            all[i] = some ^ some >> 15;
        }
    memcpy(lanes, all, sizeof all);
}

void PLI_NAME(pli_hash_blocks)(const uint32_t *words, int64_t block_count,
                               uint32_t lanes[PLI_HASH_LANES])
{
    for (int i = 0; i < PLI_HASH_LANES; i += PLI_LANES * AT_ONCE)
        hash_some(words + i, block_count, lanes + i);
}
