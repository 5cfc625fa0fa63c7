/* The cloth of the example continuous.c: a square sheet whose vertices are held together by links.
 */
#ifndef SHEET_H
#define SHEET_H

#include "scenes.h"

#include <math.h>

/* Two vertices that are kept at a distance. */
typedef struct SheetLink {
    uint32_t a, b;
    float length, compliance;
    float multiplier; /* of Lagrange, in a part of a step */
} SheetLink;

typedef struct Sheet {
    SceneMesh mesh;    /* its vertices are where the sheet is now */
    float *velocities; /* three floats for each vertex, as in the next ones */
    float *next, *next_velocities;
    SheetLink *links;
    int32_t link_count;
} Sheet;

typedef struct SheetDef {
    float side; /* meters */
    int cells;  /* along a side */
} SheetDef;

/* A level sheet at rest, around the origin, with links against bending only. */
Sheet sheet_make(const SheetDef *def);
void sheet_free(Sheet *sheet);

/* Makes links of the edges of all triangles: two vertices each. */
void sheet_add_edges(Sheet *sheet, const uint32_t *edges, int32_t edge_count);

/* Forgets the multipliers of the last part of a step. */
void sheet_start(const Sheet *sheet);

/* Moves the next vertices toward the lengths of all links, one after the other, or from the last to
 * the first. The part of the step takes dt seconds. */
void sheet_hold(const Sheet *sheet, float dt, bool is_backward);

static inline float sheet_dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline float sheet_distance(const float *a, const float *b)
{
    const float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtf(sheet_dot(d, d));
}

#endif
