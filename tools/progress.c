/* The bar, and plain lines. See progress.h. */
#include "progress.h"
#include "say.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 24
#define BAR_AFTER 0.3 /* seconds: what ends before that needs no bar */
#define BAR_EVERY 0.1

double progress_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Progress progress_begin(ProgressKind kind)
{
    if (kind == PROGRESS_AUTO) {
        const char *terminal = getenv("TERM");
        bool has_bar = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
        kind = has_bar ? PROGRESS_BAR : PROGRESS_NONE;
    }
    return (Progress){.kind = kind, .started = progress_now()};
}

/* "8 s", "3 min 20 s", "2 h 5 min" */
static void format_time(double seconds, char text[32])
{
    int64_t whole = (int64_t)(seconds + 0.5);
    if (whole < 60)
        snprintf(text, 32, "%" PRId64 " s", whole);
    else if (whole < 3600)
        snprintf(text, 32, "%" PRId64 " min %" PRId64 " s", whole / 60, whole % 60);
    else
        snprintf(text, 32, "%" PRId64 " h %" PRId64 " min", whole / 3600, whole % 3600 / 60);
}

static void show_bar(int64_t done, int64_t all, const char *left)
{
    char bar[BAR_WIDTH + 1];
    int filled = (int)((double)done / (double)all * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '=' : i == filled ? '>' : ' ';
    bar[BAR_WIDTH] = 0;
    say_set_line(true);
    fprintf(stderr, "\r\033[K[%s] %3d %%  %" PRId64 "/%" PRId64 " frames  %s left", bar,
            (int)(100 * done / all), done, all, left);
    fflush(stderr);
}

bool progress_step(void *user, int64_t done, int64_t all)
{
    Progress *progress = user;
    if (progress->kind == PROGRESS_NONE || all <= 0)
        return true;
    double now = progress_now(), spent = now - progress->started;
    char left[32];
    format_time(spent / (double)done * (double)(all - done), left);
    if (progress->kind == PROGRESS_BAR && spent > BAR_AFTER && now - progress->shown > BAR_EVERY) {
        progress->shown = now;
        show_bar(done, all, left);
    }
    int32_t tenths = (int32_t)(10 * done / all);
    if (progress->kind == PROGRESS_PLAIN && tenths > progress->tenths) {
        progress->tenths = tenths;
        fprintf(stderr, "pliant: %d %%, %" PRId64 " of %" PRId64 " frames, %s left\n", 10 * tenths,
                done, all, left);
    }
    return true;
}

void progress_end(Progress *progress)
{
    if (progress->kind == PROGRESS_BAR && progress->shown > 0)
        fputs("\r\033[K", stderr);
    say_set_line(false);
}
