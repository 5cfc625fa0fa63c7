/* pliant-bench divide: large triangles, whole and by pieces.
 *
 * A ball of 20,480 triangles, as large as somebody who walks, goes through a room of eight meters
 * with pillars and a table, along the walls and through some of them. The room's walls are two
 * triangles each; it stands along the axes, or is turned. Everything is asked for, as the ball
 * deforms (its vertices are given), or only moves. Compared are the ways to divide, and how far;
 * then approximate answers, and how often they are wrong. */
#include "experiments.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 120 };

/* ---- The room ----------------------------------------------------------------------------------
 */

/* The boxes that it is made of: middle and half of each side, in meters. The first is the room. */
static const double boxes[][6] = {
    {0, 0, 0, 4, 4, 1.5},      {2, 2, 0, 0.2, 0.2, 1.5},   {-2, 2, 0, 0.2, 0.2, 1.5},
    {2, -2, 0, 0.2, 0.2, 1.5}, {0, -3, -1, 0.8, 0.5, 0.4}, {-2, -1, 0.3, 1.2, 0.03, 1.2},
};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* With a fine ball on the table, if it is furnished: then its walls are far larger than the rest.
 */
static SceneMesh make_room(double angle, bool is_furnished)
{
    static const uint32_t walls[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5},
                                          {0, 4, 5}, {0, 5, 1}, {2, 3, 7}, {2, 7, 6},
                                          {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    SceneMesh ball = scene_icosphere(is_furnished ? 4 : 0);
    int32_t extra = is_furnished ? ball.vertex_count : 0;
    int32_t extra_triangles = is_furnished ? ball.triangle_count : 0;
    SceneMesh mesh = {NULL, NULL, 8 * BOXES + extra, 12 * BOXES + extra_triangles};
    mesh.vertices = bench_allocate(3 * (size_t)mesh.vertex_count, sizeof(float));
    mesh.triangles = bench_allocate(3 * (size_t)mesh.triangle_count, sizeof(uint32_t));
    const double axis[3] = {0.36, 0.48, 0.8};
    double rows[3][3];
    scene_rotation(axis, angle, rows);
    for (int v = 0; v < mesh.vertex_count; v++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = v < 8 * BOXES
                       ? boxes[v / 8][k] + (v >> k & 1 ? boxes[v / 8][3 + k] : -boxes[v / 8][3 + k])
                       : boxes[4][k] + 0.15 * ball.vertices[3 * (v - 8 * BOXES) + k] +
                             (k == 2 ? 0.6 : 0);
        for (int k = 0; k < 3; k++)
            mesh.vertices[3 * v + k] =
                (float)(rows[k][0] * p[0] + rows[k][1] * p[1] + rows[k][2] * p[2]);
    }
    for (int t = 0; t < mesh.triangle_count; t++)
        for (int c = 0; c < 3; c++)
            mesh.triangles[3 * t + c] = t < 12 * BOXES
                                            ? walls[t % 12][c] + 8 * (uint32_t)(t / 12)
                                            : 8 * BOXES + ball.triangles[3 * (t - 12 * BOXES) + c];
    scene_mesh_free(&ball);
    return mesh;
}

/* Where the ball is at a step: once around, near the walls, now and then in one of them. */
static PliantTransform ball_at(int step, double angle, float radius)
{
    const double axis[3] = {0.36, 0.48, 0.8}, phase = 6.283185307179586 * step / STEPS;
    double rows[3][3], turn[3][3];
    scene_rotation(axis, angle, rows);
    scene_rotation(axis, 0.3 * step, turn);
    double p[3] = {3.3 * scene_cos(phase), 3.3 * scene_sin(phase), 0.3 * scene_sin(5 * phase)},
           q[3];
    for (int k = 0; k < 3; k++)
        q[k] = rows[k][0] * p[0] + rows[k][1] * p[1] + rows[k][2] * p[2];
    PliantTransform map;
    scene_set_rows(turn, q, map.rows);
    for (int i = 0; i < 9; i++)
        map.rows[i / 3][i % 3] *= radius;
    return map;
}

/* ---- A way to divide ---------------------------------------------------------------------------
 */

typedef struct Run {
    PliantWorld *world;
    PliantShape *room, *ball;
    PliantBody bodies[2];
    const SceneMesh *sphere, *given_room; /* the latter or NULL: at rest */
    float *vertices;
    double angle;
    float radius;
    bool is_given;
    int step;
    uint32_t approximations;
    int64_t contacts;
} Run;

static Run make_run(const SceneMesh *room, const SceneMesh *sphere, PliantDivideKind kind,
                    float size)
{
    Run run = {.sphere = sphere};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){room->vertices, room->vertex_count, 0};
    def.triangles = (PliantTriangles){room->triangles, room->triangle_count};
    def.divide_kind = kind;
    def.divide_size = size;
    bench_must(pliant_shape_create(&def, &run.room));
    def = pliant_shape_def_default();
    def.vertices = (PliantVertices){sphere->vertices, sphere->vertex_count, 0};
    def.triangles = (PliantTriangles){sphere->triangles, sphere->triangle_count};
    bench_must(pliant_shape_create(&def, &run.ball));
    bench_must(pliant_world_create(NULL, &run.world));
    bench_must(pliant_body_create(run.world, run.room, &run.bodies[0]));
    bench_must(pliant_body_create(run.world, run.ball, &run.bodies[1]));
    run.vertices = bench_allocate(3 * (size_t)sphere->vertex_count, sizeof(float));
    return run;
}

