/* How garments fit, for the page: the signed distance of all vertices of a part from another one,
 * in the worst pose of the two.
 *
 * One pose of each pair keeps this cheap: a closest point for each vertex, and a byte. Which part
 * is the garment is not known. Where one of the two is open and the other closed, it is the open
 * one; else both have distances, each from the other. */
#include "view/page.h"

#include "check/cut.h"

#include <math.h>
#include <stdlib.h>

/* Of all pairs, the worst first: what is beyond is left out. */
enum { FIT_VERTICES = 200000 };

/* Farther than this part of the model's size, or than this many times the depth, nothing is
 * searched. */
#define FIT_SIZE 0.03
#define FIT_DEPTH 2.0

/* Codes of distances: 0 is farther than the reach; else 128 is on the surface, less is inside, and
 * a step is finer the nearer it is. */
enum { FIT_BEYOND = 0, FIT_SURFACE = 128, FIT_STEPS = 127 };

typedef struct Fit {
    const float *distances;
    float reach;
} Fit;

static int64_t code_at(const void *from, size_t row, size_t column)
{
    const Fit *fit = from;
    const double distance = (double)fit->distances[row];
    (void)column;
    if (!isfinite(distance))
        return FIT_BEYOND;
    const double share = sqrt(fmin(1, fabs(distance) / (double)fit->reach));
    const int64_t steps = distance == 0 ? 0 : lrint(fmax(1, share * FIT_STEPS));
    return FIT_SURFACE + (distance < 0 ? -steps : steps);
}

/* What is written of all pairs. */
typedef struct Fits {
    Page *page;
    Cuts *cuts;
    ScenePose *pose;
    float *distances; /* room for the vertices of any part */
    PageBytes codes;  /* of one pair */
    int64_t count, vertex_count;
} Fits;

static const ScenePart *part_of(const Fits *fits, int32_t report_part)
{
    return &fits->page->scene->parts[fits->page->part_of[report_part]];
}

/* The distances of one part from the other. */
static bool add_side(Fits *fits, int32_t part, int32_t from, float reach)
{
    const Page *page = fits->page;
    const int32_t count = part_of(fits, part)->vertex_count;
    if (!cuts_distances(fits->cuts, page->part_of[part], page->part_of[from], reach,
                        fits->distances, page->error))
        return false;
    const Fit fit = {fits->distances, reach};
    page_bytes_columns(&fits->codes, code_at, &fit, (size_t)count, 1, 1);
    fits->vertex_count += count;
    return true;
}

/* Has a part distances from the other? */
static bool is_side(const Report *report, int32_t part, int32_t from)
{
    return !report->parts[part].is_closed || report->parts[from].is_closed;
}

/* Each pair: its number, the sample, how many bytes follow, the reach, which of the two have
 * distances, and a code for each of their vertices. */
static bool add_fit(Fits *fits, int32_t index, const Summary *summary)
{
    Page *page = fits->page;
    const ReportPair *pair = &page->report->pairs[index];
    const float reach =
        (float)fmax(FIT_SIZE * page->report->size, FIT_DEPTH * fmax(0, summary->max_depth));
    const bool sides[2] = {is_side(page->report, pair->a, pair->b),
                           is_side(page->report, pair->b, pair->a)};
    if (!(reach > 0 && isfinite(reach)))
        return true;
    if (!page_pose(page, summary->worst, fits->pose) ||
        !cuts_pose(fits->cuts, fits->pose, page->error))
        return false;
    fits->codes.count = 0;
    page_bytes_float(&fits->codes, reach);
    page_bytes_varint(&fits->codes, (uint64_t)(sides[0] | sides[1] << 1));
    if ((sides[0] && !add_side(fits, pair->a, pair->b, reach)) ||
        (sides[1] && !add_side(fits, pair->b, pair->a, reach)))
        return false;
    page->blob.is_lost |= fits->codes.is_lost;
    page_bytes_varint(&page->blob, (uint64_t)index);
    page_bytes_varint(&page->blob, (uint64_t)summary->worst);
    page_bytes_varint(&page->blob, fits->codes.count);
    page_bytes_add(&page->blob, fits->codes.items, fits->codes.count);
    fits->count++;
    return true;
}

/* Two parts that have a worst pose, while there is room. */
static bool is_fit(const Fits *fits, const ReportPair *pair, const Summary *summary)
{
    const int32_t *found = fits->page->part_of;
    return pair->a != pair->b && summary->worst >= 0 && found[pair->a] >= 0 &&
           found[pair->b] >= 0 &&
           fits->vertex_count + part_of(fits, pair->a)->vertex_count +
                   part_of(fits, pair->b)->vertex_count <=
               FIT_VERTICES;
}

static bool make_fits(Fits *fits)
{
    const Scene *scene = fits->page->scene;
    int32_t most = 0;
    for (int32_t i = 0; i < scene->part_count; i++)
        most = scene->parts[i].vertex_count > most ? scene->parts[i].vertex_count : most;
    fits->distances = malloc(((size_t)most + 1) * sizeof *fits->distances);
    fits->pose = scene_pose_create(scene);
    if (!fits->distances || !fits->pose) {
        fits->page->blob.is_lost = true;
        return false;
    }
    fits->cuts = cuts_create(scene, fits->page->error);
    return fits->cuts != NULL;
}

/* Bodies are made for the first pair that has distances: many reports have none. */
static bool add_fits(Fits *fits, const int32_t *order)
{
    const Report *report = fits->page->report;
    bool is_made = true;
    for (int32_t i = 0; i < report->pair_count && is_made; i++) {
        const ReportPair *pair = &report->pairs[order[i]];
        const Summary summary = pair_summary(report, pair);
        if (!is_fit(fits, pair, &summary))
            continue;
        is_made = (fits->cuts || make_fits(fits)) && add_fit(fits, order[i], &summary);
    }
    return is_made;
}

bool page_add_fits(Page *page)
{
    Fits fits = {.page = page};
    int32_t *order = calloc((size_t)page->report->pair_count + 1, sizeof *order);
    fprintf(page->facts, ",\"fits\":%zu", page->blob.count);
    page->blob.is_lost |= !order || !report_order(page->report, order);
    const bool is_made = !page->blob.is_lost && add_fits(&fits, order);
    fprintf(page->facts, ",\"fitCount\":%lld", (long long)fits.count);
    free(order);
    free(fits.distances);
    page_bytes_free(&fits.codes);
    scene_pose_free(fits.pose);
    cuts_free(fits.cuts);
    return is_made || page->blob.is_lost;
}
