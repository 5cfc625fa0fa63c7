/* Self-collision: random meshes in random poses, three ways.
 *
 * usage: test_self [--poses N] [--seed S] [--workers W]
 *
 * The answer of a body that is posed by weights, joints and a transform; the answer of the same
 * shape with those vertices supplied by the caller; and brute force over all pairs. All three must
 * be the same, pair by pair. Poses go from none to far beyond what anything survives, so that many
 * are at the verge of intersecting.
 *
 * And poses that are little else than the one before, of which much is not tested again.
 *
 * And the triangles around one vertex, by brute force as well: fans that go round once, twice, or
 * there and back, flat and folded, some of them on a coarse grid, where much is in line with much;
 * open ones, several on one vertex, with triangles turned over, doubled or of no area.
 *
 * And tangles: triangles of any vertices at all, of which some are in more triangles than a star
 * has, on coarse grids, in one plane or on one line, small and large and no numbers; each of them
 * several times, with other vertices, given, borrowed or moved, by any instruction set. And sheets
 * of more leaves than there are slots, crumpled.
 */
#include "calls.h"
#include "scenes.h"
#include "tube.h"
#include "workers.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 4, TARGETS = 3, INFLUENCES = 3 };

typedef struct Actor {
    SceneMesh mesh;
    float *targets[TARGETS];
    uint16_t *joints;
    float *weights;
    bool has_joints, has_targets;
    double unit, origin[3]; /* how large one is, and where the mesh has its middle */
    PliantShape *shape;
    PliantWorld *world;
    PliantBody posed, given;
    float *vertices;
    PliantTransform set_joints[JOINTS]; /* as it is posed */
    float set_weights[TARGETS];
} Actor;

static SceneRandom random_state;
static TestWorkers workers; /* of all worlds, if there are any */
static int64_t failures, pose_count, contact_count;
static int64_t unchanged_count, leaf_count;
static int64_t fan_count, clean_count, clean_fan_count, fan_contact_count, vertex_fan_count;
static int64_t tangle_count, tangle_contact_count, tangle_clean_count, heavy_count;

static double uniform(double low, double high)
{
    return low + (high - low) * scene_random(&random_state);
}

static bool chance(uint32_t one_in)
{
    return scene_random_below(&random_state, one_in) == 0;
}

static void must(PliantResult result, const char *what)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "test_self: %s: %s\n", what, pliant_result_name(result));
    exit(1);
}

static void fail(const char *what, uint64_t seed)
{
    if (failures++ < 10)
        fprintf(stderr, "test_self: %s (seed %llu)\n", what, (unsigned long long)seed);
}

/* ---- Meshes ------------------------------------------------------------------------------------
 */

static double tube_wave;

static void straight(const void *data, double u, double point[3])
{
    (void)data;
    point[0] = 4 * u;
    point[1] = 0.1 * scene_sin(tube_wave * u);
    point[2] = 0;
}

static double round_radius(const void *data, double u, double angle)
{
    (void)data;
    return (0.3 + 0.05 * scene_cos(3 * angle)) * tube_cap(u, 0.15);
}

/* A sheet with a wave, and holes now and then; its quads are cut either way. */
static SceneMesh sheet(int side)
{
    SceneMesh mesh = {.vertex_count = (side + 1) * (side + 1)};
    mesh.vertices = scene_allocate((size_t)mesh.vertex_count * 3, sizeof(float));
    mesh.triangles = scene_allocate(6 * (size_t)side * (size_t)side, sizeof(uint32_t));
    double height = chance(3) ? 0 : uniform(0, 0.3), rough = chance(2) ? uniform(0, 0.3) / side : 0;
    double pleat = chance(4) ? uniform(0, 8) / side : 0; /* narrow folds, side by side */
    for (int i = 0; i <= side; i++)
        for (int j = 0; j <= side; j++) {
            float *p = mesh.vertices + 3 * (i * (side + 1) + j);
            double x = (double)i / side, y = (double)j / side;
            p[0] = (float)(4 * x + uniform(-rough, rough));
            p[1] = (float)(height * scene_sin(9 * x) + pleat * (i % 2) + uniform(-rough, rough));
            p[2] = (float)(2 * y + uniform(-rough, rough));
        }
    bool has_holes = chance(3);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            if (has_holes && chance(8))
                continue;
            uint32_t a = (uint32_t)(i * (side + 1) + j), b = a + 1, c = a + (uint32_t)side + 1;
            uint32_t quad[4] = {a, b, c + 1, c};
            uint32_t turn = scene_random_below(&random_state, 2);
            uint32_t *t = mesh.triangles + 3 * (size_t)mesh.triangle_count;
            for (uint32_t k = 0; k < 3; k++) {
                t[k] = quad[(turn + k) % 4];
                t[3 + k] = quad[(turn + (k > 0 ? k + 1 : 0)) % 4];
            }
            mesh.triangle_count += 2;
        }
    return mesh;
}

/* Two balls beside each other. */
static SceneMesh two_balls(void)
{
    SceneMesh ball = scene_icosphere(1 + (int)scene_random_below(&random_state, 2));
    const size_t vertices = 3 * (size_t)ball.vertex_count,
                 corners = 3 * (size_t)ball.triangle_count;
    SceneMesh both = {.vertex_count = 2 * ball.vertex_count,
                      .triangle_count = 2 * ball.triangle_count};
    both.vertices = scene_allocate(2 * vertices, sizeof(float));
    both.triangles = scene_allocate(2 * corners, sizeof(uint32_t));
    const float apart = (float)uniform(1.8, 3);
    for (size_t second = 0; second < 2; second++) {
        const uint32_t first = second ? (uint32_t)ball.vertex_count : 0;
        for (size_t i = 0; i < vertices; i++)
            both.vertices[second * vertices + i] =
                ball.vertices[i] + (second && i % 3 == 0 ? apart : 0);
        for (size_t i = 0; i < corners; i++)
            both.triangles[second * corners + i] = ball.triangles[i] + first;
    }
    scene_mesh_free(&ball);
    return both;
}

