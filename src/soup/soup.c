/* Soups as poses, and their memory: see soup.h. */
#include "soup/soup.h"
#include "pose/boxes.h"
#include "soup/buckets.h"
#include "soup/read.h"
#include "soup/sorted.h"

#include <string.h>

static bool has_buckets(const PliSoup *soup)
{
    return soup->kind == PLIANT_SOUP_BUCKETS || soup->kind == PLIANT_SOUP_COHERENT_BUCKETS;
}

/* ---- As a pose ------------------------------------------------------------------------------- */

/* PliBounds.open. */
static bool open_node(const PliBounds *bounds, int32_t node, uint32_t stamp, PliWorker *worker,
                      PliBoxes *boxes, float *extra)
{
    (void)stamp, (void)extra; /* there are boxes only */
    const PliSoup *soup = (const PliSoup *)bounds;
    PliBox children[8];
    pli_soup_open(soup, node, children);
    pli_pose_put_children(&soup->base, node, children, worker->kernels, boxes);
    return true;
}

/* Starts a frame. If stamps start again, those of unused nodes are cleared as well: a later tree
 * may use them. */
static void start_frame(PliSoup *soup)
{
    PliPose *base = &soup->base;
    if (pli_pose_next_frame(base))
        for (int64_t n = 0; n < soup->node_slots.count; n++)
            base->bounds.node_slots[n].stamp = 0;
    base->is_stale = soup->is_new = false;
}

/* PliPoseKind.update. */
static int64_t update(PliPose *base, PliWorker *worker)
{
    PliSoup *soup = (PliSoup *)base;
    if (!base->is_stale && !base->is_borrowed)
        return 0;
    const bool is_new = soup->is_new || base->is_borrowed;
    start_frame(soup);
    if (is_new)
        pli_soup_start_reading(soup);
    if (is_new && has_buckets(soup))
        pli_buckets_update(soup);
    else if (is_new)
        pli_sorted_update(soup, worker->boxes.items);
    pli_soup_bound(soup, worker);
    return is_new ? soup->vertices.count : 0;
}

/* The corner indices of a primitive: three of them even for a point. False if its index is unused;
 * the corners are then vertex 0. */
static inline bool corners_of(const PliSoup *soup, int32_t primitive, uint32_t corners[3])
{
    const uint32_t count = pli_corner_count(soup), step = count == 3;
    const size_t first = (size_t)count * (size_t)primitive;
    if (!soup->corners) {
        for (uint32_t k = 0; k < 3; k++)
            corners[k] = (uint32_t)first + step * k;
        return true;
    }
    const bool is_empty = soup->corners[first] == PLIANT_NO_VERTEX;
    for (uint32_t k = 0; k < 3; k++)
        corners[k] = is_empty ? 0 : soup->corners[first + step * k];
    return !is_empty;
}

void pli_soup_corners(const PliSoup *soup, int32_t primitive, float *corners)
{
    uint32_t vertices[3];
    const bool is_there = corners_of(soup, primitive, vertices);
    for (size_t k = 0; k < 9 && !is_there; k++)
        corners[k] = NAN;
    for (size_t k = 0; k < 3 && is_there; k++)
        memcpy(corners + 3 * k, soup->vertices.data + soup->vertices.stride * vertices[k],
               3 * sizeof *corners);
    if (is_there)
        pli_pose_move(&soup->base, corners, 3);
}

/* Writes an unused triangle. */
static void clear_row(int32_t i, float *rows, PliLeafBoxes *boxes)
{
    for (int32_t j = 0; j < PLI_ROW_SIZE; j++)
        rows[PLI_ROW_SIZE * i + j] = NAN;
    for (int k = 0; k < 3; k++)
        boxes->low[k][i] = boxes->high[k][i] = NAN;
}

void pli_soup_fetch(const PliSoup *soup, const PliTree *tree, int32_t leaf, PliWorker *worker,
                    float *rows, PliLeafBoxes *boxes)
{
    const PliPose *base = &soup->base;
    const PliRange range = tree->leaves[leaf];
    const int32_t *order = tree->order + range.first;
    const uint32_t last = soup->vertices.count - 1;
    uint32_t corners[3 * PLI_LEAF_SIZE], empty = 0;
    bool is_at_end = false;
    for (int32_t i = 0; i < range.count; i++) {
        uint32_t *here = corners + 3 * i;
        empty |= (uint32_t)!corners_of(soup, order[i], here) << i;
        is_at_end |= here[0] == last || here[1] == last || here[2] == last;
    }
    PliFetchLeaf *fetch_leaf = is_at_end ? pli_fetch_leaf_c : worker->kernels->fetch_leaf;
    fetch_leaf(&soup->vertices, corners, range.count, base->is_moved ? &base->transform : NULL,
               rows, boxes);
    for (; empty; empty &= empty - 1)
        clear_row(__builtin_ctz(empty), rows, boxes);
}

