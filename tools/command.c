/* What subcommands share. See command.h. */
#include "command.h"
#include "compat.h"
#include "files.h"
#include "report/words.h"
#include "run_limits.h"
#include "say.h"
#include "view/view.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_REPORT_BYTES ((size_t)1 << 28)

/* ---- Scenes ------------------------------------------------------------------------------------
 */

Scene *command_scene(const Settings *settings, CacheModel *model)
{
    SceneOptions options = scene_options_default();
    SceneError error = {{0}};
    options.by = settings->by == BY_MATERIAL ? SCENE_BY_MATERIAL : SCENE_BY_NODE;
    options.is_welded = settings->is_welded;
    options.has_hidden = settings->has_hidden;
    options.fps = settings->fps;
    options.has_looks = settings->html != NULL;
    options.is_any_growth = settings->memory_limit >= 0;
    options.watch = model ? cache_watch : NULL;
    options.watch_user = model;
    if (options.is_any_growth)
        options.max_bytes = (size_t)settings->memory_limit;
    command_limit(settings, settings->files.items[0]);
    Scene *scene =
        settings->files.count > 1
            ? scene_read_together(settings->files.items, settings->files.count, &options, &error)
            : scene_read(settings->files.items[0], &options, &error);
    if (scene && scene->part_count == 0) {
        const bool has_note = scene->note_count > 0;
        snprintf(error.text, sizeof error.text, "there are no triangles to check%s%.300s",
                 has_note ? ": " : "", has_note ? scene->notes[scene->note_count - 1] : "");
        scene_free(scene);
        scene = NULL;
    }
    if (!scene)
        say_error("%s: %s", settings->files.items[0], error.text);
    return scene;
}

void command_say_notes(const Settings *settings, const Scene *scene, const Report *report)
{
    char size[WORDS_SIZE_ROOM];
    if (settings->is_quiet)
        return;
    for (int32_t i = 0; scene && i < scene->note_count; i++)
        say_error("%s: note: %s", settings->files.items[0], scene->notes[i]);
    if (report->file && words_size(report, size))
        say_error("%s: note: %s", settings->files.items[0], size);
}

typedef const char *NameOf(const Scene *scene, int32_t number);

static const char *part_name(const Scene *scene, int32_t number)
{
    return number < scene->part_count ? scene->parts[number].name : NULL;
}

static const char *clip_name(const Scene *scene, int32_t number)
{
    if (number == 0)
        return "rest";
    return number <= scene->clip_count ? scene->clips[number - 1].name : NULL;
}

/* All targets of all parts, one after another. */
static const char *target_name(const Scene *scene, int32_t number)
{
    for (int32_t p = 0; p < scene->part_count; number -= scene->parts[p++].target_count)
        if (number < scene->parts[p].target_count)
            return scene->parts[p].target_names[number];
    return NULL;
}

static bool is_earlier(const Scene *scene, NameOf *name_of, int32_t number)
{
    for (int32_t i = 0; i < number; i++)
        if (strcmp(name_of(scene, i), name_of(scene, number)) == 0)
            return true;
    return false;
}

/* "no part is named "bdy"; there are: body, shoes", as many names as are read with ease. */
static bool refuse_name(const Settings *settings, const Scene *scene, const char *what,
                        const char *name, NameOf *name_of)
{
    char list[600] = "";
    size_t used = 0;
    for (int32_t i = 0; name_of(scene, i); i++) {
        if (i < 1000 && is_earlier(scene, name_of, i))
            continue;
        if (used > 400) {
            used += (size_t)snprintf(list + used, sizeof list - used, ", ...");
            break;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.100s", used ? ", " : "",
                                 name_of(scene, i));
    }
    say_error("%s: no %s is named \"%s\"; there %s %s", settings->files.items[0], what, name,
              used ? "are:" : "are none", list);
    return false;
}

static bool check_globs(const Settings *settings, const Scene *scene, const char *what,
                        const TextList *globs, NameOf *name_of)
{
    for (int32_t g = 0; g < globs->count; g++) {
        bool is_there = false;
        for (int32_t i = 0; !is_there && name_of(scene, i); i++)
            is_there = glob_matches(globs->items[g], name_of(scene, i));
        if (!is_there)
            return refuse_name(settings, scene, what, globs->items[g], name_of);
    }
    return true;
}

static bool check_morphs(const Settings *settings, const Scene *scene)
{
    for (int32_t m = 0; m < settings->morph_count; m++) {
        bool is_there = false;
        for (int32_t p = 0; !is_there && p < scene->part_count; p++)
            for (int32_t t = 0; !is_there && t < scene->parts[p].target_count; t++)
                is_there = strcmp(scene->parts[p].target_names[t], settings->morphs[m].target) == 0;
        if (!is_there)
            return refuse_name(settings, scene, "morph target", settings->morphs[m].target,
                               target_name);
    }
    return true;
}

