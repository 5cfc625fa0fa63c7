/* The check itself: see check.h.
 *
 * Samples are independent. They are given to workers in runs of neighbors, since much is the same
 * from one to the next, and what workers found is put together by sample: how many workers there
 * are, and who had which sample, is nowhere to be seen. The earliest sample that fails is the one
 * that is told, as if they had come one after another.
 */
#include "check/estimate.h"
#include "check/inside.h"
#include "check/repeats.h"
#include "check/worker.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The earliest failure of one worker. It is kept apart from the worker, which is made anew if that
 * has failed. */
typedef struct Failure {
    int64_t index; /* of what failed */
    char error[400];
} Failure;

typedef struct Check {
    Subject subject;
    PliantPool *pool;
    Worker *workers;   /* of the pool; each is made when it is first given something */
    Failure *failures; /* of each */
    int32_t worker_count;
    Found *found;                   /* by pair of parts, of all workers */
    CheckContacts *contacts;        /* or NULL */
    int64_t all;                    /* samples of the shard */
    Repeats repeats;                /* among them */
    _Atomic int64_t done, reported; /* of them */
    atomic_bool is_reporting;       /* some worker */
    Estimate estimate;              /* if there is progress to be told */
    _Atomic(const char *) stopped;  /* why no more samples are to be read; NULL: they are */
    char *error;
} Check;

static bool no_memory(const Check *check)
{
    return check_no_memory(check->error);
}

/* ---- Work for several workers -----------------------------------------------------------------
 */

typedef struct Work Work;
typedef bool DoOne(Work *work, Worker *worker, int64_t index);

/* Things to do, each by one worker. */
struct Work {
    Check *check;
    DoOne *do_one;
    const void *items;
    int64_t count, run_length; /* neighbors that one worker does one after another */
    _Atomic int64_t failed;    /* the first that failed, which ends all behind it; count: none */
};

enum { STOPPED = -1 }; /* instead of an index: nothing goes on */

static void fail_at(Work *work, int64_t index)
{
    int64_t first = atomic_load(&work->failed);
    while (index < first && !atomic_compare_exchange_weak(&work->failed, &first, index))
        ;
}

/* Why the check is to end now, or NULL. */
static const char *is_stopped(Check *check)
{
    const CheckOptions *options = check->subject.options;
    const char *why = options->stop ? options->stop(options->user) : NULL;
    if (why)
        atomic_store(&check->stopped, why);
    return atomic_load(&check->stopped);
}

static void keep_failure(Failure *failure, int64_t index, const char *error)
{
    if (index >= failure->index)
        return;
    failure->index = index;
    snprintf(failure->error, sizeof failure->error, "%s", error);
}

/* PliantTask: a run. */
static void do_run(void *data, int32_t index, int32_t number)
{
    Work *work = data;
    Worker *worker = &work->check->workers[number];
    const int64_t first = index * work->run_length;
    const int64_t end =
        first + work->run_length < work->count ? first + work->run_length : work->count;
    for (int64_t i = first; i < end && i < atomic_load(&work->failed); i++) {
        const bool is_made = worker->is_made || worker_make(worker, &work->check->subject);
        const bool is_done = is_made && work->do_one(work, worker, i);
        if (is_stopped(work->check)) { /* a query that was ended by it has failed too */
            fail_at(work, STOPPED);
            return;
        }
        if (is_done)
            continue;
        keep_failure(&work->check->failures[number], i, worker->error);
        fail_at(work, i);
    }
}

/* So many runs for each worker that one is idle for a short time at the end. */
enum { RUNS_PER_WORKER = 32 };

static bool do_all(Check *check, DoOne *do_one, const void *items, int64_t count)
{
    const int64_t runs = check->worker_count > 1 ? RUNS_PER_WORKER * check->worker_count : 1;
    Work work = {check, do_one, items, count, (count - 1) / runs + 1, count};
    if (count == 0)
        return true;
    for (int32_t w = 0; w < check->worker_count; w++)
        check->failures[w].index = count;
    pliant_pool_run(check->pool, do_run, &work, (int32_t)((count - 1) / work.run_length + 1));
    const int64_t failed = atomic_load(&work.failed);
    for (int32_t w = 0; w < check->worker_count && failed < count; w++)
        if (check->failures[w].index == failed)
            check_fail(check->error, "%s", check->failures[w].error);
    return failed == count;
}

