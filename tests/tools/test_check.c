/* What a check finds in scenes that were made by hand, whose answers are known. */
#include "check/check.h"
#include "check/coincide.h"
#include "check/cut.h"
#include "check/estimate.h"
#include "handmade.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const float NOWHERE[3] = {0, 0, 0};

/* A cube of side 1, and a bar that goes into its face at x = 1: from a distance of 1 to 0.2 deep,
 * in steps of 0.1. It is as deep as 0.1 a at the frames 11 and 12, and touches at 10. */
static Scene *cube_and_bar(void)
{
    Scene *scene = handmade_scene();
    const int32_t node = handmade_node(scene, -1, 1, 0, 0);
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    handmade_box(scene, "bar", node, (const float[]){1, 0.25F, 0.25F},
                 (const float[]){2, 0.75F, 0.75F});
    const int32_t clip = handmade_clip(scene, "Push", 1.2, 10);
    handmade_move(scene, clip, node, (const float[]){1, 0, 0}, (const float[]){-0.2F, 0, 0});
    return scene;
}

static Report run(const Scene *scene, const CheckOptions *options, CheckContacts *expected)
{
    Report report;
    char error[400] = "";
    if (!check_run(scene, "by hand", options, &report, expected, error))
        fail_msg("%s", error);
    return report;
}

static void expect_failure(const Scene *scene, const CheckOptions *options, const char *said)
{
    Report report;
    char error[400] = "";
    assert_false(check_run(scene, "by hand", options, &report, NULL, error));
    if (!strstr(error, said))
        fail_msg("\"%s\" says nothing of \"%s\"", error, said);
    assert_int_equal(report.part_count, 0);
}

static const ReportPair *pair_of(const Report *report, const char *a, const char *b)
{
    for (int32_t i = 0; i < report->pair_count; i++)
        if (strcmp(report->parts[report->pairs[i].a].name, a) == 0 &&
            strcmp(report->parts[report->pairs[i].b].name, b) == 0)
            return &report->pairs[i];
    fail_msg("there is no pair %s:%s", a, b);
    return NULL;
}

static void assert_same_faces(const int32_t *a, int64_t a_count, const int32_t *b, int64_t b_count)
{
    assert_int_equal(a_count, b_count);
    if (a_count > 0)
        assert_memory_equal(a, b, (size_t)a_count * sizeof *a);
}

/* All that was found is the same, to the bit. */
static void assert_same(const Report *a, const Report *b)
{
    assert_int_equal(a->pair_count, b->pair_count);
    assert_int_equal(a->sample_count, b->sample_count);
    for (int32_t i = 0; i < a->pair_count; i++) {
        const ReportPair *x = &a->pairs[i], *y = &b->pairs[i];
        assert_int_equal(x->row_count, y->row_count);
        for (int64_t r = 0; r < x->row_count; r++) {
            assert_int_equal(x->rows[r].sample, y->rows[r].sample);
            assert_int_equal(x->rows[r].pairs, y->rows[r].pairs);
            assert_int_equal(x->rows[r].new_pairs, y->rows[r].new_pairs);
            assert_memory_equal(&x->rows[r].depth, &y->rows[r].depth, sizeof(double));
            assert_memory_equal(&x->rows[r].volume, &y->rows[r].volume, sizeof(double));
        }
        assert_same_faces(x->a_faces, x->a_face_count, y->a_faces, y->a_face_count);
        assert_same_faces(x->b_faces, x->b_face_count, y->b_faces, y->b_face_count);
    }
}

/* ---- Two triangles --------------------------------------------------------------------------- */

static const float FLOOR[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};

static void an_edge_goes_through_a_triangle(void **state)
{
    (void)state;
    const float thorn[9] = {1, 1, -0.25F, 1, 1, 3, 1.5F, 1, 3};
    const float standing[9] = {1, 1, 0, 1, 1, 3, 1.5F, 1, 3};
    const float crossing_at_a_point[9] = {2, -1, 0, 2, 3, 0, 2, 1, 4};
    assert_true(triangle_goes_through(FLOOR, thorn) && triangle_goes_through(thorn, FLOOR));
    assert_false(triangle_goes_through(FLOOR, standing));
    assert_false(triangle_goes_through(FLOOR, crossing_at_a_point));
    assert_false(triangle_goes_through(FLOOR, FLOOR));
}

static void triangles_coincide_where_they_face_the_same_way(void **state)
{
    (void)state;
    const float turned[9] = {0, 0, 0, 0, 4, 0, 4, 0, 0}, beside[9] = {4, 0, 0, 4, 4, 0, 0, 4, 0};
    const float inner[9] = {1, 1, 0, 1.5F, 1, 0, 1, 1.5F, 0};
    const float above[9] = {0, 0, 1e-6F, 4, 0, 0, 0, 4, 0};
    assert_true(triangles_coincide(FLOOR, FLOOR));
    assert_true(triangles_coincide(FLOOR, inner) && triangles_coincide(inner, FLOOR));
    assert_false(triangles_coincide(FLOOR, turned));
    assert_false(triangles_coincide(FLOOR, beside));
    assert_false(triangles_coincide(FLOOR, above));
}

/* ---- Verdicts -------------------------------------------------------------------------------- */

