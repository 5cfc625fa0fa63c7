/* A check by several workers: all that is written of it is the same, to the byte, as by one; so is
 * what is said if it fails; and every allocation may fail. */
#include "check/repeats.h"
#include "handmade.h"
#include "view/view.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int32_t jobs_tried[] = {1, 2, 3, 7};
enum { JOBS_TRIED = sizeof jobs_tried / sizeof *jobs_tried };

static const float NOWHERE[3] = {0, 0, 0};

/* Two tubes that fold into each other and into themselves, a box that they touch and that has a
 * target, and one that goes into it. */
static Scene *crowd(int32_t frames)
{
    Scene *scene = handmade_scene();
    const int32_t low = handmade_node(scene, -1, 0, 0, 0), high = handmade_node(scene, -1, 0, 0, 0),
                  bar = handmade_node(scene, -1, 2, 0, 0);
    handmade_tube(scene, "outer", low, high, 0.25F, 7, 12);
    handmade_tube(scene, "inner", low, low, 0.125F, 9, 8);
    const int32_t box = handmade_box(scene, "box", -1, (const float[]){0.5F, 0.25F, -0.5F},
                                     (const float[]){0.75F, 0.75F, 0.5F});
    handmade_target(scene, box, "wide", -0.25F, 0, 0);
    handmade_box(scene, "bar", bar, (const float[]){0.5F, 0.375F, -0.25F},
                 (const float[]){1, 0.625F, 0.25F});
    const int32_t clip = handmade_clip(scene, "Fold", 1, frames);
    handmade_move(scene, clip, high, NOWHERE, (const float[]){0.3F, -0.8F, 0.05F});
    handmade_move(scene, clip, bar, (const float[]){2, 0, 0}, (const float[]){0.125F, 0, 0});
    return scene;
}

static Report run(const Scene *scene, const CheckOptions *options, CheckContacts *contacts)
{
    Report report;
    char error[400] = "";
    if (!check_run(scene, "by hand", options, &report, contacts, error))
        fail_msg("%d jobs: %s", (int)options->jobs, error);
    return report;
}

/* ---- All that is written --------------------------------------------------------------------- */

typedef struct Texts {
    char *bytes;
    size_t size;
} Texts;

static Texts write_all(const Scene *scene, const CheckOptions *options, const Report *report,
                       const CheckContacts *contacts)
{
    Texts texts = {0};
    char error[400] = "";
    FILE *out = open_memstream(&texts.bytes, &texts.size);
    const TableOptions table = {.is_all = true};
    assert_non_null(out);
    assert_true(report_write_json(report, out));
    assert_true(report_write_csv(report, out));
    assert_true(report_write_junit(report, out));
    assert_true(report_write_faces(report, out));
    assert_true(report_write_table(report, &table, out));
    if (contacts && page_is_built_in())
        assert_true(page_write(scene, options, report, contacts, out, error));
    for (int64_t i = 0; contacts && i < contacts->count; i++) {
        const CheckContact *item = &contacts->items[i];
        fprintf(out, "%lld %d %lld\n", (long long)item->sample, (int)item->pair,
                (long long)item->count);
        fwrite(contacts->triangles + item->first, sizeof(int32_t), 2 * (size_t)item->count, out);
    }
    assert_int_equal(fclose(out), 0);
    return texts;
}

static Texts run_and_write(const Scene *scene, const CheckOptions *options)
{
    CheckContacts contacts = {0};
    Report report = run(scene, options, &contacts);
    Texts texts = write_all(scene, options, &report, options->keeps_contacts ? &contacts : NULL);
    check_contacts_free(&contacts);
    report_free(&report);
    return texts;
}

