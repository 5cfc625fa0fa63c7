/* A small simulator of elastic bodies and cloth, after "Incremental Potential Contact" (Li and
 * others 2020), without friction. docs/solvers.md walks through it.
 *
 * Each step of backward Euler is the minimum of one energy: inertia, elasticity, and a barrier that
 * grows to infinity as two features come to touch. Newton's method finds it. pliant_world_near()
 * finds the pairs of the barrier. pliant_world_sweep() says how far Newton's method may go.
 *
 * Why nothing ever penetrates: the state is in floats, which all queries read in place. Doubles are
 * used for energies and directions only. A trial is rounded to floats first. Then a sweep goes from
 * the floats that are to the floats that would be, and these become the state only if nothing
 * touches on the way. A sweep is exact for the floats that it is given. So triangles that did not
 * intersect before do not intersect after, however bad a direction is. */
#ifndef IPC_H
#define IPC_H

#include "../painter.h"
#include <pliant/pliant.h>

enum { MAX_VERTICES = 4096, MAX_TRIANGLES = 8192, MAX_SPRINGS = 16384, MAX_TETS = 16384 };
enum { MAX_HANDLES = 256, MAX_ENTRIES = 1 << 23 };

/* Holds two vertices at a distance. A soft one, against bending, has twice its diagonal blocks in
 * the matrix and no others: that is never less, and keeps the matrix sparse. */
typedef struct Spring {
    int32_t vertices[2];
    double length, stiffness;
    bool is_soft;
} Spring;

/* A neo-Hookean tetrahedron. The deformation gradient is the sum of its vertices times their
 * gradients, those of the barycentric weights. */
typedef struct Tet {
    int32_t vertices[4];
    double gradients[4][3], volume, shear, bulk; /* the last two: the constants of Lame */
} Tet;

/* A heavy vertex, which goes to a place. */
typedef struct Handle {
    int32_t vertex;
    double place[3];
} Handle;

typedef struct Surface {
    uint32_t triangles[3 * MAX_TRIANGLES];
    int colors[MAX_TRIANGLES];
    int32_t count;
} Surface;

/* Up to four vertices, their energy and its derivatives. The matrix has no negative eigenvalues;
 * its lower half counts. */
typedef struct Term {
    int count;
    int32_t vertices[4]; /* -1: one that does not move */
    double energy, gradient[12], matrix[12][12];
} Term;

typedef struct Simulation {
    /* What moves. Queries read `now` and `next`. */
    float now[3 * MAX_VERTICES], next[3 * MAX_VERTICES], from[3 * MAX_VERTICES];
    double velocity[3 * MAX_VERTICES], goal[3 * MAX_VERTICES], masses[MAX_VERTICES];
    Surface moving;
    Spring springs[MAX_SPRINGS];
    Tet tets[MAX_TETS];
    Handle handles[MAX_HANDLES];
    int32_t vertex_count, spring_count, tet_count, handle_count;

    /* What stands still. */
    float fixed[3 * MAX_VERTICES];
    Surface standing;
    int32_t fixed_count;

    double dt, gravity;
    double reach, stiffness; /* of the barrier: where it begins, and a factor */

    PliantPool *pool;
    PliantWorld *world;
    PliantBody body, still;
    PliantNearPairs pairs; /* within reach, at `now` */
    double least;          /* distance of these; else infinity */

    /* The sum of all terms at `now`. Entries are of the lower half; those at one place add up. */
    bool has_derivatives;
    double energy, gradient[3 * MAX_VERTICES];
    size_t entry_count;

    int iterations, trials; /* of a step, and how long it and its queries took */
    double seconds, collision_seconds;
    double turns; /* of the mat */

    double values[MAX_ENTRIES];
    int rows[MAX_ENTRIES], columns[MAX_ENTRIES];
} Simulation;

typedef struct Scene {
    const char *name;
    int steps;
    void (*build)(Simulation *);
    PainterView view; /* of a picture: `scale` is the height of the scene that it shows */
    double center[3];
} Scene;

enum { SCENES = 3 }; /* in scene.c. Handles at both ends of the mat turn against each other. */
extern const Scene scenes[SCENES];
void turn_handles(Simulation *sim);
void count_turns(Simulation *sim);

double dot(const double *a, const double *b); /* in elastic.c */
void cross(const double *a, const double *b, double *c);
void add_term(Simulation *sim, const Term *term);
void add_elastic(Simulation *sim);

void must(PliantResult result); /* in contact.c */
double seconds(void);
void make_world(Simulation *sim, int worker_count);
void find_pairs(Simulation *sim);
void add_barrier(Simulation *sim);
double first_impact(Simulation *sim);        /* from `now` to `next`: 0 to 1; else infinity */
int64_t count_intersecting(Simulation *sim); /* pairs of triangles */

void take_step(Simulation *sim);                                          /* in solver.c */
void draw_picture(Simulation *sim, const Scene *scene, const char *path); /* in picture.c */

#endif
