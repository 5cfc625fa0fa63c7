/* A small set of vertices: a table with open addressing, cleared for each part of the tree.
 *
 * It takes the place of a mark for each vertex of the mesh, of which every worker would need its
 * own. A table has at least twice as many slots as vertices are put into it. */
#ifndef PLI_VERTEX_SET_H
#define PLI_VERTEX_SET_H

#include "base/sort.h"

/* The slots of a set that `count` vertices are put into: 2^bits of them. */
static inline int pli_vertex_set_bits(int32_t count)
{
    return pli_bits_below(count) + 1;
}

static inline void pli_vertex_set_clear(uint32_t *slots, int bits)
{
    memset(slots, 0, sizeof *slots << bits);
}

/* Where a vertex is, or is to be put: its slot then holds vertex + 1. An empty one holds 0. */
static inline uint32_t pli_vertex_set_find(const uint32_t *slots, int bits, uint32_t vertex)
{
    uint32_t slot = vertex * UINT32_C(0x9e3779b9) >> (32 - bits);
    while (slots[slot] != 0 && slots[slot] != vertex + 1)
        slot = (slot + 1) & ((UINT32_C(1) << bits) - 1);
    return slot;
}

#endif
