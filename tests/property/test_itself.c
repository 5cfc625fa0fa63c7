/* Bodies with themselves: random meshes in random poses, three ways.
 *
 * usage: test_itself [--poses N] [--seed S]
 *
 * The answer of a body that is posed by weights, joints and a transform, of which the library knows
 * which parts cannot meet themselves; the answer of the same shape with those vertices given, of
 * which it knows nothing; and brute force over all pairs. All three must be the same, pair by pair.
 * Poses go from none to far beyond what anything survives, so that many are at the verge of
 * meeting.
 *
 * And what it claims to know, by itself: for each leaf that has a bound, that the vertices do what
 * the bound says; and for two triangles, that moving their corners by as much as their firmness
 * allows never makes them meet.
 */
#include "pose/calm.h"
#include "scenes.h"
#include "tube.h"
#include "world/world.h"
#include <pliant/pliant.h>

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
} Actor;

static SceneRandom random_state;
static int64_t failures, pose_count, contact_count, calm_count, bound_count, pair_count;
static int64_t curve_count;
static double tightest_bound;

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
    fprintf(stderr, "test_itself: %s: %s\n", what, pliant_result_name(result));
    exit(1);
}

static void fail(const char *what, uint64_t seed)
{
    if (failures++ < 10)
        fprintf(stderr, "test_itself: %s (seed %llu)\n", what, (unsigned long long)seed);
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

/* Most are of a size that one meets; some are as far from the origin as floats bear, and some so
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
    def.vertices = (PliantVertices){actor->mesh.vertices, actor->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){actor->mesh.triangles, actor->mesh.triangle_count};
    def.tree_leaf_size = chance(2) ? 16 : 1 + (int)scene_random_below(&random_state, 16);
    if (actor->has_joints)
        def.skin = (PliantSkin){JOINTS, INFLUENCES, actor->joints, actor->weights};
    for (int t = 0; t < TARGETS && actor->has_targets; t++)
        targets[t] = (PliantTarget){{actor->targets[t], actor->mesh.vertex_count, 0}, NULL};
    def.targets = targets;
    def.target_count = actor->has_targets ? TARGETS : 0;
    must(pliant_shape_create(&def, &actor->shape), "shape");
}

static Actor make_actor(void)
{
    Actor actor = {.mesh = any_mesh(), .has_joints = !chance(3), .has_targets = chance(2)};
    actor.vertices = scene_allocate(3 * (size_t)actor.mesh.vertex_count, sizeof(float));
    make_skin(&actor);
    make_targets(&actor);
    resize(&actor);
    make_shape(&actor);
    must(pliant_world_create(NULL, &actor.world), "world");
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
static PliantTransform any_map(const Actor *actor, double bend, const double first[3])
{
    PliantTransform map;
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
    scene_set_rows(rows, position, map.rows);
    return map;
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
    PliantTransform joints[JOINTS];
    float weights[TARGETS];
    bool is_one = chance(8), is_shift = chance(4), is_stretch = chance(6);
    any_first(first);
    for (int j = 0; j < JOINTS; j++) {
        joints[j] = is_one && j > 0 ? joints[0] : any_map(actor, bend, first);
        if (is_shift) { /* no turn: weights alone bend */
            PliantTransform still = pliant_transform_identity();
            for (int k = 0; k < 3; k++)
                still.rows[k][3] = (float)(uniform(-bend, bend) * 0.3 * actor->unit);
            joints[j] = still;
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
    PliantTransform place = chance(2) ? pliant_transform_identity() : any_map(actor, 3, none);
    if (chance(8) && actor->unit < 1e30)
        place.rows[scene_random_below(&random_state, 3)][3] += (float)(1e5 * actor->unit);
    must(pliant_body_set_transform(actor->world, actor->posed, &place), "transform");
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
                !pliant_triangles_meet_beyond_shared(a, actor->mesh.triangles + 3 * (size_t)i, b,
                                                     actor->mesh.triangles + 3 * (size_t)j))
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
    PliantContacts one;
    must(pliant_body_collide_itself(actor->world, actor->posed, PLIANT_ANY_PAIR, &one), "any");
    bool is_there = one.count == 0;
    for (int64_t i = 0; i < count && one.count == 1; i++)
        is_there |= all[i].triangle_a == one.items[0].triangle_a &&
                    all[i].triangle_b == one.items[0].triangle_b;
    if (one.count != (count > 0) || !is_there)
        fail("one pair is not among all", seed);
}

