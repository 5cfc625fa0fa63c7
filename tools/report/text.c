/* Names for JSON, XML, CSV and terminals; numbers. See text.h. */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT 0xfffd

/* ---- UTF-8 -------------------------------------------------------------------------------------
 */

/* How many bytes a character takes by its first, and the least character that needs so many:
 * anything less was written too long, and is refused, as surrogates are. */
static int length_of(unsigned char first, uint32_t *bits, uint32_t *least)
{
    static const struct {
        unsigned char mask, mark;
        uint32_t least;
    } kinds[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (int i = 0; i < 4; i++)
        if ((first & kinds[i].mask) == kinds[i].mark) {
            *bits = first & (unsigned char)~kinds[i].mask;
            *least = kinds[i].least;
            return i + 1;
        }
    return 0;
}

const char *text_next(const char *at, uint32_t *code)
{
    const unsigned char *bytes = (const unsigned char *)at;
    uint32_t value = 0, least = 0;
    int length = length_of(bytes[0], &value, &least);
    *code = REPLACEMENT;
    if (length == 0)
        return at + 1;
    for (int i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) /* a zero byte ends here too */
            return at + 1;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    if (value < least || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return at + 1;
    *code = value;
    return at + length;
}

static void put(uint32_t code, FILE *out)
{
    if (code < 0x80) {
        putc((int)code, out);
        return;
    }
    int tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned marks[] = {0, 0xc0, 0xe0, 0xf0};
    putc((int)(marks[tail] | code >> (6 * tail)), out);
    while (tail-- > 0)
        putc((int)(0x80 | (code >> (6 * tail) & 0x3f)), out);
}

/* ---- Writers -----------------------------------------------------------------------------------
 */

void text_write_json_inner(const char *text, FILE *out)
{
    for (uint32_t code; *text;) {
        text = text_next(text, &code);
        if (code == '"' || code == '\\')
            fprintf(out, "\\%c", (int)code);
        else if (code < 0x20 || (code >= 0x7f && code < 0xa0))
            fprintf(out, "\\u%04x", (unsigned)code);
        else
            put(code, out);
    }
}

void text_write_json(const char *text, FILE *out)
{
    putc('"', out);
    text_write_json_inner(text, out);
    putc('"', out);
}

void text_write_xml(const char *text, FILE *out)
{
    for (uint32_t code; *text;) {
        text = text_next(text, &code);
        if (code == '&' || code == '<' || code == '>' || code == '"' || code == '\t' ||
            code == '\n' || code == '\r')
            fprintf(out, "&#%u;", (unsigned)code);
        else if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffe || code == 0xffff)
            /* XML has no way to say them, or a log that shows them would obey */
            put(REPLACEMENT, out);
        else
            put(code, out);
    }
}

void text_write_url(const char *path, FILE *out)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    for (; *path; path++) {
        if (strchr(plain, *path))
            putc(*path, out);
        else
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*path);
    }
}

void text_write_csv(const char *text, FILE *out)
{
    const bool is_formula = *text && strchr("=+-@\t\r\n|%", *text);
    bool is_quoted = strpbrk(text, ",\"\r\n") != NULL || *text == ' ';
    if (is_quoted)
        putc('"', out);
    if (is_formula)
        putc('\'', out);
    for (uint32_t code; *text;) {
        text = text_next(text, &code);
        if (code == '"')
            putc('"', out);
        put(code, out);
    }
    if (is_quoted)
        putc('"', out);
}

/* What would move the cursor, change colors, or turn the order of letters around. */
static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

void text_write_plain(const char *text, FILE *out)
{
    for (uint32_t code; *text;) {
        text = text_next(text, &code);
        put(is_control(code) ? REPLACEMENT : code, out);
    }
}

/* ---- Numbers -----------------------------------------------------------------------------------
 */

void text_write_number(double number, FILE *out)
{
    if (!isfinite(number)) {
        fputs("null", out);
        return;
    }
    char text[32] = "0";
    for (int digits = 15; digits <= 17 && number != 0; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, out);
}

double text_round(double number, int digits, int direction)
{
    char text[40], unit[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, number);
    const double rounded = strtod(text, NULL);
    const bool is_wrong = direction < 0 ? rounded > number : direction > 0 && rounded < number;
    if (!is_wrong || !isfinite(number))
        return rounded;
    snprintf(unit, sizeof unit, "1e%d", atoi(strchr(text, 'e') + 1) - digits + 1);
    snprintf(text, sizeof text, "%.*e", digits - 1, rounded + direction * strtod(unit, NULL));
    return strtod(text, NULL);
}

void text_format_number(double number, int digits, char text[32])
{
    snprintf(text, 32, "%.*g", digits, number);
    if (strstr(text, "e+") && fabs(number) < 1e9) /* 1.23e+04 */
        snprintf(text, 32, "%.0f", number);
}

/* ---- Columns -----------------------------------------------------------------------------------
 */

typedef struct Range {
    uint32_t first, last;
} Range;

static bool is_in(uint32_t code, const Range *ranges, int count)
{
    for (int i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

/* The large blocks of Unicode that take no column (marks over the letter before) or two (East
 * Asian, emoji). The C library has finer tables, but they depend on the locale. */
static int columns_of(uint32_t code)
{
    static const Range none[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                                 {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
                                 {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x20d0, 0x20ff},
                                 {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}};
    static const Range two[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                                {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    if (code < 0x300)
        return 1;
    if (is_in(code, none, sizeof none / sizeof *none))
        return 0;
    return is_in(code, two, sizeof two / sizeof *two) ? 2 : 1;
}

int text_width(const char *text)
{
    int64_t width = 0;
    for (uint32_t code; *text && width < INT32_MAX;) {
        text = text_next(text, &code);
        width += columns_of(code);
    }
    return (int)width;
}

static int put_columns(const char *text, int width, FILE *out)
{
    int used = 0;
    for (uint32_t code; *text;) {
        text = text_next(text, &code);
        if (used + columns_of(code) > width)
            break;
        used += columns_of(code);
        put(is_control(code) ? REPLACEMENT : code, out);
    }
    return used;
}

/* The beginning and the end of a text that is too long: what tells names apart is often at their
 * end. */
static void put_shortened(const char *text, int width, FILE *out)
{
    int tail = (width - 1) / 3, left = text_width(text);
    int used = put_columns(text, width - 1 - tail, out);
    put(0x2026, out);
    for (uint32_t code; left > tail;) {
        text = text_next(text, &code);
        left -= columns_of(code);
    }
    used += put_columns(text, tail, out);
    fprintf(out, "%*s", width - 1 - used, "");
}

void text_write_cell(const char *text, int width, bool is_right, FILE *out)
{
    int wanted = text_width(text);
    if (width <= 0) {
        text_write_plain(text, out);
    } else if (wanted > width) {
        put_shortened(text, width, out);
    } else {
        if (is_right)
            fprintf(out, "%*s", width - wanted, "");
        put_columns(text, width, out);
        if (!is_right)
            fprintf(out, "%*s", width - wanted, "");
    }
}
