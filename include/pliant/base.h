/* Pliant: results, records, the host's hooks, cpu features, version.
 *
 * The library is embeddable: it starts no threads, prints nothing and never exits. Its only
 * process-wide state is a counter that numbers bodies, on which no answer depends. It takes memory,
 * and reports what was wrong, through the hooks of a PliantHost. Every call that can fail returns a
 * PliantResult.
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

/* Returns the version of the linked library, as "major.minor.patch". The macros above are the
 * version of the headers. Any thread. */
PLIANT_API const char *pliant_version(void);

/* ---- Results ----------------------------------------------------------------------------- */

/* All results: X(name, text). PLIANT_OK is zero; every other result is a failure. A failed call
 * leaves its outputs as they were, and the library stays usable. New results are added at the end.
 */
#define PLIANT_RESULTS(X)                                                                          \
    X(OK, "success")                                                                               \
    X(OUT_OF_MEMORY, "the allocator had no memory left")                                           \
    X(TOO_LARGE, "a size or count is beyond what can be addressed")                                \
    X(BAD_ARGUMENT, "an argument is missing or out of its range")                                  \
    X(BAD_INDEX, "an index points past the end of its array")                                      \
    X(BAD_DEF, "a record did not start from its default function, or has a field that this "       \
               "version does not know")                                                            \
    X(BAD_DATA, "saved data is damaged, or is something else")                                     \
    X(BAD_VERSION, "saved data is of another version or byte order")                               \
    X(BAD_ID, "a handle names no body of this world")                                              \
    X(UNSUPPORTED, "the machine or its driver cannot do this")                                     \
    X(CANCELLED, "the query was stopped: by its progress function or by pliant_world_cancel()")    \
    X(STALE, "an answer was handed back whose bodies have changed since")                          \
    X(BUSY, "another call uses the world at the same time, or it is held")

typedef enum PliantResult {
#define PLIANT_RESULT_ENUM(name, text) PLIANT_##name,
    PLIANT_RESULTS(PLIANT_RESULT_ENUM)
#undef PLIANT_RESULT_ENUM
        PLIANT_RESULT_COUNT
} PliantResult;

/* Return the name of a result as it is written in code ("PLIANT_BAD_INDEX"), and one sentence about
 * it. Static strings; a number that is no result has the name "PLIANT_UNKNOWN". Any thread. */
PLIANT_API const char *pliant_result_name(PliantResult result);
PLIANT_API const char *pliant_result_text(PliantResult result);

/* ---- Records and values -------------------------------------------------------------------- */

/* There are two kinds of public structs.
 *
 * A record begins with `size_t struct_size` and may grow at its end in a later version. Every
 * record starts from its default function, which is inline: it sets struct_size to the size that
 * the caller was compiled with. The library reads and writes at most that many bytes, so a program
 * that was built against older headers works with a newer library. A program that was built
 * against newer headers works with an older library unless it sets a field that this library does
 * not know; the call then fails with PLIANT_BAD_DEF. Outputs that are records are filled through a
 * pointer, and keep the struct_size of the caller.
 *
 * A value has no struct_size and never changes: PliantVertices, PliantTriangles, PliantTarget,
 * PliantTransform, PliantBox, PliantBody, PliantContact, PliantBodyPair, PliantNearPair,
 * PliantImpact, PliantClosestPoint, PliantRay, PliantRayHit, PliantHitPoint, PliantIntersection,
 * PliantIntersectionPoint, PliantCurve, PliantCurvePoint, PliantRegion, PliantRegionPart,
 * PliantView, PliantFragment and PliantSpan. New data about items of such an array comes as a
 * further array in a record. */

/* Zeros for every field, in C and in C++. */
#ifdef __cplusplus
#define PLIANT_ZEROS                                                                               \
    {                                                                                              \
    }
#else
#define PLIANT_ZEROS                                                                               \
    {                                                                                              \
        0                                                                                          \
    }
#endif

/* ---- Host -------------------------------------------------------------------------------- */

/* One task of a set: see PliantHost.run. */
typedef void PliantTask(void *data, int32_t index, int32_t worker);

/* The most workers that a host may have. */
#define PLIANT_MAX_WORKERS 1024

/* A record: the services that the library takes from the process it runs in. Start from
 * pliant_host_default(). Every owner of memory takes a host in its def and copies it. A hook that
 * is NULL means the default. Hooks are called from the thread that makes the call, and from the
 * threads that run its tasks, with the default floating-point modes. They must not call the library
 * with the same world. */
typedef struct PliantHost {
    size_t struct_size;

    /* Returns `size` bytes (never zero) aligned to `alignment` (a power of two, at most 64), or
     * NULL when there is no memory: the call that needed it then fails with PLIANT_OUT_OF_MEMORY,
     * and everything stays usable. Default: the C library. Set both `allocate` and `release`, or
     * neither. With more than one worker, tasks call both at the same time. */
    void *(*allocate)(void *user, size_t size, size_t alignment);

    /* Releases a block. `size` and `alignment` are those that it was allocated with. */
    void (*release)(void *user, void *block, size_t size, size_t alignment);

    /* Receives one sentence about every failure that the caller caused, before the call returns
     * `result`. The sentence begins with the name of the public function and names the field and
     * the index: "pliant_body_set_weights: count is 3, the shape has 2 targets". The text is valid
     * during the hook only. If this hook is NULL, a library that was built with PLIANT_ASSERTS
     * stops the process there, for a debugger, unless the cause is bad data; any other build just
     * returns `result`. A call whose def is NULL, or has a wrong struct_size, has no host. */
    void (*report)(void *user, PliantResult result, const char *message);

    void *user; /* passed to each hook above */

    /* Tasks. The library starts no threads: it divides large work into tasks and calls `run`, which
     * calls task(data, index, worker) once for every index from 0 to count - 1, and returns when
     * all of these calls have returned. They may run on any threads, in any order, at the same time
     * or one after the other on the calling thread. `worker` is from 0 to worker_count - 1. No two
     * calls of one set that run at the same time may have the same worker.
     *
     * Answers do not depend on worker_count, nor on the order or the threads that tasks run on.
     * Default: NULL and 0, everything runs on the calling thread. pliant/pool.h has a pool of
     * threads for hosts without one. */
    void (*run)(void *run_user, PliantTask *task, void *data, int32_t count);
    void *run_user;
    int32_t worker_count; /* at most PLIANT_MAX_WORKERS; 0 or 1: `run` is not called */
} PliantHost;

static inline PliantHost pliant_host_default(void)
{
    PliantHost host = PLIANT_ZEROS;
    host.struct_size = sizeof host;
    return host;
}

/* ---- Cpu --------------------------------------------------------------------------------- */

/* Instruction sets that kernels are built for, as bits of a mask. A mask of zero is plain C. Every
 * call returns the same answer with every mask: masks are for tests, for timing, and for hosts that
 * want to keep an instruction set from being used. */
#define PLIANT_CPU_NONE 0u
#define PLIANT_CPU_VECTOR128 1u /* SSE2, NEON or SIMD128 */
#define PLIANT_CPU_AVX2 2u
#define PLIANT_CPU_AVX512 4u /* F, BW, DQ and VL */
#define PLIANT_CPU_ALL 0xffffffffu

/* Returns the instruction sets that both this build and this machine have. Any thread. */
PLIANT_API uint32_t pliant_cpu_features(void);

/* Returns the name of the widest set in a mask that this machine has: "avx512", ..., "c". Any
 * thread.
 */
PLIANT_API const char *pliant_cpu_name(uint32_t mask);

#ifdef __cplusplus
}
#endif

#endif