static SceneMesh any_mesh(void)
{
    int rings = 6 + (int)scene_random_below(&random_state, 14);
    int segments = 5 + (int)scene_random_below(&random_state, 10);
    const Tube tube = {straight, round_radius, {0, 0, 1}, NULL};
    tube_wave = uniform(0, 6);
    switch (scene_random_below(&random_state, 4)) {
    case 0:
        return tube_open(&tube, rings, segments);
    case 1:
        return sheet(4 + (int)scene_random_below(&random_state, 14));
    case 2:
        return two_balls();
    default:
        return scene_icosphere(1 + (int)scene_random_below(&random_state, 3));
    }
}

/* Weights along x, smooth, with a bit of noise now and then; or linear; or one half of the vertices
 * follows one joint and the other another; or anything. */
static void make_skin(Actor *actor)
{
    const size_t count = (size_t)actor->mesh.vertex_count;
    actor->joints = scene_allocate(count * INFLUENCES, sizeof *actor->joints);
    actor->weights = scene_allocate(count * INFLUENCES, sizeof *actor->weights);
    double noise = chance(2) ? 0 : uniform(0, 0.2), width = uniform(0.3, 3);
    bool is_wild = chance(6), is_even = !chance(8), is_linear = chance(4), is_halved = chance(4);
    for (size_t v = 0; v < count; v++) {
        double x = actor->mesh.vertices[3 * v], sum = 0, weights[INFLUENCES];
        for (int i = 0; i < INFLUENCES; i++) {
            double middle = 4.0 * i / (INFLUENCES - 1), off = (x - middle) / width;
            weights[i] = scene_bump(off * off < 1 ? off : 1) + noise * scene_random(&random_state);
            weights[i] = is_wild ? scene_random(&random_state) : weights[i];
            if (is_linear)
                weights[i] = i == 0 ? 0.5 - x / 10 : i == 1 ? 0.5 + x / 10 : 0;
            if (is_halved)
                weights[i] = i == (2 * v < count);
            sum += weights[i];
        }
        for (int i = 0; i < INFLUENCES; i++) {
            actor->joints[INFLUENCES * v + (size_t)i] = (uint16_t)i;
            double weight = sum > 0 ? weights[i] / sum : i == 0;
            actor->weights[INFLUENCES * v + (size_t)i] =
                (float)(is_even ? weight : weights[i] + 0.01);
        }
    }
}

static void make_targets(Actor *actor)
{
    const size_t count = (size_t)actor->mesh.vertex_count;
    for (int t = 0; t < TARGETS; t++) {
        double wave = uniform(0.5, 6), rough = chance(3) ? uniform(0, 0.2) : 0,
               turn = uniform(0, 6);
        const size_t poked = scene_random_below(&random_state, (uint32_t)count);
        const bool is_poke = chance(3); /* one vertex alone, by about an edge */
        actor->targets[t] = scene_allocate(3 * count, sizeof(float));
        for (size_t i = 0; i < 3 * count; i++) {
            double x = actor->mesh.vertices[i - i % 3 + (size_t)t % 3];
            double push = scene_sin(wave * x + turn) + rough * uniform(-1, 1);
            actor->targets[t][i] = (float)(t == 0 ? push * actor->mesh.vertices[i] : push * 0.3);
            if (is_poke)
                actor->targets[t][i] = i / 3 == poked ? (float)uniform(-1, 1) : 0;
        }
    }
}

/* Most are of an ordinary size; some are as far from the origin as floats bear, and some so
 * small or large that squares of lengths are no floats any more. */
static void resize(Actor *actor)
{
    static const double units[] = {1e-38, 1e-30, 1e-26, 1e-24, 1e-22, 1e-21, 1e-20, 1e-18, 1e-10,
                                   1e10,  1e18,  1e19,  1e20,  1e21,  1e22,  1e25,  1e30,  1e36};
    const size_t unit_count = sizeof units / sizeof *units;
    actor->unit = chance(4) ? units[scene_random_below(&random_state, unit_count)] : 1;
    double far = chance(6) && actor->unit < 1e30 ? chance(2) ? 1e4 : 100 : 0;
    for (int k = 0; k < 3; k++)
        actor->origin[k] = far * actor->unit * uniform(-1, 1);
    for (size_t i = 0; i < 3 * (size_t)actor->mesh.vertex_count; i++) {
        float *x = &actor->mesh.vertices[i];
        *x = (float)(*x * actor->unit + actor->origin[i % 3]);
        for (int t = 0; t < TARGETS; t++)
            actor->targets[t][i] = (float)(actor->targets[t][i] * actor->unit);
    }
}

static void make_shape(Actor *actor)
{
    PliantTarget targets[TARGETS];
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){actor->mesh.vertices, actor->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){actor->mesh.triangles, actor->mesh.triangle_count};
    experiments.tree_leaf_size = chance(2) ? 16 : 1 + (int)scene_random_below(&random_state, 16);
    def.divide_kind = chance(4) ? def.divide_kind : PLIANT_DIVIDE_NONE;
    const PliantSkin skin = {sizeof skin, JOINTS, INFLUENCES, actor->joints, actor->weights};
    def.skin = actor->has_joints ? &skin : NULL;
    for (int t = 0; t < TARGETS && actor->has_targets; t++)
        targets[t] = (PliantTarget){{actor->targets[t], actor->mesh.vertex_count, 0}, NULL};
    def.targets = targets;
    def.target_count = actor->has_targets ? TARGETS : 0;
    must(pliant_shape_create(&def, &actor->shape), "shape");
}

