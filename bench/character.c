/* pliant-bench character: the tables of Mujika, Oyarzun, Arrieta and Carretero, "Real time accurate
 * collision detection for virtual characters", with this library; how often approximate answers are
 * wrong; and what a thousand people take.
 *
 * The tables count operations as the paper does: 10 for two spheres, 96 for two triangles, 30 for a
 * sphere and a plane. For that, bodies are bounded by spheres and have one triangle a leaf; each
 * number is the greatest of all frames in which somebody walks close to a wall and touches
 * nothing. */
#include "experiments.h"
#include <pliant/pliant.h>
#include <pliant/world.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Scenes ------------------------------------------------------------------------------ */

/* How shapes are made: as users do, or as the tables ask for. */
typedef struct Way {
    const char *name;
    bool is_paper; /* spheres, and one triangle a leaf */
    PliantDivideKind divide_kind;
    float divide_size;
    uint32_t approximations;
} Way;

static PliantShapeDef def_of(const SceneMesh *mesh, const Way *way, PliantExperiments *experiments)
{
    PliantShapeDef def = pliant_shape_def_default();
    *experiments = pliant_experiments_default();
    def.experiments = experiments;
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    if (way->is_paper) {
        experiments->bound_kind = PLIANT_BOUND_SPHERE;
        experiments->tree_leaf_size = 1;
    }
    return def;
}

