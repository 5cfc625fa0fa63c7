/* Writes pages of small scenes made here, and what each page has to show, for the tests that read
 * them: page_models FOLDER. Exit 77: this build has no page in it.
 *
 * The expected values come from the report and from cuts_vertices(), not from the page's files. */
#include "page_scenes.h"

#include "check/cut.h"
#include "report/reports.h"
#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a page has to show ----------------------------------------------------------------- */

static void expect_pairs(const Report *report, FILE *out)
{
    fputs("\"pairs\":[", out);
    const char *comma = "";
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        if (pair->row_count == 0)
            continue;
        Summary summary = pair_summary(report, pair);
        fprintf(out, "%s{\"index\":%d,\"verdict\":\"%s\",\"worst\":%lld,\"mostPairs\":%lld,", comma,
                i, verdict_word(summary.verdict), (long long)summary.worst,
                (long long)summary.max_pairs);
        fputs("\"fresh\":[", out);
        for (int64_t k = 0; k < pair->row_count; k++)
            fprintf(out, "%s[%lld,%lld]", k ? "," : "", (long long)pair->rows[k].sample,
                    (long long)pair->rows[k].new_pairs);
        fputs("]}", out);
        comma = ",";
    }
    fputs("]", out);
}

/* Red triangles at a sample, by pair and side, each once. */
static void expect_red(const Report *report, const CheckContacts *expected, FILE *out)
{
    fputs(",\"red\":[", out);
    for (int64_t i = 0; i < expected->count; i++) {
        const CheckContact *expected_one = &expected->items[i];
        const ReportPair *pair = &report->pairs[expected_one->pair];
        fprintf(out, "%s{\"pair\":%d,\"sample\":%lld,\"a\":\"%s\",\"pairs\":[", i ? "," : "",
                expected_one->pair, (long long)expected_one->sample,
                pair->a == pair->b ? "self" : "other");
        for (int64_t k = 0; k < expected_one->count * 2; k++)
            fprintf(out, "%s%d", k ? "," : "", expected->triangles[expected_one->first + k]);
        fputs("]}", out);
    }
    fputs("]", out);
}

static void expect_regions(const Report *report, FILE *out)
{
    const char *comma = "";
    fputs(",\"regions\":[", out);
    for (int32_t p = 0; p < report->pair_count; p++) {
        for (int64_t i = 0; i < report->pairs[p].row_count; i++) {
            const ReportRow *row = &report->pairs[p].rows[i];
            for (int32_t k = 0; k < row->region_count; k++) {
                const ReportRegion *region = &row->regions[k];
                fprintf(out,
                        "%s{\"pair\":%d,\"sample\":%lld,\"place\":%d,\"depth\":%.9g,"
                        "\"area\":%.9g,\"inner\":%d,\"joint\":\"%s\"}",
                        comma, p, (long long)row->sample, k, region->depth,
                        region->areas[region->inner], region->inner,
                        region->share_counts[2] ? report->joints[region->shares[2][0].joint] : "");
                comma = ",";
            }
        }
    }
    fputs("]", out);
}

/* The segments of a cut, six numbers each, and which vertices are how deep. */
static void expect_cut(const Scene *scene, const CutQuery *query, const Cut *cut, FILE *out)
{
    fputs("\"segments\":[", out);
    for (int64_t i = 0; i < cut->segment_count * 6; i++)
        fprintf(out, "%s%.9g", i ? "," : "", cut->segments[i / 6].ends[i % 6 / 3][i % 3]);
    fputs("],\"depths\":[", out);
    for (int k = 0; k < (query->parts[0] == query->parts[1] ? 1 : 2); k++) {
        const char *comma = "";
        fputs(k ? ",[" : "[", out);
        for (int32_t v = 0; v < scene->parts[query->parts[k]].vertex_count; v++) {
            if (!(cut->depths[k][v] > 0))
                continue;
            fprintf(out, "%s[%d,%.9g]", comma, v, (double)cut->depths[k][v]);
            comma = ",";
        }
        fputs("]", out);
    }
    fputs("]", out);
}

static bool expect_cuts(const Scene *scene, const CheckOptions *options, const Report *report,
                        const CheckContacts *contacts, FILE *out, char error[400])
{
    ScenePose *pose = scene_pose_create(scene);
    Cuts *cuts = cuts_create(scene, error);
    bool is_found = pose && cuts;
    fputs(",\"cuts\":[", out);
    for (int64_t i = 0; is_found && i < contacts->count; i++) {
        const CheckContact *contact = &contacts->items[i];
        const ReportPair *pair = &report->pairs[contact->pair];
        const CutQuery query = {.parts = {pair->a, pair->b},
                                .pairs = contacts->triangles + contact->first,
                                .pair_count = contact->count};
        Cut cut = {0};
        is_found = check_pose(scene, options, report, contact->sample, pose, error) &&
                   cuts_pose(cuts, pose, error) && cuts_find(cuts, &query, &cut, error);
        if (!is_found)
            break;
        fprintf(out, "%s{\"pair\":%d,\"sample\":%lld,", i ? "," : "", contact->pair,
                (long long)contact->sample);
        expect_cut(scene, &query, &cut, out);
        fputs("}", out);
        cut_free(&cut);
    }
    fputs("]", out);
    cuts_free(cuts);
    scene_pose_free(pose);
    return is_found;
}

