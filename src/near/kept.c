/* Kept candidates: see kept.h. */
#include "near/kept.h"

#include <math.h>
#include <string.h>

void pli_kept_init(PliKept *kept)
{
    *kept = (PliKept){.pairs = {.item_size = sizeof(PliKeptPair)},
                      .candidates = {.item_size = sizeof(PliNearCandidate)},
                      .fresh = {.item_size = sizeof(PliKeptPair)},
                      .next_pairs = {.item_size = sizeof(PliKeptPair)},
                      .next_candidates = {.item_size = sizeof(PliNearCandidate)}};
}

void pli_kept_free(PliKept *kept, const PliantHost *host)
{
    pli_array_free(&kept->pairs, host);
    pli_array_free(&kept->candidates, host);
    pli_array_free(&kept->fresh, host);
    pli_array_free(&kept->next_pairs, host);
    pli_array_free(&kept->next_candidates, host);
}

static bool have_same_bits(const float *x, const float *y, int count)
{
    for (int i = 0; i < count; i++)
        if (pli_rank_of(x[i]) != pli_rank_of(y[i]))
            return false;
    return true;
}

/* ---- Motions -----------------------------------------------------------------------------------
 */

static void begin_epoch(PliMotion *motion, PliKept *kept)
{
    motion->epoch = ++kept->epoch;
    motion->moved = motion->settled = 0;
}

/* A bound of how far any vertex has moved since the snapshot. Infinity if one has changed that is
 * not finite, or was not. u = 2^-53: a difference of floats is rounded once, its square has a
 * relative error of 3 u, the sum of three 5 u, and the root 3.5 u. The factor covers that, and its
 * own rounding. Differences are 0 or at least 2^-149, and at most 2^129: no square is too small or
 * too large for a double, so that it is finite if and only if both vertices are. */
static double find_move(const PliMotion *motion)
{
    double most = 0;
    for (size_t v = 0; v < (size_t)motion->count; v++) {
        const float *p = motion->now + 3 * v, *q = motion->then + 3 * v;
        const double x = (double)p[0] - (double)q[0], y = (double)p[1] - (double)q[1],
                     z = (double)p[2] - (double)q[2], square = x * x + y * y + z * z;
        if (PLI_LIKELY(square <= most))
            continue;
        if (square < INFINITY)
            most = square;
        else if (!have_same_bits(p, q, 3))
            return INFINITY;
    }
    return sqrt(most) * (1 + 0x1p-50);
}

/* Takes a new snapshot: what is searched now counts from here. The sum is rounded up, by 2^-52 of
 * itself; before this is much of the reach, an epoch begins. */
static void settle(PliMotion *motion, float reach, PliKept *kept)
{
    if (!motion->is_followed || motion->moved == motion->settled)
        return;
    if (motion->moved <= 0x1p20 * (double)reach)
        motion->settled = motion->moved;
    else
        begin_epoch(motion, kept);
    memcpy(motion->then, motion->now, 3 * sizeof(float) * (size_t)motion->count);
}

static PliantResult allocate_vertices(PliMotion *motion, int32_t count, const PliantHost *host)
{
    void *now = NULL, *then = NULL;
    const PliRequest requests[] = {{&now, 3 * (size_t)count, sizeof(float)},
                                   {&then, 3 * (size_t)count, sizeof(float)}};
    PLI_TRY(pli_allocate_all(host, requests, 2));
    motion->now = now;
    motion->then = then;
    motion->count = count;
    return PLIANT_OK;
}

static PliantResult create_motion(PliMotion **motion, const PliantHost *host)
{
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof **motion, &memory));
    *motion = memory;
    **motion = (PliMotion){0};
    return PLIANT_OK;
}

PliantResult pli_motion_update(PliMotion **motion, const PliPose *pose, int32_t count,
                               PliKept *kept, const PliantHost *host)
{
    if (!*motion)
        PLI_TRY(create_motion(motion, host));
    PliMotion *here = *motion;
    if (here->epoch > 0 && here->frame == pose->frame_count)
        return PLIANT_OK;
    if (count > 0 && !here->now)
        PLI_TRY(allocate_vertices(here, count, host));
    const bool was_followed = here->is_followed;
    here->frame = pose->frame_count;
    here->is_followed = count > 0;
    if (here->is_followed)
        pli_pose_vertices(pose, here->now);
    if (here->is_followed && was_followed) {
        const double move = find_move(here);
        here->moved = move > 0 ? (here->settled + move) * (1 + 0x1p-52) : here->settled;
        return PLIANT_OK;
    }
    begin_epoch(here, kept);
    if (here->is_followed)
        memcpy(here->then, here->now, 3 * sizeof(float) * (size_t)here->count);
    return PLIANT_OK;
}

void pli_motion_free(PliMotion *motion, const PliantHost *host)
{
    if (!motion)
        return;
    pli_release(host, motion->now, 3 * (size_t)motion->count, sizeof(float));
    pli_release(host, motion->then, 3 * (size_t)motion->count, sizeof(float));
    pli_release(host, motion, 1, sizeof *motion);
}

/* ---- Candidates --------------------------------------------------------------------------------
 */

