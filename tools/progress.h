/* progress: how far a check is, on stderr. A bar with the time left on a terminal; plain lines
 * where they are asked for; else nothing. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include "options.h"

typedef struct Progress {
    ProgressKind kind; /* never auto */
    double started, shown;
    int32_t tenths; /* of the work, told in plain lines */
    double share;   /* of the time, as it was shown last: it does not go back */
} Progress;

double progress_now(void); /* seconds */

Progress progress_begin(ProgressKind kind);

/* CheckOptions.progress, of a Progress: any thread, one at a time. */
bool progress_step(void *progress, const CheckProgress *at);

void progress_end(Progress *progress);

#endif
