/* Hashes of vertices: see hash.h. */
#include "kernels/kernels.h"

#include <string.h>

uint64_t pli_hash_both(uint64_t a, uint64_t b)
{
    uint64_t mixed = (a ^ a >> 32) * UINT64_C(0x9e3779b97f4a7c15) + b;
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return mixed ^ mixed >> 32;
}

/* The floats of some vertices without the gaps between them, and zeros behind them. */
static int64_t pack(const PliVertexView *vertices, int64_t first, int64_t count,
                    uint32_t words[3 * PLI_HASH_WORDS])
{
    const int64_t block_count = (3 * count + PLI_HASH_WORDS - 1) / PLI_HASH_WORDS;
    memset(words, 0, (size_t)block_count * PLI_HASH_WORDS * sizeof *words);
    for (int64_t i = 0; i < count; i++)
        memcpy(words + 3 * i, vertices->data + vertices->stride * (size_t)(first + i),
               3 * sizeof *words);
    return block_count;
}

/* Whole blocks are read in place, if there are no gaps: of as many vertices as a block has
 * words, three. */
uint64_t pli_hash_vertices(const PliVertexView *vertices, int64_t first, int64_t end,
                           const PliKernels *kernels)
{
    uint64_t lanes[PLI_HASH_LANES] = {0};
    uint32_t packed[3 * PLI_HASH_WORDS];
    const int64_t whole =
        vertices->stride == 3 * sizeof(float) ? (end - first) / PLI_HASH_WORDS : 0;
    uint64_t hash = (uint64_t)(end - first);
    if (whole > 0)
        kernels->hash_blocks(
            (const uint32_t *)(const void *)(vertices->data + vertices->stride * (size_t)first),
            3 * whole, lanes);
    for (int64_t i = first + PLI_HASH_WORDS * whole; i < end; i += PLI_HASH_WORDS) {
        const int64_t count = end - i < PLI_HASH_WORDS ? end - i : PLI_HASH_WORDS;
        const int64_t block_count = pack(vertices, i, count, packed);
        kernels->hash_blocks(packed, block_count, lanes);
    }
    for (int i = 0; i < PLI_HASH_LANES; i++)
        hash = pli_hash_both(hash, lanes[i]);
    return hash;
}
