/* The public calls of pliant/shape.h: checks, floating-point modes, and on to pose. */
#include "shape/shape.h"
#include "api/checks.h"
#include "base/cpu.h"
#include "geom/geom.h"
#include "shape/topology.h"
#include "shape/weld.h"

#include <inttypes.h>
#include <string.h>

/* Records as they were first published: a caller's cannot be shorter. */
#define SKIN_SIZE PLI_RECORD_SIZE(PliantSkin, weights)
#define INFO_SIZE PLI_RECORD_SIZE(PliantShapeInfo, is_closed)
#define DEF_SIZE PLI_RECORD_SIZE(PliantShapeDef, experiments)

static PliantResult check_indices(const PliCall *call, const PliantShapeDef *def)
{
    uint32_t count = (uint32_t)def->vertices.count;
    for (int64_t i = 0; i < 3 * (int64_t)def->triangles.count; i++)
        PLI_CHECK(call, def->triangles.data[i] < count, PLIANT_BAD_INDEX,
                  "def.triangles.data[%" PRId64 "] is %" PRIu32 ", def.vertices.count is %" PRIu32,
                  i, def->triangles.data[i], count);
    for (int64_t i = 0; i < 2 * (int64_t)def->segments.count; i++)
        PLI_CHECK(call, def->segments.data[i] < count, PLIANT_BAD_INDEX,
                  "def.segments.data[%" PRId64 "] is %" PRIu32 ", def.vertices.count is %" PRIu32,
                  i, def->segments.data[i], count);
    return PLIANT_OK;
}

/* Triangles, or segments, or both. */
static PliantResult check_faces(const PliCall *call, const PliantShapeDef *def)
{
    const PliantTriangles *triangles = &def->triangles;
    const PliantSegments *segments = &def->segments;
    PLI_CHECK(call, segments->count >= 0, PLIANT_BAD_ARGUMENT, "def.segments.count is %" PRId32,
              segments->count);
    PLI_CHECK(call, segments->data || segments->count == 0, PLIANT_BAD_ARGUMENT,
              "def.segments.data is NULL");
    const bool may_be_none = segments->count > 0 && triangles->count == 0;
    PLI_CHECK(call, triangles->data || may_be_none, PLIANT_BAD_ARGUMENT,
              "def.triangles.data is NULL");
    PLI_CHECK(call, triangles->count > 0 || may_be_none, PLIANT_BAD_ARGUMENT,
              "def.triangles.count is %" PRId32 ": at least 1 is needed", triangles->count);
    PLI_CHECK(call, triangles->count <= INT32_MAX / 3, PLIANT_TOO_LARGE,
              "def.triangles.count is %" PRId32, triangles->count);
    PLI_CHECK(call, segments->count <= INT32_MAX / 3 - triangles->count, PLIANT_TOO_LARGE,
              "def.segments.count is %" PRId32 ", def.triangles.count is %" PRId32, segments->count,
              triangles->count);
    return check_indices(call, def);
}

static PliantResult check_target_indices(const PliCall *call, const PliantShapeDef *def, int32_t t)
{
    const PliantTarget *target = &def->targets[t];
    const uint32_t count = (uint32_t)def->vertices.count;
    PLI_CHECK(call, target->indices || target->vertices.count == def->vertices.count,
              PLIANT_BAD_ARGUMENT,
              "def.targets[%" PRId32 "].vertices.count is %" PRId32
              ", def.vertices.count is %" PRIu32 ", and there are no indices",
              t, target->vertices.count, count);
    PLI_CHECK(call, !target->indices || def->morph_kind == PLIANT_MORPH_DISPLACEMENTS,
              PLIANT_BAD_ARGUMENT, "def.targets[%" PRId32 "].indices are of a reference", t);
    for (int32_t i = 0; i < target->vertices.count && target->indices; i++) {
        uint32_t index = target->indices[i];
        PLI_CHECK(call, index < count, PLIANT_BAD_INDEX,
                  "def.targets[%" PRId32 "].indices[%" PRId32 "] is %" PRIu32
                  ", def.vertices.count is %" PRIu32,
                  t, i, index, count);
        PLI_CHECK(call, i == 0 || target->indices[i - 1] < index, PLIANT_BAD_INDEX,
                  "def.targets[%" PRId32 "].indices[%" PRId32 "] is %" PRIu32 " and does not rise",
                  t, i, index);
    }
    return PLIANT_OK;
}

