/* Tubes: closed surfaces around a line, with which the statues are made. */
#ifndef SCENES_TUBE_H
#define SCENES_TUBE_H

#include "scenes.h"

typedef struct Tube {
    /* The line, for u from 0 to 1. */
    void (*middle)(const void *data, double u, double point[3]);

    /* How far the surface is from the line at u, by an angle in radians: 0 is aside, to the left as
     * one goes along it, and a quarter of a turn is up. */
    double (*radius)(const void *data, double u, double angle);

    double up[3]; /* the line never goes along it */
    const void *data;
} Tube;

/* With two ends, where the radius goes to 0: 2 * ring_count * segment_count triangles. */
SceneMesh tube_open(const Tube *tube, int ring_count, int segment_count);

/* Where the line ends as it began. As many triangles. */
SceneMesh tube_closed(const Tube *tube, int ring_count, int segment_count);

/* What makes a radius round at both ends: from 0 to 1 over a part of the way, and back to 0. */
double tube_cap(double u, double part);

/* From 0 to 1: thorns in rows along a tube and in rings around it, every other ring moved on by
 * half a thorn. */
double tube_thorn(double u, double angle, int ring_count, int row_count);

#endif
