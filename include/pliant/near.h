/* Pliant: how far bodies are from each other, feature by feature.
 *
 * A simulator keeps surfaces apart by pushing vertices away from triangles, and edges from edges,
 * before they touch. pliant_world_near() returns all such pairs within a distance:
 *
 *     PliantNearDef def = pliant_near_def_default();
 *     def.distance = 0.005f;
 *     def.includes_self = true;
 *     PliantNearPairs pairs = pliant_near_pairs_default();
 *     pliant_world_near(world, &def, &pairs);
 *
 * Which pairs these are is decided exactly, for every kind of body, and only what is close is
 * evaluated. Threads and common failures: see pliant/world.h.
 */
#ifndef PLIANT_NEAR_H
#define PLIANT_NEAR_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is near what. */
typedef enum PliantFeatures {
    PLIANT_VERTEX_TRIANGLE,   /* a vertex of body a, a triangle of body b */
    PLIANT_TRIANGLE_VERTEX,   /* a triangle of body a, a vertex of body b; not within one body */
    PLIANT_EDGE_EDGE,         /* an edge of each */
    PLIANT_TRIANGLE_TRIANGLE, /* a triangle of each, which intersect: pliant_bodies_distance() only
                               */

    /* With PliantNearDef.is_unique only: */
    PLIANT_VERTEX_VERTEX, /* a vertex of each; within one body the lower one first */
    PLIANT_VERTEX_EDGE,   /* a vertex of body a, an edge of body b */
    PLIANT_EDGE_VERTEX,   /* an edge of body a, a vertex of body b; not within one body */
} PliantFeatures;

/* A value: two features within the distance of a query.
 *
 * Vertices and triangles are numbered as in their shape, edges as in pliant_shape_edges(). Vertices
 * of a soup are numbered as in its corners; without corners, triangle t has vertices 3 t to 3 t +
 * 2, and its edge from corner k to the next is 3 t + k. A point of a soup counts as a vertex, and
 * as a triangle whose corners are one; it has no edges.
 *
 * A segment, of a shape or a soup, has two vertices and one edge. So two rods make PLIANT_EDGE_EDGE
 * alone. Vertices of triangles and of other segments make no pair with a segment: their edges do.
 * Only a vertex without any edge makes a pair with a segment, as a triangle of corners a, b, b: a
 * point of a soup, or a segment whose ends are one vertex. Segment s of a soup without corners has
 * vertices 2 s and 2 s + 1, and edge s.
 *
 * The four vertices of a pair are those of the feature of a, and then those of b: a vertex and
 * three corners, three corners and a vertex, or two ends and two ends, the lower vertex first.
 * `vertices` names them. Pairs of two or three vertices have the first places: the others are
 * PLIANT_NO_VERTEX, with a weight of 0. */
typedef struct PliantNearPair {
    PliantBody body_a, body_b; /* a.index is less than b.index, or they are the same */
    PliantFeatures kind;
    int32_t feature_a, feature_b; /* within one body, of two edges the lower one first */
    float distance;               /* within one ulp; infinity above the greatest float */
    float normal[3]; /* of length one, from the closest point of b to that of a. At a distance of 0:
                        the triangle's normal, or the cross product of both edges, with either sign;
                        zeros if the triangle has no area or the edges are parallel */
    float weights[4]; /* of the four vertices: those of a sum up to 1 and those of b to -1, and the
                         sum of the weighted vertices is the vector between the closest points */
    uint32_t vertices[4]; /* the four vertices, numbered as pliant_body_vertices() writes them. Of a
                             group: a vertex at the place that decided the distance.
                             PLIANT_NO_VERTEX for PLIANT_TRIANGLE_TRIANGLE, which has six */
    uint32_t pair_count;  /* pairs of features that this one stands for: 1 without
                             PliantNearDef.is_unique */
    uint8_t region; /* a bit for each of the four vertices between which the closest points lie; the
                       weights of the others are 0 */
    uint8_t flags;  /* PLIANT_PAIR_UNCERTAIN, or 0 */
    uint8_t reserved[6]; /* zeros */
} PliantNearPair;

