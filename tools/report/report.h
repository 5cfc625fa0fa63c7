/* report: what a check found, as data.
 *
 * Everything that is written (the table, JSON, CSV, JUnit, the face list, the page) is a function
 * of a Report and of nothing else, so that a report read back, or shards merged, give the same
 * bytes. No times of day, no paths but the one given, no durations.
 *
 * A report is: the parts, the samples (moments checked), and for each pair of parts the rows:
 * what was found at which sample. First, worst and verdict are computed from rows when they are
 * written.
 */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define REPORT_SCHEMA "pliant-report/3"

enum {
    REPORT_MAX_SHARES = 4,   /* joints that are named for a side of a region */
    REPORT_MAX_REGIONS = 64, /* regions that are listed for a row; the others are counted */
    REPORT_MEASURED = 8,     /* rows of a pair that are measured first, unless all are */
    REPORT_MAX_MEASURED = 24 /* and then some more, up to this or one more */
};

typedef struct ReportPart {
    char *name;
    int32_t vertex_count, triangle_count;
    bool is_closed;
    bool is_two_sided; /* every triangle is there twice, once facing each way */
    int32_t list;      /* of --alternatives that it is in, from 1 on; 0: none */
} ReportPart;

/* A run of moments: a clip (or the rest pose) with one setting of the morphs that are swept. */
typedef struct ReportRun {
    char *name;         /* "rest", "Walk", "Walk belly=0.5": of no other run */
    double start, rate; /* frame k of the run is at start + k / rate seconds */
    int32_t first_frame, frame_step,
        frame_count;      /* sample i of the run is frame first + i * step */
    int64_t first_sample; /* number of its first sample among all */
} ReportRun;

/* How much of a side of a region a joint moves: its part of the sum of all weights of vertices. */
typedef struct ReportShare {
    int32_t joint; /* in Report.joints */
    double share;  /* 0 to 1 */
} ReportShare;

/* A place where two parts, or a part and itself, are inside each other at one sample: a region of
 * pliant/regions.h. Side 0 is of part a, side 1 of part b; of a self-collision, of both sheets. */
typedef struct ReportRegion {
    double depth, max_depth; /* the greatest distance from the other surface, over all points of the
                                side that is inside: at least and at most */
    double known_depth; /* how deep it was in the baseline, where it is deepest now: depth is what
                           is more than that, and max_depth is of both */
    double areas[2];    /* of each side, what is cut off */
    int32_t inner;      /* the side that is inside, and deeper */
    bool is_solid;      /* the other surface is closed, and so has an inside */
    double shown;       /* how much of its curve one sees from outside, 0 to 1; -1: not measured */
    bool is_poking;     /* the other side sticks out through this one: a knee through trousers */
    double deepest[3];  /* a point of the inner side that is so deep, and */
    double closest[3];  /* the closest point of the other surface */
    int32_t deepest_triangle, closest_triangle; /* that these are on */
    int32_t share_counts[3];
    ReportShare shares[3][REPORT_MAX_SHARES]; /* of each side, and of those together that are
                                                 inside; the greatest first */
} ReportRegion;

typedef enum ReportContained {
    CONTAINED_NONE = 0,
    CONTAINED_A = 1,
    CONTAINED_B = 2
} ReportContained;

/* What was found for one pair of parts at one sample; there is no row where nothing was. A row that
 * is measured has a depth and regions; which rows are, report_choose() says. */
typedef struct ReportRow {
    int64_t sample;
    int64_t pairs;     /* pairs of triangles that share a point */
    int64_t new_pairs; /* of these: not in the baseline (all, without one) */
    bool goes_through; /* an edge of a new pair goes through the inside of its other triangle */
    int32_t contained; /* ReportContained: a part that is inside the other, or a piece of it; then
                          pairs is 0 */

    bool is_measured;        /* the rest is there */
    double depth, max_depth; /* of the deepest new region, at least and at most; 0: they touch. Of
                                what is contained: over its vertices */
    double cut;              /* the greatest extent of a curve that divides neither surface, so that
                                neither has a side that is inside and there is no depth; 0: none */
    bool is_solid;           /* something is inside a closed surface */
    bool is_coincident;      /* surfaces lie in each other, facing the same way */
    int32_t region_count;    /* new ones, the deepest first: those that are deeper than a thousandth
                                of the model's size and a sixth of the deepest, and always one */
    int32_t small_count;     /* the others */
    ReportRegion *regions;

    double shown; /* how much one sees, 0 to 1, of the place of the greatest depth times that;
                     -1: it was not measured */

    double volume; /* in common, where both are closed and it was measured; -1: not */
    double volume_error;
} ReportRow;

