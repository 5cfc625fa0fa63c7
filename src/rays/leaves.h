/* Leaves that a batch of rays has fetched.
 *
 * A leaf has one slot that it can be in, by its number and its body; a leaf that comes to the same
 * slot takes its place. So nothing has to be searched or emptied, and rays that are close to each
 * other find what the last one has fetched. */
#ifndef PLI_RAY_LEAVES_H
#define PLI_RAY_LEAVES_H

#include "pose/pose.h"

/* Together 8 MB. */
enum { PLI_MAX_RAY_LEAVES = 8192 };

typedef struct PliRayLeaf {
    uint32_t stamp; /* of the batch that has fetched it */
    int32_t body, leaf;
} PliRayLeaf;

typedef struct PliRayLeaves {
    PliRayLeaf *slots;
    PliLeafBoxes *boxes; /* of each slot */
    float *rows;         /* of each slot: PLI_LEAF_SIZE rows of a triangle */
    int32_t capacity;    /* a power of two, or 0 */
    uint32_t stamp;
} PliRayLeaves;

void pli_ray_leaves_free(PliRayLeaves *leaves, const PliantHost *host);

/* Begins a batch that may reach so many leaves: none is fetched. On failure the slots are as they
 * were. */
PliantResult pli_ray_leaves_start(PliRayLeaves *leaves, int64_t count, const PliantHost *host);

/* The slot of a leaf, which is fetched if it is not there. */
int32_t pli_ray_leaves_get(PliRayLeaves *leaves, const PliPose *pose, int32_t body, int32_t leaf,
                           PliWorker *worker);

static inline const float *pli_ray_leaves_row(const PliRayLeaves *leaves, int32_t slot, int32_t i)
{
    return leaves->rows + (size_t)PLI_ROW_SIZE * ((size_t)PLI_LEAF_SIZE * (size_t)slot + (size_t)i);
}

#endif
