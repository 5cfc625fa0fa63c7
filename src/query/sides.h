/* Sides: the features of a triangle that may be near another one, and the order of what is found
 * between two. */
#ifndef PLI_SIDES_H
#define PLI_SIDES_H

#include "base/sort.h"
#include "geom/closest.h"
#include "query/kept.h"
#include "query/leaf_cache.h"
#include <pliant/near.h>

#include <string.h>

/* Has it anything that can be near? The box of nothing, or with a NaN, does not overlap itself. */
static inline bool pli_pose_is_somewhere(const PliPose *pose)
{
    return pose->bounds.tree->leaf_count > 0 &&
           pli_box_overlaps(&pose->bounds.root, &pose->bounds.root);
}

/* A triangle and its vertices, of groups the lowest. Those of a point are one. */
typedef struct PliNearTriangle {
    uint32_t vertices[3];
    int32_t number;
} PliNearTriangle;

static inline PliNearTriangle pli_near_triangle(const PliPoseFeatures *features, int32_t number)
{
    PliNearTriangle triangle = {.number = number};
    for (int k = 0; k < 3; k++) {
        const int32_t corner = features->are_points ? number : 3 * number + k;
        triangle.vertices[k] = features->corners ? features->corners[corner] : (uint32_t)corner;
    }
    return triangle;
}

/* The features that a triangle has, as in PliFeatures. A point has one vertex; a segment has two,
 * and the edge between them. */
static inline uint8_t pli_near_all(const PliPoseFeatures *features, int32_t number)
{
    enum { A_POINT = 1, A_SEGMENT = 013 };
    return features->are_points                ? A_POINT
           : number >= features->first_segment ? A_SEGMENT
                                               : PLI_OWNED_BITS;
}

/* Has a pose vertices without an edge? */
static inline bool pli_near_has_alone(const PliPoseFeatures *features)
{
    return features->are_points || (features->shared && features->shared->has_alone);
}

/* Is a triangle one that vertices of another one are near to? A segment is not: what is near to it
 * has an edge that is near to its edge. But for vertices without an edge, it is. */
static inline bool pli_near_is_for_vertices(const PliPoseFeatures *features, int32_t number,
                                            const PliPoseFeatures *of, int32_t of_number)
{
    return number < features->first_segment || of->are_points ||
           (of->shared && (of->shared->owned[of_number] & PLI_ALONE));
}

/* Is each feature left to one triangle? */
static inline bool pli_near_has_owners(const PliPoseFeatures *features)
{
    return features->shared && features->is_finite && !features->are_apart && !features->are_points;
}

/* Those that it owns: each feature is left to one triangle. Not if the owner may not be finite:
 * then all finite triangles bring a feature, and what comes several times is merged. */
static inline uint8_t pli_near_owned(const PliPoseFeatures *features, int32_t number)
{
    return pli_near_has_owners(features) ? features->shared->owned[number] & PLI_OWNED_BITS
                                         : pli_near_all(features, number);
}

/* The number of edge k of a triangle; -1 if both ends are one vertex. */
static inline int32_t pli_near_edge(const PliPoseFeatures *features, int32_t number, int k)
{
    const int32_t corner = 3 * number + k;
    return features->shared ? features->shared->triangle_edges[corner] : corner;
}

/* Which vertex of the pose a corner of a triangle is: one of its group, where that has several. */
static inline uint32_t pli_near_vertex(const PliPoseFeatures *features, int32_t number, int corner)
{
    const size_t at = 3 * (size_t)number + (size_t)corner;
    return features->corner_vertices ? features->corner_vertices[at]
                                     : pli_near_triangle(features, number).vertices[corner];
}

/* Copies the four vertices of a pair, which begin with a vertex or an edge: those of a come first.
 */
static inline void pli_near_set_vertices(PliantFeatures kind, const uint32_t from[4],
                                         uint32_t vertices[4])
{
    const int first = kind == PLIANT_TRIANGLE_VERTEX;
    for (int k = 0; k < 4; k++)
        vertices[k] = from[(k + first) % 4];
}

_Static_assert(offsetof(PliantNearPair, weights) - offsetof(PliantNearPair, distance) ==
                       offsetof(PliClosest, weights) &&
                   offsetof(PliantNearPair, normal) - offsetof(PliantNearPair, distance) ==
                       offsetof(PliClosest, normal),
               "from the distance to the weights both are alike");

/* Writes a pair without bodies. Of a triangle and a vertex, `closest` is that of the vertex and the
 * triangle, and `vertices` are in that order. */
static inline void pli_near_pair(PliantNearPair *pair, PliantFeatures kind, int32_t a, int32_t b,
                                 const uint32_t vertices[4], const PliClosest *closest)
{
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    const uint8_t region = closest->region;
    pair->body_a = pair->body_b = (PliantBody){0};
    pair->kind = kind;
    pair->feature_a = a;
    pair->feature_b = b;
    memcpy((char *)pair + offsetof(PliantNearPair, distance), closest,
           offsetof(PliClosest, weights) + sizeof closest->weights);
    for (int k = 0; k < 3 && is_swapped; k++)
        pair->normal[k] = -closest->normal[k];
    for (int k = 0; k < 4 && is_swapped; k++)
        pair->weights[k] = -closest->weights[(k + 1) % 4];
    pli_near_set_vertices(kind, vertices, pair->vertices);
    pair->pair_count = 1;
    pair->region = is_swapped ? (uint8_t)(region >> 1 | (region & 1) << 3) : region;
    pair->flags = 0;
    memset(pair->reserved, 0, sizeof pair->reserved);
}

static inline uint64_t pli_near_key(const PliantNearPair *pair)
{
    return pli_feature_key(pair->kind, pair->feature_a, pair->feature_b);
}

/* Are four vertices before four others? */
static inline bool pli_near_is_lower(const uint32_t a[4], const uint32_t b[4])
{
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return a[3] < b[3];
}

/* Compares four weights, and then normals, by the bits of their numbers: less than 0, 0 or more. */
static inline int pli_near_compare(const float *weights, const float *normal,
                                   const float *than_weights, const float *than_normal)
{
    for (int i = 0; i < 7; i++) {
        const uint32_t a = pli_rank_of(i < 4 ? weights[i] : normal[i - 4]),
                       b = pli_rank_of(i < 4 ? than_weights[i] : than_normal[i - 4]);
        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

/* Of the same two features at several places: is this one to be kept? That with the least distance;
 * of equal ones that with the least weights, then normal, then region, then vertices. */
static inline bool pli_near_is_before(const PliantNearPair *a, const PliantNearPair *b)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    const int order = pli_near_compare(a->weights, a->normal, b->weights, b->normal);
    if (order != 0)
        return order < 0;
    if (a->region != b->region)
        return a->region < b->region;
    return pli_near_is_lower(a->vertices, b->vertices);
}

#endif
