/* Features with radii, near and on their way, against rational numbers.
 *
 *     test_thick [--pairs N] [--sweeps N] [--seed S]
 *
 * Two bodies have a triangle each in every one of some cells that are far from each other: the
 * fifteen pairs of features of a cell are decided by GMP. Corners are whole numbers, so that many
 * distances are floats, and radii are such that D is often just that, or a float beside it.
 *
 * The corners of a body may be in double, a little beside floats, and less an origin.
 *
 * near: a pair is an answer if and only if its distance is at most D, whose two sums are made in
 * rational numbers and rounded up. sweep: points are at whole numbers at times of 64ths; at no such
 * time before the one that is returned may a pair be within the sum of the distance and the radii.
 * Of doubles that come to touch, the returned time is held against their first touch: never late,
 * and in the median at least 0.99 of it.
 *
 * The same pairs go through pliant_near_pairs() and pliant_sweep_pairs(), each with its D: all that
 * the queries of the world return has to be there, the same numbers to the last bit, and nothing
 * else may be near. Times of a smaller max_time have to be those of 1 up to it. Ends with 1 at any
 * difference. */
#include "geom/box.h"
#include "oracle_distance.h"
#include "oracle_sweep.h"
#include "scenes.h"

#include <pliant/pliant.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 12, CELLS = SIDE * SIDE, CORNERS = 3 * CELLS, TIMES = 64, PAIRS = 15 };

static int64_t pair_count, near_count, tie_count, sweep_count, impact_count, wrong_count,
    double_count, sure_count;

/* Returned times over first touches of doubles, in parts of a thousand. */
static int64_t ratios[1001], ratio_count;

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("thick: %s\n", pliant_result_text(result));
    exit(1);
}

static void differ(const char *what, int cell)
{
    if (wrong_count++ < 5)
        printf("DIFFERENT: %s, cell %d\n", what, cell);
}

/* ---- A scene --------------------------------------------------------------------------------- */

typedef struct Side {
    float start[CORNERS][3], end[CORNERS][3], radii[CORNERS];
    double exact[2][CORNERS][3]; /* both, in double */
    double given[2][CORNERS][3]; /* the same and the origin */
    float base;                  /* of all, unless is_varying */
    bool is_varying, is_soup, is_double;
    float error; /* of doubles, as the library says */
    PliantBody body, end_body;
} Side;

static Side sides[2];
static float distance;
static double origin[3];

static float radius_of(const Side *side, int vertex)
{
    return side->is_varying ? side->radii[vertex] : side->base;
}

static float random_radius(SceneRandom *random, float most)
{
    const float radius = most * (float)scene_random_below(random, 1000) / 999;
    return scene_random_below(random, 4) == 0   ? 0
           : scene_random_below(random, 2) == 0 ? floorf(radius)
                                                : radius;
}

/* Corners of both triangles of a cell; and the radii of one corner of each: D is about the distance
 * of these. */
static void set_cell(SceneRandom *random, int cell, float step, float spacing)
{
    const uint32_t size = 2 + scene_random_below(random, 12);
    const int row = cell / SIDE;
    const float home[3] = {spacing * (float)(cell % SIDE), spacing * (float)row, 0};
    const float apart = step * (float)scene_random_below(random, 16);
    for (int s = 0; s < 2; s++)
        for (int i = 3 * cell; i < 3 * cell + 3; i++) {
            for (int k = 0; k < 3; k++) {
                sides[s].start[i][k] = home[k] + step * (float)scene_random_below(random, size) +
                                       (k == 2 && s == 1 ? apart : 0);
                sides[s].end[i][k] =
                    sides[s].start[i][k] +
                    step * ((float)(int)scene_random_below(random, 2 * size) - (float)size);
            }
            sides[s].radii[i] = random_radius(random, 3 * step);
        }
    const int a = 3 * cell + (int)scene_random_below(random, 3),
              b = 3 * cell + (int)scene_random_below(random, 3);
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += pow((double)sides[0].start[a][k] - (double)sides[1].start[b][k], 2);
    const float rest = (float)sqrt(square) - distance - radius_of(&sides[0], a);
    if (rest >= 0)
        sides[1].radii[b] = rest;
}

