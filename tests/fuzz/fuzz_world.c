/* libFuzzer: any bytes as a session with a small world, calls in any order, against brute force.
 *
 * Each byte decides one thing: a call, a body, a coordinate. What is missing is zero. A model of
 * the world is kept beside it, which knows the bodies, where their vertices should be and nothing
 * of trees. */
#include "brute.h"
#include "calls.h"
#include "input.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BODIES = 12,
    VERTICES = 40,
    TRIANGLES = 40,
    CALLS = 60,
    TARGETS = 4,
    JOINTS = 4,
    INFLUENCES = 3
};

typedef struct Model {
    PliantBody name;
    bool is_alive, is_lent, is_moved, has_loose_box;
    int32_t vertex_count, triangle_count;
    uint32_t triangles[TRIANGLES][3];
    float rest[VERTICES][3], now[VERTICES][3];
    float vertices[VERTICES + 1][3]; /* of a soup, with one more that is NaN */
    PliantMorphKind morph_kind;
    int32_t target_count;
    PliantTarget targets[TARGETS];
    float target_data[TARGETS][VERTICES][3];
    uint32_t indices[TARGETS][VERTICES];
    PliantSkin skin;
    uint16_t joint_names[VERTICES * INFLUENCES];
    float joint_weights[VERTICES * INFLUENCES];
    float weights[TARGETS];
    PliantTransform joints[JOINTS];
    bool has_weights, has_joints;       /* have been set */
    PliantPrimitiveKind primitive_kind; /* of a soup, which has no shape */
    bool is_soup;
    uint32_t corners[3 * TRIANGLES], *lent_corners;
    float *lent;
    PliantTransform transform;
    uint32_t categories, collides_with;
} Model;

typedef struct Session {
    Input input;
    PliantHost host;
    PliantWorld *world;
    Model models[BODIES]; /* dead ones too: their names must be refused */
    int count;
} Session;

static float read_float(Input *input)
{
    static const float odd[] = {NAN,       INFINITY, -INFINITY, -0.0f,     FLT_MAX, -FLT_MAX,
                                0x1p-149f, 1e-30f,   1e30f,     0x1p-126f, 0.5f,    0.3f};
    uint32_t byte = take(input);
    if (byte >= 256 - 12)
        return odd[byte - (256 - 12)];
    return (float)(byte % 8) - 4;
}

/* ---- Calls -------------------------------------------------------------------------------------
 */

static float read_finite(Input *input)
{
    float x = read_float(input);
    return isfinite(x) ? x : 0.1f;
}

/* Dense, or of some vertices. */
static void read_target(Session *s, Model *model, int target)
{
    bool is_sparse = model->morph_kind == PLIANT_MORPH_DISPLACEMENTS && take(&s->input) % 2;
    int32_t count = 0;
    for (int32_t v = 0; v < model->vertex_count; v++) {
        bool is_last = v + 1 == model->vertex_count;
        if (is_sparse && take(&s->input) % 2 && !(is_last && count == 0))
            continue;
        model->indices[target][count] = (uint32_t)v;
        for (int k = 0; k < 3; k++)
            model->target_data[target][count][k] = read_finite(&s->input);
        count++;
    }
    model->targets[target] = (PliantTarget){{model->target_data[target][0], count, 0},
                                            is_sparse ? model->indices[target] : NULL};
}

static void read_morph(Session *s, Model *model, PliantShapeDef *def,
                       PliantExperiments *experiments)
{
    uint32_t how = take(&s->input);
    model->target_count = (int32_t)(how % (TARGETS + 1));
    model->morph_kind = (PliantMorphKind)(how / 8 % 2);
    for (int t = 0; t < model->target_count; t++)
        read_target(s, model, t);
    def->morph_kind = model->morph_kind;
    def->targets = model->targets;
    def->target_count = model->target_count;
    experiments->bound_kind = (PliantBoundKind)(how / 16 % 4);
    if (model->target_count > 0 && model->morph_kind == PLIANT_MORPH_REFERENCES)
        def->between_count = (int32_t)(how / 64);
}

/* A place that is not used may name any joint. */
static void copy_influences(Session *s, Model *model, PliantShapeDef *def)
{
    static const float odd[] = {0x1p-149f, 1e-30f, 1e30f, 0x1p-126f, 3, 0.3f, -0.0f, 1};
    uint32_t how = take(&s->input);
    model->skin =
        (PliantSkin){sizeof(PliantSkin), (int32_t)(how % (JOINTS + 1)),
                     1 + (int32_t)(how / 8 % INFLUENCES), model->joint_names, model->joint_weights};
    int32_t count = model->skin.joint_count ? model->vertex_count * model->skin.influence_count : 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t byte = take(&s->input);
        model->joint_weights[i] = byte < 192 ? (float)(byte / 8) / 16 : odd[byte % 8];
        model->joint_names[i] = model->joint_weights[i] == 0
                                    ? (uint16_t)byte
                                    : (uint16_t)(byte % (uint32_t)model->skin.joint_count);
    }
    def->skin = model->skin.joint_count > 0 ? &model->skin : NULL;
}

