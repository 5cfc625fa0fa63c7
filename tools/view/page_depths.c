/* How deep, for the page: the regions of every pose that was measured, and the depth of vertices
 * there. Regions come from the report, depths of vertices are found again: see check/cut.h. */
#include "check/cut.h"
#include "view/page.h"

#include <math.h>
#include <string.h>

/* ---- Regions --------------------------------------------------------------------------------- */

static void add_joints(Page *page)
{
    fputs(",\"joints\":[", page->facts);
    for (int32_t i = 0; i < page->report->joint_count; i++) {
        if (i > 0)
            fputc(',', page->facts);
        page_json_string(page->facts, page->report->joints[i]);
    }
    fputc(']', page->facts);
}

/* Depth, areas, what is inside, the two points that are so far apart, and joints in percent. */
static void add_region(PageBytes *bytes, const ReportRegion *region)
{
    page_bytes_float(bytes, (float)region->depth);
    page_bytes_float(bytes, (float)region->areas[0]);
    page_bytes_float(bytes, (float)region->areas[1]);
    page_bytes_varint(bytes,
                      (uint64_t)(region->inner | region->is_solid << 1 | region->is_poking << 2));
    for (int axis = 0; axis < 3; axis++)
        page_bytes_float(bytes, (float)region->deepest[axis]);
    for (int axis = 0; axis < 3; axis++)
        page_bytes_float(bytes, (float)region->closest[axis]);
    page_bytes_varint(bytes, (uint64_t)region->share_counts[2]);
    for (int32_t i = 0; i < region->share_counts[2]; i++) {
        page_bytes_varint(bytes, (uint64_t)region->shares[2][i].joint);
        page_bytes_varint(bytes, (uint64_t)lrint(100 * region->shares[2][i].share));
    }
}

static void add_measures(Page *page)
{
    const Report *report = page->report;
    int64_t count = 0;
    fprintf(page->facts, ",\"measures\":%zu", page->blob.count);
    for (int32_t p = 0; p < report->pair_count; p++) {
        for (int64_t i = 0; i < report->pairs[p].row_count; i++) {
            const ReportRow *row = &report->pairs[p].rows[i];
            if (!row->is_measured || row->region_count == 0)
                continue;
            count++;
            page_bytes_varint(&page->blob, (uint64_t)p);
            page_bytes_varint(&page->blob, (uint64_t)row->sample);
            page_bytes_varint(&page->blob, (uint64_t)row->small_count);
            page_bytes_varint(&page->blob, (uint64_t)row->region_count);
            for (int32_t k = 0; k < row->region_count; k++)
                add_region(&page->blob, &row->regions[k]);
        }
    }
    fprintf(page->facts, ",\"measureCount\":%lld", (long long)count);
}

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Vertices of one side that are inside: how many, and of each how many are skipped and its depth in
 * 255ths of the deepest. */
static void add_side(PageBytes *bytes, const float *depths, int32_t vertex_count, float most)
{
    uint64_t count = 0;
    for (int32_t i = 0; i < vertex_count; i++)
        count += depths[i] > 0;
    page_bytes_varint(bytes, count);
    for (int32_t i = 0, last = 0; i < vertex_count; i++) {
        if (!(depths[i] > 0))
            continue;
        const uint8_t share = (uint8_t)fmin(255, fmax(1, rint((double)(depths[i] / most * 255))));
        page_bytes_varint(bytes, (uint64_t)(i - last));
        page_bytes_add(bytes, &share, 1);
        last = i;
    }
}

static float deepest_of(const float *depths, int32_t vertex_count)
{
    float most = 0;
    for (int32_t i = 0; i < vertex_count; i++)
        if (isfinite(depths[i]) && depths[i] > most)
            most = depths[i];
    return most;
}

typedef struct DepthWork {
    Page *page;
    Cuts *cuts;
    ScenePose *pose;
    PageBytes lists;
    int64_t count;
} DepthWork;

