/* Bodies: made, set and ended. See pliant/world.h. */
#include "api/checks.h"
#include "base/cpu.h"
#include "world/world.h"

#include <string.h>

bool pliant_body_is_alive(const PliantWorld *world, PliantBody body)
{
    return world && pli_world_body(world, body);
}

PliantResult pliant_body_create(PliantWorld *world, PliantShape *shape, PliantBody *handle)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK(&call, shape, PLIANT_BAD_ARGUMENT, "shape is NULL");
    PLI_CHECK(&call, handle, PLIANT_BAD_ARGUMENT, "body is NULL");
    return pli_world_add_mesh(&call, world, shape, handle);
}

PliantResult pliant_body_destroy(PliantWorld *world, PliantBody handle)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    pli_world_remove(world, body);
    return PLIANT_OK;
}

/* ---- Setting -----------------------------------------------------------------------------------
 */

PliantTransform pliant_transform_identity(void)
{
    return (PliantTransform){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

#define CHECK_SHAPE(call, body)                                                                    \
    PLI_CHECK(call, pli_shape_of(&(body)->pose), PLIANT_BAD_ARGUMENT,                              \
              "the body is a soup: it has no shape")

/* These compare numbers, and so run in modes of their own: for others a tiny number may be
 * zero, or a trap. */
static PLI_NOINLINE PliantResult set_transform(const PliCall *call, PliBody *body,
                                               const PliantTransform *transform)
{
    const PliantTransform identity = pliant_transform_identity();
    bool is_identity = true;
    for (int i = 0; i < 12; i++) {
        PLI_CHECK(call, isfinite(transform->rows[i / 4][i % 4]), PLIANT_BAD_ARGUMENT,
                  "transform.rows[%d][%d] is not finite", i / 4, i % 4);
        is_identity &= transform->rows[i / 4][i % 4] == identity.rows[i / 4][i % 4];
    }
    PLI_CHECK(call, is_identity || !body->pose.doubles, PLIANT_BAD_ARGUMENT,
              "the body has vertices in double, which are in world coordinates");
    pli_pose_set_transform(&body->pose, transform);
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult check_box(const PliCall *call, const PliantBox *box)
{
    for (int k = 0; k < 3; k++)
        PLI_CHECK(call, box->low[k] <= box->high[k], PLIANT_BAD_ARGUMENT,
                  "box.low[%d] is %g, box.high[%d] is %g", k, (double)box->low[k], k,
                  (double)box->high[k]);
    return PLIANT_OK;
}

PliantResult pliant_body_set_transform(PliantWorld *world, PliantBody handle,
                                       const PliantTransform *transform)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, transform, PLIANT_BAD_ARGUMENT, "transform is NULL");
    PliFpMode caller = pli_fp_enter();
    PliantResult result = set_transform(&call, body, transform);
    pli_fp_leave(caller);
    if (result == PLIANT_OK)
        pli_world_wait(world, body);
    return result;
}

static PliantResult check_vertices(const PliCall *call, const PliBody *body,
                                   const PliantVertices *vertices)
{
    CHECK_SHAPE(call, body);
    int32_t count = body->mesh.shape->header->vertex_count;
    PLI_CHECK(call, vertices->data, PLIANT_BAD_ARGUMENT, "vertices.data is NULL");
    PLI_CHECK(call, vertices->count == count, PLIANT_BAD_ARGUMENT,
              "vertices.count is %" PRId32 ", the shape has %" PRId32, vertices->count, count);
    PLI_CHECK_STRIDE(call, "vertices", *vertices);
    return PLIANT_OK;
}

typedef PliantResult Take(PliMeshPose *pose, const PliantVertices *vertices,
                          const PliantHost *host);

static PliantResult give_vertices(const PliCall *call, PliantWorld *world, PliantBody handle,
                                  const PliantVertices *vertices, Take *take)
{
    PLI_CHECK_BODY(call, world, "body", handle, body);
    PLI_TRY(check_vertices(call, body, vertices));
    PLI_TRY(take(&body->mesh, vertices, &world->body_host));
    pli_world_wait(world, body);
    return PLIANT_OK;
}

PliantResult pliant_body_set_vertices(PliantWorld *world, PliantBody handle,
                                      PliantVertices vertices)
{
    PLI_CHANGE_WORLD(world);
    return give_vertices(&call, world, handle, &vertices, pli_mesh_pose_copy);
}

PliantResult pliant_body_borrow_vertices(PliantWorld *world, PliantBody handle,
                                         PliantVertices vertices)
{
    PLI_CHANGE_WORLD(world);
    return give_vertices(&call, world, handle, &vertices, pli_mesh_pose_borrow);
}

static PliantResult check_vertices64(const PliCall *call, const PliBody *body,
                                     const PliantVertices64 *vertices)
{
    CHECK_SHAPE(call, body);
    const int32_t count = body->mesh.shape->header->vertex_count;
    const size_t stride = vertices->stride;
    PLI_CHECK(call, vertices->data, PLIANT_BAD_ARGUMENT, "vertices.data is NULL");
    PLI_CHECK(call, vertices->count == count, PLIANT_BAD_ARGUMENT,
              "vertices.count is %" PRId32 ", the shape has %" PRId32, vertices->count, count);
    PLI_CHECK(call, stride == 0 || (stride >= 24 && stride % 8 == 0 && stride <= 1 << 20),
              PLIANT_BAD_ARGUMENT,
              "vertices.stride is %zu: 0, or a multiple of 8 from 24 to 1048576", stride);
    PLI_CHECK(call, !body->pose.is_moved, PLIANT_BAD_ARGUMENT,
              "the body has a transform: vertices in double are in world coordinates");
    return PLIANT_OK;
}

static PliantResult give_vertices64(const PliCall *call, PliantWorld *world, PliantBody handle,
                                    const PliantVertices64 *vertices, bool is_borrowed)
{
    PLI_CHECK_BODY(call, world, "body", handle, body);
    PLI_TRY(check_vertices64(call, body, vertices));
    const PliFpMode caller = pli_fp_enter();
    const PliantResult result =
        pli_mesh_pose_set64(&body->mesh, vertices, is_borrowed, world->origin, &world->body_host);
    pli_fp_leave(caller);
    PLI_TRY(result);
    pli_world_wait(world, body);
    return PLIANT_OK;
}

PliantResult pliant_body_set_vertices64(PliantWorld *world, PliantBody handle,
                                        PliantVertices64 vertices)
{
    PLI_CHANGE_WORLD(world);
    return give_vertices64(&call, world, handle, &vertices, false);
}

PliantResult pliant_body_borrow_vertices64(PliantWorld *world, PliantBody handle,
                                           PliantVertices64 vertices)
{
    PLI_CHANGE_WORLD(world);
    return give_vertices64(&call, world, handle, &vertices, true);
}

PliantResult pliant_world_set_origin(PliantWorld *world, const double origin[3])
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK(&call, origin, PLIANT_BAD_ARGUMENT, "origin is NULL");
    for (int k = 0; k < 3; k++)
        PLI_CHECK(&call, isfinite(origin[k]), PLIANT_BAD_ARGUMENT, "origin[%d] is not finite", k);
    PliBody *bodies = world->bodies.items;
    memcpy(world->origin, origin, sizeof world->origin);
    for (int64_t i = 0; i < world->bodies.count; i++) {
        if (!bodies[i].is_alive || !bodies[i].pose.doubles)
            continue;
        const PliFpMode caller = pli_fp_enter();
        pli_mesh_pose_round(&bodies[i].mesh, origin);
        pli_fp_leave(caller);
        pli_world_wait(world, &bodies[i]);
    }
    return PLIANT_OK;
}

