/* reports: several files that were checked in one call, as one table, one JSON, one page.
 *
 * A file that could not be read is one of them: it has an error instead of a report.
 */
#ifndef TOOLS_REPORTS_H
#define TOOLS_REPORTS_H

#include "report/report.h"

typedef struct ReportFile {
    const char *file;
    const Report *report; /* or NULL: */
    const char *error;    /* why there is none */
    const char *page;     /* of the file, from where the index is; NULL: none */
    const uint8_t *picture;
    size_t picture_size; /* bytes of a PNG; 0: none */
} ReportFile;

/* All files at once; or, where these are too many to be held, a function that reads one, which
 * stays until the next is read. */
typedef struct Reports {
    const ReportFile *files; /* or NULL: */
    int32_t count;
    const ReportFile *(*read)(void *user, int32_t number);
    void *user;
    const char *folder; /* of SARIF: what is in it is told as from there; NULL: as it was given */
} Reports;

static inline const ReportFile *reports_file(const Reports *reports, int32_t number)
{
    return reports->files ? &reports->files[number] : reports->read(reports->user, number);
}

/* All return false if the stream or memory failed. */
bool reports_write_table(const Reports *reports, const TableOptions *options, FILE *out);
bool reports_write_json(const Reports *reports, FILE *out); /* "pliant-reports/1" */
bool reports_write_one(const ReportFile *file, FILE *out);  /* what that has of one file */
bool reports_write_csv(const Reports *reports, FILE *out);
bool reports_write_csv_frames(const Reports *reports, FILE *out);
bool reports_write_junit(const Reports *reports, FILE *out); /* a suite for each file */
bool reports_write_faces(const Reports *reports, FILE *out);
bool reports_write_sarif(const Reports *reports, FILE *out); /* sarif.c */
bool reports_write_index(const Reports *reports, FILE *out); /* index.c: a page, HTML */

/* The pair of parts that is worst, or -1: nothing was found. -2: no memory. */
int32_t report_worst_pair(const Report *report);

#endif
