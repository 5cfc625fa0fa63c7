/* Which instruction sets this machine has: see pliant/base.h. */
#include "base/cpu.h"

/* The compiler's runtime asks the cpu once, at load time, and checks that the system saves the wide
 * registers; so nothing is kept here, and asking costs a few loads. */
uint32_t pliant_cpu_features(void)
{
    uint32_t features = PLIANT_CPU_NONE;
#if !defined(PLIANT_SCALAR)
#if defined(__SSE2__) || defined(__aarch64__) || defined(__wasm_simd128__)
    features |= PLIANT_CPU_VECTOR128;
#endif
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        features |= PLIANT_CPU_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        features |= PLIANT_CPU_AVX512;
#endif
#endif
    return features;
}

const char *pliant_cpu_name(uint32_t mask)
{
    mask &= pliant_cpu_features();
    if (mask & PLIANT_CPU_AVX512)
        return "avx512";
    if (mask & PLIANT_CPU_AVX2)
        return "avx2";
    if (mask & PLIANT_CPU_VECTOR128)
        return "vector128";
    return "c";
}
