/* Cubics over time, in double, with a bound of their errors: where they have a root for certain.
 *
 * A polynomial in Bernstein form over an interval [l, h] is between the least and the greatest of
 * its coefficients there, and it has one root there if these change sign once. Coefficients over
 * [l, h] are means of those over [0, 1]: b(r, s, t), the result of three steps to r, s and t, each
 * of which is l or h.
 */
#ifndef PLI_CUBIC_H
#define PLI_CUBIC_H

#include "geom/numbers.h"

/* Coefficients over [0, 1], and what they are off by at most, over any interval. */
typedef struct PliCubic {
    double b[4], error;
} PliCubic;

typedef struct PliInterval {
    double low, high;
} PliInterval;

/* An interval, and the coefficients over it. */
typedef struct PliCubicPiece {
    PliInterval times;
    double b[4];
} PliCubicPiece;

/* How many roots there are, by coefficients whose signs may not be certain. */
typedef enum PliRootCount { PLI_NO_ROOT, PLI_ONE_ROOT, PLI_UNCLEAR_ROOTS } PliRootCount;

/* The least distance of the two times that a root is caught between, as a part of their size. */
#define PLI_LEAST_WIDTH 0x1p-46

/* How many steps to a root, and distances around it, are tried. */
enum { PLI_ROOT_STEPS = 16, PLI_ROOT_WIDTHS = 3 };

static inline double pli_mean(double p, double q, double t)
{
    return p + (q - p) * t;
}

/* 1, -1 or 0 if that is not certain. */
static inline int pli_certain_sign(double value, double error)
{
    return (value > error) - (value < -error);
}

PliCubicPiece pli_cubic_piece(const PliCubic *cubic, double low, double high);

/* Divides [0, 1] where the slope is about zero: into pieces in which the cubic rises or falls. */
void pli_cubic_divide(const PliCubic *cubic, PliCubicPiece pieces[3]);

/* How many roots there are in a piece. If it is one, narrows its times around it; unless signs
 * beside it are not certain: then *is_caught is false. */
PliRootCount pli_cubic_catch(const PliCubic *cubic, PliCubicPiece *piece, bool *is_caught);

#endif