/* PliPoseKind.fetch. */
static int32_t fetch(const PliPose *base, int32_t leaf, PliWorker *worker, float *rows,
                     PliLeafBoxes *boxes)
{
    const PliSoup *soup = (const PliSoup *)base;
    pli_soup_fetch(soup, soup->tree, leaf, worker, rows, boxes);
    return 0;
}

/* PliPoseKind.prefetch. */
static void prefetch(const PliPose *base, int32_t later, int32_t next)
{
    const PliSoup *soup = (const PliSoup *)base;
    const PliRange range = soup->tree->leaves[next];
    const int32_t *order = soup->tree->order;
    __builtin_prefetch(order + soup->tree->leaves[later].first);
    if (soup->vertices.stride * soup->vertices.count < PLI_FAR_SIZE)
        return;
    for (int32_t i = 0; i < range.count; i++) {
        uint32_t corners[3];
        corners_of(soup, order[range.first + i], corners);
        __builtin_prefetch(soup->vertices.data + soup->vertices.stride * corners[0]);
        __builtin_prefetch(soup->vertices.data + soup->vertices.stride * corners[2] + 8);
    }
}

static void write_vertices(const PliPose *base, float *vertices)
{
    const PliVertexView *view = &((const PliSoup *)base)->vertices;
    for (size_t v = 0; v < view->count; v++)
        memcpy(vertices + 3 * v, view->data + view->stride * v, 3 * sizeof *vertices);
    pli_pose_move(base, vertices, view->count);
}

