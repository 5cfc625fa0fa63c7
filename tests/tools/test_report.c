/* Reports: what follows from rows, all that is written of them, reading back, shards, differences.
 *
 * Most of it is tried on random reports, with names that no file should have. */
#include "report/places.h"
#include "report/text.h"
#include "report/words.h"
#include "unit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Random reports ----------------------------------------------------------------------------
 */

static uint64_t random_state = 1;

static int64_t pick(int64_t below) /* xorshift */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int64_t)(random_state % (uint64_t)below);
}

static double pick_number(void)
{
    static const double odd[] = {0, 0x1p-1074, 0.1, 1e300, 1.0 / 3, 4503599627370497.5};
    return pick(3) ? (double)pick(1 << 30) / (double)(1 + pick(1 << 20)) : odd[pick(6)];
}

static const char *const odd_names[] = {"body",
                                        "a,\"b\"",
                                        "<&>\"'",
                                        "tab\tnew\nline",
                                        "\033[31mred",
                                        "\xff\xfe",
                                        "\xe2\x80\xae",
                                        "k\xc3\xb6rper",
                                        "\xe8\xba\xab\xe4\xbd\x93",
                                        "",
                                        " ",
                                        "a\xcc\x81",
                                        "\xed\xa0\x80",
                                        "\x01\x7f\xc2\x85",
                                        "=1+1",
                                        "very_long_name_that_does_not_fit_in_any_column_of_it"};

/* Names are of no other: a number follows. */
static char *name_of(int32_t number)
{
    char *name = NULL;
    assert_true(asprintf(&name, "%s%d", odd_names[pick(16)], (int)number) > 0);
    return name;
}

static void make_faces(int32_t triangle_count, int64_t *count, int32_t **faces)
{
    *faces = calloc((size_t)triangle_count + 1, sizeof **faces);
    int64_t chance = 1 + pick(10);
    for (int32_t i = 0; i < triangle_count; i++)
        if (pick(10) < chance)
            (*faces)[(*count)++] = i;
}

static void make_regions(ReportRow *row)
{
    row->region_count = (int32_t)pick(4);
    row->small_count = (int32_t)pick(3);
    row->regions = calloc((size_t)row->region_count + 1, sizeof *row->regions);
    for (int32_t i = 0; i < row->region_count; i++) {
        ReportRegion *region = &row->regions[i];
        *region = (ReportRegion){.depth = pick_number(),
                                 .max_depth = pick_number(),
                                 .known_depth = pick(3) ? 0 : pick_number(),
                                 .shown = -1,
                                 .areas = {pick_number(), -pick_number()},
                                 .inner = (int32_t)pick(2),
                                 .is_solid = pick(2),
                                 .is_poking = pick(2),
                                 .deepest = {pick_number(), -1, 0},
                                 .closest = {0, pick_number(), 1},
                                 .deepest_triangle = (int32_t)pick(9) - 1,
                                 .closest_triangle = (int32_t)pick(9) - 1};
        for (int side = 0; side < 3; side++)
            for (int64_t n = pick(3); n > 0; n--)
                region->shares[side][region->share_counts[side]++] =
                    (ReportShare){(int32_t)pick(3), (double)pick(100) / 100};
    }
}

/* Everything that counts is measured, as with --depth all. */
static void make_measure(ReportRow *row)
{
    row->is_measured = true;
    row->depth = pick(2) ? (double)pick(3) * 0.1 : 0;
    row->max_depth = row->depth * 1.01;
    row->cut = pick(3) ? 0 : pick_number();
    row->is_solid = pick(2);
    row->is_coincident = pick(4) == 0;
    make_regions(row);
    if (pick(2)) {
        row->shown = (double)pick(17) / 16;
        for (int32_t i = 0; i < row->region_count; i++)
            row->regions[i].shown = (double)pick(17) / 16;
    }
    if (pick(2)) {
        row->volume = pick_number();
        row->volume_error = pick_number();
    }
}

static void make_rows(const Report *report, ReportPair *pair)
{
    pair->rows = calloc((size_t)report->sample_count + 1, sizeof *pair->rows);
    int64_t chance = pick(11);
    for (int64_t s = 0; s < report->sample_count; s++) {
        if (pick(10) >= chance)
            continue;
        ReportRow *row = &pair->rows[pair->row_count++];
        *row = (ReportRow){.sample = s, .pairs = 1 + pick(5), .shown = -1, .volume = -1};
        row->new_pairs = pick(row->pairs + 1);
        row->goes_through = row->new_pairs && pick(2);
        if (pick(9) == 0) {
            row->pairs = row->new_pairs = row->goes_through = 0;
            row->contained = 1 + (int32_t)pick(2);
        }
        if (row_counts(row))
            make_measure(row);
    }
}

static void make_report(Report *report)
{
    static const char *const baselines[] = {"none", "rest", "old.json"};
    *report = (Report){.file = name_of(0),
                       .format = name_of(1),
                       .baseline = strdup(baselines[pick(3)]),
                       .unit = strdup(pick(2)   ? ""
                                      : pick(2) ? "m"
                                                : "in"),
                       .settings = name_of(2),
                       .size = pick_number(),
                       .max_clearance = pick(2) ? -1 : pick_number(),
                       .is_all_measured = pick(2),
                       .max_depth = (double)pick(2) * 0.1,
                       .max_cut = (double)pick(2) * 0.2,
                       .max_pairs = pick(3),
                       .has_self = pick(2),
                       .shard = 1,
                       .shard_count = 1,
                       .part_count = (int32_t)pick(5),
                       .run_count = 1 + (int32_t)pick(3)};
    report->parts = calloc(5, sizeof *report->parts);
    report->runs = calloc(4, sizeof *report->runs);
    report->pairs = calloc(15, sizeof *report->pairs);
    for (int i = 0; i < 3; i++)
        assert_int_equal(report_joint(report, i == 0 ? "thigh_l" : odd_names[i]), i);
    for (int32_t i = 0; i < report->part_count; i++)
        report->parts[i] = (ReportPart){name_of(i),        (int32_t)pick(100),
                                        (int32_t)pick(60), pick(2),
                                        pick(2),           pick(3) ? 0 : 1 + (int32_t)pick(2)};
    for (int32_t i = 0; i < report->run_count; i++) {
        report->runs[i] = (ReportRun){.name = i ? name_of(i) : strdup("rest"),
                                      .start = pick_number(),
                                      .rate = 1 + pick_number(),
                                      .first_frame = (int32_t)pick(10),
                                      .frame_step = 1 + (int32_t)pick(3),
                                      .frame_count = 1 + (int32_t)pick(i ? 12 : 1),
                                      .first_sample = report->sample_count};
        report->sample_count += report->runs[i].frame_count;
    }
    report->tested_count = report->sample_count;
    for (int32_t a = 0; a < report->part_count; a++)
        for (int32_t b = a + !report->has_self; b < report->part_count; b++) {
            ReportPair *pair = &report->pairs[report->pair_count++];
            *pair = (ReportPair){.a = a,
                                 .b = b,
                                 .kind = (PairKind)pick(2),
                                 .is_allowed = pick(5) == 0,
                                 .clearance = -1};
            make_rows(report, pair);
            make_faces(report->parts[a].triangle_count, &pair->a_face_count, &pair->a_faces);
            if (a != b)
                make_faces(report->parts[b].triangle_count, &pair->b_face_count, &pair->b_faces);
        }
}