static void end_run(Run *run)
{
    pliant_world_destroy(run->world);
    pliant_shape_release(run->room);
    pliant_shape_release(run->ball);
    free(run->vertices);
}

/* The next step, whose query alone is what is timed. */
static void set_step(Run *run)
{
    PliantTransform map = ball_at(run->step % STEPS, run->angle, run->radius);
    run->step++;
    if (run->given_room)
        bench_must(pliant_body_set_vertices(
            run->world, run->bodies[0],
            (PliantVertices){run->given_room->vertices, run->given_room->vertex_count, 0}));
    if (!run->is_given) {
        bench_must(pliant_body_set_transform(run->world, run->bodies[1], &map));
        return;
    }
    for (int v = 0; v < run->sphere->vertex_count; v++) {
        const float *p = run->sphere->vertices + 3 * v;
        for (int k = 0; k < 3; k++)
            run->vertices[3 * v + k] = map.rows[k][0] * p[0] + map.rows[k][1] * p[1] +
                                       map.rows[k][2] * p[2] + map.rows[k][3];
    }
    bench_must(pliant_body_set_vertices(
        run->world, run->bodies[1], (PliantVertices){run->vertices, run->sphere->vertex_count, 0}));
}

static double query(Run *run)
{
    PliantCollideDef def = bench_query(PLIANT_ALL_PAIRS);
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    experiments.approximations = run->approximations;
    PliantContacts contacts = pliant_contacts_default();
    double start = bench_seconds();
    bench_must(pliant_world_collide(run->world, &def, &contacts));
    double seconds = bench_seconds() - start;
    run->contacts += contacts.count;
    return seconds;
}

/* ---- Ways, in turns ----------------------------------------------------------------------------
 */

typedef struct Way {
    const char *name;
    PliantDivideKind kind;
    float size;
    uint32_t approximations;
} Way;

