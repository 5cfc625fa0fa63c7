/* Results, mistakes, defs, version: see base.h. */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT_(value) #value
#define TEXT(value) TEXT_(value)

const char *pliant_version(void)
{
    return TEXT(PLIANT_VERSION_MAJOR) "." TEXT(PLIANT_VERSION_MINOR) "." TEXT(PLIANT_VERSION_PATCH);
}

static const struct {
    const char *name, *text;
} results[] = {
#define RESULT_ROW(name, text) {"PLIANT_" #name, text},
    PLIANT_RESULTS(RESULT_ROW)
#undef RESULT_ROW
};

_Static_assert(sizeof results / sizeof *results == PLIANT_RESULT_COUNT, "one row for each result");

const char *pliant_result_name(PliantResult result)
{
    return (unsigned)result < PLIANT_RESULT_COUNT ? results[result].name : "PLIANT_UNKNOWN";
}

const char *pliant_result_text(PliantResult result)
{
    return (unsigned)result < PLIANT_RESULT_COUNT ? results[result].text : "no such result";
}

PliantResult pli_mistake(const PliantHost *host, PliantResult result, const char *format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length < 0)
        message[0] = '\0';

    if (host && host->report)
        host->report(host->user, result, message);
#ifdef PLIANT_ASSERTS
    else
        __builtin_trap(); /* a call was given something wrong: `message` says what */
#endif
    return result;
}

bool pli_def_read(void *def, size_t def_size, size_t first_size, const void *caller_def,
                  size_t caller_size)
{
    /* The size field itself comes first and aligns the rest, and no def is longer than a page. */
    if (caller_size < first_size || caller_size > 4096 || caller_size % sizeof(size_t) != 0)
        return false;

    memcpy(def, caller_def, caller_size < def_size ? caller_size : def_size);
    const unsigned char *bytes = caller_def;
    for (size_t i = def_size; i < caller_size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}