PliantResult pliant_world_origin(const PliantWorld *world, double origin[3])
{
    PLI_READ_WORLD(world);
    PLI_CHECK(&call, origin, PLIANT_BAD_ARGUMENT, "origin is NULL");
    memcpy(origin, world->origin, sizeof world->origin);
    return PLIANT_OK;
}

PliantResult pliant_body_rounding_error(const PliantWorld *world, PliantBody handle, float *error)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, error, PLIANT_BAD_ARGUMENT, "error is NULL");
    *error = pli_pose_error(&body->pose);
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult set_weights(const PliCall *call, PliBody *body,
                                             const float *weights, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        PLI_CHECK(call, isfinite(weights[i]), PLIANT_BAD_ARGUMENT,
                  "weights[%" PRId32 "] is not finite", i);
    pli_mesh_pose_set_weights(&body->mesh, weights);
    return PLIANT_OK;
}

PliantResult pliant_body_set_weights(PliantWorld *world, PliantBody handle, const float *weights,
                                     int32_t count)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    CHECK_SHAPE(&call, body);
    int32_t target_count = body->mesh.shape->header->target_count;
    PLI_CHECK(&call, target_count > 0, PLIANT_BAD_ARGUMENT, "the shape has no targets");
    PLI_CHECK(&call, count == target_count, PLIANT_BAD_ARGUMENT,
              "count is %" PRId32 ", the shape has %" PRId32 " targets", count, target_count);
    PLI_CHECK(&call, weights, PLIANT_BAD_ARGUMENT, "weights is NULL");
    PliFpMode caller = pli_fp_enter();
    PliantResult result = set_weights(&call, body, weights, count);
    pli_fp_leave(caller);
    if (result == PLIANT_OK)
        pli_world_wait(world, body);
    return result;
}

