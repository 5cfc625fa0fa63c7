/* The oracle of rays: where a ray first hits a triangle, in rational numbers.
 *
 * The weights of the corners and the parameter of the ray are four nonnegative unknowns of four
 * linear equations. If there are solutions, the least parameter is that of a basic solution, one
 * whose columns are independent (the fundamental theorem of linear programming). There are fifteen
 * sets of columns, and all are tried. Points, segments and triangles, in the plane of the ray or
 * not, take the same few lines. Shares no code and no method with the library. */
#ifndef ORACLE_RAY_H
#define ORACLE_RAY_H

#include <gmp.h>
#include <stdbool.h>

/* Does the ray hit the triangle? If so, sets `t`, which is initialized, to the least parameter.
 * Finite numbers; max may be infinity. */
bool oracle_ray(const float origin[3], const float direction[3], float max, const float triangle[9],
                mpq_t t);

void oracle_ray_release(void);

#endif
