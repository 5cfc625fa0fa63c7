/* files: read whole, and written whole or not at all.
 *
 * A file is written under a temporary name beside it and renamed when it is complete, so that a
 * run that breaks leaves the old file or none, and never half a report.
 */
#ifndef TOOLS_FILES_H
#define TOOLS_FILES_H

#include <stdbool.h>
#include <stdio.h>

/* A whole file of at most so many bytes, with a zero byte behind it; NULL, and errno says why. */
char *files_read(const char *path, size_t most, size_t *size);

/* Could a file be written? Asked before work that may take long. A folder cannot; a plain file can
 * if a new one can be made beside it. "-", devices and pipes are tried when they are written. NULL:
 * no file is wanted. False: that has been said. */
bool files_can_be_written(const char *path);

typedef bool WriteFile(const void *thing, FILE *out);

/* Writes a file by a function that returns false if the stream failed, or for a reason of its own
 * that it then leaves in `reason`, which may be NULL. "-" is stdout. False if the file could not be
 * written: that has been said. */
bool files_write(const char *path, WriteFile *write, const void *thing, const char *reason);

/* The same by a function that opens the file itself. */
typedef bool WritePath(const void *thing, const char *path);
bool files_write_path(const char *path, WritePath *write, const void *thing, const char *reason);

/* The same to stdout. A reader that has gone away (| head) is no failure. */
bool files_write_out(WriteFile *write, const void *thing);

/* For signal handlers. */
void files_remove_half(void);

#endif
