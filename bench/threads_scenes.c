/* The scenes of pliant-bench threads, each in all worlds: see threads.h. */
#include "threads.h"

#include <stdlib.h>
#include <string.h>

static PliantShape *make_shape(const SceneMesh *mesh, const SceneSkin *skinned)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantSkin skin = pliant_skin_default();
    PliantShape *shape;
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    if (skinned) {
        skin.joint_count = skinned->joint_count;
        skin.influence_count = skinned->influence_count;
        skin.joints = skinned->joints;
        skin.weights = skinned->weights;
        def.skin = &skin;
    }
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

static void reserve_bodies(Stage *stage, int32_t count)
{
    for (int i = 0; i < WORLDS; i++)
        stage->bodies[i] = bench_allocate((size_t)count, sizeof(PliantBody));
}

/* Makes bodies of a shape, and releases it. */
static void add_bodies(Stage *stage, int32_t first, int32_t count, PliantShape *shape)
{
    for (int i = 0; i < WORLDS; i++)
        for (int32_t body = first; body < first + count; body++)
            bench_must(pliant_body_create(stage->worlds[i], shape, &stage->bodies[i][body]));
    pliant_shape_release(shape);
}

/* ---- Borrowed vertices ----------------------------------------------------------------------- */

static void borrow(Stage *stage, int body, int32_t vertex_count, bool has_end)
{
    const size_t count = 3 * (size_t)vertex_count;
    stage->vertex_counts[body] = vertex_count;
    stage->vertices[body] = bench_allocate(count, sizeof(float));
    stage->ends[body] = has_end ? bench_allocate(count, sizeof(float)) : NULL;
    for (int i = 0; i < WORLDS; i++) {
        PliantBody end;
        bench_must(
            pliant_body_borrow_vertices(stage->worlds[i], stage->bodies[i][body],
                                        (PliantVertices){stage->vertices[body], vertex_count, 0}));
        if (!has_end)
            continue;
        bench_must(pliant_body_create_end(stage->worlds[i], stage->bodies[i][body], &end));
        bench_must(pliant_body_borrow_vertices(
            stage->worlds[i], end, (PliantVertices){stage->ends[body], vertex_count, 0}));
    }
}

static void pose_borrowed(Stage *stage, int frame)
{
    for (int body = 0; body < 2; body++) {
        if (stage->vertices[body])
            stage->kind->fill(stage, body, frame, stage->vertices[body]);
        if (stage->ends[body])
            stage->kind->fill(stage, body, frame + 1, stage->ends[body]);
    }
}

static void start_meshes(Stage *stage, const SceneMesh *meshes, int count, bool has_ends)
{
    reserve_bodies(stage, count);
    for (int body = 0; body < count; body++) {
        add_bodies(stage, body, 1, make_shape(&meshes[body], NULL));
        borrow(stage, body, meshes[body].vertex_count, has_ends);
    }
}

static void start_bumpy(Stage *stage, double size)
{
    stage->of.bumpy = scene_bumpy((int)size);
    reserve_bodies(stage, 2);
    add_bodies(stage, 0, 2, make_shape(&stage->of.bumpy.sphere, NULL));
    for (int body = 0; body < 2; body++)
        borrow(stage, body, stage->of.bumpy.sphere.vertex_count, false);
}

/* The last frames, in which the spheres intersect most. */
static void fill_bumpy(const Stage *stage, int body, int frame, float *vertices)
{
    scene_bumpy_vertices(&stage->of.bumpy, body, SCENE_BUMPY_STEPS - 1 - stage->frame_count + frame,
                         vertices);
}

static void end_bumpy(Stage *stage)
{
    scene_bumpy_free(&stage->of.bumpy);
}

const Scene threads_bumpy = {start_bumpy, pose_borrowed, end_bumpy, fill_bumpy};

static void start_statues(Stage *stage, double size)
{
    stage->of.statues = scene_statue_pair((int)size);
    start_meshes(stage, stage->of.statues.meshes, 2, false);
}

/* Along one axis. */
static void fill_statue(const Stage *stage, int body, int frame, float *vertices)
{
    const SceneMesh *mesh = &stage->of.statues.meshes[body];
    const float stretch = 1 + 0.002f * (float)(frame % 7);
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++)
        vertices[i] = i % 3 == 0 ? stretch * mesh->vertices[i] : mesh->vertices[i];
}

static void end_statues(Stage *stage)
{
    scene_statue_pair_free(&stage->of.statues);
}

const Scene threads_statues = {start_statues, pose_borrowed, end_statues, fill_statue};

static void start_draped(Stage *stage, double size)
{
    stage->of.cloth = scene_draped_cloth();
    start_meshes(stage, stage->of.cloth.meshes, 2, size > 0);
}

static void start_folded(Stage *stage, double size)
{
    stage->of.cloth = scene_folded_cloth(size);
    start_meshes(stage, stage->of.cloth.meshes, 1, false);
}

static void fill_cloth(const Stage *stage, int body, int frame, float *vertices)
{
    scene_cloth_vertices(&stage->of.cloth, body, frame, vertices);
}

static void end_cloth(Stage *stage)
{
    scene_cloth_free(&stage->of.cloth);
}

const Scene threads_draped = {start_draped, pose_borrowed, end_cloth, fill_cloth};
const Scene threads_folded = {start_folded, pose_borrowed, end_cloth, fill_cloth};

/* ---- Characters ------------------------------------------------------------------------------ */

