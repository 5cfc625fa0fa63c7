/* Stale answers: see stamp.h.
 *
 * A world counts changes of its bodies. Each body knows the count at which it changed last: when it
 * was set, or when its borrowed vertices had another hash than before. The stamp of an answer is
 * the count at the end of its query. So a body has changed since an answer was found if and only if
 * its own count is greater than that of the stamp.
 *
 * A hash is a pass over the borrowed vertices. Queries for all pairs make it, since their answers
 * can be handed back: bit 0 of their stamps is set.
 */
#include "world/world.h"

void pli_world_touch(PliantWorld *world, PliBody *body)
{
    body->revision = 1 + atomic_fetch_add_explicit(&world->revision, 1, memory_order_relaxed);
}

/* The borrowed vertices of a body. */
static const PliVertexView *vertices_of(PliBody *body)
{
    const PliSoup *soup = pli_soup_of(&body->pose);
    return soup ? &soup->vertices : &body->mesh.vertices;
}

/* Large arrays are divided among workers, always into the same parts. */
enum { PARTS = 64, MIN_DIVIDED = 1 << 16 };

typedef struct Hashing {
    const PliVertexView *vertices;
    uint64_t hashes[PARTS];
} Hashing;

/* PliWork. */
static void hash_part(void *data, int32_t index, PliWorker *worker)
{
    Hashing *hashing = data;
    const int64_t count = hashing->vertices->count;
    hashing->hashes[index] = pli_hash_vertices(hashing->vertices, index * count / PARTS,
                                               (index + 1) * count / PARTS, worker->kernels);
}

static uint64_t hash_of(const PliVertexView *vertices, PliWorker *worker)
{
    Hashing hashing = {.vertices = vertices};
    if (vertices->count < MIN_DIVIDED)
        return pli_hash_vertices(vertices, 0, vertices->count, worker->kernels);
    pli_worker_divide(worker, hash_part, &hashing, PARTS);
    uint64_t hash = vertices->count;
    for (int i = 0; i < PARTS; i++)
        hash = pli_hash_both(hash, hashing.hashes[i]);
    return hash;
}

void pli_world_read_doubles(PliantWorld *world, PliBody *body)
{
    if (!body->pose.is_borrowed || !body->pose.doubles || body->read_moment == world->moment)
        return;
    pli_mesh_pose_round(&body->mesh, world->origin);
    body->read_moment = world->moment;
}

void pli_world_hash_body(PliantWorld *world, PliBody *body, PliWorker *worker)
{
    if (!body->pose.is_borrowed || body->hash_moment == world->moment)
        return;
    pli_world_read_doubles(world, body);
    const uint64_t hash = hash_of(vertices_of(body), worker);
    body->hash_moment = world->moment;
    if (hash != body->vertex_hash)
        pli_world_touch(world, body);
    body->vertex_hash = hash;
}

uint64_t pli_world_stamp(const PliantWorld *world)
{
    return (1 + atomic_load(&world->revision)) << 1 | world->hashes_borrowed;
}

PliantResult pli_world_check_stamp(const PliCall *call, PliantWorld *world, PliantBody handle,
                                   uint64_t stamp)
{
    PliBody *body = pli_world_body(world, handle);
    if (body->revision < stamp >> 1 && pli_stamp_has_hashes(stamp))
        pli_world_hash_body(world, body, &world->first.worker);
    PLI_CHECK(call, body->revision < stamp >> 1, PLIANT_STALE,
              "body {index %" PRIu32 ", serial %" PRIu32
              "} has changed since the query: ask it again",
              handle.index, handle.serial);
    return PLIANT_OK;
}

/* Most contacts have the bodies of the one before. */
PliantResult pli_contacts_check_stamp(const PliCall *call, PliantWorld *world,
                                      const PliantContacts *contacts)
{
    const uint64_t stamp = contacts->stamp;
    PliantBody a = {0}, b = {0};
    for (int64_t i = 0; i < contacts->count && stamp != 0; i++) {
        const PliantContact *contact = &contacts->items[i];
        if (contact->body_a.serial != a.serial)
            PLI_TRY(pli_world_check_stamp(call, world, a = contact->body_a, stamp));
        if (contact->body_b.serial != b.serial)
            PLI_TRY(pli_world_check_stamp(call, world, b = contact->body_b, stamp));
    }
    return PLIANT_OK;
}
