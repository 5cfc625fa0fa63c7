/* What readers share: memory that is limited, files, refusals. For this folder alone. */
#ifndef TOOLS_READER_H
#define TOOLS_READER_H

#include "scene/scene.h"

/* Writes the sentence and returns false: `return scene_fail(error, "meshes[%d] has no ...", i)`. */
bool scene_fail(SceneError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed memory for `count` things of `size` bytes, which is never NULL for a count of 0; or NULL,
 * with an error, beyond what is left of *budget, which it is taken from. Freed with free(). */
void *scene_allocate(size_t count, size_t size, size_t *budget, SceneError *error);

/* What a file of so many bytes may make us hold: a byte of a real model becomes some hundred at
 * most (sparse targets, meshes that many nodes draw), so that a file that asks for more was made to
 * do harm. */
size_t scene_budget(const SceneOptions *options, size_t byte_count);

/* A whole file of at most options->max_bytes, with a zero byte behind it. */
char *scene_read_file(const char *path, const SceneOptions *options, size_t *byte_count,
                      SceneError *error);

/* Room for one more note; the text is copied. Not being able to is no failure. */
void scene_note(Scene *scene, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "all vertices of 'suit' are in one place: it is left out" */
void scene_note_one_place(Scene *scene, const char *name);

/* A name that none of `names` has: `wanted`, or with "#2", "#3", ... behind it. Allocated. */
char *scene_unique_name(const char *wanted, char *const *names, int32_t count);

/* Makes all names different, in O(n log n): the second of a kind gets "#2", and so on. Names are
 * replaced, and freed. */
bool scene_make_unique(char **names, int32_t count, SceneError *error);

/* What a track says at a time: track->width numbers. */
void scene_track_at(const SceneTrack *track, double time, double *out);

/* The least usual rate that all keys of a clip's tracks are at; 0: none. */
double scene_tracks_rate(const SceneClip *clip);

/* What a part holds, not itself. */
void scene_free_part(ScenePart *part);
void scene_free_paint(ScenePaint *paint);

Scene *scene_read_sequence(const char *path, const SceneOptions *options, SceneError *error);

/* An empty scene; NULL: no memory. */
Scene *scene_create(const char *format, SceneError *error);

#endif
