/* How deep two parts, or a part and itself, are in each other at a sample: for this folder alone.
 *
 * Depth and regions are the library's: see pliant/regions.h. Of the two parts of a region, one
 * counts: the deeper one of those that are inside. If none is inside, as where two open surfaces
 * face each other, it is the less deep one. */
#ifndef TOOLS_MEASURE_H
#define TOOLS_MEASURE_H

#include "check/bodies.h"
#include "check/found.h"

/* What is measured. */
typedef struct Measured {
    Bodies *bodies;
    const Scene *scene;
    const Report *report;
    const ReportPair *pair;
    const FacePair *known; /* faces of the baseline: regions of these alone are left out */
    Bodies *rest;          /* in the rest pose; NULL unless that is the baseline */
} Measured;

/* The body of a side. */
static inline const PartBody *measured_body(const Measured *measured, int side)
{
    return &measured->bodies->items[side == 0 ? measured->pair->a : measured->pair->b];
}

/* The sentence for a result that is not PLIANT_OK, and false. */
bool measured_fail(const Measured *measured, PliantResult result, char error[400]);

/* Fills the measures of a row, from all contacts of the pair as the bodies are now, and their
 * regions. False: the error says why. */
bool measure_row(const Measured *measured, const PliantContacts *contacts,
                 const PliantRegions *regions, ReportRow *row, char error[400]);

/* The same for a row of a part that is contained. */
bool measure_contained(const Measured *measured, ReportRow *row, char error[400]);

/* Does an edge of one of these pairs of triangles go through the inside of the other triangle? In
 * general position that is so if and only if surfaces cross. Exact. */
bool measure_goes_through(const Measured *measured, const PliantContact *contacts, int64_t count,
                          bool *goes_through, char error[400]);

/* Is the triangle one of these that an edge goes through at a point of a curve? */
static inline bool measure_is_of(const FacePair *faces, const PliantCurvePoint *point)
{
    return faces_have(point->side == 0 ? faces->b : faces->a, point->triangle);
}

/* Does a curve of a region go through a triangle that is one of these, or is none of them? */
bool measure_curve_has(const FacePair *faces, const PliantRegions *regions,
                       const PliantRegion *region, bool is_of);

/* The side of a region that counts, see above; -1: there is none. */
int measure_inner_side(const PliantRegion *region);

/* The diagonal of the box of its curves. */
double measure_extent(const PliantRegions *regions, const PliantRegion *region);

#endif
