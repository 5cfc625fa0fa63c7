/* Winding numbers against the sum of the solid angles of all triangles, in extended precision.
 *
 * Bodies are closed solids, several that overlap, the same with holes, sheets, and single
 * triangles; as shapes, and as soups whose triangles share no vertices. Points are anywhere,
 * exactly below and above vertices and edges, next to the surface, and where the number is a half
 * to the last float. The number has to be within its error, and the side decided alike; where it is
 * not decided, the number has to be within its error of a half. What replaces far edges by chords
 * has to tell the same sides. From one point to another close to it the number has to change by no
 * more than its bound, but for integers.
 *
 * usage: test_winding [--points N] [--seed N]
 */
#include "decide/winding.h"
#include "solids.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long double pi = 3.14159265358979323846264338327950288L;

enum { POINTS = 400, OPEN_MESHES = 4 };
typedef enum PointKind { ANYWHERE, ALONG_Z, BESIDE, AT_HALF, POINT_KIND_COUNT } PointKind;
static const char *const point_names[] = {"anywhere", "along z", "beside", "at a half"};

typedef struct Totals {
    int64_t points[POINT_KIND_COUNT], undecided[POINT_KIND_COUNT], inside, open, left_out, changes,
        chained, failures;
    double worst_error;
} Totals;

/* ---- The oracle ------------------------------------------------------------------------------ */

typedef struct Vector {
    long double x, y, z;
} Vector;

static Vector vector(const float *to, const float *from)
{
    return (Vector){(long double)to[0] - from[0], (long double)to[1] - from[1],
                    (long double)to[2] - from[2]};
}

static long double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vector cross(Vector a, Vector b)
{
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* How far the point is from the plane of a triangle that its foot is near, as a part of the
 * coordinates: there the angle is a jump that the oracle cannot tell. */
static bool is_close(Vector a, Vector b, Vector c, long double numerator, long double denominator)
{
    const long double scale = sqrtl(dot(a, a) * dot(b, b) * dot(c, c));
    return denominator < 1e-9L * scale && fabsl(numerator) < 1e-9L * scale;
}

/* The winding number, and what it may be off; false: the point is too close to the surface for it.
 */
static bool sum_angles(const SceneMesh *mesh, const float point[3], long double *number,
                       long double *rounding)
{
    long double sum = 0;
    *rounding = 1e-18L * mesh->triangle_count;
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        const Vector a = vector(mesh->vertices + 3 * (size_t)t[0], point),
                     b = vector(mesh->vertices + 3 * (size_t)t[1], point),
                     c = vector(mesh->vertices + 3 * (size_t)t[2], point);
        const long double la = sqrtl(dot(a, a)), lb = sqrtl(dot(b, b)), lc = sqrtl(dot(c, c));
        const long double numerator = dot(a, cross(b, c)),
                          denominator =
                              la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        if (is_close(a, b, c, numerator, denominator))
            return false;
        sum += 2 * atan2l(numerator, denominator);
        *rounding += 1e-18L * la * lb * lc / (fabsl(numerator) + fabsl(denominator));
    }
    *number = sum / (4 * pi);
    return true;
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* Some overlapping solids, one of them often inside out. */
static SceneMesh random_mesh(SceneRandom *random)
{
    SceneMesh mesh = solid_random((SolidKind)scene_random_below(random, SOLID_KIND_COUNT), random);
    for (uint32_t more = scene_random_below(random, 4); more > 1; more--) {
        SceneMesh other =
            solid_random((SolidKind)scene_random_below(random, SOLID_KIND_COUNT), random);
        const double place[3] = {scene_random(random), scene_random(random), scene_random(random)};
        solid_place(&other, 1, place);
        SceneMesh both = solid_join(&mesh, &other);
        scene_mesh_free(&mesh);
        scene_mesh_free(&other);
        mesh = both;
    }
    return mesh;
}

/* Removes some triangles, or all but a few that are side by side. Then one may be there three
 * times.
 */
static void open_mesh(SceneMesh *mesh, SceneRandom *random)
{
    const int32_t count = mesh->triangle_count,
                  removed = 1 + (int32_t)scene_random_below(random, 9);
    if (scene_random_below(random, 4) == 0 && count > 4)
        mesh->triangle_count = 1 + (int32_t)scene_random_below(random, (uint32_t)(count / 2));
    for (int32_t i = 0; i < removed && mesh->triangle_count > 1; i++) {
        const uint32_t at = scene_random_below(random, (uint32_t)mesh->triangle_count);
        mesh->triangle_count--;
        memcpy(mesh->triangles + 3 * (size_t)at, mesh->triangles + 3 * (size_t)mesh->triangle_count,
               3 * sizeof(uint32_t));
    }
    for (int i = 0; i < 2 && removed % 4 == 2; i++)
        memcpy(mesh->triangles + 3 * (size_t)mesh->triangle_count++, mesh->triangles,
               3 * sizeof(uint32_t));
}

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "test_winding: %s\n", pliant_result_text(result));
    exit(1);
}