static void set_joints(Stage *stage, int32_t body, float (*joints)[3][4], float rows[3][4])
{
    PliantTransform transforms[SCENE_AVATAR_JOINTS], place = pliant_transform_identity();
    memcpy(transforms, joints, sizeof transforms);
    if (rows)
        memcpy(place.rows, rows, sizeof place.rows);
    for (int i = 0; i < WORLDS; i++) {
        bench_must(pliant_body_set_joints(stage->worlds[i], stage->bodies[i][body], transforms,
                                          SCENE_AVATAR_JOINTS));
        bench_must(pliant_body_set_transform(stage->worlds[i], stage->bodies[i][body], &place));
    }
}

/* Body 0 is the museum. */
static void start_visitors(Stage *stage, double size)
{
    (void)size;
    stage->of.people.museum = scene_museum();
    SceneSkin *avatar = &stage->of.people.skins[0];
    *avatar = scene_avatar();
    reserve_bodies(stage, SCENE_VISITORS + 1);
    add_bodies(stage, 0, 1, make_shape(&stage->of.people.museum, NULL));
    add_bodies(stage, 1, SCENE_VISITORS, make_shape(&avatar->mesh, avatar));
}

static void pose_visitors(Stage *stage, int frame)
{
    float joints[SCENE_AVATAR_JOINTS][3][4], rows[3][4];
    for (int32_t visitor = 0; visitor < SCENE_VISITORS; visitor++) {
        scene_visitor_pose(&stage->of.people.skins[0], visitor, frame, joints, rows);
        set_joints(stage, visitor + 1, joints, rows);
    }
}

static void end_visitors(Stage *stage)
{
    scene_skin_free(&stage->of.people.skins[0]);
    scene_mesh_free(&stage->of.people.museum);
}

const Scene threads_visitors = {start_visitors, pose_visitors, end_visitors, NULL};

/* The suit is the skin, coarser and moved by up to 4 mm along each axis: the skin pokes through it
 * in many places. */
static void start_suit(Stage *stage, double size)
{
    (void)size;
    SceneSkin *skins = stage->of.people.skins;
    skins[0] = scene_avatar();
    skins[1] = scene_avatar_coarse(2);
    float *vertices = skins[1].mesh.vertices;
    for (int32_t i = 0; i < 3 * skins[1].mesh.vertex_count; i += 3) {
        const double x = vertices[i], y = vertices[i + 1], z = vertices[i + 2];
        vertices[i] += (float)(0.004 * scene_sin(40 * y + 35 * z));
        vertices[i + 1] += (float)(0.004 * scene_sin(40 * z + 35 * x));
        vertices[i + 2] += (float)(0.004 * scene_sin(40 * x + 35 * y));
    }
    reserve_bodies(stage, 2);
    for (int body = 0; body < 2; body++)
        add_bodies(stage, body, 1, make_shape(&skins[body].mesh, &skins[body]));
}

static void pose_suit(Stage *stage, int frame)
{
    float joints[SCENE_AVATAR_JOINTS][3][4];
    scene_avatar_pose(&stage->of.people.skins[0], frame / 48.0, 0, joints);
    for (int body = 0; body < 2; body++)
        set_joints(stage, body, joints, NULL);
}

static void end_suit(Stage *stage)
{
    for (int i = 0; i < 2; i++)
        scene_skin_free(&stage->of.people.skins[i]);
}

const Scene threads_suit = {start_suit, pose_suit, end_suit, NULL};

/* ---- Many small things ----------------------------------------------------------------------- */

static void start_drift(Stage *stage, double size)
{
    stage->of.drift = bench_drift((int32_t)size);
    reserve_bodies(stage, stage->of.drift.count);
    add_bodies(stage, 0, stage->of.drift.count, bench_drift_shape());
}

static void pose_drift(Stage *stage, int frame)
{
    (void)frame;
    bench_drift_step(&stage->of.drift);
    for (int i = 0; i < WORLDS; i++)
        bench_drift_place(&stage->of.drift, stage->worlds[i], stage->bodies[i]);
}

static void end_drift(Stage *stage)
{
    bench_drift_free(&stage->of.drift);
}

const Scene threads_drift = {start_drift, pose_drift, end_drift, NULL};

static void start_soups(Stage *stage, double size)
{
    stage->of.soup = scene_soup(SCENE_SOUP_EVEN, SCENE_SOUP_COHERENT, (int32_t)size, 1);
    const SceneSoup *soup = &stage->of.soup;
    reserve_bodies(stage, 2);
    for (int i = 0; i < WORLDS; i++)
        for (int cloud = 0; cloud < 2; cloud++) {
            PliantBody *body = &stage->bodies[i][cloud];
            PliantPrimitives primitives = pliant_primitives_default();
            primitives.count = soup->triangle_count;
            primitives.vertices =
                (PliantVertices){soup->corners[cloud], 3 * soup->triangle_count, 0};
            bench_must(pliant_body_create_soup(stage->worlds[i], NULL, body));
            bench_must(pliant_body_borrow_primitives(stage->worlds[i], *body, &primitives));
        }
}

static void pose_soups(Stage *stage, int frame)
{
    if (frame > 0)
        scene_soup_next(&stage->of.soup);
}

static void end_soups(Stage *stage)
{
    scene_soup_free(&stage->of.soup);
}

const Scene threads_soups = {start_soups, pose_soups, end_soups, NULL};
