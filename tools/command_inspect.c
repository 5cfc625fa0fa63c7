/* pliant inspect: what is in a model, and what checking it will take. */
#include "command.h"
#include "files.h"
#include "progress.h"
#include "report/grid.h"
#include "report/text.h"
#include "report/words.h"
#include "say.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the library makes of a part ----------------------------------------------------------
 */

static void ignore(void *user, PliantResult result, const char *message)
{
    (void)user;
    (void)result;
    (void)message;
}

/* A shape as a check makes it, for its size and whether it is closed; zeros if it cannot be made:
 * a check says why. False: no memory. */
static bool inspect_shape(const Scene *scene, const ScenePart *part, PliantShapeInfo *out)
{
    PliantShapeInfo info = pliant_shape_info_default();
    PliantTarget *targets = calloc((size_t)part->target_count + 1, sizeof *targets);
    PliantShapeDef def = pliant_shape_def_default();
    PliantHost host = pliant_host_default();
    host.report = ignore;
    def.host = &host;
    def.vertices = (PliantVertices){part->vertices, part->vertex_count, 0};
    def.triangles = (PliantTriangles){part->triangles, part->triangle_count};
    def.targets = targets;
    def.target_count = part->target_count;
    for (int32_t i = 0; targets && i < part->target_count; i++)
        targets[i].vertices = (PliantVertices){
            part->targets + 3 * (size_t)i * (size_t)part->vertex_count, part->vertex_count, 0};
    PliantSkin skin = pliant_skin_default();
    if (part->skin >= 0 && scene->skins[part->skin].joint_count > 0) {
        skin.joint_count = scene->skins[part->skin].joint_count;
        skin.influence_count = part->influence_count;
        skin.joints = part->joints;
        skin.weights = part->joint_weights;
        def.skin = &skin;
    }
    PliantShape *shape = NULL;
    PliantResult result = targets ? pliant_shape_create(&def, &shape) : PLIANT_OUT_OF_MEMORY;
    if (result == PLIANT_OK)
        result = pliant_shape_info(shape, &info);
    pliant_shape_release(shape);
    free(targets);
    *out = info;
    return result != PLIANT_OUT_OF_MEMORY;
}

/* ---- The estimate ------------------------------------------------------------------------------
 */

#define MAX_LOOKS 8
#define MAX_SECONDS 0.5

/* Times of the first moments that are tried. */
typedef struct Stopwatch {
    double began, first, last;
    int64_t looks;
} Stopwatch;

static bool tick(void *user, const CheckProgress *progress)
{
    Stopwatch *watch = user;
    if (progress->is_measuring)
        return true;
    watch->last = progress_now();
    if (progress->done == 1)
        watch->first = watch->last;
    watch->looks = progress->done;
    return watch->last - watch->first < MAX_SECONDS;
}

typedef struct Cost {
    int64_t samples, looks, jobs;
    double seconds;
} Cost;

/* How many moments there are, and what there is to say of the model's size: a shard that has none
 * of them knows it too. */
static bool count_samples(const Scene *scene, const char *file, const CheckOptions *given,
                          Cost *cost, char size[WORDS_SIZE_ROOM], char error[400])
{
    CheckOptions check = *given;
    Report report;
    check.shard = check.shard_count = INT32_MAX;
    if (!check_run(scene, file, &check, &report, NULL, error))
        return false;
    cost->samples = report.sample_count;
    if (!words_size(&report, size))
        size[0] = 0;
    report_free(&report);
    return true;
}

/* Checks a few moments, spread over all, as a shard of many would. Getting ready and the first
 * look are once, the others are what each moment takes one job; jobs share the moments. */
static bool estimate(const Scene *scene, const char *file, const CheckOptions *given, Cost *cost,
                     char error[400])
{
    CheckOptions check = *given;
    Stopwatch watch = {.began = progress_now()};
    Report report;
    check.progress = tick;
    check.user = &watch;
    check.shard = 1;
    check.shard_count = cost->samples > MAX_LOOKS ? (int32_t)(cost->samples / MAX_LOOKS) : 1;
    if (check_run(scene, file, &check, &report, NULL, error))
        report_free(&report);
    else if (watch.looks == 0)
        return false; /* it failed, and was not stopped by us */
    double each = watch.last - watch.first;
    if (watch.looks > 1)
        each /= (double)(watch.looks - 1);
    cost->looks = watch.looks;
    cost->seconds =
        watch.first - watch.began + each * (double)(cost->samples - 1) / (double)cost->jobs;
    return true;
}

/* ---- Tables ------------------------------------------------------------------------------------
 */

typedef struct Inspection {
    const Settings *settings;
    const Scene *scene;
    Cost cost;
    char size[WORDS_SIZE_ROOM]; /* a note, or "" */
    TableOptions look;
} Inspection;

static const GridColumn part_columns[] = {
    {"part", false, 20, 0},    {"vertices", true, 0, 0}, {"in file", true, 0, 3},
    {"triangles", true, 0, 0}, {"targets", true, 0, 2},  {"joints", true, 0, 1},
    {"surface", false, 0, 0},
};

