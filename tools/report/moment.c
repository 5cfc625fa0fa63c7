/* Names of moments, and of files for a shell. See moment.h. */
#include "report/moment.h"
#include "report/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool moment_is_rest(const ReportRun *run)
{
    return strncmp(run->name, "rest", 4) == 0 && (run->name[4] == 0 || run->name[4] == ' ') &&
           run->frame_count == 1;
}

char *moment_name(const Report *report, int64_t sample, bool has_time)
{
    const ReportRun *run = report_run_of(report, sample);
    char *text = NULL;
    int length;
    if (moment_is_rest(run))
        return strdup(run->name);
    if (has_time)
        length = asprintf(&text, "%s %" PRId32 " (%.2f s)", run->name, report_frame_of(run, sample),
                          report_time_of(run, sample));
    else
        length = asprintf(&text, "%s %" PRId32, run->name, report_frame_of(run, sample));
    return length < 0 ? NULL : text;
}

void moment_write_quoted(const char *name, FILE *out)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-./+,:@%=";
    bool is_quoted = *name == 0 || name[strspn(name, safe)] != 0;
    if (!is_quoted) {
        fputs(name, out);
        return;
    }
    putc('\'', out);
    for (const char *quote; (quote = strchr(name, '\'')); name = quote + 1) {
        char *piece = strndup(name, (size_t)(quote - name));
        text_write_plain(piece ? piece : "", out);
        free(piece);
        fputs("'\\''", out);
    }
    text_write_plain(name, out);
    putc('\'', out);
}
