/* PC2 and MDD: the vertices of an OBJ, all of them, for each of some moments.
 *
 * A PC2 is "POINTCACHE2" and a zero byte, the version (1), the number of points, the frame that it
 * starts at, how many frames there are from one sample to the next, the number of samples; then
 * three floats for each point of each sample. All little-endian.
 *
 * An MDD is the number of samples, the number of points, the time of each sample in seconds; then
 * the same floats. All big-endian. */
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 32, MDD_HEADER_SIZE = 8 };

/* What both kinds are: samples, and when they are. */
typedef struct Samples {
    const char *kind;
    const uint8_t *points; /* of the first sample; others follow without a gap */
    bool is_big;           /* endian */
    int32_t point_count, sample_count;
    double start, fps; /* seconds; samples a second */
} Samples;

typedef struct Header {
    int32_t version, point_count;
    float start, step; /* frames */
    int32_t sample_count;
} Header;

static uint32_t bits_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t big_bits_at(const uint8_t *bytes)
{
    return bytes[3] | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[0] << 24;
}

static float float_at(const uint8_t *bytes, bool is_big)
{
    uint32_t bits = is_big ? big_bits_at(bytes) : bits_at(bytes);
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
                       float_at(bytes + 20, false), float_at(bytes + 24, false),
                       (int32_t)bits_at(bytes + 28)};
    return check_header(header, byte_count, error);
}

static bool read_pc2(const uint8_t *bytes, size_t byte_count, double fps, Samples *samples,
                     SceneError *error)
{
    Header header = {0};
    if (!read_header(bytes, byte_count, &header, error))
        return false;
    *samples = (Samples){.kind = "PC2",
                         .points = bytes + HEADER_SIZE,
                         .point_count = header.point_count,
                         .sample_count = header.sample_count,
                         .start = header.start / fps,
                         .fps = fps / header.step};
    return true;
}

/* Samples are a step apart, to a hundredth of it, so that frames can be counted. */
static bool read_mdd_times(const uint8_t *times, double fps, Samples *samples, SceneError *error)
{
    const int32_t last = samples->sample_count - 1;
    const double first = (double)float_at(times, true),
                 end = (double)float_at(times + 4 * (size_t)last, true),
                 step = last > 0 ? (end - first) / last : 1 / fps;
    if (!isfinite(first) || !(step > 1e-6 && step < 1e6))
        return scene_fail(error, "the MDD cache goes from %g to %g s", first, end);
    for (int32_t i = 0; i <= last; i++) {
        const double time = (double)float_at(times + 4 * (size_t)i, true);
        if (!(fabs(time - first - i * step) < 0.01 * step + 1e-5 * fabs(end)))
            return scene_fail(error,
                              "samples of the MDD cache are not evenly spaced: %d is at %g s",
                              (int)i, time);
    }
    samples->start = first;
    samples->fps = 1 / step;
    return true;
}

static bool read_mdd(const uint8_t *bytes, size_t byte_count, double fps, Samples *samples,
                     SceneError *error)
{
    if (byte_count < MDD_HEADER_SIZE)
        return scene_fail(error, "it is too short for an MDD cache");
    const uint32_t sample_count = big_bits_at(bytes), point_count = big_bits_at(bytes + 4);
    const uint64_t room = byte_count - MDD_HEADER_SIZE,
                   each = 4 + 12 * (uint64_t)point_count; /* bytes of a sample, with its time */
    if (sample_count < 1 || point_count < 1 || sample_count > INT32_MAX ||
        point_count > INT32_MAX || room % each != 0 || room / each != sample_count)
        return scene_fail(error, "the MDD cache is not as long as its %u samples of %u points",
                          (unsigned)sample_count, (unsigned)point_count);
    *samples = (Samples){.kind = "MDD",
                         .points = bytes + MDD_HEADER_SIZE + 4 * (size_t)sample_count,
                         .is_big = true,
                         .point_count = (int32_t)point_count,
                         .sample_count = (int32_t)sample_count};
    return read_mdd_times(bytes + MDD_HEADER_SIZE, fps, samples, error);
}

