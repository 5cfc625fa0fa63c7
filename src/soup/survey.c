/* A sample of the primitives: see survey.h.
 *
 * The outermost samples along each axis are dropped: with one primitive far away from all others,
 * these would all be in one cell of the grid. */
#include "soup/survey.h"
#include "base/sort.h"
#include "soup/read.h"

/* One of SAMPLE_STEP primitives is sampled, within limits. One of DROPPED_PART samples is dropped
 * at each end. */
enum { SAMPLE_STEP = 8, MIN_SAMPLES = 32, MAX_SAMPLES = 256, DROPPED_PART = 32 };

/* The box is enlarged at each end by this part of its side: not all primitives were sampled. */
#define MARGIN 0.125f

typedef struct Samples {
    uint64_t ranks[4][MAX_SAMPLES]; /* of midpoints, along each axis; and of sizes */
    int32_t count;
} Samples;

static void read_samples(const PliSoup *soup, Samples *samples)
{
    const int32_t some = soup->count / SAMPLE_STEP;
    int32_t count = some < MIN_SAMPLES ? MIN_SAMPLES : some < MAX_SAMPLES ? some : MAX_SAMPLES;
    count = count < soup->count ? count : soup->count;
    samples->count = 0;
    for (int32_t i = 0; i < count; i++) {
        /* Steps of the golden ratio are in step with no period in the array. */
        const uint64_t part = (uint32_t)i * 0x9e3779b9u;
        PliBox box;
        if (!pli_soup_read(soup, (int32_t)(part * (uint64_t)soup->count >> 32), &box))
            continue;
        const PliFloat4 middle = pli_quarter_middle(&box);
        for (int k = 0; k < 3; k++)
            samples->ranks[k][samples->count] = pli_rank_of(middle[k]);
        samples->ranks[3][samples->count++] = pli_rank_of(pli_size_of(&box));
    }
}

void pli_soup_survey(PliSoup *soup)
{
    Samples samples;
    uint64_t scratch[MAX_SAMPLES];
    read_samples(soup, &samples);
    soup->middles = pli_box_empty();
    soup->usual_size = 0;
    if (samples.count == 0)
        return;
    for (int k = 0; k < 4; k++)
        pli_sort_keys(samples.ranks[k], scratch, samples.count, 32);
    const int32_t first = samples.count / DROPPED_PART, last = samples.count - 1 - first;
    for (int k = 0; k < 3; k++) {
        const float low = pli_float_of((uint32_t)samples.ranks[k][first]);
        const float high = pli_float_of((uint32_t)samples.ranks[k][last]);
        soup->middles.low[k] = low - MARGIN * (high - low);
        soup->middles.high[k] = high + MARGIN * (high - low);
    }
    soup->usual_size = pli_float_of((uint32_t)samples.ranks[3][samples.count / 2]);
}
