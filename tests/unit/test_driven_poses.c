/* Bodies that are driven by weights, by joints or by both: mistakes, answers, freshness, memory,
 * statistics. Most tests run over the ways to pose the ball; those of one way say so. */
#include "driven.h"
#include "refuse.h"
#include <pliant/pliant.h>

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

static void refuse(Fixture *f, int drive, PliantBody body, Pose pose, int32_t count,
                   PliantResult code, const char *text)
{
    if (drive == BALL_BY_JOINTS)
        REFUSE(f->host, pliant_body_set_joints(f->world, body, pose.joints, count), code, text);
    else
        REFUSE(f->host, pliant_body_set_weights(f->world, body, pose.weights, count), code, text);
}

/* A call that is refused leaves the body as it was. */
static void test_mistakes(void **state)
{
    Fixture *f = *state;
    static const struct {
        int32_t count;
        const char *null, *fewer, *more, *none;
    } texts[] = {
        {TARGETS, "weights is NULL", "count is 2", "count is 4", "the shape has no targets"},
        {JOINTS, "joints is NULL", "count is 4", "count is 6", "the shape has no joints"}};
    const PliantResult bad = PLIANT_BAD_ARGUMENT;
    const float good_weights[TARGETS + 1] = {0.5f, -1, 2};
    PliantTransform good_joints[JOINTS + 1] = {{{{0}}}}, joints[JOINTS];
    float weights[TARGETS];
    ball_bend(1, good_joints);
    const Pose good = {good_weights, good_joints};
    for (int drive = 0; drive < PLAIN_DRIVES; drive++) {
        PliantShapeDef def = def_of(f, drive, 0), plain = def;
        const int32_t count = texts[drive].count;
        plain.target_count = 0;
        plain.skin = NULL;
        PliantBody body = create_own(f, &def), dead = create_own(f, &def),
                   rigid = create_own(f, &plain);
        MUST(pliant_body_destroy(f->world, dead));
        set_pose(f, body, &def, good);
        refuse(f, drive, body, (Pose){0}, count, bad, texts[drive].null);
        refuse(f, drive, body, good, count - 1, bad, texts[drive].fewer);
        refuse(f, drive, body, good, count + 1, bad, texts[drive].more);
        refuse(f, drive, body, good, -1, bad, "count is -1");
        refuse(f, drive, rigid, good, count, bad, texts[drive].none);
        refuse(f, drive, rigid, good, 0, bad, texts[drive].none);
        refuse(f, drive, dead, good, count, PLIANT_BAD_ID, "body is {");
        for (int i = 0; i < 12; i++) {
            static const char *const names[] = {"weights[0]", "weights[1]", "weights[2]"};
            memcpy(weights, good_weights, sizeof weights);
            memcpy(joints, good_joints, sizeof joints);
            weights[i % 3] = joints[3].rows[i / 4][i % 4] = i % 2 ? NAN : -INFINITY;
            refuse(f, drive, body, (Pose){weights, joints}, count, bad,
                   drive == BALL_BY_JOINTS ? "joints[3]" : names[i % 3]);
        }
        assert_posed(f, body, &def, good);
    }
}

/* ---- Numbers that are not finite ---------------------------------------------------------------
 */

/* Vertices that overflow are in no pair and are counted, all others stay; and back. */
static void run_overflow(Fixture *f, const PliantShapeDef *base, Pose overflow, Pose back,
                         int64_t least, int64_t most)
{
    for (int i = 0; i < 2 * BOUNDS; i++) {
        PliantShapeDef def = *base;
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.bound_kind = (PliantBoundKind)(i / 2);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        if (i % 2)
            set_pose(f, b, &def, back);
        const int64_t all = assert_right(f, a, b);
        set_pose(f, a, &def, overflow);
        assert_posed(f, a, &def, overflow);
        const int64_t count = assert_right(f, a, b);
        if (most < def.triangles.count)
            assert_in_range(count, 1, i % 2 ? INT64_MAX : all - 1);
        assert_in_range(test_nonfinite_count(f->world, a), least, most);
        assert_int_equal(test_nonfinite_count(f->world, b), 0);
        set_pose(f, a, &def, back);
        assert_true(assert_right(f, a, b) > 0);
        assert_int_equal(test_nonfinite_count(f->world, a), 0);
        destroy_two(f, a, b);
    }
}