/* A box on top of, beside, in or around the unit cube, and what is said of the two. */
static void each_verdict_is_given(void **state)
{
    (void)state;
    static const struct {
        float low[3], high[3];
        Verdict verdict;
        double depth;
    } cases[] = {
        {{2, 2, 2}, {3, 3, 3}, VERDICT_CLEAN, 0},
        {{0.25F, 0.25F, 1}, {2, 2, 2}, VERDICT_TOUCHING, 0},
        {{1, 1, 1}, {2, 2, 2}, VERDICT_TOUCHING, 0},
        {{0, 0, 0}, {1, 1, 1}, VERDICT_COINCIDENT, 0},
        {{0.25F, 0.25F, 0.25F}, {0.75F, 0.5F, 0.5F}, VERDICT_CONTAINED, 0.25},
        {{-1, -1, -1}, {2, 2, 2}, VERDICT_CONTAINED, 1},
        {{0.75F, 0.125F, 0.25F}, {1.75F, 1.125F, 1.25F}, VERDICT_PENETRATING, 0.25},
        {{0.75F, 0, 0}, {1.75F, 1, 1}, VERDICT_PENETRATING, 0.25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Scene *scene = handmade_scene();
        handmade_box(scene, "a", -1, NOWHERE, (const float[]){1, 1, 1});
        handmade_box(scene, "b", -1, cases[i].low, cases[i].high);
        CheckOptions options = check_options_default();
        Report report = run(scene, &options, NULL);
        const Summary summary = pair_summary(&report, pair_of(&report, "a", "b"));
        assert_string_equal(verdict_word(summary.verdict), verdict_word(cases[i].verdict));
        assert_true(fabs(summary.max_depth - cases[i].depth) <= 0.01 * cases[i].depth + 1e-6);
        assert_int_equal(summary.is_finding, cases[i].verdict > VERDICT_TOUCHING);
        report_free(&report);
        scene_free(scene);
    }
}

/* An open box around nothing but its own walls: what goes through it is not inside of a solid. */
static void what_is_open_is_intersected(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    handmade_box(scene, "a", -1, NOWHERE, (const float[]){1, 1, 1});
    handmade_box(scene, "b", -1, (const float[]){0.75F, 0.25F, 0.25F},
                 (const float[]){2, 0.75F, 0.75F});
    scene->parts[0].triangle_count--;
    scene->parts[1].triangle_count--;
    CheckOptions options = check_options_default();
    Report report = run(scene, &options, NULL);
    const Summary summary = pair_summary(&report, pair_of(&report, "a", "b"));
    assert_int_equal(summary.verdict, VERDICT_INTERSECTING);
    assert_true(summary.is_finding);
    report_free(&report);
    scene_free(scene);
}

static void clearance_is_told_where_it_is_least(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar();
    CheckOptions options = check_options_default();
    options.max_clearance = 0.25;
    options.last = 8;
    Report report = run(scene, &options, NULL);
    const ReportPair *pair = pair_of(&report, "cube", "bar");
    assert_int_equal(pair->row_count, 0);
    assert_true(fabs(pair->clearance - 0.2) < 1e-6);
    assert_int_equal(pair->clearance_sample, 9);
    report_free(&report);
    options.last = -1; /* where it touches in the end, there is none */
    report = run(scene, &options, NULL);
    assert_true(pair_of(&report, "cube", "bar")->clearance == -1);
    report_free(&report);
    scene_free(scene);
}

/* Two boxes on one node that moves are rigid: one row. What is excluded, or an alternative, has
 * none.
 */
static void pairs_are_checked_as_often_as_needed(void **state)
{
    (void)state;
    const char *const lists[] = {"early,lat?"};
    const CheckAllow excludes[] = {{"ea*", "late"}, {"nobody", NULL}};
    Scene *scene = handmade_scene();
    const int32_t node = handmade_node(scene, -1, 0, 0, 0);
    const int32_t child = handmade_node(scene, node, 0, 0, 0);
    handmade_box(scene, "early", node, NOWHERE, (const float[]){1, 1, 1});
    handmade_box(scene, "late", child, (const float[]){0.75F, 0.25F, 0.25F},
                 (const float[]){2, 0.75F, 0.75F});
    handmade_move(scene, handmade_clip(scene, "Go", 1, 10), node, NOWHERE,
                  (const float[]){1, 2, 3});
    CheckOptions options = check_options_default();
    Report report = run(scene, &options, NULL);
    assert_int_equal(pair_of(&report, "early", "late")->kind, PAIR_RIGID);
    assert_int_equal(pair_of(&report, "early", "late")->row_count, 1);
    assert_int_equal(pair_of(&report, "early", "early")->kind, PAIR_UNDEFORMED);
    assert_int_equal(report_findings(&report), 1);
    report_free(&report);
    options.excludes = excludes;
    options.exclude_count = 2;
    report = run(scene, &options, NULL);
    assert_int_equal(pair_of(&report, "early", "late")->kind, PAIR_EXCLUDED);
    assert_int_equal(pair_of(&report, "early", "late")->row_count, 0);
    report_free(&report);
    options.exclude_count = 0;
    options.alternatives = lists;
    options.alternative_count = 1;
    options.self = CHECK_SELF_ALL;
    report = run(scene, &options, NULL);
    assert_int_equal(pair_of(&report, "early", "late")->kind, PAIR_ALTERNATIVE);
    assert_int_equal(pair_of(&report, "early", "early")->kind, PAIR_RIGID);
    assert_int_equal(report.parts[1].list, 1);
    report_free(&report);
    scene_free(scene);
}

/* Some programs write a scale that is off by a rounding: that is rigid. A real one is not. */
static void a_rounded_scale_is_none(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Scene *scene = handmade_scene();
        const int32_t node = handmade_node(scene, -1, 0, 0, 0);
        const float from[] = {1, 1, 1}, to[] = {1, k == 0 ? 1.000003F : 1.0001F, 1};
        handmade_box(scene, "a", node, NOWHERE, from);
        handmade_box(scene, "b", node, NOWHERE, from);
        const int32_t clip = handmade_clip(scene, "Go", 1, 10);
        handmade_move(scene, clip, node, from, to);
        scene->clips[clip].tracks[0].path = SCENE_SCALE;
        CheckOptions options = check_options_default();
        Report report = run(scene, &options, NULL);
        assert_int_equal(pair_of(&report, "a", "b")->kind, k == 0 ? PAIR_RIGID : PAIR_CHECKED);
        report_free(&report);
        scene_free(scene);
    }
}

/* A tube whose upper half is moved by an arm; a hand below it, which moves nothing, holds two
 * boxes; two more are on the arm itself, and two on a node that nothing moves. */