static PLI_NOINLINE PliantResult set_joints(const PliCall *call, PliBody *body,
                                            const PliantTransform *joints, int32_t count,
                                            const PliantHost *host)
{
    for (int32_t j = 0; j < count; j++)
        for (int i = 0; i < 12; i++)
            PLI_CHECK(call, isfinite(joints[j].rows[i / 4][i % 4]), PLIANT_BAD_ARGUMENT,
                      "joints[%" PRId32 "].rows[%d][%d] is not finite", j, i / 4, i % 4);
    return pli_mesh_pose_set_joints(&body->mesh, joints, host);
}

PliantResult pliant_body_set_joints(PliantWorld *world, PliantBody handle,
                                    const PliantTransform *joints, int32_t count)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    CHECK_SHAPE(&call, body);
    int32_t joint_count = body->mesh.shape->header->joint_count;
    PLI_CHECK(&call, joint_count > 0, PLIANT_BAD_ARGUMENT, "the shape has no joints");
    PLI_CHECK(&call, count == joint_count, PLIANT_BAD_ARGUMENT,
              "count is %" PRId32 ", the shape has %" PRId32 " joints", count, joint_count);
    PLI_CHECK(&call, joints, PLIANT_BAD_ARGUMENT, "joints is NULL");
    PliFpMode caller = pli_fp_enter();
    PliantResult result = set_joints(&call, body, joints, count, &world->body_host);
    pli_fp_leave(caller);
    if (result == PLIANT_OK)
        pli_world_wait(world, body);
    return result;
}

PliantResult pliant_body_reset_pose(PliantWorld *world, PliantBody handle)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    CHECK_SHAPE(&call, body);
    pli_mesh_pose_reset(&body->mesh);
    pli_world_wait(world, body);
    return PLIANT_OK;
}

PliantResult pliant_body_set_update_kind(PliantWorld *world, PliantBody handle,
                                         PliantUpdateKind kind)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, (unsigned)kind <= PLIANT_UPDATE_TOP_DOWN, PLIANT_BAD_ARGUMENT,
              "kind is %d: 0 to %d", (int)kind, PLIANT_UPDATE_TOP_DOWN);
    CHECK_SHAPE(&call, body);
    body->mesh.update_kind = kind;
    return PLIANT_OK;
}

PliantResult pliant_body_set_filter(PliantWorld *world, PliantBody handle, uint32_t categories,
                                    uint32_t collides_with)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    ((uint32_t *)world->categories.items)[pli_world_number(world, body)] = categories;
    ((uint32_t *)world->collides_with.items)[pli_world_number(world, body)] = collides_with;
    return PLIANT_OK;
}

PliantResult pliant_body_set_self(PliantWorld *world, PliantBody handle, bool is_included)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    body->is_self_left_out = !is_included;
    return PLIANT_OK;
}

PliantResult pliant_body_set_loose_box(PliantWorld *world, PliantBody handle, const PliantBox *box)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PliFpMode caller = pli_fp_enter();
    PliantResult result = box ? check_box(&call, box) : PLIANT_OK;
    pli_fp_leave(caller);
    PLI_TRY(result);
    body->has_loose_box = box;
    if (box)
        body->loose_box = (PliBox){{box->low[0], box->low[1], box->low[2], 0},
                                   {box->high[0], box->high[1], box->high[2], 0}};
    pli_world_wait(world, body);
    return PLIANT_OK;
}

PliantResult pliant_body_set_user_data(PliantWorld *world, PliantBody handle, uint64_t user_data)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    body->user_data = user_data;
    return PLIANT_OK;
}
