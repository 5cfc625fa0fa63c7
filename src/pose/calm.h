/* Calm: which parts of a mesh cannot meet themselves, known from weights and joints alone.
 *
 * A body is asked where it meets itself. Every leaf is near its neighbours, so that walking down
 * the tree ends at all of them, and nearly always in vain: a mesh that is clean at rest and bends a
 * little is clean still. This folder can know that, without looking at a vertex.
 *
 * The argument. Take a leaf and the leaves near it at rest, of which each pair of triangles, one of
 * them in the leaf, is clean at rest. Say that the pose takes a vertex from x, where it is at rest,
 * to Q(x) + e(x), where Q is one quadratic map for all of them, and that
 *     |e(v) - e(w)| <= L |v - w|                                                        (1)
 * for every vertex v of the leaf and every vertex w of all, and for the two others of a triangle
 * that has one with the leaf in common. Then Q(x) - Q(y) = A_m (x - y) with A_m the derivative of Q
 * at the middle of x and y; let A be that at the centre of the leaf, M such that |D^2 Q(u, u)| <= M
 * |u|^2, and so |A_m - A| <= M r, if m is no farther than r from the centre.
 *
 * A triangle is what the pose makes of its corners: between them it is not Q + e but that
 * interpolated, which differs from Q by f, with 2 f(x) = the sum of l_i D^2 Q(v_i - x, v_i - x),
 * l_i being the weights of the corners v_i in x: at most M times the sum of l_i l_j |v_i - v_j|^2
 * over its three edges.
 *
 * Suppose that x of triangle s and y of triangle t go to one place. Then |A_m (x - y)| <= |e(x) -
 * e(y)| + |f(x) - f(y)|, where e is interpolated. How large is that, by what s and t share? Let h
 * be the longest edge of a triangle.
 *
 * nothing:
 *     |e(x) - e(y)| is at most L times the mean distance of a corner of s from one of t, each
 *     weighed as in x and in y; the mean square of that is |x - y|^2 + the mean squares of the
 *     corners of s from x, and of t from y, which are at most h^2 / 3 (the sum of l_i l_j |v_i -
 *     v_j|^2 again). And |f| <= M h^2 / 6. So with d the distance of s and t it is at most |x -
 *     y| times L sqrt(1 + (h_s^2 + h_t^2) / (3 d^2)) + M (h_s^2 + h_t^2) / (6 d).
 *
 * a vertex p:
 *     x = p + a, y = p + b. As a is a sum of two edges with factors that are not negative, |e(x)
 *     - e(p)| <= L |a| / cos(c), c being half the angle of s at p. The sum of these factors is at
 *     most |a| / k, k the altitude of s at p, and |f(x)| <= M h^2 / 2 times it. Likewise for t.
 *     If no two rays of s and t from p have an angle below g, |x - y| >= (|a| + |b|) sin(g / 2).
 *     So it is L / (cos(c) sin(g / 2)) + M h^2 / (2 k sin(g / 2)), with the worse of s and t.
 *
 *     Or, for e, not by way of p but across the sector between a corner q of s and one r of t, in
 *     which e is continued as if pqr were a triangle too, (1) holding for it. If w is half of the
 *     widest angle of a triangle, e changes along it by at most L / cos(w) of the way: along no
 *     direction is it steeper than along the edges of that angle. Seen along the normal of pqr, s
 *     and t lose no more of the way than the cosine of what they are turned by at pq and pr; and
 *     if the three sectors are less than half a turn there, the straight way from x to y is in
 *     them. So it is L / (cos(w) times that cosine), with the worst of both.
 *
 * an edge pq:
 *     and one of them is folded flat onto the other: then there are such x and y as near as one
 *     likes to a place z within the edge, x above the line pq by a, y by b, at places on it that
 *     are z' apart, and all is as in half-planes with an angle g. The third corner r is above the
 *     place p + l (q - p), by k. Going up by a changes e by at most L a C, C = (|1 - l| |r - p| +
 *     |l| |r - q|) / k, and f by M a (h^2 + (|1 - l| + |l|) |p - q|^2) / (2 k), for small a;
 *     going along the line by z', by L z' and M z' |p - q| / 2. And |x - y|^2 >= z'^2 + (a + b)^2
 *     sin(g / 2)^2. So it is the root of the sum of squares of what is along and what is up, the
 *     latter over sin(g / 2), both for e and for f.
 *
 * Each is L / K + M E, with K and E that depend on the mesh at rest alone. If |A u| > (L / K + M (E
 * + r)) |u| for all u, then x = y, which is on what they share, since they were clean: they are
 * clean now. The worst K and E of all its pairs are kept for a leaf, but for a few: where a mesh
 * has a sharp fold, or meets itself at rest, pairs are far worse than all others. Those are
 * suspects, which are always looked at, and only the others are known. calm_build.c has these;
 * calm.c finds A, M and L in a pose, L with all that floats do to vertices.
 */
