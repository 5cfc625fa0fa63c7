/* What a hit says of the surface: see pliant/rays.h. */
#include "api/checks.h"
#include "base/cpu.h"
#include "world/casts.h"
#include "world/crew.h"

#define HITS_SIZE PLI_RECORD_SIZE(PliantRayHits, is_limit_reached)
#define DEF_SIZE PLI_RECORD_SIZE(PliantHitPointsDef, user)
#define POINTS_SIZE PLI_RECORD_SIZE(PliantHitPoints, is_limit_reached)

static PliantResult check_hit(const PliCall *call, const PliBody *body, int64_t index,
                              const PliantRayHit *hit)
{
    PLI_CHECK(call, body, PLIANT_BAD_ID,
              "hit %" PRId64 " has body {index %" PRIu32 ", serial %" PRIu32
              "}: no such body in this world",
              index, hit->body.index, hit->body.serial);
    PLI_CHECK(call, hit->triangle >= 0 && hit->triangle < body->pose.number_count, PLIANT_BAD_INDEX,
              "hit %" PRId64 " has triangle %" PRId32 ", the body has %" PRId32 " triangles", index,
              hit->triangle, body->pose.number_count);
    PLI_CHECK(call, pli_is_finite(hit->weights, 3), PLIANT_BAD_ARGUMENT,
              "hit %" PRId64 " has a weight that is not finite", index);
    return PLIANT_OK;
}

/* ---- Joints ---------------------------------------------------------------------------------- */

/* The weight of a joint at a vertex. */
static double weight_of(const PliSkinTables *skin, uint32_t vertex, uint16_t joint)
{
    for (int32_t i = skin->skin_firsts[vertex]; i < skin->skin_firsts[vertex + 1]; i++)
        if (skin->skin_joints[i] == joint)
            return (double)skin->skin_weights[i];
    return 0;
}

/* At a hit: see pliant_hit_joint(). Products are exact. */
static double weight_at(const PliSkinTables *skin, const uint32_t *vertices, const float *weights,
                        uint16_t joint)
{
    double parts[3];
    for (int k = 0; k < 3; k++)
        parts[k] = (double)weights[k] * weight_of(skin, vertices[k], joint);
    return (parts[0] + parts[1]) + parts[2];
}

static PLI_NOINLINE int32_t find_joint(const PliantShape *shape, const PliantRayHit *hit)
{
    const PliSkinTables *skin = &shape->skin_tables;
    const uint32_t *vertices = shape->triangles + 3 * (size_t)hit->triangle;
    int32_t best = -1;
    double most = 0;
    for (int k = 0; k < 3; k++)
        for (int32_t i = skin->skin_firsts[vertices[k]]; i < skin->skin_firsts[vertices[k] + 1];
             i++) {
            const uint16_t joint = skin->skin_joints[i];
            const double weight = weight_at(skin, vertices, hit->weights, joint);
            if (weight > most || (weight == most && best > joint)) {
                most = weight;
                best = joint;
            }
        }
    return best;
}

PliantResult pliant_hit_joint(const PliantWorld *world, const PliantRayHit *hit, int32_t *joint)
{
    PLI_READ_WORLD(world);
    PLI_CHECK(&call, hit, PLIANT_BAD_ARGUMENT, "hit is NULL");
    PLI_CHECK(&call, joint, PLIANT_BAD_ARGUMENT, "joint is NULL");
    const PliBody *body = pli_world_body(world, hit->body);
    PLI_TRY(check_hit(&call, body, 0, hit));
    const PliantShape *shape = pli_shape_of(&body->pose);
    PliFpMode caller = pli_fp_enter();
    *joint = shape && shape->header->joint_count > 0 ? find_joint(shape, hit) : -1;
    pli_fp_leave(caller);
    return PLIANT_OK;
}

/* ---- Points ---------------------------------------------------------------------------------- */

/* What is asked. */
typedef struct Asked {
    const PliCall *call;
    PliantWorld *world;
    const PliantRayHits *hits;
    int64_t total; /* of hits that are taken */
} Asked;

static PliantResult find(void *data)
{
    const Asked *asked = data;
    const PliantRayHits *hits = asked->hits;
    uint32_t last = 0;
    for (int64_t i = 0; i < hits->count; i++) {
        const PliantRayHit *hit = &hits->items[i];
        PLI_TRY(check_hit(asked->call, pli_world_body(asked->world, hit->body), i, hit));
        if (hits->stamp != 0 && hit->body.serial != last)
            PLI_TRY(pli_world_check_stamp(asked->call, asked->world, hit->body, hits->stamp));
        last = hit->body.serial;
    }
    return pli_world_find_hit_points(asked->world, hits, asked->total);
}

PliantResult pliant_hits_points(PliantWorld *world, const PliantRayHits *hits,
                                const PliantHitPointsDef *given, PliantHitPoints *points)
{
    PLI_ASK_WORLD(world);
    PliantHitPointsDef def = pliant_hit_points_def_default();
    PLI_CHECK_OUTPUT(&call, "hits", "pliant_ray_hits_default", hits, HITS_SIZE);
    PLI_CHECK_OUTPUT(&call, "points", "pliant_hit_points_default", points, POINTS_SIZE);
    PLI_READ_DEF(&call, "pliant_hit_points_def_default", given, &def, DEF_SIZE);
    PLI_CHECK_LIMIT(&call, "def.max_point_count", def.max_point_count);
    PLI_CHECK(&call, hits->count >= 0, PLIANT_BAD_ARGUMENT, "hits.count is %" PRId64, hits->count);
    PLI_CHECK(&call, hits->items || hits->count == 0, PLIANT_BAD_ARGUMENT, "hits.items is NULL");
    const bool is_limit_reached = def.max_point_count > 0 && hits->count > def.max_point_count;
    Asked asked = {&call, world, hits, is_limit_reached ? def.max_point_count : hits->count};
    PLI_TRY(pli_world_ask(world, def.progress, def.user, find, &asked));
    const PliantHitPoints found = {.items = world->hit_points.items,
                                   .count = world->hit_points.count,
                                   .stamp = pli_world_stamp(world),
                                   .is_limit_reached = is_limit_reached};
    pli_record_write(points, POINTS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}
