/* The triangles that a patch is deep in: see sheet.h.
 *
 * A flood over edges, from the triangles at the curves of the patch: those that have vertices of it
 * are its own, those that go through them are around it. Triangles that are reached first from its
 * own are beside it, and left out. So is what is inside something, but for what is inside of the
 * sheet around. And so is all that is farther from the patch than it can be deep, so that many
 * small patches of a large part take little time. */
#include "check/sheet.h"

#include <pliant/triangles.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a triangle. From WRONG on it is left out. */
typedef enum Place { UNKNOWN, AROUND, WITHIN, WRONG, OWN, BESIDE, FAR } Place;

/* Boxes around a patch are larger than its depth by this much of it. */
#define MARGIN 1.01F

typedef struct Flood {
    const CutWork *work;
    const ScenePart *part;
    const Patches *patches;
    int32_t patch;
    uint8_t *places;  /* of each triangle */
    bool *is_within;  /* of each patch: it is inside of what is around this one */
    int32_t *waiting; /* reached triangles */
    int64_t waiting_count;
    bool has_around; /* the sheets can be told apart */
} Flood;

/* ---- From where --------------------------------------------------------------------------------
 */

typedef struct Box {
    float low[3], high[3];
} Box;

/* Around all vertices of the patch that is as deep as it can be. */
static Box box_of(const Flood *flood)
{
    const Patch *patch = &flood->patches->items[flood->patch];
    const float depth = MARGIN * patch->region->parts[patch->side].max_depth;
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int64_t i = 0; i < patch->count; i++) {
        const float *p =
            flood->work->vertices[0] + 3 * (size_t)flood->patches->vertices[patch->first + i];
        for (int k = 0; k < 3; k++) {
            box.low[k] = fminf(box.low[k], p[k] - depth);
            box.high[k] = fmaxf(box.high[k], p[k] + depth);
        }
    }
    return box;
}

static bool is_far(const Flood *flood, int32_t triangle, const Box *box)
{
    const uint32_t *corners = flood->part->triangles + 3 * (size_t)triangle;
    const float *vertices = flood->work->vertices[0];
    const float *a = vertices + 3 * (size_t)corners[0], *b = vertices + 3 * (size_t)corners[1],
                *c = vertices + 3 * (size_t)corners[2];
    for (int k = 0; k < 3; k++)
        if ((a[k] < box->low[k] && b[k] < box->low[k] && c[k] < box->low[k]) ||
            (a[k] > box->high[k] && b[k] > box->high[k] && c[k] > box->high[k]))
            return true;
    return false;
}

/* Cut triangles are outside too: only whole ones are inside something. */
static void set_places(const Flood *flood)
{
    const int32_t *of_triangles = flood->patches->of_triangles;
    const Box box = box_of(flood);
    for (int32_t t = 0; t < flood->part->triangle_count; t++)
        flood->places[t] = of_triangles[t] == flood->patch ? OWN
                           : is_far(flood, t, &box)        ? FAR
                           : of_triangles[t] == NO_PATCH   ? UNKNOWN
                                                           : WRONG;
    for (int64_t i = 0; i < flood->work->contact_count; i++) {
        const PliantContact *contact = &flood->work->contacts[i];
        const int32_t pair[2] = {contact->triangle_a, contact->triangle_b};
        for (int k = 0; k < 2; k++)
            if (flood->places[pair[k]] == WRONG)
                flood->places[pair[k]] = UNKNOWN;
    }
}

static void reach(Flood *flood, int32_t triangle, Place place)
{
    flood->places[triangle] = (uint8_t)place;
    flood->waiting[flood->waiting_count++] = triangle;
}

/* Are the patch's corners of its own triangle below another one? It has one, or two that are on one
 * side. */
static bool is_below(const Flood *flood, int32_t own, int32_t other)
{
    const float *vertices = flood->work->vertices[0];
    const uint32_t *corners = flood->part->triangles + 3 * (size_t)own;
    const uint32_t *others = flood->part->triangles + 3 * (size_t)other;
    int k = 0;
    while (k < 2 && flood->patches->of_vertices[corners[k]] != flood->patch)
        k++;
    const int sign =
        pliant_orient3d(vertices + 3 * (size_t)others[0], vertices + 3 * (size_t)others[1],
                        vertices + 3 * (size_t)others[2], vertices + 3 * (size_t)corners[k]);
    return flood->work->sides[0]->shape->is_turned ? sign < 0 : sign > 0;
}

/* One triangle of a contact is the patch's own. If the patch is below the other one, that is around
 * it; else both are beside. If both are its own, it is inside of itself, as in a crease. False: so
 * it is. */
static bool start_at(Flood *flood, int32_t own, int32_t other)
{
    const int32_t other_patch = flood->patches->of_triangles[other];
    if (other_patch == flood->patch)
        return false;
    const bool is_around = is_below(flood, own, other);
    if (flood->places[own] == OWN)
        reach(flood, own, BESIDE);
    if (flood->places[other] == UNKNOWN)
        reach(flood, other, is_around ? AROUND : BESIDE);
    if (other_patch >= 0 && is_around)
        flood->is_within[other_patch] = true;
    flood->has_around |= is_around;
    return true;
}

