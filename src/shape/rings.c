/* Making rings: see rings.h. */
#include "shape/rings.h"
#include "base/sort.h"

static PliantResult build(PliRings *rings, int32_t corner_count, int32_t vertex_count)
{
    rings->firsts = pli_arena_cut(&rings->arena, (size_t)vertex_count + 1, sizeof(int32_t));
    rings->corners = pli_arena_cut(&rings->arena, (size_t)corner_count, sizeof(int32_t));
    PLI_TRY(rings->arena.failure);
    pli_sort_by_group(rings->vertices, corner_count, vertex_count, rings->firsts, rings->corners);
    return PLIANT_OK;
}

PliantResult pli_rings_create(const uint32_t *vertices, int32_t triangle_count,
                              int32_t vertex_count, const PliantHost *host, PliRings **rings)
{
    void *block = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliRings), &block));
    PliRings *made = block;
    *made = (PliRings){.vertices = vertices};
    pli_arena_init(&made->arena, host);
    const PliantResult result = build(made, 3 * triangle_count, vertex_count);
    if (result == PLIANT_OK)
        *rings = made;
    else
        pli_rings_free(made, host);
    return result;
}

void pli_rings_free(PliRings *rings, const PliantHost *host)
{
    if (!rings)
        return;
    pli_arena_free(&rings->arena);
    pli_release(host, rings, 1, sizeof *rings);
}
