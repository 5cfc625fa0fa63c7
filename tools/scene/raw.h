/* A mesh as a file has it, all of it together, and the parts that it becomes. */
#ifndef TOOLS_SCENE_RAW_H
#define TOOLS_SCENE_RAW_H

#include "scene/reader.h"

/* Triangles from `first` on, to the next run, are of the part of this name. */
typedef struct SceneRun {
    char *name;
    int32_t first;
} SceneRun;

typedef struct SceneRaw {
    int32_t vertex_count, triangle_count, run_count;
    float *vertices;     /* three floats each */
    uint32_t *triangles; /* three vertices each, all of them there */
    int32_t *faces;      /* of each triangle: the file's face */
    SceneRun *runs;      /* in the order of their triangles; the first begins at 0 */
} SceneRaw;

void scene_raw_free(SceneRaw *raw);

/* A run that begins at triangle `first`; `raw->runs` has room for it. The name is made fit to be
 * shown and written: what is not UTF-8, or is a control character, becomes "_". */
bool scene_raw_add_run(SceneRaw *raw, const char *name, size_t size, int32_t first, size_t *budget,
                       SceneError *error);

/* The scene of a mesh: runs of one name are one part, in the order of their first triangles, and a
 * part has the vertices that it uses, in their order. Welded if asked for; if not, it knows which
 * vertices of the file its own are. */
Scene *scene_of_raw(const SceneRaw *raw, const char *format, const SceneOptions *options,
                    size_t *budget, SceneError *error);

#endif
