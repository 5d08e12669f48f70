/* Inside of eval: register tapes made from programs (program.h), and native code. */
#ifndef DAE_EVAL_PRIV_H
#define DAE_EVAL_PRIV_H

#include "eval/kernel.h"

/* An instruction beside the operations of programs: a kernel; b and c are the halves of its
 * address, `to` is the first of its results. */
enum { DAE_OP_KERNEL = DAE_OP_COUNT, DAE_INSTRUCTION_COUNT };

typedef struct {
  uint16_t op;
  uint16_t groups; /* the groups that need the result */
  uint32_t to, a, b, c, d;
} DaeInstruction; /* operands are registers: constants, then inputs, then the reused ones */

/* Constant data of INTERVAL and LOOKUP; d of the instruction is its number, b and c
 * are the halves of its address. */
typedef struct {
  uint32_t n;
  double values[];
} DaeTapeData;

static inline const DaeTapeData *
dae_instruction_data(const DaeInstruction *instruction)
{
  return (const DaeTapeData *)(uintptr_t)((uint64_t)instruction->c << 32 | instruction->b);
}

static inline const DaeKernel *
dae_instruction_kernel(const DaeInstruction *instruction)
{
  return (const DaeKernel *)(uintptr_t)((uint64_t)instruction->c << 32 | instruction->b);
}

/* body.c: bodies of routines by number; (transfer none), NULL: there is none. */
DaeBodies *dae_bodies_new(void);
void dae_bodies_free(DaeBodies *bodies);
DaeProgramBody *dae_bodies_find(DaeBodies *bodies, DaeTerms *terms, uint32_t number);
/* Output k of a call as the nodes of its body. False: it is to be called. */
bool dae_body_write(DaeBodies *bodies, const DaeTerms *terms, uint32_t routine,
                    const DaeProgramBody *body, DaeProgram *program, const uint32_t *inputs,
                    uint32_t k, uint32_t *node);

/* A call of RUN: `to` is the first register of its frame, b and c are the halves of its address. */
typedef struct {
  const DaeRoutineCode *code; /* a reference */
  uint32_t n_inputs, n_outputs;
  /* NULL: the interpreter of routines. Its registers are those of the tape from `block` on, for
   * one call after the other. */
  const struct DaeTape *body;
  uint32_t block;
} DaeTapeCall;

static inline const DaeTapeCall *
dae_instruction_call(const DaeInstruction *instruction)
{
  return (const DaeTapeCall *)(uintptr_t)((uint64_t)instruction->c << 32 | instruction->b);
}

typedef void (*DaeRoutineFunction)(const double *inputs, double *outputs);
/* One without a body: arguments and outputs in the frame, from register `frame` on. run: its
 * code compiled; NULL: the interpreter of routines. */
void dae_tape_call_run(const DaeTapeCall *call, double *registers, uint32_t frame,
                       unsigned width, DaeRoutineFunction run);

typedef struct {
  uint32_t source, index; /* element `index` of input array `source` */
  uint32_t to;
  uint32_t groups;
  uint32_t n; /* and the next ones to the next registers; 1 in bodies of routines */
  /* Where kernels read inputs themselves: the registers that others read, a part of `alone` of the
   * tape. */
  uint32_t first_alone, n_alone;
  bool is_alone; /* these registers only */
} DaeLoad;

typedef struct {
  uint32_t from; /* register */
  uint32_t to;   /* output, counted from the start of its group */
  uint32_t n;
} DaeStore; /* consecutive outputs from consecutive registers */

typedef struct {
  DaeStore *stretches; /* by group */
  DaeStore *singles;   /* n = 1 */
  uint32_t stretch_start[DAE_GROUPS_MAX + 1], single_start[DAE_GROUPS_MAX + 1];
} DaeStores;

typedef struct {
  DaeInstruction *instructions;
  DaeLoad *loads;
  uint32_t *kernels; /* which of the instructions are kernels */
  uint32_t n_instructions, n_loads, n_kernels;
  /* Those of a level and of the levels below it come first. */
  uint32_t instructions_to[DAE_LEVEL_COUNT], loads_to[DAE_LEVEL_COUNT];
} DaeVariant; /* the part of a tape that a set of groups needs */

typedef struct DaeNative DaeNative;

