/* Closed bodies have no bad pixels: whatever they are, however they are bent, flattened, blown up
 * or put on the middles and edges of pixels, and whatever part of them a view shows. Spans are in
 * order, and in the box; those of triangles that are found by pieces are those of whole ones. */
#include "calls.h"
#include "counts.h"
#include "pairs.h"
#include "test_layers.h"
#include "volumes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS = 2, JOINTS = 3, INFLUENCES = 2 };

/* X(name, what moves it). */
#define BODIES(X)                                                                                  \
    X(rest, "nothing")                                                                             \
    X(moved, "a transform")                                                                        \
    X(supplied, "caller-supplied vertices")                                                        \
    X(morphed, "displacements of any weight, and a transform")                                     \
    X(blended, "references of any weight, and a transform")                                        \
    X(skinned, "joints, and a transform")                                                          \
    X(both, "displacements, joints and a transform")                                               \
    X(soup, "a soup of corners, with places that are empty")                                       \
    X(loose, "a soup of triangles in turn")                                                        \
    X(divided, "large triangles by pieces, and a transform")

/* X(name, how its coordinates are). */
#define TWISTS(X)                                                                                  \
    X(turned, "turned and moved")                                                                  \
    X(sheared, "by any linear map")                                                                \
    X(flat, "onto a plane, a line or a point, along the axes or not")                              \
    X(thin, "the axes by 2^-20 to 2^20 each")                                                      \
    X(huge, "by 2^40 to 2^110")                                                                    \
    X(tiny, "by 2^-40 to 2^-140")                                                                  \
    X(far, "far from the origin: few bits are left")                                               \
    X(whole, "small whole numbers, on the middles or edges of pixels")

/* X(name, what is seen). */
#define SIGHTS(X)                                                                                  \
    X(all, "all of it, to the bit")                                                                \
    X(wide, "all of it, and around it")                                                            \
    X(cut, "a part of it")                                                                         \
    X(deep, "a part along the axis alone")                                                         \
    X(close, "next to nothing around a corner, down to a few units in the last place")             \
    X(grid, "pixels of size one, whose middles are whole numbers or halves")

#define BODY_ENUM(name, text) BODY_##name,
#define TWIST_ENUM(name, text) TWIST_##name,
#define SIGHT_ENUM(name, text) SIGHT_##name,
typedef enum BodyKind { BODIES(BODY_ENUM) BODY_COUNT } BodyKind;
typedef enum Twist { TWISTS(TWIST_ENUM) TWIST_COUNT } Twist;
typedef enum Sight { SIGHTS(SIGHT_ENUM) SIGHT_COUNT } Sight;

static int64_t body_counts[BODY_COUNT], twist_counts[TWIST_COUNT], sight_counts[SIGHT_COUNT];
static int64_t axis_counts[3];

typedef struct Closed {
    SceneRandom random;
    BodyKind kind;
    Twist twist;
    SceneMesh mesh;
    PliantWorld *world;
    PliantBody body;
    PliantBody twin; /* of one that is divided: one that is not */
    int32_t vertex_count;
    float *vertices; /* as the body has them */
    float low[3], high[3];
} Closed;

static double any(Closed *c, double low, double high)
{
    return volumes_any(&c->random, low, high);
}

static uint32_t below(Closed *c, uint32_t count)
{
    return scene_random_below(&c->random, count);
}

/* ---- Meshes ------------------------------------------------------------------------------------
 */

/* Some tetrahedra of whole numbers, into each other and inside out. */
static SceneMesh whole_tetrahedra(Closed *c)
{
    SceneMesh mesh = {0};
    for (uint32_t i = 0, count = 1 + below(c, 20); i < count; i++) {
        SceneMesh one = solid_random(SOLID_tetrahedron, &c->random);
        for (int k = 0; k < 12; k++)
            one.vertices[k] = (float)below(c, 9);
        scene_mesh_append(&mesh, one, below(c, 2));
    }
    return mesh;
}