static bool check_scene(const Scene *scene, const Samples *samples, SceneError *error)
{
    for (int32_t i = 0; i < scene->part_count; i++)
        if (!scene->parts[i].sources)
            return scene_fail(error, "a cache goes over an OBJ that is not welded");
    if (scene->clip_count > 0 || scene->part_count == 0)
        return scene_fail(error, "a cache goes over a mesh that does not move yet");
    if (samples->point_count != scene->source_count)
        return scene_fail(error, "the %s cache has %d points, and its mesh has %d vertices",
                          samples->kind, (int)samples->point_count, (int)scene->source_count);
    return true;
}

/* All that parts use, in their order; of what they do not use, nothing is asked. */
static bool draw_samples(const Scene *scene, const Samples *samples, SceneCache *cache,
                         SceneError *error)
{
    float *to = cache->vertices;
    for (int32_t sample = 0; sample < cache->frame_count; sample++) {
        const uint8_t *points = samples->points + 12 * (size_t)sample * (size_t)scene->source_count;
        for (int32_t i = 0; i < scene->part_count; i++) {
            const ScenePart *part = &scene->parts[i];
            for (int32_t k = 0; k < 3 * part->vertex_count; k++) {
                *to = float_at(points + 12 * (size_t)part->sources[k / 3] + 4 * (size_t)(k % 3),
                               samples->is_big);
                if (!isfinite(*to++))
                    return scene_fail(error, "sample %d of the %s cache: point %d is not finite",
                                      (int)sample, samples->kind, (int)part->sources[k / 3]);
            }
        }
    }
    return true;
}

static bool fill_cache(const Scene *scene, const Samples *samples, size_t *budget,
                       SceneCache *cache, SceneError *error)
{
    int64_t vertex_count = 0;
    for (int32_t i = 0; i < scene->part_count; i++)
        vertex_count += scene->parts[i].vertex_count;
    if (vertex_count > INT32_MAX)
        return scene_fail(error, "its parts have too many vertices");
    *cache =
        (SceneCache){.vertex_count = (int32_t)vertex_count, .frame_count = samples->sample_count};
    cache->vertices = scene_allocate((size_t)vertex_count * (size_t)samples->sample_count,
                                     3 * sizeof(float), budget, error);
    return cache->vertices && draw_samples(scene, samples, cache, error);
}

static bool make_clip(Scene *scene, const Samples *samples, size_t *budget, SceneError *error)
{
    SceneClip *clip = scene_allocate(1, sizeof *clip, budget, error);
    if (!clip || !(clip->name = strdup("cache"))) {
        free(clip);
        return scene_fail(error, "there is no memory left");
    }
    clip->frame_count = samples->sample_count;
    clip->fps = samples->fps;
    clip->start = samples->start;
    clip->end = clip->start + (samples->sample_count - 1) / clip->fps;
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

static bool add_samples(Scene *scene, const Samples *samples, size_t byte_count,
                        const SceneOptions *options, SceneError *error)
{
    size_t budget = scene_budget(options, byte_count);
    if (!check_scene(scene, samples, error))
        return false;
    char *format = strdup(samples->is_big ? "MDD over OBJ" : "PC2 over OBJ");
    if (!format)
        return scene_fail(error, "there is no memory left");
    bool is_added = fill_cache(scene, samples, &budget, &scene->cache, error) &&
                    make_clip(scene, samples, &budget, error);
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

bool scene_add_pc2(Scene *scene, const void *bytes, size_t byte_count, const SceneOptions *options,
                   SceneError *error)
{
    Samples samples = {0};
    return read_pc2(bytes, byte_count, options->fps, &samples, error) &&
           add_samples(scene, &samples, byte_count, options, error);
}

bool scene_add_mdd(Scene *scene, const void *bytes, size_t byte_count, const SceneOptions *options,
                   SceneError *error)
{
    Samples samples = {0};
    return read_mdd(bytes, byte_count, options->fps, &samples, error) &&
           add_samples(scene, &samples, byte_count, options, error);
}