static uint64_t key_of(const PliNearCandidate *candidate)
{
    return pli_near_key_of(candidate->kind, candidate->feature_a, candidate->feature_b);
}

/* Of two with the same key: are they the same? */
static bool is_same(const PliNearCandidate *x, const PliNearCandidate *y)
{
    return memcmp(x->vertices, y->vertices, sizeof x->vertices) == 0 &&
           have_same_bits(x->points, y->points, 12);
}

/* Appends what was found in order. The pieces of a divided triangle bring the same several times;
 * places of vertices that are apart are candidates each. */
static PliantResult append_in_order(PliKept *kept, PliNear *near)
{
    const PliantHost *host = near->worker->host;
    const PliNearCandidate *found = near->candidates_found.items;
    const int64_t count = near->candidates_found.count;
    if (count == 0)
        return PLIANT_OK;
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(&near->ranked[0], host, count));
    PLI_TRY(pli_array_reserve(&near->ranked[1], host, count));
    PLI_TRY(pli_array_reserve(&kept->candidates, host, kept->candidates.count + count));
    PliRanked *ranked = near->ranked[0].items;
    for (int64_t i = 0; i < count; i++)
        ranked[i] = (PliRanked){key_of(&found[i]), 0, (int32_t)i};
    ranked = pli_sort_ranked(ranked, near->ranked[1].items, count);
    PliNearCandidate *end = (PliNearCandidate *)kept->candidates.items + kept->candidates.count;
    for (int64_t i = 0; i < count; i++) {
        const PliNearCandidate *candidate = &found[ranked[i].item];
        if (i == 0 || ranked[i].key != ranked[i - 1].key || !is_same(candidate, end - 1))
            *end++ = *candidate;
    }
    kept->candidates.count = end - (PliNearCandidate *)kept->candidates.items;
    return PLIANT_OK;
}

/* The points of a candidate as they are now. */
static void read_points(const PliNearCandidate *candidate, const PliMotion *a, const PliMotion *b,
                        float points[12])
{
    const bool is_swapped = candidate->kind == PLIANT_TRIANGLE_VERTEX;
    const PliMotion *first = is_swapped ? b : a, *second = is_swapped ? a : b;
    const int first_count = candidate->kind == PLIANT_EDGE_EDGE ? 2 : 1;
    for (int i = 0; i < 4; i++) {
        const PliMotion *motion = i < first_count ? first : second;
        const float *point = motion->is_followed ? motion->now + 3 * (size_t)candidate->vertices[i]
                                                 : candidate->points + 3 * (size_t)i;
        memcpy(points + 3 * (size_t)i, point, 3 * sizeof *points);
    }
}

static bool is_near(PliNear *near, PliantFeatures kind, const float points[12], float distance,
                    PliClosest *closest)
{
    near->pair_count++;
    return kind == PLIANT_EDGE_EDGE
               ? pli_edge_edge_is_near(points, points + 6, distance, closest, &near->counts)
               : pli_vertex_triangle_is_near(points, points + 3, distance, closest, &near->counts);
}

/* Appends those of some candidates that are within a distance. Those that were farther than `far`
 * are not. */
static PliantResult decide(PliNear *near, const PliNearCandidate *candidates, int64_t count,
                           const PliKeptSide *a, const PliKeptSide *b, float distance, double far,
                           PliArray *pairs)
{
    PLI_TRY(pli_array_reserve(pairs, near->worker->host, pairs->count + count));
    PliantNearPair *first = (PliantNearPair *)pairs->items + pairs->count, *end = first;
    for (int64_t i = 0; i < count; i++) {
        const PliNearCandidate *candidate = &candidates[i];
        float points[12];
        PliClosest closest;
        if ((double)candidate->distance > far)
            continue;
        read_points(candidate, a->motion, b->motion, points);
        if (!is_near(near, candidate->kind, points, distance, &closest))
            continue;
        const PliantNearPair pair =
            pli_near_pair(candidate->kind, candidate->feature_a, candidate->feature_b, &closest);
        if (end == first || pli_near_key(&pair) != pli_near_key(end - 1))
            *end++ = pair;
        else if (pli_near_is_before(&pair, end - 1))
            end[-1] = pair;
    }
    pairs->count += end - first;
    return PLIANT_OK;
}

/* ---- Pairs of bodies ---------------------------------------------------------------------------
 */

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

/* How far features were from each other, at most, that may be within the distance now: distance + m
 * + n, rounded up. Two differences, two sums and the product are rounded, each by 2^-53 of a result
 * that is not negative. */
static double reach_now(const PliKeptPair *pair, const PliKeptSide *a, const PliKeptSide *b,
                        float distance)
{
    const double moved = (a->motion->moved - pair->moved[0]) + (b->motion->moved - pair->moved[1]);
    return moved > 0 ? ((double)distance + moved) * (1 + 0x1p-50) : (double)distance;
}