/* Several workers divide all that they can. */
static PliantWorld *make_world(const PliantWorldDef *given)
{
    PliantHost host = pliant_host_default();
    PliantWorldDef def = *given;
    PliantWorld *world;
    if (workers.count > 0)
        test_workers_attach(&workers, &host);
    def.host = &host;
    must(pliant_world_create(&def, &world), "world");
    if (workers.count > 0)
        test_workers_divide_everything(world);
    return world;
}

static PliantWorld *default_world(void)
{
    const PliantWorldDef def = pliant_world_def_default();
    return make_world(&def);
}

static Actor make_actor(void)
{
    Actor actor = {.mesh = any_mesh(), .has_joints = !chance(3), .has_targets = chance(2)};
    actor.vertices = scene_allocate(3 * (size_t)actor.mesh.vertex_count, sizeof(float));
    make_skin(&actor);
    make_targets(&actor);
    resize(&actor);
    make_shape(&actor);
    actor.world = default_world();
    must(pliant_body_create(actor.world, actor.shape, &actor.posed), "body");
    must(pliant_body_create(actor.world, actor.shape, &actor.given), "body");
    return actor;
}

static void free_actor(Actor *actor)
{
    pliant_world_destroy(actor->world);
    pliant_shape_release(actor->shape);
    for (int t = 0; t < TARGETS; t++)
        free(actor->targets[t]);
    free(actor->joints);
    free(actor->weights);
    free(actor->vertices);
    scene_mesh_free(&actor->mesh);
}

/* ---- Poses -------------------------------------------------------------------------------------
 */

/* A map that turns, shifts and now and then scales by up to so much; after `first`, and about the
 * middle of the mesh. */
static PliantTransform any_transform(const Actor *actor, double bend, const double first[3])
{
    PliantTransform transform;
    double axis[3], rows[3][3], position[3], scale[3];
    for (int k = 0; k < 3; k++)
        axis[k] = uniform(-1, 1) + (k == 2 ? 1e-3 : 0);
    scene_rotation(axis, uniform(-bend, bend), rows);
    bool is_scaled = chance(6);
    for (int k = 0; k < 3; k++) {
        scale[k] = first[k] * (is_scaled ? uniform(1 - bend / 4, 1 + bend / 4) : 1);
        position[k] = uniform(-bend, bend) * 0.3 * actor->unit + actor->origin[k];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            rows[i][j] *= scale[j];
            position[i] -= rows[i][j] * actor->origin[j];
        }
    scene_set_rows(rows, position, transform.rows);
    return transform;
}

/* What all joints do first: nothing, as a rule, or they mirror the mesh, or make it flat or all but
 * flat, or very small or large. */
static void any_first(double first[3])
{
    static const double firsts[][3] = {{-1, 1, 1},    {-1, -1, -1},    {1, 0, 1},
                                       {1, 1e-3, 1},  {1e-6, 1, 1},    {0, 0, 0},
                                       {1e3, 1e3, 1}, {1e3, 1e3, 1e3}, {1e-10, 1e-10, 1e-10}};
    const double *chosen =
        firsts[scene_random_below(&random_state, sizeof firsts / sizeof *firsts)];
    bool is_plain = !chance(4);
    for (int k = 0; k < 3; k++)
        first[k] = is_plain ? 1 : chosen[k];
}

/* From hardly at all to far too much. */
static double any_bend(void)
{
    double bend = uniform(0, 1);
    return 3 * bend * bend * bend;
}

static void pose(Actor *actor)
{
    static const double none[3] = {1, 1, 1};
    double bend = any_bend(), first[3];
    PliantTransform *joints = actor->set_joints;
    float *weights = actor->set_weights;
    bool is_one = chance(8), is_shift = chance(4), is_stretch = chance(6);
    any_first(first);
    for (int j = 0; j < JOINTS; j++) {
        joints[j] = is_one && j > 0 ? joints[0] : any_transform(actor, bend, first);
        if (is_shift) { /* no turn: weights alone bend */
            PliantTransform unchanged = pliant_transform_identity();
            for (int k = 0; k < 3; k++)
                unchanged.rows[k][3] = (float)(uniform(-bend, bend) * 0.3 * actor->unit);
            joints[j] = unchanged;
        }
    }
    for (int j = 0; j < JOINTS && is_stretch; j++) { /* along x alone: folds it within its plane */
        joints[j] = pliant_transform_identity();
        joints[j].rows[0][0] = (float)uniform(1 - 2 * bend, 1 + bend);
        joints[j].rows[0][3] = (float)((1 - joints[j].rows[0][0]) * actor->origin[0]);
    }
    if (actor->has_joints && !chance(8))
        must(pliant_body_set_joints(actor->world, actor->posed, joints, JOINTS), "joints");
    bool is_rest = chance(4);
    for (int t = 0; t < TARGETS; t++)
        weights[t] = is_rest || chance(3) ? 0 : (float)uniform(-bend, bend);
    if (actor->has_targets)
        must(pliant_body_set_weights(actor->world, actor->posed, weights, TARGETS), "weights");
    PliantTransform index = chance(2) ? pliant_transform_identity() : any_transform(actor, 3, none);
    if (chance(8) && actor->unit < 1e30)
        index.rows[scene_random_below(&random_state, 3)][3] += (float)(1e5 * actor->unit);
    must(pliant_body_set_transform(actor->world, actor->posed, &index), "transform");
}

