/* compat: where systems differ, and nowhere else in the command.
 *
 * The command is written for POSIX. What the first functions do is different on Windows or in
 * WebAssembly. What follows them are names of POSIX that some systems lack, or have with other
 * arguments; there the build includes this file first in every source of the command.
 */
#ifndef TOOLS_COMPAT_H
#define TOOLS_COMPAT_H

#include <stdbool.h>
#include <stdint.h>

/* Before anything is read or written: streams are of bytes, and a console shows UTF-8 and colors.
 */
void compat_start(void);

/* The columns of the terminal that stdout is; 0 if it is none. */
int compat_columns(void);

/* Calls it for signals that end a program, unless they are ignored; a pipe that nobody reads
 * is an error of write() then. */
void compat_watch_signals(void (*end)(int));

/* Ends the program as the signal would have. */
void compat_end_by(int number);

/* Folders are divided by slashes: those of Windows, which go the other way, are turned around. */
void compat_path(char *path);

/* Is this the error of a pipe that nobody reads? */
bool compat_is_unread(int error);

/* A new file of a name that ends in XXXXXX, which become others, with the rights that a new file
 * gets. Its number, or -1, and errno says why. */
int compat_open_new(char *path);

/* A file to append to, of bytes, which is made if it is not there, and cut off behind so many
 * bytes. Its number, or -1, and errno says why. */
int compat_open_append(const char *path, int64_t size);

/* As rename(): a file that is there is replaced, in one step. */
int compat_rename(const char *from, const char *to);

#if defined(_WIN32) || defined(__wasi__) || defined(__APPLE__)
#include <stdio.h>
#include <stdlib.h>

void compat_qsort_r(void *items, size_t count, size_t size,
                    int (*compare)(const void *a, const void *b, void *user), void *user);
#define qsort_r compat_qsort_r
#endif

#ifdef __APPLE__
#include <xlocale.h>
#endif

#ifdef _WIN32
#include <direct.h>
#include <dirent.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

char *compat_strndup(const char *text, size_t size);
#define strndup compat_strndup

/* Folders have no rights to set. */
#define mkdir(path, mode) _mkdir(path)

/* Files of more than 2 GB. */
#define fseeko _fseeki64

/* The command never sets a locale, so the one that it starts with is "C". */
typedef int locale_t;
#define LC_ALL_MASK 0
#define newlocale(mask, name, base) (1)
#define freelocale(locale) ((void)(locale))
#define strtof_l(text, end, locale) strtof(text, end)

/* Devices have the names that they have elsewhere. */
FILE *compat_fopen(const char *path, const char *mode);
int compat_stat(const char *path, struct stat *facts);
#define fopen compat_fopen
#undef stat
#define stat(path, facts) compat_stat(path, facts)

/* A link to a folder, which Windows has too, is no folder. */
int compat_lstat(const char *path, struct stat *facts);
#define lstat compat_lstat

int compat_scandir(const char *path, struct dirent ***entries,
                   int (*is_taken)(const struct dirent *entry),
                   int (*compare)(const struct dirent **a, const struct dirent **b));
#define scandir compat_scandir

/* A stream into memory is a temporary file, which is read when it is closed. While there is one
 * thread. */
FILE *compat_open_memstream(char **text, size_t *size);
int compat_fclose(FILE *file);
#define open_memstream compat_open_memstream
#define fclose compat_fclose
#endif

#endif
