/* Bodies in motion: see movers.h. One random number a statement: the order within one is the
 * compiler's. */
#include "movers.h"
#include "brute.h"
#include "calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void crowd_must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("test_sweeps: %s\n", pliant_result_name(result));
    exit(1);
}

void *crowd_allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (!memory)
        exit(1);
    return memory;
}

bool crowd_chance(Crowd *crowd, int one_in)
{
    return stage_whole(&crowd->stage.random, 1, one_in) == 1;
}

/* Larger bodies are supplied or rigid. Weights, joints and transforms can make them flat, or take
 * them to one point: then integers decide, and that takes too long. */
static bool is_large(const Crowd *crowd)
{
    return crowd->max_triangles > 40;
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

/* Splits some vertices: triangles then have others, at the same place and of the same group. */
static void split_vertices(Crowd *crowd, Mover *mover)
{
    SceneMesh *mesh = &mover->mesh;
    const size_t most = (size_t)mesh->vertex_count + 3 * (size_t)mesh->triangle_count;
    const int rarely = 1 << stage_whole(&crowd->stage.random, 0, 5);
    mesh->vertices = realloc(mesh->vertices, 12 * most);
    mover->groups = crowd_allocate(4 * most);
    if (!mesh->vertices)
        exit(1);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        mover->groups[v] = (uint32_t)v;
    for (int32_t i = 0; i < 3 * mesh->triangle_count; i++) {
        const uint32_t vertex = mesh->triangles[i];
        if (!crowd_chance(crowd, rarely))
            continue;
        memcpy(mesh->vertices + 3 * (size_t)mesh->vertex_count, mesh->vertices + 3 * (size_t)vertex,
               12);
        mover->groups[mesh->vertex_count] = mover->groups[vertex];
        mesh->triangles[i] = (uint32_t)mesh->vertex_count++;
    }
}

static PliantShapeDef random_def(Crowd *crowd, Mover *mover, PliantExperiments *experiments)
{
    SceneRandom *random = &crowd->stage.random;
    PliantShapeDef def = pliant_shape_def_default();
    *experiments = pliant_experiments_default();
    def.experiments = experiments;
    def.vertices = (PliantVertices){mover->mesh.vertices, mover->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){mover->mesh.triangles, mover->mesh.triangle_count};
    def.groups = mover->groups;
    experiments->tree_kind = (PliantTreeKind)stage_whole(random, 0, 3);
    experiments->tree_child_count = 2 << stage_whole(random, 0, 2);
    experiments->tree_leaf_size = stage_whole(random, 1, 16);
    experiments->bound_kind = (PliantBoundKind)stage_whole(random, 0, 3);
    def.divide_kind = PLIANT_DIVIDE_NONE;
    if (mover->morph) {
        def.morph_kind = mover->morph->kind;
        def.targets = mover->morph->targets;
        def.target_count = mover->morph->target_count;
    }
    if (mover->skin)
        def.skin = &mover->skin->def;
    mover->is_divided = !mover->morph && !mover->skin &&
                        experiments->tree_kind != PLIANT_TREE_CONNECTED && !crowd_chance(crowd, 3);
    if (mover->is_divided) {
        def.divide_kind = crowd_chance(crowd, 2) ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_CORNERS;
        def.divide_size = (float)(crowd->stage.scale * (0.4 + scene_random(random)));
    }
    return def;
}

static void make_shape(Crowd *crowd, Mover *mover)
{
    mover->mesh = crowd_chance(crowd, 8) ? stage_few(&crowd->stage) : stage_mesh(&crowd->stage);
    if (mover->mesh.triangle_count > crowd->max_triangles)
        mover->mesh.triangle_count = crowd->max_triangles;
    if (crowd_chance(crowd, 3))
        split_vertices(crowd, mover);
    if (!is_large(crowd) && crowd_chance(crowd, 2))
        mover->morph = morph_create(&crowd->stage, &mover->mesh);
    if (!is_large(crowd) && crowd_chance(crowd, 2))
        mover->skin = skin_create(&crowd->stage, &mover->mesh);
    PliantExperiments experiments;
    mover->segment_count = stage_make_segments(&crowd->stage, &mover->mesh);
    PliantShapeDef def = random_def(crowd, mover, &experiments);
    uint32_t *segments = stage_give_segments(&mover->mesh, mover->segment_count, &def);
    crowd_must(pliant_shape_create(&def, &mover->shape));
    free(segments);
    crowd_must(pliant_body_create(crowd->world, mover->shape, &mover->sides[0].name));
}

/* ---- Soups -------------------------------------------------------------------------------------
 */

/* Not more than there may be. */
static void limit(const Crowd *crowd, Soup *soup)
{
    if (soup->count > crowd->max_triangles)
        soup->count = crowd->max_triangles;
}

static void make_soup(Crowd *crowd, Mover *mover)
{
    mover->soup = soup_create(&crowd->stage);
    limit(crowd, mover->soup);
    crowd_must(pliant_body_create_soup(crowd->world, &mover->soup->def, &mover->sides[0].name));
}

static void give_soup(Crowd *crowd, Mover *mover, Side *side, const float *vertices)
{
    const Soup *soup = mover->soup;
    const int32_t count = soup_vertex_count(soup);
    const size_t corners_size = 4 * (size_t)soup->width * (size_t)soup->count;
    float *given = crowd_allocate(12 * (size_t)count);
    uint32_t *corners = crowd_allocate(corners_size);
    memcpy(given, vertices, 12 * (size_t)count);
    memcpy(corners, soup->corners, corners_size);
    const PliantPrimitives primitives = {.struct_size = sizeof primitives,
                                         .vertices = {given, count, 0},
                                         .corners = soup->has_corners ? corners : NULL,
                                         .count = soup->count};
    crowd_must(crowd_chance(crowd, 2)
                   ? pliant_body_borrow_primitives(crowd->world, side->name, &primitives)
                   : pliant_body_set_primitives(crowd->world, side->name, &primitives));
    free(side->given);
    free(side->corners);
    side->given = given;
    side->corners = corners;
    side->pose = POSE_soup;
    if (side != &mover->sides[0])
        return;
    free(mover->mesh.triangles);
    mover->mesh.vertex_count = count;
    mover->mesh.triangle_count = soup->count;
    mover->mesh.triangles = crowd_allocate(12 * (size_t)soup->count);
    brute_places(soup->def.primitive_kind, &primitives, mover->mesh.triangles);
}

static void change_soup(Crowd *crowd, Mover *mover)
{
    (void)soup_change(&crowd->stage, mover->soup);
    limit(crowd, mover->soup);
    give_soup(crowd, mover, &mover->sides[0], mover->soup->vertices);
}

/* ---- Poses -------------------------------------------------------------------------------------
 */

static void set_transform(Crowd *crowd, Side *side, const PliantTransform *transform)
{
    const PliantTransform identity = pliant_transform_identity();
    bool is_finite = true;
    for (int i = 0; i < 12; i++)
        is_finite &= isfinite(transform->rows[i / 4][i % 4]) != 0;
    side->transform = is_finite ? *transform : identity;
    side->is_moved = false;
    for (int i = 0; i < 12; i++)
        side->is_moved |= side->transform.rows[i / 4][i % 4] != identity.rows[i / 4][i % 4];
    crowd_must(pliant_body_set_transform(crowd->world, side->name, &side->transform));
}

static void set_random_transform(Crowd *crowd, Side *side)
{
    StageTransform kind =
        (StageTransform)stage_whole(&crowd->stage.random, 0, STAGE_TRANSFORM_COUNT - 1);
    if (is_large(crowd))
        kind = STAGE_TRANSFORM_rotation;
    const PliantTransform transform = stage_transform(&crowd->stage, kind);
    set_transform(crowd, side, &transform);
}

static void unset_transform(Crowd *crowd, Side *side)
{
    const PliantTransform identity = pliant_transform_identity();
    if (side->is_moved)
        set_transform(crowd, side, &identity);
}

/* Vertices of a group that were taken apart are put together again. */
static void close_groups(const Mover *mover, float *vertices)
{
    for (int32_t v = 0; v < mover->mesh.vertex_count; v++)
        memmove(vertices + 3 * (size_t)v, vertices + 3 * (size_t)mover->groups[v], 12);
}

/* Copied or borrowed, with what can never be among them. */
static void give_shaped(Crowd *crowd, Mover *mover, Side *side, const float *vertices,
                        bool is_spoiled)
{
    const int32_t count = mover->mesh.vertex_count;
    float *given = crowd_allocate(12 * (size_t)count);
    memcpy(given, vertices, 12 * (size_t)count);
    if (mover->groups && is_spoiled && crowd_chance(crowd, 2))
        close_groups(mover, given);
    if (is_spoiled && crowd_chance(crowd, 8)) {
        const int at = stage_whole(&crowd->stage.random, 0, 3 * count - 1);
        given[at] = crowd_chance(crowd, 2) ? NAN : INFINITY;
    }
    side->pose = crowd_chance(crowd, 2) ? POSE_borrowed : POSE_copied;
    const PliantVertices view = {given, count, 0};
    crowd_must(side->pose == POSE_borrowed
                   ? pliant_body_borrow_vertices(crowd->world, side->name, view)
                   : pliant_body_set_vertices(crowd->world, side->name, view));
    free(side->given);
    side->given = given;
}

static void give(Crowd *crowd, Mover *mover, Side *side, const float *vertices)
{
    if (mover->soup)
        give_soup(crowd, mover, side, vertices);
    else
        give_shaped(crowd, mover, side, vertices, true);
}

static void read(Crowd *crowd, Mover *mover, Side *side)
{
    const size_t size = 12 * (size_t)mover->mesh.vertex_count;
    free(side->vertices);
    side->vertices = crowd_allocate(size + 12);
    crowd_must(test_body_vertices(crowd->world, side->name, side->vertices));
    memcpy((char *)side->vertices + size, (const float[3]){NAN, NAN, NAN}, 12);
}

static void set_weights(Crowd *crowd, Mover *mover, Side *side, WeightKind kind)
{
    morph_weights(&crowd->stage, mover->morph, kind, side->weights);
    crowd_must(pliant_body_set_weights(crowd->world, side->name, side->weights,
                                       mover->morph->target_count));
    side->pose = side->pose == POSE_joints || side->pose == POSE_both ? POSE_both : POSE_weights;
}

static void set_joints(Crowd *crowd, Mover *mover, Side *side, JointKind kind)
{
    skin_joints(&crowd->stage, mover->skin, kind, side->joints);
    crowd_must(pliant_body_set_joints(crowd->world, side->name, side->joints,
                                      mover->skin->def.joint_count));
    side->pose = side->pose == POSE_weights || side->pose == POSE_both ? POSE_both : POSE_joints;
}

/* Vertices that are moved from where they are at rest, or from where they were given last. */
static void give_moved(Crowd *crowd, Mover *mover, Side *side)
{
    const int32_t count = mover->mesh.vertex_count;
    const bool is_given = side->pose == POSE_copied || side->pose == POSE_borrowed;
    float *moved = crowd_allocate(12 * (size_t)count);
    memcpy(moved, is_given ? side->given : mover->mesh.vertices, 12 * (size_t)count);
    stage_move(&crowd->stage, moved, count);
    give(crowd, mover, side, moved);
    free(moved);
}

/* Any pose of a shape. */
static void pose(Crowd *crowd, Mover *mover, Side *side)
{
    const WeightKind weights = (WeightKind)stage_whole(&crowd->stage.random, 0, WEIGHT_changed - 1);
    const JointKind joints = (JointKind)stage_whole(&crowd->stage.random, 0, JOINT_changed - 1);
    const int how = stage_whole(&crowd->stage.random, 0, 5);
    if (how == 0 || (how == 1 && !mover->morph && !mover->skin))
        give_moved(crowd, mover, side);
    if (mover->morph && how >= 2)
        set_weights(crowd, mover, side, weights);
    if (mover->skin && (how == 1 || how >= 3))
        set_joints(crowd, mover, side, joints == JOINT_extreme ? JOINT_any : joints);
    if (crowd_chance(crowd, 3))
        set_random_transform(crowd, side);
    else if (crowd_chance(crowd, 3))
        unset_transform(crowd, side);
}

/* ---- Ends --------------------------------------------------------------------------------------
 */

/* The vertices of the start, each of them moved by up to so much, and all by so much. */
static void give_near(Crowd *crowd, Mover *mover, double each, const double all[3])
{
    const Stage *stage = &crowd->stage;
    const int32_t count = 3 * mover->mesh.vertex_count;
    float *moved = crowd_allocate(4 * (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        const double noise = each * stage_signed(&crowd->stage.random);
        const double step =
            stage->is_whole ? (double)(int)(all[i % 3] + 10 * noise) : all[i % 3] + noise;
        moved[i] = (float)(mover->sides[0].vertices[i] + stage->scale * step);
    }
    unset_transform(crowd, &mover->sides[1]);
    give(crowd, mover, &mover->sides[1], moved);
    free(moved);
}

/* What the start has, and a little of it changed. */
static void pose_alike(Crowd *crowd, Mover *mover)
{
    const Side *start = &mover->sides[0];
    Side *end = &mover->sides[1];
    PliantTransform transform = start->is_moved ? start->transform : pliant_transform_identity();
    memcpy(end->weights, start->weights, sizeof end->weights);
    memcpy(end->joints, start->joints, sizeof end->joints);
    if (start->given)
        give(crowd, mover, end, start->given);
    if (start->pose == POSE_weights || start->pose == POSE_both)
        set_weights(crowd, mover, end, crowd_chance(crowd, 2) ? WEIGHT_changed : WEIGHT_again);
    if (start->pose == POSE_joints || start->pose == POSE_both)
        set_joints(crowd, mover, end, crowd_chance(crowd, 2) ? JOINT_changed : JOINT_again);
    for (int k = 0; k < 3; k++)
        transform.rows[k][3] += (float)(crowd->stage.scale * crowd->drift[k]);
    set_transform(crowd, end, &transform);
}

/* A soup has the same primitives in another place; all else any pose. */
static void pose_otherwise(Crowd *crowd, Mover *mover)
{
    const double none[3] = {0};
    if (mover->soup) {
        give_near(crowd, mover, 1, none);
        if (crowd_chance(crowd, 2))
            set_random_transform(crowd, &mover->sides[1]);
        return;
    }
    pose(crowd, mover, &mover->sides[1]);
}

static void choose_end(Crowd *crowd, Mover *mover)
{
    const double none[3] = {0};
    const Motion motion = (Motion)stage_whole(&crowd->stage.random, 0, MOTION_COUNT - 1);
    mover->motion = motion;
    if (motion == MOTION_none && mover->has_end) {
        Side *end = &mover->sides[1];
        crowd_must(pliant_body_destroy(crowd->world, end->name));
        free(end->given);
        free(end->corners);
        free(end->vertices);
        *end = (Side){.pose = POSE_rest};
        mover->has_end = false;
    }
    if (motion == MOTION_none)
        return;
    if (!mover->has_end)
        crowd_must(
            pliant_body_create_end(crowd->world, mover->sides[0].name, &mover->sides[1].name));
    mover->has_end = true;
    if (motion == MOTION_same || motion == MOTION_small)
        give_near(crowd, mover, motion == MOTION_small ? 0.1 : 0, none);
    else if (motion == MOTION_together)
        give_near(crowd, mover, 0.05, crowd->drift);
    else if (motion == MOTION_like)
        pose_alike(crowd, mover);
    else
        pose_otherwise(crowd, mover);
}

/* ---- Movers ------------------------------------------------------------------------------------
 */

void mover_enter(Crowd *crowd, Mover *mover)
{
    *mover = (Mover){.categories = UINT32_MAX, .collides_with = UINT32_MAX};
    if (crowd_chance(crowd, 3)) {
        make_soup(crowd, mover);
        give_soup(crowd, mover, &mover->sides[0], mover->soup->vertices);
    } else {
        make_shape(crowd, mover);
    }
    if (crowd_chance(crowd, 6)) {
        mover->categories = (uint32_t)stage_whole(&crowd->stage.random, 0, 7);
        mover->collides_with = (uint32_t)stage_whole(&crowd->stage.random, 0, 7);
        crowd_must(pliant_body_set_filter(crowd->world, mover->sides[0].name, mover->categories,
                                          mover->collides_with));
    }
}

void mover_leave(Crowd *crowd, Mover *mover)
{
    crowd_must(pliant_body_destroy(crowd->world, mover->sides[0].name));
    pliant_shape_release(mover->shape);
    morph_release(mover->morph);
    skin_release(mover->skin);
    soup_free(mover->soup);
    scene_mesh_free(&mover->mesh);
    free(mover->groups);
    for (int i = 0; i < 2; i++) {
        free(mover->sides[i].given);
        free(mover->sides[i].corners);
        free(mover->sides[i].vertices);
    }
}

static bool is_odd(const Mover *mover)
{
    bool is_finite = true;
    for (int i = 0; i < 1 + mover->has_end; i++)
        for (int32_t v = 0; v < 3 * mover->mesh.vertex_count; v++)
            is_finite &= isfinite(mover->sides[i].vertices[v]) != 0;
    return !is_finite;
}

/* If some of it is not finite, and groups are apart, features count that would not if they were
 * together; and whether blended vertices are is told by how they move, not by where they are. So
 * then vertices are given. */
static void give_as_read(Crowd *crowd, Mover *mover)
{
    for (int i = 0; i < 1 + mover->has_end; i++) {
        Side *side = &mover->sides[i];
        unset_transform(crowd, side);
        give_shaped(crowd, mover, side, side->vertices, false);
        read(crowd, mover, side);
    }
}

void mover_act(Crowd *crowd, Mover *mover)
{
    Side *start = &mover->sides[0];
    if (mover->soup && crowd_chance(crowd, 2)) {
        change_soup(crowd, mover);
        if (crowd_chance(crowd, 4))
            set_random_transform(crowd, start);
    } else if (!mover->soup && crowd_chance(crowd, 2)) {
        pose(crowd, mover, start);
    }
    read(crowd, mover, start);
    choose_end(crowd, mover);
    if (mover->soup && mover->has_end)
        give_soup(crowd, mover, start, start->given); /* as many as the end has */
    if (mover->has_end)
        read(crowd, mover, &mover->sides[1]);
    if (mover->groups && is_odd(mover))
        give_as_read(crowd, mover);
}

void mover_nudge(Crowd *crowd, Mover *mover, float step)
{
    Side *side = &mover->sides[mover->has_end && crowd_chance(crowd, 2)];
    const bool is_given = side->pose == POSE_copied || side->pose == POSE_borrowed;
    if (!is_given || mover->soup || (mover->groups && is_odd(mover)))
        return;
    const int32_t count = mover->mesh.vertex_count;
    const int32_t only = stage_whole(&crowd->stage.random, 0, count - 1);
    const bool is_all = crowd_chance(crowd, 2);
    for (int32_t i = 0; i < 3 * count; i++)
        if (is_all || i / 3 == only)
            side->given[i] += step * (float)stage_signed(&crowd->stage.random);
    if (mover->groups && crowd_chance(crowd, 2))
        close_groups(mover, side->given);
    if (side->pose == POSE_copied)
        crowd_must(pliant_body_set_vertices(crowd->world, side->name,
                                            (PliantVertices){side->given, count, 0}));
    /* An end that was never set has borrowed what its body has. */
    for (int i = 0; i < 1 + mover->has_end; i++)
        read(crowd, mover, &mover->sides[i]);
}

FeatureBody mover_body(const Mover *mover)
{
    const Side *sides = mover->sides;
    return (FeatureBody){
        .name = sides[0].name,
        .start = sides[0].vertices,
        .end = sides[mover->has_end].vertices,
        .triangles = mover->mesh.triangles,
        .groups = mover->groups,
        .vertex_count = mover->mesh.vertex_count,
        .triangle_count = mover->mesh.triangle_count,
        .first_segment = mover->soup && mover->soup->def.primitive_kind == PLIANT_SEGMENTS
                             ? 0
                             : mover->mesh.triangle_count - mover->segment_count,
        .has_own_vertices = mover->soup && !mover->soup->has_corners,
        .are_points = mover->soup && mover->soup->def.primitive_kind == PLIANT_POINTS};
}
