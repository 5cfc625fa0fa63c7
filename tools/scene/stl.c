/* STL: triangles without a mesh, binary or as text. Every triangle has corners of its own; welding
 * makes a surface of them.
 *
 * A binary file is 80 bytes of anything, the number of triangles, and 50 bytes for each. Some begin
 * with "solid", as texts do: so the length decides. Solids of a text are parts.
 */
#include "scene/raw.h"
#include "scene/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 84, TRIANGLE_SIZE = 50 };

static uint32_t bits_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool allocate(SceneRaw *raw, size_t triangles, size_t runs, size_t *budget,
                     SceneError *error)
{
    if (triangles > INT32_MAX / 3)
        return scene_fail(error, "it has too many triangles: %zu", triangles);
    raw->vertices = scene_allocate(9 * triangles, sizeof *raw->vertices, budget, error);
    raw->triangles = scene_allocate(3 * triangles, sizeof *raw->triangles, budget, error);
    raw->faces = scene_allocate(triangles, sizeof *raw->faces, budget, error);
    raw->runs = scene_allocate(runs, sizeof *raw->runs, budget, error);
    for (size_t i = 0; raw->triangles && i < 3 * triangles; i++)
        raw->triangles[i] = (uint32_t)i;
    for (size_t i = 0; raw->faces && i < triangles; i++)
        raw->faces[i] = (int32_t)i;
    raw->triangle_count = (int32_t)triangles;
    raw->vertex_count = 3 * raw->triangle_count;
    return raw->vertices && raw->triangles && raw->faces && raw->runs;
}

/* ---- Binary ---------------------------------------------------------------------------------- */

static bool is_binary(const uint8_t *bytes, size_t byte_count)
{
    return byte_count >= HEADER_SIZE &&
           (uint64_t)bits_at(bytes + 80) * TRIANGLE_SIZE + HEADER_SIZE == byte_count;
}

static bool read_binary(const uint8_t *bytes, SceneRaw *raw, size_t *budget, SceneError *error)
{
    const size_t count = bits_at(bytes + 80);
    if (!allocate(raw, count, 1, budget, error) ||
        !scene_raw_add_run(raw, "mesh", 4, 0, budget, error))
        return false;
    for (size_t t = 0; t < count; t++)
        for (size_t k = 0; k < 9; k++) {
            const uint32_t bits = bits_at(bytes + HEADER_SIZE + t * TRIANGLE_SIZE + 12 + 4 * k);
            memcpy(&raw->vertices[9 * t + k], &bits, sizeof bits);
            if (!isfinite(raw->vertices[9 * t + k]))
                return scene_fail(error, "triangle %zu has a corner that is not finite", t);
        }
    return true;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* How many corners and solids there are. */
static void count_words(SceneText *text, size_t *corners, size_t *solids)
{
    do {
        const SceneWord word = scene_text_word(text);
        *corners += scene_word_is(word, "vertex");
        *solids += scene_word_is(word, "solid");
    } while (scene_text_next_line(text));
}

static bool read_corner(SceneText *text, float *corner, SceneError *error)
{
    for (int k = 0; k < 3; k++)
        if (!scene_text_float(text, scene_text_word(text), &corner[k], error))
            return false;
    return true;
}

/* A solid that has triangles is a run; its name is kept until the first of them. */
static bool read_lines(SceneText *text, SceneRaw *raw, size_t *budget, SceneError *error)
{
    size_t corners = 0;
    SceneWord name = {"mesh", 4};
    bool is_new = true;
    do {
        const SceneWord word = scene_text_word(text);
        if (scene_word_is(word, "solid")) {
            const SceneWord given = scene_text_word(text);
            name = given.size ? given : (SceneWord){"mesh", 4};
            is_new = true;
        }
        if (!scene_word_is(word, "vertex"))
            continue;
        if (is_new && corners % 3 != 0)
            return scene_fail(error, "line %lld: a solid begins within a triangle",
                              (long long)text->line);
        if (is_new &&
            !scene_raw_add_run(raw, name.at, name.size, (int32_t)(corners / 3), budget, error))
            return false;
        is_new = false;
        if (!read_corner(text, raw->vertices + 3 * corners++, error))
            return false;
    } while (scene_text_next_line(text));
    return true;
}

static bool read_text(const void *bytes, size_t byte_count, SceneRaw *raw, size_t *budget,
                      SceneError *error)
{
    SceneText text;
    size_t corners = 0, solids = 0;
    if (!scene_text_open(&text, bytes, byte_count, false, error))
        return false;
    bool is_read = scene_word_is(scene_text_word(&text), "solid") ||
                   scene_fail(error, "it is no STL: neither of its length, nor of solids");
    if (is_read) {
        scene_text_rewind(&text, bytes);
        count_words(&text, &corners, &solids);
        scene_text_rewind(&text, bytes);
        is_read = (corners % 3 == 0 || scene_fail(error, "it ends within a triangle")) &&
                  allocate(raw, corners / 3, solids, budget, error) &&
                  read_lines(&text, raw, budget, error);
    }
    scene_text_close(&text);
    return is_read;
}

Scene *scene_read_stl(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error)
{
    SceneRaw raw = {0};
    size_t budget = scene_budget(options, byte_count);
    const bool is_read = is_binary(bytes, byte_count)
                             ? read_binary(bytes, &raw, &budget, error)
                             : read_text(bytes, byte_count, &raw, &budget, error);
    if (is_read && raw.triangle_count == 0)
        scene_fail(error, "it has no triangles");
    Scene *scene = is_read && raw.triangle_count > 0
                       ? scene_of_raw(&raw, "STL", options, &budget, error)
                       : NULL;
    scene_raw_free(&raw);
    return scene;
}
