/* Worlds against brute force: every way of moving, every tree, every query.
 *
 *     test_brute [--decisions N] [--seed S] [--cpu MASK] [--scene K]
 *
 * Plays scenes of random bodies (stage.h) until that many pairs of triangles were decided by brute
 * force, each pair of bodies once a frame. In each frame the vertices that the library returns are
 * what was given, or the documented expression of it; the list of all pairs is that of brute force;
 * first pairs, any pair, two bodies alone and pairs of bodies agree with it. Points are planted on
 * the outermost vertices of other bodies: a bound that is too tight by one unit in the last place
 * loses them. Without --cpu each scene has an instruction set of its own. --scene plays one scene
 * again. Ends with 1 at any difference, or if a kind of tree, pose, morph, bound, update or query
 * was never reached. */
#include "brute.h"
#include "counts.h"
#include "morphs.h"
#include "plant.h"
#include "stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ACTORS = 5,
    MOST_PLANTED = 6,
    MOST_BODIES = MOST_ACTORS + MOST_PLANTED,
    MOST_PAIRS = MOST_BODIES * (MOST_BODIES - 1) / 2
};

typedef struct Actor {
    SceneMesh mesh;
    Morph *morph; /* NULL: none */
    PliantBoundKind bound;
    int between_count;
    PliantShape *shape;
    PliantBody name;
    bool is_planted;
    float *now;    /* at rest, or as given last, or by the weights */
    char *lent;    /* the array that is borrowed: stride bytes a vertex, no more at the end */
    size_t stride; /* of it */
    bool is_given, is_lent, is_moved, is_morphed;
    float weights[MOST_TARGETS];
    bool stays; /* has no transform: then more of the bounds is kept from frame to frame */
    PliantTransform transform;
    PliantUpdateKind update;
    uint32_t categories, collides_with;
    bool has_loose_box;
    float *vertices; /* as the library says */
} Actor;

/* Two bodies, the one with the smaller index first, and what brute force found. */
typedef struct Pair {
    const Actor *a, *b;
    int64_t first, count; /* in hits */
    bool is_allowed;      /* by the filters */
} Pair;

typedef struct Play {
    Stage stage;
    uint64_t seed;
    int64_t scene;
    uint32_t cpu;
    int frame;
    PliantWorld *world;
    Actor actors[MOST_BODIES];
    int actor_count;
    Pair pairs[MOST_PAIRS];
    int pair_count;
    BruteHits hits;
    bool is_different;
} Play;

/* ---- What was reached -------------------------------------------------------------------------
 */

/* X(name, size): counters, none of which may be zero in the end. */
#define COUNTERS(X)                                                                                \
    X(stage, STAGE_KIND_COUNT)                                                                     \
    X(tree, 4)                                                                                     \
    X(children, 3)                                                                                 \
    X(leaf, 4)                                                                                     \
    X(pose, 8)                                                                                     \
    X(update, 3)                                                                                   \
    X(transform, STAGE_TRANSFORM_COUNT)                                                            \
    X(query, 5)                                                                                    \
    X(event, 6)                                                                                    \
    X(mask, 5)                                                                                     \
    X(morph, 2)                                                                                    \
    X(targets, 4)                                                                                  \
    X(target, 2)                                                                                   \
    X(tree_of, 2)                                                                                  \
    X(bound, 4)                                                                                    \
    X(between, MOST_BETWEEN + 1)                                                                   \
    X(weights, WEIGHT_KIND_COUNT)                                                                  \
    X(change, 4)                                                                                   \
    X(planted, PLANT_KIND_COUNT)                                                                   \
    X(plant_on, 6)

#define COUNTER_ARRAY(name, size) static int64_t name##_counts[size];
COUNTERS(COUNTER_ARRAY)
#undef COUNTER_ARRAY

enum { EVENT_DESTROYED, EVENT_LOOSE, EVENT_FILTERED, EVENT_RUN_ORDER, EVENT_SHARED, EVENT_SILENT };
enum { CHANGE_REST_TO_WEIGHTS, CHANGE_GIVEN_TO_WEIGHTS, CHANGE_WEIGHTS_TO_GIVEN, CHANGE_WEIGHTS };

