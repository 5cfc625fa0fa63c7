/* Reading the primitives of a soup: see read.h.
 *
 * There is one loop over all primitives. What is done with each box is passed to it as a function,
 * which the compiler inlines into the loop, once for each layout of the primitives. */
#include "soup/read.h"

#define INLINE static inline __attribute__((always_inline))

/* How primitives are laid out. */
typedef enum Layout {
    PLAIN,   /* nine floats a triangle, without gaps */
    CORNERS, /* triangles otherwise */
    POINTS,
} Layout;

static Layout layout_of(const PliSoup *soup)
{
    if (soup->primitive_kind == PLIANT_POINTS)
        return POINTS;
    return !soup->corners && soup->vertices.stride == 3 * sizeof(float) ? PLAIN : CORNERS;
}

INLINE PliFloat4 load4(const void *from)
{
    PliFloat4 floats;
    memcpy(&floats, from, sizeof floats);
    return floats;
}

/* Reads four floats of each vertex. The last one is read from a copy: nothing may be read behind
 * it. */
INLINE PliFloat4 load_vertex(const PliSoup *soup, uint32_t vertex)
{
    const char *at = soup->vertices.data + soup->vertices.stride * vertex;
    return load4(vertex == soup->vertices.count - 1 ? (const char *)soup->end : at);
}

/* Are the first three of four finite, in each of three? Zero times infinity, or NaN, is NaN. */
INLINE bool are_finite(PliFloat4 a, PliFloat4 b, PliFloat4 c)
{
    const PliFloat4 zeros = (a * 0 + b * 0) + c * 0;
    return pli_has_three(zeros == 0);
}

INLINE bool box_of(PliFloat4 a, PliFloat4 b, PliFloat4 c, PliBox *box)
{
    box->low = pli_min4(pli_min4(a, b), c);
    box->high = pli_max4(pli_max4(a, b), c);
    return are_finite(a, b, c);
}

INLINE bool read_as(const PliSoup *soup, Layout layout, int32_t primitive, PliBox *box)
{
    const size_t i = (size_t)primitive;
    const uint32_t *corners = soup->corners;
    if (layout == PLAIN) {
        /* The third vertex with the float before it, not the one behind it. */
        const float *first = (const float *)soup->vertices.data + 9 * i;
        const PliFloat4 c = load4(first + 5);
        return box_of(load4(first), load4(first + 3), __builtin_shufflevector(c, c, 1, 2, 3, 0),
                      box);
    }
    if (layout == POINTS) {
        const uint32_t vertex = corners ? corners[i] : (uint32_t)i;
        if (vertex == PLIANT_NO_VERTEX)
            return false;
        const PliFloat4 a = load_vertex(soup, vertex);
        return box_of(a, a, a, box);
    }
    const uint32_t next = 3 * (uint32_t)i;
    const uint32_t a = corners ? corners[3 * i] : next;
    const uint32_t b = corners ? corners[3 * i + 1] : next + 1;
    const uint32_t c = corners ? corners[3 * i + 2] : next + 2;
    if (a == PLIANT_NO_VERTEX)
        return false;
    return box_of(load_vertex(soup, a), load_vertex(soup, b), load_vertex(soup, c), box);
}

bool pli_soup_read(const PliSoup *soup, int32_t primitive, PliBox *box)
{
    return read_as(soup, layout_of(soup), primitive, box);
}

