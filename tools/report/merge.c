/* Shards of one check into the whole.
 *
 * Samples are dealt out in turn (sample s is of shard s modulo the number of shards), so the rows
 * of a pair are those of all shards, sorted; faces are joined as sets; and the volumes that shards
 * measured at worst samples of their own are dropped but for the worst of all (report_settle).
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* ---- Are they shards of one check? -------------------------------------------------------------
 */

static bool is_same_part(const ReportPart *x, const ReportPart *y)
{
    return strcmp(x->name, y->name) == 0 && x->vertex_count == y->vertex_count &&
           x->triangle_count == y->triangle_count && x->is_closed == y->is_closed &&
           x->is_two_sided == y->is_two_sided && x->list == y->list;
}

static bool is_same_run(const ReportRun *x, const ReportRun *y)
{
    return strcmp(x->name, y->name) == 0 && x->start == y->start && x->rate == y->rate &&
           x->first_frame == y->first_frame && x->frame_step == y->frame_step &&
           x->frame_count == y->frame_count;
}

/* The first thing in which two shards differ that should not, or NULL. */
static const char *difference(const Report *x, const Report *y)
{
    if (strcmp(x->file, y->file) != 0)
        return "the file";
    if (strcmp(x->format, y->format) != 0)
        return "the format";
    if (strcmp(x->baseline, y->baseline) != 0)
        return "the baseline";
    if (x->max_depth != y->max_depth || x->max_pairs != y->max_pairs || x->max_cut != y->max_cut ||
        x->max_clearance != y->max_clearance)
        return "the thresholds";
    if (strcmp(x->unit, y->unit) != 0 || strcmp(x->settings, y->settings) != 0 ||
        x->is_all_measured != y->is_all_measured || x->size != y->size)
        return "the settings";
    if (x->has_self != y->has_self)
        return "whether self-collision is checked";
    if (x->shard_count != y->shard_count)
        return "the number of shards";
    if (x->part_count != y->part_count || x->pair_count != y->pair_count)
        return "the parts";
    if (x->run_count != y->run_count || x->sample_count != y->sample_count)
        return "the frames";
    for (int32_t i = 0; i < x->part_count; i++)
        if (!is_same_part(&x->parts[i], &y->parts[i]))
            return "the parts";
    for (int32_t i = 0; i < x->run_count; i++)
        if (!is_same_run(&x->runs[i], &y->runs[i]))
            return "the frames";
    for (int32_t i = 0; i < x->pair_count; i++)
        if (x->pairs[i].a != y->pairs[i].a || x->pairs[i].b != y->pairs[i].b ||
            x->pairs[i].kind != y->pairs[i].kind ||
            x->pairs[i].is_allowed != y->pairs[i].is_allowed)
            return "the pairs of parts, or which are checked or allowed";
    return NULL;
}

static bool check_shards(const Report *shards, int32_t count, char error[400])
{
    for (int32_t i = 0; i < count; i++) {
        const char *what = difference(&shards[0], &shards[i]);
        if (shards[i].incomplete) {
            snprintf(error, 400, "shard %d is incomplete: %.200s", (int)shards[i].shard,
                     shards[i].incomplete);
            return false;
        }
        if (what) {
            snprintf(error, 400, "shards %d and %d are not of one check: they differ in %s",
                     (int)shards[0].shard, (int)shards[i].shard, what);
            return false;
        }
        for (int32_t k = 0; k < i; k++)
            if (shards[k].shard == shards[i].shard) {
                snprintf(error, 400, "shard %d is there twice", (int)shards[i].shard);
                return false;
            }
    }
    if (count != shards[0].shard_count) { /* none twice, all in range: so some are missing */
        snprintf(error, 400, "%d of %d shards are there", (int)count, (int)shards[0].shard_count);
        return false;
    }
    return true;
}

/* ---- Pairs -------------------------------------------------------------------------------------
 */

static int compare_rows(const void *x, const void *y)
{
    const ReportRow *left = x, *right = y;
    return (left->sample > right->sample) - (left->sample < right->sample);
}

static int compare_faces(const void *x, const void *y)
{
    const int32_t *left = x, *right = y;
    return (*left > *right) - (*left < *right);
}

static int64_t without_repeats(int32_t *faces, int64_t count)
{
    qsort(faces, (size_t)count, sizeof *faces, compare_faces);
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (kept == 0 || faces[kept - 1] != faces[i])
            faces[kept++] = faces[i];
    return kept;
}

static void append(void *to, int64_t *count, const void *items, int64_t item_count, size_t size)
{
    if (item_count > 0)
        memcpy((char *)to + (size_t)*count * size, items, (size_t)item_count * size);
    *count += item_count;
}

/* Regions refer to names of joints, which every report counts by itself. */
static bool rename_joints(const ReportRow *row, Report *whole, const Report *shard)
{
    for (int32_t i = 0; i < row->region_count; i++)
        for (int side = 0; side < 3; side++)
            for (int32_t k = 0; k < row->regions[i].share_counts[side]; k++) {
                ReportShare *share = &row->regions[i].shares[side][k];
                share->joint = report_joint(whole, shard->joints[share->joint]);
                if (share->joint < 0)
                    return false;
            }
    return true;
}