/* How far a double is from a float: not at all, half of what floats are apart there, a little less
 * or more than that, or anything in between. In whole units. */
static double random_offset(SceneRandom *random, float at)
{
    const double unit = 0x1p-20, half = ((double)nextafterf(fabsf(at), INFINITY) - fabsf(at)) / 2;
    const double sign = scene_random_below(random, 2) ? 1 : -1;
    switch (half < 2 * unit ? 0 : scene_random_below(random, 5)) {
    case 0:
        return 0;
    case 1:
        return sign * half;
    case 2:
        return sign * (half - unit);
    case 3:
        return sign * (half + unit);
    default:
        return sign * unit * floor(half / unit * scene_random(random));
    }
}

/* Corners in double, and what is given of them. The origin has few bits, so that sums are exact. */
static void set_doubles(SceneRandom *random, Side *side)
{
    for (int i = 0; i < 3 * CORNERS; i++)
        for (int end = 0; end < 2; end++) {
            const float at = (end ? side->end : side->start)[i / 3][i % 3];
            double *exact = &side->exact[end][i / 3][i % 3];
            *exact = (double)at + (side->is_double ? random_offset(random, at) : 0);
            side->given[end][i / 3][i % 3] = *exact + origin[i % 3];
        }
}

static void set_scene(SceneRandom *random, float step, float spacing)
{
    const bool has_doubles = scene_random_below(random, 2),
               is_thin = has_doubles && scene_random_below(random, 2);
    distance = is_thin || scene_random_below(random, 3) == 0 ? 0 : random_radius(random, 3 * step);
    for (int k = 0; k < 3; k++)
        origin[k] = scene_random_below(random, 2) ? 0x1p20 * scene_random_below(random, 100) : 0;
    for (int s = 0; s < 2; s++) {
        sides[s].is_varying = !is_thin && scene_random_below(random, 4) > 0;
        sides[s].is_double = has_doubles && (s == 0 || scene_random_below(random, 3) > 0);
        sides[s].is_soup = !sides[s].is_double && scene_random_below(random, 2);
        sides[s].base = is_thin ? 0 : random_radius(random, 3 * step);
    }
    for (int cell = 0; cell < CELLS; cell++)
        set_cell(random, cell, step, spacing);
    for (int s = 0; s < 2; s++)
        set_doubles(random, &sides[s]);
}

/* ---- Its world ------------------------------------------------------------------------------- */

static void set_primitives(PliantWorld *world, PliantBody body, const float (*vertices)[3])
{
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){vertices[0], CORNERS, 0};
    primitives.count = CELLS;
    must(pliant_body_set_primitives(world, body, &primitives));
}

static void add_soup(PliantWorld *world, Side *side, bool has_end)
{
    PliantSoupDef def = pliant_soup_def_default();
    must(pliant_body_create_soup(world, &def, &side->body));
    set_primitives(world, side->body, (const float(*)[3])side->start);
    if (!has_end)
        return;
    must(pliant_body_create_end(world, side->body, &side->end_body));
    set_primitives(world, side->end_body, (const float(*)[3])side->end);
}

static void set_exact(PliantWorld *world, PliantBody body, Side *side, int end)
{
    const PliantVertices64 vertices = {side->given[end][0], CORNERS, 0};
    float error;
    must((end ? pliant_body_borrow_vertices64 : pliant_body_set_vertices64)(world, body, vertices));
    must(pliant_body_rounding_error(world, body, &error));
    side->error = fmaxf(side->error, error);
}

