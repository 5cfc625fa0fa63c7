/* Bodies that morph or are at rest, their weights and vertices: see morph.h. */
#include "mesh_pose/morph.h"
#include "mesh_pose/mesh_pose.h"

#include <string.h>

PliantResult pli_blending_init(PliShaped *pose, const PliantHost *host)
{
    const PliBlends *blends = &pose->shape->blends;
    PliBlending *blending = &pose->blending;
    PliBounds *bounds = &pose->base.bounds;
    size_t words = (size_t)blends->word_count, terms = (size_t)blends->term_count;
    bounds->more_size = pli_morph_extra_size(blends->bound_kind);
    bounds->more.item_size = (size_t)bounds->more_size * sizeof(float);
    /* Less than the shape itself takes: it cannot overflow. */
    size_t size = terms * 2 * sizeof(float) + 3 * words * sizeof(uint64_t);
    void *memory = NULL;
    PliantResult result = pli_allocate(host, size, 1, &memory);
    if (result != PLIANT_OK || size == 0)
        return result;
    memset(memory, 0, size); /* touched, so that no frame has to wait for it */
    blending->memory = memory;
    blending->memory_size = size;
    blending->active = memory;
    blending->bound_active = blending->active + words;
    blending->changed = blending->bound_active + words;
    blending->weights = (float *)(blending->changed + words);
    blending->bound_weights = blending->weights + terms;
    return PLIANT_OK;
}

void pli_blending_free(PliShaped *pose, const PliantHost *host)
{
    pli_release(host, pose->blending.memory, pose->blending.memory_size, 1);
}

bool pli_morph_has_base(const PliShaped *pose)
{
    return pose->shape->blends.morph_kind == PLIANT_MORPH_DISPLACEMENTS ||
           !pose->blending.has_weights;
}

/* ---- Weights ----------------------------------------------------------------------
 */

void pli_blending_set(PliShaped *pose, const float *weights)
{
    PliBlending *blending = &pose->blending;
    const int32_t count = pose->shape->blends.target_count;
    blending->has_weights = true;
    memcpy(blending->weights, weights, (size_t)count * sizeof *weights);
    for (int32_t first = 0; first < count; first += 64) {
        uint64_t active = 0;
        for (int32_t t = first; t < count && t < first + 64; t++)
            active |= (uint64_t)(weights[t] != 0) << (t - first);
        blending->active[first / 64] = active;
    }
}

/* ---- Vertices, where a leaf is reached --------------------------------------------------------
 */

PliTermSum pli_morph_gather(const PliShaped *pose, const uint64_t *mask, const uint64_t *active,
                            const float *weights, const float *first, size_t size,
                            PliWorker *worker)
{
    PliTermSum sum = {.terms = worker->terms.items, .weights = worker->term_weights.items};
    int32_t before = 0;
    const int32_t word_count = pose->shape->blends.word_count;
    for (int32_t w = 0; w < word_count; w++) {
        const uint64_t all = mask[w];
        const bool is_dense = (all & (all + 1)) == 0; /* nothing is left out */
        for (uint64_t both = all & active[w]; both; both &= both - 1) {
            int bit = __builtin_ctzll(both);
            int32_t rank = is_dense ? bit : __builtin_popcountll(all & (((uint64_t)1 << bit) - 1));
            sum.terms[sum.count] = first + size * (size_t)(before + rank);
            sum.weights[sum.count++] = weights[64 * w + bit];
        }
        if (w + 1 < word_count)
            before += __builtin_popcountll(all);
    }
    return sum;
}

void pli_blending_fetch(const PliShaped *pose, int32_t leaf, PliWorker *worker, float *rows,
                        PliLeafBoxes *boxes)
{
    const PliBlends *blends = &pose->shape->blends;
    const PliBlending *blending = &pose->blending;
    const PliRange range = pose->shape->tree.leaves[leaf];
    const int32_t group_count = pli_table_groups(blends->tables[leaf]);
    const float *base = blends->points + PLI_GROUP * (size_t)blends->tables[leaf].first;
    const size_t size = PLI_GROUP * (size_t)group_count;
    const uint64_t *mask = blends->leaf_masks + (size_t)leaf * (size_t)blends->word_count;
    const PliTermSum sum =
        pli_morph_gather(pose, mask, blending->active, blending->weights,
                         base + (blends->has_base_tables ? size : 0), size, worker);
    PliBlendedLeaf blended = {.base = pli_morph_has_base(pose) ? base : NULL,
                              .terms = sum.terms,
                              .weights = sum.weights,
                              .term_count = sum.count,
                              .group_count = group_count / 3,
                              .triangle_count = range.count,
                              .corners = blends->leaf_corners + 3 * (size_t)range.first,
                              .map = pose->base.is_moved ? &pose->base.map : NULL};
    if (pose->skinning.has_joints)
        pli_skinning_leaf(pose, leaf, &blended);
    worker->kernels->fetch_blended(&blended, rows, boxes);
}

void pli_blending_prefetch(const PliShaped *pose, int32_t later, int32_t next)
{
    enum { LINE = 64, MOST_BYTES = 1024 };
    const PliBlends *blends = &pose->shape->blends;
    __builtin_prefetch(&blends->tables[later]);
    __builtin_prefetch(blends->leaf_corners + 3 * (size_t)pose->shape->tree.leaves[next].first);
    const char *table =
        (const char *)(blends->points + PLI_GROUP * (size_t)blends->tables[next].first);
    for (int i = 0; i < MOST_BYTES; i += LINE)
        __builtin_prefetch(table + i);
}

void pli_blending_vertices(const PliShaped *pose, float *vertices)
{
    const PliBlends *blends = &pose->shape->blends;
    size_t size = 3 * (size_t)pose->shape->header->vertex_count * sizeof *vertices;
    if (pli_morph_has_base(pose))
        memcpy(vertices, pose->shape->vertices, size);
    else
        memset(vertices, 0, size);
    for (int32_t t = 0; t < blends->target_count && pose->blending.has_weights; t++) {
        const float weight = pose->blending.weights[t];
        if (weight == 0)
            continue;
        for (int32_t m = blends->target_firsts[t]; m < blends->target_firsts[t + 1]; m++)
            for (size_t k = 0; k < 3; k++)
                vertices[3 * (size_t)blends->target_vertices[m] + k] +=
                    weight * blends->target_moves[3 * (size_t)m + k];
    }
}