/* ---- What is written ---------------------------------------------------------------------------
 */

typedef bool Write(const Report *report, FILE *out);

static bool write_table(const Report *report, FILE *out)
{
    return report_write_table(report, &(TableOptions){.is_all = true}, out);
}

static bool write_narrow(const Report *report, FILE *out)
{
    return report_write_table(report, &(TableOptions){.width = 80, .has_color = true}, out);
}

static Write *const writers[] = {report_write_json,  report_write_csv, report_write_junit,
                                 report_write_faces, write_table,      write_narrow};

static char *text_of(const Report *report, Write *write)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(write(report, out));
    fclose(out);
    char *copy = strdup(text); /* GCC 12 takes what open_memstream() made for a local */
    free(text);
    return copy;
}

static void expect_same(const Report *one, const Report *other)
{
    for (int i = 0; i < 6; i++) {
        char *x = text_of(one, writers[i]), *y = text_of(other, writers[i]);
        assert_string_equal(x, y);
        free(x);
        free(y);
    }
}

static void read_back(const Report *report, Report *again)
{
    char *json = text_of(report, report_write_json), error[400] = "";
    if (!report_read_json(json, strlen(json), again, error))
        fail_msg("%s", error);
    free(json);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int i = 0; i < 500; i++) {
        Report report, again;
        make_report(&report);
        read_back(&report, &again);
        expect_same(&report, &again);
        assert_int_equal(report.pair_count, again.pair_count);
        for (int32_t k = 0; k < report.pair_count; k++) {
            const ReportPair *x = &report.pairs[k], *y = &again.pairs[k];
            assert_int_equal(x->row_count, y->row_count);
            for (int64_t r = 0; r < x->row_count; r++)
                assert_true(x->rows[r].depth == y->rows[r].depth &&
                            x->rows[r].volume == y->rows[r].volume);
            assert_int_equal(x->a_face_count, y->a_face_count);
            assert_memory_equal(x->a_faces, y->a_faces, (size_t)x->a_face_count * 4);
        }
        report_free(&report);
        report_free(&again);
    }
}

static void test_numbers_read_back(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static double numbers[COUNT];
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < COUNT; i++) {
        uint64_t bits = (uint64_t)pick(INT64_MAX);
        memcpy(&numbers[i], &bits, sizeof bits);
        text_write_number(numbers[i], out);
        fputc('\n', out);
    }
    fclose(out);
    char *at = text;
    for (int i = 0; i < COUNT; i++) {
        if (isfinite(numbers[i])) {
            assert_true(strtod(at, &at) == numbers[i]);
        } else {
            assert_memory_equal(at, "null", 4);
            at += 4;
        }
        assert_int_equal(*at++, '\n');
    }
    free(text);
}

/* ---- Shards ------------------------------------------------------------------------------------
 */

/* Some of the faces, so that all shards together have all: each is given to one that is picked, and
 * to others by chance. */
static void deal_faces(const int32_t *faces, int64_t count, int32_t shard_count, Report *shards,
                       int32_t pair, bool is_a)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t sure = pick(shard_count);
        for (int32_t s = 0; s < shard_count; s++) {
            ReportPair *to = &shards[s].pairs[pair];
            if (s == sure || pick(3) == 0) {
                if (is_a)
                    to->a_faces[to->a_face_count++] = faces[i];
                else
                    to->b_faces[to->b_face_count++] = faces[i];
            }
        }
    }
}

/* What a check with --shard would have reported. */
static void make_shard(const Report *whole, int32_t number, int32_t count, Report *shard)
{
    read_back(whole, shard);
    shard->shard = number + 1;
    shard->shard_count = count;
    shard->tested_count = 0;
    for (int64_t s = number; s < whole->sample_count; s += count)
        shard->tested_count++;
    for (int32_t i = 0; i < shard->pair_count; i++) {
        ReportPair *pair = &shard->pairs[i];
        int64_t kept = 0;
        for (int64_t r = 0; r < pair->row_count; r++)
            if (pair->rows[r].sample % count == number)
                pair->rows[kept++] = pair->rows[r];
            else
                free(pair->rows[r].regions);
        pair->row_count = kept;
        pair->a_face_count = pair->b_face_count = 0;
    }
    assert_true(report_settle(shard));
}

static void test_shards_make_the_whole(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++) {
        Report whole, merged, shards[9], stored[9];
        int32_t count = 1 + (int32_t)pick(9);
        char error[400] = "";
        make_report(&whole);
        for (int32_t s = 0; s < count; s++)
            make_shard(&whole, s, count, &shards[s]);
        assert_true(report_settle(&whole));
        for (int32_t k = 0; k < whole.pair_count; k++) {
            const ReportPair *pair = &whole.pairs[k];
            deal_faces(pair->a_faces, pair->a_face_count, count, shards, k, true);
            deal_faces(pair->b_faces, pair->b_face_count, count, shards, k, false);
        }
        int32_t turn = (int32_t)pick(count); /* in another order, and out of files */
        for (int32_t s = 0; s < count; s++)
            read_back(&shards[(s + turn) % count], &stored[s]);
        if (!report_merge(stored, count, &merged, error))
            fail_msg("%s", error);
        expect_same(&whole, &merged);
        for (int32_t s = 0; s < count; s++) {
            report_free(&shards[s]);
            report_free(&stored[s]);
        }
        report_free(&whole);
        report_free(&merged);
    }
}

