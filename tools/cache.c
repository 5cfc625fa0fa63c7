/* Entries by their key, in 256 folders. See cache.h.
 *
 * An entry is text:
 *
 *     pliant-cache/1 HASH          of all that follows
 *     KEY
 *     HASH NAME                    of each file that the model refers to, from its folder
 *                                  an empty line
 *     { ... }                      the report as JSON, its file without a name
 */
#include "cache.h"
#include "compat.h"
#include "files.h"
#include "say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD "pliant-cache/1 "

enum { MAX_ENTRY_BYTES = 1 << 28, PATH_ROOM = 4096 };

/* ---- Keys --------------------------------------------------------------------------------------
 */

void cache_add_settings(Hash *hash, const Settings *settings)
{
    HashText baseline = {""};
    const bool has_file =
        strcmp(settings->baseline, "none") != 0 && strcmp(settings->baseline, "rest") != 0;
    hash_add_text(hash, HEAD REPORT_SCHEMA);
    hash_add_text(hash, pliant_version());
    hash_add_text(hash, settings->answers ? settings->answers : "");
    hash_add_text(hash, settings->named ? settings->named : "");
    if (has_file && hash_file(settings->baseline, &baseline))
        hash_add_text(hash, baseline.digits);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What its name says of a model: the format; of a cache of vertices also which mesh goes with it.
 */
static const char *meaning_of(const char *path)
{
    const char *name = name_of(path), *dot = strrchr(name, '.');
    return scene_is_cache(path) || !dot ? name : dot;
}

static HashText key_of(const Settings *settings, const HashText *bytes)
{
    Hash hash;
    char shard[40];
    snprintf(shard, sizeof shard, "%d/%d", (int)settings->shard[0], (int)settings->shard[1]);
    hash_start(&hash);
    cache_add_settings(&hash, settings);
    hash_add_text(&hash, shard);
    hash_add_text(&hash, meaning_of(settings->files.items[0]));
    hash_add_text(&hash, bytes->digits);
    return hash_end(&hash);
}

/* "folder/ab" or "folder/ab/cdef...". False: it is too long. */
static bool path_of(const CacheModel *model, bool is_folder, char path[PATH_ROOM])
{
    const char *key = model->key.digits;
    const int length = snprintf(path, PATH_ROOM, "%s/%.2s%s%s", model->settings->cache, key,
                                is_folder ? "" : "/", is_folder ? "" : key + 2);
    return length > 0 && length < PATH_ROOM;
}

bool cache_open(const char *folder)
{
    struct stat facts;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode)))
        return true;
    say_error("%s: cannot be written: %s", folder, strerror(errno));
    return false;
}

/* ---- Files that a model refers to --------------------------------------------------------------
 */

/* What a path is from the folder of the model; NULL: it cannot be told in a line of an entry. */
static const char *reference_of(const CacheModel *model, const char *path)
{
    const char *file = model->settings->files.items[0];
    const size_t folder = (size_t)(name_of(file) - file);
    if (strncmp(path, file, folder) != 0 || strchr(path, '\n'))
        return NULL;
    return path[folder] == '/' ? NULL : path + folder;
}

void cache_watch(void *user, const char *path, const void *bytes, size_t byte_count)
{
    CacheModel *model = user;
    const HashText hash = hash_bytes(bytes, byte_count);
    if (strcmp(path, model->settings->files.items[0]) == 0) {
        model->is_kept &= hash_is_same(&hash, &model->bytes);
        return;
    }
    const char *name = reference_of(model, path);
    char *longer = NULL;
    if (!name || asprintf(&longer, "%s%s %s\n", model->references ? model->references : "",
                          hash.digits, name) < 0) {
        model->is_kept = false;
        return;
    }
    free(model->references);
    model->references = longer;
}

