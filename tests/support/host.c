/* The test host: see host.h. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(void *user, size_t size, size_t alignment)
{
    TestHost *host = user;
    host->calls++;
    host->largest = (int64_t)size > host->largest ? (int64_t)size : host->largest;
    host->total += (int64_t)size;
    bool fails = host->fail_at != 0 && (host->fails_for_ever ? host->calls >= host->fail_at
                                                             : host->calls == host->fail_at);
    if (fails)
        return NULL;
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (!block)
        return NULL;
    memset(block, 0xcd, size);
    host->blocks++;
    host->bytes += (int64_t)size;
    return block;
}

static void release(void *user, void *block, size_t size, size_t alignment)
{
    (void)alignment;
    TestHost *host = user;
    host->blocks--;
    host->bytes -= (int64_t)size;
    memset(block, 0xdd, size);
    free(block);
}

static void report(void *user, PliantResult result, const char *message)
{
    TestHost *host = user;
    host->reports++;
    host->result = result;
    snprintf(host->message, sizeof host->message, "%s", message);
}

void test_host_init(TestHost *host)
{
    *host = (TestHost){.host = {.struct_size = sizeof(PliantHost),
                                .allocate = allocate,
                                .release = release,
                                .report = report,
                                .user = host}};
}
