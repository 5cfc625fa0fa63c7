/* Lengths and places in words: see words.h. */
#include "report/words.h"
#include "report/places.h"
#include "report/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double unit_meters(const char *unit)
{
    static const struct {
        const char *name;
        double meters;
    } units[] = {{"m", 1},     {"cm", 0.01},   {"mm", 0.001}, {"um", 1e-6},
                 {"km", 1000}, {"in", 0.0254}, {"ft", 0.3048}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].meters;
    return 0;
}

/* Metric lengths below a meter are told in millimeters, all others as they are. */
void words_length(const Report *report, double length, char text[40])
{
    char number[32];
    const double meters = length * unit_meters(report->unit);
    const bool is_metric = report->unit[0] && report->unit[strlen(report->unit) - 1] == 'm';
    const bool is_small = is_metric && fabs(meters) < 1;
    text_format_number(!is_metric ? length : is_small ? 1000 * meters : meters, 3, number);
    snprintf(text, 40, "%s%s%s", number, report->unit[0] ? " " : "",
             !is_metric ? report->unit
             : is_small ? "mm"
                        : "m");
}

void words_depth(const Report *report, const ReportRow *row, char text[WORDS_DEPTH_ROOM])
{
    char length[40];
    const bool is_cut = row && row->depth == 0 && row->goes_through && row->cut > 0;
    words_length(report, is_cut ? row->cut : row ? row->depth : 0, length);
    snprintf(text, WORDS_DEPTH_ROOM, "%s%s", length, is_cut ? " cut" : "");
}

/* Of what is animated and checked: a ring is 25 mm, and what is longer than 100 m no character. In
 * a unit that would be right it is 10 cm to 20 m. */
#define LEAST_SIZE 0.025
#define MOST_SIZE 100.0
#define LEAST_USUAL 0.1
#define MOST_USUAL 20.0

bool words_size(const Report *report, char text[WORDS_SIZE_ROOM])
{
    static const char *const likely[] = {"cm", "m", "mm", "in", "ft"};
    const double meters = report->size * unit_meters(report->unit);
    const char *unit = NULL;
    char size[40];
    if (meters == 0 || (meters >= LEAST_SIZE && meters <= MOST_SIZE))
        return false;
    for (size_t i = 0; i < sizeof likely / sizeof *likely && !unit; i++) {
        const double other = report->size * unit_meters(likely[i]);
        if (other >= LEAST_USUAL && other <= MOST_USUAL)
            unit = likely[i];
    }
    words_length(report, report->size, size);
    snprintf(text, WORDS_SIZE_ROOM, "the model is %s long: is the unit %s? --unit names it", size,
             unit ? unit : "right");
    return true;
}

char *words_joints(const Report *report, const ReportRegion *region)
{
    char *text = NULL;
    size_t size = 0;
    char place[PLACE_ROOM];
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    place_of(report, region, place);
    fprintf(out, "%s%s", place, *place ? ": " : "");
    for (int32_t i = 0; i < region->share_counts[2]; i++) {
        const ReportShare *share = &region->shares[2][i];
        fprintf(out, "%s%s %.0f %%", i ? ", " : "", report->joints[share->joint],
                100 * share->share);
    }
    const bool is_written = !ferror(out);
    if (fclose(out) == 0 && is_written)
        return text;
    free(text);
    return NULL;
}

/* False, as of all here: no memory. */
static bool put_where(const Report *report, const ReportRow *row, FILE *out)
{
    char *joints = words_joints(report, &row->regions[0]);
    const bool is_put = joints != NULL;
    if (joints && *joints)
        fprintf(out, " at %s", joints);
    free(joints);
    if (row->region_count + row->small_count > 1)
        fprintf(out, ", one of %" PRId32 " places", row->region_count + row->small_count);
    return is_put;
}

/* Were all frames measured that have something new? Else a frame may be deeper. */
static bool is_all_measured(const ReportPair *pair)
{
    for (int64_t i = 0; i < pair->row_count; i++)
        if (!pair->rows[i].is_measured && row_counts(&pair->rows[i]))
            return false;
    return true;
}

static bool put_depth(const Report *report, const ReportPair *pair, const ReportRow *row, FILE *out)
{
    const ReportRegion *region = &row->regions[0];
    const char *names[2] = {report->parts[pair->a].name, report->parts[pair->b].name};
    const bool is_more = region->known_depth > 0; /* than in the baseline */
    const char *least = is_all_measured(pair) ? "" : "at least ";
    char depth[40];
    words_length(report, region->depth, depth);
    if (pair->a == pair->b)
        fprintf(out, "%s is %s%s %s in its own surface", names[0], least, depth,
                is_more ? "deeper" : "deep");
    else if (region->is_poking)
        fprintf(out, "%s sticks %s%s %sout of %s", names[1 - region->inner], least, depth,
                is_more ? "farther " : "", names[region->inner]);
    else
        fprintf(out, "%s is %s%s %sinside %s", names[region->inner], least, depth,
                is_more ? "deeper " : "", names[1 - region->inner]);
    return put_where(report, row, out);
}

static bool put_row(const Report *report, const ReportPair *pair, const ReportRow *row, FILE *out)
{
    const char *a = report->parts[pair->a].name, *b = report->parts[pair->b].name;
    char cut[40];
    words_length(report, row->cut, cut);
    if (row->contained != CONTAINED_NONE)
        fprintf(out, "%s is inside %s", row->contained == CONTAINED_A ? a : b,
                row->contained == CONTAINED_A ? b : a);
    else if (row->is_measured && row->depth > 0 && row->region_count > 0)
        return put_depth(report, pair, row, out);
    else if (row->is_coincident)
        fprintf(out, "%s and %s lie in each other", a, b);
    else if (row_verdict(row) == VERDICT_INTERSECTING && row->cut > 0)
        fprintf(out, "%s and %s cut each other along %s, and neither has an inside there", a, b,
                cut);
    else
        fprintf(out, row->goes_through ? "%s goes through %s" : "%s touches %s", a,
                pair->a == pair->b ? "its own surface" : b);
    return true;
}

char *words_row(const Report *report, const ReportPair *pair, const ReportRow *row)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const bool is_written = put_row(report, pair, row, out) && !ferror(out);
    if (fclose(out) == 0 && is_written)
        return text;
    free(text);
    return NULL;
}
