/* An oracle of what two meshes have in common: see oracle.h for what oracles are.
 *
 * Trusted as a second opinion, beside tests/support/common_volume.c: all numbers are exact, and
 * strangers wrote it. Meshes must be closed, manifold and nowhere in themselves. */
#ifndef ORACLE_VOLUME_H
#define ORACLE_VOLUME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OracleMesh {
    const float *vertices;     /* three each */
    const unsigned *triangles; /* three corners each, counter-clockwise from outside */
    int vertex_count, triangle_count;
} OracleMesh;

/* 1 if there is an answer; 0 if a mesh is not as it must be, or what they have in common is no
 * manifold, as of two that touch in a corner. */
int oracle_cgal_common_volume(const OracleMesh *a, const OracleMesh *b, double *volume);

/* The curves in which two such meshes intersect, and what these cut off. */
typedef struct OracleRegions {
    int curve_count;   /* all are loops */
    int region_count;  /* connected pieces of the surface of what they have in common, without those
                          that no curve is on */
    double areas[2];   /* of each mesh: what is inside of the other, where a curve bounds it */
    int8_t *inside[2]; /* of each vertex, given by the caller: 1, 0, or -1 if no curve bounds the
                          piece of surface that it is on */
} OracleRegions;

int oracle_cgal_regions(const OracleMesh *a, const OracleMesh *b, OracleRegions *regions);

#ifdef __cplusplus
}
#endif

#endif
