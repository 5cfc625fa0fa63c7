/* geom: exact signs, and triangle tests made of them.
 *
 * This folder knows numbers: no meshes, no memory, no bodies. Its one idea: never construct a
 * point. An intersection point would have to be rounded, and the answer with it. The sign of a
 * determinant of *input* points can be computed exactly, and every test here is a few of these
 * signs.
 *
 * Each sign is computed in double precision first, with an error bound that is derived beside the
 * code (orient.h), and with integers where the double is not certain (exact.c).
 *
 * All of this holds in the usual floating-point modes only: callers are inside pli_fp_enter().
 */
#ifndef PLI_GEOM_H
#define PLI_GEOM_H

#include "geom/exact.h"
#include "geom/line.h"
#include "geom/numbers.h"
#include "geom/ray.h"
#include "geom/triangle.h"

#endif
