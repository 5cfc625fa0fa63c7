/* pliant-bench cliffs: bodies of bad shape, against the same number of well-shaped primitives.
 *
 * Each is played with bad primitives and with good ones, in turns; the figure is how many times as
 * long the bad ones take, the least of some rounds. The first query is timed where it is the one
 * that is slow.
 *
 * - needles: a soup of long triangles without area, or thin ones, in a sheet of 38,400 triangles,
 *   against a soup of triangles as large as those of the sheet;
 * - fan: all triangles of a disk at one vertex, first self-collision query, against a sheet;
 * - sizes: bodies of two very different sizes, pairs of bodies, against bodies of one size;
 * - copies: two sheets at the same place, for each pair reported, against two that cross;
 * - regions: of bodies with many small curves, for each contact. Nothing is compared. */
#include "experiments.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 };

static double elapsed(double since)
{
    return bench_seconds() - since;
}

/* A sheet of 2 x columns x rows triangles over the unit square, with bumps. */
static PliantShape *make_sheet(int columns, int rows, float height, float tilt)
{
    const int32_t count = (columns + 1) * (rows + 1);
    float *vertices = bench_allocate(3 * (size_t)count, sizeof *vertices);
    uint32_t *triangles = bench_allocate(6 * (size_t)columns * (size_t)rows, sizeof *triangles);
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    for (int32_t v = 0; v < count; v++) {
        const int32_t column = v % (columns + 1), row = v / (columns + 1);
        const double x = (double)column / columns, y = (double)row / rows;
        vertices[3 * v] = (float)x;
        vertices[3 * v + 1] = (float)y;
        vertices[3 * v + 2] =
            height * (float)(scene_sin(20 * x) * scene_sin(20 * y)) + tilt * (float)(x - 0.5);
    }
    for (int i = 0; i < columns * rows; i++) {
        const uint32_t a = (uint32_t)(i / columns * (columns + 1) + i % columns), b = a + 1,
                       c = a + (uint32_t)columns + 1, d = c + 1;
        memcpy(triangles + 6 * (size_t)i, (const uint32_t[]){a, b, c, b, d, c}, 24);
    }
    def.vertices = (PliantVertices){vertices, count, 0};
    def.triangles = (PliantTriangles){triangles, 2 * columns * rows};
    bench_must(pliant_shape_create(&def, &shape));
    free(vertices);
    free(triangles);
    return shape;
}

static PliantWorld *make_world(void)
{
    PliantWorld *world;
    bench_must(pliant_world_create(NULL, &world));
    return world;
}

static PliantBody add_body(PliantWorld *world, PliantShape *shape)
{
    PliantBody body;
    bench_must(pliant_body_create(world, shape, &body));
    return body;
}

/* The second query: soups and bounds have the memory that they need. */
static double time_pairs(PliantWorld *world, int64_t *count)
{
    PliantContacts contacts = pliant_contacts_default();
    double start = 0;
    for (int i = 0; i < 2; i++) {
        start = bench_seconds();
        bench_must(pliant_world_collide(world, NULL, &contacts));
    }
    *count = contacts.count;
    return elapsed(start);
}

static void print(const char *name, int32_t count, double bad, int64_t bad_pairs, double good,
                  int64_t good_pairs)
{
    char key[64];
    printf("%s, %" PRId32 ": %.3f ms, %" PRId64 " pairs; well-shaped %.3f ms, %" PRId64 " pairs\n",
           name, count, 1e3 * bad, bad_pairs, 1e3 * good, good_pairs);
    snprintf(key, sizeof key, "cliffs.%s.%" PRId32, name, count);
    bench_figure(key, bad / good, "x");
    fflush(stdout);
}

/* ---- Needles ----------------------------------------------------------------------------------
 */

