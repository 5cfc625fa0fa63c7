/* Followers: the end of a soup in the order of its start.
 *
 * The tree of a soup is over the order of its primitives as they are now, and no node holds the
 * same primitives in the tree of another soup. A sweep needs bounds of the same nodes at both ends.
 * So the end of a soup is read through a follower: a pose that has the tree of the leading soup,
 * and the primitives of its own soup. The bounds of a node are computed from all primitives below
 * it when a walk reaches it, once the leading soup has opened it and so has put them in order.
 */
#ifndef PLI_FOLLOW_H
#define PLI_FOLLOW_H

#include "soup/soup.h"

typedef struct PliFollower {
    PliPose base;        /* first */
    const PliSoup *soup; /* whose primitives these are */
    PliArray node_slots; /* of PliNodeSlot */
    uint32_t moment;     /* of the world, that it was started for */
} PliFollower;

PliantResult pli_follower_create(const PliantHost *host, PliFollower **follower);
void pli_follower_free(PliFollower *follower, const PliantHost *host);

/* For one query: both soups are up to date, and have as many primitives. On failure nothing is
 * lost. */
PliantResult pli_follower_start(PliFollower *follower, const PliSoup *leader, PliSoup *soup,
                                const PliantHost *host, const PliKernels *kernels);

#endif
