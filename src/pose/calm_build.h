/* What is known of a shape at rest, as it is made: for calm_build.c, calm_fit.c and firm.c. */
#ifndef PLI_CALM_BUILD_H
#define PLI_CALM_BUILD_H

#include "pose/calm.h"

enum {
    PLI_MOST_NEAR = 48,                                               /* leaves */
    PLI_MOST_NEAR_VERTICES = (PLI_MOST_NEAR + 1) * 3 * PLI_LEAF_SIZE, /* of these */
    PLI_MOST_TIES = PLI_MOST_NEAR * PLI_LEAF_SIZE,
};

/* What has to be an upper bound is rounded up by far more than the doubles can be wrong. */
#define PLI_UP (1 + 0x1p-20)
#define PLI_DOWN (1 - 0x1p-20)

/* ---- Vectors ------------------------------------------------------------------------------------
 */

static inline double pli_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void pli_cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline double pli_square_of(const double *a, const double *b)
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return pli_dot(d, d);
}

static inline double pli_distance(const double *a, const double *b)
{
    return sqrt(pli_square_of(a, b));
}

/* ---- Firmness: firm.c ---------------------------------------------------------------------------
 *
 * How much each pair of triangles stands: K and E of calm.h. */

/* A leaf is taken to be no firmer than that, and no less bulging, in lengths of its longest edge:
 * what is better is not looked at closely. */
#define PLI_GOOD_K 0.25
#define PLI_GOOD_E 3.0

typedef struct PliFirmTriangle {
    uint32_t vertices[3];
    float rows[9];
    double corners[3][3];
    double longest; /* edge, squared */
    float low[3], high[3];
} PliFirmTriangle;

/* K and E of calm.h: the worst so far. */
typedef struct PliFirmness {
    double k, e;
} PliFirmness;

static inline void pli_firm_worsen(PliFirmness *firmness, double k, double e)
{
    firmness->k = k < firmness->k ? k : firmness->k;
    firmness->e = e > firmness->e ? e : firmness->e;
}

/* Sixteen triangles as the first look at a pair wants them. */
typedef float PliSixteen __attribute__((vector_size(64)));
typedef int32_t PliSixteenInts __attribute__((vector_size(64)));
typedef struct PliFirmRow {
    PliSixteen low[3], high[3], longest;
    float all_low[3], all_high[3], all_longest; /* the box of all, and the longest edge, squared */
    bool is_known; /* all edges are of a size that can be worked with */
} PliFirmRow;

/* What a gap has to be, squared, so that a pair is no worse than good: these times h_s^2 + h_t^2,
 * and the square of that. */
typedef struct PliFirmNeed {
    float by_k, by_e;
} PliFirmNeed;

/* The triangle at a position of the tree's order, at rest. */
void pli_firm_triangle(const PliantShape *shape, int32_t position, PliFirmTriangle *triangle);

void pli_firm_row(const PliFirmTriangle *triangles, int32_t count, PliFirmRow *row);

/* What pairs need to be as firm as that. */
PliFirmNeed pli_firm_need(const PliFirmness *good);

/* Most pairs are far apart: by the gap between their boxes they are good. Returns a bit for each of
 * sixteen that may not be. `size` is no less than any coordinate. */
uint32_t pli_firm_first_look(const PliFirmTriangle *s, const PliFirmRow *row, PliFirmNeed needed,
                             float size);

/* Worsens it by two triangles; K is 0 if they meet. */
void pli_firm_take_pair(const PliFirmTriangle *s, const PliFirmTriangle *t, PliFirmness *firmness);

/* ---- The neighbourhood of a leaf ----------------------------------------------------------------
 */

enum { PLI_MOST_BAD_PAIRS = 1024 };

/* A pair that is worse than good. */
typedef struct PliBadPair {
    double k, e;
    uint8_t near, own, other; /* which of the leaves near it, and the places in both */
} PliBadPair;

typedef struct PliBadPairs {
    PliBadPair items[PLI_MOST_BAD_PAIRS];
    int32_t count;
    bool are_too_many;
} PliBadPairs;

typedef struct PliCalmBuilder {
    float columns[3][PLI_MOST_NEAR_VERTICES + 16]
        __attribute__((aligned(64))); /* `values` as parts of the greatest */
    const PliantShape *shape;
    const PliantHost *host;
    PliCalm *calm;
    PliBox *boxes;         /* of all leaves, then all nodes, at rest */
    int32_t *stack;        /* of nodes */
    int32_t *marks;        /* of each vertex: its place among those at hand, or -1 */
    int32_t *move_firsts;  /* of each vertex: its moves by targets */
    int32_t *move_targets; /* the target of each */
    int32_t *move_places;  /* and where it is among all of that target's */

    /* The neighbourhood at hand; the leaf's own vertices come first. */
    int32_t vertex_count, own_count;
    uint32_t vertices[PLI_MOST_NEAR_VERTICES];
    double places[PLI_MOST_NEAR_VERTICES][3]; /* less the centre */
    double values[PLI_MOST_NEAR_VERTICES][3]; /* of what is fitted at the time */
    PliFirmRow *rows;                         /* of each leaf */
    PliBadPairs *bad;
    float *nearness; /* the square of the least distance over that of theirs, of each of the leaf's
                        own with all: a row of row_size */
    int32_t row_size;
    int32_t tie_count;
    int32_t ties[PLI_MOST_TIES][2]; /* two others, of a triangle with one of the leaf's own */
    double inverse[3][3];           /* of the sum of squares of places */
} PliCalmBuilder;

/* ---- What vertices follow: calm_fit.c -----------------------------------------------------------
 */

/* The vertices of a leaf that are not at hand yet. */
void pli_calm_take_vertices(PliCalmBuilder *builder, int32_t leaf);

/* What their joints and targets are, of the leaves near one, which is the first of them. */
PliantResult pli_calm_look_at_vertices(PliCalmBuilder *builder, PliCalmLeaf *leaf,
                                       const int32_t *near, int32_t near_count);

/* Which targets move each vertex. */
void pli_calm_turn_moves(PliCalmBuilder *builder);

#endif
