/* Numbered sequences: one file for each frame, with the same faces in all of them.
 *
 * A name stands for its numbers in two ways: "walk_####.obj" and, as printf has it,
 * "walk_%04d.obj". However many digits that says, numbers may have more or fewer:
 * "##" is 1 to 12, all of them. The folder is listed once, so that a hole in the numbering is
 * a hole and not the end. */
#include "scene/reader.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MAX_DIGITS = 9 };

typedef struct Pattern {
    const char *name;   /* of the file, behind its folder */
    size_t before;      /* bytes of the name before the number */
    const char *behind; /* the number: the ending, with what is before it */
    size_t digits;      /* that it says */
    bool is_obj;
} Pattern;

/* ---- Names ------------------------------------------------------------------------------------
 */

static bool find_hashes(Pattern *pattern)
{
    const char *hash = strchr(pattern->name, '#');
    if (!hash)
        return false;
    pattern->before = (size_t)(hash - pattern->name);
    pattern->digits = strspn(hash, "#");
    pattern->behind = hash + pattern->digits;
    return !strchr(pattern->behind, '#');
}

/* %d, %4d is not one (blanks are in no names), %04d. */
static bool find_percent(Pattern *pattern)
{
    const char *percent = strchr(pattern->name, '%');
    if (!percent)
        return false;
    pattern->before = (size_t)(percent - pattern->name);
    pattern->digits = 1;
    const char *at = percent + 1;
    if (at[0] == '0' && at[1] >= '1' && at[1] <= '9') {
        pattern->digits = (size_t)(at[1] - '0');
        at += 2;
    }
    pattern->behind = at + 1;
    return at[0] == 'd' && !strchr(pattern->behind, '%');
}

static bool find_pattern(const char *path, Pattern *pattern)
{
    const char *slash = strrchr(path, '/');
    *pattern = (Pattern){.name = slash ? slash + 1 : path};
    const size_t length = strlen(pattern->name);
    const char *ending = length > 4 ? pattern->name + length - 4 : "";
    pattern->is_obj = strcasecmp(ending, ".obj") == 0;
    if (!pattern->is_obj && strcasecmp(ending, ".ply") != 0)
        return false;
    return (find_hashes(pattern) || find_percent(pattern)) && pattern->digits <= MAX_DIGITS;
}

bool scene_is_sequence(const char *path)
{
    Pattern pattern;
    struct stat facts;
    return find_pattern(path, &pattern) && stat(path, &facts) != 0;
}

/* The number of a file that the pattern stands for, or -1. */
static int32_t number_of(const Pattern *pattern, const char *name)
{
    if (strncmp(name, pattern->name, pattern->before) != 0)
        return -1;
    const char *digits = name + pattern->before;
    const size_t count = strspn(digits, "0123456789");
    if (count < 1 || count > MAX_DIGITS || strcmp(digits + count, pattern->behind) != 0)
        return -1;
    return (int32_t)strtol(digits, NULL, 10);
}

/* ---- Which files there are --------------------------------------------------------------------
 */

/* A number, and with how many digits its file has it. */
typedef struct Numbered {
    int32_t number, digits;
} Numbered;

typedef struct Sequence {
    Pattern pattern;
    const char *path;
    const SceneOptions *options;
    SceneError *error;
    size_t budget;
    char *folder, *file; /* memory for the path of one file */
    Numbered *numbers;
    int32_t frame_count;
} Sequence;

static bool fail_memory(Sequence *s)
{
    scene_fail(s->error, "there is no memory left");
    return false;
}

static bool add_number(Sequence *s, Numbered number, int32_t *capacity)
{
    if (s->frame_count == *capacity) {
        const int32_t larger = *capacity ? 2 * *capacity : 64;
        Numbered *numbers = realloc(s->numbers, (size_t)larger * sizeof *numbers);
        if (!numbers)
            return fail_memory(s);
        s->numbers = numbers;
        *capacity = larger;
    }
    s->numbers[s->frame_count++] = number;
    return true;
}

