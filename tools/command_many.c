/* pliant check of several models: one table, one file of each kind, an index page.
 *
 * Models are checked one after another, each by all jobs. A model that cannot be read is a row, and
 * the others go on. What is kept of a model is its report; pages and pictures are made while it is
 * there.
 */
#include "command.h"
#include "compat.h"
#include "files.h"
#include "say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PICTURE_WIDTH = 320, PICTURE_HEIGHT = 240, PICTURE_BYTES = 1 << 22, STEM_ROOM = 48 };

/* With more pairs of triangles, depths would take as long as the check. */
enum { PICTURE_PAIRS = 10000 };

typedef struct Row {
    ReportFile file;
    Report report;
    char error[SAY_ROOM];
    char page[STEM_ROOM + 300]; /* from where the index is */
    uint8_t *picture;
} Row;

typedef struct Many {
    const Settings *settings;
    char folder[4096]; /* of pages; "" without */
    Row *rows;
    ReportFile *files;
    Reports reports;
} Many;

/* ---- Pictures ----------------------------------------------------------------------------------
 */

/* Where it is worst, and of that pair of parts; or all of the first moment. */
static bool draw(const Checked *checked, const char *path)
{
    char error[400];
    const Report *report = &checked->report;
    PictureOptions options = picture_options_default();
    PictureMoment moment = {
        .scene = checked->scene, .report = report, .contacts = &checked->contacts};
    ScenePose *pose = scene_pose_create(checked->scene);
    options.width = PICTURE_WIDTH;
    options.height = PICTURE_HEIGHT;
    options.focus = report_worst_pair(report);
    options.max_pairs = PICTURE_PAIRS;
    options.is_bare = true; /* the card says how deep, and pages are light or dark */
    if (options.focus >= 0)
        moment.sample = pair_summary(report, &report->pairs[options.focus]).worst;
    moment.pose = pose;
    const bool is_drawn =
        pose && check_pose(checked->scene, &checked->options, report, moment.sample, pose, error) &&
        picture_write(&moment, &options, path, NULL, error);
    scene_pose_free(pose);
    return is_drawn;
}

/* Pictures are written to files: this one is read back, and removed. Without it a card is empty. */
static void make_picture(const Checked *checked, Row *row)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/pliant.XXXXXX", folder && *folder ? folder : "/tmp");
    const int number = compat_open_new(path);
    if (number < 0)
        return;
    close(number);
    if (draw(checked, path))
        row->picture = (uint8_t *)files_read(path, PICTURE_BYTES, &row->file.picture_size);
    row->file.picture = row->picture;
    unlink(path);
}

/* ---- Pages -------------------------------------------------------------------------------------
 */

/* "out/report.html" has its pages in "out/report_files". */
static bool make_folder(Many *many)
{
    const char *html = many->settings->html;
    if (!html)
        return true;
    if (strcmp(html, "-") == 0) {
        say_error("--html: pages of several models need a folder: give it the name of a file");
        return false;
    }
    const char *slash = strrchr(html, '/'), *dot = strrchr(html, '.');
    const size_t stem =
        dot && dot > (slash ? slash + 1 : html) ? (size_t)(dot - html) : strlen(html);
    if (stem > sizeof many->folder - 400) {
        say_error("--html: %s", strerror(ENAMETOOLONG));
        return false;
    }
    snprintf(many->folder, sizeof many->folder, "%.*s_files", (int)stem, html);
    if (mkdir(many->folder, 0777) == 0 || errno == EEXIST)
        return true;
    say_error("%s: cannot be written: %s", many->folder, strerror(errno));
    return false;
}

/* Names of pages have letters and digits alone, and a number, so that no two are the same. */
static void name_page(const Many *many, int32_t number, const char *path, Row *row)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *start = strrchr(many->folder, '/');
    char stem[STEM_ROOM];
    size_t length = 0;
    for (; name[length] && name[length] != '.' && length + 1 < sizeof stem; length++) {
        const char c = name[length];
        const bool is_plain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
        stem[length] = is_plain ? c : '_';
    }
    stem[length] = 0;
    snprintf(row->page, sizeof row->page, "%.240s/%d-%s.html", start ? start + 1 : many->folder,
             (int)number + 1, stem);
}

static bool write_page(const Many *many, int32_t number, const char *path, const Checked *checked,
                       Row *row)
{
    char file[sizeof many->folder + STEM_ROOM];
    name_page(many, number, path, row);
    snprintf(file, sizeof file, "%s/%s", many->folder, strrchr(row->page, '/') + 1);
    row->file.page = row->page;
    return command_write_page(checked, file);
}

