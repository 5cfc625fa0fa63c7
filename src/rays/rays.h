/* rays: which triangles a ray hits.
 *
 * One ray is walked through a tree of bodies, and from each body that it reaches through the tree
 * of that body: eight boxes at a time, the nearest first. Its one idea: a box test says from which
 * parameter on a part can be hit, so that what lies behind the first hit is never opened, and its
 * vertices are never evaluated. Box tests are conservative (kernels/ray.h); triangles and the order
 * of hits are exact (geom/ray.h). So the answer does not depend on the trees.
 *
 * scene.h has the tree of bodies, leaves.h the leaves that a batch of rays has fetched, cast.h the
 * walk, order.h the order of hits. This folder knows poses, and nothing of worlds.
 */
#ifndef PLI_RAYS_H
#define PLI_RAYS_H

#include "rays/cast.h"

#endif
