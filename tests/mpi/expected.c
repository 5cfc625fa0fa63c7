/* See expected.h. */
#include "expected.h"

#include <stdlib.h>
#include <string.h>

/* All triangles of a member, at its start and at its end. */
typedef struct Triangles {
    uint64_t key;
    uint32_t categories, collides_with;
    int32_t count;
    float *corners[2];
} Triangles;

static float *read_corners(const PliantWorld *world, PliantBody body, int32_t count)
{
    int32_t *numbers = crowd_allocate((size_t)count * sizeof *numbers + 1);
    float *corners = crowd_allocate((size_t)count * 9 * sizeof *corners + 1);
    for (int32_t i = 0; i < count; i++)
        numbers[i] = i;
    crowd_must(pliant_body_corners(world, body, numbers, count, corners, count));
    free(numbers);
    return corners;
}

static Triangles read_triangles(PliantWorld *world, const Member *member)
{
    PliantBodyInfo info = pliant_body_info_default();
    crowd_must(pliant_body_info(world, member->parts[0], &info));
    const PliantBody end = pliant_body_end(world, member->parts[0]);
    return (Triangles){
        member->key,
        info.categories,
        info.collides_with,
        info.triangle_count,
        {read_corners(world, member->parts[0], info.triangle_count),
         read_corners(world, end.index != 0 ? end : member->parts[0], info.triangle_count)}};
}

static int read_all(PliantWorld *world, const Member *members, int count, Triangles *all)
{
    int there = 0;
    for (int i = 0; i < count; i++)
        if (members[i].is_there[0])
            all[there++] = read_triangles(world, &members[i]);
    return there;
}

static void free_all(Triangles *all, int count)
{
    for (int i = 0; i < count; i++) {
        free(all[i].corners[0]);
        free(all[i].corners[1]);
    }
}

/* ---- Two soups ---------------------------------------------------------------------------------
 */

typedef struct Soups {
    PliantWorld *world;
    PliantBody sides[2], ends[2];
} Soups;

static Soups create_soups(void)
{
    Soups soups;
    crowd_must(pliant_world_create(NULL, &soups.world));
    for (int side = 0; side < 2; side++)
        crowd_must(pliant_body_create_soup(soups.world, NULL, &soups.sides[side]));
    for (int side = 0; side < 2; side++)
        crowd_must(pliant_body_create_end(soups.world, soups.sides[side], &soups.ends[side]));
    return soups;
}

static void set_soup(const Soups *soups, int side, const Triangles *triangles)
{
    for (int end = 0; end < 2; end++) {
        PliantPrimitives primitives = pliant_primitives_default();
        primitives.vertices = (PliantVertices){triangles->corners[end], 3 * triangles->count, 0};
        primitives.count = triangles->count;
        crowd_must(pliant_body_borrow_primitives(
            soups->world, end ? soups->ends[side] : soups->sides[side], &primitives));
    }
}

/* Sets both, the lesser key first; false if their filters do not allow a pair. */
static bool set_soups(const Soups *soups, const Triangles **a, const Triangles **b)
{
    if (!((*a)->categories & (*b)->collides_with) || !((*b)->categories & (*a)->collides_with))
        return false;
    if ((*a)->key > (*b)->key) {
        const Triangles *other = *a;
        *a = *b;
        *b = other;
    }
    set_soup(soups, 0, *a);
    set_soup(soups, 1, *b);
    return true;
}

/* Calls `visit` for each two members whose filters allow a pair, in two soups that are set, the
 * lesser key first. */
typedef void Visit(const Soups *soups, const Triangles *a, const Triangles *b, float limit,
                   void *expected);

static void visit_pairs(PliantWorld *world, const Member *members, int count, Visit *visit,
                        float limit, void *expected)
{
    Triangles all[MAX_BODIES];
    Soups soups = create_soups();
    count = read_all(world, members, count, all);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            const Triangles *a = &all[i], *b = &all[j];
            if (set_soups(&soups, &a, &b))
                visit(&soups, a, b, limit, expected);
        }
    pliant_world_destroy(soups.world);
    free_all(all, count);
}

/* ---- Near --------------------------------------------------------------------------------------
 */

int compare_near(const void *one, const void *other)
{
    const PliantMpiNearPair *x = one, *y = other;
    if (x->key_a != y->key_a)
        return x->key_a < y->key_a ? -1 : 1;
    if (x->key_b != y->key_b)
        return x->key_b < y->key_b ? -1 : 1;
    if (x->triangle_a != y->triangle_a)
        return x->triangle_a < y->triangle_a ? -1 : 1;
    return (x->triangle_b > y->triangle_b) - (x->triangle_b < y->triangle_b);
}

static void place(const float *weights, const int *corners, int count, float sign, float *to)
{
    for (int i = 0; i < count; i++)
        to[corners[i]] = weights[i] == 0 ? 0 : sign * weights[i];
}

/* The corners that the weights of a side belong to. */
static int list_corners(bool is_triangle, bool is_edge, int32_t feature, int corners[3])
{
    const int k = feature % 3, next = (k + 1) % 3;
    corners[0] = is_triangle ? 0 : is_edge && next < k ? next : k;
    corners[1] = is_triangle ? 1 : next < k ? k : next;
    corners[2] = 2;
    return is_triangle ? 3 : is_edge ? 2 : 1;
}