static bool list_folder(Sequence *s)
{
    DIR *folder = opendir(s->folder);
    if (!folder)
        return scene_fail(s->error, "%s", strerror(errno));
    int32_t capacity = 0;
    bool is_listed = true;
    for (struct dirent *entry = readdir(folder); entry && is_listed; entry = readdir(folder)) {
        const Numbered number = {
            number_of(&s->pattern, entry->d_name),
            (int32_t)(strlen(entry->d_name) - s->pattern.before - strlen(s->pattern.behind))};
        is_listed = number.number < 0 || add_number(s, number, &capacity);
    }
    closedir(folder);
    return is_listed;
}

static int compare(const void *a, const void *b)
{
    const int32_t i = ((const Numbered *)a)->number, j = ((const Numbered *)b)->number;
    return (i > j) - (i < j);
}

static bool check_numbers(Sequence *s)
{
    if (!s->numbers) {
        scene_fail(s->error, "no file has a name like that");
        return false;
    }
    qsort(s->numbers, (size_t)s->frame_count, sizeof *s->numbers, compare);
    for (int32_t i = 1; i < s->frame_count; i++) {
        const int32_t number = s->numbers[i].number, before = s->numbers[i - 1].number;
        if (number == before)
            return scene_fail(s->error, "frame %d is there twice, with %d and %d digits",
                              (int)number, (int)s->numbers[i - 1].digits,
                              (int)s->numbers[i].digits);
        if (number != before + 1)
            return scene_fail(s->error, "frame %d is missing: there are %d to %d", (int)before + 1,
                              (int)s->numbers[0].number,
                              (int)s->numbers[s->frame_count - 1].number);
    }
    return true;
}

static bool find_files(Sequence *s)
{
    const size_t length = (size_t)(s->pattern.name - s->path);
    s->folder = length > 0 ? strndup(s->path, length) : strdup(".");
    s->file = malloc(strlen(s->path) + MAX_DIGITS + 1);
    if (!s->folder || !s->file)
        return fail_memory(s);
    return list_folder(s) && check_numbers(s);
}

/* ---- Frames -----------------------------------------------------------------------------------
 */

/* An error of a frame says of which. */
static bool fail_frame(Sequence *s, int32_t frame, const char *what)
{
    return scene_fail(s->error, "frame %d: %.300s", (int)s->numbers[frame].number, what);
}

static Scene *read_frame(Sequence *s, int32_t frame)
{
    sprintf(s->file, "%.*s%0*d%s", (int)(s->pattern.name - s->path + (ptrdiff_t)s->pattern.before),
            s->path, (int)s->numbers[frame].digits, (int)s->numbers[frame].number,
            s->pattern.behind);
    SceneOptions options = *s->options;
    options.is_welded = false;
    options.max_bytes = s->budget;
    size_t byte_count = 0;
    char *bytes = scene_read_file(s->file, &options, &byte_count, s->error);
    Scene *scene = NULL;
    if (bytes)
        scene = (s->pattern.is_obj ? scene_read_obj : scene_read_ply)(bytes, byte_count, &options,
                                                                      s->error);
    free(bytes);
    if (!scene) {
        const SceneError cause = *s->error;
        fail_frame(s, frame, cause.text);
    }
    return scene;
}

static bool check_part(Sequence *s, int32_t frame, const ScenePart *first, const ScenePart *part)
{
    SceneError difference;
    if (strcmp(first->name, part->name) != 0)
        scene_fail(&difference, "part '%.60s' is '%.60s' in the first frame", part->name,
                   first->name);
    else if (first->triangle_count != part->triangle_count)
        scene_fail(&difference, "part '%.60s' has %d triangles, and %d in the first frame",
                   part->name, (int)part->triangle_count, (int)first->triangle_count);
    else if (first->vertex_count != part->vertex_count ||
             memcmp(first->triangles, part->triangles,
                    (size_t)part->triangle_count * 3 * sizeof(uint32_t)) != 0 ||
             memcmp(first->sources, part->sources, (size_t)part->vertex_count * sizeof(int32_t)) !=
                 0 ||
             memcmp(first->faces, part->faces, (size_t)part->triangle_count * sizeof(SceneFace)) !=
                 0)
        scene_fail(&difference, "part '%.60s' has other faces than in the first frame", part->name);
    else
        return true;
    return fail_frame(s, frame, difference.text);
}

