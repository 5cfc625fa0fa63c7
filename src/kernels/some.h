/* Vectors that divide a group of eight: eight floats, or four where there are no more. For sources
 * that are compiled once for each instruction set, like wide.h. */
#ifndef PLI_SOME_H
#define PLI_SOME_H

#include "kernels/wide.h"

#if PLI_LANES == 4
typedef Floats Some;
enum { SOME = 4 };
#else
typedef float Some __attribute__((vector_size(32)));
enum { SOME = 8 };
#endif

#if PLI_LANES == 4
typedef Ints SomeInts;
#define SOME_MIN(x, y) PLI_MIN(x, y)
#define SOME_MAX(x, y) PLI_MAX(x, y)
#else
typedef int32_t SomeInts __attribute__((vector_size(32)));
#define SOME_MIN(x, y) __builtin_ia32_minps256(x, y)
#define SOME_MAX(x, y) __builtin_ia32_maxps256(x, y)
#endif

static inline Some load_some(const float *from)
{
    Some v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store_some(float *to, Some v)
{
    memcpy(to, &v, sizeof v);
}

static inline Some pick(SomeInts mask, Some x, Some y)
{
    return (Some)((mask & (SomeInts)x) | (~mask & (SomeInts)y));
}

#endif