static PliantShape *make_shape(Session *s, Model *model)
{
    model->vertex_count = 1 + (int32_t)(take(&s->input) % VERTICES);
    model->triangle_count = 1 + (int32_t)(take(&s->input) % TRIANGLES);
    for (int32_t i = 0; i < 3 * model->vertex_count; i++)
        model->rest[i / 3][i % 3] = model->now[i / 3][i % 3] = read_float(&s->input);
    for (int32_t i = 0; i < 3 * model->triangle_count; i++)
        model->triangles[i / 3][i % 3] = take(&s->input) % (uint32_t)model->vertex_count;
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){model->now[0], model->vertex_count, 0};
    def.triangles = (PliantTriangles){model->triangles[0], model->triangle_count};
    uint32_t tree = take(&s->input);
    experiments.tree_kind = (PliantTreeKind)(tree % 4);
    experiments.tree_child_count = 2 << tree / 4 % 3;
    experiments.tree_leaf_size = 1 + (int32_t)(tree / 16);
    read_morph(s, model, &def, &experiments);
    copy_influences(s, model, &def);
    PliantShape *shape = NULL;
    must(pliant_shape_create(&def, &shape) == PLIANT_OK);
    return shape;
}

/* A body that is made now; NULL: there are enough. */
static Model *add_model(Session *s)
{
    if (s->count == BODIES)
        return NULL;
    Model *model = &s->models[s->count++];
    *model = (Model){.is_alive = true, .categories = UINT32_MAX, .collides_with = UINT32_MAX};
    return model;
}

static void create(Session *s)
{
    Model *model = add_model(s);
    if (!model)
        return;
    PliantShape *shape = make_shape(s, model);
    must(pliant_body_create(s->world, shape, &model->name) == PLIANT_OK);
    pliant_shape_release(shape);
}

/* Of what was lent, nothing is read any more. */
static void restore(Model *model)
{
    free(model->lent);
    free(model->lent_corners);
    model->lent = NULL;
    model->lent_corners = NULL;
    model->is_lent = false;
}

static void destroy(Session *s, Model *model)
{
    PliantResult result = pliant_body_destroy(s->world, model->name);
    must(result == (model->is_alive ? PLIANT_OK : PLIANT_BAD_ID));
    model->is_alive = false;
    restore(model);
}

/* Exactly as long as it has to be, so that a read beyond is seen. */
static void lend(Model *model, size_t stride)
{
    size_t count = (size_t)model->vertex_count;
    float *old = model->lent;
    model->lent = malloc(count > 0 ? stride * (count - 1) + 12 : 1);
    for (size_t v = 0; v < count; v++)
        memcpy((char *)model->lent + stride * v, model->now[v], 12);
    free(old);
}

/* What is said to a call that is not for this body. */
static PliantResult refusal(const Model *model)
{
    return model->is_alive ? PLIANT_BAD_ARGUMENT : PLIANT_BAD_ID;
}

static void set_vertices(Session *s, Model *model)
{
    uint32_t how = take(&s->input);
    size_t stride = 12 + 4 * (how / 4 % 4);
    if (!model->is_alive || model->is_soup) {
        PliantVertices vertices = {model->now[0], model->vertex_count, 0};
        must(pliant_body_set_vertices(s->world, model->name, vertices) == refusal(model));
        return;
    }
    for (int32_t i = 0; i < 3 * model->vertex_count; i++)
        if (how % 2 == 0 || take(&s->input) % 4 == 0)
            model->now[i / 3][i % 3] = read_float(&s->input);
    float *kept = model->lent;
    model->lent = NULL; /* until it is no longer read */
    lend(model, stride);
    PliantVertices vertices = {model->lent, model->vertex_count, stride};
    PliantResult result = how / 2 % 2
                              ? pliant_body_set_vertices(s->world, model->name, vertices)
                              : pliant_body_borrow_vertices(s->world, model->name, vertices);
    must(result == PLIANT_OK);
    model->is_lent = how / 2 % 2 == 0;
    free(kept);
    if (model->is_lent && how % 32 == 0) { /* written in place, and nobody is told */
        model->now[0][0] = read_float(&s->input);
        memcpy(model->lent, model->now[0], 12);
    }
}