static PliantResult check_target(const PliCall *call, const PliantShapeDef *def, int32_t t)
{
    const PliantVertices *vertices = &def->targets[t].vertices;
    PLI_CHECK(call, vertices->count >= 0, PLIANT_BAD_ARGUMENT,
              "def.targets[%" PRId32 "].vertices.count is %" PRId32, t, vertices->count);
    PLI_CHECK(call, vertices->data || vertices->count == 0, PLIANT_BAD_ARGUMENT,
              "def.targets[%" PRId32 "].vertices.data is NULL", t);
    PLI_CHECK(call, pli_is_stride(vertices->stride), PLIANT_BAD_ARGUMENT,
              "def.targets[%" PRId32 "].vertices.stride is %zu: 0, or a multiple of 4 from 12 to "
              "1048576",
              t, vertices->stride);
    const size_t stride = vertices->stride ? vertices->stride : 3 * sizeof(float);
    for (int32_t i = 0; i < vertices->count; i++)
        PLI_CHECK(
            call,
            pli_is_finite((const float *)((const char *)vertices->data + stride * (size_t)i), 3),
            PLIANT_BAD_ARGUMENT,
            "def.targets[%" PRId32 "].vertices.data[%" PRId32 "] is not finite", t, i);
    return check_target_indices(call, def, t);
}

static PliantResult check_morph(const PliCall *call, const PliantShapeDef *def)
{
    PLI_CHECK(call, (unsigned)def->morph_kind <= PLIANT_MORPH_REFERENCES, PLIANT_BAD_ARGUMENT,
              "def.morph_kind is %d", (int)def->morph_kind);
    PLI_CHECK(call, def->target_count >= 0, PLIANT_BAD_ARGUMENT, "def.target_count is %" PRId32,
              def->target_count);
    PLI_CHECK(call, def->target_count <= PLI_MAX_TARGETS, PLIANT_TOO_LARGE,
              "def.target_count is %" PRId32, def->target_count);
    PLI_CHECK(call, def->targets || def->target_count == 0, PLIANT_BAD_ARGUMENT,
              "def.targets is NULL, def.target_count is %" PRId32, def->target_count);
    PLI_CHECK(call, (uint32_t)def->between_count <= PLI_MAX_BETWEEN, PLIANT_BAD_ARGUMENT,
              "def.between_count is %" PRId32, def->between_count);
    PLI_CHECK(call, def->between_count == 0 || def->morph_kind == PLIANT_MORPH_REFERENCES,
              PLIANT_BAD_ARGUMENT,
              "def.between_count is %" PRId32 ", and targets are no references",
              def->between_count);
    for (int32_t t = 0; t < def->target_count && def->tree_weights; t++)
        PLI_CHECK(call, isfinite(def->tree_weights[t]), PLIANT_BAD_ARGUMENT,
                  "def.tree_weights[%" PRId32 "] is not finite", t);
    for (int32_t t = 0; t < def->target_count; t++)
        PLI_TRY(check_target(call, def, t));
    return PLIANT_OK;
}

/* The weights of one vertex, and the joints of those that count. */
static PliantResult check_influences(const PliCall *call, const PliantShapeDef *def, int32_t vertex)
{
    const PliantSkin *skin = def->skin;
    const int64_t first = (int64_t)vertex * skin->influence_count;
    double sum = 0;
    for (int64_t i = first; i < first + skin->influence_count; i++) {
        PLI_CHECK(call, skin->weights[i] >= 0 && isfinite(skin->weights[i]), PLIANT_BAD_ARGUMENT,
                  "def.skin.weights[%" PRId64 "] is %g", i, (double)skin->weights[i]);
        PLI_CHECK(call, skin->weights[i] == 0 || skin->joints[i] < skin->joint_count,
                  PLIANT_BAD_INDEX,
                  "def.skin.joints[%" PRId64 "] is %d, def.skin.joint_count is %" PRId32, i,
                  (int)skin->joints[i], skin->joint_count);
        sum += skin->weights[i];
    }
    PLI_CHECK(call, sum < PLI_MAX_WEIGHT, PLIANT_BAD_ARGUMENT,
              "def.skin.weights of vertex %" PRId32 " sum to %g", vertex, sum);
    return PLIANT_OK;
}