static void check_answers(Actor *actor, uint64_t seed)
{
    PliantContacts found;
    PliantStats stats;
    must(pliant_body_collide_itself(actor->world, actor->posed, PLIANT_ALL_PAIRS, &found), "posed");
    int64_t count = found.count;
    PliantContact *contacts = scene_allocate((size_t)count + 1, sizeof *contacts);
    if (count > 0)
        memcpy(contacts, found.items, (size_t)count * sizeof *contacts);
    must(pliant_body_stats(actor->world, actor->posed, &stats), "stats");
    int64_t leaf_pairs = stats.leaf_pairs;
    must(pliant_body_vertices(actor->world, actor->posed, actor->vertices), "vertices");
    if (!is_right(actor, contacts, count))
        fail("posed: not the answer of brute force", seed);
    check_one(actor, count, contacts, seed);

    PliantVertices vertices = {actor->vertices, actor->mesh.vertex_count, 0};
    must(pliant_body_set_vertices(actor->world, actor->given, vertices), "given");
    must(pliant_body_collide_itself(actor->world, actor->given, PLIANT_ALL_PAIRS, &found), "given");
    bool is_same = found.count == count;
    for (int64_t i = 0; i < count && is_same; i++)
        is_same = found.items[i].triangle_a == contacts[i].triangle_a &&
                  found.items[i].triangle_b == contacts[i].triangle_b;
    if (!is_same)
        fail("given: not the answer of the posed body", seed);
    must(pliant_body_stats(actor->world, actor->given, &stats), "stats");
    calm_count += 2 * leaf_pairs <= stats.leaf_pairs;
    contact_count += count;
    pose_count++;
    free(contacts);
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* Do two vertices do what the bend of a leaf says? |moved difference - A difference| <= (L + M r)
 * difference, with r how far their middle is from the centre. */
static void check_two(const Actor *actor, const PliCalmLeaf *leaf, const PliBend *bend, size_t v,
                      size_t w, uint64_t seed)
{
    long double square = 0, apart = 0, middle = 0, rest[3], moved[3];
    if (v == w)
        return;
    for (size_t k = 0; k < 3; k++) {
        long double p = actor->mesh.vertices[3 * v + k], q = actor->mesh.vertices[3 * w + k];
        rest[k] = p - q;
        moved[k] = (long double)actor->vertices[3 * v + k] - actor->vertices[3 * w + k];
        apart += rest[k] * rest[k];
        long double off = (p + q) / 2 - (long double)leaf->centre[k];
        middle += off * off;
    }
    for (int k = 0; k < 3; k++) {
        long double off = moved[k] - (bend->a[k][0] * rest[0] + bend->a[k][1] * rest[1] +
                                      bend->a[k][2] * rest[2]);
        square += off * off;
    }
    double allowed = bend->most + bend->curve * (double)sqrtl(middle);
    double used = (double)sqrtl(square / apart) / allowed;
    bound_count++;
    tightest_bound = used > tightest_bound ? used : tightest_bound;
    if (!(used <= 1))
        fail("vertices do not keep to the bend", seed);
}

static const uint32_t *corners_at(const Actor *actor, const PliTree *tree, int32_t position)
{
    return actor->mesh.triangles + 3 * (size_t)tree->order[position];
}

/* How many corners of a triangle a leaf has; and those that it does not have. */
static int corners_in(const Actor *actor, const PliTree *tree, PliRange leaf,
                      const uint32_t corners[3], uint32_t others[3])
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        bool is_there = false;
        for (int32_t i = 0; i < 3 * leaf.count; i++)
            is_there |= corners_at(actor, tree, leaf.first + i / 3)[i % 3] == corners[k];
        others[k - count] = corners[k];
        count += is_there;
    }
    return count;
}

