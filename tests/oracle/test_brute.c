/* Worlds against brute force: every way of moving, every tree, every query.
 *
 *     test_brute [--decisions N] [--seed S] [--cpu MASK] [--only CAST] [--scene K]
 *
 * Plays scenes of random bodies (stage.h) until that many pairs of triangles were decided by brute
 * force, each pair of bodies once a frame. A quarter of the scenes has bodies that morph, one has
 * such as follow joints, one those that do both, and one all of them (play.h); --only plays one
 * kind. In each frame the vertices that the library returns are what was given, or the documented
 * expression of it; the list of all pairs is that of brute force; first pairs, any pair, two bodies
 * alone and pairs of bodies agree with it. Points are planted on the outermost vertices of other
 * bodies: a bound that is too tight by one unit in the last place loses them. Without --cpu each
 * scene has an instruction set of its own. --scene plays one scene again. Ends with 1 at any
 * difference, or if a kind of tree, pose, morph, skin, bound, update or query was never reached,
 * which --only does not ask for. */
#include "counts.h"
#include "play.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTER_ARRAY(name, size) int64_t name##_counts[size];
COUNTERS(COUNTER_ARRAY)
#undef COUNTER_ARRAY

static int64_t decision_count, contact_count, difference_count, frame_count;

static const char *const cast_names[] = {
#define CAST_NAME(name, text) #name,
    CASTS(CAST_NAME)
#undef CAST_NAME
};

void play_differ(Play *play, const char *what, int64_t at)
{
    play->is_different = true;
    if (difference_count++ >= 5)
        return;
    printf("DIFFERENCE in %s at %" PRId64 ", stage %s, frame %d, with %s. Again: test_brute --seed "
           "%" PRIu64 " --only %s --scene %" PRId64 "\n",
           what, at, stage_kind_name(play->stage.kind), play->frame, pliant_cpu_name(play->cpu),
           play->seed, cast_names[play->cast], play->scene);
}

void play_must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("test_brute: %s\n", pliant_result_name(result));
    exit(1);
}

void *play_allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        exit(1);
    return memory;
}

bool play_chance(Play *play, int one_in)
{
    return stage_whole(&play->stage.random, 1, one_in) == 1;
}

/* ---- Points on the vertices of others -----------------------------------------------------------
 */

static BruteBody brute_body(const Actor *actor)
{
    return (BruteBody){actor->vertices, actor->mesh.triangles, actor->mesh.triangle_count};
}

/* One that is not planted; rather one that morphs or follows joints. */
static const Actor *pick(Play *play)
{
    const Actor *actor = NULL, *found = NULL;
    for (int tries = 0; tries < 3 || !found; tries++) {
        actor = &play->actors[stage_whole(&play->stage.random, 0, play->actor_count - 1)];
        if (!actor->is_planted && (!found || is_morphed(actor) || is_skinned(actor)))
            found = actor;
    }
    return found;
}

static void plant_all(Play *play)
{
    for (int i = 0; i < play->actor_count; i++) {
        Actor *actor = &play->actors[i];
        if (!actor->is_planted)
            continue;
        actor_leave(play, actor);
        actor_plant(play, actor, pick(play));
        actor_check(play, actor);
    }
}

/* ---- Brute force --------------------------------------------------------------------------------
 */

static int by_index(const void *x, const void *y)
{
    const Actor *a = x, *b = y;
    return (a->name.index > b->name.index) - (a->name.index < b->name.index);
}

/* How a body moves, the most that it does. */
static int rank_of(const Actor *actor)
{
    return 2 * is_skinned(actor) + is_morphed(actor);
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
            int64_t count = brute_force(&a, &b, &play->hits);
            int rank = rank_of(pair.a) > rank_of(pair.b) ? rank_of(pair.a) : rank_of(pair.b);
            decision_count += count;
            decisions_counts[3 - rank] += count;
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
            play_differ(play, what, *at);
            return;
        }
}

