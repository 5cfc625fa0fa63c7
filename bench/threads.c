/* pliant-bench threads: what a second worker gains.
 *
 * Each scene is in several worlds, one with one worker and one with a pool of two. All play all
 * frames in order, frame by frame in turns, every frame once. Their answers must be equal. A figure
 * is the time of one worker over that of two, both summed over all frames. The table of rows has a
 * scene and a question for each figure.
 *
 * A third world has one thread that runs the tasks of 64 workers one after the other, and times
 * each (span.h): from that follows what 64 workers could gain.
 *
 * What the machine itself gives comes first: two cores of a virtual machine may share a real one. A
 * loop of arithmetic and a loop over memory, done twice by one thread and once by each of two. */
#include "threads.h"
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

/* ---- Questions ------------------------------------------------------------------------------- */

/* The answer of one world to a frame: items that begin with the handles of so many bodies. */
typedef struct Answer {
    const void *items;
    int64_t count;
    size_t item_size;
    int body_count;
} Answer;

/* The meaning of `value` depends on the question. */
typedef Answer Ask(Stage *stage, int world, double value);

static Answer ask_contacts(Stage *stage, int world, double value)
{
    (void)value;
    PliantContacts *contacts = &stage->contacts[world];
    const PliantCollideDef def = bench_query(PLIANT_ALL_PAIRS);
    bench_must(pliant_world_collide(stage->worlds[world], &def, contacts));
    return (Answer){contacts->items, contacts->count, sizeof *contacts->items, 2};
}

/* Within the first body. */
static Answer ask_self_contacts(Stage *stage, int world, double value)
{
    (void)value;
    PliantContacts *contacts = &stage->contacts[world];
    const PliantCollideDef def = bench_query(PLIANT_ALL_PAIRS);
    const PliantBody body = stage->bodies[world][0];
    bench_must(pliant_bodies_collide(stage->worlds[world], body, body, &def, contacts));
    return (Answer){contacts->items, contacts->count, sizeof *contacts->items, 2};
}

/* After one of the two above. */
static Answer ask_regions(Stage *stage, int world, double value)
{
    (void)value;
    PliantRegions regions = pliant_regions_default();
    bench_must(
        pliant_contacts_regions(stage->worlds[world], &stage->contacts[world], NULL, &regions));
    return (Answer){regions.items, regions.count, sizeof *regions.items, 2};
}

static Answer ask_body_pairs(Stage *stage, int world, double value)
{
    (void)value;
    PliantBodyPairs pairs = pliant_body_pairs_default();
    bench_must(pliant_world_body_pairs(stage->worlds[world], NULL, &pairs));
    return (Answer){pairs.items, pairs.count, sizeof *pairs.items, 2};
}

/* Bodies within a distance. */
static Answer ask_within(Stage *stage, int world, double value)
{
    PliantBodyPairs pairs = pliant_body_pairs_default();
    PliantBodyPairsDef def = pliant_body_pairs_def_default();
    def.distance = (float)value;
    bench_must(pliant_world_bodies_within(stage->worlds[world], &def, &pairs));
    return (Answer){pairs.items, pairs.count, sizeof *pairs.items, 2};
}

/* Features within a distance; within a body too if it is alone. */
static Answer ask_near(Stage *stage, int world, double value)
{
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = pliant_near_def_default();
    def.distance = (float)value;
    def.includes_self = !stage->vertices[1];
    bench_must(pliant_world_near(stage->worlds[world], &def, &pairs));
    return (Answer){pairs.items, pairs.count, sizeof *pairs.items, 2};
}

static Answer ask_earliest(Stage *stage, int world, double value)
{
    (void)value;
    PliantImpacts impacts = pliant_impacts_default();
    bench_must(pliant_world_sweep(stage->worlds[world], NULL, &impacts));
    return (Answer){impacts.items, impacts.count, sizeof *impacts.items, 2};
}

/* The closest points of the second body to the vertices of the first. */
static Answer ask_points(Stage *stage, int world, double value)
{
    (void)value;
    PliantClosestPoints closest = pliant_closest_points_default();
    const PliantVertices points = {stage->vertices[0], stage->vertex_counts[0], 0};
    bench_must(pliant_body_closest_points(stage->worlds[world], stage->bodies[world][1], points,
                                          NULL, &closest));
    return (Answer){closest.items, closest.count, sizeof *closest.items, 1};
}

