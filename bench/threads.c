/* pliant-bench threads: what a second worker gains.
 *
 * Each scene is in several worlds, one with one worker and one with a pool of two. All play all
 * frames in order, frame by frame in turns, every frame once. Their answers must be equal. A figure
 * is the time of one worker over that of two, both summed over all frames.
 *
 * A third world has one thread that runs the tasks of 64 workers one after the other, and times
 * each (span.h): from that follows what 64 workers could gain.
 *
 * What the machine itself gives comes first: two cores of a virtual machine may share a real one. A
 * loop of arithmetic and a loop over memory, done twice by one thread and once by each of two. */
#include "threads.h"
#include "drift.h"
#include "experiments.h"
#include "span.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the machine gives ------------------------------------------------------------------ */

enum { STREAM_FLOATS = 1 << 24, ARITHMETIC_STEPS = 1 << 21 };

typedef struct Loads {
    float *memory[2];
    float results[2];
} Loads;

/* PliantTask. So many independent sums that the units of a core are busy, and not waiting. */
static void arithmetic(void *data, int32_t index, int32_t worker)
{
    enum { SUMS = 128 };
    (void)worker;
    float x[SUMS], sum = 0;
    for (int k = 0; k < SUMS; k++)
        x[k] = (float)k;
    for (int32_t i = 0; i < ARITHMETIC_STEPS; i++)
        for (int k = 0; k < SUMS; k++)
            x[k] = x[k] * 0.999f + 0.5f;
    for (int k = 0; k < SUMS; k++)
        sum += x[k];
    ((Loads *)data)->results[index] = sum;
}

/* PliantTask. */
static void streaming(void *data, int32_t index, int32_t worker)
{
    (void)worker;
    Loads *loads = data;
    float sums[16] = {0};
    for (size_t i = 0; i < STREAM_FLOATS; i += 16)
        for (size_t k = 0; k < 16; k++)
            sums[k] += loads->memory[index][i + k];
    for (int k = 1; k < 16; k++)
        sums[0] += sums[k];
    loads->results[index] = sums[0];
}