static void test_overflow_of_weights(void **state)
{
    Fixture *f = *state;
    int64_t around = 0;
    const float huge[1][3] = {{3e38f, 0, 0}};
    const uint32_t vertex[] = {7};
    const PliantTarget target = {{huge[0], 1, 0}, vertex};
    const float two = 2, half = 0.5f, most[TARGETS] = {3e38f, 3e38f, 3e38f}, one[TARGETS] = {1};
    const int32_t triangle_count = f->ball.mesh.triangle_count;
    for (int32_t i = 0; i < 3 * triangle_count; i++)
        around += f->ball.mesh.triangles[i] == vertex[0];
    PliantShapeDef def = def_of(f, BALL_BY_WEIGHTS, 0);
    def.targets = &target;
    def.target_count = 1;
    run_overflow(f, &def, (Pose){&two, NULL}, (Pose){&half, NULL}, around, around);
    def = def_of(f, BALL_BY_REFERENCES, 0);
    run_overflow(f, &def, (Pose){most, NULL}, (Pose){one, NULL}, 1, triangle_count);
}

/* By the first joint, and by all. */
static void test_overflow_of_joints(void **state)
{
    Fixture *f = *state;
    const PliantShapeDef def = def_of(f, BALL_BY_JOINTS, 0);
    const int32_t triangle_count = f->ball.mesh.triangle_count;
    PliantTransform joints[JOINTS], good[JOINTS];
    ball_bend(0.5, good);
    memcpy(joints, good, sizeof joints);
    for (int i = 0; i < 4; i++)
        joints[0].rows[2][i] = 3e38f;
    run_overflow(f, &def, (Pose){NULL, joints}, (Pose){NULL, good}, 1, triangle_count / 2);
    for (int j = 1; j < JOINTS; j++)
        joints[j].rows[0][0] = joints[j].rows[0][1] = joints[j].rows[0][3] = 3e38f;
    run_overflow(f, &def, (Pose){NULL, joints}, (Pose){NULL, good}, 1, triangle_count);
}

/* NaN and infinity at rest stay with their vertices, in every pose. */
static void test_odd_numbers_at_rest(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {1, -0.5f, 2};
    PliantTransform joints[JOINTS];
    ball_bend(0.5, joints);
    f->ball.mesh.vertices[30] = NAN;
    f->ball.mesh.vertices[91] = INFINITY;
    for (int i = 0; i < PLAIN_DRIVES * BOUNDS; i++) {
        PliantShapeDef def = def_of(f, i / BOUNDS, i % BOUNDS);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        set_pose(f, a, &def, (Pose){weights, joints});
        assert_true(assert_right(f, a, b) > 0);
        assert_in_range(test_nonfinite_count(f->world, a), 10, 12);
        destroy_two(f, a, b);
    }
}

/* ---- Answers -----------------------------------------------------------------------------------
 */

/* Two bodies of a shape, over poses that make them touch and part. With a skin, the first has no
 * weights at first, the second never. */
