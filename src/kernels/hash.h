/* Hashes of vertices: have they changed since they were last read?
 *
 * 32 lanes of 64 bits, each of which takes two of 64 words. A step changes both halves of
 * x = lane ^ words to low * (K + 2^32) + high, which is x with its halves swapped, plus low * K. If
 * one half of x changes, so does the result, since K is odd: a change of one word is never missed
 * at its step. All else is chance: about once in 2^62 times for each step. */
#ifndef PLI_HASH_KERNEL_H
#define PLI_HASH_KERNEL_H

#include "kernels/vertex_boxes.h"

enum { PLI_HASH_LANES = 32, PLI_HASH_WORDS = 2 * PLI_HASH_LANES };
#define PLI_HASH_FACTOR 0x9e3779b1u /* K */

/* Takes `block_count` times PLI_HASH_WORDS words. */
typedef void PliHashBlocks(const uint32_t *words, int64_t block_count,
                           uint64_t lanes[PLI_HASH_LANES]);

typedef struct PliKernels PliKernels;

/* Returns a hash of vertices `first` to `end` - 1: the same for equal floats, whatever the stride
 * and the instruction set. */
uint64_t pli_hash_vertices(const PliVertexView *vertices, int64_t first, int64_t end,
                           const PliKernels *kernels);

/* Returns a hash of two hashes. */
uint64_t pli_hash_both(uint64_t a, uint64_t b);

#endif
