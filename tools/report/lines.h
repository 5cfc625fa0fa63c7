/* lines: reports of many files, one line of JSON for each, in the order in which they were done.
 *
 * A line is all that is known of its file: which check it is of (version, options, list), its
 * number in the list, how its check ended, and the object that "pliant-reports/1" has of it. So
 * lines of any files of lines, in any order, make the report of one run. There is nothing in them
 * of when, where or by whom they were made.
 */
#ifndef TOOLS_LINES_H
#define TOOLS_LINES_H

#include "report/reports.h"

enum { LINE_HASH_ROOM = 65, LINE_VERSION_ROOM = 32 };

/* What all lines of a check have in common. */
typedef struct LineHead {
    char version[LINE_VERSION_ROOM];
    char check[LINE_HASH_ROOM]; /* a hash of the options and of what they name */
    char list[LINE_HASH_ROOM];  /* a hash of the names of all files */
    int32_t count;              /* files of the list */
} LineHead;

typedef struct Line {
    LineHead head;
    int32_t number;  /* of the file in the list, from 1 on */
    int32_t exit;    /* as the command's */
    ReportFile file; /* of these, which the line owns: */
    Report report;
    char *name, *error;
} Line;

/* A text with a new line behind it, to be freed; NULL: no memory. Of the line: head, number, exit
 * and file. */
char *line_text(const Line *line, size_t *size);

/* Reads a line, without its end; the file in it only if that is asked for. False, and a sentence:
 * it is none. */
bool line_read(const char *text, size_t size, bool has_file, Line *line, char error[400]);
void line_free(Line *line);

/* What a line is of that is not of one check with another: "other options"; or NULL. */
const char *line_difference(const LineHead *a, const LineHead *b);

/* Could a text be the beginning of a line? */
bool line_begins(const char *text, size_t size);

/* Calls `visit` with each line of a file, and where it begins, until it returns false. *end is
 * where the last whole line ends: a line that was cut short comes behind it. False if the file
 * cannot be read, and errno says why, or if `visit` returned false. */
typedef bool LineVisit(void *user, int64_t offset, const char *text, size_t size);
bool lines_visit(FILE *file, LineVisit *visit, void *user, int64_t *end);

#endif