static double time_soup(int32_t count, double length, double width, int64_t *pair_count)
{
    PliantWorld *world = make_world();
    PliantShape *sheet = make_sheet(160, 120, 0.02f, 0);
    PliantBody soup;
    SceneRandom random = {1};
    float *corners = bench_allocate(9 * (size_t)count, sizeof *corners);
    add_body(world, sheet);
    pliant_shape_release(sheet);
    bench_must(pliant_body_create_soup(world, NULL, &soup));
    for (int32_t i = 0; i < count; i++) {
        float *p = corners + 9 * (size_t)i;
        const double x = scene_random(&random), y = scene_random(&random),
                     angle = 6.28318530717958 * scene_random(&random);
        const double c = scene_cos(angle), s = scene_sin(angle), half = 0.5 * length;
        const double ends[3][3] = {{x - half * c, y - half * s, -0.03},
                                   {x + half * c, y + half * s, 0.03},
                                   {x + half * c - width * s, y + half * s + width * c, 0.03}};
        for (int k = 0; k < 9; k++)
            p[k] = (float)ends[k / 3][k % 3];
    }
    PliantPrimitives now = pliant_primitives_default();
    now.vertices = (PliantVertices){corners, 3 * count, 0};
    now.count = count;
    bench_must(pliant_body_set_primitives(world, soup, &now));
    free(corners);
    const double time = time_pairs(world, pair_count);
    pliant_world_destroy(world);
    return time;
}

static void run_needles(bool is_quick)
{
    static const struct {
        const char *name;
        double width;
    } kinds[] = {{"needles", 0}, {"slivers", 1e-4}};
    for (int kind = 0; kind < 2; kind++)
        for (int32_t count = 2000; count <= (is_quick ? 2000 : 100000); count *= 50) {
            int64_t bad_pairs, good_pairs;
            double bad = INFINITY, good = INFINITY;
            for (int round = 0; round < ROUNDS; round++) {
                bad = fmin(bad, time_soup(count, 1, kinds[kind].width, &bad_pairs));
                good = fmin(good, time_soup(count, 0.02, 0.01, &good_pairs));
            }
            print(kinds[kind].name, count, bad, bad_pairs, good, good_pairs);
        }
}

/* ---- Fans --------------------------------------------------------------------------------------
 */

static PliantShape *make_fan(int32_t count)
{
    float *vertices = bench_allocate(3 * ((size_t)count + 1), sizeof *vertices);
    uint32_t *triangles = bench_allocate(3 * (size_t)count, sizeof *triangles);
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    memset(vertices, 0, 12);
    for (int32_t i = 0; i < count; i++) {
        const double angle = 6.28318530717958 * i / count;
        float *p = vertices + 3 * (size_t)(i + 1);
        p[0] = (float)scene_cos(angle);
        p[1] = (float)scene_sin(angle);
        p[2] = 0.1f * (float)scene_sin(7 * angle);
        memcpy(triangles + 3 * (size_t)i,
               (const uint32_t[]){0, (uint32_t)i + 1, (uint32_t)((i + 1) % count) + 1}, 12);
    }
    def.vertices = (PliantVertices){vertices, count + 1, 0};
    def.triangles = (PliantTriangles){triangles, count};
    bench_must(pliant_shape_create(&def, &shape));
    free(vertices);
    free(triangles);
    return shape;
}

static double time_self(PliantShape *shape, int64_t *count)
{
    PliantWorld *world = make_world();
    PliantContacts contacts = pliant_contacts_default();
    const PliantBody body = add_body(world, shape);
    pliant_shape_release(shape);
    const double start = bench_seconds();
    bench_must(pliant_bodies_collide(world, body, body, NULL, &contacts));
    const double time = elapsed(start);
    *count = contacts.count;
    pliant_world_destroy(world);
    return time;
}

static void run_fans(bool is_quick)
{
    static const int32_t counts[] = {2000, 10000, 40000};
    for (int i = 0; i < (is_quick ? 1 : 3); i++) {
        int64_t bad_pairs, good_pairs;
        double bad = INFINITY, good = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            bad = fmin(bad, time_self(make_fan(counts[i]), &bad_pairs));
            good = fmin(good, time_self(make_sheet(counts[i] / 40, 20, 0.02f, 0), &good_pairs));
        }
        print("fan", counts[i], bad, bad_pairs, good, good_pairs);
    }
}

