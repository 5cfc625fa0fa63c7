/* Several caches as one scene: a body and the cloth on it, each with a cache of its own. */
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (1 + fabs(a));
}

static bool check_alike(const Scene *first, const Scene *scene, const char *path, SceneError *error)
{
    const SceneClip *one = &first->clips[0], *other = &scene->clips[0];
    if (one->frame_count != other->frame_count)
        return scene_fail(error, "%.200s has %d samples, and the first cache %d", path,
                          (int)other->frame_count, (int)one->frame_count);
    return (is_same(one->start, other->start) && is_same(one->fps, other->fps)) ||
           scene_fail(error, "%.200s has samples at other times than the first cache", path);
}

/* Vertices of both, frame by frame. */
static bool join_caches(SceneCache *whole, const SceneCache *more, size_t *budget,
                        SceneError *error)
{
    const size_t a = 3 * (size_t)whole->vertex_count, b = 3 * (size_t)more->vertex_count;
    if ((int64_t)whole->vertex_count + more->vertex_count > INT32_MAX)
        return scene_fail(error, "the caches have too many vertices");
    float *both = scene_allocate((size_t)whole->frame_count * (a + b), sizeof *both, budget, error);
    if (!both)
        return false;
    for (size_t f = 0; f < (size_t)whole->frame_count; f++) {
        memcpy(both + f * (a + b), whole->vertices + f * a, a * sizeof *both);
        memcpy(both + f * (a + b) + a, more->vertices + f * b, b * sizeof *both);
    }
    free(whole->vertices);
    whole->vertices = both;
    whole->vertex_count += more->vertex_count;
    return true;
}

/* Moves the parts of a scene to another. */
static bool join_parts(Scene *whole, Scene *more, SceneError *error)
{
    const size_t count = (size_t)whole->part_count + (size_t)more->part_count;
    ScenePart *parts = realloc(whole->parts, count * sizeof *parts);
    if (!parts)
        return scene_fail(error, "there is no memory left");
    whole->parts = parts;
    for (int32_t i = 0; i < more->part_count; i++) {
        parts[whole->part_count] = more->parts[i];
        parts[whole->part_count++].cached += whole->cache.vertex_count - more->cache.vertex_count;
    }
    more->part_count = 0;
    for (int32_t i = 0; i < more->note_count; i++)
        scene_note(whole, "%s", more->notes[i]);
    return true;
}

static bool finish(Scene *scene, int32_t count, SceneError *error)
{
    char format[40];
    char **names = malloc(((size_t)scene->part_count + 1) * sizeof *names);
    if (!names)
        return scene_fail(error, "there is no memory left");
    for (int32_t i = 0; i < scene->part_count; i++)
        names[i] = scene->parts[i].name;
    const bool is_named = scene_make_unique(names, scene->part_count, error);
    for (int32_t i = 0; i < scene->part_count; i++)
        scene->parts[i].name = names[i];
    free(names);
    snprintf(format, sizeof format, "%d caches over OBJ", (int)count);
    char *copy = strdup(format);
    if (copy) {
        free(scene->format);
        scene->format = copy;
    }
    return is_named;
}

Scene *scene_read_together(const char *const *paths, int32_t count, const SceneOptions *options,
                           SceneError *error)
{
    Scene *whole = scene_read(paths[0], options, error);
    bool is_read = whole != NULL;
    size_t budget = options->max_bytes;
    for (int32_t i = 1; i < count && is_read; i++) {
        Scene *more = scene_read(paths[i], options, error);
        if (!more) {
            const SceneError cause = *error;
            scene_fail(error, "%.150s: %.200s", paths[i], cause.text);
        }
        is_read = more && check_alike(whole, more, paths[i], error) &&
                  join_caches(&whole->cache, &more->cache, &budget, error) &&
                  join_parts(whole, more, error);
        scene_free(more);
    }
    if (is_read && finish(whole, count, error))
        return whole;
    scene_free(whole);
    return NULL;
}
