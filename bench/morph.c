/* pliant-bench morph: what bodies that morph cost with each kind of bound, with bounds between
 * references, and with trees made for one reference or another.
 *
 * Two bodies that pass through each other and twelve dolphins of 36,096 triangles, after the two
 * experiments of Larsson and Akenine-Moller 2003. Each step goes through all ways in turn. Timed
 * are the setting of weights and transforms and the query; times and counts are averages over the
 * steps. */
#include "experiments.h"
#include <pliant/pliant.h>
#include <pliant/world.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_BODIES = SCENE_DOLPHINS, TARGETS = 3, MAX_WAYS = 16, ROUNDS = 5 };

/* ---- Ways -------------------------------------------------------------------------------- */

/* How a shape is made. */
typedef struct Way {
    const char *name;
    PliantBoundKind bound_kind;
    int32_t between_count;
    float tree_weights[TARGETS]; /* all zero: the default */
    bool is_for_two;             /* makes sense where two references are blended at a time */
} Way;

static const Way ways[] = {
    {"box", PLIANT_BOUND_BOX, 0, {0}, false},
    {"dop14", PLIANT_BOUND_DOP14, 0, {0}, false},
    {"dop18", PLIANT_BOUND_DOP18, 0, {0}, false},
    {"sphere", PLIANT_BOUND_SPHERE, 0, {0}, false},
    {"box-between-1", PLIANT_BOUND_BOX, 1, {0}, true},
    {"box-between-3", PLIANT_BOUND_BOX, 3, {0}, true},
    {"dop18-between-1", PLIANT_BOUND_DOP18, 1, {0}, true},
    {"dop18-between-3", PLIANT_BOUND_DOP18, 3, {0}, true},
    {"tree-first", PLIANT_BOUND_DOP18, 0, {1, 0, 0}, false},
    {"tree-second", PLIANT_BOUND_DOP18, 0, {0, 1, 0}, false},
    {"tree-third", PLIANT_BOUND_DOP18, 0, {0, 0, 1}, false},
    {"tree-average", PLIANT_BOUND_DOP18, 0, {1 / 3.f, 1 / 3.f, 1 / 3.f}, false},
};

static PliantShape *make_shape(const SceneMorph *morph, const Way *way)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    experiments.bound_kind = way->bound_kind;
    def.between_count = way->between_count;
    const float *w = way->tree_weights;
    def.tree_weights = w[0] + w[1] + w[2] > 0 ? w : NULL;
    return bench_morph_shape(morph, def);
}

/* ---- Scenes ------------------------------------------------------------------------------ */

/* All bodies at a step, for everyone. */
typedef struct Pose {
    int body_count;
    float weights[MAX_BODIES][TARGETS];
    PliantTransform transforms[MAX_BODIES];
} Pose;

typedef struct Scene {
    const char *name;
    SceneMorph morph;
    int step_count;
    bool has_two; /* references at a time */
    void (*go_to)(int step, Pose *pose);
} Scene;

static void go_to_passing(int step, Pose *pose)
{
    pose->body_count = 2;
    for (int body = 0; body < 2; body++) {
        scene_passing_weights(step, pose->weights[body]);
        scene_passing_rows(body, step, pose->transforms[body].rows);
    }
}

static void go_to_dolphins(int step, Pose *pose)
{
    pose->body_count = SCENE_DOLPHINS;
    for (int body = 0; body < SCENE_DOLPHINS; body++) {
        scene_dolphin_weights(body, step, pose->weights[body]);
        scene_dolphin_rows(body, step, pose->transforms[body].rows);
    }
}

/* ---- Runs -------------------------------------------------------------------------------- */

/* A world whose bodies are made in one way, and what it took so far. */
typedef struct Entrant {
    const Way *way;
    const Pose *pose;
    PliantWorld *world;
    PliantBody bodies[MAX_BODIES];
    size_t byte_size; /* of the shape */
    PliantCollideKind query;
    int64_t contact_count; /* in the last query */
    double seconds[2];     /* of all pairs, and of first pairs */
    PliantStats sums;      /* of all pairs */
} Entrant;

static Entrant make_entrant(const Scene *scene, const Pose *pose, const Way *way)
{
    Entrant entrant = {.way = way, .pose = pose};
    PliantShape *shape = make_shape(&scene->morph, way);
    entrant.byte_size = bench_shape_info(shape).byte_size;
    bench_must(pliant_world_create(NULL, &entrant.world));
    for (int i = 0; i < pose->body_count; i++)
        bench_must(pliant_body_create(entrant.world, shape, &entrant.bodies[i]));
    pliant_shape_release(shape);
    return entrant;
}

