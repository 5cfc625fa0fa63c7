/* Bodies with a shape: see pose.h. */
#include "geom/geom.h"
#include "pose/pose.h"

#include <string.h>

/* ---- Leaves: where the triangles are ------------------------------------------------------------
 */

/* Is there nothing to be read behind one of a leaf's vertices? A shape's are followed by its
 * triangles and a copy's by one float, but a borrowed array may end where its last vertex does. */
static bool is_at_end(const PliShaped *pose, int32_t leaf)
{
    const PliVertexSets *sets = &pose->shape->sets;
    return pose->base.is_borrowed &&
           pli_has_last(sets, sets->leaf_lists[leaf], pose->vertices.count - 1);
}

/* PliPoseKind.fetch. */
static int32_t fetch(const PliPose *base, int32_t leaf, const PliKernels *kernels, float *rows,
                     PliLeafBoxes *boxes)
{
    const PliShaped *pose = (const PliShaped *)base;
    if (pli_shaped_is_blended(pose)) {
        pli_blending_fetch(pose, leaf, kernels, rows, boxes);
        return pose->shape->blends.tables[leaf].count;
    }
    PliRange range = pose->shape->tree.leaves[leaf];
    PliFetchLeaf *fetch_leaf = is_at_end(pose, leaf) ? pli_fetch_leaf_c : kernels->fetch_leaf;
    fetch_leaf(&pose->vertices, pose->shape->sets.corners + 3 * (size_t)range.first, range.count,
               pose->base.is_moved ? &pose->base.map : NULL, rows, boxes);
    if (pose->shape->pieces)
        pli_narrow_to_pieces(pose->shape->pieces + range.first, range.count, rows, boxes);
    return 0;
}

/* PliPoseKind.ask: the corners of the one, and the vertices of the other if there are so many that
 * they come from far. */
static void ask(const PliPose *base, int32_t later, int32_t next)
{
    const PliShaped *pose = (const PliShaped *)base;
    if (pli_shaped_is_blended(pose)) {
        pli_blending_ask(pose, later, next);
        return;
    }
    const PliRange *leaves = pose->shape->tree.leaves;
    const uint32_t *corners = pose->shape->sets.corners;
    for (int i = 0; i < 3 * PLI_LEAF_SIZE; i += 64 / (int)sizeof *corners)
        __builtin_prefetch(corners + 3 * (size_t)leaves[later].first + i);
    if (pose->vertices.stride * pose->vertices.count < PLI_FAR_SIZE)
        return;
    for (int32_t i = 0; i < leaves[next].count; i++) {
        uint32_t vertex = corners[3 * ((size_t)leaves[next].first + (size_t)i)];
        __builtin_prefetch(pose->vertices.data + pose->vertices.stride * vertex);
    }
}

/* Those that are in no pair since one of their coordinates is no number. */
static int64_t count_nonfinite(const PliPose *base)
{
    int64_t count = 0;
    PliKernels kernels;
    pli_kernels_fill(&kernels, PLIANT_CPU_NONE);
    for (int32_t leaf = 0; leaf < base->bounds.tree->leaf_count; leaf++) {
        const PliRange range = base->bounds.tree->leaves[leaf];
        float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
        PliLeafBoxes boxes;
        fetch(base, leaf, &kernels, rows, &boxes);
        for (int32_t i = 0; i < range.count; i++)
            if (!base->pieces || pli_is_first(&base->pieces[range.first + i]))
                count += !pli_is_finite(rows + (size_t)PLI_ROW_SIZE * (size_t)i, PLI_ROW_SIZE);
    }
    return count;
}

