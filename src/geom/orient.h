/* Signs of determinants: a filter in double, then integers.
 *
 * The filters, and why they can be trusted. u = 2^-53 is the unit roundoff of double. In round to
 * nearest fl(x op y) = (x op y)(1 + d) with |d| <= u, as long as nothing overflows or underflows;
 * and here nothing does. Coordinates are float32, so a difference is zero or between 2^-149 and
 * 2^129 in magnitude, and it is rounded to zero only if it is zero. A product of two is at least
 * 2^-298, and so, having 53 bits, a multiple of 2^-350; a difference of such products is then zero
 * or at least 2^-350, and its product with a third difference at least 2^-499. All sums are below
 * 2^390.
 *
 * orient3d, as it is evaluated below: with e = q - p, f = r - p, g = s - p, componentwise,
 *
 *     n_x = f_y e_z - f_z e_y (and cyclic),   det = (n_x g_x + n_y g_y) + n_z g_z.
 *
 * Expanded, det is a sum of six products of three differences, and P, the permanent, is the sum of
 * their magnitudes. Follow one of the six: its three differences are rounded once each (3 factors
 * 1 + d), then come the product in n (1), the subtraction in n (1), the product with g (1), the
 * first addition (1), the second addition (1). Let T be the exact value of what the last addition
 * adds: every product has at most 7 rounding factors by then, so
 *
 *     |T - det_exact| <= ((1 + u)^7 - 1) P <= (7u + 22u^2) P,
 *
 * and the last addition, one rounding of T, cannot change its sign and shrinks it by at most 1 - u.
 * The permanent itself is computed by the same steps, with additions for the subtractions, so that
 * the computed value P' >= P (1 - u)^8 >= P (1 - 8u). Hence sign(det) is right whenever
 *
 *     |det| > (7u + 22u^2) (1 + u) / (1 - 8u) P',   for which   |det| > (7 + 2^-40) u P'   suffices
 *
 * with room for the rounding of the right-hand side: 2^-40 against (22 + 7 + 56 + 14) u < 2^-46.
 * This is the constant of Shewchuk's 1997 filter A, reached here for differences taken at p.
 *
 * When P' = 0 each of the six products has a factor that is zero exactly, so det is zero exactly:
 * that spares integers for shared points and for planes along the axes.
 *
 * orient2d: det = (a_u - c_u)(b_v - c_v) - (a_v - c_v)(b_u - c_u). Each product has two
 * differences and itself: 3 factors before the subtraction, P' has 4. (3 + 2^-40) u P' by the
 * same argument.
 *
 * A NaN or an infinity makes P' a NaN or an infinity (an infinite difference times zero is a NaN),
 * and no comparison with it holds: such input is never decided by a filter.
 *
 * tests/unit/test_orient.c has input that is decided wrongly with half of either constant.
 */
#ifndef PLI_ORIENT_H
#define PLI_ORIENT_H

#include "geom/exact.h"
#include <math.h>

#define PLI_FILTER3 ((7.0 + 0x1p-40) * 0x1p-53)
#define PLI_FILTER2 ((3.0 + 0x1p-40) * 0x1p-53)

/* The plane through p, q, r: a normal, and the magnitudes that went into it. */
typedef struct PliOrientPlane {
    double nx, ny, nz, mx, my, mz;
} PliOrientPlane;

static inline PliOrientPlane pli_plane(const float *p, const float *q, const float *r)
{
    double ex = (double)q[0] - p[0], ey = (double)q[1] - p[1], ez = (double)q[2] - p[2];
    double fx = (double)r[0] - p[0], fy = (double)r[1] - p[1], fz = (double)r[2] - p[2];
    double fyez = fy * ez, fzey = fz * ey;
    double fzex = fz * ex, fxez = fx * ez;
    double fxey = fx * ey, fyex = fy * ex;
    return (PliOrientPlane){fyez - fzey,
                            fzex - fxez,
                            fxey - fyex,
                            fabs(fyez) + fabs(fzey),
                            fabs(fzex) + fabs(fxez),
                            fabs(fxey) + fabs(fyex)};
}

/* The determinant orient3d(p, q, r, p + g), as computed. */
static inline double pli_plane_det(const PliOrientPlane *plane, double gx, double gy, double gz)
{
    return (plane->nx * gx + plane->ny * gy) + plane->nz * gz;
}

/* The permanent P' that bounds its error, from the magnitudes of g. */
static inline double pli_plane_permanent(const PliOrientPlane *plane, double gx, double gy,
                                         double gz)
{
    return (plane->mx * gx + plane->my * gy) + plane->mz * gz;
}

/* Sign of det[p-s; q-s; r-s]: the side of the plane through p, q, r on which s lies. */
static inline int pli_orient3d(const float *p, const float *q, const float *r, const float *s,
                               PliCounts *counts)
{
    PliOrientPlane plane = pli_plane(p, q, r);
    double gx = (double)s[0] - p[0], gy = (double)s[1] - p[1], gz = (double)s[2] - p[2];
    double det = pli_plane_det(&plane, gx, gy, gz);
    double permanent = pli_plane_permanent(&plane, fabs(gx), fabs(gy), fabs(gz));
    if (PLI_LIKELY(fabs(det) > PLI_FILTER3 * permanent))
        return det > 0 ? 1 : -1;
    return permanent == 0 ? 0 : pli_exact_orient3d(p, q, r, s, counts);
}

/* Sign of det[a-c; b-c] in the coordinates u and v. */
static inline int pli_orient2d(const float *a, const float *b, const float *c, int u, int v,
                               PliCounts *counts)
{
    double left = ((double)a[u] - c[u]) * ((double)b[v] - c[v]);
    double right = ((double)a[v] - c[v]) * ((double)b[u] - c[u]);
    double det = left - right, permanent = fabs(left) + fabs(right);
    if (PLI_LIKELY(fabs(det) > PLI_FILTER2 * permanent))
        return det > 0 ? 1 : -1;
    return permanent == 0 ? 0 : pli_exact_orient2d(a, b, c, u, v, counts);
}

#endif