/* What weights and joints make of the mesh; nothing is lent any more. */
static void evaluate(Model *model)
{
    BruteMorph morph = {model->morph_kind, model->targets, model->target_count};
    memcpy(model->now, model->rest, sizeof model->now);
    if (model->has_weights)
        brute_blend(&morph, model->rest[0], model->vertex_count, model->weights, model->now[0]);
    if (model->has_joints)
        brute_skin(&model->skin, model->joints, model->now[0], model->vertex_count, model->now[0]);
    restore(model);
}

static void set_weights(Session *s, Model *model)
{
    float weights[TARGETS] = {0};
    bool is_finite = true;
    for (int t = 0; t < model->target_count; t++) {
        uint32_t byte = take(&s->input);
        weights[t] = byte < 192 ? (float)(byte % 13) / 4 - 1 : read_float(&s->input);
        is_finite &= isfinite(weights[t]) != 0;
    }
    PliantResult result =
        pliant_body_set_weights(s->world, model->name, weights, model->target_count);
    must(result ==
         (model->is_alive && is_finite && model->target_count > 0 ? PLIANT_OK : refusal(model)));
    if (result != PLIANT_OK)
        return;
    memcpy(model->weights, weights, sizeof weights);
    model->has_weights = true;
    evaluate(model);
}

static void set_joints(Session *s, Model *model)
{
    PliantTransform joints[JOINTS];
    bool is_finite = true;
    for (int32_t i = 0; i < 12 * JOINTS; i++) {
        uint32_t byte = i < 12 * model->skin.joint_count ? take(&s->input) : 0;
        float rest = i % 12 % 5 == 0;
        float number = byte % 2 ? read_float(&s->input) : rest;
        joints[i / 12].rows[i % 12 / 4][i % 4] = number;
        is_finite &= isfinite(number) != 0;
    }
    PliantResult result =
        pliant_body_set_joints(s->world, model->name, joints, model->skin.joint_count);
    must(result == (model->is_alive && is_finite && model->skin.joint_count > 0 ? PLIANT_OK
                                                                                : refusal(model)));
    if (result != PLIANT_OK)
        return;
    memcpy(model->joints, joints, sizeof joints);
    model->has_joints = true;
    evaluate(model);
}

/* ---- Soups -------------------------------------------------------------------------------------
 */

static void create_soup(Session *s)
{
    Model *model = add_model(s);
    if (!model)
        return;
    uint32_t how = take(&s->input);
    PliantSoupDef def = pliant_soup_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.primitive_kind = model->primitive_kind = how % 2        ? PLIANT_POINTS
                                                 : how / 64 % 2 ? PLIANT_SEGMENTS
                                                                : PLIANT_TRIANGLES;
    experiments.soup_kind = (PliantSoupKind)(how / 2 % 4);
    experiments.soup_level_count = (int32_t)(how / 8 % 6); /* more take a lot of memory */
    model->is_soup = true;
    must(pliant_body_create_soup(s->world, &def, &model->name) == PLIANT_OK);
}

static uint32_t width_of(const Model *model)
{
    static const uint32_t widths[] = {
        [PLIANT_TRIANGLES] = 3, [PLIANT_POINTS] = 1, [PLIANT_SEGMENTS] = 2};
    return widths[model->primitive_kind];
}

/* Vertices and corners in the model; in turn, there are as many vertices as it takes. */
static void read_primitives(Session *s, Model *model, bool has_corners)
{
    const uint32_t width = width_of(model);
    uint32_t most = has_corners ? TRIANGLES : VERTICES / width;
    model->triangle_count = (int32_t)(take(&s->input) % (most + 1));
    model->vertex_count = has_corners ? (int32_t)(take(&s->input) % (VERTICES + 1))
                                      : (int32_t)width * model->triangle_count;
    for (int32_t i = 0; i < 3 * model->vertex_count; i++)
        model->now[i / 3][i % 3] = read_float(&s->input);
    for (uint32_t i = 0; i < width * (uint32_t)model->triangle_count && has_corners; i++) {
        uint32_t byte = take(&s->input);
        model->corners[i] = byte % 16 == 15 || model->vertex_count == 0
                                ? PLIANT_NO_VERTEX
                                : byte / 2 % (uint32_t)model->vertex_count;
    }
}

