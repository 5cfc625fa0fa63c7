/* pliant render: a picture of one moment, what intersects in red. */
#include "command.h"
#include "files.h"
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

typedef struct PictureJob {
    const Scene *scene;
    const ScenePose *pose;
    const Report *report;
    const CheckContacts *contacts;
    PictureOptions options;
    char *error;
} PictureJob;

static bool write_picture(const void *thing, const char *path)
{
    const PictureJob *job = thing;
    return picture_write(job->scene, job->pose, job->report, job->contacts, &job->options, path,
                         job->error);
}

static Exit draw(const Settings *settings, const Scene *scene, const CheckOptions *options)
{
    const char *file = settings->files.items[0];
    char error[400] = "";
    Report report = {0};
    CheckContacts contacts = {0};
    Exit result = EXIT_INTERNAL;
    ScenePose *pose = scene_pose_create(scene);
    PictureJob job = {scene, pose, &report, &contacts, picture_options_default(), error};
    job.options.width = settings->size[0];
    job.options.height = settings->size[1];
    job.options.yaw = settings->yaw;
    job.options.pitch = settings->pitch;
    job.options.zoom = settings->zoom;
    job.options.is_see_through = settings->is_see_through;
    job.options.has_self = settings->self != CHECK_SELF_NONE;
    if (!pose)
        say_error("there is no memory left");
    else if (!check_run(scene, file, options, &report, &contacts, error) ||
             !check_pose(scene, options, &report, 0, pose, error))
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

static Exit render_scene(const Settings *settings, const Scene *scene)
{
    CheckOptions options;
    if (!command_options(settings, scene, &options))
        return EXIT_USAGE;
    int32_t clip = chosen_clip(settings, scene);
    if (clip < -1 || (clip >= 0 && !choose_moment(settings, &scene->clips[clip], &options)))
        return EXIT_USAGE;
    char *glob = glob_of(clip < 0 ? "rest" : scene->clips[clip].name);
    if (!glob) {
        say_error("there is no memory left");
        return EXIT_INTERNAL;
    }
    const char *globs[] = {glob};
    options.clips = globs;
    options.clip_glob_count = 1;
    options.has_volume = false;
    options.depth = CHECK_DEPTH_NONE;
    options.keeps_contacts = true;
    Exit result = draw(settings, scene, &options);
    free(glob);
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
    Scene *scene = command_scene(settings);
    if (!scene)
        return EXIT_UNREADABLE;
    Exit result = render_scene(settings, scene);
    scene_free(scene);
    return result;
}