/* Are the candidates of a pair all there are, if these are its bodies now? */
static bool is_complete(const PliKeptPair *pair, const PliKeptPair *now, const PliKeptSide *a,
                        const PliKeptSide *b, float distance)
{
    return pair->count >= 0 && pair->epochs[0] == now->epochs[0] &&
           pair->epochs[1] == now->epochs[1] && pair->are_apart[0] == now->are_apart[0] &&
           pair->are_apart[1] == now->are_apart[1] && pair->rest_distance == now->rest_distance &&
           reach_now(pair, a, b, distance) <= (double)pair->reach;
}

/* Where the bodies of a pair are. */
static void set_motions(PliKeptPair *pair, const PliKeptSide *a, const PliKeptSide *b)
{
    const PliKeptSide *sides[] = {a, b};
    for (int i = 0; i < 2; i++) {
        pair->epochs[i] = sides[i]->motion->epoch;
        pair->moved[i] = sides[i]->motion->moved;
    }
}

static PliantResult describe(const PliNear *near, const PliKeptSide *a, const PliKeptSide *b,
                             PliKeptPair *now)
{
    const PliKeptSide *sides[] = {a, b};
    *now = (PliKeptPair){.a = a->number,
                         .b = b->number,
                         .is_used = true,
                         .reach = near->distance,
                         .rest_distance = near->rest_distance};
    for (int i = 0; i < 2; i++) {
        PliPoseFeatures features;
        PliPose *pose = sides[i]->pose;
        PLI_TRY(pose->kind->features(pose, near->worker->host, &features));
        now->are_apart[i] = features.are_apart;
    }
    set_motions(now, a, b);
    return PLIANT_OK;
}

/* Searches two poses to the reach. */
static PliantResult search(PliKept *kept, PliNear *near, const PliKeptSide *a, const PliKeptSide *b,
                           PliKeptPair *fresh)
{
    const PliantHost *host = near->worker->host;
    settle(a->motion, near->distance, kept);
    settle(b->motion, near->distance, kept);
    set_motions(fresh, a, b);
    PLI_TRY(pli_near_find_candidates(near, a->pose, b->pose));
    fresh->first = kept->candidates.count;
    PLI_TRY(append_in_order(kept, near));
    fresh->count = kept->candidates.count - fresh->first;
    void *end = NULL;
    PLI_TRY(pli_array_push(&kept->fresh, host, 1, &end));
    memcpy(end, fresh, sizeof *fresh);
    return PLIANT_OK;
}

PliantResult pli_kept_find(PliKept *kept, PliNear *near, const PliKeptSide *a, const PliKeptSide *b,
                           float distance, PliArray *pairs)
{
    PliKeptPair now;
    PLI_TRY(describe(near, a, b, &now));
    PliKeptPair *pair = find_pair(kept, &now);
    if (pair && !is_complete(pair, &now, a, b, distance)) {
        pair->count = -1;
        pair = NULL;
    }
    if (!pair) {
        PLI_TRY(search(kept, near, a, b, &now));
        pair = &now;
    }
    pair->is_used = true;
    /* A returned distance may be one ulp above the real one (geom/closest.h). */
    const double far = reach_now(pair, a, b, distance) * (1 + 0x1p-22) + 0x1p-148;
    const PliNearCandidate *candidates = (const PliNearCandidate *)kept->candidates.items;
    return decide(near, pair->count > 0 ? candidates + pair->first : NULL, pair->count, a, b,
                  distance, far, pairs);
}

/* ---- Queries -----------------------------------------------------------------------------------
 */

void pli_kept_start(PliKept *kept)
{
    PliKeptPair *pairs = kept->pairs.items;
    for (int64_t i = 0; i < kept->pairs.count; i++)
        pairs[i].is_used = false;
    kept->fresh.count = 0;
}

void pli_kept_drop(PliKept *kept)
{
    kept->pairs.count = kept->candidates.count = kept->fresh.count = 0;
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
    PliKeptPair *next = (PliKeptPair *)kept->next_pairs.items + kept->next_pairs.count++;
    *next = *pair;
    next->first = kept->next_candidates.count;
    if (pair->count > 0)
        memcpy((PliNearCandidate *)kept->next_candidates.items + next->first,
               (const PliNearCandidate *)kept->candidates.items + pair->first,
               sizeof(PliNearCandidate) * (size_t)pair->count);
    kept->next_candidates.count += pair->count;
}

static void swap_arrays(PliArray *x, PliArray *y)
{
    const PliArray other = *x;
    *x = *y;
    *y = other;
}

/* Arrays that are swapped get the same room, and those of candidates twice what is needed: what was
 * kept and what is searched are no more, once the world has seen its worst frame. */
PliantResult pli_kept_end(PliKept *kept, bool is_of_all, const PliantHost *host)
{
    const int64_t count = remove_pairs(kept, is_of_all), fresh_count = kept->fresh.count;
    if (fresh_count == 0 && count == kept->candidates.count)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&kept->next_pairs, host, kept->pairs.count + fresh_count));
    PLI_TRY(pli_array_reserve(&kept->pairs, host, kept->pairs.count + fresh_count));
    PLI_TRY(pli_array_reserve(&kept->next_candidates, host, 2 * count));
    PLI_TRY(pli_array_reserve(&kept->candidates, host, 2 * count));
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
