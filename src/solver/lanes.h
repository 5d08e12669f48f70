/* Stage vectors as machine vectors: lane i of entry j is stage i of unknown (or row) j.
 *
 * A method with s stages works on DAE_LANES_OF(s) lanes, 4 or 8: whole vectors, no remainders.
 * Spare lanes stand at the start of the step (z = 0, a valid point); they are evaluated along
 * and never looked at. The files *-lanes.inc are compiled once for each width and instruction
 * set; no fused multiply-add, so the bits are the same for all of them. */
#ifndef DAE_SOLVER_LANES_H
#define DAE_SOLVER_LANES_H

#include <stdint.h>

#define DAE_STAGE_LANES 8
#define DAE_LANES_OF(s) ((s) == 3 ? 4u : 8u)

/* aligned(8): vectors are loaded from arrays of doubles, wherever these begin. */
typedef double DaeVector4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double DaeVector8 __attribute__((vector_size(64), aligned(8), may_alias));
/* What comparisons of them give. */
typedef int64_t DaeMask4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t DaeMask8 __attribute__((vector_size(64), aligned(8), may_alias));

#if defined(__x86_64__)
#define DAE_HAVE_X86 1
#define DAE_TARGET_AVX2 __attribute__((target("avx2")))
#ifdef __clang__ /* does not know the preference */
#define DAE_TARGET_AVX512 __attribute__((target("avx512f")))
#else
#define DAE_TARGET_AVX512 __attribute__((target("avx512f,prefer-vector-width=512")))
#endif
#endif

/* 0: whatever the compiler assumes, 1: AVX2, 2: AVX-512. */
static inline int
dae_lanes_level(void)
{
#if defined(DAE_HAVE_X86)
  if (__builtin_cpu_supports("avx512f")) {
    return 2;
  }
  return __builtin_cpu_supports("avx2") ? 1 : 0;
#else
  return 0;
#endif
}

#endif
