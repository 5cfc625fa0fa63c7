/* Actors: see play.h. One random number a statement: the order within one is the compiler's. */
#include "play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Actors: shapes ---------------------------------------------------------------------------
 */

typedef struct Tree {
    PliantTreeKind kind;
    int child_count, leaf_size;
    float weights[MAX_TARGETS];
    bool has_weights;
} Tree;

static PliantShape *make_shape(const Actor *actor, const Tree *tree)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){actor->mesh.vertices, actor->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){actor->mesh.triangles, actor->mesh.triangle_count};
    experiments.tree_kind = tree->kind;
    experiments.tree_child_count = tree->child_count;
    experiments.tree_leaf_size = tree->leaf_size;
    experiments.bound_kind = actor->bound;
    if (actor->skin)
        def.skin = &actor->skin->def;
    if (actor->morph) {
        def.morph_kind = actor->morph->kind;
        def.targets = actor->morph->targets;
        def.target_count = actor->morph->target_count;
        def.tree_weights = tree->has_weights ? tree->weights : NULL;
        def.between_count = actor->between_count;
    }
    uint32_t *segments = stage_give_segments(&actor->mesh, actor->segment_count, &def);
    PliantShape *shape = NULL;
    play_must(pliant_shape_create(&def, &shape));
    free(segments);
    segments_counts[actor->segment_count == 0 ? 0 : def.triangles.count > 0 ? 1 : 2]++;
    return shape;
}

