/* A judge of what two meshes have in common: see judge.h for what judges are.
 *
 * Trusted as a second opinion, beside tests/support/common_volume.c: all numbers are exact, and
 * strangers wrote it. Meshes must be closed, manifold and nowhere in themselves. */
#ifndef JUDGE_VOLUME_H
#define JUDGE_VOLUME_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct JudgeMesh {
    const float *vertices;     /* three each */
    const unsigned *triangles; /* three corners each, counter-clockwise from outside */
    int vertex_count, triangle_count;
} JudgeMesh;

/* 1 if there is an answer; 0 if a mesh is not as it must be, or what they have in common is no
 * manifold, as of two that touch in a corner. */
int judge_cgal_common_volume(const JudgeMesh *a, const JudgeMesh *b, double *volume);

#ifdef __cplusplus
}
#endif

#endif
