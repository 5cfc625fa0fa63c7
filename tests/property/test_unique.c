/* Pairs of closest features against a set made from all pairs of features, with integers.
 *
 * usage: test_unique [--scenes N] [--seed S] [--workers W]
 *
 * Coordinates are integers times a power of two, so that squared distances are quotients of two
 * integers of less than 128 bits. Each pair of a vertex and a triangle, and of two edges, is
 * compared, its closest features are found by the rules of PliantNearDef.is_unique, and equal ones
 * are counted. Nothing is shared with the library. Coarse scenes have few places for vertices, so
 * that edges are parallel, triangles have no area and vertices coincide; fine ones have many.
 */
#include "scenes.h"
#include "workers.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BODIES = 3, MAX_VERTICES = 12, MAX_TRIANGLES = 14, MAX_EDGES = 3 * MAX_TRIANGLES };
enum { MAX_EXPECTED = 1 << 17 };

__extension__ typedef __int128 Wide;

typedef struct Mesh {
    int64_t points[MAX_VERTICES][3]; /* in units */
    float vertices[MAX_VERTICES][3];
    uint32_t triangles[MAX_TRIANGLES][3];
    uint32_t edges[MAX_EDGES][2]; /* by vertices, the lower one first */
    bool is_used[MAX_VERTICES];
    int vertex_count, triangle_count, edge_count;
    PliantBody name;
} Mesh;

typedef struct Scene {
    SceneRandom random;
    Mesh meshes[MAX_BODIES];
    int mesh_count;
    int64_t half_units; /* twice the distance, in units */
    float unit;
    PliantWorld *world;
} Scene;

static TestWorkers workers;
static int64_t difference_count, pair_counts[PLIANT_EDGE_VERTEX + 1], merged_count;

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("%s\n", pliant_result_name(result));
    exit(1);
}

/* ---- Scenes ------------------------------------------------------------------------------------
 */

static int64_t below(Scene *scene, int64_t count)
{
    return scene_random_below(&scene->random, (uint32_t)count);
}

static int by_vertices(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : (a[1] > b[1]) - (a[1] < b[1]);
}

static void list_edges(Mesh *mesh)
{
    int count = 0;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t v = mesh->triangles[t][k], w = mesh->triangles[t][(k + 1) % 3];
            mesh->is_used[v] = true;
            mesh->edges[count][0] = v < w ? v : w;
            mesh->edges[count++][1] = v < w ? w : v;
        }
    qsort(mesh->edges, (size_t)count, sizeof mesh->edges[0], by_vertices);
    for (int i = 0; i < count; i++)
        if (i == 0 || by_vertices(mesh->edges[i], mesh->edges[i - 1]) != 0)
            memmove(mesh->edges[mesh->edge_count++], mesh->edges[i], sizeof mesh->edges[0]);
}

/* Triangles of three vertices that differ; half of them share an edge with the one before. */
static void make_mesh(Scene *scene, Mesh *mesh, int64_t size)
{
    mesh->vertex_count = 3 + (int)below(scene, MAX_VERTICES - 3);
    mesh->triangle_count = 1 + (int)below(scene, MAX_TRIANGLES);
    for (int v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            mesh->points[v][k] = below(scene, 2 * size + 1) - size;
            mesh->vertices[v][k] = (float)mesh->points[v][k] * scene->unit;
        }
    for (int t = 0; t < mesh->triangle_count; t++) {
        uint32_t *corners = mesh->triangles[t];
        const bool is_next = t > 0 && below(scene, 2) == 0;
        if (is_next)
            memcpy(corners, mesh->triangles[t - 1], sizeof mesh->triangles[t]);
        do {
            for (int k = is_next ? 2 : 0; k < 3; k++)
                corners[k] = (uint32_t)below(scene, mesh->vertex_count);
        } while (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]);
        if (below(scene, 2) == 0) {
            const uint32_t first = corners[0];
            corners[0] = corners[1];
            corners[1] = first;
        }
    }
    list_edges(mesh);
}

static void add_body(Scene *scene, Mesh *mesh)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    def.vertices = (PliantVertices){mesh->vertices[0], mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles[0], mesh->triangle_count};
    must(pliant_shape_create(&def, &shape));
    must(pliant_body_create(scene->world, shape, &mesh->name));
    pliant_shape_release(shape);
}