/* Are all given vertices finite? The difference of a number with itself is zero, or NaN. */
static bool has_finite_vertices(const PliShaped *pose)
{
    const PliVertexView *view = &pose->vertices;
    const size_t count = 3 * (size_t)view->count;
    const float *numbers = (const float *)view->data;
    PliFloat4 sum = {0}, some;
    size_t i = 0;
    for (; view->stride == 3 * sizeof(float) && i + 4 <= count; i += 4) {
        memcpy(&some, numbers + i, sizeof some);
        sum += some - some;
    }
    float rest = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; i < count; i++) {
        memcpy(&some, view->data + view->stride * (i / 3) + sizeof(float) * (i % 3), sizeof(float));
        rest += some[0] - some[0];
    }
    return rest == 0;
}

/* PliPoseKind.is_closed: what is closed stays so unless some of it is not finite. The box of all
 * bounds where vertices go, moved or blended; if one of its ends is close to where floats end, some
 * may have gone beyond. */
static bool is_closed(const PliPose *base)
{
    const PliShaped *pose = (const PliShaped *)base;
    const PliBox *root = &base->bounds.root;
    bool is_near = true;
    for (int k = 0; k < 3; k++)
        is_near &= root->low[k] > (float)-PLI_MOST && root->high[k] < (float)PLI_MOST;
    return pose->shape->header->is_closed && is_near &&
           (!pose->is_given || has_finite_vertices(pose));
}

/* ---- Opening: the boxes of a node's children, where it is reached -------------------------------
 */

