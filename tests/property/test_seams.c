/* Self-collision of meshes whose vertices are split at seams.
 *
 * usage: test_seams [--meshes N] [--seed S] [--workers W]
 *
 * A mesh, and the same triangles with vertices split, and groups that say which are one. Posed
 * alike the two must have the same pairs. Then vertices of a group are pulled apart, by one unit in
 * the last place or far, a few from query to query, so that much is not tested again; and there are
 * groups of any vertices at all, which do not move alike. Then brute force is the reference:
 * corners are shared if they are in one group and at one place.
 */
#include "calls.h"
#include "scenes.h"
#include "workers.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VERTICES = 1200, MAX_TRIANGLES = 400, TARGETS = 2, JOINTS = 3, INFLUENCES = 2 };

typedef struct Mesh {
    int32_t vertex_count, triangle_count;
    float vertices[3 * MAX_VERTICES];
    uint32_t triangles[3 * MAX_TRIANGLES];
    float targets[TARGETS][3 * MAX_VERTICES];
    uint16_t joints[INFLUENCES * MAX_VERTICES];
    float weights[INFLUENCES * MAX_VERTICES];
    uint32_t groups[MAX_VERTICES];
    bool has_targets, has_joints, has_groups;
} Mesh;

typedef struct Actor {
    const Mesh *mesh;
    PliantShape *shape;
    PliantWorld *world;
    PliantBody body;
    float borrowed[3 * MAX_VERTICES];
} Actor;

static SceneRandom random_state;
static TestWorkers workers;
static int64_t failures, same_count, brute_count, contact_count, apart_count, apart_contacts;
static int64_t clean_count, divided_count, unmoved_count;

static double uniform(double low, double high)
{
    return low + (high - low) * scene_random(&random_state);
}

static uint32_t below(uint32_t count)
{
    return scene_random_below(&random_state, count);
}

static bool chance(uint32_t one_in)
{
    return below(one_in) == 0;
}

static void must(PliantResult result, const char *what)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "test_seams: %s: %s\n", what, pliant_result_name(result));
    exit(1);
}

static void fail(const char *what, uint64_t seed)
{
    if (failures++ < 10)
        fprintf(stderr, "test_seams: %s (seed %llu)\n", what, (unsigned long long)seed);
}

/* ---- Meshes ------------------------------------------------------------------------------------
 */

static void make_ball(Mesh *mesh)
{
    SceneMesh ball = scene_icosphere(1 + (int)below(2));
    mesh->vertex_count = ball.vertex_count;
    mesh->triangle_count = ball.triangle_count;
    memcpy(mesh->vertices, ball.vertices, 3 * (size_t)ball.vertex_count * sizeof(float));
    memcpy(mesh->triangles, ball.triangles, 3 * (size_t)ball.triangle_count * sizeof(uint32_t));
    scene_mesh_free(&ball);
}

/* Rows of quads that end where they begin, or do not; rough, or flat. */
static void make_sheet(Mesh *mesh)
{
    const uint32_t columns = 4 + below(6), rows = 4 + below(6), is_open = chance(2);
    const double rough = chance(2) ? 0 : uniform(0, 1);
    mesh->vertex_count = (int32_t)(rows * columns);
    mesh->triangle_count = 0;
    for (uint32_t i = 0; i < rows * columns; i++) {
        const uint32_t row = i / columns, column = i % columns;
        mesh->vertices[3 * i] = (float)(column + uniform(-rough, rough));
        mesh->vertices[3 * i + 1] = (float)(row + uniform(-rough, rough));
        mesh->vertices[3 * i + 2] = (float)uniform(-rough, rough);
    }
    for (uint32_t i = 0; i + is_open < rows; i++)
        for (uint32_t j = 0; j + is_open < columns; j++) {
            const uint32_t next = (j + 1) % columns, down = (i + 1) % rows * columns;
            const uint32_t a = i * columns + j, b = i * columns + next;
            const uint32_t two[6] = {a, b, down + next, a, down + next, down + j};
            memcpy(mesh->triangles + 3 * mesh->triangle_count, two, sizeof two);
            mesh->triangle_count += 2;
        }
}