static PliantResult check_skin(const PliCall *call, const PliantShapeDef *def)
{
    const PliantSkin *skin = def->skin;
    PLI_CHECK(call, skin->joint_count >= 1, PLIANT_BAD_ARGUMENT, "def.skin.joint_count is %" PRId32,
              skin->joint_count);
    PLI_CHECK(call, skin->joint_count <= PLI_MAX_JOINTS, PLIANT_TOO_LARGE,
              "def.skin.joint_count is %" PRId32, skin->joint_count);
    PLI_CHECK(call, skin->influence_count >= 1 && skin->influence_count <= PLI_MAX_INFLUENCES,
              PLIANT_BAD_ARGUMENT, "def.skin.influence_count is %" PRId32, skin->influence_count);
    PLI_CHECK(call, skin->joints, PLIANT_BAD_ARGUMENT, "def.skin.joints is NULL");
    PLI_CHECK(call, skin->weights, PLIANT_BAD_ARGUMENT, "def.skin.weights is NULL");
    for (int32_t v = 0; v < def->vertices.count; v++)
        PLI_TRY(check_influences(call, def, v));
    return PLIANT_OK;
}

static PliantResult check_divide(const PliCall *call, const PliantShapeDef *def)
{
    PLI_CHECK(call, (unsigned)def->divide_kind <= PLIANT_DIVIDE_CORNERS, PLIANT_BAD_ARGUMENT,
              "def.divide_kind is %d", (int)def->divide_kind);
    PLI_CHECK(call, def->divide_size >= 0 && def->divide_size < INFINITY, PLIANT_BAD_ARGUMENT,
              "def.divide_size is %g", (double)def->divide_size);
    bool is_asked_for = def->divide_kind >= PLIANT_DIVIDE_QUARTERS;
    PLI_CHECK(call, !is_asked_for || def->target_count == 0, PLIANT_BAD_ARGUMENT,
              "def.divide_kind is %d, and there are targets", (int)def->divide_kind);
    PLI_CHECK(call, !is_asked_for || def->skin->joint_count == 0, PLIANT_BAD_ARGUMENT,
              "def.divide_kind is %d, and there are joints", (int)def->divide_kind);
    PLI_CHECK(call, !is_asked_for || def->experiments->tree_kind != PLIANT_TREE_CONNECTED,
              PLIANT_BAD_ARGUMENT, "def.divide_kind is %d, and the tree is of connected patches",
              (int)def->divide_kind);
    return PLIANT_OK;
}

static PliantResult check_groups(const PliCall *call, const PliantShapeDef *def)
{
    for (uint32_t v = 0; v < (uint32_t)def->vertices.count && def->groups; v++)
        PLI_CHECK(call, pli_is_group(def->groups, v), PLIANT_BAD_INDEX,
                  "def.groups[%" PRIu32 "] is %" PRIu32 ", not the lowest vertex of a group", v,
                  def->groups[v]);
    return PLIANT_OK;
}

static PliantResult check_vertices(const PliCall *call, const PliantShapeDef *def)
{
    PLI_CHECK(call, def->vertices.data, PLIANT_BAD_ARGUMENT, "def.vertices.data is NULL");
    PLI_CHECK(call, def->vertices.count > 0, PLIANT_BAD_ARGUMENT, "def.vertices.count is %" PRId32,
              def->vertices.count);
    PLI_CHECK_STRIDE(call, "def.vertices", def->vertices);
    return PLIANT_OK;
}