/* As a shape, of which triangles may be divided. */
static PliantBody add_shape(PliantWorld *world, const SceneMesh *mesh, bool is_divided)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    def.divide_kind = is_divided ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_NONE;
    def.divide_size = 0.5f;
    PliantShape *shape;
    PliantBody body;
    must(pliant_shape_create(&def, &shape));
    must(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

/* As a soup of triangles. */
static PliantBody add_soup(PliantWorld *world, const SceneMesh *mesh)
{
    PliantBody body;
    float *corners = scene_allocate(9 * (size_t)mesh->triangle_count, sizeof *corners);
    scene_corners(mesh, mesh->vertices, corners);
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){corners, 3 * mesh->triangle_count, 0};
    primitives.count = mesh->triangle_count;
    must(pliant_body_create_soup(world, NULL, &body));
    must(pliant_body_set_primitives(world, body, &primitives));
    free(corners);
    return body;
}

/* ---- Points ---------------------------------------------------------------------------------- */

static const float *random_vertex(const SceneMesh *mesh, SceneRandom *random)
{
    const uint32_t *t =
        mesh->triangles + 3 * (size_t)scene_random_below(random, (uint32_t)mesh->triangle_count);
    return mesh->vertices + 3 * (size_t)t[scene_random_below(random, 3)];
}

static void random_place(SceneRandom *random, float point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = (float)(3 * scene_random(random) - 1.5);
}

/* Exactly below or above a vertex, the middle of an edge, or in line with a vertex along y. */
static void along_z(const SceneMesh *mesh, SceneRandom *random, float point[3])
{
    const float *p = random_vertex(mesh, random), *q = random_vertex(mesh, random);
    random_place(random, point);
    const uint32_t which = scene_random_below(random, 3);
    if (which < 2)
        for (int k = 0; k < 2; k++)
            point[k] = which == 0 ? p[k] : (float)(((double)p[k] + q[k]) / 2);
    else
        point[1] = p[1];
}

static void beside(const SceneMesh *mesh, SceneRandom *random, float point[3])
{
    const uint32_t *t =
        mesh->triangles + 3 * (size_t)scene_random_below(random, (uint32_t)mesh->triangle_count);
    double weights[3] = {scene_random(random), scene_random(random), scene_random(random)};
    const double sum = weights[0] + weights[1] + weights[2];
    const double far = scene_random_below(random, 2) ? 1e-6 : 1e-3;
    for (int k = 0; k < 3; k++) {
        double at = far * (scene_random(random) - 0.5);
        for (int i = 0; i < 3; i++)
            at += weights[i] / sum * mesh->vertices[3 * (size_t)t[i] + (size_t)k];
        point[k] = (float)at;
    }
}

/* Between a point that is inside and one that is not, by halving, until floats end. */
static bool at_half(const SceneMesh *mesh, SceneRandom *random, float point[3])
{
    float ends[2][3];
    long double number, rounding;
    random_place(random, ends[0]);
    beside(mesh, random, ends[1]);
    if (!sum_angles(mesh, ends[0], &number, &rounding) || fabsl(number) >= 0.5L ||
        !sum_angles(mesh, ends[1], &number, &rounding) || fabsl(number) < 0.5L)
        return false;
    for (int step = 0; step < 30; step++) {
        for (int k = 0; k < 3; k++)
            point[k] = (float)(((double)ends[0][k] + ends[1][k]) / 2);
        if (!sum_angles(mesh, point, &number, &rounding))
            return false;
        memcpy(ends[fabsl(number) >= 0.5L], point, sizeof ends[0]);
    }
    return true;
}