static bool is_reference_same(const CacheModel *model, const char *line, size_t length)
{
    const char *file = model->settings->files.items[0];
    char path[PATH_ROOM];
    HashText kept = {""}, now;
    if (length < HASH_DIGITS + 2 || length > PATH_ROOM / 2)
        return false;
    memcpy(kept.digits, line, HASH_DIGITS);
    const int size = snprintf(path, sizeof path, "%.*s%.*s", (int)(name_of(file) - file), file,
                              (int)(length - HASH_DIGITS - 1), line + HASH_DIGITS + 1);
    return size > 0 && size < PATH_ROOM && hash_file(path, &now) && hash_is_same(&kept, &now);
}

/* ---- Entries -----------------------------------------------------------------------------------
 */

/* Is what follows *line the text with a new line behind it? Moves *line on. */
static bool reads_line(const char **line, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*line, text, length) != 0 || (*line)[length] != '\n')
        return false;
    *line += length + 1;
    return true;
}

/* The report's JSON in a text that is an entry of this model, and holds; or NULL. */
static const char *entry_json(const CacheModel *model, const char *text, size_t size)
{
    const size_t head = strlen(HEAD), start = head + HASH_DIGITS + 1;
    if (size < start || strncmp(text, HEAD, head) != 0)
        return NULL;
    const HashText hash = hash_bytes(text + start, size - start);
    const char *line = text + head;
    if (!reads_line(&line, hash.digits) || !reads_line(&line, model->key.digits))
        return NULL;
    for (size_t length; (length = strcspn(line, "\n")) > 0; line += length + 1)
        if (!line[length] || !is_reference_same(model, line, length))
            return NULL;
    return *line ? line + 1 : NULL;
}

static bool read_entry(const CacheModel *model, const char *path, Report *report)
{
    char error[400];
    size_t size = 0;
    char *text = files_read(path, MAX_ENTRY_BYTES, &size);
    const char *json = text ? entry_json(model, text, size) : NULL;
    bool is_read = json && report_read_json(json, size - (size_t)(json - text), report, error);
    free(text);
    char *name = is_read ? strdup(model->settings->files.items[0]) : NULL;
    if (is_read && !name) {
        report_free(report);
        is_read = false;
    }
    if (is_read) {
        free(report->file);
        report->file = name;
    }
    return is_read;
}

bool cache_find(CacheModel *model, const Settings *settings, Report *report)
{
    char path[PATH_ROOM];
    *model = (CacheModel){.settings = settings};
    model->is_kept = settings->cache && !settings->html && settings->files.count == 1 &&
                     !scene_is_sequence(settings->files.items[0]) &&
                     hash_file(settings->files.items[0], &model->bytes);
    if (!model->is_kept)
        return false;
    model->key = key_of(settings, &model->bytes);
    return path_of(model, false, path) && read_entry(model, path, report);
}

/* All of an entry behind its first line; NULL: no memory. */
static char *entry_text(const CacheModel *model, const Report *report, size_t *size)
{
    char no_name[] = "", *text = NULL;
    Report nameless = *report;
    nameless.file = no_name;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    fprintf(out, "%s\n%s\n", model->key.digits, model->references ? model->references : "");
    const bool is_put = report_write_json(&nameless, out);
    if (fclose(out) == 0 && is_put)
        return text;
    free(text);
    return NULL;
}

typedef struct Entry {
    const char *text;
    size_t size;
} Entry;

static bool write_entry(const void *thing, FILE *out)
{
    const Entry *entry = thing;
    return fprintf(out, HEAD "%s\n", hash_bytes(entry->text, entry->size).digits) > 0 &&
           fwrite(entry->text, 1, entry->size, out) == entry->size;
}

/* A report that cannot be kept is still a report: what is said is all that comes of it. */
void cache_keep(const CacheModel *model, const Report *report)
{
    char path[PATH_ROOM];
    Entry entry = {0};
    if (!model->is_kept || report->incomplete || !path_of(model, true, path))
        return;
    mkdir(path, 0777);
    char *text = path_of(model, false, path) ? entry_text(model, report, &entry.size) : NULL;
    entry.text = text;
    if (text)
        files_write(path, write_entry, &entry, NULL);
    free(text);
}

void cache_free(CacheModel *model)
{
    free(model->references);
    *model = (CacheModel){0};
}
