/* Worlds against brute force: every way of moving, every tree, every query.
 *
 *     test_brute [--decisions N] [--rays N] [--seed S] [--cpu MASK] [--only CAST] [--scene K]
 *
 * Plays scenes of random bodies (stage.h) until that many pairs of triangles were decided by brute
 * force, each pair of bodies once a frame. A fifth of the scenes has bodies that morph, one has
 * such as follow joints, one those that do both, one soups, and one all of them (play.h); --only
 * plays one kind. In each frame the vertices that the library returns are what was given, or the
 * documented expression of it; the list of all pairs is that of brute force; first pairs, any pair,
 * two bodies alone and pairs of bodies agree with it; and so do features within a distance
 * (nearby.c), least distances and closest points (distances.c), and rays (brute_rays.c). Points are
 * planted on the outermost vertices of other bodies: a bound that is too tight by one unit in the
 * last place loses them. Without
 * --cpu each scene has an instruction set of its own. --rays asks for rays alone, until that many
 * pairs of a ray and a triangle were decided. --scene plays one scene again. Ends with 1 at
 * any difference, or if a kind of tree, pose, morph, skin, bound, update or query was never
 * reached, which --only does not ask for. */
#include "calls.h"
#include "counts.h"
#include "distances.h"
#include "left_out.h"
#include "nearby.h"
#include "play.h"
#include "workers.h"

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

/* ---- What the vertices are ----------------------------------------------------------------------
 */

static bool is_same_number(float x, float y)
{
    return x == y || (isnan(x) && isnan(y));
}

static void check_vertices(Play *play, Actor *actor)
{
    size_t size = 12 * (size_t)actor->mesh.vertex_count;
    play_must(test_body_vertices(play->world, actor->name, actor->vertices));
    if (actor->soup)
        memcpy((char *)actor->vertices + size, (const float[3]){NAN, NAN, NAN}, 12);
    if (!actor->is_moved && !is_morphed(actor) && !is_skinned(actor)) {
        if (memcmp(actor->vertices, actor->now, size) != 0)
            play_differ(play, "vertices as given", 0);
        return;
    }
    float *wanted = play_allocate(size);
    memcpy(wanted, actor->now, size);
    if (actor->is_moved)
        brute_move(&actor->transform, actor->now, actor->mesh.vertex_count, wanted);
    for (int32_t i = 0; i < 3 * actor->mesh.vertex_count; i++)
        if (!is_same_number(wanted[i], actor->vertices[i])) {
            play_differ(play,
                        is_skinned(actor)   ? "vertices that follow joints"
                        : is_morphed(actor) ? "morphed vertices"
                                            : "moved vertices",
                        i / 3);
            break;
        }
    free(wanted);
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
    play_must(
        pliant_body_set_loose_box(play->world, actor->name, actor->has_loose_box ? &box : NULL));
    event_counts[EVENT_LOOSE] += actor->has_loose_box;
}

/* ---- Points on the vertices of others -----------------------------------------------------------
 */

static BruteBody brute_body(const Actor *actor)
{
    return (BruteBody){actor->vertices, actor->mesh.triangles, actor->mesh.triangle_count};
}

/* One that is not planted, and not a soup of nothing; rather one that morphs, follows joints or has
 * no shape. NULL: there is none. */
static const Actor *pick(Play *play)
{
    const Actor *actor = NULL, *found = NULL;
    for (int tries = 0; tries < (found ? 3 : 100); tries++) {
        actor = &play->actors[stage_whole(&play->stage.random, 0, play->actor_count - 1)];
        if (!actor->is_planted && actor->mesh.triangle_count > 0 &&
            (!found || is_morphed(actor) || is_skinned(actor) || actor->soup))
            found = actor;
    }
    return found;
}

