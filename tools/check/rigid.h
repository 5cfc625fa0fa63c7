/* What moves against what: for this folder alone. */
#ifndef TOOLS_RIGID_H
#define TOOLS_RIGID_H

#include "check/check.h"

/* Can its vertices move against each other: by a skin, a cache, or weights of targets that a clip
 * or an option sets? */
bool part_is_deformed(const Scene *scene, const CheckOptions *options, const ScenePart *part);

/* Is neither deformed, and no node animated between them and the node that moves both? Then one
 * sample says what all do. */
bool parts_are_rigid(const Scene *scene, const CheckOptions *options, const ScenePart *a,
                     const ScenePart *b);

/* The first list of alternatives that a part is in, from 1 on; 0: none. */
int32_t part_list(const CheckOptions *options, const char *name);

/* Do they match globs of one list of alternatives? */
bool parts_are_alternatives(const CheckOptions *options, const char *a, const char *b);

#endif