static bool append_rows(ReportPair *whole, const ReportPair *pair, Report *whole_report,
                        const Report *shard)
{
    for (int64_t i = 0; i < pair->row_count; i++) {
        ReportRow *row = &whole->rows[whole->row_count++];
        *row = pair->rows[i];
        row->regions = NULL;
        if (!row_copy_measure(&pair->rows[i], row) || !rename_joints(row, whole_report, shard))
            return false;
    }
    return true;
}

static bool merge_pair(const Report *shards, int32_t count, int32_t number, Report *whole_report,
                       ReportPair *whole)
{
    int64_t rows = 0, a_faces = 0, b_faces = 0;
    for (int32_t i = 0; i < count; i++) {
        const ReportPair *pair = &shards[i].pairs[number];
        rows += pair->row_count;
        a_faces += pair->a_face_count;
        b_faces += pair->b_face_count;
    }
    const ReportPair *first = &shards[0].pairs[number];
    *whole = (ReportPair){.a = first->a,
                          .b = first->b,
                          .kind = first->kind,
                          .is_allowed = first->is_allowed,
                          .clearance = -1};
    whole->rows = calloc((size_t)rows + 1, sizeof *whole->rows);
    whole->a_faces = calloc((size_t)a_faces + 1, sizeof *whole->a_faces);
    whole->b_faces = calloc((size_t)b_faces + 1, sizeof *whole->b_faces);
    if (!whole->rows || !whole->a_faces || !whole->b_faces)
        return false;
    for (int32_t i = 0; i < count; i++) {
        const ReportPair *pair = &shards[i].pairs[number];
        if (!append_rows(whole, pair, whole_report, &shards[i]))
            return false;
        if (pair->clearance >= 0 && (whole->clearance < 0 || pair->clearance < whole->clearance ||
                                     (pair->clearance == whole->clearance &&
                                      pair->clearance_sample < whole->clearance_sample))) {
            whole->clearance = pair->clearance;
            whole->clearance_sample = pair->clearance_sample;
        }
        append(whole->a_faces, &whole->a_face_count, pair->a_faces, pair->a_face_count,
               sizeof *pair->a_faces);
        append(whole->b_faces, &whole->b_face_count, pair->b_faces, pair->b_face_count,
               sizeof *pair->b_faces);
    }
    qsort(whole->rows, (size_t)rows, sizeof *whole->rows, compare_rows);
    whole->a_face_count = without_repeats(whole->a_faces, whole->a_face_count);
    whole->b_face_count = without_repeats(whole->b_faces, whole->b_face_count);
    return true;
}

/* ---- The whole ---------------------------------------------------------------------------------
 */

static bool copy_names(const Report *from, Report *to)
{
    to->file = strdup(from->file);
    to->format = strdup(from->format);
    to->baseline = strdup(from->baseline);
    to->unit = strdup(from->unit);
    to->settings = strdup(from->settings);
    to->parts = calloc((size_t)from->part_count + 1, sizeof *to->parts);
    to->runs = calloc((size_t)from->run_count + 1, sizeof *to->runs);
    to->pairs = calloc((size_t)from->pair_count + 1, sizeof *to->pairs);
    if (!to->file || !to->format || !to->baseline || !to->unit || !to->settings || !to->parts ||
        !to->runs || !to->pairs)
        return false;
    for (; to->part_count < from->part_count; to->part_count++) {
        to->parts[to->part_count] = from->parts[to->part_count];
        if (!(to->parts[to->part_count].name = strdup(from->parts[to->part_count].name)))
            return false;
    }
    for (; to->run_count < from->run_count; to->run_count++) {
        to->runs[to->run_count] = from->runs[to->run_count];
        if (!(to->runs[to->run_count].name = strdup(from->runs[to->run_count].name)))
            return false;
    }
    return true;
}

bool report_merge(const Report *shards, int32_t count, Report *whole, char error[400])
{
    *whole = (Report){0};
    if (!check_shards(shards, count, error))
        return false;
    whole->max_depth = shards[0].max_depth;
    whole->max_cut = shards[0].max_cut;
    whole->max_pairs = shards[0].max_pairs;
    whole->max_clearance = shards[0].max_clearance;
    whole->is_all_measured = shards[0].is_all_measured;
    whole->size = shards[0].size;
    whole->has_self = shards[0].has_self;
    whole->sample_count = shards[0].sample_count;
    whole->shard = whole->shard_count = 1;
    bool is_whole = copy_names(&shards[0], whole);
    for (int32_t i = 0; i < count; i++)
        whole->tested_count += shards[i].tested_count;
    while (is_whole && whole->pair_count < shards[0].pair_count) {
        int32_t number = whole->pair_count++;
        is_whole = merge_pair(shards, count, number, whole, &whole->pairs[number]);
    }
    if (!is_whole || !report_settle(whole)) {
        report_free(whole);
        snprintf(error, 400, "there is no memory left");
        return false;
    }
    return true;
}
