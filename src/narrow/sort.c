/* Sorting pairs of triangles: by the bytes of the first triangle, from the last byte to the first;
 * then by hand, since a triangle meets few others, as a rule. Where it meets many, by the bytes of
 * the second triangle before all else. */
#include "narrow/narrow.h"

#include <string.h>

/* By hand; false if that takes more than `patience` moves. */
static bool sort_by_hand(uint64_t *keys, int64_t count, int64_t patience)
{
    for (int64_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        int64_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
        patience -= i - j;
        if (patience < 0)
            return false;
    }
    return true;
}

/* Stable, by one byte. */
static void sort_by_byte(const uint64_t *keys, uint64_t *sorted, int64_t count, int shift)
{
    int64_t starts[256] = {0}, start = 0;
    for (int64_t i = 0; i < count; i++)
        starts[keys[i] >> shift & 255]++;
    for (int digit = 0; digit < 256; digit++) {
        int64_t here = starts[digit];
        starts[digit] = start;
        start += here;
    }
    for (int64_t i = 0; i < count; i++)
        sorted[starts[keys[i] >> shift & 255]++] = keys[i];
}

/* Stable, by the bits from `shift` on. */
static void sort_by_bytes(uint64_t *keys, uint64_t *scratch, int64_t count, int shift, int bits)
{
    for (; bits > 0; bits -= 8, shift += 8) {
        sort_by_byte(keys, scratch, count, shift);
        memcpy(keys, scratch, (size_t)count * sizeof *keys);
    }
}

void pli_sort_pairs(uint64_t *keys, uint64_t *scratch, int64_t count, int high_bits, int low_bits)
{
    if (count < 32) {
        sort_by_hand(keys, count, INT64_MAX);
        return;
    }
    sort_by_bytes(keys, scratch, count, 32, high_bits);
    if (sort_by_hand(keys, count, 8 * count))
        return;
    sort_by_bytes(keys, scratch, count, 0, low_bits);
    sort_by_bytes(keys, scratch, count, 32, high_bits);
}
