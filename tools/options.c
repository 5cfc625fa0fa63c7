/* The table of options, and reading what was said. See options.h. */
#include "options.h"
#include "compat.h"
#include "report/words.h"
#include "say.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OF_SCENE (FOR_CHECK | FOR_INSPECT | FOR_RENDER | FOR_SUGGEST)
#define OF_REPORT (FOR_CHECK | FOR_MERGE)
#define OF_TABLE (FOR_CHECK | FOR_INSPECT | FOR_DIFF | FOR_MERGE)
#define OF_ALL (OF_SCENE | FOR_DIFF | FOR_MERGE | FOR_COMPLETION | FOR_HELP)
#define SAME SAME_ANSWER
#define AT(field) offsetof(Settings, field)

const Option option_table[] = {
    {"parts", 0, "GLOB", OPTION_LIST, AT(parts), OF_SCENE | NAMED,
     "check parts of this name alone; may be repeated"},
    {"by", 0, "node|material", OPTION_CHOICE, AT(by), OF_SCENE,
     "what a part is: all that a node draws, or each of its materials"},
    {"animation", 0, "GLOB", OPTION_LIST, AT(animations), OF_SCENE,
     "check animations of this name alone, \"rest\" is the rest pose; may be repeated"},
    {"frames", 0, "A:B:STEP", OPTION_FRAMES, AT(frames), FOR_CHECK | FOR_INSPECT,
     "frames of each animation, both ends included; each of the three may be left out"},
    {"rate", 0, "HZ", OPTION_SIZE, AT(rate), OF_SCENE,
     "frames a second; default: the file's own rate, or 30"},
    {"fps", 0, "HZ", OPTION_SIZE, AT(fps), OF_SCENE,
     "of files that have frames but no times; default: 30"},
    {"morph", 0, "NAME=W", OPTION_MORPH, AT(morphs), FOR_CHECK | FOR_INSPECT | FOR_RENDER,
     "hold a morph target, or sweep it: NAME=A..B/N; may be repeated"},
    {"exclude", 0, "GLOB|A:B", OPTION_EXCLUDE, AT(excludes), OF_SCENE | NAMED,
     "do not check these parts, or these pairs of parts; may be repeated"},
    {"alternatives", 0, "GLOB,GLOB", OPTION_LIST, AT(alternatives), FOR_CHECK | FOR_RENDER | NAMED,
     "parts that match globs of one list are never there together: not checked with each other; "
     "may be repeated"},
    {"hidden", 0, NULL, OPTION_ON, AT(has_hidden), OF_SCENE | NAMED,
     "check nodes that the file hides, too"},
    {"allow", 0, "A:B", OPTION_ALLOW, AT(allows), FOR_CHECK | NAMED,
     "these parts may intersect: globs, in either order; shown, but not counted; may be repeated"},
    {"baseline", 0, "none|rest|FILE", OPTION_TEXT, AT(baseline), FOR_CHECK,
     "count only what is new since the rest pose, or since a stored report; default: none"},
    {"max-pairs", 0, "N", OPTION_COUNT, AT(max_pairs), FOR_CHECK | NAMED,
     "a finding has more pairs of triangles in a frame than this; default: 0"},
    {"max-depth", 0, "D", OPTION_LENGTH, AT(max_depth), FOR_CHECK | NAMED,
     "a finding is deeper than this: 5mm, 2cm, or in the file's unit; every frame is measured; "
     "default: 0"},
    {"max-cut", 0, "D", OPTION_LENGTH, AT(max_cut), FOR_CHECK | NAMED,
     "where there is no depth, a finding is cut longer than this; every frame is measured; "
     "default: 0"},
    {"depth", 0, "worst|all|none", OPTION_CHOICE, AT(depth), FOR_CHECK,
     "measure depth in some frames of each pair of parts, in all, or only where the verdict needs "
     "it; default: worst, or "
     "all with --max-depth or --max-cut"},
    {"clearance", 0, "D", OPTION_LENGTH, AT(max_clearance), FOR_CHECK,
     "tell how near parts come that never touch, if it is nearer than this"},
    {"unit", 0, "m|cm|mm|in|ft", OPTION_UNIT, AT(unit), OF_SCENE,
     "the unit of the file; default: m of glTF, else not known"},
    {"self", 0, NULL, OPTION_SELF, AT(self), OF_SCENE | NAMED,
     "check the self-collision of all parts; default: of those that something deforms"},
    {"no-self", 0, NULL, OPTION_NO_SELF, AT(self), OF_SCENE | NAMED,
     "do not check the self-collision of parts"},
    {"weld", 0, NULL, OPTION_ON, AT(is_welded), OF_SCENE,
     "vertices in one place are one; this is the default"},
    {"no-weld", 0, NULL, OPTION_OFF, AT(is_welded), OF_SCENE,
     "take vertices as they are in the file"},
    {"volume", 0, NULL, OPTION_ON, AT(has_volume), FOR_CHECK,
     "measure the volume in common where parts are closed; this is the default"},
    {"no-volume", 0, NULL, OPTION_OFF, AT(has_volume), FOR_CHECK, "do not measure volumes"},
    {"jobs", 0, "N", OPTION_COUNT, AT(jobs), FOR_CHECK | FOR_INSPECT | NOT_REPEATED | SAME,
     "check this many frames at a time; default: one for each processor"},
    {"time-limit", 0, "SECONDS", OPTION_SIZE, AT(time_limit), OF_SCENE | SAME,
     "stop after this long, and tell what was found so far; 0: never; default: 600"},
    {"memory-limit", 0, "SIZE", OPTION_BYTES, AT(memory_limit), OF_SCENE | SAME,
     "memory to use at most, as 500M or 8G; default: by the size of the file"},
    {"shard", 0, "I/N", OPTION_SHARD, AT(shard), FOR_CHECK | SAME,
     "check every N-th frame, from the I-th on, or of several models every N-th model; pliant "
     "merge "
     "makes the whole of all"},
    {"list", 0, "FILE", OPTION_TEXT, AT(list), FOR_CHECK | NOT_REPEATED | SAME,
     "check the models that this file names, one on each line"},
    {"lines", 0, "FILE", OPTION_TEXT, AT(lines), FOR_CHECK | NOT_REPEATED | SAME,
     "write a line of JSON for each model as soon as it is checked; models that have a line in the "
     "file are not checked again; pliant merge makes the whole of all"},
    {"cache", 0, "FOLDER", OPTION_TEXT, AT(cache), FOR_CHECK | NOT_REPEATED | SAME,
     "keep reports here, and do not check what was checked before with the same options"},
    {"html", 0, "FILE", OPTION_TEXT, AT(html), FOR_CHECK | SAME,
     "write a page with the model, its animation and what intersects in red; of several models an "
     "index, and their pages in a folder beside it"},
    {"json", 0, "FILE", OPTION_TEXT, AT(json), OF_REPORT | SAME, "write the report as JSON"},
    {"csv", 0, "FILE", OPTION_TEXT, AT(csv), OF_REPORT | SAME,
     "write a line for each stretch of frames in which two parts intersect"},
    {"csv-frames", 0, "FILE", OPTION_TEXT, AT(csv_frames), OF_REPORT | SAME,
     "write a line for each frame in which two parts intersect"},
    {"junit", 0, "FILE", OPTION_TEXT, AT(junit), OF_REPORT | SAME,
     "write JUnit XML, a test case for each pair of parts"},
    {"sarif", 0, "FILE", OPTION_TEXT, AT(sarif), OF_REPORT | SAME,
     "write SARIF, a result for each finding"},
    {"faces", 0, "FILE", OPTION_TEXT, AT(faces), OF_REPORT | SAME,
     "write which triangles of each part intersect which other part, as JSON"},
    {"output", 'o', "FILE", OPTION_TEXT, AT(output), FOR_RENDER | FOR_SUGGEST,
     "the picture, a PNG; or the config file, default: stdout"},
    {"frame", 0, "N", OPTION_COUNT, AT(frame), FOR_RENDER, "the frame of the animation"},
    {"time", 0, "SECONDS", OPTION_NUMBER, AT(time), FOR_RENDER, "the time in it, instead"},
    {"worst", 0, "[A:B]", OPTION_WORST, AT(is_worst), FOR_RENDER,
     "find the worst frame, and fill the picture with what is deepest in it; of these two parts, "
     "if "
     "they are given"},
    {"size", 0, "WxH", OPTION_PIXELS, AT(size), FOR_RENDER, "pixels; default: 1600x1200"},
    {"yaw", 0, "DEGREES", OPTION_NUMBER, AT(yaw), FOR_RENDER,
     "turn around the model; 0 is its front; default: 25, with --worst what shows most"},
    {"pitch", 0, "DEGREES", OPTION_NUMBER, AT(pitch), FOR_RENDER,
     "look from above, or below; default: 12, or likewise"},
    {"zoom", 0, "FACTOR", OPTION_SIZE, AT(zoom), FOR_RENDER,
     "1 shows all of the model, or all of the worst place"},
    {"see-through", 0, NULL, OPTION_ON, AT(is_see_through), FOR_RENDER,
     "draw surfaces so that what is inside shows"},
    {"config", 0, "FILE", OPTION_TEXT, AT(config), OF_SCENE | SAME,
     "read options from this file; default: pliant.conf, if it is in the current folder"},
    {"no-config", 0, NULL, OPTION_OFF, AT(has_config), OF_SCENE | SAME, "read no pliant.conf"},
    {"all", 0, NULL, OPTION_ON, AT(is_all), FOR_CHECK | FOR_DIFF | FOR_MERGE | SAME,
     "show pairs of parts that are clean, or the same, too"},
    {"quiet", 'q', NULL, OPTION_ON, AT(is_quiet), OF_SCENE | FOR_DIFF | FOR_MERGE | SAME,
     "print no table"},
    {"progress", 0, "auto|bar|plain|none", OPTION_CHOICE, AT(progress), FOR_CHECK | SAME,
     "on stderr; auto: a bar if that is a terminal"},
    {"color", 0, "auto|always|never", OPTION_CHOICE, AT(color), OF_TABLE | SAME,
     "auto: on a terminal, unless NO_COLOR is set"},
    {"eager", 0, NULL, OPTION_ON, AT(is_eager), FOR_CHECK | FOR_INSPECT,
     "for measurement: evaluate every vertex at every frame"},
    {"help", 'h', NULL, OPTION_ON, AT(wants_help), OF_ALL | SAME, "show this"},
};
const int32_t option_count = sizeof option_table / sizeof *option_table;