static SceneMesh make_mesh(Closed *c)
{
    SceneMesh mesh;
    switch (below(c, 6)) {
    case 0:
        mesh = scene_icosphere(2 + (int)below(c, 3));
        break;
    case 1:
        mesh = scene_sphere((SceneSolid)below(c, 3), (int)below(c, 5));
        break;
    case 2:
        mesh = solid_torus(0.7, 0.3, 3 + (int)below(c, 60), 3 + (int)below(c, 30));
        break;
    case 3:
        mesh = whole_tetrahedra(c);
        break;
    default:
        mesh = solid_random((SolidKind)below(c, SOLID_KIND_COUNT), &c->random);
    }
    if (c->twist == TWIST_whole) {
        const double size = 1 + below(c, 40);
        for (int32_t i = 0; i < 3 * mesh.vertex_count; i++)
            mesh.vertices[i] = (float)rint(size * (double)mesh.vertices[i]);
    }
    return mesh;
}

/* ---- Twists ------------------------------------------------------------------------------------
 */

static double power(Closed *c, double low, double high)
{
    return pow(2, any(c, low, high));
}

/* A plane, a line or a point, along the axes in one half. */
static void flatten(Closed *c, double rows[3][3])
{
    if (below(c, 2)) {
        const uint32_t gone = 1 + below(c, 7); /* one bit for each axis */
        for (uint32_t k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                rows[k][i] = gone >> k & 1 ? 0 : rows[k][i];
        return;
    }
    const double s = any(c, -1, 1), t = below(c, 2) ? any(c, -1, 1) : 0.5;
    for (int i = 0; i < 3; i++)
        rows[2][i] = s * rows[0][i] + t * rows[1][i];
}

/* A linear map and a shift. */
static PliantTransform make_twist(Closed *c)
{
    double rows[3][3], scale = 1, far = 1;
    PliantTransform transform;
    solid_random_rotation(&c->random, rows);
    if (c->twist == TWIST_huge || c->twist == TWIST_tiny)
        scale = far = c->twist == TWIST_huge ? power(c, 40, 110) : power(c, -140, -40);
    if (c->twist == TWIST_far)
        far = power(c, 10, 23);
    if (c->twist == TWIST_flat)
        flatten(c, rows);
    for (int i = 0; i < 3; i++) {
        const double size = c->twist == TWIST_thin ? power(c, -20, 20) : scale;
        for (int k = 0; k < 3; k++) {
            double number = c->twist == TWIST_sheared ? any(c, -2, 2) : rows[i][k];
            if (c->twist == TWIST_whole)
                number = (double)below(c, 3) - 1;
            transform.rows[i][k] = (float)(size * number);
        }
        const double shift = any(c, -far, far);
        transform.rows[i][3] = (float)(c->twist == TWIST_whole ? rint(shift) : shift);
    }
    return transform;
}

/* As a body with caller-supplied vertices has them. */
static void twist_vertices(Closed *c)
{
    const PliantTransform t = make_twist(c);
    for (int32_t v = 0; v < c->mesh.vertex_count; v++) {
        float *p = c->mesh.vertices + 3 * v, q[3];
        for (int k = 0; k < 3; k++)
            q[k] =
                ((t.rows[k][0] * p[0] + t.rows[k][1] * p[1]) + t.rows[k][2] * p[2]) + t.rows[k][3];
        memcpy(p, q, sizeof q);
    }
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

static bool has_targets(const Closed *c)
{
    return c->kind == BODY_morphed || c->kind == BODY_blended || c->kind == BODY_both;
}

static bool has_joints(const Closed *c)
{
    return c->kind == BODY_skinned || c->kind == BODY_both;
}

/* Any numbers, whole ones where all are. */
static float some_number(Closed *c, double reach)
{
    const double number = any(c, -reach, reach);
    return (float)(c->twist == TWIST_whole ? rint(4 * number) : number);
}

static void set_weights(Closed *c)
{
    float weights[TARGETS];
    for (int t = 0; t < TARGETS; t++)
        weights[t] = some_number(c, below(c, 4) ? 1 : 100);
    volumes_must(pliant_body_set_weights(c->world, c->body, weights, TARGETS), "weights");
}

/* Turned, sheared, mirrored, some of them gone to one point, some far off. */
static void set_joints(Closed *c)
{
    PliantTransform joints[JOINTS];
    const double reach = below(c, 3) ? 1 : power(c, 0, 20);
    for (int j = 0; j < JOINTS; j++)
        for (int i = 0; i < 12; i++)
            joints[j].rows[i / 4][i % 4] = below(c, 8) ? some_number(c, reach) : 0;
    volumes_must(pliant_body_set_joints(c->world, c->body, joints, JOINTS), "joints");
}

/* A sixth of what it measures; 0 is as the library would have it. */
static float piece_size(const SceneMesh *mesh)
{
    float greatest = 0;
    for (int32_t i = 3; i < 3 * mesh->vertex_count; i++) {
        const float size = fabsf(mesh->vertices[i] - mesh->vertices[i % 3]);
        greatest = isfinite(size) && size > greatest ? size : greatest;
    }
    return greatest / 6;
}

static void create_mesh_body(Closed *c)
{
    const size_t count = (size_t)c->mesh.vertex_count;
    PliantShape *shape = NULL;
    PliantTarget targets[TARGETS];
    float *data = scene_allocate(3 * TARGETS * count, sizeof *data);
    float *weights = scene_allocate(INFLUENCES * count, sizeof *weights);
    uint16_t *names = scene_allocate(INFLUENCES * count, sizeof *names);
    for (size_t i = 0; i < 3 * TARGETS * count; i++)
        data[i] = (float)(c->kind == BODY_blended ? c->mesh.vertices[i % (3 * count)] : 0) +
                  some_number(c, 0.3);
    for (size_t i = 0; i < INFLUENCES * count; i++) {
        names[i] = (uint16_t)below(c, JOINTS);
        weights[i] = c->twist == TWIST_whole ? (float)(i % INFLUENCES) : (float)any(c, 0, 1);
    }
    for (size_t t = 0; t < TARGETS; t++)
        targets[t] = (PliantTarget){{data + 3 * t * count, c->mesh.vertex_count, 0}, NULL};
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){c->mesh.vertices, c->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){c->mesh.triangles, c->mesh.triangle_count};
    experiments.tree_leaf_size = 1 + (int32_t)below(c, 16);
    experiments.tree_child_count = 2 << below(c, 3);
    def.morph_kind = c->kind == BODY_blended ? PLIANT_MORPH_REFERENCES : PLIANT_MORPH_DISPLACEMENTS;
    def.targets = targets;
    def.target_count = has_targets(c) ? TARGETS : 0;
    const PliantSkin skin = {sizeof skin, JOINTS, INFLUENCES, names, weights};
    def.skin = has_joints(c) ? &skin : NULL;
    if (c->kind == BODY_divided) {
        def.divide_kind = below(c, 2) ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_CORNERS;
        def.divide_size = piece_size(&c->mesh);
    }
    volumes_must(pliant_shape_create(&def, &shape), "shape");
    volumes_must(pliant_body_create(c->world, shape, &c->body), "body");
    pliant_shape_release(shape);
    if (c->kind == BODY_divided)
        c->twin = volumes_body(c->world, &c->mesh, false);
    free(data);
    free(weights);
    free(names);
}

static void create_soup(Closed *c)
{
    const size_t corner_count = 3 * (size_t)c->mesh.triangle_count;
    const size_t empty_count = below(c, 4);
    uint32_t *corners = scene_allocate(corner_count + 3 * empty_count, sizeof *corners);
    for (size_t i = 0; i < 3 * empty_count; i++)
        corners[i] = PLIANT_NO_VERTEX;
    memcpy(corners + 3 * empty_count, c->mesh.triangles, corner_count * sizeof *corners);
    PliantSoupDef def = pliant_soup_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    experiments.soup_kind = (PliantSoupKind)below(c, 4);
    experiments.soup_level_count =
        experiments.soup_kind >= PLIANT_SOUP_BUCKETS ? 1 + (int32_t)below(c, 4) : 0;
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {c->mesh.vertices, c->mesh.vertex_count, 0},
                                         .corners = corners,
                                         .count = c->mesh.triangle_count + (int32_t)empty_count};
    volumes_must(pliant_body_create_soup(c->world, &def, &c->body), "soup");
    volumes_must(pliant_body_set_primitives(c->world, c->body, &primitives), "primitives");
    free(corners);
}

