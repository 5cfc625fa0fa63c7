/* Kept candidates: see kept.h. */
#include "query/kept.h"
#include "base/memory.h"

#include <string.h>

void pli_kept_init(PliKept *kept, size_t candidate_size)
{
    *kept = (PliKept){.pairs = {.item_size = sizeof(PliKeptPair)},
                      .candidates = {.item_size = candidate_size},
                      .fresh = {.item_size = sizeof(PliKeptPair)},
                      .next_pairs = {.item_size = sizeof(PliKeptPair)},
                      .next_candidates = {.item_size = candidate_size}};
}

void pli_kept_free(PliKept *kept, const PliantHost *host)
{
    pli_array_free(&kept->pairs, host);
    pli_array_free(&kept->candidates, host);
    pli_array_free(&kept->fresh, host);
    pli_array_free(&kept->next_pairs, host);
    pli_array_free(&kept->next_candidates, host);
}

/* ---- Candidates ------------------------------------------------------------------------------ */

/* The pieces of a divided triangle bring the same several times; vertices of a group that are
 * apart make a candidate at each place. */
PliantResult pli_kept_append(PliKept *kept, const PliArray *found, PliArray ranked[2],
                             const PliantHost *host, PliKeptPair *now)
{
    const int64_t count = found->count;
    const size_t size = found->item_size;
    now->first = kept->candidates.count;
    now->count = 0;
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(&ranked[0], host, count));
    PLI_TRY(pli_array_reserve(&ranked[1], host, count));
    PLI_TRY(pli_array_reserve(&kept->candidates, host, now->first + count));
    PliRanked *order = ranked[0].items;
    const char *items = found->items;
    for (int64_t i = 0; i < count; i++) {
        const PliCandidate *candidate = (const PliCandidate *)(items + (size_t)i * size);
        order[i] = (PliRanked){
            pli_feature_key(candidate->kind, candidate->feature_a, candidate->feature_b), 0,
            (int32_t)i};
    }
    order = pli_sort_ranked(order, ranked[1].items, count);
    for (int64_t i = 0; i < count; i++) {
        const char *item = items + (size_t)order[i].item * size;
        char *end = pli_kept_candidate(kept, kept->candidates.count);
        if (now->count > 0 && memcmp(item, end - size, size) == 0)
            continue;
        memcpy(end, item, size);
        kept->candidates.count++;
        now->count++;
    }
    void *end = NULL;
    PLI_TRY(pli_array_push(&kept->fresh, host, 1, &end));
    memcpy(end, now, sizeof *now);
    return PLIANT_OK;
}

void pli_candidate_points(const PliCandidate *candidate, const float kept[12], int end,
                          const PliKeptSide *a, const PliKeptSide *b, float points[12])
{
    const bool is_swapped = candidate->kind == PLIANT_TRIANGLE_VERTEX;
    const PliMotion *first = (is_swapped ? b : a)->motions[end],
                    *second = (is_swapped ? a : b)->motions[end];
    const int first_count = candidate->kind == PLIANT_EDGE_EDGE ? 2 : 1;
    for (int i = 0; i < 4; i++) {
        const PliMotion *motion = i < first_count ? first : second;
        const float *point = motion->is_followed ? motion->now + 3 * (size_t)candidate->vertices[i]
                                                 : kept + 3 * (size_t)i;
        memcpy(points + 3 * (size_t)i, point, 3 * sizeof *points);
    }
}

/* ---- Pairs of bodies ------------------------------------------------------------------------- */

static uint64_t pair_key(const PliKeptPair *pair)
{
    return (uint64_t)pair->a << 32 | (uint64_t)pair->b;
}

/* The first pair that is not before these bodies, if it is theirs; or NULL. */
static PliKeptPair *find_pair(const PliKept *kept, const PliKeptPair *wanted)
{
    PliKeptPair *pairs = kept->pairs.items;
    int64_t low = 0, high = kept->pairs.count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (pair_key(&pairs[middle]) < pair_key(wanted))
            low = middle + 1;
        else
            high = middle;
    }
    return low < kept->pairs.count && pair_key(&pairs[low]) == pair_key(wanted) ? &pairs[low]
                                                                                : NULL;
}

/* How far the vertices of a body have moved since it was searched. Each difference is rounded. */
static double moved_since(const PliKeptState *state, const PliKeptSide *side)
{
    const double start = side->motions[0]->moved - state->moved[0],
                 end = side->motions[1]->moved - state->moved[1];
    return start > end ? start : end;
}

/* Two differences, two sums and the product are rounded, each by 2^-53 of a result that is not
 * negative. */
double pli_kept_reach(const PliKeptPair *pair, const PliKeptSide *a, const PliKeptSide *b,
                      float distance)
{
    const double moved = moved_since(&pair->states[0], a) + moved_since(&pair->states[1], b);
    return moved > 0 ? ((double)distance + moved) * (1 + 0x1p-50) : (double)distance;
}

static bool is_of_epoch(const PliKeptState *state, const PliKeptState *now)
{
    return state->epochs[0] == now->epochs[0] && state->epochs[1] == now->epochs[1] &&
           state->are_apart == now->are_apart;
}

/* Are the candidates of a pair all there are, if these are its bodies now? */
static bool is_complete(const PliKeptPair *pair, const PliKeptPair *now, const PliKeptSide *a,
                        const PliKeptSide *b, float distance)
{
    return pair->count >= 0 && is_of_epoch(&pair->states[0], &now->states[0]) &&
           is_of_epoch(&pair->states[1], &now->states[1]) && now->until <= pair->until &&
           pair->rest_distance == now->rest_distance &&
           pair->thick_distance == now->thick_distance &&
           pli_kept_reach(pair, a, b, distance) <= (double)pair->reach;
}