static int64_t decision_count, contact_count, difference_count, frame_count;

static void differ(Play *play, const char *what, int64_t at)
{
    play->is_different = true;
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE in %s at %" PRId64 ", stage %s, frame %d, with %s. Again: test_brute --seed "
           "%" PRIu64 " --scene %" PRId64 "\n",
           what, at, stage_kind_name(play->stage.kind), play->frame, pliant_cpu_name(play->cpu),
           play->seed, play->scene);
}

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("test_brute: %s\n", pliant_result_name(result));
    exit(1);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        exit(1);
    return memory;
}

static bool chance(Play *play, int one_in)
{
    return stage_whole(&play->stage.random, 1, one_in) == 1;
}

/* ---- Actors: shapes ---------------------------------------------------------------------------
 */

typedef struct Tree {
    PliantTreeKind kind;
    int child_count, leaf_size;
    float weights[MOST_TARGETS];
    bool has_weights;
} Tree;

static PliantShape *make_shape(const Actor *actor, const Tree *tree)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){actor->mesh.vertices, actor->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){actor->mesh.triangles, actor->mesh.triangle_count};
    def.tree_kind = tree->kind;
    def.tree_child_count = tree->child_count;
    def.tree_leaf_size = tree->leaf_size;
    def.bound_kind = actor->bound;
    if (actor->morph) {
        def.morph_kind = actor->morph->kind;
        def.targets = actor->morph->targets;
        def.target_count = actor->morph->target_count;
        def.tree_weights = tree->has_weights ? tree->weights : NULL;
        def.between_count = actor->between_count;
    }
    PliantShape *shape = NULL;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

/* The mesh with its vertices in the order of the tree: then most of a list is one run. */
static void reorder(SceneMesh *mesh, const int32_t *order)
{
    size_t count = (size_t)mesh->vertex_count;
    float *vertices = allocate(12 * count);
    uint32_t *places = allocate(4 * count);
    for (size_t i = 0; i < count; i++) {
        memcpy(vertices + 3 * i, mesh->vertices + 3 * (size_t)order[i], 12);
        places[order[i]] = (uint32_t)i;
    }
    for (int32_t i = 0; i < 3 * mesh->triangle_count; i++)
        mesh->triangles[i] = places[mesh->triangles[i]];
    memcpy(mesh->vertices, vertices, 12 * count);
    free(vertices);
    free(places);
}

/* A vertex that no triangle has, at the end, where nothing is read behind it. */
static void add_unused(SceneMesh *mesh)
{
    size_t count = (size_t)mesh->vertex_count++;
    float *vertices = realloc(mesh->vertices, 12 * (count + 1));
    if (!vertices)
        exit(1);
    mesh->vertices = vertices;
    memcpy(vertices + 3 * count, (const float[3]){NAN, -7e30f, INFINITY}, 12);
}

static Tree random_tree(Play *play)
{
    SceneRandom *random = &play->stage.random;
    int children = stage_whole(random, 0, 2);
    Tree tree = {.kind = (PliantTreeKind)stage_whole(random, 0, 3), .child_count = 2 << children};
    tree.leaf_size = stage_whole(random, 1, 16);
    if (chance(play, 3))
        tree.leaf_size = 16;
    if (play->stage.kind == STAGE_points && chance(play, 2))
        tree.leaf_size = 1;
    return tree;
}

static void count_tree(const Tree *tree)
{
    int size = tree->leaf_size;
    tree_counts[tree->kind]++;
    children_counts[tree->child_count / 4]++;
    leaf_counts[size == 1 ? 0 : size <= 4 ? 1 : size < 16 ? 2 : 3]++;
}

static bool is_all_alike(const Play *play)
{
    return play->stage.kind == STAGE_copies || play->stage.kind == STAGE_points;
}

static void count_morph(const Morph *morph, const Tree *tree)
{
    int32_t count = morph->target_count;
    morph_counts[morph->kind]++;
    targets_counts[count == 1 ? 0 : count == 2 ? 1 : count <= 64 ? 2 : 3]++;
    for (int32_t i = 0; i < count; i++)
        target_counts[morph->targets[i].indices != NULL]++;
    tree_of_counts[tree->has_weights]++;
}

