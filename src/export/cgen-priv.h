/* For the files cgen*.c only. */
#ifndef DAE_EXPORT_CGEN_PRIV_H
#define DAE_EXPORT_CGEN_PRIV_H

#include "eval/program.h"
#include "export/cgen.h"

/* Operations on parameters alone, of one program: computed when a parameter is set, not in each
 * step. Places are given where the text first needs one. */
typedef struct {
  const DaeProgram *program;
  const char *name;  /* of their array */
  GArray *nodes;     /* uint32_t, by place */
  GHashTable *place; /* node + 1 -> place + 1 */
} DaeCgenConstants;

typedef struct {
  DaeTerms *terms;
  const DaeSystemParts *parts;
  const DaeCgenModel *model;
  const DaeCgenStep *step; /* or NULL */
  DaeSystemTerms st;
  bool has_edges; /* derivatives lack values where the equations have some */
  DaeProgram *program;
  DaeCompiler *compiler;
  uint32_t *nodes[DAE_PART_COUNT]; /* node of each output of each part */
  char *upper;                     /* prefix in upper case */
  GString *out;
  bool *used;     /* DAE_OP_COUNT: operations written so far, to know the helper functions */
  GArray *called; /* uint32_t: routines that are called in what was written so far */
  uint32_t *event_nodes;       /* of the terms of events, in the order of their functions */
  uint32_t *clock_nodes;       /* of those of clocks */
  DaeTapeCost *guard_cost;     /* of the guards once */
  DaeTapeCost *time_cost;      /* of relations of time once */
  DaeTapeCost *assertion_cost; /* of the assertions once */
  DaeTapeCost *event_cost;     /* of what else a round evaluates */
  DaeTapeCost *clock_cost;     /* of the functions of all clocks once */
  DaeCgenConstants
      *constants; /* of the model functions; NULL: there are events, which change them */
  GString *constant_text; /* the arrays and functions of all constants */
} DaeCgen;

/* cgen_parameters.c */
uint32_t dae_cgen_n_event(const DaeCgen *gen); /* segment values that are no parameters */
uint32_t dae_cgen_n_parameters(const DaeCgen *gen);
DaeCgenConstants *dae_cgen_constants_new(const DaeProgram *program, const char *name);
void dae_cgen_constants_free(DaeCgenConstants *constants);
uint32_t dae_cgen_constants_place(DaeCgenConstants *constants, uint32_t node);
/* The array, with the values at the parameters of the problem, and the function that computes
 * it, to gen->constant_text. first_input: of the parameters among the inputs of the program. */
void dae_cgen_write_constants(const DaeCgen *gen, const DaeCgenConstants *constants,
                              uint32_t first_input);
void dae_cgen_parameter_prototypes(const DaeCgen *gen, GString *out);
void dae_cgen_parameter_tables(const DaeCgen *gen, GString *out);
/* PREFIX_set and what it needs; after all constants were written. */
bool dae_cgen_write_setters(const DaeCgen *gen, GError **error);
bool dae_cgen_finds_start(const DaeCgen *gen);
bool dae_cgen_start_is_small(const DaeCgen *gen);
/* cgen_step.c: does init of the integrator depend on whether a parameter was set? */
bool dae_cgen_start_asks(const DaeCgen *gen);

/* cgen_edges.c */
bool dae_cgen_finds_edges(const DaeTerms *terms, const DaeSystemTerms *system);
/* So many times the derivatives of a point are evaluated at most, with two evaluations of all
 * equations for each unknown after that. */
#define DAE_CGEN_EDGE_ROUNDS 8u

/* cgen.c: segment value i of the parts. */
void dae_cgen_append_segment(const DaeCgen *gen, uint32_t i, GString *out);
/* Appends text: '@' is the prefix, '^' the prefix in upper case. */
void dae_cgen_append(const DaeCgen *gen, GString *out, const char *text);
void dae_cgen_index_table(const DaeCgen *gen, GString *out, const char *name,
                          const uint32_t *values, uint32_t n);
void dae_cgen_unsigned_table(const DaeCgen *gen, const char *linkage, const char *name,
                             const uint32_t *values, uint32_t n); /* to gen->out */
void dae_cgen_double_table(const DaeCgen *gen, GString *out, const char *linkage,
                           const char *name, const double *values, uint32_t n);
void dae_cgen_byte_table(const DaeCgen *gen, GString *out, const char *name,
                         const uint8_t *values, uint32_t n);
void dae_cgen_string_table(const DaeCgen *gen, GString *out, const char *linkage,
                           const char *name, const char *const *values, uint32_t n);