/* ---- Settings ----------------------------------------------------------------------------------
 */

void settings_init(Settings *settings)
{
    CheckOptions check = check_options_default();
    PictureOptions picture = picture_options_default();
    *settings = (Settings){.frames = {check.first, check.last, check.step},
                           .shard = {check.shard, check.shard_count},
                           .size = {picture.width, picture.height},
                           .fps = scene_options_default().fps,
                           .max_depth = {-1, 0},
                           .max_cut = {-1, 0},
                           .max_clearance = {-1, 0},
                           .depth = -1,
                           .time_limit = 600,
                           .memory_limit = -1,
                           .baseline = "none",
                           .self = check.self,
                           .is_welded = true,
                           .has_volume = check.has_volume,
                           .has_config = true,
                           .frame = -1,
                           .time = NAN,
                           .yaw = picture.yaw,
                           .pitch = picture.pitch,
                           .zoom = picture.zoom};
}

void settings_free(Settings *settings)
{
    for (int32_t i = 0; i < settings->owned_count; i++)
        free(settings->owned[i]);
    free(settings->owned);
    free(settings->files.items);
    free(settings->words.items);
    free(settings->parts.items);
    free(settings->animations.items);
    free(settings->allows);
    free(settings->excludes);
    free(settings->alternatives.items);
    free(settings->named);
    free(settings->answers);
    free(settings->morphs);
    *settings = (Settings){0};
}