/* The vertices of a leaf with those of one near it; and of a triangle there that has one in common
 * with the leaf, the others. */
static void check_bend(const Actor *actor, const PliShaped *shaped, int32_t number, uint64_t seed)
{
    const PliCalmLeaf *leaf = &shaped->calm->leaves[number];
    const PliTree *tree = &shaped->shape->tree;
    const PliCalmNear *near = (const PliCalmNear *)shaped->calm->nears.items + leaf->near_first;
    PliBend bend;
    if (!(leaf->firmness > 0))
        return;
    pli_calm_bend(shaped->calm, shaped, number, &bend);
    const uint32_t which = scene_random_below(&random_state, (uint32_t)leaf->near_count);
    const PliRange own = tree->leaves[number], other = tree->leaves[near[which].leaf];
    for (int32_t j = 0; j < other.count; j++) {
        const uint32_t *corners = corners_at(actor, tree, other.first + j);
        uint32_t others[3];
        if (corners_in(actor, tree, own, corners, others) == 1)
            check_two(actor, leaf, &bend, others[0], others[1], seed);
        for (int32_t i = 0; i < 9 * own.count; i++)
            check_two(actor, leaf, &bend, corners_at(actor, tree, own.first + i / 9)[i % 3],
                      corners[i / 3 % 3], seed);
    }
}

static double distance_between(const Actor *actor, size_t v, size_t w)
{
    double square = 0;
    for (size_t k = 0; k < 3; k++) {
        double d = (double)actor->mesh.vertices[3 * v + k] - actor->mesh.vertices[3 * w + k];
        square += d * d;
    }
    return sqrt(square);
}

/* Pairs that are always looked at: no firmness is said of them. */
static bool is_suspect(const PliCalm *calm, const PliCalmNear *near, int32_t i, int32_t j)
{
    const uint8_t *places = (const uint8_t *)calm->suspects.items + 2 * (size_t)near->first;
    for (int32_t s = 0; s < near->count; s++)
        if ((places[2 * s] == i && places[2 * s + 1] == j) ||
            (places[2 * s] == j && places[2 * s + 1] == i))
            return true;
    return false;
}

/* Is a leaf said to be firmer than these two triangles of it, if they share nothing? They are no
 * farther apart than two of their corners. */
static void check_firm(const Actor *actor, const PliCalmLeaf *leaf, const uint32_t *s,
                       const uint32_t *t, uint64_t seed)
{
    double apart = INFINITY, longest[2] = {0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (s[i] == t[j])
                return;
            double d = distance_between(actor, s[i], t[j]);
            double a = distance_between(actor, s[i], s[j]), b = distance_between(actor, t[i], t[j]);
            apart = d < apart ? d : apart;
            longest[0] = a > longest[0] ? a : longest[0];
            longest[1] = b > longest[1] ? b : longest[1];
        }
    double h = longest[0] * longest[0] + longest[1] * longest[1];
    if (leaf->firmness * sqrt(1 + h / (3 * apart * apart)) > 1 + 1e-6 ||
        leaf->bulge < h / (6 * apart) * (1 - 1e-6))
        fail("a leaf is said to be firmer than it is", seed);
}

