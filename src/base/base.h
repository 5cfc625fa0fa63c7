/* base: what every other folder stands on.
 *
 * Memory that comes from the host and can run out, results and the one check for a caller's
 * mistakes, what the cpu can do, and the floating-point modes that the rest relies on. This folder
 * knows nothing of geometry. Its one idea: the library is embeddable. It owns no global state; what
 * it needs, it is handed, and what goes wrong, it says.
 *
 * Names: pliant_ is public, pli_ is internal to the library, bare names are static.
 */
#ifndef PLI_BASE_H
#define PLI_BASE_H

#include <pliant/base.h>

/* ---- Is this build able to keep the promises? -------------------------------------------- */

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "Pliant needs IEEE arithmetic: build it without -ffast-math and -ffinite-math-only"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "Pliant needs IEEE arithmetic: build it without -fassociative-math and -freciprocal-math"
#endif

#include <float.h>
#include <limits.h>

/* 16 is for _Float16 alone: float and double are evaluated as such. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16,
               "Pliant needs float and double evaluated as such (no x87)");
_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && FLT_MIN_EXP == -125, "float is binary32");
_Static_assert(DBL_MANT_DIG == 53 && DBL_MIN_EXP == -1021, "double is binary64");
_Static_assert(sizeof(1.0) == sizeof(double),
               "constants in double: no -fsingle-precision-constant");
_Static_assert(CHAR_BIT == 8 && sizeof(int) == 4, "8-bit bytes and 32-bit int");

#if !defined(__GNUC__)
#error "Pliant needs GCC or Clang, for its builtins and vector types; clang-cl with -fgnuc-version"
#endif

/* What a format may hold: with MinGW it is C's own printf that is meant, and not Microsoft's. */
#if defined(__MINGW32__) && !defined(__clang__)
#define PLI_PRINTF(format_place, first_place)                                                      \
    __attribute__((format(gnu_printf, format_place, first_place)))
#else
#define PLI_PRINTF(format_place, first_place)                                                      \
    __attribute__((format(printf, format_place, first_place)))
#endif

#define PLI_NOINLINE __attribute__((noinline))
#define PLI_ALWAYS_INLINE static inline __attribute__((always_inline))
#define PLI_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define PLI_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* ---- The check --------------------------------------------------------------------------- */

/* One public call: where its messages go, and the name that they begin with. Each public function
 * makes one and passes it to the helpers that check its arguments. Layers below world do not need
 * it: they return codes. */
typedef struct PliCall {
    const PliantHost *host; /* NULL: nobody hears the messages */
    const char *function;
} PliCall;

/* The call that the enclosing public function is, with a host that the caller gave, or NULL. A host
 * whose struct_size is wrong is not called: pli_host_check() then says what is wrong with it. */
#define PLI_CALL(host) pli_call(host, __func__)
PliCall pli_call(const PliantHost *host, const char *function);

/* The one check for a caller's mistake, in public calls: tells the host's report hook what was
 * wrong; without a hook a build with PLIANT_ASSERTS stops, any other returns `result`. Bad data
 * never stops a build: no program can rule it out.
 *
 *     const PliCall call = PLI_CALL(def.host);
 *     PLI_CHECK(&call, def.a, PLIANT_BAD_ARGUMENT, "def.a is NULL");
 */
#define PLI_CHECK(call, condition, result, ...)                                                    \
    do {                                                                                           \
        if (PLI_UNLIKELY(!(condition)))                                                            \
            return pli_mistake(call, result, __VA_ARGS__);                                         \
    } while (0)

/* Reports "function: message" and returns `result`. */
PliantResult pli_mistake(const PliCall *call, PliantResult result, const char *format, ...)
    PLI_PRINTF(3, 4);

/* One step of several that can fail: returns its result from the enclosing function unless it is
 * PLIANT_OK. Not between an acquisition and its release, nor between pli_fp_enter() and
 * pli_fp_leave(): there the steps are in a function of their own, and its caller cleans up.
 *
 *     PLI_TRY(pli_array_reserve(&walk->stack, host, count));
 */
#define PLI_TRY(...)                                                                               \
    do {                                                                                           \
        const PliantResult pli_tried = (__VA_ARGS__);                                              \
        if (PLI_UNLIKELY(pli_tried != PLIANT_OK))                                                  \
            return pli_tried;                                                                      \
    } while (0)

/* ---- Records ----------------------------------------------------------------------------- */

/* The size that a record had when it was first published, by the field that was then its last. A
 * record of a caller is never shorter. A field that is added later begins at a multiple of eight
 * bytes, so that it is never in what was padding before. */
#define PLI_RECORD_SIZE(Record, last_field)                                                        \
    ((offsetof(Record, last_field) + sizeof(__typeof__(((Record *)0)->last_field)) +               \
      _Alignof(Record) - 1) /                                                                      \
     _Alignof(Record) * _Alignof(Record))

/* Copies the record of a caller, of `caller_size` bytes as set by its default function, over
 * `record`, which holds this library's defaults in `size` bytes and keeps its own struct_size. The
 * record of an older caller is shorter, and what it lacks keeps its default. The record of a newer
 * caller is longer; returns false if a byte there is not zero, what is known having been copied.
 * Returns false, and copies nothing, if `caller_size` cannot be true. */
bool pli_record_read(void *record, size_t size, size_t first_size, const void *caller_record,
                     size_t caller_size);

/* Can an output record of a caller be written, by its struct_size? Ask before the work is done. */
bool pli_record_is_writable(const void *caller_record, size_t first_size);

/* Copies `record`, of `size` bytes, to the record of a caller: at most as many bytes as that has,
 * and its struct_size stays. Returns false, and copies nothing, if it is not writable. */
bool pli_record_write(void *caller_record, size_t first_size, const void *record, size_t size);

/* In public calls: reads a caller's def over the defaults, if there is one. */
#define PLI_READ_DEF(call, default_name, given, own, first_size)                                   \
    PLI_CHECK(call,                                                                                \
              !(given) ||                                                                          \
                  pli_record_read(own, sizeof *(own), first_size, given, (given)->struct_size),    \
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from " default_name "()",             \
              (given)->struct_size)

/* And: an output record is there and has a size that can be true. */
#define PLI_CHECK_OUTPUT(call, name, default_name, output, first_size)                             \
    do {                                                                                           \
        PLI_CHECK(call, output, PLIANT_BAD_ARGUMENT, name " is NULL");                             \
        PLI_CHECK(call, pli_record_is_writable(output, first_size), PLIANT_BAD_DEF,                \
                  name ".struct_size is %zu: start from " default_name "()",                       \
                  (output)->struct_size);                                                          \
    } while (0)

#endif