/* Something to morph to, for some. */
static void init_morph(Play *play, Actor *actor, Tree *tree)
{
    SceneRandom *random = &play->stage.random;
    actor->bound = (PliantBoundKind)stage_whole(random, 0, 3);
    int between_count = stage_whole(random, 0, MOST_BETWEEN);
    if (play->stage.kind != STAGE_points && chance(play, 3))
        return;
    actor->morph = morph_create(&play->stage, &actor->mesh);
    if (actor->morph->kind == PLIANT_MORPH_REFERENCES)
        actor->between_count = between_count;
    tree->has_weights = chance(play, 2);
    morph_weights(&play->stage, actor->morph, WEIGHT_few, tree->weights);
    count_morph(actor->morph, tree);
}

/* The shape of the first body, if this one is a copy of it. */
static bool share_shape(Play *play, Actor *actor)
{
    const Actor *other = &play->actors[0];
    if (play->stage.kind != STAGE_copies || !other->shape || other == actor || other->is_planted ||
        !chance(play, 2))
        return false;
    memcpy(actor->mesh.vertices, other->mesh.vertices, 12 * (size_t)other->mesh.vertex_count);
    memcpy(actor->mesh.triangles, other->mesh.triangles, 12 * (size_t)other->mesh.triangle_count);
    actor->shape = other->shape;
    actor->morph = other->morph;
    actor->bound = other->bound;
    actor->between_count = other->between_count;
    if (actor->morph)
        actor->morph->user_count++;
    pliant_shape_retain(actor->shape);
    event_counts[EVENT_SHARED]++;
    return true;
}

static void init_shape(Play *play, Actor *actor)
{
    Tree tree = random_tree(play);
    actor->mesh = stage_mesh(&play->stage);
    if (chance(play, 4) && !is_all_alike(play))
        add_unused(&actor->mesh);
    if (share_shape(play, actor))
        return;
    init_morph(play, actor, &tree);
    actor->shape = make_shape(actor, &tree);
    if (chance(play, 2)) {
        const int32_t *order = pliant_shape_vertex_order(actor->shape);
        reorder(&actor->mesh, order);
        if (actor->morph)
            morph_reorder(actor->morph, order, actor->mesh.vertex_count);
        pliant_shape_release(actor->shape);
        actor->shape = make_shape(actor, &tree);
        event_counts[EVENT_RUN_ORDER]++;
    }
    count_tree(&tree);
}

static void init_body(Play *play, Actor *actor)
{
    size_t size = 12 * (size_t)actor->mesh.vertex_count;
    actor->now = allocate(size);
    actor->vertices = allocate(size);
    memcpy(actor->now, actor->mesh.vertices, size);
    must(pliant_body_create(play->world, actor->shape, &actor->name));
}

static void enter(Play *play, Actor *actor)
{
    *actor =
        (Actor){.categories = UINT32_MAX, .collides_with = UINT32_MAX, .stays = chance(play, 2)};
    init_shape(play, actor);
    init_body(play, actor);
}

static void leave(Play *play, Actor *actor)
{
    must(pliant_body_destroy(play->world, actor->name));
    pliant_shape_release(actor->shape);
    morph_release(actor->morph);
    scene_mesh_free(&actor->mesh);
    free(actor->now);
    free(actor->lent);
    free(actor->vertices);
}

/* ---- Actors: motion ---------------------------------------------------------------------------
 */

/* Writes the positions into the array that is lent, junk between them. */
static void write_lent(Actor *actor)
{
    for (size_t v = 0; v < (size_t)actor->mesh.vertex_count; v++)
        memcpy(actor->lent + actor->stride * v, actor->now + 3 * v, 12);
}