/* ---- Models ------------------------------------------------------------------------------------
 */

/* An error begins with the name of the file, which its row has already. */
static void trim_error(const char *path, char *error)
{
    const size_t length = strlen(path);
    if (strncmp(error, path, length) == 0 && strncmp(error + length, ": ", 2) == 0)
        memmove(error, error + length + 2, strlen(error + length + 2) + 1);
}

Exit command_check_file(const Settings *settings, const char *path, Checked *checked,
                        char error[SAY_ROOM])
{
    Settings one = *settings;
    const char *files[] = {path};
    *checked = (Checked){0};
    error[0] = 0;
    if (say_is_interrupted()) {
        snprintf(error, SAY_ROOM, "not checked: interrupted");
        return EXIT_INTERNAL;
    }
    one.files = (TextList){files, 1};
    one.shard[0] = one.shard[1] = 1; /* shards are of files */
    say_into(error);
    const Exit result = command_check_model(&one, checked);
    say_into(NULL);
    command_say_notes(&one, checked->scene, &checked->report);
    if (result != EXIT_CLEAN) {
        trim_error(path, error);
        return result;
    }
    if (*error) /* the report could not be kept */
        say_error("%s", error);
    return command_exit_of(&checked->report);
}

static Exit check_file(Many *many, int32_t number, const char *path)
{
    Row *row = &many->rows[number];
    Checked checked;
    row->file = (ReportFile){.file = path, .error = row->error};
    Exit result = command_check_file(many->settings, path, &checked, row->error);
    if (checked.report.file) {
        if (*many->folder) {
            make_picture(&checked, row);
            if (!write_page(many, number, path, &checked, row))
                result = EXIT_INTERNAL;
        }
        row->report = checked.report;
        row->file.report = &row->report;
        checked.report = (Report){0};
    }
    command_free_checked(&checked);
    return result;
}

/* ---- All of them -------------------------------------------------------------------------------
 */

typedef bool WriteReports(const Reports *reports, FILE *out);

typedef struct OutputJob {
    const Reports *reports;
    WriteReports *write;
    TableOptions table;
} OutputJob;

static bool write_output(const void *thing, FILE *out)
{
    const OutputJob *job = thing;
    return job->write(job->reports, out);
}

static bool write_table(const void *thing, FILE *out)
{
    const OutputJob *job = thing;
    return reports_write_table(job->reports, &job->table, out);
}

bool command_write_many(const Settings *settings, const Reports *reports)
{
    bool has_stdout = false;
    (void)command_outputs(settings, &has_stdout);
    OutputJob job = {.reports = reports, .table = command_view(settings)};
    for (int32_t i = 0; i < output_count; i++) {
        const char *path = output_path(settings, i);
        job.write = output_table[i].write_many;
        if (job.write && path && !files_write(path, write_output, &job, NULL))
            return false;
    }
    return has_stdout || settings->is_quiet || files_write_out(write_table, &job);
}

static void free_rows(Many *many, int32_t count)
{
    for (int32_t i = 0; many->rows && i < count; i++) {
        report_free(&many->rows[i].report);
        free(many->rows[i].picture);
    }
    free(many->rows);
    free(many->files);
}

Exit command_check_many(const Settings *settings, const Inputs *inputs)
{
    Many many = {.settings = settings};
    if (settings->shard[1] > 1) {
        say_error("--shard of several models needs --lines, which pliant merge reads");
        return EXIT_USAGE;
    }
    if (!make_folder(&many))
        return EXIT_USAGE;
    Exit worst = EXIT_INTERNAL;
    many.rows = calloc((size_t)inputs->count, sizeof *many.rows);
    many.files = calloc((size_t)inputs->count, sizeof *many.files);
    if (!many.rows || !many.files) {
        say_error("there is no memory left");
    } else {
        worst = EXIT_CLEAN;
        for (int32_t i = 0; i < inputs->count; i++) {
            const Exit result = check_file(&many, i, inputs->paths[i]);
            worst = result > worst ? result : worst;
            many.files[i] = many.rows[i].file;
        }
        many.reports =
            (Reports){.files = many.files, .count = inputs->count, .folder = command_folder()};
        if (!command_write_many(settings, &many.reports))
            worst = EXIT_INTERNAL;
    }
    free_rows(&many, inputs->count);
    return worst;
}