static void check_firmness(const Actor *actor, const PliShaped *shaped, int32_t number,
                           uint64_t seed)
{
    const PliCalmLeaf *leaf = &shaped->calm->leaves[number];
    const PliTree *tree = &shaped->shape->tree;
    const PliCalmNear *near = (const PliCalmNear *)shaped->calm->nears.items + leaf->near_first;
    const PliRange own = tree->leaves[number];
    for (int32_t n = 0; n < leaf->near_count && leaf->firmness > 0; n++) {
        const PliRange other = tree->leaves[near[n].leaf];
        for (int32_t i = own.first; i < own.first + own.count; i++)
            for (int32_t j = other.first; j < other.first + other.count; j++)
                if (!is_suspect(shaped->calm, &near[n], i - own.first, j - other.first))
                    check_firm(actor, leaf, actor->mesh.triangles + 3 * (size_t)tree->order[i],
                               actor->mesh.triangles + 3 * (size_t)tree->order[j], seed);
    }
}

static void check_bends(const Actor *actor, uint64_t seed)
{
    const PliBody *bodies = actor->world->bodies.items;
    const PliShaped *shaped = (const PliShaped *)&bodies[actor->posed.index - 1].pose;
    for (int32_t leaf = 0; leaf < shaped->shape->tree.leaf_count; leaf++)
        if (chance(4))
            check_bend(actor, shaped, leaf, seed);
        else if (chance(16))
            check_firmness(actor, shaped, leaf, seed);
}

/* ---- Firmness of two triangles --------------------------------------------------------------- */

/* How a triangle pqr stands on its edge pq: what is across that of the way from p to r. */
static void stand(const double *p, const double *q, const double *r, double up[3])
{
    double along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        along += (r[k] - p[k]) * (q[k] - p[k]);
        square += (q[k] - p[k]) * (q[k] - p[k]);
    }
    for (int k = 0; k < 3; k++)
        up[k] = r[k] - p[k] - along / square * (q[k] - p[k]);
}

/* Two triangles with the edge of vertices 0 and 1 in common are folded flat just for a moment: does
 * that come, as they go from rest to where they are moved? Then one is on the other side, and both
 * stand on one side of the edge still. */
static bool folds(const float rest[18], const float moved[18])
{
    enum { STEPS = 64 };
    double last = 0;
    for (int step = 0; step <= STEPS; step++) {
        double at[6][3], up[3], other[3], volume = 0, same = 0;
        for (int i = 0; i < 18; i++)
            at[i / 3][i % 3] = rest[i] + ((double)moved[i] - rest[i]) * step / STEPS;
        stand(at[0], at[1], at[2], up);
        stand(at[0], at[1], at[5], other);
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            volume += (at[1][k] - at[0][k]) * (up[l] * other[m] - up[m] * other[l]);
            same += up[k] * other[k];
        }
        if (same > 0 && volume * last < 0)
            return true;
        last = same > 0 ? volume : 0;
    }
    return false;
}

/* The greatest L that a leaf allows where all else stays as it is. */
static double most_allowed(const PliCalmLeaf *leaf)
{
    double low = 0, high = 1;
    for (int step = 0; step < 40; step++) {
        PliBend bend = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0, (low + high) / 2};
        *(pli_calm_allows(leaf, &bend) ? &low : &high) = bend.most;
    }
    return low;
}

/* Two triangles that share some corners, clean at rest; and their corners moved as far as K allows,
 * in whichever way: all towards the other one, or each anywhere. */
