/* BLAKE2b without a key, after RFC 7693. See hash.h. */
#include "report/hash.h"

#include <stdio.h>
#include <string.h>

enum { DIGEST_BYTES = 32, ROUNDS = 12 };

static const uint64_t start_state[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                        0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                        0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

/* Which words of a block a round takes; the last two rounds are as the first two. */
static const uint8_t orders[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                       {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                       {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                       {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                       {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                       {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                       {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                       {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                       {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                       {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

static uint64_t turn(uint64_t word, int by)
{
    return word >> by | word << (64 - by);
}

/* Of the bytes in rising order; compilers make one load of it. */
static uint64_t word_at(const uint8_t *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
           (uint64_t)b[7] << 56;
}

static inline void mix(uint64_t *v, int a, int b, int c, int d, uint64_t x, uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = turn(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = turn(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = turn(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = turn(v[b] ^ v[c], 63);
}

static void mix_block(Hash *hash, const uint8_t *block, size_t size, bool is_last)
{
    uint64_t v[16], words[16];
    hash->count += size;
    for (int i = 0; i < 16; i++)
        words[i] = word_at(block + 8 * i);
    memcpy(v, hash->state, sizeof hash->state);
    memcpy(v + 8, start_state, sizeof start_state);
    v[12] ^= hash->count;
    v[14] ^= is_last ? UINT64_MAX : 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint8_t *o = orders[round % 10];
        mix(v, 0, 4, 8, 12, words[o[0]], words[o[1]]);
        mix(v, 1, 5, 9, 13, words[o[2]], words[o[3]]);
        mix(v, 2, 6, 10, 14, words[o[4]], words[o[5]]);
        mix(v, 3, 7, 11, 15, words[o[6]], words[o[7]]);
        mix(v, 0, 5, 10, 15, words[o[8]], words[o[9]]);
        mix(v, 1, 6, 11, 12, words[o[10]], words[o[11]]);
        mix(v, 2, 7, 8, 13, words[o[12]], words[o[13]]);
        mix(v, 3, 4, 9, 14, words[o[14]], words[o[15]]);
    }
    for (int i = 0; i < 8; i++)
        hash->state[i] ^= v[i] ^ v[8 + i];
}

void hash_start(Hash *hash)
{
    *hash = (Hash){0};
    memcpy(hash->state, start_state, sizeof start_state);
    hash->state[0] ^= 0x01010000 | DIGEST_BYTES;
}

/* The last block is marked, so a full one waits until there is more. */
void hash_add(Hash *hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        if (hash->used == HASH_BLOCK) {
            mix_block(hash, hash->block, HASH_BLOCK, false);
            hash->used = 0;
        }
        for (; hash->used == 0 && size > HASH_BLOCK; at += HASH_BLOCK, size -= HASH_BLOCK)
            mix_block(hash, at, HASH_BLOCK, false);
        const size_t room = HASH_BLOCK - hash->used, part = size < room ? size : room;
        memcpy(hash->block + hash->used, at, part);
        hash->used += part;
        at += part;
        size -= part;
    }
}

void hash_add_text(Hash *hash, const char *text)
{
    hash_add(hash, text, strlen(text) + 1);
}

HashText hash_end(Hash *hash)
{
    static const char digits[] = "0123456789abcdef";
    HashText text = {{0}};
    memset(hash->block + hash->used, 0, HASH_BLOCK - hash->used);
    mix_block(hash, hash->block, hash->used, true);
    for (int i = 0; i < DIGEST_BYTES; i++) {
        const unsigned byte = (unsigned)(hash->state[i / 8] >> (8 * (i % 8))) & 255;
        text.digits[2 * i] = digits[byte >> 4];
        text.digits[2 * i + 1] = digits[byte & 15];
    }
    return text;
}

HashText hash_bytes(const void *bytes, size_t size)
{
    Hash hash;
    hash_start(&hash);
    hash_add(&hash, bytes, size);
    return hash_end(&hash);
}

bool hash_file(const char *path, HashText *text)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    Hash hash;
    uint8_t bytes[1 << 15];
    hash_start(&hash);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        hash_add(&hash, bytes, size);
    const bool is_read = !ferror(file);
    fclose(file);
    *text = hash_end(&hash);
    return is_read;
}

bool hash_is_same(const HashText *a, const HashText *b)
{
    return memcmp(a->digits, b->digits, HASH_DIGITS) == 0;
}
