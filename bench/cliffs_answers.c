/* pliant-bench cliffs, second part: queries whose cost has to follow the answer.
 *
 * Each is played once, with the first query of a new world. Where one pair is returned, the figure
 * is the time of the query; otherwise it is the time for each pair that is returned.
 *
 * - walls: two walls of two triangles each, 8,192 pieces a wall: near, and sweeps;
 * - segments: two triangles without area, divided: their distance;
 * - copies: equal triangles, on both sides: the distance, and the earliest impact;
 * - points: triangles at one point: the distance;
 * - umbrellas: triangles around one vertex: the earliest impact;
 * - sheets: two in one plane that slide, touching from the start: the earliest impact. */
#include "experiments.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Shapes -----------------------------------------------------------------------------------
 */

/* Vertices and triangles that are being made. */
typedef struct Mesh {
    float *vertices;
    uint32_t *triangles;
    int32_t vertex_count, triangle_count;
} Mesh;

static Mesh start_mesh(int64_t vertex_count, int64_t triangle_count)
{
    return (Mesh){bench_allocate(3 * (size_t)vertex_count, sizeof(float)),
                  bench_allocate(3 * (size_t)triangle_count, sizeof(uint32_t)), 0, 0};
}

static void add_vertex(Mesh *mesh, double x, double y, double z)
{
    float *p = mesh->vertices + 3 * (size_t)mesh->vertex_count++;
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
}

static void add_triangle(Mesh *mesh, int32_t a, int32_t b, int32_t c)
{
    uint32_t *corners = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    corners[0] = (uint32_t)a;
    corners[1] = (uint32_t)b;
    corners[2] = (uint32_t)c;
}

/* Makes a shape of a mesh, which is released. Triangles are divided down to a size, if it is above
 * 0. */
static PliantShape *make_shape(Mesh *mesh, float size)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    def.divide_kind = size > 0 ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_NONE;
    def.divide_size = size;
    bench_must(pliant_shape_create(&def, &shape));
    free(mesh->vertices);
    free(mesh->triangles);
    return shape;
}

/* A wall of two triangles; each has 4,096 pieces. */
static PliantShape *make_wall(double height)
{
    Mesh mesh = start_mesh(4, 2);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
            add_vertex(&mesh, x, y, height);
    add_triangle(&mesh, 0, 1, 2);
    add_triangle(&mesh, 1, 3, 2);
    return make_shape(&mesh, 1.42f / 64);
}

/* A triangle whose corners are on one line, of 4,096 pieces. */
static PliantShape *make_segment(double height)
{
    Mesh mesh = start_mesh(3, 1);
    for (int i = 0; i < 3; i++)
        add_vertex(&mesh, i, 0.5 * i, 0.25 * i + height);
    add_triangle(&mesh, 0, 1, 2);
    return make_shape(&mesh, 2.3f / 64);
}