static PliantResult check_def(const PliCall *call, const PliantShapeDef *def, bool has_skin)
{
    PLI_TRY(check_vertices(call, def));
    PLI_TRY(check_faces(call, def));
    PLI_TRY(check_groups(call, def));
    PLI_TRY(check_morph(call, def));
    if (has_skin)
        PLI_TRY(check_skin(call, def));
    return check_divide(call, def);
}

/* Copies the skin of a def, and points the def at the copy; a def without one gets one without
 * joints. */
static PliantResult read_skin(const PliCall *call, PliantShapeDef *def, PliantSkin *skin)
{
    const PliantSkin *given = def->skin;
    *skin = pliant_skin_default();
    def->skin = skin;
    PLI_CHECK(call,
              !given || pli_record_read(skin, sizeof *skin, SKIN_SIZE, given, given->struct_size),
              PLIANT_BAD_DEF, "def.skin.struct_size is %zu: start from pliant_skin_default()",
              given->struct_size);
    return PLIANT_OK;
}

/* Groups of one vertex each are as none: the shape is the same, byte for byte. */
static bool has_groups(const PliantShapeDef *def)
{
    bool has_some = false;
    for (uint32_t v = 0; v < (uint32_t)def->vertices.count && def->groups; v++)
        has_some |= def->groups[v] != v;
    return has_some;
}

/* Builds from triangles and, behind them, segments as triangles that end twice at one vertex: all
 * that follows from triangles follows from these. */
static PliantResult build_with_segments(const PliantShapeDef *given, const PliantHost *host,
                                        PliantShape **shape)
{
    PliantShapeDef def = *given;
    const size_t first = 3 * (size_t)given->triangles.count,
                 count = first + 3 * (size_t)given->segments.count;
    void *memory;
    PLI_TRY(pli_allocate(host, count, sizeof(uint32_t), &memory));
    uint32_t *corners = memory, *to = corners + first;
    if (first > 0)
        memcpy(corners, given->triangles.data, first * sizeof *corners);
    for (int64_t i = 0; i < given->segments.count; i++, to += 3) {
        to[0] = given->segments.data[2 * i];
        to[1] = to[2] = given->segments.data[2 * i + 1];
    }
    def.triangles = (PliantTriangles){corners, (int32_t)(count / 3)};
    const PliantResult result = pli_shape_build(&def, host, PLI_MIN_DIVIDED, shape);
    pli_release(host, memory, count, sizeof(uint32_t));
    return result;
}

/* In modes of its own: for others a tiny weight may be zero, or a trap. */
static PLI_NOINLINE PliantResult create(const PliCall *call, const PliantShapeDef *given,
                                        PliantShape **shape)
{
    PliantShapeDef def = *given;
    PliantSkin skin;
    PliantExperiments experiments;
    PliantHost host;
    PLI_TRY(read_skin(call, &def, &skin));
    PLI_TRY(pli_experiments_read(call, def.experiments, &experiments));
    def.experiments = &experiments;
    PLI_TRY(check_def(call, &def, given->skin));
    PLI_TRY(pli_host_check(call, def.host, &host));
    if (!has_groups(&def))
        def.groups = NULL;
    if (def.segments.count > 0)
        return build_with_segments(&def, &host, shape);
    return pli_shape_build(&def, &host, PLI_MIN_DIVIDED, shape);
}

/* Reads the def of a caller over the defaults, and then sets where messages go. */
static PliantResult read_def(PliCall *call, const PliantShapeDef *given, PliantShapeDef *def)
{
    PLI_CHECK(call, given, PLIANT_BAD_ARGUMENT, "def is NULL");
    const bool is_read = pli_record_read(def, sizeof *def, DEF_SIZE, given, given->struct_size);
    *call = pli_call(def->host, call->function);
    PLI_CHECK(call, is_read, PLIANT_BAD_DEF,
              "def.struct_size is %zu: start from pliant_shape_def_default()", given->struct_size);
    PLI_CHECK(call, def->reserved == 0, PLIANT_BAD_DEF, "def.reserved is %" PRIu32, def->reserved);
    return PLIANT_OK;
}

