/* Fills the table, from plain C to the widest instruction set that is allowed: see kernels.h. */
#include "kernels/kernels.h"

#define VERSION_C(name, type) .name = pli_##name##_c,
#define VERSION_VECTOR128(name, type) .name = pli_##name##_vector128,
#define VERSION_AVX2(name, type) .name = pli_##name##_avx2,
#define VERSION_AVX512(name, type) .name = pli_##name##_avx512,

void pli_kernels_fill(PliKernels *kernels, uint32_t cpu_mask)
{
    uint32_t vertex_lists = cpu_mask & pliant_cpu_features();
    (void)vertex_lists;

    *kernels = (PliKernels){PLI_KERNELS(VERSION_C)};
#if defined(PLI_HAS_VECTOR128)
    if (vertex_lists & PLIANT_CPU_VECTOR128)
        *kernels = (PliKernels){PLI_KERNELS(VERSION_VECTOR128)};
#endif
#if defined(PLI_HAS_AVX2)
    if (vertex_lists & PLIANT_CPU_AVX2)
        *kernels = (PliKernels){PLI_KERNELS(VERSION_AVX2)};
#endif
#if defined(PLI_HAS_AVX512)
    if (vertex_lists & PLIANT_CPU_AVX512)
        *kernels = (PliKernels){PLI_KERNELS(VERSION_AVX512)};
#endif
}