/* One more item at the end of an array, or NULL, which has been said. */
static void *grow(void *items, int32_t count, size_t size)
{
    void *larger = realloc(items, ((size_t)count + 1) * size);
    if (!larger)
        say_error("there is no memory left");
    return larger;
}

static char *own(Settings *settings, const char *text, size_t length)
{
    char **owned = grow(settings->owned, settings->owned_count, sizeof *owned);
    if (!owned)
        return NULL;
    settings->owned = owned;
    char *copy = strndup(text, length);
    if (!copy)
        say_error("there is no memory left");
    else
        owned[settings->owned_count++] = copy;
    return copy;
}

static bool append(TextList *list, const char *text)
{
    const char **items = grow(list->items, list->count, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    items[list->count++] = text;
    return true;
}

/* ---- Values ------------------------------------------------------------------------------------
 */

static bool wrong(const char *where, const char *value, const char *expected)
{
    say_error("%s: \"%s\" is not %s", where, value, expected);
    return false;
}

/* All of the text up to its end is a number. It is copied, since "0..1" begins with "0.". */
static bool read_double(const char *text, const char *end, double *number)
{
    char copy[64], *stop;
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= sizeof copy || strchr(" \t\n\r\v\f", *text))
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    *number = strtod(copy, &stop);
    return *stop == 0 && isfinite(*number);
}

