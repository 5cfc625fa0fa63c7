/* hash: what bytes are known by: BLAKE2b of 256 bits (RFC 7693), as `b2sum -l 256` prints it.
 *
 * Nobody can make two files with one hash, so equal hashes are taken for equal bytes.
 */
#ifndef TOOLS_HASH_H
#define TOOLS_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HASH_DIGITS = 64, HASH_BLOCK = 128 };

typedef struct HashText {
    char digits[HASH_DIGITS + 1];
} HashText;

typedef struct Hash {
    uint64_t state[8], count; /* count: bytes before the block */
    uint8_t block[HASH_BLOCK];
    size_t used;
} Hash;

void hash_start(Hash *hash);
void hash_add(Hash *hash, const void *bytes, size_t size);
void hash_add_text(Hash *hash, const char *text); /* with its end, so that two stay two */
HashText hash_end(Hash *hash);

HashText hash_bytes(const void *bytes, size_t size);
bool hash_file(const char *path, HashText *text); /* false: it cannot be read */
bool hash_is_same(const HashText *a, const HashText *b);

#endif
