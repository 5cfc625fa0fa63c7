/* Lines in the plane of a triangle, and the cells of the triangle that they divide it into. Lines
 * have ends: they are segments. In doubles: what is less than PliTrianglePlane.error apart is not
 * told apart. */
#ifndef PLI_REGION_CELLS_H
#define PLI_REGION_CELLS_H

#include "regions/regions.h"

/* A triangle, with its normal of length one. */
typedef struct PliTrianglePlane {
    int32_t triangle;
    const float *corners;
    double normal[3], across[3][3]; /* `across`: inward from each edge, of length one */
    double extent, error; /* its longest edge; how far points of it may be from where they should */
} PliTrianglePlane;

/* False if the triangle has no area. */
bool pli_plane_make(PliTrianglePlane *plane, int32_t triangle, const float *corners);

/* The edge of the triangle that begins at corner i. */
PliExitLine pli_plane_edge(const PliTrianglePlane *plane, int i);

/* Is a point of the plane in the triangle? */
bool pli_plane_has(const PliTrianglePlane *plane, const double point[3]);

/* The line that another triangle has in common with this one. False: there is none, or it is an
 * edge of both, or both are in one plane. Those of one plane need no line: winding numbers on one
 * side of the plane do not change where such a triangle ends, but where another goes on from there.
 */
bool pli_plane_cross(const PliTrianglePlane *plane, const float *corners, PliExitLine *line);

double pli_line_length(const PliExitLine *line);

/* The point that is t of the way along a line. */
void pli_line_point(const PliExitLine *line, double t, double point[3]);

/* The direction within the plane that leads to the left of a line; of length one. */
void pli_line_across(const PliTrianglePlane *plane, const PliExitLine *line, double across[3]);

/* The squared distance of a point from a line. */
double pli_line_square(const PliExitLine *line, const double p[3], double closest[3]);

/* Where along a line others end on it or cross it: from 0 to 1, in order. There is room for 2 *
 * count + 2. */
void pli_line_cuts(const PliTrianglePlane *plane, const PliExitLine *line,
                   const PliExitLine *others, int64_t count, PliArray *cuts);

/* On which sides a point is of the lines that others are segments of, and at which edges of the
 * triangle. Points with the same sides are in one cell, since no segment is between them. False:
 * it is not certain, or there are more lines than bits. */
bool pli_find_sides(const PliTrianglePlane *plane, const PliExitLine *lines, int64_t count,
                    const double p[3], uint64_t *sides);

/* A triangle of the cell that a point is in; the point alone if there is none that is certain. */
void pli_find_cell(const PliTrianglePlane *plane, const PliExitLine *lines, int64_t count,
                   const float *point, float corners[9]);

#endif