static void slots_of_a_character_hold(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    const int32_t root = handmade_node(scene, -1, 0, 0, 0);
    const int32_t arm = handmade_node(scene, root, 0, 0, 0);
    const int32_t hand = handmade_node(scene, arm, 0, 1, 0);
    const int32_t table = handmade_node(scene, -1, 3, 0, 0);
    const int32_t holders[] = {hand, hand, arm, arm, table, table, root};
    int32_t boxes[7];
    for (int i = 0; i < 7; i++)
        boxes[i] = handmade_box(scene, "box", handmade_node(scene, holders[i], 0, 0, 0), NOWHERE,
                                (const float[]){1, 1, 1});
    assert_int_equal(check_slot(scene, boxes[0], boxes[1]), -1); /* of no character */
    handmade_tube(scene, "skin", root, arm, 0.25F, 8, 8);
    assert_int_equal(check_slot(scene, boxes[0], boxes[1]), hand);
    assert_int_equal(check_slot(scene, boxes[1], boxes[0]), hand);
    assert_int_equal(check_slot(scene, boxes[0], boxes[2]), -1); /* of two nodes */
    assert_int_equal(check_slot(scene, boxes[2], boxes[3]), -1); /* the arm moves skin */
    assert_int_equal(check_slot(scene, boxes[4], boxes[5]), -1);
    assert_int_equal(check_slot(scene, boxes[0], boxes[6]), -1);
    scene_free(scene);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void a_bar_goes_into_a_cube(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar();
    CheckOptions options = check_options_default();
    options.depth = CHECK_DEPTH_ALL;
    Report report = run(scene, &options, NULL);
    assert_int_equal(report.run_count, 2);
    assert_string_equal(report.runs[0].name, "rest");
    assert_string_equal(report.runs[1].name, "Push");
    assert_int_equal(report.runs[1].first_sample, 1);
    assert_int_equal(report.runs[1].frame_count, 13);
    assert_int_equal(report.sample_count, 14);
    assert_int_equal(report.pair_count, 3);
    assert_true(report.parts[0].is_closed && report.parts[1].is_closed);
    const ReportPair *pair = pair_of(&report, "cube", "bar");
    const ReportRow *last = &pair->rows[pair->row_count - 1];
    assert_int_equal(last->sample, 13);
    assert_true(fabs(last->depth - 0.2) < 0.002);
    assert_true(fabs(pair->rows[pair->row_count - 2].depth - 0.1) < 0.001);
    assert_int_equal(last->new_pairs, last->pairs);
    assert_int_equal(pair_of(&report, "cube", "cube")->row_count, 0);
    report_free(&report);
    scene_free(scene);
}

/* The volume is that of the bar inside the cube, where the pair is worst; in the end the bar is far
 * away. */
static void volumes_are_measured_at_the_worst_sample(void **state)
{
    (void)state;
    const float far[3] = {9, 0, 0};
    Scene *scene = cube_and_bar();
    handmade_move(scene, handmade_clip(scene, "Away", 0.1, 10), 0, far, far);
    CheckOptions options = check_options_default();
    Report report = run(scene, &options, NULL);
    const ReportPair *pair = pair_of(&report, "cube", "bar");
    const int64_t worst = pair_summary(&report, pair).worst;
    for (int64_t r = 0; r < pair->row_count; r++) {
        const ReportRow *row = &pair->rows[r];
        if (row->sample != worst)
            assert_true(row->volume == -1);
        else
            assert_true(fabs(row->volume - 0.25 * row->depth) <= row->volume_error + 0.001);
    }
    report_free(&report);
    options.has_volume = false;
    report = run(scene, &options, NULL);
    assert_true(pair_summary(&report, pair_of(&report, "cube", "bar")).volume == -1);
    report_free(&report);
    scene_free(scene);
}

static void touching_boxes_are_touching(void **state)
{
    (void)state;
    const float lows[] = {1, nextafterf(1, 0)};
    for (int i = 0; i < 2; i++) {
        Scene *scene = handmade_scene();
        handmade_box(scene, "a", -1, NOWHERE, (const float[]){1, 1, 1});
        handmade_box(scene, "b", -1, (const float[]){lows[i], 0.25F, 0.25F},
                     (const float[]){2, 0.75F, 0.75F});
        CheckOptions options = check_options_default();
        Report report = run(scene, &options, NULL);
        assert_int_equal(report.sample_count, 1);
        const ReportPair *pair = pair_of(&report, "a", "b");
        assert_int_equal(pair->row_count, 1);
        assert_true(pair->rows[0].max_depth >= (i == 0 ? 0 : 1 - (double)lows[1]));
        assert_true(pair->rows[0].depth == 0);
        assert_int_equal(pair->rows[0].goes_through, i == 1);
        report_free(&report);
        scene_free(scene);
    }
}

static void frames_and_rates_are_chosen(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar();
    const char *clips[] = {"P*"};
    CheckOptions options = check_options_default();
    options.clips = clips;
    options.clip_glob_count = 1;
    options.first = 2;
    options.last = 11;
    options.step = 3;
    Report report = run(scene, &options, NULL);
    assert_int_equal(report.run_count, 1);
    assert_int_equal(report.runs[0].first_frame, 2);
    assert_int_equal(report.runs[0].frame_count, 4); /* 2 5 8 11 */
    const ReportPair *pair = pair_of(&report, "cube", "bar");
    assert_int_equal(pair->row_count, 1);
    assert_int_equal(pair->rows[0].sample, 3);
    report_free(&report);
    options.first = 100;
    expect_failure(scene, &options, "P*");
    options = check_options_default();
    options.rate = 5;
    report = run(scene, &options, NULL);
    assert_int_equal(report.runs[1].frame_count, 7);
    report_free(&report);
    scene_free(scene);
}

static void parts_are_chosen_and_pairs_allowed(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar();
    const char *parts[] = {"c?be"};
    const CheckAllow allows[] = {{"b[a-c]r", "cu*"}};
    CheckOptions options = check_options_default();
    options.allows = allows;
    options.allow_count = 1;
    Report report = run(scene, &options, NULL);
    assert_true(pair_of(&report, "cube", "bar")->is_allowed);
    assert_false(pair_of(&report, "cube", "cube")->is_allowed);
    assert_true(pair_of(&report, "cube", "bar")->row_count > 0);
    report_free(&report);
    options.self = CHECK_SELF_NONE;
    report = run(scene, &options, NULL);
    assert_int_equal(report.pair_count, 1);
    report_free(&report);
    options.parts = parts;
    options.part_glob_count = 1;
    report = run(scene, &options, NULL);
    assert_int_equal(report.part_count, 1);
    assert_int_equal(report.pair_count, 0);
    report_free(&report);
    parts[0] = "nobody";
    expect_failure(scene, &options, "nobody");
    scene_free(scene);
}

static void globs(void **state)
{
    (void)state;
    assert_true(glob_matches("*", ""));
    assert_true(glob_matches("a*b*c", "a--b-b--c"));
    assert_false(glob_matches("a*b*c", "a--b-b--cd"));
    assert_true(glob_matches("[!a-c]x", "dx"));
    assert_false(glob_matches("[!a-c]x", "bx"));
    assert_true(glob_matches("[]]", "]"));
    assert_true(glob_matches("[a", "[a"));
    assert_false(glob_matches("", "a"));
    assert_false(glob_matches("?", ""));
    assert_true(glob_matches("*/Skin?", "body/Skin1"));
    assert_false(glob_matches("skin", "Skin"));
}

/* ---- Morphs ---------------------------------------------------------------------------------- */

/* A cube, and a bar beside it that one target takes into it and another up and away. */
static Scene *morphing_bar(void)
{
    Scene *scene = handmade_scene();
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    const int32_t bar = handmade_box(scene, "bar", -1, (const float[]){1.5F, 0.25F, 0.25F},
                                     (const float[]){2, 0.75F, 0.75F});
    handmade_target(scene, bar, "in", -1, 0, 0);
    handmade_target(scene, bar, "up", 0, 4, 0);
    return scene;
}

static void morphs_are_swept_and_held(void **state)
{
    (void)state;
    Scene *scene = morphing_bar();
    CheckMorph morphs[] = {{"in", 0, 1, 5}, {"up", 0, 1, 2}};
    CheckOptions options = check_options_default();
    options.morphs = morphs;
    options.morph_count = 2;
    Report report = run(scene, &options, NULL);
    assert_int_equal(report.run_count, 10);
    assert_string_equal(report.runs[0].name, "rest in=0 up=0");
    assert_string_equal(report.runs[3].name, "rest in=0.25 up=1");
    const ReportPair *pair = pair_of(&report, "cube", "bar");
    assert_int_equal(pair->row_count, 3); /* at 0.5 it touches; all that are up are away */
    assert_int_equal(pair->rows[0].sample, 4);
    assert_true(pair->rows[0].depth == 0);
    assert_true(fabs(pair->rows[1].depth - 0.25) < 0.0025);
    report_free(&report);
    morphs[1] = (CheckMorph){"up", 1, 1, 1};
    report = run(scene, &options, NULL);
    assert_int_equal(report.run_count, 5);
    assert_string_equal(report.runs[4].name, "rest in=1");
    assert_int_equal(pair_of(&report, "cube", "bar")->row_count, 0);
    report_free(&report);
    morphs[1].target = "in";
    expect_failure(scene, &options, "twice");
    morphs[1].target = "sideways";
    expect_failure(scene, &options, "sideways");
    scene_free(scene);
}

/* ---- Baselines ------------------------------------------------------------------------------- */

/* A cube and two bars: one that is in a face of it at rest already, and
 * one that comes to another face. */
static Scene *pierced(void)
{
    Scene *scene = handmade_scene();
    const int32_t all = handmade_node(scene, -1, 0, 0, 0), late = handmade_node(scene, -1, 0, 5, 0);
    handmade_box(scene, "cube", all, NOWHERE, (const float[]){1, 1, 1});
    handmade_box(scene, "early", -1, (const float[]){0.875F, 0.25F, 0.25F},
                 (const float[]){2, 0.75F, 0.75F});
    handmade_box(scene, "late", late, (const float[]){-1, 0.25F, 0.25F},
                 (const float[]){0.25F, 0.75F, 0.75F});
    const int32_t clip = handmade_clip(scene, "Come", 1, 2);
    handmade_move(scene, clip, all, NOWHERE, (const float[]){0.125F, 0, 0});
    handmade_move(scene, clip, late, (const float[]){0, 5, 0}, NOWHERE);
    return scene;
}

static void what_is_there_at_rest_is_not_new(void **state)
{
    (void)state;
    Scene *scene = pierced();
    CheckOptions options = check_options_default();
    options.is_baseline_rest = true;
    Report report = run(scene, &options, NULL);
    assert_string_equal(report.baseline, "rest");
    const ReportPair *early = pair_of(&report, "cube", "early");
    assert_int_equal(early->row_count, report.sample_count);
    for (int64_t r = 0; r < early->row_count; r++) {
        assert_true(early->rows[r].pairs > 0);
        assert_int_equal(early->rows[r].new_pairs, 0);
        assert_true(early->rows[r].depth == 0);
    }
    const ReportPair *late = pair_of(&report, "cube", "late");
    assert_int_equal(late->row_count, 1);
    assert_int_equal(late->rows[0].new_pairs, late->rows[0].pairs);
    report_free(&report);
    scene_free(scene);
}

/* A cube, and a box of such a height that is 0.125 deep in one face of it and rises. */
static Scene *rising(const char *name, float high, const float to[3])
{
    Scene *scene = handmade_scene();
    const int32_t node = handmade_node(scene, -1, 0, 0, 0);
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    handmade_box(scene, name, node, (const float[]){0.875F, 0.25F, 0.25F},
                 (const float[]){2, 0.75F, high});
    handmade_move(scene, handmade_clip(scene, "Rise", 1, 1), node, NOWHERE, to);
    return scene;
}

/* A bar that is in one face of a cube goes up, and its sides, which are known, come into another
 * face, which is not. */
static void both_triangles_of_a_known_pair_are(void **state)
{
    (void)state;
    Scene *scene = rising("bar", 0.75F, (const float[]){0, 0.5F, 0});
    CheckOptions options = check_options_default();
    options.is_baseline_rest = options.keeps_contacts = true;
    CheckContacts expected;
    Report report = run(scene, &options, &expected);
    const ReportPair *pair = pair_of(&report, "cube", "bar");
    assert_int_equal(pair->row_count, 3);
    assert_int_equal(pair->rows[1].new_pairs, 0);
    assert_true(pair->rows[2].new_pairs > 0 && pair->rows[2].new_pairs < pair->rows[2].pairs);
    bool has_side = false;
    for (int64_t i = 1; i < expected.triangle_count; i += 2)
        has_side |= expected.triangles[i] < 8; /* no end of the bar */
    assert_true(has_side);
    check_contacts_free(&expected);
    report_free(&report);
    scene_free(scene);
}

/* A plate that is 0.125 deep in one face of a cube goes up through another face: as deep as it was,
 * and by 0.25 deeper. A stored report of the rest pose says the same. */
static void depth_is_what_is_added(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const bool is_deeper = k % 2, is_stored = k / 2;
        Scene *scene = rising("plate", 0.4375F, (const float[]){is_deeper ? -0.25F : 0, 0.375F, 0});
        const char *clips[] = {"rest"};
        CheckOptions options = check_options_default();
        options.clips = clips;
        options.clip_glob_count = 1;
        Report rest = run(scene, &options, NULL);
        clips[0] = "Rise";
        options.is_baseline_rest = !is_stored;
        options.baseline = is_stored ? &rest : NULL;
        Report report = run(scene, &options, NULL);
        const ReportPair *pair = pair_of(&report, "cube", "plate");
        const Summary summary = pair_summary(&report, pair);
        const ReportRow *row = &pair->rows[pair->row_count - 1];
        assert_true(row->new_pairs > 0 && row->is_measured && row->region_count == 1);
        assert_true(fabs(row->regions[0].known_depth - 0.125) < 0.002);
        assert_true(fabs(row->depth - 0.25 * is_deeper) < 0.004);
        assert_true(fabs(row->max_depth - 0.125 - 0.25 * is_deeper) < 0.004);
        assert_int_equal(summary.is_finding, is_deeper);
        assert_int_equal(summary.verdict, is_deeper ? VERDICT_PENETRATING : VERDICT_CLEAN);
        report_free(&report);
        report_free(&rest);
        scene_free(scene);
    }
}

