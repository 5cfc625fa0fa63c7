/* A poncho of 43,024 triangles falls on somebody who walks, and stays outside for 300 frames.
 *
 *     cloth [--frames N] [--obj FILE]
 *
 * The cloth is position-based: links hold its vertices together. It learns where the walker is from
 * near pairs alone. After each frame pliant_world_collide() counts what penetrates; the program
 * exits with 1 if anything does. --obj writes a few frames side by side. docs/cloth.md has a
 * picture of them.
 *
 * Why no triangle of the cloth ever enters the walker. A step takes all vertices along straight
 * lines. Triangles that did not intersect before it can do so after it only if a vertex touched a
 * triangle on the way, or an edge an edge. A pair of such features does not touch, since
 *
 *   - if it is no near pair, it is more than `reach` apart, and a vertex of the cloth and one of
 *     the walker together do not move that far: check_moves();
 *   - if it is a near pair, let n be its normal, from the walker to the cloth. For each vertex x
 *     of the cloth and y of the walker in it, n (x - y) is at least the distance of the pair
 *     before the step: n is the direction between the closest points of two convex sets.
 *     push_out() makes it positive after the step too. It is linear in time, so it is positive all
 *     the way, and a plane with the normal n is between the features.
 *
 * Rounding: a normal in floats changes n (x - y) by less than 1e-8 m for features below 0.1 m. The
 * distance of a pair is never that small: it is at least `margin` after push_out(), or a thousandth
 * of `reach` after check_moves().
 *
 * A step for which this fails is not taken. Two of half the time are taken instead, and so on.
 *
 * The result is the same on every machine: of <math.h> only sqrtf takes part. sheet.h has the cloth
 * itself. */
#include "sheet.h"
#include <pliant/pliant.h>
#include <scenes.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 300, FRAMES_IN_REPORT = 50 };

/* A frame has so many steps, each with one query; a step has parts, in which links are held. */
enum { STEPS = 5, PARTS = 3, SWEEPS = 2, MAX_PUSHES = 30, MAX_HALVINGS = 8 };

/* Meters and seconds. The hole is just wide enough for the head. */
static const SheetDef cloth_def = {1.5f, 0.112f, 1.93f, 0.015f, 148};
static const float reach = 0.008f;     /* of near pairs */
static const float thickness = 0.003f; /* the distance that the cloth keeps where it lies */
static const float margin = 0.0002f;   /* the least distance along a normal after a step */
static const float gravity = 9.81f, drag = 2, friction = 0.8f;
static const double frame_time = 1.0 / 60, pace_time = 0.75;

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "cloth: %s\n", pliant_result_text(result));
    exit(1);
}

/* Exact but for the last bits of a double: products of floats are. */
static double level_of(const float normal[3], const float *point)
{
    return (double)normal[0] * point[0] + (double)normal[1] * point[1] +
           (double)normal[2] * point[2];
}

/* ---- All that moves ------------------------------------------------------------------------ */

/* A near pair as the cloth sees it. */
typedef struct Touch {
    uint32_t vertices[3]; /* of the cloth */
    int count;
    float weights[3]; /* of these: the closest point of the cloth */
    float normal[3];  /* from the walker to the cloth */
    double level;     /* of the walker's closest point along the normal, before the step */
    float drift[3];   /* how far that point goes */
    double barrier;   /* of the walker's vertex that is farthest along the normal, after the step */
} Touch;

typedef struct Stage {
    Sheet cloth; /* its vertices are borrowed by the world */
    SceneSkin walker;
    float *walker_now, *walker_next; /* vertices before and after a step */
    float *last;                     /* vertices of the cloth before a part of a step */
    PliantWorld *world;
    PliantBody walker_body, cloth_body;
    Touch *touches;
    int64_t touch_count, touch_capacity;
    int64_t near_pairs, near_queries, halvings; /* since the last report, as are these: */
    double near_seconds;
} Stage;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Sets the walker's pose, and writes its vertices. */
static void set_walker(const Stage *stage, double time, float *vertices)
{
    PliantTransform joints[SCENE_AVATAR_JOINTS];
    float matrices[SCENE_AVATAR_JOINTS][3][4];
    scene_avatar_pose(&stage->walker, time / (2 * pace_time), 0, matrices);
    memcpy(joints, matrices, sizeof joints);
    must(pliant_body_set_joints(stage->world, stage->walker_body, joints, SCENE_AVATAR_JOINTS));
    must(pliant_body_vertices(stage->world, stage->walker_body, vertices,
                              stage->walker.mesh.vertex_count));
}

