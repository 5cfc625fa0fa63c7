/* The answers of queries that make something of two surfaces or more: near pairs, distances,
 * closest points, rays, intersections and regions. Pointers, padding and sums of areas are left
 * out. */
#ifndef TEST_ANSWERS_H
#define TEST_ANSWERS_H

#include <pliant/pliant.h>

/* Adds them to a hash, integers as eight bytes, the lowest first. Ends the program if a call fails.
 */
void answers_hash(uint64_t *hash, PliantWorld *world, const PliantBody *bodies, int body_count);

/* Adds near pairs. */
void answers_near(uint64_t *hash, const PliantNearPairs *pairs);

/* Adds what is said of hits: joints, positions, normals. Rays have bodies that they ignore, filters
 * of their own, and come from all sides or from one. */
void answers_hits(uint64_t *hash, PliantWorld *world, const PliantBody *bodies, int body_count);

/* FNV-1a. */
void answers_int(uint64_t *hash, int64_t value);
void answers_floats(uint64_t *hash, const float *values, int count);

#endif