/* ---- Sizes --------------------------------------------------------------------------------------
 */

/* The first list of pairs; one body in `one_in` is a hundred times as large. */
static double time_bodies(int32_t count, int one_in, int64_t *pair_count)
{
    static const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    PliantWorld *world = make_world();
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    SceneRandom random = {1};
    def.vertices = (PliantVertices){corners, 4, 0};
    def.triangles = (PliantTriangles){triangles, 4};
    bench_must(pliant_shape_create(&def, &shape));
    for (int32_t i = 0; i < count; i++) {
        PliantTransform transform = pliant_transform_identity();
        const PliantBody body = add_body(world, shape);
        for (int k = 0; k < 3; k++) {
            transform.rows[k][k] = one_in > 0 && i % one_in == 0 ? 30 : 0.3f;
            transform.rows[k][3] = 464 * (float)scene_random(&random);
        }
        bench_must(pliant_body_set_transform(world, body, &transform));
    }
    pliant_shape_release(shape);
    const double start = bench_seconds();
    PliantBodyPairs pairs = pliant_body_pairs_default();
    bench_must(pliant_world_body_pairs(world, NULL, &pairs));
    *pair_count = pairs.count;
    const double time = elapsed(start);
    pliant_world_destroy(world);
    return time;
}

static void run_sizes(bool is_quick)
{
    const int32_t count = is_quick ? 100000 : 1000000;
    int64_t bad_pairs, good_pairs;
    const double bad = time_bodies(count, 1000, &bad_pairs),
                 good = time_bodies(count, 0, &good_pairs);
    print("sizes", count, bad, bad_pairs, good, good_pairs);
}

/* ---- Copies -------------------------------------------------------------------------------------
 */

static double time_sheets(int side, float tilt, int64_t *pair_count)
{
    PliantWorld *world = make_world();
    PliantShape *shapes[2] = {make_sheet(side, side, 0.02f, 0),
                              make_sheet(side, side, 0.02f, tilt)};
    for (int i = 0; i < 2; i++) {
        add_body(world, shapes[i]);
        pliant_shape_release(shapes[i]);
    }
    const double time = time_pairs(world, pair_count);
    pliant_world_destroy(world);
    return time;
}

/* Of coincident surfaces each triangle has 13 pairs: what counts is the time of a pair. */
static void run_copies(bool is_quick)
{
    const int side = is_quick ? 40 : 100;
    int64_t bad_pairs, good_pairs;
    const double bad = time_sheets(side, 0, &bad_pairs),
                 good = time_sheets(side, 0.05f, &good_pairs);
    printf("copies, %d: %.3f ms, %" PRId64 " pairs; that cross %.3f ms, %" PRId64 " pairs\n",
           2 * side * side, 1e3 * bad, bad_pairs, 1e3 * good, good_pairs);
    bench_figure("cliffs.copies.pair", 1e9 * bad / (double)bad_pairs, "ns");
    bench_figure("cliffs.crossing.pair", 1e9 * good / (double)good_pairs, "ns");
}

/* ---- Regions ------------------------------------------------------------------------------------
 */

/* So many triangles that are long along one axis, each alone. */
static PliantShape *make_bars(int32_t count, int axis, SceneRandom *random)
{
    static const float along[3] = {-0.1f, 1.1f, 0.5f};
    float *corners = bench_allocate(9 * (size_t)count, sizeof *corners);
    uint32_t *triangles = bench_allocate(3 * (size_t)count, sizeof *triangles);
    for (int32_t i = 0; i < count; i++) {
        const float at = (float)scene_random(random), low = (float)scene_random(random) / 2,
                    high = low + (float)scene_random(random) / 2;
        for (int k = 0; k < 3; k++) {
            float *v = corners + 9 * (size_t)i + 3 * (size_t)k;
            v[axis] = along[k];
            v[1 - axis] = at + (k == 2 ? 0.0003f : 0);
            v[2] = k == 2 ? high : low;
            triangles[3 * i + k] = (uint32_t)(3 * i + k);
        }
    }
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    def.vertices = (PliantVertices){corners, 3 * count, 0};
    def.triangles = (PliantTriangles){triangles, count};
    bench_must(pliant_shape_create(&def, &shape));
    free(corners);
    free(triangles);
    return shape;
}

