/* Meshes whose vertices are supplied by the caller: see supplied.h. */
#include "mesh_pose/supplied.h"
#include "base/round.h"
#include "pose/boxes.h"

#include <string.h>

/* ---- Opening: the boxes of a node's children, where it is reached ---------------------------- */

/* The box of a part above the cut, from the vertices of the parts of the cut that it is made of. */
static PliBox box_above(const PliMeshPose *pose, PliRange parts, const PliKernels *kernels)
{
    const PliVertexLists *vertex_lists = &pose->shape->vertex_lists;
    PliBox box = pli_box_empty(), some[32];
    for (int32_t start = 0; start < parts.count; start += 32) {
        int32_t here = parts.count - start < 32 ? parts.count - start : 32;
        kernels->box_lists(&pose->vertices, vertex_lists->numbers,
                           vertex_lists->refit_cut_lists + parts.first + start, here, some);
        for (int32_t i = 0; i < here; i++)
            pli_box_add(&box, &some[i]);
    }
    return box;
}

/* Children that are all leaves stand side by side. */
static bool has_only_leaves(const PliTreeNode *node)
{
    int32_t first = node->children[0], last = node->children[node->child_count - 1];
    return (first & last) < 0 && ~last - ~first == node->child_count - 1;
}

/* The boxes of a node's children, from their vertices. */
static void read_children(const PliMeshPose *pose, int32_t node, const PliKernels *kernels,
                          PliBox *boxes)
{
    const PliVertexLists *vertex_lists = &pose->shape->vertex_lists;
    const PliTreeNode *tree_node = &pose->base.bounds.tree->nodes[node];
    if (has_only_leaves(tree_node)) {
        kernels->box_lists(&pose->vertices, vertex_lists->numbers,
                           vertex_lists->leaf_lists + ~tree_node->children[0],
                           tree_node->child_count, boxes);
        return;
    }
    for (int32_t c = 0; c < tree_node->child_count; c++) {
        int32_t child = tree_node->children[c];
        if (child >= 0 && pli_is_above_refit_cut(vertex_lists, child))
            boxes[c] = box_above(pose, vertex_lists->node_refit_cuts[child], kernels);
        else
            kernels->box_lists(&pose->vertices, vertex_lists->numbers,
                               child < 0 ? &vertex_lists->leaf_lists[~child]
                                         : &vertex_lists->node_lists[child],
                               1, &boxes[c]);
    }
}

bool pli_supplied_open(const PliBounds *bounds, int32_t node, uint32_t stamp, PliWorker *worker,
                       PliBoxes *boxes, float *extra)
{
    (void)stamp, (void)extra; /* there are boxes only */
    const PliMeshPose *pose = (const PliMeshPose *)bounds;
    PliBox children[8];
    read_children(pose, node, worker->kernels, children);
    pli_pose_put_children(&pose->base, node, children, worker->kernels, boxes);
    return true;
}

/* ---- Updating: what is renewed before it is reached ------------------------------------------ */

/* Its boxes hold from now on. */
static void stamp(PliBounds *bounds, int32_t node, PliWorker *worker)
{
    bounds->node_slots[node].stamp = bounds->frame - 1;
    worker->counts[PLI_SIDE_A].opened_nodes++;
}

/* The boxes of a node's children, of those that are renewed from what is known. */
static void merge_known_children(const PliMeshPose *pose, int32_t node, const PliKernels *kernels,
                                 const PliBox *node_boxes, PliBox *boxes)
{
    const PliBounds *bounds = &pose->base.bounds;
    const PliVertexLists *vertex_lists = &pose->shape->vertex_lists;
    const PliTreeNode *tree_node = &bounds->tree->nodes[node];
    for (int32_t c = 0; c < tree_node->child_count; c++) {
        int32_t child = tree_node->children[c];
        if (child >= 0 && bounds->node_slots[child].stamp == bounds->frame - 1)
            boxes[c] = node_boxes[child];
        else
            kernels->box_lists(&pose->vertices, vertex_lists->numbers,
                               child < 0 ? &vertex_lists->leaf_lists[~child]
                                         : &vertex_lists->node_lists[child],
                               1, &boxes[c]);
    }
}

/* Where a walk has been in the last frame, one will be in this: such nodes of a part of the cut are
 * renewed at once, from the bottom up, and those above them need not read the same vertices again.
 * Their boxes are in node_boxes. A walk reaches a node through its parent: the search for them ends
 * where none has been. */