static void add_mesh(PliantWorld *world, Side *side, bool has_end)
{
    static uint32_t corners[CORNERS];
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    for (uint32_t i = 0; i < CORNERS; i++)
        corners[i] = i;
    def.vertices = (PliantVertices){side->start[0], CORNERS, 0};
    def.triangles = (PliantTriangles){corners, CELLS};
    must(pliant_shape_create(&def, &shape));
    must(pliant_body_create(world, shape, &side->body));
    pliant_shape_release(shape);
    if (side->is_double)
        set_exact(world, side->body, side, 0);
    if (!has_end)
        return;
    must(pliant_body_create_end(world, side->body, &side->end_body));
    if (side->is_double)
        set_exact(world, side->end_body, side, 1);
    else
        must(pliant_body_set_vertices(world, side->end_body,
                                      (PliantVertices){side->end[0], CORNERS, 0}));
}

static PliantWorld *make_world(bool has_ends)
{
    PliantWorld *world;
    must(pliant_world_create(NULL, &world));
    must(pliant_world_set_origin(world, origin));
    for (int s = 0; s < 2; s++) {
        Side *side = &sides[s];
        side->error = 0;
        (side->is_soup ? add_soup : add_mesh)(world, side, has_ends);
        must(pliant_body_set_radius(world, side->body, side->base));
        if (side->is_varying)
            must(pliant_body_set_vertex_radii(world, side->body, side->radii, CORNERS));
    }
    return world;
}

/* ---- The pairs of a cell ----------------------------------------------------------------------
 */

/* Four vertices, of a and then of b, as counts of corners: pair 0 to 2 are of a vertex of a and the
 * triangle of b, 3 to 5 of the triangle of a and a vertex of b, the others of two edges. */
typedef struct Four {
    int a_count, a[3], b[3];
} Four;

static Four four_of(int cell, int pair)
{
    const int first = 3 * cell;
    if (pair < 3)
        return (Four){1, {first + pair}, {first, first + 1, first + 2}};
    if (pair < 6)
        return (Four){3, {first, first + 1, first + 2}, {first + pair - 3}};
    const int i = (pair - 6) / 3, k = (pair - 6) % 3;
    return (Four){
        2, {first + (i + 1) % 3, first + (i + 2) % 3}, {first + (k + 1) % 3, first + (k + 2) % 3}};
}

/* Which of these an answer is. */
static int pair_of(PliantFeatures kind, const uint32_t v[4])
{
    if (kind == PLIANT_VERTEX_TRIANGLE)
        return (int)(v[0] % 3);
    if (kind == PLIANT_TRIANGLE_VERTEX)
        return 3 + (int)(v[3] % 3);
    return 6 + 3 * (int)(3 - v[0] % 3 - v[1] % 3) + (int)(3 - v[2] % 3 - v[3] % 3);
}

static float greatest(const Side *side, const int *vertices, int count)
{
    float radius = 0;
    for (int i = 0; i < count; i++)
        radius = fmaxf(radius, radius_of(side, vertices[i]));
    return radius;
}

/* The points of a pair at an end. */
static void set_points(const Four *four, int end, double points[12])
{
    for (int i = 0; i < 4; i++) {
        const bool is_a = i < four->a_count;
        memcpy(points + 3 * i,
               sides[is_a ? 0 : 1].exact[end][is_a ? four->a[i] : four->b[i - four->a_count]],
               3 * sizeof(double));
    }
}

/* The square of the distance at a time of 64ths. */
static void find_square(const Four *four, int time, mpq_t square)
{
    double points[12], end[12];
    unsigned support;
    set_points(four, 0, points);
    set_points(four, 1, end);
    for (int i = 0; i < 12; i++)
        points[i] += (end[i] - points[i]) / TIMES * time;
    const ptrdiff_t first = four->a_count;
    oracle_squared_distance64(points, four->a_count, points + 3 * first, 4 - four->a_count, square,
                              &support);
}

/* The least float that is not less than a number. */
static float up(const mpq_t x)
{
    float y = (float)mpq_get_d(x);
    mpq_t as;
    mpq_init(as);
    mpq_set_d(as, (double)y);
    while (mpq_cmp(as, x) < 0) {
        y = nextafterf(y, INFINITY);
        mpq_set_d(as, (double)y);
    }
    for (float lower = nextafterf(y, -INFINITY);; lower = nextafterf(y, -INFINITY)) {
        mpq_set_d(as, (double)lower);
        if (mpq_cmp(as, x) < 0)
            break;
        y = lower;
    }
    mpq_clear(as);
    return y;
}