/* Only the first corner of a place may be no vertex, and only then any of the others. */
static bool is_right(const Model *model, const PliantPrimitives *primitives)
{
    const size_t width = width_of(model);
    bool is_all = true;
    for (size_t i = 0; i < width * (size_t)primitives->count && primitives->corners; i++)
        is_all &= primitives->corners[i / width * width] == PLIANT_NO_VERTEX ||
                  primitives->corners[i] != PLIANT_NO_VERTEX;
    return is_all;
}

static void set_primitives(Session *s, Model *model)
{
    const uint32_t how = take(&s->input);
    const size_t stride = 12 + 4 * (how / 4 % 4);
    if (!model->is_alive || !model->is_soup) {
        const PliantPrimitives none = {.struct_size = sizeof(PliantPrimitives)};
        must(pliant_body_set_primitives(s->world, model->name, &none) == refusal(model));
        return;
    }
    Model next = *model;
    next.lent = NULL;
    read_primitives(s, &next, how % 2);
    lend(&next, stride);
    const size_t corners_size = sizeof *next.corners * 3 * (size_t)next.triangle_count;
    next.lent_corners = malloc(corners_size + 1);
    memcpy(next.lent_corners, next.corners, corners_size);
    const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                         .vertices = {next.lent, next.vertex_count, stride},
                                         .corners = how % 2 ? next.lent_corners : NULL,
                                         .count = next.triangle_count};
    PliantResult result = how / 2 % 2
                              ? pliant_body_set_primitives(s->world, model->name, &primitives)
                              : pliant_body_borrow_primitives(s->world, model->name, &primitives);
    const bool is_taken = is_right(model, &primitives);
    must(result == (is_taken ? PLIANT_OK : PLIANT_BAD_INDEX));
    restore(is_taken ? model : &next);
    if (!is_taken)
        return;
    brute_places(next.primitive_kind, &primitives, next.triangles[0]);
    if (how / 2 % 2)
        restore(&next);
    *model = next;
}

static void set_transform(Session *s, Model *model)
{
    PliantTransform transform = pliant_transform_identity();
    const PliantTransform identity = transform;
    bool is_finite = true;
    for (int i = 0; i < 12; i++)
        if (take(&s->input) % 2) {
            transform.rows[i / 4][i % 4] = read_float(&s->input);
            is_finite &= isfinite(transform.rows[i / 4][i % 4]) != 0;
        }
    PliantResult result = pliant_body_set_transform(s->world, model->name, &transform);
    must(result == (model->is_alive && is_finite ? PLIANT_OK : refusal(model)));
    if (result != PLIANT_OK)
        return;
    model->transform = transform;
    model->is_moved = false;
    for (int i = 0; i < 12; i++) /* as numbers: -0 is 0 */
        model->is_moved |= transform.rows[i / 4][i % 4] != identity.rows[i / 4][i % 4];
}

static void set_rest(Session *s, Model *model)
{
    PliantResult expected = model->is_alive ? PLIANT_OK : PLIANT_BAD_ID;
    uint32_t what = take(&s->input);
    PliantUpdateKind kind = (PliantUpdateKind)(what % 3);
    must(pliant_body_set_update_kind(s->world, model->name, kind) ==
         (model->is_soup ? refusal(model) : expected));
    if (what % 8 == 0) {
        uint32_t categories = take(&s->input) % 4, collides_with = take(&s->input) % 4;
        must(pliant_body_set_filter(s->world, model->name, categories, collides_with) == expected);
        model->categories = categories;
        model->collides_with = collides_with;
    }
    /* All of space is a promise that holds. */
    const PliantBox all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const PliantBox *box = what / 8 % 2 ? &all : NULL;
    must(pliant_body_set_loose_box(s->world, model->name, box) == expected);
}

/* ---- Questions ---------------------------------------------------------------------------------
 */

static bool is_same_number(float x, float y)
{
    return x == y || (isnan(x) && isnan(y));
}

static void check_vertices(Session *s, Model *model)
{
    float wanted[VERTICES][3];
    memcpy(wanted, model->now, sizeof wanted);
    if (model->is_moved)
        brute_move(&model->transform, model->now[0], model->vertex_count, wanted[0]);
    must(test_body_vertices(s->world, model->name, model->vertices[0]) == PLIANT_OK);
    memcpy(model->vertices[model->vertex_count], (const float[3]){NAN, NAN, NAN}, 12);
    for (int32_t i = 0; i < 3 * model->vertex_count; i++)
        must(is_same_number(wanted[i / 3][i % 3], model->vertices[i / 3][i % 3]));
}

static BruteBody brute_body(const Model *model)
{
    return (BruteBody){model->vertices[0], model->triangles[0], model->triangle_count};
}

