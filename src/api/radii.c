/* The thickness of bodies: see pliant/world.h. */
#include "api/checks.h"
#include "base/cpu.h"
#include "world/world.h"

#include <string.h>

static int32_t vertex_count_of(PliBody *body)
{
    const PliSoup *soup = pli_soup_of(&body->pose);
    return (int32_t)(soup ? soup->vertices.count : body->mesh.vertices.count);
}

static PliantResult check_body(const PliCall *call, const PliBody *body)
{
    PLI_CHECK(call, body->owner < 0, PLIANT_BAD_ARGUMENT,
              "the body is an end, which has the radii of its body");
    return PLIANT_OK;
}

/* Gives vertices of one group the greatest radius of them: they are one feature. */
static void merge_groups(const PliMeshPose *pose, float *radii)
{
    const uint32_t *vertices = pose->shape->triangles;
    const int64_t count = 3 * (int64_t)pose->shape->header->triangle_count;
    if (!pose->seams)
        return;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < count; i++) {
            float *lowest = &radii[pose->seams->triangles[i]], *vertex = &radii[vertices[i]];
            const float greatest = *vertex > *lowest ? *vertex : *lowest;
            *(pass == 0 ? lowest : vertex) = greatest;
        }
}

static float greatest_of(const PliRadii *radii, int32_t vertex_count, bool is_soup)
{
    float greatest = is_soup || radii->count < vertex_count ? radii->base : 0;
    for (int32_t i = 0; i < radii->count; i++)
        greatest = radii->vertices[i] > greatest ? radii->vertices[i] : greatest;
    return greatest;
}

/* A body has other radii: what was found before is stale, and what is kept is of no use. */
static void replace(PliantWorld *world, PliBody *body, const PliRadii *radii)
{
    const int32_t number = pli_world_number(world, body);
    if (radii->vertices != body->radii.vertices)
        pli_release(&world->body_host, body->radii.vertices, (size_t)body->radii.count,
                    sizeof(float));
    body->radii = *radii;
    body->radii.greatest =
        greatest_of(radii, vertex_count_of(body), pli_soup_of(&body->pose) != NULL);
    pli_kept_drop_body(&world->near_kept, number);
    pli_kept_drop_body(&world->sweep_kept, number);
    pli_world_wait(world, body);
}

static PLI_NOINLINE PliantResult set_radius(const PliCall *call, PliantWorld *world, PliBody *body,
                                            float radius)
{
    PLI_CHECK_FINITE(call, "radius", radius);
    PliRadii radii = body->radii;
    radii.base = radius;
    replace(world, body, &radii);
    return PLIANT_OK;
}

PliantResult pliant_body_set_radius(PliantWorld *world, PliantBody handle, float radius)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_TRY(check_body(&call, body));
    const PliFpMode caller = pli_fp_enter();
    const PliantResult result = set_radius(&call, world, body, radius);
    pli_fp_leave(caller);
    return result;
}

static PliantResult check_radii(const PliCall *call, PliBody *body, const float *given,
                                int32_t count)
{
    const int32_t vertex_count = vertex_count_of(body);
    PLI_CHECK(call, count == 0 || count == vertex_count, PLIANT_BAD_ARGUMENT,
              "count is %" PRId32 ", the body has %" PRId32 " vertices", count, vertex_count);
    PLI_CHECK(call, given || count == 0, PLIANT_BAD_ARGUMENT, "radii is NULL");
    for (int32_t i = 0; i < count; i++)
        PLI_CHECK(call, given[i] >= 0 && given[i] < INFINITY, PLIANT_BAD_ARGUMENT,
                  "radii[%" PRId32 "] is %g: a finite number that is not negative is needed", i,
                  (double)given[i]);
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult set_radii(const PliCall *call, PliantWorld *world, PliBody *body,
                                           const float *given, int32_t count)
{
    PliRadii radii = {.base = body->radii.base, .count = count};
    void *memory = body->radii.vertices;
    PLI_TRY(check_radii(call, body, given, count));
    if (count != body->radii.count)
        PLI_TRY(pli_allocate(&world->body_host, (size_t)count, sizeof(float), &memory));
    radii.vertices = memory;
    if (count > 0)
        memmove(radii.vertices, given, (size_t)count * sizeof *given);
    if (count > 0 && pli_shape_of(&body->pose))
        merge_groups(&body->mesh, radii.vertices);
    replace(world, body, &radii);
    return PLIANT_OK;
}

PliantResult pliant_body_set_vertex_radii(PliantWorld *world, PliantBody handle, const float *radii,
                                          int32_t count)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_TRY(check_body(&call, body));
    const PliFpMode caller = pli_fp_enter();
    const PliantResult result = set_radii(&call, world, body, radii, count);
    pli_fp_leave(caller);
    return result;
}

/* The radii of a body, or of the one whose end it is. */
static const PliRadii *radii_of(const PliantWorld *world, const PliBody *body)
{
    const PliBody *bodies = world->bodies.items;
    return &(body->owner < 0 ? body : &bodies[body->owner])->radii;
}

PliantResult pliant_body_radius(const PliantWorld *world, PliantBody handle, float *radius)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, radius, PLIANT_BAD_ARGUMENT, "radius is NULL");
    *radius = radii_of(world, body)->base;
    return PLIANT_OK;
}

PliantResult pliant_body_vertex_radii(const PliantWorld *world, PliantBody handle, float *radii,
                                      int64_t capacity)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    const int32_t count = vertex_count_of(body);
    PLI_CHECK(&call, capacity >= count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", the body has %" PRId32 " vertices", capacity, count);
    PLI_CHECK(&call, radii || count == 0, PLIANT_BAD_ARGUMENT, "radii is NULL");
    for (int32_t v = 0; v < count; v++)
        radii[v] = pli_radius_at(radii_of(world, body), (uint32_t)v);
    return PLIANT_OK;
}