/* The mesh with its vertices in the order of the tree: then most of a list is one run. */
static void reorder(SceneMesh *mesh, const int32_t *order)
{
    size_t count = (size_t)mesh->vertex_count;
    float *vertices = play_allocate(12 * count);
    uint32_t *corner_places = play_allocate(4 * count);
    for (size_t i = 0; i < count; i++) {
        memcpy(vertices + 3 * i, mesh->vertices + 3 * (size_t)order[i], 12);
        corner_places[order[i]] = (uint32_t)i;
    }
    for (int32_t i = 0; i < 3 * mesh->triangle_count; i++)
        mesh->triangles[i] = corner_places[mesh->triangles[i]];
    memcpy(mesh->vertices, vertices, 12 * count);
    free(vertices);
    free(corner_places);
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
    if (play_chance(play, 3))
        tree.leaf_size = 16;
    if (play->stage.kind == STAGE_points && play_chance(play, 2))
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

static void count_morph(const Morph *morph, const Tree *tree)
{
    int32_t count = morph->target_count;
    morph_counts[morph->kind]++;
    targets_counts[count == 1 ? 0 : count == 2 ? 1 : count <= 64 ? 2 : 3]++;
    for (int32_t i = 0; i < count; i++)
        target_counts[morph->targets[i].indices != NULL]++;
    tree_of_counts[tree->has_weights]++;
}

static bool has_soups(const Play *play)
{
    return play->cast == CAST_soups || play->cast == CAST_mixed;
}

/* Where all bodies have the same vertices, only soups can be among those that do not move. */
static bool will_be_soup(Play *play)
{
    bool is_certain = play->cast == CAST_soups;
    return has_soups(play) && (is_certain || play->stage.kind != STAGE_points) &&
           (is_certain ? !play_chance(play, 4) : play_chance(play, 3));
}

static bool will_morph(Play *play)
{
    bool is_certain = play->stage.kind == STAGE_points;
    if (play->cast == CAST_skins || (play->cast == CAST_soups && is_certain))
        return false;
    return is_certain || (play->cast == CAST_morphs ? !play_chance(play, 3)
                          : play->cast == CAST_both ? !play_chance(play, 6)
                                                    : play_chance(play, 2));
}

static bool will_follow(Play *play)
{
    bool is_certain = play->stage.kind == STAGE_points;
    if (play->cast == CAST_morphs || (play->cast == CAST_soups && is_certain))
        return false;
    return is_certain ||
           (play->cast == CAST_mixed || play->cast == CAST_soups ? play_chance(play, 2)
                                                                 : !play_chance(play, 6));
}

/* Something to morph to, for some. */
static void init_morph(Play *play, Actor *actor, Tree *tree)
{
    SceneRandom *random = &play->stage.random;
    actor->bound = (PliantBoundKind)stage_whole(random, 0, 3);
    int between_count = stage_whole(random, 0, MAX_BETWEEN);
    if (!will_morph(play))
        return;
    actor->morph = morph_create(&play->stage, &actor->mesh);
    if (actor->morph->kind == PLIANT_MORPH_REFERENCES)
        actor->between_count = between_count;
    tree->has_weights = play_chance(play, 2);
    morph_weights(&play->stage, actor->morph, WEIGHT_few, tree->weights);
    count_morph(actor->morph, tree);
}

/* Joints to follow, for some. */
static void init_skin(Play *play, Actor *actor)
{
    if (!will_follow(play))
        return;
    actor->skin = skin_create(&play->stage, &actor->mesh);
    actor->goes_by_joints = play_chance(play, 2);
    int32_t joints = actor->skin->def.joint_count, influences = actor->skin->def.influence_count;
    skin_counts[actor->skin->kind]++;
    joint_count_counts[joints == 1 ? 0 : joints <= 8 ? 1 : joints <= 64 ? 2 : 3]++;
    influences_counts[influences == 1 ? 0 : influences < 4 ? 1 : influences == 4 ? 2 : 3]++;
}

/* The shape of the first body, if this one is a copy of it. */
static bool share_shape(Play *play, Actor *actor)
{
    const Actor *other = &play->actors[0];
    if (play->stage.kind != STAGE_copies || !other->shape || other == actor || other->is_planted ||
        !play_chance(play, 2))
        return false;
    memcpy(actor->mesh.vertices, other->mesh.vertices, 12 * (size_t)other->mesh.vertex_count);
    memcpy(actor->mesh.triangles, other->mesh.triangles, 12 * (size_t)other->mesh.triangle_count);
    actor->shape = other->shape;
    actor->segment_count = other->segment_count;
    actor->morph = other->morph;
    actor->skin = other->skin;
    actor->bound = other->bound;
    actor->between_count = other->between_count;
    if (actor->morph)
        actor->morph->user_count++;
    if (actor->skin)
        actor->skin->user_count++;
    pliant_shape_retain(actor->shape);
    event_counts[EVENT_SHARED]++;
    return true;
}

static SceneMesh random_mesh(Play *play)
{
    bool is_alike = play->stage.kind == STAGE_copies || play->stage.kind == STAGE_points;
    bool is_few = play->cast != CAST_morphs && !is_alike &&
                  play_chance(play, play->stage.kind == STAGE_huge ? 2 : 10);
    SceneMesh mesh = is_few ? stage_few(&play->stage) : stage_mesh(&play->stage);
    if (play_chance(play, 4) && !is_alike)
        add_unused(&mesh);
    event_counts[EVENT_FEW] += is_few;
    return mesh;
}

static void init_shape(Play *play, Actor *actor)
{
    Tree tree = random_tree(play);
    actor->mesh = random_mesh(play);
    if (share_shape(play, actor))
        return;
    actor->segment_count = stage_make_segments(&play->stage, &actor->mesh);
    init_morph(play, actor, &tree);
    init_skin(play, actor);
    actor->shape = make_shape(actor, &tree);
    if (play_chance(play, 2)) {
        const int32_t *order = pliant_shape_vertex_order(actor->shape);
        reorder(&actor->mesh, order);
        if (actor->morph)
            morph_reorder(actor->morph, order, actor->mesh.vertex_count);
        if (actor->skin)
            skin_reorder(actor->skin, order, actor->mesh.vertex_count);
        pliant_shape_release(actor->shape);
        actor->shape = make_shape(actor, &tree);
        event_counts[EVENT_RUN_ORDER]++;
    }
    count_tree(&tree);
}

static void init_body(Play *play, Actor *actor)
{
    size_t size = 12 * (size_t)actor->mesh.vertex_count;
    actor->now = play_allocate(size);
    actor->vertices = play_allocate(size);
    memcpy(actor->now, actor->mesh.vertices, size);
    play_must(pliant_body_create(play->world, actor->shape, &actor->name));
}

/* ---- Actors: motion ---------------------------------------------------------------------------
 */

static bool is_far(const Play *play)
{
    return play->exile[0] != 0 || play->exile[1] != 0 || play->exile[2] != 0;
}

void actor_write_lent(Actor *actor)
{
    for (size_t v = 0; v < (size_t)actor->mesh.vertex_count; v++)
        memcpy(actor->lent + actor->stride * v, actor->now + 3 * v, 12);
}

char *actor_renew_lent(Play *play, Actor *actor, PliantVertices *vertices)
{
    static const size_t strides[] = {0, 12, 16, 20, 32};
    size_t given = strides[stage_whole(&play->stage.random, 0, 4)];
    size_t count = (size_t)actor->mesh.vertex_count, stride = given ? given : 12;
    size_t size = count > 0 ? stride * (count - 1) + 12 : 1;
    char *old = actor->lent;
    actor->stride = stride;
    actor->lent = play_allocate(size);
    memset(actor->lent, 0x7e, size); /* junk between them */
    actor_write_lent(actor);
    *vertices = (PliantVertices){(const float *)actor->lent, actor->mesh.vertex_count, given};
    return old;
}

static void lend(Play *play, Actor *actor)
{
    PliantVertices vertices;
    char *old = actor_renew_lent(play, actor, &vertices);
    play_must(pliant_body_borrow_vertices(play->world, actor->name, vertices));
    free(old);
    actor->is_given = actor->is_lent = true;
}

static void set_copy(Play *play, Actor *actor)
{
    PliantVertices vertices = {actor->now, actor->mesh.vertex_count, 0};
    play_must(pliant_body_set_vertices(play->world, actor->name, vertices));
    actor->is_given = true;
    actor->is_lent = false;
}

static void transform(Play *play, Actor *actor)
{
    StageTransform kind =
        (StageTransform)stage_whole(&play->stage.random, 0, STAGE_TRANSFORM_COUNT - 1);
    actor->transform = play->stage.kind == STAGE_points
                           ? stage_common_transform(&play->stage, play->frame)
                           : stage_transform(&play->stage, kind);
    for (int k = 0; k < 3 && !actor->goes_by_joints; k++)
        actor->transform.rows[k][3] += play->exile[k];
    event_counts[EVENT_FAR_BY_TRANSFORM] += is_far(play) && !actor->goes_by_joints;
    for (int i = 0; i < 12; i++)
        if (!isfinite(actor->transform.rows[i / 4][i % 4]))
            actor->transform = pliant_transform_identity();
    play_must(pliant_body_set_transform(play->world, actor->name, &actor->transform));
    const PliantTransform identity = pliant_transform_identity();
    actor->is_moved = false;
    for (int i = 0; i < 12; i++)
        actor->is_moved |= actor->transform.rows[i / 4][i % 4] != identity.rows[i / 4][i % 4];
    transform_counts[kind]++;
}

/* The vertices that weights and joints make of the mesh. */
static void evaluate(Actor *actor, const float *weights, const PliantTransform *joints)
{
    const int32_t count = actor->mesh.vertex_count;
    memcpy(actor->now, actor->mesh.vertices, 12 * (size_t)count);
    if (weights) {
        BruteMorph morph = {actor->morph->kind, actor->morph->targets, actor->morph->target_count};
        brute_blend(&morph, actor->mesh.vertices, count, weights, actor->now);
    }
    if (joints)
        brute_skin(&actor->skin->def, joints, actor->now, count, actor->now);
}

static void evaluate_own(Actor *actor)
{
    evaluate(actor, actor->has_weights ? actor->weights : NULL,
             actor->has_joints ? actor->joints : NULL);
}

/* The vertices that all bodies have in this frame, where they are alike. */
static void evaluate_common(Play *play, Actor *actor)
{
    float weights[MAX_TARGETS];
    PliantTransform joints[MAX_JOINTS];
    if (actor->morph)
        morph_common_weights(&play->stage, actor->morph, play->frame, weights);
    if (actor->skin)
        skin_common_joints(&play->stage, actor->skin, play->frame, joints);
    evaluate(actor, actor->morph ? weights : NULL, actor->skin ? joints : NULL);
}

/* New vertices, by one of the ways there are. */
static void deform(Play *play, Actor *actor)
{
    if (play->stage.kind == STAGE_points)
        evaluate_common(play, actor);
    else
        stage_move(&play->stage, actor->now, actor->mesh.vertex_count);
    change_counts[CHANGE_WEIGHTS_TO_GIVEN] += is_morphed(actor);
    change_counts[CHANGE_JOINTS_TO_GIVEN] += is_skinned(actor);
    if (actor->is_lent && play_chance(play, 2)) {
        actor_write_lent(actor);
        event_counts[EVENT_SILENT]++;
    } else if (play_chance(play, 2))
        lend(play, actor);
    else
        set_copy(play, actor);
}

/* Vertices that were given do not count any more. */
static void restore(Actor *actor)
{
    free(actor->lent);
    actor->lent = NULL;
    actor->is_given = actor->is_lent = false;
}

/* The next weights; returns their kind. */
static WeightKind random_weights(Play *play, Actor *actor)
{
    WeightKind kind = (WeightKind)stage_whole(&play->stage.random, 0, WEIGHT_KIND_COUNT - 1);
    if (play->stage.kind == STAGE_points ||
        (play->stage.kind == STAGE_copies && play_chance(play, 2)))
        return morph_common_weights(&play->stage, actor->morph, play->frame, actor->weights);
    morph_weights(&play->stage, actor->morph, kind, actor->weights);
    return kind;
}

/* All triangles of a large body at one place? All pairs would intersect: too many to test. */
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
    play_must(pliant_body_set_weights(play->world, actor->name, actor->weights,
                                      actor->morph->target_count));
    change_counts[is_morphed(actor) ? CHANGE_WEIGHTS
                  : actor->is_given ? CHANGE_GIVEN_TO_WEIGHTS
                                    : CHANGE_REST_TO_WEIGHTS]++;
    restore(actor);
    actor->has_weights = true;
    evaluate_own(actor);
    weights_counts[kind]++;
}