/* So many squares, or flat boxes, each across an axis. */
static PliantShape *make_plates(int32_t count, int axis, bool are_closed)
{
    static const uint32_t box[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                        {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                        {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const int32_t each = are_closed ? 12 : 2, first = are_closed ? 0 : axis == 0 ? 8 : 4;
    float *vertices = bench_allocate(24 * (size_t)count, sizeof *vertices);
    uint32_t *triangles = bench_allocate(3 * (size_t)(each * count), sizeof *triangles);
    for (int32_t i = 0; i < count; i++) {
        for (int v = 0; v < 8; v++) {
            float *p = vertices + 24 * (size_t)i + 3 * (size_t)v;
            p[axis] = ((float)i + (v >> axis & 1 ? 0.75f : 0.25f)) / (float)count;
            p[1 - axis] = v >> (1 - axis) & 1 ? 1.1f : -0.1f;
            p[2] = (v >> 2 & 1 ? 1.0f : 0.0f) + 0.1f * (float)axis;
        }
        for (int32_t t = 0; t < each; t++)
            for (int k = 0; k < 3; k++)
                triangles[3 * (each * i + t) + k] = (uint32_t)(8 * i) + box[t + first][k];
    }
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    def.vertices = (PliantVertices){vertices, 8 * count, 0};
    def.triangles = (PliantTriangles){triangles, each * count};
    bench_must(pliant_shape_create(&def, &shape));
    free(vertices);
    free(triangles);
    return shape;
}
/* The first list of contacts, and then its regions. The second body is turned by a little. */
static void time_regions(const char *name, PliantShape *a, PliantShape *b, bool is_turned)
{
    PliantWorld *world = make_world();
    PliantContacts contacts = pliant_contacts_default();
    PliantRegions regions = pliant_regions_default();
    PliantTransform transform = pliant_transform_identity();
    char key[64];
    add_body(world, a);
    const PliantBody second = add_body(world, b);
    pliant_shape_release(a);
    pliant_shape_release(b);
    if (is_turned) {
        transform.rows[0][0] = transform.rows[1][1] = (float)scene_cos(0.013);
        transform.rows[1][0] = (float)scene_sin(0.013);
        transform.rows[0][1] = -transform.rows[1][0];
        transform.rows[2][3] = -0.002f;
        bench_must(pliant_body_set_transform(world, second, &transform));
    }
    bench_must(pliant_world_collide(world, NULL, &contacts));
    const double start = bench_seconds();
    bench_must(pliant_contacts_regions(world, &contacts, NULL, &regions));
    const double time = elapsed(start);
    printf("regions, %s: %.3f ms, %" PRId64 " contacts, %" PRId64 " regions\n", name, 1e3 * time,
           contacts.count, regions.count);
    snprintf(key, sizeof key, "cliffs.regions.%s", name);
    bench_figure(key, 1e6 * time / (double)contacts.count, "us");
    fflush(stdout);
    pliant_world_destroy(world);
}

static void run_regions(bool is_quick)
{
    const int32_t bars = is_quick ? 500 : 1500, plates = is_quick ? 30 : 100;
    SceneRandom random = {1};
    PliantShape *first = make_bars(bars, 0, &random);
    time_regions("bars", first, make_bars(bars, 1, &random), false);
    time_regions("plates", make_plates(plates, 0, false), make_plates(plates, 1, false), false);
    time_regions("slabs", make_plates(plates, 0, true), make_plates(plates, 1, true), false);
    time_regions("umbrellas", make_fan(10000), make_fan(10000), true);
}

int bench_cliffs(const BenchOptions *options)
{
    bench_cliffs_answers();
    run_needles(options->is_quick);
    run_fans(options->is_quick);
    run_sizes(options->is_quick);
    run_copies(options->is_quick);
    run_regions(options->is_quick);
    return 0;
}