static PliKeptState state_of(const PliKeptSide *side)
{
    const PliMotion *start = side->motions[0], *end = side->motions[1];
    return (PliKeptState){{start->epoch, end->epoch}, {start->moved, end->moved}, side->are_apart};
}

PliKeptPair *pli_kept_pair(PliKept *kept, const PliKeptSide *a, const PliKeptSide *b,
                           float distance, PliKeptPair *now)
{
    now->a = a->number;
    now->b = b->number;
    now->states[0] = state_of(a);
    now->states[1] = state_of(b);
    now->is_used = true;
    PliKeptPair *pair = find_pair(kept, now);
    if (pair && !is_complete(pair, now, a, b, distance)) {
        pair->count = -1;
        pair = NULL;
    }
    if (pair)
        pair->is_used = true;
    return pair;
}

void pli_kept_settle(const PliKeptSide *a, const PliKeptSide *b, PliKeptPair *now,
                     uint64_t *last_epoch)
{
    const PliKeptSide *sides[] = {a, b};
    for (int i = 0; i < 4; i++)
        pli_motion_settle(sides[i / 2]->motions[i % 2], now->reach, last_epoch);
    now->states[0] = state_of(a);
    now->states[1] = state_of(b);
}

/* ---- Queries --------------------------------------------------------------------------------- */

void pli_kept_start(PliKept *kept)
{
    PliKeptPair *pairs = kept->pairs.items;
    for (int64_t i = 0; i < kept->pairs.count; i++)
        pairs[i].is_used = false;
    kept->fresh.count = 0;
}

void pli_kept_drop_body(PliKept *kept, int32_t number)
{
    PliKeptPair *pairs = kept->pairs.items;
    for (int64_t i = 0; i < kept->pairs.count; i++)
        if (pairs[i].a == number || pairs[i].b == number)
            pairs[i].count = -1;
}

/* Removes the pairs that go, and returns how many candidates there are then. */
static int64_t remove_pairs(PliKept *kept, bool is_of_all)
{
    PliKeptPair *pairs = kept->pairs.items;
    const PliKeptPair *fresh = kept->fresh.items;
    int64_t end = 0, count = 0;
    for (int64_t i = 0; i < kept->pairs.count; i++)
        if (pairs[i].count >= 0 && (pairs[i].is_used || !is_of_all)) {
            count += pairs[i].count;
            pairs[end++] = pairs[i];
        }
    kept->pairs.count = end;
    for (int64_t i = 0; i < kept->fresh.count; i++)
        count += fresh[i].count;
    return count;
}

/* Appends a pair to the next ones, with its candidates: there is room. */
static void append_pair(PliKept *kept, const PliKeptPair *pair)
{
    const size_t size = kept->candidates.item_size;
    PliKeptPair *next = (PliKeptPair *)kept->next_pairs.items + kept->next_pairs.count++;
    *next = *pair;
    next->first = kept->next_candidates.count;
    if (pair->count > 0)
        memcpy((char *)kept->next_candidates.items + (size_t)next->first * size,
               pli_kept_candidate(kept, pair->first), (size_t)pair->count * size);
    kept->next_candidates.count += pair->count;
}

static void swap_arrays(PliArray *x, PliArray *y)
{
    const PliArray other = *x;
    *x = *y;
    *y = other;
}

/* Arrays that are swapped get the same room: a search needs room for what was kept and for all that
 * it finds, of which some may be found several times, in whichever array has its turn. */
static PliantResult keep(PliKept *kept, bool is_of_all, const PliantHost *host)
{
    const int64_t count = remove_pairs(kept, is_of_all), fresh_count = kept->fresh.count;
    if (fresh_count == 0 && count == kept->candidates.count)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&kept->next_pairs, host, kept->pairs.count + fresh_count));
    PLI_TRY(pli_array_reserve(&kept->pairs, host, kept->pairs.count + fresh_count));
    PLI_TRY(pli_array_reserve(&kept->candidates, host, 2 * count));
    if (kept->next_candidates.capacity < kept->candidates.capacity)
        pli_array_free(&kept->next_candidates, host); /* else it would grow beyond the other */
    PLI_TRY(pli_array_reserve(&kept->next_candidates, host, kept->candidates.capacity));
    const PliKeptPair *old = kept->pairs.items, *fresh = kept->fresh.items;
    kept->next_pairs.count = kept->next_candidates.count = 0;
    for (int64_t i = 0, k = 0; i < kept->pairs.count || k < fresh_count;) {
        const bool is_old =
            k == fresh_count || (i < kept->pairs.count && pair_key(&old[i]) < pair_key(&fresh[k]));
        append_pair(kept, is_old ? &old[i++] : &fresh[k++]);
    }
    swap_arrays(&kept->pairs, &kept->next_pairs);
    swap_arrays(&kept->candidates, &kept->next_candidates);
    return PLIANT_OK;
}

PliantResult pli_kept_end(PliKept *kept, PliantResult result, bool is_of_all,
                          const PliantHost *host)
{
    if (result == PLIANT_OK)
        result = keep(kept, is_of_all, host);
    if (result != PLIANT_OK)
        kept->pairs.count = kept->candidates.count = kept->fresh.count = 0;
    return result;
}