typedef struct DaeTapeBody {
  const DaeProgramBody *of; /* while the tape is made */
  DaeTape *tape;
  uint32_t block; /* its first register, a multiple of 8 */
} DaeTapeBody;

struct DaeTape {
  double *constants;
  uint32_t n_constants, n_registers;
  DaeTapeData **data;
  uint32_t n_data;
  DaeTapeCall *calls;
  uint32_t n_calls;
  struct DaeTapeBody *bodies; /* own, each once */
  uint32_t n_bodies;
  GPtrArray *kernels; /* DaeKernel, own; NULL: none */
  DaeVariant full;
  uint32_t *outputs; /* registers */
  uint32_t group_start[DAE_GROUPS_MAX + 1];
  DaeStores stores;                  /* the same in stretches */
  DaeStores others;                  /* without those that kernels write themselves */
  uint32_t *alone;                   /* registers of inputs, see DaeLoad */
  uint32_t extent[DAE_SOURCE_COUNT]; /* kernels read so many elements of the array at most */
  bool is_direct;                    /* kernels read inputs or write outputs themselves */
  uint32_t n_groups;
  DaeVariant *variants[1u << DAE_GROUPS_MAX]; /* made when first asked for, then fixed */
  GMutex mutex;
  DaeNative *native; /* or NULL */
};

/* tape_call.c: bodies of the calls, each once, behind all other registers; numbers in their
 * registers, those of bodies too. */
void dae_tape_place_bodies(DaeTape *tape, const DaeProgram *program);
void dae_tape_set_constants(const DaeTape *tape, unsigned width, double *registers);

/* direct.c: how inputs come into registers and outputs out of them; direct: NULL without
 * kernels. */
void dae_tape_set_ways(DaeTape *tape, const DaeDirect *direct, const uint32_t *register_of);
void dae_tape_clear_ways(DaeTape *tape);

const DaeVariant *dae_tape_variant(const DaeTape *tape, uint32_t groups);
DaeTapeCost dae_tape_cost_of_groups(const DaeTape *tape, uint32_t groups);

/* slice.c: some outputs alone, by their numbers in the tape, which must live as long. NULL: a call
 * of a routine leads to them. */
typedef struct DaeChosen DaeSlice;
DaeSlice *dae_slice_new(const DaeTape *tape, const uint32_t *outputs, uint32_t n_outputs);
void dae_slice_free(DaeSlice *slice); /* NULL is fine */
/* At one point; 0, or 1: some value is not finite. */
int dae_slice_eval(DaeSlice *slice, const DaeTapeInputs *inputs, double *out);
/* DAE_DEPENDS_... of each output of a group. */
void dae_tape_depends(const DaeTape *tape, uint32_t group, uint8_t *depends);

/* solved.c: the solved form of a system (evaluator.h) as terms. NULL: there is none. The groups are
 * stage, m, direct, rest, rest_slope. */
typedef struct DaeSolvedTerms DaeSolvedTerms;
DaeSolvedTerms *dae_solved_new(DaeTerms *terms, const DaeSystemParts *parts);
void dae_solved_free(DaeSolvedTerms *solved); /* NULL is fine */
GArray *const *dae_solved_groups(const DaeSolvedTerms *solved);
const DaeSolved *dae_solved_form(const DaeSolvedTerms *solved);

/* The interpreter proper: width is 1, 2, 4 or 8. */
void dae_lanes_run(const DaeInstruction *instructions, uint32_t n, unsigned width,
                   double *registers);

/* lhs - rhs of the relations outside noEvent and smooth, once each, in order of appearance. */
void dae_system_collect_switches(DaeTerms *terms, const DaeSystemParts *parts,
                                 GArray *differences);

/* Native code: NULL with *error set if there is no compiler or it failed. The first n_wide sets
 * are compiled for all widths, the others for one lane. */
DaeNative *dae_native_new(const DaeTape *tape, const uint32_t *group_sets, uint32_t n_sets,
                          uint32_t n_wide, GError **error);
void dae_native_free(DaeNative *native);
/* This set of groups was compiled? */
bool dae_native_knows(const DaeNative *native, uint32_t groups, unsigned width);
/* from: instructions of lower levels are left out, their values are in the registers. */
void dae_native_run(const DaeNative *native, uint32_t groups, unsigned width, DaeLevel from,
                    double *registers);

#endif