static void run_pair(Fixture *f, const PliantShapeDef *def)
{
    static const float weights[][TARGETS] = {
        {1, 0, 0},  {0, 0, 0},       {0.25f, 0.75f, 0}, {0, 0.3f, 0.7f},
        {-1, 2, 0}, {0.5f, 0.5f, 0}, {0, 0.25f, 0.75f}, {0.3f, 0.3f, 0.4f}};
    const bool has_skin = def->skin;
    PliantBody a = create_own(f, def), b = create_own(f, def);
    int64_t count = 0;
    for (int i = 0; i < (has_skin ? 6 : 8); i++) {
        PliantTransform joints[JOINTS], others[JOINTS];
        ball_bend(0.6 * (i - 2), joints);
        ball_bend(-0.4 * i, others);
        for (int j = 0; j < JOINTS && i == 4; j++) { /* of any size, sheared and mirrored */
            joints[j].rows[0][0] = -1e3f;
            joints[j].rows[1][2] = 1.5f;
            joints[j].rows[2][2] = 1e-3f;
        }
        if (i == 5)
            joints[2] = (PliantTransform){{{0}}};
        const Pose pose = {has_skin && i < 2 ? NULL : weights[i], joints};
        set_pose(f, a, def, pose);
        set_pose(f, b, def, (Pose){has_skin ? NULL : weights[(i + 2) % 8], others});
        shift(f, b, has_skin ? (i % 2 ? 1.2f : 1.9f) : (i % 2 ? 1.9f : 2.6f));
        assert_posed(f, a, def, pose);
        count += assert_right(f, a, b);
    }
    assert_true(count > 0);
    destroy_two(f, a, b);
}

static void test_bounds_and_trees(void **state)
{
    Fixture *f = *state;
    const float tree_weights[TARGETS] = {0.5f, 0.25f, 0.25f};
    for (int i = 0; i < BALL_DRIVES * BOUNDS * 4; i++) {
        const int drive = i % BALL_DRIVES, bound = i / BALL_DRIVES % BOUNDS;
        PliantShapeDef def = def_of(f, drive, bound);
        PliantExperiments experiments = *def.experiments;
        def.experiments = &experiments;
        experiments.tree_kind = (PliantTreeKind)(i / BALL_DRIVES / BOUNDS);
        experiments.tree_child_count = 2 << i % 3;
        experiments.tree_leaf_size = 1 + 5 * (i % 4);
        def.between_count = def.morph_kind == PLIANT_MORPH_REFERENCES ? i / BALL_DRIVES % 5 : 0;
        def.tree_weights = def.targets && i % 3 ? tree_weights : NULL;
        run_pair(f, &def);
    }
}

/* Fewer triangles than make a node: the box of the body is that of its only leaf. One corner moves
 * along z, by a weight or by a joint. */
static void test_single_triangles(void **state)
{
    Fixture *f = *state;
    const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, up[1][3] = {{0, 0, 2}};
    const uint32_t triangle[] = {0, 1, 2}, last[] = {2};
    const PliantTarget target = {{up[0], 1, 0}, last};
    const uint16_t names[3] = {0, 0, 1};
    const float ones[3] = {1, 1, 1};
    const PliantSkin skin = {sizeof(PliantSkin), 2, 1, names, ones};
    for (int i = 0; i < PLAIN_DRIVES * BOUNDS; i++) {
        PliantShapeDef def = pliant_shape_def_default();
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        def.vertices = (PliantVertices){corners[0], 3, 0};
        def.triangles = (PliantTriangles){triangle, 1};
        experiments.bound_kind = (PliantBoundKind)(i % BOUNDS);
        PliantBody rigid = create_own(f, &def);
        def.targets = &target;
        def.target_count = i / BOUNDS == BALL_BY_WEIGHTS;
        def.skin = i / BOUNDS == BALL_BY_JOINTS ? &skin : NULL;
        PliantBody body = create_own(f, &def);
        for (int step = -4; step <= 4; step++) {
            PliantTransform transform = pliant_transform_identity();
            PliantTransform joints[2] = {transform, transform};
            const float weight = 0.25f * (float)step;
            joints[1].rows[2][3] = 2 * weight;
            transform.rows[1][3] = 0.5f;
            transform.rows[2][3] = -weight; /* the middle of its edges stays at z = 0 */
            set_pose(f, body, &def, (Pose){&weight, joints});
            MUST(pliant_body_set_transform(f->world, body, &transform));
            assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 1);
            transform.rows[1][3] = 1.25f;
            MUST(pliant_body_set_transform(f->world, body, &transform));
            assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 0);
        }
        destroy_two(f, rigid, body);
    }
}

