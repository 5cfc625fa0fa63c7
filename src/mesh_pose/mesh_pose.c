/* Poses of meshes: see mesh_pose.h. */
#include "mesh_pose/mesh_pose.h"
#include "geom/geom.h"
#include "mesh_pose/doubles.h"
#include "mesh_pose/margins.h"
#include "mesh_pose/planes.h"
#include "mesh_pose/supplied.h"
#include "mesh_pose/unchanged_leaves.h"
#include "pose/boxes.h"
#include "shape/topology.h"

#include <string.h>

/* ---- Leaves: where the triangles are --------------------------------------------------------- */

/* Is there nothing to be read behind one of a leaf's vertices? A shape's are followed by its
 * triangles and a copy's by one float, but a borrowed array may end where its last vertex does. */
static bool is_at_end(const PliMeshPose *pose, int32_t leaf)
{
    const PliVertexLists *vertex_lists = &pose->shape->vertex_lists;
    return pose->base.is_borrowed && !pose->base.doubles &&
           pli_has_last(vertex_lists, vertex_lists->leaf_lists[leaf], pose->vertices.count - 1);
}

/* PliPoseKind.fetch. */
static int32_t fetch(const PliPose *base, int32_t leaf, PliWorker *worker, float *rows,
                     PliLeafBoxes *boxes)
{
    const PliMeshPose *pose = (const PliMeshPose *)base;
    if (pli_mesh_pose_is_blended(pose)) {
        pli_morph_fetch(pose, leaf, worker, rows, boxes);
        return pose->shape->morph_tables.tables[leaf].count;
    }
    PliRange range = pose->shape->tree.leaves[leaf];
    PliFetchLeaf *fetch_leaf =
        is_at_end(pose, leaf) ? pli_fetch_leaf_c : worker->kernels->fetch_leaf;
    fetch_leaf(&pose->vertices, pose->shape->vertex_lists.corners + 3 * (size_t)range.first,
               range.count, pose->base.is_moved ? &pose->base.transform : NULL, rows, boxes);
    if (pose->shape->pieces)
        pli_narrow_to_pieces(pose->shape->pieces + range.first, range.count, rows, boxes);
    return 0;
}

/* PliPoseKind.prefetch: the corners of the one, and the vertices of the other if there are so many
 * that they come from far. */
