/* Words and numbers of a text, wherever a program runs: no locale counts, and no line is too long.
 *
 * A line ends as the first one of the text does: "\n", "\r\n", or "\r" alone. Where `is_obj`, a "#"
 * begins a comment, and a backslash at the end of a line puts the next one behind it. Nothing is
 * copied, and every error says which line it is about.
 */
#ifndef TOOLS_SCENE_TEXT_H
#define TOOLS_SCENE_TEXT_H

#include "scene/reader.h"

#include <locale.h>

typedef struct SceneText {
    const char *at, *end;
    char newline;
    bool is_obj;
    int64_t line; /* from 1 */
    locale_t plain;
} SceneText;

/* A piece of a text, without a zero behind it. */
typedef struct SceneWord {
    const char *at;
    size_t size;
} SceneWord;

bool scene_text_open(SceneText *text, const void *bytes, size_t byte_count, bool is_obj,
                     SceneError *error);
void scene_text_close(SceneText *text);

/* From the first line again. */
void scene_text_rewind(SceneText *text, const void *bytes);

/* The next word of this line; of size 0 where it has no more. */
SceneWord scene_text_word(SceneText *text);

/* Passes over the rest of a line; false where there is no other line. */
bool scene_text_next_line(SceneText *text);

/* The next word of this line or, if it has no more, of a later one. */
SceneWord scene_text_any_word(SceneText *text);

bool scene_word_is(SceneWord word, const char *name);

/* Words as numbers, of this line of the text. A float is finite; an integer is not
 * beyond UINT32_MAX in size. */
bool scene_text_float(const SceneText *text, SceneWord word, float *value, SceneError *error);
bool scene_text_integer(const SceneText *text, SceneWord word, int64_t *value, SceneError *error);

#endif
