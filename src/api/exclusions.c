/* Pairs of features that are left out: see pliant/world.h. */
#include "api/checks.h"
#include "world/world.h"

#include <inttypes.h>

static int64_t vertex_count_of(const PliBody *body)
{
    const PliantShape *shape = pli_shape_of(&body->pose);
    return shape ? (int64_t)shape->header->vertex_count : INT64_MAX;
}

static const uint32_t *groups_of(const PliBody *body)
{
    const PliantShape *shape = pli_shape_of(&body->pose);
    return shape ? shape->groups : NULL;
}

/* What was kept may have pairs that are left out now, or may lack others. */
static void drop_kept(PliantWorld *world, int32_t body)
{
    pli_kept_drop_body(&world->near_kept, body);
    pli_kept_drop_body(&world->sweep_kept, body);
}

#define CHECK_NO_END(call, label, body)                                                            \
    PLI_CHECK(call, (body)->owner < 0, PLIANT_BAD_ARGUMENT,                                        \
              label " is the end of another body: set this for that body")

PliantResult pliant_body_set_patches(PliantWorld *world, PliantBody handle, const uint32_t *patches,
                                     int64_t count)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    CHECK_NO_END(&call, "body", body);
    const int64_t vertex_count = vertex_count_of(body);
    PLI_CHECK(&call,
              count >= 0 && (count == 0 || vertex_count == INT64_MAX || count == vertex_count),
              PLIANT_BAD_ARGUMENT, "count is %" PRId64 ": the body has %" PRId64 " vertices", count,
              vertex_count);
    PLI_CHECK(&call, patches || count == 0, PLIANT_BAD_ARGUMENT, "patches is NULL");
    const int32_t number = pli_world_number(world, body);
    PliExclusions *exclusions;
    PLI_TRY(pli_exclusions_add(&world->exclusions, number, number, &world->body_host, &exclusions));
    PLI_TRY(pli_exclusions_set_patches(exclusions, patches, count, &world->body_host));
    drop_kept(world, number);
    return PLIANT_OK;
}

static PliantResult check_vertices(const PliCall *call, const uint32_t *pairs, int64_t pair_count,
                                   int64_t a_count, int64_t b_count)
{
    for (int64_t i = 0; i < 2 * pair_count; i++)
        PLI_CHECK(call, pairs[i] < (i % 2 == 0 ? a_count : b_count), PLIANT_BAD_INDEX,
                  "pairs[%" PRId64 "] is %" PRIu32 ": the body has %" PRId64 " vertices", i,
                  pairs[i], i % 2 == 0 ? a_count : b_count);
    return PLIANT_OK;
}

PliantResult pliant_bodies_exclude_vertices(PliantWorld *world, PliantBody a, PliantBody b,
                                            const uint32_t *pairs, int64_t pair_count)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    CHECK_NO_END(&call, "a", body_a);
    CHECK_NO_END(&call, "b", body_b);
    PLI_CHECK(&call, pair_count >= 0 && pair_count <= INT32_MAX, PLIANT_BAD_ARGUMENT,
              "pair_count is %" PRId64 ": it is from 0 to 2147483647", pair_count);
    PLI_CHECK(&call, pairs || pair_count == 0, PLIANT_BAD_ARGUMENT, "pairs is NULL");
    PLI_TRY(
        check_vertices(&call, pairs, pair_count, vertex_count_of(body_a), vertex_count_of(body_b)));
    const int32_t numbers[2] = {pli_world_number(world, body_a), pli_world_number(world, body_b)};
    const int first = numbers[0] > numbers[1];
    const uint32_t *const groups[2] = {groups_of(body_a), groups_of(body_b)};
    PliExclusions *exclusions;
    PLI_TRY(pli_exclusions_add(&world->exclusions, numbers[first], numbers[!first],
                               &world->body_host, &exclusions));
    PLI_TRY(
        pli_exclusions_set_pairs(exclusions, pairs, pair_count, first, groups, &world->body_host));
    drop_kept(world, numbers[0]);
    drop_kept(world, numbers[1]);
    return PLIANT_OK;
}
