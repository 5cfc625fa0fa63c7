/* broad: pairs of boxes, each against each. Knows boxes only. */
#ifndef PLI_BROAD_H
#define PLI_BROAD_H

#include "base/memory.h"
#include "geom/box.h"

typedef struct PliBroadPair {
    int32_t a, b;
} PliBroadPair;
typedef struct PliBroad {
    const PliantHost *host;
    PliArray pairs;
} PliBroad;
void pli_broad_init(PliBroad *broad, const PliantHost *host);
void pli_broad_free(PliBroad *broad);
size_t pli_broad_bytes(const PliBroad *broad);
typedef enum { PLI_BROAD_AUTO, PLI_BROAD_BRUTE, PLI_BROAD_SWEEP } PliBroadKind;
typedef struct PliBroadInput {
    int32_t count;
    const PliBox *boxes;
    const uint32_t *categories, *collides_with;
    PliBroadKind kind;
} PliBroadInput;
PliantResult pli_broad_find(PliBroad *broad, const PliBroadInput *input, const PliBroadPair **pairs,
                            int64_t *pair_count);
#endif
