/* Words and numbers of a text: see text.h. */
#include "scene/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool scene_text_open(SceneText *text, const void *bytes, size_t byte_count, bool is_obj,
                     SceneError *error)
{
    *text = (SceneText){.end = (const char *)bytes + byte_count, .newline = '\n', .is_obj = is_obj};
    scene_text_rewind(text, bytes);
    const char *end = text->at;
    while (end < text->end && *end != '\n' && *end != '\r')
        end++;
    if (text->end - end >= 2 && end[0] == '\r' && end[1] != '\n')
        text->newline = '\r';
    text->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return text->plain != (locale_t)0 || scene_fail(error, "there is no memory left");
}

void scene_text_close(SceneText *text)
{
    freelocale(text->plain);
}

void scene_text_rewind(SceneText *text, const void *bytes)
{
    text->at = bytes;
    text->line = 1;
}

/* How many bytes continue the line here: a backslash and the end of a line. */
static size_t continuation(const SceneText *text, const char *at)
{
    if (!text->is_obj || *at != '\\')
        return 0;
    size_t size = 1;
    if (text->newline == '\n' && at + size < text->end && at[size] == '\r')
        size++;
    return at + size < text->end && at[size] == text->newline ? size + 1 : 0;
}

static bool is_blank(const SceneText *text, char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != text->newline);
}

static void skip_blanks(SceneText *text)
{
    while (text->at < text->end) {
        size_t size = continuation(text, text->at);
        if (size == 0 && !is_blank(text, *text->at))
            return;
        text->line += size > 0;
        text->at += size ? size : 1;
    }
}

SceneWord scene_text_word(SceneText *text)
{
    skip_blanks(text);
    SceneWord word = {text->at, 0};
    if (text->at < text->end && text->is_obj && *text->at == '#')
        return word;
    while (text->at < text->end && *text->at != text->newline && !is_blank(text, *text->at) &&
           continuation(text, text->at) == 0)
        text->at++;
    word.size = (size_t)(text->at - word.at);
    return word;
}

bool scene_text_next_line(SceneText *text)
{
    while (scene_text_word(text).size > 0) {
    }
    const char *end = memchr(text->at, text->newline, (size_t)(text->end - text->at));
    text->at = end ? end + 1 : text->end;
    text->line++;
    return text->at < text->end;
}

SceneWord scene_text_any_word(SceneText *text)
{
    SceneWord word = scene_text_word(text);
    while (word.size == 0 && scene_text_next_line(text))
        word = scene_text_word(text);
    return word;
}

bool scene_word_is(SceneWord word, const char *name)
{
    return strlen(name) == word.size && memcmp(word.at, name, word.size) == 0;
}

/* As much of a word as an error shows, and nothing that a terminal could take for a command. */
static const char *shown(SceneWord word, char text[24])
{
    size_t size = word.size < 20 ? word.size : 20;
    for (size_t i = 0; i < size; i++)
        text[i] = word.at[i] >= ' ' && word.at[i] <= '~' ? word.at[i] : '?';
    text[size] = '\0';
    return text;
}

static bool fail_number(const SceneText *text, SceneWord word, const char *what, SceneError *error)
{
    char start[24];
    if (word.size == 0)
        return scene_fail(error, "line %lld: a number is missing", (long long)text->line);
    return scene_fail(error, "line %lld: '%s' %s", (long long)text->line, shown(word, start), what);
}

/* strtof() takes more than files may have: hexadecimal numbers, "nan", "inf". */
bool scene_text_float(const SceneText *text, SceneWord word, float *value, SceneError *error)
{
    char digits[128], *end = digits;
    if (word.size >= sizeof digits)
        return fail_number(text, word, "is too long for a number", error);
    memcpy(digits, word.at, word.size);
    digits[word.size] = '\0';
    if (word.size > 0 && strspn(digits, "0123456789+-.eE") == word.size)
        *value = strtof_l(digits, &end, text->plain);
    if (end == digits || *end != '\0')
        return fail_number(text, word, "is not a finite number", error);
    return isfinite(*value) || fail_number(text, word, "is too large for a float", error);
}

bool scene_text_integer(const SceneText *text, SceneWord word, int64_t *value, SceneError *error)
{
    size_t i = word.size > 0 && (word.at[0] == '-' || word.at[0] == '+');
    bool is_negative = i && word.at[0] == '-';
    if (i == word.size)
        return fail_number(text, word, "is not a whole number", error);
    int64_t sum = 0;
    for (; i < word.size; i++) {
        if (word.at[i] < '0' || word.at[i] > '9')
            return fail_number(text, word, "is not a whole number", error);
        sum = 10 * sum + (word.at[i] - '0');
        if (sum > UINT32_MAX)
            return fail_number(text, word, "is too large", error);
    }
    *value = is_negative ? -sum : sum;
    return true;
}
