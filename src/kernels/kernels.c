/* The table of kernels, filled from plain C upward: see kernels.h. */
#include "kernels/kernels.h"

void pli_kernels_fill(PliKernels *kernels, uint32_t cpu_mask)
{
    uint32_t sets = cpu_mask & pliant_cpu_features();
    (void)sets;

    kernels->filter_pairs = pli_filter_pairs_c;
#if defined(PLI_HAS_VECTOR128)
    if (sets & PLIANT_CPU_VECTOR128)
        kernels->filter_pairs = pli_filter_pairs_vector128;
#endif
#if defined(PLI_HAS_AVX2)
    if (sets & PLIANT_CPU_AVX2)
        kernels->filter_pairs = pli_filter_pairs_avx2;
#endif
#if defined(PLI_HAS_AVX512)
    if (sets & PLIANT_CPU_AVX512)
        kernels->filter_pairs = pli_filter_pairs_avx512;
#endif
}
