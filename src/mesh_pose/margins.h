/* Margins of bounds, and what weights and transform mean for the bounds of a new frame. */
#ifndef PLI_MARGINS_H
#define PLI_MARGINS_H

#include "mesh_pose/morph.h"

/* Starts a new frame of a body without supplied vertices: what weights and the map mean for its
 * bounds. */
void pli_morph_update(PliMeshPose *pose, PliWorker *worker);

/* UNIT is half of the distance from 1 to the next
 * float, TINY the least float; beyond MAX_VALUE no margin can be relied on. */
#define PLI_UNIT 0x1p-24
#define PLI_TINY 0x1p-149
float pli_rounded_up(double x);
double pli_power_above(double x); /* the least power of two that is greater */
double pli_margin_at_rest(double reach, int32_t term_count);
double pli_stretch_of(double rows[3][3]);

#endif