/* Anew in each frame, if there is something to plant them on. */
static void plant_all(Play *play)
{
    for (int i = 0; i < play->actor_count; i++) {
        Actor *actor = &play->actors[i];
        if (!actor->is_planted)
            continue;
        const Actor *other = pick(play);
        if (other) {
            actor_leave(play, actor);
            actor_plant(play, actor, other);
        }
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

/* A function refuses pairs of bodies in some scenes. */
static bool has_may_pair(const Play *play)
{
    return play->scene % 4 == 3;
}

/* How a body moves, the most that it does. */
static int rank_of(const Actor *actor)
{
    return actor->soup ? 4 : 2 * is_skinned(actor) + is_morphed(actor);
}

static void find_pairs(Play *play)
{
    play->pair_count = 0;
    play->expected.count = 0;
    qsort(play->actors, (size_t)play->actor_count, sizeof *play->actors, by_index);
    for (int i = 0; i < play->actor_count; i++)
        for (int j = i + 1; j < play->actor_count; j++) {
            Pair pair = {
                .a = &play->actors[i], .b = &play->actors[j], .first = play->expected.count};
            BruteBody a = brute_body(pair.a), b = brute_body(pair.b);
            int64_t count = brute_force(&a, &b, &play->expected);
            int rank = rank_of(pair.a) > rank_of(pair.b) ? rank_of(pair.a) : rank_of(pair.b);
            decision_count += count;
            decisions_counts[4 - rank] += count;
            pair.count = play->expected.count - pair.first;
            pair.is_allowed =
                (pair.a->categories & pair.b->collides_with) &&
                (pair.b->categories & pair.a->collides_with) &&
                (!has_may_pair(play) || left_out_may_pair(NULL, pair.a->name, pair.b->name));
            play->pairs[play->pair_count++] = pair;
        }
}

/* ---- The questions ------------------------------------------------------------------------------
 */

static bool is_same_body(PliantBody x, PliantBody y)
{
    return x.index == y.index && x.serial == y.serial;
}

static bool is_contact(const Pair *pair, const BruteContact *expected_one,
                       const PliantContact *contact)
{
    return is_same_body(pair->a->name, contact->body_a) &&
           is_same_body(pair->b->name, contact->body_b) && expected_one->a == contact->triangle_a &&
           expected_one->b == contact->triangle_b;
}

/* The contacts of one pair from `*at` on, all of them; moves on behind them. */
static void check_pair(Play *play, const Pair *pair, const PliantContacts *contacts, int64_t *at,
                       const char *what)
{
    for (int64_t i = 0; i < pair->count; i++, ++*at)
        if (*at >= contacts->count ||
            !is_contact(pair, &play->expected.items[pair->first + i], &contacts->items[*at])) {
            play_differ(play, what, *at);
            return;
        }
}

static void ask_all(Play *play)
{
    PliantContacts contacts = pliant_contacts_default();
    int64_t at = 0;
    play_must(pliant_world_collide(play->world, NULL, &contacts));
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
        if (is_contact(pair, &play->expected.items[pair->first + i], contact))
            return true;
    return false;
}

static void ask_first(Play *play)
{
    PliantContacts contacts = pliant_contacts_default();
    int64_t at = 0;
    play_must(pliant_world_collide(play->world, TEST_QUERY(PLIANT_FIRST_PAIRS), &contacts));
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
    PliantContacts contacts = pliant_contacts_default();
    bool is_any = false, is_there = false;
    play_must(pliant_world_collide(play->world, TEST_QUERY(PLIANT_ANY_PAIR), &contacts));
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
    PliantContacts contacts = pliant_contacts_default();
    int64_t at = 0;
    play_must(pliant_bodies_collide(play->world, is_swapped ? pair->b->name : pair->a->name,
                                    is_swapped ? pair->a->name : pair->b->name, NULL, &contacts));
    check_pair(play, pair, &contacts, &at, "two bodies");
    if (!play->is_different && at != contacts.count)
        play_differ(play, "the end of two bodies", at);
    play_must(pliant_bodies_collide(play->world, pair->a->name, pair->b->name,
                                    TEST_QUERY(PLIANT_FIRST_PAIRS), &contacts));
    if (contacts.count != (pair->count > 0) ||
        (pair->count > 0 && !is_found(play, pair, &contacts.items[0])))
        play_differ(play, "the first of two bodies", contacts.count);
}

/* In order, allowed, and none missing that has contacts. */
static void ask_body_pairs(Play *play)
{
    PliantBodyPairs pairs = pliant_body_pairs_default();
    int64_t at = 0;
    play_must(pliant_world_body_pairs(play->world, NULL, &pairs));
    const PliantBodyPair *found = pairs.items;
    const int64_t count = pairs.count;
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
static void prefetch(Play *play)
{
    static void (*const questions[])(Play *) = {ask_all,       ask_first,           ask_any,
                                                ask_two,       ask_body_pairs,      nearby_ask,
                                                distances_ask, distances_ask_points};
    int first = stage_whole(&play->stage.random, 0, 7);
    for (int i = 0; i < 9 && !play->is_different; i++) {
        int question = (first + i) % 8;
        if (question != 0 && play_chance(play, 2))
            continue;
        questions[question](play);
        query_counts[question]++;
    }
}

static void count_soup(const Actor *actor)
{
    const Soup *soup = actor->soup;
    const int32_t count = soup->count;
    soup_kind_counts[soup->experiments.soup_kind]++;
    soup_levels_counts[(soup->experiments.soup_level_count + 3) / 4]++; /* any, few, many */
    soup_of_counts[2 * soup->def.primitive_kind + soup->has_corners]++;
    soup_size_counts[count == 0 ? 0 : count <= 16 ? 1 : count <= 128 ? 2 : 3]++;
    soup_pose_counts[actor->is_moved]++;
}

static void count_pose(const Actor *actor)
{
    const bool is_morph = is_morphed(actor);
    if (actor->soup) {
        count_soup(actor);
        return;
    }
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

/* Rays alone, many times. */
static void play_rays(Play *play)
{
    enum { TIMES = 50 };
    for (int i = 0; i < TIMES && !play->is_different; i++)
        play_cast_rays(play, i * 1000);
}

static void play_frame(Play *play, bool has_rays_alone)
{
    for (int i = 0; i < play->actor_count; i++)
        if (!play->actors[i].is_planted)
            actor_act(play, &play->actors[i]);
    for (int i = 0; i < play->actor_count; i++)
        if (!play->actors[i].is_planted) {
            check_vertices(play, &play->actors[i]);
            promise(play, &play->actors[i]);
        }
    plant_all(play);
    if (has_rays_alone) {
        qsort(play->actors, (size_t)play->actor_count, sizeof *play->actors, by_index);
        count_poses(play);
        play_rays(play);
        return;
    }
    find_pairs(play);
    count_poses(play);
    if (play->scene % 2)
        play_cast_rays(play, 0); /* before all else in the frame: what was set is not updated */
    prefetch(play);
    if (!play->is_different)
        play_cast_rays(play, 1);
}

/* Bodies, and points to be planted on them: at first on where they rest. */
static void enter_all(Play *play)
{
    int actor_count = stage_whole(&play->stage.random, 2, MAX_ACTORS);
    int planted_count = stage_whole(&play->stage.random, 0, MAX_PLANTED);
    for (; play->actor_count < actor_count; play->actor_count++)
        actor_enter(play, &play->actors[play->actor_count]);
    for (int i = 0; i < play->actor_count; i++)
        check_vertices(play, &play->actors[i]);
    for (int i = 0; i < planted_count; i++) {
        const Actor *other = pick(play);
        if (other)
            actor_plant(play, &play->actors[play->actor_count++], other);
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
    int64_t rays; /* decisions of rays that are wanted; 0: all questions are asked */
    uint64_t seed;
    uint32_t cpu;
    bool has_cpu;
    int only; /* -1: all */
} Options;

/* How tasks are run; without it everything is done by one worker. */
static TestWorkers workers;
static bool has_workers;

static void play_scene(const Options *options, int64_t scene)
{
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512, PLIANT_CPU_ALL};
    Play play = {.seed = options->seed, .scene = scene};
    play.cast = (Cast)(options->only >= 0 ? options->only
                                          : (scene + scene / STAGE_KIND_COUNT) % CAST_COUNT);
    stage_init(&play.stage, (StageKind)(scene % STAGE_KIND_COUNT),
               options->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)scene);
    play.stage.has_large = play.cast != CAST_morphs && play.cast != CAST_soups;
    int mask = stage_whole(&play.stage.random, 0, 4);
    play.cpu = options->has_cpu ? options->cpu : masks[mask];
    mask_counts[mask]++;
    cast_counts[play.cast]++;
    PliantWorldDef def = pliant_world_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.cpu_mask = play.cpu;
    def.may_pair = has_may_pair(&play) ? left_out_may_pair : NULL;
    experiments.broad_kind = (PliantBroadKind)stage_whole(&play.stage.random, 0, 2);
    PliantHost host = pliant_host_default();
    if (has_workers)
        test_workers_attach(&workers, &host);
    def.host = &host;
    play_must(pliant_world_create(&def, &play.world));
    if (has_workers)
        test_workers_divide_everything(play.world);
    choose_exile(&play);
    enter_all(&play);
    int frames = stage_whole(&play.stage.random, 1, play_chance(&play, 6) ? 20 : 6);
    for (play.frame = 0; play.frame < frames && !play.is_different; play.frame++)
        play_frame(&play, options->rays > 0);
    for (int i = 0; i < play.actor_count; i++)
        actor_leave(&play, &play.actors[i]);
    pliant_world_destroy(play.world);
    brute_free(&play.expected);
}

_Static_assert(STAGE_KIND_COUNT % CAST_COUNT == 0, "each stage gets each cast");

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
        else if (strcmp(argv[i], "--rays") == 0)
            options->rays = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            options->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--scene") == 0)
            options->scene = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            is_right &= (options->only = cast_of(value)) >= 0;
        else if (strcmp(argv[i], "--workers") == 0)
            is_right &= has_workers = test_workers_start(&workers, value);
        else if (strcmp(argv[i], "--cpu") == 0) {
            options->cpu = (uint32_t)strtoul(value, NULL, 0);
            options->has_cpu = true;
        } else
            is_right = false;
    }
    return is_right;
}

/* All scenes, each stage with each cast at least; false if something was never reached. */
static bool play_all(const Options *options)
{
    const int64_t least = options->only >= 0 || options->rays ? 0 : STAGE_KIND_COUNT * CAST_COUNT;
    const int64_t wanted = options->rays ? options->rays : options->decisions;
    const int64_t *decided = options->rays ? &ray_decision_count : &decision_count;
    bool is_complete = true;
    int64_t next = 0;
    for (; (*decided < wanted || next < least) && difference_count < 5; next++)
        play_scene(options, next);
    printf("%" PRId64 " scenes, %" PRId64 " frames\n", next, frame_count);
    if (options->rays)
        return true;
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
                "usage: %s [--decisions N] [--rays N] [--seed S] [--cpu MASK] [--only CAST] "
                "[--scene K] [--workers W]\n",
                argv[0]);
        return 2;
    }
    if (options.scene >= 0)
        play_scene(&options, options.scene);
    else
        is_complete = play_all(&options);
    const bool has_rays = play_has_all_rays();
    is_complete &= has_rays || options.scene >= 0;
    printf("brute: seed %" PRIu64 ", %" PRId64 " decisions of triangles and %" PRId64
           " of features, %" PRId64 " contacts, %" PRId64 " differences%s\n",
           options.seed, decision_count, nearby_decisions + distances_decisions, contact_count,
           difference_count, is_complete ? "" : ", but not everything was reached");
    if (has_workers)
        test_workers_end(&workers);
    return difference_count != 0 || !is_complete;
}