/* Vertices were rounded from doubles (pliant_body_set_vertices64()), and the doubles of this pair
 * may be farther from each other than D. */
#define PLIANT_PAIR_UNCERTAIN 1

/* A record. Start from pliant_near_pairs_default(). Pairs are in canonical order: by body_a.index,
 * body_b.index, kind; then by vertex and triangle, by vertex and edge, or by both edges or both
 * vertices. None is there twice. */
typedef struct PliantNearPairs {
    size_t struct_size;
    const PliantNearPair *items; /* borrowed: see pliant/world.h */
    int64_t count;
    uint64_t stamp;
    bool is_limit_reached;
} PliantNearPairs;

static inline PliantNearPairs pliant_near_pairs_default(void)
{
    PliantNearPairs pairs = PLIANT_ZEROS;
    pairs.struct_size = sizeof pairs;
    return pairs;
}

/* A record. Start from pliant_near_def_default(). */
typedef struct PliantNearDef {
    size_t struct_size;
    float distance;      /* at least 0, finite; default 0: features that touch */
    bool includes_self;  /* pairs within each body too: of features without a common vertex */
    float rest_distance; /* of these, pairs that are no farther from each other in the rest pose of
                            the shape are left out; finite. Default 0: pairs within D in the rest
                            pose, see pliant_world_near(), if the body has a radius; else none.
                            Below 0: none. Soups have no rest pose */

    /* As in PliantCollideDef. */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user;

    /* Affects speed and memory, and never the pairs: finite, at least 0; default 0: nothing is
     * kept. A query with a margin searches to distance + margin and keeps what it finds. The next
     * query with a margin decides only the kept pairs of two bodies, as long as the longest way of
     * a vertex of one and the longest of the other add up to at most the margin. For solvers that
     * ask several times while little moves; else it takes longer. See docs/near.md. */
    float margin;

    /* The most pairs to return: at least 0; default 0: no limit. The query ends soon after one more
     * was found, and its memory grows with the limit rather than with the number of pairs. Pairs of
     * bodies come in canonical order. Of the two bodies at which the limit is reached, pairs are
     * returned that the search found first: the same ones on every machine, in canonical order. A
     * vertex or an edge that is at several places may be closer at a place not searched. With a
     * limit, `margin` has no effect: nothing is kept. With is_unique, the limit is one of pairs
     * before equal ones are merged: it limits the sum of all pair_count. */
    int64_t max_pair_count;

    /* Returns closest features, each pair once; default false. For potentials that are summed over
     * such pairs, as in Li et al., "Incremental Potential Contact" (2020).
     *
     * A vertex and a triangle become a vertex and an edge, or two vertices, if the closest point is
     * on an edge or a corner of the triangle. Two edges become a vertex and an edge, or two
     * vertices, if a closest point is an end of its edge. Equal pairs are then merged, and
     * PliantNearPair.pair_count says how many pairs of a vertex and a triangle, or of two edges,
     * each stands for. Distance, normal and weights are those of the closest of these, and of
     * equally close ones those of the first in order. At a distance of 0 the normal is therefore
     * that of one of several triangles.
     *
     * Where the closest points are is decided exactly. There may be several places, and then the
     * first in this list counts:
     * - of a triangle without area: its corners, then its edges, each in the order of the triangle;
     * - of two edges that are parallel, or that have two ends at one point: two ends at one point,
     *   the first end of a before the second, and then the first end of b before the second; the
     *   first end of a with edge b; the second end of a; the first end of b with edge a; the second
     *   end of b. The first end is that of the lower vertex.
     *
     * A side of a triangle both of whose ends are in one group is no edge: such a pair stays one of
     * a vertex and a triangle. Fails with PLIANT_TOO_LARGE if a merged vertex or edge has a number
     * of 2^30 or more, or if the query finds 2^31 pairs in two bodies. */
    bool is_unique;
} PliantNearDef;