/* ---- Samples --------------------------------------------------------------------------------- */

static bool tell(Check *check, int64_t done, bool is_measuring)
{
    const CheckOptions *options = check->subject.options;
    const CheckProgress progress = {done, check->all, is_measuring, &check->estimate};
    const bool goes_on = options->progress(options->user, &progress);
    if (!goes_on)
        atomic_store(&check->stopped, "stopped");
    return goes_on;
}

double check_seconds_left(const CheckProgress *progress)
{
    return estimate_left(progress->estimate);
}

/* More samples are done. Every count is reported once and in order, by one worker at a time; the
 * others leave it to that one rather than wait. */
static void count_samples(Work *work, int64_t count)
{
    Check *check = work->check;
    const CheckOptions *options = check->subject.options;
    atomic_fetch_add(&check->done, count);
    if (!options->progress)
        return;
    while (atomic_load(&check->reported) < atomic_load(&check->done) &&
           !atomic_exchange(&check->is_reporting, true)) {
        while (atomic_load(&check->reported) < atomic_load(&check->done)) {
            const int64_t done = atomic_fetch_add(&check->reported, 1) + 1;
            if (atomic_load(&work->failed) == STOPPED || tell(check, done, false))
                continue;
            fail_at(work, STOPPED);
        }
        atomic_store(&check->is_reporting, false);
    }
}

/* Something was measured. That is told, unless another worker is telling. */
static void tell_measured(Work *work)
{
    Check *check = work->check;
    if (!check->subject.options->progress || atomic_exchange(&check->is_reporting, true))
        return;
    if (!tell(check, check->all, true))
        fail_at(work, STOPPED);
    atomic_store(&check->is_reporting, false);
}

/* What a measure takes, in time. */
static bool measure(Work *work, Worker *worker, int32_t pair, bool is_trial, ReportRow *row)
{
    Check *check = work->check;
    if (!check->subject.options->progress)
        return worker_measure(worker, pair, false, row);
    const int64_t began = estimate_now();
    const bool is_measured = worker_measure(worker, pair, is_trial, row);
    estimate_add_measure(&check->estimate, pair, row, estimate_now() - began);
    return is_measured;
}

/* What the rows of a sample tell of the time that is left. A trial that fails tells nothing: if its
 * row is measured later, that fails. */
static void estimate_rows(Work *work, Worker *worker, int64_t times)
{
    Check *check = work->check;
    for (int32_t i = 0; i < check->subject.report->pair_count; i++) {
        const Found *found = &worker->found[i];
        if (!worker->is_touching[i] || found->row_count == 0)
            continue;
        ReportRow row = found->rows[found->row_count - 1];
        if (row.sample != worker->sample || !row_counts(&row) ||
            !estimate_add_row(&check->estimate, i, &row, times))
            continue;
        (void)measure(work, worker, i, true, &row);
        free(row.regions);
    }
}

/* DoOne: a sample of the shard, of those that have a new pose. */
static bool do_sample(Work *work, Worker *worker, int64_t index)
{
    Check *check = work->check;
    const CheckOptions *options = check->subject.options;
    const int64_t times = repeats_times(&check->repeats, index);
    const bool is_first = worker->sample < 0;
    const int64_t began = options->progress ? estimate_now() : 0;
    if (!worker_read_sample(worker,
                            repeats_sample(options, repeats_unique(&check->repeats, index))))
        return false;
    if (options->progress) {
        estimate_add_sample(&check->estimate, estimate_now() - began, times, is_first);
        estimate_rows(work, worker, times);
    }
    count_samples(work, times);
    return true;
}

/* What all workers found, as one, at all samples that have the poses. */
static bool merge(Check *check)
{
    Report *report = check->subject.report;
    for (int32_t w = 0; w < check->worker_count; w++) {
        Worker *worker = &check->workers[w];
        for (int32_t i = 0; i < report->pair_count && worker->subject; i++)
            if (!found_merge(&check->found[i], &worker->found[i], report, &report->pairs[i]))
                return no_memory(check);
        if (check->contacts && !contacts_merge(check->contacts, &worker->contacts))
            return no_memory(check);
    }
    if (check->contacts && check->worker_count > 1)
        contacts_sort(check->contacts);
    if (!repeats_add(&check->repeats, check->subject.options, report, check->found,
                     check->contacts))
        return no_memory(check);
    for (int32_t i = 0; i < report->pair_count; i++)
        if (!found_settle(&check->found[i], report, &report->pairs[i]))
            return no_memory(check);
    return true;
}

