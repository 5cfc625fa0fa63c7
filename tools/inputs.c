/* Files, folders and globs as a list of models. See inputs.h. */
#include "inputs.h"
#include "check/check.h"
#include "files.h"
#include "say.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool no_memory(void)
{
    say_error("there is no memory left");
    return false;
}

/* The first part, which is that long, and two more in one text. */
static char *joined(const char *first, size_t length, const char *second, const char *third)
{
    const size_t room = length + strlen(second) + strlen(third) + 1;
    char *text = malloc(room);
    if (text)
        snprintf(text, room, "%.*s%s%s", (int)length, first, second, third);
    return text;
}

static bool add(Inputs *inputs, const char *path)
{
    char **paths = realloc(inputs->paths, ((size_t)inputs->count + 1) * sizeof *paths);
    if (!paths)
        return no_memory();
    inputs->paths = paths;
    paths[inputs->count] = strdup(path);
    return paths[inputs->count++] || no_memory();
}

/* ---- Folders -----------------------------------------------------------------------------------
 */

enum { MAX_DEPTH = 32 };

static bool add_folder(Inputs *inputs, const char *path, int depth);

/* What a folder has: models, and folders that are no links, so that nothing comes twice. */
static bool add_entry(Inputs *inputs, const char *folder, const char *name, int depth)
{
    struct stat facts;
    const size_t length = strlen(folder);
    const bool has_slash = length > 0 && folder[length - 1] == '/';
    char *path = joined(folder, length, has_slash ? "" : "/", name);
    if (!path)
        return no_memory();
    bool is_added = true;
    if (lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
        is_added = depth >= MAX_DEPTH || add_folder(inputs, path, depth + 1);
    else if (scene_is_model(name))
        is_added = add(inputs, path);
    free(path);
    return is_added;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* One that cannot be listed is an input as it is: reading it says why. */
static bool add_folder(Inputs *inputs, const char *path, int depth)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, is_shown, by_name);
    if (count < 0)
        return add(inputs, path);
    bool is_added = true;
    for (int i = 0; i < count; i++) {
        is_added = is_added && add_entry(inputs, path, entries[i]->d_name, depth);
        free(entries[i]);
    }
    free(entries);
    return is_added;
}

/* ---- Operands ----------------------------------------------------------------------------------
 */

static bool add_operand(Inputs *inputs, const char *operand);

/* The first part of a path that is a glob: from behind a slash to one, or to the end. NULL: none
 * is behind `from`. */
static const char *find_glob(const char *path, size_t from, size_t *length)
{
    const char *at = strpbrk(path + from, "*?[");
    if (!at)
        return NULL;
    while (at > path && at[-1] != '/')
        at--;
    *length = strcspn(at, "/");
    return at;
}

static bool add_glob(Inputs *inputs, const char *path, size_t from);

/* All that a folder has and the part matches. What begins with a dot is meant by one alone. */
static bool add_matches(Inputs *inputs, const char *folder, const char *glob, const char *rest)
{
    struct dirent **entries = NULL;
    const int count = scandir(*folder ? folder : ".", &entries, NULL, by_name);
    bool is_added = true;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (is_added && (*name != '.' || *glob == '.') && glob_matches(glob, name)) {
            char *path = joined(folder, strlen(folder), name, rest);
            is_added = path ? add_glob(inputs, path, strlen(path) - strlen(rest)) : no_memory();
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
    return is_added;
}

/* What is there of a path, in which globs up to `from` were expanded: the next one is, and then the
 * others in turn. */
static bool add_glob(Inputs *inputs, const char *path, size_t from)
{
    struct stat facts;
    size_t length = 0;
    const char *at = find_glob(path, from, &length);
    if (!at)
        return stat(path, &facts) != 0 || add_operand(inputs, path);
    char *folder = joined(path, (size_t)(at - path), "", ""), *glob = joined(at, length, "", "");
    const bool is_added =
        folder && glob ? add_matches(inputs, folder, glob, at + length) : no_memory();
    free(folder);
    free(glob);
    return is_added;
}

static bool add_operand(Inputs *inputs, const char *operand)
{
    struct stat facts;
    const bool is_there = stat(operand, &facts) == 0;
    if (is_there && S_ISDIR(facts.st_mode)) {
        const int32_t before = inputs->count;
        inputs->are_many = true;
        return add_folder(inputs, operand, 0) && (inputs->count > before || add(inputs, operand));
    }
    if (!is_there && strpbrk(operand, "*?[")) {
        /* Shells do this themselves; quotes and some shells do not. What matches nothing is an
         * input as it is. */
        const int32_t before = inputs->count;
        inputs->are_many = true;
        return add_glob(inputs, operand, 0) && (inputs->count > before || add(inputs, operand));
    }
    return add(inputs, operand);
}

/* Caches that are named together are of one scene: a body, and the cloth on it. */
static bool are_caches(const TextList *operands)
{
    for (int32_t i = 0; i < operands->count; i++)
        if (!scene_is_cache(operands->items[i]) || strpbrk(operands->items[i], "*?["))
            return false;
    return true;
}

/* A line is a file, whatever is in it; the end of a line may be that of Windows. */
static bool add_lines(Inputs *inputs, char *text)
{
    bool is_added = true;
    for (char *next; *text && is_added; text = next) {
        size_t length = strcspn(text, "\n");
        next = text + length + (text[length] != 0);
        length -= length > 0 && text[length - 1] == '\r';
        text[length] = 0;
        is_added = length == 0 || add(inputs, text);
    }
    return is_added;
}

static Exit add_list(Inputs *inputs, const char *path)
{
    size_t size = 0;
    char *text = files_read(path, SIZE_MAX / 4, &size);
    Exit result = EXIT_UNREADABLE;
    inputs->are_many = true;
    if (!text)
        say_error("%s: %s", path, strerror(errno));
    else if (!add_lines(inputs, text))
        result = EXIT_INTERNAL;
    else if (inputs->count == 0)
        say_error("%s: it names no models", path);
    else
        result = EXIT_CLEAN;
    free(text);
    return result;
}

Exit inputs_find(const TextList *operands, const char *list, Inputs *inputs)
{
    bool is_found = true;
    *inputs = (Inputs){.are_many = operands->count > 1 && !are_caches(operands)};
    for (int32_t i = 0; i < operands->count && is_found; i++)
        is_found = add_operand(inputs, operands->items[i]);
    if (!is_found)
        return EXIT_INTERNAL;
    return list ? add_list(inputs, list) : EXIT_CLEAN;
}

void inputs_free(Inputs *inputs)
{
    for (int32_t i = 0; i < inputs->count; i++)
        free(inputs->paths[i]);
    free(inputs->paths);
    *inputs = (Inputs){0};
}