static PliantMpiNearPair make_pair(const PliantNearPair *pair, const Triangles *a,
                                   const Triangles *b)
{
    const bool is_edge = pair->kind == PLIANT_EDGE_EDGE;
    const bool is_a = pair->kind == PLIANT_TRIANGLE_VERTEX;
    const bool is_b = pair->kind == PLIANT_VERTEX_TRIANGLE;
    int corners[3];
    PliantMpiNearPair made = {.key_a = a->key,
                              .key_b = b->key,
                              .triangle_a = is_a ? pair->feature_a : pair->feature_a / 3,
                              .triangle_b = is_b ? pair->feature_b : pair->feature_b / 3,
                              .distance = pair->distance,
                              .normal = {pair->normal[0], pair->normal[1], pair->normal[2]}};
    const int count = list_corners(is_a, is_edge, pair->feature_a, corners);
    place(pair->weights, corners, count, 1, made.weights_a);
    place(pair->weights + count, corners, list_corners(is_b, is_edge, pair->feature_b, corners), -1,
          made.weights_b);
    return made;
}

static void add(NearPairs *all, const PliantMpiNearPair *pair)
{
    if ((all->count & (all->count - 1)) == 0) /* a power of two: it is full */
        all->items = realloc(all->items, (size_t)(2 * all->count + 1) * sizeof *all->items);
    if (!all->items)
        abort();
    all->items[all->count++] = *pair;
}

/* Of each two triangles the least distance, of several the first; a touch is 0. */
static void expect_two(const Soups *soups, const Triangles *a, const Triangles *b, float distance,
                       void *expected)
{
    NearPairs *all = expected;
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantContacts contacts = pliant_contacts_default();
    PliantMpiNearPair *table =
        crowd_allocate((size_t)a->count * (size_t)b->count * sizeof *table + 1);
    bool *is_set = crowd_allocate((size_t)a->count * (size_t)b->count + 1);
    memset(is_set, 0, (size_t)a->count * (size_t)b->count);
    def.distance = distance;
    crowd_must(pliant_bodies_near(soups->world, soups->sides[0], soups->sides[1], &def, &pairs));
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantMpiNearPair pair = make_pair(&pairs.items[i], a, b);
        const int64_t at = pair.triangle_a * b->count + pair.triangle_b;
        if (!is_set[at] || pair.distance < table[at].distance)
            table[at] = pair;
        is_set[at] = true;
    }
    crowd_must(
        pliant_bodies_collide(soups->world, soups->sides[0], soups->sides[1], NULL, &contacts));
    for (int64_t i = 0; i < contacts.count; i++) {
        const PliantContact *contact = &contacts.items[i];
        const int64_t at = (int64_t)contact->triangle_a * b->count + contact->triangle_b;
        if (!is_set[at] || table[at].distance > 0)
            table[at] = (PliantMpiNearPair){.key_a = a->key,
                                            .key_b = b->key,
                                            .triangle_a = contact->triangle_a,
                                            .triangle_b = contact->triangle_b};
        is_set[at] = true;
    }
    for (int64_t at = 0; at < (int64_t)a->count * b->count; at++)
        if (is_set[at])
            add(all, &table[at]);
    free(table);
    free(is_set);
}

NearPairs expect_near(PliantWorld *world, const Member *members, int count, float distance)
{
    NearPairs expected = {0};
    visit_pairs(world, members, count, expect_two, distance, &expected);
    if (expected.count > 1)
        qsort(expected.items, (size_t)expected.count, sizeof *expected.items, compare_near);
    return expected;
}

/* ---- Earliest ----------------------------------------------------------------------------------
 */

static int64_t rank_of(const PliantMpiImpact *x, int i)
{
    const int64_t ranks[] = {x->triangle_a, x->triangle_b, x->kind, x->corner_a, x->corner_b};
    return ranks[i];
}

static bool is_before(const PliantMpiImpact *x, const PliantMpiImpact *y)
{
    if (x->time != y->time)
        return x->time < y->time;
    if (x->key_a != y->key_a)
        return x->key_a < y->key_a;
    if (x->key_b != y->key_b)
        return x->key_b < y->key_b;
    for (int i = 0; i < 5; i++)
        if (rank_of(x, i) != rank_of(y, i))
            return rank_of(x, i) < rank_of(y, i);
    return false;
}

static void expect_impacts(const Soups *soups, const Triangles *a, const Triangles *b, float until,
                           void *expected)
{
    PliantMpiEarliest *earliest = expected;
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    def.kind = PLIANT_ALL_IMPACTS;
    def.max_time = until;
    crowd_must(pliant_bodies_sweep(soups->world, soups->sides[0], soups->sides[1], &def, &impacts));
    for (int64_t i = 0; i < impacts.count; i++) {
        const PliantImpact *from = &impacts.items[i];
        PliantMpiImpact impact = {
            .key_a = a->key, .key_b = b->key, .kind = from->kind, .time = from->time};
        impact.triangle_a = from->feature_a;
        if (from->kind != PLIANT_TRIANGLE_VERTEX) {
            impact.triangle_a /= 3;
            impact.corner_a = from->feature_a % 3;
        }
        impact.triangle_b = from->feature_b;
        if (from->kind != PLIANT_VERTEX_TRIANGLE) {
            impact.triangle_b /= 3;
            impact.corner_b = from->feature_b % 3;
        }
        memcpy(impact.weights, from->weights, sizeof impact.weights);
        memcpy(impact.normal, from->normal, sizeof impact.normal);
        if (!earliest->is_found || is_before(&impact, &earliest->impact))
            earliest->impact = impact;
        earliest->is_found = true;
    }
}

PliantMpiEarliest expect_earliest(PliantWorld *world, const Member *members, int count, float until)
{
    PliantMpiEarliest earliest = pliant_mpi_earliest_default();
    visit_pairs(world, members, count, expect_impacts, until, &earliest);
    return earliest;
}