static bool expect_vertices(const Scene *scene, const CheckOptions *options, const Report *report,
                            FILE *out, char error[400])
{
    int64_t count = scene_vertex_count(scene) * 3;
    float *vertices = taken((size_t)count, sizeof *vertices);
    ScenePose *pose = scene_pose_create(scene);
    Cuts *cuts = cuts_create(scene, error);
    bool is_posed = pose && cuts;
    fputs(",\"vertices\":[", out);
    for (int64_t sample = 0; is_posed && sample < report->sample_count; sample++) {
        float *at = vertices;
        is_posed =
            check_pose(scene, options, report, sample, pose, error) && cuts_pose(cuts, pose, error);
        for (int32_t p = 0; is_posed && p < scene->part_count; p++) {
            is_posed = cuts_vertices(cuts, p, at, error);
            at += 3 * (size_t)scene->parts[p].vertex_count;
        }
        fputs(sample ? ",[" : "[", out);
        for (int64_t i = 0; is_posed && i < count; i++)
            fprintf(out, "%s%.9g", i ? "," : "", (double)vertices[i]);
        fputs("]", out);
    }
    fputs("]", out);
    cuts_free(cuts);
    scene_pose_free(pose);
    free(vertices);
    return is_posed;
}

typedef struct Written {
    const char *folder, *name, *file;
    bool is_baseline_rest, is_stopped;
} Written;

/* Ends a check early. */
static bool stop_at_five(void *user, const CheckProgress *progress)
{
    (void)user;
    return progress->done < 5;
}

static FILE *opened(const Written *written, const char *ending)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.%s", written->folder, written->name, ending);
    FILE *out = fopen(path, "wb");
    if (!out)
        perror(path);
    return out;
}

static bool write_files(const Written *written, const Scene *scene, const CheckOptions *options,
                        const Report *report, const CheckContacts *contacts, char error[400])
{
    FILE *page = opened(written, "html"), *expected = opened(written, "json");
    bool is_written = page && expected && page_write(scene, options, report, contacts, page, error);
    if (is_written) {
        fprintf(expected, "{\"findings\":%lld,\"samples\":%lld,",
                (long long)report_findings(report), (long long)report->sample_count);
        expect_pairs(report, expected);
        expect_red(report, contacts, expected);
        expect_regions(report, expected);
        is_written = expect_cuts(scene, options, report, contacts, expected, error) &&
                     expect_vertices(scene, options, report, expected, error);
        fputs("}\n", expected);
    }
    if (page)
        is_written = fclose(page) == 0 && is_written;
    if (expected)
        is_written = fclose(expected) == 0 && is_written;
    return is_written;
}

static bool write_model(const Written *written, Scene *scene)
{
    CheckOptions options = check_options_default();
    options.self = CHECK_SELF_ALL;
    options.keeps_contacts = options.keeps_depths = true;
    options.rate = 10;
    options.is_baseline_rest = written->is_baseline_rest;
    options.progress = written->is_stopped ? stop_at_five : NULL;
    options.jobs = written->is_stopped ? 1 : 0;
    options.unit = "m";
    options.alternatives = (const char *const[]){"shield*"};
    options.alternative_count = 1;
    Report report = {0};
    CheckContacts expected = {0};
    char error[400] = "";
    bool is_written = check_run(scene, written->file, &options, &report, &expected, error) &&
                      write_files(written, scene, &options, &report, &expected, error);
    if (!is_written)
        fprintf(stderr, "page_models: %s: %s\n", written->name, error);
    report_free(&report);
    check_contacts_free(&expected);
    scene_free(scene);
    return is_written;
}

/* An index of one model with findings, one that is clean, and one that could not be read. */
static bool write_index(const char *folder)
{
    Scene *scenes[2] = {scene_unchanged(), scene_worn()};
    Report reports[2] = {{0}, {0}};
    ReportFile files[3] = {
        {.file = "in/clean.obj"}, {.file = "in/found.obj"}, {.file = "in/no.obj"}};
    const CheckOptions options = check_options_default();
    char error[400] = "";
    bool is_written = true;
    for (int i = 0; i < 2 && is_written; i++) {
        is_written = check_run(scenes[i], files[i].file, &options, &reports[i], NULL, error);
        files[i].report = &reports[i];
    }
    files[2].error = "not a model";
    const Written written = {.folder = folder, .name = "index"};
    FILE *out = is_written ? opened(&written, "html") : NULL;
    is_written = out && reports_write_index(&(Reports){.files = files, .count = 3}, out);
    if (out)
        is_written = fclose(out) == 0 && is_written;
    for (int i = 0; i < 2; i++) {
        report_free(&reports[i]);
        scene_free(scenes[i]);
    }
    return is_written;
}

int main(int argument_count, char **arguments)
{
    if (!page_is_built_in()) {
        puts("skipped: this build has no page in it");
        return 77;
    }
    if (argument_count != 2)
        return 2;
    const char *folder = arguments[1];
    bool is_written =
        write_model(&(Written){folder, "bend", "models/bend</script>.glb", true, false},
                    scene_bend()) &&
        write_model(&(Written){folder, "cloth", "cloth.pc2", false, false}, scene_cloth()) &&
        write_model(&(Written){folder, "still", "still.obj", false, false}, scene_unchanged()) &&
        write_model(&(Written){folder, "huge", "huge.obj", false, false}, scene_huge()) &&
        write_model(&(Written){folder, "stopped", "stopped.glb", false, true}, scene_bend()) &&
        write_model(&(Written){folder, "worn", "worn.obj", false, false}, scene_worn()) &&
        write_model(&(Written){folder, "busy", "busy.glb", false, false}, scene_busy()) &&
        write_index(folder);
    return is_written ? 0 : 1;
}
