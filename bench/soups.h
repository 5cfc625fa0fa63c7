/* Soups that are timed: what pliant-bench soup and paper-soup share.
 *
 * A film is the clouds of a scene, step by step, in one place in memory: before each turn the step
 * is written there anew, as by a program that moves the triangles, and that is not timed. Steps are
 * never shown twice to the same soup, since what it keeps from one to the next is what is measured.
 */
#ifndef BENCH_SOUPS_H
#define BENCH_SOUPS_H

#include "bench.h"

enum { SOUP_CLOUDS = 2 };

typedef struct SoupFilm {
    SceneSoup scene;
    int cloud_count;             /* that are shown: 1 or 2 */
    float *corners[SOUP_CLOUDS]; /* nine floats a triangle, which soups borrow */
} SoupFilm;

SoupFilm soup_film(SceneSoupFill fill, SceneSoupMotion motion, int32_t triangle_count,
                   int cloud_count);
void soup_film_free(SoupFilm *film);

/* Runs each in turn at each of the next steps, after two that do not count, and takes medians. */
void soup_turns(SoupFilm *film, BenchTurn *turns, int turn_count, int steps);

/* How a soup is made. */
typedef struct SoupWay {
    const char *name;
    PliantSoupKind kind;
    PliantPrimitiveKind primitive_kind; /* points are the first corners of triangles */
    int32_t level_count;
} SoupWay;

/* A world with the clouds of a film in it. */
typedef struct SoupBed {
    const SoupFilm *film;
    const SoupWay *way;
    PliantWorld *world;
    PliantBody bodies[SOUP_CLOUDS];
    int64_t contact_count; /* of the last query */
} SoupBed;

SoupBed soup_bed(const SoupFilm *film, const SoupWay *way);
void soup_bed_free(SoupBed *bed);

/* For turns. Where primitives are now, and then: all that is done before bodies are compared; or
 * that and all pairs of both clouds. */
void soup_update(void *bed);
void soup_query(void *bed);

/* The floor of an update: one pass over the triangles of the first cloud that takes the box of
 * each, 24 bytes, and that of all; or that of all alone. */
typedef struct SoupFloor {
    const SoupFilm *film;
    float *boxes;
    float box[8]; /* low x y z, a number, high x y z, a number */
} SoupFloor;

SoupFloor soup_floor(const SoupFilm *film);
void soup_floor_free(SoupFloor *soup);

void soup_floor_boxes(void *soup);
void soup_floor_box(void *soup);

/* Particles among bodies that morph; a part of pliant-bench soup. */
BenchRun soup_particles;

#endif
