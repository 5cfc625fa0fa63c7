/* base: what every other folder stands on.
 *
 * Memory that comes from the host and can run out, results and the one check for a caller's
 * mistakes, what the cpu can do, and the floating-point modes that the rest relies on. This folder
 * knows nothing of geometry. Its one idea: the library is a guest. It owns no global state; what it
 * needs, it is handed, and what goes wrong, it says.
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
#error "Pliant needs GCC or Clang: vector types and 128-bit integers"
#endif

#define PLI_NOINLINE __attribute__((noinline))
#define PLI_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define PLI_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* ---- The check --------------------------------------------------------------------------- */

/* The one check for a programmer's mistake, in public calls: tells the host's report hook what was
 * wrong; without a hook a build with PLIANT_ASSERTS stops, any other returns `result`.
 *
 *     PLI_CHECK(host, def->a != NULL, PLIANT_BAD_ARGUMENT, "def.a is NULL");
 */
#define PLI_CHECK(host, condition, result, ...)                                                    \
    do {                                                                                           \
        if (PLI_UNLIKELY(!(condition)))                                                            \
            return pli_mistake(host, result, __VA_ARGS__);                                         \
    } while (0)

/* Says what was wrong and returns `result`. `host` may be NULL. */
PliantResult pli_mistake(const PliantHost *host, PliantResult result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- Defs -------------------------------------------------------------------------------- */

/* Copies a caller's def, of `caller_size` bytes as recorded by its default function, over `def`,
 * which holds this library's defaults in `def_size` bytes. An older caller's def is shorter, though
 * never shorter than `first_size`, and what it lacks keeps its default. A newer one's is longer,
 * and false is returned if it asks for anything there, what is known having been copied. False
 * also, and nothing copied, if `caller_size` cannot be true. */
bool pli_def_read(void *def, size_t def_size, size_t first_size, const void *caller_def,
                  size_t caller_size);

#endif
