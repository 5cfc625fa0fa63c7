/* A small writer of glTF: see glb.h. */
#include "glb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAS_MESHOPT
#include <meshoptimizer.h>
#endif

static void must(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "glb: %s\n", what);
    exit(1);
}

void glb_open(Glb *glb)
{
    *glb = (Glb){.root = json_pack("{s{ss}}", "asset", "version", "2.0")};
    must(glb->root, "no memory");
}

void glb_close(Glb *glb)
{
    json_decref(glb->root);
    free(glb->bytes);
    *glb = (Glb){0};
}

int glb_append(Glb *glb, const char *array, json_t *item)
{
    json_t *list = json_object_get(glb->root, array);
    if (!list) {
        list = json_array();
        json_object_set_new(glb->root, array, list);
    }
    must(item && json_array_append_new(list, item) == 0, "an item is not right");
    return (int)json_array_size(list) - 1;
}

void glb_require(Glb *glb, const char *extension)
{
    glb_append(glb, "extensionsUsed", json_string(extension));
    glb_append(glb, "extensionsRequired", json_string(extension));
}

/* ---- The buffer -------------------------------------------------------------------------------
 */

/* Everything begins at a multiple of four. */
static size_t append_bytes(Glb *glb, const void *bytes, size_t byte_count)
{
    const size_t at = glb->byte_count, end = (at + byte_count + 3) / 4 * 4;
    if (end > glb->capacity) {
        glb->capacity = 2 * end;
        glb->bytes = realloc(glb->bytes, glb->capacity);
        must(glb->bytes, "no memory");
    }
    memset(glb->bytes + at, 0, end - at);
    if (byte_count > 0)
        memcpy(glb->bytes + at, bytes, byte_count);
    glb->byte_count = end;
    return at;
}

int glb_view(Glb *glb, const void *bytes, size_t byte_count)
{
    const size_t at = append_bytes(glb, bytes, byte_count);
    return glb_append(glb, "bufferViews",
                      json_pack("{si sI sI}", "buffer", 0, "byteOffset", (json_int_t)at,
                                "byteLength", (json_int_t)byte_count));
}

#ifdef HAS_MESHOPT
/* glTF knows version 0 of packed vertices and version 1 of packed indices. */
static size_t pack(const GlbData *data, unsigned char *to, size_t room)
{
    if (data->mode == GLB_ATTRIBUTES) {
        meshopt_encodeVertexVersion(0);
        return meshopt_encodeVertexBuffer(to, room, data->items, (size_t)data->count, data->stride);
    }
    meshopt_encodeIndexVersion(1);
    unsigned int *indices = malloc((size_t)data->count * sizeof *indices);
    must(indices, "no memory");
    for (int32_t i = 0; i < data->count; i++)
        indices[i] = data->type == GLB_USHORT ? ((const uint16_t *)data->items)[i]
                                              : ((const uint32_t *)data->items)[i];
    const size_t size = meshopt_encodeIndexBuffer(to, room, indices, (size_t)data->count);
    free(indices);
    return size;
}

/* The view of a buffer that is not there, with where it comes from. */
static int packed_view(Glb *glb, const GlbData *data)
{
    const size_t size = (size_t)data->count * data->stride, room = 2 * size + 1024;
    unsigned char *bytes = malloc(room);
    must(bytes, "no memory");
    const size_t packed = pack(data, bytes, room);
    must(packed > 0, "it cannot be packed");
    const size_t at = append_bytes(glb, bytes, packed), unpacked = glb->unpacked_count;
    free(bytes);
    glb->unpacked_count = (unpacked + size + 3) / 4 * 4;
    const bool is_vertices = data->mode == GLB_ATTRIBUTES;
    json_t *view =
        json_pack("{si sI sI s{s{si sI sI sI sI ss}}}", "buffer", 1, "byteOffset",
                  (json_int_t)unpacked, "byteLength", (json_int_t)size, "extensions",
                  "EXT_meshopt_compression", "buffer", 0, "byteOffset", (json_int_t)at,
                  "byteLength", (json_int_t)packed, "byteStride", (json_int_t)data->stride, "count",
                  (json_int_t)data->count, "mode", is_vertices ? "ATTRIBUTES" : "TRIANGLES");
    if (is_vertices)
        json_object_set_new(view, "byteStride", json_integer((json_int_t)data->stride));
    return glb_append(glb, "bufferViews", view);
}
#else
static int packed_view(Glb *glb, const GlbData *data)
{
    (void)glb, (void)data;
    must(false, "built without meshoptimizer");
    return -1;
}
#endif

/* ---- Accessors --------------------------------------------------------------------------------
 */

static size_t size_of_type(int type)
{
    return type == GLB_BYTE || type == GLB_UBYTE     ? 1
           : type == GLB_SHORT || type == GLB_USHORT ? 2
                                                     : 4;
}

/* A number of an item as it is stored: of shorts, what it is before it is normalized. */
static double number_at(const GlbData *data, int32_t item, int32_t k)
{
    const uint8_t *at = (const uint8_t *)data->items + (size_t)item * data->stride;
    if (data->type == GLB_FLOAT)
        return (double)((const float *)(const void *)at)[k];
    return ((const int16_t *)(const void *)at)[k];
}

