/* One hash for every build: compiler, optimization, instruction set, architecture.
 *
 * Hashes the answers, and how they were reached, for pairs of every class, on every cpu mask; and
 * the contacts, vertices, volumes, spans and impacts of small worlds, with every kind of tree,
 * update, pose and bound. Each must give the number below. A new class of pairs, another scene, or
 * another choice of which pair is first changes the number; nothing else may. Plain C and no
 * libraries, so that it also runs under emulators and in WebAssembly. */
#include "answers.h"
#include "base/cpu.h"
#include "calls.h"
#include "geom/geom.h"
#include "geom/orient.h"
#include "kernels/batch.h"
#include "pairs.h"
#include "sweep_classes.h"
#include "test_layers.h"
#include "workers.h"
#include <pliant/pliant.h>

#include <float.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_PER_CLASS = 4096 };

static const uint64_t expected_answers = UINT64_C(0x2ca5797386d362a3);
static const uint64_t expected_effort = UINT64_C(0x3d9bc9c7224f847e);
static const uint64_t expected_times = UINT64_C(0x8caa6e748905ba51);
static const uint64_t expected_impacts = UINT64_C(0x5a6e3a51dbd80338);
static const uint64_t expected_asked = UINT64_C(0x0617b92c4163f61b);
static const uint64_t expected_given = UINT64_C(0x5c1a40f4eb3fadc5);
static const uint64_t expected_doubles = UINT64_C(0x76e06020755e0ea5);
static const uint64_t expected_hits = UINT64_C(0x1fd51c10e67d7ac1);

static void hash_bytes(uint64_t *hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void hash_int(uint64_t *hash, int64_t value)
{
    unsigned char bytes[8]; /* the same order of bytes everywhere */
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)value >> 8 * i);
    hash_bytes(hash, bytes, sizeof bytes);
}

static void hash_class(uint64_t *hash, uint64_t *effort, TestPairClass pair_class,
                       const PliKernels *kernels)
{
    static float a[PAIRS_PER_CLASS][9], b[PAIRS_PER_CLASS][9];
    static uint32_t pairs[PAIRS_PER_CLASS][2];
    static uint8_t intersects[PAIRS_PER_CLASS];
    SceneRandom random = {(uint64_t)pair_class};
    PliCounts counts = {0};
    for (uint32_t i = 0; i < PAIRS_PER_CLASS; i++) {
        test_pair(pair_class, &random, a[i], b[i]);
        pairs[i][0] = pairs[i][1] = i;
        hash_int(hash, pli_orient3d(a[i], a[i] + 3, a[i] + 6, b[i], &counts));
        hash_int(hash, pli_orient2d(a[i], a[i] + 3, b[i], 0, 1, &counts));
        float c[9]; /* b with a corner of a */
        memcpy(c, b[i], sizeof c);
        memcpy(c, a[i], 3 * sizeof *c);
        hash_int(hash,
                 pli_triangles_intersect_beyond_shared(a[i], (const uint32_t[3]){0, 1, 2}, c,
                                                       (const uint32_t[3]){0, 3, 4}, &counts));
    }
    pli_pairs_intersect(kernels, a[0], b[0], pairs[0], PAIRS_PER_CLASS, intersects, &counts);
    hash_bytes(hash, intersects, sizeof intersects);
    hash_int(effort, counts.intersecting);
    hash_int(effort, counts.undecided);
    hash_int(effort, counts.flat);
    hash_int(effort, counts.nonfinite);
    hash_int(effort, counts.exact3_narrow);
    hash_int(effort, counts.exact3_wide);
    hash_int(effort, counts.exact2_narrow);
    hash_int(effort, counts.exact2_wide);
}

/* ---- Worlds ------------------------------------------------------------------------------------
 */

/* A step that must not fail: there is nothing to compare if it does. */
static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("%s\n", pliant_result_name(result));
    exit(1);
}

static void hash_contacts(uint64_t *hash, const PliantContacts *contacts)
{
    hash_int(hash, contacts->count);
    for (int64_t i = 0; i < contacts->count; i++) {
        const PliantContact *c = &contacts->items[i];
        hash_int(hash, (int64_t)c->body_a.index << 32 | c->body_b.index);
        hash_int(hash, (int64_t)c->triangle_a << 32 | c->triangle_b);
    }
}

enum { BODIES = 4, VERTICES = 66, TRIANGLES = 128 }; /* an octahedron, split twice */

/* How tasks are run; without it everything is done by one worker. */
static TestWorkers workers;
static bool has_workers;

typedef struct Small {
    PliantWorld *world;
    PliantShape *shapes[BODIES];
    PliantBody bodies[BODIES];
    SceneMesh mesh;
    float lent[VERTICES][4], copied[VERTICES][3]; /* as given to two of the bodies */
} Small;

/* An empty world, and the mesh that all of its bodies will have. */
static void start_world(Small *small, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantHost host = pliant_host_default();
    if (has_workers)
        test_workers_attach(&workers, &host);
    def.cpu_mask = cpu_mask;
    def.host = &host;
    must(pliant_world_create(&def, &small->world));
    if (has_workers)
        test_workers_divide_everything(small->world);
    small->mesh = scene_sphere(SCENE_OCTAHEDRON, 2);
}

