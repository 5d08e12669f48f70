/* Kernels: equations of one shape evaluated together.
 *
 * A cone is a value that is used more than once, or an output, with all that only it uses: a tree
 * whose leaves are numbers, inputs and other such values. Cones of one shape (the same operations
 * in the same places) become one kernel: its steps once, and for each leaf a column of registers.
 * A kernel computes some hundred instances at a time, one step after the other, so that a step is
 * one loop over neighbours in memory; the tape has one instruction for all of them. The arithmetic
 * is that of the single instructions, operation for operation, so the results are the same bits.
 *
 * Columns: where the leaves of consecutive instances are consecutive registers (x[i-1], x[i],
 * x[i+1] along a rod or along the rows of a plate), a column is the first register of each stretch;
 * otherwise it is a table. A leaf that all instances share is one register.
 *
 * Columns of inputs may be read where the inputs lie, and results that are outputs and nothing else
 * may be written where the outputs lie (direct.c): each way through registers costs as much as
 * some operations. */
#ifndef DAE_EVAL_KERNEL_H
#define DAE_EVAL_KERNEL_H

#include "eval/program.h"

/* Fewer instances of a shape are single instructions. */
#define DAE_KERNEL_FEWEST 64u
/* Steps of a kernel; larger cones are cut. */
#define DAE_KERNEL_STEPS 32u
/* Columns and temporary values: no step has more than four operands. */
#define DAE_KERNEL_PLACES (4 * DAE_KERNEL_STEPS + 1)

typedef struct {
  uint16_t op; /* DaeOp */
  uint16_t to; /* a temporary place; results of the last step go to registers instead */
  uint16_t from[4];
} DaeKernelStep; /* places are the columns, then temporary values */

/* A column that is read from an array of inputs. */
typedef struct {
  uint32_t source; /* DAE_SOURCE_COUNT: from registers */
  uint32_t shift;  /* index in the array - register, modulo 2^32 */
} DaeKernelInput;

/* Results from instance `start` on, to the next target: outputs of a group. */
typedef struct {
  uint32_t start;
  uint32_t group;
  uint32_t output; /* of instance `start`, counted from the start of the group */
  uint32_t step;   /* to that of the next instance, modulo 2^32 */
} DaeKernelTarget;

typedef struct {
  DaeKernelStep *steps;
  uint32_t n_steps, n_columns, n_places;
  uint32_t n;      /* instances */
  uint32_t to;     /* register of the first result, the others follow */
  uint32_t groups; /* who needs the results */
  uint32_t phase;  /* kernels of a phase follow the single instructions of that phase */
  uint32_t *roots; /* nodes, while the tape is made */
  /* Nodes by column and instance while the tape is made, then registers; NULL: stretches. */
  uint32_t *table;
  bool *is_shared; /* by column: one register for all, the first of the column */
  uint32_t n_stretches;
  uint32_t *stretch_start; /* n_stretches + 1: instances */
  uint32_t *stretch_from;  /* by stretch and column: register of its first instance */
  DaeKernelInput *inputs;  /* by column */
  DaeKernelTarget *targets;
  uint32_t n_targets; /* 0: results go to registers */
} DaeKernel;

/* The arrays of one evaluation, for as many points as registers have lanes. */
typedef struct {
  const double *const *sources; /* as in DaeTapeInputs */
  double *const *outs;          /* by group */
  double check;                 /* 0 while all that was written there is finite */
} DaeKernelArrays;

typedef struct {
  GPtrArray *kernels; /* DaeKernel, by phase; (transfer full) */
  uint8_t *is_inside; /* by node: part of a kernel, root or not */
  uint32_t *order;    /* nodes of level POINT that are single instructions, by phase */
  uint32_t *phase_of; /* by node */
  uint32_t n_order;
} DaeKernelPlan;

/* kernel.c. NULL: no shape is frequent enough. */
DaeKernelPlan *dae_kernel_plan_new(const DaeFused *fused, const DaeTapePlan *plan);
void dae_kernel_plan_free(DaeKernelPlan *plan); /* NULL is fine */
void dae_kernel_free(DaeKernel *kernel);
/* All nodes have registers now. */
void dae_kernel_set_registers(DaeKernel *kernel, const uint32_t *register_of);
uint32_t dae_kernel_leaf(const DaeKernel *kernel, uint32_t instance, uint32_t column);

/* kernel_steps.c: the steps of a cone, operands first. Their places are the columns, which the
 * kernel has already, and behind them the steps, each its own. */
void dae_kernel_set_steps(DaeKernel *kernel, const DaeKernelStep *given, uint32_t n_given);

/* direct.c: what of a tape need not go through registers. Begun before the leaves of kernels become
 * registers; each kernel is looked at before its own do. */
typedef struct {
  const DaeFused *fused;
  const DaeTapePlan *plan;
  uint8_t *is_read;    /* by node: something needs its register */
  uint32_t *output_of; /* by node: + 1, 0: it is none */
  uint8_t *is_given;   /* by output: a kernel writes it */
} DaeDirect;

void dae_direct_init(DaeDirect *direct, const DaeFused *fused, const DaeTapePlan *plan,
                     const DaeKernelPlan *kernels);
void dae_direct_clear(DaeDirect *direct);
void dae_direct_kernel(DaeDirect *direct, DaeKernel *kernel, const uint32_t *register_of);

/* kernel_run.c */
void dae_kernel_run(const DaeKernel *kernel, unsigned width, double *registers);
/* Inputs and outputs of the kernel where they lie. */
void dae_kernel_run_direct(const DaeKernel *kernel, unsigned width, double *registers,
                           DaeKernelArrays *arrays);
/* 0: all values are finite. */
double dae_copy_checked(const double *from, size_t n, double *to);

#endif