/* The next joints; returns their kind. */
static JointKind random_joints(Play *play, Actor *actor)
{
    JointKind kind = (JointKind)stage_whole(&play->stage.random, 0, JOINT_KIND_COUNT - 1);
    if (play->stage.kind == STAGE_points ||
        (play->stage.kind == STAGE_copies && play_chance(play, 2)))
        return skin_common_joints(&play->stage, actor->skin, play->frame, actor->drawn);
    if (!actor->has_joints && kind >= JOINT_changed)
        kind = JOINT_chain;
    if (kind == JOINT_extreme && actor->mesh.triangle_count > 300)
        kind = JOINT_any; /* there are no bounds for most of them, and it would take long */
    skin_joints(&play->stage, actor->skin, kind, actor->drawn);
    return kind;
}

/* From home to where the scene is. */
static void send(const Play *play, Actor *actor)
{
    for (int32_t j = 0; j < actor->skin->def.joint_count; j++) {
        actor->joints[j] = actor->drawn[j];
        for (int k = 0; k < 3 && actor->goes_by_joints; k++) {
            float sum = actor->joints[j].rows[k][3] + play->exile[k];
            actor->joints[j].rows[k][3] = isfinite(sum) ? sum : play->exile[k];
        }
    }
}

/* Is much of a large body at one place? */
static bool is_heap(const Actor *actor)
{
    int32_t count = 0;
    for (int32_t v = 1; v < actor->mesh.vertex_count; v++) {
        const float *p = actor->now + 3 * (size_t)v;
        count += p[0] == p[-3] && p[1] == p[-2] && p[2] == p[-1];
    }
    return count > 150;
}

