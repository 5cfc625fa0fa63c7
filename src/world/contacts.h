/* Pairs of bodies on their way to contacts.
 *
 * Pairs come in canonical order, and so do the contacts of each pair: contacts are appended, and a
 * limit cuts off the end. A body alone is a pair of one body, whose fans come last: once all that
 * can be reached has been, they are decided. Ranges of fans are further items, in which those that
 * are not clean are tested. */
#ifndef PLI_CONTACTS_H
#define PLI_CONTACTS_H

#include "world/items.h"

/* What a query is to find, and what it has found. */
typedef struct PliCollide {
    PliQuery base;
    PliantCollideDef def;
    uint32_t approximations; /* PLIANT_APPROXIMATE_* */
    bool is_limit_reached;
    bool is_alone; /* one worker starts again: the limit was exceeded */
} PliCollide;

static inline bool pli_collide_has_limit(const PliCollide *query)
{
    return query->def.max_contact_count > 0;
}

extern const PliQuestion pli_collide_question;

/* Contacts of all bodies, of one with all others, or of two; in collide.c, like pairs of bodies. */
typedef PliantResult PliCollideBodies(PliCollide *query, int32_t a, int32_t b);
PliCollideBodies pli_collide_world, pli_collide_body, pli_collide_two;

/* Fills world->body_pairs. */
PliantResult pli_world_list_pairs(PliantWorld *world, const PliantBodyPairsDef *def,
                                  bool *is_limit_reached);

#endif