/* Two sheets that are one part: one is in an open cube at rest, through a wall that is one
 * triangle, and the other beside it, before the opening. Then both are: of the second all depth is
 * new. */
static void a_sheet_beside_a_deep_one_was_not_deep(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    const int32_t node = handmade_node(scene, -1, 0, 0, 0);
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    scene->parts[0].triangle_count = 10;
    handmade_box(scene, "sheets", node, (const float[]){0.9F, 0.5F, 0.1F},
                 (const float[]){1.1F, 1.5F, 0.4F});
    uint32_t *triangles = scene->parts[1].triangles;
    memmove(triangles, triangles + 3 * 8, 3 * 4 * sizeof *triangles);
    scene->parts[1].triangle_count = 4;
    const int32_t clip = handmade_clip(scene, "Into", 1, 1);
    handmade_move(scene, clip, node, NOWHERE, (const float[]){-0.3F, 0, 0});
    CheckOptions options = check_options_default();
    options.is_baseline_rest = true;
    Report report = run(scene, &options, NULL);
    const ReportPair *pair = pair_of(&report, "cube", "sheets");
    const ReportRow *row = &pair->rows[pair->row_count - 1];
    assert_true(row->is_measured && row->region_count == 1);
    assert_true(fabs(row->depth - 0.4) < 0.01);
    report_free(&report);
    scene_free(scene);
}

