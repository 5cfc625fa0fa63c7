/* pliant render: a picture of one moment: where parts cut each other, and how deep. */
#include "command.h"
#include "files.h"
#include "report/moment.h"
#include "report/words.h"
#include "say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Which clip is meant: by its name, or by a glob that only one has. -1 is the rest pose, -2 none:
 * that has been said. */
static int32_t chosen_clip(const Settings *settings, const Scene *scene)
{
    const TextList *globs = &settings->animations;
    bool has_moment = settings->frame >= 0 || !isnan(settings->time);
    int32_t found = -2, count = 0;
    if (globs->count == 0 && !has_moment)
        return -1;
    for (int32_t c = -1; c < scene->clip_count; c++) {
        const char *name = c < 0 ? "rest" : scene->clips[c].name;
        if (globs->count > 0 ? strcmp(globs->items[0], name) == 0
                             : c >= 0 && scene->clip_count == 1)
            return c;
        if (globs->count > 0 && glob_matches(globs->items[0], name)) {
            found = c;
            count++;
        }
    }
    if (count == 1 && globs->count == 1)
        return found;
    say_error("%s: a picture is of one animation, and %s; pliant inspect shows their names",
              settings->files.items[0],
              globs->count > 0 ? "more than one is meant" : "--animation does not say which");
    return -2;
}

/* A glob that a name matches: what a pattern would take for something else is any character. */
static char *glob_of(const char *name)
{
    char *glob = strdup(name);
    for (char *at = glob; at && *at; at++)
        if (strchr("*?[]", *at))
            *at = '?';
    return glob;
}

/* Frames are at start + k / rate. A time is the first frame behind the start at the rate that goes
 * with it. */
static bool choose_moment(const Settings *settings, const SceneClip *clip, CheckOptions *options)
{
    int64_t frame = settings->frame < 0 ? 0 : settings->frame;
    if (!isnan(settings->time)) {
        double after = settings->time - clip->start;
        if (settings->frame >= 0 || after < 0 || settings->time > clip->end) {
            say_error("%s: %s", settings->files.items[0],
                      settings->frame >= 0 ? "--frame and --time do not go together"
                                           : "--time is not within the animation");
            return false;
        }
        frame = after > 1e-6;
        options->rate = frame ? 1 / after : 0;
    }
    double rate;
    const int32_t count = scene_clip_frames(clip, options->rate, &rate);
    const int32_t first = scene_clip_first(clip, rate);
    if (settings->frame < 0)
        frame += first;
    if (frame < first || frame - first >= count) {
        say_error("%s: \"%s\" has frames %d to %d", settings->files.items[0], clip->name,
                  (int)first, (int)(first + count - 1));
        return false;
    }
    options->first = options->last = (int32_t)frame;
    return true;
}

/* ---- The worst ---------------------------------------------------------------------------------
 */

static bool is_named(const CheckAllow *pair, const char *a, const char *b)
{
    const bool is_self = strcmp(a, b) == 0;
    return (glob_matches(pair->a, a) && glob_matches(pair->b, is_self ? "self" : b)) ||
           (glob_matches(pair->a, a) && glob_matches(pair->b, b)) ||
           (glob_matches(pair->a, b) && glob_matches(pair->b, a));
}

/* The worst pair of parts of a report, of those that are named; -1: nothing intersects, -2: there
 * are no such parts, -3: no memory. */
static int32_t worst_pair(const Settings *settings, const Report *report)
{
    int32_t *order = calloc((size_t)report->pair_count + 1, sizeof *order);
    int32_t found = -2;
    const bool is_ordered = order && report_order(report, order);
    for (int32_t i = 0; i < report->pair_count && found < 0 && is_ordered; i++) {
        const ReportPair *pair = &report->pairs[order[i]];
        if (settings->worst.a &&
            !is_named(&settings->worst, report->parts[pair->a].name, report->parts[pair->b].name))
            continue;
        found = pair_summary(report, pair).worst >= 0 ? order[i] : -1;
    }
    free(order);
    return !is_ordered ? -3 : found == -2 && !settings->worst.a ? -1 : found;
}

static void say_worst(const Settings *settings, const Report *report, int32_t pair)
{
    const Summary summary = pair_summary(report, &report->pairs[pair]);
    char *words = words_row(report, &report->pairs[pair], summary.worst_row);
    char *moment = moment_name(report, summary.worst, true);
    if (words && moment && !settings->is_quiet)
        say_error("%s: %s, in %s", settings->files.items[0], words, moment);
    free(words);
    free(moment);
}

/* ---- The picture -------------------------------------------------------------------------------
 */

/* One moment, and what of it is framed. */
typedef struct Shot {
    CheckOptions options; /* of that moment alone */
    char *glob;           /* of its clip */
    int32_t focus;        /* a pair of parts, or -1 */
} Shot;

static bool choose_clip(Shot *shot, const char *name)
{
    char *glob = glob_of(name);
    free(shot->glob);
    shot->glob = glob;
    if (!glob)
        say_error("there is no memory left");
    return glob != NULL;
}

/* What there is instead of a worst pair of parts. */
static Exit say_none(const Settings *settings, int32_t focus)
{
    const char *file = settings->files.items[0];
    if (focus == -3)
        return command_failed(file, "there is no memory left");
    if (focus == -2) {
        say_error("%s: no two parts that are checked are named \"%s:%s\"; pliant inspect shows "
                  "names",
                  file, settings->worst.a, settings->worst.b);
        return EXIT_USAGE;
    }
    say_error("%s: nothing intersects%s: this is all of the model", file,
              settings->worst.a ? " of these parts" : "");
    return EXIT_CLEAN;
}

