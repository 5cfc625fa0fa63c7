/* A small model with all that the glTF reader reads, as text and bytes that tests change: two
 * triangles with a skin of two joints, a morph target, and a clip that turns a joint and morphs. */
#ifndef TEST_SMALL_GLTF_H
#define TEST_SMALL_GLTF_H

#include "scene/scene.h"

/* Its binary chunk. */
typedef struct SmallBytes {
    float positions[4][3];
    uint16_t indices[6];
    uint8_t joints[4][4];
    float weights[4][4];
    float target[4][3];
    float binds[2][16];
    float times[2];
    float rotations[2][4];
    float keys[2];
    uint16_t corner_places[2]; /* for sparse accessors, which the model has none of */
    float values[3];
} SmallBytes;

extern const char small_json[];
SmallBytes small_bytes(void);

/* Text, with bytes as the binary chunk, read as a GLB. */
Scene *small_read(const char *json, const void *bytes, size_t byte_count,
                  const SceneOptions *options, SceneError *error);

/* Such a GLB: to be freed. */
char *small_glb(const char *json, const void *bytes, size_t byte_count, size_t *size);

/* The text with `from`, which must occur once, replaced: to be freed. */
char *small_replace(const char *json, const char *from, const char *to);

/* The model with one thing replaced; NULL and an error where that is refused. */
Scene *small_read_with(const char *from, const char *to, SceneError *error);

#endif
