/* Parts of the scene of a cut: see cut.c. */
#ifndef SCENES_CUT_H
#define SCENES_CUT_H

#include "scenes.h"

/* ---- The disc ---------------------------------------------------------------------------- */

/* Where the plane of the cut, x = 0, goes through the surface of the ball: at a vertex, both ends
 * being the same, or at an edge from the side of x > 0 to the other. */
typedef struct CutRim {
    double angle; /* rises with the angle, from 0 at the top to 4 */
    double y, z;
    uint32_t ends[2];
} CutRim;

/* The cross-section in that plane, as triangles. The cut opens its vertices one by one, down from
 * the top: an open vertex is there twice, once for each side, and so is a triangle with an open
 * vertex. All others are one with the jelly, or are not there yet. Triangles that are there twice
 * join along the vertices that are not open, so that the jelly is closed at all times. */
typedef struct CutDisc {
    double (*points)[2]; /* y and z; those of the rim come first */
    uint32_t (*triangles)[3];
    int32_t rim_count, point_count, triangle_count;
    int32_t *firsts, *around; /* the triangles at a vertex: around[firsts[v]] to firsts[v + 1] */
    int32_t *ranks;           /* of each vertex: how many open before it */
    double *depths;           /* by rank: the front at which it opens; falling */
} CutDisc;

/* With the points of the rim in order, and edges about that long. */
CutDisc scene_cut_disc(const CutRim *rim, int32_t rim_count, double edge);
void scene_cut_disc_free(CutDisc *disc);

/* How many are open when the front has come down to a height. */
int32_t scene_cut_open_count(const CutDisc *disc, double front);

/* ---- Places ------------------------------------------------------------------------------ */

/* One triangle as it is to be, on one side of the cut: -1 or 1. */
typedef struct CutTriangle {
    uint32_t corners[3];
    int side;
} CutTriangle;

/* The places of the triangles that something has become. */
enum { CUT_MAX_PARTS = 3 };

typedef struct CutParts {
    int32_t corner_places[CUT_MAX_PARTS];
    int count;
} CutParts;

/* All places: those that are empty are filled first, the one that was emptied last before others.
 */
typedef struct CutPlaces {
    uint32_t *corners;
    int8_t *sides;
    int32_t *empties;
    int32_t count, empty_count, capacity;
} CutPlaces;

/* Puts new triangles in the place of those that were the parts before. */
void scene_cut_settle(CutPlaces *corner_places, CutParts *parts, const CutTriangle *triangles,
                      int count);
void scene_cut_places_free(CutPlaces *corner_places);

#endif