/* Any triangles, on a coarse grid now and then. */
static void make_tangle(Mesh *mesh)
{
    const double grid = chance(2) ? 0 : 1 + below(3);
    mesh->vertex_count = 4 + (int32_t)below(30);
    mesh->triangle_count = 2 + (int32_t)below(60);
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++) {
        const double x = uniform(-1, 1);
        mesh->vertices[i] = (float)(grid > 0 ? rint(x * grid) : x);
    }
    for (int32_t i = 0; i < 3 * mesh->triangle_count; i++)
        mesh->triangles[i] = below((uint32_t)mesh->vertex_count);
}

static void make_moves(Mesh *mesh)
{
    mesh->has_targets = chance(2);
    mesh->has_joints = chance(2);
    mesh->has_groups = false;
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++)
        for (int t = 0; t < TARGETS; t++)
            mesh->targets[t][i] = chance(3) ? 0 : (float)uniform(-0.3, 0.3);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        const float first = chance(3) ? 1 : (float)scene_random(&random_state);
        const uint16_t joint = (uint16_t)below(JOINTS);
        mesh->joints[2 * v] = joint;
        mesh->joints[2 * v + 1] = (uint16_t)((joint + 1) % JOINTS);
        mesh->weights[2 * v] = first;
        mesh->weights[2 * v + 1] = 1 - first;
    }
}

static void make_mesh(Mesh *mesh)
{
    static void (*const makes[])(Mesh *) = {make_ball, make_sheet, make_tangle};
    makes[below(3)](mesh);
    make_moves(mesh);
}

/* A vertex that is the same as another in all that it has. */
static uint32_t copy_vertex(Mesh *mesh, uint32_t from)
{
    const uint32_t to = (uint32_t)mesh->vertex_count++;
    memcpy(mesh->vertices + 3 * to, mesh->vertices + 3 * from, 3 * sizeof(float));
    for (int t = 0; t < TARGETS; t++)
        memcpy(mesh->targets[t] + 3 * to, mesh->targets[t] + 3 * from, 3 * sizeof(float));
    for (uint32_t i = 0; i < INFLUENCES; i++) { /* in the other order */
        mesh->joints[2 * to + i] = mesh->joints[2 * from + 1 - i];
        mesh->weights[2 * to + i] = mesh->weights[2 * from + 1 - i];
    }
    mesh->groups[to] = from;
    return to;
}

static void split_mesh(const Mesh *mesh, Mesh *split)
{
    const uint32_t one_in = 1 + below(5);
    *split = *mesh;
    split->has_groups = true;
    for (uint32_t v = 0; v < (uint32_t)mesh->vertex_count; v++)
        split->groups[v] = v;
    for (int32_t i = 0; i < 3 * split->triangle_count && split->vertex_count < MAX_VERTICES; i++)
        if (chance(one_in))
            split->triangles[i] = copy_vertex(split, split->triangles[i]);
}