static size_t put_parts(const Inspection *inspection, bool *is_written, FILE *out)
{
    const Scene *scene = inspection->scene;
    Grid grid = {.columns = part_columns, .column_count = 7};
    size_t bytes = 0;
    *is_written = true;
    for (int32_t i = 0; i < scene->part_count; i++) {
        const ScenePart *part = &scene->parts[i];
        PliantShapeInfo info;
        *is_written &= inspect_shape(scene, part, &info);
        bytes += info.byte_size;
        grid_row(&grid, STYLE_PLAIN);
        grid_cell(&grid, "%s", part->name);
        grid_cell(&grid, "%" PRId32, part->vertex_count);
        grid_cell(&grid, "%" PRId32, part->read_count);
        grid_cell(&grid, "%" PRId32, part->triangle_count);
        grid_cell(&grid, "%" PRId32, part->target_count);
        grid_cell(&grid, "%" PRId32, part->skin >= 0 ? scene->skins[part->skin].joint_count : 0);
        grid_cell(&grid, "%s", info.is_closed ? "closed" : "open");
    }
    *is_written &= grid_write(&grid, inspection->look.has_color, inspection->look.width, out);
    grid_free(&grid);
    return bytes;
}

static const GridColumn clip_columns[] = {
    {"animation", false, 20, 0},
    {"seconds", true, 0, 0},
    {"own rate", true, 0, 0},
    {"frames", true, 0, 0},
};

static bool put_clips(const Inspection *inspection, FILE *out)
{
    const Scene *scene = inspection->scene;
    Grid grid = {.columns = clip_columns, .column_count = 4};
    for (int32_t i = 0; i < scene->clip_count; i++) {
        const SceneClip *clip = &scene->clips[i];
        double rate;
        int32_t frames = scene_clip_frames(clip, inspection->settings->rate, &rate);
        grid_row(&grid, STYLE_PLAIN);
        grid_cell(&grid, "%s", clip->name);
        grid_cell(&grid, "%.2f", clip->end - clip->start);
        if (clip->fps > 0)
            grid_cell(&grid, "%.4g", clip->fps);
        else
            grid_cell(&grid, "none");
        grid_cell(&grid, "%" PRId32, frames);
    }
    if (scene->clip_count > 0)
        putc('\n', out);
    bool is_written = scene->clip_count == 0 ||
                      grid_write(&grid, inspection->look.has_color, inspection->look.width, out);
    grid_free(&grid);
    return is_written;
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

static void put_size(size_t bytes, FILE *out)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    double size = (double)bytes;
    int unit = 0;
    for (; size >= 1000 && unit < 3; unit++)
        size /= 1000;
    char text[32];
    text_format_number(size, 3, text);
    fprintf(out, "%s %s", text, units[unit]);
}

static void put_cost(const Cost *cost, size_t shape_bytes, FILE *out)
{
    char seconds[32];
    text_format_number(cost->seconds, 2, seconds);
    fprintf(out, "\nA check covers %" PRId64 " moment%s, holds ", cost->samples,
            cost->samples == 1 ? "" : "s");
    put_size(shape_bytes, out);
    fprintf(out, " of shapes, and takes about %s s", seconds);
    if (cost->jobs > 1)
        fprintf(out, " with %" PRId64 " jobs", cost->jobs);
    fprintf(out, " (by %" PRId64 " of them, without volumes).\n", cost->looks);
}

static void put_note(const char *note, FILE *out)
{
    fputs("note: ", out);
    text_write_plain(note, out);
    putc('\n', out);
}

static bool write_inspection(const void *thing, FILE *out)
{
    const Inspection *inspection = thing;
    const Scene *scene = inspection->scene;
    bool is_written;
    if (inspection->look.has_color)
        fputs(style_code(STYLE_BOLD), out);
    text_write_plain(inspection->settings->files.items[0], out);
    if (inspection->look.has_color)
        fputs(style_code(STYLE_PLAIN), out);
    fprintf(out, " (%s): %" PRId32 " part%s, %" PRId32 " animation%s\n\n", scene->format,
            scene->part_count, scene->part_count == 1 ? "" : "s", scene->clip_count,
            scene->clip_count == 1 ? "" : "s");
    size_t shape_bytes = put_parts(inspection, &is_written, out);
    is_written &= put_clips(inspection, out);
    if (scene->note_count > 0 || inspection->size[0])
        putc('\n', out);
    for (int32_t i = 0; i < scene->note_count; i++)
        put_note(scene->notes[i], out);
    if (inspection->size[0])
        put_note(inspection->size, out);
    put_cost(&inspection->cost, shape_bytes, out);
    return is_written && !ferror(out);
}

static Exit inspect_scene(const Settings *settings, const Scene *scene)
{
    const char *file = settings->files.items[0];
    CheckOptions check;
    char error[400] = "";
    Inspection inspection = {.settings = settings, .scene = scene, .look = command_view(settings)};
    if (!command_options(settings, scene, &check))
        return EXIT_USAGE;
    check.has_volume = false;
    check.depth = CHECK_DEPTH_NONE;
    inspection.cost.jobs = check_job_count(command_jobs(settings));
    if (!count_samples(scene, file, &check, &inspection.cost, inspection.size, error) ||
        !estimate(scene, file, &check, &inspection.cost, error))
        return command_failed(file, error);
    return settings->is_quiet || files_write_out(write_inspection, &inspection) ? EXIT_CLEAN
                                                                                : EXIT_INTERNAL;
}

Exit command_inspect(const Settings *settings)
{
    Scene *scene = command_scene(settings, NULL);
    if (!scene)
        return EXIT_UNREADABLE;
    Exit result = inspect_scene(settings, scene);
    scene_free(scene);
    return result;
}
