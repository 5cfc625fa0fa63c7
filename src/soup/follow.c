/* The end of a soup in the order of its start: see follow.h. */
#include "soup/follow.h"
#include "pose/boxes.h"
#include "soup/read.h"

/* The box of the primitives in a range of positions: those that are finite. */
static PliBox box_of(const PliFollower *follower, PliRange range)
{
    const int32_t *order = follower->base.bounds.tree->order;
    PliBox all = pli_box_empty(), box;
    for (int32_t i = range.first; i < range.first + range.count; i++)
        if (pli_soup_read(follower->soup, order[i], &box))
            pli_box_add(&all, &box);
    return all;
}

/* PliBounds.open. */
static bool open_node(const PliBounds *bounds, int32_t node, uint32_t stamp, PliWorker *worker,
                      PliBoxes *boxes, float *extra)
{
    (void)stamp, (void)extra;
    const PliFollower *follower = (const PliFollower *)bounds;
    const PliTreeNode *here = &bounds->tree->nodes[node];
    PliBox children[8];
    for (int32_t i = 0; i < here->child_count; i++)
        children[i] = box_of(follower, pli_range_of(bounds->tree, here->children[i]));
    pli_pose_put_children(&follower->base, node, children, worker->kernels, boxes);
    return true;
}

/* PliPoseKind.fetch. */
static int32_t fetch(const PliPose *base, int32_t leaf, PliWorker *worker, float *rows,
                     PliLeafBoxes *boxes)
{
    const PliFollower *follower = (const PliFollower *)base;
    pli_soup_fetch(follower->soup, base->bounds.tree, leaf, worker, rows, boxes);
    return 0;
}

/* PliPoseKind.prefetch. */
static void prefetch(const PliPose *base, int32_t later, int32_t next)
{
    (void)base, (void)later, (void)next;
}

/* PliPoseKind.features: none of its own. */
static PliantResult find_features(PliPose *base, const PliantHost *host, PliPoseFeatures *features)
{
    (void)base, (void)host;
    *features = (PliPoseFeatures){.first_segment = PLI_NO_SEGMENTS};
    return PLIANT_OK;
}

static const PliPoseKind FOLLOWER = {
    .fetch = fetch, .prefetch = prefetch, .features = find_features};

PliantResult pli_follower_create(const PliantHost *host, PliFollower **follower)
{
    void *memory;
    PLI_TRY(pli_allocate(host, 1, sizeof **follower, &memory));
    *follower = memory;
    **follower = (PliFollower){.node_slots = {.item_size = sizeof(PliNodeSlot)}};
    pli_pose_init(&(*follower)->base, &FOLLOWER, NULL);
    (*follower)->base.bounds.open = open_node;
    (*follower)->base.bounds.oldest = 0; /* each node has the slot of its own number */
    return PLIANT_OK;
}

void pli_follower_free(PliFollower *follower, const PliantHost *host)
{
    if (!follower)
        return;
    pli_array_free(&follower->node_slots, host);
    pli_bounds_slots_free(&follower->base.bounds, host);
    pli_release(host, follower, 1, sizeof *follower);
}

/* Room for the bounds of so many nodes; those that are new have never been opened. */
static PliantResult reserve_nodes(PliFollower *follower, int64_t count, const PliantHost *host)
{
    PliBounds *bounds = &follower->base.bounds;
    PliArray *slots = &follower->node_slots;
    PLI_TRY(pli_array_reserve(slots, host, count));
    bounds->node_slots = slots->items;
    PLI_TRY(pli_array_reserve(&bounds->boxes, host, count));
    for (; slots->count < count; slots->count++)
        bounds->node_slots[slots->count] = (PliNodeSlot){0, (int32_t)slots->count};
    if (bounds->boxes.count < count)
        bounds->boxes.count = count;
    return PLIANT_OK;
}

PliantResult pli_follower_start(PliFollower *follower, const PliSoup *leader, PliSoup *soup,
                                const PliantHost *host, const PliKernels *kernels)
{
    PliPose *base = &follower->base;
    PLI_TRY(reserve_nodes(follower, leader->tree->node_count, host));
    follower->soup = soup;
    base->bounds.tree = leader->tree;
    base->is_moved = soup->base.is_moved;
    base->transform = soup->base.transform;
    if (pli_pose_next_frame(base))
        for (int64_t n = 0; n < follower->node_slots.count; n++)
            base->bounds.node_slots[n].stamp = 0;
    pli_soup_start_reading(soup);
    const PliBox root = box_of(follower, (PliRange){0, leader->tree->item_count});
    base->bounds.root = base->is_moved ? pli_box_moved(&base->transform, &root, kernels) : root;
    return PLIANT_OK;
}