static void start(Flood *flood)
{
    bool is_apart = true;
    for (int64_t i = 0; i < flood->work->contact_count && is_apart; i++) {
        const PliantContact *contact = &flood->work->contacts[i];
        const int32_t pair[2] = {contact->triangle_a, contact->triangle_b};
        for (int k = 0; k < 2 && is_apart; k++)
            if (flood->patches->of_triangles[pair[k]] == flood->patch)
                is_apart = start_at(flood, pair[k], pair[1 - k]);
    }
    flood->has_around &= is_apart;
}

/* ---- How far -----------------------------------------------------------------------------------
 */

static bool has_corner(const ScenePart *part, int32_t triangle, uint32_t vertex)
{
    const uint32_t *corners = part->triangles + 3 * (size_t)triangle;
    return corners[0] == vertex || corners[1] == vertex || corners[2] == vertex;
}

static void cross_edge(Flood *flood, uint32_t from, uint32_t to, Place place)
{
    const Patches *patches = flood->patches;
    for (int32_t i = patches->firsts[from]; i < patches->firsts[from + 1]; i++) {
        const int32_t triangle = patches->fans[i];
        if (flood->places[triangle] == UNKNOWN && has_corner(flood->part, triangle, to))
            reach(flood, triangle, place);
    }
}

static void flood_all(Flood *flood)
{
    for (int64_t i = 0; i < flood->waiting_count; i++) {
        const int32_t triangle = flood->waiting[i];
        const uint32_t *corners = flood->part->triangles + 3 * (size_t)triangle;
        for (int k = 0; k < 3; k++)
            cross_edge(flood, corners[k], corners[(k + 1) % 3], (Place)flood->places[triangle]);
    }
}

/* Shows again what is inside of the sheets around; or, if there are none, the other side of the
 * region. */
static void show_within(const Flood *flood)
{
    const Patch *own = &flood->patches->items[flood->patch];
    for (int32_t t = 0; t < flood->part->triangle_count; t++) {
        const int32_t p = flood->patches->of_triangles[t];
        const Patch *patch = p >= 0 ? &flood->patches->items[p] : NULL;
        if (patch && flood->places[t] == WRONG &&
            (flood->has_around ? flood->is_within[p]
                               : patch->region == own->region && patch->side != own->side))
            flood->places[t] = WITHIN;
    }
}

/* Without sheets, all that is outside counts, but for the patch itself. */
static void forget(Flood *flood)
{
    for (int64_t i = 0; i < flood->waiting_count; i++)
        flood->places[flood->waiting[i]] =
            flood->patches->of_triangles[flood->waiting[i]] == flood->patch ? OWN : UNKNOWN;
}

/* ---- The body ----------------------------------------------------------------------------------
 */

static PliantResult make_body(const Flood *flood, Sheet *sheet)
{
    const ScenePart *part = flood->part;
    const Bodies *bodies = flood->work->bodies;
    uint32_t *triangles = malloc((3 * (size_t)part->triangle_count + 1) * sizeof *triangles);
    int32_t count = 0;
    if (!triangles)
        return PLIANT_OUT_OF_MEMORY;
    for (int32_t t = 0; t < part->triangle_count; t++)
        if (flood->places[t] < WRONG)
            memcpy(triangles + 3 * (size_t)count++, part->triangles + 3 * (size_t)t,
                   3 * sizeof *triangles);
    PliantHost host = heard_host(&flood->work->bodies->heard);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){flood->work->vertices[0], part->vertex_count, 0};
    def.triangles = (PliantTriangles){triangles, count};
    def.host = &host;
    PliantResult result = count > 0 ? pliant_shape_create(&def, &sheet->shape) : PLIANT_OK;
    if (result == PLIANT_OK && count > 0)
        result = pliant_body_create(bodies->world, sheet->shape, &sheet->body);
    free(triangles);
    return result;
}

PliantResult sheet_make(const CutWork *work, const Patches *patches, int32_t patch, Sheet *sheet)
{
    const ScenePart *part = work->sides[0]->shape->part;
    Flood flood = {.work = work, .part = part, .patches = patches, .patch = patch};
    PliantResult result = PLIANT_OUT_OF_MEMORY;
    *sheet = (Sheet){0};
    flood.places = calloc((size_t)part->triangle_count + 1, sizeof *flood.places);
    flood.waiting = malloc(((size_t)part->triangle_count + 1) * sizeof *flood.waiting);
    flood.is_within = calloc((size_t)patches->count + 1, sizeof *flood.is_within);
    if (flood.places && flood.waiting && flood.is_within) {
        set_places(&flood);
        start(&flood);
        if (flood.has_around)
            flood_all(&flood);
        else
            forget(&flood);
        show_within(&flood);
        result = make_body(&flood, sheet);
    }
    free(flood.places);
    free(flood.waiting);
    free(flood.is_within);
    return result;
}

void sheet_free(const CutWork *work, Sheet *sheet)
{
    if (sheet->body.serial != 0)
        (void)pliant_body_destroy(work->bodies->world, sheet->body);
    pliant_shape_release(sheet->shape);
    *sheet = (Sheet){0};
}