/* A body that follows one joint gives the pairs of the same body moved by its transform. */
static void test_rigid_is_moved(void **state)
{
    Fixture *f = *state;
    static uint16_t names[VERTICES];
    static float ones[VERTICES];
    static PliantContact kept[20000];
    SceneRandom random = {3};
    for (int v = 0; v < VERTICES; v++)
        ones[v] = 1;
    for (int round = 0; round < 12; round++) {
        PliantShapeDef def = def_of(f, BALL_BY_JOINTS, round % BOUNDS);
        PliantTransform moved;
        const PliantTransform identity = pliant_transform_identity();
        def.skin = &(PliantSkin){sizeof(PliantSkin), 1, 1, names, ones};
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        for (int i = 0; i < 12; i++)
            moved.rows[i / 4][i % 4] = (float)(i % 5 == 0) + (float)scene_random(&random) - 0.5f;
        MUST(pliant_body_set_transform(f->world, b, &moved));
        PliantContacts contacts = collide(f, PLIANT_ALL_PAIRS);
        int64_t count = contacts.count;
        assert_in_range(count, 1, 20000);
        memcpy(kept, contacts.items, (size_t)count * sizeof *kept);
        MUST(pliant_body_set_transform(f->world, b, &identity));
        MUST(pliant_body_set_joints(f->world, b, &moved, 1));
        contacts = collide(f, PLIANT_ALL_PAIRS);
        assert_int_equal(contacts.count, count);
        assert_memory_equal(contacts.items, kept, (size_t)count * sizeof *kept);
        destroy_two(f, a, b);
    }
}

/* Far from the origin, by joints or by the transform. */
static void test_far_away(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 4 * 3 * 2; i++) {
        static const float distances[] = {1e4f, 1e5f, 1e6f};
        PliantTransform joints[JOINTS];
        float far = distances[i / 4 % 3];
        PliantShapeDef def = def_of(f, BALL_BY_JOINTS, i % BOUNDS);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        ball_bend(0.5, joints);
        for (int j = 0; j < JOINTS; j++)
            joints[j].rows[0][3] += far;
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        bend(f, b, i / 12 ? 0.5 : -0.5);
        shift(f, b, far + 1.5f);
        assert_true(assert_right(f, a, b) > 0);
        destroy_two(f, a, b);
    }
}

/* ---- Never stale ------------------------------------------------------------------------------
 */

/* Driven, set and borrowed in turn, so that each step makes two bodies touch or part. */
static void test_switching(void **state)
{
    Fixture *f = *state;
    enum { REST, RIGHT, LEFT, FAR_LEFT, POSES }; /* where a body reaches out */
    static const float weights[POSES][TARGETS] = {{0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}};
    static const float moves[POSES] = {0, 0.5f, -0.5f, -0.75f};
    PliantTransform joints[POSES][JOINTS];
    Pose poses[POSES];
    PliantVertices vertices = {f->ball.positions[1][0], VERTICES, 0};
    for (int i = 0; i < POSES; i++) {
        poses[i] = (Pose){weights[i], joints[i]};
        ball_bend(0, joints[i]);
        for (int j = 0; j < JOINTS; j++)
            joints[i][j].rows[0][3] += moves[i];
    }
    for (int drive = 0; drive < PLAIN_DRIVES; drive++) {
        PliantShapeDef def = def_of(f, drive, 0);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        shift(f, b, 2.2f);
        assert_int_equal(assert_right(f, a, b), 0);
        for (int round = 0; round < 3; round++) {
            set_pose(f, a, &def, poses[RIGHT]);
            assert_true(assert_right(f, a, b) > 0);
            MUST(pliant_body_set_vertices(f->world, a, vertices));
            assert_true(assert_right(f, a, b) > 0);
            set_pose(f, a, &def, poses[LEFT]);
            assert_int_equal(assert_right(f, a, b), 0);
            MUST(pliant_body_borrow_vertices(f->world, a, vertices));
            assert_true(assert_right(f, a, b) > 0);
            set_pose(f, a, &def, poses[REST]);
            assert_int_equal(assert_right(f, a, b), 0);
            set_pose(f, b, &def, poses[round == 1 ? FAR_LEFT : LEFT]);
            assert_true(assert_right(f, a, b) > 0);
            set_pose(f, b, &def, poses[REST]);
            assert_int_equal(assert_right(f, a, b), 0);
        }
        destroy_two(f, a, b);
    }
}