static PliantShape *make_shape(const SceneMesh *mesh, const SceneSkin *skin)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantSkin followed = pliant_skin_default();
    PliantShape *shape;
    def.vertices.data = mesh->vertices;
    def.vertices.count = mesh->vertex_count;
    def.triangles.data = mesh->triangles;
    def.triangles.count = mesh->triangle_count;
    if (skin) {
        followed.joint_count = skin->joint_count;
        followed.influence_count = skin->influence_count;
        followed.joints = skin->joints;
        followed.weights = skin->weights;
        def.skin = &followed;
    }
    must(pliant_shape_create(&def, &shape));
    return shape;
}

static Stage make_stage(void)
{
    Stage stage = PLIANT_ZEROS;
    stage.cloth = sheet_make(&cloth_def);
    stage.walker = scene_avatar_coarse(3);
    const size_t count = (size_t)stage.walker.mesh.vertex_count;
    stage.walker_now = (float *)scene_allocate(count, sizeof(float[3]));
    stage.walker_next = (float *)scene_allocate(count, sizeof(float[3]));
    stage.last = (float *)scene_allocate((size_t)stage.cloth.mesh.vertex_count, sizeof(float[3]));

    PliantShape *walker = make_shape(&stage.walker.mesh, &stage.walker);
    PliantShape *cloth = make_shape(&stage.cloth.mesh, NULL);
    const uint32_t *edges;
    int32_t edge_count;
    must(pliant_shape_edges(cloth, &edges, &edge_count));
    sheet_add_edges(&stage.cloth, edges, edge_count);

    /* The walker is the first body, and so body_a of all pairs. */
    must(pliant_world_create(NULL, &stage.world));
    must(pliant_body_create(stage.world, walker, &stage.walker_body));
    must(pliant_body_create(stage.world, cloth, &stage.cloth_body));
    PliantVertices borrowed = {stage.cloth.mesh.vertices, stage.cloth.mesh.vertex_count, 0};
    must(pliant_body_borrow_vertices(stage.world, stage.cloth_body, borrowed));
    pliant_shape_release(walker); /* bodies keep them */
    pliant_shape_release(cloth);
    return stage;
}

static void free_stage(Stage *stage)
{
    pliant_world_destroy(stage->world);
    sheet_free(&stage->cloth);
    scene_skin_free(&stage->walker);
    free(stage->walker_now);
    free(stage->walker_next);
    free(stage->last);
    free(stage->touches);
}

/* ---- Near pairs ---------------------------------------------------------------------------- */

static PliantNearPairs find_near(Stage *stage)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    def.distance = reach;
    const double start = seconds();
    must(pliant_bodies_near(stage->world, stage->walker_body, stage->cloth_body, &def, &pairs));
    stage->near_seconds += seconds() - start;
    stage->near_pairs += pairs.count;
    stage->near_queries++;
    return pairs;
}

static Touch make_touch(const Stage *stage, const PliantNearPair *pair)
{
    static const int walker_counts[] = {1, 3, 2}; /* by PliantFeatures */
    Touch touch = PLIANT_ZEROS;
    const uint32_t *walker = pair->vertices;
    const int count = walker_counts[pair->kind];
    touch.count = 4 - count;
    memcpy(touch.vertices, pair->vertices + count, (size_t)touch.count * sizeof *walker);
    for (int k = 0; k < 3; k++)
        touch.normal[k] = -pair->normal[k];
    for (int i = 0; i < touch.count; i++)
        touch.weights[i] = -pair->weights[count + i];
    for (int i = 0; i < count; i++) {
        const float *now = stage->walker_now + 3 * walker[i];
        const float *next = stage->walker_next + 3 * walker[i];
        const double level = level_of(touch.normal, next);
        touch.level += (double)pair->weights[i] * level_of(touch.normal, now);
        touch.barrier = i == 0 || level > touch.barrier ? level : touch.barrier;
        for (int k = 0; k < 3; k++)
            touch.drift[k] += pair->weights[i] * (next[k] - now[k]);
    }
    return touch;
}