static void lend(Play *play, Actor *actor)
{
    static const size_t strides[] = {0, 12, 16, 20, 32};
    size_t given = strides[stage_whole(&play->stage.random, 0, 4)];
    size_t last = (size_t)actor->mesh.vertex_count - 1;
    char *old = actor->lent;
    actor->stride = given ? given : 12;
    actor->lent = allocate(actor->stride * last + 12);
    memset(actor->lent, 0x7e, actor->stride * last + 12);
    write_lent(actor);
    PliantVertices vertices = {(const float *)actor->lent, actor->mesh.vertex_count, given};
    must(pliant_body_borrow_vertices(play->world, actor->name, vertices));
    free(old);
    actor->is_given = actor->is_lent = true;
    actor->is_morphed = false;
}

static void set_copy(Play *play, Actor *actor)
{
    PliantVertices vertices = {actor->now, actor->mesh.vertex_count, 0};
    must(pliant_body_set_vertices(play->world, actor->name, vertices));
    actor->is_given = true;
    actor->is_lent = actor->is_morphed = false;
}

static void transform(Play *play, Actor *actor)
{
    StageTransform kind =
        (StageTransform)stage_whole(&play->stage.random, 0, STAGE_TRANSFORM_COUNT - 1);
    actor->transform = play->stage.kind == STAGE_points
                           ? stage_common_transform(&play->stage, play->frame)
                           : stage_transform(&play->stage, kind);
    for (int i = 0; i < 12; i++)
        if (!isfinite(actor->transform.rows[i / 4][i % 4]))
            actor->transform = pliant_transform_identity();
    must(pliant_body_set_transform(play->world, actor->name, &actor->transform));
    const PliantTransform identity = pliant_transform_identity();
    actor->is_moved = false;
    for (int i = 0; i < 12; i++)
        actor->is_moved |= actor->transform.rows[i / 4][i % 4] != identity.rows[i / 4][i % 4];
    transform_counts[kind]++;
}

/* The vertices that the weights make of the mesh. */
static void blend(Actor *actor)
{
    BruteMorph morph = {actor->morph->kind, actor->morph->targets, actor->morph->target_count};
    brute_blend(&morph, actor->mesh.vertices, actor->mesh.vertex_count, actor->weights, actor->now);
}

/* New vertices, by one of the ways there are. */
static void deform(Play *play, Actor *actor)
{
    if (play->stage.kind == STAGE_points) {
        morph_common_weights(&play->stage, actor->morph, play->frame, actor->weights);
        blend(actor);
    } else
        stage_move(&play->stage, actor->now, actor->mesh.vertex_count);
    change_counts[CHANGE_WEIGHTS_TO_GIVEN] += actor->is_morphed;
    if (actor->is_lent && chance(play, 2)) {
        write_lent(actor); /* and nobody is told */
        event_counts[EVENT_SILENT]++;
    } else if (chance(play, 2))
        lend(play, actor);
    else
        set_copy(play, actor);
}

/* The next weights; returns their kind. */
static WeightKind random_weights(Play *play, Actor *actor)
{
    WeightKind kind = (WeightKind)stage_whole(&play->stage.random, 0, WEIGHT_KIND_COUNT - 1);
    if (play->stage.kind == STAGE_points || (play->stage.kind == STAGE_copies && chance(play, 2)))
        return morph_common_weights(&play->stage, actor->morph, play->frame, actor->weights);
    morph_weights(&play->stage, actor->morph, kind, actor->weights);
    return kind;
}

/* All triangles of a large body at one place? All pairs would meet: too many to look at. */
static bool is_collapsed(const Actor *actor)
{
    bool is_zero = actor->morph->kind == PLIANT_MORPH_REFERENCES;
    for (int32_t i = 0; i < actor->morph->target_count; i++)
        is_zero &= actor->weights[i] == 0;
    return is_zero && actor->mesh.triangle_count > 300;
}

static void set_weights(Play *play, Actor *actor)
{
    WeightKind kind = random_weights(play, actor);
    if (is_collapsed(actor)) {
        actor->weights[0] = 1;
        kind = WEIGHT_one;
    }
    blend(actor);
    must(pliant_body_set_weights(play->world, actor->name, actor->weights,
                                 actor->morph->target_count));
    change_counts[actor->is_morphed ? CHANGE_WEIGHTS
                  : actor->is_given ? CHANGE_GIVEN_TO_WEIGHTS
                                    : CHANGE_REST_TO_WEIGHTS]++;
    free(actor->lent);
    actor->lent = NULL;
    actor->is_given = actor->is_lent = false;
    actor->is_morphed = true;
    weights_counts[kind]++;
}

