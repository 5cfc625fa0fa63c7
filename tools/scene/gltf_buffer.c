/* Bytes: buffers (the binary chunk, data URIs, files beside this one) and views of them. A buffer
 * is read when something first needs it, so that those which nothing needs may be missing: what
 * only stands in for compressed data, say.
 */
#include "scene/gltf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void gltf_free_bytes(GltfBytes *bytes, int32_t count)
{
    for (int32_t i = 0; bytes && i < count; i++)
        free(bytes[i].owned);
    free(bytes);
}

/* ---- URIs ------------------------------------------------------------------------------------ */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "a%20b" to "a b", in place; a percent sign that begins nothing stays. */
static void decode_percents(char *text)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        int high = *in == '%' ? hex_digit(in[1]) : -1;
        int low = high >= 0 ? hex_digit(in[2]) : -1;
        *out++ = low >= 0 ? (char)(high * 16 + low) : *in;
        in += low >= 0 ? 2 : 0;
    }
    *out = 0;
}

/* Files may name those beside and below them, and no others. */
static bool is_below(const char *path)
{
    if (*path == '/' || *path == 0 || strchr(path, '\\'))
        return false;
    for (const char *step = path; step; step = strchr(step, '/')) {
        step += *step == '/';
        if (strncmp(step, "..", 2) == 0 && (step[2] == '/' || step[2] == 0))
            return false;
    }
    return true;
}

/* A scheme ends in a colon that stands before any slash. */
static bool has_scheme(const char *uri)
{
    size_t length = strcspn(uri, ":/");
    return uri[length] == ':';
}

static bool read_named_file(Gltf *gltf, const GltfItem *item, const char *name, GltfBytes *bytes)
{
    size_t room = strlen(gltf->folder) + strlen(name) + 2;
    char *path = malloc(room);
    if (!path)
        return scene_fail(gltf->error, "there is no memory left");
    snprintf(path, room, "%s/%s", gltf->folder, name);
    SceneError cause = {""};
    bytes->owned = (uint8_t *)scene_read_file(path, gltf->options, &bytes->size, &cause);
    free(path);
    if (!bytes->owned)
        return scene_fail(gltf->error, "%s.uri, \"%.100s\": %.120s", item->where, name, cause.text);
    /* What belongs to the file counts as the file does. */
    const size_t before = scene_budget(gltf->options, gltf->byte_count);
    gltf->byte_count += bytes->size;
    gltf->budget += scene_budget(gltf->options, gltf->byte_count) - before;
    gltf->budget -= bytes->size < gltf->budget ? bytes->size : gltf->budget;
    bytes->bytes = bytes->owned;
    return true;
}

