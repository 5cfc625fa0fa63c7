/* Bodies that morph or are at rest, their weights and vertices: see morph.h. */
#include "mesh_pose/morph.h"
#include "mesh_pose/mesh_pose.h"

#include <string.h>

PliantResult pli_morph_init(PliMeshPose *pose, const PliantHost *host)
{
    const PliMorphTables *morph_tables = &pose->shape->morph_tables;
    PliMorphState *morph = &pose->morph;
    PliBounds *bounds = &pose->base.bounds;
    size_t words = (size_t)morph_tables->word_count, terms = (size_t)morph_tables->term_count;
    bounds->extra_size = pli_morph_extra_size(morph_tables->bound_kind);
    bounds->extra.item_size = (size_t)bounds->extra_size * sizeof(float);
    /* Less than the shape itself takes: it cannot overflow. */
    size_t size = terms * 2 * sizeof(float) + 3 * words * sizeof(uint64_t);
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, size, 1, &memory));
    if (size == 0)
        return PLIANT_OK;
    memset(memory, 0, size); /* touched, so that no frame has to wait for it */
    morph->memory = memory;
    morph->memory_size = size;
    morph->active = memory;
    morph->bound_active = morph->active + words;
    morph->changed = morph->bound_active + words;
    morph->weights = (float *)(morph->changed + words);
    morph->bound_weights = morph->weights + terms;
    return PLIANT_OK;
}

void pli_morph_free(PliMeshPose *pose, const PliantHost *host)
{
    pli_release(host, pose->morph.memory, pose->morph.memory_size, 1);
}

bool pli_morph_has_base(const PliMeshPose *pose)
{
    return pose->shape->morph_tables.morph_kind == PLIANT_MORPH_DISPLACEMENTS ||
           !pose->morph.has_weights;
}

/* ---- Weights --------------------------------------------------------------------------------- */

void pli_morph_set(PliMeshPose *pose, const float *weights)
{
    PliMorphState *morph = &pose->morph;
    const int32_t count = pose->shape->morph_tables.target_count;
    morph->has_weights = true;
    memcpy(morph->weights, weights, (size_t)count * sizeof *weights);
    for (int32_t first = 0; first < count; first += 64) {
        uint64_t active = 0;
        for (int32_t t = first; t < count && t < first + 64; t++)
            active |= (uint64_t)(weights[t] != 0) << (t - first);
        morph->active[first / 64] = active;
    }
}

void pli_morph_clear(PliMeshPose *pose)
{
    const int32_t count = pose->shape->morph_tables.target_count;
    pose->morph.has_weights = false;
    for (int32_t first = 0; first < count; first += 64)
        pose->morph.active[first / 64] = 0;
}

/* ---- Vertices, where a leaf is reached ------------------------------------------------------- */

PliTermSum pli_morph_gather(const PliMeshPose *pose, const uint64_t *mask, const uint64_t *active,
                            const float *weights, const float *first, size_t size,
                            PliWorker *worker)
{
    PliTermSum sum = {.terms = worker->terms.items, .weights = worker->term_weights.items};
    int32_t before = 0;
    const int32_t word_count = pose->shape->morph_tables.word_count;
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

void pli_morph_fetch(const PliMeshPose *pose, int32_t leaf, PliWorker *worker, float *rows,
                     PliLeafBoxes *boxes)
{
    const PliMorphTables *morph_tables = &pose->shape->morph_tables;
    const PliMorphState *morph = &pose->morph;
    const PliRange range = pose->shape->tree.leaves[leaf];
    const int32_t group_count = pli_table_groups(morph_tables->tables[leaf]);
    const float *base = morph_tables->points + PLI_GROUP * (size_t)morph_tables->tables[leaf].first;
    const size_t size = PLI_GROUP * (size_t)group_count;
    const uint64_t *mask =
        morph_tables->leaf_masks + (size_t)leaf * (size_t)morph_tables->word_count;
    const PliTermSum sum =
        pli_morph_gather(pose, mask, morph->active, morph->weights,
                         base + (morph_tables->has_base_tables ? size : 0), size, worker);
    PliMorphLeaf blended = {.base = pli_morph_has_base(pose) ? base : NULL,
                            .terms = sum.terms,
                            .weights = sum.weights,
                            .term_count = sum.count,
                            .group_count = group_count / 3,
                            .triangle_count = range.count,
                            .corners = morph_tables->leaf_corners + 3 * (size_t)range.first,
                            .transform = pose->base.is_moved ? &pose->base.transform : NULL};
    if (pose->skin.has_joints)
        pli_skin_leaf(pose, leaf, &blended);
    worker->kernels->fetch_morph(&blended, rows, boxes);
}

void pli_morph_prefetch(const PliMeshPose *pose, int32_t later, int32_t next)
{
    enum { LINE = 64, MAX_BYTES = 1024 };
    const PliMorphTables *morph_tables = &pose->shape->morph_tables;
    __builtin_prefetch(&morph_tables->tables[later]);
    __builtin_prefetch(morph_tables->leaf_corners +
                       3 * (size_t)pose->shape->tree.leaves[next].first);
    const char *table =
        (const char *)(morph_tables->points + PLI_GROUP * (size_t)morph_tables->tables[next].first);
    for (int i = 0; i < MAX_BYTES; i += LINE)
        __builtin_prefetch(table + i);
}

void pli_morph_vertices(const PliMeshPose *pose, float *vertices)
{
    const PliMorphTables *morph_tables = &pose->shape->morph_tables;
    size_t size = 3 * (size_t)pose->shape->header->vertex_count * sizeof *vertices;
    if (pli_morph_has_base(pose))
        memcpy(vertices, pose->shape->vertices, size);
    else
        memset(vertices, 0, size);
    for (int32_t t = 0; t < morph_tables->target_count && pose->morph.has_weights; t++) {
        const float weight = pose->morph.weights[t];
        if (weight == 0)
            continue;
        for (int32_t m = morph_tables->target_firsts[t]; m < morph_tables->target_firsts[t + 1];
             m++)
            for (size_t k = 0; k < 3; k++)
                vertices[3 * (size_t)morph_tables->target_vertices[m] + k] +=
                    weight * morph_tables->target_moves[3 * (size_t)m + k];
    }
}
