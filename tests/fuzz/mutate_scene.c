/* Mutations of model files that leave the rest of a file as it was.
 *
 * A changed byte of a GLB mostly breaks its container, or the JSON, and the reader is left at its
 * door. So the container is taken apart and put together again with the right lengths, and of text
 * (JSON, OBJ, PLY) it is numbers and strings that are replaced, and pieces between marks that are
 * taken out, doubled or put in another's place. One of eight mutations is libFuzzer's own, of
 * everything. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

enum { HEAD = 2, CONTAINER = 12, CHUNK = 8, MAX_TEXT = 1 << 16 };

static uint32_t random_below(uint64_t *state, size_t count)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return count ? (uint32_t)((*state >> 33) % count) : 0;
}

/* ---- Text -------------------------------------------------------------------------------------
 */

/* Replaces `old` bytes at a place; leaves everything as it was where there is no room. */
static size_t splice(uint8_t *text, size_t size, size_t room, size_t at, size_t old,
                     const void *piece, size_t piece_size)
{
    if (size - old + piece_size > room)
        return size;
    memmove(text + at + piece_size, text + at + old, size - at - old);
    memcpy(text + at, piece, piece_size);
    return size - old + piece_size;
}

static bool is_of_number(uint8_t c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

/* The next number from somewhere on; of size 0 if there is none. */
static size_t find_number(const uint8_t *text, size_t size, size_t *at)
{
    while (*at < size && !is_of_number(text[*at]))
        ++*at;
    while (*at > 0 && *at < size && is_of_number(text[*at - 1]))
        --*at;
    size_t end = *at;
    while (end < size && is_of_number(text[end]))
        end++;
    return end - *at;
}

static size_t change_number(uint8_t *text, size_t size, size_t room, uint64_t *state)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "-1",
                                          "2",
                                          "3",
                                          "4",
                                          "5",
                                          "7",
                                          "8",
                                          "12",
                                          "16",
                                          "255",
                                          "256",
                                          "65535",
                                          "65536",
                                          "1000000",
                                          "5120",
                                          "5121",
                                          "5122",
                                          "5123",
                                          "5125",
                                          "5126",
                                          "0.5",
                                          "-0.5",
                                          "1e38",
                                          "1e39",
                                          "-1e38",
                                          "2147483647",
                                          "2147483648",
                                          "4294967295",
                                          "1e-40",
                                          "1.5",
                                          "-2147483648",
                                          "4294967296",
                                          "9007199254740993",
                                          "9223372036854775807"};
    char made[64];
    size_t at = random_below(state, size), length = find_number(text, size, &at);
    if (length == 0)
        return size;
    const uint32_t how = random_below(state, 4);
    const char *piece = numbers[random_below(state, sizeof numbers / sizeof *numbers)];
    size_t piece_size = strlen(piece);
    if (how == 0) { /* a small one */
        piece_size = (size_t)snprintf(made, sizeof made, "%u", random_below(state, 40));
        piece = made;
    } else if (how == 1) { /* another one of this text */
        size_t other = random_below(state, size);
        piece_size = find_number(text, size, &other);
        piece_size = piece_size < sizeof made ? piece_size : sizeof made;
        memcpy(made, text + other, piece_size);
        piece = made;
    }
    return splice(text, size, room, at, length, piece, piece_size);
}

/* The next string of a JSON text from somewhere on, without its quotes. */
static size_t find_string(const uint8_t *text, size_t size, size_t *at)
{
    while (*at < size && text[*at] != '"')
        ++*at;
    if (*at < size)
        ++*at;
    size_t end = *at;
    while (end < size && text[end] != '"')
        end++;
    return end - *at;
}

