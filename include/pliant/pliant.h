/* Pliant: exact collision detection between deforming meshes.
 *
 * This header includes the whole public interface of the library. Read the parts in this order:
 *
 *   pliant/base.h       results, records, the host's hooks, cpu features, version
 *   pliant/shape.h      immutable meshes with a tree, which bodies share
 *   pliant/world.h      bodies that move and deform, and their contacts
 *   pliant/soup.h       bodies without a shape: triangles or points, any number each frame
 *   pliant/near.h       features of bodies within a distance of each other, and the closest points
 *   pliant/intersections.h
 *                       what the triangles of contacts have in common: points, with names
 *   pliant/rays.h       ray casts: the first, any or all triangles along a ray
 *   pliant/distance.h   the least distance of bodies, and closest points of bodies to given points
 *   pliant/regions.h    where bodies are inside each other: curves, both parts, area and depth
 *   pliant/sweep.h      what touches on the way from one pose to the next, and when
 *   pliant/volume.h     volumes of bodies and of what they have in common; points inside or outside
 *   pliant/draw.h       debug drawing: boxes, contacts, pairs and regions as lines and triangles
 *   pliant/triangles.h  exact signs and exact triangle tests, one pair or many
 *   pliant/pool.h       a pool of threads, for hosts that have none
 *   pliant/experiments.h
 *                       switches for comparisons with papers; nothing in it is frozen at 1.0
 *
 * Everywhere: coordinates are float32 and are taken as the real numbers that they are. A call that
 * can fail returns a PliantResult and then leaves its outputs as they were. Records (defs, infos,
 * outputs) start from their default function. docs/hello.md is the shortest way in;
 * docs/robustness.md says what is guaranteed.
 */
#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include <pliant/base.h>
#include <pliant/distance.h>
#include <pliant/draw.h>
#include <pliant/intersections.h>
#include <pliant/near.h>
#include <pliant/pool.h>
#include <pliant/rays.h>
#include <pliant/regions.h>
#include <pliant/shape.h>
#include <pliant/soup.h>
#include <pliant/sweep.h>
#include <pliant/triangles.h>
#include <pliant/volume.h>
#include <pliant/world.h>

/* Nothing in this one is frozen at 1.0. */
#include <pliant/experiments.h>

#endif