/* A tube around an edge of a large triangle, which slits it along one side, and then, mirrored,
 * along the other: nothing is divided, and the triangle was touched before. */
static void a_cut_of_a_known_triangle_is_new(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    const int32_t node = handmade_node(scene, -1, 0, 0, 0);
    handmade_box(scene, "sheet", -1, (const float[]){0, -4, 0.0125F}, (const float[]){8, 4, 1});
    scene->parts[0].triangle_count = 1;
    handmade_tube(scene, "tube", node, node, 0.25F, 9, 24);
    const int32_t clip = handmade_clip(scene, "Turn", 1, 1);
    handmade_move(scene, clip, node, (const float[]){1, 1, 1}, (const float[]){-1, 1, 1});
    scene->clips[clip].tracks[0].path = SCENE_SCALE;
    CheckOptions options = check_options_default();
    options.is_baseline_rest = true;
    Report report = run(scene, &options, NULL);
    const ReportPair *pair = pair_of(&report, "sheet", "tube");
    const ReportRow *row = &pair->rows[pair->row_count - 1];
    assert_true(row->new_pairs > 0 && row->goes_through && row->is_measured);
    assert_true(row->depth == 0 && row->cut > 0.9 && row->cut < 1.1);
    assert_true(pair_summary(&report, pair).is_finding);
    report_free(&report);
    scene_free(scene);
}

/* A sheet that touches a wall of a cube from inside goes along it to another wall, and off the
 * first one by less than distances are exact to: it is as deep as it was. */
static void what_is_as_deep_as_it_was_is_known(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    const int32_t node = handmade_node(scene, -1, 0, 0, 0);
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    handmade_box(scene, "sheet", node, (const float[]){0.5F, 0.25F, 0.25F},
                 (const float[]){1, 0.75F, 0.75F});
    scene->parts[1].triangle_count = 2;
    const int32_t clip = handmade_clip(scene, "Along", 1, 1);
    handmade_move(scene, clip, node, NOWHERE, (const float[]){-1e-7F, 0.25F, 0});
    CheckOptions options = check_options_default();
    options.is_baseline_rest = true;
    Report report = run(scene, &options, NULL);
    const ReportPair *pair = pair_of(&report, "cube", "sheet");
    const ReportRow *row = &pair->rows[pair->row_count - 1];
    assert_true(row->new_pairs > 0 && row->is_measured && row->depth == 0);
    assert_int_equal(row->region_count, 1);
    assert_true(fabs(row->regions[0].known_depth - 0.25) < 0.001);
    assert_int_equal(pair_summary(&report, pair).verdict, VERDICT_CLEAN);
    report_free(&report);
    scene_free(scene);
}