/* Groups of vertices that have nothing in common. */
static void group_any(Mesh *mesh)
{
    const uint32_t one_in = 1 + below(4);
    mesh->has_groups = true;
    for (uint32_t v = 0; v < (uint32_t)mesh->vertex_count; v++)
        mesh->groups[v] = v > 0 && chance(one_in) ? mesh->groups[below(v)] : v;
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

/* What both meshes are made with. */
typedef struct Kind {
    int32_t leaf_size;
    PliantDivideKind divide_kind;
} Kind;

static Kind any_kind(const Mesh *mesh)
{
    const bool is_divided = chance(3) && !mesh->has_targets && !mesh->has_joints;
    divided_count += is_divided;
    return (Kind){1 + (int32_t)below(16), is_divided ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_NONE};
}

static void start(Actor *actor, const Mesh *mesh, Kind kind)
{
    PliantHost host = pliant_host_default();
    PliantWorldDef world_def = pliant_world_def_default();
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    PliantTarget targets[TARGETS];
    const PliantSkin skin = {sizeof skin, JOINTS, INFLUENCES, mesh->joints, mesh->weights};
    if (workers.count > 0)
        test_workers_attach(&workers, &host);
    world_def.host = &host;
    for (int t = 0; t < TARGETS; t++)
        targets[t] = (PliantTarget){{mesh->targets[t], mesh->vertex_count, 0}, NULL};
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    experiments.tree_leaf_size = kind.leaf_size;
    def.divide_kind = kind.divide_kind;
    def.divide_size = kind.divide_kind == PLIANT_DIVIDE_QUARTERS ? 0.4f : 0;
    def.targets = targets;
    def.target_count = mesh->has_targets ? TARGETS : 0;
    def.skin = mesh->has_joints ? &skin : NULL;
    def.groups = mesh->has_groups ? mesh->groups : NULL;
    actor->mesh = mesh;
    must(pliant_shape_create(&def, &actor->shape), "shape");
    must(pliant_world_create(&world_def, &actor->world), "world");
    if (workers.count > 0)
        test_workers_divide_everything(actor->world);
    must(pliant_body_create(actor->world, actor->shape, &actor->body), "body");
}

static void end(Actor *actor)
{
    pliant_world_destroy(actor->world);
    pliant_shape_release(actor->shape);
}

static PliantTransform any_transform(void)
{
    PliantTransform transform = pliant_transform_identity();
    for (int i = 0; i < 12 && !chance(8); i++)
        transform.rows[i / 4][i % 4] += (float)uniform(-0.5, 0.5);
    return transform;
}

/* Moves up to two bodies alike. */
static void pose(Actor *const *actors, int count)
{
    const float weights[TARGETS] = {(float)uniform(-1, 2), chance(3) ? 0 : (float)uniform(-1, 2)};
    const PliantTransform joints[JOINTS] = {any_transform(), any_transform(), any_transform()};
    const PliantTransform transform = chance(2) ? pliant_transform_identity() : any_transform();
    const bool has_weights = chance(2), has_joints = chance(2);
    for (int i = 0; i < count; i++) {
        Actor *actor = actors[i];
        must(pliant_body_reset_pose(actor->world, actor->body), "reset");
        if (has_weights && actor->mesh->has_targets)
            must(pliant_body_set_weights(actor->world, actor->body, weights, TARGETS), "weights");
        if (has_joints && actor->mesh->has_joints)
            must(pliant_body_set_joints(actor->world, actor->body, joints, JOINTS), "joints");
        must(pliant_body_set_transform(actor->world, actor->body, &transform), "transform");
    }
}

static PliantContacts self_collide(Actor *actor)
{
    PliantContacts contacts = pliant_contacts_default();
    must(pliant_bodies_collide(actor->world, actor->body, actor->body, NULL, &contacts),
         "self-collision");
    return contacts;
}

/* ---- Brute force -------------------------------------------------------------------------------
 */

static bool is_same_place(const float *p, const float *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* The vertices that are one: each gets the lowest of its group that is where it is. */
static void number_vertices(const Mesh *mesh, const float *vertices, uint32_t *numbers)
{
    bool is_apart = false;
    for (uint32_t v = 0; v < (uint32_t)mesh->vertex_count; v++) {
        numbers[v] = v;
        for (uint32_t w = 0; w < v; w++)
            if (mesh->groups[w] == mesh->groups[v] &&
                is_same_place(vertices + 3 * v, vertices + 3 * w)) {
                numbers[v] = w;
                break;
            }
        is_apart |= numbers[v] != mesh->groups[v];
    }
    apart_count += is_apart;
}

static bool do_boxes_overlap(const float a[9], const float b[9])
{
    bool do_overlap = true;
    for (int k = 0; k < 3; k++)
        do_overlap &=
            fminf(fminf(a[k], a[3 + k]), a[6 + k]) <= fmaxf(fmaxf(b[k], b[3 + k]), b[6 + k]) &&
            fminf(fminf(b[k], b[3 + k]), b[6 + k]) <= fmaxf(fmaxf(a[k], a[3 + k]), a[6 + k]);
    return do_overlap;
}

static void read_triangle(const Mesh *mesh, const float *vertices, const uint32_t *numbers,
                          int32_t triangle, float corners[9], uint32_t names[3])
{
    for (int c = 0; c < 3; c++) {
        const uint32_t v = mesh->triangles[3 * triangle + c];
        memcpy(corners + 3 * c, vertices + 3 * v, 3 * sizeof(float));
        names[c] = numbers[v];
    }
}

static bool is_right(const Mesh *mesh, const float *vertices, const PliantContacts *found)
{
    static uint32_t numbers[MAX_VERTICES];
    int64_t next = 0;
    number_vertices(mesh, vertices, numbers);
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        for (int32_t j = i + 1; j < mesh->triangle_count; j++) {
            float a[9], b[9];
            uint32_t a_names[3], b_names[3];
            read_triangle(mesh, vertices, numbers, i, a, a_names);
            read_triangle(mesh, vertices, numbers, j, b, b_names);
            if (!do_boxes_overlap(a, b) ||
                !pliant_triangles_intersect_beyond_shared(a, a_names, b, b_names))
                continue;
            if (next == found->count || found->items[next].triangle_a != i ||
                found->items[next].triangle_b != j)
                return false;
            next++;
        }
    return next == found->count;
}

static void count_clean(const Actor *actor)
{
    const PliBody *bodies = actor->world->bodies.items;
    const PliFanState *state = bodies[actor->body.index - 1].fan_state;
    const PliFans *fans = state ? state->topology.fans : NULL;
    for (int32_t s = 0; fans && s < fans->fan_count; s++)
        clean_count += state->verdicts[fans->fans[s].vertex] == PLI_FAN_CLEAN;
    for (int32_t leaf = 0; fans && leaf < fans->leaf_count; leaf++)
        unmoved_count +=
            actor->world->fans.skips_unmoved && !pli_fan_moved_leaves(&actor->world->fans)[leaf];
}

static void check_brute(Actor *actor, const char *what, uint64_t seed)
{
    static float vertices[3 * MAX_VERTICES];
    const PliantContacts found = self_collide(actor);
    const int64_t apart_before = apart_count;
    count_clean(actor);
    must(test_body_vertices(actor->world, actor->body, vertices), "vertices");
    if (!is_right(actor->mesh, vertices, &found))
        fail(what, seed);
    brute_count++;
    contact_count += found.count;
    apart_contacts += apart_count > apart_before ? found.count : 0;
    const int64_t count = found.count;
    PliantContacts any = pliant_contacts_default();
    if (!chance(4))
        return;
    must(pliant_bodies_collide(actor->world, actor->body, actor->body, TEST_QUERY(PLIANT_ANY_PAIR),
                               &any),
         "any");
    if (any.count != (count > 0))
        fail("one pair", seed);
}

/* ---- Checks ------------------------------------------------------------------------------------
 */

static void check_same(Actor *whole, Actor *split, uint64_t seed)
{
    const PliantContacts a = self_collide(whole), b = self_collide(split);
    bool is_same = a.count == b.count;
    for (int64_t i = 0; i < a.count && is_same; i++)
        is_same = test_is_same_contact(&a.items[i], &b.items[i]);
    if (!is_same)
        fail("split: not the pairs of the mesh without seams", seed);
    same_count++;
}

/* One of the split vertices, or any. */
static void pull(Actor *actor)
{
    const Mesh *mesh = actor->mesh;
    const uint32_t v = below((uint32_t)mesh->vertex_count);
    float *p = actor->borrowed + 3 * v, *lowest = actor->borrowed + 3 * mesh->groups[v];
    switch (below(4)) {
    case 0:
        p[below(3)] = nextafterf(p[0], chance(2) ? INFINITY : -INFINITY);
        break;
    case 1:
        memcpy(p, lowest, 3 * sizeof(float)); /* back together */
        break;
    case 2:
        for (int k = 0; k < 3; k++)
            p[k] = -p[k];
        break;
    default:
        p[below(3)] += (float)uniform(-0.5, 0.5);
    }
}

/* Caller-supplied vertices, together at first, then here and there apart. */
static void check_pulled(Actor *actor, uint64_t seed)
{
    const PliantVertices vertices = {actor->borrowed, actor->mesh->vertex_count, 0};
    must(pliant_body_reset_pose(actor->world, actor->body), "reset");
    must(test_body_vertices(actor->world, actor->body, actor->borrowed), "vertices");
    must(pliant_body_borrow_vertices(actor->world, actor->body, vertices), "borrow");
    for (int step = 0; step < 6; step++) {
        check_brute(actor, "pulled apart: not the pairs of brute force", seed);
        for (uint32_t i = below(step < 3 ? 3 : 20); i > 0; i--)
            pull(actor);
    }
}

static void check_mesh(uint64_t seed)
{
    static Mesh mesh, split;
    static Actor whole_actor, split_actor;
    make_mesh(&mesh);
    split_mesh(&mesh, &split);
    const Kind kind = any_kind(&mesh);
    Actor *const both[2] = {&whole_actor, &split_actor};
    start(&whole_actor, &mesh, kind);
    start(&split_actor, &split, kind);
    for (int i = 0; i < 3; i++) {
        pose(both, 2);
        check_same(&whole_actor, &split_actor, seed);
        check_brute(&split_actor, "posed: not the pairs of brute force", seed);
    }
    check_pulled(&split_actor, seed);
    end(&whole_actor);
    end(&split_actor);
}

static void check_any_groups(uint64_t seed)
{
    static Mesh mesh;
    static Actor actor;
    Actor *const one[1] = {&actor};
    make_mesh(&mesh);
    group_any(&mesh);
    start(&actor, &mesh, any_kind(&mesh));
    for (int i = 0; i < 3; i++) {
        pose(one, 1);
        check_brute(&actor, "any groups: not the pairs of brute force", seed);
    }
    check_pulled(&actor, seed);
    end(&actor);
}

static bool is_all_reached(void)
{
    return same_count > 0 && contact_count > 0 && apart_count > 0 && apart_contacts > 0 &&
           clean_count > 0 && divided_count > 0 && unmoved_count > 0;
}

int main(int argc, char **argv)
{
    int64_t mesh_count = 1000;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--meshes") == 0)
            mesh_count = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--workers") != 0 || !test_workers_start(&workers, argv[i + 1]))
            return 2;
    }
    for (int64_t i = 0; i < mesh_count; i++) {
        const uint64_t own = seed * 1000003 + (uint64_t)i;
        random_state = (SceneRandom){own};
        if (i % 3 == 2)
            check_any_groups(own);
        else
            check_mesh(own);
    }
    if (workers.count > 0)
        test_workers_end(&workers);
    printf("seams: %lld poses as without seams, %lld by brute force, %lld of them apart; "
           "%lld contacts, %lld where groups are apart; %lld clean fans, %lld unmoved leaves, "
           "%lld divided; %lld failures\n",
           (long long)same_count, (long long)brute_count, (long long)apart_count,
           (long long)contact_count, (long long)apart_contacts, (long long)clean_count,
           (long long)unmoved_count, (long long)divided_count, (long long)failures);
    return failures > 0 || (mesh_count >= 300 && !is_all_reached());
}
