/* Pliant: collision detection between things that bend.
 *
 * This header brings in the whole public interface. Read the parts in this order:
 *
 *   pliant/base.h       results, the host's hooks, cpu features, version
 *   pliant/shape.h      meshes at rest with a tree, which bodies share
 *   pliant/triangles.h  exact signs and exact triangle tests, one pair or many
 *   pliant/world.h      bodies that move and bend, and where they touch
 *   pliant/soup.h       bodies without a shape: triangles and points, another number each time
 *   pliant/volume.h     the volume that bodies have in common; points inside or not
 *
 * Everywhere: coordinates are float32 and taken as the real numbers that they are; what can fail
 * returns a PliantResult and then leaves its outputs untouched; defs start from their default
 * function. docs/hello.md is the shortest way in, docs/robustness.md says what is promised.
 */
#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include <pliant/base.h>
#include <pliant/shape.h>
#include <pliant/soup.h>
#include <pliant/triangles.h>
#include <pliant/volume.h>
#include <pliant/world.h>

#endif