static void assert_same_texts(const Texts *a, const Texts *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

static void assert_jobs_do_not_matter(const Scene *scene, CheckOptions options)
{
    options.jobs = 1;
    Texts one = run_and_write(scene, &options);
    for (int i = 1; i < JOBS_TRIED; i++) {
        options.jobs = jobs_tried[i];
        Texts several = run_and_write(scene, &options);
        assert_same_texts(&one, &several);
        free(several.bytes);
    }
    free(one.bytes);
}

static void all_outputs_are_the_same(void **state)
{
    (void)state;
    Scene *scene = crowd(60);
    CheckMorph sweep = {"wide", 0, 1, 3};
    CheckOptions options = check_options_default();
    options.keeps_contacts = options.keeps_depths = true;
    assert_jobs_do_not_matter(scene, options);
    options.is_baseline_rest = true;
    assert_jobs_do_not_matter(scene, options);
    options.morphs = &sweep;
    options.morph_count = 1;
    options.keeps_contacts = options.keeps_depths = false;
    assert_jobs_do_not_matter(scene, options);
    options.is_eager = true;
    assert_jobs_do_not_matter(scene, options);
    scene_free(scene);
}

static void one_sample_is_the_same(void **state)
{
    (void)state;
    Scene *scene = crowd(12);
    const char *last[] = {"Fold"};
    CheckOptions options = check_options_default();
    options.clips = last;
    options.clip_glob_count = 1;
    options.first = options.last = 12;
    options.keeps_contacts = options.keeps_depths = true;
    assert_jobs_do_not_matter(scene, options);
    scene_free(scene);
}

/* Shards are checked by different numbers of workers, and the whole by one. */
static void merged_shards_are_the_same(void **state)
{
    (void)state;
    enum { SHARDS = 3 };
    Scene *scene = crowd(60);
    CheckOptions options = check_options_default();
    Report whole = run(scene, &options, NULL), shards[SHARDS], merged;
    Texts one = write_all(scene, &options, &whole, NULL);
    options.shard_count = SHARDS;
    for (int i = 0; i < SHARDS; i++) {
        options.shard = SHARDS - i;
        options.jobs = jobs_tried[i + 1];
        shards[i] = run(scene, &options, NULL);
    }
    char error[400];
    assert_true(report_merge(shards, SHARDS, &merged, error));
    Texts several = write_all(scene, &options, &merged, NULL);
    assert_same_texts(&one, &several);
    for (int i = 0; i < SHARDS; i++)
        report_free(&shards[i]);
    report_free(&whole);
    report_free(&merged);
    free(one.bytes);
    free(several.bytes);
    scene_free(scene);
}

/* ---- Poses that come again --------------------------------------------------------------------
 */

/* The rest pose, a clip that starts there, the same one again, and one that holds still. Two boxes
 * that never move are a rigid pair. */
static Scene *again(void)
{
    const float from[3] = {0, 0, 0}, to[3] = {0.3F, -0.8F, 0.05F};
    Scene *scene = handmade_scene();
    const int32_t low = handmade_node(scene, -1, 0, 0, 0), high = handmade_node(scene, -1, 0, 0, 0);
    handmade_tube(scene, "outer", low, high, 0.25F, 9, 24);
    handmade_tube(scene, "inner", low, low, 0.125F, 17, 16);
    handmade_box(scene, "box", -1, (const float[]){0.5F, 0.25F, -0.5F},
                 (const float[]){0.75F, 0.75F, 0.5F});
    handmade_box(scene, "other", -1, (const float[]){0.6F, 0.3F, -0.4F},
                 (const float[]){0.9F, 0.7F, 0.4F});
    for (int i = 0; i < 2; i++)
        handmade_move(scene, handmade_clip(scene, i ? "Again" : "Fold", 1, 12), high, from, to);
    handmade_move(scene, handmade_clip(scene, "Hold", 1, 12), high, to, to);
    return scene;
}

static void a_pose_is_checked_once(void **state)
{
    (void)state;
    Scene *scene = again();
    CheckOptions options = check_options_default();
    Plan plan;
    Repeats repeats;
    char error[400];
    assert_true(plan_make(scene, &options, &plan, error));
    assert_int_equal(plan.sample_count, 1 + 3 * 13);
    assert_true(repeats_find(&repeats, scene, &plan, &options, plan.sample_count));
    assert_int_equal(repeats.unique_count, 13);
    assert_int_equal(repeats.times[0], 3);           /* rest, and where two clips start */
    assert_int_equal(repeats.times[13], 1 + 1 + 13); /* their ends, and what is held */
    repeats_free(&repeats);
    plan_free(&plan);
    options.keeps_contacts = options.keeps_depths = true;
    for (int i = 0; i < 4; i++) {
        options.jobs = i % 2 + 1;
        options.shard_count = i / 2 + 1;
        options.is_every_pose = true;
        Texts every = run_and_write(scene, &options);
        options.is_every_pose = false;
        Texts once = run_and_write(scene, &options);
        assert_same_texts(&every, &once);
        free(every.bytes);
        free(once.bytes);
    }
    scene_free(scene);
}

/* ---- Progress -------------------------------------------------------------------------------- */

typedef struct Told {
    int64_t count, measure_count, end;
    bool is_in_order;
    atomic_bool is_inside; /* a call */
} Told;

/* It takes a while, so that a second call at the same time would be seen. */
static bool hear(void *user, const CheckProgress *progress)
{
    Told *told = user;
    told->is_in_order &= !atomic_exchange(&told->is_inside, true);
    for (volatile int i = 0; i < 100000; i++)
        ;
    told->count += !progress->is_measuring;
    told->measure_count += progress->is_measuring;
    told->is_in_order &= progress->done == told->count && progress->all == 62;
    told->is_in_order &= check_seconds_left(progress) >= (progress->is_measuring ? 0 : -1);
    atomic_store(&told->is_inside, false);
    return progress->done != told->end;
}

static void progress_counts_every_sample(void **state)
{
    (void)state;
    Scene *scene = crowd(60);
    for (int i = 0; i < JOBS_TRIED; i++) {
        Told told = {.is_in_order = true};
        CheckOptions options = check_options_default();
        options.jobs = jobs_tried[i];
        options.progress = hear;
        options.user = &told;
        Report report = run(scene, &options, NULL);
        report_free(&report);
        assert_int_equal(told.count, 62);
        assert_true(told.measure_count > 0 && told.is_in_order);
    }
    scene_free(scene);
}

static void progress_may_end_it(void **state)
{
    (void)state;
    Scene *scene = crowd(60);
    for (int i = 0; i < JOBS_TRIED; i++) {
        Told told = {.end = 5, .is_in_order = true};
        Report report;
        char error[400] = "";
        CheckOptions options = check_options_default();
        options.jobs = jobs_tried[i];
        options.progress = hear;
        options.user = &told;
        assert_true(check_run(scene, "by hand", &options, &report, NULL, error));
        assert_string_equal(report.incomplete, "stopped");
        assert_in_range(report.tested_count, 5, report.sample_count); /* the others may be done */
        assert_int_equal(told.count, 5);
        assert_true(told.is_in_order);
        report_free(&report);
    }
    scene_free(scene);
}

static atomic_int asked;

static const char *end_soon(void *user)
{
    (void)user;
    return atomic_fetch_add(&asked, 1) < 150 ? NULL : "enough";
}

/* What is found until then is what a whole check finds there. */
static void a_check_may_be_stopped(void **state)
{
    (void)state;
    Scene *scene = crowd(60);
    CheckOptions options = check_options_default();
    Report whole = run(scene, &options, NULL);
    options.stop = end_soon;
    for (int i = 0; i < JOBS_TRIED; i++) {
        options.jobs = jobs_tried[i];
        atomic_store(&asked, 0);
        Report report = run(scene, &options, NULL);
        assert_string_equal(report.incomplete, "enough");
        assert_in_range(report.tested_count, 1, 61);
        for (int32_t p = 0; p < report.pair_count; p++)
            for (int64_t r = 0, w = 0; r < report.pairs[p].row_count; r++) {
                const ReportRow *row = &report.pairs[p].rows[r];
                while (whole.pairs[p].rows[w].sample < row->sample)
                    w++;
                assert_int_equal(whole.pairs[p].rows[w].sample, row->sample);
                assert_int_equal(whole.pairs[p].rows[w].pairs, row->pairs);
            }
        report_free(&report);
    }
    report_free(&whole);
    scene_free(scene);
}

static void jobs_are_counted(void **state)
{
    (void)state;
    assert_int_equal(check_job_count(1), 1);
    assert_true(check_job_count(0) >= 1);
    assert_in_range(check_job_count(3), 1, 3); /* a build without threads has one */
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* From a time on, a track is not finite. */
static void break_track(Scene *scene, int32_t track, float time)
{
    SceneTrack *broken = &scene->clips[0].tracks[track];
    assert_int_equal(broken->key_count, 2);
    broken->ease = SCENE_STEP;
    broken->times[1] = time;
    for (int k = 0; k < broken->width; k++)
        broken->values[broken->width + k] = INFINITY;
}

/* "bar" is the first part that fails, one frame before "outer", which comes before it in a frame
 * that has both. */
static void the_earliest_failure_is_told(void **state)
{
    (void)state;
    Scene *scene = crowd(60);
    break_track(scene, 0, 31.5F / 60);
    break_track(scene, 1, 30.5F / 60);
    for (int round = 0; round < 40; round++)
        for (int i = 0; i < JOBS_TRIED; i++) {
            CheckOptions options = check_options_default();
            Report report;
            char error[400] = "";
            options.jobs = jobs_tried[i];
            assert_false(check_run(scene, "by hand", &options, &report, NULL, error));
            assert_string_equal(error, "the part \"bar\" is not at a finite place");
            assert_int_equal(report.part_count, 0);
        }
    scene_free(scene);
}

static void the_first_shape_that_fails_is_told(void **state)
{
    (void)state;
    Scene *scene = crowd(12);
    for (int32_t p = 1; p < 4; p++)
        scene->parts[p].triangles[p] = 1 << 20;
    for (int i = 0; i < JOBS_TRIED; i++) {
        CheckOptions options = check_options_default();
        Report report;
        char error[400] = "";
        options.jobs = jobs_tried[i];
        assert_false(check_run(scene, "by hand", &options, &report, NULL, error));
        assert_non_null(strstr(error, "inner: def.triangles.data[1] is 1048576"));
    }
    scene_free(scene);
}

/* ---- Memory: the linker gives allocations of the command and of the library to these ----------
 */

static _Atomic int64_t allocations, fail_at; /* the one that fails; 0: none */
static atomic_bool fails_on;                 /* and all behind it */

static bool is_refused(void)
{
    const int64_t at = atomic_load(&fail_at), number = atomic_fetch_add(&allocations, 1) + 1;
    return at > 0 && (number == at || (number > at && atomic_load(&fails_on)));
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
#ifdef _WIN32 /* what the library calls there; the other arguments first */
#define __real_aligned_alloc(alignment, size) __real__aligned_malloc(size, alignment)
#define __wrap_aligned_alloc(alignment, size) __wrap__aligned_malloc(size, alignment)
#endif
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return is_refused() ? NULL : __real_realloc(block, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return is_refused() ? NULL : __real_aligned_alloc(alignment, size);
}

/* One check, of which one allocation fails. False: it was done without that many. */
static bool run_refused(const Scene *scene, const CheckOptions *options, int64_t number)
{
    Report report;
    CheckContacts contacts;
    char error[400] = "";
    atomic_store(&allocations, 0);
    atomic_store(&fail_at, number);
    const bool is_run = check_run(scene, "by hand", options, &report, &contacts, error);
    atomic_store(&fail_at, 0);
    const bool was_refused = atomic_load(&allocations) >= number;
    if (is_run) {
        report_free(&report);
        check_contacts_free(&contacts);
    } else {
        assert_true(was_refused);
        assert_non_null(strstr(error, "memory"));
        assert_int_equal(report.part_count, 0);
        assert_int_equal(contacts.count, 0);
    }
    return was_refused;
}

/* A pool that cannot be made is done without, so that not every failure is one of the check. */
static void every_allocation_may_fail(void **state)
{
    (void)state;
    Scene *scene = crowd(5);
    CheckOptions options = check_options_default();
    options.is_baseline_rest = options.keeps_contacts = options.keeps_depths = true;
    for (int i = 0; i < 3; i += 2)
        for (int on = 0; on < 2; on++) {
            int64_t number = 1;
            options.jobs = jobs_tried[i];
            atomic_store(&fails_on, on != 0);
            while (run_refused(scene, &options, number))
                number += number < 200 ? 1 : 1 + number / 97;
            assert_true(number > 100);
        }
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_outputs_are_the_same),
        cmocka_unit_test(one_sample_is_the_same),
        cmocka_unit_test(merged_shards_are_the_same),
        cmocka_unit_test(a_pose_is_checked_once),
        cmocka_unit_test(progress_counts_every_sample),
        cmocka_unit_test(progress_may_end_it),
        cmocka_unit_test(a_check_may_be_stopped),
        cmocka_unit_test(jobs_are_counted),
        cmocka_unit_test(the_earliest_failure_is_told),
        cmocka_unit_test(the_first_shape_that_fails_is_told),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
