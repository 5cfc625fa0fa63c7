/* How deep, for the page: the regions of every pose that was measured, and the depth of vertices
 * there. */
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
static void add_side(PageBytes *bytes, const CheckVertex *vertices, int32_t count, float most)
{
    page_bytes_varint(bytes, (uint64_t)count);
    for (int32_t i = 0, last = 0; i < count; last = vertices[i++].vertex) {
        const double whole = rint((double)(vertices[i].depth / most * 255));
        const uint8_t share = (uint8_t)fmin(255, fmax(1, whole));
        page_bytes_varint(bytes, (uint64_t)(vertices[i].vertex - last));
        page_bytes_add(bytes, &share, 1);
    }
}

static float deepest_of(const CheckVertex *vertices, int32_t count)
{
    float most = 0;
    for (int32_t i = 0; i < count; i++)
        if (isfinite(vertices[i].depth) && vertices[i].depth > most)
            most = vertices[i].depth;
    return most;
}

/* Each row: pair, sample, how many bytes follow, the deepest, and both sides; of a self-collision
 * one. False: nothing is deep. */
static bool add_inside(Page *page, const CheckInside *inside, PageBytes *lists)
{
    const ReportPair *pair = &page->report->pairs[inside->pair];
    const CheckVertex *vertices = page->contacts->insides.vertices + inside->first;
    const float most = deepest_of(vertices, inside->counts[0] + inside->counts[1]);
    if (most == 0)
        return false;
    lists->count = 0;
    page_bytes_float(lists, most);
    add_side(lists, vertices, inside->counts[0], most);
    if (pair->a != pair->b)
        add_side(lists, vertices + inside->counts[0], inside->counts[1], most);
    page->blob.is_lost |= lists->is_lost;
    page_bytes_varint(&page->blob, (uint64_t)inside->pair);
    page_bytes_varint(&page->blob, (uint64_t)inside->sample);
    page_bytes_varint(&page->blob, lists->count);
    page_bytes_add(&page->blob, lists->items, lists->count);
    return true;
}

/* Is its row still measured in the report? Both are by sample. */
static bool is_measured(const Page *page, const CheckInside *inside)
{
    const ReportPair *pair = &page->report->pairs[inside->pair];
    int64_t low = 0, high = pair->row_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (pair->rows[middle].sample < inside->sample)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pair->row_count && pair->rows[low].sample == inside->sample &&
           pair->rows[low].is_measured;
}

static void add_insides(Page *page)
{
    const CheckInsides *insides = page->contacts ? &page->contacts->insides : NULL;
    PageBytes lists = {0};
    int64_t count = 0;
    fprintf(page->facts, ",\"depths\":%zu", page->blob.count);
    for (int64_t i = 0; insides && i < insides->count; i++)
        count +=
            is_measured(page, &insides->items[i]) && add_inside(page, &insides->items[i], &lists);
    fprintf(page->facts, ",\"depthCount\":%lld", (long long)count);
    page_bytes_free(&lists);
}

void page_add_depths(Page *page)
{
    add_joints(page);
    add_measures(page);
    add_insides(page);
}
