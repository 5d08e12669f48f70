/* Straight-line programs in single-assignment form, for tapes, native code and
 * exported code (the room `export`).
 *
 * A DaeProgram is a list of nodes, operands before users; equal nodes are one node (value
 * numbering). Nodes are constants, inputs or operations. Booleans are 1.0 and 0.0; NaN stands
 * for "undefined" in both worlds.
 *
 * Undefined values: an operation outside its domain gives NaN or an infinity, and no operation
 * here turns a value that is not finite into a finite one. So a domain error always reaches the
 * outputs, except through SELECT, AND and OR, which ignore what is not taken. That is why
 * checking the outputs is enough. A divisor that can only overflow, exp(u) + 1, is no domain error
 * where it does: the quotient is 0, less than the smallest number away from what it is. */
#ifndef DAE_EVAL_PROGRAM_H
#define DAE_EVAL_PROGRAM_H

#include "eval/eval.h"
#include "terms/routines.h"

typedef enum {
  DAE_OP_CONST, /* a: index of the constant */
  DAE_OP_INPUT, /* a: index of the input */
  DAE_OP_NEG,
  DAE_OP_ADD,
  DAE_OP_SUB,
  DAE_OP_MUL,
  DAE_OP_DIV,
  DAE_OP_DIV_GUARDED, /* as DIV, but x/inf is undefined, not 0 */
  DAE_OP_MUL_ADD,  /* c + a*b, rounded twice: "fused" means one instruction, not one rounding */
  DAE_OP_MUL_SUB,  /* c - a*b */
  DAE_OP_MUL_RSUB, /* a*b - c */
  DAE_OP_ADD3,     /* (a + b) + c */
  DAE_OP_MUL3,     /* (a*b)*c */
  DAE_OP_DOT2,     /* a*b + c*d */
  DAE_OP_DET2,     /* a*b - c*d */
  DAE_OP_SQRT,
  DAE_OP_POW,
  DAE_OP_SIN,
  DAE_OP_COS,
  DAE_OP_TAN,
  DAE_OP_ASIN,
  DAE_OP_ACOS,
  DAE_OP_ATAN,
  DAE_OP_ATAN2,
  DAE_OP_SINH,
  DAE_OP_COSH,
  DAE_OP_TANH,
  DAE_OP_EXP,
  DAE_OP_LOG,
  DAE_OP_LOG10,
  DAE_OP_ABS,
  DAE_OP_SIGN,
  DAE_OP_MIN,
  DAE_OP_MAX,
  DAE_OP_FLOOR,
  DAE_OP_CEIL,
  DAE_OP_MOD,
  DAE_OP_QUOTIENT, /* div(a, b): truncated */
  DAE_OP_REM,
  DAE_OP_LT,
  DAE_OP_LE,
  DAE_OP_EQ,
  DAE_OP_NE,
  DAE_OP_AND,
  DAE_OP_OR,
  DAE_OP_NOT,
  DAE_OP_SELECT,   /* a ? b : c */
  DAE_OP_INTERVAL, /* of operand a in the data number d (terms.h) */
  DAE_OP_LOOKUP,   /* element number a of the data number d */
  DAE_OP_GIVE,     /* a as argument c of call d, after the argument b */
  DAE_OP_RUN,      /* call d, after its last argument a */
  DAE_OP_TAKE,     /* output c of call d, after its RUN a */
  DAE_OP_COUNT
} DaeOp;

uint32_t dae_op_arity(DaeOp op);
/* The operation of a function that is one operation; CONST: it is none. */
DaeOp dae_op_of_function(DaeFunction function);
/* The one definition of every operation on one lane; the tape, native code and exported code
 * agree with it. */
double dae_op_apply(DaeOp op, double a, double b, double c, double d);

/* What the value of a node depends on; each level contains those before. Values of one level
 * are computed when something of that level changes, not at each evaluation. */
typedef enum { DAE_LEVEL_SEGMENT, DAE_LEVEL_TIME, DAE_LEVEL_POINT, DAE_LEVEL_COUNT } DaeLevel;

typedef struct {
  uint16_t op;
  bool is_risky;  /* may be not finite although all inputs are finite and of moderate size */
  bool overflows; /* risky, but only too large where it is: no pole, no edge of a domain */
  uint8_t level;  /* DaeLevel; constants have DAE_LEVEL_SEGMENT */
  uint32_t a, b, c, d;
} DaeNode;