static void open_scene(Scene *scene, uint64_t seed)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantHost host = pliant_host_default();
    *scene = (Scene){.random = {seed}};
    if (workers.count > 0) {
        test_workers_attach(&workers, &host);
        def.host = &host;
    }
    def.cpu_mask = (1u << below(scene, 4)) - 1;
    must(pliant_world_create(&def, &scene->world));
    if (workers.count > 0)
        test_workers_divide_everything(scene->world);
    const int64_t size = below(scene, 2) == 0 ? 1 + below(scene, 3) : 100 + below(scene, 400);
    scene->unit = ldexpf(1, (int)below(scene, 60) - 30);
    scene->mesh_count = 1 + (int)below(scene, MAX_BODIES);
    scene->half_units = below(scene, 2 * size + 1);
    for (int i = 0; i < scene->mesh_count; i++) {
        make_mesh(scene, &scene->meshes[i], size);
        add_body(scene, &scene->meshes[i]);
    }
}

/* ---- Squared distances -------------------------------------------------------------------------
 */

typedef struct Vector {
    int64_t x[3];
} Vector;

/* A squared distance, and which of the four vertices it is between. */
typedef struct Gap {
    Wide above, below;
    int region;
} Gap;

static Vector between(const int64_t *p, const int64_t *q)
{
    return (Vector){{p[0] - q[0], p[1] - q[1], p[2] - q[2]}};
}

static Wide dot(Vector a, Vector b)
{
    return (Wide)a.x[0] * b.x[0] + (Wide)a.x[1] * b.x[1] + (Wide)a.x[2] * b.x[2];
}