/* So many equal triangles, of area, or at one point. */
static PliantShape *make_copies(int32_t count, double size, double height)
{
    Mesh mesh = start_mesh(3 * (int64_t)count, count);
    for (int32_t i = 0; i < count; i++) {
        add_vertex(&mesh, 0, 0, height);
        add_vertex(&mesh, size, 0.125 * size, height);
        add_vertex(&mesh, 0.125 * size, size, height + 0.25 * size);
        add_triangle(&mesh, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return make_shape(&mesh, 0);
}

/* Triangles around a vertex, which is the lowest point, or the highest. */
static PliantShape *make_umbrella(int32_t count, double slope, double height)
{
    Mesh mesh = start_mesh((int64_t)count + 1, count);
    add_vertex(&mesh, 0, 0, height);
    for (int32_t i = 0; i < count; i++) {
        const double angle = 6.28318530717958 * i / count;
        add_vertex(&mesh, scene_cos(angle), scene_sin(angle), height + slope);
        add_triangle(&mesh, 0, i + 1, (i + 1) % count + 1);
    }
    return make_shape(&mesh, 0);
}

/* A flat sheet of 2 x side x side triangles. */
static PliantShape *make_sheet(int32_t side, double x)
{
    Mesh mesh = start_mesh(((int64_t)side + 1) * (side + 1), 2 * (int64_t)side * side);
    for (int32_t row = 0; row <= side; row++)
        for (int32_t column = 0; column <= side; column++)
            add_vertex(&mesh, x + (double)column / side, (double)row / side, 0);
    for (int32_t i = 0; i < side * side; i++) {
        const int32_t a = i / side * (side + 1) + i % side, c = a + side + 1;
        add_triangle(&mesh, a, a + 1, c);
        add_triangle(&mesh, a + 1, c + 1, c);
    }
    return make_shape(&mesh, 0);
}

/* ---- Queries ----------------------------------------------------------------------------------
 */

/* Two bodies, of which the second moves to its end. */
typedef struct Stage {
    PliantWorld *world;
    PliantBody bodies[2];
} Stage;

static Stage make_stage(PliantShape *a, PliantShape *b)
{
    Stage stage;
    PliantShape *shapes[2] = {a, b};
    bench_must(pliant_world_create(NULL, &stage.world));
    for (int i = 0; i < 2; i++) {
        bench_must(pliant_body_create(stage.world, shapes[i], &stage.bodies[i]));
        pliant_shape_release(shapes[i]);
    }
    return stage;
}

/* What is asked, of two bodies. Each returns the seconds, and how many pairs there are. */
typedef double Ask(const Stage *stage, const float *argument, int64_t *count);

static double ask_distance(const Stage *stage, const float *argument, int64_t *count)
{
    PliantDistance distance = pliant_distance_default();
    const double start = bench_seconds();
    (void)argument;
    bench_must(
        pliant_bodies_distance(stage->world, stage->bodies[0], stage->bodies[1], NULL, &distance));
    *count = distance.is_found;
    return bench_seconds() - start;
}

static double ask_near(const Stage *stage, const float *argument, int64_t *count)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    def.distance = argument[0];
    const double start = bench_seconds();
    bench_must(pliant_bodies_near(stage->world, stage->bodies[0], stage->bodies[1], &def, &pairs));
    *count = pairs.count;
    return bench_seconds() - start;
}

/* The argument is how the second body moves. */
static double ask_sweep(const Stage *stage, const float *argument, PliantSweepKind kind,
                        int64_t *count)
{
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    PliantTransform transform = pliant_transform_identity();
    PliantBody end;
    for (int k = 0; k < 3; k++)
        transform.rows[k][3] = argument[k];
    bench_must(pliant_body_create_end(stage->world, stage->bodies[1], &end));
    bench_must(pliant_body_set_transform(stage->world, end, &transform));
    def.kind = kind;
    const double start = bench_seconds();
    bench_must(
        pliant_bodies_sweep(stage->world, stage->bodies[0], stage->bodies[1], &def, &impacts));
    *count = impacts.count;
    return bench_seconds() - start;
}

static double ask_earliest(const Stage *stage, const float *argument, int64_t *count)
{
    return ask_sweep(stage, argument, PLIANT_EARLIEST, count);
}

static double ask_first(const Stage *stage, const float *argument, int64_t *count)
{
    return ask_sweep(stage, argument, PLIANT_FIRST_IMPACTS, count);
}

static double ask_all(const Stage *stage, const float *argument, int64_t *count)
{
    return ask_sweep(stage, argument, PLIANT_ALL_IMPACTS, count);
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static Stage make_walls(void)
{
    return make_stage(make_wall(0), make_wall(0.0625));
}

static Stage make_segments(void)
{
    return make_stage(make_segment(0), make_segment(0.5));
}

static Stage make_far_copies(void)
{
    return make_stage(make_copies(2000, 1, 0), make_copies(2000, 1, 0.5));
}

static Stage make_points(void)
{
    return make_stage(make_copies(20000, 0, 0), make_copies(20000, 0, 0.7));
}

static Stage make_umbrellas(void)
{
    return make_stage(make_umbrella(10000, -0.5, 0), make_umbrella(10000, 0.5, 0.5));
}

static Stage make_sheets(void)
{
    return make_stage(make_sheet(100, 0), make_sheet(100, 0.005));
}

static const struct {
    const char *name;
    Stage (*make)(void);
    Ask *ask;
    float argument[3];
    bool is_one; /* one pair is returned at most */
} cases[] = {{"walls.near", make_walls, ask_near, {0.125f}, false},
             {"walls.distance", make_walls, ask_distance, {0}, true},
             {"walls.sweep", make_walls, ask_all, {0.01f, 0.02f, -0.125f}, false},
             {"walls.earliest", make_walls, ask_earliest, {0.01f, 0.02f, -0.125f}, true},
             {"segments.distance", make_segments, ask_distance, {0}, true},
             {"copies.distance", make_far_copies, ask_distance, {0}, true},
             {"copies.earliest", make_far_copies, ask_earliest, {0, 0, -1}, true},
             {"copies.first", make_far_copies, ask_first, {0, 0, -1}, true},
             {"points.distance", make_points, ask_distance, {0}, true},
             {"umbrellas.distance", make_umbrellas, ask_distance, {0}, true},
             {"umbrellas.earliest", make_umbrellas, ask_earliest, {0, 0, -1}, true},
             {"sheets.earliest", make_sheets, ask_earliest, {0.05f, 0.02f, 0}, true}};

static void play(const char *name, const Stage *stage, Ask *ask, const float *argument, bool is_one)
{
    char key[64];
    int64_t count;
    const double time = ask(stage, argument, &count);
    printf("%s: %.3f ms, %" PRId64 " pairs\n", name, 1e3 * time, count);
    snprintf(key, sizeof key, "cliffs.%s", name);
    if (is_one)
        bench_figure(key, 1e3 * time, "ms");
    else
        bench_figure(key, 1e6 * time / (double)(count > 0 ? count : 1), "us");
    fflush(stdout);
}

void bench_cliffs_answers(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Stage stage = cases[i].make();
        play(cases[i].name, &stage, cases[i].ask, cases[i].argument, cases[i].is_one);
        pliant_world_destroy(stage.world);
    }
}