#ifndef PLI_CALM_H
#define PLI_CALM_H

#include "pose/pose.h"

enum { PLI_MOST_CALM_JOINTS = 32 }; /* around one leaf: of more, nothing is known */

/* A joint in the neighbourhood of a leaf. Weights w(v) = share + slope . (v - centre) + a rest. */
typedef struct PliCalmJoint {
    int32_t joint;
    float share, slope[3];
    float steepness; /* |slope|, at most */
    float rest;      /* |difference of rests of v and w| / |v - w|, at most */
    float size;      /* |rest|, at most */
} PliCalmJoint;

/* A target there. Displacements d(v) = at + slopes (v - centre) + a rest. */
typedef struct PliCalmTarget {
    int32_t target;
    float at[3], slopes[3][3];
    float rest; /* as above */
    float size; /* of the rest, at most */
} PliCalmTarget;

typedef struct PliCalmLeaf {
    float firmness; /* K; 0: nothing is known */
    float bulge;    /* E */
    float centre[3];
    float reach;      /* |v - centre|, at most */
    float mid_reach;  /* half of that and of the same for the leaf's own vertices: r */
    float least;      /* |v - w|, at least */
    float sum_change; /* of sums of weights, as above */
    int32_t near_first, near_count; /* leaves near it, with which it was looked at */
    int32_t joint_first, joint_count, target_first, target_count;
} PliCalmLeaf;

/* A leaf near another, and the pairs of both that are none too firm, by their places in them. */
typedef struct PliCalmNear {
    int32_t leaf, first, count;
} PliCalmNear;

typedef double PliDouble4 __attribute__((vector_size(32)));

/* A joint's matrix, as columns, its offset the last of them; and no less than what it makes of a
 * unit vector. */
typedef struct PliCalmMap {
    PliDouble4 columns[4];
    double norm;
} PliCalmMap;

typedef struct PliCalm {
    PliCalmLeaf *leaves;
    PliArray nears;    /* of PliCalmNear */
    PliArray suspects; /* of uint8_t, two each */
    PliArray joints;   /* of PliCalmJoint */
    PliArray targets;  /* of PliCalmTarget */

    /* In this query: */
    uint8_t *states;  /* of each leaf: not asked yet, calm or not */
    PliCalmMap *maps; /* of each joint */
    double size;      /* the greatest coordinate that joints make, at most */
    double slip;      /* how far a vertex may be from where it would be without rounding */
} PliCalm;

/* For a shape whose triangles are not divided. */
PliantResult pli_calm_create(const PliantShape *shape, const PliantHost *host, PliCalm **calm);
void pli_calm_free(PliCalm *calm, const PliantShape *shape, const PliantHost *host);
size_t pli_calm_bytes(const PliCalm *calm, const PliantShape *shape);

/* What a pose does to the neighbourhood of a leaf. */
typedef struct PliBend {
    double a[3][3], curve, most; /* A, M and L of above */
} PliBend;

void pli_calm_bend(const PliCalm *calm, const PliShaped *pose, int32_t leaf, PliBend *bend);

/* Does a bend leave a leaf and those near it clean? */
bool pli_calm_allows(const PliCalmLeaf *leaf, PliBend *bend);

/* A new query. */
void pli_calm_start(PliCalm *calm, const PliShaped *pose);

/* Is it known that no triangle of one leaf meets one of the other, but for suspects? They may be
 * the same. */
bool pli_calm_holds(PliCalm *calm, const PliShaped *pose, int32_t a, int32_t b,
                    PliSuspects *suspects);

#endif