static void ask_all(Play *play)
{
    PliantContacts contacts;
    int64_t at = 0;
    play_must(pliant_world_collide(play->world, PLIANT_ALL_PAIRS, &contacts));
    for (int p = 0; p < play->pair_count && !play->is_different; p++)
        if (play->pairs[p].is_allowed)
            check_pair(play, &play->pairs[p], &contacts, &at, "all pairs");
    if (!play->is_different && at != contacts.count)
        play_differ(play, "the end of all pairs", at);
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
    play_must(pliant_world_collide(play->world, PLIANT_FIRST_PAIRS, &contacts));
    for (int p = 0; p < play->pair_count && !play->is_different; p++) {
        const Pair *pair = &play->pairs[p];
        if (!pair->is_allowed || pair->count == 0)
            continue;
        if (at >= contacts.count || !is_found(play, pair, &contacts.items[at]))
            play_differ(play, "first pairs", at);
        at++;
    }
    if (!play->is_different && at != contacts.count)
        play_differ(play, "the end of first pairs", at);
}

static void ask_any(Play *play)
{
    PliantContacts contacts;
    bool is_any = false, is_there = false;
    play_must(pliant_world_collide(play->world, PLIANT_ANY_PAIR, &contacts));
    for (int p = 0; p < play->pair_count; p++) {
        const Pair *pair = &play->pairs[p];
        if (!pair->is_allowed)
            continue;
        is_any |= pair->count > 0;
        is_there |= contacts.count == 1 && is_found(play, pair, &contacts.items[0]);
    }
    if (contacts.count != is_any || is_there != is_any)
        play_differ(play, "any pair", contacts.count);
}

/* Two bodies alone, in either order, filters or not. */
static void ask_two(Play *play)
{
    const Pair *pair = &play->pairs[stage_whole(&play->stage.random, 0, play->pair_count - 1)];
    bool is_swapped = play_chance(play, 2);
    PliantContacts contacts;
    int64_t at = 0;
    play_must(pliant_bodies_collide(play->world, is_swapped ? pair->b->name : pair->a->name,
                                    is_swapped ? pair->a->name : pair->b->name, PLIANT_ALL_PAIRS,
                                    &contacts));
    check_pair(play, pair, &contacts, &at, "two bodies");
    if (!play->is_different && at != contacts.count)
        play_differ(play, "the end of two bodies", at);
    play_must(pliant_bodies_collide(play->world, pair->a->name, pair->b->name, PLIANT_FIRST_PAIRS,
                                    &contacts));
    if (contacts.count != (pair->count > 0) ||
        (pair->count > 0 && !is_found(play, pair, &contacts.items[0])))
        play_differ(play, "the first of two bodies", contacts.count);
}

/* In order, allowed, and none missing that has contacts. */
static void ask_body_pairs(Play *play)
{
    const PliantBodyPair *found;
    int64_t count, at = 0;
    play_must(pliant_world_body_pairs(play->world, &found, &count));
    for (int p = 0; p < play->pair_count; p++) {
        const Pair *pair = &play->pairs[p];
        bool is_there = at < count && is_same_body(found[at].body_a, pair->a->name) &&
                        is_same_body(found[at].body_b, pair->b->name);
        at += is_there;
        if (is_there ? !pair->is_allowed : pair->is_allowed && pair->count > 0)
            play_differ(play, "body pairs", p);
    }
    if (at != count)
        play_differ(play, "the end of body pairs", at);
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
        if (question != 0 && play_chance(play, 2))
            continue;
        questions[question](play);
        query_counts[question]++;
    }
}

static void count_pose(const Actor *actor)
{
    const bool is_morph = is_morphed(actor);
    if (is_skinned(actor)) {
        skin_pose_counts[2 * is_morph + actor->is_moved]++;
        skin_bound_counts[actor->bound]++;
        return;
    }
    int pose = is_morph ? 3 : actor->is_given + actor->is_lent;
    pose_counts[2 * pose + actor->is_moved]++;
    update_counts[actor->update] += actor->is_given;
    bound_counts[actor->bound] += is_morph;
    if (is_morph && actor->morph->kind == PLIANT_MORPH_REFERENCES)
        between_counts[actor->between_count]++;
}

static void count_poses(const Play *play)
{
    for (int i = 0; i < play->actor_count; i++)
        if (!play->actors[i].is_planted)
            count_pose(&play->actors[i]);
    stage_counts[play->stage.kind]++;
    frame_count++;
}