static void set_joints(Play *play, Actor *actor)
{
    JointKind kind = random_joints(play, actor);
    change_counts[is_skinned(actor) ? CHANGE_JOINTS
                  : actor->is_given ? CHANGE_GIVEN_TO_JOINTS
                                    : CHANGE_REST_TO_JOINTS]++;
    restore(actor);
    actor->has_joints = true;
    send(play, actor);
    evaluate_own(actor);
    if (is_heap(actor)) {
        kind = JOINT_chain;
        skin_joints(&play->stage, actor->skin, kind, actor->drawn);
        send(play, actor);
        evaluate_own(actor);
    }
    play_must(pliant_body_set_joints(play->world, actor->name, actor->joints,
                                     actor->skin->def.joint_count));
    joints_counts[kind]++;
    event_counts[EVENT_FAR_BY_JOINTS] += is_far(play) && actor->goes_by_joints;
}

/* Vertices, or weights, or joints, or both of these, or nothing new. */
static void move(Play *play, Actor *actor)
{
    bool is_common = play->stage.kind == STAGE_points;
    int one_in = actor->skin       ? (actor->is_given ? 4 : 10)
                 : actor->is_given ? 2
                 : actor->morph    ? 6
                                   : 3;
    if (play_chance(play, one_in)) {
        deform(play, actor);
        return;
    }
    bool is_first = actor->skin && play_chance(play, 2);
    bool has_joints = actor->skin && (is_common || play_chance(play, 2));
    if (has_joints && is_first)
        set_joints(play, actor);
    if (actor->morph && (is_common || play_chance(play, actor->is_given ? 4 : 2)))
        set_weights(play, actor);
    if (has_joints && !is_first)
        set_joints(play, actor);
}

/* ---- Actors: entrances and exits ----
 */

void actor_enter(Play *play, Actor *actor)
{
    *actor = (Actor){
        .categories = UINT32_MAX, .collides_with = UINT32_MAX, .stays = play_chance(play, 2)};
    if (will_be_soup(play)) {
        debris_enter(play, actor, soup_create(&play->stage));
    } else {
        init_shape(play, actor);
        init_body(play, actor);
    }
    if (is_far(play) && !actor->goes_by_joints)
        transform(play, actor);
    if (actor->skin && !play_chance(play, 4)) {
        if (actor->morph && !play_chance(play, 4))
            set_weights(play, actor);
        set_joints(play, actor);
    }
}

