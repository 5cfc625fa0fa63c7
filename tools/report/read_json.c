/* A report read back from JSON. The file may come from anywhere: every field is checked before it
 * is used, and the error names the one that is wrong ("pairs[2].rows[0].sample ..."). What each
 * field is: json.c. */
#include "report/read_json.h"
#include "report/words.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Ranges of triangles are short in the file and long in memory: so many, of all pairs, at most. So
 * are regions of rows that have the measures of another. Rows are not: each is a number in the
 * file, of which the JSON reader makes a third of what a row is. */
#define MAX_FACES ((int64_t)1 << 26)
#define MAX_COPIES ((int64_t)1 << 23)

typedef struct Reader {
    Report *report;
    char *error;
    char where[64]; /* "pairs[3].rows[7]." */
    int64_t face_count, copy_count;
} Reader;

static bool refuse(Reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(Reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int used = snprintf(reader->error, 400, "%s", reader->where);
    vsnprintf(reader->error + used, 400 - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Fields ------------------------------------------------------------------------------------
 */

static bool read_integer(Reader *reader, json_t *object, const char *name, int64_t least,
                         int64_t most, int64_t *value)
{
    json_t *field = json_object_get(object, name);
    if (!json_is_integer(field))
        return refuse(reader, "%s is missing or no whole number", name);
    *value = json_integer_value(field);
    if (*value < least || *value > most)
        return refuse(reader, "%s is %lld, not from %lld to %lld", name, (long long)*value,
                      (long long)least, (long long)most);
    return true;
}

static bool read_int(Reader *reader, json_t *object, const char *name, int32_t least, int32_t most,
                     int32_t *value)
{
    int64_t wide = 0;
    if (!read_integer(reader, object, name, least, most, &wide))
        return false;
    *value = (int32_t)wide;
    return true;
}

static bool read_double(Reader *reader, json_t *object, const char *name, double least,
                        double *value)
{
    json_t *field = json_object_get(object, name);
    if (!json_is_number(field))
        return refuse(reader, "%s is missing or no number", name);
    *value = json_number_value(field);
    if (!isfinite(*value) || *value < least)
        return refuse(reader, "%s is %g, which is less than %g", name, *value, least);
    return true;
}

static bool read_bool(Reader *reader, json_t *object, const char *name, bool *value)
{
    json_t *field = json_object_get(object, name);
    if (!json_is_boolean(field))
        return refuse(reader, "%s is missing or neither true nor false", name);
    *value = json_is_true(field);
    return true;
}

/* Those that need not be there. */
static bool read_flag(Reader *reader, json_t *object, const char *name, bool *value)
{
    return !json_object_get(object, name) || read_bool(reader, object, name, value);
}

static bool read_some_double(Reader *reader, json_t *object, const char *name, double *value)
{
    return !json_object_get(object, name) || read_double(reader, object, name, 0, value);
}

static bool read_some_int(Reader *reader, json_t *object, const char *name, int32_t least,
                          int32_t *value)
{
    return !json_object_get(object, name) ||
           read_int(reader, object, name, least, INT32_MAX / 2, value);
}

static bool read_text(Reader *reader, json_t *object, const char *name, char **value)
{
    json_t *field = json_object_get(object, name);
    if (!json_is_string(field))
        return refuse(reader, "%s is missing or no text", name);
    *value = strdup(json_string_value(field));
    return *value || refuse(reader, "there is no memory left");
}

/* An array of objects, and memory for what is made of each. */
static bool read_array(Reader *reader, json_t *object, const char *name, size_t size,
                       json_t **array, void *items, int64_t *count)
{
    *array = json_object_get(object, name);
    if (!json_is_array(*array))
        return refuse(reader, "%s is missing or no array", name);
    if (json_array_size(*array) > INT32_MAX)
        return refuse(reader, "%s is too long", name);
    for (size_t i = 0; i < json_array_size(*array); i++)
        if (!json_is_object(json_array_get(*array, i)))
            return refuse(reader, "%s[%zu] is no object", name, i);
    void *block = calloc(json_array_size(*array) + 1, size);
    if (!block)
        return refuse(reader, "there is no memory left");
    memcpy(items, &block, sizeof block);
    *count = (int64_t)json_array_size(*array);
    return true;
}

/* A unit that is known, or none. */
static bool read_unit(Reader *reader, json_t *root, Report *report)
{
    if (!read_text(reader, root, "unit", &report->unit))
        return false;
    return report->unit[0] == 0 || unit_meters(report->unit) > 0 ||
           refuse(reader, "unit is not known");
}

/* ---- Head, parts, runs -------------------------------------------------------------------------
 */

static bool read_head(Reader *reader, json_t *root)
{
    Report *report = reader->report;
    json_t *schema = json_object_get(root, "schema");
    if (!json_is_string(schema))
        return refuse(reader, "schema is missing: this is no report");
    if (strcmp(json_string_value(schema), REPORT_SCHEMA) != 0)
        return refuse(reader, "schema is \"%.40s\", and only \"%s\" can be read",
                      json_string_value(schema), REPORT_SCHEMA);
    report->max_clearance = -1;
    if (!json_is_null(json_object_get(root, "max_clearance")) &&
        !read_double(reader, root, "max_clearance", 0, &report->max_clearance))
        return false;
    if (json_object_get(root, "incomplete") &&
        !read_text(reader, root, "incomplete", &report->incomplete))
        return false;
    return read_double(reader, root, "max_depth", 0, &report->max_depth) &&
           read_some_double(reader, root, "max_cut", &report->max_cut) &&
           read_double(reader, root, "size", 0, &report->size) && read_unit(reader, root, report) &&
           read_text(reader, root, "settings", &report->settings) &&
           read_bool(reader, root, "is_all_measured", &report->is_all_measured) &&
           read_text(reader, root, "file", &report->file) &&
           read_text(reader, root, "format", &report->format) &&
           read_text(reader, root, "baseline", &report->baseline) &&
           read_integer(reader, root, "max_pairs", 0, INT64_MAX, &report->max_pairs) &&
           read_bool(reader, root, "has_self", &report->has_self) &&
           read_int(reader, root, "shard_count", 1, INT32_MAX, &report->shard_count) &&
           read_int(reader, root, "shard", 1, report->shard_count, &report->shard) &&
           read_integer(reader, root, "sample_count", 0, INT64_MAX, &report->sample_count) &&
           read_integer(reader, root, "tested_count", 0, report->sample_count,
                        &report->tested_count);
}

static int compare_names(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Names say which is which, so no two may be the same. `step` bytes from one to the next. */
static bool check_names(Reader *reader, const char *what, const void *items, size_t step,
                        int32_t count)
{
    const char **names = calloc((size_t)count + 1, sizeof *names);
    if (!names)
        return refuse(reader, "there is no memory left");
    for (int32_t i = 0; i < count; i++)
        memcpy(&names[i], (const char *)items + (size_t)i * step, sizeof names[i]);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    bool is_fine = true;
    for (int32_t i = 1; i < count && is_fine; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            is_fine = refuse(reader, "%s: two have the name \"%.80s\"", what, names[i]);
    free(names);
    return is_fine;
}

static bool read_parts(Reader *reader, json_t *root)
{
    Report *report = reader->report;
    json_t *array;
    int64_t count = 0;
    if (!read_array(reader, root, "parts", sizeof *report->parts, &array, &report->parts, &count))
        return false;
    report->part_count = (int32_t)count;
    for (int32_t i = 0; i < report->part_count; i++) {
        ReportPart *part = &report->parts[i];
        json_t *object = json_array_get(array, (size_t)i);
        snprintf(reader->where, sizeof reader->where, "parts[%d].", (int)i);
        if (!read_text(reader, object, "name", &part->name) ||
            !read_int(reader, object, "vertices", 0, INT32_MAX, &part->vertex_count) ||
            !read_int(reader, object, "triangles", 0, INT32_MAX, &part->triangle_count) ||
            !read_bool(reader, object, "is_closed", &part->is_closed) ||
            !read_flag(reader, object, "is_two_sided", &part->is_two_sided) ||
            !read_some_int(reader, object, "list", 1, &part->list))
            return false;
    }
    reader->where[0] = 0;
    static_assert(offsetof(ReportPart, name) == 0, "names are read where a part begins");
    return check_names(reader, "parts", report->parts, sizeof *report->parts, report->part_count);
}

static bool read_run(Reader *reader, json_t *object, ReportRun *run)
{
    if (!read_text(reader, object, "name", &run->name) ||
        !read_double(reader, object, "start", -1e300, &run->start) ||
        !read_double(reader, object, "rate", 0, &run->rate) ||
        !read_int(reader, object, "first_frame", 0, INT32_MAX, &run->first_frame) ||
        !read_int(reader, object, "frame_step", 1, INT32_MAX, &run->frame_step) ||
        !read_int(reader, object, "frame_count", 1, INT32_MAX, &run->frame_count))
        return false;
    if (run->rate == 0)
        return refuse(reader, "rate is 0");
    int64_t last = run->first_frame + ((int64_t)run->frame_count - 1) * run->frame_step;
    if (last > INT32_MAX)
        return refuse(reader, "frame_count is too large");
    return true;
}

static bool read_runs(Reader *reader, json_t *root)
{
    Report *report = reader->report;
    json_t *array;
    int64_t count = 0, samples = 0;
    if (!read_array(reader, root, "runs", sizeof *report->runs, &array, &report->runs, &count))
        return false;
    report->run_count = (int32_t)count;
    for (int32_t i = 0; i < report->run_count; i++) {
        snprintf(reader->where, sizeof reader->where, "runs[%d].", (int)i);
        report->runs[i].first_sample = samples;
        if (!read_run(reader, json_array_get(array, (size_t)i), &report->runs[i]))
            return false;
        samples += report->runs[i].frame_count;
    }
    reader->where[0] = 0;
    if (samples != report->sample_count)
        return refuse(reader, "sample_count is %lld, and the runs have %lld",
                      (long long)report->sample_count, (long long)samples);
    return check_names(reader, "runs", report->runs, sizeof *report->runs, report->run_count);
}

/* ---- Pairs -------------------------------------------------------------------------------------
 */

/* "12-17,20": one range, and where the next begins. */
static bool read_range(const char **at, int64_t *first, int64_t *last)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    *first = *last = strtoll(*at, &end, 10);
    if (*end == '-') {
        if (end[1] < '0' || end[1] > '9')
            return false;
        *last = strtoll(end + 1, &end, 10);
    }
    if (*end != 0 && (*end != ',' || end[1] == 0))
        return false;
    *at = end + (*end == ',');
    return true;
}

/* Goes through the ranges twice: once to check and count them, once to write them down. */
static bool read_faces(Reader *reader, json_t *object, const char *name, int32_t triangle_count,
                       int64_t *face_count, int32_t **faces)
{
    json_t *field = json_object_get(object, name);
    if (!json_is_string(field))
        return refuse(reader, "%s is missing or no text", name);
    int64_t first = 0, last = 0, count = 0, before = -1;
    for (const char *at = json_string_value(field); *at; before = last) {
        if (!read_range(&at, &first, &last) || first <= before || last < first)
            return refuse(reader, "%s is no list of rising ranges", name);
        if (last >= triangle_count)
            return refuse(reader, "%s has triangle %lld of %d", name, (long long)last,
                          (int)triangle_count);
        count += last - first + 1;
    }
    reader->face_count += count;
    if (reader->face_count > MAX_FACES)
        return refuse(reader, "%s: more triangles than a report may have", name);
    *faces = calloc((size_t)count + 1, sizeof **faces);
    if (!*faces)
        return refuse(reader, "there is no memory left");
    for (const char *at = json_string_value(field); *at;) {
        read_range(&at, &first, &last);
        for (int64_t i = first; i <= last; i++)
            (*faces)[(*face_count)++] = (int32_t)i;
    }
    return true;
}

/* "a" or "b", as 0 or 1. */
static bool read_side(Reader *reader, json_t *object, const char *name, int32_t *side)
{
    json_t *field = json_object_get(object, name);
    const char *word = json_is_string(field) ? json_string_value(field) : "";
    *side = strcmp(word, "b") == 0;
    return strcmp(word, "a") == 0 || *side || refuse(reader, "%s is neither \"a\" nor \"b\"", name);
}

static bool read_numbers(Reader *reader, json_t *object, const char *name, int count,
                         double *numbers)
{
    json_t *array = json_object_get(object, name);
    for (int k = 0; k < count; k++) {
        json_t *item = json_is_array(array) ? json_array_get(array, (size_t)k) : NULL;
        if (!json_is_number(item) || json_array_size(array) != (size_t)count)
            return refuse(reader, "%s is missing or not %d numbers", name, count);
        numbers[k] = json_number_value(item);
    }
    return true;
}

/* [["elbow", 0.6], ["shoulder", 0.4]]: of both sides together, 2, or of one. */
static bool read_shares(Reader *reader, json_t *object, int side, ReportRegion *region)
{
    json_t *sides = json_object_get(object, side < 2 ? "side_joints" : "joints");
    json_t *array = side < 2 ? json_array_get(sides, (size_t)side) : sides;
    if (!sides)
        return true;
    if (!json_is_array(array) || json_array_size(array) > REPORT_MAX_SHARES)
        return refuse(reader, "joints are no list, or too many");
    for (size_t i = 0; i < json_array_size(array); i++) {
        ReportShare *share = &region->shares[side][i];
        json_t *item = json_array_get(array, i);
        json_t *name = json_array_get(item, 0), *part = json_array_get(item, 1);
        if (!json_is_string(name) || !json_is_number(part) || !(json_number_value(part) >= 0))
            return refuse(reader, "a joint is no name and share");
        share->share = json_number_value(part);
        share->joint = report_joint(reader->report, json_string_value(name));
        if (share->joint < 0)
            return refuse(reader, "there is no memory left");
        region->share_counts[side]++;
    }
    return true;
}

/* Of a row or a region; -1: it is not there. */
static bool read_shown(Reader *reader, json_t *object, double *shown)
{
    *shown = -1;
    return read_some_double(reader, object, "shown", shown) &&
           (*shown <= 1 || refuse(reader, "shown is %g, which is more than 1", *shown));
}

static bool read_region(Reader *reader, json_t *object, ReportRegion *region)
{
    return read_double(reader, object, "depth", 0, &region->depth) &&
           read_double(reader, object, "max_depth", 0, &region->max_depth) &&
           read_some_double(reader, object, "known_depth", &region->known_depth) &&
           read_numbers(reader, object, "areas", 2, region->areas) &&
           read_side(reader, object, "inner", &region->inner) &&
           read_flag(reader, object, "is_solid", &region->is_solid) &&
           read_flag(reader, object, "is_poking", &region->is_poking) &&
           read_shown(reader, object, &region->shown) &&
           read_numbers(reader, object, "deepest", 3, region->deepest) &&
           read_numbers(reader, object, "closest", 3, region->closest) &&
           read_int(reader, object, "deepest_triangle", -1, INT32_MAX, &region->deepest_triangle) &&
           read_int(reader, object, "closest_triangle", -1, INT32_MAX, &region->closest_triangle) &&
           read_shares(reader, object, 0, region) && read_shares(reader, object, 1, region) &&
           read_shares(reader, object, 2, region);
}

static bool read_regions(Reader *reader, json_t *object, ReportRow *row)
{
    json_t *array;
    int64_t count = 0;
    if (!json_object_get(object, "regions"))
        return true;
    if (!read_array(reader, object, "regions", sizeof *row->regions, &array, &row->regions, &count))
        return false;
    if (count > REPORT_MAX_REGIONS)
        return refuse(reader, "regions are too many");
    for (; row->region_count < count; row->region_count++)
        if (!read_region(reader, json_array_get(array, (size_t)row->region_count),
                         &row->regions[row->region_count]))
            return false;
    return true;
}

static bool read_measure(Reader *reader, json_t *object, ReportRow *row)
{
    row->is_measured = true;
    if (!read_double(reader, object, "depth", 0, &row->depth) ||
        !read_double(reader, object, "max_depth", 0, &row->max_depth) ||
        !read_some_double(reader, object, "cut", &row->cut) ||
        !read_flag(reader, object, "is_solid", &row->is_solid) ||
        !read_flag(reader, object, "is_coincident", &row->is_coincident) ||
        !read_some_int(reader, object, "small_regions", 0, &row->small_count) ||
        !read_shown(reader, object, &row->shown) || !read_regions(reader, object, row))
        return false;
    if (!json_object_get(object, "volume"))
        return true;
    return read_double(reader, object, "volume", 0, &row->volume) &&
           read_double(reader, object, "volume_error", 0, &row->volume_error);
}

/* ---- Stretches and rows ------------------------------------------------------------------------
 */

/* One number of a list that goes with samples. */
static bool read_count(Reader *reader, json_t *object, const char *name, int64_t index,
                       int64_t least, int64_t most, int64_t *value)
{
    json_t *item = json_array_get(json_object_get(object, name), (size_t)index);
    if (!json_is_integer(item))
        return refuse(reader, "%s[%lld] is missing or no whole number", name, (long long)index);
    *value = json_integer_value(item);
    return (*value >= least && *value <= most) ||
           refuse(reader, "%s[%lld] is %lld, not from %lld to %lld", name, (long long)index,
                  (long long)*value, (long long)least, (long long)most);
}

static bool read_contained(Reader *reader, json_t *object, int32_t *contained)
{
    if (!json_object_get(object, "contained"))
        return true;
    if (!read_side(reader, object, "contained", contained))
        return false;
    *contained = *contained == 0 ? CONTAINED_A : CONTAINED_B;
    return true;
}

/* Rows of neighboring samples behind those of a pair, which have room for them. */
static bool read_stretch(Reader *reader, json_t *object, ReportPair *pair)
{
    const Report *report = reader->report;
    const int64_t count = (int64_t)json_array_size(json_object_get(object, "pairs"));
    const bool has_new = json_object_get(object, "new") != NULL;
    int64_t least = pair->row_count > 0 ? pair->rows[pair->row_count - 1].sample + 1 : 0;
    ReportRow first = {.volume = -1, .shown = -1};
    if (!read_integer(reader, object, "sample", least, report->sample_count - 1, &first.sample) ||
        !read_flag(reader, object, "through", &first.goes_through) ||
        !read_contained(reader, object, &first.contained))
        return false;
    if (first.sample % report->shard_count != report->shard - 1)
        return refuse(reader, "sample %lld is not of shard %d/%d", (long long)first.sample,
                      (int)report->shard, (int)report->shard_count);
    if (count > (report->sample_count - 1 - first.sample) / report->shard_count + 1)
        return refuse(reader, "pairs has more numbers than there are samples");
    for (int64_t i = 0; i < count; i++) {
        ReportRow *row = &pair->rows[pair->row_count];
        *row = first;
        row->sample += i * report->shard_count;
        if (!read_count(reader, object, "pairs", i, !row->contained, INT64_MAX, &row->pairs))
            return false;
        row->new_pairs = row->pairs;
        if (has_new && !read_count(reader, object, "new", i, 0, row->pairs, &row->new_pairs))
            return false;
        pair->row_count++;
    }
    return true;
}

static bool read_stretches(Reader *reader, json_t *object, int32_t number, ReportPair *pair)
{
    json_t *array = json_object_get(object, "stretches");
    int64_t count = 0;
    if (!json_is_array(array))
        return refuse(reader, "stretches is missing or no array");
    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *pairs = json_object_get(json_array_get(array, i), "pairs");
        if (!json_is_array(pairs) || json_array_size(pairs) == 0)
            return refuse(reader, "stretches[%zu].pairs is missing or no list of numbers", i);
        count += (int64_t)json_array_size(pairs);
    }
    if (!(pair->rows = calloc((size_t)count + 1, sizeof *pair->rows)))
        return refuse(reader, "there is no memory left");
    for (size_t i = 0; i < json_array_size(array); i++) {
        snprintf(reader->where, sizeof reader->where, "pairs[%d].stretches[%zu].", (int)number, i);
        if (!read_stretch(reader, json_array_get(array, i), pair))
            return false;
    }
    return true;
}

/* The row of a sample, which has no measures yet. */
static ReportRow *find_row(Reader *reader, const ReportPair *pair, int64_t sample)
{
    int64_t low = 0, high = pair->row_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (pair->rows[middle].sample < sample)
            low = middle + 1;
        else
            high = middle;
    }
    ReportRow *row = &pair->rows[low];
    if (low < pair->row_count && row->sample == sample && !row->is_measured)
        return row;
    refuse(reader, "sample %lld is of no stretch, or measured twice", (long long)sample);
    return NULL;
}

/* The measures of a row are those of later ones too. */
static bool copy_measure(Reader *reader, json_t *object, const ReportPair *pair,
                         const ReportRow *row)
{
    json_t *array = json_object_get(object, "also");
    const int64_t count = (int64_t)json_array_size(array);
    if (array && !json_is_array(array))
        return refuse(reader, "also is no array");
    reader->copy_count += count * row->region_count;
    if (reader->copy_count > MAX_COPIES)
        return refuse(reader, "also: more regions than a report may have");
    for (int64_t i = 0; i < count; i++) {
        int64_t sample = 0;
        if (!read_count(reader, object, "also", i, 0, reader->report->sample_count - 1, &sample))
            return false;
        ReportRow *other = find_row(reader, pair, sample);
        if (!other)
            return false;
        if (!row_copy_measure(row, other))
            return refuse(reader, "there is no memory left");
    }
    return true;
}

static bool read_row(Reader *reader, json_t *object, const ReportPair *pair)
{
    int64_t sample = 0;
    if (!read_integer(reader, object, "sample", 0, reader->report->sample_count - 1, &sample))
        return false;
    ReportRow *row = find_row(reader, pair, sample);
    return row && read_measure(reader, object, row) && copy_measure(reader, object, pair, row);
}

static bool read_rows(Reader *reader, json_t *object, int32_t number, const ReportPair *pair)
{
    json_t *array = json_object_get(object, "rows");
    if (!json_is_array(array))
        return refuse(reader, "rows is missing or no array");
    for (size_t i = 0; i < json_array_size(array); i++) {
        snprintf(reader->where, sizeof reader->where, "pairs[%d].rows[%zu].", (int)number, i);
        if (!read_row(reader, json_array_get(array, i), pair))
            return false;
    }
    return true;
}

static bool read_kind(Reader *reader, json_t *object, PairKind *kind)
{
    json_t *field = json_object_get(object, "kind");
    for (int k = 0; k <= PAIR_UNDEFORMED && json_is_string(field); k++)
        if (strcmp(json_string_value(field), pair_kind_word((PairKind)k)) == 0) {
            *kind = (PairKind)k;
            return true;
        }
    return refuse(reader, "kind is missing or not known");
}

static bool read_pair(Reader *reader, json_t *object, int32_t number)
{
    Report *report = reader->report;
    ReportPair *pair = &report->pairs[number];
    int32_t last = report->part_count - 1;
    snprintf(reader->where, sizeof reader->where, "pairs[%d].", (int)number);
    if (!read_int(reader, object, "a", 0, last, &pair->a) ||
        !read_int(reader, object, "b", pair->a + !report->has_self, last, &pair->b) ||
        !read_kind(reader, object, &pair->kind) ||
        !read_bool(reader, object, "is_allowed", &pair->is_allowed))
        return false;
    pair->clearance = -1;
    if (json_object_get(object, "clearance") &&
        (!read_double(reader, object, "clearance", 0, &pair->clearance) ||
         !read_integer(reader, object, "clearance_sample", 0, report->sample_count - 1,
                       &pair->clearance_sample)))
        return false;
    if (number > 0 && (pair[-1].a > pair->a || (pair[-1].a == pair->a && pair[-1].b >= pair->b)))
        return refuse(reader, "a and b do not come after those before");
    if (!read_faces(reader, object, "a_faces", report->parts[pair->a].triangle_count,
                    &pair->a_face_count, &pair->a_faces))
        return false;
    if (pair->a != pair->b &&
        !read_faces(reader, object, "b_faces", report->parts[pair->b].triangle_count,
                    &pair->b_face_count, &pair->b_faces))
        return false;
    return read_stretches(reader, object, number, pair) && read_rows(reader, object, number, pair);
}

static bool read_pairs(Reader *reader, json_t *root)
{
    Report *report = reader->report;
    json_t *array;
    int64_t count = 0;
    if (!read_array(reader, root, "pairs", sizeof *report->pairs, &array, &report->pairs, &count))
        return false;
    report->pair_count = (int32_t)count;
    for (int32_t i = 0; i < report->pair_count; i++)
        if (!read_pair(reader, json_array_get(array, (size_t)i), i))
            return false;
    reader->where[0] = 0;
    return true;
}

/* How many of `sample_count` samples are of a shard. */
static bool check_looked(Reader *reader)
{
    const Report *report = reader->report;
    int64_t before = report->shard - 1, all = report->sample_count;
    int64_t expected = all > before ? (all - before - 1) / report->shard_count + 1 : 0;
    if (report->incomplete && report->tested_count < expected)
        return true;
    return report->tested_count == expected ||
           refuse(reader, "tested_count is %lld, and the shard has %lld samples",
                  (long long)report->tested_count, (long long)expected);
}

bool report_read_object(json_t *root, Report *report, char error[400])
{
    Reader reader = {.report = report, .error = error};
    *report = (Report){0};
    const bool is_read = json_is_object(root)
                             ? read_head(&reader, root) && read_parts(&reader, root) &&
                                   read_runs(&reader, root) && read_pairs(&reader, root) &&
                                   check_looked(&reader)
                             : refuse(&reader, "it is no report");
    if (!is_read)
        report_free(report);
    return is_read;
}

bool report_read_json(const char *bytes, size_t byte_count, Report *report, char error[400])
{
    json_error_t cause;
    json_t *root = json_loadb(bytes, byte_count, JSON_REJECT_DUPLICATES, &cause);
    *report = (Report){0};
    if (!root)
        snprintf(error, 400, "it is no report of pliant check: line %d: %.160s", cause.line,
                 cause.text);
    const bool is_read = root && report_read_object(root, report, error);
    json_decref(root);
    return is_read;
}
