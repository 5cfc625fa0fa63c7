/* Meshes that Draco compressed, without glTF around them: C for a library of C++.
 *
 * Nothing is thrown out of here: what libdraco throws, or refuses, is a failure with a sentence.
 *
 * They may be imports (import.h), and a mesh is a number then.
 */
#ifndef TOOLS_DRACO_H
#define TOOLS_DRACO_H

#include "scene/import.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DracoMesh DracoMesh;

/* NULL: it cannot be decoded; `error` says why, in as many bytes. */
DracoMesh *draco_mesh_decode(const uint8_t *bytes, size_t byte_count, char *error, size_t room);
void draco_mesh_free(DracoMesh *mesh); /* NULL is ignored */

uint32_t draco_mesh_vertex_count(const DracoMesh *mesh);
uint32_t draco_mesh_triangle_count(const DracoMesh *mesh);

/* Three corners of each triangle. */
void draco_mesh_indices(const DracoMesh *mesh, uint32_t *out);

/* `width` numbers for each vertex, of the attribute with this id: as floats or as integers. False:
 * there is no such attribute, or it is not of so many numbers. */
bool draco_mesh_floats(const DracoMesh *mesh, uint32_t id, int width, float *out);
bool draco_mesh_integers(const DracoMesh *mesh, uint32_t id, int width, int32_t *out);

IMPORT(draco_mesh_decode)
IMPORT(draco_mesh_free)
IMPORT(draco_mesh_vertex_count)
IMPORT(draco_mesh_triangle_count)
IMPORT(draco_mesh_indices)
IMPORT(draco_mesh_floats)
IMPORT(draco_mesh_integers)

#ifdef __cplusplus
}
#endif

#endif