/* What was found so far is told, and why it is not all. */
static bool mark_incomplete(Check *check)
{
    Report *report = check->subject.report;
    if (!report->incomplete)
        report->incomplete = strdup(atomic_load(&check->stopped));
    return report->incomplete || no_memory(check);
}

static bool read_samples(Check *check)
{
    Report *report = check->subject.report;
    const bool is_whole = do_all(check, do_sample, NULL, check->repeats.unique_count);
    if ((!is_whole && !atomic_load(&check->stopped)) || !merge(check))
        return false;
    report->tested_count = is_whole ? check->all : atomic_load(&check->done);
    return report->tested_count == check->all || mark_incomplete(check);
}

/* ---- Depth, regions and volumes of some rows --------------------------------------------------
 */

typedef struct Chosen {
    ReportRow *row;
    int32_t pair;
} Chosen;

static int compare_chosen(const void *a, const void *b)
{
    const Chosen *x = a, *y = b;
    if (x->row->sample != y->row->sample)
        return x->row->sample < y->row->sample ? -1 : 1;
    return (x->pair > y->pair) - (x->pair < y->pair);
}

/* DoOne: an item is a Chosen. */
static bool do_measure(Work *work, Worker *worker, int64_t index)
{
    const Chosen *chosen = (const Chosen *)work->items + index;
    const bool is_measured = measure(work, worker, chosen->pair, false, chosen->row);
    tell_measured(work);
    return is_measured;
}

static bool do_shown(Work *work, Worker *worker, int64_t index)
{
    const Chosen *chosen = (const Chosen *)work->items + index;
    const bool is_measured = worker_measure_shown(worker, chosen->pair, chosen->row);
    tell_measured(work);
    return is_measured;
}

static bool do_volume(Work *work, Worker *worker, int64_t index)
{
    const Chosen *chosen = (const Chosen *)work->items + index;
    const bool is_measured = worker_measure_volume(worker, chosen->pair, chosen->row);
    tell_measured(work);
    return is_measured;
}

/* What is measured, one after the other. */
typedef enum Phase { PHASE_DEPTH, PHASE_SHOWN, PHASE_VOLUME } Phase;

/* Appends the rows of a pair that are to be measured next; or, of all but depths, the worst one. A
 * shard does not know which that will be, and takes all. */
static bool choose_rows(const Report *report, int32_t pair, Phase phase, Chosen *chosen,
                        int64_t *count)
{
    const ReportPair *item = &report->pairs[pair];
    const int64_t worst = pair_summary(report, item).worst;
    bool *is_chosen = calloc((size_t)item->row_count + 1, sizeof *is_chosen);
    if (!is_chosen)
        return false;
    for (int64_t i = 0; i < item->row_count; i++)
        is_chosen[i] = item->rows[i].is_measured;
    if (phase == PHASE_DEPTH)
        report_choose(report, item, is_chosen);
    for (int64_t i = 0; i < item->row_count; i++) {
        ReportRow *row = &item->rows[i];
        const bool is_worst = row->sample == worst || report->shard_count > 1;
        const bool is_next = phase == PHASE_DEPTH ? is_chosen[i] && !row->is_measured
                             : phase == PHASE_SHOWN
                                 ? row->is_measured && is_worst
                                 : row->is_measured && is_worst && row->contained == CONTAINED_NONE;
        if (is_next)
            chosen[(*count)++] = (Chosen){row, pair};
    }
    free(is_chosen);
    return true;
}

static bool has_volume(const Report *report, const ReportPair *pair)
{
    return pair->a != pair->b && report->parts[pair->a].is_closed &&
           report->parts[pair->b].is_closed;
}

/* Do the verdicts of a pair need a depth? Not if one of its rows tells without. */
static bool needs_depth(const ReportPair *pair)
{
    for (int64_t i = 0; i < pair->row_count; i++)
        if (!row_needs_depth(&pair->rows[i]))
            return false;
    return pair->row_count > 0;
}