typedef struct DaeProgram DaeProgram;
DaeProgram *dae_program_new(void);
void dae_program_free(DaeProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeProgram, dae_program_free)
uint32_t dae_program_constant(DaeProgram *program, double value);
uint32_t dae_program_input(DaeProgram *program, uint32_t index, DaeLevel level);
/* Folds constants; equal operations give the same node. Unused operands are 0. */
uint32_t dae_program_emit(DaeProgram *program, DaeOp op, uint32_t a, uint32_t b, uint32_t c);
/* INTERVAL and LOOKUP in constant data, which the program copies. */
uint32_t dae_program_emit_data(DaeProgram *program, DaeOp op, uint32_t a, const double *values,
                               uint32_t n);

/* The body of a routine without loop; nodes of its program by output. Shared by its calls. */
typedef struct {
  gint references;
  DaeProgram *program;
  uint32_t *outputs;
  uint32_t n_inputs, n_outputs;
} DaeProgramBody;

DaeProgramBody *dae_program_body_ref(DaeProgramBody *body); /* of NULL: NULL */
void dae_program_body_unref(DaeProgramBody *body);

/* Calls of routines: GIVE for each argument, RUN, TAKE for each output. What these nodes
 * stand for are places in the frame of the call, arguments before outputs, one frame for
 * each call; equal calls are one. */
typedef struct {
  const DaeRoutineCode *code; /* a reference */
  uint32_t routine;           /* its number in the context of terms */
  DaeProgramBody *body;       /* a reference; NULL: it has none */
  uint32_t n_inputs, n_outputs;
  uint32_t run;      /* node */
  uint32_t inputs[]; /* nodes */
} DaeProgramCall;

/* Output k as a node. */
uint32_t dae_program_emit_call(DaeProgram *program, const DaeRoutineCode *code,
                               DaeProgramBody *body, uint32_t routine, const uint32_t *inputs,
                               uint32_t k);
uint32_t dae_program_n_calls(const DaeProgram *program);
const DaeProgramCall *dae_program_call(const DaeProgram *program, uint32_t call);

static inline bool
dae_op_is_of_call(DaeOp op)
{
  return op == DAE_OP_GIVE || op == DAE_OP_RUN || op == DAE_OP_TAKE;
}

/* The same data with the same numbers, for a program that has none yet. */
void dae_program_share_data(DaeProgram *program, const DaeProgram *from);
uint32_t dae_program_n_data(const DaeProgram *program);
const double *dae_program_data(const DaeProgram *program, uint32_t data, uint32_t *n);
uint32_t dae_program_power(DaeProgram *program, uint32_t base,
                           uint64_t exponent); /* multiplication chain */
const DaeNode *dae_program_nodes(const DaeProgram *program, uint32_t *n);
/* The operands of a node in order, four places; returns how many there are. */
uint32_t dae_program_operands(const DaeNode *node, uint32_t *operands);
bool dae_program_is_constant(const DaeProgram *program, uint32_t node, double *value);
/* Constant during a segment, and not a number already. */
bool dae_program_is_of_segment(const DaeProgram *program, uint32_t node);
const double *dae_program_constants(const DaeProgram *program, uint32_t *n);

/* Terms to nodes; memoized in the compiler, so that outputs share everything. */
typedef struct DaeCompiler DaeCompiler;
DaeCompiler *dae_compiler_new(DaeTerms *terms, DaeProgram *program);
void dae_compiler_free(DaeCompiler *compiler);
/* As a new one for another program, in time proportional to what was compiled before. */
void dae_compiler_restart(DaeCompiler *compiler, DaeProgram *program);
/* Bodies of routines are looked for here, not in a set of its own. */
typedef struct DaeBodies DaeBodies;
void dae_compiler_share_bodies(DaeCompiler *compiler, DaeBodies *bodies);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeCompiler, dae_compiler_free)
/* atom is input number `input` */
void dae_compiler_bind(DaeCompiler *compiler, DaeTerm atom, uint32_t input, DaeLevel level);
/* Counts the uses of shared terms; all outputs must be announced
 * before the first one is compiled. */
void dae_compiler_announce(DaeCompiler *compiler, const DaeTerm *outputs, uint32_t n);
bool dae_compiler_compile(DaeCompiler *compiler, DaeTerm output, uint32_t *node,
                          GError **error);

/* Outputs come in groups of consecutive outputs; an evaluation computes a
 * set of groups (bit i: group i). */
#define DAE_GROUPS_MAX 5u

