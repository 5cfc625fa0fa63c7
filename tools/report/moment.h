/* moment: how frames and commands are named to people, the same way in every text. */
#ifndef TOOLS_MOMENT_H
#define TOOLS_MOMENT_H

#include "report/report.h"

/* The rest pose, or one of several with morphs that are swept. */
bool moment_is_rest(const ReportRun *run);

/* "squat 17 (0.57 s)", or "rest". Allocated; NULL: no memory. */
char *moment_name(const Report *report, int64_t sample, bool has_time);

/* A file's name as a shell takes it. */
void moment_write_quoted(const char *name, FILE *out);

#endif
