/* Hashes of vertices: have they changed since they were last read?
 *
 * 128 lanes of 32 bits, each of which takes every 128th word: with 64, a multiplication waits for
 * the last one. A step is (lane ^ word) times an odd
 * number, and then the upper bits are mixed into the lower ones: it maps words one to one, and
 * lanes too. So a change of one word always changes its lane, and a change of several words of one
 * lane is missed once in 2^32 times, if no other lane changes. Signs of floats are upper bits:
 * without the last part of the step, two changed signs would cancel each other. */
#ifndef PLI_HASH_KERNEL_H
#define PLI_HASH_KERNEL_H

#include "kernels/vertex_boxes.h"

enum { PLI_HASH_LANES = 128 };

/* Takes `block_count` times as many words as there are lanes. */
typedef void PliHashBlocks(const uint32_t *words, int64_t block_count,
                           uint32_t lanes[PLI_HASH_LANES]);

typedef struct PliKernels PliKernels;

/* Returns a hash of vertices `first` to `end` - 1: the same for equal floats, whatever the stride
 * and the instruction set. */
uint64_t pli_hash_vertices(const PliVertexView *vertices, int64_t first, int64_t end,
                           const PliKernels *kernels);

/* Returns a hash of two hashes. */
uint64_t pli_hash_both(uint64_t a, uint64_t b);

#endif