static bool read_whole(const char *text, const char *end, int64_t most, int64_t *number)
{
    char *stop;
    if (text == end || *text < '0' || *text > '9')
        return false;
    errno = 0;
    *number = strtoll(text, &stop, 10);
    return stop == end && errno == 0 && *number <= most;
}

static bool apply_number(void *index, const Option *option, const char *value, const char *where)
{
    double number;
    bool is_any = option->kind == OPTION_NUMBER;
    if (!read_double(value, value + strlen(value), &number) || (!is_any && number < 0))
        return wrong(where, value, is_any ? "a number" : "a number that is not negative");
    *(double *)index = number;
    return true;
}

static bool apply_choice(void *index, const Option *option, const char *value, const char *where)
{
    size_t length = strlen(value);
    int32_t number = 0;
    for (const char *word = option->argument; word; number++) {
        size_t size = strcspn(word, "|");
        if (size == length && memcmp(word, value, size) == 0) {
            *(int32_t *)index = number;
            return true;
        }
        word = word[size] ? word + size + 1 : NULL;
    }
    say_error("%s: \"%s\" is none of %s", where, value, option->argument);
    return false;
}

/* "a:b:step", each of which may be left out; "a" alone is one frame. */
static bool apply_frames(int32_t *frames, const char *value, const char *where)
{
    int64_t numbers[3] = {0, -1, 1};
    const char *at = value;
    int32_t i = 0;
    for (; i < 3; i++) {
        const char *end = at + strcspn(at, ":");
        if (end != at && !read_whole(at, end, INT32_MAX, &numbers[i]))
            return wrong(where, value, "frames as A:B:STEP");
        if (*end == 0)
            break;
        at = end + 1;
    }
    if (i == 0)
        numbers[1] = numbers[0];
    if (i == 3 || *value == 0 || numbers[2] == 0 || (numbers[1] >= 0 && numbers[1] < numbers[0]))
        return wrong(where, value, "frames as A:B:STEP, of which B is not before A");
    for (i = 0; i < 3; i++)
        frames[i] = (int32_t)numbers[i];
    return true;
}

/* Two whole numbers from 1 on with a mark between them: "3/7", "640x480". */
static bool apply_two(int32_t *two, char mark, int64_t most, const char *value, const char *where,
                      const char *expected)
{
    int64_t first, second;
    const char *middle = strchr(value, mark);
    if (!middle || !read_whole(value, middle, most, &first) ||
        !read_whole(middle + 1, value + strlen(value), most, &second) || first < 1 || second < 1)
        return wrong(where, value, expected);
    two[0] = (int32_t)first;
    two[1] = (int32_t)second;
    return true;
}

static bool apply_shard(int32_t *shard, const char *value, const char *where)
{
    static const char expected[] = "a shard as I/N, with I from 1 to N";
    int32_t two[2];
    if (!apply_two(two, '/', INT32_MAX, value, where, expected))
        return false;
    if (two[0] > two[1])
        return wrong(where, value, expected);
    memcpy(shard, two, sizeof two);
    return true;
}

