/* Two bodies against brute force: see touch.h. */
#include "touch.h"
#include "brute.h"
#include "calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TouchBody touch_mesh(PliantBody name, const SceneMesh *mesh)
{
    const size_t count = (size_t)mesh->triangle_count;
    TouchBody body = {name, scene_allocate(count, 12), mesh->vertex_count, mesh->triangle_count};
    memcpy(body.triangles, mesh->triangles, 12 * count);
    return body;
}

TouchBody touch_soup(PliantBody name, PliantPrimitiveKind kind, const PliantPrimitives *primitives)
{
    const size_t count = (size_t)primitives->count;
    TouchBody body = {name, scene_allocate(count + 1, 12), primitives->vertices.count,
                      primitives->count};
    brute_places(kind, primitives, body.triangles);
    return body;
}

void touch_free(TouchBody *body)
{
    free(body->triangles);
    *body = (TouchBody){.vertex_count = 0};
}

/* With one vertex more, which is NaN. Owned. */
static float *vertices_of(const PliantWorld *world, const TouchBody *body)
{
    const size_t count = (size_t)body->vertex_count;
    float *vertices = scene_allocate(count + 1, 12);
    if (test_body_vertices(world, body->name, vertices) != PLIANT_OK)
        abort();
    vertices[3 * count] = vertices[3 * count + 1] = vertices[3 * count + 2] = NAN;
    return vertices;
}

static void find_contacts(const PliantWorld *world, const TouchBody *a, const TouchBody *b,
                          BruteContacts *expected)
{
    float *a_vertices = vertices_of(world, a), *b_vertices = vertices_of(world, b);
    BruteBody brute_a = {a_vertices, a->triangles, a->triangle_count};
    BruteBody brute_b = {b_vertices, b->triangles, b->triangle_count};
    brute_force(&brute_a, &brute_b, expected);
    free(a_vertices);
    free(b_vertices);
}

static bool is_hit(const BruteContact *expected_one, const PliantContact *contact)
{
    return expected_one->a == contact->triangle_a && expected_one->b == contact->triangle_b;
}

static bool are_all(PliantWorld *world, PliantBody x, PliantBody y, const BruteContacts *expected)
{
    PliantContacts contacts = pliant_contacts_default();
    if (pliant_bodies_collide(world, x, y, NULL, &contacts) != PLIANT_OK)
        return false;
    bool is_right = contacts.count == expected->count;
    for (int64_t i = 0; i < expected->count && is_right; i++)
        is_right = is_hit(&expected->items[i], &contacts.items[i]);
    return is_right;
}

/* One of them, or none if there is none. */
static bool is_one(PliantWorld *world, PliantBody x, PliantBody y, PliantCollideKind query,
                   const BruteContacts *expected)
{
    PliantContacts contacts = pliant_contacts_default();
    if (pliant_bodies_collide(world, x, y, TEST_QUERY(query), &contacts) != PLIANT_OK ||
        contacts.count != (expected->count > 0))
        return false;
    bool is_found = expected->count == 0;
    for (int64_t i = 0; i < expected->count && !is_found; i++)
        is_found = is_hit(&expected->items[i], &contacts.items[0]);
    return is_found;
}

int64_t touch_count(PliantWorld *world, const TouchBody *x, const TouchBody *y)
{
    const bool is_in_order = x->name.index < y->name.index;
    const PliantBody a = x->name, b = y->name;
    BruteContacts expected = {0};
    find_contacts(world, is_in_order ? x : y, is_in_order ? y : x, &expected);
    bool is_right =
        are_all(world, a, b, &expected) && is_one(world, b, a, PLIANT_FIRST_PAIRS, &expected) &&
        are_all(world, b, a, &expected) && is_one(world, a, b, PLIANT_ANY_PAIR, &expected);
    int64_t count = is_right ? expected.count : -1;
    brute_free(&expected);
    return count;
}
