/* What touches on the way in worlds, against brute force: every kind of body, motion and query.
 *
 *     test_sweeps [--decisions N] [--seed S] [--scene K] [--workers W]
 *
 * Plays scenes of random bodies with ends (movers.h), on stages of every kind (stage.h), until that
 * many pairs of features were decided by brute force. In each frame all impacts up to several times
 * are those of brute force (sweeps.h): the same pairs, the same times to the bit, in order; the
 * first ones of each two bodies and the earliest one agree with these, in the world, of two bodies
 * and within one; in half of the scenes with a margin, while bodies move about as far as that. In a
 * third of the scenes patches and pairs of vertices are left out in most frames, and in a quarter a
 * function refuses pairs of bodies (left_out.h). Each scene has an instruction set of its own.
 * --scene plays one scene again. Ends with 1 at any difference, or if a kind of body, motion or
 * query was never reached. */
#include "counts.h"
#include "left_out.h"
#include "movers.h"
#include "sweeps.h"
#include "workers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MOVERS = 4, MAX_PAIRS = MAX_MOVERS * (MAX_MOVERS + 1) / 2 };

typedef struct Play {
    Crowd crowd;
    Mover movers[MAX_MOVERS];
    FeatureBody bodies[MAX_MOVERS];
    SweepsImpacts impacts[MAX_PAIRS];
    bool are_allowed[MAX_PAIRS];
    int mover_count, pair_count;
    uint64_t seed;
    int64_t scene;
    uint32_t cpu;
    int frame;
    float margin;                /* of most queries; 0: none */
    bool excludes, has_may_pair; /* as left_out.h says: now, and all along */
    bool is_different;
} Play;

static int64_t decision_count, impact_count, difference_count, frame_count;

/* X(name, size): counters, none of which may be zero in the end. */
#define COUNTERS(X)                                                                                \
    X(stage, STAGE_KIND_COUNT)                                                                     \
    X(motion, MOTION_COUNT)                                                                        \
    X(start, POSE_COUNT)                                                                           \
    X(end, POSE_COUNT)                                                                             \
    X(moved, 4)                                                                                    \
    X(divided, 2)                                                                                  \
    X(groups, 2)                                                                                   \
    X(query, 3)                                                                                    \
    X(two, 3)                                                                                      \
    X(self, 2)                                                                                     \
    X(found, 2)                                                                                    \
    X(kept, 2)                                                                                     \
    X(left_out, 4)

#define COUNTER_ARRAY(name, size) static int64_t name##_counts[size];
COUNTERS(COUNTER_ARRAY)
#undef COUNTER_ARRAY

static void differ(Play *play, const char *what, const char *wrong, int64_t at)
{
    play->is_different = true;
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE in %s: %s at %" PRId64 ", stage %s, frame %d, with %s. Again: test_sweeps "
           "--seed %" PRIu64 " --scene %" PRId64 "\n",
           what, wrong, at, stage_kind_name(play->crowd.stage.kind), play->frame,
           pliant_cpu_name(play->cpu), play->seed, play->scene);
}

/* ---- Brute force ------------------------------------------------------------------------------
 */

static int by_index(const void *x, const void *y)
{
    const Mover *a = x, *b = y;
    return (a->sides[0].name.index > b->sides[0].name.index) -
           (a->sides[0].name.index < b->sides[0].name.index);
}

static void list_bodies(Play *play)
{
    qsort(play->movers, (size_t)play->mover_count, sizeof *play->movers, by_index);
    for (int i = 0; i < play->mover_count; i++)
        play->bodies[i] = mover_body(&play->movers[i]);
}

/* Sets what is left out, or removes it. */
static void exclude_all(Play *play)
{
    play->excludes = play->scene % 3 == 1 && play->frame % 4 != 2;
    left_out_counts[play->excludes + 2 * play->has_may_pair]++;
    if (play->scene % 3 != 1)
        return;
    list_bodies(play);
    for (int i = 0; i < play->mover_count; i++)
        for (int k = i; k < play->mover_count; k++)
            crowd_must(left_out_set(play->crowd.world, &play->bodies[i], &play->bodies[k],
                                    i != k && play->frame % 2 == 0, play->excludes));
}

