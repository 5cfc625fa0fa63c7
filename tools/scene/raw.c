/* From one mesh to parts: see raw.h.
 *
 * Corners are sorted by vertex and then, keeping that order, by part: two passes of counting, so
 * that the time depends on the size of the mesh alone, however many parts there are and however
 * they share vertices. */
#include "scene/raw.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 65536 };

void scene_raw_free(SceneRaw *raw)
{
    for (int32_t i = 0; i < raw->run_count; i++)
        free(raw->runs[i].name);
    free(raw->runs);
    free(raw->vertices);
    free(raw->triangles);
    free(raw->faces);
}

/* ---- Names ------------------------------------------------------------------------------------
 */

/* The bytes of a character of UTF-8, or 0: none that may be in a name begins here. */
static size_t character(const unsigned char *at, size_t left)
{
    static const struct {
        unsigned char mask, head, size;
        uint32_t least;
    } kinds[] = {
        {0x80, 0, 1, 32}, {0xe0, 0xc0, 2, 0xa0}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
    for (int k = 0; k < 4; k++) {
        if ((at[0] & kinds[k].mask) != kinds[k].head || kinds[k].size > left)
            continue;
        uint32_t code = at[0] & (unsigned char)~kinds[k].mask;
        for (size_t i = 1; i < kinds[k].size; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (at[i] & 0x3f);
        }
        bool is_fit = code >= kinds[k].least && code != 0x7f && code <= 0x10ffff &&
                      (code < 0xd800 || code > 0xdfff);
        return is_fit ? kinds[k].size : 0;
    }
    return 0;
}

bool scene_raw_add_run(SceneRaw *raw, const char *name, size_t size, int32_t first, size_t *budget,
                       SceneError *error)
{
    char *copy = scene_allocate(size + 1, 1, budget, error);
    if (!copy)
        return false;
    for (size_t i = 0, step = 0; i < size; i += step) {
        step = character((const unsigned char *)name + i, size - i);
        if (step)
            memcpy(copy + i, name + i, step);
        else
            copy[i] = '_', step = 1;
    }
    raw->runs[raw->run_count++] = (SceneRun){copy, first};
    return true;
}

/* ---- Parts ------------------------------------------------------------------------------------
 */

typedef struct Split {
    const SceneRaw *raw;
    int32_t part_count;
    int32_t *order;      /* runs by name, and of one name by place */
    int32_t *run_parts;  /* of each run */
    int32_t *names;      /* a run of each part */
    int32_t *part_of;    /* of each triangle */
    int32_t *index;      /* of each triangle in its part */
    uint32_t *by_vertex; /* corners */
    uint32_t *by_part;   /* corners, those of a part by vertex */
    size_t *starts;      /* of parts in by_part, or of vertices in by_vertex; one more at the end */
} Split;

static int compare_runs(const void *a, const void *b, void *user)
{
    const SceneRun *runs = user;
    int32_t i = *(const int32_t *)a, j = *(const int32_t *)b;
    int difference = strcmp(runs[i].name, runs[j].name);
    return difference ? difference : (i > j) - (i < j);
}

static bool allocate_split(Split *split, size_t *budget, SceneError *error)
{
    size_t runs = (size_t)split->raw->run_count, triangles = (size_t)split->raw->triangle_count;
    size_t vertices = (size_t)split->raw->vertex_count;
    split->order = scene_allocate(runs, sizeof *split->order, budget, error);
    split->run_parts = scene_allocate(runs, sizeof *split->run_parts, budget, error);
    split->names = scene_allocate(runs, sizeof *split->names, budget, error);
    split->part_of = scene_allocate(triangles, sizeof *split->part_of, budget, error);
    split->index = scene_allocate(triangles, sizeof *split->index, budget, error);
    split->by_vertex = scene_allocate(3 * triangles, sizeof *split->by_vertex, budget, error);
    split->by_part = scene_allocate(3 * triangles, sizeof *split->by_part, budget, error);
    split->starts =
        scene_allocate((runs > vertices ? runs : vertices) + 2, sizeof(size_t), budget, error);
    return split->order && split->run_parts && split->names && split->part_of && split->index &&
           split->by_vertex && split->by_part && split->starts;
}

static void free_split(Split *split)
{
    free(split->order);
    free(split->run_parts);
    free(split->names);
    free(split->part_of);
    free(split->index);
    free(split->by_vertex);
    free(split->by_part);
    free(split->starts);
}

/* Runs of one name get the first of them, and first ones get numbers as they come. */
static bool number_parts(Split *split, SceneError *error)
{
    const SceneRaw *raw = split->raw;
    for (int32_t i = 0; i < raw->run_count; i++)
        split->order[i] = i;
    qsort_r(split->order, (size_t)raw->run_count, sizeof *split->order, compare_runs, raw->runs);
    int32_t leader = 0;
    for (int32_t i = 0; i < raw->run_count; i++) {
        int32_t run = split->order[i];
        if (i == 0 || strcmp(raw->runs[run].name, raw->runs[leader].name) != 0)
            leader = run;
        split->run_parts[run] = leader;
    }
    for (int32_t run = 0; run < raw->run_count; run++) {
        bool is_first = split->run_parts[run] == run;
        if (is_first)
            split->names[split->part_count++] = run;
        split->run_parts[run] =
            is_first ? split->part_count - 1 : split->run_parts[split->run_parts[run]];
    }
    if (split->part_count > MAX_PARTS)
        return scene_fail(error, "it has %d parts, and %d are the most", (int)split->part_count,
                          (int)MAX_PARTS);
    return true;
}

static void place_triangles(Split *split, ScenePart *parts)
{
    const SceneRaw *raw = split->raw;
    int32_t run = 0;
    for (int32_t t = 0; t < raw->triangle_count; t++) {
        while (run + 1 < raw->run_count && raw->runs[run + 1].first <= t)
            run++;
        split->part_of[t] = split->run_parts[run];
        split->index[t] = parts[split->part_of[t]].triangle_count++;
    }
}

static void count_starts(size_t *starts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        starts[i + 1] += starts[i];
}

/* After this, starts[p] to starts[p + 1] are the corners of part p in by_part. */
static void sort_corners(Split *split)
{
    const SceneRaw *raw = split->raw;
    const uint32_t corner_count = 3 * (uint32_t)raw->triangle_count;
    size_t *starts = split->starts;
    for (uint32_t c = 0; c < corner_count; c++)
        starts[raw->triangles[c] + 2]++;
    count_starts(starts, (size_t)raw->vertex_count + 1);
    for (uint32_t c = 0; c < corner_count; c++)
        split->by_vertex[starts[raw->triangles[c] + 1]++] = c;
    memset(starts, 0, ((size_t)raw->vertex_count + 2) * sizeof *starts);
    for (uint32_t c = 0; c < corner_count; c++)
        starts[split->part_of[c / 3] + 2]++;
    count_starts(starts, (size_t)split->part_count + 1);
    for (uint32_t i = 0; i < corner_count; i++) {
        uint32_t c = split->by_vertex[i];
        split->by_part[starts[split->part_of[c / 3] + 1]++] = c;
    }
}

static bool allocate_part(ScenePart *part, const char *name, size_t *budget, SceneError *error)
{
    part->name = scene_allocate(strlen(name) + 1, 1, budget, error);
    part->vertices = scene_allocate((size_t)part->vertex_count, 3 * sizeof(float), budget, error);
    part->triangles =
        scene_allocate((size_t)part->triangle_count, 3 * sizeof(uint32_t), budget, error);
    part->faces = scene_allocate((size_t)part->triangle_count, sizeof *part->faces, budget, error);
    part->sources =
        scene_allocate((size_t)part->vertex_count, sizeof *part->sources, budget, error);
    if (!part->name || !part->vertices || !part->triangles || !part->faces || !part->sources)
        return false;
    memcpy(part->name, name, strlen(name) + 1);
    return true;
}

static bool fill_part(const Split *split, int32_t index, ScenePart *part, size_t *budget,
                      SceneError *error)
{
    const SceneRaw *raw = split->raw;
    const uint32_t *corners = split->by_part + split->starts[index];
    const size_t count = split->starts[index + 1] - split->starts[index];
    for (size_t i = 0; i < count; i++)
        part->vertex_count +=
            i == 0 || raw->triangles[corners[i]] != raw->triangles[corners[i - 1]];
    part->read_count = part->vertex_count;
    if (!allocate_part(part, raw->runs[split->names[index]].name, budget, error))
        return false;
    int32_t last = -1;
    for (size_t i = 0; i < count; i++) {
        const uint32_t c = corners[i], vertex = raw->triangles[c];
        if (last < 0 || (uint32_t)part->sources[last] != vertex) {
            part->sources[++last] = (int32_t)vertex;
            memcpy(part->vertices + 3 * (size_t)last, raw->vertices + 3 * (size_t)vertex,
                   3 * sizeof(float));
        }
        const int32_t t = split->index[c / 3];
        part->triangles[3 * (size_t)t + c % 3] = (uint32_t)last;
        part->faces[t].face = raw->faces[c / 3];
    }
    return true;
}

static bool make_parts(Split *split, Scene *scene, size_t *budget, SceneError *error)
{
    if (!allocate_split(split, budget, error) || !number_parts(split, error))
        return false;
    scene->parts = scene_allocate((size_t)split->part_count, sizeof *scene->parts, budget, error);
    if (!scene->parts)
        return false;
    scene->part_count = split->part_count;
    scene->source_count = split->raw->vertex_count;
    for (int32_t i = 0; i < scene->part_count; i++)
        scene->parts[i].node = scene->parts[i].skin = scene->parts[i].cached = -1;
    place_triangles(split, scene->parts);
    sort_corners(split);
    for (int32_t i = 0; i < scene->part_count; i++)
        if (!fill_part(split, i, &scene->parts[i], budget, error))
            return false;
    return true;
}

/* What is welded has no use for the numbers that its vertices had. */
static bool weld(Scene *scene, SceneError *error)
{
    for (int32_t i = 0; i < scene->part_count; i++) {
        free(scene->parts[i].sources);
        scene->parts[i].sources = NULL;
    }
    return scene_weld(scene, error);
}

Scene *scene_of_raw(const SceneRaw *raw, const char *format, const SceneOptions *options,
                    size_t *budget, SceneError *error)
{
    Split split = {.raw = raw};
    Scene *scene = scene_create(format, error);
    if (scene && !(make_parts(&split, scene, budget, error) &&
                   (!options->is_welded || weld(scene, error)))) {
        scene_free(scene);
        scene = NULL;
    }
    free_split(&split);
    return scene;
}