/* All corners one behind the other: nothing says which of them are the same. */
static void create_loose(Closed *c)
{
    float *corners = scene_allocate(9 * (size_t)c->mesh.triangle_count, sizeof *corners);
    scene_corners(&c->mesh, c->mesh.vertices, corners);
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {corners, 3 * c->mesh.triangle_count, 0},
                                         .corners = NULL,
                                         .count = c->mesh.triangle_count};
    volumes_must(pliant_body_create_soup(c->world, NULL, &c->body), "soup");
    volumes_must(pliant_body_set_primitives(c->world, c->body, &primitives), "primitives");
    c->vertex_count = 3 * c->mesh.triangle_count;
    free(corners);
}

static void create_body(Closed *c)
{
    c->world = volumes_world(below(c, 4) ? PLIANT_CPU_ALL : below(c, 8));
    c->mesh = make_mesh(c);
    c->vertex_count = c->mesh.vertex_count;
    const bool is_twisted = c->kind == BODY_rest || c->kind == BODY_soup || c->kind == BODY_loose ||
                            (c->kind == BODY_divided && below(c, 2));
    if (is_twisted)
        twist_vertices(c);
    if (c->kind == BODY_soup)
        create_soup(c);
    else if (c->kind == BODY_loose)
        create_loose(c);
    else
        create_mesh_body(c);
    if (c->kind == BODY_supplied) {
        twist_vertices(c);
        const PliantVertices vertices = {c->mesh.vertices, c->vertex_count, 0};
        volumes_must(pliant_body_set_vertices(c->world, c->body, vertices), "vertices");
    }
    if (has_targets(c))
        set_weights(c);
    if (has_joints(c))
        set_joints(c);
    if (c->kind == BODY_moved || (c->kind == BODY_divided && !is_twisted) || has_targets(c) ||
        has_joints(c)) {
        const PliantTransform transform = make_twist(c);
        volumes_must(pliant_body_set_transform(c->world, c->body, &transform), "transform");
        if (c->kind == BODY_divided)
            volumes_must(pliant_body_set_transform(c->world, c->twin, &transform), "transform");
    }
}