/* One joint, one weight, the transform or nothing is another than it was. */
static void pose_a_little(Actor *actor)
{
    static const double none[3] = {1, 1, 1};
    const uint32_t joint = scene_random_below(&random_state, JOINTS);
    PliantTransform index;
    switch (scene_random_below(&random_state, 8)) {
    case 0:
        return;
    case 1:
        index = any_transform(actor, 3, none);
        must(pliant_body_set_transform(actor->world, actor->posed, &index), "transform");
        return;
    case 2:
    case 3:
        actor->set_weights[scene_random_below(&random_state, TARGETS)] = (float)uniform(-1, 1);
        if (actor->has_targets)
            must(pliant_body_set_weights(actor->world, actor->posed, actor->set_weights, TARGETS),
                 "weights");
        return;
    default:
        actor->set_joints[joint] = any_transform(actor, any_bend(), none);
        if (actor->has_joints)
            must(pliant_body_set_joints(actor->world, actor->posed, actor->set_joints, JOINTS),
                 "joints");
    }
}

/* ---- Three answers ------------------------------------------------------------------------------
 */

static void corners_of(const Actor *actor, int32_t triangle, float corners[9])
{
    for (int i = 0; i < 3; i++) {
        uint32_t v = actor->mesh.triangles[3 * (size_t)triangle + (size_t)i];
        memcpy(corners + 3 * i, actor->vertices + 3 * (size_t)v, 3 * sizeof(float));
    }
}

static bool are_boxes_apart(const float a[9], const float b[9])
{
    for (int k = 0; k < 3; k++) {
        float a_low = a[k], a_high = a[k], b_low = b[k], b_high = b[k];
        for (int i = 3 + k; i < 9; i += 3) {
            a_low = a[i] < a_low ? a[i] : a_low;
            a_high = a[i] > a_high ? a[i] : a_high;
            b_low = b[i] < b_low ? b[i] : b_low;
            b_high = b[i] > b_high ? b[i] : b_high;
        }
        if (a_high < b_low || b_high < a_low)
            return true;
    }
    return false;
}

/* Is the list of contacts that of brute force? */
static bool is_right(const Actor *actor, const PliantContact *contacts, int64_t count)
{
    int64_t next = 0;
    for (int32_t i = 0; i < actor->mesh.triangle_count; i++) {
        float a[9], b[9];
        corners_of(actor, i, a);
        for (int32_t j = i + 1; j < actor->mesh.triangle_count; j++) {
            corners_of(actor, j, b);
            if (are_boxes_apart(a, b) ||
                !pliant_triangles_intersect_beyond_shared(a, actor->mesh.triangles + 3 * (size_t)i,
                                                          b, actor->mesh.triangles + 3 * (size_t)j))
                continue;
            if (next == count || contacts[next].triangle_a != i || contacts[next].triangle_b != j)
                return false;
            next++;
        }
    }
    return next == count;
}

/* One pair, if there is any, and it is one of all. */
static void check_one(const Actor *actor, int64_t count, const PliantContact *all, uint64_t seed)
{
    PliantContacts one = pliant_contacts_default();
    must(pliant_bodies_collide(actor->world, actor->posed, actor->posed,
                               TEST_QUERY(PLIANT_ANY_PAIR), &one),
         "any");
    bool is_there = one.count == 0;
    for (int64_t i = 0; i < count && one.count == 1; i++)
        is_there |= all[i].triangle_a == one.items[0].triangle_a &&
                    all[i].triangle_b == one.items[0].triangle_b;
    if (one.count != (count > 0) || !is_there)
        fail("one pair is not among all", seed);
}

static void check_answers(Actor *actor, uint64_t seed)
{
    PliantContacts found = pliant_contacts_default();
    must(pliant_bodies_collide(actor->world, actor->posed, actor->posed, NULL, &found), "posed");
    int64_t count = found.count;
    PliantContact *contacts = scene_allocate((size_t)count + 1, sizeof *contacts);
    if (count > 0)
        memcpy(contacts, found.items, (size_t)count * sizeof *contacts);
    must(test_body_vertices(actor->world, actor->posed, actor->vertices), "vertices");
    if (!is_right(actor, contacts, count))
        fail("posed: not the answer of brute force", seed);
    check_one(actor, count, contacts, seed);

    PliantVertices vertices = {actor->vertices, actor->mesh.vertex_count, 0};
    must(pliant_body_set_vertices(actor->world, actor->given, vertices), "given");
    must(pliant_bodies_collide(actor->world, actor->given, actor->given, NULL, &found), "given");
    bool is_same = found.count == count;
    for (int64_t i = 0; i < count && is_same; i++)
        is_same = found.items[i].triangle_a == contacts[i].triangle_a &&
                  found.items[i].triangle_b == contacts[i].triangle_b;
    if (!is_same)
        fail("given: not the answer of the posed body", seed);
    contact_count += count;
    pose_count++;
    free(contacts);
}

/* What has not moved since the last query is not tested again. In between there are queries for
 * one pair, which are none to go by, and caller-supplied vertices. */