static void make_touches(Stage *stage, const PliantNearPairs *pairs)
{
    if (pairs->count > stage->touch_capacity) {
        free(stage->touches);
        stage->touch_capacity = 2 * pairs->count;
        stage->touches = (Touch *)scene_allocate((size_t)stage->touch_capacity, sizeof(Touch));
    }
    stage->touch_count = pairs->count;
    for (int64_t i = 0; i < pairs->count; i++)
        stage->touches[i] = make_touch(stage, &pairs->items[i]);
}

/* ---- A step -------------------------------------------------------------------------------- */

/* How far the closest points of a pair have slid past each other since the step began. */
static void measure_slide(const Sheet *cloth, const Touch *touch, float time, float slide[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        slide[k] = -time * touch->drift[k];
        for (int i = 0; i < touch->count; i++) {
            const uint32_t at = 3 * touch->vertices[i] + k;
            slide[k] += touch->weights[i] * (cloth->next[at] - cloth->mesh.vertices[at]);
        }
    }
    const float along = sheet_dot(slide, touch->normal);
    for (int k = 0; k < 3; k++)
        slide[k] -= along * touch->normal[k];
}

/* Keeps the closest points of a pair at a distance, with Coulomb friction. `time` goes from 0 to 1
 * during the step. */
static void keep_off(const Sheet *cloth, const Touch *touch, float time)
{
    double level = 0;
    float slide[3], sum = 0;
    for (int i = 0; i < touch->count; i++) {
        level += touch->weights[i] * level_of(touch->normal, cloth->next + 3 * touch->vertices[i]);
        sum += touch->weights[i] * touch->weights[i];
    }
    const double walker_level = touch->level + time * level_of(touch->normal, touch->drift);
    const float push = (float)(walker_level + thickness - level);
    if (push <= 0)
        return;
    measure_slide(cloth, touch, time, slide);
    const float length = sqrtf(sheet_dot(slide, slide));
    const float held = friction * push < length ? friction * push / length : 1;
    for (int i = 0; i < touch->count; i++)
        for (uint32_t k = 0; k < 3; k++)
            cloth->next[3 * touch->vertices[i] + k] +=
                touch->weights[i] / sum * (push * touch->normal[k] - held * slide[k]);
}

/* A part of the step, of `dt` seconds, that ends at `time`. */
static void solve_part(const Stage *stage, float dt, float time)
{
    const Sheet *cloth = &stage->cloth;
    const int32_t number_count = 3 * cloth->mesh.vertex_count;
    memcpy(stage->last, cloth->next, (size_t)number_count * sizeof(float));
    for (int32_t i = 0; i < number_count; i++) {
        const float pull = i % 3 == 1 ? -gravity * dt : 0;
        cloth->next[i] += (cloth->next_velocities[i] + pull) * (1 - drag * dt) * dt;
    }
    sheet_start(cloth);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        sheet_hold(cloth, dt, sweep % 2 != 0);
        for (int64_t i = 0; i < stage->touch_count; i++)
            keep_off(cloth, &stage->touches[i], time);
    }
    for (int32_t i = 0; i < number_count; i++)
        cloth->next_velocities[i] = (cloth->next[i] - stage->last[i]) / dt;
}

/* Where the cloth goes if nothing stops it. */
static void solve(const Stage *stage, float dt)
{
    const Sheet *cloth = &stage->cloth;
    const size_t size = (size_t)cloth->mesh.vertex_count * sizeof(float[3]);
    memcpy(cloth->next, cloth->mesh.vertices, size);
    memcpy(cloth->next_velocities, cloth->velocities, size);
    for (int part = 1; part <= PARTS; part++)
        solve_part(stage, dt / PARTS, (float)part / PARTS);
}

