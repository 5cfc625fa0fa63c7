/* Results, calls, mistakes, records, version: see base.h. */
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

PliCall pli_call(const PliantHost *host, const char *function)
{
    const size_t first_size = PLI_RECORD_SIZE(PliantHost, user);
    return (PliCall){host && host->struct_size >= first_size ? host : NULL, function};
}

/* Damaged data is no mistake of the program. */
static bool is_mistake(PliantResult result)
{
    return result != PLIANT_BAD_DATA && result != PLIANT_BAD_VERSION;
}

PliantResult pli_mistake(const PliCall *call, PliantResult result, const char *format, ...)
{
    char message[256];
    const int start = snprintf(message, sizeof message, "%s: ", call->function);
    va_list arguments;
    va_start(arguments, format);
    if (start > 0 && (size_t)start < sizeof message)
        (void)vsnprintf(message + start, sizeof message - (size_t)start, format, arguments);
    va_end(arguments);

    if (call->host && call->host->report)
        call->host->report(call->host->user, result, message);
#ifdef PLIANT_ASSERTS
    else if (is_mistake(result))
        __builtin_trap(); /* a call was given something wrong: `message` says what */
#else
    (void)is_mistake;
#endif
    return result;
}

/* struct_size itself comes first and aligns the rest, and no record is longer than a page. */
static bool is_possible(size_t caller_size, size_t first_size)
{
    return caller_size >= first_size && caller_size <= 4096 && caller_size % sizeof(size_t) == 0;
}

bool pli_record_read(void *record, size_t size, size_t first_size, const void *caller_record,
                     size_t caller_size)
{
    if (!is_possible(caller_size, first_size))
        return false;
    const size_t known = caller_size < size ? caller_size : size;
    memcpy((char *)record + sizeof(size_t), (const char *)caller_record + sizeof(size_t),
           known - sizeof(size_t));
    const unsigned char *bytes = caller_record;
    for (size_t i = size; i < caller_size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static size_t size_of(const void *record)
{
    size_t size;
    memcpy(&size, record, sizeof size);
    return size;
}

bool pli_record_is_writable(const void *caller_record, size_t first_size)
{
    return is_possible(size_of(caller_record), first_size);
}

bool pli_record_write(void *caller_record, size_t first_size, const void *record, size_t size)
{
    const size_t caller_size = size_of(caller_record);
    if (!is_possible(caller_size, first_size))
        return false;
    const size_t known = caller_size < size ? caller_size : size;
    memcpy((char *)caller_record + sizeof(size_t), (const char *)record + sizeof(size_t),
           known - sizeof(size_t));
    return true;
}