static bool is_measured_at_all(const Check *check, const ReportPair *pair, Phase phase)
{
    const Report *report = check->subject.report;
    if (phase == PHASE_VOLUME)
        return has_volume(report, pair);
    if (phase == PHASE_SHOWN)
        return report->shard_count > 1 || pair_summary(report, pair).is_finding;
    return check->subject.options->depth != CHECK_DEPTH_NONE || needs_depth(pair);
}

static int64_t cost_of(const Report *report, const Chosen *chosen, int64_t count)
{
    int64_t cost = 0;
    for (int64_t i = 0; i < count; i++)
        cost += report_row_cost(report, &report->pairs[chosen[i].pair], chosen[i].row);
    return cost;
}

/* One round: what is to be measured next depends on what was found before. */
static bool measure_some(Check *check, Phase phase, Chosen *chosen, int64_t *count)
{
    static DoOne *const do_one[] = {do_measure, do_shown, do_volume};
    const Report *report = check->subject.report;
    *count = 0;
    for (int32_t i = 0; i < report->pair_count; i++)
        if (is_measured_at_all(check, &report->pairs[i], phase) &&
            !choose_rows(report, i, phase, chosen, count))
            return no_memory(check);
    if (*count == 0)
        return true;
    if (phase == PHASE_DEPTH && check->subject.options->progress)
        estimate_begin_round(&check->estimate, cost_of(report, chosen, *count));
    qsort(chosen, (size_t)*count, sizeof *chosen, compare_chosen);
    return do_all(check, do_one[phase], chosen, *count);
}

static bool merge_insides(Check *check)
{
    for (int32_t w = 0; w < check->worker_count && check->contacts; w++)
        if (!insides_merge(&check->contacts->insides, &check->workers[w].contacts.insides))
            return no_memory(check);
    if (check->contacts)
        insides_sort(&check->contacts->insides);
    return true;
}

