/* What the files of the statues share. */
#ifndef SCENES_STATUES_H
#define SCENES_STATUES_H

#include "scenes.h"

/* Of about 10,000 triangles times the square of the detail. */
SceneMesh statue_santa(double detail);

#endif
