/* The edges that a surface ends at, and where they are. */
#ifndef PLI_DECIDE_BOUNDARY_H
#define PLI_DECIDE_BOUNDARY_H

#include "base/sort.h"
#include "pose/pose.h"

/* Edges in a row, of which each begins where the last one ends. */
typedef struct PliBoundaryRun {
    int32_t first, count;  /* in PliPosedBoundary.chain */
    float low[3], high[3]; /* their box */
    double area; /* of triangles from their beginning to each of them: no less than these have */
} PliBoundaryRun;

/* Where the boundary of a pose is now. It keeps its memory from one pose to the next. */
typedef struct PliPosedBoundary {
    PliArray points;                     /* of float[3]: its vertices */
    PliArray edges;                      /* of int32_t[2]: their ends, as the triangles go */
    PliArray chain, runs;                /* of int32_t: edges; of PliBoundaryRun: see below */
    PliArray rows, keys, ids, ranked[2]; /* scratch */
} PliPosedBoundary;

void pli_posed_boundary_init(PliPosedBoundary *boundary);
void pli_posed_boundary_free(PliPosedBoundary *boundary, const PliantHost *host);

/* Finds the boundary of a pose whose bounds hold, with the features that it has now. Triangles with
 * a NaN or an infinity do not count. */
PliantResult pli_posed_boundary_find(PliPosedBoundary *boundary, PliPose *pose,
                                     const PliPoseFeatures *features, PliWorker *worker);

/* Lists the edges in rows, for pli_point_search_is_inside(). There are no runs if these would be
 * more than half as many as edges. */
PliantResult pli_posed_boundary_chain(PliPosedBoundary *boundary, const PliantHost *host);

static inline bool pli_posed_boundary_is_closed(const PliPosedBoundary *boundary)
{
    return boundary->edges.count == 0;
}

#endif