/* Leaf sizes and child counts differ from body to body, whatever else does. */
static PliantShapeDef def_of(const Small *small, int variant, int body,
                             PliantExperiments *experiments)
{
    PliantShapeDef def = pliant_shape_def_default();
    *experiments = pliant_experiments_default();
    def.experiments = experiments;
    def.vertices = (PliantVertices){small->mesh.vertices, small->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){small->mesh.triangles, small->mesh.triangle_count};
    experiments->tree_child_count = 2 << (variant + body) % 3;
    experiments->tree_leaf_size = 1 + 5 * ((variant + 2 * body) % 4);
    return def;
}

static void add_body(Small *small, int body, const PliantShapeDef *def)
{
    must(pliant_shape_create(def, &small->shapes[body]));
    must(pliant_body_create(small->world, small->shapes[body], &small->bodies[body]));
}

/* So do the kinds of trees and of updates. */
static void make_free(Small *small, SceneRandom *random, int variant)
{
    (void)random;
    for (int i = 0; i < BODIES; i++) {
        PliantExperiments experiments;
        PliantShapeDef shape = def_of(small, variant, i, &experiments);
        experiments.tree_kind = (PliantTreeKind)((variant + i) % 4);
        add_body(small, i, &shape);
        must(pliant_body_set_update_kind(small->world, small->bodies[i],
                                         (PliantUpdateKind)((variant + i) % 3)));
    }
    must(pliant_body_borrow_vertices(small->world, small->bodies[2],
                                     (PliantVertices){small->lent[0], VERTICES, 16}));
}

static PliantTransform turned(float angle, float x)
{
    float c = (float)scene_cos((double)angle), s = (float)scene_sin((double)angle);
    return (PliantTransform){{{c, -s, 0, x}, {s, c, 0.125f, 0.1f}, {0, 0.25f, -1, 0.3f}}};
}

/* Body 0 is in its rest pose or turns, 1 is copied and turned, 2 is borrowed, 3 is copied now and
 * then. */
static void move_free(Small *small, SceneRandom *random, int variant, int frame)
{
    (void)variant;
    for (int v = 0; v < VERTICES; v++)
        for (int k = 0; k < 3; k++) {
            float noise = 0.2f * test_random_float(random), x = small->mesh.vertices[3 * v + k];
            small->lent[v][k] = x + noise + 0.5f;
            small->copied[v][k] = x - noise - 0.25f * (float)k;
        }
    PliantVertices copied = {small->copied[0], VERTICES, 0};
    PliantTransform transform = turned(0.7f * (float)frame, 0.5f);
    must(pliant_body_set_vertices(small->world, small->bodies[1], copied));
    must(pliant_body_set_transform(small->world, small->bodies[1], &transform));
    transform = turned(-0.4f * (float)frame, -0.25f);
    if (frame > 0)
        must(pliant_body_set_transform(small->world, small->bodies[0], &transform));
    if (frame == 2)
        must(pliant_body_set_vertices(small->world, small->bodies[3], copied));
}

static void hash_frame(uint64_t *hash, Small *small)
{
    PliantContacts contacts = pliant_contacts_default();
    for (int query = PLIANT_ALL_PAIRS; query <= PLIANT_ANY_PAIR; query++) {
        must(pliant_world_collide(small->world, TEST_QUERY((PliantCollideKind)query), &contacts));
        hash_contacts(hash, &contacts);
        must(pliant_bodies_collide(small->world, small->bodies[1], small->bodies[2],
                                   TEST_QUERY((PliantCollideKind)query), &contacts));
        hash_contacts(hash, &contacts);
    }
    for (int i = 0; i < BODIES; i++) {
        uint32_t bits[VERTICES][3];
        float vertices[VERTICES][3];
        must(test_body_vertices(small->world, small->bodies[i], vertices[0]));
        memcpy(bits, vertices, sizeof bits);
        for (int v = 0; v < 3 * VERTICES; v++)
            hash_int(hash, bits[v / 3][v % 3]);
    }
}

/* ---- Volumes -----------------------------------------------------------------------------------
 */

static void hash_double(uint64_t *hash, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash_int(hash, bits);
}

static void hash_volume(uint64_t *hash, const PliantVolume *volume)
{
    hash_double(hash, volume->volume);
    hash_double(hash, volume->error);
    hash_int(hash, volume->bad_pixel_count);
    hash_int(hash, (int64_t)volume->view.axis << 32 | volume->view.width);
    for (int k = 0; k < 3; k++) {
        hash_double(hash, volume->centroid[k]);
        hash_double(hash, (double)volume->box.low[k]);
        hash_double(hash, (double)volume->box.high[k]);
    }
}

static void hash_spans(uint64_t *hash, Small *small, PliantLayers *layers, int body)
{
    PliantView view;
    must(pliant_body_view(small->world, small->bodies[body], 24, &view));
    if (view.width == 0) {
        hash_int(hash, -1);
        return;
    }
    view.width = 150; /* two tiles */
    must(pliant_layers_capture(layers, small->world, small->bodies[body], &view, NULL));
    hash_int(hash, test_layers_info(layers).fragment_count);
    for (int32_t pixel = 0; pixel < view.width * view.height; pixel++) {
        int32_t count;
        const PliantSpan *spans =
            pliant_layers_spans(layers, pixel % view.width, pixel / view.width, &count);
        hash_int(hash, count);
        for (int32_t i = 0; i < count; i++) {
            uint32_t bits[2];
            memcpy(bits, &spans[i], sizeof bits);
            hash_int(hash, (int64_t)((uint64_t)bits[0] << 32 | bits[1]));
        }
    }
}

