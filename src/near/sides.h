/* Sides: two triangles that may be near each other, with the features that each has, and the order
 * of what is found between them. */
#ifndef PLI_SIDES_H
#define PLI_SIDES_H

#include "geom/closest.h"
#include "narrow/leaf_cache.h"
#include <pliant/near.h>

#include <string.h>

/* Has it anything that can be near? The box of nothing, or with a NaN, does not overlap itself. */
static inline bool pli_pose_is_somewhere(const PliPose *pose)
{
    return pose->bounds.tree->leaf_count > 0 &&
           pli_box_overlaps(&pose->bounds.root, &pose->bounds.root);
}

typedef struct PliNearSide {
    const PliPoseFeatures *features;
    const float *row;
    int32_t triangle;
    uint32_t vertices[3];
    uint8_t owned; /* as in PliFeatures */
} PliNearSide;

/* The triangle in a row of the cache, with all of its features. A point has one vertex. */
static inline PliNearSide pli_near_side(const PliLeafCache *cache, const PliPose *pose,
                                        const PliPoseFeatures *features, uint32_t row)
{
    enum { OWNS_ALL = 077, OWNS_A_POINT = 1 };
    const int32_t t = pli_pose_triangle(pose, pli_leaf_cache_position(cache, row));
    PliNearSide side = {.features = features,
                        .row = pli_leaf_cache_row(cache, row),
                        .triangle = t,
                        .owned = features->are_points ? OWNS_A_POINT : OWNS_ALL};
    for (int k = 0; k < 3; k++) {
        const int32_t corner = features->are_points ? t : 3 * t + k;
        side.vertices[k] = features->corners ? features->corners[corner] : (uint32_t)corner;
    }
    return side;
}

/* The number of edge k; -1 if both ends are one vertex. */
static inline int32_t pli_near_edge(const PliNearSide *side, int k)
{
    return side->features->shared ? side->features->shared->triangle_edges[3 * side->triangle + k]
                                  : 3 * side->triangle + k;
}

/* The ends of an edge, the lower vertex first. */
static inline void pli_near_copy_edge(const PliNearSide *side, int k, float *ends,
                                      uint32_t *vertices)
{
    int first = k, second = (k + 1) % 3;
    if (side->vertices[first] > side->vertices[second]) {
        first = second;
        second = k;
    }
    memcpy(ends, side->row + 3 * first, 3 * sizeof *ends);
    memcpy(ends + 3, side->row + 3 * second, 3 * sizeof *ends);
    vertices[0] = side->vertices[first];
    vertices[1] = side->vertices[second];
}

/* A pair without bodies. Of a triangle and a vertex, `closest` is that of the vertex and the
 * triangle. */
static inline PliantNearPair pli_near_pair(PliantFeatures kind, int32_t a, int32_t b,
                                           const PliClosest *closest)
{
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    const uint8_t region = closest->region;
    PliantNearPair pair = {.kind = kind,
                           .feature_a = a,
                           .feature_b = b,
                           .distance = closest->distance,
                           .region =
                               is_swapped ? (uint8_t)(region >> 1 | (region & 1) << 3) : region};
    for (int k = 0; k < 3; k++)
        pair.normal[k] = is_swapped ? -closest->normal[k] : closest->normal[k];
    for (int k = 0; k < 4; k++)
        pair.weights[k] = is_swapped ? -closest->weights[(k + 1) % 4] : closest->weights[k];
    return pair;
}

/* What pairs are ordered by: kind, then vertex and triangle, or both edges. */
static inline uint64_t pli_near_key(const PliantNearPair *pair)
{
    const bool is_swapped = pair->kind == PLIANT_TRIANGLE_VERTEX;
    const uint64_t first = (uint64_t)(is_swapped ? pair->feature_b : pair->feature_a),
                   second = (uint64_t)(is_swapped ? pair->feature_a : pair->feature_b);
    return (uint64_t)pair->kind << 62 | first << 31 | second;
}

/* Of the same two features at several places: is this one to be kept? That with the least distance;
 * of equal ones that with the least weights, then normal, then region. */
static inline bool pli_near_is_before(const PliantNearPair *a, const PliantNearPair *b)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    for (int k = 0; k < 4; k++)
        if (a->weights[k] != b->weights[k])
            return a->weights[k] < b->weights[k];
    for (int k = 0; k < 3; k++)
        if (a->normal[k] != b->normal[k])
            return a->normal[k] < b->normal[k];
    return a->region < b->region;
}

#endif
