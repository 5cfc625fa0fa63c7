/* How deep vertices are: for this folder alone. See cut.h. */
#ifndef TOOLS_CUT_DEPTH_H
#define TOOLS_CUT_DEPTH_H

#include "check/bodies.h"
#include "check/cut.h"
#include "check/found.h"

/* Two parts, or one twice, as they are posed. */
typedef struct CutWork {
    Bodies *bodies;
    const PartBody *sides[2];
    float *vertices[2];      /* posed; of a self-collision both are one array */
    PliantContact *contacts; /* all */
    int64_t contact_count;
    FacePair news; /* triangles of the pairs that count */
    bool is_all;   /* every pair counts */
    Cut *cut;
} CutWork;

static inline bool cut_is_self(const CutWork *work)
{
    return work->sides[0] == work->sides[1];
}

/* Fills the depths of the cut, from the regions of all contacts. */
PliantResult cut_find_depths(const CutWork *work, const PliantRegions *regions);

#endif