/* Of both bodies, by so many pixels. */
static Answer ask_volume(Stage *stage, int world, double value)
{
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = (int32_t)value;
    stage->volumes[world] = pliant_volume_default();
    bench_must(pliant_bodies_volume(stage->worlds[world], stage->bodies[world][0],
                                    stage->bodies[world][1], &def, &stage->volumes[world]));
    return (Answer){&stage->volumes[world], 1, offsetof(PliantVolume, view), 0};
}

/* Bit for bit, but for the serial numbers of bodies. */
static bool are_equal(const Answer *a, const Answer *b)
{
    bool is_equal = a->count == b->count;
    const size_t body_size = (size_t)a->body_count * sizeof(PliantBody);
    for (size_t i = 0; is_equal && i < (size_t)a->count; i++) {
        const char *x = (const char *)a->items + i * a->item_size,
                   *y = (const char *)b->items + i * a->item_size;
        PliantBody of_x[2], of_y[2];
        memcpy(of_x, x, body_size);
        memcpy(of_y, y, body_size);
        for (int k = 0; k < a->body_count; k++)
            is_equal &= of_x[k].index == of_y[k].index;
        is_equal &= memcmp(x + body_size, y + body_size, a->item_size - body_size) == 0;
    }
    return is_equal;
}

/* ---- The table ------------------------------------------------------------------------------- */

typedef struct Row {
    const char *key;
    const Scene *scene;
    double size;  /* of the scene */
    Ask *prepare; /* not timed; or NULL */
    Ask *ask;
    double value;  /* of the question */
    int frames[2]; /* and with --quick */
} Row;

static const Row rows[] = {
    {"crowd100", &threads_visitors, 0, NULL, ask_contacts, 0, {120, 40}},
    {"free.small", &threads_bumpy, 3, NULL, ask_contacts, 0, {199, 199}},
    {"free.s1", &threads_bumpy, 5, NULL, ask_contacts, 0, {120, 120}},
    {"free.big", &threads_bumpy, 8, NULL, ask_contacts, 0, {40, 4}},
    {"self.small", &threads_bumpy, 3, NULL, ask_self_contacts, 0, {120, 120}},
    {"self", &threads_bumpy, 6, NULL, ask_self_contacts, 0, {80, 20}},
    {"self.big", &threads_bumpy, 8, NULL, ask_self_contacts, 0, {40, 4}},
    {"broad.million", &threads_drift, 1e6, NULL, ask_body_pairs, 0, {16, 3}},
    {"soup.big", &threads_soups, 1e6, NULL, ask_contacts, 0, {16, 3}},
    {"volume", &threads_statues, SCENE_KNOT_IN_DRAGON, NULL, ask_volume, 128, {40, 10}},
    {"volume.fine", &threads_statues, SCENE_KNOT_IN_DRAGON, NULL, ask_volume, 1024, {40, 4}},
    {"volume.small", &threads_statues, 0, NULL, ask_volume, 128, {40, 10}},
    {"near.cloth", &threads_draped, 0, NULL, ask_near, SCENE_CLOTH_DISTANCE, {60, 4}},
    {"near.self", &threads_folded, 1.35, NULL, ask_near, SCENE_CLOTH_DISTANCE, {60, 4}},
    {"sweep.cloth", &threads_draped, 1, NULL, ask_earliest, 0, {59, 4}},
    {"points", &threads_draped, 0, NULL, ask_points, 0, {60, 4}},
    {"distance", &threads_visitors, 0, NULL, ask_within, 0.005, {40, 4}},
    {"regions.suit", &threads_suit, 0, ask_contacts, ask_regions, 0, {24, 4}},
    {"regions.cloth", &threads_folded, 1.6, ask_self_contacts, ask_regions, 0, {60, 4}},
};

/* ---- Playing --------------------------------------------------------------------------------- */

enum { TURNS = WORLDS - 1 };

/* One row that is played. */
typedef struct Play {
    const Row *row;
    PliantPool *pool;
    Stage stage;
    BenchSpan span; /* of the third world */
    Answer answers[WORLDS];
} Play;

static void create_worlds(Play *play)
{
    for (int i = 0; i < WORLDS; i++) {
        PliantHost host = pliant_host_default();
        if (i == TWO)
            pliant_pool_attach(play->pool, &host);
        else if (i == MANY)
            bench_span_attach(&play->span, &host);
        PliantWorldDef def = pliant_world_def_default();
        def.host = &host;
        bench_must(pliant_world_create(&def, &play->stage.worlds[i]));
        play->stage.contacts[i] = pliant_contacts_default();
    }
}