static int64_t count_nonfinite(const PliPose *base, PliWorker *worker)
{
    (void)worker; /* nothing has to be evaluated */
    const PliSoup *soup = (const PliSoup *)base;
    const PliVertexView *view = &soup->vertices;
    int64_t count = 0;
    for (int32_t i = 0; i < soup->count; i++) {
        uint32_t corners[3];
        float row[PLI_ROW_SIZE];
        if (!corners_of(soup, i, corners))
            continue;
        for (size_t k = 0; k < 3; k++)
            memcpy(row + 3 * k, view->data + view->stride * corners[k], 3 * sizeof *row);
        pli_pose_move(base, row, 3);
        count += !pli_is_finite(row, PLI_ROW_SIZE);
    }
    return count;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* X(name, type): the arrays of a soup. */
#define ARRAYS(X)                                                                                  \
    X(feature_corners, uint32_t)                                                                   \
    X(vertex_copy, float)                                                                          \
    X(corner_copy, uint32_t)                                                                       \
    X(bucket_of, uint32_t)                                                                         \
    X(buckets, PliBucket)                                                                          \
    X(tables, uint32_t)                                                                            \
    X(cursors, uint32_t)                                                                           \
    X(codes, uint32_t)                                                                             \
    X(spare, uint32_t)                                                                             \
    X(order, int32_t)                                                                              \
    X(leaves, PliRange)                                                                            \
    X(nodes, PliTreeNode)                                                                          \
    X(node_slots, PliNodeSlot)                                                                     \
    X(node_boxes, PliBox)                                                                          \
    X(sizes, float)                                                                                \
    X(octants, int32_t)                                                                            \
    X(axes[0], uint64_t)                                                                           \
    X(axes[1], uint64_t)                                                                           \
    X(axes[2], uint64_t)                                                                           \
    X(marks, uint32_t)                                                                             \
    X(pointers, int32_t)                                                                           \
    X(all_middles, PliFloat4)                                                                      \
    X(keys, uint64_t)

static void free_soup(PliPose *base, const PliantHost *host)
{
    PliSoup *soup = (PliSoup *)base;
#define FREE_ARRAY(name, type) pli_array_free(&soup->name, host);
    ARRAYS(FREE_ARRAY)
#undef FREE_ARRAY
    pli_features_free(soup->features, host);
    pli_bounds_slots_free(&base->bounds, host);
    pli_release(host, soup->tree, 1, sizeof *soup->tree);
}

/* Corners that all are vertices: one more than there are, for unused triangles, since features of
 * these must not be owned by them. */
static PliantResult copy_feature_corners(PliSoup *soup, const PliantHost *host)
{
    PliArray *array = &soup->feature_corners;
    PLI_TRY(pli_array_reserve(array, host, 3 * (int64_t)soup->count));
    uint32_t *corners = array->items;
    for (int64_t i = 0; i < 3 * (int64_t)soup->count; i++)
        corners[i] =
            soup->corners[i / 3 * 3] == PLIANT_NO_VERTEX ? soup->vertices.count : soup->corners[i];
    return PLIANT_OK;
}

/* PliPoseKind.features. */
static PliantResult find_features(PliPose *base, const PliantHost *host, PliPoseFeatures *features)
{
    PliSoup *soup = (PliSoup *)base;
    *features = (PliPoseFeatures){.corners = soup->corners,
                                  .first_segment =
                                      soup->primitive_kind == PLIANT_SEGMENTS ? 0 : PLI_NO_SEGMENTS,
                                  .are_points = soup->primitive_kind == PLIANT_POINTS};
    if (!soup->corners || features->are_points)
        return PLIANT_OK;
    if (soup->vertices.count == INT32_MAX || soup->count > INT32_MAX / 3)
        return PLIANT_TOO_LARGE;
    if (!soup->has_features) {
        pli_features_free(soup->features, host);
        soup->features = NULL;
        PLI_TRY(copy_feature_corners(soup, host));
        PLI_TRY(pli_features_create(soup->feature_corners.items, soup->count,
                                    features->first_segment, (int32_t)soup->vertices.count + 1,
                                    host, &soup->features));
        soup->has_features = true;
    }
    features->shared = soup->features;
    features->is_finite = pli_pose_is_finite(base, &soup->vertices);
    return PLIANT_OK;
}

static void set_corners(PliSoup *soup)
{
    const bool are_points = pli_corner_count(soup) == 1;
    soup->base.corners = are_points ? NULL : soup->corners;
    soup->base.points = are_points ? soup->corners : NULL;
}

/* To be called after arrays have grown: they have moved. */
static void point_to_arrays(PliSoup *soup)
{
    soup->tree->order = soup->order.items;
    soup->tree->leaves = soup->leaves.items;
    soup->tree->nodes = soup->nodes.items;
    soup->base.bounds.node_slots = soup->node_slots.items;
    if (!soup->base.is_borrowed)
        soup->vertices.data = soup->vertex_copy.items;
    if (!soup->base.is_borrowed || soup->primitive_kind == PLIANT_SEGMENTS)
        soup->corners = soup->corners ? soup->corner_copy.items : NULL;
    set_corners(soup);
}

/* Grows an array to at least `count` items, zero at first. All of its capacity is used. */
static PliantResult extend(PliArray *array, const PliantHost *host, int64_t count)
{
    if (count <= array->count)
        return PLIANT_OK;
    PliantResult result = pli_array_reserve_zeroed(array, host, count);
    if (result == PLIANT_OK)
        array->count = array->capacity;
    return result;
}

/* Reserves room for so many primitives that no update allocates. On failure some arrays may have
 * grown, and nothing else has changed. */
static PliantResult make_room(PliSoup *soup, int32_t count, const PliantHost *host)
{
    const bool has_axes = soup->kind == PLIANT_SOUP_COHERENT_BUCKETS,
               are_segments = soup->primitive_kind == PLIANT_SEGMENTS;
    const PliSoupSizes sizes =
        has_buckets(soup) ? pli_buckets_sizes(soup, count) : pli_sorted_sizes(count);
    const int64_t axis_items = has_axes ? count : 0, index_count = soup->node_slots.count;
    const struct {
        PliArray *array;
        int64_t count;
    } wanted[] = {{&soup->bucket_of, count},
                  {&soup->buckets, sizes.buckets},
                  {&soup->tables, sizes.table_items},
                  {&soup->cursors, sizes.buckets},
                  {&soup->codes, count},
                  {&soup->spare, count},
                  {&soup->order, count},
                  {&soup->leaves, sizes.leaves},
                  {&soup->nodes, sizes.nodes},
                  {&soup->node_slots, sizes.nodes},
                  {&soup->node_boxes, sizes.nodes},
                  {&soup->sizes, sizes.nodes},
                  {&soup->octants, sizes.nodes},
                  {&soup->base.bounds.boxes, sizes.nodes},
                  {&soup->marks, sizes.marks},
                  {&soup->axes[0], axis_items},
                  {&soup->axes[1], axis_items},
                  {&soup->axes[2], axis_items},
                  {&soup->pointers, has_axes ? sizes.pointers : 0},
                  {&soup->all_middles, axis_items},
                  {&soup->keys, axis_items},
                  {&soup->corner_copy, are_segments ? 3 * (int64_t)count : 0}};
    PliantResult result = PLIANT_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == PLIANT_OK; i++)
        result = extend(wanted[i].array, host, wanted[i].count);
    point_to_arrays(soup);
    for (int64_t n = index_count; n < soup->node_slots.count; n++)
        soup->base.bounds.node_slots[n].slot = (int32_t)n;
    return result;
}