/* A word that glTF has a meaning for, or another one of this text. */
static size_t change_string(uint8_t *text, size_t size, size_t room, uint64_t *state)
{
    static const char *const words[] = {"SCALAR",
                                        "VEC2",
                                        "VEC3",
                                        "VEC4",
                                        "MAT4",
                                        "POSITION",
                                        "JOINTS_0",
                                        "JOINTS_1",
                                        "WEIGHTS_0",
                                        "WEIGHTS_1",
                                        "translation",
                                        "rotation",
                                        "scale",
                                        "weights",
                                        "STEP",
                                        "LINEAR",
                                        "CUBICSPLINE",
                                        "sparse",
                                        "targets",
                                        "skin",
                                        "matrix",
                                        "children",
                                        "byteStride",
                                        "byteOffset",
                                        "ATTRIBUTES",
                                        "TRIANGLES",
                                        "INDICES",
                                        "OCTAHEDRAL",
                                        "QUATERNION",
                                        "EXPONENTIAL",
                                        "filter",
                                        "normalized",
                                        "uri",
                                        "mode",
                                        "indices",
                                        "material",
                                        "bufferView",
                                        "targetNames",
                                        "extensions",
                                        "extras",
                                        "mesh",
                                        "scene",
                                        "KHR_draco_mesh_compression",
                                        "KHR_mesh_quantization",
                                        "EXT_meshopt_compression",
                                        "data:application/octet-stream;base64,AAAA"};
    char made[64];
    size_t at = random_below(state, size), length = find_string(text, size, &at);
    const char *piece = words[random_below(state, sizeof words / sizeof *words)];
    size_t piece_size = strlen(piece);
    if (random_below(state, 2)) {
        size_t other = random_below(state, size);
        piece_size = find_string(text, size, &other);
        piece_size = piece_size < sizeof made ? piece_size : sizeof made;
        memcpy(made, text + other, piece_size);
        piece = made;
    }
    return splice(text, size, room, at, length, piece, piece_size);
}

/* A piece from one mark to the next: a line, or what stands between commas, braces, brackets. */
static size_t find_piece(const uint8_t *text, size_t size, size_t *at)
{
    const char *marks = text[0] == '{' ? ",{}[]" : "\n ";
    while (*at > 0 && !strchr(marks, text[*at - 1]))
        --*at;
    size_t end = *at, depth = 0;
    for (; end < size && (depth > 0 || text[end] == '\0' || !strchr(",}]\n", text[end])); end++) {
        depth += text[end] == '{' || text[end] == '[';
        depth -= depth > 0 && (text[end] == '}' || text[end] == ']');
    }
    return end - *at;
}

/* Takes a piece out, doubles it, or puts a copy of it in the place of another. */
static size_t move_piece(uint8_t *text, size_t size, size_t room, uint64_t *state)
{
    static uint8_t piece[MAX_TEXT];
    size_t at = random_below(state, size), length = find_piece(text, size, &at);
    if (length == 0 || length >= MAX_TEXT)
        return size;
    const uint32_t how = random_below(state, 3);
    if (how == 0) /* with the mark behind it */
        return splice(text, size, room, at, length + (at + length < size), "", 0);
    memcpy(piece, text + at, length);
    piece[length] = text[0] == '{' ? ',' : '\n';
    if (how == 1)
        return splice(text, size, room, at, 0, piece, length + 1);
    size_t to = random_below(state, size), old = find_piece(text, size, &to);
    return splice(text, size, room, to, old, piece, length);
}

static size_t mutate_text(uint8_t *text, size_t size, size_t room, uint64_t *state)
{
    if (size == 0)
        return LLVMFuzzerMutate(text, size, room);
    const uint32_t how = random_below(state, 8);
    if (how < 3)
        return change_number(text, size, room, state);
    if (how == 3 && text[0] == '{')
        return change_string(text, size, room, state);
    return how < 6 ? move_piece(text, size, room, state) : LLVMFuzzerMutate(text, size, room);
}

/* ---- Bytes ------------------------------------------------------------------------------------
 */