void threads_end_stage(Stage *stage)
{
    for (int i = 0; i < WORLDS; i++) {
        pliant_world_destroy(stage->worlds[i]);
        free(stage->bodies[i]);
    }
    for (int body = 0; body < 2; body++) {
        free(stage->vertices[body]);
        free(stage->ends[body]);
    }
    stage->kind->end(stage);
}

/* Sets the bodies of a frame, and does what is not timed. */
static void prepare(Play *play, int number)
{
    const BenchSpan span = play->span;
    play->stage.kind->pose(&play->stage, number);
    for (int i = 0; i < WORLDS && play->row->prepare; i++)
        play->row->prepare(&play->stage, i, play->row->value);
    play->span = span;
}

static void ask(Play *play, int world)
{
    play->answers[world] = play->row->ask(&play->stage, world, play->row->value);
}

/* PliantTask. */
static void ask_both(void *data, int32_t index, int32_t worker)
{
    (void)worker;
    ask(data, BOTH + index);
}

/* Every world in its turn, another one first in each frame. */
static void time_turns(Play *play, int number, double seconds[TURNS])
{
    for (int turn = 0; turn < TURNS; turn++) {
        const int i = (turn + number) % TURNS;
        const double start = bench_seconds();
        if (i == BOTH)
            pliant_pool_run(play->pool, ask_both, play, 2);
        else
            ask(play, i);
        seconds[i] = bench_seconds() - start;
    }
}

/* What a second worker gains, what two worlds gain, and what 64 workers could. */
static void report(const Play *play, const double seconds[TURNS], const double late[TURNS])
{
    const char *key = play->row->key;
    const int frames = play->stage.frame_count - 1;
    const double gain = seconds[ONE] / seconds[TWO], machine = 2 * seconds[ONE] / seconds[BOTH];
    printf("threads.%s: %d frames, %" PRId64 " found in the last; one worker %.3f ms a frame, two "
           "%.3f ms, %.2f x; two worlds at once %.2f x; ratio %.2f\n",
           key, frames, play->answers[ONE].count, 1e3 * seconds[ONE] / frames,
           1e3 * seconds[TWO] / frames, gain, machine, gain / machine);
    char name[64];
    snprintf(name, sizeof name, "threads.%s", key);
    bench_figure(name, gain, "x");
    snprintf(name, sizeof name, "threads.machine.%s", key);
    bench_figure(name, machine, "x");
    snprintf(name, sizeof name, "threads.%s.of_machine", key);
    bench_figure(name, gain / machine, "");
    bench_span_print(&play->span, key, late[MANY], late[ONE]);
}

/* Plays all frames. False if answers differ. */
static bool play_frames(Play *play)
{
    double seconds[TURNS] = {0}, late[TURNS] = {0};
    for (int number = 0; number < play->stage.frame_count; number++) {
        const bool is_late = number > play->stage.frame_count / 2;
        prepare(play, number);
        double now[TURNS];
        time_turns(play, number, now);
        if (!is_late) /* 64 workers touch new memory for many frames */
            play->span = (BenchSpan){0};
        for (int i = 0; i < TURNS; i++) {
            seconds[i] += number > 0 ? now[i] : 0; /* the first one touches new memory */
            late[i] += is_late ? now[i] : 0;
        }
        for (int i = 1; i < WORLDS; i++)
            if (!are_equal(&play->answers[ONE], &play->answers[i])) {
                fprintf(stderr, "threads.%s: frame %d differs in world %d\n", play->row->key,
                        number, i);
                return false;
            }
    }
    report(play, seconds, late);
    return true;
}

static bool play_row(const Row *row, PliantPool *pool, bool is_quick)
{
    Play play = {.row = row, .pool = pool};
    play.stage.kind = row->scene;
    play.stage.frame_count = row->frames[is_quick];
    create_worlds(&play);
    row->scene->start(&play.stage, row->size);
    const bool is_right = play_frames(&play);
    threads_end_stage(&play.stage);
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
    bool is_right = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_right &= play_row(&rows[i], pool, options->is_quick);
    is_right &= threads_shapes(pool, options->is_quick);
    pliant_pool_destroy(pool);
    return is_right ? 0 : 1;
}