/* The vertices and their box; false if some are beyond all floats, or so far that a box is. */
static bool find_box(Closed *c)
{
    bool is_finite = true;
    c->vertices = scene_allocate(3 * (size_t)c->vertex_count, sizeof *c->vertices);
    volumes_must(test_body_vertices(c->world, c->body, c->vertices), "vertices");
    for (int32_t i = 0; i < 3 * c->vertex_count; i++) {
        const float x = c->vertices[i];
        is_finite &= fabsf(x) < 0x1p125f;
        c->low[i % 3] = i < 3 || x < c->low[i % 3] ? x : c->low[i % 3];
        c->high[i % 3] = i < 3 || x > c->high[i % 3] ? x : c->high[i % 3];
    }
    return is_finite;
}

/* ---- Views -------------------------------------------------------------------------------------
 */

static int32_t any_size(Closed *c)
{
    const uint32_t how = below(c, 8);
    return how == 0 ? 1 + (int32_t)below(c, 8) : 1 + (int32_t)below(c, how < 6 ? 160 : 400);
}

/* Middles at whole numbers or halves; false if there would be too many. */
static bool make_grid(Closed *c, PliantView *view)
{
    const float shift = below(c, 2) ? 0.5f : 0;
    const int u = (view->axis + 1) % 3, v = (view->axis + 2) % 3;
    for (int k = 0; k < 3; k++) {
        const float less = k == (int)view->axis ? 0 : shift;
        if (!(fabsf(c->low[k]) < 1e6f && fabsf(c->high[k]) < 1e6f))
            return false;
        view->box.low[k] = floorf(c->low[k]) - less;
        view->box.high[k] = ceilf(c->high[k]) + 1 - less;
    }
    const float width = view->box.high[u] - view->box.low[u];
    const float height = view->box.high[v] - view->box.low[v];
    if (!(width * height < 100000 && width < PLIANT_MAX_PIXELS && height < PLIANT_MAX_PIXELS))
        return false;
    view->width = (int32_t)width;
    view->height = (int32_t)height;
    return true;
}

