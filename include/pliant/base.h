/* Pliant: results, the host's hooks, cpu features, version.
 *
 * The library is a guest in its host's process: it keeps no global state, starts no threads, prints
 * nothing and never exits. What it needs from outside (memory, somewhere to say what was wrong)
 * comes through a PliantHost; what it has to say comes back as a PliantResult.
 */
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(PLIANT_SHARED)
#if defined(PLIANT_BUILDING)
#define PLIANT_API __declspec(dllexport)
#else
#define PLIANT_API __declspec(dllimport)
#endif
#elif defined(__GNUC__) && defined(PLIANT_SHARED)
#define PLIANT_API __attribute__((visibility("default")))
#else
#define PLIANT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ----------------------------------------------------------------------------- */

#define PLIANT_VERSION_MAJOR 0
#define PLIANT_VERSION_MINOR 1
#define PLIANT_VERSION_PATCH 0

/* The version of the library that is linked, as "major.minor.patch". The macros above are the
 * version of the headers that were compiled against. */
PLIANT_API const char *pliant_version(void);

/* ---- Results ----------------------------------------------------------------------------- */

/* Every result there is: X(name, text). PLIANT_OK is zero, and all others are failures, after which
 * the outputs of the call are as they were before it. New results are added at the end. */
#define PLIANT_RESULTS(X)                                                                          \
    X(OK, "success")                                                                               \
    X(OUT_OF_MEMORY, "the allocator had no memory left")                                           \
    X(TOO_LARGE, "a size or count is beyond what can be addressed")                                \
    X(BAD_ARGUMENT, "an argument is missing or out of its range")                                  \
    X(BAD_INDEX, "an index points past the end of its array")                                      \
    X(BAD_DEF, "a def was not made by its default function")                                       \
    X(BAD_DATA, "saved data is damaged, or is something else")                                     \
    X(BAD_VERSION, "saved data is of another version or byte order")                               \
    X(BAD_ID, "no body of this world has that name")                                               \
    X(NOT_CLOSED, "a surface is not closed and has no inside")                                     \
    X(UNSUPPORTED, "the machine or its driver cannot do this")

typedef enum PliantResult {
#define PLIANT_RESULT_ENUM(name, text) PLIANT_##name,
    PLIANT_RESULTS(PLIANT_RESULT_ENUM)
#undef PLIANT_RESULT_ENUM
        PLIANT_RESULT_COUNT
} PliantResult;

/* The name of a result as it is written in code ("PLIANT_BAD_INDEX"), and one sentence about it.
 * Static strings; a number that is no result gives "PLIANT_UNKNOWN". Any thread. */
PLIANT_API const char *pliant_result_name(PliantResult result);
PLIANT_API const char *pliant_result_text(PliantResult result);

/* ---- Host -------------------------------------------------------------------------------- */

/* What the library asks of the process it lives in. Every owner of memory takes one in its def and
 * keeps a copy. Any hook may be NULL, which means the default. */
typedef struct PliantHost {
    /* Returns `size` bytes (never zero) aligned to `alignment` (a power of two, at most 64), or
     * NULL when there is no memory: the call that needed it then fails with PLIANT_OUT_OF_MEMORY,
     * and everything stays usable. Default: the C library. `allocate` and `release` go together:
     * give both or none. */
    void *(*allocate)(void *user, size_t size, size_t alignment);

    /* Takes back a block; `size` and `alignment` are those that it was allocated with. */
    void (*release)(void *user, void *block, size_t size, size_t alignment);

    /* Told when a call was given something wrong, before that call returns `result`: one sentence
     * that names the field and the index. The text is valid during the call only. Without this
     * hook a library that was built with PLIANT_ASSERTS stops there, for a debugger to show, and
     * any other just returns. A def that is NULL or was not made by its default function has no
     * host. */
    void (*report)(void *user, PliantResult result, const char *message);

    void *user; /* handed to each hook as it is */
} PliantHost;

/* ---- Cpu --------------------------------------------------------------------------------- */

/* Instruction sets that kernels are built for. A mask of zero is plain C; each bit adds one set.
 * The answer of every call is the same with any mask: masks are for tests, for timing, and for
 * hosts that want to keep a set from being used. */
#define PLIANT_CPU_NONE 0u
#define PLIANT_CPU_VECTOR128 1u /* what every such machine has: SSE2, NEON, SIMD128 */
#define PLIANT_CPU_AVX2 2u
#define PLIANT_CPU_AVX512 4u /* F, BW, DQ and VL */
#define PLIANT_CPU_ALL 0xffffffffu

/* The sets that both this build and this machine have. Any thread. */
PLIANT_API uint32_t pliant_cpu_features(void);

/* The name of the widest set in a mask ("avx512", ..., "c"), of those that are known here. */
PLIANT_API const char *pliant_cpu_name(uint32_t mask);

#ifdef __cplusplus
}
#endif

#endif