static void check_unchanged(Actor *actor, uint64_t seed)
{
    PliantContacts found = pliant_contacts_default();
    if (chance(4)) {
        pose_a_little(actor);
        must(pliant_bodies_collide(actor->world, actor->posed, actor->posed,
                                   TEST_QUERY(PLIANT_ANY_PAIR), &found),
             "one");
    }
    if (chance(16)) {
        PliantVertices vertices = {actor->mesh.vertices, actor->mesh.vertex_count, 0};
        must(pliant_body_set_vertices(actor->world, actor->posed, vertices), "vertices");
        if (chance(2)) {
            must(pliant_bodies_collide(actor->world, actor->posed, actor->posed, NULL, &found),
                 "given");
            must(test_body_vertices(actor->world, actor->posed, actor->vertices), "vertices");
            if (!is_right(actor, found.items, found.count))
                fail("given instead: not the answer of brute force", seed);
        }
        if (actor->has_joints)
            must(pliant_body_set_joints(actor->world, actor->posed, actor->set_joints, JOINTS),
                 "joints");
        else if (actor->has_targets)
            must(pliant_body_set_weights(actor->world, actor->posed, actor->set_weights, TARGETS),
                 "weights");
    }
    pose_a_little(actor);
    const PliBody *bodies = actor->world->bodies.items;
    const PliFanState *state = bodies[actor->posed.index - 1].fan_state;
    const bool has_last = state && state->has_last;
    must(pliant_bodies_collide(actor->world, actor->posed, actor->posed, NULL, &found), "still");
    for (int32_t leaf = 0; has_last && leaf < state->topology.fans->leaf_count; leaf++) {
        unchanged_count += !pli_fan_moved_leaves(&actor->world->fans)[leaf];
        leaf_count++;
    }
    must(test_body_vertices(actor->world, actor->posed, actor->vertices), "vertices");
    if (!is_right(actor, found.items, found.count))
        fail("moved a little: not the answer of brute force", seed);
    pose_count++;
}

/* ---- Fans -------------------------------------------------------------------------------------
 */

/* How many vertices there are whose triangles are tested all at once, and how many of them were
 * clean in the last query. */
static void count_fans(const Actor *actor, int64_t *fans, int64_t *clean)
{
    const PliBody *bodies = actor->world->bodies.items;
    const PliFanState *state = bodies[actor->posed.index - 1].fan_state;
    const PliFans *known =
        state ? state->topology.fans : NULL; /* none where triangles are divided */
    for (int32_t s = 0; known && s < known->fan_count; s++) {
        *fans += 1;
        *clean += state->verdicts[known->fans[s].vertex] == PLI_FAN_CLEAN;
    }
}

/* The other vertices of triangles around vertex 0, one after the other: they go round, perhaps more
 * than once, or turn back on the way. */
static void place_ring(float *vertices, int32_t count, bool is_closed)
{
    static const double turns[] = {1, 1, 1, 2, 3, 0.4, 0.95, 1.05};
    const double all = 6.283185307179586 * turns[scene_random_below(&random_state, 8)];
    const double rough = chance(2) ? 0 : uniform(0, 2), height = chance(3) ? 0 : uniform(0, 3);
    const double first = uniform(0, 6.3), steps = is_closed ? count : count - 1;
    for (int32_t i = 0; i < count; i++) {
        const double angle = first + (i + uniform(-rough, rough)) * all / (steps > 0 ? steps : 1);
        const double length = uniform(0.3, 2);
        float *v = vertices + 3 * (size_t)i;
        v[0] = (float)(length * cos(angle));
        v[1] = (float)(length * sin(angle));
        v[2] = (float)(height * uniform(-1, 1));
    }
}

/* Turned about, on a grid now and then, and as large and as far away as any. */
static void place_fan(float *vertices, int32_t count)
{
    const double turn = chance(4) ? 0 : uniform(0, 6.3), other = chance(4) ? 0 : uniform(0, 6.3);
    const double grid = chance(3) ? (double)(1 + scene_random_below(&random_state, 4)) : 0;
    const double size = chance(4) ? pow(10, uniform(-23, 15)) : 1;
    const double away = chance(4) ? size * pow(10, uniform(0, 7)) : 0;
    for (int32_t i = 0; i < count; i++) {
        float *v = vertices + 3 * (size_t)i;
        double x = v[0] * cos(turn) - v[2] * sin(turn), z = v[0] * sin(turn) + v[2] * cos(turn);
        double p[3] = {x * cos(other) - v[1] * sin(other), x * sin(other) + v[1] * cos(other), z};
        for (int k = 0; k < 3; k++) {
            p[k] = grid > 0 ? rint(p[k] * grid) / grid : p[k];
            v[k] = (float)(p[k] * size + away);
        }
    }
    if (chance(64))
        vertices[scene_random_below(&random_state, 3 * (uint32_t)count)] =
            chance(2) ? NAN : INFINITY;
}

/* Triangles {0, i, i + 1} of a ring of vertices. */
static int32_t join_ring(uint32_t *triangles, int32_t first, int32_t count, bool is_closed)
{
    const int32_t triangle_count = is_closed ? count : count - 1;
    for (int32_t i = 0; i < triangle_count; i++) {
        const uint32_t corners[3] = {0, (uint32_t)(first + i), (uint32_t)(first + (i + 1) % count)};
        const uint32_t turn = scene_random_below(&random_state, 3);
        for (uint32_t c = 0; c < 3; c++)
            triangles[3 * i + (int32_t)c] = corners[(c + turn) % 3];
    }
    return triangle_count;
}