static void expect_no_merge(const Report *shards, int32_t count, const char *reason)
{
    Report merged;
    char error[400] = "";
    assert_false(report_merge(shards, count, &merged, error));
    if (!strstr(error, reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, error);
}

static void test_merge_refuses(void **state)
{
    (void)state;
    Report whole, shards[2];
    make_report(&whole);
    while (whole.pair_count < 3) {
        report_free(&whole);
        make_report(&whole);
    }
    make_shard(&whole, 0, 2, &shards[0]);
    make_shard(&whole, 1, 2, &shards[1]);
    expect_no_merge(shards, 1, "1 of 2 shards");
    expect_no_merge((Report[]){shards[0], shards[0]}, 2, "twice");
    shards[1].max_pairs++;
    expect_no_merge(shards, 2, "thresholds");
    shards[1].max_pairs--;
    shards[1].parts[0].triangle_count++;
    expect_no_merge(shards, 2, "the parts");
    shards[1].parts[0].triangle_count--;
    shards[1].runs[0].rate *= 2;
    expect_no_merge(shards, 2, "the frames");
    shards[1].runs[0].rate /= 2;
    shards[1].pairs[0].is_allowed ^= 1;
    expect_no_merge(shards, 2, "allowed");
    report_free(&whole);
    report_free(&shards[0]);
    report_free(&shards[1]);
}

/* ---- Verdicts ----------------------------------------------------------------------------------
 */

/* A row that is measured, inside a closed surface. */
static ReportRow row_of(int64_t sample, int64_t pairs, int64_t new_pairs, double depth)
{
    return (ReportRow){.sample = sample,
                       .pairs = pairs,
                       .new_pairs = new_pairs,
                       .goes_through = depth > 0,
                       .is_measured = new_pairs > 0,
                       .is_solid = true,
                       .depth = depth,
                       .max_depth = depth,
                       .volume = -1};
}

/* Two parts and one run of ten frames, with the rows given. */
static Report plain_report(ReportRow *rows, int64_t row_count)
{
    static char body[] = "body", suit[] = "suit", walk[] = "walk", none[] = "";
    static char file[] = "model.glb", format[] = "GLB", baseline[] = "none";
    static ReportPart parts[] = {{body, 8, 12, true, false, 0}, {suit, 8, 12, true, false, 0}};
    static ReportRun run = {
        .name = walk, .start = 1, .rate = 10, .first_frame = 5, .frame_step = 2, .frame_count = 10};
    static ReportPair pair;
    pair = (ReportPair){.a = 0, .b = 1, .row_count = row_count, .rows = rows, .clearance = -1};
    return (Report){.file = file,
                    .format = format,
                    .baseline = baseline,
                    .unit = none,
                    .settings = none,
                    .size = 1,
                    .max_clearance = -1,
                    .is_all_measured = true,
                    .shard = 1,
                    .shard_count = 1,
                    .part_count = 2,
                    .run_count = 1,
                    .pair_count = 1,
                    .parts = parts,
                    .runs = &run,
                    .pairs = &pair,
                    .sample_count = 10,
                    .tested_count = 10};
}

static void test_verdicts(void **state)
{
    (void)state;
    ReportRow rows[] = {row_of(1, 9, 0, 0), row_of(3, 5, 5, 0), row_of(4, 7, 7, 0),
                        row_of(6, 7, 7, 0)};
    Report report = plain_report(rows, 4);
    Summary summary = pair_summary(&report, report.pairs);
    assert_int_equal(summary.verdict, VERDICT_TOUCHING);
    assert_false(summary.is_finding);
    assert_int_equal(summary.first, 3); /* row 1 has nothing new */
    assert_int_equal(summary.worst, 4); /* the first of equals */
    assert_int_equal(summary.sample_count, 3);
    assert_int_equal(report_frame_of(report.runs, summary.worst), 13);
    assert_true(report_time_of(report.runs, summary.worst) == 1 + 13 / 10.0);
    rows[2].is_coincident = true;
    assert_int_equal(pair_summary(&report, report.pairs).verdict, VERDICT_COINCIDENT);
    assert_true(pair_summary(&report, report.pairs).is_finding);
    rows[3].depth = 0.5;
    rows[3].is_solid = false;
    summary = pair_summary(&report, report.pairs);
    assert_int_equal(summary.verdict, VERDICT_INTERSECTING);
    assert_int_equal(summary.worst, 6);     /* the deeper one */
    rows[2].pairs = rows[2].new_pairs = 70; /* but they only touch */
    assert_int_equal(pair_summary(&report, report.pairs).worst, 6);
    rows[3].is_solid = true;
    assert_int_equal(pair_summary(&report, report.pairs).verdict, VERDICT_PENETRATING);
    report.pairs->row_count = 1;
    assert_int_equal(pair_summary(&report, report.pairs).verdict, VERDICT_CLEAN);
    rows[0].contained = CONTAINED_B;
    rows[0].pairs = 0;
    assert_int_equal(pair_summary(&report, report.pairs).verdict, VERDICT_CONTAINED);
    assert_true(pair_summary(&report, report.pairs).is_finding);
    rows[0] = (ReportRow){.sample = 1, .pairs = 3, .new_pairs = 3, .goes_through = true};
    assert_int_equal(pair_summary(&report, report.pairs).verdict, VERDICT_INTERSECTING);
    rows[0].is_measured = true; /* no side is inside, but the cut is there */
    rows[0].cut = 0.25;
    assert_int_equal(pair_summary(&report, report.pairs).verdict, VERDICT_INTERSECTING);
    report.max_depth = 0.5; /* it has none */
    assert_true(pair_summary(&report, report.pairs).is_finding);
    report.max_cut = 0.25;
    assert_false(pair_summary(&report, report.pairs).is_finding);
    report.max_cut = 0;
    rows[0].depth = 0.5; /* depth alone is compared */
    assert_false(pair_summary(&report, report.pairs).is_finding);
    rows[0].depth = 0.75;
    assert_true(pair_summary(&report, report.pairs).is_finding);
}

static void test_thresholds(void **state)
{
    (void)state;
    ReportRow rows[] = {row_of(1, 9, 9, 0.1), row_of(2, 3, 3, 0.4)};
    Report report = plain_report(rows, 2);
    assert_int_equal(report_findings(&report), 1);
    report.max_depth = 0.1; /* deeper than that is the second row, */
    assert_int_equal(report_findings(&report), 1);
    report.max_pairs = 3; /* which has no more than three pairs: both are to be exceeded */
    assert_int_equal(report_findings(&report), 0);
    report.max_depth = 0.05;
    assert_int_equal(report_findings(&report), 1);
    report.pairs->is_allowed = true;
    assert_int_equal(report_findings(&report), 0);
}

static void test_volumes_settle(void **state)
{
    (void)state;
    ReportRow rows[] = {row_of(1, 9, 2, 0.1), row_of(2, 3, 3, 0.4), row_of(3, 3, 3, 0.4)};
    for (int i = 0; i < 3; i++) {
        rows[i].volume = i + 2;
        rows[i].volume_error = 1;
    }
    Report report = plain_report(rows, 3);
    assert_true(report_settle(&report));
    assert_true(rows[0].volume == -1 && rows[0].volume_error == 0);
    assert_true(rows[1].volume == 3);
    assert_true(rows[2].volume == -1);
}

/* Of each run the row that goes through with most pairs, eight of them; then around the deepest. */
static void test_chosen_rows(void **state)
{
    (void)state;
    ReportRow rows[20];
    ReportRun runs[10];
    bool is_chosen[20] = {false};
    for (int i = 0; i < 20; i++) {
        rows[i] = row_of(i, 10 + i, 10 + i, i % 2 ? 0 : 1);
        runs[i / 2] = (ReportRun){.frame_count = 2, .first_sample = i / 2 * 2};
    }
    Report report = plain_report(rows, 20);
    report.runs = runs;
    report.run_count = 10;
    report.is_all_measured = false;
    report.parts = (ReportPart[]){{NULL, 3, 9000, true, false, 0}, {NULL, 3, 9000, true, false, 0}};
    assert_int_equal(report_choose(&report, report.pairs, is_chosen), 8);
    for (int i = 0; i < 20; i++)
        assert_int_equal(is_chosen[i], i % 2 == 0 && i >= 4);
    rows[6].depth = 3; /* around the deepest there are rows of the same run alone */
    assert_int_equal(report_choose(&report, report.pairs, is_chosen), 1);
    assert_true(is_chosen[7]);
    assert_int_equal(report_choose(&report, report.pairs, is_chosen), 0);
    report.max_depth = 3; /* none is a finding: the others that go through could be */
    report.pairs->is_allowed = true;
    assert_int_equal(report_choose(&report, report.pairs, is_chosen), 0);
    report.pairs->is_allowed = false;
    assert_int_equal(report_choose(&report, report.pairs, is_chosen), 2);
    assert_true(is_chosen[0] && is_chosen[2]);
    assert_int_equal(report_choose(&report, report.pairs, is_chosen), 0);
    assert_false(pair_summary(&report, report.pairs).is_finding);
    report.parts = (ReportPart[]){{NULL, 3, 9, true, false, 0}, {NULL, 3, 9, true, false, 0}};
    memset(is_chosen, 0, sizeof is_chosen);
    assert_int_equal(report_choose(&report, report.pairs, is_chosen), 20); /* that takes little */
}

/* All findings with alternatives of a list are one; of those with one other part, one is shown. */
static void test_alternatives_fold(void **state)
{
    (void)state;
    char names[4][8] = {"axe", "sword", "head", "leg"};
    ReportPart parts[4];
    ReportRow rows[5];
    ReportPair pairs[5] = {
        {.a = 0, .b = 2}, {.a = 0, .b = 3}, {.a = 1, .b = 2}, {.a = 1, .b = 3}, {.a = 2, .b = 3}};
    bool is_folded[5];
    int32_t order[5];
    for (int i = 0; i < 4; i++)
        parts[i] = (ReportPart){names[i], 3, 1, true, false, i < 2};
    for (int i = 0; i < 5; i++) {
        rows[i] = row_of(0, 1, 1, 0.1 * (i + 1));
        pairs[i].rows = &rows[i];
        pairs[i].row_count = 1;
    }
    Report report = plain_report(rows, 1);
    report.parts = parts;
    report.part_count = 4;
    report.pairs = pairs;
    report.pair_count = 5;
    assert_int_equal(report_findings(&report), 2);
    assert_true(report_order(&report, order));
    report_fold(&report, order, is_folded);
    assert_true(is_folded[0] && is_folded[1]);
    assert_false(is_folded[2] || is_folded[3] || is_folded[4]);
}

static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double length;
        const char *text;
    } cases[] = {{"", 0.3, "0.3"},        {"m", 0.0875, "87.5 mm"}, {"m", 1.234, "1.23 m"},
                 {"cm", 8.75, "87.5 mm"}, {"mm", 0.5, "0.5 mm"},    {"in", 3.125, "3.12 in"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char unit[4], text[40];
        Report report = {.unit = unit};
        snprintf(unit, sizeof unit, "%s", cases[i].unit);
        words_length(&report, cases[i].length, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* The greatest depth of a place, times how much of it shows; what was not measured shows. */
static double shown_depth(const Summary *summary)
{
    const ReportRow *row = summary->worst_row;
    double most = 0;
    if (!row || row->shown < 0)
        return summary->max_depth;
    for (int32_t i = 0; i < row->region_count; i++)
        most = fmax(most, row->regions[i].depth * row->regions[i].shown);
    return row->region_count > 0 ? most : row->depth * row->shown;
}

/* What a pair is ordered by, the greater first. */
enum { KEYS = 9 };

static void list_keys(const Report *report, int32_t number, double keys[KEYS])
{
    const Summary summary = pair_summary(report, &report->pairs[number]);
    const ReportRow *row = summary.worst_row;
    const double cut = row ? row->cut : 0;
    const double all[KEYS] = {summary.is_finding,
                              !report->pairs[number].is_allowed,
                              !row || row->shown != 0,
                              shown_depth(&summary),
                              summary.max_depth,
                              row && row->shown >= 0 ? cut * row->shown : cut,
                              cut,
                              summary.verdict,
                              (double)summary.max_pairs};
    memcpy(keys, all, sizeof all);
}

static void test_order(void **state)
{
    (void)state;
    int64_t decided[KEYS + 1] = {0};
    random_state = 3; /* of this one each key decides somewhere */
    for (int i = 0; i < 2000; i++) {
        Report report;
        int32_t order[15];
        make_report(&report);
        assert_true(report_order(&report, order));
        for (int32_t k = 1; k < report.pair_count; k++) {
            double x[KEYS], y[KEYS];
            int key = 0;
            list_keys(&report, order[k - 1], x);
            list_keys(&report, order[k], y);
            while (key < KEYS && x[key] == y[key])
                key++;
            assert_true(key < KEYS ? x[key] > y[key] : order[k - 1] < order[k]);
            decided[key]++;
        }
        report_free(&report);
    }
    for (int key = 0; key <= KEYS; key++)
        assert_true(decided[key] > 0);
}

/* Without a depth: by how much of the cut shows, then by the cut. */
static void test_order_of_cuts(void **state)
{
    (void)state;
    static const double cuts[4] = {0.2, 0.3, 0.4, 0.1}, shares[4] = {0, 0.25, 0, 1};
    static const int32_t expected[4] = {3, 1, 2, 0};
    ReportRow rows[4];
    ReportPair pairs[4] = {{.a = 0, .b = 0}, {.a = 0, .b = 1}, {.a = 1, .b = 1}, {.a = 1, .b = 1}};
    int32_t order[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = row_of(0, 1, 1, 0);
        rows[i].goes_through = true;
        rows[i].cut = cuts[i];
        rows[i].shown = shares[i];
        pairs[i].rows = &rows[i];
        pairs[i].row_count = 1;
    }
    Report report = plain_report(rows, 1);
    report.pairs = pairs;
    report.pair_count = 4;
    assert_true(report_order(&report, order));
    assert_memory_equal(order, expected, sizeof order);
}

/* ---- Texts for people and other programs -------------------------------------------------------
 */

/* No control character but the ends of lines, and every line within the width, whatever names are.
 * The sentence below the table may be longer, and the heading. */
static void test_table_is_tame(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        Report report;
        make_report(&report);
        int32_t width = 60 + (int32_t)pick(100);
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_true(report_write_table(&report, &(TableOptions){.width = width}, out));
        fclose(out);
        bool is_table = false;
        for (char *line = text, *next; *line; line = next) {
            next = strchr(line, '\n');
            assert_non_null(next);
            *next++ = 0;
            is_table = is_table ? *line != 0 : strncmp(line, "verdict", 7) == 0;
            if (is_table)
                assert_in_range(text_width(line), 1, width);
            for (const char *at = line; *at;) {
                uint32_t code;
                at = text_next(at, &code);
                assert_true(code >= 0x20 && (code < 0x7f || code >= 0xa0) && code != 0x202e);
            }
        }
        free(text);
        report_free(&report);
    }
}

static void test_color_is_asked_for(void **state)
{
    (void)state;
    ReportRow rows[] = {row_of(1, 9, 9, 0.1)};
    Report report = plain_report(rows, 1);
    char *plain = text_of(&report, write_table), *red = text_of(&report, write_narrow);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(red, "\033[1;31mpenetrating\033[0m"));
    assert_non_null(strstr(plain, "next: pliant check model.glb --html report.html"));
    free(plain);
    free(red);
}

static void test_junit_escapes(void **state)
{
    (void)state;
    ReportRow rows[] = {row_of(1, 9, 9, 0.125)};
    Report report = plain_report(rows, 1);
    char a[] = "<\"&\x01\t\xff>", b[] = "b\xef\xbf\xbf";
    report.parts = (ReportPart[]){{a, 3, 1, false, false, 0}, {b, 3, 1, false, false, 0}};
    char *text = text_of(&report, report_write_junit);
    assert_non_null(strstr(text, "name=\"&#60;&#34;&#38;\xef\xbf\xbd&#9;\xef\xbf\xbd&#62; : "
                                 "b\xef\xbf\xbd\""));
    assert_non_null(
        strstr(text, "<failure type=\"penetrating\" message=\"penetrating: &#60;&#34;"));
    assert_non_null(strstr(text, ", 9 pairs of triangles in walk 7 (1.7 s)"));
    free(text);
}

/* A stretch is told by the row that the pair's worst is told by: of one depth, a cut is worse than
 * more pairs; what is as deep as it was does not count. */
static void test_csv_tells_the_worst(void **state)
{
    (void)state;
    ReportRegion known = {.known_depth = 0.5, .shown = -1};
    ReportRow rows[] = {row_of(1, 90, 90, 0), row_of(2, 9, 9, 0), row_of(3, 3, 3, 0)};
    Report report = plain_report(rows, 3);
    rows[0].regions = &known;
    rows[0].region_count = 1;
    for (int i = 0; i < 2; i++) {
        char expected[40];
        snprintf(expected, sizeof expected, "walk,7,11,%d,", i == 0 ? 9 : 11);
        rows[2].goes_through = i == 1;
        rows[2].cut = 0.25 * i;
        char *text = text_of(&report, report_write_csv);
        assert_non_null(strstr(text, expected));
        assert_int_equal(pair_summary(&report, report.pairs).worst, 2 + i);
        free(text);
    }
}

static char *cell(const char *text, int width, bool is_right)
{
    static char buffer[200];
    char *made = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&made, &size);
    text_write_cell(text, width, is_right, out);
    fclose(out);
    snprintf(buffer, sizeof buffer, "%s", made);
    free(made);
    return buffer;
}

