/* How often the surface of a pose winds around a point: see winding.c. */
#ifndef PLI_WINDING_H
#define PLI_WINDING_H

#include "decide/boundary.h"
#include "decide/points.h"

/* The winding number is `nearest` + angle of (re, im) / 2 pi. That part is not beyond 1/2. */
typedef struct PliWinding {
    int64_t nearest; /* integer */
    double re, im;
    double error; /* the angle is off by at most this, in radians; 0 for a closed surface */
} PliWinding;

/* Is the winding number at least 1/2 or at most -1/2? */
static inline bool pli_winding_is_inside(const PliWinding *winding)
{
    return winding->nearest != 0;
}

/* Is it so close to a half that the nearest integer is not certain? */
bool pli_winding_is_undecided(const PliWinding *winding);

/* The number, and how much it may be off; infinity if nothing is known of it. */
double pli_winding_number(const PliWinding *winding);
double pli_winding_error(const PliWinding *winding);

/* The winding number around a point, of the pose that is searched. Where the point is on the
 * surface, that of one of its sides. */
PliantResult pli_point_search_wind(PliPointSearch *search, const PliPosedBoundary *boundary,
                                   const float *point, PliWinding *winding);

/* Is the point inside? The same as pli_winding_is_inside() tells of the number, in less time if the
 * boundary has runs. */
PliantResult pli_point_search_is_inside(PliPointSearch *search, const PliPosedBoundary *boundary,
                                        const float *point, bool *is_inside);

/* By how much the number may change within a distance of a point, but for steps of one where the
 * surface is crossed; infinity if the boundary is as close. */
PliantResult pli_posed_boundary_change(const PliPosedBoundary *boundary, PliWorker *worker,
                                       const float *point, double distance, double *change);

#endif
