/* run_limits: how long a run may take, and how much memory it may use.
 *
 * A file can be small and still make a check endless: thousands of copies in one place, an
 * animation of a year. So every run has limits that real models do not reach, and says so where
 * one is reached. Time and interrupts end a check at the next frame, or within a query, with what
 * was found so far. Memory is limited by the system: an allocation beyond it fails, and is told.
 */
#ifndef TOOLS_RUN_LIMITS_H
#define TOOLS_RUN_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on the limits hold, for one file. Of no seconds: any time. Of -1 bytes: by the size of
 * the file, as docs/check-reference.md says. */
void limits_start(const char *file, double seconds, int64_t bytes);

/* Why everything is to end now, or NULL: CheckOptions.stop, which needs no user. May be asked by
 * any thread. */
const char *limits_stop(void *user);

/* The limit of memory in bytes; 0: there is none. */
size_t limits_memory(void);

#endif
