/* pliant diff: what changed from one report to another. */
#include "command.h"
#include "files.h"

typedef struct DiffJob {
    Report before, after;
    TableOptions options;
    DiffResult *result;
} DiffJob;

static bool write_diff(const void *thing, FILE *out)
{
    const DiffJob *job = thing;
    *job->result = report_diff(&job->before, &job->after, &job->options, out);
    return *job->result != DIFF_FAILED;
}

/* Nothing is to be seen, but the result is. */
static bool is_diffed(const Settings *settings, const DiffJob *job)
{
    if (!settings->is_quiet)
        return files_write_out(write_diff, job);
    FILE *nowhere = fopen("/dev/null", "w");
    bool is_done = nowhere && write_diff(job, nowhere);
    if (nowhere)
        fclose(nowhere);
    return is_done;
}

Exit command_diff(const Settings *settings)
{
    DiffResult changed = DIFF_FAILED;
    DiffJob job = {.options = command_view(settings), .result = &changed};
    Exit result = EXIT_UNREADABLE;
    if (command_report(settings->files.items[0], &job.before) &&
        command_report(settings->files.items[1], &job.after)) {
        result = EXIT_INTERNAL;
        if (is_diffed(settings, &job))
            result = changed == DIFF_WORSE ? EXIT_FINDINGS : EXIT_CLEAN;
    }
    report_free(&job.before);
    report_free(&job.after);
    return result;
}
