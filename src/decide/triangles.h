/* decide: one file for each question that is asked of two poses, or of one.
 *
 * triangles.h: which triangles of two poses intersect (this file); self.h: and of one pose;
 * near.h: which features are within a distance; sweep.h: which touch on the way, and when;
 * distance.h: which are closest; points.h: what is closest to a point; rays.h: which a ray
 * hits. This folder knows poses, and not what they are poses of. Its one idea: a question gets
 * leaves and answers; trees, leaves and the order of answers are of tree/ and query/.
 *
 * Triangles: everything in batches. The walk hands over leaf pairs; a leaf that is reached is
 * fetched into a slot, where all of its pairs find it; boxes of triangles, sixteen against sixteen,
 * leave candidates; candidates go through the exact test by the hundred; what intersects is put in
 * order. Early answers come from smaller batches, and nothing else.
 *
 * A PliNarrow is what one worker needs for that. It keeps its memory from one query to the next.
 */
#ifndef PLI_TRIANGLES_H
#define PLI_TRIANGLES_H

#include "decide/fan_state.h"
#include "decide/hubs.h"
#include "decide/long.h"
#include <pliant/experiments.h>

/* Pairs of triangles that are remembered where triangles are divided, so that the next pieces of
 * the same two need not be tested again. A power of two. */
enum { PLI_SEEN = 1024 };

/* Candidates that are worth a test, and the most that there can be by then. */
enum {
    PLI_CANDIDATES = 256,
    PLI_MAX_CANDIDATES = PLI_CANDIDATES + PLI_LEAF_PAIRS * PLI_LEAF_SIZE * PLI_LEAF_SIZE
};

/* Leaf pairs that are looked for at a time; the last step of the walk may bring 63 more. And the
 * slots that they take at most. */
enum { PLI_PORTION = 256, PLI_PORTION_SLOTS = 2 * (PLI_PORTION + 63) + 1 };

typedef struct PliNarrow {
    PliWorker *worker;  /* whose host and kernels are used */
    PliLeafCache cache; /* leaves that were reached */

    PliWalk walk;
    PliArray leaf_pairs; /* of PliLeafPair: leaves at first, then their slots */
    PliArray long_parts; /* of PliTreePartPair: what the walk leaves to: */
    PliLong long_leaf;
    PliArray contacts, sorted; /* of uint64_t: triangle of a, triangle of b */

    uint32_t candidates[2 * (PLI_MAX_CANDIDATES + 8)];
    uint8_t verdicts[PLI_MAX_CANDIDATES];
    int32_t candidate_count;

    bool is_self;        /* both poses are one */
    bool has_fans;       /* and it has fans: */
    PliFanScratch *fans; /* borrowed: of the self query, if it is one */
    bool may_share;      /* candidates may have vertices in common */
    bool has_hubs;       /* and leaves may be compared by directions: */
    PliHubs hubs;
    uint32_t approximations; /* PLIANT_APPROXIMATE_*, of this query */
    uint64_t seen[PLI_SEEN]; /* pairs as in contacts, of these two poses */

    int64_t work; /* since it was last asked whether to go on: see pli_narrow_check_progress() */

    PliCounts counts;
    int64_t leaf_pair_count;
    int64_t plane_count; /* balls compared with planes instead of triangles */
} PliNarrow;

static inline bool pli_narrow_has_pieces(const PliPose *a, const PliPose *b)
{
    return a->pieces || b->pieces;
}

/* The worker and the fans are borrowed and must outlive it. */
void pli_narrow_init(PliNarrow *narrow, PliWorker *worker, PliFanScratch *fans);
void pli_narrow_free(PliNarrow *narrow);

/* A new query: no leaf has been reached. Within one, a pose stays where it is, and as it is. */
void pli_narrow_start(PliNarrow *narrow);

/* Finds the pairs of triangles of two poses that intersect: all of them, in order, or one if one is
 * enough. They are in narrow->contacts, each {triangle of a} << 32 | {triangle of b}, until the
 * next call.
 *
 * A pose and itself: pairs that intersect beyond the vertices that they share, the lower number
 * first. pli_fan_state_start() comes before that, and pli_fan_state_keep() after all were found. */
PliantResult pli_narrow_find(PliNarrow *narrow, PliPose *a, PliPose *b, bool is_one_enough);

/* ---- Two poses that several workers share ---------------------------------------------------- */

/* Work: a pair of leaves that is tested counts as one, and a leaf that is fetched as so many. */
enum { PLI_FETCH_WORK = 4 };

/* Finds all pairs of triangles, as pli_narrow_find() does, and stops after about so much work:
 * pairs of parts that are left to walk are on narrow->walk.stack then. */
PliantResult pli_narrow_find_some(PliNarrow *narrow, PliPose *a, PliPose *b, int64_t max_work);

/* Some of these pairs. Or some fans of a pose and itself, once it is known which are clean. */
typedef struct PliNarrowPart {
    PliWalkPart walk;
    int32_t first_fan, fan_count;
} PliNarrowPart;

/* Finds all pairs of triangles that intersect in such a part, in order, and stops early like
 * pli_narrow_find_some(). Parts may have the same pair of triangles if triangles are divided. */
PliantResult pli_narrow_find_part(PliNarrow *narrow, PliPose *a, PliPose *b,
                                  const PliNarrowPart *part, int64_t max_work);

/* Sorts contacts that are those of several parts, with scratch of as many, and drops those that are
 * there twice. Returns how many are left. */
int64_t pli_narrow_merge(uint64_t *contacts, uint64_t *scratch, int64_t count, const PliPose *a,
                         const PliPose *b);

/* From leaves to their slots; those that are not in one are fetched. Slots hold until the next
 * call. */
PliantResult pli_narrow_fetch(PliNarrow *narrow, PliPose *a, PliPose *b, PliLeafPair *pairs,
                              int64_t count);

/* After `work` pairs of leaves, or fans: every few thousand of them, asks whether
 * the query goes on. Returns PLIANT_CANCELLED if it does not. */
PliantResult pli_narrow_check_progress(PliNarrow *narrow, int64_t work);

/* Puts the contacts in order. Two triangles that are divided are then there once. */
PliantResult pli_narrow_sort(PliNarrow *narrow, const PliPose *a, const PliPose *b);

/* Tests all candidates. If there are more contacts than the query wants, returns PLIANT_CANCELLED:
 * contacts are then in the order in which they were found. */
PliantResult pli_narrow_test(PliNarrow *narrow, const PliPose *a, const PliPose *b);

#endif