/* Stops vertices of the cloth that go farther than that. */
static void limit_moves(const Sheet *cloth, float most)
{
    for (int32_t v = 0; v < cloth->mesh.vertex_count; v++) {
        const float *now = cloth->mesh.vertices + 3 * v;
        float *next = cloth->next + 3 * v, *velocity = cloth->next_velocities + 3 * v;
        const float way = sheet_distance(next, now);
        for (int k = 0; k < 3 && way > most; k++) {
            next[k] = now[k] + (next[k] - now[k]) * (most / way);
            velocity[k] *= most / way;
        }
    }
}

/* Takes vertices of the cloth out, along the normals of pairs, until all are beyond the walker's.
 * False if that does not succeed. */
static bool push_out(const Stage *stage)
{
    bool is_out = false;
    for (int pass = 0; pass < MAX_PUSHES && !is_out; pass++) {
        is_out = true;
        for (int64_t i = 0; i < stage->touch_count; i++)
            for (int k = 0; k < stage->touches[i].count; k++) {
                const Touch *touch = &stage->touches[i];
                float *next = stage->cloth.next + 3 * touch->vertices[k];
                const double gap = level_of(touch->normal, next) - touch->barrier;
                if (gap >= margin)
                    continue;
                is_out = false;
                for (int axis = 0; axis < 3; axis++)
                    next[axis] += (float)(1.1 * margin - gap) * touch->normal[axis];
            }
    }
    return is_out;
}

/* How far vertices of the walker go: those of triangles that are not below all of the cloth, before
 * and after the step. */
static float walker_move(const Stage *stage)
{
    const SceneMesh *cloth = &stage->cloth.mesh, *walker = &stage->walker.mesh;
    float lowest = cloth_def.height, most = 0;
    for (int32_t v = 0; v < cloth->vertex_count; v++)
        lowest = cloth->vertices[3 * v + 1] < lowest ? cloth->vertices[3 * v + 1] : lowest;
    lowest -= reach; /* the cloth goes less far than that */
    for (int32_t t = 0; t < walker->triangle_count; t++) {
        float top = 0, way = 0;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = walker->triangles[3 * t + k];
            const float *now = stage->walker_now + 3 * v, *next = stage->walker_next + 3 * v;
            const float move = sheet_distance(now, next),
                        high = now[1] > next[1] ? now[1] : next[1];
            top = high > top ? high : top;
            way = move > way ? move : way;
        }
        most = top >= lowest && way > most ? way : most;
    }
    return most;
}

static bool check_moves(const Sheet *cloth, float most)
{
    for (int32_t v = 0; v < cloth->mesh.vertex_count; v++)
        if (sheet_distance(cloth->next + 3 * v, cloth->mesh.vertices + 3 * v) > most)
            return false;
    return true;
}

/* Takes a step if the rule holds for it. */
static bool step(Stage *stage, double from, double to)
{
    Sheet *cloth = &stage->cloth;
    set_walker(stage, from, stage->walker_now);
    const PliantNearPairs pairs = find_near(stage);
    set_walker(stage, to, stage->walker_next);
    const float most = 0.999f * reach - walker_move(stage);
    if (most < 0.3f * reach)
        return false;
    make_touches(stage, &pairs);
    solve(stage, (float)(to - from));
    limit_moves(cloth, 0.9f * most);
    if (!push_out(stage) || !check_moves(cloth, most))
        return false;
    const size_t size = (size_t)cloth->mesh.vertex_count * sizeof(float[3]);
    memcpy(cloth->mesh.vertices, cloth->next, size);
    memcpy(cloth->velocities, cloth->next_velocities, size);
    return true;
}

static void advance(Stage *stage, double from, double to, int halvings)
{
    if (step(stage, from, to))
        return;
    if (halvings == MAX_HALVINGS) {
        fprintf(stderr, "cloth: no way out at %g s\n", from);
        exit(1);
    }
    stage->halvings++;
    advance(stage, from, 0.5 * (from + to), halvings + 1);
    advance(stage, 0.5 * (from + to), to, halvings + 1);
}

/* ---- Frames -------------------------------------------------------------------------------- */

