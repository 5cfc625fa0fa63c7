/* say: how the command speaks on stderr, and how it ends when it is interrupted.
 *
 * Errors are one line, "pliant: ...". Names in them come out of files, so they are made fit for a
 * terminal.
 */
#ifndef TOOLS_SAY_H
#define TOOLS_SAY_H

#include <stdbool.h>

void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on errors go into `text` (SAY_ROOM bytes, each over the one before) instead of stderr;
 * NULL: to stderr again. For one thread. */
enum { SAY_ROOM = 2000 };
void say_into(char *text);

/* From now on an interrupt removes the file that is half written, clears the line that has no end,
 * and ends the program. */
void say_watch_signals(void);

/* While a check runs, the first interrupt only asks it to end, so that what was found can be told;
 * the second one ends the program as above. */
void say_catch_interrupts(bool are_caught);
bool say_is_interrupted(void);

/* Ends the program as the interrupt would have, if there was one: for the end of main(). */
void say_end_interrupted(void);

/* Is there a line on stderr that has no end yet? */
void say_set_line(bool has_line);

#endif
