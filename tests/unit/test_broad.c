/* broad: the same pairs as a plain loop, whatever the boxes are and wherever they were before.
 *
 * usage: test_broad [WORKERS]    (workers.h): by several workers, however few boxes there are */
#include "broad/broad.h"
#include "host.h"
#include "scenes.h"
#include "unit.h"
#include "workers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_VALUE = 1200 };

static const PliBroadKind kinds[] = {PLI_BROAD_AUTO, PLI_BROAD_BRUTE, PLI_BROAD_SWEEP};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- Boxes ---------------------------------------------------------------------------------- */

/* Boxes and filters, owned. */
typedef struct Bodies {
    int32_t count;
    PliBox *boxes;
    uint32_t *categories, *collides_with;
    SceneRandom random;
} Bodies;

static Bodies make_bodies(int32_t count, uint64_t seed)
{
    Bodies bodies = {count,
                     aligned_alloc(64, MAX_VALUE * sizeof(PliBox)),
                     malloc(MAX_VALUE * sizeof(uint32_t)),
                     malloc(MAX_VALUE * sizeof(uint32_t)),
                     {seed}};
    memset(bodies.categories, 0xff, MAX_VALUE * sizeof(uint32_t));
    memset(bodies.collides_with, 0xff, MAX_VALUE * sizeof(uint32_t));
    return bodies;
}

static void free_bodies(Bodies *bodies)
{
    free(bodies->boxes);
    free(bodies->categories);
    free(bodies->collides_with);
}

static float between(Bodies *bodies, double low, double high)
{
    return (float)(low + (high - low) * scene_random(&bodies->random));
}

static void set_box(Bodies *bodies, int32_t i, int axis, float low, float extent)
{
    bodies->boxes[i].low[axis] = low;
    bodies->boxes[i].high[axis] = low + extent;
}

/* The fourth lane is not to be read. */
static void spoil_lanes(Bodies *bodies)
{
    for (int32_t i = 0; i < bodies->count; i++)
        bodies->boxes[i].low[3] = bodies->boxes[i].high[3] = NAN;
}

/* ---- Scenes --------------------------------------------------------------------------------- */

typedef void FillBox(Bodies *bodies, int32_t i);

static void in_cube(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, between(bodies, -5, 5), between(bodies, 0.5, 1));
}

static void in_clumps(Bodies *bodies, int32_t i)
{
    float apart = (float)scene_random_below(&bodies->random, 4) * 1e6f;
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, apart + between(bodies, 0, 10), between(bodies, 0.5, 1));
}

/* Half of them a thousand times as small and as dense as the others. */
static void at_two_scales(Bodies *bodies, int32_t i)
{
    double scale = i % 2 == 0 ? 1 : 1e-3;
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, between(bodies, 0, 8 * scale),
                between(bodies, 0.5, 1) * (float)scale);
}

static void on_line(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, k == 1 ? between(bodies, 0, 600) : 3, between(bodies, 0.5, 1));
}

static void on_diagonal(Bodies *bodies, int32_t i)
{
    float at = between(bodies, 0, 300);
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, at, between(bodies, 0.5, 1));
}

static void on_plane(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, k == 2 ? 0 : between(bodies, 0, 30), k == 2 ? 0 : 1);
}

static void around_one_point(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++) {
        float half = between(bodies, 0, 1);
        set_box(bodies, i, k, 100 - half, 2 * half);
    }
}

static void of_mixed_sizes(Bodies *bodies, int32_t i)
{
    float size = 1e-4f;
    for (uint32_t n = scene_random_below(&bodies->random, 20); n > 0; n--)
        size *= 2;
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, between(bodies, -30, 30), size * between(bodies, 0.3, 1));
}

/* A few large ones of each size, in all proportions, among many small ones. */
static void of_rare_sizes(Bodies *bodies, int32_t i)
{
    in_cube(bodies, i);
    if (i % 10 == 0)
        for (int k = 0; k < 3; k++)
            set_box(bodies, i, k, between(bodies, -5, 0), between(bodies, 0, 1) * (float)(i % 100));
}

/* Cells of whole numbers: neighbors share faces, edges, corners. */
static void in_cells(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, (float)scene_random_below(&bodies->random, 12) - 6, 1);
}

