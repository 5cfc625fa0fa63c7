/* Where two parts, or a part and itself, cut each other in one pose, and how deep: for pictures and
 * pages.
 *
 * Segments, depths and pieces are the library's: see pliant/intersections.h and pliant/regions.h. A
 * vertex has a depth if it is on a side of a region that counts: one that is inside, and what pokes
 * out through it.
 */
#ifndef TOOLS_CUT_H
#define TOOLS_CUT_H

#include "check/check.h"

/* Bodies of all parts of a scene, which may be posed again and again. */
typedef struct Cuts Cuts;

/* NULL: the error says why. The scene has to outlive it. */
Cuts *cuts_create(const Scene *scene, char error[400]);
void cuts_free(Cuts *cuts); /* NULL is fine */

/* Poses all parts. */
bool cuts_pose(Cuts *cuts, const ScenePose *pose, char error[400]);

/* The posed vertices of a part of the scene, three floats each: room for all of them. */
bool cuts_vertices(Cuts *cuts, int32_t part, float *vertices, char error[400]);

/* The distance of each vertex of a part from another part of the scene, as they are posed: negative
 * inside of it, where its winding number is greater; infinite if it is more than `reach`, or if the
 * vertex is not finite. Room for all vertices of the part. */
bool cuts_distances(Cuts *cuts, int32_t part, int32_t from, float reach, float *distances,
                    char error[400]);

/* What is asked. Parts are those of the scene; the same one twice is a self-collision. */
typedef struct CutQuery {
    int32_t parts[2];     /* rising */
    const int32_t *pairs; /* only these pairs of triangles and their regions count, as a baseline
                             leaves them: triangle of a, triangle of b; NULL: all */
    int64_t pair_count;
    double spacing;        /* edges of pieces are no longer than this; 0: there are no pieces */
    double depth_spacing;  /* the same as a part of the greatest depth, if spacing is 0 */
    bool is_segments_only; /* neither depths nor regions nor pieces: fast */
} CutQuery;

/* Where two triangles intersect, and which. Ends are on both, to a rounding of float coordinates.
 * Triangles in one plane have the outline of what they have in common, a segment for each of its
 * edges. */
typedef struct CutSegment {
    double ends[2][3];
    int32_t triangles[2]; /* of the first part and of the second */
    bool is_flat;         /* the triangles are in one plane */
} CutSegment;

/* A piece of a triangle, for a heat map that does not depend on how large triangles are. Depths
 * fall to 0 at the cut, and are the negative distance beyond it: what is inside ends where a linear
 * function over the piece is 0. Each piece has a corner that is inside. */
typedef struct CutPiece {
    float corners[3][3];
    float depths[3];
    int32_t side; /* 0: of the first part, 1: of the second */
} CutPiece;

/* A place where the two are inside each other. */
typedef struct CutRegion {
    double depth;
    float deepest[3];                 /* a point that is so deep; if depth is not 0 */
    int64_t first_point, point_count; /* in Cut.points: of its curves, and its vertices inside */
} CutRegion;

typedef struct Cut {
    CutSegment *segments;
    int64_t segment_count;
    float *depths[2]; /* of each vertex of each part, in the model's units; 0: not inside. Of a
                         self-collision both are one array */
    double depth;     /* of the deepest region, over all of its points and not its vertices alone */
    CutRegion *regions; /* the deepest first */
    int64_t region_count;
    float (*points)[3];
    int64_t point_count;
    CutPiece *pieces;
    int64_t piece_count;
} Cut;

/* Finds the cut of two parts as they are posed. False: the error says why, and nothing is held. */
bool cuts_find(Cuts *cuts, const CutQuery *query, Cut *cut, char error[400]);
void cut_free(Cut *cut);

#endif
