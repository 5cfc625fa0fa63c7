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

#define REPORT_SCHEMA "pliant-report/1"

typedef struct ReportPart {
    char *name;
    int32_t vertex_count, triangle_count;
    bool is_closed;
} ReportPart;

/* A run of moments: a clip (or the rest pose) with one setting of the morphs that are swept. */
typedef struct ReportRun {
    char *name;         /* "rest", "Walk", "Walk belly=0.5": of no other run */
    double start, rate; /* frame k of the run is at start + k / rate seconds */
    int32_t first_frame, frame_step,
        frame_count;      /* sample i of the run is frame first + i * step */
    int64_t first_sample; /* number of its first sample among all */
} ReportRun;

/* What was found for one pair of parts at one sample; there is no row where nothing was. */
typedef struct ReportRow {
    int64_t sample;
    int64_t pairs;     /* pairs of triangles that share a point */
    int64_t new_pairs; /* of these: not in the baseline (all, without one) */
    double depth;      /* of the new pairs: how far the deepest two triangles would have to move
                          apart, in the file's units; 0: they only touch */
    double volume;     /* in common, where both are closed and it was measured; -1: not */
    double volume_error;
} ReportRow;

/* Two parts, a <= b; a == b is the self-collision of a part. Faces are numbers of triangles of
 * parts. */
typedef struct ReportPair {
    int32_t a, b;
    bool is_allowed; /* by --allow: shown, but not counted */
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
    double max_depth;           /* what is asked: deeper is a finding; negative: any depth */
    int64_t max_pairs;          /* more new pairs than this in a sample are a finding */
    bool has_self;              /* self-collision of parts was checked */
    int32_t shard, shard_count; /* 1/1: whole */
    int32_t part_count, run_count, pair_count;
    ReportPart *parts;
    ReportRun *runs;
    ReportPair *pairs;    /* every pair that was checked, by a, then b */
    int64_t sample_count; /* of all shards */
    int64_t tested_count; /* samples that were checked in this one */
    char *incomplete;     /* why there are not all samples of the shard among them, or NULL */
} Report;

void report_free(Report *report); /* what it holds, not itself */

/* ---- What follows from the rows: verdict.c --------------------------------------------------- */

typedef enum Verdict {
    VERDICT_CLEAN,        /* nothing new intersects */
    VERDICT_TOUCHING,     /* triangles share points, and none goes through another: depth 0 */
    VERDICT_INTERSECTING, /* triangles go through triangles */
    VERDICT_PENETRATING   /* so do solids: a volume in common, beyond its error, was measured */
} Verdict;

const char *verdict_word(Verdict verdict);

typedef struct Summary {
    Verdict verdict; /* of what is new */
    int64_t first;   /* sample of the first new pair, -1: none */
    int64_t worst;   /* of samples that more than touch, if there are any, that of most new pairs,
                        the deeper and then the earlier of equals; -1 */
    const ReportRow *worst_row;
    int64_t sample_count;        /* samples with new pairs */
    int64_t max_pairs;           /* new, at the worst sample */
    double max_depth;            /* in any sample */
    double volume, volume_error; /* largest that was measured, -1: none */
    bool is_finding;             /* not allowed, and in some sample over both thresholds */
} Summary;

Summary pair_summary(const Report *report, const ReportPair *pair);

/* Leaves a volume in the row of each pair's worst sample and in no other. Volumes are measured
 * where a pair is worst, but a shard knows only its own worst: so every check and every merge ends
 * with this, and the whole of shards is what the whole run gives. */
void report_settle(Report *report);

/* Pairs of a report from worst to best: findings first, what is allowed last, then by verdict,
 * depth, pairs, and as they stand. Room for pair_count numbers. */
bool report_order(const Report *report, int32_t *order); /* false: no memory */

int64_t report_findings(const Report *report); /* pairs that are findings */

/* The run, and the frame in it and its time, of a sample. */
const ReportRun *report_run_of(const Report *report, int64_t sample);
int32_t report_frame_of(const ReportRun *run, int64_t sample);
double report_time_of(const ReportRun *run, int64_t sample);

/* ---- Written and read ------------------------------------------------------------------------ */

/* All return false if the stream failed. */
bool report_write_json(const Report *report, FILE *out);
bool report_write_csv(const Report *report, FILE *out);   /* a line for each row */
bool report_write_junit(const Report *report, FILE *out); /* a test case for each pair of parts */
/* Pieces of them, for several reports in one file: reports.c. */
void report_write_csv_head(FILE *out);
void report_write_csv_rows(const Report *report, FILE *out);
void report_write_suite(const Report *report, FILE *out); /* of JUnit */
bool report_write_faces(const Report *report,
                        FILE *out); /* JSON: for each part, its triangles by the part they touch */

typedef struct TableOptions {
    bool has_color;
    int32_t width; /* columns of the terminal; 0: as wide as it likes */
    bool is_all;   /* also pairs that are clean */
    bool has_page; /* the page was written: it is not what to try next */
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
