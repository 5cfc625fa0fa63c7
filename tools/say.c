/* Errors and signals. See say.h. */
#include "say.h"
#include "compat.h"
#include "files.h"
#include "report/text.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_bool has_line; /* a signal may come to any thread */

static char *kept; /* instead of stderr, or NULL */

void say_into(char *text)
{
    kept = text;
}

void say_error(const char *format, ...)
{
    char text[SAY_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (kept) {
        memcpy(kept, text, sizeof text);
        return;
    }
    fflush(stdout);
    fputs("pliant: ", stderr);
    text_write_plain(text, stderr);
    fputc('\n', stderr);
}

/* ---- Signals -----------------------------------------------------------------------------------
 */

static atomic_bool are_caught; /* interrupts, while a check runs */
static atomic_int interrupted; /* by this signal; 0: not */

static void end_here(int number)
{
    if (are_caught && !interrupted) {
        interrupted = number;
        return;
    }
    static const char clear[] = "\r\033[K";
    if (has_line && write(STDERR_FILENO, clear, sizeof clear - 1) < 0)
        has_line = 0;
    files_remove_half();
    compat_end_by(number);
}

void say_watch_signals(void)
{
    compat_watch_signals(end_here);
}

void say_catch_interrupts(bool now)
{
    are_caught = now;
}

bool say_is_interrupted(void)
{
    return interrupted != 0;
}

void say_end_interrupted(void)
{
    if (!interrupted)
        return;
    fflush(stdout);
    compat_end_by(interrupted);
}

void say_set_line(bool is_there)
{
    has_line = is_there;
}
