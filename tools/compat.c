/* Systems with POSIX, and WebAssembly with the part of it that WASI has: see compat.h. */
#include "compat.h"

#include <stdlib.h>
#include <string.h>

#if !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

void compat_start(void)
{
}

int compat_rename(const char *from, const char *to)
{
    return rename(from, to);
}

int compat_open_append(const char *path, int64_t size)
{
    struct stat facts;
    int number = open(path, O_CREAT | O_APPEND | O_WRONLY, 0666);
    if (number >= 0 && fstat(number, &facts) == 0 && S_ISREG(facts.st_mode) &&
        facts.st_size > size && ftruncate(number, (off_t)size) != 0) {
        close(number);
        number = -1;
    }
    return number;
}

bool compat_is_unread(int error)
{
    return error == EPIPE;
}

void compat_path(char *path)
{
    (void)path;
}

void compat_end_by(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

#if defined(__wasi__)

int compat_columns(void)
{
    return 0;
}

/* WASI has no signals. */
void compat_watch_signals(void (*end)(int))
{
    (void)end;
}

int compat_open_new(char *path)
{
    char *marks = path + strlen(path) - 6;
    for (int i = 0; i < 1000000; i++) {
        snprintf(marks, 7, "%06d", i);
        int number = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
        if (number >= 0 || errno != EEXIST)
            return number;
    }
    return -1;
}

#else

int compat_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void compat_watch_signals(void (*end)(int))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = end};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN); /* noticed where it is written */
}

int compat_open_new(char *path)
{
    int number = mkstemp(path);
    if (number >= 0) {
        mode_t mask = umask(0);
        umask(mask);
        fchmod(number, 0666 & ~mask);
    }
    return number;
}

#endif
#endif

/* ---- Sorting ----------------------------------------------------------------------------------
 */

#ifdef qsort_r

typedef struct Heap {
    char *items;
    size_t size;
    int (*compare)(const void *a, const void *b, void *user);
    void *user;
} Heap;

static void swap_items(const Heap *heap, size_t i, size_t j)
{
    char *a = heap->items + i * heap->size, *b = heap->items + j * heap->size;
    for (size_t k = 0; k < heap->size; k++) {
        char byte = a[k];
        a[k] = b[k];
        b[k] = byte;
    }
}

static bool is_less(const Heap *heap, size_t i, size_t j)
{
    return heap->compare(heap->items + i * heap->size, heap->items + j * heap->size, heap->user) <
           0;
}

static void sift_down(const Heap *heap, size_t parent, size_t count)
{
    for (size_t child; (child = 2 * parent + 1) < count; parent = child) {
        if (child + 1 < count && is_less(heap, child, child + 1))
            child++;
        if (!is_less(heap, parent, child))
            return;
        swap_items(heap, parent, child);
    }
}

/* A heap: no memory that could be missing. Orders of the command leave no two items equal, so that
 * all ways to sort give the same. */
void compat_qsort_r(void *items, size_t count, size_t size,
                    int (*compare)(const void *a, const void *b, void *user), void *user)
{
    const Heap heap = {items, size, compare, user};
    for (size_t i = count / 2; i-- > 0;)
        sift_down(&heap, i, count);
    for (size_t last = count; last-- > 1;) {
        swap_items(&heap, 0, last);
        sift_down(&heap, 0, last);
    }
}

#endif
