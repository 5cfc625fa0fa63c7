/* Bodies: made and ended. See world.h. */
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
    pli_release(&world->body_host, body->radii.vertices, (size_t)body->radii.count, sizeof(float));
    pli_kept_drop_body(&world->near_kept, number);
    pli_kept_drop_body(&world->sweep_kept, number);
    pli_exclusions_drop_body(&world->exclusions, number, &world->body_host);
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