/* "name=w" or "name=a..b/n". */
static bool apply_morph(Settings *settings, const char *value, const char *where)
{
    static const char expected[] = "a morph as NAME=W or NAME=A..B/N";
    const char *equal = strrchr(value, '='), *end = value + strlen(value);
    if (!equal || equal == value)
        return wrong(where, value, expected);
    double from, to;
    int64_t steps = 1;
    const char *dots = strstr(equal, "..");
    if (!dots) {
        if (!read_double(equal + 1, end, &from))
            return wrong(where, value, expected);
        to = from;
    } else {
        const char *slash = strchr(dots, '/');
        if (!slash || !read_double(equal + 1, dots, &from) || !read_double(dots + 2, slash, &to) ||
            !read_whole(slash + 1, end, INT32_MAX, &steps) || steps < 2)
            return wrong(where, value, expected);
    }
    CheckMorph *morphs = grow(settings->morphs, settings->morph_count, sizeof *morphs);
    if (!morphs)
        return false;
    settings->morphs = morphs;
    const char *name = own(settings, value, (size_t)(equal - value));
    if (!name)
        return false;
    morphs[settings->morph_count++] = (CheckMorph){name, (float)from, (float)to, (int32_t)steps};
    return true;
}

static bool apply_allow(Settings *settings, const char *value, const char *where)
{
    const char *colon = strchr(value, ':');
    if (!colon || colon == value || colon[1] == 0 || strchr(colon + 1, ':'))
        return wrong(where, value, "two parts as A:B (for a colon in a name write ?)");
    CheckAllow *allows = grow(settings->allows, settings->allow_count, sizeof *allows);
    if (!allows)
        return false;
    settings->allows = allows;
    const char *a = own(settings, value, (size_t)(colon - value));
    const char *b = own(settings, colon + 1, strlen(colon + 1));
    if (!a || !b)
        return false;
    allows[settings->allow_count++] = (CheckAllow){a, b};
    return true;
}

/* "body" or "body:belt". */
static bool apply_exclude(Settings *settings, const char *value, const char *where)
{
    const char *colon = strchr(value, ':');
    if (*value == 0 || colon == value || (colon && (colon[1] == 0 || strchr(colon + 1, ':'))))
        return wrong(where, value, "a part, or two as A:B (for a colon in a name write ?)");
    CheckAllow *excludes = grow(settings->excludes, settings->exclude_count, sizeof *excludes);
    if (!excludes)
        return false;
    settings->excludes = excludes;
    const char *a = own(settings, value, colon ? (size_t)(colon - value) : strlen(value));
    const char *b = colon ? own(settings, colon + 1, strlen(colon + 1)) : NULL;
    if (!a || (colon && !b))
        return false;
    excludes[settings->exclude_count++] = (CheckAllow){a, b};
    return true;
}

/* "sword:helmet", and not the path "C:\models\knight.glb". */
static bool is_pair(const char *word)
{
    const char *colon = strchr(word, ':');
    return word[0] != '-' && colon && colon != word && colon[1] && !strchr("/\\", colon[1]);
}

static bool apply_worst(Settings *settings, const char *value, const char *where)
{
    const char *colon = strchr(value, ':');
    settings->is_worst = true;
    if (*value == 0)
        return true;
    if (!is_pair(value) || strchr(colon + 1, ':'))
        return wrong(where, value, "two parts as A:B (for a colon in a name write ?)");
    settings->worst.a = own(settings, value, (size_t)(colon - value));
    settings->worst.b = own(settings, colon + 1, strlen(colon + 1));
    return settings->worst.a && settings->worst.b;
}

/* A number and, behind it, a unit: "5mm", "2 cm". */
static bool apply_length(Length *length, const char *value, const char *where)
{
    static const char expected[] = "a length that is not negative, such as 5mm, 2cm or 0.01";
    size_t digits = strlen(value);
    while (digits > 0 && value[digits - 1] >= 'a' && value[digits - 1] <= 'z')
        digits--;
    const double meters = unit_meters(value + digits);
    const bool has_unit = value[digits] != 0;
    while (has_unit && digits > 0 && value[digits - 1] == ' ')
        digits--;
    double number;
    if (!read_double(value, value + digits, &number) || number < 0 || (has_unit && meters == 0))
        return wrong(where, value, expected);
    *length = (Length){number, meters};
    return true;
}