PliantResult pliant_shape_create(const PliantShapeDef *given, PliantShape **shape)
{
    PliCall call = PLI_CALL(NULL);
    PliantShapeDef def = pliant_shape_def_default();
    PLI_TRY(read_def(&call, given, &def));
    PLI_CHECK(&call, shape, PLIANT_BAD_ARGUMENT, "shape is NULL");
    PliFpMode caller = pli_fp_enter();
    PliantResult result = create(&call, &def, shape);
    pli_fp_leave(caller);
    return result;
}

/* ---- Welding -----------------------------------------------------------------------------------
 */

static PLI_NOINLINE PliantResult weld(const PliCall *call, const PliantShapeDef *given,
                                      uint32_t *groups, int32_t *group_count)
{
    PliantShapeDef def = *given;
    PliantSkin skin;
    PliantHost host;
    PLI_TRY(read_skin(call, &def, &skin));
    PLI_TRY(check_vertices(call, &def));
    PLI_TRY(check_morph(call, &def));
    if (given->skin)
        PLI_TRY(check_skin(call, &def));
    PLI_TRY(pli_host_check(call, def.host, &host));
    return pli_weld(&def, &host, groups, group_count);
}

PliantResult pliant_mesh_weld(const PliantShapeDef *given, uint32_t *groups, int64_t capacity,
                              int32_t *group_count)
{
    PliCall call = PLI_CALL(NULL);
    PliantShapeDef def = pliant_shape_def_default();
    int32_t count = 0;
    PLI_TRY(read_def(&call, given, &def));
    PLI_CHECK(&call, groups, PLIANT_BAD_ARGUMENT, "groups is NULL");
    PLI_CHECK(&call, capacity >= def.vertices.count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", def.vertices.count is %" PRId32, capacity,
              def.vertices.count);
    PliFpMode caller = pli_fp_enter();
    const PliantResult result = weld(&call, &def, groups, &count);
    pli_fp_leave(caller);
    if (result == PLIANT_OK && group_count)
        *group_count = count;
    return result;
}

/* ---- Mapping -----------------------------------------------------------------------------------
 */

/* Reports what is wrong with saved data that failed with `result`, as far as its header tells. */
static PliantResult report_data(const PliCall *call, const void *data, size_t byte_size,
                                PliantResult result)
{
    const PliShapeHeader *header = data;
    if (byte_size < sizeof *header)
        return pli_mistake(call, result, "byte_size is %zu, the header alone is %zu bytes",
                           byte_size, sizeof *header);
    if (memcmp(header->magic, PLI_SHAPE_MAGIC, sizeof header->magic) != 0)
        return pli_mistake(call, result, "data is no saved shape: its magic number is wrong");
    if (header->byte_order != PLI_SHAPE_BYTE_ORDER)
        return pli_mistake(call, result, "data was saved with another byte order");
    if (result == PLIANT_BAD_VERSION)
        return pli_mistake(call, result,
                           "data has version %" PRIu32
                           " of the format, this library reads versions %d to %d",
                           header->version, (int)PLI_SHAPE_VERSION, (int)PLI_LAST_VERSION);
    if (header->byte_size > byte_size)
        return pli_mistake(call, result,
                           "byte_size is %zu, the header says %" PRIu64 ": data is cut off",
                           byte_size, header->byte_size);
    if (header->byte_size < sizeof *header)
        return pli_mistake(call, result,
                           "data is damaged: its header says that it is %" PRIu64 " bytes",
                           header->byte_size);
    if (pli_shape_checksum(header) != header->checksum)
        return pli_mistake(call, result, "data is damaged: its checksum is wrong");
    return pli_mistake(call, result,
                       "data has a right checksum, but parts of it contradict each other");
}