/* Of every body, and of every two. */
static void hash_volumes(uint64_t *hash, Small *small)
{
    PliantLayers *layers = NULL;
    must(pliant_layers_create(NULL, &layers));
    for (int a = 0; a < BODIES; a++)
        for (int b = 0; b <= a; b++) {
            PliantVolumeDef def = pliant_volume_def_default();
            def.resolution = 20 + 3 * a + b;
            def.axes = (PliantAxes)((a + 2 * b) % 5);
            PliantVolume volume = pliant_volume_default();
            must(pliant_bodies_volume(small->world, small->bodies[a], small->bodies[b], &def,
                                      &volume));
            hash_volume(hash, &volume);
            PliantContainment found = pliant_containment_default();
            if (a != b)
                must(pliant_bodies_contain(small->world, small->bodies[a], small->bodies[b], NULL,
                                           &found));
            hash_int(hash, found.contains);
        }
    for (int body = 0; body < BODIES; body++)
        hash_spans(hash, small, layers, body);
    pliant_layers_destroy(layers);
}

static void end_world(Small *small)
{
    pliant_world_destroy(small->world);
    for (int i = 0; i < BODIES; i++)
        pliant_shape_release(small->shapes[i]);
    scene_mesh_free(&small->mesh);
}

/* ---- Bodies that morph ------------------------------------------------------------------------
 */

enum { TARGETS = 3 };

typedef struct Targets {
    float data[TARGETS][VERTICES][3];
    uint32_t indices[TARGETS][VERTICES];
    PliantTarget items[TARGETS];
} Targets;

/* References, all of them full; or displacements, the second and third of every other vertex. */
static void make_targets(Targets *targets, const SceneMesh *mesh, PliantMorphKind kind,
                         SceneRandom *random)
{
    bool is_full = kind == PLIANT_MORPH_REFERENCES;
    for (int t = 0; t < TARGETS; t++) {
        bool is_sparse = !is_full && t > 0;
        int32_t count = is_sparse ? VERTICES / 2 : VERTICES;
        for (int32_t v = 0; v < count; v++) {
            targets->indices[t][v] = (uint32_t)(2 * v + t % 2);
            for (int k = 0; k < 3; k++)
                targets->data[t][v][k] =
                    0.4f * test_random_float(random) + (is_full ? mesh->vertices[3 * v + k] : 0);
        }
        targets->items[t] =
            (PliantTarget){{targets->data[t][0], count, 0}, is_sparse ? targets->indices[t] : NULL};
    }
}

/* The kind of bound differs from body to body. */
static void make_morphs(Small *small, SceneRandom *random, int variant)
{
    static Targets targets;
    PliantMorphKind kind = (PliantMorphKind)(variant % 2);
    make_targets(&targets, &small->mesh, kind, random);
    for (int i = 0; i < BODIES; i++) {
        PliantExperiments experiments;
        PliantShapeDef shape = def_of(small, variant, i, &experiments);
        shape.morph_kind = kind;
        shape.targets = targets.items;
        shape.target_count = TARGETS;
        experiments.bound_kind = (PliantBoundKind)((variant / 2 + i) % 4);
        shape.between_count = variant % 2 ? i % 3 : 0;
        add_body(small, i, &shape);
    }
}

/* Two neighbors of sum one now and then, any weights else; two of the bodies turn. */
static void move_morphs(Small *small, SceneRandom *random, int variant, int frame)
{
    (void)variant;
    for (int i = 0; i < BODIES; i++) {
        float weights[TARGETS];
        for (int t = 0; t < TARGETS; t++)
            weights[t] = 0.5f + 1.5f * test_random_float(random);
        if ((frame + i) % 2) {
            weights[1] = 1 - weights[0];
            weights[2] = 0;
        }
        must(pliant_body_set_weights(small->world, small->bodies[i], weights, TARGETS));
        PliantTransform transform = turned(0.5f * (float)(frame + i), 0.25f * (float)i);
        if (i % 2)
            must(pliant_body_set_transform(small->world, small->bodies[i], &transform));
    }
}

/* ---- Bodies that follow joints ----------------------------------------------------------------
 */

enum { JOINTS = 6, INFLUENCES = 4 };

typedef struct Skin {
    uint16_t joints[VERTICES][INFLUENCES];
    float weights[VERTICES][INFLUENCES];
} Skin;

/* Joints in any order and named twice now and then, weights of any sum, a few of them none. */
static void make_skin(Skin *skin, SceneRandom *random)
{
    for (int v = 0; v < VERTICES; v++)
        for (int i = 0; i < INFLUENCES; i++) {
            float weight = 0.4f * (1 + test_random_float(random));
            bool is_used = scene_random_below(random, 3) > 0;
            skin->joints[v][i] = (uint16_t)((v / 11 + scene_random_below(random, 3)) % JOINTS);
            skin->weights[v][i] = is_used ? weight : 0;
        }
}

