/* What is played in the comparison with brute force: a world, the bodies in it, and what was
 * reached.
 *
 * An actor is a body, with a model of it that knows where its vertices should be and nothing of
 * trees. It comes and goes and moves by every way there is: actors.c. What the world says of it
 * all is asked in test_brute.c. */
#ifndef TEST_PLAY_H
#define TEST_PLAY_H

#include "brute.h"
#include "morphs.h"
#include "plant.h"
#include "skins.h"
#include "soups.h"
#include "stage.h"

enum {
    MAX_ACTORS = 5,
    MAX_PLANTED = 6,
    MAX_BODIES = MAX_ACTORS + MAX_PLANTED,
    MAX_PAIRS = MAX_BODIES * (MAX_BODIES - 1) / 2
};

/* X(name, what most bodies of a scene do beside resting and being given). */
#define CASTS(X)                                                                                   \
    X(morphs, "morph")                                                                             \
    X(skins, "follow joints")                                                                      \
    X(both, "follow joints and morph")                                                             \
    X(soups, "have no shape")                                                                      \
    X(mixed, "any of these")

typedef enum Cast {
#define CAST_ENUM(name, text) CAST_##name,
    CASTS(CAST_ENUM)
#undef CAST_ENUM
        CAST_COUNT
} Cast;

typedef struct Actor {
    SceneMesh mesh; /* of a soup: as brute force takes what is in it; no vertices of its own */
    int32_t segment_count; /* of a shape: the last triangles are segments */
    Soup *soup;            /* NULL: it has a shape */
    Morph *morph;          /* NULL: none */
    Skin *skin;            /* NULL: none */
    PliantBoundKind bound;
    int between_count;
    PliantShape *shape;
    PliantBody name;
    bool is_planted;
    float *now;    /* at rest, or as given last, or by weights and joints */
    char *lent;    /* the array that is borrowed: stride bytes a vertex, no more at the end */
    size_t stride; /* of it */
    uint32_t *lent_corners; /* likewise, of a soup */
    bool is_given, is_lent, is_moved;
    bool has_weights, has_joints; /* have been set, and count unless vertices are given */
    float weights[MAX_TARGETS];
    PliantTransform drawn[MAX_JOINTS], joints[MAX_JOINTS]; /* at home, and as they are set */
    bool stays;          /* has no transform: then more of the bounds is kept from frame to frame */
    bool goes_by_joints; /* where the scene is far away, and not by its transform */
    PliantTransform transform;
    PliantUpdateKind update;
    uint32_t categories, collides_with;
    bool has_loose_box;
    float *vertices; /* as the library says; of a soup, one more that is NaN */
} Actor;

static inline bool is_morphed(const Actor *actor)
{
    return actor->has_weights && !actor->is_given;
}

static inline bool is_skinned(const Actor *actor)
{
    return actor->has_joints && !actor->is_given;
}

/* Two bodies, the one with the smaller index first, and what brute force found. */
typedef struct Pair {
    const Actor *a, *b;
    int64_t first, count; /* in contacts */
    bool is_allowed;      /* by the filters, and the function of the world */
} Pair;

typedef struct Play {
    Stage stage;
    Cast cast;
    uint64_t seed;
    int64_t scene;
    uint32_t cpu;
    int frame;
    float exile[3]; /* where bodies go, by joints or by their transforms */
    PliantWorld *world;
    Actor actors[MAX_BODIES];
    int actor_count;
    Pair pairs[MAX_PAIRS];
    int pair_count;
    BruteContacts expected;
    bool is_different;
} Play;

/* ---- What was reached -------------------------------------------------------------------------
 */

/* X(name, size): counters, none of which may be zero in the end. Decisions are of pairs of bodies
 * of which one at least is a soup; follows joints and morphs; follows joints; morphs; and of all
 * others. */
