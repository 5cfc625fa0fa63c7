/* meshoptimizer's decoders: of the library, or of its package for npm. See import.h. */
#ifndef TOOLS_MESHOPT_H
#define TOOLS_MESHOPT_H

#ifdef DECODERS_ARE_IMPORTED
#include "scene/import.h"

#include <stddef.h>

int meshopt_decodeVertexBuffer(void *out, size_t count, size_t stride, const unsigned char *bytes,
                               size_t size);
int meshopt_decodeIndexBuffer(void *out, size_t count, size_t stride, const unsigned char *bytes,
                              size_t size);
int meshopt_decodeIndexSequence(void *out, size_t count, size_t stride, const unsigned char *bytes,
                                size_t size);
IMPORT(meshopt_decodeVertexBuffer)
IMPORT(meshopt_decodeIndexBuffer)
IMPORT(meshopt_decodeIndexSequence)

/* Of what was decoded last, and only of that. */
void meshopt_decodeFilterOct(void *out, size_t count, size_t stride);
void meshopt_decodeFilterExp(void *out, size_t count, size_t stride);
IMPORT(meshopt_decodeFilterOct)
IMPORT(meshopt_decodeFilterExp)
#else
#include <meshoptimizer.h>
#endif

#endif