/* In the stored report parts have another order, and one of them another name. */
static void a_stored_report_is_a_baseline(void **state)
{
    (void)state;
    Scene *scene = pierced(), *other = pierced();
    const ScenePart first = other->parts[0];
    other->parts[0] = other->parts[1];
    other->parts[1] = first;
    free(other->parts[2].name);
    other->parts[2].name = strdup("somebody");
    CheckOptions options = check_options_default();
    Report baseline = run(other, &options, NULL);
    options.baseline = &baseline;
    options.baseline_name = "last.json";
    Report report = run(scene, &options, NULL);
    assert_string_equal(report.baseline, "last.json");
    const ReportPair *early = pair_of(&report, "cube", "early");
    for (int64_t r = 0; r < early->row_count; r++)
        assert_int_equal(early->rows[r].new_pairs, 0);
    assert_true(pair_of(&report, "cube", "late")->rows[0].new_pairs > 0);
    report_free(&report);
    baseline.parts[0].triangle_count++;
    expect_failure(scene, &options, "early");
    baseline.parts[0].triangle_count--;
    report_free(&baseline);
    scene_free(other);
    scene_free(scene);
}

/* A box around another becomes small, and is then inside of it: a stored report knows both. */
static void each_way_to_be_contained_is_known(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    const int32_t node = handmade_node(scene, -1, 0, 0, 0);
    handmade_box(scene, "a", -1, (const float[]){-1, -1, -1}, (const float[]){1, 1, 1});
    handmade_box(scene, "b", node, (const float[]){-1, -1, -1}, (const float[]){1, 1, 1});
    const int32_t clip = handmade_clip(scene, "Shrink", 1, 1);
    handmade_move(scene, clip, node, (const float[]){2, 2, 2}, (const float[]){0.5F, 0.5F, 0.5F});
    scene->clips[clip].tracks[0].path = SCENE_SCALE;
    const char *clips[] = {"Shrink"};
    CheckOptions options = check_options_default();
    options.clips = clips;
    options.clip_glob_count = 1;
    Report baseline = run(scene, &options, NULL);
    assert_int_equal(pair_of(&baseline, "a", "b")->rows[0].contained, CONTAINED_A);
    assert_int_equal(pair_of(&baseline, "a", "b")->rows[1].contained, CONTAINED_B);
    options.baseline = &baseline;
    Report report = run(scene, &options, NULL);
    assert_int_equal(pair_of(&report, "a", "b")->row_count, 0);
    report_free(&report);
    report_free(&baseline);
    scene_free(scene);
}

/* ---- Contacts, shards, eager bodies
 * --------------------------------------------------------------
 */

/* Two tubes, one of which folds so far that it goes through itself, and a box in the way. */
static Scene *tubes(void)
{
    Scene *scene = handmade_scene();
    const int32_t low = handmade_node(scene, -1, 0, 0, 0), high = handmade_node(scene, -1, 0, 0, 0);
    handmade_tube(scene, "outer", low, high, 0.25F, 9, 24);
    handmade_tube(scene, "inner", low, low, 0.125F, 17, 16);
    const int32_t box = handmade_box(scene, "box", -1, (const float[]){0.5F, 0.25F, -0.5F},
                                     (const float[]){0.75F, 0.75F, 0.5F});
    handmade_target(scene, box, "wide", -0.25F, 0, 0);
    const int32_t clip = handmade_clip(scene, "Fold", 1, 12);
    handmade_move(scene, clip, high, NOWHERE, (const float[]){0.3F, -0.8F, 0.05F});
    return scene;
}

/* By sample, then pair; as many as the rows say. */
static void assert_contacts(const Report *report, const CheckContacts *expected)
{
    int64_t row_count = 0, pair_count = 0;
    for (int32_t i = 0; i < report->pair_count; i++)
        for (int64_t r = 0; r < report->pairs[i].row_count; r++) {
            row_count += report->pairs[i].rows[r].new_pairs > 0;
            pair_count += report->pairs[i].rows[r].new_pairs;
        }
    assert_int_equal(expected->count, row_count);
    for (int64_t h = 0; h < expected->count; h++)
        pair_count -= expected->items[h].count;
    assert_int_equal(pair_count, 0);
    for (int64_t h = 1; h < expected->count; h++) {
        const CheckContact *last = &expected->items[h - 1], *expected_one = &expected->items[h];
        assert_true(last->sample < expected_one->sample ||
                    (last->sample == expected_one->sample && last->pair < expected_one->pair));
    }
}

static void contacts_are_the_new_pairs(void **state)
{
    (void)state;
    Scene *scenes[] = {tubes(), pierced()};
    CheckOptions options = check_options_default();
    CheckContacts expected;
    options.keeps_contacts = true;
    for (int i = 0; i < 2; i++) {
        Report report = run(scenes[i], &options, &expected);
        assert_contacts(&report, &expected);
        check_contacts_free(&expected);
        report_free(&report);
    }
    options.is_baseline_rest = true;
    Report report = run(scenes[1], &options, &expected);
    assert_contacts(&report, &expected);
    assert_int_equal(expected.count, 1);
    assert_int_equal(expected.items[0].sample, report.sample_count - 1);
    for (int64_t i = 0; i < expected.items[0].count; i++) {
        const int32_t face = expected.triangles[expected.items[0].first + 2 * i];
        assert_true(face == 8 || face == 9); /* of the cube, at its lower x */
    }
    check_contacts_free(&expected);
    report_free(&report);
    scene_free(scenes[0]);
    scene_free(scenes[1]);
}

static void shards_are_the_whole(void **state)
{
    (void)state;
    enum { SHARDS = 3 };
    Scene *scene = tubes();
    CheckOptions options = check_options_default();
    options.is_baseline_rest = true;
    Report whole = run(scene, &options, NULL), shards[SHARDS], merged;
    options.shard_count = SHARDS;
    int64_t looked = 0;
    for (int i = 0; i < SHARDS; i++) {
        options.shard = i + 1;
        shards[i] = run(scene, &options, NULL);
        looked += shards[i].tested_count;
        assert_int_equal(shards[i].sample_count, whole.sample_count);
        assert_int_equal(shards[i].run_count, whole.run_count);
        for (int32_t p = 0; p < shards[i].pair_count; p++)
            for (int64_t r = 0; r < shards[i].pairs[p].row_count; r++)
                assert_int_equal(shards[i].pairs[p].rows[r].sample % SHARDS, i);
    }
    assert_int_equal(looked, whole.tested_count);
    assert_int_equal(looked, whole.sample_count);
    char error[400];
    assert_true(report_merge(shards, SHARDS, &merged, error));
    assert_same(&whole, &merged);
    for (int i = 0; i < SHARDS; i++)
        report_free(&shards[i]);
    report_free(&merged);
    report_free(&whole);
    options.shard = SHARDS + 1;
    expect_failure(scene, &options, "shard");
    scene_free(scene);
}