static bool is_chosen(const TextList *globs, const char *name)
{
    for (int32_t g = 0; g < globs->count; g++)
        if (glob_matches(globs->items[g], name))
            return true;
    return globs->count == 0;
}

/* Frames that no animation has would leave the rest pose alone, and that is no check of them. */
static bool check_frames(const Settings *settings, const Scene *scene)
{
    const SceneClip *longest = NULL;
    int32_t most = 0, low = 0;
    for (int32_t c = 0; c < scene->clip_count; c++) {
        double rate;
        const int32_t count = scene_clip_frames(&scene->clips[c], settings->rate, &rate);
        const int32_t first = scene_clip_first(&scene->clips[c], rate);
        if (first + count > most && is_chosen(&settings->animations, scene->clips[c].name)) {
            most = first + count;
            low = first;
            longest = &scene->clips[c];
        }
    }
    if (!longest || settings->frames[0] < most)
        return true;
    say_error("%s: no animation has frame %d; the longest, \"%s\", has frames %d to %d",
              settings->files.items[0], (int)settings->frames[0], longest->name, (int)low,
              (int)most - 1);
    return false;
}

/* What was asked for; or meters of glTF and of FBX, which is read in meters; NULL: not known. */
const char *command_unit(const Settings *settings, const Scene *scene)
{
    if (settings->unit)
        return settings->unit;
    return strncmp(scene->format, "glTF", 4) == 0 || strncmp(scene->format, "GLB", 3) == 0 ||
                   strncmp(scene->format, "VRM", 3) == 0 || strcmp(scene->format, "FBX") == 0
               ? "m"
               : NULL;
}

/* A length in the unit of the file, if it is given. */
static bool set_length(const char *name, const Length *length, const char *unit, double *value)
{
    if (length->value < 0)
        return true;
    if (length->meters > 0 && !unit) {
        say_error("%s: the unit of the file is not known: say --unit m, or a length without a unit",
                  name);
        return false;
    }
    *value =
        length->meters > 0 ? length->value * length->meters / unit_meters(unit) : length->value;
    return true;
}

bool command_options(const Settings *settings, const Scene *scene, CheckOptions *options)
{
    *options = check_options_default();
    options->parts = settings->parts.items;
    options->part_glob_count = settings->parts.count;
    options->clips = settings->animations.items;
    options->clip_glob_count = settings->animations.count;
    options->allows = settings->allows;
    options->allow_count = settings->allow_count;
    options->morphs = settings->morphs;
    options->morph_count = settings->morph_count;
    options->rate = settings->rate;
    options->first = settings->frames[0];
    options->last = settings->frames[1];
    options->step = settings->frames[2];
    options->excludes = settings->excludes;
    options->exclude_count = settings->exclude_count;
    options->alternatives = settings->alternatives.items;
    options->alternative_count = settings->alternatives.count;
    options->self = (CheckSelf)settings->self;
    options->has_volume = settings->has_volume;
    options->max_pairs = settings->max_pairs;
    options->unit = command_unit(settings, scene);
    options->settings = settings->named;
    options->depth = settings->depth >= 0 ? (CheckDepth)settings->depth
                     : settings->max_depth.value >= 0 || settings->max_cut.value >= 0
                         ? CHECK_DEPTH_ALL
                         : CHECK_DEPTH_WORST;
    options->shard = settings->shard[0];
    options->shard_count = settings->shard[1];
    options->is_eager = settings->is_eager;
    options->stop = limits_stop;
    return set_length("--max-depth", &settings->max_depth, options->unit, &options->max_depth) &&
           set_length("--max-cut", &settings->max_cut, options->unit, &options->max_cut) &&
           set_length("--clearance", &settings->max_clearance, options->unit,
                      &options->max_clearance) &&
           check_globs(settings, scene, "part", &settings->parts, part_name) &&
           check_globs(settings, scene, "animation", &settings->animations, clip_name) &&
           check_morphs(settings, scene) && check_frames(settings, scene);
}

int32_t command_jobs(const Settings *settings)
{
    return settings->jobs < INT32_MAX ? (int32_t)settings->jobs : INT32_MAX;
}

void command_limit(const Settings *settings, const char *file)
{
    limits_start(file, settings->time_limit, settings->memory_limit);
}

Exit command_failed(const char *file, const char *error)
{
    const bool is_memory = strstr(error, "memory") != NULL;
    const char *stopped = limits_stop(NULL);
    if (is_memory && limits_memory() > 0)
        say_error("%s: %s of %zu MB: --memory-limit sets how much there is", file, error,
                  limits_memory() >> 20);
    else
        say_error("%s: %s", file, stopped ? stopped : error);
    return is_memory || stopped ? EXIT_INTERNAL : EXIT_UNREADABLE;
}

/* ---- Reports -----------------------------------------------------------------------------------
 */