void actor_leave(Play *play, Actor *actor)
{
    play_must(pliant_body_destroy(play->world, actor->name));
    pliant_shape_release(actor->shape);
    morph_release(actor->morph);
    skin_release(actor->skin);
    soup_free(actor->soup);
    scene_mesh_free(&actor->mesh);
    free(actor->now);
    free(actor->lent);
    free(actor->lent_corners);
    free(actor->vertices);
}

void actor_act(Play *play, Actor *actor)
{
    if (play_chance(play, 8)) {
        actor_leave(play, actor);
        actor_enter(play, actor);
        event_counts[EVENT_DESTROYED]++;
    }
    if (!actor->soup && play_chance(play, 3)) {
        actor->update = (PliantUpdateKind)stage_whole(&play->stage.random, 0, 2);
        play_must(pliant_body_set_update_kind(play->world, actor->name, actor->update));
    }
    if (actor->soup)
        debris_act(play, actor);
    else
        move(play, actor);
    if (play->stage.kind == STAGE_points || (!actor->stays && play_chance(play, 3)))
        transform(play, actor);
    if (play_chance(play, 12)) {
        actor->categories = (uint32_t)stage_whole(&play->stage.random, 0, 7);
        actor->collides_with = (uint32_t)stage_whole(&play->stage.random, 0, 7);
        play_must(pliant_body_set_filter(play->world, actor->name, actor->categories,
                                         actor->collides_with));
        event_counts[EVENT_FILTERED]++;
    }
    if (play_chance(play, 6))
        actor->has_loose_box ^= true;
}

/* ---- Points on the vertices of others -----------------------------------------------------------
 */

/* The mesh that is planted can morph, too: the weights are those that leave it where it is. */
static void morph_planted(Play *play, Actor *actor)
{
    actor->morph = plant_morph(&play->stage, &actor->mesh);
    actor->between_count = stage_whole(&play->stage.random, 0, MAX_BETWEEN);
    actor->weights[0] = 1;
}

static void init_planted(Play *play, Actor *actor)
{
    Tree tree = {.kind = PLIANT_TREE_FULL, .child_count = 8, .leaf_size = 1};
    bool will_follow = play->cast != CAST_morphs && play_chance(play, 3);
    actor->segment_count = stage_make_segments(&play->stage, &actor->mesh);
    actor->has_weights = play_chance(play, 3);
    actor->has_joints = will_follow;
    if (actor->has_weights)
        morph_planted(play, actor);
    if (will_follow)
        actor->skin = skin_create_rigid(actor->mesh.vertex_count);
    actor->joints[0] = pliant_transform_identity();
    actor->shape = make_shape(actor, &tree);
    init_body(play, actor);
    evaluate_own(actor);
    if (actor->has_weights)
        play_must(pliant_body_set_weights(play->world, actor->name, actor->weights, 2));
    if (will_follow)
        play_must(pliant_body_set_joints(play->world, actor->name, actor->joints, 1));
    plant_as_counts[will_follow ? 2 : actor->has_weights]++;
}

/* As points, or as triangles or segments that are points. */
static void plant_soup(Play *play, Actor *actor)
{
    SceneMesh mesh = actor->mesh;
    actor->mesh = (SceneMesh){0};
    debris_enter(play, actor, soup_create_points(&play->stage, &mesh));
    scene_mesh_free(&mesh);
    plant_as_counts[3]++;
}

void actor_plant(Play *play, Actor *actor, const Actor *other)
{
    *actor = (Actor){.categories = UINT32_MAX, .collides_with = UINT32_MAX, .is_planted = true};
    PlantKind kind = (PlantKind)stage_whole(&play->stage.random, 0, PLANT_KIND_COUNT - 1);
    BruteBody body = {other->vertices, other->mesh.triangles, other->mesh.triangle_count};
    actor->mesh = plant_mesh(&play->stage, &body, kind);
    actor->bound = other->bound; /* bounds beyond boxes count where both have the same */
    if (play_chance(play, 6))
        actor->bound = (PliantBoundKind)stage_whole(&play->stage.random, 0, 3);
    if (has_soups(play) && play_chance(play, 3))
        plant_soup(play, actor);
    else
        init_planted(play, actor);
    planted_counts[kind]++;
    plant_on_counts[other->soup         ? 10
                    : is_skinned(other) ? 6 + (int)other->bound
                    : is_morphed(other) ? (int)other->bound
                                        : 4 + other->is_given]++;
}
