/* pliant suggest: a config file for a model, with reasons, to be read and changed.
 *
 * Everything follows from one check. Parts that hang on one node, never move against each other and
 * intersect may be alternatives. If the node is a slot of a character, which holds them and moves
 * nothing else, and every two of them are deep in each other, they are: swords of one hand. A pair
 * of parts that intersects in every frame is how the model was made, perhaps; so is one that is no
 * deeper than in the rest pose. What is a guess is commented out. */
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
    bool *is_in;          /* likewise: in the one that is being made */
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

/* What two parts hang on that intersect without moving; -1: nothing. */
typedef int32_t FindNode(const Suggestion *suggestion, const Summary *summary, int32_t a,
                         int32_t b);

/* FindNode: any. */
static int32_t find_parent(const Suggestion *suggestion, const Summary *summary, int32_t a,
                           int32_t b)
{
    (void)summary;
    return parent_of(suggestion, a) == parent_of(suggestion, b) ? parent_of(suggestion, a) : -1;
}

/* What is held in one hand is deeper in each other than this part of the model, or cut for longer.
 * Swords that lie in each other are 2 % of it deep, a sword in a shield 1 %. */
#define DEEP 0.005

/* FindNode: a slot, of what is deep. */
static int32_t find_slot(const Suggestion *suggestion, const Summary *summary, int32_t a, int32_t b)
{
    const double deep = DEEP * suggestion->report->size;
    if (summary->verdict != VERDICT_COINCIDENT && summary->verdict != VERDICT_CONTAINED &&
        summary->max_depth <= deep && summary->worst_row->cut <= deep)
        return -1;
    return check_slot(suggestion->scene, suggestion->parts[a], suggestion->parts[b]);
}

static int32_t find_node(const Suggestion *suggestion, FindNode *find, int32_t a, int32_t b)
{
    const ReportPair *pair = pair_of(suggestion->report, a, b);
    if (!pair || pair->kind != PAIR_RIGID)
        return -1;
    const Summary summary = pair_summary(suggestion->report, pair);
    return summary.verdict > VERDICT_TOUCHING ? find(suggestion, &summary, a, b) : -1;
}

/* The parts that go with the first one, and every two of which do. Returns the node, or -1. */
static int32_t find_list(const Suggestion *suggestion, FindNode *find, int32_t first, bool *is_in)
{
    const int32_t count = suggestion->report->part_count;
    int32_t node = -1;
    memset(is_in, 0, (size_t)count * sizeof *is_in);
    is_in[first] = true;
    for (int32_t b = first + 1; b < count; b++) {
        const int32_t with = suggestion->is_listed[b] ? -1 : find_node(suggestion, find, first, b);
        bool goes = with >= 0 && (node < 0 || node == with);
        for (int32_t c = first + 1; c < b && goes; c++)
            goes = !is_in[c] || find_node(suggestion, find, c, b) == with;
        is_in[b] = goes;
        node = goes ? with : node;
    }
    return node;
}

static void put_lists(const Suggestion *suggestion, FindNode *find, const char *before,
                      const char *after, FILE *out)
{
    const Report *report = suggestion->report;
    for (int32_t first = 0; first < report->part_count; first++) {
        bool *is_in = suggestion->is_in;
        const int32_t node =
            suggestion->is_listed[first] ? -1 : find_list(suggestion, find, first, is_in);
        if (node < 0)
            continue;
        fputs(before, out);
        put_name(suggestion->scene->nodes[node].name, out);
        fputs(after, out);
        for (int32_t p = first; p < report->part_count; p++)
            if (is_in[p]) {
                putc(p == first ? ' ' : ',', out);
                put_glob(report->parts[p].name, out);
                suggestion->is_listed[p] = true;
            }
        fputs("\n\n", out);
    }
}

static void put_alternatives(const Suggestion *suggestion, FILE *out)
{
    put_lists(suggestion, find_slot, "# They are held by \"",
              "\", which moves nothing else, and every two are deep in each\n"
              "# other: alternatives, which are never there together.\nalternatives",
              out);
    put_lists(suggestion, find_parent, "# They are in one place of \"",
              "\" and go through each other.\n# If they are never there together, take the # "
              "away.\n# alternatives",
              out);
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
    put_alternatives(suggestion, out);
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
    bool *is_in = calloc((size_t)report->part_count + 1, sizeof *is_in);
    Suggestion suggestion = {scene, report, parts, is_listed, is_in}, *thing = &suggestion;
    Exit result = EXIT_INTERNAL;
    char error[400] = "";
    if (!parts || !is_listed || !is_in) {
        say_error("there is no memory left");
    } else {
        find_parts(scene, report, parts);
        if (files_write(settings->output ? settings->output : "-", write_suggestion, &thing, error))
            result = EXIT_CLEAN;
    }
    free(parts);
    free(is_listed);
    free(is_in);
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
