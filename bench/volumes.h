/* Volumes that are timed: what the files of pliant-bench volume share.
 *
 * Bodies are in motion: before each turn, all vertices are written anew where the world borrows
 * them, as by a program that deforms them, and that is not timed. What is timed starts when the
 * world is told, and so each turn has the update in it. One thread. */
#ifndef BENCH_VOLUMES_H
#define BENCH_VOLUMES_H

#include "bench.h"

enum { VOLUME_RESOLUTION = 128, VOLUME_POINTS = 100000, VOLUME_MAX_BODIES = 2 };

/* One or two meshes in a world, and what is taken of them. */
typedef struct VolumeBed {
    const SceneMesh *meshes;
    int body_count, frame;
    float *vertices[VOLUME_MAX_BODIES]; /* of this frame; one float more than there are */
    PliantWorld *world;
    PliantBody bodies[VOLUME_MAX_BODIES];
    PliantLayers *layers[VOLUME_MAX_BODIES];
    PliantVolume volume; /* of the last query */
    float *points;       /* VOLUME_POINTS of them, in the box of the first body */
    uint8_t *states;
} VolumeBed;

VolumeBed volume_bed(const SceneMesh *meshes, int body_count);
void volume_bed_free(VolumeBed *bed);

/* Writes the next frame: about where bodies were, but every vertex elsewhere. */
void volume_show(VolumeBed *bed);

/* Runs each in turn, `rounds` times after one that does not count, each with a new frame. */
void volume_turns(VolumeBed *bed, BenchTurn *turns, int turn_count, int rounds);

/* For turns. What two bodies have in common, by one call. */
void volume_common(void *bed);

/* The same by steps: the layers of each body within the view that both have; then what they have in
 * common, of which the first layers are made, and its volume. */
void volume_layers_of_both(void *bed);
void volume_layers_common(void *bed);

/* The layers of all of the first body; then for each point whether it is inside. */
void volume_layers(void *bed);
void volume_inside(void *bed);

PliantLayersInfo volume_layers_info(const PliantLayers *layers);

/* The floor: one pass over all triangles that are over the picture, by their vertices' numbers,
 * that takes the box of each, 24 bytes. */
typedef struct VolumeFloor {
    const VolumeBed *bed;
    uint32_t *corners[VOLUME_MAX_BODIES]; /* of those that are over it */
    int64_t counts[VOLUME_MAX_BODIES];
    float *boxes;
} VolumeFloor;

VolumeFloor volume_floor(const VolumeBed *bed, const PliantView *view);
void volume_floor_free(VolumeFloor *pass);

/* For turns. */
void volume_floor_boxes(void *pass);

/* Santa in the snow; a part of pliant-bench volume. */
BenchRun volume_snow;

#endif