#define COUNTERS(X)                                                                                \
    X(decisions, 5)                                                                                \
    X(cast, CAST_COUNT)                                                                            \
    X(stage, STAGE_KIND_COUNT)                                                                     \
    X(tree, 4)                                                                                     \
    X(children, 3)                                                                                 \
    X(leaf, 4)                                                                                     \
    X(pose, 8)                                                                                     \
    X(update, 3)                                                                                   \
    X(transform, STAGE_TRANSFORM_COUNT)                                                            \
    X(query, 8)                                                                                    \
    X(distance, 3)                                                                                 \
    X(kept, 2)                                                                                     \
    X(point, 2)                                                                                    \
    X(sign, 2)                                                                                     \
    X(segments, 3)                                                                                 \
    X(event, 9)                                                                                    \
    X(mask, 5)                                                                                     \
    X(morph, 2)                                                                                    \
    X(targets, 4)                                                                                  \
    X(target, 2)                                                                                   \
    X(tree_of, 2)                                                                                  \
    X(bound, 4)                                                                                    \
    X(between, MAX_BETWEEN + 1)                                                                    \
    X(weights, WEIGHT_KIND_COUNT)                                                                  \
    X(change, 8)                                                                                   \
    X(skin, SKIN_KIND_COUNT)                                                                       \
    X(influences, 4)                                                                               \
    X(joint_count, 4)                                                                              \
    X(joints, JOINT_KIND_COUNT)                                                                    \
    X(skin_pose, 4)                                                                                \
    X(skin_bound, 4)                                                                               \
    X(planted, PLANT_KIND_COUNT)                                                                   \
    X(plant_on, 11)                                                                                \
    X(plant_as, 4)                                                                                 \
    X(soup_kind, 4)                                                                                \
    X(soup_levels, 3)                                                                              \
    X(soup_of, 6)                                                                                  \
    X(soup_size, 4)                                                                                \
    X(soup_change, SOUP_CHANGE_COUNT)                                                              \
    X(soup_given, 3)                                                                               \
    X(soup_pose, 2)

#define COUNTER_ARRAY(name, size) extern int64_t name##_counts[size];
COUNTERS(COUNTER_ARRAY)
#undef COUNTER_ARRAY

enum {
    EVENT_DESTROYED,
    EVENT_LOOSE,
    EVENT_FILTERED,
    EVENT_RUN_ORDER,
    EVENT_SHARED,
    EVENT_SILENT,
    EVENT_FEW,
    EVENT_FAR_BY_JOINTS,
    EVENT_FAR_BY_TRANSFORM
};
enum {
    CHANGE_REST_TO_WEIGHTS,
    CHANGE_GIVEN_TO_WEIGHTS,
    CHANGE_WEIGHTS_TO_GIVEN,
    CHANGE_WEIGHTS,
    CHANGE_REST_TO_JOINTS,
    CHANGE_GIVEN_TO_JOINTS,
    CHANGE_JOINTS_TO_GIVEN,
    CHANGE_JOINTS
};

/* Says that something is not as it should be, and how to see it again. */
void play_differ(Play *play, const char *what, int64_t at);

/* Ends the program if it is not PLIANT_OK, or if there is no memory. */
void play_must(PliantResult result);
void *play_allocate(size_t size);

/* True once in so many times. */
bool play_chance(Play *play, int one_in);

/* Casts rays at the bodies as they are, against brute force: brute_rays.c. Turns 0 and 1 of a frame
 * differ. Counts pairs of a ray and a triangle. */
void play_cast_rays(Play *play, int turn);
extern int64_t ray_decision_count;

/* Prints what was reached of that. Returns false if something was not. */
bool play_has_all_rays(void);

/* ---- Actors -----------------------------------------------------------------------------------
 */

/* A new body with a shape of its own, at rest; the same of points on another body. */
void actor_enter(Play *play, Actor *actor);
void actor_plant(Play *play, Actor *actor, const Actor *other);
void actor_leave(Play *play, Actor *actor);

/* What happens to a body in a frame. */
void actor_act(Play *play, Actor *actor);

/* The positions as they are now in an array of their own, of any stride, in place of the one that
 * was lent, which is returned: free() it once the library knows. */
char *actor_renew_lent(Play *play, Actor *actor, PliantVertices *vertices);

/* Into the array that is lent, and nobody is told. */
void actor_write_lent(Actor *actor);

/* ---- Actors without a shape -------------------------------------------------------------------
 */

/* These take the soup. */
void debris_enter(Play *play, Actor *actor, Soup *soup);
void debris_act(Play *play, Actor *actor);

#endif