static void fill(const SceneMesh *mesh, SceneRandom *random, float (*points)[3], PointKind *kinds)
{
    for (int i = 0; i < POINTS; i++) {
        kinds[i] = (PointKind)(i % 64 == 0 ? AT_HALF : i % 3);
        if (kinds[i] == AT_HALF && !at_half(mesh, random, points[i]))
            kinds[i] = ANYWHERE;
        if (kinds[i] == ANYWHERE)
            random_place(random, points[i]);
        else if (kinds[i] == ALONG_Z)
            along_z(mesh, random, points[i]);
        else if (kinds[i] == BESIDE)
            beside(mesh, random, points[i]);
    }
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* How far a number is from the next half: 1/2, -1/2, 3/2, ... */
static long double from_half(long double number)
{
    return fabsl(fabsl(number - floorl(number)) - 0.5L);
}

static void compare(const SceneMesh *mesh, const float point[3], PointKind kind,
                    const PliantWindingNumber *found, Totals *totals)
{
    long double truth, rounding;
    if (!sum_angles(mesh, point, &truth, &rounding)) {
        totals->left_out++;
        return;
    }
    const bool is_undecided = found->flags & PLIANT_WINDING_UNDECIDED;
    bool is_right = fabsl(found->number - truth) <= found->error + rounding &&
                    isfinite(found->error); /* the point is on no edge */
    if (is_undecided)
        is_right &= from_half(truth) <= 4 * (long double)found->error + rounding;
    else if (fabsl(fabsl(truth) - 0.5L) > rounding)
        is_right &= found->is_inside == (fabsl(truth) >= 0.5L);
    totals->points[kind]++;
    totals->undecided[kind] += is_undecided;
    totals->inside += found->is_inside;
    totals->open += found->error > 0;
    if (!is_undecided)
        totals->worst_error = fmax(totals->worst_error, found->error);
    if (is_right)
        return;
    totals->failures++;
    printf("%s: at %a %a %a the number is %.17g, error %g, inside %d, flags %d, but %.20Lg\n",
           point_names[kind], (double)point[0], (double)point[1], (double)point[2], found->number,
           found->error, found->is_inside, found->flags, truth);
}

/* The side by chords is that by all edges, also where it is not decided. */
static void compare_sides(PliantWorld *world, float (*points)[3],
                          const PliantWindingNumbers *numbers, Totals *totals)
{
    PliPosedBoundary *boundary = &world->boundaries[0];
    must(pli_posed_boundary_chain(boundary, &world->host));
    totals->chained += boundary->runs.count > 0;
    for (int i = 0; i < POINTS; i++) {
        bool is_inside;
        must(pli_point_search_is_inside(&world->first.points, boundary, points[i], &is_inside));
        if (is_inside == (numbers->items[i].is_inside != 0))
            continue;
        totals->failures++;
        printf("at %a %a %a with chords inside is %d\n", (double)points[i][0], (double)points[i][1],
               (double)points[i][2], is_inside);
    }
}

/* ---- How it changes -------------------------------------------------------------------------- */

/* The edges that more triangles have in the one direction than in the other, each so often. */
static PliPosedBoundary boundary_of(const SceneMesh *mesh)
{
    const int32_t side_count = 3 * mesh->triangle_count;
    PliPosedBoundary boundary = {0};
    float(*points)[3] = scene_allocate(2 * (size_t)side_count, sizeof *points);
    int32_t(*edges)[2] = scene_allocate((size_t)side_count, sizeof *edges), count = 0;
    for (int32_t i = 0; i < side_count; i++) {
        const uint32_t a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        int32_t excess = 0, first = -1;
        for (int32_t j = 0; j < side_count; j++) {
            const uint32_t c = mesh->triangles[j], d = mesh->triangles[j % 3 == 2 ? j - 2 : j + 1];
            excess += (a == c && b == d) - (a == d && b == c);
            first = first < 0 && a == c && b == d ? j : first;
        }
        for (; excess > 0 && first == i; excess--, count++)
            for (int end = 0; end < 2; end++) {
                edges[count][end] = 2 * count + end;
                memcpy(points[2 * count + end], mesh->vertices + 3 * (end ? b : a), sizeof *points);
            }
    }
    boundary.points.items = points;
    boundary.edges.items = edges;
    boundary.points.count = 2 * (int64_t)count;
    boundary.edges.count = count;
    return boundary;
}

/* From one point to another, the number changes by no more than the bound, but for integers. */
static void check_changes(const SceneMesh *mesh, SceneRandom *random, Totals *totals)
{
    enum { CHANGES = 32 };
    PliPosedBoundary boundary = boundary_of(mesh);
    for (int i = 0; i < CHANGES; i++) {
        float points[2][3];
        long double numbers[2], rounding[2];
        double square = 0;
        const double step = 0.5 * scene_random(random) * scene_random(random);
        random_place(random, points[0]);
        for (int k = 0; k < 3; k++) {
            points[1][k] = points[0][k] + (float)(step * (2 * scene_random(random) - 1));
            square += ((double)points[1][k] - points[0][k]) * ((double)points[1][k] - points[0][k]);
        }
        double most;
        must(pli_posed_boundary_change(&boundary, NULL, points[0], sqrt(square), &most));
        if (!(most < 0.5) || !sum_angles(mesh, points[0], &numbers[0], &rounding[0]) ||
            !sum_angles(mesh, points[1], &numbers[1], &rounding[1]))
            continue;
        const long double change = numbers[1] - numbers[0], rest = change - roundl(change);
        totals->changes++;
        if (fabsl(rest) <= (long double)most + rounding[0] + rounding[1])
            continue;
        totals->failures++;
        printf("within %g of %a %a %a the number changes by %.9Lg, not at most %.9g\n",
               sqrt(square), (double)points[0][0], (double)points[0][1], (double)points[0][2], rest,
               most);
    }
    free(boundary.points.items);
    free(boundary.edges.items);
}

static void play(SceneRandom *random, Totals *totals)
{
    SceneMesh mesh = random_mesh(random);
    const bool is_open = scene_random_below(random, 3) > 0;
    float points[POINTS][3];
    PointKind kinds[POINTS];
    PliantWorld *world;
    if (is_open)
        open_mesh(&mesh, random);
    must(pliant_world_create(NULL, &world));
    const uint32_t kind = scene_random_below(random, 4);
    const PliantBody body = kind == 0 ? add_soup(world, &mesh) : add_shape(world, &mesh, kind == 1);
    PliantWindingNumbers numbers = pliant_winding_numbers_default();
    fill(&mesh, random, points, kinds);
    must(pliant_body_winding_numbers(world, body, (PliantVertices){points[0], POINTS, 0}, NULL,
                                     &numbers));
    for (int i = 0; i < POINTS; i++)
        compare(&mesh, points[i], kinds[i], &numbers.items[i], totals);
    compare_sides(world, points, &numbers, totals);
    if (mesh.triangle_count < 100)
        check_changes(&mesh, random, totals);
    pliant_world_destroy(world);
    scene_mesh_free(&mesh);
}

static int64_t option(int argc, char **argv, const char *name, int64_t otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return strtoll(argv[i + 1], NULL, 10);
    return otherwise;
}

int main(int argc, char **argv)
{
    const int64_t count = option(argc, argv, "--points", 100000);
    SceneRandom random = {(uint64_t)option(argc, argv, "--seed", 1)};
    Totals totals = {0};
    for (int64_t played = 0; played < count; played += POINTS)
        play(&random, &totals);
    int64_t undecided = totals.undecided[ANYWHERE];
    for (int kind = 0; kind < POINT_KIND_COUNT; kind++)
        printf("%-10s %10" PRId64 " points, %" PRId64 " undecided\n", point_names[kind],
               totals.points[kind], totals.undecided[kind]);
    printf("%" PRId64 " inside, %" PRId64 " with an open surface, %" PRId64
           " on the surface and left out; greatest error %.2g; %" PRId64 " changes; %" PRId64
           " bodies with chords; %" PRId64 " failures\n",
           totals.inside, totals.open, totals.left_out, totals.worst_error, totals.changes,
           totals.chained, totals.failures);
    if (undecided > totals.points[ANYWHERE] / 100000) {
        printf("too many random points are undecided\n");
        return 1;
    }
    for (int kind = 0; kind < POINT_KIND_COUNT; kind++)
        if (totals.points[kind] == 0) {
            printf("no point was %s\n", point_names[kind]);
            return 1;
        }
    return totals.failures > 0;
}