static bool check_frame(Sequence *s, int32_t frame, const Scene *first, const Scene *scene)
{
    if (first->part_count != scene->part_count || first->source_count != scene->source_count) {
        SceneError difference;
        scene_fail(&difference, "%d parts of %d vertices, and %d of %d in the first frame",
                   (int)scene->part_count, (int)scene->source_count, (int)first->part_count,
                   (int)first->source_count);
        return fail_frame(s, frame, difference.text);
    }
    for (int32_t i = 0; i < scene->part_count; i++)
        if (!check_part(s, frame, &first->parts[i], &scene->parts[i]))
            return false;
    return true;
}

static void keep_frame(Scene *first, int32_t frame, const Scene *scene)
{
    float *to = first->cache.vertices + 3 * (size_t)frame * (size_t)first->cache.vertex_count;
    for (int32_t i = 0; i < scene->part_count; i++) {
        const size_t count = 3 * (size_t)scene->parts[i].vertex_count;
        memcpy(to, scene->parts[i].vertices, count * sizeof *to);
        to += count;
    }
}

static bool make_cache(Sequence *s, Scene *scene)
{
    int64_t count = 0;
    for (int32_t i = 0; i < scene->part_count; i++) {
        scene->parts[i].cached = (int32_t)count;
        count += scene->parts[i].vertex_count;
    }
    scene->cache.vertex_count = (int32_t)count;
    scene->cache.frame_count = s->frame_count;
    scene->cache.vertices = scene_allocate((size_t)count * (size_t)s->frame_count,
                                           3 * sizeof(float), &s->budget, s->error);
    return scene->cache.vertices != NULL;
}

/* "walk" of "walk_####.obj". */
static char *stem_of(const Pattern *pattern)
{
    size_t size = pattern->before;
    while (size > 0 && strchr("_-. ", pattern->name[size - 1]))
        size--;
    return size > 0 ? strndup(pattern->name, size) : strdup("sequence");
}

static bool make_clip(Sequence *s, Scene *scene)
{
    SceneClip *clip = calloc(1, sizeof *clip);
    char *format = strdup(s->pattern.is_obj ? "OBJ sequence" : "PLY sequence");
    if (!clip || !format || !(clip->name = stem_of(&s->pattern))) {
        free(clip);
        free(format);
        return fail_memory(s);
    }
    clip->frame_count = s->frame_count;
    clip->fps = s->options->fps;
    clip->start = s->numbers[0].number / clip->fps;
    clip->end = clip->start + (s->frame_count - 1) / clip->fps;
    scene->clips = clip;
    scene->clip_count = 1;
    free(scene->format);
    scene->format = format;
    return true;
}

static bool read_frames(Sequence *s, Scene *first)
{
    if (!make_cache(s, first) || !make_clip(s, first))
        return false;
    keep_frame(first, 0, first);
    for (int32_t frame = 1; frame < s->frame_count; frame++) {
        Scene *scene = read_frame(s, frame);
        bool is_alike = scene && check_frame(s, frame, first, scene);
        if (is_alike)
            keep_frame(first, frame, scene);
        scene_free(scene);
        if (!is_alike)
            return false;
    }
    return true;
}

/* Numbers of the file mean nothing to vertices that are welded. */
static bool weld(Sequence *s, Scene *scene)
{
    if (!s->options->is_welded)
        return true;
    for (int32_t i = 0; i < scene->part_count; i++) {
        free(scene->parts[i].sources);
        scene->parts[i].sources = NULL;
    }
    return scene_weld(scene, s->error);
}

Scene *scene_read_sequence(const char *path, const SceneOptions *options, SceneError *error)
{
    Sequence s = {.path = path, .options = options, .error = error, .budget = options->max_bytes};
    Scene *scene = NULL;
    if (!find_pattern(path, &s.pattern))
        scene_fail(error, "it is not the name of a numbered sequence");
    else if (find_files(&s))
        scene = read_frame(&s, 0);
    if (scene && !(read_frames(&s, scene) && weld(&s, scene))) {
        scene_free(scene);
        scene = NULL;
    }
    free(s.folder);
    free(s.file);
    free(s.numbers);
    return scene;
}
