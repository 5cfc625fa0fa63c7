/* The public calls of pliant/shape.h: checks, floating-point modes, and on to pose. */
#include "pose/shape.h"
#include "base/cpu.h"

#include <inttypes.h>

PliantShapeDef pliant_shape_def_default(void)
{
    return (PliantShapeDef){
        .struct_size = sizeof(PliantShapeDef), .tree_child_count = 8, .tree_leaf_size = 16};
}

/* The def as it was first published: a caller's cannot be shorter. */
#define FIRST_SIZE (offsetof(PliantShapeDef, host) + sizeof(const PliantHost *))

static PliantResult check_indices(const PliantShapeDef *def)
{
    uint32_t count = (uint32_t)def->vertices.count;
    for (int64_t i = 0; i < 3 * (int64_t)def->triangles.count; i++)
        PLI_CHECK(def->host, def->triangles.data[i] < count, PLIANT_BAD_INDEX,
                  "def.triangles.data[%" PRId64 "] is %" PRIu32 ", def.vertices.count is %" PRIu32,
                  i, def->triangles.data[i], count);
    return PLIANT_OK;
}

static PliantResult check_def(const PliantShapeDef *def)
{
    const PliantHost *host = def->host;
    PLI_CHECK(host, def->vertices.data, PLIANT_BAD_ARGUMENT, "def.vertices.data is NULL");
    PLI_CHECK(host, def->vertices.count > 0, PLIANT_BAD_ARGUMENT, "def.vertices.count is %" PRId32,
              def->vertices.count);
    PLI_CHECK(host,
              def->vertices.stride == 0 ||
                  (def->vertices.stride >= 12 && def->vertices.stride % 4 == 0),
              PLIANT_BAD_ARGUMENT, "def.vertices.stride is %zu", def->vertices.stride);
    PLI_CHECK(host, def->triangles.data, PLIANT_BAD_ARGUMENT, "def.triangles.data is NULL");
    PLI_CHECK(host, def->triangles.count > 0, PLIANT_BAD_ARGUMENT,
              "def.triangles.count is %" PRId32, def->triangles.count);
    PLI_CHECK(host, def->triangles.count <= INT32_MAX / 3, PLIANT_TOO_LARGE,
              "def.triangles.count is %" PRId32, def->triangles.count);
    PLI_CHECK(host, (unsigned)def->tree_kind <= PLIANT_TREE_CONNECTED, PLIANT_BAD_ARGUMENT,
              "def.tree_kind is %d", (int)def->tree_kind);
    int32_t children = def->tree_child_count;
    PLI_CHECK(host, children == 2 || children == 4 || children == 8, PLIANT_BAD_ARGUMENT,
              "def.tree_child_count is %" PRId32, children);
    PLI_CHECK(host, def->tree_leaf_size >= 1 && def->tree_leaf_size <= 16, PLIANT_BAD_ARGUMENT,
              "def.tree_leaf_size is %" PRId32, def->tree_leaf_size);
    return check_indices(def);
}

PliantResult pliant_shape_create(const PliantShapeDef *caller_def, PliantShape **shape)
{
    PLI_CHECK(NULL, caller_def, PLIANT_BAD_ARGUMENT, "def is NULL");
    PliantShapeDef def = pliant_shape_def_default();
    bool is_read = pli_def_read(&def, sizeof def, FIRST_SIZE, caller_def, caller_def->struct_size);
    PLI_CHECK(def.host, is_read, PLIANT_BAD_DEF,
              "def.struct_size is %zu: start from pliant_shape_def_default()",
              caller_def->struct_size);
    PLI_CHECK(def.host, shape, PLIANT_BAD_ARGUMENT, "shape is NULL");
    PliantResult result = check_def(&def);
    PliantHost host;
    if (result == PLIANT_OK)
        result = pli_host_resolve(def.host, &host);
    if (result != PLIANT_OK)
        return result;

    PliFpMode caller = pli_fp_enter();
    result = pli_shape_build(&def, &host, shape);
    pli_fp_leave(caller);
    return result;
}

PliantResult pliant_shape_map(const void *data, size_t byte_size, const PliantHost *given,
                              PliantShape **shape)
{
    PLI_CHECK(given, data, PLIANT_BAD_ARGUMENT, "data is NULL");
    PLI_CHECK(given, shape, PLIANT_BAD_ARGUMENT, "shape is NULL");
    PLI_CHECK(given, (uintptr_t)data % PLI_ALIGNMENT == 0, PLIANT_BAD_ARGUMENT,
              "data is not aligned to %zu bytes", PLI_ALIGNMENT);
    PliantHost host;
    PliantResult result = pli_host_resolve(given, &host);
    if (result != PLIANT_OK)
        return result;
    PliFpMode caller = pli_fp_enter();
    result = pli_shape_check(data, byte_size, &host);
    pli_fp_leave(caller);
    return result == PLIANT_OK ? pli_shape_wrap(data, &host, shape) : result;
}

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

PliantShapeInfo pliant_shape_info(const PliantShape *shape)
{
    const PliShapeHeader *header = shape->header;
    return (PliantShapeInfo){.vertex_count = header->vertex_count,
                             .triangle_count = header->triangle_count,
                             .nonfinite_count = header->nonfinite_count,
                             .leaf_count = header->leaf_count,
                             .node_count = header->node_count,
                             .level_count = header->level_count,
                             .byte_size = (size_t)header->byte_size};
}

const int32_t *pliant_shape_vertex_order(const PliantShape *shape)
{
    return shape->vertex_order;
}

const float *pliant_shape_vertices(const PliantShape *shape)
{
    return shape->vertices;
}

const uint32_t *pliant_shape_triangles(const PliantShape *shape)
{
    return shape->triangles;
}

const void *pliant_shape_data(const PliantShape *shape, size_t *byte_size)
{
    *byte_size = (size_t)shape->header->byte_size;
    return shape->header;
}