static void play_frame(Play *play)
{
    for (int i = 0; i < play->actor_count; i++)
        if (!play->actors[i].is_planted)
            actor_act(play, &play->actors[i]);
    for (int i = 0; i < play->actor_count; i++)
        if (!play->actors[i].is_planted) {
            actor_check(play, &play->actors[i]);
            actor_promise(play, &play->actors[i]);
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
        actor_enter(play, &play->actors[play->actor_count]);
    for (int i = 0; i < play->actor_count; i++)
        actor_check(play, &play->actors[i]);
    for (int i = 0; i < planted_count; i++) {
        actor_plant(play, &play->actors[actor_count + i], pick(play));
        play->actor_count++;
    }
}

/* Some scenes of bodies that follow joints are far away from where these rest. */
static void choose_exile(Play *play)
{
    static const double distances[] = {1e4, 1e5, 1e6};
    SceneRandom *random = &play->stage.random;
    if (play->cast == CAST_morphs || play->stage.kind == STAGE_points || !play_chance(play, 8))
        return;
    double far = distances[stage_whole(random, 0, 2)];
    for (int k = 0; k < 3; k++)
        play->exile[k] = (float)(far * stage_whole(random, -1, 1) * fmin(play->stage.scale, 1e25));
}

typedef struct Options {
    int64_t decisions, scene;
    uint64_t seed;
    uint32_t cpu;
    bool has_cpu;
    int only; /* -1: all */
} Options;

static void play_scene(const Options *options, int64_t scene)
{
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512, PLIANT_CPU_ALL};
    Play play = {.seed = options->seed, .scene = scene};
    play.cast = (Cast)(options->only >= 0 ? options->only : scene % CAST_COUNT);
    stage_init(&play.stage, (StageKind)(scene % STAGE_KIND_COUNT),
               options->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)scene);
    play.stage.has_large = play.cast != CAST_morphs;
    int mask = stage_whole(&play.stage.random, 0, 4);
    play.cpu = options->has_cpu ? options->cpu : masks[mask];
    mask_counts[mask]++;
    cast_counts[play.cast]++;
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = play.cpu;
    def.broad_kind = (PliantBroadKind)stage_whole(&play.stage.random, 0, 2);
    play_must(pliant_world_create(&def, &play.world));
    choose_exile(&play);
    enter_all(&play);
    int frames = stage_whole(&play.stage.random, 1, play_chance(&play, 6) ? 20 : 6);
    for (play.frame = 0; play.frame < frames && !play.is_different; play.frame++)
        play_frame(&play);
    for (int i = 0; i < play.actor_count; i++)
        actor_leave(&play, &play.actors[i]);
    pliant_world_destroy(play.world);
    brute_free(&play.hits);
}

_Static_assert(STAGE_KIND_COUNT % 2 == 1 && CAST_COUNT == 4, "each stage gets each cast");

/* -1: there is no such cast. */
static int cast_of(const char *name)
{
    for (int i = 0; i < CAST_COUNT; i++)
        if (strcmp(name, cast_names[i]) == 0)
            return i;
    return -1;
}

static bool read_options(int argc, char **argv, Options *options)
{
    bool is_right = argc % 2 == 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--decisions") == 0)
            options->decisions = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            options->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--scene") == 0)
            options->scene = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            is_right &= (options->only = cast_of(value)) >= 0;
        else if (strcmp(argv[i], "--cpu") == 0) {
            options->cpu = (uint32_t)strtoul(value, NULL, 0);
            options->has_cpu = true;
        } else
            is_right = false;
    }
    return is_right;
}

/* All scenes; false if something was never reached. */
static bool play_all(const Options *options)
{
    bool is_complete = true;
    int64_t next = 0;
    for (; decision_count < options->decisions && difference_count < 5; next++)
        play_scene(options, next);
    printf("%" PRId64 " scenes, %" PRId64 " frames\n", next, frame_count);
#define COUNTER_PRINT(name, size) is_complete &= test_print_counts(#name, name##_counts, size);
    COUNTERS(COUNTER_PRINT)
#undef COUNTER_PRINT
    return is_complete || options->only >= 0;
}

int main(int argc, char **argv)
{
    Options options = {.decisions = 10000000, .scene = -1, .seed = 1, .only = -1};
    bool is_complete = true;
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr,
                "usage: %s [--decisions N] [--seed S] [--cpu MASK] [--only CAST] [--scene K]\n",
                argv[0]);
        return 2;
    }
    if (options.scene >= 0)
        play_scene(&options, options.scene);
    else
        is_complete = play_all(&options);
    printf("brute: seed %" PRIu64 ", %" PRId64 " decisions, %" PRId64 " contacts, %" PRId64
           " differences%s\n",
           options.seed, decision_count, contact_count, difference_count,
           is_complete ? "" : ", but not everything was reached");
    return difference_count != 0 || !is_complete;
}