void pli_soup_start_reading(PliSoup *soup)
{
    const PliVertexView *view = &soup->vertices;
    if (view->count > 0)
        memcpy(soup->end, view->data + view->stride * (view->count - 1), 3 * sizeof(float));
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* A new mark. Once in 2^32 readings older ones would look new again. */
static uint32_t next_mark(PliSoup *soup)
{
    if (++soup->mark != 0)
        return soup->mark;
    for (int64_t b = 0; b < soup->buckets.count; b++)
        ((PliBucket *)soup->buckets.items)[b].mark = 0;
    for (int64_t o = 0; o < soup->marks.count; o++)
        ((uint32_t *)soup->marks.items)[o] = 0;
    return soup->mark = 1;
}

/* What a reading works with; a copy of its own, so that no store can be one to the soup. */
typedef struct Reading {
    PliCells cells;
    PliBucket *buckets;
    uint32_t *bucket_of;
    uint32_t mark;
    float large;
    uint32_t large_first;
    bool has_large;
    uint32_t *late;
    int32_t live_count, late_count, max_late, gone_count;
    PliFloat4 *all_middles;
} Reading;

static Reading start(PliSoup *soup)
{
    return (Reading){.buckets = soup->buckets.items,
                     .bucket_of = soup->bucket_of.items,
                     .mark = next_mark(soup)};
}

typedef void Visit(Reading *reading, int32_t primitive, bool is_finite, const PliBox *box);

INLINE void read_all_as(const PliSoup *soup, Layout layout, Reading *reading, Visit *visit)
{
    for (int32_t i = 0; i < soup->count; i++) {
        PliBox box;
        const bool is_finite = read_as(soup, layout, i, &box);
        visit(reading, i, is_finite, &box);
    }
}

INLINE void read_all(const PliSoup *soup, Reading *reading, Visit *visit)
{
    const Layout layout = layout_of(soup);
    if (layout == PLAIN)
        read_all_as(soup, PLAIN, reading, visit);
    else if (layout == CORNERS)
        read_all_as(soup, CORNERS, reading, visit);
    else
        read_all_as(soup, POINTS, reading, visit);
}

/* Adds a box to that of a bucket; the first one of a pass replaces it. */
INLINE void add_to_bucket(PliBucket *bucket, uint32_t mark, const PliBox *box)
{
    if (bucket->mark == mark)
        pli_box_add(&bucket->box, box);
    else {
        bucket->mark = mark;
        bucket->box = *box;
    }
}

/* The same, and counts the primitive. */
INLINE void put_into_bucket(PliBucket *bucket, uint32_t mark, const PliBox *box)
{
    bucket->count = bucket->mark == mark ? bucket->count + 1 : 1;
    add_to_bucket(bucket, mark, box);
}

INLINE void visit_into(Reading *reading, int32_t primitive, bool is_finite, const PliBox *box)
{
    if (!is_finite) {
        reading->bucket_of[primitive] = PLI_NO_BUCKET;
        return;
    }
    const uint32_t cell = pli_cell_of(&reading->cells, pli_quarter_middle(box));
    const bool is_large = pli_size_of(box) > reading->large;
    const uint32_t number = cell + (is_large ? reading->large_first : 0);
    reading->has_large |= is_large;
    put_into_bucket(&reading->buckets[number], reading->mark, box);
    reading->bucket_of[primitive] = number;
}

bool pli_soup_read_into(PliSoup *soup, const PliCells *cells, float large, uint32_t large_first)
{
    Reading reading = start(soup);
    reading.cells = *cells;
    reading.large = large;
    reading.large_first = large_first;
    read_all(soup, &reading, visit_into);
    soup->base.placed_count += soup->count;
    return reading.has_large;
}

INLINE void visit_kept(Reading *reading, int32_t primitive, bool is_finite, const PliBox *box)
{
    const uint32_t number = reading->bucket_of[primitive];
    if (!is_finite)
        return;
    reading->live_count++;
    if (PLI_LIKELY(number != PLI_NO_BUCKET))
        pli_box_add(&reading->buckets[number].box, box);
    else if (reading->late_count++ < reading->max_late)
        reading->late[reading->late_count - 1] = (uint32_t)primitive;
}

PliKeptCounts pli_soup_read_kept(PliSoup *soup, uint32_t *late, int32_t most)
{
    Reading reading = start(soup);
    reading.late = late;
    reading.max_late = most;
    for (int32_t b = 0; b < soup->bucket_count; b++) {
        reading.buckets[b].box = pli_box_empty();
        reading.buckets[b].mark = soup->mark;
    }
    read_all(soup, &reading, visit_kept);
    return (PliKeptCounts){reading.live_count - reading.late_count, reading.late_count};
}

INLINE void visit_again(Reading *reading, int32_t primitive, bool is_finite, const PliBox *box)
{
    if (is_finite)
        put_into_bucket(&reading->buckets[reading->bucket_of[primitive]], reading->mark, box);
}

void pli_soup_read_again(PliSoup *soup)
{
    Reading reading = start(soup);
    read_all(soup, &reading, visit_again);
    soup->base.placed_count += soup->count;
}

INLINE void visit_all_middles(Reading *reading, int32_t primitive, bool is_finite,
                              const PliBox *box)
{
    if (!is_finite) {
        reading->bucket_of[primitive] = PLI_NO_BUCKET;
        reading->gone_count++;
        return;
    }
    reading->all_middles[primitive] = pli_quarter_middle(box);
    if (reading->bucket_of[primitive] == PLI_NO_BUCKET)
        reading->late[reading->late_count++] = (uint32_t)primitive;
}

int32_t pli_soup_read_all_middles(PliSoup *soup, uint32_t *late, int32_t *gone_count)
{
    Reading reading = start(soup);
    reading.late = late;
    reading.all_middles = soup->all_middles.items;
    read_all(soup, &reading, visit_all_middles);
    *gone_count = reading.gone_count;
    return reading.late_count;
}

/* ---- Some of them ---------------------------------------------------------------------------- */

/* How many positions ahead vertices are prefetched. */
enum { AHEAD = 8 };

INLINE void prefetch(const PliSoup *soup, Layout layout, int32_t primitive)
{
    const size_t i = (size_t)primitive;
    if (layout == PLAIN)
        __builtin_prefetch(soup->vertices.data + 36 * i);
    else if (soup->corners)
        __builtin_prefetch(soup->corners + (layout == POINTS ? i : 3 * i));
    else
        __builtin_prefetch(soup->vertices.data +
                           soup->vertices.stride * (layout == POINTS ? i : 3 * i));
}

INLINE void read_range_as(const PliSoup *soup, Layout layout, PliRange range, PliBox *boxes)
{
    const int32_t *order = soup->tree->order + range.first;
    for (int32_t i = 0; i < range.count; i++) {
        if (i + AHEAD < range.count)
            prefetch(soup, layout, order[i + AHEAD]);
        if (!read_as(soup, layout, order[i], &boxes[i]))
            boxes[i] = pli_box_empty();
    }
}

void pli_soup_read_range(const PliSoup *soup, PliRange range, PliBox *boxes)
{
    const Layout layout = layout_of(soup);
    if (layout == PLAIN)
        read_range_as(soup, PLAIN, range, boxes);
    else if (layout == CORNERS)
        read_range_as(soup, CORNERS, range, boxes);
    else
        read_range_as(soup, POINTS, range, boxes);
}