static PliantShape *room_shape(const SceneMesh *room, const Way *way)
{
    PliantExperiments experiments;
    PliantShapeDef def = def_of(room, way, &experiments);
    def.divide_kind = way->divide_kind;
    def.divide_size = way->divide_size;
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

static PliantShape *avatar_shape(const SceneSkin *skin, const Way *way)
{
    PliantExperiments experiments;
    PliantShapeDef def = def_of(&skin->mesh, way, &experiments);
    def.skin = &(PliantSkin){sizeof(PliantSkin), skin->joint_count, skin->influence_count,
                             skin->joints, skin->weights};
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

/* Somebody, by shapes made in both ways, which all meetings share, and a room. */
typedef struct Scene {
    SceneSkin skin;
    PliantShape *avatars[2]; /* as users make it, and as the tables ask for */
    SceneRoom name;
    const char *key;
    SceneMesh room;
} Scene;

/* Somebody in a room. */
typedef struct Intersecting {
    PliantWorld *world;
    PliantBody avatar, room;
    PliantShapeInfo info; /* of the room */
} Intersecting;

static Intersecting make_intersecting(const Scene *scene, const Way *way)
{
    Intersecting intersecting;
    PliantShape *somebody = scene->avatars[way->is_paper], *around = room_shape(&scene->room, way);
    bench_must(pliant_world_create(NULL, &intersecting.world));
    bench_must(pliant_body_create(intersecting.world, somebody, &intersecting.avatar));
    bench_must(pliant_body_create(intersecting.world, around, &intersecting.room));
    intersecting.info = bench_shape_info(around);
    pliant_shape_release(around);
    return intersecting;
}

/* Where somebody is, at a step. */
typedef struct Stance {
    PliantTransform joints[SCENE_AVATAR_JOINTS], transform;
} Stance;

/* Rows, as scenes want them. */
static float (*rows_of(PliantTransform *transforms))[3][4]
{
    _Static_assert(sizeof(PliantTransform) == sizeof(float[3][4]), "nothing but the rows");
    return (float(*)[3][4])transforms;
}

static void go_to(const Scene *scene, int step, Stance *stance)
{
    scene_walk_pose(&scene->skin, scene->name, step, rows_of(stance->joints),
                    stance->transform.rows);
}

static void take(const Intersecting *intersecting, const Stance *stance)
{
    bench_must(pliant_body_set_joints(intersecting->world, intersecting->avatar, stance->joints,
                                      SCENE_AVATAR_JOINTS));
    bench_must(
        pliant_body_set_transform(intersecting->world, intersecting->avatar, &stance->transform));
}

static PliantContacts intersect(const Intersecting *intersecting, uint32_t approximations)
{
    PliantContacts contacts = pliant_contacts_default();
    PliantCollideDef def = bench_query(PLIANT_ALL_PAIRS);
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    experiments.approximations = approximations;
    bench_must(pliant_world_collide(intersecting->world, &def, &contacts));
    return contacts;
}

/* ---- Spheres by level: table 1 ------------------------------------------------------------- */

enum { LEVELS = 7 };

/* The pieces of one triangle that is divided so often. */
static int32_t piece_count(PliantDivideKind kind, int times)
{
    static float vertices[] = {0, 0, 0, 1, 0, 0, 0.5f, 0.86f, 0};
    static uint32_t triangle[] = {0, 1, 2};
    const SceneMesh mesh = {vertices, triangle, 3, 1};
    const Way way = {"", true, kind, 1.01f / (float)(1 << times), 0};
    PliantShape *shape = room_shape(&mesh, &way);
    const int32_t count = bench_shape_info(shape).piece_count;
    pliant_shape_release(shape);
    return count;
}

/* A piece that is divided becomes four, three more than before: that tells how many there are in
 * the next level. */
static void print_levels(const char *name, PliantDivideKind kind, const int32_t *expected,
                         bool *is_fine)
{
    printf("  %-12s", name);
    for (int level = 0, before = 0; level < LEVELS; level++) {
        const int32_t pieces = piece_count(kind, level);
        const int32_t spheres = level == 0 ? pieces : (pieces - before) / 3 * 4;
        printf(" %6" PRId32, spheres);
        *is_fine &= spheres == expected[level];
        before = pieces;
    }
    printf("\n");
}

static int run_levels(void)
{
    static const int32_t corners[LEVELS] = {1, 4, 12, 36, 84, 180, 372};
    static const int32_t quarters[LEVELS] = {1, 4, 16, 64, 256, 1024, 4096};
    bool is_fine = true;
    printf("table 1: spheres in each level\n");
    print_levels("corner-tree", PLIANT_DIVIDE_CORNERS, corners, &is_fine);
    print_levels("quaternary", PLIANT_DIVIDE_QUARTERS, quarters, &is_fine);
    printf("  %s\n", is_fine ? "as in the paper" : "NOT AS IN THE PAPER");
    return is_fine ? 0 : 1;
}

/* ---- Operations: tables 2 and 3 ------------------------------------------------------------ */

/* In one frame, or the greatest of many. */
typedef struct Counts {
    int64_t spheres, triangles, planes, operations;
} Counts;

static Counts counts_of(const Intersecting *intersecting)
{
    PliantStats stats = pliant_stats_default();
    bench_must(pliant_world_stats(intersecting->world, &stats));
    Counts counts = {stats.bound_tests, stats.leaf_pairs, stats.plane_tests, 0};
    counts.operations = 10 * counts.spheres + 96 * counts.triangles + 30 * counts.planes;
    return counts;
}

static int64_t greater(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static void keep_greater(Counts *counts, Counts other)
{
    counts->spheres = greater(counts->spheres, other.spheres);
    counts->triangles = greater(counts->triangles, other.triangles);
    counts->planes = greater(counts->planes, other.planes);
    counts->operations = greater(counts->operations, other.operations);
}

typedef struct Walked {
    Counts most;
    double milliseconds; /* the longest frame */
    int64_t contact_count;
    PliantShapeInfo info;
} Walked;

static Walked walk(const Scene *scene, const Way *way, int stride)
{
    Intersecting intersecting = make_intersecting(scene, way);
    Walked walked = {.info = intersecting.info};
    Stance stance;
    for (int step = 0; step < SCENE_WALK_CLOSE; step += stride) {
        go_to(scene, step, &stance);
        const double start = bench_seconds();
        take(&intersecting, &stance);
        const PliantContacts contacts = intersect(&intersecting, way->approximations);
        const double time = 1e3 * (bench_seconds() - start);
        walked.milliseconds = time > walked.milliseconds ? time : walked.milliseconds;
        walked.contact_count += contacts.count;
        keep_greater(&walked.most, counts_of(&intersecting));
    }
    pliant_world_destroy(intersecting.world);
    return walked;
}

/* The longest edge that is left alone, where the tables divide. The paper has such a size, and does
 * not say which. Of 0.1 to 3.2 m, this took the least operations. */
#define DIVIDE_SIZE 1.6f

static const Way table_ways[] = {
    {"original", true, PLIANT_DIVIDE_NONE, 0, 0},
    {"quarters", true, PLIANT_DIVIDE_QUARTERS, DIVIDE_SIZE, 0},
    {"corners", true, PLIANT_DIVIDE_CORNERS, DIVIDE_SIZE, 0},
    {"corners-planes", true, PLIANT_DIVIDE_CORNERS, DIVIDE_SIZE, PLIANT_APPROXIMATE_PLANES},
    {"corners-auto", true, PLIANT_DIVIDE_CORNERS, 0, 0},
};
enum { ORIGINAL, QUARTERS, CORNERS, PLANES, AUTO, TABLE_WAYS };

static void print_walked(const char *room, const Way *way, const Walked *walked)
{
    char key[96];
    printf("  %-15s %9.3f %9" PRId32 " %9" PRId64 " %9" PRId64 " %9" PRId64 " %11" PRId64
           " %9.3f %6" PRId64 "\n",
           way->name, 1e-6 * (double)walked->info.byte_size, walked->info.piece_count,
           walked->most.spheres, walked->most.triangles, walked->most.planes,
           walked->most.operations, walked->milliseconds, walked->contact_count);
    snprintf(key, sizeof key, "character.%s.%s.operations", room, way->name);
    bench_figure(key, (double)walked->most.operations, "operations");
    snprintf(key, sizeof key, "character.%s.%s.bytes", room, way->name);
    bench_figure(key, 1e-6 * (double)walked->info.byte_size, "MB");
}

static void print_ratio(const char *what, const char *room, const Walked *before,
                        const Walked *after)
{
    char key[96];
    snprintf(key, sizeof key, "character.%s.%s", what, room);
    bench_figure(key, (double)before->most.operations / (double)after->most.operations, "x");
}

/* False if those who are exact find anything where nothing is touched. */
static bool run_table(const Scene *scene, int way_count, int stride)
{
    const char *key = scene->key;
    Walked walked[TABLE_WAYS];
    bool is_fine = true;
    printf("%s: the most in a frame, close to a wall and touching nothing\n", key);
    printf("  %-15s %9s %9s %9s %9s %9s %11s %9s %6s\n", "", "MB", "pieces", "spheres", "triangles",
           "planes", "operations", "ms", "pairs");
    for (int i = 0; i < way_count; i++) {
        walked[i] = walk(scene, &table_ways[i], stride);
        is_fine &= table_ways[i].approximations != 0 || walked[i].contact_count == 0;
        print_walked(key, &table_ways[i], &walked[i]);
    }
    print_ratio("quarter", key, &walked[ORIGINAL], &walked[QUARTERS]);
    print_ratio("corner", key, &walked[ORIGINAL], &walked[CORNERS]);
    print_ratio("plane", key, &walked[ORIGINAL], &walked[PLANES]);
    if (way_count > AUTO)
        print_ratio("corner_auto", key, &walked[ORIGINAL], &walked[AUTO]);
    if (!is_fine)
        printf("  PAIRS WHERE THERE ARE NONE\n");
    return is_fine;
}

/* ---- Approximate answers ------------------------------------------------------------------- */

typedef struct Mistakes {
    int64_t false_positives, missed, all; /* pairs, exact or approximate */
    int64_t tested; /* pairs of triangles and of planes, in the approximate query */
    int64_t frame_count, wrong_frame_count; /* of these: those with contact taken for none, or */
} Mistakes;                                 /* the other way round */

static int compare_contacts(const PliantContact *x, const PliantContact *y)
{
    if (x->triangle_a != y->triangle_a)
        return x->triangle_a < y->triangle_a ? -1 : 1;
    return (x->triangle_b > y->triangle_b) - (x->triangle_b < y->triangle_b);
}

/* Both are in order. */
static void count_mistakes(const PliantContact *exact, int64_t exact_count,
                           const PliantContacts *found, Mistakes *mistakes)
{
    int64_t i = 0, j = 0;
    while (i < exact_count || j < found->count) {
        const int order = i == exact_count    ? 1
                          : j == found->count ? -1
                                              : compare_contacts(&exact[i], &found->items[j]);
        mistakes->missed += order < 0;
        mistakes->false_positives += order > 0;
        mistakes->all++;
        i += order <= 0;
        j += order >= 0;
    }
    mistakes->frame_count++;
    mistakes->wrong_frame_count += (exact_count > 0) != (found->count > 0);
}

static PliantContact *copy_of(const PliantContacts *contacts)
{
    PliantContact *copy = bench_allocate((size_t)contacts->count, sizeof *copy);
    if (contacts->count > 0)
        memcpy(copy, contacts->items, (size_t)contacts->count * sizeof *copy);
    return copy;
}

static void try_frame(const Intersecting *intersecting, uint32_t approximations, Mistakes *mistakes)
{
    const PliantContacts exact = intersect(intersecting, 0);
    const int64_t exact_count = exact.count;
    PliantContact *copy = copy_of(&exact);
    const PliantContacts found = intersect(intersecting, approximations);
    PliantStats stats = pliant_stats_default();
    bench_must(pliant_world_stats(intersecting->world, &stats));
    mistakes->tested += stats.triangle_tests + stats.plane_tests;
    count_mistakes(copy, exact_count, &found, mistakes);
    free(copy);
}

static void print_mistakes(const char *room, const char *name, const Mistakes *m)
{
    const double all = m->all > 0 ? (double)m->all : 1, tested = (double)(m->tested + !m->tested);
    printf("  %-22s %8" PRId64 " pairs %10" PRId64
           " tests; false positives %8.0f, missed %8.0f in 10^6 "
           "pairs; %7.1f, %7.1f in 10^6 tests; contact told wrong in %" PRId64 " of %" PRId64
           " frames\n",
           name, m->all, m->tested, 1e6 * (double)m->false_positives / all,
           1e6 * (double)m->missed / all, 1e6 * (double)m->false_positives / tested,
           1e6 * (double)m->missed / tested, m->wrong_frame_count, m->frame_count);
    char key[96];
    snprintf(key, sizeof key, "character.%s.%s.false_positives", room, name);
    bench_figure(key, 1e6 * (double)m->false_positives / all, "ppm");
    snprintf(key, sizeof key, "character.%s.%s.missed", room, name);
    bench_figure(key, 1e6 * (double)m->missed / all, "ppm");
}

/* In all frames, those in which hand and feet touch among them. */
static void run_approximations(const Scene *scene, int way_count, int stride)
{
    static const Way ways[] = {{"default", false, PLIANT_DIVIDE_AUTO, 0, 0},
                               {"spheres", true, PLIANT_DIVIDE_CORNERS, DIVIDE_SIZE, 0}};
    static const char *const bits[] = {"", "planes", "edges", "both"};
    printf("%s: approximate answers against exact ones\n", scene->key);
    for (int w = 0; w < way_count; w++) {
        Intersecting intersecting = make_intersecting(scene, &ways[w]);
        Mistakes mistakes[4] = {{0}};
        for (int step = stride / 2; step < SCENE_WALK_STEPS; step += stride) {
            Stance stance;
            go_to(scene, step, &stance);
            take(&intersecting, &stance);
            for (uint32_t b = 1; b < 4; b++)
                try_frame(&intersecting, b, &mistakes[b]);
        }
        for (int b = 1; b < 4; b++) {
            char both[64];
            snprintf(both, sizeof both, "%s.%s", ways[w].name, bits[b]);
            print_mistakes(scene->key, both, &mistakes[b]);
        }
        pliant_world_destroy(intersecting.world);
    }
}

/* ---- A thousand people --------------------------------------------------------------------- */

enum { PEOPLE = 1000, MUSEUMS = PEOPLE / SCENE_VISITORS, BETWEEN_MUSEUMS = 40 };

typedef struct Crowd {
    PliantWorld *world;
    PliantBody people[PEOPLE];
    Stance *stances;
    size_t shape_size;
} Crowd;

/* Ten museums in a row, each with a hundred visitors. */
static Crowd make_crowd(const SceneSkin *skin, const SceneMesh *museum, const Way *way)
{
    Crowd crowd;
    PliantShape *somebody = avatar_shape(skin, way), *around = room_shape(museum, way);
    crowd.shape_size = bench_shape_info(somebody).byte_size;
    crowd.stances = bench_allocate(PEOPLE, sizeof *crowd.stances);
    bench_must(pliant_world_create(NULL, &crowd.world));
    for (int i = 0; i < PEOPLE; i++)
        bench_must(pliant_body_create(crowd.world, somebody, &crowd.people[i]));
    for (int i = 0; i < MUSEUMS; i++) {
        PliantBody body;
        PliantTransform placed = pliant_transform_identity();
        placed.rows[0][3] = (float)(BETWEEN_MUSEUMS * i);
        bench_must(pliant_body_create(crowd.world, around, &body));
        bench_must(pliant_body_set_transform(crowd.world, body, &placed));
    }
    pliant_shape_release(somebody);
    pliant_shape_release(around);
    return crowd;
}

/* Not timed: everyone's joints at a step, other ones in each museum. */
static void pose_crowd(Crowd *crowd, const SceneSkin *skin, int step)
{
    for (int i = 0; i < PEOPLE; i++) {
        Stance *stance = &crowd->stances[i];
        const int museum = i / SCENE_VISITORS;
        scene_visitor_pose(skin, i % SCENE_VISITORS, step + 7 * museum, rows_of(stance->joints),
                           stance->transform.rows);
        stance->transform.rows[0][3] += (float)(BETWEEN_MUSEUMS * museum);
    }
}

static double time_crowd(Crowd *crowd, int64_t *contact_count)
{
    PliantContacts contacts = pliant_contacts_default();
    const double start = bench_seconds();
    for (int i = 0; i < PEOPLE; i++) {
        const Stance *stance = &crowd->stances[i];
        bench_must(pliant_body_set_joints(crowd->world, crowd->people[i], stance->joints,
                                          SCENE_AVATAR_JOINTS));
        bench_must(pliant_body_set_transform(crowd->world, crowd->people[i], &stance->transform));
    }
    bench_must(pliant_world_collide(crowd->world, NULL, &contacts));
    *contact_count = contacts.count;
    return bench_seconds() - start;
}

static void run_crowd(const SceneSkin *skin, const SceneMesh *museum, int frame_count)
{
    const Way way = {"default", false, PLIANT_DIVIDE_AUTO, 0, 0};
    Crowd crowd = make_crowd(skin, museum, &way);
    double least = 0;
    int64_t contact_count = 0;
    for (int frame = 0; frame <= frame_count; frame++) { /* the first one touches new memory */
        pose_crowd(&crowd, skin, frame);
        const double time = time_crowd(&crowd, &contact_count);
        least = frame == 1 || (frame > 1 && time < least) ? time : least;
    }
    PliantStats stats = pliant_stats_default();
    bench_must(pliant_world_stats(crowd.world, &stats));
    const double each = (double)stats.byte_size / PEOPLE;
    printf("a thousand people in ten museums: %.1f ms a frame, %" PRId64
           " pairs; %.0f kB for each, "
           "and %.2f MB for the shape of all; %.2f %% of the vertices evaluated\n",
           1e3 * least, contact_count, 1e-3 * each, 1e-6 * (double)crowd.shape_size,
           100 * (double)stats.vertices_evaluated / PEOPLE / skin->mesh.vertex_count);
    bench_figure("character.crowd1000.frame", 1e3 * least, "ms");
    bench_figure("character.crowd1000.bytes_each", 1e-3 * each, "kB");
    pliant_world_destroy(crowd.world);
    free(crowd.stances);
}

int bench_character(const BenchOptions *options)
{
    const bool is_quick = options->is_quick;
    const int stride = is_quick ? 40 : 2;
    const Way user = {"user", false, PLIANT_DIVIDE_AUTO, 0, 0};
    SceneSkin skin = scene_avatar();
    PliantShape *avatars[2] = {avatar_shape(&skin, &user), avatar_shape(&skin, &table_ways[0])};
    Scene scenes[] = {
        {skin, {avatars[0], avatars[1]}, SCENE_MUSEUM, "museum", scene_museum()},
        {skin, {avatars[0], avatars[1]}, SCENE_LIVING_ROOM, "living_room", scene_living_room()}};
    int failed = run_levels();
    for (int i = 0; i < 2; i++)
        failed |= !run_table(&scenes[i], is_quick ? AUTO : TABLE_WAYS, stride);
    for (int i = 0; i < 2; i++)
        run_approximations(&scenes[i], is_quick ? 1 : 2, stride);
    run_crowd(&skin, &scenes[0].room, is_quick ? 1 : 5);
    for (int i = 0; i < 2; i++) {
        scene_mesh_free(&scenes[i].room);
        pliant_shape_release(avatars[i]);
    }
    scene_skin_free(&skin);
    return failed;
}