/* ---- Setting --------------------------------------------------------------------------------- */

static const PliPoseKind SOUP = {.update = update,
                                 .fetch = fetch,
                                 .prefetch = prefetch,
                                 .vertices = write_vertices,
                                 .count_nonfinite = count_nonfinite,
                                 .features = find_features,
                                 .free = free_soup};

PliSoup *pli_soup_of(PliPose *pose)
{
    return pose->kind == &SOUP ? (PliSoup *)pose : NULL;
}

PliantResult pli_soup_init(PliSoup *soup, const PliantSoupDef *def, const PliantHost *host)
{
    const PliantExperiments defaults = pliant_experiments_default();
    const PliantExperiments *experiments = def->experiments ? def->experiments : &defaults;
    void *tree;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliTree), &tree));
    *soup = (PliSoup){.tree = tree,
                      .primitive_kind = def->primitive_kind,
                      .kind = experiments->soup_kind,
                      .asked_levels = experiments->soup_level_count};
    *soup->tree = (PliTree){0};
    pli_pose_init(&soup->base, &SOUP, soup->tree);
    soup->base.bounds.open = open_node;
    soup->base.bounds.oldest = 0; /* each node has the slot of its own number */
#define SET_SIZE(name, type) soup->name.item_size = sizeof(type);
    ARRAYS(SET_SIZE)
#undef SET_SIZE
    return PLIANT_OK;
}

/* Writes the corners of segments, as triangles: all else is as of these. There is room. */
static const uint32_t *write_segments(PliSoup *soup, const PliantPrimitives *primitives)
{
    uint32_t *to = soup->corner_copy.items;
    for (uint32_t i = 0; i < (uint32_t)primitives->count; i++, to += 3) {
        const uint32_t *given = primitives->corners ? primitives->corners + 2 * (size_t)i : NULL;
        to[0] = given ? given[0] : 2 * i;
        to[1] = to[2] = given ? given[1] : 2 * i + 1;
    }
    return soup->corner_copy.items;
}

PliantResult pli_soup_borrow(PliSoup *soup, const PliantPrimitives *primitives,
                             const PliantHost *host)
{
    PLI_TRY(make_room(soup, primitives->count, host));
    uint32_t *bucket_of = soup->bucket_of.items;
    for (int32_t i = soup->ordered_count; i < primitives->count; i++)
        bucket_of[i] = PLI_NO_BUCKET;
    const PliantVertices *vertices = &primitives->vertices;
    soup->vertices = (PliVertexView){(const char *)vertices->data,
                                     vertices->stride ? vertices->stride : 3 * sizeof(float),
                                     (uint32_t)vertices->count};
    soup->corners = soup->primitive_kind == PLIANT_SEGMENTS ? write_segments(soup, primitives)
                                                            : primitives->corners;
    soup->has_features = false;
    set_corners(soup);
    soup->count = soup->base.number_count = primitives->count;
    soup->base.is_borrowed = soup->base.is_stale = soup->is_new = true;
    return PLIANT_OK;
}

PliantResult pli_soup_copy(PliSoup *soup, const PliantPrimitives *primitives,
                           const PliantHost *host)
{
    const PliantVertices *vertices = &primitives->vertices;
    const size_t stride = vertices->stride ? vertices->stride : 3 * sizeof(float);
    const int64_t vertex_count = vertices->count;
    const int64_t corner_count = (int64_t)pli_corner_count(soup) * primitives->count;
    const bool has_copy = primitives->corners && soup->primitive_kind != PLIANT_SEGMENTS;
    PliantPrimitives copy = {.vertices = {.count = vertices->count},
                             .count = primitives->count,
                             .corners = primitives->corners};
    PliantResult result = extend(&soup->vertex_copy, host, 3 * vertex_count);
    if (result == PLIANT_OK && has_copy)
        result = extend(&soup->corner_copy, host, corner_count);
    if (result == PLIANT_OK)
        result = make_room(soup, primitives->count, host);
    point_to_arrays(soup);
    PLI_TRY(result);
    float *to = soup->vertex_copy.items;
    for (size_t v = 0; v < (size_t)vertex_count; v++)
        memcpy(to + 3 * v, (const char *)vertices->data + stride * v, 3 * sizeof *to);
    if (has_copy && corner_count > 0)
        memcpy(soup->corner_copy.items, primitives->corners,
               (size_t)corner_count * sizeof(uint32_t));
    copy.vertices.data = to;
    copy.corners = has_copy ? soup->corner_copy.items : primitives->corners;
    result = pli_soup_borrow(soup, &copy, host);
    soup->base.is_borrowed = false;
    return result;
}