static void set_sum(mpq_t sum, float a, float b)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_d(sum, (double)a);
    mpq_set_d(other, (double)b);
    mpq_add(sum, sum, other);
    mpq_clear(other);
}

static float sum_up(float a, float b)
{
    mpq_t sum;
    mpq_init(sum);
    set_sum(sum, a, b);
    const float result = up(sum);
    mpq_clear(sum);
    return result;
}

/* D of a pair, for the distance of a query. */
static float reach_of(const Four *four, float far)
{
    return sum_up(far, sum_up(greatest(&sides[0], four->a, four->a_count),
                              greatest(&sides[1], four->b, 4 - four->a_count)));
}

/* ---- Pairs of the caller ---------------------------------------------------------------------
 */

/* All pairs by kind: of a vertex and a triangle, and of two edges. Vertices of b come behind. */
static struct {
    float start[2 * CORNERS][3], end[2 * CORNERS][3];
    uint32_t pairs[2][CELLS * PAIRS][4];
    float distances[2][CELLS * PAIRS];
    int places[2][CELLS * PAIRS]; /* cell and pair */
    int counts[2];
} given;

static void give_pair(int cell, int pair, float far)
{
    const Four four = four_of(cell, pair);
    const bool are_edges = pair >= 6, is_swapped = !are_edges && pair >= 3;
    const int number = given.counts[are_edges]++;
    uint32_t vertices[4];
    for (int i = 0; i < 4; i++)
        vertices[i] = (uint32_t)(i < four.a_count ? four.a[i] : CORNERS + four.b[i - four.a_count]);
    for (int i = 0; are_edges && i < 4; i += 2)
        if (vertices[i] > vertices[i + 1]) {
            const uint32_t lower = vertices[i + 1];
            vertices[i + 1] = vertices[i];
            vertices[i] = lower;
        }
    for (int i = 0; i < 4; i++)
        given.pairs[are_edges][number][i] = vertices[(i + (is_swapped ? 3 : 0)) % 4];
    given.distances[are_edges][number] = reach_of(&four, far);
    given.places[are_edges][number] = PAIRS * cell + pair;
}

static void give_pairs(float far)
{
    given.counts[0] = given.counts[1] = 0;
    for (int s = 0; s < 2; s++) {
        memcpy(given.start[(size_t)s * CORNERS], sides[s].start, sizeof sides[s].start);
        memcpy(given.end[(size_t)s * CORNERS], sides[s].end, sizeof sides[s].end);
    }
    for (int cell = 0; cell < CELLS; cell++)
        for (int pair = 0; pair < PAIRS; pair++)
            give_pair(cell, pair, far);
}

/* Is a pair of the caller that of the world? Of a triangle and a vertex that one has the vertex
 * behind. */
static bool is_same_pair(const PliantNearPair *own, const PliantNearPair *of_world)
{
    const bool is_swapped = of_world->kind == PLIANT_TRIANGLE_VERTEX;
    const int turn = is_swapped ? 3 : 0, b = own->kind == PLIANT_EDGE_EDGE ? 2 : 1;
    bool is = own->distance == of_world->distance && own->pair_count == 1 && own->feature_a == -1 &&
              own->feature_b == -1 && own->body_a.index == 0 &&
              own->kind == (is_swapped ? PLIANT_VERTEX_TRIANGLE : of_world->kind);
    for (int k = 0; k < 3; k++)
        is &= own->normal[k] == (is_swapped ? -of_world->normal[k] : of_world->normal[k]);
    for (int i = 0; i < 4; i++) {
        const int at = (i + turn) % 4;
        const bool is_of_b = (i >= b) != is_swapped;
        is &= own->weights[i] == (is_swapped ? -of_world->weights[at] : of_world->weights[at]);
        is &= own->vertices[i] == of_world->vertices[at] + (is_of_b ? CORNERS : 0);
        is &= (own->region >> i & 1) == (of_world->region >> at & 1);
    }
    return is;
}

