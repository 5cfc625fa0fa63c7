/* Windows: see compat.h. Paths and words of the command line are UTF-8, as the manifest in
 * compat.rc asks for, so functions with names in bytes are the right ones. */
#include "compat.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#undef fopen
#undef fclose
#undef stat

/* ---- The console ------------------------------------------------------------------------------
 */

void compat_start(void)
{
    for (int number = 0; number < 3; number++)
        _setmode(number, _O_BINARY);
    bool has_console = false;
    static const DWORD streams[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    for (int i = 0; i < 2; i++) {
        HANDLE stream = GetStdHandle(streams[i]);
        DWORD mode;
        if (GetConsoleMode(stream, &mode))
            has_console |= SetConsoleMode(stream, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
    }
    if (!has_console)
        return;
    SetConsoleOutputCP(CP_UTF8);
    if (!getenv("TERM")) /* as terminals elsewhere say of themselves */
        _putenv("TERM=windows");
}

int compat_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info))
        return 0;
    return info.srWindow.Right - info.srWindow.Left + 1;
}

/* Not signal(), which would have to be called again within the function each time. */
static void (*end_of_program)(int);

static BOOL WINAPI on_event(DWORD event)
{
    end_of_program(SIGINT);
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        end_of_program(SIGINT); /* the console is closed: what was found cannot be told */
    return TRUE;
}

void compat_watch_signals(void (*end)(int))
{
    end_of_program = end;
    SetConsoleCtrlHandler(on_event, TRUE);
}

/* raise() would exit with 3, which has another meaning. This is the code that Windows itself has
 * for interrupts. */
void compat_end_by(int number)
{
    (void)number;
    ExitProcess(0xC000013Au);
}

/* ---- Files ------------------------------------------------------------------------------------
 */

int compat_open_new(char *path)
{
    char *marks = path + strlen(path) - 6;
    unsigned start = GetCurrentProcessId() * 31 + GetTickCount();
    for (unsigned i = 0; i < 1000000; i++) {
        snprintf(marks, 7, "%06u", (start + i) % 1000000);
        int number = _open(path, _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
        if (number >= 0 || errno != EEXIST)
            return number;
    }
    return -1;
}

int compat_open_append(const char *path, int64_t size)
{
    int number = _open(path, _O_CREAT | _O_APPEND | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
    if (number >= 0 && _filelengthi64(number) > size && (errno = _chsize_s(number, size)) != 0) {
        _close(number);
        number = -1;
    }
    return number;
}

bool compat_is_unread(int error)
{
    return error == EPIPE || error == EINVAL; /* the latter is what the C library makes of it */
}

void compat_path(char *path)
{
    for (; *path; path++)
        if (*path == '\\')
            *path = '/';
}

int compat_rename(const char *from, const char *to)
{
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
    return -1;
}

FILE *compat_fopen(const char *path, const char *mode)
{
    if (strcmp(path, "/dev/stdout") == 0)
        return _fdopen(_dup(1), mode);
    return fopen(strcmp(path, "/dev/null") == 0 ? "NUL" : path, mode);
}

int compat_stat(const char *path, struct stat *facts)
{
    if (strcmp(path, "/dev/stdout") != 0 && strcmp(path, "/dev/null") != 0)
        return stat(path, facts);
    *facts = (struct stat){.st_mode = S_IFCHR};
    return 0;
}

int compat_lstat(const char *path, struct stat *facts)
{
    const DWORD attributes = GetFileAttributesA(path);
    if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return compat_stat(path, facts);
    *facts = (struct stat){.st_mode = S_IFREG};
    return 0;
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* Adds a copy; as many as a power of two fill their array. */
static bool add_entry(struct dirent ***entries, int count, const struct dirent *entry)
{
    if ((count & (count - 1)) == 0) {
        struct dirent **more = realloc(*entries, (size_t)(count ? 2 * count : 1) * sizeof *more);
        if (!more)
            return false;
        *entries = more;
    }
    struct dirent *copy = (*entries)[count] = malloc(sizeof *copy);
    if (copy)
        *copy = *entry;
    return copy;
}

int compat_scandir(const char *path, struct dirent ***entries,
                   int (*is_taken)(const struct dirent *entry),
                   int (*compare)(const struct dirent **a, const struct dirent **b))
{
    DIR *folder = opendir(path);
    int count = 0;
    if (!folder)
        return -1;
    *entries = NULL;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (!is_taken || is_taken(entry)) {
            if (!add_entry(entries, count, entry)) {
                free_entries(*entries, count);
                closedir(folder);
                errno = ENOMEM;
                return -1;
            }
            count++;
        }
    closedir(folder);
    if (count > 0)
        qsort(*entries, (size_t)count, sizeof **entries,
              (int (*)(const void *, const void *))compare);
    return count;
}

/* ---- Text -------------------------------------------------------------------------------------
 */

char *compat_strndup(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

typedef struct MemoryStream {
    FILE *file; /* NULL: not open */
    char **text;
    size_t *size;
} MemoryStream;

static MemoryStream streams[4];

static FILE *open_temporary(void)
{
    char folder[MAX_PATH + 1], path[MAX_PATH + 1];
    if (!GetTempPathA(sizeof folder, folder) || !GetTempFileNameA(folder, "pli", 0, path))
        return NULL;
    return fopen(path, "w+bTD"); /* short-lived, and deleted when it is closed */
}

FILE *compat_open_memstream(char **text, size_t *size)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (!streams[i].file) {
            streams[i] = (MemoryStream){open_temporary(), text, size};
            return streams[i].file;
        }
    return NULL;
}

static bool read_back(MemoryStream *stream)
{
    bool is_whole = fflush(stream->file) == 0 && !ferror(stream->file);
    int64_t size = _ftelli64(stream->file);
    char *text = is_whole && size >= 0 ? malloc((size_t)size + 1) : NULL;
    rewind(stream->file);
    if (!text || fread(text, 1, (size_t)size, stream->file) != (size_t)size) {
        free(text);
        return false;
    }
    text[size] = 0;
    *stream->text = text;
    *stream->size = (size_t)size;
    return true;
}

int compat_fclose(FILE *file)
{
    bool is_read = true;
    for (size_t i = 0; file && i < sizeof streams / sizeof *streams; i++)
        if (streams[i].file == file) {
            is_read = read_back(&streams[i]);
            streams[i].file = NULL;
        }
    return fclose(file) == 0 && is_read ? 0 : EOF;
}
