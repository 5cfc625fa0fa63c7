/* The host's hooks, messages and records, as in the core, whose own are not public: see device.h.
 */
#include "device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* ---- Messages ---------------------------------------------------------------------------------
 */

PliGlCall pli_gl_call(const PliantHost *host, const char *function)
{
    return (PliGlCall){host && host->struct_size >= sizeof *host ? host : NULL, function};
}

static void report(const PliGlCall *call, PliantResult result, const char *format,
                   va_list arguments)
{
    if (!call->host || !call->host->report)
        return;
    char message[256];
    const int start = snprintf(message, sizeof message, "%s: ", call->function);
    if (start > 0 && (size_t)start < sizeof message)
        (void)vsnprintf(message + start, sizeof message - (size_t)start, format, arguments);
    call->host->report(call->host->user, result, message);
}

PliantResult pli_gl_report(const PliGlCall *call, PliantResult result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(call, result, format, arguments);
    va_end(arguments);
    return result;
}

PliantResult pli_gl_mistake(const PliGlCall *call, PliantResult result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(call, result, format, arguments);
    va_end(arguments);
#ifdef PLIANT_ASSERTS
    if (!call->host || !call->host->report)
        __builtin_trap(); /* a call was given something wrong: `format` says what */
#endif
    return result;
}

PliantResult pli_gl_after(const PliGlCall *call, PliantResult result, const char *function)
{
    if (result == PLIANT_OK)
        return result;
    return pli_gl_report(call, result, "%s failed: %s", function, pliant_result_text(result));
}

/* ---- Hooks -------------------------------------------------------------------------------------
 */

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    size_t whole = (size + alignment - 1) / alignment * alignment;
    return whole < size ? NULL : aligned_alloc(alignment, whole);
}

static void default_release(void *user, void *block, size_t size, size_t alignment)
{
    (void)user;
    (void)size;
    (void)alignment;
    free(block);
}

PliantResult pli_gl_host_check(const PliGlCall *call, const PliantHost *given, PliantHost *host)
{
    *host = pliant_host_default();
    PLI_GL_CHECK(call, !given || pli_backend_read(host, sizeof *host, given, given->struct_size),
                 PLIANT_BAD_DEF, "host.struct_size is %zu: start from pliant_host_default()",
                 given->struct_size);
    PLI_GL_CHECK(call, !host->allocate == !host->release, PLIANT_BAD_ARGUMENT,
                 "host.allocate and host.release go together: one of them is NULL");
    if (!host->allocate) {
        host->allocate = default_allocate;
        host->release = default_release;
    }
    return PLIANT_OK;
}

void pli_gl_record_write(void *caller_record, const void *record, size_t size)
{
    memcpy((char *)caller_record + sizeof(size_t), (const char *)record + sizeof(size_t),
           size - sizeof(size_t));
}

/* ---- Blocks ------------------------------------------------------------------------------------
 */

PliantResult pli_gl_block_need(PliGlBlock *block, const PliantHost *host, int64_t count,
                               size_t item_size)
{
    if ((uint64_t)count > SIZE_MAX / 2 / item_size)
        return PLIANT_TOO_LARGE;
    size_t size = (size_t)count * item_size;
    if (size <= block->byte_size)
        return PLIANT_OK;
    size += size / 2;
    void *items = host->allocate(host->user, size, ALIGNMENT);
    if (!items)
        return PLIANT_OUT_OF_MEMORY;
    pli_gl_block_free(block, host);
    *block = (PliGlBlock){items, size};
    return PLIANT_OK;
}

void pli_gl_block_free(PliGlBlock *block, const PliantHost *host)
{
    if (block->items)
        host->release(host->user, block->items, block->byte_size, ALIGNMENT);
    *block = (PliGlBlock){0};
}