static void test_cells(void **state)
{
    (void)state;
    assert_string_equal(cell("abc", 5, false), "abc  ");
    assert_string_equal(cell("abc", 5, true), "  abc");
    assert_string_equal(cell("abcdefghij", 7, false), "abcd\xe2\x80\xa6ij");
    assert_string_equal(cell("\xe8\xba\xab\xe4\xbd\x93", 6, false),
                        "\xe8\xba\xab\xe4\xbd\x93  "); /* two columns each */
    assert_string_equal(cell("e\xcc\x81t\xc3\xa9", 4, false), "e\xcc\x81t\xc3\xa9 ");
    for (int width = 1; width < 12; width++)
        assert_int_equal(
            text_width(cell("\xe8\xba\xab\xe4\xbd\x93 body \xe8\xba\xab", width, false)), width);
}

/* ---- Reports of others -------------------------------------------------------------------------
 */

static const char fine[] =
    "{\"schema\": \"pliant-report/3\", \"file\": \"f\", \"format\": \"GLB\", \"baseline\": "
    "\"none\", \"unit\": \"\", \"settings\": \"\", \"size\": 2, \"max_clearance\": null, "
    "\"is_all_measured\": false, \"max_pairs\": 0, \"max_depth\": 0, \"has_self\": true, "
    "\"shard\": 1, "
    "\"shard_count\": 2, \"sample_count\": 5, \"tested_count\": 3, \"parts\": [{\"name\": \"a\", "
    "\"vertices\": 3, \"triangles\": 30, \"is_closed\": false}], \"runs\": [{\"name\": \"r\", "
    "\"start\": 0, \"rate\": 30, \"first_frame\": 0, \"frame_step\": 1, \"frame_count\": 5}], "
    "\"pairs\": [{\"a\": 0, \"b\": 0, \"kind\": \"checked\", \"is_allowed\": false, \"a_faces\": "
    "\"1,4-6\", \"stretches\": [{\"sample\": 0, \"through\": true, \"pairs\": [4, 9, 1], \"new\": "
    "[3, 9, 1]}], \"rows\": [{\"sample\": 2, \"also\": [4], \"depth\": 0.5, \"max_depth\": 1, "
    "\"is_solid\": true, \"small_regions\": 3, "
    "\"regions\": [{\"depth\": 0.5, \"max_depth\": 1, \"areas\": [1, 2], \"inner\": \"a\", "
    "\"is_solid\": true, \"deepest\": [1, 2, 3], \"closest\": [1, 2, 4], "
    "\"deepest_triangle\": 1, \"closest_triangle\": 2, \"joints\": [[\"j\", 0.5]], "
    "\"side_joints\": [[], []]}]}]}]}";

