/* Actors without a shape: see play.h. */
#include "play.h"

#include <stdlib.h>
#include <string.h>

/* What brute force is to know of it, as it is now. */
static void adopt(Actor *actor)
{
    const Soup *soup = actor->soup;
    const int32_t count = soup_vertex_count(soup);
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {soup->vertices, count, 0},
                                         .corners = soup->has_corners ? soup->corners : NULL,
                                         .count = soup->count};
    const size_t size = 12 * (size_t)count;
    free(actor->now);
    free(actor->vertices);
    free(actor->mesh.triangles);
    actor->now = play_allocate(size + 12);
    actor->vertices = play_allocate(size + 12);
    actor->mesh.triangles = play_allocate(12 * (size_t)soup->count + 12);
    actor->mesh.vertex_count = count;
    actor->mesh.triangle_count = soup->count;
    memcpy(actor->now, soup->vertices, size);
    brute_places(soup->def.primitive_kind, &primitives, actor->mesh.triangles);
}

/* An array that ends where the corners do; NULL if there are none. */
static uint32_t *copy_of_corners(const Soup *soup)
{
    const size_t size = 4 * (size_t)soup->width * (size_t)soup->count;
    if (!soup->has_corners)
        return NULL;
    uint32_t *corners = play_allocate(size > 0 ? size : 1);
    memcpy(corners, soup->corners, size);
    return corners;
}

static void spoil(void *lent)
{
    if (lent)
        memset(lent, 0xff, 1);
    free(lent);
}

/* Where they are copied, the arrays go at once. */
static void give(Play *play, Actor *actor, bool is_lent)
{
    PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                   .count = actor->soup->count};
    uint32_t *old_corners = actor->lent_corners;
    char *old = actor_renew_lent(play, actor, &primitives.vertices);
    actor->lent_corners = copy_of_corners(actor->soup);
    primitives.corners = actor->lent_corners;
    play_must(is_lent ? pliant_body_borrow_primitives(play->world, actor->name, &primitives)
                      : pliant_body_set_primitives(play->world, actor->name, &primitives));
    spoil(old);
    spoil(old_corners);
    if (!is_lent) {
        spoil(actor->lent);
        spoil(actor->lent_corners);
        actor->lent = NULL;
        actor->lent_corners = NULL;
    }
    actor->is_lent = is_lent;
    soup_given_counts[is_lent]++;
}

void debris_enter(Play *play, Actor *actor, Soup *soup)
{
    actor->soup = soup;
    actor->is_given = true;
    play_must(pliant_body_create_soup(play->world, &soup->def, &actor->name));
    adopt(actor);
    give(play, actor, play_chance(play, 2));
}

/* What is written into a borrowed array need not be told, unless corners have changed. */
void debris_act(Play *play, Actor *actor)
{
    const SoupChange change = soup_change(&play->stage, actor->soup);
    const bool is_same =
        change <= SOUP_scattered ||
        ((change == SOUP_swapped || change == SOUP_fused) && !actor->soup->has_corners);
    soup_change_counts[change]++;
    adopt(actor);
    if (is_same && actor->is_lent && play_chance(play, 2)) {
        actor_write_lent(actor);
        soup_given_counts[2]++;
    } else
        give(play, actor, play_chance(play, 2));
}
