/* Soups: see pliant/soup.h. */
#include "api/checks.h"
#include "world/world.h"

/* The def as it was first published: a caller's cannot be shorter. */
#define FIRST_SIZE PLI_RECORD_SIZE(PliantSoupDef, experiments)

static PliantResult check_def(const PliCall *call, const PliantSoupDef *def)
{
    PLI_CHECK(call, (unsigned)def->primitive_kind <= PLIANT_SEGMENTS, PLIANT_BAD_ARGUMENT,
              "def.primitive_kind is %d", (int)def->primitive_kind);
    PLI_CHECK(call, def->reserved == 0, PLIANT_BAD_DEF, "def.reserved is %" PRIu32, def->reserved);
    return PLIANT_OK;
}

PliantResult pliant_body_create_soup(PliantWorld *world, const PliantSoupDef *given,
                                     PliantBody *handle)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK(&call, handle, PLIANT_BAD_ARGUMENT, "body is NULL");
    PliantSoupDef def = pliant_soup_def_default();
    PLI_READ_DEF(&call, "pliant_soup_def_default", given, &def, FIRST_SIZE);
    PliBody fresh = {0};
    PliantExperiments experiments;
    PLI_TRY(check_def(&call, &def));
    PLI_TRY(pli_experiments_read(&call, def.experiments, &experiments));
    def.experiments = &experiments;
    PLI_TRY(pli_soup_init(&fresh.soup, &def, &world->body_host));
    return pli_world_add(&call, world, &fresh, 0, 0, handle);
}

/* ---- Setting -----------------------------------------------------------------------------------
 */

/* Every corner is a vertex, but for those of places that are empty. */
static PliantResult check_corners(const PliCall *call, const PliantPrimitives *primitives,
                                  int32_t corner_count)
{
    const uint32_t *corners = primitives->corners;
    const uint32_t vertex_count = (uint32_t)primitives->vertices.count;
    for (int64_t i = 0; i < primitives->count; i++, corners += corner_count) {
        bool is_right = true;
        for (int32_t k = 0; k < corner_count; k++)
            is_right &= corners[k] < vertex_count;
        for (int32_t k = 0; k < corner_count && !is_right && corners[0] != PLIANT_NO_VERTEX; k++)
            PLI_CHECK(call, corners[k] < vertex_count, PLIANT_BAD_INDEX,
                      "primitives.corners[%" PRId64 "] is %" PRIu32
                      ", primitives.vertices.count is %" PRIu32,
                      i * corner_count + k, corners[k], vertex_count);
    }
    return PLIANT_OK;
}

static PliantResult check_primitives(const PliCall *call, PliBody *body,
                                     const PliantPrimitives *primitives)
{
    PLI_CHECK(call, pli_soup_of(&body->pose), PLIANT_BAD_ARGUMENT,
              "the body has a shape: it is no soup");
    const PliantVertices *vertices = &primitives->vertices;
    const int32_t corner_count = (int32_t)pli_given_corner_count(&body->soup);
    PLI_CHECK(call, primitives->count >= 0, PLIANT_BAD_ARGUMENT, "primitives.count is %" PRId32,
              primitives->count);
    PLI_CHECK(call, primitives->count <= PLI_MAX_PRIMITIVES, PLIANT_TOO_LARGE,
              "primitives.count is %" PRId32, primitives->count);
    PLI_CHECK(call, vertices->count >= 0, PLIANT_BAD_ARGUMENT,
              "primitives.vertices.count is %" PRId32, vertices->count);
    PLI_CHECK(call, vertices->data || vertices->count == 0, PLIANT_BAD_ARGUMENT,
              "primitives.vertices.data is NULL");
    PLI_CHECK_STRIDE(call, "primitives.vertices", *vertices);
    if (primitives->corners)
        return check_corners(call, primitives, corner_count);
    PLI_CHECK(call, vertices->count == (int64_t)corner_count * primitives->count,
              PLIANT_BAD_ARGUMENT,
              "primitives.vertices.count is %" PRId32 ", not %" PRId32 " for each of %" PRId32,
              vertices->count, corner_count, primitives->count);
    return PLIANT_OK;
}

#define PRIMITIVES_SIZE PLI_RECORD_SIZE(PliantPrimitives, corners)

typedef PliantResult Take(PliSoup *soup, const PliantPrimitives *primitives,
                          const PliantHost *host);

static PliantResult give(const PliCall *call, PliantWorld *world, PliantBody handle,
                         const PliantPrimitives *given, Take *take)
{
    PLI_CHECK_BODY(call, world, "body", handle, body);
    PLI_CHECK(call, given, PLIANT_BAD_ARGUMENT, "primitives is NULL");
    PliantPrimitives all = pliant_primitives_default();
    const PliantPrimitives *primitives = &all;
    PLI_CHECK(call, pli_record_read(&all, sizeof all, PRIMITIVES_SIZE, given, given->struct_size),
              PLIANT_BAD_DEF,
              "primitives.struct_size is %zu: start from pliant_primitives_default()",
              given->struct_size);
    PLI_TRY(check_primitives(call, body, primitives));
    PLI_TRY(pli_array_reserve(&world->first.worker.boxes, &world->body_host, primitives->count));
    PLI_TRY(take(&body->soup, primitives, &world->body_host));
    pli_world_wait(world, body);
    return PLIANT_OK;
}

PliantResult pliant_body_set_primitives(PliantWorld *world, PliantBody handle,
                                        const PliantPrimitives *primitives)
{
    PLI_CHANGE_WORLD(world);
    return give(&call, world, handle, primitives, pli_soup_copy);
}

PliantResult pliant_body_borrow_primitives(PliantWorld *world, PliantBody handle,
                                           const PliantPrimitives *primitives)
{
    PLI_CHANGE_WORLD(world);
    return give(&call, world, handle, primitives, pli_soup_borrow);
}
