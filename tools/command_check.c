/* pliant check: every frame of a model, every pair of its parts. Several models: command_many.c. */
#include "command.h"
#include "files.h"
#include "inputs.h"
#include "progress.h"
#include "say.h"

#include <string.h>

/* The baseline: a word, or a report that was stored. *stored is to be freed either way. */
static bool set_baseline(const Settings *settings, CheckOptions *options, Report *stored)
{
    if (strcmp(settings->baseline, "none") == 0)
        return true;
    if (strcmp(settings->baseline, "rest") == 0) {
        options->is_baseline_rest = true;
        return true;
    }
    if (!command_report(settings->baseline, stored))
        return false;
    options->baseline = stored;
    options->baseline_name = settings->baseline;
    return true;
}

/* ---- One model --------------------------------------------------------------------------------
 */

static Exit run(const Settings *settings, Checked *checked)
{
    const char *file = settings->files.items[0];
    char error[400] = "";
    CheckOptions *options = &checked->options;
    Progress progress = progress_begin((ProgressKind)settings->progress);
    options->progress = progress_step;
    options->user = &progress;
    options->keeps_contacts = options->keeps_depths = settings->html != NULL;
    options->jobs = command_jobs(settings);
    say_catch_interrupts(true);
    const bool is_run =
        check_run(checked->scene, file, options, &checked->report, &checked->contacts, error);
    progress_end(&progress);
    options->progress = NULL;
    return is_run ? EXIT_CLEAN : command_failed(file, error);
}

static Exit check_model(const Settings *settings, CacheModel *model, Checked *checked)
{
    checked->scene = command_scene(settings, model->is_kept ? model : NULL);
    if (!checked->scene)
        return EXIT_UNREADABLE;
    if (!command_options(settings, checked->scene, &checked->options))
        return EXIT_USAGE;
    if (!set_baseline(settings, &checked->options, &checked->stored))
        return EXIT_UNREADABLE;
    return run(settings, checked);
}

Exit command_check_model(const Settings *settings, Checked *checked)
{
    CacheModel model;
    Exit result = EXIT_CLEAN;
    *checked = (Checked){0};
    if (!cache_find(&model, settings, &checked->report)) {
        result = check_model(settings, &model, checked);
        if (result == EXIT_CLEAN)
            cache_keep(&model, &checked->report);
    }
    cache_free(&model);
    return result;
}

void command_free_checked(Checked *checked)
{
    check_contacts_free(&checked->contacts);
    report_free(&checked->stored);
    report_free(&checked->report);
    scene_free(checked->scene);
    *checked = (Checked){0};
}

typedef struct PageJob {
    const Checked *checked;
    char *error;
} PageJob;

static bool write_page(const void *thing, FILE *out)
{
    const PageJob *job = thing;
    const Checked *checked = job->checked;
    return page_write(checked->scene, &checked->options, &checked->report, &checked->contacts, out,
                      job->error);
}

bool command_write_page(const Checked *checked, const char *path)
{
    char error[400] = "";
    const PageJob job = {checked, error};
    return files_write(path, write_page, &job, error);
}

static Exit check_one(const Settings *settings)
{
    Checked checked;
    Exit result = command_check_model(settings, &checked);
    command_say_notes(settings, checked.scene, &checked.report);
    if (result == EXIT_CLEAN) {
        const bool is_written = command_write(settings, &checked.report) &&
                                (!settings->html || command_write_page(&checked, settings->html));
        result = is_written ? command_conclude(settings, &checked.report) : EXIT_INTERNAL;
    }
    command_free_checked(&checked);
    return result;
}

static Exit check_inputs(const Settings *settings, const Inputs *inputs)
{
    if (settings->lines)
        return command_check_lines(settings, inputs);
    return inputs->are_many ? command_check_many(settings, inputs) : check_one(settings);
}

Exit command_check(const Settings *settings)
{
    bool has_stdout;
    if (!command_outputs(settings, &has_stdout))
        return EXIT_USAGE;
    if (settings->html && !page_is_built_in()) {
        say_error("this build has no page in it: --html takes one that was configured with "
                  "-DPLIANT_PAGE=ON");
        return EXIT_USAGE;
    }
    if (settings->html && settings->lines) {
        say_error("--html does not go with --lines, which hold no models");
        return EXIT_USAGE;
    }
    if (settings->cache && !cache_open(settings->cache))
        return EXIT_USAGE;
    Inputs inputs;
    Exit result = inputs_find(&settings->files, settings->list, &inputs);
    if (result == EXIT_CLEAN)
        result = check_inputs(settings, &inputs);
    inputs_free(&inputs);
    return result;
}
