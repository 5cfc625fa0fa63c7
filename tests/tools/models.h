/* Model files for tests, pictures and fuzzing: the arm of arm.h in every format that is read. */
#ifndef TESTS_MODELS_H
#define TESTS_MODELS_H

#include "arm.h"

#include <stdbool.h>

/* Writes them into a folder, which must be there:
 *   arm.glb            clips bend (LINEAR), swell (CUBICSPLINE, weights), step (STEP)
 *   arm_quantized.glb  KHR_mesh_quantization: 16-bit vertices, weights in bytes
 *   arm_sparse.glb     targets and some positions in sparse accessors
 *   arm_meshopt.glb    EXT_meshopt_compression, where there is meshoptimizer
 *   arm_text.gltf      JSON alone, its buffer in a data URI
 *   arm_####.obj       bend, a file for each of `frame_count` frames
 *   arm.obj, arm.pc2   the same as a cache; arm.ply: at rest
 * `bend` takes two seconds, and is bent the most at half of them. False if one of them cannot be
 * written. */
bool models_write(const char *folder, const ArmDetail *detail, int frame_count);

#endif