/* Weights and joints hold together, in whatever order they are set; caller-supplied vertices hold
 * until one of them is set again, and then both do. */
static void test_weights_joints_and_supplied(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {0.25f, 0.5f, 0}, others[TARGETS] = {0, 0, 1};
    PliantTransform joints[JOINTS], turned[JOINTS];
    PliantVertices given = {f->ball.positions[1][0], VERTICES, 0};
    float got[VERTICES][3];
    ball_bend(1, joints);
    ball_bend(-0.5, turned);
    for (int i = 0; i < 2 * BOUNDS; i++) {
        PliantShapeDef def = def_of(f, BALL_BY_WEIGHTS_AND_JOINTS + i % 2, i / 2);
        PliantBody a = create_own(f, &def), b = create_own(f, &def), c = create_own(f, &def);
        MUST(pliant_body_destroy(f->world, c));
        MUST(pliant_body_set_weights(f->world, a, weights, TARGETS));
        assert_posed(f, a, &def, (Pose){weights, NULL});
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        assert_posed(f, a, &def, (Pose){weights, joints});
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_set_weights(f->world, a, others, TARGETS));
        assert_posed(f, a, &def, (Pose){others, joints});
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_set_vertices(f->world, a, given));
        MUST(test_body_vertices(f->world, a, got[0]));
        assert_memory_equal(got, f->ball.positions[1], sizeof got);
        assert_right(f, a, b);
        MUST(pliant_body_set_joints(f->world, a, turned, JOINTS));
        assert_posed(f, a, &def, (Pose){others, turned});
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_borrow_vertices(f->world, a, given));
        assert_right(f, a, b);
        MUST(pliant_body_set_weights(f->world, a, weights, TARGETS));
        assert_posed(f, a, &def, (Pose){weights, turned});
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_set_joints(f->world, b, joints, JOINTS)); /* without weights */
        assert_posed(f, b, &def, (Pose){NULL, joints});
        assert_right(f, a, b);
        destroy_two(f, a, b);
    }
}

/* The same pose as before vertices were given, which put each part of the ball on the other side:
 * the bounds of the one do not pass for those of the other. */
static void test_same_pose_again(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {0.25f, 0, 0};
    PliantTransform joints[JOINTS];
    float mirrored[VERTICES][3];
    ball_bend(0.1, joints);
    for (int i = 0; i < 3 * VERTICES; i++)
        mirrored[i / 3][i % 3] = -f->ball.mesh.vertices[i];
    for (int i = 0; i < PLAIN_DRIVES * BOUNDS; i++) {
        PliantShapeDef def = def_of(f, i / BOUNDS, i % BOUNDS);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        shift(f, b, 1.9f);
        for (int round = 0; round < 3; round++) {
            set_pose(f, a, &def, (Pose){weights, joints});
            assert_true(assert_right(f, a, b) > 0);
            MUST(pliant_body_set_vertices(f->world, a, (PliantVertices){mirrored[0], VERTICES, 0}));
            assert_true(assert_right(f, a, b) > 0);
        }
        destroy_two(f, a, b);
    }
}

/* One joint changes, frame by frame, and the transform in between. */
static void test_one_joint_changes(void **state)
{
    Fixture *f = *state;
    for (int bound = 0; bound < BOUNDS; bound++) {
        PliantShapeDef def = def_of(f, BALL_BY_JOINTS, bound);
        PliantTransform joints[JOINTS];
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        ball_bend(0.2, joints);
        bend(f, b, 0);
        shift(f, b, 1.9f);
        for (int frame = 0; frame < 20; frame++) {
            joints[frame % JOINTS].rows[frame % 3][3] += frame % 2 ? 0.25f : -0.5f;
            MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
            assert_posed(f, a, &def, (Pose){NULL, joints});
            assert_right(f, a, b);
            if (frame % 4 == 3)
                shift(f, b, 0.1f * (float)(frame % 19));
        }
        destroy_two(f, a, b);
    }
}

