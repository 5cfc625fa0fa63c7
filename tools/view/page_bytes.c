/* Bytes of the page, and how they are written into a text. */
#include "view/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_room(PageBytes *bytes, size_t more)
{
    if (bytes->is_lost)
        return false;
    if (bytes->capacity - bytes->count >= more)
        return true;
    size_t capacity = bytes->capacity + bytes->capacity / 2 + more + 64;
    uint8_t *items = capacity > more ? realloc(bytes->items, capacity) : NULL;
    if (!items) {
        bytes->is_lost = true;
        return false;
    }
    bytes->items = items;
    bytes->capacity = capacity;
    return true;
}

void page_bytes_add(PageBytes *bytes, const void *items, size_t count)
{
    if (count == 0 || !has_room(bytes, count))
        return;
    memcpy(bytes->items + bytes->count, items, count);
    bytes->count += count;
}

void page_bytes_float(PageBytes *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint8_t four[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                             (uint8_t)(bits >> 24)};
    page_bytes_add(bytes, four, sizeof four);
}

void page_bytes_varint(PageBytes *bytes, uint64_t value)
{
    uint8_t all[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        all[count++] = (uint8_t)(value | 0x80);
    all[count++] = (uint8_t)value;
    page_bytes_add(bytes, all, count);
}

/* 0, -1, 1, -2 ... are 0, 1, 2, 3 ... */
static uint64_t folded(int64_t value)
{
    return value < 0 ? (uint64_t)(-(value + 1)) * 2 + 1 : (uint64_t)value * 2;
}

void page_bytes_columns(PageBytes *bytes, PageValue *value, const void *from, size_t row_count,
                        size_t column_count, int order)
{
    for (size_t column = 0; column < column_count; column++) {
        int64_t last = 0, before = 0;
        for (size_t row = 0; row < row_count; row++) {
            const int64_t now = value(from, row, column);
            page_bytes_varint(bytes, folded(now - (order == 1 ? last : 2 * last - before)));
            before = last;
            last = now;
        }
    }
}

uint16_t page_place(double at, double low, double high)
{
    if (!isfinite(at))
        return PAGE_NOWHERE;
    const double size = high - low;
    return size > 0 ? (uint16_t)lrint((at - low) / size * (PAGE_NOWHERE - 1)) : 0;
}

void page_bytes_free(PageBytes *bytes)
{
    free(bytes->items);
    *bytes = (PageBytes){0};
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Names come from files. "<" could begin "</script>" or a comment, so it goes as an escape, and
 * ">" and "&" keep it company. */
void page_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)(text ? text : ""); *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f || *at == '<' || *at == '>' || *at == '&')
            fprintf(out, "\\u%04x", *at);
        else
            fputc(*at, out);
    }
    fputc('"', out);
}

void page_json_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.9g", value);
    else
        fputs("null", out);
}

/* Three bytes, or the last one or two, as four characters. */
static void encode(const uint8_t *bytes, size_t left, char four[4])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t three = (uint32_t)bytes[0] << 16 | (left > 1 ? (uint32_t)bytes[1] << 8 : 0) |
                           (left > 2 ? (uint32_t)bytes[2] : 0);
    four[0] = digits[three >> 18];
    four[1] = digits[three >> 12 & 63];
    four[2] = left > 1 ? digits[three >> 6 & 63] : '=';
    four[3] = left > 2 ? digits[three & 63] : '=';
}

bool page_write_base64(FILE *out, const PageBytes *bytes)
{
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < bytes->count; i += 3, used += 4) {
        if (used == sizeof text) {
            fwrite(text, 1, used, out);
            used = 0;
        }
        encode(bytes->items + i, bytes->count - i, text + used);
    }
    fwrite(text, 1, used, out);
    return !ferror(out);
}