/* The box of a part above the cut, from the vertices of the parts of the cut that it is made of. */
static PliBox box_above(const PliShaped *pose, int32_t first, int32_t count,
                        const PliKernels *kernels)
{
    const PliVertexSets *sets = &pose->shape->sets;
    PliBox box = pli_box_empty(), some[32];
    for (int32_t start = 0; start < count; start += 32) {
        int32_t here = count - start < 32 ? count - start : 32;
        kernels->box_lists(&pose->vertices, sets->numbers, sets->cut_lists + first + start, here,
                           some);
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
static void take_children(const PliShaped *pose, int32_t node, const PliKernels *kernels,
                          PliBox *boxes)
{
    const PliVertexSets *sets = &pose->shape->sets;
    const PliTreeNode *tree_node = &pose->base.bounds.tree->nodes[node];
    if (has_only_leaves(tree_node)) {
        kernels->box_lists(&pose->vertices, sets->numbers,
                           sets->leaf_lists + ~tree_node->children[0], tree_node->child_count,
                           boxes);
        return;
    }
    for (int32_t c = 0; c < tree_node->child_count; c++) {
        int32_t child = tree_node->children[c];
        const PliVertexList *list =
            child < 0 ? &sets->leaf_lists[~child] : &sets->node_lists[child];
        if (list->block_count < 0)
            boxes[c] = box_above(pose, list->first, list->single_count, kernels);
        else
            kernels->box_lists(&pose->vertices, sets->numbers, list, 1, &boxes[c]);
    }
}

static bool open_given(PliBounds *bounds, int32_t node, const PliKernels *kernels)
{
    PliShaped *pose = (PliShaped *)bounds;
    PliBox boxes[8];
    take_children(pose, node, kernels, boxes);
    pli_pose_put_children(&pose->base, node, boxes, kernels);
    return true;
}

/* ---- Updating: what is renewed before it is reached -------------------------------------------
 */

/* Its boxes hold from now on. */
static void stamp(PliBounds *bounds, int32_t node)
{
    bounds->places[node].stamp = bounds->frame - 1;
    bounds->opened_count++;
}

/* The boxes of a node's children, of those that are renewed from what is known. */
static void take_known_children(const PliShaped *pose, int32_t node, const PliKernels *kernels,
                                const PliBox *node_boxes, PliBox *boxes)
{
    const PliBounds *bounds = &pose->base.bounds;
    const PliVertexSets *sets = &pose->shape->sets;
    const PliTreeNode *tree_node = &bounds->tree->nodes[node];
    for (int32_t c = 0; c < tree_node->child_count; c++) {
        int32_t child = tree_node->children[c];
        if (child >= 0 && bounds->places[child].stamp == bounds->frame - 1)
            boxes[c] = node_boxes[child];
        else
            kernels->box_lists(&pose->vertices, sets->numbers,
                               child < 0 ? &sets->leaf_lists[~child] : &sets->node_lists[child], 1,
                               &boxes[c]);
    }
}

/* Where a walk has been in the last frame, one will be in this: such nodes below the cut are
 * renewed at once, from the bottom up, and those above them need not look at the same vertices
 * again. Their boxes are in node_boxes. */
static void renew_reached(PliShaped *pose, const PliKernels *kernels, PliBox *node_boxes)
{
    const PliBounds *bounds = &pose->base.bounds;
    const PliNodePlace *places = bounds->places;
    const uint32_t last_frame = bounds->frame - 2;
    for (int32_t n = bounds->tree->node_count - 1; n >= 0; n--) {
        if (places[n].stamp != last_frame || pli_is_above_cut(&pose->shape->sets, n))
            continue;
        PliBox children[8];
        if (has_only_leaves(&bounds->tree->nodes[n]))
            take_children(pose, n, kernels, children);
        else
            take_known_children(pose, n, kernels, node_boxes, children);
        node_boxes[n] = pli_pose_set_children(&pose->base, n, children, kernels);
    }
}

/* The boxes of the cut: of those parts that are not renewed yet, from their vertices. */
static void take_cut(const PliShaped *pose, const PliKernels *kernels, const PliBox *node_boxes,
                     PliBox *cut_boxes)
{
    const PliBounds *bounds = &pose->base.bounds;
    const PliVertexSets *sets = &pose->shape->sets;
    int32_t start = 0;
    for (int32_t i = 0; i <= sets->cut_count; i++) {
        bool is_end = i == sets->cut_count;
        int32_t part = is_end ? -1 : sets->cut[i];
        bool is_renewed = part >= 0 && bounds->places[part].stamp == bounds->frame - 1;
        if (!is_end && !is_renewed)
            continue;
        kernels->box_lists(&pose->vertices, sets->numbers, sets->cut_lists + start, i - start,
                           cut_boxes + start);
        if (is_renewed)
            cut_boxes[i] = node_boxes[part];
        start = i + 1;
    }
}

/* The cut from its vertices, and all above it from the cut. */
static PliBox update_hybrid(PliShaped *pose, const PliKernels *kernels, PliBox *scratch)
{
    const PliVertexSets *sets = &pose->shape->sets;
    const PliTree *tree = pose->base.bounds.tree;
    PliBox *cut_boxes = scratch, *node_boxes = scratch + sets->cut_count;
    if (!pose->base.is_moved) /* boxes that are moved are no use to those above them */
        renew_reached(pose, kernels, node_boxes);
    take_cut(pose, kernels, node_boxes, cut_boxes);
    if (sets->cut_count == 1)
        return cut_boxes[0];
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        if (!pli_is_above_cut(sets, n))
            continue;
        const PliTreeNode *node = &tree->nodes[n];
        const PliBox *next = cut_boxes + sets->node_lists[n].first;
        PliBox children[8];
        for (int32_t c = 0; c < node->child_count; c++) {
            int32_t child = node->children[c];
            if (child >= 0 && pli_is_above_cut(sets, child)) {
                children[c] = node_boxes[child];
                next += sets->node_lists[child].single_count;
            } else
                children[c] = *next++;
        }
        node_boxes[n] = pli_pose_set_children(&pose->base, n, children, kernels);
    }
    return node_boxes[0];
}

static PliBox update_bottom_up(PliShaped *pose, const PliKernels *kernels, PliBox *scratch)
{
    PliBounds *bounds = &pose->base.bounds;
    PliBox root = pli_bounds_from_leaves(bounds->tree, &pose->shape->sets, &pose->vertices, kernels,
                                         scratch, bounds->boxes.items);
    for (int32_t n = 0; n < bounds->tree->node_count; n++) {
        if (pose->base.is_moved)
            kernels->move_boxes(&pose->base.map, pli_boxes_at(bounds, n));
        stamp(bounds, n);
    }
    return root;
}

static PliBox update_top_down(PliShaped *pose, const PliKernels *kernels, PliBox *scratch)
{
    (void)scratch;
    return box_above(pose, 0, pose->shape->sets.cut_count, kernels);
}

/* The box of the pieces in a leaf, where they are now: see pieces.c for why no margin is needed. */
static PliBox box_of_pieces(const PliShaped *pose, int32_t leaf, const PliKernels *kernels)
{
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliLeafBoxes boxes;
    PliBox all = pli_box_empty();
    fetch(&pose->base, leaf, kernels, rows, &boxes);
    for (int32_t i = 0; i < pose->base.bounds.tree->leaves[leaf].count; i++) {
        PliBox box = {{boxes.low[0][i], boxes.low[1][i], boxes.low[2][i], 0},
                      {boxes.high[0][i], boxes.high[1][i], boxes.high[2][i], 0}};
        if (pli_is_finite(rows + (size_t)PLI_ROW_SIZE * (size_t)i, PLI_ROW_SIZE))
            pli_box_add(&all, &box);
    }
    return all;
}

/* Given vertices of triangles that are divided: all of it, from the pieces up. The box of a part of
 * a wall by its vertices would be that of the wall, and every part of it would be reached. */
static PliBox update_pieces(PliShaped *pose, const PliKernels *kernels, PliBox *scratch)
{
    PliBounds *bounds = &pose->base.bounds;
    for (int32_t leaf = 0; leaf < bounds->tree->leaf_count; leaf++)
        scratch[leaf] = box_of_pieces(pose, leaf, kernels);
    PliBox root = pli_bounds_above_leaves(bounds->tree, scratch, bounds->boxes.items);
    for (int32_t n = 0; n < bounds->tree->node_count; n++)
        stamp(bounds, n);
    return root;
}

/* The box of a body that is not given: that of the root's children, each moved on its own, or that
 * of its one leaf. For the root there is room: it is the first to have a slot, or has it still. */
static PliBox update_blended(PliShaped *pose, const PliKernels *kernels)
{
    PliBounds *bounds = &pose->base.bounds;
    pli_blending_update(pose);
    if (!pose->blending.is_kept)
        pli_slots_forget(bounds);
    pli_pose_planes_update(pose);
    if (bounds->tree->node_count > 0) {
        (void)pli_slots_take(bounds, 0, NULL);
        bounds->opened_count += bounds->open(bounds, 0, kernels);
        bounds->places[0].stamp = bounds->frame - 1;
        return pli_boxes_all(pli_boxes_at(bounds, bounds->places[0].slot));
    }
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliLeafBoxes boxes;
    PliBox all = pli_box_empty();
    fetch(&pose->base, 0, kernels, rows, &boxes);
    for (int32_t i = 0; i < 3 * bounds->tree->leaves[0].count; i++)
        if (pli_is_finite(rows + 3 * (size_t)i, 3))
            pli_box_add_point(&all, (PliFloat4){rows[3 * i], rows[3 * i + 1], rows[3 * i + 2], 0});
    return all;
}

/* PliPoseKind.update. */
static int64_t update(PliPose *base, const PliKernels *kernels, PliBox *scratch)
{
    PliShaped *pose = (PliShaped *)base;
    typedef PliBox Update(PliShaped *, const PliKernels *, PliBox *);
    static Update *const updates[] = {update_hybrid, update_bottom_up, update_top_down};
    if (!pose->base.is_stale && !pose->base.is_borrowed)
        return 0;
    pose->base.is_stale = false;
    pli_pose_next_frame(base);
    if (!pose->is_given) {
        pose->base.bounds.open = pli_blending_open;
        pose->base.bounds.root = update_blended(pose, kernels);
        return 0;
    }
    if (!pli_slots_are_fixed(&pose->base.bounds))
        pli_slots_fix(&pose->base.bounds);
    pose->base.bounds.open = open_given;
    pose->base.bounds.more_kind = PLI_MORE_NONE;
    pose->base.bounds.planes = NULL;
    pose->blending.last_state = 0;
    if (pose->shape->pieces) {
        pose->base.bounds.root = update_pieces(pose, kernels, scratch);
        return pose->vertices.count;
    }
    PliBox root = updates[pose->update_kind](pose, kernels, scratch);
    pose->base.bounds.root =
        pose->base.is_moved ? pli_box_moved(&pose->base.map, &root, kernels) : root;
    return pose->vertices.count;
}

/* ---- Setting ------------------------------------------------------------------------------------
 */

/* A fourth float is read of every vertex of a copy, the last one too. */
static size_t copy_size(const PliShaped *pose)
{
    return 3 * (size_t)pose->shape->header->vertex_count + 1;
}

static void free_pose(PliPose *base, const PliantHost *host)
{
    PliShaped *pose = (PliShaped *)base;
    pli_slots_free(&pose->base.bounds, host);
    pli_blending_free(pose, host);
    pli_skinning_free(pose, host);
    pli_pose_planes_free(pose, host);
    pli_stars_free(base->stars, host);
    pli_release(host, pose->copy, copy_size(pose), sizeof(float));
    pli_release(host, pose->base.bounds.places, (size_t)pose->base.bounds.tree->node_count,
                sizeof(PliNodePlace));
}

void pli_shaped_set_weights(PliShaped *pose, const float *weights)
{
    pli_blending_set(pose, weights);
    pose->base.is_stale = true;
    pose->is_given = pose->base.is_borrowed = false;
}

PliantResult pli_shaped_set_joints(PliShaped *pose, const PliantTransform *joints,
                                   const PliantHost *host)
{
    PliantResult result = pli_skinning_set(pose, joints, host);
    if (result != PLIANT_OK)
        return result;
    pose->base.is_stale = true;
    pose->is_given = pose->base.is_borrowed = false;
    return PLIANT_OK;
}

void pli_shaped_reset(PliShaped *pose)
{
    pose->vertices.data = (const char *)pose->shape->vertices;
    pose->vertices.stride = 3 * sizeof(float);
    pose->blending.has_weights = pose->skinning.has_joints = false;
    pose->blending.last_state = 0; /* bounds of the last frame are of no use */
    pose->base.is_stale = true;
    pose->is_given = pose->base.is_borrowed = false;
}

PliantResult pli_shaped_borrow(PliShaped *pose, const PliantVertices *vertices,
                               const PliantHost *host)
{
    PliantResult result = pli_slots_reserve_all(&pose->base.bounds, host);
    if (result != PLIANT_OK)
        return result;
    pose->vertices.data = (const char *)vertices->data;
    pose->vertices.stride = vertices->stride ? vertices->stride : 3 * sizeof(float);
    pose->is_given = pose->base.is_borrowed = pose->base.is_stale = true;
    return PLIANT_OK;
}

PliantResult pli_shaped_copy(PliShaped *pose, const PliantVertices *vertices,
                             const PliantHost *host)
{
    if (!pose->copy) {
        void *copy = NULL;
        PliantResult result = pli_allocate(host, copy_size(pose), sizeof(float), &copy);
        if (result != PLIANT_OK)
            return result;
        pose->copy = copy;
        pose->copy[copy_size(pose) - 1] = 0;
    }
    size_t stride = vertices->stride ? vertices->stride : 3 * sizeof(float);
    for (size_t v = 0; v < (size_t)vertices->count; v++)
        memcpy(pose->copy + 3 * v, (const char *)vertices->data + stride * v, 3 * sizeof(float));
    PliantResult result =
        pli_shaped_borrow(pose, &(PliantVertices){pose->copy, vertices->count, 0}, host);
    if (result == PLIANT_OK)
        pose->base.is_borrowed = false;
    return result;
}

static void write_vertices(const PliPose *base, float *vertices)
{
    const PliShaped *pose = (const PliShaped *)base;
    const PliVertexView *view = &pose->vertices;
    if (pli_shaped_is_blended(pose))
        pli_blending_vertices(pose, vertices);
    else
        for (size_t v = 0; v < view->count; v++)
            memcpy(vertices + 3 * v, view->data + view->stride * v, 3 * sizeof *vertices);
    if (pli_shaped_is_blended(pose) && pose->skinning.has_joints)
        pli_skinning_vertices(pose, vertices);
    pli_pose_move(base, vertices, view->count);
}

static size_t count_bytes(const PliPose *base)
{
    const PliShaped *pose = (const PliShaped *)base;
    return (size_t)base->bounds.tree->node_count * sizeof(PliNodePlace) +
           pli_array_bytes(&base->bounds.boxes) + pli_array_bytes(&base->bounds.more) +
           pose->blending.memory_size + pose->skinning.memory_size +
           (pose->copy ? copy_size(pose) * sizeof(float) : 0) + pli_stars_bytes(base->stars) +
           (size_t)pose->shape->planes.count * sizeof(PliPlane);
}

/* ---- With itself -------------------------------------------------------------------------------
 */

/* Not of pieces, which stand for triangles that are in several places of the order. */
static PliantResult start_self(PliPose *base, const PliantHost *host)
{
    PliShaped *pose = (PliShaped *)base;
    if (base->pieces)
        return PLIANT_OK;
    if (!base->stars) {
        PliStars *stars = NULL;
        PliantResult result = pli_stars_create(base->bounds.tree, pose->shape->sets.corners,
                                               pose->shape->header->vertex_count, host, &stars);
        if (result == PLIANT_OK)
            result = pli_still_init(&stars->still, pose, &stars->arena);
        if (result != PLIANT_OK) {
            pli_stars_free(stars, host);
            return result;
        }
        base->stars = stars;
    }
    pli_still_look(&base->stars->still, pose, base->stars->moved);
    return PLIANT_OK;
}

/* ---- Beginning --------------------------------------------------------------------------------
 */

static const PliPoseKind SHAPED = {.update = update,
                                   .fetch = fetch,
                                   .ask = ask,
                                   .vertices = write_vertices,
                                   .count_nonfinite = count_nonfinite,
                                   .is_closed = is_closed,
                                   .start_self = start_self,
                                   .bytes = count_bytes,
                                   .free = free_pose};

PliantShape *pli_shape_of(const PliPose *pose)
{
    return pose->kind == &SHAPED ? ((const PliShaped *)pose)->shape : NULL;
}

PliantResult pli_shaped_init(PliShaped *pose, PliantShape *shape, const PliantHost *host)
{
    const size_t node_count = (size_t)shape->tree.node_count;
    *pose = (PliShaped){.shape = shape};
    pli_pose_init(&pose->base, &SHAPED, &shape->tree);
    pose->base.pieces = shape->pieces;
    pose->base.skips = shape->skips;
    pose->base.corners = shape->sets.corners;
    pose->base.has_corners_in_order = true;
    pose->base.number_count = shape->header->triangle_count;
    pose->vertices = (PliVertexView){(const char *)shape->vertices, 3 * sizeof(float),
                                     (uint32_t)shape->header->vertex_count};
    void *places = NULL;
    PliantResult result = pli_allocate(host, node_count, sizeof(PliNodePlace), &places);
    pose->base.bounds.places = places;
    if (result == PLIANT_OK && node_count > 0)
        memset(places, 0, node_count * sizeof(PliNodePlace));
    if (result == PLIANT_OK)
        result = pli_blending_init(pose, host);
    if (result == PLIANT_OK && node_count > 0)
        result =
            pli_slots_take(&pose->base.bounds, 0, host); /* so that an update needs no memory */
    if (result == PLIANT_OK)
        result = pli_pose_planes_init(pose, host);
    if (result != PLIANT_OK)
        free_pose(&pose->base, host);
    return result;
}