/* Within each body, and then of it and those after it. */
static void find_all(Play *play)
{
    list_bodies(play);
    play->pair_count = 0;
    for (int i = 0; i < play->mover_count; i++)
        for (int k = i; k < play->mover_count; k++) {
            const Mover *a = &play->movers[i], *b = &play->movers[k];
            SweepsImpacts *impacts = &play->impacts[play->pair_count];
            play->are_allowed[play->pair_count++] =
                (a->categories & b->collides_with) && (b->categories & a->collides_with) &&
                (!play->has_may_pair ||
                 left_out_may_pair(NULL, play->bodies[i].name, play->bodies[k].name));
            decision_count +=
                sweeps_find(&play->bodies[i], &play->bodies[k], play->cpu, play->excludes, impacts);
            impact_count += impacts->count;
            found_counts[i == k] += impacts->count;
        }
}

/* ---- The questions ----------------------------------------------------------------------------
 */

/* A time at which something touches, or a float beside it, or any. */
static float choose_until(Play *play)
{
    SceneRandom *random = &play->crowd.stage.random;
    const SweepsImpacts *impacts = &play->impacts[stage_whole(random, 0, play->pair_count - 1)];
    float until = (float)scene_random(random);
    const int step = stage_whole(random, -1, 1);
    if (impacts->count > 0 && !crowd_chance(&play->crowd, 3))
        until = impacts->items[stage_whole(random, 0, (int)impacts->count - 1)].time;
    if (step != 0)
        until = nextafterf(until, step < 0 ? 0 : 1);
    return crowd_chance(&play->crowd, 3) ? 1 : until;
}

static PliantSweepDef choose_def(Play *play, PliantSweepKind query)
{
    PliantSweepDef def = pliant_sweep_def_default();
    def.kind = query;
    def.max_time = choose_until(play);
    def.includes_self = crowd_chance(&play->crowd, 2);
    def.margin = crowd_chance(&play->crowd, 4) ? 0 : play->margin;
    return def;
}

/* Was anything found without looking for it? */
static void count_kept(const Play *play, const PliantSweepDef *def, const PliantImpacts *found)
{
    PliantStats stats = pliant_stats_default();
    crowd_must(pliant_world_stats(play->crowd.world, &stats));
    if (def->margin > 0 && found->count > 0)
        kept_counts[stats.leaves_evaluated == 0]++;
}

static void ask_world(Play *play, PliantSweepKind query)
{
    const PliantSweepDef def = choose_def(play, query);
    const SweepsImpacts *pairs[MAX_PAIRS];
    PliantImpacts found = pliant_impacts_default();
    int count = 0;
    int64_t at;
    for (int p = 0; p < play->pair_count; p++) {
        const bool is_self = play->impacts[p].a == play->impacts[p].b;
        if (is_self ? def.includes_self : play->are_allowed[p])
            pairs[count++] = &play->impacts[p];
    }
    crowd_must(pliant_world_sweep(play->crowd.world, &def, &found));
    count_kept(play, &def, &found);
    const SweepsQuery asked = {query, def.max_time, pairs, count};
    const char *wrong = sweeps_compare(&asked, &found, &at);
    if (wrong)
        differ(play, "the world", wrong, at);
    query_counts[query]++;
    self_counts[def.includes_self]++;
}