/* The fine report with one text in place of another: to be freed. */
static char *replaced(const char *in, const char *from, const char *to)
{
    const char *at = strstr(in, from);
    char *text = NULL;
    assert_non_null(at);
    assert_true(asprintf(&text, "%.*s%s%s", (int)(at - in), in, to, at + strlen(from)) > 0);
    return text;
}

static void test_hostile_reports(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *reason;
    } cases[] = {
        {"pliant-report/3", "pliant-report/1", "schema"},
        {"\"schema\"", "\"scheme\"", "schema is missing"},
        {"\"file\": \"f\"", "\"file\": 7", "file is missing or no text"},
        {"\"max_depth\": 0", "\"max_depth\": -1", "max_depth"},
        {"\"kind\": \"checked\"", "\"kind\": \"checkered\"", "pairs[0].kind"},
        {"\"through\": true", "\"through\": 1", "pairs[0].stretches[0].through"},
        {"\"inner\": \"a\"", "\"inner\": \"c\"", "inner is neither"},
        {"[1, 2, 4]", "[1, 2]", "closest is missing or not 3 numbers"},
        {"[1, 2, 4]", "[1, 2, \"x\"]", "closest is missing or not 3 numbers"},
        {"[[], []]", "[7, []]", "joints are no list, or too many"},
        {"[[\"j\", 0.5]]", "[[3, 0.5]]", "a joint is no name and share"},
        {"[[\"j\", 0.5]]", "[[\"j\", -1]]", "a joint is no name and share"},
        {"\"pairs\": [4", "\"contained\": \"x\", \"pairs\": [4", "contained is neither"},
        {"\"shard\": 1", "\"shard\": 3", "shard is 3, not from 1 to 2"},
        {"\"shard_count\": 2", "\"shard_count\": 2147483648", "shard_count is"},
        {"\"sample_count\": 5", "\"sample_count\": 6", "sample_count is 6, and the runs have 5"},
        {"\"tested_count\": 3", "\"tested_count\": 2", "tested_count is 2"},
        {"\"triangles\": 30", "\"triangles\": -1", "parts[0].triangles is -1"},
        {"\"is_closed\": false", "\"is_closed\": 0", "parts[0].is_closed"},
        {"\"rate\": 30", "\"rate\": 0", "runs[0].rate"},
        {"\"rate\": 30", "\"rate\": 1e999", "line 1"},
        {"\"frame_step\": 1", "\"frame_step\": 2147483647", "runs[0].frame_count is too large"},
        {"\"a\": 0", "\"a\": 1", "pairs[0].a is 1"},
        {"\"has_self\": true", "\"has_self\": false", "pairs[0].b is 0, not from 1"},
        {"1,4-6", "4-6,1", "pairs[0].a_faces is no list"},
        {"1,4-6", "1,6-4", "pairs[0].a_faces is no list"},
        {"1,4-6", "1,", "pairs[0].a_faces is no list"},
        {"1,4-6", "-1", "pairs[0].a_faces is no list"},
        {"1,4-6", "1,4-30", "triangle 30 of 30"},
        {"1,4-6", "99999999999999999999", "pairs[0].a_faces has triangle"},
        {"\"sample\": 0", "\"sample\": 5", "pairs[0].stretches[0].sample is 5"},
        {"\"sample\": 0", "\"sample\": 1", "not of shard 1/2"},
        {"\"sample\": 0", "\"sample\": 2", "pairs has more numbers than there are samples"},
        {"[4, 9, 1]", "[]", "stretches[0].pairs is missing or no list"},
        {"[4, 9, 1]", "[4, 0, 1]", "pairs[0].stretches[0].pairs[1] is 0, not from 1"},
        {"[4, 9, 1]", "[4, 9, true]",
         "pairs[0].stretches[0].pairs[2] is missing or no whole number"},
        {"[3, 9, 1]", "[5, 9, 1]", "pairs[0].stretches[0].new[0] is 5, not from 0 to 4"},
        {"[3, 9, 1]", "[3, 9]", "pairs[0].stretches[0].new[2] is missing"},
        {"[{\"sample\": 0", "[7, {\"sample\": 0", "stretches[0].pairs is missing"},
        {"\"sample\": 2", "\"sample\": 3", "rows[0].sample 3 is of no stretch, or measured twice"},
        {"[4], \"depth\"", "[2], \"depth\"",
         "rows[0].sample 2 is of no stretch, or measured twice"},
        {"[4], \"depth\"", "[4, 4], \"depth\"", "sample 4 is of no stretch, or measured twice"},
        {"[4], \"depth\"", "[5], \"depth\"", "rows[0].also[0] is 5, not from 0 to 4"},
        {"[4], \"depth\"", "4, \"depth\"", "rows[0].also is no array"},
        {"\"depth\": 0.5", "\"depth\": null", "pairs[0].rows[0].depth"},
        {"\"is_solid\": true", "\"is_solid\": true, \"volume\": 1", "volume_error"},
        {"\"rows\": [", "\"rows\": [7, ", "rows[0].sample is missing"},
        {"\"rows\": [", "\"rows\": 7, \"row\": [", "rows is missing or no array"},
        {"\"stretches\": [", "\"stretch\": [", "stretches is missing or no array"},
        {"\"name\": \"r\"", "\"name\": \"\\u0000\"", "line 1"},
        {"{\"schema\"", "[\"schema\"", "line 1"},
    };
    Report report;
    char error[400];
    assert_true(report_read_json(fine, strlen(fine), &report, error));
    assert_int_equal(report.pairs[0].a_face_count, 4);
    assert_int_equal(report.pairs[0].row_count, 3);
    assert_false(report.pairs[0].rows[0].is_measured);
    assert_int_equal(report.pairs[0].rows[2].sample, 4);
    assert_true(report.pairs[0].rows[2].is_measured && report.pairs[0].rows[2].region_count == 1);
    report_free(&report);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = replaced(fine, cases[i].from, cases[i].to);
        assert_false(report_read_json(text, strlen(text), &report, error));
        if (!strstr(error, cases[i].reason))
            fail_msg("\"%s\" is not in \"%s\"", cases[i].reason, error);
        free(text);
    }
}

