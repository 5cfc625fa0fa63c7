/* What touches on the way, by brute force: see sweeps.h. */
#include "sweeps.h"
#include "left_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double sweeps_worst;

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (!memory)
        exit(1);
    return memory;
}

/* ---- Each with each ----------------------------------------------------------------------------
 */

enum { BATCH = 4096 };

/* Pairs of one kind that are decided together. */
typedef struct Batch {
    SweepsImpacts *impacts;
    PliantFeatures kind;
    uint32_t cpu_mask;
    const float *start, *end; /* vertices of a, then those of b */
    int32_t vertex_count, first_b;
    uint32_t pairs[4 * BATCH];
    int32_t features[2 * BATCH];
    int64_t count, all_count;
    bool excludes; /* as left_out.h says */
} Batch;

static void keep(const Batch *batch, int64_t i, float time)
{
    SweepsImpacts *impacts = batch->impacts;
    if (impacts->count == impacts->capacity) {
        impacts->capacity = 2 * impacts->capacity + 64;
        impacts->items =
            realloc(impacts->items, sizeof *impacts->items * (size_t)impacts->capacity);
        if (!impacts->items)
            exit(1);
    }
    SweepsImpact *impact = &impacts->items[impacts->count++];
    *impact = (SweepsImpact){.kind = batch->kind,
                             .feature_a = batch->features[2 * i],
                             .feature_b = batch->features[2 * i + 1],
                             .time = time};
    const bool is_swapped = batch->kind == PLIANT_TRIANGLE_VERTEX; /* its vertex comes last */
    for (int k = 0; k < 4; k++) {
        const size_t vertex = batch->pairs[4 * i + (is_swapped ? (k + 1) % 4 : k)];
        memcpy(impact->start[k], batch->start + 3 * vertex, sizeof impact->start[k]);
        memcpy(impact->end[k], batch->end + 3 * vertex, sizeof impact->end[k]);
        impact->names[k] =
            vertex < (size_t)batch->first_b
                ? features_name(impacts->a, (uint32_t)vertex)
                : features_name(impacts->b, (uint32_t)vertex - (uint32_t)batch->first_b);
    }
}

static void decide(Batch *batch)
{
    float times[BATCH];
    PliantSweepPairs def = pliant_sweep_pairs_default();
    def.kind = batch->kind == PLIANT_EDGE_EDGE ? PLIANT_EDGE_EDGE : PLIANT_VERTEX_TRIANGLE;
    def.start = batch->start;
    def.end = batch->end;
    def.vertex_count = batch->vertex_count;
    def.pairs = batch->pairs;
    def.pair_count = batch->count;
    def.cpu_mask = batch->cpu_mask;
    if (pliant_sweep_pairs(&def, times, BATCH, NULL) != PLIANT_OK)
        exit(1);
    for (int64_t i = 0; i < batch->count; i++)
        if (times[i] <= 1)
            keep(batch, i, times[i]);
    batch->all_count += batch->count;
    batch->count = 0;
}

/* The vertices of the first feature from x_first on, those of the second one from y_first on. */
static void add(Batch *batch, const Feature *x, int x_count, int32_t x_first, const Feature *y,
                int32_t y_first, int32_t a, int32_t b)
{
    uint32_t *pair = batch->pairs + 4 * batch->count;
    for (int i = 0; i < 4; i++)
        pair[i] = i < x_count ? x->vertices[i] + (uint32_t)x_first
                              : y->vertices[i - x_count] + (uint32_t)y_first;
    batch->features[2 * batch->count] = a;
    batch->features[2 * batch->count + 1] = b;
    if (++batch->count == BATCH)
        decide(batch);
}

