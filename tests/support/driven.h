/* Bodies that are driven by weights, by joints or by both, for unit tests: a ball, a world, ways to
 * pose the ball, and what holds in every pose. */
#ifndef TEST_DRIVEN_H
#define TEST_DRIVEN_H

#include "ball.h"
#include "brute.h"
#include "calls.h"
#include "host.h"
#include "scenes.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { TARGETS = BALL_TARGETS, VERTICES = BALL_VERTICES, JOINTS = BALL_JOINTS };

/* The plain ways to pose the ball are weights of displacements, and joints: see ball.h. */
enum { PLAIN_DRIVES = BALL_BY_JOINTS + 1, BOUNDS = 4 };

/* A ball and a world. */
typedef struct Fixture {
    TestHost host, shape_host; /* of the world, and of the shapes */
    Ball ball;
    PliantWorld *world;
    PliantExperiments experiments[BOUNDS]; /* of def_of() */
} Fixture;

static inline PliantWorld *create_world(Fixture *f, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantWorld *world = NULL;
    def.host = &f->host.host;
    def.cpu_mask = cpu_mask;
    MUST(pliant_world_create(&def, &world));
    return world;
}

static inline int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    test_host_init(&f->host);
    test_host_init(&f->shape_host);
    ball_init(&f->ball);
    f->world = create_world(f, PLIANT_CPU_ALL);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    Fixture *f = *state;
    pliant_world_destroy(f->world);
    assert_int_equal(f->host.blocks, 0);
    assert_int_equal(f->host.bytes, 0);
    assert_int_equal(f->shape_host.bytes, 0);
    ball_free(&f->ball);
    free(f);
    return 0;
}

static inline PliantShapeDef def_of(Fixture *f, int drive, int bound)
{
    PliantShapeDef def = ball_driven_def(&f->ball, (BallDrive)drive, &f->shape_host.host);
    f->experiments[bound] = pliant_experiments_default();
    f->experiments[bound].bound_kind = (PliantBoundKind)bound;
    def.experiments = &f->experiments[bound];
    return def;
}

/* A body that is the only one to have its shape. */
static inline PliantBody create_own(Fixture *f, const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    PliantBody body = {0};
    MUST(pliant_shape_create(def, &shape));
    MUST(pliant_body_create(f->world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

static inline void destroy_two(Fixture *f, PliantBody a, PliantBody b)
{
    MUST(pliant_body_destroy(f->world, a));
    MUST(pliant_body_destroy(f->world, b));
}

static inline void shift(Fixture *f, PliantBody body, float x)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = x;
    MUST(pliant_body_set_transform(f->world, body, &transform));
}

/* What a body is driven by; NULL for what is not set. */
typedef struct Pose {
    const float *weights;
    const PliantTransform *joints;
} Pose;

/* Sets weights, joints or both: those that a body of this def has. */
static inline void set_pose(Fixture *f, PliantBody body, const PliantShapeDef *def, Pose pose)
{
    if (def->target_count > 0 && pose.weights)
        MUST(pliant_body_set_weights(f->world, body, pose.weights, def->target_count));
    if (def->skin && pose.joints)
        MUST(pliant_body_set_joints(f->world, body, pose.joints, def->skin->joint_count));
}

static inline void set_weights(Fixture *f, PliantBody body, float w0, float w1, float w2)
{
    const float weights[TARGETS] = {w0, w1, w2};
    MUST(pliant_body_set_weights(f->world, body, weights, TARGETS));
}

static inline void bend(Fixture *f, PliantBody body, double angle)
{
    PliantTransform joints[JOINTS];
    ball_bend(angle, joints);
    MUST(pliant_body_set_joints(f->world, body, joints, JOINTS));
}

static inline PliantContacts collide(Fixture *f, PliantCollideKind query)
{
    PliantContacts contacts = pliant_contacts_default();
    contacts.count = -1;
    MUST(pliant_world_collide(f->world, TEST_QUERY(query), &contacts));
    return contacts;
}

static inline PliantStats stats_of(Fixture *f, PliantBody body)
{
    PliantStats stats = pliant_stats_default();
    MUST(pliant_body_stats(f->world, body, &stats));
    return stats;
}

/* The world's answer is that of brute force; returns how many pairs there are. */
static inline int64_t assert_right(Fixture *f, PliantBody a, PliantBody b)
{
    static float x[VERTICES][3], y[VERTICES][3];
    if (a.index > b.index)
        return assert_right(f, b, a);
    MUST(test_body_vertices(f->world, a, x[0]));
    MUST(test_body_vertices(f->world, b, y[0]));
    BruteContacts expected = {0};
    BruteBody brute_a = {x[0], f->ball.mesh.triangles, f->ball.mesh.triangle_count},
              brute_b = brute_a;
    brute_b.vertices = y[0];
    brute_force(&brute_a, &brute_b, &expected);
    PliantContacts contacts = collide(f, PLIANT_ALL_PAIRS);
    assert_int_equal(contacts.count, expected.count);
    for (int64_t i = 0; i < expected.count; i++) {
        assert_int_equal(contacts.items[i].triangle_a, expected.items[i].a);
        assert_int_equal(contacts.items[i].triangle_b, expected.items[i].b);
    }
    int64_t count = expected.count;
    brute_free(&expected);
    assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, count > 0);
    assert_int_equal(collide(f, PLIANT_ANY_PAIR).count, count > 0);
    return count;
}

/* The vertices of a body without a transform are those of the documented expression; without
 * weights and joints, those of the mesh at rest. */
static inline void assert_posed(Fixture *f, PliantBody body, const PliantShapeDef *def, Pose pose)
{
    static float got[VERTICES][3], wanted[VERTICES][3];
    const int32_t count = def->vertices.count;
    BruteMorph morph = {def->morph_kind, def->targets, def->target_count};
    memcpy(wanted, def->vertices.data, 12 * (size_t)count);
    if (def->target_count > 0 && pose.weights)
        brute_blend(&morph, def->vertices.data, count, pose.weights, wanted[0]);
    if (def->skin && pose.joints)
        brute_skin(def->skin, pose.joints, wanted[0], count, wanted[0]);
    MUST(test_body_vertices(f->world, body, got[0]));
    for (int32_t i = 0; i < 3 * count; i++)
        assert_true(got[i / 3][i % 3] == wanted[i / 3][i % 3] ||
                    (isnan(got[i / 3][i % 3]) && isnan(wanted[i / 3][i % 3])));
}

#endif