static void ask_two(Play *play)
{
    SceneRandom *random = &play->crowd.stage.random;
    const PliantSweepKind query = (PliantSweepKind)stage_whole(random, 0, 2);
    const PliantSweepDef def = choose_def(play, query);
    const SweepsImpacts *pair = &play->impacts[stage_whole(random, 0, play->pair_count - 1)];
    const bool is_swapped = crowd_chance(&play->crowd, 2);
    PliantImpacts found = pliant_impacts_default();
    int64_t at;
    crowd_must(pliant_bodies_sweep(play->crowd.world, (is_swapped ? pair->b : pair->a)->name,
                                   (is_swapped ? pair->a : pair->b)->name, &def, &found));
    count_kept(play, &def, &found);
    const SweepsQuery asked = {query, def.max_time, &pair, 1};
    const char *wrong = sweeps_compare(&asked, &found, &at);
    if (wrong)
        differ(play, pair->a == pair->b ? "one body" : "two bodies", wrong, at);
    two_counts[query]++;
}

/* Bounds may be left by other queries. */
static void disturb(Play *play)
{
    PliantContacts contacts = pliant_contacts_default();
    PliantNearPairs near_pairs = pliant_near_pairs_default();
    if (crowd_chance(&play->crowd, 3))
        crowd_must(pliant_world_collide(play->crowd.world, NULL, &contacts));
    if (crowd_chance(&play->crowd, 6))
        crowd_must(pliant_world_near(play->crowd.world, NULL, &near_pairs));
}

/* ---- Scenes -----------------------------------------------------------------------------------
 */

static void count_movers(const Play *play)
{
    for (int i = 0; i < play->mover_count; i++) {
        const Mover *mover = &play->movers[i];
        motion_counts[mover->motion]++;
        start_counts[mover->sides[0].pose]++;
        if (mover->has_end)
            end_counts[mover->sides[1].pose]++;
        moved_counts[mover->sides[0].is_moved + 2 * mover->sides[1].is_moved]++;
        divided_counts[mover->is_divided]++;
        groups_counts[mover->groups != NULL]++;
    }
    stage_counts[play->crowd.stage.kind]++;
    frame_count++;
}

static void ask(Play *play, int count)
{
    for (int i = 0; i < count && !play->is_different; i++) {
        disturb(play);
        if (crowd_chance(&play->crowd, 2))
            ask_two(play);
        else
            ask_world(play, (PliantSweepKind)stage_whole(&play->crowd.stage.random, 0, 2));
    }
}

/* Bodies move about as far as the margin. */
static void nudge(Play *play)
{
    const float step = ldexpf(play->margin, -stage_whole(&play->crowd.stage.random, 0, 4));
    for (int i = 0; i < play->mover_count; i++)
        if (crowd_chance(&play->crowd, 2))
            mover_nudge(&play->crowd, &play->movers[i], step);
    find_all(play);
    ask(play, 3);
}

static void play_frame(Play *play)
{
    Crowd *crowd = &play->crowd;
    for (int k = 0; k < 3; k++)
        crowd->drift[k] = stage_whole(&crowd->stage.random, -3, 3);
    for (int i = 0; i < play->mover_count; i++) {
        if (play->frame > 0 && crowd_chance(crowd, 8)) {
            mover_leave(crowd, &play->movers[i]);
            mover_enter(crowd, &play->movers[i]);
        }
        mover_act(crowd, &play->movers[i]);
    }
    exclude_all(play);
    find_all(play);
    count_movers(play);
    ask_world(play, PLIANT_ALL_IMPACTS);
    ask(play, 5);
    for (int i = 0; i < 2 && play->margin > 0 && !play->is_different; i++)
        nudge(play);
}

/* Where much is in one plane, at one place or in the denormals, integers decide, a thousand times
 * more slowly. */
static int choose_size(Crowd *crowd)
{
    const StageKind kind = crowd->stage.kind;
    const bool is_slow = kind == STAGE_sheets || kind == STAGE_whole_soup || kind == STAGE_flat ||
                         kind == STAGE_denormal || kind == STAGE_copies || kind == STAGE_points ||
                         kind == STAGE_strip || kind == STAGE_far;
    const bool is_large = (kind == STAGE_bumpy || kind == STAGE_tiny_and_large ||
                           kind == STAGE_crumpled || kind == STAGE_huge) &&
                          crowd_chance(crowd, 2);
    return is_slow ? 10 : is_large ? 600 : 32;
}

