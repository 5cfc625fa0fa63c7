/* words: lengths with their unit, and where and how deep something is, as people say it. */
#ifndef TOOLS_WORDS_H
#define TOOLS_WORDS_H

#include "report/report.h"

/* A length of the report's unit: "87.5 mm", "1.2 m", "3.1 in"; "0.3" if the unit is not known. */
void words_length(const Report *report, double length, char text[40]);

/* How deep a row is; of what cuts without a depth, how long the cut is: "155 mm cut". NULL: 0. */
enum { WORDS_DEPTH_ROOM = 48 };
void words_depth(const Report *report, const ReportRow *row, char text[WORDS_DEPTH_ROOM]);

/* Is the model of a size that nothing has in its unit? Then a question about the unit. */
enum { WORDS_SIZE_ROOM = 160 };
bool words_size(const Report *report, char text[WORDS_SIZE_ROOM]);

/* "left knee: thigh_l 61 %, calf_l 30 %": the joints of a region, of both sides together, and the
 * place that they are at, if that is known (places.h); empty if nothing is skinned. Allocated;
 * NULL: no memory. */
char *words_joints(const Report *report, const ReportRegion *region);

/* "Sword is 120 mm inside Helmet", "body sticks 11.6 mm out of suit": the worst of a row, with
 * where that is. Allocated; NULL: no memory. */
char *words_row(const Report *report, const ReportPair *pair, const ReportRow *row);

/* How long a unit is, in meters; 0: there is no such unit. */
double unit_meters(const char *unit);

#endif
