/* Pairs of bodies on their way to contacts.
 *
 * Pairs come in canonical order, and so do the contacts of each pair: contacts are appended, and a
 * limit cuts off the end. With several workers, pairs become items, which workers take in any order
 * and which are merged in canonical order. A pair that takes long is not finished by the worker
 * that began it: what is left of its walk is divided among all, as further items. Neither the
 * number of workers nor the way in which items are divided changes a contact.
 *
 * Queries that may end early reach no more of a soup than one worker does: a soup keeps, for later
 * frames, the order that a node gets when it is reached. */
#ifndef PLI_ITEMS_H
#define PLI_ITEMS_H

#include "broad/sweep.h"
#include "world/world.h"

#include <stdatomic.h>

/* A pair of bodies, or a part of one, and what came of it. */
typedef struct PliQueryItem {
    int32_t a, b;                             /* bodies, a before b, or one alone */
    bool is_part;                             /* of a pair that is divided: */
    int64_t first_part_pair, part_pair_count; /* in world->part_pairs */
    int64_t first_leaf_pair, leaf_pair_count; /* in world->leaf_pairs */

    PliantResult result;
    const PliWorldWorker *worker;   /* that did it */
    int64_t first, count;           /* contacts, in worker->found */
    int64_t first_left, left_count; /* pairs of parts that are left, in worker->left */
    int64_t pair;                   /* of a part: the item of its pair */
    int64_t next;                   /* item: another part of the same pair; 0: there is none */
    PliantStats work;
    PliPoseCounts counts[2]; /* by PliSide */
} PliQueryItem;

/* What a query is to find, and what it has found. Tasks read it, and write the atomic fields. */
typedef struct PliQuery {
    PliantWorld *world;
    PliantQueryDef def;
    int64_t total;      /* pairs of bodies */
    PliArray *contacts; /* of the world; unused if contacts are only counted */
    int64_t count;      /* of contacts */
    int64_t merged;     /* pairs of bodies */
    bool is_limit_reached;
    int64_t max_leaf_pairs;     /* after which the rest of a pair is divided */
    atomic_int_least64_t done;  /* pairs of bodies that were tested */
    atomic_int_least64_t found; /* where any pair is enough: the first item that has one */
    atomic_bool is_cancelled;
    atomic_flag is_asking; /* the host is being asked */
} PliQuery;

/* Adds the contacts of pairs of bodies, in canonical order, until nothing more is wanted. */
PliantResult pli_query_pairs(PliQuery *query, const PliBroadPair *pairs, int64_t count);

/* Adds the contacts of two bodies, a before b, or of one body alone. */
PliantResult pli_query_bodies(PliQuery *query, int32_t a, int32_t b);

/* Nothing refers to the query any more. */
void pli_query_end(const PliQuery *query);

#endif
