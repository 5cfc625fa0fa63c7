/* pliant check: every frame of a model, every pair of its parts. */
#include "command.h"
#include "files.h"
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

typedef struct PageJob {
    const Scene *scene;
    const CheckOptions *options;
    const Report *report;
    const CheckContacts *contacts;
    char *error;
} PageJob;

static bool write_page(const void *thing, FILE *out)
{
    const PageJob *job = thing;
    return page_write(job->scene, job->options, job->report, job->contacts, out, job->error);
}

static Exit run_check(const Settings *settings, const Scene *scene, CheckOptions *options,
                      Report *report, CheckContacts *contacts)
{
    const char *file = settings->files.items[0];
    char error[400] = "";
    Progress progress = progress_begin((ProgressKind)settings->progress);
    options->progress = progress_step;
    options->user = &progress;
    options->keeps_contacts = settings->html != NULL;
    options->jobs = command_jobs(settings);
    say_catch_interrupts(true);
    bool is_run = check_run(scene, file, options, report, contacts, error);
    progress_end(&progress);
    options->progress = NULL;
    if (!is_run)
        return command_failed(file, error);
    PageJob page = {scene, options, report, contacts, error};
    if (!command_write(settings, report) ||
        (settings->html && !files_write(settings->html, write_page, &page, error)))
        return EXIT_INTERNAL;
    return command_conclude(settings, report);
}

static Exit check_scene(const Settings *settings, const Scene *scene)
{
    CheckOptions options;
    Report report = {0}, stored = {0};
    CheckContacts contacts = {0};
    Exit result = EXIT_USAGE;
    if (command_options(settings, scene, &options)) {
        result = EXIT_UNREADABLE;
        if (set_baseline(settings, &options, &stored))
            result = run_check(settings, scene, &options, &report, &contacts);
    }
    check_contacts_free(&contacts);
    report_free(&stored);
    report_free(&report);
    return result;
}

Exit command_check(const Settings *settings)
{
    bool has_stdout;
    if (!command_outputs(settings, &has_stdout))
        return EXIT_USAGE;
    if (settings->html && !page_is_built_in()) {
        say_error("this build has no page in it: --html cannot be written");
        return EXIT_USAGE;
    }
    Scene *scene = command_scene(settings);
    if (!scene)
        return EXIT_UNREADABLE;
    command_say_notes(settings, scene);
    Exit result = check_scene(settings, scene);
    scene_free(scene);
    return result;
}
