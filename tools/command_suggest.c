/* pliant suggest: a config file for a model, with reasons, to be read and changed.
 *
 * Everything follows from one check. Parts that hang on one node, never move against each other and
 * intersect are taken for alternatives: swords of one hand. A pair of parts that intersects in
 * every frame is how the model was made, perhaps; so is one that is no deeper than in the rest
 * pose. What is a guess is commented out. */
#include "command.h"
#include "files.h"
#include "report/words.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

/* A name as a glob in a config file: what would mean something there is any character. */
static void put_glob(const char *name, FILE *out)
{
    for (; *name; name++)
        putc(strchr("*?[]:,#", *name) || (unsigned char)*name < ' ' ? '?' : *name, out);
}

/* A name in a comment. */
static void put_name(const char *name, FILE *out)
{
    for (; *name; name++)
        putc((unsigned char)*name < ' ' || *name == 127 ? '?' : *name, out);
}

typedef struct Suggestion {
    const Scene *scene;
    const Report *report;
    const int32_t *parts; /* of the scene, by part of the report */
    bool *is_listed;      /* of each part of the report: in a list of alternatives */
} Suggestion;

/* ---- Alternatives ------------------------------------------------------------------------------
 */

static const ReportPair *pair_of(const Report *report, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < report->pair_count; i++)
        if (report->pairs[i].a == a && report->pairs[i].b == b)
            return &report->pairs[i];
    return NULL;
}

static int32_t parent_of(const Suggestion *suggestion, int32_t part)
{
    const int32_t node = suggestion->scene->parts[suggestion->parts[part]].node;
    return node >= 0 ? suggestion->scene->nodes[node].parent : -1;
}

/* Do two parts hang on one node, and intersect without moving? */
static bool are_alternatives(const Suggestion *suggestion, int32_t a, int32_t b)
{
    const ReportPair *pair = pair_of(suggestion->report, a, b);
    return parent_of(suggestion, a) >= 0 && parent_of(suggestion, a) == parent_of(suggestion, b) &&
           pair && pair->kind == PAIR_RIGID &&
           pair_summary(suggestion->report, pair).verdict > VERDICT_TOUCHING;
}

static void put_list(Suggestion *suggestion, int32_t first, FILE *out)
{
    const Report *report = suggestion->report;
    bool is_open = false;
    for (int32_t b = first + 1; b < report->part_count; b++) {
        if (suggestion->is_listed[b] || !are_alternatives(suggestion, first, b))
            continue;
        if (!is_open) {
            fputs("# They are in one place of \"", out);
            put_name(suggestion->scene->nodes[parent_of(suggestion, first)].name, out);
            fputs("\" and go through each other.\n# If they are never there together, take the # "
                  "away.\n"
                  "# alternatives ",
                  out);
            put_glob(report->parts[first].name, out);
        }
        putc(',', out);
        put_glob(report->parts[b].name, out);
        is_open = suggestion->is_listed[b] = suggestion->is_listed[first] = true;
    }
    if (is_open)
        fputs("\n\n", out);
}

/* ---- What may be meant to intersect ------------------------------------------------------------
 */

static bool is_of_list(const Suggestion *suggestion, const ReportPair *pair)
{
    return suggestion->is_listed[pair->a] && suggestion->is_listed[pair->b];
}

static bool is_always(const Report *report, const ReportPair *pair)
{
    return pair->kind == PAIR_RIGID ||
           pair_summary(report, pair).sample_count == report->tested_count;
}

static void put_allowed(const Suggestion *suggestion, FILE *out)
{
    const Report *report = suggestion->report;
    bool is_first = true;
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        const Summary summary = pair_summary(report, pair);
        char depth[40];
        if (!summary.is_finding || pair->a == pair->b || is_of_list(suggestion, pair) ||
            !is_always(report, pair))
            continue;
        if (is_first)
            fputs("# These intersect in every frame. If that is how they are made, take the # "
                  "away.\n",
                  out);
        is_first = false;
        words_length(report, summary.max_depth, depth);
        fputs("# allow ", out);
        put_glob(report->parts[pair->a].name, out);
        putc(':', out);
        put_glob(report->parts[pair->b].name, out);
        fprintf(out, "  # up to %s deep\n", depth);
    }
    if (!is_first)
        putc('\n', out);
}

static void put_rest(const Suggestion *suggestion, FILE *out)
{
    const Report *report = suggestion->report;
    char size[40], small[40];
    double rounded = report->size / 1000;
    words_length(report, report->size, size);
    words_length(report, rounded, small);
    fputs("# Count only what animations add to the rest pose.\n# baseline rest\n\n", out);
    fprintf(out, "# The model is %s large. Let a thousandth of that pass.\n# max-depth %s\n\n",
            size, small);
    if (!report->unit[0])
        fputs("# The file does not say its unit: if it is known, lengths are told in it.\n"
              "# unit cm\n\n",
              out);
    fputs("# Do not look for self-collision.\n# no-self\n", out);
}

static bool write_suggestion(const void *thing, FILE *out)
{
    Suggestion *suggestion = *(Suggestion *const *)thing;
    fputs("# pliant.conf: options for pliant check, one on a line; # begins a comment.\n"
          "# Suggested by: pliant suggest ",
          out);
    put_name(suggestion->report->file, out);
    fputs("\n\n", out);
    for (int32_t a = 0; a < suggestion->report->part_count; a++)
        if (!suggestion->is_listed[a])
            put_list(suggestion, a, out);
    put_allowed(suggestion, out);
    put_rest(suggestion, out);
    return !ferror(out);
}

/* ---- The command -------------------------------------------------------------------------------
 */

/* The scene's part of each part of the report, by name: no two have the same. */
static void find_parts(const Scene *scene, const Report *report, int32_t *parts)
{
    for (int32_t p = 0; p < report->part_count; p++)
        for (int32_t s = 0; s < scene->part_count; s++)
            if (strcmp(scene->parts[s].name, report->parts[p].name) == 0)
                parts[p] = s;
}

static Exit suggest(const Settings *settings, const Scene *scene, const Report *report)
{
    int32_t *parts = calloc((size_t)report->part_count + 1, sizeof *parts);
    bool *is_listed = calloc((size_t)report->part_count + 1, sizeof *is_listed);
    Suggestion suggestion = {scene, report, parts, is_listed}, *thing = &suggestion;
    Exit result = EXIT_INTERNAL;
    char error[400] = "";
    if (!parts || !is_listed) {
        say_error("there is no memory left");
    } else {
        find_parts(scene, report, parts);
        if (files_write(settings->output ? settings->output : "-", write_suggestion, &thing, error))
            result = EXIT_CLEAN;
    }
    free(parts);
    free(is_listed);
    return result;
}

Exit command_suggest(const Settings *settings)
{
    CheckOptions options;
    Report report = {0};
    char error[400] = "";
    Exit result = EXIT_USAGE;
    Scene *scene = command_scene(settings, NULL);
    if (!scene)
        return EXIT_UNREADABLE;
    if (command_options(settings, scene, &options)) {
        options.has_volume = false;
        options.jobs = 0;
        result = check_run(scene, settings->files.items[0], &options, &report, NULL, error)
                     ? suggest(settings, scene, &report)
                     : command_failed(settings->files.items[0], error);
    }
    report_free(&report);
    scene_free(scene);
    return result;
}
