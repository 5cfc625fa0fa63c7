/* Items: how the work of a query is divided among workers, whatever it asks.
 *
 * Pairs of bodies come in canonical order, and become items. Workers take them in any order. A pair
 * that takes long is not finished by the worker that began it: what is left of its walk is divided
 * among all, as further items, in rounds. Once all are done, the answers of each pair and of its
 * parts are put in order (merge.h). Neither the number of workers nor the way in which items are
 * divided changes an answer.
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
    PliItemRange found;                       /* in an array of worker */
    PliItemRange left_pairs, left_leaf_pairs; /* in worker->left */
    int64_t next;                             /* item: another part of its pair; 0: there is none */
    bool is_cut_short;                        /* its walk ended at the limit */
    PliantStats work;
    PliPoseCounts counts[2]; /* by PliSide */

    /* Of a pair, once it is merged: */
    const void *ordered;  /* what its parts have found, in order; NULL: `found` is in order */
    int64_t answer_count; /* as many as are wanted */
    int64_t first_answer; /* of the query */
} PliQueryItem;

typedef struct PliQuery PliQuery;

/* What one query does otherwise than others. */
typedef struct PliQuestion {
    /* Gets a body ready: its bounds hold. Once a query, by one worker. NULL: nothing is to be done.
     */
    PliantResult (*prepare)(PliQuery *query, int32_t number, PliPrepared *prepared);

    bool has_ends; /* PliPrepared.end_pose is read too */

    /* Before a worker does its first item of a query; once more does no harm. */
    void (*start)(const PliQuery *query, PliWorldWorker *worker);

    /* Finds the answers of an item. Where several workers do items, it may stop after about
     * query->max_work, and appends answers to an array of the worker, item->found, and what is left
     * of the walk: pli_item_leave(). */
    PliantResult (*find)(PliQuery *query, PliQueryItem *item, PliWorldWorker *worker);

    /* May several workers do these pairs? */
    bool (*may_share)(const PliQuery *query, const PliBroadPair *pairs, int64_t count);

    /* Otherwise: adds the answers of two bodies, by one worker. */
    PliantResult (*do_alone)(PliQuery *query, int32_t a, int32_t b);

    /* Once several workers have done all items of some pairs: does more. NULL: there is no more. */
    PliantResult (*end_share)(PliQuery *query);

    /* Puts what a pair and its parts have found in order: item->ordered, item->answer_count. Called
     * by any worker, with room for two items of query->room for each. NULL: no pair is divided. */
    void (*order)(const PliQuery *query, PliQueryItem *item, void *room);

    /* Takes a pair into the answer, in canonical order; item->answer_count may get less. If nothing
     * more is wanted, query->is_over is set. */
    PliantResult (*place)(PliQuery *query, PliQueryItem *item);

    /* Writes answers of a pair, from the one at `from` on. Called by any worker. NULL: there are no
     * query->answers. */
    void (*write)(const PliQuery *query, const PliQueryItem *item, int64_t from, int64_t count,
                  void *to);
} PliQuestion;

/* A query about pairs of bodies. Tasks read it, and write `found` alone. */
struct PliQuery {
    PliantWorld *world;
    const PliQuestion *question;
    bool is_any_enough;         /* one answer of the world is enough */
    int round;                  /* of the items that are tested */
    int64_t max_work;           /* after which the rest of a pair is divided */
    int64_t part_count;         /* left of which there are at least so many parts, if it can be */
    atomic_int_least64_t found; /* where any answer is enough: the first item that has one */
    bool is_shared;             /* several workers do items now */

    PliArray *answers;    /* of the world; NULL: they are only counted, or `place` keeps them */
    int64_t answer_count; /* that have a place */
    bool is_over;         /* nothing more is wanted */
    PliArray *room;       /* of the world: for answers of pairs that were divided */
};

/* PliQuery.max_work: no pair is divided. */
#define PLI_ALL_WORK INT64_MAX

/* Makes the bounds of a body hold, and what else workers need of it. */
PliantResult pli_query_prepare(PliQuery *query, int32_t number);

static inline PliPrepared *pli_query_prepared(const PliQuery *query, int32_t number)
{
    return (PliPrepared *)query->world->prepared.items + number;
}

/* Does a soup take part? Then a query that may end early is not shared: see above. */
bool pli_query_has_soup(const PliQuery *query, const PliBroadPair *pairs, int64_t count);

/* Adds the answers of pairs of bodies, in canonical order, until nothing more is wanted. */
PliantResult pli_query_do_pairs(PliQuery *query, const PliBroadPair *pairs, int64_t count);

/* Does the items from the first on, by all workers, and does not divide them. */
void pli_query_do_items(PliQuery *query, int64_t first);

/* Adds a part of the pair of item `index`, unless there is nothing in it. */
PliantResult pli_query_push_part(PliantWorld *world, int64_t index, PliQueryItem *part);

/* The part of a walk that an item is. */
PliWalkPart pli_item_part(const PliQuery *query, const PliQueryItem *item);

/* Appends what is left of a walk, and leaf pairs on the way, to what the worker has left; in parts
 * if the walk is not done. */
PliantResult pli_item_leave(const PliQuery *query, PliQueryItem *item, PliWorldWorker *worker,
                            PliWalk *walk, PliArray *leaf_pairs);

/* Appends an array to another, and says where it is there. */
PliantResult pli_item_append(PliArray *to, const PliantHost *host, const PliArray *from,
                             PliItemRange *range);

/* Does an item by one worker. */
void pli_query_do_item(PliQuery *query, PliQueryItem *item, PliWorldWorker *worker);

#endif