/* Borrowed vertices are not read any more once the body is posed. */
static void test_borrowed_is_given_back(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {0.5f, 0, 0};
    PliantTransform joints[JOINTS];
    ball_bend(0.1, joints);
    for (int drive = 0; drive < PLAIN_DRIVES; drive++) {
        PliantShapeDef def = def_of(f, drive, 0);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        float *borrowed = malloc(12 * VERTICES);
        memcpy(borrowed, f->ball.mesh.vertices, 12 * VERTICES);
        MUST(pliant_body_borrow_vertices(f->world, a, (PliantVertices){borrowed, VERTICES, 0}));
        shift(f, b, 1.5f);
        assert_true(assert_right(f, a, b) > 0);
        set_pose(f, a, &def, (Pose){weights, joints});
        free(borrowed);
        assert_true(assert_right(f, a, b) > 0);
        destroy_two(f, a, b);
    }
}

/* Weights and joints are copied; the same ones again change nothing, and nothing is computed
 * again. */
static void test_poses_are_copied(void **state)
{
    Fixture *f = *state;
    const float kept_weights[TARGETS] = {0.5f, 0.25f, 0};
    PliantTransform kept_joints[JOINTS];
    ball_bend(0.5, kept_joints);
    const Pose kept = {kept_weights, kept_joints};
    for (int drive = 0; drive < PLAIN_DRIVES; drive++) {
        PliantShapeDef def = def_of(f, drive, 0);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        float weights[TARGETS];
        PliantTransform joints[JOINTS];
        memcpy(weights, kept_weights, sizeof weights);
        memcpy(joints, kept_joints, sizeof joints);
        set_pose(f, a, &def, (Pose){weights, joints});
        weights[0] = 9;
        joints[0] = joints[4] = (PliantTransform){{{0}}};
        assert_posed(f, a, &def, kept);
        shift(f, b, 1.5f);
        int64_t count = assert_right(f, a, b);
        set_pose(f, a, &def, kept);
        assert_posed(f, a, &def, kept);
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, count);
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, count);
        assert_int_equal(stats_of(f, a).nodes_updated, 0);
        assert_int_equal(stats_of(f, b).nodes_updated, 0);
        destroy_two(f, a, b);
    }
}

/* ---- Memory -----------------------------------------------------------------------------------
 */

enum { CAST = BALL_DRIVES * BOUNDS };

static void play_frame(Fixture *f, const PliantShapeDef *defs, const PliantBody *bodies, int frame)
{
    for (int i = 0; i < CAST; i++) {
        const float w = 0.2f * (float)((frame + i) % 5),
                    weights[TARGETS] = {1 - w, w, 0.1f * (float)(frame % 2)};
        PliantTransform joints[JOINTS];
        ball_bend(0.3 * ((frame + i) % 5), joints);
        set_pose(f, bodies[i], &defs[i], (Pose){weights, joints});
        shift(f, bodies[i], 1.5f * (float)i);
    }
    collide(f, PLIANT_ALL_PAIRS);
    collide(f, PLIANT_FIRST_PAIRS);
    collide(f, PLIANT_ANY_PAIR);
}

static void test_warm_frames_allocate_nothing(void **state)
{
    Fixture *f = *state;
    PliantShapeDef defs[CAST];
    PliantBody bodies[CAST];
    for (int i = 0; i < CAST; i++) {
        defs[i] = def_of(f, i % BALL_DRIVES, i / BALL_DRIVES);
        defs[i].between_count = i % BALL_DRIVES == BALL_BY_REFERENCES;
        bodies[i] = create_own(f, &defs[i]);
    }
    for (int frame = 0; frame < 10; frame++)
        play_frame(f, defs, bodies, frame);
    int64_t calls = f->host.calls;
    for (int frame = 0; frame < 20; frame++)
        play_frame(f, defs, bodies, frame);
    assert_int_equal(f->host.calls, calls);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(f->world, &stats));
    assert_int_equal(stats.byte_size, f->host.bytes);
}

