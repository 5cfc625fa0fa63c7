/* pliant merge: the report of a whole check, of those of all its shards. Lines: command_lines.c. */
#include "command.h"
#include "say.h"

#include <stdlib.h>

static Exit merge(const Settings *settings, const Report *shards)
{
    Report whole;
    char error[400];
    if (!report_merge(shards, settings->files.count, &whole, error)) {
        say_error("%s: %s", settings->files.items[0], error);
        return EXIT_UNREADABLE;
    }
    Exit result = EXIT_INTERNAL;
    if (command_write(settings, &whole))
        result = command_conclude(settings, &whole);
    report_free(&whole);
    return result;
}

Exit command_merge(const Settings *settings)
{
    bool has_stdout;
    if (!command_outputs(settings, &has_stdout))
        return EXIT_USAGE;
    for (int32_t i = 0; i < settings->files.count; i++) /* a shard without models has no lines */
        if (command_are_lines(settings->files.items[i]))
            return command_merge_lines(settings);
    int32_t count = 0;
    Report *shards = calloc((size_t)settings->files.count, sizeof *shards);
    if (!shards) {
        say_error("there is no memory left");
        return EXIT_INTERNAL;
    }
    while (count < settings->files.count &&
           command_report(settings->files.items[count], &shards[count]))
        count++;
    Exit result = count == settings->files.count ? merge(settings, shards) : EXIT_UNREADABLE;
    for (int32_t i = 0; i < count; i++)
        report_free(&shards[i]);
    free(shards);
    return result;
}
