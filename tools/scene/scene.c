/* Scenes as memory, and what readers share. */
#include "scene/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

SceneOptions scene_options_default(void)
{
    const uint64_t most = UINT64_C(4) << 30; /* half of all, where there is no more */
    return (SceneOptions){.by = SCENE_BY_NODE,
                          .is_welded = true,
                          .max_bytes = (size_t)(most < SIZE_MAX ? most : SIZE_MAX / 2),
                          .fps = 30};
}

/* ---- What readers share ---------------------------------------------------------------------- */

enum { FREE_BYTES = 16 << 20, MAX_GROWTH = 1000 };

size_t scene_budget(const SceneOptions *options, size_t byte_count)
{
    if (options->is_any_growth || options->max_bytes <= FREE_BYTES ||
        byte_count >= (options->max_bytes - FREE_BYTES) / MAX_GROWTH)
        return options->max_bytes;
    return FREE_BYTES + MAX_GROWTH * byte_count;
}

bool scene_fail(SceneError *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

void *scene_allocate(size_t count, size_t size, size_t *budget, SceneError *error)
{
    if (size != 0 && count > *budget / size) {
        scene_fail(error,
                   "the file asks for more memory than it may have: --memory-limit sets how much");
        return NULL;
    }
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (!block)
        scene_fail(error, "there is no memory left");
    else
        *budget -= count * size;
    return block;
}

static char *read_stream(FILE *file, size_t max_bytes, size_t *byte_count, SceneError *error)
{
    size_t capacity = 65536, count = 0;
    char *bytes = malloc(capacity + 1);
    while (bytes) {
        count += fread(bytes + count, 1, capacity - count, file);
        if (count < capacity)
            break;
        if (capacity >= max_bytes) {
            scene_fail(error, "the file is larger than %zu bytes", max_bytes);
            free(bytes);
            return NULL;
        }
        capacity *= 2;
        char *larger = realloc(bytes, capacity + 1);
        if (!larger)
            free(bytes);
        bytes = larger;
    }
    if (!bytes) {
        scene_fail(error, "there is no memory left");
        return NULL;
    }
    bytes[count] = 0;
    *byte_count = count;
    return bytes;
}

char *scene_read_file(const char *path, const SceneOptions *options, size_t *byte_count,
                      SceneError *error)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        scene_fail(error, "%s", strerror(errno));
        return NULL;
    }
    errno = 0;
    char *bytes = read_stream(file, options->max_bytes, byte_count, error);
    if (bytes && ferror(file)) { /* a folder can be opened, and not read */
        scene_fail(error, "%s", strerror(errno ? errno : EIO));
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    if (bytes && options->watch)
        options->watch(options->watch_user, path, bytes, *byte_count);
    return bytes;
}

void scene_note(Scene *scene, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char **notes = realloc(scene->notes, ((size_t)scene->note_count + 1) * sizeof *notes);
    if (!notes)
        return;
    scene->notes = notes;
    notes[scene->note_count] = strdup(text);
    scene->note_count += notes[scene->note_count] != NULL;
}

void scene_note_one_place(Scene *scene, const char *name)
{
    scene_note(scene, "all vertices of '%.200s' are in one place: it is left out", name);
}

static bool is_taken(const char *name, char *const *names, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (names[i] && strcmp(names[i], name) == 0)
            return true;
    return false;
}

char *scene_unique_name(const char *wanted, char *const *names, int32_t count)
{
    size_t size = strlen(wanted) + 16;
    char *name = malloc(size);
    if (!name)
        return NULL;
    snprintf(name, size, "%s", wanted);
    for (int32_t i = 2; is_taken(name, names, count); i++)
        snprintf(name, size, "%s#%d", wanted, (int)i);
    return name;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* By name, and among equal ones by place: which of them came first keeps it. */
static int by_name_and_place(const void *a, const void *b, void *names)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    int order = strcmp(((char **)names)[x], ((char **)names)[y]);
    return order ? order : (x > y) - (x < y);
}

