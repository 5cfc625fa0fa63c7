/* Near queries and sweeps by one call, for tests of what they have in common. After cmocka.h. */
#ifndef TEST_ASKED_H
#define TEST_ASKED_H

#include <pliant/pliant.h>

/* Numbers of a def, and what is to be wrong with it. */
enum {
    ASKED_DISTANCE,
    ASKED_MARGIN,
    ASKED_SELF, /* 1: within bodies too */
    ASKED_REST_DISTANCE,
    ASKED_SLACK,
    ASKED_MAX_TIME,
    ASKED_KIND,
    ASKED_DEF_SIZE,    /* struct_size of the def; 0: as it should be */
    ASKED_ANSWER_SIZE, /* of the answer, likewise */
    ASKED_NO_ANSWER,   /* 1: the answer is NULL */
    ASKED_NO_A,        /* 1: the first body is none */
    ASKED_NO_B,
    ASKED_UNIQUE,
    ASKED_NUMBERS
};

typedef struct Asked {
    PliantWorld *world;
    bool is_of_two;       /* about two bodies, not the world */
    PliantBody bodies[2]; /* these */
    float numbers[ASKED_NUMBERS];
    int64_t max_count; /* 0: no limit */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user;
} Asked;

typedef struct Answered {
    const void *items;
    size_t item_size;
    int64_t count;
    bool is_limit_reached;
} Answered;

/* A call that fails leaves its answer as it was. */
typedef PliantResult TestAsk(const Asked *asked, Answered *answered);

static inline Asked test_asked(PliantWorld *world, PliantBody a, PliantBody b, float distance)
{
    Asked asked = {.world = world, .bodies = {a, b}};
    asked.numbers[ASKED_DISTANCE] = distance;
    asked.numbers[ASKED_MAX_TIME] = 1;
    asked.numbers[ASKED_KIND] = PLIANT_ALL_IMPACTS;
    return asked;
}

static inline PliantBody test_asked_body(const Asked *asked, int i)
{
    const PliantBody none = {0};
    return asked->numbers[ASKED_NO_A + i] > 0 ? none : asked->bodies[i];
}

static inline size_t test_asked_size(const Asked *asked, int number, size_t size)
{
    return asked->numbers[number] > 0 ? (size_t)asked->numbers[number] : size;
}

static inline PliantResult test_ask_near(const Asked *asked, Answered *answered)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearPairs *to = asked->numbers[ASKED_NO_ANSWER] > 0 ? NULL : &pairs;
    def.struct_size = test_asked_size(asked, ASKED_DEF_SIZE, sizeof def);
    def.distance = asked->numbers[ASKED_DISTANCE];
    def.margin = asked->numbers[ASKED_MARGIN];
    def.rest_distance = asked->numbers[ASKED_REST_DISTANCE];
    def.includes_self = asked->numbers[ASKED_SELF] > 0;
    def.progress = asked->progress;
    def.user = asked->user;
    def.max_pair_count = asked->max_count;
    def.is_unique = asked->numbers[ASKED_UNIQUE] > 0;
    pairs.struct_size = test_asked_size(asked, ASKED_ANSWER_SIZE, sizeof pairs);
    pairs.count = -5;
    const PliantNearPairs before = pairs;
    const PliantResult result = asked->is_of_two
                                    ? pliant_bodies_near(asked->world, test_asked_body(asked, 0),
                                                         test_asked_body(asked, 1), &def, to)
                                    : pliant_world_near(asked->world, &def, to);
    if (result != PLIANT_OK)
        assert_memory_equal(&pairs, &before, sizeof pairs);
    *answered = (Answered){pairs.items, sizeof *pairs.items, pairs.count, pairs.is_limit_reached};
    return result;
}

static inline PliantResult test_ask_sweep(const Asked *asked, Answered *answered)
{
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    PliantImpacts *to = asked->numbers[ASKED_NO_ANSWER] > 0 ? NULL : &impacts;
    def.struct_size = test_asked_size(asked, ASKED_DEF_SIZE, sizeof def);
    def.kind = (PliantSweepKind)asked->numbers[ASKED_KIND];
    def.max_time = asked->numbers[ASKED_MAX_TIME];
    def.distance = asked->numbers[ASKED_DISTANCE];
    def.slack = asked->numbers[ASKED_SLACK];
    def.margin = asked->numbers[ASKED_MARGIN];
    def.includes_self = asked->numbers[ASKED_SELF] > 0;
    def.progress = asked->progress;
    def.user = asked->user;
    def.max_impact_count = asked->max_count;
    impacts.struct_size = test_asked_size(asked, ASKED_ANSWER_SIZE, sizeof impacts);
    impacts.count = -5;
    impacts.is_conservative = true;
    const PliantImpacts before = impacts;
    const PliantResult result = asked->is_of_two
                                    ? pliant_bodies_sweep(asked->world, test_asked_body(asked, 0),
                                                          test_asked_body(asked, 1), &def, to)
                                    : pliant_world_sweep(asked->world, &def, to);
    if (result != PLIANT_OK)
        assert_memory_equal(&impacts, &before, sizeof impacts);
    else
        assert_int_equal(impacts.is_conservative, def.distance > 0 || def.slack > 0);
    *answered =
        (Answered){impacts.items, sizeof *impacts.items, impacts.count, impacts.is_limit_reached};
    return result;
}

#endif