static void act(Play *play, Actor *actor)
{
    if (chance(play, 8)) {
        leave(play, actor);
        enter(play, actor);
        event_counts[EVENT_DESTROYED]++;
    }
    if (chance(play, 3)) {
        actor->update = (PliantUpdateKind)stage_whole(&play->stage.random, 0, 2);
        must(pliant_body_set_update_kind(play->world, actor->name, actor->update));
    }
    bool is_common = play->stage.kind == STAGE_points;
    if (chance(play, actor->is_given ? 2 : actor->morph ? 6 : 3))
        deform(play, actor);
    else if (actor->morph && (is_common || chance(play, actor->is_given ? 4 : 2)))
        set_weights(play, actor);
    if (is_common || (!actor->stays && chance(play, 3)))
        transform(play, actor);
    if (chance(play, 12)) {
        actor->categories = (uint32_t)stage_whole(&play->stage.random, 0, 7);
        actor->collides_with = (uint32_t)stage_whole(&play->stage.random, 0, 7);
        must(pliant_body_set_filter(play->world, actor->name, actor->categories,
                                    actor->collides_with));
        event_counts[EVENT_FILTERED]++;
    }
    if (chance(play, 6))
        actor->has_loose_box ^= true;
}

/* A promise that is kept: the box of what is finite, or more. */
static void promise(Play *play, Actor *actor)
{
    PliantBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < 3 * actor->mesh.vertex_count; i++) {
        float x = actor->vertices[i];
        if (!isfinite(x))
            continue;
        box.low[i % 3] = fminf(box.low[i % 3], x);
        box.high[i % 3] = fmaxf(box.high[i % 3], x);
    }
    for (int k = 0; k < 3; k++)
        actor->has_loose_box &= box.low[k] <= box.high[k];
    must(pliant_body_set_loose_box(play->world, actor->name, actor->has_loose_box ? &box : NULL));
    event_counts[EVENT_LOOSE] += actor->has_loose_box;
}

/* ---- What the vertices are ----------------------------------------------------------------------
 */

static bool is_same_number(float x, float y)
{
    return x == y || (isnan(x) && isnan(y));
}

static void check_vertices(Play *play, Actor *actor)
{
    size_t size = 12 * (size_t)actor->mesh.vertex_count;
    must(pliant_body_vertices(play->world, actor->name, actor->vertices));
    if (!actor->is_moved && !actor->is_morphed) {
        if (memcmp(actor->vertices, actor->now, size) != 0)
            differ(play, "vertices as given", 0);
        return;
    }
    float *wanted = allocate(size);
    memcpy(wanted, actor->now, size);
    if (actor->is_moved)
        brute_move(&actor->transform, actor->now, actor->mesh.vertex_count, wanted);
    for (int32_t i = 0; i < 3 * actor->mesh.vertex_count; i++)
        if (!is_same_number(wanted[i], actor->vertices[i])) {
            differ(play, actor->is_morphed ? "morphed vertices" : "moved vertices", i / 3);
            break;
        }
    free(wanted);
}

/* ---- Points on the vertices of others -----------------------------------------------------------
 */

static BruteBody brute_body(const Actor *actor)
{
    return (BruteBody){actor->vertices, actor->mesh.triangles, actor->mesh.triangle_count};
}

/* The mesh that is planted can morph, too: the weights are those that leave it where it is. */
static void morph_planted(Play *play, Actor *actor)
{
    const float weights[2] = {1, 0};
    Tree tree = {.kind = PLIANT_TREE_FULL, .child_count = 8, .leaf_size = 1};
    bool is_morphed = chance(play, 3);
    if (is_morphed) {
        actor->morph = plant_morph(&play->stage, &actor->mesh);
        actor->between_count = stage_whole(&play->stage.random, 0, MOST_BETWEEN);
    }
    actor->shape = make_shape(actor, &tree);
    init_body(play, actor);
    if (!is_morphed)
        return;
    memcpy(actor->weights, weights, sizeof weights);
    blend(actor);
    must(pliant_body_set_weights(play->world, actor->name, weights, 2));
    actor->is_morphed = true;
}

