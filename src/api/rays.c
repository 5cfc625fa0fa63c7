/* Ray casts: see pliant/rays.h. */
#include "api/checks.h"
#include "world/casts.h"
#include "world/crew.h"

#define DEF_SIZE PLI_RECORD_SIZE(PliantRayDef, user)
#define HITS_SIZE PLI_RECORD_SIZE(PliantRayHits, is_limit_reached)

static PliantResult check_rays(const PliCall *call, const PliantRay *rays, int64_t count)
{
    for (int64_t i = 0; i < count && rays; i++) {
        const float *o = rays[i].origin, *d = rays[i].direction;
        PLI_CHECK(call, pli_is_finite(o, 3), PLIANT_BAD_ARGUMENT,
                  "rays[%" PRId64 "].origin is not finite", i);
        PLI_CHECK(call, pli_is_finite(d, 3), PLIANT_BAD_ARGUMENT,
                  "rays[%" PRId64 "].direction is not finite", i);
        PLI_CHECK(call, d[0] != 0 || d[1] != 0 || d[2] != 0, PLIANT_BAD_ARGUMENT,
                  "rays[%" PRId64 "].direction is zero", i);
        PLI_CHECK(call, rays[i].max >= 0, PLIANT_BAD_ARGUMENT,
                  "rays[%" PRId64 "].max is %g, not 0 or more", i, (double)rays[i].max);
    }
    return PLIANT_OK;
}

static PliantResult check_ignored(const PliCall *call, const PliCast *cast)
{
    const PliantBody *ignored = cast->def.ignored;
    for (int64_t i = 0; i < cast->count && ignored && !cast->body; i++)
        PLI_CHECK(call, ignored[i].index == 0 || pli_world_body(cast->world, ignored[i]),
                  PLIANT_BAD_ID,
                  "def.ignored[%" PRId64 "] is {index %" PRIu32 ", serial %" PRIu32
                  "}: no such body in this world",
                  i, ignored[i].index, ignored[i].serial);
    return PLIANT_OK;
}

/* What both calls check, after the world and the body. */
static PliantResult open_cast(const PliCall *call, const PliantRayDef *def,
                              const PliantRayHits *hits, PliCast *cast)
{
    PLI_CHECK_OUTPUT(call, "hits", "pliant_ray_hits_default", hits, HITS_SIZE);
    cast->def = pliant_ray_def_default();
    PLI_READ_DEF(call, "pliant_ray_def_default", def, &cast->def, DEF_SIZE);
    PLI_CHECK(call, (unsigned)cast->def.kind <= PLIANT_ALL_HITS, PLIANT_BAD_ARGUMENT,
              "def.kind is %d: one of PliantRayKind is needed", (int)cast->def.kind);
    PLI_CHECK(call, (unsigned)cast->def.sides <= PLIANT_BACK_SIDES, PLIANT_BAD_ARGUMENT,
              "def.sides is %d: one of PliantRaySides is needed", (int)cast->def.sides);
    PLI_CHECK_LIMIT(call, "def.max_hit_count", cast->def.max_hit_count);
    PLI_CHECK(call, cast->count >= 0, PLIANT_BAD_ARGUMENT, "count is %" PRId64, cast->count);
    PLI_CHECK(call, cast->rays || cast->count == 0, PLIANT_BAD_ARGUMENT, "rays is NULL");
    return check_ignored(call, cast);
}

/* Rays are checked in the modes of the library: a caller's mode may take denormals for zeros. */
typedef struct Asked {
    const PliCall *call;
    PliCast cast;
} Asked;

static PliantResult find(void *data)
{
    Asked *asked = data;
    PLI_TRY(check_rays(asked->call, asked->cast.rays, asked->cast.count));
    return pli_casts_find(&asked->cast);
}

static PliantResult run_cast(Asked *asked, const PliantRayDef *def, PliantRayHits *hits)
{
    PliCast *cast = &asked->cast;
    PliantWorld *world = cast->world;
    PLI_TRY(open_cast(asked->call, def, hits, cast));
    PLI_TRY(pli_world_ask(world, cast->def.progress, cast->def.user, find, asked));
    const PliantRayHits found = {.items = world->ray_hits.items,
                                 .count = world->ray_hits.count,
                                 .stamp = pli_world_stamp(world),
                                 .is_limit_reached = cast->is_limit_reached};
    pli_record_write(hits, HITS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_cast_rays(PliantWorld *world, const PliantRayDef *def,
                                    const PliantRay *rays, int64_t count, PliantRayHits *hits)
{
    PLI_ASK_WORLD(world);
    Asked asked = {&call, {.world = world, .rays = rays, .count = count}};
    return run_cast(&asked, def, hits);
}

PliantResult pliant_body_cast_rays(PliantWorld *world, PliantBody handle, const PliantRayDef *def,
                                   const PliantRay *rays, int64_t count, PliantRayHits *hits)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    Asked asked = {&call, {.world = world, .body = body, .rays = rays, .count = count}};
    return run_cast(&asked, def, hits);
}
