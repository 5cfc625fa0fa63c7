/* Kept candidates: what a query with a margin has found, for the next one.
 *
 * One idea: a search of two bodies that goes farther than it has to, to the reach D = distance +
 * margin, finds candidates, and what is no candidate stays farther than the distance until vertices
 * have moved enough. Then deciding the candidates again is all there is to do. Candidates are pairs
 * of features; the queries that find and decide them are in decide/near.h and decide/sweep.h.
 *
 * How far vertices may move. A pair of features that is no candidate was farther than D, in real
 * numbers: in distance, or along some axis. Let p and q be points of the
 * two features now, and p' and q' the same weighted sums of the vertices as they were. If no vertex
 * of the one body has moved by more than m, and none of the other by more than n, then |p - p'| <=
 * m and |q - q'| <= n, and
 *
 *     D < |p' - q'| <= |p - q| + m + n.
 *
 * So if distance + m + n <= D, the pair is farther than the distance. Within one body m = n.
 *
 * Sweeps have vertices at two ends, and what is no candidate was farther than D at each time t up
 * to `until`. If no start has moved by more than m0 and no end by more than m1, then no vertex has
 * moved by more than (1 - t) m0 + t m1 at time t, which is at most m = max(m0, m1).
 */
#ifndef PLI_KEPT_H
#define PLI_KEPT_H

#include "base/sort.h"
#include "query/motion.h"
#include <pliant/near.h>

/* A body of a query, at the start and at the end of a step: the same if it has no end. */
typedef struct PliKeptSide {
    PliMotion *motions[2];
    int32_t number;
    bool are_apart; /* PliPoseFeatures.are_apart, of either */
} PliKeptSide;

/* Where a body was when it was searched. */
typedef struct PliKeptState {
    uint64_t epochs[2];
    double moved[2]; /* PliMotion.moved */
    bool are_apart;
} PliKeptState;

/* What is kept of two bodies, or of one. */
typedef struct PliKeptPair {
    int32_t a, b;
    PliKeptState states[2];
    bool is_used;                      /* by this query */
    float reach, rest_distance, until; /* of the search */
    float thick_distance; /* of a search that has left out what is within D at rest; else -1 */
    int64_t first, count; /* candidates; -1: they are of no use */
} PliKeptPair;

/* Two features. What follows are twelve floats, or twice as many if there is an end: the points
 * that they had, of a vertex and three corners, or two ends and two ends. */
typedef struct PliCandidate {
    PliantFeatures kind;
    int32_t feature_a, feature_b;
    float distance;       /* that they had, as in PliClosest; of sweeps their time, once decided */
    uint32_t vertices[4]; /* of the points, as answers name them */
} PliCandidate;

/* What pairs of features are ordered by: kind, then vertex and triangle, or both edges. */
static inline uint64_t pli_feature_key(PliantFeatures kind, int32_t a, int32_t b)
{
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    const uint64_t first = (uint64_t)(is_swapped ? b : a), second = (uint64_t)(is_swapped ? a : b);
    return (uint64_t)kind << 62 | first << 31 | second;
}

typedef struct PliKept {
    PliArray pairs;                       /* of PliKeptPair, by a and b */
    PliArray candidates;                  /* that begin with a PliCandidate: of each pair in
                                             canonical order */
    PliArray fresh;                       /* of PliKeptPair: searched by this query, by a and b */
    PliArray next_pairs, next_candidates; /* scratch */
} PliKept;

void pli_kept_init(PliKept *kept, size_t candidate_size);
void pli_kept_free(PliKept *kept, const PliantHost *host);

/* A query begins. It asks for pairs of bodies by a and b, and pli_kept_end() ends it. */
void pli_kept_start(PliKept *kept);

/* Returns the pair of these bodies if its candidates are all that may be within the distance now,
 * or NULL: then they are to be searched. `now` has reach, rest_distance and until; the rest of it
 * is set. */
PliKeptPair *pli_kept_pair(PliKept *kept, const PliKeptSide *a, const PliKeptSide *b,
                           float distance, PliKeptPair *now);

/* Before a search of the pair that pli_kept_pair() has set. */
void pli_kept_settle(const PliKeptSide *a, const PliKeptSide *b, PliKeptPair *now,
                     uint64_t *last_epoch);

/* After it: appends what was found, in any order, each candidate once. `ranked` is scratch. */
PliantResult pli_kept_append(PliKept *kept, const PliArray *found, PliArray ranked[2],
                             const PliantHost *host, PliKeptPair *now);

static inline char *pli_kept_candidate(const PliKept *kept, int64_t i)
{
    return (char *)kept->candidates.items + (size_t)i * kept->candidates.item_size;
}

/* How far features were from each other, at most, that may be within the distance now: distance + m
 * + n, rounded up. */
double pli_kept_reach(const PliKeptPair *pair, const PliKeptSide *a, const PliKeptSide *b,
                      float distance);

/* The points of a candidate as they are now, at the start (0) or at the end (1); `kept` are those
 * that it had. */
void pli_candidate_points(const PliCandidate *candidate, const float kept[12], int end,
                          const PliKeptSide *a, const PliKeptSide *b, float points[12]);

/* Keeps what was found by a query with this result, or nothing if it failed. If the query was about
 * all bodies, pairs that it did not ask for go. Returns the result, or why it could not be kept. */
PliantResult pli_kept_end(PliKept *kept, PliantResult result, bool is_of_all,
                          const PliantHost *host);

/* Nothing of a body is kept. */
void pli_kept_drop_body(PliKept *kept, int32_t number);

#endif
