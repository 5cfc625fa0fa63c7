/* Queries for pairs of features: those that are near, and those that touch on the way.
 *
 * Both ask all pairs of bodies in canonical order, a body with itself before its pairs with later
 * bodies. Several workers share these pairs (items.h) unless the answers have a limit, or are found
 * among kept candidates: then one worker goes through them. Answers of two bodies are in the order
 * of their features, each two features once. */
#ifndef PLI_FEATURE_QUERY_H
#define PLI_FEATURE_QUERY_H

#include "world/items.h"

typedef struct PliFeatureQuery PliFeatureQuery;
struct PliFeatureQuery {
    PliQuery base;
    const PliCall *call;
    int32_t a, b;  /* numbers of two bodies; a is -1: of all */
    size_t search; /* where in PliWorldWorker its PliFeatureSearch is */
    PliKept *kept; /* of the world, if there is a margin, else NULL */
    int64_t limit; /* of answers; 0: there is none */
    bool includes_self, hashes_borrowed;
    bool is_first_wanted; /* of each two bodies */
    bool is_one_wanted;   /* and of all bodies: the earliest of these impacts */
    bool is_unique;       /* pairs that are near become those of closest features, in unique_pairs
                             of the world */
    float max_time;       /* what touches later does not count; infinity without times */
    atomic_uint_least32_t first_time; /* the bits of the earliest time so far, if one is wanted */

    /* Appends the answers of two bodies from what is kept: by the first worker. */
    PliantResult (*find_kept)(PliFeatureQuery *query, const PliFeatureSide *a,
                              const PliFeatureSide *b, PliKeptSide sides[2]);

    /* Finds the pairs of bodies that may have answers, once these have been refreshed. */
    PliantResult (*find_bodies)(PliFeatureQuery *query, const PliBroadPair **pairs, int64_t *count);
};

/* What a PliQuestion of features has in common with all others. */
PliantResult pli_feature_query_find(PliQuery *query, PliQueryItem *item, PliWorldWorker *worker);
bool pli_feature_query_may_share(const PliQuery *query, const PliBroadPair *pairs, int64_t count);
PliantResult pli_feature_query_do_alone(PliQuery *query, int32_t a, int32_t b);
void pli_feature_query_order(const PliQuery *query, PliQueryItem *item, void *room);
PliantResult pli_feature_query_place(PliQuery *query, PliQueryItem *item);
void pli_feature_query_write(const PliQuery *query, const PliQueryItem *item, int64_t from,
                             int64_t count, void *to);
#define PLI_FEATURE_QUERY_HOOKS                                                                    \
    .find = pli_feature_query_find, .may_share = pli_feature_query_may_share,                      \
    .do_alone = pli_feature_query_do_alone, .order = pli_feature_query_order,                      \
    .place = pli_feature_query_place, .write = pli_feature_query_write

/* Runs a PliFeatureQuery. With a margin, what is kept is complete, or nothing is. */
PliantResult pli_feature_query_run(void *query);

#endif