/* A box has to have some size. */
static void widen(PliantView *view)
{
    for (int k = 0; k < 3; k++)
        while (!(view->box.high[k] - view->box.low[k] > 0x1p-120f)) {
            const float more = fmaxf(fabsf(view->box.high[k]) * 0x1p-20f, 0x1p-110f);
            view->box.low[k] -= more;
            view->box.high[k] += more;
        }
}

/* Around a vertex; the depth is that of all in one half. */
static void make_close(Closed *c, PliantView *view)
{
    const float *v = c->vertices + 3 * (size_t)below(c, (uint32_t)c->vertex_count);
    const bool is_deep = below(c, 2);
    for (int k = 0; k < 3; k++) {
        const double size = ((double)c->high[k] - c->low[k]) * power(c, -24, -2);
        const double least = fabs((double)v[k]) * 0x1p-24;
        const double half = size > least ? size : least;
        view->box.low[k] = (float)((double)v[k] - half * any(c, 0, 1));
        view->box.high[k] = (float)((double)v[k] + half * any(c, 0.5, 1));
        if (is_deep && k == (int)view->axis) {
            view->box.low[k] = c->low[k];
            view->box.high[k] = c->high[k];
        }
    }
}

static bool make_view(Closed *c, Sight sight, PliantView *view)
{
    *view = (PliantView){.axis = (PliantAxis)below(c, 3)};
    view->width = any_size(c);
    view->height = any_size(c);
    if (sight == SIGHT_grid)
        return make_grid(c, view);
    if (sight == SIGHT_close) {
        make_close(c, view);
        widen(view);
        return true;
    }
    for (int k = 0; k < 3; k++) {
        const float size = c->high[k] - c->low[k];
        const bool is_cut = sight == SIGHT_cut || (sight == SIGHT_deep && k == (int)view->axis);
        const float from = is_cut ? (float)any(c, 0, 0.7) : sight == SIGHT_wide ? -0.2f : 0;
        const float to = is_cut ? from + 0.3f : sight == SIGHT_wide ? 1.3f : 1;
        view->box.low[k] = from != 0 ? c->low[k] + from * size : c->low[k];
        view->box.high[k] = to != 1 ? c->low[k] + to * size : c->high[k];
    }
    widen(view);
    return true;
}

/* ---- Checks ------------------------------------------------------------------------------------
 */

/* In order, in the box, and no two touch. */
static bool are_spans_right(const PliantLayers *layers, const PliantView *view)
{
    int64_t total = 0;
    for (int32_t row = 0; row < view->height; row++)
        for (int32_t column = 0; column < view->width; column++) {
            int32_t count;
            const PliantSpan *spans = pliant_layers_spans(layers, column, row, &count);
            total += count;
            if ((count == 0) != (spans == NULL))
                return false;
            for (int32_t i = 0; i < count; i++)
                if (!(spans[i].low < spans[i].high) ||
                    !(spans[i].low >= view->box.low[view->axis]) ||
                    !(spans[i].high <= view->box.high[view->axis]) ||
                    (i > 0 && !(spans[i - 1].high < spans[i].low)))
                    return false;
        }
    return total == test_layers_info(layers).span_count;
}

static bool are_same(const PliantLayers *a, const PliantLayers *b, const PliantView *view)
{
    for (int32_t row = 0; row < view->height; row++)
        for (int32_t column = 0; column < view->width; column++) {
            int32_t counts[2];
            const PliantSpan *x = pliant_layers_spans(a, column, row, &counts[0]);
            const PliantSpan *y = pliant_layers_spans(b, column, row, &counts[1]);
            if (counts[0] != counts[1] || (x && memcmp(x, y, (size_t)counts[0] * sizeof *x) != 0))
                return false;
        }
    return true;
}

