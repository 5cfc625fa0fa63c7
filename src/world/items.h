/* Pairs of bodies on their way to contacts.
 *
 * Pairs come in canonical order, and so do the contacts of each pair: contacts are appended, and a
 * limit cuts off the end. With several workers, pairs become items, which workers take in any order
 * and which are merged in canonical order. A pair that takes long is not finished by the worker
 * that began it: what is left of its walk is divided among all, as further items. Neither the
 * number of workers nor the way in which items are divided changes a contact.
 *
 * A body alone is a pair of one body, whose fans come last: once all that can be reached has been,
 * they are decided, and those that are not clean are further items.
 *
 * Queries that may end early reach no more of a soup than one worker does: a soup keeps, for later
 * frames, the order that a node gets when it is reached. */
#ifndef PLI_ITEMS_H
#define PLI_ITEMS_H

#include "broad/sweep.h"
#include "world/world.h"

#include <stdatomic.h>

/* Items first to first + count - 1 of some array. */
typedef struct PliItemRange {
    int64_t first, count;
} PliItemRange;

/* A pair of bodies, or a part of one, and what came of it. */
typedef struct PliQueryItem {
    int32_t a, b; /* bodies, a before b, or one alone */
    /* Of a part: what another worker left in the round before, and fans of a body alone. */
    bool is_part;
    const PliWorldWorker *source;
    PliItemRange pairs, leaf_pairs; /* in source->left */
    int32_t first_fan, fan_count;

    PliantResult result;
    const PliWorldWorker *worker;             /* that did it */
    PliItemRange found;                       /* in worker->found */
    PliItemRange left_pairs, left_leaf_pairs; /* in worker->left */
    int64_t next;                             /* item: another part of its pair; 0: there is none */
    bool is_cut_short;                        /* its walk ended at the limit */
    PliantStats work;
    PliPoseCounts counts[2]; /* by PliSide */

    /* Of a pair, once it is merged: */
    const uint64_t *contacts; /* as in PliNarrow.contacts */
    int64_t contact_count;    /* as many as are wanted */
    int64_t first_contact;    /* in PliQuery.contacts */
} PliQueryItem;

/* What a query is to find, and what it has found. Tasks read it, and write the atomic fields. */
typedef struct PliQuery {
    PliantWorld *world;
    PliantCollideDef def;
    uint32_t approximations; /* PLIANT_APPROXIMATE_* */
    PliArray *contacts;      /* of the world; unused if contacts are only counted */
    int64_t count;           /* of contacts */
    bool is_limit_reached;
    bool is_alone;              /* one worker starts again: the limit was exceeded */
    int round;                  /* of the items that are tested */
    int64_t max_work;           /* after which the rest of a pair is divided */
    int64_t part_count;         /* left of which there are at least so many parts, if it can be */
    atomic_int_least64_t found; /* where any pair is enough: the first item that has one */
} PliQuery;

/* Adds the contacts of pairs of bodies, in canonical order, until nothing more is wanted. A body
 * alone, of which world->fans is the query, is the only pair. */
PliantResult pli_query_pairs(PliQuery *query, const PliBroadPair *pairs, int64_t count);

#endif