static void set_range(json_t *accessor, const GlbData *data)
{
    json_t *low = json_array(), *high = json_array();
    for (int32_t k = 0; k < data->width; k++) {
        double least = number_at(data, 0, k), most = least;
        for (int32_t i = 1; i < data->count; i++) {
            const double x = number_at(data, i, k);
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        json_array_append_new(low, json_real(least));
        json_array_append_new(high, json_real(most));
    }
    json_object_set_new(accessor, "min", low);
    json_object_set_new(accessor, "max", high);
}

int glb_accessor(Glb *glb, const GlbData *data)
{
    static const char *const names[17] = {
        [1] = "SCALAR", [2] = "VEC2", [3] = "VEC3", [4] = "VEC4", [16] = "MAT4"};
    const size_t packed = (size_t)data->width * size_of_type(data->type);
    const int view = data->mode == GLB_PLAIN
                         ? glb_view(glb, data->items, (size_t)data->count * data->stride)
                         : packed_view(glb, data);
    if (data->stride != packed && data->mode == GLB_PLAIN)
        json_object_set_new(json_array_get(json_object_get(glb->root, "bufferViews"), (size_t)view),
                            "byteStride", json_integer((json_int_t)data->stride));
    json_t *accessor = json_pack("{si si si ss}", "bufferView", view, "componentType", data->type,
                                 "count", (int)data->count, "type", names[data->width]);
    if (data->is_normalized)
        json_object_set_new(accessor, "normalized", json_true());
    if ((data->type == GLB_FLOAT || data->type == GLB_SHORT) && data->width <= 3)
        set_range(accessor, data);
    return glb_append(glb, "accessors", accessor);
}

int glb_sparse(Glb *glb, int base, const float *values, int32_t total,
               const uint16_t *corner_places, int32_t count)
{
    float(*stored)[3] = malloc(((size_t)count + 1) * sizeof *stored);
    must(stored, "no memory");
    for (int32_t i = 0; i < count; i++)
        memcpy(stored[i], values + 3 * (size_t)corner_places[i], sizeof *stored);
    const int place_view = glb_view(glb, corner_places, (size_t)count * sizeof *corner_places);
    const int value_view = glb_view(glb, stored, (size_t)count * sizeof *stored);
    free(stored);
    json_t *accessor = json_pack("{si si ss s{si s{si si} s{si}}}", "componentType", GLB_FLOAT,
                                 "count", (int)total, "type", "VEC3", "sparse", "count", (int)count,
                                 "indices", "bufferView", place_view, "componentType", GLB_USHORT,
                                 "values", "bufferView", value_view);
    if (base >= 0)
        json_object_set_new(accessor, "bufferView", json_integer(base));
    set_range(accessor, &(GlbData){values, total, 3, GLB_FLOAT, 3 * sizeof(float), false, 0});
    return glb_append(glb, "accessors", accessor);
}

/* ---- Saving -----------------------------------------------------------------------------------
 */

/* The buffer itself, and one for compressed views to be unpacked into. */
static void add_buffers(Glb *glb, json_t *uri)
{
    json_t *buffer = json_pack("{sI}", "byteLength", (json_int_t)glb->byte_count);
    if (uri)
        json_object_set_new(buffer, "uri", uri);
    glb_append(glb, "buffers", buffer);
    if (glb->unpacked_count > 0)
        glb_append(glb, "buffers",
                   json_pack("{sI s{s{sb}}}", "byteLength", (json_int_t)glb->unpacked_count,
                             "extensions", "EXT_meshopt_compression", "fallback", 1));
}

static void put_word(uint8_t *to, size_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t *put_chunk(uint8_t *to, const char *kind, const void *bytes, size_t byte_count,
                          char padding)
{
    const size_t size = (byte_count + 3) / 4 * 4;
    put_word(to, size);
    memcpy(to + 4, kind, 4);
    memset(to + 8, padding, size);
    if (byte_count > 0)
        memcpy(to + 8, bytes, byte_count);
    return to + 8 + size;
}

uint8_t *glb_of(const char *text, const void *bytes, size_t byte_count, size_t *size)
{
    *size = 12 + 8 + (strlen(text) + 3) / 4 * 4 + 8 + (byte_count + 3) / 4 * 4;
    uint8_t *file = malloc(*size);
    must(file, "no memory");
    put_word(file, 0x46546c67); /* "glTF" */
    put_word(file + 4, 2);
    put_word(file + 8, *size);
    put_chunk(put_chunk(file + 12, "JSON", text, strlen(text), ' '), "BIN", bytes, byte_count, 0);
    return file;
}

static bool save(const char *path, const void *bytes, size_t byte_count)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool is_written = fwrite(bytes, 1, byte_count, file) == byte_count;
    return fclose(file) == 0 && is_written;
}

bool glb_save(Glb *glb, const char *path)
{
    add_buffers(glb, NULL);
    char *text = json_dumps(glb->root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    must(text, "no memory");
    size_t size = 0;
    uint8_t *file = glb_of(text, glb->bytes, glb->byte_count, &size);
    const bool is_saved = save(path, file, size);
    free(file);
    free(text);
    return is_saved;
}

static char *base64(const char *head, const uint8_t *bytes, size_t byte_count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc(strlen(head) + (byte_count + 2) / 3 * 4 + 1);
    must(text, "no memory");
    char *to = text + sprintf(text, "%s", head);
    for (size_t i = 0; i < byte_count; i += 3) {
        const size_t left = byte_count - i;
        const uint32_t word = (uint32_t)bytes[i] << 16 |
                              (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            *to++ = k <= left ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
    *to = '\0';
    return text;
}

bool glb_save_text(Glb *glb, const char *path)
{
    char *uri = base64("data:application/octet-stream;base64,", glb->bytes, glb->byte_count);
    add_buffers(glb, json_string(uri));
    free(uri);
    char *text = json_dumps(glb->root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    must(text, "no memory");
    const bool is_saved = save(path, text, strlen(text));
    free(text);
    return is_saved;
}