static void eager_bodies_give_the_same(void **state)
{
    (void)state;
    Scene *scene = tubes();
    CheckMorph sweep = {"wide", 0, 1, 3};
    CheckOptions options = check_options_default();
    options.morphs = &sweep;
    options.morph_count = 1;
    Report lazy = run(scene, &options, NULL);
    options.is_eager = true;
    Report eager = run(scene, &options, NULL);
    assert_true(pair_of(&lazy, "outer", "outer")->row_count > 0);
    assert_true(pair_of(&lazy, "outer", "inner")->row_count > 0);
    assert_true(pair_of(&lazy, "outer", "box")->row_count > 0);
    assert_same(&lazy, &eager);
    report_free(&lazy);
    report_free(&eager);
    scene_free(scene);
}

static bool stop_at_three(void *user, const CheckProgress *progress)
{
    assert_int_equal(progress->all, 14);
    *(int64_t *)user = progress->done;
    return progress->done < 3;
}

static void progress_may_end_it(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar();
    int64_t done = 0;
    CheckOptions options = check_options_default();
    options.progress = stop_at_three;
    options.user = &done;
    Report report = run(scene, &options, NULL);
    assert_string_equal(report.incomplete, "stopped");
    assert_int_equal(report.tested_count, 3);
    assert_int_equal(done, 3);
    report_free(&report);
    scene_free(scene);
}

/* Stops after so many measures: of depths, of what is shown, and of a volume. */
typedef struct Measures {
    int count, most;
} Measures;

static bool count_measures(void *user, const CheckProgress *progress)
{
    Measures *measures = user;
    measures->count += progress->is_measuring;
    return measures->count < measures->most;
}

static void all_measures_are_told(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar();
    Measures measures = {0, 100};
    CheckOptions options = check_options_default();
    options.jobs = 1;
    options.progress = count_measures;
    options.user = &measures;
    Report report = run(scene, &options, NULL);
    const int depths = (int)pair_of(&report, "cube", "bar")->row_count;
    assert_int_equal(measures.count, depths + 2);
    assert_null(report.incomplete);
    report_free(&report);
    measures = (Measures){0, depths + 1};
    report = run(scene, &options, NULL);
    assert_string_equal(report.incomplete, "stopped");
    assert_true(pair_summary(&report, pair_of(&report, "cube", "bar")).volume == -1);
    report_free(&report);
    scene_free(scene);
}

/* Time that is left is that of counted work: half of the samples took 2 s of one of two workers,
 * and measured on trial a row of cost 1000 took a second. */
static void time_left_is_of_counted_work(void **state)
{
    (void)state;
    enum { SECOND = 1000000000 };
    ReportPart parts[2] = {{.triangle_count = 492}, {.triangle_count = 500}};
    ReportPair pairs[1] = {{.a = 0, .b = 1}};
    const Report report = {
        .parts = parts, .part_count = 2, .pairs = pairs, .pair_count = 1, .shard_count = 1};
    const ReportRow row = {.pairs = 1, .new_pairs = 1};
    Estimate estimate;
    assert_true(estimate_make(&estimate, &report, 40, 2, true));
    assert_int_equal(report_row_cost(&report, pairs, &row), 1000);
    assert_true(estimate_left(&estimate) < 0);
    estimate_add_sample(&estimate, 9 * (int64_t)SECOND, 1, true); /* makes what is kept */
    for (int i = 1; i < 20; i++)
        estimate_add_sample(&estimate, SECOND / 10, 1, false);
    assert_float_equal(estimate_left(&estimate), 20 * 0.1 / 2, 1e-6);
    for (int i = 0; i < 15; i++)
        assert_int_equal(estimate_add_row(&estimate, 0, &row, 1), i == 0);
    estimate_add_measure(&estimate, 0, &row, SECOND);
    assert_float_equal(estimate_left(&estimate), (2 + 30) / 2.0, 1e-6); /* 30 rows, all measured */
    for (int i = 0; i < 20; i++)
        estimate_add_sample(&estimate, SECOND / 10, 1, false);
    estimate_begin_measures(&estimate);
    assert_float_equal(estimate_left(&estimate), 15 / 2.0, 1e-6);
    estimate_add_measure(&estimate, 0, &row, SECOND);
    assert_float_equal(estimate_left(&estimate), 14 / 2.0, 1e-6);
    estimate_free(&estimate);
    assert_true(report_measure_cost(&report, 1000, 1e6) < 3e4); /* of many rows some are measured */
    assert_float_equal(report_measure_cost(&report, 10, 1e6), 1e6, 1);
}

/* A sheet and another behind it, with a vertex that is not finite: in a cube, touching it from
 * inside, and beside it. */
static void vertices_that_are_not_finite_are_left_out(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    const int32_t node = handmade_node(scene, -1, 0, 0, 0);
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    const int32_t sheets = handmade_box(scene, "sheets", node, (const float[]){0.5F, 0.25F, 0.25F},
                                        (const float[]){1, 0.75F, 0.75F});
    scene->parts[sheets].triangle_count = 4;
    handmade_target(scene, sheets, "far", 0, 0, 0);
    scene->parts[sheets].targets[3 * 4] = 3e38F;
    const int32_t clip = handmade_clip(scene, "Out", 1, 1);
    handmade_move(scene, clip, node, (const float[]){-0.25F, 0, 0}, (const float[]){2, 0, 0});
    CheckMorph far = {"far", 2, 2, 1};
    CheckOptions options = check_options_default();
    CheckContacts contacts;
    options.morphs = &far;
    options.morph_count = 1;
    options.keeps_contacts = options.keeps_depths = true;
    Report report = run(scene, &options, &contacts);
    const ReportPair *pair = pair_of(&report, "cube", "sheets");
    assert_true(report.size < 4);
    assert_int_equal(pair->row_count, 2); /* touching it, and inside */
    for (int i = 0; i < 2; i++)
        assert_true(fabs(pair->rows[i].depth - 0.25) < 1e-5);
    assert_int_equal(pair->rows[1].contained, CONTAINED_B);
    check_contacts_free(&contacts);
    report_free(&report);
    options.is_baseline_rest = true;
    report = run(scene, &options, &contacts);
    check_contacts_free(&contacts);
    report_free(&report);
    scene_free(scene);
}

