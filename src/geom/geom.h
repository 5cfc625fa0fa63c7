/* geom: numbers that decide.
 *
 * Exact signs of determinants of float32 points, and triangle tests that are built from such signs
 * alone. This folder knows numbers: no meshes, no memory, no bodies. Its one idea: never construct
 * a point. An intersection point would have to be rounded, and with it the answer; a sign of a
 * determinant of *input* points can be had exactly, and every question that is asked here can be
 * put as a few of those.
 *
 * Each sign is tried in double precision first, with a bound on the error that is proved where it
 * stands (orient.h), and computed with integers where the double is not certain (exact.c).
 *
 * All of this holds in the usual floating-point modes: callers are inside pli_fp_enter().
 */
#ifndef PLI_GEOM_H
#define PLI_GEOM_H

#include "geom/exact.h"
#include "geom/line.h"
#include "geom/numbers.h"
#include "geom/triangle.h"

#endif
