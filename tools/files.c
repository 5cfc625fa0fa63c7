/* Reading whole files, and writing files that are whole or not there. See files.h. */
#include "files.h"
#include "compat.h"
#include "say.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Reading -----------------------------------------------------------------------------------
 */

/* Doubles the room until the end comes; NULL with errno set. */
static char *read_stream(FILE *file, size_t most, size_t *size)
{
    size_t room = 1 << 14, count = 0;
    char *bytes = malloc(room + 1);
    while (bytes) {
        count += fread(bytes + count, 1, room - count, file);
        if (count < room)
            break;
        room *= 2;
        char *larger = room <= 2 * most ? realloc(bytes, room + 1) : NULL;
        if (!larger) {
            free(bytes);
            errno = room > 2 * most ? EFBIG : ENOMEM;
        }
        bytes = larger;
    }
    if (bytes && (ferror(file) || count > most)) {
        free(bytes);
        bytes = NULL;
        errno = count > most ? EFBIG : errno;
    }
    if (bytes) {
        bytes[count] = 0;
        *size = count;
    }
    return bytes;
}

char *files_read(const char *path, size_t most, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *bytes = read_stream(file, most, size);
    int cause = errno;
    fclose(file);
    errno = cause;
    return bytes;
}

/* ---- Writing -----------------------------------------------------------------------------------
 */

/* What is removed if a signal ends the program. The path changes only while there is none. Files
 * are written while there is one thread. */
static volatile sig_atomic_t has_half;
static char half_file[4096];

void files_remove_half(void)
{
    if (has_half)
        unlink(half_file);
}

static bool failed(const char *path, const char *reason, int cause)
{
    bool has_reason = reason && *reason;
    say_error("%s: cannot be written: %s", path,
              has_reason ? reason : strerror(cause ? cause : EIO));
    return false;
}

static bool write_out(WriteFile *write, const void *thing, const char *reason)
{
    errno = 0;
    bool is_written = write(thing, stdout);
    is_written &= fflush(stdout) == 0;
    if (is_written || compat_is_unread(errno))
        return true;
    return failed("stdout", reason, errno);
}

bool files_write_out(WriteFile *write, const void *thing)
{
    return write_out(write, thing, NULL);
}

/* What is there and no plain file (a device, a pipe) is written to as it is. */
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static bool write_and_close(FILE *out, WriteFile *write, const void *thing)
{
    errno = 0;
    bool is_written = write(thing, out);
    int cause = errno;
    is_written &= fflush(out) == 0;
    if (!is_written && cause == 0)
        cause = errno;
    if (fclose(out) != 0 && is_written) {
        is_written = false;
        cause = errno;
    }
    errno = cause;
    return is_written;
}

static bool write_special(const char *path, WriteFile *write, const void *thing, const char *reason)
{
    FILE *out = fopen(path, "wb");
    if (out && write_and_close(out, write, thing))
        return true;
    return failed(path, reason, errno);
}

/* A file beside the one that is wanted, with the rights that a new file gets. */
static FILE *open_half(const char *path)
{
    int length = snprintf(half_file, sizeof half_file, "%s.XXXXXX", path);
    if (length < 0 || (size_t)length >= sizeof half_file) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    int number = compat_open_new(half_file);
    if (number < 0)
        return NULL;
    has_half = 1;
    FILE *out = fdopen(number, "wb");
    if (!out) {
        close(number);
        unlink(half_file);
        has_half = 0;
    }
    return out;
}

/* Gives the half its name if it is whole, and else removes it. */
static bool end_half(const char *path, bool is_whole, const char *reason)
{
    if (is_whole && compat_rename(half_file, path) != 0)
        is_whole = false;
    int cause = errno;
    if (!is_whole)
        unlink(half_file);
    has_half = 0;
    return is_whole || failed(path, reason, cause);
}

/* By a half that is made and removed, as it would be made to be written: rights that look good may
 * not be, on a file system that is read-only or full. */
bool files_can_be_written(const char *path)
{
    struct stat info;
    if (!path || strcmp(path, "-") == 0)
        return true;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return failed(path, NULL, EISDIR);
    if (is_special(path))
        return true;
    FILE *out = open_half(path);
    if (!out)
        return failed(path, NULL, errno);
    fclose(out);
    unlink(half_file);
    has_half = 0;
    return true;
}

bool files_write(const char *path, WriteFile *write, const void *thing, const char *reason)
{
    if (strcmp(path, "-") == 0)
        return write_out(write, thing, reason);
    if (is_special(path))
        return write_special(path, write, thing, reason);
    FILE *out = open_half(path);
    if (!out)
        return failed(path, NULL, errno);
    return end_half(path, write_and_close(out, write, thing), reason);
}

bool files_write_path(const char *path, WritePath *write, const void *thing, const char *reason)
{
    if (strcmp(path, "-") == 0)
        path = "/dev/stdout";
    errno = 0;
    if (is_special(path))
        return write(thing, path) || failed(path, reason, errno);
    FILE *out = open_half(path);
    if (!out)
        return failed(path, NULL, errno);
    fclose(out);
    errno = 0;
    return end_half(path, write(thing, half_file), reason);
}
