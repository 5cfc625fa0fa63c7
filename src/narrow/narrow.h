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

/* Candidates that are worth a test, and the most that there can be by then. */
enum {
    PLI_CANDIDATES = 256,
    PLI_MOST_CANDIDATES = PLI_CANDIDATES + PLI_LEAF_PAIRS * PLI_LEAF_SIZE * PLI_LEAF_SIZE
};

typedef struct PliNarrow {
    const PliantHost *host;
    const PliKernels *kernels;

    /* Leaves that were reached: rows of triangles, their boxes, their numbers, and where in its
     * tree's order each begins. There are PLI_MOST_SLOTS at most, which stay in a cache that is
     * near; once they are used up, all are forgotten, and the stamp of those that hold is a new
     * one. A walk comes back to a leaf soon or not at all, as a rule. */
    float *rows;
    PliLeafBoxes *leaf_boxes;
    int32_t *slot_leaves, *first_positions;
    int32_t slot_count, slot_capacity;
    uint32_t stamp;

    PliWalk walk;
    PliArray leaf_pairs;   /* of PliLeafPair: leaves at first, then their slots */
    PliArray hits, sorted; /* of uint64_t: triangle of a, triangle of b */

    uint32_t candidates[2 * (PLI_MOST_CANDIDATES + 8)];
    uint8_t verdicts[PLI_MOST_CANDIDATES];
    int32_t candidate_count;

    PliCounts counts;
    int64_t leaf_pair_count;
} PliNarrow;

void pli_narrow_init(PliNarrow *narrow, const PliantHost *host, const PliKernels *kernels);
void pli_narrow_free(PliNarrow *narrow);

/* A new query: no leaf has been reached. Long before stamps come round, all leaves' places have to
 * be wiped, and the stamp set to zero. */
void pli_narrow_start(PliNarrow *narrow);

/* The pairs of triangles of two poses that meet: all of them, in order, or one if one will do. They
 * are in narrow->hits, each {triangle of a} << 32 | {triangle of b}, until the next call. */
PliantResult pli_narrow_find(PliNarrow *narrow, PliPose *a, PliPose *b, bool is_one_enough);

size_t pli_narrow_bytes(const PliNarrow *narrow);

#endif
