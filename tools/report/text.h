/* text: names out of files, made fit for where they are written.
 *
 * A name may hold anything: bytes that are no UTF-8, control characters, quotes. Each writer takes
 * names through here, and all replace bytes that are no UTF-8 by U+FFFD, so that a report gives the
 * same bytes whether it was just made or read back.
 */
#ifndef TOOLS_TEXT_H
#define TOOLS_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The next character and where the one behind it begins; a byte that begins none is U+FFFD. */
const char *text_next(const char *at, uint32_t *code);

void text_write_json(const char *text, FILE *out);       /* in quotes */
void text_write_json_inner(const char *text, FILE *out); /* without them */
void text_write_xml(const char *text, FILE *out);        /* for content and for attributes in "" */
/* A relative address: all that means something in one is by its number. */
void text_write_url(const char *path, FILE *out);
/* In quotes where it needs them; behind "'" where a spreadsheet would take it for a formula. */
void text_write_csv(const char *text, FILE *out);

/* For a terminal: without control characters, and without those that turn the direction of what
 * follows. */
void text_write_plain(const char *text, FILE *out);

/* The shortest decimal that reads back as the same double; "null" for what is not finite. */
void text_write_number(double number, FILE *out);

/* The nearest number of so many decimal digits; below (direction -1) or above (1) it at most. */
double text_round(double number, int digits, int direction);

/* For people: `digits` significant ones. */
void text_format_number(double number, int digits, char text[32]);

/* Columns that a terminal gives to a text. */
int text_width(const char *text);

/* Writes a text in exactly `width` columns, with an ellipsis in it where it is longer; of width 0,
 * as it is. To the right of its column if is_right. */
void text_write_cell(const char *text, int width, bool is_right, FILE *out);

#endif