static TestWorkers workers;
static bool has_workers;

static void play_scene(uint64_t seed, int64_t scene)
{
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512, PLIANT_CPU_ALL};
    static Play play;
    play = (Play){.seed = seed, .scene = scene};
    Crowd *crowd = &play.crowd;
    stage_init(&crowd->stage, (StageKind)(scene % STAGE_KIND_COUNT),
               seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)scene);
    SceneRandom *random = &crowd->stage.random;
    play.cpu = masks[stage_whole(random, 0, 4)];
    crowd->max_triangles = choose_size(crowd);
    if (crowd_chance(crowd, 2))
        play.margin = ldexpf((float)crowd->stage.scale, -stage_whole(random, 0, 8));
    PliantWorldDef def = pliant_world_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    PliantHost host = pliant_host_default();
    if (has_workers)
        test_workers_attach(&workers, &host);
    def.host = &host;
    def.experiments = &experiments;
    def.cpu_mask = play.cpu;
    play.has_may_pair = scene % 4 == 2;
    def.may_pair = play.has_may_pair ? left_out_may_pair : NULL;
    experiments.broad_kind = (PliantBroadKind)stage_whole(random, 0, 2);
    crowd_must(pliant_world_create(&def, &crowd->world));
    if (has_workers)
        test_workers_divide_everything(crowd->world);
    const int count = stage_whole(random, 1, MAX_MOVERS), frames = stage_whole(random, 1, 5);
    for (; play.mover_count < count; play.mover_count++)
        mover_enter(crowd, &play.movers[play.mover_count]);
    for (play.frame = 0; play.frame < frames && !play.is_different; play.frame++)
        play_frame(&play);
    for (int i = 0; i < play.mover_count; i++)
        mover_leave(crowd, &play.movers[i]);
    pliant_world_destroy(crowd->world);
    for (int i = 0; i < MAX_PAIRS; i++)
        sweeps_free(&play.impacts[i]);
}

static bool print_counts(void)
{
    bool is_complete = true;
#define COUNTER_PRINT(name, size) is_complete &= test_print_counts(#name, name##_counts, size);
    COUNTERS(COUNTER_PRINT)
#undef COUNTER_PRINT
    return is_complete;
}

int main(int argc, char **argv)
{
    int64_t decisions = 10000000, scene = -1, next = 0;
    uint64_t seed = 1;
    bool is_complete = true, is_right = argc % 2 == 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--decisions") == 0)
            decisions = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--scene") == 0)
            scene = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--workers") == 0)
            is_right &= has_workers = test_workers_start(&workers, argv[i + 1]);
        else
            is_right = false;
    }
    if (!is_right) {
        fprintf(stderr, "usage: %s [--decisions N] [--seed S] [--scene K] [--workers W]\n",
                argv[0]);
        return 2;
    }
    if (scene >= 0)
        play_scene(seed, scene);
    const int64_t least = 3 * STAGE_KIND_COUNT; /* scenes, so that everything is reached */
    for (; scene < 0 && (decision_count < decisions || next < least) && difference_count < 5;
         next++)
        play_scene(seed, next);
    if (scene < 0)
        is_complete = print_counts();
    printf("sweeps: seed %" PRIu64 ", %" PRId64 " scenes, %" PRId64 " frames, %" PRId64
           " decisions, %" PRId64 " impacts, points apart by %.3g of the size, %" PRId64
           " differences%s\n",
           seed, next, frame_count, decision_count, impact_count, sweeps_worst, difference_count,
           is_complete ? "" : ", but not everything was reached");
    if (has_workers)
        test_workers_end(&workers);
    return difference_count != 0 || !is_complete;
}