/* Numbers as they stand in buffers: floats at the edges, indices that are too large. */
static size_t mutate_binary(uint8_t *bytes, size_t size, size_t room, uint64_t *state)
{
    static const uint32_t words[] = {0,          0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0x7f7fffff, 0x00000001, 0x80000000, 0x3f000000,
                                     0xffffffff, 0x7fffffff, 0x00ff00ff, 0x40000000, 0x33d6bf95};
    if (size < 4 || random_below(state, 2) == 0)
        return LLVMFuzzerMutate(bytes, size, room);
    const size_t at = random_below(state, size / 4) * (size_t)4;
    const uint32_t word = words[random_below(state, sizeof words / sizeof *words)];
    memcpy(bytes + at, &word, random_below(state, 3) ? 4 : 2);
    return size;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_word(uint8_t *bytes, size_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

/* The text of a GLB, and what is behind it. False if it is none. */
static bool split_glb(const uint8_t *data, size_t size, size_t *text_size)
{
    if (size < CONTAINER + CHUNK || memcmp(data, "glTF", 4) != 0)
        return false;
    *text_size = word_at(data + CONTAINER);
    return *text_size <= size - CONTAINER - CHUNK;
}

/* Both chunks are worked on at the end of a copy, where they can grow. */
static size_t mutate_glb(uint8_t *data, size_t size, size_t room, size_t text_size, uint64_t *state)
{
    static uint8_t text[MAX_TEXT + 4], binary[MAX_TEXT + 4];
    const uint8_t *behind = data + CONTAINER + CHUNK + text_size;
    size_t left = size - CONTAINER - CHUNK - text_size;
    size_t binary_size = left > CHUNK ? left - CHUNK : 0;
    if (text_size > MAX_TEXT || binary_size > MAX_TEXT || room < size)
        return size;
    memcpy(text, data + CONTAINER + CHUNK, text_size);
    if (binary_size > 0)
        memcpy(binary, behind + CHUNK, binary_size);
    const size_t used = CONTAINER + 2 * CHUNK + text_size + binary_size + 8;
    const size_t spare = room > used ? room - used : 0;
    if (binary_size == 0 || random_below(state, 3) > 0)
        text_size = mutate_text(text, text_size,
                                text_size + spare < MAX_TEXT ? text_size + spare : MAX_TEXT, state);
    else
        binary_size =
            mutate_binary(binary, binary_size,
                          binary_size + spare < MAX_TEXT ? binary_size + spare : MAX_TEXT, state);
    while (text_size % 4)
        text[text_size++] = ' ';
    while (binary_size % 4)
        binary[binary_size++] = 0;
    const size_t total = CONTAINER + CHUNK + text_size + (binary_size ? CHUNK + binary_size : 0);
    if (total > room)
        return size;
    put_word(data + 8, total);
    put_word(data + CONTAINER, text_size);
    memcpy(data + CONTAINER + CHUNK, text, text_size);
    if (binary_size > 0) {
        uint8_t *chunk = data + CONTAINER + CHUNK + text_size;
        put_word(chunk, binary_size);
        memcpy(chunk + 4, "BIN", 4);
        memcpy(chunk + CHUNK, binary, binary_size);
    }
    return total;
}

/* ---- Files ------------------------------------------------------------------------------------
 */

static bool is_binary(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] == 0)
            return true;
    return false;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    uint64_t state = seed;
    random_below(&state, 1);
    size_t text_size = 0;
    if (size <= HEAD + 2 || random_below(&state, 8) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (random_below(&state, 16) == 0) {
        data[1] = (uint8_t)random_below(&state, 256);
        return size;
    }
    uint8_t *file = data + HEAD;
    const size_t file_size = size - HEAD, room = max_size - HEAD;
    if (split_glb(file, file_size, &text_size))
        return HEAD + mutate_glb(file, file_size, room, text_size, &state);
    if (is_binary(file, file_size) && random_below(&state, 2))
        return HEAD + mutate_binary(file, file_size, room, &state);
    return HEAD + mutate_text(file, file_size, room, &state);
}