PliantResult pliant_shape_map(const void *data, size_t byte_size, const PliantHost *given,
                              PliantShape **shape)
{
    const PliCall call = PLI_CALL(given);
    PLI_CHECK(&call, data, PLIANT_BAD_ARGUMENT, "data is NULL");
    PLI_CHECK(&call, shape, PLIANT_BAD_ARGUMENT, "shape is NULL");
    PLI_CHECK(&call, (uintptr_t)data % PLI_ALIGNMENT == 0, PLIANT_BAD_ARGUMENT,
              "data is not aligned to %zu bytes", PLI_ALIGNMENT);
    PliantHost host;
    PLI_TRY(pli_host_check(&call, given, &host));
    PliFpMode caller = pli_fp_enter();
    const PliantResult result = pli_shape_check(data, byte_size, &host);
    pli_fp_leave(caller);
    if (result == PLIANT_BAD_DATA || result == PLIANT_BAD_VERSION)
        return report_data(&call, data, byte_size, result);
    PLI_TRY(result);
    return pli_shape_wrap(data, &host, shape);
}

/* ---- References and getters --------------------------------------------------------------------
 */

void pliant_shape_retain(PliantShape *shape)
{
    if (shape)
        atomic_fetch_add_explicit(&shape->reference_count, 1, memory_order_relaxed);
}

void pliant_shape_release(PliantShape *shape)
{
    /* The last one out has seen what all others did. */
    if (shape && atomic_fetch_sub_explicit(&shape->reference_count, 1, memory_order_acq_rel) == 1)
        pli_shape_free(shape);
}

PliantResult pliant_shape_info(const PliantShape *shape, PliantShapeInfo *info)
{
    const PliCall call = {shape ? &shape->host : NULL, __func__};
    PLI_CHECK(&call, shape, PLIANT_BAD_ARGUMENT, "shape is NULL");
    PLI_CHECK_OUTPUT(&call, "info", "pliant_shape_info_default", info, INFO_SIZE);
    const PliShapeHeader *header = shape->header;
    const PliantShapeInfo found = {.byte_size = (size_t)header->byte_size,
                                   .vertex_count = header->vertex_count,
                                   .triangle_count = header->triangle_count,
                                   .nonfinite_count = header->nonfinite_count,
                                   .target_count = header->target_count,
                                   .joint_count = header->joint_count,
                                   .piece_count = header->item_count,
                                   .leaf_count = header->leaf_count,
                                   .node_count = header->node_count,
                                   .level_count = header->level_count,
                                   .is_closed = header->is_closed,
                                   .segment_count = (int32_t)header->segment_count};
    pli_record_write(info, INFO_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

const int32_t *pliant_shape_vertex_order(const PliantShape *shape)
{
    return shape ? shape->vertex_order : NULL;
}

const float *pliant_shape_vertices(const PliantShape *shape)
{
    return shape ? shape->vertices : NULL;
}

const uint32_t *pliant_shape_triangles(const PliantShape *shape)
{
    return shape ? shape->triangles : NULL;
}

PliantResult pliant_shape_edges(PliantShape *shape, const uint32_t **edges, int32_t *edge_count)
{
    const PliCall call = {shape ? &shape->host : NULL, __func__};
    PLI_CHECK(&call, shape, PLIANT_BAD_ARGUMENT, "shape is NULL");
    PLI_CHECK(&call, edges, PLIANT_BAD_ARGUMENT, "edges is NULL");
    PLI_CHECK(&call, edge_count, PLIANT_BAD_ARGUMENT, "edge_count is NULL");
    const PliFeatures *features = NULL;
    PLI_TRY(pli_topology_features(shape, &features));
    *edges = features->edge_vertices;
    *edge_count = features->edge_count;
    return PLIANT_OK;
}

const void *pliant_shape_data(const PliantShape *shape, size_t *byte_size)
{
    if (byte_size)
        *byte_size = shape ? (size_t)shape->header->byte_size : 0;
    return shape ? shape->header : NULL;
}

void pliant_shape_set_user_data(PliantShape *shape, uint64_t user_data)
{
    if (shape)
        atomic_store_explicit(&shape->user_data, user_data, memory_order_release);
}

uint64_t pliant_shape_user_data(const PliantShape *shape)
{
    return shape ? atomic_load_explicit(&shape->user_data, memory_order_acquire) : 0;
}