/* What is no fan any more: a triangle turned over, one twice, one of no area, or one gone. */
static int32_t spoil(uint32_t *triangles, int32_t count)
{
    uint32_t *one = triangles + 3 * scene_random_below(&random_state, (uint32_t)count);
    switch (scene_random_below(&random_state, 12)) {
    case 0: {
        uint32_t corner = one[0];
        one[0] = one[1];
        one[1] = corner;
        return count;
    }
    case 1:
        memcpy(triangles + 3 * count, one, 3 * sizeof *one);
        return count + 1;
    case 2:
        one[2] = one[1];
        return count;
    case 3:
        memcpy(one, triangles + 3 * (count - 1), 3 * sizeof *one);
        return count - 1;
    default:
        return count;
    }
}

/* A fan or two on one vertex: all pairs of it, by brute force. */
static void check_fan(uint64_t seed)
{
    enum { MAX_VALUE = 80 };
    const int32_t fan_vertices = chance(12) ? 50 + (int32_t)scene_random_below(&random_state, 25)
                                            : 3 + (int32_t)scene_random_below(&random_state, 8);
    const int rings = chance(8) ? 2 : 1;
    float vertices[3 * (2 * MAX_VALUE + 1)] = {0}, moved[3 * (2 * MAX_VALUE + 1)];
    uint32_t triangles[3 * (2 * MAX_VALUE + 1)];
    int32_t vertex_count = 1, triangle_count = 0;
    for (int r = 0; r < rings; r++) {
        const bool is_closed = !chance(4);
        place_ring(vertices + 3 * (size_t)vertex_count, fan_vertices, is_closed);
        triangle_count +=
            join_ring(triangles + 3 * triangle_count, vertex_count, fan_vertices, is_closed);
        vertex_count += fan_vertices;
    }
    triangle_count = spoil(triangles, triangle_count);
    place_fan(vertices, vertex_count);
    Actor actor = {.mesh = {.vertices = vertices,
                            .vertex_count = vertex_count,
                            .triangles = triangles,
                            .triangle_count = triangle_count},
                   .vertices = moved};
    make_shape(&actor);
    actor.world = default_world();
    must(pliant_body_create(actor.world, actor.shape, &actor.posed), "body");
    PliantContacts found = pliant_contacts_default();
    must(pliant_bodies_collide(actor.world, actor.posed, actor.posed, NULL, &found), "fan");
    must(test_body_vertices(actor.world, actor.posed, moved), "vertices");
    if (!is_right(&actor, found.items, found.count))
        fail("a fan: not the answer of brute force", seed);
    const int64_t count = found.count;
    PliantContact *contacts = scene_allocate((size_t)count + 1, sizeof *contacts);
    if (count > 0)
        memcpy(contacts, found.items, (size_t)count * sizeof *contacts);
    check_one(&actor, count, contacts, seed);
    free(contacts);
    const PliBody *bodies = actor.world->bodies.items;
    const PliFanState *known = bodies[actor.posed.index - 1].fan_state;
    clean_fan_count += known && known->verdicts[0] == PLI_FAN_CLEAN;
    fan_contact_count += count > 0;
    fan_count++;
    pliant_world_destroy(actor.world);
    pliant_shape_release(actor.shape);
}

/* ---- Tangles -----------------------------------------------------------------------------------
 */

enum { TANGLE_VERTICES = 140, TANGLE_TRIANGLES = 210 };

typedef struct Tangle {
    Actor actor;
    float vertices[4 * TANGLE_VERTICES + 4]; /* with a fourth float each, if they have a stride */
    float answer[3 * TANGLE_VERTICES];
    uint32_t triangles[3 * TANGLE_TRIANGLES];
    size_t stride; /* in floats */
} Tangle;

/* Any three vertices, or three that are close to each other; many of them with vertex 0. */
static void tangle_soup(Tangle *tangle)
{
    SceneMesh *mesh = &tangle->actor.mesh;
    mesh->vertex_count = 3 + (int32_t)scene_random_below(&random_state, chance(2) ? 12 : 120);
    mesh->triangle_count =
        1 + (int32_t)scene_random_below(&random_state, chance(2) ? 40 : TANGLE_TRIANGLES);
    const uint32_t vertices = (uint32_t)mesh->vertex_count;
    const uint32_t reach = chance(2) ? vertices : 3 + scene_random_below(&random_state, 5);
    const uint32_t hub = chance(3) ? 1 + scene_random_below(&random_state, 8) : 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t first = scene_random_below(&random_state, vertices);
        for (int c = 0; c < 3; c++)
            tangle->triangles[3 * t + c] =
                (first + scene_random_below(&random_state, reach)) % vertices;
        if (hub && chance(hub))
            tangle->triangles[3 * t + (int)scene_random_below(&random_state, 3)] = 0;
        if (t > 0 && chance(40))
            memcpy(tangle->triangles + 3 * t, tangle->triangles + 3 * (t - 1),
                   3 * sizeof(uint32_t));
    }
}

/* A wheel: one vertex of about as many triangles as a star has at most, and a rim behind it. */
static void tangle_wheel(Tangle *tangle)
{
    SceneMesh *mesh = &tangle->actor.mesh;
    const int32_t spokes = 60 + (int32_t)scene_random_below(&random_state, 9);
    const bool is_open = chance(3);
    mesh->vertex_count = 2 * spokes + 1;
    mesh->triangle_count = 0;
    for (int32_t i = 0; i < spokes - is_open; i++) {
        const uint32_t a = 1 + (uint32_t)i, b = 1 + (uint32_t)((i + 1) % spokes);
        const uint32_t c = a + (uint32_t)spokes, d = b + (uint32_t)spokes;
        const uint32_t three[9] = {0, a, b, a, c, d, a, d, b};
        memcpy(tangle->triangles + 3 * mesh->triangle_count, three, sizeof three);
        mesh->triangle_count += 3;
    }
    mesh->triangle_count = spoil(tangle->triangles, mesh->triangle_count);
}