/* As above with gaps of the least possible width. */
static void almost_in_cells(Bodies *bodies, int32_t i)
{
    in_cells(bodies, i);
    for (int k = 0; k < 3; k++) {
        float high = bodies->boxes[i].high[k];
        bodies->boxes[i].high[k] = i % 3 == k ? nextafterf(high, -1000) : high;
    }
}

static void points(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, (float)scene_random_below(&bodies->random, 7) * 0.1f, 0);
}

static void needles(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, between(bodies, -20, 0), i % 3 == k ? 20 : 0.3f);
}

static void far_away(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, between(bodies, -1e30, 1e30), between(bodies, 0, 2e29));
}

static void near_the_limits(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++) {
        bodies->boxes[i].low[k] = between(bodies, -3.4e38, 2e38);
        bodies->boxes[i].high[k] = between(bodies, bodies->boxes[i].low[k], 3.4e38);
    }
}

static void denormal(Bodies *bodies, int32_t i)
{
    for (int k = 0; k < 3; k++)
        set_box(bodies, i, k, between(bodies, -1e-42, 1e-42), between(bodies, 0, 2e-43));
}

/* One body at the end of the world must not spoil the cells of all others. */
static void with_outlier(Bodies *bodies, int32_t i)
{
    in_cube(bodies, i);
    if (i == 7)
        for (int k = 0; k < 3; k++)
            set_box(bodies, i, k, 1e30f, 1e28f);
}

static float odd_number(Bodies *bodies)
{
    static const float odd[] = {-INFINITY, INFINITY, NAN, 0, -0.0f, 1, -1, 3e38f, -3e38f, 1e-45f};
    return odd[scene_random_below(&bodies->random, sizeof odd / sizeof *odd)];
}

/* Infinite on some sides, at infinity, inside out, or not numbers. */
static void odd(Bodies *bodies, int32_t i)
{
    in_cube(bodies, i);
    if (i % 4 == 0)
        bodies->boxes[i].low[scene_random_below(&bodies->random, 3)] = odd_number(bodies);
    if (i % 4 <= 1)
        bodies->boxes[i].high[scene_random_below(&bodies->random, 3)] = odd_number(bodies);
    if (i % 32 == 2)
        bodies->boxes[i] =
            (PliBox){{-INFINITY, -INFINITY, -INFINITY, 0}, {INFINITY, INFINITY, INFINITY, 0}};
    if (i % 32 == 3)
        for (int k = 0; k < 3; k++)
            bodies->boxes[i].low[k] = bodies->boxes[i].high[k] = i % 64 == 3 ? INFINITY : -INFINITY;
    if (i % 32 == 6)
        bodies->boxes[i] = pli_box_empty();
}

static void all_infinite(Bodies *bodies, int32_t i)
{
    in_cube(bodies, i);
    bodies->boxes[i].low[i % 3] = -INFINITY;
    bodies->boxes[i].high[i % 3] = INFINITY;
    bodies->boxes[i].high[i / 3 % 3] = INFINITY;
}

static void all_absent(Bodies *bodies, int32_t i)
{
    bodies->boxes[i] = pli_box_empty();
}

