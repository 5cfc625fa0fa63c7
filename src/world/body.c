/* Bodies: made, set and ended. See pliant/world.h. */
#include "base/cpu.h"
#include "world/checks.h"
#include "world/world.h"

#include <stdatomic.h>
#include <string.h>

/* ---- Handles -----------------------------------------------------------------------------------
 */

PliBody *pli_world_body(const PliantWorld *world, PliantBody handle)
{
    if (handle.index == 0 || handle.index > world->bodies.count)
        return NULL;
    PliBody *body = (PliBody *)world->bodies.items + (handle.index - 1);
    return body->is_alive && body->serial == handle.serial ? body : NULL;
}

PliantBody pli_world_handle(const PliantWorld *world, int32_t number)
{
    const PliBody *body = (const PliBody *)world->bodies.items + number;
    return (PliantBody){(uint32_t)number + 1, body->serial};
}

bool pliant_body_is_alive(const PliantWorld *world, PliantBody body)
{
    return world && pli_world_body(world, body);
}

/* There is room: each body is in the list once at most. */
void pli_world_wait(PliantWorld *world, PliBody *body)
{
    pli_world_touch(world, body);
    if (body->is_waiting)
        return;
    body->is_waiting = true;
    ((int32_t *)world->waiting.items)[world->waiting.count++] = pli_world_number(world, body);
}

/* ---- Making and ending ----------------------------------------------------------------------- */

/* Room for one more body in all arrays, so that nothing can fail once it is there. */
static PliantResult reserve_body(const PliCall *call, PliantWorld *world, int64_t term_count,
                                 int64_t box_count)
{
    const PliantHost *host = &world->body_host;
    int64_t count = world->bodies.count + 1;
    PLI_CHECK(call, world->first_free >= 0 || count <= INT32_MAX, PLIANT_TOO_LARGE,
              "there are %" PRId64 " bodies", count - 1);
    PLI_TRY(pli_worker_reserve(&world->first.worker, term_count, box_count));
    PLI_TRY(pli_array_reserve(&world->bodies, host, count));
    PLI_TRY(pli_array_reserve(&world->boxes, host, count));
    PLI_TRY(pli_array_reserve(&world->categories, host, count));
    PLI_TRY(pli_array_reserve(&world->collides_with, host, count));
    return pli_array_reserve(&world->waiting, host, count);
}

/* Serials differ between all bodies of a process, whatever their world, until 2^32 were created. It
 * is the only process-wide state of the library, and no answer depends on it. */
static uint32_t next_serial(void)
{
    static atomic_uint_least32_t last;
    const uint32_t serial = 1 + atomic_fetch_add_explicit(&last, 1, memory_order_relaxed);
    return serial != 0 ? serial : next_serial();
}

/* A body that is free, or one more; there is room. */
static PliBody *claim_body(PliantWorld *world)
{
    PliBody *bodies = world->bodies.items;
    if (world->first_free >= 0) {
        PliBody *body = &bodies[world->first_free];
        world->first_free = body->next_free;
        return body;
    }
    PliBody *body = &bodies[world->bodies.count++];
    world->boxes.count = world->categories.count = world->collides_with.count = world->bodies.count;
    *body = (PliBody){0};
    return body;
}

PliantResult pli_world_add(const PliCall *call, PliantWorld *world, PliBody *fresh,
                           int64_t term_count, int64_t box_count, PliantBody *handle)
{
    PliantResult result = reserve_body(call, world, term_count, box_count);
    if (result != PLIANT_OK) {
        pli_pose_free(&fresh->pose, &world->body_host);
        return result;
    }
    PliBody *body = claim_body(world);
    int32_t number = pli_world_number(world, body);
    fresh->serial = next_serial();
    fresh->is_alive = true;
    fresh->end = fresh->owner = -1;
    fresh->is_waiting = body->is_waiting; /* its predecessor may still be in the list */
    *body = *fresh;
    ((uint32_t *)world->categories.items)[number] = UINT32_MAX;
    ((uint32_t *)world->collides_with.items)[number] = UINT32_MAX;
    pli_world_wait(world, body);
    world->body_count++;
    *handle = pli_world_handle(world, number);
    return PLIANT_OK;
}

PliantResult pli_world_add_mesh(const PliCall *call, PliantWorld *world, PliantShape *shape,
                                PliantBody *handle)
{
    PliBody fresh = {0};
    PLI_TRY(pli_mesh_pose_init(&fresh.mesh, shape, &world->body_host));
    PLI_TRY(pli_world_add(call, world, &fresh, shape->morph_tables.term_count,
                          pli_mesh_pose_scratch_count(&fresh.mesh), handle));
    pliant_shape_retain(shape);
    return PLIANT_OK;
}

PliantResult pliant_body_create(PliantWorld *world, PliantShape *shape, PliantBody *handle)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK(&call, shape, PLIANT_BAD_ARGUMENT, "shape is NULL");
    PLI_CHECK(&call, handle, PLIANT_BAD_ARGUMENT, "body is NULL");
    return pli_world_add_mesh(&call, world, shape, handle);
}

void pli_world_trim_body(PliantWorld *world, PliBody *body)
{
    pli_fan_state_free(body->fan_state, &world->body_host);
    pli_follower_free(body->follower, &world->body_host);
    pli_motion_free(body->motion, &world->body_host);
    body->fan_state = NULL;
    body->follower = NULL;
    body->motion = NULL;
}

static void destroy(PliantWorld *world, PliBody *body)
{
    const int32_t number = pli_world_number(world, body);
    PliantShape *shape = pli_shape_of(&body->pose);
    pli_pose_free(&body->pose, &world->body_host);
    pli_world_trim_body(world, body);
    pli_kept_drop_body(&world->near_kept, number);
    pli_kept_drop_body(&world->sweep_kept, number);
    pliant_shape_release(shape);
    body->is_alive = false;
    world->body_count -= body->owner < 0;
    ((PliBox *)world->boxes.items)[number] = (PliBox){{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    body->next_free = world->first_free;
    world->first_free = number;
}

void pli_world_remove(PliantWorld *world, PliBody *body)
{
    PliBody *bodies = world->bodies.items;
    if (body->end >= 0)
        destroy(world, &bodies[body->end]);
    if (body->owner >= 0)
        bodies[body->owner].end = -1;
    destroy(world, body);
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
    for (int i = 0; i < 12; i++)
        PLI_CHECK(call, isfinite(transform->rows[i / 4][i % 4]), PLIANT_BAD_ARGUMENT,
                  "transform.rows[%d][%d] is not finite", i / 4, i % 4);
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
