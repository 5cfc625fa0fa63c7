/* Parts of pliant-bench threads. */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "drift.h"

/* Worlds with one worker; with a pool of two; with a thread that does the work of 64; and two with
 * one worker each, at the same time: what the machine gives for this kind of work. */
enum { ONE, TWO, MANY, BOTH, OTHER, WORLDS };

/* A scene that is in all worlds. */
typedef struct Stage {
    PliantWorld *worlds[WORLDS];
    PliantBody *bodies[WORLDS];
    int frame_count;
    const struct Scene *kind;
    union {
        SceneBumpy bumpy;
        SceneCloth cloth;
        SceneStatuePair statues;
        SceneSoup soup;
        BenchDrift drift;
        struct {
            SceneSkin skins[2];
            SceneMesh museum;
        } people;
    } of;

    /* What bodies 0 and 1 borrow, and their ends, if they have any. */
    float *vertices[2], *ends[2];
    int32_t vertex_counts[2];

    /* Answers that are not the world's own, and contacts for regions. */
    PliantVolume volumes[WORLDS];
    PliantContacts contacts[WORLDS];
} Stage;

typedef struct Scene {
    /* Creates the bodies in all worlds. The meaning of `size` depends on the scene. */
    void (*start)(Stage *stage, double size);
    void (*pose)(Stage *stage, int frame); /* sets the bodies of all worlds */
    void (*end)(Stage *stage);

    /* Writes the vertices of a body that borrows them, if there is one. */
    void (*fill)(const Stage *stage, int body, int frame, float *vertices);
} Scene;

extern const Scene threads_bumpy;    /* of that many subdivisions */
extern const Scene threads_visitors; /* a hundred in a museum */
extern const Scene threads_drift;    /* so many small bodies */
extern const Scene threads_soups;    /* two, of so many triangles each */
extern const Scene threads_statues;  /* the pair of that number, growing and shrinking a little */
extern const Scene threads_draped;   /* a cloth and the sphere below; 1: they have ends */
extern const Scene threads_folded;   /* a cloth alone, with waves of that height */
extern const Scene threads_suit;     /* somebody who walks in a suit */

/* Destroys its worlds, and frees what it has. */
void threads_end_stage(Stage *stage);

/* What a second worker gains where shapes are built. False if a shape differs. */
bool threads_shapes(PliantPool *pool, bool is_quick);

#endif