static bool read_uri_file(Gltf *gltf, const GltfItem *item, const char *uri, GltfBytes *bytes)
{
    if (has_scheme(uri))
        return scene_fail(gltf->error, "%s.uri, \"%.100s\", is not a file beside this one",
                          item->where, uri);
    if (!gltf->folder)
        return scene_fail(gltf->error, "%s.uri names a file, \"%.100s\", and there is no folder",
                          item->where, uri);
    char *name = strdup(uri);
    if (!name)
        return scene_fail(gltf->error, "there is no memory left");
    decode_percents(name);
    bool is_ok = is_below(name)
                     ? read_named_file(gltf, item, name, bytes)
                     : scene_fail(gltf->error, "%s.uri, \"%.100s\", leads out of the file's folder",
                                  item->where, uri);
    free(name);
    return is_ok;
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* How many bytes four digits make, one after the other; -1 at what is no digit. */
static int64_t decode_base64(const char *text, size_t length, uint8_t *out)
{
    uint32_t bits = 0;
    int64_t count = 0;
    while (length > 0 && text[length - 1] == '=')
        length--;
    for (size_t i = 0; i < length; i++) {
        int digit = base64_digit(text[i]);
        if (digit < 0)
            return -1;
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 != 0) /* the second, third and fourth digit each complete a byte */
            out[count++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    return count;
}

bool gltf_data_uri(Gltf *gltf, const GltfItem *item, const char *uri, GltfBytes *bytes)
{
    const char *comma = strchr(uri, ',');
    const char *kind = ";base64";
    if (!comma || (size_t)(comma - uri) < strlen(kind) ||
        strncmp(comma - strlen(kind), kind, strlen(kind)) != 0)
        return scene_fail(gltf->error, "%s.uri has data that is not base64", item->where);
    size_t length = strlen(comma + 1);
    bytes->owned = scene_allocate(length / 4 + 1, 3, &gltf->budget, gltf->error);
    if (!bytes->owned)
        return false;
    int64_t count = decode_base64(comma + 1, length, bytes->owned);
    if (count < 0)
        return scene_fail(gltf->error, "%s.uri has data that is not base64", item->where);
    bytes->bytes = bytes->owned;
    bytes->size = (size_t)count;
    return true;
}

/* ---- Buffers and views --------------------------------------------------------------------------
 */

bool gltf_uri(Gltf *gltf, const GltfItem *item, const char *uri, GltfBytes *bytes)
{
    return strncmp(uri, "data:", 5) == 0 ? gltf_data_uri(gltf, item, uri, bytes)
                                         : read_uri_file(gltf, item, uri, bytes);
}

static bool load_buffer(Gltf *gltf, const GltfItem *item, int32_t index, GltfBytes *bytes)
{
    const char *uri = gltf_string(item, "uri");
    if (uri)
        return gltf_uri(gltf, item, uri, bytes);
    if (index != 0 || !gltf->chunk.bytes)
        return scene_fail(gltf->error, "%s has no uri, and there is no binary chunk for it",
                          item->where);
    *bytes = gltf->chunk;
    return true;
}

static const GltfBytes *get_buffer(Gltf *gltf, int32_t index)
{
    GltfItem item;
    int64_t length = 0;
    GltfBytes *bytes = &gltf->buffers[index];
    if (bytes->bytes)
        return bytes;
    if (!gltf_item(gltf, "buffers", index, &item) ||
        !gltf_integer(gltf, &item, "byteLength", 1, LLONG_MAX, &length))
        return NULL;
    GltfBytes loaded = {0};
    bool is_ok = load_buffer(gltf, &item, index, &loaded);
    if (is_ok && loaded.size < (uint64_t)length)
        is_ok = scene_fail(gltf->error, "%s.byteLength is %lld, but there are %zu bytes",
                           item.where, (long long)length, loaded.size);
    if (!is_ok) {
        free(loaded.owned);
        return NULL;
    }
    loaded.size = (size_t)length;
    *bytes = loaded;
    return bytes;
}

const uint8_t *gltf_buffer_range(Gltf *gltf, const GltfItem *item, int32_t buffer, int64_t offset,
                                 int64_t length)
{
    const GltfBytes *bytes = get_buffer(gltf, buffer);
    if (!bytes)
        return NULL;
    if ((uint64_t)offset > bytes->size || (uint64_t)length > bytes->size - (uint64_t)offset) {
        scene_fail(gltf->error, "%s has %lld bytes at %lld, and buffers[%d] ends at %zu",
                   item->where, (long long)length, (long long)offset, (int)buffer, bytes->size);
        return NULL;
    }
    return bytes->bytes + offset;
}

static bool read_plain_view(Gltf *gltf, const GltfItem *item, GltfBytes *bytes)
{
    int32_t buffer;
    int64_t offset = 0, length = 0;
    if (!gltf_reference(gltf, item, "buffer", "buffers", &buffer) ||
        !gltf_optional(gltf, item, "byteOffset", 0, LLONG_MAX, &offset) ||
        !gltf_integer(gltf, item, "byteLength", 1, LLONG_MAX, &length))
        return false;
    if (buffer < 0)
        return scene_fail(gltf->error, "%s has no buffer", item->where);
    bytes->bytes = gltf_buffer_range(gltf, item, buffer, offset, length);
    bytes->size = (size_t)length;
    return bytes->bytes != NULL;
}

static const char *const compressions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

const GltfBytes *gltf_view(Gltf *gltf, int32_t index)
{
    GltfItem item;
    int64_t stride = 0;
    GltfBytes *view = &gltf->views[index];
    if (view->bytes)
        return view;
    if (!gltf_item(gltf, "bufferViews", index, &item) ||
        !gltf_optional(gltf, &item, "byteStride", 1, 256, &stride))
        return NULL;
    const char *compression = NULL;
    for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++)
        if (gltf_extension(&item, compressions[i]))
            compression = compressions[i];
    GltfBytes bytes = {0};
    bool is_ok = compression ? gltf_meshopt(gltf, &item, compression, &bytes)
                             : read_plain_view(gltf, &item, &bytes);
    if (!is_ok) {
        free(bytes.owned);
        return NULL;
    }
    bytes.stride = (size_t)stride;
    *view = bytes;
    return view;
}
