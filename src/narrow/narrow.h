/* narrow: from two poses to the triangles that meet.
 *
 * This folder knows poses, and not what they are poses of. Its one idea: everything in batches. The
 * walk hands over leaf pairs; a leaf that is reached is fetched into a slot, where all of its pairs
 * find it; boxes of triangles, sixteen against sixteen, leave candidates; candidates go through the
 * exact test by the hundred; what meets is put in order. Early answers come from smaller batches,
 * and nothing else.
 *
 * A PliNarrow is what one worker needs for that. It keeps its memory from one query to the next.
 */
#ifndef PLI_NARROW_H
#define PLI_NARROW_H

#include "pose/pose.h"

enum { PLI_MOST_SLOTS = 2048 };

/* Pairs of triangles that are remembered where triangles are divided, so that the next pieces of
 * the same two need not be tested again. A power of two. */
enum { PLI_SEEN = 1024 };

/* Candidates that are worth a test, and the most that there can be by then. */
enum {
    PLI_CANDIDATES = 256,
    PLI_MOST_CANDIDATES = PLI_CANDIDATES + PLI_LEAF_PAIRS * PLI_LEAF_SIZE * PLI_LEAF_SIZE
};

/* In which slot a leaf of a body is, if the stamp is that of the places. */
typedef struct PliLeafPlace {
    uint32_t stamp, slot;
} PliLeafPlace;

/* Where the leaves of one body are. They belong to whoever walks, not to the body: however many
 * bodies there are, only two are walked at a time. */
typedef struct PliLeafPlaces {
    const PliPose *pose; /* whose leaves these are; NULL: nobody's */
    uint32_t stamp;
    PliArray items; /* of PliLeafPlace, for as many leaves as any body had so far */
} PliLeafPlaces;

typedef struct PliNarrow {
    const PliantHost *host;
    const PliKernels *kernels;

    /* Leaves that were reached: rows of triangles, their boxes, their numbers, and where in its
     * tree's order each begins. There are PLI_MOST_SLOTS at most, which stay in a cache that is
     * near; once they are used up, all are forgotten. A walk comes back to a leaf soon or not at
     * all, as a rule. */
    float *rows;
    PliLeafBoxes *leaf_boxes;
    int32_t *slot_leaves, *first_positions;
    int32_t slot_count, slot_capacity;
    PliLeafPlaces a_places, b_places; /* those of a stay while the pairs of one body follow */

    PliWalk walk;
    PliArray leaf_pairs;   /* of PliLeafPair: leaves at first, then their slots */
    PliArray hits, sorted; /* of uint64_t: triangle of a, triangle of b */

    uint32_t candidates[2 * (PLI_MOST_CANDIDATES + 8)];
    uint8_t verdicts[PLI_MOST_CANDIDATES];
    int32_t candidate_count;

    bool is_self;            /* both poses are one */
    PliStars *stars;         /* of that pose, or NULL */
    bool may_share;          /* candidates may have vertices in common */
    bool skips_still;        /* what was found between leaves that have not moved is known */
    uint32_t approximations; /* PLIANT_APPROXIMATE_*, of this query */
    uint64_t seen[PLI_SEEN]; /* pairs like hits, of these two poses */

    bool (*progress)(void *user); /* false: the query is to end; NULL: nobody wants to know */
    void *progress_user;
    int64_t work; /* since it was last called: see pli_narrow_check_progress() */

    PliCounts counts;
    int64_t leaf_pair_count;
    int64_t plane_count; /* balls compared with planes instead of triangles */
} PliNarrow;

void pli_narrow_init(PliNarrow *narrow, const PliantHost *host, const PliKernels *kernels);
void pli_narrow_free(PliNarrow *narrow);

/* A new query: no leaf has been reached. Within one, a pose stays where it is, and as it is. */
void pli_narrow_start(PliNarrow *narrow);

/* The pairs of triangles of two poses that meet: all of them, in order, or one if one will do. They
 * are in narrow->hits, each {triangle of a} << 32 | {triangle of b}, until the next call. If both
 * are one pose: pairs that meet in more than the vertices that they share, the lower number first.
 */
PliantResult pli_narrow_find(PliNarrow *narrow, PliPose *a, PliPose *b, bool is_one_enough);

/* The position of a row, which is one of the sixteen of a slot. */
static inline int32_t pli_narrow_position(const PliNarrow *narrow, uint32_t row)
{
    return narrow->first_positions[row / PLI_LEAF_SIZE] + (int32_t)(row % PLI_LEAF_SIZE);
}

/* From leaves to their slots; those that are not in one are fetched. Slots hold until the next
 * call.
 */
PliantResult pli_narrow_fetch(PliNarrow *narrow, PliPose *a, PliPose *b, PliLeafPair *pairs,
                              int64_t count);

/* After `work` pairs of leaves, or fans: every few thousand of them, calls the progress hook.
 * Returns PLIANT_CANCELLED if it wants the query to end. */
PliantResult pli_narrow_check_progress(PliNarrow *narrow, int64_t work);

/* The exact test for all candidates. */
PliantResult pli_narrow_test(PliNarrow *narrow, const PliPose *a, const PliPose *b);

/* ---- A pose with itself: itself.c --------------------------------------------------------------
 */

/* Takes the stars of the pose, if it has any, and says what has moved. */
PliantResult pli_narrow_start_self(PliNarrow *narrow, PliPose *pose, bool is_one_enough);

/* What each of up to PLI_LEAF_PAIRS pairs of slots leaves out: each two triangles of one leaf are
 * compared once, and those of a star are left to it. Of each pair the first leaf is then the one
 * with the lower number. */
void pli_narrow_leave_out(const PliNarrow *narrow, uint32_t *slots, int32_t count,
                          const PliLeftOut **left_out);

/* When all leaves that can be reached have been: the pairs that were left out, and those that were
 * known. */
PliantResult pli_narrow_test_stars(PliNarrow *narrow, PliPose *pose, bool is_one_enough);

/* The hits, for the next query. */
PliantResult pli_narrow_keep_hits(PliNarrow *narrow);

/* Decides the candidates that share vertices, and adds their hits, for which there is room. Those
 * that share none are left. */
void pli_narrow_test_shared(PliNarrow *narrow, const PliPose *pose);

/* ---- Instead of the exact test: approximate.c --------------------------------------------------
 */

typedef enum PliNearness { PLI_NEAR_NEVER, PLI_NEAR, PLI_NEAR_UNKNOWN } PliNearness;

/* Does the ball around a triangle meet the plane of another? Unknown if that has none. */
PliNearness pli_ball_meets_plane(const float *small, const float *large);

#endif
