/* glTF 2.0, as JSON or in its binary container: what is in the file, from the outside in. */
#include "scene/gltf.h"

#include <stdlib.h>
#include <string.h>

/* ---- The binary container -----------------------------------------------------------------------
 */

enum { MAGIC = 0x46546c67, CHUNK_JSON = 0x4e4f534a, CHUNK_BINARY = 0x004e4942, HEADER = 12 };

static uint32_t read_u32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The chunk at *offset, which is moved behind it. */
static bool next_chunk(Gltf *gltf, const uint8_t *bytes, size_t size, size_t *offset,
                       uint32_t *kind, GltfBytes *chunk)
{
    if (size - *offset < 8)
        return scene_fail(gltf->error, "the file is cut short: no chunk at %zu", *offset);
    uint32_t length = read_u32(bytes + *offset);
    *kind = read_u32(bytes + *offset + 4);
    *offset += 8;
    if (length > size - *offset)
        return scene_fail(gltf->error, "the file is cut short: the chunk at %zu has %u bytes",
                          *offset - 8, (unsigned)length);
    *chunk = (GltfBytes){.bytes = bytes + *offset, .size = length};
    *offset += length;
    /* Chunks begin at multiples of four. */
    size_t gap = (4 - length % 4) % 4;
    *offset += gap < size - *offset ? gap : size - *offset;
    return true;
}

static bool open_container(Gltf *gltf, const uint8_t *bytes, size_t size, GltfBytes *text)
{
    uint32_t kind = 0, version = read_u32(bytes + 4), length = read_u32(bytes + 8);
    size_t offset = HEADER;
    if (version != 2)
        return scene_fail(gltf->error, "it is glTF %u, and only glTF 2 is read", (unsigned)version);
    if (length > size || length < HEADER)
        return scene_fail(gltf->error, "the file is cut short: %zu of %u bytes", size,
                          (unsigned)length);
    size = length;
    if (!next_chunk(gltf, bytes, size, &offset, &kind, text))
        return false;
    if (kind != CHUNK_JSON)
        return scene_fail(gltf->error, "the first chunk is not JSON");
    while (offset < size && !gltf->chunk.bytes) {
        GltfBytes chunk;
        if (!next_chunk(gltf, bytes, size, &offset, &kind, &chunk))
            return false;
        if (kind == CHUNK_BINARY)
            gltf->chunk = chunk;
    }
    return true;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool check_version(Gltf *gltf)
{
    GltfItem top = {.json = gltf->root}, asset;
    if (!gltf_member(gltf, &top, "asset", false, &asset))
        return scene_fail(gltf->error, "it is not glTF: there is no asset");
    const char *version = gltf_string(&asset, "version");
    const char *least = gltf_string(&asset, "minVersion");
    if (!version || strncmp(version, "2.", 2) != 0)
        return scene_fail(gltf->error, "asset.version is %.20s, and only glTF 2 is read",
                          version ? version : "missing");
    if (least && strcmp(least, "2.0") != 0)
        return scene_fail(gltf->error, "asset.minVersion is %.20s, and glTF 2.0 is read", least);
    return true;
}

static bool parse(Gltf *gltf, const GltfBytes *text)
{
    json_error_t error;
    size_t size = text->size;
    while (size > 0 && text->bytes[size - 1] == 0) /* some writers pad with zeros */
        size--;
    gltf->root = json_loadb((const char *)text->bytes, size, JSON_REJECT_DUPLICATES, &error);
    if (!gltf->root)
        return scene_fail(gltf->error, "its JSON is wrong in line %d, column %d: %.200s",
                          error.line, error.column, error.text);
    if (!json_is_object(gltf->root))
        return scene_fail(gltf->error, "it is not glTF: its JSON is not an object");
    return true;
}

char *gltf_name(Gltf *gltf, const GltfItem *item, const char *kind, int32_t number)
{
    char made[60];
    const char *name = gltf_string(item, "name");
    if (!name || !*name) {
        snprintf(made, sizeof made, "%s %d", kind, (int)number);
        name = made;
    }
    char *copy = strdup(name);
    if (!copy)
        scene_fail(gltf->error, "there is no memory left");
    return copy;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool prepare(Gltf *gltf)
{
    int32_t buffers, views, meshes;
    if (!gltf_count(gltf, "buffers", &buffers) || !gltf_count(gltf, "bufferViews", &views) ||
        !gltf_count(gltf, "meshes", &meshes))
        return false;
    size_t *budget = &gltf->budget;
    gltf->buffers = scene_allocate((size_t)buffers, sizeof *gltf->buffers, budget, gltf->error);
    gltf->views = scene_allocate((size_t)views, sizeof *gltf->views, budget, gltf->error);
    gltf->target_counts =
        scene_allocate((size_t)meshes, sizeof *gltf->target_counts, budget, gltf->error);
    gltf->dracos = scene_allocate((size_t)views, sizeof(void *), budget, gltf->error);
    if (!gltf->buffers || !gltf->views || !gltf->target_counts || !gltf->dracos)
        return false;
    for (int32_t i = 0; i < meshes; i++)
        gltf->target_counts[i] = -1;
    return true;
}

static bool read_all(Gltf *gltf, const uint8_t *bytes, size_t size)
{
    bool is_binary = size >= HEADER && read_u32(bytes) == MAGIC;
    GltfBytes text = {.bytes = bytes, .size = size};
    if (is_binary && !open_container(gltf, bytes, size, &text))
        return false;
    gltf->scene = scene_create(is_binary ? "GLB" : "glTF 2.0", gltf->error);
    return gltf->scene && parse(gltf, &text) && check_version(gltf) && prepare(gltf) &&
           gltf_check_extensions(gltf) && gltf_read_nodes(gltf) && gltf_read_looks(gltf) &&
           gltf_read_parts(gltf) && gltf_read_clips(gltf) &&
           (!gltf->options->is_welded || scene_weld(gltf->scene, gltf->error));
}

static void close_file(Gltf *gltf)
{
    if (gltf->buffers)
        gltf_free_bytes(gltf->buffers,
                        (int32_t)json_array_size(json_object_get(gltf->root, "buffers")));
    if (gltf->views)
        gltf_free_bytes(gltf->views,
                        (int32_t)json_array_size(json_object_get(gltf->root, "bufferViews")));
    gltf_draco_close(gltf, (int32_t)json_array_size(json_object_get(gltf->root, "bufferViews")));
    free(gltf->target_counts);
    json_decref(gltf->root);
}

Scene *scene_read_gltf(const void *bytes, size_t byte_count, const char *folder,
                       const SceneOptions *options, SceneError *error)
{
    Gltf gltf = {.folder = folder,
                 .options = options,
                 .error = error,
                 .byte_count = byte_count,
                 .budget = scene_budget(options, byte_count)};
    bool is_ok = read_all(&gltf, bytes, byte_count);
    close_file(&gltf);
    if (is_ok)
        return gltf.scene;
    scene_free(gltf.scene);
    return NULL;
}