/* Against what the world has found, by cell and pair. */
static void check_given_near(PliantNearPair (*found)[PAIRS])
{
    static float distances[CELLS * PAIRS];
    static PliantNearPair details[CELLS * PAIRS];
    give_pairs(distance);
    for (int are_edges = 0; are_edges < 2; are_edges++) {
        PliantNearCandidates def = pliant_near_candidates_default();
        def.kind = are_edges ? PLIANT_EDGE_EDGE : PLIANT_VERTEX_TRIANGLE;
        def.vertices = given.start[0];
        def.vertex_count = 2 * CORNERS;
        def.pairs = given.pairs[are_edges][0];
        def.pair_count = given.counts[are_edges];
        def.distances = given.distances[are_edges];
        must(pliant_near_pairs(&def, distances, details, def.pair_count));
        for (int64_t i = 0; i < def.pair_count; i++) {
            const int place = given.places[are_edges][i];
            const PliantNearPair *of_world = &found[place / PAIRS][place % PAIRS];
            if (of_world->pair_count > 0 ? !is_same_pair(&details[i], of_world)
                                         : distances[i] < INFINITY)
                differ("near pair of the caller", place / PAIRS);
            if (details[i].distance != distances[i])
                differ("details", place / PAIRS);
        }
    }
}

static void sweep_given(int are_edges, float max_time, float *times)
{
    PliantSweepPairs def = pliant_sweep_pairs_default();
    def.kind = are_edges ? PLIANT_EDGE_EDGE : PLIANT_VERTEX_TRIANGLE;
    def.start = given.start[0];
    def.end = given.end[0];
    def.vertex_count = 2 * CORNERS;
    def.pairs = given.pairs[are_edges][0];
    def.pair_count = given.counts[are_edges];
    def.distances = given.distances[are_edges];
    def.max_time = max_time;
    must(pliant_sweep_pairs(&def, times, def.pair_count, NULL));
}

/* Sets times by cell and pair, and compares them with those of a world up to its conservative ones.
 */
static void check_given_sweep(SceneRandom *random, float (*of_world)[PAIRS], float (*times)[PAIRS])
{
    static float all[CELLS * PAIRS], some[CELLS * PAIRS];
    give_pairs(distance > 0 ? pli_moved_up(distance) : 0); /* as sweeps of a world do */
    for (int are_edges = 0; are_edges < 2; are_edges++) {
        const int count = given.counts[are_edges];
        sweep_given(are_edges, 1, all);
        const float one = all[scene_random_below(random, (uint32_t)count)];
        const float max_time = one <= 1 ? one : (float)scene_random_below(random, TIMES) / TIMES;
        sweep_given(are_edges, max_time, some);
        for (int i = 0; i < count; i++) {
            const int place = given.places[are_edges][i], cell = place / PAIRS;
            const float time = of_world[cell][place % PAIRS];
            if (time <= 1 && all[i] != time)
                differ("time of the caller's pair", cell);
            if (some[i] != (all[i] <= max_time ? all[i] : INFINITY))
                differ("max_time", cell);
            times[cell][place % PAIRS] = all[i];
        }
    }
}

/* ---- near ------------------------------------------------------------------------------------ */

/* With doubles: all that are within D are found, all that are not uncertain are within D, and none
 * is farther than D by more than twice what floats are off by. */
static void check_near64(int cell, const mpq_t square, float most, int sign, uint8_t found)
{
    const float errors = sum_up(sides[0].error, sides[1].error);
    const bool is_sure = found && !((found - 1) & PLIANT_PAIR_UNCERTAIN);
    double_count++;
    sure_count += is_sure;
    if (sign <= 0 ? !found : is_sure)
        differ(found ? "doubles are not within D" : "doubles are within D", cell);
    if (found && oracle_compare_distance(square, sum_up(sum_up(most, errors), errors)) > 0)
        differ("doubles are far from D", cell);
    if (errors == 0 && found && !is_sure)
        differ("uncertain without a rounding error", cell);
}

