/* A library to be loaded before all others (LD_PRELOAD): lets one allocation fail, or that one and
 * all behind it. FAIL_AT is its number, from 1 on; FAIL_ALL is set for all behind it. At the end it
 * writes into the file FAIL_COUNT how many allocations there were.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long counted;
static long fail_at;
static int fails_all;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");
    fails_all = getenv("FAIL_ALL") != NULL;
    counted = 0;
    fail_at = at ? atol(at) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_COUNT");
    fail_at = 0;
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out) {
        fprintf(out, "%ld\n", counted);
        fclose(out);
    }
}

static int fails(void)
{
    const long number = atomic_fetch_add(&counted, 1) + 1;
    const int is_it = fail_at > 0 && (number == fail_at || (fails_all && number > fail_at));
    if (is_it)
        errno = ENOMEM;
    return is_it;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (fails())
        return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
