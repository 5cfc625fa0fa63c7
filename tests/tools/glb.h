/* A small writer of glTF: accessors are appended, the rest is JSON, and the whole is saved as GLB
 * or as text with its buffer in a data URI. Wrong arguments end the program: it is for tests. */
#ifndef TESTS_GLB_H
#define TESTS_GLB_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GLB_BYTE = 5120, GLB_UBYTE, GLB_SHORT, GLB_USHORT, GLB_UINT = 5125, GLB_FLOAT };

/* What a view of the buffer is compressed as, with EXT_meshopt_compression. */
typedef enum GlbMode { GLB_PLAIN, GLB_ATTRIBUTES, GLB_TRIANGLES } GlbMode;

typedef struct GlbData {
    const void *items;
    int32_t count, width; /* numbers of an item */
    int type;             /* GLB_FLOAT ... */
    size_t stride;        /* bytes from one item to the next, in `items` and in the file */
    bool is_normalized;
    GlbMode mode;
} GlbData;

typedef struct Glb {
    json_t *root;
    uint8_t *bytes;
    size_t byte_count, capacity;
    size_t unpacked_count; /* bytes of the buffer that compressed views would be in */
} Glb;

void glb_open(Glb *glb);
void glb_close(Glb *glb);

/* Each returns the number of what it made: of an accessor, of a view of the buffer, of what was
 * appended to one of the arrays of the root. The JSON is taken. */
int glb_accessor(Glb *glb, const GlbData *data);
int glb_view(Glb *glb, const void *bytes, size_t byte_count);
int glb_append(Glb *glb, const char *array, json_t *item);

/* An accessor of `total` items of three floats, of which those at `places`, which rise, are stored
 * as such, and all others are as in `base`, a view of the buffer; -1: they are zero. */
int glb_sparse(Glb *glb, int base, const float *values, int32_t total,
               const uint16_t *corner_places, int32_t count);

/* "extensionsUsed", and "extensionsRequired". */
void glb_require(Glb *glb, const char *extension);

/* Adds the buffer, and saves. False if the file cannot be written. */
bool glb_save(Glb *glb, const char *path);
bool glb_save_text(Glb *glb, const char *path);

/* Any text and bytes as a GLB, which free() takes: of as many bytes as *size says. */
uint8_t *glb_of(const char *text, const void *bytes, size_t byte_count, size_t *size);

#endif