/* The kind of bound differs from body to body; every other world has targets, too. */
static void make_skins(Small *small, SceneRandom *random, int variant)
{
    static Targets targets;
    static Skin skin;
    PliantMorphKind kind = (PliantMorphKind)(variant / 2 % 2);
    make_targets(&targets, &small->mesh, kind, random);
    for (int i = 0; i < BODIES; i++) {
        PliantExperiments experiments;
        PliantShapeDef shape = def_of(small, variant, i, &experiments);
        make_skin(&skin, random);
        shape.morph_kind = kind;
        shape.targets = targets.items;
        shape.target_count = variant % 2 ? TARGETS : 0;
        experiments.bound_kind = (PliantBoundKind)((variant / 2 + i) % 4);
        shape.skin =
            &(PliantSkin){sizeof(PliantSkin), JOINTS, INFLUENCES, skin.joints[0], skin.weights[0]};
        add_body(small, i, &shape);
    }
}

/* Joints that turn, scale and shear; one of the bodies waits for the second frame. */
static void move_skins(Small *small, SceneRandom *random, int variant, int frame)
{
    for (int i = 0; i < BODIES; i++) {
        PliantTransform joints[JOINTS], transform = turned(0.5f * (float)(frame + i), 0.25f);
        float weights[TARGETS];
        for (int j = 0; j < 12 * JOINTS; j++) {
            float rest = j % 12 % 5 == 0;
            joints[j / 12].rows[j % 12 / 4][j % 4] = rest + 0.3f * test_random_float(random);
        }
        for (int t = 0; t < TARGETS; t++)
            weights[t] = 0.5f + 0.5f * test_random_float(random);
        if (i > 0 || frame > 0)
            must(pliant_body_set_joints(small->world, small->bodies[i], joints, JOINTS));
        if (variant % 2)
            must(pliant_body_set_weights(small->world, small->bodies[i], weights, TARGETS));
        if (i % 2)
            must(pliant_body_set_transform(small->world, small->bodies[i], &transform));
    }
}

/* ---- Large triangles --------------------------------------------------------------------------
 */

/* All triangles are divided, but those of every fourth body; the kind of bound differs too. */
static void make_walls(Small *small, SceneRandom *random, int variant)
{
    (void)random;
    for (int i = 0; i < BODIES; i++) {
        PliantExperiments experiments;
        PliantShapeDef shape = def_of(small, variant, i, &experiments);
        experiments.tree_kind = (PliantTreeKind)((variant + i) % 3);
        experiments.bound_kind = (PliantBoundKind)((variant / 2 + i) % 4);
        shape.divide_kind = i == variant % 4    ? PLIANT_DIVIDE_NONE
                            : (variant + i) % 2 ? PLIANT_DIVIDE_QUARTERS
                                                : PLIANT_DIVIDE_CORNERS;
        shape.divide_size = 0.15f;
        add_body(small, i, &shape);
    }
}

/* Turned and sheared; one is given its vertices in the last frame. */
static void move_walls(Small *small, SceneRandom *random, int variant, int frame)
{
    for (int i = 0; i < BODIES; i++) {
        float x = 0.4f * (float)i + 0.1f * test_random_float(random);
        PliantTransform transform = turned(0.5f * (float)(frame + variant + i), x);
        must(pliant_body_set_transform(small->world, small->bodies[i], &transform));
    }
    if (frame == 2)
        must(pliant_body_set_vertices(small->world, small->bodies[1],
                                      (PliantVertices){small->mesh.vertices, VERTICES, 0}));
}

/* ---- Soups -------------------------------------------------------------------------------------
 */

/* Two of triangles and one of points, of kinds and levels that differ; the last body is a sphere.
 */
static void make_soups(Small *small, SceneRandom *random, int variant)
{
    (void)random;
    for (int i = 0; i < 3; i++) {
        PliantSoupDef def = pliant_soup_def_default();
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        def.primitive_kind = i == 2 ? PLIANT_POINTS : PLIANT_TRIANGLES;
        experiments.soup_kind = (PliantSoupKind)((variant + i) % 4);
        experiments.soup_level_count = (variant + 3 * i) % 8;
        small->shapes[i] = NULL;
        must(pliant_body_create_soup(small->world, &def, &small->bodies[i]));
    }
    PliantExperiments experiments;
    PliantShapeDef shape = def_of(small, variant, 3, &experiments);
    add_body(small, 3, &shape);
}

/* Some of the places are empty, others from frame to frame; the points lie on the sphere. */
static void move_soups(Small *small, SceneRandom *random, int variant, int frame)
{
    static uint32_t corners[2][3 * TRIANGLES];
    for (int v = 0; v < VERTICES; v++)
        for (int k = 0; k < 3; k++) {
            float noise = 0.1f * test_random_float(random), x = small->mesh.vertices[3 * v + k];
            small->lent[v][k] = x + noise;
            small->copied[v][k] = x - 2 * noise;
        }
    for (int i = 0; i < 3 * TRIANGLES; i++)
        for (int body = 0; body < 2; body++)
            corners[body][i] = i % 3 == 0 && (i / 3 + frame) % (5 + body) == 0
                                   ? PLIANT_NO_VERTEX
                                   : small->mesh.triangles[i];
    const PliantPrimitives lent = {.struct_size = sizeof(PliantPrimitives),
                                   .vertices = {small->lent[0], VERTICES, 16},
                                   .corners = corners[0],
                                   .count = TRIANGLES};
    const PliantPrimitives copied = {.struct_size = sizeof(PliantPrimitives),
                                     .vertices = {small->copied[0], VERTICES, 0},
                                     .corners = corners[1],
                                     .count = TRIANGLES - 20 * frame};
    const PliantPrimitives points = {.struct_size = sizeof(PliantPrimitives),
                                     .vertices = {small->mesh.vertices, VERTICES, 0},
                                     .corners = NULL,
                                     .count = VERTICES};
    PliantTransform transform = turned(0.3f * (float)(frame + variant), 0.25f);
    must(pliant_body_borrow_primitives(small->world, small->bodies[0], &lent));
    must(pliant_body_set_primitives(small->world, small->bodies[1], &copied));
    must(pliant_body_set_primitives(small->world, small->bodies[2], &points));
    must(pliant_body_set_transform(small->world, small->bodies[1], &transform));
}