/* Why a pair of parts is not checked, or not at every sample. */
typedef enum PairKind {
    PAIR_CHECKED,
    PAIR_RIGID,       /* no clip moves one against the other: checked at the first sample alone */
    PAIR_EXCLUDED,    /* by --exclude */
    PAIR_ALTERNATIVE, /* by --alternatives: they are never worn together */
    PAIR_UNDEFORMED   /* a part and itself that nothing deforms */
} PairKind;

/* Two parts, a <= b; a == b is the self-collision of a part. Faces are numbers of triangles of
 * parts. */
typedef struct ReportPair {
    int32_t a, b;
    PairKind kind;
    bool is_allowed;  /* by --allow: shown, but not counted */
    double clearance; /* of a pair that never touches: how near it comes; -1: farther than is
                         asked for, or nothing is */
    int64_t clearance_sample; /* where that is: the first of the nearest */
    int64_t row_count;
    ReportRow *rows; /* by rising sample */
    /* Triangles that touched the other part in some sample: rising. Of a self-collision both are
     * the same, and only a_faces is there. */
    int64_t a_face_count, b_face_count;
    int32_t *a_faces, *b_faces;
} ReportPair;

typedef struct Report {
    char *file; /* as it was given */
    char *format;
    char *baseline;             /* "none", "rest", or the name of a report */
    char *unit;                 /* of lengths: "m", "cm", "mm", "in", "ft", or "" if not known */
    char *settings;             /* that change what is checked, as in a config file, "; " between */
    double size;                /* the diagonal of the box of all parts in the rest pose */
    double max_depth;           /* what is asked: deeper is a finding; not negative */
    double max_cut;             /* likewise: of a cut without a depth, a longer one is */
    double max_clearance;       /* pairs that come nearer are told; negative: none */
    bool is_all_measured;       /* every row is, as was asked for; else see report_choose() */
    int64_t max_pairs;          /* more new pairs than this in a sample are a finding */
    bool has_self;              /* self-collision of parts was checked */
    int32_t shard, shard_count; /* 1/1: whole */
    int32_t part_count, run_count, pair_count;
    ReportPart *parts;
    ReportRun *runs;
    ReportPair *pairs; /* every pair, by a, then b */
    char **joints;     /* names that regions refer to */
    int32_t joint_count;
    int64_t sample_count; /* of all shards */
    int64_t tested_count; /* samples that were checked in this one */
    char *incomplete;     /* why there are not all samples of the shard among them, or NULL */
} Report;

void report_free(Report *report); /* what it holds, not itself */

/* ---- What follows from the rows: verdict.c --------------------------------------------------- */

typedef enum Verdict {
    VERDICT_CLEAN,      /* no point of one surface is on the other, or inside of it */
    VERDICT_TOUCHING,   /* surfaces share points, and no point of one is inside the other */
    VERDICT_COINCIDENT, /* surfaces lie in each other, facing the same way, and nothing is deeper */
    VERDICT_CONTAINED, /* surfaces share no point, and one, or a piece of it, is inside the other */
    VERDICT_INTERSECTING, /* surfaces go through each other, and what is behind is not closed */
    VERDICT_PENETRATING   /* part of a surface is inside a closed one */
} Verdict;

const char *verdict_word(Verdict verdict);
Verdict row_verdict(const ReportRow *row);

/* Does its verdict need a depth? What goes through intersects. What does not may touch, or overlap
 * where faces are aligned. */
bool row_needs_depth(const ReportRow *row);

typedef struct Summary {
    Verdict verdict; /* of what is new */
    int64_t first;   /* sample of the first row that counts, -1: none */
    int64_t worst;   /* of the samples that are measured, if there are some: the deepest, with the
                        longest cut, of the worst verdict, of most new pairs, the earliest; -1 */
    const ReportRow *worst_row;
    int64_t sample_count;        /* samples with rows that count */
    int64_t measured_count;      /* of these */
    int64_t max_pairs;           /* new, at the worst sample */
    double max_depth;            /* at the worst sample: at least */
    double volume, volume_error; /* largest that was measured, -1: none */
    bool is_finding;             /* not allowed, and in some sample over both thresholds */
} Summary;

Summary pair_summary(const Report *report, const ReportPair *pair);

/* Does it say something: are there new pairs, or is a part contained? Not if it is measured, and
 * nothing is deeper than in the baseline. */
bool row_counts(const ReportRow *row);

/* Is a row worse than another of its pair, or the first one that is asked about (NULL)? Rows that
 * count are, then those that are measured; then goes what is said of Summary.worst. Of equals none
 * is worse. */
bool row_is_worse(const ReportRow *row, const ReportRow *than);