static void check_pair(uint64_t seed)
{
    uint32_t shared = scene_random_below(&random_state, 3);
    uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    for (uint32_t i = 0; i < shared; i++)
        triangles[3 + i] = i;
    float rest[18], moved[18], a[9], b[9];
    double size = uniform(0.05, 1), off = uniform(0, 2);
    for (int i = 0; i < 18; i++)
        rest[i] =
            (float)(uniform(-1, 1) * (shared == 0 ? size : 1) + (i > 8 && i % 3 == 0 ? off : 0));
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){rest, 6, 0};
    def.triangles = (PliantTriangles){triangles, 2};
    PliantShape *shape;
    PliCalm *calm;
    PliantHost host;
    must(pli_host_resolve(NULL, &host), "host");
    must(pliant_shape_create(&def, &shape), "shape");
    must(pli_calm_create(shape, &host, &calm), "calm");
    const bool is_known = calm->leaves[0].firmness > 0 && calm->suspects.count == 0;
    const double firmness = is_known ? most_allowed(&calm->leaves[0]) : 0;
    for (int trial = 0; trial < 40 && firmness > 0; trial++) {
        double moves[6][3], towards[3], most = 0, wild = trial % 4 == 0 ? 1 : uniform(0, 0.3);
        for (int k = 0; k < 3; k++)
            towards[k] = uniform(-1, 1);
        for (int v = 0; v < 6; v++)
            for (int k = 0; k < 3; k++)
                moves[v][k] = (v < (int)shared ? 0
                               : v < 3         ? 1
                                               : -1) *
                                  towards[k] +
                              wild * uniform(-1, 1);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < i; j++) {
                size_t v = triangles[i], w = triangles[j];
                double square = 0, apart = 0;
                for (size_t k = 0; k < 3; k++) {
                    double p = (double)rest[3 * v + k] - rest[3 * w + k],
                           e = moves[v][k] - moves[w][k];
                    apart += p * p;
                    square += e * e;
                }
                if (v != w && square > most * apart)
                    most = square / apart;
            }
        for (int i = 0; i < 18; i++)
            moved[i] = (float)(rest[i] + 0.999 * firmness / sqrt(most) * moves[i / 3][i % 3]);
        for (int i = 0; i < 3; i++) {
            memcpy(a + 3 * i, moved + 3 * (size_t)triangles[i], 3 * sizeof(float));
            memcpy(b + 3 * i, moved + 3 * (size_t)triangles[3 + i], 3 * sizeof(float));
        }
        pair_count++;
        if (pliant_triangles_meet_beyond_shared(a, triangles, b, triangles + 3) ||
            (shared == 2 && folds(rest, moved)))
            fail("two triangles meet though they are firm", seed);
    }
    pli_calm_free(calm, shape, &host);
    pliant_shape_release(shape);
}

/* ---- Two triangles that bend -------------------------------------------------------------------
 */

/* Two triangles of one leaf or of two, that share some corners. */
typedef struct Two {
    uint32_t triangles[6], shared;
    float rest[18];
    PliantShape *shape;
    PliCalm *calm;
} Two;

static Two any_two(const PliantHost *host)
{
    Two two = {.triangles = {0, 1, 2, 3, 4, 5}, .shared = scene_random_below(&random_state, 3)};
    for (uint32_t i = 0; i < two.shared; i++)
        two.triangles[3 + i] = i;
    double size = uniform(0.05, 1), off = uniform(0, 3);
    for (int i = 0; i < 18; i++)
        two.rest[i] = (float)(uniform(-1, 1) * (two.shared == 0 ? size : 1) +
                              (i > 8 && i % 3 == 0 ? off : 0));
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){two.rest, 6, 0};
    def.triangles = (PliantTriangles){two.triangles, 2};
    def.tree_leaf_size = chance(2) ? 1 : 16;
    must(pliant_shape_create(&def, &two.shape), "shape");
    must(pli_calm_create(two.shape, host, &two.calm), "calm");
    return two;
}

/* The direction from a point of one triangle to one of the other, along which they come together.
 */
static void across_two(const Two *two, double direction[3])
{
    double square = 0, weights[6];
    for (int i = 0; i < 6; i++)
        weights[i] = uniform(0, 1) * uniform(0, 1);
    double sums[2] = {weights[0] + weights[1] + weights[2], weights[3] + weights[4] + weights[5]};
    for (size_t k = 0; k < 3; k++) {
        direction[k] = 0;
        for (size_t i = 0; i < 6; i++)
            direction[k] +=
                (i < 3 ? -1 : 1) * weights[i] / sums[i / 3] * two->rest[3 * two->triangles[i] + k];
        square += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] /= sqrt(square);
}