static const Way ways[] = {
    {"none", PLIANT_DIVIDE_NONE, 0, 0},
    {"quarters 1", PLIANT_DIVIDE_QUARTERS, 1, 0},
    {"quarters 1/2", PLIANT_DIVIDE_QUARTERS, 0.5f, 0},
    {"quarters 1/4", PLIANT_DIVIDE_QUARTERS, 0.25f, 0},
    {"quarters 1/8", PLIANT_DIVIDE_QUARTERS, 0.125f, 0},
    {"corners 1", PLIANT_DIVIDE_CORNERS, 1, 0},
    {"corners 1/2", PLIANT_DIVIDE_CORNERS, 0.5f, 0},
    {"corners 1/4", PLIANT_DIVIDE_CORNERS, 0.25f, 0},
    {"corners 1/8", PLIANT_DIVIDE_CORNERS, 0.125f, 0},
    {"automatic", PLIANT_DIVIDE_AUTO, 0, 0},
    {"quarters 1/4, planes", PLIANT_DIVIDE_QUARTERS, 0.25f, PLIANT_APPROXIMATE_PLANES},
    {"quarters 1/4, edges", PLIANT_DIVIDE_QUARTERS, 0.25f, PLIANT_APPROXIMATE_EDGES},
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct Sums {
    double seconds[WAYS];
    PliantStats stats[WAYS];
    int64_t contacts[WAYS];
} Sums;

static void add_stats(const Run *run, PliantStats *sum)
{
    PliantStats stats = pliant_stats_default();
    bench_must(pliant_world_stats(run->world, &stats));
    sum->bound_tests += stats.bound_tests;
    sum->plane_tests += stats.plane_tests;
    sum->leaf_pairs += stats.leaf_pairs;
    sum->triangle_tests += stats.triangle_tests;
}

/* Every way at every step in turn; of each step the median of some rounds, and the sum of those. */
static void time_ways(Run *runs, int rounds, Sums *sums)
{
    *sums = (Sums){0};
    double times[WAYS][16];
    for (int step = 0; step < STEPS; step++) {
        for (int round = 0; round < rounds; round++) {
            for (int w = 0; w < WAYS; w++) {
                runs[w].step = step;
                runs[w].contacts = 0;
                set_step(&runs[w]);
                times[w][round] = query(&runs[w]);
            }
        }
        for (int w = 0; w < WAYS; w++) {
            sums->seconds[w] += bench_median(times[w], rounds);
            sums->contacts[w] += runs[w].contacts;
            add_stats(&runs[w], &sums->stats[w]);
        }
    }
}

static void show(const char *key, const Run *runs, const Sums *sums)
{
    printf("%-22s %8s %8s %9s %9s %9s %9s %9s %9s\n", key, "pieces", "KiB", "us", "times", "bounds",
           "planes", "triangles", "contacts");
    for (int w = 0; w < WAYS; w++) {
        PliantShapeInfo info = bench_shape_info(runs[w].room);
        printf("%-22s %8" PRId32 " %8zu %9.1f %9.2f %9" PRId64 " %9" PRId64 " %9" PRId64
               " %9" PRId64 "\n",
               ways[w].name, info.piece_count, info.byte_size / 1024,
               1e6 * sums->seconds[w] / STEPS, sums->seconds[0] / sums->seconds[w],
               sums->stats[w].bound_tests / STEPS, sums->stats[w].plane_tests / STEPS,
               sums->stats[w].triangle_tests / STEPS, sums->contacts[w]);
    }
}

/* One scene of the experiment. */
typedef struct Scene {
    const char *key;
    double angle;
    float radius;
    bool is_given, is_room_given, is_furnished;
} Scene;

static void time_scene(const Scene *scene, int rounds, const SceneMesh *sphere)
{
    SceneMesh room = make_room(scene->angle, scene->is_furnished);
    Run runs[WAYS];
    Sums sums;
    for (int w = 0; w < WAYS; w++) {
        runs[w] = make_run(&room, sphere, ways[w].kind, ways[w].size);
        runs[w].angle = scene->angle;
        runs[w].radius = scene->radius;
        runs[w].is_given = scene->is_given;
        runs[w].given_room = scene->is_room_given ? &room : NULL;
        runs[w].approximations = ways[w].approximations;
    }
    time_ways(runs, rounds, &sums);
    show(scene->key, runs, &sums);
    char name[64];
    snprintf(name, sizeof name, "divide.%s.speedup", scene->key);
    bench_figure(name, sums.seconds[0] / sums.seconds[3], "x");
    for (int w = 0; w < WAYS; w++) {
        if (ways[w].approximations == 0 && sums.contacts[w] != sums.contacts[0]) {
            fprintf(stderr, "bench: %s has other contacts\n", ways[w].name);
            exit(1);
        }
        end_run(&runs[w]);
    }
    scene_mesh_free(&room);
}

static const Scene scenes[] = {
    {"axes.moved", 0, 0.8f, false, false, false},
    {"turned.moved", 0.7, 0.8f, false, false, false},
    {"turned.given", 0.7, 0.8f, true, false, false},
    {"near.given", 0.7, 0.65f, true, false, false},
    {"furnished.given", 0.7, 0.8f, true, false, true},
    {"room.given", 0.7, 0.8f, true, true, false},
};

int bench_divide(const BenchOptions *options)
{
    const int rounds = options->is_quick ? 1 : 3;
    SceneMesh sphere = scene_icosphere(5);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        time_scene(&scenes[i], rounds, &sphere);
    scene_mesh_free(&sphere);
    return 0;
}
