/* Queries for pairs of features: those that are near, and those that touch on the way.
 *
 * Both ask all pairs of bodies in canonical order, a body and itself before it and those after it.
 * Several workers share these pairs (items.h) unless the answers have a limit, or are found among
 * kept candidates: then one worker goes through them. Answers of two bodies are in the order of
 * their features, each two features once. */
#ifndef PLI_FEATURE_QUERY_H
#define PLI_FEATURE_QUERY_H

#include "world/items.h"

typedef struct PliFeatureQuery PliFeatureQuery;
struct PliFeatureQuery {
    PliQuery base;
    const PliCall *call;
    const PliFoundKind *kind; /* of its answers */
    PliArray *answers;        /* of the world */
    PliKept *kept;            /* of the world, if there is a margin, else NULL */
    int64_t limit;            /* of answers; 0: there is none */
    bool includes_self, hashes_borrowed;
    bool is_over;         /* there are more answers than the limit */
    bool is_first_wanted; /* of each two bodies */
    bool is_one_wanted;   /* and of all bodies: the earliest of these impacts */

    /* Appends the answers of two bodies, or of one: by the first worker, up to the limit. */
    PliantResult (*find_two)(PliFeatureQuery *query, int32_t a, int32_t b);

    /* Finds the pairs of bodies that may have answers, once these have been refreshed. */
    PliantResult (*find_bodies)(PliFeatureQuery *query, const PliBroadPair **pairs, int64_t *count);
};

/* Runs a query over two bodies, or over all if `a` is -1. With a margin, what is kept is complete,
 * or nothing is. */
PliantResult pli_feature_query_run(PliFeatureQuery *query, PliProgress *progress, void *user,
                                   int32_t a, int32_t b);

#endif