static void prefetch(const PliPose *base, int32_t later, int32_t next)
{
    const PliMeshPose *pose = (const PliMeshPose *)base;
    if (pli_mesh_pose_is_blended(pose)) {
        pli_morph_prefetch(pose, later, next);
        return;
    }
    const PliRange *leaves = pose->shape->tree.leaves;
    const uint32_t *corners = pose->shape->vertex_lists.corners;
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
static int64_t count_nonfinite(const PliPose *base, PliWorker *worker)
{
    int64_t count = 0;
    for (int32_t leaf = 0; leaf < base->bounds.tree->leaf_count; leaf++) {
        const PliRange range = base->bounds.tree->leaves[leaf];
        float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
        PliLeafBoxes boxes;
        fetch(base, leaf, worker, rows, &boxes);
        for (int32_t i = 0; i < range.count; i++)
            if (!base->pieces || pli_is_first(&base->pieces[range.first + i]))
                count += !pli_is_finite(rows + (size_t)PLI_ROW_SIZE * (size_t)i, PLI_ROW_SIZE);
    }
    return count;
}

/* Are two vertices at different places before the transform? */
static bool are_different(const PliVertexView *view, uint32_t v, uint32_t w)
{
    float p[3], q[3];
    memcpy(p, view->data + view->stride * v, sizeof p);
    memcpy(q, view->data + view->stride * w, sizeof q);
    return !pli_is_same_point(p, q);
}

/* PliPoseKind.find_apart. Vertices that are blended are together if they move alike: then both are
 * the same expression of the same numbers. Others can be compared. What is together stays so when
 * it is transformed. */
static bool find_apart(const PliPose *base, uint8_t *apart)
{
    const PliMeshPose *pose = (const PliMeshPose *)base;
    const PliSeams *seams = pose->seams;
    const bool is_blended = pli_mesh_pose_is_blended(pose);
    const int32_t count = !seams ? 0 : is_blended ? seams->unlike_count : seams->split_count;
    bool is_any = false;
    for (int32_t i = 0; i < count; i++) {
        const uint32_t v = seams->split_vertices[i], lowest = pose->shape->groups[v];
        if (!is_blended && !are_different(&pose->vertices, v, lowest))
            continue;
        is_any = true;
        if (apart)
            apart[lowest] = 1;
    }
    return is_any;
}

/* PliPoseKind.vertex_count. */
static int32_t vertex_count(const PliPose *base)
{
    return ((const PliMeshPose *)base)->shape->header->vertex_count;
}

/* PliPoseKind.is_closed: what is closed stays so unless some of it is not finite. The box of all
 * bounds where vertices go, moved or blended; if one of its ends is close to where floats end, some
 * may have gone beyond. Groups that come apart open it. */
static bool is_closed(const PliPose *base)
{
    const PliMeshPose *pose = (const PliMeshPose *)base;
    return pose->shape->header->is_closed && pli_pose_is_bounded(base) &&
           (!pose->is_given || pli_vertices_are_finite(&pose->vertices)) && !find_apart(base, NULL);
}

/* The box of a body that is not given: that of the root's children, each moved on its own, or that
 * of its one leaf. For the root there is room: it is the first to have a slot, or has it still. */
static PliBox update_blended(PliMeshPose *pose, PliWorker *worker)
{
    PliBounds *bounds = &pose->base.bounds;
    pli_morph_update(pose, worker);
    if (!pose->morph.is_kept)
        pli_bounds_slots_forget(bounds);
    pli_pose_planes_update(pose);
    if (bounds->tree->node_count > 0) {
        (void)pli_bounds_slots_claim(bounds, 0, NULL);
        pli_bounds_open(bounds, 0, worker, PLI_SIDE_A);
        bounds->node_slots[0].stamp = bounds->frame - 1;
        return pli_boxes_all(pli_boxes_at(bounds, bounds->node_slots[0].slot));
    }
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliLeafBoxes boxes;
    PliBox all = pli_box_empty();
    fetch(&pose->base, 0, worker, rows, &boxes);
    for (int32_t i = 0; i < 3 * bounds->tree->leaves[0].count; i++)
        if (pli_is_finite(rows + 3 * (size_t)i, 3))
            pli_box_add_point(&all, (PliFloat4){rows[3 * i], rows[3 * i + 1], rows[3 * i + 2], 0});
    return all;
}

/* PliPoseKind.update. */
static int64_t update(PliPose *base, PliWorker *worker)
{
    PliMeshPose *pose = (PliMeshPose *)base;
    if (!pose->base.is_stale && !pose->base.is_borrowed)
        return 0;
    pose->base.is_stale = false;
    pli_pose_next_frame(base);
    if (!pose->is_given) {
        pose->base.bounds.open = pli_morph_open;
        pose->base.bounds.root = update_blended(pose, worker);
        return 0;
    }
    if (!pli_bounds_slots_are_fixed(&pose->base.bounds))
        pli_bounds_slots_fix(&pose->base.bounds);
    pose->base.bounds.open = pli_supplied_open;
    pose->base.bounds.extra_kind = PLI_EXTRA_NONE;
    pose->base.bounds.planes = NULL;
    pose->morph.basis.is_made = false;
    pose->base.bounds.root = pli_supplied_update(pose, worker);
    return pose->vertices.count;
}

/* ---- Setting --------------------------------------------------------------------------------- */

/* A fourth float is read of every vertex of a copy, the last one too. */
static size_t copy_size(const PliMeshPose *pose)
{
    return 3 * (size_t)pose->shape->header->vertex_count + 1;
}

static void free_pose(PliPose *base, const PliantHost *host)
{
    PliMeshPose *pose = (PliMeshPose *)base;
    pli_bounds_slots_free(&pose->base.bounds, host);
    pli_morph_free(pose, host);
    pli_skin_free(pose, host);
    pli_pose_planes_free(pose, host);
    pli_release(host, pose->copy, copy_size(pose), sizeof(float));
    pli_doubles_free(pose->doubles, host);
    pli_release(host, pose->base.bounds.node_slots, (size_t)pose->base.bounds.tree->node_count,
                sizeof(PliNodeSlot));
}

/* Vertices are no longer what they were. */
static void change(PliMeshPose *pose, bool is_given, bool is_borrowed)
{
    pose->is_given = is_given;
    pose->base.is_borrowed = is_borrowed;
    pose->base.doubles = NULL;
    pose->base.is_stale = true;
}

void pli_mesh_pose_set_weights(PliMeshPose *pose, const float *weights)
{
    pli_morph_set(pose, weights);
    change(pose, false, false);
}

PliantResult pli_mesh_pose_set_joints(PliMeshPose *pose, const PliantTransform *joints,
                                      const PliantHost *host)
{
    PLI_TRY(pli_skin_set(pose, joints, host));
    change(pose, false, false);
    return PLIANT_OK;
}

PliantResult pli_mesh_pose_borrow(PliMeshPose *pose, const PliantVertices *vertices,
                                  const PliantHost *host)
{
    PLI_TRY(pli_bounds_slots_reserve_all(&pose->base.bounds, host));
    pose->vertices.data = (const char *)vertices->data;
    pose->vertices.stride = vertices->stride ? vertices->stride : 3 * sizeof(float);
    change(pose, true, true);
    return PLIANT_OK;
}

PliantResult pli_mesh_pose_give_copy(PliMeshPose *pose, const PliantHost *host)
{
    if (!pose->copy) {
        void *copy = NULL;
        PLI_TRY(pli_allocate(host, copy_size(pose), sizeof(float), &copy));
        pose->copy = copy;
        pose->copy[copy_size(pose) - 1] = 0;
    }
    PLI_TRY(pli_mesh_pose_borrow(pose, &(PliantVertices){pose->copy, 0, 0}, host));
    pose->base.is_borrowed = false;
    return PLIANT_OK;
}

PliantResult pli_mesh_pose_copy(PliMeshPose *pose, const PliantVertices *vertices,
                                const PliantHost *host)
{
    PLI_TRY(pli_mesh_pose_give_copy(pose, host));
    size_t stride = vertices->stride ? vertices->stride : 3 * sizeof(float);
    for (size_t v = 0; v < (size_t)vertices->count; v++)
        memcpy(pose->copy + 3 * v, (const char *)vertices->data + stride * v, 3 * sizeof(float));
    return PLIANT_OK;
}

static PliantResult match_given(PliMeshPose *pose, const PliMeshPose *other, const PliantHost *host)
{
    const PliDoubles *doubles = other->base.doubles;
    const int32_t count = (int32_t)other->vertices.count;
    if (doubles) {
        const PliantVertices64 given = {(const double *)(const void *)doubles->data, count,
                                        doubles->stride};
        return pli_mesh_pose_set64(pose, &given, other->base.is_borrowed, doubles->origin, host);
    }
    const PliantVertices given = {(const float *)other->vertices.data, count,
                                  other->vertices.stride};
    return (other->base.is_borrowed ? pli_mesh_pose_borrow : pli_mesh_pose_copy)(pose, &given,
                                                                                 host);
}

PliantResult pli_mesh_pose_match(PliMeshPose *pose, const PliMeshPose *other,
                                 const PliantHost *host)
{
    if (other->morph.has_weights)
        pli_mesh_pose_set_weights(pose, other->morph.weights);
    if (other->skin.has_joints)
        PLI_TRY(pli_skin_match(pose, other, host));
    if (other->is_given)
        PLI_TRY(match_given(pose, other, host));
    pose->update_kind = other->update_kind;
    pli_pose_match_transform(&pose->base, &other->base);
    return PLIANT_OK;
}

void pli_mesh_pose_reset(PliMeshPose *pose)
{
    pose->vertices.data = (const char *)pose->shape->vertices;
    pose->vertices.stride = 3 * sizeof(float);
    pli_morph_clear(pose);
    pose->skin.has_joints = false;
    pose->morph.basis.is_made = false; /* bounds of the last frame are of no use */
    change(pose, false, false);
}

static void write_vertices(const PliPose *base, float *vertices)
{
    const PliMeshPose *pose = (const PliMeshPose *)base;
    const PliVertexView *view = &pose->vertices;
    if (pli_mesh_pose_is_blended(pose))
        pli_morph_vertices(pose, vertices);
    else
        for (size_t v = 0; v < view->count; v++)
            memcpy(vertices + 3 * v, view->data + view->stride * v, 3 * sizeof *vertices);
    if (pli_mesh_pose_is_blended(pose) && pose->skin.has_joints)
        pli_skin_vertices(pose, vertices);
    pli_pose_move(base, vertices, view->count);
}

/* PliPoseKind.topology. */
static PliantResult topology(const PliPose *base, PliPoseTopology *topology)
{
    PliantShape *shape = ((const PliMeshPose *)base)->shape;
    *topology = (PliPoseTopology){NULL, NULL};
    PliantResult result = pli_topology_fans(shape, &topology->fans);
    if (result == PLIANT_OK && topology->fans)
        result = pli_topology_triangle_leaves(shape, &topology->triangle_leaves);
    return result;
}

/* Are all triangles finite? Vertices at rest that are not finite are counted by the shape. */
static bool is_finite(PliPose *base)
{
    const PliMeshPose *pose = (const PliMeshPose *)base;
    return (pose->is_given || pose->shape->header->nonfinite_count == 0) &&
           pli_pose_is_finite(base, pose->is_given ? &pose->vertices : NULL);
}

/* PliPoseKind.features. */
static PliantResult find_features(PliPose *base, const PliantHost *host, PliPoseFeatures *features)
{
    (void)host; /* they belong to the shape */
    const PliMeshPose *pose = (const PliMeshPose *)base;
    *features =
        (PliPoseFeatures){.corners = pose->seams ? pose->seams->triangles : pose->shape->triangles,
                          .corner_vertices = pose->shape->triangles,
                          .rest = pose->shape->vertices,
                          .first_segment = pli_shape_first_segment(pose->shape->header),
                          .are_apart = find_apart(base, NULL),
                          .is_finite = is_finite(base)};
    PLI_TRY(pli_topology_features(pose->shape, &features->shared));
    return pli_topology_leaf_features(pose->shape, &features->leaves);
}

/* ---- Beginning ------------------------------------------------------------------------------- */

static const PliPoseKind SHAPED = {.update = update,
                                   .fetch = fetch,
                                   .prefetch = prefetch,
                                   .vertices = write_vertices,
                                   .count_nonfinite = count_nonfinite,
                                   .is_closed = is_closed,
                                   .find_apart = find_apart,
                                   .vertex_count = vertex_count,
                                   .topology = topology,
                                   .features = find_features,
                                   .snapshot_size = pli_mesh_snapshot_size,
                                   .compare = pli_mesh_compare,
                                   .free = free_pose};

PliantShape *pli_shape_of(const PliPose *pose)
{
    return pose->kind == &SHAPED ? ((const PliMeshPose *)pose)->shape : NULL;
}

/* Memory, that of the root's bounds included: an update then needs none. */
static PliantResult allocate(PliMeshPose *pose, const PliantHost *host)
{
    const size_t node_count = (size_t)pose->shape->tree.node_count;
    void *node_slots = NULL;
    PLI_TRY(pli_allocate(host, node_count, sizeof(PliNodeSlot), &node_slots));
    pose->base.bounds.node_slots = node_slots;
    if (node_count > 0)
        memset(node_slots, 0, node_count * sizeof(PliNodeSlot));
    PLI_TRY(pli_morph_init(pose, host));
    if (node_count > 0)
        PLI_TRY(pli_bounds_slots_claim(&pose->base.bounds, 0, host));
    return pli_pose_planes_init(pose, host);
}

PliantResult pli_mesh_pose_init(PliMeshPose *pose, PliantShape *shape, const PliantHost *host)
{
    *pose = (PliMeshPose){.shape = shape};
    PLI_TRY(pli_topology_seams(shape, &pose->seams));
    pli_pose_init(&pose->base, &SHAPED, &shape->tree);
    pose->base.pieces = shape->pieces;
    pose->base.skips = shape->skips;
    pose->base.corners = pose->seams ? pose->seams->corners : shape->vertex_lists.corners;
    pose->base.has_corners_in_order = true;
    pose->base.number_count = shape->header->triangle_count;
    pose->vertices = (PliVertexView){(const char *)shape->vertices, 3 * sizeof(float),
                                     (uint32_t)shape->header->vertex_count};
    PliantResult result = allocate(pose, host);
    if (result != PLIANT_OK)
        free_pose(&pose->base, host);
    return result;
}
