/* Slabs, which k-DOPs and boxes are made of: their directions and their ends. What they say of
 * other directions is in kernels/joints.h. See shape.h and pose.h. */
#include "shape/slabs.h"
#include "geom/geom.h"

const float pli_slab_directions[2][9][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}},
    {{1, 0, 0},
     {0, 1, 0},
     {0, 0, 1},
     {1, 1, 0},
     {1, -1, 0},
     {1, 0, 1},
     {1, 0, -1},
     {0, 1, 1},
     {0, 1, -1}},
};

/* ---- Ends ------------------------------------------------------------------------------------ */

void pli_slabs_clear(int32_t slab_count, float *bound)
{
    for (int32_t s = 0; s < slab_count; s++) {
        bound[s] = INFINITY;
        bound[slab_count + s] = -INFINITY;
    }
}

void pli_slabs_widen(int32_t slab_count, int32_t s, float low, float high, float *bound)
{
    bound[s] = low < bound[s] ? low : bound[s];
    bound[slab_count + s] = high > bound[slab_count + s] ? high : bound[slab_count + s];
}

/* A sum along a diagonal may overflow; morph_bounds.c has no use for slabs then. */
void pli_slabs_add(PliantBoundKind kind, const float point[3], float *bound)
{
    const int32_t slab_count = pli_slab_count(kind);
    if (!pli_is_finite(point, 3))
        return;
    for (int32_t s = 0; s < slab_count; s++) {
        const float *n = pli_slabs_of(kind)[s];
        float along = s < 3 ? point[s] : (n[0] * point[0] + n[1] * point[1]) + n[2] * point[2];
        pli_slabs_widen(slab_count, s, along, along, bound);
    }
}
