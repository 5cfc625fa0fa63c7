/* Kept candidates: what a query with a margin has found, for the next one.
 *
 * One idea: a search of two poses that goes farther than it has to, to the reach D = distance +
 * margin, finds candidates, and what is no candidate stays farther than the distance until vertices
 * have moved enough. Then deciding the candidates again is all there is to do.
 *
 * How far vertices may move. A pair of features that is no candidate was farther than D, in real
 * numbers. Let p and q be its closest points now, and p' and q' the same weighted sums of the
 * vertices as they were. If no vertex of the one pose has moved by more than m, and none of the
 * other by more than n, then |p - p'| <= m and |q - q'| <= n, and
 *
 *     D < |p' - q'| <= |p - q| + m + n.
 *
 * So if distance + m + n <= D, the pair is farther than the distance. Within one pose m = n. In the
 * same way a candidate that was d apart is skipped if distance + m + n < d.
 *
 * How far they have moved. A body may be searched with some bodies now, and with others later. A
 * snapshot of its vertices for each of these would take memory for each pair. Instead there is one
 * for each body, and a sum of what it has moved by from snapshot to snapshot: PliMotion.moved. By
 * the triangle inequality no vertex has moved by more between two queries than the sum has grown.
 *
 * What changes other than by moving begins a new epoch of the body, and candidates of an older one
 * are of no use: vertices that become finite or cease to be, primitives of a soup, weights and
 * joints, of which all vertices would have to be evaluated.
 */
#ifndef PLI_KEPT_H
#define PLI_KEPT_H

#include "near/near.h"

/* How far a body has moved. */
typedef struct PliMotion {
    uint64_t epoch;    /* never 0, and never that of another body */
    uint64_t frame;    /* PliPose.frame_count, that all of this is of */
    double moved;      /* no vertex has moved by more than this has grown in the epoch */
    double settled;    /* the same when the snapshot was taken */
    bool is_followed;  /* else whatever changes begins an epoch, and there are no vertices: */
    int32_t count;     /* of vertices */
    float *now, *then; /* as they are, and as they were when the snapshot was taken; or NULL */
} PliMotion;

/* A pose of a query. */
typedef struct PliKeptSide {
    PliPose *pose;
    PliMotion *motion;
    int32_t number; /* of its body */
} PliKeptSide;

/* What is kept of two bodies, or of one. */
typedef struct PliKeptPair {
    int32_t a, b;
    uint64_t epochs[2];
    double moved[2]; /* PliMotion.moved when they were searched */
    bool are_apart[2];
    bool is_used;               /* by this query */
    float reach, rest_distance; /* of the search */
    int64_t first, count;       /* candidates; -1: they are of no use */
} PliKeptPair;

typedef struct PliKept {
    PliArray pairs;                       /* of PliKeptPair, by a and b */
    PliArray candidates;                  /* of PliNearCandidate: of each pair in canonical order */
    PliArray fresh;                       /* of PliKeptPair: searched by this query, by a and b */
    PliArray next_pairs, next_candidates; /* scratch */
    uint64_t epoch;                       /* the last that has begun */
} PliKept;

void pli_kept_init(PliKept *kept);
void pli_kept_free(PliKept *kept, const PliantHost *host);

/* Measures how far a pose has moved since the last call; does nothing if it has not been updated
 * since. Its vertices are followed if `count`, their number, is not 0. On failure nothing has
 * changed. */
PliantResult pli_motion_update(PliMotion **motion, const PliPose *pose, int32_t count,
                               PliKept *kept, const PliantHost *host);
void pli_motion_free(PliMotion *motion, const PliantHost *host);

/* A query begins. It asks for pairs of bodies by a and b, and pli_kept_end() ends it. After a
 * failure pli_kept_drop() does. */
void pli_kept_start(PliKept *kept);

/* The same as pli_near_find() for a distance that is at most that of `near`, which is the reach. */
PliantResult pli_kept_find(PliKept *kept, PliNear *near, const PliKeptSide *a, const PliKeptSide *b,
                           float distance, PliArray *pairs);

/* Keeps what was found. If the query was about all bodies, pairs that it did not ask for go. */
PliantResult pli_kept_end(PliKept *kept, bool is_of_all, const PliantHost *host);

/* Nothing is kept, or nothing of a body. */
void pli_kept_drop(PliKept *kept);
void pli_kept_drop_body(PliKept *kept, int32_t number);

#endif