static inline PliantNearDef pliant_near_def_default(void)
{
    PliantNearDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Returns all pairs of a vertex and a triangle, and of two edges, whose distance is at most
 * def.distance: between bodies whose filters allow it, and within each body if that is asked for.
 *
 * Radii of bodies (pliant_body_set_radius()) add to the distance. Let ra and rb be the radii of the
 * two features: the greatest radius of a vertex of each. Then the pair is returned if the distance
 * of its bare features is at most
 *
 *     D = up(def.distance + up(ra + rb)),
 *
 * where up(x) is the least float that is not less than x, or the greatest float.
 * PliantNearPair.distance is the distance of the bare features: subtract both radii for the gap.
 *
 * Bodies with vertices in double (pliant_body_set_vertices64()): let ea and eb be the rounding
 * errors of both bodies. Then up(D + up(ea + eb)) takes the place of D, so that each pair whose
 * doubles are within D is returned.
 *
 * The decision is exact: in real numbers, between features whose vertices are those that
 * pliant_body_vertices() writes. Vertices of one group (PliantShapeDef.groups) are one feature,
 * named by the lowest; if they are apart, it is at several places, and its distance is the least.
 *
 * A triangle with a NaN or an infinity is in no pair. A vertex or an edge takes part where a finite
 * triangle has it, and is in no pair if no finite triangle has it.
 *
 * Complete up to def.max_pair_count, or it fails with PLIANT_OUT_OF_MEMORY, PLIANT_TOO_LARGE or
 * PLIANT_CANCELLED; with PLIANT_BAD_ARGUMENT if the distance is negative or not finite, or
 * max_pair_count is negative. The first call for a shape finds
 * its edges. Once a world has seen its worst frame, nothing is allocated. Changes the world. */
PLIANT_API PliantResult pliant_world_near(PliantWorld *world, const PliantNearDef *def,
                                          PliantNearPairs *pairs);

/* The same for two bodies, or within one if `a` and `b` are the same. Ignores filters, loose boxes
 * and def.includes_self. Changes the world. */
PLIANT_API PliantResult pliant_bodies_near(PliantWorld *world, PliantBody a, PliantBody b,
                                           const PliantNearDef *def, PliantNearPairs *pairs);

/* Writes a distance that is safe for each vertex of a body. If every vertex moves by at most half
 * of its distance, no pair touches that did not touch before.
 *
 * The distance is the least PliantNearPair.distance of all pairs that the vertex is in: as the
 * vertex, as a corner of the triangle or as an end of the edge. It is rounded down, by one or two
 * ulps, to less than the real distance, and so that half of it is a float; 0 stays 0. Of bodies
 * with vertices in double it is less by their rounding errors, and at least 0. It is
 * infinity if the vertex is in no pair. Vertices of one group have the same distance.
 *
 * `pairs` is what a query of this world has returned. `capacity` is the length of `distances`, at
 * least PliantBodyInfo.vertex_count. Fails with PLIANT_BAD_ARGUMENT if the capacity is too small, a
 * pair has a vertex that the body does not have, or a pair is of a kind that only
 * PliantNearDef.is_unique returns: it does not name all vertices that have to stay within their
 * distance. Allocates nothing. Changes the world. */
PLIANT_API PliantResult pliant_near_vertex_distances(PliantWorld *world,
                                                     const PliantNearPairs *pairs, PliantBody body,
                                                     float *distances, int64_t capacity);

/* Returns the threshold of IPC's mollifier for two edges, from where their ends are at rest: 0.001
 * |a1 - a0|^2 |b1 - b0|^2. Where |(a1 - a0) x (b1 - b0)|^2 of the edges as they are now is below
 * it, the edges are nearly parallel, and the potential of the pair is multiplied by the mollifier
 * (Li et al. 2020, section 5). Computed in double; NaN or infinity if a coordinate is not finite.
 * Any thread. */
PLIANT_API double pliant_edge_edge_mollifier_threshold(const float a0[3], const float a1[3],
                                                       const float b0[3], const float b1[3]);

/* Sets offsets[v] to the index of the first pair of vertex v and a triangle of body b, among those
 * of body a and body b, for each vertex v of `a`, and offsets[vertex_count] to the end of the last:
 * the pairs of v are pairs[offsets[v]] to pairs[offsets[v + 1] - 1]. If `a` comes after `b` in the
 * order of bodies, they are those of PLIANT_TRIANGLE_VERTEX, else of PLIANT_VERTEX_TRIANGLE. Pairs
 * of a vertex and an edge, and of two vertices, are not among them.
 * `capacity` is the length of `offsets`, at least one more than PliantBodyInfo.vertex_count. Fails
 * with PLIANT_BAD_ARGUMENT if it is too small or a pair names what the body does not have. Reads
 * the world. */
PLIANT_API PliantResult pliant_near_vertex_offsets(const PliantWorld *world,
                                                   const PliantNearPairs *pairs, PliantBody a,
                                                   PliantBody b, int64_t *offsets,
                                                   int64_t capacity);

/* ---- Pairs of the caller --------------------------------------------------------------------- */

/* A record: pairs of features of one kind, which the caller has found. Start from
 * pliant_near_candidates_default(), which sets every field to zero unless said otherwise. */
typedef struct PliantNearCandidates {
    size_t struct_size;

    PliantFeatures kind; /* PLIANT_VERTEX_TRIANGLE or PLIANT_EDGE_EDGE */

    const float *vertices; /* where vertices are, three floats each */
    int32_t vertex_count;

    /* Pair i is of the four vertices from pairs[4 * i] on: a vertex and the corners of a triangle,
     * or the ends of two edges. Pairs may come in any order and more than once. */
    const uint32_t *pairs;
    int64_t pair_count;

    float distance;         /* at least 0 and finite; default 0: features that touch */
    const float *distances; /* one for each pair, in place of `distance`: at least 0 and finite.
                               NULL, the default: the same for all */

    uint32_t cpu_mask; /* instruction sets that may be used: PLIANT_CPU_ALL */

    const PliantHost *host; /* its report hook is called; the call allocates nothing. May be NULL */
} PliantNearCandidates;

static inline PliantNearCandidates pliant_near_candidates_default(void)
{
    PliantNearCandidates def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.cpu_mask = PLIANT_CPU_ALL;
    return def;
}

/* Sets distances[i] to the distance of pair i, within one ulp; to infinity if the pair is farther
 * than its distance in the def, or has a NaN or an infinity. Which pairs are within it is decided
 * exactly, as in pliant_world_near(). Needs no world: for solvers that have candidates of their
 * own.
 *
 * `details` may be NULL. Otherwise details[i] is pair i as pliant_world_near() returns it: with
 * kind, distance, normal, weights, vertices, pair_count and region. Its bodies are zeros, and its
 * features are -1. Where distances[i] is infinity, normal, weights and region are zeros.
 *
 * `capacity` is the length of `distances`, and of `details`: at least def.pair_count. Further
 * entries are left as they are. `distances` may be NULL if def.pair_count is 0.
 *
 * Fails with PLIANT_BAD_DEF (a wrong struct_size of the def or its host), PLIANT_BAD_ARGUMENT
 * (NULL, a count below 0, another kind, a distance that is out of range, or a capacity that is too
 * small), PLIANT_TOO_LARGE, or PLIANT_BAD_INDEX (a vertex that is not there): nothing is written.
 * Any thread. */
PLIANT_API PliantResult pliant_near_pairs(const PliantNearCandidates *def, float *distances,
                                          PliantNearPair *details, int64_t capacity);

#ifdef __cplusplus
}
#endif

#endif