static void renew_reached(PliMeshPose *pose, int32_t part, PliWorker *worker, PliBox *node_boxes)
{
    const PliKernels *kernels = worker->kernels;
    const PliBounds *bounds = &pose->base.bounds;
    const PliNodeSlot *node_slots = bounds->node_slots;
    const uint32_t last_frame = bounds->frame - 2;
    int32_t reached[PLI_REFIT_CUT_SIZE], count = 0;
    if (part >= 0 && node_slots[part].stamp == last_frame)
        reached[count++] = part;
    for (int32_t i = 0; i < count; i++) {
        const PliTreeNode *node = &bounds->tree->nodes[reached[i]];
        for (int32_t c = 0; c < node->child_count; c++)
            if (node->children[c] >= 0 && node_slots[node->children[c]].stamp == last_frame)
                reached[count++] = node->children[c];
    }
    while (count-- > 0) {
        const int32_t n = reached[count];
        PliBox children[8];
        if (has_only_leaves(&bounds->tree->nodes[n]))
            read_children(pose, n, kernels, children);
        else
            merge_known_children(pose, n, kernels, node_boxes, children);
        node_boxes[n] = pli_pose_set_children(&pose->base, n, children, worker);
    }
}

/* The boxes of some parts of the cut: of those that are not renewed yet, from their vertices. */
static void read_refit_cut(const PliMeshPose *pose, PliRange parts, const PliKernels *kernels,
                           const PliBox *node_boxes, PliBox *refit_cut_boxes)
{
    const PliBounds *bounds = &pose->base.bounds;
    const PliVertexLists *vertex_lists = &pose->shape->vertex_lists;
    const int32_t end = parts.first + parts.count;
    int32_t start = parts.first;
    for (int32_t i = parts.first; i <= end; i++) {
        int32_t part = i == end ? -1 : vertex_lists->refit_cut[i];
        bool is_renewed = part >= 0 && bounds->node_slots[part].stamp == bounds->frame - 1;
        if (i < end && !is_renewed)
            continue;
        kernels->box_lists(&pose->vertices, vertex_lists->numbers,
                           vertex_lists->refit_cut_lists + start, i - start,
                           refit_cut_boxes + start);
        if (is_renewed)
            refit_cut_boxes[i] = node_boxes[part];
        start = i + 1;
    }
}

/* The cut of a body with so many parts is renewed by several workers, some parts in each task. */
enum { MIN_DIVIDED_PARTS = 128, PARTS_OF_A_TASK = 16 };

typedef struct CutUpdate {
    PliMeshPose *pose;
    PliBox *refit_cut_boxes, *node_boxes;
} CutUpdate;

/* PliWork. Parts of the cut have no node in common. */
static void update_parts(void *data, int32_t index, PliWorker *worker)
{
    const CutUpdate *update = data;
    PliMeshPose *pose = update->pose;
    const PliVertexLists *vertex_lists = &pose->shape->vertex_lists;
    const int32_t first = PARTS_OF_A_TASK * index, left = vertex_lists->refit_cut_count - first;
    const PliRange parts = {first, left < PARTS_OF_A_TASK ? left : PARTS_OF_A_TASK};
    if (!pose->base.is_moved) /* boxes that are moved are no use to those above them */
        for (int32_t i = 0; i < parts.count; i++)
            renew_reached(pose, vertex_lists->refit_cut[first + i], worker, update->node_boxes);
    read_refit_cut(pose, parts, worker->kernels, update->node_boxes, update->refit_cut_boxes);
}

/* The cut from its vertices, and all above it from the cut. */
static PliBox update_hybrid(PliMeshPose *pose, PliWorker *worker, PliBox *scratch)
{
    const PliVertexLists *vertex_lists = &pose->shape->vertex_lists;
    const PliTree *tree = pose->base.bounds.tree;
    PliBox *refit_cut_boxes = scratch, *node_boxes = scratch + vertex_lists->refit_cut_count;
    CutUpdate update = {pose, refit_cut_boxes, node_boxes};
    const int32_t part_count = vertex_lists->refit_cut_count;
    (part_count < MIN_DIVIDED_PARTS ? pli_worker_do_all : pli_worker_divide)(
        worker, update_parts, &update, (int32_t)pli_div_up(part_count, PARTS_OF_A_TASK));
    if (vertex_lists->refit_cut_count == 1)
        return refit_cut_boxes[0];
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        if (!pli_is_above_refit_cut(vertex_lists, n))
            continue;
        const PliTreeNode *node = &tree->nodes[n];
        const PliBox *next = refit_cut_boxes + vertex_lists->node_refit_cuts[n].first;
        PliBox children[8];
        for (int32_t c = 0; c < node->child_count; c++) {
            int32_t child = node->children[c];
            if (child >= 0 && pli_is_above_refit_cut(vertex_lists, child)) {
                children[c] = node_boxes[child];
                next += vertex_lists->node_refit_cuts[child].count;
            } else
                children[c] = *next++;
        }
        node_boxes[n] = pli_pose_set_children(&pose->base, n, children, worker);
    }
    return node_boxes[0];
}

