/* The common part of two closed triangles, in rational numbers.
 *
 * The one triangle is a polygon, and is clipped by half-spaces whose common part is the other one:
 * both sides of its plane, and the inner sides of its edges. Triangles without area are segments or
 * points, and have half-spaces too. Nothing is shared with the library, neither code nor method: it
 * clips nothing. */
#ifndef ORACLE_COMMON_H
#define ORACLE_COMMON_H

#include <gmp.h>

/* A triangle that is clipped by nine half-spaces at most never has more points than this. */
enum { ORACLE_COMMON_POINTS = 16 };

typedef struct OracleCommon {
    int count; /* of extreme points, in order around as the corners of a turn */
    mpq_t points[ORACLE_COMMON_POINTS][3];
    /* Of the corners. Of a triangle without area: of its first and last corner in lexicographic
     * order, of equal ones the former. */
    mpq_t a_weights[ORACLE_COMMON_POINTS][3], b_weights[ORACLE_COMMON_POINTS][3];
    mpq_t n_cross; /* for two points x and y: (n_a x n_b) . (y - x) */
} OracleCommon;

void oracle_common_init(OracleCommon *common);
void oracle_common_clear(OracleCommon *common);

/* Finite corners only. */
void oracle_common_find(OracleCommon *common, const float a[9], const float b[9]);

#ifdef HAS_CGAL
#ifdef __cplusplus
extern "C" {
#endif

/* The same by CGAL, with exact constructions: the number of points, whose coordinates are rounded;
 * -1 if a triangle has no area, since CGAL does not know such. */
int oracle_cgal_common(const float a[9], const float b[9], double points[][3]);

#ifdef __cplusplus
}
#endif
#endif

#endif
