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

static void show_bar(const CheckProgress *at, double share, const char *left)
{
    char bar[BAR_WIDTH + 1];
    int filled = (int)(share * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '=' : i == filled ? '>' : ' ';
    bar[BAR_WIDTH] = 0;
    say_set_line(true);
    fprintf(stderr, "\r\033[K[%s] %3d %%  %" PRId64 "/%" PRId64 " frames%s  %s left", bar,
            (int)(100 * share), at->done, at->all, at->is_measuring ? ", depth" : "", left);
    fflush(stderr);
}

/* The time that is left, and which share of all it is that was spent. */
static void format_left(Progress *progress, const CheckProgress *at, double spent, char text[32])
{
    const double left = check_seconds_left(at);
    const double share = left < 0 || spent + left <= 0 ? 0 : spent / (spent + left);
    progress->share = share > progress->share ? share : progress->share;
    if (left < 0)
        snprintf(text, 32, "some time");
    else
        format_time(left, text);
}

bool progress_step(void *user, const CheckProgress *at)
{
    Progress *progress = user;
    if (progress->kind == PROGRESS_NONE || at->all <= 0)
        return true;
    const double now = progress_now(), spent = now - progress->started;
    const int32_t tenths = (int32_t)(10 * at->done / at->all);
    char left[32];
    if (progress->kind == PROGRESS_BAR && spent > BAR_AFTER && now - progress->shown > BAR_EVERY) {
        progress->shown = now;
        format_left(progress, at, spent, left);
        show_bar(at, progress->share, left);
    }
    if (progress->kind == PROGRESS_PLAIN && tenths > progress->tenths) {
        progress->tenths = tenths;
        format_left(progress, at, spent, left);
        fprintf(stderr, "pliant: %d %%, %" PRId64 " of %" PRId64 " frames, %s left\n", 10 * tenths,
                at->done, at->all, left);
    }
    return true;
}

void progress_end(Progress *progress)
{
    if (progress->kind == PROGRESS_BAR && progress->shown > 0)
        fputs("\r\033[K", stderr);
    say_set_line(false);
}