/* Straight-line text of nodes. names(user, input) gives the C expression of an input. */
typedef struct {
  const DaeProgram *program;
  const uint32_t *outputs;
  uint32_t n_outputs;
  const char *function;  /* name without prefix */
  const char *arguments; /* C parameters, without outputs */
  const char *pass;      /* the same as arguments of a call */
  const char *result;    /* its output arrays as parameters: "double *out" */
  const char *pass_result;
  /* The C expression of an output; NULL: out[o]. */
  void (*append_output)(const void *user, uint32_t o, GString *out);
  void (*append_input)(const void *user, uint32_t input, GString *out);
  const void *user;
  DaeCgenConstants *constants; /* NULL: this function computes them */
  bool is_static;
  const char *const
      *unused;             /* names of the parameters, to mark them as used, NULL-terminated */
  const char *depth;       /* of calls of routines, as a C expression; NULL: 0 */
  const char *data_prefix; /* of constant data; NULL: that of the model */
} DaeCgenFunction;

/* void PREFIX_function(arguments, result). Adds the operations to *cost if it is not NULL. */
void dae_cgen_function(const DaeCgen *gen, const DaeCgenFunction *function, DaeTapeCost *cost);
/* An operation on parameters alone, which another function has done; of a call all of it. */
bool dae_cgen_is_known(const DaeCgenFunction *function, const DaeFused *fused, uint32_t node);
/* cgen_kernels.c: the same with loops; false: nothing to make loops of, nothing was written.
 * Outputs are out[o]. */
bool dae_cgen_looped_function(const DaeCgen *gen, const DaeCgenFunction *function);
void dae_cgen_model_functions(const DaeCgen *gen);
/* cgen_routines.c: all routines that are called, to gen->out. */
void dae_cgen_note_call(const DaeCgen *gen, uint32_t routine); /* is written */
bool dae_cgen_routines(DaeCgen *gen, GError **error);          /* after all that calls them */
bool dae_cgen_uses_methods(const DaeCgen *gen);
/* Of that name; NULL: what all of them use. */
const char *dae_cgen_method_text(const char *name);

/* cgen_text.c: the fixed parts of the integrator. */
const char *const *dae_cgen_integrator_text(void); /* NULL-terminated */
const char *dae_cgen_start_text(void);
const char *dae_cgen_find_start_text(void);
const char *dae_cgen_find_slopes_text(void);
const char *const *dae_cgen_main_text(void);
/* cgen_step.c: the integrator with its tables. */
void dae_cgen_integrator_header(const DaeCgen *gen, GString *out);
void dae_cgen_integrator(const DaeCgen *gen);
void dae_cgen_find_start(const DaeCgen *gen, GString *out); /* without an integrator */
/* cgen_events.c: members of the instance, prototypes, tables and functions of events. */
void dae_cgen_event_members(const DaeCgen *gen, GString *out);
void dae_cgen_event_sizes(const DaeCgen *gen, GString *out);
void dae_cgen_event_prototypes(const DaeCgen *gen, GString *out);
bool dae_cgen_compile_events(DaeCgen *gen, GError **error);
void dae_cgen_event_data(const DaeCgen *gen); /* tables that the model functions need */
void dae_cgen_event_functions(const DaeCgen *gen);
void dae_cgen_event_costs(const DaeCgen *gen, uint64_t flops, uint32_t start_steps);
uint64_t dae_cgen_guard_flops(const DaeCgen *gen); /* 0: no events */
uint64_t dae_cgen_assertion_flops(const DaeCgen *gen);
uint64_t dae_cgen_time_flops(const DaeCgen *gen);       /* 0: no such relations */
uint64_t dae_cgen_delay_flops(const DaeCgen *gen);      /* 0: nothing is delayed */
const char *const *dae_cgen_event_text(void);           /* cgen_text.c; NULL-terminated */
bool dae_cgen_delays_vary(const DaeCgenEvents *events); /* one of them */
/* A function of time, unknowns, their derivatives and segment values. */
void dae_cgen_event_function(const DaeCgen *gen, const char *name, const uint32_t *outputs,
                             uint32_t n, DaeTapeCost *cost);
uint64_t dae_cgen_all_operations(const DaeTapeCost *cost);
/* cgen_messages.c: where messages have values. */
void dae_cgen_message_members(const DaeCgen *gen, GString *out);
void dae_cgen_message_functions(const DaeCgen *gen);
bool dae_cgen_has_prints(const DaeCgenEvents *events);
/* A literal. */
void dae_cgen_c_string(GString *out, const char *text);
/* cgen_clocks.c: the same of clocks. */
bool dae_cgen_compile_clocks(DaeCgen *gen, GError **error);
void dae_cgen_clock_sizes(const DaeCgen *gen, GString *out);
void dae_cgen_clock_members(const DaeCgen *gen, GString *out);
void dae_cgen_clock_data(const DaeCgen *gen);
void dae_cgen_clock_functions(const DaeCgen *gen);
uint64_t dae_cgen_clock_flops(const DaeCgen *gen); /* 0: no clocks */
/* cgen_unroll.c: a whole regular step as one function; false: too long, nothing was written. */
bool dae_cgen_unrolled_step(const DaeCgen *gen, DaeTapeCost *cost);

#endif