/* Runs the check that the settings say, and takes its worst moment, or that of the named parts. */
static Exit find_worst(const Settings *settings, const Scene *scene, Shot *shot)
{
    const char *file = settings->files.items[0];
    char error[400] = "";
    Report report = {0};
    Exit result = EXIT_CLEAN;
    if (!check_run(scene, file, &shot->options, &report, NULL, error))
        return command_failed(file, error);
    shot->focus = worst_pair(settings, &report);
    if (report.incomplete)
        result = command_failed(file, report.incomplete);
    else if (shot->focus < 0)
        result = say_none(settings, shot->focus);
    else
        say_worst(settings, &report, shot->focus);
    const int64_t sample =
        shot->focus < 0 ? 0 : pair_summary(&report, &report.pairs[shot->focus]).worst;
    const ReportRun *run = report_run_of(&report, sample);
    shot->options.first = shot->options.last = report_frame_of(run, sample);
    if (result == EXIT_CLEAN && !choose_clip(shot, run->name))
        result = EXIT_INTERNAL;
    report_free(&report);
    return result;
}

typedef struct PictureJob {
    PictureMoment moment;
    PictureOptions options;
    char *error;
} PictureJob;

static bool write_picture(const void *thing, const char *path)
{
    const PictureJob *job = thing;
    return picture_write(&job->moment, &job->options, path, NULL, job->error);
}

static PictureOptions picture_options(const Settings *settings, int32_t focus)
{
    PictureOptions options = picture_options_default();
    options.width = settings->size[0];
    options.height = settings->size[1];
    options.yaw = settings->yaw;
    options.pitch = settings->pitch;
    options.zoom = settings->zoom;
    options.is_see_through = settings->is_see_through;
    options.has_self = settings->self != CHECK_SELF_NONE;
    options.focus = focus;
    return options;
}

static Exit draw(const Settings *settings, const Scene *scene, const Shot *shot)
{
    const char *file = settings->files.items[0];
    char error[400] = "";
    Report report = {0};
    CheckContacts contacts = {0};
    Exit result = EXIT_INTERNAL;
    ScenePose *pose = scene_pose_create(scene);
    const PictureJob job = {
        {scene, &report, &contacts, 0, pose}, picture_options(settings, shot->focus), error};
    if (!pose)
        say_error("there is no memory left");
    else if (!check_run(scene, file, &shot->options, &report, &contacts, error) ||
             !check_pose(scene, &shot->options, &report, 0, pose, error))
        result = command_failed(file, error);
    else if (report.incomplete)
        result = command_failed(file, report.incomplete);
    else if (files_write_path(settings->output, write_picture, &job, error))
        result = EXIT_CLEAN;
    scene_pose_free(pose);
    check_contacts_free(&contacts);
    report_free(&report);
    return result;
}

/* Whether one moment is named: of one that is not, the worst can be searched for. */
static bool has_moment(const Settings *settings)
{
    return settings->frame >= 0 || !isnan(settings->time) || !settings->is_worst;
}

static Exit choose_shot(const Settings *settings, const Scene *scene, Shot *shot)
{
    if (has_moment(settings)) {
        const int32_t clip = chosen_clip(settings, scene);
        if (clip < -1 ||
            (clip >= 0 && !choose_moment(settings, &scene->clips[clip], &shot->options)))
            return EXIT_USAGE;
        if (!choose_clip(shot, clip < 0 ? "rest" : scene->clips[clip].name))
            return EXIT_INTERNAL;
        shot->options.clips = (const char *const *)&shot->glob;
        shot->options.clip_glob_count = 1;
    }
    if (!settings->is_worst)
        return EXIT_CLEAN;
    return find_worst(settings, scene, shot);
}

static Exit render_scene(const Settings *settings, const Scene *scene)
{
    Shot shot = {.focus = -1};
    if (!command_options(settings, scene, &shot.options))
        return EXIT_USAGE;
    shot.options.has_volume = false;
    Exit result = choose_shot(settings, scene, &shot);
    shot.options.clips = (const char *const *)&shot.glob;
    shot.options.clip_glob_count = 1;
    shot.options.depth = CHECK_DEPTH_NONE;
    shot.options.keeps_contacts = true;
    if (result == EXIT_CLEAN)
        result = draw(settings, scene, &shot);
    free(shot.glob);
    return result;
}

/* A picture is a PNG, whatever it is called: better to say so than to write one with another
 * ending. */
static bool is_png(const char *path)
{
    size_t length = strlen(path);
    return strcmp(path, "-") == 0 || (length > 4 && strcasecmp(path + length - 4, ".png") == 0);
}

Exit command_render(const Settings *settings)
{
    if (!settings->output || !is_png(settings->output)) {
        say_error("render needs a picture to write, which is a PNG: -o picture.png");
        return EXIT_USAGE;
    }
    for (int32_t m = 0; m < settings->morph_count; m++)
        if (settings->morphs[m].step_count > 1) {
            say_error("--morph: a picture is of one weight, not of a sweep");
            return EXIT_USAGE;
        }
    Scene *scene = command_scene(settings, NULL);
    if (!scene)
        return EXIT_UNREADABLE;
    Exit result = render_scene(settings, scene);
    scene_free(scene);
    return result;
}