/* Ranges are short in a file and long in memory. */
static void test_faces_have_a_limit(void **state)
{
    (void)state;
    char error[400], *large = replaced(fine, "30, \"is_closed\"", "2147483647, \"is_closed\"");
    char *text = replaced(large, "1,4-6", "0-2147483646");
    Report report;
    assert_false(report_read_json(text, strlen(text), &report, error));
    assert_non_null(strstr(error, "more triangles than a report may have"));
    free(large);
    free(text);
}

/* So are regions of samples with the same measures. */
static void test_regions_have_a_limit(void **state)
{
    (void)state;
    enum { LATER = 131072 };
    ReportRegion regions[REPORT_MAX_REGIONS] = {{.shown = -1}};
    ReportRow rows[] = {row_of(1, 1, 1, 0.5), row_of(2, 1, 1, 0.5)};
    for (int i = 0; i < 2; i++) {
        rows[i].regions = regions;
        rows[i].region_count = REPORT_MAX_REGIONS;
    }
    const Report report = plain_report(rows, 2);
    char error[400] = "", also[] = "\"also\": [2", *json = text_of(&report, report_write_json);
    char *more = calloc(sizeof also + 2 * (size_t)LATER, 1), *text;
    Report again;
    memcpy(more, also, sizeof also);
    for (size_t i = 0; i < 2 * (size_t)LATER; i++)
        more[sizeof also - 1 + i] = ",2"[i % 2];
    text = replaced(json, also, more);
    assert_false(report_read_json(text, strlen(text), &again, error));
    assert_non_null(strstr(error, "pairs[0].rows[0].also: more regions than a report may have"));
    free(text);
    free(more);
    free(json);
}