/* ---- Rods --------------------------------------------------------------------------------------
 */

enum { RODS = TRIANGLES / 2 };

/* A shape of triangles and segments, a soup of segments with corners and one without, and points.
 */
static void make_rods(Small *small, SceneRandom *random, int variant)
{
    (void)random;
    PliantExperiments experiments;
    PliantShapeDef shape = def_of(small, variant, 0, &experiments);
    shape.triangles.count = TRIANGLES / 2;
    shape.segments = (PliantSegments){small->mesh.triangles + 3 * (TRIANGLES / 2), RODS};
    add_body(small, 0, &shape);
    for (int i = 1; i < BODIES; i++) {
        PliantSoupDef def = pliant_soup_def_default();
        def.primitive_kind = i == 3 ? PLIANT_POINTS : PLIANT_SEGMENTS;
        small->shapes[i] = NULL;
        must(pliant_body_create_soup(small->world, &def, &small->bodies[i]));
    }
}

static void move_rods(Small *small, SceneRandom *random, int variant, int frame)
{
    (void)variant;
    for (int v = 0; v < VERTICES; v++)
        for (int k = 0; k < 3; k++) {
            const float noise = 0.1f * test_random_float(random),
                        x = small->mesh.vertices[3 * v + k];
            small->lent[v][k] = x + noise;
            small->copied[v][k] = x * (1 - 0.125f * (float)frame) - noise;
        }
    PliantPrimitives rods = pliant_primitives_default();
    rods.vertices = (PliantVertices){small->lent[0], VERTICES, 16};
    rods.corners = small->mesh.triangles;
    rods.count = RODS;
    must(pliant_body_set_primitives(small->world, small->bodies[1], &rods));
    rods.vertices = (PliantVertices){small->copied[0], VERTICES / 2 * 2, 0};
    rods.corners = NULL;
    rods.count = VERTICES / 2;
    must(pliant_body_set_primitives(small->world, small->bodies[2], &rods));
    rods.count = VERTICES / 2 * 2;
    must(pliant_body_set_primitives(small->world, small->bodies[3], &rods));
    must(pliant_body_set_vertices(small->world, small->bodies[0],
                                  (PliantVertices){small->copied[0], VERTICES, 0}));
}

/* ---- All of them ------------------------------------------------------------------------------
 */

typedef struct Kind {
    const char *name;
    uint64_t expected, expected_volumes, seed;
    int variant_count;
    void (*make)(Small *small, SceneRandom *random, int variant);
    void (*move)(Small *small, SceneRandom *random, int variant, int frame);
} Kind;

static const Kind kinds[] = {
    {"pairs", UINT64_C(0x8178359e3a41fc8c), UINT64_C(0x0893c61cf3d6c8fd), 5, 6, make_free,
     move_free},
    {"morphs", UINT64_C(0xdceeaddcc72b8a29), UINT64_C(0x6752713a8e189488), 6, 8, make_morphs,
     move_morphs},
    {"skins", UINT64_C(0xc9ae11574b050b2a), UINT64_C(0x8da14f1197c6a846), 7, 8, make_skins,
     move_skins},
    {"walls", UINT64_C(0xcffe4a6a834b0d83), UINT64_C(0x8a9bc7de3c13b724), 8, 8, make_walls,
     move_walls},
    {"soups", UINT64_C(0x2cd135dd47741558), UINT64_C(0x517b081d0816ff26), 9, 8, make_soups,
     move_soups},
};

static const Kind rods = {.seed = 10, .make = make_rods, .move = move_rods};

/* Three frames of each variant. */
static uint64_t hash_worlds(const Kind *kind, uint32_t cpu_mask, uint64_t *volumes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    *volumes = hash;
    SceneRandom random = {kind->seed};
    static Small small;
    for (int variant = 0; variant < kind->variant_count; variant++) {
        start_world(&small, cpu_mask);
        kind->make(&small, &random, variant);
        for (int frame = 0; frame < 3; frame++) {
            kind->move(&small, &random, variant, frame);
            hash_frame(&hash, &small);
            if (frame == 2)
                hash_volumes(volumes, &small);
        }
        end_world(&small);
    }
    return hash;
}

/* ---- Sweeps ------------------------------------------------------------------------------------
 */

enum { QUERIES = 16 };

/* Pairs of one class: of a vertex and a triangle, and of two edges. */
typedef struct Given {
    float points[2][QUERIES][12];
    uint32_t pairs[2][QUERIES][4];
    int64_t counts[2];
} Given;

