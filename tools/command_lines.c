/* pliant check --lines: one line of JSON for each model as it is done; and the merge of lines.
 *
 * A line is written by one call of write(), so a run that is killed leaves whole lines and at most
 * one that was cut short. The same call then goes on: it takes the cut line away, and checks what
 * has no line, and again what could not be checked: a disk may have been away, or a limit too
 * small. Nothing is held but where lines are, so there may be millions.
 */
#include "command.h"
#include "compat.h"
#include "files.h"
#include "report/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Where lines are ---------------------------------------------------------------------------
 */

typedef struct Place {
    int64_t offset;
    size_t size; /* 0: there is no line */
    int32_t source, exit;
} Place;

typedef struct Index {
    LineHead head; /* of all lines; count 0: of none yet */
    Place *places; /* of each file of the list: its last line */
    const char *const *paths;
    int32_t source; /* which of the paths is read */
    int64_t line;   /* and which of its lines */
    bool has_said;
} Index;

static bool refuse_line(Index *index, const char *what, const char *which)
{
    index->has_said = true;
    say_error("%s: line %" PRId64 "%s%s", index->paths[index->source], index->line, what, which);
    return false;
}

static bool set_head(Index *index, const LineHead *head)
{
    index->head = *head;
    index->places = calloc((size_t)head->count, sizeof *index->places);
    index->has_said |= !index->places;
    if (!index->places)
        say_error("there is no memory left");
    return index->places != NULL;
}

static bool add_line(void *user, int64_t offset, const char *text, size_t size)
{
    Index *index = user;
    Line line;
    char error[400];
    index->line++;
    if (!line_read(text, size, false, &line, error))
        return refuse_line(index, ": ", error);
    if (index->head.count == 0 && !set_head(index, &line.head))
        return false;
    const char *difference = line_difference(&index->head, &line.head);
    if (difference)
        return refuse_line(index, " is of ", difference);
    index->places[line.number - 1] = (Place){offset, size, index->source, line.exit};
    return true;
}

/* Adds the lines of the index's source. *end is where the last whole one ends. */
static bool add_lines(Index *index, FILE *file, int64_t *end)
{
    index->line = 0;
    if (lines_visit(file, add_line, index, end))
        return true;
    const char *cause = errno == EINVAL ? "it is no file of lines" : strerror(errno);
    if (!index->has_said)
        say_error("%s: %s", index->paths[index->source], cause);
    return false;
}

static Exit worst_of(const Index *index, int64_t first, int64_t step)
{
    Exit worst = EXIT_CLEAN;
    for (int64_t i = first; i < index->head.count; i += step)
        if (index->places[i].size > 0 && index->places[i].exit > (int32_t)worst)
            worst = (Exit)index->places[i].exit;
    return worst;
}