/* Bytes changed, taken out, doubled: read or refused, and what was read can be written. */
static void test_damaged_reports(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        char text[sizeof fine + 8], error[400];
        size_t size = sizeof fine - 1;
        memcpy(text, fine, sizeof fine);
        for (int64_t n = 1 + pick(3); n > 0; n--) {
            size_t at = (size_t)pick((int64_t)size);
            if (pick(2))
                text[at] = "0123456789-,.\"[]{}:ea"[pick(21)];
            else
                memmove(text + at, text + at + 1, --size - at);
        }
        Report report;
        if (report_read_json(text, size, &report, error)) {
            free(text_of(&report, report_write_json));
            free(text_of(&report, write_narrow));
            report_free(&report);
        }
    }
}

/* ---- Differences -------------------------------------------------------------------------------
 */

static DiffResult diff(const Report *before, const Report *after, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    DiffResult result = report_diff(before, after, &(TableOptions){.is_all = true}, out);
    fclose(out);
    if (!strstr(text, expected))
        fail_msg("\"%s\" is not in \"%s\"", expected, text);
    free(text);
    return result;
}

/* Each part's own triangles, under the name of the other. */
static void test_faces(void **state)
{
    (void)state;
    ReportRow rows[] = {row_of(1, 9, 9, 0.125)};
    Report report = plain_report(rows, 1);
    report.pairs->a_faces = (int32_t[]){2, 3, 5};
    report.pairs->a_face_count = 3;
    report.pairs->b_faces = (int32_t[]){7};
    report.pairs->b_face_count = 1;
    char *text = text_of(&report, report_write_faces);
    static const char *const pieces[] = {
        "\"name\": \"body\"",
        "{\"with\": \"suit\", \"is_allowed\": false, \"triangles\": [2,3,5]}",
        "\"name\": \"suit\"",
        "{\"with\": \"body\", \"is_allowed\": false, \"triangles\": [7]}",
    };
    size_t at = 0;
    for (int i = 0; i < 4; i++) { /* one after another */
        const char *found = strstr(text + at, pieces[i]);
        assert_non_null(found);
        at = (size_t)(found - text);
    }
    free(text);
}

