/* Candidates, from the exact test to contacts in order: see triangles.h. */
#include "base/sort.h"
#include "decide/approximate.h"
#include "decide/self.h"
#include "kernels/batch.h"

#include <string.h>

static uint64_t contact_of(const PliNarrow *narrow, const PliPose *a, const PliPose *b,
                           const uint32_t *rows)
{
    uint32_t number_a =
        (uint32_t)pli_pose_triangle(a, pli_leaf_cache_position(&narrow->cache, rows[0]));
    uint32_t number_b =
        (uint32_t)pli_pose_triangle(b, pli_leaf_cache_position(&narrow->cache, rows[1]));
    bool is_swapped = narrow->is_self && number_a > number_b;
    return is_swapped ? (uint64_t)number_b << 32 | number_a : (uint64_t)number_a << 32 | number_b;
}

_Static_assert(PLI_SEEN == 1 << 10, "ten bits say where a pair is remembered");

/* Of candidates that are pieces, those of two triangles that have just been tested are dropped. */
static void drop_seen(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < narrow->candidate_count; i++) {
        const uint32_t *rows = narrow->candidates + 2 * i;
        uint64_t contact = contact_of(narrow, a, b, rows);
        uint64_t *seen = &narrow->seen[(contact * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
        bool is_new = *seen != contact;
        *seen = contact;
        memmove(narrow->candidates + 2 * kept, rows, 2 * sizeof *rows);
        kept += is_new;
    }
    narrow->candidate_count = kept;
}

/* Is this row a piece of a triangle that was divided? */
static bool is_piece(const PliNarrow *narrow, const PliPose *pose, uint32_t row)
{
    return pose->pieces &&
           !pli_is_whole(&pose->pieces[pli_leaf_cache_position(&narrow->cache, row)]);
}

/* Candidates of a triangle that was divided and one that was not, by plane and ball; there is room
 * for the intersecting pairs. All others are left for the exact test. */
static void test_planes(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    int32_t kept = 0;
    uint64_t *end = (uint64_t *)narrow->contacts.items + narrow->contacts.count;
    for (int32_t i = 0; i < narrow->candidate_count; i++) {
        const uint32_t *rows = narrow->candidates + 2 * i;
        const float *row_a = pli_leaf_cache_row(&narrow->cache, rows[0]);
        const float *row_b = pli_leaf_cache_row(&narrow->cache, rows[1]);
        bool is_piece_a = is_piece(narrow, a, rows[0]), is_piece_b = is_piece(narrow, b, rows[1]);
        PliNearness nearness = is_piece_a == is_piece_b ? PLI_NEAR_UNKNOWN
                               : is_piece_a             ? pli_ball_overlaps_plane(row_b, row_a)
                                                        : pli_ball_overlaps_plane(row_a, row_b);
        if (nearness == PLI_NEAR)
            *end++ = contact_of(narrow, a, b, rows);
        narrow->plane_count += nearness != PLI_NEAR_UNKNOWN;
        memmove(narrow->candidates + 2 * kept, rows, 2 * sizeof *rows);
        kept += nearness == PLI_NEAR_UNKNOWN;
    }
    narrow->contacts.count = end - (uint64_t *)narrow->contacts.items;
    narrow->candidate_count = kept;
}

/* Two triangles are there once for all of their pieces that intersect. */
static int64_t drop_equal(uint64_t *items, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || items[i] != items[i - 1])
            items[kept++] = items[i];
    return kept;
}

int64_t pli_narrow_merge(uint64_t *contacts, uint64_t *scratch, int64_t count, const PliPose *a,
                         const PliPose *b)
{
    pli_sort_pairs(contacts, scratch, count, pli_bits_below(a->number_count),
                   pli_bits_below(b->number_count));
    return pli_narrow_has_pieces(a, b) ? drop_equal(contacts, count) : count;
}

PliantResult pli_narrow_sort(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    PliArray *contacts = &narrow->contacts;
    PLI_TRY(pli_array_reserve(&narrow->sorted, narrow->worker->host, contacts->count));
    contacts->count =
        pli_narrow_merge(contacts->items, narrow->sorted.items, contacts->count, a, b);
    return PLIANT_OK;
}

/* Counts the contacts that were added, in a query with a limit. Two triangles that are divided may
 * have been found several times: they are counted once if that matters. */
static PliantResult count_added(PliNarrow *narrow, const PliPose *a, const PliPose *b,
                                int64_t added)
{
    PliControl *control = narrow->worker->control;
    if (!control || pli_control_add_found(control, added))
        return PLIANT_OK;
    if (!pli_narrow_has_pieces(a, b))
        return PLIANT_CANCELLED;
    const int64_t before = narrow->contacts.count;
    PLI_TRY(pli_narrow_sort(narrow, a, b));
    return pli_control_add_found(control, narrow->contacts.count - before) ? PLIANT_OK
                                                                           : PLIANT_CANCELLED;
}

PliantResult pli_narrow_test(PliNarrow *narrow, const PliPose *a, const PliPose *b)
{
    const int64_t before = narrow->contacts.count;
    if (narrow->candidate_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&narrow->contacts, narrow->worker->host,
                              narrow->contacts.count + narrow->candidate_count));
    if (pli_narrow_has_pieces(a, b)) {
        drop_seen(narrow, a, b);
        if (narrow->approximations & PLIANT_APPROXIMATE_PLANES)
            test_planes(narrow, a, b);
    }
    if (narrow->may_share)
        pli_self_test_shared(narrow, a);
    pli_pairs_intersect(narrow->worker->kernels, narrow->cache.rows, narrow->cache.rows,
                        narrow->candidates, narrow->candidate_count, narrow->verdicts,
                        &narrow->counts);
    /* Written in any case, and kept if it intersects: a branch would be mispredicted. */
    uint64_t *first = (uint64_t *)narrow->contacts.items + narrow->contacts.count, *end = first;
    for (int32_t i = 0; i < narrow->candidate_count; i++) {
        memcpy(end, narrow->candidates + 2 * i, sizeof *end);
        end += narrow->verdicts[i];
    }
    for (uint64_t *contact = first; contact < end; contact++) {
        uint32_t rows[2];
        memcpy(rows, contact, sizeof rows);
        *contact = contact_of(narrow, a, b, rows);
    }
    narrow->contacts.count = end - (uint64_t *)narrow->contacts.items;
    narrow->candidate_count = 0;
    return count_added(narrow, a, b, narrow->contacts.count - before);
}
