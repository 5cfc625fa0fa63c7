/* command: the subcommands, one file each, and what several of them need (command.c). */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

#include "cache.h"
#include "inputs.h"
#include "report/reports.h"
#include "say.h"

Exit command_check(const Settings *settings);
Exit command_inspect(const Settings *settings);
Exit command_render(const Settings *settings);
Exit command_suggest(const Settings *settings);
Exit command_diff(const Settings *settings);
Exit command_merge(const Settings *settings);
Exit command_completion(const Settings *settings);
Exit command_help(const Settings *settings);

/* ---- Scenes ------------------------------------------------------------------------------------
 */

/* Reads the model, or says why not. The cache may be told what is read; or NULL. */
Scene *command_scene(const Settings *settings, CacheModel *model);

/* Says on stderr what was read but means nothing here. */
void command_say_notes(const Settings *settings, const Scene *scene, const Report *report);

/* The unit of the scene's lengths; NULL: it is not known. */
const char *command_unit(const Settings *settings, const Scene *scene);

/* What a check is to do, as far as settings say it. False if a name in them is not in the scene:
 * that, and what there is instead, has been said. */
bool command_options(const Settings *settings, const Scene *scene, CheckOptions *options);

/* The jobs of a check: 0, for one on each processor, or how many. */
int32_t command_jobs(const Settings *settings);

/* Starts the limits of time and memory for a file, and gives them to a check. */
void command_limit(const Settings *settings, const char *file);

/* Says that a check failed. Memory is our failure, anything else the file's. */
Exit command_failed(const char *file, const char *error);

/* A check of one model, and what it was made from. */
typedef struct Checked {
    Scene *scene;
    CheckOptions options;
    Report report, stored; /* stored: the baseline */
    CheckContacts contacts;
} Checked;

/* Reads and checks one model, the first of the files. EXIT_CLEAN: there is a report, whatever it
 * found; out of the cache there is no scene to it. Else what is wrong has been said. To be freed
 * either way. */
Exit command_check_model(const Settings *settings, Checked *checked);
void command_free_checked(Checked *checked);

/* Writes the page of a model. False: that has been said. */
bool command_write_page(const Checked *checked, const char *path);

/* The same for one of several models: how its check ends, and what is wrong, without its name,
 * instead of saying it: command_many.c. */
Exit command_check_file(const Settings *settings, const char *path, Checked *checked,
                        char error[SAY_ROOM]);

/* Several models: one table, one file of each kind, an index page: command_many.c. */
Exit command_check_many(const Settings *settings, const Inputs *inputs);

/* Writes the files of several models that are asked for, and the table. */
bool command_write_many(const Settings *settings, const Reports *reports);

/* Several models: one line for each, as it is done: command_lines.c. */
Exit command_check_lines(const Settings *settings, const Inputs *inputs);

/* Is the file one of lines? And one report of all files of lines. */
bool command_are_lines(const char *path);
Exit command_merge_lines(const Settings *settings);

/* ---- Reports -----------------------------------------------------------------------------------
 */

/* Reads a stored report, or says why not. */
bool command_report(const char *path, Report *report);

/* How tables are to look on stdout. */
TableOptions command_view(const Settings *settings);

/* A file that a check writes: how, of one report, and of those of several models. NULL: not in this
 * way. */
typedef struct Output {
    size_t path; /* where it is in Settings: a const char * */
    bool (*write)(const Report *report, FILE *out);
    bool (*write_many)(const Reports *reports, FILE *out);
} Output;

extern const Output output_table[];
extern const int32_t output_count;
const char *output_path(const Settings *settings, int32_t number); /* NULL: it is not wanted */

/* Is something of it written to stdout, so that nothing else may be? Refuses two. */
bool command_outputs(const Settings *settings, bool *has_stdout);

/* Could all files be written that are asked for? Before any work. False: that has been said. */
bool command_can_write(const Settings *settings);

/* Is one of the files asked for that hold reports, but for pages? */
bool command_has_files(const Settings *settings);

/* The current folder, which SARIF has paths from; NULL: not known. */
const char *command_folder(void);

/* Writes them. */
bool command_write(const Settings *settings, const Report *report);

/* How a check ends that has this report. */
Exit command_exit_of(const Report *report);

/* The table to stdout, unless that is taken or it is not wanted; then the verdict as an exit. */
Exit command_conclude(const Settings *settings, const Report *report);

#endif