/* One that is not planted; rather one that morphs. */
static const Actor *pick(Play *play)
{
    const Actor *actor = NULL, *found = NULL;
    for (int tries = 0; tries < 3 || !found; tries++) {
        actor = &play->actors[stage_whole(&play->stage.random, 0, play->actor_count - 1)];
        if (!actor->is_planted && (!found || actor->is_morphed))
            found = actor;
    }
    return found;
}

/* A body of points at rest, on vertices of another, where these are now. */
static void plant(Play *play, Actor *actor)
{
    const Actor *other = pick(play);
    *actor = (Actor){.categories = UINT32_MAX, .collides_with = UINT32_MAX, .is_planted = true};
    PlantKind kind = (PlantKind)stage_whole(&play->stage.random, 0, PLANT_KIND_COUNT - 1);
    BruteBody body = brute_body(other);
    actor->mesh = plant_mesh(&play->stage, &body, kind);
    actor->bound = other->bound; /* bounds beyond boxes count where both have the same */
    if (chance(play, 6))
        actor->bound = (PliantBoundKind)stage_whole(&play->stage.random, 0, 3);
    morph_planted(play, actor);
    planted_counts[kind]++;
    plant_on_counts[other->is_morphed ? (int)other->bound : 4 + other->is_given]++;
}

static void plant_all(Play *play)
{
    for (int i = 0; i < play->actor_count; i++) {
        Actor *actor = &play->actors[i];
        if (!actor->is_planted)
            continue;
        leave(play, actor);
        plant(play, actor);
        check_vertices(play, actor);
    }
}

/* ---- Brute force --------------------------------------------------------------------------------
 */

static int by_index(const void *x, const void *y)
{
    const Actor *a = x, *b = y;
    return (a->name.index > b->name.index) - (a->name.index < b->name.index);
}

static void find_pairs(Play *play)
{
    play->pair_count = 0;
    play->hits.count = 0;
    qsort(play->actors, (size_t)play->actor_count, sizeof *play->actors, by_index);
    for (int i = 0; i < play->actor_count; i++)
        for (int j = i + 1; j < play->actor_count; j++) {
            Pair pair = {.a = &play->actors[i], .b = &play->actors[j], .first = play->hits.count};
            BruteBody a = brute_body(pair.a), b = brute_body(pair.b);
            decision_count += brute_force(&a, &b, &play->hits);
            pair.count = play->hits.count - pair.first;
            pair.is_allowed = (pair.a->categories & pair.b->collides_with) &&
                              (pair.b->categories & pair.a->collides_with);
            play->pairs[play->pair_count++] = pair;
        }
}

/* ---- The questions ------------------------------------------------------------------------------
 */

static bool is_same_body(PliantBody x, PliantBody y)
{
    return x.index == y.index && x.generation == y.generation;
}

static bool is_contact(const Pair *pair, const BruteHit *hit, const PliantContact *contact)
{
    return is_same_body(pair->a->name, contact->body_a) &&
           is_same_body(pair->b->name, contact->body_b) && hit->a == contact->triangle_a &&
           hit->b == contact->triangle_b;
}

/* The contacts of one pair from `*at` on, all of them; moves on behind them. */
static void check_pair(Play *play, const Pair *pair, const PliantContacts *contacts, int64_t *at,
                       const char *what)
{
    for (int64_t i = 0; i < pair->count; i++, ++*at)
        if (*at >= contacts->count ||
            !is_contact(pair, &play->hits.items[pair->first + i], &contacts->items[*at])) {
            differ(play, what, *at);
            return;
        }
}

static void ask_all(Play *play)
{
    PliantContacts contacts;
    int64_t at = 0;
    must(pliant_world_collide(play->world, PLIANT_ALL_PAIRS, &contacts));
    for (int p = 0; p < play->pair_count && !play->is_different; p++)
        if (play->pairs[p].is_allowed)
            check_pair(play, &play->pairs[p], &contacts, &at, "all pairs");
    if (!play->is_different && at != contacts.count)
        differ(play, "the end of all pairs", at);
    contact_count += contacts.count;
}

