/* Bodies in step with the pixels. */
#ifndef PLI_REGULAR_H
#define PLI_REGULAR_H

#include "volume/measure.h"

/* Of so many leaves, one in how many is to be added, and one in how many of their triangles. */
int64_t pli_phases_leaf_step(int64_t leaf_count);
int32_t pli_phases_triangle_step(int64_t leaf_count);
void pli_phases_add(PliPhases *phases, const PliPicture *picture, const float *rows, int32_t count,
                    int32_t step);
bool pli_phases_are_regular(const PliPhases *phases);

enum { PLI_LATTICES = 7 };

/* A view of at least the same box, with another lattice of lines. */
PliantView pli_lattice_view(const PliantView *view, int number);

/* How far a volume may be off that lattices of these views say this of. */
double pli_lattices_error(const double volumes[PLI_LATTICES], double volume);

#endif
