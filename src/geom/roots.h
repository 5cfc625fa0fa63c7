/* Roots: where polynomials of degree up to 3 vanish from 0 to 1, exactly.
 *
 * A root is not a number that can be written down. It is known by a polynomial without double
 * roots, and by how many of its roots are greater. All that is asked of a root is whether it is
 * below, at or above a point, and this is counted by Sturm's theorem: for
 *
 *     f0 = f, f1 = f', f2 = -(f0 mod f1), ... down to a constant, each times a positive number,
 *
 * and V(x) the number of changes of sign in f0(x), f1(x), ..., zeros left out, V(x) less
 * V(infinity) is the number of roots above x. (At a root of f, f1 has the sign that f has just
 * above it, so leaving out the zero is to look just above x.) The points are floats, roots of
 * linear polynomials, and roots of quadratics, x = (-b + s sqrt(b^2 - 4 a c)) / (2 a), s = 1 or -1:
 * a polynomial at such a point is reduced to A + B sqrt(b^2 - 4 a c), whose sign follows from those
 * of A, B and A^2 - B^2 (b^2 - 4 a c).
 *
 * For f = a t^3 + b t^2 + c t + d the sequence is, times positive numbers,
 *
 *     f2 = sign(a) ((2 b^2 - 6 a c) t + (b c - 9 a d)),
 *     f3 = sign(a) (18 a b c d - 4 b^3 d + b^2 c^2 - 4 a c^3 - 27 a^2 d^2)
 *
 * and f3 is zero if f has a double root. Then that is where f2 vanishes, q1 t + q0 = 0; the roots
 * sum up to -b / a, so that the third one is where a q1 t + (b q1 - 2 a q0) vanishes. If f2 is zero
 * too, there is one root, of 3 a t + b. So each root of a polynomial with double roots is that of a
 * linear one.
 *
 * How large the numbers become: coefficients of f are of degree 3 in differences of floats, or of
 * differences of these, which are below 2^130, and those of a quadratic g of degree 2. f at a root
 * of g is compared by squares of degree 18: that of f is 3, two reductions by g add 2 each, the
 * product with g 2. g at the third root has degree 2 + 2 * 9. So PLI_BIG_DEGREE is enough.
 *
 * Most signs are certain in double: see PliPoly.
 */
#ifndef PLI_ROOTS_H
#define PLI_ROOTS_H

#include "geom/big.h"

enum { PLI_MAX_POLY = 3 };

/* c[0] + c[1] t + ... The last coefficient is not zero; the zero polynomial has degree -1.
 *
 * d has the coefficients in double, times a power of two that makes them less than 1. They are
 * within 2^-50 of themselves or 2^-800. */
typedef struct PliPoly {
    int degree;
    PliBig c[PLI_MAX_POLY + 1];
    double d[PLI_MAX_POLY + 1];
} PliPoly;

/* Once the first `count` coefficients are there: finds the degree, and sets the doubles. */
void pli_poly_close(PliPoly *poly, int count);

/* The sequence of a polynomial without double roots, and of degree 1 to 3. */
typedef struct PliChain {
    PliPoly f[3]; /* f0, f1, and f2 of a cubic */
    int count;
    int last;     /* the sign of the constant at the end; 0 if f1 or f2 is the end */
    int infinity; /* V(infinity) */
} PliChain;

typedef struct PliRoot {
    const PliChain *chain;
    int above;        /* how many of its roots are greater */
    double low, high; /* the root is between these, or one of them */
} PliRoot;

/* Room for the sequences of the roots of one polynomial. */
typedef struct PliRoots {
    PliChain chains[2];
    PliRoot items[3];
    int count;
} PliRoots;

/* Finds the roots from 0 to 1 of a polynomial that is not zero: each once, in any order. */
void pli_roots_find(PliRoots *roots, const PliPoly *poly);

/* The sign of a polynomial of degree up to 2 at a root. */
int pli_root_sign(const PliRoot *root, const PliPoly *g);

/* The greatest float that is not above the root. */
float pli_root_floor(const PliRoot *root);

#endif