/* ---- Statistics: work only where bodies are close -----------------------------------------------
 */

static void test_nothing_is_evaluated_far_away(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {1, 0.5f, 0.5f};
    PliantTransform joints[JOINTS];
    ball_bend(0.5, joints);
    for (int i = 0; i < PLAIN_DRIVES * BOUNDS; i++) {
        PliantShapeDef def = def_of(f, i / BOUNDS, i % BOUNDS);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        set_pose(f, a, &def, (Pose){weights, joints});
        set_pose(f, b, &def, (Pose){weights, joints});
        shift(f, b, def.skin ? 8 : 5);
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 0);
        assert_int_equal(stats_of(f, a).vertices_evaluated, 0);
        assert_int_equal(stats_of(f, a).leaves_evaluated, 0);
        assert_int_equal(stats_of(f, a).vertices_read, 0);
        assert_int_equal(stats_of(f, b).vertices_evaluated, 0);
        destroy_two(f, a, b);
    }
}

/* Two large spheres that touch in one place: a small part of them is evaluated. Half of a larger
 * sphere, or two joints at rest. */
static void test_little_is_evaluated_for_one_contact(void **state)
{
    Fixture *f = *state;
    SceneMesh mesh = scene_icosphere(5);
    const size_t count = (size_t)mesh.vertex_count;
    float *larger = malloc(12 * count), *joint_weights = malloc(2 * count * sizeof(float));
    uint16_t *names = malloc(2 * count * sizeof *names);
    for (size_t i = 0; i < 3 * count; i++)
        larger[i] = 1.1f * mesh.vertices[i];
    for (size_t v = 0; v < count; v++) {
        names[2 * v] = 0;
        names[2 * v + 1] = 1;
        joint_weights[2 * v] = 0.5f * (mesh.vertices[3 * v] + 1);
        joint_weights[2 * v + 1] = 1 - joint_weights[2 * v];
    }
    const PliantTarget targets[] = {{{mesh.vertices, mesh.vertex_count, 0}, NULL},
                                    {{larger, mesh.vertex_count, 0}, NULL}};
    const PliantSkin skin = {sizeof(PliantSkin), 2, 2, names, joint_weights};
    const float weights[] = {0.5f, 0.5f};
    const PliantTransform joints[2] = {pliant_transform_identity(), pliant_transform_identity()};
    for (int i = 0; i < 2 * BOUNDS; i++) {
        const bool has_skin = i / BOUNDS;
        const int bound = i % BOUNDS;
        PliantShapeDef def = def_of(f, has_skin ? BALL_BY_JOINTS : BALL_BY_REFERENCES, bound);
        def.vertices = targets[0].vertices;
        def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
        def.targets = has_skin ? NULL : targets;
        def.target_count = has_skin ? 0 : 2;
        def.skin = has_skin ? &skin : NULL;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        set_pose(f, a, &def, (Pose){weights, joints});
        set_pose(f, b, &def, (Pose){weights, joints});
        shift(f, b, has_skin ? 1.999f : 2.099f);
        assert_true(collide(f, PLIANT_ALL_PAIRS).count > 0);
        size_t most = bound == PLIANT_BOUND_SPHERE ? count / 8 : count / 50; /* balls stand out */
        assert_in_range(stats_of(f, a).vertices_evaluated, 1, most);
        assert_in_range(stats_of(f, b).vertices_evaluated, 1, most);
        destroy_two(f, a, b);
    }
    free(larger);
    free(joint_weights);
    free(names);
    scene_mesh_free(&mesh);
}

