/* check: every moment of a scene, every pair of its parts, through the library.
 *
 * A check makes a shape of each part, once, and a body of it for each worker, then poses the bodies
 * at each sample and asks which triangles intersect. This folder sees the scene, the public headers
 * and the report, and writes nothing: reports are data.
 */
#ifndef TOOLS_CHECK_H
#define TOOLS_CHECK_H

#include "report/report.h"
#include "scene/scene.h"

/* "body*:shoes*": names of parts as globs (* ? [a-z]); in either order. */
typedef struct CheckAllow {
    const char *a, *b;
} CheckAllow;

/* A target's weight: held (from == to, one step), or one run for each step from one end to the
 * other. */
typedef struct CheckMorph {
    const char *target;
    float from, to;
    int32_t step_count;
} CheckMorph;

/* Which rows are measured: some of each pair (report_choose); all; or none, but of pairs whose
 * verdict needs a depth. */
typedef enum CheckDepth { CHECK_DEPTH_WORST, CHECK_DEPTH_ALL, CHECK_DEPTH_NONE } CheckDepth;

/* Of which parts self-collision is checked: those that something deforms, or the only one; none; or
 * all. */
typedef enum CheckSelf { CHECK_SELF_DEFORMED, CHECK_SELF_NONE, CHECK_SELF_ALL } CheckSelf;

/* How far a check is. Depths are measured when all samples are done. */
typedef struct CheckProgress {
    int64_t done, all; /* samples */
    bool is_measuring;
    const struct Estimate *estimate;
} CheckProgress;

/* Seconds, about: by counted work, and by what the work took so far. Negative: not known yet. */
double check_seconds_left(const CheckProgress *progress);

typedef struct CheckOptions {
    const char *const *parts; /* globs of those checked; none: all */
    int32_t part_glob_count;
    const char *const *clips; /* likewise, of clips; "rest" is the rest pose */
    int32_t clip_glob_count;
    const CheckAllow *allows;
    int32_t allow_count;
    const CheckAllow *excludes; /* pairs that are not checked; without b: parts */
    int32_t exclude_count;
    const char *const *alternatives; /* lists of globs, "Sword*,*Shield": parts that match globs of
                                        one list are never there together */
    int32_t alternative_count;
    const CheckMorph *morphs;
    int32_t morph_count;
    double rate;               /* samples a second; 0: the file's own, or 30 */
    int32_t first, last, step; /* frames of each clip; last -1: to the end */
    CheckSelf self;
    CheckDepth depth;
    bool has_volume;           /* volumes in common at each pair's worst sample */
    const Report *baseline;    /* a stored report, or NULL */
    const char *baseline_name; /* that the new report gives it; NULL: the file that it is of */
    bool is_baseline_rest;
    int64_t max_pairs;
    double max_depth;     /* a finding is deeper; not negative */
    double max_cut;       /* and without a depth, longer; not negative */
    double max_clearance; /* pairs that never touch are told if they come nearer; negative: none */
    const char *unit;     /* of lengths in the file; NULL: not known */
    const char *settings; /* that the report names; NULL: none */
    int32_t shard, shard_count; /* 1 of 1 */
    bool is_eager;              /* for measurement: every vertex evaluated, every tree refitted */
    bool is_every_pose;         /* for measurement: also those that came before are checked */
    bool keeps_contacts;        /* see CheckContacts */
    bool keeps_depths;          /* and its depths: for a page */
    int32_t jobs;               /* threads; 0: one for each processor. No answer depends on it */
    /* Told after each sample, in order, and after measures of any kind: of several that end at a
     * time once. By any thread, one at a time; false ends the check, as `stop` does. May be NULL.
     */
    bool (*progress)(void *user, const CheckProgress *progress);
    void *user;
    /* Asked often, by any thread: why the check is to end now, with what was found so far, or NULL.
     * Once it has said so, it goes on saying so. May be NULL. */
    const char *(*stop)(void *user);
} CheckOptions;

CheckOptions check_options_default(void);

/* The new pairs of triangles of one pair of parts at one sample: triangle of a, triangle of b. */
typedef struct CheckContact {
    int64_t sample;
    int32_t pair;  /* of the report */
    int64_t first; /* place in triangles; samples of one pose share it */
    int64_t count; /* pairs, two numbers there for each */
} CheckContact;

/* A vertex that is inside, and how deep: see check/cut.h. */
typedef struct CheckVertex {
    int32_t vertex;
    float depth;
} CheckVertex;

/* The vertices that are inside, of one pair of parts at one sample that was measured. */
typedef struct CheckInside {
    int64_t sample;
    int32_t pair;      /* of the report */
    int64_t first;     /* place in vertices: those of a, then those of b, both rising */
    int32_t counts[2]; /* of a self-collision all are of a */
} CheckInside;

typedef struct CheckInsides {
    CheckInside *items; /* by pair, then sample */
    int64_t count, capacity;
    CheckVertex *vertices;
    int64_t vertex_count, vertex_capacity;
} CheckInsides;

typedef struct CheckContacts {
    CheckContact *items; /* by sample, then pair; their triangles are in any order */
    int64_t count, capacity;
    int32_t *triangles;
    int64_t triangle_count, triangle_capacity;
    CheckInsides insides; /* of rows with new pairs and a depth; none unless depths are kept */
} CheckContacts;

void check_contacts_free(CheckContacts *contacts);

/* Runs it. A check that was ended early has a report with tested_count samples, which says why:
 * `incomplete`. `contacts` is filled if it is kept, and may be NULL. False: the error says why, and
 * the report is empty. */
bool check_run(const Scene *scene, const char *file, const CheckOptions *options, Report *report,
               CheckContacts *contacts, char error[400]);

/* How many threads a check has that is given so many jobs. */
int32_t check_job_count(int32_t jobs);

/* Poses the scene at a sample of a report that a check of it made (its run's clip and morphs). */
bool check_pose(const Scene *scene, const CheckOptions *options, const Report *report,
                int64_t sample, ScenePose *pose, char error[400]);

/* Of all parts. */
int64_t scene_vertex_count(const Scene *scene);

/* The node that two parts are held by, as by a hand: the joint that moves all of both, or the node
 * that both of theirs are children of. It moves no vertex of a part that several joints move, and
 * something above it does. -1: there is none. */
int32_t check_slot(const Scene *scene, int32_t a, int32_t b);

bool glob_matches(const char *glob, const char *name);

#endif
