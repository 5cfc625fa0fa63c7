/* From pairs of triangles to segments between nodes, and on to curves. */
#ifndef PLI_REGION_NODES_H
#define PLI_REGION_NODES_H

#include "regions/regions.h"

/* Makes cuts, segments and nodes of the pairs. */
PliantResult pli_find_nodes(PliRegions *regions);

/* Appends the curves that the segments form. */
PliantResult pli_join_curves(PliRegions *regions);

#endif