/* A quarter of the samples is read. A rigid pair has one row, another twelve, of a second each. */
static void time_left_is_of_what_is_measured(void **state)
{
    (void)state;
    enum { SECOND = 1000000000 };
    ReportPart parts[2] = {{.triangle_count = 492}, {.triangle_count = 500}};
    ReportPair pairs[2] = {{.a = 0, .b = 1}, {.a = 0, .b = 1, .kind = PAIR_RIGID}};
    const Report report = {
        .parts = parts, .part_count = 2, .pairs = pairs, .pair_count = 2, .shard_count = 1};
    const ReportRow row = {.pairs = 1, .new_pairs = 1};
    ReportRow through = row;
    through.goes_through = true;
    for (int k = 0; k < 2; k++) {
        Estimate estimate;
        assert_true(estimate_make(&estimate, &report, 40, 1, k == 0));
        estimate_add_sample(&estimate, SECOND, 5, true);
        estimate_add_sample(&estimate, SECOND, 5, false);
        assert_true(estimate_add_row(&estimate, 1, &row, 5));
        estimate_add_measure(&estimate, 1, &row, SECOND);
        assert_float_equal(estimate_left(&estimate), 30 / 5 + 1, 1e-6);
        assert_int_equal(estimate_add_row(&estimate, 0, &through, 3), k == 0);
        const double others = k == 0 ? 12 : 0; /* --depth none: its verdict needs no depth */
        assert_float_equal(estimate_left(&estimate), 30 / 5 + 1 + others, 1e-6);
        estimate_begin_measures(&estimate);
        assert_float_equal(estimate_left(&estimate), k == 0 ? 4 : 1, 1e-6);
        estimate_add_measure(&estimate, 1, &row, SECOND);
        estimate_begin_round(&estimate, 2000);
        assert_float_equal(estimate_left(&estimate), k == 0 ? 3 : 2, 1e-6);
        estimate_begin_round(&estimate, 9000); /* what was left out is to be measured too */
        assert_float_equal(estimate_left(&estimate), 9, 1e-6);
        estimate_free(&estimate);
    }
}

/* What the library refuses is said in its words, with the part's name. */
static void refusals_are_sentences(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar();
    scene->parts[1].triangles[4] = 8;
    CheckOptions options = check_options_default();
    expect_failure(scene, &options, "bar: def.triangles.data[4] is 8");
    scene_free(scene);
}

static void poses_and_vertices_of_a_sample(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar();
    CheckOptions options = check_options_default();
    Report report = run(scene, &options, NULL);
    ScenePose *pose = scene_pose_create(scene);
    char error[400];
    float vertices[8 * 3];
    Cuts *cuts = cuts_create(scene, error);
    assert_int_equal(scene_vertex_count(scene), 16);
    assert_true(check_pose(scene, &options, &report, 13, pose, error));
    assert_true(cuts && cuts_pose(cuts, pose, error));
    assert_true(cuts_vertices(cuts, 0, vertices, error));
    assert_true(vertices[0] == 0 && vertices[3] == 1);
    assert_true(cuts_vertices(cuts, 1, vertices, error));
    assert_true(fabsf(vertices[0] - 0.8F) < 1e-6F);
    assert_false(check_pose(scene, &options, &report, 14, pose, error));
    cuts_free(cuts);
    scene_pose_free(pose);
    report_free(&report);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_goes_through_a_triangle),
        cmocka_unit_test(triangles_coincide_where_they_face_the_same_way),
        cmocka_unit_test(each_verdict_is_given),
        cmocka_unit_test(what_is_open_is_intersected),
        cmocka_unit_test(clearance_is_told_where_it_is_least),
        cmocka_unit_test(pairs_are_checked_as_often_as_needed),
        cmocka_unit_test(a_rounded_scale_is_none),
        cmocka_unit_test(slots_of_a_character_hold),
        cmocka_unit_test(a_bar_goes_into_a_cube),
        cmocka_unit_test(volumes_are_measured_at_the_worst_sample),
        cmocka_unit_test(touching_boxes_are_touching),
        cmocka_unit_test(frames_and_rates_are_chosen),
        cmocka_unit_test(parts_are_chosen_and_pairs_allowed),
        cmocka_unit_test(globs),
        cmocka_unit_test(morphs_are_swept_and_held),
        cmocka_unit_test(what_is_there_at_rest_is_not_new),
        cmocka_unit_test(both_triangles_of_a_known_pair_are),
        cmocka_unit_test(depth_is_what_is_added),
        cmocka_unit_test(a_sheet_beside_a_deep_one_was_not_deep),
        cmocka_unit_test(a_cut_of_a_known_triangle_is_new),
        cmocka_unit_test(what_is_as_deep_as_it_was_is_known),
        cmocka_unit_test(a_stored_report_is_a_baseline),
        cmocka_unit_test(each_way_to_be_contained_is_known),
        cmocka_unit_test(contacts_are_the_new_pairs),
        cmocka_unit_test(shards_are_the_whole),
        cmocka_unit_test(eager_bodies_give_the_same),
        cmocka_unit_test(progress_may_end_it),
        cmocka_unit_test(all_measures_are_told),
        cmocka_unit_test(time_left_is_of_counted_work),
        cmocka_unit_test(time_left_is_of_what_is_measured),
        cmocka_unit_test(vertices_that_are_not_finite_are_left_out),
        cmocka_unit_test(refusals_are_sentences),
        cmocka_unit_test(poses_and_vertices_of_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