/* The text of a line that is there, without its end; NULL: it cannot be read again. */
static char *text_at(const Index *index, const Place *place)
{
    FILE *file = fopen(index->paths[place->source], "rb");
    char *text = file ? malloc(place->size) : NULL;
    if (text && (fseeko(file, place->offset, SEEK_SET) != 0 ||
                 fread(text, 1, place->size, file) != place->size)) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

/* ---- One report of lines -----------------------------------------------------------------------
 */

typedef struct Reading {
    const Index *index;
    Line line;
    bool has_failed;
} Reading;

static const ReportFile *read_number(void *user, int32_t number)
{
    static const ReportFile none = {.file = "", .error = "its line could not be read again"};
    Reading *reading = user;
    const Place *place = &reading->index->places[number];
    char error[400], *text = text_at(reading->index, place);
    line_free(&reading->line);
    const bool is_read = text && line_read(text, place->size, true, &reading->line, error);
    free(text);
    reading->has_failed |= !is_read;
    return is_read ? &reading->line.file : &none;
}

static bool are_all_there(const Index *index)
{
    int32_t missing = 0, first = 0;
    for (int32_t i = index->head.count - 1; i >= 0; i--)
        if (index->places[i].size == 0) {
            missing++;
            first = i + 1;
        }
    if (index->head.count == 0)
        say_error("%s: there are no lines", index->paths[0]);
    else if (missing > 0)
        say_error("%" PRId32 " of %" PRId32 " models have no line, the first is number %" PRId32,
                  missing, index->head.count, first);
    return index->head.count > 0 && missing == 0;
}

static Exit write_all(const Settings *settings, const Index *index)
{
    Reading reading = {.index = index};
    const Reports reports = {.count = index->head.count,
                             .read = read_number,
                             .user = &reading,
                             .folder = command_folder()};
    const bool is_written = command_write_many(settings, &reports);
    line_free(&reading.line);
    if (reading.has_failed)
        say_error("%s: a line could not be read again", index->paths[0]);
    return is_written && !reading.has_failed ? worst_of(index, 0, 1) : EXIT_INTERNAL;
}

static Exit merge(const Settings *settings, const char *const *paths, int32_t count)
{
    Index index = {.paths = paths};
    bool is_read = true;
    for (int64_t end; is_read && index.source < count; index.source += is_read) {
        FILE *file = fopen(paths[index.source], "rb");
        if (!file)
            say_error("%s: %s", paths[index.source], strerror(errno));
        is_read = file && add_lines(&index, file, &end);
        if (file)
            fclose(file);
    }
    const Exit result =
        is_read && are_all_there(&index) ? write_all(settings, &index) : EXIT_UNREADABLE;
    free(index.places);
    return result;
}

bool command_are_lines(const char *path)
{
    char text[16];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    return size == sizeof text && line_begins(text, size);
}

Exit command_merge_lines(const Settings *settings)
{
    return merge(settings, settings->files.items, settings->files.count);
}

/* ---- A shard of the list -----------------------------------------------------------------------
 */

typedef struct Shard {
    const Settings *settings;
    const Inputs *inputs;
    Index index;
    int file; /* that lines are written to */
    int32_t count, before, found, clean;
} Shard;

static LineHead head_of(const Settings *settings, const Inputs *inputs)
{
    Hash check, list;
    LineHead head = {.count = inputs->count};
    hash_start(&check);
    hash_start(&list);
    cache_add_settings(&check, settings);
    for (int32_t i = 0; i < inputs->count; i++)
        hash_add_text(&list, inputs->paths[i]);
    snprintf(head.version, sizeof head.version, "%s", pliant_version());
    snprintf(head.check, sizeof head.check, "%s", hash_end(&check).digits);
    snprintf(head.list, sizeof head.list, "%s", hash_end(&list).digits);
    return head;
}

static bool is_stdout(const Settings *settings)
{
    return strcmp(settings->lines, "-") == 0;
}

/* What a device or a pipe holds is not ours to read. */
static bool read_lines(Shard *shard, const char *path, int64_t *end)
{
    struct stat facts;
    *end = 0;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return true;
    FILE *file = fopen(path, "rb");
    if (!file) {
        say_error("%s: %s", path, strerror(errno));
        return false;
    }
    const bool is_read = add_lines(&shard->index, file, end);
    fclose(file);
    return is_read;
}

/* What is there already is kept, up to the end of the last whole line. */
static Exit open_lines(Shard *shard)
{
    const char *path = shard->settings->lines;
    int64_t end = 0;
    shard->file = STDOUT_FILENO;
    if (is_stdout(shard->settings))
        return EXIT_CLEAN;
    if (!read_lines(shard, path, &end))
        return EXIT_USAGE;
    shard->file = compat_open_append(path, end);
    if (shard->file < 0)
        say_error("%s: cannot be written: %s", path, strerror(errno));
    return shard->file < 0 ? EXIT_INTERNAL : EXIT_CLEAN;
}

static bool write_bytes(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        const size_t part = size < 1 << 30 ? size : 1 << 30;
        const int64_t written = write(file, bytes, part);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Does a model that was tried again have this line already? */
static bool is_there(const Shard *shard, const Place *place, const char *text, size_t size)
{
    if (place->size + 1 != size)
        return false;
    char *there = text_at(&shard->index, place);
    const bool is_same = there && memcmp(there, text, place->size) == 0;
    free(there);
    return is_same;
}

static bool write_line(const Shard *shard, const Line *line)
{
    size_t size = 0;
    char *text = line_text(line, &size);
    const Place *place = &shard->index.places[line->number - 1];
    const bool is_written =
        text && (is_there(shard, place, text, size) || write_bytes(shard->file, text, size));
    if (!is_written)
        say_error("%s: cannot be written: %s", shard->settings->lines,
                  text ? strerror(errno) : "there is no memory left");
    free(text);
    return is_written;
}

/* False: nothing more can be done, now. A model whose check was interrupted has no line. */
static bool check_number(Shard *shard, int32_t number)
{
    Checked checked;
    char error[SAY_ROOM];
    const char *path = shard->inputs->paths[number];
    const Exit result = command_check_file(shard->settings, path, &checked, error);
    Line line = {.head = shard->index.head, .number = number + 1, .exit = (int32_t)result};
    line.file = (ReportFile){
        .file = path, .report = checked.report.file ? &checked.report : NULL, .error = error};
    const bool is_done = !say_is_interrupted() && write_line(shard, &line);
    if (is_done)
        shard->index.places[number] = (Place){.size = 1, .exit = (int32_t)result};
    command_free_checked(&checked);
    return is_done;
}

static bool is_done_before(const Place *place)
{
    return place->size > 0 && (place->exit == EXIT_CLEAN || place->exit == EXIT_FINDINGS);
}

static bool check_all(Shard *shard)
{
    const int32_t *numbers = shard->settings->shard;
    for (int64_t i = numbers[0] - 1; i < shard->inputs->count; i += numbers[1]) {
        const Place *place = &shard->index.places[i];
        const bool is_before = is_done_before(place);
        if (!is_before && !check_number(shard, (int32_t)i))
            return false;
        shard->count++;
        shard->before += is_before;
        shard->found += place->exit == EXIT_FINDINGS;
        shard->clean += place->exit == EXIT_CLEAN;
    }
    return true;
}

static bool write_tally(const void *thing, FILE *out)
{
    const Shard *shard = thing;
    const int32_t failed = shard->count - shard->found - shard->clean;
    fprintf(out, "%" PRId32 " models", shard->count);
    if (shard->before > 0)
        fprintf(out, ", %" PRId32 " of them done before", shard->before);
    fprintf(out, ": %" PRId32 " with findings, %" PRId32 " clean", shard->found, shard->clean);
    if (failed > 0)
        fprintf(out, ", %" PRId32 " could not be checked", failed);
    return fputs(".\n", out) != EOF;
}

static Exit conclude(const Shard *shard)
{
    Settings quiet = *shard->settings;
    bool has_stdout = false;
    (void)command_outputs(shard->settings, &has_stdout);
    quiet.is_quiet = true; /* lines are instead of the table */
    const Exit worst =
        command_has_files(&quiet)
            ? merge(&quiet, &quiet.lines, 1)
            : worst_of(&shard->index, shard->settings->shard[0] - 1, shard->settings->shard[1]);
    if (!has_stdout && !shard->settings->is_quiet && !files_write_out(write_tally, shard))
        return EXIT_INTERNAL;
    return worst;
}

static Exit run(Shard *shard)
{
    const Exit opened = open_lines(shard);
    if (opened != EXIT_CLEAN)
        return opened;
    const bool is_whole = check_all(shard);
    if (!is_stdout(shard->settings))
        close(shard->file);
    if (is_whole)
        return conclude(shard);
    if (say_is_interrupted())
        say_error("%s: interrupted with %" PRId32 " models done: the same call goes on from there",
                  shard->settings->lines, shard->count);
    return EXIT_INTERNAL;
}

Exit command_check_lines(const Settings *settings, const Inputs *inputs)
{
    Shard shard = {.settings = settings, .inputs = inputs, .index = {.paths = &settings->lines}};
    if (command_has_files(settings) && (settings->shard[1] > 1 || is_stdout(settings))) {
        say_error("--lines of a shard, or to stdout, is all that is written: "
                  "pliant merge makes other files of lines");
        return EXIT_USAGE;
    }
    const LineHead head = head_of(settings, inputs);
    const Exit result = set_head(&shard.index, &head) ? run(&shard) : EXIT_INTERNAL;
    free(shard.index.places);
    return result;
}
