/* Names by patterns: * is anything, ? one character, [a-z] one of these, [!a-z] none of them. All
 * of a name has to match, upper and lower case differ. */
#include "check/check.h"

#include <stddef.h>

/* Is the character in the set that begins behind a bracket? *end is behind the closing one; NULL if
 * there is none: the bracket is then a character like others. */
static bool is_in_set(const char *set, char character, const char **end)
{
    const bool is_not = *set == '!' || *set == '^';
    const char *at = set + is_not;
    bool is_in = false;
    for (bool is_first = true; *at && (*at != ']' || is_first); at++, is_first = false) {
        const unsigned char low = (unsigned char)*at;
        unsigned char high = low;
        if (at[1] == '-' && at[2] && at[2] != ']') {
            high = (unsigned char)at[2];
            at += 2;
        }
        is_in |= low <= (unsigned char)character && (unsigned char)character <= high;
    }
    *end = *at ? at + 1 : NULL;
    return is_in != is_not;
}

/* What is left of the pattern behind what the character matches, or NULL. */
static const char *step_over(const char *glob, char character)
{
    const char *end = NULL;
    if (*glob == '[') {
        const bool is_in = is_in_set(glob + 1, character, &end);
        if (end)
            return is_in ? end : NULL;
    }
    return *glob == '?' || *glob == character ? glob + 1 : NULL;
}

/* A star is first taken for nothing, then for one character more each time that the rest does not
 * fit. Only the last star has to be tried again, so that this takes at most the product of both
 * lengths. */
bool glob_matches(const char *glob, const char *name)
{
    const char *star = NULL, *starred = NULL;
    while (*name) {
        const char *next = NULL;
        if (*glob == '*') {
            star = ++glob;
            starred = name;
        } else if (*glob && (next = step_over(glob, *name))) {
            glob = next;
            name++;
        } else if (star) {
            glob = star;
            name = ++starred;
        } else
            return false;
    }
    while (*glob == '*')
        glob++;
    return *glob == 0;
}
