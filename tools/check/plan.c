/* What a check covers: which parts, which clips with which morphs, which frames. See plan.h.
 *
 * A plan follows from the scene and the options alone, so that every shard has the same one, and so
 * has the code that comes back to a sample later. */
#include "check/plan.h"
#include "check/facing.h"
#include "check/rigid.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

CheckOptions check_options_default(void)
{
    return (CheckOptions){.last = -1,
                          .step = 1,
                          .has_volume = true,
                          .max_clearance = -1,
                          .jobs = 1,
                          .shard = 1,
                          .shard_count = 1};
}

bool check_fail(char error[400], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, 400, format, arguments);
    va_end(arguments);
    return false;
}

bool check_no_memory(char error[400])
{
    return check_fail(error, "there is no memory left");
}

/* ---- Morphs ---------------------------------------------------------------------------------- */

static bool is_swept(const CheckMorph *morph)
{
    return morph->step_count > 1;
}

/* From one end to the other in equal steps, both ends as they were given. */
static float weight_of(const CheckMorph *morph, int32_t step)
{
    const int32_t last = morph->step_count - 1;
    if (step <= 0)
        return morph->from;
    if (step >= last)
        return morph->to;
    return (float)(morph->from + ((double)morph->to - morph->from) * step / last);
}

/* The step of each swept morph is a digit of the combination's number, the last one the lowest. */
static int32_t step_of(const CheckOptions *options, int32_t combination, int32_t morph)
{
    for (int32_t m = options->morph_count - 1; m > morph; m--)
        if (is_swept(&options->morphs[m]))
            combination /= options->morphs[m].step_count;
    return combination % options->morphs[morph].step_count;
}

void plan_set_morphs(const CheckOptions *options, int32_t combination, ScenePose *pose)
{
    for (int32_t m = 0; m < options->morph_count; m++) {
        const CheckMorph *morph = &options->morphs[m];
        float weight = morph->from;
        if (is_swept(morph))
            weight = combination < 0 ? NAN : weight_of(morph, step_of(options, combination, m));
        scene_pose_set_morph(pose, morph->target, weight);
    }
}

static bool has_target(const Scene *scene, const char *target)
{
    for (int32_t p = 0; p < scene->part_count; p++)
        for (int32_t t = 0; t < scene->parts[p].target_count; t++)
            if (strcmp(scene->parts[p].target_names[t], target) == 0)
                return true;
    return false;
}

/* Steps that are the same number would be runs of the same name. */
static bool check_morph(const Scene *scene, const CheckOptions *options, int32_t m, char error[400])
{
    const CheckMorph *morph = &options->morphs[m];
    if (!has_target(scene, morph->target))
        return check_fail(error, "no part has a morph target \"%s\"", morph->target);
    if (!isfinite(morph->from) || !isfinite(morph->to))
        return check_fail(error, "the weight of \"%s\" is not a finite number", morph->target);
    for (int32_t other = 0; other < m; other++)
        if (strcmp(options->morphs[other].target, morph->target) == 0)
            return check_fail(error, "the weight of \"%s\" is given twice", morph->target);
    for (int32_t s = 1; s < morph->step_count; s++)
        if (weight_of(morph, s) == weight_of(morph, s - 1))
            return check_fail(error, "\"%s\" has more steps than there are weights", morph->target);
    return true;
}

enum { MAX_RUNS = 1 << 20 };

static bool count_combinations(const Scene *scene, const CheckOptions *options, Plan *plan,
                               char error[400])
{
    int64_t count = 1;
    for (int32_t m = 0; m < options->morph_count; m++) {
        if (options->morphs[m].step_count > MAX_RUNS)
            return check_fail(error, "there are more than %d runs", MAX_RUNS);
        if (!check_morph(scene, options, m, error))
            return false;
        if (is_swept(&options->morphs[m]))
            count *= options->morphs[m].step_count;
        if (count > MAX_RUNS)
            return check_fail(error, "there are more than %d runs", MAX_RUNS);
    }
    plan->combination_count = (int32_t)count;
    return true;
}

/* ---- Parts and clips -------------------------------------------------------------------------
 */

static bool matches_some(const char *const *globs, int32_t count, const char *name)
{
    for (int32_t g = 0; g < count; g++)
        if (glob_matches(globs[g], name))
            return true;
    return count == 0;
}