/* `found` is 0, or 1 and the flags of the answer. */
static void check_near(int cell, int pair, uint8_t found)
{
    const Four four = four_of(cell, pair);
    mpq_t square;
    mpq_init(square);
    find_square(&four, 0, square);
    const float most = reach_of(&four, distance);
    const int sign = oracle_compare_distance(square, most);
    pair_count++;
    near_count += sign <= 0;
    tie_count += sign == 0;
    if (sides[0].is_double)
        check_near64(cell, square, most, sign, found);
    else if (found != (sign <= 0))
        differ(found ? "near, but it is not" : "not near, but it is", cell);
    mpq_clear(square);
}

static void play_near(SceneRandom *random)
{
    static PliantNearPair found[CELLS][PAIRS]; /* zeros: not near */
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    set_scene(random, 1, 1024);
    PliantWorld *world = make_world(false);
    def.distance = distance;
    def.margin = scene_random_below(random, 3) == 0 ? 1.7f : 0;
    for (int turn = 0; turn < (def.margin > 0 ? 2 : 1); turn++) /* then from what is kept */
        must(pliant_world_near(world, &def, &pairs));
    memset(found, 0, sizeof found);
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantNearPair *pair = &pairs.items[i];
        const uint32_t cell = pair->vertices[0] / 3;
        PliantNearPair *place = &found[cell][pair_of(pair->kind, pair->vertices)];
        if (cell != pair->vertices[3] / 3 || place->pair_count > 0)
            differ("two cells, or twice", (int)cell);
        *place = *pair;
    }
    for (int cell = 0; cell < CELLS; cell++)
        for (int pair = 0; pair < PAIRS; pair++)
            check_near(cell, pair,
                       found[cell][pair].pair_count > 0 ? 1 + found[cell][pair].flags : 0);
    if (!sides[0].is_double)
        check_given_near(found);
    pliant_world_destroy(world);
}

/* ---- sweep ----------------------------------------------------------------------------------- */

/* Is a pair within the distance and its radii at a time, or a little more? */
static bool is_within(const Four *four, int time, double more)
{
    mpq_t square, sum, number;
    mpq_inits(square, sum, number, NULL);
    set_sum(sum, greatest(&sides[0], four->a, four->a_count),
            greatest(&sides[1], four->b, 4 - four->a_count));
    mpq_set_d(number, (double)distance);
    mpq_add(sum, sum, number);
    mpq_set_d(number, more);
    mpq_add(sum, sum, number);
    mpq_mul(sum, sum, sum);
    find_square(four, time, square);
    const bool is = mpq_cmp(square, sum) <= 0;
    mpq_clears(square, sum, number, NULL);
    return is;
}

/* Of a pair without thickness: its time is held against the first touch of the doubles. */
static void check_touch(const Four *four, int cell, float time)
{
    double start[12], end[12];
    const bool are_edges = four->a_count == 2, is_swapped = four->a_count == 3;
    float touch;
    set_points(four, 0, start);
    set_points(four, 1, end);
    for (int e = 0; e < 2 && is_swapped; e++) {
        double *points = e ? end : start, vertex[3];
        memcpy(vertex, points + 9, sizeof vertex);
        memmove(points + 3, points, 3 * sizeof vertex);
        memcpy(points, vertex, sizeof vertex);
    }
    if (!oracle_sweep64(are_edges, start, end, &touch))
        return;
    if (time > touch)
        differ("late for the doubles", cell);
    if (touch > 0) {
        ratios[(int)(1000 * fminf(time / touch, 1))]++;
        ratio_count++;
    }
}

/* In thousandths; a thousand if there are none. */
static int median_ratio(void)
{
    int64_t count = 0;
    for (int i = 0; i < 1000; i++) {
        count += ratios[i];
        if (2 * count > ratio_count)
            return i;
    }
    return 1000;
}