static void test_vertices(Batch *batch, const Features *x, const Features *y, bool is_self)
{
    const bool is_swapped = batch->kind == PLIANT_TRIANGLE_VERTEX;
    const int32_t x_first = is_swapped ? batch->first_b : 0,
                  y_first = is_swapped ? 0 : batch->first_b;
    for (int32_t i = 0; i < x->vertex_count; i++)
        for (int32_t k = 0; k < y->triangle_count; k++) {
            const Feature *v = &x->vertices[i], *t = &y->triangles[k];
            if (batch->excludes &&
                (is_swapped ? left_out_has(t, 3, v, 1, false) : left_out_has(v, 1, t, 3, is_self)))
                continue;
            if (features_are_comparable(v, t) && (!is_self || !features_have_common(v, 1, t, 3)))
                add(batch, v, 1, x_first, t, y_first, is_swapped ? t->id : v->id,
                    is_swapped ? v->id : t->id);
        }
    decide(batch);
}

static void test_edges(Batch *batch, const Features *x, const Features *y, bool is_self)
{
    for (int32_t i = 0; i < x->edge_count; i++)
        for (int32_t k = 0; k < y->edge_count; k++) {
            const Feature *e = &x->edges[i], *f = &y->edges[k];
            if (batch->excludes && left_out_has(e, 2, f, 2, is_self))
                continue;
            if (!is_self || (e->id < f->id && !features_have_common(e, 2, f, 2)))
                add(batch, e, 2, 0, f, batch->first_b, e->id, f->id);
        }
    decide(batch);
}

static uint64_t key_of(PliantFeatures kind, int32_t a, int32_t b)
{
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    return (uint64_t)kind << 62 | (uint64_t)(is_swapped ? b : a) << 31 |
           (uint64_t)(is_swapped ? a : b);
}

static int by_order(const void *x, const void *y)
{
    const SweepsImpact *p = x, *q = y;
    const uint64_t p_key = key_of(p->kind, p->feature_a, p->feature_b),
                   q_key = key_of(q->kind, q->feature_a, q->feature_b);
    if (p_key != q_key)
        return p_key < q_key ? -1 : 1;
    return (p->time > q->time) - (p->time < q->time);
}

/* The vertices of both bodies at one end. */
static float *joined(const FeatureBody *a, const float *of_a, const FeatureBody *b,
                     const float *of_b)
{
    const size_t a_size = 3 * ((size_t)a->vertex_count + 1),
                 b_size = 3 * ((size_t)b->vertex_count + 1);
    float *all = allocate((a_size + b_size) * sizeof *all);
    memcpy(all, of_a, a_size * sizeof *all);
    memcpy(all + a_size, of_b, b_size * sizeof *all);
    return all;
}

int64_t sweeps_find(const FeatureBody *a, const FeatureBody *b, uint32_t cpu_mask, bool excludes,
                    SweepsImpacts *impacts)
{
    static Batch batch;
    float *start = joined(a, a->start, b, b->start), *end = joined(a, a->end, b, b->end);
    Features x = features_list(a), y = features_list(b);
    batch = (Batch){.impacts = impacts,
                    .cpu_mask = cpu_mask,
                    .excludes = excludes,
                    .start = start,
                    .end = end,
                    .first_b = a->vertex_count + 1,
                    .vertex_count = a->vertex_count + b->vertex_count + 2};
    impacts->a = a;
    impacts->b = b;
    impacts->count = 0;
    batch.kind = PLIANT_VERTEX_TRIANGLE;
    test_vertices(&batch, &x, &y, a == b);
    batch.kind = PLIANT_TRIANGLE_VERTEX;
    if (a != b)
        test_vertices(&batch, &y, &x, false);
    batch.kind = PLIANT_EDGE_EDGE;
    test_edges(&batch, &x, &y, a == b);
    if (impacts->count > 0)
        qsort(impacts->items, (size_t)impacts->count, sizeof *impacts->items, by_order);
    features_free(&x);
    features_free(&y);
    free(start);
    free(end);
    return batch.all_count;
}

