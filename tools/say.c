/* Errors and signals. See say.h. */
#include "say.h"
#include "compat.h"
#include "files.h"
#include "report/text.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_bool has_line; /* a signal may come to any thread */

void say_error(const char *format, ...)
{
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fputs("pliant: ", stderr);
    text_write_plain(text, stderr);
    fputc('\n', stderr);
}

/* ---- Signals -----------------------------------------------------------------------------------
 */

static void end_here(int number)
{
    static const char clear[] = "\r\033[K";
    if (has_line && write(STDERR_FILENO, clear, sizeof clear - 1) < 0)
        has_line = 0;
    files_remove_half();
    signal(number, SIG_DFL);
    raise(number);
}

void say_watch_signals(void)
{
    compat_watch_signals(end_here);
}

void say_set_line(bool is_there)
{
    has_line = is_there;
}