static bool is_found(const Play *play, const Pair *pair, const PliantContact *contact)
{
    for (int64_t i = 0; i < pair->count; i++)
        if (is_contact(pair, &play->hits.items[pair->first + i], contact))
            return true;
    return false;
}

static void ask_first(Play *play)
{
    PliantContacts contacts;
    int64_t at = 0;
    must(pliant_world_collide(play->world, PLIANT_FIRST_PAIRS, &contacts));
    for (int p = 0; p < play->pair_count && !play->is_different; p++) {
        const Pair *pair = &play->pairs[p];
        if (!pair->is_allowed || pair->count == 0)
            continue;
        if (at >= contacts.count || !is_found(play, pair, &contacts.items[at]))
            differ(play, "first pairs", at);
        at++;
    }
    if (!play->is_different && at != contacts.count)
        differ(play, "the end of first pairs", at);
}

static void ask_any(Play *play)
{
    PliantContacts contacts;
    bool is_any = false, is_there = false;
    must(pliant_world_collide(play->world, PLIANT_ANY_PAIR, &contacts));
    for (int p = 0; p < play->pair_count; p++) {
        const Pair *pair = &play->pairs[p];
        if (!pair->is_allowed)
            continue;
        is_any |= pair->count > 0;
        is_there |= contacts.count == 1 && is_found(play, pair, &contacts.items[0]);
    }
    if (contacts.count != is_any || is_there != is_any)
        differ(play, "any pair", contacts.count);
}

/* Two bodies alone, in either order, filters or not. */
static void ask_two(Play *play)
{
    const Pair *pair = &play->pairs[stage_whole(&play->stage.random, 0, play->pair_count - 1)];
    bool is_swapped = chance(play, 2);
    PliantContacts contacts;
    int64_t at = 0;
    must(pliant_bodies_collide(play->world, is_swapped ? pair->b->name : pair->a->name,
                               is_swapped ? pair->a->name : pair->b->name, PLIANT_ALL_PAIRS,
                               &contacts));
    check_pair(play, pair, &contacts, &at, "two bodies");
    if (!play->is_different && at != contacts.count)
        differ(play, "the end of two bodies", at);
    must(pliant_bodies_collide(play->world, pair->a->name, pair->b->name, PLIANT_FIRST_PAIRS,
                               &contacts));
    if (contacts.count != (pair->count > 0) ||
        (pair->count > 0 && !is_found(play, pair, &contacts.items[0])))
        differ(play, "the first of two bodies", contacts.count);
}

/* In order, allowed, and none missing that has contacts. */
static void ask_body_pairs(Play *play)
{
    const PliantBodyPair *found;
    int64_t count, at = 0;
    must(pliant_world_body_pairs(play->world, &found, &count));
    for (int p = 0; p < play->pair_count; p++) {
        const Pair *pair = &play->pairs[p];
        bool is_there = at < count && is_same_body(found[at].body_a, pair->a->name) &&
                        is_same_body(found[at].body_b, pair->b->name);
        at += is_there;
        if (is_there ? !pair->is_allowed : pair->is_allowed && pair->count > 0)
            differ(play, "body pairs", p);
    }
    if (at != count)
        differ(play, "the end of body pairs", at);
}

/* ---- Scenes -------------------------------------------------------------------------------------
 */

/* All questions, some of them twice, in any order. */
static void ask(Play *play)
{
    static void (*const questions[])(Play *) = {ask_all, ask_first, ask_any, ask_two,
                                                ask_body_pairs};
    int first = stage_whole(&play->stage.random, 0, 4);
    for (int i = 0; i < 6 && !play->is_different; i++) {
        int question = (first + i) % 5;
        if (question != 0 && chance(play, 2))
            continue;
        questions[question](play);
        query_counts[question]++;
    }
}

