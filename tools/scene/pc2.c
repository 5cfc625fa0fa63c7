/* PC2: the vertices of an OBJ, all of them, for each of some moments.
 *
 * The file is "POINTCACHE2" and a zero byte, the version (1), the number of points, the frame that
 * it starts at, how many frames there are from one sample to the next, the number of samples; then
 * three floats for each point of each sample. All little-endian. */
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 32 };

typedef struct Header {
    int32_t version, point_count;
    float start, step; /* frames */
    int32_t sample_count;
} Header;

static uint32_t bits_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float float_at(const uint8_t *bytes)
{
    uint32_t bits = bits_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool check_header(const Header *header, size_t byte_count, SceneError *error)
{
    if (header->version != 1)
        return scene_fail(error, "a PC2 cache of version %d, and only 1 is known",
                          (int)header->version);
    if (header->point_count < 1 || header->sample_count < 1)
        return scene_fail(error, "the PC2 cache has %d points and %d samples",
                          (int)header->point_count, (int)header->sample_count);
    if (!(fabsf(header->start) < 1e9f) || !(header->step > 1e-6f && header->step < 1e6f))
        return scene_fail(error, "the PC2 cache starts at frame %g, with a sample every %g frames",
                          (double)header->start, (double)header->step);
    const size_t floats = (byte_count - HEADER_SIZE) / 12;
    if ((byte_count - HEADER_SIZE) % 12 || floats % (size_t)header->point_count ||
        floats / (size_t)header->point_count != (size_t)header->sample_count)
        return scene_fail(error, "the PC2 cache is not as long as its header says: %zu bytes",
                          byte_count);
    return true;
}

static bool read_header(const uint8_t *bytes, size_t byte_count, Header *header, SceneError *error)
{
    if (byte_count < HEADER_SIZE || memcmp(bytes, "POINTCACHE2", 12) != 0)
        return scene_fail(error, "it does not begin as a PC2 cache does");
    *header = (Header){(int32_t)bits_at(bytes + 12), (int32_t)bits_at(bytes + 16),
                       float_at(bytes + 20), float_at(bytes + 24), (int32_t)bits_at(bytes + 28)};
    return check_header(header, byte_count, error);
}

static bool check_scene(const Scene *scene, const Header *header, SceneError *error)
{
    for (int32_t i = 0; i < scene->part_count; i++)
        if (!scene->parts[i].sources)
            return scene_fail(error, "a PC2 cache goes over an OBJ that is not welded");
    if (scene->clip_count > 0 || scene->part_count == 0)
        return scene_fail(error, "a PC2 cache goes over a mesh that does not move yet");
    if (header->point_count != scene->source_count)
        return scene_fail(error, "the PC2 cache has %d points, and its mesh has %d vertices",
                          (int)header->point_count, (int)scene->source_count);
    return true;
}

/* All that parts use, in their order; of what they do not use, nothing is asked. */
static bool draw_samples(const Scene *scene, const uint8_t *bytes, SceneCache *cache,
                         SceneError *error)
{
    float *to = cache->vertices;
    for (int32_t sample = 0; sample < cache->frame_count; sample++) {
        const uint8_t *points =
            bytes + HEADER_SIZE + 12 * (size_t)sample * (size_t)scene->source_count;
        for (int32_t i = 0; i < scene->part_count; i++) {
            const ScenePart *part = &scene->parts[i];
            for (int32_t k = 0; k < 3 * part->vertex_count; k++) {
                *to = float_at(points + 12 * (size_t)part->sources[k / 3] + 4 * (size_t)(k % 3));
                if (!isfinite(*to++))
                    return scene_fail(error, "sample %d of the PC2 cache: point %d is not finite",
                                      (int)sample, (int)part->sources[k / 3]);
            }
        }
    }
    return true;
}

static bool fill_cache(const Scene *scene, const uint8_t *bytes, int32_t frame_count,
                       size_t *budget, SceneCache *cache, SceneError *error)
{
    int64_t vertex_count = 0;
    for (int32_t i = 0; i < scene->part_count; i++)
        vertex_count += scene->parts[i].vertex_count;
    if (vertex_count > INT32_MAX)
        return scene_fail(error, "its parts have too many vertices");
    *cache = (SceneCache){(int32_t)vertex_count, frame_count, NULL};
    cache->vertices = scene_allocate((size_t)vertex_count * (size_t)frame_count, 3 * sizeof(float),
                                     budget, error);
    return cache->vertices && draw_samples(scene, bytes, cache, error);
}

static bool make_clip(Scene *scene, const Header *header, double fps, size_t *budget,
                      SceneError *error)
{
    SceneClip *clip = scene_allocate(1, sizeof *clip, budget, error);
    if (!clip || !(clip->name = strdup("cache"))) {
        free(clip);
        return scene_fail(error, "there is no memory left");
    }
    clip->frame_count = header->sample_count;
    clip->fps = fps / header->step;
    clip->start = header->start / fps;
    clip->end = clip->start + (header->sample_count - 1) / clip->fps;
    scene->clips = clip;
    scene->clip_count = 1;
    return true;
}

static void place_parts(Scene *scene, bool is_cached)
{
    int32_t first = 0;
    for (int32_t i = 0; i < scene->part_count; i++) {
        scene->parts[i].cached = is_cached ? first : -1;
        first += scene->parts[i].vertex_count;
    }
}

/* As it was without a cache. */
static void restore(Scene *scene)
{
    place_parts(scene, false);
    free(scene->cache.vertices);
    scene->cache = (SceneCache){0};
    if (scene->clip_count > 0)
        free(scene->clips[0].name);
    free(scene->clips);
    scene->clips = NULL;
    scene->clip_count = 0;
}

/* Numbers of the file mean nothing to vertices that are welded. */
static bool weld(Scene *scene, SceneError *error)
{
    if (!scene_weld(scene, error))
        return false;
    for (int32_t i = 0; i < scene->part_count; i++) {
        free(scene->parts[i].sources);
        scene->parts[i].sources = NULL;
    }
    return true;
}

bool scene_add_pc2(Scene *scene, const void *bytes, size_t byte_count, const SceneOptions *options,
                   SceneError *error)
{
    Header header = {0};
    size_t budget = scene_budget(options, byte_count);
    if (!read_header(bytes, byte_count, &header, error) || !check_scene(scene, &header, error))
        return false;
    char *format = strdup("PC2 over OBJ");
    if (!format)
        return scene_fail(error, "there is no memory left");
    bool is_added = fill_cache(scene, bytes, header.sample_count, &budget, &scene->cache, error) &&
                    make_clip(scene, &header, options->fps, &budget, error);
    if (is_added)
        place_parts(scene, true);
    if (!is_added || (options->is_welded && !weld(scene, error))) {
        restore(scene);
        free(format);
        return false;
    }
    free(scene->format);
    scene->format = format;
    return true;
}
