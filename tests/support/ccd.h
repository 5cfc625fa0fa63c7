/* Real steps of simulations with known answers: the scenes of PLIANT_ASSETS/ccd whose vertices are
 * float32.
 *
 * They are of the Time of Impact Dataset for Continuous Collision Detection (Wang, Ferguson,
 * Schneider, Jiang, Attene and Panozzo 2021). A scene is two meshes, the start and the end of a
 * step, and pairs of features: a vertex and a triangle, or two edges, each with whether they touch
 * within the step, which was decided symbolically. Needs nothing of the library. */
#ifndef TEST_CCD_H
#define TEST_CCD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CCD_SCENES = 3 };

/* Pairs of one kind. */
typedef struct CcdPairs {
    int64_t count;
    uint32_t *features; /* two for each pair: a vertex and a triangle, or two edges */
    uint32_t *vertices; /* four for each pair: a vertex and three corners, or the ends of edges */
    bool *are_touching; /* the known answers */
} CcdPairs;

typedef struct CcdScene {
    const char *name;
    int vertex_count, triangle_count, edge_count;
    float *start, *end;  /* three for each vertex */
    uint32_t *triangles; /* three vertices each */
    uint32_t *edges;     /* two vertices each, the lesser first; sorted by the greater one first */
    CcdPairs pairs[2];   /* of vertices and triangles, and of edges */
} CcdScene;

/* Reads a scene from a folder of assets. Returns false, and prints why to stderr, if that fails, or
 * if a coordinate is not a float32; then there is nothing to free. */
bool ccd_read(const char *assets, int index, CcdScene *scene);

void ccd_free(CcdScene *scene);

#ifdef __cplusplus
}
#endif

#endif
