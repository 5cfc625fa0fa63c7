/* CheckInsides while they are collected: for this folder alone.
 *
 * The depths of vertices are found when a row is measured, from the same contacts and regions, by
 * the worker that has them: to find these again for the page would take as long as to measure. */
#ifndef TOOLS_INSIDE_H
#define TOOLS_INSIDE_H

#include "check/check.h"

/* Adds the vertices whose depth is not 0: of all vertices of a and of b; of a self-collision the
 * second is NULL. False: no memory. */
bool insides_add(CheckInsides *insides, const CheckInside *of, const float *const depths[2],
                 const int32_t vertex_counts[2]);

/* Adds those of another worker, and leaves nothing there. False: no memory. */
bool insides_merge(CheckInsides *insides, CheckInsides *other);

/* Puts those of several workers in order. */
void insides_sort(CheckInsides *insides);
void insides_free(CheckInsides *insides);

#endif
