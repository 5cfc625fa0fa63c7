/* Which instruction sets this machine has: see pliant/base.h. */
#include "base/cpu.h"

/* The compiler's runtime asks the cpu once, at load time, and checks that the system saves the wide
 * registers; so nothing is kept here, and asking costs a few loads. PLI_HAS_... is what was built.
 */
uint32_t pliant_cpu_features(void)
{
    uint32_t features = PLIANT_CPU_NONE;
#if defined(PLI_HAS_VECTOR128)
    features |= PLIANT_CPU_VECTOR128;
#endif
#if defined(PLI_HAS_AVX2) || defined(PLI_HAS_AVX512)
    __builtin_cpu_init(); /* for a caller that runs before the constructors */
#endif
#if defined(PLI_HAS_AVX2)
    if (__builtin_cpu_supports("avx2"))
        features |= PLIANT_CPU_AVX2;
#endif
#if defined(PLI_HAS_AVX512)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        features |= PLIANT_CPU_AVX512;
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
