/* What moves against what: for this folder alone. */
#ifndef TOOLS_RIGID_H
#define TOOLS_RIGID_H

#include "check/check.h"

/* How a part moves. */
typedef struct PartMotion {
    bool is_deformed; /* its vertices move against each other: by a skin, a cache, or weights of
                         targets that a clip or an option sets */
    bool is_scaled;   /* a clip scales it, or something above it */
    int32_t mover;    /* the lowest node above it that a clip moves; -1: none */
} PartMotion;

/* Of some parts of a scene. False: there is no memory. */
bool motions_find(const Scene *scene, const CheckOptions *options, const int32_t *parts,
                  int32_t count, PartMotion *motions);

/* Is neither deformed nor scaled, and no node animated between them and the node that moves both?
 * Then one sample says what all do. */
bool motions_are_rigid(const PartMotion *a, const PartMotion *b);

/* The first list of alternatives that a part is in, from 1 on; 0: none. */
int32_t part_list(const CheckOptions *options, const char *name);

/* Do they match globs of one list of alternatives? */
bool parts_are_alternatives(const CheckOptions *options, const char *a, const char *b);

#endif
