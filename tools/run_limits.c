/* Limits of time and memory. See run_limits.h. */
#include "run_limits.h"
#include "progress.h"
#include "say.h"

#include <stdio.h>

/* Windows and WebAssembly have no limit that a process sets itself. Sanitizers reserve terabytes:
 * no limit can be set on them. */
#if defined(_WIN32) || defined(__wasi__) || defined(__SANITIZE_ADDRESS__) ||                       \
    defined(__SANITIZE_THREAD__)
#define HAS_NO_LIMIT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_NO_LIMIT 1
#endif
#endif

#ifndef HAS_NO_LIMIT
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#define FREE_BYTES ((size_t)1 << 30) /* of any file, and for each of its bytes: */
#define GROWTH ((size_t)1000)

/* Written before a check begins, and read by its threads. */
static double deadline;
static char reason[80];
static size_t memory;

#ifdef HAS_NO_LIMIT

static void limit_memory(const char *file, int64_t bytes)
{
    (void)file;
    (void)bytes;
}

#else

/* Three quarters of the machine's memory: what is left is for others. */
static size_t machine_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0 ? (size_t)pages / 4 * 3 * (size_t)size : (size_t)4 << 30;
}

/* A numbered sequence is no file by itself: it has what the machine has. */
static size_t memory_of(const char *file)
{
    struct stat facts;
    const size_t most = machine_memory();
    if (stat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return most;
    const size_t size = (size_t)facts.st_size;
    return size < most / GROWTH && FREE_BYTES + GROWTH * size < most ? FREE_BYTES + GROWTH * size
                                                                     : most;
}

/* What the process has now: reports of files before this one are no part of its limit. */
static size_t used_memory(void)
{
    long pages = 0, size = sysconf(_SC_PAGE_SIZE);
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*s %*s %*s %*s %*s %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages > 0 && size > 0 ? (size_t)pages * (size_t)size : 0;
}

/* Of -1 bytes: by the size of the file. */
static void limit_memory(const char *file, int64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    const size_t own = bytes < 0 ? memory_of(file) : (size_t)bytes, all = own + used_memory();
    limit.rlim_cur = all < limit.rlim_max ? all : limit.rlim_max;
    if (setrlimit(RLIMIT_DATA, &limit) == 0)
        memory = own;
}

#endif

void limits_start(const char *file, double seconds, int64_t bytes)
{
    deadline = seconds > 0 ? progress_now() + seconds : 0;
    snprintf(reason, sizeof reason, "the time limit of %g s was reached", seconds);
    limit_memory(file, bytes);
}

const char *limits_stop(void *user)
{
    (void)user;
    if (say_is_interrupted())
        return "interrupted";
    return deadline > 0 && progress_now() > deadline ? reason : NULL;
}

size_t limits_memory(void)
{
    return memory;
}
