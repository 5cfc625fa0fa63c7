/* Pairs of boxes, each against each: see broad.h. */
#include "broad/broad.h"
void pli_broad_init(PliBroad *broad, const PliantHost *host)
{
    *broad = (PliBroad){host, {.item_size = sizeof(PliBroadPair)}};
}
void pli_broad_free(PliBroad *broad)
{
    pli_array_free(&broad->pairs, broad->host);
}
size_t pli_broad_bytes(const PliBroad *broad)
{
    return (size_t)broad->pairs.capacity * sizeof(PliBroadPair);
}
PliantResult pli_broad_find(PliBroad *broad, const PliBroadInput *in, const PliBroadPair **pairs,
                            int64_t *pair_count)
{
    broad->pairs.count = 0;
    for (int32_t a = 0; a < in->count; a++)
        for (int32_t b = a + 1; b < in->count; b++) {
            bool ok = (in->categories[a] & in->collides_with[b]) &&
                      (in->categories[b] & in->collides_with[a]);
            for (int k = 0; k < 3; k++)
                ok &= in->boxes[a].low[k] <= in->boxes[b].high[k] &&
                      in->boxes[b].low[k] <= in->boxes[a].high[k];
            if (!ok)
                continue;
            void *room;
            PliantResult r = pli_array_push(&broad->pairs, broad->host, 1, &room);
            if (r)
                return r;
            *(PliBroadPair *)room = (PliBroadPair){a, b};
        }
    *pairs = broad->pairs.items;
    *pair_count = broad->pairs.count;
    return PLIANT_OK;
}
