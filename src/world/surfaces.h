/* What contacts say of the surfaces of bodies: regions, and what triangles have in common. Contacts
 * have been checked. */
#ifndef PLI_SURFACES_H
#define PLI_SURFACES_H

#include "world/world.h"

/* Fills world->regions, with one region more than the def allows if there are more. */
PliantResult pli_world_find_regions(PliantWorld *world, const PliantContacts *contacts,
                                    const PliantRegionsDef *def);

/* Fills world->intersections of the first `total` contacts, and their points. */
PliantResult pli_world_intersect(const PliCall *call, PliantWorld *world,
                                 const PliantContacts *contacts, int64_t total);

#endif