static void give_pairs(int class, Given *given)
{
    SceneRandom random = {(uint64_t) class};
    given->counts[0] = given->counts[1] = 0;
    for (uint32_t i = 0; i < QUERIES; i++) {
        SweepQuery query;
        sweep_query((SweepClass) class, &random, &query);
        memcpy(given->points[0][i], query.start, sizeof query.start);
        memcpy(given->points[1][i], query.end, sizeof query.end);
        uint32_t *pair = given->pairs[query.are_edges][given->counts[query.are_edges]++];
        for (uint32_t k = 0; k < 4; k++)
            pair[k] = 4 * i + k;
    }
}

static PliantSweepPairs sweep_of(const Given *given, int are_edges, uint32_t cpu_mask)
{
    PliantSweepPairs def = pliant_sweep_pairs_default();
    def.kind = are_edges ? PLIANT_EDGE_EDGE : PLIANT_VERTEX_TRIANGLE;
    def.start = given->points[0][0];
    def.end = given->points[1][0];
    def.vertex_count = 4 * QUERIES;
    def.pairs = given->pairs[are_edges][0];
    def.pair_count = given->counts[are_edges];
    def.cpu_mask = cpu_mask;
    return def;
}

/* The times of pairs of every class, of both kinds, and how they were decided. */
static uint64_t hash_times(uint32_t cpu_mask)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int c = 0; c < SWEEP_CLASS_COUNT; c++) {
        float times[QUERIES];
        Given given;
        give_pairs(c, &given);
        for (int are_edges = 0; are_edges < 2; are_edges++) {
            PliantSweepCounts found = pliant_sweep_counts_default();
            const PliantSweepPairs def = sweep_of(&given, are_edges, cpu_mask);
            must(pliant_sweep_pairs(&def, times, QUERIES, &found));
            answers_floats(&hash, times, (int)def.pair_count);
            hash_int(&hash, found.pairs);
            hash_int(&hash, found.touching);
            hash_int(&hash, found.filtered);
            hash_int(&hash, found.exact);
        }
    }
    return hash;
}

/* The same pairs within distances: from 0 to four times one that is near where they are. */
static uint64_t hash_given(uint32_t cpu_mask)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int c = 0; c < SWEEP_CLASS_COUNT; c++) {
        float distances[QUERIES], found[QUERIES];
        PliantNearPair details[QUERIES];
        Given given;
        give_pairs(c, &given);
        for (int are_edges = 0; are_edges < 2; are_edges++) {
            PliantSweepPairs sweep = sweep_of(&given, are_edges, cpu_mask);
            PliantNearCandidates near = pliant_near_candidates_default();
            near.kind = sweep.kind;
            near.vertices = sweep.start;
            near.vertex_count = sweep.vertex_count;
            near.pairs = sweep.pairs;
            near.pair_count = sweep.pair_count;
            near.cpu_mask = cpu_mask;
            near.distance = FLT_MAX;
            must(pliant_near_pairs(&near, found, details, QUERIES));
            for (int i = 0; i < (int)near.pair_count; i++) {
                hash_int(&hash, details[i].region);
                answers_floats(&hash, &found[i], 1);
                answers_floats(&hash, details[i].weights, 4);
                answers_floats(&hash, details[i].normal, 3);
                distances[i] = found[i] < FLT_MAX / 4 ? found[i] * (float)(i % 5) : 1;
            }
            near.distances = sweep.distances = distances;
            must(pliant_near_pairs(&near, found, NULL, QUERIES));
            answers_floats(&hash, found, (int)near.pair_count);
            must(pliant_sweep_pairs(&sweep, found, QUERIES, NULL));
            answers_floats(&hash, found, (int)near.pair_count);
        }
    }
    return hash;
}

static void hash_impacts(uint64_t *hash, const PliantImpacts *impacts)
{
    hash_int(hash, impacts->count);
    hash_int(hash, impacts->is_conservative);
    for (int64_t i = 0; i < impacts->count; i++) {
        const PliantImpact *impact = &impacts->items[i];
        hash_int(hash, (int64_t)impact->body_a.index << 32 | impact->body_b.index);
        hash_int(hash, impact->kind);
        hash_int(hash, (int64_t)impact->feature_a << 32 | impact->feature_b);
        answers_floats(hash, &impact->time, 1);
        answers_floats(hash, impact->weights, 4);
        answers_floats(hash, impact->normal, 3);
    }
}

/* A query of the world, in which two pairs of bodies may collide, one within a body, and one of two
 * bodies within a distance. Each is of another kind, from world to world. */
static void hash_queries(uint64_t *hash, const Small *small, int world)
{
    PliantImpacts impacts = pliant_impacts_default();
    PliantSweepDef def = pliant_sweep_def_default();
    def.kind = (PliantSweepKind)(world % 3);
    def.max_time = def.kind == PLIANT_ALL_IMPACTS ? 0.5f : 1;
    def.includes_self = def.kind == PLIANT_FIRST_IMPACTS;
    for (int i = 0; i < BODIES; i++)
        must(pliant_body_set_filter(small->world, small->bodies[i], 1u << i, 1u << (i ^ 1)));
    must(pliant_world_sweep(small->world, &def, &impacts));
    hash_impacts(hash, &impacts);
    def.kind = (PliantSweepKind)((world + 1) % 3);
    def.max_time = 0.25f;
    must(pliant_bodies_sweep(small->world, small->bodies[0], small->bodies[0], &def, &impacts));
    hash_impacts(hash, &impacts);
    def.kind = (PliantSweepKind)((world + 2) % 3);
    def.distance = 0.0625f;
    def.slack = 0.03125f;
    must(pliant_bodies_sweep(small->world, small->bodies[3], small->bodies[1], &def, &impacts));
    hash_impacts(hash, &impacts);
}