static bool apply_unit(const char **unit, const char *value, const char *where)
{
    if (unit_meters(value) == 0)
        return wrong(where, value, "a unit: m, cm, mm, um, km, in or ft");
    *unit = value;
    return true;
}

/* Adds an option to those that reports name: "allow belt:trousers (pliant.conf:3)". */
static bool name_option(Settings *settings, const Option *option, const char *value,
                        const char *where)
{
    const bool is_of_line = strncmp(where, "--", 2) == 0;
    char *longer = NULL;
    if (!(option->bits & NAMED))
        return true;
    if (asprintf(&longer, "%s%s%s%s%s%s%s%s", settings->named ? settings->named : "",
                 settings->named ? "; " : "", option->name, *value ? " " : "", value,
                 is_of_line ? "" : " (", is_of_line ? "" : where, is_of_line ? "" : ")") < 0) {
        say_error("there is no memory left");
        return false;
    }
    free(settings->named);
    settings->named = longer;
    return true;
}

/* Adds an option to those that a report depends on. With its size a value can hold anything. */
static bool keep_answer(Settings *settings, const Option *option, const char *value)
{
    char *longer = NULL;
    if (option->bits & SAME_ANSWER)
        return true;
    if (asprintf(&longer, "%s%s %zu:%s\n", settings->answers ? settings->answers : "", option->name,
                 strlen(value), value) < 0) {
        say_error("there is no memory left");
        return false;
    }
    free(settings->answers);
    settings->answers = longer;
    return true;
}

/* "500M": K, M and G are 1024 of what comes before. */
static bool apply_bytes(int64_t *bytes, const char *value, const char *where)
{
    static const char units[] = "KMG";
    const char *end = value + strspn(value, "0123456789");
    const char *unit = *end ? strchr(units, *end) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    int64_t number;
    if ((*end && (!unit || end[1])) || !read_whole(value, end, INT64_MAX >> shift, &number) ||
        number == 0)
        return wrong(where, value, "a size as 500M or 8G");
    *bytes = number << shift;
    return true;
}

static bool apply(Settings *settings, const Option *option, const char *value, const char *where)
{
    void *index = (char *)settings + option->index;
    switch (option->kind) {
    case OPTION_ON:
    case OPTION_OFF:
        *(bool *)index = option->kind == OPTION_ON;
        return true;
    case OPTION_TEXT:
        *(const char **)index = value;
        return *value || wrong(where, value, "a name");
    case OPTION_LIST:
        return append(index, value);
    case OPTION_COUNT:
        return read_whole(value, value + strlen(value), INT64_MAX, index) ||
               wrong(where, value, "a whole number that is not negative");
    case OPTION_SIZE:
    case OPTION_NUMBER:
        return apply_number(index, option, value, where);
    case OPTION_CHOICE:
        return apply_choice(index, option, value, where);
    case OPTION_FRAMES:
        return apply_frames(index, value, where);
    case OPTION_MORPH:
        return apply_morph(settings, value, where);
    case OPTION_ALLOW:
        return apply_allow(settings, value, where);
    case OPTION_EXCLUDE:
        return apply_exclude(settings, value, where);
    case OPTION_LENGTH:
        return apply_length(index, value, where);
    case OPTION_UNIT:
        return apply_unit(index, value, where);
    case OPTION_SELF:
    case OPTION_NO_SELF:
        *(int32_t *)index = option->kind == OPTION_SELF ? CHECK_SELF_ALL : CHECK_SELF_NONE;
        return true;
    case OPTION_SHARD:
        return apply_shard(index, value, where);
    case OPTION_BYTES:
        return apply_bytes(index, value, where);
    case OPTION_WORST:
        return apply_worst(settings, value, where);
    case OPTION_PIXELS:
        return apply_two(index, 'x', 16384, value, where, "a size as WxH, to 16384 each");
    }
    return false;
}

bool settings_apply(Settings *settings, const Option *option, const char *value, const char *where)
{
    return apply(settings, option, value, where) && name_option(settings, option, value, where) &&
           keep_answer(settings, option, value);
}

/* ---- The command line --------------------------------------------------------------------------
 */