static const CheckContact *contact_of(const Page *page, int32_t pair, int64_t sample)
{
    const CheckContacts *contacts = page->contacts;
    int64_t low = 0, high = contacts ? contacts->count : 0;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const CheckContact *at = &contacts->items[middle];
        if (at->sample < sample || (at->sample == sample && at->pair < pair))
            low = middle + 1;
        else
            high = middle;
    }
    const CheckContact *found = contacts && low < contacts->count ? &contacts->items[low] : NULL;
    return found && found->sample == sample && found->pair == pair ? found : NULL;
}

/* Each row: pair, sample, how many bytes follow, the deepest, and both sides; of a self-collision
 * one. */
static void add_cut(DepthWork *work, int32_t pair, int64_t sample, const CutQuery *query,
                    const Cut *cut)
{
    const Scene *scene = work->page->scene;
    const int side_count = query->parts[0] == query->parts[1] ? 1 : 2;
    PageBytes *blob = &work->page->blob;
    float most = 0;
    for (int k = 0; k < side_count; k++)
        most = fmaxf(most, deepest_of(cut->depths[k], scene->parts[query->parts[k]].vertex_count));
    if (most == 0)
        return;
    work->lists.count = 0;
    page_bytes_float(&work->lists, most);
    for (int k = 0; k < side_count; k++)
        add_side(&work->lists, cut->depths[k], scene->parts[query->parts[k]].vertex_count, most);
    blob->is_lost |= work->lists.is_lost;
    page_bytes_varint(blob, (uint64_t)pair);
    page_bytes_varint(blob, (uint64_t)sample);
    page_bytes_varint(blob, work->lists.count);
    page_bytes_add(blob, work->lists.items, work->lists.count);
    work->count++;
}

static bool add_row(DepthWork *work, int32_t index, const ReportRow *row)
{
    Page *page = work->page;
    const ReportPair *pair = &page->report->pairs[index];
    const CheckContact *contact = contact_of(page, index, row->sample);
    CutQuery query = {.parts = {page->part_of[pair->a], page->part_of[pair->b]}};
    Cut cut;
    if (!contact || query.parts[0] < 0 || query.parts[1] < 0)
        return true;
    query.pairs = page->contacts->triangles + contact->first;
    query.pair_count = contact->count;
    if (!page_pose(page, row->sample, work->pose) ||
        !cuts_pose(work->cuts, work->pose, page->error) ||
        !cuts_find(work->cuts, &query, &cut, page->error))
        return false;
    add_cut(work, index, row->sample, &query, &cut);
    cut_free(&cut);
    return true;
}

/* A check that was ended is not to go on here for long: the worst pose of each pair alone. */
static bool is_wanted(const Page *page, const ReportRow *row, const Summary *summary)
{
    return row->is_measured && row->depth > 0 && row->region_count > 0 &&
           (row == summary->worst_row || !page->report->incomplete);
}

static bool add_rows(DepthWork *work)
{
    const Report *report = work->page->report;
    for (int32_t p = 0; p < report->pair_count; p++) {
        const ReportPair *pair = &report->pairs[p];
        const Summary summary = pair_summary(report, pair);
        for (int64_t i = 0; i < pair->row_count; i++)
            if (is_wanted(work->page, &pair->rows[i], &summary) &&
                !add_row(work, p, &pair->rows[i]))
                return false;
    }
    return true;
}

bool page_add_depths(Page *page)
{
    add_joints(page);
    add_measures(page);
    fprintf(page->facts, ",\"depths\":%zu", page->blob.count);
    DepthWork work = {.page = page, .cuts = cuts_create(page->scene, page->error)};
    work.pose = work.cuts ? scene_pose_create(page->scene) : NULL;
    if (work.cuts && !work.pose)
        page->blob.is_lost = true;
    const bool is_made = work.pose && add_rows(&work);
    fprintf(page->facts, ",\"depthCount\":%lld", (long long)work.count);
    scene_pose_free(work.pose);
    cuts_free(work.cuts);
    page_bytes_free(&work.lists);
    return is_made;
}