/* `sorted` are all names as they were. What is made of different ones differs too, since a number
 * is all that follows the last "#"; so those alone have to be compared. */
static char *numbered_name(const char *name, char *const *sorted, int32_t count, int32_t *number)
{
    size_t size = strlen(name) + 16;
    char *made = malloc(size);
    do {
        if (made)
            snprintf(made, size, "%s#%d", name, (int)++*number);
    } while (made && bsearch(&made, sorted, (size_t)count, sizeof *sorted, by_name));
    return made;
}

static bool number_names(char **names, const int32_t *order, char *const *sorted, int32_t count)
{
    for (int32_t i = 1, number = 1; i < count; i++) {
        if (strcmp(sorted[i], sorted[i - 1]) != 0) {
            number = 1;
            continue;
        }
        char *made = numbered_name(sorted[i], sorted, count, &number);
        if (!made)
            return false;
        names[order[i]] = made;
    }
    return true;
}

bool scene_make_unique(char **names, int32_t count, SceneError *error)
{
    int32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    char **sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    bool is_ok = order && sorted;
    if (is_ok) {
        for (int32_t i = 0; i < count; i++)
            order[i] = i;
        qsort_r(order, (size_t)count, sizeof *order, by_name_and_place, names);
        for (int32_t i = 0; i < count; i++)
            sorted[i] = names[order[i]];
        is_ok = number_names(names, order, sorted, count);
        for (int32_t i = 0; i < count; i++) /* those that were replaced */
            if (sorted[i] != names[order[i]])
                free(sorted[i]);
    }
    free(order);
    free(sorted);
    return is_ok || scene_fail(error, "there is no memory left");
}

/* ---- Scenes ------------------------------------------------------------------------------------
 */

Scene *scene_create(const char *format, SceneError *error)
{
    Scene *scene = calloc(1, sizeof *scene);
    if (scene && (scene->format = strdup(format)))
        return scene;
    free(scene);
    scene_fail(error, "there is no memory left");
    return NULL;
}

void scene_free_part(ScenePart *part)
{
    for (int32_t i = 0; part->target_names && i < part->target_count; i++)
        free(part->target_names[i]);
    free(part->target_names);
    free(part->name);
    free(part->vertices);
    free(part->triangles);
    free(part->faces);
    free(part->targets);
    free(part->weights);
    free(part->joints);
    free(part->joint_weights);
    free(part->sources);
    scene_free_paint(&part->paint);
}

void scene_free_paint(ScenePaint *paint)
{
    free(paint->looks);
    free(paint->uvs);
    free(paint->colors);
    *paint = (ScenePaint){0};
}

static void free_clip(SceneClip *clip)
{
    for (int32_t i = 0; clip->tracks && i < clip->track_count; i++) {
        free(clip->tracks[i].times);
        free(clip->tracks[i].values);
    }
    free(clip->tracks);
    free(clip->name);
}

void scene_free(Scene *scene)
{
    if (!scene)
        return;
    for (int32_t i = 0; scene->parts && i < scene->part_count; i++)
        scene_free_part(&scene->parts[i]);
    for (int32_t i = 0; scene->nodes && i < scene->node_count; i++)
        free(scene->nodes[i].name);
    for (int32_t i = 0; scene->skins && i < scene->skin_count; i++) {
        free(scene->skins[i].joints);
        free(scene->skins[i].inverse_binds);
    }
    for (int32_t i = 0; scene->clips && i < scene->clip_count; i++)
        free_clip(&scene->clips[i]);
    for (int32_t i = 0; i < scene->note_count; i++)
        free(scene->notes[i]);
    free(scene->parts);
    free(scene->nodes);
    free(scene->skins);
    free(scene->clips);
    free(scene->cache.vertices);
    free(scene->cache.transforms);
    free(scene->notes);
    for (int32_t i = 0; scene->images && i < scene->image_count; i++)
        free(scene->images[i].bytes);
    free(scene->images);
    free(scene->looks);
    free(scene->format);
    free(scene);
}
