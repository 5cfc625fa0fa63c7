/* read_json: a report out of JSON that has been parsed. For this folder alone. */
#ifndef TOOLS_READ_JSON_H
#define TOOLS_READ_JSON_H

#include "report/report.h"

#include <jansson.h>

/* As report_read_json(). */
bool report_read_object(json_t *root, Report *report, char error[400]);

#endif