/* The only weight that changes is of a bump on the other side: bounds on this side are kept. */
static void test_untouched_nodes_are_kept(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f, BALL_BY_WEIGHTS, 0);
    PliantBody a = create_own(f, &def), b = create_own(f, &def);
    shift(f, b, 1.95f);
    set_weights(f, a, 0.5f, 0, 0);
    set_weights(f, b, 0.5f, 0, 0);
    assert_true(assert_right(f, a, b) > 0);
    set_weights(f, a, 0.5f, 0, 0.5f);
    assert_true(collide(f, PLIANT_ALL_PAIRS).count > 0);
    assert_in_range(stats_of(f, a).nodes_updated, 0, 3); /* those above both sides */
    assert_int_equal(stats_of(f, b).nodes_updated, 0);
    set_weights(f, a, 0.5f, 0.5f, 0.5f); /* and on this side */
    assert_true(assert_right(f, a, b) > 0);
    collide(f, PLIANT_ALL_PAIRS);
    assert_int_equal(stats_of(f, a).nodes_updated, 0);
    set_weights(f, a, 0.5f, 0.25f, 0.5f);
    collide(f, PLIANT_ALL_PAIRS);
    assert_true(stats_of(f, a).nodes_updated > 0);
}

/* One shape, many bodies, each in a pose of its own. */
static void test_bodies_share_a_shape(void **state)
{
    Fixture *f = *state;
    for (int drive = BALL_BY_JOINTS; drive <= BALL_BY_REFERENCES; drive++) {
        PliantShapeDef def = def_of(f, drive, 0);
        def.between_count = def.skin ? 0 : 2;
        PliantShape *shape = NULL;
        PliantBody bodies[6];
        float weights[6][TARGETS] = {{0}};
        PliantTransform joints[6][JOINTS];
        MUST(pliant_shape_create(&def, &shape));
        for (int i = 0; i < 6; i++) {
            weights[i][i % 3] = 0.75f;
            weights[i][(i + 1) % 3] = 0.25f;
            ball_bend(0.2 * i, joints[i]);
            MUST(pliant_body_create(f->world, shape, &bodies[i]));
            set_pose(f, bodies[i], &def, (Pose){weights[i], joints[i]});
        }
        pliant_shape_release(shape);
        for (int i = 0; i < 6; i++) {
            assert_posed(f, bodies[i], &def, (Pose){weights[i], joints[i]});
            shift(f, bodies[i], def.skin ? 0 : 0.3f * (float)i);
        }
        assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, 15);
        for (int i = 0; i < 6; i++)
            MUST(pliant_body_destroy(f->world, bodies[i]));
    }
}

/* Weights that were set before a reset are forgotten by a body that follows joints after it. */
static void test_reset_forgets_weights(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {1, -0.7f, 0.6f};
    PliantTransform joints[JOINTS];
    ball_bend(0.8, joints);
    for (int drive = BALL_BY_WEIGHTS_AND_JOINTS; drive < BALL_DRIVES; drive++) {
        PliantShapeDef def = def_of(f, drive, 0);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        set_pose(f, a, &def, (Pose){weights, joints});
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_reset_pose(f->world, a));
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        assert_posed(f, a, &def, (Pose){NULL, joints});
        assert_true(assert_right(f, a, b) > 0);
        destroy_two(f, a, b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
        TEST(mistakes),
        TEST(overflow_of_weights),
        TEST(overflow_of_joints),
        TEST(odd_numbers_at_rest),
        TEST(bounds_and_trees),
        TEST(single_triangles),
        TEST(rigid_is_moved),
        TEST(far_away),
        TEST(switching),
        TEST(weights_joints_and_supplied),
        TEST(same_pose_again),
        TEST(one_joint_changes),
        TEST(borrowed_is_given_back),
        TEST(poses_are_copied),
        TEST(warm_frames_allocate_nothing),
        TEST(nothing_is_evaluated_far_away),
        TEST(little_is_evaluated_for_one_contact),
        TEST(untouched_nodes_are_kept),
        TEST(bodies_share_a_shape),
        TEST(reset_forgets_weights),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