static void count_poses(const Play *play)
{
    for (int i = 0; i < play->actor_count; i++) {
        const Actor *actor = &play->actors[i];
        int pose = actor->is_morphed ? 3 : actor->is_given + actor->is_lent;
        if (actor->is_planted)
            continue;
        pose_counts[2 * pose + actor->is_moved]++;
        update_counts[actor->update] += actor->is_given;
        bound_counts[actor->bound] += actor->is_morphed;
        if (actor->is_morphed && actor->morph->kind == PLIANT_MORPH_REFERENCES)
            between_counts[actor->between_count]++;
    }
    stage_counts[play->stage.kind]++;
    frame_count++;
}

static void play_frame(Play *play)
{
    for (int i = 0; i < play->actor_count; i++)
        if (!play->actors[i].is_planted)
            act(play, &play->actors[i]);
    for (int i = 0; i < play->actor_count; i++)
        if (!play->actors[i].is_planted) {
            check_vertices(play, &play->actors[i]);
            promise(play, &play->actors[i]);
        }
    plant_all(play);
    find_pairs(play);
    count_poses(play);
    ask(play);
}

/* Bodies, and points to be planted on them: at first on where they rest. */
static void enter_all(Play *play)
{
    int actor_count = stage_whole(&play->stage.random, 2, MOST_ACTORS);
    int planted_count = stage_whole(&play->stage.random, 0, MOST_PLANTED);
    for (; play->actor_count < actor_count; play->actor_count++)
        enter(play, &play->actors[play->actor_count]);
    for (int i = 0; i < play->actor_count; i++)
        check_vertices(play, &play->actors[i]);
    for (int i = 0; i < planted_count; i++) {
        plant(play, &play->actors[actor_count + i]);
        play->actor_count++;
    }
}

static void play_scene(uint64_t seed, int64_t scene, const uint32_t *cpu)
{
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512, PLIANT_CPU_ALL};
    Play play = {.seed = seed, .scene = scene};
    stage_init(&play.stage, (StageKind)(scene % STAGE_KIND_COUNT),
               seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)scene);
    int mask = stage_whole(&play.stage.random, 0, 4);
    play.cpu = cpu ? *cpu : masks[mask];
    mask_counts[mask]++;
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = play.cpu;
    def.broad_kind = (PliantBroadKind)stage_whole(&play.stage.random, 0, 2);
    must(pliant_world_create(&def, &play.world));
    enter_all(&play);
    int frames = stage_whole(&play.stage.random, 1, chance(&play, 6) ? 20 : 6);
    for (play.frame = 0; play.frame < frames && !play.is_different; play.frame++)
        play_frame(&play);
    for (int i = 0; i < play.actor_count; i++)
        leave(&play, &play.actors[i]);
    pliant_world_destroy(play.world);
    brute_free(&play.hits);
}

int main(int argc, char **argv)
{
    int64_t wanted = 10000000, scene = -1;
    uint64_t seed = 1;
    uint32_t cpu = 0;
    bool has_cpu = false, is_usage = argc % 2 == 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--decisions") == 0)
            wanted = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--scene") == 0)
            scene = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--cpu") == 0) {
            cpu = (uint32_t)strtoul(argv[i + 1], NULL, 0);
            has_cpu = true;
        } else
            is_usage = false;
    }
    if (!is_usage) {
        fprintf(stderr, "usage: %s [--decisions N] [--seed S] [--cpu MASK] [--scene K]\n", argv[0]);
        return 2;
    }
    bool is_complete = true;
    if (scene >= 0)
        play_scene(seed, scene, has_cpu ? &cpu : NULL);
    else {
        int64_t next = 0;
        for (; decision_count < wanted && difference_count < 5; next++)
            play_scene(seed, next, has_cpu ? &cpu : NULL);
        printf("%" PRId64 " scenes, %" PRId64 " frames\n", next, frame_count);
#define COUNTER_PRINT(name, size) is_complete &= test_print_counts(#name, name##_counts, size);
        COUNTERS(COUNTER_PRINT)
#undef COUNTER_PRINT
    }
    printf("brute: seed %" PRIu64 ", %" PRId64 " decisions, %" PRId64 " contacts, %" PRId64
           " differences%s\n",
           seed, decision_count, contact_count, difference_count,
           is_complete ? "" : ", but not everything was reached");
    return difference_count != 0 || !is_complete;
}