/* Chooses rows of a pair that are to be measured next, knowing the measures of those before: all,
 * if that is asked for, in a shard, or if it takes little. Else first those of most new pairs, one
 * of each run, at most REPORT_MEASURED; then, around the deepest so far, rows 5 and 1 to either
 * side, up to some REPORT_MAX_MEASURED. If none of these is deeper than in the baseline, all; and
 * if none is a finding, all that would be findings without a measure. Sets is_chosen[i] of each
 * row, and returns how many are new; 0: there is nothing more to measure. Goes by the measures of
 * chosen rows alone, so that it can be repeated on a report that has more. */
int64_t report_choose(const Report *report, const ReportPair *pair, bool *is_chosen);

/* What measuring a row takes, in triangles: those of both parts, which a search may go over, and
 * several times those that intersect. */
int64_t report_row_cost(const Report *report, const ReportPair *pair, const ReportRow *row);

/* What measuring a pair takes, about, that has so many rows of so much cost together. */
double report_measure_cost(const Report *report, double row_count, double cost);

/* Leaves measures in the chosen rows and in no other, and of a whole report a volume in the row of
 * each pair's worst sample, and there, if it is a finding, how much is shown. A shard chooses among
 * its own rows alone: so every check and every merge ends with this, and the whole of shards is
 * what the whole run gives. False: no memory. */
bool report_settle(Report *report);

/* What is measured of a row: all but what reading its sample gave. A copy has regions of its own.
 * False: no memory. */
void row_clear_measure(ReportRow *row);
bool row_copy_measure(const ReportRow *from, ReportRow *to);

/* Cuts digits that say nothing off the measures of a row, so that reports are short: depths,
 * lengths and areas keep six, points seven, shares of joints four. Depth is rounded down and
 * max_depth up: they stay bounds. */
void row_round_measure(ReportRow *row);

const char *pair_kind_word(PairKind kind);

/* How many pairs of parts were checked. */
int64_t report_checked_count(const Report *report);

/* The number of a joint's name, which is added if it is new; -1: no memory. */
int32_t report_joint(Report *report, const char *name);

/* Pairs of a report from worst to best: findings first, what is allowed last; then what one sees
 * from outside, and what nobody sees; then by the depth that shows, which is the greatest product
 * of a place's depth and share; by depth; the same of the extent of cuts without a depth; by
 * verdict, pairs, and as they stand. What was not measured counts as seen. Room for pair_count
 * numbers. */
bool report_order(const Report *report, int32_t *order); /* false: no memory */

/* Pairs of parts that are findings; those with alternatives of one list are one together. */
int64_t report_findings(const Report *report);

/* Marks pairs that tables leave out: another pair, of alternatives of the same lists, is worse.
 * Goes by an order of report_order(). Room for pair_count. */
void report_fold(const Report *report, const int32_t *order, bool *is_folded);

/* The run, and the frame in it and its time, of a sample. */
const ReportRun *report_run_of(const Report *report, int64_t sample);
int32_t report_frame_of(const ReportRun *run, int64_t sample);
double report_time_of(const ReportRun *run, int64_t sample);

/* ---- Written and read ------------------------------------------------------------------------ */

/* All return false if the stream failed. */
bool report_write_json(const Report *report, FILE *out);
bool report_write_csv(const Report *report, FILE *out);        /* a line for each stretch of rows */
bool report_write_csv_frames(const Report *report, FILE *out); /* a line for each row */
bool report_write_junit(const Report *report, FILE *out); /* a test case for each pair of parts */
/* Pieces of them, for several reports in one file: reports.c. */
void report_write_csv_head(bool is_by_frame, FILE *out);
bool report_write_csv_rows(const Report *report, bool is_by_frame, FILE *out);
bool report_write_suite(const Report *report, FILE *out); /* of JUnit */
bool report_write_faces(const Report *report,
                        FILE *out); /* JSON: for each part, its triangles by the part they touch */

typedef struct TableOptions {
    bool has_color;
    int32_t width; /* columns of the terminal; 0: as wide as it likes */
    bool is_all;   /* also pairs that are clean */
    bool has_page; /* written, or not in this build: it is not what to try next */
    /* What stood behind "pliant check", which is repeated in what to try next; 0: the file alone */
    const char *const *words;
    int32_t word_count;
} TableOptions;

bool report_write_table(const Report *report, const TableOptions *options, FILE *out);

/* Reads JSON that report_write_json() wrote. Anything else is refused: a sentence is put into error
 * (400 characters). The file is not trusted. */
bool report_read_json(const char *bytes, size_t byte_count, Report *report, char error[400]);

/* Shards of one check, in any order, into the whole. The same bytes as the whole run gives. */
bool report_merge(const Report *shards, int32_t count, Report *whole, char error[400]);

/* What changed from one report to another, for a reader; returns whether something got worse. */
typedef enum DiffResult { DIFF_SAME, DIFF_BETTER, DIFF_WORSE, DIFF_FAILED } DiffResult;
DiffResult report_diff(const Report *before, const Report *after, const TableOptions *options,
                       FILE *out);

#endif