/* Adds ends to all bodies, which are moved as the bodies are; in some worlds the last body stands
 * still. Soups are as large at both ends. */
static void add_ends(Small *end, const Small *small, const Kind *kind, SceneRandom *random,
                     int variant, int frame)
{
    end->world = small->world;
    end->mesh = small->mesh;
    for (int i = 0; i < BODIES; i++)
        must(pliant_body_create_end(end->world, small->bodies[i], &end->bodies[i]));
    if (kind->make == make_free)
        must(pliant_body_borrow_vertices(end->world, end->bodies[2],
                                         (PliantVertices){end->lent[0], VERTICES, 16}));
    kind->move(end, random, variant, frame);
    if (kind->seed % 2)
        must(pliant_body_destroy(end->world, end->bodies[3]));
}

/* ---- Readers ----------------------------------------------------------------------------------
 */

/* A held world, and readers of it; how they are asked, and what all have to answer. */
enum { READERS = 4 };
typedef struct Reading {
    const Small *small;
    PliantReader *readers[READERS];
    bool has_ends;
    uint64_t expected;
    atomic_bool differs;
} Reading;

static void ask(const Reading *reading, PliantWorld *world, uint64_t *hash)
{
    PliantImpacts impacts = pliant_impacts_default();
    PliantSweepDef def = pliant_sweep_def_default();
    answers_hash(hash, world, reading->small->bodies, BODIES);
    answers_hits(hash, world, reading->small->bodies, BODIES);
    if (!reading->has_ends)
        return;
    def.kind = PLIANT_FIRST_IMPACTS;
    def.includes_self = true;
    must(pliant_world_sweep(world, &def, &impacts));
    hash_impacts(hash, &impacts);
}

/* PliantTask: the last one is the world itself. */
static void ask_reader(void *data, int32_t index, int32_t worker)
{
    (void)worker;
    Reading *reading = data;
    uint64_t hash = 0;
    ask(reading, index < READERS ? reading->readers[index] : reading->small->world, &hash);
    if (hash != reading->expected)
        atomic_store(&reading->differs, true);
}

/* All at once. The world alone is asked in a hold of its own, so that nodes are opened anew. */
static bool are_readers_right(const Small *small, bool has_ends)
{
    Reading reading = {.small = small, .has_ends = has_ends};
    PliantHost host = pliant_host_default();
    test_workers_attach(&workers, &host);
    must(pliant_world_hold(small->world));
    ask(&reading, small->world, &reading.expected);
    must(pliant_world_release(small->world));
    for (int i = 0; i < READERS; i++)
        must(pliant_reader_create(small->world, &reading.readers[i]));
    for (int again = 0; again < 2; again++) {
        must(pliant_world_hold(small->world));
        host.run(host.run_user, ask_reader, &reading, READERS + 1);
        must(pliant_world_release(small->world));
    }
    for (int i = 0; i < READERS; i++)
        pliant_reader_destroy(reading.readers[i]);
    return !atomic_load(&reading.differs);
}

/* What is near and what touches once bodies have radii, the second one another at each vertex. */
static void hash_thick(uint64_t *hash, const Small *small)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantSweepDef sweep = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    PliantBodyInfo info = pliant_body_info_default();
    static float radii[4 * VERTICES];
    for (int i = 0; i < 4 * VERTICES; i++)
        radii[i] = (float)(i % 5) / 300;
    must(pliant_body_info(small->world, small->bodies[1], &info));
    if (info.vertex_count > 4 * VERTICES)
        exit(1);
    for (int i = 0; i < BODIES; i++)
        must(pliant_body_set_radius(small->world, small->bodies[i], (float)i / 100));
    must(pliant_body_set_vertex_radii(small->world, small->bodies[1], radii, info.vertex_count));
    def.distance = 1.0f / 30;
    def.includes_self = sweep.includes_self = true;
    must(pliant_world_near(small->world, &def, &pairs));
    answers_near(hash, &pairs);
    sweep.kind = PLIANT_FIRST_IMPACTS;
    must(pliant_world_sweep(small->world, &sweep, &impacts));
    hash_impacts(hash, &impacts);
}

/* Gives a mesh what it has in double, each coordinate a little beside its float. */
static void give_doubles(PliantWorld *world, PliantBody body, const double origin[3])
{
    enum { MOST = 4 * VERTICES };
    static float floats[3 * MOST];
    static double doubles[3 * MOST];
    const PliantTransform identity = pliant_transform_identity();
    PliantBodyInfo info = pliant_body_info_default();
    must(pliant_body_info(world, body, &info));
    if (info.kind == PLIANT_BODY_SOUP)
        return;
    must(pliant_body_vertices(world, body, floats, MOST));
    for (int i = 0; i < 3 * info.vertex_count; i++) {
        const double beside = (double)floats[i] * (1 + 0x1p-30 * (i % 7));
        doubles[i] = beside + origin[i % 3];
    }
    must(pliant_body_set_transform(world, body, &identity));
    must(
        pliant_body_set_vertices64(world, body, (PliantVertices64){doubles, info.vertex_count, 0}));
}

