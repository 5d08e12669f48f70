/* The interpreter: one instruction, all lanes.
 *
 * Lanes are GCC vectors; the compiler lowers them to whatever the machine has. On x86-64 further
 * copies of the wide loops use AVX2 or AVX-512 where the processor has it. No contraction into
 * fused multiply-add, so the results are the same bits for every width and instruction set. */
#include <math.h>
#include <string.h>

#include "eval/eval-priv.h"

#pragma GCC diagnostic ignored                                                                 \
    "-Wpedantic" /* labels as values, ranges of initializers: GNU C */
#pragma GCC diagnostic ignored "-Woverride-init"

typedef double Vector2 __attribute__((vector_size(16), may_alias));
typedef double Vector4 __attribute__((vector_size(32), may_alias));
typedef double Vector8 __attribute__((vector_size(64), may_alias));

#define LANES_NAME run_1
#define LANES_WIDTH 1u
#define LANES_VECTOR double
#define LANES_TARGET
#include "eval/lanes-loop.inc"

#define LANES_NAME run_2
#define LANES_WIDTH 2u
#define LANES_VECTOR Vector2
#define LANES_TARGET
#include "eval/lanes-loop.inc"

#define LANES_NAME run_4
#define LANES_WIDTH 4u
#define LANES_VECTOR Vector4
#define LANES_TARGET
#include "eval/lanes-loop.inc"

#define LANES_NAME run_8
#define LANES_WIDTH 8u
#define LANES_VECTOR Vector8
#define LANES_TARGET
#include "eval/lanes-loop.inc"

#if defined(__x86_64__)
#define LANES_NAME run_4_avx2
#define LANES_WIDTH 4u
#define LANES_VECTOR Vector4
#define LANES_TARGET __attribute__((target("avx2")))
#include "eval/lanes-loop.inc"

#define LANES_NAME run_8_avx2
#define LANES_WIDTH 8u
#define LANES_VECTOR Vector8
#define LANES_TARGET __attribute__((target("avx2")))
#include "eval/lanes-loop.inc"

#define LANES_NAME run_8_avx512
#define LANES_WIDTH 8u
#define LANES_VECTOR Vector8
#ifdef __clang__ /* does not know the preference */
#define LANES_TARGET __attribute__((target("avx512f")))
#else
#define LANES_TARGET __attribute__((target("avx512f,prefer-vector-width=512")))
#endif
#include "eval/lanes-loop.inc"
#endif

void
dae_lanes_run(const DaeInstruction *instructions, uint32_t n, unsigned width, double *registers)
{
  DAE_ASSERT(((uintptr_t)registers & 63u) == 0);
  if (width == 1) {
    run_1(instructions, n, registers);
    return;
  }
  if (width == 2) {
    run_2(instructions, n, registers);
    return;
  }
#if defined(__x86_64__)
  if (width == 8 && __builtin_cpu_supports("avx512f")) {
    run_8_avx512(instructions, n, registers);
    return;
  }
  if (__builtin_cpu_supports("avx2")) {
    (width == 4 ? run_4_avx2 : run_8_avx2)(instructions, n, registers);
    return;
  }
#endif
  (width == 4 ? run_4 : run_8)(instructions, n, registers);
}