/* All bounds of a tree, from the boxes of all leaves, which are at the beginning of the scratch.
 * Returns the box of all. */
static PliBox bounds_above_leaves(const PliTree *tree, PliBox *scratch, PliBoxes *boxes)
{
    PliBox *leaf_boxes = scratch, *node_boxes = scratch + tree->leaf_count;
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        const PliTreeNode *node = &tree->nodes[n];
        PliBox children[8], all = pli_box_empty();
        for (int32_t c = 0; c < node->child_count; c++) {
            int32_t child = node->children[c];
            children[c] = child < 0 ? leaf_boxes[~child] : node_boxes[child];
            pli_box_add(&all, &children[c]);
        }
        pli_boxes_set(&boxes[n], children, node->child_count);
        node_boxes[n] = all;
    }
    return tree->node_count > 0 ? node_boxes[0] : leaf_boxes[0];
}

/* The same, from the vertices. */
static PliBox bounds_from_leaves(const PliTree *tree, const PliVertexLists *vertex_lists,
                                 const PliVertexView *vertices, const PliKernels *kernels,
                                 PliBox *scratch, PliBoxes *boxes)
{
    kernels->box_lists(vertices, vertex_lists->numbers, vertex_lists->leaf_lists, tree->leaf_count,
                       scratch);
    return bounds_above_leaves(tree, scratch, boxes);
}

static PliBox update_bottom_up(PliMeshPose *pose, PliWorker *worker, PliBox *scratch)
{
    const PliKernels *kernels = worker->kernels;
    PliBounds *bounds = &pose->base.bounds;
    PliBox root = bounds_from_leaves(bounds->tree, &pose->shape->vertex_lists, &pose->vertices,
                                     kernels, scratch, bounds->boxes.items);
    for (int32_t n = 0; n < bounds->tree->node_count; n++) {
        if (pose->base.is_moved)
            kernels->move_boxes(&pose->base.transform, pli_boxes_at(bounds, n));
        stamp(bounds, n, worker);
    }
    return root;
}

static PliBox update_top_down(PliMeshPose *pose, PliWorker *worker, PliBox *scratch)
{
    (void)scratch;
    return box_above(pose, (PliRange){0, pose->shape->vertex_lists.refit_cut_count},
                     worker->kernels);
}

/* The box of the pieces in a leaf, where they are now: see pieces.c for why no margin is needed. */
static PliBox box_of_pieces(const PliMeshPose *pose, int32_t leaf, PliWorker *worker)
{
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliLeafBoxes boxes;
    PliBox all = pli_box_empty();
    pose->base.kind->fetch(&pose->base, leaf, worker, rows, &boxes);
    for (int32_t i = 0; i < pose->base.bounds.tree->leaves[leaf].count; i++) {
        PliBox box = {{boxes.low[0][i], boxes.low[1][i], boxes.low[2][i], 0},
                      {boxes.high[0][i], boxes.high[1][i], boxes.high[2][i], 0}};
        if (pli_is_finite(rows + (size_t)PLI_ROW_SIZE * (size_t)i, PLI_ROW_SIZE))
            pli_box_add(&all, &box);
    }
    return all;
}

/* Caller-supplied vertices of triangles that are divided: all of it, from the pieces up. The box of
 * a part of a wall by its vertices would be that of the wall, and every part of it would be
 * reached. */
static PliBox update_pieces(PliMeshPose *pose, PliWorker *worker, PliBox *scratch)
{
    PliBounds *bounds = &pose->base.bounds;
    for (int32_t leaf = 0; leaf < bounds->tree->leaf_count; leaf++)
        scratch[leaf] = box_of_pieces(pose, leaf, worker);
    PliBox root = bounds_above_leaves(bounds->tree, scratch, bounds->boxes.items);
    for (int32_t n = 0; n < bounds->tree->node_count; n++)
        stamp(bounds, n, worker);
    return root;
}

PliBox pli_supplied_update(PliMeshPose *pose, PliWorker *worker)
{
    typedef PliBox Update(PliMeshPose *, PliWorker *, PliBox *);
    static Update *const updates[] = {update_hybrid, update_bottom_up, update_top_down};
    if (pose->shape->pieces)
        return update_pieces(pose, worker, worker->boxes.items);
    const PliBox root = updates[pose->update_kind](pose, worker, worker->boxes.items);
    return pose->base.is_moved ? pli_box_moved(&pose->base.transform, &root, worker->kernels)
                               : root;
}