/* The same once bodies and their ends have vertices in double. */
static void hash_doubles(uint64_t *hash, const Small *small)
{
    static const double origin[3] = {1000.125, -7, 0.1};
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantSweepDef sweep = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    must(pliant_world_set_origin(small->world, origin));
    for (int i = 0; i < BODIES; i++) {
        const PliantBody end = pliant_body_end(small->world, small->bodies[i]);
        give_doubles(small->world, small->bodies[i], origin);
        if (end.index != 0)
            give_doubles(small->world, end, origin);
    }
    def.distance = 1.0f / 30;
    def.includes_self = sweep.includes_self = true;
    must(pliant_world_near(small->world, &def, &pairs));
    answers_near(hash, &pairs);
    for (int64_t i = 0; i < pairs.count; i++)
        hash_int(hash, pairs.items[i].flags);
    sweep.kind = PLIANT_ALL_IMPACTS;
    must(pliant_world_sweep(small->world, &sweep, &impacts));
    hash_impacts(hash, &impacts);
}

/* Hashes of what came after the first ones, each with a value of its own. */
typedef struct Later {
    uint64_t asked, doubles, hits;
} Later;

/* A world of a kind. Its sweeps are of a kind of their own. */
static void hash_kind(uint64_t *hash, Later *later, const Kind *kind, int number, uint32_t cpu_mask)
{
    enum { VARIANT = 3 };
    SceneRandom random = {kind->seed};
    static Small small, end;
    start_world(&small, cpu_mask);
    kind->make(&small, &random, VARIANT);
    kind->move(&small, &random, VARIANT, 1);
    answers_hash(&later->asked, small.world, small.bodies, BODIES);
    if (has_workers && !are_readers_right(&small, false))
        later->asked = 0;
    add_ends(&end, &small, kind, &random, VARIANT, kind->make == make_soups ? 1 : 2);
    if (has_workers && !are_readers_right(&small, true))
        later->asked = 0;
    hash_queries(hash, &small, number);
    answers_hits(&later->hits, small.world, small.bodies,
                 BODIES); /* with the filters of the queries */
    hash_thick(&later->asked, &small);
    hash_doubles(&later->doubles, &small);
    end_world(&small);
}

/* One world of each kind. What is swept of rods is asked. */
static uint64_t hash_sweeps(uint32_t cpu_mask, Later *later)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        hash_kind(&hash, later, &kinds[k], (int)k, cpu_mask);
    hash_kind(&later->asked, later, &rods, 1, cpu_mask);
    return hash;
}

/* Each set of kernels once, and then what a world chooses by itself. With one set or none that is
 * what was run before, and emulators are slow. */
static bool is_tried(uint32_t mask)
{
    const uint32_t features = pliant_cpu_features();
    const bool has_choice = features & (features - 1);
    if (mask == PLIANT_CPU_ALL)
        return has_workers || has_choice;
    return !has_workers && !(mask & ~features);
}

/* usage: test_hash [WORKERS...]: with one worker, or with workers as in workers.h. */
static int test_all(void)
{
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512, PLIANT_CPU_ALL};
    int failed = 0;
    PliFpMode caller = pli_fp_enter(); /* what is called here is inside of the public calls */
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        if (!is_tried(masks[m]))
            continue;
        PliKernels kernels;
        pli_kernels_fill(&kernels, masks[m]);
        uint64_t answers = UINT64_C(0xcbf29ce484222325), effort = answers;
        for (int c = 0; c < TEST_PAIR_CLASS_COUNT; c++)
            hash_class(&answers, &effort, (TestPairClass)c, &kernels);
        bool is_right = answers == expected_answers && effort == expected_effort;
        printf("answers %016" PRIx64 " effort %016" PRIx64, answers, effort);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            uint64_t volumes, hash = hash_worlds(&kinds[k], masks[m], &volumes);
            is_right &= hash == kinds[k].expected && volumes == kinds[k].expected_volumes;
            printf(" %s %016" PRIx64 " %016" PRIx64, kinds[k].name, hash, volumes);
        }
        const uint64_t begin = UINT64_C(0xcbf29ce484222325);
        Later later = {begin, begin, begin};
        const uint64_t times = hash_times(masks[m]), impacts = hash_sweeps(masks[m], &later);
        is_right &= times == expected_times && impacts == expected_impacts &&
                    later.asked == expected_asked && later.doubles == expected_doubles &&
                    later.hits == expected_hits;
        printf(" sweeps %016" PRIx64 " %016" PRIx64 " asked %016" PRIx64, times, impacts,
               later.asked);
        const uint64_t given = hash_given(masks[m]);
        is_right &= given == expected_given;
        printf(" given %016" PRIx64 " doubles %016" PRIx64 " hits %016" PRIx64, given,
               later.doubles, later.hits);
        printf(" with %s%s\n", pliant_cpu_name(masks[m]), is_right ? "" : ", WRONG");
        fflush(stdout);
        failed += !is_right;
    }
    pli_fp_leave(caller);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc > 1 ? 0 : test_all();
    for (int i = 1; i < argc; i++) {
        has_workers = test_workers_start(&workers, argv[i]);
        printf("workers: %s\n", argv[i]);
        failed += has_workers ? test_all() : 1;
        test_workers_end(&workers);
    }
    return failed != 0;
}