void sweeps_free(SweepsImpacts *impacts)
{
    free(impacts->items);
    *impacts = (SweepsImpacts){0};
}

/* ---- Where they touch --------------------------------------------------------------------------
 *
 * The features touch at a time T from `time` to the float after it, so that at `time` their closest
 * points are apart by no more than what points move in 2^-24 of the step: 2 x 2^-24 times the
 * greatest way. Weights are rounded to 2^-24 each, times up to three coordinates of a point less
 * the first one. Both are far below 2^-20 times the greatest coordinate at either end, which bounds
 * the way by twice itself: 2^-17 of it is asked for. What is subnormal has nothing to spare: one
 * least float is allowed for each of the four vertices. */
#define TOLERANCE 0x1p-17

typedef struct Gap {
    double apart, size, speed; /* speed: of a seen from b, along the normal */
} Gap;

static Gap gap_of(const SweepsImpact *expected, const PliantImpact *impact)
{
    Gap gap = {0};
    for (int k = 0; k < 3; k++) {
        double apart = 0, speed = 0;
        for (int i = 0; i < 4; i++) {
            const double start = expected->start[i][k], way = expected->end[i][k] - start;
            apart += (double)impact->weights[i] * (start + way * (double)impact->time);
            speed += (double)impact->weights[i] * way;
            gap.size = fmax(gap.size, fmax(fabs(start), fabs(start + way)));
        }
        gap.apart = fmax(gap.apart, fabs(apart));
        gap.speed += speed * (double)impact->normal[k];
    }
    return gap;
}

static bool is_point_of_both(const SweepsImpact *expected, const PliantImpact *impact)
{
    const Gap gap = gap_of(expected, impact);
    const double most = TOLERANCE * gap.size + 4 * 0x1p-149;
    if (!(gap.apart <= most && gap.speed <= 2 * most))
        return false;
    if (gap.size > 0x1p-120 && gap.apart / gap.size > sweeps_worst)
        sweeps_worst = gap.apart / gap.size;
    return true;
}

static int count_of_a(const PliantImpact *impact)
{
    return impact->kind == PLIANT_VERTEX_TRIANGLE   ? 1
           : impact->kind == PLIANT_TRIANGLE_VERTEX ? 3
                                                    : 2;
}

/* Are its vertices where those of the expected one are, and of the same groups? */
static bool are_vertices_there(const SweepsImpacts *pair, const SweepsImpact *expected,
                               const PliantImpact *impact)
{
    for (int i = 0; i < 4; i++) {
        const FeatureBody *body = i < count_of_a(impact) ? pair->a : pair->b;
        const size_t v = impact->vertices[i];
        if (v >= (size_t)body->vertex_count ||
            features_name(body, (uint32_t)v) != expected->names[i])
            return false;
        for (size_t k = 0; k < 3; k++)
            if (body->start[3 * v + k] != expected->start[i][k] ||
                body->end[3 * v + k] != expected->end[i][k])
                return false;
    }
    return impact->pair_count == 1 && impact->flags == 0;
}

/* Sums of weights, none of them of the wrong sign; and the length of the normal. */
static bool are_sound(const PliantImpact *impact)
{
    const int count = count_of_a(impact);
    double sums[2] = {0}, length = 0;
    bool are = true;
    for (int i = 0; i < 4; i++) {
        sums[i >= count] += (double)impact->weights[i];
        are &= i < count ? impact->weights[i] >= 0 : impact->weights[i] <= 0;
    }
    for (int k = 0; k < 3; k++)
        length += (double)impact->normal[k] * (double)impact->normal[k];
    return are && fabs(sums[0] - 1) <= 1e-5 && fabs(sums[1] + 1) <= 1e-5 &&
           (length == 0 || fabs(length - 1) <= 1e-5);
}

/* ---- Comparing ---------------------------------------------------------------------------------
 */

static bool is_same_body(PliantBody x, PliantBody y)
{
    return x.index == y.index && x.serial == y.serial;
}

