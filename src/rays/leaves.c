/* Leaves that a batch of rays has fetched: see leaves.h. */
#include "rays/leaves.h"

#include <string.h>

enum { MIN_CAPACITY = 64, ROWS = PLI_LEAF_SIZE * PLI_ROW_SIZE };

void pli_ray_leaves_free(PliRayLeaves *leaves, const PliantHost *host)
{
    const size_t count = (size_t)leaves->capacity;
    pli_release(host, leaves->slots, count, sizeof *leaves->slots);
    pli_release(host, leaves->boxes, count, sizeof *leaves->boxes);
    pli_release(host, leaves->rows, count, ROWS * sizeof(float));
    *leaves = (PliRayLeaves){0};
}

/* More slots, with nothing in them. */
static PliantResult grow(PliRayLeaves *leaves, int32_t capacity, const PliantHost *host)
{
    void *slots, *boxes, *rows;
    const size_t count = (size_t)capacity;
    const PliRequest requests[] = {{&slots, count, sizeof *leaves->slots},
                                   {&boxes, count, sizeof *leaves->boxes},
                                   {&rows, count, ROWS * sizeof(float)}};
    PLI_TRY(pli_allocate_all(host, requests, 3));
    pli_ray_leaves_free(leaves, host);
    memset(slots, 0, count * sizeof *leaves->slots);
    *leaves = (PliRayLeaves){.slots = slots, .boxes = boxes, .rows = rows, .capacity = capacity};
    return PLIANT_OK;
}

PliantResult pli_ray_leaves_start(PliRayLeaves *leaves, int64_t count, const PliantHost *host)
{
    int32_t capacity = MIN_CAPACITY;
    while (capacity < count && capacity < PLI_MAX_RAY_LEAVES)
        capacity *= 2;
    if (capacity > leaves->capacity)
        PLI_TRY(grow(leaves, capacity, host));
    if (++leaves->stamp == 0) { /* older stamps would look new again */
        memset(leaves->slots, 0, (size_t)leaves->capacity * sizeof *leaves->slots);
        leaves->stamp = 1;
    }
    return PLIANT_OK;
}

int32_t pli_ray_leaves_get(PliRayLeaves *leaves, const PliPose *pose, int32_t body, int32_t leaf,
                           PliWorker *worker)
{
    const uint32_t hash = (uint32_t)leaf + (uint32_t)body * 0x9e3779b1u;
    const int32_t i = (int32_t)(hash & ((uint32_t)leaves->capacity - 1));
    PliRayLeaf *slot = &leaves->slots[i];
    if (slot->stamp == leaves->stamp && slot->body == body && slot->leaf == leaf)
        return i;
    *slot = (PliRayLeaf){leaves->stamp, body, leaf};
    pli_pose_fetch(pose, leaf, worker, PLI_SIDE_A, leaves->rows + ROWS * (size_t)i,
                   &leaves->boxes[i]);
    return i;
}
