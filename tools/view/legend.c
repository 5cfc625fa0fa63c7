/* A legend: a bar of colors, and a few words in letters of five by seven dots. See legend.h. */
#include "view/legend.h"

#include <math.h>
#include <string.h>

enum { LETTER_WIDTH = 5, LETTER_HEIGHT = 7, P_DROP = 2 }; /* a p goes below the line */

/* The letters of "depth", of numbers and of units, row by row. */
typedef struct Letter {
    char sign;
    const char *rows[LETTER_HEIGHT];
} Letter;

static const Letter LETTERS[] = {
    {'0', {" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "}},
    {'1', {"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "}},
    {'2', {" ### ", "#   #", "    #", "  ## ", " #   ", "#    ", "#####"}},
    {'3', {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "}},
    {'4', {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "}},
    {'5', {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "}},
    {'6', {"  ## ", " #   ", "#    ", "#### ", "#   #", "#   #", " ### "}},
    {'7', {"#####", "    #", "   # ", "   # ", "  #  ", "  #  ", "  #  "}},
    {'8', {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "}},
    {'9', {" ### ", "#   #", "#   #", " ####", "    #", "   # ", " ##  "}},
    {'.', {"     ", "     ", "     ", "     ", "     ", " ##  ", " ##  "}},
    {'-', {"     ", "     ", "     ", "#####", "     ", "     ", "     "}},
    {'+', {"     ", "  #  ", "  #  ", "#####", "  #  ", "  #  ", "     "}},
    {'c', {"     ", "     ", " ### ", "#    ", "#    ", "#   #", " ### "}},
    {'d', {"    #", "    #", " ####", "#   #", "#   #", "#   #", " ####"}},
    {'e', {"     ", "     ", " ### ", "#   #", "#####", "#    ", " ### "}},
    {'f', {"  ## ", " #   ", "#### ", " #   ", " #   ", " #   ", " #   "}},
    {'h', {"#    ", "#    ", "# ## ", "##  #", "#   #", "#   #", "#   #"}},
    {'i', {"  #  ", "     ", " ##  ", "  #  ", "  #  ", "  #  ", " ### "}},
    {'k', {"#    ", "#    ", "#  # ", "# #  ", "##   ", "# #  ", "#  # "}},
    {'m', {"     ", "     ", "## # ", "# # #", "# # #", "# # #", "# # #"}},
    {'n', {"     ", "     ", "# ## ", "##  #", "#   #", "#   #", "#   #"}},
    {'p', {"#### ", "#   #", "#   #", "#   #", "#### ", "#    ", "#    "}},
    {'t', {" #   ", " #   ", "#### ", " #   ", " #   ", " #  #", "  ## "}},
    {'u', {"     ", "     ", "#   #", "#   #", "#   #", "#  ##", " ## #"}},
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

static void write_letter(const Pixels *pixels, char sign, int32_t left, int32_t top, int32_t dot)
{
    for (size_t i = 0; i < sizeof LETTERS / sizeof *LETTERS; i++)
        for (int32_t k = 0; k < LETTER_WIDTH * LETTER_HEIGHT && LETTERS[i].sign == sign; k++) {
            const int32_t x = left + k % LETTER_WIDTH * dot,
                          y = top + (k / LETTER_WIDTH + (sign == 'p' ? P_DROP : 0)) * dot;
            if (LETTERS[i].rows[k / LETTER_WIDTH][k % LETTER_WIDTH] == '#')
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

void legend_draw(const Pixels *pixels, const float tones[RASTER_TONES][3], const char *deepest)
{
    const int32_t shorter = pixels->width < pixels->height ? pixels->width : pixels->height;
    const int32_t dot = shorter / 400 > 0 ? shorter / 400 : 1, pad = 4 * dot;
    const int32_t bar = (100 * dot > width_of(deepest, dot) ? 100 * dot : width_of(deepest, dot));
    const int32_t width = bar + 2 * pad, height = (2 * LETTER_HEIGHT + 12) * dot + 4 * pad;
    const int32_t left = 3 * pad, top = pixels->height - 3 * pad - height;
    fill(pixels, left - dot, top - dot, left + width + dot, top + height + dot, INK);
    fill(pixels, left, top, left + width, top + height, PAPER);
    write_text(pixels, "depth", left + pad, top + pad, dot);
    const int32_t bar_top = top + 2 * pad + LETTER_HEIGHT * dot;
    draw_bar(pixels, tones, left + pad, bar_top, bar, 12 * dot);
    const int32_t words_top = bar_top + 12 * dot + pad;
    write_text(pixels, "0", left + pad, words_top, dot);
    write_text(pixels, deepest, left + pad + bar - width_of(deepest, dot), words_top, dot);
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
    const int32_t edge = 3 * 4 * (shorter / 400 > 0 ? shorter / 400 : 1);
    for (int32_t y = 0; y < inset->height && y + edge < pixels->height; y++)
        for (int32_t x = 0; x < inset->width && x + edge < pixels->width; x++)
            memcpy(pixels->items +
                       3 * ((size_t)(y + edge) * (size_t)pixels->width + (size_t)(x + edge)),
                   inset->items + 3 * ((size_t)y * (size_t)inset->width + (size_t)x), 3);
    outline(pixels, edge - 1, edge - 1, edge + inset->width + 1, edge + inset->height + 1, INK);
}
