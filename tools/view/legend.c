/* A legend: a bar of colors, and words in letters of five by seven dots. See legend.h. */
#include "view/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 40, BAR_HEIGHT = 12 };
enum {
    LETTER_WIDTH = 5,
    LETTER_HEIGHT = 7,
    DROP = 2
}; /* letters that go below the line do by two */

/* Row by row, five bits each, the left one first. What is not here is written as "?". */
typedef struct Letter {
    char sign;
    uint8_t rows[LETTER_HEIGHT];
} Letter;

static const Letter LETTERS[] = {
    {'A', {0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11}},
    {'B', {0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e}},
    {'C', {0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e}},
    {'D', {0x1e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1e}},
    {'E', {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f}},
    {'F', {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10}},
    {'G', {0x0e, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0e}},
    {'H', {0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11}},
    {'I', {0x0e, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'J', {0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0c}},
    {'K', {0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11}},
    {'L', {0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f}},
    {'M', {0x11, 0x1b, 0x15, 0x15, 0x11, 0x11, 0x11}},
    {'N', {0x11, 0x19, 0x15, 0x15, 0x13, 0x11, 0x11}},
    {'O', {0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e}},
    {'P', {0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10}},
    {'Q', {0x0e, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0d}},
    {'R', {0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11}},
    {'S', {0x0f, 0x10, 0x10, 0x0e, 0x01, 0x01, 0x1e}},
    {'T', {0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04}},
    {'U', {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e}},
    {'V', {0x11, 0x11, 0x11, 0x11, 0x0a, 0x0a, 0x04}},
    {'W', {0x11, 0x11, 0x11, 0x15, 0x15, 0x1b, 0x11}},
    {'X', {0x11, 0x11, 0x0a, 0x04, 0x0a, 0x11, 0x11}},
    {'Y', {0x11, 0x11, 0x0a, 0x04, 0x04, 0x04, 0x04}},
    {'Z', {0x1f, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1f}},
    {'a', {0x00, 0x00, 0x0e, 0x01, 0x0f, 0x11, 0x0f}},
    {'b', {0x10, 0x10, 0x1e, 0x11, 0x11, 0x11, 0x1e}},
    {'c', {0x00, 0x00, 0x0e, 0x11, 0x10, 0x11, 0x0e}},
    {'d', {0x01, 0x01, 0x0f, 0x11, 0x11, 0x11, 0x0f}},
    {'e', {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e}},
    {'f', {0x06, 0x08, 0x1e, 0x08, 0x08, 0x08, 0x08}},
    {'g', {0x0f, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x0e}},
    {'h', {0x10, 0x10, 0x16, 0x19, 0x11, 0x11, 0x11}},
    {'i', {0x04, 0x00, 0x0c, 0x04, 0x04, 0x04, 0x0e}},
    {'j', {0x02, 0x00, 0x02, 0x02, 0x02, 0x12, 0x0c}},
    {'k', {0x10, 0x10, 0x12, 0x14, 0x18, 0x14, 0x12}},
    {'l', {0x0c, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'m', {0x00, 0x00, 0x1a, 0x15, 0x15, 0x15, 0x15}},
    {'n', {0x00, 0x00, 0x16, 0x19, 0x11, 0x11, 0x11}},
    {'o', {0x00, 0x00, 0x0e, 0x11, 0x11, 0x11, 0x0e}},
    {'p', {0x1e, 0x11, 0x11, 0x11, 0x1e, 0x10, 0x10}},
    {'q', {0x0f, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x01}},
    {'r', {0x00, 0x00, 0x16, 0x18, 0x10, 0x10, 0x10}},
    {'s', {0x00, 0x00, 0x0f, 0x10, 0x0e, 0x01, 0x1e}},
    {'t', {0x08, 0x08, 0x1e, 0x08, 0x08, 0x09, 0x06}},
    {'u', {0x00, 0x00, 0x11, 0x11, 0x11, 0x13, 0x0d}},
    {'v', {0x00, 0x00, 0x11, 0x11, 0x11, 0x0a, 0x04}},
    {'w', {0x00, 0x00, 0x11, 0x11, 0x15, 0x15, 0x0a}},
    {'x', {0x00, 0x00, 0x11, 0x0a, 0x04, 0x0a, 0x11}},
    {'y', {0x11, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x0e}},
    {'z', {0x00, 0x00, 0x1f, 0x02, 0x04, 0x08, 0x1f}},
    {'0', {0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e}},
    {'1', {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'2', {0x0e, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1f}},
    {'3', {0x0e, 0x11, 0x01, 0x06, 0x01, 0x11, 0x0e}},
    {'4', {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}},
    {'5', {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e}},
    {'6', {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}},
    {'7', {0x1f, 0x01, 0x02, 0x02, 0x04, 0x04, 0x04}},
    {'8', {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}},
    {'9', {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c}},
    {',', {0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c, 0x08}},
    {':', {0x00, 0x0c, 0x0c, 0x00, 0x0c, 0x0c, 0x00}},
    {'-', {0x00, 0x00, 0x00, 0x1f, 0x00, 0x00, 0x00}},
    {'_', {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f}},
    {'+', {0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00}},
    {'=', {0x00, 0x00, 0x1f, 0x00, 0x1f, 0x00, 0x00}},
    {'#', {0x0a, 0x0a, 0x1f, 0x0a, 0x1f, 0x0a, 0x0a}},
    {'/', {0x01, 0x01, 0x02, 0x04, 0x08, 0x10, 0x10}},
    {'(', {0x02, 0x04, 0x08, 0x08, 0x08, 0x04, 0x02}},
    {')', {0x08, 0x04, 0x02, 0x02, 0x02, 0x04, 0x08}},
    {'?', {0x0e, 0x11, 0x01, 0x06, 0x04, 0x00, 0x04}},
};

static const uint8_t INK[3] = {24, 24, 32}, PAPER[3] = {252, 252, 250};

static void fill(const Pixels *pixels, int32_t left, int32_t top, int32_t right, int32_t bottom,
                 const uint8_t color[3])
{
    for (int32_t y = top < 0 ? 0 : top; y < bottom && y < pixels->height; y++)
        for (int32_t x = left < 0 ? 0 : left; x < right && x < pixels->width; x++)
            memcpy(pixels->items + 3 * ((size_t)y * (size_t)pixels->width + (size_t)x), color, 3);
}

/* ---- Words -------------------------------------------------------------------------------------
 */

static const Letter *letter_of(char sign)
{
    const size_t count = sizeof LETTERS / sizeof *LETTERS;
    size_t i = 0;
    while (i < count - 1 && LETTERS[i].sign != sign)
        i++;
    return &LETTERS[i]; /* the last is "?" */
}

static void write_letter(const Pixels *pixels, char sign, int32_t left, int32_t top, int32_t dot)
{
    const Letter *letter = letter_of(sign);
    const int32_t drop = strchr("gjpqy", sign) ? DROP : 0;
    for (int32_t k = 0; k < LETTER_WIDTH * LETTER_HEIGHT && sign != ' '; k++) {
        const int32_t column = k % LETTER_WIDTH, row = k / LETTER_WIDTH;
        const int32_t x = left + column * dot, y = top + (row + drop) * dot;
        if (letter->rows[row] >> (LETTER_WIDTH - 1 - column) & 1)
            fill(pixels, x, y, x + dot, y + dot, INK);
    }
}

static int32_t width_of(const char *text, int32_t dot)
{
    return ((int32_t)strlen(text) * (LETTER_WIDTH + 1) - 1) * dot;
}

static void write_text(const Pixels *pixels, const char *text, int32_t left, int32_t top,
                       int32_t dot)
{
    for (; *text; text++, left += (LETTER_WIDTH + 1) * dot)
        write_letter(pixels, *text, left, top, dot);
}

/* ---- The bar -----------------------------------------------------------------------------------
 */

static uint8_t tone_of(float light)
{
    const double tone = light <= 0.0031308F ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (uint8_t)(255 * fmin(1, fmax(0, tone)) + 0.5);
}

static void draw_bar(const Pixels *pixels, const float tones[RASTER_TONES][3], int32_t left,
                     int32_t top, int32_t width, int32_t height)
{
    for (int32_t x = 0; x < width; x++) {
        const float *light = tones[x * (RASTER_TONES - 1) / (width > 1 ? width - 1 : 1)];
        const uint8_t color[3] = {tone_of(light[0]), tone_of(light[1]), tone_of(light[2])};
        fill(pixels, left + x, top, left + x + 1, top + height, color);
    }
}

/* A line of the legend: a patch of color, then words; too long a name ends in dots. */
static void write_name(const Pixels *pixels, const LegendName *name, int32_t left, int32_t top,
                       int32_t dot)
{
    char text[MAX_NAME + 1];
    const uint8_t color[3] = {tone_of(name->light[0]), tone_of(name->light[1]),
                              tone_of(name->light[2])};
    const size_t length = strlen(name->text);
    snprintf(text, sizeof text, "%.*s%s", length > MAX_NAME ? MAX_NAME - 2 : MAX_NAME, name->text,
             length > MAX_NAME ? ".." : "");
    fill(pixels, left, top, left + LETTER_HEIGHT * dot, top + LETTER_HEIGHT * dot, color);
    write_text(pixels, text, left + (LETTER_HEIGHT + 3) * dot, top, dot);
}

void legend_draw(const Pixels *pixels, const float tones[RASTER_TONES][3], const char *deepest,
                 const LegendName *names, int32_t name_count)
{
    const int32_t shorter = pixels->width < pixels->height ? pixels->width : pixels->height;
    const int32_t dot = shorter / 350 > 0 ? shorter / 350 : 1, pad = 4 * dot;
    const int32_t bar = 100 * dot, line = (LETTER_HEIGHT + 5) * dot;
    int32_t width = bar;
    for (int32_t i = 0; i < name_count; i++) {
        const int32_t letters = (int32_t)strlen(names[i].text);
        const int32_t wanted =
            ((letters < MAX_NAME ? letters : MAX_NAME) + 2) * (LETTER_WIDTH + 1) * dot;
        width = wanted > width ? wanted : width;
    }
    const int32_t height = 2 * line + BAR_HEIGHT * dot + name_count * line + 3 * pad / 2;
    const int32_t left = 3 * pad, top = pixels->height - 3 * pad - height - pad;
    int32_t at = top + pad;
    fill(pixels, left - dot, top - dot, left + width + 2 * pad + dot, top + height + dot, INK);
    fill(pixels, left, top, left + width + 2 * pad, top + height, PAPER);
    for (int32_t i = 0; i < name_count; i++, at += line)
        write_name(pixels, &names[i], left + pad, at, dot);
    write_text(pixels, "depth", left + pad, at, dot);
    draw_bar(pixels, tones, left + pad, at + line, bar, BAR_HEIGHT * dot);
    at += line + (BAR_HEIGHT + 3) * dot;
    write_text(pixels, "0", left + pad, at, dot);
    write_text(pixels, deepest, left + pad + bar - width_of(deepest, dot), at, dot);
}

/* ---- Frames ------------------------------------------------------------------------------------
 */

static void outline(const Pixels *pixels, int32_t left, int32_t top, int32_t right, int32_t bottom,
                    const uint8_t color[3])
{
    fill(pixels, left, top, right, top + 1, color);
    fill(pixels, left, bottom - 1, right, bottom, color);
    fill(pixels, left, top, left + 1, bottom, color);
    fill(pixels, right - 1, top, right, bottom, color);
}

void legend_frame(const Pixels *pixels, int32_t left, int32_t top, int32_t right, int32_t bottom)
{
    outline(pixels, left - 2, top - 2, right + 2, bottom + 2, PAPER);
    outline(pixels, left - 1, top - 1, right + 1, bottom + 1, INK);
    outline(pixels, left, top, right, bottom, INK);
    outline(pixels, left + 1, top + 1, right - 1, bottom - 1, PAPER);
}

void legend_inset(const Pixels *pixels, const Pixels *inset)
{
    const int32_t shorter = pixels->width < pixels->height ? pixels->width : pixels->height;
    const int32_t edge = 3 * 4 * (shorter / 350 > 0 ? shorter / 350 : 1);
    for (int32_t y = 0; y < inset->height && y + edge < pixels->height; y++)
        for (int32_t x = 0; x < inset->width && x + edge < pixels->width; x++)
            memcpy(pixels->items +
                       3 * ((size_t)(y + edge) * (size_t)pixels->width + (size_t)(x + edge)),
                   inset->items + 3 * ((size_t)y * (size_t)inset->width + (size_t)x), 3);
    outline(pixels, edge - 1, edge - 1, edge + inset->width + 1, edge + inset->height + 1, INK);
}