static Vector cross(Vector a, Vector b)
{
    return (Vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static void take_less(Gap *least, Gap gap)
{
    if (least->region == 0 || gap.above * least->below < least->above * gap.below)
        *least = gap;
}

/* A point and a segment, of which these are the bits. */
static Gap segment_gap(const int64_t *p, int bit, const int64_t *const ends[2], const int bits[2])
{
    const Vector e = between(ends[1], ends[0]), x = between(p, ends[0]), y = between(p, ends[1]);
    const Wide along = dot(x, e), length = dot(e, e);
    if (along <= 0)
        return (Gap){dot(x, x), 1, bit | bits[0]};
    if (along >= length)
        return (Gap){dot(y, y), 1, bit | bits[1]};
    const Vector n = cross(x, e);
    return (Gap){dot(n, n), length, bit | bits[0] | bits[1]};
}

/* Point 0 and the triangle of the others: corners first, then edges, then the inside. */
static Gap triangle_gap(const int64_t *const p[4])
{
    Gap least = {0};
    for (int k = 1; k < 4; k++) {
        const Vector x = between(p[0], p[k]);
        take_less(&least, (Gap){dot(x, x), 1, 1 | 1 << k});
    }
    for (int k = 1; k < 4; k++) {
        const int next = k % 3 + 1, bits[2] = {1 << k, 1 << next};
        const int64_t *const ends[2] = {p[k], p[next]};
        take_less(&least, segment_gap(p[0], 1, ends, bits));
    }
    const Vector n = cross(between(p[2], p[1]), between(p[3], p[1]));
    bool is_inside = dot(n, n) > 0;
    for (int k = 1; k < 4; k++)
        is_inside &= dot(cross(between(p[k % 3 + 1], p[k]), between(p[0], p[k])), n) > 0;
    if (!is_inside)
        return least;
    const Wide height = dot(between(p[0], p[1]), n);
    return (Gap){height * height, dot(n, n), 15};
}

/* Edges of points 0, 1 and of 2, 3. */
static Gap edges_gap(const int64_t *const p[4])
{
    const Vector e = between(p[1], p[0]), f = between(p[3], p[2]), w = between(p[0], p[2]),
                 n = cross(e, f);
    const Wide whole = dot(n, n), s = dot(cross(f, w), n), t = dot(cross(e, w), n);
    if (s > 0 && s < whole && t > 0 && t < whole) {
        const Wide height = dot(w, n);
        return (Gap){height * height, whole, 15};
    }
    for (int i = 0; i < 2; i++)
        for (int k = 2; k < 4; k++)
            if (memcmp(p[i], p[k], 3 * sizeof *p[i]) == 0)
                return (Gap){0, 1, 1 << i | 1 << k};
    Gap least = {0};
    for (int i = 0; i < 4; i++) {
        const int other = i < 2 ? 2 : 0, bits[2] = {1 << other, 2 << other};
        const int64_t *const ends[2] = {p[other], p[other + 1]};
        take_less(&least, segment_gap(p[i], 1 << i, ends, bits));
    }
    return least;
}

/* ---- What is expected --------------------------------------------------------------------------
 */

typedef struct Expected {
    int a, b; /* meshes */
    PliantFeatures kind;
    int32_t features[2];
    uint32_t vertices[4], count;
    double distance; /* in units, within a few 2^-53 of it */
} Expected;

static Expected *expected;
static int64_t expected_count;

static int32_t edge_of(const Mesh *mesh, uint32_t v, uint32_t w)
{
    for (int i = 0; i < mesh->edge_count; i++)
        if (mesh->edges[i][0] == (v < w ? v : w) && mesh->edges[i][1] == (v < w ? w : v))
            return i;
    exit(1);
}

/* One side of a pair: vertices that the closest point needs; all three are a triangle's. */
static int part_of(const Mesh *mesh, const uint32_t *vertices, int count, int bits,
                   int32_t triangle, uint32_t part[3], int32_t *feature)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (bits >> i & 1)
            part[kept++] = vertices[i];
    if (kept == 2 && part[0] > part[1]) {
        const uint32_t first = part[0];
        part[0] = part[1];
        part[1] = first;
    }
    *feature = kept == 1   ? (int32_t)part[0]
               : kept == 2 ? edge_of(mesh, part[0], part[1])
                           : triangle;
    return kept;
}

/* Adds the closest features of a pair: a vertex and a triangle, or two edges. `is_swapped`: the
 * first one is of the second body. */
static void expect(const Scene *scene, int a, int b, const uint32_t vertices[4], int first_count,
                   int32_t triangle, bool is_swapped)
{
    const Mesh *mesh_a = &scene->meshes[a], *mesh_b = &scene->meshes[b],
               *meshes[2] = {is_swapped ? mesh_b : mesh_a, is_swapped ? mesh_a : mesh_b};
    const int64_t *points[4];
    uint32_t parts[2][3];
    int counts[2];
    int32_t features[2];
    for (int i = 0; i < 4; i++)
        points[i] = meshes[i >= first_count]->points[vertices[i]];
    const Gap gap = first_count == 1 ? triangle_gap(points) : edges_gap(points);
    if (4 * gap.above > (Wide)scene->half_units * scene->half_units * gap.below)
        return;
    counts[0] =
        part_of(meshes[0], vertices, first_count, gap.region, triangle, parts[0], &features[0]);
    counts[1] = part_of(meshes[1], vertices + first_count, 4 - first_count,
                        gap.region >> first_count, triangle, parts[1], &features[1]);
    int first = is_swapped;
    if (a == b &&
        (counts[0] > counts[1] || (counts[0] == 1 && counts[1] == 1 && features[0] > features[1])))
        first = 1;
    static const PliantFeatures kinds[3][3] = {
        {PLIANT_VERTEX_VERTEX, PLIANT_VERTEX_EDGE, PLIANT_VERTEX_TRIANGLE},
        {PLIANT_EDGE_VERTEX, PLIANT_EDGE_EDGE, PLIANT_EDGE_EDGE},
        {PLIANT_TRIANGLE_VERTEX, PLIANT_EDGE_EDGE, PLIANT_EDGE_EDGE}};
    if (expected_count == MAX_EXPECTED)
        exit(1);
    Expected *pair = &expected[expected_count++];
    *pair = (Expected){.a = a,
                       .b = b,
                       .kind = kinds[counts[first] - 1][counts[!first] - 1],
                       .features = {features[first], features[!first]},
                       .count = 1,
                       .distance = sqrt((double)gap.above / (double)gap.below)};
    for (int i = 0; i < 4; i++)
        pair->vertices[i] = i < counts[first]           ? parts[first][i]
                            : i < counts[0] + counts[1] ? parts[!first][i - counts[first]]
                                                        : PLIANT_NO_VERTEX;
}

static void expect_vertices(const Scene *scene, int a, int b, bool is_swapped)
{
    const Mesh *x = &scene->meshes[is_swapped ? b : a], *y = &scene->meshes[is_swapped ? a : b];
    for (int v = 0; v < x->vertex_count; v++)
        for (int t = 0; t < y->triangle_count && x->is_used[v]; t++) {
            const uint32_t *corners = y->triangles[t],
                           vertices[4] = {(uint32_t)v, corners[0], corners[1], corners[2]};
            const bool is_own = vertices[1] == vertices[0] || vertices[2] == vertices[0] ||
                                vertices[3] == vertices[0];
            if (a != b || !is_own)
                expect(scene, a, b, vertices, 1, t, is_swapped);
        }
}

static void expect_edges(const Scene *scene, int a, int b)
{
    const Mesh *x = &scene->meshes[a], *y = &scene->meshes[b];
    for (int i = 0; i < x->edge_count; i++)
        for (int k = a == b ? i + 1 : 0; k < y->edge_count; k++) {
            const uint32_t vertices[4] = {x->edges[i][0], x->edges[i][1], y->edges[k][0],
                                          y->edges[k][1]};
            const bool have_common = vertices[0] == vertices[2] || vertices[0] == vertices[3] ||
                                     vertices[1] == vertices[2] || vertices[1] == vertices[3];
            if (a != b || !have_common)
                expect(scene, a, b, vertices, 2, -1, false);
        }
}

static int compare_numbers(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

static int by_order(const void *x, const void *y)
{
    const Expected *p = x, *q = y;
    const int is_swapped = p->kind == PLIANT_TRIANGLE_VERTEX || p->kind == PLIANT_EDGE_VERTEX;
    const int orders[] = {compare_numbers(p->a, q->a), compare_numbers(p->b, q->b),
                          compare_numbers((int)p->kind, (int)q->kind),
                          compare_numbers(p->features[is_swapped], q->features[is_swapped]),
                          compare_numbers(p->features[!is_swapped], q->features[!is_swapped])};
    for (int i = 0; i < 5; i++)
        if (orders[i] != 0)
            return orders[i];
    return 0;
}

static void find_expected(const Scene *scene, bool includes_self)
{
    int64_t kept = 0;
    expected_count = 0;
    for (int a = 0; a < scene->mesh_count; a++)
        for (int b = a + !includes_self; b < scene->mesh_count; b++) {
            expect_vertices(scene, a, b, false);
            if (a != b)
                expect_vertices(scene, a, b, true);
            expect_edges(scene, a, b);
        }
    qsort(expected, (size_t)expected_count, sizeof *expected, by_order);
    for (int64_t i = 0; i < expected_count; i++)
        if (kept > 0 && by_order(&expected[kept - 1], &expected[i]) == 0)
            expected[kept - 1].count++;
        else
            expected[kept++] = expected[i];
    expected_count = kept;
}

/* ---- Comparing ---------------------------------------------------------------------------------
 */

static bool is_same_body(PliantBody x, PliantBody y)
{
    return x.index == y.index && x.serial == y.serial;
}

/* Do the weights lead from the closest point of b to that of a? */
static bool are_weights_right(const Scene *scene, const Expected *want, const PliantNearPair *pair)
{
    static const int counts_a[] = {1, 3, 2, 0, 1, 1, 2};
    double sums[2] = {0}, vector[3] = {0}, size = 0, length = 0;
    for (int i = 0; i < 4; i++) {
        const int side = i >= counts_a[want->kind];
        sums[side] += (double)pair->weights[i];
        for (int k = 0; k < 3 && want->vertices[i] != PLIANT_NO_VERTEX; k++) {
            const double x =
                (double)scene->meshes[side ? want->b : want->a].points[want->vertices[i]][k];
            vector[k] += (double)pair->weights[i] * x;
            size = fmax(size, fabs(x));
        }
        if (want->vertices[i] == PLIANT_NO_VERTEX && pair->weights[i] != 0)
            return false;
    }
    for (int k = 0; k < 3; k++)
        length +=
            pow(vector[k] - (want->distance > 0 ? want->distance : 0) * (double)pair->normal[k], 2);
    return fabs(sums[0] - 1) < 1e-6 && fabs(sums[1] + 1) < 1e-6 && sqrt(length) <= 1e-5 * size;
}

static bool is_right(const Scene *scene, const Expected *want, const PliantNearPair *pair)
{
    const double distance = want->distance * (double)scene->unit;
    int vertex_count = 0;
    while (vertex_count < 4 && want->vertices[vertex_count] != PLIANT_NO_VERTEX)
        vertex_count++;
    return is_same_body(pair->body_a, scene->meshes[want->a].name) &&
           is_same_body(pair->body_b, scene->meshes[want->b].name) && pair->kind == want->kind &&
           pair->feature_a == want->features[0] && pair->feature_b == want->features[1] &&
           memcmp(pair->vertices, want->vertices, sizeof pair->vertices) == 0 &&
           pair->pair_count == want->count && pair->region == (1 << vertex_count) - 1 &&
           fabs((double)pair->distance - distance) <= 0x1p-23 * distance &&
           are_weights_right(scene, want, pair);
}

static void compare(const Scene *scene, const PliantNearPairs *pairs, uint64_t number)
{
    int64_t i = 0;
    while (i < pairs->count && i < expected_count &&
           is_right(scene, &expected[i], &pairs->items[i]))
        i++;
    if (i == pairs->count && i == expected_count)
        return;
    difference_count++;
    printf("DIFFERENCE in scene %" PRIu64 ", pair %" PRId64 " of %" PRId64 ", expected %" PRId64
           "\n",
           number, i, pairs->count, expected_count);
}

/* With a margin, from what was kept: the same bytes. With a limit: counts add up to no more. */
static void ask_again(Scene *scene, PliantNearDef *def, const PliantNearPairs *pairs,
                      uint64_t number)
{
    const size_t size = (size_t)pairs->count * sizeof *pairs->items;
    PliantNearPair *copy = malloc(size + 1);
    PliantNearPairs again = pliant_near_pairs_default();
    int64_t sum = 0;
    if (!copy)
        exit(1);
    if (size > 0)
        memcpy(copy, pairs->items, size);
    const int64_t count = pairs->count;
    def->margin = def->distance + scene->unit;
    for (int i = 0; i < 2; i++) {
        must(pliant_world_near(scene->world, def, &again));
        if (again.count != count || (size > 0 && memcmp(again.items, copy, size) != 0)) {
            difference_count++;
            printf("DIFFERENCE in scene %" PRIu64 " with a margin\n", number);
        }
    }
    for (int64_t i = 0; i < count; i++)
        sum += copy[i].pair_count;
    def->margin = 0;
    def->max_pair_count = 1 + below(scene, sum + 2);
    must(pliant_world_near(scene->world, def, &again));
    int64_t limited = 0;
    for (int64_t i = 0; i < again.count; i++)
        limited += again.items[i].pair_count;
    if (limited != (sum < def->max_pair_count ? sum : def->max_pair_count) ||
        again.is_limit_reached != (sum > def->max_pair_count)) {
        difference_count++;
        printf("DIFFERENCE in scene %" PRIu64 " with a limit\n", number);
    }
    free(copy);
}

static void play_scene(uint64_t number)
{
    Scene scene;
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    open_scene(&scene, number);
    def.distance = (float)scene.half_units * 0.5F * scene.unit;
    def.includes_self = scene.mesh_count == 1 || below(&scene, 2) == 0;
    def.is_unique = true;
    must(pliant_world_near(scene.world, &def, &pairs));
    find_expected(&scene, def.includes_self);
    compare(&scene, &pairs, number);
    for (int64_t i = 0; i < pairs.count; i++) {
        pair_counts[pairs.items[i].kind]++;
        merged_count += pairs.items[i].pair_count - 1;
    }
    ask_again(&scene, &def, &pairs, number);
    pliant_world_destroy(scene.world);
}

int main(int argc, char **argv)
{
    int64_t scene_count = 1000;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--scenes") == 0)
            scene_count = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--workers") != 0 || !test_workers_start(&workers, argv[i + 1]))
            return 2;
    }
    expected = malloc(MAX_EXPECTED * sizeof *expected);
    if (!expected)
        return 1;
    for (int64_t i = 0; i < scene_count; i++)
        play_scene(seed * 1000003 + (uint64_t)i);
    free(expected);
    if (workers.count > 0)
        test_workers_end(&workers);
    bool is_complete = merged_count > 0;
    for (int kind = 0; kind <= PLIANT_EDGE_VERTEX; kind++)
        is_complete &= kind == PLIANT_TRIANGLE_TRIANGLE || pair_counts[kind] > 0;
    printf("unique: seed %" PRIu64 ", %" PRId64 " scenes, pairs by kind", seed, scene_count);
    for (int kind = 0; kind <= PLIANT_EDGE_VERTEX; kind++)
        printf(" %" PRId64, pair_counts[kind]);
    printf(", %" PRId64 " merged, %" PRId64 " differences%s\n", merged_count, difference_count,
           is_complete ? "" : ", but not everything was reached");
    return difference_count != 0 || !is_complete;
}