bool command_report(const char *path, Report *report)
{
    char error[400];
    size_t size = 0;
    char *bytes = files_read(path, MAX_REPORT_BYTES, &size);
    if (!bytes)
        snprintf(error, sizeof error, "%s", strerror(errno));
    bool is_read = bytes && report_read_json(bytes, size, report, error);
    if (!is_read)
        say_error("%s: %s", path, error);
    free(bytes);
    return is_read;
}

/* COLUMNS wins, as it does elsewhere; what is no terminal has no width. */
static int32_t terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    int given = columns ? atoi(columns) : 0;
    if (given > 0)
        return given;
    return compat_columns();
}

static bool has_color(When when)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (when != WHEN_AUTO)
        return when == WHEN_ALWAYS;
    return isatty(STDOUT_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
}

TableOptions command_view(const Settings *settings)
{
    return (TableOptions){.has_color = has_color((When)settings->color),
                          .width = terminal_width(),
                          .is_all = settings->is_all,
                          .has_page = settings->html != NULL || !page_is_built_in()};
}

const char *command_folder(void)
{
    static char folder[4096];
    return getcwd(folder, sizeof folder) ? folder : NULL;
}

static bool write_sarif(const Report *report, FILE *out)
{
    const ReportFile file = {.file = report->file, .report = report};
    const Reports reports = {.files = &file, .count = 1, .folder = command_folder()};
    return reports_write_sarif(&reports, out);
}

const Output output_table[] = {
    {offsetof(Settings, json), report_write_json, reports_write_json},
    {offsetof(Settings, csv), report_write_csv, reports_write_csv},
    {offsetof(Settings, csv_frames), report_write_csv_frames, reports_write_csv_frames},
    {offsetof(Settings, junit), report_write_junit, reports_write_junit},
    {offsetof(Settings, sarif), write_sarif, reports_write_sarif},
    {offsetof(Settings, faces), report_write_faces, reports_write_faces},
    {offsetof(Settings, html), NULL, reports_write_index},
    {offsetof(Settings, lines), NULL, NULL},
    {offsetof(Settings, output), NULL, NULL},
};
const int32_t output_count = sizeof output_table / sizeof *output_table;

const char *output_path(const Settings *settings, int32_t number)
{
    const char *path;
    memcpy(&path, (const char *)settings + output_table[number].path, sizeof path);
    return path;
}

bool command_outputs(const Settings *settings, bool *has_stdout)
{
    int count = 0;
    for (int32_t i = 0; i < output_count; i++) {
        const char *path = output_path(settings, i);
        count += path && strcmp(path, "-") == 0;
    }
    *has_stdout = count > 0;
    if (count > 1)
        say_error("only one file can be - (stdout)");
    return count <= 1;
}

/* Lines are added to a file that may be there, and are not written anew. */
bool command_can_write(const Settings *settings)
{
    for (int32_t i = 0; i < output_count; i++)
        if (output_path(settings, i) != settings->lines &&
            !files_can_be_written(output_path(settings, i)))
            return false;
    return true;
}

bool command_has_files(const Settings *settings)
{
    for (int32_t i = 0; i < output_count; i++)
        if (output_table[i].write && output_path(settings, i))
            return true;
    return false;
}

typedef struct OutputJob {
    const Output *output;
    const Report *report;
} OutputJob;

static bool write_output(const void *thing, FILE *out)
{
    const OutputJob *job = thing;
    return job->output->write(job->report, out);
}

bool command_write(const Settings *settings, const Report *report)
{
    for (int32_t i = 0; i < output_count; i++) {
        const OutputJob job = {&output_table[i], report};
        const char *path = output_path(settings, i);
        if (job.output->write && path && !files_write(path, write_output, &job, NULL))
            return false;
    }
    return true;
}

typedef struct TableJob {
    const Report *report;
    TableOptions options;
} TableJob;

static bool write_table(const void *thing, FILE *out)
{
    const TableJob *job = thing;
    return report_write_table(job->report, &job->options, out);
}

/* A check can be told as it was, and one more option behind it; but none goes behind "--". */
static bool can_be_told_again(const Settings *settings, const Report *report)
{
    for (int32_t i = 0; i < settings->words.count; i++)
        if (strcmp(settings->words.items[i], "--") == 0)
            return false;
    return strcmp(settings->files.items[0], report->file) == 0;
}

Exit command_exit_of(const Report *report)
{
    if (report_findings(report) > 0)
        return EXIT_FINDINGS;
    return report->incomplete ? EXIT_INTERNAL : EXIT_CLEAN;
}

Exit command_conclude(const Settings *settings, const Report *report)
{
    bool has_stdout = false;
    TableJob job = {report, command_view(settings)};
    if (can_be_told_again(settings, report)) {
        job.options.words = settings->words.items;
        job.options.word_count = settings->words.count;
    }
    if (!command_outputs(settings, &has_stdout))
        return EXIT_USAGE;
    if (!has_stdout && !settings->is_quiet && !files_write_out(write_table, &job))
        return EXIT_INTERNAL;
    return command_exit_of(report);
}