/* Rows of seven quads that end where they begin, or do not: fans are closed, or open. */
static void tangle_sheet(Tangle *tangle)
{
    SceneMesh *mesh = &tangle->actor.mesh;
    const uint32_t columns = 7, rows = 3 + scene_random_below(&random_state, 10);
    const uint32_t is_open = chance(2);
    mesh->vertex_count = (int32_t)(rows * columns);
    mesh->triangle_count = 0;
    for (uint32_t i = 0; i + is_open < rows; i++)
        for (uint32_t j = 0; j + is_open < columns; j++) {
            const uint32_t next = (j + 1) % columns, below = (i + 1) % rows * columns;
            const uint32_t a = i * columns + j, b = i * columns + next;
            const uint32_t two[6] = {a, b, below + next, a, below + next, below + j};
            memcpy(tangle->triangles + 3 * mesh->triangle_count, two, sizeof two);
            mesh->triangle_count += 2;
        }
    mesh->triangle_count = spoil(tangle->triangles, mesh->triangle_count);
}

/* Where a vertex is before it is put on a grid: anywhere, or on a spiral around vertex 0, or in
 * rows and columns. */
static void tangle_point(int kind, int32_t v, int32_t count, double spread, double p[3])
{
    const double angle = 6.283185307179586 * v / (count > 1 ? (count - 1) / 2 : 1);
    const double radius = v == 0 ? 0 : 2 * v < count + 1 ? 2 : 4;
    for (int k = 0; k < 3; k++)
        p[k] = uniform(-spread, spread);
    if (kind == 1) {
        p[0] += radius * cos(angle);
        p[1] += radius * sin(angle);
    } else if (kind == 2) {
        const int32_t column = v % 7, row = v / 7;
        p[0] += column;
        p[1] += row;
    }
}

/* New vertices. */
static void tangle_place(Tangle *tangle)
{
    static const double sizes[] = {1e-44, 1e-38, 1e-22, 1e-20, 1e-18, 1e17, 1e19, 1e21, 1e37};
    const int kind = (int)scene_random_below(&random_state, 3);
    const double spread = chance(3) ? 5 : uniform(0, 1);
    const double grid = chance(2) ? 0 : (double)(1 + scene_random_below(&random_state, 3));
    const double size = chance(4) ? sizes[scene_random_below(&random_state, 9)] : 1;
    const double away = chance(5) ? size * pow(10, uniform(0, 8)) : 0;
    const int flat = chance(3) ? 1 + (int)scene_random_below(&random_state, 6) : 0;
    const int32_t count = tangle->actor.mesh.vertex_count;
    tangle->stride = chance(2) ? 3 : 4;
    for (int32_t v = 0; v < count; v++) {
        double p[3];
        tangle_point(kind, v, count, spread, p);
        for (int k = 0; k < 3; k++) {
            p[k] = flat >> k & 1 ? 0 : grid > 0 ? rint(p[k] * grid) : p[k];
            tangle->vertices[tangle->stride * (size_t)v + (size_t)k] = (float)(p[k] * size + away);
        }
    }
    while (chance(12))
        tangle->vertices[scene_random_below(&random_state, 3 * (uint32_t)count)] = chance(2) ? NAN
                                                                                   : chance(2)
                                                                                       ? INFINITY
                                                                                       : -FLT_MAX;
}

/* Given or borrowed, and moved now and then. */
static void tangle_pose(Tangle *tangle, PliantBody body)
{
    const PliantVertices vertices = {tangle->vertices, tangle->actor.mesh.vertex_count,
                                     tangle->stride * sizeof(float)};
    PliantTransform transform = pliant_transform_identity();
    for (int i = 0; i < 12 && chance(2); i++)
        transform.rows[i / 4][i % 4] += (float)(chance(2) ? 1 : uniform(-1, 1));
    must(chance(2) ? pliant_body_set_vertices(tangle->actor.world, body, vertices)
                   : pliant_body_borrow_vertices(tangle->actor.world, body, vertices),
         "vertices");
    must(pliant_body_set_transform(tangle->actor.world, body, &transform), "transform");
}

static void tangle_check(Tangle *tangle, uint64_t seed)
{
    Actor *actor = &tangle->actor;
    PliantContacts found = pliant_contacts_default();
    must(pliant_bodies_collide(actor->world, actor->posed, actor->posed, NULL, &found), "itself");
    must(test_body_vertices(actor->world, actor->posed, actor->vertices), "vertices");
    if (!is_right(actor, found.items, found.count))
        fail("a tangle: not the answer of brute force", seed);
    const int64_t count = found.count;
    PliantContact *contacts = scene_allocate((size_t)count + 1, sizeof *contacts);
    if (count > 0)
        memcpy(contacts, found.items, (size_t)count * sizeof *contacts);
    check_one(actor, count, contacts, seed);
    free(contacts);
    const PliBody *bodies = actor->world->bodies.items;
    const PliFanState *state = bodies[actor->posed.index - 1].fan_state;
    const PliFans *known =
        state ? state->topology.fans : NULL; /* none where triangles are divided */
    for (int32_t s = 0; known && s < known->fan_count; s++)
        tangle_clean_count += state->verdicts[known->fans[s].vertex] == PLI_FAN_CLEAN;
    heavy_count += known && !known->has_all;
    tangle_contact_count += count > 0;
    tangle_count++;
}

