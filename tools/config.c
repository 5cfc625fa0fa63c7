/* Config files: options that go with a folder of models, such as which parts may intersect.
 *
 *     # what a pocket and a belt do is no finding
 *     allow belt*:trousers
 *     max-depth 0.002
 *     no-self
 *
 * A line is an option's name and, behind spaces or =, its value, which goes on to the end of the
 * line; # at its beginning or behind a space begins a comment. Options of other commands are passed
 * over, so that one file serves all.
 */
#include "files.h"
#include "options.h"
#include "say.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1 << 20)

/* The text becomes one that the settings own, since values point into it. */
static bool read_text(Settings *settings, const char *path, bool must_exist, char **text)
{
    size_t size = 0;
    char *bytes = files_read(path, MAX_BYTES, &size);
    if (!bytes) {
        if (must_exist || errno != ENOENT)
            say_error("%s: %s", path, strerror(errno));
        return !must_exist && errno == ENOENT;
    }
    char **owned = realloc(settings->owned, ((size_t)settings->owned_count + 1) * sizeof *owned);
    if (!owned) {
        say_error("there is no memory left");
        free(bytes);
        return false;
    }
    settings->owned = owned;
    settings->owned[settings->owned_count++] = bytes;
    *text = bytes;
    return true;
}

/* Cuts the comment and spaces at both ends off. */
static char *trim(char *line)
{
    for (char *at = line; *at; at++)
        if (*at == '#' && (at == line || isspace((unsigned char)at[-1]))) {
            *at = 0;
            break;
        }
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = 0;
    return line;
}

static bool read_line(Settings *settings, char *line, const char *where, unsigned bits)
{
    size_t length = strcspn(line, "= \t");
    const Option *option = option_of(line, length, bits);
    char *value = line + length + strspn(line + length, " \t");
    if (*value == '=')
        value += 1 + strspn(value + 1, " \t");
    line[length] = 0;
    if (!option && option_of(line, length, ~0u))
        return true;
    if (!option) {
        const char *near = option_nearest(line, ~0u);
        say_error("%s: unknown option \"%s\"%s%s%s", where, line, near ? "; did you mean \"" : "",
                  near ? near : "", near ? "\"?" : "");
        return false;
    }
    if (*value ? !option->argument : !option_may_stand_alone(option)) {
        say_error("%s: %s %s", where, option->name,
                  option->argument ? "needs a value" : "takes no value");
        return false;
    }
    if (strcmp(option->name, "config") == 0 || strcmp(option->name, "help") == 0) {
        say_error("%s: %s is for the command line alone", where, option->name);
        return false;
    }
    return settings_apply(settings, option, value, where);
}

bool config_read(Settings *settings, const char *path, bool must_exist, unsigned bits)
{
    char *text = NULL;
    if (!read_text(settings, path, must_exist, &text))
        return false;
    int number = 0;
    for (char *next; text && *text; text = next) {
        next = text + strcspn(text, "\n");
        if (*next)
            *next++ = 0;
        char where[300];
        snprintf(where, sizeof where, "%.280s:%d", path, ++number);
        char *line = trim(text);
        if (*line && !read_line(settings, line, where, bits))
            return false;
    }
    return true;
}
