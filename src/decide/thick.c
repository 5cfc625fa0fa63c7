/* Thick features: see thick.h. */
#include "decide/thick.h"
#include "kernels/nears.h"

void pli_thick_vertices(const PliFeatureSearch *search, const uint32_t *points, int32_t count,
                        uint32_t *vertices)
{
    const PliNearTriangle *triangles = search->triangles.items;
    for (int32_t i = 0; i < count; i++)
        vertices[i] = triangles[points[i] / 3].vertices[points[i] % 3];
}

void pli_thick_distances(const PliFeatureSearch *search, PliantFeatures kind,
                         const uint32_t *vertices, int32_t count, float *distances)
{
    for (int32_t i = 0; i < count; i++)
        distances[i] = pli_feature_distance(search, kind, vertices + 4 * i);
}

/* Which pairs are near at rest, of some vertices. */
static void decide_at_rest(PliFeatureSearch *search, PliantFeatures kind, const uint32_t *vertices,
                           int32_t count, uint8_t *at_rest)
{
    const bool is_given = search->rest_distance > 0,
               varies = !is_given && pli_feature_search_varies(search);
    float distances[PLI_THICK_BATCH];
    PliClosest closest[PLI_THICK_BATCH];
    for (int32_t i = 0; varies && i < count; i++)
        distances[i] = pli_feature_bare_distance(search, kind, vertices + 4 * i);
    const PliNearPairs pairs = {.table = search->sides[0].features.rest,
                                .pairs = vertices,
                                .count = count,
                                .are_edges = kind == PLIANT_EDGE_EDGE,
                                .distance =
                                    is_given ? search->rest_distance : search->bare_distance,
                                .distances = varies ? distances : NULL};
    pli_pairs_near(search->worker->kernels, &pairs, at_rest, closest, &search->counts);
}

void pli_thick_drop(PliFeatureSearch *search, PliantFeatures kind, const uint32_t *points,
                    int32_t count, uint8_t *nearness)
{
    uint32_t vertices[4 * PLI_THICK_BATCH];
    uint8_t at_rest[PLI_THICK_BATCH];
    int32_t pairs[PLI_THICK_BATCH], near_count = 0;
    for (int32_t i = 0; i < count; i++)
        if (nearness[i] == PLI_NEAR) {
            pli_thick_vertices(search, points + 4 * i, 4, vertices + 4 * near_count);
            pairs[near_count++] = i;
        }
    if (near_count == 0)
        return;
    decide_at_rest(search, kind, vertices, near_count, at_rest);
    for (int32_t i = 0; i < near_count; i++)
        if (at_rest[i] == PLI_NEAR)
            nearness[pairs[i]] = PLI_NEAR_NEVER;
}
