/* progress: how far a check is, on stderr. A bar with the time left on a terminal; plain lines
 * where they are asked for; else nothing. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include "options.h"

typedef struct Progress {
    ProgressKind kind; /* never auto */
    double started, shown;
    int32_t tenths; /* of the work, told in plain lines */
} Progress;

double progress_now(void); /* seconds */

Progress progress_begin(ProgressKind kind);

/* CheckOptions.progress, of a Progress: any thread, one at a time. */
bool progress_step(void *progress, int64_t done, int64_t all);

void progress_end(Progress *progress);

#endif
