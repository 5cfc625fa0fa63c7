/* places: where on a body some joints are, as people say it: "left knee".
 *
 * Joints have names in the manner of their rig: thigh_l (Unreal, MakeHuman), mixamorig:LeftUpLeg,
 * DEF-thigh.L (Rigify). What is not certain has no place. */
#ifndef TOOLS_PLACES_H
#define TOOLS_PLACES_H

#include "report/report.h"

enum { PLACE_ROOM = 24 };

/* The place of a region, by the joints of both sides together; empty: it is not known. */
void place_of(const Report *report, const ReportRegion *region, char text[PLACE_ROOM]);

#endif
