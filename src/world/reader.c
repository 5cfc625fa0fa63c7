/* Readers: see reader.h. */
#include "world/reader.h"
#include "base/cpu.h"
#include "world/crew.h"

/* ---- Holds -------------------------------------------------------------------------------------
 */

/* Opens the bounds of a pose for all readers, or closes them. */
static PliantResult pin(PliPose *pose, const PliantHost *host)
{
    PLI_TRY(pli_bounds_share(&pose->bounds, host));
    pose->bounds.is_pinned = true;
    return PLIANT_OK;
}

static void unpin(PliPose *pose)
{
    pose->bounds.is_pinned = false;
    pli_bounds_unshare(&pose->bounds);
}

/* What queries find out about a body on first need. */
static PliantResult open_body(const PliCall *call, PliantWorld *world, PliBody *body)
{
    PliMovingPose pose;
    PliPoseFeatures unused;
    PLI_TRY(pli_world_open_moving(call, world, pli_world_number(world, body), &pose));
    pli_world_hash_body(world, body, &world->first.worker);
    PLI_TRY(pli_moving_features(pose, &world->body_host, &unused));
    PLI_TRY(pin(pose.start, &world->body_host));
    return pose.end == pose.start ? PLIANT_OK : pin(pose.end, &world->body_host);
}

static void unpin_bodies(PliantWorld *world)
{
    PliBody *bodies = world->bodies.items;
    for (int64_t i = 0; i < world->bodies.count; i++) {
        if (!bodies[i].is_alive)
            continue;
        unpin(&bodies[i].pose);
        if (bodies[i].follower)
            unpin(&bodies[i].follower->base);
    }
}

static PliantResult open_bodies(const PliCall *call, PliantWorld *world)
{
    PliBody *bodies = world->bodies.items;
    world->hashes_borrowed = true;
    PLI_TRY(pli_world_refresh(world));
    for (int64_t i = 0; i < world->bodies.count; i++)
        if (pli_body_is_seen(&bodies[i]))
            PLI_TRY(open_body(call, world, &bodies[i]));
    return PLIANT_OK;
}

/* Hands the bodies over, or takes them back. */
static void lend_bodies(const PliantWorld *world, PliantWorld *reader)
{
    reader->bodies = world->bodies;
    reader->exclusions = world->exclusions;
    reader->may_pair = world->may_pair;
    reader->pair_user = world->pair_user;
    reader->boxes = world->boxes;
    reader->categories = world->categories;
    reader->collides_with = world->collides_with;
    reader->body_count = world->body_count;
    reader->moment = world->moment;
    atomic_store(&reader->revision, atomic_load(&world->revision));
}

static void take_bodies(PliantWorld *reader)
{
    reader->bodies = (PliArray){.item_size = sizeof(PliBody)};
    reader->exclusions = (PliArray){.item_size = sizeof(PliExclusions)};
    reader->boxes = (PliArray){.item_size = sizeof(PliBox)};
    reader->categories = reader->collides_with = (PliArray){.item_size = sizeof(uint32_t)};
    reader->body_count = 0;
}

/* From here on the list of readers does not change. Another thread is done with it soon. */
static void begin_list(PliantWorld *world)
{
    while (atomic_flag_test_and_set_explicit(&world->lists_readers, memory_order_acquire))
        ;
}

static void end_list(PliantWorld *world)
{
    atomic_flag_clear_explicit(&world->lists_readers, memory_order_release);
}

/* Room for what a worker needs of any body. */
static PliantResult reserve_reader(const PliantWorld *world, PliantWorld *reader)
{
    const PliWorker *worker = &world->first.worker;
    PliArray *fans = &reader->reader_fans;
    PLI_TRY(
        pli_worker_reserve(&reader->first.worker, worker->terms.capacity, worker->boxes.capacity));
    PLI_TRY(pli_array_reserve(fans, &reader->body_host, world->bodies.count));
    while (fans->count < world->bodies.count)
        ((PliReaderFans *)fans->items)[fans->count++] = (PliReaderFans){0};
    return PLIANT_OK;
}

static bool has_readers(PliantWorld *world)
{
    begin_list(world);
    const bool has = world->readers;
    end_list(world);
    return has;
}

/* Hands the bodies over to all readers, or to none. */
static PliantResult open_readers(PliantWorld *world)
{
    PliantResult result = PLIANT_OK;
    PliantWorld *reader;
    begin_list(world);
    for (reader = world->readers; reader && result == PLIANT_OK; reader = reader->next_reader)
        result = reserve_reader(world, reader);
    for (reader = world->readers; reader && result == PLIANT_OK; reader = reader->next_reader)
        lend_bodies(world, reader);
    end_list(world);
    return result;
}

PliantResult pli_readers_open(const PliCall *call, PliantWorld *world)
{
    if (!has_readers(world))
        return PLIANT_OK;
    const PliFpMode caller = pli_fp_enter();
    pli_control_start(&world->control, NULL, NULL);
    PliantResult result = pli_world_crew_start(world);
    if (result == PLIANT_OK)
        result = open_bodies(call, world);
    if (result == PLIANT_OK)
        result = open_readers(world);
    if (result != PLIANT_OK)
        unpin_bodies(world);
    pli_world_crew_end(world);
    pli_fp_leave(caller);
    if (result == PLIANT_OK)
        atomic_store(&world->asked, 0);
    return result;
}

bool pli_readers_close(PliantWorld *world)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&world->asked, &none, -1))
        return none < 0; /* there were no readers */
    begin_list(world);
    for (PliantWorld *reader = world->readers; reader; reader = reader->next_reader)
        take_bodies(reader);
    end_list(world);
    unpin_bodies(world);
    return true;
}

/* ---- Self queries ------------------------------------------------------------------------------
 */

PliantResult pli_world_start_fans(PliantWorld *world, PliBody *body, bool is_one_enough)
{
    PliFanState **state = &body->fan_state;
    if (world->read) {
        PliReaderFans *fans =
            (PliReaderFans *)world->reader_fans.items + pli_world_number(world, body);
        if (fans->serial != body->serial) {
            pli_fan_state_free(fans->state, &world->body_host);
            *fans = (PliReaderFans){NULL, body->serial};
        }
        state = &fans->state;
    }
    return pli_fan_state_start(state, &world->fans, &body->pose, is_one_enough, &world->body_host);
}

/* ---- Making and ending -------------------------------------------------------------------------
 */

void pli_reader_add(PliantWorld *world, PliantWorld *reader)
{
    reader->read = world;
    reader->is_held = true;
    begin_list(world);
    reader->next_reader = world->readers;
    world->readers = reader;
    end_list(world);
}

void pli_reader_free(PliantWorld *reader)
{
    PliantWorld *world = reader->read, **link = &world->readers;
    begin_list(world);
    while (*link != reader)
        link = &(*link)->next_reader;
    *link = reader->next_reader;
    end_list(world);
    take_bodies(reader);
    const PliReaderFans *fans = reader->reader_fans.items;
    for (int64_t i = 0; i < reader->reader_fans.count; i++)
        pli_fan_state_free(fans[i].state, &reader->body_host);
    pli_array_free(&reader->reader_fans, &reader->body_host);
    pli_world_free(reader);
}
