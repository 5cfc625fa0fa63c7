/* What the cpu can do, and the floating-point modes that the library runs in. */
#ifndef PLI_CPU_H
#define PLI_CPU_H

#include "base/base.h"

/* ---- Floating-point modes -------------------------------------------------------------------
 *
 * The error bounds in geom and kernels hold for round-to-nearest with gradual underflow. Games and
 * audio set flush-to-zero, numerical codes change the rounding or unmask exceptions, and a program
 * linked with -ffast-math starts with flush-to-zero set. So each public call that computes, and
 * each task that runs on a thread of the host, is bracketed:
 *
 *     PliFpMode caller = pli_fp_enter();
 *     answer = compute(...);             // PLI_NOINLINE: nothing may move out of the bracket
 *     pli_fp_leave(caller);
 *
 * Entering costs one register read when the caller's modes are the usual ones. The sticky flags are
 * not restored: a call may raise them. */

/* The compiler moves no access to memory across this. Arithmetic inside of a bracket reads its
 * input from memory, so it stays inside. */
#define PLI_FP_BARRIER() __asm__ volatile("" : : : "memory")

#if defined(__SSE2__)

typedef unsigned PliFpMode;

/* MXCSR: bits 0..5 are sticky flags, 6 denormals-are-zero, 7..12 exception masks, 13..14 rounding,
 * 15 flush-to-zero. The usual modes: all exceptions masked, all else clear. */
enum { PLI_MXCSR_FLAGS = 0x3f, PLI_MXCSR_USUAL = 0x1f80 };

static inline PliFpMode pli_fp_enter(void)
{
    PliFpMode caller = __builtin_ia32_stmxcsr();
    if (PLI_UNLIKELY((caller & ~(unsigned)PLI_MXCSR_FLAGS) != PLI_MXCSR_USUAL))
        __builtin_ia32_ldmxcsr(PLI_MXCSR_USUAL);
    PLI_FP_BARRIER();
    return caller;
}

static inline void pli_fp_leave(PliFpMode caller)
{
    PLI_FP_BARRIER();
    if (PLI_UNLIKELY((caller & ~(unsigned)PLI_MXCSR_FLAGS) != PLI_MXCSR_USUAL))
        __builtin_ia32_ldmxcsr(caller);
}

#elif defined(__aarch64__)

typedef uint64_t PliFpMode;

/* FPCR: all modes (rounding, flush, traps) are off when it is zero. */
static inline PliFpMode pli_fp_enter(void)
{
    PliFpMode caller;
    __asm__ volatile("mrs %0, fpcr" : "=r"(caller));
    if (PLI_UNLIKELY(caller != 0))
        __asm__ volatile("msr fpcr, %0" : : "r"((PliFpMode)0));
    PLI_FP_BARRIER();
    return caller;
}

static inline void pli_fp_leave(PliFpMode caller)
{
    PLI_FP_BARRIER();
    if (PLI_UNLIKELY(caller != 0))
        __asm__ volatile("msr fpcr, %0" : : "r"(caller));
}

#elif defined(__arm__) && defined(__VFP_FP__) && !defined(__SOFTFP__)

typedef uint32_t PliFpMode;

/* FPSCR: modes (rounding, flush, default NaN, vectors, traps) beside flags. */
#define PLI_FPSCR_MODES UINT32_C(0x07f79f00)

static inline PliFpMode pli_fp_enter(void)
{
    PliFpMode caller;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(caller));
    if (PLI_UNLIKELY((caller & PLI_FPSCR_MODES) != 0))
        __asm__ volatile("vmsr fpscr, %0" : : "r"((PliFpMode)0));
    PLI_FP_BARRIER();
    return caller;
}

static inline void pli_fp_leave(PliFpMode caller)
{
    PLI_FP_BARRIER();
    if (PLI_UNLIKELY((caller & PLI_FPSCR_MODES) != 0))
        __asm__ volatile("vmsr fpscr, %0" : : "r"(caller));
}

#elif defined(__wasm__)

typedef int PliFpMode;

/* WebAssembly has one mode, and it is the right one. */
static inline PliFpMode pli_fp_enter(void)
{
    return 0;
}

static inline void pli_fp_leave(PliFpMode caller)
{
    (void)caller;
}

#else

#include <fenv.h>

typedef fenv_t PliFpMode;

/* Sets what the C library knows: rounding and traps. It knows no flush mode. */
static inline PliFpMode pli_fp_enter(void)
{
    PliFpMode caller;
    feholdexcept(&caller);
    fesetround(FE_TONEAREST);
    PLI_FP_BARRIER();
    return caller;
}

static inline void pli_fp_leave(PliFpMode caller)
{
    PLI_FP_BARRIER();
    fesetenv(&caller);
}

#endif

#endif