typedef struct Totals {
    int64_t pixels, fragments, spans, failures, skipped;
    int32_t depth_complexity;
} Totals;

static void check_view(Closed *c, const VolumeOptions *options, int64_t number,
                       PliantLayers *const both[2], Totals *totals)
{
    PliantLayers *layers = both[0];
    PliantView view;
    const Sight sight =
        c->twist == TWIST_whole && below(c, 2) ? SIGHT_grid : (Sight)below(c, SIGHT_COUNT);
    if (!make_view(c, sight, &view))
        return;
    const PliantResult result = pliant_layers_capture(layers, c->world, c->body, &view, NULL);
    const PliantLayersInfo info = test_layers_info(layers);
    bool is_right = result == PLIANT_OK && info.bad_pixel_count == 0;
    is_right = is_right && are_spans_right(layers, &view);
    if (c->kind == BODY_divided && is_right) {
        pliant_layers_capture(both[1], c->world, c->twin, &view, NULL);
        is_right = are_same(layers, both[1], &view);
    }
    if (!is_right) {
        totals->failures++;
        printf("seed %" PRIu64 " body %" PRId64 ": body %d, twist %d, sight %d, axis %d, %d x %d "
               "pixels: %s, %" PRId64 " bad pixels\n",
               options->seed, number, (int)c->kind, (int)c->twist, (int)sight, (int)view.axis,
               view.width, view.height, pliant_result_name(result), info.bad_pixel_count);
    }
    totals->pixels += (int64_t)view.width * view.height;
    totals->fragments += info.fragment_count;
    totals->spans += info.span_count;
    if (info.depth_complexity > totals->depth_complexity)
        totals->depth_complexity = info.depth_complexity;
    sight_counts[sight]++;
    axis_counts[view.axis]++;
}

static void check_body(const VolumeOptions *options, int64_t number, PliantLayers *const layers[2],
                       Totals *totals)
{
    Closed c = {.random = volumes_random(options, 3, number)};
    c.kind = (BodyKind)(number % BODY_COUNT);
    c.twist = (Twist)(number / BODY_COUNT % TWIST_COUNT);
    create_body(&c);
    if (find_box(&c)) {
        for (int i = 0; i < 6; i++)
            check_view(&c, options, number, layers, totals);
        body_counts[c.kind]++;
        twist_counts[c.twist]++;
    } else
        totals->skipped++;
    pliant_world_destroy(c.world);
    scene_mesh_free(&c.mesh);
    free(c.vertices);
}

int64_t check_closed(const VolumeOptions *options)
{
    PliantLayers *layers[2] = {NULL, NULL};
    Totals totals = {0};
    int64_t number = 0;
    for (int i = 0; i < 2; i++)
        volumes_must(pliant_layers_create(NULL, &layers[i]), "layers");
    if (options->pose >= 0)
        check_body(options, options->pose, layers, &totals);
    const int64_t least = BODY_COUNT * TWIST_COUNT; /* each of each */
    while (options->pose < 0 && totals.failures < 20 &&
           (totals.pixels < options->pixels || number < least))
        check_body(options, number++, layers, &totals);
    for (int i = 0; i < 2; i++)
        pliant_layers_destroy(layers[i]);
    printf("%" PRId64 " bodies (%" PRId64 " of them beyond all floats), %" PRId64
           " pixels, %" PRId64 " fragments, at most %d in a pixel, %" PRId64 " spans\n",
           number, totals.skipped, totals.pixels, totals.fragments, totals.depth_complexity,
           totals.spans);
    bool is_complete = test_print_counts("body", body_counts, BODY_COUNT);
    is_complete &= test_print_counts("twist", twist_counts, TWIST_COUNT);
    is_complete &= test_print_counts("sight", sight_counts, SIGHT_COUNT);
    is_complete &= test_print_counts("axis", axis_counts, 3);
    return totals.failures + (options->pose < 0 && !is_complete);
}
