/* Which features the triangles of each leaf own: see leaf_features.h. */
#include "shape/leaf_features.h"

/* Lists the features of a leaf, and returns the end of the list. */
static PliOwnedFeature *list_leaf(const PliTree *tree, PliRange range, const PliFeatures *features,
                                  const uint32_t *corners, PliOwnedFeature *vertices,
                                  PliOwnedFeature **edges)
{
    PliOwnedFeature *end = vertices;
    for (int32_t i = 0; i < range.count; i++) {
        const int32_t position = range.first + i;
        end = pli_list_vertices(end, features->owned[tree->order[position]],
                                corners + 3 * (size_t)position, i);
    }
    *edges = end;
    for (int32_t i = 0; i < range.count; i++) {
        const int32_t position = range.first + i, triangle = tree->order[position];
        end = pli_list_edges(end, features->owned[triangle], corners + 3 * (size_t)position,
                             features->triangle_edges + 3 * (size_t)triangle, i);
    }
    return end;
}

static int64_t count_owned(const PliFeatures *features)
{
    int64_t count = 0;
    for (int32_t t = 0; t < features->triangle_count; t++)
        count += __builtin_popcount(features->owned[t] & PLI_OWNED_BITS);
    return count;
}

static PliantResult list_all(const PliTree *tree, const PliFeatures *features,
                             const uint32_t *corners, PliLeafFeatures *lists)
{
    const int64_t count = count_owned(features);
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    lists->firsts =
        pli_arena_cut(&lists->arena, 2 * (size_t)tree->leaf_count + 1, sizeof *lists->firsts);
    lists->items = pli_arena_cut(&lists->arena, (size_t)count, sizeof *lists->items);
    PLI_TRY(lists->arena.failure);
    PliOwnedFeature *end = lists->items, *edges = end;
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        lists->firsts[2 * leaf] = (int32_t)(end - lists->items);
        end = list_leaf(tree, tree->leaves[leaf], features, corners, end, &edges);
        lists->firsts[2 * leaf + 1] = (int32_t)(edges - lists->items);
    }
    lists->firsts[2 * tree->leaf_count] = (int32_t)(end - lists->items);
    return PLIANT_OK;
}

PliantResult pli_leaf_features_create(const PliTree *tree, const PliFeatures *features,
                                      const uint32_t *corners, const PliantHost *host,
                                      PliLeafFeatures **leaf_features)
{
    void *block = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliLeafFeatures), &block));
    PliLeafFeatures *lists = block;
    *lists = (PliLeafFeatures){0};
    pli_arena_init(&lists->arena, host);
    const PliantResult result = list_all(tree, features, corners, lists);
    if (result == PLIANT_OK)
        *leaf_features = lists;
    else
        pli_leaf_features_free(lists, host);
    return result;
}

void pli_leaf_features_free(PliLeafFeatures *leaf_features, const PliantHost *host)
{
    if (!leaf_features)
        return;
    pli_arena_free(&leaf_features->arena);
    pli_release(host, leaf_features, 1, sizeof *leaf_features);
}