/* What a tape is made of. outputs are nodes; source_of/index_of map inputs to input arrays. */
typedef struct {
  const DaeProgram *program;
  const uint32_t *outputs;
  const uint32_t *group_start; /* n_groups + 1 */
  uint32_t n_groups;
  const uint32_t *input_source, *input_index;
  bool is_single; /* single instructions only, no kernels */
} DaeTapePlan;

/* Input arrays. A tape of one array of inputs has DAE_SOURCE_POINT only. */
enum {
  DAE_SOURCE_TIME,
  DAE_SOURCE_POINT,
  DAE_SOURCE_SLOPES,
  DAE_SOURCE_SEGMENT,
  DAE_SOURCE_COUNT
};

typedef struct {
  const double *sources[DAE_SOURCE_COUNT]; /* [s][index*lanes + l]; the segment: [index] */
  uint64_t segment_number;                 /* another one where the segment values are others */
} DaeTapeInputs;

DaeTape *dae_tape_from_program(const DaeTapePlan *plan);
/* One group of outputs; inputs are bound in the compiler, whose program it is. */
DaeTape *dae_tape_of_outputs(DaeCompiler *compiler, const DaeProgram *program,
                             const DaeTerm *outputs, uint32_t n_outputs, const uint32_t *source,
                             const uint32_t *index, GError **error);
/* outs[g][o*lanes + l] with o counted from the start of group g. fault
 * counts outputs of the whole tape. */
int dae_tape_eval_groups(const DaeTape *tape, void *scratch, unsigned lanes, uint32_t groups,
                         const DaeTapeInputs *inputs, double *const *outs, uint32_t *fault);

void dae_op_count(DaeTapeCost *cost, DaeOp op);

/* Single-assignment nodes after fusion, dead ones dropped: what tapes and
 * generated code are made from. */
typedef struct {
  DaeNode *nodes;
  uint8_t *groups; /* who needs the node; 0: dead or merged into its user */
  uint32_t n;
} DaeFused;

void dae_fused_init(DaeFused *fused, const DaeTapePlan *plan);
void dae_fused_clear(DaeFused *fused);
/* All nodes, each after its operands, the sine and the cosine of one angle side by side; g_free. */
uint32_t *dae_fused_order(const DaeFused *fused);

/* Everything a system needs as terms, with the patterns of its sparse matrices. Groups of terms
 * in the order of the enum; the system's program computes them from t, x and x'. */
typedef enum {
  DAE_PART_F,
  DAE_PART_G,
  DAE_PART_M,
  DAE_PART_K,
  DAE_PART_GX,
  DAE_PART_GT,
  DAE_PART_FT,
  DAE_PART_COUNT
} DaePart;

typedef struct {
  GArray *terms[DAE_PART_COUNT]; /* DaeTerm */
  GArray *mass_start, *mass_column, *dynamics_start, *dynamics_column, *constraint_start,
      *constraint_column; /* uint32_t */
} DaeSystemTerms;

/* Differentiates exactly. An output that contains a variable that is no unknown is an error. */
bool dae_system_terms_init(DaeSystemTerms *st, DaeTerms *terms, const DaeSystemParts *parts,
                           GError **error);
void dae_system_terms_clear(DaeSystemTerms *st);
/* Inputs of the program of a system: t is 0, x_j is 1 + j, x'_j is 1 + n + j,
 * segment value k is 1 + 2n + k. */
void dae_system_bind(DaeCompiler *compiler, DaeTerms *terms, const DaeSystemParts *parts);
/* The input arrays of these inputs; source and index have dae_system_n_inputs entries. */
uint32_t dae_system_n_inputs(const DaeSystemParts *parts);
void dae_system_sources(const DaeSystemParts *parts, uint32_t *source, uint32_t *index);

/* The C text of one operation on operands already printed, as dae_op_apply computes it.
 * prefix names the helper functions. */
void dae_emit_operation(GString *out, DaeOp op, const char *prefix,
                        const char *const operands[4]);
/* Array number `number` of the constant data, PREFIXdata_NUMBER. */
void dae_emit_data_array(GString *out, const char *prefix, uint32_t number,
                         const double *values, uint32_t n);
/* The helper functions that the operations in `used` (DAE_OP_COUNT flags)
 * call, as static C99 functions. */
void dae_emit_helpers(GString *out, const bool *used, const char *prefix);
void dae_emit_double(GString *out,
                     double value); /* a C literal that reads back to the same bits */

#endif
