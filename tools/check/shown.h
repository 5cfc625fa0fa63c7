/* How much of a place one sees from outside: for this folder alone.
 *
 * Points of the curves where surfaces cross are seen if a ray from there hits nothing, in one of 26
 * directions: those to the faces, edges and corners of a cube. Of alternatives, parts of lists, all
 * but the two that are asked about are away. */
#ifndef TOOLS_SHOWN_H
#define TOOLS_SHOWN_H

#include "check/measure.h"

enum {
    SHOWN_DIRECTIONS = 26,
    SHOWN_POINTS = 16, /* of a place at most */
    SHOWN_PLACES = 4   /* the deepest of a row */
};

/* Fills in how much of a measured row is shown, as the bodies are now: ReportRow.shown and, of its
 * deepest places, ReportRegion.shown. Contacts are all of the pair. False: the error says why. */
bool shown_measure(const Measured *measured, const PliantContacts *contacts, ReportRow *row,
                   char error[400]);

#endif
