/* The `pliant` command: which subcommand it is, and what all of them share. */
#include "command.h"
#include "compat.h"
#include "files.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

const Command command_table[] = {
    {"check", FOR_CHECK, "FILE...", 1, INT32_MAX,
     "check every frame of models, and say which parts intersect, when and how badly", NULL,
     command_check},
    {"inspect", FOR_INSPECT, "FILE", 1, 1, "say what is in a model, and what checking it will take",
     NULL, command_inspect},
    {"render", FOR_RENDER, "FILE -o PNG", 1, 1,
     "draw one moment of a model: where parts cut each other, and how deep they are inside", NULL,
     command_render},
    {"suggest", FOR_SUGGEST, "FILE", 1, 1,
     "write a config file for a model, with comments: alternatives, what may intersect, limits",
     NULL, command_suggest},
    {"diff", FOR_DIFF, "BEFORE.json AFTER.json", 2, 2,
     "say what changed from one report to another; exit 1 if something is worse", NULL,
     command_diff},
    {"merge", FOR_MERGE, "SHARD.json...", 1, INT32_MAX,
     "make one report of the shards of a check, or of the lines of many models", NULL,
     command_merge},
    {"completion", FOR_COMPLETION, "bash|zsh", 1, 1, "print completion for a shell", "bash|zsh",
     command_completion},
    {"help", FOR_HELP, "[COMMAND]", 0, 1, "tell about a command",
     "check|inspect|render|suggest|diff|merge|completion", command_help},
};
const int32_t command_count = sizeof command_table / sizeof *command_table;

const Command *command_of(const char *name)
{
    for (int32_t i = 0; i < command_count; i++)
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    return NULL;
}

/* ---- Help, version, completion -----------------------------------------------------------------
 */

static bool write_help(const void *command, FILE *out)
{
    if (command)
        help_write(command, out);
    else
        help_write_all(out);
    return !ferror(out);
}

static bool write_version(const void *version, FILE *out)
{
    return fprintf(out, "pliant %s\n", (const char *)version) > 0;
}

static bool write_completion(const void *shell, FILE *out)
{
    return completion_write(shell, out) && !ferror(out);
}

static Exit unknown_command(const char *word)
{
    const char *near = option_nearest(word, 0);
    if (near)
        say_error("unknown command \"%s\"; did you mean \"%s\"?", word, near);
    else
        say_error("unknown command \"%s\"; pliant help shows those there are", word);
    return EXIT_USAGE;
}

Exit command_help(const Settings *settings)
{
    const Command *command = NULL;
    if (settings->files.count > 0 && !(command = command_of(settings->files.items[0])))
        return unknown_command(settings->files.items[0]);
    return files_write_out(write_help, command) ? EXIT_CLEAN : EXIT_INTERNAL;
}

Exit command_completion(const Settings *settings)
{
    const char *shell = settings->files.items[0];
    if (strcmp(shell, "bash") != 0 && strcmp(shell, "zsh") != 0) {
        say_error("there is completion for bash and zsh, and none for \"%s\"", shell);
        return EXIT_USAGE;
    }
    return files_write_out(write_completion, shell) ? EXIT_CLEAN : EXIT_INTERNAL;
}

/* ---- A run -------------------------------------------------------------------------------------
 */

static Exit run(const Command *command, int count, char *const *words)
{
    Settings settings;
    settings_init(&settings);
    Exit result = EXIT_USAGE;
    if (settings_read(&settings, command, count, words)) {
        if (settings.wants_help)
            result = files_write_out(write_help, command) ? EXIT_CLEAN : EXIT_INTERNAL;
        else
            result = command_can_write(&settings) ? command->run(&settings) : EXIT_INTERNAL;
    }
    settings_free(&settings);
    return result;
}

int main(int count, char **words)
{
    compat_start();
    say_watch_signals();
    if (count < 2) {
        write_help(NULL, stderr);
        return EXIT_USAGE;
    }
    const char *word = words[1];
    if (strcmp(word, "--version") == 0)
        return files_write_out(write_version, pliant_version()) ? EXIT_CLEAN : EXIT_INTERNAL;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return files_write_out(write_help, NULL) ? EXIT_CLEAN : EXIT_INTERNAL;
    const Command *command = command_of(word);
    const Exit result = command ? run(command, count - 2, words + 2) : unknown_command(word);
    say_end_interrupted();
    return result;
}
