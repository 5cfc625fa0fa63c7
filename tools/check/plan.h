/* What a check covers, and in which order: for this folder alone. */
#ifndef TOOLS_PLAN_H
#define TOOLS_PLAN_H

#include "check/check.h"

/* Writes the sentence and returns false. */
bool check_fail(char error[400], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Likewise: "there is no memory left". */
bool check_no_memory(char error[400]);

/* A clip (-1: the rest pose) and its frames that are checked. */
typedef struct PlanClip {
    int32_t clip;
    double start, rate;
    int32_t first, step, count; /* frames */
} PlanClip;

/* Runs are each clip with each combination of the morphs that are swept, the last morph changing
 * fastest: run r is clip r / combination_count with combination r % combination_count. */
typedef struct Plan {
    int32_t part_count;
    int32_t *parts; /* of the scene, rising */
    int32_t clip_count;
    PlanClip *clips;
    int32_t combination_count;
    int64_t sample_count;
} Plan;

/* False, and nothing is held: the options do not fit the scene, or there is no memory. */
bool plan_make(const Scene *scene, const CheckOptions *options, Plan *plan, char error[400]);
void plan_free(Plan *plan);

/* Which pairs of parts there are is a matter of their number alone: by a, then b. */
static inline int64_t plan_pair_count(int64_t part_count, bool has_self)
{
    return has_self ? part_count * (part_count + 1) / 2 : part_count * (part_count - 1) / 2;
}

static inline int64_t plan_pair_of(int64_t part_count, bool has_self, int64_t a, int64_t b)
{
    return has_self ? a * (2 * part_count - a + 1) / 2 + (b - a)
                    : a * (2 * part_count - a - 1) / 2 + (b - a - 1);
}

/* The plan as a report without findings: parts, runs, pairs, thresholds. */
bool plan_report(const Plan *plan, const Scene *scene, const char *file,
                 const CheckOptions *options, Report *report, char error[400]);

/* Sets the morphs of a combination, or, with -1, only those that are held. */
void plan_set_morphs(const CheckOptions *options, int32_t combination, ScenePose *pose);

/* The pose of a sample. */
bool plan_pose(const Plan *plan, const CheckOptions *options, int64_t sample, ScenePose *pose,
               char error[400]);

#endif