/* The contacts of two bodies from `*at` on are these pairs; moves on behind them. */
static void check_pair(const Model *a, const Model *b, const BruteContacts *expected,
                       const PliantContacts *contacts, int64_t *at)
{
    for (int64_t i = 0; i < expected->count; i++, ++*at) {
        must(*at < contacts->count);
        const PliantContact *contact = &contacts->items[*at];
        must(memcmp(&contact->body_a, &a->name, sizeof a->name) == 0);
        must(memcmp(&contact->body_b, &b->name, sizeof b->name) == 0);
        must(contact->triangle_a == expected->items[i].a &&
             contact->triangle_b == expected->items[i].b);
    }
}

/* The living bodies by index. */
static int living(Session *s, Model *list[BODIES])
{
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        if (!s->models[i].is_alive)
            continue;
        int index = count++;
        for (; index > 0 && list[index - 1]->name.index > s->models[i].name.index; index--)
            list[index] = list[index - 1];
        list[index] = &s->models[i];
    }
    return count;
}

static void prefetch(Session *s)
{
    Model *list[BODIES];
    PliantContacts contacts = pliant_contacts_default();
    int count = living(s, list);
    int64_t at = 0, touching = 0;
    for (int i = 0; i < count; i++)
        check_vertices(s, list[i]);
    must(pliant_world_collide(s->world, NULL, &contacts) == PLIANT_OK);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            BruteContacts expected = {0};
            BruteBody a = brute_body(list[i]), b = brute_body(list[j]);
            if (!(list[i]->categories & list[j]->collides_with) ||
                !(list[j]->categories & list[i]->collides_with))
                continue;
            brute_force(&a, &b, &expected);
            check_pair(list[i], list[j], &expected, &contacts, &at);
            touching += expected.count > 0;
            brute_free(&expected);
        }
    must(at == contacts.count);
    must(pliant_world_collide(s->world, TEST_QUERY(PLIANT_FIRST_PAIRS), &contacts) == PLIANT_OK);
    must(contacts.count == touching);
    must(pliant_world_collide(s->world, TEST_QUERY(PLIANT_ANY_PAIR), &contacts) == PLIANT_OK);
    must(contacts.count == (touching > 0));
}

static void ask_two(Session *s, Model *x, Model *y)
{
    Model *a = x->name.index < y->name.index ? x : y, *b = a == x ? y : x;
    PliantContacts contacts = pliant_contacts_default();
    PliantResult result = pliant_bodies_collide(s->world, x->name, y->name, NULL, &contacts);
    must(result == (!x->is_alive || !y->is_alive ? PLIANT_BAD_ID
                    : x == y                     ? PLIANT_BAD_ARGUMENT
                                                 : PLIANT_OK));
    if (result != PLIANT_OK)
        return;
    check_vertices(s, a);
    check_vertices(s, b);
    BruteContacts expected = {0};
    BruteBody brute_a = brute_body(a), brute_b = brute_body(b);
    int64_t at = 0;
    brute_force(&brute_a, &brute_b, &expected);
    check_pair(a, b, &expected, &contacts, &at);
    must(at == contacts.count);
    brute_free(&expected);
}

static void call(Session *s)
{
    uint32_t which = take(&s->input);
    Model *model = &s->models[which / 12 % (uint32_t)s->count];
    switch (which % 12) {
    case 0:
        create(s);
        break;
    case 1:
        destroy(s, model);
        break;
    case 2:
    case 3:
        set_vertices(s, model);
        break;
    case 4:
        set_transform(s, model);
        break;
    case 5:
        set_rest(s, model);
        break;
    case 6:
        set_weights(s, model);
        break;
    case 7:
        set_joints(s, model);
        break;
    case 8:
        ask_two(s, model, &s->models[take(&s->input) % (uint32_t)s->count]);
        break;
    case 9:
        create_soup(s);
        break;
    case 10:
        set_primitives(s, model);
        break;
    default:
        prefetch(s);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Session *s = calloc(1, sizeof *s);
    if (!s)
        return 0;
    s->input = (Input){data, size};
    s->host.report = report;
    PliantWorldDef def = pliant_world_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.cpu_mask = take(&s->input) % 8;
    experiments.broad_kind = (PliantBroadKind)(take(&s->input) % 3);
    def.host = &s->host;
    must(pliant_world_create(&def, &s->world) == PLIANT_OK);
    create(s);
    create(s);
    for (int i = 0; i < CALLS && s->input.left > 0; i++)
        call(s);
    prefetch(s);
    pliant_world_destroy(s->world);
    for (int i = 0; i < s->count; i++)
        restore(&s->models[i]);
    free(s);
    return 0;
}