/* Do both names match, in either order? */
static bool matches_pair(const CheckAllow *allow, const char *a, const char *b)
{
    return (glob_matches(allow->a, a) && glob_matches(allow->b, b)) ||
           (glob_matches(allow->a, b) && glob_matches(allow->b, a));
}

/* A part, if b is NULL; or a pair of parts. */
static bool is_excluded(const CheckOptions *options, const char *a, const char *b)
{
    for (int32_t i = 0; i < options->exclude_count; i++) {
        const CheckAllow *exclude = &options->excludes[i];
        if (!b ? !exclude->b && glob_matches(exclude->a, a)
               : exclude->b && matches_pair(exclude, a, b))
            return true;
    }
    return false;
}

static bool choose_parts(const Scene *scene, const CheckOptions *options, Plan *plan,
                         char error[400])
{
    plan->parts = calloc((size_t)scene->part_count + 1, sizeof *plan->parts);
    if (!plan->parts)
        return check_no_memory(error);
    for (int32_t p = 0; p < scene->part_count; p++)
        if (matches_some(options->parts, options->part_glob_count, scene->parts[p].name) &&
            !is_excluded(options, scene->parts[p].name, NULL))
            plan->parts[plan->part_count++] = p;
    if (scene->part_count == 0)
        return check_fail(error, "there are no triangles to check");
    if (plan->part_count == 0 && options->part_glob_count > 0)
        return check_fail(error, "no part has a name like \"%s\"", options->parts[0]);
    if (plan->part_count == 0)
        return check_fail(error, "all parts are excluded");
    if (plan_pair_count(plan->part_count, true) > INT32_MAX / 4)
        return check_fail(error, "there are too many parts: %d", (int)plan->part_count);
    return true;
}

/* A clip is left out if it has none of the frames that are asked for. The rest pose has no frames
 * to choose from. */
static void choose_clip(const Scene *scene, const CheckOptions *options, int32_t clip, Plan *plan)
{
    PlanClip chosen = {.clip = clip, .rate = 1, .step = 1, .count = 1};
    if (clip >= 0) {
        const int32_t all = scene_clip_frames(&scene->clips[clip], options->rate, &chosen.rate);
        const int32_t low = scene_clip_first(&scene->clips[clip], chosen.rate);
        const int64_t end = (int64_t)low + all - 1;
        const int64_t last = options->last < 0 || options->last > end ? end : options->last;
        const int64_t before = low > options->first ? low - options->first : 0;
        const int64_t first =
            options->first + (before + options->step - 1) / options->step * options->step;
        chosen.start = scene->clips[clip].start - low / chosen.rate;
        chosen.first = (int32_t)first;
        chosen.step = options->step;
        chosen.count = last < first ? 0 : (int32_t)((last - first) / options->step + 1);
    }
    if (chosen.count > 0)
        plan->clips[plan->clip_count++] = chosen;
}

static bool choose_clips(const Scene *scene, const CheckOptions *options, Plan *plan,
                         char error[400])
{
    plan->clips = calloc((size_t)scene->clip_count + 1, sizeof *plan->clips);
    if (!plan->clips)
        return check_no_memory(error);
    for (int32_t c = -1; c < scene->clip_count; c++)
        if (matches_some(options->clips, options->clip_glob_count,
                         c < 0 ? "rest" : scene->clips[c].name))
            choose_clip(scene, options, c, plan);
    if (plan->clip_count == 0 && options->clip_glob_count > 0)
        return check_fail(error, "no animation like \"%s\" has such frames", options->clips[0]);
    if ((int64_t)plan->clip_count * plan->combination_count > MAX_RUNS)
        return check_fail(error, "there are more than %d runs", MAX_RUNS);
    for (int32_t c = 0; c < plan->clip_count; c++)
        plan->sample_count += (int64_t)plan->combination_count * plan->clips[c].count;
    return true;
}

static bool check_numbers(const CheckOptions *options, char error[400])
{
    if (options->step < 1 || options->first < 0)
        return check_fail(error, "frames %d:%d:%d are none", (int)options->first,
                          (int)options->last, (int)options->step);
    if (options->shard < 1 || options->shard > options->shard_count)
        return check_fail(error, "there is no shard %d of %d", (int)options->shard,
                          (int)options->shard_count);
    if (!(options->rate >= 0 && options->rate <= 1e6))
        return check_fail(error, "%g samples a second cannot be taken", options->rate);
    return true;
}

