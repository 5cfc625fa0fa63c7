/* Lines: see lines.h. A line is
 *
 *     {"line": "pliant-line/1", "version": ..., "check": ..., "list": ..., "count": ...,
 *      "number": ..., "exit": ..., "report": {...}}
 *
 * without the breaks. The object of "report" is what json.c writes, without its new lines and the
 * spaces behind them, which are between values alone.
 */
#include "report/lines.h"
#include "report/read_json.h"
#include "report/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char beginning[] = "{\"line\": \"pliant-line/1\", ";

enum { MAX_EXIT = 4, FIRST_ROOM = 1 << 16 };

/* ---- Writing -----------------------------------------------------------------------------------
 */

static bool put_line(const Line *line, FILE *out)
{
    const LineHead *head = &line->head;
    fputs(beginning, out);
    fputs("\"version\": ", out);
    text_write_json(head->version, out);
    fprintf(out, ", \"check\": \"%s\", \"list\": \"%s\", \"count\": %" PRId32, head->check,
            head->list, head->count);
    fprintf(out, ", \"number\": %" PRId32 ", \"exit\": %" PRId32 ", \"report\": ", line->number,
            line->exit);
    const bool is_put = reports_write_one(&line->file, out);
    fputs("}", out);
    return is_put;
}

/* In place; the size that is left. */
static size_t without_breaks(char *text, size_t size)
{
    size_t kept = 0;
    for (size_t i = 0; i < size;) {
        if (text[i] != '\n') {
            text[kept++] = text[i++];
            continue;
        }
        while (i < size && (text[i] == '\n' || text[i] == ' '))
            i++;
    }
    return kept;
}

char *line_text(const Line *line, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    const bool is_put = put_line(line, out) && putc('\n', out) != EOF;
    if (fclose(out) != 0 || !is_put || !text) { /* glibc closes it without memory for the text */
        free(text);
        return NULL;
    }
    *size = without_breaks(text, *size);
    text[(*size)++] = '\n';
    return text;
}

/* ---- Reading -----------------------------------------------------------------------------------
 */

static bool refuse(char error[400], const char *what)
{
    snprintf(error, 400, "%s", what);
    return false;
}

static bool read_text(json_t *root, const char *name, char *text, size_t room, char error[400])
{
    const char *value = json_string_value(json_object_get(root, name));
    if (!value || strlen(value) >= room) {
        snprintf(error, 400, "%s is missing or no text", name);
        return false;
    }
    memcpy(text, value, strlen(value) + 1);
    return true;
}

static bool read_number(json_t *root, const char *name, int32_t least, int32_t most,
                        int32_t *number, char error[400])
{
    json_t *value = json_object_get(root, name);
    const json_int_t wide = json_integer_value(value);
    if (!json_is_integer(value) || wide < least || wide > most) {
        snprintf(error, 400, "%s is missing or no number that it can be", name);
        return false;
    }
    *number = (int32_t)wide;
    return true;
}

static bool read_head(json_t *root, Line *line, char error[400])
{
    char schema[sizeof "pliant-line/1"];
    LineHead *head = &line->head;
    if (!read_text(root, "line", schema, sizeof schema, error))
        return false;
    if (strcmp(schema, "pliant-line/1") != 0)
        return refuse(error, "it is no line of this version");
    return read_text(root, "version", head->version, sizeof head->version, error) &&
           read_text(root, "check", head->check, sizeof head->check, error) &&
           read_text(root, "list", head->list, sizeof head->list, error) &&
           read_number(root, "count", 1, INT32_MAX, &head->count, error) &&
           read_number(root, "number", 1, head->count, &line->number, error) &&
           read_number(root, "exit", 0, MAX_EXIT, &line->exit, error);
}

static bool read_file(json_t *root, Line *line, char error[400])
{
    const char *name = json_string_value(json_object_get(root, "file"));
    const char *cause = json_string_value(json_object_get(root, "error"));
    if (!name)
        return refuse(error, "file is missing or no text");
    line->name = strdup(name);
    line->error = strdup(cause ? cause : "");
    if (!line->name || !line->error)
        return refuse(error, "there is no memory left");
    line->file = (ReportFile){.file = line->name, .error = line->error};
    if (cause)
        return true;
    line->file.report = &line->report;
    return report_read_object(root, &line->report, error);
}

bool line_read(const char *text, size_t size, bool has_file, Line *line, char error[400])
{
    json_error_t cause;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &cause);
    *line = (Line){0};
    bool is_read = root ? read_head(root, line, error) : refuse(error, cause.text);
    json_t *report = json_object_get(root, "report");
    if (is_read && !json_is_object(report))
        is_read = refuse(error, "report is missing or no object");
    if (is_read && has_file)
        is_read = read_file(report, line, error);
    json_decref(root);
    if (!is_read)
        line_free(line);
    return is_read;
}

void line_free(Line *line)
{
    report_free(&line->report);
    free(line->name);
    free(line->error);
    *line = (Line){0};
}

const char *line_difference(const LineHead *a, const LineHead *b)
{
    if (strcmp(a->version, b->version) != 0)
        return "another version";
    if (strcmp(a->check, b->check) != 0)
        return "other options";
    return strcmp(a->list, b->list) != 0 || a->count != b->count ? "another list of files" : NULL;
}

bool line_begins(const char *text, size_t size)
{
    const size_t length = strlen(beginning);
    return memcmp(text, beginning, size < length ? size : length) == 0;
}

/* ---- Files of lines ----------------------------------------------------------------------------
 */

/* Bytes of a file that are not yet of a line. */
typedef struct Window {
    char *bytes;
    size_t room, used;
    int64_t offset; /* of the first */
} Window;

/* More bytes behind those there are. False: there are none, or no memory (errno). */
static bool fill(Window *window, FILE *file)
{
    if (window->used == window->room) {
        const size_t room = window->room ? 2 * window->room : FIRST_ROOM;
        char *bytes = realloc(window->bytes, room);
        if (!bytes) {
            errno = ENOMEM;
            return false;
        }
        window->bytes = bytes;
        window->room = room;
    }
    const size_t count = fread(window->bytes + window->used, 1, window->room - window->used, file);
    window->used += count;
    return count > 0;
}

/* Visits the whole lines of the window, and takes them out of it. */
static bool visit_window(Window *window, size_t *searched, LineVisit *visit, void *user)
{
    size_t start = 0;
    bool is_visited = true;
    for (char *end;
         is_visited && (end = memchr(window->bytes + *searched, '\n', window->used - *searched));) {
        const size_t size = (size_t)(end - window->bytes) - start;
        is_visited = visit(user, window->offset + (int64_t)start, window->bytes + start, size);
        start += size + 1;
        *searched = start;
    }
    window->used -= start;
    window->offset += (int64_t)start;
    memmove(window->bytes, window->bytes + start, window->used);
    *searched = window->used;
    return is_visited;
}

bool lines_visit(FILE *file, LineVisit *visit, void *user, int64_t *end)
{
    Window window = {0};
    size_t searched = 0;
    bool is_visited = true;
    errno = 0;
    while (is_visited && fill(&window, file))
        is_visited = visit_window(&window, &searched, visit, user);
    *end = window.offset;
    if (is_visited && (ferror(file) || errno == ENOMEM))
        is_visited = false;
    if (is_visited && window.used > 0 && !line_begins(window.bytes, window.used)) {
        errno = EINVAL;
        is_visited = false;
    }
    free(window.bytes);
    return is_visited;
}