/* They are squeezed along a direction, A = 1 - (1 - squeeze) n n', and bent along it as far as the
 * leaf allows: x goes to A u + curve / 2 (m . u)^2 n, with u = x - centre. */
static void check_curve(const PliantHost *host, uint64_t seed)
{
    Two two = any_two(host);
    for (int trial = 0; trial < 40; trial++) {
        const int32_t leaves = two.shape->tree.leaf_count;
        const PliCalmLeaf *leaf =
            &two.calm->leaves[scene_random_below(&random_state, (uint32_t)leaves)];
        if (!(leaf->firmness > 0) || leaf->near_count < leaves || two.calm->suspects.count > 0)
            continue;
        PliBend bend = {{{0}}, 0, 0};
        double n[3], m[3], squeeze = uniform(0.01, 1), low = 0, high = 100;
        float moved[18], a[9], b[9];
        across_two(&two, n);
        across_two(&two, m);
        if (chance(2))
            memcpy(m, n, sizeof m);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                bend.a[i][j] = (i == j) - (1 - squeeze) * n[i] * n[j];
        for (int step = 0; step < 40; step++) {
            bend.curve = (low + high) / 2;
            *(pli_calm_allows(leaf, &bend) ? &low : &high) = bend.curve;
        }
        const double turn = chance(2) ? 1 : -1;
        for (size_t i = 0; i < 18; i++) {
            const float *x = two.rest + i - i % 3;
            double u[3], along = 0, bent = 0;
            for (int k = 0; k < 3; k++) {
                u[k] = (double)x[k] - leaf->centre[k];
                along += n[k] * u[k];
                bent += m[k] * u[k];
            }
            moved[i] = (float)(u[i % 3] + n[i % 3] * (turn * 0.9999 * low / 2 * bent * bent -
                                                      (1 - squeeze) * along));
        }
        for (size_t i = 0; i < 3; i++) {
            memcpy(a + 3 * i, moved + 3 * (size_t)two.triangles[i], 3 * sizeof(float));
            memcpy(b + 3 * i, moved + 3 * (size_t)two.triangles[3 + i], 3 * sizeof(float));
        }
        curve_count++;
        if (pliant_triangles_meet_beyond_shared(a, two.triangles, b, two.triangles + 3))
            fail("two triangles meet though they bend as little as they may", seed);
    }
    pli_calm_free(two.calm, two.shape, host);
    pliant_shape_release(two.shape);
}

int main(int argc, char **argv)
{
    int64_t poses = 2000;
    uint64_t seed = 1;
    PliantHost host;
    must(pli_host_resolve(NULL, &host), "host");
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--poses") == 0)
            poses = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = (uint64_t)atoll(argv[i + 1]);
    }
    for (int64_t i = 0; i < poses && failures < 10; i += 8) {
        uint64_t here = seed * 1000003 + (uint64_t)i;
        random_state = (SceneRandom){here};
        Actor actor = make_actor();
        for (int k = 0; k < 8; k++) {
            pose(&actor);
            check_answers(&actor, here);
            check_bends(&actor, here);
        }
        free_actor(&actor);
        for (int k = 0; k < 40; k++)
            check_pair(here);
        for (int k = 0; k < 40; k++)
            check_curve(&host, here);
    }
    printf("%lld poses, %lld of them calm, %lld contacts; %lld bounds, %.3f of one used; "
           "%lld pairs of triangles, and %lld bent; %lld failed\n",
           (long long)pose_count, (long long)calm_count, (long long)contact_count,
           (long long)bound_count, tightest_bound, (long long)pair_count, (long long)curve_count,
           (long long)failures);
    /* A test that looks at nothing is none: in some poses most is known, in others much meets. */
    if (calm_count < pose_count / 20 || contact_count < pose_count / 4) {
        fprintf(stderr, "test_itself: too little was looked at\n");
        failures++;
    }
    return failures ? 1 : 0;
}