bool plan_make(const Scene *scene, const CheckOptions *options, Plan *plan, char error[400])
{
    *plan = (Plan){0};
    if (check_numbers(options, error) && count_combinations(scene, options, plan, error) &&
        choose_parts(scene, options, plan, error) && choose_clips(scene, options, plan, error))
        return true;
    plan_free(plan);
    return false;
}

void plan_free(Plan *plan)
{
    free(plan->parts);
    free(plan->clips);
    *plan = (Plan){0};
}

/* ---- Poses ----------------------------------------------------------------------------------- */

bool plan_pose(const Plan *plan, const CheckOptions *options, int64_t sample, ScenePose *pose,
               char error[400])
{
    const PlanClip *clip = plan->clips;
    while (sample >= (int64_t)plan->combination_count * clip->count) {
        sample -= (int64_t)plan->combination_count * clip->count;
        clip++;
    }
    const int32_t frame = clip->first + (int32_t)(sample % clip->count) * clip->step;
    plan_set_morphs(options, (int32_t)(sample / clip->count), pose);
    SceneError wrong;
    if (!scene_pose_at(pose, clip->clip, clip->start + frame / clip->rate, &wrong))
        return check_fail(error, "%s", wrong.text);
    return true;
}

/* ---- The report of it, before anything is found ------------------------------------------------
 */

/* The shortest text that is this number when it is read again. */
static void write_weight(char text[32], float weight)
{
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, 32, "%.*g", digits, (double)weight);
        if (strtof(text, NULL) == weight)
            return;
    }
}

/* The rest pose's name may be a clip's too. */
static bool is_clip_name(const Scene *scene, const char *name)
{
    for (int32_t c = 0; c < scene->clip_count; c++)
        if (strcmp(scene->clips[c].name, name) == 0)
            return true;
    return false;
}

static void write_clip_name(const Scene *scene, int32_t clip, FILE *out)
{
    char other[32];
    const char *name = clip < 0 ? "rest" : scene->clips[clip].name;
    fputs(name, out);
    if (clip < 0 || strcmp(name, "rest") != 0)
        return;
    for (int n = 2;; n++) {
        snprintf(other, sizeof other, "rest#%d", n);
        if (!is_clip_name(scene, other)) {
            fputs(other + strlen("rest"), out);
            return;
        }
    }
}

static char *run_name(const Scene *scene, const CheckOptions *options, int32_t clip,
                      int32_t combination)
{
    char *text = NULL, weight[32];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    write_clip_name(scene, clip, out);
    for (int32_t m = 0; m < options->morph_count; m++) {
        const CheckMorph *morph = &options->morphs[m];
        if (!is_swept(morph))
            continue;
        write_weight(weight, weight_of(morph, step_of(options, combination, m)));
        fprintf(out, " %s=%s", morph->target, weight);
    }
    const bool is_written = !ferror(out);
    if (fclose(out) == 0 && is_written)
        return text;
    free(text);
    return NULL;
}

static bool make_runs(const Plan *plan, const Scene *scene, const CheckOptions *options,
                      Report *report)
{
    const int32_t count = plan->clip_count * plan->combination_count;
    report->runs = calloc((size_t)count + 1, sizeof *report->runs);
    for (int32_t r = 0; r < count && report->runs; r++) {
        const PlanClip *clip = &plan->clips[r / plan->combination_count];
        ReportRun *run = &report->runs[r];
        *run =
            (ReportRun){.name = run_name(scene, options, clip->clip, r % plan->combination_count),
                        .start = clip->start,
                        .rate = clip->rate,
                        .first_frame = clip->first,
                        .frame_step = clip->step,
                        .frame_count = clip->count,
                        .first_sample = report->sample_count};
        report->run_count++;
        report->sample_count += clip->count;
        if (!run->name)
            return false;
    }
    return report->runs != NULL;
}

