/* Where most primitives of a soup are, and how large: see soup.h.
 *
 * Some are looked at, all over the arrays. Of these the outermost along each axis are left out: one
 * that is far away from all others would make a grid of which all others are in one cell. */
#include "soup/survey.h"
#include "base/sort.h"
#include "soup/read.h"

/* How many are looked at: one of so many, within limits. And of how many of these one is left out
 * at each end. */
enum { LOOK_STEP = 8, FEWEST_LOOKS = 32, LOOKS = 256, OUTERMOST = 32 };

/* So much is added at each end, of the box of those that were looked at: not all of them were. */
#define MORE 0.125f

typedef struct Looks {
    uint64_t ranks[4][LOOKS]; /* of midpoints, along each axis; and of sizes */
    int32_t count;
} Looks;

static void look(const PliSoup *soup, Looks *looks)
{
    const int32_t some = soup->count / LOOK_STEP;
    int32_t most = some < FEWEST_LOOKS ? FEWEST_LOOKS : some < LOOKS ? some : LOOKS;
    most = most < soup->count ? most : soup->count;
    looks->count = 0;
    for (int32_t i = 0; i < most; i++) {
        /* By the golden section: no period of the caller's is in step with it. */
        const uint64_t part = (uint32_t)i * 0x9e3779b9u;
        PliBox box;
        if (!pli_soup_read(soup, (int32_t)(part * (uint64_t)soup->count >> 32), &box))
            continue;
        const PliFloat4 middle = pli_quarter_middle(&box);
        for (int k = 0; k < 3; k++)
            looks->ranks[k][looks->count] = pli_rank_of(middle[k]);
        looks->ranks[3][looks->count++] = pli_rank_of(pli_size_of(&box));
    }
}

void pli_soup_survey(PliSoup *soup)
{
    Looks looks;
    uint64_t scratch[LOOKS];
    look(soup, &looks);
    soup->middles = pli_box_empty();
    soup->usual_size = 0;
    if (looks.count == 0)
        return;
    for (int k = 0; k < 4; k++)
        pli_sort_keys(looks.ranks[k], scratch, looks.count, 32);
    const int32_t first = looks.count / OUTERMOST, last = looks.count - 1 - first;
    for (int k = 0; k < 3; k++) {
        const float low = pli_float_of((uint32_t)looks.ranks[k][first]);
        const float high = pli_float_of((uint32_t)looks.ranks[k][last]);
        soup->middles.low[k] = low - MORE * (high - low);
        soup->middles.high[k] = high + MORE * (high - low);
    }
    soup->usual_size = pli_float_of((uint32_t)looks.ranks[3][looks.count / 2]);
}