static const struct {
    const char *name;
    FillBox *fill;
    double size; /* of a body */
} scenes[] = {
    {"cube", in_cube, 1},
    {"clumps", in_clumps, 1},
    {"two scales", at_two_scales, 1e-3},
    {"line", on_line, 1},
    {"diagonal", on_diagonal, 1},
    {"plane", on_plane, 1},
    {"one point", around_one_point, 1},
    {"mixed sizes", of_mixed_sizes, 1e-3},
    {"rare sizes", of_rare_sizes, 1},
    {"cells", in_cells, 1},
    {"almost cells", almost_in_cells, 1},
    {"points", points, 0.1},
    {"needles", needles, 1},
    {"far away", far_away, 1e29},
    {"near the limits", near_the_limits, 1e38},
    {"denormal", denormal, 1e-43},
    {"with outlier", with_outlier, 1},
    {"odd", odd, 1},
    {"all infinite", all_infinite, 1},
    {"all absent", all_absent, 1},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static void fill(Bodies *bodies, int scene)
{
    for (int32_t i = 0; i < bodies->count; i++)
        scenes[scene].fill(bodies, i);
    spoil_lanes(bodies);
}

/* Every body a little further, each in its own direction. */
static void move(Bodies *bodies, double step)
{
    for (int32_t i = 0; i < bodies->count; i++)
        for (int k = 0; k < 3; k++) {
            float by = between(bodies, -step, step);
            bodies->boxes[i].low[k] += by;
            bodies->boxes[i].high[k] += by;
        }
}

/* ---- The plain loop ------------------------------------------------------------------------- */

static bool is_pair(const Bodies *bodies, int32_t a, int32_t b)
{
    const PliBox *x = &bodies->boxes[a], *y = &bodies->boxes[b];
    for (int k = 0; k < 3; k++) {
        if (!(x->low[k] <= x->high[k]) || !(y->low[k] <= y->high[k]))
            return false;
        if (!(x->low[k] <= y->high[k]) || !(y->low[k] <= x->high[k]))
            return false;
    }
    return (bodies->categories[a] & bodies->collides_with[b]) != 0 &&
           (bodies->categories[b] & bodies->collides_with[a]) != 0;
}

static PliBroadInput input_of(const Bodies *bodies, PliBroadKind kind)
{
    return (PliBroadInput){bodies->count, bodies->boxes, bodies->categories, bodies->collides_with,
                           kind};
}

static int64_t check(PliBroad *broad, const Bodies *bodies, PliBroadKind kind, const char *name)
{
    const PliBroadPair *pairs = NULL;
    int64_t count = -1, n = 0;
    PliBroadInput input = input_of(bodies, kind);
    assert_int_equal(pli_broad_find(broad, &input, &pairs, &count), PLIANT_OK);
    for (int32_t a = 0; a < bodies->count; a++)
        for (int32_t b = a + 1; b < bodies->count; b++)
            if (is_pair(bodies, a, b)) {
                if (n >= count || pairs[n].a != a || pairs[n].b != b)
                    fail_msg("%s, kind %d: pair %d of %d is not %d %d", name, (int)kind, (int)n,
                             (int)count, (int)a, (int)b);
                n++;
            }
    if (n != count)
        fail_msg("%s, kind %d: %d pairs, not %d", name, (int)kind, (int)count, (int)n);
    return count;
}

static PliantHost default_host(void)
{
    PliantHost host;
    assert_int_equal(pli_host_resolve(NULL, &host), PLIANT_OK);
    return host;
}

static TestWorkers workers; /* count 0: one worker */

static void start(PliBroad *broad, PliantHost *host)
{
    if (workers.count > 0)
        test_workers_attach(&workers, host);
    pli_broad_init(broad, host);
    broad->divides_everything = workers.count > 0;
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static void test_every_scene(void **state)
{
    (void)state;
    static const int32_t counts[] = {0, 1, 2, 3, 5, 64, 201, 700};
    PliantHost host = default_host();
    for (int scene = 0; scene < SCENES; scene++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            Bodies bodies = make_bodies(counts[c], 100 + (uint64_t)scene);
            fill(&bodies, scene);
            for (int k = 0; k < KINDS; k++) {
                PliBroad broad;
                start(&broad, &host);
                check(&broad, &bodies, kinds[k], scenes[scene].name);
                check(&broad, &bodies, kinds[k], scenes[scene].name);
                pli_broad_free(&broad);
            }
            free_bodies(&bodies);
        }
}

/* Steps from a shiver to a jump, through the same memory. */
static void test_motion(void **state)
{
    (void)state;
    PliantHost host = default_host();
    for (int scene = 0; scene < SCENES; scene++) {
        Bodies bodies = make_bodies(400, 200 + (uint64_t)scene);
        PliBroad broad;
        start(&broad, &host);
        fill(&bodies, scene);
        for (int frame = 0; frame < 24; frame++) {
            check(&broad, &bodies, PLI_BROAD_SWEEP, scenes[scene].name);
            double step = frame < 12 ? 0.02 : frame < 20 ? 0.3 : 20;
            move(&bodies, step * scenes[scene].size);
        }
        pli_broad_free(&broad);
        free_bodies(&bodies);
    }
}

/* Another scene at every call, of another size. */
static void test_teleporting(void **state)
{
    (void)state;
    PliantHost host = default_host();
    Bodies bodies = make_bodies(0, 3);
    PliBroad broad;
    start(&broad, &host);
    for (int frame = 0; frame < 150; frame++) {
        int scene = (int)scene_random_below(&bodies.random, SCENES);
        if (frame % 3 == 0)
            bodies.count = (int32_t)scene_random_below(&bodies.random, 500);
        fill(&bodies, scene);
        check(&broad, &bodies, kinds[frame % 5 == 0 ? frame % KINDS : 2], scenes[scene].name);
    }
    pli_broad_free(&broad);
    free_bodies(&bodies);
}

/* Bodies come and go at any index, and are absent for a while. */
static void test_coming_and_going(void **state)
{
    (void)state;
    PliantHost host = default_host();
    Bodies bodies = make_bodies(300, 4);
    PliBroad broad;
    start(&broad, &host);
    fill(&bodies, 0);
    for (int frame = 0; frame < 200; frame++) {
        int32_t at = (int32_t)scene_random_below(&bodies.random, (uint32_t)bodies.count);
        size_t behind = (size_t)(bodies.count - at - 1) * sizeof(PliBox);
        switch (scene_random_below(&bodies.random, 6)) {
        case 0: /* the last takes its place */
            bodies.boxes[at] = bodies.boxes[--bodies.count];
            break;
        case 1: /* all behind it move up */
            memmove(bodies.boxes + at, bodies.boxes + at + 1, behind);
            bodies.count--;
            break;
        case 2:
        case 3:
            in_cube(&bodies, bodies.count++);
            break;
        case 4:
            bodies.boxes[at] = pli_box_empty();
            break;
        default:
            in_cube(&bodies, at);
        }
        move(&bodies, 0.05);
        check(&broad, &bodies, PLI_BROAD_SWEEP, "coming and going");
    }
    pli_broad_free(&broad);
    free_bodies(&bodies);
}

static void test_filters(void **state)
{
    (void)state;
    PliantHost host = default_host();
    Bodies bodies = make_bodies(500, 5);
    int64_t counts[4];
    for (int sort = 0; sort < 4; sort++) {
        fill(&bodies, 0);
        for (int32_t i = 0; i < bodies.count; i++) {
            uint32_t bit = 1u << scene_random_below(&bodies.random, 4);
            bodies.categories[i] = sort == 0 ? UINT32_MAX : bit;
            bodies.collides_with[i] = sort == 3   ? 0
                                      : sort == 2 ? (uint32_t)scene_random_bits(&bodies.random)
                                                  : UINT32_MAX;
        }
        for (int k = 0; k < KINDS; k++) {
            PliBroad broad;
            start(&broad, &host);
            counts[sort] = check(&broad, &bodies, kinds[k], "filters");
            pli_broad_free(&broad);
        }
    }
    /* All may overlap; all; about a quarter, half of one side and half of the other; none. */
    assert_true(counts[0] > 300 && counts[1] > 300);
    assert_true(counts[2] > counts[1] / 8 && counts[2] < counts[1] / 2);
    assert_int_equal(counts[3], 0);
    free_bodies(&bodies);
}

/* One that overlaps all, and columns long enough to lose patience with. */
static void test_long_columns(void **state)
{
    (void)state;
    PliantHost host = default_host();
    Bodies bodies = make_bodies(MAX_VALUE, 6);
    PliBroad broad;
    start(&broad, &host);
    for (int frame = 0; frame < 6; frame++) {
        for (int32_t i = 0; i < bodies.count; i++)
            on_line(&bodies, i);
        set_box(&bodies, frame, 1, -10, 2000);
        check(&broad, &bodies, PLI_BROAD_SWEEP, "long column");
    }
    pli_broad_free(&broad);
    free_bodies(&bodies);
}

static void test_warm_calls_allocate_nothing(void **state)
{
    (void)state;
    for (int scene = 0; scene < SCENES; scene++)
        for (int k = 0; k < KINDS; k++) {
            TestHost host;
            test_host_init(&host);
            Bodies bodies = make_bodies(500, 300 + (uint64_t)scene);
            PliBroad broad;
            start(&broad, &host.host);
            fill(&bodies, scene);
            for (int frame = 0; frame < 24; frame++)
                check(&broad, &bodies, kinds[k], scenes[scene].name);
            int64_t calls = host.calls;
            for (int frame = 0; frame < 6; frame++) {
                check(&broad, &bodies, kinds[k], scenes[scene].name);
                move(&bodies, 1e-4 * scenes[scene].size);
            }
            if (host.calls != calls)
                fail_msg("%s, kind %d: a warm call allocates", scenes[scene].name, (int)kinds[k]);
            pli_broad_free(&broad);
            assert_int_equal(host.blocks, 0);
            assert_int_equal(host.bytes, 0);
            free_bodies(&bodies);
        }
}

/* Equal calls allocate nothing from the second on. Nor do calls with boxes that move, jump or
 * change their sizes, unless one of their counts exceeds those of all calls before. */
static void test_seen_counts_allocate_nothing(void **state)
{
    (void)state;
    enum { EQUAL_FRAMES = 12, FRAMES = 48 };
    int seen_count = 0;
    for (int scene = 0; scene < SCENES; scene++)
        for (int k = 0; k < KINDS; k++) {
            TestHost host;
            test_host_init(&host);
            Bodies bodies = make_bodies(400, 400 + (uint64_t)scene);
            PliBroad broad;
            start(&broad, &host.host);
            fill(&bodies, scene);
            for (int frame = 0; frame < FRAMES; frame++) {
                const int64_t calls = host.calls;
                const PliBroadPeaks peaks = broad.peaks;
                check(&broad, &bodies, kinds[k], scenes[scene].name);
                const bool is_seen = memcmp(&peaks, &broad.peaks, sizeof peaks) == 0;
                seen_count += is_seen;
                if (host.calls != calls && (is_seen || (frame > 0 && frame <= EQUAL_FRAMES)))
                    fail_msg("%s, kind %d: frame %d allocates", scenes[scene].name, (int)kinds[k],
                             frame);
                if (frame > EQUAL_FRAMES && frame % 12 == 0)
                    fill(&bodies, scene);
                else if (frame > EQUAL_FRAMES)
                    move(&bodies, (frame % 4 == 0 ? 1 : 0.01) * scenes[scene].size);
            }
            pli_broad_free(&broad);
            assert_int_equal(host.blocks, 0);
            free_bodies(&bodies);
        }
    assert_true(seen_count > SCENES * KINDS * (FRAMES - EQUAL_FRAMES) / 2);
}

/* Three calls with little in common; returns whether one ran out of memory, after which it and all
 * others still say the truth. */
static bool runs_out(TestHost *host, PliBroadKind kind)
{
    static const int sequence[] = {8, 3, 17};
    Bodies bodies = make_bodies(300, 7);
    PliBroad broad;
    bool has_failed = false;
    start(&broad, &host->host);
    for (int i = 0; i < 3; i++) {
        const PliBroadPair *pairs = (void *)&broad;
        int64_t count = -7;
        fill(&bodies, sequence[i]);
        PliBroadInput input = input_of(&bodies, kind);
        PliantResult result = pli_broad_find(&broad, &input, &pairs, &count);
        if (result == PLIANT_OK)
            continue;
        assert_int_equal(result, PLIANT_OUT_OF_MEMORY);
        assert_ptr_equal(pairs, &broad);
        assert_int_equal(count, -7);
        has_failed = true;
        host->fail_at = 0;
        check(&broad, &bodies, kind, "after a failure");
        move(&bodies, 0.01);
        check(&broad, &bodies, kind, "after a failure");
    }
    pli_broad_free(&broad);
    assert_int_equal(host->blocks, 0);
    free_bodies(&bodies);
    return has_failed;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int is_for_ever = 0; is_for_ever < 2; is_for_ever++) {
            int64_t at = 1;
            for (bool has_failed = true; has_failed; at++) {
                TestHost host;
                test_host_init(&host);
                host.fail_at = at;
                host.fails_for_ever = is_for_ever != 0;
                has_failed = runs_out(&host, kinds[k]);
            }
            assert_true(at > 3);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest answers[] = {
        cmocka_unit_test(test_every_scene), cmocka_unit_test(test_motion),
        cmocka_unit_test(test_teleporting), cmocka_unit_test(test_coming_and_going),
        cmocka_unit_test(test_filters),     cmocka_unit_test(test_long_columns),
    };
    const struct CMUnitTest memory[] = {
        cmocka_unit_test(test_warm_calls_allocate_nothing),
        cmocka_unit_test(test_seen_counts_allocate_nothing),
    };
    const struct CMUnitTest failures[] = {cmocka_unit_test(test_failing_allocations)};
    if (argc > 1 && !test_workers_start(&workers, argv[1]))
        return 2;
    int failed = cmocka_run_group_tests(answers, NULL, NULL);
    if (workers.count == 0) /* with several workers it is not promised */
        failed += cmocka_run_group_tests(memory, NULL, NULL);
    if (!workers.pool) /* the test's host counts on one thread */
        failed += cmocka_run_group_tests(failures, NULL, NULL);
    test_workers_end(&workers);
    return failed;
}