/* The features touch at one place, or at several of a group that is apart: from index `first` on
 * those with the same features. What was found is one of the earliest. */
static const char *compare_one(const SweepsImpacts *pair, int64_t first, const PliantImpact *found)
{
    const SweepsImpact *expected = &pair->items[first];
    if (!is_same_body(found->body_a, pair->a->name) || !is_same_body(found->body_b, pair->b->name))
        return "the bodies";
    if (found->kind != expected->kind || found->feature_a != expected->feature_a ||
        found->feature_b != expected->feature_b)
        return "the features";
    if (found->time != expected->time || signbit(found->time))
        return "the time";
    if (!are_sound(found))
        return "the sums of weights or the normal";
    for (int64_t i = first; i < pair->count && pair->items[i].time == expected->time &&
                            (i == first || by_order(&pair->items[i], expected) == 0);
         i++)
        if (is_point_of_both(&pair->items[i], found) &&
            are_vertices_there(pair, &pair->items[i], found))
            return NULL;
    return "the weights or the vertices";
}

static bool is_first_place(const SweepsImpacts *pair, int64_t i)
{
    const SweepsImpact *one = &pair->items[i], *last = one - 1;
    return i == 0 || one->kind != last->kind || one->feature_a != last->feature_a ||
           one->feature_b != last->feature_b;
}

/* The first one of a pair of bodies, by time and then in order; -1 if there is none. */
static int64_t find_earliest(const SweepsImpacts *pair, float until)
{
    int64_t least = -1;
    for (int64_t i = 0; i < pair->count; i++)
        if (pair->items[i].time <= until &&
            (least < 0 || pair->items[i].time < pair->items[least].time))
            least = i;
    return least;
}

static const char *compare_all(const SweepsQuery *query, const PliantImpacts *found, int64_t *at)
{
    for (int p = 0; p < query->pair_count; p++) {
        const SweepsImpacts *pair = query->pairs[p];
        for (int64_t i = 0; i < pair->count; i++) {
            if (pair->items[i].time > query->until || !is_first_place(pair, i))
                continue;
            if (*at >= found->count)
                return "too few";
            const char *wrong = compare_one(pair, i, &found->items[*at]);
            if (wrong)
                return wrong;
            ++*at;
        }
    }
    return *at == found->count ? NULL : "too many";
}

static const char *compare_first(const SweepsQuery *query, const PliantImpacts *found, int64_t *at)
{
    for (int p = 0; p < query->pair_count; p++) {
        const int64_t first = find_earliest(query->pairs[p], query->until);
        if (first < 0)
            continue;
        if (*at >= found->count)
            return "too few first ones";
        const char *wrong = compare_one(query->pairs[p], first, &found->items[*at]);
        if (wrong)
            return wrong;
        ++*at;
    }
    return *at == found->count ? NULL : "too many first ones";
}

static const char *compare_earliest(const SweepsQuery *query, const PliantImpacts *found)
{
    const SweepsImpacts *pair = NULL;
    int64_t least = -1;
    for (int p = 0; p < query->pair_count; p++) {
        const int64_t first = find_earliest(query->pairs[p], query->until);
        if (first < 0 || (pair && query->pairs[p]->items[first].time >= pair->items[least].time))
            continue;
        pair = query->pairs[p];
        least = first;
    }
    if (found->count != (pair != NULL))
        return pair ? "no earliest" : "an earliest of none";
    return pair ? compare_one(pair, least, found->items) : NULL;
}

const char *sweeps_compare(const SweepsQuery *query, const PliantImpacts *found, int64_t *at)
{
    *at = 0;
    return query->query == PLIANT_ALL_IMPACTS     ? compare_all(query, found, at)
           : query->query == PLIANT_FIRST_IMPACTS ? compare_first(query, found, at)
                                                  : compare_earliest(query, found);
}