static PliantWorld *any_world(void)
{
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = chance(3) ? scene_random_below(&random_state, 16) : def.cpu_mask;
    return make_world(&def);
}

/* One tangle of each kind, in a world of several bodies that come and go. */
static void check_tangle(uint64_t seed)
{
    static void (*const make[])(Tangle *) = {tangle_soup, tangle_wheel, tangle_sheet};
    static Tangle tangle;
    make[scene_random_below(&random_state, 3)](&tangle);
    tangle.actor.mesh.triangles = tangle.triangles;
    tangle.actor.vertices = tangle.answer;
    tangle_place(&tangle);
    for (size_t v = 0; v < (size_t)tangle.actor.mesh.vertex_count; v++)
        memcpy(tangle.answer + 3 * v, tangle.vertices + tangle.stride * v, 3 * sizeof(float));
    tangle.actor.mesh.vertices = tangle.answer;
    make_shape(&tangle.actor);
    tangle.actor.world = any_world();
    PliantBody bodies[3];
    for (int b = 0; b < 3; b++)
        must(pliant_body_create(tangle.actor.world, tangle.actor.shape, &bodies[b]), "body");
    for (int k = 0; k < 5; k++) {
        const uint32_t b = scene_random_below(&random_state, 3);
        tangle.actor.posed = bodies[b];
        tangle_pose(&tangle, bodies[b]);
        tangle_check(&tangle, seed);
        if (chance(3)) { /* the place of a body that is gone is taken by another */
            must(pliant_body_destroy(tangle.actor.world, bodies[b]), "destroy");
            must(pliant_body_create(tangle.actor.world, tangle.actor.shape, &bodies[b]), "body");
        }
        tangle_place(&tangle); /* what others have borrowed changes as well */
    }
    pliant_world_destroy(tangle.actor.world);
    pliant_shape_release(tangle.actor.shape);
}

/* More leaves than there are slots, so that leaves are forgotten while fans are tested. */
static void check_large(uint64_t seed)
{
    const int side = 34 + (int)scene_random_below(&random_state, 12);
    Actor actor = {.mesh = sheet(side)};
    const size_t count = 3 * (size_t)actor.mesh.vertex_count;
    const double rough = chance(4) ? 0 : uniform(0, 4) / side;
    actor.vertices = scene_allocate(count, sizeof(float));
    for (size_t i = 0; i < count; i += 3) {
        float *p = actor.mesh.vertices + i;
        const double turn = 2 * p[0], radius = 1 + 0.2 * p[1]; /* round more than once */
        p[0] = (float)(radius * scene_cos(turn) + uniform(-rough, rough));
        p[1] = (float)(radius * scene_sin(turn) + uniform(-rough, rough));
        p[2] += (float)uniform(-rough, rough);
    }
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){actor.mesh.vertices, actor.mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){actor.mesh.triangles, actor.mesh.triangle_count};
    experiments.tree_leaf_size = 1;
    must(pliant_shape_create(&def, &actor.shape), "shape");
    actor.world = any_world();
    must(pliant_body_create(actor.world, actor.shape, &actor.posed), "body");
    must(pliant_body_create(actor.world, actor.shape, &actor.given), "body");
    check_answers(&actor, seed);
    pliant_world_destroy(actor.world);
    pliant_shape_release(actor.shape);
    free(actor.vertices);
    scene_mesh_free(&actor.mesh);
}

int main(int argc, char **argv)
{
    int64_t poses = 2000;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--poses") == 0)
            poses = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = (uint64_t)atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--workers") == 0 && !test_workers_start(&workers, argv[i + 1]))
            fail("--workers", 0);
    }
    for (int64_t i = 0; i < poses && failures < 10; i += 8) {
        uint64_t here = seed * 1000003 + (uint64_t)i;
        random_state = (SceneRandom){here};
        Actor actor = make_actor();
        for (int k = 0; k < 8; k++) {
            pose(&actor);
            check_answers(&actor, here);
            count_fans(&actor, &vertex_fan_count, &clean_count);
            for (int n = 0; n < 4 && k % 4 == 0; n++)
                check_unchanged(&actor, here);
        }
        free_actor(&actor);
        for (int k = 0; k < 80; k++)
            check_fan(here);
        for (int k = 0; k < 2; k++)
            check_tangle(here);
        if (i % 128 == 0)
            check_large(here);
    }
    printf(
        "%lld poses, %lld contacts, %lld of %lld fans clean; %lld made fans, %lld clean, %lld that "
        "self-intersect; %lld failed\n",
        (long long)pose_count, (long long)contact_count, (long long)clean_count,
        (long long)vertex_fan_count, (long long)fan_count, (long long)clean_fan_count,
        (long long)fan_contact_count, (long long)failures);
    printf("%lld of %lld leaves did not move; %lld tangles, %lld fans of theirs clean, %lld with "
           "a vertex of too many, %lld that "
           "self-intersect\n",
           (long long)unchanged_count, (long long)leaf_count, (long long)tangle_count,
           (long long)tangle_clean_count, (long long)heavy_count, (long long)tangle_contact_count);
    /* A test without cases is none: much is known, and much intersects. */
    if (clean_count < vertex_fan_count / 2 || unchanged_count < leaf_count / 8 ||
        contact_count < pose_count / 4 || clean_fan_count < fan_count / 8 ||
        fan_contact_count < fan_count / 8 || tangle_clean_count < tangle_count ||
        heavy_count < tangle_count / 32) {
        fprintf(stderr, "test_self: too few cases were tested\n");
        failures++;
    }
    if (workers.count > 0)
        test_workers_end(&workers);
    return failures ? 1 : 0;
}