const Option *option_of(const char *name, size_t length, unsigned bits)
{
    for (int32_t i = 0; i < option_count; i++)
        if ((option_table[i].bits & bits) && strlen(option_table[i].name) == length &&
            memcmp(option_table[i].name, name, length) == 0)
            return &option_table[i];
    return NULL;
}

static const Option *option_of_letter(char letter, unsigned bits)
{
    for (int32_t i = 0; i < option_count; i++)
        if ((option_table[i].bits & bits) && option_table[i].letter == letter && letter)
            return &option_table[i];
    return NULL;
}

static bool unknown_option(const char *word, const Command *command)
{
    const char *name = word + strspn(word, "-");
    const char *near = option_nearest(name, command->bit);
    if (near)
        say_error("unknown option %s; did you mean --%s?", word, near);
    else
        say_error("unknown option %s; pliant help %s shows those there are", word, command->name);
    return false;
}

static bool repeat(Settings *settings, const Option *option, char *const *words, int count)
{
    for (int i = 0; i < count && !(option && (option->bits & NOT_REPEATED)); i++)
        if (!append(&settings->words, words[i]))
            return false;
    return true;
}

/* One option and, where it takes one, its value: "--name value", "--name=value", "-o value",
 * "-ovalue". How many words it took, 0 if it is wrong. */
static int read_option(Settings *settings, const Command *command, int count, char *const *words)
{
    char *word = words[0], *value = NULL;
    const Option *option;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = option_of(word + 2, length, command->bit);
        value = word[2 + length] ? word + 3 + length : NULL;
    } else {
        option = option_of_letter(word[1], command->bit);
        value = word[2] ? word + 2 : NULL;
    }
    if (!option)
        return unknown_option(word, command);
    char where[40];
    snprintf(where, sizeof where, "--%s", option->name);
    if (!option->argument && value) {
        say_error("%s takes no value", where);
        return 0;
    }
    const bool takes_next = option->argument && !value &&
                            (!option_may_stand_alone(option) || (count > 1 && is_pair(words[1])));
    const int taken = takes_next ? 2 : 1;
    if (count < taken) {
        say_error("%s needs a value: %s", where, option->argument);
        return 0;
    }
    if (takes_next)
        value = words[1];
    if (value && option->kind == OPTION_TEXT)
        compat_path(value); /* all texts are names of files */
    const bool is_read = settings_apply(settings, option, value ? value : "", where) &&
                         repeat(settings, option, words, taken);
    return is_read ? taken : 0;
}

static bool read_words(Settings *settings, const Command *command, int count, char *const *words)
{
    bool has_options = true;
    for (int i = 0, taken; i < count; i += taken) {
        const bool is_end = has_options && strcmp(words[i], "--") == 0;
        if (has_options && !is_end && words[i][0] == '-' && words[i][1]) {
            taken = read_option(settings, command, count - i, words + i);
        } else {
            compat_path(words[i]);
            taken = (is_end || append(&settings->files, words[i])) &&
                    repeat(settings, NULL, words + i, 1);
        }
        if (taken == 0)
            return false;
        has_options &= !is_end;
    }
    return true;
}

static bool check_operands(const Settings *settings, const Command *command)
{
    if (settings->files.count < command->least && !settings->list)
        say_error("%s needs %s; pliant help %s tells more", command->name, command->operands,
                  command->name);
    else if (settings->files.count > command->most)
        say_error("%s: \"%s\" is one too many; pliant help %s tells more", command->name,
                  settings->files.items[command->most], command->name);
    else
        return true;
    return false;
}

/* The file is read first, so that the command line has the last word: but which file, it says. */
bool settings_read(Settings *settings, const Command *command, int count, char *const *words)
{
    Settings line;
    settings_init(&line);
    bool is_read = read_words(&line, command, count, words);
    settings->wants_help = line.wants_help;
    if (is_read && !line.wants_help && option_of("config", 6, command->bit) && line.has_config)
        is_read = config_read(settings, line.config ? line.config : "pliant.conf",
                              line.config != NULL, command->bit);
    settings_free(&line);
    if (!is_read || settings->wants_help)
        return is_read;
    return read_words(settings, command, count, words) && check_operands(settings, command);
}