/* Frames that are drawn. */
enum { PANELS = 4 };
static const int panel_frames[PANELS] = {12, 40, 220, 300};
static const float panel_places[PANELS] = {0, 1.45f, 2.85f, 3.85f};
static const float panel_row[2] = {0.906f, -0.423f}; /* x and z: across, for a yaw of 25 degrees */

/* Adds a body at a frame, beside those before it. */
static void write_body(FILE *file, const char *name, const SceneMesh *mesh, const float *vertices,
                       int panel)
{
    fprintf(file, "o %s\n", name);
    const float x = panel_places[panel] * panel_row[0], z = panel_places[panel] * panel_row[1];
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        fprintf(file, "v %.5f %.5f %.5f\n", (double)(vertices[3 * v] + x),
                (double)vertices[3 * v + 1], (double)(vertices[3 * v + 2] + z));
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        fprintf(file, "f %d %d %d\n", (int)mesh->triangles[3 * t] - mesh->vertex_count,
                (int)mesh->triangles[3 * t + 1] - mesh->vertex_count,
                (int)mesh->triangles[3 * t + 2] - mesh->vertex_count);
}

static void write_panels(FILE *file, const Stage *stage, int frame)
{
    for (int panel = 0; panel < PANELS; panel++)
        if (panel_frames[panel] == frame) {
            write_body(file, "walker", &stage->walker.mesh, stage->walker_next, panel);
            write_body(file, "cloth", &stage->cloth.mesh, stage->cloth.mesh.vertices, panel);
        }
}

/* Pairs of triangles that intersect: there should be none. */
static int64_t count_penetrating(const Stage *stage)
{
    PliantContacts contacts = pliant_contacts_default();
    must(pliant_world_collide(stage->world, NULL, &contacts));
    return contacts.count;
}

static void report(Stage *stage, int frame, int64_t penetrating)
{
    printf("frame %3d: %6" PRId64 " near pairs in %5.1f ms a query, %" PRId64 " queries, %" PRId64
           " steps halved, %" PRId64 " penetrating\n",
           frame, stage->near_pairs / stage->near_queries,
           1000 * stage->near_seconds / (double)stage->near_queries, stage->near_queries,
           stage->halvings, penetrating);
    stage->near_pairs = stage->near_queries = stage->halvings = 0;
    stage->near_seconds = 0;
}

/* Returns how many pairs of triangles penetrated, in all frames. */
static int64_t run(Stage *stage, int frame_count, FILE *panels)
{
    const double step_time = frame_time / STEPS;
    int64_t penetrating = 0;
    for (int frame = 1; frame <= frame_count; frame++) {
        /* Steps begin exactly where the last one ended. */
        for (int i = STEPS * (frame - 1); i < STEPS * frame; i++)
            advance(stage, step_time * i, step_time * (i + 1), 0);
        penetrating += count_penetrating(stage);
        if (panels)
            write_panels(panels, stage, frame);
        if (frame % FRAMES_IN_REPORT == 0 || frame == frame_count)
            report(stage, frame, penetrating);
    }
    return penetrating;
}

int main(int argc, char **argv)
{
    int frame_count = FRAMES;
    const char *path = NULL;
    for (int i = 1; i < argc; i += 2)
        if (i + 1 < argc && strcmp(argv[i], "--frames") == 0)
            frame_count = (int)strtol(argv[i + 1], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--obj") == 0)
            path = argv[i + 1];
        else
            frame_count = 0;
    FILE *panels = path ? fopen(path, "w") : NULL;
    if (frame_count <= 0 || (path && !panels)) {
        fprintf(stderr, "usage: cloth [--frames N] [--obj FILE]\n");
        return 2;
    }
    Stage stage = make_stage();
    printf("%d triangles of cloth, %d of the walker\n", (int)stage.cloth.mesh.triangle_count,
           (int)stage.walker.mesh.triangle_count);
    const double start = seconds();
    const int64_t penetrating = run(&stage, frame_count, panels);
    printf("%d frames in %.1f s, %" PRId64 " penetrating pairs of triangles\n", frame_count,
           seconds() - start, penetrating);
    free_stage(&stage);
    if (panels && fclose(panels) != 0)
        return 2;
    return penetrating == 0 ? 0 : 1;
}