/* If it is stopped, the rest is left out. */
static bool measure_rows(Check *check)
{
    const Report *report = check->subject.report;
    const CheckOptions *options = check->subject.options;
    int64_t all = 0, count = 1;
    for (int32_t i = 0; i < report->pair_count; i++)
        all += report->pairs[i].row_count;
    Chosen *chosen = calloc((size_t)all + 1, sizeof *chosen);
    if (!chosen)
        return no_memory(check);
    bool is_measured = true;
    if (options->progress)
        estimate_begin_measures(&check->estimate);
    while (is_measured && count > 0)
        is_measured = measure_some(check, PHASE_DEPTH, chosen, &count);
    if (is_measured)
        is_measured = measure_some(check, PHASE_SHOWN, chosen, &count);
    if (is_measured && options->has_volume)
        is_measured = measure_some(check, PHASE_VOLUME, chosen, &count);
    free(chosen);
    return (is_measured || atomic_load(&check->stopped)) && merge_insides(check);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* A pool without threads where no more can be started: that is slower, and all. */
static PliantPool *make_pool(int32_t jobs)
{
    PliantPoolDef def = pliant_pool_def_default();
    PliantPool *pool = NULL;
    def.worker_count = jobs < PLIANT_MAX_WORKERS ? jobs : PLIANT_MAX_WORKERS;
    if (pliant_pool_create(&def, &pool) == PLIANT_OK)
        return pool;
    def.worker_count = 1;
    return pliant_pool_create(&def, &pool) == PLIANT_OK ? pool : NULL;
}

int32_t check_job_count(int32_t jobs)
{
    PliantPool *pool = make_pool(jobs);
    const int32_t count = pliant_pool_worker_count(pool);
    pliant_pool_destroy(pool);
    return count;
}

static int64_t shard_sample_count(const Plan *plan, const CheckOptions *options)
{
    const int64_t first = options->shard - 1;
    return plan->sample_count > first ? (plan->sample_count - first - 1) / options->shard_count + 1
                                      : 0;
}

static bool prepare(Check *check)
{
    Subject *subject = &check->subject;
    const Plan *plan = &subject->plan;
    Report *report = subject->report;
    check->all = shard_sample_count(plan, subject->options);
    check->pool = make_pool(subject->options->jobs);
    check->worker_count = pliant_pool_worker_count(check->pool);
    check->workers = calloc((size_t)check->worker_count, sizeof *check->workers);
    check->failures = calloc((size_t)check->worker_count, sizeof *check->failures);
    check->found = calloc((size_t)report->pair_count + 1, sizeof *check->found);
    subject->known = calloc((size_t)report->pair_count + 1, sizeof *subject->known);
    subject->pool = check->all > 1 ? NULL : check->pool;
    if (!check->pool || !check->workers || !check->failures || !check->found || !subject->known ||
        !repeats_find(&check->repeats, subject->scene, plan, subject->options, check->all))
        return no_memory(check);
    for (int32_t i = 0; i < report->pair_count; i++)
        check->found[i].clearance = -1;
    if (subject->options->progress &&
        !estimate_make(&check->estimate, report, check->all, check->worker_count,
                       subject->options->depth != CHECK_DEPTH_NONE))
        return no_memory(check);
    if (!shapes_make(&subject->shapes, subject->scene, plan->parts, plan->part_count,
                     subject->options->is_eager, check->pool, check->error))
        return false;
    for (int32_t p = 0; p < plan->part_count; p++)
        report->parts[p].is_closed = subject->shapes.items[p].is_closed;
    return true;
}

static bool read_size(Check *check)
{
    Worker *worker = &check->workers[0];
    return (worker_make(worker, &check->subject) &&
            worker_measure_size(worker, &check->subject.report->size)) ||
           check_fail(check->error, "%s", worker->error);
}

static bool read_rest(Check *check)
{
    Worker *worker = &check->workers[0];
    return (worker->is_made && worker_read_rest(worker, check->subject.known)) ||
           check_fail(check->error, "%s", worker->error);
}

static bool run(Check *check)
{
    const Subject *subject = &check->subject;
    const CheckOptions *options = subject->options;
    if (!prepare(check))
        return false;
    if (options->baseline &&
        !found_read_baseline(options->baseline, subject->report, subject->scene,
                             subject->plan.parts, subject->known, check->error))
        return false;
    if (!read_size(check) || (options->is_baseline_rest && !read_rest(check)))
        return false;
    if (!read_samples(check))
        return false;
    if (!is_stopped(check) && !measure_rows(check))
        return false;
    if (atomic_load(&check->stopped) && !mark_incomplete(check))
        return false;
    return report_settle(subject->report) || no_memory(check);
}

static void release(Check *check)
{
    Subject *subject = &check->subject;
    for (int32_t w = 0; w < check->worker_count && check->workers; w++)
        worker_free(&check->workers[w]);
    for (int32_t i = 0; i < subject->report->pair_count; i++) {
        if (check->found)
            found_free(&check->found[i]);
        if (subject->known)
            face_pair_free(&subject->known[i]);
    }
    free(check->workers);
    free(check->failures);
    repeats_free(&check->repeats);
    estimate_free(&check->estimate);
    free(check->found);
    free(subject->known);
    shapes_free(&subject->shapes);
    plan_free(&subject->plan);
    pliant_pool_destroy(check->pool);
}

bool check_run(const Scene *scene, const char *file, const CheckOptions *options, Report *report,
               CheckContacts *contacts, char error[400])
{
    Check check = {.subject = {.scene = scene, .options = options, .report = report},
                   .contacts = options->keeps_contacts ? contacts : NULL,
                   .error = error};
    *report = (Report){0};
    if (contacts)
        *contacts = (CheckContacts){0};
    if (!plan_make(scene, options, &check.subject.plan, error))
        return false;
    const bool is_run =
        plan_report(&check.subject.plan, scene, file, options, report, error) && run(&check);
    release(&check);
    if (!is_run) {
        report_free(report);
        *report = (Report){0};
        if (contacts)
            check_contacts_free(contacts);
    }
    return is_run;
}

/* ---- For coming back to a sample ---------------------------------------------------------------
 */

bool check_pose(const Scene *scene, const CheckOptions *options, const Report *report,
                int64_t sample, ScenePose *pose_of, char error[400])
{
    Plan plan;
    if (sample < 0 || sample >= report->sample_count)
        return check_fail(error, "there is no sample %lld", (long long)sample);
    if (!plan_make(scene, options, &plan, error))
        return false;
    const bool is_same = plan.sample_count == report->sample_count;
    const bool is_posed = is_same ? plan_pose(&plan, options, sample, pose_of, error)
                                  : check_fail(error, "the report is of another check");
    plan_free(&plan);
    return is_posed;
}

int64_t scene_vertex_count(const Scene *scene)
{
    int64_t count = 0;
    for (int32_t p = 0; p < scene->part_count; p++)
        count += scene->parts[p].vertex_count;
    return count;
}