static void check_sweep(SceneRandom *random, int cell, int pair, float time)
{
    const Four four = four_of(cell, pair);
    const double errors = (double)sides[0].error + (double)sides[1].error;
    const double most = (double)distance + greatest(&sides[0], four.a, four.a_count) +
                        greatest(&sides[1], four.b, 4 - four.a_count);
    if (sides[0].is_double && most == 0)
        check_touch(&four, cell, time);
    if (time == 0 && !is_within(&four, 0, errors / 4 + most * 0x1p-7))
        differ("0, but not within", cell);
    const int last = time > 1 ? TIMES : (int)ceilf(time * TIMES) - 1;
    sweep_count++;
    for (int i = 0; i < 3 && last >= 0; i++) {
        const int at = i == 0 ? last : (int)scene_random_below(random, (uint32_t)last + 1);
        if (is_within(&four, at, 0))
            differ("late", cell);
    }
    /* In a 64th no two points come closer by more than 2 sqrt(3) of the greatest way in it, which
     * is below 14; and D is below 16 * 64. */
    if (time <= 1 && !is_within(&four, (int)(time * TIMES), 4 * 14 + 16 * 64 * 0x1p-6 + errors))
        differ("early", cell);
}

static void play_sweep(SceneRandom *random)
{
    static float times[CELLS][PAIRS], given_times[CELLS][PAIRS];
    float earliest = INFINITY;
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    set_scene(random, TIMES, 16384);
    PliantWorld *world = make_world(true);
    def.kind = PLIANT_ALL_IMPACTS;
    def.distance = distance;
    def.margin = scene_random_below(random, 3) == 0 ? 17 : 0;
    for (int turn = 0; turn < (def.margin > 0 ? 2 : 1); turn++)
        must(pliant_world_sweep(world, &def, &impacts));
    if (impacts.is_conservative != (distance > 0 || sides[0].base > 0 || sides[1].base > 0 ||
                                    sides[0].is_varying || sides[1].is_varying ||
                                    sides[0].error > 0 || sides[1].error > 0))
        differ("is_conservative", 0);
    for (int i = 0; i < CELLS * PAIRS; i++)
        times[i / PAIRS][i % PAIRS] = INFINITY;
    for (int64_t i = 0; i < impacts.count; i++) {
        const PliantImpact *impact = &impacts.items[i];
        times[impact->vertices[0] / 3][pair_of(impact->kind, impact->vertices)] = impact->time;
        earliest = fminf(earliest, impact->time);
    }
    impact_count += impacts.count;
    memcpy(given_times, times, sizeof times);
    if (!sides[0].is_double)
        check_given_sweep(random, times, given_times);
    for (int cell = 0; cell < CELLS; cell++)
        for (int pair = 0; pair < PAIRS; pair++) {
            check_sweep(random, cell, pair, times[cell][pair]);
            if (given_times[cell][pair] != times[cell][pair])
                check_sweep(random, cell, pair, given_times[cell][pair]);
        }
    def.kind = PLIANT_EARLIEST;
    must(pliant_world_sweep(world, &def, &impacts));
    if (impacts.count > 0 ? impacts.items[0].time != earliest : earliest <= 1)
        differ("the earliest", 0);
    pliant_world_destroy(world);
}

int main(int argc, char **argv)
{
    int64_t pairs = 20000, sweeps = 4000;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pairs") == 0)
            pairs = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--sweeps") == 0)
            sweeps = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
    }
    SceneRandom random = {seed};
    while (pair_count < pairs)
        play_near(&random);
    while (sweep_count < sweeps)
        play_sweep(&random);
    printf("thick: seed %" PRIu64 ", %" PRId64 " pairs, %" PRId64 " near, %" PRId64
           " at D, %" PRId64 " in double, %" PRId64 " of these sure, %" PRId64
           " on their way, %" PRId64 " impacts, %" PRId64
           " touches of doubles, median of time over touch 0.%d, %" PRId64 " wrong\n",
           seed, pair_count, near_count, tie_count, double_count, sure_count, sweep_count,
           impact_count, ratio_count, median_ratio(), wrong_count);
    oracle_sweep_release();
    return wrong_count > 0 || (pairs > 0 && (tie_count == 0 || sure_count == 0)) ||
           (sweeps > 0 && (impact_count == 0 || median_ratio() < 990)) ||
           (sweeps >= 20000 && ratio_count == 0);
}