static bool make_parts(const Plan *plan, const Scene *scene, const CheckOptions *options,
                       Report *report)
{
    report->parts = calloc((size_t)plan->part_count, sizeof *report->parts);
    for (int32_t p = 0; p < plan->part_count && report->parts; p++) {
        const ScenePart *part = &scene->parts[plan->parts[p]];
        report->parts[p] = (ReportPart){.name = strdup(part->name),
                                        .vertex_count = part->vertex_count,
                                        .triangle_count = part->triangle_count,
                                        .is_two_sided = part_is_two_sided(part),
                                        .list = part_list(options, part->name)};
        report->part_count++;
        if (!report->parts[p].name)
            return false;
    }
    return report->parts != NULL;
}

static bool is_allowed(const CheckOptions *options, const char *a, const char *b)
{
    for (int32_t i = 0; i < options->allow_count; i++)
        if (matches_pair(&options->allows[i], a, b))
            return true;
    return false;
}

static bool is_self_checked(const Plan *plan, const CheckOptions *options)
{
    return options->self != CHECK_SELF_NONE && plan->part_count > 0;
}

static PairKind kind_of(const Plan *plan, const Scene *scene, const CheckOptions *options,
                        const PartMotion *motions, int32_t a, int32_t b)
{
    const ScenePart *x = &scene->parts[plan->parts[a]], *y = &scene->parts[plan->parts[b]];
    if (is_excluded(options, x->name, y->name))
        return PAIR_EXCLUDED;
    if (a != b && parts_are_alternatives(options, x->name, y->name))
        return PAIR_ALTERNATIVE;
    if (a == b && !motions[a].is_deformed && options->self == CHECK_SELF_DEFORMED &&
        plan->part_count > 1)
        return PAIR_UNDEFORMED;
    return motions_are_rigid(&motions[a], &motions[b]) ? PAIR_RIGID : PAIR_CHECKED;
}

static bool make_pairs(const Plan *plan, const Scene *scene, const CheckOptions *options,
                       Report *report)
{
    const int64_t count = plan_pair_count(report->part_count, report->has_self);
    PartMotion *motions = calloc((size_t)plan->part_count + 1, sizeof *motions);
    report->pairs = calloc((size_t)count + 1, sizeof *report->pairs);
    const bool is_made = motions && report->pairs &&
                         motions_find(scene, options, plan->parts, plan->part_count, motions);
    for (int32_t a = 0; a < report->part_count && is_made; a++)
        for (int32_t b = report->has_self ? a : a + 1; b < report->part_count; b++)
            report->pairs[report->pair_count++] = (ReportPair){
                .a = a,
                .b = b,
                .kind = kind_of(plan, scene, options, motions, a, b),
                .is_allowed = is_allowed(options, report->parts[a].name, report->parts[b].name),
                .clearance = -1};
    free(motions);
    return is_made;
}

/* Joints of regions are named by the numbers of nodes. */
static bool make_joints(const Scene *scene, Report *report)
{
    report->joints = calloc((size_t)scene->node_count + 1, sizeof *report->joints);
    for (int32_t i = 0; i < scene->node_count && report->joints; i++) {
        if (!(report->joints[i] = strdup(scene->nodes[i].name ? scene->nodes[i].name : "")))
            return false;
        report->joint_count++;
    }
    return report->joints != NULL;
}

static const char *baseline_name(const CheckOptions *options)
{
    if (options->baseline)
        return options->baseline_name ? options->baseline_name : options->baseline->file;
    return options->is_baseline_rest ? "rest" : "none";
}

bool plan_report(const Plan *plan, const Scene *scene, const char *file,
                 const CheckOptions *options, Report *report, char error[400])
{
    *report = (Report){.file = strdup(file),
                       .format = strdup(scene->format),
                       .baseline = strdup(baseline_name(options)),
                       .unit = strdup(options->unit ? options->unit : ""),
                       .settings = strdup(options->settings ? options->settings : ""),
                       .max_depth = options->max_depth,
                       .max_cut = options->max_cut,
                       .max_clearance = options->max_clearance,
                       .max_pairs = options->max_pairs,
                       .is_all_measured = options->depth == CHECK_DEPTH_ALL,
                       .has_self = is_self_checked(plan, options),
                       .shard = options->shard,
                       .shard_count = options->shard_count};
    if (report->file && report->format && report->baseline && report->unit && report->settings &&
        make_parts(plan, scene, options, report) && make_runs(plan, scene, options, report) &&
        make_pairs(plan, scene, options, report) && make_joints(scene, report))
        return true;
    report_free(report);
    return check_no_memory(error);
}
