/* An oracle of what two meshes have in common: see oracle.h for what oracles are.
 *
 * Trusted as a second opinion, beside tests/support/common_volume.c: all numbers are exact, and
 * strangers wrote it. Meshes must be closed, manifold and nowhere in themselves. */
#ifndef ORACLE_VOLUME_H
#define ORACLE_VOLUME_H

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

#ifdef __cplusplus
}
#endif

#endif