/* What is timed. */
static void run_entrant(void *data)
{
    Entrant *entrant = data;
    for (int i = 0; i < entrant->pose->body_count; i++) {
        bench_must(pliant_body_set_weights(entrant->world, entrant->bodies[i],
                                           entrant->pose->weights[i], TARGETS));
        bench_must(pliant_body_set_transform(entrant->world, entrant->bodies[i],
                                             &entrant->pose->transforms[i]));
    }
    PliantContacts contacts = pliant_contacts_default();
    const PliantCollideDef def = bench_query(entrant->query);
    bench_must(pliant_world_collide(entrant->world, &def, &contacts));
    entrant->contact_count = contacts.count;
}

static void add_stats(Entrant *entrant)
{
    PliantStats stats = pliant_stats_default(), *sums = &entrant->sums;
    bench_must(pliant_world_stats(entrant->world, &stats));
    sums->nodes_updated += stats.nodes_updated;
    sums->node_pairs += stats.node_pairs;
    sums->leaf_pairs += stats.leaf_pairs;
    sums->leaves_evaluated += stats.leaves_evaluated;
    sums->vertices_evaluated += stats.vertices_evaluated;
    sums->triangle_tests += stats.triangle_tests;
}

/* One step by all ways; false if they differ. */
static bool run_step(Entrant *entrants, int count)
{
    bool is_fine = true;
    for (int query = 0; query < 2; query++) {
        BenchTurn turns[MAX_WAYS];
        for (int i = 0; i < count; i++) {
            entrants[i].query = query == 0 ? PLIANT_ALL_PAIRS : PLIANT_FIRST_PAIRS;
            turns[i] = (BenchTurn){entrants[i].way->name, run_entrant, &entrants[i], 0};
        }
        bench_turns(turns, count, ROUNDS);
        for (int i = 0; i < count; i++) {
            entrants[i].seconds[query] += turns[i].median;
            is_fine &= entrants[i].contact_count == entrants[0].contact_count;
            if (query == 0)
                add_stats(&entrants[i]);
        }
    }
    return is_fine;
}

static void print_entrant(const Scene *scene, const Entrant *entrant, double steps)
{
    const PliantStats *sums = &entrant->sums;
    const double all = 1e3 * entrant->seconds[0] / steps, first = 1e3 * entrant->seconds[1] / steps;
    printf("  %-16s %9.4f %9.4f %9.0f %9.0f %9.0f %9.0f %9.0f %9.0f %8.2f\n", entrant->way->name,
           all, first, (double)sums->nodes_updated / steps, (double)sums->node_pairs / steps,
           (double)sums->leaf_pairs / steps, (double)sums->leaves_evaluated / steps,
           (double)sums->vertices_evaluated / steps, (double)sums->triangle_tests / steps,
           1e-6 * (double)entrant->byte_size);
    char key[96];
    snprintf(key, sizeof key, "morph.%s.%s.all", scene->name, entrant->way->name);
    bench_figure(key, all, "ms");
    snprintf(key, sizeof key, "morph.%s.%s.first", scene->name, entrant->way->name);
    bench_figure(key, first, "ms");
}

static int enter(const Scene *scene, const Pose *pose, Entrant *entrants)
{
    int count = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (scene->has_two || !ways[i].is_for_two)
            entrants[count++] = make_entrant(scene, pose, &ways[i]);
    return count;
}

static int run_scene(Scene *scene, int stride)
{
    static Pose pose;
    static Entrant entrants[MAX_WAYS];
    scene->go_to(0, &pose);
    const int count = enter(scene, &pose, entrants);
    bool is_fine = true;
    int steps = 0;
    for (int step = 0; step < scene->step_count; step += stride, steps++) {
        scene->go_to(step, &pose);
        is_fine &= run_step(entrants, count);
    }
    printf("%s: %d bodies of %" PRId32 " triangles, averages over %d steps%s\n", scene->name,
           pose.body_count, scene->morph.mesh.triangle_count, steps,
           is_fine ? "" : "  DIFFERENT PAIRS");
    printf("  %-16s %9s %9s %9s %9s %9s %9s %9s %9s %8s\n", "", "all, ms", "first, ms", "nodes",
           "node pr.", "leaf pr.", "leaves", "vertices", "tests", "MB");
    for (int i = 0; i < count; i++) {
        print_entrant(scene, &entrants[i], steps);
        pliant_world_destroy(entrants[i].world);
    }
    scene_morph_free(&scene->morph);
    return is_fine ? 0 : 1;
}

int bench_morph(const BenchOptions *options)
{
    const int stride = options->is_quick ? 40 : 4;
    Scene passing = {"passing", scene_passing(), SCENE_PASSING_STEPS, true, go_to_passing};
    int failed = run_scene(&passing, stride);
    Scene dolphins = {"dolphins36k", scene_dolphin(3), SCENE_DOLPHIN_STEPS, false, go_to_dolphins};
    return failed | run_scene(&dolphins, stride);
}