static double machine_gain(PliantPool *pool, PliantTask *task, const char *key)
{
    enum { ROUNDS = 7 };
    Loads loads;
    for (int i = 0; i < 2; i++) {
        loads.memory[i] = bench_allocate(STREAM_FLOATS, sizeof(float));
        for (size_t k = 0; k < STREAM_FLOATS; k++)
            loads.memory[i][k] = (float)(k % 7);
    }
    double alone[ROUNDS], together[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_seconds();
        task(&loads, 0, 0);
        task(&loads, 1, 0);
        alone[round] = bench_seconds() - start;
        start = bench_seconds();
        pliant_pool_run(pool, task, &loads, 2);
        together[round] = bench_seconds() - start;
    }
    for (int i = 0; i < 2; i++)
        free(loads.memory[i]);
    const double gain = bench_median(alone, ROUNDS) / bench_median(together, ROUNDS);
    printf("threads.machine.%s: two at once %.2f x\n", key, gain);
    return gain;
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* Worlds with one worker; with a pool of two; with a thread that does the work of 64; and two with
 * one worker each, at the same time: what the machine gives for this kind of work. */
enum { ONE, TWO, MANY, BOTH, OTHER, WORLDS };
enum { TURNS = WORLDS - 1 };

/* What is asked in every frame: contacts of all bodies, of the first body alone, or pairs of
 * bodies. */
typedef enum Question { CONTACTS, SELF_CONTACTS, BODY_PAIRS } Question;

/* A scene that is in all worlds. */
typedef struct Stage {
    PliantWorld *worlds[WORLDS];
    PliantBody *bodies[WORLDS];
    PliantPool *pool;
    BenchSpan span; /* of the third world */
    int32_t body_count;
    int frame_count;
    void *scene;
    void (*pose)(struct Stage *stage, int frame); /* sets the bodies of all worlds */
    Question question;
} Stage;

static void start_stage(Stage *stage, PliantPool *pool, int32_t body_count)
{
    stage->body_count = body_count;
    stage->pool = pool;
    for (int i = 0; i < WORLDS; i++) {
        PliantHost host = pliant_host_default();
        if (i == TWO)
            pliant_pool_attach(pool, &host);
        else if (i == MANY)
            bench_span_attach(&stage->span, &host);
        PliantWorldDef def = pliant_world_def_default();
        def.host = &host;
        bench_must(pliant_world_create(&def, &stage->worlds[i]));
        stage->bodies[i] = bench_allocate((size_t)body_count, sizeof(PliantBody));
    }
}

static void end_stage(Stage *stage)
{
    for (int i = 0; i < WORLDS; i++) {
        pliant_world_destroy(stage->worlds[i]);
        free(stage->bodies[i]);
    }
}

/* The answer of one world to a frame. */
typedef struct Answer {
    PliantContacts contacts;
    const PliantBodyPair *pairs;
    int64_t count;
} Answer;

static Answer ask(const Stage *stage, int number)
{
    Answer answer = {.contacts = pliant_contacts_default()};
    const PliantCollideDef query = bench_query(PLIANT_ALL_PAIRS);
    PliantWorld *world = stage->worlds[number];
    if (stage->question == BODY_PAIRS) {
        PliantBodyPairs found_pairs = pliant_body_pairs_default();
        bench_must(pliant_world_body_pairs(world, NULL, &found_pairs));
        answer.pairs = found_pairs.items;
        answer.count = found_pairs.count;
        return answer;
    }
    if (stage->question == SELF_CONTACTS)
        bench_must(pliant_bodies_collide(world, stage->bodies[number][0], stage->bodies[number][0],
                                         &query, &answer.contacts));
    else
        bench_must(pliant_world_collide(world, &query, &answer.contacts));
    answer.count = answer.contacts.count;
    return answer;
}

/* The tags of the two worlds differ. */
static bool are_equal(const Answer *a, const Answer *b)
{
    if (a->count != b->count)
        return false;
    for (int64_t i = 0; i < a->count && a->pairs; i++)
        if (a->pairs[i].body_a.index != b->pairs[i].body_a.index ||
            a->pairs[i].body_b.index != b->pairs[i].body_b.index)
            return false;
    for (int64_t i = 0; i < a->contacts.count; i++) {
        const PliantContact *x = &a->contacts.items[i], *y = &b->contacts.items[i];
        if (x->body_a.index != y->body_a.index || x->body_b.index != y->body_b.index ||
            x->triangle_a != y->triangle_a || x->triangle_b != y->triangle_b)
            return false;
    }
    return true;
}

/* What a second worker gains, what two worlds gain, and what 64 workers could. */
static double report(const Stage *stage, const char *key, const double seconds[TURNS],
                     const double late[TURNS])
{
    const int frames = stage->frame_count - 1;
    const double gain = seconds[ONE] / seconds[TWO], machine = 2 * seconds[ONE] / seconds[BOTH];
    printf("threads.%s: %d frames, one worker %.3f ms a frame, two %.3f ms, %.2f x; two worlds at "
           "once %.2f x\n",
           key, frames, 1e3 * seconds[ONE] / frames, 1e3 * seconds[TWO] / frames, gain, machine);
    char name[64];
    snprintf(name, sizeof name, "threads.%s", key);
    bench_figure(name, gain, "x");
    snprintf(name, sizeof name, "threads.machine.%s", key);
    bench_figure(name, machine, "x");
    bench_span_print(&stage->span, key, late[MANY], late[ONE]);
    return gain;
}

/* One frame of a world. */
typedef struct Frame {
    const Stage *stage;
    void (*ask)(const Stage *stage, int world, void *answers);
    void *answers;
} Frame;

/* PliantTask. */
static void ask_both(void *data, int32_t index, int32_t worker)
{
    (void)worker;
    const Frame *frame = data;
    frame->ask(frame->stage, BOTH + index, frame->answers);
}

/* Every world in its turn, another one first in each frame. */
static void time_turns(Frame *frame, int number, double seconds[TURNS])
{
    for (int turn = 0; turn < TURNS; turn++) {
        const int i = (turn + number) % TURNS;
        const double start = bench_seconds();
        if (i == BOTH)
            pliant_pool_run(frame->stage->pool, ask_both, frame, 2);
        else
            frame->ask(frame->stage, i, frame->answers);
        seconds[i] += bench_seconds() - start;
    }
}

/* Plays all frames; returns the time of one worker over that of two, or -1 if answers differ. */
static double play_all(Stage *stage, const char *key, Frame *frame,
                       bool (*is_equal)(const void *answers, int a, int b))
{
    double seconds[TURNS] = {0}, late[TURNS] = {0};
    for (int number = 0; number < stage->frame_count; number++) {
        const bool is_late = number > stage->frame_count / 2;
        stage->pose(stage, number);
        double now[TURNS] = {0};
        time_turns(frame, number, now);
        if (!is_late) /* 64 workers touch new memory for many frames */
            stage->span = (BenchSpan){0};
        for (int i = 0; i < TURNS; i++) {
            seconds[i] += number > 0 ? now[i] : 0; /* the first one touches new memory */
            late[i] += is_late ? now[i] : 0;
        }
        for (int i = 1; i < WORLDS; i++)
            if (!is_equal(frame->answers, ONE, i)) {
                fprintf(stderr, "threads.%s: frame %d differs in world %d\n", key, number, i);
                return -1;
            }
    }
    return report(stage, key, seconds, late);
}

static void ask_world(const Stage *stage, int world, void *answers)
{
    ((Answer *)answers)[world] = ask(stage, world);
}

static bool are_answers_equal(const void *answers, int a, int b)
{
    return are_equal((const Answer *)answers + a, (const Answer *)answers + b);
}

static double play(Stage *stage, const char *key)
{
    Answer answers[WORLDS];
    Frame frame = {stage, ask_world, answers};
    return play_all(stage, key, &frame, are_answers_equal);
}

/* Two bumpy spheres. */
typedef struct Bumpy {
    SceneBumpy scene;
    float *vertices[2];
    int first;
} Bumpy;

static void pose_bumpy(Stage *stage, int frame)
{
    const Bumpy *bumpy = stage->scene;
    for (int body = 0; body < 2; body++)
        scene_bumpy_vertices(&bumpy->scene, body, bumpy->first + frame, bumpy->vertices[body]);
}

static double play_bumpy(PliantPool *pool, const char *key, int subdivisions, int frame_count,
                         Question question)
{
    Bumpy bumpy = {.scene = scene_bumpy(subdivisions),
                   .first = SCENE_BUMPY_STEPS - 1 - frame_count};
    const SceneMesh *mesh = &bumpy.scene.sphere;
    Stage stage = {
        .frame_count = frame_count, .scene = &bumpy, .pose = pose_bumpy, .question = question};
    start_stage(&stage, pool, 2);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    for (int body = 0; body < 2; body++) {
        bumpy.vertices[body] = bench_allocate(3 * (size_t)mesh->vertex_count, sizeof(float));
        for (int i = 0; i < WORLDS; i++) {
            bench_must(pliant_body_create(stage.worlds[i], shape, &stage.bodies[i][body]));
            bench_must(pliant_body_borrow_vertices(
                stage.worlds[i], stage.bodies[i][body],
                (PliantVertices){bumpy.vertices[body], mesh->vertex_count, 0}));
        }
    }
    const double gain = play(&stage, key);
    end_stage(&stage);
    pliant_shape_release(shape);
    for (int body = 0; body < 2; body++)
        free(bumpy.vertices[body]);
    scene_bumpy_free(&bumpy.scene);
    return gain;
}

/* A hundred visitors in a museum: body 0 is the museum. */
static void pose_visitors(Stage *stage, int frame)
{
    float joints[SCENE_AVATAR_JOINTS][3][4], rows[3][4];
    PliantTransform transforms[SCENE_AVATAR_JOINTS], place;
    for (int32_t visitor = 0; visitor < SCENE_VISITORS; visitor++) {
        scene_visitor_pose(stage->scene, visitor, frame, joints, rows);
        memcpy(transforms, joints, sizeof transforms);
        memcpy(&place, rows, sizeof place);
        for (int i = 0; i < WORLDS; i++) {
            const PliantBody body = stage->bodies[i][visitor + 1];
            bench_must(
                pliant_body_set_joints(stage->worlds[i], body, transforms, SCENE_AVATAR_JOINTS));
            bench_must(pliant_body_set_transform(stage->worlds[i], body, &place));
        }
    }
}

static double play_visitors(PliantPool *pool, int frame_count)
{
    SceneSkin avatar = scene_avatar();
    SceneMesh museum = scene_museum();
    Stage stage = {.frame_count = frame_count, .scene = &avatar, .pose = pose_visitors};
    start_stage(&stage, pool, SCENE_VISITORS + 1);
    PliantShape *shapes[2];
    PliantSkin skin = pliant_skin_default();
    skin.joint_count = avatar.joint_count;
    skin.influence_count = avatar.influence_count;
    skin.joints = avatar.joints;
    skin.weights = avatar.weights;
    for (int i = 0; i < 2; i++) {
        const SceneMesh *mesh = i == 0 ? &museum : &avatar.mesh;
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
        def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
        def.skin = i == 0 ? NULL : &skin;
        bench_must(pliant_shape_create(&def, &shapes[i]));
    }
    for (int i = 0; i < WORLDS; i++)
        for (int32_t body = 0; body <= SCENE_VISITORS; body++)
            bench_must(
                pliant_body_create(stage.worlds[i], shapes[body > 0], &stage.bodies[i][body]));
    const double gain = play(&stage, "crowd100");
    end_stage(&stage);
    pliant_shape_release(shapes[0]);
    pliant_shape_release(shapes[1]);
    scene_skin_free(&avatar);
    scene_mesh_free(&museum);
    return gain;
}

/* A million small bodies: boxes and pairs of bodies. */
static void pose_drift(Stage *stage, int frame)
{
    (void)frame;
    bench_drift_step(stage->scene);
    for (int i = 0; i < WORLDS; i++)
        bench_drift_place(stage->scene, stage->worlds[i], stage->bodies[i]);
}

static double play_drift(PliantPool *pool, int frame_count)
{
    BenchDrift drift = bench_drift(1000000);
    PliantShape *shape = bench_drift_shape();
    Stage stage = {
        .frame_count = frame_count, .scene = &drift, .pose = pose_drift, .question = BODY_PAIRS};
    start_stage(&stage, pool, drift.count);
    for (int i = 0; i < WORLDS; i++)
        for (int32_t body = 0; body < drift.count; body++)
            bench_must(pliant_body_create(stage.worlds[i], shape, &stage.bodies[i][body]));
    const double gain = play(&stage, "broad.million");
    end_stage(&stage);
    pliant_shape_release(shape);
    bench_drift_free(&drift);
    return gain;
}

/* Two soups of a million triangles each, in motion. */
static void pose_soups(Stage *stage, int frame)
{
    if (frame > 0)
        scene_soup_next(stage->scene);
}

static double play_soups(PliantPool *pool, int frame_count)
{
    SceneSoup soup = scene_soup(SCENE_SOUP_EVEN, SCENE_SOUP_COHERENT, 1000000, 1);
    Stage stage = {.frame_count = frame_count, .scene = &soup, .pose = pose_soups};
    start_stage(&stage, pool, 2);
    for (int i = 0; i < WORLDS; i++)
        for (int cloud = 0; cloud < 2; cloud++) {
            PliantPrimitives primitives = pliant_primitives_default();
            primitives.count = soup.triangle_count;
            primitives.vertices = (PliantVertices){soup.corners[cloud], 3 * soup.triangle_count, 0};
            bench_must(pliant_body_create_soup(stage.worlds[i], NULL, &stage.bodies[i][cloud]));
            bench_must(pliant_body_borrow_primitives(stage.worlds[i], stage.bodies[i][cloud],
                                                     &primitives));
        }
    const double gain = play(&stage, "soup.big");
    end_stage(&stage);
    scene_soup_free(&soup);
    return gain;
}

/* ---- Volumes --------------------------------------------------------------------------------- */

/* The knot in the dragon, and what is measured of them. */
typedef struct Statues {
    SceneStatuePair pair;
    float *vertices[2];
} Statues;

/* Both statues grow and shrink a little, along one axis. */
static void pose_statues(Stage *stage, int frame)
{
    const Statues *statues = stage->scene;
    const float stretch = 1 + 0.002f * (float)(frame % 7);
    for (int body = 0; body < 2; body++) {
        const SceneMesh *mesh = &statues->pair.meshes[body];
        for (int32_t i = 0; i < 3 * mesh->vertex_count; i++)
            statues->vertices[body][i] =
                i % 3 == 0 ? stretch * mesh->vertices[i] : mesh->vertices[i];
    }
}

/* Bit for bit: no zero has another sign. */
static bool is_same(double a, double b)
{
    uint64_t bits_a, bits_b;
    memcpy(&bits_a, &a, sizeof a);
    memcpy(&bits_b, &b, sizeof b);
    return bits_a == bits_b;
}

static bool are_equal_volumes(const PliantVolume *a, const PliantVolume *b)
{
    bool is_equal = is_same(a->volume, b->volume) && is_same(a->error, b->error);
    for (int k = 0; k < 3; k++)
        is_equal &= is_same(a->centroid[k], b->centroid[k]) &&
                    is_same((double)a->box.low[k], (double)b->box.low[k]) &&
                    is_same((double)a->box.high[k], (double)b->box.high[k]);
    return is_equal;
}

/* What is asked for, and the answers. */
typedef struct Volumes {
    PliantVolumeDef def;
    PliantVolume volumes[WORLDS];
} Volumes;

static void ask_volume(const Stage *stage, int world, void *answers)
{
    Volumes *volumes = answers;
    volumes->volumes[world] = pliant_volume_default();
    bench_must(pliant_bodies_volume(stage->worlds[world], stage->bodies[world][0],
                                    stage->bodies[world][1], &volumes->def,
                                    &volumes->volumes[world]));
}

static bool are_volumes_equal(const void *answers, int a, int b)
{
    const Volumes *volumes = answers;
    return are_equal_volumes(&volumes->volumes[a], &volumes->volumes[b]);
}

static double play_volumes(Stage *stage, const char *key, int32_t resolution)
{
    Volumes volumes = {.def = pliant_volume_def_default()};
    Frame frame = {stage, ask_volume, &volumes};
    volumes.def.resolution = resolution;
    return play_all(stage, key, &frame, are_volumes_equal);
}

static void start_statues(Stage *stage, Statues *statues, PliantPool *pool)
{
    start_stage(stage, pool, 2);
    for (int body = 0; body < 2; body++) {
        const SceneMesh *mesh = &statues->pair.meshes[body];
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
        def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
        PliantShape *shape;
        bench_must(pliant_shape_create(&def, &shape));
        statues->vertices[body] = bench_allocate(3 * (size_t)mesh->vertex_count, sizeof(float));
        for (int i = 0; i < WORLDS; i++) {
            bench_must(pliant_body_create(stage->worlds[i], shape, &stage->bodies[i][body]));
            bench_must(pliant_body_borrow_vertices(
                stage->worlds[i], stage->bodies[i][body],
                (PliantVertices){statues->vertices[body], mesh->vertex_count, 0}));
        }
        pliant_shape_release(shape);
    }
}

static bool play_statues(PliantPool *pool, int number, const char *keys[2], int frame_count)
{
    static const int32_t resolutions[2] = {128, 1024};
    Statues statues = {.pair = scene_statue_pair(number)};
    Stage stage = {.frame_count = frame_count, .scene = &statues, .pose = pose_statues};
    start_statues(&stage, &statues, pool);
    bool is_right = true;
    for (int i = 0; i < 2 && keys[i]; i++)
        is_right &= play_volumes(&stage, keys[i], resolutions[i]) > 0;
    end_stage(&stage);
    free(statues.vertices[0]);
    free(statues.vertices[1]);
    scene_statue_pair_free(&statues.pair);
    return is_right;
}

int bench_threads(const BenchOptions *options)
{
    PliantPoolDef def = pliant_pool_def_default();
    PliantPool *pool;
    def.worker_count = 2;
    bench_must(pliant_pool_create(&def, &pool));
    bench_figure("threads.machine.arithmetic", machine_gain(pool, arithmetic, "arithmetic"), "x");
    bench_figure("threads.machine.streaming", machine_gain(pool, streaming, "streaming"), "x");
    const int frames = options->is_quick ? 10 : 40;
    bool is_right = play_visitors(pool, options->is_quick ? 40 : 120) > 0;
    is_right &= play_bumpy(pool, "free.small", 3, 199, CONTACTS) > 0;
    is_right &= play_bumpy(pool, "free.s1", 5, 120, CONTACTS) > 0;
    is_right &= play_bumpy(pool, "free.big", 8, frames, CONTACTS) > 0;
    is_right &= play_bumpy(pool, "self.small", 3, 120, SELF_CONTACTS) > 0;
    is_right &= play_bumpy(pool, "self", 6, 2 * frames, SELF_CONTACTS) > 0;
    is_right &= play_bumpy(pool, "self.big", 8, frames, SELF_CONTACTS) > 0;
    is_right &= play_drift(pool, options->is_quick ? 6 : 16) > 0;
    is_right &= play_soups(pool, options->is_quick ? 6 : 16) > 0;
    is_right &= play_statues(pool, SCENE_KNOT_IN_DRAGON, (const char *[2]){"volume", "volume.fine"},
                             frames);
    is_right &= play_statues(pool, 0, (const char *[2]){"volume.small"}, frames);
    is_right &= threads_shapes(pool, options->is_quick);
    pliant_pool_destroy(pool);
    return is_right ? 0 : 1;
}
