/* Thick features: what radii change of a decision. Pairs have a D of their own (query/radii.h), and
 * those of one body that are near at rest, as all neighbors of a fine mesh are, are left out. */
#ifndef PLI_THICK_H
#define PLI_THICK_H

#include "query/feature_search.h"

/* Pairs that are decided at a time. */
enum { PLI_THICK_BATCH = 256 };

/* Sets the vertices of so many points, of groups the lowest. */
void pli_thick_vertices(const PliFeatureSearch *search, const uint32_t *points, int32_t count,
                        uint32_t *vertices);

/* Sets how far each pair may be, of four vertices that begin with a vertex or an edge. */
void pli_thick_distances(const PliFeatureSearch *search, PliantFeatures kind,
                         const uint32_t *vertices, int32_t count, float *distances);

/* Leaves out pairs of one body that are near at rest, of those whose nearness[i] is PLI_NEAR: sets
 * it to PLI_NEAR_NEVER. Pair i is of the four points from points[4 i] on; PLI_THICK_BATCH at most.
 * Asked only if pli_feature_search_has_rest(). */
void pli_thick_drop(PliFeatureSearch *search, PliantFeatures kind, const uint32_t *points,
                    int32_t count, uint8_t *nearness);

#endif