static void test_diff(void **state)
{
    (void)state;
    ReportRow rows[] = {row_of(1, 9, 9, 0.1), row_of(2, 9, 9, 0.2)};
    Report before = plain_report(rows, 1), after = before;
    ReportPair changed = *before.pairs;
    after.pairs = &changed;
    assert_int_equal(diff(&before, &after, "1 the same"), DIFF_SAME);
    changed.row_count = 2; /* deeper */
    assert_int_equal(diff(&before, &after, "worse"), DIFF_WORSE);
    assert_int_equal(diff(&after, &before, "better"), DIFF_BETTER);
    changed.row_count = 0;
    assert_int_equal(diff(&before, &after, "vanished"), DIFF_BETTER);
    assert_int_equal(diff(&after, &before, "appeared"), DIFF_WORSE);
    changed.row_count = 2;
    changed.is_allowed = true;
    assert_int_equal(diff(&before, &after, "worse, allowed"), DIFF_SAME);

    /* Without a depth, the length of the cut tells. */
    changed.is_allowed = false;
    ReportRow cuts[] = {row_of(1, 9, 9, 0), row_of(1, 9, 9, 0)};
    for (int i = 0; i < 2; i++) {
        cuts[i].goes_through = true;
        cuts[i].cut = 0.005 + 0.15 * i;
    }
    ReportPair slit = changed, torn = changed;
    slit.rows = &cuts[0];
    torn.rows = &cuts[1];
    slit.row_count = torn.row_count = 1;
    before.pairs = &slit;
    after.pairs = &torn;
    assert_int_equal(diff(&before, &after, "0.005 cut -> 0.155 cut"), DIFF_WORSE);
    assert_int_equal(diff(&after, &before, "better"), DIFF_BETTER);
    before = plain_report(rows, 1);
    after.pairs = &changed;

    /* Parts in another order are the same parts. */
    changed.row_count = 1;
    ReportPart turned[] = {before.parts[1], before.parts[0]};
    after.parts = turned;
    assert_int_equal(diff(&before, &after, "1 the same"), DIFF_SAME);
}

static void test_diff_of_random_reports(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        Report x, y;
        make_report(&x);
        make_report(&y);
        assert_int_equal(diff(&x, &x, "0 appeared, 0 worse, 0 better, 0 vanished"), DIFF_SAME);
        diff(&x, &y, "appeared");
        report_free(&x);
        report_free(&y);
    }
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Of up to three joints with these shares. */
static void assert_place(const char *place, const char *const names[3], const double shares[3])
{
    char *joints[3], text[PLACE_ROOM];
    Report report = {.joints = joints, .joint_count = 3};
    ReportRegion region = {0};
    for (int32_t i = 0; i < 3 && names[i]; i++) {
        joints[i] = strdup(names[i]);
        region.shares[2][region.share_counts[2]++] = (ReportShare){i, shares[i]};
    }
    place_of(&report, &region, text);
    assert_string_equal(text, place);
    for (int32_t i = 0; i < region.share_counts[2]; i++)
        free(joints[i]);
}

static void joints_are_places_of_a_body(void **state)
{
    (void)state;
    static const struct {
        const char *place, *names[3];
        double shares[3];
    } cases[] = {
        {"left knee", {"thigh_l", "calf_l"}, {0.61, 0.3}},
        {"right knee", {"mixamorig:RightLeg", "mixamorig:RightUpLeg"}, {0.5, 0.4}},
        {"right knee", {"mixamorigRightLeg", "mixamorigRightUpLeg"}, {0.5, 0.4}},
        {"left elbow", {"DEF-forearm.L.001", "DEF-upper_arm.L"}, {0.6, 0.4}},
        {"left wrist", {"LowerArm.L", "Thumb.L", "Index2.L"}, {0.5, 0.2, 0.2}},
        {"right hip", {"thigh_r", "pelvis"}, {0.6, 0.3}},
        {"left armpit", {"spine_03", "upperarm_l"}, {0.6, 0.3}},
        {"left hand", {"index_01_l", "thumb_02_l", "spine_01"}, {0.5, 0.3, 0.2}},
        {"right lower leg", {"shin.R", "foot.R"}, {0.9, 0.1}},
        {"head", {"Head", "spine"}, {0.9, 0.1}},
        {"left hip", {"thigh_l", "spine_01", "spine_02"}, {0.5, 0.2, 0.2}},
        /* Both sides, both knees, nothing that is most of it, names that say nothing certain. */
        {"", {"spine_03", "upperarm_l", "upperarm_r"}, {0.4, 0.34, 0.23}},
        {"", {"thigh_l", "calf_r"}, {0.45, 0.45}},
        {"", {"calf_r", "ball_r", "foot_r"}, {0.47, 0.42, 0.11}},
        {"", {"elbow", "shoulder"}, {0.6, 0.4}},
        {"", {"b_LeftLeg01_015", "b_LeftLeg02_016"}, {0.6, 0.4}},
        {"", {"arm_joint_L_2", "Bone.003", "\xff\xfeL"}, {0.6, 0.3, 0.1}},
        {"", {NULL}, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_place(cases[i].place, cases[i].names, cases[i].shares);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_numbers_read_back),
        cmocka_unit_test(test_shards_make_the_whole),
        cmocka_unit_test(test_merge_refuses),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_volumes_settle),
        cmocka_unit_test(test_chosen_rows),
        cmocka_unit_test(test_alternatives_fold),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_order_of_cuts),
        cmocka_unit_test(test_table_is_tame),
        cmocka_unit_test(test_color_is_asked_for),
        cmocka_unit_test(test_junit_escapes),
        cmocka_unit_test(test_faces),
        cmocka_unit_test(test_csv_tells_the_worst),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_hostile_reports),
        cmocka_unit_test(test_faces_have_a_limit),
        cmocka_unit_test(test_regions_have_a_limit),
        cmocka_unit_test(test_damaged_reports),
        cmocka_unit_test(test_diff),
        cmocka_unit_test(test_diff_of_random_reports),
        cmocka_unit_test(joints_are_places_of_a_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
